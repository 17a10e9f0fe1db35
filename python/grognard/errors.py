"""What can go wrong, with its places."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grognard._native import Answer


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: what is wrong, where, and what would be right. Printed, it is a line: `file:line:column: message; help`."""

    message: str
    """What is wrong."""
    help: str | None = None
    """What would be right."""
    file: str | None = None
    """The file, or where else the text comes from: `set` for values that were set."""
    line: int | None = None
    """The line, from 1."""
    column: int | None = None
    """The column in characters, from 1."""
    path: str | None = None
    """The path of the value in its document."""
    notes: tuple[str, ...] = ()
    """Further remarks."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file is not None and self.line is not None else ""
        return place + self.message + (f"; {self.help}" if self.help else "")


class Error(Exception):
    """Why something was not done. All exceptions of this package are such errors, except for those of wrong types (`TypeError`)."""

    @property
    def message(self) -> str:
        """What is wrong, where, and what to write instead."""
        return str(self.args[0])

    @property
    def file(self) -> str | None:
        """The file in which the first fault stands, or where else its text comes from; None for an error without a place."""
        return None

    @property
    def line(self) -> int | None:
        """The line of the first fault, from 1."""
        return None

    @property
    def column(self) -> int | None:
        """The column of the first fault in characters, from 1."""
        return None

    def __str__(self) -> str:
        return self.message


class FaultError(Error, ValueError):
    """A study, its pack or a value that was set is wrong. `faults` has everything that is wrong, each with its place."""

    def __init__(self, message: str, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(message, faults)
        self.faults: tuple[Fault, ...] = tuple(faults)
        """The faults by file and place; those that stand nowhere first."""

    def _placed(self) -> Fault | None:
        return next((fault for fault in self.faults if fault.line is not None), None)

    @property
    def file(self) -> str | None:
        fault = self._placed()
        return fault.file if fault else None

    @property
    def line(self) -> int | None:
        fault = self._placed()
        return fault.line if fault else None

    @property
    def column(self) -> int | None:
        fault = self._placed()
        return fault.column if fault else None


class SettingError(Error, ValueError):
    """A setting has no meaning, such as a negative number of battles."""


class UnknownError(Error, LookupError):
    """A name that nothing has, or a cell that the study does not have."""


class ExactError(Error, RuntimeError):
    """Odds could not be worked out within the limits; the message says how far the work had come."""

    def __init__(self, message: str, solved: "Answer | None" = None) -> None:
        super().__init__(message, solved)
        self.solved: Answer | None = solved
        """The odds of the cells that were worked out; None if there are none. If the limit was one of states or memory, these are the
        cells before the one that the message names."""


class MergeError(Error, ValueError):
    """Answers cannot be added: they are of different series of battles, or battles are there twice or missing."""


class LeftError(Error, RuntimeError):
    """A question has no answer yet, because battles that it needs were left to other processes: see `Ledger`."""


class LedgerError(Error, ValueError):
    """A ledger belongs to another question, study, pack or seed; or its news were damaged."""


class SpreadError(Error, RuntimeError):
    """A worker of a cluster failed, or the cluster did. The message names the shard or part and the error, which is the cause of this one.
    What was finished is kept: the same call on the same `grognard.dask.Spread` goes on from there."""


class BytesError(Error, ValueError):
    """Bytes are no answer: another version wrote them, or they were damaged."""
