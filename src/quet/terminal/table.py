"""The page on which a game is played: the board, the player to move, the moves played, and the line to type in.

A move reaches the game as text by `Session.play`, whether a key, the mouse, the line or a computer player made it.
"""

import asyncio
import string
import threading
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Footer, Input, ProgressBar, Static

from ..core.clock import COMPILING
from ..core.errors import IllegalMove, QuetError
from ..draw.scene import Scene, Square
from ..play.session import Choice, Session
from ..players.levels import PLAIN
from ..players.preparation import Beside
from .board import Board
from .dialogs import Confirm, Rules
from .files import load, save
from .questions import Questions
from .remembered import Remembered
from .side import Side

TO_READ = 15.0  # seconds that a sentence about the unfinished game is shown


class Table(Screen[Session | None]):
    """A game being played. The result is another game, loaded from a file, or None for the menu."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "type", "Move"),
        Binding("u", "undo", "Undo"),
        Binding("r", "redo", "Redo"),
        Binding("h", "hint", "Hint"),
        Binding("question_mark,f1", "rules", "Rules", key_display="F1"),
        Binding("q", "quit", "Quit"),
        Binding("o", "draw", "Draw"),
        Binding("x", "resign", "Resign"),
        Binding("s", "save", "Save"),
        Binding("l", "load", "Load"),
        Binding("n", "new", "New"),
        Binding("c", "pause", "Computer", show=False),
        Binding("t", "app.switch_theme", "Light/dark", show=False),
        Binding("escape", "board", "Board", show=False),
        Binding("pageup", "page(-1)", "Scroll up", show=False),
        Binding("pagedown", "page(1)", "Scroll down", show=False),
    ]

    def __init__(
        self,
        session: Session,
        *,
        delay: float,
        beside: Beside | None = None,
        remembered: Remembered | None = None,
        is_saved: bool = True,
    ) -> None:
        """`delay` is the least number of seconds that a computer player takes for a move; `beside` compiles.

        `remembered` knows the player's best score of a solitaire, and keeps this game's. `is_saved` says whether the
        moves made until now are in a file of the player's.
        """
        super().__init__()
        # What quet.tcss calls a window from so many columns and rows on.
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (28, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (9, "-high")]
        self.session = session
        self._questions = Questions(self.app, session)
        self._remembered = remembered or Remembered()
        # A game that was over when it was loaded isn't the player's, and neither is a computer's.
        self._is_own = not session.is_over and not any(seat.computer for seat in session.seats)
        session.own_best = self._remembered.best(session.game) if self._is_own else None
        self._delay, self._beside = delay, beside
        self._scene = self._draw()
        self._is_brief = False  # whether the line closes after a move
        self._is_paused = False  # whether the computer players wait
        self._saved = self.session.kept if is_saved else None  # when the game was last saved or loaded
        self._file = session.file or f"{session.game.id}.quet"
        self._was_over = session.is_over

    def compose(self) -> ComposeResult:
        yield Static(self._scene.title, classes="bar", markup=False)
        with Horizontal(id="middle"):
            yield Board(self._scene, id="board")
            yield Side(id="side")
        with Horizontal(id="choices"):
            pass
        with Horizontal(id="compiling"):
            yield Static(f"Compiling, once, {COMPILING}:", markup=False)
            yield ProgressBar(1.0, show_eta=False)
        yield Static(id="square", markup=False)
        yield Static(id="status", markup=False)
        with Horizontal(id="line"):
            yield Static("Move:", markup=False)
            yield Input(
                id="move",
                compact=True,
                select_on_focus=False,
                placeholder="m to type a move here, Escape to leave; Enter plays on the board",
            )
        yield Footer(compact=True)  # so that all its keys are seen at 80 columns

    async def on_mount(self) -> None:
        self.query_one(Board).focus()
        if self.session.clock is not None:
            self.set_interval(0.2, self._tick)
        if self._beside is not None:
            self.set_interval(0.5, self._show_compiling)
        self._show_compiling()
        anew = self.session.clocks_anew
        await self._show(f"{anew} {self._who_moves()}" if anew else "")

    # What is shown.

    def _draw(self) -> Scene:
        return self.session.game.scene(legal=not self.session.is_over and not self.session.is_computer_to_move)

    async def _show(self, sentence: str = "") -> None:
        """Show the game as it stands, with a sentence about what happened; let the computer move if it is its turn."""
        session = self.session
        self.workers.cancel_group(self, "computer")  # which think about a position that has gone
        self.workers.cancel_group(self, "hint")
        self._scene = self._draw()
        self._was_over = session.is_over
        self.query_one(Board).show(self._scene)
        self.query_one(Side).show(session, self._scene)
        self._show_square()
        await self._show_choices()
        has_more = bool(session.game.moves) and self.session.kept != self._saved  # than any file of the player's
        self._remembered.going_on(session.record if has_more and not session.is_over else None, session.clock)
        if news := self._remembered.news():
            self.notify(news, severity="warning", timeout=TO_READ, markup=False)
        if session.is_over:
            if self._is_own:
                self._remembered.over(session.game)
            sentence = f"{sentence} {self._how_it_ended()}".strip()
        self._say(sentence or self._who_moves())
        if session.is_computer_to_move and not self._is_paused:
            self._play_computer()

    def _show_square(self) -> None:
        square = self.query_one(Board).cursor
        words = ""
        if square is not None:
            last = ", the last move" if square.is_last else ""
            legal = ""
            if square.moves and not square.prompt:
                legal = "; legal" if square.moves == (square.name,) else f"; legal: {', '.join(square.moves)}"
            words = f"{square.name}: {square.words}{last}{legal}"
        self.query_one("#square", Static).update(words)

    async def _show_choices(self) -> None:
        bar = self.query_one("#choices")
        choices = [(choice.move, choice.words) for choice in self._scene.choices]
        if [(button.name, str(button.label)) for button in bar.query(Button)] != choices:
            await bar.remove_children()
            await bar.mount(
                *(
                    Button(Content(choice.words), name=choice.move, compact=True, classes="choice")
                    for choice in self._scene.choices
                )
            )
        bar.display = bool(choices)

    def _show_compiling(self) -> None:
        """Show how much is compiled while another process is at it."""
        under_way = None if self._beside is None else self._beside.under_way(self.session.game.id)
        self.query_one("#compiling").display = under_way is not None
        if under_way is not None:
            self.query_one(ProgressBar).progress = under_way.progress

    def _who_moves(self) -> str:
        mover = self.session.mover
        if self.session.is_computer_to_move:
            return f"Player {mover} is thinking." if not self._is_paused else "The computer waits; c lets it play on."
        return f"Player {mover} to move."

    def _how_it_ended(self) -> str:
        return f"The game is over. {self.session.verdict}"

    def _say(self, sentence: str, *, is_error: bool = False) -> None:
        status = self.query_one("#status", Static)
        status.set_class(is_error, "error")
        status.update(f"! {sentence}" if is_error else sentence)

    async def _tick(self) -> None:
        if self.session.is_over:
            self._questions.close()
        if self.session.is_over and not self._was_over:
            await self._show()
        else:
            self.query_one(Side).show_players(self.session)

    # Moves.

    async def _play(self, text: str) -> None:
        """Play a person's move, or say which rule it breaks."""
        mover = self.session.mover
        if self._waits():
            return
        try:
            self.session.check_persons_turn()
            move = self.session.play_typed(text)
        except QuetError as error:
            if self.session.is_over and not self._was_over:  # the time ran out this moment
                await self._show()
            else:
                self._say(str(error), is_error=True)
            return
        self._is_paused = False
        self._clear_line()
        await self._show(self._played(mover, Choice(move)))

    def _waits(self) -> bool:
        """Whether the computer is to move and waits; then it is said how it is let play on."""
        waits = self._is_paused and self.session.is_computer_to_move
        if waits:
            self._say(self._who_moves(), is_error=True)
        return waits

    def _played(self, mover: int | None, choice: Choice) -> str:
        if self.session.is_over:
            return ""
        weaker = " Until all is compiled, it moves with less strength." if choice.stand_in == PLAIN else ""
        return f"{self.session.told(mover, choice)}{weaker} {self._who_moves()}"

    def _tell_beside(self, stand_in: str) -> None:
        if self._beside is not None:
            self._beside.moved(self.session.game.id, stand_in)
            self._show_compiling()

    @work(exclusive=True, group="computer")
    async def _play_computer(self) -> None:
        mover = self.session.mover
        stop = threading.Event()
        try:
            choose = self.session.computer_choice(stop)
            choice, _ = await asyncio.gather(asyncio.to_thread(choose), asyncio.sleep(self._delay))
        except QuetError as error:
            self._is_paused = True
            self._say(str(error), is_error=True)
            return
        finally:
            stop.set()  # so that a search ends whose position has gone
        self._tell_beside(choice.stand_in)
        try:
            self.session.play_choice(choice)
        except IllegalMove:  # its time ran out this moment
            self.call_later(self._show)
        else:
            self.call_later(self._show, self._played(mover, choice))

    @on(Board.Moved)
    def tell_square(self) -> None:
        """Say what is on the square under the cursor."""
        self._show_square()

    @on(Board.Chosen)
    async def choose(self, event: Board.Chosen) -> None:
        """Play on the square, or ask for the rest of the move."""
        square = event.square
        if self.session.is_over:
            self._say(self._how_it_ended(), is_error=True)
        elif square.prompt:
            self._open_line(square.prompt, is_brief=True)
        elif len(square.moves) > 1:
            self._choose_move(square)
        else:
            await self._play(square.moves[0] if square.moves else square.name + self._suffix())

    def _suffix(self) -> str:
        """What follows the square in a move, such as `=0`. With it a forbidden move is refused for its square."""
        for square in self._scene.squares:
            for move in square.moves:
                if move.startswith(square.name):
                    return move[len(square.name) :]
        return ""

    @work
    async def _choose_move(self, square: Square) -> None:
        move = await self._questions.move(square.name, square.moves)
        if move is not None:
            await self._play(move)

    @on(Board.Typed)
    async def type_character(self, event: Board.Typed) -> None:
        """Play the move that the character stands for: one off the board, or one on the square under the cursor."""
        character = event.character
        if character in self.active_bindings:
            return
        square = event.square
        prompt = square.prompt if square else ""
        found = [choice.move for choice in self._scene.choices if choice.move.startswith(character)]
        if square is not None and not prompt:
            found += [
                move for move in square.moves if move in (f"{square.name}={character}", f"{square.name}{character}")
            ]
        if len(found) == 1:
            await self._play(found[0])
        elif character in string.digits:
            self._open_line(prompt + character, is_brief=bool(prompt))

    @on(Button.Pressed, ".choice")
    async def press(self, event: Button.Pressed) -> None:
        """Play a move off the board."""
        await self._play(event.button.name or "")
        self.action_board()

    @on(Input.Submitted, "#move")
    async def submit(self, event: Input.Submitted) -> None:
        """Play the move typed."""
        if event.value.strip():
            await self._play(event.value)

    def _open_line(self, text: str, *, is_brief: bool = False) -> None:
        """Go to the line. If the stay is brief, the line closes after the move."""
        self._is_brief = is_brief
        line = self.query_one("#move", Input)
        line.value = text
        line.cursor_position = len(text)
        line.focus()

    def _clear_line(self) -> None:
        line = self.query_one("#move", Input)
        if line.has_focus and self._is_brief:
            self.action_board()
        line.value = ""

    # Keys.

    def action_type(self) -> None:
        """Go to the line in which a move is typed."""
        self._open_line("")

    def action_board(self) -> None:
        """Go back to the board, and forget what was typed."""
        self.query_one("#move", Input).value = ""
        self.query_one(Board).focus()

    def action_page(self, pages: int) -> None:
        """Scroll what stands beside the board; the board itself goes with its cursor."""
        side = self.query_one(Side)
        side.scroll_relative(y=pages * max(1, side.size.height - 1), animate=False)

    async def action_undo(self) -> None:
        """Take back the last move, and those of computer players before it."""
        await self._step(is_back=True)

    async def action_redo(self) -> None:
        """Play again what was taken back."""
        await self._step(is_back=False)

    async def _step(self, *, is_back: bool) -> None:
        try:
            moves = self.session.undo() if is_back else self.session.redo()
        except IllegalMove as error:
            self._say(str(error), is_error=True)
            return
        self._is_paused = self.session.is_computer_to_move
        done = "Taken back" if is_back else "Played again"
        await self._show(f"{done}: {' '.join(moves)}. {'' if self.session.is_over else self._who_moves()}")

    async def action_pause(self) -> None:
        """Let the computer players wait, or play on."""
        if not any(seat.computer for seat in self.session.seats):
            self._say("No computer player is at this table.", is_error=True)
            return
        self._is_paused = not self._is_paused
        await self._show()

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """Look for a good move for about a second, say what it is worth, and put the cursor on its square."""
        if self.session.is_over:
            self._say(self._how_it_ended(), is_error=True)
            return
        if self._waits():
            return
        stop = threading.Event()
        try:
            self.session.check_persons_turn()
            self._say("Looking for a good move.")
            found = await asyncio.to_thread(self.session.hints.hint, self.session.game.copy(), stop=stop)
        except QuetError as error:
            self._say(str(error), is_error=True)
            return
        finally:
            stop.set()  # so that a search ends whose position has gone
        self._tell_beside(PLAIN if found.is_plain else "")
        self._say(found.sentence)
        for square in self._scene.squares:
            if found.move in square.moves or (square.prompt and found.move.startswith(square.prompt)):
                self.query_one(Board).point_at(square)
                break

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether the key of this action is of use here: a game for one has no draw."""
        return action != "draw" or self.session.game.num_players > 1

    @work(exclusive=True, group="end")
    async def action_resign(self) -> None:
        """Resign, if that is wanted."""
        try:
            if await self._questions.resign():
                await self._show()
        except QuetError as error:
            self._say(str(error), is_error=True)

    @work(exclusive=True, group="end")
    async def action_draw(self) -> None:
        """Offer a draw."""
        try:
            sentence = await self._questions.draw()
        except QuetError as error:
            self._say(str(error), is_error=True)
            return
        if self.session.is_over:
            await self._show()
        elif sentence is not None:
            self._say(f"{sentence} {self._who_moves()}" if sentence else "")

    def action_rules(self) -> None:
        """Show the rules of the game, and the keys."""
        self.app.push_screen(Rules(self.session.game.entry))

    @work(exclusive=True, group="files")
    async def action_save(self) -> None:
        """Save the game to a file; one that exists is replaced only if that is wanted."""
        try:
            name = await save(self.app, self.session, self._file)
        except QuetError as error:
            self._say(str(error), is_error=True)
            return
        if name is None:
            self._say("The game was not saved.")
        else:
            self._saved, self._file = self.session.kept, name
            self._remembered.going_on(None)
            self._say(f"Saved as {name}.")

    @work(exclusive=True, group="files")
    async def action_load(self) -> None:
        """Load a game from a file and go on with it."""
        if not await self._may_leave("Load another game"):
            return
        try:
            session = await load(self.app, self.session.another, self._file)
        except QuetError as error:
            self._say(str(error), is_error=True)
            return
        if session is not None:
            self._remembered.going_on(None)
            self.dismiss(session)

    @work(exclusive=True, group="files")
    async def action_new(self) -> None:
        """Go to the menu."""
        if await self._may_leave("Leave it"):
            self._remembered.going_on(None)
            self.dismiss(None)

    @work(exclusive=True, group="files")
    async def action_quit(self) -> None:
        """End the application."""
        if await self._may_leave("Quit"):
            self._remembered.going_on(None)
            self.app.exit()

    async def _may_leave(self, doing: str) -> bool:
        """Whether the game is saved, or need not be."""
        if not self.session.game.moves or self.session.kept == self._saved:
            return True
        return await self.app.push_screen_wait(Confirm("This game is not saved.", doing))
