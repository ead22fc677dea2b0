"""The best game that can be found where nothing can be proved: by tree search, or by annealing of whole boards.

Each round takes twice the work of the one before, with another seed, and the best game of all rounds is kept.
"""

from typing import Any

from ..core.state import copy
from .answer import Answer, Task, difference

SIMULATIONS = 50  # for a move, in the first round
STEPS = 300_000  # of annealing, in the first round


def solve(rules: Any, exact: Any, local_search: Any, state: Any, task: Task) -> Answer:
    """The best game met, a bound on the value of a solitaire; of a game for two only the last, the best thought out."""
    task = task.improving()
    is_solitaire = rules.num_players(state) == 1
    kept = task.notes.get("best game", {"rounds": 0, "nodes": 0, "moves": [], "score": None})
    while not kept["moves"] or not task.is_over:
        found = f", best {kept['score']}" if is_solitaire and kept["moves"] else ""
        task.report(0, 0, f"round {kept['rounds'] + 1}{found}")
        seed = 1000 * task.seed + kept["rounds"]
        played = _board if local_search is not None else _game
        moves, nodes = played(rules, local_search, state, task, seed, kept["rounds"])
        score = _score(rules, state, moves)
        kept = kept | {"rounds": kept["rounds"] + 1, "nodes": kept["nodes"] + nodes}
        if score is not None and (not is_solitaire or kept["score"] is None or score > kept["score"]):
            kept |= {"moves": moves, "score": score}
        task.note("best game", kept)
        if is_solitaire and _is_highest(exact, state, kept["score"]):
            break
    return _answer(rules, exact, local_search, state, kept)


def _answer(rules: Any, exact: Any, local_search: Any, state: Any, kept: dict[str, Any]) -> Answer:
    low, high = exact.bounds(state) if hasattr(exact, "bounds") else (None, None)
    is_solitaire = rules.num_players(state) == 1
    if is_solitaire and kept["score"] is not None:
        low = kept["score"]
    return Answer(
        low=low,
        high=high,
        witness=kept["moves"],
        best_moves=kept["moves"][:1],
        nodes=kept["nodes"],
        method="simulated annealing" if local_search is not None else "tree search, game after game",
        value=kept["score"] if is_solitaire else None,
    )


def _is_highest(exact: Any, state: Any, score: int | None) -> bool:
    return score is not None and hasattr(exact, "bounds") and score >= exact.bounds(state)[1]


def _score(rules: Any, state: Any, moves: list[int]) -> int | None:
    """The final score of a game; None where it isn't over."""
    s = copy(state)
    for move in moves:
        rules.play(s, move)
    return difference(rules, s) if rules.is_over(s) else None


def _game(rules: Any, local_search: Any, state: Any, task: Task, seed: int, round: int) -> tuple[list[int], int]:
    """A game that the tree search plays against itself, as far as the time allows, and the simulations it took."""
    from ..engine.tree import TreeSearch

    s = copy(state)
    moves: list[int] = []
    search = TreeSearch(rules, s, seed=seed)
    nodes = 0
    while not rules.is_over(s):
        found = search.run(simulations=SIMULATIONS << min(round, 20), seconds=task.left)
        nodes += found.num_simulations
        moves.append(int(found.move))
        rules.play(s, moves[-1])
        search.advance(moves[-1])
    return moves, nodes


def _board(rules: Any, local_search: Any, state: Any, task: Task, seed: int, round: int) -> tuple[list[int], int]:
    """The moves that write down the best board of one annealing, and its steps."""
    from ..engine.annealing import Annealing

    found = Annealing(local_search, rules, state, seed=seed).run(simulations=STEPS << min(round, 6), seconds=task.left)
    return [int(move) for move in found.line], found.num_simulations
