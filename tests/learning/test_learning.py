"""Weights are fitted the same for the same seed, come back from their files, and are told when they are damaged."""

import importlib.resources
import io
import random
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import quet
from quet.contract import capable
from quet.core.errors import BrokenRules
from quet.core.rules import AnyState
from quet.engine.arrays import Floats, Ints, Records, unpack
from quet.engine.horizon import POINT
from quet.engine.horizon_search import HorizonSearch, Weights
from quet.engine.tree import TreeSearch
from quet.games.blob import patterns
from quet.games.divisors_multiples import patterns as turns
from quet.games.palindromes import patterns as pairs
from quet.games.plusses_minuses import patterns as lists
from quet.knowledge.search import search_for
from quet.learning import __main__ as command
from quet.learning import fitting
from quet.learning import weights as files
from quet.learning.fitting import Design, Fit, Recipe
from quet.players.levels import LEVELS, LevelPlayer

SMALL = Recipe(positions=300, rounds=2)
MOST_MB = 1
CHANGES = patterns.changes


def after_random_moves(game: quet.Game, num: int, seed: int) -> quet.Game:
    """The game after so many moves, drawn otherwise than those from which weights are fitted."""
    numbers = np.random.default_rng(1000 + seed)
    for _ in range(num):
        game.push(int(numbers.choice(game.legal_numbers())))
    return game


@pytest.mark.long
def test_the_same_seed_fits_the_same_weights() -> None:
    start = patterns.of(quet.new("blob", n=5).state)
    first, again, other = (Fit(patterns, start, recipe).run() for recipe in (SMALL, SMALL, replace(SMALL, seed=1)))
    assert np.array_equal(first.rows, again.rows) and np.array_equal(first.errors, again.errors)
    assert not np.array_equal(first.rows, other.rows)


def test_each_round_fits_anew_and_errors_add_up_along_the_way() -> None:
    """With a depth of two, an estimate is as wrong as the fit and the estimate two squares later, together."""
    start, small = patterns.of(quet.new("blob", n=5).state), Recipe(positions=100, depth=2, rounds=1)
    told: dict[int, float] = {}
    fit = Fit(patterns, start, small)
    one = fit.run(lambda number, left, num, error: told.__setitem__(left, error))
    for left, error in told.items():
        assert fit.errors[left] == pytest.approx(np.hypot(error, fit.errors[left - min(2, left)]))
    two = Fit(patterns, start, replace(small, rounds=2)).run()
    assert not np.array_equal(one.rows, two.rows)


def drawn(numbers: np.random.Generator, count: int, num_parts: int) -> Design:
    """What is in 300 positions, by chance."""
    each = numbers.integers(0, count - 1, (300, 6))
    active = np.append(each, np.full((300, 1), count - 1), axis=1)
    return Design(active, numbers.integers(0, 3, (300, num_parts)).astype(np.float64), count)


@pytest.mark.parametrize("num_parts", [0, 5])
def test_a_ridge_solves_the_normal_equations(num_parts: int) -> None:
    numbers, size = np.random.default_rng(2), 12 + num_parts
    design, wanted = drawn(numbers, 12, num_parts), numbers.normal(0, 500, 300)
    slopes, cost, pull = numbers.uniform(0.1, 2, 300), numbers.uniform(5, 50, size), numbers.normal(0, 900, size)
    matrix = np.array([design.totals(one) for one in np.eye(size)]).T * slopes[:, None]
    exact = np.linalg.solve(matrix.T @ matrix + np.diag(cost), matrix.T @ wanted - pull)
    off = fitting._ridge(design, slopes, wanted, cost, pull) - exact
    assert np.linalg.norm(off) < 0.005 * np.linalg.norm(exact)


@pytest.mark.parametrize("bound", [0.0, 8.0])
def test_what_a_fit_changes_is_neither_too_little_nor_too_much(bound: float) -> None:
    """Also where values are pressed below a bound, so that several steps are taken."""
    numbers = np.random.default_rng(3)
    fit = Fit(pairs, pairs.of(quet.new("palindromes", m=4).state), Recipe(ridge=32.0, bound=bound))
    size = len(fit._classes) + 1 + fit._num_parts
    design, before, cost = drawn(numbers, len(fit._classes) + 1, fit._num_parts), np.zeros(size), np.full(size, 32.0)
    wanted = fit._pressed(design.totals(numbers.normal(0, 300, size)) + numbers.normal(0, 100, 300))
    cost[len(fit._classes)] = fitting.FREE
    change = fit._change(design, wanted, before)
    least = fit._lost(design, wanted, before, change, cost)
    assert all(fit._lost(design, wanted, before, part * change, cost) > least for part in (0.9, 0.95, 1.05, 1.1))


def test_what_is_settled_is_left_out_of_what_is_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    start, fitted = lists.of(quet.new("plusses-minuses", n=3).state), list[tuple[AnyState, float]]()
    fit = Fit(lists, start, Recipe(positions=20, rounds=1, exact=9))

    def seen(positions: Records, found: Floats, before: Floats) -> tuple[Floats, float]:
        fitted.extend(zip((unpack(one, type(start)) for one in positions), found.tolist(), strict=True))
        return before, 0.0

    monkeypatch.setattr(fit, "_fit", seen)
    nothing = fit.run()
    for s, found in fitted:
        exact = HorizonSearch(lists, s, nothing)
        assert exact.run(simulations=1 << 40).is_solved and found == exact.value - lists.settled(s) * POINT
    assert any(lists.settled(s) for s, _ in fitted)


@pytest.mark.long
def test_what_is_fitted_knows_more_than_the_scores_as_they_stand() -> None:
    """With two plies left in 5 by 5, the sums of weights are nearer to exact values than today's scores are."""
    start = patterns.of(quet.new("blob", n=5).state)
    weights = Fit(patterns, start, Recipe(positions=2000, depth=2, rounds=1)).run()
    out, off, plain = [0] * patterns.num_patterns(start), [], []
    for seed in range(200):
        s = patterns.of(after_random_moves(quet.new("blob", n=5), 10, seed).state)
        count = patterns.patterns(s, out)
        sum_of_weights = sum(int(weights.rows[2][k]) for k in [*out[:count], -1]) / POINT
        value = HorizonSearch(patterns, s, weights)
        assert value.run(simulations=1 << 40).is_solved
        off.append((sum_of_weights - value.value / POINT) ** 2)
        plain.append((s.good_rows - s.good_columns - value.value / POINT) ** 2)
    assert np.mean(off) < 0.6 * np.mean(plain)


@pytest.mark.long
def test_parts_bring_what_is_fitted_nearer_to_exact_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few positions tell little of most patterns in Palindromes, with and without a bound."""
    start = pairs.of(quet.new("palindromes", m=12).state)
    recipe = Recipe(positions=600, rounds=1, exact=5, ridge=32.0, bound=8.0)
    whole = Fit(pairs, start, recipe).run()
    free = Fit(pairs, start, replace(recipe, bound=0.0)).run()
    monkeypatch.setattr(pairs, "parts", lambda s: np.zeros((pairs.num_patterns(s), 0), np.int64))
    alone = Fit(pairs, start, recipe).run()
    out, off, values = [0] * pairs.num_patterns(start), [], []
    for seed in range(150):
        s = pairs.of(after_random_moves(quet.new("palindromes", m=12), 7, seed).state)
        count = pairs.patterns(s, out)
        exact = HorizonSearch(pairs, s, whole)
        assert exact.run(simulations=1 << 40).is_solved
        values.append(np.tanh(exact.value / POINT / 8))
        sums = [sum(int(one.rows[5][k]) for k in [*out[:count], -1]) / POINT for one in (whole, free, alone)]
        off.append([np.tanh(sum / 8) - values[-1] for sum in sums])
    mean = np.mean(np.square(off), axis=0) / np.var(values)
    assert max(mean[0], mean[1]) < 0.3 < mean[2]


def test_weights_come_back_from_their_file() -> None:
    start = patterns.of(quet.new("blob", n=5).state)
    weights = Fit(patterns, start, replace(SMALL, positions=100, rounds=1)).run()
    read = files.unpacked(files.packed(weights, patterns, start, {}), patterns, start)
    assert np.array_equal(read.rows, weights.rows)
    assert np.allclose(read.errors, weights.errors)


def test_weights_that_are_no_numbers_are_damaged() -> None:
    start = patterns.of(quet.new("blob", n=4).state)
    weights = Fit(patterns, start, replace(SMALL, positions=10, rounds=1)).run()
    weights.errors[1] = np.nan
    with pytest.raises(ValueError, match="not all of its numbers are finite"):
        files.unpacked(files.packed(weights, patterns, start, {}), patterns, start)


def test_the_command_writes_a_file_that_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "weights.npz"
    words = ["learning", "blob", "n=4", "--positions", "50", "--rounds", "1", "--output", str(file)]
    monkeypatch.setattr(sys, "argv", words)
    assert command.main() == 0
    assert "round 1, 8 plies left: 1 positions" in capsys.readouterr().out
    assert files.unpacked(file.read_bytes(), patterns, patterns.of(quet.new("blob", n=4).state))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["up-and-up"], "has no patterns for these parameters."),
        (["blob", "n=20"], "has no patterns for these parameters."),
        (["blob", "n=4", "--positions", "0"], "'0' is not a whole number from 1 on"),
        (["blob", "n=4", "--rounds", "two"], "'two' is not a whole number from 1 on"),
        (["blob", "n=4", "--bound", "nan"], "'nan' is not a number from 0 on"),
        (["blob", "n=4", "--ridge", "0"], "'0' is not a number from 0.001 on"),
        (["blob", "n=4", "--ridge", "much"], "'much' is not a number from 0.001 on"),
        (["chess"], "There is no game"),
    ],
)
def test_what_cant_be_learned_is_said(
    words: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["learning", *words, "--output", "unwritten"])
    with pytest.raises(SystemExit) as stopped:
        command.main()
    assert stopped.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_fit_that_fails_leaves_the_weights_that_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "weights.npz"
    file.write_bytes(b"good ones")
    run = Fit.run

    def failed(self: Fit, report: Callable[[int, int, int, float], None]) -> Weights:
        weights = run(self, report)
        weights.errors[1] = np.nan  # as with --ridge 1e308, where turns are learned
        return weights

    monkeypatch.setattr(Fit, "run", failed)
    words = ["blob", "n=4", "--positions", "50", "--rounds", "1", "--output", str(file)]
    monkeypatch.setattr(sys, "argv", ["learning", *words])
    with pytest.raises(SystemExit) as stopped:
        command.main()
    assert stopped.value.code == 2
    assert "error: The fit has failed, and no weights are written: not all of its " in capsys.readouterr().err
    assert file.read_bytes() == b"good ones"


def test_more_positions_than_the_memory_holds_are_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def too_much(self: object, report: object) -> None:
        raise MemoryError("Unable to allocate 2.64 TiB")

    monkeypatch.setattr(Fit, "run", too_much)
    monkeypatch.setattr(sys, "argv", ["learning", "blob", "n=4", "--output", "unwritten"])
    with pytest.raises(SystemExit) as stopped:
        command.main()
    assert stopped.value.code == 2
    assert "error: This machine hasn't the memory for so many positions.\n" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--output", "nowhere/file"], []])
def test_what_cant_be_written_is_said_before_the_fit(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(Fit, "run", None)
    monkeypatch.setattr(command, "files", lambda package: tmp_path / "file")
    monkeypatch.setattr(sys, "argv", ["learning", "blob", "n=4", *words])
    with pytest.raises(SystemExit) as stopped:
        command.main()
    assert stopped.value.code == 2
    assert "Its folder doesn't exist.\n" in capsys.readouterr().err


@pytest.mark.long
def test_the_strongest_level_uses_them_where_they_are() -> None:
    """It does so for parameters that a file is for; in other games and in plain Python it searches a tree."""
    shipped = quet.new("divisors-multiples", r=25)
    made = search_for(shipped, is_strongest=True)
    assert isinstance(made, HorizonSearch)
    assert not isinstance(search_for(shipped), HorizonSearch)
    assert not isinstance(search_for(shipped, is_strongest=True, is_plain=True), HorizonSearch)
    assert isinstance(search_for(quet.new("divisors-multiples", r=24), is_strongest=True), TreeSearch)
    assert isinstance(search_for(quet.new("blob"), is_strongest=True), TreeSearch)
    level = LevelPlayer(LEVELS["level:6"], 1)
    shipped.play("2!")  # where the table of results ends
    assert level.choose(shipped, seconds=0.01) in shipped.legal_moves
    assert "learned weights" in level.how
    assert "learned weights" in quet.hint(shipped, seconds=0.02).how


def test_the_first_look_is_the_sum_of_weights_as_it_is_described() -> None:
    """The search adds what changes; here each position after a move is summed from the start."""
    game = quet.new("divisors-multiples", r=25)
    for move in ("23!", "1", "6", "12!"):
        game.play(move)
    weights = files.weights_of(game)
    made = search_for(game, is_strongest=True)
    assert weights is not None and isinstance(made, HorizonSearch)
    made.run()
    values = []
    for target in range(1, 26):
        after, out = turns.of(game.state), [0] * turns.num_patterns(turns.of(game.state))
        if after.is_taken[target]:
            continue
        turns.play(after, target)
        row = weights.rows[turns.plies_left(after)]
        total = sum(int(row[number]) for number in out[: turns.patterns(after, out)]) + int(row[-1])
        values.append(total + POINT * (after.paid_by_other - after.paid))
    assert len(values) == 22
    assert made.value == (max(values) if game.mover == 1 else min(values))


@pytest.mark.parametrize("content", [b"", b"PK", b"\0" * 100, None])
def test_a_damaged_file_is_told_and_a_tree_takes_its_place(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = quet.new("blob", n=8)
    assert game.entry.facts  # read before the folder is another one
    if content is None:  # of another size
        start = patterns.of(quet.new("blob", n=4).state)
        content = files.packed(Fit(patterns, start, replace(SMALL, positions=10)).run(), patterns, start, {})
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "n=8.npz").write_bytes(content)
    package, elsewhere = game.entry.package, importlib.resources.files
    monkeypatch.setattr("importlib.resources.files", lambda one: tmp_path if one == package else elsewhere(one))
    files._read.cache_clear()
    try:
        with pytest.warns(files.WeightsWarning, match=r"The weights n=8\.npz of blob can't be read: "):
            assert isinstance(search_for(game, is_strongest=True), TreeSearch)
    finally:
        files._read.cache_clear()


def test_a_file_that_is_damaged_anywhere_is_refused_or_read() -> None:
    start = patterns.of(quet.new("blob", n=4).state)
    content = files.packed(Fit(patterns, start, replace(SMALL, positions=10)).run(), patterns, start, {})
    chance, num_refused = random.Random(1), 0
    for _ in range(300):
        damaged = bytearray(content)
        for _ in range(4):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        try:
            files.unpacked(bytes(damaged), patterns, start)
        except ValueError:
            num_refused += 1
    assert num_refused > 200


def test_a_part_that_is_no_array_is_refused() -> None:
    start = patterns.of(quet.new("blob", n=4).state)
    content = files.packed(Fit(patterns, start, replace(SMALL, positions=10)).run(), patterns, start, {})
    for name in ("format", "changes", "errors"):
        into = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(content)) as parts, zipfile.ZipFile(into, "w") as changed:
            for part in parts.namelist():
                changed.writestr(part, parts.read(part)[8 if part == f"{name}.npy" else 0 :])
        with pytest.raises(ValueError, match=r"no file of weights|doesn't have \d+ weights"):
            files.unpacked(into.getvalue(), patterns, start)


def test_weights_that_change_by_more_than_two_bytes_hold_come_back_too() -> None:
    start = patterns.of(quet.new("blob", n=4).state)
    fitted = Fit(patterns, start, replace(SMALL, positions=10)).run()
    fitted.rows[:] = np.where(np.arange(len(fitted.rows)) % 2 == 0, 32_767, -32_767)[:, None]
    again = files.unpacked(files.packed(fitted, patterns, start, {}), patterns, start)
    assert np.array_equal(again.rows, fitted.rows)


def test_shipped_weights_are_small_and_can_be_read() -> None:
    for id in quet.catalog.ids():
        entry = quet.catalog.get(id)
        capable.weights_can_be_read(entry)
        assert sum(size for _, size in files.shipped(entry)) < MOST_MB * 1_000_000


def broken_changes(s: AnyState, move: int, gone: list[int], come: list[int]) -> tuple[int, int]:
    """As if a move changed its row only."""
    CHANGES(s, move, gone, come)
    return 1, 1


def broken_parts(s: AnyState) -> Ints:
    return np.arange(patterns.num_patterns(s))[:, None]


def broken_alike(s: AnyState) -> list[int]:
    return list(range(1, patterns.num_patterns(s) + 1))


@pytest.mark.parametrize(
    ("name", "function", "sentence"),
    [
        ("changes", broken_changes, "`changes` tells other changes"),
        ("alike", broken_alike, "`alike` doesn't name the least"),
        ("parts", broken_parts, "`parts` tells other parts"),
        ("plies_left", lambda s: 40 - s.ply, "In patterns.py a game is over at another time"),
        ("key", lambda s: s.ply, "Two positions of .* have the same key"),
        ("score", lambda s, player: player, "patterns.py has other scores"),
    ],
)
def test_the_contract_notices_patterns_that_are_wrong(
    name: str, function: object, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = quet.catalog.get("blob")
    capable.patterns_follow_the_game(entry)
    monkeypatch.setattr(patterns, name, function)
    with pytest.raises(BrokenRules, match=sentence):
        capable.patterns_follow_the_game(entry)
