"""The game of the day: one solitaire for everybody, which follows from the date (UTC) and nothing else.

The games that can be chosen stand in the facts of the games, as `[[daily]]`. For each of them a hash of the date and of
its parameters is made, and the least hash is chosen. Left out are the game of the day before, if there is another, and
whatever was played on one of the last REST days. What is added to the facts later must say from which day on it counts,
so that the games of all days before stay what they were.
"""

import hashlib
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache

from .. import catalog, games
from ..core.errors import QuetError
from ..core.facts import DailyFacts, daily_facts
from ..core.messages import Message, joined, say
from ..game import Game, new

FIRST = date(2026, 11, 23)  # the first day
REST = 5  # days for which the same size of the same game isn't played again
LONGEST_WORD = 20  # characters of a parameter's value in the result that is sent to others
STEPS = 8  # signs of the row that shows a result
DAY = timedelta(days=1)
_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


class NoDay(QuetError):
    """There is no game of this day."""


@dataclass(frozen=True)
class Daily:
    """The game of a day."""

    day: date
    game_id: str
    parameters: Mapping[str, int | str]
    best: int  # the best score possible, proven

    def game(self) -> Game:
        """The game at its beginning."""
        return new(self.game_id, **self.parameters)

    @property
    def entry(self) -> catalog.Entry:
        return catalog.get(self.game_id)

    @property
    def title(self) -> Message:
        """The game and its parameters: `Up And Up, Grid Solitaire, n = 6`."""
        return self._titled([f"{name} = {value}" for name, value in self.parameters.items()])

    def _titled(self, words: Sequence[str]) -> Message:
        return joined([Message(self.entry.title, {}), *words], ", ")

    def share(self, score: int) -> float:
        """What part of the best score this one is, from 0 to 1."""
        low, high = (self.best, score) if self.entry.rules.LOWER_IS_BETTER else (score, self.best)
        return low / high if high > 0 else 0.0

    def percent(self, score: int) -> int:
        """The same in percent, rounded down, so that only the best score has 100."""
        return int(100 * self.share(score) + 1e-9)

    def proportion(self, score: int) -> Message:
        """How good a score is, as a sentence: `8 of 15 possible (proven).`"""
        return joined([say("{score} of {best} possible (proven)", score=score, best=self.best), "."], "")

    def result(self, score: int, streak: int, *, is_puzzle_solved: bool = False) -> Message:
        """A result in three lines to send to others; it gives nothing of game and puzzle away.

        What is long to write, as the terms of a sequence, is left out: the day says it too.
        """
        short = {name: value for name, value in self.parameters.items() if len(str(value)) <= LONGEST_WORD}
        title = self._titled([self.entry.parameters_said(short)] if short else [])
        filled = min(STEPS, int(STEPS * self.share(score) + 1e-9))
        head = joined([say("Quet daily"), self.day.isoformat()], " ")
        line = say("{score} of {best} · {percent} %", score=score, best=self.best, percent=self.percent(score))
        if is_puzzle_solved:
            line = joined([line, say("puzzle solved")], " · ")
        if streak:
            line = joined([line, say("streak {number}", number=streak)], " · ")
        return joined([joined([head, title], " · "), line, "●" * filled + "○" * (STEPS - filled)], "\n")


def today(now: float) -> date:
    """The day in UTC, where `now` is in seconds since 1970."""
    return datetime.fromtimestamp(now, UTC).date()


def read_day(text: str, now: date) -> date:
    """The day that a text like 2026-12-24 names. Raises NoDay unless it lies between FIRST and `now`."""
    try:
        found = date.fromisoformat(text if _DAY.fullmatch(text) else "")
    except ValueError:
        raise NoDay(say("A day is written as in {example}.", example=now.isoformat())) from None
    return checked_day(found, now)


def checked_day(day: date, now: date) -> date:
    """The day, if it has a game by now; raises NoDay."""
    if day > now:
        raise NoDay(say("The game of {day} isn't there yet; today is {today} (UTC).", day=day, today=now))
    number_of(day)
    return day


def number_of(day: date) -> int:
    """How many days a day is after FIRST; raises NoDay before FIRST."""
    if day < FIRST:
        raise NoDay(say("The first game of a day was on {first}.", first=FIRST))
    return (day - FIRST).days


def daily(day: date) -> Daily:
    """The game of a day from FIRST on, also of a day to come. Raises NoDay before FIRST."""
    number = number_of(day)
    with _choosing:
        while len(_chosen) <= number:
            _chosen.append(_choice(FIRST + len(_chosen) * DAY, _chosen[-REST:]))
        found = _chosen[number]
    return Daily(day, found.game_id, found.facts.parameters, found.facts.best)


@dataclass(frozen=True)
class _Candidate:
    game_id: str
    facts: DailyFacts

    @property
    def text(self) -> str:
        return " ".join([self.game_id, *(f"{name}={value}" for name, value in self.facts.parameters.items())])


_chosen: list[_Candidate] = []  # from FIRST on
_choosing = threading.Lock()


@cache
def _candidates() -> Sequence[_Candidate]:
    """What the facts of the games that come with Quet offer."""
    return [_Candidate(id, facts) for id in games.own_ids() for facts in daily_facts(catalog.get(id).facts)]


def _choice(day: date, before: Sequence[_Candidate]) -> _Candidate:
    """The game of a day after the games of the last days."""
    there = [one for one in _candidates() if one.facts.since is None or one.facts.since <= day]
    fresh = [one for one in there if one not in before] or there
    other = [one for one in fresh if not before or one.game_id != before[-1].game_id] or fresh
    return min(other, key=lambda one: hashlib.sha256(f"{day} {one.text}".encode()).digest())


def streak(days: Sequence[date], now: date) -> int:
    """How many days in a row were finished until today, or until yesterday while today's game can still be played.

    `days` are those that were finished, the latest first, each once.
    """
    number, wanted = 0, now
    for day in days:
        if day == now - DAY:
            wanted = day
        if day != wanted:
            break
        number, wanted = number + 1, wanted - DAY
    return number
