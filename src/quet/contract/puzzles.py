"""The part of the contract that puzzles rely on: each can be reached, and its values and replies are right."""

import random

from .. import puzzles
from ..catalog import Entry
from ..core.errors import BrokenRules
from ..puzzles.check import BadPuzzle, check
from ..puzzles.puzzle import TRIES

CHECKED = 4  # puzzles of a game; `quet puzzles check` checks all


def puzzles_are_right(entry: Entry) -> None:
    """Some puzzles of the game are checked in a second way, and none of all is one that level:1 solves half of the
    time.
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
