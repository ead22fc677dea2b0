"""`quet.perft` and `quet.positions`: all games from a position, counted, and all positions that they come to."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, SupportsIndex, overload

from ..core.arguments import integer
from ..core.errors import BadParameter
from ..core.messages import say
from ..core.rules import Canonical
from ..game import Game, check_game

if TYPE_CHECKING:
    from ..engine.arrays import Ints, Records

MOST_PLIES = 64  # of `perft`
MOST_POSITIONS = 1_000_000
LARGEST = 100_000_000  # positions that may be asked for
MOST_BYTES = 2**31  # of all states
ROOM = 2**24  # bytes of the states that are made at once


def perft(game: Game, depth: SupportsIndex) -> int:
    """How many sequences of exactly `depth` legal moves there are from this position.

    The rules are compiled at the first call for a game, which takes some seconds, once. Ctrl-C ends it. Raises
    BadParameter.

    >>> import quet
    >>> [quet.perft(quet.new("palindromes", m=8), depth) for depth in range(4)]
    [1, 16, 224, 2688]
    """
    check_game(game)
    plies = integer(say("The number of plies"), depth, 0, MOST_PLIES)
    if plies == 0:
        return 1
    import numpy as np

    from ..distribution.task import run
    from ..engine import walking
    from ..engine.arrays import pack
    from ..engine.compiled import compiled

    fast = compiled(walking, rules=game.rules)
    stack = np.repeat(pack([game.state]), plies)
    moves = np.zeros((plies, game.rules.most_moves(game.state)), np.int64)
    counts, tried, flag = np.zeros(plies, np.int64), np.zeros(plies, np.int64), np.zeros(1, np.int64)
    return int(run(flag, lambda: fast.num_sequences(stack, moves, counts, tried, plies, flag), None))


@dataclass(frozen=True)
class Positions(Sequence[Game]):
    """All positions that can come after one, each once and as a game, and how they follow each other, as arrays.

    The first is the one that was asked about; those that need more moves come later. The moves of position i are
    `moves[begins[i] : begins[i + 1]]`, numbers as `Game.push` takes them, ascending; `after` has at the same places the
    positions that they lead to.
    """

    game: Game = field(repr=False)  # the first position
    states: "Records" = field(repr=False)  # one NumPy record a position, with the fields of the rules' State
    movers: "Ints" = field(repr=False)  # int8: the player to move, 0 where the game is over
    scores: "Ints" = field(repr=False)  # int64: a column for each player
    begins: "Ints" = field(repr=False)  # int64, one more than there are positions
    moves: "Ints" = field(repr=False)  # int64
    after: "Ints" = field(repr=False)  # int64
    before: "Ints" = field(repr=False)  # int64: where in `after` a position was met first; -1 for the first

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"<{len(self)} positions after {self.game!r}>"

    @overload
    def __getitem__(self, index: int) -> Game: ...
    @overload
    def __getitem__(self, index: slice) -> list[Game]: ...
    def __getitem__(self, index: int | slice) -> Game | list[Game]:
        if isinstance(index, slice):
            return [self._game(i) for i in range(len(self))[index]]
        return self._game(range(len(self))[index])

    def _game(self, i: int) -> Game:
        """Position i, with the moves of a shortest game that comes to it."""
        import numpy as np

        way: list[int] = []
        while i:
            edge = int(self.before[i])
            way.append(int(self.moves[edge]))
            i = int(np.searchsorted(self.begins, edge, "right")) - 1
        game = self.game.copy()
        for move in reversed(way):
            game.push(move)
        return game


def positions(game: Game, *, most: SupportsIndex = MOST_POSITIONS) -> Positions:
    """All positions that can come after this one, each once, this one first: a tree as data, for small games.

    The rules are compiled at the first call for a game, which takes some seconds, once. Raises BadParameter, also where
    there are more than `most` positions, or where they take more than 2 GB.

    >>> import quet
    >>> found = quet.positions(quet.new("palindromes", m=4))
    >>> len(found), int((found.movers == 0).sum()), found[5].moves
    (81, 16, ['3=0'])
    """
    check_game(game)
    limit = integer(say("The number of positions"), most, 1, LARGEST)
    import numpy as np

    from ..engine import walking
    from ..engine.arrays import pack
    from ..engine.compiled import compiled

    first = game.copy().state
    if isinstance(game.rules, Canonical):
        game.rules.canonical(first)
    fast, most_moves = compiled(walking, rules=game.rules), game.rules.most_moves(first)
    layers = [pack([first])]
    size = layers[0].itemsize
    limit = min(limit, MOST_BYTES // size)
    portion = max(1, ROOM // (size * most_moves))
    room, counts = np.zeros(most_moves, np.int64), np.zeros(portion, np.int64)
    moves, after = np.zeros(portion * most_moves, np.int64), np.zeros(portion * most_moves, layers[0].dtype)
    known = _Numbers(game, layers[0])
    all_counts, all_moves, all_after, before = [], [], [], [-1]
    num_moves = 0
    while len(layers[-1]):
        layer, new = layers[-1], []
        for begin in range(0, len(layer), portion):
            part = layer[begin : begin + portion]
            num = int(fast.expand(part, room, counts, moves, after))
            numbers = np.zeros(num, np.int64)
            for i in range(num):
                numbers[i], is_new = known.number(after[i : i + 1])
                if is_new:
                    new.append(known.last.view(np.uint8).copy())  # NumPy alone copies no gaps between fields
                    before.append(num_moves + i)
                    if len(before) > limit:
                        raise BadParameter(say("There are more than {most} positions.", most=limit))
            num_moves += num
            all_counts.append(counts[: len(part)].copy())
            all_moves.append(moves[:num].copy())
            all_after.append(numbers)
        layers.append(np.concatenate(new).view(layer.dtype) if new else layer[:0])
    states = np.concatenate([layer.view(np.uint8) for layer in layers]).view(layers[0].dtype)
    movers, scores = np.zeros(len(states), np.int8), np.zeros((len(states), game.num_players), np.int64)
    fast.look(states, movers, scores)
    begins = np.concatenate([[0], *all_counts]).cumsum()
    return Positions(
        game.copy(),
        states,
        movers,
        scores,
        begins,
        np.concatenate(all_moves),
        np.concatenate(all_after),
        np.array(before),
    )


class _Numbers:
    """The numbers of positions: a digest stands for each state."""

    def __init__(self, game: Game, first: "Records") -> None:
        self._rules, self._kind = game.rules, type(game.state)
        self._canonical = game.rules.canonical if isinstance(game.rules, Canonical) else None
        self._of: dict[bytes, int] = {}
        self._count = 0
        self.last = first  # the state that was new last, as an array of one
        self.number(first)

    def number(self, state: "Records") -> tuple[int, bool]:
        """The number of a position, an array of one, and whether it is new."""
        digest = hashlib.blake2b(state.tobytes(), digest_size=16).digest()
        found = self._of.get(digest)
        if found is not None:
            return found, False
        if self._canonical is None:
            return self._added(digest, state)
        from ..engine.arrays import pack, unpack

        s = unpack(state[0], self._kind)
        self._canonical(s)
        state = pack([s])
        canonical = hashlib.blake2b(state.tobytes(), digest_size=16).digest()
        found, is_new = self._of.get(canonical), False
        if found is None:
            found, is_new = self._added(canonical, state)
        self._of[digest] = found
        return found, is_new

    def _added(self, digest: bytes, state: "Records") -> tuple[int, bool]:
        self._of[digest] = self._count
        self._count += 1
        self.last = state
        return self._count - 1, True
