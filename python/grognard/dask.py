"""Studies fought, and questions answered, by the workers of a cluster of `dask.distributed`.

    from dask.distributed import Client
    import grognard as g
    from grognard.dask import spread

    far = spread(g.Study.load("square-vs-line"), Client())
    answer = far.run(1_000_000, seed=1815)
    worth = far.ablate("attacker score", cells=[18])

Every number is that of one process, to the last bit, however many workers there are and however many of them die. The package must be
installed on all of them, in the same version. If something fails, what was fought is kept: see `Spread`.
"""

import pickle
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from importlib import import_module
from itertools import pairwise
from typing import Any, Protocol, SupportsIndex

from grognard._native import Answer, Ledger, Study, merge
from grognard.errors import Error, LeftError, SpreadError

#: Shares into which a run is divided unless another number is given.
SHARDS = 64


class Client(Protocol):
    """As much of `dask.distributed.Client` as is used here."""

    def submit(self, func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any: ...
    def cancel(self, futures: Any, /) -> Any: ...
    def nthreads(self) -> Any: ...


class Spread:
    """A study whose battles the workers of a cluster fight: see `spread`.

    If anything fails (a worker's error, a worker that dies too often, Ctrl-C), the shards that were finished and what was learned for a
    question stay here. The same call again fights only the rest.
    """

    def __init__(self, study: Study, client: Client) -> None:
        self.study: Study = study
        """The study."""
        self.client: Client = client
        """The client of the cluster."""
        self._pickled = pickle.dumps(study)
        #: What is finished of runs and questions that are not, by run and question.
        self._shards: dict[str, dict[int, Answer]] = {}
        self._ledgers: dict[str, Ledger] = {}

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
        are those of `Study.run`, without `shard`, `precision` and `max_time`. After an error, the same call goes on with the shards that are left.
        """
        if shards < 1:
            raise ValueError(f"`shards` is {shards}; give 1 or more")
        for name in ("shard", "precision", "max_time"):
            if name in settings:
                raise TypeError(f"`{name}` cannot be combined with shards: only the whole run can decide when to stop")
        fight = partial(_run, self._pickled, runs, threads=threads, **settings)
        known = _token("run", runs, shards, settings)
        done = self._shards.setdefault(known, {})
        left = {number: partial(fight, shard=(number, shards)) for number in range(shards) if number not in done}
        self._all("shard", shards, left, done.__setitem__)
        del self._shards[known]
        return merge(done.values())

    def tune(self, numbers: Sequence[str], *, parts: int | None = None, threads: SupportsIndex = 1, **settings: Any) -> dict[str, Any]:
        """The smallest change of these numbers that meets all targets: what `Study.tune` finds, with its settings."""
        return self._answer(partial(Study.tune, numbers=list(numbers), **settings), threads, parts)

    def ablate(self, metric: str, *, parts: int | None = None, threads: SupportsIndex = 1, **settings: Any) -> dict[str, Any]:
        """What each rule is worth: what `Study.ablate` finds, with its settings."""
        return self._answer(partial(Study.ablate, metric=metric, **settings), threads, parts)

    def train(self, side: str, *, parts: int | None = None, threads: SupportsIndex = 1, **settings: Any) -> dict[str, Any]:
        """A better doctrine for a side: what `Study.train` finds, with its settings."""
        # Neighbours are the same battles of several candidates, beside those of the present doctrine, which are then fought once.
        return self._answer(partial(Study.train, side=side, **settings), threads, parts, neighbours=True)

    def _answer(
        self, ask: "partial[dict[str, Any]]", threads: SupportsIndex, parts: int | None, *, neighbours: bool = False
    ) -> dict[str, Any]:
        """Asks until nothing is left that workers have to fight; they get what is wanted in so many parts, one for each of their threads.
        A part has neighbours, or else one in `count` of all, so that slow ones are spread."""
        question = _token(ask.func.__name__, ask.keywords)
        ledger = self._ledgers.setdefault(question, Ledger())
        fight = partial(ask, threads=threads)
        while True:
            nobody = ledger.part([])
            try:
                # Nobody fights meanwhile, so that all threads of this process are free.
                answer = ask(self.study, ledger=nobody, threads=None)
            except LeftError:
                wanted = nobody.wanted
            else:
                del self._ledgers[question]
                return answer
            known = len(ledger)
            count = min(len(wanted), parts or sum(self.client.nthreads().values()) or 1)
            bounds = [len(wanted) * part // count for part in range(count + 1)]
            cut = [wanted[first:end] if neighbours else wanted[part::count] for part, (first, end) in enumerate(pairwise(bounds))]
            shares = [ledger.part(share) for share in cut]
            tasks = {part: partial(_fight, self._pickled, fight, share) for part, share in enumerate(shares)}
            self._all("part", count, tasks, lambda _, news: ledger.add(news))
            if len(ledger) == known:
                raise Error("the workers have fought none of the requested battles")

    def _all(self, what: str, of: int, tasks: Mapping[int, Callable[[], Any]], take: Callable[[int, Any], object]) -> None:
        """Has all tasks done, and takes each result as soon as it is there."""
        # Not pure: two runs of the same task are two pieces of work, and no result outlives its own.
        futures = {self.client.submit(task, pure=False): number for number, task in tasks.items()}
        done = of - len(futures)
        at = ""
        try:
            # Each result is fetched at once: what only a worker has is lost with the worker, and done again.
            for future in import_module("distributed").as_completed(futures):
                at = f"{what} {futures[future]} of {of}"
                take(futures[future], future.result())
                future.release()
                at, done = "", done + 1
        except BaseException as error:
            self.client.cancel(list(futures))
            kept = f"{done} of {of} {what}s are done and kept; repeat the call to fight the rest"
            if isinstance(error, Exception) and not isinstance(error, (Error, TypeError)):
                place = f"{at}: " if at else ""
                raise SpreadError(f"{place}{type(error).__name__}: {error}; {kept}") from error
            error.add_note(f"{at}; {kept}" if at else kept)
            raise

    def __repr__(self) -> str:
        return f"<grognard.dask.Spread: {self.study.name}>"


def _token(*question: Any) -> str:
    """What tells a question from others."""
    token: str = import_module("dask.base").tokenize(*question)
    return token


def _read(pickled: bytes) -> Study:
    """The study of these bytes. A worker that keeps it reads and compiles its pack once, and not again for each task."""
    study: Study = pickle.loads(pickled)
    return study


_known = lru_cache(maxsize=4)(_read)


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
