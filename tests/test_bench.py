"""The bench compares like with like: both sides of every row play the same games. Its numbers are not tested."""

import importlib
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import SMALL
from quet.games.palindromes import exact

pytestmark = pytest.mark.long

BENCH = Path(__file__).parents[1] / "bench"
CPP = BENCH / "reference"
GAMES = [id for id in SMALL if id != "sums-grid" and (CPP / f"{id.replace('-', '_')}.hpp").exists()]  # move by move


@pytest.fixture
def reference(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The bench's module of that name; the test is skipped where no C++ compiler is installed."""
    monkeypatch.syspath_prepend(str(BENCH))
    module: Any = importlib.import_module("reference")
    if module.compiler() is None:
        pytest.skip("no C++ compiler is installed")
    return module


@pytest.mark.parametrize("id", GAMES)
def test_playouts_in_cpp_are_the_same_games(reference: Any, id: str) -> None:
    ours, theirs = reference.sides(id, reference.SIZES[id])
    assert ours.playouts(50) == theirs.playouts(50) > 0
    assert ours.totals.tolist() == theirs.totals.tolist()
    assert ours.work == theirs.work  # the last position, every field of it
    assert ours.rng == theirs.rng


@pytest.mark.parametrize("rave", [0.0, 300.0])
@pytest.mark.parametrize("id", GAMES)
def test_trees_in_cpp_are_the_same_trees(reference: Any, id: str, rave: float) -> None:
    ours, theirs = reference.sides(id, reference.SIZES[id])
    for side in (ours, theirs):
        side.simulations(300, 0.5, rave)
    assert ours.used == theirs.used > 100
    for mine, other in zip(ours.tree, theirs.tree, strict=True):
        assert np.array_equal(mine[: ours.used], other[: ours.used])
    assert ours.rng == theirs.rng


def test_trees_in_cpp_with_solved_nodes_are_the_same_trees(reference: Any) -> None:
    ours, theirs = reference.sides("plusses-minuses", {"n": 4})
    for side in (ours, theirs):
        side.simulations(3000, 0.5, 0.0)
    assert ours.tree[0]["is_solved"][: ours.used].sum() > 100
    assert ours.used == theirs.used
    for mine, other in zip(ours.tree, theirs.tree, strict=True):
        assert np.array_equal(mine[: ours.used], other[: ours.used])


def test_many_players_and_other_sizes_are_the_same_in_cpp(reference: Any) -> None:
    for id, parameters in (
        ("convoluted-coprimality", {"n": 7, "players": 3, "grids": 4}),
        ("divisors-multiples", {"r": 12, "players": 4}),
        ("plusses-minuses", {"n": 5, "second_part_first": 2}),
        ("sequence-ascension", {"n": 4, "sequence": "mod3"}),
    ):
        ours, theirs = reference.sides(id, parameters)
        assert ours.playouts(50) == theirs.playouts(50)
        for side in (ours, theirs):
            side.simulations(100, 0.6, 50.0)
        assert ours.totals.tolist() == theirs.totals.tolist()
        assert np.array_equal(ours.tree[0][: ours.used], theirs.tree[0][: ours.used])


def test_alpha_beta_in_cpp_visits_the_same_nodes(reference: Any) -> None:
    ours, theirs = reference.sides("palindromes", {"m": 8})
    value, num_nodes = ours.solve(exact, 8)
    assert (value, num_nodes) == theirs.solve(exact, 8)
    assert num_nodes > 100


def test_local_search_in_cpp_finds_the_same_grid(reference: Any) -> None:
    ours, theirs = reference.sides("sums-grid", {"n": 3})
    assert ours.climb(500) == theirs.climb(500)
    assert np.array_equal(ours.work, theirs.work)


@pytest.mark.parametrize("name", ["connect_four", "breakthrough"])
def test_the_games_of_the_bench_are_openspiels(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    monkeypatch.syspath_prepend(str(BENCH))
    rules: Any = importlib.import_module(f"games.{name}.rules")
    peers: Any = importlib.import_module("peers")
    for seed in range(20):
        generator = random.Random(seed)
        theirs = pyspiel.load_game(name).new_initial_state()
        s = peers.begin(rules)
        out = [0] * rules.most_moves(s)
        while not theirs.is_terminal():
            assert not rules.is_over(s)
            moves = sorted(out[: rules.legal_moves(s, out)])
            assert moves == theirs.legal_actions()
            if name == "connect_four":  # what batches of it see
                seen = np.zeros((2, 42), np.float32)
                peers.observe.observe(s, None, seen)
                mover = theirs.current_player()
                pieces = np.reshape(theirs.observation_tensor(mover), (3, 42))
                assert np.array_equal(seen, pieces[[mover, 1 - mover]])
            move = generator.choice(moves)
            theirs.apply_action(move)
            rules.play(s, move)
        assert rules.is_over(s)
        assert rules.score(s, 1) - rules.score(s, 2) == theirs.player_return(0)


def test_the_bench_runs_and_its_table_has_every_row() -> None:
    done = subprocess.run([sys.executable, BENCH / "run.py", "--quick"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    table = [line.split("|")[1:-1] for line in done.stdout.splitlines() if line.startswith("|")]
    assert {len(cells) for cells in table} == {7}
    groups = {cells[0].strip() for cells in table}
    assert {"C++", "OpenSpiel playouts", "OpenSpiel MCTS", "PettingZoo playouts", "Pgx playouts"} <= groups
    assert {"new process", "retrograde", "oracle", "Pgx steps", "batch"} <= groups
    assert "bars are met" in done.stdout
    assert re.match(r"Measured on \d{4}-\d\d-\d\d at commit [0-9a-f]+(-dirty)?, with Python ", done.stdout)


def test_the_cost_of_every_game_is_measured_at_every_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    sizes: Any = importlib.import_module("sizes")
    measure: Any = importlib.import_module("measure")
    costs = sizes.costs(measure.Pace(rounds=1, turn=0.002))
    assert {game_id: tuple(size for size, *_ in points) for game_id, points in costs.items()} == {
        game_id: asked for game_id, (_, asked) in sizes.SIZES.items()
    }


def test_the_tables_are_written_into_their_place_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    run: Any = importlib.import_module("run")
    page = (BENCH.parent / "docs" / "bench.md").read_text("utf-8")
    before, _, rest = page.partition(run.MARKS[0])
    written, _, after = rest.partition(run.MARKS[1])
    assert before and after, "docs/bench.md has both marks"
    assert run.written(page, written.strip("\n").split("\n")) == page
    assert written.strip().startswith("Measured on "), "the page says from when its tables are"
    assert run.written(page, ["| new |"]) == f"{before}{run.MARKS[0]}\n\n| new |\n\n{run.MARKS[1]}{after}"
