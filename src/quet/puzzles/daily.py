"""The puzzle of the day: one for everybody, which follows from the date (UTC) and nothing else.

The games that have puzzles come in rounds: in each round every game once, in an order that a hash of the round's number
gives. A game's puzzles come in the order of a hash of their ids, all of them before the first comes again.

A game that is added later says in its facts from which day on it takes part (`puzzles_since`), so that the past stays
what it was. It comes from the first round on that begins then.
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache

from .. import catalog, games
from ..core.facts import puzzles_since
from ..study.daily import FIRST, number_of
from .puzzle import Puzzle, of


def puzzle_of(day: date) -> Puzzle:
    """The puzzle of a day from the first one on, also of a day to come. Raises NoDay before it."""
    number = number_of(day)
    round, first = _round_of(number)
    puzzles = _in_order(_order(round, first)[number - first])
    return puzzles[round % len(puzzles)]


def _order(round: int, first: int) -> Sequence[str]:
    """The games of a round that begins on this day. None comes on two days in a row, also where a round ends."""
    found = _shuffled(round, first)
    if round and len(found) > 2 and found[0] == _shuffled(*_round_of(first - 1))[-1]:
        return [found[1], found[0], *found[2:]]
    return found


def _shuffled(round: int, first: int) -> list[str]:
    return sorted(_there(first), key=lambda id: _hash(f"{round} {id}"))


def _round_of(number: int) -> tuple[int, int]:
    """Which round a day is in, and the first day of this round; days are numbers from 0 on."""
    round = first = 0
    while True:
        change = min((since for since in _games().values() if first < since <= number), default=number + 1)
        size = len(_there(first))
        num_rounds = -(-(change - first) // size)  # so many begin before the change, each with as many games
        if first + num_rounds * size > number:
            before = (number - first) // size
            return round + before, first + before * size
        round, first = round + num_rounds, first + num_rounds * size


def _there(number: int) -> Sequence[str]:
    """The games of a round that begins on this day."""
    return [id for id, since in _games().items() if since <= number]


@cache
def _games() -> Mapping[str, int]:
    """The games that come with Quet and have puzzles, each with the first day on which it can take part."""
    days = {id: puzzles_since(catalog.get(id).facts) for id in games.own_ids() if of(id)}
    return {id: 0 if day is None else max(0, (day - FIRST).days) for id, day in days.items()}


@cache
def _in_order(game_id: str) -> Sequence[Puzzle]:
    return sorted(of(game_id), key=lambda puzzle: _hash(f"{game_id} {puzzle.id}"))


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
