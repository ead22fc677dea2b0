"""One game in progress: moves, taking back, offers, resigning and running out of time.

A Match is a value: it never changes, and it knows neither a database nor a wall clock. An event is something that
happened, with its time as a number, and `after(event)` is the match that follows. So a match is a fold over its events.
The terminal, line mode and the site all play by it.

`move`, `undo`, `offer_draw` and the like make an event: they check whether it may happen, and raise an error with a
sentence if it may not. `after` trusts its event, so that a database can keep events. `held` is always the players for
whom one person acts; there are several if people share a screen.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..core.errors import IllegalMove, NotYourTurn
from ..core.messages import joined, say
from ..game import Game
from ..records.outcome import called_off, out_of_time, resigned
from ..records.record import Termination
from .clock import Clock, Times
from .events import (
    Accepted,
    Begun,
    CalledOff,
    Declined,
    Event,
    Moved,
    Offered,
    PlayedAgain,
    Resigned,
    TimeFell,
    TookBack,
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A draw, or taking moves back, that a player has offered and those in `asked` have not yet agreed to."""

    kind: str  # draw or undo
    by: int
    asked: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Match:
    """A game in progress. Make one by `Match.of`.

    >>> import quet
    >>> match = Match.of(quet.new("palindromes", m=4), [Begun(0.0)], clock=Clock(60.0))
    >>> later = match.after(match.move([1], "1=0", at=10.0))
    >>> later.game.moves, later.mover, later.clock_left(1, now=15.0), later.clock_left(2, now=15.0)
    (['1=0'], 2, 50.0, 55.0)
    >>> later.after(later.undo([1, 2], at=20.0)).game.moves, later.game.moves
    ([], ['1=0'])
    """

    game: Game  # after all moves that stand; it must not be changed
    computers: frozenset[int] = frozenset()  # the players that are computer players
    times: Times | None = None  # None without a clock
    has_begun: bool = False
    plies: tuple[tuple[int, str], ...] = ()  # player and text of each move that stands
    taken_back: tuple[tuple[int, str], ...] = ()  # player and text of the moves that can be played again
    stand_ins: tuple[tuple[int, str], ...] = ()  # ply, from 1, and `Moved.stand_in` of moves, also of those taken back
    offer: Offer | None = None
    refused: frozenset[tuple[str, int]] = frozenset()  # kind and player of the offers declined since the last move
    termination: Termination | None = None  # how the game ended, if its rules didn't end it
    ended_at: float | None = None  # when an event ended it; None if its rules did, or it had ended when it was given
    out_of_time: int | None = None  # the player whose time ran out

    @classmethod
    def of(
        cls,
        game: Game,
        events: Iterable[Event] = (),
        *,
        computers: Iterable[int] = (),
        clock: Clock | None = None,
        termination: Termination | None = None,
    ) -> "Match":
        """The match that continues this game, after the events. The game isn't changed.

        The first turn begins with the event `Begun`; no clock runs before. `termination` says how the game has ended
        already, if it has. Raises as `Game.play` if an event has a move that is not legal.
        """
        computers = frozenset(computers)
        times = Times.at_start(clock, game.num_players, computers, at=0.0) if clock is not None else None
        start = cls(game.copy(), computers, times, plies=tuple(game.plies()), termination=termination)
        match = start
        run: list[Moved] = []  # folded at once, as a copy of the match for each move would cost more than the moves
        for event in events:
            if isinstance(event, Moved):
                run.append(event)
                continue
            match, run = match._after_moves(run, match.game)._folded(event), []
        match = match._after_moves(run, match.game)
        return match._with(_continued(start, match.plies))  # played once, however often moves were taken back

    def after(self, event: Event) -> "Match":
        """The match after one event more."""
        if isinstance(event, Moved) and event.number is not None:
            game = self.game.copy()
            game._push(event.number)  # it has been read and checked
            return self._after_moves([event], game)._with(game)
        match = self._folded(event)
        return match._with(match.game if match.plies == self.plies else _continued(self, match.plies))

    # The state.

    @property
    def is_over(self) -> bool:
        return self.termination is not None or (self.has_begun and self.game.is_over)

    @property
    def mover(self) -> int | None:
        """The player to move; None before the game begins and when it is over."""
        return self.game.mover if self.has_begun and self.termination is None else None

    @property
    def winners(self) -> list[int]:
        """The winners, several if they share the win; empty while playing, and if nobody wins."""
        if not self.is_over:
            return []
        return list(self.termination.winners) if self.termination else self.game.winners

    @property
    def is_computer_to_move(self) -> bool:
        return self.mover in self.computers

    def stand_in(self, ply: int) -> str:
        """Who chose the move of this ply, from 1, in the place of a computer player; empty where it chose itself."""
        return dict(self.stand_ins).get(ply, "")

    def clock_left(self, player: int, now: float) -> float | None:
        """The seconds that the player has left now, or had when the match ended; None without a clock."""
        if self.times is None:
            return None
        if player == self.out_of_time:
            return 0.0  # also where a first move took too long, which costs no time
        if self.ended_at is not None:
            return self.times.seconds_left(player, self.ended_at, is_mover=player == self.game.mover)
        return self.times.seconds_left(player, now, is_mover=player == self.mover)

    @property
    def deadline(self) -> float | None:
        """When the time of the player to move runs out; None if no clock runs."""
        mover = self.mover
        return None if self.times is None or mover is None else self.times.deadline(mover)

    def undo_count(self, held: Sequence[int]) -> int:
        """How many moves go back to before the last one by any of these players; 0 if they have not moved."""
        for count, (player, _) in enumerate(reversed(self.plies), 1):
            if player in held:
                return count
        return 0

    @property
    def persons(self) -> tuple[int, ...]:
        """The players that people play, also those who are out of the game."""
        return tuple(player for player in self.game.players if player not in self.computers)

    def others(self, held: Sequence[int]) -> tuple[int, ...]:
        """The players that other people play and that are still in the game."""
        return tuple(player for player in self.persons if player not in held and self.is_in([player]))

    def asked_to_undo(self, held: Sequence[int]) -> tuple[int, ...]:
        """The players whom these ask to take back: as `others`, and those who would be in the game again by it."""
        again = [player for player in self.in_again(held) if player in self.persons and player not in held]
        return tuple(sorted({*self.others(held), *again}))

    def in_again(self, held: Sequence[int]) -> tuple[int, ...]:
        """The players who would be in the game again if these took back."""
        if len(self.game.players_in) == self.game.num_players:
            return ()
        then = self.game.at(self.game.ply - self.undo_count(held)).players_in
        return tuple(player for player in then if not self.is_in([player]))

    def is_in(self, held: Sequence[int]) -> bool:
        """Whether any of these players is still in the game."""
        return any(player in held for player in self.game.players_in)

    @property
    def just_out(self) -> dict[int, str]:
        """The players whom the last move put out of a game that goes on, each with what the judge says of them."""
        left = self.game.players_in
        if self.is_over or not self.game.ply or len(left) == self.game.num_players:
            return {}
        out = [player for player in self.game.at(self.game.ply - 1).players_in if player not in left]
        items = self.game.items if out else []
        return {player: joined((item.words for item in items if item.player == player), "; ") for player in out}

    def can_offer_draw(self, held: Sequence[int]) -> bool:
        """Whether another person could agree to a draw, or one person plays for all who are still in the game."""
        could_agree = bool(self.others(held)) or not self._computers_in
        return self.game.num_players > 1 and self.is_in(held) and could_agree

    @property
    def _computers_in(self) -> list[int]:
        """The computer players that are still in the game, ascending."""
        return [player for player in self.game.players_in if player in self.computers]

    # Events that may happen.

    @property
    def why_over(self) -> str:
        """That the game is over, and how it was ended if its rules didn't end it, as a sentence."""
        if self.termination is None:
            return say("The game is over.")
        return say("The game is over: {reason}.", reason=self.termination.reason)

    def check_playing(self) -> None:
        """Raise IllegalMove when the game is over, and NotYourTurn when it has not begun."""
        if self.is_over:
            raise IllegalMove(self.why_over)
        if not self.has_begun:
            raise NotYourTurn(say("The game has not begun: a seat is still free."))

    def check_turn(self, held: Sequence[int]) -> int:
        """The player to move, who must be one of these; else raises NotYourTurn."""
        mover = self.mover
        if mover is None or mover not in held:
            if self.is_computer_to_move:
                raise NotYourTurn(say("It is the computer's turn."))
            raise NotYourTurn(say("It is not your turn."))
        return mover

    def check_computers_turn(self) -> int:
        """The computer player to move; raises IllegalMove if none is."""
        mover = self.mover
        if mover is None or mover not in self.computers:
            raise IllegalMove(say("No computer player is to move."))
        return mover

    def move(self, held: Sequence[int], text: str, at: float) -> Moved:
        """The event of a move as people type it, perhaps with blanks and capitals.

        Raises NotYourTurn, and IllegalMove or UnreadableMove as `Game.play`.
        """
        self.check_turn(held)
        return self.moved(self.game.read_typed(text), at)

    def computer_move(self, text: str, at: float, stand_in: str = "", expects: str = "") -> Moved:
        """The event of a computer player's move. Raises IllegalMove if none is to move, or as `Game.play`."""
        self.check_computers_turn()
        return replace(self.moved(self.game.read(text), at), stand_in=stand_in, expects=expects)

    def moved(self, number: int, at: float) -> Moved:
        """The event of a legal move by the player to move; `Game.read` has read and checked its number."""
        rules, state = self.game.rules, self.game.state
        return Moved(at, rules.mover(state), rules.move_text(state, number), number)

    def undo(self, held: Sequence[int], at: float) -> TookBack | Offered:
        """Take back the last move of these players and all that followed. Ask other people whom it concerns first.

        Raises IllegalMove if there is no such move, or if it can't be asked now.
        """
        count = self.undo_count(held)
        if not count:
            raise IllegalMove(say("There is no move of yours to take back."))
        player = self.plies[-count][0]
        asked = self.asked_to_undo(held)
        return self._offered("undo", player, held, asked, at) if asked else TookBack(at, player, count)

    def redo(self, at: float) -> PlayedAgain:
        """Play again the moves taken back, until a person is to move. Raises IllegalMove if there are none."""
        if not self.taken_back:
            raise IllegalMove(say("There is no move to play again."))
        game = self.game.copy()
        count = 0
        while count < len(self.taken_back) and (count == 0 or game.mover in self.computers):
            game.play(self.taken_back[count][1])
            count += 1
        return PlayedAgain(at, self.mover, count)

    def offer_draw(self, held: Sequence[int], at: float, *, asks_computers: bool = False) -> Offered:
        """Offer a draw; raises IllegalMove if that can't be done now.

        `asks_computers` asks the computer players as well. Without it they agree to no draw among themselves and one
        person.
        """
        if self.game.num_players == 1:
            raise IllegalMove(say("A game for one has no draw."))
        speaker = self.speaker(held)
        if not asks_computers and not self.can_offer_draw(held):
            raise IllegalMove(say("The computer agrees to no draw."))
        offered = self._offered("draw", speaker, held, self.others(held), at)
        return replace(offered, asked=(*offered.asked, *self._computers_in)) if asks_computers else offered

    def accept(self, held: Sequence[int], at: float) -> Accepted:
        """Agree to the offer, for all of these players who are asked. Raises IllegalMove if none is."""
        return Accepted(at, self._asked(held))

    def decline(self, held: Sequence[int], at: float) -> Declined:
        """Decline the offer, for all of these players who are asked. Raises IllegalMove if none is."""
        return Declined(at, self._asked(held))

    def resign(self, held: Sequence[int], at: float) -> Resigned:
        """Resign for one of these players, as `speaker` has it. Raises IllegalMove if all of them are out."""
        return Resigned(at, self.speaker(held))

    def time_fallen(self, now: float) -> TimeFell | None:
        """The event that the time of the player to move ran out, at the deadline; None while there is time."""
        deadline, mover = self.deadline, self.mover
        return TimeFell(deadline, mover) if deadline is not None and mover is not None and now >= deadline else None

    def speaker(self, held: Sequence[int]) -> int:
        """The one of these players in whose name a person acts: the one to move, or else the first still in the game.

        Raises IllegalMove if all of them are out.
        """
        mover = self.mover
        if mover is not None and mover in held:
            return mover
        for player in held:
            if self.is_in([player]):
                return player
        raise IllegalMove(say("You are out of the game already."))

    def ended(self, reason: str, at: float) -> "Match":
        """The match, ended for this reason. All who are still in the game share the win."""
        return self._ended(reason, at)._with(self.game)

    def _ended(self, reason: str, at: float, loser: int | None = None) -> "Match":
        """The match, ended for this reason; `_with` leaves out of the winners who wasn't in the game any more."""
        winners = tuple(player for player in self.game.players if player != loser)
        return replace(self, offer=None, termination=Termination(reason, winners), ended_at=at)

    def _with(self, game: Game) -> "Match":
        """The match with the game to which its events have led, and what follows from who is still in it."""
        offer, termination = self.offer, self.termination
        if offer is not None and offer.kind == "draw" and (game.is_over or offer.by not in game.players_in):
            offer = None
        if termination is not None and self.ended_at is not None:
            winners = tuple(player for player in termination.winners if player in game.players_in)
            termination = replace(termination, winners=winners)
        return replace(self, game=game, offer=offer, termination=termination)

    def _offered(self, kind: str, by: int, held: Sequence[int], asked: tuple[int, ...], at: float) -> Offered:
        if self.offer is not None:
            raise IllegalMove(say("There is an offer already that waits for an answer."))
        if any((kind, player) in self.refused for player in held):
            raise IllegalMove(say("This was declined; it can be offered again after the next move."))
        return Offered(at, by, kind, asked)

    def _asked(self, held: Sequence[int]) -> tuple[int, ...]:
        asked = tuple(player for player in held if self.offer is not None and player in self.offer.asked)
        if not asked:
            raise IllegalMove(say("There is no offer for you to answer."))
        return asked

    # What events do.

    def _folded(self, event: Event) -> "Match":
        """The match after the event, but still with the game before it."""
        match event:
            case Begun(at):
                return replace(self, has_begun=True, times=self.times and self.times.turn(at))
            case Moved():
                return self._after_moves([event], self.game)
            case TookBack(at, player, count):
                return self._without(count, at, player)
            case PlayedAgain(at, payer, count):
                again, rest = self.taken_back[:count], self.taken_back[count:]
                movers = [mover for mover, _ in again]
                return replace(
                    self,
                    plies=self.plies + again,
                    taken_back=rest,
                    times=self.times and self.times.after_turn(payer, at).with_increments(movers, 1),
                    offer=self.offer if self._stands_after(movers) else None,
                    refused=frozenset(),
                )
            case Offered(at, by, kind, asked):
                return replace(self, offer=Offer(kind, by, asked))._agreed(at)
            case Accepted(at, players) if self.offer is not None:
                rest_asked = tuple(player for player in self.offer.asked if player not in players)
                return replace(self, offer=replace(self.offer, asked=rest_asked))._agreed(at)
            case Declined() if self.offer is not None:
                return replace(self, offer=None, refused=self.refused | {(self.offer.kind, self.offer.by)})
            case Resigned(at, player):
                return self._ended(resigned(player), at, player)
            case TimeFell(at, player):
                return replace(self._ended(out_of_time(player), at, player), out_of_time=player)
            case CalledOff(_, caller):
                return replace(self, termination=Termination(called_off(caller)))
        return self

    def _after_moves(self, run: Sequence[Moved], game: Game) -> "Match":
        """The match after these moves, which lead to this game."""
        if not run:
            return self
        times = self.times
        if times is not None:
            for moved in run:
                times = times.after_move(moved.player, moved.at)
        return replace(
            self,
            game=game,
            times=times,
            plies=(*self.plies, *((moved.player, moved.text) for moved in run)),
            taken_back=(),
            stand_ins=(
                *(each for each in self.stand_ins if each[0] <= len(self.plies)),
                *((ply, moved.stand_in) for ply, moved in enumerate(run, len(self.plies) + 1) if moved.stand_in),
            ),
            offer=self.offer if self._stands_after(moved.player for moved in run) else None,
            refused=frozenset(),
        )

    def _stands_after(self, movers: Iterable[int]) -> bool:
        """Whether the offer stands after moves of these: one of a draw does until somebody who is asked moves."""
        offer = self.offer
        return offer is not None and offer.kind == "draw" and all(mover not in offer.asked for mover in movers)

    def _without(self, count: int, at: float, payer: int | None = None) -> "Match":
        """The match without its last moves.

        The payer, who takes back alone, pays for the time of the turn. If players agreed on it, nobody pays.
        """
        kept, gone = self.plies[: len(self.plies) - count], self.plies[len(self.plies) - count :]
        times = self.times
        if times is not None:
            times = times.after_turn(payer, at).with_increments((player for player, _ in gone), -1)
        back = gone + self.taken_back
        return replace(self, plies=kept, taken_back=back, times=times, offer=None, refused=frozenset())

    def _agreed(self, at: float) -> "Match":
        """The match; if nobody is left to be asked, the offer takes effect."""
        offer = self.offer
        if offer is None or offer.asked:
            return self
        if offer.kind == "undo":
            return self._without(self.undo_count([offer.by]), at)
        return self._ended(say("a draw by agreement"), at)


def _continued(match: Match, plies: Sequence[tuple[int, str]]) -> Game:
    """The game after these moves. The moves that it shares with the match's game are not read again."""
    common = 0
    for before, after in zip(match.plies, plies, strict=False):
        if before != after:
            break
        common += 1
    game = match.game.at(common)
    for _, text in plies[common:]:
        game.play(text)
    return game
