"""Ends of games, drawn and played, with what comes out counted. A search for `quet.engine.compiled`."""

from quet.capabilities import RandomEnd
from quet.core.rules import AnySearchRules, AnyState
from quet.engine.arrays import Floats, Ints, Records, Words, unbound
from quet.engine.playouts import below

ALLOCATES = False

rules: AnySearchRules = unbound
ends: RandomEnd[AnyState] = unbound


def count(
    root: Records, work: Records, moves: list[int], rng: Words, made: Ints, scores: Floats, found: Floats, often: Ints
) -> None:
    """Write the scores of an end into each row of `found`, and add to often[player, move] for each move made.

    The rows in the second half are played move by move and counted below those of the first half.
    """
    half = len(found) // 2
    players = rules.num_players(root[0])
    for i in range(2 * half):
        work[0] = root[0]
        s = work[0]
        made[:] = 0
        if i < half:
            ends.finish(s, moves, rng, made, scores)
        else:
            while not rules.is_over(s):
                move = moves[below(rng, rules.legal_moves(s, moves))]
                made[rules.mover(s), move // 32] |= 1 << move % 32
                rules.play(s, move)
            for player in range(1, players + 1):
                scores[player] = rules.score(s, player)
        for player in range(1, players + 1):
            found[i, player] = scores[player]
            for move in range(32 * made.shape[1]):
                often[(0 if i < half else players + 1) + player, move] += made[player, move // 32] >> move % 32 & 1
