"""`quet`: the commands, each imported when it is asked for, so that `quet --help` answers at once."""

import argparse
import contextlib
import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ..core.errors import BadParameter, QuetError, one_line
from ..core.grid import shorten

if TYPE_CHECKING:
    from ..play.record import Record


class BadUsage(QuetError):
    """A command line that can't be read."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, where argparse would print the usage too."""

    def error(self, message: str) -> NoReturn:
        raise BadUsage(f"{message[:1].upper()}{message[1:]}; {self.prog} --help tells more.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command line (by default the program's own) and return the exit status.

    0 when all went well, 1 when a check failed, 2 for bad input, with one sentence on standard error, 130 for Ctrl-C.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    _open_what_is_closed()
    try:
        try:
            return _run(words)
        finally:
            sys.stdout.flush()  # so that what can't be written is noticed here
    except QuetError as error:
        print(f"quet: {one_line(error)}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        _forget_output()
        return 1
    except OSError as error:
        _forget_output()
        print(f"quet: Input or output failed: {error.strerror}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _open_what_is_closed() -> None:
    """Let a program started without standard input or output find them empty, and print any character anywhere."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - open to the end
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _forget_output() -> None:
    """Send to nowhere what is still to be written, since Python tries again when it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: list[str]) -> int:
    if words[:1] == ["score"]:  # its words are the paper itself: even -- is a list of two predictions
        from . import score

        return score.main(words[1:])
    options = _parser().parse_args(words)
    if options.run is None:
        _parser().print_help()
        return 0
    status: int = options.run(options)
    return status


def _parser() -> argparse.ArgumentParser:
    from .. import __version__

    parser = _Parser(
        prog="quet",
        description="Eight paper-and-pencil games by Leroy Quet: play them, have them judged, replay and draw them.",
        epilog="quet COMMAND --help tells more about a command.",
    )
    parser.add_argument("--version", action="version", version=f"quet {__version__}")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)

    def add(name: str, run: Any, help: str, description: str = "") -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help, description=description or help)
        command.set_defaults(run=run)
        return command

    def add_json(command: argparse.ArgumentParser) -> None:
        command.add_argument("--json", action="store_true", help="print JSON")

    add_json(add("games", _games, "List the games with their parameters."))

    command = add("rules", _rules, "Print the rules and rulings of a game.")
    command.add_argument("game", metavar="GAME")
    add_json(command)

    command = add(
        "play",
        _play,
        "Play in the terminal.",
        "Play in the terminal; without a game, choose one there. With --plain, play line by line: for pipes and "
        "screen readers.",
    )
    command.add_argument("game", metavar="GAME", nargs="?")
    command.add_argument("parameters", metavar="p=v", nargs="*", help="a parameter, as in n=8")
    command.add_argument("--plain", action="store_true", help="lines of text, without drawing on the screen")
    command.add_argument(
        "--seat",
        metavar="WHO",
        action="append",
        default=[],
        help="who plays next in order: person or a computer player; all are persons otherwise",
    )
    command.add_argument("--clock", metavar="MINUTES[+SECONDS]", help="time for each seat, and an increment a move")
    command.add_argument("--seed", type=_integer, help="for the computer players")

    add(
        "score",
        None,
        "Judge what was played on paper, item by item.",
    )

    command = add("replay", _replay, "Check the records in a file by playing them again, and print how they ended.")
    command.add_argument("file", metavar="FILE")
    command.add_argument("--steps", action="store_true", help="print every position on the way")
    add_json(command)

    command = add(
        "show",
        _show,
        "Draw a position of a record, or the whole record as an animation.",
        "Draw a position of a record, or the whole record as an animation. Hundreds of moves on the largest boards "
        "take a minute.",
    )
    command.add_argument("file", metavar="FILE")
    command.add_argument("--game", metavar="I", type=_integer, default=1, help="which record of the file (1)")
    command.add_argument("--ply", metavar="K", type=_integer, help="after how many moves (all)")
    command.add_argument("--legal", action="store_true", help="mark the legal moves")
    command.add_argument("--animate", action="store_true", help="make the SVG an animation of all moves up to K")
    command.add_argument(
        "--theme", choices=["auto", "light", "dark"], default="auto", help="of SVG, PNG and GIF (auto)"
    )
    command.add_argument(
        "-o", "--output", metavar="FILE", help=".svg, .png or .gif (an animation); without it, text is printed"
    )

    command = add(
        "analyse",
        _analyse,
        "Tell what each move of a record was worth, and where the game turned.",
        "Tell what each move of a record was worth, what the best move was worth, and where the game turned: exactly "
        "where that can be found, else as two searches estimate it, with one standard error.",
    )
    command.add_argument("file", metavar="FILE")
    command.add_argument("--game", metavar="I", type=_integer, default=1, help="which record of the file (1)")
    command.add_argument("--seconds", metavar="S", help="for each move (0.5)")
    command.add_argument(
        "--sims", metavar="N", type=_integer, help="simulations for each move, in place of a time: repeatable"
    )
    command.add_argument("--seed", type=_integer, default=0, help="of the searches (0)")
    command.add_argument("-o", "--output", metavar="FILE", help=".svg or .png: a plot")
    add_json(command)

    command = add(
        "solve",
        _solve,
        "Find the best score of a game, or who wins it and by how much, and prove it where that can be done.",
        "Find the highest or lowest score of a solitaire, or the value of a game for two: the first score minus the "
        "second under perfect play. It is proven where that can be done, else the best game found is told.",
    )
    command.add_argument("game", metavar="GAME")
    command.add_argument("parameters", metavar="p=v", nargs="*", help="a parameter, as in n=8")
    command.add_argument("--lowest", action="store_true", help="the lowest score of a solitaire")
    command.add_argument("--time", metavar="S", help="seconds; what is known by then is told")
    command.add_argument("--memory", metavar="MB", type=_integer, help="of a search, at most (1536)")
    command.add_argument("--seed", type=_integer, default=0, help="of searches that are random (0)")
    command.add_argument("--checkpoint", metavar="FILE", help="keep there what is done, and go on from it")
    command.add_argument("--resume", metavar="FILE", help="the same, and it must be there")
    command.add_argument("--certificate", metavar="FILE", help="write a certificate, which quet verify checks")
    add_json(command)

    command = add("verify", _verify, "Check certificates of scores with nothing but the rules.")
    command.add_argument("files", metavar="FILE", nargs="+")
    add_json(command)

    command = add("check", _check, "Check that a game keeps the contract of a game; also one from another package.")
    command.add_argument("game", metavar="GAME")
    add_json(command)

    command = add("new-game", _new_game, "Make a new game from a template that works.")
    command.add_argument("name", metavar="NAME", help="lower-case words joined by -")
    command.add_argument("--in", dest="folder", metavar="FOLDER", default=".", help="where to make it (here)")
    command.add_argument("--bare", action="store_true", help="only the game's folder, not a package around it")

    command = add(
        "arena",
        _arena,
        "Let computer players meet, and rate them.",
        "Let computer players meet, and rate them. Neighbours in the list meet each other, the weaker named first, and "
        "each sits in every seat from every opening. Without a game, all games are played with their usual parameters.",
    )
    command.add_argument("game", metavar="GAME", nargs="?")
    command.add_argument("parameters", metavar="p=v", nargs="*", help="a parameter, as in n=8")
    command.add_argument("--players", metavar="WHO,WHO,...", required=True, help="computer players, the weakest first")
    command.add_argument("--games", metavar="N", type=_integer, default=100, help="games of each pair, at least (100)")
    command.add_argument("--seed", type=_integer, default=0, help="of openings and players (0)")
    command.add_argument("--openings", metavar="K", type=_integer, default=2, help="random plies of an opening (2)")
    command.add_argument("--workers", metavar="W", type=_integer, default=1, help="games played at once (1)")
    command.add_argument("--all-pairs", action="store_true", help="everybody meets everybody, not neighbours only")
    command.add_argument("--results", metavar="FILE", help="keep each game in this file, and play only what it lacks")
    add_json(command)

    command = add(
        "serve",
        _serve,
        "Open the site on which people play in their browsers.",
        "Open the site on which people play in their browsers. Its games are kept in the user's data folder, or in the "
        "PostgreSQL database that QUET_DATABASE_URL names.",
    )
    command.add_argument("--host", default="127.0.0.1", help="the address to listen at (127.0.0.1: this machine only)")
    command.add_argument("--port", metavar="N", type=_integer, default=8000, help="the port to listen at (8000)")
    command.add_argument("--workers", metavar="N", type=_integer, default=1, help="server processes (1)")

    add("ugi", _ugi, "Speak the engine protocol on standard input and output.")
    return parser


def _integer(text: str) -> int:
    from ..core.numbers import read_integer

    number = read_integer(text)
    if number is None or abs(number) >= 2**63:
        raise argparse.ArgumentTypeError(f"{shorten(text)} is not an integer")
    return number


def _games(options: argparse.Namespace) -> int:
    from .. import catalog

    found = []
    for id in catalog.ids():
        entry = catalog.get(id)
        try:
            found.append((_about(entry), _parameter_lines(entry)))
        except Exception as error:  # a game of another package can be broken in any way; the others are listed
            print(f"quet: {id} is broken: {one_line(error)}", file=sys.stderr)
    if options.json:
        _print_json([about for about, _ in found])
        return 0
    for about, lines in found:
        print(f"{about['game']}: {about['title']}")
        for line in (about["summary"], *lines):
            print(f"    {line}")
    return 0


def _about(entry: Any) -> dict[str, Any]:
    from ..core.parameters import Parameter

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


def _parameter_lines(entry: Any) -> list[str]:
    from ..core.parameters import Parameter

    lines = []
    for p in entry.rules.PARAMETERS:
        values = f"{p.low} to {p.high}" if isinstance(p, Parameter) else "a name, a list, random:... or file:..."
        usual = f", best {p.usual}" if p.usual else ""
        lines.append(f"{p.name}: {p.meaning}; {values}{usual} (default {p.default})")
    return lines


def _rules(options: argparse.Namespace) -> int:
    import textwrap

    from .. import catalog

    entry = catalog.get(options.game)
    facts = entry.facts
    if options.json:
        _print_json(_about(entry) | {"rules": facts["rules"], "rulings": facts.get("rulings", {})})
        return 0
    print(f"{entry.title}, by {facts['author']} ({facts['date']})")
    print(f"Source: {facts['source']}\n")
    for rule in facts["rules"]:
        print(textwrap.fill(rule, 88, initial_indent="- ", subsequent_indent="  "))
    print("\nParameters:")
    for line in _parameter_lines(entry):
        print(textwrap.fill(line, 88, initial_indent="- ", subsequent_indent="  "))
    if facts.get("rulings"):
        print("\nRulings on what the author left open:")
        for name, ruling in facts["rulings"].items():
            print(textwrap.fill(f"{name}: {ruling}", 88, initial_indent="- ", subsequent_indent="  "))
    return 0


def _play(options: argparse.Namespace) -> int:
    from ..core.parameters import split_parameters

    if options.game is None and options.plain:
        raise BadUsage("Name a game, as in quet play blob n=8 --plain.")
    parameters = split_parameters(options.parameters)
    seconds, increment = _clock(options.clock)
    if options.plain:
        from ..play.clock import Clock
        from ..play.game import new
        from ..play.session import Session, seat
        from . import plain

        game = new(options.game, **parameters)
        clock = Clock(seconds, increment, game.num_players) if seconds else None
        session = Session(game, [seat(who) for who in options.seat], clock=clock, seed=options.seed)
        return plain.run(session)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadUsage("The terminal application needs a terminal; with --plain it plays through a pipe.")
    from ..terminal import app

    return app.run(options.game, parameters, options.seat, seconds=seconds, increment=increment, seed=options.seed)


def _clock(text: str | None) -> tuple[float, float]:
    """The seconds and the increment of `MINUTES[+SECONDS]`; zeros where no clock is wanted."""
    from ..core.numbers import read_integer

    if text is None:
        return 0.0, 0.0
    numbers = [read_integer(word) for word in text.split("+")]
    if len(numbers) > 2 or any(number is None or not 0 <= number <= 10_000 for number in numbers) or not numbers[0]:
        raise BadParameter("The clock is MINUTES or MINUTES+SECONDS, as in 10+5.")
    return 60.0 * numbers[0], float(numbers[1] or 0) if len(numbers) == 2 else 0.0


def _replay(options: argparse.Namespace) -> int:
    from ..play import record as records

    found = records.load(options.file)
    if options.json:
        _print_json([_outcome(record) for record in found])
        return 0
    for number, record in enumerate(found, 1):
        if options.steps:
            _print_steps(record)
        if len(found) > 1:
            print(f"Record {number} of {len(found)}")
        print(record.game)
        print(record.summary)
        if number < len(found):
            print()
    return 0


def _print_steps(record: "Record") -> None:
    from ..play.game import Game

    game = Game(record.game.entry, record.game.parameters)
    print(game)
    for ply, move in enumerate(record.game.moves, 1):
        print(f"\n{ply}. {move} (player {game.mover})")
        game.play(move)
        print(game)
    print()


def _outcome(record: "Record") -> dict[str, Any]:
    return record.json() | {"scores": record.game.scores, "winners": record.winners, "is_over": record.is_over}


def _show(options: argparse.Namespace) -> int:
    from ..core.files import UnwritableFile, write_file
    from ..play import record as records
    from ..play.game import Game

    found = records.load(options.file)
    if not 1 <= options.game <= len(found):
        raise BadUsage(f"The file has {len(found)} records; there is no record {options.game}.")
    record = found[options.game - 1]
    plies = record.game.ply if options.ply is None else options.ply
    if not 0 <= plies <= record.game.ply:
        raise BadUsage(f"The record has {record.game.ply} moves; there is no ply {plies}.")
    game = Game(record.game.entry, record.game.parameters)
    moves = record.game.moves[:plies]
    suffix = "" if options.output is None else Path(options.output).suffix.lower()
    if options.output is not None and suffix not in (".svg", ".png", ".gif"):
        raise BadUsage("The output must end with .svg, .png or .gif.")
    if options.animate and suffix != ".svg":
        raise BadUsage("Only an SVG can be a still picture or an animation; a .gif always is one.")
    is_animation = suffix == ".gif" or (suffix == ".svg" and options.animate)
    scenes = []
    for move in moves:
        if is_animation:
            scenes.append(game.scene(legal=options.legal))
        game.play(move)
    scenes.append(game.scene(legal=options.legal))
    if options.output is None:
        from ..draw.text import text

        print(text(scenes[-1]))
        return 0
    try:
        write_file(options.output, _drawn(scenes, suffix, is_animation, options.theme))
    except UnwritableFile as error:
        raise BadUsage(f"{options.output}: {error}") from None
    return 0


def _drawn(scenes: list[Any], suffix: str, is_animation: bool, theme: Any) -> bytes:
    if suffix == ".svg":
        from ..draw.svg import animated_svg, svg

        return (animated_svg(scenes, theme=theme) if is_animation else svg(scenes[-1], theme=theme)).encode()
    from ..draw.raster import gif, png

    if theme == "auto":  # a PNG or GIF can't follow its reader
        theme = "light"
    return gif(scenes, theme=theme) if is_animation else png(scenes[-1], theme=theme)


def _analyse(options: argparse.Namespace) -> int:
    from . import analyse

    found = analyse.run(
        options.file,
        number=options.game,
        seconds=options.seconds,
        simulations=options.sims,
        seed=options.seed,
        output=options.output,
        is_json=options.json,
    )
    if options.json:
        _print_json(found)
    return 0


def _solve(options: argparse.Namespace) -> int:
    from ..core.parameters import split_parameters
    from . import solve

    found = solve.run(
        options.game,
        split_parameters(options.parameters),
        is_lowest=options.lowest,
        seconds=options.time,
        memory=options.memory,
        seed=options.seed,
        checkpoint=options.checkpoint,
        resume=options.resume,
        output=options.certificate,
        is_json=options.json,
    )
    if options.json:
        _print_json(found)
    return 0


def _verify(options: argparse.Namespace) -> int:
    from . import solve

    status, results = solve.verify_all(options.files, is_json=options.json)
    if options.json:
        _print_json(results)
    return status


def _check(options: argparse.Namespace) -> int:
    from .. import catalog
    from ..core.errors import BrokenRules
    from ..play import contract

    entry = catalog.get(options.game)
    results = {}
    for name, check in contract.CHECKS.items():
        try:
            check(entry)
            results[name] = ""
        except BrokenRules as error:
            results[name] = str(error)
        if not options.json:
            print(f"FAIL  {name}: {results[name]}" if results[name] else f"ok    {name}", flush=True)
    failures = sum(1 for broken in results.values() if broken)
    if options.json:
        _print_json({"game": entry.id, "passed": failures == 0, "checks": results})
    return 1 if failures else 0


def _new_game(options: argparse.Namespace) -> int:
    from . import new_game

    folder = new_game.make(options.name, Path(options.folder), is_bare=options.bare)
    print(f"Made {folder}. Its rules are in {new_game.rules_file(folder, options.name, is_bare=options.bare)}.")
    if not options.bare:
        print(f"Next: pip install -e {folder}, then quet check {options.name} and quet play {options.name}.")
    return 0


def _arena(options: argparse.Namespace) -> int:
    from .. import catalog
    from ..core.parameters import split_parameters
    from . import arena

    outcomes = arena.run(
        [options.game] if options.game else catalog.ids(),
        split_parameters(options.parameters),
        options.players.split(","),
        num_games=options.games,
        seed=options.seed,
        opening_plies=options.openings,
        num_workers=options.workers,
        is_round_robin=options.all_pairs,
        results_file=options.results,
        is_json=options.json,
    )
    if options.json:
        _print_json(outcomes)
    return 0


def _serve(options: argparse.Namespace) -> int:
    if not 1 <= options.port <= 65_535:
        raise BadUsage("The port must be from 1 to 65535.")
    if not 1 <= options.workers <= 64:
        raise BadUsage("There must be from 1 to 64 workers.")
    from ..web import serve

    return serve.run(options.host, options.port, options.workers)


def _ugi(options: argparse.Namespace) -> int:
    from . import ugi

    return ugi.serve(sys.stdin.buffer, sys.stdout)


def _print_json(data: object) -> None:
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(data, indent=2, ensure_ascii=not is_unicode))


if __name__ == "__main__":
    sys.exit(main())
