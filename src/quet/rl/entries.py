"""An entry of an agent that was measured, as its file has it. What isn't whole or can't be true is refused.

An entry can be false in many ways, and the games aren't solved anew to see them all. What is checked follows from the
definitions of the measures: docs/truth.md has them.
"""

import re
from collections.abc import Mapping
from typing import Any

from ..core import json_text
from ..core.errors import MoveError, QuetError
from ..core.messages import Message, say
from ..core.parameters import written
from ..core.rules import difference, wants_high
from ..game import Game, new
from .dataset import LARGEST_SEED
from .measure import MOST

Json = Mapping[str, Any]  # an entry, a row of it, or a seat of a row

LARGEST = 1_000_000  # bytes of a file
FORMAT = 1
LONGEST_NAME = 60
LONGEST_ABOUT = 1000
LONGEST_SEQUENCE = 200
SEQUENCE = re.compile(rf"[a-z0-9,-]{{1,{LONGEST_SEQUENCE}}}")  # its name or its terms
LARGEST_NUMBER = 10**9  # of points, seconds and shares
DIGITS = 4  # of shares and points, behind the point


class BadEntry(QuetError):
    """A file that is no entry; the message doesn't name the file."""


def read(content: bytes) -> Json:
    """An entry. Raises BadEntry and BadJson."""
    entry = json_text.read(content, largest=LARGEST, has_fractions=True)
    if not isinstance(entry, dict) or type(entry.get("format")) is not int or entry["format"] != FORMAT:
        raise BadEntry(say("It is no entry of an agent."))
    if (trouble := wrong(entry.get("agent"), entry.get("about", ""))) is not None:
        raise BadEntry(trouble)
    rows = entry.get("tasks")
    if not (
        _is_version(entry.get("quet"))
        and _is_count(entry.get("seed"), 0, LARGEST_SEED)
        and isinstance(rows, list)
        and all(isinstance(row, dict) and _is_whole(row) for row in rows)
    ):
        raise BadEntry(say("What was measured isn't whole."))
    met = set[str]()
    for row in rows:
        game = game_of(row)
        if len(row["seats"]) != game.num_players:
            raise BadEntry(say("What was measured isn't whole."))
        _check_numbers(row)
        _check_agreement(row, game)
        for player, seat in enumerate(row["seats"], 1):
            _check_worst(seat, game, player)
        if (place := place_of(game)) in met:
            raise BadEntry(say("{size} is in it twice.", size=place))
        met.add(place)
    return entry


def wrong(name: object, about: object) -> Message | None:
    """What is wrong with an agent's name, or with the words that say what it is; None where nothing is."""
    if not (isinstance(name, str) and name.isprintable() and 1 <= len(name) <= LONGEST_NAME and "|" not in name):
        return say("An agent's name has from 1 to {most} printable characters.", most=LONGEST_NAME)
    if not (isinstance(about, str) and about.isprintable() and len(about) <= LONGEST_ABOUT):
        return say("What an agent is stands in one line of at most {most} printable characters.", most=LONGEST_ABOUT)
    return None


def game_of(row: Json) -> Game:
    """Where everything began that a row tells. Raises as `begun`."""
    return begun(row.get("game"), row.get("parameters"), row.get("opening", ""))


def begun(id: object, parameters: object, opening: object = "") -> Game:
    """A game after the moves of an opening. Raises BadEntry, UnknownGame and BadParameter."""
    if not isinstance(id, str) or not isinstance(parameters, dict) or not isinstance(opening, str):
        raise BadEntry(say("It is no list of games with their parameters."))
    check_parameters(parameters)
    game = new(id, **parameters)
    try:
        for move in opening.split():
            game.play(move)
    except QuetError as error:
        raise BadEntry(error.message) from None
    if game.is_over:
        raise BadEntry(say("The game is over."))
    return game


def place_of(game: Game) -> str:
    """A game, its size, and the moves after which everything begins."""
    return size_of(game.id, written(game.parameters)) + (f" after {' '.join(game.moves)}" if game.ply else "")


def size_of(id: str, parameters: Mapping[str, object]) -> str:
    """A game and its parameters, as in `palindromes m=8`."""
    return " ".join([id, *(f"{key}={value}" for key, value in parameters.items())])


def check_parameters(parameters: Mapping[str, object]) -> None:
    """Raises BadEntry for what an entry can't have; names of files are that above all."""
    for value in parameters.values():
        if type(value) is not int and not (isinstance(value, str) and SEQUENCE.fullmatch(value)):
            raise BadEntry(
                say(
                    "Parameters of entries are integers, or sequences of at most {most} characters.",
                    most=LONGEST_SEQUENCE,
                )
            )


def _is_whole(row: Json) -> bool:
    seats = row.get("seats")
    if not isinstance(seats, list) or not 1 <= len(seats) <= 2 or not all(isinstance(seat, dict) for seat in seats):
        return False
    for seat in seats:
        worst, line = seat.get("worst", ""), seat.get("line")
        if not _is_points(seat.get("value")) or not (_is_points(worst) or worst is None) or not isinstance(line, str):
            return False
    return (
        row.get("positions") in ("reachable", "random")
        and _is_count(row.get("num"), 1, MOST)
        and _is_count(row.get("own_positions"), 1, MOST)
        and (_is_number(row.get("cpu_seconds", "")) or row.get("cpu_seconds", "") is None)
        and all(
            isinstance(three, list) and len(three) == 3 and all(_is_number(one) for one in three)
            for three in [*_shares(row), *_losses(row)]
        )
    )


def _check_numbers(row: Json) -> None:
    """Shares are from 0 to 1, losses and times aren't negative, bounds are bounds. Raises BadEntry."""
    if (row["cpu_seconds"] or 0) < 0 or not all(
        0 <= low <= value <= high <= most
        for triples, most in ((_shares(row), 1), (_losses(row), LARGEST_NUMBER))
        for value, low, high in triples
    ):
        raise BadEntry(
            say(
                "What was measured can't be true: shares are from 0 to 1, losses and times from 0 on, and each is "
                "within its bounds."
            )
        )


def _check_agreement(row: Json, game: Game) -> None:
    """The shares of a row agree with each other and with what is lost. Raises BadEntry."""
    result, margin, regret = (row[name][0] for name in ("keeps_result", "keeps_margin", "regret"))
    is_kept = margin <= result and (game.num_players > 1 or row["keeps_margin"] == row["keeps_result"])
    if not is_kept:
        raise BadEntry(
            say(
                "What was measured can't be true: a move that keeps the margin keeps the result, and in a solitaire "
                "the two are the same."
            )
        )
    one = 10**DIGITS  # in units of the last digit, by half of which each number may have been rounded
    pairs = [(margin, regret), *((seat["keeps_result"][0], seat["loss"][0]) for seat in row["seats"])]
    is_little = any(round(lost * one) + 1 < one - round(kept * one) for kept, lost in pairs)
    may_be_missed = row["num"] * (2 * (one - round(margin * one)) + 1) >= 2 * one  # in a position at least
    if is_little or (regret > 0 and not may_be_missed):
        raise BadEntry(
            say(
                "What was measured can't be true: who doesn't keep the margin or the result gives a point away at "
                "least, and who always keeps the margin gives none away."
            )
        )


def _check_worst(seat: Json, game: Game, player: int) -> None:
    """The worst end isn't better than the value, and a line comes to it. Raises BadEntry."""
    worst, value, played = seat["worst"], seat["value"], game.copy()
    if worst is None:
        return
    if worst > value if wants_high(game.rules, player) else worst < value:
        raise BadEntry(
            say(
                "What was measured can't be true: as player {player} the worst end is {worst}, and the game is worth "
                "{value}.",
                player=player,
                worst=worst,
                value=value,
            )
        )
    try:
        for move in seat["line"].split():
            played.play(move)
    except MoveError as error:
        raise BadEntry(error.message) from None
    if not played.is_over or difference(played.rules, played.state) != worst:
        raise BadEntry(
            say("The line of player {player} is no game that ends with {worst}.", player=player, worst=worst)
        )


def _shares(row: Json) -> list[list[float]]:
    """The shares of a row, each with its bounds."""
    names = ("keeps_result", "keeps_margin", "own_keeps_margin")
    return [*(row.get(name) for name in names), *(seat.get("keeps_result") for seat in row["seats"])]


def _losses(row: Json) -> list[list[float]]:
    """The points that a row says are lost, each with its bounds."""
    return [row.get("regret"), *(seat.get("loss") for seat in row["seats"])]


def _is_number(value: object) -> bool:
    # Compared as it is: an integer may be too large for a float.
    return isinstance(value, int | float) and type(value) is not bool and abs(value) < LARGEST_NUMBER


def _is_points(value: object) -> bool:
    return type(value) is int and abs(value) < LARGEST_NUMBER


def _is_count(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _is_version(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and 1 <= len(value) <= LONGEST_NAME
