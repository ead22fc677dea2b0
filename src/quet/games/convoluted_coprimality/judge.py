"""Who is still in the game, and which number eliminated whom; and grids read from paper."""

from collections.abc import Mapping

from quet.core.errors import BadPaper
from quet.core.grid import is_beside, square_text
from quet.core.messages import AND, joined, say
from quet.core.numbers import gcd
from quet.core.paper import read_grids, read_order, read_side
from quet.core.position import Item, Position

from . import rules


def items(position: Position) -> list[Item]:
    """Each player: 1 point for one in the game, 0 for one eliminated, with the numbers that did it where moves tell."""
    s = position.state
    eliminations = _eliminations(position)
    found = []
    for player in range(1, s.players + 1):
        if s.is_left[player]:
            found.append(Item(player, 1, say("still in the game")))
        else:
            found.append(eliminations.get(player, Item(player, 0, say("eliminated"))))
    return found


def _eliminations(position: Position) -> dict[int, Item]:
    """The item of each player whom the moves eliminated; it has squares only if it happened in the last grid."""
    s = rules.State()
    rules.start(s, **position.parameters)
    found = {}
    for move in position.moves:
        if rules.eliminates(s, move):
            n, number = s.n, s.number + 1
            culprits = [
                square
                for square in range(n * n)
                if is_beside(square, move, n)
                and s.numbers[square] != rules.EMPTY
                and gcd(s.numbers[square], number) > 1
            ]
            others = joined((s.numbers[square] for square in culprits), AND)
            square = square_text(move, n)
            where = say("{square} of grid {grid}", square=square, grid=s.grid) if position.state.grid > 1 else square
            words = say(
                "eliminated: wrote {number} beside {others}, in {where}", number=number, others=others, where=where
            )
            is_shown = s.grid == position.state.grid
            squares = tuple(square_text(square, n) for square in (move, *culprits)) if is_shown else ()
            found[s.mover] = Item(s.mover, 0, words, squares)
        rules.play(s, move)
    return found


def read_paper(text: str, given: Mapping[str, object]) -> Position:
    """The grid, rows from the top, numbers and `.` for empty squares; every number is checked against the rules.

    Where blocked grids were begun anew, the paper has all of them, with an empty line or `//` between two. The position
    has the moves; when the last number blocks its grid, it is that of the new grid, as in play (R4.4). The number of
    players is not on the paper: it is given, or 2. Raises BadParameter, and BadPaper, which names the first number that
    can't stand where it does.
    """
    grids = read_grids(text)
    parameters = read_side(grids[0], rules.PARAMETERS, given)
    s = rules.State()
    rules.start(s, **parameters)
    moves: list[int] = []
    for count, grid in enumerate(grids, 1):
        read_side(grid, rules.PARAMETERS, parameters)
        if s.is_over or s.grid != count:
            state = say("The game was over") if s.is_over else say("Grid {grid} wasn't blocked yet", grid=s.grid)
            raise BadPaper(say("{state}, so there can't be a grid {count}.", state=state, count=count))
        moves += _replay(s, read_order(grid), say("Grid {count}: ", count=count) if len(grids) > 1 else "")
    return Position(s, parameters, tuple(moves))


def _replay(s: rules.State, squares: list[int], place: str) -> list[int]:
    """Play one grid, its 1 included, and return the moves: all numbers but the 1."""
    corner = square_text(s.last, s.n)
    if not squares or squares[0] != s.last:
        raise BadPaper(say("{place}1 must stand in {corner}, the upper left square.", place=place, corner=corner))
    grid = s.grid
    for number, move in enumerate(squares[1:], 2):
        broken: str
        if s.is_over:
            broken = say("the game was over with {number}.", number=number - 1)
        elif s.grid != grid:
            broken = say("{number} had blocked the grid.", number=number - 1)
        else:
            broken = rules.broken_rule(s, move)
        if broken:
            raise BadPaper(
                say(
                    "{place}{number} can't stand in {square}: {broken}",
                    place=place,
                    number=number,
                    square=square_text(move, s.n),
                    broken=broken,
                )
            )
        rules.play(s, move)
    return squares[1:]
