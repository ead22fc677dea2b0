"""The dialogs: a yes-or-no question, a choice of several answers, the name of a file, and the rules of a game."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from .. import catalog
from ..core.parameters import TermsParameter
from ..core.sequences import ways_to_write


class Confirm(ModalScreen[bool]):
    """A question; its result is whether the answer was yes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
        Binding("left,right", "app.focus_next", show=False),
    ]

    def __init__(self, question: str, yes: str, no: str = "Cancel") -> None:
        super().__init__()
        self._question = question
        self._yes, self._no = yes, no

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(self._question, markup=False)
            with Horizontal(classes="buttons"):
                yield Button(f"{self._yes} (y)", id="yes")
                yield Button(f"{self._no} (n)", id="no")

    def on_mount(self) -> None:
        self.query_one("#no").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.action_answer(event.button.id == "yes")

    def action_answer(self, is_yes: bool) -> None:
        """Close the dialog with this answer."""
        self.dismiss(is_yes)


class Choose(ModalScreen[int | None]):
    """A choice of several answers. The result is the number of one, from 0, or None. The last character of an answer
    chooses it, or a digit that numbers it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel")]

    def __init__(self, question: str, answers: Sequence[str]) -> None:
        super().__init__()
        self._question = question
        self._answers = answers

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(self._question, markup=False)
            yield OptionList(*(Option(answer) for answer in self._answers), markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()

    def on_key(self, event: events.Key) -> None:
        typed = event.character or "\0"
        found = [
            i for i, answer in enumerate(self._answers) if answer.endswith(typed) or answer.startswith(f"{typed}.")
        ]
        if len(found) == 1:
            event.stop()
            self.dismiss(found[0])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)

    def action_cancel(self) -> None:
        """Close the dialog without an answer."""
        self.dismiss(None)


class AskFile(ModalScreen[str | None]):
    """Asks for the name of a file; the result is None if none is given."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel")]

    def __init__(self, question: str, name: str = "") -> None:
        super().__init__()
        self._question = question
        self._file = name

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(self._question, markup=False)
            yield Input(self._file, placeholder="name of the file")
            yield Label("Enter accepts, Escape cancels.", classes="hint")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)

    def action_cancel(self) -> None:
        """Close the dialog without a name."""
        self.dismiss(None)


KEYS = """\
Arrows move the cursor; Enter, Space or a click plays there. m opens the line in which a move is typed, and Escape \
leaves it. Where a square has several moves, a list opens; typing the last character of a move, such as 0 or 1 or !, \
plays it at once. Digits open the line too. Moves off the board have buttons, and their own keys: + and -, d for done.
u takes back, r plays again, h gives a hint, c lets the computer play on or makes it wait, s saves, l loads, n is a \
new game, t changes between light and dark, q or Ctrl-Q quits.
A file keeps no clocks: those of a game that is loaded begin anew.
x resigns. o offers a draw: the other persons are asked, and a computer player agrees if its score is not better than \
that of the person who offers.
Page Up and Page Down scroll what stands beside the board.
A dot marks a legal square, ( ) one that isn't empty, [ ] the last move; the heavy box is the cursor."""


class Rules(ModalScreen[None]):
    """The rules and rulings of a game, where it comes from, and the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q,question_mark,f1", "close", "Close")]

    def __init__(self, entry: catalog.Entry) -> None:
        super().__init__()
        self._entry = entry

    def compose(self) -> ComposeResult:
        facts = self._entry.facts
        with VerticalScroll(classes="dialog", id="rules"):
            yield Static(self._entry.title, classes="title", markup=False)
            yield Static(f"by {facts['author']}. {facts['source']}.", classes="hint", markup=False)
            for i, rule in enumerate(facts["rules"], 1):
                yield Static(f"{i}. {rule}", markup=False)
            if any(isinstance(parameter, TermsParameter) for parameter in self._entry.rules.PARAMETERS):
                yield Static("How a sequence is written", classes="title", markup=False)
                for way in ways_to_write():
                    yield Static(way, markup=False)
            if facts.get("rulings"):
                yield Static("Rulings on what the author left open", classes="title", markup=False)
            for name, ruling in facts.get("rulings", {}).items():
                yield Static(f"{name}: {ruling}", markup=False)
            yield Static("Keys", classes="title", markup=False)
            for line in KEYS.splitlines():
                yield Static(line, markup=False)
            yield Static("Escape closes this page.", classes="hint")

    def on_mount(self) -> None:
        self.query_one("#rules").focus()

    def action_close(self) -> None:
        """Close the page."""
        self.dismiss()
