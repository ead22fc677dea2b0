"""The games as programs that learn want them: actions numbered 0, 1, ... without gaps, bounds, arrays to look at.

A Form is one game with its parameters. It knows what must be known before play begins (how many actions there are, the
longest game, the highest score), turns actions into moves, and writes what is seen of a state into an array.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import catalog
from ..core.errors import IllegalMove, UnknownGame
from ..core.grid import shorten, square_text
from ..core.parameters import read_parameters, written
from ..core.state import copy
from ..games.blob.rules import EDGE, FULL
from ..games.plusses_minuses.rules import is_predicting
from ..games.sums_grid.rules import BASE
from ..games.sums_grid.rules import EMPTY as NO_NUMBER

Planes = NDArray[np.float32]


class Bounds(NamedTuple):
    """What is known of a game before it is played."""

    num_actions: int
    longest: int  # moves in a game, at most
    shape: tuple[int, ...]  # of an observation
    max_score: int = 0  # of a solitaire, at most


class Form:
    """A game with its parameters. One Form serves all states of its games and never changes.

    `texts` are the parameters as texts and numbers that give the same game for good, whatever becomes of a file or a
    random generator.
    """

    first_move = 0  # the rules' number of action 0

    def __init__(self, id: str, given: Mapping[str, object]) -> None:
        """Raises BadParameter. Use `form`, which knows the class of each game."""
        self.id = id
        self.entry = catalog.get(id)
        self.rules = self.entry.rules
        self.parameters = read_parameters(self.rules.PARAMETERS, given)
        self.texts = written(self.parameters)
        self._start = self.rules.State()
        self.rules.start(self._start, **self.parameters)
        self.num_players = self.rules.num_players(self._start)
        self._room = self.rules.most_moves(self._start)
        self.bounds = self.bound(self._start)

    def bound(self, s: Any) -> Bounds:
        """The bounds of games with the parameters of this state."""
        raise NotImplementedError

    def observe(self, s: Any, planes: Planes) -> None:
        """Write what can be seen of s, the same for every player, into `planes`, which is all 0 and of `shape`."""
        raise NotImplementedError

    def start(self) -> Any:
        """The first state of a game."""
        return copy(self._start)

    def mover(self, s: Any) -> int:
        """The player to move, 1..N, or 0 when the game is over."""
        return 0 if self.rules.is_over(s) else self.rules.mover(s)

    def legal_actions(self, s: Any) -> list[int]:
        """The legal actions, ascending."""
        out = [0] * self._room
        moves = out[: self.rules.legal_moves(s, out)]
        moves.sort()
        return [move - self.first_move for move in moves] if self.first_move else moves

    def move(self, action: int) -> int:
        """The rules' number of an action."""
        return action + self.first_move

    def text(self, s: Any, action: int) -> str:
        """The action as people write the move."""
        return self.rules.move_text(s, self.move(action))

    def broken_rule(self, s: Any, action: int) -> str:
        """The rule that the action breaks in this state, as a sentence; empty when it is legal."""
        if not 0 <= action < self.bounds.num_actions:
            return f"There is no action {action}; the actions are 0 to {self.bounds.num_actions - 1}."
        if self.rules.is_over(s):
            return "The game is over."
        return self.rules.broken_rule(s, self.move(action))

    def play(self, s: Any, action: int) -> None:
        """Change s by an action; raises IllegalMove, and s is then as it was."""
        broken = self.broken_rule(s, action)
        if broken:
            raise IllegalMove(broken)
        self.rules.play(s, self.move(action))

    def scores(self, s: Any) -> list[int]:
        """The score of each player as it stands, player 1 first; final when the game is over."""
        return [self.rules.score(s, player) for player in range(1, self.num_players + 1)]

    def utilities(self, s: Any) -> list[float]:
        """What a finished game is worth to each player, player 1 first: the score of a solitaire, else -1 to 1, sum 0.

        Of N players each stakes 1/(N-1), and those with the best score share the stakes: so one winner gets 1 and
        the others -1/(N-1), and all 0 where all share.
        """
        scores = self.scores(s)
        if self.num_players == 1:
            return [float(scores[0])]
        best = (min if self.rules.LOWER_IS_BETTER else max)(scores)
        stake = 1 / (self.num_players - 1)
        prize = stake * (self.num_players / scores.count(best) - 1)
        return [prize if score == best else -stake for score in scores]

    def __reduce__(self) -> tuple[Any, ...]:
        """A Form is made anew from its texts: modules can't be pickled."""
        return form, (self.id, self.texts)

    def _mark_legal(self, s: Any, plane: Planes) -> None:
        if self.mover(s):
            plane.reshape(-1)[self.legal_actions(s)] = 1


class Blob(Form):
    """Planes: filled, beside a filled square, player 2 is to move."""

    def bound(self, s: Any) -> Bounds:
        return Bounds(s.n**2, 2 * (s.n**2 // 4), (3, s.n, s.n))

    def observe(self, s: Any, planes: Planes) -> None:
        cells = _grid(s.cells, s.n)
        planes[0] = cells == FULL
        planes[1] = cells == EDGE
        planes[2] = self.mover(s) == 2


class ConvolutedCoprimality(Form):
    """Planes: filled, number/n², last square, next square, grid/grids, a player each to move, a player each left."""

    def bound(self, s: Any) -> Bounds:
        return Bounds(s.n**2, s.grids * (s.n**2 - 1), (5 + 2 * s.players, s.n, s.n))

    def observe(self, s: Any, planes: Planes) -> None:
        numbers = _grid(s.numbers, s.n)
        planes[0] = numbers > 0
        planes[1] = numbers / s.n**2
        planes[2].reshape(-1)[s.last] = 1
        self._mark_legal(s, planes[3])
        planes[4] = s.grid / s.grids
        for player in range(1, s.players + 1):
            planes[4 + player] = self.mover(s) == player
            planes[4 + s.players + player] = s.is_left[player]


class DivisorsMultiples(Form):
    """Rows over 1..r: taken, current, can be stepped to, can be stopped at, steps/2r; a player each to move, cost/r."""

    first_move = 2  # 1, the first number that can be stepped to

    def bound(self, s: Any) -> Bounds:
        return Bounds(2 * s.r, 2 * s.r * (s.r - 1), (5 + 2 * s.players, s.r))

    def observe(self, s: Any, planes: Planes) -> None:
        planes[0] = s.is_taken[1 : s.r + 1]
        planes[1, s.current - 1] = 1
        legal = self.legal_actions(s)
        planes[2, [action // 2 for action in legal if action % 2 == 0]] = 1
        planes[3, [action // 2 for action in legal if action % 2 == 1]] = 1
        planes[4] = s.num_steps / (2 * s.r)
        for player in range(1, s.players + 1):
            planes[4 + player] = self.mover(s) == player
            planes[4 + s.players + player] = s.cost[player] / s.r


class Palindromes(Form):
    """Rows over 1..m: empty, 0, 1, player 2 is to move."""

    def bound(self, s: Any) -> Bounds:
        return Bounds(2 * s.m, s.m, (4, s.m))

    def observe(self, s: Any, planes: Planes) -> None:
        digits = np.array(s.digits[: s.m])
        planes[0] = digits < 0
        planes[1] = digits == 0
        planes[2] = digits == 1
        planes[3] = self.mover(s) == 2


class PlussesMinuses(Form):
    """Planes: filled, can be filled, + and - predicted by player 1, + and - by player 2, player 2 is to move.

    Player 1's k-th prediction fills column k of its plane, player 2's k-th row k.
    """

    def bound(self, s: Any) -> Bounds:
        return Bounds(s.n**2 + 2, 3 * s.n - 2, (7, s.n, s.n))

    def observe(self, s: Any, planes: Planes) -> None:
        for column in range(s.n):
            if s.height[column]:
                planes[0, s.height[column] - 1, column] = 1
        if not is_predicting(s):
            self._mark_legal(s, planes[1])
        for i in range(2 * s.n - 2):
            sign = 0 if s.predicted[i] > 0 else 1
            if s.predicted[i] and i % 2 == 0:
                planes[2 + sign, :, i // 2] = 1
            elif s.predicted[i]:
                planes[4 + sign, i // 2, :] = 1
        planes[6] = self.mover(s) == 2


class SequenceAscension(Form):
    """Planes: filled, rank/n² of the term, last square, on the path, next square, rank/n² of the term to be placed.

    The smallest term of the sequence has rank 1, and equal terms have equal ranks.
    """

    def bound(self, s: Any) -> Bounds:
        return Bounds(s.n**2, 2 * s.n**2, (6, s.n, s.n), s.n**2)

    def observe(self, s: Any, planes: Planes) -> None:
        index = _grid(s.index, s.n)
        planes[0] = index > 0
        planes[1] = np.where(index > 0, np.array(s.ranks)[index - 1] + 1, 0) / s.n**2
        if s.length if not s.is_placing else s.count:
            planes[2].reshape(-1)[s.last] = 1
        planes[3] = _grid(s.path, s.n) > 0
        self._mark_legal(s, planes[4])
        if s.is_placing:
            planes[5] = (s.ranks[s.count] + 1) / s.n**2


class SumsGrid(Form):
    """Planes: filled, number/n³.

    The puzzle in a finite form: each square is written once, with one of 1..n³, and the game ends with a full grid.
    Action square * n³ + v - 1 writes v.
    """

    def bound(self, s: Any) -> Bounds:
        return Bounds(s.n**5, s.n**2, (2, s.n, s.n), s.n**3)

    def observe(self, s: Any, planes: Planes) -> None:
        numbers = _grid(s.numbers, s.n)
        planes[0] = numbers > 0
        planes[1] = numbers / s.n**3

    def legal_actions(self, s: Any) -> list[int]:
        if self.rules.is_over(s):
            return []
        used = set(s.numbers)
        unused = [value - 1 for value in range(1, self.bounds.max_score + 1) if value not in used]
        empty = [square for square in range(s.n**2) if s.numbers[square] == NO_NUMBER]
        return [square * self.bounds.max_score + value for square in empty for value in unused]

    def move(self, action: int) -> int:
        return action // self.bounds.max_score * BASE + action % self.bounds.max_score + 1

    def broken_rule(self, s: Any, action: int) -> str:
        broken = super().broken_rule(s, action)
        square = action // self.bounds.max_score
        if not broken and s.numbers[square] != NO_NUMBER:
            return f"{square_text(square, s.n)} holds {s.numbers[square]} already, and a square is written once."
        return broken

    def play(self, s: Any, action: int) -> None:
        super().play(s, action)
        if s.num_filled == s.n**2:
            self.rules.play(s, s.n**2 * BASE)  # done


class UpAndUp(Form):
    """Planes: filled, last square, next square, step/n."""

    def bound(self, s: Any) -> Bounds:
        return Bounds(s.n**2, s.n**2, (4, s.n, s.n), s.n**2)

    def observe(self, s: Any, planes: Planes) -> None:
        planes[0] = _grid(s.numbers, s.n) > 0
        if s.count:
            planes[1].reshape(-1)[s.last] = 1
        self._mark_legal(s, planes[2])
        planes[3] = s.step / s.n


FORMS: Mapping[str, type[Form]] = {
    "blob": Blob,
    "convoluted-coprimality": ConvolutedCoprimality,
    "divisors-multiples": DivisorsMultiples,
    "palindromes": Palindromes,
    "plusses-minuses": PlussesMinuses,
    "sequence-ascension": SequenceAscension,
    "sums-grid": SumsGrid,
    "up-and-up": UpAndUp,
}


def form(id: str, given: Mapping[str, object]) -> Form:
    """The game of this name with these parameters; raises UnknownGame and BadParameter."""
    if id not in FORMS:
        raise UnknownGame(f"There is no game {shorten(id)} here; the games are {', '.join(FORMS)}.")
    return FORMS[id](id, given)


def _grid(squares: list[int], n: int) -> NDArray[np.int64]:
    """The first n*n squares as rows and columns; row 0 is row 1 of the grid, the bottom."""
    return np.array(squares[: n * n], np.int64).reshape(n, n)
