"""Vector environments, against single environments side by side."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList

import quet
import quet.rl
from conftest import SMALL
from quet.rl.forms import Form
from quet.rl.gym import environment_id

SIZES = [(id, sizes[1]) for id, sizes in SMALL.items() if Form(id, sizes[1]).num_players == 1]
NUM = 5


@pytest.mark.parametrize(("id", "parameters"), SIZES, ids=str)
@pytest.mark.parametrize("longest", [None, 4])
def test_many_games_are_as_single_ones(id: str, parameters: dict[str, Any], longest: int | None) -> None:
    together = gymnasium.make_vec(environment_id(id), num_envs=NUM, longest=longest, threads=2, **parameters)
    apart = gymnasium.make_vec(
        environment_id(id),
        num_envs=NUM,
        longest=longest,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP},
        **parameters,
    )
    assert together.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert together.observation_space == apart.observation_space and together.action_space == apart.action_space
    (seen, info), (same, other) = (envs.reset(seed=1) for envs in (together, apart))
    chance = np.random.default_rng(1)
    num_ended = 0
    for _ in range(40):
        assert np.array_equal(seen, same) and together.observation_space.contains(seen)
        assert np.array_equal(info["action_mask"], other["action_mask"])
        assert info["score"].tolist() == other["score"].tolist()
        actions = np.array([chance.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        actions[0] = chance.integers(0, len(info["action_mask"][0]))  # perhaps an illegal one
        before = seen.copy()
        results = [envs.step(actions) for envs in (together, apart)]
        assert np.array_equal(before, seen), "an observation that was returned has changed"
        (seen, rewards, ended, cut, info), (same, *rest, other) = results
        for mine, theirs in zip((rewards, ended, cut), rest, strict=True):
            assert mine.tolist() == theirs.tolist() and mine.dtype == theirs.dtype
        if (ended | cut).any():
            num_ended += 1
            for i in np.flatnonzero(ended | cut):
                assert info["_final_obs"][i] and np.array_equal(info["final_obs"][i], other["final_obs"][i])
                for name in ("score", "action_mask"):
                    assert np.array_equal(info["final_info"][name][i], other["final_info"][name][i])
        assert ("final_obs" in info) == ("final_obs" in other)
        if "final_obs" in info:
            assert [one is None for one in info["final_obs"]] == [one is None for one in other["final_obs"]]
            assert info["final_obs"].dtype == other["final_obs"].dtype
        none = np.zeros(NUM, np.bool_)
        was_illegal = other.get("_illegal", none) | other.get("final_info", {}).get("_illegal", none)
        assert info["illegal"].tolist() == info["_illegal"].tolist() == was_illegal.tolist()
    assert num_ended
    for envs in (together, apart):
        envs.close()


@pytest.mark.parametrize(("id", "parameters"), SIZES, ids=str)
@pytest.mark.parametrize("illegal_reward", [-0.1, -1000.3, -1e30])
def test_scores_are_those_of_single_games_whatever_illegal_actions_cost(
    id: str, parameters: dict[str, Any], illegal_reward: float
) -> None:
    together = gymnasium.make_vec(
        environment_id(id), num_envs=2, illegal_reward=illegal_reward, threads=1, **parameters
    )
    apart = [quet.rl.gym.Solitaire(id, illegal_reward=illegal_reward, compiled=False, **parameters) for _ in range(2)]
    infos: list[dict[str, Any]] = [one.reset()[1] for one in apart]
    together.reset()
    chance = np.random.default_rng(2)
    num_illegal = num_ended = 0
    for _ in range(60):
        actions = []
        for info in infos:
            wanted = np.flatnonzero(info["action_mask"] == chance.integers(0, 2))
            actions.append(int(chance.choice(wanted)) if wanted.size else 0)
        *_, info = together.step(np.array(actions))
        for i, one in enumerate(apart):
            _, _, ended, cut, infos[i] = one.step(actions[i])
            num_illegal += "illegal" in infos[i]
            if ended or cut:
                num_ended += 1
                assert info["final_info"]["score"][i] == infos[i]["score"]
                infos[i] = one.reset()[1]
            assert info["score"][i] == infos[i]["score"]
    assert num_illegal and num_ended
    together.close()


@pytest.mark.parametrize("longest", [3, None])
def test_ends_that_were_returned_stay_as_they_are(longest: int | None) -> None:
    envs = gymnasium.make_vec("quet/UpAndUp-v1", num_envs=2, n=2, longest=longest)
    _, info = envs.reset()
    kept = []
    for _ in range(8):
        *_, ended, cut, info = envs.step(info["action_mask"].argmax(axis=1))
        kept += [(ended, ended.tolist()), (cut, cut.tolist())]
    assert all(array.tolist() == then for array, then in kept) and len({str(then) for _, then in kept}) > 1
    envs.close()


def test_the_games_of_a_reset_mask_begin_and_the_others_go_on() -> None:
    envs = gymnasium.make_vec("quet/UpAndUp-v1", num_envs=3, n=3, longest=3)
    apart = gymnasium.make_vec("quet/UpAndUp-v1", num_envs=3, n=3, longest=3, vectorization_mode="sync")
    for one in (envs, apart):
        _, info = one.reset(seed=1)
        _, _, _, _, info = one.step(info["action_mask"].argmax(axis=1))
    chosen = np.array([False, True, False])
    (seen, info), (same, _) = (one.reset(options={"reset_mask": chosen.copy()}) for one in (envs, apart))
    assert np.array_equal(seen, same) and not np.array_equal(seen[0], seen[1])
    for ends in ([False, False, False], [True, False, True]):  # the moves before the reset count for those that go on
        actions = info["action_mask"].argmax(axis=1)
        _, rewards, _, cut, info = envs.step(actions)
        _, others, _, same_cut, _ = apart.step(actions)
        assert cut.tolist() == same_cut.tolist() == ends and rewards.tolist() == others.tolist()
    for bad in (np.zeros(3, bool), np.ones(2, bool), np.ones((3, 1), bool), np.ones(3), [1, 0, 0], [False] * 3, "yes"):
        with pytest.raises(quet.BadParameter, match=r"^The games that begin .* 3 .*, at least one of them True\.$"):
            envs.reset(options={"reset_mask": bad})
    envs.close()
    apart.close()


@pytest.mark.parametrize(
    "make",
    [
        lambda longest: quet.rl.batch(quet.new("blob", n=3), 2, longest=longest),
        lambda longest: quet.rl.aec("blob", n=3, longest=longest),
        lambda longest: gymnasium.make("quet/UpAndUp-v1", n=3, longest=longest),
        lambda longest: gymnasium.make_vec("quet/UpAndUp-v1", num_envs=2, n=3, longest=longest),
        lambda longest: gymnasium.make_vec("quet/UpAndUp-v1", num_envs=2, n=3, longest=longest, max_episode_steps=9),
    ],
)
def test_every_door_refuses_the_same_longest_game_with_the_same_sentence(make: Callable[[int], Any]) -> None:
    with pytest.raises(quet.BadParameter, match=r"^The longest game must be from 1 to 2147483647, not '2147483648'\.$"):
        make(2**31)


def test_a_game_that_ends_with_its_last_permitted_action_is_not_cut_off() -> None:
    for limit in ("max_episode_steps", "longest"):
        given: Any = {"n": 1, limit: 1}
        envs = gymnasium.make_vec("quet/UpAndUp-v1", num_envs=2, **given)
        envs.reset()
        _, _, ended, cut, _ = envs.step(np.array([0, 0]))
        assert ended.tolist() == [True, True] and cut.tolist() == [False, False]
        envs.close()
    for limit, is_cut in (("longest", False), ("max_episode_steps", True)):  # which a wrapper of Gymnasium counts
        given = {"n": 1, limit: 1}
        one: Any = gymnasium.make("quet/UpAndUp-v1", **given)
        one.reset()
        assert one.step(0)[2:4] == (True, is_cut)


def test_games_side_by_side_begin_at_a_position_as_those_of_gymnasium_do() -> None:
    made: Any = {"id": "quet/UpAndUp-v1", "num_envs": 3, "n": 3}
    same_step = {"autoreset_mode": AutoresetMode.SAME_STEP}
    envs = gymnasium.make_vec(**made), gymnasium.make_vec(**made, vectorization_mode="sync", vector_kwargs=same_step)
    for one in envs:
        one.reset(seed=1)
        one.step(np.array([4, 4, 4]))
    chosen = np.array([True, False, True])
    for options in ({"moves": "a1 b1"}, {"moves": ["a2"], "reset_mask": chosen}):
        (seen, info), (same, _) = (one.reset(options=dict(options)) for one in envs)
        assert np.array_equal(seen, same)
    assert info["score"].tolist() == [1, 2, 1]
    for _ in range(12):  # the games that begin after an end begin at the start
        actions = info["action_mask"].argmax(axis=1)
        (seen, rewards, *_, info), (same, others, *_) = (one.step(actions) for one in envs)
        assert np.array_equal(seen, same) and rewards.tolist() == others.tolist()
    for one in envs:
        one.close()


def test_each_game_can_have_a_seed_of_its_own() -> None:
    envs: Any = gymnasium.make_vec("quet/UpAndUp-v1", num_envs=3, n=3)
    games = envs.unwrapped.games
    envs.reset(seed=[7, 7, 7])
    listed = games._words.tolist()
    envs.reset(seed=7)
    assert games._words.tolist() == listed and envs.unwrapped.np_random_seed == 7
    envs.reset(seed=[8, None, np.int64(2**40)])
    assert games._words[1] == listed[1] and games._words[0] != listed[0] != games._words[2]
    envs.reset(seed=(5 << 64) + (5 ^ 7))  # Gymnasium draws seeds of 128 bits
    assert games._words.tolist() == listed and envs.unwrapped.np_random_seed == (5 << 64) + (5 ^ 7)
    streams = set()
    for large in (0, 2**64, 2**65, 2**127, 3 << 100):
        envs.reset(seed=large)
        streams.add(tuple(games._words.tolist()))
    assert len(streams) == 5
    alone: Any = gymnasium.make("quet/UpAndUp-v1", n=3)
    for wrong in (-1, 2**128):  # one bound for a game and for many
        refusals = []
        for one in (envs, alone):
            with pytest.raises(quet.BadParameter, match=r"^The seed must be from 0 to 340282\d+, not ") as caught:
                one.reset(seed=wrong)
            refusals.append(str(caught.value))
        assert refusals[0] == refusals[1]
    for seed, sentence in (
        ([1, 2], r"^A list of seeds must have 3, one for each game, not 2\.$"),
        ([1, 2, "x"], r"^The seed must be an integer, not 'x'\.$"),
        ([1, 2, -1], r"^The seed must be from 0 to "),
        (-1, r"^The seed must be from 0 to "),
    ):
        with pytest.raises(quet.BadParameter, match=sentence):
            envs.reset(seed=seed)
    envs.close()


def test_a_list_may_be_a_range_or_an_array() -> None:
    envs: Any = gymnasium.make_vec("quet/UpAndUp-v1", num_envs=4, n=3)
    games, states = envs.unwrapped.games, envs.unwrapped.games.states
    games.reset([0, 1, 2, 3])
    words = games._words.copy()
    for seeds in (range(4), np.arange(4), (0, 1, 2, 3)):
        games.reset(9)
        games.reset(seeds)
        assert np.array_equal(games._words, words)
        envs.reset(seed=9)
        envs.reset(seed=seeds)
        assert np.array_equal(games._words, words) and envs.unwrapped.np_random_seed == 0
    moves = ["a1", "b1"]
    seen, _ = envs.reset(options={"moves": moves})
    for flags in (np.array([True, False, True, False]), [True, False, True, False], (True, False, True, False)):
        envs.reset()
        begun, _ = envs.reset(options={"moves": np.array(moves), "reset_mask": flags})
        assert np.array_equal(begun[::2], seen[::2]) and not begun[1::2, 0].any()
        kept = states.copy()
        games.reset()
        games.resume(kept, only=flags)
        assert np.array_equal(games.observations, begun)
        games.reset(only=flags)
        assert not games.observations[:, 0].any()
    one: Any = gymnasium.make("quet/UpAndUp-v1", n=3)
    assert np.array_equal(one.reset(options={"moves": np.array(moves)})[0], seen[0])
    table: Any = quet.rl.aec("blob", n=3)
    table.reset(options={"moves": np.array(["b2"])})
    assert table.game.moves == ["b2"]
    for bad, sentence in ((5, "a text or a list of texts, not '5'"), (range(2), "Move 1"), ([None], "Move 1")):
        with pytest.raises(quet.BadParameter, match=sentence):
            one.reset(options={"moves": bad})


def test_infos_are_a_list_where_gymnasium_makes_one() -> None:
    envs: Any = DictInfoToList(gymnasium.make_vec("quet/UpAndUp-v1", num_envs=3, n=3))
    envs.reset(seed=1)
    *_, infos = envs.step(np.array([4, -1, 4]))
    assert ["illegal" in info for info in infos] == [False, True, False] and infos[1]["illegal"]


def test_only_the_games_that_begin_draw_anew() -> None:
    games, fresh = (quet.rl.batch(quet.new("up-and-up", n=3), 2, threads=1) for _ in range(2))
    games.random_actions()
    words = games._words.copy()
    games.reset(7, only=np.array([True, False]))
    fresh.reset(7)
    assert games._words.tolist() == [fresh._words[0], words[1]]


def test_batches_of_no_games_are_refused() -> None:
    with pytest.raises(quet.BadParameter, match=r"^The number of games must be from 1 to "):
        gymnasium.make_vec("quet/UpAndUp-v1", num_envs=0, n=3)
    with pytest.raises(quet.BadParameter, match="is no solitaire"):
        quet.rl.vector.Solitaires("blob", num_envs=2)


def test_a_batch_takes_the_words_of_a_single_game_as_far_as_it_can() -> None:
    assert gymnasium.make_vec("quet/UpAndUp-v1", num_envs=2, n=3, compiled=True).num_envs == 2
    with pytest.raises(quet.BadParameter, match="Games in a batch are always compiled"):
        gymnasium.make_vec("quet/UpAndUp-v1", num_envs=2, n=3, compiled=False)
