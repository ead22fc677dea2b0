"""The picture of Convoluted Coprimality: the winding path, who wrote which number, and who is still in the game.

Numbers are tinted by player, as the chips below the board are; a number that eliminated its player is tinted `bad`. A
dot marks a square where the next number is safe, a cross one where it eliminates. Who wrote a number is known from the
moves alone, so a position read from paper has no tints.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

from quet.core.grid import square_text
from quet.core.messages import listed, say, say_number
from quet.core.numbers import is_prime
from quet.core.position import Position
from quet.draw.board import (
    LABEL_MARGIN,
    MARGIN,
    board_size,
    board_title,
    centre,
    grid_shapes,
    last_mark,
    legal_mark,
    number_mark,
    square_box,
    squares,
)
from quet.draw.scene import Circle, Line, Scene, Shape, Text

from . import rules
from .rules import EMPTY, State

STRIP = 1.0  # height of the strip of players below the board
LEAST_STEP = 0.6  # from player to player in it, so that their numbers can be read; it may be wider than the board
TINTS = ("tint_one", "tint_two", "tint_good", "tint")  # of players 1 to 4, and again of 5 to 8


@dataclass(frozen=True)
class Writer:
    """Who wrote a number of the grid, and whether it eliminated them."""

    player: int
    is_eliminated: bool


def scene(position: Position) -> Scene:
    """The picture of a position: the grid being filled, or the last one when the game is over."""
    s: State = position.state
    n = s.n
    writers = _writers(position)
    last = s.last if s.number > 1 else None  # the program wrote the 1
    order = sorted(
        (square for square in range(n * n) if s.numbers[square] != EMPTY), key=lambda square: s.numbers[square]
    )

    shapes = grid_shapes(n, {square: _tint(writer) for square, writer in writers.items()})
    shapes.append(Line(tuple(centre(square, n) for square in order), "edge_strong"))
    for square in order:
        fill = _tint(writers[square]) if square in writers else "square"
        is_eliminated = square in writers and writers[square].is_eliminated
        shapes.append(Circle(*centre(square, n), 0.3, fill))
        shapes.append(number_mark(square, n, str(s.numbers[square]), "bad" if is_eliminated else "ink"))
        if square in writers and s.players > len(TINTS):  # tints alone don't tell the players apart
            x, y = square_box(square, n)
            shapes.append(Text(x + 0.15, y + 0.17, str(writers[square].player), "muted", 0.2))
    if last is not None:
        shapes.append(last_mark(last, n))
    for square in position.legal:
        shapes += _cross(*centre(square, n), 0.13) if rules.eliminates(s, square) else [legal_mark(square, n)]
    shapes += _players(s)

    def glyph(square: int) -> str:
        if square in position.legal and rules.eliminates(s, square):
            return "x"
        return str(s.numbers[square] or ".")

    def words(square: int) -> str:
        if s.numbers[square] != EMPTY:
            writer, number = writers.get(square), s.numbers[square]
            if writer is None:
                return say("holds {number}", number=number)
            if writer.is_eliminated:
                return say("holds {number}, by player {player}, who is eliminated", number=number, player=writer.player)
            return say("holds {number}, by player {player}", number=number, player=writer.player)
        if square not in position.legal:
            return say("empty")
        shared = _shared(s, square)
        return (
            say("empty; {number} shares a factor with {shared} here and eliminates", number=s.number + 1, shared=shared)
            if shared
            else say("empty, safe")
        )

    width, height = board_size(n)
    return Scene(
        title=board_title(say("Convoluted Coprimality"), n),
        width=max(width, LABEL_MARGIN + _step(s) * s.players + MARGIN),
        height=height + STRIP,
        shapes=tuple(shapes),
        squares=squares(n, glyph, words, {square: [square_text(square, n)] for square in position.legal}, last),
        notes=tuple(_notes(position)),
    )


def _writers(position: Position) -> dict[int, Writer]:
    """Who wrote each number of this grid above 1, from the moves; empty where they don't lead to the position."""
    s: State = position.state
    if not position.moves:
        return {}
    game = State()
    rules.start(game, **position.parameters)
    game.is_left[0] = s.is_left[0]  # who is asked in a puzzle; the rules of the game don't look at it
    writers: dict[int, Writer] = {}
    for move in position.moves:
        grid, player = game.grid, game.mover
        rules.play(game, move)
        if game.grid > grid:
            writers = {}
        else:
            writers[move] = Writer(player, not game.is_left[player])
    return writers if game == s else {}


def _tint(writer: Writer) -> str:
    return "tint_bad" if writer.is_eliminated else TINTS[(writer.player - 1) % len(TINTS)]


def _shared(s: State, square: int) -> str:
    """The numbers beside a square that the next number is not coprime to, as a list in words."""
    n = s.n
    row, column = divmod(square, n)
    beside = [(row + 1, column), (row, column - 1), (row, column + 1), (row - 1, column)]
    numbers = [s.numbers[r * n + c] for r, c in beside if 0 <= r < n and 0 <= c < n]
    return listed([number for number in numbers if number != EMPTY and gcd(number, s.number + 1) > 1])


def _cross(x: float, y: float, arm: float, role: str = "bad") -> list[Shape]:
    return [
        Line(((x - arm, y - arm), (x + arm, y + arm)), role, 0.06),
        Line(((x - arm, y + arm), (x + arm, y - arm)), role, 0.06),
    ]


def _step(s: State) -> float:
    """How far the chips of players are from each other."""
    return max(LEAST_STEP, min(1.0, s.n / s.players))


def _players(s: State) -> Iterator[Shape]:
    """A chip for each player, the mover's ringed and those of eliminated players crossed out."""
    step = _step(s)
    radius = 0.36 * step
    y = MARGIN + s.n + LABEL_MARGIN + 0.4
    for player in range(1, s.players + 1):
        x = LABEL_MARGIN + step * (player - 0.5)
        is_mover = player == s.mover and not s.is_over
        yield Circle(x, y, radius + 0.07 * step, "last" if is_mover else "grid")
        yield Circle(x, y, radius, TINTS[(player - 1) % len(TINTS)] if s.is_left[player] else "paper")
        if not s.is_left[player]:
            yield from _cross(x, y, 0.25 * step)
            yield Circle(x, y, 0.19 * step, "paper")
        yield Text(
            x, y, str(player), "ink" if s.is_left[player] else "muted", (0.4 if s.is_left[player] else 0.3) * step
        )


def _notes(position: Position) -> Iterator[str]:
    s: State = position.state
    players = range(1, s.players + 1)
    left = [player for player in players if s.is_left[player]]
    out = [player for player in players if not s.is_left[player]]
    if not s.is_over:
        end = s.number + 1
        while not is_prime(end):
            end += 1
        if end == s.number + 1:
            yield say("Player {mover} writes {number}, which ends the turn.", mover=s.mover, number=end)
        else:
            yield say(
                "Player {mover} writes {number}, and the turn goes on to the prime {end}.",
                mover=s.mover,
                number=s.number + 1,
                end=end,
            )
    elif len(left) == 1:
        yield say("The game is over: player {left} is the last one in the game.", left=left[0])
    else:
        yield say("The game is over: the last grid is blocked, and players {left} share the win.", left=listed(left))
    yield say("Grid {grid} of {grids}; the last number is {number}.", grid=s.grid, grids=s.grids, number=s.number)
    if out:
        yield say_number("Eliminated: player {out}.", "Eliminated: players {out}.", len(out), out=listed(out))
