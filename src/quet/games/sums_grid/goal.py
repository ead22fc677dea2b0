"""What the player wants, and what to do now."""

from quet.core.messages import say
from quet.core.position import Position

from .rules import State, score


def goal(position: Position) -> str:
    """The sentences for a position that isn't over."""
    s: State = position.state
    reached = score(s, 1)
    if reached == s.n**3:
        return say("All sums from 1 to {reached} occur, and no grid has more: you can finish.", reached=reached)
    if s.num_filled == s.n * s.n:
        return say(
            "The grid is full, and {missing} is missing among the sums: change a number, or finish.",
            missing=reached + 1,
        )
    return say(
        "Write different numbers, so that neighbours in a line add up to 1, 2, 3 and so on: {missing} is missing.",
        missing=reached + 1,
    )
