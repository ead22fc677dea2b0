"""`quet games` and `quet rules`: which games there are, with their parameters, and the rules of one."""

import sys
import textwrap

from .. import catalog
from ..catalog import Entry
from ..core.errors import one_line
from ..core.parameters import Parameter, TermsParameter
from ..core.sequences import ways_to_write


def games(*, is_json: bool) -> list[dict[str, object]]:
    """Print all games with their parameters unless JSON is wanted. Returns what JSON tells."""
    found = []
    for id in catalog.ids():
        entry = catalog.get(id)
        try:
            found.append((_about(entry), _parameter_lines(entry)))
        except Exception as error:  # a game of another package can be broken in any way; the others are listed
            print(f"quet: {id} is broken: {one_line(error)}", file=sys.stderr)
    for about, lines in () if is_json else found:
        print(f"{about['game']}: {about['title']}")
        for line in (about["summary"], *lines):
            print(f"    {line}")
    return [about for about, _ in found]


def _about(entry: Entry) -> dict[str, object]:
    return {
        "game": entry.id,
        "title": entry.title,
        "author": entry.facts["author"],
        "date": str(entry.facts["date"]),
        "source": entry.facts["source"],
        "summary": entry.facts["summary"],
        "rules_version": entry.rules.VERSION,
        "parameters": [
            {"name": p.name, "meaning": p.meaning, "default": p.default, "usual": p.usual}
            | ({"low": p.low, "high": p.high} if isinstance(p, Parameter) else {})
            for p in entry.rules.PARAMETERS
        ],
    }


def _parameter_lines(entry: Entry) -> list[str]:
    lines = []
    for p in entry.rules.PARAMETERS:
        values = f"{p.low} to {p.high}" if isinstance(p, Parameter) else "a name, a list, random:... or file:..."
        usual = f", best {p.usual}" if p.usual else ""
        lines.append(f"{p.name}: {p.meaning}; {values}{usual} (default {p.default})")
    return lines


def data(entry: Entry) -> dict[str, object]:
    """The rules of a game as JSON tells them."""
    return _about(entry) | {"rules": entry.facts["rules"], "rulings": entry.facts.get("rulings", {})}


def write(entry: Entry) -> None:
    """Print the rules, the parameters and the rulings of a game."""
    facts = entry.facts
    print(f"{entry.title}, by {facts['author']} ({facts['date']})")
    print(f"Source: {facts['source']}\n")
    for rule in facts["rules"]:
        print(textwrap.fill(rule, 88, initial_indent="- ", subsequent_indent="  "))
    print("\nParameters:")
    for line in _parameter_lines(entry):
        print(textwrap.fill(line, 88, initial_indent="- ", subsequent_indent="  "))
    if any(isinstance(p, TermsParameter) for p in entry.rules.PARAMETERS):
        print("\nHow a sequence is written:")
        for line in ways_to_write():
            print(textwrap.fill(line, 88, initial_indent="- ", subsequent_indent="  "))
    if facts.get("rulings"):
        print("\nRulings on what the author left open:")
        for name, ruling in facts["rulings"].items():
            print(textwrap.fill(f"{name}: {ruling}", 88, initial_indent="- ", subsequent_indent="  "))
