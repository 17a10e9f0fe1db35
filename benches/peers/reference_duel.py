"""The reference duel of packs/refduel: one blow and a nerve test a turn, twelve turns."""

from fractions import Fraction
from random import random

import numpy as np

# Side a's die has +0 to +3, as in the cells of studies/refduel.toml.
CELLS = (0, 1, 2, 3)
STRENGTH, TURNS = 12, 12


def duel(edge):
    """One duel in plain Python, which numba compiles as it is: 0 if a wins, 1 if b does, 2 for a draw."""
    a, b = STRENGTH, STRENGTH
    for _ in range(TURNS):
        margin = int(random() * 6) - int(random() * 6) + edge
        if margin > 0:
            b -= margin
        elif margin < 0:
            a += margin
        else:
            a -= 1
            b -= 1
        a_lost = a <= 0 or a < 6 and int(random() * 6) + int(random() * 6) > 6
        b_lost = b <= 0 or b < 6 and int(random() * 6) + int(random() * 6) > 6
        if a_lost or b_lost:
            return 2 if a_lost and b_lost else 1 if a_lost else 0
    return 2


def numpy_batch(rng, count, edge):
    """This many duels at once: wins of a, wins of b, draws."""
    a, b = np.full(count, STRENGTH, np.int8), np.full(count, STRENGTH, np.int8)
    odds = np.zeros(3, int)
    for _ in range(TURNS):
        dice = rng.integers(1, 7, (2, len(a)), dtype=np.int8)
        margin = dice[0] - dice[1] + np.int8(edge)
        tie = margin == 0
        b -= np.maximum(margin, 0) + tie
        a -= np.maximum(-margin, 0) + tie
        lost = []
        for side in (a, b):
            gone = side <= 0
            tests = np.flatnonzero((side < 6) & ~gone)
            dice = rng.integers(1, 7, (2, len(tests)), dtype=np.int8)
            gone[tests] = dice[0] + dice[1] > 8
            lost.append(gone)
        both = np.count_nonzero(lost[0] & lost[1])
        odds += (np.count_nonzero(lost[1]) - both, np.count_nonzero(lost[0]) - both, both)
        going = ~(lost[0] | lost[1])
        a, b = a[going], b[going]
    odds[2] += len(a)
    return odds


def exact(edge, margins, sums):
    """The odds, from the distributions {value: probability} of d6 - d6 and of 2d6 that a library gives."""
    breaks = sum(chance for value, chance in sums.items() if value > 8)
    states, odds = {(STRENGTH, STRENGTH): Fraction(1)}, [Fraction(0)] * 3
    for _ in range(TURNS):
        after = {}
        for (a, b), weight in states.items():
            for margin, chance in margins.items():
                margin += edge
                hit = (1, 1) if margin == 0 else (max(-margin, 0), max(margin, 0))
                left = (a - hit[0], b - hit[1])
                after[left] = after.get(left, 0) + weight * chance
        states = {}
        for (a, b), weight in after.items():
            a_breaks, b_breaks = (1 if side <= 0 else breaks if side < 6 else 0 for side in (a, b))
            odds[0] += weight * (1 - a_breaks) * b_breaks
            odds[1] += weight * a_breaks * (1 - b_breaks)
            odds[2] += weight * a_breaks * b_breaks
            stays = (1 - a_breaks) * (1 - b_breaks)
            if stays:
                states[a, b] = weight * stays
    odds[2] += sum(states.values())
    return [float(chance) for chance in odds]


def icepool_odds(edge):
    import icepool
    d6 = icepool.d6
    read = lambda die: {value: Fraction(weight, die.denominator()) for value, weight in die.items()}
    return exact(edge, read(d6 - d6), read(2 @ d6))


def dyce_odds(edge):
    from dyce import H
    read = lambda h: {value: Fraction(weight, h.total) for value, weight in h.items()}
    return exact(edge, read(H(6) - H(6)), read(2 @ H(6)))
