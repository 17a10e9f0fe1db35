"""Runs a study in shards on a Dask cluster, and merges them.

    python shards.py STUDY SHARDS OUT [--scheduler ADDRESS] [--workers N] [-- FLAGS OF grognard run]
    python shards.py square-vs-line 64 results/square-vs-line --scheduler tcp://head:8786 -- --runs 1e9

Without --scheduler, a cluster of processes on this machine is started, and stopped at the end of the run. Every worker needs `grognard` in its path
(GROGNARD names another program), and OUT must be in a folder that all of them share. The shards are in OUT.shards, and stay there: a second
call with the same arguments resumes where the first one stopped.

A worker may die while it fights. Its shard is given to another one, which resumes it. The result is identical, byte for byte.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

GROGNARD = os.environ.get("GROGNARD", "grognard")
#: Seconds between checks of a folder to which a dead worker's process is still writing.
PATIENCE = 1.0


class Failed(RuntimeError):
    """A shard that cannot be fought, with the command's message."""


def fight(study, shard, shards, folder, flags, grognard=GROGNARD):
    """Fights one shard, or the rest of it, into its folder; returns the folder."""
    line = [grognard, "run", study, "--shard", f"{shard}/{shards}", "--out", folder, "--resume", "--no-report", "--quiet"]
    while True:
        ran = subprocess.run([*line, *flags], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if ran.returncode == 0:
            return folder
        if "is being written to by another run" not in ran.stderr:
            raise Failed(f"shard {shard} of {shards} in {folder}: {ran.stderr.strip()}")
        # The worker of this shard died, but its command is still running. Battles that it finishes need not be fought again.
        time.sleep(PATIENCE)


def merge(folders, out, grognard=GROGNARD, flags=()):
    """Merges the shards, and writes a report."""
    ran = subprocess.run(
        [grognard, "merge", *folders, "--out", out, *flags],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if "--no-report" in flags else None,
    )
    if ran.returncode != 0:
        raise Failed(f"the shards of {out} were not added up")


def run(client, study, shards, out, flags=(), grognard=GROGNARD, report=True):
    """Fights all shards on the cluster of `client` and merges them in `out`."""
    from distributed import as_completed

    place = pathlib.Path(f"{out}.shards").resolve()
    place.mkdir(parents=True, exist_ok=True)
    study = str(pathlib.Path(study).resolve()) if pathlib.Path(study).exists() else study
    folders = [str(place / f"{shard:05}") for shard in range(1, shards + 1)]
    tasks = [
        client.submit(fight, study, shard, shards, folder, list(flags), grognard, pure=False, retries=2)
        for shard, folder in enumerate(folders, start=1)
    ]
    done = 0
    for task in as_completed(tasks):
        task.result()
        done += 1
        print(f"\r{done} of {shards} shards", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    merge(folders, str(out), grognard, [] if report else ["--no-report", "--quiet"])


def main():
    arguments, flags = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, flags = arguments[:at], arguments[at + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study")
    parser.add_argument("shards", type=int)
    parser.add_argument("out")
    parser.add_argument("--scheduler", metavar="ADDRESS")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), metavar="N")
    given = parser.parse_args(arguments)
    if not 1 <= given.shards <= 100_000:
        parser.error("SHARDS must be a number from 1 to 100000")
    program = shutil.which(GROGNARD)
    if program is None and given.scheduler is None:
        parser.error(f"{GROGNARD} is not in the PATH")

    import dask
    from distributed import Client, LocalCluster

    # Dask counts a lost worker as a failure of its shard, although the shard is not to blame.
    dask.config.set({"distributed.scheduler.allowed-failures": 100})
    if given.scheduler:
        with Client(given.scheduler) as client:
            run(client, given.study, given.shards, given.out, flags)
        return
    # Each worker has its own process, which fights with one thread.
    with LocalCluster(n_workers=given.workers, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            run(client, given.study, given.shards, given.out, ["--threads", "1", *flags], grognard=program)


if __name__ == "__main__":
    try:
        main()
    except Failed as failed:
        sys.exit(f"error: {failed}")
