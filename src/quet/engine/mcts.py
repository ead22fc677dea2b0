"""Monte Carlo tree search for one, two and many players, over a tree in one flat array. Compiled by `compiled.py`.

Each node keeps the mean reward of the player who moved into it, so that every player maximises their own (max-n).
Where the game is over below a node on all sides, or its mover can win for certain, the node is solved and keeps the
exact rewards (MCTS-Solver: Winands, Bjornsson and Saito, 2008). RAVE shares what a move was worth later in a game
with the same move now (Gelly and Silver, 2011). In a solitaire the mean and the best score found below count alike.

Several threads may grow one tree without a lock. A simulation under way counts as a visit of reward 0 (virtual loss:
Chaslot, Winands and van den Herik, 2008), so that threads part. Each thread has its own part of the array for new
nodes, and children are complete before their parent names them. Where two threads change a number at once, one change
may be lost; what is solved stays right.

`ends` is bound as `rules` is: a game's `random_end.py`, or `move_by_move.py`.
"""

import math

import numpy as np

from ..capabilities import RandomEnd
from ..core.rules import AnySearchRules, AnyState
from .arrays import Floats, Ints, Record, Records, Words, fence, unbound
from .playouts import WORD, below

ALLOCATES = False

rules: AnySearchRules = unbound  # bound by compiled()
ends: RandomEnd[AnyState] = unbound

WORST = -1.0e18  # below every score
WON = 0.9  # a reward from here on means that the player wins alone

_FIELDS = (
    ("first", np.int32),  # the first of its children, which stand side by side; 0 while it isn't expanded
    ("visits", np.int32),
    ("value", np.float32),  # mean of the mover's rewards
    ("rave_visits", np.int32),  # playouts from the parent or below in which its mover played this move later
    ("rave_value", np.float32),  # sum of the mover's rewards in them
    ("mover", np.int8),  # the player who moved into it
    ("is_solved", np.int8),
)
NODE = np.dtype([*_FIELDS, ("count", np.int16), ("move", np.int32)], align=True)  # 28 bytes
"""A node: `count` is the number of its children, once it is expanded, and `move` the one that was played."""
WIDE = np.dtype([*_FIELDS, ("count", np.int32), ("move", np.int64)], align=True)
"""The same for games with moves, or numbers of them, that are too large for NODE."""
TABLED = 512  # numbers of visits below this have their roots in a table
MANY = 1 << 20  # visits of RAVE from which on both numbers are halved, so that a float32 can hold their sum


def weights(rave: float) -> Floats:
    """For each small number of visits: 1 by its root, and the part of the mean that is RAVE's."""
    visits = np.arange(TABLED)
    return np.stack([1.0 / np.sqrt(np.maximum(visits, 1.0)), np.sqrt(rave / np.maximum(3.0 * visits + rave, 1e-300))])


def scores(s: AnyState, out: Floats) -> None:
    """Write each player's score as it stands to out[1..N]."""
    for player in range(1, rules.num_players(s) + 1):
        out[player] = rules.score(s, player)


def rewards(num_players: int, out: Floats) -> None:
    """Take each player's score in out[1..N] and leave the reward for it there.

    In a solitaire that is the score. Otherwise nine tenths are for the win, split among those who share the best score.
    The rest is for the distance to the best other score, so that a player who has won or lost plays on well.
    """
    if rules.LOWER_IS_BETTER:
        for player in range(1, num_players + 1):
            out[player] = -out[player]
    if num_players == 1:
        return
    best = out[1]
    second = -1.0e18
    sharing = 1
    for player in range(2, num_players + 1):
        if out[player] > best:
            second = best
            best = out[player]
            sharing = 1
        elif out[player] == best:
            sharing += 1
            second = best
        elif out[player] > second:
            second = out[player]
    for player in range(1, num_players + 1):
        share = 1.0 / sharing if out[player] == best else 0.0
        margin = out[player] - second if out[player] == best else out[player] - best
        out[player] = 0.9 * share + 0.05 + 0.05 * margin / (1.0 + abs(margin))


def select(
    nodes: Records,
    exact: Floats,
    node: int,
    span: Floats,
    table: Floats,
    exploration: float,
    rave: float,
    is_solitaire: bool,
) -> int:
    """The child of an expanded, unsolved node to look into: an unvisited one, else the one of the best upper bound.

    Where a solved child is the best, every other visit goes to the best of the others, so that they are solved too.
    The visits of the node count this one. `table` is what `weights` returns.
    """
    first = nodes[node].first
    exploration *= math.sqrt(math.log(nodes[node].visits))
    low = span[0]
    scale = 1.0 / (span[1] - low) if span[1] > low else 1.0
    pick = -1
    highest = -1.0e300
    solved_pick = -1
    solved_highest = -1.0e300
    for child in range(first, first + nodes[node].count):
        c = nodes[child]
        visits = c.visits
        if c.is_solved:
            if not is_solitaire and exact[child, c.mover - 1] > solved_highest:
                solved_highest = np.float64(exact[child, c.mover - 1])
                solved_pick = child
            continue
        mean = np.float64(c.value)
        if is_solitaire:
            if visits == 0:
                return child
            mean = (0.5 * (mean + np.float64(exact[child, 0])) - low) * scale
        elif c.rave_visits > 0:
            part = table[1, visits] if visits < TABLED else math.sqrt(rave / (3.0 * visits + rave))
            mean += part * (np.float64(c.rave_value) / c.rave_visits - mean)
        elif visits == 0:
            return child
        bound = mean + exploration * (table[0, visits] if visits < TABLED else 1.0 / math.sqrt(visits))
        if bound > highest:
            highest = bound
            pick = child
    if solved_highest > highest and (nodes[node].visits % 2 == 1 or pick < 0):
        return solved_pick
    return pick if pick >= 0 else first  # all are solved, which another thread is about to say of the node


def blank(node: Record, mover: int) -> None:
    """Make this a node without children into which the player moved and nobody has looked."""
    node.first = 0
    node.count = 0
    node.visits = 0
    node.mover = mover
    node.is_solved = 0
    node.value = 0.0
    node.rave_visits = 0
    node.rave_value = 0.0


def expand(
    nodes: Records, exact: Floats, used: int, node: int, s: AnyState, moves: list[int], rng: Words, is_solitaire: bool
) -> int:
    """Append a child for each legal move of the node's state s, in random order; return how many nodes are used.

    Where a move or their number doesn't fit into the nodes, nothing is appended, and -1 returned.
    """
    count: int = rules.legal_moves(s, moves)
    mover = rules.mover(s)
    before = rng[0]
    for i in range(count - 1, 0, -1):
        j = below(rng, i + 1)
        moves[i], moves[j] = moves[j], moves[i]
    nodes[node].count = count
    does_fit = nodes[node].count == count
    for i in range(count):
        c = nodes[used + i]
        blank(c, mover)
        c.move = moves[i]
        does_fit &= c.move == moves[i]
        if is_solitaire:
            exact[used + i, 0] = WORST
    if not does_fit:
        rng[0] = before
        return -1
    fence()
    nodes[node].first = used
    return used + count


def solve_upwards(nodes: Records, exact: Floats, path: Ints, depth: int, num_players: int) -> None:
    """The node at the end of the path has just been solved: mark those above it that are solved by that."""
    for i in range(depth - 1, -1, -1):
        node = path[i]
        first = nodes[node].first
        mover = nodes[first].mover
        best = -1
        is_solved = True
        for child in range(first, first + nodes[node].count):
            if nodes[child].is_solved:
                if best < 0 or exact[child, mover - 1] > exact[best, mover - 1]:
                    best = child
            else:
                is_solved = False
        if num_players > 1 and best >= 0 and exact[best, mover - 1] >= WON:
            is_solved = True
        if not is_solved:
            return
        for player in range(num_players):
            exact[node, player] = exact[best, player]
        fence()
        nodes[node].is_solved = 1


def start(nodes: Records, exact: Floats, mover: int) -> int:
    """Make an empty tree: only its root, into which this player moved (0: nobody); return 1, the nodes used."""
    blank(nodes[0], mover)
    nodes[0].move = -1
    exact[0, 0] = WORST
    return 1


def search(
    nodes: Records,
    exact: Floats,
    used: int,
    limit: int,
    is_shared: bool,
    root: Records,
    work: Records,
    moves: list[int],
    path: Ints,
    line: Ints,
    made: Ints,
    best_line: Ints,
    span: Floats,
    out: Floats,
    table: Floats,
    rng: Words,
    num_simulations: int,
    exploration: float,
    rave: float,
) -> int:
    """Run simulations until enough are done, the root is solved or the tree is full; return where new nodes go next.

    They begin at root[0]. New nodes take the places from `used` to `limit`, and the tree is full when `len(moves)`
    children have no room there. Where a move doesn't fit into the nodes, the number returned is below 0: less than 0 by
    that place. `is_shared` says that other threads grow the tree, too; all they share are `nodes`, `exact`, `root` and
    `table`.

    `nodes` and `exact` are the tree; a row of `exact` has the rewards of a solved node, player 1's first. In a
    solitaire it has the best score met, which is exact once the node is solved. `table` is what `weights` returns.
    `path`, `line` and `made` are room to work in: the nodes and moves of one simulation, and a row of bits for each
    player, one for each small move that the player made; `out` takes its rewards.
    `span` holds the least and largest reward met, and how many simulations were done in all; `best_line` the moves of
    the best solitaire so far, ending with -1.
    """
    num_players = rules.num_players(root[0])
    is_solitaire = num_players == 1
    longest = len(line) - 1
    is_drawn = ends.num_moves(root[0]) > 0
    num_small = WORD * made.shape[1] if rave > 0 else 0
    for _ in range(num_simulations):
        if nodes[0].is_solved or used + len(moves) > limit:
            break
        span[2] += 1.0
        work[0] = root[0]
        s = work[0]
        path[0] = 0
        node = int(np.int64(0))  # as wide as what `select` gives back, or it would be compiled a second time
        depth = 0
        visit(nodes[node], is_shared)
        while nodes[node].first > 0 and not nodes[node].is_solved and depth < len(path) - 2:
            node = select(nodes, exact, node, span, table, exploration, rave, is_solitaire)
            visit(nodes[node], is_shared)
            rules.play(s, nodes[node].move)
            line[depth] = nodes[node].move
            depth += 1
            path[depth] = node
        is_new = False
        plies = depth
        if rave > 0:
            made[:] = 0
        if nodes[node].is_solved:
            for player in range(1, num_players + 1):
                out[player] = exact[node, player - 1]
        else:
            if (
                not rules.is_over(s)
                and nodes[node].first == 0
                and (nodes[node].visits > 1 or node == 0)
                and depth < len(path) - 2
            ):
                grown = expand(nodes, exact, used, node, s, moves, rng, is_solitaire)
                if grown < 0:
                    span[2] -= 1.0
                    for i in range(0 if is_shared else depth + 1):
                        nodes[path[i]].visits -= 1
                    return -used
                node = used  # another thread may have expanded the parent, too; then these children are lost
                used = grown
                visit(nodes[node], is_shared)
                rules.play(s, nodes[node].move)
                line[depth] = nodes[node].move
                depth += 1
                plies = depth
                path[depth] = node
            is_new = rules.is_over(s)
            if is_drawn and not is_new:
                ends.finish(s, moves, rng, made, out)
            else:
                while plies < longest and not rules.is_over(s):
                    count = rules.legal_moves(s, moves)
                    move = moves[below(rng, count)]
                    line[plies] = move
                    if move < num_small:
                        made[rules.mover(s), move // WORD] |= 1 << move % WORD
                    rules.play(s, move)
                    plies += 1
                scores(s, out)
            rewards(num_players, out)
            for player in range(1, num_players + 1):
                if out[player] < span[0]:
                    span[0] = out[player]
            if out[1] > span[1]:
                span[1] = out[1]
                if is_solitaire and rules.is_over(s):
                    for i in range(plies):
                        best_line[i] = line[i]
                    best_line[plies] = -1
        for i in range(depth + 1):
            n = nodes[path[i]]
            n.value = np.float32(n.value + (out[n.mover] - (0.0 if is_shared else n.value)) / n.visits)
            if is_solitaire and out[1] > exact[path[i], 0]:
                exact[path[i], 0] = out[1]
        if rave > 0:
            share(nodes, path, depth, made, out)
        if is_new:
            for player in range(1, num_players + 1):
                exact[node, player - 1] = out[player]
            fence()
            nodes[node].is_solved = 1
        if is_new or (is_shared and nodes[node].is_solved):  # two threads may have solved the last two children at once
            solve_upwards(nodes, exact, path, depth, num_players)
    return used


def visit(n: Record, is_shared: bool) -> None:
    """Count a simulation that goes through this node, with a reward of 0 until it ends if others see the node."""
    n.visits += 1
    if is_shared:
        n.value = np.float32(n.value - n.value / n.visits)


def share(nodes: Records, path: Ints, depth: int, made: Ints, out: Floats) -> None:
    """Credit each child on the way whose move its mover made then or later in this simulation (RAVE).

    `made` has the moves that were made after the last node of the path. Those before are added to it.
    """
    num_small = WORD * made.shape[1]
    for i in range(depth, -1, -1):
        node = path[i]
        first = nodes[node].first
        for child in range(first, first + nodes[node].count if first > 0 else 0):
            c = nodes[child]
            if c.move < num_small and made[c.mover, c.move // WORD] >> c.move % WORD & 1:
                c.rave_visits += 1
                c.rave_value = np.float32(c.rave_value + out[c.mover])
                if c.rave_visits >= MANY:
                    c.rave_visits //= 2
                    c.rave_value = np.float32(0.5 * c.rave_value)
        n = nodes[node]
        if i > 0 and n.move < num_small:
            made[n.mover, n.move // WORD] |= 1 << n.move % WORD


def reroot(
    child: int, nodes: Records, exact: Floats, kept: Records, kept_exact: Floats, origin: Ints, least: int
) -> int:
    """Copy the subtree below `child` to `kept`, breadth first; return how many nodes it has.

    If `least` is above 0, what lies below solved nodes, and below those of fewer visits than `least`, is left out: they
    are as before their expansion, but keep their visits and rewards. `origin` is room for as many numbers as there are
    nodes.
    """
    origin[0] = child
    done = 1
    i = 0
    while i < done:
        node = origin[i]
        kept[i] = nodes[node]
        for player in range(exact.shape[1]):
            kept_exact[i, player] = exact[node, player]
        if nodes[node].first > 0 and (i == 0 or not (kept[i].visits < least or (kept[i].is_solved and least > 0))):
            kept[i].first = done
            for j in range(kept[i].count):
                origin[done] = nodes[node].first + j
                done += 1
        else:
            kept[i].first = kept[i].count = 0
        i += 1
    return done
