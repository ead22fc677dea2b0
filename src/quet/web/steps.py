"""Stepping through the moves of a game: the position after so many of them, and what a page shows of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, islice

from markupsafe import Markup

from ..core.messages import say
from ..core.numbers import read_integer
from ..core.position import Item, Position
from ..draw.scene import Scene, signed
from ..game import Game
from .board import board_html
from .errors import BadForm
from .i18n import said_scene

MOST_LISTED = 300  # moves in a list, or what makes up a score, around what is shown


@dataclass(frozen=True)
class Scored:
    """An item of a score, by its number among all."""

    number: int
    item: Item
    is_chosen: bool


@dataclass(frozen=True)
class ScoredItems:
    """What makes up the score of a player."""

    items: Sequence[Scored]

    @cached_property
    def chosen(self) -> Scored | None:
        """The item that is pointed at."""
        return next((one for one in self.items if one.is_chosen), None)

    @property
    def _window(self) -> range:
        return window(len(self.items), len(self.items) if self.chosen is None else self.items.index(self.chosen))

    @property
    def listed(self) -> Sequence[Scored]:
        """The items near the one pointed at, or the last ones."""
        return [self.items[k] for k in self._window]

    @property
    def before(self) -> Scored | None:
        """The item before those that are listed."""
        begin = self._window.start
        return self.items[begin - 1] if begin else None

    @property
    def after(self) -> Scored | None:
        """The item after those that are listed."""
        end = self._window.stop
        return self.items[end] if end < len(self.items) else None


@dataclass(frozen=True)
class Step:
    """A game after `ply` of its moves; `chosen` is the number of the item that is pointed at, if any."""

    game: Game
    ply: int
    chosen: str = ""

    @property
    def last(self) -> int:
        """How many moves there are."""
        return self.game.ply

    @cached_property
    def position(self) -> Position:
        """The position, without its legal moves."""
        return self.game.at(self.ply).position(legal=False)

    @property
    def scores(self) -> list[int]:
        """The score of each player in the position."""
        return [self.game.rules.score(self.position.state, player) for player in self.game.players]

    @cached_property
    def scene(self) -> Scene:
        """The picture of the position, in English."""
        return self.game.entry.picture.scene(self.position)

    @property
    def notes(self) -> Sequence[str]:
        return said_scene(self.scene).notes

    @cached_property
    def items(self) -> dict[int, ScoredItems]:
        """What makes up the scores, by player."""
        return scored(self.game.entry.judge.items(self.position), self.chosen)

    @property
    def board(self) -> Markup:
        """The board for the page, with the squares of the chosen item marked."""
        return marked_board(self.scene, self.items)

    @cached_property
    def moves(self) -> list[tuple[int, int, str]]:
        """The moves near the one shown: number, player, text."""
        near = window(self.last, self.ply)
        plies = islice(self.game.plies(), near.start, near.stop)
        return [(number, player, signed(text)) for number, (player, text) in enumerate(plies, near.start + 1)]


def window(length: int, place: int) -> range:
    """Which entries of a list of this length are shown: at most MOST_LISTED, around the one at this place."""
    begin = max(0, min(place - MOST_LISTED // 2, length - MOST_LISTED))
    return range(begin, min(begin + MOST_LISTED, length))


def read_ply(text: str | None, game: Game) -> int:
    """The number of moves that an address asks for, or of all moves if it doesn't say. Raises BadForm."""
    if text is None:
        return game.ply
    ply = read_integer(text) if len(text) <= 10 else None
    if ply is None or not 0 <= ply <= game.ply:
        raise BadForm(say("The game has {ply} moves; there is no position with that number.", ply=game.ply))
    return ply


def scored(items: Sequence[Item], chosen: str = "") -> dict[int, ScoredItems]:
    """What makes up scores, by player."""
    numbered = [Scored(k, item, chosen == str(k)) for k, item in enumerate(items)]
    numbered.sort(key=lambda one: one.item.player)
    return {player: ScoredItems(list(group)) for player, group in groupby(numbered, lambda one: one.item.player)}


def chosen_squares(items: dict[int, ScoredItems]) -> Sequence[str]:
    """The squares of the chosen item; none where nothing is chosen."""
    return next((group.chosen.item.squares for group in items.values() if group.chosen), ())


def marked_board(scene: Scene, items: dict[int, ScoredItems]) -> Markup:
    """The board with the squares of the chosen item marked."""
    return board_html(scene, marked=chosen_squares(items))


def played(position: Position, game: Game) -> Game | None:
    """The game that a paper recorded, move by move; None if the paper has no moves."""
    if not position.moves:
        return None
    replayed = Game(game.entry, position.parameters)
    for move in position.moves:
        replayed.play(replayed.rules.move_text(replayed.state, move))
    return replayed
