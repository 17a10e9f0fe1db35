"""Studies fought, and questions answered, by the workers of a cluster of `dask.distributed`.

    from dask.distributed import Client
    import grognard as g
    from grognard.dask import spread

    far = spread(g.Study.load("square-vs-line"), Client())
    answer = far.run(1_000_000, seed=1815)
    worth = far.ablate("attacker score", cells=[18])

Every number is that of one process, to the last bit, however many workers there are and however many of them die. The package must be
installed on all of them, in the same version.
"""

import pickle
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from importlib import import_module
from itertools import pairwise
from typing import Any, Protocol, SupportsIndex

from grognard._native import Answer, Ledger, Study, merge
from grognard.errors import Error, LeftError

#: Shares into which a run is divided unless another number is given.
SHARDS = 64


class Client(Protocol):
    """As much of `dask.distributed.Client` as is used here."""

    def submit(self, func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any: ...
    def cancel(self, futures: Any, /) -> Any: ...
    def nthreads(self) -> Any: ...


class Spread:
    """A study whose battles the workers of a cluster fight: see `spread`."""

    def __init__(self, study: Study, client: Client) -> None:
        self.study: Study = study
        """The study."""
        self.client: Client = client
        """The client of the cluster."""
        self._pickled = pickle.dumps(study)

    def run(
        self,
        runs: SupportsIndex | None = None,
        *,
        shards: int = SHARDS,
        threads: SupportsIndex = 1,
        **settings: Any,
    ) -> Answer:
        """Fights the battles of all cells in so many shards, and adds them up: what `Study.run` comes to.

        A worker that dies loses the shards that it was fighting, which others fight again. `threads` are those of one shard; `settings`
        are those of `Study.run`, without `shard` and `precision`.
        """
        if shards < 1:
            raise ValueError(f"`shards` is {shards}; give a number from 1 on")
        for name in ("shard", "precision"):
            if name in settings:
                raise TypeError(f"`{name}` does not go with shards: only all battles together know when to stop")
        fight = partial(_run, self._pickled, runs, threads=threads, **settings)
        return merge(self._all(partial(fight, shard=(number, shards)) for number in range(shards)))

    def tune(self, numbers: Sequence[str], *, parts: int | None = None, threads: SupportsIndex = 1, **settings: Any) -> dict[str, Any]:
        """The smallest change of these numbers that meets all targets: what `Study.tune` finds, with its settings."""
        return self._answer(partial(Study.tune, numbers=list(numbers), threads=threads, **settings), parts)

    def ablate(self, metric: str, *, parts: int | None = None, threads: SupportsIndex = 1, **settings: Any) -> dict[str, Any]:
        """What each rule is worth: what `Study.ablate` finds, with its settings."""
        return self._answer(partial(Study.ablate, metric=metric, threads=threads, **settings), parts)

    def train(self, side: str, *, parts: int | None = None, threads: SupportsIndex = 1, **settings: Any) -> dict[str, Any]:
        """A better doctrine for a side: what `Study.train` finds, with its settings."""
        return self._answer(partial(Study.train, side=side, threads=threads, **settings), parts)

    def _answer(self, ask: Callable[..., dict[str, Any]], parts: int | None) -> dict[str, Any]:
        """Asks until nothing is left that workers have to fight; they get what is wanted in so many parts, one for each of their threads."""
        ledger = Ledger()
        while True:
            nobody = ledger.part([])
            try:
                # Nobody fights meanwhile, so that all threads of this process are free.
                return ask(self.study, ledger=nobody, threads=None)
            except LeftError:
                wanted = nobody.wanted
            known = len(ledger)
            count = min(len(wanted), parts or sum(self.client.nthreads().values()) or 1)
            # Neighbours stay together: they often share battles, which are then fought once.
            bounds = [len(wanted) * part // count for part in range(count + 1)]
            shares = (ledger.part(wanted[first:end]) for first, end in pairwise(bounds))
            for news in self._all(partial(_fight, self._pickled, ask, share) for share in shares):
                ledger.add(news)
            if len(ledger) == known:
                raise Error("the workers have fought nothing of what was wanted")

    def _all(self, tasks: Iterable[Callable[[], Any]]) -> list[Any]:
        # Not pure: two runs of the same task are two pieces of work, and no result outlives its own.
        futures = [self.client.submit(task, pure=False) for task in tasks]
        results = []
        try:
            # Each result is fetched at once: what only a worker has is lost with the worker, and done again.
            for future in import_module("distributed").as_completed(futures):
                results.append(future.result())
                future.release()
        except BaseException:
            self.client.cancel(futures)
            raise
        return results

    def __repr__(self) -> str:
        return f"<grognard.dask.Spread: {self.study.name}>"


@lru_cache(maxsize=4)
def _known(pickled: bytes) -> Study:
    """The study of these bytes. A worker that keeps it reads and compiles its pack once, and not again for each task."""
    study: Study = pickle.loads(pickled)
    return study


def _run(pickled: bytes, runs: SupportsIndex | None, **settings: Any) -> Answer:
    """Fights a shard, on a worker."""
    return _known(pickled).run(runs, **settings)


def _fight(pickled: bytes, ask: Callable[..., Any], ledger: Ledger) -> str:
    """Fights a part of what a question wants, on a worker; gives the news."""
    try:
        ask(_known(pickled), ledger=ledger)
    except LeftError:
        pass
    return ledger.news


def spread(study: Study, client: Client) -> Spread:
    """The study, with its battles fought by the workers of the cluster of this client."""
    return Spread(study, client)
