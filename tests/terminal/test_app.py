"""The terminal application, played as people play it: by keys, by mouse, and by typing."""

import asyncio
import contextlib
import os
import re
import select
import shutil
import subprocess
import sys
import termios
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partialmethod
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Button, Input, Label, OptionList, ProgressBar, Select, Static

import quet
from conftest import small
from quet import catalog
from quet.core.errors import BadParameter
from quet.core.sequences import ways_to_write
from quet.draw.palette import ROLES
from quet.knowledge.hints import Hint
from quet.play.clock import MOST_INCREMENT, MOST_MINUTES, Clock
from quet.play.session import Session, seat
from quet.players import preparation
from quet.players.levels import PLAIN
from quet.players.player import RandomPlayer
from quet.records import record as records
from quet.terminal.app import QuetApp, run
from quet.terminal.board import Board
from quet.terminal.dialogs import AskFile, Choose, Confirm, Rules
from quet.terminal.keys import MOST, KeysInOrder
from quet.terminal.set_up import Menu, SetUp, Wishes
from quet.terminal.table import Table

SMALL: dict[str, dict[str, Any]] = {
    "blob": {"n": 3},
    "convoluted-coprimality": {"n": 4, "grids": 1},
    "divisors-multiples": {"r": 5},
    "palindromes": {"m": 6},
    "plusses-minuses": {"n": 3},
    "sequence-ascension": {"n": 3},
    "sums-grid": {"n": 2},
    "up-and-up": {"n": 3},
}


@asynccontextmanager
async def playing(
    id: str,
    *seats: str,
    size: tuple[int, int] = (80, 24),
    clock: Clock | None = None,
    now: Callable[[], float] = time.monotonic,
    **parameters: Any,
) -> AsyncIterator[Pilot[None]]:
    """The application at the table of a new game."""
    session = Session(quet.new(id, **parameters), [seat(who) for who in seats], clock=clock, seed=1, now=now)
    async with started(session, size) as pilot:
        yield pilot


@asynccontextmanager
async def started(session: Session | None, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[None]]:
    app = QuetApp(session, delay=0)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Table if session else Menu))
        await until(pilot, lambda: app.screen.query("FooterKey"))  # they come last of all that the screen shows
        yield pilot


async def until(pilot: Pilot[None], happens: object) -> None:
    """Wait until the condition is true; the test fails when it doesn't become so."""
    assert callable(happens)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        await pilot.pause()
        with contextlib.suppress(AssertionError):  # where it asks about the table, and a dialog stands before that
            if happens():
                return
        await pilot.pause(0.01)
    raise AssertionError(f"It didn't happen. The screen says: {text(pilot)}")


def table(pilot: Pilot[None]) -> Table:
    screen = pilot.app.screen
    assert isinstance(screen, Table)
    return screen


def game(pilot: Pilot[None]) -> quet.Game:
    return table(pilot).session.game


def status(pilot: Pilot[None]) -> str:
    return str(table(pilot).query_one("#status", Static).render())


def side(pilot: Pilot[None], id: str) -> str:
    return str(table(pilot).query_one(f"#{id}", Static).render())


def text(pilot: Pilot[None]) -> str:
    """All that is on the screen."""
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


async def enter(pilot: Pilot[None], words: str) -> None:
    """Type the words and Enter into the input that has the focus."""
    field = pilot.app.focused
    assert isinstance(field, Input)
    field.value = words
    await pilot.press("enter")
    await pilot.pause()


async def go_to(pilot: Pilot[None], name: str) -> None:
    """Move the cursor with the arrows to a square of a full grid."""
    board = table(pilot).query_one(Board)
    for square in table(pilot)._scene.squares:
        if square.name == name:
            for _ in range(200):
                cursor = board.cursor
                assert cursor is not None
                if cursor.name == name:
                    return
                if cursor.row != square.row:
                    await pilot.press("down" if cursor.row < square.row else "up")
                else:
                    await pilot.press("right" if cursor.column < square.column else "left")
    raise AssertionError(f"There is no way to {name}.")


# Whole games.


async def test_every_game_is_played_to_its_end_by_typing(our_game_id: str) -> None:
    """First on 80 columns, and from the second move on in a window that was made narrower."""
    random = RandomPlayer(2)
    async with playing(our_game_id, size=(80, 24), **small(our_game_id, SMALL)) as pilot:
        await pilot.press("m")
        while not game(pilot).is_over:
            if our_game_id == "sums-grid":
                full = ["a1=1", "b1=2", "a2=3", "b2=9", "b2=5", "done"]
                move = full[game(pilot).ply]
            else:
                move = random.choose(game(pilot))
            before = game(pilot).ply
            await enter(pilot, move)
            assert (game(pilot).ply, game(pilot).moves[-1]) == (before + 1, move)
            if before == 0:
                await pilot.resize_terminal(60, 24)
                await pilot.pause()
        assert pilot.app.size.width == 60
        assert "The game is over." in status(pilot)
        assert table(pilot).session.record.summary in status(pilot)
        await pilot.press("escape", "u")
        assert not game(pilot).is_over


@pytest.mark.parametrize(
    "id",
    [
        "blob",
        *(
            pytest.param(id, marks=pytest.mark.long)
            for id in ("convoluted-coprimality", "sequence-ascension", "up-and-up")
        ),
    ],
)
async def test_a_game_is_played_to_its_end_with_the_arrow_keys(id: str) -> None:
    random = RandomPlayer(3)
    async with playing(id, **SMALL[id]) as pilot:
        while not game(pilot).is_over:
            move = random.choose(game(pilot))
            await go_to(pilot, move)
            await pilot.press("space" if game(pilot).ply % 2 else "enter")
            assert game(pilot).moves[-1] == move


async def test_blob_is_played_to_its_end_with_the_mouse() -> None:
    async with playing("blob", n=3) as pilot:
        for x, y in [(4, 5), (8, 5), (8, 3), (8, 1)]:  # columns a at 4, b at 8; rows 1, 2, 3 at 5, 3, 1
            await pilot.click(Board, offset=(x, y))
            await pilot.pause()
        assert game(pilot).moves == ["a1", "b1", "b2", "b3"]
        assert game(pilot).is_over


async def test_palindromes_is_played_to_its_end_with_digits_on_the_squares() -> None:
    async with playing("palindromes", m=4) as pilot:
        await pilot.press("home", "1", "right", "0", "right", "1", "right", "0")
        assert game(pilot).moves == ["1=1", "2=0", "3=1", "4=0"]
        assert "Player 2 wins: 0-10." in status(pilot)


async def test_plusses_and_minuses_is_played_to_its_end_with_keys_and_a_button() -> None:
    async with playing("plusses-minuses", n=2) as pilot:
        await pilot.press("+")
        table(pilot).query(Button).last().press()
        await until(pilot, lambda: game(pilot).ply == 2)
        assert game(pilot).moves == ["+", "-"]
        assert not table(pilot).query_one("#choices").display
        await go_to(pilot, "a1")
        await pilot.press("enter")
        await go_to(pilot, "b2")
        await pilot.press("enter")
        assert game(pilot).is_over


async def test_the_buttons_of_predictions_say_columns_to_one_player_and_rows_to_the_other() -> None:
    async with playing("plusses-minuses", n=4) as pilot:
        for words in ("+ next column is higher", "+ next row is further right", "+ next column is higher"):
            await until(pilot, lambda words=words: words in text(pilot))
            await pilot.press("+")


async def test_the_sums_grid_is_filled_square_by_square_and_finished_with_a_key() -> None:
    async with playing("sums-grid", n=2) as pilot:
        for name, number in [("a1", "1"), ("b1", "2"), ("a2", "4")]:
            await go_to(pilot, name)
            await pilot.press("enter")
            assert table(pilot).query_one("#move", Input).value == f"{name}="
            await pilot.press(number, "enter")
            await pilot.pause()
            assert isinstance(pilot.app.focused, Board)
        await go_to(pilot, "b2")
        await pilot.press("1", "5", "enter")
        await pilot.pause()
        await pilot.press("d")
        assert game(pilot).moves == ["a1=1", "b1=2", "a2=4", "b2=15", "done"]


async def test_a_square_with_several_moves_asks_which() -> None:
    async with playing("divisors-multiples", r=2) as pilot:
        await go_to(pilot, "2")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, Table))
        assert game(pilot).moves == []
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        await pilot.press("!")
        await until(pilot, lambda: isinstance(pilot.app.screen, Table) and game(pilot).ply == 1)
        assert game(pilot).moves == ["2!"]
        assert game(pilot).is_over


async def test_an_exclamation_mark_on_a_number_stops_there() -> None:
    async with playing("divisors-multiples", r=4) as pilot:
        await go_to(pilot, "4")
        await pilot.press("!")
        assert game(pilot).moves == ["4!"]


# What is refused.


async def test_an_illegal_move_shows_the_rule_and_changes_nothing() -> None:
    async with playing("blob", n=4) as pilot:
        await go_to(pilot, "a1")
        await pilot.press("enter", "enter")
        assert status(pilot) == "! a1 is filled already."
        await go_to(pilot, "d4")
        await pilot.press("enter")
        assert status(pilot) == "! d4 is not beside a filled square."
        await pilot.press("m")
        await enter(pilot, "z9")
        assert status(pilot) == "! z9 is off the grid; the squares are a1 to d4."
        assert game(pilot).moves == ["a1"]


async def test_a_forbidden_square_is_refused_for_the_square_where_moves_say_more() -> None:
    async with playing("palindromes", m=4) as pilot:
        await pilot.press("home", "1", "enter")
        assert status(pilot) == "! Square 1 holds a 1 already."
    async with playing("divisors-multiples", r=5) as pilot:
        await pilot.press("m")
        await enter(pilot, "5!")
        await pilot.press("escape")
        await go_to(pilot, "3")
        await pilot.press("enter")
        assert status(pilot) == "! 3 is neither a divisor nor a multiple of 5."


async def test_what_is_typed_with_markup_capitals_and_blanks_is_read_as_it_is() -> None:
    async with playing("blob", n=4) as pilot:
        await pilot.press("m")
        await enter(pilot, "[red]x[/]")
        assert "'[red]x[/]'" in status(pilot)
        await enter(pilot, "  B 2 ")
        assert game(pilot).moves == ["b2"]


async def test_what_to_do_stands_beside_the_board_and_goes_with_the_game() -> None:
    async with playing("plusses-minuses", n=2) as pilot:
        assert side(pilot, "goal") == game(pilot).goal and "column b" in game(pilot).goal
        for move in ("+", "-", "a1"):
            await pilot.press("m")
            await enter(pilot, move)
            assert side(pilot, "goal") == game(pilot).goal
        await pilot.press("m")
        await enter(pilot, "b2")
        assert not table(pilot).query_one("#goal").display


async def test_it_is_said_who_is_out_and_why() -> None:
    async with playing("convoluted-coprimality", n=5, players=3) as pilot:
        for move in "b5 c5 d5 e5 e4 d4 c4 b4 a4 a3 a2 a1 b1 b2".split():
            await pilot.press("m")
            await enter(pilot, move)
        assert status(pilot) == (
            "Player 1: b2. Player 1 is out of the game – eliminated: wrote 15 beside 12, in b2. Player 2 to move."
        )


async def test_a_finished_game_takes_no_moves() -> None:
    async with playing("palindromes", m=1) as pilot:
        await pilot.press("0", "enter")
        assert status(pilot) == "! The game is over. Player 1 and player 2 share the win: 0-0."


# Undo, rules, files.


async def test_undo_and_redo() -> None:
    async with playing("blob", n=3) as pilot:
        await pilot.press("u")
        assert status(pilot) == "! There is no move to take back."
        await pilot.press("enter", "u")
        assert game(pilot).moves == []
        assert status(pilot) == "Taken back: b2. Player 1 to move."
        await pilot.press("r")
        assert game(pilot).moves == ["b2"]
        await pilot.press("r")
        assert status(pilot) == "! There is no move to play again."


async def test_the_rules_rulings_and_source_are_shown(game_id: str) -> None:
    async with playing(game_id) as pilot:
        await pilot.press("m", "f1")
        assert isinstance(pilot.app.screen, Rules)
        shown = " ".join(str(static.render()) for static in pilot.app.screen.query(Static))
        facts = quet.new(game_id).entry.facts
        ways = ways_to_write() if game_id == "sequence-ascension" else []
        for sentence in [facts["author"], facts["source"], *facts["rules"], *facts["rulings"].values(), *ways]:
            assert sentence in shown
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, Table)


async def test_a_saved_game_is_loaded_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with playing("palindromes", "person", "random", m=6) as pilot:
        await pilot.press("home", "1")
        await until(pilot, lambda: game(pilot).ply == 2)
        moves = game(pilot).moves
        await pilot.press("s")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskFile))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Table) and "Saved" in status(pilot))
        assert status(pilot) == "Saved as palindromes.quet."
    assert records.load("palindromes.quet")[0].game.moves == moves
    async with playing("blob") as pilot:
        await pilot.press("l")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskFile))
        await enter(pilot, "palindromes.quet")
        await until(pilot, lambda: isinstance(pilot.app.screen, Table) and game(pilot).id == "palindromes")
        assert game(pilot).moves == moves
        assert [player.name for player in table(pilot).session.seats] == ["person", "random"]


async def test_a_file_is_replaced_only_when_that_is_confirmed(tmp_path: Path) -> None:
    file = tmp_path / "mine.quet"
    file.write_text("precious")
    async with playing("blob", n=3) as pilot:
        for answer, content in [("n", "precious"), ("y", "[Game")]:
            await pilot.press("s")
            await until(pilot, lambda: isinstance(pilot.app.screen, AskFile))
            await enter(pilot, str(file))
            await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
            await pilot.press(answer)
            await until(pilot, lambda: isinstance(pilot.app.screen, Table) and "to move" not in status(pilot))
            assert file.read_text().startswith(content)


async def test_a_file_with_several_games_is_replaced_knowingly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    records.save("two.quet", [quet.new("blob", n=3), quet.new("blob", n=4)])
    records.save("one.quet", [quet.new("blob", n=3)])
    async with playing("blob", n=3) as pilot:
        for name, asked, offered in (
            ("two.quet", "two.quet has 2 games. Replace them all by this one?", "blob.quet"),
            ("one.quet", "one.quet exists. Replace it?", "one.quet"),
        ):
            before = table(pilot)
            await pilot.press("l")
            await until(pilot, lambda: isinstance(pilot.app.screen, AskFile))
            await enter(pilot, name)
            if name == "two.quet":
                await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
                await pilot.press("down", "enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, Table) and pilot.app.screen is not before)  # noqa: B023
            await pilot.press("s")
            await until(pilot, lambda: isinstance(pilot.app.focused, Input))
            field = pilot.app.focused
            assert isinstance(field, Input) and field.value == offered
            await enter(pilot, name)
            await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
            assert asked in text(pilot)
            await pilot.press("n")
            await until(pilot, lambda: isinstance(pilot.app.screen, Table))


async def test_files_that_fail_are_a_sentence(tmp_path: Path) -> None:
    async with playing("blob", n=3) as pilot:
        for key, name in [
            ("s", str(tmp_path / "no" / "such")),
            ("l", str(tmp_path)),
            ("s", "x" * 5000),
            ("l", "~no one~"),
        ]:
            await pilot.press(key)
            await until(pilot, lambda: isinstance(pilot.app.screen, AskFile))
            await enter(pilot, name)
            await until(pilot, lambda: isinstance(pilot.app.screen, Table) and status(pilot).startswith("!"))
            await pilot.press("enter", "u")


@pytest.mark.parametrize("keys", [["down", "enter"], ["3", "2"]], ids=" ".join)
async def test_a_file_of_several_games_asks_which(tmp_path: Path, keys: list[str]) -> None:
    file = tmp_path / "two.quet"
    records.save(file, [records.Record.of(quet.new("blob", n=3)), records.Record.of(quet.new("up-and-up", n=3))])
    async with started(None) as pilot:
        await pilot.press("l")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskFile))
        await enter(pilot, str(file))
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        await pilot.press(*keys)
        await until(pilot, lambda: isinstance(pilot.app.screen, Table))
        assert game(pilot).id == "up-and-up"


async def test_leaving_an_unsaved_game_asks_first() -> None:
    async with playing("blob", n=3) as pilot:
        await pilot.press("enter", "q")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("n")
        await until(pilot, lambda: isinstance(pilot.app.screen, Table))
        await pilot.press("n")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: isinstance(pilot.app.screen, Menu))


@pytest.mark.parametrize("is_in_menu", [True, False])
async def test_a_loaded_game_has_the_clock_of_the_table_or_of_the_command_line(
    is_in_menu: bool, tmp_path: Path
) -> None:
    file = tmp_path / "game.quet"
    records.save(file, [records.Record.of(quet.new("blob", n=3))])
    wishes = Wishes(seconds=90.0, increment=5.0, seed=4, memory=32 << 20)
    app = QuetApp(None if is_in_menu else wishes.session(quet.new("palindromes", m=4)), wishes, delay=0)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Menu if is_in_menu else Table))
        await pilot.press("l")
        await until(pilot, lambda: isinstance(app.screen, AskFile))
        await enter(pilot, str(file))
        await until(pilot, lambda: isinstance(app.screen, Table) and game(pilot).id == "blob")
        assert status(pilot) == "The clocks begin anew: a file keeps none. Player 1 to move."
        assert "2 person: 3  1:30" in side(pilot, "players")
        session = table(pilot).session
        assert (session.clock, session._seed, session._memory) == (Clock(90.0, 5.0), 4, 32 << 20)


async def test_a_game_that_was_saved_and_then_resigned_is_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def save(pilot: Pilot[None]) -> None:
        name = f"{table(pilot).session.is_over}.quet"
        await pilot.press("s")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskFile))
        await enter(pilot, name)
        await until(pilot, lambda: isinstance(pilot.app.screen, Table) and "Saved" in status(pilot))

    async with playing("blob", n=3) as pilot:
        await pilot.press("enter")
        await save(pilot)
        await pilot.press("x")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: status(pilot).startswith("The game is over."))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("n")
        await until(pilot, lambda: isinstance(pilot.app.screen, Table))
        await save(pilot)
        await pilot.press("q")
        await until(pilot, lambda: not pilot.app.is_running)


async def test_ctrl_q_asks_as_q_does_and_not_twice() -> None:
    async with playing("blob", n=3) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: game(pilot).ply == 1)
        await pilot.press("ctrl+q")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("ctrl+q")
        notices = pilot.app._notifications
        await until(pilot, lambda: [notice.message for notice in notices] == ["Escape closes this first."])
        assert pilot.app.is_running and isinstance(pilot.app.screen, Confirm)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, Table))
        await pilot.press("ctrl+q")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: not pilot.app.is_running)


@pytest.mark.parametrize("is_in_menu", [True, False])
async def test_ctrl_q_ends_it_at_once_where_nothing_can_be_lost(is_in_menu: bool) -> None:
    async with started(None if is_in_menu else Session(quet.new("blob", n=3))) as pilot:
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not pilot.app.is_running)


# Hints.


async def test_a_hint_says_what_a_move_is_worth_and_puts_the_cursor_on_its_square() -> None:
    async with playing("palindromes", m=6) as pilot:
        for move in ("4=0", "5=0", "1=0", "3=0"):
            table(pilot).session.play(move)
        await pilot.press("u", "r", "end", "h")
        await until(pilot, lambda: status(pilot).startswith("Hint: 2=0, a win by 14 (proven: "))
        hinted = "2"
        await until(pilot, lambda: (square := pilot.app.screen.query_one(Board).cursor) and square.name == hinted)
        assert game(pilot).ply == 4


@pytest.mark.parametrize(("id", "is_on_board"), [("plusses-minuses", False), ("sums-grid", True)])
async def test_a_hint_may_be_off_the_board_or_need_a_number(id: str, is_on_board: bool) -> None:
    async with playing(id, n=2) as pilot:
        await pilot.press("h")
        await until(pilot, lambda: status(pilot).startswith("Hint: "))
        square = pilot.app.screen.query_one(Board).cursor
        assert square is not None
        move = status(pilot).removeprefix("Hint: ").split(",")[0]
        assert move.startswith(square.name) == is_on_board


async def test_a_hint_for_a_position_that_is_no_more_is_stopped_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    has_stopped = threading.Event()

    def look(game: quet.Game, *, seconds: float, stop: threading.Event) -> Hint:
        assert stop.wait(60)
        has_stopped.set()
        return Hint(game.legal_moves[0], "a win", game.legal_moves[:1])

    monkeypatch.setattr("quet.knowledge.hints.hint", look)
    async with playing("blob", n=3) as pilot:
        await pilot.press("h")
        await until(pilot, lambda: status(pilot) == "Looking for a good move.")
        await pilot.press("enter")  # the screen answers meanwhile
        await until(pilot, lambda: game(pilot).moves == ["b2"])
        await until(pilot, has_stopped.is_set)
        await pilot.pause(0.05)
        assert "Hint" not in status(pilot)


async def test_there_is_no_hint_when_the_game_is_over_or_the_computer_moves() -> None:
    async with playing("palindromes", m=1) as pilot:
        await pilot.press("home", "1", "h")
        await until(pilot, lambda: status(pilot) == "! The game is over. Player 1 and player 2 share the win: 0-0.")
    async with playing("palindromes", "random", m=4) as pilot:
        await until(pilot, lambda: game(pilot).ply == 1)
        for keys in (["u", "h"], ["1"]):  # the computer waits, and it is said how it goes on
            await pilot.press(*keys)
            await until(pilot, lambda: status(pilot) == "! The computer waits; c lets it play on.")


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_the_longest_hint_is_read_to_its_end_beside_the_whole_board(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(game: quet.Game, *, seconds: float, stop: threading.Event) -> Hint:
        supposed = (
            "This supposes that all play perfectly: each wants the largest share of the win, and of equal moves takes "
            "the one that is best for the next player, then for the one after."
        )
        return Hint("e4", f"a win with the scores 0-1-0 (proven: table of results). {supposed}", ["e4"] * 20)

    monkeypatch.setattr("quet.knowledge.hints.hint", look)
    async with playing("blob", size=size) as pilot:
        await pilot.press("h")
        await until(pilot, lambda: status(pilot).startswith("Hint: "))
        await until(pilot, lambda: status(pilot) in " ".join(text(pilot).split()))
        assert all(f"{row} │" in text(pilot) for row in range(1, 9))


@pytest.mark.parametrize("id", ["blob", "up-and-up"])
async def test_the_footer_shows_all_its_keys_at_80_columns(id: str) -> None:
    async with playing(id, n=8) as pilot:
        footer = text(pilot).splitlines()[-1]
        shown = [
            f"{pilot.app.get_key_display(active.binding)} {active.binding.description}"
            for active in table(pilot).active_bindings.values()
            if active.binding.show
        ]
        assert {"m Move", "h Hint", "x Resign", "q Quit"} <= set(shown)
        assert ("o Draw" in shown) == (id == "blob")
        assert [key for key in shown if f" {key} " not in f" {footer} "] == []


# Resigning and draws.


async def test_a_person_resigns_after_a_question() -> None:
    async with playing("blob", n=3) as pilot:
        await pilot.press("x")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        assert "Does player 1 resign?" in text(pilot)
        await pilot.press("n")
        await until(pilot, lambda: isinstance(pilot.app.screen, Table))
        assert not table(pilot).session.is_over
        await pilot.press("x")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: status(pilot) == "The game is over. Player 2 wins: player 1 resigned.")
        await pilot.press("x")
        await until(pilot, lambda: status(pilot) == "! The game is over: player 1 resigned.")


async def test_whoever_resigns_with_three_players_is_told_that_the_game_ends_for_all() -> None:
    async with playing("convoluted-coprimality", "person", "person", "person", n=3, players=3) as pilot:
        await pilot.press("x")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        assert "Does player 1 resign? The game then ends for all." in text(pilot)


async def test_the_other_seat_is_asked_for_a_draw() -> None:
    async with playing("blob", n=3) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        assert "Player 1 offers a draw. Does player 2 accept it?" in text(pilot)
        await pilot.press("n")
        await until(pilot, lambda: status(pilot) == "Player 2 declines the draw. Player 1 to move.")
        await pilot.press("enter", "o")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: status(pilot).endswith("share the win: a draw by agreement."))


async def test_a_computer_player_answers_an_offer_of_a_draw_by_its_score() -> None:
    async with playing("divisors-multiples", "person", "random", r=8) as pilot:
        await pilot.press("m")
        await enter(pilot, "8")
        await pilot.press("escape")
        await until(pilot, lambda: game(pilot).mover == 1 and game(pilot).scores[0] > game(pilot).scores[1])
        await pilot.press("o", "n")
        assert not table(pilot).session.is_over
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: status(pilot).startswith("The computer declines the draw: its score is better."))


async def test_a_draw_is_asked_about_where_the_other_person_is_out_of_the_game() -> None:
    game = quet.new("convoluted-coprimality", n=5, players=3, grids=2)
    for move in "b5 c5 d5 e5 e4 d4 c4 b4 a4 a3 b3".split():
        game.play(move)
    session = Session(game, [seat(who) for who in ("person", "level:1", "person")])
    async with started(session) as pilot:
        assert session.match.others([1]) == ()
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        assert not session.is_over


# Computer players and clocks.


async def test_a_computer_player_answers_by_itself() -> None:
    async with playing("palindromes", "person", "random", m=4) as pilot:
        await pilot.press("home", "1")
        await until(pilot, lambda: game(pilot).ply == 2)
        await until(pilot, lambda: "Player 1 to move." in status(pilot))
        await pilot.press("u")
        assert game(pilot).moves == []


async def test_computers_play_a_whole_game_alone() -> None:
    async with playing("blob", "random", "random", n=4) as pilot:
        await until(pilot, lambda: "The game is over." in status(pilot))
        assert game(pilot).ply == 8


async def test_after_undo_to_its_move_the_computer_waits_until_it_is_let_on() -> None:
    async with playing("palindromes", "random", m=4) as pilot:
        await until(pilot, lambda: game(pilot).ply == 1)
        await pilot.press("u")
        await pilot.pause(0.05)
        assert game(pilot).ply == 0
        assert "The computer waits; c lets it play on." in status(pilot)
        await pilot.press("c")
        await until(pilot, lambda: game(pilot).ply == 1)


async def test_the_screen_answers_while_a_computer_player_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    may_answer = threading.Event()

    def think(self: RandomPlayer, game: quet.Game, stop: threading.Event) -> str:
        assert may_answer.wait(60)
        return game.legal_moves[0]

    monkeypatch.setattr(RandomPlayer, "choose", think)
    async with playing("palindromes", "person", "random", m=4) as pilot:
        await pilot.press("end", "1")
        await until(pilot, lambda: game(pilot).ply == 1)
        await pilot.press("home", "enter")
        await until(pilot, lambda: status(pilot) == "! It is the computer's turn.")
        await pilot.press("u")
        await until(pilot, lambda: game(pilot).ply == 0)
        may_answer.set()
        await pilot.pause(0.1)
        assert game(pilot).ply == 0  # a move thought of for a position that is no more isn't played


async def test_time_that_runs_out_ends_the_game() -> None:
    seconds = [0.0]
    async with playing("blob", n=3, clock=Clock(90), now=lambda: seconds[0]) as pilot:
        assert "1 person: 3  1:30" in side(pilot, "players")
        seconds[0] = 30.5
        await until(pilot, lambda: "1 person: 3  1:00" in side(pilot, "players"))
        seconds[0] = 91
        await until(pilot, lambda: "The game is over." in status(pilot))
        assert status(pilot) == "The game is over. Player 2 wins: the time of player 1 has run out."
        await pilot.press("enter")
        assert game(pilot).moves == []


@pytest.mark.parametrize("key", ["x", "o"])
async def test_time_that_runs_out_behind_a_question_ends_the_game(key: str) -> None:
    seconds = [0.0]
    async with playing("blob", n=3, clock=Clock(90), now=lambda: seconds[0]) as pilot:
        await pilot.press(key)
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        seconds[0] = 91
        await until(pilot, lambda: isinstance(pilot.app.screen, Table))
        assert status(pilot) == "The game is over. Player 2 wins: the time of player 1 has run out."


async def test_time_that_runs_out_behind_a_choice_of_moves_ends_the_game() -> None:
    seconds = [0.0]
    async with playing("palindromes", m=4, clock=Clock(90), now=lambda: seconds[0]) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        seconds[0] = 91
        await until(pilot, lambda: isinstance(pilot.app.screen, Table))
        assert "the time of player 1 has run out." in status(pilot)


# The menu and the set-up page.


async def test_the_menu_has_all_games_with_their_summaries() -> None:
    async with started(None) as pilot:
        games = pilot.app.screen.query_one(OptionList)
        assert [games.get_option_at_index(i).id for i in range(games.option_count)] == catalog.ids()
        for id in catalog.ids():
            facts = quet.new(id).entry.facts
            assert f" {facts['title']}\n" in text(pilot)  # all games are seen at once
            assert facts["summary"] in " ".join(text(pilot).split())
            await pilot.press("down")


async def test_every_game_is_set_up_and_started_from_the_menu(game_id: str) -> None:
    async with started(None) as pilot:
        await pilot.press(*["down"] * catalog.ids().index(game_id), "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SetUp))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Table))
        assert game(pilot).id == game_id
        assert {name: str(value) for name, value in game(pilot).parameters.items()} == {
            parameter.name: str(parameter.default) for parameter in game(pilot).rules.PARAMETERS
        }


async def test_a_wrong_parameter_is_told_at_its_field_and_nothing_starts() -> None:
    async with started(None) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SetUp))
        error = pilot.app.screen.query_one("#parameter-n-error", Label)
        for value, sentence in [
            ("21", "n must be from 2 to 20, not '21'."),
            ("", "n must be an integer, not ''."),
            ("[b]x", "n must be an integer, not '[b]x'."),
            ("9" * 5000, "n must be from 2 to 20, not '" + "9" * 37 + "...'."),
        ]:
            await enter(pilot, value)
            assert str(error.render()) == sentence
            assert isinstance(pilot.app.screen, SetUp)
            assert pilot.app.screen.query_one("#start", Button).disabled
        await enter(pilot, "4")
        await until(pilot, lambda: isinstance(pilot.app.screen, Table))


async def test_a_bad_sequence_is_told_at_its_field() -> None:
    async with started(None) as pilot:
        await pilot.press(*["down"] * catalog.ids().index("sequence-ascension"), "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SetUp))
        pilot.app.screen.query_one("#parameter-sequence", Input).value = "1,2,3"
        await pilot.pause()
        assert "sequence" in str(pilot.app.screen.query_one("#parameter-sequence-error", Label).render())
        pilot.app.screen.query_one("#parameter-n", Input).value = "x"
        await pilot.pause()
        assert pilot.app.screen.query_one("#start", Button).disabled


async def test_there_are_as_many_seats_as_players() -> None:
    async with started(None) as pilot:
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SetUp))
        for players in (8, 3):
            pilot.app.screen.query_one("#parameter-players", Input).value = str(players)
            await until(pilot, lambda players=players: len(pilot.app.screen.query(Select)) == players)
        pilot.app.screen.query_one("#seat-3", Select).value = "random"
        pilot.app.screen.query_one("#clock-minutes", Input).value = "5"
        pilot.app.screen.query_one("#clock-increment", Input).value = "3"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, Table))
        session = table(pilot).session
        assert [player.name for player in session.seats] == ["person", "person", "random"]
        assert session.clock is not None and (session.clock.seconds, session.clock.increment) == (300, 3)


async def test_a_bad_clock_is_told_and_escape_goes_back_to_the_menu() -> None:
    async with started(None) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SetUp))
        pilot.app.screen.query_one("#clock-minutes", Input).value = "0"
        await pilot.pause()
        error = pilot.app.screen.query_one("#clock-minutes-error", Label)
        assert str(error.render()) == "minutes must be an integer from 1 to 10000, or empty."
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, Menu))


def test_a_bad_command_line_is_refused_before_anything_is_drawn() -> None:
    with pytest.raises(quet.UnknownGame):
        run("chess")
    with pytest.raises(quet.BadParameter, match="n must be from 2 to 20"):
        run("blob", {"n": "99"})
    with pytest.raises(quet.BadParameter, match="There is no player 'nobody'; there is person"):
        run(None, seats=["nobody"])


# The board on the screen.


async def test_a_board_of_8_by_8_is_whole_at_80_by_24_and_at_60_columns() -> None:
    for size in [(80, 24), (60, 24)]:
        async with playing("blob", size=size) as pilot:
            await until(pilot, lambda pilot=pilot: "F1 Rules" in text(pilot))
            shown = text(pilot)
            assert all(f"{row} │" in shown for row in range(1, 9))
            assert shown.count("8 good") >= 8
            assert "1 person: 8" in shown and "Player 1 to move." in shown


@pytest.mark.parametrize("size", [(20, 6), (27, 8)])
async def test_in_a_very_small_window_the_board_and_the_line_are_there(size: tuple[int, int]) -> None:
    def is_whole() -> bool:
        """Whether the row of the cursor and the line are seen."""
        return re.search(r"2 │ ?[• ]", text(pilot)) is not None and " Move: " in text(pilot)

    async with playing("blob", n=3, size=size) as pilot:
        assert is_whole()
        await pilot.press("m")
        await enter(pilot, "b2")
        await until(pilot, lambda: game(pilot).moves == ["b2"] and is_whole())
        assert "Player 2 to move." in " ".join(text(pilot).split())
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "1 person: 3" in text(pilot))


async def test_a_large_board_scrolls_to_the_cursor() -> None:
    large: list[tuple[str, dict[str, Any], str, str]] = [
        ("blob", {"n": 20}, "a20", "t1"),
        ("divisors-multiples", {"r": 1000}, "512", "1"),
    ]
    for id, parameters, first, last in large:
        async with playing(id, size=(60, 24), **parameters) as pilot:
            board = table(pilot).query_one(Board)
            await pilot.press("home")
            assert board.cursor is not None and board.cursor.name == first
            top = board.scroll_offset
            await pilot.press("end")
            assert board.cursor.name == last
            assert board.scroll_offset != top
            assert "┃" in text(pilot)


@pytest.mark.parametrize(("id", "move"), [("blob", "e4"), ("divisors-multiples", "4!"), ("plusses-minuses", "+")])
@pytest.mark.parametrize("size", [pytest.param((80, 24), marks=pytest.mark.long), (60, 20)])
async def test_page_keys_reach_all_that_stands_beside_the_board(id: str, move: str, size: tuple[int, int]) -> None:
    async with playing(id, size=size) as pilot:
        await pilot.press("m")
        await enter(pilot, move)
        first, last = game(pilot).goal.split()[0], f"1.{move}"
        assert first in text(pilot) and last not in text(pilot)
        for opening in ("escape", "m"):  # on the board, and in the line
            await pilot.press(opening, *["pagedown"] * 5)
            await until(pilot, lambda: last in text(pilot) and first not in text(pilot))
            await pilot.press(*["pageup"] * 5)
            await until(pilot, lambda: first in text(pilot) and last not in text(pilot))


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_predictions_stand_above_what_is_true_in_narrow_places(size: tuple[int, int]) -> None:
    async with playing("plusses-minuses", size=size) as pilot:
        await pilot.press("+", "-", "pagedown")
        await until(pilot, lambda: "2.-  1.+" in text(pilot))
        beside = [line.partition("▏ ")[2][:13] for line in text(pilot).splitlines()]
        assert [line for line in beside if line in ("+ . . . . . .", "- . . . . . .", ". . . . . . .")] == [
            "+ . . . . . .",
            ". . . . . . .",
            "- . . . . . .",
            ". . . . . . .",
        ]


async def test_nothing_is_said_by_colour_alone() -> None:
    async with playing("blob", n=3) as pilot:
        await go_to(pilot, "a1")
        await pilot.press("enter", "up", "enter", "down", "right")
        shown = text(pilot)
        assert "1 │███┃ • ┃" in shown  # filled, legal
        assert "2 │[█]│ • │" in shown  # the last move
        assert "┃" in shown  # the cursor
        assert "► 1 person" in shown  # who is to move


async def test_the_square_under_the_cursor_is_told_in_words() -> None:
    async with playing("up-and-up", n=3) as pilot:
        await pilot.press("enter")
        assert side(pilot, "square") == "b2: holds 1, the last move"
        await pilot.press("up")
        assert side(pilot, "square") == "b3: empty; legal"


async def test_light_and_dark_are_changed_with_a_key() -> None:
    async with playing("blob", n=3) as pilot:
        is_dark = pilot.app.current_theme.dark
        await pilot.press("t")
        assert pilot.app.current_theme.dark != is_dark
        assert "Player 1 to move." in text(pilot)


# The real program.


@pytest.mark.skipif(not shutil.which("tmux") and not os.environ.get("CI"), reason="needs tmux")
def test_the_program_itself_plays_a_game_in_a_terminal(tmp_path: Path) -> None:
    def tmux(*words: str) -> str:
        command = ["tmux", "-S", str(tmp_path / "socket"), "-f", os.devnull, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path).stdout

    def wait_for(words: str) -> None:
        for _ in range(200):
            if words in tmux("capture-pane", "-p"):
                return
            time.sleep(0.1)
        raise AssertionError(f"The screen never said {words!r}: {tmux('capture-pane', '-p')}")

    program = f"env QUET_DATA={tmp_path / 'data'} {sys.executable} -m quet play palindromes m=2"
    tmux("new-session", "-d", "-x", "80", "-y", "24", "sh")
    try:
        tmux("send-keys", "-l", f"{program}; echo status $?\n")
        wait_for("Player 1 to move.")
        tmux("send-keys", "Home", "1")
        wait_for("Player 2 to move.")
        tmux("send-keys", "Enter")
        wait_for("! Square 1 holds a 1 already.")
        shell = tmux("display-message", "-p", "#{pane_pid}").strip()
        subprocess.run(["pkill", "-TERM", "-P", shell], check=True)
        wait_for("status 143")
        state = tmux("display-message", "-p", "#{alternate_on} #{mouse_any_flag} #{cursor_flag}")
        assert state == "0 0 1\n", "The terminal is as it was."
        tmux("send-keys", "-l", f"{program}; echo status $?\n")
        wait_for("and not saved. Forget it?")  # on two lines
        tmux("send-keys", "n")
        wait_for("Player 2 to move.")
        tmux("send-keys", "m2=1", "Enter")
        wait_for("The game is over. Player 1 wins: 2-0.")
        tmux("send-keys", "Escape")
        time.sleep(0.3)
        tmux("send-keys", "q")
        wait_for("This game is not saved.")
        tmux("send-keys", "y")
        wait_for("status 0")
    finally:
        tmux("kill-server")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_a_byte_that_is_not_utf_8_ends_nothing(tmp_path: Path) -> None:
    """The bytes come from a terminal of Latin-1. Fails, too, where Textual reads them in another way than before."""
    own, theirs = os.openpty()
    termios.tcsetwinsize(own, (24, 80))
    environment = {**os.environ, "QUET_DATA": str(tmp_path), "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "quet", "play", "palindromes", "m=2"]
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    )
    os.close(theirs)
    shown = b""

    def wait_for(words: bytes) -> None:
        nonlocal shown
        deadline = time.monotonic() + 60
        while words not in shown:
            if select.select([own], [], [], max(0.0, deadline - time.monotonic()))[0]:
                shown += os.read(own, 65536)
            assert time.monotonic() < deadline, shown[-2000:]

    try:
        wait_for(b"Player 1 to move.")
        os.write(own, "ä".encode("latin-1"))
        os.write(own, b"m1=1\r")
        wait_for(b"Player 2 to move.")
    finally:
        process.kill()
        process.wait()
        os.close(own)


def test_the_exit_status_after_an_error_is_not_that_of_success(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QuetApp, "_play_games", lambda app: app.call_later(app.panic, "An error in a thread."))
    monkeypatch.setattr(QuetApp, "run", partialmethod(QuetApp.run, headless=True))
    assert run() == 1


async def test_while_the_search_is_compiled_a_bar_stands_there_and_the_move_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Begun:
        def __init__(self, game_ids: list[str]) -> None:
            self.is_over, self.progress = False, 0.25
            begun.append(self)

        def end(self) -> None:
            """Nothing has to be ended."""

    begun: list[Begun] = []
    monkeypatch.setattr(preparation, "Preparation", Begun)
    monkeypatch.setattr(RandomPlayer, "stand_in", PLAIN)
    beside = preparation.Beside()
    try:
        session = Session(quet.new("palindromes", m=6), [seat("person"), seat("random")], seed=1)
        app = QuetApp(session, delay=0.0, beside=beside)
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, Table))
            assert not app.screen.query_one("#compiling").display
            await pilot.press("m")
            await enter(pilot, "1=0")
            await until(pilot, lambda: game(pilot).ply == 2)
            await until(pilot, lambda: "with less strength" in status(pilot))
            assert app.screen.query_one("#compiling").display
            assert app.screen.query_one(ProgressBar).progress == 0.25
            begun[0].is_over = True
            await until(pilot, lambda: not app.screen.query_one("#compiling").display)
    finally:
        beside.end()


@pytest.mark.parametrize(("id", "is_cost"), [("divisors-multiples", True), ("palindromes", False)])
async def test_scores_that_are_costs_have_the_colour_of_costs(id: str, is_cost: bool) -> None:
    async with playing(id, **SMALL[id]) as pilot:
        for is_dark in (True, False):
            await pilot.pause()
            assert pilot.app.current_theme.dark == is_dark
            colours = {
                segment.style.color.get_truecolor().hex
                for strip in pilot.app.screen._compositor.render_strips()
                for segment in strip
                if segment.style is not None and segment.style.color is not None
            }
            assert (ROLES["cost"][is_dark] in colours) == is_cost
            await pilot.press("t")


@pytest.mark.parametrize(
    ("theme", "colours", "is_dark"),
    [
        ("light", "15;0", False),
        ("dark", "0;15", True),
        ("auto", "0;15", False),
        ("auto", "0;default;7", False),
        ("auto", "15;0", True),
        ("auto", "7;8", True),
        ("auto", "", True),
    ],
)
def test_the_theme_is_the_one_asked_for_or_goes_with_the_terminal(
    theme: str, colours: str, is_dark: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLORFGBG", colours)
    assert QuetApp(theme=theme).current_theme.dark == is_dark


def burst(pilot: Pilot[None], keys: str) -> None:
    """Let the keys come at once, as over a slow line; the characters `|`, `<` and `^` are Enter, Escape and Ctrl-U."""
    special = {"|": ("enter", "\r"), "<": ("escape", None), "^": ("ctrl+u", None)}
    for character in keys:
        name, sent = special.get(character, (character, character))
        pilot.app.post_message(Key(name, sent))


async def test_keys_that_come_at_once_act_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with playing("blob", n=5) as pilot:
        burst(pilot, "ma1|")
        await until(pilot, lambda: game(pilot).moves == ["a1"])
        burst(pilot, "<s^two.quet|")
        await until(pilot, lambda: status(pilot) == "Saved as two.quet.")
        burst(pilot, "mx1|")
        await until(pilot, lambda: status(pilot).startswith("!"))
        assert isinstance(pilot.app.screen, Table) and not table(pilot).session.is_over
        burst(pilot, "<ma2|<ms|")  # the first is played, and of what isn't a move nothing is saved
        await until(pilot, lambda: game(pilot).moves == ["a1", "a2"])
        burst(pilot, "<xy")
        await until(pilot, lambda: table(pilot).session.is_over)
    async with playing("sums-grid", n=3) as pilot:
        burst(pilot, "12|")  # digits open the line, which closes after the move
        await until(pilot, lambda: game(pilot).ply == 1)
        played = game(pilot).moves[0]
        assert played.endswith("=12")
        burst(pilot, "u34|")
        await until(pilot, lambda: game(pilot).moves == [played.replace("=12", "=34")])


async def test_ctrl_q_overtakes_the_keys_that_wait_and_drops_them(monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = asyncio.Event()

    async def slowly(self: Table) -> None:
        await may_go_on.wait()

    monkeypatch.setattr(Table, "action_type", slowly)
    async with playing("blob", n=5) as pilot:
        burst(pilot, "mxy")
        pilot.app.post_message(Key("ctrl+q", None))
        await until(pilot, lambda: pilot.app._exit)
        assert not pilot.app._in_order._waiting  # type: ignore[attr-defined]
        may_go_on.set()


async def test_no_more_keys_wait_than_a_line_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KeysInOrder, "_next", AsyncMock())
    async with playing("blob", n=5) as pilot:
        burst(pilot, "a" * 2 * MOST)
        await until(pilot, lambda: len(pilot.app._in_order._waiting) == MOST)  # type: ignore[attr-defined]
        await pilot.pause()
        assert len(pilot.app._in_order._waiting) == MOST  # type: ignore[attr-defined]


async def test_keys_do_not_overtake_one_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    async def slowly(self: Table) -> None:
        await asyncio.sleep(1)
        self._open_line("")

    monkeypatch.setattr(Table, "action_type", slowly)
    async with playing("blob", n=5) as pilot:
        burst(pilot, "ma1|<ma2|")
        await until(pilot, lambda: game(pilot).moves == ["a1", "a2"])


async def test_a_key_that_never_ends_does_not_hold_up_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.terminal.keys.LONGEST", 0.05)
    async with playing("blob", n=5) as pilot:
        monkeypatch.setattr(KeysInOrder, "_follow", AsyncMock())  # as a screen that closes meanwhile
        burst(pilot, "ma1|")
        await until(pilot, lambda: game(pilot).moves == ["a1"])


class Failing(RandomPlayer):
    """A computer player who fails once."""

    def choose(self, game: quet.Game, *, stop: threading.Event | None = None) -> str:
        if not hasattr(self, "failed"):
            self.failed = True
            raise BadParameter("There is no room for its search.")
        return super().choose(game)


async def test_a_computer_player_that_fails_says_why_and_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.play.session.player", lambda *_, **__: Failing(1))
    async with playing("palindromes", "level:7", m=6) as pilot:
        await until(pilot, lambda: status(pilot) == "! There is no room for its search.")
        await pilot.press("c")
        await until(pilot, lambda: game(pilot).ply == 1)


async def test_a_computer_player_whose_position_has_gone_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    stops: list[threading.Event] = []

    class Thinking(RandomPlayer):
        def choose(self, game: quet.Game, *, stop: threading.Event | None = None) -> str:
            assert stop is not None
            stops.append(stop)
            assert stop.wait(20.0)
            return super().choose(game)

    monkeypatch.setattr("quet.play.session.player", lambda *_, **__: Thinking(1))
    async with playing("palindromes", "person", "level:7", m=6) as pilot:
        burst(pilot, "m1=0|<")
        await until(pilot, lambda: len(stops) == 1)
        await pilot.press("c")
        await until(pilot, stops[0].is_set)
        await pilot.press("c")  # plays on
        await until(pilot, lambda: len(stops) == 2)
        await pilot.press("u")
        await until(pilot, stops[1].is_set)
        await until(pilot, lambda: game(pilot).ply == 0)


async def test_the_page_takes_each_clock_that_the_command_line_takes() -> None:
    app = QuetApp(None, Wishes(("person",), 60.0 * MOST_MINUTES, float(MOST_INCREMENT)), delay=0)
    async with app.run_test(size=(80, 40)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Menu))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, SetUp) and len(app.screen.query(Select)) > 0)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, Table))


async def test_whoever_was_asked_resigns_though_computers_move_on(monkeypatch: pytest.MonkeyPatch) -> None:
    may_answer = threading.Event()

    def think(self: RandomPlayer, game: quet.Game, stop: threading.Event) -> str:
        assert may_answer.wait(60)
        return "4!"

    monkeypatch.setattr(RandomPlayer, "choose", think)
    async with playing("divisors-multiples", "person", "random", "person", r=7, players=3) as pilot:
        burst(pilot, "m2!|<x")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        may_answer.set()
        await until(pilot, lambda: pilot.app.screen_stack[-2].session.mover == 3)  # type: ignore[attr-defined]
        await pilot.press("y")
        await until(pilot, lambda: isinstance(pilot.app.screen, Table))
        found = table(pilot).session.termination
        assert found is not None and found.reason == "player 1 resigned" and found.winners == (2, 3)
