"""The terminal remembers how games were set up, and the best score of each solitaire."""

import json
from pathlib import Path

import pytest
from test_app import enter, status, until
from textual.widgets import Input, Select

import quet
from quet import catalog
from quet.cli.main import main
from quet.play.clock import MOST_MINUTES, Clock
from quet.play.session import Session, seat
from quet.records.record import Record
from quet.terminal.app import QuetApp
from quet.terminal.dialogs import AskFile, Confirm
from quet.terminal.remembered import (
    CLOCK,
    LARGEST,
    LONGEST,
    MOST_FIELDS,
    MOST_GAMES,
    MOST_SCORES,
    UNFINISHED,
    UNREADABLE,
    Remembered,
)
from quet.terminal.set_up import Menu, SetUp, Wishes
from quet.terminal.table import Table

FULL = ["a1", "a2", "b2", "b1"]  # the best game of Up And Up on 2 by 2


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUET_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


async def set_up(id: str, wishes: Wishes | None = None, **values: str) -> dict[str, str]:
    """What the page says when a game is set up; then the game is begun with these values."""
    app = QuetApp(None, wishes, delay=0, remembered=Remembered.of_user())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Menu) and app.screen.query("FooterKey"))
        await pilot.press(*["down"] * catalog.ids().index(id), "enter")
        await until(pilot, lambda: isinstance(app.screen, SetUp) and len(app.screen.query(Select)) > 0)
        fields = [*app.screen.query(Input), *app.screen.query(Select)]
        before = {str(field.id): str(field.value) for field in fields}
        for name, value in values.items():
            field = app.screen.query_one(f"#{name.replace('_', '-')}")
            assert isinstance(field, Input | Select)
            field.value = value
        await pilot.pause()
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, Table))
    return before


async def test_the_page_begins_with_how_the_game_was_set_up_last(folder: Path) -> None:
    first = await set_up("blob", parameter_n="4", seat_2="level:1", clock_minutes="5", clock_increment="3")
    assert first == {
        "parameter-n": "8", "clock-minutes": "", "clock-increment": "0", "seat-1": "person", "seat-2": "person",
    }  # fmt: skip
    second = await set_up("blob", Wishes(("level:2",)))
    assert second == {
        "parameter-n": "4", "clock-minutes": "5", "clock-increment": "3", "seat-1": "level:2", "seat-2": "level:1",
    }  # fmt: skip
    assert (await set_up("palindromes"))["seat-2"] == "person"
    assert folder.stat().st_mode & 0o077 == 0


async def played(moves: list[str], *seats: str) -> str:
    """What the terminal says at the end of Up And Up on 2 by 2."""
    session = Session(quet.new("up-and-up", n=2), [seat(who) for who in seats])
    app = QuetApp(session, delay=0, remembered=Remembered.of_user())
    async with app.run_test(size=(120, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Table))
        for move in moves:
            await pilot.press("m")
            await enter(pilot, move)
        await until(pilot, lambda: session.is_over)
        await pilot.pause()
        return status(pilot)


async def test_the_end_of_a_solitaire_tells_the_best_score_before(folder: Path) -> None:
    assert "your best here" not in await played([], "level:1")  # which isn't the player's
    assert "your best here" not in await played(FULL)
    assert "4 of 4 possible (proven); your best here 4." in await played(FULL)
    kept = json.loads((folder / "terminal.json").read_text())
    assert kept["scores"] == {"up-and-up n=2": 4}
    (folder / "terminal.json").write_text(json.dumps(kept | {"scores": {"up-and-up n=2": 3}}))
    assert "your best here before was 3." in await played(FULL)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"set_ups": [], "scores": {"a": "b"}}', "\0", "1" * (LARGEST + 1)])
def test_a_file_that_is_none_of_ours_is_passed_over(folder: Path, content: str) -> None:
    folder.mkdir()
    (folder / "terminal.json").write_text(content)
    found = Remembered.of_user()
    assert (found.set_ups, found.scores) == ({}, {})
    found.set_up("blob", {"parameter-n": "4"})
    assert Remembered.of_user().set_ups == {"blob": {"parameter-n": "4"}}
    aside = folder / "terminal-unreadable.json"
    assert (aside.read_text() if aside.exists() else "") == ("" if content.startswith('{"') else content)


def test_a_file_that_is_damaged_meanwhile_is_written_anew(folder: Path) -> None:
    found = Remembered.of_user()
    found.set_up("blob", {"parameter-n": "4"})
    (folder / "terminal.json").write_text("{")
    game = quet.new("up-and-up", n=2)
    for move in FULL:
        game.play(move)
    found.over(game)
    again = Remembered.of_user()
    assert (again.set_ups, again.scores) == ({"blob": {"parameter-n": "4"}}, {"up-and-up n=2": 4})
    assert (folder / "terminal-unreadable.json").read_text() == "{"


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUET_DATA", str(tmp_path / "file"))
    found = Remembered.of_user()
    found.set_up("blob", {"parameter-n": "4"})
    assert found.set_ups == {"blob": {"parameter-n": "4"}} and Remembered.of_user().set_ups == {}


def test_what_is_kept_is_bounded(folder: Path) -> None:
    found = Remembered.of_user()
    for number in range(MOST_GAMES + 5):
        found.set_up(f"game-{number}", {"short": "x", "long": "x" * (LONGEST + 1)})
    again = Remembered.of_user().set_ups
    assert len(again) == MOST_GAMES and "game-4" not in again and again["game-5"] == {"short": "x"}


def test_games_of_two_and_games_played_on_leave_no_score(folder: Path) -> None:
    found = Remembered.of_user()
    found.over(quet.new("palindromes", m=1).after("1=0"))
    found.over(quet.new("up-and-up", n=2).after("a1"))
    played_on = quet.position("up-and-up", "a1 a2 b2", n=2).after("b1")
    assert played_on.is_over
    found.over(played_on)
    assert found.scores == {} and not (folder / "terminal.json").exists()


@pytest.mark.parametrize(("is_lower_better", "kept"), [(False, [7, 8, 8]), (True, [7, 7, 6])])
def test_the_better_score_is_kept(is_lower_better: bool, kept: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    found = Remembered()
    for moves, best in zip(("b1 a1 a3 a2 c2 c3 c1", "a1 b1 b3 b2 a2 c2 c1 c3", "b1 b2 a2 c2 c1 a1"), kept, strict=True):
        game = quet.new("up-and-up", n=3)
        for move in moves.split():
            game.play(move)
        monkeypatch.setattr(game.rules, "LOWER_IS_BETTER", is_lower_better)
        found.over(game)
        assert found.best(game) == best


async def test_a_game_that_was_cut_off_is_gone_on_with_or_forgotten(folder: Path) -> None:
    async def at_the_start(*keys: str) -> str:
        app = QuetApp(Session(quet.new("up-and-up", n=3)), delay=0, remembered=Remembered.of_user())
        async with app.run_test(size=(120, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, Table | Confirm))
            await pilot.press(*keys)
            await until(pilot, lambda: isinstance(app.screen, Table))
            await pilot.pause()
            return " ".join(app.screen.session.game.moves) if isinstance(app.screen, Table) else ""

    assert await at_the_start("m", *"b2", "enter") == "b2"  # and the application ends as at a signal
    assert await at_the_start("n", "m", *"b1", "enter") == "b2 b1"
    found = Remembered.of_user().unfinished()
    assert found is not None and found.game.moves == ["b2", "b1"]
    assert await at_the_start("y") == ""
    assert Remembered.of_user().unfinished() is None and not (folder / UNFINISHED).exists()


async def test_a_game_that_is_gone_on_with_is_not_saved_yet(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Remembered.of_user().going_on(Record.of(quet.new("up-and-up", n=3).after("b2")))
    for keys, is_kept in ((["n", "escape", "n"], True), (["s", "enter"], False)):  # to the menu; save
        app = QuetApp(None, delay=0, remembered=Remembered.of_user())
        async with app.run_test(size=(120, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, Confirm))  # noqa: B023
            await pilot.press("n")
            await until(pilot, lambda: isinstance(app.screen, Table))  # noqa: B023
            await pilot.press(keys[0])
            await until(pilot, lambda: not isinstance(app.screen, Table))  # noqa: B023
            assert isinstance(app.screen, Confirm if is_kept else AskFile)
            await pilot.press(*keys[1:])
            await pilot.pause(0.1)
        assert (Remembered.of_user().unfinished() is not None) == is_kept


def test_an_application_beside_another_leaves_its_game_alone(folder: Path) -> None:
    one, other, record = Remembered.of_user(), Remembered.of_user(), Record.of(quet.new("up-and-up", n=3).after("b2"))
    with one.alone():
        one.going_on(record)
        with other.alone():
            assert other.unfinished() is None
            other.going_on(Record.of(quet.new("blob").after("a1")))
            other.going_on(None)
        found = one.unfinished()
        assert found is not None and found.game.moves == ["b2"]
    with Remembered.of_user().alone():
        assert Remembered.of_user().unfinished() is not None
    Remembered().going_on(record)  # which has no file


async def test_the_game_that_was_named_comes_after_the_unfinished_one(folder: Path) -> None:
    Remembered.of_user().going_on(Record.of(quet.new("up-and-up", n=3).after("b2")))
    app = QuetApp(Session(quet.new("palindromes", m=2)), delay=0, remembered=Remembered.of_user())
    async with app.run_test(size=(120, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, Table) and app.screen.session.game.id == "up-and-up")
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, Table) and app.screen.session.game.id == "palindromes")


@pytest.mark.parametrize(
    ("keys", "is_kept"),
    [
        (("s", "enter"), False),
        (("n", "y"), False),
        (("n", "n"), True),
        (("x", "y"), False),
        (("x", "n"), True),
        (("l", "y", "escape"), True),  # another game was wanted, and then none
    ],
)
async def test_a_game_that_was_saved_left_or_ended_is_not_kept(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...], is_kept: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    app = QuetApp(Session(quet.new("up-and-up", n=2)), delay=0, remembered=Remembered.of_user())
    async with app.run_test(size=(120, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Table))
        await pilot.press("m", *"a1", "enter", "escape")
        await until(pilot, (folder / UNFINISHED).exists)
        await pilot.press(keys[0])
        await until(pilot, lambda: not isinstance(app.screen, Table))
        await pilot.press(*keys[1:])
        await until(pilot, lambda: isinstance(app.screen, Table | Menu))
        await pilot.pause(0.1)
        assert (folder / UNFINISHED).exists() == is_kept


@pytest.mark.parametrize(
    "content", ["", "nonsense", '[Game "up-and-up"]\n[Rules "1"]\n[n "1"]\n[Result "1"]\n\n1. a1\n=1\n']
)
def test_an_unfinished_game_that_cannot_be_gone_on_with_is_none(folder: Path, content: str) -> None:
    folder.mkdir()
    (folder / UNFINISHED).write_text(content)
    found = Remembered.of_user()
    assert found.unfinished() is None and found.trouble.endswith(f"it is kept as {UNREADABLE}.")
    found.going_on(Record.of(quet.new("up-and-up", n=3).after("b2")))
    assert (folder / UNREADABLE).read_text() == content and found.unfinished() is not None


def test_the_game_of_the_day_leaves_the_game_of_another_application_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, record = Remembered.of_user(), Record.of(quet.new("up-and-up", n=3).after("b2"))

    def run(app: QuetApp) -> None:
        assert app._remembered.unfinished() is None
        app.exit(return_code=143)  # as at a signal

    monkeypatch.setattr(QuetApp, "run", run)
    monkeypatch.setattr("quet.cli.daily.can_draw", lambda: True)
    with other.alone():
        other.going_on(record)
        assert main(["daily"]) == 143
        assert other.unfinished() is not None


def test_nothing_is_forgotten_because_it_is_too_much(folder: Path) -> None:
    found = Remembered.of_user()
    fields = {f"parameter-{number}": "ä" * LONGEST for number in range(MOST_FIELDS)}
    for number in range(MOST_GAMES):
        found.set_ups[f"game-{number}"] = fields
    found.scores = {f"{number} {'ä' * (LONGEST - 5)}": number for number in range(MOST_SCORES)}
    found.set_up("blob", fields)
    again = Remembered.of_user()
    assert len(again.set_ups) == MOST_GAMES and again.set_ups["blob"] == fields and len(again.scores) == MOST_SCORES


def test_the_score_of_a_game_with_long_parameters_is_not_kept(folder: Path) -> None:
    found = Remembered.of_user()
    game = quet.new("sequence-ascension", n=2, sequence=",".join([str(10**60)] * 4))
    while not game.is_over:
        game.play(game.legal_moves[0])
    found.over(game)
    assert found.scores == {}


def test_what_stands_in_the_folder_and_is_no_game_of_ours_stays_there(folder: Path) -> None:
    folder.mkdir()
    (folder / UNFINISHED).write_text("a letter")
    found = Remembered.of_user()
    with found.alone():
        assert found.unfinished() is None
        found.going_on(None)
    assert (folder / UNREADABLE).read_text() == "a letter"


def test_what_is_set_aside_stays_where_more_is(folder: Path) -> None:
    folder.mkdir()
    for content in ("one", "two", "three"):
        (folder / UNFINISHED).write_text(content)
        assert Remembered.of_user().unfinished() is None
    aside = sorted(folder.glob("unfinished-unreadable*.quet"), key=lambda file: (len(file.name), file.name))
    assert [file.read_text() for file in aside] == ["one", "two", "three"]


def test_what_cannot_be_set_aside_is_not_written_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.terminal.remembered.MOST_UNREADABLE", 2)
    (folder / UNREADABLE / "taken").mkdir(parents=True)
    (folder / UNFINISHED).write_text("a letter")
    found = Remembered.of_user()
    assert found.unfinished() is None and "kept only where you save it" in found.trouble
    found.going_on(Record.of(quet.new("up-and-up", n=3).after("b2")))
    assert (folder / UNFINISHED).read_text() == "a letter"


@pytest.mark.parametrize("clock", [Clock(600.0, 5.0), Clock(60.0 * MOST_MINUTES, 0.0), None])
async def test_the_clock_of_a_game_that_was_cut_off_begins_anew(folder: Path, clock: Clock | None) -> None:
    Remembered.of_user().going_on(Record.of(quet.new("palindromes", m=4).after("1=0")), clock)
    app = QuetApp(None, Wishes(seconds=60.0), delay=0, remembered=Remembered.of_user())
    async with app.run_test(size=(120, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, Table))
        await pilot.pause()
        assert isinstance(app.screen, Table) and app.screen.session.clock == clock
        assert ("The clocks begin anew" in status(pilot)) is (clock is not None)
        assert "UnfinishedClock" not in app.screen.session.record.text()


@pytest.mark.parametrize("text", ["", "600", "600+", "0+0", "1e3+0", "999999999+0", "600+99999"])
def test_a_clock_that_somebody_has_changed_is_none(folder: Path, text: str) -> None:
    record = Record.of(quet.new("palindromes", m=4).after("1=0"), tags={CLOCK: text})
    found = Remembered.of_user()
    found.going_on(record)
    assert found.unfinished() is not None and found.clock is None


async def test_a_second_window_says_that_its_game_is_not_kept(folder: Path) -> None:
    one, other = Remembered.of_user(), Remembered.of_user()
    with one.alone(), other.alone():
        app = QuetApp(Session(quet.new("up-and-up", n=2)), delay=0, remembered=other)
        async with app.run_test(size=(120, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, Table))
            assert [told.message for told in app._notifications] == [other.trouble]
        assert not one.trouble and "another window" in other.trouble


async def test_it_is_said_that_a_game_cannot_be_kept_and_once(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUET_DATA", str(tmp_path / "file"))
    known = Remembered.of_user()
    with known.alone():
        assert known.trouble.endswith("This game is kept only where you save it.")
    for remembered in (known, Remembered.of_user()):  # the second finds it out when it keeps the first move
        app = QuetApp(Session(quet.new("up-and-up", n=3)), delay=0, remembered=remembered)
        async with app.run_test(size=(120, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, Table))  # noqa: B023
            for move in ("b2", "b1"):
                await pilot.press("m")
                await enter(pilot, move)
            assert [told.message for told in app._notifications] == [remembered.trouble] != [""]


def test_two_applications_keep_the_best_scores_of_each_other(folder: Path) -> None:
    one, other, game = Remembered.of_user(), Remembered.of_user(), quet.new("up-and-up", n=2)
    for move in FULL:
        game.play(move)
    one.over(game)
    other.set_up("blob", {"parameter-n": "4"})
    again = Remembered.of_user()
    assert again.scores == {"up-and-up n=2": 4} and again.set_ups == {"blob": {"parameter-n": "4"}}


async def test_the_clock_of_the_game_that_was_named_begins_when_it_is_shown(folder: Path) -> None:
    Remembered.of_user().going_on(Record.of(quet.new("up-and-up", n=3).after("b2")))
    now = [0.0]
    session = Session(quet.new("palindromes", m=2), clock=Clock(2.0), now=lambda: now[0])
    app = QuetApp(session, delay=0, remembered=Remembered.of_user())
    async with app.run_test(size=(120, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        now[0] = 5.0
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, Table))
        assert not session.is_over and session.clock_left(1) == 2.0
