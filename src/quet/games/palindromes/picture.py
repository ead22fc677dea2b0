"""The row of digits; above it the palindromes of player 1, below it the antipalindromes of player 2.

An arc spans the longest pattern about each place between two squares; the number at its middle is what all patterns
about that place score: 2 + 4 + ... + the length. A long row is broken like a line of music, and the arcs with it.
"""

from math import acos, ceil, cos, sin, sqrt

from quet.core.messages import joined, say, say_number
from quet.core.position import Position
from quet.draw.board import MARGIN, outline
from quet.draw.scene import Circle, Line, Rectangle, Scene, Shape, Square, Text

from .rules import EMPTY, State, half_length, move_text, score

LONGEST = 26  # squares in one line of the picture
WORTH = 0.5  # beside the squares, where the numbers stand
BEYOND = 0.25  # how far a broken arc runs past the end of its line
PATTERNS = {1: "one", 2: "two"}  # palindromes and antipalindromes: the roles of the players who score them


def scene(position: Position) -> Scene:
    """The picture of a position."""
    s: State = position.state
    m = s.m
    broken = ceil(m / LONGEST)  # into so many lines
    wide = ceil(m / broken)  # squares in a line
    room = WORTH + _rise(m, m // 2) + 0.2  # above the squares of a line, and below
    pitch = 2 * room + 1.1  # from line to line
    last = position.moves[-1] // 2 if position.moves else None
    halves = {player: {centre: half_length(s, centre, player) for centre in range(1, m)} for player in PATTERNS}

    def corner(square: int) -> tuple[float, float]:
        return MARGIN + square % wide, room + square // wide * pitch

    shapes: list[Shape] = []
    for square in range(m):
        shapes += _square(s, square, *corner(square))
    if last is not None:
        x, y = corner(last)
        shapes.append(outline(x + 0.06, y + 0.06, 0.88, 0.88, "last"))
    for move in position.legal:
        x, y = corner(move // 2)
        shapes.append(Text(x + 0.64, y + 0.28 + 0.46 * (move % 2), str(move % 2), "muted", 0.28))
    for player, role in PATTERNS.items():
        for centre in sorted(halves[player], key=lambda centre: -halves[player][centre]):
            half = halves[player][centre]
            if half:
                shapes += _arc(centre, half, player, role, wide, room, pitch, m)
                x, y = corner(centre - 1)  # a number between two lines stands at the end of the first
                place = y - 0.24 if player == 1 else y + 1.24
                shapes.append(Text(x + 1, place, str(half * (half + 1)), role, 0.28))

    scores, about = [], []
    foot = broken * pitch + 0.1
    for player, role in PATTERNS.items():
        worth = [half * (half + 1) for half in halves[player].values() if half]
        points = score(s, player)
        short = (
            say("Player 1: {points} for palindromes", points=points)
            if player == 1
            else say("Player 2: {points} for antipalindromes", points=points)
        )
        scores.append(joined([short, _sum(worth)], ""))
        about.append(
            say_number(
                "Player 1 has {number} point for palindromes.", "Player 1 has {number} points for palindromes.", points
            )
            if player == 1
            else say_number(
                "Player 2 has {number} point for antipalindromes.",
                "Player 2 has {number} points for antipalindromes.",
                points,
            )
        )
        shapes.append(Circle(MARGIN + 0.12, foot, 0.12, role))
        shapes.append(Text(MARGIN + 0.4, foot, short, "ink", 0.36, "start"))
        foot += 0.5
    legal = {square: [move for move in position.legal if move // 2 == square] for square in range(m)}
    squares = tuple(
        Square(
            name=str(square + 1),
            column=square % wide,
            row=square // wide,
            x=corner(square)[0],
            y=corner(square)[1],
            width=1,
            height=1,
            glyph="." if s.digits[square] == EMPTY else str(s.digits[square]),
            words=say("empty") if s.digits[square] == EMPTY else str(s.digits[square]),
            moves=tuple(move_text(s, move) for move in legal[square]),
            is_last=square == last,
        )
        for square in range(m)
    )
    return Scene(
        title=say_number(
            "Palindromes/Antipalindromes In Sequence, {number} square",
            "Palindromes/Antipalindromes In Sequence, {number} squares",
            m,
        ),
        width=max(wide + 2 * MARGIN, 6.6),
        height=foot - 0.1 + MARGIN,
        shapes=tuple(shapes),
        squares=squares,
        notes=tuple(scores),
        about=tuple(about),
    )


def _sum(worth: list[int]) -> str:
    """How a score adds up, where that tells more than the score alone."""
    return f" = {' + '.join(map(str, worth))}" if len(worth) > 1 else ""


def _rise(m: int, half: int) -> float:
    """The height of an arc over `half` squares to each side. Long ones are flatter, so that all fit above the row."""
    return min(1.5, 0.4 + 0.14 * (m // 2)) * sqrt(half / max(m // 2, 1))


def _square(s: State, square: int, x: float, y: float) -> list[Shape]:
    shapes: list[Shape] = [Rectangle(x, y, 1, 1, "square"), outline(x, y, 1, 1, "border", 0.04)]
    shapes.append(Text(x + 0.13, y + 0.21, str(square + 1), "muted", 0.2, "start"))
    if s.digits[square] != EMPTY:
        shapes.append(Text(x + 0.5, y + 0.56, str(s.digits[square]), "ink", 0.56))
    return shapes


def _arc(centre: int, half: int, player: int, role: str, wide: int, room: float, pitch: float, m: int) -> list[Shape]:
    """Half an ellipse over the squares of a pattern, in a piece for each line of the picture that it reaches."""
    pieces: list[Shape] = []
    start, end, reach = centre - half, centre + half, half - 0.08
    for line in range(start // wide, (end - 1) // wide + 1):
        left = max(line * wide - BEYOND - centre, -reach)
        right = min((line + 1) * wide + BEYOND - centre, reach)
        first, last = acos(left / reach), acos(right / reach)
        steps = 4 * (2 + min(half, wide))
        points = []
        for k in range(steps + 1):
            angle = first + (last - first) * k / steps
            x = MARGIN + centre - line * wide + reach * cos(angle)
            rise = WORTH + _rise(m, half) * sin(angle)
            y = line * pitch + (room - rise if player == 1 else room + 1 + rise)
            points.append((round(x, 3), round(y, 3)))
        pieces.append(Line(tuple(points), role, 0.05))
    return pieces
