"""`quet.solve`: the best score or the value of a game, with its moves as text."""

import contextlib
from dataclasses import dataclass, field
from typing import SupportsIndex

from ..core.arguments import LEAST_MEMORY, MOST_MEMORY, flag, integer, seconds_or_none
from ..core.errors import BadParameter
from ..core.messages import say
from ..core.rules import difference, started
from ..distribution.task import MEMORY, Task
from ..distribution.workers import MOST_WORKERS, Processes
from ..game import Game, check_game, check_to_solve
from ..solving import certify
from ..solving.ask import answer

LARGEST_SEED = 2**32 - 1


@dataclass(frozen=True)
class Solution:
    """What was found out about a game that goes on from a position under perfect play.

    Scores are those of the whole game, as the rules count them. The value of a game for two is player 1's final score
    minus player 2's.
    """

    game: Game = field(repr=False)  # the position
    value: int | None  # the best score or the value or, as long as nothing is proven, the best score found
    scores: list[int] | None  # of all players where three or more play; then there is no value
    low: int | None  # the value is not below
    high: int | None  # and not above; None where nothing is known
    line: list[str]  # moves of a game that reaches the value, or of the best one found
    best_moves: list[str]  # first moves that keep the value: all of them if `has_all_best`
    has_all_best: bool  # whether `best_moves` has every one
    method: str  # how it was found, as a part of a sentence
    num_positions: int  # that were looked at

    @property
    def is_proven(self) -> bool:
        """Whether the value is known for certain or, for more than two players, the scores."""
        return self.scores is not None or (self.low is not None and self.low == self.high)

    @property
    def final(self) -> Game:
        """The position at the end of `line`."""
        game = self.game.copy()
        for move in self.line:
            game.play(move)
        return game


def solve(
    game: Game,
    *,
    seconds: float | None = None,
    memory: SupportsIndex = MEMORY // 2**20,
    lowest: bool | None = None,
    seed: SupportsIndex = 0,
    workers: SupportsIndex = 1,
) -> Solution:
    """The best score of a solitaire that can still be reached, or the value of a game for two under perfect play; for
    more players, their scores.

    The value of a game for two is player 1's score minus player 2's, whoever is to move; `quet.value` tells the mover's
    advantage.

    `seconds` is a limit of time, in which compiling isn't counted; without one, a search that can't prove anything
    still ends after some minutes. `memory` is in MB. With `lowest` the lowest score of a solitaire is looked for, and
    with False the highest; by default the better of the two. `workers` is the number of processes; a script that
    asks for several has its code below `if __name__ == "__main__":`. Raises BadParameter, also for a question that
    makes no sense. Sizes that nobody plays are solved from the start: `quet.new_to_solve` begins such a game.

    >>> import quet
    >>> found = quet.solve(quet.new("palindromes", m=5))
    >>> found.value, found.is_proven, found.final.scores
    (0, True, [4, 4])
    """
    check_to_solve(game)
    if game.ply:
        check_game(game)  # larger games are solved as a whole
    task = Task(
        seconds=seconds_or_none(say("The time"), seconds),
        memory=integer(say("The memory"), memory, LEAST_MEMORY, MOST_MEMORY) * 2**20,
        is_lowest=best_is_lowest(game) if lowest is None else flag("lowest", lowest),
        seed=integer(say("The seed"), seed, 0, LARGEST_SEED),
        workers=Processes(integer(say("The number of workers"), workers, 1, MOST_WORKERS)),
    )
    if game.is_over:
        return _ended(game, task)
    start = started(game.rules, game.parameters) if game.ply or game.start else None
    with contextlib.closing(task.workers):
        found = answer(game.entry, game.state, task, start=start)
    found = certify.bounded(game.id, game.state, found, is_lowest=task.is_lowest)
    return Solution(
        game.copy(),
        found.value,
        found.scores,
        found.low,
        found.high,
        [game.rules.move_text(game.state, move) for move in found.witness],
        [game.rules.move_text(game.state, move) for move in found.best_moves],
        found.has_all_best,
        found.method,
        found.nodes,
    )


def best_is_lowest(game: Game) -> bool:
    """Whether the best score is the lowest one, as in a solitaire where a lower score is better."""
    return game.num_players == 1 and game.rules.LOWER_IS_BETTER


def _ended(game: Game, task: Task) -> Solution:
    """What is known of a game that is over."""
    if task.is_lowest and game.num_players > 1:
        raise BadParameter(say("Only solitaires have a lowest score."))
    value = None if game.num_players > 2 else difference(game.rules, game.state)
    scores = game.scores if game.num_players > 2 else None
    return Solution(game.copy(), value, scores, value, value, [], [], True, "the game is over", 1)
