"""How many numbers were written and where the step went back to 1, and grids read from paper."""

from collections.abc import Mapping
from itertools import pairwise

from quet.core.errors import BadPaper
from quet.core.grid import square_text
from quet.core.messages import say, say_number
from quet.core.paper import read_grid, read_order, read_side
from quet.core.position import Item, Position

from . import rules


def items(position: Position) -> list[Item]:
    """The count of numbers, worth all the points; then each number at which the step went back to 1, worth none."""
    s = position.state
    where = {s.numbers[square]: square for square in range(s.n * s.n)}
    path = [where[number] for number in range(1, s.count + 1)]
    found = [
        Item(
            1,
            s.count,
            say_number("{number} number written", "{number} numbers written", s.count),
            tuple(square_text(square, s.n) for square in path),
        )
    ]
    step = 1
    for number, (before, square) in enumerate(pairwise(path), 2):
        distance = abs(square // s.n - before // s.n) + abs(square % s.n - before % s.n)
        if distance != step:
            names = square_text(before, s.n), square_text(square, s.n)
            words = say(
                "{number} in {square}: the step goes back to 1, as no empty square lay {step} from {before}",
                number=number,
                square=names[1],
                step=step,
                before=names[0],
            )
            found.append(Item(1, 0, words, names))
        step = distance + 1
    return found


def read_paper(text: str, given: Mapping[str, object]) -> Position:
    """The grid, rows from the top, numbers and `.` for empty squares; every number is checked against the rules.

    The position has the moves. Raises BadPaper, which names the first number that can't stand where it does, and
    BadParameter.
    """
    grid = read_grid(text)
    parameters = read_side(grid, rules.PARAMETERS, given)
    s = rules.State()
    rules.start(s, **parameters)
    moves = read_order(grid)
    for number, move in enumerate(moves, 1):
        broken = say("the game was over before.") if rules.is_over(s) else rules.broken_rule(s, move)
        if broken:
            raise BadPaper(
                say(
                    "{number} can't stand in {square}: {broken}",
                    number=number,
                    square=square_text(move, s.n),
                    broken=broken,
                )
            )
        rules.play(s, move)
    return Position(s, parameters, tuple(moves))
