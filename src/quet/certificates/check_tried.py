"""Tries all games of a solitaire that would be better than what is claimed, in the game's own way.

The certificate has nothing but the claim. What is left to trust is that the game's claims leave out no game.
"""

from ..core.errors import BadCertificate, TooLargeToCheck
from ..core.rules import AnyState
from .claims import Subject, Tries
from .limits import Meter

MOST_POSITIONS = 250_000_000  # a quarter of an hour; games need no more than some bytes for each move


def check(
    subject: Subject,
    start: AnyState,
    claimed: int,
    side: str,
    *,
    most: int | None = None,
    meter: Meter | None = None,
) -> str:
    """Check that no game has a score below `claimed`, for the side `low`, or above it, for `high`.

    At most so many positions are tried, MOST_POSITIONS without a number. Returns what was checked, as a sentence;
    raises BadCertificate, and TooLargeToCheck.
    """
    most, meter, count = MOST_POSITIONS if most is None else most, meter or Meter(), 0

    def step() -> None:
        nonlocal count
        count += 1
        if count > most:
            raise TooLargeToCheck(f"More than {most} positions would have to be tried.")
        meter.step()

    if not isinstance(subject.claims, Tries):
        raise BadCertificate(f"The claims of {subject.id} don't say how to try all games.", step="grounds")
    if not subject.claims.tried(start, claimed, side, step):
        raise TooLargeToCheck("Not all games that would be better are tried here.")
    return (
        f"All ways to a {'lower' if side == 'low' else 'higher'} score were tried, {count} positions: none reaches one."
    )
