"""A study is a SALib problem, and its samples give the same results as its battles."""

import pickle

import numpy as np
import pytest
from SALib.analyze import sobol as analysis
from SALib.sample import morris, sobol

import grognard as g
from grognard.salib import Problem

FIGURES = {"attacker.0.figures": range(1, 7), "defender.0.figures": range(1, 6)}
SQUARE = "roll.shock.modifier.square-against-cavalry.add"


@pytest.fixture(scope="module")
def charge():
    study = g.Study.load("square-vs-line").set("attacker.0.type", "heavy-cavalry").set("approach", "front")
    # Beginners' cavalry charges squares.
    study = study.set("attacker.doctrine", "charge-home").set("defender.doctrine", "stand")
    return study.set("defender.0.formation", "square")


def test_a_study_is_a_problem(charge):
    problem = Problem(g.Study.load("square-vs-line").vary("distance", [4, 8, 12]))
    assert problem == {
        "num_vars": 4,
        "names": ["defender.0.formation", "attacker.0.type", "approach", "distance"],
        "bounds": [[0, 4], [0, 3], [0, 3], [2, 14]],
    }
    assert problem.values_of["approach"] == ["front", "flank", "rear"]
    assert problem.values_at([2.9, 0, 3, 9.9]) == {
        "defender.0.formation": "square",
        "attacker.0.type": "heavy-cavalry",
        "approach": "rear",
        "distance": 8,
    }
    # Evenly spaced numbers lie in the middle of their shares; for others, the bounds are indices.
    assert Problem(charge, {"distance": [4.5, 5, 5.5]})["bounds"] == [[4.25, 5.75]]
    assert Problem(charge, {"distance": np.array([4, 5, 9])})["bounds"] == [[0, 3]]
    assert Problem(charge, {"distance": [9, 5]})["bounds"] == [[0, 2]]
    again = pickle.loads(pickle.dumps(problem))
    assert again == problem and again.values_of == problem.values_of


@pytest.mark.parametrize("points", [40, 4])
def test_points_come_to_what_their_battles_come_to(charge, points):
    problem = Problem(charge, {"distance": range(4, 17, 4), "attacker.0.figures": [4, 8], SQUARE: [9, 6, -1]})
    sample = np.random.default_rng(1).uniform(*np.transpose(problem["bounds"]), (points, 3))
    found = problem.evaluate(sample, "attacker", runs=40, seed=3)
    assert isinstance(found, np.ndarray) and found.shape == (points,) and len(set(found)) > 1
    for point, share in zip(sample, found):
        study = charge
        for path, value in problem.values_at(point).items():
            study = study.set(path, value)
        assert share == study.run(40, seed=3).estimate("attacker", 0).mean
    losses = problem.evaluate(sample.tolist(), "attacker.losses", runs=40, seed=3)
    assert losses.max() > 1


def test_points_that_fill_no_grid_are_fought_by_themselves(charge, monkeypatch):
    monkeypatch.setattr("grognard.salib._CELLS", 3)
    problem = Problem(charge, {"distance": range(4, 17, 4), "attacker.0.figures": [4, 8]})
    sample = [[low, figures] for low in (2, 9, 12) for figures in (3, 7)]
    scattered = problem.evaluate(sample, "attacker.losses", runs=40)
    monkeypatch.undo()
    assert list(scattered) == list(problem.evaluate(sample, "attacker.losses", runs=40))


def test_indices_are_those_of_the_whole_grid():
    # By definition, from the exact odds of all 30 cells: the variance of the means given one number, divided by the total variance.
    study = g.Study.load("risk-dice")
    for path, values in FIGURES.items():
        study = study.vary(path, values)
    odds = study.exact()
    share = np.array([odds.estimate("attacker", cell).mean for cell in range(30)]).reshape(6, 5)
    first = np.array([share.mean(axis=1).var(), share.mean(axis=0).var()]) / share.var()
    total = 1 - first[::-1]
    problem = Problem(g.Study.load("risk-dice"), FIGURES)
    sample = sobol.sample(problem, 4_096, calc_second_order=False, seed=1815)
    found = analysis.analyze(problem, problem.evaluate(sample, "attacker", exact=True), calc_second_order=False, seed=1815)
    assert found["S1"] == pytest.approx(first, abs=0.02) and found["ST"] == pytest.approx(total, abs=0.02)
    # Other sampling methods need only the problem, too.
    trajectories = morris.sample(problem, 5, seed=1815)
    assert problem.evaluate(trajectories, "attacker", exact=True).shape == (15,)


def test_problems_that_are_none(charge):
    square = g.Study.load("square-vs-line")
    for study, values, words in [
        (charge, None, "the study varies nothing: list the values of some paths"),
        (charge, {}, "the study varies nothing"),
        (square, {"distance": [4, 8]}, "also varies defender.0.formation, attacker.0.type, approach: set a value for each"),
        (charge, {"distance": [4]}, "`distance` has too few values (1); give two or more"),
        (charge, {"distance": [0, 4, 0]}, "`distance` has the value 0 twice"),
    ]:
        with pytest.raises(g.SettingError) as caught:
            Problem(study, values)
        assert words in str(caught.value)
    with pytest.raises(g.FaultError, match="did you mean `distance`"):
        Problem(charge, {"distence": [4, 8]})
    with pytest.raises(g.FaultError, match="cannot have 10 figures"):
        Problem(charge, {"distance": [4, 8], "attacker.0.figures": [8, 10]})
    with pytest.raises(TypeError, match="`distance` is int; give a list or a range"):
        Problem(charge, {"distance": 4})
    with pytest.raises(TypeError, match="`values` is list; give a dict"):
        Problem(charge, ["distance"])


def test_samples_that_are_none(charge):
    problem = Problem(charge, {"distance": range(4, 17, 4), "attacker.0.figures": [4, 8]})
    for sample, words in [
        ([[4, 4], [4]], "point 1 has 1 numbers, but the problem has 2"),
        ([[4, 4], [1, 4]], "`distance` of point 1 is 1, but its bounds are 2 and 18"),
        (np.array([[4, np.nan]]), "`attacker.0.figures` of point 0 is nan"),
    ]:
        with pytest.raises(g.SettingError) as caught:
            problem.evaluate(sample, "attacker")
        assert words in str(caught.value)
    with pytest.raises(TypeError, match="item 0 is float; give a list of points"):
        problem.evaluate(np.array([4.0, 4.0]), "attacker")
    with pytest.raises(TypeError, match="`distance` of point 0 is str; give a number"):
        problem.evaluate([["far", 4]], "attacker")
    with pytest.raises(g.UnknownError, match="did you mean `attacker`"):
        problem.evaluate([[4, 4]], "atacker", runs=10)
    assert len(problem.evaluate([], "attacker")) == 0
