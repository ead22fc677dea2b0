"""The best game that can be found where nothing can be proved: by tree search, or by annealing of whole boards.

Rounds are parts of the work, each with a seed of its own. A few are done at once, and the next ones take twice the
work. The best game of all rounds is kept. A round counts even if the end of the time cuts it short.
"""

import importlib
import random
from typing import TypedDict

from ..capabilities import Bounds, LocalSearch
from ..core.clock import clock
from ..core.rules import AnySearchRules, AnyState, difference, legal_moves, module_name, rules_named
from ..core.state import copy
from ..distribution.parts import done
from ..distribution.task import Answer, Task

LEAST_MEMORY = 16 * 2**20  # bytes of a tree search, however little there is for what is solved exactly
AT_ONCE = 4  # rounds with the same amount of work
SIMULATIONS = 50  # for a move, in the first rounds
STEPS = 300_000  # of annealing, in the first rounds
MOST_DOUBLED = 6  # times that the work of an annealing is doubled
FINISHING = 0.5  # more seconds to finish a game when the time is over, and as long again by chance


class Kept(TypedDict):
    """The best game of all rounds, as a checkpoint has it."""

    rounds: int
    nodes: int
    moves: list[int]
    score: int | None


def solve(
    rules: AnySearchRules,
    bounds: Bounds[AnyState] | None,
    local_search: LocalSearch[AnyState] | None,
    state: AnyState,
    task: Task,
) -> Answer:
    """For a solitaire the best game met, and a bound on the value; for two players the last game, on which most
    work was spent.
    """
    task = task.improving()
    bound = None
    if bounds is not None and rules.num_players(state) == 1:
        bound = bounds.bounds(state)[0 if task.is_lowest else 1]
    name = None if local_search is None else module_name(local_search)
    memory = max(LEAST_MEMORY, task.memory // task.workers.count)
    kept: Kept = task.notes.get("best game", {"rounds": 0, "nodes": 0, "moves": [], "score": None})
    while (bound is None or kept["score"] != bound) and not (kept["rounds"] and task.is_over):
        first = kept["rounds"]
        parts = {
            f"round {number}": (module_name(rules), name, state, 1000 * task.seed + number, first // AT_ONCE, memory)
            for number in range(first, first + AT_ONCE)
        }
        found = f", best {kept['score']}" if bound is not None and kept["moves"] else ""
        for _ in done(task, play_round, parts, f"rounds from round {first + 1}{found}"):
            pass
        if not kept["moves"] and not any(part in task.notes for part in parts):  # there was no time at all
            part = next(iter(parts))
            task.note(part, play_round(*parts[part], 0.0))
        rounds = [task.notes.pop(part) for part in parts if part in task.notes]
        kept = _best(kept, rounds, is_last=bound is None, is_lowest=task.is_lowest)
        task.note("best game", kept)
    return _answer(rules, bounds, local_search, state, kept, is_lowest=task.is_lowest)


def _best(
    kept: Kept, rounds: list[tuple[list[int], int, int | None]], *, is_last: bool, is_lowest: bool = False
) -> Kept:
    """What is kept after these rounds: the earliest game with the best score or, with `is_last`, the last game."""
    sign = -1 if is_lowest else 1
    for moves, nodes, score in rounds:
        kept = kept | {"rounds": kept["rounds"] + 1, "nodes": kept["nodes"] + nodes}
        if score is not None and (is_last or kept["score"] is None or sign * score > sign * kept["score"]):
            kept |= {"moves": moves, "score": score}
    return kept


def _answer(
    rules: AnySearchRules,
    bounds: Bounds[AnyState] | None,
    local_search: LocalSearch[AnyState] | None,
    state: AnyState,
    kept: Kept,
    *,
    is_lowest: bool,
) -> Answer:
    low: int | None
    high: int | None
    low, high = (None, None) if bounds is None else bounds.bounds(state)
    is_solitaire = rules.num_players(state) == 1
    if is_solitaire and kept["score"] is not None:
        low, high = (low, kept["score"]) if is_lowest else (kept["score"], high)
    return Answer(
        low=low,
        high=high,
        witness=kept["moves"],
        best_moves=kept["moves"][:1],
        nodes=kept["nodes"],
        method="simulated annealing" if local_search is not None else "tree search, game after game",
        value=kept["score"] if is_solitaire else None,
        is_at_bound=is_solitaire and bounds is not None,
    )


def play_round(
    rules: str, local_search: str | None, state: AnyState, seed: int, doubled: int, memory: int, seconds: float | None
) -> tuple[list[int], int, int | None]:
    """The moves of a game, the positions that it took to find it, and its score, which is None if the game isn't over.

    It is a part of the work. `rules` and `local_search` are names of modules; `memory` is in bytes. Raises TooLarge.
    """
    module = rules_named(rules)
    if local_search is None:
        moves, nodes = _game(module, state, seed, doubled, memory, seconds)
    else:
        moves, nodes = _board(module, importlib.import_module(local_search), state, seed, doubled, seconds)
    s = copy(state)
    for move in moves:
        module.play(s, move)
    return moves, nodes, difference(module, s) if module.is_over(s) else None


def _game(
    rules: AnySearchRules, state: AnyState, seed: int, doubled: int, memory: int, seconds: float | None
) -> tuple[list[int], int]:
    """A game that the tree search plays against itself, and the simulations it took.

    When the time is over, FINISHING more seconds are for its last moves, and then chance finds them. It isn't over if
    chance takes as long again.
    """
    from ..engine.tree import MEMORY, TreeSearch

    left = Task(seconds=seconds)
    s = copy(state)
    moves: list[int] = []
    is_plain = seconds == 0  # compiling would take the time that is over
    search = TreeSearch(rules, s, seed=seed, is_plain=is_plain, memory=min(MEMORY, memory))
    nodes = 0
    ends = left.until + FINISHING
    while not rules.is_over(s) and clock() < ends:
        found = search.run(simulations=SIMULATIONS << min(doubled, 20), seconds=left.left)
        nodes += found.num_simulations
        moves.append(int(found.move))
        rules.play(s, moves[-1])
        search.advance(moves[-1])
    chance, ends = random.Random(seed), clock() + FINISHING  # from now on: the search may have been late
    while not rules.is_over(s) and clock() < ends:
        moves.append(chance.choice(legal_moves(rules, s)))
        rules.play(s, moves[-1])
    return moves, nodes


def _board(
    rules: AnySearchRules,
    local_search: LocalSearch[AnyState],
    state: AnyState,
    seed: int,
    doubled: int,
    seconds: float | None,
) -> tuple[list[int], int]:
    """The moves that write down the best board of one annealing, and its steps."""
    from ..engine.annealing import Annealing

    steps = STEPS << min(doubled, MOST_DOUBLED)
    found = Annealing(local_search, rules, state, seed=seed, is_plain=seconds == 0).run(
        simulations=steps, seconds=seconds
    )
    return [int(move) for move in found.line], found.num_simulations
