"""What theorems say of values and best scores, also of sizes that the table doesn't have.

Who shows the table, exports it or finds no row in it asks here.
"""

from collections.abc import Mapping

from .. import catalog
from ..core.facts import ConjectureFacts, TheoremFacts, conjecture_facts, theorem_facts
from ..core.messages import Message
from ..core.numbers import read_integer
from .row import Row


def of(row: Row) -> list[TheoremFacts]:
    """The theorems about the sequence to which a row belongs."""
    return [one for one in theorem_facts(catalog.get(row.game).facts) if _is_about(one, row)]


def conjectures(row: Row) -> list[ConjectureFacts]:
    """The conjectures about the sequence to which a row belongs."""
    return [one for one in conjecture_facts(catalog.get(row.game).facts) if _is_about(one, row)]


def _is_about(one: TheoremFacts | ConjectureFacts, row: Row) -> bool:
    is_asked = row.is_one_number and one.is_lowest == row.is_lowest
    return is_asked and {**usual(row.game), **one.parameters} == row.others


def usual(game: str) -> dict[str, int | str]:
    """The parameters of a game without the size, each with its default."""
    return {parameter.name: parameter.default for parameter in catalog.get(game).rules.PARAMETERS[1:]}


def said(game: str, theorem: TheoremFacts) -> Message:
    """The sentence of a theorem, with the size as the game calls it."""
    return Message(theorem.text, {"n": catalog.get(game).rules.PARAMETERS[0].name})


def of_size(game: str, given: Mapping[str, object], *, is_lowest: bool | None) -> list[str]:
    """What theorems say of the size that parameters name, a sentence each; nothing where they name none.

    Theorems of all other parameters and of both kinds of score are told, but where `given` and `is_lowest` name one.
    The sentence then names what the caller left open.
    """
    facts, name_of_size = catalog.get(game).facts, catalog.get(game).rules.PARAMETERS[0].name
    size = read_integer(str(given.get(name_of_size, "")))
    others = {name: str(value) for name, value in given.items() if name != name_of_size}
    found = []
    for theorem in theorem_facts(facts):
        about = {name: str(value) for name, value in {**usual(game), **theorem.parameters}.items()}
        is_about = others.items() <= about.items() and is_lowest in (None, theorem.is_lowest)
        if size is None or not is_about or not theorem.covers(size):
            continue
        names = [f"{name}={value}" for name, value in theorem.parameters.items() if name not in given]
        names += ["--lowest"] if is_lowest is None and theorem.is_lowest else []
        begun = f"With {' '.join(names)} a" if names else "A"
        found.append(f"{begun} theorem says: {said(game, theorem)}")
    return found
