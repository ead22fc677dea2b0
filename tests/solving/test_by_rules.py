"""Games proven by their rules alone, against trying every game, and games that can't be."""

import math
import random
from itertools import pairwise

import pytest

import quet
from quet.capabilities import NOTHING, Capabilities
from quet.catalog import Entry
from quet.core.clock import clock
from quet.core.rules import AnySearchRules, AnyState, difference
from quet.core.state import Line, copy, key, state
from quet.distribution.task import Task
from quet.distribution.workers import here
from quet.game import Game
from quet.knowledge import values as knowledge
from quet.knowledge.known import MEMORY
from quet.knowledge.values import exact_values
from quet.players.player import player
from quet.solving import improve, perfect
from quet.solving.ask import answer
from quet.solving.by_rules import Memo
from quet.solving.valuers import ByRules

SMALL: list[tuple[str, dict[str, int]]] = [
    ("blob", {"n": 3}),
    ("convoluted-coprimality", {"n": 3, "grids": 2}),
    ("divisors-multiples", {"r": 3}),
    ("palindromes", {"m": 6}),
    ("plusses-minuses", {"n": 3}),
    ("sequence-ascension", {"n": 2}),
    ("up-and-up", {"n": 3}),
]


def quiet(done: int, total: int, words: str) -> None:
    """Show nothing."""


def memo(rules: AnySearchRules, memory: int = 2**28) -> Memo:
    return Memo(rules, sign=-1 if rules.LOWER_IS_BETTER else 1, memory=memory)


@pytest.mark.parametrize(("id", "parameters"), SMALL, ids=str)
def test_every_position_met_is_worth_the_best_of_its_moves(id: str, parameters: dict[str, int]) -> None:
    game = quet.new(id, **parameters)
    rules, found = game.rules, memo(game.rules)
    sign = -1 if rules.LOWER_IS_BETTER else 1
    generator = random.Random(1)
    for _ in range(5):
        twin = game.copy()
        while not twin.is_over and twin.ply < 30:
            values = []
            for text in twin.legal_moves:
                after = twin.copy()
                after.play(text)
                is_over = after.is_over
                value = (
                    sign * difference(rules, after.state)
                    if is_over
                    else found.value(after.state, until=math.inf, report=quiet)
                )
                assert value is not None
                values.append(value)
            best = (max if twin.mover == 1 else min)(values)
            assert found.value(twin.state, until=math.inf, report=quiet) == best
            twin.play(generator.choice(twin.legal_moves))


@pytest.mark.parametrize(("id", "parameters"), SMALL, ids=str)
def test_the_rules_alone_give_the_values_of_the_games_solvers(id: str, parameters: dict[str, int]) -> None:
    game = quet.new(id, **parameters)
    expected, values = answer(game.entry, game.state, Task()), exact_values(game)
    bare = Entry(id, game.entry.package)
    bare.__dict__.update(capabilities=NOTHING, solve=None, strategy=None, local_search=None)
    found = answer(bare, game.state, Task())
    assert found.is_proven
    assert "every move" in found.method
    assert found.value == expected.value
    if expected.has_all_best:
        assert found.best_moves == expected.best_moves
    again = Game(bare, game.parameters)
    assert exact_values(again) == values
    with knowledge._valuer(again, MEMORY) as valuer:
        assert isinstance(valuer, ByRules)
    assert values is not None
    assert values[player("level:perfect", 1).choose(again)] == max(values.values())


@state
class Row:
    """A row of numbers, and what was written into it."""

    n: int
    ply: int
    numbers: Line


class Sum:
    """A solitaire: write 1, 2 or 3 n times; the score is the sum of what differs from the number before."""

    LOWER_IS_BETTER = False
    State = Row

    def num_players(self, s: Row) -> int:
        return 1

    def most_moves(self, s: Row) -> int:
        return 3

    def legal_moves(self, s: Row, out: list[int]) -> int:
        out[:3] = [1, 2, 3]
        return 0 if self.is_over(s) else 3

    def play(self, s: Row, move: int) -> None:
        s.numbers[s.ply] = move
        s.ply += 1

    def mover(self, s: Row) -> int:
        return 1

    def is_over(self, s: Row) -> bool:
        return s.ply == s.n

    def score(self, s: Row, player: int) -> int:
        line = [0, *s.numbers[: s.ply]]
        return sum(b for a, b in pairwise(line) if a != b)


class Circle(Sum):
    """Two players walk round three squares, and never come to an end."""

    def num_players(self, s: Row) -> int:
        return 2

    def legal_moves(self, s: Row, out: list[int]) -> int:
        out[:2] = [1, 2]
        return 2

    def play(self, s: Row, move: int) -> None:
        s.numbers[0] = (s.numbers[0] + move) % 3


def begun(n: int) -> Row:
    s = Row()
    s.n = n
    return s


def test_what_a_score_depends_on_may_lie_far_back() -> None:
    for n in range(1, 6):
        assert memo(Sum()).value(begun(n), until=math.inf, report=quiet) == 3 * (n - n // 2) + 2 * (n // 2)


def test_of_a_solitaire_the_lowest_score_is_found_too() -> None:
    highest = perfect.solve(Sum(), NOTHING, begun(5), Task())
    lowest = perfect.solve(Sum(), NOTHING, begun(5), Task(is_lowest=True))
    assert highest is not None and lowest is not None
    assert (highest.value, lowest.value) == (13, 1)
    assert (lowest.best_moves, lowest.witness) == ([1], [1, 1, 1, 1, 1])


def test_where_the_lower_score_is_better_both_scores_are_found_too() -> None:
    class Lower(Sum):
        LOWER_IS_BETTER = True

    found = [perfect.solve(Lower(), NOTHING, begun(5), Task(is_lowest=is_lowest)) for is_lowest in (False, True)]
    assert [answer and answer.value for answer in found] == [13, 1]


def test_a_game_in_which_positions_come_again_is_left_open() -> None:
    found = memo(Circle())
    for _ in range(2):
        assert found.value(begun(1), until=clock() + 5, report=quiet) is None
    assert found.num_positions < 10


def test_a_memory_that_is_full_is_emptied_and_the_end_is_found_with_it() -> None:
    small = memo(Sum(), memory=40_000)
    s = begun(9)
    assert small.value(s, until=math.inf, report=quiet) is None
    rules = Sum()
    for _ in range(6):
        rules.play(s, 1)
    assert small.value(s, until=math.inf, report=quiet) == 1 + 3 + 2 + 3


def test_a_search_that_is_stopped_goes_on_where_it_was() -> None:
    found, whole = memo(Sum()), memo(Sum())
    expected = whole.value(begun(8), until=math.inf, report=quiet)
    looks = 0
    value = None
    while value is None:
        looks += 1
        value = found.value(begun(8), until=clock() + 0.005, report=quiet)
        assert looks < 5000
    assert looks > 1
    assert value == expected
    assert found.num_positions < 2 * whole.num_positions


def test_keys_are_equal_for_equal_states_alone() -> None:
    one = begun(3)
    other = copy(one)
    assert key(one) == key(other)
    other.numbers[19] = 1
    assert key(one) != key(other)
    one.numbers[0] = 256
    other.numbers[0], other.numbers[19] = 1, 0
    assert key(one) != key(other)


class Summed:
    """A table for `Sum`, and keys that say nothing of the score so far."""

    METHOD = "a table"
    memo = memo(Sum())

    def bounds(self, s: Row) -> tuple[int, int]:
        return 0, 60

    def fits(self, s: Row) -> bool:
        return True

    def key(self, s: Row) -> int:
        return s.ply

    def reach(self, s: Row) -> tuple[int, int]:
        return 0, 60

    def settled(self, s: Row) -> int:
        return Sum().score(s, 1)

    def needed(self, s: Row) -> int:
        return 1

    def is_quick(self, s: Row) -> bool:
        return True

    def solve(self, s: Row, task: Task) -> "Summed":
        return self

    @property
    def Solution(self) -> "type[Summed]":  # noqa: N802 - as of a module
        return Summed

    @property
    def num_positions(self) -> int:
        return 1

    def covers(self, s: Row) -> bool:
        return True

    def value(self, s: Row) -> int | None:
        return self.memo.value(s, until=math.inf, report=quiet)


def test_first_moves_of_one_key_that_have_scored_differently_are_not_taken_for_one() -> None:
    has = Summed()
    capabilities = Capabilities(bounds=has, keys=has, reach=has, table=has)
    found = perfect.solve(Sum(), capabilities, begun(2), Task())
    assert found is not None
    assert found.method == "a table"
    assert (found.value, found.best_moves) == (5, [2, 3])


def test_a_solitaire_with_keys_is_solved_by_them_and_its_lowest_score_by_the_rules() -> None:
    game = quet.new("up-and-up", n=3)
    bare = Entry(game.id, game.entry.package)
    bare.__dict__.update(solve=None)
    for is_lowest in (False, True):
        expected = answer(game.entry, game.state, Task(is_lowest=is_lowest))
        found = answer(bare, game.state, Task(is_lowest=is_lowest))
        assert found.is_proven
        assert found.value == expected.value
        assert ("alpha-beta" in found.method) is not is_lowest


@pytest.mark.long
def test_a_large_game_is_played_well_in_half_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    game = quet.new("blob", n=10)
    bare = Entry(game.id, game.entry.package)
    bare.__dict__.update(capabilities=NOTHING, strategy=None)
    begun = clock()
    left: list[float | None] = []
    play_round = improve.play_round

    def spied(
        rules: str, local_search: str | None, s: AnyState, seed: int, doubled: int, memory: int, seconds: float | None
    ) -> tuple[list[int], int, int | None]:
        left.append(seconds)
        return play_round(rules, local_search, s, seed, doubled, memory, seconds)

    monkeypatch.setattr(improve, "play_round", spied)
    found = answer(bare, game.state, Task(seconds=4.0, workers=here()))
    assert not found.is_proven
    assert found.witness
    assert left[0] is not None and left[0] > 0.5
    assert clock() - begun < 60


def test_the_clock_is_looked_at_for_each_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """With many moves one position takes milliseconds."""
    game, ticks = quet.new("palindromes", m=12), iter(range(10**6))
    monkeypatch.setattr("quet.solving.by_rules.clock", lambda: float(next(ticks)))
    found = memo(game.rules)
    assert found.value(game.state, until=10.0, report=quiet) is None
    assert found.num_positions <= 10
