"""The sources of knowledge about a position, the cheapest first.

Each knows some positions and says nothing of the others. `SOURCES` has those whose answers are certain. A search, which
always answers, is not among them: who wants one runs it beside them (`hints.py`, `players/levels.py`).
"""

import contextlib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..capabilities import Hold
from ..core.clock import clock
from ..core.errors import BadParameter, BadResult, QuetError, one_line
from ..core.messages import say
from ..core.rules import wants_high
from ..game import Game
from ..solving import boards
from . import witness
from .known import LOOK_UP, Budget, How, Known, Source
from .search import most_to_solve
from .values import plain_values, saved_values, solved_best, solved_values

if TYPE_CHECKING:
    from ..results.row import Row

ALONE_SECONDS = 0.5  # to look for a win against all others, at most,
OF_ALONE = 0.25  # and this part of the time
MOVES_A_SECOND = 640  # legal moves to solve in a second; with more of them a solve is hopeless in that time


class Tables:
    """Saved tablebases: the exact value of every move."""

    seconds = LOOK_UP

    def look(self, game: Game, budget: Budget) -> Known | None:
        """As for every Source; a damaged tablebase is passed over, with a TablebaseWarning."""
        if budget.is_plain:
            return None
        values = saved_values(game, budget)
        return _of_values(How.TABLE, values)


class Strategies:
    """The strategies of theorems, which hold a value at any size by one move (`strategy.py` of a game)."""

    seconds = LOOK_UP

    def look(self, game: Game, budget: Budget) -> Known | None:
        """As for every Source."""
        strategy, mover = game.entry.strategy, game.mover
        if game.num_players != 2 or mover is None or not isinstance(strategy, Hold):
            return None
        own, other = strategy.hold(game.state, mover), strategy.hold(game.state, 3 - mover)
        if own is None and other is None:
            return None
        # Values are player 1's score less player 2's, times -1 where the lower score wins.
        sign = 1 if mover == 1 else -1
        return Known(
            How.STRATEGY,
            moves=() if own is None else (game.rules.move_text(game.state, own[1]),),
            low=None if own is None else sign * own[0],
            high=None if other is None else sign * other[0],
            why="" if own is None else strategy.why(game.state, own[1]),
        )


class Results:
    """The table of best results: the witness of a solitaire's best score, as long as the game follows an image of it.

    Its bound holds in every position of the game, also where it begins with one on paper. Where whole boards are
    searched for (`local_search.py`), the board of the witness is in reach from any position.
    """

    seconds = LOOK_UP

    def look(self, game: Game, budget: Budget) -> Known | None:
        """As for every Source; a damaged table is passed over, with a ResultsWarning."""
        if game.num_players > 1:
            return None
        with _unless_damaged():
            row = _row(game)
            return None if row is None else _of_row(row, game)
        return None


class WeakSolutions:
    """The weak solutions of the table of results: what a player replies who has followed one from the start."""

    seconds = LOOK_UP

    def look(self, game: Game, budget: Budget) -> Known | None:
        """As for every Source; a damaged file or table is passed over, with a ResultsWarning."""
        if game.num_players != 2 or game.start or game.mover is None:
            return None
        try:
            from ..results.folder import find

            size = next(iter(game.parameters.values()), "")
            if not any(find(None).path_of_replies.glob(f"{game.id}-{size}[.-]*")):
                return None  # most games: they needn't wait a tenth of a second until the code below is read
            from ..results.replies import replies_of

            replies = replies_of(game)
            held = [] if replies is None else [one for side in replies.sides if (one := replies.held(game, side))]
        except (QuetError, OSError) as error:
            warnings.warn(f"The weak solution is not used: {one_line(error)}", ResultsWarning, stacklevel=2)
            return None
        if replies is None or not held:
            return None
        value = replies.value if wants_high(game.rules, game.rules.mover(game.state)) else -replies.value
        own = next((one.move for one in held if one.move is not None), None)
        return Known(
            How.STRATEGY,
            moves=() if own is None else (game.rules.move_text(game.state, own),),
            low=None if own is None else value,
            high=value if any(one.move is None for one in held) else None,
        )


class ResultsOfTwo:
    """The value of a game for two, which the table of results has for the start and, where every move of the witness is
    known to keep it, as long as the game follows that or an image of it.

    Of a game whose value is open the table has two bounds for the start.
    """

    seconds = LOOK_UP

    def look(self, game: Game, budget: Budget) -> Known | None:
        """As for every Source; a damaged table is passed over, with a ResultsWarning."""
        if game.num_players != 2 or game.start:
            return None
        with _unless_damaged():
            row = _row(game)
            if row is None or (game.ply and not row.keeps_value):
                return None
            line = row.witness.split() if row.keeps_value else []
            rest = witness.rest(line, game) or ()
            moves = rest[:1] or witness.moves_alike(line, game)
            if game.ply and not moves:
                return None
            # Values are player 1's score less player 2's, times -1 where the lower score wins.
            is_own = wants_high(game.rules, game.rules.mover(game.state))
            low, high = (row.number, row.limit) if is_own else (-row.limit, -row.number)
            return Known(How.ROW, moves=moves, low=low, high=high, line=rest)
        return None


class Solving:
    """Solving the position now, by the way that suits the game and its size (`solving/choose.py`)."""

    seconds = 0.01

    def look(self, game: Game, budget: Budget) -> Known | None:
        """As for every Source."""
        if len(game.legal_numbers()) > MOVES_A_SECOND * budget.seconds:
            return None
        values = plain_values(game, budget) if budget.is_plain else solved_values(game, budget)
        return _of_values(How.SOLVED, values)


class SolvingQuickly(Solving):
    """The same, but where time is too short for all moves, the value of the position and one move that reaches it."""

    def look(self, game: Game, budget: Budget) -> Known | None:
        """As for every Source."""
        begun = clock()
        best = None if budget.is_plain else solved_best(game, budget)
        left = max(0.0, budget.seconds - (clock() - begun))
        known = super().look(game, replace(budget, seconds=left))
        if known is None and best is not None:
            low, high, move = best
            return Known(How.SOLVED, moves=(move,), low=low, high=high, is_of_one=game.num_players == 1)
        return known


class WinningAlone:
    """How one of three or more players is the only winner whatever all others play (`solving/against_all.py`).

    Such a win is certain. What perfect play leads to, or a share of the win, supposes how the others choose.
    """

    seconds = 0.01

    def look(self, game: Game, budget: Budget) -> Known | None:
        """As for every Source."""
        if game.num_players < 3:
            return None
        from ..certificates import claims
        from ..solving.against_all import winning_turn

        turn = winning_turn(
            claims.of(game.id),
            game.entry.still_in,
            game.state,
            seconds=min(ALONE_SECONDS, OF_ALONE * budget.seconds),
            memory=budget.memory,
            stop=budget.stop,
        )
        line = tuple(game.rules.move_text(game.state, move) for move in turn)
        return Known(How.SOLVED, moves=line[:1], wins_alone=True, line=line) if line else None


class ResultsOfMany:
    """What perfect play of three or more players leads to, as long as the game follows the witness of the table.

    It may follow an image of it, too. Perfect play is that of certificates: the game's `wish` says what each wants, and
    of equal moves a player takes the one that is best for the next player, then for the one after
    (`certificates/aims.py`).
    """

    seconds = LOOK_UP

    def look(self, game: Game, budget: Budget) -> Known | None:
        """As for every Source; a damaged table is passed over, with a ResultsWarning."""
        if game.num_players < 3 or game.start:
            return None
        with _unless_damaged():
            row = _row(game)
            rest = None if row is None or not row.keeps_value else witness.rest(row.witness.split(), game)
            if row is None or rest is None or not isinstance(row.value, list):
                return None
            return Known(How.ROW, moves=rest[:1], scores=tuple(row.value), line=rest)
        return None


class PerfectOfMany(ResultsOfMany):
    """The same, and elsewhere by solving the position now."""

    seconds = 0.02

    def look(self, game: Game, budget: Budget) -> Known | None:
        """As for every Source; a damaged table is passed over, with a ResultsWarning."""
        if game.num_players < 3:
            return None
        return super().look(game, budget) or self._solved(game, budget)

    def _solved(self, game: Game, budget: Budget) -> Known | None:
        from ..solving import ask

        try:
            found = ask.of_many(game.entry, game.state, budget.task(), is_plain=budget.is_plain)
        except BadParameter:  # the game doesn't say what its players want
            return None
        if found.scores is None:
            return None
        best = tuple(game.rules.move_text(game.state, move) for move in found.best_moves)
        line = tuple(game.rules.move_text(game.state, move) for move in found.witness)
        return Known(How.SOLVED, moves=best, scores=tuple(found.scores), line=line)


class SolvingForMany:
    """Solving the position now by max-n, in small games of three and more players (`engine/max_n.py`).

    Players are taken to choose equally often among several moves that are equally good for them, whose habits nobody
    knows. So levels do better with it than with `PerfectOfMany`.
    """

    seconds = 0.01

    def look(self, game: Game, budget: Budget) -> Known | None:
        """As for every Source. It is bounded by positions and not by the time, and knows nothing of earlier questions,
        so that its answer depends on the position alone.
        """
        most_positions = most_to_solve(game.entry)
        if game.num_players < 3 or not most_positions:
            return None
        from ..engine.max_n import MaxN, best

        after, mover = MaxN(game.rules).after(game.state, most_positions), game.rules.mover(game.state)
        if after is None:
            return None
        text = {move: game.rules.move_text(game.state, move) for move in after}
        shares = {text[move]: each[mover - 1] for move, each in after.items()}
        return Known(How.SOLVED, moves=tuple(text[move] for move in best(after, mover)), shares=shares)


EXACT: Sequence[Source] = (Tables(), Solving())
"""Those that tell the exact value of every legal move."""
OF_LEVELS: Sequence[Source] = (
    Strategies(),
    EXACT[0],
    Results(),
    WeakSolutions(),
    ResultsOfTwo(),
    SolvingQuickly(),
    WinningAlone(),
    SolvingForMany(),
)
"""Those that level:6 and level:7 ask, which want to win against whoever plays."""
HELD: Sequence[Source] = tuple(one for one in OF_LEVELS if isinstance(one, Strategies | WeakSolutions | ResultsOfTwo))
"""Those that tell at once what one of two players holds whatever the other does."""
OF_LOWER_LEVELS: Sequence[Source] = OF_LEVELS[-1:]
"""Those that level:3 to level:5 ask."""
SOURCES: Sequence[Source] = (*OF_LEVELS[:-1], PerfectOfMany(), OF_LEVELS[-1])
"""All of them."""
OF_MOVES: Sequence[Source] = (*EXACT, SOURCES[-1])
"""Those that know the worth of every legal move, for any number of players."""


class ResultsWarning(UserWarning):
    """The table of results isn't used, because it is damaged."""


@contextlib.contextmanager
def _unless_damaged() -> Iterator[None]:
    """Pass a damaged table of results over, with a warning."""
    try:
        yield
    except (QuetError, OSError) as error:
        warnings.warn(f"The table of best results is not used: {one_line(error)}", ResultsWarning, stacklevel=4)


def _row(game: Game) -> "Row | None":
    """The row about a game, as `best_row` has it."""
    from ..results.best import best_row

    return best_row(game)


def _of_values(how: How, values: Mapping[str, int] | None) -> Known | None:
    """What is known where the exact value of every move is."""
    if not values:
        return None
    best = max(values.values())
    moves = tuple(move for move, value in values.items() if value == best)
    return Known(how, moves=moves, low=best, high=best, advantages=dict(values))


def _of_row(row: "Row", game: Game) -> Known:
    """What a row tells of a position: a bound and, where the best game known goes on from here, the rest of it."""
    sign = -1 if game.rules.LOWER_IS_BETTER else 1
    high = sign * row.limit  # no game scores better, and so none that goes on from here
    rest = witness.rest(row.witness.split(), game)
    if rest is None and game.entry.local_search is not None:
        rest = _to_board(row, game)
    if rest is None:
        return Known(How.RESULT, high=high, is_of_one=True)
    end = game.copy()
    for move in rest:
        end.play(move)
    low = sign * end.scores[0]
    if not end.is_over or low < sign * row.number:
        raise BadResult(say("The witness of {row} doesn't reach {score}.", row=row.name(), score=row.number))
    return Known(How.RESULT, moves=rest[:1], low=low, high=high, line=rest, is_of_one=True)


def _to_board(row: "Row", game: Game) -> Sequence[str]:
    """The moves to the board of the witness: every number may be changed, so it is in reach from any position."""
    search = game.entry.local_search
    assert search is not None
    target = Game(game.entry, game.parameters)
    for text in row.witness.split():
        target.play(text)
    moves = boards.moves_to(game.rules, search, game.state, target.state, is_lowest=game.rules.LOWER_IS_BETTER)
    return tuple(game.rules.move_text(game.state, move) for move in moves)
