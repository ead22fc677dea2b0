"""The commands that check a row of the table and look for its result anew, with the time and memory that they need."""

import math
from dataclasses import dataclass

from .. import catalog
from ..certificates import claims
from ..certificates.limits import USUAL
from ..core.facts import ResultFacts, result_facts
from ..core.parameters import written
from ..game import new_to_solve
from .larger import Larger
from .row import Row
from .words import kinds


@dataclass(frozen=True)
class Check:
    """How a row's certificate is checked; what it needs is 0 where the usual limits are enough."""

    command: str
    minutes: int = 0  # on a slow machine
    megabytes: int = 0


def check(row: Row) -> Check:
    """`quet verify` for the row's certificate, with the limits that it needs where the checker tries all positions."""
    command = f"quet verify {row.certificate}"
    needed = _cost(row) if "minimax" in kinds(row) else None
    if needed is None:
        return Check(command)
    seconds, memory = math.ceil(needed[0]), math.ceil(needed[1] / 2**20)
    is_long, is_large = seconds > USUAL.seconds, needed[1] > USUAL.memory
    if not is_long and not is_large:
        return Check(command)
    command += f" --time {seconds}" * is_long + f" --memory {memory}" * is_large
    return Check(command, math.ceil(seconds / 60), memory)


def _cost(row: Row) -> tuple[float, int] | None:
    own = claims.of(row.game).claims
    return own.cost(new_to_solve(row.game, **row.parameters).state) if isinstance(own, claims.Perfect) else None


def solve(row: Row, larger: Larger | None) -> str:
    """`quet solve` for the row's question: as its large certificate was made, or with the limits of `make results`."""
    if larger is not None:
        return larger.command
    command, part = f"quet solve {row.words}", planned(row)
    command += f" --time {part.seconds}" if part.seconds is not None else ""
    command += f" --memory {part.memory}" if part.memory is not None else ""
    return command


def planned(row: Row) -> ResultFacts:
    """The part of the game's plan that asks the row's question; one without limits where none does."""
    entry = catalog.get(row.game)
    size = entry.rules.PARAMETERS[0].name
    for part in result_facts(entry.facts):
        if row.size not in part.sizes or part.is_lowest != row.is_lowest:
            continue
        if written(new_to_solve(row.game, **{size: row.size, **part.parameters}).parameters) == row.parameters:
            return part
    return ResultFacts(range(row.size, row.size + 1))
