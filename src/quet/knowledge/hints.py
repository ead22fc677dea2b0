"""A hint: a good move in a position, what it is worth, and how that is known."""

import contextlib
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import SupportsIndex

from ..core.arguments import MOST_SEED, integer
from ..core.arguments import seconds as check_seconds
from ..core.clock import clock
from ..core.errors import NotCompiled
from ..core.messages import joined, say
from ..draw.scene import signed
from ..game import Game, check_game, check_going_on
from .ask import ask
from .known import Budget, Known
from .search import search_for
from .worth import (
    LONGEST_LINE,
    UNKNOWN,
    Value,
    best_score,
    is_cut,
    known_words,
    line_text,
    not_above,
    reachable_words,
    score_text,
    share_found,
    solved,
    supposed_words,
    within_bounds,
)

MOST_SECONDS = 3600.0  # that a hint may take
MOST_TOLD = 50  # hints of a session that are remembered, the last ones
MOST_ITEMS = 2  # of what a move makes, that are told
NOTHING = Budget(0.0)
OF_KNOWLEDGE = 0.5  # the part of the time in which the sources of knowledge have to answer


@dataclass(frozen=True)
class Hint:
    """A good move, with its worth and the best continuation."""

    move: str  # as text
    worth: str  # in words: `about 62 % of the win (search, 900 games)`, `a win by 4 (proven: table)`
    line: Sequence[str]  # the best continuation found, `move` first
    is_plain: bool = False  # found in plain Python, by a shorter look, as the search isn't compiled yet
    how: str = ""  # how the worth is known: `proven: table`, `search, 900 games`
    why: str = ""  # what the move does, as a sentence in the game's own terms; empty where nothing is to be said
    supposed: str = ""  # what the worth supposes beyond the rules, as a sentence; empty where it supposes nothing
    reachable: str = ""  # in a solitaire: which score can still be reached, as a sentence
    value: Value = UNKNOWN  # in a solitaire: this score
    is_cut: bool = False  # whether the game goes on after the line

    @property
    def sentence(self) -> str:
        """All of it: `Hint: e3, a draw (proven: table). After it: row 3 (2,1): good. Expected: e3 d4 d5.`"""
        found = say("Hint: {move}, {worth}.", move=signed(self.move), worth=self.worth)
        if self.why:
            found = joined([found, self.why], " ")
        if len(self.line) > 1:
            found = say("{hint} Expected: {line}.", hint=found, line=line_text(self.line, is_cut=self.is_cut))
        if self.supposed:
            found = joined([found, self.supposed], " ")
        if self.is_plain:
            return say("{hint} It comes from a short look, as the search is still being compiled.", hint=found)
        return found


def hint(
    game: Game, *, seconds: float = 1.0, seed: SupportsIndex | None = None, stop: threading.Event | None = None
) -> Hint:
    """A good move for the mover, found in so many seconds; `stop` ends the search early.

    What is proven is said at once. Raises IllegalMove when the game is over, BadParameter, and TooLarge when the search
    lacks memory.
    """
    check_game(game)
    limit = check_seconds(say("The time"), seconds, MOST_SECONDS)
    number = None if seed is None else integer(say("The seed"), seed, 0, MOST_SEED)
    check_going_on(game)
    begun = clock()
    budget, is_plain = Budget(limit * OF_KNOWLEDGE, stop=stop), False
    try:
        known = ask(game, budget)
    except NotCompiled:
        is_plain = True
        known = ask(game, replace(budget, is_plain=True))
    if known is not None and known.is_settled:
        return _of_known(game, known, until=begun + limit, budget=budget)
    left = max(limit * (1.0 - OF_KNOWLEDGE), limit - (clock() - begun))
    try:
        findings = search_for(game, seed=number, is_plain=is_plain, is_strongest=True).run(seconds=left, stop=stop)
    except NotCompiled:
        is_plain = True
        findings = search_for(game, seed=number, is_plain=True, is_strongest=True).run(seconds=left, stop=stop)
    if known is not None and known.outweighs(findings):
        return _of_known(game, known)
    line = [game.rules.move_text(game.state, move) for move in findings.line]
    value = (
        share_found(findings, game.num_players) if game.num_players > 1 else within_bounds(best_score([findings]), game)
    )
    if known is not None and game.num_players == 2:
        value = not_above(value, known)
    move = game.rules.move_text(game.state, findings.move)
    why, reachable = _what_it_makes(game, move), _reachable(game, value, is_all=value.is_exact)
    score = value if game.num_players == 1 else UNKNOWN
    worth, cut = reachable_words(value, game), is_cut(game, line)
    return Hint(move, worth, line, is_plain, value.how, why, reachable=reachable, value=score, is_cut=cut)


class Hints:
    """The hints of a session. In a solitaire none falls below an earlier one, as two searches find different games.

    The game that a hint found is remembered, for all positions through which it goes. Thread-safe.

    >>> import quet
    >>> game, hints = quet.new("up-and-up", n=3), Hints()
    >>> hints.hint(game).reachable
    'Still reachable: 9, and nothing better (proven: no score is better).'
    """

    def __init__(self) -> None:
        # Each with the hashes of the positions through which its game goes, from that of the hint on.
        self._told: deque[tuple[list[int], Hint]] = deque(maxlen=MOST_TOLD)

    def hint(self, game: Game, *, seconds: float = 1.0, stop: threading.Event | None = None) -> Hint:
        """As the function `hint`, or what has been told of this position before if that is better."""
        found = hint(game, seconds=seconds, stop=stop)
        if game.num_players > 1:
            return found
        here = hash(game)
        for places, told in list(self._told):
            if here in places and _is_better(told.value, found.value):
                rest = told.line[places.index(here) :]
                found = replace(told, move=rest[0], line=rest, why=_what_it_makes(game, rest[0]))
        self._told.append((_places(game, found.line), found))
        return found


def _places(game: Game, line: Sequence[str]) -> list[int]:
    """The hashes of this position and of those on the line; of this alone where the line isn't told to the end."""
    at = game.copy()
    places = [hash(at)]
    for move in line:
        at.play(move)
        places.append(hash(at))
    return places if at.is_over else places[:1]


def _is_better(one: Value, other: Value) -> bool:
    """Whether the first of two scores that can be reached is better, or as good and proven to be the best."""
    return one.is_known and (one.amount, one.is_exact) > (other.amount, other.is_exact)


def _of_known(game: Game, known: Known, *, until: float = 0.0, budget: Budget = NOTHING) -> Hint:
    """The hint that needs no search; `until` is how long it may look for what comes after the move."""
    move = known.moves[0]
    reachable, value = "", UNKNOWN
    if known.low is not None and game.num_players == 1:
        value = replace(solved(game, known.low, known.grounds), is_exact=known.is_exact)
        reachable = _reachable(game, value, is_all=known.is_exact)
    line = known.line or _best_line(game, move, until, budget)
    worth, why = known_words(known, game, move), known.why or _what_it_makes(game, move)
    supposed, how, cut = supposed_words(known, game), known.grounds.text, is_cut(game, line)
    return Hint(move, worth, line, how=how, why=why, supposed=supposed, reachable=reachable, value=value, is_cut=cut)


def _best_line(game: Game, move: str, until: float, budget: Budget) -> Sequence[str]:
    """The move, and what comes after it where that is known at once too."""
    later = game.after(move)
    while not later.is_over and later.ply - game.ply < LONGEST_LINE and clock() < until:
        with contextlib.suppress(NotCompiled):
            known = ask(later, replace(budget, seconds=min(budget.seconds, until - clock())))
            if known is not None and known.is_settled:
                later.play(known.moves[0])
                continue
        break
    return later.moves[game.ply :]


def _what_it_makes(game: Game, move: str) -> str:
    """What counts after the move and didn't before, as the judge says it: the mover's first, and points first."""
    before = {(item.player, item.words) for item in game.items}
    new = [item for item in game.after(move).items if (item.player, item.words) not in before]
    new.sort(key=lambda item: (item.player != game.mover, -item.points))
    return say("After it: {items}.", items=joined([item.words for item in new[:MOST_ITEMS]], "; ")) if new else ""


def _reachable(game: Game, value: Value, *, is_all: bool) -> str:
    """The score that a solitaire can still reach, as a sentence; `is_all` if none is better."""
    if game.num_players > 1:
        return ""
    words = {"score": score_text(value, game), "how": value.how}
    if is_all:
        return say("Still reachable: {score}, and nothing better ({how}).", **words)
    if game.rules.LOWER_IS_BETTER:
        return say("Still reachable: at most {score} ({how}).", **words)
    return say("Still reachable: at least {score} ({how}).", **words)
