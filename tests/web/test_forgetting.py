"""`quet forget`, while servers run: what is taken away is gone for everybody, and all else stays as it is."""

import asyncio
import sqlite3
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest
from sqlalchemy import Connection, func, select

from quet.cli.main import main
from quet.core.errors import BadParameter
from quet.results.row import NOBODY
from quet.web import timeouts
from quet.web.computers import Computers, Process
from quet.web.errors import NoSuchGame
from quet.web.match import SiteMatch
from quet.web.new_games import SeatPlan, SetUp, new_id
from quet.web.storage.database import Database
from quet.web.storage.entries import Entry
from quet.web.storage.forgetting import Forgetting, Forgotten, LogWarning, id_of, opened
from quet.web.storage.schema import entries, games, metadata, moves, seats
from quet.web.storage.store import Act, Store
from quet.web.views import events

from .in_process import all_done
from .test_hub import PATIENCE, Listener, play, running, table

NOW = 1_000_000.0
ROW = {"m": "4"}
NOT_THERE = "nobodyhasmadethisgame0"


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    """A server's store. What is taken away is taken by another program."""
    database = Database(database_url)
    database.upgrade()
    yield Store(database)
    database.close()


@pytest.fixture
def forgetting(store: Store, database_url: str) -> Iterator[Forgetting]:
    with opened(database_url) as found:
        yield found


def of_two(store: Store, first: str = "ann", second: str = "bob") -> SiteMatch:
    """A game of two visitors, each of whom has moved."""
    plan = SetUp("palindromes", ROW, (SeatPlan("me", first.title()), SeatPlan("open")))
    match = store.create(plan, first, NOW)
    match = store.take_seat(match.id, second, second.title(), NOW)
    match = store.act(match.id, first, "move", "1=0", None, NOW)
    return store.act(match.id, second, "move", "2=0", None, NOW)


def alone(store: Store, visitor: str = "ann") -> SiteMatch:
    """A game of one visitor against a computer player."""
    return store.create(SetUp("palindromes", ROW, (SeatPlan("me", visitor.title()), SeatPlan("level:1"))), visitor, NOW)


def entered(store: Store, visitor: str = "ann", name: str = "Ann") -> SiteMatch:
    """A solitaire that was entered into the table of best results."""
    match = store.create(SetUp("up-and-up", {"n": "2"}, (SeatPlan("me", name),)), visitor, NOW)
    match = store.act(match.id, visitor, "resign", "", None, NOW)
    store.entries.enter(Entry(match.id, "up-and-up", {"n": 2}, 3, name, NOW, f"a1 {visitor}"))
    return match


def over(store: Store, match: SiteMatch) -> SiteMatch:
    return store.act(match.id, "ann", "resign", "", None, NOW)


def numbers(store: Store) -> list[int]:
    """How many games, seats, moves and entries there are."""
    with store.database.read() as connection:
        tables = (games, seats, moves, entries)
        return [connection.scalar(select(func.count()).select_from(table)) or 0 for table in tables]


def test_a_game_that_is_taken_away_is_gone_for_servers_that_knew_it(store: Store, forgetting: Forgetting) -> None:
    gone, stays = over(store, of_two(store)), of_two(store)
    next_one = store.rematch(gone.id, "ann", NOW)
    forgetting.game(next_one.id)
    assert store.load(gone.id).row.rematch is None  # and another can be asked for
    assert forgetting.game(gone.id) == Forgotten(games=1)
    assert store.peek(gone.id) is not None  # of what this server still knows, nothing is shown or changed
    assert isinstance(all_done(store, [Act(gone.id, "ann", "move", "3=0", None, NOW)])[0], NoSuchGame)
    assert store.peek(gone.id) is None
    with pytest.raises(NoSuchGame):
        store.load(gone.id)
    assert [one.id for one in store.games_of("ann")] == [stays.id]
    assert store.load(stays.id).rows == stays.rows and numbers(store)[:3] == [1, 2, 3]


def test_with_a_game_its_entry_goes_and_an_entry_goes_alone(store: Store, forgetting: Forgetting) -> None:
    first, second = entered(store, "ann"), entered(store, "bob")
    assert forgetting.game(first.id) == Forgotten(games=1, entries=1)
    assert [one.game_id for one in store.entries.all()] == [second.id]
    assert forgetting.entry(second.id) == Forgotten(entries=1)
    assert store.entries.all() == [] and store.load(second.id).rows == second.rows
    with pytest.raises(BadParameter, match="isn't entered"):
        forgetting.entry(second.id)


def test_a_name_goes_everywhere_and_its_bearer_plays_on(store: Store, forgetting: Forgetting) -> None:
    match, other, solo = of_two(store), of_two(store, "bob", "eve"), entered(store)
    assert forgetting.name(" Ann ") == Forgotten(names=3)
    assert [seat.name for seat in store.load(match.id).seats] == ["", "Bob"]
    assert [seat.name for seat in store.load(other.id).seats] == ["Bob", "Eve"]
    assert store.load(solo.id).seat(1).name == "" and store.entries.by(solo.id) == NOBODY
    assert store.act(match.id, "ann", "move", "3=0", None, NOW).game.ply == 3
    with pytest.raises(BadParameter, match="Nobody has the name 'Ann' here"):
        forgetting.name("Ann")
    with pytest.raises(BadParameter):
        forgetting.name("")  # of free seats
    with pytest.raises(BadParameter, match="Nobody has the name"):
        forgetting.name(NOBODY)  # of entries without a name
    with pytest.raises(BadParameter, match="Nobody has the name"):
        forgetting.name("Ann\udcff")  # as Python has a byte of a command line that is no UTF-8
    composed, split = "Jos\N{LATIN SMALL LETTER E WITH ACUTE}", "Jose\N{COMBINING ACUTE ACCENT}"
    for written, asked in ((composed, split), (split, composed)):
        entered(store, written, written)
        assert forgetting.name(asked) == Forgotten(names=2)
    entered(store, "\U0001f469\U0001f3eb Eva", "\U0001f469\U0001f3eb Eva")
    assert forgetting.name("\U0001f469\u200d\U0001f3eb Eva") == Forgotten(names=2)  # kept without its joiner


def test_a_person_goes_from_all_games(store: Store, forgetting: Forgetting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.web.storage.forgetting.AT_ONCE", 2)
    solo, against, ended, runs = entered(store), alone(store), over(store, of_two(store)), of_two(store)
    rests, others = of_two(store), of_two(store, "bob", "eve")
    store.archive([rests.id], NOW + 1)
    waits = store.create(SetUp("palindromes", ROW, (SeatPlan("me", "Ann"), SeatPlan("link"))), "ann", NOW)
    again = store.rematch(ended.id, "bob", NOW)  # in which a seat is kept for Ann
    assert [seat.name for seat in again.seats if seat.visitor is None] == ["Ann"]
    with pytest.raises(BadParameter, match="name one with --player: 1, 2"):
        forgetting.person(ended.id)
    with pytest.raises(BadParameter, match="No person holds this seat"):
        forgetting.person(against.id, 2)
    assert numbers(store)[0] == 8
    assert forgetting.person(against.id) == Forgotten(games=3, names=4, entries=1, seats=2)
    for gone in (solo, against, waits):
        with pytest.raises(NoSuchGame):
            store.load(gone.id)
    for left in (ended, rests):
        assert [seat.name for seat in store.load(left.id).seats] == ["", "Bob"]
        assert store.load(left.id).player_of("ann") == [] and store.load(left.id).row.creator != "ann"
    assert "Ann" not in [seat.name for seat in store.load(again.id).seats]
    assert store.act(runs.id, "ann", "move", "3=0", None, NOW).seat(1).name == ""  # Bob needn't wait for nobody
    assert store.load(others.id).row == others.row
    with pytest.raises(BadParameter, match="No person holds this seat"):
        forgetting.person(ended.id, 1)
    assert forgetting.person(runs.id, 1) == Forgotten()  # as long as it goes on
    over(store, store.load(runs.id))
    assert forgetting.person(runs.id, 1) == Forgotten(seats=1)
    assert forgetting.person(others.id, 2) == Forgotten(names=1)
    assert forgetting.person(rests.id, 2).games == 4  # those that nobody holds a seat in, now that both have left
    assert numbers(store)[0] == 1


def test_who_sits_down_meanwhile_keeps_the_game(store: Store, forgetting: Forgetting) -> None:
    match = store.create(SetUp("palindromes", ROW, (SeatPlan("me", "Ann"), SeatPlan("open"))), "ann", NOW)
    held = forgetting._held

    def after_a_guest(connection: Connection, ids: Sequence[str]) -> Sequence[str]:
        if store.database.is_sqlite:  # whose writers wait for one another
            return held(connection, ids)
        forgetting._held = held  # type: ignore[method-assign]
        store.take_seat(match.id, "bob", "Bob", NOW)
        return held(connection, ids)

    forgetting._held = after_a_guest  # type: ignore[method-assign]
    is_there = not store.database.is_sqlite
    assert forgetting.person(match.id).games == (0 if is_there else 1)
    if is_there:
        assert [seat.name for seat in store.load(match.id).seats] == ["", "Bob"]


def test_a_move_that_is_underway_is_lost_with_its_game(store: Store, forgetting: Forgetting) -> None:
    due = alone(store)
    due = store.act(due.id, "ann", "move", "1=0", None, NOW)
    claimed = store.claim_computer_move(NOW, 60.0)
    assert claimed is not None and claimed.id == due.id
    forgetting.game(due.id)
    assert not store.renew(claimed, NOW + 60)
    Computers(store, number=1, seconds=1.0).play(claimed, Mock(spec=Process))  # nothing to make, and nothing fails


def test_a_game_that_goes_while_its_time_falls_stops_no_other(store: Store, forgetting: Forgetting) -> None:
    live = SetUp("palindromes", ROW, (SeatPlan("me", "Ann"),), clock="live", clock_seconds=60.0)
    gone, falls = store.create(live, "ann", NOW), store.create(live, "ann", NOW)
    store.clock = Mock(now=lambda: NOW + 100_000)
    store.due = Mock(return_value=[gone.id, falls.id])  # type: ignore[method-assign]
    forgetting.game(gone.id)
    failed: set[str] = set()
    timeouts.look(store, failed=failed)
    assert store.load(falls.id).is_over and not failed


def test_nothing_is_left_of_a_game(store: Store, forgetting: Forgetting) -> None:
    """A further table with rows of games has to be thought of, too."""
    assert {table.name for table in metadata.sorted_tables if "game_id" in table.c} == {"entries", "moves", "seats"}
    forgetting.game(entered(store).id)
    assert numbers(store) == [0, 0, 0, 0]


async def test_who_watches_is_told_and_who_watches_another_game_hears_on(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "SILENCE_SECONDS", 10 * PATIENCE)  # no beat finds what nobody was told
    async with running(database_url, workers=2) as app:
        store = app.state.site.store
        match, another = table(store), table(store)
        listener, beside = [await Listener(app, each.id).has_begun() for each in (match, another)]
        with opened(database_url) as forgetting:
            await asyncio.to_thread(forgetting.game, match.id)
        other = Database(database_url)
        await play(Store(other), another, "1=0")
        assert [event["ply"] for event in await beside.has(1)] == [2]
        async with asyncio.timeout(PATIENCE):
            await listener.task
        assert [event["kind"] for event in listener.events] == ["seats"]  # the page looks, and finds it gone
        await beside.leave()
        other.close()


@pytest.fixture
def as_built_upstream(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have SQLite leave what is deleted in its file, unless it is told otherwise. Debian's overwrites by itself."""
    prepare = Database._prepare

    def prepared(database: Database, connection: sqlite3.Connection, record: object) -> None:
        connection.execute("PRAGMA secure_delete=OFF")
        prepare(database, connection, record)

    monkeypatch.setattr(Database, "_prepare", prepared)


def of_many(store: Store) -> SiteMatch:
    """A game of Zebediah's alone among others, with which it shares pages of the database."""
    for number in range(20):
        alone(store, f"visitor{number}")
    match = alone(store, "zebediah")
    for number in range(20, 40):
        alone(store, f"visitor{number}")
    return match


def test_no_file_has_a_name_any_more_that_was_forgotten(
    as_built_upstream: None, sqlite_url: str, tmp_path: Path
) -> None:
    database = Database(sqlite_url)
    database.upgrade()
    match = of_many(Store(database))
    file = Path(str(database.url.database))
    files = [file, file.with_name(f"{file.name}-wal")]
    assert any(b"Zebediah" in each.read_bytes() for each in files)
    with opened(sqlite_url) as forgetting:
        forgetting.person(match.id, 1)
    for each in files:  # while a server has it open
        assert b"ebediah" not in each.read_bytes(), each
    database.close()


def test_a_log_that_is_read_is_told(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.web.storage.database.LOG_SECONDS", 0.1)
    database = Database(sqlite_url)
    database.upgrade()
    match = over(Store(database), of_two(Store(database)))
    with database.read() as reader:
        reader.execute(select(games.c.id)).all()
        with pytest.warns(LogWarning, match="-wal can't be emptied now"), opened(sqlite_url) as forgetting:
            forgetting.person(match.id, 1)
        with warnings.catch_warnings(action="error"), opened(sqlite_url) as forgetting:  # nothing is taken
            forgetting.key()
            with pytest.raises(BadParameter, match="isn't entered"):
                forgetting.entry(match.id)
    database.close()


def test_no_id_is_taken_for_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    made = iter(["-KFV6Af5kV1pLB4xJu6uYQ", "iDJJDdEo0yaDLnyIPBbe2w"])
    monkeypatch.setattr("secrets.token_urlsafe", lambda _: next(made))
    assert new_id() == "iDJJDdEo0yaDLnyIPBbe2w"


def test_addresses_and_ids_name_a_game() -> None:
    id = "iDJJDdEo0yaDLnyIPBbe2w"
    for text in (id, f"/play/{id}", f"https://quet.example/study/{id}?ply=3#board", f"/play/{id}/"):
        assert id_of(text) == id
    for text in ("", "x", "https://quet.example/results/blob", id + "x"):
        with pytest.raises(NoSuchGame):
            id_of(text)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("QUET_DATA", str(tmp_path))
    monkeypatch.delenv("QUET_DATABASE_URL", raising=False)
    assert main(["forget", "game", NOT_THERE]) == 2
    assert "There is no database" in capsys.readouterr().err and not (tmp_path / "quet.db").exists()
    database = Database(f"sqlite:///{tmp_path / 'quet.db'}")
    database.upgrade()
    store = Store(database)
    match, solo = of_two(store), entered(store)
    for words, told in (
        (["name", "Bob"], "Gone: 1 name.\n"),
        (["entry", f"http://127.0.0.1:8000/study/{solo.id}"], "Gone: 1 entry.\n"),
        (["person", f"/play/{match.id}", "--player", "1"], "Gone: 1 game, 1 name.\n"),
        (["game", match.id], "Gone: 1 game.\n"),
    ):
        assert main(["forget", *words]) == 0
        assert capsys.readouterr().out == told
    for words, told in (
        (["game", match.id], "There is no such game."),
        (["name", "Bob"], "Nobody has the name 'Bob' here."),
        (["game", match.id, "--player", "1"], "goes with quet forget person"),
        (["all", match.id], "invalid choice: 'all'"),
    ):
        assert main(["forget", *words]) == 2
        assert told in capsys.readouterr().err
    assert numbers(store) == [0, 0, 0, 0]
    database.close()
