"""Connect four and breakthrough in our engine, side by side with OpenSpiel, PettingZoo, Pgx and EnvPool.

    python bench/peers.py    # batches alone: beside Pgx and EnvPool, and by themselves

OpenSpiel's playouts and tree search run in its C++ core alone. Each peer is optional.
"""

import importlib.util
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import arguments
import numpy as np
from games.breakthrough import rules as breakthrough
from games.connect_four import observe
from games.connect_four import rules as connect_four
from measure import Pace, Row, compare, fitting
from reference import Side

import quet
import quet.rl
from quet.engine.tree import TreeSearch
from quet.rl.batches import Batch
from quet.rl.forms import Bounds

OPENSPIEL = {"connect_four": connect_four, "breakthrough": breakthrough}
MEGABYTES = 256  # for a search, on both sides
EXPLORATION = 0.6  # of rewards 0..1; OpenSpiel's are -1..1, so that its constant is twice this
BOARDS = 1024  # of Pgx in one batch
STEPS = 100  # of all boards in a unit of Pgx


class Peer(NamedTuple):
    """Another program that plays connect four."""

    group: str  # the name of its row
    module: str
    make: Callable[[], Callable[[int], object]]  # what it does so many times
    size: int  # how many of ours one of its units is
    bar: float | None = None


def rows(pace: Pace) -> Iterator[Row]:
    """Every comparison whose peer is installed; for the others, a row that says that it isn't."""
    if is_installed("pyspiel"):
        for name, rules in OPENSPIEL.items():
            title = name.replace("_", " ")
            ours = Side(rules, begin(rules))
            theirs = openspiel_playouts(name)
            yield compare("OpenSpiel playouts", title, ours.playouts, theirs, pace, bar=10.0)
        for name, rules in OPENSPIEL.items():
            title = name.replace("_", " ")
            theirs = openspiel_simulations(name)
            yield compare("OpenSpiel MCTS", title, simulations(rules), theirs, pace, bar=6.0, same_count=True)
    else:
        yield Row("OpenSpiel playouts", ", ".join(OPENSPIEL), None, note="not installed")
        yield Row("OpenSpiel MCTS", ", ".join(OPENSPIEL), None, note="not installed")
    others = (
        Peer("PettingZoo playouts", "pettingzoo", pettingzoo_playouts, 1),
        Peer("Pgx playouts", "pgx", pgx_playouts, BOARDS),
    )
    yield from beside(others, lambda: Side(connect_four, begin(connect_four)).playouts, pace)


def batches(pace: Pace) -> Iterator[Row]:
    """Steps of a batch, with observations, masks and random legal actions, on one core: beside peers, and alone.

    All step BOARDS games of connect four, and begin those anew that end.
    """
    others = (
        Peer("Pgx steps", "pgx", pgx_steps, BOARDS * STEPS, bar=5.0),
        Peer("EnvPool steps", "envpool", envpool_steps, BOARDS * STEPS),
    )
    yield from beside(others, lambda: batch_steps(Batch(connect_four_form(), BOARDS, reward="win")), pace)
    for name, num, bar in (("blob n=8", 4 * BOARDS, 0.5), ("blob n=8, one game", 1, 20.0)):
        ours = batch_steps(quet.rl.batch(quet.new("blob", n=8), num, threads=1))
        count = fitting(ours, pace.turn)
        found = []
        for _ in range(pace.rounds):
            before = time.process_time()
            ours(count)
            found.append((time.process_time() - before) * 1e6 / count)
        note = f"{1e6 / statistics.median(found):,.0f} steps/s"
        yield Row("batch", f"{name}: a million steps", statistics.median(found), min(found), max(found), bar, "s", note)


def beside(others: Sequence[Peer], ours: Callable[[], Callable[[int], object]], pace: Pace) -> Iterator[Row]:
    """A comparison with each of these that is installed and runs; for the others, a row that says why not."""
    for peer in others:
        try:
            if not is_installed(peer.module):
                raise ImportError("not installed")
            theirs = peer.make()
        except Exception as error:  # a peer that is there and doesn't run must not end the bench
            yield Row(peer.group, "connect four", None, note=str(error) or type(error).__name__)
            continue
        yield compare(peer.group, "connect four", ours(), theirs, pace, bar=peer.bar, their_size=peer.size)


def batch_steps(games: Batch) -> Callable[[int], object]:
    """So many random steps, rounded up to whole steps of all games."""

    def run(count: int) -> None:
        for _ in range(-(-count // games.num)):
            games.step(games.random_actions())

    return run


def connect_four_form() -> Any:
    """What a batch asks of a game, for one that is in no catalog."""
    return SimpleNamespace(
        rules=connect_four,
        entry=SimpleNamespace(observe=observe),
        num_players=2,
        bounds=Bounds(connect_four.COLUMNS, 42, (2, connect_four.ROWS, connect_four.COLUMNS), -1.0, 1.0),
        planes={"mine": "The mover's pieces.", "others": "The other player's pieces."},
        start=lambda: begin(connect_four),
    )


def pgx_steps() -> Callable[[int], object]:
    """Random steps of connect four in Pgx: the unit is STEPS steps of BOARDS games.

    Each step writes the observations and masks of all games, since the next one gets them; the last are returned. Of
    the ways to choose legal actions at random this is the one that takes least time: one random number for each game.
    """
    import jax
    import pgx
    from pgx.experimental import auto_reset

    environment = pgx.make("connect_four")
    begin_all, step_all = jax.vmap(environment.init), jax.vmap(auto_reset(environment.step, environment.init))

    @jax.jit
    def batch(key: Any) -> Any:
        key, now = jax.random.split(key)

        def turn(_: Any, carried: Any) -> Any:
            boards, key = carried
            key, now, other = jax.random.split(key, 3)
            ranks = jax.numpy.cumsum(boards.legal_action_mask, axis=1)
            wanted = jax.random.randint(now, (BOARDS,), 0, ranks[:, -1])
            actions = jax.numpy.argmax(ranks > wanted[:, None], axis=1)
            return step_all(boards, actions, jax.random.split(other, BOARDS)), key

        boards = begin_all(jax.random.split(now, BOARDS))
        return jax.lax.fori_loop(0, STEPS, turn, (boards, key))[0]

    def run(count: int) -> None:
        for seed in range(count):
            jax.block_until_ready(batch(jax.random.PRNGKey(seed)))

    return run


def envpool_steps() -> Callable[[int], object]:
    """The same in EnvPool, whose connect four is that of Pgx in C++. Its batch begins games anew by itself."""
    import envpool

    games = envpool.make("ConnectFour-v1", env_type="gymnasium", num_envs=BOARDS, num_threads=1, seed=1)
    chance = np.random.default_rng(1)
    mask = games.reset()[1]["legal_action_mask"]

    def run(count: int) -> None:
        nonlocal mask
        for _ in range(count * STEPS):
            ranks = mask.cumsum(axis=1)
            wanted = chance.integers(0, ranks[:, -1])
            actions = (ranks > wanted[:, None]).argmax(axis=1)
            mask = games.step(actions.astype(np.int32))[4]["legal_action_mask"]

    return run


def is_installed(module: str) -> bool:
    """Whether a module of this name can be imported."""
    return importlib.util.find_spec(module) is not None


def begin(rules: Any) -> Any:
    """The first position of a game of `games/`."""
    s = rules.State()
    if hasattr(rules, "start"):
        rules.start(s)
    return s


def simulations(rules: Any) -> Callable[[int], object]:
    """A whole search of our engine from an empty tree: UCT without RAVE."""

    def run(count: int) -> object:
        search = TreeSearch(rules, begin(rules), seed=1, exploration=EXPLORATION, rave=0.0, memory=MEGABYTES * 2**20)
        return search.run(simulations=count)

    return run


def openspiel_playouts(name: str) -> Callable[[int], object]:
    """Random games from the start: one simulation of MCTSBot, whose evaluator plays them all in C++."""
    import pyspiel

    game = pyspiel.load_game(name)

    def run(count: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(count, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2 * EXPLORATION, 1, MEGABYTES, True, 1, False)
        return bot.mcts_search(game.new_initial_state())

    return run


def openspiel_simulations(name: str) -> Callable[[int], object]:
    """A whole search of MCTSBot, which has a solver as ours has, with one random game a simulation."""
    import pyspiel

    game = pyspiel.load_game(name)

    def run(count: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2 * EXPLORATION, count, MEGABYTES, True, 1, False)
        return bot.mcts_search(game.new_initial_state())

    return run


def pettingzoo_playouts() -> Callable[[int], object]:
    """Random games of connect four in PettingZoo's environment, without its checking wrappers."""
    from pettingzoo.classic.connect_four import connect_four as module

    environment = module.raw_env()
    generator = random.Random(1)

    def run(count: int) -> None:
        for _ in range(count):
            environment.reset()
            for _agent in environment.agent_iter():
                observation, _reward, is_over, is_cut, _info = environment.last()
                mask = observation["action_mask"]
                columns = [column for column in range(7) if mask[column]]
                environment.step(None if is_over or is_cut else generator.choice(columns))

    return run


def pgx_playouts() -> Callable[[int], object]:
    """Random games of connect four in Pgx, BOARDS at once until all are over: the unit is such a batch."""
    import jax
    import pgx

    environment = pgx.make("connect_four")
    begin_all, step_all = jax.vmap(environment.init), jax.vmap(environment.step)

    def are_going_on(carried: Any) -> Any:
        return ~carried[0].terminated.all()

    def turn(carried: Any) -> Any:
        boards, key = carried
        key, now = jax.random.split(key)
        weights = jax.numpy.where(boards.legal_action_mask, 0.0, -jax.numpy.inf)
        return step_all(boards, jax.random.categorical(now, weights, axis=1)), key

    @jax.jit
    def batch(key: Any) -> Any:
        key, now = jax.random.split(key)
        boards = begin_all(jax.random.split(now, BOARDS))
        return jax.lax.while_loop(are_going_on, turn, (boards, key))[0].rewards.sum()

    def run(count: int) -> None:
        for seed in range(count):
            batch(jax.random.PRNGKey(seed)).block_until_ready()

    return run


if __name__ == "__main__":
    arguments.none(__doc__)
    for row in batches(Pace()):
        middle = "not measured" if row.middle is None else f"{row.middle:.3g} ({row.low:.3g}..{row.high:.3g})"
        print(f"{row.group}, {row.name}: {middle} {row.unit}, {row.note}")
