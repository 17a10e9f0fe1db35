"""The duel of forty dice in forty-dice/pack.toml, which gives the rules clause by clause."""

from random import random

import numpy as np

CELLS = (0,)
FIGURES, TURNS = 12, 12
STEADY, SHAKEN, BROKEN = 0, 1, 2
LINE, COLUMN, LOOSE, SQUARE = 0, 1, 2, 3


def duel(_cell):
    """One duel in plain Python, which numba compiles as it is: 0 if a wins, 1 if b does, 2 for a draw."""
    figures, morale, formation = [FIGURES, FIGURES], [STEADY, STEADY], [LINE, LINE]
    for turn in range(1, TURNS + 1):
        for me in range(2):
            foe = 1 - me
            if morale[me] == SHAKEN:
                target = 7 + (figures[me] >= 9) - (figures[me] <= 4) + (formation[me] == COLUMN) + (morale[foe] == SHAKEN)
                if int(random() * 6) + int(random() * 6) + 2 <= target:
                    morale[me] = STEADY
            if morale[me] == SHAKEN:
                formation[me] = COLUMN
            elif turn == 1 and figures[me] >= 10:
                formation[me] = LOOSE
            elif turn >= 4 and figures[foe] < figures[me]:
                formation[me] = COLUMN
            elif figures[me] <= 6 and formation[foe] == COLUMN:
                formation[me] = SQUARE
            elif turn >= 2:
                formation[me] = LINE
            need = 6 - (turn >= 3) + (formation[me] == COLUMN) + (morale[me] == SHAKEN) - (formation[foe] == COLUMN) \
                - (formation[foe] == SQUARE) + (formation[foe] == LOOSE)
            hits = 0
            for _ in range((figures[me] + 2) // 3):
                hits += int(random() * 6) + 1 >= need
            for phase in range(2):
                my_loss, foe_loss = 0, 0
                if phase == 0:
                    foe_loss = min(hits, figures[foe])
                elif turn >= 4 and morale[me] == STEADY and formation[me] != LOOSE and figures[foe] < figures[me]:
                    margin = int(random() * 6) + int(random() * 6) - int(random() * 6) - int(random() * 6) \
                        + (formation[me] == COLUMN) - (formation[foe] == COLUMN) + (morale[foe] == SHAKEN) + 1
                    if margin > 0:
                        foe_loss = min(2 if margin >= 5 else 1, figures[foe])
                        if margin >= 5:
                            morale[foe] += 1
                    elif margin == 0:
                        foe_loss, my_loss = 1, 1
                    else:
                        my_loss = min(2 if margin <= -5 else 1, figures[me])
                        if margin <= -5:
                            morale[me] += 1
                figures[foe] -= foe_loss
                figures[me] -= my_loss
                for side in range(2):
                    loss = my_loss if side == me else foe_loss
                    if loss > 0 and figures[side] == 0:
                        morale[side] = BROKEN
                    elif loss > 0 and morale[side] < BROKEN:
                        target = 8 + (figures[side] >= 9) - (figures[side] <= 4) - (loss >= 2) - (morale[side] == SHAKEN) \
                            + (formation[side] == COLUMN) - (formation[side] == LOOSE) + (formation[side] == SQUARE)
                        roll = int(random() * 6) + int(random() * 6) + 2
                        if roll > target + 3:
                            morale[side] = BROKEN
                        elif roll > target:
                            morale[side] += 1
                if morale[0] >= BROKEN or morale[1] >= BROKEN:
                    return 2 if morale[0] >= BROKEN and morale[1] >= BROKEN else 1 if morale[0] >= BROKEN else 0
    return 2


def two_dice(rng, count):
    dice = rng.integers(1, 7, (2, count), dtype=np.int8)
    return dice[0] + dice[1]


def numpy_batch(rng, count, _cell):
    """This many duels at once: wins of a, wins of b, draws."""
    # Rows: figures, morale and formation of a, then of b.
    state = np.zeros((6, count), np.int8)
    state[0] = state[3] = FIGURES
    odds = np.zeros(3, int)

    def test(side, loss):
        """Tests the morale of units that lost figures."""
        figures, morale, formation = state[3 * side:3 * side + 3]
        morale[(loss > 0) & (figures == 0)] = BROKEN
        at = np.flatnonzero((loss > 0) & (morale < BROKEN))
        f, m, o, l = figures[at], morale[at], formation[at], loss[at]
        target = np.int8(8) + (f >= 9) - (f <= 4).view(np.int8) - (l >= 2).view(np.int8) - (m == SHAKEN).view(np.int8) \
            + (o == COLUMN) - (o == LOOSE).view(np.int8) + (o == SQUARE)
        roll = two_dice(rng, len(at))
        morale[at] = np.where(roll > target + 3, BROKEN, m + (roll > target))

    def drop_ended():
        """Counts the duels that are over, and keeps the others."""
        nonlocal state
        a, b = state[1] >= BROKEN, state[4] >= BROKEN
        over = a | b
        both = np.count_nonzero(a & b)
        odds[:] += (np.count_nonzero(b) - both, np.count_nonzero(a) - both, both)
        if over.any():
            state = state[:, ~over]

    for turn in range(1, TURNS + 1):
        for me in range(2):
            foe = 1 - me
            figures, morale, formation = state[3 * me:3 * me + 3]
            his_figures, his_morale, his_formation = state[3 * foe:3 * foe + 3]
            at = np.flatnonzero(morale == SHAKEN)
            f = figures[at]
            target = np.int8(7) + (f >= 9) - (f <= 4).view(np.int8) + (formation[at] == COLUMN) + (his_morale[at] == SHAKEN)
            morale[at] = two_dice(rng, len(at)) > target
            shaken = morale == SHAKEN
            ahead = his_figures < figures
            then = np.where((figures <= 6) & (his_formation == COLUMN), SQUARE, LINE if turn >= 2 else formation)
            if turn >= 4:
                then = np.where(ahead, COLUMN, then)
            if turn == 1:
                then = np.where(figures >= 10, LOOSE, then)
            formation[:] = np.where(shaken, COLUMN, then)
            need = np.int8(6 - (turn >= 3)) + (formation == COLUMN) + shaken + (his_formation == LOOSE) \
                - ((his_formation == COLUMN) | (his_formation == SQUARE)).view(np.int8)
            count = (figures + 2) // 3
            dice = rng.integers(1, 7, (4, len(count)), dtype=np.int8) >= need
            hits = dice[0].view(np.int8) + (dice[1] & (count > 1)) + (dice[2] & (count > 2)) + (dice[3] & (count > 3))
            hits = np.minimum(hits, his_figures)
            his_figures -= hits
            test(foe, hits)
            drop_ended()
            if turn < 4:
                continue
            figures, morale, formation = state[3 * me:3 * me + 3]
            his_figures, his_morale, his_formation = state[3 * foe:3 * foe + 3]
            at = np.flatnonzero((morale == STEADY) & (formation != LOOSE) & (his_figures < figures))
            margin = two_dice(rng, len(at)) - two_dice(rng, len(at)) + np.int8(1) + (formation[at] == COLUMN) \
                - (his_formation[at] == COLUMN).view(np.int8) + (his_morale[at] == SHAKEN)
            losses = {}
            for side, ahead in ((foe, margin), (me, -margin)):
                loss = np.zeros(state.shape[1], np.int8)
                loss[at] = np.minimum((ahead >= 0).view(np.int8) + (ahead >= 5), state[3 * side, at])
                state[3 * side] -= loss
                state[3 * side + 1, at] += ahead >= 5
                losses[side] = loss
            for side in (0, 1):
                test(side, losses[side])
            drop_ended()
    odds[2] += state.shape[1]
    return odds


def exact(two, pools):
    """The odds, from distributions {value: probability}: of 2d6, and of hits by the number of dice and the score that they need."""
    morale_after = {}

    def tested(side, loss):
        """The possible units (figures, morale, formation) after a loss: [(chance, unit)]."""
        figures, morale, formation = side
        if loss == 0:
            return [(1.0, side)]
        figures -= loss
        if figures == 0 or morale >= BROKEN:
            return [(1.0, (figures, BROKEN, formation))]
        key = (figures, morale, formation, loss >= 2)
        if key not in morale_after:
            target = 8 + (figures >= 9) - (figures <= 4) - (loss >= 2) - (morale == SHAKEN) \
                + (formation == COLUMN) - (formation == LOOSE) + (formation == SQUARE)
            fails = [sum(chance for roll, chance in two.items() if roll > limit) for limit in (target, target + 3)]
            chances = {}
            for chance, then in ((1 - fails[0], morale), (fails[0] - fails[1], morale + 1), (fails[1], BROKEN)):
                chances[then] = chances.get(then, 0) + chance
            morale_after[key] = [(chance, (figures, then, formation)) for then, chance in chances.items() if chance]
        return morale_after[key]

    apart = {}
    for mine, p in two.items():
        for his, q in two.items():
            apart[mine - his] = apart.get(mine - his, 0) + p * q
    states, odds = {((FIGURES, STEADY, LINE), (FIGURES, STEADY, LINE)): 1.0}, [0.0] * 3

    def collect(results, me):
        """The states with their chances; duels that are over are added to the odds."""
        kept = {}
        for chance, mine, his in results:
            if mine[1] >= BROKEN or his[1] >= BROKEN:
                winner = 2 if mine[1] >= BROKEN and his[1] >= BROKEN else me if his[1] >= BROKEN else 1 - me
                odds[winner] += chance
            else:
                kept[mine, his] = kept.get((mine, his), 0) + chance
        return kept

    for turn in range(1, TURNS + 1):
        for me in range(2):
            results = []
            for (mine, his), weight in states.items():
                ways = [(weight, mine)]
                if mine[1] == SHAKEN:
                    target = 7 + (mine[0] >= 9) - (mine[0] <= 4) + (mine[2] == COLUMN) + (his[1] == SHAKEN)
                    rallies = sum(chance for roll, chance in two.items() if roll <= target)
                    ways = [(weight * rallies, (mine[0], STEADY, mine[2])), (weight * (1 - rallies), mine)]
                for weight, (figures, morale, formation) in ways:
                    if morale == SHAKEN:
                        formation = COLUMN
                    elif turn == 1 and figures >= 10:
                        formation = LOOSE
                    elif turn >= 4 and his[0] < figures:
                        formation = COLUMN
                    elif figures <= 6 and his[2] == COLUMN:
                        formation = SQUARE
                    elif turn >= 2:
                        formation = LINE
                    need = 6 - (turn >= 3) + (formation == COLUMN) + (morale == SHAKEN) - (his[2] in (COLUMN, SQUARE)) + (his[2] == LOOSE)
                    for hits, chance in pools[(figures + 2) // 3, need].items():
                        for then, after in tested(his, min(hits, his[0])):
                            results.append((weight * chance * then, (figures, morale, formation), after))
            states = collect(results, me)
            results = []
            for (mine, his), weight in states.items():
                if not (turn >= 4 and mine[1] == STEADY and mine[2] != LOOSE and his[0] < mine[0]):
                    results.append((weight, mine, his))
                    continue
                more = 1 + (mine[2] == COLUMN) - (his[2] == COLUMN) + (his[1] == SHAKEN)
                for margin, chance in apart.items():
                    margin += more
                    after = []
                    for side, ahead in ((mine, -margin), (his, margin)):
                        side = (side[0], side[1] + (ahead >= 5), side[2])
                        after.append(tested(side, min((ahead >= 0) + (ahead >= 5), side[0])))
                    for p, first in after[0]:
                        for q, second in after[1]:
                            results.append((weight * chance * p * q, first, second))
            states = collect(results, me)
            states = {(his, mine): weight for (mine, his), weight in states.items()}
    odds[2] += sum(states.values())
    return odds


def icepool_odds(_cell):
    import icepool
    read = lambda die: {value: weight / die.denominator() for value, weight in die.items()}
    pools = {(dice, need): read(dice @ icepool.d6.map(lambda face: int(face >= need))) for dice in range(1, 5) for need in range(2, 10)}
    return exact(read(2 @ icepool.d6), pools)


def dyce_odds(_cell):
    from dyce import H
    read = lambda h: {value: weight / h.total for value, weight in h.items()}
    pools = {(dice, need): read(dice @ H([int(face >= need) for face in range(1, 7)])) for dice in range(1, 5) for need in range(2, 10)}
    return exact(read(2 @ H(6)), pools)
