"""What patterns say where each move is one of the rules, and they hold the whole outcome. Compiled with them."""

from ..core.rules import AnyState

ALLOCATES = False


def step(s: AnyState, move: int) -> int:
    """The rules' move that a move is."""
    return move


def settled(s: AnyState) -> int:
    """No part of the outcome is left out of the patterns."""
    return 0


def gain(s: AnyState, move: int) -> int:
    """So that no move changes such a part."""
    return 0
