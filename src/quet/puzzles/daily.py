"""The puzzle of the day: one for everybody, which follows from the date (UTC) and nothing else.

The games that have puzzles come in rounds: in each round every game once, in an order that a hash of the round's number
gives. A game's puzzles come in the order of a hash of their ids, all of them before the first comes again.
"""

import hashlib
from collections.abc import Sequence
from datetime import date
from functools import cache

from .. import games
from ..study.daily import number_of
from .puzzle import Puzzle, of


def puzzle_of(day: date) -> Puzzle:
    """The puzzle of a day from the first one on, also of a day to come. Raises NoDay before it."""
    round, turn = divmod(number_of(day), len(_games()))
    puzzles = _in_order(_order(round)[turn])
    return puzzles[round % len(puzzles)]


def _order(round: int) -> Sequence[str]:
    """The games of a round. None comes on two days in a row, also where a round ends."""
    found = _shuffled(round)
    if round and len(found) > 2 and found[0] == _shuffled(round - 1)[-1]:
        return [found[1], found[0], *found[2:]]
    return found


def _shuffled(round: int) -> list[str]:
    return sorted(_games(), key=lambda id: _hash(f"{round} {id}"))


@cache
def _games() -> Sequence[str]:
    """The games that come with Quet and have puzzles."""
    return [id for id in games.own_ids() if of(id)]


@cache
def _in_order(game_id: str) -> Sequence[Puzzle]:
    return sorted(of(game_id), key=lambda puzzle: _hash(f"{game_id} {puzzle.id}"))


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
