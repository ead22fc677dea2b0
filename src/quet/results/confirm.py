"""Confirms the table of results: a second way finds again the proven values that rest on one search alone.

    python -m quet.results.confirm [GAME ...] [--all] [--time S] [--folder FOLDER]

For maintainers, after `make results`. If the two ways agree, the certificate names the second way, and the row says
`exhaustive confirmed`. A row that takes longer than the time (ten minutes unless given) stays as it is. With `--all`
the second way also checks values that rest on more, such as a table of all positions; their rows stay.
"""

import argparse
import functools
import re
import sys
import time
from typing import cast

from .. import catalog
from ..certificates import verify
from ..core.errors import BrokenRules, refusing
from .folder import Folder, find
from .one_by_one import one_by_one
from .row import Row, Value, told
from .second import SecondWayOfMany, second_way
from .submit import enter, kept

SECONDS = 600.0
_ONE_WAY = re.compile(r"exhaustive(?! confirmed)")


def main() -> int:
    """Confirm what can be confirmed. Returns 1 if two ways disagree or something else is wrong, else 0."""
    parser = argparse.ArgumentParser(
        prog="python -m quet.results.confirm",
        description="Find by a second way what the table has as proven by one search.",
    )
    parser.add_argument("games", metavar="GAME", nargs="*", help="only these games")
    parser.add_argument("--all", action="store_true", help="also what rests on more than one search")
    parser.add_argument("--time", metavar="S", type=float, default=SECONDS, help="seconds for each row, at most")
    parser.add_argument("--folder", metavar="FOLDER", help="of the table (the repository's)")
    options = parser.parse_args()
    if not options.time >= 0:
        parser.error("The time is a number of seconds, and not below 0.")
    with refusing(parser):
        games = [catalog.get(id).id for id in options.games]
        folder = find(options.folder)
        rows = [row for row in folder.rows() if not games or row.game in games]
    return one_by_one(
        (row.name(), functools.partial(confirm, folder, row, options.time))
        for row in rows
        if rests_on_one(row) or (options.all and row.is_proven and row.proof != "bound")  # that of the rules is plain
    )


def rests_on_one(row: Row) -> bool:
    """Whether the row rests on a search that nothing confirms, and a second way could find it again."""
    if _ONE_WAY.search(row.proof) is None:
        return False
    way = second_way(row.game, row.size, row.score)
    return row.is_proven or (way is not None and way.FINDS_BOUNDS)


def confirm(folder: Folder, row: Row, seconds: float) -> str:
    """Find the row's value again by the second way. Returns what came of it, as a sentence.

    If the row rested on one search, its certificate then names the second way. Raises BrokenRules, and leaves the table
    as it was, if the second way finds another value.
    """
    way = second_way(row.game, row.size, row.score)
    if way is None:
        return "There is no second way for this game and score."
    if row.size > way.LARGEST:
        return f"The second way ends at {way.LARGEST}."
    until = time.monotonic() + seconds
    value: Value | None
    if isinstance(row.value, int):
        value = way.value(row.parameters, row.number, row.limit, until)
    elif len(row.value) <= way.MOST_PLAYERS:
        value = cast(SecondWayOfMany, way).scores(row.parameters, until)
    else:
        return f"The second way is for {way.MOST_PLAYERS} players at most."
    if value is None:
        return f"The second way takes more than {seconds:g} seconds."
    known = row.value if row.is_proven else row.bound
    if value != known:
        raise BrokenRules(f"Two ways disagree: {told(known)} by {row.certificate}, {told(value)} by {way.WORDS}.")
    if not rests_on_one(row):
        return f"{told(value)}, also by {way.WORDS}."
    missing = folder.missing(row)
    if missing:
        return missing
    confirmed = kept(folder, row).certificate
    for ground in confirmed["grounds"]:
        if ground["kind"] == "exhaustive" and ground["confirmed_by"] is None:
            ground["confirmed_by"] = way.WORDS
    confirmed["digest"] = verify.digest(confirmed)
    enter(folder, confirmed, finder=row.prover, is_trusted=True)
    return f"{told(value)}, confirmed by {way.WORDS}."


if __name__ == "__main__":
    sys.exit(main())
