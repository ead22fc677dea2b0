"""A tree search in progress: kept from move to move, stopped at any time, the same for the same seed."""

import functools
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from ..capabilities import RandomEnd
from ..core.clock import clock
from ..core.errors import TooLarge
from ..core.rules import AnySearchRules, AnyState
from ..core.state import copy
from . import arrays, mcts, move_by_move
from .compiled import compiled, plain
from .plain_rows import Rows, States
from .playouts import WORD

LONGEST_LINE = 4096  # moves of one simulation; a longer game is scored where it stands
SMALL_MOVES = 2048  # moves below this number can share what they are worth (RAVE)
MEMORY = 256 * 2**20  # bytes of one search's trees together, unless another limit is given
SLICE = 0.02  # seconds between two looks at the clock and at whether to stop
FIRST_PORTION = 16  # simulations before the first look; one in plain Python
PLAIN_LINE = 256  # moves of one simulation in plain Python, where thousands would take seconds


@dataclass(frozen=True)
class Candidate:
    """A legal move as the search sees it."""

    move: int
    visits: int
    value: float  # mean reward of the mover, 0..1; in a solitaire the mean score
    best: float  # the best score met in a solitaire; else as `value`
    is_solved: bool  # `value` is exact


@dataclass(frozen=True)
class Findings:
    """What a search has found so far."""

    move: int  # the best
    candidates: Sequence[Candidate]  # every legal move, the best first
    line: Sequence[int]  # the principal variation, `move` first
    num_simulations: int  # of this search, those kept from earlier moves left out
    num_nodes: int  # in all trees
    seconds: float
    is_solved: bool  # the value of the position is exact
    last_move: Candidate | None = None  # the move that led here, for its mover; None where nobody said whose it was
    is_plan: bool = False  # `line` is a whole game, made as a plan
    depth: int = 0  # plies that a search with learned weights has looked ahead; 0 for other searches

    @property
    def value(self) -> float:
        """The mover's expected reward: 0..1, or the score in a solitaire."""
        return self.candidates[0].value


@dataclass
class _Total:
    """What all trees say of one move together."""

    visits: int = 0
    value: float = 0.0  # sum of the mover's rewards
    best: float = mcts.WORST
    exact: float | None = None

    def add(self, node: np.void, exact: arrays.Floats) -> None:
        """Add what one tree says, with the node's row of exact rewards."""
        self.visits += int(node["visits"])
        self.value += int(node["visits"]) * float(node["value"])
        if len(exact) == 1:
            self.best = max(self.best, float(exact[0]))
        if node["is_solved"]:
            self.exact = float(exact[max(int(node["mover"]), 1) - 1])

    def candidate(self, move: int, *, is_solitaire: bool) -> Candidate:
        value = self.value / max(self.visits, 1) if self.exact is None else self.exact
        return Candidate(move, self.visits, value, self.best if is_solitaire else value, self.exact is not None)


class TreeSearch:
    """Monte Carlo tree search over one game, one tree a thread.

    A tree that is full forgets what lies below solved and little visited nodes, half of it at once, and grows again.
    `is_plain` searches in plain Python: the same moves for the same seed, but some hundred times slower. Raises
    TooLarge when `memory` bytes can't hold the smallest useful tree, and NotCompiled as `compiled` does.
    """

    def __init__(
        self,
        rules: AnySearchRules,
        state: AnyState,
        *,
        seed: int | None = None,
        num_threads: int = 1,
        exploration: float = 0.6,
        rave: float = 0.0,
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
        size = mcts.NODE.itemsize + 4 * rules.num_players(state)
        size = 2 * size + 4  # the tree, room to keep a part of it, and where each node of that part was
        capacity = memory // (num_threads * size)
        if capacity < 4 * most_moves:
            raise TooLarge(4 * num_threads * size * most_moves, memory)
        kind = _PlainTree if is_plain else _CompiledTree
        drawn = move_by_move if ends is None else ends
        module = (plain if is_plain else compiled)(mcts, rules=rules, ends=drawn)
        num_moves = drawn.num_moves(state) or SMALL_MOVES
        table = mcts.weights(rave)
        self._trees = [
            kind(module, rules, state, capacity, most_moves, num_moves, table, seed * 64 + i, last_mover)
            for i in range(num_threads)
        ]
        self.num_simulations = 0

    def advance(self, move: int) -> None:
        """A move has been played: keep the part of each tree below it."""
        for tree in self._trees:
            tree.advance(move)

    def run(
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: threading.Event | None = None,
        report: Callable[[Findings], None] | None = None,
    ) -> Findings:
        """Search until a limit is reached, `stop` is set or the position is solved, and return what was found.

        The first limit to be reached ends the search; without any, one simulation is run. If only `simulations` is
        given, the same seed finds the same. `report` is called about twice a second.
        """
        begun = reported = clock()
        if simulations is None and seconds is None:
            simulations = 1
        done = 0
        portion = self._least
        with ThreadPoolExecutor(len(self._trees)) as pool:
            while True:
                before = clock()
                left = portion if simulations is None else min(portion, simulations - done)
                share = -(-left // len(self._trees))
                search = functools.partial(_search, share=share, exploration=self.exploration, rave=self.rave)
                done += sum(pool.map(search, self._trees))
                now = clock()
                is_over = (
                    (simulations is not None and done >= simulations)
                    or (seconds is not None and now - begun >= seconds)
                    or (stop is not None and stop.is_set())
                    or any(tree.is_solved for tree in self._trees)
                )
                if is_over:
                    break
                if simulations is None or seconds is not None or stop is not None or report is not None:
                    # A portion's size depends on the clock only where the result may.
                    portion = max(self._least, min(2 * portion, int(portion * SLICE / max(now - before, 1e-6))))
                else:
                    portion = simulations
                if report is not None and now - reported > 0.5:
                    reported = now
                    report(self._findings(done, now - begun))
        return self._findings(done, clock() - begun)

    def _findings(self, num_simulations: int, seconds: float) -> Findings:
        solved = [tree for tree in self._trees if tree.is_solved]
        trees = solved[:1] or self._trees
        totals: dict[int, _Total] = {}
        for tree in trees:
            for node, exact in tree.children():
                totals.setdefault(int(node["move"]), _Total()).add(node, exact)
        is_solitaire = self._trees[0].num_players == 1
        candidates = [total.candidate(move, is_solitaire=is_solitaire) for move, total in totals.items()]
        found = int(max(self._trees, key=lambda tree: float(tree.span[1])).best_line[0]) if is_solitaire else -1
        candidates.sort(
            key=lambda c: _rank(c, found, is_solitaire=is_solitaire, is_position_solved=bool(solved)), reverse=True
        )
        move = candidates[0].move
        return Findings(
            move,
            candidates,
            max((tree.line(move) for tree in trees), key=len),
            num_simulations,
            sum(tree.used for tree in self._trees),
            seconds,
            bool(solved),
            _last_move([tree.root() for tree in trees]),
        )


def _last_move(roots: Sequence[tuple[np.void, arrays.Floats]]) -> Candidate | None:
    """What all trees together say of the move that led to their root; None where its mover isn't known."""
    total = _Total()
    for node, exact in roots:
        if node["mover"] == 0:
            return None
        total.add(node, exact)
    return total.candidate(-1, is_solitaire=len(roots[0][1]) == 1)


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


class _Tree(ABC):
    """One tree with its random numbers: what compiled trees and those of plain Python have in common."""

    def __init__(
        self,
        module: ModuleType,
        rules: AnySearchRules,
        state: AnyState,
        capacity: int,
        most_moves: int,
        num_moves: int,
        table: arrays.Floats,
        seed: int,
        last_mover: int,
    ) -> None:
        self._module = module
        self._rules = rules
        self._most_moves = most_moves
        self.num_players = rules.num_players(state)
        self._exact = np.empty((capacity, self.num_players), np.float32)  # every row is written before it is read
        self.best_line = np.full(LONGEST_LINE + 1, -1, np.int64)
        self.span = np.array([1.0e18, -1.0e18, 0.0])
        self._out = np.zeros(self.num_players + 1)
        self._made = np.zeros((self.num_players + 1, -(-num_moves // WORD)), np.int64)
        self._table = table
        self._rng = np.array([mixed(seed)], np.uint64)
        self.used = self._begun(state, capacity, most_moves, last_mover)

    @abstractmethod
    def _begun(self, state: AnyState, capacity: int, most_moves: int, last_mover: int) -> int:
        """Make an empty tree and its working room; return the number of nodes used."""

    @property
    @abstractmethod
    def nodes(self) -> arrays.Records:
        """The nodes used, at least."""

    @property
    @abstractmethod
    def is_solved(self) -> bool:
        """Whether the values of the root are exact."""

    def search(self, share: int, exploration: float, rave: float) -> int:
        """Run simulations until all are done or the position is solved, and return `share`."""
        end = self.span[2] + share
        while not self.is_solved and self.span[2] < end:
            self._grow(int(end - self.span[2]), exploration, rave)
            if self.used + self._most_moves > len(self._exact):
                self._prune()
        return share

    def _prune(self) -> None:
        """Forget what lies below solved nodes and those visited least, so that at most half of the tree stays."""
        nodes = self.nodes[: self.used]
        expanded = nodes[(nodes["count"] > 0) & (nodes["is_solved"] == 0)]
        expanded = expanded[np.argsort(-expanded["visits"], kind="stable")]
        beyond = np.cumsum(expanded["count"]) > len(self._exact) // 2 - 1
        self._keep(0, int(expanded["visits"][np.argmax(beyond)]) + 1 if beyond.any() else 1)

    @abstractmethod
    def _keep(self, node: int, least: int) -> None:
        """Make this node the root, and keep what lies below it as `mcts.reroot` says."""

    @abstractmethod
    def _grow(self, share: int, exploration: float, rave: float) -> None:
        """Run simulations."""

    @abstractmethod
    def advance(self, move: int) -> None:
        """Play a move in the root, and keep the tree below it."""

    def root(self) -> tuple[np.void, arrays.Floats]:
        """The node of the position, with its row of exact rewards."""
        return self.nodes[0], self._exact[0]

    def children(self) -> list[tuple[np.void, arrays.Floats]]:
        """The nodes of the legal moves, with their rows of exact rewards."""
        nodes = self.nodes
        first, count = int(nodes[0]["first"]), int(nodes[0]["count"])
        return list(zip(nodes[first : first + count], self._exact[first : first + count], strict=True))

    def line(self, move: int) -> list[int]:
        """The moves most looked into after `move`, which comes first."""
        if self.num_players == 1 and self.best_line[0] == move:
            return [int(m) for m in self.best_line[: int(np.argmax(self.best_line < 0))]]
        nodes = self.nodes
        line: list[int] = []
        node = 0
        while nodes[node]["count"] > 0 and len(line) < 64:
            first, count = int(nodes[node]["first"]), int(nodes[node]["count"])
            children = nodes[first : first + count]
            wanted = np.flatnonzero(children["move"] == move) if not line else [int(np.argmax(children["visits"]))]
            if not len(wanted) or (line and children[wanted[0]]["visits"] == 0):
                break
            node = first + int(wanted[0])
            line.append(int(nodes[node]["move"]))
        return line or [move]


class _CompiledTree(_Tree):
    """A tree in arrays, with its working room."""

    def _begun(self, state: AnyState, capacity: int, most_moves: int, last_mover: int) -> int:
        self._root = arrays.pack([state])
        self._work = self._root.copy()
        self._nodes = np.empty(capacity, mcts.NODE)  # every node is written before it is read
        self._other: tuple[arrays.Records, arrays.Floats] | None = None
        self._moves = np.zeros(most_moves, np.int64)
        self._path = np.zeros(LONGEST_LINE, np.int32)
        self._line = np.zeros(LONGEST_LINE, np.int64)
        return int(self._module.start(self._nodes, self._exact, last_mover))

    @property
    def nodes(self) -> arrays.Records:
        return self._nodes

    @property
    def is_solved(self) -> bool:
        return bool(self._nodes[0]["is_solved"])

    def _grow(self, share: int, exploration: float, rave: float) -> None:
        room = self._moves, self._path, self._line, self._made, self.best_line, self.span, self._out, self._table
        self.used = int(
            self._module.search(
                self._nodes,
                self._exact,
                self.used,
                self._root,
                self._work,
                *room,
                self._rng,
                share,
                exploration,
                rave,
            )
        )
        if self.used < 0:
            self.used = -self.used
            self._widen()

    def _widen(self) -> None:
        """Make room for larger moves in each node, and so for fewer nodes in as much memory."""
        size = 4 * self.num_players
        capacity = len(self._nodes) * (mcts.NODE.itemsize + size) // (mcts.WIDE.itemsize + size)
        if self.used > capacity - self._most_moves:
            self._prune()
        self._other = None
        nodes = np.empty(capacity, mcts.WIDE)
        nodes[: self.used] = self._nodes[: self.used]
        self._nodes, self._exact = nodes, self._exact[:capacity].copy()

    def _keep(self, node: int, least: int) -> None:
        if self._other is None:
            self._other = np.empty_like(self._nodes), np.empty_like(self._exact)
        origin = np.empty(len(self._nodes), np.int32)
        kept = self._module.reroot(node, self._nodes, self._exact, *self._other, origin, least)
        (self._nodes, self._exact), self._other = self._other, (self._nodes, self._exact)
        self.used = int(kept)

    def advance(self, move: int) -> None:
        """Play a move in the root, and keep the tree below it."""
        s = arrays.unpack(self._root[0], type(self._rules.State()))
        first, count = int(self._nodes[0]["first"]), int(self._nodes[0]["count"])
        children = self._nodes[first : first + max(count, 0)]
        found = np.flatnonzero(children["move"] == move)
        if len(found) and (children[found[0]]["count"] > 0 or not children[found[0]]["is_solved"]):
            self._keep(first + int(found[0]), 0)
        else:  # it was never looked at, or was solved and then pruned
            self.used = self._module.start(self._nodes, self._exact, self._rules.mover(s))
        if self.best_line[0] == move:
            self.best_line[:-1] = self.best_line[1:]
        else:
            self.best_line[0] = -1
            if self.num_players == 1:
                self.span[1] = -1.0e18
        self._rules.play(s, move)
        self._root = arrays.pack([s])


class _PlainTree(_Tree):
    """A tree of plain Python. Nothing of it is kept from move to move."""

    def _begun(self, state: AnyState, capacity: int, most_moves: int, last_mover: int) -> int:
        self._state = copy(state)
        self._rows = Rows(mcts.WIDE, capacity)
        return int(self._module.start(self._rows, self._exact, last_mover))

    @property
    def nodes(self) -> arrays.Records:
        return self._rows.array(self.used)

    @property
    def is_solved(self) -> bool:
        return bool(self._rows[0].is_solved)

    def _grow(self, share: int, exploration: float, rave: float) -> None:
        root = States([self._state])
        moves, path, line = [0] * self._most_moves, *([0] * PLAIN_LINE for _ in range(2))
        room = moves, path, line, self._made, self.best_line, self.span, self._out, self._table
        with np.errstate(over="ignore"):  # random numbers are products that overflow
            self.used = self._module.search(
                self._rows,
                self._exact,
                self.used,
                root,
                States(root),
                *room,
                self._rng,
                share,
                exploration,
                rave,
            )

    def _keep(self, node: int, least: int) -> None:
        rows, exact = Rows(mcts.WIDE, len(self._rows)), np.empty_like(self._exact)
        origin = np.empty(self.used, np.int32)
        self.used = self._module.reroot(node, self._rows, self._exact, rows, exact, origin, least)
        self._rows, self._exact = rows, exact

    def advance(self, move: int) -> None:
        self._rows = Rows(mcts.WIDE, len(self._rows))
        self.used = self._module.start(self._rows, self._exact, self._rules.mover(self._state))
        self._rules.play(self._state, move)
        self.span[1] = -1.0e18


def _search(tree: _Tree, share: int, exploration: float, rave: float) -> int:
    return tree.search(share, exploration, rave)


def mixed(seed: int) -> int:
    """A 64-bit number other than 0 that depends on every bit of the seed (splitmix64)."""
    x = (seed + 0x9E3779B97F4A7C15) % 2**64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
    return (x ^ x >> 31) or 1
