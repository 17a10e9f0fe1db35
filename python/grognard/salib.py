"""A study as a SALib `problem`; one call fights a whole sample.

    from SALib.analyze import sobol as analysis
    from SALib.sample import sobol
    import grognard as g
    from grognard.salib import Problem

    problem = Problem(g.Study.load("risk-dice"))
    sample = sobol.sample(problem, 256, seed=1815)
    indices = analysis.analyze(problem, problem.evaluate(sample, "attacker", runs=1_000), seed=1815)

SALib itself is not imported. NumPy is used only if it is already imported.
"""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from grognard.errors import SettingError

if TYPE_CHECKING:
    from grognard._native import Answer, Study
    from grognard._types import Value

#: The maximum number of cells in a study here. A study may have no more than 10,000.
_CELLS = 4_096
#: Points of a sample, as the indices of their values.
_Points = Iterable[tuple[int, ...]]


class Problem(dict[str, Any]):
    """The SALib problem for a study: a dict with `num_vars`, `names` and `bounds`.

    `values` has the values of each path in the sample, all equally likely: a list or a range, as for `Study.vary`. By default these
    are the paths that the study varies, with their values. Any other path that the study varies must be set first.

    SALib draws real numbers, but most numbers in rules are integers. So the bounds of each path are divided evenly among its values.
    Evenly spaced numbers lie in the middle of their shares; for other values, the bounds are their indices, from 0.
    """

    def __init__(self, study: "Study", values: "Mapping[str, Iterable[Value]] | None" = None) -> None:
        self.study: Study = study
        """The study."""
        varied = _varied(study.cells)
        if values is None:
            values = varied
        elif not isinstance(values, Mapping):
            raise TypeError(f"`values` is {type(values).__name__}; give a dict of lists or ranges by path")
        elif others := [path for path in varied if path not in values]:
            raise SettingError(f"the study also varies {', '.join(others)}: set a value for each, or list its values")
        self.values_of: dict[str, list[Any]] = {path: _listed(path, several) for path, several in values.items()}
        """The values of each path."""
        if not self.values_of:
            raise SettingError("the study varies nothing: list the values of some paths, such as {'distance': range(4, 17)}")
        bounds = [_bounds(several) for several in self.values_of.values()]
        super().__init__(num_vars=len(bounds), names=list(self.values_of), bounds=bounds)
        # Raise errors in paths and values now, not in the middle of a sample.
        for path, several in self.values_of.items():
            study = study.set(path, several[0])
        for path, several in self.values_of.items():
            study.vary(path, several).check()

    def values_at(self, point: Sequence[float]) -> dict[str, Any]:
        """The values of a point of a sample, by path."""
        (places,) = self._places([point])
        return {path: several[place] for (path, several), place in zip(self.values_of.items(), places)}

    def evaluate(
        self,
        sample: Iterable[Sequence[float]],
        metric: str,
        *,
        exact: bool = False,
        **settings: Any,
    ) -> Any:
        """The value of a metric at each point of a sample, in order: a NumPy array, or a list if NumPy is not imported.

        `metric` is the name of a number, as for `Answer.estimate`: a side's name for the share that it wins, `draw`, `turns`, or a
        metric of a side such as `defender.losses`. Battle i has the same dice at every point, so points differ only by their values.
        Points with the same values are fought once. `settings` are those of `Study.run`: `runs` battles are fought at each point. With
        `exact`, the odds are computed instead, and `settings` are those of `Study.exact`.
        """
        places = self._places(sample)
        if not exact:
            settings = {"keep": "none", **settings}
        found: dict[tuple[int, ...], float] = {}
        for grid in _grids(sorted(set(places))):
            study = self.study
            for (path, several), some in zip(self.values_of.items(), grid):
                study = study.vary(path, [several[place] for place in some]) if len(some) > 1 else study.set(path, several[some[0]])
            answer = study.exact(**settings) if exact else study.run(**settings)
            found.update(self._found(answer, grid, metric))
        return _array([found[point] for point in places])

    def _places(self, sample: Iterable[Sequence[float]]) -> list[tuple[int, ...]]:
        """The index of each value of each point, among the values of its path."""
        places = []
        for number, row in enumerate(map(_plain, _plain(sample))):
            if not isinstance(row, Sequence) or isinstance(row, str):
                raise TypeError(f"`sample`: item {number} is {type(row).__name__}; give a list of points, or a NumPy table")
            if len(row) != self["num_vars"]:
                raise SettingError(f"`sample`: point {number} has {len(row)} numbers, but the problem has {self['num_vars']}")
            known = zip(map(_plain, row), self.values_of.items(), self["bounds"])
            places.append(tuple(self._place(number, *one) for one in known))
        return places

    def _place(self, point: int, number: float, known: tuple[str, list[Any]], bounds: Sequence[float]) -> int:
        (path, several), (low, high) = known, bounds
        if not isinstance(number, (int, float)):
            raise TypeError(f"`sample`: `{path}` of point {point} is {type(number).__name__}; give a number")
        if not low <= number <= high:
            raise SettingError(f"`sample`: `{path}` of point {point} is {number}, but its bounds are {low:g} and {high:g}")
        return min(int((number - low) / (high - low) * len(several)), len(several) - 1)

    def _found(self, answer: "Answer", grid: Sequence[Sequence[int]], metric: str) -> dict[tuple[int, ...], float]:
        """The metric at each point of a grid that was fought."""
        varied = {path: (at, some) for at, (path, some) in enumerate(zip(self.values_of, grid)) if len(some) > 1}
        cells = answer.cells.to_dicts()
        # Cells have values as the study writes them, in the order given.
        columns = [(column, *varied[path]) for column, path in _columns(answer.cells).items() if path in varied]
        orders = [list(dict.fromkeys(cell[column] for cell in cells)) for column, _, _ in columns]
        found = {}
        for cell in cells:
            point = [some[0] for some in grid]
            for (column, at, some), order in zip(columns, orders):
                point[at] = some[order.index(cell[column])]
            found[tuple(point)] = answer.estimate(metric, cell["cell"]).mean
        return found


def _columns(cells: Any) -> dict[str, str]:
    """The varied paths of a table of cells, by their columns."""
    columns: dict[str, str] = json.loads(cells.metadata.get("grognard.vary", "{}"))
    return columns


def _varied(cells: Any) -> dict[str, list[Any]]:
    """The varied paths of a study, with their values."""
    rows = cells.to_dicts()
    varied = {path: list(dict.fromkeys(row[column] for row in rows)) for column, path in _columns(cells).items()}
    return {path: several for path, several in varied.items() if len(several) > 1}


def _listed(path: str, several: Any) -> list[Any]:
    if isinstance(several, str) or not isinstance(several, Iterable):
        raise TypeError(f"`{path}` is {type(several).__name__}; give a list or a range of values")
    values = list(_plain(several))
    if len(values) < 2:
        raise SettingError(f"`{path}` has too few values ({len(values)}); give two or more, or set the value in the study")
    for at, value in enumerate(values):
        if value in values[:at]:
            raise SettingError(f"`{path}` has the value {value} twice")
    return values


def _bounds(values: Sequence[Any]) -> list[float]:
    """Bounds that give every value an equal share."""
    step = 0.0
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        step = (values[-1] - values[0]) / (len(values) - 1)
    if step > 0 and all(abs(value - values[0] - at * step) < 1e-9 for at, value in enumerate(values)):
        return [values[0] - step / 2, values[-1] + step / 2]
    return [0.0, float(len(values))]


def _grids(points: list[tuple[int, ...]]) -> Iterable[list[list[int]]]:
    """Grids that contain these points and few others."""
    if not points:
        return
    levels = [sorted(set(level)) for level in zip(*points)]
    cells = 1
    for level in levels:
        cells *= len(level)
    # An extra cell takes less time than an extra study.
    if cells <= min(4 * len(points), _CELLS):
        yield levels
        return
    widest = max(range(len(levels)), key=lambda at: len(levels[at]))
    for level in levels[widest]:
        yield from _grids([point for point in points if point[widest] == level])


def _plain(given: Any) -> Any:
    """NumPy arrays as lists, and NumPy numbers as Python numbers."""
    return given.tolist() if hasattr(given, "tolist") else given


def _array(numbers: list[float]) -> Any:
    numpy = sys.modules.get("numpy")
    return numbers if numpy is None else numpy.array(numbers)
