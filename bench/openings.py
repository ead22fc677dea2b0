"""Balanced openings for the matches of `opponents.py`, in openings.json: positions from which either side may win.

    python bench/openings.py

If an opening decides the game, even a much weaker player wins with the better side, and a match says nothing. So this
takes those of the arena's random openings in which `level:4`, in GAMES games against itself, wins about equally often
with both sides. Neither player of a match takes part in that.
"""

import itertools
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import quet
from quet.players.arena import Fixture, after_opening
from quet.players.levels import LEVELS, LevelPlayer

MATCHES: dict[str, tuple[str, dict[str, int], int]] = {  # game, parameters, and the plies of an opening
    "palindromes-16": ("palindromes", {"m": 16}, 4),
    "palindromes-17": ("palindromes", {"m": 17}, 4),
    "blob-8": ("blob", {"n": 8}, 4),
    "plusses-minuses-8": ("plusses-minuses", {"n": 8}, 10),  # predictions, of which there are two each time
    "divisors-multiples-17": ("divisors-multiples", {"r": 17}, 4),
    "divisors-multiples-18": ("divisors-multiples", {"r": 18}, 4),
}
FILE = Path(__file__).parent / "openings.json"
JUDGE = "level:4"
GAMES = 8  # that the judge plays with itself
LEAST = 3 / 8  # of the wins that either side must have in them
SEED = 0
NUM_OPENINGS = 50  # for each match


def book() -> dict[str, list[int]]:
    """The numbers of the openings of each match, as they were found."""
    found: dict[str, list[int]] = json.loads(FILE.read_text("utf-8"))
    return found


def after(game: quet.Game, number: int, plies: int, seed: int = SEED) -> quet.Game:
    """The game after the arena's opening of this number."""
    return after_opening(Fixture(game.id, 0, tuple(game.parameters.items()), seed, plies, number, (), ()))


def balanced(game: quet.Game, plies: int, seed: int = SEED) -> Iterator[int]:
    """The numbers of the balanced openings of a game for two, in ascending order, each opening once."""
    seen = set()
    for number in itertools.count():
        moves = tuple(after(game, number, plies, seed).moves)
        if moves in seen:
            continue
        seen.add(moves)
        if is_balanced(first_share(after(game, number, plies, seed), number * GAMES + i) for i in range(GAMES)):
            yield number


def is_balanced(shares: Iterable[float]) -> bool:
    """Whether each side has its share of the wins; these are player 1's. It reads no more of them than it needs."""
    first = second = 0.0
    for share in shares:
        first += share
        second += 1 - share
        if max(first, second) > (1 - LEAST) * GAMES:
            return False
    return True


def first_share(game: quet.Game, seed: int) -> float:
    """Player 1's share of the win in a game that the judge plays with itself, from here to its end."""
    judge = replace(LEVELS[JUDGE], seconds=math.inf)  # so that its moves do not depend on the machine
    players = [LevelPlayer(judge, 2 * seed + seat) for seat in range(2)]
    while not game.is_over:
        game.play(players[(game.mover or 0) - 1].choose(game))
    return (1 in game.winners) / len(game.winners)


def main() -> None:
    """Find them, and write them down."""
    found = book() if FILE.exists() else {}
    for label, (game_id, parameters, plies) in MATCHES.items():
        if label not in found:
            found[label] = list(itertools.islice(balanced(quet.new(game_id, **parameters), plies), NUM_OPENINGS))
            print(f"{label}: {NUM_OPENINGS} of the first {found[label][-1] + 1} openings", flush=True)
            FILE.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
