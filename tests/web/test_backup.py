"""`quet backup` while the site is served, and `quet restore`: what was backed up comes back."""

import contextlib
import errno
import io
import os
import select
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from quet.cli.main import main
from quet.core.files import locked
from quet.web.match import SiteMatch
from quet.web.new_games import SeatPlan, SetUp
from quet.web.storage.database import Database
from quet.web.storage.serving import alone
from quet.web.storage.store import Store

from .in_process import PLAYER
from .serving import free_port


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A site's database in its data folder, open as a server has it."""
    monkeypatch.setenv("QUET_DATA", str(tmp_path))
    monkeypatch.delenv("QUET_DATABASE_URL", raising=False)
    return opened(f"sqlite:///{tmp_path / 'quet.db'}")


def opened(url: str) -> Store:
    database = Database(url)
    database.upgrade()
    return Store(database)


def a_game(store: Store) -> SiteMatch:
    return store.create(SetUp("palindromes", {"m": "40"}, (SeatPlan("me", "Ann"),)), PLAYER, time.time())


def moved(store: Store, match: SiteMatch, number: int) -> SiteMatch:
    """The game with one more move."""
    return store.act(match.id, PLAYER, "move", f"{number}=0", None, time.time())


def test_a_backup_while_games_go_on_has_every_move_until_then(
    site: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = a_game(site)
    for number in range(1, 11):
        match = moved(site, match, number)
    ends = threading.Event()

    def play() -> None:
        for number in range(11, 41):
            moved(site, match, number)
            if ends.is_set():
                return

    playing = threading.Thread(target=play)
    playing.start()
    file = tmp_path / "copy.db"
    try:
        assert main(["backup", str(file)]) == 0
    finally:
        ends.set()
        playing.join()
    said = capsys.readouterr().out
    assert said.startswith("Backed up 1 game with ") and "secret-key" in said and "QUET_SECRET_KEY" in said
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True) as copy:  # one file, whole by itself
        (rows,) = copy.execute("SELECT count(*) FROM moves").fetchone()
        assert copy.execute("SELECT num_rows FROM games").fetchone() == (rows,) and rows >= 11
    copy.close()

    later = moved(site, site.load(match.id), 40) if site.load(match.id).num_rows < 40 else site.load(match.id)
    assert main(["restore", str(file)]) == 2
    assert capsys.readouterr().err == "quet: The site is being served; end `quet serve` first.\n"
    site.database.close()
    with alone(site.database):
        assert main(["restore", str(file)]) == 2
    assert capsys.readouterr().err.startswith("quet: Another `quet serve` serves ")
    assert main(["restore", str(file)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"Restored 1 game with {rows} rows."
    assert "secret-key" in told[2] and "QUET_SECRET_KEY" in told[2]
    restored = opened(f"sqlite:///{tmp_path / 'quet.db'}")
    assert restored.load(match.id).rows == later.rows[:rows]
    moved(restored, restored.load(match.id), 39 if rows < 39 else 40)  # it goes on
    before = opened(f"sqlite:///{told[1].removeprefix('The database of before is ').removesuffix('.')}")
    assert before.load(match.id).rows == later.rows
    for store in (restored, before):
        store.database.close()
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".")]


def test_a_backup_has_nothing_that_was_deleted_before(
    site: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it was deleted by a SQLite that doesn't overwrite."""
    a_game(site)
    site.database.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "quet.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete=OFF")
        connection.execute("CREATE TABLE names (name)")
        connection.executemany("INSERT INTO names VALUES (?)", [["Zebediah" * 100]] * 100)
        connection.execute("DROP TABLE names")
    assert b"Zebediah" in (tmp_path / "quet.db").read_bytes()
    assert main(["backup", str(tmp_path / "copy")]) == 0
    assert b"ebediah" not in (tmp_path / "copy").read_bytes()


def test_a_backup_goes_through_a_pipe_to_a_new_machine(
    site: Store, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = moved(site, a_game(site), 1)
    site.database.close()
    pipe = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(pipe))
    assert main(["backup", "-"]) == 0
    copy = pipe.getvalue()
    assert b"Backed up 1 game" in capfdbinary.readouterr().err
    monkeypatch.setenv("QUET_DATA", str(tmp_path / "new"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(copy)))
    assert main(["restore", "-"]) == 0
    there = opened(f"sqlite:///{tmp_path / 'new' / 'quet.db'}")
    assert there.load(match.id).rows == match.rows
    there.database.close()


def test_the_log_of_a_database_that_is_gone_is_not_taken_for_that_of_the_restored_one(
    site: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when somebody has deleted `quet.db` alone, or a copy of the folder lacks it."""
    match = moved(site, a_game(site), 1)
    assert main(["backup", str(tmp_path / "copy")]) == 0
    moved(site, match, 2)
    folder = tmp_path / "new"
    folder.mkdir()
    log = Path(shutil.copy(tmp_path / "quet.db-wal", folder))
    assert log.stat().st_size > 0
    site.database.close()
    monkeypatch.setenv("QUET_DATA", str(folder))
    assert main(["restore", str(tmp_path / "copy")]) == 0
    assert not log.exists()
    with contextlib.closing(sqlite3.connect(folder / "quet.db")) as restored:
        assert restored.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert restored.execute("SELECT count(*) FROM moves").fetchone() == (match.num_rows,)


@pytest.mark.skipif(sys.platform == "win32", reason="files there have no such owners")
def test_what_root_restores_belongs_to_the_service(
    site: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_game(site)
    assert main(["backup", str(tmp_path / "copy")]) == 0
    site.database.close()
    data, lock, is_root, chown = tmp_path / "quet.db", tmp_path / "quet.db.lock", os.geteuid() == 0, os.chown
    service = 65_534 if is_root else os.getuid()  # others can give files to themselves alone
    given: list[tuple[str, int]] = []

    def giving(file: Path, user: int, group: int, *, follow_symlinks: bool = True) -> None:
        assert not follow_symlinks
        given.append((file.name, user))
        chown(file, user, group, follow_symlinks=False)

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", giving)
    for owned in (data, tmp_path):  # the database is there, and then only its folder
        chown(owned, service, -1)  # as with DynamicUser of systemd
        assert main(["restore", str(tmp_path / "copy")]) == 0
        assert len(given) == 2 and (lock.name, service) in given and {user for _, user in given} == {service}
        assert [file.stat().st_uid for file in (data, lock)] == [service] * 2
        assert stat.S_IMODE(data.stat().st_mode) == 0o600
        given.clear()
        data.unlink()
        lock.unlink()
    secret = tmp_path / "secret"
    secret.touch()
    before = secret.stat().st_uid
    lock.symlink_to(secret)
    assert main(["restore", str(tmp_path / "copy")]) == 0 and secret.stat().st_uid == before


def test_what_cannot_be_backed_up_or_restored_is_told_and_changes_nothing(
    site: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = a_game(site)
    good, short, other, newer = (tmp_path / name for name in ("good", "short", "other", "newer"))
    assert main(["backup", str(good)]) == main(["backup", str(newer)]) == 0
    site.database.close()
    short.write_bytes(good.read_bytes()[:-5_000])
    with sqlite3.connect(newer) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    monkeypatch.setenv("QUET_DATABASE_URL", f"sqlite:///{newer}")
    assert main(["backup", str(tmp_path / "kept")]) == 0  # which this version can't serve, but can keep
    monkeypatch.delenv("QUET_DATABASE_URL")
    other.write_text("This is no database, though it is a file of some length." * 100)
    capsys.readouterr()
    before = (tmp_path / "quet.db").read_bytes()
    for words, told in {
        ("backup", str(good)): "is there already",
        ("backup", str(tmp_path / "no" / "folder")): "can't be written",
        ("restore", str(short)): "damaged",
        ("restore", str(other)): "no database of Quet",
        ("restore", str(newer)): "newer version",
        ("restore", str(tmp_path)): "It can't be read: Is a directory.",
        ("restore", str(tmp_path / "nothing")): "nothing: It can't be read: No such file or directory.",
        ("restore", "/dev/zero"): "/dev/zero: It is not a regular file.",
    }.items():
        assert main([*words]) == 2
        sentence = capsys.readouterr().err
        assert told in sentence and sentence.endswith(".\n") and sentence.count("\n") == 1, words
    assert (tmp_path / "quet.db").read_bytes() == before
    monkeypatch.setenv("QUET_DATA", str(tmp_path / "empty"))
    assert main(["backup", str(tmp_path / "nothing")]) == 2 and not (tmp_path / "nothing").exists()
    again = opened(f"sqlite:///{tmp_path / 'quet.db'}")
    assert again.load(match.id).rows == match.rows
    again.database.close()


def test_a_damaged_schema_that_is_no_text_is_told_and_changes_nothing(
    site: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite quotes it, and Python can't read the quotation."""
    copy, whole = tmp_path / "copy", tmp_path / "whole"
    for file in (copy, whole):
        assert main(["backup", str(file)]) == 0
    site.database.close()
    damaged = bytearray(copy.read_bytes())
    damaged[damaged.index(b"NULL") + 3] = 0xAF
    copy.write_bytes(damaged)
    capsys.readouterr()
    assert main(["restore", str(copy)]) == 2
    assert capsys.readouterr().err == "quet: That is no database of Quet, or it is damaged.\n"
    (tmp_path / "quet.db").write_bytes(damaged)
    for words, told in {
        ("serve", "--port", str(free_port())): "The database can't be opened",
        ("forget", "name", "Ann"): "The database can't be opened",
        ("backup", str(tmp_path / "new")): "The backup can't be made",
    }.items():
        assert main([*words]) == 2
        assert capsys.readouterr().err == f"quet: {told}: database disk image is malformed.\n", words
        assert (tmp_path / "quet.db").read_bytes() == damaged
    assert main(["restore", str(whole)]) == 0


@pytest.mark.parametrize(("version", "table"), [("", "studies"), ("", "heartbeats"), ("0004", "seats")])
def test_a_copy_that_lacks_a_table_is_not_restored(
    site: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str], version: str, table: str
) -> None:
    copy = tmp_path / "copy"
    assert main(["backup", str(copy)]) == 0
    site.database.close()
    before = (tmp_path / "quet.db").read_bytes()
    with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute(f"DROP TABLE {table}")
        if version:
            connection.execute("UPDATE alembic_version SET version_num = ?", [version])
    capsys.readouterr()
    assert main(["restore", str(copy)]) == 2
    assert capsys.readouterr().err == "quet: That is no database of Quet, or it is damaged.\n"
    assert (tmp_path / "quet.db").read_bytes() == before


def test_a_backup_that_finds_no_room_says_so_in_words(
    site: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*files: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", no_room)
    assert main(["backup", "-"]) == 2
    assert capsys.readouterr().err == "quet: The backup can't be made: No space left on device.\n"
    site.database.close()


@pytest.mark.parametrize("has_links", [True, False])
@pytest.mark.parametrize("has_database", [True, False])
@pytest.mark.parametrize("step", ["file", "name", "folder"])
def test_a_restore_that_fails_leaves_what_was_there(
    step: str,
    has_database: bool,
    has_links: bool,
    site: Store,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else the next server would begin an empty database."""
    match = a_game(site)
    assert main(["backup", str(tmp_path / "copy")]) == 0
    site.database.close()
    data, fsync, replace, no_room = tmp_path / "quet.db", os.fsync, Path.replace, OSError(errno.ENOSPC, "No space left")
    if not has_database:
        data.unlink()
    there = {file.name for file in tmp_path.iterdir()} | {"quet.db.lock"}

    def no_flush(file: int) -> None:
        if step == ("folder" if stat.S_ISDIR(os.fstat(file).st_mode) else "file"):
            raise no_room
        fsync(file)

    def no_name(file: Path, to: Path) -> Path:
        assert data.exists() or not has_database or not has_links  # at every moment
        if file.name.startswith(".") and step == "name":
            raise no_room
        return replace(file, to)

    def no_link(file: Path, to: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "fsync", no_flush)
    monkeypatch.setattr(Path, "replace", no_name)
    if not has_links:
        monkeypatch.setattr(os, "link", no_link)
    assert main(["restore", str(tmp_path / "copy")]) == 2
    assert capsys.readouterr().err == "quet: The backup can't be restored: No space left.\n"
    assert {file.name for file in tmp_path.iterdir()} == there
    if has_database:
        same = opened(f"sqlite:///{data}")
        assert same.load(match.id).rows == match.rows
        same.database.close()
    step = ""
    assert main(["restore", str(tmp_path / "copy")]) == 0
    assert len(list(tmp_path.glob("quet.db.20*"))) == has_database


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.usefixtures("_in_a_terminal")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_backup_that_is_ended_leaves_no_copy(name: str, site: Store, tmp_path: Path) -> None:
    with site.database.write() as connection:  # more than a pipe takes
        connection.execute(text("CREATE TABLE large AS SELECT randomblob(1000000)"))
    site.database.close()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)
    there = {file.name for file in tmp_path.iterdir()}
    command = [sys.executable, "-m", "quet.cli.main", "backup", "-"]
    with pipe.open("wb") as writer, subprocess.Popen(command, stdout=writer) as program:
        try:
            assert select.select([reader], [], [], 60)[0]  # the copy is made, and a part of it is sent
            program.send_signal(getattr(signal, name))
            assert program.wait(60) == 128 + getattr(signal, name)
        finally:
            program.kill()
    os.close(reader)
    assert {file.name for file in tmp_path.iterdir()} == there


def test_copies_of_programs_that_were_killed_go_and_those_of_others_stay(site: Store, tmp_path: Path) -> None:
    a_game(site)
    site.database.close()
    left = [tmp_path / f".quet.db.01234567{end}" for end in ("", "-wal", "-shm", "-journal", ".lock")]
    left.append(tmp_path / ".quet.db.76543210.lock")  # of one that was killed before it had made a copy
    left.append(tmp_path / "quet.db.2026-11-30-020906")  # of one that was killed before it had put a copy in its place
    left[-1].hardlink_to(tmp_path / "quet.db")
    other, of_another_name = tmp_path / ".quet.db.89abcdef", tmp_path / ".quet.db.of-yours"
    for file in (*left, other, of_another_name):
        file.touch()
    with locked(other):
        assert main(["backup", str(tmp_path / "copy")]) == 0  # which makes its copy beside the new file
        assert main(["restore", str(tmp_path / "copy")]) == 0
        assert not any(file.exists() for file in left) and other.exists() and of_another_name.exists()
    assert main(["restore", str(tmp_path / "copy")]) == 0
    assert [file for file in tmp_path.iterdir() if file.name.startswith(".")] == [of_another_name]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_is_no_database_and_stays_as_it_is(
    make: Callable[[Path], None],
    site: Store,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    good, other = tmp_path / "good", tmp_path / "other"
    assert main(["backup", str(good)]) == 0
    site.database.close()
    make(other)
    other.chmod(0o755)
    before = other.stat()
    monkeypatch.setenv("QUET_DATABASE_URL", f"sqlite:///{other}")
    for words in (["backup", str(tmp_path / "new")], ["restore", str(good)], ["serve"], ["forget", "name", "Ann"]):
        assert main(words) == 2, words
        assert capsys.readouterr().err == f"quet: The database must be a file; {other} is something else.\n", words
    assert (other.stat().st_ino, other.stat().st_mode) == (before.st_ino, before.st_mode)
    assert not (tmp_path / "new").exists() and not list(tmp_path.glob("other?*"))
