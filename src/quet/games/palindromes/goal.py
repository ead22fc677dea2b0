"""What the mover wants, and what to do now."""

from quet.core.messages import say
from quet.core.position import Position

from .rules import State, mover


def goal(position: Position) -> str:
    """The sentences for a position that isn't over."""
    s: State = position.state
    if mover(s) == 1:
        return say(
            "Write 0 or 1 in any empty square. You score stretches of even length that read the same from both ends."
        )
    return say(
        "Write 0 or 1 in any empty square. You score stretches of even length in which each digit differs from its "
        "mirror image."
    )
