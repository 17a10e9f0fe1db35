"""Progress of work, and its display."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of work. It prints as a line such as `120,000 of 360,000 battles`."""

    done: int | None
    """The number of battles fought, in all cells together; None while odds are being computed."""
    of: int | None
    """The maximum number of battles; None if that depends on the results."""
    text: str
    """The same in words."""

    def __str__(self) -> str:
        return self.text


class Teller(Protocol):
    """A receiver of progress reports."""

    def __call__(self, done: int | None, of: int | None, text: str) -> None: ...

    def close(self) -> None: ...


#: Seconds of work before anything is shown: short work needs no bar.
PATIENCE = 0.5


class _Silent:
    def __call__(self, done: int | None, of: int | None, text: str) -> None:
        pass

    def close(self) -> None:
        pass


class _Calls(_Silent):
    def __init__(self, function: Callable[[Progress], object]) -> None:
        self._function = function

    def __call__(self, done: int | None, of: int | None, text: str) -> None:
        self._function(Progress(done, of, text))


class _Line(_Silent):
    """A line on standard error that is overwritten again and again."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._width = 0

    def __call__(self, done: int | None, of: int | None, text: str) -> None:
        if time.monotonic() - self._since >= PATIENCE:
            sys.stderr.write("\r" + text.ljust(self._width))
            sys.stderr.flush()
            self._width = max(self._width, len(text))

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


class _Bar(_Silent):
    """A bar below a notebook cell, which disappears when the work is done."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._shown: Any = None

    def __call__(self, done: int | None, of: int | None, text: str) -> None:
        if time.monotonic() - self._since < PATIENCE:
            return
        bar = f'<progress value="{done}" max="{of}"></progress> ' if done is not None and of else ""
        self._show(f"{bar}{escape(text)}")

    def _show(self, html: str) -> None:
        display = import_module("IPython.display")
        if self._shown is None:
            self._shown = display.display(display.HTML(html), display_id=True)
        else:
            self._shown.update(display.HTML(html))

    def close(self) -> None:
        if self._shown is not None:
            self._show("")


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return type(shell).__name__ == "ZMQInteractiveShell"


def teller(progress: Callable[[Progress], object] | bool | None) -> Teller:
    """The receiver of progress reports: the function given, a bar in a notebook, elsewhere a line if requested, or nothing."""
    if callable(progress):
        return _Calls(progress)
    if progress not in (None, True, False):
        raise TypeError(f"`progress` is {type(progress).__name__}; give a function, True or False")
    if progress is False:
        return _Silent()
    if _in_notebook():
        return _Bar()
    return _Line() if progress else _Silent()
