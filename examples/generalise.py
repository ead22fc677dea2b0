"""Does what was learned at one size hold at larger ones? A network for rows of any length learns palindromes.

python examples/generalise.py 8 10 12 --minutes 2 --seed 1 --out agents/generalisation.json

The first size is the one at which AlphaZero (`alphazero.py`) trains, with convolutions in place of its layers for one
size; the others are only played. Beside it stand those who learn nothing: random moves, a level, and the same search
with a network that wasn't trained.
"""

import argparse
import copy
import json
from collections.abc import Sequence

import alphazero
import arguments
import torch
from torch import nn

import quet
import quet.rl
from quet.core.errors import refusing
from quet.rl.agents import Agent
from quet.rl.agents import agent as agent_of

GAME = "palindromes"


class Convolution(alphazero.Network):
    """As `alphazero.Network`, for rows of any length: convolutions with residuals, and a mean over squares."""

    def __init__(self, inputs: int, actions: int, width: int, scale: float, planes: int = 4, depth: int = 4) -> None:
        nn.Module.__init__(self)
        self.scale, self.planes = scale, planes
        self.first = nn.Conv1d(planes + 1, width, 5, padding=2)
        self.blocks = nn.ModuleList(nn.Conv1d(2 * width, width, 5, padding=2) for _ in range(depth))
        self.policy, self.value = nn.Conv1d(2 * width, 2, 1), nn.Linear(2 * width, 1)

    def forward(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values of a batch; a plane of ones shows where the row ends."""
        seen = seen.flatten(1).unflatten(1, (self.planes, -1))
        found = torch.relu(self.first(torch.cat([seen, torch.ones_like(seen[:, :1])], 1)))
        for block in self.blocks:
            found = found + torch.relu(block(self._with_mean(found)))
        found = self._with_mean(found)
        logits = self.policy(found).transpose(1, 2).flatten(1)  # actions 2i and 2i + 1 are of square i
        return logits, self.value(found.mean(2))[:, 0]

    def _with_mean(self, found: torch.Tensor) -> torch.Tensor:
        return torch.cat([found, found.mean(2, keepdim=True).expand_as(found)], 1)


class AnySize:
    """An agent for rows of any length, with one network."""

    def __init__(self, name: str, network: Convolution, simulations: int) -> None:
        self.name, self._network, self._simulations = name, network, simulations
        self._agents: dict[int, alphazero.AlphaZero] = {}

    def moves(self, games: Sequence[quet.Game]) -> list[str]:
        """A move in each position."""
        start = games[0].at(0)
        m = int(start.parameters["m"])
        if m not in self._agents:
            network = copy.copy(self._network)
            network.scale = alphazero.spread(start)  # the unit of values at this size
            self._agents[m] = alphazero.AlphaZero(start, network, self._simulations)
        return self._agents[m].moves(games)


def measured(who: Agent, sizes: Sequence[quet.Game], num: int, seed: int) -> dict[str, object]:
    """What it keeps at the size where it trained, at the others, and the drop, each with its interval."""
    found = quet.rl.measure.generalisation(who, sizes[:1], sizes[1:], positions="random", num=num, seed=seed)
    kept = {
        str(one.game.parameters["m"]): [
            round(x, 4) for x in (one.keeps_margin.value, one.keeps_margin.low, one.keeps_margin.high)
        ]
        for one in (*found.trained, *found.tested)
    }
    drop = [round(x, 4) for x in (found.drop.value, found.drop.low, found.drop.high)]
    return {"agent": who.name, "keeps_margin": kept, "drop": drop}


def main(words: Sequence[str] | None = None) -> int:
    """Train, measure at all sizes, write what came out; exit status 0."""
    parser = argparse.ArgumentParser(
        description="Train at one size of palindromes, and measure at others.", allow_abbrev=False
    )
    parser.add_argument("sizes", nargs="+", type=int, metavar="M", help="the size of training, and those of the test")
    parser.add_argument("--minutes", type=arguments.minutes, default=2.0, help="of CPU, the longest training (2)")
    parser.add_argument(
        "--simulations", type=arguments.simulations, default=32, help="of a move in training; twice as many later (32)"
    )
    parser.add_argument("--positions", type=arguments.measured, default=500, help="of each size (500)")
    parser.add_argument("--seed", type=arguments.seed, default=1)
    parser.add_argument("--out", type=arguments.writable, help="write what came out, as JSON")
    given = parser.parse_args(words)
    if len(given.sizes) < 2:
        parser.error("name the size of training, and at least one other")
    if len(set(given.sizes)) < len(given.sizes):
        parser.error("a size is named twice")
    games = [arguments.game_of(parser, GAME, [f"m={m}"]) for m in given.sizes]
    with refusing(parser):
        for game in games:  # or the training is lost where a size can't be measured
            quet.rl.oracle(game).value(game)
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    planes, length = quet.rl.batch(games[0], 1, threads=1).observations.shape[1:]
    fresh = Convolution(planes * length, 2 * length, 32, 1.0)
    with refusing(parser):
        trained = alphazero.train(
            games[0], minutes=given.minutes, simulations=given.simulations, width=32, seed=given.seed,
            is_whole=True, make=Convolution,
        )  # fmt: skip
    rows = []
    for who in (
        AnySize("alphazero, any size", trained.network, 2 * given.simulations),
        AnySize("the same, not trained", fresh, 2 * given.simulations),
        agent_of("level:3", seed=given.seed),
        agent_of("random", seed=given.seed),
    ):
        rows.append(measured(who, games, given.positions, given.seed))
        print(json.dumps(rows[-1]), flush=True)
    if given.out:
        about = f"`{arguments.command(__file__, words)}`: {trained.learned}"
        arguments.write(parser, {given.out: json.dumps({"about": about, "rows": rows}, indent=1) + "\n"})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
