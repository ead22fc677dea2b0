"""Many games at once for programs that learn: actions, masks, observations, rewards. Compiled by `compiled.py`.

Every array has a row for each game. A game that ends begins anew at once, and its end is kept aside.
`rewards` has a column for each player, `worths` the worth of the position so far, from which rewards are differences.
"""

from ..capabilities import Actions, KnowsPositions, Observe
from ..core.rules import AnySearchRules, AnyState
from .arrays import Flags, Floats, Ints, Record, Records, Words, unbound
from .playouts import below

ALLOCATES = False
SCORE, MARGIN, WIN = 0, 1, 2  # what a game is worth
BLOCK = 32  # actions

rules: AnySearchRules = unbound  # bound by compiled()
see: Observe[AnyState] = unbound  # the game's observe.py, or a stand-in where it has none
own: Actions[AnyState] = unbound  # the same, if it has actions of its own
knows: KnowsPositions[AnyState] = unbound  # the same, if it has `is_position`
knows_positions = False  # whether it has
has_own = False  # whether actions are the game's own, and not numbers of moves
has_places = False  # whether actions are places in the ascending list of moves, as nothing bounds their numbers


def mark(s: AnyState, moves: list[int], legal: Flags) -> None:
    """Write of each action whether it is legal in s."""
    legal[:] = False
    if rules.is_over(s):
        return
    if has_own:
        own.mark_legal(s, moves, legal)
    elif has_places:
        legal[: rules.legal_moves(s, moves)] = True
    else:
        for i in range(rules.legal_moves(s, moves)):
            legal[moves[i]] = True


def act(s: AnyState, moves: list[int], action: int) -> None:
    """Play a legal action."""
    if has_own:
        own.play(s, action)
    elif has_places:
        rules.play(s, ranked(moves, rules.legal_moves(s, moves), action))
    else:
        rules.play(s, action)


def ranked(moves: list[int], count: int, rank: int) -> int:
    """The number that has `rank` smaller ones among the first `count` of `moves`, which all differ."""
    for i in range(count):
        num_smaller = 0
        for j in range(count):
            num_smaller += moves[j] < moves[i]
        if num_smaller == rank:
            return moves[i]
    return -1


def look(s: AnyState, moves: list[int], legal: Flags, seen: Floats) -> None:
    """Write the mask and the observation of s."""
    mark(s, moves, legal)
    if not has_places:
        seen[:] = 0
        see.observe(s, legal, seen)


def value(s: AnyState, kind: int, worths: Floats) -> None:
    """Write what the position is worth to each player: a win or loss only when the game is over."""
    num_players, sign = rules.num_players(s), -1 if rules.LOWER_IS_BETTER else 1
    for player in range(1, num_players + 1):
        worths[player - 1] = sign * rules.score(s, player)
    if num_players == 1 or kind == SCORE:
        return
    best = worths[0]
    for player in range(1, num_players):
        best = max(best, worths[player])
    if kind == WIN:
        num_best = 0
        for player in range(num_players):
            num_best += worths[player] == best
        stake = 1 / (num_players - 1)
        prize = stake * (num_players / num_best - 1)
        for player in range(num_players):
            worths[player] = 0.0 if not rules.is_over(s) else prize if worths[player] == best else -stake
        return
    second, num_best = -float("inf"), 0
    for player in range(num_players):
        num_best += worths[player] == best
        if worths[player] != best:
            second = max(second, worths[player])
    if num_best > 1:
        second = best
    for player in range(num_players):
        worths[player] -= second if worths[player] == best else best


def score_all(states: Records, scores: Ints) -> None:
    """Write the scores of each state as they stand: a row for each, with a column for each player."""
    for i in range(len(states)):
        for player in range(scores.shape[1]):
            scores[i, player] = rules.score(states[i], player + 1)


def first_strange(states: Records, first: Record, moves: list[int]) -> int:
    """The place of the first state that is no position of the game that begins with `first`; -1 where there is none.

    While a game goes on there is a legal move, which is asked last: rules trust the states that they are given.
    """
    if knows_positions:
        for i in range(len(states)):
            s = states[i]
            if not knows.is_position(s, first) or (not rules.is_over(s) and not rules.legal_moves(s, moves)):
                return i
    return -1


def begin(
    states: Records, start: Records, moves: list[int], legal: Flags, seen: Floats, movers: Ints, worths: Floats
) -> None:
    """Begin every game at start[0], or each at a state of its own. A game that hasn't begun is worth 0."""
    for i in range(len(states)):
        states[i] = start[i % len(start)]
        s = states[i]
        look(s, moves, legal[i], seen[i])
        movers[i] = rules.mover(s) - 1
        worths[i] = 0


def step(
    states: Records,
    start: Records,
    moves: list[int],
    actions: Ints,
    legal: Flags,
    seen: Floats,
    movers: Ints,
    worths: Floats,
    rewards: Floats,
    illegal: Flags,
    ended: Flags,
    cut: Flags,
    plies: Ints,
    last: Records,
    last_legal: Flags,
    last_seen: Floats,
    last_movers: Ints,
    now: Floats,
    illegal_reward: float,
    longest: int,
    kind: int,
) -> None:
    """Play an action in each game.

    In place of an illegal action the first legal one is played, and `illegal_reward` is added to its player's reward. A
    game is cut off after `longest` actions. Of a game that ended or was cut off `last`, `last_legal`, `last_seen`
    and `last_movers` keep the end: -1 where nobody is to move. `now` has room for a number for each player.
    """
    for i in range(len(states)):
        s = states[i]
        action = actions[i]
        rewards[i] = 0
        illegal[i] = action < 0 or action >= legal.shape[1] or not legal[i, action]
        if illegal[i]:
            rewards[i, movers[i]] = illegal_reward
            action = 0
            while not legal[i, action]:
                action += 1
        act(s, moves, action)
        plies[i] += 1
        ended[i] = rules.is_over(s)
        cut[i] = not ended[i] and plies[i] >= longest
        if kind != WIN or ended[i]:
            value(s, kind, now)
            for player in range(len(now)):
                rewards[i, player] += now[player] - worths[i, player]
                worths[i, player] = now[player]
        if ended[i] or cut[i]:
            last[i] = s
            look(s, moves, last_legal[i], last_seen[i])
            last_movers[i] = -1 if ended[i] else rules.mover(s) - 1
            states[i] = start[0]
            worths[i] = 0
            plies[i] = 0
        look(s, moves, legal[i], seen[i])
        movers[i] = rules.mover(s) - 1


def follow(states: Records, moves: list[int], legal: Flags, after: Records) -> int:
    """Write of each state which actions are legal, and to `after` what each of these leads to, one after the other.

    Returns how many that are.
    """
    total = 0
    for i in range(len(states)):
        mark(states[i], moves, legal[i])
        for action in range(legal.shape[1]):
            if legal[i, action]:
                after[total] = states[i]
                act(after[total], moves, action)
                total += 1
    return total


def choose(legal: Flags, actions: Ints, rng: Words) -> None:
    """A random legal action for each game; `rng` has a number for each, as `playouts.below` takes it."""
    num_actions = legal.shape[1]
    for i in range(len(legal)):
        count = 0
        for action in range(num_actions):
            count += legal[i, action]
        rank, first = below(rng[i : i + 1], count), 0
        while first + BLOCK < num_actions:  # whole blocks are skipped
            count = 0
            for action in range(first, first + BLOCK):
                count += legal[i, action]
            if count > rank:
                break
            rank -= count
            first += BLOCK
        chosen, count = first, 0
        for action in range(first, min(first + BLOCK, num_actions)):  # without a branch, which chance would decide
            count += legal[i, action]
            chosen += count <= rank
        actions[i] = chosen
