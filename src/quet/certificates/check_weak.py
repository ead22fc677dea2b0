"""Checks a weak solution: a strategy of one player that holds a value against every play of the other.

It is a list of replies, one for each position in which the player moves and that can come up: the number of a move
among the legal ones in ascending order, or of a turn where the claims of the game say which turns matter. Positions are
not written down, since they follow from the replies before. They are met stage by stage, and in each stage in the order
of their keys; of positions with one key only the one with the worst result so far counts, as the future of all of them
is the same. Every reply of the other player is followed, and every end is scored by the rules. Memory holds one block
of positions, and files the rest of those that have come up and weren't looked at yet (`frontier.py`).
"""

import base64
import binascii
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

from ..core.errors import BadCertificate, TooLargeToCheck
from ..core.rules import AnyState, wants_high
from ..core.state import Packing
from .claims import Subject
from .frontier import Frontier
from .limits import Meter
from .ways import Ways, after, follow, ways

MOST_POSITIONS = 50_000_000  # of either player
MOST_HELD = 6_000_000_000  # bytes of positions in memory, for whoever makes a strategy
BLOCK = 256 << 20  # the same for the checker, or less where less memory is allowed
_BLOCK = 1 << 16  # bytes of replies that are unpacked at once
Positions = Iterator[tuple[AnyState, Ways]]  # each with the ways on from it
Choose = Callable[[Positions], Iterator[tuple[AnyState, Sequence[int]]]]


def check(
    subject: Subject,
    start: AnyState,
    given: object,
    side: str,
    value: int,
    see: Callable[[AnyState, Ways, int], None] | None = None,
    meter: Meter | None = None,
) -> str:
    """Check that the replies hold `value`: as the lowest for the side `low`, as the highest for `high`.

    `see` is called with each position that has a reply, the ways to go on from there, and the number of the reply.
    Returns what was checked, as a sentence; raises BadCertificate, and TooLargeToCheck.
    """
    replies = _replies(given)

    def choose(positions: Positions) -> Iterator[tuple[AnyState, Sequence[int]]]:
        for s, going in positions:
            number = next(replies, None)
            if number is None:
                raise _bad("The strategy has fewer replies than positions.")
            if number >= len(going):
                raise _bad("A reply of the strategy is no legal move.")
            if see is not None:
                see(s, going, number)
            yield s, going[number]

    walk = Walk(subject, subject.shortened(start), side, value, meter or Meter(is_patient=True))
    walk.run(choose)
    if next(replies, None) is not None:
        raise _bad("The strategy has more replies than positions.")
    return (
        f"A strategy of player {walk.player} with {walk.num_own} replies holds the value at {value} "
        f"{'at least' if side == 'low' else 'at most'}, in all {walk.num_positions} positions that can come up."
    )


class Walk:
    """A walk through all positions that can come up where one player follows a strategy."""

    def __init__(self, subject: Subject, start: AnyState, side: str, value: int, meter: Meter | None = None) -> None:
        """Without a meter, for whoever makes a strategy, all positions stay in memory, and `is_new` can be asked."""
        self._subject, self._rules = subject, subject.rules
        self._sign = 1 if side == "low" else -1  # results times this must be large enough
        self._value = value
        self.player = 1 if wants_high(subject.rules, 1) == (side == "low") else 2
        self.num_own = self.num_positions = 0
        self.current = 0  # the stage
        block = MOST_HELD if meter is None else min(BLOCK, meter.limits.memory)
        self._frontier = Frontier(Packing(start), block, on_disk=meter is not None)
        self._meter = meter or Meter(is_patient=True)  # whoever makes a strategy has a time of their own
        self._stage = subject.stage
        self.key = subject.key if subject.canonical is None else subject.canonical
        self.is_score_in_key = subject.canonical is not None or subject.is_score_in_key
        self.add(start, self.key(start), 0)

    def run(self, choose: Choose) -> None:
        """Go from stage to stage. `choose` is asked for the number of a way to go on in each of these positions.

        Raises BadCertificate if an end has a result that is too bad, or if a move doesn't lead to a later stage, and
        TooLargeToCheck where there are too many positions.
        """
        with closing(self._frontier):
            while self._frontier:
                self.current, positions = self._frontier.pop()
                for s, way in choose(self._own(positions)):
                    follow(self._subject, s, way)
                    self._come_to(s)

    def _own(self, positions: Iterator[AnyState]) -> Positions:
        """The positions of a stage in which the player moves. The others are followed on the way."""
        rules, subject = self._rules, self._subject
        for s in positions:
            self.num_positions += 1
            if self.num_positions > MOST_POSITIONS:
                raise TooLargeToCheck(f"More than {MOST_POSITIONS} positions can come up.")
            self._meter.step()
            if rules.is_over(s):
                self._end(s)
            elif rules.mover(s) == self.player:
                self.num_own += 1
                yield s, ways(subject, s)
            else:
                for way in ways(subject, s):
                    self._come_to(after(subject, s, way))

    def _come_to(self, s: AnyState) -> None:
        stage = self.current + 1 if self._stage is None else self._stage(s)
        if stage <= self.current:
            raise _bad("A move doesn't lead to a later stage of the game.")
        self.add(s, self.key(s), stage)

    def stage(self, s: AnyState, before: int) -> int:
        """The stage of a position that comes after one of the stage `before`."""
        return before + 1 if self._stage is None else self._stage(s)

    def is_new(self, key: bytes, stage: int) -> bool:
        """Whether a position of this stage hasn't come up yet."""
        return not self._frontier.has(key, stage)

    def add(self, s: AnyState, key: bytes, stage: int) -> None:
        """Have a position come up. Raises TooLargeToCheck where there are too many."""
        self._frontier.add(s, key, stage, 0 if self.is_score_in_key else self.worth(s))

    def worth(self, s: AnyState) -> int:
        """The result so far, as the player wants it: more is better."""
        return self._sign * (self._rules.score(s, 1) - self._rules.score(s, 2))

    def _end(self, s: AnyState) -> None:
        if self.worth(s) < self._sign * self._value:
            raise _bad(f"The strategy comes to an end of {self._sign * self.worth(s)}.")


def packed(replies: Sequence[int]) -> str:
    """Replies as a certificate has them: bytes, 255 and a second byte from 255 on, by zlib, as base64."""
    content = bytearray()
    for number in replies:
        content += bytes([255, number - 255]) if number >= 255 else bytes([number])
    return base64.b64encode(zlib.compress(bytes(content), 9)).decode()


def _replies(given: object) -> Iterator[int]:
    """The replies, unpacked a block at a time. Raises BadCertificate."""
    if not isinstance(given, str):
        raise _bad("replies must be a text.")
    try:
        content = base64.b64decode(given, validate=True)
    except (binascii.Error, ValueError):
        raise _bad("replies must be a text in base64.") from None
    unpacker = zlib.decompressobj()
    is_high = False
    while not unpacker.eof:
        try:
            block = unpacker.decompress(content, _BLOCK)
        except zlib.error:
            raise _bad("The replies can't be unpacked.") from None
        content = unpacker.unconsumed_tail
        if not block and not content and not unpacker.eof:
            raise _bad("The replies have been cut off.")
        for byte in block:
            if is_high:
                yield 255 + byte
            elif byte != 255:
                yield byte
            is_high = byte == 255 and not is_high
    if unpacker.unused_data or is_high:
        raise _bad("Something follows the replies, or is missing at their end.")


def _bad(sentence: str) -> BadCertificate:
    return BadCertificate(sentence, step="grounds")
