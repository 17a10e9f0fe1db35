from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any, Literal, SupportsIndex, final

from grognard._types import Time, Told, Value
from grognard.replay import Replay

__all__ = [
    "Answer",
    "Estimate",
    "Ledger",
    "Pack",
    "Study",
    "Table",
    "__version__",
    "answer_of",
    "estimate_of",
    "ledger_of",
    "merge",
    "pack_of",
    "packs",
    "studies",
    "study_of",
]

__version__: str

@final
class Table:
    @property
    def columns(self) -> list[str]: ...
    @property
    def metadata(self) -> dict[str, str]: ...
    def to_dicts(self) -> list[dict[str, Any]]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def _repr_html_(self) -> str: ...

@final
class Estimate:
    @property
    def mean(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def level(self) -> float: ...
    @property
    def runs(self) -> int: ...
    @property
    def paired(self) -> bool: ...
    def __float__(self) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Pack:
    @staticmethod
    def load(name: str | PathLike[str]) -> Pack: ...
    @staticmethod
    def from_files(files: dict[str, str]) -> Pack: ...
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def files(self) -> dict[str, str]: ...
    @property
    def numbers(self) -> dict[str, float]: ...

@final
class Ledger:
    def __init__(self) -> None: ...
    def part(self, series: Sequence[str]) -> Ledger: ...
    @property
    def wanted(self) -> list[str]: ...
    @property
    def news(self) -> str: ...
    def add(self, news: str) -> None: ...
    def __len__(self) -> int: ...

@final
class Study:
    @staticmethod
    def load(name: str | PathLike[str]) -> Study: ...
    @staticmethod
    def from_text(text: str, folder: str | PathLike[str] | None = None) -> Study: ...
    def with_pack(self, pack: Pack) -> Study: ...
    def set(self, path: str, value: Value) -> Study: ...
    def vary(self, path: str, values: Iterable[Value]) -> Study: ...
    def check(self) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def sides(self) -> tuple[str, ...]: ...
    @property
    def cells(self) -> Table: ...
    def run(
        self,
        runs: SupportsIndex | None = None,
        *,
        seed: SupportsIndex | None = None,
        shard: tuple[int, int] | None = None,
        keep: Literal["all", "none"] | SupportsIndex | None = None,
        precision: float | None = None,
        level: float | None = None,
        intervals: Literal["exact", "wilson", "watched"] | None = None,
        together: bool = False,
        luck: bool = False,
        threads: SupportsIndex | None = None,
        max_time: Time | None = None,
        progress: Told = None,
    ) -> Answer: ...
    def exact(
        self,
        cells: SupportsIndex | Iterable[SupportsIndex] | None = None,
        *,
        max_time: Time | None = None,
        max_memory: SupportsIndex | None = None,
        max_states: SupportsIndex | None = None,
        prune: float | None = None,
        threads: SupportsIndex | None = None,
        progress: Told = None,
    ) -> Answer: ...
    def find(
        self,
        number: str,
        where: str = "even",
        *,
        cells: SupportsIndex | Iterable[SupportsIndex] | None = None,
        exact: bool = False,
        precision: float | None = None,
        runs: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
        level: float | None = None,
        threads: SupportsIndex | None = None,
        max_time: Time | None = None,
        progress: Told = None,
    ) -> dict[str, Any]: ...
    def judge(
        self,
        *,
        exact: bool = False,
        runs: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
        level: float | None = None,
        threads: SupportsIndex | None = None,
        max_time: Time | None = None,
        progress: Told = None,
    ) -> dict[str, Any]: ...
    def matchups(
        self,
        *,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        cells: SupportsIndex | Iterable[SupportsIndex] | None = None,
        exact: bool = False,
        precision: float | None = None,
        runs: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
        level: float | None = None,
        threads: SupportsIndex | None = None,
        max_time: Time | None = None,
        progress: Told = None,
    ) -> dict[str, Any]: ...
    def points(
        self,
        armies: SupportsIndex,
        *,
        cells: SupportsIndex | Iterable[SupportsIndex] | None = None,
        runs: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
        level: float | None = None,
        threads: SupportsIndex | None = None,
        max_time: Time | None = None,
        progress: Told = None,
    ) -> dict[str, Any]: ...
    def tune(
        self,
        numbers: Sequence[str],
        *,
        changes: SupportsIndex | None = None,
        pips: SupportsIndex | None = None,
        candidates: SupportsIndex | None = None,
        runs: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
        level: float | None = None,
        threads: SupportsIndex | None = None,
        max_time: Time | None = None,
        progress: Told = None,
        ledger: Ledger | None = None,
    ) -> dict[str, Any]: ...
    def ablate(
        self,
        metric: str,
        *,
        cells: SupportsIndex | Iterable[SupportsIndex] | None = None,
        pairs: bool = True,
        runs: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
        level: float | None = None,
        threads: SupportsIndex | None = None,
        max_time: Time | None = None,
        progress: Told = None,
        ledger: Ledger | None = None,
    ) -> dict[str, Any]: ...
    def train(
        self,
        side: str,
        *,
        metric: str | None = None,
        cells: SupportsIndex | Iterable[SupportsIndex] | None = None,
        steps: SupportsIndex | None = None,
        runs: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
        level: float | None = None,
        threads: SupportsIndex | None = None,
        max_time: Time | None = None,
        progress: Told = None,
        ledger: Ledger | None = None,
    ) -> dict[str, Any]: ...
    def replay(
        self,
        cell: SupportsIndex | None = None,
        battle: SupportsIndex | None = None,
        *,
        seed: SupportsIndex | None = None,
    ) -> Replay: ...
    def _page(self, cell: int, battle: int, seed: int | None) -> str | None: ...

@final
class Answer:
    @property
    def cells(self) -> Table: ...
    @property
    def summary(self) -> Table: ...
    @property
    def battles(self) -> Table: ...
    @property
    def battle_sides(self) -> Table: ...
    @property
    def odds(self) -> Table: ...
    @property
    def means(self) -> Table: ...
    @property
    def ends(self) -> Table: ...
    @property
    def work(self) -> Table: ...
    @property
    def study(self) -> str: ...
    @property
    def pack(self) -> str: ...
    @property
    def sides(self) -> tuple[str, ...]: ...
    @property
    def runs(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def digest(self) -> str: ...
    @property
    def stopped(self) -> bool: ...
    def share(self, side: str, by: str | Sequence[str] | None = None) -> Table: ...
    def contrast(self, side: str, cells: dict[str, Any], others: dict[str, Any]) -> Estimate: ...
    def estimate(self, name: str, cell: SupportsIndex) -> Estimate: ...
    def to_json(self) -> str: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> Answer: ...
    def __eq__(self, other: object, /) -> bool: ...
    def _repr_html_(self) -> str: ...

def merge(answers: Iterable[Answer], partial: bool = False) -> Answer: ...
def packs() -> list[str]: ...
def studies() -> dict[str, str]: ...

# Functions that unpickle objects.
def answer_of(data: bytes) -> Answer: ...
def estimate_of(mean: float, low: float, high: float, level: float, runs: int, paired: bool) -> Estimate: ...
def ledger_of(text: str, series: list[str] | None) -> Ledger: ...
def pack_of(name: str | None, files: list[tuple[str, str]] | None) -> Pack: ...
def study_of(name: str | None, text: str | None, folder: object, changes: list[tuple[str, str, Any]]) -> Study: ...
