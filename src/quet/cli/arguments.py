"""The command line of `quet`: its commands with their arguments, and the help on them."""

import argparse
from collections.abc import Callable, Sequence
from typing import NoReturn

from ..core.messages import capital
from ..core.quoting import shorten
from . import commands
from .lines import BadUsage

_A_PARAMETER = "a parameter, as in n=8; quet rules GAME says which there are"
Command = Callable[[argparse.Namespace], int]  # carries out a command, and returns the exit status


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, where argparse would print the usage too."""

    def error(self, message: str) -> NoReturn:
        raise BadUsage(f"{capital(message)}; {self.prog} --help tells more.")


class _CommandParser(_Parser):
    """Takes names and parameters behind options too, as in `quet play blob --plain n=4`."""

    _is_within = False

    def parse_known_args(  # type: ignore[override]  # argparse gives commands no namespaces of other kinds
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        # argparse of Python 3.11 and 3.12 carries out the call below by calling this, and forgets a -- there.
        if self._is_within or "--" in (args or ()):
            return super().parse_known_args(args, namespace)
        self._is_within = True
        return self.parse_known_intermixed_args(args, namespace)


class _Commands:
    """The commands of a parser."""

    def __init__(self, whole: argparse.ArgumentParser) -> None:
        self._subparsers = whole.add_subparsers(title="commands", metavar="COMMAND", parser_class=_CommandParser)

    def add(self, name: str, run: Command | None, help: str, description: str = "") -> argparse.ArgumentParser:
        """A new command, to which arguments are added."""
        command = self._subparsers.add_parser(name, help=help, description=description or help)
        command.set_defaults(run=run, usual=command.get_default)  # what each option is where it isn't given
        return command


def _add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON")


def _add_limits_of_checker(command: argparse.ArgumentParser, acts: str = "") -> None:
    time, memory = (
        "seconds of CPU that checking a certificate may take",
        "MB that a proof or trying all positions may take",
    )
    command.add_argument("--time", metavar="S", help=f"{acts}{time} (3600)")
    command.add_argument("--memory", metavar="MB", type=_integer, help=f"{acts}{memory} (4096)")


def parser() -> argparse.ArgumentParser:
    from .. import __version__

    whole = _Parser(
        prog="quet",
        description="Paper-and-pencil games by Leroy Quet: play them, have them judged, replay and draw them.",
        epilog="quet COMMAND --help tells more about a command. Options may stand before, between and behind the other "
        "words of a command. A FILE that is - is standard input or standard output wherever a file is named, but for a "
        "dataset, and for a checkpoint, which is read and written again and again. What is otherwise printed goes to "
        "standard error where a certificate or results of games go to standard output. The exit status is 0 when all "
        "went well, 1 when a check failed, 2 for bad input, 130 after Ctrl-C, 141 where whoever reads the output goes "
        "away, 143 after SIGTERM; 3 is told by the commands that have it.",
    )
    whole.add_argument("--version", action="version", version=f"quet {__version__}")
    whole.set_defaults(run=None)
    to = _Commands(whole)
    _for_players(to)
    _for_games_played(to)
    _for_mathematicians(to)
    _for_learners(to)
    _for_researchers(to)
    _for_the_site(to)
    to.add("ugi", commands.ugi, "Speak the engine protocol on standard input and output.")
    return whole


def _for_players(to: _Commands) -> None:
    """Games, rules, lessons, and play."""
    _add_json(to.add("games", commands.games, "List the games with their parameters."))

    command = to.add("rules", commands.rules, "Print the rules and rulings of a game.")
    command.add_argument("game", metavar="GAME")
    _add_json(command)

    command = to.add(
        "learn",
        commands.learn,
        "Learn a game in a minute.",
        "Learn a game in five to eight steps on small boards, with a move to make in each; without a game, list those "
        "that have a lesson. Moves are read line by line, from a person or a pipe.",
    )
    command.add_argument("game", metavar="GAME", nargs="?")
    command.add_argument("--step", metavar="N", type=_integer, default=1, help="begin with this step (1)")

    command = to.add(
        "play",
        commands.play,
        "Play in the terminal.",
        "Play in the terminal; without a game, choose one there. With --plain, play line by line: for pipes and "
        "screen readers.",
    )
    command.add_argument("game", metavar="GAME", nargs="?")
    command.add_argument("parameters", metavar="p=v", nargs="*", default=[], help=_A_PARAMETER)
    command.add_argument("--plain", action="store_true", help="lines of text, without drawing on the screen")
    command.add_argument(
        "--load", metavar="FILE", help="go on with a saved game; 'FILE 2' is the second of those in the file"
    )
    command.add_argument(
        "--seat",
        metavar="WHO",
        action="append",
        default=[],
        help="who plays next in order: person, random, level:1 to level:7, or level:perfect, in whose place level:6 "
        "moves where the position isn't solved; all are persons otherwise",
    )
    command.add_argument("--clock", metavar="MINUTES[+SECONDS]", help="time for each seat, and an increment a move")
    command.add_argument("--seed", type=_integer, help="for the computer players")
    command.add_argument("--memory", metavar="MB", type=_integer, help="of a search, at most (16 to 1048576)")
    command.add_argument(
        "--theme",
        choices=["auto", "light", "dark"],
        default="auto",
        help="of the terminal application; auto is light where COLORFGBG tells of a light background, else dark (auto)",
    )

    command = to.add(
        "daily",
        commands.daily,
        "Play the game of the day, or solve its puzzle: the same for everybody.",
        "Play the game of the day: one solitaire, the same for everybody, by the date in UTC. At the end the result is "
        "printed as three lines to send to others, which give nothing of the game away. Through a pipe, with "
        "--plain, or where nothing can be drawn, it is played line by line. --puzzle asks the puzzle of the day.",
    )
    command.add_argument("--puzzle", action="store_true", help="the puzzle of the day, line by line, and not the game")
    command.add_argument("--date", metavar="DAY", help="a past day, as in 2026-12-24")
    command.add_argument("--plain", action="store_true", help="lines of text, without drawing on the screen")
    command.add_argument(
        "--theme", choices=["auto", "light", "dark"], default="auto", help="of the terminal application (auto)"
    )
    command.add_argument("--json", action="store_true", help="print game and puzzle as JSON, and don't play")


def _for_games_played(to: _Commands) -> None:
    """What was played on paper, and records."""
    # What is typed after it is read by quet.cli.score, since paper may look like an option. This is for shells and man.
    command = to.add("score", None, "Judge what was played on paper, item by item.")
    command.add_argument("game", metavar="GAME")
    command.add_argument("words", metavar="NAME=VALUE|PAPER", nargs="*", help="by default standard input is the paper")
    _add_json(command)

    command = to.add(
        "replay", commands.replay, "Check the records in a file by playing them again, and print how they ended."
    )
    command.add_argument("file", metavar="FILE")
    command.add_argument("--steps", action="store_true", help="print every position on the way")
    command.add_argument("--variations", action="store_true", help="list the variations, each below the one it is of")
    _add_json(command)

    command = to.add(
        "show",
        commands.show,
        "Draw a position of a record, or the whole record as an animation.",
        "Draw a position of a record, or the whole record as an animation. Of a long one 400 positions are shown. "
        "That takes half a minute on the largest boards.",
    )
    command.add_argument("file", metavar="FILE")
    command.add_argument("--game", metavar="I", type=_integer, default=1, help="which record of the file (1)")
    command.add_argument("--ply", metavar="K", type=_integer, help="after how many moves (all)")
    command.add_argument("--legal", action="store_true", help="mark the legal moves")
    command.add_argument("--animate", action="store_true", help="make the SVG an animation of the moves up to K")
    command.add_argument(
        "--theme", choices=["auto", "light", "dark"], default="auto", help="of SVG, PNG and GIF (auto)"
    )
    command.add_argument(
        "-o", "--output", metavar="FILE", help=".svg, .png or .gif (an animation); without it, text is printed"
    )

    command = to.add(
        "analyse",
        commands.analyse,
        "Tell what each move of a record was worth, and where the game turned.",
        "Tell what each move of a record was worth, what the best move was worth, and where the game turned: exactly "
        "where that can be found, else as two searches estimate it, with one standard error. A game has at most 10,000 "
        "moves.",
    )
    command.add_argument("file", metavar="FILE")
    command.add_argument("--game", metavar="I", type=_integer, default=1, help="which record of the file (1)")
    command.add_argument("--seconds", metavar="S", help="for each move (0.5)")
    command.add_argument(
        "--sims", metavar="N", type=_integer, help="simulations for each move, in place of a time: repeatable"
    )
    command.add_argument("--seed", type=_integer, default=0, help="of the searches (0)")
    command.add_argument("--memory", metavar="MB", type=_integer, help="of a search, at most (16 to 1048576)")
    command.add_argument("-o", "--output", metavar="FILE", help=".svg or .png: a plot")
    _add_json(command)

    command = to.add(
        "sheet",
        commands.sheet,
        "Make a sheet to print: the empty board with room for names and scores.",
    )
    command.add_argument("game", metavar="GAME")
    command.add_argument("parameters", metavar="p=v", nargs="*", default=[], help=_A_PARAMETER)
    command.add_argument(
        "-o", "--output", metavar="FILE", default="-", help=".svg or .png; an SVG on standard output without it"
    )


def _for_mathematicians(to: _Commands) -> None:
    """Values, certificates and the table of results."""
    command = to.add(
        "solve",
        commands.solve,
        "Find the best score of a game, or who wins it and by how much, and prove it where that can be done.",
        "Find the highest or lowest score of a solitaire, or the value of a game for two: the first score minus the "
        "second under perfect play. It is proven where that can be done, else the best game found is told.",
    )
    command.add_argument("game", metavar="GAME")
    command.add_argument("parameters", metavar="p=v", nargs="*", default=[], help=_A_PARAMETER)
    command.add_argument(
        "--lowest",
        action=argparse.BooleanOptionalAction,
        help="the lowest or the highest score of a solitaire; by default the one that the game asks for",
    )
    command.add_argument(
        "--time",
        metavar="S",
        help="seconds; what is known by then is told, and a certificate is checked in the time that is left",
    )
    command.add_argument(
        "--memory", metavar="MB", type=_integer, help="of a search, and of the check of a certificate, at most (1536)"
    )
    command.add_argument("--seed", type=_integer, default=0, help="of searches that are random (0)")
    command.add_argument("--checkpoint", metavar="FILE", help="keep there what is done, and go on from it")
    command.add_argument("--resume", metavar="FILE", help="the same, and it must be there")
    command.add_argument(
        "--certificate",
        metavar="FILE",
        help="write a certificate, which quet verify checks; it rests on the search alone where --time and --memory "
        "don't allow more; - is standard output. The exit status is 3 where none can be written, as where nothing is "
        "proven",
    )
    command.add_argument(
        "--strategies",
        action="store_true",
        help="of a game for two, write a strategy of each player into the certificate, in place of a search",
    )
    command.add_argument("--save-tablebase", action="store_true", help="keep the tablebase, for level:perfect")
    command.add_argument("--workers", metavar="N", type=_integer, help="processes, at most (the cores there are)")
    command.add_argument("--cluster", metavar="ADDRESS", help="of the scheduler of a Dask cluster, as tcp://host:8786")
    _add_json(command)

    command = to.add(
        "verify",
        commands.verify,
        "Check certificates of scores by the rules alone.",
        "Check certificates of scores by the rules alone. There are three answers: verified; refuted, with the first "
        "thing that is wrong, as in a file that is damaged or is no certificate; and unchecked, where nothing is "
        "wrong, but some of the grounds are a search that no checker can repeat, or would take more time or memory "
        "than allowed. The exit status is 0 if all are verified, 1 if one is refuted, else 3; it is 2, without an "
        "answer, if a file can't be read.",
    )
    command.add_argument("files", metavar="FILE", nargs="+")
    _add_limits_of_checker(command)
    command.add_argument(
        "--cnf", metavar="FILE", help="write the clauses of a SAT proof there, as DIMACS (-: to standard output)"
    )
    command.add_argument(
        "--drat", metavar="FILE", help="write the proof there, as DRAT, for checkers such as drat-trim"
    )
    command.add_argument(
        "--lrat", metavar="FILE", help="write the proof there with the reason of each step, as LRAT, for lrat-check"
    )
    _add_json(command)

    command = to.add(
        "results",
        commands.results,
        "Print the table of results: the best scores known, their bounds, and what is proven.",
        "Print the results of all games, or those of one; plot them, or write them as the Encyclopedia of Integer "
        "Sequences has them. quet results submit FILE checks a certificate or a finished game and enters it if it is "
        "better; quet results verify [GAME] checks the table, with the answers and statuses of quet verify, and counts "
        "certificates that are missing as they are too large to be carried; "
        "quet results remake makes certificates again that are too large to be carried; quet results merge brings in "
        "what people entered on the site.",
    )
    command.add_argument("what", metavar="GAME|submit|verify|remake|merge", nargs="?")
    command.add_argument(
        "words", metavar="p=v|FILE", nargs="*", help="a parameter, as in n=8; what to submit or remake"
    )
    command.add_argument("--folder", metavar="FOLDER", help="of the table (./results, or the one that came with Quet)")
    command.add_argument("--lowest", action="store_true", help="of GAME and submit: the lowest scores of a solitaire")
    command.add_argument("--plot", metavar="FILE", help="of GAME: .svg or .png, how the values grow")
    command.add_argument("--b-file", metavar="FILE", help="of GAME: the proven terms, a line each")
    command.add_argument("--oeis", metavar="FILE", help="of GAME: a draft of an entry in the internal format")
    command.add_argument("--author", metavar="NAME", help="of GAME: the author of the draft (a blank)")
    command.add_argument("--finder", metavar="NAME", help="of submit: who found what is submitted (anonymous)")
    command.add_argument(
        "--into", metavar="FOLDER", help="of remake: where the certificates are put (larger/ in the table)"
    )
    command.add_argument(
        "--trust", action="store_true", help="of submit: enter also what rests on a search that can't be checked"
    )
    _add_limits_of_checker(command, "of submit and verify: ")
    _add_json(command)


def _for_learners(to: _Commands) -> None:
    """Puzzles."""
    command = to.add(
        "puzzle",
        commands.puzzle,
        "Solve puzzles: positions in which only some moves are right.",
        "Solve puzzles line by line, also through a pipe: of one game, or of all. A wrong move is answered by its "
        "refutation and what it cost, and then one tries again.",
    )
    command.add_argument("game", metavar="GAME", nargs="?")
    command.add_argument("--number", metavar="N", type=_integer, help="the puzzle to begin with; 1 is the easiest")
    command.add_argument("--seed", type=_integer, help="of the puzzle to begin with, where no number is given")

    command = to.add(
        "puzzles",
        commands.puzzles,
        "Say how many puzzles there are; make puzzles of a game; check them.",
        "Say how many puzzles there are. quet puzzles make GAME makes them from exact values, and measures how "
        "difficult they are; it takes minutes. quet puzzles check [GAME] tries all that can follow by the rules alone.",
    )
    command.add_argument("what", metavar="GAME|make|check", nargs="?")
    command.add_argument("game", metavar="GAME", nargs="?", help="of which puzzles are made or checked")
    command.add_argument("--count", metavar="N", type=_integer, default=310, help="how many to make (310)")
    command.add_argument("--seed", type=_integer, default=1, help="the same seed makes the same puzzles (1)")
    command.add_argument(
        "--out", metavar="FILE", help="where they are written (in a clone: puzzles.jsonl in the game's folder)"
    )
    _add_json(command)


def _for_researchers(to: _Commands) -> None:
    """Positions with their values, agents, games of other packages, tournaments."""
    command = to.add(
        "dataset",
        commands.dataset,
        "Make a file of positions with the exact values of all their moves.",
        "Make a file of positions with the exact values of all their moves, for programs that learn, and beside it a "
        "card, FILE.md, that says what they are. The same arguments make the same file, bit for bit.",
    )
    command.add_argument("game", metavar="GAME")
    command.add_argument("parameters", metavar="p=v", nargs="*", default=[], help=_A_PARAMETER)
    command.add_argument("--positions", metavar="N", type=_integer, required=True, help="how many")
    command.add_argument("--out", metavar="FILE", required=True, help=".parquet or .npz")
    command.add_argument(
        "--from",
        dest="source",
        metavar="WAY",
        default="random",
        help="reachable: all positions equally likely, none twice; random: from random games; level:1 to level:5: from "
        "games of that level (random)",
    )
    command.add_argument("--seed", type=_integer, default=0, help="of the sample (0)")
    _add_json(command)

    command = to.add(
        "rl",
        commands.rl,
        "Measure agents against perfect play, and make the table of them.",
        "Measure agents against perfect play, and make the table of them. "
        "quet rl measure AGENT [GAME p=v ...] measures an agent against perfect play: a computer player's name, a "
        "network as FILE.onnx, or an engine as ugi:COMMAND. Without a game all sizes of the table are measured, and "
        "--out keeps the entry. quet rl leaderboard makes the table of all entries.",
    )
    command.add_argument("what", metavar="measure|leaderboard")
    command.add_argument("words", metavar="AGENT, GAME, p=v", nargs="*", default=[])
    command.add_argument("--folder", metavar="FOLDER", default="agents", help="of the entries and their tasks (agents)")
    command.add_argument(
        "--positions",
        metavar="N",
        type=_integer,
        default=300,
        help="of each size, at most (300); besides up to 3 N of its own play, from up to 30 games. Where a size has no "
        "table, the value of each may take 5 seconds",
    )
    command.add_argument("--games", metavar="N", type=_integer, default=30, help="against a perfect opponent (30)")
    command.add_argument("--seed", metavar="N", type=_integer, default=1, help="of positions and agent (1)")
    command.add_argument("--go", metavar="COMMAND", help="by which an engine chooses, as in 'go sims 100' (go level)")
    command.add_argument("--name", metavar="NAME", help="of the agent in the table, if it isn't AGENT")
    command.add_argument("--about", metavar="WORDS", default="", help="what it is and how it was trained")
    command.add_argument("--out", metavar="FILE", help="where the entry is kept, or the page that gets the table")
    _add_json(command)

    command = to.add(
        "check", commands.check, "Check that a game keeps the contract of a game; also one from another package."
    )
    command.add_argument("game", metavar="GAME")
    _add_json(command)

    command = to.add("new-game", commands.new_game, "Make a new game from a template that works.")
    command.add_argument("name", metavar="NAME", help="lower-case words joined by -")
    command.add_argument("--in", dest="folder", metavar="FOLDER", default=".", help="where to make it (here)")
    command.add_argument("--bare", action="store_true", help="only the game's folder, not a package around it")

    command = to.add(
        "arena",
        commands.arena,
        "Let computer players and programs meet, and rate them.",
        "Let computer players and programs of your own meet, and rate them. Neighbours in the list meet each other, "
        "the weaker named first, and "
        "each sits in every seat from every opening. Without a game, all games are played with their usual parameters.",
    )
    command.add_argument("game", metavar="GAME", nargs="?")
    command.add_argument("parameters", metavar="p=v", nargs="*", default=[], help=_A_PARAMETER)
    command.add_argument(
        "--players",
        metavar="WHO,WHO,...",
        required=True,
        help="computer players, engines (ugi:COMMAND) and networks (FILE.onnx), the weakest first; a name with a comma "
        "stands in double quotes",
    )
    command.add_argument("--go", metavar="COMMAND", help="by which engines choose, as in 'go sims 100' (go level)")
    command.add_argument("--games", metavar="N", type=_integer, default=100, help="games of each pair, at least (100)")
    command.add_argument("--seed", type=_integer, default=0, help="of openings and players (0)")
    command.add_argument("--memory", metavar="MB", type=_integer, help="of a search, at most (16 to 1048576)")
    command.add_argument("--openings", metavar="K", type=_integer, default=2, help="random plies of an opening (2)")
    command.add_argument("--workers", metavar="W", type=_integer, default=1, help="games played at once (1)")
    command.add_argument("--all-pairs", action="store_true", help="everybody meets everybody, not neighbours only")
    command.add_argument(
        "--results",
        metavar="FILE",
        help="keep each game in this file, and play only what it lacks; - writes each game to standard output",
    )
    _add_json(command)


def _for_the_site(to: _Commands) -> None:
    """The site and its database."""
    command = to.add(
        "serve",
        commands.serve,
        "Open the site on which people play in their browsers.",
        "Open the site on which people play in their browsers. Its games are kept in the user's data folder, or in the "
        "PostgreSQL database that QUET_DATABASE_URL names.",
    )
    command.add_argument("--host", default="127.0.0.1", help="the address to listen at (127.0.0.1: this machine only)")
    command.add_argument("--port", metavar="N", type=_integer, default=8000, help="the port to listen at (8000)")
    command.add_argument("--workers", metavar="N", type=_integer, default=1, help="server processes (1)")

    command = to.add(
        "backup", commands.backup, "Copy the site's database, without its key, to a file, also while it is served."
    )
    command.add_argument("file", metavar="FILE", help="a new file, or - for standard output")
    command = to.add(
        "restore", commands.restore, "Put a backup in the place of the site's database; the old one is kept."
    )
    command.add_argument("file", metavar="FILE", help="a file of quet backup, or - for standard input")

    command = to.add(
        "forget",
        commands.forget,
        "Take a game, an entry, a name, a person or the key out of the site's database.",
        "Take something out of the site's database for ever, also while it is served. game: a game with its moves and "
        "its entry. entry: what was entered into the table of best results from a game. name: a name, out of all games "
        "and entries; its player keeps the seats and the moves. person: the games in which nobody else holds a seat; "
        "from games with others the name goes, and the seats where they are over. The person is who holds a seat of "
        "the game that is named. These four also take the name out of the table of best results. key: by which key "
        "visitors have their seats; whoever has a seat by it then loses it. End all servers before.",
    )
    kinds = ["game", "entry", "name", "person", "key"]
    command.add_argument("what", metavar="WHAT", choices=kinds, help="one of these five")
    which = "the address or the id of a game, or the name; nothing for the key"
    command.add_argument("which", metavar="WHICH", nargs="?", help=which)
    command.add_argument("--player", metavar="K", type=_integer, help="the seat of the person, where several sit there")


def _integer(text: str) -> int:
    from ..core.numbers import read_integer

    number = read_integer(text)
    if number is None:
        raise argparse.ArgumentTypeError(f"{shorten(text)} is not an integer")
    if abs(number) >= 2**63:
        raise argparse.ArgumentTypeError(f"{shorten(text)} is too large")
    return number
