"""The types of what functions take."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import SupportsIndex, TypeAlias, Union

from grognard._progress import Progress

#: A value at a path. NumPy's numbers and arrays are values too.
Value: TypeAlias = Union[bool, int, float, str, "Sequence[Value]", SupportsIndex]
#: Seconds, or a duration.
Time: TypeAlias = float | timedelta
#: Who is told of progress: a function, True for a bar or a line, False for nobody.
Told: TypeAlias = Callable[[Progress], object] | bool | None
