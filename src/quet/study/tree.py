"""A recorded game with its variations as a tree: where one is in it, what is played there, and the record of it all.

A place is written as numbers with dots between: `4` is after move 4 of the main line, `0.2.7` after move 7 of
variation 2 of variation 0 of the main line.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..core.errors import BadParameter
from ..core.messages import say
from ..core.quoting import shorten
from ..game import Game
from ..records.record import Record, Termination
from ..records.variations import DEEPEST, Variation, in_order

_PLACE = re.compile(rf"(?:[0-9]{{1,5}}\.){{0,{DEEPEST}}}[0-9]{{1,5}}")


@dataclass(frozen=True)
class Place:
    """A position in the tree: which variations lead to its line, and after which move of the line it is."""

    branches: tuple[int, ...]  # of each line, the number of the variation to take
    ply: int

    def __str__(self) -> str:
        return ".".join(map(str, (*self.branches, self.ply)))

    @classmethod
    def read(cls, text: str) -> "Place":
        """The place that a text names; raises BadParameter."""
        if not _PLACE.fullmatch(text):
            raise BadParameter(say("{text} is no place in the moves.", text=shorten(text)))
        *branches, ply = map(int, text.split("."))
        return cls(tuple(branches), ply)


@dataclass
class Line:
    """A line of moves in the tree, the main one or a variation."""

    first: int  # the number of the first move
    moves: list[str]
    comments: dict[int, list[str]] = field(default_factory=dict)  # by the number of the move that they follow
    variations: list["Line"] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The number of the last move."""
        return self.first + len(self.moves) - 1

    def variation(self) -> Variation:
        """The line as a variation of another one."""
        return Variation(self.first, tuple(self.moves), self.comments, _frozen(self.variations))


class Tree:
    """The moves of a record, to be looked at and changed."""

    def __init__(self, record: Record) -> None:
        """The record itself stays as it is."""
        self.tags: Mapping[str, str] = record.tags
        self.termination: Termination | None = record.termination
        self.main = _line(1, record.game.moves, record.comments, record.variations)
        self._start = record.game.at(0)

    def record(self) -> Record:
        """All of it as a record; raises BadRecord where a limit of records is exceeded."""
        game = self._start.copy()
        for move in self.main.moves:
            game.play(move)
        termination = None if game.is_over else self.termination
        variations = _frozen(self.main.variations)
        return Record.of(
            game, tags=self.tags, comments=self.main.comments, termination=termination, variations=variations
        )

    def line(self, place: Place) -> Line:
        """The line of a place; raises BadParameter if there is no such place."""
        line = self.main
        for number in place.branches:
            if number >= len(line.variations):
                raise BadParameter(say("{text} is no place in the moves.", text=shorten(str(place))))
            line = line.variations[number]
        least = line.first if place.branches else 0
        if not least <= place.ply <= line.last:
            raise BadParameter(say("{text} is no place in the moves.", text=shorten(str(place))))
        return line

    def game(self, place: Place) -> Game:
        """The game at a place, with the moves that lead there."""
        self.line(place)
        moves: list[str] = []
        line = self.main
        for number in place.branches:
            branch = line.variations[number]
            moves += line.moves[: branch.first - line.first]
            line = branch
        moves += line.moves[: place.ply - line.first + 1]
        game = self._start.copy()
        for move in moves:
            game.play(move)
        return game

    def before(self, place: Place) -> Place | None:
        """The place one move earlier; None at the start."""
        if place.ply == 0:
            return None
        branches, ply = place.branches, place.ply - 1
        while branches and ply < self._line_of(branches).first:
            branches = branches[:-1]
        return Place(branches, ply)

    def after(self, place: Place) -> Place | None:
        """The place one move later in the same line; None at its end."""
        return Place(place.branches, place.ply + 1) if place.ply < self.line(place).last else None

    def play(self, place: Place, text: str) -> Place:
        """Play a move as people type it: follow it where it stands in the tree, or else add it. Returns the next place.

        Raises IllegalMove and UnreadableMove.
        """
        game = self.game(place)
        move = game.rules.move_text(game.state, game.read_typed(text))
        line, ply = self.line(place), place.ply + 1
        if ply <= line.last and line.moves[ply - line.first] == move:
            return Place(place.branches, ply)
        for number, one in enumerate(line.variations):
            if one.first == ply and one.moves[0] == move:
                return Place((*place.branches, number), ply)
        if ply > line.last and (place.branches or self.termination is None):
            line.moves.append(move)
            return Place(place.branches, ply)
        number = sum(one.first <= ply for one in line.variations)
        line.variations.insert(number, Line(ply, [move]))
        return Place((*place.branches, number), ply)

    def comment(self, place: Place, text: str) -> None:
        """Put a comment in the place of those after this move; an empty one takes them away."""
        line = self.line(place)
        line.comments.pop(place.ply, None)
        if text:
            line.comments[place.ply] = [text]

    def cut(self, place: Place) -> Place:
        """Take away the move that leads to a place, and what follows it. Returns the place before it."""
        earlier = self.before(place)
        if earlier is None:
            return place
        line, ply = self.line(place), place.ply
        if place.branches and ply == line.first:
            del self._line_of(place.branches[:-1]).variations[place.branches[-1]]
            return earlier
        del line.moves[ply - line.first :]
        line.comments = {number: texts for number, texts in line.comments.items() if number < ply}
        line.variations = [one for one in line.variations if one.first <= ply]
        if not place.branches:
            self.termination = None
        return earlier

    def _line_of(self, branches: Sequence[int]) -> Line:
        line = self.main
        for number in branches:
            line = line.variations[number]
        return line


def _line(
    first: int, moves: Sequence[str], comments: Mapping[int, Sequence[str]], variations: Sequence[Variation]
) -> Line:
    inner = [_line(one.ply, one.moves, one.comments, one.variations) for one in variations]
    return Line(first, list(moves), {ply: list(texts) for ply, texts in comments.items()}, inner)


def _frozen(lines: Sequence[Line]) -> tuple[Variation, ...]:
    return in_order([line.variation() for line in lines])
