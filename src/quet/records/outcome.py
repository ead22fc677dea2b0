"""How a game ended, as a sentence: the only place that words a result.

    Ann wins: 36-122, and the lower score wins.
    You lose against the computer (level 3): you resigned.

It names people where their names are known, speaks to its reader where the reader is one of the players, and asks the
rules which scores are better.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..core.messages import Message, capital, joined, listed, say
from ..core.numbers import integer_text
from ..game import Game

NOT_NAMES = ("", "?", "person")  # what stands in records and seats where nobody has given a name

# How a record tells these ends. Its text is all that there is of a game that was read from a file.
_RESIGNED = re.compile(r"player ([1-9][0-9]?) resigned")
_OUT_OF_TIME = re.compile(r"the time of player ([1-9][0-9]?) has run out|player ([1-9][0-9]?) ran out of time")
_CALLED_OFF = re.compile(r"player ([1-9][0-9]?) called the game off")


def outcome(
    game: Game,
    winners: Sequence[int],
    *,
    reason: str = "",
    names: Mapping[int, str] | None = None,
    reader: int = 0,
    between: str = "-",
) -> Message:
    """How a game ended, as a sentence.

    `reason` says how it ended if its rules didn't end it. `names` has the names of players as records and seats have
    them, also those of computer players, such as `level:3`. `reader` is the player who reads it, 0 for anybody.
    `between` stands between the scores.
    """
    if game.num_players == 1:
        return _alone(game, reason)
    called = Names(names or {})
    how = _why(reason, called, reader) if reason else _scores(game, between)
    others = [player for player in winners if player != reader]
    if not winners:
        return say("Nobody wins: {how}.", how=how)
    if reader in winners:
        if not others:
            return say("You win: {how}.", how=how)
        if len(others) > 1:
            return say("You, {names} share the win: {how}.", names=called.listed(others), how=how)
        return say("You and {name} share the win: {how}.", name=called.called(others[0]), how=how)
    if len(others) == 1:
        if reader:
            return say("You lose against {name}: {how}.", name=called.called(others[0]), how=how)
        return say("{name} wins: {how}.", name=called.called(others[0], is_first=True), how=how)
    if reader:
        return say("You lose against {names}, who share the win: {how}.", names=called.listed(others), how=how)
    return say("{names} share the win: {how}.", names=called.listed(others, is_first=True), how=how)


def resigned(player: int) -> Message:
    """The reason of a game that a player gave up."""
    return say("{name} resigned", name=_player_called(player))


def out_of_time(player: int) -> Message:
    """The reason of a game in which a player's time ran out."""
    return say("the time of {name} has run out", name=_player_called(player))


def called_off(player: int | None) -> Message:
    """The reason of a game that a player called off before it began, or nobody did."""
    if player is None:
        return say("the game was called off")
    return say("{name} called the game off", name=_player_called(player))


def computer_called(computer: str, *, is_first: bool = False) -> Message:
    """A computer player, by the name in seats and records: `the computer (level 3)`; `is_first` in a sentence."""
    kind, _, level = computer.partition(":")
    if level == "perfect":
        return say("The computer (perfect once solved)") if is_first else say("the computer (perfect once solved)")
    if kind == "level":
        return (
            say("The computer (level {level})", level=level)
            if is_first
            else say("the computer (level {level})", level=level)
        )
    return say("The computer (at random)") if is_first else say("the computer (at random)")


def _player_called(player: int, *, is_first: bool = False) -> Message:
    return say("Player {player}", player=player) if is_first else say("player {player}", player=player)


@dataclass(frozen=True)
class Names:
    """What players are called in a sentence."""

    given: Mapping[int, str]

    def called(self, player: int, *, is_first: bool = False) -> Message:
        """The player's name, with the number where another has the same; `is_first` in the sentence."""
        name = self.given.get(player, "")
        if name in NOT_NAMES:
            return _player_called(player, is_first=is_first)
        if name == "random" or re.fullmatch("level:[a-z0-9]+", name):
            what = computer_called(name, is_first=is_first)
        else:
            what = joined([capital(name) if is_first else name])
        is_shared = list(self.given.values()).count(name) > 1
        return say("{name} (player {player})", name=what, player=player) if is_shared else what

    def listed(self, players: Sequence[int], *, is_first: bool = False) -> Message:
        """The names of these players, in a list."""
        return listed([self.called(player, is_first=is_first and not i) for i, player in enumerate(players)])


def _scores(game: Game, between: str) -> Message:
    scores = between.join(integer_text(score) for score in game.scores)
    if not game.rules.LOWER_IS_BETTER:
        return joined([scores])
    if game.num_players == 2:
        return say("{scores}, and the lower score wins", scores=scores)
    return say("{scores}, and the lowest score wins", scores=scores)


def _why(reason: str, names: Names, reader: int) -> Message:
    """The reason, with the names of those whom it is about."""
    if found := _RESIGNED.fullmatch(reason):
        player = int(found[1])
        return say("you resigned") if player == reader else say("{name} resigned", name=names.called(player))
    if found := _OUT_OF_TIME.fullmatch(reason):
        player = int(found[found.lastindex or 0])
        if player == reader:
            return say("your time has run out")
        return say("the time of {name} has run out", name=names.called(player))
    if found := _CALLED_OFF.fullmatch(reason):
        player = int(found[1])
        if player == reader:
            return say("you called the game off")
        return say("{name} called the game off", name=names.called(player))
    return reason if isinstance(reason, Message) else joined([reason])


def _alone(game: Game, reason: str) -> Message:
    """How a solitaire ended."""
    score = integer_text(game.scores[0])
    if _RESIGNED.fullmatch(reason):
        return say("Given up at a score of {score}.", score=score)
    if _OUT_OF_TIME.fullmatch(reason):
        return say("The time ran out at a score of {score}.", score=score)
    if reason:
        return say("Ended at a score of {score}: {reason}.", score=score, reason=reason)
    if game.rules.LOWER_IS_BETTER:
        return say("The final score is {score}; the lower, the better.", score=score)
    return say("The final score is {score}.", score=score)
