"""Who is still in the game: all whom no number has eliminated."""

from .rules import State


def is_in(s: State, player: int) -> bool:
    return s.is_left[player] == 1
