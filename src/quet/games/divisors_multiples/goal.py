"""What the mover wants, and what to do now."""

from quet.core.messages import say
from quet.core.position import Position

from .rules import State


def goal(position: Position) -> str:
    """The sentences for a position that isn't over."""
    s: State = position.state
    if s.num_steps == 2 * s.r - 1:
        return say(
            "This is the last step of your turn: from {x}, stop on a divisor or multiple that isn't taken.", x=s.current
        )
    if s.num_steps > 0:
        return say(
            "Your turn goes on from {x}: step to a divisor or multiple of it, and stop on a number that isn't taken.",
            x=s.current,
        )
    return say(
        "Step from {x} to a divisor or multiple of it, and stop on a number that isn't taken. Pay little: the lowest "
        "total wins.",
        x=s.current,
    )
