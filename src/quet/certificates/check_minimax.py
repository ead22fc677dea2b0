"""Repeats a search: every position of the game is worth the best of what can come after it.

The certificate has nothing but the claim. Where the claims of the game have a way of their own to try all positions, it
is taken. Otherwise each position is looked at once, by the rules, and by whole turns where the claims say which turns
matter. What is left to trust is what a table leaves to trust: the rules and the claims.
"""

from ..core.errors import BadCertificate, TooLargeToCheck
from ..core.quoting import shorten
from ..core.rules import AnyState, legal_moves
from ..core.state import copy
from .aims import Result, aim, result, told
from .claims import Perfect, Subject
from .limits import Limits, Meter, megabytes
from .ways import after, ways

MOST_POSITIONS = 1_500_000  # on small boards some minutes
BYTES = 350  # that Python takes for a position


def check(
    subject: Subject,
    start: AnyState,
    claimed: Result,
    *,
    is_lowest: bool,
    best_moves: list[str] | None,
    most: int = MOST_POSITIONS,
    meter: Meter | None = None,
) -> str:
    """Check that perfect play of all leads to the result claimed, and to `best_moves`, if any, as all first moves.

    All positions are tried in the game's own way where the limits allow it, or at most so many by the rules and as long
    as there is time.
    Returns what was checked, as a sentence; raises BadCertificate, and TooLargeToCheck.
    """
    meter = meter or Meter()
    own, limits = subject.claims, meter.limits
    if isinstance(own, Perfect) and subject.rules.num_players(start) > 1:
        count, cost = own.num_positions(start), own.cost(start)
        if cost is not None and cost[0] <= limits.seconds and cost[1] <= limits.memory:
            best = own.perfect(start, claimed)
            _need_best(best_moves, [subject.rules.move_text(start, move) for move in best])
            return f"Of {count} positions all that matter were tried, and each is worth the best of what can follow."
        if count > most:
            raise TooLargeToCheck(_too_large(cost, limits))
    most = min(most, limits.memory // BYTES)
    search = Search(subject, is_lowest=is_lowest, most=most, meter=meter)
    value = search.value(start)
    if value != claimed:
        what = "value is" if len(claimed) == 1 else "scores are"
        raise _bad(f"By trying all positions the {what} {told(value)}, not {told(claimed)}.")
    if best_moves is not None:
        _need_best(best_moves, search.best_moves(start, claimed))
    return f"Each of the {search.num_positions} positions was tried, and each is worth the best of what can follow."


def _too_large(cost: tuple[float, int] | None, limits: Limits) -> str:
    """What is said of a game in which more positions would have to be tried than may be."""
    if cost is None:
        return "The game has more positions than are tried."
    seconds, memory = cost
    return (
        f"To try all positions would take {seconds:.0f} s on a slow machine and {megabytes(memory)} MB; allowed are "
        f"{limits.seconds:.0f} s and {megabytes(limits.memory)} MB (--time, --memory)."
    )


def _need_best(claimed: list[str] | None, best: list[str]) -> None:
    if claimed is not None and claimed != best:
        raise _bad(f"The best moves are {shorten(' '.join(best), 200)}.")


class Search:
    """The values of positions of one game, each found once."""

    def __init__(self, subject: Subject, *, is_lowest: bool, most: int, meter: Meter | None = None) -> None:
        self._subject, self._is_lowest, self._most = subject, is_lowest, most
        self._meter = meter or Meter()
        self._still: dict[bytes, Result | None] = {}  # by how much the result changes; None while it is being found

    @property
    def num_positions(self) -> int:
        """How many positions have been looked at."""
        return len(self._still)

    def value(self, s: AnyState) -> Result:
        """The result that perfect play from s leads to. Raises BadCertificate, and TooLargeToCheck."""
        try:
            return self._value(s)
        except RecursionError:
            raise TooLargeToCheck("The game is too long to be tried.") from None

    def best_moves(self, s: AnyState, value: Result) -> list[str]:
        """The first moves that lead to this value, in order. Raises BadCertificate.

        The claims name one of several turns that are as good, so each first move is tried, and then whole turns.
        """
        rules, keeping = self._subject.rules, []
        for move in legal_moves(rules, s):
            twin = copy(s)
            rules.play(twin, move)
            if self._value(twin) == value:
                keeping.append(rules.move_text(s, move))
        return keeping

    def _value(self, s: AnyState) -> Result:
        subject = self._subject
        here = result(subject.rules, s)
        if subject.rules.is_over(s):
            return here
        key = subject.key(s)
        if key in self._still:
            still = self._still[key]
            if still is None:
                raise _bad("Positions come again, so that trying them proves nothing.")
            return tuple(one + other for one, other in zip(here, still, strict=True))
        if len(self._still) >= self._most:
            raise TooLargeToCheck(f"The game has more than {self._most} positions.")
        self._meter.step()
        self._still[key] = None
        wish = aim(subject, s, is_lowest=self._is_lowest)
        results = []
        for way in ways(subject, s):  # a comprehension would take twice as much of Python's stack
            results.append(self._value(after(subject, s, way)))
        best = max(results, key=wish)
        self._still[key] = tuple(one - other for one, other in zip(best, here, strict=True))
        return best


def _bad(sentence: str) -> BadCertificate:
    return BadCertificate(sentence, step="grounds")
