"""A game's `facts.toml`: it is checked once, when it is loaded, and these optional parts are read.

short = "Up And Up"                          # what the site calls it, and where there is little room
begin = "Alone, and the easiest."            # why one would begin with this game, on the home page
puzzles_since = 2027-01-01                   # from which day on its puzzles can be that of a day; without it always

[parameters]                                 # names for people: of each parameter, and of a game with this value
n = { name = "side of the grid", shown = "{value} by {value}" }

[score]                                      # for `quet score` and for sequences of scores
example = '"2 9 8 / 3 1 10 / 7 6 15"'        # what can stand behind `quet score GAME`
note = "gives the best path"                 # said beside the example
meaning = "Whoever is left scores 1."        # of the scores, where the rules name no numbers
wish = "wants to score much"                 # what each of three or more players does, as `wish` of claims.py counts it

[link]                                       # the author's own words on the game
title = "Up And Up, Grid Solitaire"
address = "https://example.org/up-and-up"
date = 2008-09-22                            # where it has one

[[results]]                                  # what the table of results asks, in the order in which it is solved
sizes = [2, 9]                               # the first and the last; the size is the game's first parameter
parameters = { second_part_first = 2 }       # the others, where they aren't the usual ones
lowest = true                                # the lowest score of a solitaire, and not the highest
seconds = 3600                               # at most for each, where it may never be settled
memory = 8192                                # in MB, where it needs much

[[theorems]]                                 # what is proven of sizes that the table needn't have
text = "a({n}) = 0 for all {n} >= 2."        # a sentence about the sequence a; `{n}` stands for the size
sizes = [2]                                  # the first that it is about, and the last where there is one
proof = "docs/proofs.md, theorem 1"          # where its proof stands
value = 0                                    # of all these sizes, where it tells the value
parameters = { second_part_first = 2 }       # of the sequence, where they aren't the usual ones
lowest = true                                # about the lowest scores of a solitaire

[[conjectures]]                              # what may be true of such a sequence, for drafts of the OEIS
text = "a({n}) = -1 for all {n} >= 2."       # with `parameters` and `lowest`, as a theorem

[encyclopedia]                               # more for drafts of the OEIS
rulings = ["R6.4"]                           # those without which one can't understand the sequences
moves = "2=0 writes 0 in square 2"           # how to read the moves of an example, where that isn't plain
parts = ["The terms go to", "The path is"]   # what its moves are before and from the first that was there already

[[levels]]                                   # what computer players get in a solitaire, as measured
parameters = { n = 8 }                       # with these parameters
scores = [55.8, 58.8, 60.6]                  # on average: level:1, level:2, ...

[[daily]]                                    # a solitaire that can be the game of a day; it is never taken out again
parameters = { n = 6 }                       # with these parameters
best = 36                                    # the best score possible, proven
since = 2027-01-01                           # from which day on; without it from the first

[[puzzles]]                                  # a size of which `quet puzzles make` makes puzzles
parameters = { n = 4 }
"""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .errors import BrokenRules
from .quoting import shorten


@dataclass(frozen=True)
class ScoreFacts:
    """The part `[score]`; what is missing there is empty."""

    example: str = ""
    note: str = ""
    meaning: str = ""
    wish: str = ""


@dataclass(frozen=True)
class LinkFacts:
    """The part `[link]`."""

    title: str
    address: str
    date: datetime.date | None = None


@dataclass(frozen=True)
class ParameterFacts:
    """A parameter in the part `[parameters]`."""

    name: str  # in a few words, as in a form
    shown: str  # what a game with this value is like; `{value}` stands for it


@dataclass(frozen=True)
class ResultFacts:
    """A part `[[results]]`: questions that differ in their size alone."""

    sizes: range
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    is_lowest: bool = False
    seconds: int | None = None
    memory: int | None = None  # in MB


@dataclass(frozen=True)
class TheoremFacts:
    """A part `[[theorems]]`: a sentence about a sequence of the table, which is true of sizes beyond it."""

    text: str  # `{n}` stands for the size
    first: int  # the sizes of which it says something
    last: int | None  # None where they don't end
    value: int | None  # the value of each of them, where it tells that
    parameters: Mapping[str, int | str]
    is_lowest: bool = False
    proof: str = ""  # where it stands

    def covers(self, size: int) -> bool:
        """Whether it says something of this size."""
        return size >= self.first and (self.last is None or size <= self.last)


@dataclass(frozen=True)
class ConjectureFacts:
    """A part `[[conjectures]]`: a sentence about a sequence of the table that nobody has proven."""

    text: str  # `{n}` stands for the size
    parameters: Mapping[str, int | str]
    is_lowest: bool = False


@dataclass(frozen=True)
class EncyclopediaFacts:
    """The part `[encyclopedia]`: what drafts of the OEIS say; what is missing there is empty."""

    rulings: Sequence[str] = ()  # their names
    moves: str = ""
    parts: Sequence[str] = ()  # two, or none


@dataclass(frozen=True)
class LevelFacts:
    """A part `[[levels]]`: what computer players get in a solitaire with these parameters."""

    parameters: Mapping[str, int | str]
    scores: list[float]  # on average: that of level:1 first


@dataclass(frozen=True)
class DailyFacts:
    """A part `[[daily]]`: a solitaire that can be the game of a day."""

    parameters: Mapping[str, int | str]
    best: int  # the best score possible, proven
    since: datetime.date | None = None  # the first day on which it can be chosen; None for all days


def score_facts(facts: Mapping[str, object]) -> ScoreFacts:
    """What the facts say of scores; raises BrokenRules."""
    part = _table(facts.get("score", {}), "[score]", {"example", "note", "meaning", "wish"})
    return ScoreFacts(**{name: _line(value, f"{name} of [score]") for name, value in part.items()})


def link_facts(facts: Mapping[str, object]) -> LinkFacts | None:
    """Where the author's own words are, if the facts say so; raises BrokenRules."""
    if "link" not in facts:
        return None
    part = _table(facts["link"], "[link]", {"title", "address", "date"})
    title, address = (_line(part.get(name), f"{name} of [link]") for name in ("title", "address"))
    if not address.startswith(("http://", "https://")) or '"' in address:
        raise _wrong("address of [link]", "begin with http:// or https://")
    return LinkFacts(title, address, _day_or_none(part.get("date"), "date of [link]"))


def parameter_facts(facts: Mapping[str, object]) -> dict[str, ParameterFacts]:
    """What parameters are called, as far as the facts say so; raises BrokenRules."""
    found = {}
    for name, part in _table(facts.get("parameters", {}), "[parameters]", None).items():
        where = f"{name} of [parameters]"
        named = _table(part, where, {"name", "shown"})
        found[name] = ParameterFacts(_line(named.get("name"), where), _line(named.get("shown"), where))
        if any(brace in found[name].name + found[name].shown.replace("{value}", "") for brace in "{}"):
            raise _wrong(where, "have no braces but {value}")
    return found


def result_facts(facts: Mapping[str, object]) -> list[ResultFacts]:
    """What the table of results asks of the game, nothing unless the facts say so; raises BrokenRules."""
    found = facts.get("results", [])
    if not isinstance(found, list):
        raise _wrong("results", "be tables [[results]]")
    return [_results(part) for part in found]


def theorem_facts(facts: Mapping[str, object]) -> list[TheoremFacts]:
    """What is proven of sequences of the table, nothing unless the facts say so; raises BrokenRules."""
    found = facts.get("theorems", [])
    if not isinstance(found, list):
        raise _wrong("theorems", "be tables [[theorems]]")
    return [_theorem(part) for part in found]


def conjecture_facts(facts: Mapping[str, object]) -> list[ConjectureFacts]:
    """What is conjectured of sequences of the table, nothing unless the facts say so; raises BrokenRules."""
    found = facts.get("conjectures", [])
    if not isinstance(found, list):
        raise _wrong("conjectures", "be tables [[conjectures]]")
    return [_conjecture(part) for part in found]


def encyclopedia_facts(facts: Mapping[str, object]) -> EncyclopediaFacts:
    """What the facts say for drafts of the OEIS; raises BrokenRules."""
    part = _table(facts.get("encyclopedia", {}), "[encyclopedia]", {"rulings", "moves", "parts"})
    rulings, parts, moves = part.get("rulings", []), part.get("parts", []), part.get("moves")
    known = _table(facts.get("rulings", {}), "rulings", None)
    if not isinstance(rulings, list) or not all(isinstance(name, str) and name in known for name in rulings):
        raise _wrong("rulings of [encyclopedia]", "be names of [rulings]")
    if not isinstance(parts, list) or len(parts) not in (0, 2):
        raise _wrong("parts of [encyclopedia]", "be two texts")
    return EncyclopediaFacts(
        tuple(rulings),
        "" if moves is None else _line(moves, "moves of [encyclopedia]"),
        tuple(_line(text, "parts of [encyclopedia]") for text in parts),
    )


def level_facts(facts: Mapping[str, object]) -> list[LevelFacts]:
    """What computer players get in a solitaire, nothing unless the facts say so; raises BrokenRules."""
    found = facts.get("levels", [])
    if not isinstance(found, list):
        raise _wrong("levels", "be tables [[levels]]")
    return [_levels(part) for part in found]


def daily_facts(facts: Mapping[str, object]) -> list[DailyFacts]:
    """The solitaires that can be the game of a day, nothing unless the facts say so; raises BrokenRules."""
    found = facts.get("daily", [])
    if not isinstance(found, list):
        raise _wrong("daily", "be tables [[daily]]")
    return [_daily(part) for part in found]


def _daily(found: object) -> DailyFacts:
    part = _table(found, "[[daily]]", {"parameters", "best", "since"})
    best, since = part.get("best"), _day_or_none(part.get("since"), "since of [[daily]]")
    if type(best) is not int or best < 1:
        raise _wrong("best of [[daily]]", "be an integer above 0")
    return DailyFacts(_parameters(part.get("parameters"), "[[daily]]"), best, since)


def puzzle_facts(facts: Mapping[str, object]) -> list[Mapping[str, int | str]]:
    """The parameters of the games from which puzzles are made, none unless the facts say so; raises BrokenRules."""
    found = facts.get("puzzles", [])
    if not isinstance(found, list):
        raise _wrong("puzzles", "be tables [[puzzles]]")
    parts = [_table(part, "[[puzzles]]", {"parameters"}) for part in found]
    return [_parameters(part.get("parameters"), "[[puzzles]]") for part in parts]


def puzzles_since(facts: Mapping[str, object]) -> datetime.date | None:
    """The first day on which a puzzle of the game can be that of the day, None for all days; raises BrokenRules."""
    return _day_or_none(facts.get("puzzles_since"), "puzzles_since")


def _day_or_none(found: object, name: str) -> datetime.date | None:
    if found is not None and (not isinstance(found, datetime.date) or isinstance(found, datetime.datetime)):
        raise _wrong(name, "be a day, as in 2027-01-31 without quotes")
    return found


def _levels(found: object) -> LevelFacts:
    part = _table(found, "[[levels]]", {"parameters", "scores"})
    scores = part.get("scores")
    if not isinstance(scores, list) or not all(type(score) in (int, float) for score in scores):
        raise _wrong("scores of [[levels]]", "be numbers")
    return LevelFacts(_parameters(part.get("parameters", {}), "[[levels]]"), scores)


def _results(found: object) -> ResultFacts:
    part = _table(found, "[[results]]", {"sizes", "parameters", "lowest", "seconds", "memory"})
    is_lowest = _flag(part.get("lowest", False), "lowest of [[results]]")
    parameters = _parameters(part.get("parameters", {}), "[[results]]")
    return ResultFacts(
        _range(part.get("sizes")),
        parameters,
        is_lowest,
        _limit(part.get("seconds"), "seconds"),
        _limit(part.get("memory"), "memory"),
    )


def _theorem(found: object) -> TheoremFacts:
    part = _table(found, "[[theorems]]", {"text", "sizes", "value", "proof", "parameters", "lowest"})
    text, sizes, value = _about_n(part.get("text"), "text of [[theorems]]"), part.get("sizes"), part.get("value")
    ends = [size for size in sizes if type(size) is int] if isinstance(sizes, list) else []
    if not isinstance(sizes, list) or len(ends) < len(sizes) or len(ends) not in (1, 2) or ends[0] > ends[-1]:
        raise _wrong("sizes of [[theorems]]", "be the first, or the first and the last, as in [2] or [2, 9]")
    if value is not None and type(value) is not int:
        raise _wrong("value of [[theorems]]", "be an integer")
    return TheoremFacts(
        text,
        ends[0],
        ends[1] if len(ends) == 2 else None,
        value,
        _parameters(part.get("parameters", {}), "[[theorems]]"),
        _flag(part.get("lowest", False), "lowest of [[theorems]]"),
        _line(part["proof"], "proof of [[theorems]]") if "proof" in part else "",
    )


def _conjecture(found: object) -> ConjectureFacts:
    part = _table(found, "[[conjectures]]", {"text", "parameters", "lowest"})
    return ConjectureFacts(
        _about_n(part.get("text"), "text of [[conjectures]]"),
        _parameters(part.get("parameters", {}), "[[conjectures]]"),
        _flag(part.get("lowest", False), "lowest of [[conjectures]]"),
    )


def _about_n(found: object, name: str) -> str:
    """A sentence in which `{n}` stands for the size."""
    text = _line(found, name)
    if any(brace in text.replace("{n}", "") for brace in "{}"):
        raise _wrong(name, "have no braces but {n}")
    return text


def _flag(found: object, name: str) -> bool:
    if not isinstance(found, bool):
        raise _wrong(name, "be true or false")
    return found


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


def check_facts(facts: Mapping[str, object]) -> None:
    """Raise BrokenRules, with one sentence, unless all that `facts.toml` says has the right type and can be shown.

    Texts are one line without control characters; only a paper may have several lines. Unknown parts are not looked at.
    """
    for name in ("title", "author", "source", "summary"):
        _line(facts.get(name), name)
    day = facts.get("date")
    if not isinstance(day, datetime.date) or isinstance(day, datetime.datetime):
        raise _wrong("date", "be a day, as in 2026-01-31 without quotes")
    rules = facts.get("rules")
    if not isinstance(rules, list) or not rules:
        raise _wrong("rules", "be a list of sentences")
    for rule in rules:
        _line(rule, "rules")
    for name, ruling in _table(facts.get("rulings", {}), "rulings", None).items():
        _line(name, "names of rulings")
        _line(ruling, "rulings")
    for name in ("short", "begin"):
        if name in facts:
            _line(facts[name], name)
    parameter_facts(facts)
    score_facts(facts)
    link_facts(facts)
    result_facts(facts)
    theorem_facts(facts)
    conjecture_facts(facts)
    encyclopedia_facts(facts)
    level_facts(facts)
    daily_facts(facts)
    puzzle_facts(facts)
    puzzles_since(facts)
    settings = {"rave", "exploration", "max_n", "solving", "version"}
    for name, value in _table(facts.get("search", {}), "[search]", settings).items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
            raise _wrong(f"{name} of [search]", "be a number, 0 or more")
    for sample in _tables(facts, "samples"):
        _sample(sample, "[[samples]]")
        _integers(sample.get("scores"), "scores of [[samples]]")
        if "winners" in sample:
            _integers(sample["winners"], "winners of [[samples]]")
    if "example" in facts:
        _sample(_table(facts["example"], "[example]", None), "[example]")
    for row in _tables(facts, "move_counts"):
        _parameters(row.get("parameters"), "[[move_counts]]")
        _integers(row.get("counts"), "counts of [[move_counts]]")


def _sample(sample: Mapping[str, object], name: str) -> None:
    paper = sample.get("paper")
    if not isinstance(paper, str) or not paper.replace("\n", "").isprintable():
        raise _wrong(f"paper of {name}", "be a text without control characters")
    _parameters(sample.get("parameters"), name)
    if "source" in sample:
        _line(sample["source"], f"source of {name}")


def _tables(facts: Mapping[str, object], name: str) -> list[dict[str, object]]:
    found = facts.get(name, [])
    if not isinstance(found, list):
        raise _wrong(name, f"be tables [[{name}]]")
    return [_table(part, f"[[{name}]]", None) for part in found]


def _parameters(found: object, name: str) -> dict[str, int | str]:
    parameters = _table(found, f"parameters of {name}", None)
    values = {name: value for name, value in parameters.items() if type(value) is int or isinstance(value, str)}
    if len(values) < len(parameters) or not all(str(value).isprintable() for value in values.values()):
        raise _wrong(f"parameters of {name}", "be integers and texts")
    return values


def _integers(found: object, name: str) -> None:
    if not isinstance(found, list) or not found or not all(type(number) is int for number in found):
        raise _wrong(name, "be a list of integers")
