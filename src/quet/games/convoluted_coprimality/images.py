"""The images of a game: itself, and all of it mirrored so that the upper left square stays where it is."""

from .rules import State


def images(s: State, move: int) -> list[int]:
    """The move itself, and mirrored in the diagonal that begins in the upper left square."""
    row, column = divmod(move, s.n)
    return [move, (s.n - 1 - column) * s.n + s.n - 1 - row]
