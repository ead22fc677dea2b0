"""A database in PostgreSQL: its address, its encoding, and the lines for a shell that copy it and put it back."""

import os
import re
import subprocess
from collections.abc import Callable, Generator
from contextlib import closing
from importlib import resources
from pathlib import Path
from typing import cast

import psycopg
import pytest
from alembic.command import upgrade
from alembic.config import Config
from sqlalchemy import inspect, text

from quet.cli.main import main
from quet.core.errors import BadParameter
from quet.web import storage
from quet.web.storage.database import Database
from quet.web.storage.store import Store

from . import postgresql
from .test_backup import a_game, moved, opened

Told = Callable[[str, str], str]
Listening = Generator[str | None, None, None]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Says which line a command tells for the database at an address."""

    def told(name: str, url: str) -> str:
        monkeypatch.setenv("QUET_DATABASE_URL", url)
        assert main([name, str(tmp_path / "dump")]) == 2
        return capsys.readouterr().err.partition(" Run:\n")[2]

    return told


def carry_out(url: str, *commands: str) -> None:
    """Carry commands out in a database."""
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        for command in commands:
            connection.execute(command.encode())


def test_all_that_connect_understand_an_address_with_blanks(postgresql_url: str, told: Told) -> None:
    query = "options=-c%20work_mem%3D8MB%20-c%20application_name%3Da%2Bb"
    url = f"{postgresql_url.replace('quet@', 'my%20us%2Ber:a%20b@')}&{query}"
    carry_out(postgresql_url, 'CREATE ROLE "my us+er" LOGIN SUPERUSER')
    try:
        store = opened(url)
        database, other = store.database, Database(url)
        match = a_game(store)
        with closing(other), closing(cast("Listening", other.announcements(lambda: True))) as news:
            assert next(news) is None
            moved(store, match, 1)
            assert next(news) == match.id
        with database.read() as connection:
            assert connection.scalar(text("SHOW work_mem")) == "8MB"
            assert connection.scalar(text("SHOW application_name")) == "a+b"
        database.close()
        run(told("backup", url))
        assert run(told("restore", url)).splitlines()[-1] == "Restored."
    finally:
        carry_out(postgresql_url, 'DROP OWNED BY "my us+er" CASCADE', 'DROP ROLE "my us+er"')


def test_the_lines_of_the_page_make_a_database_in_which_their_role_makes_tables(cluster: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "site.md").read_text(encoding="utf-8")
    lines = re.findall(r"^    (CREATE (?:ROLE|DATABASE) .*;)$", page, re.MULTILINE)
    server = f"postgresql://quet@/postgres?host={cluster}"
    carry_out(server, *(line.replace(" quet ", " of_the_page ") for line in lines))
    database = Database(f"postgresql+psycopg://of_the_page@/of_the_page?host={cluster}")
    try:
        database.upgrade()
    finally:
        database.close()
        carry_out(server, "DROP DATABASE of_the_page WITH (FORCE)", "DROP ROLE of_the_page")


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_is_not_utf_8_is_refused_in_a_sentence(cluster: Path, encoding: str) -> None:
    name = f"in_{encoding.lower()}"
    server = f"postgresql://quet@/postgres?host={cluster}"
    carry_out(server, f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0")
    database = Database(f"postgresql+psycopg://quet@/{name}?host={cluster}")
    try:
        with pytest.raises(
            BadParameter, match=f"has the encoding {encoding}, .* CREATE DATABASE quet OWNER quet ENCODING 'UTF8'"
        ):
            database.upgrade()
    finally:
        database.close()
        carry_out(server, f"DROP DATABASE {name} WITH (FORCE)")


def test_a_client_of_another_encoding_writes_utf_8(postgresql_copy_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    database = Database(f"{postgresql_copy_url}&client_encoding=LATIN1")
    with database.read() as connection:
        assert connection.scalar(text("SELECT CAST(:name AS TEXT)"), {"name": "Łukasz"}) == "Łukasz"
    database.close()


def test_a_schema_of_its_own_comes_back_also_where_there_is_one(postgresql_url: str, told: Told) -> None:
    url = f"{postgresql_url}&options=-csearch_path%3Dplace"
    carry_out(url, "CREATE SCHEMA place")
    store = opened(url)
    match = moved(store, a_game(store), 1)
    run(told("backup", url))
    moved(store, match, 2)
    store.database.close()
    for before in ("SELECT", "DROP SCHEMA place CASCADE; CREATE SCHEMA place", "DROP SCHEMA place CASCADE"):
        carry_out(url, before)
        assert run(told("restore", url)).splitlines()[-1] == "Restored."
        again = opened(url)
        assert again.load(match.id).rows == match.rows
        again.database.close()
    assert "Restored." not in run(told("restore", postgresql_url), status=3)  # whose tables are elsewhere


def test_a_dump_comes_back_where_a_role_is_missing_that_had_a_grant(postgresql_url: str, told: Told) -> None:
    store = opened(postgresql_url)
    match = a_game(store)
    carry_out(postgresql_url, "CREATE ROLE reader", "GRANT SELECT ON games TO reader")
    run(told("backup", postgresql_url))
    carry_out(postgresql_url, "DROP OWNED BY reader", "DROP ROLE reader")
    store.database.close()
    assert run(told("restore", postgresql_url)).splitlines()[-1] == "Restored."
    again = opened(postgresql_url)
    assert again.load(match.id).rows == match.rows
    again.database.close()


def test_a_dump_that_lacks_a_table_is_not_restored(postgresql_url: str, told: Told) -> None:
    store = opened(postgresql_url)
    match = a_game(store)
    run(f"{told('backup', postgresql_url).strip()} --exclude-table=studies")
    store.database.close()
    said = run(told("restore", postgresql_url), status=3)
    assert "lacks tables of Quet. Nothing has changed." in said and "Restored." not in said
    same = opened(postgresql_url)
    assert same.load(match.id).rows == match.rows
    same.database.close()


def test_for_postgresql_the_commands_are_told_and_they_do_it(
    postgresql_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUET_DATABASE_URL", postgresql_url.replace("quet@", "quet:hush-hush@"))
    store = opened(postgresql_url)
    match = moved(store, a_game(store), 1)
    file = tmp_path / "my copy"

    def command(name: str) -> str:
        capsys.readouterr()
        assert main([name, str(file)]) == 2
        told = capsys.readouterr().err
        assert "QUET_SECRET_KEY" in told or name == "restore"
        assert "hush-hush" not in told and ("End all servers first." in told) == (name == "restore")
        assert ("All tables of the schema go" in told) == (name == "restore")
        return told.partition(" Run:\n")[2]

    run(command("backup"))
    later = moved(store, match, 2)
    store.database.close()
    whole = file.read_bytes()
    file.write_bytes(whole[:-2_000])
    assert "Restored." not in run(command("restore"), status=3)  # which changes nothing
    file.unlink()
    assert "ERROR:  Nothing has changed." in run(command("restore"), status=3)
    file.write_bytes(whole)
    for part in ("--exclude-table='*'", "--table=alembic_version"):
        file.unlink()
        run(f"{command('backup').strip()} {part}")
        assert "Restored." not in run(command("restore"), status=3)  # nor does a dump that lacks our tables
    same = opened(postgresql_url)
    assert same.load(match.id).rows == later.rows
    same.database.close()
    file.write_bytes(whole)
    assert run(command("restore")).splitlines()[-1] == "Restored."
    again = opened(postgresql_url)
    assert again.load(match.id).rows == match.rows
    again.database.close()


def test_a_dump_of_before_an_upgrade_of_postgresql_comes_back(
    postgresql_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUET_DATABASE_URL", postgresql_url)

    def run_what_is_told(name: str) -> None:
        assert main([name, str(tmp_path / "dump")]) == 2
        run(capsys.readouterr().err.partition(" Run:\n")[2])

    database = Database(postgresql_url)
    with database.write() as connection:
        config = Config()
        config.set_main_option("script_location", str(resources.files(storage) / "migrations"))
        config.attributes["connection"] = connection
        upgrade(config, "0003")
    run_what_is_told("backup")
    database.upgrade()
    a_game(Store(database))
    with database.write() as connection:
        connection.execute(text("CREATE TABLE of_a_later_version (id TEXT)"))
    newest = database.version()
    database.close()
    run_what_is_told("restore")
    assert database.version() == "0003"
    with database.read() as connection:
        assert not {"entries", "of_a_later_version"} & set(inspect(connection).get_table_names())
    database.upgrade()
    assert database.version() == newest
    a_game(Store(database))
    database.close()


def test_a_dump_of_a_newer_version_is_not_restored_in_postgresql(
    postgresql_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUET_DATABASE_URL", postgresql_url)
    store = opened(postgresql_url)
    match = a_game(store)

    def set_version(version: str) -> None:
        with store.database.write() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})

    known = store.database.version()
    set_version("9999")
    lines = []
    for name in ("backup", "restore"):
        assert main([name, str(tmp_path / "dump")]) == 2
        lines.append(capsys.readouterr().err.partition(" Run:\n")[2])
    run(lines[0])
    set_version(known)
    later = moved(store, match, 1)
    store.database.close()
    told = run(lines[1], status=3)
    assert "of a newer version of Quet. Nothing has changed." in told and "Restored." not in told
    same = opened(postgresql_url)
    assert same.load(match.id).rows == later.rows
    same.database.close()


def test_the_lines_for_postgresql_are_whole_however_long_and_may_be_streams(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QUET_DATABASE_URL", f"postgresql://quet@{'very-' * 100}far.example/quet")
    lines = []
    for name in ("backup", "restore"):
        assert main([name, "-"]) == 2
        lines.append(capsys.readouterr().err.splitlines()[1])
    dump, restore = lines
    assert dump.startswith("pg_dump --format=custom --dbname=")
    assert "; pg_restore --no-owner --no-privileges --file=- && echo" in restore
    assert all(line.endswith("far.example/quet") for line in lines)


def test_the_lines_for_postgresql_show_no_password(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wherever libpq takes one; what isn't secret stays."""
    query = "user=quet&password=hush&sslpassword=hush&oauth_client_secret=hush&sslmode=require&passfile=here"
    monkeypatch.setenv("QUET_DATABASE_URL", f"postgresql://ann:hush@far.example/quet?{query}")
    for name in ("backup", "restore"):
        assert main([name, "copy"]) == 2
        told = capsys.readouterr().err
        assert "hush" not in told
        assert "postgresql://ann@far.example/quet?passfile=here&sslmode=require&user=quet" in told


def run(line: str, status: int = 0) -> str:
    """Run a line of a shell with PostgreSQL's programs; what they say."""
    found = postgresql.programs()
    assert found is not None
    path = f"{found}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(line, shell=True, check=False, env=os.environ | {"PATH": path}, stderr=subprocess.PIPE)
    assert done.returncode == status, done.stderr
    return done.stderr.decode()
