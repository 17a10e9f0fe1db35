"""Every mistake raises an exception that says what is wrong and where."""

import pickle

import numpy as np
import pytest

import grognard as g


@pytest.fixture
def study():
    return g.Study.load("square-vs-line")


def test_faults_have_places(study):
    with pytest.raises(g.FaultError) as caught:
        study.set("distence", 8)
    error = caught.value
    assert (error.file, error.line, error.column) == ("set", 1, 1)
    assert str(error.faults[0]) == "set:1:1: there is no path `distence`; did you mean `distance`?"
    assert "there is no path `distence`" in error.message and isinstance(error, ValueError)
    with pytest.raises(g.FaultError) as caught:
        g.Study.from_text("study = 'duel'\nturns = 'six'\nseed = -1\n")
    assert [fault.line for fault in caught.value.faults] == [2, 3]
    assert caught.value.file == "study.toml" and "--> study.toml:2:9" in str(caught.value)
    with pytest.raises(g.FaultError) as caught:
        g.Pack.from_files({"pack.toml": "pack = 'mine'\nextends = 'risk'\nnonsense = 1\n"})
    assert (caught.value.file, caught.value.line) == ("pack.toml", 3)
    with pytest.raises(g.FaultError, match="did you mean `square-vs-line`"):
        g.Study.load("square-vs-lines")


def test_errors_survive_pickling(study):
    with pytest.raises(g.FaultError) as caught:
        study.set("distence", 8)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is g.FaultError and again.faults == caught.value.faults and str(again) == str(caught.value)
    assert str(pickle.loads(pickle.dumps(g.MergeError("no")))) == "no"


def test_wrong_types_are_type_errors(study):
    for wrong in ({"a": 1}, None, object(), {1, 2}):
        with pytest.raises(TypeError, match="`distance`: .* is not a value; give a number"):
            study.set("distance", wrong)
    with pytest.raises(TypeError, match="give a list or a range"):
        study.vary("distance", 8)
    with pytest.raises(TypeError, match="give a list or a range"):
        study.vary("approach", "front")
    for wrong in ("many", 1.5, True):
        with pytest.raises(TypeError, match="`runs` is .*; give a whole number"):
            study.run(runs=wrong)
    with pytest.raises(TypeError, match="`shard` is int; give a pair"):
        study.run(100, shard=3)
    with pytest.raises(TypeError, match="`shard` is tuple; give a pair"):
        study.run(100, shard=(1, 2, 3))
    with pytest.raises(TypeError, match="`max_time` is str"):
        study.run(100, max_time="long")
    with pytest.raises(TypeError, match="`progress` is int"):
        study.run(100, progress=3)
    with pytest.raises(TypeError):
        g.Study()


def test_type_errors_name_the_argument(study):
    answer, ledger = study.run(10, progress=False), g.Ledger()
    for name, wrong, ask in [
        ("name", "int", lambda: g.Study.load(3)),
        ("text", "int", lambda: g.Study.from_text(3)),
        ("folder", "int", lambda: g.Study.from_text("", 3)),
        ("path", "int", lambda: study.set(3, 4)),
        ("path", "int", lambda: study.vary(3, [4])),
        ("pack", "str", lambda: study.with_pack("risk")),
        ("name", "int", lambda: g.Pack.load(3)),
        ("files", "int", lambda: g.Pack.from_files(3)),
        ("files", "int", lambda: g.Pack.from_files({3: "a"})),
        ('files["a"]', "int", lambda: g.Pack.from_files({"a": 3})),
        ("precision", "str", lambda: study.run(precision="narrow")),
        ("level", "str", lambda: study.run(level="high")),
        ("intervals", "int", lambda: study.run(intervals=3)),
        ("together", "str", lambda: study.run(together="yes")),
        ("luck", "str", lambda: study.run(luck="yes")),
        ("prune", "str", lambda: study.exact(prune="some")),
        ("number", "int", lambda: study.find(3)),
        ("where", "int", lambda: study.find("distance", 3)),
        ("exact", "str", lambda: study.find("distance", exact="yes")),
        ("rows", "str", lambda: study.matchups(rows="approach")),
        ("columns", "list", lambda: study.matchups(columns=[3])),
        ("numbers", "str", lambda: study.tune("distance")),
        ("metric", "int", lambda: study.ablate(3)),
        ("pairs", "str", lambda: study.ablate("draw", pairs="no")),
        ("side", "int", lambda: study.train(3)),
        ("metric", "int", lambda: study.train("attacker", metric=3)),
        ("ledger", "str", lambda: study.train("attacker", ledger="ledger")),
        ("side", "int", lambda: answer.share(3)),
        ("cells", "str", lambda: answer.contrast("attacker", "square", {})),
        ("others", "str", lambda: answer.contrast("attacker", {}, "square")),
        ("name", "int", lambda: answer.estimate(3, 0)),
        ("data", "str", lambda: g.Answer.from_bytes("bytes")),
        ("series", "int", lambda: ledger.part(3)),
        ("news", "int", lambda: ledger.add(3)),
        ("answers", "int", lambda: g.merge(3)),
    ]:
        with pytest.raises(TypeError) as caught:
            ask()
        assert str(caught.value).startswith(f"`{name}` is {wrong}; "), str(caught.value)


def test_settings_without_a_meaning(study):
    for settings, words in [
        ({"runs": -1}, "`runs` is -1"),
        ({"runs": 0}, "0 battles cannot be fought"),
        ({"runs": 10**30}, "give a whole number of 0 or more"),
        ({"seed": 2**63}, "too large for a seed"),
        ({"shard": (8, 8)}, "there is no shard 8 of 8: shards are numbered 0 to 7"),
        ({"shard": (0, 0)}, "there is no shard 0 of 0"),
        ({"shard": (-1, 8)}, "`shard` is -1"),
        ({"keep": "some"}, '`keep` is "some"'),
        ({"level": 1.5}, "`level` is 1.5"),
        ({"precision": float("nan")}, "NaN is not a valid precision"),
        ({"intervals": "narrow"}, '`intervals` is "narrow"'),
        ({"threads": 5_000}, "5000 threads are too many"),
        ({"max_time": -1}, "`max_time` is -1"),
        ({"max_time": float("nan")}, "`max_time` is NaN"),
    ]:
        with pytest.raises(g.SettingError) as caught:
            study.run(**{"runs": 100, **settings})
        assert words in str(caught.value), settings
    with pytest.raises(g.SettingError, match="has no values to vary over"):
        study.vary("distance", [])
    with pytest.raises(g.SettingError, match="inf is not a valid value"):
        study.set("distance", float("inf"))
    with pytest.raises(g.SettingError, match="is too large"):
        study.set("distance", 10**30)


def test_names_that_nothing_has(study):
    answer = study.run(100)
    with pytest.raises(g.UnknownError, match="did you mean `defender`"):
        answer.share("defnder")
    with pytest.raises(g.UnknownError, match="the study varies defender.0.formation, attacker.0.type, approach"):
        answer.share("defender", by="speed")
    with pytest.raises(g.UnknownError, match="`formation` is never|is never circle"):
        answer.contrast("defender", {"formation": "circle"}, {"formation": "line"})
    with pytest.raises(g.UnknownError, match="did you mean `defender.losses`"):
        answer.estimate("defender.loses", 0)
    with pytest.raises(g.UnknownError, match="there is no cell 36: the study has 36"):
        study.replay(36)
    with pytest.raises(g.UnknownError, match="there is no cell 99"):
        study.exact([0, 99])
    both = g.Study.load("square-vs-line").vary("attacker.0.formation", ["line", "column"]).run(20)
    with pytest.raises(g.UnknownError, match="is ambiguous: write out one of"):
        both.share("attacker", by="formation")


def test_what_cannot_be_added(study):
    study = g.Study.load("risk-roll")
    first, second = (study.run(10_000, shard=(number, 2)) for number in range(2))
    with pytest.raises(g.MergeError, match="occur twice"):
        g.merge([first, second, first])
    with pytest.raises(g.MergeError):
        g.merge([second, g.Study.load("risk-dice").run(100)])
    with pytest.raises(g.MergeError):
        g.merge([first, study.run(10_000, seed=2, shard=(1, 2))])
    with pytest.raises(g.MergeError):
        g.merge([study.exact(), study.exact()])
    with pytest.raises(g.SettingError, match="nothing to merge"):
        g.merge([])
    with pytest.raises(TypeError, match="item 1 is str, not an Answer"):
        g.merge([first, "second"])


def test_a_shard_given_twice_is_named():
    study = g.Study.load("risk-roll")
    first, second = (study.run(10_000, shard=(number, 2)) for number in range(2))
    with pytest.raises(g.MergeError, match="battles 4096 to 9999 of result 2 occur twice"):
        g.merge([second, first, second])
    with pytest.raises(g.MergeError, match="battles 0 to 4095 of result 1 occur twice"):
        g.merge([first, first])


def test_results_of_different_packs_are_not_added():
    study = g.Study.load("risk-roll")

    def share(number, **pack):
        text = "".join(f"{key} = {value}\n" for key, value in pack.items())
        return study.with_pack(g.Pack.from_files({"pack.toml": text})).run(10_000, shard=(number, 2))

    first = share(0, pack='"mine"', extends='"risk"')
    with pytest.raises(g.MergeError, match="the pack is risk there and mine here"):
        g.merge([study.run(10_000, shard=(1, 2)), first])
    # Packs with the same name may still differ.
    with pytest.raises(g.MergeError, match="`unit.army.figures` of the pack is 9 there"):
        g.merge([first, share(1, pack='"mine"', extends='"risk"', **{"unit.army.figures": 9})])


def test_a_missing_shard_is_an_error_unless_a_part_is_asked_for():
    study = g.Study.load("risk-roll")
    shards = [study.run(20_000, shard=(number, 4)) for number in range(4)]
    for left, missing in (
        (shards[1:], "0 to 4095"),
        (shards[:3], "12288 to 19999"),
        (shards[::2], "4096 to 8191 and 12288 to 19999"),
    ):
        with pytest.raises(g.MergeError, match=f"battles {missing} of 20000 are missing"):
            g.merge(left)
    part = g.merge(shards[1:], partial=True)
    assert part.runs == 20_000 - 4_096 and part.stopped and "partial" in repr(part)
    # Battles in the middle must not be missing.
    with pytest.raises(g.MergeError, match="battles 4096 to 8191 of 20000 are missing"):
        g.merge(shards[::2], partial=True)
    whole = g.merge(shards, partial=True)
    assert whole == g.merge(shards) == g.merge([study.run(20_000)]) and "partial" not in repr(whole)


def test_limits_and_bytes(study):
    with pytest.raises(g.ExactError):
        study.exact(max_states=3)
    with pytest.raises(g.ExactError):
        study.exact(max_memory=1_000)
    risk = g.Study.load("risk-dice")
    with pytest.raises(g.ExactError, match="cell 28 ") as told:
        risk.exact(max_states=5)
    assert told.value.solved is not None and str(told.value.solved) == str(risk.exact(cells=range(28)))
    with pytest.raises(g.BytesError):
        g.Answer.from_bytes(b"something else")


def test_numbers_of_numpy_are_numbers(study):
    plain = study.set("turns", 6).vary("distance", [4, 8]).run(50, seed=1)
    numpy = study.set("turns", np.int64(6)).vary("distance", np.array([4, 8])).run(np.int64(50), seed=np.uint8(1))
    assert plain.digest == numpy.digest and plain.cells.to_dicts() == numpy.cells.to_dicts()
