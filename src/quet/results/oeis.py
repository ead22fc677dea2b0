"""A series of the table for the On-Line Encyclopedia of Integer Sequences: as a b-file, and as a draft of an entry.

Both have only proven terms, from the first size on without a gap. The draft is in the internal format
(https://oeis.org/eishelp1.html). Its comments have the values that aren't proven. The encyclopedia gives a sequence its
number; until then A000000 stands in its place.
"""

import datetime
import re
import textwrap
from collections.abc import Sequence
from itertools import groupby

from .. import catalog
from ..core.errors import BadParameter
from ..core.facts import encyclopedia_facts, link_facts, score_facts
from ..core.parameters import Parameter, TermsParameter
from ..core.quoting import shorten
from ..core.sequences import Terms
from ..draw.text import rows as drawn
from ..game import new_to_solve
from . import theorems
from .row import LONGEST_NAME, Row, is_name
from .series import Series
from .words import kinds

NUMBER = "A000000"
LONGEST_LINE = 80  # characters of a line of terms
MOST_CHARACTERS = 260  # of all terms
LARGEST_EXAMPLE = 5  # the size of an example, where there is one up to that
LONGEST_EXAMPLE = 100  # characters of its moves
FEWEST_TERMS = 4  # that the encyclopedia takes
LARGEST_SIZE = 100  # to which the terms go where a theorem has all
_RELATED = {  # the numbers of the named sequences of `core.sequences`
    "divisors": "A000005",
    "mod3": "A010872",
    "naturals": "A000027",
    "pi": "A000796",
    "primes": "A000040",
    "totient": "A000010",
}
_OF_DIGITS = frozenset({"pi"})  # those that would be others in another base
_TAKEN = {"mod3": "A010872 from A010872(1) on"}  # terms of a sequence that the encyclopedia begins with an earlier one
_ASKED = {"highest": "highest score in", "lowest": "lowest score in", "value": "value of"}
_VALUE = {  # by whether the lower score wins
    False: "The value is player 1's score minus player 2's if each maximizes their own score minus the other's.",
    True: "The value is player 1's cost minus player 2's if each minimizes their own cost minus the other's.",
}
_GROUNDS = {  # of a row, by its kinds; {better} is the better score
    "bound": "by the rules alone no score is {better}",
    "table": "by exhaustive search",
    "exhaustive": "by exhaustive search",
    "exhaustive confirmed": "by exhaustive search, in two ways",
    "mirror": "by mirror strategies",
    "pairing": "by strategies that pair squares",
    "avoiding": "by strategies that pair squares",
    "weak": "by a strategy of each player, tried against every reply",
    "minimax": "by exhaustive search",
    "tried": "by exhaustive search for {better} scores",
    "unsat": "by a SAT solver's proof that no score is {better}",
}
_CONSTANT = re.compile(r"([A-Z_]+) = .*?((?:  #.*)?)$")  # of a program, with the comment on it
_SQUARE = re.compile(r"[a-z]\d")
_FAR_COLUMN = re.compile(r"\b[a-z]{2}\d")


def b_file(one: Series) -> str:
    """The b-file: a size and its term on each line. Raises BadParameter if no term is proven."""
    rest = _rest(one)
    source = "Quet's table of results" + (f"; from a({rest.start}) on by a theorem" if rest else "")
    comment = f"# {_name(one)}\n# Proven terms from {source}.\n"
    return comment + "".join(f"{size} {term}\n" for size, term in _terms(one).items())


def draft(one: Series, author: str) -> str:
    """The draft of an entry, which a person completes. `author` may be a blank. Raises as `b_file` does."""
    if not is_name(author):
        raise BadParameter(f"An author has a name of 1 to {LONGEST_NAME} printable characters, not {shorten(author)}.")
    rows = _proven(one)
    facts = catalog.get(one.game).facts
    terms = _terms(one)
    data = _data(list(terms.values()))
    lines = [("I", "")]
    lines += [(letter, text) for letter, text in zip("STU", data, strict=False)]
    lines.append(("N", _name(one)))
    lines += [("C", comment) for comment in _comments(one)]
    post = link_facts(facts)
    if post is None or post.date != facts["date"]:  # else the source is the post to which %H leads
        place = str(facts["source"]).removeprefix(f"{facts['author']}, ")
        lines.append(("D", f"{facts['author']}, {facts['title']}, {place}."))
    table = f"Table of n, a(n) for n = {min(terms)}..{max(terms)}"
    lines.append(("H", f'{author.strip("_")}, <a href="/{NUMBER}/b{NUMBER[1:]}.txt">{table}</a>.'))
    if post is not None:
        day = f", {post.date:%b %d %Y}" if post.date else ""
        lines.append(("H", f'{facts["author"]}, <a href="{post.address}">{post.title}</a>{day}.'))
    lines += [("F", formula) for formula in _formulas(one)]
    lines += [("e", example) for example in _examples(rows)]
    lines += [("o", line) for line in _program(one)]
    lines += [("Y", f"Cf. {number}.") for number in _related(one)]
    lines.append(("K", ",".join(_keywords(one, len(data)))))
    large = next((number for number, term in enumerate(terms.values(), 1) if abs(term) > 1), 1)
    lines.append(("O", f"{rows[0].size},{large}"))
    lines.append(("A", f"{author}, {datetime.date.today():%b %d %Y}"))
    return "".join(f"%{letter} {NUMBER} {text}".rstrip() + "\n" for letter, text in lines)


def to_attach(one: Series) -> list[str]:
    """The proofs that have to come with the draft, a sentence each."""
    told = [theorem for theorem in theorems.of(one.rows[0]) if theorem.proof]
    return [
        f"Attach a proof to the draft ({theorem.proof}), as it has no address yet: {theorem.text.format(n='n')}"
        for theorem in told
    ]


def doubts(one: Series) -> list[str]:
    """Why the encyclopedia wouldn't take the sequence, a sentence each."""
    terms = [row.number for row in _proven(one)]
    found = []
    size = catalog.get(one.game).rules.PARAMETERS[0]
    if isinstance(size, Parameter) and one.rows[0].size != size.low:
        found.append(f"The terms begin with a({one.rows[0].size}), and the game with {size.name} = {size.low}.")
    if len(terms) < FEWEST_TERMS:
        few = f"{len(terms)} proven term{'' if len(terms) == 1 else 's'} from the first size on"
        found.append(f"The draft has {few}; the encyclopedia takes sequences of {FEWEST_TERMS} or more.")
    elif len(set(terms)) == 1:
        found.append(f"All terms of the draft are {terms[0]}; the encyclopedia has no need of it.")
    elif terms == [row.size**2 for row in _proven(one)]:
        found.append("All terms of the draft are squares, a(n) = n^2; the encyclopedia has them as A000290.")
    return found


def _proven(one: Series) -> list[Row]:
    if not one.proven:
        raise BadParameter(f"Nothing is proven of {one.rows[0].name()}, from which the sequence would begin.")
    return one.proven


def _terms(one: Series) -> dict[int, int]:
    """The proven terms by their sizes: those of the table, and as many as are shown where a theorem has the rest."""
    terms = {row.size: row.number for row in _proven(one)}
    return terms | dict.fromkeys(_rest(one), _value_of_rest(one) or 0)


def _rest(one: Series) -> range:
    """The sizes that are shown beyond those of the table, where a theorem has the value of all of them."""
    known = _proven(one)[-1].size
    return range(known + 1, known + 1 if _value_of_rest(one) is None else max(LARGEST_SIZE, known) + 1)


def _value_of_rest(one: Series) -> int | None:
    """The value of all sizes after the proven ones of the table; None where no theorem has it."""
    after = _proven(one)[-1].size + 1
    found = [theorem for theorem in theorems.of(one.rows[0]) if theorem.last is None and theorem.covers(after)]
    return next((theorem.value for theorem in found if theorem.value is not None), None)


def _name(one: Series) -> str:
    """One sentence: what a(n) is, in which game, for which sizes."""
    entry = catalog.get(one.game)
    size, *rest = entry.rules.PARAMETERS
    name = f'a(n) is the {_ASKED[one.score]} {entry.facts["author"]}\'s game "{entry.title}"'
    name += f" when the {size.meaning.removeprefix('the ')} is n"
    for one_more in rest:
        value = one.others[one_more.name]
        if isinstance(one_more, TermsParameter):
            name += f" and the {one_more.name} is {_sequence(str(value))}"
        elif value != one_more.default:
            name += f" and {one_more.meaning} is {value}"
    return f"{name}."


def _sequence(sequence: str) -> str:
    """The sequence whose terms a game takes, by its number where it has one."""
    return _TAKEN.get(sequence) or _RELATED.get(sequence) or shorten(sequence)


def _usual(one: Series) -> str:
    """The parameters that the name leaves out, as a comment; empty where there are none."""
    named = [p for p in catalog.get(one.game).rules.PARAMETERS[1:] if one.others[p.name] == p.default]
    told = [f"{p.name} = {p.default} ({p.meaning})" for p in named if not isinstance(p, TermsParameter)]
    return f"Here {' and '.join(told)}." if told else ""


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
    """The rules, what the values mean, what each term rests on, and what is known or conjectured of later terms."""
    entry = catalog.get(one.game)
    size = entry.rules.PARAMETERS[0]
    rules: Sequence[str] = entry.facts["rules"]
    found = [f"The rules{f', with {size.name} for n' if size.name != 'n' else ''}: {rules[0]}", *rules[1:]]
    rulings = [entry.facts["rulings"][name] for name in encyclopedia_facts(entry.facts).rulings]
    if rulings:
        found += [f"Where the rules are silent: {rulings[0]}", *rulings[1:]]
    if isinstance(size, Parameter) and size.low > 1:
        found.append(f"The game needs n >= {size.low}.")
    meant = score_facts(entry.facts).meaning
    found += [text for text in (meant, _usual(one)) if text]
    if one.score == "value":
        found.append(_VALUE[entry.rules.LOWER_IS_BETTER])
    for grounds, some in groupby(one.proven, key=_grounds):
        rows = list(some)
        terms = f"a({rows[0].size})" + (f"-a({rows[-1].size})" if len(rows) > 1 else "")
        found.append(f"{terms}: {grounds}.")
    found += [_later(row) for row in one.rest]
    return found + [f"Conjecture: {told.text.format(n='n')}" for told in theorems.conjectures(one.rows[0])]


def _grounds(row: Row) -> str:
    """What the row rests on, as an encyclopedia says it: without the programs that found and checked it."""
    better = "lower" if row.score == "lowest" else "higher"
    words = _GROUNDS | ({"bound": "by the rules alone"} if row.score == "value" else {})  # which can be either bound
    return "; ".join(words.get(kind, f"by {kind}").format(better=better) for kind in kinds(row))


def _later(row: Row) -> str:
    """What is known of a term after the first one that isn't proven."""
    if row.is_proven:
        return f"a({row.size}) = {row.value}: {_grounds(row)}."
    low, high = sorted((row.number, row.limit))
    known = f"{low} <= a({row.size}) <= {high}"
    if row.proof == "bound":  # the bound that the rules give needs no grounds
        return f"{known}."
    return f"{known}: {_grounds(row)}." if row.score == "value" else f"{known}: the bound is {_grounds(row)}."


def _formulas(one: Series) -> list[str]:
    """What theorems say, a sentence each."""
    told = [theorem.text.format(n="n") for theorem in theorems.of(one.rows[0])]
    return [f"{sentence} (proved)." for text in told for sentence in text.removesuffix(".").split(". ")]


def _examples(rows: Sequence[Row]) -> list[str]:
    """One game, small enough to be checked by eye: its last position where that is a grid or a row, and its moves.

    The moves are left out where each square has a number that tells them. A column after the 26th has two letters,
    which would have to be explained.
    """
    short = [row for row in rows if row.witness and len(row.witness) <= LONGEST_EXAMPLE]
    short = [row for row in short if not _FAR_COLUMN.search(row.witness)]
    if not short:
        return []
    row = ([row for row in short if row.size <= LARGEST_EXAMPLE] or short[:1])[-1]
    game = new_to_solve(row.game, **row.parameters)
    moves = row.witness.split()
    for move in moves:
        game.play(move)
    scene = game.scene(legal=False)
    told = f"a({row.size}) = {row.value}" + (f" = {game.scores[0]} - {game.scores[1]}" if row.score == "value" else "")
    grid = [f"  {line}" for line in drawn(scene)]
    facts = encyclopedia_facts(game.entry.facts)
    numbers = [square.glyph for square in scene.squares if square.glyph.isdigit()]
    is_told_by_numbers = len(set(numbers)) == len(numbers) >= len(moves) - 1  # the last may end the game, off the grid
    if grid and is_told_by_numbers and not facts.parts:
        return [f"{told}:", *grid]
    squares = "a letter is a column from the left, a number a row from the bottom"
    how = [text for text in (facts.moves, squares if any(map(_SQUARE.match, moves)) else "") if text]
    explained = f" ({'; '.join(how)})" if how else ""
    if not grid:
        return [f"{told}: the moves are {row.witness}{explained}."]
    if not facts.parts:
        return [f"{told}:", *grid, f"The moves are {row.witness}{explained}."]
    second = next((k for k, move in enumerate(moves) if move in moves[:k]), len(moves))
    first, last = " ".join(moves[:second]), " ".join(moves[second:])
    return [f"{told}:", *grid, f"{facts.parts[0]} {first}{explained}.", f"{facts.parts[1]} {last}."]


def _program(one: Series) -> list[str]:
    """The game's program for the first terms, with the parameters of the sequence; nothing where it has none for it."""
    entry = catalog.get(one.game)
    if entry.terms is None or one.score not in entry.terms.LAST:
        return []
    first, last = one.proven[0].size, min(entry.terms.LAST[one.score], one.proven[-1].size)
    size, *others = entry.rules.PARAMETERS
    constants = {"LOWEST": str(one.score == "lowest")}
    for parameter in others:
        value = parameter.read(one.others[parameter.name], {size.name: last}, files=False)
        constants[parameter.name.upper()] = str(list(value.used) if isinstance(value, Terms) else value)
    program = ["(Python)"]
    for line in _without_docstring(entry.text_of_terms).splitlines():
        constant = _CONSTANT.match(line)
        if constant is None:
            program += [line] if line else []
        elif constant[1] in constants:
            program.append(f"{constant[1]} = {constants.pop(constant[1])}{constant[2]}")
    if any(one.others[p.name] != p.default for p in others if p.name.upper() in constants):
        return []  # the program leaves out a parameter that isn't the usual one
    return [*program, f"print([a(n) for n in range({first}, {last + 1})])"]


def _without_docstring(text: str) -> str:
    """The text of a module behind its docstring."""
    return text.split('"""', 2)[2] if text.startswith('"""') else text


def _keywords(one: Series, num_lines: int) -> list[str]:
    """Terms that fill the entry are enough, and were not hard to find. Nor is a next term where a theorem has all."""
    found = ["sign" if any(row.number < 0 for row in _proven(one)) else "nonn"]
    found += ["base"] if _OF_DIGITS.intersection(_named(one)) else []
    return found if num_lines == 3 or _rest(one) else [*found, "hard", "more"]


def _related(one: Series) -> list[str]:
    return [_RELATED[name] for name in _named(one) if name in _RELATED]


def _named(one: Series) -> list[str]:
    """The sequences whose terms the game takes, as their parameters name them."""
    known = catalog.get(one.game).rules.PARAMETERS
    return [str(one.others[p.name]) for p in known[1:] if isinstance(p, TermsParameter)]
