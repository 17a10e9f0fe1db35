"""Monte Carlo battle analysis for designers of tabletop wargame rules.

    import grognard as g
    import polars as pl

    study = g.Study.load("square-vs-line").set("turns", 6).vary("distance", range(4, 21, 2))
    answer = study.run(runs=2_000, seed=1815)
    pl.DataFrame(answer.summary)

Battles and numbers are identical to those of the command `grognard`, bit for bit, for the same study, seed and number of battles.
"""

from grognard._native import Answer, Estimate, Ledger, Pack, Study, Table, __version__, merge, packs, studies
from grognard._progress import Progress
from grognard.errors import (
    BytesError,
    Error,
    ExactError,
    Fault,
    FaultError,
    LedgerError,
    LeftError,
    MergeError,
    SettingError,
    SpreadError,
    UnknownError,
)
from grognard.replay import Replay

__all__ = [
    "Answer",
    "BytesError",
    "Error",
    "Estimate",
    "ExactError",
    "Fault",
    "FaultError",
    "Ledger",
    "LedgerError",
    "LeftError",
    "MergeError",
    "Pack",
    "Progress",
    "Replay",
    "SettingError",
    "SpreadError",
    "Study",
    "Table",
    "UnknownError",
    "__version__",
    "merge",
    "packs",
    "studies",
]
