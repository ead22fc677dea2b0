"""Both sides of a comparison with C++: our compiled search, and the same algorithm in `reference/`, on equal arrays.

Both sides must leave the same in their arrays, bit for bit: see tests/test_bench.py.
"""

import ctypes
import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import quet
from quet.engine import alphabeta, arrays, mcts, move_by_move, outlook, playouts
from quet.engine.annealing import COLD, HOT
from quet.engine.cache import cache_folder
from quet.engine.compiled import compiled
from quet.games.sums_grid import local_search

# The size for each game that its rules call usual; 8 by 8 squares where there is a choice.
SIZES: dict[str, dict[str, Any]] = {
    "blob": {"n": 8},
    "convoluted-coprimality": {"n": 12},
    "divisors-multiples": {"r": 17},
    "palindromes": {"m": 16},
    "plusses-minuses": {"n": 8},
    "sequence-ascension": {"n": 8},
    "up-and-up": {"n": 8},
}
LONGEST = 4096  # moves of one playout
CAPACITY = 400_000  # nodes of a tree
SMALL_MOVES = 2048  # as in quet.engine.tree
TABLE = 1 << 20  # entries of a transposition table
FOLDER = Path(__file__).parent / "reference"
# Contracted multiplications and additions would round otherwise than ours, and so grow other trees.
FLAGS = ["-std=c++17", "-O3", "-march=native", "-ffp-contract=off", "-fno-semantic-interposition", "-fPIC", "-shared"]


def compiler() -> str | None:
    """The C++ compiler: CXX, else g++; None where it isn't installed."""
    return shutil.which(os.environ.get("CXX") or "g++")


@functools.cache
def library(game_id: str) -> ctypes.CDLL:
    """The game and its searches in C++, compiled when a source or the compiler has changed."""
    found = compiler()
    if found is None:
        raise FileNotFoundError("g++ is not installed")
    version = subprocess.run([found, "--version"], capture_output=True, check=True).stdout
    key = hashlib.sha256(repr((version, FLAGS)).encode())
    for file in sorted(FOLDER.iterdir()):
        key.update(file.read_bytes())
    name = game_id.replace("-", "_")
    made = cache_folder() / "bench" / f"{name}-{key.hexdigest()[:16]}.so"
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=made.parent) as scratch:
            fresh = Path(scratch) / made.name
            source = FOLDER / "reference.cpp"
            subprocess.run([found, *FLAGS, f'-DGAME="{name}.hpp"', str(source), "-o", str(fresh)], check=True)
            fresh.replace(made)
    opened = ctypes.CDLL(str(made))
    for function in ("state_size", "playouts", "tree_search", "alphabeta", "fill", "improve"):
        if hasattr(opened, function):
            getattr(opened, function).restype = ctypes.c_int64
    return opened


def call(function: Any, *arguments: Any) -> int:
    """Call a function of a library with arrays as pointers, whole numbers as int64 and others as double."""
    given = [
        ctypes.c_void_p(a.ctypes.data)
        if isinstance(a, np.ndarray)
        else ctypes.c_double(a)
        if isinstance(a, float)
        else ctypes.c_int64(a)
        for a in arguments
    ]
    return int(function(*given))


class Side:
    """One game at its start, with every array that a search works on; with a library its C++ searches, else ours."""

    def __init__(self, rules: Any, state: Any, library: ctypes.CDLL | None = None, *, seed: int = 1) -> None:
        self.rules = rules
        self.library = library
        self.root = arrays.pack([state])
        self.work = self.root.copy()
        self.moves = np.zeros(rules.most_moves(state), np.int64)
        self.rng = np.array([seed * 2654435761], np.uint64)
        self.totals = np.zeros(9, np.int64)
        self.num_players = rules.num_players(state)
        if library is not None and library.state_size() != self.root.itemsize:
            raise ValueError(f"reference/ has another State than {rules.__name__}")

    def playouts(self, count: int) -> int:
        """Play `count` playouts; return the moves played."""
        arguments = (self.root, self.work, self.moves, self.rng, count, LONGEST, self.totals)
        if self.library is None:
            return int(compiled(playouts, rules=self.rules).playouts(*arguments))
        return call(self.library.playouts, *arguments)

    @functools.cached_property
    def tree(self) -> tuple[Any, Any]:
        """The nodes, and a row of exact rewards for each."""
        return np.zeros(CAPACITY, mcts.NODE), np.zeros((CAPACITY, self.num_players), np.float32)

    def plant(self) -> None:
        """Make an empty tree, in the same memory as the one before."""
        self.path = np.zeros(LONGEST, np.int32)
        self.line = np.zeros(LONGEST, np.int64)
        self.made = np.zeros((self.num_players + 1, SMALL_MOVES // playouts.WORD), np.int64)
        self.best_line = np.full(LONGEST + 1, -1, np.int64)
        self.span = np.array([1.0e18, -1.0e18, 0.0])
        self.out = np.zeros(self.num_players + 1)
        self.used = int(compiled(mcts, rules=self.rules, ends=move_by_move).start(*self.tree, 0))

    def simulations(self, count: int, exploration: float, rave: float) -> None:
        """Run `count` simulations in a new tree, and in another whenever the start is solved or the tree is full."""
        self.plant()
        while count > 0:
            if self.tree[0][0]["is_solved"] or self.used + len(self.moves) > CAPACITY:
                self.plant()
            before = self.span[2]
            self._search(count, float(exploration), float(rave))
            count -= int(self.span[2] - before)

    def _search(self, count: int, exploration: float, rave: float) -> None:
        nodes, exact = self.tree
        path, line, made = self.path, self.line, self.made
        rest = (mcts.weights(rave), self.rng, count, exploration, rave)
        if self.library is None:
            search = compiled(mcts, rules=self.rules, ends=move_by_move).search
            room = (self.root, self.work, self.moves, path, line, made, self.best_line, self.span, self.out)
            self.used = int(search(nodes, exact, self.used, CAPACITY, False, *room, *rest))
        else:
            before = (nodes, len(nodes), exact, self.used, self.root, self.work, self.moves, len(self.moves))
            room_there = (path, len(path), line, len(line), made, made.shape[1])
            self.used = call(self.library.tree_search, *before, *room_there, self.best_line, self.span, *rest)

    def solve(self, exact: Any, depth: int) -> tuple[int, int]:
        """Alpha-beta from the start with an empty table: the value, and how many nodes were visited."""
        stack = np.repeat(self.root, depth + 1)
        frames = np.zeros(depth + 1, alphabeta.FRAME)
        moves = np.zeros((depth + 1, len(self.moves)), np.int64)
        table = np.zeros(TABLE, alphabeta.ENTRY)
        counts = np.zeros(2, np.int64)
        limits = (counts, -(1 << 30), 1 << 30, depth, 1 << 40)
        if self.library is None:
            search = compiled(alphabeta, rules=self.rules, exact=exact, outlook=outlook, order=outlook, endgame=outlook)
            value = int(search.search(stack, frames, moves, table, *limits))
        else:
            sizes = (stack, frames, moves, moves.shape[1], table, len(table))
            value = call(self.library.alphabeta, *sizes, *limits)
        return value, int(counts[0])

    def climb(self, num_steps: int) -> int:
        """Steps of the local search of a sums grid, from random numbers; return the worth of the best grid."""
        self.work = np.repeat(self.root, 2)
        if self.library is None:
            search: Any = compiled(local_search)
            search.fill(self.work, self.rng)
            return int(search.improve(self.work, self.rng, num_steps, HOT, COLD))
        call(self.library.fill, self.work, self.rng)
        return call(self.library.improve, self.work, self.rng, num_steps, HOT, COLD)


def sides(game_id: str, parameters: dict[str, Any]) -> tuple[Side, Side]:
    """A game of the catalog in our engine and in C++, with the same seed."""
    game = quet.new(game_id, **parameters)
    return Side(game.rules, game.state), Side(game.rules, game.state, library(game_id))
