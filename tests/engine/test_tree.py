"""The tree search: exact where it says so, the same for the same seed, stopped at will."""

import threading
from typing import Any

import numpy as np
import pytest

import quet
from growing import tree_of
from quet.core.errors import TooLarge
from quet.core.state import copy
from quet.engine import mcts
from quet.engine.findings import Findings

SMALL: list[tuple[str, dict[str, int]]] = [
    ("blob", {"n": 3}),
    ("convoluted-coprimality", {"n": 3, "grids": 2}),
    ("convoluted-coprimality", {"n": 3, "players": 3, "grids": 2}),
    ("divisors-multiples", {"r": 2}),
    ("palindromes", {"m": 5}),
    ("plusses-minuses", {"n": 3}),
    ("plusses-minuses", {"n": 3, "second_part_first": 2}),
    ("sequence-ascension", {"n": 2}),
    ("up-and-up", {"n": 3}),
]


def rewards(game: quet.Game) -> list[float]:
    """Each player's reward of a finished game, worked out from the scores a second time."""
    scores = [-score for score in game.scores] if game.rules.LOWER_IS_BETTER else game.scores
    if len(scores) == 1:
        return [float(scores[0])]
    found = []
    for player, score in enumerate(scores):
        others = [other for i, other in enumerate(scores) if i != player]
        sharing = scores.count(max(scores))
        share = 1 / sharing if score == max(scores) else 0
        margin = score - max(others)
        found.append(0.9 * share + 0.05 + 0.05 * margin / (1 + abs(margin)))
    return found


def best_rewards(game: quet.Game) -> list[float]:
    """The rewards when each player maximises their own, by trying every game to its end."""

    def search(s: Any) -> list[float]:
        game.state = s
        if game.is_over:
            return rewards(game)
        mover = game.rules.mover(s)
        found = []
        for move in game.legal_numbers():
            after = copy(s)
            game.rules.play(after, move)
            found.append(search(after))
            game.state = s
        return max(found, key=lambda row: row[mover - 1])

    start = game.state
    value = search(copy(start))
    game.state = start
    return value


def searched(game: quet.Game, **limits: Any) -> Findings:
    return tree_of(game, seed=1).run(**limits)


@pytest.mark.parametrize(("id", "parameters"), SMALL, ids=str)
def test_a_small_game_is_solved_with_the_value_of_trying_everything(id: str, parameters: dict[str, int]) -> None:
    game = quet.new(id, **parameters)
    found = searched(game, simulations=60_000)
    expected = best_rewards(game)[(game.mover or 1) - 1]
    assert found.is_solved
    if expected >= mcts.WON and game.num_players > 1:
        assert found.value >= mcts.WON  # a win is a win: its margin need not be the largest
    else:
        assert found.value == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("id", "parameters"), SMALL, ids=str)
def test_threads_that_grow_one_tree_solve_what_one_thread_solves(id: str, parameters: dict[str, int]) -> None:
    """In so little memory that they have to forget often."""
    game = quet.new(id, **parameters)
    expected = searched(game, simulations=60_000)
    for seed in range(5):
        found = tree_of(game, seed=seed, num_threads=8, memory=2**17).run(simulations=200_000)
        assert found.is_solved
        assert found.value == pytest.approx(
            expected.value, abs=0.05
        )  # a win is a win: its margin need not be the largest


def test_threads_that_grow_one_tree_count_their_visits_together() -> None:
    game = quet.new("blob", n=6)
    search = tree_of(game, seed=1, num_threads=4)
    found = search.run(simulations=40_000)
    assert found.num_simulations == 40_000
    # Some are lost where two count at once, most where the system stops a thread between reading and writing. A thread
    # that counted for itself would come to a quarter.
    assert 30_000 < sum(c.visits for c in found.candidates) <= 40_400
    assert all(0 <= c.value <= 1 for c in found.candidates)
    assert len({worker.begun for worker in search._workers}) == 4
    assert all(worker.begun < worker.used <= worker.limit for worker in search._workers)
    search.advance(found.move)
    assert search._tree.root()[0]["visits"] == found.candidates[0].visits
    assert found.num_nodes > search._tree.used > 1


def test_a_simulation_under_way_counts_as_a_visit_of_reward_0_for_other_threads() -> None:
    node = np.zeros(1, mcts.NODE).view(np.recarray)[0]
    node.visits, node.value = 3, 0.5
    mcts.visit(node, True)
    mcts.visit(node, True)
    assert int(node.visits) == 5
    assert float(node.value) == pytest.approx(0.3)
    mcts.visit(node, False)
    assert int(node.visits) == 6
    assert float(node.value) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("num_players", "reward", "is_solved"),
    [
        (2, 0.975, True),  # a win by one
        (3, mcts.WON, True),
        (2, float(np.nextafter(np.float32(mcts.WON), np.float32(0))), False),
        (2, 0.5, False),  # a win that is shared: the other move may be better
        (2, 0.025, False),
        (1, 17.0, False),  # a score: the other move may bring more
    ],
)
def test_one_winning_move_solves_a_position_and_less_does_not(num_players: int, reward: float, is_solved: bool) -> None:
    """The root has two moves of player 1. The first is solved; the second has not been looked into."""
    nodes = np.zeros(3, mcts.NODE).view(np.recarray)
    nodes[0].first, nodes[0].count = 1, 2
    nodes.mover[1:] = 1
    nodes[1].is_solved = 1
    exact = np.zeros((3, num_players), np.float32)
    exact[1] = 0.0125
    exact[1, 0] = reward
    mcts.solve_upwards(nodes, exact, np.array([0, 1]), 1, num_players)
    assert bool(nodes[0].is_solved) == is_solved
    assert not is_solved or list(exact[0]) == list(exact[1])
    nodes[2].is_solved = 1
    mcts.solve_upwards(nodes, exact, np.array([0, 2]), 1, num_players)
    assert nodes[0].is_solved
    assert exact[0, 0] == max(exact[1, 0], exact[2, 0])


def test_the_same_seed_finds_the_same_on_one_thread() -> None:
    game = quet.new("blob", n=6)

    def once(seed: int) -> list[tuple[int, int]]:
        search = tree_of(game, seed=seed)
        return [(c.move, c.visits) for c in search.run(simulations=500).candidates]

    assert once(3) == once(3)
    assert once(3) != once(4)


def test_the_simulations_asked_for_are_made() -> None:
    game = quet.new("blob", n=6)
    assert searched(game, simulations=100).num_simulations == 100
    assert sum(c.visits for c in searched(game, simulations=100).candidates) == 100


def test_a_winning_move_at_hand_is_found_and_known_to_win() -> None:
    game = quet.new("palindromes", m=6)
    for move in ("1=0", "2=0", "3=0", "4=0", "5=0"):
        game.play(move)
    found = searched(game, simulations=100)
    assert found.is_solved
    game.play(game.rules.move_text(game.state, found.move))
    assert game.moves[-1] == "6=1"


def test_the_tree_is_kept_between_moves() -> None:
    game = quet.new("blob", n=5)
    search = tree_of(game, seed=1)
    found = search.run(simulations=4_000)
    search.advance(found.move)
    again = search.run(simulations=1)
    assert sum(c.visits for c in again.candidates) >= 500
    game.play(game.rules.move_text(game.state, found.move))
    assert {c.move for c in again.candidates} == set(game.legal_numbers())


def test_a_tree_grows_again_after_a_move_that_it_has_not_seen() -> None:
    game = quet.new("blob", n=5)
    search = tree_of(game, seed=1)
    search.advance(7)
    assert {c.move for c in search.run(simulations=50).candidates} == {2, 6, 8, 12}


def test_a_solitaire_is_searched_for_its_best_score_and_the_line_reaches_it() -> None:
    game = quet.new("up-and-up", n=4)
    found = searched(game, simulations=20_000)
    for move in found.line:
        game.play(game.rules.move_text(game.state, move))
    assert game.is_over
    assert game.scores == [found.candidates[0].best]
    assert game.scores[0] >= 15


def test_a_search_ends_when_its_time_is_over_or_it_is_told_to() -> None:
    game = quet.new("blob", n=8)
    searched(game, simulations=1)  # compile
    assert searched(game, seconds=0.2).num_simulations > 100
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    assert searched(game, seconds=1e6, stop=stop).num_simulations > 100


def test_a_stopped_search_still_has_a_legal_move() -> None:
    game = quet.new("up-and-up", n=3)
    stop = threading.Event()
    stop.set()
    found = searched(game, seconds=1e6, stop=stop)
    assert found.move in game.legal_numbers()


def test_progress_is_reported() -> None:
    game = quet.new("blob", n=8)
    searched(game, simulations=1)
    reports: list[Findings] = []
    final = searched(game, seconds=1.5, report=reports.append)
    assert reports
    assert [r.num_simulations for r in reports] == sorted(r.num_simulations for r in reports)
    assert final.num_simulations >= reports[-1].num_simulations
    assert all(r.line[0] == r.move for r in reports)


def test_a_search_that_does_not_fit_its_memory_says_how_much_it_needs() -> None:
    game = quet.new("sums-grid", n=10)
    with pytest.raises(TooLarge, match=r"The search needs \d+ MB of memory and may use 1 MB"):
        tree_of(game, memory=2**20)


def test_every_game_is_searched_at_its_default_size(game_id: str) -> None:
    game = quet.new(game_id)
    if game.entry.local_search is not None:
        return
    found = tree_of(game, seed=1, rave=300.0).run(simulations=200)
    assert {c.move for c in found.candidates} == set(game.legal_numbers())
    assert found.num_simulations == 200 or found.is_solved


def test_a_tree_whose_visits_would_not_fit_is_searched_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.engine.tree.MOST_VISITS", 3_000)
    search = tree_of(quet.new("palindromes", m=16), seed=1)
    assert 3_000 < search.run(simulations=10**15).num_simulations <= 6_000
    assert search.run(seconds=60.0).num_simulations < 3_000
