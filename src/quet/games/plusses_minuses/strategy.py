"""Mirror strategies for both players; `docs/proofs.md` proves what they hold for every n.

The player who replies copies the opponent's last symbol, and answers each square by its mirror image: player 2 in the
diagonal, player 1 in the line of squares above it, since player 1's list is player 2's list, shifted by a place.
"""

from quet.core.grid import square_text

from .rules import State

METHOD = "mirror strategies"
LARGEST = 10  # of n: up to here every reply can be checked in half a minute


def find(s: State) -> list[tuple[int, dict[str, object]]]:
    """The values that mirror strategies hold, with the grounds for them as a certificate has them."""
    if s.ply > 0 or s.n > LARGEST:
        return []
    is_first = s.second_part_first == 1  # player 1 fills the first square, one that is its own image
    low = 0 if is_first else max(-3, 1 - s.n)
    corner = square_text((s.n - 1) * s.n, s.n)  # above the first column, below no row
    return [
        (low, {"for": ["low"], "kind": "mirror", "symbol": "-", "square": corner if is_first else None, "shift": 1}),
        (0, {"for": ["high"], "kind": "mirror", "symbol": None, "square": None if is_first else "a1", "shift": 0}),
    ]


def line(s: State) -> list[int]:
    """The whole game in which both play their strategies, where they hold the same value.

    All symbols are -, and the squares are those of the falling diagonal, from its two ends.
    """
    n = s.n
    ends = [end for column in range(n) for end in (column, n - 1 - column)][:n]
    return [n * n + 1] * (2 * n - 2) + [(n - 1 - column) * n + column for column in ends]
