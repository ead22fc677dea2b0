"""What the mover wants, and what to do now."""

from quet.core.grid import COLUMNS
from quet.core.messages import say
from quet.core.position import Position

from .rules import State, is_predicting, mover


def goal(position: Position) -> str:
    """The sentences for a position that isn't over."""
    s: State = position.state
    if not is_predicting(s):
        return say(
            "Fill a square in a row and a column without a filled one. You score where your predictions come true."
        )
    k = s.ply // 2  # symbols that the mover has predicted so far
    if mover(s) == 1:
        return say(
            "Predict: will the filled square of column {next} be higher (+) or lower (-) than that of column {column}?",
            next=COLUMNS[k + 1],
            column=COLUMNS[k],
        )
    return say(
        "Predict: will the filled square of row {next} be further right (+) or further left (-) than that of row "
        "{row}?",
        next=k + 2,
        row=k + 1,
    )
