"""A second way to the values of a puzzle: every position that can come, tried by the rules alone, without pruning.

`make.py` has the values from the solvers of `knowledge`, which use tables, keys and bounds. Nothing of that is used
here. A game whose positions are too many for this has another way in its `second.py`: `position_value`.
"""

from collections.abc import Callable
from typing import cast

from ..core.errors import QuetError
from ..core.messages import say
from ..core.rules import AnyState, advantage, legal_moves
from ..core.state import copy, key
from ..game import Game
from .puzzle import Puzzle, is_playable

MOST_POSITIONS = 1_000  # that can come after a puzzle
MOST_DEPTH = 200  # moves


class BadPuzzle(QuetError):
    """A puzzle whose values aren't right."""


def check(puzzle: Puzzle) -> None:
    """Raise BadPuzzle, with a sentence, unless the position can be reached and each value and reply is right."""
    broken = is_playable(puzzle)
    if broken:
        raise BadPuzzle(say("Puzzle {id}: {what}", id=puzzle.id, what=broken))
    game = puzzle.position()
    tree = Tree(game)
    found = tree.values(game)
    if found is None:
        raise BadPuzzle(say("Puzzle {id}: too many positions can follow.", id=puzzle.id))
    if found != puzzle.values:
        raise BadPuzzle(say("Puzzle {id}: its values aren't right.", id=puzzle.id))
    for move, reply in puzzle.replies.items():
        after = game.after(move)
        answers = tree.values(after)
        if answers is None or answers[reply] != max(answers.values()):
            wrong = say("{reply} isn't the best reply to {move}.", reply=reply, move=move)
            raise BadPuzzle(say("Puzzle {id}: {what}", id=puzzle.id, what=wrong))


def values(game: Game) -> dict[str, int] | None:
    """For each legal move the mover's final advantage under perfect play, as `exact_values` has it; None where too many
    positions can follow.
    """
    return Tree(game).values(game)


class Tree:
    """The positions that can come after one, with their values for player 1; it keeps them for the next question."""

    def __init__(self, game: Game) -> None:
        """It keeps MOST_POSITIONS of the rules of the game's puzzles, if they name it, else of this module."""
        self._rules = game.rules
        self._most = int(getattr(game.rules, "MOST_POSITIONS", MOST_POSITIONS))
        self._known: dict[object, int] = {}
        own = getattr(game.entry.second, "position_value", None)
        self._own = cast(Callable[[AnyState], int | None] | None, own)

    def values(self, game: Game) -> dict[str, int] | None:
        """As the function `values`, for the position of the tree or one that comes after it."""
        found = {}
        sign = -1 if game.mover == 2 else 1
        for move in game.legal_numbers():
            after = copy(game.state)
            self._rules.play(after, move)
            value = self._value(after)
            if value is None:
                return None
            found[self._rules.move_text(game.state, move)] = sign * value
        return found

    def _value(self, s: AnyState, depth: int = 0) -> int | None:
        if self._rules.is_over(s):
            return advantage(self._rules, s)
        if self._own is not None:
            return self._own(s)
        name = key(s)
        if name in self._known:
            return self._known[name]
        if len(self._known) >= self._most or depth > MOST_DEPTH:
            return None
        found = []
        for move in legal_moves(self._rules, s):
            after = copy(s)
            self._rules.play(after, move)
            value = self._value(after, depth + 1)
            if value is None:
                return None
            found.append(value)
        best = (max if self._rules.mover(s) == 1 else min)(found)
        self._known[name] = best
        return best
