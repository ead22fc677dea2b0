"""Games as visitors set them up: checks the set-up, and makes the rows to be written."""

import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .. import catalog
from ..core.errors import BadParameter
from ..core.messages import say
from ..core.parameters import read_parameters
from ..game import Game
from ..players.player import PLAYERS
from .errors import BadForm
from .storage.schema import GameRow, SeatRow

CLOCKS = ("none", "live", "days")
LONGEST_PARAMETERS = 20_000  # characters of all values together
LONGEST_CLOCK = {"none": 0.0, "live": 24 * 3600.0, "days": 60 * 86400.0}  # seconds
LONGEST_INCREMENT = 600.0


@dataclass(frozen=True)
class SeatPlan:
    """Who is to sit in a seat: `me`, `link` (whoever has the link), `open` (anybody) or a computer player's name."""

    who: str = "me"
    name: str = ""  # shown; only for `me`


@dataclass(frozen=True)
class SetUp:
    """A game to be created; parameters as people type them. Seats not given are the creator's.

    `start` is trusted: it is a record of this game with these parameters that isn't over.
    """

    game: str
    parameters: dict[str, str]
    seats: tuple[SeatPlan, ...] = ()
    clock: str = "none"
    clock_seconds: float = 0.0
    clock_increment: float = 0.0
    is_public: bool = False
    start: str = ""  # the record of a game that is played on; empty for a game from its beginning


def new_id() -> str:
    """22 random characters (128 bits) for a link that nobody can guess.

    None begins with `-`, since a command would take it for an option.
    """
    while (made := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return made


def planned(set_up: SetUp, visitor: str, now: float, race: str | None) -> tuple[GameRow, list[SeatRow]]:
    """The rows of a new game that this visitor creates.

    Raises UnknownGame, BadParameter, and BadForm for a seat, a clock or a race that is invalid.
    """
    entry = catalog.get(set_up.game)
    values = read_parameters(entry.rules.PARAMETERS, set_up.parameters, files=False)
    parameters = {name: str(value) for name, value in values.items()}
    check_length(parameters)
    num_players = Game(entry, values).num_players
    if race is not None and num_players != 1:
        raise BadForm(say("Only games for one can be raced."))
    _check_clock(set_up)
    row = GameRow(
        id=new_id(),
        game=entry.id,
        rules_version=entry.rules.VERSION,
        parameters=parameters,
        num_players=num_players,
        is_public=set_up.is_public,
        clock=set_up.clock,
        clock_seconds=set_up.clock_seconds,
        clock_increment=set_up.clock_increment,
        seed=random.getrandbits(31),
        creator=visitor,
        race=race,
        rematch=None,
        created_at=now,
        changed_at=now,
        start=set_up.start,
    )
    return row, _seats(set_up.seats, num_players, visitor)


def check_length(parameters: Mapping[str, str]) -> None:
    """Raise BadParameter where these parameters are very long, as terms of a sequence are that a few words describe."""
    if sum(map(len, parameters.values())) > LONGEST_PARAMETERS:
        raise BadParameter(
            say(
                "The parameters are longer than {longest_parameters} characters.", longest_parameters=LONGEST_PARAMETERS
            )
        )


def anew(row: GameRow, visitor: str, now: float, race: str | None = None) -> GameRow:
    """The row of a new game with the same parameters and clock."""
    return replace(
        row,
        id=new_id(),
        rules_version=catalog.get(row.game).rules.VERSION,
        seed=random.getrandbits(31),
        creator=visitor,
        race=race,
        rematch=None,
        created_at=now,
        status="waiting",
        mover=None,
        is_computer_due=False,
        deadline=None,
        num_rows=0,
        version=0,
        changed_at=now,
    )


def _check_clock(set_up: SetUp) -> None:
    if set_up.clock not in CLOCKS:
        raise BadForm(say("The clock is none, live or days."))
    longest = LONGEST_CLOCK[set_up.clock]
    if set_up.clock == "none":
        if set_up.clock_seconds or set_up.clock_increment:
            raise BadForm(say("Without a clock there is no time."))
    elif not 1 <= set_up.clock_seconds <= longest:
        raise BadForm(say("A live clock has from 1 second to 24 hours, and a move at most 60 days."))
    if not 0 <= set_up.clock_increment <= (LONGEST_INCREMENT if set_up.clock == "live" else 0):
        raise BadForm(say("The increment is from 0 to 600 seconds, for live clocks only."))


def _seats(plans: Sequence[SeatPlan], num_players: int, visitor: str) -> list[SeatRow]:
    """The seats as planned; raises BadForm."""
    if len(plans) > num_players:
        raise BadForm(
            say(
                "There are {num_players} seats in this game, not {num_plans}.",
                num_players=num_players,
                num_plans=len(plans),
            )
        )
    made = []
    for player, plan in enumerate([*plans, *[SeatPlan()] * (num_players - len(plans))], 1):
        if plan.who == "me":
            made.append(SeatRow(player, plan.name, visitor=visitor))
        elif plan.who == "link":
            made.append(SeatRow(player, invitation=new_id()))
        elif plan.who == "open":
            made.append(SeatRow(player, is_open=True))
        elif plan.who in PLAYERS:
            made.append(SeatRow(player, plan.who, computer=plan.who))
        else:
            raise BadForm(say("A seat is yours, open, by a link, or a computer player's."))
    if all(seat.computer for seat in made):
        raise BadForm(say("At least one seat must be a person's."))
    return made
