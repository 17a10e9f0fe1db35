"""Replays of single battles."""

import grognard as g


def test_events_are_those_of_the_command(command):
    told = command("replay", "square-vs-line", "--cell", 9, "--battle", 4)
    replay = g.Study.load("square-vs-line").replay(cell=9, battle=4)
    assert str(replay) in told and len(replay.lines) > 10
    charges = [event for event in replay.events if event["what"] == "charges"]
    assert charges and charges[0]["turn"] == 1 and charges[0]["side"] == "attacker"
    assert charges[0]["unit"].startswith("Heavy cavalry") and charges[0]["target"].startswith("Large light battalion")
    assert "7.12" in charges[0]["clauses"]
    assert sum((event["text"] for event in replay.events), []) == [line.strip() for line in replay.lines]
    first = replay.events[0]["changed"]
    assert {standing["formation"].lower() for standing in first} == {"line", "column"}
    assert all(set(event) == set(replay.events[0]) for event in replay.events)


def test_outcomes_are_those_of_battles():
    study = g.Study.load("square-vs-line")
    row = [row for row in study.run(5, keep="all").battles.to_dicts() if row["cell"] == 18][4]
    outcome = study.replay(cell=18, battle=4).outcome
    assert (outcome["winner"], outcome["turns"]) == (row["winner"], row["turns"])
    for side in ("attacker", "defender"):
        for metric in ("losses", "routed_units", "shaken_units", "rout_turn"):
            assert outcome["sides"][side][metric] == row[f"{side}_{metric}"]


def test_another_seed_is_another_battle():
    study = g.Study.load("square-vs-line")
    assert study.replay(18, 4, seed=1).lines != study.replay(18, 4, seed=2).lines


def test_a_notebook_draws_it(command):
    study = g.Study.load("square-vs-line")
    replay = study.replay(cell=18, battle=4)
    shown = replay.show()._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "&lt;svg" in shown and "</iframe>" in shown
    page = replay.page()
    assert page.startswith("<!DOCTYPE html>") and "square-vs-line, cell 18" in page and "Battle 4, seed 1815" in page
    assert replay._repr_html_().startswith("<pre>")
