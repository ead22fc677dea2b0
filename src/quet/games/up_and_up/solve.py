"""The highest and the lowest score, and how many games there are.

Functions are compiled by `quet.engine.compiled`. Where they take less time than loading the compiler, they run as they
stand.

Highest: no score exceeds n*n, and `full_grid.py` looks for a game that fills the grid.

Lowest: games are tried by their length, the shortest first. A game ends only where every square beside the last one is
filled, which gives a least number of moves that are still to come. On grids that are too large for this, `shortest.py`
tries games from their last square back.

Counts: every game is played, from one square of each set that the symmetries of the grid join.
"""

import functools
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import cast

from quet.core.clock import clock
from quet.core.errors import BrokenRules
from quet.core.grid import images
from quet.core.state import Row
from quet.distribution.parts import done
from quet.distribution.task import Answer, Task, run
from quet.engine.compiled import compiled

from .board import choices, near
from .rules import State

ALLOCATES = False

FULL_GRID = "a beam search for a full grid"
SHORTEST_FIRST = "all games tried by their length, the shortest first"
FROM_THE_END = "all games tried by their length, the shortest first, from the last square back"
ROUNDS = 8  # of the search for a full grid that are parts of the work together
LARGEST_FORWARD = 20  # n up to which the shortest game is looked for from the first square on
LARGEST_PLAIN = 9  # n up to which functions look for the shortest game as they stand
LARGEST_COUNTED_PLAIN = 4  # n up to which they count all games as they stand
LARGEST_COUNTED = 6  # n up to which all games are counted, in a second or so


def short_game(n: int, first: int, longest: int, room: Sequence[Row], counts: Row, stop: Row) -> int:
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
        after = room[6 + last][left[last]]
        fill(n, after, filled, needs, having, out)
        game[length] = after
        steps[length] = abs(after // n - square // n) + abs(after % n - square % n) + 1
        left[length] = -1
        length += 1
    return 0


def fill(n: int, square: int, filled: Row, needs: Row, having: Row, out: Row) -> None:
    """Fill a square: a game can't end there any more, and needs one square fewer to end beside it."""
    filled[square] = 1
    having[needs[square]] -= 1
    for i in range(near(n, square, 1, out)):
        beside = out[i]
        if not filled[beside]:
            having[needs[beside]] -= 1
            having[needs[beside] - 1] += 1
        needs[beside] -= 1


def empty(n: int, square: int, filled: Row, needs: Row, having: Row, out: Row) -> None:
    """Undo `fill`."""
    for i in range(near(n, square, 1, out)):
        beside = out[i]
        needs[beside] += 1
        if not filled[beside]:
            having[needs[beside] - 1] -= 1
            having[needs[beside]] += 1
    filled[square] = 0
    having[needs[square]] += 1


def all_games(n: int, first: int, room: Sequence[Row], found: Row) -> int:
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
        after = room[4 + last][left[last]]
        filled[after] = 1
        game[length] = after
        steps[length] = abs(after // n - square // n) + abs(after % n - square % n) + 1
        left[length] = -1
        length += 1
        nodes += 1
    return nodes


def solve(state: State, task: Task) -> Answer | None:
    """The highest score, or the lowest, with the numbers of games where n is small; None where there was no time."""
    n = state.n
    found = _lowest(n, task) if task.is_lowest else _highest(n, task)
    if found is None or not found.is_proven or n > LARGEST_COUNTED:
        return found
    return _confirmed(found, n, task)


def _confirmed(found: Answer, n: int, task: Task) -> Answer:
    """The answer with the numbers of games of each score; the answer must be the highest or the lowest of these."""
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
    return set(images(square, n))


def _highest(n: int, task: Task) -> Answer | None:
    """The game of the first round that fills the grid, else the longest of all rounds; None where there is none yet."""
    improving = task.improving()
    best: list[int] = []
    num_rounds = 0
    is_whole = True
    while len(best) < n * n and is_whole:
        parts = {f"round {number}": (n, number, task.seed) for number in range(num_rounds, num_rounds + ROUNDS)}
        games = _until_first(improving, long_game, parts, "rounds", lambda game: len(game) == n * n)
        best = max([best, *games], key=len)
        is_whole = len(games) == ROUNDS
        num_rounds += ROUNDS
    if not best:  # there was no time at all
        return None
    total = sum(note[1] for name, note in task.notes.items() if name.startswith("round "))
    return Answer(len(best), n * n, best, best[:1], total, FULL_GRID, value=len(best), is_at_bound=True)


def _until_first(
    task: Task,
    function: Callable[..., tuple[list[int], int] | None],
    parts: Mapping[str, tuple[int, ...]],
    words: str,
    is_it: Callable[[list[int]], bool],
) -> list[list[int]]:
    """The games of the parts, in the order of the parts, up to the first game that `is_it`.

    They end before the first part that there was no time for.
    """
    names = list(parts)
    wanted = set(names)
    games = {}
    for name, (game, _) in done(task, function, parts, words, wanted):
        games[name] = game
        if is_it(game):
            wanted &= set(names[: names.index(name)])
    found = []
    for name in names:
        if name not in games:
            break
        found.append(games[name])
        if is_it(games[name]):
            break
    return found


def long_game(n: int, round: int, seed: int, seconds: float | None) -> tuple[list[int], int] | None:
    """A round of the search for a full grid, as a part of the work."""
    from . import full_grid

    until = None if seconds is None else clock() + seconds
    game, nodes = full_grid.long_game(n, round, seed, until)
    return (game, nodes) if game else None


def _lowest(n: int, task: Task) -> Answer:
    squares = starts(n)
    is_forward = n <= LARGEST_FORWARD
    function, method = (shortest_game, SHORTEST_FIRST) if is_forward else (game_from_the_end, FROM_THE_END)
    for length in range(1, n * n + 1):
        if is_forward:
            words = f"squares to begin games of {length} from"
            parts = {f"games of {length} from {first}": (n, first, length) for first in squares}
        else:
            words = f"last steps of games of {length}"
            steps = range(1, min(length, n))
            parts = {f"games of {length} with a last step of {step}": (n, length, step) for step in steps}
        games = _until_first(task, function, parts, words, bool)
        nodes = sum(note[1] for name, note in task.notes.items() if name.startswith("games of "))
        if games and games[-1]:
            return Answer(length, length, games[-1], games[-1][:1], nodes, method, value=length)
        if len(games) < len(parts):
            return Answer(length, n * n, [], [], nodes, method)
    raise AssertionError("every game ends when the grid is full")


def shortest_game(n: int, first: int, longest: int, seconds: float | None) -> tuple[list[int], int] | None:
    """A game from this square with at most `longest` numbers, empty where there is none; and the positions looked at.

    None when the time is over. It is a part of the work.
    """
    is_plain = n <= LARGEST_PLAIN
    module, room = _module(is_plain), _zeros(6 + n * n + 1, max(n * n, 16), is_plain=is_plain)
    counts, stop = _zeros(2, 1, is_plain=is_plain)
    found = int(run(stop, functools.partial(module.short_game, n, first, longest, room, counts, stop), seconds))
    return None if found < 0 else ([int(square) for square in room[1][:found]], int(counts[0]))


def game_from_the_end(n: int, length: int, step: int, seconds: float | None) -> tuple[list[int], int] | None:
    """A game of this length with this last step, empty where there is none; and the positions looked at.

    None when the time is over. It is a part of the work.
    """
    from . import shortest

    size, squares, nodes = shortest.game_of(length, n, n, step, seconds)
    return None if size < 0 else ([row * n + column for column, row in squares], nodes)


def num_games(n: int) -> dict[int, int]:
    """How many games there are of each score, tried one by one."""
    is_plain = n <= LARGEST_COUNTED_PLAIN
    module, room = _module(is_plain), _zeros(4 + n * n, max(n * n, 16), is_plain=is_plain)
    total: Counter[int] = Counter()
    for first in starts(n):
        (found,) = _zeros(1, n * n + 1, is_plain=is_plain)
        module.all_games(n, first, room, found)
        for score, count in enumerate(found):
            total[score] += len(alike(n, first)) * int(count)
    return {score: total[score] for score in sorted(total) if total[score]}


def _module(is_plain: bool) -> ModuleType:
    """These functions, as they stand or compiled."""
    here = sys.modules[__name__]
    return here if is_plain else compiled(here)


def _zeros(height: int, width: int, *, is_plain: bool) -> Sequence[list[int]]:
    """Rows of zeros for these functions: lists, or an array where they are compiled."""
    if is_plain:
        return [[0] * width for _ in range(height)]
    import numpy as np

    return cast(Sequence[list[int]], np.zeros((height, width), np.int64))
