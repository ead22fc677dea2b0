"""Alpha-beta for a game for two that values positions at its horizon by learned weights. Compiled by `compiled.py`.

A position is the sum of its patterns (`capabilities.Patterns`), and each pattern has a weight for each number of plies
left. In one search all positions at the horizon have the same number of plies left, so that they can be compared. The
moves of the last ply aren't played: what they change of the sum is enough. Moves that seem hopeless by their weights
aren't looked into, a static form of ProbCut (Buro, ICCA Journal 18, 1995). `horizon_search.py` drives it.
"""

import numpy as np

from ..capabilities import Patterns
from ..core.rules import AnyState
from . import alphabeta
from .alphabeta import EXACT, FULL, LOWER, UPPER
from .arrays import Ints, Record, Records, Words, unbound
from .playouts import below

ALLOCATES = False
UNKNOWN = alphabeta.UNKNOWN  # larger than any value

rules: Patterns[AnyState] = unbound  # bound by compiled()

POINT = 256  # what a point is worth in weights and values

ENTRY = np.dtype(
    [("key", "i8"), ("value", "i4"), ("move", "i4"), ("depth", "i2"), ("kind", "i1"), ("age", "i1")], align=True
)
FRAME = np.dtype(
    [
        ("alpha", np.int64),
        ("beta", np.int64),
        ("low", np.int64),  # the bounds as they were on entering
        ("high", np.int64),
        ("best", np.int64),
        ("best_move", np.int64),
        ("key", np.int64),
        ("count", np.int64),  # legal moves
        ("next", np.int64),  # how many of them have been tried
        ("is_cut", np.int64),  # 1 where the value rests on weights
        ("begun", np.int64),  # nodes when the move that is tried was begun
        ("settled", np.int64),  # the part of the value that the table leaves out
    ]
)


def final(s: AnyState) -> int:
    """Player 1's score less player 2's, of a game that is over."""
    value = (rules.score(s, 1) - rules.score(s, 2)) * POINT
    return int(-value if rules.LOWER_IS_BETTER else value)


def estimate(s: AnyState, weights: Ints, active: list[int]) -> int:
    """What one row of weights says of a position: what is settled, the sum over its patterns, and the last weight.

    `active` is room for the patterns.
    """
    count = rules.patterns(s, active)
    total = int(rules.settled(s) * POINT + weights[len(weights) - 1])
    for i in range(count):
        total += weights[active[i]]
    return total


def value_moves(
    s: AnyState, moves: list[int], values: Ints, count: int, weights: Ints, active: list[int], room: list[int]
) -> None:
    """Write to `values` what each of the moves leads to, by the weights for one ply less."""
    base = estimate(s, weights, active)
    for i in range(count):
        values[i] = base + change(s, moves[i], weights, active, room)


def change(s: AnyState, move: int, weights: Ints, gone: list[int], come: list[int]) -> int:
    """By how much a move changes the estimate; `gone` and `come` are room for patterns."""
    num_gone, num_come = rules.changes(s, move, gone, come)
    value = rules.gain(s, move) * POINT
    for k in range(num_gone):
        value -= int(weights[gone[k]])
    for k in range(num_come):
        value += int(weights[come[k]])
    return value


def best_move(
    s: AnyState, moves: list[int], count: int, sign: int, bound: int, weights: Ints, active: list[int], room: list[int]
) -> tuple[int, int]:
    """The best for the mover of what the moves lead to, by the weights for one ply less; and how many were looked at.

    `sign` is 1 for player 1 and -1 for player 2. The first move that is as good as `bound` is enough.
    """
    base = estimate(s, weights, active)
    best = -UNKNOWN
    for i in range(count):
        best = max(best, sign * (base + change(s, moves[i], weights, active, room)))
        if best >= sign * bound:
            return sign * best, i + 1
    return sign * best, count


def best_end(s: AnyState, after: Records, moves: list[int], count: int, sign: int, bound: int) -> tuple[int, int]:
    """The same where the game ends after each of the moves; the values are exact. `after[0]` is room for a position."""
    best = -UNKNOWN
    for i in range(count):
        after[0] = s
        rules.play(after[0], moves[i])
        best = max(best, sign * final(after[0]))
        if best >= sign * bound:
            return sign * best, i + 1
    return sign * best, count


def arrange(moves: list[int], values: Ints, count: int, sign: int, hint: int) -> None:
    """Sort the moves by their values times `sign`, the largest first, but the move `hint` before all."""
    for i in range(1, count):
        move, value = moves[i], values[i]
        k = i
        while k > 0 and sign * values[k - 1] < sign * value:
            moves[k], values[k] = moves[k - 1], values[k - 1]
            k -= 1
        moves[k], values[k] = move, value
    for i in range(1, count):
        if moves[i] == hint:
            value = values[i]
            for k in range(i, 0, -1):
                moves[k], values[k] = moves[k - 1], values[k - 1]
            moves[0], values[0] = hint, value


def look(
    s: AnyState, after: Records, moves: list[int], values: Ints, weights: Ints, active: list[int], room: list[int]
) -> int:
    """How many legal moves there are; `moves` and `values` get the moves and what each leads to.

    The values are exact where the game ends. `after[0]` is room for a position.
    """
    count = int(rules.legal_moves(s, moves))
    left = rules.plies_left(s) - 1
    if left > 0:
        value_moves(s, moves, values, count, weights[left], active, room)
    else:
        for i in range(count):
            after[0] = s
            rules.play(after[0], moves[i])
            values[i] = final(after[0])
    return count


def search(
    stack: Records,
    frames: Records,
    moves: Ints,
    values: Ints,
    roots: Ints,
    table: Records,
    counts: Ints,
    weights: Ints,
    active: list[int],
    room: list[int],
    margins: Ints,
    depth: int,
    most_nodes: int,
) -> int:
    """The value of stack[0], which isn't over, looking `depth` plies ahead, at least 2; UNKNOWN when stopped.

    `stack`, `frames` and the rows of `moves` and `values` are room for depth + 1 plies, `table` is the transposition
    table (a power of two of entries), `active` and `room` have room for all patterns of a position. `weights` has a
    row for each number of plies left. A move isn't looked into where by its weights it misses the window by `margins`
    of the plies left, or more; at the root all moves are looked into. frames[0].is_cut tells whether the value rests
    on weights. The best move is left in frames[0].best_move; roots[move] gets the value of each move that was tried
    at the root, and the nodes below it.

    counts[0] counts nodes, moves of the last ply among them, and the search stops when it has reached `most_nodes`. The
    same call with more nodes goes on where it stopped, in ply counts[1]; a new search begins with counts[1] = -1.
    counts[2] is the table's age: entries of an older one are replaced first.
    """
    mask = len(table) - 1
    ply = counts[1]
    is_entering = ply < 0
    if is_entering:
        ply = 0
        frames[0].alpha = -UNKNOWN
        frames[0].beta = UNKNOWN
    value = 0
    while True:
        f = frames[ply]
        s = stack[ply]
        is_known = False
        if is_entering:
            if counts[0] >= most_nodes:
                counts[1] = ply - 1
                if ply > 0:  # so that it is entered again
                    frames[ply - 1].next -= 1
                return UNKNOWN
            counts[0] += 1
            is_entering = False
            f.best_move = -1
            f.is_cut = 0
            sign = 1 if rules.mover(s) == 1 else -1
            if depth - ply == 1:
                bound = f.beta if sign == 1 else f.alpha
                count = int(rules.legal_moves(s, moves[ply]))
                left = rules.plies_left(s) - 1
                if left > 0:
                    value, count = best_move(s, moves[ply], count, sign, bound, weights[left], active, room)
                    f.is_cut = 1
                else:
                    value, count = best_end(s, stack[ply + 1 :], moves[ply], count, sign, bound)
                counts[0] += count
                is_known = True
            else:
                f.key = rules.key(s)
                f.settled = rules.settled(s) * POINT
                f.low = f.alpha
                f.high = f.beta
                t = table[alphabeta.slot(f.key, mask)]
                hint = -1
                if t.kind != 0 and t.key == f.key:
                    hint = t.move
                    if ply > 0 and is_enough(t, f, depth - ply):
                        value = int(t.value + f.settled)
                        f.is_cut = 0 if t.depth == FULL else 1
                        is_known = True
                if not is_known:
                    f.count = look(s, stack[ply + 1 :], moves[ply], values[ply], weights, active, room)
                    arrange(moves[ply], values[ply], f.count, sign, hint)
                    f.next = 0
                    f.best = -sign * UNKNOWN
        if not is_known and (f.next == f.count or f.alpha >= f.beta):
            value = int(f.best)
            keep(table, f, depth - ply, counts[2], mask)
            is_known = True
        if is_known:
            if ply == 0:
                return value
            ply -= 1
            frames[ply].is_cut |= f.is_cut
            f = frames[ply]
            move = moves[ply, f.next - 1]
            if ply == 0:
                roots[move, 0] = value
                roots[move, 1] = counts[0] - f.begun
            if rules.mover(stack[ply]) == 1:
                if value > f.best:
                    f.best = value
                    f.best_move = move
                f.alpha = max(f.alpha, value)
            else:
                if value < f.best:
                    f.best = value
                    f.best_move = move
                f.beta = min(f.beta, value)
            continue
        if f.next > 0 and ply > 0:
            margin = margins[rules.plies_left(s)]
            is_hopeless = (
                values[ply, f.next] + margin <= f.alpha
                if rules.mover(s) == 1
                else values[ply, f.next] - margin >= f.beta
            )
            if is_hopeless:  # and so are the moves after it
                f.next = f.count
                f.is_cut = 1
                continue
        stack[ply + 1] = s
        rules.play(stack[ply + 1], moves[ply, f.next])
        f.begun = counts[0]
        f.next += 1
        frames[ply + 1].alpha = f.alpha
        frames[ply + 1].beta = f.beta
        ply += 1
        is_entering = True


def is_enough(t: Record, f: Record, depth: int) -> bool:
    """Whether an entry of the table tells all that the window of its position asks, looking so many plies ahead."""
    if t.depth != depth and t.depth != FULL:
        return False
    value = t.value + f.settled
    return bool(t.kind == EXACT or (t.kind == LOWER and value >= f.beta) or (t.kind == UPPER and value <= f.alpha))


def keep(table: Records, f: Record, depth: int, age: int, mask: int) -> None:
    """Write what was found below a node into the table, unless a longer look of the same age stands there."""
    t = table[alphabeta.slot(f.key, mask)]
    if t.kind != 0 and t.age == age and t.key != f.key and t.depth > depth and f.is_cut:
        return
    t.key = f.key
    t.value = f.best - f.settled
    t.depth = depth if f.is_cut else FULL
    t.kind = UPPER if f.best <= f.low else LOWER if f.best >= f.high else EXACT
    t.age = age
    t.move = f.best_move


def value_all(
    positions: Records,
    found: Ints,
    table: Records,
    counts: Ints,
    weights: Ints,
    stack: Records,
    frames: Records,
    moves: Ints,
    values: Ints,
    roots: Ints,
    active: list[int],
    room: list[int],
    margins: Ints,
    depth: int,
) -> None:
    """Write to `found` the value of each position, looking `depth` plies ahead; the rest is as `search` takes it."""
    for i in range(len(positions)):
        stack[0] = positions[i]
        s = stack[0]
        if depth == 1:
            count = int(rules.legal_moves(s, moves[0]))
            sign = 1 if rules.mover(s) == 1 else -1
            left = rules.plies_left(s) - 1
            if left > 0:
                value, _ = best_move(s, moves[0], count, sign, UNKNOWN, weights[left], active, room)
            else:
                value, _ = best_end(s, stack[1:], moves[0], count, sign, UNKNOWN)
            found[i] = value
        else:
            counts[1] = -1
            found[i] = search(
                stack, frames, moves, values, roots, table, counts, weights, active, room, margins, depth, UNKNOWN
            )


def play_game(
    stack: Records,
    moves: list[int],
    values: Ints,
    weights: Ints,
    active: list[int],
    room: list[int],
    rng: Words,
    chance: int,
) -> int:
    """Play on from stack[0] to the end, a position an entry; return how many moves were played.

    A move is random with a chance of `chance` in 1,000, and else the best by the weights for one ply less. `moves` and
    `values` have room for the moves of one position.
    """
    ply = 0
    while not rules.is_over(stack[ply]):
        s = stack[ply]
        sign = 1 if rules.mover(s) == 1 else -1
        if below(rng, 1000) < chance:
            count = int(rules.legal_moves(s, moves))
            move = moves[below(rng, count)]
        else:
            count = look(s, stack[ply + 1 :], moves, values, weights, active, room)
            best = 0
            for i in range(1, count):
                if sign * values[i] > sign * values[best]:
                    best = i
            move = moves[best]
        stack[ply + 1] = s
        rules.play(stack[ply + 1], move)
        ply += 1
    return ply


def most_patterns(positions: Records, active: list[int]) -> int:
    """The largest number of patterns that one of the positions has."""
    most = 0
    for i in range(len(positions)):
        most = max(most, int(rules.patterns(positions[i], active)))
    return most


def write_patterns(positions: Records, out: Ints, active: list[int]) -> None:
    """Write each position's patterns into its row of `out`; the rest of the row stays as it is."""
    for i in range(len(positions)):
        for k in range(rules.patterns(positions[i], active)):
            out[i, k] = active[k]


def write_keys(positions: Records, keys: Ints, settled: Ints) -> None:
    """Write each position's key, and what is settled, in parts of a point."""
    for i in range(len(positions)):
        keys[i] = rules.key(positions[i])
        settled[i] = rules.settled(positions[i]) * POINT
