"""All games from a position, by the rules alone: how many there are, and what positions they come to.

Compiled by `compiled.py`.
"""

from ..core.rules import AnySearchRules
from ..core.state import Row
from .arrays import Ints, Records, unbound

ALLOCATES = False

rules: AnySearchRules = unbound  # bound by compiled()


def num_sequences(stack: Records, moves: Ints, counts: Ints, tried: Ints, depth: int, flag: Row) -> int:
    """How many sequences of exactly `depth` legal moves, at least 1, there are from stack[0]; -1 once flag[0] is 1.

    `stack`, `counts`, `tried` and the rows of `moves` are room for `depth` plies.
    """
    total = 0
    ply = 0
    counts[0] = 0 if rules.is_over(stack[0]) else rules.legal_moves(stack[0], moves[0])
    tried[0] = 0
    while ply >= 0:
        if flag[0]:
            return -1
        if ply == depth - 1:  # the last moves needn't be played
            total += counts[ply]
            ply -= 1
        elif tried[ply] == counts[ply]:
            ply -= 1
        else:
            stack[ply + 1] = stack[ply]
            s = stack[ply + 1]
            rules.play(s, moves[ply, tried[ply]])
            tried[ply] += 1
            ply += 1
            counts[ply] = 0 if rules.is_over(s) else rules.legal_moves(s, moves[ply])
            tried[ply] = 0
    return total


def look(states: Records, movers: Ints, scores: Ints) -> None:
    """Write of each state who moves, 0 where the game is over, and the players' scores."""
    for i in range(len(states)):
        s = states[i]
        movers[i] = 0 if rules.is_over(s) else rules.mover(s)
        for player in range(scores.shape[1]):
            scores[i, player] = rules.score(s, player + 1)


def expand(states: Records, room: list[int], counts: Ints, moves: Ints, after: Records) -> int:
    """Write what comes after each state by one move, its moves ascending; return how many that are.

    `counts` gets the number of moves of each state, `moves` and `after` the moves and what they lead to, one after the
    other. `room` is an integer buffer of `most_moves`.
    """
    total = 0
    for i in range(len(states)):
        counts[i] = 0 if rules.is_over(states[i]) else rules.legal_moves(states[i], room)
        sort(room, counts[i])
        for j in range(counts[i]):
            moves[total] = room[j]
            after[total] = states[i]
            rules.play(after[total], room[j])
            total += 1
    return total


def sort(numbers: list[int], count: int) -> None:
    """Sort the first `count` numbers; they are nearly sorted in most games."""
    for k in range(1, count):
        held = numbers[k]
        i = k
        while i > 0 and numbers[i - 1] > held:
            numbers[i] = numbers[i - 1]
            i -= 1
        numbers[i] = held
