"""Battles and numbers are identical to the command's, to the last bit."""

import json
import random

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import grognard as g
from conftest import manifest


def frame(table):
    return pl.DataFrame(table)


def parquet(folder, table):
    # A table may be a folder of parts. Texts are plain strings in the files and in the package.
    path = folder / "data" / table
    return pl.concat([pl.read_parquet(part) for part in sorted(path.glob("*.parquet"))]) if path.is_dir() else pl.read_parquet(
        f"{path}.parquet"
    )


def test_a_run_is_that_of_the_command(written):
    folder = written("run", "run", "square-vs-line", "--runs", 300, "--seed", 1815, "--keep", "all", "--set", "turns=6")
    answer = g.Study.load("square-vs-line").set("turns", 6).run(runs=300, seed=1815, keep="all")
    known = manifest(folder)
    assert answer.digest == known["progress"]["digest"]
    assert (answer.runs, answer.seed, answer.stopped) == (300, 1815, False)
    assert answer.sides == tuple(known["sides"]) == ("attacker", "defender")
    assert (answer.study, answer.pack) == ("square-vs-line", "napoleonic-figures")
    for name in ("cells", "summary", "battles", "battle_sides"):
        own, theirs = frame(getattr(answer, name)), parquet(folder, name)
        keys = [key for key in ("cell", "battle", "side", "metric", "kind") if key in own.columns]
        assert_frame_equal(own.sort(keys), theirs.sort(keys), check_exact=True)


def test_luck_and_other_settings_are_those_of_the_command(written):
    flags = ["--runs", 200, "--seed", 7, "--luck", "--level", "0.9", "--intervals", "wilson", "--keep", "none"]
    folder = written("luck", "run", "risk-dice", *flags)
    answer = g.Study.load("risk-dice").run(200, seed=7, luck=True, level=0.9, intervals="wilson", keep="none")
    assert answer.digest == manifest(folder)["progress"]["digest"]
    assert_frame_equal(frame(answer.summary), parquet(folder, "summary"), check_exact=True)
    assert len(answer.battles) == 0 and frame(answer.battles).is_empty()


def test_the_luck_of_battles_is_that_of_the_command(written):
    folder = written("lucky", "run", "risk-dice", "--runs", 200, "--seed", 7, "--luck", "--keep", "all")
    study = g.Study.load("risk-dice")
    answer = study.run(200, seed=7, luck=True, keep="all")
    assert answer.battles.columns[-2:] == ["attacker_luck", "defender_luck"] and answer.battle_sides.columns[-1] == "luck"
    # Luck is serialised and merged with the answer.
    again = g.merge([g.Answer.from_bytes(answer.to_bytes())])
    for name in ("battles", "battle_sides"):
        keys = [key for key in ("cell", "battle", "side") if key in getattr(answer, name).columns]
        theirs = parquet(folder, name).sort(keys)
        for own in (answer, again):
            assert_frame_equal(frame(getattr(own, name)).sort(keys), theirs, check_exact=True)
    assert "attacker_luck" not in study.run(200, keep="all").battles.columns


def test_exact_odds_are_those_of_the_command(written):
    folder = written("odds", "exact", "risk-dice")
    odds = g.Study.load("risk-dice").exact(max_time=60)
    for name in ("odds", "means", "ends", "work", "summary", "cells"):
        assert_frame_equal(frame(getattr(odds, name)), parquet(folder, name), check_exact=True)
    one = g.Study.load("square-vs-line").exact(18)
    assert {row["cell"] for row in one.odds.to_dicts()} == {18}
    chances = frame(one.ends)["p"].sum()
    assert chances == pytest.approx(1.0, abs=1e-9)


def test_the_json_is_that_of_the_command(command):
    printed = json.loads(command("run", "risk-roll", "--runs", 500, "--json"))
    own = json.loads(g.Study.load("risk-roll").run(500).to_json())
    assert own["cells"] == printed["cells"]


def test_shards_add_up_to_one_run():
    study = g.Study.load("risk-roll")
    whole = study.run(20_000, seed=3, keep="all")
    shards = [study.run(20_000, seed=3, keep="all", shard=(number, 3)) for number in range(3)]
    random.Random(1).shuffle(shards)
    total = g.merge(shards)
    assert total.digest == whole.digest and total.runs == 20_000
    assert_frame_equal(frame(total.summary), frame(whole.summary), check_exact=True)
    assert_frame_equal(frame(total.battles), frame(whole.battles), check_exact=True)


def test_shares_over_cells_are_means_of_their_battles():
    study = g.Study.load("square-vs-line").set("approach", "front")
    answer = study.run(400, keep="all")
    shares = frame(answer.share("defender", by="formation"))
    assert shares.columns == ["defender_0_formation", "cells", "share", "low", "high", "level", "runs", "paired"]
    battles = frame(answer.battles).join(frame(answer.cells).select("cell", "defender_0_formation"), on="cell")
    wins = battles.group_by("defender_0_formation").agg((pl.col("winner") == "defender").mean().alias("mean"))
    both = shares.join(wins, on="defender_0_formation")
    assert both.height == 4
    assert both.select((pl.col("share") - pl.col("mean")).abs().max()).item() < 1e-12
    assert both.select(((pl.col("low") <= pl.col("share")) & (pl.col("share") <= pl.col("high"))).all()).item()
    assert shares["paired"].all() and (shares["cells"] == 3).all() and (shares["level"] == 0.95).all()
    # Without the battles, the interval is still valid, but wider.
    wider = frame(study.run(400, keep="none").share("defender", by=["defender.0.formation"]))
    assert not wider["paired"].any()
    assert ((wider["high"] - wider["low"]) > (shares["high"] - shares["low"])).all()
    # One row for everything, or one for each pair of values.
    assert len(answer.share("attacker")) == 1
    assert len(answer.share("attacker", by=["formation", "attacker_0_type"])) == 12


def test_contrasts_compare_battle_by_battle():
    answer = g.Study.load("square-vs-line").set("approach", "front").run(400, keep="all")
    gain = answer.contrast("defender", {"formation": "square"}, {"formation": "line"})
    shares = {row["defender_0_formation"]: row["share"] for row in answer.share("defender", by="formation").to_dicts()}
    assert gain.mean == pytest.approx(shares["square"] - shares["line"])
    assert gain.low <= gain.mean <= gain.high and gain.paired and gain.level == 0.95
    assert float(answer.estimate("defender.losses", 0)) >= 0.0


def test_varied_values_keep_their_types():
    study = g.Study.load("square-vs-line").vary("distance", range(4, 13, 4)).set("approach", "front")
    cells = frame(study.cells)
    assert cells.height == 36 and cells["distance"].to_list()[:3] == [4, 8, 12] and cells["distance"].dtype == pl.Int64
    answer = study.run(50)
    assert frame(answer.share("attacker", by="distance"))["distance"].to_list() == [4, 8, 12]


def test_a_pack_from_memory_decides():
    softer = g.Pack.from_files(
        {
            "pack.toml": 'pack = "softer-squares"\nextends = "napoleonic-figures"\n'
            '[[roll.shock.modifier]]\nid = "square-against-cavalry"\nadd = 3\n'
        }
    )
    # Beginners' cavalry charges squares.
    study = g.Study.load("square-vs-line").set("approach", "front").set("attacker.doctrine", "charge-home")
    answer, usual = study.with_pack(softer).run(500), study.run(500)
    assert answer.pack == softer.name == "softer-squares"
    assert softer.numbers["roll.shock.modifier.square-against-cavalry.add"] == 3
    of = {"attacker": lambda answer: answer.contrast("attacker", {"formation": "square"}, {"formation": "line"}).mean}
    assert of["attacker"](answer) > of["attacker"](usual)
