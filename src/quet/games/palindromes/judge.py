"""Every palindrome and antipalindrome of a row, and rows read from paper."""

from collections.abc import Mapping

from quet.core.errors import BadPaper
from quet.core.messages import say
from quet.core.paper import EMPTY_MARKS, read_size, read_words
from quet.core.position import Item, Position
from quet.core.quoting import shorten

from . import rules

KINDS = (say("a palindrome"), say("an antipalindrome"))  # of players 1 and 2


def items(position: Position) -> list[Item]:
    """Each palindrome for player 1, then each antipalindrome for player 2, by place and then length."""
    s = position.state
    found: list[tuple[int, int, int]] = []  # player, first square, length
    for player in (1, 2):
        for centre in range(1, s.m):
            for half in range(1, rules.half_length(s, centre, player) + 1):
                found.append((player, centre - half, 2 * half))
    return [_item(s, player, first, length) for player, first, length in sorted(found)]


def _item(s: rules.State, player: int, first: int, length: int) -> Item:
    squares = range(first, first + length)
    digits = "".join(str(s.digits[square]) for square in squares)
    words = say(
        "{digits} at {first}-{last}, {kind}",
        digits=digits,
        first=first + 1,
        last=first + length,
        kind=KINDS[player - 1],
    )
    return Item(player, length, words, tuple(str(square + 1) for square in squares))


def read_paper(text: str, given: Mapping[str, object]) -> Position:
    """The row written as `1001001101000100`; spaces are skipped, and `.` or `_` is an empty square.

    Raises BadPaper and BadParameter.
    """
    row = "".join(read_words(text))
    for square, mark in enumerate(row, 1):
        if mark not in ("0", "1", *EMPTY_MARKS):
            raise BadPaper(
                say(
                    "In square {square} stands {mark}, which is neither 0 nor 1 nor a . for an empty one.",
                    square=square,
                    mark=shorten(mark),
                )
            )
    parameters = read_size(
        "m", len(row), say("The length of the row is {length}", length=len(row)), rules.PARAMETERS, given
    )
    s = rules.State()
    rules.start(s, **parameters)
    for square, mark in enumerate(row):
        if mark not in EMPTY_MARKS:
            rules.play(s, 2 * square + int(mark))
    return Position(s, parameters)
