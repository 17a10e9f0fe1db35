"""Two duels in Grognard and in other common tools: checked to have the same odds, then timed in the same run.

Run it with `just peers`. Results go to results/bench/.
"""

import json
import math
import os
import random
import sys
import time

import matplotlib
import numba
import numpy as np

import forty_dice
import reference_duel
from measuring import BATCH, ROOT, command, fight, machine, middle, numpy_rate, spread

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

ROUNDS = int(os.environ.get("ROUNDS", "5"))
HERE = os.path.dirname(os.path.abspath(__file__))
# Name, module, study, cells, battles of a cell in the short and in the long run of the command.
DUELS = (
    ("reference duel", reference_duel, os.path.join(ROOT, "studies", "refduel.toml"), 250_000, 1_250_000),
    ("forty dice", forty_dice, os.path.join(HERE, "forty-dice.toml"), 1_000_000, 4_000_000),
)


def compiled(duel):
    one = numba.njit(duel.duel)

    @numba.njit
    def many(count, cell):
        odds = np.zeros(3, np.int64)
        for _ in range(count):
            odds[one(cell)] += 1
        return odds

    return many


def plain(duel, count, cell):
    odds = [0, 0, 0]
    for _ in range(count):
        odds[duel.duel(cell)] += 1
    return odds


def command_odds(text):
    """Shares of a's wins, b's wins and draws, by cell, as `--json` gives them."""
    odds = []
    for cell in json.loads(text)["cells"]:
        odds.append([cell["outcomes"][outcome]["mean"] for outcome in ("a", "b", "draw")])
    return odds


def check(name, duel, study, many):
    """Stops if the odds of any peer differ from the others'."""
    exact = [duel.icepool_odds(cell) for cell in duel.CELLS]
    for who, other in (("dyce", [duel.dyce_odds(cell) for cell in duel.CELLS]),
                       ("grognard exact", command_odds(command(["exact", study, "--json", "--quiet", "--no-report", "--out",
                                                                os.path.join(os.environ["SCRATCH"], duel.__name__)])[1]))):
        gap = max(abs(x - y) for ours, theirs in zip(exact, other) for x, y in zip(ours, theirs))
        print(f"{name}: {who} is at most {gap:.1g} from icepool")
        if not gap < 1e-9:
            sys.exit(f"{name}: {who} has other odds than icepool: {other}, {exact}")
    rng = np.random.Generator(np.random.SFC64(7))
    random.seed(7)
    for cell in duel.CELLS:
        sampled = (("plain Python", 20_000, plain(duel, 20_000, cell)), ("numba", 1_000_000, many(1_000_000, cell)),
                   ("NumPy", 10 * BATCH, sum(duel.numpy_batch(rng, BATCH, cell) for _ in range(10))))
        for who, count, odds in sampled:
            for found, chance in zip(odds, exact[cell]):
                away = (found / count - chance) / math.sqrt(chance * (1 - chance) / count)
                if abs(away) > 5:
                    sys.exit(f"{name}, cell {cell}: {who} is {away:.1f} standard errors from the exact odds")
    return exact


def measure(duel, study, few, many_battles, many):
    """Rates by peer: additional duels per processor second, one rate for each round."""
    rates = {"plain Python": [], "numba": [], "NumPy": [], "Grognard": []}
    cells = len(duel.CELLS)
    for _ in range(ROUNDS):
        for who, count, run in (("plain Python", 20_000, lambda cell: plain(duel, 20_000, cell)),
                                ("numba", 500_000, lambda cell: many(500_000, cell))):
            started = time.process_time()
            for cell in duel.CELLS:
                run(cell)
            rates[who].append(count * cells / (time.process_time() - started))
        rates["NumPy"].append(numpy_rate(duel, duel.CELLS))
        less, more = fight(study, few)[0], fight(study, many_battles)[0]
        rates["Grognard"].append((many_battles - few) * cells / (more - less))
    return rates


def main():
    folder = os.path.join(ROOT, "results", "bench")
    os.makedirs(folder, exist_ok=True)
    told, lines = {"machine": machine(), "duels": {}}, [f"One core of: {machine()}. Medians of {ROUNDS} rounds in one go.", ""]
    lines += ["| duel | in | duels a second | beside NumPy | in the rounds |", "|---|---|---|---|---|"]
    for name, duel, study, few, many_battles in DUELS:
        many = compiled(duel)
        for cell in duel.CELLS:
            many(10, cell)
        check(name, duel, study, many)
        rates = measure(duel, study, few, many_battles, many)
        told["duels"][name] = {}
        for who, found in rates.items():
            ratios = [rate / base for rate, base in zip(found, rates["NumPy"])]
            told["duels"][name][who] = {"rates": found, "beside_numpy": middle(ratios)}
            lines.append(f"| {name} | {who} | {middle(found):,.0f} | {middle(ratios):.3g} | {spread(ratios)} |")
            print(lines[-1])
    with open(os.path.join(folder, "peers.md"), "w") as file:
        file.write("\n".join(lines) + "\n")
    with open(os.path.join(folder, "peers.json"), "w") as file:
        json.dump(told, file, indent=1)
    draw(told, os.path.join(folder, "peers.svg"))
    write_readme(told)


def write_readme(told):
    """Replaces the table of duels in the README."""
    path = os.path.join(ROOT, "README.md")
    with open(path) as file:
        text = file.read()
    before, rest = text.split("<!-- just peers -->\n")
    after = rest.split("<!-- end -->\n")[1]
    names = list(next(iter(told["duels"].values())))
    table = [f"| duels a second, one core | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
    for duel, rates in told["duels"].items():
        table.append(f"| {duel} | {' | '.join(rounded(middle(rates[name]['rates'])) for name in names)} |")
    table += ["", f"Measured with `just peers`, which also checks that all of them give the same odds: {told['machine']}.", ""]
    with open(path, "w") as file:
        file.write(before + "<!-- just peers -->\n" + "\n".join(table) + "<!-- end -->\n" + after)


def rounded(rate):
    """A rate to two digits."""
    places = 1 - math.floor(math.log10(rate))
    return f"{round(rate, places):,.0f}"


def draw(told, path):
    figure, panels = plt.subplots(1, len(told["duels"]), figsize=(9, 2.6))
    for panel, (name, rates) in zip(panels, told["duels"].items()):
        names = list(rates)[::-1]
        values = [rates[who]["beside_numpy"] for who in names]
        bars = panel.barh(names, values, color=["#9a3324" if who == "Grognard" else "#8a8a8a" for who in names])
        panel.bar_label(bars, labels=[f" {value:.2g}" for value in values])
        panel.set_xlim(0, max(values) * 1.2)
        panel.set_title(f"{name}: duels a second, NumPy = 1", fontsize=10)
        panel.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


main()
