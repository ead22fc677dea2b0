"""States that programs give as arrays: those of another size and wrong numbers are refused by every game."""

from typing import Any

import numpy as np
import pytest

import quet
import quet.rl
from conftest import SMALL
from quet.contract.capable import learners_see_what_matters
from quet.core.errors import BrokenRules
from quet.core.state import fields
from quet.rl.forms import Form

OTHER = {id: [(one, two) for one in sizes for two in sizes if one is not two] for id, sizes in SMALL.items()}


def some_states(game: quet.Game, num: int = 8) -> Any:
    """States from the games of a batch, three moves after the beginning or less."""
    games = quet.rl.batch(game, num, threads=1)
    kept = [games.states.copy()]
    for _ in range(3):
        games.step(games.random_actions())
        kept.append(games.states.copy())
    return np.concatenate(kept)[-num:]


def test_states_of_another_size_are_refused(our_game_id: str) -> None:
    for mine, theirs in OTHER[our_game_id]:
        states = some_states(quet.new(our_game_id, **theirs))
        games = quet.rl.batch(quet.new(our_game_id, **mine), len(states), threads=1)
        before = games.states.copy()
        with pytest.raises(quet.BadParameter, match=r"^State 0 of those given is no position of"):
            games.resume(states)
        assert np.array_equal(before, games.states)


def test_states_with_a_number_that_cannot_be_are_refused(our_game_id: str) -> None:
    """Each field in turn, as far as the rules read it; nothing is stepped on with what is let pass wrongly."""
    for parameters in SMALL[our_game_id]:
        form = Form(our_game_id, parameters)
        games = quet.rl.batch(quet.new(our_game_id, **parameters), 1, threads=1)
        for name, length in fields(type(form.start())).items():
            for wrong in (-7, 30_000):
                states = games.states.copy()
                if length is None:
                    states[name] = wrong
                else:
                    states[name][:] = wrong
                if our_game_id == "blob" and name in ("edge", "place"):
                    continue  # nothing is read of the list while there is no edge
                if our_game_id == "sums-grid" and name == "numbers" and wrong > 0:
                    states[name][:] = 10**9 + 1
                with pytest.raises(quet.BadParameter, match=r"^State 0 of those given is no position of"):
                    games.resume(states)


def test_random_bytes_are_refused(our_game_id: str) -> None:
    generator = np.random.default_rng(1)
    games = quet.rl.batch(quet.new(our_game_id, **SMALL[our_game_id][-1]), 1, threads=1)
    for _ in range(200):
        content = generator.integers(0, 256, games.states.nbytes, dtype=np.uint8).tobytes()
        with pytest.raises(quet.BadParameter):
            games.resume(np.frombuffer(content, games.states.dtype))


def test_states_with_a_few_other_numbers_are_refused_or_can_be_played_on(our_game_id: str) -> None:
    generator = np.random.default_rng(2)
    game = quet.new(our_game_id, **SMALL[our_game_id][1])
    games, starts = quet.rl.batch(game, 1, threads=1), some_states(game)
    num_refused = 0
    for trial in range(400):
        states = starts[trial % 8 : trial % 8 + 1].copy()
        for name in generator.choice(states.dtype.names, 2):
            numbers = states[name].reshape(-1)
            numbers[generator.integers(min(len(numbers), 12))] = generator.integers(-2, 9)
        try:
            games.resume(states)
        except quet.BadParameter:
            num_refused += 1
            continue
        for _ in range(10):
            games.step(games.random_actions())
            Form(our_game_id, game.parameters).scores(games.position(0).state)
    assert num_refused > 40


def test_a_state_from_which_nothing_can_be_played_is_refused() -> None:
    game = quet.new("divisors-multiples", r=4)
    games, oracle = quet.rl.batch(game, 1, threads=1), quet.rl.oracle(game)
    states = games.states.copy()
    states["current"], states["num_taken"], states["num_steps"] = 3, 3, 7  # the last step of the turn must stop
    states["is_taken"][0, 1:5] = 1, 1, 1, 0
    for take in (games.resume, oracle.look_up):
        with pytest.raises(
            quet.BadParameter, match=r"^State 0 of those given is no position of divisors-multiples r=4 "
        ):
            take(states)
    states["num_steps"] = 6
    assert games.resume(states).masks.sum() == 1 and oracle.look_up(states).positions.tolist() == [10]


def test_every_position_is_one(our_game_id: str) -> None:
    for parameters in SMALL[our_game_id]:
        game = quet.new(our_game_id, **parameters)
        games, other = (quet.rl.batch(game, 16, threads=1) for _ in range(2))
        for _ in range(60):
            games.step(games.random_actions())
            assert np.array_equal(other.resume(games.states).masks, games.masks)


def test_an_oracle_looks_up_no_states_of_another_size() -> None:
    oracle = quet.rl.oracle(quet.new("palindromes", m=6))
    for states in (
        quet.positions(quet.new("palindromes", m=8)).states[1000:1064],
        some_states(quet.new("palindromes", m=5)),
    ):
        with pytest.raises(quet.BadParameter, match=r"no position of palindromes m=6\.$"):
            oracle.look_up(states)
    wrong = some_states(quet.new("palindromes", m=6))
    wrong["digits"][3, 2] = 5
    with pytest.raises(quet.BadParameter, match="State 3 of those given"):
        oracle.look_up(wrong)


def test_an_oracle_of_a_late_position_does_not_take_what_its_table_has_not() -> None:
    early = quet.new("palindromes", m=8)
    late = quet.position("palindromes", "10.1.0..")
    states = some_states(early)
    wanted = quet.rl.oracle(early).look_up(states)
    found = quet.rl.oracle(late).look_up(states)
    assert np.array_equal(found.positions, wanted.positions) and np.array_equal(found.actions, wanted.actions)


def test_a_game_that_does_not_say_what_a_position_is_compares_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(quet.catalog.get("palindromes").__dict__, "observe", None)
    games, others = (quet.rl.batch(quet.new("palindromes", m=m), 2, threads=1) for m in (5, 6))
    with pytest.raises(quet.BadParameter, match=r"no position of palindromes m=5\.$"):
        games.resume(others.states)
    assert games.resume(games.states).masks.all()


def test_large_numbers_and_full_grids_of_sums() -> None:
    game = quet.new("sums-grid", n=2)
    game.play("a1=1000000000")
    games = quet.rl.batch(game, 2, threads=1)
    assert games.masks.sum(axis=1).tolist() == [24, 24]
    assert np.array_equal(games.masks[0], Form("sums-grid", {"n": 2}).mask(game.state))
    for move in ("b1=1", "a2=2", "b2=3"):
        game.play(move)
    with pytest.raises(quet.BadParameter, match=r"^There is no action at this position"):
        quet.rl.batch(game, 2)


def test_the_contract_asks_whether_every_position_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = quet.catalog.get("blob")
    learners_see_what_matters(entry)
    monkeypatch.setattr(entry.observe, "is_position", lambda s, first: s.ply < 2)
    with pytest.raises(BrokenRules, match=r"^is_position doesn't know a position of "):
        learners_see_what_matters(entry)


def test_the_contract_compares_moves_with_what_actions_play(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = quet.catalog.get("divisors-multiples")
    monkeypatch.setattr(entry.observe, "moves", lambda s, action: (action + 3,))  # it is + 2
    with pytest.raises(BrokenRules, match=r"^`moves` isn't what `play` makes of an action in "):
        learners_see_what_matters(entry)
