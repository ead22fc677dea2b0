"""`quet score`: scores what was played on paper, and shows everything that counts."""

import contextlib
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence

from .. import catalog
from ..catalog import Entry
from ..core.errors import BadPaper, BrokenRules, QuetError, UnknownGame
from ..core.facts import score_facts
from ..core.numbers import integer_text
from ..core.paper import LARGEST_PAPER
from ..core.parameters import split_parameters, written
from ..core.quoting import shorten
from ..study.paper import Judged, judge_paper
from .files import STANDARD

_HELP = """\
usage: quet score GAME [NAME=VALUE ...] [PAPER ...] [--json]

Score a game played on paper, and show everything that counts. The paper is text, not a file's name; a file goes in by
< FILE. It is read from standard input when it isn't given, or is - and the game has no such paper. A text whose first
word is a move of the game is read as the moves from the start.

  --json       print JSON
  -h, --help   show this help

EXAMPLES

Grids are written with their rows from the top, each on a line of its own or with / between them, and with a . in an
empty square."""

_FLAGS = ("--json", "--help", "-h")
_OPTION = re.compile(r"--?[A-Za-z]")
_PARAMETER = re.compile(r"[A-Za-z_]+=.*", re.DOTALL)  # a move of the sums grid, b2=15, has a digit before the =


def main(arguments: Sequence[str]) -> int:
    """Carry out `quet score`, the arguments being those after it; print to standard output and return the exit status.

    Raises QuetError for bad input.
    """
    print(run(arguments, read_standard_input))
    return 0


def run(arguments: Sequence[str], read_stdin: Callable[[], str]) -> str:
    """What `quet score` prints. `read_stdin` returns the paper, if no argument has it. Raises QuetError."""
    flags = {word for word in arguments if word in _FLAGS}
    words = [word for word in arguments if word not in _FLAGS]
    if flags & {"--help", "-h"}:
        return help_text()
    if not words:
        raise UnknownGame(
            f"Say which game was played, as in quet score {catalog.ids()[0]}; the games are {', '.join(catalog.ids())}."
        )
    entry = catalog.get(words[0])
    unknown = [word for word in words[1:] if _OPTION.match(word)]
    if unknown:
        raise BadPaper(f"There is no option {shorten(unknown[0])}; quet score --help tells more.")
    given = split_parameters([word for word in words[1:] if _PARAMETER.fullmatch(word)])
    paper = [word for word in words[1:] if not _PARAMETER.fullmatch(word)]
    if paper == [STANDARD] and not _is_paper(entry, STANDARD, given):
        paper = []
    judged = judge_paper(entry, " ".join(paper) if paper else read_stdin(), given)
    return _as_json(judged) if "--json" in flags else _for_people(judged)


def _is_paper(entry: Entry, text: str, given: Mapping[str, object]) -> bool:
    """Whether the text can be a paper of the game: in one with signs, - may be a list of them."""
    try:
        judge_paper(entry, text, given)
    except QuetError:
        return False
    return True


def help_text() -> str:
    """What `quet score --help` prints, with an example of each game whose facts have one."""
    examples = {}
    for id in catalog.ids():
        with contextlib.suppress(BrokenRules):  # the help stays when a game of another package is broken
            examples[id] = score_facts(catalog.get(id).facts)
    width = max(map(len, examples))
    lines = []
    for id, facts in examples.items():
        command = f"quet score {id} {facts.example}" + (f"      {facts.note}" if facts.note else "")
        lines += [f"  {id:{width}}  {command}"] if facts.example else []
    return _HELP.replace("EXAMPLES", "\n".join(lines))


def read_standard_input() -> str:
    """The paper on standard input; raises BadPaper when that is a terminal, isn't text, or is larger than 1 MB."""
    if sys.stdin is None or sys.stdin.isatty():
        raise BadPaper("There is nothing to score: write the paper behind the name of the game, or pipe it in.")
    try:
        data = sys.stdin.buffer.read(LARGEST_PAPER + 1)
    except OSError as error:
        raise BadPaper(f"The standard input can't be read: {error.strerror}.") from None
    if len(data) > LARGEST_PAPER:
        raise BadPaper("The paper is larger than 1 MB.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadPaper("The standard input is not UTF-8 text.") from None


def _as_json(judged: Judged) -> str:
    game = judged.game
    result: dict[str, object] = {
        "game": game.id,
        "parameters": written(game.parameters),
        "scores": game.scores,
        "winners": game.winners,
        "is_over": game.is_over,
        "items": [
            {"player": item.player, "points": item.points, "words": item.words, "squares": list(item.squares)}
            for item in judged.items
        ],
    }
    return json.dumps(result)


def _for_people(judged: Judged) -> str:
    from ..draw.text import text

    game = judged.game
    lines = [text(judged.scene), ""]
    for player, score in zip(game.players, game.scores, strict=True):
        lines.append(f"{f'Player {player}' if game.num_players > 1 else 'Score'}: {integer_text(score)}")
        lines += [f"{integer_text(item.points):>6}  {item.words}" for item in judged.items if item.player == player]
    return "\n".join([*lines, judged.verdict])
