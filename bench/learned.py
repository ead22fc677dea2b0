"""A match of the search with learned weights against the tree search without them, at equal CPU time for a move.

    python bench/learned.py blob n=8
    python bench/learned.py blob n=8 --weights other.npz --seconds 0.05 --games 100

These are the searches of `level:6` with and without its weights, a thread each, and nothing else of it: neither asks
for what is proven. An opening is a number of random moves after which either side may win: alpha-beta with the weights
gives each 40 to 60 % of the win, in 20,000 positions. It is played twice, each search once in each seat. A game ends
when the search with weights has proven that it wins. A score is the share of the wins, with its 95 % interval and the
opening as the unit. Time is CPU time of the process, so that a busy machine weakens neither. With `--results FILE` each
game is a line of the file, and the same command goes on where it was stopped. docs/learning.md has the results.
"""

import json
import random
import time
from collections.abc import Sequence
from pathlib import Path

import arguments

import quet
from quet.core.errors import refusing
from quet.core.parameters import split_parameters
from quet.engine import deepening, findings, horizon_search, tree
from quet.engine.horizon_search import HorizonSearch
from quet.knowledge.search import search_for
from quet.learning.weights import unpacked
from quet.players.standings import share_interval

POSITIONS = 20_000  # by which an opening is judged
WON = 0.9  # expected of a move that is proven to win, and of no other that is proven
LEAST = 0.4  # of the win that either side must have in them


def main(words: Sequence[str] | None = None) -> None:
    """Play the match, and print the score after every tenth game and at the end."""
    parser = arguments.parser(__doc__)
    parser.add_argument("game")
    parser.add_argument("parameters", metavar="p=v", nargs="*")
    parser.add_argument("--weights", type=Path, metavar="FILE", help="instead of those that are shipped")
    parser.add_argument("--seconds", type=float, default=0.1, help="of CPU time, for a move")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--opening", type=int, default=4, help="random moves that each game begins with")
    parser.add_argument("--seed", type=int, default=0, help="of the openings")
    parser.add_argument("--results", type=Path, metavar="FILE")
    given = parser.parse_args(words)
    for module in (deepening, horizon_search, tree):
        module.clock = time.process_time  # type: ignore[attr-defined]
    with refusing(parser):
        start = quet.new(given.game, **split_parameters(given.parameters))
        content = given.weights.read_bytes() if given.weights else None
        lines = given.results.read_text().splitlines() if given.results and given.results.exists() else []
        learned(start, content).run(simulations=POSITIONS)  # compiles
    shares = [float(json.loads(line)["score"]) for line in lines]
    for number in range(len(shares), given.games):
        seat = 1 + number % 2
        if seat == 1 or number == len(lines):
            opened = opening(start, given.opening, given.seed * 1_000_000 + number // 2, content)
        game, score, depth = play(opened, seat, given.seconds, content, number)
        shares.append(score)
        if given.results:
            about = {"seat": seat, "moves": game.moves, "score": score, "seconds": given.seconds, "depth": depth}
            with given.results.open("a") as file:
                print(json.dumps(about), file=file)
        if len(shares) % 10 == 0 or len(shares) == given.games:
            print(f"{len(shares)} games: {told(shares)}; plies ahead {depth:.1f} in the last", flush=True)


def opening(start: quet.Game, plies: int, seed: int, content: bytes | None) -> quet.Game:
    """A position after so many random moves that gives either side its share of the win, as the weights see it."""
    chance = random.Random(seed)
    while True:
        game = start.copy()
        while game.ply < plies and not game.is_over:
            game.push(chance.choice(game.legal_numbers()))
        if LEAST <= learned(game, content).run(simulations=POSITIONS).value <= 1 - LEAST:
            return game


def play(
    opened: quet.Game, seat: int, seconds: float, content: bytes | None, seed: int
) -> tuple[quet.Game, float, float]:
    """A game in which the search with weights has this seat, its share, and how many plies it looked ahead."""
    game = opened.copy()
    players: dict[int, findings.Search] = {
        seat: learned(game, content),
        3 - seat: search_for(game, seed=seed, is_sensible=True),
    }
    depths = []
    while game.mover is not None:
        found = players[game.mover].run(seconds=seconds)
        if game.mover == seat and not found.is_solved:
            depths.append(found.depth)
        elif game.mover == seat and found.value > WON:
            return game, 1.0, sum(depths) / max(1, len(depths))
        game.push(found.move)
        for player in players.values() if not game.is_over else ():
            player.advance(found.move)
    score = 0.5 if len(game.winners) == 2 else float(seat in game.winners)
    return game, score, sum(depths) / max(1, len(depths))


def learned(game: quet.Game, content: bytes | None) -> findings.Search:
    """The search with the weights that are shipped, or with those in this content of a file."""
    patterns = game.entry.patterns
    if content is None or patterns is None:
        made = search_for(game, is_strongest=True)
        if not isinstance(made, HorizonSearch):
            raise SystemExit("No weights are shipped for these parameters.")
        return made
    start = game.entry.rules.State()
    game.entry.rules.start(start, **game.parameters)
    return HorizonSearch(patterns, patterns.of(game.state), unpacked(content, patterns, patterns.of(start)))


def told(shares: Sequence[float]) -> str:
    """The score in percent with its interval, an opening of two games as the unit."""
    pairs = [(first + second) / 2 for first, second in zip(shares[::2], shares[1::2], strict=False)]
    found = share_interval(pairs)
    return f"{100 * found.value:.0f} [{100 * found.low:.0f}, {100 * found.high:.0f}] %"


if __name__ == "__main__":
    main()
