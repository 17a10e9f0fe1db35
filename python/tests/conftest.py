"""Shared by several tests: the command, whose numbers the package must reproduce."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

COMMAND = shutil.which(os.environ.get("GROGNARD", "grognard"))


@pytest.fixture(scope="session")
def command(tmp_path_factory):
    """Runs the command with these arguments, and returns what it prints."""
    if COMMAND is None:
        pytest.skip("GROGNARD names no program")
    folder = tmp_path_factory.mktemp("command")

    def run(*arguments):
        ran = subprocess.run([COMMAND, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
        # A missed target (3) and an undecided question (4) are answers too.
        assert ran.returncode in (0, 3, 4), ran.stderr
        return ran.stdout

    run.folder = folder
    return run


@pytest.fixture(scope="session")
def written(command):
    """Runs the command into a results folder, and returns the folder."""

    def run(out, *arguments):
        command(*arguments, "--no-report", "--quiet", "--out", out)
        return command.folder / out

    return run


def manifest(folder):
    return json.loads((pathlib.Path(folder) / "manifest.json").read_text())
