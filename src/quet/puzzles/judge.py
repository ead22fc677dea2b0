"""What a move in a puzzle is told: right, or wrong with its refutation and what it cost."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..core.errors import IllegalMove
from ..core.messages import say
from ..draw.scene import signed
from ..game import Game
from ..knowledge.worth import in_words, solved
from . import check
from .puzzle import Kind, Puzzle, is_right, mover_of


@dataclass(frozen=True)
class Told:
    """The answer to a move."""

    words: str  # a message
    is_right: bool
    is_solved: bool  # whether nothing more is to be found
    before: Game  # the position in which the move was made
    game: Game  # after the move and, where it is wrong, after the reply to it
    move: str
    reply: str = ""


def begun(puzzle: Puzzle, moves: Sequence[str]) -> Game:
    """The position after some moves of a solution. Raises MoveError where they can't be some: a puzzle for two has one.

    Whether they are right takes a search; `reached` looks.
    """
    game = puzzle.position()
    for move in moves:
        game.play(move)
    if moves and (puzzle.kind is not Kind.BEST or game.is_over):
        raise _wrong()
    return game


def reached(puzzle: Puzzle, moves: Sequence[str]) -> Game:
    """The position after the first moves of a solution. Raises MoveError for others: nobody follows a wrong move."""
    game = begun(puzzle, moves)
    if moves and max(_values(game).values()) != puzzle.best:
        raise _wrong()
    return game


def _wrong() -> IllegalMove:
    return IllegalMove(say("A solution doesn't begin with these moves."))


def answer(puzzle: Puzzle, game: Game, text: str) -> Told:
    """What a move is told, typed as people do. `game` is in the puzzle's position, or in one of its solution.

    Raises MoveError where the text is no legal move.
    """
    move = game.rules.move_text(game.state, game.read_typed(text))
    after = game.after(move)
    if puzzle.kind is Kind.BEST:
        return _in_solitaire(puzzle, game, move, after)
    value = puzzle.values[move]
    worth, best = (in_words(solved(game, each), game) for each in (value, puzzle.best))
    if is_right(puzzle.kind, value, puzzle.best):
        words = say("{move} is right: it leads to {worth}.", move=signed(move), worth=worth)
        return Told(words, True, True, game, after, move)
    reply = puzzle.replies.get(move, "")
    cost = say("{move} leads to {worth}; the right move leads to {best}.", move=signed(move), worth=worth, best=best)
    if reply:
        cost = say(
            "{move} leads to {worth}: player {player} answers {reply}. The right move leads to {best}.",
            move=signed(move),
            worth=worth,
            player=mover_of(after),
            reply=signed(reply),
            best=best,
        )
        after.play(reply)
    return Told(cost, False, False, game, after, move, reply)


def _in_solitaire(puzzle: Puzzle, game: Game, move: str, after: Game) -> Told:
    best = in_words(solved(game, puzzle.best), game)
    values = puzzle.values if game.ply == len(puzzle.moves) else _values(game)
    if values[move] == puzzle.best:
        if after.is_over:
            words = say("Solved: you have reached {best}, and more isn't possible.", best=best)
        else:
            words = say("{move} is right so far: {best} can still be reached.", move=signed(move), best=best)
        return Told(words, True, after.is_over, game, after, move)
    worth = in_words(solved(game, values[move]), game)
    words = say(
        "After {move} the best that can be reached is {worth}; before it was {best}.",
        move=signed(move),
        worth=worth,
        best=best,
    )
    return Told(words, False, False, game, after, move)


def _values(game: Game) -> dict[str, int]:
    """The values in a position that comes after a puzzle. Raises IllegalMove for one that doesn't."""
    values = check.values(game)
    if values is None:
        raise IllegalMove(say("A solution doesn't begin with these moves."))
    return values


def solution(puzzle: Puzzle, game: Game) -> str:
    """A right move in the puzzle's position, or in one of its solution."""
    if game.ply == len(puzzle.moves):
        return puzzle.right[0]
    return next(move for move, value in _values(game).items() if value == puzzle.best)
