"""What the mover wants, and what to do now."""

from quet.core.messages import say
from quet.core.position import Position

from .rules import State, mover


def goal(position: Position) -> str:
    """The sentences for a position that isn't over."""
    s: State = position.state
    now = say("Fill any square to begin the blob.") if s.ply == 0 else say("Fill a square beside the blob.")
    if mover(s) == 1:
        return say("{now} You want good rows: of any two run lengths in them, one divides the other.", now=now)
    return say("{now} You want good columns: of any two run lengths in them, one divides the other.", now=now)
