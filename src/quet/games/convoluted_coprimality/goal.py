"""What the mover wants, and what to do now."""

from quet.core.grid import square_text
from quet.core.messages import say
from quet.core.numbers import is_prime
from quet.core.position import Position

from .rules import State, eliminates, legal_moves, most_moves


def goal(position: Position) -> str:
    """The sentences for a position that isn't over."""
    s: State = position.state
    number, last = s.number + 1, square_text(s.last, s.n)
    out = [0] * most_moves(s)
    count = legal_moves(s, out)
    if all(eliminates(s, square) for square in out[:count]):
        return say(
            "Write {number} beside {last}: every square left lies beside a number that shares a factor with it, "
            "so you are out.",
            number=number,
            last=last,
        )
    prime = number
    while not is_prime(prime):
        prime += 1
    turn = say("Your turn ends with it.") if prime == number else say("Your turn goes on to {prime}.", prime=prime)
    sentence = say(
        "Write {number} beside {last}, and beside no number that shares a factor with it, or you are out. {turn}",
        number=number,
        last=last,
        turn=turn,
    )
    if s.number > 1 or s.grid == 1:
        return sentence
    return say("The grid before is blocked, so grid {grid} begins. {goal}", grid=s.grid, goal=sentence)
