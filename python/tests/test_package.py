"""The package as a whole: its names, its docstrings, and its page."""

import inspect
import pathlib
import re
from importlib import import_module

import pytest

import grognard as g

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_everything_public_is_explained():
    for name in g.__all__:
        thing = getattr(g, name)
        if not inspect.isclass(thing) and not callable(thing):
            continue
        assert thing.__doc__, name
        if not inspect.isclass(thing) or issubclass(thing, Exception):
            continue
        for member, value in vars(thing).items():
            if not member.startswith("_") and (callable(value) or isinstance(value, property) or inspect.isgetsetdescriptor(value)):
                assert value.__doc__, f"{name}.{member}"


def test_stubs_name_what_there_is():
    import ast

    stub = ast.parse((pathlib.Path(g.__file__).parent / "_native.pyi").read_text())
    for known in stub.body:
        if isinstance(known, ast.ClassDef):
            there = {member for member in vars(getattr(g, known.name)) if not member.startswith("__")}
            named = {member.name for member in known.body if isinstance(member, ast.FunctionDef)}
            assert there == {member for member in named if not member.startswith("__")}, known.name


def test_lists_of_what_is_built_in():
    assert "square-vs-line" in g.studies() and "napoleonic-figures" in g.packs()
    pack = g.Pack.load("risk")
    assert "pack.toml" in " ".join(pack.files) and pack.title and pack.version.count(".") == 2


def programs(text):
    return re.findall(r"^```python[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def indented(text):
    """The program in a docstring."""
    (program,) = re.findall(r"\n\n((?:    [^\n]*\n|\n)+)", text + "\n")
    return inspect.cleandoc(program)


def smaller(program, replaced):
    """The program with some words replaced, for instance to fight fewer battles; each of them must occur in it."""
    for word, other in replaced.items():
        assert word in program, word
        program = program.replace(word, other)
    return program


@pytest.mark.skipif(not (ROOT / "docs/python.md").exists(), reason="not in the repository")
def test_the_programs_of_the_page_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    scope: dict[str, object] = {}
    for program in programs(page):
        exec(compile(program, "docs/python.md", "exec"), scope)
    assert len(programs(page)) >= 8
    # Formation and strength matter; the distance hardly does.
    formation, figures, distance = scope["indices"]["ST"]
    assert formation > figures > distance


@pytest.mark.skipif(not (ROOT / "python/README.md").exists(), reason="not in the repository")
def test_the_program_of_the_readme_runs():
    (program,) = programs((ROOT / "python/README.md").read_text(encoding="utf-8"))
    exec(program, {})


@pytest.mark.parametrize("module", ["grognard", "grognard.salib"])
def test_the_programs_of_docstrings_run(module):
    exec(indented(import_module(module).__doc__), {})


def test_the_programs_about_clusters_run(monkeypatch):
    import dask.distributed

    import grognard.dask

    page = (ROOT / "docs/many-machines.md").read_text(encoding="utf-8")
    (program,) = programs(page)
    with dask.distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster:
        client = dask.distributed.Client(cluster)
        addresses = []
        monkeypatch.setattr("dask.distributed.Client", lambda *address: addresses.append(address) or client)
        scope = {}
        exec(smaller(program, {"1_000_000": "20", "640": "4", "100_000": "20"}), scope)
        assert scope["sweep"].runs == 20 and len(scope["sweep"].cells) == 36 * 9 and scope["worth"]["rules"]
        exec(smaller(indented(grognard.dask.__doc__), {"1_000_000": "20", "cells=[18]": "cells=[18], runs=20"}), scope)
        assert scope["answer"].runs == 20 and addresses == [("tcp://head:8786",), ()]
        client.close()
