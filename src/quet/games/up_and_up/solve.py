"""The highest and the lowest score, and how many games there are. Functions are compiled by `quet.engine.compiled`.

Highest: no score exceeds n*n, and `full_grid.py` looks for a game that fills the grid.

Lowest: games are tried by their length, the shortest first. A game ends only where every square beside the last one is
filled, so that each position has a least number of moves still to come.

Counts: every game is played, from one square of each set that the symmetries of the grid join.
"""

import functools
import sys
from dataclasses import replace
from typing import Any

import numpy as np

from quet.core.errors import BrokenRules
from quet.engine.compiled import compiled
from quet.solve.answer import Answer, Task

from . import full_grid
from .board import choices, near
from .rules import State

ALLOCATES = False

FULL_GRID = "a beam search for a full grid"
SHORTEST_FIRST = "all games tried by their length, the shortest first"
LARGEST_COUNTED = 6  # n up to which all games are counted, in a second or so


def short_game(n: int, first: int, longest: int, room: Any, counts: Any, stop: Any) -> int:
    """The length of a game from `first` with at most `longest` numbers, 0 where there is none; counts[0] += positions.

    -1 when stop[0] has become 1.

    room[0] is the filled squares, room[1] the game's, room[2] the steps, room[3] the choices left, room[4] how many
    squares must still be filled for a game to end at each empty square, room[5, k] how many empty squares need k;
    the rows from room[6] on are for the choices.
    """
    filled, game, steps, left, needs, having = room[0], room[1], room[2], room[3], room[4], room[5]
    out = room[6 + n * n]
    for k in range(8):
        having[k] = 0
    for square in range(n * n):
        filled[square] = 0
        needs[square] = 1 + near(n, square, 1, out)
        having[needs[square]] += 1
    fill(n, first, filled, needs, having, out)
    game[0] = first
    steps[0] = 1
    left[0] = -1
    length = 1
    while length > 0:
        last = length - 1
        square = game[last]
        if stop[0]:
            return -1
        if left[last] < 0:
            counts[0] += 1
            left[last] = choices(n, filled, square, steps[last], room[6 + last]) // 2
            if left[last] == 0:
                return length
            k = 1
            while k < 6 and having[k] == 0:
                k += 1
            if length + k > longest:
                left[last] = 0
        if left[last] == 0:
            empty(n, square, filled, needs, having, out)
            length -= 1
            continue
        left[last] -= 1
        after = room[6 + last, left[last]]
        fill(n, after, filled, needs, having, out)
        game[length] = after
        steps[length] = abs(after // n - square // n) + abs(after % n - square % n) + 1
        left[length] = -1
        length += 1
    return 0


def fill(n: int, square: int, filled: Any, needs: Any, having: Any, out: Any) -> None:
    """Fill a square: a game can't end there any more, and needs one square less to end beside it."""
    filled[square] = 1
    having[needs[square]] -= 1
    for i in range(near(n, square, 1, out)):
        beside = out[i]
        if not filled[beside]:
            having[needs[beside]] -= 1
            having[needs[beside] - 1] += 1
        needs[beside] -= 1


def empty(n: int, square: int, filled: Any, needs: Any, having: Any, out: Any) -> None:
    """Undo `fill`."""
    for i in range(near(n, square, 1, out)):
        beside = out[i]
        needs[beside] += 1
        if not filled[beside]:
            having[needs[beside] - 1] -= 1
            having[needs[beside]] += 1
    filled[square] = 0
    having[needs[square]] += 1


def all_games(n: int, first: int, room: Any, found: Any) -> int:
    """Add the number of games from `first` with each score to found[score]; return the positions looked at.

    room[0] is the filled squares, room[1] the game's, room[2] the steps, room[3] how many choices are left; the rows
    from room[4] on hold four choices for each number.
    """
    filled, game, steps, left = room[0], room[1], room[2], room[3]
    for square in range(n * n):
        filled[square] = 0
    filled[first] = 1
    game[0] = first
    steps[0] = 1
    left[0] = -1
    length = nodes = 1
    while length > 0:
        last = length - 1
        square = game[last]
        if left[last] < 0:
            left[last] = choices(n, filled, square, steps[last], room[4 + last]) // 2
            if left[last] == 0:
                found[length] += 1
        if left[last] == 0:
            filled[square] = 0
            length -= 1
            continue
        left[last] -= 1
        after = room[4 + last, left[last]]
        filled[after] = 1
        game[length] = after
        steps[length] = abs(after // n - square // n) + abs(after % n - square % n) + 1
        left[length] = -1
        length += 1
        nodes += 1
    return nodes


def solve(state: State, task: Task) -> Answer:
    """The highest score, or the lowest, with the numbers of games where n is small."""
    n = state.n
    found = _lowest(n, task) if task.is_lowest else _highest(n, task)
    return _confirmed(found, n, task) if found.is_proven and n <= LARGEST_COUNTED else found


def _confirmed(found: Answer, n: int, task: Task) -> Answer:
    """The answer with the numbers of games, among which it has to be the highest or the lowest score."""
    if "games" not in task.notes:
        task.note("games", list(num_games(n).items()))
    games = dict(task.notes["games"])
    score = min(games) if task.is_lowest else max(games)
    if score != found.value:
        raise BrokenRules(f"Two ways disagree: {found.value} by {found.method}, {score} by playing all games.")
    total = sum(games.values())
    counts = {"optimal games": games[score], "all games": total, "games of each score": games}
    return replace(found, counts=counts, confirmed_by=f"playing all {total} games")


def starts(n: int) -> list[int]:
    """One square of each set that the symmetries of the grid join."""
    return [row * n + column for row in range((n + 1) // 2) for column in range(row, (n + 1) // 2)]


def alike(n: int, square: int) -> set[int]:
    """The squares that the symmetries of the grid join with this one."""
    row, column = divmod(square, n)
    places = {(a, b) for x, y in ((row, column), (column, row)) for a in (x, n - 1 - x) for b in (y, n - 1 - y)}
    return {a * n + b for a, b in places}


def _highest(n: int, task: Task) -> Answer:
    kept = task.notes.get("long game", {"rounds": 0, "nodes": 0, "game": []})
    improving = task.improving()
    while len(kept["game"]) < n * n and not (kept["game"] and improving.is_over):
        game, nodes = full_grid.long_game(n, kept["rounds"], task.seed)
        kept = {"rounds": kept["rounds"] + 1, "nodes": kept["nodes"] + nodes, "game": max(kept["game"], game, key=len)}
        task.report(len(kept["game"]), n * n, "squares filled")
        task.note("long game", kept)
    length, game = len(kept["game"]), kept["game"]
    return Answer(length, n * n, game, game[:1], kept["nodes"], FULL_GRID, value=length, is_at_bound=True)


def _lowest(n: int, task: Task) -> Answer:
    module: Any = compiled(sys.modules[__name__])
    room = np.zeros((6 + n * n + 1, max(n * n, 16)), np.int64)
    counts, stop = np.zeros((2, 1), np.int64)
    nodes = 0
    parts = starts(n)
    for length in range(1, n * n + 1):
        for number, first in enumerate(parts):
            task.report(number, len(parts), f"squares to begin games of {length} from")
            name = f"games of {length} from {first}"
            if name not in task.notes:
                counts[0] = 0
                found = int(task.run(stop, functools.partial(module.short_game, n, first, length, room, counts, stop)))
                if found < 0:
                    return Answer(length, n * n, [], [], nodes, SHORTEST_FIRST)
                task.note(name, [room[1, :found].tolist(), int(counts[0])])
            game, more = task.notes[name]
            nodes += more
            if game:
                return Answer(length, length, game, game[:1], nodes, SHORTEST_FIRST, value=length)
    raise AssertionError("every game ends when the grid is full")


def num_games(n: int) -> dict[int, int]:
    """How many games there are of each score, tried one by one."""
    module: Any = compiled(sys.modules[__name__])
    room = np.zeros((4 + n * n, max(n * n, 16)), np.int64)
    total = np.zeros(n * n + 1, np.int64)
    for first in starts(n):
        found = np.zeros(n * n + 1, np.int64)
        module.all_games(n, first, room, found)
        total += len(alike(n, first)) * found
    return {score: int(count) for score, count in enumerate(total) if count}
