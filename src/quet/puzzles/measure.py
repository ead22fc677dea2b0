"""How difficult a puzzle is: in how many tries each level finds the solution.

Levels 1 to 4 search, and aren't told what is proven. Levels 6 and 7 ask for proofs first, so they find every solution,
and measuring them would tell nothing. Level 5 searches so much more than level 4 that it would take most of the time of
making puzzles, and it solves nearly all of them.
"""

from ..game import Game
from ..players.levels import LEVELS, LevelPlayer
from .puzzle import TRIES, Kind, is_right

MOST_MOVES = 300  # of a solitaire that is played on


def found(game: Game, kind: Kind, values: dict[str, int], level: str, seed: int) -> int:
    """In how many of TRIES tries the level solves the puzzle with this position. The same seed finds the same."""
    return sum(_is_solved(game, kind, values, level, seed + k) for k in range(TRIES))


def finds_half(game: Game, kind: Kind, values: dict[str, int], level: str, seed: int) -> bool:
    """Whether the level solves the puzzle in at least half of the same tries; no more of them are made than needed."""
    solved = failed = 0
    while 2 * solved < TRIES and 2 * failed <= TRIES:
        is_solved = _is_solved(game, kind, values, level, seed + solved + failed)
        solved, failed = solved + is_solved, failed + (not is_solved)
    return 2 * solved >= TRIES


def _is_solved(game: Game, kind: Kind, values: dict[str, int], level: str, seed: int) -> bool:
    best = max(values.values())
    player = LevelPlayer(LEVELS[level], seed, 1)
    game = game.copy()
    if kind is not Kind.BEST:
        return is_right(kind, values[player.choose(game)], best)
    for _ in range(MOST_MOVES):
        if game.is_over:
            break
        game.play(player.choose(game))
    return game.is_over and (-1 if game.rules.LOWER_IS_BETTER else 1) * game.scores[0] == best
