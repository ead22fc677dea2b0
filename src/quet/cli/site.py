"""The commands for who runs a site: serve it, back it up, and forget what somebody wants forgotten."""

import argparse
import sys
from typing import TYPE_CHECKING

from ..core.errors import one_line
from ..core.extras import needs
from ..core.quoting import printable
from ..results.folder import find
from .lines import BadUsage
from .progress import terminating

if TYPE_CHECKING:
    from ..web.storage.backup import ByPostgresql, Content


def serve(options: argparse.Namespace) -> int:
    """Serve the site until it is ended."""
    if not 1 <= options.port <= 65_535:
        raise BadUsage("The port must be from 1 to 65535.")
    if not 1 <= options.workers <= 64:
        raise BadUsage("There must be from 1 to 64 workers.")
    with needs("site", "The site"):
        from ..web import serve

        return serve.run(options.host, options.port, options.workers)


def backup(options: argparse.Namespace) -> int:
    """Copy the database to a file."""
    with needs("site", "The site"):
        from ..web.settings import database_url
        from ..web.storage import backup

        try:
            with terminating():  # so that no copy is left
                content = backup.backup(database_url(), options.file)
        except backup.ByPostgresql as way:
            return _run_this(way)
    told = sys.stderr if options.file == backup.STREAM else sys.stdout
    print(f"Backed up {_content(content)} to {options.file}.", file=told)
    print(f"Keep {backup.KEY} too: without it nobody has their seats.", file=told)
    return 0


def restore(options: argparse.Namespace) -> int:
    """Put a backup in the place of the database."""
    with needs("site", "The site"):
        from ..web.settings import database_url
        from ..web.storage import backup

        try:
            with terminating():  # so that no copy is left
                content, kept = backup.restore(database_url(), options.file)
        except backup.ByPostgresql as way:
            return _run_this(way)
    print(f"Restored {_content(content)}.")
    if kept is not None:
        print(f"The database of before is {kept}.")
    print(f"Visitors have their seats where {backup.KEY} is that of the backup's site.")
    return 0


def forget(options: argparse.Namespace) -> int:
    """Take away what the options name, and say what is gone."""
    if options.player is not None and options.what != "person":
        raise BadUsage("--player says which person; it goes with quet forget person.")
    if options.which is None and options.what != "key":
        raise BadUsage(f"quet forget {options.what} needs to be told which.")
    if options.which is not None and options.what == "key":
        raise BadUsage("quet forget key takes no further word: the site has one key.")
    table = find(None)  # which the site shows
    with needs("site", "The site"):
        from ..web.settings import database_url
        from ..web.storage.forgetting import id_of, opened

        with opened(database_url(), table) as forgetting:
            if options.what == "key":
                forgetting.key()
                print("The site has no key now. It takes that of the server that starts next.")
                return 0
            if options.what == "name":
                gone = forgetting.name(options.which)
            elif options.what == "person":
                gone = forgetting.person(id_of(options.which), options.player)
            else:
                gone = getattr(forgetting, options.what)(id_of(options.which))
    numbers = (
        (gone.games, "game", "games"),
        (gone.entries, "entry", "entries"),
        (gone.names, "name", "names"),
        (gone.seats, "seat that nobody holds now", "seats that nobody holds now"),
        (gone.rows, "name in the table of best results", "names in the table of best results"),
    )
    told = ", ".join(_counted(*each) for each in numbers if each[0])
    if told:
        print(f"Gone: {told}.")
    elif not gone.kept:
        print("Nothing more can be taken away: the games go on.")
    if gone.rows:
        print(f"The table is {printable(str(table.path.resolve()))}.")
    if gone.kept:
        print(
            f"quet: The table of best results came with Quet and keeps the name in {one_line(', '.join(gone.kept))}.",
            file=sys.stderr,
        )
        return 2
    return 0


def _run_this(way: "ByPostgresql") -> int:
    """Say it with the line whole, however long the names in it are: a part of it would do something else."""
    print(f"quet: {way} Run:\n{way.line}", file=sys.stderr)
    return 2


def _content(content: "Content") -> str:
    return f"{_counted(content.games, 'game', 'games')} with {_counted(content.rows, 'row', 'rows')}"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
