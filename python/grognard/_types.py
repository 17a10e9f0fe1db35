"""Types of function arguments."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import SupportsIndex, TypeAlias, Union

from grognard._progress import Progress

#: A value at a path. NumPy numbers and arrays are also accepted.
Value: TypeAlias = Union[bool, int, float, str, "Sequence[Value]", SupportsIndex]
#: Seconds, or a duration.
Time: TypeAlias = float | timedelta
#: How progress is reported: a function, True for a bar or a line, False for no reports.
Told: TypeAlias = Callable[[Progress], object] | bool | None
