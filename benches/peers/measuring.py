"""Measures the processor time of duels here and in the command, and describes the machine."""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GROGNARD = os.environ.get("GROGNARD", os.path.join(ROOT, "target", "release", "grognard"))
# The batch with which NumPy is fastest on most machines.
BATCH = 100_000


def machine():
    """Cores and caches, as Linux reports them; anything that it does not report is left out."""
    try:
        told = subprocess.run(["lscpu"], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stdout
    except OSError:
        told = ""
    field = lambda name: (re.search(rf"^{name}: +(.+)$", told, re.M) or [None, None])[1]
    parts = [f"{os.cpu_count()} cores", field("Model name")]
    parts += [f"{level} {field(level + ' cache')}" for level in ("L1d", "L2", "L3") if field(level + " cache")]
    return ", ".join(part for part in parts if part)


def command(arguments):
    """Processor seconds of the command, and its output."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([GROGNARD, *arguments], stdout=out, stderr=subprocess.PIPE)
        said = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"grognard {' '.join(arguments)}: {said.decode()}")
        out.seek(0)
        return usage.ru_utime + usage.ru_stime, out.read().decode()


def fight(study, runs, *more):
    """Processor seconds that battles of a study take on one thread, with nothing kept and no report, and the results."""
    with tempfile.TemporaryDirectory() as folder:
        seconds, out = command(["run", study, "--runs", str(runs), "--no-report", "--keep", "none", "--threads", "1", "--quiet", "--json",
                                "--out", os.path.join(folder, "results"), *more])
    return seconds, json.loads(out)


def further(study, few, many, cells, *more):
    """Battles per processor second, excluding the first battles."""
    (short, _), (long, _) = fight(study, few, *more), fight(study, many, *more)
    return (many - few) * cells / (long - short)


def numpy_rate(duel, cells, count=1_000_000):
    """Duels per processor second in NumPy, with the same number in each cell."""
    rng = np.random.Generator(np.random.SFC64(1815))
    started = time.process_time()
    for cell in cells:
        for _ in range(count // BATCH):
            duel.numpy_batch(rng, BATCH, cell)
    return count // BATCH * BATCH * len(cells) / (time.process_time() - started)


def middle(values):
    return statistics.median(values)


def spread(values):
    return f"{min(values):.3g} to {max(values):.3g}"
