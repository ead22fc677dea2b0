"""Answers of the solvers against playing every game by the plain rules."""

import importlib
import itertools
import random
from dataclasses import replace
from typing import Any

import pytest

import quet
from quet.core.clock import clock
from quet.core.errors import BadParameter, TooLarge
from quet.core.rules import difference, legal_moves, module_name
from quet.core.state import copy
from quet.distribution.task import Answer, Task
from quet.distribution.workers import Processes
from quet.engine.tree import TreeSearch
from quet.games.divisors_multiples import claims as wishing
from quet.knowledge.values import exact_values
from quet.solving import improve, perfect, questions
from quet.solving.ask import answer, known
from quet.solving.valuers import ByTable

TWO_PLAYERS: list[tuple[str, dict[str, int]]] = [
    ("blob", {"n": 2}),
    ("blob", {"n": 3}),
    ("blob", {"n": 4}),
    ("convoluted-coprimality", {"n": 2, "grids": 1}),
    ("convoluted-coprimality", {"n": 3, "grids": 3}),
    ("convoluted-coprimality", {"n": 4, "grids": 2}),
    ("convoluted-coprimality", {"n": 5, "grids": 1}),
    ("divisors-multiples", {"r": 2}),
    ("divisors-multiples", {"r": 3}),
    ("divisors-multiples", {"r": 4}),
    ("divisors-multiples", {"r": 5}),
    ("palindromes", {"m": 1}),
    ("palindromes", {"m": 4}),
    ("palindromes", {"m": 7}),
    ("plusses-minuses", {"n": 2, "second_part_first": 1}),
    ("plusses-minuses", {"n": 2, "second_part_first": 2}),
    ("plusses-minuses", {"n": 3, "second_part_first": 1}),
    ("plusses-minuses", {"n": 3, "second_part_first": 2}),
]
SOLITAIRES: list[tuple[str, dict[str, Any]]] = [
    *(("up-and-up", {"n": n}) for n in range(1, 5)),
    ("sequence-ascension", {"n": 2}),
    ("sequence-ascension", {"n": 2, "sequence": "2,1,2,1"}),
]


def ask(game: quet.Game, task: Task | None = None) -> Answer:
    return answer(game.entry, game.state, task or Task())


def by_playing_every_game(game: quet.Game, *, is_lowest: bool = False) -> tuple[int, list[int]]:
    """The value and all first moves that keep it. Each position stores only by how much the scores still change."""
    rules = game.rules

    def frozen(s: Any) -> tuple[Any, ...]:
        left_out = {"blob": {"edge", "place"}, "divisors-multiples": {"cost"}}.get(game.id, set())
        names = [name for name in s.__slots__ if name not in left_out]
        if game.id == "up-and-up":
            return tuple(number > 0 for number in s.numbers[: s.n * s.n]), s.last, s.step
        return tuple(tuple(v) if isinstance(v, list) else v for v in (getattr(s, name) for name in names))

    known: dict[tuple[Any, ...], int] = {}

    def still(s: Any) -> int:
        key = frozen(s)
        if key not in known:
            known[key] = 0 if rules.is_over(s) else best(s)(worth(s).values())
        return known[key]

    def worth(s: Any) -> dict[int, int]:
        found = {}
        for move in legal_moves(rules, s):
            after = copy(s)
            rules.play(after, move)
            found[move] = difference(rules, after) - difference(rules, s) + still(after)
        return found

    def best(s: Any) -> Any:
        if game.num_players == 1:
            return min if is_lowest else max
        return max if (rules.mover(s) == 1) != rules.LOWER_IS_BETTER else min

    moves = worth(game.state)
    value = best(game.state)(moves.values())
    return difference(rules, game.state) + value, [move for move, change in moves.items() if change == value]


def replayed(game: quet.Game, moves: list[int]) -> quet.Game:
    twin = game.copy()
    for move in moves:
        twin.play(game.rules.move_text(game.state, move))
    return twin


@pytest.mark.parametrize(("id", "parameters"), TWO_PLAYERS, ids=str)
def test_the_value_and_the_best_moves_are_those_of_playing_every_game(id: str, parameters: dict[str, int]) -> None:
    game = quet.new(id, **parameters)
    found = ask(game)
    assert found.is_proven
    assert found.has_all_best
    assert (found.value, found.best_moves) == by_playing_every_game(game)
    assert found.low == found.high == found.value
    end = replayed(game, found.witness)
    assert end.is_over
    assert end.scores[0] - end.scores[1] == found.value


@pytest.mark.parametrize("is_lowest", [False, True])
@pytest.mark.parametrize(("id", "parameters"), SOLITAIRES, ids=str)
def test_the_scores_of_a_solitaire_are_those_of_playing_every_game(
    id: str, parameters: dict[str, Any], is_lowest: bool
) -> None:
    game = quet.new(id, **parameters)
    found = ask(game, Task(is_lowest=is_lowest))
    assert found.is_proven
    assert found.value == by_playing_every_game(game, is_lowest=is_lowest)[0]
    end = replayed(game, found.witness)
    assert end.is_over
    assert end.scores == [found.value]


def compact_game(game: quet.Game) -> Any:
    return importlib.import_module(game.entry.capabilities.compact)


@pytest.mark.parametrize("m", [8, 11, 12])
def test_the_table_and_alpha_beta_agree_on_palindromes(m: int) -> None:
    game = quet.new("palindromes", m=m)
    by_table = perfect.solve(game.rules, game.entry.capabilities, game.state, Task())
    by_search = questions.solve(game.rules, game.entry.capabilities, game.state, Task())
    assert by_table is not None
    assert (by_table.value, by_table.best_moves) == (by_search.value, by_search.best_moves)
    assert by_table.method != by_search.method


@pytest.mark.parametrize(
    ("id", "parameters"),
    [
        ("blob", {"n": 5}),
        ("plusses-minuses", {"n": 5}),
        ("plusses-minuses", {"n": 5, "second_part_first": 2}),
    ],
    ids=str,
)
def test_alpha_beta_over_the_rules_and_over_bits_agree(id: str, parameters: dict[str, int]) -> None:
    game = quet.new(id, **parameters)
    capabilities = game.entry.capabilities
    by_bits = questions.solve(game.rules, capabilities, game.state, Task(workers=Processes(1)))
    without = replace(capabilities, compact="")
    by_rules = questions.solve(game.rules, without, game.state, Task(workers=Processes(1)))
    assert by_bits.has_all_best
    assert (by_bits.value, by_bits.best_moves) == (by_rules.value, by_rules.best_moves)
    assert by_bits.witness == by_rules.witness


@pytest.mark.parametrize(
    ("id", "parameters"),
    [
        ("blob", {"n": 2}),
        ("blob", {"n": 7}),
        ("plusses-minuses", {"n": 2}),
        ("plusses-minuses", {"n": 9}),
        ("plusses-minuses", {"n": 6, "second_part_first": 2}),
    ],
    ids=str,
)
def test_a_compact_game_is_the_same_game(id: str, parameters: dict[str, int]) -> None:
    game = quet.new(id, **parameters)
    rules, compact = game.rules, compact_game(game)
    generator = random.Random(1)
    for _ in range(30):
        s = copy(game.state)
        t = compact.of(s)
        while not rules.is_over(s):
            assert not compact.is_over(t)
            assert legal_moves(rules, s) == legal_moves(compact, t)
            assert rules.mover(s) == compact.mover(t)
            low, high = compact.reach(t)
            move = generator.choice(legal_moves(rules, s))
            rules.play(s, move)
            compact.play(t, move)
            assert compact.of(s) == t
            after = compact.reach(t)
            assert low <= after[0] <= after[1] <= high
        assert compact.is_over(t)
        assert [rules.score(s, player) for player in (1, 2)] == [compact.score(t, player) for player in (1, 2)]
        assert compact.reach(t)[0] <= difference(rules, s) <= compact.reach(t)[1]


@pytest.mark.parametrize(("id", "size"), [("blob", 3), ("blob", 4), ("plusses-minuses", 3), ("plusses-minuses", 4)])
def test_compact_positions_of_one_key_go_on_alike(id: str, size: int) -> None:
    """A search without keys finds the same change of the scores."""
    game = quet.new(id, n=size)
    compact = compact_game(game)
    worth: dict[object, int] = {}

    def value(s: Any) -> int:
        if compact.is_over(s):
            return difference(compact, s)
        afterwards = []
        for move in legal_moves(compact, s):
            after = copy(s)
            compact.play(after, move)
            afterwards.append(value(after))
        return (max if compact.mover(s) == 1 else min)(afterwards)

    generator = random.Random(2)
    num_alike = 0
    for _ in range(300):
        s = compact.of(game.state)
        plies = 2 * (size * size // 4) if id == "blob" else 3 * size - 2
        for _ in range(generator.randint(plies - 4, plies - 2)):
            compact.play(s, generator.choice(legal_moves(compact, s)))
        still = value(s) - compact.settled(s)
        num_alike += compact.key(s) in worth
        assert worth.setdefault(compact.key(s), still) == still
    assert num_alike > 20


def test_moves_that_a_symmetry_joins_are_all_told() -> None:
    found = ask(quet.new("blob", n=4))
    assert len(found.best_moves) == 16


def counted(task: Task) -> int:
    """The positions that the task's notes tell of."""
    return sum(note[1] for name, note in task.notes.items() if name != "line")


@pytest.mark.parametrize("num_kept", [1, 5, 20])
def test_what_is_noted_is_not_asked_again_nor_counted_twice(num_kept: int) -> None:
    game = quet.new("blob", n=5)
    whole = Task()
    found = ask(game, whole)
    assert ask(game, Task(notes=dict(whole.notes))) == found
    kept = dict(itertools.islice(whole.notes.items(), num_kept))
    again = Task(notes=dict(kept))
    resumed = ask(game, again)
    assert (resumed.value, resumed.best_moves, resumed.witness) == (found.value, found.best_moves, found.witness)
    assert {name: again.notes[name] for name in kept} == kept
    assert found.nodes - counted(whole) == resumed.nodes - counted(again) < 300  # of the first plies


def test_a_solve_that_is_stopped_says_what_it_knows() -> None:
    found = ask(quet.new("blob", n=7), Task(seconds=0.3))
    assert not found.is_proven
    assert found.value is None
    assert found.low is not None
    assert found.high is not None
    assert -7 <= found.low <= 0 < found.high <= 7
    assert found.witness


def test_a_table_that_does_not_fit_is_done_without() -> None:
    game = quet.new("palindromes", m=14)
    small = perfect.valuer(game.rules, game.entry.capabilities, game.state, Task(memory=2**16))
    assert not isinstance(small, ByTable)


def test_a_memory_too_small_is_a_sentence() -> None:
    with pytest.raises(TooLarge, match=r"The search needs [0-9]+ MB of memory"):
        ask(quet.new("divisors-multiples", r=20), Task(memory=2**16))


def test_a_memory_that_no_machine_has_is_told_in_short() -> None:
    game = quet.new("divisors-multiples", r=1000, players=8)
    with pytest.raises(TooLarge, match=r"The search needs more than 10\^298 MB of memory and may use 1536 MB\."):
        ask(game)


def test_a_question_without_sense_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadParameter, match="Only solitaires have a lowest score"):
        ask(quet.new("blob", n=3), Task(is_lowest=True))
    game = quet.new("divisors-multiples", r=4, players=3)
    monkeypatch.setitem(game.entry.__dict__, "solve", None)
    monkeypatch.delattr(wishing, "wish")
    with pytest.raises(BadParameter, match="doesn't say what each of three and more players wants"):
        ask(game)


@pytest.mark.parametrize(
    ("id", "parameters"),
    [
        pytest.param("blob", {"n": 20}, marks=pytest.mark.long),
        ("convoluted-coprimality", {"n": 20, "grids": 1000}),
        pytest.param("divisors-multiples", {"r": 30}, marks=pytest.mark.long),
        ("palindromes", {"m": 64}),
        ("plusses-minuses", {"n": 20}),
        ("sequence-ascension", {"n": 6}),
        ("sums-grid", {"n": 5}),
        ("up-and-up", {"n": 20}),
    ],
    ids=str,
)
def test_no_size_is_refused(id: str, parameters: dict[str, int]) -> None:
    game = quet.new(id, **parameters)
    found = ask(game, Task(seconds=0.5))
    assert found.witness
    replayed(game, found.witness)
    if game.num_players == 1:
        assert replayed(game, found.witness).scores == [found.value] == [found.low]


def test_a_game_too_long_to_be_ended_after_the_time_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(improve, "FINISHING", 0.0)
    found = ask(quet.new("divisors-multiples", r=1000), Task(seconds=0.1, workers=Processes(1)))
    assert (found.witness, found.best_moves, found.is_proven) == ([], [], False)
    assert found.nodes > 0


def test_a_game_is_ended_by_chance_though_its_search_was_late(monkeypatch: pytest.MonkeyPatch) -> None:
    late, search = [0.0], TreeSearch.run

    def run(self: TreeSearch, **given: Any) -> Any:
        late[0] += 10 * improve.FINISHING
        return search(self, **given)

    monkeypatch.setattr(TreeSearch, "run", run)
    monkeypatch.setattr(improve, "clock", lambda: clock() + late[0])
    game = quet.new("divisors-multiples")
    found = known(game.entry, game.state, Task(seconds=0.0, workers=Processes(1)))
    assert replayed(game, found.witness).is_over


def test_a_method_that_was_tried_twice_is_told_once() -> None:
    game = quet.new("divisors-multiples", r=1000)
    found = known(game.entry, game.state, Task(seconds=0.0, workers=Processes(1)))
    assert found.method == "tree search, game after game"


def test_nothing_is_compiled_once_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("compiled")

    for engine in ("tree", "annealing"):
        monkeypatch.setattr(f"quet.engine.{engine}.compiled", refuse)
    for game in (quet.new("plusses-minuses", n=8), quet.new("sums-grid", n=5)):
        state = game.state
        search = game.entry.local_search
        name = None if search is None else module_name(search)
        moves, nodes, score = improve.play_round(module_name(game.rules), name, state, 0, 0, 2**28, 0.0)
        assert moves and nodes and score is not None


def test_the_best_game_met_is_the_lowest_where_that_is_asked_for() -> None:
    nothing = improve.Kept(rounds=0, nodes=0, moves=[], score=None)
    rounds: list[tuple[list[int], int, int | None]] = [([1], 1, 5), ([2], 1, 3), ([3], 1, 4)]
    kept = improve._best(nothing, rounds, is_last=False, is_lowest=True)
    assert (kept["moves"], kept["score"]) == ([2], 3)
    game = quet.new("up-and-up", n=3)
    found = improve._answer(game.rules, None, None, game.state, kept, is_lowest=True)
    assert (found.value, found.low, found.high) == (3, None, 3)


def test_all_best_moves_are_found_where_player_2_is_to_move() -> None:
    game = quet.new("plusses-minuses", n=6).after("+")
    found, values = quet.solve(game), exact_values(game)
    assert values is not None and found.has_all_best
    assert set(found.best_moves) == {move for move, value in values.items() if value == max(values.values())}
