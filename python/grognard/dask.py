"""Studies fought, and questions answered, by the workers of a `dask.distributed` cluster.

    from dask.distributed import Client
    import grognard as g
    from grognard.dask import spread

    far = spread(g.Study.load("square-vs-line"), Client())
    answer = far.run(1_000_000, seed=1815)
    worth = far.ablate("attacker score", cells=[18])

Every number is identical to that of a single process, bit for bit, regardless of how many workers there are and how many of them die.
All of them need the same version of the package. If something fails, finished battles are kept: see `Spread`.
"""

import pickle
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from importlib import import_module
from itertools import pairwise
from typing import Any, Protocol, SupportsIndex

from grognard._native import Answer, Ledger, Study, merge
from grognard.errors import Error, LeftError, SpreadError

#: The default number of shards of a run.
SHARDS = 64


class Client(Protocol):
    """The part of `dask.distributed.Client` that is used here."""

    def submit(self, func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any: ...
    def cancel(self, futures: Any, /) -> Any: ...
    def nthreads(self) -> Any: ...


class Spread:
    """A study whose battles are fought by the workers of a cluster: see `spread`.

    If anything fails (an error on a worker, a worker that dies too often, Ctrl-C), finished shards and the results for a question are
    kept here. Repeat the call to fight only the rest.
    """

    def __init__(self, study: Study, client: Client) -> None:
        self.study: Study = study
        """The study."""
        self.client: Client = client
        """The client of the cluster."""
        self._pickled = pickle.dumps(study)
        #: The finished parts of unfinished runs and questions, by run and question.
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
        """Fights the battles of all cells in this number of shards, and merges them. The result is that of `Study.run`.

        A worker that dies loses the shards that it was fighting; others fight them again. `threads` is the number for one shard;
        `settings` are those of `Study.run`, without `shard`, `precision` and `max_time`. After an error, the same call resumes with the
        remaining shards.
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
        """The smallest change to these numbers that meets all targets: the result of `Study.tune`, with its settings."""
        return self._answer(partial(Study.tune, numbers=list(numbers), **settings), threads, parts)

    def ablate(self, metric: str, *, parts: int | None = None, threads: SupportsIndex = 1, **settings: Any) -> dict[str, Any]:
        """The worth of each rule: the result of `Study.ablate`, with its settings."""
        return self._answer(partial(Study.ablate, metric=metric, **settings), threads, parts)

    def train(self, side: str, *, parts: int | None = None, threads: SupportsIndex = 1, **settings: Any) -> dict[str, Any]:
        """A better doctrine for a side: the result of `Study.train`, with its settings."""
        # Neighbouring series are the same battles for several candidates and for the current doctrine, which are then fought only once.
        return self._answer(partial(Study.train, side=side, **settings), threads, parts, neighbours=True)

    def _answer(
        self, ask: "partial[dict[str, Any]]", threads: SupportsIndex, parts: int | None, *, neighbours: bool = False
    ) -> dict[str, Any]:
        """Asks until no battles are left for workers to fight. They get the wanted series in `parts` parts, by default one for each of
        their threads. A part has neighbouring series, or else every `count`-th one, so that slow ones are spread."""
        question = _token(ask.func.__name__, ask.keywords)
        ledger = self._ledgers.setdefault(question, Ledger())
        fight = partial(ask, threads=threads)
        while True:
            nobody = ledger.part([])
            try:
                # No battles are fought here at the same time, so all threads of this process are free.
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
        """Runs all tasks, and takes each result as soon as it is available."""
        # Not pure: two runs of the same task are separate work, and no result outlives its run.
        futures = {self.client.submit(task, pure=False): number for number, task in tasks.items()}
        done = of - len(futures)
        at = ""
        try:
            # Fetch each result at once: if only a worker has it, it is lost with the worker and must be computed again.
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
    """A token that identifies a question."""
    token: str = import_module("dask.base").tokenize(*question)
    return token


def _read(pickled: bytes) -> Study:
    """Unpickles a study. A worker that caches it reads and compiles its pack once, not again for each task."""
    study: Study = pickle.loads(pickled)
    return study


_known = lru_cache(maxsize=4)(_read)


def _run(pickled: bytes, runs: SupportsIndex | None, **settings: Any) -> Answer:
    """Fights a shard, on a worker."""
    return _known(pickled).run(runs, **settings)


def _fight(pickled: bytes, ask: Callable[..., Any], ledger: Ledger) -> str:
    """Fights a part of the battles that a question needs, on a worker; returns the news."""
    try:
        ask(_known(pickled), ledger=ledger)
    except LeftError:
        pass
    return ledger.news


def spread(study: Study, client: Client) -> Spread:
    """The study, with its battles fought by the workers of this client's cluster."""
    return Spread(study, client)
