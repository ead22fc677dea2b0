"""A database that is away, full, locked or frozen: 503 with a time to come back, and few lines in the log."""

import logging
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import psycopg
import pytest
from sqlalchemy import create_engine, event, text
from sqlalchemy.exc import DisconnectionError, InvalidRequestError, OperationalError

from quet.core.errors import BadParameter
from quet.web.errors import Away, Superseded, Unsure
from quet.web.match import SiteMatch
from quet.web.new_games import SetUp
from quet.web.storage import database as module
from quet.web.storage import watch
from quet.web.storage.backup import backup
from quet.web.storage.database import Database
from quet.web.storage.outage import FULL, LOG_SECONDS, MOST_BEGINNINGS, Outage
from quet.web.storage.store import Act, Store
from quet.web.timeouts import look

from . import postgresql
from .in_process import PLAYER, Pages, all_done, pages

LOST = OperationalError("SELECT 1", {}, psycopg.OperationalError("the connection is lost"))


class Clock:
    """A clock that stands still."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def messages(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the log has of the house, without the lines about requests."""
    assert not any(record.exc_info for record in caplog.records), caplog.text
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def test_an_outage_is_tried_once_a_second_and_told_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    outage = Outage(clock)
    outage.check(is_write=True)
    for _ in range(int(LOG_SECONDS)):
        assert isinstance(outage.failed(LOST), Away)
        for _ in range(10):
            with pytest.raises(Away):
                outage.check(is_write=False)
        clock.now += 1
        outage.check(is_write=False)
    assert len(messages(caplog)) == 1
    outage.failed(LOST)
    assert len(messages(caplog)) == 2 and "60 s" in messages(caplog)[1]
    outage.succeeded(is_write=True)
    outage.check(is_write=True)
    assert len(messages(caplog)) == 3 and outage.kind == ""


def test_of_those_who_come_at_once_in_an_outage_one_tries_and_the_others_do_not_wait_for_it() -> None:
    clock = Clock()
    outage = Outage(clock)
    outage.failed(LOST)
    for _ in range(3):
        clock.now += 1
        outage.check(is_write=False)  # this one waits for a database that hangs: it neither fails nor succeeds
        for _ in range(5):
            with pytest.raises(Away):
                outage.check(is_write=False)


def test_an_outage_that_begins_soon_after_another_has_lines_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    outage = Outage(clock)
    for count in (1, 2):
        outage.failed(LOST)
        clock.now += 20
        outage.succeeded(is_write=True)
        assert len(messages(caplog)) == 2 * count


def test_an_outage_that_comes_and_goes_has_no_line_each_time(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    outage = Outage(clock)
    for _ in range(int(LOG_SECONDS)):
        outage.failed(LOST)
        outage.succeeded(is_write=True)
        clock.now += 1
    assert len(messages(caplog)) == 2 * MOST_BEGINNINGS
    outage.failed(LOST)
    assert len(messages(caplog)) == 2 * MOST_BEGINNINGS + 1


def test_a_pool_without_a_connection_that_answers_is_an_outage() -> None:
    engine = create_engine("sqlite://")

    def refuse(*anything: object) -> None:
        raise DisconnectionError

    event.listen(engine, "checkout", refuse)
    with pytest.raises(InvalidRequestError) as caught:
        engine.connect()
    assert isinstance(Outage().failed(caught.value), Away)
    engine.dispose()


def test_an_error_of_ours_is_no_outage() -> None:
    connection = sqlite3.connect(":memory:")
    with pytest.raises(sqlite3.OperationalError) as caught:
        connection.execute("SELECT nothing FROM nowhere")
    connection.close()
    assert Outage().failed(caught.value) is None
    assert Outage().failed(OperationalError("", {}, psycopg.errors.DeadlockDetected())) is None


@contextmanager
def full(database: Database) -> Iterator[None]:
    """Let the SQLite file grow no more."""

    def limit(connection: sqlite3.Connection, record: object) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # which means as many as there are

    event.listen(database._engine, "connect", limit)
    database._engine.dispose()
    yield
    event.remove(database._engine, "connect", limit)
    database._engine.dispose()


async def test_on_a_full_disk_games_are_shown_and_changes_wait(
    sqlite_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with pages(sqlite_url) as site:
        match = site.create("blob", n=6)
        with full(site.store.database):
            answers = [await site.client.get("/new/blob")]
            with pytest.raises(Away):
                for _ in range(1000):  # until the last page is full
                    site.create("blob", n=6)
            for _ in range(3):
                ready = await site.client.get("/ready")
                assert ready.status_code == 503 and ready.json() == {"status": FULL}
            answers.append(await site.client.get(f"/play/{match.id}"))
            answers.append(await site.client.get("/health"))
            assert answers[-1].json()["outage"] == FULL
            assert [answer.status_code for answer in answers] == [200] * 3
        site.store.database.outage._tried = 0
        assert (await site.client.get("/ready")).json() == {"status": "ready"}
        assert "outage" not in (await site.client.get("/health")).json()
        assert len(messages(caplog)) == 2


@pytest.mark.parametrize(
    ("free", "told"),
    [
        (4_096, "The database can't be opened: the disk is full."),
        (10**9, "The database can't be opened: disk I/O error."),
    ],
)
def test_a_server_that_finds_no_room_to_begin_says_that_the_disk_is_full(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, free: int, told: str
) -> None:
    failed = sqlite3.OperationalError("disk I/O error")  # so says SQLite
    failed.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    monkeypatch.setattr(Database, "_prepare", Mock(side_effect=failed))
    monkeypatch.setattr("shutil.disk_usage", lambda _: Mock(free=free))
    database = Database(sqlite_url)
    with pytest.raises(BadParameter) as caught:
        database.upgrade()
    assert str(caught.value) == told
    database.close()


def test_a_server_that_may_not_write_says_so_when_it_begins(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Database(sqlite_url)
    made.upgrade("key")
    made.close()

    def name_file(database: Database, dialect: object, record: object, words: list[str], options: Any) -> None:
        words[0], options["uri"] = f"{database._path.as_uri()}?mode=ro", True

    monkeypatch.setattr(Database, "_name_file", name_file)
    database = Database(sqlite_url)
    with pytest.raises(BadParameter) as caught:
        database.upgrade("key")
    assert str(caught.value) == "The database can't be opened: attempt to write a readonly database."
    database.close()


async def test_a_sqlite_file_that_is_moved_is_an_outage_until_it_is_back(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file, away = tmp_path / "quet.db", tmp_path / "moved"
    async with pages(sqlite_url) as site:
        match = site.create("blob", n=6)
        outage = site.store.database.outage
        site.store.database._written = float("-inf")
        file.rename(away)
        for _ in range(2):
            ready = await site.client.get("/ready")
            assert ready.status_code == 503 and ready.json() == {"status": "no database"}
            assert (await site.client.get(f"/play/{match.id}")).status_code == 503
            outage._tried = 0
            with pytest.raises(Away):
                site.play(match, "a1")
        site.store.database._engine.dispose()  # whoever opens a connection now makes no file
        outage._tried = 0
        assert (await site.client.get("/mine")).status_code == 503 and not file.exists()
        away.rename(file)
        outage._tried = 0
        assert (await site.client.get("/ready")).json() == {"status": "ready"}
        site.play(match, "a1")
    begun, ended = messages(caplog)
    assert f"{file} can't be found: No such file or directory" in begun and "answers again" in ended


def test_another_file_in_the_place_of_the_one_that_is_served_is_served_after_a_restart_only(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file, copy, old = (tmp_path / name for name in ("quet.db", "copy", "old"))
    database = Database(sqlite_url)
    database.upgrade("first")
    backup(sqlite_url, str(copy))
    with database.write() as connection:
        connection.execute(text("UPDATE key_fingerprints SET fingerprint = 'second'"))
    os.link(file, old)
    copy.replace(file)
    for act in (database.read, database.write):
        database.outage._tried = 0
        with pytest.raises(Away), act():
            pass
    started = Database(sqlite_url)  # a server process in the place of one that died
    started.file = database.file
    with pytest.raises(BadParameter, match="Another file is in the place of"):
        started.upgrade("first")
    started.close()
    database.close()
    (told,) = messages(caplog)
    assert "Another file is in the place of" in told and "end `quet serve` and start it again" in told
    for path, key in ((file, "first"), (old, "second")):  # each has what was written into it, and nothing else
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT fingerprint FROM key_fingerprints").fetchall() == [(key,)]
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_while_another_process_holds_the_file_a_move_waits_for_a_short_time_only(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert module.WAITING_SECONDS <= 4
    monkeypatch.setattr(module, "WAITING_SECONDS", 0.05)
    async with pages(sqlite_url) as site:
        made = await site.post("/new/blob", **{"parameter-n": "4", "seat-1": "me", "seat-2": "me"})
        path = made.headers["location"]
        other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))
        other.execute("BEGIN IMMEDIATE")
        answer = await sent(site, path, "/move", move="a1", ply="1")
        assert answer.status_code == 503 and answer.headers["retry-after"] == "5"
        assert "Go back to send it again." in answer.text and 'http-equiv="refresh"' not in answer.text
        assert f'<a class="button primary" href="{path}">Back</a>' in answer.text
        other.close()
        site.store.database.outage._tried = 0
        assert await post(site, path, "/move", move="a1", ply="1") == 303


async def post(site: Pages, path: str, act: str, **fields: str) -> int:
    """The status of the answer to a form, which may be an error."""
    return (await sent(site, path, act, **fields)).status_code


async def sent(site: Pages, path: str, act: str, **fields: str) -> httpx.Response:
    """The answer to a form of a page, which may be an error."""
    page = (await site.client.get(path)).text
    csrf = page.partition('name="csrf" value="')[2].partition('"')[0]
    headers = {"referer": f"{site.client.base_url}".rstrip("/") + path}
    return await site.client.post(path + act, data={"csrf": csrf, **fields}, headers=headers)


async def test_without_a_database_every_page_says_so_and_loads_itself_again(
    postgresql_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with pages(postgresql_url) as site:
        match = site.create("blob", n=6)
        csrf = (await site.client.get("/new/blob")).text.partition('name="csrf" value="')[2].partition('"')[0]
        await site.get("/health")
        assert (await site.get("/ready")).json() == {"status": "ready"}
        site.store.database._written = float("inf")  # as if it had just been asked, however long the rest takes
        caplog.clear()
        with postgresql.away(postgresql_url):
            for path in ("/", "/mine", f"/play/{match.id}", f"/study/{match.id}", f"/play/{match.id}/events"):
                answer = await site.client.get(path)
                assert answer.status_code == 503, path
                assert int(answer.headers["retry-after"]) == 5
                assert f'<meta http-equiv="refresh" content="5; url={path}">' in answer.text
            move = await site.client.post(
                f"/play/{match.id}/move",
                data={"csrf": csrf, "move": "a1", "ply": "1"},
                headers={"accept": "application/json"},
            )
            assert move.status_code == 503 and "reach its games" in move.json()["error"]
            assert (await site.client.get("/health")).json()["outage"] == "no database"
            ready = await site.client.get("/ready")
            assert ready.status_code == 503 and ready.json() == {"status": "no database"}
            for _ in range(3):
                with pytest.raises(Away):
                    look(site.store)
            assert len(messages(caplog)) == 1
        site.store.database.outage._tried = 0
        assert (await site.get(f"/play/{match.id}")).status_code == 200
        assert (await site.get("/ready")).status_code == 200
        assert len(messages(caplog)) == 2


async def test_a_server_is_not_ready_while_the_database_has_another_schema(database_url: str) -> None:
    async with pages(database_url) as site:
        database = site.store.database
        for version, status, told in (
            (database.schema, 200, "ready"),
            ("0009", 503, "other schema"),
            (database.schema, 200, "ready"),
        ):
            with database.write() as connection:  # as a dump that is restored does
                connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
            database._written = float("-inf")
            for _ in range(2):
                ready = await site.client.get("/ready")
                assert ready.status_code == status and ready.json() == {"status": told}


@pytest.fixture
def frozen_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short patience with PostgreSQL."""
    assert 2 * module.PING_SECONDS + module.CONNECTING_SECONDS < 5
    assert module.PING_SECONDS + module.STATEMENT_SECONDS + watch.WATCH_SECONDS < 5
    monkeypatch.setattr(watch, "WATCH_SECONDS", 0.01)
    monkeypatch.setattr(module, "PING_SECONDS", 0.5)
    monkeypatch.setattr(module, "STATEMENT_SECONDS", 0.3)


@pytest.mark.usefixtures("frozen_soon")
def test_a_statement_that_takes_too_long_is_given_up_by_both_sides(postgresql_url: str) -> None:
    database = Database(postgresql_url)
    with pytest.raises(Away), database.read() as connection:
        connection.execute(text("SELECT pg_sleep(60)"))
    database.outage._tried = 0
    with pytest.raises(Away), database.read() as connection:  # one whose server keeps no time-out any more
        connection.execute(text("SET statement_timeout = 0"))
        connection.execute(text("SELECT pg_sleep(60)"))
    database.close()


def test_a_game_whose_row_is_held_is_refused_and_all_others_go_on(
    postgresql_copy_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert 2 * module.LOCK_SECONDS < module.STATEMENT_SECONDS  # or a statement's time-out comes first, now and then
    monkeypatch.setattr(module, "LOCK_SECONDS", 0.2)
    database = Database(postgresql_copy_url)
    store, now = Store(database), time.time()
    held, other = (store.create(SetUp("up-and-up", {"n": "4"}), PLAYER, now) for _ in range(2))
    with psycopg.connect(postgresql_copy_url.replace("+psycopg", "")) as operator:
        operator.execute("SELECT id FROM games WHERE id = %s FOR UPDATE", [held.id])
        acts = [Act(each.id, PLAYER, "move", "a1", each.num_rows, now) for each in (held, other)]
        held_up, after = store.act_all(acts)
        assert held_up is None and isinstance(after, SiteMatch)  # which didn't wait for the other
        with pytest.raises(Away):
            store.act(held.id, PLAYER, "move", "a1", held.num_rows, now)
        assert database.outage.kind == "" and store.load(held.id).game.moves == []
    assert store.act(held.id, PLAYER, "move", "a1", None, now).game.moves == ["a1"]
    assert not messages(caplog)
    with psycopg.connect(postgresql_copy_url.replace("+psycopg", "")) as operator:
        operator.execute("LOCK TABLE games IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(Away):
            store.load(other.id)
        assert database.outage.kind and messages(caplog)  # nobody can read a table that is locked
    database.close()


@pytest.mark.parametrize("right", ["UPDATE ON games", "INSERT ON moves"])
def test_what_a_role_has_no_right_to_do_is_refused_and_all_else_goes_on(
    postgresql_copy_url: str, right: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(Database(postgresql_copy_url))
    match = store.create(SetUp("up-and-up", {"n": "4"}), PLAYER, time.time())
    with store.database.write() as connection:
        connection.execute(text("CREATE ROLE lesser LOGIN"))
        connection.execute(text("GRANT ALL ON ALL TABLES IN SCHEMA public TO lesser"))
        connection.execute(text(f"REVOKE {right} FROM lesser"))
    lesser = Store(Database(postgresql_copy_url.replace("//quet@", "//lesser@")))
    try:
        for _ in range(20):
            with pytest.raises(Away):
                lesser.database.write_a_row()
            with pytest.raises(Away):
                lesser.act(match.id, PLAYER, "move", "a1", None, time.time())
            assert lesser.load(match.id).rows == match.rows and not lesser.database.outage.kind
            with lesser.database.write() as connection:  # what it may do
                connection.execute(text("UPDATE seats SET name = name"))
        lines = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
        assert len(lines) == MOST_BEGINNINGS
        assert set(lines) == {f"The database refuses a right: permission denied for table {right.split()[-1]}"}
    finally:
        lesser.database.close()
        with store.database.write() as connection:
            connection.execute(text("DROP OWNED BY lesser"))
            connection.execute(text("DROP ROLE lesser"))
        store.database.close()


@pytest.mark.usefixtures("frozen_soon")
def test_a_frozen_connection_is_replaced_by_another(postgresql_url: str) -> None:
    database = Database(postgresql_url)
    with database.read() as connection:
        process = connection.scalar(text("SELECT pg_backend_pid()"))
    assert isinstance(process, int)
    os.kill(process, signal.SIGSTOP)
    try:
        with database.read() as connection:
            assert connection.scalar(text("SELECT pg_backend_pid()")) != process
    finally:
        os.kill(process, signal.SIGCONT)
        database.close()


def test_a_commit_whose_answer_is_lost_is_unsure(postgresql_url: str) -> None:
    database = Database(postgresql_url)
    with pytest.raises(Unsure), database.write() as connection:
        process = connection.scalar(text("SELECT pg_backend_pid()"))
        with psycopg.connect(postgresql_url.replace("+psycopg", ""), autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [process])
    database.close()


@pytest.mark.parametrize("ply", [4, None])
def test_an_act_whose_commit_is_unsure_is_never_done_twice(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, ply: int | None
) -> None:
    database = Database(sqlite_url)
    database.upgrade()
    store, now = Store(database), time.time()
    match = store.create(SetUp("up-and-up", {"n": "4"}), PLAYER, now)
    for move in ("a1", "a2", "c2"):
        match = store.act(match.id, PLAYER, "move", move, None, now)
    add_all, calls = store.add_all, []

    def lose_the_answer(added: list[tuple[SiteMatch, float]], *, waits: bool = False) -> dict[str, SiteMatch]:
        calls.append(added)
        done = add_all(added, waits=waits)
        if len(calls) == 1:
            raise Unsure("The answer is lost.")
        return done

    monkeypatch.setattr(store, "add_all", lose_the_answer)
    (answer,) = all_done(store, [Act(match.id, PLAYER, "undo", "", ply, now)])
    assert isinstance(answer, Unsure if ply is None else Superseded)
    assert store.load(match.id).game.moves == ["a1", "a2"]
    database.close()


def test_a_writer_waits_for_others_of_its_process_for_a_short_time_only(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(sqlite_url)
    database.upgrade()
    database._waiting_seconds = 0.02
    refused: list[Exception] = []

    def write() -> None:
        try:
            with database.write():
                pass
        except Away as error:
            refused.append(error)

    with database.write():
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    assert len(refused) == 1
    database.close()
