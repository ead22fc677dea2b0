"""Makes the table of results, or takes it further: solves what isn't proven yet and enters what comes out.

    python -m quet.results.make [GAME ...] [--strategies] [--time S] [--folder FOLDER] [--work FOLDER]

For maintainers, as `make results`. Questions that are proven in the table are skipped. Each other question is a run of
`quet solve`, with a checkpoint in the folder of work. So this program can be stopped, and goes on when it is run again.
`--time` limits the seconds for each question; where the plan has a smaller limit, that one counts. With `--strategies`
it takes instead the values of games for two that rest on a search, the checker's own too, and looks for strategies.
"""

import argparse
import functools
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from .. import catalog
from ..certificates import certificate_file
from ..core.errors import QuetError, refusing
from ..core.facts import result_facts
from ..core.parameters import written
from ..game import new_to_solve
from .claim import REPEATED, UNCHECKED, Refused
from .folder import Folder, find
from .one_by_one import one_by_one
from .row import QUET, Row, lowest_option
from .submit import enter


@dataclass(frozen=True)
class Question:
    """A question to be solved. `seconds` limits one that may never be settled; `memory` is in MB."""

    game: str
    parameters: Mapping[str, int | str]
    is_lowest: bool = False
    seconds: int | None = None
    memory: int | None = None

    @property
    def words(self) -> list[str]:
        """The question as `quet solve` takes it."""
        inside = [f"{name}={value}" for name, value in self.parameters.items()]
        is_solitaire = new_to_solve(self.game, **self.parameters).num_players == 1
        score = "lowest" if self.is_lowest else "highest" if is_solitaire else "value"
        return [self.game, *inside, *lowest_option(self.game, score)]


def plan() -> Iterator[Question]:
    """The questions in the facts of all games, game by game in alphabetical order. Raises BrokenRules."""
    for id in catalog.ids():
        entry = catalog.get(id)
        size = entry.rules.PARAMETERS[0].name
        for part in result_facts(entry.facts):
            for number in part.sizes:
                parameters = {size: number, **part.parameters}
                yield Question(id, parameters, part.is_lowest, part.seconds, part.memory)


def main() -> int:
    """Make the table. Returns 1 if a question met an error, else 0."""
    parser = argparse.ArgumentParser(
        prog="python -m quet.results.make",
        description="Solve what the table of results hasn't proven yet, and enter it.",
    )
    parser.add_argument("games", metavar="GAME", nargs="*", help="only these games")
    parser.add_argument("--strategies", action="store_true", help="in place of searches, in games for two")
    parser.add_argument("--time", metavar="S", type=int, help="seconds for each question, at most")
    parser.add_argument("--folder", metavar="FOLDER", help="of the table (the repository's)")
    parser.add_argument("--work", metavar="FOLDER", type=Path, default=Path("build/results"), help="of checkpoints")
    options = parser.parse_args()
    with refusing(parser):
        games = [catalog.get(id).id for id in options.games]
        folder = find(options.folder)
        questions = [question for question in plan() if not games or question.game in games]
    options.work.mkdir(parents=True, exist_ok=True)
    return one_by_one(
        (
            " ".join(question.words),
            functools.partial(
                take_further, folder, question, options.work, options.time, has_strategies=options.strategies
            ),
        )
        for question in questions
    )


def take_further(
    folder: Folder, question: Question, work: Path, seconds: int | None, *, has_strategies: bool = False
) -> str:
    """Solve a question and enter a better result. Returns a sentence that tells it. Raises QuetError if it fails.

    `has_strategies` asks for strategies of the players of a proven value that rests on a search, the checker's own too.
    """
    known = [row for row in folder.rows(question.game) if row.is_proven and _is_about(question, row)]
    if has_strategies:
        if not any(row.score == "value" and ({UNCHECKED, REPEATED} & {*row.proof.split()}) for row in known):
            return "It is no value that rests on a search."
    elif known:
        return "Proven already."
    file = work / ("-".join(question.words).replace("=", "-") + ".json")
    file.unlink(missing_ok=True)
    words = ["solve", *question.words]
    limits = [limit for limit in (seconds, question.seconds) if limit is not None]
    words += ["--time", str(min(limits))] if limits else []
    words += ["--memory", str(question.memory)] if question.memory is not None else []
    words += ["--strategies"] if has_strategies else []
    again = shlex.join(["quet", *words])
    command = [sys.executable, "-m", "quet", *words, "--json", "--certificate", str(file)]
    command += ["--checkpoint", str(file.with_suffix(".kept"))]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 3):  # 3 where no certificate can be written
        raise QuetError(done.stderr.strip().removeprefix("quet: ") or f"It ended with status {done.returncode}.")
    if not file.exists():
        return "Nothing is known after that time."
    try:
        return enter(folder, certificate_file.read(file), finder=QUET, is_trusted=True, command=again).sentence
    except Refused as error:
        return str(error)


def _is_about(question: Question, row: Row) -> bool:
    values = new_to_solve(question.game, **question.parameters).parameters
    parameters = written(values)
    return bool(row.parameters == parameters and row.is_lowest == question.is_lowest)


if __name__ == "__main__":
    sys.exit(main())
