"""What each method of the store writes, lists and says, on SQLite: `test_store.py` has what both databases must do."""

import contextlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Any

import pytest
from sqlalchemy import Connection, select, update
from sqlalchemy.exc import IntegrityError

from quet import catalog, position
from quet.core.errors import IllegalMove, QuetError
from quet.records.record import Record, read
from quet.web.errors import Away, BadForm, Gone, NoSuchGame, Superseded, TooMany, Unsure
from quet.web.match import SiteMatch
from quet.web.new_games import SeatPlan, SetUp
from quet.web.storage import listings, rows
from quet.web.storage.claims import Due
from quet.web.storage.database import Database
from quet.web.storage.schema import GameRow, SeatRow, games, heartbeats, seats, standing_of
from quet.web.storage.store import Act, Store

from .in_process import all_done

NOW = 1_000_000.0
DAY = 86_400.0
ME, LINK, OPEN, LEVEL = SeatPlan("me", "Ann"), SeatPlan("link"), SeatPlan("open"), SeatPlan("level:1")
RACE = "r" * 22


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new database, which is made once and copied for each test."""
    file = tmp_path_factory.mktemp("template") / "quet.db"
    database = Database(f"sqlite:///{file}")
    database.upgrade()
    database.close()
    return file


@pytest.fixture
def stores(template: Path, tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    """The stores of two processes on one database."""
    file = shutil.copy(template, tmp_path / "quet.db")
    databases = [Database(f"sqlite:///{file}") for _ in range(2)]
    yield Store(databases[0]), Store(databases[1])
    for database in databases:
        database.close()


@pytest.fixture
def store(stores: tuple[Store, Store]) -> Store:
    return stores[0]


@pytest.fixture
def other(stores: tuple[Store, Store]) -> Store:
    return stores[1]


@contextlib.contextmanager
def outrun(store: Store, act: Callable[[], object], *, times: int) -> Iterator[list[SiteMatch]]:
    """Meanwhile, so many times, another process acts just before the store writes. Yields what it tries to write."""
    tries: list[SiteMatch] = []
    add = store.add

    def late(after: SiteMatch, now: float) -> SiteMatch:
        tries.append(after)
        if len(tries) <= times:
            act()
        return add(after, now)

    store.add = late  # type: ignore[method-assign]
    yield tries
    store.add = add  # type: ignore[method-assign]


def palindromes(*plans: SeatPlan, **values: Any) -> SetUp:
    return SetUp("palindromes", {"m": "6"}, plans, **values)


def begin(store: Store, now: float = NOW, **values: Any) -> SiteMatch:
    """A game between ann and bob, who took an open seat."""
    match = store.create(palindromes(ME, OPEN, **values), "ann", now)
    return store.take_seat(match.id, "bob", "Bob", now)


def move(store: Store, match: SiteMatch, visitor: str, text: str, now: float = NOW) -> SiteMatch:
    return store.act(match.id, visitor, "move", text, None, now)


def column(store: Store, id: str, name: str) -> Any:
    """What stands in a column of `games`."""
    with store.database.read() as connection:
        return connection.scalar(select(games.c[name]).where(games.c.id == id))


def of_seats(store: Store, id: str, name: str) -> list[Any]:
    """What stands in a column of `seats` for each player."""
    query = select(seats.c[name]).where(seats.c.game_id == id).order_by(seats.c.player)
    with store.database.read() as connection:
        return list(connection.scalars(query))


def put(store: Store, id: str, **values: object) -> None:
    """Write into columns of `games` directly."""
    with store.database.write() as connection:
        connection.execute(update(games).where(games.c.id == id).values(**values))


def give(store: Store, id: str, visitor: str) -> None:
    """Have a visitor hold the seat of a game for one, as an earlier version let happen in races."""
    with store.database.write() as connection:
        connection.execute(update(seats).where(seats.c.game_id == id).values(visitor=visitor))


def sentence(refused: Callable[[], object]) -> str:
    with pytest.raises(QuetError) as caught:
        refused()
    return str(caught.value)


def noted(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids that are announced to other processes from now on."""
    announced: list[str] = []

    def announce(connection: Connection, *ids: str) -> None:
        assert connection.in_transaction()
        announced.extend(ids)

    monkeypatch.setattr(store.database, "announce", announce)
    return announced


# Lists.


def test_versions_are_those_of_the_games_that_are_there(store: Store) -> None:
    first, second = begin(store), store.create(palindromes(ME, OPEN), "ann", NOW)
    begin(store)
    assert store.versions([first.id, second.id, "x" * 22]) == {first.id: first.row.version, second.id: 0}
    assert store.versions([]) == {}


def test_the_lobby_has_free_seats_of_each_clock_as_long_as_somebody_may_come(store: Store) -> None:
    ages = (("none", 14 * DAY, 0.0), ("live", 3600.0, 60.0), ("days", 14 * DAY, DAY))
    made = []
    for number, (clock, age, seconds) in enumerate(ages):
        for old in (age, age - 1 - number):
            made.append(store.create(palindromes(ME, OPEN, clock=clock, clock_seconds=seconds), "ann", NOW - old).id)
    newest = store.create(palindromes(ME, OPEN), "bob", NOW).id
    store.create(palindromes(ME, LINK), "ann", NOW)
    begin(store)
    listed = [newest, made[3], made[5], made[1]]
    assert [one.id for one in store.lobby(NOW)] == listed
    assert [one.id for one in store.lobby(NOW, 2)] == listed[:2]
    assert [one.id for one in store.lobby(NOW, 1)] == listed[:1]
    (first,) = store.lobby(NOW, 1)
    assert first == listings.Listing(store.load(newest).row, store.load(newest).seats)


def test_no_visitor_takes_all_places_of_a_list(store: Store) -> None:
    honest = [store.create(palindromes(ME, OPEN), visitor, NOW - 9 + k).id for k, visitor in enumerate(("ann", "ben"))]
    live = store.create(palindromes(ME, OPEN, clock="live", clock_seconds=60.0), "cleo", NOW - 7).id
    eve = [store.create(palindromes(ME, OPEN), "eve", NOW + k).id for k in range(12)][::-1]
    assert [one.id for one in store.lobby(NOW, 10)] == [*eve[:5], live, *honest[::-1], *eve[5:7]]
    assert [one.id for one in store.lobby(NOW, 4, few=1)] == [eve[0], live, *honest[::-1]]
    assert [one.id for one in store.lobby(NOW, 5)] == eve[:5]
    watched = store.create(palindromes(ME, ME, is_public=True), "ann", NOW).id
    many = [store.create(palindromes(ME, ME, is_public=True), "eve", NOW + 1 + k).id for k in range(8)][::-1]
    assert [one.id for one in store.public_games(7)] == [*many[:5], watched, many[5]]


def test_public_games_are_listed_while_they_are_played_changed_last_first(store: Store) -> None:
    one, two, over = (begin(store, is_public=True) for _ in range(3))
    begin(store)
    move(store, one, "ann", "1=0", NOW + 2)
    move(store, two, "ann", "1=0", NOW + 1)
    store.act(over.id, "ann", "resign", "", None, NOW + 3)
    assert [each.id for each in store.public_games()] == [one.id, two.id]


def test_games_of_a_visitor_that_go_on_come_before_those_that_have_ended(store: Store) -> None:
    one, two, three, four = (begin(store, NOW + number) for number in range(4))
    for match, now in ((two, NOW + 9), (four, NOW + 8)):
        store.act(match.id, "ann", "resign", "", None, now)
    move(store, one, "ann", "1=0", NOW + 5)
    assert [each.id for each in store.games_of("bob")] == [one.id, three.id, two.id, four.id]
    assert store.games_of("eve") == []


def test_of_two_scores_the_better_has_the_lower_standing_and_the_standing_tells_the_score() -> None:
    for id, better in (("up-and-up", 8), ("divisors-multiples", 5)):
        rules = catalog.get(id).rules
        assert min((5, 8), key=lambda score: standing_of(score, rules)) == better
        assert [standing_of(standing_of(score, rules), rules) for score in (-5, 0, 8)] == [-5, 0, 8]


def racers(store: Store, standings: list[int | None]) -> list[str]:
    """The games of a race in which each has such a standing, or is unplaced; in the order of the ranking."""
    set_up = SetUp("up-and-up", {"n": "2"}, (ME,))
    store.create(set_up, "racer0", NOW, race=RACE)
    ids = []
    for number, standing in enumerate(standings):
        match = store.join_race(RACE, f"racer{number}", f"Racer {number}", NOW)
        put(store, match.id, is_unplaced=standing is None, standing=standing or 0)
        ids.append((standing is None, standing or 0, match.id))
    return [id for _, _, id in sorted(ids)]


def test_a_race_is_ranked_the_same_from_wherever_it_is_read(store: Store) -> None:
    ids = racers(store, [4, 2, 2, None, 7, 4, 4])
    ranked = store.racers(RACE)
    assert [each.id for each in ranked] == ids
    assert [each.place for each in ranked] == [1, 1, 3, 3, 3, 6, 0]
    assert [each.standing for each in ranked] == [2, 2, 4, 4, 4, 7, 0]
    for first in range(len(ids) + 1):
        assert store.racers(RACE, first) == ranked[first:]
    for each in ranked:
        assert store.racer(RACE, each.row.creator) == each
    assert (store.num_racers(RACE), store.num_racers("s" * 22)) == (7, 0)
    assert (store.racers("s" * 22), store.unranked(RACE)) == ([], [])


def test_a_race_is_found_by_its_games_and_a_game_by_its_racer(store: Store) -> None:
    ids = racers(store, [1, 2])
    row = store.any_of_race(RACE)
    assert row is not None and row.id in ids and isinstance(row, GameRow)
    assert store.any_of_race("s" * 22) is None
    assert store.entered(RACE, "racer1") == ids[1]
    assert store.entered(RACE, "eve") is store.entered("s" * 22, "racer1") is None
    assert store.racer(RACE, "eve") is store.racer("s" * 22, "racer1") is None


def test_who_was_handed_a_seat_of_a_race_has_that_game_and_no_other(store: Store) -> None:
    ids = racers(store, [1, 2])
    store.create(SetUp("up-and-up", {"n": "2"}, (ME,)), "eve", NOW + 1, race="s" * 22)
    begin(store, NOW + 2)
    refused = "In a race everybody plays one game, and hands it over to nobody."
    assert sentence(lambda: store.hand_over(ids[1], 1, "racer1", NOW)) == refused
    give(store, ids[1], "eve")
    taken, own = store.racer(RACE, "eve"), store.racer("s" * 22, "eve")
    assert taken is not None and taken.id == ids[1]
    assert own is not None and own.id != ids[1]
    assert store.racer(RACE, "racer1") is None and store.racer(RACE, "bob") is None


def test_who_has_entered_a_race_has_that_game_also_with_the_seats_of_others(store: Store) -> None:
    *others, own = sorted(racers(store, [1] * 4))
    owner = store.load(own).row.creator
    for id in others:
        give(store, id, owner)
    found = store.racer(RACE, owner)
    assert found is not None and found.id == own


def test_a_race_of_an_earlier_version_gets_its_standings_also_where_a_game_cannot_be_read(store: Store) -> None:
    match = store.create(SetUp("up-and-up", {"n": "2"}, (ME,)), "ann", NOW, race=RACE)
    gone = store.join_race(RACE, "bob", "Bob", NOW)
    ranked = store.join_race(RACE, "cid", "Cid", NOW)
    match = move(store, match, "ann", "a1")
    for id in (match.id, gone.id):
        put(store, id, is_unplaced=None, standing=None, num_moves=None)
    put(store, gone.id, rules_version=0)
    put(store, ranked.id, standing=-9, num_moves=5)
    fresh = Store(store.database)
    assert set(fresh.unranked(RACE)) == {match.id, gone.id}
    assert {(each.standing, each.num_moves, each.place) for each in fresh.racers(RACE) if each.id != ranked.id} == {
        (0, 0, 0)
    }
    fresh.rank(RACE)
    known = {
        id: [column(store, id, name) for name in ("is_unplaced", "standing", "num_moves")]
        for id in fresh.versions([match.id, gone.id, ranked.id])
    }
    assert known == {match.id: [True, -1, 1], gone.id: [True, 0, 0], ranked.id: [True, -9, 5]}


def test_the_lowest_score_stands_first_where_less_is_better(store: Store) -> None:
    match = store.create(SetUp("divisors-multiples", {"r": "4", "players": "3"}, (ME, ME, ME)), "ann", NOW)
    for text in ("2!", "4!", "1"):
        match = move(store, match, "ann", text)
    assert match.game.scores[0] > 0
    assert rows.standing(match) == {"is_unplaced": True, "standing": match.game.scores[0], "num_moves": 3}


def test_a_standing_that_another_process_has_written_meanwhile_stands(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = store.create(SetUp("up-and-up", {"n": "2"}, (ME,)), "ann", NOW, race=RACE)
    put(store, match.id, is_unplaced=None)
    load = store.load

    def early(id: str) -> SiteMatch:
        read = load(id)
        move(other, match, "ann", "a1")
        return read

    monkeypatch.setattr(store, "load", early)
    store.rank(RACE)
    assert [column(store, match.id, name) for name in ("is_unplaced", "standing", "num_moves")] == [True, -1, 1]


def test_what_falls_due_is_listed_from_its_moment_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    clocked = begin(store, clock="days", clock_seconds=50.0)
    free, waiting = begin(store, NOW + 5), store.create(palindromes(ME, OPEN), "ann", NOW)
    old = begin(store, NOW)
    assert (store.due(NOW + 49.9), store.due(NOW + 50)) == ([], [clocked.id])
    assert store.idle(NOW + 7, 7.0) == []
    assert store.idle(NOW + 8, 7.0) == [old.id]
    assert store.idle(NOW + 13, 7.0) == [old.id, free.id]
    assert store.forsaken(NOW + 30 * DAY) == []
    assert store.forsaken(NOW + 30 * DAY + 1) == [waiting.id]
    later = store.create(palindromes(ME, OPEN), "ann", NOW - 1)
    assert store.forsaken(NOW + 31 * DAY) == [later.id, waiting.id]
    second = begin(store, clock="days", clock_seconds=60.0)
    assert store.due(NOW + 60) == [clocked.id, second.id]
    monkeypatch.setattr(listings, "LISTED", 1)
    assert (store.due(NOW + 60), store.idle(NOW + 13, 7.0), store.forsaken(NOW + 31 * DAY)) == (
        [clocked.id],
        [old.id],
        [later.id],
    )


# Rows and the cache.


def test_a_game_that_is_not_there_is_told_so(store: Store) -> None:
    for id in ("x" * 22, "x", "x" * 23, "é" * 22):
        assert sentence(partial(store.load, id)) == "There is no such game."
    with pytest.raises(NoSuchGame):
        store.act("x", "ann", "move", "1=0", None, NOW)


def test_the_cache_has_what_this_process_saw_last_and_nothing_older(store: Store, other: Store) -> None:
    match = begin(store)
    assert store.load(match.id) is match and other.peek(match.id) is None
    moved = move(other, match, "ann", "1=0")
    assert store.peek(match.id) is match
    loaded = store.load(match.id)
    assert loaded is not match and loaded.rows == moved.rows and store.load(match.id) is loaded
    store.remember(match)
    assert store.peek(match.id) is loaded
    again = loaded.with_row(loaded.row)
    store.remember(again)
    assert store.peek(match.id) is again


def test_a_start_is_read_once_however_often_others_change_the_game(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A paper takes long to read."""
    start = Record.of(position("palindromes", "1..0..", m=6)).text()
    match = store.create(palindromes(ME, ME, start=start), "ann", NOW)
    num_read = 0

    def count(text: str) -> Record:
        nonlocal num_read
        num_read += 1
        return read(text)

    monkeypatch.setattr("quet.web.match.read", count)
    for text in ("2=0", "3=0", "5=0"):
        move(store, match, "ann", text)
        assert other.load(match.id).game == store.load(match.id).game
    assert num_read == 1  # by the other, which didn't begin it
    another = position("palindromes", "1..1..", m=6)
    put(store, match.id, start=Record.of(another).text(), version=match.row.version + 1)
    assert store.load(match.id).begins == another


def test_the_cache_drops_what_nobody_has_seen_for_longest(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "CACHED", 2)
    first, second = begin(store), begin(store)
    store.remember(first)
    third = begin(store)
    assert [store.peek(each.id) is not None for each in (first, second, third)] == [True, False, True]
    monkeypatch.setattr(rows, "CACHED", 9)
    monkeypatch.setattr(rows, "CACHED_ROWS", 3)
    one = begin(store)
    assert [store.peek(each.id) is not None for each in (first, third, one)] == [True, True, True]
    one = move(store, one, "ann", "1=0")
    assert [store.peek(each.id) is not None for each in (first, third, one)] == [False, True, True]
    one = move(store, move(store, one, "bob", "2=0"), "ann", "3=0")  # alone larger than all may be
    assert store.peek(one.id) is one and store._num_rows == one.num_rows == 4


def test_a_new_game_is_written_whole(store: Store, other: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    announced = noted(store, monkeypatch)
    heard: list[SiteMatch] = []
    store.listeners.append(heard.append)
    monkeypatch.setattr(store.clock, "date", lambda at: f"the date of {at:.0f}"[:10])
    waiting = store.create(palindromes(ME, OPEN), "ann", NOW)
    full = store.create(palindromes(ME, LEVEL), "ann", NOW + 1)
    assert announced == [waiting.id, full.id] and heard == [waiting, full]
    assert (waiting.status, waiting.num_rows, waiting.row.date) == ("waiting", 0, "the date o")
    assert [(row.kind, row.at) for row in full.rows] == [("start", NOW + 1)]
    for match in (waiting, full):
        read = other.load(match.id)
        assert (read.row, read.seats, read.rows) == (match.row, match.seats, match.rows)
        assert match.row == match.summary and store.peek(match.id) is match
        assert column(store, match.id, "attempts") == 0
        assert of_seats(store, match.id, "made_at") == [match.row.created_at] * 2
        assert of_seats(store, match.id, "ended_at") == [None, None]
    assert (column(store, waiting.id, "is_listed"), column(store, full.id, "is_listed")) == (True, False)
    assert column(store, full.id, "is_unplaced") is None


def test_what_is_written_beside_a_new_game_stands_or_falls_with_it(store: Store) -> None:
    template = store.create(palindromes(ME, OPEN), "ann", NOW)

    def also(connection: Connection) -> None:
        connection.execute(update(games).where(games.c.id == template.id).values(standing=7))
        raise Superseded

    with pytest.raises(Superseded):
        store.make(replace(template.row, id="y" * 22), list(template.seats), NOW, also=also)
    assert column(store, template.id, "standing") is None and store.peek("y" * 22) is None
    assert store.versions(["y" * 22]) == {}


def test_a_visitor_who_has_begun_too_many_games_is_told_how_many(store: Store) -> None:
    few = Store(store.database, games_per_day=2)
    few.create(palindromes(), "ann", NOW)
    few.create(palindromes(), "ann", NOW + 1)
    told = "You have begun 2 games since yesterday; that is the most for a day."
    assert sentence(lambda: few.create(palindromes(), "ann", NOW + DAY - 0.5)) == told
    few.create(palindromes(), "bob", NOW)
    few.create(palindromes(), "ann", NOW + DAY)
    with pytest.raises(TooMany):
        few.create(palindromes(), "ann", NOW + DAY + 0.5)
    one = Store(store.database, games_per_day=1)
    one.create(palindromes(), "cid", NOW)
    with pytest.raises(TooMany):
        one.create(palindromes(), "cid", NOW)
    assert Store(store.database).games_per_day == 0
    for _ in range(4):
        store.create(palindromes(), "ann", NOW + DAY)


def test_a_move_changes_the_summary_and_what_processes_have_claimed(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(store, clock="days", clock_seconds=60.0)
    put(store, match.id, leased_until=NOW + 5, attempts=3)
    announced = noted(store, monkeypatch)
    heard: list[SiteMatch] = []
    store.listeners.append(heard.append)
    after = move(store, match, "ann", "1=0", NOW + 7)
    assert (after.row.version > match.row.version, after.row.changed_at, after.row.num_rows) == (True, NOW + 7, 2)
    assert (after.row.mover, after.row.deadline, after.row.status) == (2, NOW + 67, "playing")
    read = other.load(match.id)
    assert (read.row, read.rows) == (after.row, after.rows)
    assert (column(store, match.id, "leased_until"), column(store, match.id, "attempts")) == (None, 0)
    assert announced == [match.id] and heard == [after] and store.peek(match.id) is after


def test_of_several_games_those_that_have_moved_on_are_left_out(store: Store, other: Store) -> None:
    one, two = begin(store), begin(store)
    move(other, two, "ann", "1=0")
    afters = [match.act("ann", "move", "3=0", NOW + 1) for match in (one, two)]
    assert list(store.add_all([(after, NOW + 1) for after in afters])) == [one.id]
    assert other.load(one.id).game.moves == ["3=0"] and other.load(two.id).game.moves == ["1=0"]
    assert store.add_all([(afters[1], NOW + 1)]) == {}
    one, two = store.load(one.id), store.load(two.id)
    done = store.add_all([(one.act("bob", "resign", "", NOW), NOW + 2), (two.act("bob", "move", "2=0", NOW), NOW + 3)])
    first, second = done[one.id], done[two.id]
    assert (first.row.changed_at, second.row.changed_at) == (NOW + 2, NOW + 3)
    assert of_seats(store, one.id, "ended_at") == [NOW + 2] * 2 and of_seats(store, two.id, "ended_at") == [None] * 2


def test_a_row_that_is_there_already_is_not_written_twice_whatever_the_version(store: Store, other: Store) -> None:
    match = begin(store)
    move(other, match, "ann", "1=0")
    put(store, match.id, version=match.row.version)
    with pytest.raises(Superseded):
        store.add(match.act("ann", "move", "2=0", NOW), NOW)


def test_a_change_of_seats_touches_these_seats_and_no_claim(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    announced = noted(store, monkeypatch)
    match = store.create(palindromes(LEVEL, LINK), "ann", NOW)
    token = match.seat(2).invitation
    assert token is not None
    begun = store.take_seat(match.id, "bob", "Bob", NOW + 3, invitation=token)
    assert (begun.row.changed_at, begun.row.version > 0, begun.row.is_computer_due) == (NOW + 3, True, True)
    assert begun.seats == (match.seat(1), SeatRow(2, "Bob", visitor="bob"))
    assert (other.load(match.id).seats, other.load(match.id).rows) == (begun.seats, begun.rows)
    put(store, match.id, leased_until=NOW + 9, attempts=2)
    store.hand_over(match.id, 2, "bob", NOW + 4)
    assert announced == [match.id] * 3
    assert (column(store, match.id, "leased_until"), column(store, match.id, "attempts")) == (NOW + 9, 2)


def test_a_game_that_begins_forgets_claims_of_before(store: Store) -> None:
    match = store.create(palindromes(LEVEL, OPEN), "ann", NOW)
    put(store, match.id, leased_until=NOW + 9, attempts=2)
    store.take_seat(match.id, "bob", "Bob", NOW)
    assert (column(store, match.id, "leased_until"), column(store, match.id, "attempts")) == (None, 0)


def test_seats_are_looked_at_again_until_nobody_else_changes_the_game(store: Store, other: Store) -> None:
    match = begin(store)
    looks = 0

    def change(seen: SiteMatch) -> list[SeatRow]:
        nonlocal looks
        looks += 1
        if looks < wanted:
            other.hand_over(match.id, 1, "ann", NOW)
        return [replace(seen.seat(2), name=f"Bob {looks}")]

    wanted = 10
    assert store.change_seats(match.id, change, NOW).seat(2).name == "Bob 10"
    wanted, looks = 99, 0
    with pytest.raises(Superseded):
        store.change_seats(match.id, change, NOW)
    assert looks == 10 and other.load(match.id).seat(2).name == "Bob 10"


# The store.


def test_who_joins_a_race_has_the_same_game_and_one_only(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for race in ("s" * 22, "s", "é" * 22, "\ud800" * 22):
        assert sentence(partial(store.join_race, race, "bob", "Bob", NOW)) == "There is no such race."
    first = store.create(SetUp("up-and-up", {"n": "2"}, (ME,)), "ann", NOW, race=RACE)
    assert first.row.race == RACE
    joined = store.join_race(RACE, "bob", "Bob", NOW + 1)
    assert joined.seats == (SeatRow(1, "Bob", visitor="bob"),)
    assert (joined.row.race, joined.row.creator, joined.row.created_at) == (RACE, "bob", NOW + 1)
    assert joined.row.parameters == first.row.parameters and joined.status == "playing"
    store.games_per_day = 1
    assert store.join_race(RACE, "bob", "Bob", NOW) is joined  # that is no new game
    store.games_per_day = 0
    answers = [None, joined.id]
    monkeypatch.setattr(store, "entered", lambda race, visitor: answers.pop(0))
    assert store.join_race(RACE, "bob", "Bob", NOW) is joined  # who joined twice at once
    monkeypatch.setattr(store, "entered", lambda race, visitor: None)
    with pytest.raises(IntegrityError):
        store.join_race(RACE, "bob", "Bob", NOW)


def test_a_rematch_tells_both_games_and_is_found_from_the_first(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(store)
    assert sentence(lambda: store.rematch(match.id, "ann", NOW)) == "There is a rematch when the game is over."
    store.hand_over(match.id, 2, "bob", NOW)  # by a link that is never used, and takes no seat of the rematch
    over = store.act(match.id, "bob", "resign", "", None, NOW)
    put(store, match.id, leased_until=NOW + 9)
    announced = noted(store, monkeypatch)
    heard: list[SiteMatch] = []
    store.listeners.append(heard.append)
    made = store.rematch(match.id, "ann", NOW + 5)
    assert sorted(announced) == sorted([match.id, made.id])
    before = store.peek(match.id)
    assert before is not None and [each.id for each in heard] == [made.id, match.id] and heard[1].row == before.row
    assert (before.row.rematch, before.row.changed_at) == (made.id, NOW + 5) and before.row.version > over.row.version
    assert other.load(match.id).row == before.row and column(store, match.id, "leased_until") == NOW + 9
    kept = made.seat(1).invitation
    assert kept and made.seats == (SeatRow(1, "Bob", invitation=kept), SeatRow(2, "Ann", visitor="ann"))
    assert (made.row.creator, made.row.created_at, made.row.rematch) == ("ann", NOW + 5, None)
    assert other.rematch(match.id, "bob", NOW + 6).id == made.id


def test_in_a_rematch_everybody_sits_one_seat_further(store: Store) -> None:
    match = store.create(SetUp("divisors-multiples", {"players": "3"}, (ME, LEVEL, OPEN)), "ann", NOW)
    store.take_seat(match.id, "bob", "Bob", NOW)
    for who in ("ann", "bob"):
        if not store.load(match.id).is_over:
            store.act(match.id, who, "resign", "", None, NOW)
    made = store.rematch(match.id, "ann", NOW)
    assert [seat.name for seat in made.seats] == ["Bob", "Ann", "level:1"]
    assert [seat.is_free for seat in made.seats] == [True, False, False]
    assert [seat.player for seat in made.seats] == [1, 2, 3]


def test_of_two_who_ask_for_a_rematch_the_second_finds_the_first(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(store)
    store.act(match.id, "bob", "resign", "", None, NOW)
    made: list[SiteMatch] = []
    make = store.make

    def late(*given: Any, **others: Any) -> SiteMatch:
        made.append(other.rematch(match.id, "bob", NOW))
        return make(*given, **others)

    monkeypatch.setattr(store, "make", late)
    assert store.rematch(match.id, "ann", NOW).id == made[0].id and len(made) == 1


def test_a_seat_that_was_given_up_has_no_rematch(store: Store) -> None:
    waiting = store.create(palindromes(ME, OPEN), "ann", NOW)
    off = store.release(waiting.id, "ann", NOW)
    assert off.is_over
    assert sentence(lambda: store.rematch(off.id, "ann", NOW)) == "There is a rematch when the game is over."
    race = store.create(SetUp("up-and-up", {"n": "1"}, (ME,)), "ann", NOW, race=RACE)
    move(store, race, "ann", "a1")
    told = "In a race everybody has one game; set up another race."
    assert sentence(lambda: store.rematch(race.id, "ann", NOW)) == told


def test_who_may_not_sit_down_hand_over_or_get_up_is_told_why(store: Store) -> None:
    match = store.create(SetUp("divisors-multiples", {"players": "4"}, (ME, OPEN, LINK, OPEN)), "ann", NOW)
    token = match.seat(3).invitation
    taken = store.take_seat(match.id, "dan", "Dan", NOW, player=4)
    assert [seat.visitor for seat in taken.seats] == ["ann", None, None, "dan"]
    refused: dict[str, list[Callable[[], object]]] = {
        "You sit at this table already; the seat is for somebody else.": [
            lambda: store.take_seat(match.id, "ann", "Ann", NOW),
            lambda: store.take_seat(match.id, "ann", "Ann", NOW, invitation=token),
        ],
        "There is no such seat that is free.": [
            partial(store.take_seat, match.id, "eve", "Eve", NOW, player=player) for player in (1, 3, 4, 9)
        ],
        "This link takes no seat; perhaps somebody has used it.": [
            lambda: store.take_seat(match.id, "eve", "Eve", NOW, invitation="x" * 22),
            lambda: store.take_seat(match.id, "eve", "Eve", NOW, player=2, invitation=""),
        ],
        "You have no such seat at this table.": [
            lambda: store.hand_over(match.id, 4, "ann", NOW),
            lambda: store.hand_over(match.id, 1, "eve", NOW),
        ],
        "You have no seat at this table.": [lambda: store.release(match.id, "eve", NOW)],
    }
    for told, asked in refused.items():
        for each in asked:
            assert sentence(each) == told
    assert store.take_seat(match.id, "bob", "Bob", NOW).seat(2).visitor == "bob"
    begun = store.take_seat(match.id, "cid", "Cid", NOW, invitation=token)
    assert begun.status == "playing" and begun.seat(3) == SeatRow(3, "Cid", visitor="cid")
    told = "The game has begun; you can resign, or hand over your seat."
    assert sentence(lambda: store.release(match.id, "bob", NOW)) == told
    new = store.hand_over(match.id, 2, "bob", NOW)
    assert len(new) == 22 and store.load(match.id).seat(2).invitation == new
    while not store.load(match.id).is_over:
        store.act(match.id, "ann", "resign", "", None, NOW)
    assert sentence(lambda: store.hand_over(match.id, 1, "ann", NOW)) == "The game is over."
    assert sentence(lambda: store.take_seat(match.id, "eve", "Eve", NOW, invitation=new)) == "The game is over."


def test_who_gets_up_leaves_the_other_seats_as_they_are(store: Store, other: Store) -> None:
    match = store.create(SetUp("divisors-multiples", {"players": "3"}, (LINK, ME, OPEN)), "ann", NOW)
    token = match.seat(1).invitation
    store.take_seat(match.id, "bob", "Bob", NOW, invitation=token)
    left = store.release(match.id, "bob", NOW + 2)
    assert left.seats[1:] == match.seats[1:] and left.row.changed_at == NOW + 2
    assert (left.seat(1).visitor, left.seat(1).name) == (None, "") and left.seat(1).invitation not in (None, token)
    off = store.release(match.id, "ann", NOW + 3)
    assert [(row.player, row.kind, row.at) for row in off.rows] == [(2, "call-off", NOW + 3)]
    assert other.load(match.id).is_over and of_seats(store, match.id, "ended_at") == [NOW + 3] * 3


def test_nobody_gets_up_from_a_game_that_begins_in_this_moment(store: Store, other: Store) -> None:
    match = store.create(SetUp("divisors-multiples", {"players": "3"}, (ME, OPEN, OPEN)), "ann", NOW)
    store.take_seat(match.id, "bob", "Bob", NOW)
    change_seats = store.change_seats

    def late(id: str, change: Callable[[SiteMatch], list[SeatRow]], now: float) -> SiteMatch:
        other.take_seat(match.id, "cid", "Cid", NOW)
        return change_seats(id, change, now)

    store.change_seats = late  # type: ignore[method-assign]
    told = "The game has begun; you can resign, or hand over your seat."
    assert sentence(lambda: store.release(match.id, "bob", NOW)) == told


def test_an_act_goes_by_the_latest_rows_and_is_refused_by_them_only(store: Store, other: Store) -> None:
    match = begin(store)
    assert sentence(lambda: store.act(match.id, "ann", "cheat", "", None, NOW)) == "There is no such thing to do."
    move(other, match, "ann", "1=0")
    assert store.peek(match.id) is match
    assert store.act(match.id, "bob", "move", "2=0", 2, NOW).game.moves == ["1=0", "2=0"]
    with pytest.raises(Superseded):
        store.act(match.id, "ann", "move", "3=0", 2, NOW)
    assert store.act(match.id, "ann", "move", "3=0", None, NOW).game.ply == 3
    over = store.act(match.id, "ann", "resign", "", None, NOW)
    with pytest.raises(IllegalMove, match="The game is over"):
        store.act(match.id, "bob", "move", "4=0", 1, NOW)
    assert store.load(match.id).num_rows == over.num_rows


def test_an_act_in_a_game_that_this_process_knows_reads_no_row(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    match = begin(store)
    monkeypatch.setattr(store, "load", None)
    assert move(store, match, "ann", "1=0").game.moves == ["1=0"]


def test_an_act_that_others_are_always_faster_than_is_given_up(store: Store, other: Store) -> None:
    match = begin(store)
    hand_over = partial(other.hand_over, match.id, 2, "bob", NOW)
    with outrun(store, hand_over, times=2) as tries:
        assert move(store, match, "ann", "1=0").game.moves == ["1=0"]
    assert len(tries) == 3
    with outrun(store, hand_over, times=9) as tries, pytest.raises(Superseded):
        move(store, match, "bob", "2=0")
    assert len(tries) == 3


def test_acts_that_come_together_are_each_answered_as_if_alone(store: Store, other: Store) -> None:
    matches = [begin(store, clock="days", clock_seconds=60.0) for _ in range(6)]
    one, two, three, four, five, six = (match.id for match in matches)
    move(other, matches[4], "ann", "1=0", NOW + 1)
    acts = [
        Act(one, "ann", "move", "1=0", 1, NOW + 1),
        Act(one, "bob", "move", "2=0", None, NOW + 2),  # after the first
        Act(two, "ann", "cheat", "", 1, NOW + 1),
        Act(three, "eve", "move", "1=0", 1, NOW + 1),
        Act(four, "ann", "move", "1=0", 1, NOW + 61),  # too late
        Act(five, "bob", "move", "2=0", 2, NOW + 2),  # another process has changed it
        Act(six, "bob", "resign", "", None, NOW + 3),
        Act("x" * 22, "ann", "move", "1=0", 1, NOW),
    ]
    answers = all_done(store, acts)
    done = {number: each for number, each in enumerate(answers) if isinstance(each, SiteMatch)}
    assert {number: each.game.moves for number, each in done.items()} == {
        0: ["1=0"],
        1: ["1=0", "2=0"],
        5: ["1=0", "2=0"],
        6: [],
    }
    assert done[0].row.changed_at == NOW + 1 and done[6].row.changed_at == NOW + 3 and done[6].winners == [1]
    refused = [str(each) for each in answers if not isinstance(each, SiteMatch)]
    assert refused == [
        "There is no such thing to do.",
        "You have no seat at this table.",
        "The game is over: the time of player 1 has run out.",
        "There is no such game.",
    ]
    assert other.load(four).winners == [2] and other.load(one).game.moves == ["1=0", "2=0"]


def test_acts_in_different_games_share_a_transaction_and_others_do_not(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [begin(store, clock="days", clock_seconds=60.0) for _ in range(3)]
    shared: list[list[str]] = []
    add_all = store.add_all

    def told(added: Sequence[tuple[SiteMatch, float]], *, waits: bool = False) -> dict[str, SiteMatch]:
        shared.append([each.id for each, _ in added])
        return add_all(added, waits=waits)

    monkeypatch.setattr(store, "add_all", told)
    acts = [Act(match.id, "ann", "move", "1=0", 1, NOW) for match in matches]
    cheat = Act(begin(store).id, "ann", "cheat", "", 1, NOW)
    cheated, *answers = all_done(store, [cheat, *acts])
    assert isinstance(cheated, BadForm) and all(isinstance(answer, SiteMatch) for answer in answers)
    assert shared == [[match.id for match in matches]]
    shared.clear()
    unseen = Act(matches[1].id, "bob", "move", "2=0", 1, NOW)
    answers = all_done(store, [Act(matches[0].id, "bob", "move", "2=0", 2, NOW), unseen])
    assert [type(answer) for answer in answers] == [SiteMatch, Superseded] and shared == [[matches[0].id]]
    assert all_done(store, []) == []


def test_what_is_written_together_loads_no_game_and_leaves_out_those_that_have_moved_on(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [begin(store) for _ in range(5)]
    move(other, matches[1], "ann", "2=0")
    with monkeypatch.context() as patch:
        patch.setattr(store, "load", None)
        acts = [Act(match.id, "ann", "move", "1=0", None, NOW) for match in matches]
        refused = Act(matches[4].id, "bob", "move", "1=0", None, NOW)
        later = [
            Act(matches[4].id, "ann", "move", "1=0", None, NOW),
            Act(matches[0].id, "bob", "move", "3=0", None, NOW),
        ]
        answers = store.act_all([*acts[:4], refused, *later])
    # Of two acts in one game the second isn't done either, since it comes after the first.
    assert [type(each) for each in answers] == [SiteMatch, NoneType, SiteMatch, SiteMatch, *3 * [NoneType]]
    assert [other.load(match.id).game.moves for match in matches] == [["1=0"], ["2=0"], ["1=0"], ["1=0"], []]


def test_an_act_whose_commit_is_unsure_is_tried_again_only_where_that_does_no_harm(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = begin(store), begin(store)
    add_all = store.add_all
    lost = [Unsure("The answer is lost.")]

    def unsure(added: Any, *, waits: bool = False) -> dict[str, SiteMatch]:
        if lost:
            raise lost.pop()
        return add_all(added, waits=waits)

    monkeypatch.setattr(store, "add_all", unsure)
    answers = all_done(store, [Act(one.id, "ann", "move", "1=0", None, NOW), Act(two.id, "ann", "move", "1=0", 1, NOW)])
    assert isinstance(answers[0], Unsure) and isinstance(answers[1], SiteMatch)
    assert (store.load(one.id).game.moves, store.load(two.id).game.moves) == ([], ["1=0"])
    lost.append(Away("There is no database."))  # type: ignore[arg-type]
    answers = all_done(store, [Act(one.id, "ann", "move", "1=0", None, NOW), Act(two.id, "bob", "move", "2=0", 2, NOW)])
    assert all(isinstance(answer, SiteMatch) for answer in answers)


def test_a_computers_move_is_added_to_the_game_as_it_was_claimed(store: Store, other: Store) -> None:
    match = store.create(palindromes(LEVEL, OPEN), "ann", NOW)
    match = store.take_seat(match.id, "bob", "Bob", NOW)
    due = store.claim_computer_move(NOW, 5.0)
    assert due == Due(match.id, 1, match.row.version, 1, "ann")
    assert store.add_computer_move(replace(due, ply=2), "1=0", NOW) is None
    other.hand_over(match.id, 2, "bob", NOW)
    after = store.add_computer_move(due, "1=0", NOW + 2)
    assert after is not None and (after.rows[-1].kind, after.rows[-1].at) == ("move", NOW + 2)
    assert after.row.version > match.row.version and after.row.changed_at == NOW + 2
    assert store.add_computer_move(replace(due, ply=2), "2=0", NOW) is None  # a person is to move
    back = store.act(match.id, "bob", "move", "2=0", None, NOW)
    chosen = store.add_computer_move(replace(due, ply=back.num_rows), "3=0", NOW + 2, "level:1")
    assert chosen is not None and chosen.rows[-1].kind == "move/level:1"


def test_a_computers_move_is_tried_again_while_only_seats_change(store: Store, other: Store) -> None:
    match = store.create(palindromes(LEVEL, ME), "ann", NOW)
    due = Due(match.id, 1, 0, 1)
    hand_over = partial(other.hand_over, match.id, 2, "ann", NOW)
    with outrun(store, hand_over, times=9) as tries:
        assert store.add_computer_move(due, "1=0", NOW) is None
    assert len(tries) == 3
    with outrun(store, hand_over, times=2) as tries:
        assert store.add_computer_move(due, "1=0", NOW) is not None
    assert len(tries) == 3


def test_a_game_of_older_rules_is_laid_aside_and_no_other(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    rest = begin(store, NOW + 1, clock="days", clock_seconds=60.0)
    match = begin(store, clock="days", clock_seconds=60.0)
    put(store, match.id, rules_version=0, is_computer_due=True, is_listed=True)
    announced = noted(store, monkeypatch)
    store.lay_aside(match.id)
    assert announced == [match.id] and column(store, match.id, "version") > match.row.version
    assert column(store, rest.id, "version") == rest.row.version
    names = ("status", "mover", "is_computer_due", "deadline", "is_listed")
    assert [column(store, match.id, name) for name in names] == ["over", None, False, None, False]
    assert [column(store, rest.id, name) for name in names] == ["playing", 1, False, NOW + 61, False]
    assert of_seats(store, match.id, "ended_at") == [NOW] * 2 and of_seats(store, rest.id, "ended_at") == [None] * 2
    with pytest.raises(Gone):
        Store(store.database).load(match.id)


def test_only_games_that_have_been_idle_are_archived(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    idle, young, waiting = begin(store), begin(store, NOW + 10), store.create(palindromes(ME, OPEN), "ann", NOW)
    unnamed = begin(store)
    announced = noted(store, monkeypatch)
    store.archive([idle.id, young.id, waiting.id], NOW + 10)
    statuses = [column(store, each.id, "status") for each in (idle, young, waiting, unnamed)]
    assert statuses == ["archived", "playing", "waiting", "playing"] and announced == [idle.id]
    archived = column(store, idle.id, "version")
    assert column(store, idle.id, "mover") is None and archived > idle.row.version
    assert column(store, young.id, "version") == young.row.version and column(store, young.id, "mover") == 1
    assert of_seats(store, idle.id, "ended_at") == [NOW] * 2 and of_seats(store, unnamed.id, "ended_at") == [None] * 2
    store.archive([idle.id], NOW)
    assert column(store, idle.id, "version") == archived
    move(store, idle, "ann", "1=0", NOW + 20)
    assert of_seats(store, idle.id, "ended_at") == [None] * 2 and column(store, idle.id, "status") == "playing"
    store.archive([idle.id], NOW + 30)
    store.hand_over(idle.id, 1, "ann", NOW + 40)
    assert of_seats(store, idle.id, "ended_at") == [None] * 2 and column(store, idle.id, "status") == "playing"


def test_an_archived_game_in_which_somebody_resigns_has_ended_then(store: Store) -> None:
    match = begin(store)
    store.archive([match.id], NOW + 1)
    store.act(match.id, "ann", "resign", "", None, NOW + 7)
    assert of_seats(store, match.id, "ended_at") == [NOW + 7] * 2


def test_a_table_that_fills_in_this_moment_is_not_called_off(store: Store, other: Store) -> None:
    begun, waiting = begin(store), store.create(palindromes(ME, OPEN), "ann", NOW)
    assert store.call_off(begun.id, NOW + 1) is begun
    with outrun(store, partial(other.take_seat, waiting.id, "bob", "Bob", NOW), times=1):
        assert store.call_off(waiting.id, NOW + 1).status == "playing"
    left = store.create(palindromes(ME, OPEN), "ann", NOW)
    off = store.call_off(left.id, NOW + 2)
    assert [(row.player, row.kind, row.at) for row in off.rows] == [(0, "call-off", NOW + 2)]
    assert (off.row.changed_at, off.is_over) == (NOW + 2, True)


def test_time_falls_unless_a_move_comes_in_this_moment(store: Store, other: Store) -> None:
    match = begin(store, clock="days", clock_seconds=60.0)
    assert store.expire(match.id, NOW + 59) is match
    with outrun(store, partial(move, other, match, "ann", "1=0", NOW + 59), times=1):
        assert store.expire(match.id, NOW + 61).game.moves == ["1=0"]
    over = store.expire(match.id, NOW + 130)
    assert (over.winners, over.rows[-1].at, over.row.changed_at) == ([1], NOW + 119, NOW + 130)


def test_a_claim_holds_until_its_time_and_says_how_often_it_was_tried(store: Store, other: Store) -> None:
    begin(store)  # between people
    assert store.claim_computer_move(NOW, 5.0) is None and not store.has_computer_move(NOW)
    match = store.create(palindromes(LEVEL, OPEN), "ann", NOW)
    match = store.take_seat(match.id, "bob", "Bob", NOW)
    assert store.has_computer_move(NOW)
    due = store.claim_computer_move(NOW, 5.0)
    assert due == Due(match.id, 1, match.row.version, 1, "ann") and column(store, match.id, "leased_until") == NOW + 5
    assert other.claim_computer_move(NOW + 5, 5.0) is None and not other.has_computer_move(NOW + 5)
    assert other.has_computer_move(NOW + 5.5)
    again = other.claim_computer_move(NOW + 5.5, 5.0)
    assert again == Due(match.id, 1, match.row.version, 2, "ann") and column(store, match.id, "attempts") == 2
    assert other.renew(again, NOW + 20)
    assert (column(store, match.id, "leased_until"), column(store, match.id, "attempts")) == (NOW + 20, 2)
    assert other.give_up(again, None)
    assert (column(store, match.id, "leased_until"), column(store, match.id, "attempts")) == (None, 1)
    assert not store.renew(replace(again, ply=2), NOW) and not store.renew(replace(again, id="x" * 22), NOW)
    assert column(store, match.id, "leased_until") is None


@pytest.mark.parametrize("change", [{"leased_until": NOW + 50}, {"is_computer_due": False}, {"version": 9}])
def test_a_move_that_changes_while_it_is_claimed_is_looked_at_again(
    store: Store, monkeypatch: pytest.MonkeyPatch, change: dict[str, object]
) -> None:
    one, two = (store.create(palindromes(LEVEL, ME), "ann", NOW + number) for number in (0, 1))
    write = store.database.write
    is_late = [True]

    def late() -> Any:
        if is_late.pop() if is_late else False:
            put(store, one.id, **change)
        return write()

    monkeypatch.setattr(store.database, "write", late)
    due = Due(one.id, 1, 9, 1, "ann") if "version" in change else Due(two.id, 1, 0, 1, "ann")
    assert store.claim_computer_move(NOW + 2, 5.0) == due
    assert column(store, one.id, "attempts") == int(due.id == one.id)


def test_what_is_wrong_with_a_set_up_writes_nothing(store: Store) -> None:
    with pytest.raises(BadForm):
        store.create(palindromes(ME), "ann", NOW, race=RACE)
    assert store.any_of_race(RACE) is None and store.games_of("ann") == []


def test_the_clock_of_the_store_lives_in_its_database(store: Store, other: Store) -> None:
    store.clock.begin()
    store.clock.end()
    with other.database.read() as connection:
        assert len(list(connection.execute(select(heartbeats)))) == 1
