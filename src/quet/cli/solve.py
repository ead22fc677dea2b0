"""`quet solve`: the best scores of a game, and certificates of them.

NumPy and what else takes long to import is imported where it is needed, since many solves take less time than that.
"""

import contextlib
import json
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..certificates import certificate_file, claims
from ..core.arguments import integer
from ..core.clock import clock, never_standing
from ..core.errors import BadParameter, NotCompiled, NotSolved, QuetError, TooLarge
from ..core.files import UnwritableFile
from ..core.parameters import written
from ..core.quoting import shorten
from ..distribution.task import Answer, Task
from ..distribution.workers import MOST_WORKERS, Cluster, Processes, Workers
from ..game import Game, new_to_solve
from ..knowledge.solution import LARGEST_SEED, best_is_lowest
from ..results.folder import find
from ..results.row import Row, told
from ..results.theorems import usual
from ..solving import certify as certificate
from ..solving.ask import answer, known
from .checkpoint import Checkpoint
from .files import STANDARD, check_apart, check_writable, of_parameters, write
from .limits import in_bytes, lacking, seconds_of
from .progress import at_interrupt, patience, progress, status_after
from .theorems import told_beyond
from .verify import MISSING

if TYPE_CHECKING:
    from ..capabilities import Solved
    from ..core.rules import AnyState

STOPPED_STATUS = "stopped"
_PATIENCE = "quet: Still making the certificate, and checking it. Ctrl-C ends that, and it rests on the search alone."


def run(
    id: str,
    parameters: dict[str, str],
    *,
    is_lowest: bool | None,
    seconds: str | None,
    memory: int | None,
    seed: int,
    checkpoint: str | None,
    resume: str | None,
    output: str | None,
    has_strategies: bool,
    is_tablebase_saved: bool,
    workers: int | None,
    cluster: str | None,
    is_json: bool,
) -> tuple[dict[str, object], BadParameter | None, int]:
    """Solve a game, write the checkpoint and the certificate, and print what was found unless JSON is wanted.

    Returns that, what is wrong with a file that was to be written in the end, and the exit status without it, which is
    that of verify's missing certificates where none can be made. The first Ctrl-C or SIGTERM ends the search, and what
    is known then is told, with the status `stopped`.
    """
    begun = time.monotonic()
    with told_beyond(id, {**usual(id), **parameters}, is_lowest=bool(is_lowest)):
        game = new_to_solve(id, **parameters)
    if is_lowest is False and game.num_players > 1:
        raise BadParameter("Only solitaires have a highest score.")
    wants_low = best_is_lowest(game) if is_lowest is None else is_lowest
    task = Task(seconds=seconds_of(seconds), is_lowest=wants_low, workers=_workers(workers, cluster))
    task.seed = integer("The seed", seed, 0, LARGEST_SEED)
    task.memory = in_bytes(memory) or task.memory
    if checkpoint is not None and resume is not None:
        raise BadParameter("Give --checkpoint or --resume, not both.")
    if STANDARD in (checkpoint, resume):
        raise BadParameter("A checkpoint is read and written again and again, so it must be a file, not -.")
    if output == STANDARD and is_json:
        raise BadParameter("Give --json or --certificate -, not both: each writes to standard output.")
    kept = resume or checkpoint
    beside = {f"its FILE.{kind}": kept and f"{kept}.{kind}" for kind in ("blocks", "lock")}
    check_apart({"--certificate": output, "the checkpoint": kept} | beside, of_parameters(parameters))
    if has_strategies and output is None:
        raise BadParameter("Strategies are written to a certificate: give --certificate FILE with --strategies.")
    if has_strategies and game.num_players != 2:
        raise BadParameter("--strategies is for games of two players.")
    if has_strategies and not _may_have_strategies(game):
        raise BadParameter(
            "No strategies can be made of this game and size: it has no way to the value of each position."
        )
    for name in (output, checkpoint):
        if name is not None:
            check_writable(name)
    if output is not None:
        claims.of(game.id)  # raises for a broken one, which is better now than after hours
    keeper = Checkpoint(kept, game, task, must_exist=resume is not None)
    tablebases_made: list[Solved[AnyState]] = []
    troubles = _Troubles()
    tablebase: Path | None = None
    if is_tablebase_saved:
        _save_tablebase(None, game, task)
    with progress() as report, keeper, contextlib.closing(task.workers):
        task.report, task.keep = report, tablebases_made.append
        entry = game.entry
        found, status = _in_time(game, task)
        is_stopped = status != 0
        found = certificate.bounded(game.id, game.state, found, is_lowest=task.is_lowest)
        seconds_solving = time.monotonic() - begun
        weak: list[dict[str, object]] = []
        why_none = ""  # why the certificate has no strategies, though they were wanted
        solved = tablebases_made[-1] if tablebases_made else None
        no_table = "it would take more time or memory, or the game has none of this size"
        if is_tablebase_saved and is_stopped:
            no_table = "the search was stopped"
        elif is_tablebase_saved:
            from ..solving.choose import all_positions

            try:
                solved = solved or all_positions(game.rules, entry.capabilities, game.state, task)
                with troubles:
                    tablebase = _save_tablebase(solved, game, task)
            except KeyboardInterrupt:  # the answer is known without it
                no_table = "making it was stopped"
        begun = time.monotonic()
        if has_strategies and found.is_proven and not found.is_too_large_to_certify:
            weak, why_none = _strategies(game, found, solved, task, is_stopped=is_stopped)
    if isinstance(task.workers, Cluster) and not task.workers.is_asked:
        print("quet: No part of this solve was left for the cluster, so it wasn't asked.", file=sys.stderr)
    if found.is_proven and task.table is not None:
        from ..tablebases import blocks

        blocks.remove(task)
    written = None
    if output is not None:
        if is_stopped:  # who stops it waits for nothing that takes long
            stop = threading.Event()
            stop.set()
            task = replace(task, seconds=0.0, begun=clock(), stop=stop)
        with patience(_PATIENCE):
            made = certificate.make(game.id, game.rules, game.state, game.parameters, found, task, entry.strategy, weak)
        with troubles:
            written = made and _write(made, output)
        if not written:
            status = status or MISSING
    result = _result(game, found, task, seconds_solving, output if written else None)
    result["certificate_seconds"] = round(time.monotonic() - begun, 3) if written else None
    if is_stopped:
        result["status"] = STOPPED_STATUS
    result["table"] = tablebase and str(tablebase)
    why_none = f"The certificate has no strategies. {why_none}" if why_none and written else ""
    if is_json:
        if why_none:
            print(f"quet: {why_none}", file=sys.stderr)
        return result, troubles.first or keeper.trouble, status
    with contextlib.redirect_stdout(sys.stderr if output == STANDARD else sys.stdout):
        _print(game, found, task, result)
        if is_stopped:
            print("Stopped: this is what was known by then.")
        if output is not None and not troubles.first:
            lack = "There was no time for a game with this value" if found.is_proven else "Nothing is proven"
            if found.is_too_large_to_certify:
                lack = "A certificate of these strategies would be too large"
            print(f"Certificate: {output}" if written else f"{lack}, so no certificate is written.")
        if why_none:
            print(why_none)
        if is_tablebase_saved and not troubles.first:
            none = f"No tablebase is saved: {no_table}."
            print(f"Tablebase: {tablebase} ({tablebase.stat().st_size / 1e6:.1f} MB)" if tablebase else none)
    return result, troubles.first or keeper.trouble, status


def _may_have_strategies(game: Game) -> bool:
    """Whether there is a way to strategies of both players: from values of all positions, or by a theorem."""
    from ..solving.choose import Way, way

    entry = game.entry
    found = way(game.rules, entry.capabilities, game.state, memory=sys.maxsize)
    return found in (Way.TABLE, Way.KEYS) or entry.strategy is not None


def _strategies(
    game: Game, found: Answer, solved: "Solved[AnyState] | None", task: Task, *, is_stopped: bool
) -> tuple[list[dict[str, object]], str]:
    """The grounds of a proven value, a strategy of each side; or none, and a sentence that says why.

    The answer is known already, so nothing that hinders this may lose it, nor may Ctrl-C.
    """
    from ..solving import weak

    assert found.low is not None  # it is proven
    if certificate.by_theorems(found, game.state, game.entry.strategy):
        return [], ""  # the certificate has the strategies of theorems
    if is_stopped:
        return [], "The search was stopped."
    try:
        known = weak.values(game.rules, game.entry.capabilities, game.state, task, solved)
        if known is None:
            return [], "The values of positions take more time or memory."
        return weak.grounds(game.id, game.state, found.low, known, task), ""
    except (NotSolved, TooLarge, BadParameter) as error:
        return [], str(error)
    except MemoryError:
        return [], "The memory isn't enough."
    except KeyboardInterrupt:
        return [], "Making them was stopped."


def _in_time(game: Game, task: Task) -> tuple[Answer, int]:
    """The answer, and the exit status: 0 unless Ctrl-C or SIGTERM has ended the search.

    Where the task has a time, the answer comes when it is over, whatever has to be compiled: another process compiles.
    """
    from ..engine.beside import Beside
    from ..engine.compiled import compiling_elsewhere

    entry, state = game.entry, game.state
    compiler = None if task.seconds is None else Beside(task.until, _tell_of_compiling)
    try:
        with contextlib.ExitStack() as stack:
            if compiler is not None:
                stack.enter_context(never_standing())
                stack.enter_context(contextlib.closing(compiler))
                stack.enter_context(compiling_elsewhere(compiler))
                stack.enter_context(at_interrupt(compiler.give_up))
            return answer(entry, state, task), 0
    except NotCompiled:
        if compiler is not None and compiler.has_begun:
            print("quet: The time was over first. Compiling goes on, for the next time.", file=sys.stderr)
        return known(entry, state, task), 0
    except KeyboardInterrupt as interrupt:
        print("quet: Stopping; Ctrl-C once more ends at once.", file=sys.stderr)
        return known(entry, state, task), status_after(interrupt)


def _tell_of_compiling() -> None:
    print("quet: Compiling code for this search, once.", file=sys.stderr)


class _Troubles:
    """Files that can't be written at the end of a solve: told when the answer is printed, so that it isn't lost."""

    first: BadParameter | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, BadParameter):
            return False
        self.first = self.first or error
        return True


def _write(made: dict[str, object], output: str) -> str:
    """Write a certificate to a file, and return its name."""
    if output == STANDARD:
        write(output, certificate_file.to_bytes(made))
        return output
    try:
        certificate.write(made, output)
    except UnwritableFile as error:
        raise BadParameter(f"{shorten(output, 200)}: {error}") from None
    return output


def _save_tablebase(solved: "Solved[AnyState] | None", game: Game, task: Task) -> Path | None:
    """Save the tablebase, if there is one. Raises BadParameter if none could be saved there."""
    from ..tablebases import files

    try:
        if solved is not None:
            return files.save(solved, game.id, game.rules, game.entry.capabilities, game.parameters, task.report)
        files.make_folder()
        return None
    except UnwritableFile as error:
        raise BadParameter(f"{shorten(str(files.folder()), 200)}: {error}") from None


def _workers(count: int | None, cluster: str | None) -> Workers:
    if cluster is not None:
        if count is not None:
            raise BadParameter("Give --workers or --cluster, not both; a cluster's workers are started where they run.")
        return Cluster(cluster)
    if count is not None and not 1 <= count <= MOST_WORKERS:
        raise BadParameter(f"The workers must be from 1 to {MOST_WORKERS}.")
    return Processes(count)


def _result(game: Game, found: Answer, task: Task, seconds: float, file: str | None) -> dict[str, object]:
    return {
        "game": game.id,
        "parameters": written(game.parameters),
        "score": _score(game, task),
        "value": found.value,
        "scores": found.scores,
        "low": found.low,
        "high": found.high,
        "status": "proven" if found.is_proven else "open",
        "witness": _texts(game, found.witness),
        "best_moves": _texts(game, found.best_moves),
        "has_all_best_moves": found.has_all_best,
        "method": found.method,
        "counts": found.counts,
        "nodes": found.nodes,
        "seconds": round(seconds, 3),
        "certificate": file,
        "memory": None if found.is_proven else lacking(task.lacks),
    }


def _proven_row(game: Game, task: Task) -> Row | None:
    """The row of the table of results that answers the same question; None where it doesn't, or can't be read."""
    try:
        rows = find(None).rows(game.id)
    except (QuetError, OSError):
        return None
    asked = (_score(game, task), written(game.parameters))
    return next((row for row in rows if row.is_proven and (row.score, row.parameters) == asked), None)


def _score(game: Game, task: Task) -> str:
    if game.num_players > 1:
        return "value" if game.num_players == 2 else "scores"
    return "lowest" if task.is_lowest else "highest"


def _texts(game: Game, moves: Sequence[int]) -> list[str]:
    return [game.rules.move_text(game.state, move) for move in moves]


def _print(game: Game, found: Answer, task: Task, result: Mapping[str, object]) -> None:
    parameters, checking = written(game.parameters), result["certificate_seconds"]
    inside = " ".join(f"{name}={shorten(str(value))}" for name, value in parameters.items()).replace("'", "")
    print(f"{game.entry.title}, {inside}")
    names = {"value": "value", "lowest": "lowest score", "highest": "highest score", "scores": "result"}
    what = names[_score(game, task)]
    if found.scores is not None:
        scores = ", ".join(map(str, found.scores))
        print(f"The scores of players 1 to {len(found.scores)} are {scores}, proven: {found.method}.")
    elif found.is_proven:
        print(f"The {what} is {found.value}, proven: {found.method}.")
    else:
        known = [f"{found.value} has been reached"] if found.value is not None else []
        known += [f"it is at least {found.low}"] if found.low is not None else []
        known += [f"at most {found.high}"] if found.high is not None else []
        print(f"The {what} is open{': ' if known else ''}{', '.join(known)} ({found.method}).")
    if not found.is_proven and (row := _proven_row(game, task)) is not None:
        print(f"The table of results has it: {told(row.value)}, proven (quet results {row.words}).")
    for name, count in found.counts.items():
        print(f"{name}: {json.dumps(count)}")
    if found.best_moves and found.has_all_best:
        print(f"Best first moves: {' '.join(_texts(game, found.best_moves))}")
    if result["memory"] is not None:
        print(f"More memory helps: --memory {result['memory']} is enough for a search that ends sooner.")
    if found.witness:
        print(f"{'A game that reaches it' if found.is_proven else 'A game'}: {' '.join(_texts(game, found.witness))}")
    for_certificate = "" if checking is None else f", and {checking:.2f} s for the certificate"
    counted = found.counted.removesuffix("s") if found.nodes == 1 else found.counted
    print(f"{found.nodes} {counted}, {result['seconds']:.2f} s{for_certificate}")
