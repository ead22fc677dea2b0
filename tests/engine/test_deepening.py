"""Deepening alpha-beta against plain minimax that looks as far; its limits, its reports and its lines."""

import functools
import random
import threading
import tracemalloc
from typing import Any

import numpy as np
import pytest

import quet
from quet.core.errors import TooLarge
from quet.core.state import copy
from quet.engine import alphabeta, deepening
from quet.engine.deepening import Deepening, Iteration

SMALL: list[tuple[str, dict[str, int], list[str]]] = [
    ("blob", {"n": 4}, ["b2", "b3", "c3", "c2"]),
    ("convoluted-coprimality", {"n": 3, "grids": 2}, []),
    ("palindromes", {"m": 7}, []),
    ("palindromes", {"m": 8}, ["3=1"]),
    ("plusses-minuses", {"n": 4}, ["+", "-", "-", "+"]),
    ("up-and-up", {"n": 3}, []),
]


def started(id: str, parameters: dict[str, int], moves: list[str]) -> quet.Game:
    game = quet.new(id, **parameters)
    for move in moves:
        game.play(move)
    return game


def search_of(game: quet.Game, **settings: Any) -> Deepening:
    return Deepening(game.rules, game.entry.capabilities, game.state, **settings)


def lead(rules: Any, s: Any) -> int:
    """Player 1's advantage as the scores stand; the score of a solitaire."""
    return int(rules.score(s, 1) - (rules.score(s, 2) if rules.num_players(s) > 1 else 0))


def minimax(rules: Any, s: Any, depth: int) -> int:
    """The value of looking so far ahead, by every line of play."""

    @functools.cache
    def value(frozen: tuple[Any, ...], depth: int) -> int:
        s = rules.State()
        for name, v in zip(s.__slots__, frozen, strict=True):
            setattr(s, name, list(v) if isinstance(v, tuple) else v)
        if depth == 0 or rules.is_over(s):
            return lead(rules, s)
        out = [0] * rules.most_moves(s)
        found = []
        for move in out[: rules.legal_moves(s, out)]:
            after = copy(s)
            rules.play(after, move)
            found.append(value(freeze(after), depth - 1))
        return max(found) if rules.mover(s) == 1 else min(found)

    def freeze(s: Any) -> tuple[Any, ...]:
        return tuple(tuple(v) if isinstance(v, list) else v for v in (getattr(s, name) for name in s.__slots__))

    return value(freeze(s), depth)


@pytest.mark.parametrize(("id", "parameters", "moves"), SMALL, ids=str)
def test_the_first_iterations_find_what_minimax_finds(id: str, parameters: dict[str, int], moves: list[str]) -> None:
    game = started(id, parameters, moves)
    reports: list[Iteration] = []
    search_of(game).run(game.state, depth=3, report=reports.append)
    assert [one.depth for one in reports] == [1, 2, 3]
    assert [one.value for one in reports] == [minimax(game.rules, game.state, depth) for depth in (1, 2, 3)]
    assert not any(one.is_exact for one in reports)
    assert reports[0].num_nodes < reports[1].num_nodes < reports[2].num_nodes


@pytest.mark.parametrize("leap", [None, 0, 2])
@pytest.mark.parametrize(("id", "parameters", "moves"), SMALL, ids=str)
def test_in_the_end_the_value_is_exact(id: str, parameters: dict[str, int], moves: list[str], leap: int | None) -> None:
    game = started(id, parameters, moves)
    found = search_of(game).run(game.state, leap=leap)
    assert found.is_exact
    assert found.value == minimax(game.rules, game.state, 99)


@pytest.mark.parametrize("depth", [1, 2, 4, None])
@pytest.mark.parametrize(("id", "parameters", "moves"), SMALL, ids=str)
def test_the_line_is_legal_and_its_first_move_is_worth_the_value(
    id: str, parameters: dict[str, int], moves: list[str], depth: int | None
) -> None:
    game = started(id, parameters, moves)
    found = search_of(game).run(game.state, depth=depth)
    for ply, move in enumerate(found.line):
        game.play(game.rules.move_text(game.state, move))
        if ply == 0:
            assert minimax(game.rules, game.state, found.depth - 1) == found.value
    assert 1 <= len(found.line) <= found.depth
    if len(found.line) == found.depth:
        assert lead(game.rules, game.state) == found.value


def test_a_mirror_image_of_a_position_searched_before_gets_a_move_of_its_own() -> None:
    generator = random.Random(2)
    for _ in range(10):
        game, mirror = quet.new("palindromes", m=8), quet.new("palindromes", m=8)
        for _ in range(3):
            square, _, digit = generator.choice(game.legal_moves).partition("=")
            game.play(f"{square}={digit}")
            mirror.play(f"{9 - int(square)}={digit}")
        search = search_of(game)
        value = search.run(game.state, leap=0).value
        found = search.run(mirror.state, leap=0)
        assert found.value == value
        assert found.line[0] in mirror.legal_numbers()
        mirror.play(mirror.rules.move_text(mirror.state, found.line[0]))
        assert minimax(mirror.rules, mirror.state, 99) == value


def test_a_stopped_search_says_the_best_so_far() -> None:
    game = quet.new("blob", n=7)
    search = search_of(game)
    stop = threading.Event()
    reports: list[Iteration] = []

    def report(found: Iteration) -> None:
        reports.append(found)
        if found.depth == 3:
            stop.set()

    found = search.run(game.state, stop=stop, report=report)
    assert found.depth == 3
    assert (found.value, found.line) == (reports[-1].value, reports[-1].line)
    assert not found.is_exact
    before = search.run(game.state, stop=stop)
    assert before.depth == 0
    assert before.line[0] in game.legal_numbers()


def test_a_search_is_stopped_from_another_thread() -> None:
    game = quet.new("blob", n=7)
    search = search_of(game)
    search.run(game.state, nodes=1)  # compiles
    stop = threading.Event()
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    found = search.run(game.state, stop=stop)
    assert not found.is_exact
    assert found.line[0] in game.legal_numbers()


def test_time_is_a_limit() -> None:
    game = quet.new("blob", n=7)
    search = search_of(game)
    search.run(game.state, nodes=1)  # compiles
    found = search.run(game.state, seconds=0.2)
    assert 0.2 <= found.seconds < 30
    assert not found.is_exact


@pytest.mark.parametrize("nodes", [1, 7, 300, 5_000, 200_000])
def test_the_same_number_of_positions_finds_the_same(nodes: int) -> None:
    game = quet.new("plusses-minuses", n=7)
    first, second = (search_of(game).run(game.state, nodes=nodes) for _ in range(2))
    assert (first.depth, first.value, first.line, first.num_nodes) == (
        second.depth,
        second.value,
        second.line,
        second.num_nodes,
    )
    assert first.num_nodes == nodes
    assert first.line[0] in game.legal_numbers()


def test_how_often_it_looks_at_the_clock_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = quet.new("palindromes", m=9)
    whole = search_of(game).run(game.state)
    monkeypatch.setattr(deepening, "FIRST_SLICE", 13)
    monkeypatch.setattr(deepening, "SLICE", 0.0)
    sliced = search_of(game).run(game.state, seconds=1000.0, stop=threading.Event())
    assert (whole.value, whole.line, whole.num_nodes) == (sliced.value, sliced.line, sliced.num_nodes)


def test_an_interrupted_iteration_gives_its_better_move() -> None:
    game = quet.new("palindromes", m=12)
    for move in ("3=1", "8=0"):
        game.play(move)
    lines: dict[int, list[tuple[int, ...]]] = {}
    whole: list[Iteration] = []
    search_of(game).run(game.state, depth=5, report=whole.append)
    for nodes in range(1, whole[-1].num_nodes, max(1, whole[-1].num_nodes // 400)):
        found = search_of(game).run(game.state, nodes=nodes)
        lines.setdefault(found.depth, []).append(tuple(found.line))
        done = [one for one in whole if one.num_nodes <= nodes]
        if done:
            assert found.value == done[-1].value
    better = [line for depth, found in lines.items() if depth for line in found if line[0] != whole[depth - 1].line[0]]
    assert better
    assert all(len(line) == 1 for line in better)


def test_the_table_grows_with_the_search_and_no_further_than_allowed() -> None:
    game = quet.new("plusses-minuses", n=7)
    search = search_of(game)
    search.run(game.state, nodes=1000)
    assert len(search._table) == deepening.SMALLEST_TABLE
    search.run(game.state, nodes=deepening.SMALLEST_TABLE)
    assert len(search._table) == deepening.SMALLEST_TABLE * deepening.GROWTH
    small = search_of(game, memory=2**20)
    small.run(game.state, nodes=2**20)
    assert small._table.nbytes < 2**20


def test_a_table_that_grows_keeps_to_its_memory_while_it_does() -> None:
    game = quet.new("blob", n=5)
    size = deepening.SMALLEST_TABLE * alphabeta.ENTRY.itemsize
    room = sum(array.nbytes for array in (search_of(game)._stack, search_of(game)._frames, search_of(game)._moves))
    growths = []
    for memory in (room + size * 19 // 2, room + size * 10):
        tracemalloc.start()
        search = search_of(game, memory=memory)
        growths.append(search._largest_table // deepening.SMALLEST_TABLE)
        if growths[-1] > 1:
            search._table["kind"] = alphabeta.EXACT  # it is full
            search._grow()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak <= memory + 16384  # for what Python needs
    assert growths == [1, deepening.GROWTH]


def test_what_grows_keeps_every_entry() -> None:
    game = quet.new("blob", n=5)
    search = search_of(game)
    search.run(game.state, nodes=3000)
    before = {int(entry["key"]): entry.copy() for entry in search._table if entry["kind"]}
    search._grow()
    after = {int(entry["key"]): entry for entry in search._table if entry["kind"]}
    assert len(before) > 100
    assert before == after
    mask = len(search._table) - 1
    assert all(search._table[alphabeta.slot(key, mask)]["key"] == key for key in after)


def test_keys_that_differ_in_few_bits_have_slots_of_their_own() -> None:
    keys = np.array([1 << a | 1 << b for a in range(62) for b in range(a)])
    for size in range(12, 31):
        mask = (1 << size) - 1
        slots = alphabeta.slot(keys, mask)
        assert list(slots) == [alphabeta.slot(int(key), mask) for key in keys]
        num_by_chance = mask * -np.expm1(-len(keys) / mask)  # of slots that so many keys at random have
        assert len(set(slots)) > 0.9 * num_by_chance


def test_a_small_table_finds_the_same_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deepening, "SMALLEST_TABLE", 16)
    monkeypatch.setattr(deepening, "GROWTH", 1 << 30)  # none
    generator = random.Random(1)
    for _ in range(5):
        game = quet.new("palindromes", m=8)
        for _ in range(3):
            game.play(generator.choice(game.legal_moves))
        found = search_of(game).run(game.state)
        assert found.is_exact
        assert found.value == minimax(game.rules, game.state, 99)


def test_a_game_that_is_over_is_worth_its_scores() -> None:
    game = quet.new("palindromes", m=2)
    search = search_of(game)
    for move in ("1=0", "2=0"):
        game.play(move)
    found = search.run(game.state)
    assert (found.value, found.line, found.is_exact) == (lead(game.rules, game.state), [], True)


def test_a_search_that_does_not_fit_its_memory_says_how_much_it_needs() -> None:
    game = quet.new("up-and-up", n=7)
    with pytest.raises(TooLarge, match=r"The search needs 1 MB of memory and may use 0 MB\."):
        search_of(game, memory=2**17)


@pytest.mark.parametrize(("id", "parameters", "moves"), SMALL, ids=str)
def test_outside_a_window_a_bound_is_found(id: str, parameters: dict[str, int], moves: list[str]) -> None:
    game = started(id, parameters, moves)
    value = search_of(game).run(game.state, leap=0).value
    for low in range(value - 3, value + 3):
        found = search_of(game).run(game.state, leap=0, has_line=False, window=(low, low + 1))
        assert found.is_exact
        assert (found.value > low) == (value > low)
        assert found.value <= value if value > low else found.value >= value
