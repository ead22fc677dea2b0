"""`quet analyse`: what each move of a record was worth, where the game turned, and a plot of it."""

from typing import NamedTuple

from ..core.arguments import MOST_SEED, integer
from ..core.errors import BadParameter
from ..game import Game
from ..knowledge.worth import Value, in_words, is_cut, line_text
from ..study.analysis import analyse
from ..study.assessments import Analysis
from . import files
from .limits import in_bytes, seconds_of
from .progress import progress, stopping


class Outcome(NamedTuple):
    """What came out of an analysis, as data for JSON."""

    json: dict[str, object]
    is_stopped: bool


def run(
    file: str,
    *,
    number: int,
    seconds: str | None,
    simulations: int | None,
    seed: int,
    output: str | None,
    is_json: bool,
    memory: int | None = None,
) -> Outcome:
    """Analyse a record of the file, counted from 1, and write the plot. Print the analysis unless JSON is wanted.

    The first Ctrl-C ends the analysis, and the moves that have been judged are told.

    Before the analysis begins, raises BadRecord for the file, and BadParameter for the other arguments.
    """
    time = seconds_of(seconds, "The time for a move", 3600) or 0.5
    if seconds is not None and simulations is not None:
        raise BadParameter("Give --seconds or --sims, not both: with simulations no clock counts.")
    if simulations is not None and not 1 <= simulations <= 10**9:
        raise BadParameter("The number of simulations must be from 1 to 1000000000.")
    integer("The seed", seed, 0, MOST_SEED)
    suffix = "" if output is None else files.suffix(output)
    if output is not None and suffix not in (".svg", ".png"):
        raise BadParameter("The output must end with .svg or .png.")
    files.check_no_json(output, "the plot", is_json=is_json)
    if output is not None:
        files.check_writable(output)
    files.check_apart({"--output": output}, {"FILE": file})
    limit = in_bytes(memory)
    record = files.chosen(files.load(file), number)
    analysis = _analyse(record.game, time, simulations, seed, limit)
    if output is not None and analysis.assessments:
        files.write(output, _drawn(analysis, suffix))
    status = {"status": "stopped" if analysis.is_stopped else "done"}
    if not is_json and output != files.STANDARD:
        _print(analysis, record.summary)
    result = {"result": record.result, "summary": record.summary}
    return Outcome(analysis.json() | result | status, analysis.is_stopped)


def _analyse(game: Game, seconds: float, simulations: int | None, seed: int, memory: int | None) -> Analysis:
    with progress() as report, stopping() as stop:
        return analyse(
            game,
            seconds=seconds,
            simulations=simulations,
            seed=seed,
            memory=memory,
            report=lambda done: report(done, game.ply, "moves, from the last one"),
            stop=stop,
        )


def _drawn(analysis: Analysis, suffix: str) -> bytes:
    from ..draw.raster import png
    from ..draw.svg import svg
    from ..study.plot import plot

    scene = plot(analysis)
    return svg(scene).encode() if suffix == ".svg" else png(scene, scale=80)


def _print(analysis: Analysis, summary: str) -> None:
    game = analysis.game
    print(f"{game.entry.title}. {summary}")
    print("The best score still reachable:" if game.num_players == 1 else "What each move was worth to its player:")
    width = max((len(one.move) for one in analysis.assessments), default=0)
    for one in analysis.assessments:
        who = f"  player {one.mover}" if game.num_players > 1 else ""
        words = f"{one.ply:4}. {one.move:{width}}{who}  {_worth(one.value, game)}"
        if in_words(one.best, game) != in_words(one.value, game):
            line = line_text(one.line, is_cut=is_cut(game.at(one.ply - 1), one.line))
            words += f"; best {line}: {_worth(one.best, game)}"
        print(words)
    for player in analysis.kept:
        print(analysis.kept_words(player, f"Player {player}"))
    points = analysis.turning_points
    print("Turning points:" if points else "No turning points were found.")
    if analysis.is_stopped:
        print(f"Stopped: the last {len(analysis.assessments)} of {game.ply} moves were judged by then.")
    for one in points:
        print(f"    {one.turning_point}")
    if analysis.gave_away:
        print("Points given away:")
    for one in analysis.gave_away:
        print(f"    {one.gave_away}")
    if analysis.supposed:
        print(analysis.supposed)


def _worth(value: Value, game: Game) -> str:
    """The value with its uncertainty, and how it is known: `about 62 % ± 3 % of the win (search, 900 games)`."""
    words = in_words(value, game)
    if not value.is_known or not value.how:
        return words
    if value.is_exact:
        return f"{words} ({value.how})"
    if game.num_players == 1:
        return f"{words} ({value.how}; two searches differ by {value.error:g})"
    return f"{words.replace('% of', f'% ± {100 * value.error:.0f} % of')} ({value.how})"
