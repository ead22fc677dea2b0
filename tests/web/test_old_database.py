"""A database of commit 2f1d3df is read by today's code as its own code read it."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from quet.web.storage.database import Database
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


def told_anew(expected: dict[str, object]) -> set[str]:
    """What is told otherwise since then.

    Results name people, four pictures are described in other sentences, and the table says what to do in place of
    whose turn it is. Clocks no longer jump back where a game was ended otherwise than by its rules.
    """
    pictures = ("convoluted-coprimality", "divisors-multiples", "plusses-minuses", "up-and-up")
    changed = {"board": expected["game"] in pictures, "clocks": expected["end"] is not None}
    return {"summary", "words"} | {key for key, is_changed in changed.items() if is_changed}


def _without_results(words: list[str]) -> list[str]:
    """What is said, without results, and without scores and what signs mean, which nobody said then."""
    words = [
        re.sub(r" Scores?: [^.]*\.?$|(?<=[!+-]) \([^)]*\)", "", each.replace("\N{MINUS SIGN}", "-")) for each in words
    ]
    return [each for each in words if not re.search(r" wins?\b| lose |score|^Your move|^It is your turn", each)]


@pytest.mark.parametrize("id", EXPECTED)
def test_a_game_of_the_old_database_stands_as_it_stood(store: Store, id: str) -> None:
    match = store.load(id)
    expected = EXPECTED[id]
    found = json.loads(json.dumps(told(match) | {"words": words_of(match)}))
    for key in expected.keys() - told_anew(expected):
        assert found[key] == expected[key], key
    for before, now in zip(expected["clocks"], found["clocks"], strict=True):
        assert now == found["clocks"][0] or not match.is_over
        assert all(is_left == was_left or is_left < was_left for is_left, was_left in zip(now, before, strict=True))
    goal = str(match.game.goal)  # nobody said that then
    words = [each.removesuffix(f" {goal}") if goal else each for each in found["words"] if each != goal]
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
