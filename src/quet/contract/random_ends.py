"""The part of the contract that `random_end.py` has to keep: ends that are drawn are those of random games."""

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from ..catalog import Entry
from ..core.state import copy, key
from .small import Known, Small, games
from .trials import require

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

DRAWN = 3  # positions of a small game from which ends are drawn
DRAWS = 1_000  # ends from each of them
MOST_PLIES = 7  # of a small game of which ends are drawn, as all of them are counted
SPREADS = 6.0  # standard deviations by which a count may differ from what is expected; seeds are fixed


def random_ends_are_those_of_random_games(entry: Entry) -> None:
    """Ends that are drawn have scores and moves of each player that random games have, and as often."""
    ends = entry.random_end
    if ends is None:
        return
    import numpy as np

    from ..engine.playouts import WORD
    from ..engine.tree import mixed

    for game in games(entry):
        if ends.num_moves(game.start.state) == 0 or game.start.most_plies > MOST_PLIES:
            continue
        num_players = game.rules.num_players(game.start.state)
        require(num_players > 1, "Ends of a solitaire can't be drawn, since its best line must be known.")
        chances = _Chances(game)
        rng = np.array([mixed(1)], np.uint64)
        waiting = [known for known in game.positions.values() if not known.is_over]
        for known in waiting[:: -(-len(waiting) // DRAWN)]:
            expected = chances.of(known)
            found: dict[_End, int] = {}
            made = np.zeros((num_players + 1, -(-ends.num_moves(known.state) // WORD)), np.int64)
            scores = np.zeros(num_players + 1)
            for _ in range(DRAWS):
                made[:] = 0
                with np.errstate(over="ignore"):  # random numbers are products that overflow
                    ends.finish(copy(known.state), [0] * game.rules.most_moves(known.state), rng, made, scores)
                end = tuple(map(int, scores[1:])), _members(made)
                require(end in expected, f"An end of {game} is drawn that can't be: {end}.")
                found[end] = found.get(end, 0) + 1
            for what, chance, count in _events(expected, found):
                spread = math.sqrt(DRAWS * chance * (1 - chance))
                is_right = abs(count - DRAWS * chance) <= SPREADS * spread + 1
                often = f"{count} of {DRAWS} times instead of about {DRAWS * chance:.0f}"
                require(is_right, f"Ends of {game} are drawn with {what} {often}.")


_End: TypeAlias = tuple[tuple[int, ...], frozenset[tuple[int, int]]]
"""The final score of each player, and each move that was made, with its player before it."""


class _Chances:
    """With what chance random moves lead to each end, from every position of a small game."""

    def __init__(self, game: Small) -> None:
        self._game = game
        self._known: dict[object, dict[_End, float]] = {}

    def of(self, known: Known) -> dict[_End, float]:
        """The ends of games from this position, with the chance of each."""
        name = key(known.state)
        if name not in self._known:
            self._known[name] = self._found(known)
        return self._known[name]

    def _found(self, known: Known) -> dict[_End, float]:
        rules, s = self._game.rules, known.state
        if known.is_over:
            return {(tuple(rules.score(s, player + 1) for player in range(rules.num_players(s))), frozenset()): 1.0}
        after = list(self._game.after(s))
        found: dict[_End, float] = {}
        for move, then in after:
            for (scores, made), chance in self.of(then).items():
                end = scores, made | {(rules.mover(s), move)}
                found[end] = found.get(end, 0.0) + chance / len(after)
        return found


def _members(made: "npt.NDArray[np.signedinteger]") -> frozenset[tuple[int, int]]:
    """The players with their moves, from sets as `random_end.py` writes them."""
    from ..engine.playouts import WORD

    width = made.shape[1]
    return frozenset(
        (player, WORD * i + bit)
        for player, i in itertools.product(range(len(made)), range(width))
        for bit in range(WORD)
        if int(made[player, i]) >> bit & 1
    )


def _events(expected: Mapping[_End, float], found: Mapping[_End, int]) -> Iterator[tuple[str, float, int]]:
    """What can be counted: each end, each row of scores, and each move of a player; with its chance and its count."""
    chances: dict[str, float] = {}
    counts: dict[str, int] = {}
    for end, chance in expected.items():
        scores, made = end
        names = [f"the end {end}", f"the scores {scores}", *(f"the move {move} of player {who}" for who, move in made)]
        for name in names:
            chances[name] = chances.get(name, 0.0) + chance
            counts[name] = counts.get(name, 0) + found.get(end, 0)
    for name, chance in chances.items():
        yield name, min(chance, 1.0), counts[name]
