"""A second way to a proven value: a game's optional module `second.py`, which shares nothing with its solver.

A value that rests on one search alone is found again by it; see `confirm.py`.
"""

from collections.abc import Mapping
from typing import Protocol, cast

from .. import catalog, games

Parameters = Mapping[str, int | str]  # all parameters of a game, as a row has them


class SecondWay(Protocol):
    """A game's `second.py`: simple rather than fast, with nothing in common with the first way but the rules at most.

    A module that can't do large games may name another one of the game's folder that can, in `LARGER`, a text:
    `LARGER = "second_asked"`. Imports of these modules are limited to `core`, the rules of the game, and the tools that
    compile code and share out work; a test sees to it.
    """

    LARGEST: int
    """The size up to which it is minutes of work."""

    MOST_PLAYERS: int
    """For more players it knows no way. Where that is more than two, the module is a `SecondWayOfMany`."""

    FINDS_BOUNDS: bool
    """Whether it finds the bound of a game again whose best value is open."""

    WORDS: str
    """What it does, as certificates say it."""

    def value(self, parameters: Parameters, value: int, bound: int, until: float) -> int | None:
        """The best score or the value of the game, or the bound of an open one.

        `value` and `bound` are what is known: where to begin, so that a wrong one must be found out. None where nothing
        was found, or when `time.monotonic()` was `until` before it was.
        """


class SecondWayOfMany(SecondWay, Protocol):
    """A second way that three and more players have too."""

    def scores(self, parameters: Parameters, until: float) -> list[int] | None:
        """What each player has in the end, player 1 first; None when `time.monotonic()` was `until` before."""


def second_way(game: str, size: int) -> SecondWay | None:
    """The second way of a game for this size, or the one that goes furthest; None where the game has none.

    Raises UnknownGame, and BrokenRules for a module that lacks something.
    """
    entry = catalog.get(game)
    if entry.second is None:
        return None
    way = _of(entry, "second")
    larger = getattr(way, "LARGER", None)
    return _of(entry, larger) if size > way.LARGEST and isinstance(larger, str) else way


def _of(entry: catalog.Entry, name: str) -> SecondWay:
    needed = {*SecondWay.__annotations__, "value"}
    return cast(SecondWay, games.part(entry.id, entry.package, name, needed))
