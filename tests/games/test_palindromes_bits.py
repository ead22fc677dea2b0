"""One bit for each position of Palindromes: they say what the tables of values say, and solve rows without a table."""

import json
import random

import numpy as np
import pytest

from conftest import after
from quet import catalog
from quet.core.errors import TooLarge
from quet.core.rules import legal_moves
from quet.distribution.task import Task
from quet.distribution.workers import here
from quet.engine.compiled import compiled
from quet.games.palindromes import bits, exact, rest, retrograde, rules, second, solve
from quet.solving import ask
from rows import position, state

VALUES = {1: 0, 2: -2, 3: 0, 4: -2, 5: 0, 6: -4, 7: 0, 8: -4, 9: 2, 10: -4, 11: 2, 12: -6, 13: 4}  # docs/answers.md


def task(memory: int, seconds: float | None = None) -> Task:
    return Task(seconds=seconds, memory=memory, workers=here())


def small(m: int, made: int = 2) -> Task:
    """A task whose memory has room for bits, but only after some moves, and for no table of all values."""
    given = task(bits.needed(m - made))
    assert exact.needed(state(m)) > given.memory < bits.needed(m)
    return given


@pytest.mark.parametrize(
    ("m", "num_empty"), [(1, 1), (2, 2), (5, 4), (6, 6), (7, 7), (8, 8), (9, 7), (12, 10), (30, 9), (64, 8), (63, 1)]
)
def test_a_number_is_reached_where_the_table_has_at_least_as_much(m: int, num_empty: int) -> None:
    for seed in range(3):
        s = position(m, num_empty, seed)
        table = rest.solve(s, task(1 << 30))
        assert table is not None
        values = {}
        for move in legal_moves(rules, s):
            then = after(rules, s, move)
            values[move] = rules.score(then, 1) - rules.score(then, 2) if rules.is_over(then) else table.value(then)
        known = [value for value in values.values() if value is not None]
        for least in range(min(known) - 2, max(known) + 4, 2):
            reached = bits.reached(s, least, task(1 << 30))
            assert reached == {move: value is not None and value >= least for move, value in values.items()}


def test_differences_are_those_of_the_scores() -> None:
    chance = random.Random(7)
    for m in (1, 2, 9, 16, 40, 64):
        for _ in range(20):
            s = state(m)
            row = chance.getrandbits(m)
            for square in range(m):
                rules.play(s, 2 * square + (row >> square & 1))
            assert bits.difference(row, m) == rules.score(s, 1) - rules.score(s, 2)


def test_portions_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    s = state(11)
    whole = {least: bits.reached(s, least, task(1 << 30)) for least in (0, 2, 4)}
    monkeypatch.setattr(bits, "PORTION", 1)
    monkeypatch.setattr(bits, "PORTION_OF_ENDS", 128)
    assert {least: bits.reached(s, least, task(1 << 30)) for least in whole} == whole


def test_what_it_takes_is_known_before() -> None:
    s = state(12)
    lines = 8 * (495 * 4 + 220 * 8)  # of 8 and of 9 of 12 squares, in words of 64 bits
    assert bits.needed(12) == lines + (16 << 12)
    with pytest.raises(TooLarge):
        bits.reached(s, 0, task(bits.needed(12) - 1))
    with pytest.raises(TooLarge):
        bits.reached(state(bits.LARGEST + 1), 0, task(1 << 60))
    assert bits.reached(s, 0, task(bits.needed(12))) is not None


def test_nothing_is_said_where_there_is_no_time() -> None:
    assert bits.reached(state(12), 0, task(1 << 30, seconds=0)) is None


@pytest.mark.parametrize("made", [0, 1, 2, 3])
@pytest.mark.parametrize("m", [9, 10, 12, 13])
def test_a_row_is_solved_without_a_table(m: int, made: int) -> None:
    given = task(bits.needed(m)) if made == 0 else small(m, made)
    assert exact.needed(state(m)) > given.memory
    found = solve.solve(state(m), given)
    assert found is not None
    assert (found.low, found.high, found.value) == (VALUES[m],) * 3
    table = retrograde.solve(state(m), task(1 << 30))
    assert table is not None
    s = state(m)
    for move in found.witness:
        rules.play(s, move)
        assert rules.is_over(s) or table.value(s) == VALUES[m]
    assert rules.is_over(s)
    assert rules.score(s, 1) - rules.score(s, 2) == VALUES[m]
    keeping = []
    for move in legal_moves(rules, state(m)):
        if table.value(after(rules, state(m), move)) == VALUES[m]:
            keeping.append(move)
    assert found.best_moves == keeping if found.has_all_best else found.best_moves[0] in keeping
    assert found.has_all_best == (made == 0)


def test_it_is_left_to_a_table_that_fits_and_to_others_where_bits_do_not() -> None:
    assert solve.solve(state(12), task(exact.needed(state(12)))) is None
    assert solve.solve(state(30), task(1 << 62)) is None or exact.needed(state(30)) <= 1 << 62
    assert solve.solve(state(40), task(1 << 33)) is None
    assert solve.solve(state(12), task(bits.needed(12 - solve.MOST_MADE) - 1)) is None


def test_a_solve_that_was_stopped_goes_on_from_its_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    real, most, asked = bits.reached, 1000, list[int]()

    def counted(s: rules.State, least: int, task: Task) -> dict[int, bool] | None:
        if len(asked) == most:
            return None
        asked.append(least)
        return real(s, least, task)

    monkeypatch.setattr(bits, "reached", counted)
    at_once = solve.solve(state(10), small(10))
    num_asked = len(asked)
    asked.clear()
    most, given = 7, small(10)
    stopped = solve.solve(state(10), given)
    assert stopped is not None
    assert (stopped.is_proven, stopped.witness) == (False, [])
    most = 1000
    found = solve.solve(state(10), Task(memory=given.memory, notes=given.notes, workers=here()))
    assert found is not None and at_once is not None
    assert (found.value, found.witness) == (VALUES[10], at_once.witness)
    assert len(asked) == num_asked
    assert found.nodes == at_once.nodes > stopped.nodes > 0


@pytest.mark.parametrize("made", [0, 2])
def test_a_solve_that_had_ended_asks_nothing_again(made: int, monkeypatch: pytest.MonkeyPatch) -> None:
    given = task(bits.needed(10)) if made == 0 else small(10, made)
    first = solve.solve(state(10), given)
    monkeypatch.setattr(bits, "reached", None)
    monkeypatch.setattr(rest, "solve", None)
    notes = json.loads(json.dumps(given.notes))  # as a checkpoint has them
    assert solve.solve(state(10), Task(memory=given.memory, notes=notes, workers=here())) == first is not None


def test_what_is_known_is_joined_with_a_game_and_with_what_pairs_hold() -> None:
    entry = catalog.get("palindromes")
    found = ask.answer(entry, state(12), Task(seconds=0, memory=small(12).memory, workers=here()))
    assert not found.is_proven
    assert found.high == -4
    assert found.witness


def test_what_was_answered_in_time_is_told_although_the_value_is_not_known() -> None:
    given = small(11)
    assert solve.solve(state(11), given) is not None
    key = exact.key(state(11))
    answered = {name: found for name, found in given.notes.items() if name.endswith(f" from {key}") and found}
    assert max(int(name.split()[2]) for name in answered) == VALUES[11]
    stopped = Task(seconds=0, memory=given.memory, notes=answered, workers=here())
    found = ask.answer(catalog.get("palindromes"), state(11), stopped)
    assert not found.is_proven
    assert found.low == VALUES[11] > 0  # pairs of squares hold 0
    assert found.high == exact.bounds(state(11))[1]
    assert found.witness


def test_of_moves_that_a_symmetry_joins_one_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[int, int]]()
    real = bits.reached

    def told(s: rules.State, least: int, task: Task) -> dict[int, bool] | None:
        if s.ply == 1:
            asked.append((exact.key(s), least))
        return real(s, least, task)

    monkeypatch.setattr(bits, "reached", told)
    assert solve.solve(state(11), small(11, made=1)) is not None
    assert len(set(asked)) == len(asked)
    assert len([least for _, least in asked if least == VALUES[11] + 2]) == 6  # a 0 in each square of one half


def test_the_second_way_tries_first_moves_of_longer_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second, "WHOLE", 5)
    for m in range(6, 12):
        assert second.is_at_least(m, VALUES[m], float("inf"))
        assert second.is_at_least(m, VALUES[m] + 1, float("inf")) is False
    assert second.is_at_least(9, 0, 0.0) is None


def test_compiled_and_plain_code_agree() -> None:
    room, other = np.zeros((2, 4), np.int64)
    module = compiled(bits)
    chance = np.random.default_rng(3)
    for digit in range(bits.INSIDE):
        words = chance.integers(-(1 << 63), (1 << 63) - 1, (2, 4), np.int64)
        for is_union in (False, True):
            room[:], other[:] = words[0], words[0]
            bits.gather(room, words[1], digit, is_union)
            module.gather(other, words[1], digit, is_union)
            assert room.tolist() == other.tolist()
