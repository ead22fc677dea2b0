"""Strategies of Blob that alpha-beta makes, followed by the checker of certificates."""

import random
from typing import Any

import numpy as np
import pytest

import quet
from conftest import after
from quet.certificates import check_weak
from quet.certificates.claims import of
from quet.core.errors import BadCertificate, NotSolved, TooLarge
from quet.core.rules import legal_moves
from quet.core.state import copy
from quet.distribution.task import Task
from quet.distribution.workers import here
from quet.engine.compiled import compiled
from quet.games.blob import compact, exact, replies, rules
from quet.solving import questions, weak

SUBJECT = of("blob")


def position(n: int, moves: int = 0, seed: int = 0) -> Any:
    """A random position after so many moves."""
    generator, s = random.Random(seed), rules.State()
    rules.start(s, n)
    for _ in range(moves):
        rules.play(s, generator.choice(legal_moves(rules, s)))
    return s


def number_of_replies(n: int, player: int, value: int = 0) -> int:
    """How many replies a strategy has; it holds the value and no more, as the checker sees it."""
    s = position(n)
    made = exact.replies(s, value, player, Task(workers=here())).tolist()
    side, more = ("low", 1) if player == 1 else ("high", -1)
    assert f"with {len(made)} replies holds" in check_weak.check(SUBJECT, s, check_weak.packed(made), side, value)
    with pytest.raises(BadCertificate, match="comes to an end of 0"):
        check_weak.check(SUBJECT, s, check_weak.packed(made), side, value + more)
    return len(made)


@pytest.mark.parametrize("player", [1, 2])
@pytest.mark.parametrize("n", range(2, 6))
def test_a_strategy_holds_the_value_and_no_more(n: int, player: int) -> None:
    most = {2: (1, 1), 3: (5, 15), 4: (20, 100), 5: (200, 2_500)}
    assert 1 <= number_of_replies(n, player) <= most[n][player - 1]


@pytest.mark.parametrize("player", [1, 2])
def test_a_strategy_goes_on_from_a_position_of_a_game(player: int) -> None:
    for moves in range(4, 8):
        s = position(4, moves, seed=moves)
        start = copy(s)
        values = [v for v in range(-4, 5) if holds(start, v, player)]
        value = max(values) if player == 1 else min(values)
        made = exact.replies(s, value, player, Task(workers=here())).tolist()
        check_weak.check(SUBJECT, start, check_weak.packed(made), "low" if player == 1 else "high", value)


@pytest.mark.long
@pytest.mark.parametrize("player", [1, 2])
def test_where_few_other_moves_are_asked_for_the_strategy_is_larger(
    player: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = number_of_replies(6, player)
    monkeypatch.setattr(replies, "MOST_ASKED", 0)
    assert number_of_replies(6, player) > 1.5 * few


@pytest.mark.parametrize("player", [1, 2])
def test_neither_looks_at_the_clock_nor_reports_change_what_is_made(
    player: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    s, told = position(5), []
    made = exact.replies(s, 0, player, Task(workers=here()))
    for name in ("SLICE", "FIRST_SLICE"):
        monkeypatch.setattr(replies, name, 7)
    task = Task(workers=here())
    task.report = lambda done, of, text: told.append(text)
    assert np.array_equal(exact.replies(s, 0, player, task), made)
    assert len(told) > len(set(told)) > 12  # the number of answers stands in the text


@pytest.mark.parametrize("player", [1, 2])
def test_positions_are_taken_in_blocks(player: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BLOCK", "ASKED_AT_ONCE"):
        monkeypatch.setattr(replies, name, 3)
    assert number_of_replies(4, player) > 1


def test_where_time_or_memory_is_over_there_is_no_strategy() -> None:
    with pytest.raises(NotSolved, match="time"):
        exact.replies(position(4), 0, 1, Task(workers=here(), seconds=0.0))
    with pytest.raises(TooLarge):
        exact.replies(position(4), 0, 1, Task(workers=here(), memory=1 << 20))


@pytest.mark.parametrize("n", range(2, 8))
def test_images_are_ordered_as_the_checker_orders_them(n: int) -> None:
    for moves in range(n * n // 4 * 2 + 1):
        found = [position(n, moves, seed) for seed in range(40)]
        words = np.zeros((len(found), 2), np.uint64)
        bits = np.array([compact.of(s).filled for s in found])
        compiled(replies).all_images(n, bits, words)
        keys = [SUBJECT.canonical(s) for s in found]  # type: ignore[misc]
        assert [tuple(a) < tuple(b) for a in words for b in words] == [a < b for a in keys for b in keys]


@pytest.mark.parametrize("n", [2, 5, 7])
def test_moves_are_numbered_as_the_checker_numbers_them(n: int) -> None:
    module = compiled(replies)
    for moves in range(n * n // 4 * 2):
        s = position(n, moves, seed=n)
        filled = compact.of(s).filled
        squares = sorted(legal_moves(rules, s))
        here_ = np.array([filled])
        assert module.most_moves(n, here_) == len(squares)
        rows = np.zeros((len(squares), 4), np.int64)
        assert module.moves(n, here_, rows) == len(squares)
        after = [filled | 1 << square for square in squares]
        keys = [compact.first_image(n, then) for then in after]
        assert rows.tolist() == [[keys[i], 0, i, after[i]] for i in range(len(squares))]
        wanted = np.zeros((1, len(squares)), np.int64)
        module.needs(n, here_, wanted)
        distinct = list(dict.fromkeys(keys))
        assert wanted[0].tolist() == distinct + [-1] * (len(squares) - len(distinct))


def test_large_games_get_their_strategies_here(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [exact.has_replies(position(n)) for n in (5, 6, 7, 8)] == [False, False, True, False]
    capabilities, s = quet.new("blob", n=4).entry.capabilities, position(4)
    known = weak.FromSearch(rules, capabilities, s, Task(workers=here()))
    others = weak.replies(SUBJECT, s, 0, "high", known, Task(workers=here()))
    monkeypatch.setattr(exact, "has_replies", lambda s: True)
    questions.ask(rules.__name__, exact.__name__, s, s, 0, 1 << 20, None)
    assert questions._kept.search is not None
    made = weak.replies(SUBJECT, s, 0, "high", known, Task(workers=here()))
    assert questions._kept.search is None  # its memory is free for the strategy
    assert made == exact.replies(s, 0, 2, Task(workers=here())).tolist() != others


def holds(s: Any, v: int, player: int) -> bool:
    """Whether the player can hold v, by trying all games."""
    if rules.is_over(s):
        value = rules.score(s, 1) - rules.score(s, 2)
        return value >= v if player == 1 else value <= v
    each = (holds(after(rules, s, move), v, player) for move in legal_moves(rules, s))
    return any(each) if rules.mover(s) == player else all(each)
