#!/usr/bin/env python3
"""Measures best play and training, for docs/speed.md: `just experts`.

Best play in the twelve cells of `square-vs-line` with heavy cavalry: first each cell on its own (exact from the front and the rear, within a
point from the flank), then all together within a point. Then training of the brigade: its gain on dice that training has not used.
`--only best` or `--only train` measures one of the two. GROGNARD is the command to measure [default: the last release build].
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
GROGNARD = os.environ.get("GROGNARD", str(ROOT / "target" / "release" / "grognard"))
# Beginners. Perfect play chooses from the same orders.
BEGINNERS = ["--set", "attacker.doctrine=charge-home", "--set", "defender.doctrine=stand"]
HORSE = [*BEGINNERS, "--only", "attacker.0.type=heavy-cavalry"]
POINT = ["--precision", "0.5%", "--max-time", "590s"]
PLAYERS = ["default/default", "best/default", "default/best", "best/best"]


def run(*arguments):
    """The command's answer, its elapsed time and processor time in seconds, and its memory in MiB."""
    with tempfile.TemporaryFile() as out:
        started = time.monotonic()
        process = subprocess.Popen([GROGNARD, *arguments, "--json", "--quiet"], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        if status != 0:
            raise SystemExit(f"grognard {' '.join(arguments)} failed")
        out.seek(0)
        return json.load(out), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def percent(value):
    low, high = 100 * value["low"], 100 * value["high"]
    return f"{low:.2f}" if low == high else f"{low:.2f} to {high:.2f}"


def best():
    answer, seconds, processor, memory = run("best", "square-vs-line", *HORSE, *POINT)
    print("| cell | | " + " | ".join(PLAYERS) + " | situations | processor | memory |")
    print("|---|---|" + "---|" * (len(PLAYERS) + 3))
    widest = 0
    for cell in answer["cells"]:
        # From the front and the rear there are few enough situations to enumerate them all.
        accepts = POINT if cell["vary"]["approach"] == "flank" else []
        alone, _, own, most = run("best", "square-vs-line", *BEGINNERS, "--cell", str(cell["cell"]), "--threads", "1", *accepts)
        (found,) = alone["cells"]
        for one in (cell, found):
            widest = max([widest, *(value["high"] - value["low"] for value in one["values"].values())])
        label = ", ".join(str(value) for value in found["vary"].values())
        numbers = " | ".join(percent(found["values"][players]) for players in PLAYERS)
        print(f"| {found['cell']} | {label} | {numbers} | {found['states']:,} | {own:.1f} s | {most:.0f} MiB |", flush=True)
    print(f"\nAll {len(answer['cells'])} together, with brackets: {seconds:.0f} s, {processor:.0f} s of processor time, {memory:.0f} MiB.", end="")
    print(f" The widest bracket is {100 * widest:.2f} points wide.\n")
    if widest > 0.01:
        raise SystemExit("a bracket is wider than a point")


def train(limit):
    answer, seconds, processor, memory = run("train", str(ROOT / "benches" / "brigade.toml"), "--time", limit)
    low, gain, high = (100 * answer["gain"][key] for key in ("low", "mean", "high"))
    print(f"train benches/brigade.toml --time {limit}: +{gain:.1f} points ({low:+.1f} to {high:+.1f}) over `{answer['from']}`", end="")
    print(f" after {answer['battles']:,} battles; {seconds:.0f} s, {processor:.0f} s of processor time, {memory:.0f} MiB.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", choices=("best", "train"))
    parser.add_argument("--time", default="9m", help="time for the search, before training scores its result [default: 9m]")
    asked = parser.parse_args()
    if asked.only != "train":
        best()
    if asked.only != "best":
        train(asked.time)
