"""How much room Convoluted Coprimality leaves between the levels, where three or more play and the game is small.

    python bench/room.py n=8 players=4

Solves the whole game by max-n: each player takes the largest share of the win, and of moves that are equally good for
the mover each is as likely (Luckhardt and Irani, "An algorithmic solution of n-person games", 1986). Prints how many
positions there are and how many have a choice that changes the mover's own share. Then a player who always takes a best
move meets each level at the arena's tables, in ROUNDS rounds of them: its score, half being a fair one, and how many of
those choices the level got right.
"""

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf
from typing import Any

import quet
from quet.core.state import copy
from quet.games.convoluted_coprimality import rules
from quet.play.arena import tables
from quet.play.levels import LEVELS, LevelPlayer
from quet.play.standings import share_interval

ROUNDS = 150
MEASURED = [name for name, level in LEVELS.items() if level.simulations]  # not those that think for a time
Shares = tuple[Fraction, ...]


@dataclass
class Solved:
    """The players' expected shares of the win in every position that was asked for."""

    shares: dict[tuple[Any, ...], Shares] = field(default_factory=dict)

    def of(self, s: Any) -> Shares:
        """The shares under best play from s on."""
        if rules.is_over(s):
            return tuple(Fraction(s.is_left[player], s.num_left) for player in range(1, s.players + 1))
        key = _key(s)
        if key not in self.shares:
            after = self.after(s)
            best = [after[move] for move in self.best(s)]
            self.shares[key] = tuple(sum(column, Fraction(0)) / len(best) for column in zip(*best, strict=True))
        return self.shares[key]

    def after(self, s: Any) -> dict[int, Shares]:
        """The shares after each legal move."""
        out = [0] * rules.most_moves(s)
        found = {}
        for move in out[: rules.legal_moves(s, out)]:
            twin = copy(s)
            rules.play(twin, move)
            found[move] = self.of(twin)
        return found

    def best(self, s: Any) -> list[int]:
        """The moves that are best for the mover."""
        own = {move: shares[s.mover - 1] for move, shares in self.after(s).items()}
        return [move for move, share in own.items() if share == max(own.values())]


def _key(s: Any) -> tuple[Any, ...]:
    if s.number == 1:  # all grids begin alike
        return (s.grid, s.mover, *s.is_left)
    return (s.grid, s.mover, *s.is_left, *s.numbers[: s.n * s.n])


def positions(s: Any, seen: set[tuple[Any, ...]]) -> Iterator[Any]:
    """Every position that can come from s on, once."""
    if rules.is_over(s) or _key(s) in seen:
        return
    seen.add(_key(s))
    yield s
    out = [0] * rules.most_moves(s)
    for move in out[: rules.legal_moves(s, out)]:
        twin = copy(s)
        rules.play(twin, move)
        yield from positions(twin, seen)


def meet(game: quet.Game, solved: Solved, level: str) -> str:
    """The score of the best moves against a level, in words."""
    scores, choices, right = [], 0, 0
    for number in range(ROUNDS):
        won = Fraction(0)
        seatings = tables("best", level, game.num_players)
        for seats in seatings:
            generator = random.Random(f"{number} {seats} {level}")
            strength = replace(LEVELS[level], seconds=inf)
            players = [LevelPlayer(strength, generator.getrandbits(32), 1) for _ in seats]
            now = game.copy()
            while not now.is_over:
                s: Any = now.state
                best = solved.best(s)
                if seats[s.mover - 1] == "best":
                    now.play(rules.move_text(s, generator.choice(best)))
                else:
                    move = players[s.mover - 1].choose(now)
                    if len(best) < len(now.legal_moves):
                        choices += 1
                        right += rules.read_move(s, move) in best
                    now.play(move)
            won += Fraction(sum(seats[winner - 1] == "best" for winner in now.winners), len(now.winners))
        scores.append(float(won / len(seatings)))
    score = share_interval(scores)
    shown = f"{100 * score.value:.0f} [{100 * score.low:.0f}, {100 * score.high:.0f}] %"
    return f"best play against {level}: {shown}; {level} was right in {right} of {choices} choices"


def main() -> None:
    """Print what the module says."""
    parameters = dict(argument.split("=") for argument in sys.argv[1:])
    game = quet.new("convoluted-coprimality", **parameters)
    sys.setrecursionlimit(100_000)
    solved = Solved()
    shares = ", ".join(str(share) for share in solved.of(game.state))
    found = list(positions(game.state, set()))
    choosing = [(s, solved.after(s)) for s in found if len(solved.after(s)) > 1]
    own = sum(len({shares[s.mover - 1] for shares in after.values()}) > 1 for s, after in choosing)
    others = sum(len(set(after.values())) > 1 for s, after in choosing) - own
    print(f"shares of the win by max-n: {shares}")
    print(f"{len(found)} positions; {len(choosing)} with a choice, {own} of which change the mover's own share,")
    print(f"and {others} only those of others", flush=True)
    for level in MEASURED:
        print(meet(game, solved, level), flush=True)


if __name__ == "__main__":
    main()
