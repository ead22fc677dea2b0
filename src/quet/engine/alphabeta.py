"""Alpha-beta search for the value of a game for two, or of a solitaire. Compiled by `compiled.py`.

The value of a position is player 1's final score minus player 2's under perfect play (the other way round where the
lower score wins). `exact` is the game's own `exact.py`, which gives every position a key of 64 bits, the same for
positions that a symmetry joins. Knuth and Moore, "An analysis of alpha-beta pruning", 1975. `deepening.py` drives it.
"""

from typing import TypeVar

import numpy as np

from ..capabilities import Endgame, Keys, Order, Reach
from ..core.rules import AnySearchRules, AnyState
from .arrays import Ints, Record, Records, unbound

ALLOCATES = False

Key = TypeVar("Key", int, Ints)

rules: AnySearchRules = unbound  # bound by compiled()
exact: Keys[AnyState] = unbound
outlook: Reach[AnyState] = unbound  # exact, where it knows what can be reached, else `outlook.py`
order: Order[AnyState] = unbound  # exact, where it knows which moves look best, else `outlook.py`
endgame: Endgame[AnyState] = unbound  # exact, where it knows positions near the end, else `outlook.py`

BITS = 0  # of a move in a key, where the moves made are the key; 0 where `exact.key` is. Bound by compiled() too

EXACT, LOWER, UPPER = 1, 2, 3
UNKNOWN = 1 << 40  # larger than any value
SPREAD = 0x1E3779B97F4A7C15  # odd; 2^61 times the golden ratio: Knuth, "The Art of Computer Programming" 6.4, 1973
LOW_BITS = (1 << 62) - 1  # of a product; they are the same whether it overflows or not
FULL = (1 << 15) - 1  # the depth of an entry that rests on ends of games alone, and so holds for every depth

ENTRY = np.dtype([("key", np.int64), ("value", np.int32), ("depth", np.int16), ("kind", np.int16), ("move", np.int64)])
FRAME = np.dtype(
    [
        ("alpha", np.int64),
        ("beta", np.int64),
        ("low", np.int64),  # the bounds as they were on entering
        ("high", np.int64),
        ("best", np.int64),
        ("best_move", np.int64),
        ("key", np.int64),
        ("settled", np.int64),  # the part of the value that the table leaves out
        ("count", np.int64),  # legal moves
        ("next", np.int64),  # how many of them have been tried
        ("is_cut", np.int64),  # 1 where the value rests on a position at the depth where the search stopped
    ]
)


def difference(s: AnyState) -> int:
    """Player 1's score minus player 2's as they stand, the other way round where the lower score wins.

    In a solitaire it is the score.
    """
    value = rules.score(s, 1)
    if rules.num_players(s) > 1:
        value -= rules.score(s, 2)
    return int(-value if rules.LOWER_IS_BETTER else value)


def slot(key: Key, mask: int) -> Key:
    """The place of this key's entry in a table of mask + 1 entries; for an array of keys, an array."""
    product = (key ^ key >> 29) * SPREAD & LOW_BITS
    return (product ^ product >> 22) >> 20 & mask


def search(
    stack: Records,
    frames: Records,
    moves: Ints,
    table: Records,
    counts: Ints,
    alpha: int,
    beta: int,
    depth: int,
    most_nodes: int,
) -> int:
    """The value of stack[0] in the window alpha..beta, looking `depth` plies ahead; UNKNOWN when stopped.

    `stack`, `frames` and the rows of `moves` are room for depth + 1 plies, `table` is the transposition table (a power
    of two of entries). A position `depth` plies ahead that is not over counts as its scores stand; frames[0].is_cut
    tells whether any did. The best move is left in frames[0].best_move.

    Where moves are keys, frames[0].key says which were made before stack[0].

    counts[0] counts the positions visited, and the search stops when it has reached `most_nodes`. The same call with
    more nodes then goes on where it stopped, in ply counts[1]; a new search begins with counts[1] = 0.
    """
    mask = len(table) - 1
    ply = counts[1]
    if ply == 0:
        frames[0].alpha = alpha
        frames[0].beta = beta
    is_entering = True
    value = 0
    while True:
        f = frames[ply]
        s = stack[ply]
        is_known = False
        if is_entering:
            if counts[0] >= most_nodes:
                counts[1] = ply
                return UNKNOWN
            counts[0] += 1
            is_entering = False
            f.best_move = -1
            f.is_cut = 0
            if rules.is_over(s):
                value = difference(s)
                is_known = True
            elif ply == depth:
                value = difference(s)
                f.is_cut = 1
                is_known = True
            elif ply > 0:
                low, high = outlook.reach(s)
                if low >= f.beta or high <= f.alpha:
                    value = low if low >= f.beta else high
                    is_known = True
                elif endgame.is_near_end(s):
                    value = endgame.ending(s, f.alpha, f.beta)
                    is_known = True
            if not is_known:
                f.settled = outlook.settled(s)
                if BITS == 0:
                    f.key = exact.key(s)
                elif ply > 0:
                    f.key = key_of_moves(frames[ply - 1].key, moves[ply - 1, frames[ply - 1].next - 1])
                key = f.key
                f.low = f.alpha
                f.high = f.beta
                t = table[slot(key, mask)]
                hint = -1
                if t.kind != 0 and t.key == key:
                    hint = t.move
                    # The root needs a best move too, and the entry's move may belong to a mirror image.
                    if (
                        ply > 0
                        and (t.depth == depth - ply or t.depth == FULL)
                        and (
                            t.kind == EXACT
                            or (t.kind == LOWER and t.value + f.settled >= f.beta)
                            or (t.kind == UPPER and t.value + f.settled <= f.alpha)
                        )
                    ):
                        value = int(t.value + f.settled)
                        f.is_cut = 0 if t.depth == FULL else 1
                        is_known = True
                if not is_known:
                    f.count = rules.legal_moves(s, moves[ply])
                    order.arrange(s, moves[ply], f.count)
                    f.next = 0
                    f.best = -UNKNOWN if rules.mover(s) == 1 else UNKNOWN
                    for i in range(f.count):
                        if moves[ply, i] == hint:
                            moves[ply, i] = moves[ply, 0]
                            moves[ply, 0] = hint
                            break
        if not is_known and (f.next == f.count or f.alpha >= f.beta):
            value = int(f.best)
            t = table[slot(f.key, mask)]
            t.key = f.key
            t.value = value - f.settled
            t.depth = depth - ply if f.is_cut else FULL
            t.kind = UPPER if value <= f.low else LOWER if value >= f.high else EXACT
            t.move = f.best_move
            is_known = True
        if is_known:
            if ply == 0:
                return value
            ply -= 1
            frames[ply].is_cut |= f.is_cut
            update(frames[ply], stack[ply], moves[ply], value)
            continue
        stack[ply + 1] = s
        rules.play(stack[ply + 1], moves[ply, f.next])
        f.next += 1
        frames[ply + 1].alpha = f.alpha
        frames[ply + 1].beta = f.beta
        ply += 1
        is_entering = True


def key_of_moves(earlier: int, move: int) -> int:
    """The key of the moves that the earlier key stands for and of this one: the largest last, in `BITS` bits each."""
    place = 0  # of this move, in bits
    while earlier >> place & ((1 << BITS) - 1) > move + 1:
        place += BITS
    return int((earlier >> place << BITS | move + 1) << place | earlier & ((1 << place) - 1))


def answers(
    stack: Records,
    frames: Records,
    moves: Ints,
    table: Records,
    counts: Ints,
    positions: Records,
    found: Ints,
    best: Ints,
    alpha: int,
    beta: int,
    depth: int,
    most_nodes: int,
    most_each: int,
) -> bool:
    """Search one position after the other in the window; return whether that was done before it was stopped.

    found[i] becomes the value of positions[i], as `search` has it, or UNKNOWN where that would take more than
    `most_each` positions. best[i] becomes the move that proves it for the mover, or -1 where the value was known
    without a search. The other arguments are those of `search`, but counts[2] counts the answers, and counts[3] is what
    counts[0] was when the search for the next one began. The same call with more nodes goes on where it stopped, and a
    new one begins with counts[1] = counts[2] = 0.
    """
    while counts[2] < len(positions):
        i = counts[2]
        s = positions[i]
        is_known = False
        value = 0
        if counts[1] == 0:
            if counts[0] >= most_nodes:
                return False
            counts[3] = counts[0]
            stack[0] = s
            frames[0].best_move = -1
            low, high = outlook.reach(s)
            if rules.is_over(s):
                value = difference(s)
                is_known = True
            elif low >= beta or high <= alpha:
                value = low if low >= beta else high
                is_known = True
            elif endgame.is_near_end(s):
                value = endgame.ending(s, alpha, beta)
                is_known = True
        if not is_known:
            most = min(most_nodes, counts[3] + most_each)
            value = search(stack, frames, moves, table, counts, alpha, beta, depth, most)
            if value == UNKNOWN and most == most_nodes:
                return False
            counts[1] = 0
        found[i] = value
        best[i] = frames[0].best_move
        counts[2] += 1
    return True


def update(f: Record, s: AnyState, moves: Ints, value: int) -> None:
    """The move tried last from s is worth `value`: keep it if it is the best so far, and narrow the window."""
    if rules.mover(s) == 1:
        if value > f.best:
            f.best = value
            f.best_move = moves[f.next - 1]
        f.alpha = max(f.alpha, value)
    else:
        if value < f.best:
            f.best = value
            f.best_move = moves[f.next - 1]
        f.beta = min(f.beta, value)
