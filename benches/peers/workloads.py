"""Every workload of the command with its ratio to NumPy's reference duel in the same run: `just bench`.

Each round runs all workloads one after another, and each ratio compares numbers of the same round.
"""

import json
import os

import reference_duel
from measuring import ROOT, command, fight, further, machine, middle, numpy_rate, spread

ROUNDS = int(os.environ.get("ROUNDS", "5"))


def study(*parts):
    return os.path.join(ROOT, *parts)


# Duels between beginners, as when these workloads were first timed: better doctrines do not change the workload.
BEGINNERS = ("--set", "attacker.doctrine=charge-home", "--set", "defender.doctrine=stand")

# Name, study, cells, battles of a cell in the short and in the long run, the ratio to reach, and the values that are set.
FURTHER = (
    ("reference duel", study("studies", "refduel.toml"), 4, 250_000, 1_250_000, 1.3, ()),
    ("forty dice", study("benches", "peers", "forty-dice.toml"), 1, 1_000_000, 4_000_000, None, ()),
    ("square-vs-line", study("studies", "square-vs-line.toml"), 36, 100_000, 200_000, 0.25, BEGINNERS),
    ("pip-square", study("studies", "pip-square.toml"), 54, 20_000, 60_000, 0.2, BEGINNERS),
    ("brigade", study("benches", "brigade.toml"), 1, 20_000, 60_000, 0.0087, ()),
    ("hex-six", study("benches", "hex-six.toml"), 1, 20_000, 60_000, 0.0087, ()),
    ("skirmish-six", study("benches", "skirmish-six.toml"), 1, 10_000, 40_000, 0.00087, ()),
    ("fleet-ten", study("benches", "fleet-ten.toml"), 1, 20_000, 120_000, 0.0017, ()),
)


def all_costs():
    """Battles per processor second for 3.6 million battles of square-vs-line, including everything else that a run does."""
    seconds, _ = fight(study("studies", "square-vs-line.toml"), 100_000, *BEGINNERS)
    return 3_600_000 / seconds


def exact_seconds(cell):
    return command(["exact", study("studies", "square-vs-line.toml"), *BEGINNERS, "--cell", str(cell), "--threads", "1", "--quiet"])[0]


def main():
    rates = {name: [] for name, *_ in FURTHER}
    rates["square-vs-line, 3.6 million battles with all costs"] = []
    base, fixed, front, flank = [], [], [], []
    for _ in range(ROUNDS):
        base.append(numpy_rate(reference_duel, reference_duel.CELLS))
        for name, path, cells, few, many, _, more in FURTHER:
            rates[name].append(further(path, few, many, cells, *more))
        rates["square-vs-line, 3.6 million battles with all costs"].append(all_costs())
        fixed.append(fight(study("studies", "refduel.toml"), 1)[0])
        front.append(exact_seconds(0))
        flank.append(exact_seconds(1))
    wanted = {name: ratio for name, *_, ratio, _ in FURTHER} | {"square-vs-line, 3.6 million battles with all costs": 0.2}
    lines = [f"One core of: {machine()}. Medians of {ROUNDS} rounds in one go; in each round, a ratio to NumPy's reference duel.", ""]
    lines += ["| work | a processor second | beside NumPy's duels | in the rounds | wanted |", "|---|---|---|---|---|"]
    lines.append(f"| reference duel in NumPy | {middle(base):,.0f} duels | 1 | | |")
    for name, found in rates.items():
        ratios = [rate / numpy for rate, numpy in zip(found, base)]
        lines.append(f"| {name} | {middle(found):,.0f} battles | {middle(ratios):.3g} | {spread(ratios)} | {wanted[name] or ''} |")
    for name, found in (("refduel, everything but its battles", fixed), ("exact, a cell from the front", front),
                        ("exact, a cell from the flank", flank)):
        lines.append(f"| {name} | {middle(found):.2f} s | | {spread(found)} s | |")
    text = "\n".join(lines) + "\n"
    print(text)
    folder = os.path.join(ROOT, "results", "bench")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "workloads.md"), "w") as file:
        file.write(text)
    with open(os.path.join(folder, "workloads.json"), "w") as file:
        json.dump({"machine": machine(), "numpy": base, "rates": rates, "fixed_s": fixed, "exact_front_s": front, "exact_flank_s": flank}, file, indent=1)


main()
