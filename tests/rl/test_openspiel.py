"""The games as games of OpenSpiel: its own tests, and agreement with Quet's own play."""

import copy
import importlib.util
import os
import pickle
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quet
from conftest import SMALL

if importlib.util.find_spec("pyspiel") is None and not os.environ.get("CI"):
    pytest.skip("OpenSpiel is not installed; pip install 'quet[rl]' brings it.", allow_module_level=True)

import pyspiel

from quet import catalog
from quet.rl import openspiel
from quet.rl.forms import Form

SIZES = [(id, parameters) for id, sizes in SMALL.items() for parameters in sizes]
EVERY_SIZE = pytest.mark.parametrize(("id", "parameters"), SIZES, ids=[f"{id} {p}" for id, p in SIZES])


def load(id: str, parameters: dict[str, Any]) -> Any:
    return pyspiel.load_game(f"quet_{id.replace('-', '_')}", parameters)


def play_at_random(game: Any, seed: int) -> Iterator[Any]:
    """The state, before the first and after each random action until the game is over."""
    generator = random.Random(seed)
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        state.apply_action(generator.choice(state.legal_actions()))
        yield state


def finished(id: str, parameters: dict[str, Any], seed: int) -> Any:
    *_, state = play_at_random(load(id, parameters), seed)
    return state


def played(name: str, moves: str) -> Any:
    state = pyspiel.load_game(name).new_initial_state()
    for move in moves.split():
        state.apply_action(state.string_to_action(move))
    return state


def planes(state: Any) -> Any:
    return np.array(state.observation_tensor(0)).reshape(state.get_game().observation_tensor_shape())


def test_every_game_of_the_catalog_is_registered() -> None:
    assert {f"quet_{id.replace('-', '_')}" for id in quet.game_ids()} <= set(pyspiel.registered_names())


def test_registering_again_changes_nothing() -> None:
    before = pyspiel.registered_names()
    openspiel.register()
    assert pyspiel.registered_names() == before
    pyspiel.load_game("quet_blob")


@EVERY_SIZE
def test_openspiel_finds_nothing_wrong(id: str, parameters: dict[str, Any]) -> None:
    pyspiel.random_sim_test(load(id, parameters), num_sims=2, serialize=True, verbose=False)


def test_openspiel_finds_nothing_wrong_at_the_usual_size(game_id: str) -> None:
    pyspiel.random_sim_test(load(game_id, {}), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(
    "name",
    [
        "quet_blob(n=20)",
        "quet_convoluted_coprimality(n=20,players=8,grids=1000)",
        "quet_divisors_multiples(r=1000,players=8)",
        "quet_palindromes(m=64)",
        "quet_plusses_minuses(n=20)",
        "quet_sequence_ascension(n=20,sequence=pi)",
        "quet_sums_grid(n=10)",
        "quet_up_and_up(n=20)",
    ],
)
def test_the_largest_sizes_can_be_played(name: str) -> None:
    game = pyspiel.load_game(name)
    for ply, state in enumerate(play_at_random(game, 1)):
        assert state.legal_actions()[-1] < game.num_distinct_actions()
        assert np.isfinite(planes(state)).all()
        assert str(state.clone()) == str(state)
        if ply == 3:
            break


@EVERY_SIZE
def test_a_random_game_agrees_with_quet(id: str, parameters: dict[str, Any]) -> None:
    twin = quet.new(id, **parameters)
    state = load(id, parameters).new_initial_state()
    generator = random.Random(5)
    while not state.is_terminal():
        legal = state.legal_actions()
        assert legal == sorted(set(legal))
        assert [state.action_to_string(action) for action in legal] == playable(twin)
        assert state.current_player() + 1 == twin.mover
        assert state.scores() == twin.scores
        assert state.returns() == [0.0] * twin.num_players
        action = generator.choice(legal)
        twin.play(state.action_to_string(action))
        state.apply_action(action)
    if id == "sums-grid":
        twin.play("done")
    assert twin.is_over
    assert state.scores() == twin.scores
    returns = state.returns()
    if twin.num_players > 1:
        assert [player for player in twin.players if returns[player - 1] == max(returns)] == twin.winners
        assert sum(returns) == pytest.approx(0)
    else:
        assert returns == [float(twin.scores[0])]


def playable(twin: quet.Game) -> list[str]:
    """Quet's legal moves; in sums-grid those that write an empty square."""
    if twin.id != "sums-grid":
        return list(twin.legal_moves)
    written = {move.split("=")[0] for move in twin.moves}
    return [move for move in twin.legal_moves if move.split("=")[0] not in written]


@EVERY_SIZE
def test_no_game_is_longer_or_worth_more_than_promised(id: str, parameters: dict[str, Any]) -> None:
    game = load(id, parameters)
    for seed in range(5):
        *_, state = play_at_random(game, seed)
        assert len(state.history()) <= game.max_game_length()
        assert game.min_utility() <= min(state.returns()) <= max(state.returns()) <= game.max_utility()


@pytest.mark.parametrize(
    ("name", "actions", "longest", "lowest", "highest"),
    [
        ("quet_blob(n=5)", 25, 12, -1, 1),
        ("quet_convoluted_coprimality(n=4,players=3,grids=2)", 16, 30, -0.5, 1),
        ("quet_divisors_multiples(r=6,players=5)", 12, 60, -0.25, 1),
        ("quet_palindromes(m=7)", 14, 7, -1, 1),
        ("quet_plusses_minuses(n=4)", 18, 10, -1, 1),
        ("quet_sequence_ascension(n=3)", 9, 18, 0, 9),
        ("quet_sums_grid(n=3)", 243, 9, 0, 27),
        ("quet_up_and_up(n=6)", 36, 36, 0, 36),
    ],
)
def test_bounds_follow_from_the_parameters(name: str, actions: int, longest: int, lowest: float, highest: int) -> None:
    game = pyspiel.load_game(name)
    assert game.num_distinct_actions() == actions
    assert game.max_game_length() == longest
    assert (game.min_utility(), game.max_utility()) == (lowest, highest)


def test_turns_that_never_stop_of_their_own_will_reach_the_longest_game() -> None:
    state = pyspiel.load_game("quet_divisors_multiples(r=3)").new_initial_state()
    while not state.is_terminal():
        going_on = [action for action in state.legal_actions() if "!" not in state.action_to_string(action)]
        state.apply_action((going_on or state.legal_actions())[0])
    assert len(state.history()) == state.get_game().max_game_length() == 2 * (2 * 3)


@pytest.mark.parametrize(
    ("costs", "returns"),
    [
        ([1, 2, 3], [1, -0.5, -0.5]),
        ([2, 1, 1], [-0.5, 0.25, 0.25]),
        ([1, 1, 1], [0, 0, 0]),
    ],
)
def test_winners_share_what_all_stake(costs: list[int], returns: list[float]) -> None:
    three = Form("divisors-multiples", {"r": 2, "players": 3})
    state = three.start()
    state.cost[1:4] = costs
    assert three.utilities(state) == pytest.approx(returns)


@EVERY_SIZE
def test_a_serialised_state_goes_on_as_the_one_it_was_made_of(id: str, parameters: dict[str, Any]) -> None:
    for state in play_at_random(load(id, parameters), 2):
        for _, twin in (
            pyspiel.deserialize_game_and_state(
                pyspiel.serialize_game_and_state(state.get_game(), state),
            ),
            (None, pickle.loads(pickle.dumps(state))),
            (None, copy.deepcopy(state)),
        ):
            assert str(twin.get_game()) == str(state.get_game())
            assert str(twin) == str(state)
            assert twin.legal_actions() == state.legal_actions()
            assert twin.history() == state.history()
            assert twin.returns() == state.returns()
        if len(state.history()) > 20:
            break


def test_a_clone_shares_nothing_with_its_original(our_game_id: str) -> None:
    state = load(our_game_id, SMALL[our_game_id][1]).new_initial_state()
    before = str(state)
    twin = state.clone()
    while not twin.is_terminal():
        twin.apply_action(twin.legal_actions()[-1])
    assert str(state) == before
    assert state.history() == []


@pytest.mark.parametrize(
    ("sequence", "kept"),
    [
        ("1,2,-2,3", "1 2 -2 3"),
        ("1 2 -2 3", "1 2 -2 3"),
        ("pi", "pi"),
        ("random:3:1:1", "1 1 1 1"),
        ("7,7,7,123456789012345678901234567890", "7 7 7 123456789012345678901234567890"),
    ],
)
def test_a_sequence_survives_being_written(sequence: str, kept: str) -> None:
    game = pyspiel.load_game("quet_sequence_ascension", {"n": 2, "sequence": sequence})
    assert str(game) == f"quet_sequence_ascension(n=2,sequence={kept})"
    assert game.form.parameters == quet.new("sequence-ascension", n=2, sequence=sequence.replace(" ", ",")).parameters
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


def test_a_sequence_from_a_file_is_kept_as_its_terms(tmp_path: Path) -> None:
    file = tmp_path / "b 1.txt"
    file.write_text("1 4\n2 3\n3 2\n4 1\n")
    game = pyspiel.load_game("quet_sequence_ascension", {"n": 2, "sequence": f"file:{file}"})
    assert str(game) == "quet_sequence_ascension(n=2,sequence=4 3 2 1)"


def test_a_parameter_out_of_range_is_refused_in_words() -> None:
    with pytest.raises(quet.BadParameter, match="n must be from 2 to 20"):
        pyspiel.load_game("quet_blob(n=1)")
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'm'"):
        pyspiel.load_game("quet_blob(m=5)")
    with pytest.raises(quet.BadParameter, match="observers"):
        pyspiel.load_game("quet_blob").make_py_observer(None, {"a": 1})
    with pytest.raises(quet.UnknownGame, match="There is no game 'chess'"):
        Form("chess", {})


@pytest.mark.parametrize(
    ("name", "moves", "action", "broken"),
    [
        ("quet_blob(n=3)", "a1", 0, "a1 is filled already"),
        ("quet_blob(n=3)", "a1", 9, "There is no action 9; the actions are 0 to 8"),
        ("quet_blob(n=3)", "a1", -2, "There is no action -2"),
        ("quet_palindromes(m=1)", "1=0", 1, "The game is over"),
        ("quet_divisors_multiples(r=6)", "2!", 2 * (5 - 1), "5 is neither a divisor nor a multiple of 2"),
        ("quet_sums_grid(n=2)", "b1=3", 8 + 4, "b1 holds 3 already, and a square is written once"),
        ("quet_sums_grid(n=2)", "b1=3", 2, "3 stands in b1 already"),
    ],
)
def test_an_illegal_action_is_refused_and_changes_nothing(name: str, moves: str, action: int, broken: str) -> None:
    state = played(name, moves)
    before = str(state), state.history()
    with pytest.raises(quet.IllegalMove, match=re.escape(broken)):
        state.apply_action(action)
    assert (str(state), state.history()) == before


@EVERY_SIZE
def test_text_and_observation_tell_how_a_state_goes_on(id: str, parameters: dict[str, Any]) -> None:
    game = load(id, parameters)
    seen: dict[str, bytes] = {}
    known: dict[bytes, tuple[Any, ...]] = {}
    for seed in range(6):
        for state in play_at_random(game, seed):
            observation = planes(state).tobytes()
            assert seen.setdefault(str(state), observation) == observation
            future = state.current_player(), state.legal_actions(), state.returns()
            assert known.setdefault(observation, future) == future


def test_observations_show_the_board() -> None:
    blob = planes(played("quet_blob(n=3)", "a1"))
    assert blob[0].tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert blob[1].tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert blob[2].min() == 1

    row = planes(played("quet_palindromes(m=3)", "1=0 3=1"))
    assert row.tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]]

    signs = planes(played("quet_plusses_minuses(n=3)", "+ - - + b3"))
    assert signs[0].tolist() == [[0, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert signs[1].tolist() == [[1, 0, 1], [1, 0, 1], [0, 0, 0]]
    assert signs[2:4, 0].tolist() == [[1, 0, 0], [0, 1, 0]]
    assert signs[4:6, :, 0].tolist() == [[0, 1, 0], [1, 0, 0]]

    steps = planes(played("quet_divisors_multiples(r=4)", "2! 4"))
    assert steps[0].tolist() == [1, 1, 0, 0]
    assert steps[1].tolist() == [0, 0, 0, 1]
    assert steps[2].tolist() == [1, 1, 0, 1]
    assert steps[3].tolist() == [0, 0, 0, 1]
    assert steps[4:, 0].tolist() == [1 / 8, 0, 1, 0.5, 0.5]

    path = planes(played("quet_up_and_up(n=3)", "a1 b1"))
    assert path[:3].tolist() == [
        [[1, 1, 0], [0, 0, 0], [0, 0, 0]],
        [[0, 1, 0], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 0, 0], [0, 1, 0]],
    ]
    assert path[3].max() == pytest.approx(2 / 3)

    grid = planes(played("quet_sums_grid(n=2)", "b1=3"))
    assert grid.tolist() == [[[0, 1], [0, 0]], [[0, 3 / 8], [0, 0]]]

    terms = planes(played("quet_sequence_ascension(n=2,sequence=5 3 5 9)", "a1 b1 a2 b2 b1"))
    assert terms[0].min() == 1
    assert terms[1].tolist() == [[2 / 4, 1 / 4], [2 / 4, 3 / 4]]
    assert terms[2].tolist() == terms[3].tolist() == [[0, 1], [0, 0]]
    assert terms[4].tolist() == [[1, 0], [1, 1]]
    assert terms[5].max() == 0

    winding = planes(played("quet_convoluted_coprimality(n=3,players=3)", "b3"))
    assert winding[0].tolist() == [[0, 0, 0], [0, 0, 0], [1, 1, 0]]
    assert winding[1, 2].tolist() == pytest.approx([1 / 9, 2 / 9, 0])
    assert winding[2].sum() == winding[2, 2, 1] == 1
    assert winding[3].tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert winding[4:, 0, 0].tolist() == pytest.approx([1 / 10, 0, 1, 0, 1, 1, 1])


def test_openspiels_tree_search_plays_a_legal_game(our_game_id: str) -> None:
    game = load(our_game_id, SMALL[our_game_id][1])
    twin = quet.new(our_game_id, **SMALL[our_game_id][1])
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    bot = pyspiel.MCTSBot(
        game, evaluator, uct_c=2.0, max_simulations=15, max_memory_mb=10, solve=True, seed=1, verbose=False
    )
    state = game.new_initial_state()
    while not state.is_terminal():
        action = openspiel.mcts_action(bot, state)
        twin.play(state.action_to_string(action))
        state.apply_action(action)
    assert state.scores() == twin.scores
    with pytest.raises(quet.IllegalMove, match="over"):
        openspiel.mcts_action(bot, state)


def test_openspiels_tree_search_sees_a_win() -> None:
    game = pyspiel.load_game("quet_palindromes(m=4)")
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 2000, 10, True, 1, False)
    state = played("quet_palindromes(m=4)", "1=0 2=0 3=0")
    assert state.action_to_string(openspiel.mcts_action(bot, state)) == "4=1"  # 2 and 4, where 0 gives 10 and 0


def test_a_search_of_one_simulation_still_gives_a_legal_action() -> None:
    game = pyspiel.load_game("quet_blob(n=3)")
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 10, True, 1, False)
    state = game.new_initial_state()
    assert openspiel.mcts_action(bot, state) in state.legal_actions()


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)


def test_a_broken_game_of_another_package_is_left_out_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "ids", lambda: ["blob", "lost"])
    monkeypatch.setattr(catalog, "get", {"blob": catalog.get("blob"), "lost": catalog.Entry("lost", "not_there")}.get)
    with pytest.warns(UserWarning, match="lost is broken: "):
        openspiel.register()


def test_a_program_that_used_the_games_ends_well() -> None:
    ended = run("import pyspiel, quet.rl.openspiel; s = pyspiel.load_game('quet_blob(n=3)').new_initial_state()")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_without_openspiel_the_import_says_what_to_install() -> None:
    ended = run("import sys; sys.modules['pyspiel'] = None; import quet.rl.openspiel")
    assert "MissingExtra: OpenSpiel is not installed; pip install 'quet[rl]' brings it." in ended.stderr


def test_the_programs_of_the_page_run() -> None:
    page = Path(__file__).parents[2] / "docs" / "openspiel.md"
    programs = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert programs
    for program in programs:
        ended = run(program)
        assert (ended.returncode, ended.stderr) == (0, ""), ended.stderr
