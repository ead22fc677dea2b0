"""The highest score: the best placing that annealing finds, and a SAT solver asked of each higher score.

On a small grid the solver alone is asked; it takes less than a second. Each score is a part of the work. The highest
score, which is the easiest to refute, comes first, so the bound falls as the work goes on. On a large grid a score is
divided into parts by the first term that isn't on the path.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from quet.core.rules import legal_moves
from quet.core.state import copy
from quet.distribution.parts import done
from quet.distribution.task import Answer, Task, run
from quet.engine.compiled import compiled
from quet.engine.tree import mixed
from quet.games.sequence_ascension import sat

from . import placing, rules
from .formula import formula, without_images
from .longest_path import longest_path
from .rules import State

SMALL = 4  # n up to which nothing but the solver is asked
UNDIVIDED = 5  # n up to which a score is one part: there the parts together take longer
LARGEST = 8  # n up to which it is asked; formulas grow with the fourth power of n
MOST_CONFLICTS = 2_000_000  # after more of them the proof is longer than the checker reads
SECONDS = 600.0  # in all, unless a time is given
SHARE = 3  # at most one part in so many of the time goes to annealing
AT_ONCE = 4  # annealings with the same number of steps; then twice as many steps, and so on
STEPS = 20_000
IDLE = 2  # annealing ends after so many rounds of AT_ONCE without a better game
HOT, COLD = 1.0, 0.2  # temperatures, the best of a few pairs tried on 5x5 and 6x6


def solve(state: State, task: Task) -> Answer:
    """The highest score, or the best game found and a bound."""
    task = task.within(SECONDS)
    size = state.n**2
    game: list[int] = []
    work = last = 0
    if state.n > SMALL:
        game, work = _annealed(state, task)
    low, high = max(1, _score(state, game)), size
    if state.n <= LARGEST:
        parts = {
            f"score {score}" + ("" if term is None else f", first without term {term + 1}"): (state, score, term)
            for score in range(size, low, -1)
            for term in _cases(state.n, score)
        }
        wanted, conflicts = set(parts), Counter[int]()
        num_open = Counter(score for _, score, _ in parts.values())  # parts of each score that aren't refuted
        words = f"scores above {low}" if game else "scores"
        for name, (found, more) in done(task, reach, parts, words, wanted):
            work += more
            score = parts[name][1]
            conflicts[score] += more
            if found:
                if _score(state, found) > low or not game:
                    game, low = found, _score(state, found)
            else:
                num_open[score] -= 1
                if not num_open[score] and score <= high:
                    high, last = score - 1, conflicts[score]
            wanted.difference_update(name for name, (_, score, _) in parts.items() if not low < score <= high)
    if not game:  # there was no time at all
        game = _whole(state, _snake(state.n))
        low = _score(state, game)
    return Answer(
        low=low,
        high=high,
        witness=game,
        best_moves=game[:1],
        nodes=work,
        counted="steps",  # of annealing, and conflicts of the SAT solver
        method=_method(state.n, low, high),
        value=low,
        is_at_bound=high == size,
        refute=(lambda: refutation(state, high)) if last <= MOST_CONFLICTS else None,
    )


def _method(n: int, low: int, high: int) -> str:
    """How the answer is known and who looked for a game, in words."""
    if low == high < n * n:
        return "a SAT solver refutes every higher score"
    through_all = "a path through all squares, found by " if low == n * n else ""
    return through_all + " and ".join(["annealing"] * (n > SMALL) + ["a SAT solver"] * (n <= LARGEST))


def refutation(state: State, highest: int) -> dict[str, object]:
    """The proof that no game scores more, as a certificate has it."""
    clauses = formula(state.n, state.ranks, highest + 1).clauses
    return {"kind": "unsat", "proof": sat.proof(clauses)}


def anneal(state: State, seed: int, num_steps: int, seconds: float | None) -> tuple[list[int], int]:
    """The game that one annealing finds, and the steps made, which the time may cut short. A part of the work."""
    n = state.n
    best = np.array(_snake(n))
    rng = np.array([mixed(seed)], np.uint64)
    ranks = np.array(state.ranks[: n * n])
    stop = np.zeros(2, np.int64)
    module = compiled(placing)
    rooms = placing.rooms(n, ranks, best)
    run(stop, lambda: module.improve(*rooms, ranks, rng, num_steps, HOT, COLD, best, stop, 0, placing.WORK), seconds)
    return _whole(state, best.tolist()), int(stop[1])


def reach(state: State, score: int, term: int | None, seconds: float | None) -> tuple[list[int], int] | None:
    """A game with at least this score, or nothing where there is none, and the solver's conflicts. A part of the work.

    With a term, only a game in which this is the first one that is left out: not among the first squares of the path,
    `score` of them. None when the time was over.
    """
    wanted = formula(state.n, state.ranks, score)
    clauses = [*wanted.clauses, *without_images(state.n, wanted)]
    if term is not None:
        clauses += [[-variable] for variable in wanted.skipped[:term]] + [[wanted.skipped[term]]]
    true, conflicts, is_sure = sat.solution(clauses, seconds)
    if not is_sure:
        return None
    if true is None:
        return [], conflicts
    placed, path = (_squares(table, true) for table in (wanted.terms, wanted.steps))
    return _whole(state, placed, path), conflicts


def _cases(n: int, score: int) -> Sequence[int | None]:
    """The terms of which each as the first one left out is a part, or [None] where the score is one part."""
    return first_terms_left_out(n * n, score) if n > UNDIVIDED and score < n * n - 1 else [None]


def first_terms_left_out(size: int, score: int) -> Sequence[int]:
    """The terms that can be the first one left out of a path of so many squares, if there are `size` terms; 0 is the
    first term.
    """
    return range(score + 1 if score < size else 0)


def _annealed(state: State, task: Task) -> tuple[list[int], int]:
    """The best game of rounds of annealings, and the steps of all."""
    best: list[int] = []
    steps = idle = number = 0
    assert task.seconds is not None
    share = replace(task, seconds=task.seconds / SHARE)
    while idle < IDLE and _score(state, best) < state.n**2 and not (best and share.is_over):
        seeds = range(1000 * task.seed + number, 1000 * task.seed + number + AT_ONCE)
        parts = {f"annealing {seed}": (state, seed, STEPS << number // AT_ONCE) for seed in seeds}
        idle += 1
        for _, (game, more) in done(share, anneal, parts, f"annealings, best {_score(state, best)}"):
            steps += more
            if _score(state, game) > _score(state, best):
                best, idle = game, 0
        number += AT_ONCE
    return best, steps


def _whole(state: State, placed: Sequence[int], path: Sequence[int] = ()) -> list[int]:
    """The moves of a game with this placing and path, or a longest path; both are continued as far as possible."""
    s = copy(state)
    moves = []
    for square in placed:
        moves.append(square)
        rules.play(s, square)
    while s.is_placing:
        moves.append(legal_moves(rules, s)[0])
        rules.play(s, moves[-1])
    if not path:
        squares = range(s.n**2)
        path = longest_path(
            s.n, tuple(s.ranks[s.index[square] - 1] if s.index[square] else None for square in squares)
        )[0]
    for square in path:
        moves.append(square)
        rules.play(s, square)
    while not rules.is_over(s):
        moves.append(legal_moves(rules, s)[0])
        rules.play(s, moves[-1])
    return moves


def _score(state: State, game: Sequence[int]) -> int:
    """The score of a whole game; 0 where there is none."""
    s = copy(state)
    for move in game:
        rules.play(s, move)
    return rules.score(s, 1)


def _squares(table: Sequence[Sequence[int]], true: set[int]) -> list[int]:
    """For each row of variables the square whose variable is true, up to the first row that has none."""
    found = [[square for square, variable in enumerate(row) if variable in true] for row in table]
    return [squares[0] for squares in found if squares]


def _snake(n: int) -> list[int]:
    """A placing row by row, there and back."""
    return [row * n + (column if row % 2 == 0 else n - 1 - column) for row in range(n) for column in range(n)]
