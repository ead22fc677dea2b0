"""Copies and pickles of environments and batches, seeds, and what entrances of quet.rl refuse."""

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest

import quet
import quet.rl
from conftest import SMALL
from quet.rl.gym import environment_id
from quet.rl.multi_agent import NotBegun

COPIES: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda given: pickle.loads(pickle.dumps(given))]


def drawn(games: Any, num: int = 6) -> list[Any]:
    """What random actions are, and what they lead to."""
    found = []
    for _ in range(num):
        actions = games.random_actions()
        games.step(actions)
        found += [actions, games.rewards.copy(), games.observations.copy(), games.states.copy(), games.ended.copy()]
    return found


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_copy_of_a_batch_goes_on_as_the_batch(copied: Callable[[Any], Any], threads: int, our_game_id: str) -> None:
    game = quet.new(our_game_id, **SMALL[our_game_id][1])
    games = quet.rl.batch(game, 7, longest=4, illegal_reward=-2.0, threads=threads)
    games.reset(3)
    drawn(games, 5)
    twin = copied(games)
    assert twin.reward == games.reward and twin.illegal_reward == -2.0
    assert np.array_equal(twin.final_observations, games.final_observations)
    one, two = drawn(games), drawn(twin)
    assert all(np.array_equal(mine, its) for mine, its in zip(one, two, strict=True))


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("compiled", [True, False])
def test_a_copy_of_an_environment_goes_on_as_the_environment(copied: Callable[[Any], Any], compiled: bool) -> None:
    env: Any = gymnasium.make("quet/UpAndUp-v1", n=3, compiled=compiled).unwrapped
    env.reset(seed=1)
    env.step(4)
    twin = copied(env)
    for _ in range(3):
        assert np.array_equal(env.action_masks(), twin.action_masks())
        action = int(env.action_masks().argmax())
        one, two = env.step(action), twin.step(action)
        assert np.array_equal(one[0], two[0]) and one[1:4] == two[1:4] and one[4]["score"] == two[4]["score"]
    assert env.np_random.random() == twin.np_random.random()
    table: Any = quet.rl.aec("blob", n=3, compiled=compiled)
    copied(table).reset()
    table.reset()
    table.step(4)
    twin = copied(table)
    while table.agents:
        assert table.agent_selection == twin.agent_selection
        mask = table.infos[table.agent_selection]["action_mask"]
        chosen = int(mask.argmax()) if mask.any() else None
        table.step(chosen)
        twin.step(chosen)
        assert table.rewards == twin.rewards and table.scores() == twin.scores()


def batch() -> Any:
    return quet.rl.batch(quet.new("up-and-up", n=3), 3, longest=4, threads=2)


def solitaire(compiled: bool = True) -> Any:
    return gymnasium.make("quet/UpAndUp-v1", n=3, longest=4, compiled=compiled).unwrapped


def wrapped() -> Any:
    return gymnasium.make("quet/UpAndUp-v1", n=3, longest=4)


def vector() -> Any:
    return gymnasium.make_vec("quet/UpAndUp-v1", num_envs=3, n=3, longest=4, threads=2)


def table(compiled: bool = True) -> Any:
    return quet.rl.aec("blob", n=3, longest=4, compiled=compiled)


def told(one: Any) -> Any:
    """All that can be seen of an environment, a vector environment, a table or a batch that has begun."""
    inside: Any = getattr(one, "unwrapped", None)
    if isinstance(one, quet.rl.Batch):
        return [array.tobytes() for array in (one.states, one.masks, one.rewards, one.ended, one._plies)]
    if isinstance(one, gymnasium.vector.VectorEnv):
        return told(inside.games)
    if isinstance(one, gymnasium.Env):
        game = inside._game
        seen = game.observation().tolist(), inside.game.moves
        return *seen, game.mask().tolist(), game.scores(), game.rewards, game.ended, game.cut
    agent = one.agent_selection
    mask = one.infos[agent]["action_mask"].tolist()
    seen = one.observe(agent).tolist(), one.game.moves
    return agent, *seen, mask, one.scores(), one.rewards, one.terminations, one.truncations


def stepped(one: Any) -> None:
    """Play the last legal action; with several games the second of them plays an illegal one."""
    inside: Any = one.unwrapped if isinstance(one, gymnasium.vector.VectorEnv) else None
    if inside is not None or isinstance(one, quet.rl.Batch):
        masks = (one if inside is None else inside.games).masks
        one.step(np.array([masks[0].nonzero()[0][-1], -1, masks[2].nonzero()[0][-1]]))
        return
    is_table = not isinstance(one, gymnasium.Env)
    mask = one.infos[one.agent_selection]["action_mask"] if is_table else one.unwrapped.action_masks()
    one.step(int(mask.nonzero()[0][-1]))


MADE = [batch, solitaire, partial(solitaire, False), wrapped, vector, table, partial(table, False)]
# `copy.copy` of a wrapper is Gymnasium's, as docs/environments.md says.
COPIED = [(make, copied) for make in MADE for copied in COPIES if (make, copied) != (wrapped, copy.copy)]


@pytest.mark.parametrize(("make", "copied"), COPIED)
def test_a_copy_and_what_was_copied_play_games_of_their_own(
    make: Callable[[], Any], copied: Callable[[Any], Any]
) -> None:
    fresh = make()
    copied(fresh).reset()  # before it has begun
    for num_before in range(4):  # the fourth action is the last one
        one = make()
        one.reset()
        for _ in range(num_before):
            stepped(one)
        before = told(one)
        twin = copied(one)
        assert type(twin) is type(one) and told(twin) == before
        stepped(twin)
        assert told(one) == before and told(twin) != before
        after = told(twin)
        stepped(one)
        assert told(one) == after and told(twin) == after
        twin.reset()
        assert told(one) == after


FORKING = """
import multiprocessing, gymnasium, numpy as np, quet, quet.rl

def use():
    found = [games.step(games.random_actions()).states.tobytes(), envs.step(np.zeros(8, int))[1].tolist()]
    found += [env.step(3)[1], table.step(3), player.choose(game), oracle.moves(game)]
    return found

def tell(pipe):
    pipe.send(use())

game = quet.new("palindromes", m=8)
games = quet.rl.batch(game, 64, threads=2)
envs = gymnasium.make_vec("quet/UpAndUp-v1", num_envs=8, n=3, threads=3)
env, table = gymnasium.make("quet/UpAndUp-v1", n=3), quet.rl.aec("blob", n=3)
for one in (envs, env, table):
    one.reset()
player, oracle = quet.player("level:6", seed=1), quet.rl.oracle(game)
use()
child = multiprocessing.get_context("fork").Process
for _ in range(2):  # the second child has a pool of its own as well
    ours, theirs = multiprocessing.Pipe()
    process = child(target=tell, args=(theirs,))
    process.start()
    told = ours.recv() if ours.poll(60) else None
    process.join(60)
    print(process.exitcode, told == use())
    process.kill()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_goes_on_with_what_it_inherits() -> None:
    forking = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKING]
    assert subprocess.run(forking, capture_output=True, text=True, timeout=240).stdout == "0 True\n" * 2


def test_the_numbers_of_a_game_depend_on_seed_and_place_alone() -> None:
    game = quet.new("blob", n=6)

    def actions(seed: Any, num: int, threads: int) -> Any:
        games = quet.rl.batch(game, num, threads=threads)
        games.reset(seed)
        found = []
        for _ in range(60):
            found.append(games.random_actions())
            games.step(found[-1])
        return np.array(found).T

    wanted = actions(0, 64, 1)
    for threads in (2, 5, 64):
        assert np.array_equal(actions(0, 64, threads), wanted)
    assert np.array_equal(actions(0, 10, 3), wanted[:10])
    games = {tuple(row) for row in wanted.tolist()}
    for seed in range(1, 6):
        assert len(games & {tuple(row) for row in actions(seed, 64, 64).tolist()}) < 3
    for five in (np.int64(5), np.uint32(5), np.uint64(5)):
        assert np.array_equal(actions(five, 8, 1), actions(5, 8, 1))
    assert len(np.unique(actions(2**64 - 1, 64, 1)[:, 0])) > 10


@pytest.mark.parametrize("seed", ["a", 1.5, -1, 2**64, True, [1]])
def test_a_seed_is_an_integer(seed: Any) -> None:
    games = quet.rl.batch(quet.new("blob", n=3), 2, threads=1)
    with pytest.raises(quet.BadParameter, match=r"^(The seed must be |A list of seeds must have 2)"):
        games.reset(seed)
    if seed != 2**64:  # which Gymnasium may have drawn
        with pytest.raises(quet.BadParameter, match=r"^The seed must be "):
            quet.rl.aec("blob", n=3).reset(seed=seed)
        env: Any = gymnasium.make(environment_id("up-and-up"), n=3).unwrapped
        env.reset()
        env.step(4)
        with pytest.raises(quet.BadParameter, match=r"^The seed must be "):
            env.reset(seed=seed)
        assert env.game.ply == 1
        env.reset(seed=np.int64(3))
        assert env.np_random_seed == 3


def test_a_vector_environment_takes_what_those_of_gymnasium_take() -> None:
    id = environment_id("up-and-up")
    envs: Any = gymnasium.make_vec(id, num_envs=3, n=3, render_mode="rgb_array", max_episode_steps=2)
    alone: Any = gymnasium.make(id, n=3, render_mode="rgb_array")
    envs.reset(seed=1)
    alone.reset()
    envs.step(np.array([0, 4, 4]))
    alone.step(4)
    frames = envs.render()
    assert len(frames) == 3 and np.array_equal(frames[1], alone.render()) and not np.array_equal(frames[0], frames[1])
    assert envs.step(envs.unwrapped.games.masks.argmax(axis=1))[3].tolist() == [True] * 3
    texts: Any = gymnasium.make_vec(id, num_envs=2, n=2, render_mode="ansi")
    texts.reset(seed=np.int64(3))
    shown = texts.render()
    assert shown is not None and all(isinstance(text, str) for text in shown)
    assert gymnasium.make_vec(id, num_envs=2, n=2).render() is None
    shorter: Any = gymnasium.make_vec(id, num_envs=1, n=3, longest=1, max_episode_steps=2)
    shorter.reset()
    assert shorter.step(np.array([0]))[3].tolist() == [True]
    for given, sentence in (
        ({"render_mode": "gold"}, "There is no render mode 'gold'"),
        ({"max_episode_steps": 0}, "max_episode_steps must be from 1"),
        ({"strange": 1}, "There is no parameter 'strange'"),
    ):
        with pytest.raises(quet.BadParameter, match=sentence):
            gymnasium.make_vec(id, num_envs=2, n=2, **given)


def blob() -> quet.Game:
    return quet.new("blob", n=3)


def begun(env: Any) -> Any:
    env.reset()
    return env


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("action", ["a", None, 1.5, [1], True, 2.0])
def test_an_action_is_an_integer(action: Any, compiled: bool) -> None:
    env = begun(gymnasium.make("quet/UpAndUp-v1", n=3, compiled=compiled).unwrapped)
    with pytest.raises(quet.BadParameter, match=r"^The action must be an integer, not "):
        env.step(action)
    table = begun(quet.rl.aec("blob", n=3, compiled=compiled))
    with pytest.raises(quet.BadParameter, match=r"^The action must be an integer, not "):
        table.step(action)
    assert table.agent_selection == "player_1" and table.scores() == quet.rl.aec("blob", n=3).scores()
    for strange in (10**30, -(10**30)):
        assert env.step(strange)[4]["illegal"]
    assert env.step(np.int8(1)) and env.step(np.array(2))


@pytest.mark.parametrize("value", ["x", None, float("nan"), float("inf"), [1.0], True, 10**400])
def test_a_reward_for_illegal_actions_is_a_number(value: Any) -> None:
    for call in (
        lambda: quet.rl.batch(blob(), 2, illegal_reward=value),
        lambda: quet.rl.aec("blob", n=3, illegal_reward=value),
        lambda: quet.rl.aec("blob", n=3, illegal_reward=value, compiled=False),
        lambda: gymnasium.make("quet/UpAndUp-v1", n=3, illegal_reward=value),
        lambda: gymnasium.make_vec("quet/UpAndUp-v1", n=3, illegal_reward=value),
    ):
        with pytest.raises(quet.BadParameter, match=r"^The reward for an illegal action must be a number"):
            call()
    float32: Any = np.float32
    assert quet.rl.batch(blob(), 2, illegal_reward=float32(-3), threads=1).illegal_reward == -3


@pytest.mark.parametrize("reward", [["x"], "", {}, 1, np.zeros(2)])
def test_a_reward_has_a_name(reward: Any) -> None:
    for make in (lambda: quet.rl.batch(blob(), 2, reward=reward), lambda: quet.rl.aec("blob", n=3, reward=reward)):
        with pytest.raises(quet.BadParameter, match=r"^There is no reward "):
            make()


def test_an_oracle_takes_batches_states_and_games() -> None:
    oracle = quet.rl.oracle(blob())
    empty = oracle.look_up([])
    assert [len(part) for part in empty] == [0, 0, 0] and empty.actions.shape == (0, 9)
    for what in (None, blob(), 1):
        with pytest.raises(quet.BadParameter, match=r"^Give a batch, an array of states or a list of games, not "):
            oracle.look_up(what)  # type: ignore[arg-type]
    with pytest.raises(quet.BadParameter, match="is not a game"):
        oracle.look_up("ab")  # type: ignore[arg-type]
    assert oracle.look_up(iter([blob()])).positions.tolist() == [oracle.value(blob())]  # type: ignore[arg-type]


def test_a_table_has_no_agents_before_its_first_reset() -> None:
    table: Any = quet.rl.aec("blob", n=3)
    for call in (table.last, lambda: table.step(0), lambda: table.agents, lambda: table.num_agents):
        with pytest.raises(NotBegun, match=r"^Call reset first: \w+ is of a game that has begun\.$"):
            call()
    assert not hasattr(table, "agent_selection") and not hasattr(table, "nothing")
    table.reset()
    assert table.agent_selection == "player_1" and table.num_agents == 2
