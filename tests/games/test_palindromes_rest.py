"""Tables of what can come after a position of Palindromes: they have the values of the table of the whole row."""

import functools
import random
import threading

import pytest

import quet
from conftest import after, value_by_trying_everything
from quet.capabilities import NO_VALUE
from quet.core.errors import TooLarge
from quet.core.rules import legal_moves
from quet.core.state import copy
from quet.distribution.task import Task
from quet.distribution.workers import here
from quet.engine.arrays import pack
from quet.games.palindromes import exact, rest, retrograde, rules
from quet.knowledge.values import exact_values
from rows import position, state


def table(s: rules.State) -> rest.Rest:
    made = rest.solve(s, Task(workers=here()))
    assert made is not None
    return made


def descendants(s: rules.State) -> list[rules.State]:
    """The position and all that can come after it, in some order."""
    found, waiting = {}, [s]
    while waiting:
        one = waiting.pop()
        if tuple(one.digits) not in found:
            found[tuple(one.digits)] = one
            waiting += [after(rules, one, move) for move in legal_moves(rules, one)]
    return list(found.values())


@pytest.mark.parametrize(("m", "num_empty"), [(1, 1), (5, 4), (8, 6), (9, 6), (9, 7)])
def test_the_values_are_those_of_the_table_of_the_whole_row(m: int, num_empty: int) -> None:
    s = position(m, num_empty, seed=m)
    made, whole, all_of_them = table(s), retrograde.solve(state(m), Task(workers=here())), descendants(s)
    assert whole is not None
    assert made.num_positions == len(all_of_them) == 3**num_empty
    for one in all_of_them:
        assert made.covers(one)
        assert rules.is_over(one) or made.value(one) == whole.value(one)
    assert made.values_of(pack(all_of_them), rules).tolist() == whole.values_of(pack(all_of_them), rules).tolist()


def test_it_covers_what_can_come_after_and_nothing_else() -> None:
    s = position(9, 6, seed=1)
    made = table(s)
    square = next(i for i in range(9) if s.digits[i] != rules.EMPTY)
    other = copy(s)
    other.digits[square] ^= 1
    assert not made.covers(other)
    assert not made.covers(state(9))
    assert not made.covers(position(10, 6, seed=1))


@pytest.mark.parametrize("digit", [0, 1])
def test_a_value_far_from_the_others_is_left_out_and_all_that_are_there_are_right(digit: int) -> None:
    s = state(41)
    for square in range(41):
        if square not in (6, 13, 19, 20, 27):
            rules.play(s, 2 * square + (digit if square % 3 else 0))

    @functools.cache
    def value(row: tuple[int, ...]) -> int:
        one = state(41)
        one.digits[:41], one.ply = row, 41 - row.count(rules.EMPTY)
        if rules.is_over(one):
            return rules.score(one, 1) - rules.score(one, 2)
        then = [value(tuple(after(rules, one, move).digits[:41])) for move in legal_moves(rules, one)]
        return max(then) if rules.mover(one) == 1 else min(then)

    made, all_of_them = table(s), [one for one in descendants(s) if not rules.is_over(one)]
    found = [made.value(one) for one in all_of_them]
    expected = [value(tuple(one.digits[:41])) for one in all_of_them]
    assert all(one is None or one == right for one, right in zip(found, expected, strict=True))
    far = [abs(right - made.centre) >= retrograde.UNIT * retrograde.LARGEST for right in expected]
    assert [one is None for one in found] == far
    assert any(far) and not all(far)
    array = made.values_of(pack(all_of_them), rules)
    assert [NO_VALUE if one is None else one for one in found] == array.tolist()


def test_no_row_is_too_long_for_exact_values_when_few_squares_are_empty() -> None:
    game = quet.new("palindromes", m=60)
    chance = random.Random(4)
    while game.ply < 48:
        game.play(chance.choice(game.legal_moves))
    values = exact_values(game, seconds=60)
    assert values is not None and len(values) == 24
    game.play(max(values, key=lambda move: values[move]))
    replies = exact_values(game, seconds=60)
    assert replies is not None and max(replies.values()) == -max(values.values())


def test_where_keys_do_not_fit_a_value_that_is_left_out_is_found_by_trying() -> None:
    game = quet.new("palindromes", m=41)
    for square in range(41):
        if square not in (6, 13, 19, 20, 27):
            game.play(f"{square + 1}=0")
    assert not exact.fits(game.state)
    values = exact_values(game, seconds=60)
    assert values is not None and max(values.values()) == value_by_trying_everything(game)


def test_the_smaller_table_is_made_where_that_of_the_whole_row_is_not_quick() -> None:
    late = position(20, 8, seed=2)
    assert isinstance(exact.solve(late, Task(workers=here())), rest.Rest)
    assert exact.needed(late) == rest.needed(late) < retrograde.needed(late)
    assert exact.is_quick(late) and exact.is_quick(position(64, 16, seed=2)) and not exact.is_quick(state(20))
    assert isinstance(exact.solve(position(12, 8, seed=2), Task(workers=here())), exact.Solution)
    one_filled = position(30, 29, seed=1)
    assert exact.needed(one_filled) == retrograde.needed(one_filled)
    with pytest.raises(TooLarge):
        exact.solve(position(40, 20, seed=1), Task(memory=2**29))


def test_a_table_is_given_up_when_the_time_is_over_unless_it_is_nearly_full() -> None:
    s = position(30, 13, seed=3)
    table(s)  # compiled now
    assert rest.solve(s, Task(seconds=0.0, workers=here())) is None
    task = Task(seconds=10.0, patience=30.0)
    assert not task.is_over_after(0, 100)
    task.begun -= 20.0
    assert task.is_over_after(0, 100) and task.is_over_after(49, 100) and not task.is_over_after(51, 100)
    task.patience = 0.0
    assert task.is_over_after(99, 100)


def test_the_task_is_told_how_full_the_table_is() -> None:
    told = []

    class Patient(Task):
        def is_over_after(self, done: int, total: int) -> bool:
            told.append((done, total))
            return False

    assert rest.solve(position(30, 13, seed=3), Patient(seconds=0.0, workers=here())) is not None
    assert told[0] == (0, 3**13) and told[-1][0] > 3**12 and {total for _, total in told} == {3**13}


def test_a_task_that_is_stopped_has_no_patience() -> None:
    stop = threading.Event()
    task = Task(patience=60.0, stop=stop)
    assert not task.is_over_after(99, 100)
    stop.set()
    assert task.is_over_after(99, 100)
