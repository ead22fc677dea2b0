"""`quet play`: the terminal application, or line by line with `--plain`."""

import argparse

from .. import catalog
from ..core.errors import BadParameter
from ..core.numbers import read_integer
from ..core.parameters import split_parameters
from ..core.quoting import shorten
from ..play.clock import MOST_INCREMENT, MOST_MINUTES, Clock
from . import files
from .limits import in_bytes
from .lines import BadUsage, can_draw, refuse


def run(options: argparse.Namespace) -> int:
    """Play as the options say, and return the exit status."""
    loaded = None
    if options.load is not None:
        if options.game is not None:
            raise BadUsage("The game is the one that --load names; leave GAME out.")
        refuse(options, ["seat"], "quet play --load")
        loaded = files.one_game(options.load)
    elif options.game is None and options.plain:
        raise BadUsage(f"Name a game, as in quet play {catalog.ids()[0]} --plain.")
    parameters = split_parameters(options.parameters)
    seconds, increment = _clock(options.clock)
    memory = in_bytes(options.memory)
    if options.plain:
        refuse(options, ["theme"], "quet play --plain")
        from ..game import new
        from ..play.session import Session, seat
        from ..players.preparation import Beside
        from ..terminal.remembered import Remembered
        from . import plain

        clock = Clock(seconds, increment) if seconds else None
        if loaded is not None:
            session = Session.resume(loaded[0], clock=clock, seed=options.seed, memory=memory)
        else:
            game = new(options.game, **parameters)
            session = Session(game, [seat(who) for who in options.seat], clock=clock, seed=options.seed, memory=memory)
        beside = Beside()
        try:
            return plain.run(session, beside=beside, remembered=Remembered.of_user)
        finally:
            beside.end()
    if not can_draw():
        raise BadUsage(
            "The terminal application needs a terminal on which it can draw; with --plain it plays line by line, "
            "through a pipe too."
        )
    from ..terminal import app

    return app.run(
        options.game,
        parameters,
        options.seat,
        seconds=seconds,
        increment=increment,
        seed=options.seed,
        memory=memory,
        theme=options.theme,
        loaded=loaded,
    )


def _clock(text: str | None) -> tuple[float, float]:
    """The seconds and the increment of `MINUTES[+SECONDS]`; zeros where no clock is wanted."""
    if text is None:
        return 0.0, 0.0
    minutes, plus, seconds = text.partition("+")
    limit, increment = read_integer(minutes), read_integer(seconds) if plus else 0
    is_limit = limit is not None and 1 <= limit <= MOST_MINUTES
    if limit is None or increment is None or not is_limit or not 0 <= increment <= MOST_INCREMENT:
        raise BadParameter(
            f"The clock is MINUTES or MINUTES+SECONDS, as in 10+5: whole numbers, from 1 to {MOST_MINUTES} minutes and "
            f"from 0 to {MOST_INCREMENT} seconds, not {shorten(text)}."
        )
    return 60.0 * limit, float(increment)
