"""The part of the contract of what tells best scores and values in a way of its own: they are those of small games."""

import time
from collections.abc import Mapping

from ..catalog import Entry
from ..core.parameters import read_parameters, to_solve
from ..core.state import copy
from .small import Small, games
from .trials import require

SECONDS = 60.0  # for a second way; what is compiled at its first call takes some of them
POSITIONS = 200  # of a small game, at most, that are asked what moves are worth
HIGHEST, LOWEST = "highest", "lowest"


def terms_are_those_of_the_game(entry: Entry) -> None:
    """The program in `terms.py` computes the best scores or the values of the usual game."""
    has = entry.terms
    if has is None:
        return
    score = LOWEST if LOWEST in has.LAST and HIGHEST not in has.LAST else HIGHEST
    for game in games(entry):
        size = _size(game)
        if _is_usual(game) and size <= min(has.LAST.values()):
            found, right = has.a(size), _answer(game, score)
            require(found == right, f"terms.py says {found}, not {right}, of {game}.")


def second_ways_agree(entry: Entry) -> None:
    """`second.py` comes to the best scores or the values of small games, also where it begins with a wrong number."""
    has = entry.second
    for game in games(entry) if has is not None else ():
        assert has is not None
        right = _answer(game, getattr(has, "SCORE", HIGHEST))
        if _size(game) <= has.LARGEST:
            found = has.value(game.parameters, right + 1, right + 1, time.monotonic() + SECONDS)
            require(found == right, f"second.py says {found}, not {right}, of {game}.")


def kept_values_can_be_reached(entry: Entry) -> None:
    """The moves of `kept.py` are legal, and what each is worth is the score of an end that it leaves in reach.

    At the start, where nothing stands that could be taken back, the best of them is worth the best score.
    """
    for game in games(entry) if entry.kept is not None else ():
        assert entry.kept is not None
        ends = {known.value for known in game.positions.values() if known.is_over}
        going_on = [known for known in game.positions.values() if not known.is_over]
        for known in going_on[:: 1 + len(going_on) // POSITIONS]:
            after = {move: then.value for move, then in game.after(known.state)}
            for best in (known.value, None):
                worths: Mapping[int, int] = (entry.kept.worths(copy(known.state), best) or ({}, ""))[0]
                require(worths.keys() <= after.keys(), f"A move of kept.py isn't legal in {game}.")
                is_reached = all(worth in ends and worth <= after[move] for move, worth in worths.items())
                require(is_reached, f"A move can't lead to what kept.py says in {game}.")
                if known is game.start and worths:
                    most = max(worths.values())
                    require(most == known.value, f"kept.py says {most} of the start of {game}, not {known.value}.")


def _size(game: Small) -> int:
    size = next(iter(game.parameters.values()))
    assert isinstance(size, int)  # as it was counted up from the lowest
    return size


def _is_usual(game: Small) -> bool:
    """Whether all parameters but the size have their usual values."""
    name, size = next(iter(game.parameters.items()))
    return read_parameters(to_solve(game.rules.PARAMETERS), {name: size}) == game.parameters


def _answer(game: Small, score: str) -> int:
    """What a row of results has of the game: the value, player 1's score minus player 2's, or this score."""
    sign = -1 if game.rules.LOWER_IS_BETTER else 1
    if game.rules.num_players(game.start.state) > 1:
        return sign * game.start.value
    ends = [sign * known.value for known in game.positions.values() if known.is_over]
    return min(ends) if score == LOWEST else max(ends)
