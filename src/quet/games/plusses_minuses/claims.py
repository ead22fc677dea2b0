"""What a checker of certificates has to know of Plusses And Minuses: bounds, and mirror strategies.

In a mirror strategy the player who replies copies the opponent, in both parts of the game:

`symbol`  what is predicted first, when there is nothing to copy; after that, the opponent's last symbol is
          predicted again
`square`  what is filled first, where the player who replies begins the second part
`shift`   column number c is the image of row number c - shift, counted around the grid. The reply to a square is the
          square in the image of its row and of its column; where that is the square itself, it is the first free square
          that is its own image

Every way in which the opponent can fill the grid is played with the rules. Then every way to predict is scored with
every grid that came out.

All ways to fill squares can be tried, too, for the pairs of lists that a proof needs (`perfect.py`).
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import comb, factorial

from quet.core.errors import BadCertificate, QuetError, TooLargeToCheck, one_line
from quet.core.state import copy

from . import rules
from .perfect import TOGETHER, Lists, SecondPart, num_bytes, num_moves
from .rules import State

MOST_POSITIONS = 100_000  # of the second part, after a reply
MOST_GAMES = 1_000_000  # to be scored
_MOVES_IN_A_SECOND = 1_000_000  # that are tried on a slow machine, where they are tried some eight times
STRATEGIES: Mapping[str, Sequence[str]] = {"mirror": ("symbol", "square", "shift")}


def highest(s: State) -> int:
    return s.n - 1  # as many signs as a player predicts


def lowest(s: State) -> int:
    return -highest(s)


def num_positions(start: State) -> int:
    n = start.n
    first_part = sum(2**k for k in range(2 * (n - 1)))
    return int(first_part + 4 ** (n - 1) * sum(comb(n, k) ** 2 * factorial(k) for k in range(n + 1)))


def cost(start: State) -> tuple[float, int] | None:
    """All ways to fill squares are tried some times, each time for many pairs of lists."""
    return None if start.ply else (num_moves(start.n) / _MOVES_IN_A_SECOND, num_bytes(start.n))


def perfect(start: State, claimed: Sequence[int]) -> list[int]:
    """By all ways to fill squares, and as many pairs of lists as show that the value is neither lower nor higher."""
    n = start.n
    (value,) = claimed
    _need(abs(value) <= highest(start), f"By the rules alone the value isn't {value}.")
    lists = Lists(n, SecondPart(n, start.second_part_first).reached, TOGETHER)
    _need(bool(lists.is_reached(value, is_likely=True)), f"By trying all positions the value is below {value}.")
    _need(not lists.is_reached(value + 1, is_likely=False), f"By trying all positions the value is above {value}.")
    after = [lists.is_reached(value, is_likely=True, begun=(sign,)) for sign in (1, -1)]
    return [n * n + move for move, is_good in enumerate(after) if is_good]


def guarantee(
    start: State, ground: Mapping[str, object], side: str, step: Callable[[], None] = lambda: None
) -> tuple[int, str]:
    """The value that the strategy holds (an upper bound for `high`, a lower bound for `low`), and what was checked.

    `step` is called before the games with each list are scored. Raises BadCertificate, TooLargeToCheck, and what `step`
    raises.
    """
    replier = 2 if side == "high" else 1
    n, symbol, shift = start.n, ground["symbol"], ground["shift"]
    if rules.mover(start) == replier:
        _need(symbol in ("+", "-"), f"Player {replier} predicts first, and so needs a symbol, + or -.")
    else:
        _need(symbol is None, f"Player {replier} has a symbol to copy from the first, and so needs none.")
    if type(shift) is not int or not 0 <= shift < n:
        raise BadCertificate(f"The shift must be from 0 to {n - 1}.", step="grounds")
    grids = _Grids(start, ground["square"], shift, replier).all()
    if len(grids) << (n - 1) > MOST_GAMES:
        raise TooLargeToCheck(f"There are more than {MOST_GAMES} games to be scored.")
    values = []
    for others in product((1, -1), repeat=n - 1):
        step()
        predicted = _predicted(others, symbol)
        for grid in grids:
            grid.predicted[: 2 * (n - 1)] = predicted
            values.append(rules.score(grid, 1) - rules.score(grid, 2))
    value = max(values) if side == "high" else min(values)
    word = "most" if side == "high" else "least"
    ends = f"{len(grids)} grids with different truth lists"
    return value, f"Against each of 2^{n - 1} predictions each of {ends} is worth {value} at {word}."


def _need(is_so: bool, sentence: str) -> None:
    if not is_so:
        raise BadCertificate(sentence, step="grounds")


def _predicted(others: tuple[int, ...], symbol: object) -> list[int]:
    """Both lists in the order of play, where the player who replies copies."""
    if symbol is None:
        return [sign for other in others for sign in (other, other)]
    own = (1 if symbol == "+" else -1, *others)
    return [sign for pair in zip(own, others, strict=False) for sign in pair]


class _Grids:
    """All grids that the second part can end with against the strategy."""

    def __init__(self, start: State, square: object, shift: int, replier: int) -> None:
        self._shift = shift
        self._start = copy(start)
        for _ in range(2 * (start.n - 1)):  # predictions don't matter for the squares
            rules.play(self._start, start.n * start.n)
        self._begins = rules.mover(self._start) == replier
        if self._begins:
            if not isinstance(square, str):
                raise BadCertificate(f"Player {replier} fills first, and so needs a square.", step="grounds")
            try:
                self._square = rules.read_move(self._start, square)
            except QuetError as error:
                raise BadCertificate(f"The first square: {one_line(error)}", step="grounds") from None
        else:
            _need(square is None, f"Player {replier} doesn't fill first, and so needs no square.")

    def all(self) -> list[State]:
        """The full grids, those with the same two truth lists once."""
        first = copy(self._start)
        if self._begins:
            self._play(first, self._square)
        seen, waiting = {tuple(first.height)}, [first]
        ends: dict[tuple[int, ...], State] = {}
        while waiting:
            s = waiting.pop()
            if rules.is_over(s):
                truth = tuple(rules.truth(s, player, k) for player in (1, 2) for k in range(s.n - 1))
                ends.setdefault(truth, s)
                continue
            for after in self._answered(s):
                if tuple(after.height) not in seen:
                    seen.add(tuple(after.height))
                    waiting.append(after)
            if len(seen) > MOST_POSITIONS:
                raise TooLargeToCheck(f"There are more than {MOST_POSITIONS} positions to be looked at.")
        return list(ends.values())

    def _answered(self, s: State) -> list[State]:
        """The positions after each move of the opponent and the reply to it."""
        out = [0] * rules.most_moves(s)
        found = []
        for move in out[: rules.legal_moves(s, out)]:
            after = copy(s)
            rules.play(after, move)
            if not rules.is_over(after):
                self._play(after, self._reply(after, move))
            found.append(after)
        return found

    def _reply(self, s: State, move: int) -> int:
        image = self._image(s.n, move)
        if image != move:
            return image
        for column in range(s.n):
            square = (column - self._shift) % s.n * s.n + column
            if not rules.broken_rule(s, square):
                return square
        raise BadCertificate("No square that is its own image is left.", step="grounds")

    def _image(self, n: int, move: int) -> int:
        """The square in the image of this one's column and of its row."""
        row, column = divmod(move, n)
        return (column - self._shift) % n * n + (row + self._shift) % n

    def _play(self, s: State, move: int) -> None:
        broken = rules.broken_rule(s, move)
        _need(not broken, f"The reply {rules.move_text(s, move)} is against the rules: {broken}")
        rules.play(s, move)
