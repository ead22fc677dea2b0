"""A tree search in progress: kept from move to move, stopped at any time, the same for the same seed."""

import functools
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import TypeAlias

import numpy as np

from ..capabilities import RandomEnd
from ..core.clock import clock
from ..core.errors import TooLarge
from ..core.rules import AnySearchRules, AnyState
from ..core.state import copy
from . import arrays, mcts, move_by_move
from .compiled import compiled, plain
from .findings import REPORTING, Candidate, Findings
from .plain_rows import Rows, States
from .playouts import WORD

LONGEST_LINE = 4096  # moves of one simulation; a longer game is scored where it stands
SMALL_MOVES = 2048  # moves below this number can share what they are worth (RAVE)
MEMORY = 256 * 2**20  # bytes of one search's tree, unless another limit is given
MOST_VISITS = 1_000_000_000  # of a tree, after which no search of it goes on: they are counted in 32 bits
EXPLORATION = 0.6  # the constant of UCT, where a game's facts have no other
RAVE = 0.0  # visits at which a node's own mean and its RAVE mean weigh alike, where the facts have no others
SLICE = 0.02  # seconds between two looks at the clock and at whether to stop
FIRST_PORTION = 16  # simulations before the first look; one in plain Python
PLAIN_LINE = 256  # moves of one simulation in plain Python, where thousands would take seconds

Nodes: TypeAlias = "arrays.Records | Rows"


class TreeSearch:
    """Monte Carlo tree search over one game. Several threads grow one tree, and then two runs may find different moves.

    A tree that is full forgets what lies below solved and little visited nodes, half of it at once, and grows again.
    `is_plain` searches in plain Python: the same moves for the same seed, but some hundred times slower. Only in games
    of more than PLAIN_LINE plies they may differ, as it plays random games no further. Raises TooLarge when `memory`
    bytes can't hold the smallest useful tree, and NotCompiled as `compiled` does.
    """

    def __init__(
        self,
        rules: AnySearchRules,
        state: AnyState,
        *,
        seed: int | None = None,
        num_threads: int = 1,
        exploration: float = EXPLORATION,
        rave: float = RAVE,
        memory: int = MEMORY,
        last_mover: int = 0,
        is_plain: bool = False,
        ends: RandomEnd[AnyState] | None = None,
    ) -> None:
        """`last_mover` is the player whose move led to the state, if the worth of that move is wanted too. `ends` draws
        the ends of games, where they aren't played move by move.
        """
        self.rules = rules
        self._least = 1 if is_plain else FIRST_PORTION
        self.exploration = exploration
        self.rave = rave
        seed = int.from_bytes(os.urandom(7)) if seed is None else seed
        most_moves = rules.most_moves(state)
        num_players = rules.num_players(state)
        num_threads = 1 if is_plain else num_threads
        size = mcts.NODE.itemsize + 4 * num_players
        size = 2 * size + 4  # the tree, room to keep a part of it, and where each node of that part was
        capacity = memory // size
        if capacity < 4 * num_threads * most_moves:
            raise TooLarge(4 * num_threads * size * most_moves, memory)
        drawn = move_by_move if ends is None else ends
        module = (plain if is_plain else compiled)(mcts, rules=rules, ends=drawn)
        num_moves = drawn.num_moves(state) or SMALL_MOVES
        longest = PLAIN_LINE if is_plain else LONGEST_LINE
        self._workers = [
            _Worker(seed * 64 + i, num_players, most_moves, num_moves, longest, is_plain=is_plain)
            for i in range(num_threads)
        ]
        kind = _PlainTree if is_plain else _CompiledTree
        self._tree = kind(module, rules, state, capacity, most_moves, mcts.weights(rave), last_mover, self._workers)

    def advance(self, move: int) -> None:
        """As of any Search; the part of the tree below the move is kept."""
        self._tree.advance(move)

    def run(
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: threading.Event | None = None,
        report: Callable[[Findings], None] | None = None,
    ) -> Findings:
        """As of any Search. One simulation is the least, and a solved position is searched no further, nor is a tree
        that has been visited MOST_VISITS times.
        """
        begun = reported = clock()
        if simulations is None and seconds is None:
            simulations = 1
        done = 0
        portion = self._least
        with ThreadPoolExecutor(len(self._workers)) as pool:
            while True:
                before = clock()
                left = min(MOST_VISITS, portion if simulations is None else min(portion, simulations - done))
                share = -(-left // len(self._workers))
                grow = functools.partial(self._tree.grow, share=share, exploration=self.exploration, rave=self.rave)
                done += sum(pool.map(grow, self._workers))
                self._tree.make_room()
                now = clock()
                is_stopped = (seconds is not None and now - begun >= seconds) or (stop is not None and stop.is_set())
                # A search that had to make room first has done nothing yet.
                if (
                    (done > 0 and is_stopped)
                    or (simulations is not None and done >= simulations)
                    or self._tree.is_solved
                    or self._tree.num_visits > MOST_VISITS
                ):
                    break
                if simulations is None or seconds is not None or stop is not None or report is not None:
                    # A portion's size depends on the clock only where the result may.
                    portion = max(self._least, min(2 * portion, int(portion * SLICE / max(now - before, 1e-6))))
                else:
                    portion = simulations
                if report is not None and now - reported > REPORTING:
                    reported = now
                    report(self._findings(done, now - begun))
        return self._findings(done, clock() - begun)

    def _findings(self, num_simulations: int, seconds: float) -> Findings:
        tree, is_solitaire = self._tree, self._tree.num_players == 1
        candidates = [_candidate(node, exact) for node, exact in tree.children()]
        best = max(self._workers, key=lambda worker: float(worker.span[1])).best_line
        candidates.sort(
            key=lambda c: _rank(c, int(best[0]), is_solitaire=is_solitaire, is_position_solved=tree.is_solved),
            reverse=True,
        )
        move = candidates[0].move
        is_best = is_solitaire and best[0] == move
        line = [int(m) for m in best[: int(np.argmax(best < 0))]] if is_best else tree.line(move)
        root, exact = tree.root()
        last_move = _candidate(root, exact) if root["mover"] else None
        return Findings(move, candidates, line, num_simulations, tree.used, seconds, tree.is_solved, last_move)


def _candidate(node: np.void, exact: arrays.Floats) -> Candidate:
    """What the tree says of the move into this node; `exact` is the node's row of exact rewards."""
    is_solitaire, is_solved = len(exact) == 1, bool(node["is_solved"])
    value = float(exact[max(int(node["mover"]), 1) - 1] if is_solved else node["value"] if node["visits"] else 0.0)
    best = float(exact[0]) if is_solitaire else value
    return Candidate(int(node["move"]), int(node["visits"]), value, best, is_solved)


def _rank(candidate: Candidate, found: int, *, is_solitaire: bool, is_position_solved: bool) -> tuple[float, ...]:
    """What candidates are sorted by: a solved win or best score comes first, else the most visits.

    `found` is the first move of the best line of a solitaire.
    """
    if is_solitaire:
        return (candidate.best, candidate.move == found, candidate.visits)
    if is_position_solved:
        return (candidate.is_solved, candidate.value, candidate.visits)
    if candidate.is_solved and candidate.value < 0.1:
        return (-1.0, candidate.value, candidate.visits)  # lost for certain
    return (1.0, candidate.visits, candidate.value)


class _Worker:
    """What one thread needs to grow a tree: random numbers, room to work in, and its own places for new nodes."""

    def __init__(
        self, seed: int, num_players: int, most_moves: int, num_moves: int, longest: int, *, is_plain: bool
    ) -> None:
        self.rng = np.array([mixed(seed)], np.uint64)
        self.span = np.array([1.0e18, -1.0e18, 0.0])
        self.best_line = np.full(LONGEST_LINE + 1, -1, np.int64)
        made = np.zeros((num_players + 1, -(-num_moves // WORD)), np.int64)
        rows = np.zeros(most_moves, np.int64), np.zeros(longest, np.int32), np.zeros(longest, np.int64)
        moves, path, line = (row.tolist() for row in rows) if is_plain else rows
        self.room = moves, path, line, made, self.best_line, self.span, np.zeros(num_players + 1)
        self.begun = self.used = self.limit = 0  # the first of its places, the next one that is free, and the end


class _Tree(ABC):
    """A tree that workers grow: what compiled trees and those of plain Python have in common."""

    _exact: arrays.Floats  # every row is written before it is read

    def __init__(
        self,
        module: ModuleType,
        rules: AnySearchRules,
        state: AnyState,
        capacity: int,
        most_moves: int,
        table: arrays.Floats,
        last_mover: int,
        workers: Sequence[_Worker],
    ) -> None:
        self._module = module
        self._rules = rules
        self._most_moves = most_moves
        self._table = table
        self._workers = workers
        self.num_players = rules.num_players(state)
        self._exact = np.empty((capacity, self.num_players), np.float32)
        self._begin(state, capacity)
        self._start(last_mover)

    @abstractmethod
    def _begin(self, state: AnyState, capacity: int) -> None:
        """Make room for nodes and states."""

    @property
    @abstractmethod
    def nodes(self) -> Nodes:
        """The nodes, as the search takes them."""

    @property
    @abstractmethod
    def _roots(self) -> tuple[States[AnyState] | arrays.Records, States[AnyState] | arrays.Records]:
        """The position, and room for another, as the search takes them."""

    @abstractmethod
    def _records(self, nodes: slice) -> arrays.Records:
        """These nodes as an array of records."""

    @abstractmethod
    def _keep(self, node: int, least: int) -> None:
        """Make this node the root, and keep what lies below it as `mcts.reroot` says."""

    @property
    def is_solved(self) -> bool:
        """Whether the values of the root are exact."""
        return bool(self._records(slice(1))[0]["is_solved"])

    @property
    def num_visits(self) -> int:
        """The number of simulations that went through the root."""
        return int(self._records(slice(1))[0]["visits"])

    @property
    def used(self) -> int:
        """The number of nodes."""
        return sum(worker.used - worker.begun for worker in self._workers)

    def _start(self, last_mover: int) -> None:
        self._share_out(self._module.start(self.nodes, self._exact, last_mover))

    def _share_out(self, used: int) -> None:
        """The first places are used: let each worker have an equal part of the others."""
        free, count = len(self.nodes) - used, len(self._workers)
        for i, worker in enumerate(self._workers):
            worker.begun, worker.limit = (used + free * j // count for j in (i, i + 1))
            worker.used = worker.begun
        self._workers[0].begun = 0

    def grow(self, worker: _Worker, share: int, exploration: float, rave: float) -> int:
        """Run simulations until `share` are done, the position is solved or the worker has no room; return how many
        were done. Several threads may call this at once, each with a worker of its own.
        """
        before = worker.span[2]
        root, work = self._roots
        worker.used = int(
            self._module.search(
                self.nodes,
                self._exact,
                worker.used,
                worker.limit,
                len(self._workers) > 1,
                root,
                work,
                *worker.room,
                self._table,
                worker.rng,
                share,
                exploration,
                rave,
            )
        )
        return int(worker.span[2] - before)

    def make_room(self) -> None:
        """Where a worker has no room for what it may need next, forget some of the nodes."""
        if any(worker.used + self._most_moves > worker.limit for worker in self._workers):
            self._prune()

    def _prune(self) -> None:
        """Forget what lies below solved nodes and those visited least, so that at most half of the tree stays."""
        nodes = np.concatenate([self._records(slice(worker.begun, worker.used)) for worker in self._workers])
        expanded = nodes[(nodes["first"] > 0) & (nodes["is_solved"] == 0)]
        expanded = expanded[np.argsort(-expanded["visits"], kind="stable")]
        beyond = np.cumsum(expanded["count"]) > len(self._exact) // 2 - 1
        self._keep(0, int(expanded["visits"][np.argmax(beyond)]) + 1 if beyond.any() else 1)

    def _copy(self, node: int, least: int, nodes: Nodes, exact: arrays.Floats) -> int:
        """Copy what `_keep` keeps to these nodes and their rows of exact rewards, and return how many are used."""
        origin = np.empty(len(self._exact), np.int32)
        return int(self._module.reroot(node, self.nodes, self._exact, nodes, exact, origin, least))

    @abstractmethod
    def advance(self, move: int) -> None:
        """Play a move in the root, and keep the tree below it."""

    def root(self) -> tuple[np.void, arrays.Floats]:
        """The node of the position, with its row of exact rewards."""
        return self._records(slice(1))[0], self._exact[0]

    def children(self) -> list[tuple[np.void, arrays.Floats]]:
        """The nodes of the legal moves, with their rows of exact rewards."""
        places = self._children(self.root()[0])
        return list(zip(self._records(places), self._exact[places], strict=True))

    def _children(self, node: np.void) -> slice:
        return slice(int(node["first"]), int(node["first"]) + int(node["count"]))

    def line(self, move: int) -> list[int]:
        """The moves most looked into after `move`, which comes first."""
        line: list[int] = []
        node = self.root()[0]
        while node["first"] > 0 and len(line) < 64:
            children = self._records(self._children(node))
            wanted = np.flatnonzero(children["move"] == move) if not line else [int(np.argmax(children["visits"]))]
            if not len(wanted) or (line and children[wanted[0]]["visits"] == 0):
                break
            node = children[wanted[0]]
            line.append(int(node["move"]))
        return line or [move]


class _CompiledTree(_Tree):
    """A tree in arrays."""

    def _begin(self, state: AnyState, capacity: int) -> None:
        self._root = arrays.pack([state])
        self._nodes = np.empty(capacity, mcts.NODE)  # every node is written before it is read
        self._other: tuple[arrays.Records, arrays.Floats] | None = None

    @property
    def nodes(self) -> arrays.Records:
        return self._nodes

    @property
    def _roots(self) -> tuple[arrays.Records, arrays.Records]:
        return self._root, self._root.copy()

    def _records(self, nodes: slice) -> arrays.Records:
        return self._nodes[nodes]

    def _keep(self, node: int, least: int) -> None:
        nodes, exact = self._other or (np.empty_like(self._nodes), np.empty_like(self._exact))
        used = self._copy(node, least, nodes, exact)
        self._other = self._nodes, self._exact
        self._nodes, self._exact = nodes, exact
        self._share_out(used)

    def make_room(self) -> None:
        """Where a move didn't fit into a node, widen all nodes first."""
        if any(worker.used < 0 for worker in self._workers):
            for worker in self._workers:
                worker.used = abs(worker.used)
            self._widen()
        super().make_room()

    def _widen(self) -> None:
        """Make room for larger moves in each node, and so for fewer nodes in as much memory."""
        size = 4 * self.num_players
        capacity = len(self._nodes) * (mcts.NODE.itemsize + size) // (mcts.WIDE.itemsize + size)
        self._keep(0, 0)  # so that the nodes stand side by side
        if self.used > capacity // 2:
            self._prune()
        used = self.used
        nodes = np.empty(capacity, mcts.WIDE)
        nodes[:used] = self._nodes[:used]
        self._nodes, self._exact, self._other = nodes, self._exact[:capacity].copy(), None
        self._share_out(used)

    def advance(self, move: int) -> None:
        """Play a move in the root, and keep the tree below it."""
        s = arrays.unpack(self._root[0], type(self._rules.State()))
        places = self._children(self._nodes[0])
        children = self._nodes[places]
        found = np.flatnonzero(children["move"] == move)
        if len(found) and (children[found[0]]["first"] > 0 or not children[found[0]]["is_solved"]):
            self._keep(places.start + int(found[0]), 0)
        else:  # it was never looked at, or was solved and then pruned
            self._start(self._rules.mover(s))
        for worker in self._workers:
            if worker.best_line[0] == move:
                worker.best_line[:-1] = worker.best_line[1:]
            else:
                worker.best_line[0] = -1
                if self.num_players == 1:
                    worker.span[1] = -1.0e18
        self._rules.play(s, move)
        self._root = arrays.pack([s])


class _PlainTree(_Tree):
    """A tree of plain Python. Nothing of it is kept from move to move."""

    def _begin(self, state: AnyState, capacity: int) -> None:
        self._state = copy(state)
        self._rows = Rows(mcts.WIDE, capacity)

    @property
    def nodes(self) -> Rows:
        return self._rows

    @property
    def _roots(self) -> tuple[States[AnyState], States[AnyState]]:
        return States([self._state]), States([self._state])

    def _records(self, nodes: slice) -> arrays.Records:
        return self._rows.array(nodes)

    def _keep(self, node: int, least: int) -> None:
        nodes, exact = Rows(mcts.WIDE, len(self._rows)), np.empty_like(self._exact)
        used = self._copy(node, least, nodes, exact)
        self._rows, self._exact = nodes, exact
        self._share_out(used)

    def grow(self, worker: _Worker, share: int, exploration: float, rave: float) -> int:
        with np.errstate(over="ignore"):  # random numbers are products that overflow
            return super().grow(worker, share, exploration, rave)

    def advance(self, move: int) -> None:
        self._rows = Rows(mcts.WIDE, len(self._rows))
        self._start(self._rules.mover(self._state))
        self._rules.play(self._state, move)
        self._workers[0].span[1] = -1.0e18


def mixed(seed: int) -> int:
    """A 64-bit number other than 0 that depends on every bit of the seed (splitmix64)."""
    x = (seed + 0x9E3779B97F4A7C15) % 2**64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
    return (x ^ x >> 31) or 1
