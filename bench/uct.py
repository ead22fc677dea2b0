"""Plain UCT, as textbooks have it, to measure the levels by. Compiled by `quet.engine.compiled`.

It uses UCB1 (Auer, Cesa-Bianchi and Fischer, 2002) on the share of the win, with one new node a simulation and random
playouts. It plays the move with the most visits, and begins each move with an empty tree. It has no RAVE, and solves
nothing.
"""

import math
from typing import Any

import numpy as np

from quet.engine.playouts import below

ALLOCATES = False
EXPLORATION = math.sqrt(2)  # UCB1's own, for rewards from 0 to 1

rules: Any = None  # bound by compiled()

NODE = np.dtype(
    [
        ("first", np.int32),  # the first of its children, which stand side by side
        ("count", np.int32),  # how many there are; 0 while it isn't expanded
        ("visits", np.int32),
        ("mover", np.int32),  # the player who moved into it
        ("move", np.int64),  # that was played
        ("value", np.float64),  # sum of the mover's rewards
    ],
    align=True,
)


def search(
    nodes: Any, root: Any, work: Any, moves: Any, path: Any, reward: Any, rng: Any, num_simulations: int, longest: int
) -> None:
    """Grow a tree in `nodes` by simulations from root[0], none of which goes on after `longest` moves.

    `work`, `moves`, `path` (more than `longest`) and `reward` are room to work in: a state, the legal moves, the nodes
    of one simulation, and what it is worth to each player.
    """
    put(nodes[0], 0, -1)
    work[0] = root[0]
    used = expand(nodes, 1, 0, work[0], moves, rng)
    for _ in range(num_simulations):
        work[0] = root[0]
        s = work[0]
        path[0] = 0
        node = int(path[0])  # no literal, for which `select` would be compiled a second time
        depth = 0
        while nodes[node].count > 0:
            node = select(nodes, node)
            rules.play(s, nodes[node].move)
            depth += 1
            path[depth] = node
            if nodes[node].visits == 0:
                break
            if nodes[node].count == 0 and used + len(moves) <= len(nodes) and depth < longest:
                used = expand(nodes, used, node, s, moves, rng)
        ply = depth
        while ply < longest and not rules.is_over(s):
            rules.play(s, moves[below(rng, rules.legal_moves(s, moves))])
            ply += 1
        share_win(s, reward)
        for i in range(depth + 1):
            n = nodes[path[i]]
            n.visits += 1
            n.value += reward[n.mover]


def put(n: Any, mover: int, move: int) -> None:
    """Make n a node that hasn't been visited."""
    n.first = 0
    n.count = 0
    n.visits = 0
    n.mover = mover
    n.move = move
    n.value = 0.0


def expand(nodes: Any, used: int, node: int, s: Any, moves: Any, rng: Any) -> int:
    """Append a child for each legal move of the node's state s, in random order; return how many nodes are used."""
    count = rules.legal_moves(s, moves)
    mover = rules.mover(s)
    for i in range(count - 1, 0, -1):
        j = below(rng, i + 1)
        moves[i], moves[j] = moves[j], moves[i]
    nodes[node].first = used
    nodes[node].count = count
    for i in range(count):
        put(nodes[used + i], mover, moves[i])
    return used + int(count)


def select(nodes: Any, node: int) -> int:
    """The child to look into: an unvisited one, else the one with the highest upper confidence bound."""
    log = math.log(nodes[node].visits + 1.0)
    pick = int(nodes[node].first)
    highest = -1.0
    for child in range(nodes[node].first, nodes[node].first + nodes[node].count):
        c = nodes[child]
        if c.visits == 0:
            return child
        bound = c.value / c.visits + EXPLORATION * math.sqrt(log / c.visits)
        if bound > highest:
            highest = bound
            pick = child
    return pick


def share_win(s: Any, reward: Any) -> None:
    """Write to reward[1..N] each player's share of the win if the game ended here."""
    num_players = rules.num_players(s)
    sign = -1 if rules.LOWER_IS_BETTER else 1
    best = sign * rules.score(s, 1)
    sharing = 0
    for player in range(1, num_players + 1):
        score = sign * rules.score(s, player)
        if score > best:
            best = score
            sharing = 1
        elif score == best:
            sharing += 1
    for player in range(1, num_players + 1):
        reward[player] = 1.0 / sharing if sign * rules.score(s, player) == best else 0.0
