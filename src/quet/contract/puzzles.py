"""The part of the contract that puzzles rely on: each can be reached, and its values and replies are right."""

import pickle
import random
import re
from collections.abc import Iterator

from .. import puzzles
from ..catalog import Entry
from ..core.errors import BrokenRules
from ..core.rules import legal_moves
from ..game import Game
from ..puzzles.check import BadPuzzle, check
from ..puzzles.puzzle import TRIES
from .trials import require

CHECKED = 4  # puzzles of a game; `quet puzzles check` checks all


def puzzles_are_right(entry: Entry) -> None:
    """Some puzzles of the game are checked in a second way, and accept only moves that have values, and come out the
    same when played again. None of all is one that level:1 solves half of the time.
    """
    found = puzzles.of(entry.id)
    for puzzle in found:
        if 2 * puzzle.found[0] >= TRIES:
            raise BrokenRules(f"Puzzle {puzzle.id} is too easy: the first level solves it in half of its tries.")
    for puzzle in random.Random(entry.id).sample(found, min(CHECKED, len(found))):
        try:
            check(puzzle)
        except BadPuzzle as error:
            raise BrokenRules(str(error)) from None
        game = puzzle.position()
        for move in _others(entry, game):
            has_value = move in puzzle.values or not game.is_legal(move)
            require(has_value, f"Puzzle {puzzle.id}: {move} is accepted, but not listed among the legal moves.")
        _twins_are_equal(game, puzzle.id)


def _twins_are_equal(game: Game, id: str) -> None:
    """Whatever leads to the position a second time leads to an equal one, with the same moves."""
    undone = game.copy()
    undone.play(game.legal_moves[0])
    undone.undo()
    twins = {"a copy": game.copy(), "pickle": pickle.loads(pickle.dumps(game)), "undo": undone}
    for name, twin in twins.items():
        is_alike = twin == game and twin.moves == game.moves and list(twin.legal_moves) == list(game.legal_moves)
        require(is_alike and twin.rules is game.rules, f"Puzzle {id}: what {name} makes is not equal.")


def _others(entry: Entry, game: Game) -> Iterator[str]:
    """What people might try in a puzzle: what the game itself allows, and the next number in place of a legal one."""
    for number in legal_moves(entry.rules, game.state):
        move = entry.rules.move_text(game.state, number)
        yield move
        yield re.sub("[0-9]+$", lambda digits: str(int(digits[0]) + 1), move)
