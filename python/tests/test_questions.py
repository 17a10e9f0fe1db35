"""Questions have the answers of the command."""

import json

import pytest

import grognard as g
from test_dask import DUEL, HORSE


@pytest.mark.parametrize(
    ("name", "asked", "settings", "flags"),
    [
        ("tune", ["unit.plain.figures"], {"runs": 20_000, "pips": 2}, ["--number", "unit.plain.figures", "--pips", "2"]),
        ("ablate", "a score", {"runs": 500}, ["--metric", "a score"]),
        ("train", "horse", {"runs": 500, "steps": 3}, ["--side", "horse", "--steps", "3"]),
    ],
)
def test_answers_are_those_of_the_command(command, name, asked, settings, flags):
    study = g.Study.from_text(HORSE if name == "train" else DUEL)
    file = command.folder / f"{name}.toml"
    file.write_text(study.text)
    printed = json.loads(command(name, file, *flags, "--runs", settings["runs"], "--json", "--quiet"))
    own = getattr(study, name)(asked, **settings)
    if name == "train":
        # The command says above the doctrine what it gains.
        printed["doctrine"], own["doctrine"] = (text[text.index("[doctrine") :] for text in (printed["doctrine"], own["doctrine"]))
    assert own == {key: value for key, value in printed.items() if key in own}
    # Sentences are the command's.
    assert set(printed) - set(own) <= {"guarantee", "command"}
