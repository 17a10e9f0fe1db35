"""The package as a whole: what it names, what it says about itself, and the page about it."""

import inspect
import pathlib
import re

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


@pytest.mark.skipif(not (ROOT / "docs/python.md").exists(), reason="not in the repository")
def test_the_programs_of_the_page_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    scope: dict[str, object] = {}
    for program in programs:
        exec(compile(program, "docs/python.md", "exec"), scope)
    assert len(programs) >= 5
