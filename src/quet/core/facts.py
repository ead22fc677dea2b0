"""Optional parts of a game's `facts.toml`: read, and checked, by those who ask for them.

[score]                                      # for `quet score` and for sequences of scores
example = '"2 9 8 / 3 1 10 / 7 6 15"'        # what can stand behind `quet score GAME`
note = "gives the best path"                 # said beside the example
meaning = "Whoever is left scores 1."        # of the scores, where the rules name no numbers

[link]                                       # where the author tells more
title = "weblog of his games"
address = "https://example.org/games"

[[results]]                                  # what the table of results asks, in the order in which it is solved
sizes = [2, 9]                               # the first and the last; the size is the game's first parameter
parameters = { second_part_first = 2 }       # the others, where they aren't the usual ones
lowest = true                                # the lowest score of a solitaire, and not the highest
seconds = 3600                               # at most for each, where it may never be settled
memory = 8192                                # in MB, where it needs much
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .errors import BrokenRules
from .grid import shorten


@dataclass(frozen=True)
class ScoreFacts:
    """The part `[score]`; what is missing there is empty."""

    example: str = ""
    note: str = ""
    meaning: str = ""


@dataclass(frozen=True)
class LinkFacts:
    """The part `[link]`."""

    title: str
    address: str


@dataclass(frozen=True)
class ResultFacts:
    """A part `[[results]]`: questions that differ in their size alone."""

    sizes: range
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    is_lowest: bool = False
    seconds: int | None = None
    memory: int | None = None  # in MB


def score_facts(facts: Mapping[str, object]) -> ScoreFacts:
    """What the facts say of scores; raises BrokenRules."""
    part = _table(facts.get("score", {}), "[score]", {"example", "note", "meaning"})
    return ScoreFacts(**{name: _line(value, f"{name} of [score]") for name, value in part.items()})


def link_facts(facts: Mapping[str, object]) -> LinkFacts | None:
    """Where the author tells more, if the facts say so; raises BrokenRules."""
    if "link" not in facts:
        return None
    part = _table(facts["link"], "[link]", {"title", "address"})
    title, address = (_line(part.get(name), f"{name} of [link]") for name in ("title", "address"))
    if not address.startswith(("http://", "https://")) or '"' in address:
        raise _wrong("address of [link]", "begin with http:// or https://")
    return LinkFacts(title, address)


def result_facts(facts: Mapping[str, object]) -> list[ResultFacts]:
    """What the table of results asks of the game, nothing unless the facts say so; raises BrokenRules."""
    found = facts.get("results", [])
    if not isinstance(found, list):
        raise _wrong("results", "be tables [[results]]")
    return [_results(part) for part in found]


def _results(found: object) -> ResultFacts:
    part = _table(found, "[[results]]", {"sizes", "parameters", "lowest", "seconds", "memory"})
    lowest = part.get("lowest", False)
    if not isinstance(lowest, bool):
        raise _wrong("lowest of [[results]]", "be true or false")
    parameters = _table(part.get("parameters", {}), "parameters of [[results]]", None)
    values = {name: value for name, value in parameters.items() if isinstance(value, int | str)}
    if len(values) < len(parameters):
        raise _wrong("parameters of [[results]]", "be integers and texts")
    return ResultFacts(
        _range(part.get("sizes")),
        values,
        lowest,
        _limit(part.get("seconds"), "seconds"),
        _limit(part.get("memory"), "memory"),
    )


def _range(found: object) -> range:
    ends = [size for size in found if type(size) is int] if isinstance(found, list) and len(found) == 2 else []
    if len(ends) != 2 or ends[0] > ends[1]:
        raise _wrong("sizes of [[results]]", "be the first and the last, as in [2, 9]")
    return range(ends[0], ends[1] + 1)


def _limit(found: object, name: str) -> int | None:
    if found is None or (isinstance(found, int) and not isinstance(found, bool) and found > 0):
        return found
    raise _wrong(f"{name} of [[results]]", "be an integer above 0")


def _table(found: object, name: str, known: set[str] | None) -> dict[str, object]:
    """A table of the facts; all its keys must be known."""
    if not isinstance(found, dict):
        raise _wrong(name, "be a table")
    for key in found:
        if known is not None and key not in known:
            raise BrokenRules(f"In {name} of the facts nothing is called {shorten(key)}.")
    return found


def _line(found: object, name: str) -> str:
    if not isinstance(found, str) or not found.strip() or not found.isprintable():
        raise _wrong(name, "be one line of text")
    return found


def _wrong(name: str, what: str) -> BrokenRules:
    return BrokenRules(f"The {name} in the facts must {what}.")
