"""Questions have the same answers as the command."""

import json

import pytest

import grognard as g
from test_dask import DUEL, HORSE

FIGURES = "unit.plain.figures"
MOST = "a wins = 60 %"
SWAPPED = {"rows": ["defender.0.figures"], "columns": ["attacker.0.figures"]}
SWAPPED_FLAGS = [word for name, paths in SWAPPED.items() for word in (f"--{name}", *paths)]
SQUARES = g.Study.load("square-vs-line").text
ROLL = g.Study.load("risk-roll").text
ARMIES = g.Study.load("hex-armies").text


@pytest.mark.parametrize(
    ("text", "name", "asked", "settings", "flags"),
    [
        (DUEL, "find", [FIGURES, MOST], {"runs": 2_000, "precision": 0.1}, ["--number", FIGURES, "--where", MOST, "--precision", "0.1"]),
        (DUEL, "find", [FIGURES], {"cells": 0, "exact": True}, ["--number", FIGURES, "--cell", "0", "--exact"]),
        (DUEL, "judge", [], {"runs": 2_000}, []),
        (DUEL, "judge", [], {"exact": True}, ["--exact"]),
        (DUEL, "tune", [[FIGURES]], {"runs": 20_000, "pips": 2}, ["--number", FIGURES, "--pips", "2"]),
        (DUEL, "ablate", ["a score"], {"runs": 500}, ["--metric", "a score"]),
        (SQUARES, "matchups", [], {"runs": 200, "precision": 0.1}, ["--precision", "0.1"]),
        (ROLL, "matchups", [], {**SWAPPED, "exact": True}, [*SWAPPED_FLAGS, "--exact"]),
        (ROLL, "matchups", [], {"cells": [0, 1], "runs": 200}, ["--cell", "0,1"]),
        (ARMIES, "points", [100], {"runs": 16}, ["--armies", "100"]),
        (HORSE, "train", ["horse"], {"runs": 500, "steps": 3}, ["--side", "horse", "--steps", "3"]),
    ],
)
def test_answers_are_those_of_the_command(command, text, name, asked, settings, flags):
    study = g.Study.from_text(text)
    file = command.folder / f"{name}.toml"
    file.write_text(study.text)
    if "runs" in settings:
        flags = [*flags, "--runs", settings["runs"]]
    printed = json.loads(command(name, file, *flags, "--json", "--quiet"))
    own = getattr(study, name)(*asked, **settings)
    if name == "train":
        # Above the doctrine, the command also prints a comment on its gain.
        printed["doctrine"], own["doctrine"] = (text[text.index("[doctrine") :] for text in (printed["doctrine"], own["doctrine"]))
    assert own == {key: value for key, value in printed.items() if key in own}
    # Only the command has sentences.
    assert set(printed) - set(own) <= {"guarantee", "command"}


def test_questions_without_an_answer_say_why():
    duel, square = g.Study.load("refduel"), g.Study.load("square-vs-line")
    for ask in (lambda: duel.find(FIGURES, exact=True, runs=500), lambda: g.Study.from_text(DUEL).judge(exact=True, runs=500)):
        with pytest.raises(g.SettingError, match="`runs` has no meaning with `exact`"):
            ask()
    with pytest.raises(g.SettingError, match="`precision` has no meaning with `exact`"):
        square.matchups(exact=True, precision=0.01)
    with pytest.raises(g.FaultError, match="has no targets"):
        duel.judge()
    with pytest.raises(g.FaultError, match="unit.plain.figures"):
        duel.find("unit.plain.figurs")
    with pytest.raises(g.UnknownError, match="there is no cell 9"):
        duel.find(FIGURES, cells=9)
    with pytest.raises(g.Error):
        duel.matchups()
    with pytest.raises(g.Error):
        g.Study.load("hex-armies").points(1)
    with pytest.raises(TypeError, match="`armies` is str; give a whole number"):
        g.Study.load("hex-armies").points("many")
