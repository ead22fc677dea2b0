"""Sizes that nothing here solves, and of which a theorem tells the answer all the same."""

import contextlib
from collections.abc import Iterator, Mapping

from .. import catalog
from ..core.errors import BadParameter
from ..core.facts import theorem_facts
from ..core.numbers import read_integer
from ..core.parameters import to_solve


@contextlib.contextmanager
def told_beyond(id: str, given: Mapping[str, str], *, is_lowest: bool) -> Iterator[None]:
    """Where a size above all that can be asked for is refused inside, have the sentence end with what a theorem says.

    Only a theorem that leaves no term open is told.
    """
    try:
        yield
    except BadParameter as error:
        if (theorem := _theorem(id, given, is_lowest=is_lowest)) is None:
            raise
        raise BadParameter(f"{error} For larger sizes a theorem has the answer: {theorem}") from None


def _theorem(id: str, given: Mapping[str, str], *, is_lowest: bool) -> str | None:
    entry = catalog.get(id)
    size, *others = to_solve(entry.rules.PARAMETERS)
    number = read_integer(given.get(size.name, ""))
    if number is None or number <= getattr(size, "high", number):
        return None
    usual = {other.name: str(other.default) for other in others}
    wanted = {name: value for name, value in given.items() if name != size.name}
    for theorem in theorem_facts(entry.facts):
        about = usual | {name: str(value) for name, value in theorem.parameters.items()}
        if theorem.is_complete and theorem.is_lowest == is_lowest and usual | wanted == about:
            return theorem.text
    return None
