"""Positions that are set up by hand: papers are read as drafts, changed by clicks and fields, and written again.

Each game's `by_hand.py` says what a click does. A game without one is set up as text alone.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from ..capabilities import ByHand
from ..catalog import Entry
from ..core.draft import Draft
from ..core.errors import BadPaper, QuetError
from ..core.messages import say
from ..core.parameters import read_parameters, written
from ..core.quoting import shorten
from ..draw.scene import Scene
from ..game import Game
from ..starts import on_paper


@dataclass(frozen=True)
class PositionByHand:
    """A position that is being set up."""

    entry: Entry
    text: str  # as on paper; empty for the start
    draft: Draft

    @property
    def game(self) -> Game | None:
        """The game that begins with the position; None where it breaks a rule."""
        return self._read[0]

    @property
    def error(self) -> str:
        """The rule that it breaks; empty where there is a game."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[Game | None, str]:
        if not self.text:
            return Game(self.entry, self.draft.parameters), ""
        try:
            return on_paper(self.entry, self.text, written(self.draft.parameters), files=False), ""
        except QuetError as wrong:
            return None, wrong.message

    @cached_property
    def scene(self) -> Scene:
        """The picture."""
        position = self.game.position(legal=False) if self.game else by_hand_of(self.entry).sketch(self.draft)
        return self.entry.picture.scene(position)

    @property
    def squares(self) -> frozenset[str]:
        """The names of the squares."""
        return _squares(self.entry, tuple((name, str(value)) for name, value in self.draft.parameters.items()))


@lru_cache(maxsize=64)
def _squares(entry: Entry, parameters: tuple[tuple[str, str], ...]) -> frozenset[str]:
    game = Game(entry, read_parameters(entry.rules.PARAMETERS, dict(parameters), files=False))
    return frozenset(square.name for square in game.scene(legal=False).squares)


def by_hand_of(entry: Entry) -> ByHand:
    """How positions of the game are set up; raises BadPaper for a game that doesn't say."""
    if entry.by_hand is None:
        raise BadPaper(say("A position of this game can be set up as text only."))
    return entry.by_hand


def set_up(entry: Entry, text: str, given: Mapping[str, object]) -> PositionByHand:
    """A position being set up, from a paper that may break rules. `given` are parameters that it doesn't show.

    Raises BadPaper for what can't even be drawn, and BadParameter.
    """
    hand = by_hand_of(entry)
    if not text.strip():
        return of_draft(entry, _start(entry, given))
    try:
        draft = hand.read(text, given)
    except QuetError:
        with suppress(QuetError):  # moves, or what else only a judge reads
            return of_game(on_paper(entry, text, given, files=False))
        raise
    return of_draft(entry, draft)


def of_game(game: Game) -> PositionByHand:
    """The position of a game, to be changed. Raises BadPaper where it can't be written as on paper."""
    return of_draft(game.entry, by_hand_of(game.entry).of(game.position(legal=False)))


def of_draft(entry: Entry, draft: Draft) -> PositionByHand:
    """What a draft is as on paper."""
    is_start = draft == _start(entry, draft.parameters)
    return PositionByHand(entry, "" if is_start else by_hand_of(entry).text(draft), draft)


def clicked(now: PositionByHand, square: str, way: str = "", mark: str = "") -> PositionByHand:
    """After a click on a square, in one of the game's ways, the first if none is named. Raises BadPaper."""
    hand = by_hand_of(now.entry)
    if square not in now.squares:
        raise BadPaper(say("There is no square {square}.", square=shorten(square)))
    way = way or next(iter(hand.WAYS))
    if way not in hand.WAYS:
        raise BadPaper(say("There is no such way to click: {way}.", way=shorten(way)))
    return of_draft(now.entry, hand.click(now.draft, square, way, mark))


def typed(now: PositionByHand, text: str) -> PositionByHand:
    """After a square was typed, as `c3` for a click there or `c3=5` for what is to stand there. Raises BadPaper."""
    square, _equals, mark = text.replace(" ", "").partition("=")
    return clicked(now, square, "", mark)


def with_fields(now: PositionByHand, fields: Mapping[str, str]) -> PositionByHand:
    """With these texts in the fields of the game. Raises BadPaper where the paper can't be read again then."""
    hand = by_hand_of(now.entry)
    known = {field.name for field in hand.FIELDS}
    draft = replace(
        now.draft, fields={**now.draft.fields, **{name: fields[name].strip() for name in known & fields.keys()}}
    )
    if draft == now.draft:
        return now
    text = hand.text(draft)
    return of_draft(now.entry, hand.read(text, draft.parameters) if text else draft)


def with_parameters(now: PositionByHand, given: Mapping[str, object]) -> PositionByHand:
    """With these parameters; where the squares become others, the board is empty again. Raises BadParameter."""
    parameters = read_parameters(now.entry.rules.PARAMETERS, {**written(now.draft.parameters), **given}, files=False)
    if written(parameters) == written(now.draft.parameters):
        return now
    fresh = of_draft(now.entry, _start(now.entry, parameters))
    if fresh.squares != now.squares:
        return fresh
    return of_draft(now.entry, replace(now.draft, parameters=parameters))


def cleared(now: PositionByHand) -> PositionByHand:
    """The start of the game with the same parameters."""
    return of_draft(now.entry, _start(now.entry, now.draft.parameters))


def _start(entry: Entry, given: Mapping[str, object]) -> Draft:
    return _start_of(entry, tuple((name, str(value)) for name, value in given.items()))


@lru_cache(maxsize=64)
def _start_of(entry: Entry, given: tuple[tuple[str, str], ...]) -> Draft:
    parameters = read_parameters(entry.rules.PARAMETERS, dict(given), files=False)
    return by_hand_of(entry).of(Game(entry, parameters).position(legal=False))
