"""Exceptions, with the locations of faults."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grognard._native import Answer


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: what is wrong, where, and what to write instead. It prints as one line: `file:line:column: message; help`."""

    message: str
    """What is wrong."""
    help: str | None = None
    """What to write instead."""
    file: str | None = None
    """The file or other source of the text; `set` for values that were set."""
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
    """The base class of all exceptions of this package, except for wrong types (`TypeError`)."""

    @property
    def message(self) -> str:
        """What is wrong, where, and what to write instead."""
        return str(self.args[0])

    @property
    def file(self) -> str | None:
        """The file or other source of the first fault; None for an error without a location."""
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
    """A study, its pack or a value that was set is wrong. `faults` lists everything that is wrong, with locations."""

    def __init__(self, message: str, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(message, faults)
        self.faults: tuple[Fault, ...] = tuple(faults)
        """The faults by file and location; those without a location first."""

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
    """A setting is invalid, such as a negative number of battles."""


class UnknownError(Error, LookupError):
    """An unknown name, or a cell that the study does not have."""


class ExactError(Error, RuntimeError):
    """Odds could not be computed within the limits; the message says how far the work got."""

    def __init__(self, message: str, solved: "Answer | None" = None) -> None:
        super().__init__(message, solved)
        self.solved: Answer | None = solved
        """The odds of the cells that were solved; None if there are none. If the limit was on states or memory, these are the cells
        before the one named in the message."""


class MergeError(Error, ValueError):
    """Answers cannot be added: they belong to different series of battles, or battles are missing or occur twice."""


class LeftError(Error, RuntimeError):
    """A question has no answer yet, because battles that it needs were left to other processes: see `Ledger`."""


class LedgerError(Error, ValueError):
    """A ledger belongs to another question, study, pack or seed, or its news is damaged."""


class SpreadError(Error, RuntimeError):
    """A worker of a cluster failed, or the cluster itself did. The message names the shard or part and the error, which is the cause of
    this one. Finished work is kept: the same call on the same `grognard.dask.Spread` resumes from there."""


class BytesError(Error, ValueError):
    """The bytes are not an answer: another version wrote them, or they are damaged."""
