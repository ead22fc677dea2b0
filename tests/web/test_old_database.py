"""A database of commit 2f1d3df is read by today's code as its own code read it."""

import gzip
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import MetaData, create_engine

from quet.core.errors import BadParameter
from quet.web.errors import NoSuchGame
from quet.web.storage.database import Database
from quet.web.storage.forgetting import Forgetting
from quet.web.storage.store import Store

from .old_database.make import HERE, told, words_of

EXPECTED = json.loads(gzip.decompress((HERE / "expected.json.gz").read_bytes()))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The old database, opened as a server opens it."""
    path: Path = tmp_path_factory.mktemp("old") / "quet.sqlite"
    path.write_bytes(gzip.decompress((HERE / "database.sqlite.gz").read_bytes()))
    database = Database(f"sqlite:///{path}")
    database.upgrade()
    yield Store(database)
    database.close()


@pytest.fixture
def old_in_postgresql(postgresql_url: str) -> str:
    """The same rows in a PostgreSQL database of the same schema."""
    old = sqlite3.connect(":memory:")
    old.deserialize(gzip.decompress((HERE / "database.sqlite.gz").read_bytes()))
    old.row_factory = sqlite3.Row
    (version,) = old.execute("SELECT version_num FROM alembic_version").fetchone()
    config, engine, made = Config(), create_engine(postgresql_url), MetaData()
    config.set_main_option("script_location", "quet.web.storage:migrations")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)
        made.reflect(connection)
        for name in ("games", "seats", "moves"):
            rows = [dict(row) for row in old.execute(f"SELECT * FROM {name}")]
            connection.execute(made.tables[name].insert(), rows)
    engine.dispose()
    old.close()
    return postgresql_url


@pytest.fixture(params=["sqlite", "postgresql"])
def old_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The old database before it is brought up to date."""
    if request.param == "postgresql":
        url: str = request.getfixturevalue("old_in_postgresql")
        return url
    file = tmp_path / "quet.sqlite"
    file.write_bytes(gzip.decompress((HERE / "database.sqlite.gz").read_bytes()))
    return f"sqlite:///{file}"


def told_anew(expected: dict[str, object]) -> set[str]:
    """What is told otherwise since then.

    Results name people, all pictures but two are described in other sentences, and the table says what to do in place
    of whose turn it is. Clocks no longer jump back where a game was ended otherwise than by its rules.
    """
    unchanged = ("palindromes", "sums-grid")
    changed = {"board": expected["game"] not in unchanged, "clocks": expected["end"] is not None}
    return {"summary", "words"} | {key for key, is_changed in changed.items() if is_changed}


def _without_results(words: list[str]) -> list[str]:
    """What is said, without results, and without scores and what signs mean, which nobody said then.

    Of three players called Ann none was told by the number.
    """
    words = [re.sub(r"^Player \d (?!is to move)", "Ann ", each) for each in words]
    words = [
        re.sub(r" Scores?: [^.]*\.?$|(?<=[!+-]) \([^)]*\)", "", each.replace("\N{MINUS SIGN}", "-")) for each in words
    ]
    return [each for each in words if not re.search(r" wins?\b| lose |score|^Your move|^It is your turn", each)]


@pytest.mark.parametrize("id", EXPECTED)
def test_a_game_of_the_old_database_stands_as_it_stood(store: Store, id: str) -> None:
    match = store.load(id)
    expected = EXPECTED[id]
    text = json.dumps(told(match) | {"words": words_of(match)})
    found = json.loads(text.replace("player 1 called the game off", "the game was called off"))  # nobody said who
    for key in expected.keys() - told_anew(expected):
        assert found[key] == expected[key], key
    for before, now in zip(expected["clocks"], found["clocks"], strict=True):
        assert now == found["clocks"][0] or not match.is_over
        assert all(is_left == was_left or is_left < was_left for is_left, was_left in zip(now, before, strict=True))
    goal = str(match.game.goal)  # nobody said that then
    words = [each.removesuffix(f" {goal}") if goal else each for each in found["words"] if each != goal]
    # Nor how many moves were taken back.
    words = [re.sub(r"(took|take)( the last \d+ moves)? back", r"\1 the last move back", each) for each in words]
    assert _without_results(words) == _without_results(expected["words"])
    assert match.summary == match.row  # what lists and computer players go by


def test_the_old_database_has_every_game_and_every_kind_of_row() -> None:
    kinds = {row[2] for one in EXPECTED.values() for row in one["rows"]}
    assert kinds == set("start move undo offer-draw offer-undo accept decline resign time call-off".split())
    assert len({one["game"] for one in EXPECTED.values()}) == 8
    assert {one["status"] for one in EXPECTED.values()} == {"waiting", "playing", "over"}


def test_games_of_the_old_database_are_played_on(store: Store) -> None:
    now = 2_000_000_000.0
    for id, one in EXPECTED.items():
        match = store.load(id)
        if one["status"] == "playing" and match.deadline is None and not match.is_computer_to_move:
            move = match.game.legal_moves[0]
            after = store.act(id, str(match.seat(match.mover or 0).visitor), "move", move, match.num_rows, now)
            assert after.game.moves == [*one["moves"], move]
            assert Store(store.database).load(id).game.moves == after.game.moves


def test_the_old_database_takes_the_key_of_its_next_server_and_loses_a_rematch(old_url: str) -> None:
    database = Database(old_url)
    database.upgrade("1" * 32)
    with pytest.raises(BadParameter, match="another key"):
        database.upgrade("2" * 32)
    store = Store(database)
    matches = [store.load(id) for id in EXPECTED]
    assert all(match.row == match.summary for match in matches)
    (again,) = (match for match in matches if match.row.rematch)
    Forgetting(database).game(str(again.row.rematch))
    assert store.load(again.id).row.rematch is None
    with pytest.raises(NoSuchGame):
        store.load(str(again.row.rematch))
    database.close()
