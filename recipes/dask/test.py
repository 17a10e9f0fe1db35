"""Kills workers of a Dask cluster while they fight, and compares the sum of 64 shards with a single run, byte for byte. Then measures how
much more two workers do than one.

    python test.py [--shards N] [--runs N] [--kills N] [--rounds N]
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import tempfile
import threading
import time

import dask
import psutil
from distributed import Client, LocalCluster, wait

import shards

GROGNARD = shutil.which(os.environ.get("GROGNARD", "grognard"))
STUDY = "square-vs-line"


def tree(folder):
    """All files of a results folder; the manifest without the record of how it was made."""
    files = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file():
            name = str(path.relative_to(folder))
            files[name] = path.read_bytes()
            if name == "manifest.json":
                manifest = json.loads(files[name])
                del manifest["made"]
                files[name] = json.dumps(manifest).encode()
    return files


def processes(client):
    """The processes of the workers that are running."""
    return list(client.run(os.getpid).values())


def survives(place, count, runs, kills):
    """Fights with two workers, one of which is killed again and again."""
    flags = ["--runs", str(runs), "--threads", "1"]
    killed = []
    over = threading.Event()
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:

        def kill():
            chance = random.Random(1815)
            while len(killed) < kills and not over.wait(1.0):
                try:
                    victim = chance.choice(processes(client))
                    # The worker has a command that fights. Every other time, only the worker is killed, and the command continues.
                    below = psutil.Process(victim).children(recursive=True) if len(killed) % 2 == 0 else []
                    os.kill(victim, signal.SIGKILL)
                    for process in below:
                        process.kill()
                    killed.append(victim)
                except (OSError, ValueError, IndexError, RuntimeError, psutil.Error):
                    pass  # No worker is running at the moment.

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        shards.run(client, STUDY, count, place / "sum", flags, GROGNARD, report=False)
        over.set()
        killer.join()
    line = [GROGNARD, "run", STUDY, "--runs", str(runs), "--no-report", "--quiet", "--out", str(place / "whole")]
    subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
    one, other = tree(place / "sum"), tree(place / "whole")
    assert one.keys() == other.keys(), one.keys() ^ other.keys()
    differ = [name for name in one if one[name] != other[name]]
    assert not differ, differ
    assert len(killed) >= min(kills, 3), f"only {len(killed)} workers were killed"
    print(f"{count} shards, {len(killed)} workers killed while they fought: {len(one)} files, identical to those of a single run, byte for byte")


def refuses(place, count):
    """Shards that do not belong together are refused with a reason, and nothing is written."""
    folders = [str(place / "sum.shards" / f"{shard:05}") for shard in range(1, count + 1)]

    def refused(given, words, name):
        ran = subprocess.run([GROGNARD, "merge", *given, "--out", str(place / name)], capture_output=True, text=True)
        assert ran.returncode == 2 and words in ran.stderr, ran
        assert not (place / name).exists()

    refused([*folders, folders[-1]], "are there twice", "twice")
    other = str(place / "other")
    line = [GROGNARD, "run", "risk-dice", "--runs", "100", "--no-report", "--quiet", "--out", other]
    subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
    refused([*folders, other], "battles of another series", "mixed")
    refused(folders[1:] + [str(place / "nowhere")], "is not a results folder", "missing")
    print("a shard given twice, results of another pack, and a missing folder are refused")


def throughput(place, rounds, runs):
    """The speed of two workers relative to one, on the same shards, measured alternately."""
    flags = ["--runs", str(runs), "--threads", "1", "--keep", "none"]
    seconds = {1: [], 2: []}
    for turn in range(rounds):
        for workers in (1, 2) if turn % 2 == 0 else (2, 1):
            with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
                with Client(cluster) as client:
                    started = time.perf_counter()
                    tasks = [
                        client.submit(
                            shards.fight, STUDY, shard, 8, str(place / f"{turn}-{workers}-{shard}"), flags, GROGNARD, pure=False
                        )
                        for shard in range(1, 9)
                    ]
                    wait(tasks)
                    [task.result() for task in tasks]
                    seconds[workers].append(time.perf_counter() - started)
    ratios = [one / two for one, two in zip(seconds[1], seconds[2])]
    ratio = statistics.median(ratios)
    print(f"two workers: {ratio:.2f} times the battles of one (median of {rounds}: {', '.join(f'{r:.2f}' for r in ratios)})")
    return ratio


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--shards", type=int, default=64)
    parser.add_argument("--runs", type=int, default=64 * 4096)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=0, help="rounds of measuring [default: none]")
    given = parser.parse_args()
    assert GROGNARD, "there is no grognard in the path"
    dask.config.set({"distributed.scheduler.allowed-failures": 100})
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        survives(place, given.shards, given.runs, given.kills)
        refuses(place, given.shards)
        if given.rounds:
            throughput(place, given.rounds, given.runs)


if __name__ == "__main__":
    main()
