"""What the player wants, and what to do now."""

from quet.core.grid import square_text
from quet.core.messages import say, say_number
from quet.core.position import Position

from .rules import State, legal_moves, most_moves


def goal(position: Position) -> str:
    """The sentences for a position that isn't over."""
    s: State = position.state
    if s.count == 0:
        return say("Write 1 in any square. The more numbers you can write, the better.")
    number, last = s.count + 1, square_text(s.last, s.n)
    out = [0] * most_moves(s)
    legal_moves(s, out)
    distance = abs(out[0] // s.n - s.last // s.n) + abs(out[0] % s.n - s.last % s.n)
    if distance < s.step:
        return say(
            "No empty square lies {step} from {last} in its row or column, so write {number} beside it.",
            step=s.step,
            last=last,
            number=number,
        )
    return say_number(
        "{next} goes {number} square from {last}, in its row or column.",
        "{next} goes {number} squares from {last}, in its row or column.",
        s.step,
        next=number,
        last=last,
    )
