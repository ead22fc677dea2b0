"""The scores of three and more players by the rules and what each player wants, where the game has few positions.

Every game is tried to its end (max-n: Luckhardt and Irani, "An algorithmic solution of n-person games", 1986). The
`wish` of the game's `claims.py` tells which scores a player prefers, and how a tie is broken `quet.certificates.aims`.
"""

from dataclasses import dataclass, field

from ..certificates import claims
from ..certificates.aims import Result, aim, result
from ..core.errors import BadParameter
from ..core.rules import AnyState, legal_moves, played
from ..core.state import key
from ..distribution.task import Answer, Task

MOST_POSITIONS = 100_000
LOOK = 256  # positions between two looks at the clock
METHOD = "max-n over all positions, of equal moves the best for the next player"


@dataclass
class _Position:
    """A position on the way from the first one, with the final scores after each of its first moves."""

    state: AnyState
    key: object
    moves: list[int]
    after: list[Result] = field(default_factory=list)


def solve(subject: claims.Subject, state: AnyState, task: Task) -> Answer:
    """The final scores of all players, open where that takes too long or positions can come again.

    Raises BadParameter for a game without a `wish`.
    """
    if subject.wish is None:
        raise BadParameter(f"{subject.id} doesn't say what each of three and more players wants, so no play is best.")
    rules = subject.rules
    known: dict[object, Result] = {}  # final scores by the position

    def found(s: AnyState) -> Result | None:
        return result(rules, s) if rules.is_over(s) else known.get(key(s))

    way = [_Position(state, key(state), legal_moves(rules, state))]
    on_way = {way[0].key}
    while way:
        position = way[-1]
        if len(position.after) == len(position.moves):
            known[position.key] = max(position.after, key=aim(subject, position.state, is_lowest=False))
            on_way.discard(way.pop().key)
            continue
        there = played(rules, position.state, position.moves[len(position.after)])
        scores = found(there)
        if scores is not None:
            position.after.append(scores)
            continue
        is_late = len(known) % LOOK == 0 and task.is_over
        if is_late or key(there) in on_way or len(known) + len(way) >= MOST_POSITIONS:
            return Answer(None, None, [], [], len(known), METHOD)
        way.append(_Position(there, key(there), legal_moves(rules, there)))
        on_way.add(way[-1].key)

    best = known[key(state)]
    s, line = state, []
    while not rules.is_over(s):
        line.append(next(move for move in legal_moves(rules, s) if found(played(rules, s, move)) == best))
        s = played(rules, s, line[-1])
    moves = [move for move in legal_moves(rules, state) if found(played(rules, state, move)) == best]
    return Answer(None, None, line, moves, len(known), METHOD, has_all_best=True, scores=list(best))
