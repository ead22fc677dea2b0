"""The menu of games, and the page on which a game is set up: its parameters, who plays, and the clock."""

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Footer, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from .. import catalog
from ..core.errors import BadParameter, QuetError
from ..core.numbers import read_integer
from ..core.parameters import AnyParameter, Parameter
from ..game import Game, new
from ..play.clock import MOST_INCREMENT, MOST_MINUTES, Clock
from ..play.session import Session, seat
from ..players.player import PLAYERS
from ..records.record import Record
from .remembered import Remembered


@dataclass(frozen=True)
class Wishes:
    """What was asked for on the command line, to begin with."""

    seats: tuple[str, ...] = ()
    seconds: float = 0.0  # for each player; 0 for no clock
    increment: float = 0.0
    seed: int | None = None
    memory: int | None = None  # bytes of a computer player's search, if limited

    def session(self, game: Game) -> Session:
        """The session of this game as wished; raises BadParameter."""
        seats = [seat(who) for who in self.seats]
        return Session(game, seats, clock=self._clock, seed=self.seed, memory=self.memory)

    def resume(self, record: Record) -> Session:
        """The session of this record's game: its seats, and all else as wished."""
        return Session.resume(record, clock=self._clock, seed=self.seed, memory=self.memory)

    @property
    def _clock(self) -> Clock | None:
        return Clock(self.seconds, self.increment) if self.seconds else None


class Menu(Screen[str]):
    """The list of games. The result is the name of one, or `load` for a game in a file."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "load", "Load"),
        Binding("t", "app.switch_theme", "Light/dark"),
        Binding("q", "app.exit_now", "Quit"),
    ]

    def compose(self) -> ComposeResult:
        yield Static(
            f"Quet: games for paper and pencil by {' and '.join(catalog.authors())}", classes="bar", markup=False
        )
        yield OptionList(*(Option(Content(entry.title), id=entry.id) for entry in catalog.playable()), id="games")
        yield Static(id="summary", markup=False)
        yield Footer()

    @on(OptionList.OptionHighlighted)
    def tell(self, event: OptionList.OptionHighlighted) -> None:
        """Say below the list what the game under the cursor is about, and how to learn it."""
        entry = catalog.get(event.option.id or "")
        lesson = f"\nLearn it in a minute: quet learn {entry.id}" if entry.lesson else ""
        self.query_one("#summary", Static).update(f"{entry.facts['summary']}{lesson}")

    @on(OptionList.OptionSelected)
    def take(self, event: OptionList.OptionSelected) -> None:
        """Close the menu with the game chosen."""
        self.dismiss(event.option.id or "")

    def action_load(self) -> None:
        """Close the menu to load a game from a file."""
        self.dismiss("load")


class SetUp(Screen[Session | None]):
    """The page on which a game is set up. The result is the game ready to be played, or None to go back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "start", "Start"),
        Binding("f1", "rules", "Rules"),
        Binding("escape", "back", "Back"),
    ]

    def __init__(self, entry: catalog.Entry, wishes: Wishes, remembered: Remembered | None = None) -> None:
        """The page begins with what is `remembered` of the game, but for what was wished on the command line."""
        super().__init__()
        self._entry = entry
        self._wishes = wishes
        self._remembered = remembered or Remembered()
        self._before = self._remembered.set_ups.get(entry.id, {})

    def compose(self) -> ComposeResult:
        has_clock = bool(self._wishes.seconds)
        minutes = f"{self._wishes.seconds / 60:g}" if has_clock else self._before.get("clock-minutes", "")
        yield Static(self._entry.title, classes="bar", markup=False)
        with VerticalScroll(id="form"):
            for parameter in self._entry.rules.PARAMETERS:
                name = self._entry.parameter_name(parameter)
                meaning = describe(parameter, name)
                id = f"parameter-{parameter.name}"
                yield from self._field(id, name, meaning, self._before.get(id, str(parameter.default)))
            yield Static("Who plays", classes="title")
            yield Grid(id="seats")
            yield Static("Clock", classes="title")
            yield from self._field(
                "clock-minutes", "minutes", "for each player, 1 or more; empty for no clock", minutes
            )
            increment = f"{self._wishes.increment:g}" if has_clock else self._before.get("clock-increment", "0")
            yield from self._field("clock-increment", "increment", "seconds added after each move", increment)
            with Horizontal(classes="buttons"):
                yield Button("Start", id="start", variant="primary")
                yield Button("Back", id="back")
        yield Footer()

    def _field(self, id: str, name: str, meaning: str, value: str) -> ComposeResult:
        with Vertical(classes="field"):
            with Horizontal():
                yield Label(name, classes="name", markup=False)
                yield Input(value, id=id, compact=True)
            yield Label(meaning, classes="hint", markup=False)
            yield Label("", id=f"{id}-error", classes="error", markup=False)

    async def on_mount(self) -> None:
        await self._set_seats()
        self.query_one(Input).focus()

    @on(Input.Changed)
    async def check(self) -> None:
        """Say under each field what is wrong with it, and have a seat for each player."""
        wrong = self._wrong()
        for label in self.query(".error").results(Label):
            sentence = wrong.get((label.id or "").removesuffix("-error"), "")
            label.update(sentence)
            label.display = bool(sentence)
        self.query_one("#start", Button).disabled = bool(wrong)
        await self._set_seats()

    def _wrong(self) -> dict[str, str]:
        """What is wrong, by the name of the field."""
        wrong: dict[str, str] = {}
        values: dict[str, object] = {}
        for parameter in self._entry.rules.PARAMETERS:
            id = f"parameter-{parameter.name}"
            try:
                values[parameter.name] = parameter.read(self._value(id), values, files=True)
            except BadParameter as error:
                wrong[id] = str(error)
            except KeyError:  # the length that a sequence must have depends on the parameters above
                continue
        for name, low, high in (("minutes", 1, MOST_MINUTES), ("increment", 0, MOST_INCREMENT)):
            text = self._value(f"clock-{name}")
            number = read_integer(text) if len(text) < 20 else None
            if text and (number is None or not low <= number <= high):
                wrong[f"clock-{name}"] = f"{name} must be an integer from {low} to {high}, or empty."
        return wrong

    def _value(self, name: str) -> str:
        return self.query_one(f"#{name}", Input).value.strip()

    def _game(self) -> Game:
        """The game as set up so far; raises BadParameter."""
        names = [parameter.name for parameter in self._entry.rules.PARAMETERS]
        typed: dict[str, object] = {name: self._value(f"parameter-{name}") for name in names}
        return new(self._entry.id, **typed)

    async def _set_seats(self) -> None:
        """A select for each player; those that exist are kept."""
        try:
            num_players = self._game().num_players
        except BadParameter:
            return
        grid = self.query_one("#seats")
        for player in range(1, num_players + 1):
            if not grid.query(f"#seat-{player}"):
                before = self._before.get(f"seat-{player}", "person")
                wished = self._wishes.seats[player - 1 : player] or (before,)
                who = wished[0] if wished[0] in PLAYERS else "person"
                choices = [(each, each) for each in ("person", *PLAYERS)]
                select = Select(choices, value=who, allow_blank=False, id=f"seat-{player}", compact=True)
                await grid.mount(Label(f"player {player}", id=f"label-{player}", classes="name"), select)
        for widget in [*grid.query(Select), *grid.query(Label)]:
            number = (widget.id or "").partition("-")[2]
            if number.isdigit() and int(number) > num_players:
                await widget.remove()

    @on(Input.Submitted)
    @on(Button.Pressed, "#start")
    def action_start(self) -> None:
        """Close the page with the game as set up, unless something is wrong with it."""
        if self._wrong():
            return
        minutes, increment = (read_integer(self._value(f"clock-{name}")) or 0 for name in ("minutes", "increment"))
        try:
            game = self._game()
            seats = [str(self.query_one(f"#seat-{player}", Select).value) for player in game.players]
            wishes = Wishes(tuple(seats), 60 * minutes, increment, self._wishes.seed, self._wishes.memory)
            session = wishes.session(game)
            fields = {field.id: field.value.strip() for field in self.query(Input) if field.id}
            self._remembered.set_up(game.id, fields | {f"seat-{player}": who for player, who in enumerate(seats, 1)})
            self.dismiss(session)
        except QuetError as error:  # a file may have changed since it was checked
            self.notify(str(error), severity="error", markup=False)

    @on(Button.Pressed, "#back")
    def action_back(self) -> None:
        """Close the page without a game."""
        self.dismiss(None)

    def action_rules(self) -> None:
        """Show the rules of the game."""
        from .dialogs import Rules

        self.app.push_screen(Rules(self._entry))


def describe(parameter: AnyParameter, name: str = "") -> str:
    """What a parameter of this name means and which values it may have, as a line."""
    values = "a name, a list, random:SEED:LOW:HIGH or file:PATH"
    if isinstance(parameter, Parameter):
        values = f"{parameter.low} to {parameter.high}"
    usual = f"; best {parameter.usual}" if parameter.usual else ""
    return f"{values}{usual}" if name == parameter.meaning else f"{parameter.meaning}: {values}{usual}"
