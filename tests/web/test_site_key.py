"""The key by which visitors have their seats: a database knows it again, and is served with no other."""

import os
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import select, text

from quet.cli.main import main
from quet.core.errors import BadParameter
from quet.web import serve
from quet.web.app import create_app
from quet.web.settings import Settings
from quet.web.storage.database import Database
from quet.web.storage.forgetting import opened
from quet.web.storage.schema import key_fingerprints
from quet.web.storage.serving import alone

from .serving import free_port

ONE, OTHER = (Settings("", key * 16).fingerprint for key in "ab")
REFUSED = "^This database was served with another key, .* `quet forget key`: whoever has a seat by .*$"


def known(database: Database) -> list[str]:
    with database.read() as connection:
        return list(connection.scalars(select(key_fingerprints.c.fingerprint)))


def test_the_fingerprint_tells_the_key_from_others_and_does_not_have_it() -> None:
    assert len({ONE, OTHER, Settings("", "a" * 17).fingerprint}) == 3 and len(ONE) == 32 and "aaaa" not in ONE


def test_a_database_is_served_with_the_key_of_its_first_server_until_an_operator_forgets_it(
    database: Database, database_url: str
) -> None:
    database.upgrade()  # as the programs of an operator do, which have no key
    assert known(database) == []
    for _ in range(2):
        database.upgrade(ONE)
    with pytest.raises(BadParameter, match=REFUSED):
        database.upgrade(OTHER)
    database.upgrade()
    assert known(database) == [ONE]
    with opened(database_url) as forgetting:
        forgetting.key()
    database.upgrade(OTHER)
    with pytest.raises(BadParameter, match=REFUSED):
        database.upgrade(ONE)
    assert known(database) == [OTHER]


def test_a_damaged_database_is_not_told_to_be_of_another_key(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    database.upgrade(ONE)
    with database.read() as connection:
        page = connection.scalar(text("SELECT rootpage FROM sqlite_master WHERE name = 'games'"))
        size = connection.scalar(text("PRAGMA page_size"))
    database.close()
    with Path(str(database.url.database)).open("rb+") as file:
        file.seek((page - 1) * size)
        file.write(bytes(size))
    with pytest.raises(BadParameter, match=r"^The database can't be opened: database disk image is malformed\.$"):
        database.upgrade(OTHER)
    database.close()


def test_the_key_is_not_forgotten_while_the_site_is_served(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    database.upgrade(ONE)
    with alone(database), opened(sqlite_url) as forgetting, pytest.raises(BadParameter, match="serves"):
        forgetting.key()
    assert known(database) == [ONE]
    with opened(sqlite_url) as forgetting:
        forgetting.key()
    assert known(database) == []
    database.close()


def test_of_servers_that_start_at_once_those_with_the_first_key_start(empty_database_url: str) -> None:
    keys = [ONE, OTHER] * 4

    def start(key: str) -> bool:
        database = Database(empty_database_url)
        try:
            database.upgrade(key)
        except BadParameter:
            return False
        finally:
            database.close()
        return True

    with ThreadPoolExecutor(len(keys)) as pool:
        started = list(pool.map(start, keys))
    database = Database(empty_database_url)
    (first,) = known(database)
    assert started == [key == first for key in keys]
    database.close()


async def test_a_server_process_with_another_key_does_not_start(database_url: str) -> None:
    """Also where no `quet serve` has looked before: another program may have imported the application."""
    for _ in range(2):
        app = create_app(Settings(database_url, "a" * 16))
        async with app.router.lifespan_context(app):
            pass
    app = create_app(Settings(database_url, "b" * 16))
    with pytest.raises(BadParameter, match=REFUSED):
        async with app.router.lifespan_context(app):
            pass


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a new site with one server process."""
    monkeypatch.setenv("QUET_DATA", str(tmp_path))
    monkeypatch.delenv("QUET_DATABASE_URL", raising=False)
    monkeypatch.setenv("QUET_WORKERS", "1")
    return tmp_path


def test_a_restored_database_without_its_key_is_not_served(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A new key is made where the file is missing, and would give whoever comes another cookie for ever."""
    served: list[object] = []

    def note(*_: object) -> int:
        served.append(_)
        return 0

    monkeypatch.setattr(serve, "_serve", note)
    words, key = ["serve", "--port", str(free_port())], data / "secret-key"
    assert main(words) == 0 and len(served) == 1
    right = key.read_text()
    key.unlink()
    assert main(words) == 2 and len(served) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "in the file secret-key of the data folder" in told
    wrong = key.read_text()
    key.write_text(right)
    assert main(words) == 0 and len(served) == 2
    key.write_text(wrong)
    capsys.readouterr()
    assert main(["forget", "key"]) == 0
    assert capsys.readouterr().out == "The site has no key now. It takes that of the server that starts next.\n"
    assert main(words) == 0 and len(served) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="files there have no such owners")
def test_the_lock_that_root_makes_belongs_to_the_service(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the server couldn't open it."""
    file = data / "quet.db"
    made = Database(f"sqlite:///{file}")
    made.upgrade()
    made.close()
    service = 65_534 if os.geteuid() == 0 else os.getuid()
    os.chown(file, service, -1)
    given: list[tuple[Path, int]] = []

    def give(made: Path, user: int, group: int, *, follow_symlinks: bool) -> None:
        assert not follow_symlinks
        given.append((made, user))
        raise PermissionError  # as to root in some containers, where the command works all the same

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", give)
    assert main(["forget", "key"]) == 0
    assert given == [(data / "quet.db.lock", service)]


def test_a_server_that_can_not_listen_brings_no_key(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "_serve", lambda *_: 0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setenv("QUET_SECRET_KEY", "wrong" * 8)
        assert main(["serve", "--port", str(taken.getsockname()[1])]) == 2
    monkeypatch.setenv("QUET_SECRET_KEY", "right" * 8)
    assert main(["serve", "--port", str(free_port())]) == 0, capsys.readouterr().err


def test_a_key_that_is_no_text_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadParameter, match=r"^QUET_SECRET_KEY must be a text in UTF-8\.$"):
        Settings.from_environment({"QUET_SECRET_KEY": "\udcff" * 16})


def test_the_words_of_the_command_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    for words, told in (
        (["key", "abc"], "takes no further word"),
        (["name"], "quet forget name needs to be told which."),
    ):
        assert main(["forget", *words]) == 2
        assert told in capsys.readouterr().err
