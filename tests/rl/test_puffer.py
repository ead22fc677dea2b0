"""The games in PufferLib, against batches. PufferLib is no extra; where it isn't installed, a stand-in is its base."""

import copy
import importlib
import importlib.util
import pickle
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import quet
import quet.rl
from conftest import SMALL

NUM = 5
SIZES = [(id, sizes[1]) for id, sizes in SMALL.items()]


class StandIn:
    """What `pufferlib.PufferEnv` of PufferLib 3 does at its beginning: it makes the arrays, or takes those given."""

    num_agents: int
    single_observation_space: Any

    def __init__(self, buf: dict[str, Any] | None = None) -> None:
        seen = self.single_observation_space
        made = {
            "observations": np.zeros((self.num_agents, *seen.shape), seen.dtype),
            "rewards": np.zeros(self.num_agents, np.float32),
            "terminals": np.zeros(self.num_agents, np.bool_),
            "truncations": np.zeros(self.num_agents, np.bool_),
        }
        for name, array in (made if buf is None else buf).items():
            setattr(self, name, array)


@pytest.fixture
def puffer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module `quet.rl.puffer`."""
    if importlib.util.find_spec("pufferlib") is None:
        library = ModuleType("pufferlib")
        library.PufferEnv = StandIn  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "pufferlib", library)
    monkeypatch.delitem(sys.modules, "quet.rl.puffer", raising=False)
    yield importlib.import_module("quet.rl.puffer")
    sys.modules.pop("quet.rl.puffer", None)


@pytest.mark.parametrize(("id", "parameters"), SIZES, ids=str)
def test_the_games_are_those_of_a_batch(id: str, parameters: dict[str, Any], puffer: Any) -> None:
    env = puffer.Games(id, num=NUM, longest=7, **parameters)
    batch = quet.rl.batch(quet.new(id, **parameters), NUM, longest=7, threads=1)
    players, arrays = batch.form.num_players, [env.observations, env.rewards, env.terminals, env.truncations]
    assert env.num_agents == NUM * players and env.single_action_space.n == batch.masks.shape[1]
    seen, infos = env.reset(seed=3)
    assert seen is env.observations and infos == []
    chance, num_ended = np.random.default_rng(1), 0
    for _ in range(30):
        assert np.array_equal(env.observations, np.repeat(batch.observations, players, axis=0))
        assert env.legal.sum() == batch.masks.sum()
        chosen = np.array([chance.choice(np.flatnonzero(mask)) for mask in batch.masks])
        chosen[0] = chance.integers(batch.masks.shape[1])  # perhaps an illegal one
        actions = chance.integers(0, batch.masks.shape[1], (NUM, players))  # passed over, but those of the movers
        for i in range(NUM):
            agent = i * players + batch.movers[i]
            assert np.array_equal(env.legal[agent], batch.masks[i])
            actions[i, batch.movers[i]] = chosen[i]
        found = env.step(actions.reshape(-1).astype(np.int32))
        batch.step(chosen)
        assert all(mine is kept for mine, kept in zip(found, arrays, strict=False)), "other arrays than PufferLib's"
        assert env.rewards.tolist() == batch.rewards.reshape(-1).tolist()
        assert env.terminals.tolist() == np.repeat(batch.ended, players).tolist()
        assert env.truncations.tolist() == np.repeat(batch.cut, players).tolist()
        over = int((batch.ended | batch.cut).sum())
        assert found[4] == ([{"ended": over}] if over else [])
        num_ended += over
    assert num_ended
    env.close()


def test_pufferlibs_own_arrays_are_written(puffer: Any) -> None:
    made = puffer.Games("palindromes", num=2, m=4)
    names = ("observations", "rewards", "terminals", "truncations")
    given = {name: np.zeros_like(getattr(made, name)) for name in names}
    whole = importlib.import_module("pufferlib")
    more = {} if whole.PufferEnv is StandIn else {n: getattr(made, n) for n in ("masks", "actions", "teacher_actions")}
    env = puffer.Games("palindromes", num=2, m=4, buf=given | more, seed=7)
    assert env.observations is given["observations"] and given["observations"][:, 0].all()
    env.step(np.array([1, 0, 3, 0]))
    assert given["observations"][:, 0].sum(axis=1).tolist() == [3, 3, 3, 3]


def test_actions_of_another_number_are_refused(puffer: Any) -> None:
    env = puffer.Games("palindromes", num=2, m=4)
    with pytest.raises(quet.BadParameter):
        env.step(np.zeros(2, np.int64))


if importlib.util.find_spec("pufferlib") is not None:  # no extra brings it

    def test_pufferlibs_vectors_take_it(puffer: Any) -> None:
        library = importlib.import_module("pufferlib.vector")
        options = {"env_args": ["blob"], "env_kwargs": {"num": 3, "n": 4}}
        for backend, num in ((library.PufferEnv, 1), (library.Serial, 2)):
            envs = library.make(puffer.Games, backend=backend, num_envs=num, **options)
            seen, _ = envs.reset()
            assert seen.shape == (num * 3 * 2, 3, 4, 4)
            seen, rewards, ended, _, _ = envs.step(np.zeros(num * 6, np.int32))[:5]
            assert seen[:, 0].sum() == num * 6 and not rewards.any() and not ended.any()
            envs.close()


def test_without_pufferlib_the_import_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pufferlib", None)  # as if it weren't installed
    sys.modules.pop("quet.rl.puffer", None)
    with pytest.raises(quet.MissingExtra, match=r"^PufferLib is not installed; pip install pufferlib brings it\.$"):
        importlib.import_module("quet.rl.puffer")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_plays_games_of_its_own(copied: Any, puffer: Any) -> None:
    env = puffer.Games("blob", num=NUM, n=3)
    twin = copied(env)
    before = env.observations.copy()
    twin.step(twin.legal.argmax(axis=1))
    assert np.array_equal(env.observations, before) and not np.array_equal(twin.observations, before)
    env.step(env.legal.argmax(axis=1))
    assert np.array_equal(env.observations, twin.observations) and np.array_equal(env.legal, twin.legal)
