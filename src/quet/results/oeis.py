"""A series of the table for the On-Line Encyclopedia of Integer Sequences: as a b-file, and as a draft of an entry.

Both have only proven terms, from the first size on without a gap. The draft is in the internal format
(https://oeis.org/eishelp1.html). Its comments have the values that aren't proven. The encyclopedia gives a sequence its
number; until then A000000 stands in its place.
"""

import datetime
import textwrap
from collections.abc import Sequence
from itertools import groupby

from .. import catalog
from ..core.errors import BadParameter
from ..core.facts import link_facts, score_facts
from ..core.grid import shorten
from ..core.parameters import TermsParameter
from .row import LONGEST_NAME, Row, is_name
from .series import Series, meaning
from .words import grounds, kinds

NUMBER = "A000000"
LONGEST_LINE = 80  # characters of a line of terms
MOST_CHARACTERS = 260  # of all terms
LONGEST_EXAMPLE = 240  # characters of the moves of an example
FEWEST_TERMS = 4  # that the encyclopedia takes
_RELATED = {  # the numbers of the named sequences of `core.sequences`
    "divisors": "A000005",
    "mod3": "A010872",
    "naturals": "A000027",
    "pi": "A000796",
    "primes": "A000040",
    "totient": "A000010",
}
_PLAY = {  # by whether the lower score wins
    False: "Under perfect play each player maximizes their own score minus the other's.",
    True: "Under perfect play each player minimizes their own cost minus the other's.",
}


def b_file(one: Series) -> str:
    """The b-file: a size and its term on each line. Raises BadParameter if no term is proven."""
    rows = _proven(one)
    comment = f"# {_name(one)}\n# Proven terms from Quet's table of results.\n"
    return comment + "".join(f"{row.size} {row.value}\n" for row in rows)


def draft(one: Series, author: str) -> str:
    """The draft of an entry, which a person completes. `author` may be a blank. Raises as `b_file` does."""
    if not is_name(author):
        raise BadParameter(f"An author has a name of 1 to {LONGEST_NAME} printable characters, not {shorten(author)}.")
    rows = _proven(one)
    facts = catalog.get(one.game).facts
    lines = [("I", "")]
    lines += [(letter, text) for letter, text in zip("STU", _data([row.number for row in rows]), strict=False)]
    lines.append(("N", _name(one)))
    lines += [("C", f"{'' if number else 'The rules: '}{rule}") for number, rule in enumerate(facts["rules"])]
    lines += [("C", comment) for comment in _comments(one)]
    lines.append(("D", f"{facts['author']}, {facts['title']}. {facts['source']}."))
    link = link_facts(facts)
    if link is not None:
        lines.append(("H", f'{facts["author"]}, <a href="{link.address}">{link.title}</a>.'))
    lines += [("e", example) for example in _examples(rows)]
    lines += [("Y", f"Cf. {number}.") for number in _related(one)]
    lines.append(("K", f"{'sign' if any(row.number < 0 for row in rows) else 'nonn'},hard,more"))
    large = next((number for number, row in enumerate(rows, 1) if abs(row.number) > 1), 1)
    lines.append(("O", f"{rows[0].size},{large}"))
    lines.append(("A", f"{author}, {datetime.date.today():%b %d %Y}"))
    return "".join(f"%{letter} {NUMBER} {text}".rstrip() + "\n" for letter, text in lines)


def _proven(one: Series) -> list[Row]:
    if not one.proven:
        raise BadParameter(f"Nothing is proven of {one.rows[0].name()}, from which the sequence would begin.")
    return one.proven


def _name(one: Series) -> str:
    entry = catalog.get(one.game)
    size = entry.rules.PARAMETERS[0]
    others = " and ".join(f"{name} = {_value(value)}" for name, value in one.others.items())
    index = "n" if size.name == "n" else f"n (in the rules {size.name})"
    game = f'the game "{entry.title}" of {entry.facts["author"]}'
    where = f"where {index} is the {size.meaning.removeprefix('the ')}"
    return f"{meaning(one)} in {game}, {where}{f', with {others}' if others else ''}."


def _value(value: int | str) -> str:
    number = _RELATED.get(str(value))
    return str(value)[:60] + (f" ({number})" if number else "")


def _data(terms: Sequence[int]) -> list[str]:
    """The terms on at most three lines, as many as have room. Each line but the last ends with a comma."""
    kept: list[str] = []
    for term in terms:
        more = [*kept, str(term)]
        if len(_wrapped(more)) > 3 or len(",".join(more)) > MOST_CHARACTERS:
            break
        kept = more
    return _wrapped(kept)


def _wrapped(words: Sequence[str]) -> list[str]:
    lines = textwrap.wrap(", ".join(words), LONGEST_LINE - 11, break_long_words=False, break_on_hyphens=False)
    return [line.replace(" ", "") for line in lines]


def _comments(one: Series) -> list[str]:
    meant = score_facts(catalog.get(one.game).facts).meaning
    found = [meant] if meant else []
    if one.score == "value":
        found.append(_PLAY[catalog.get(one.game).rules.LOWER_IS_BETTER])
    for _, some in groupby(one.proven, key=lambda row: row.proof):
        rows = list(some)
        terms = f"a({rows[0].size})" + (f"-a({rows[-1].size})" if len(rows) > 1 else "")
        found.append(f"{terms}: {'; '.join(map(grounds, kinds(rows[0])))}.")
    for row in one.rest:
        if row.is_proven:
            found.append(f"a({row.size}) = {row.value}.")
        else:
            signs = ("<=", ">=") if row.is_lowest else (">=", "<=")
            found.append(f"a({row.size}) {signs[0]} {row.value} and a({row.size}) {signs[1]} {row.bound}.")
    return found


def _examples(rows: Sequence[Row]) -> list[str]:
    """The moves of one game, as an example: the game of the largest size that has room on a line."""
    short = [row for row in rows if row.witness and len(row.witness) <= LONGEST_EXAMPLE]
    return [f"a({row.size}) = {row.value}: the moves are {row.witness}." for row in short[-1:]]


def _related(one: Series) -> list[str]:
    known = catalog.get(one.game).rules.PARAMETERS
    named = [str(one.others[p.name]) for p in known[1:] if isinstance(p, TermsParameter)]
    return [_RELATED[name] for name in named if name in _RELATED]
