"""Rows of one game as sequences: values by size, with everything else equal."""

from collections.abc import Sequence
from dataclasses import dataclass

from .. import catalog
from ..core.errors import BadParameter
from ..core.messages import Message, say
from .row import Row
from .words import asked


@dataclass(frozen=True)
class Series:
    """The rows of one score, by size."""

    rows: Sequence[Row]  # at least one

    @property
    def game(self) -> str:
        return self.rows[0].game

    @property
    def score(self) -> str:
        return self.rows[0].score

    @property
    def others(self) -> dict[str, int | str]:
        """The parameters without the size."""
        return self.rows[0].others

    @property
    def proven(self) -> list[Row]:
        """The rows from the first size on that are proven, without a gap."""
        found: list[Row] = []
        for row in self.rows:
            if not row.is_proven or (found and row.size != found[-1].size + 1):
                break
            found.append(row)
        return found

    @property
    def rest(self) -> list[Row]:
        """The rows after those."""
        return list(self.rows[len(self.proven) :])


def series(rows: Sequence[Row]) -> list[Series]:
    """The rows of one game, divided into series. A series with the usual parameters comes before the others.

    Rows of three and more players are left out, since they have several numbers. Raises BadParameter if no row is left.
    """
    numbers = [row for row in rows if row.is_one_number]
    if not numbers:
        raise BadParameter("Scores of three and more players are no sequence of numbers; name a game of fewer.")
    found: dict[tuple[object, ...], list[Row]] = {}
    for row in numbers:
        found.setdefault((row.score, *row.others.values()), []).append(row)
    parted = [Series(sorted(some, key=lambda row: row.size)) for some in found.values()]
    return sorted(parted, key=lambda one: (one.score, not _is_usual(one)))


def only(rows: Sequence[Row]) -> Series:
    """The only series in the rows; of several, the one of highest scores or values with the usual parameters.

    Raises BadParameter if that doesn't name one series.
    """
    found = series(rows)
    if len(found) > 1:
        found = [one for one in found if _is_usual(one) and one.score != "lowest"]
    if len(found) != 1:
        raise BadParameter("Name one sequence, by --lowest or by parameters, as NAME=VALUE.")
    return found[0]


def _is_usual(one: Series) -> bool:
    known = catalog.get(one.game).rules.PARAMETERS
    return all(one.others[p.name] == p.default for p in known[1:])


def meaning(one: Series) -> Message:
    """What the values are, as the beginning of a sentence."""
    if one.score != "value":
        return asked(one.rows[0])
    if catalog.get(one.game).rules.LOWER_IS_BETTER:
        return say("Player 1's cost minus player 2's under perfect play")
    return say("Player 1's score minus player 2's under perfect play")
