"""Mirror strategies for both players; `docs/proofs.md` proves what they hold for every n.

The player who replies copies the opponent's last symbol, and answers each square by its mirror image: player 2 in the
diagonal, player 1 in the line of squares above it, since player 1's list is player 2's list, shifted by a place.
"""

from quet.core.grid import square_text
from quet.core.messages import say

from .rules import EMPTY, State, is_predicting, mover

METHOD = "mirror strategies"
LARGEST = 10  # of n: up to here every reply can be checked in half a minute


def find(s: State) -> list[tuple[int, dict[str, object]]]:
    """The values that mirror strategies hold, with the grounds for them as a certificate has them."""
    if s.ply > 0 or s.n > LARGEST:
        return []
    is_first = s.second_part_first == 1  # player 1 fills the first square, one that is its own image
    corner = square_text(_corner(s.n), s.n) if is_first else None
    return [
        (_value(s, 1), {"for": ["low"], "kind": "mirror", "symbol": "-", "square": corner, "shift": 1}),
        (
            _value(s, 2),
            {"for": ["high"], "kind": "mirror", "symbol": None, "square": None if is_first else "a1", "shift": 0},
        ),
    ]


def hold(s: State, player: int) -> tuple[int, int] | None:
    """The value that the player's mirror strategy holds from s on, and the move that copies the opponent."""
    if not _has_copied(s, player):
        return None
    move = -1
    is_turn = mover(s) == player
    if is_predicting(s):
        if is_turn:
            copied = -1 if s.ply == 0 else s.predicted[s.ply - 1]
            move = s.n * s.n + (copied < 0)
        return _value(s, player), move
    filled = [(height - 1) * s.n + column for column, height in enumerate(s.height[: s.n]) if height != EMPTY]
    begins = s.second_part_first == player
    if begins and not filled:
        return _value(s, player), _corner(s.n) if player == 1 else 0
    if begins and player == 1 and _corner(s.n) not in filled:
        return None
    shift = 2 - player
    alone = [square for square in filled if _image(s.n, square, shift) not in filled]
    if len(alone) > is_turn:
        return None
    if alone:
        move = _image(s.n, alone[0], shift)
    elif is_turn:
        column = s.height.index(EMPTY)
        move = (column - shift) % s.n * s.n + column
    return _value(s, player), move


def why(s: State, move: int) -> str:
    """What the move does, as a sentence."""
    if is_predicting(s):
        if s.ply == 0:
            return say("From here on each prediction of the opponent can be copied.")
        return say("It copies the opponent's last prediction.")
    if _image(s.n, move, 2 - mover(s)) != move:
        return say("It is the mirror image of what the opponent has filled, so that both lists of signs agree.")
    if all(height == EMPTY for height in s.height[: s.n]):
        return say("It is its own mirror image, so that each square of the opponent can be answered by its image.")
    return say("All that is filled stays its own mirror image, so that both lists of signs agree.")


def _value(s: State, player: int) -> int:
    """What the mirror strategy of this player holds."""
    return 0 if player == 2 or s.second_part_first == 1 else max(-3, 1 - s.n)


def _has_copied(s: State, player: int) -> bool:
    """Whether the player has predicted the opponent's last symbol each time, player 1 a - at first."""
    before = [-1, *s.predicted]  # what is copied to each place of the list
    copied = range(player - 1, min(s.ply, 2 * (s.n - 1)), 2)
    return all(s.predicted[place] == before[place] for place in copied)


def _corner(n: int) -> int:
    """The square above the first column and below no row."""
    return (n - 1) * n


def _image(n: int, square: int, shift: int) -> int:
    """The square in the image of this one's column and of its row."""
    row, column = divmod(square, n)
    return (column - shift) % n * n + (row + shift) % n


def line(s: State) -> list[int]:
    """The whole game in which both play their strategies, where they hold the same value.

    All symbols are -, and the squares are those of the falling diagonal, from its two ends.
    """
    n = s.n
    ends = [end for column in range(n) for end in (column, n - 1 - column)][:n]
    return [n * n + 1] * (2 * n - 2) + [(n - 1 - column) * n + column for column in ends]
