"""What the player wants, and what to do now."""

from quet.core.grid import square_text
from quet.core.messages import say
from quet.core.numbers import integer_text
from quet.core.position import Position

from .picture import shorten_term
from .rules import State


def goal(position: Position) -> str:
    """The sentences for a position that isn't over."""
    s: State = position.state

    def term(index: int) -> str:
        return shorten_term(integer_text(position.parameters["sequence"].values[index - 1]))

    if s.is_placing:
        if s.count == 0:
            return say(
                "Write {term} in any square. In the end you want a long path that never goes down.", term=term(1)
            )
        return say(
            "Write {term} in an empty square touching {last}. In the end you want a long path that never goes down.",
            term=term(s.count + 1),
            last=square_text(s.last, s.n),
        )
    if s.length == 0:
        return say("Choose where the path begins. It goes from square to touching square and never to a lower number.")
    return say(
        "Go on from {last}, which holds {term}, to a touching square with no lower number. Each square is a point.",
        last=square_text(s.last, s.n),
        term=term(s.index[s.last]),
    )
