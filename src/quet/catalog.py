"""The only look-up of a game by name.

A game is a folder with `rules.py`, `facts.toml`, `picture.py` and `judge.py`: here under `games/`, or in any other
package that names the folder in an entry point of the group `quet.games`.
"""

import importlib.resources
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from types import ModuleType
from typing import Any, Protocol, cast

from . import capabilities, games
from .capabilities import (
    ByHand,
    Capabilities,
    FirstTerms,
    Goal,
    Images,
    Kept,
    LocalSearch,
    Observe,
    OwnSolver,
    Patterns,
    Planner,
    RandomEnd,
    Sensible,
    Sheet,
    StillIn,
    Strategy,
)
from .core.arguments import shown
from .core.errors import BrokenRules, UnknownGame, one_line
from .core.facts import check_facts, parameter_facts, score_facts
from .core.lesson_file import Lesson, read_lesson
from .core.messages import Message, joined, say
from .core.parameters import AnyParameter, TermsParameter
from .core.position import Item, Position
from .core.rules import AnyRules, AnyState
from .core.sequences import called
from .draw.scene import Scene

LONGEST = 24  # characters of a parameter's value where it is shown


class Picture(Protocol):
    """A game's `picture.py`."""

    def scene(self, position: Position) -> Scene:
        """The picture of a position."""


class Judge(Protocol):
    """A game's `judge.py`."""

    def items(self, position: Position) -> list[Item]:
        """What makes up the scores of a position, player by player."""

    def read_paper(self, text: str, given: Mapping[str, object]) -> Position:
        """The position written on paper; raises BadPaper or BadParameter."""


@dataclass(frozen=True)
class Entry:
    """A game that can be played, by the name that people type."""

    id: str
    package: str  # the folder, as an importable name

    def __reduce__(self) -> tuple[object, ...]:
        return _named, (self.id,)

    @cached_property
    def rules(self) -> AnyRules:
        return games.rules(self.id, self.package)

    @cached_property
    def picture(self) -> Picture:
        return cast(Picture, games.part(self.id, self.package, "picture", {"scene"}))

    @cached_property
    def judge(self) -> Judge:
        return cast(Judge, games.part(self.id, self.package, "judge", {"items", "read_paper"}))

    @cached_property
    def capabilities(self) -> Capabilities:
        """What a solver may use of this game; nothing where the game has no `exact.py`."""
        return capabilities.found(self._optional("exact"))

    @cached_property
    def local_search(self) -> LocalSearch[AnyState] | None:
        """The game's `local_search.py`, where it is searched by changing a whole board and not move by move."""
        return cast(LocalSearch[AnyState] | None, self._optional("local_search", LocalSearch))

    @cached_property
    def images(self) -> Images[AnyState] | None:
        """The game's `images.py`, with the images that symmetries of the board make of a game, where it has one."""
        return cast(Images[AnyState] | None, self._optional("images", Images))

    @cached_property
    def planner(self) -> Planner[AnyState] | None:
        """The game's `plan.py`, where it is a solitaire with a way of its own to whole games from any position."""
        return cast(Planner[AnyState] | None, self._optional("plan", Planner))

    @cached_property
    def solve(self) -> OwnSolver[AnyState] | None:
        """The game's `solve.py`, where it has a way of its own to its best scores."""
        return cast(OwnSolver[AnyState] | None, self._optional("solve", OwnSolver))

    @cached_property
    def strategy(self) -> Strategy[AnyState] | None:
        """The game's `strategy.py`, with strategies that hold a value and that a certificate can rest on."""
        return cast(Strategy[AnyState] | None, self._optional("strategy", Strategy))

    @cached_property
    def goal(self) -> Goal | None:
        """The game's `goal.py`, with what the mover wants and is to do now, where it has one."""
        return cast(Goal | None, self._optional("goal", Goal))

    @cached_property
    def still_in(self) -> StillIn[AnyState] | None:
        """The game's `still_in.py`, with who is still in it, where players can be out before it's over."""
        return cast(StillIn[AnyState] | None, self._optional("still_in", StillIn))

    @cached_property
    def sheet(self) -> Sheet | None:
        """The game's `sheet.py`, with the board to be printed and written on, where that isn't the start's picture."""
        return cast(Sheet | None, self._optional("sheet", Sheet))

    @cached_property
    def kept(self) -> Kept[AnyState] | None:
        """The game's `kept.py`, with what moves are worth where the rules alone don't tell, where it has one."""
        return cast(Kept[AnyState] | None, self._optional("kept", Kept))

    @cached_property
    def by_hand(self) -> ByHand | None:
        """The game's `by_hand.py`, with which positions are set up click by click, where it has one."""
        return cast(ByHand | None, self._optional("by_hand", ByHand))

    @cached_property
    def observe(self) -> Observe[AnyState] | None:
        """The game's `observe.py`, with what programs that learn see of it, where it has one."""
        return cast(Observe[AnyState] | None, self._optional("observe", Observe))

    @cached_property
    def claims(self) -> ModuleType | None:
        """The game's `claims.py`, with what a checker of certificates has to know, where it has one."""
        return self._optional("claims")

    @cached_property
    def second(self) -> ModuleType | None:
        """The game's `second.py`, with a second way to what is proven, where it has one."""
        return self._optional("second")

    @cached_property
    def sensible(self) -> Sensible[AnyState] | None:
        """The game's `sensible.py`: its rules with fewer legal moves, none of them lost that could be the best."""
        return cast(Sensible[AnyState] | None, self._optional("sensible", Sensible))

    @cached_property
    def patterns(self) -> Patterns[AnyState] | None:
        """The game's `patterns.py`, with what of a position an evaluation is learned from."""
        return cast(Patterns[AnyState] | None, self._optional("patterns", Patterns))

    @cached_property
    def random_end(self) -> RandomEnd[AnyState] | None:
        """The game's `random_end.py`: a random end of the game without playing it move by move."""
        return cast(RandomEnd[AnyState] | None, self._optional("random_end", RandomEnd))

    @cached_property
    def terms(self) -> FirstTerms | None:
        """The game's `terms.py`, a program for readers that computes first terms of its sequences, where it has one."""
        return cast(FirstTerms | None, self._optional("terms", FirstTerms))

    @cached_property
    def text_of_terms(self) -> str:
        """The text of that program; empty where there is none."""
        file = importlib.resources.files(self.package).joinpath("terms.py")
        return "" if self.terms is None else file.read_text(encoding="utf-8")

    @cached_property
    def lesson(self) -> Lesson | None:
        """The game's `lesson.toml`, checked, where it has one. Raises BrokenRules."""
        try:
            file = importlib.resources.files(self.package).joinpath("lesson.toml")
            if not file.is_file():
                return None
            found = tomllib.loads(file.read_text(encoding="utf-8"))
        except Exception as error:  # reading it imports the folder, which can raise anything
            raise BrokenRules(f"The lesson of {self.id} can't be read: {one_line(error)}.") from error
        try:
            return read_lesson(found)
        except BrokenRules as error:
            raise BrokenRules(f"The lesson of {self.id} can't be used: {error}") from None

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """The game's `facts.toml`, checked: title, author, rules, samples and more. Raises BrokenRules."""
        try:
            file = importlib.resources.files(self.package).joinpath("facts.toml")
            facts = tomllib.loads(file.read_text(encoding="utf-8"))
        except Exception as error:  # reading them imports the folder, which can raise anything
            raise BrokenRules(f"The facts of {self.id} can't be read: {one_line(error)}.") from error
        missing = sorted({"title", "author", "date", "source", "summary", "rules"} - facts.keys())
        if missing:
            raise BrokenRules(f"The facts of {self.id} have no {' and no '.join(missing)}.")
        try:
            check_facts(facts)
        except BrokenRules as error:
            raise BrokenRules(f"The facts of {self.id} can't be used: {error}") from None
        return facts

    @property
    def title(self) -> str:
        return Message(self.facts["title"], {})

    @property
    def short_title(self) -> str:
        """What the site calls the game, and whoever has little room."""
        return Message(self.facts.get("short", self.facts["title"]), {})

    @property
    def wish(self) -> str:
        """What each of three or more players does who plays perfectly, as words after `each`."""
        found = score_facts(self.facts).wish
        return Message(found, {}) if found else say("wants the best result")

    def parameter_name(self, parameter: AnyParameter) -> str:
        """What people call a parameter: `side of the grid`."""
        found = parameter_facts(self.facts).get(parameter.name)
        return Message(found.name if found else parameter.meaning, {})

    def parameters_said(self, values: Mapping[str, object]) -> Message:
        """What a game with these parameters is like: `8 by 8, 2 players`."""
        known = parameter_facts(self.facts)
        parts = []
        for parameter in self.rules.PARAMETERS:
            if parameter.name in values:
                value = str(values[parameter.name])
                shown = known[parameter.name].shown if parameter.name in known else f"{parameter.meaning}: {{value}}"
                said = called(value) if isinstance(parameter, TermsParameter) else value
                parts.append(Message(shown, {"value": said if len(value) <= LONGEST else f"{value[:21]}..."}))
        return joined(parts)

    @property
    def author(self) -> str:
        """Who thought the game up."""
        return cast(str, self.facts["author"])

    @property
    def year(self) -> int:
        """When the game was published."""
        return cast(date, self.facts["date"]).year

    def _optional(self, name: str, kind: type[object] = object) -> ModuleType | None:
        """A module of the folder with all that this capability needs, where it has one of this name."""
        return games.optional_part(self.id, self.package, name, set(capabilities.names(kind)))


def ids() -> Sequence[str]:
    """The names of all games, in alphabetical order."""
    return sorted(games.folders())


def get(id: str) -> Entry:
    """The game of this name; raises UnknownGame."""
    folders = games.folders()
    if not isinstance(id, str) or id not in folders:
        raise UnknownGame(
            say(
                "There is no game {id}; the games are {folders}.",
                id=shown(id),
                folders=", ".join(sorted(folders)),
            )
        )
    if id not in _entries:
        _entries[id] = Entry(id, folders[id])
    return _entries[id]


def _named(id: str) -> Entry:
    """The entry that was pickled, looked up where it is read."""
    return get(id)


def playable() -> Iterator[Entry]:
    """The games whose rules, facts and lesson can be read. A broken game of another package must not spoil a list."""
    return (entry for id in ids() if (entry := find(id)) is not None)


def find(id: str) -> Entry | None:
    """The game of this name; None where there is none, or its rules, facts or lesson can't be read."""
    try:
        entry = get(id)
        _ = entry.rules, entry.facts, entry.lesson
    except (BrokenRules, UnknownGame):
        return None
    return entry


def authors() -> list[str]:
    """Who thought up the games that can be played, each once."""
    return list(dict.fromkeys(entry.author for entry in playable()))


_entries: dict[str, Entry] = {}
