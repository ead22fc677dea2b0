"""How much room a small game of three or more players leaves above each level.

    python bench/room.py convoluted-coprimality n=8 players=4
    python bench/room.py divisors-multiples r=9 players=4

Solves the whole game by max-n, as `quet.engine.max_n` does. Prints what each player may expect, the number of
positions, the number with a choice, and the number in which the choice changes the mover's share. Then a player who
always takes a best move meets each level in the seatings of the arena, in ROUNDS rounds. Prints its score, where half
is fair. For Convoluted Coprimality it also prints how often the level took a best move, if not all moves were best. In
Divisors/Multiples a turn counts as one move: the number to stop on, reached in the cheapest way.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

import quet
from quet.core.state import copy
from quet.engine.max_n import MaxN, best, key
from quet.games.divisors_multiples import exact, sensible
from quet.games.divisors_multiples import rules as divisors
from quet.players.arena import tables
from quet.players.levels import LEVELS, LevelPlayer
from quet.players.standings import share_interval

ROUNDS = 150
MOST_POSITIONS = 2_000_000
MEASURED = [name for name, level in LEVELS.items() if level.simulations]  # not those that think for a time


class Turns:
    """Divisors/Multiples with whole turns as moves, and with costs above the least: these alone decide who wins."""

    LOWER_IS_BETTER = True
    most_moves = staticmethod(divisors.most_moves)
    num_players = staticmethod(divisors.num_players)
    mover = staticmethod(divisors.mover)
    is_over = staticmethod(divisors.is_over)
    score = staticmethod(divisors.score)

    @staticmethod
    def legal_moves(s: Any, out: list[int]) -> int:
        """The numbers that can be stopped on."""
        left = [y for y in range(1, s.r + 1) if not s.is_taken[y]]
        out[: len(left)] = left
        return len(left)

    @staticmethod
    def play(s: Any, move: int) -> None:
        """Go to the number in the cheapest way and stop there."""
        cost, room = [0] * (s.r + 1), [0] * (s.r + 1)
        exact.walk(cost, room, s.is_taken, s.r, s.current, 2 * s.r - s.num_steps)
        s.cost[s.mover] += cost[move]
        s.current, s.num_steps = move, 0
        s.is_taken[move] = 1
        s.num_taken += 1
        s.mover = s.mover % s.players + 1
        least = min(s.cost[1 : s.players + 1])
        for player in range(1, s.players + 1):
            s.cost[player] -= least

    @staticmethod
    def step(s: Any, move: int) -> int:
        """The first step of a turn that stops on this number."""
        out = [0] * divisors.most_moves(s)
        sensible.find_ways(s, out)
        way = out[move - 1]
        return 2 * (way % sensible.LONG) + (way % sensible.COST < sensible.LONG)


def positions(rules: Any, first: Any) -> Iterator[Any]:
    """Every position that can arise and has a player to move, once."""
    seen, waiting = set(), [first]
    while waiting:
        s = waiting.pop()
        if rules.is_over(s) or key(s) in seen:
            continue
        seen.add(key(s))
        yield s
        out = [0] * rules.most_moves(s)
        for move in out[: rules.legal_moves(s, out)]:
            twin = copy(s)
            rules.play(twin, move)
            waiting.append(twin)


class Solved:
    """A game that is solved as it is played."""

    def __init__(self, game: quet.Game) -> None:
        self._is_turns = game.id == "divisors-multiples"
        rules: Any = Turns() if self._is_turns else game.rules
        self.rules = rules
        self.max_n = MaxN(rules)
        self._target: int = 0  # of the turn begun

    def shares(self, s: Any) -> dict[int, tuple[float, ...]]:
        """The shares after each move; raises SystemExit for a game that is too large."""
        found = self.max_n.after(s, MOST_POSITIONS)
        if found is None:
            raise SystemExit(f"The game has more than {MOST_POSITIONS} positions.")
        return found

    def best(self, s: Any) -> list[int]:
        """The moves that are best for the mover."""
        self.shares(s)
        return self.max_n.best(s, 0)

    def choose(self, s: Any, generator: random.Random) -> int:
        """A best move; in the middle of a turn, the next step of it."""
        if not self._is_turns:
            return generator.choice(self.best(s))
        if self._target == 0 or s.is_taken[self._target]:
            self._target = generator.choice(self.best(s))
        move = Turns.step(s, self._target)
        if move % 2:
            self._target = 0
        return move

    def is_right(self, s: Any, move: int) -> bool | None:
        """Whether a move is a best one; None if all moves are, or if turns are the moves."""
        if self._is_turns:
            return None
        best = self.best(s)
        return None if len(best) == len(self.shares(s)) else move in best


def play(game: quet.Game, solved: Solved, seats: Sequence[str], seed: str) -> tuple[Fraction, list[bool]]:
    """The share of the win that best moves get from here, and whether the level's choices were right."""
    generator = random.Random(seed)
    players = [None if name == "best" else _level(name, generator) for name in seats]
    choices = []
    while not game.is_over:
        s: Any = copy(game.state)
        player = players[game.rules.mover(s) - 1]
        if player is None:
            game.play(game.rules.move_text(s, solved.choose(s, generator)))
            continue
        move = player.choose(game)
        is_right = solved.is_right(s, game.rules.read_move(s, move))
        if is_right is not None:
            choices.append(is_right)
        game.play(move)
    return Fraction(sum(seats[winner - 1] == "best" for winner in game.winners), len(game.winners)), choices


def _level(name: str, generator: random.Random) -> LevelPlayer:
    return LevelPlayer(replace(LEVELS[name], seconds=inf), generator.getrandbits(32), 1)


def meet(game: quet.Game, solved: Solved, level: str) -> str:
    """The score of the best moves against a level, in words."""
    scores: list[float] = []
    choices: list[bool] = []
    for number in range(ROUNDS):
        seatings = tables("best", level, game.num_players)
        shares = [play(game.copy(), solved, seats, f"{number} {seats} {level}") for seats in seatings]
        scores.append(float(sum(share for share, _ in shares) / len(seatings)))
        choices += [is_right for _, found in shares for is_right in found]
    score = share_interval(scores)
    right = f"; {level} was right in {sum(choices)} of {len(choices)} choices" if choices else ""
    shown = f"{100 * score.value:.0f} [{100 * score.low:.0f}, {100 * score.high:.0f}] %"
    return f"best play against {level}: {shown}{right}"


def main() -> None:
    """Print what the module says."""
    game = quet.new(sys.argv[1], **dict(argument.split("=") for argument in sys.argv[2:]))
    solved = Solved(game)
    mover = game.rules.mover(game.state)
    shares = solved.shares(game.state)
    expected = [shares[move] for move in solved.best(game.state)]
    shown = ", ".join(f"{sum(column) / len(expected):.3f}" for column in zip(*expected, strict=True))
    print(f"shares of the win by max-n: {shown}; player {mover} begins")
    found = [(s, solved.shares(s)) for s in positions(solved.rules, game.state)]
    choosing = [(s, after) for s, after in found if len(after) > 1]
    own = sum(len(best(after, solved.rules.mover(s))) < len(after) for s, after in choosing)
    print(
        f"{len(found)} positions, {len(choosing)} with a choice, {own} where the mover's share depends on it",
        flush=True,
    )
    for level in MEASURED:
        print(meet(game, solved, level), flush=True)


if __name__ == "__main__":
    main()
