"""The commands of `quet`: each hands its options to the module that does it, and prints JSON where that is wanted.

Each imports what it needs when it is run, so that `quet --help` answers at once.
"""

import argparse
import io
import json
import sys
from pathlib import Path
from typing import cast

from .lines import BadUsage, refuse
from .progress import STOPPED, terminating


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
    from . import play

    return play.run(options)


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
    from . import site

    return site.serve(options)


def backup(options: argparse.Namespace) -> int:
    from . import site

    return site.backup(options)


def restore(options: argparse.Namespace) -> int:
    from . import site

    return site.restore(options)


def forget(options: argparse.Namespace) -> int:
    from . import site

    return site.forget(options)


def ugi(options: argparse.Namespace) -> int:
    from . import ugi_lines

    return ugi_lines.serve(cast(io.BufferedReader, sys.stdin.buffer), sys.stdout)


def _print_json(data: object) -> None:
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(data, indent=2, ensure_ascii=not is_unicode, allow_nan=False))
