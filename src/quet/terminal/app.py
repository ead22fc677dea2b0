"""The terminal application: it goes from the menu to a set-up page, to the table, and back."""

import asyncio
import codecs
import contextlib
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.events import Event, Key
from textual.theme import Theme

if sys.platform != "win32":
    from textual.drivers import linux_driver

from .. import catalog
from ..core.errors import QuetError
from ..draw.palette import ROLES
from ..game import new
from ..play.clock import Clock
from ..play.session import Session, seat
from ..players.preparation import Beside
from ..records.record import Record
from .dialogs import Confirm
from .files import load
from .keys import KeysInOrder
from .remembered import Remembered
from .set_up import Menu, SetUp, Wishes
from .table import TO_READ, Table

SIGNALS = [signal.SIGTERM, *([signal.SIGHUP] if sys.platform != "win32" else [])]
COMPUTER_DELAY = 0.4  # seconds, so that the eye can follow


class QuetApp(App[None]):
    """Games one after another, beginning with `session` or else with the menu."""

    CSS_PATH = "quet.tcss"
    TITLE = "Quet"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "Quit", show=False, priority=True)]

    def __init__(
        self,
        session: Session | None = None,
        wishes: Wishes | None = None,
        *,
        delay: float = COMPUTER_DELAY,
        beside: Beside | None = None,
        theme: str = "auto",
        remembered: Remembered | None = None,
    ) -> None:
        """`theme` is `light`, `dark` or `auto`: as the terminal says.

        `beside` compiles what computer players need; without it, each waits for what it needs. `remembered` is what is
        known from before.
        """
        super().__init__()
        self._session = session
        self._wishes = wishes or Wishes()
        self._delay, self._beside = delay, beside
        self._remembered = remembered or Remembered()
        self._in_order = KeysInOrder(self, super().on_event)
        for is_dark in (True, False):
            self.register_theme(_theme(is_dark=is_dark))
        self.theme = f"quet-{_of_terminal(os.environ.get('COLORFGBG', '')) if theme == 'auto' else theme}"

    async def on_event(self, event: Event) -> None:
        """Hand on what has happened; keys one after another."""
        if isinstance(event, Key) and not event.is_forwarded:
            await self._in_order.came(event)
        else:
            await super().on_event(event)

    def on_mount(self) -> None:
        if not self.is_headless:
            self._end_by_signals()
        self._play_games()

    def _end_by_signals(self) -> None:
        """When the system ends the application, leave the terminal as it was. The game is kept.

        A signal that was ignored ends it too: without its terminal it would go on for ever, and nobody could reach it.
        """
        for number in SIGNALS:
            with contextlib.suppress(NotImplementedError):  # as on Windows
                asyncio.get_running_loop().add_signal_handler(number, self.exit, None, 128 + number)

    @work
    async def _play_games(self) -> None:
        unfinished = await self._unfinished()
        first = [one for one in (unfinished, self._session) if one is not None]
        session = None
        while True:
            if session is None and first:
                session = first.pop(0)
                if session is not unfinished and not session.match.plies:
                    session.begin()  # after what was asked about the unfinished game, and after that game
            if session is not None:
                session = await self.push_screen_wait(self._table(session, is_saved=session is not unfinished))
                continue
            chosen = await self.push_screen_wait(Menu())
            if chosen != "load":
                session = await self.push_screen_wait(SetUp(catalog.get(chosen), self._wishes, self._remembered))
                continue
            try:
                session = await load(self, self._wishes.resume)
            except QuetError as error:
                self.notify(str(error), severity="error", markup=False)

    async def _unfinished(self) -> Session | None:
        """The game that was going on when the application ended last, if the player goes on with it."""
        record = self._remembered.unfinished()
        if news := self._remembered.news():
            self.notify(news, severity="warning", timeout=TO_READ, markup=False)
        if record is None:
            return None
        question = f"{record.game.scene(legal=False).title} was not finished and not saved. Forget it?"
        if await self.push_screen_wait(Confirm(question, "Forget it", "Go on with it")):
            self._remembered.going_on(None)
            return None
        clock = self._remembered.clock or Clock(0.0)
        return replace(self._wishes, seconds=clock.seconds, increment=clock.increment).resume(record)

    def _table(self, session: Session, *, is_saved: bool) -> Table:
        known = self._remembered
        return Table(session, delay=self._delay, beside=self._beside, remembered=known, is_saved=is_saved)

    def action_switch_theme(self) -> None:
        """Change between light and dark."""
        self.theme = "quet-light" if self.current_theme.dark else "quet-dark"

    async def action_quit(self) -> None:
        """End the application; at the table the screen asks first, as for its own key."""
        if isinstance(self.screen, Table):
            self.screen.action_quit()
        elif any(isinstance(screen, Table) for screen in self.screen_stack):
            self.notify("Escape closes this first.")  # a dialog stands before a game that may not be saved
        else:
            self.exit()

    def action_exit_now(self) -> None:
        """End the application."""
        self.exit()


def _of_terminal(colours: str) -> str:
    """The theme, `light` or `dark`, that goes with the terminal's colours.

    Terminals that tell them have `COLORFGBG` in the environment: numbers of the 16 colours, of the text first and of
    the background last, as `0;15`. 7 and 9 to 15 are light, and all others count as dark.
    """
    background = colours.rpartition(";")[2]
    return "light" if background in ("7", *map(str, range(9, 16))) else "dark"


def _theme(*, is_dark: bool) -> Theme:
    colours = {role: pair[is_dark] for role, pair in ROLES.items()}
    return Theme(
        name="quet-dark" if is_dark else "quet-light",
        primary=colours["filled"],
        secondary=colours["path"],
        accent=colours["last"],
        error=colours["bad"],
        success=colours["good"],
        warning=colours["two"],
        foreground=colours["ink"],
        background=colours["paper"],
        surface=colours["square"],
        panel=colours["tint"],
        dark=is_dark,
        variables={
            "muted": colours["muted"],
            "on-filled": colours["on_filled"],
            "bad": colours["bad"],
            "cost": colours["cost"],
        },
    )


def run(
    game_id: str | None = None,
    parameters: Mapping[str, object] | None = None,
    seats: Sequence[str] = (),
    *,
    seconds: float = 0.0,
    increment: float = 0.0,
    seed: int | None = None,
    memory: int | None = None,
    theme: str = "auto",
    loaded: tuple[Record, str] | None = None,
) -> int:
    """Play in the terminal until the player quits, and return the exit status: 0, 128 and the number of a
    signal, or 1 after an error.

    Begins with this game and these parameters as typed, or with the menu if there is no game. `seats` says who plays,
    player 1 first: `person`, or the name of a computer player. `seconds` and `increment` are those of a clock; there is
    none if seconds are 0. `memory` is the bytes of a computer player's search, if limited. `theme` is `auto`,
    `light` or `dark`. `loaded` is a game to go on with instead, and the name of its file if it is the only one there.
    Raises UnknownGame and BadParameter before anything is drawn.
    """
    wishes = Wishes(tuple(seats), seconds, increment, seed, memory)
    for who in seats:
        seat(who)
    session = None if game_id is None else wishes.session(new(game_id, **(parameters or {})))
    if loaded is not None:
        session = wishes.resume(loaded[0])
        session.file = loaded[1]
    beside = Beside()
    try:
        return run_session(session, wishes, beside=beside, theme=theme)
    finally:
        beside.end()


def run_session(session: Session | None, wishes: Wishes, *, beside: Beside, theme: str) -> int:
    """Play in the terminal, beginning with this session or else with the menu; returns the exit status, as `run`."""
    remembered = Remembered.of_user()
    app = QuetApp(session, wishes, beside=beside, theme=theme, remembered=remembered)
    _take_all_bytes()
    with remembered.alone():
        app.run()
    return 1 if app.return_code is None else app.return_code  # Textual knows none after an error in its own threads


def _take_all_bytes() -> None:
    """Have bytes that aren't UTF-8, as from a terminal of Latin-1, read as the character for what can't be read.

    Textual's decoder is strict, and such a byte ended the application.
    """
    if sys.platform != "win32":
        vars(linux_driver)["getincrementaldecoder"] = lambda name: partial(
            codecs.getincrementaldecoder(name), errors="replace"
        )
