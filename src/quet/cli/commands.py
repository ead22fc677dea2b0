"""The commands of `quet`: each hands its options to the module that does it, and prints JSON where that is wanted.

Each imports what it needs when it is run, so that `quet --help` answers at once.
"""

import argparse
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ..core.errors import BadParameter
from ..core.extras import needs
from .lines import BadUsage, can_draw, refuse
from .progress import STOPPED, terminating

if TYPE_CHECKING:
    from ..web.storage.backup import ByPostgresql, Content


def games(options: argparse.Namespace) -> int:
    from . import rules

    found = rules.games(is_json=options.json)
    if options.json:
        _print_json(found)
    return 0


def rules(options: argparse.Namespace) -> int:
    from .. import catalog
    from . import rules

    entry = catalog.get(options.game)
    if options.json:
        _print_json(rules.data(entry))
    else:
        rules.write(entry)
    return 0


def play(options: argparse.Namespace) -> int:
    from ..core.parameters import split_parameters
    from . import files
    from .limits import in_bytes

    loaded = None
    if options.load is not None:
        if options.game is not None:
            raise BadUsage("The game is the one that --load names; leave GAME out.")
        refuse(options, ["seat"], "quet play --load")
        loaded = files.one_game(options.load)
    elif options.game is None and options.plain:
        from .. import catalog

        raise BadUsage(f"Name a game, as in quet play {catalog.ids()[0]} --plain.")
    parameters = split_parameters(options.parameters)
    seconds, increment = _clock(options.clock)
    memory = in_bytes(options.memory)
    if options.plain:
        refuse(options, ["theme"], "quet play --plain")
        from ..game import new
        from ..play.clock import Clock
        from ..play.session import Session, seat
        from ..players.preparation import Beside
        from ..terminal.remembered import Remembered
        from . import plain

        clock = Clock(seconds, increment) if seconds else None
        if loaded is not None:
            session = Session.resume(loaded[0], clock=clock, seed=options.seed, memory=memory)
        else:
            game = new(options.game, **parameters)
            session = Session(game, [seat(who) for who in options.seat], clock=clock, seed=options.seed, memory=memory)
        beside = Beside()
        try:
            return plain.run(session, beside=beside, remembered=Remembered.of_user)
        finally:
            beside.end()
    if not can_draw():
        raise BadUsage(
            "The terminal application needs a terminal on which it can draw; with --plain it plays line by line, "
            "through a pipe too."
        )
    from ..terminal import app

    return app.run(
        options.game,
        parameters,
        options.seat,
        seconds=seconds,
        increment=increment,
        seed=options.seed,
        memory=memory,
        theme=options.theme,
        loaded=loaded,
    )


def learn(options: argparse.Namespace) -> int:
    from .. import catalog
    from . import learn as lessons

    if options.game is None:
        refuse(options, ["step"], "quet learn without a game")
        for entry in catalog.playable():
            if entry.lesson is not None:
                print(f"quet learn {entry.id}: {entry.title}, {len(entry.lesson.steps)} steps")
        return 0
    entry = catalog.get(options.game)
    lesson = lessons.lesson_of(entry)
    if not 1 <= options.step <= len(lesson.steps):
        raise BadUsage(f"The lesson has {len(lesson.steps)} steps; there is none with the number {options.step}.")
    return lessons.run(entry, lesson, options.step)


def daily(options: argparse.Namespace) -> int:
    from ..puzzles.daily import puzzle_of
    from . import daily

    for other in ("json", "puzzle", "plain"):
        if getattr(options, other):
            refuse(options, ["theme"], f"quet daily --{other}")
    if options.json:
        found = daily.chosen(options.date)
        parameters = dict(found.parameters)
        puzzle = puzzle_of(found.day)
        asked = {"game": puzzle.game_id, "id": puzzle.id, "parameters": dict(puzzle.parameters)}
        game = {"date": str(found.day), "game": found.game_id, "parameters": parameters, "best": found.best}
        _print_json({**game, "puzzle": {**asked, "moves": " ".join(puzzle.moves), "kind": puzzle.kind.value}})
        return 0
    if options.puzzle:
        return daily.solve(options.date)
    return daily.run(options.date, is_plain=options.plain, theme=options.theme)


def _clock(text: str | None) -> tuple[float, float]:
    """The seconds and the increment of `MINUTES[+SECONDS]`; zeros where no clock is wanted."""
    from ..core.numbers import read_integer
    from ..core.quoting import shorten
    from ..play.clock import MOST_INCREMENT, MOST_MINUTES

    if text is None:
        return 0.0, 0.0
    minutes, plus, seconds = text.partition("+")
    limit, increment = read_integer(minutes), read_integer(seconds) if plus else 0
    is_limit = limit is not None and 1 <= limit <= MOST_MINUTES
    if limit is None or increment is None or not is_limit or not 0 <= increment <= MOST_INCREMENT:
        raise BadParameter(
            f"The clock is MINUTES or MINUTES+SECONDS, as in 10+5: whole numbers, from 1 to {MOST_MINUTES} minutes and "
            f"from 0 to {MOST_INCREMENT} seconds, not {shorten(text)}."
        )
    return 60.0 * limit, float(increment)


def replay(options: argparse.Namespace) -> int:
    from . import replay

    found = replay.run(options)
    if options.json:
        _print_json(found)
    return 0


def show(options: argparse.Namespace) -> int:
    from . import show

    show.run(options)
    return 0


def sheet(options: argparse.Namespace) -> int:
    from ..core.parameters import split_parameters
    from . import sheet

    sheet.run(options.game, split_parameters(options.parameters), options.output)
    return 0


def analyse(options: argparse.Namespace) -> int:
    from . import analyse

    found = analyse.run(
        options.file,
        number=options.game,
        seconds=options.seconds,
        simulations=options.sims,
        seed=options.seed,
        output=options.output,
        memory=options.memory,
        is_json=options.json,
    )
    if options.json:
        _print_json(found.json)
    return STOPPED if found.is_stopped else 0


def solve(options: argparse.Namespace) -> int:
    from ..core.parameters import split_parameters
    from . import solve

    with terminating():
        found, trouble, status = solve.run(
            options.game,
            split_parameters(options.parameters),
            is_lowest=options.lowest,
            seconds=options.time,
            memory=options.memory,
            seed=options.seed,
            checkpoint=options.checkpoint,
            resume=options.resume,
            output=options.certificate,
            has_strategies=options.strategies,
            is_tablebase_saved=options.save_tablebase,
            workers=options.workers,
            cluster=options.cluster,
            is_json=options.json,
        )
        if options.json:
            _print_json(found)
    if trouble is not None:
        raise trouble
    return status


def verify(options: argparse.Namespace) -> int:
    from . import verify
    from .limits import of_checker

    status, results = verify.run(
        options.files,
        of_checker(options.time, options.memory),
        is_json=options.json,
        cnf=options.cnf,
        drat=options.drat,
        lrat=options.lrat,
    )
    if options.json:
        _print_json(results)
    return status


def results(options: argparse.Namespace) -> int:
    from . import results

    status, found = results.run(options)
    if found is not None:
        _print_json(found)
    return status


def puzzle(options: argparse.Namespace) -> int:
    from . import puzzles

    return puzzles.solve(options)


def puzzles(options: argparse.Namespace) -> int:
    from . import puzzles

    status, found = puzzles.run(options)
    if options.json:
        _print_json(found)
    return status


def dataset(options: argparse.Namespace) -> int:
    from ..core.parameters import split_parameters
    from . import dataset

    found = dataset.run(
        options.game,
        split_parameters(options.parameters),
        num=options.positions,
        source=options.source,
        seed=options.seed,
        out=options.out,
        is_json=options.json,
    )
    if options.json:
        _print_json(found)
    return STOPPED if found["status"] == dataset.STOPPED_STATUS else 0


def rl(options: argparse.Namespace) -> int:
    from . import rl

    with terminating():  # so that engines are ended
        status, found = rl.run(options)
        if options.json:
            _print_json(found)
    return status


def check(options: argparse.Namespace) -> int:
    from . import check

    found = check.run(options.game, is_json=options.json)
    if options.json:
        _print_json(found)
    return 0 if found["passed"] else 1


def new_game(options: argparse.Namespace) -> int:
    from . import new_game

    folder = new_game.make(options.name, Path(options.folder), is_bare=options.bare)
    print(f"Made {folder}. Its rules are in {new_game.rules_file(folder, options.name, is_bare=options.bare)}.")
    if not options.bare:
        print(f"Next: pip install -e {folder}, then quet check {options.name} and quet play {options.name}.")
    return 0


def arena(options: argparse.Namespace) -> int:
    from .. import catalog
    from ..core.parameters import split_parameters
    from . import arena

    with terminating():  # so that engines are ended
        outcomes, status = arena.run(
            [options.game] if options.game else catalog.ids(),
            split_parameters(options.parameters),
            arena.names(options.players),
            num_games=options.games,
            seed=options.seed,
            opening_plies=options.openings,
            num_workers=options.workers,
            is_round_robin=options.all_pairs,
            results_file=options.results,
            memory=options.memory,
            go=options.go,
            is_json=options.json,
        )
        if options.json:
            _print_json(outcomes)
    return status


def serve(options: argparse.Namespace) -> int:
    if not 1 <= options.port <= 65_535:
        raise BadUsage("The port must be from 1 to 65535.")
    if not 1 <= options.workers <= 64:
        raise BadUsage("There must be from 1 to 64 workers.")
    with needs("site", "The site"):
        from ..web import serve

        return serve.run(options.host, options.port, options.workers)


def backup(options: argparse.Namespace) -> int:
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


def _run_this(way: "ByPostgresql") -> int:
    """Say it with the line whole, however long the names in it are: a part of it would do something else."""
    print(f"quet: {way} Run:\n{way.line}", file=sys.stderr)
    return 2


def _content(content: "Content") -> str:
    return f"{_counted(content.games, 'game', 'games')} with {_counted(content.rows, 'row', 'rows')}"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def forget(options: argparse.Namespace) -> int:
    if options.player is not None and options.what != "person":
        raise BadUsage("--player says which person; it goes with quet forget person.")
    if options.which is None and options.what != "key":
        raise BadUsage(f"quet forget {options.what} needs to be told which.")
    if options.which is not None and options.what == "key":
        raise BadUsage("quet forget key takes no further word: the site has one key.")
    from ..core.errors import one_line
    from ..core.quoting import printable
    from ..results.folder import find

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


def ugi(options: argparse.Namespace) -> int:
    from . import ugi_lines

    return ugi_lines.serve(cast(io.BufferedReader, sys.stdin.buffer), sys.stdout)


def _print_json(data: object) -> None:
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(data, indent=2, ensure_ascii=not is_unicode, allow_nan=False))
