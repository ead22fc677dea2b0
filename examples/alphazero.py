"""AlphaZero in PyTorch: a network learns a game for one or two by playing against itself, with nothing but the rules.

python examples/alphazero.py palindromes m=8 --minutes 5 --seed 1
python examples/alphazero.py palindromes m=10 --minutes 10 --out agents/alphazero-palindromes-10.json

All games of a round are played side by side in a `quet.rl.batch`. So are their tree searches: each simulation goes down
every tree by PUCT, and one call of the network judges all leaves. The network learns the shares of visits as policy,
and the final margin (player 1's score minus player 2's, or a solitaire's score) as value. It needs no GPU. At some
times the agent is measured in positions of random games, and, where positions aren't too many, against every reply:
training ends when it can't be beaten. With --whole it uses all its minutes of CPU, and meets every reply at the end.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import arguments
import numpy as np
import torch
from curves import Curve
from numpy.typing import NDArray
from torch import nn

import quet
import quet.rl
from quet.core.errors import NotSolved, refusing
from quet.engine.arrays import Records, pack
from quet.rl import leaderboard
from quet.rl.forms import Form

AGENTS = Path(__file__).parents[1] / "agents"
BYTES = 17  # of a node of a tree, for each action
LARGEST = 4 * 10**9  # bytes of trees
Floats = NDArray[np.float32]


class Network(nn.Module):
    """From observations to a logit of each action, and the value in units of `scale`, from player 1's side."""

    def __init__(self, inputs: int, actions: int, width: int, scale: float) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for size in (inputs, width, width):
            layers += [nn.Linear(size, width), nn.LayerNorm(width), nn.ReLU()]
        self.trunk, self.scale = nn.Sequential(*layers), scale
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values of a batch."""
        found = self.trunk(seen.flatten(1))
        return self.policy(found), self.value(found)[:, 0]

    def judge(self, seen: Floats, legal: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """The policy over legal actions, and values, as NumPy arrays."""
        with torch.inference_mode():
            logits, values = self(torch.from_numpy(seen))
            logits = logits.masked_fill(~torch.from_numpy(legal), -torch.inf)
            return torch.softmax(logits, 1).numpy(), values.numpy()


class Search:
    """Trees of many positions of one game, a simulation of each at a time."""

    def __init__(self, game: quet.Game, network: Network, num: int, simulations: int) -> None:
        self.network, self.simulations = network, simulations
        reward = "score" if game.num_players == 1 else "margin"
        self.steps = quet.rl.batch(game, num, reward=reward, threads=1)
        room, actions = (num, simulations + 1), self.steps.masks.shape[1]
        if (size := num * (simulations + 1) * (self.steps.states.dtype.itemsize + actions * BYTES)) > LARGEST:
            raise quet.BadParameter(
                f"The trees of {simulations} simulations take {size / 1e9:.0f} GB, and at most {LARGEST / 1e9:.0f} GB "
                "are taken. Ask for fewer."
            )
        self.states = np.zeros(room, self.steps.states.dtype)
        self.legal = np.zeros((*room, actions), np.bool_)
        self.signs = np.zeros(room, np.float32)  # 1 where player 1 is to move, else -1
        self.priors, self.totals = (np.zeros((*room, actions), np.float32) for _ in range(2))
        self.visits, self.children = (np.zeros((*room, actions), np.int32) for _ in range(2))
        self.ends = np.zeros(room, np.float32)  # the value of a node that is over
        self.is_over = np.zeros(room, np.bool_)

    def run(self, roots: Records, noise: np.random.Generator | None = None) -> NDArray[np.int32]:
        """How often each action of each root was visited; with noise, priors of roots are mixed with Dirichlet's."""
        every = np.arange(len(roots))
        for array in (self.visits, self.totals):
            array[:] = 0
        self.children[:] = -1
        self.is_over[:] = False
        steps = self.steps.resume(roots)
        priors, _ = self._write(every, 0)
        if noise is not None:
            drawn = noise.gamma(10 / self.legal[:, 0].sum(1, keepdims=True), size=priors.shape) * self.legal[:, 0]
            priors = 0.75 * priors + 0.25 * drawn / np.maximum(drawn.sum(1, keepdims=True), 1e-9)
        self.priors[:, 0] = priors
        for new in range(1, self.simulations + 1):
            nodes, path = np.zeros(len(roots), np.int64), []
            going, parents, chosen = every, nodes.copy(), np.zeros(len(roots), np.int64)
            while len(going):
                at = nodes[going]
                actions = self._choose(going, at)
                path.append((going, at, actions))
                parents[going], chosen[going] = at, actions
                below = self.children[going, at, actions]
                nodes[going] = below
                going = going[(below >= 0) & ~self.is_over[going, np.maximum(below, 0)]]
            leaves = every[nodes < 0]
            values = np.where(nodes < 0, 0, self.ends[every, nodes])
            steps.resume(self.states[every, parents]).step(chosen)
            self.children[leaves, parents[leaves], chosen[leaves]] = new
            worths = steps.rewards[:, 0] / self.network.scale
            priors, judged = self._write(leaves, new)
            self.priors[leaves, new] = priors
            over = leaves[steps.ended[leaves]]
            self.is_over[over, new], self.ends[over, new] = True, worths[over]
            values[leaves] = judged
            values[over] = worths[over]
            for rows, at, actions in path:
                self.visits[rows, at, actions] += 1
                self.totals[rows, at, actions] += values[rows]
        return self.visits[:, 0].copy()

    def _write(self, rows: NDArray[np.int64], node: int) -> tuple[Floats, Floats]:
        """Keep where the batch stands as a node of these trees; the priors and values that the network gives."""
        steps = self.steps
        self.states[rows, node], self.legal[rows, node] = steps.states[rows], steps.masks[rows]
        self.signs[rows, node] = np.where(steps.movers[rows] == 0, 1, -1)
        return self.network.judge(steps.observations[rows], steps.masks[rows])

    def _choose(self, rows: NDArray[np.int64], at: NDArray[np.int64]) -> NDArray[np.int64]:
        """The action that PUCT prefers in a node of each tree. What wasn't tried is worth what the node seems worth."""
        visits, signs = self.visits[rows, at], self.signs[rows, at][:, None]
        totals, sums = self.totals[rows, at], visits.sum(1, keepdims=True)
        usual = totals.sum(1, keepdims=True) / np.maximum(sums, 1)
        worth = signs * np.where(visits > 0, totals / np.maximum(visits, 1), usual)
        bonus = 1.5 * self.priors[rows, at] * np.sqrt(sums + 1) / (1 + visits)
        chosen: NDArray[np.int64] = np.where(self.legal[rows, at], worth + bonus, -np.inf).argmax(1)
        return chosen


class AlphaZero:
    """An agent as `quet.rl.measure` takes it: the most visited move, of two the one that seems worth more."""

    def __init__(self, game: quet.Game, network: Network, simulations: int, name: str = "alphazero") -> None:
        self.name, self._form = name, Form(game.id, game.parameters)
        self._game, self.network, self._simulations = game, network, simulations
        self._searches: dict[int, Search] = {}  # by the number of positions
        self.learned = "not trained"  # how long
        self.curve = ""  # and how it got better

    def moves(self, games: Sequence[quet.Game]) -> list[str]:
        """A move in each position."""
        found: list[str] = []
        for begin in range(0, len(games), 256):
            part = games[begin : begin + 256]
            num = 256 if len(part) > 16 else 16 if len(part) > 1 else 1
            if num not in self._searches:
                self._searches[num] = Search(self._game, self.network, num, self._simulations)
            states = pack([game.state for game in part])
            visits = self._searches[num].run(np.concatenate([states, np.repeat(states[:1], num - len(part))]))
            search = self._searches[num]
            means = search.signs[:, :1] * search.totals[:, 0] / np.maximum(search.visits[:, 0], 1)
            best = np.where(visits == visits.max(1, keepdims=True), means, -np.inf).argmax(1)
            found += [self._form.text(game.state, int(action)) for game, action in zip(part, best, strict=False)]
        return found


class Games(NamedTuple):
    """What was seen in games: a row for each position."""

    seen: Floats
    legal: NDArray[np.bool_]
    policy: Floats
    values: Floats


def self_play(game: quet.Game, search: Search, chance: np.random.Generator) -> Games:
    """Play games side by side to their ends, moves drawn by visits, some of them at random."""
    num = len(search.states)
    steps = quet.rl.batch(game, num, reward=search.steps.reward, threads=1)
    rows: list[tuple[Floats, NDArray[np.bool_], Floats]] = []
    going, totals = np.ones(num, np.bool_), np.zeros(num, np.float32)
    alive: list[NDArray[np.bool_]] = []
    guesses: list[Floats] = []  # what the search says that a position is worth, where a random move follows; else nan
    while going.any():
        visits = search.run(steps.states, chance)
        policy = (visits / visits.sum(1, keepdims=True)).astype(np.float32)
        rows.append((steps.observations.copy(), steps.masks.copy(), policy))
        alive.append(going.copy())
        sharp = policy ** (1 / 0.7)
        wild = chance.random(num) < 0.15  # a random legal move, so that all positions come up
        guesses.append(np.where(wild, search.totals[:, 0].sum(1) / visits.sum(1), np.nan).astype(np.float32))
        weights = np.where(wild[:, None], steps.masks, sharp)
        actions = (np.log(np.maximum(weights, 1e-30)) + chance.gumbel(size=weights.shape)).argmax(1)
        steps.step(np.where(steps.masks[np.arange(num), actions], actions, visits.argmax(1)))
        totals += np.where(going, steps.rewards[:, 0], 0)
        going &= ~steps.ended
    values, found = totals / search.network.scale, []
    for guess, now in zip(reversed(guesses), reversed(alive), strict=True):
        values = np.where(np.isnan(guess), values, guess)  # what follows a random move says little of what precedes it
        found.append(values[now])
    return Games(
        *(np.concatenate([row[i][now] for row, now in zip(rows, alive, strict=True)]) for i in range(3)),
        np.concatenate(found[::-1]),
    )


def learn(network: Network, optimizer: torch.optim.Optimizer, past: Sequence[Games], num: int, seed: int) -> float:
    """So many steps of the optimizer over positions of these games; the mean loss."""
    chance = np.random.default_rng(seed)
    arrays = [torch.from_numpy(np.concatenate(part)) for part in zip(*past, strict=True)]
    total = 0.0
    for _ in range(num):
        rows = torch.from_numpy(chance.integers(0, len(arrays[0]), 512))
        seen, legal, policy, values = (array[rows] for array in arrays)
        logits, judged = network(seen)
        likely = torch.log_softmax(logits.masked_fill(~legal, -1e9), 1)
        loss = -(policy * likely).sum(1).mean() + nn.functional.mse_loss(judged, values)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += float(loss.detach()) / num
    return total


def spread(game: quet.Game, num: int = 1000) -> float:
    """The standard deviation of what random games end with: the unit of values."""
    scores = quet.playouts(game, num, seed=0)
    ends = scores[:, 0] - (scores[:, 1] if game.num_players == 2 else 0)
    return max(1.0, float(np.std(ends)) + abs(float(np.mean(ends))))


def worst(agent: AlphaZero, game: quet.Game) -> list[str]:
    """The worst that can happen in each seat, "-6 of -4"; nothing where there are too many positions."""
    most = leaderboard.MOST_LEFT
    try:
        found = [quet.rl.measure.weak_strength(agent, game, player=player, most=most) for player in game.players]
    except (quet.BadParameter, NotSolved):
        return []
    return [f"{one.worst} of {one.value}" for one in found]


def train(game: quet.Game, *, minutes: float, simulations: int = 32, num: int = 256, width: int = 128,
          seed: int = 1, is_whole: bool = False,
          make: Callable[..., Network] = Network) -> AlphaZero:  # fmt: skip
    """An agent that has learned for so many minutes of CPU, or until nothing beats it, unless that doesn't end it."""
    torch.manual_seed(seed)
    chance, form = np.random.default_rng(seed), Form(game.id, game.parameters)
    network = make(int(np.prod(form.bounds.shape)), form.bounds.num_actions, width, spread(game))
    optimizer = torch.optim.AdamW(network.parameters(), 1e-3, weight_decay=1e-4)
    search, agent = Search(game, network, num, simulations), AlphaZero(game, network, 2 * simulations)
    past: list[Games] = []
    rounds, loss, share, is_perfect = 0, 0.0, 0.0, False
    curve = Curve(agent, game, seed=seed)
    while True:
        if curve.is_due(share):
            with curve.pause():
                found = [] if is_whole else worst(agent, game)
                curve.add(rounds, f"{loss:.4f}", ", ".join(found))
            is_perfect = bool(rounds and found) and all(one.split(" of ")[0] == one.split(" of ")[1] for one in found)
        if share >= 1 or (is_perfect and not is_whole):
            break
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * max(0.1, 1 - share)
        past = [*past[-19:], self_play(game, search, chance)]
        loss = learn(network, optimizer, past, 60, rounds)
        rounds, share = rounds + 1, curve.used / (60 * minutes)
    agent.learned = f"{rounds} rounds, {curve.used:.0f} s of CPU{', no reply beats it' if share < 1 else ''}"
    agent.curve = curve.text
    return agent


def main(words: Sequence[str] | None = None) -> int:
    """Train, measure, write an entry; exit status 0."""
    parser = argparse.ArgumentParser(
        description="Train AlphaZero on a game of Quet, and measure what it loses.", allow_abbrev=False
    )
    parser.add_argument("game")
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("--minutes", type=arguments.minutes, default=5.0, help="of CPU, the longest training (5)")
    parser.add_argument("--simulations", type=arguments.simulations, default=32, help="of a move in training (32)")
    parser.add_argument("--seed", type=arguments.seed, default=1)
    parser.add_argument("--whole", action="store_true", help="train for all the minutes, though nothing may beat it")
    parser.add_argument("--threads", type=arguments.threads, default=1, help="of PyTorch (1)")
    parser.add_argument(
        "--log", type=arguments.writable, help="a line for each measurement: rounds, CPU s, % kept, loss, worst"
    )
    parser.add_argument(
        "--name", type=arguments.agent_name, default="alphazero", help="of the agent in the table (alphazero)"
    )
    parser.add_argument("--out", type=arguments.writable, help="write an entry for the table of agents")
    given = parser.parse_args(words)
    torch.set_num_threads(given.threads)
    game = arguments.game_of(parser, given.game, given.parameters)
    options = {"minutes": given.minutes, "simulations": given.simulations, "seed": given.seed, "is_whole": given.whole}
    asked = leaderboard.task(game, AGENTS)
    arguments.check_apart(parser, given)
    with refusing(parser):
        agent = train(asked.game, **options)
    agent.name = given.name
    print(f"{agent.name}, {agent.learned}:", *worst(agent, asked.game))
    written = {given.log: agent.curve}
    if given.out:
        about = f"`{arguments.command(__file__, words)}`: {agent.learned}"
        entry = leaderboard.measured(agent, [asked], about=about, seed=given.seed)
        written[given.out] = leaderboard.text(entry)
    arguments.write(parser, written)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
