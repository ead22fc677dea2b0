"""Environments and batches: the suites of Gymnasium and PettingZoo, and both against the plain rules."""

import warnings
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match

import quet
import quet.rl
from conftest import SMALL
from quet import catalog
from quet.capabilities import NOTHING
from quet.rl.batches import Batch
from quet.rl.forms import Form
from quet.rl.gym import environment_id

with warnings.catch_warnings():  # its suite imports a game of its own in a way that it calls deprecated
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test
    from pettingzoo.test.bombardment_test import bombardment_test
    from pettingzoo.test.state_test import test_state as goes_through_states
    from pettingzoo.test.state_test import test_state_space as has_a_space_of_states
    from pettingzoo.utils import BaseWrapper
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

SIZES = [(id, parameters) for id, sizes in SMALL.items() for parameters in sizes[:3]]
SOLITAIRES = [(id, parameters) for id, parameters in SIZES if Form(id, parameters).num_players == 1]
TABLES = [(id, parameters) for id, parameters in SIZES if Form(id, parameters).num_players > 1]
each_size = pytest.mark.parametrize(("id", "parameters"), SIZES, ids=[f"{id} {p}" for id, p in SIZES])
each_solitaire = pytest.mark.parametrize(("id", "parameters"), SOLITAIRES, ids=[f"{id} {p}" for id, p in SOLITAIRES])
each_table = pytest.mark.parametrize(("id", "parameters"), TABLES, ids=[f"{id} {p}" for id, p in TABLES])
MODES = ("rgb_array", "ansi", "svg")


@each_solitaire
def test_a_solitaire_is_an_environment_of_gymnasium(id: str, parameters: dict[str, Any]) -> None:
    env = gymnasium.make(environment_id(id), **parameters)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*(minimum|maximum).*infinity.*")
        check_env(env.unwrapped)
    for mode in MODES:
        shown = gymnasium.make(environment_id(id), render_mode=mode, **parameters)
        shown.reset()
        picture = shown.render()
        assert picture.shape[2] == 3 if mode == "rgb_array" else picture.strip()  # type: ignore[union-attr]


@each_size
def test_the_numbers_of_planes_are_those_that_the_page_tells(id: str, parameters: dict[str, Any]) -> None:
    """From 0 to 1, but for what players have paid; also at the ends of games."""
    games = quet.rl.batch(quet.new(id, **parameters), 64, threads=1)
    games.reset(4)
    is_small = [not name.startswith("cost ") for name in games.planes]
    assert all(is_small) is (id != "divisors-multiples")
    for _ in range(200):
        for seen in (games.observations, games.final_observations):
            assert (seen >= 0).all() and (seen[:, is_small] <= 1).all()
        games.step(games.random_actions())


@each_solitaire
def test_compiled_and_plain_rules_make_one_environment(id: str, parameters: dict[str, Any]) -> None:
    compiled, plain = (gymnasium.make(environment_id(id), compiled=fast, **parameters) for fast in (True, False))
    check_environments_match(compiled, plain, 60)


@each_solitaire
def test_rewards_add_up_to_the_score(id: str, parameters: dict[str, Any]) -> None:
    env = gymnasium.make(environment_id(id), **parameters)
    _, info = env.reset()
    total, ended = 0.0, False
    while not ended:
        action = env.action_space.sample(info["action_mask"])
        _, reward, ended, cut, info = env.step(action)
        total += float(reward)
        assert "illegal" not in info
        assert not cut
    assert total == info["score"]
    assert not info["action_mask"].any()


def test_an_illegal_action_plays_the_first_legal_one_and_says_why() -> None:
    env = gymnasium.make("quet/UpAndUp-v1", n=3, illegal_reward=-5)
    env.reset()
    env.step(4)
    _, reward, _, _, info = env.step(4)
    assert (reward, info["score"]) == (-4.0, 2)
    assert info["illegal"] == "b2 holds 1 already."


@each_table
def test_a_table_is_an_environment_of_pettingzoo(
    id: str, parameters: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(quet.rl.aec(id, **parameters), num_cycles=30)
        seed_test(lambda: quet.rl.aec(id, **parameters), num_cycles=10)
        has_a_space_of_states(quet.rl.aec(id, **parameters))
        goes_through_states(quet.rl.aec(id, **parameters), 10)
        render_test(lambda render_mode="ansi": quet.rl.aec(id, render_mode=render_mode, **parameters), {"svg": _is_svg})
    capsys.readouterr()


class Returning(BaseWrapper):  # type: ignore[misc] # PettingZoo has no types
    """A table whose `step` returns the next observation: bombardment_test wants that; api_test forbids it (1.27)."""

    def step(self, action: Any) -> Any:
        super().step(action)
        return self.env.observe(self.env.agent_selection)


@each_table
def test_a_table_stands_the_bombardment_of_pettingzoo(
    id: str, parameters: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation numpy array is all zeros")  # an empty board
        bombardment_test(Returning(quet.rl.aec(id, **parameters)), cycles=30)
    capsys.readouterr()


STRICT = [("blob", "n", (4, 5, 6)), ("palindromes", "m", (8, 9, 10)), ("plusses-minuses", "n", (4, 5, 6))]


@pytest.mark.parametrize(("id", "size", "numbers"), STRICT)
def test_games_of_strict_turns_are_cut_off_as_pettingzoo_wants_it(id: str, size: str, numbers: tuple[int, ...]) -> None:
    """Each action of one agent is a step of the parallel environment, so that there four cycles are four actions."""

    def env(max_cycles: int, **parameters: Any) -> Any:
        return quet.rl.aec(id, longest=2 * max_cycles, **parameters)

    def parallel_env(max_cycles: int, **parameters: Any) -> Any:
        return turn_based_aec_to_parallel(quet.rl.aec(id, longest=max_cycles, **parameters))

    for number in numbers:
        parameters = {size: number}
        max_cycles_test(
            SimpleNamespace(env=partial(env, **parameters), parallel_env=partial(parallel_env, **parameters))
        )


@each_table
def test_any_number_is_an_action_of_a_table(id: str, parameters: dict[str, Any]) -> None:
    """Illegal ones too, of which no suite of PettingZoo has any."""
    table, chance = quet.rl.aec(id, **parameters), np.random.default_rng(2)
    for _ in range(3):
        table.reset()
        for agent in table.agent_iter():
            seen, _, ended, cut, _ = table.last()
            assert table.observation_space(agent).contains(seen)
            table.step(None if ended or cut else int(chance.integers(-2, table.form.bounds.num_actions + 2)))
        assert not table.agents


def _is_svg(shown: object) -> bool:
    return isinstance(shown, str) and shown.startswith("<svg")


@each_table
@pytest.mark.parametrize(
    "reward", ["win", *(pytest.param(name, marks=pytest.mark.long) for name in ("margin", "score"))]
)
def test_compiled_and_plain_tables_are_the_same(id: str, parameters: dict[str, Any], reward: Any) -> None:
    tables = [quet.rl.aec(id, reward=reward, compiled=fast, **parameters) for fast in (True, False)]
    for table in tables:
        table.reset()
    chance = np.random.default_rng(1)
    totals = dict.fromkeys(tables[0].agents, 0.0)
    while not any(tables[0].terminations.values()):
        seen = [table.observe(table.agent_selection) for table in tables]
        assert tables[0].agent_selection == tables[1].agent_selection
        assert np.array_equal(seen[0], seen[1])
        masks: list[Any] = [table.infos[table.agent_selection]["action_mask"] for table in tables]
        assert np.array_equal(masks[0], masks[1])
        action = int(chance.choice(np.flatnonzero(masks[0])))
        for table in tables:
            table.step(action)
        assert tables[0].rewards == pytest.approx(tables[1].rewards)
        totals = {agent: total + tables[0].rewards[agent] for agent, total in totals.items()}
    scores = tables[0].scores()
    assert scores == tables[1].scores()
    if reward == "score":
        sign = -1 if tables[0].form.rules.LOWER_IS_BETTER else 1
        assert list(totals.values()) == [sign * score for score in scores]
    elif reward == "win":
        assert sum(totals.values()) == pytest.approx(0, abs=1e-5)


@each_size
def test_a_batch_plays_as_the_plain_rules_do(id: str, parameters: dict[str, Any]) -> None:
    games = quet.rl.batch(quet.new(id, **parameters), 7, threads=2)
    form = Form(id, parameters)
    states = [form.start() for _ in range(7)]
    for _ in range(40):
        for i, s in enumerate(states):
            seen = np.zeros(form.bounds.shape, np.float32)
            form.observe(s, seen)
            assert np.array_equal(games.observations[i], seen)
            assert np.flatnonzero(games.masks[i]).tolist() == form.legal_actions(s)
            assert games.movers[i] == form.mover(s) - 1
        actions = games.random_actions()
        games.step(actions)
        assert not games.illegal.any()
        for i, action in enumerate(actions.tolist()):
            form.play(states[i], action)
            assert games.ended[i] == (form.mover(states[i]) == 0)
            if games.ended[i]:
                assert games.scores(i, final=True) == form.scores(states[i])
                states[i] = form.start()


@pytest.mark.parametrize("num_actions", [6, 64, 80, 128])
def test_random_actions_are_legal_and_all_equally_likely(num_actions: int) -> None:
    games = quet.rl.batch(quet.new("palindromes", m=num_actions // 2), 2000, threads=1)
    assert games.masks.shape[1] == num_actions
    for legal in ([0], [num_actions - 1], [1, 3], range(0, num_actions, 5), [2, num_actions // 2, num_actions - 1]):
        games.masks[:] = False
        games.masks[:, list(legal)] = True
        counts = np.bincount(games.random_actions(), minlength=num_actions)
        assert np.flatnonzero(counts).tolist() == list(legal)
        expected = games.num / len(legal)
        assert np.abs(counts[list(legal)] - expected).max() < 6 * expected**0.5


def test_what_is_seen_makes_no_list_where_the_rules_make_none() -> None:
    # Else compiled code counts the references to every array of every game.
    for id in quet.game_ids():
        entry = catalog.get(id)
        if not getattr(entry.rules, "ALLOCATES", True):
            assert getattr(entry.observe, "ALLOCATES", True) is False, id


@pytest.mark.parametrize("compiled", [False, True])
def test_who_gives_an_illegal_action_alone_pays_for_it(*, compiled: bool) -> None:
    env = quet.rl.aec("palindromes", m=8, illegal_reward=-3.0, compiled=compiled)
    env.reset()
    for number, action in enumerate([0, -1, -1]):
        env.step(action)
        pays = number % 2 + 1 if action < 0 else 0
        assert env.rewards == {f"player_{player}": -3.0 if player == pays else 0.0 for player in (1, 2)}


def test_a_reward_for_illegal_actions_can_change_on_the_way() -> None:
    games = quet.rl.batch(quet.new("palindromes", m=8), 2, threads=1)
    assert games.step([-1, 0]).rewards.tolist() == [[-1, 0], [0, 0]]
    games.illegal_reward = -3.0
    assert games.step([0, 1]).rewards.tolist() == [[0, -3], [0, -3]]


def test_a_batch_of_a_game_that_says_nothing_sees_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = quet.catalog.get("palindromes")
    monkeypatch.setitem(entry.__dict__, "observe", None)
    test_a_batch_plays_as_the_plain_rules_do("palindromes", {"m": 5})


def test_a_solitaire_that_only_says_how_long_it_is_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    inside = quet.catalog.get("up-and-up").__dict__
    monkeypatch.setitem(inside, "observe", None)
    monkeypatch.setitem(inside, "capabilities", NOTHING)
    with pytest.raises(quet.BadParameter, match="no bound to its length"):
        gymnasium.make("quet/UpAndUp-v1", n=4)
    for said, longest in ((5, 5), (2**40, 2**31 - 1)):
        plies = SimpleNamespace(most_plies=lambda s, said=said: said)
        monkeypatch.setitem(inside, "capabilities", replace(NOTHING, plies=plies))
        assert Form("up-and-up", {"n": 4}).bounds.longest == longest
        if said == longest:
            gymnasium.make("quet/UpAndUp-v1", n=4).close()


def test_a_batch_refuses_what_it_cannot_do() -> None:
    game = quet.new("palindromes", m=3)
    with pytest.raises(quet.BadParameter, match="There is no reward 'gold'"):
        quet.rl.batch(game, 4, reward="gold")  # type: ignore[arg-type]
    with pytest.raises(quet.BadParameter, match="4 integers"):
        quet.rl.batch(game, 4, threads=1).step([1.5] * 4)
    with pytest.raises(quet.BadParameter, match="take more than 16 GB"):
        quet.rl.batch(quet.new("sums-grid", n=10), 2**20)
    for move in ("1=0", "2=0", "3=0"):
        game.play(move)
    with pytest.raises(quet.BadParameter, match="The game is over"):
        quet.rl.batch(game, 4)
    with pytest.raises(quet.BadParameter, match="is no solitaire"):
        gymnasium.make("quet/UpAndUp-v1", game="blob")
    with pytest.raises(quet.BadParameter, match="is a solitaire"):
        quet.rl.aec("up-and-up")


def test_a_batch_without_enough_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object, **named: object) -> None:
        raise MemoryError

    monkeypatch.setattr("quet.rl.batches.np.zeros_like", full)
    with pytest.raises(quet.BadParameter, match=r"^There is too little memory for 5 games of this size\.$"):
        quet.rl.batch(quet.new("palindromes", m=3), 5, threads=1)


def test_a_game_is_cut_off_after_as_many_actions_as_one_says() -> None:
    games = Batch(Form("palindromes", {"m": 6}), 2, longest=4)
    games.reset(1)
    for ply in range(4):
        games.step(games.random_actions())
        assert games.cut.tolist() == [ply == 3] * 2
    assert not games.ended.any()
    assert not games.final_observations[0, 0].all()


def test_the_end_of_a_game_that_is_cut_off_shows_whose_turn_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(quet.catalog.get("palindromes").__dict__, "observe", None)
    games = Batch(Form("palindromes", {"m": 4}), 1, longest=3)
    for _ in range(3):
        games.step([0])
    assert games.cut.tolist() == [True] and games.final_observations[0, :2].ravel().tolist() == [0, 1]
    ended = Batch(Form("palindromes", {"m": 4}), 1)
    for _ in range(4):
        ended.step([0])
    assert ended.ended.tolist() == [True] and not ended.final_observations[0, :2].any()


@pytest.mark.parametrize("limit", ["longest", "max_episode_steps"])
@pytest.mark.parametrize("compiled", [True, False])
def test_the_last_mask_of_a_solitaire_that_is_cut_off_is_that_of_its_position(limit: str, compiled: bool) -> None:
    given: Any = {"n": 4, limit: 3}
    env = gymnasium.make("quet/UpAndUp-v1", compiled=compiled, **given)
    envs = gymnasium.make_vec("quet/UpAndUp-v1", num_envs=2, **given)
    env.reset()
    envs.reset()
    game = quet.new("up-and-up", n=4)
    for action in (0, 1, 3):
        _, _, ended, cut, info = env.step(action)
        *_, last = envs.step(np.array([action, action]))
        game.push(action)
    assert (ended, cut) == (False, True)
    assert np.flatnonzero(info["action_mask"]).tolist() == game.legal_numbers()
    assert last["final_info"]["action_mask"].tolist() == [info["action_mask"].tolist()] * 2


@pytest.mark.parametrize("compiled", [True, False])
def test_the_last_mask_of_a_table_that_is_cut_off_is_for_who_would_be_to_move(compiled: bool) -> None:
    table: Any = quet.rl.aec("blob", n=3, longest=1, compiled=compiled)
    table.reset()
    table.step(4)
    masks = [np.flatnonzero(table.infos[agent]["action_mask"]).tolist() for agent in ("player_1", "player_2")]
    assert all(table.truncations.values()) and masks == [[], [1, 3, 5, 7]]


@each_size
@pytest.mark.parametrize("compiled", [True, False])
def test_an_environment_says_at_which_position_it_is(id: str, parameters: dict[str, Any], compiled: bool) -> None:
    form, chance = Form(id, parameters), np.random.default_rng(3)
    env: Any
    if form.num_players == 1:
        env = gymnasium.make(environment_id(id), compiled=compiled, **parameters).unwrapped
    else:
        env = quet.rl.aec(id, compiled=compiled, **parameters)
    env.reset()
    twin, s, half = quet.new(id, **parameters), form.start(), list[str]()
    while form.mover(s):
        legal = form.legal_actions(s)
        action = int(chance.choice(legal))
        number = [*form.moves(s, action)]
        assert twin.rules.move_text(s, number[0]) == form.text(s, action)
        assert form.action(s, form.text(s, action)) == action
        half = half if chance.random() < 0.3 else twin.moves
        form.play(s, action)
        for move in number:
            twin.push(move)
        env.step(action if chance.random() < 0.7 or action != legal[0] else -1)  # which plays the first legal one
        assert env.game == twin and env.game.moves == twin.moves and env.game.state == s
    assert env.game.is_over and env.game.mover is None
    other = env.game
    other.undo()
    assert env.game.ply == twin.ply  # what was given away is a game of its own

    env.reset(options={"moves": half})
    assert env.game.moves == half and env.game.mover
    seen = np.zeros(form.bounds.shape, np.float32)
    form.observe(env.game.state, seen)
    if form.num_players == 1:
        assert np.flatnonzero(env.action_masks()).tolist() == form.legal_actions(env.game.state)
        total = env.step(env.action_masks().argmax())[1]
        assert total == env.game.scores[0] and env.reset(options={"moves": " ".join(half)})[0].tolist() == seen.tolist()
    else:
        assert env.observe("player_1").tolist() == env.state().tolist() == seen.tolist()
        assert env.agent_selection == f"player_{env.game.mover}" and env.state_space.contains(env.state())
    env.reset()
    assert env.game.moves == []


def test_the_exact_values_of_the_position_of_an_environment() -> None:
    table = quet.rl.aec("palindromes", m=6)
    table.reset(options={"moves": "1=0, 6=1"})
    oracle = quet.rl.oracle(table.game)
    worths = oracle.moves(table.game)
    known = quet.value(table.game)
    assert known is not None and known.low == oracle.value(table.game) == max(worths.values())
    table.step(table.form.action(table.game.state, oracle.best(table.game)[0]))
    assert oracle.value(table.game) == max(worths.values())


def test_a_game_of_a_batch_is_a_game() -> None:
    games = quet.rl.batch(quet.new("palindromes", m=4), 2, threads=1)
    assert games.game(0) == quet.new("palindromes", m=4) and games.game(0).start == ""
    games.step([0, 3])
    for i, move in enumerate(("1=0", "2=1")):
        assert games.game(i) == quet.new("palindromes", m=4).after(move)
    oracle = quet.rl.oracle(games.game(0))
    assert [oracle.value(games.game(i)) for i in range(2)] == oracle.look_up(games).positions.tolist()
    for actions in ([1 * 2, 0], [2 * 2, 2 * 2], [3 * 2, 3 * 2]):
        games.step(actions)
    assert games.game(0, final=True).is_over and games.game(0).state.ply == 0
    with pytest.raises(quet.BadParameter, match=r"^The number of the game must be "):
        games.game(2)


def test_moves_that_no_action_plays_are_refused() -> None:
    form, game = Form("sums-grid", {"n": 2}), quet.new("sums-grid", n=2)
    game.play("a1=3")
    assert form.text(game.state, form.action(game.state, "b1=8")) == "b1=8"
    for move, sentence in (
        ("b1=9", r"^No action plays 'b1=9' here\.$"),
        ("a1=2", r"^No action plays 'a1=2' here\.$"),
        ("b1=3", r"^3 stands in a1 already"),
    ):
        with pytest.raises(quet.IllegalMove, match=sentence):
            form.action(game.state, move)
    unreadable: list[Any] = ["b1", 7]
    for move in unreadable:
        with pytest.raises(quet.UnreadableMove):
            form.action(game.state, move)


@pytest.mark.parametrize("compiled", [True, False])
def test_options_that_are_not_known_and_moves_that_cannot_be_are_refused(compiled: bool) -> None:
    env: Any = gymnasium.make("quet/UpAndUp-v1", n=2, compiled=compiled)
    envs: Any = gymnasium.make_vec("quet/UpAndUp-v1", num_envs=2, n=2)
    table: Any = quet.rl.aec("palindromes", m=3, compiled=compiled)
    for one, first, over in ((env, "a1", "a1 a2 b2 b1"), (envs, "a1", "a1 a2 b2 b1"), (table, "1=0", "1=0 2=0 3=0")):
        one.reset()
        for options, sentence in (
            ({"move": first}, r"^There is no option 'move'; there is moves"),
            ([first], r"^The options must be a dictionary, not "),
            ({"moves": 1}, r"^The moves must be a text or a list of texts, not '1'\.$"),
            ({"moves": [first, 1]}, r"^Move 2: A move must be a text, not '1'\.$"),
            ({"moves": [first, "x"]}, r"^Move 2: "),
            ({"moves": [first, first]}, rf"^Move 2, '?{first}'?: "),
            ({"moves": f"{first} " * 10_001}, r"^A game can begin after 10000 moves at most\.$"),
            ({"moves": over}, r"^The game is over\.$"),
        ):
            with pytest.raises(quet.BadParameter, match=sentence):
                one.reset(options=options)
        one.reset(options={"moves": [first]})
    assert env.unwrapped.game.moves == ["a1"] and table.game.moves == ["1=0"]


def test_a_batch_begins_at_a_position() -> None:
    game = quet.new("blob", n=4)
    game.play("b2")
    games = quet.rl.batch(game, 2, threads=1)
    assert games.observations[:, 0].sum() == 2
    assert games.movers.tolist() == [1, 1]


@pytest.mark.parametrize("reward", ["margin", "win"])
def test_a_batch_goes_on_from_states(reward: Any) -> None:
    game = quet.new("palindromes", m=5)
    games, other = (quet.rl.batch(game, 3, reward=reward, threads=1) for _ in range(2))
    for _ in range(3):
        games.step(games.random_actions())
    kept = games.states.copy()
    seen, masks, movers = games.observations.copy(), games.masks.copy(), games.movers.copy()
    other.step(other.random_actions())
    other.resume(kept)
    for mine, found in ((seen, other.observations), (masks, other.masks), (movers, other.movers)):
        assert np.array_equal(mine, found)
    chosen = [games.random_actions() for _ in range(2)]
    before = other.step(chosen[0]).states.copy()
    assert np.array_equal(before, other.resume(kept).step(chosen[0]).states)  # what was given is as it was
    scores = np.array([other.scores(i) for i in range(3)])
    wanted = scores[:, 0] - scores[:, 1] if reward == "margin" else np.zeros(3)
    assert np.array_equal(other.rewards[:, 0], wanted)
    games.resume(other.states.copy()).step(games.masks.argmax(axis=1))  # the ends
    assert games.ended.all()
    finals = [games.scores(i, final=True) for i in range(3)]
    margins = np.array([first - second for first, second in finals])
    assert np.array_equal(games.rewards[:, 0], margins if reward == "margin" else np.sign(margins))


@pytest.mark.parametrize("reward", ["score", "margin"])
def test_rewards_of_large_scores_are_differences_of_the_scores_themselves(reward: Any) -> None:
    games = quet.rl.batch(quet.new("divisors-multiples", r=1000), 8, reward=reward, threads=1)
    states = games.states.copy()
    states["cost"][:, 1] = 2**24 + np.arange(8)  # numbers of 32 bits lack every second one
    games.resume(states).step(games.random_actions())
    for _ in range(20):
        before = games.all_scores()
        games.step(games.random_actions())
        paid = games.all_scores() - before
        wanted = paid if reward == "score" else paid - paid[:, ::-1]
        assert games.rewards.tolist() == (-wanted).tolist()


def test_a_batch_goes_on_from_no_end_and_no_other_game() -> None:
    games = quet.rl.batch(quet.new("palindromes", m=3), 2, threads=1)
    others = quet.rl.batch(quet.new("blob", n=3), 2, threads=1)
    for states in (others.states, games.states[:1], [1, 2]):
        with pytest.raises(quet.BadParameter, match="must be 2 records of this game"):
            games.resume(states)  # type: ignore[arg-type]
    for _ in range(2):
        games.step(games.random_actions())
    ends = games.states.copy()
    games.step(games.random_actions())
    ends["digits"] = 0
    ends["ply"] = 3
    with pytest.raises(quet.BadParameter, match="The game is over"):
        games.resume(ends)
    assert games.masks.all()  # it has begun anew


@pytest.mark.parametrize("i", [5, -1, 2.5, None])
def test_a_game_that_a_batch_has_not_is_refused(i: Any) -> None:
    games = quet.rl.batch(quet.new("palindromes", m=3), 2, threads=1)
    assert games.scores(np.int8(1)) == [0, 0]
    for asked in (games.position, games.scores):
        with pytest.raises(quet.BadParameter, match=r"^The number of the game must be "):
            asked(i)


@pytest.mark.parametrize("reward", ["margin", "win"])
def test_states_that_are_refused_change_nothing(reward: Any) -> None:
    games, twin = (quet.rl.batch(quet.new("palindromes", m=4), 3, reward=reward, longest=3) for _ in range(2))
    ends = games.states.copy()
    ends["digits"], ends["ply"] = 0, 4
    for _ in range(4):
        actions = games.random_actions()
        actions[0] = games.form.bounds.num_actions  # an illegal one
        games.step(actions)
        twin.step(actions)
        with pytest.raises(quet.BadParameter, match=r"^The game is over\.$"):
            games.resume(ends)
        for name in ("states", "observations", "masks", "movers", "rewards", "illegal", "ended", "cut"):
            assert np.array_equal(getattr(games, name), getattr(twin, name)), name
