"""Entries of agents that were measured, a file each, and the table that they make.

An entry is JSON: what was measured, with which seed, and what came out for each task. A task is a game, its size, and
where its positions come from; `tasks.json` in the folder of entries names those of the table. A size that can't be
solved from the start has moves too, after which everything begins. `measured` makes an entry, and
`entries.py` reads one.
"""

import contextlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from .. import __version__
from ..core import json_text
from ..core.errors import BadParameter, NotSolved, QuetError
from ..core.files import read_file
from ..core.messages import say
from ..core.parameters import written
from ..game import Game
from ..knowledge.walks import positions as all_positions
from ..players.agents import Each, UgiAgent, close
from ..players.standings import Estimate
from .agents import Agent
from .dataset import Report
from .entries import (
    DIGITS,
    FORMAT,
    LARGEST,
    BadEntry,
    Json,
    begun,
    check_parameters,
    game_of,
    place_of,
    read,
    size_of,
    wrong,
)
from .measure import MOST, From, accuracy, against_perfect, weak_strength

TASKS = "tasks.json"
POSITIONS, GAMES = 300, 30  # of each task, unless others are asked for
OWN_GAMES = 30  # in which an agent plays all moves, at most, and at most one for each position of them that is judged
OWN_POSITIONS = 3  # of these games that are judged, at most, for each position that is asked for: games can be long
MOST_LISTED = 100_000  # positions, to be drawn from where the table has no task
MOST_LEFT = 10_000  # positions for which every reply is tried; larger games have no weak strength
HEAD = (
    "| agent | keeps the result | keeps the margin | regret | in its own play | loss as player 1 | as player 2 | "
    "worst | CPU |"
)


class Task(NamedTuple):
    """A game from where everything begins, and where the positions come from in which moves are judged."""

    game: Game
    positions: From = "reachable"


def tasks(folder: Path) -> list[Task]:
    """The tasks of the table. Raises BadEntry, UnreadableFile, UnknownGame and BadParameter."""
    return read_tasks(read_file(folder / TASKS, LARGEST))


def task(game: Game, folder: Path, *, may_list: bool = False) -> Task:
    """The task of the table in this game and size, or else one of random positions. Raises as `tasks`.

    That of the table may begin after some moves. With `may_list` the other one is of all positions that can be reached,
    where they are few: to see that takes some seconds.
    """
    listed = tasks(folder) if (folder / TASKS).exists() else []
    same = [one for one in listed if (one.game.id, one.game.parameters) == (game.id, game.parameters)]
    if same:
        return same[0]
    return Task(game, "reachable" if may_list and _are_few(game) else "random")


def _are_few(game: Game) -> bool:
    """Whether the positions that can be reached can be listed in some seconds."""
    try:
        all_positions(game, most=MOST_LISTED)
    except BadParameter:  # there are more
        return False
    return True


def read_tasks(content: bytes) -> list[Task]:
    """The tasks in a file: lists of a game, its parameters, "reachable" or "random", and perhaps moves in one text.

    Raises BadEntry, BadJson, UnknownGame and BadParameter.
    """
    found = json_text.read(content, largest=LARGEST)
    if not isinstance(found, list) or not all(isinstance(one, list) and len(one) in (3, 4) for one in found):
        raise BadEntry(say("It is no list of games with their parameters."))
    if any(one[2] not in ("reachable", "random") for one in found):
        raise BadEntry(say("Positions are reachable or random."))
    return [Task(begun(one[0], one[1], *one[3:]), one[2]) for one in found]


def measured(
    who: Agent,
    asked: Sequence[Task],
    *,
    about: str,
    seed: int,
    positions: int = POSITIONS,
    num_games: int = GAMES,
    report: Report = lambda done, total, words: None,
    again: Callable[[], Agent] | None = None,
) -> dict[str, object]:
    """An entry: what an agent does in each of these tasks. Raises as the measures do.

    Of `positions` from where a task has them, and of at most three times as many from the agent's own play, the values
    are asked for, which may take seconds each. `report` is told the sizes that are done, and within one what is.

    `again` makes the agent anew for each further task, with the random numbers that it began with. Then a row is what
    it would be if its task alone were measured. Without it the agent goes on, and a row depends on those before.

    What `read` would refuse is refused before anything is measured: BadParameter for the name and what it is about,
    BadEntry for a game.
    """
    if (trouble := wrong(who.name, about)) is not None:
        raise BadParameter(trouble)
    for task in asked:
        check_parameters(written(task.game.parameters))
    rows = []
    for done, task in enumerate(asked):
        one = who if again is None or not done else again()
        try:
            rows.append(_row(one, task, seed, positions, num_games, _within(report, done, len(asked), task.game.id)))
        finally:
            if one is not who:
                close(one)
    return {
        "format": FORMAT,
        "agent": who.name,
        "about": about,
        "quet": __version__,
        "seed": seed,
        "tasks": rows,
    }


def _within(report: Report, done: int, total: int, id: str) -> Report:
    """Tells how far the measures of one size have come, as a part of all sizes; at once that it has begun."""
    words = f"sizes measured, {id} next"
    report(done, total, words)
    return lambda parts, count, what: report(
        done, total, f"{words}: {parts} of {count} {what}" if count else f"{words}: {what}"
    )


class _Counted:
    """Asks an agent, and tells how many moves it has chosen: an engine may take minutes for each."""

    def __init__(self, agent: Agent, report: Report) -> None:
        self.name, self._agent, self._report, self._num = agent.name, agent, report, 0

    def moves(self, games: Sequence[Game]) -> list[str]:
        if not isinstance(self._agent, Each | UgiAgent):  # who may be quicker in many positions at once
            return self._told(self._agent.moves(games), len(games))
        return [move for game in games for move in self._told(self._agent.moves([game]), 1)]

    def _told(self, chosen: list[str], num: int) -> list[str]:
        self._num += num
        self._report(self._num, 0, f"move {self._num} chosen")
        return chosen


def _row(agent: Agent, task: Task, seed: int, positions: int, num_games: int, report: Report) -> dict[str, object]:
    begun, game, who = time.process_time(), task.game, _Counted(agent, report)
    found = accuracy(who, game, positions=task.positions, num=positions, seed=seed, report=report)
    most = min(OWN_POSITIONS * positions, MOST)
    num_own = min(OWN_GAMES, most)
    own = accuracy(who, game, positions="play", num=num_own, seed=seed, openings=1, most=most, report=report)
    seats = []
    for player in game.players:
        games = against_perfect(who, game, player=player, num=num_games, seed=seed, report=report)
        seat = {"keeps_result": _three(games.keeps_result), "loss": _three(games.loss), "value": games.value}
        seats.append(seat | _worst_of(who, task, player))
    return {
        "game": game.id,
        "parameters": written(game.parameters),
        **({"opening": " ".join(game.moves)} if game.ply else {}),
        "positions": task.positions,
        "num": found.num,
        "keeps_result": _three(found.keeps_result),
        "keeps_margin": _three(found.keeps_margin),
        "regret": _three(found.regret),
        "own_positions": own.num,
        "own_keeps_margin": _three(own.keeps_margin),
        "seats": seats,
        # An engine, and what it may have started, has a time of its own.
        "cpu_seconds": None if isinstance(agent, UgiAgent) else round(time.process_time() - begun, 1),
    }


def _worst_of(who: Agent, task: Task, player: int) -> dict[str, object]:
    """The weak strength, where the positions are few and every game ends."""
    if task.positions == "reachable":
        with contextlib.suppress(BadParameter, NotSolved):  # too many, or the agent lets a game go on for ever
            strength = weak_strength(who, task.game, player=player, most=MOST_LEFT)
            return {"worst": strength.worst, "line": " ".join(strength.line)}
    return {"worst": None, "line": ""}


def text(entry: Mapping[str, object]) -> str:
    """An entry as a file has it."""
    return json.dumps(entry, indent=1, ensure_ascii=False) + "\n"


def entries(folder: Path) -> list[Json]:
    """All entries of a folder, by the names of their files. Raises BadEntry, whose message names the file.

    All have the positions that the tasks of the folder have, and agree on what a game is worth. No two have the same
    agent with the same size. Raises as `tasks`, too.
    """
    found = []
    positions = {place_of(one.game): one.positions for one in tasks(folder)} if (folder / TASKS).exists() else {}
    worths: dict[str, tuple[int, str]] = {}  # of each size, and the first file that says it
    met: dict[tuple[str, str], str] = {}  # agents and sizes, and their files
    for file in sorted(folder.glob("*.json")):
        if file.name != TASKS:
            try:
                entry = read(read_file(file, LARGEST))
                for row in entry["tasks"]:
                    _compare(row, file.name, positions, worths)
                    who = entry["agent"], place_of(game_of(row))
                    if met.setdefault(who, file.name) != file.name:
                        raise BadEntry(
                            say("{agent} in {size} is in {file} too.", agent=who[0], size=who[1], file=met[who])
                        )
                found.append(entry)
            except QuetError as error:
                raise BadEntry(say("{where}: {sentence}", where=file.name, sentence=error.message)) from None
    return found


def _compare(row: Json, file: str, positions: Mapping[str, str], worths: dict[str, tuple[int, str]]) -> None:
    """Note what a game is worth. Raises BadEntry where that or the positions aren't those of the others."""
    place = place_of(game_of(row))
    if row["positions"] != positions.get(place, row["positions"]):
        raise BadEntry(
            say(
                "The positions of {size} are {ours} in the table, not {theirs}.",
                size=place,
                ours=positions[place],
                theirs=row["positions"],
            )
        )
    for seat in row["seats"]:
        value, other = worths.setdefault(place, (seat["value"], file))
        if seat["value"] != value:
            raise BadEntry(
                say(
                    "It says that {size} is worth {value}; {file} says {other}.",
                    size=place,
                    value=seat["value"],
                    file=other,
                    other=value,
                )
            )


def table(found: Iterable[Json], asked: Sequence[Task]) -> str:
    """The table in Markdown: a part for each game, those who keep the margin most often first; then what each is."""
    found, lines = list(found), []
    for task in asked:
        game, positions = task
        opening = " ".join(game.moves)
        rows = [(entry["agent"], row) for entry in found for row in entry["tasks"] if _is_of(row, task)]
        if not rows:
            continue
        rows.sort(key=lambda pair: (-pair[1]["keeps_margin"][0], pair[1]["regret"][0], pair[0]))
        lines += [
            f"### {size_of(game.id, written(game.parameters))}",
            "",
            f"Positions: {positions}{f', after {opening}' if opening else ''}.",
            "",
            HEAD,
            f"|---|{'--:|' * 8}",
            *(_line(agent, row) for agent, row in rows),
            "",
        ]
    if about := [_about(entry) for entry in found if entry.get("about")]:
        lines += ["### What they are", "", *about, ""]
    return "\n".join(lines)


def left_out(found: Iterable[Json], asked: Sequence[Task]) -> list[str]:
    """The rows of entries that the table hasn't, since they are of no task: the agent's name, and the size."""
    return [
        f"{entry['agent']} in {place_of(game_of(row))}"
        for entry in found
        for row in entry["tasks"]
        if not any(_is_of(row, task) for task in asked)
    ]


def _is_of(row: Json, task: Task) -> bool:
    """Whether a row is of this task."""
    return place_of(game_of(row)) == place_of(task.game)


def _about(entry: Json) -> str:
    """What an agent is; also in which size, where it is in one only."""
    sizes = [size_of(row["game"], row["parameters"]) for row in entry["tasks"]]
    where = f" in {sizes[0]}" if len(sizes) == 1 else ""
    return f"- {entry['agent']}{where}: {entry['about']}"


def _line(agent: str, row: Json) -> str:
    seats = row["seats"]
    losses = [_points(seat["loss"]) for seat in seats] + [""] * (2 - len(seats))
    worst = ", ".join(_worst(seat) for seat in seats)
    cells = [
        agent,
        _percent(row["keeps_result"]),
        _percent(row["keeps_margin"]),
        _points(row["regret"]),
        _percent(row["own_keeps_margin"]),
        *losses,
        worst,
        "?" if row["cpu_seconds"] is None else f"{row['cpu_seconds']:.0f} s",
    ]
    return f"| {' | '.join(cells)} |"


def _worst(seat: Json) -> str:
    """The worst end; bold where nothing beats the agent. Who plays by chance and lost games was asked once only."""
    if seat["worst"] is None:
        return "?"
    is_unbeaten = seat["worst"] == seat["value"] and seat["loss"][0] == 0.0
    return f"**{seat['value']}**" if is_unbeaten else f"{seat['worst']} of {seat['value']}"


def _percent(three: Sequence[float]) -> str:
    """A share and its interval. Only all is 100 %, and only none is 0 %."""
    value, low, high = (100 * one for one in three)
    shown = value if value in (0.0, 100.0) else min(max(value, 1.0), 99.0)
    ends = f"[{min(shown, low):.0f}, {max(shown, high):.0f}]"
    return f"{shown:.0f} %" if low == high else f"{shown:.0f} % {ends}"


def _points(three: Sequence[float]) -> str:
    value, low, high = three
    return f"{value:.2f}" if low == high else f"{value:.2f} [{low:.2f}, {high:.2f}]"


def _three(estimate: Estimate) -> list[float]:
    return [round(one, DIGITS) for one in (estimate.value, estimate.low, estimate.high)]
