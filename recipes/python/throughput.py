"""Measures how much more two workers of a local Dask cluster do than one, alternating between the two.

Each core of a machine is often slower when all are busy. So each round also measures how much more two processes do than one if they
share nothing, not even a cluster: no cluster on this machine can do better.

    python throughput.py [--rounds N] [--runs N] [run|ablate|tune|train ...]
"""

import argparse
import multiprocessing
import pathlib
import statistics
import time

import dask
from dask.distributed import Client, LocalCluster

import grognard as g
from grognard.dask import spread

BENCHES = pathlib.Path(__file__).resolve().parents[2] / "benches"

# Each Dask process inspects itself up to a hundred times a second, whether it has work or not. On a machine with all cores busy, this
# takes time from the work.
UNWATCHED = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
}


def seconds(workers: int, study: g.Study, work) -> float:
    """The seconds that this work takes with this many workers, once they are running."""
    with dask.config.set(UNWATCHED), LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        client.wait_for_workers(workers)
        client.run(study.check)
        started = time.perf_counter()
        work(spread(study, client))
        return time.perf_counter() - started


def fights(study: g.Study, runs: int, ready, results) -> None:
    """Runs in its own process: fights this many battles of each cell once all processes are ready."""
    study.run(runs // 20, keep="none", threads=1, progress=False)
    ready.wait()
    started = time.perf_counter()
    study.run(runs, keep="none", threads=1, progress=False)
    results.put(time.perf_counter() - started)


def machine(study: g.Study, runs: int) -> float:
    """How much more two processes without a cluster do than one, each with the same battles."""
    took = {}
    own = multiprocessing.get_context("spawn")
    for count in (1, 2):
        ready, results = own.Barrier(count), own.Queue()
        processes = [own.Process(target=fights, args=(study, runs, ready, results)) for _ in range(count)]
        for process in processes:
            process.start()
        took[count] = statistics.mean(results.get() for _ in processes)
        for process in processes:
            process.join()
    return 2 * took[1] / took[2]


def told(ratios: list[float]) -> str:
    return f"{statistics.median(ratios):.2f} (median of {', '.join(f'{ratio:.2f}' for ratio in ratios)})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=400_000, help="battles of each of 36 cells in a run [default: 400000]")
    parser.add_argument("only", nargs="*", metavar="WORK", help="what to measure: run, ablate, tune or train [default: all]")
    given = parser.parse_args()
    square = g.Study.load("square-vs-line")
    brigade = g.Study.from_text("".join((BENCHES / name).read_text("utf-8") for name in ("brigade.toml", "brigade-targets.toml")))
    # With this many battles of each cell, a process without a cluster takes about five seconds.
    pieces = {
        "run": (square, 60_000, lambda far: far.run(given.runs, keep="none", shards=64)),
        "ablate": (square, 60_000, lambda far: far.ablate("attacker score", cells=[18], runs=given.runs // 2)),
        "tune": (brigade, 50_000, lambda far: far.tune(["roll.shock.modifier"], pips=1)),
        "train": (brigade, 50_000, lambda far: far.train("attacker", steps=1)),
    }
    if unknown := set(given.only) - set(pieces):
        parser.error(f"there is no measurement {', '.join(sorted(unknown))}: name some of {', '.join(pieces)}")
    for name, (study, alone, work) in pieces.items():
        if given.only and name not in given.only:
            continue
        ratios, bounds = [], []
        for turn in range(given.rounds):
            bounds.append(machine(study, alone))
            took = {workers: seconds(workers, study, work) for workers in ((1, 2) if turn % 2 == 0 else (2, 1))}
            ratios.append(took[1] / took[2])
        last = f"{took[1]:.1f} s and {took[2]:.1f} s in the last round"
        print(f"{name}: two workers do {told(ratios)} times as much as one ({last}); without a cluster, {told(bounds)}", flush=True)


if __name__ == "__main__":
    main()
