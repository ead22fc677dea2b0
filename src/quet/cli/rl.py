"""`quet rl`: measure agents against perfect play, and make the table of those that were measured."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ..core.errors import BadParameter
from ..core.files import UnreadableFile, read_file
from ..core.parameters import split_parameters
from ..core.quoting import printable
from ..game import new
from ..players.agents import close
from ..rl import leaderboard
from ..rl.agents import GO, UGI, Agent, agent
from . import files
from .lines import refuse
from .progress import progress, status_after

MARK = "<!-- All below is written by quet rl leaderboard. -->"
LARGEST_PAGE = 1_000_000  # bytes
MOST = 100_000


def run(options: argparse.Namespace) -> tuple[int, object]:
    """Carry out what is asked. Returns the exit status, and what JSON tells."""
    if options.what == "leaderboard":
        if options.words:
            raise BadParameter("quet rl leaderboard takes no more words; --folder names the folder of entries.")
        refuse(options, ["positions", "games", "seed", "go", "name", "about"], "quet rl leaderboard")
        return 0, _leaderboard(options)
    if options.what == "measure":
        if not options.words:
            raise BadParameter("Name an agent, as in quet rl measure level:3.")
        return _measure(options, options.words[0], options.words[1:])
    raise BadParameter("quet rl takes measure or leaderboard.")


def _leaderboard(options: argparse.Namespace) -> object:
    folder = Path(options.folder)
    files.check_no_json(options.out, "the table", is_json=options.json)
    files.check_apart({"--out": options.out}, {f"{file.name} of --folder": str(file) for file in folder.glob("*.json")})
    found = leaderboard.entries(folder)
    tasks = _tasks(folder, "")
    if left := leaderboard.left_out(found, tasks):
        told = printable(", ".join(left))
        print(f"quet: The table leaves out what is of no size in {leaderboard.TASKS}: {told}.", file=sys.stderr)
    table = leaderboard.table(found, tasks)
    if options.out is not None:
        above = "" if options.out == files.STANDARD else f"{_kept(options.out)}{MARK}\n\n"
        files.write(options.out, f"{above}{table}".encode())
    elif not options.json:
        print(table, end="")
    return found


def _kept(name: str) -> str:
    """What stays of the page that gets the table: what is above the mark. Raises BadParameter for another file."""
    if not Path(name).exists():
        return ""
    try:
        above, mark, _ = read_file(name, LARGEST_PAGE).decode().partition(MARK)
    except UnreadableFile as error:
        raise BadParameter(f"{printable(name, 200)}: {error}") from None
    except UnicodeDecodeError:
        mark = ""
    if not mark:
        raise BadParameter(f"{printable(name, 200)}: It has no line {MARK}, below which the table goes.")
    return above


def _tasks(folder: Path, otherwise: str) -> list[leaderboard.Task]:
    """The tasks of the table. Raises BadParameter where the folder has none; `otherwise` says what else can be done."""
    file = folder / leaderboard.TASKS
    if not file.exists():
        raise BadParameter(
            f"There is no {printable(str(file), 200)}, which lists the sizes of the table; it is in the folder "
            f"agents of a clone of Quet, which --folder can name{otherwise}."
        )
    return leaderboard.tasks(folder)


def _measure(options: argparse.Namespace, name: str, words: Sequence[str]) -> tuple[int, object]:
    for count, what in ((options.positions, "positions"), (options.games, "games")):
        if not 1 <= count <= MOST:
            raise BadParameter(f"The number of {what} must be from 1 to {MOST}.")
    sequences = files.of_parameters(split_parameters(list(words[1:])))
    files.check_no_json(options.out, "the entry", is_json=options.json)
    if options.out is not None:
        files.check_writable(options.out)
    tasks_file = str(Path(options.folder) / leaderboard.TASKS)
    files.check_apart({"--out": options.out}, {"AGENT": name, "the list of tasks": tasks_file, **sequences})
    folder = Path(options.folder)
    tasks: list[leaderboard.Task] = []
    if not words or options.folder != options.usual("folder"):
        tasks = _tasks(folder, "" if words else ", or name a game: quet rl measure level:3 GAME p=v")
    if words:
        tasks = [leaderboard.task(new(words[0], **split_parameters(list(words[1:]))), folder, may_list=True)]
    if options.go is not None and not name.startswith(UGI):
        raise BadParameter(f"--go is for engines, {UGI}COMMAND.")

    def made() -> Agent:
        one = agent(name, seed=options.seed, go=GO if options.go is None else options.go)
        if options.name is not None:
            one.name = options.name
        return one

    who = made()
    try:
        with progress() as report:
            entry = leaderboard.measured(
                who,
                tasks,
                about=options.about,
                seed=options.seed,
                positions=options.positions,
                num_games=options.games,
                report=report,
                again=made,
            )
    except KeyboardInterrupt as interrupt:
        if not options.json:
            print("Stopped: nothing was written.")
        return status_after(interrupt), {"agent": who.name, "status": "stopped"}
    finally:
        close(who)
    if not options.json:  # first, as the file can still fail
        print(leaderboard.table([entry], tasks), end="", file=sys.stderr if options.out == files.STANDARD else None)
    if options.out is not None:
        files.write(options.out, leaderboard.text(entry).encode())
    return 0, entry | {"status": "done"}
