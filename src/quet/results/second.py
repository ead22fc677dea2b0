"""A second way to a proven value: a game's optional module `second.py`, which shares nothing with its solver.

`confirm.py` uses it to find values again that rest on one search alone.
"""

from collections.abc import Mapping
from typing import Protocol, cast

from .. import catalog, games

Parameters = Mapping[str, int | str]  # all parameters of a game, as a row has them


class SecondWay(Protocol):
    """A game's `second.py`. It is simple rather than fast, and has at most the rules in common with the first way.

    If it can't solve large games, it may name another module of the game's folder that can: `LARGER = "second_asked"`.
    One that finds the lowest score of a solitaire, and not the highest, says so: `SCORE = "lowest"`. These modules
    import only `core`, the rules of the game, and the tools that compile code and distribute work; a test checks that
    for the games of Quet.
    """

    LARGEST: int
    """The largest size that takes minutes, and not hours."""

    MOST_PLAYERS: int
    """The largest number of players. If it is more than two, the module is a `SecondWayOfMany`."""

    FINDS_BOUNDS: bool
    """Whether it can also find the bound of an open row again."""

    WORDS: str
    """What it does, in the words that certificates use."""

    def value(self, parameters: Parameters, value: int, bound: int, until: float) -> int | None:
        """The best score or the value of the game; of an open row, its bound.

        `value` and `bound` are those of the row. They may be used as a place to begin, but if they are wrong, the right
        number must come out. Returns None if nothing was found before `time.monotonic()` reached `until`.
        """


class SecondWayOfMany(SecondWay, Protocol):
    """A second way that also works for three and more players."""

    def scores(self, parameters: Parameters, until: float) -> list[int] | None:
        """The scores of all players, player 1 first. None if `time.monotonic()` reached `until` before."""


def second_way(game: str, size: int, score: str = "") -> SecondWay | None:
    """The second way of a game for this size, or the one for its largest sizes. None if the game has none, or none for
    this score of a solitaire, where one is given.

    Raises UnknownGame, and BrokenRules for a module that lacks something.
    """
    entry = catalog.get(game)
    if entry.second is None:
        return None
    way = _of(entry, "second")
    if score in ("highest", "lowest") and score != getattr(way, "SCORE", "highest"):
        return None
    larger = getattr(way, "LARGER", None)
    return _of(entry, larger) if size > way.LARGEST and isinstance(larger, str) else way


def _of(entry: catalog.Entry, name: str) -> SecondWay:
    needed = {*SecondWay.__annotations__, "value"}
    way = cast(SecondWay, games.part(entry.id, entry.package, name, needed))
    if way.MOST_PLAYERS > 2:
        games.part(entry.id, entry.package, name, {"scores"})
    return way
