"""`quet daily`: the game and the puzzle of a day in the terminal, and a result in a few lines to send to others."""

import time

from ..play.session import Session, seat
from ..players.preparation import Beside
from ..puzzles.daily import puzzle_of
from ..study import daily
from .lines import can_draw


def run(day: str | None, *, is_plain: bool, theme: str) -> int:
    """Play the game of the day, or of a past one, and print the result if it was finished. Raises NoDay."""
    found = chosen(day)
    session = Session(found.game(), [seat("person")])
    beside = Beside()
    try:
        if is_plain or not can_draw():
            from ..terminal.remembered import Remembered
            from . import plain

            print(f"The game of {found.day}: {found.title}. The best score possible is {found.best}.", flush=True)
            status = plain.run(session, beside=beside, remembered=Remembered.of_user)
        else:
            from ..terminal.app import run_session
            from ..terminal.set_up import Wishes

            status = run_session(session, Wishes(("person",)), beside=beside, theme=theme)
    finally:
        beside.end()
    print("There is a puzzle of the day too: quet daily --puzzle")
    if session.game.is_over:
        print(found.result(session.game.scores[0], 0))
    return status


def solve(day: str | None) -> int:
    """Ask the puzzle of the day, or of a past one, line by line. Raises NoDay."""
    from . import puzzles

    found = chosen(day).day
    is_today = found == daily.today(time.time())
    print(f"The puzzle of {found}.", flush=True)
    return puzzles.hold([puzzle_of(found)], 0, found if is_today else None)


def chosen(day: str | None) -> daily.Daily:
    """The game of today, or of the day that is named. Raises NoDay."""
    today = daily.today(time.time())
    return daily.daily(daily.checked_day(today, today) if day is None else daily.read_day(day, today))
