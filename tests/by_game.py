"""What tests know of each game: a sentence, and no bare KeyError, says where a new game is missing."""

from typing import TypeVar

Known = TypeVar("Known")


class ByGame(dict[str, Known]):
    """Something for each game by its id."""

    def __init__(self, place: str, known: dict[str, Known]) -> None:
        """`place` says where it stands, as `PAPERS in tests/papers.py`."""
        super().__init__(known)
        self._place = place

    def __missing__(self, id: str) -> Known:
        raise AssertionError(f"Add {id} to {self._place}.")
