"""What environments do, as a digest for each game and size: a change of it needs a new version in their names."""

import hashlib
from typing import Any

import gymnasium
import numpy as np
import pytest

import quet.rl
from conftest import SMALL
from quet.rl import gym
from quet.rl.forms import Form
from quet.rl.multi_agent import Table

EVERY_SIZE = pytest.mark.parametrize(
    ("id", "parameters"), [(id, one) for id, sizes in SMALL.items() for one in sizes], ids=str
)
DIGESTS = {  # of version 1
    "blob n=2": "13922280da82b0b0",
    "blob n=4": "a32b4c7a85c307e0",
    "blob n=5": "79385bd9728da4ce",
    "convoluted-coprimality n=2 grids=1": "4725e6e5bb50d022",
    "convoluted-coprimality n=4 players=3 grids=2": "2782ebc6ae05180b",
    "convoluted-coprimality n=5 players=8 grids=3": "05d5928ce94435a4",
    "divisors-multiples r=2": "3fe53158eb13ff9b",
    "divisors-multiples r=6 players=3": "b30dd350356e5b4e",
    "divisors-multiples r=12": "362aa0c2744562db",
    "palindromes m=1": "fe2a4590cf41fb65",
    "palindromes m=5": "015b2cfc5d5209fe",
    "palindromes m=16": "1e86e24545b4ee6b",
    "plusses-minuses n=2": "e3e76b78f7c5ba4b",
    "plusses-minuses n=4 second_part_first=2": "cfd415b3ca94e894",
    "plusses-minuses n=6": "d09cafb1f16380f2",
    "sequence-ascension n=2": "d7f7ffe3d459c028",
    "sequence-ascension n=4 sequence=mod3": "8e8db0bff3c0d43b",
    "sequence-ascension n=5 sequence=random:3:-2:2": "9db36e2d4a4cb697",
    "sums-grid n=1": "fdd98c070a8c3c7f",
    "sums-grid n=2": "eaf187c56070a59e",
    "sums-grid n=3": "0884938f56cd9d50",
    "up-and-up n=1": "8ab867deb1f3a0e4",
    "up-and-up n=3": "9bd952bec83d7a49",
    "up-and-up n=6": "c5c28baa4cb512b5",
}


def digest(id: str, parameters: dict[str, Any]) -> str:
    """Of all that is observed, rewarded and allowed in three games of random actions, some of them illegal."""
    found, chance = hashlib.sha256(), np.random.default_rng(1)

    def add(*values: Any) -> None:
        for value in values:
            array = np.round(np.asarray(value, np.float64), 4) + 0.0  # no minus before zero
            found.update(f"{array.shape}".encode() + array.tobytes())

    def chosen(mask: Any) -> int:
        return int(chance.choice(np.flatnonzero(mask)) if chance.random() < 0.9 else chance.integers(len(mask)))

    for reward in ("win", "margin", "score"):
        if Form(id, parameters).num_players == 1:
            solitaire = gymnasium.make(gym.environment_id(id), **parameters).unwrapped
            seen, info = solitaire.reset()
            is_over = False
            while not is_over:
                add(seen, info["action_mask"], info["score"])
                seen, gained, ended, cut, info = solitaire.step(chosen(info["action_mask"]))
                add(gained, ended, cut)
                is_over = ended or cut
            add(seen)
        else:
            table = quet.rl.aec(id, reward=reward, **parameters)
            table.reset()
            for agent in table.agent_iter():
                seen, gained, ended, cut, info = table.last()
                add(table.possible_agents.index(agent), seen, gained, ended, cut, info["action_mask"])
                table.step(None if ended or cut else chosen(info["action_mask"]))
    return found.hexdigest()[:16]


@EVERY_SIZE
def test_an_environment_that_behaves_differently_has_a_new_version(id: str, parameters: dict[str, Any]) -> None:
    assert gym.VERSION == 1 and Table.metadata["name"] == "quet_v1", "make the digests anew with the version"
    name = " ".join([id, *(f"{key}={value}" for key, value in parameters.items())])
    found = digest(id, parameters)
    assert name in DIGESTS, f'Add "{name}": "{found}" to DIGESTS in tests/rl/test_versions.py.'
    assert found == DIGESTS[name], "raise the version of gym.py and multi_agent.py"
