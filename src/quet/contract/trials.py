"""What the contract of a game is tried on: random games of several sizes, and texts that mean nothing."""

import random
from collections.abc import Callable, Iterator, Mapping

from ..catalog import Entry
from ..core.errors import BrokenRules
from ..core.parameters import AnyValue, Parameter, read_parameters, to_solve
from ..game import Game

LONGEST = 120  # moves played of each random game
MOST_MOVES = 2_000  # sizes with more moves to choose from are looked at only at their start

# No move of any game. 5,000 digits are more than `int` reads; the last can't be printed.
NONSENSE = ("", "?", "\0", "x" * 1000, "9" * 5000, "\N{ARABIC-INDIC DIGIT THREE}", "\N{SUPERSCRIPT TWO}", "\ud800")

FULL_WIDTH = {ord("0") + digit: ord("\N{FULLWIDTH DIGIT ZERO}") + digit for digit in range(10)}
"""For `str.translate`: digits that `int` takes for the ASCII ones."""


def sizes(entry: Entry) -> list[dict[str, AnyValue]]:
    """The parameters that the checks try: the default, and each integer at its lowest, a bit above, and its highest."""
    tried: list[dict[str, object]] = [{}]
    for p in entry.rules.PARAMETERS:
        if isinstance(p, Parameter):
            tried += [{p.name: value} for value in {p.low, min(p.low + 2, p.high), p.high}]
    tried.append({p.name: min(p.low + 1, p.high) for p in entry.rules.PARAMETERS if isinstance(p, Parameter)})
    return [read_parameters(entry.rules.PARAMETERS, given) for given in tried]


def solved_sizes(entry: Entry) -> list[dict[str, AnyValue]]:
    """The parameters with one of them at the largest size that is solved, where that is larger than what is played."""
    known = to_solve(entry.rules.PARAMETERS)
    wider = [p for p in known if isinstance(p, Parameter) and p not in entry.rules.PARAMETERS]
    return [read_parameters(known, {p.name: p.high}) for p in wider]


def starts(entry: Entry) -> Iterator[Game]:
    """Games of every size in `sizes`, at their start."""
    for parameters in sizes(entry):
        yield Game(entry, parameters)


def random_games(entry: Entry) -> Iterator[Game]:
    """Games of every size in `sizes`, at their start and after each of their random moves; the same at every call."""
    for parameters in sizes(entry):
        yield from random_game(entry, parameters)


def random_game(entry: Entry, parameters: Mapping[str, AnyValue], seed: int = 1) -> Iterator[Game]:
    """One game, the same object at its start and after each of its random moves; the same at every call."""
    game = Game(entry, parameters)
    generator = random.Random(seed)
    yield game
    while not game.is_over and game.ply < LONGEST:
        moves = game.legal_numbers()
        if len(moves) > MOST_MOVES:
            break
        game.play(entry.rules.move_text(game.state, generator.choice(moves)))
        yield game


def is_line(text: object) -> bool:
    """Whether this is one line that can be read: not empty, all printable."""
    return isinstance(text, str) and text.strip() != "" and text.isprintable()


def is_sentence(text: str) -> bool:
    """Whether this is one line that ends with a full stop."""
    return is_line(text) and text.endswith(".")


def require(holds: object, sentence: str) -> None:
    """Raise BrokenRules with the sentence unless this holds."""
    _Asked.times += 1
    if not holds:
        raise BrokenRules(sentence)


def asked(check: Callable[[Entry], None], entry: Entry) -> int:
    """How often a check requires something of a game. Raises BrokenRules as the check does.

    It is never where the game hasn't what the check is about, or no game of it is small enough to be tried.
    """
    before = _Asked.times
    check(entry)
    return _Asked.times - before


class _Asked:
    times = 0  # that `require` was called


def where(game: Game) -> str:
    """The game and how far it is, for the end of a sentence."""
    return f"in {game!r}"
