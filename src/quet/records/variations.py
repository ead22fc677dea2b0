"""Variations: what could have been played in a recorded game in place of what was, with comments, as a tree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..core.arguments import shown
from ..core.errors import BadRecord, MoveError
from ..core.messages import say
from ..core.quoting import shorten
from ..core.rules import AnyState
from ..game import Game, Start

DEEPEST = 20  # variations that stand inside one another
MOST_MOVES = 10_000  # in all variations of a record together


@dataclass(frozen=True)
class Variation:
    """Moves that could have been played, in brackets in a record: `2. b2 (2. c1 {better} 3. a1)`.

    >>> Variation(2, ("c1", "a1"), {2: ["better"]})
    Variation(ply=2, moves=('c1', 'a1'), comments={2: ['better']}, variations=())
    """

    ply: int
    """The number of its first move, which replaces the move of that number in the line that it belongs to. One more
    than the number of that line's last move: then it says how the line could go on."""
    moves: tuple[str, ...]  # at least one
    comments: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """By the number of the move that they follow, `ply` - 1 for those before the first."""
    variations: tuple["Variation", ...] = ()  # of its own moves, those of earlier moves first

    @property
    def last(self) -> int:
        """The number of its last move."""
        return self.ply + len(self.moves) - 1


def in_order(variations: Sequence[Variation]) -> tuple[Variation, ...]:
    """The variations of a line by the number of their first moves; those of one move stay in their order."""
    return tuple(sorted(variations, key=lambda variation: variation.ply))


def branch(game: Game, state: AnyState | None = None) -> Game:
    """A game that begins where this one stands, or at a state of it.

    It doesn't know the moves before, so that making it costs the same after any number of them.
    """
    return Game(game.entry, game.parameters, Start("", game.state if state is None else state, ()))


def check_variations(game: Game, variations: object) -> list[Variation]:
    """All variations in the tree, each before its own; raises BadRecord unless all their moves are legal.

    `game` is at the end of the main line. Comments are left to the caller.
    """
    found: list[Variation] = []
    if variations:
        _Checker(found).line(game.at(0), 1, game.moves, variations, 1)
    elif not isinstance(variations, tuple):
        raise BadRecord(say("Variations must be in a tuple, not {value}.", value=shown(variations)))
    return found


class _Checker:
    """Plays all variations of a record."""

    def __init__(self, found: list[Variation]) -> None:
        self._found = found
        self._num_moves = 0

    def line(self, game: Game, first: int, moves: Sequence[str], variations: object, depth: int) -> None:
        """Check the variations of a line: `game` is before its first move, which has the number `first`.

        The game is played on to the end of the line.
        """
        if not isinstance(variations, tuple) or not all(isinstance(one, Variation) for one in variations):
            raise BadRecord(say("Variations must be in a tuple, not {value}.", value=shown(variations)))
        if variations and depth > DEEPEST:
            raise BadRecord(say("Variations stand at most {deepest} deep inside one another.", deepest=DEEPEST))
        last, waiting = first + len(moves) - 1, list(variations)
        for one in waiting:
            if type(one.ply) is not int or not first <= one.ply <= last + 1:
                raise BadRecord(
                    say(
                        "A variation begins with move {ply}, but its line has the moves {first} to {last}.",
                        ply=shown(one.ply),
                        first=first,
                        last=last,
                    )
                )
        if list(in_order(waiting)) != waiting:
            raise BadRecord(say("The variations of a line must be in the order of their moves."))
        for number, move in enumerate([*moves, None], first):
            while waiting and waiting[0].ply == number:
                self._variation(branch(game), waiting.pop(0), depth)
            if move is not None and depth > 1:
                self._play(game, move, number)
            elif move is not None and waiting:
                game.play(move)

    def _variation(self, game: Game, one: Variation, depth: int) -> None:
        if not isinstance(one.moves, tuple) or not one.moves or not all(isinstance(move, str) for move in one.moves):
            raise BadRecord(say("A variation must have a tuple of moves, at least one."), move=one.ply)
        self._num_moves += len(one.moves)
        if self._num_moves > MOST_MOVES:
            raise BadRecord(say("The variations of a record have at most {most} moves together.", most=MOST_MOVES))
        if not isinstance(one.comments, Mapping):
            raise BadRecord(say("Comments must be in a dictionary, not {value}.", value=shown(one.comments)))
        self._found.append(one)
        self.line(game, one.ply, one.moves, one.variations, depth + 1)

    @staticmethod
    def _play(game: Game, move: str, number: int) -> None:
        try:
            game.play(move)
        except MoveError as error:
            raise BadRecord(error.message, move=number) from None
        if "(" in move or ")" in move:
            raise BadRecord(say("{move} can't stand in a variation, for its bracket.", move=shorten(move)), move=number)
