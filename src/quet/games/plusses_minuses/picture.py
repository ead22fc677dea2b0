"""The grid, a dot at its lower left corner, and the lists: each sign stands between its two columns or rows."""

from quet.core.messages import joined, say, say_number
from quet.core.position import Position
from quet.draw.board import (
    LABEL_MARGIN,
    MARGIN,
    board_size,
    board_title,
    grid_shapes,
    last_mark,
    legal_mark,
    outline,
    square_box,
    squares,
)
from quet.draw.scene import Choice, Circle, Line, Rectangle, Scene, Shape, Text

from .rules import EMPTY, State, is_over, is_predicting, move_text, score, truth

APART = 0.64  # from a list of predictions to the list of truths beside it
SIGNS = {1: "+", -1: "-", 0: "."}
ROLES = {1: "one", 2: "two"}


def scene(position: Position) -> Scene:
    """The picture of a position."""
    s: State = position.state
    n = s.n
    filled = [(s.height[column] - 1) * n + column for column in range(n) if s.height[column] != EMPTY]
    last = position.moves[-1] if position.moves else None
    last_square = last if last is not None and last < n * n else None
    legal = [move for move in position.legal if move < n * n]
    width, height = board_size(n)

    ruled_out = {} if is_over(s) else {square: "tint" for square in range(n * n) if _is_ruled_out(s, square)}
    shapes = grid_shapes(n, ruled_out)
    shapes.append(Circle(LABEL_MARGIN, MARGIN + n, 0.13, "border"))
    for square in filled:
        x, y = square_box(square, n)
        shapes.append(Rectangle(x + 0.1, y + 0.1, 0.8, 0.8, "filled", 0.2))
    if last_square is not None:
        shapes.append(last_mark(last_square, n))
    shapes += [legal_mark(square, n) for square in legal]

    across, down = height + 0.25, width + 0.1  # where the two predictions lists are
    for k in range(n - 1):
        shapes += _pair(s, 1, k, LABEL_MARGIN + k + 1, across, last is not None and last >= n * n)
        shapes += _pair(s, 2, k, down, MARGIN + n - k - 1, last is not None and last >= n * n)
    shapes.append(Text(width - 0.25, across, say("predicted"), "muted", 0.3, "start"))
    shapes.append(Text(width - 0.25, across + APART, say("truth"), "muted", 0.3, "start"))
    shapes.append(Text(down, 0.24, say("pred."), "muted", 0.24))
    shapes.append(Text(down + APART, 0.24, say("truth"), "muted", 0.24))

    scores = [
        say("Player {player}: {score} of {n} signs agree", player=player, score=score(s, player), n=n - 1)
        for player in ROLES
    ]
    foot = across + APART + 0.8
    for player, role in ROLES.items():
        y = foot + 0.5 * (player - 1)
        shapes.append(Circle(LABEL_MARGIN + 0.12, y, 0.12, role))
        shapes.append(Text(LABEL_MARGIN + 0.4, y, scores[player - 1], "ink", 0.36, "start"))

    def glyph(square: int) -> str:
        return "*" if square in filled else "."

    def words(square: int) -> str:
        if square in filled:
            return say("filled")
        return say("empty, row or column taken") if _is_ruled_out(s, square) else say("empty")

    notes = []
    for player in ROLES:
        predicted = " ".join(SIGNS[s.predicted[2 * k + player - 1]] for k in range(n - 1))
        true = " ".join(SIGNS[truth(s, player, k)] for k in range(n - 1))
        # Each list begins its line, so that the signs stand below one another in whatever width the lines are broken.
        lists = say("{signs} predicted", signs=predicted), say("{signs} truth", signs=true)
        notes += [scores[player - 1], *lists]
    return Scene(
        title=board_title(say("Plusses And Minuses Grid Game"), n),
        width=max(width + 0.1 + APART + MARGIN, width + 1.1, LABEL_MARGIN + 5.8),
        height=foot + 0.5 + MARGIN,
        shapes=tuple(shapes),
        squares=squares(n, glyph, words, {square: [move_text(s, square)] for square in legal}, last_square),
        choices=_choices(s) if position.legal and is_predicting(s) else (),
        notes=tuple(notes),
        about=tuple(_prediction(s, player) for player in ROLES),
    )


def _prediction(s: State, player: int) -> str:
    signs = [SIGNS[sign] for sign in (s.predicted[2 * k + player - 1] for k in range(s.n - 1)) if sign != 0]
    if not signs:
        return say("Player {player} has predicted nothing yet.", player=player)
    return say_number(
        "Player {player} predicted {signs}, and {number} of them agrees with the truth.",
        "Player {player} predicted {signs}, and {number} of them agree with the truth.",
        score(s, player),
        player=player,
        signs=joined(signs, " "),
    )


def _choices(s: State) -> tuple[Choice, ...]:
    if s.ply % 2 == 0:
        return Choice("+", say("+ next column is higher")), Choice("-", say("- next column is lower"))
    return Choice("+", say("+ next row is further right")), Choice("-", say("- next row is further left"))


def _is_ruled_out(s: State, square: int) -> bool:
    """Whether the square shares a row or a column with a filled one."""
    row, column = divmod(square, s.n)
    return (s.column[row] != EMPTY or s.height[column] != EMPTY) and s.height[column] != row + 1


def _pair(s: State, player: int, k: int, x: float, y: float, is_sign_last: bool) -> list[Shape]:
    """A prediction at x, y and its truth below (player 1) or to the right of it; on the player's tint if they agree."""
    place = 2 * k + player - 1
    predicted, true = s.predicted[place], truth(s, player, k)
    right, down = (0.0, APART) if player == 1 else (APART, 0.0)
    shapes: list[Shape] = []
    if true != 0 and true == predicted:
        shapes.append(Rectangle(x - 0.27, y - 0.27, 0.54 + right, 0.54 + down, f"tint_{ROLES[player]}", 0.27))
    role = "ink" if true == 0 else ROLES[player] if true == predicted else "muted"
    for sign, shift in ((predicted, 0), (true, 1)):
        sign_x, sign_y = x + shift * right, y + shift * down
        if sign == 0:
            shapes.append(Circle(sign_x, sign_y, 0.045, "grid"))
        else:
            shapes += _sign(sign, sign_x, sign_y, role)
    if is_sign_last and place == s.ply - 1:
        shapes.append(outline(x - 0.29, y - 0.29, 0.58, 0.58, "last"))
    return shapes


def _sign(sign: int, x: float, y: float, role: str) -> list[Shape]:
    strokes: list[Shape] = [Line(((x - 0.13, y), (x + 0.13, y)), role, 0.06)]
    return strokes + [Line(((x, y - 0.13), (x, y + 0.13)), role, 0.06)] * (sign > 0)
