"""The store, on both databases: what is written, who may write it, and what happens when two do at once."""

import re
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from sqlalchemy import column, insert, inspect, select, table, update
from sqlalchemy.schema import CreateIndex

from quet.core.errors import BadParameter, IllegalMove, MoveError, NotYourTurn, QuetError, UnknownGame
from quet.core.messages import say
from quet.web import timeouts
from quet.web.computers import Computers, ThinkingProcess
from quet.web.errors import (
    Away,
    BadForm,
    BadInvitation,
    Gone,
    Missing,
    NoSuchGame,
    NotYourSeat,
    SeatTaken,
    Superseded,
    TooMany,
    Unsure,
)
from quet.web.match import SiteMatch
from quet.web.new_games import SeatPlan, SetUp, planned
from quet.web.shares import DAY, OfDay, Shares, Waiting
from quet.web.storage import rows
from quet.web.storage.database import Database
from quet.web.storage.entries import Entry
from quet.web.storage.listings import FORSAKEN_SECONDS
from quet.web.storage.schema import games, metadata, moves
from quet.web.storage.store import PUT_OFF_SECONDS, Act, Store

from .in_process import all_done

NOW = 1_000_000.0
ME, LINK, OPEN = SeatPlan("me", "Ann"), SeatPlan("link"), SeatPlan("open")
LEVEL = SeatPlan("level:1")


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database)


@pytest.fixture
def other(database_url: str) -> Iterator[Store]:
    """The store of another server process on the same database."""
    made = Database(database_url)
    yield Store(made)
    made.close()


def palindromes(*plans: SeatPlan, m: int = 6, **values: Any) -> SetUp:
    return SetUp("palindromes", {"m": str(m)}, plans, **values)


def begin(store: Store, **values: Any) -> SiteMatch:
    """A game between ann and bob, who took an open seat."""
    match = store.create(palindromes(ME, OPEN, **values), "ann", NOW)
    return store.take_seat(match.id, "bob", "Bob", NOW)


def move(store: Store, match: SiteMatch, visitor: str, text: str, now: float = NOW) -> SiteMatch:
    return store.act(match.id, visitor, "move", text, match.num_rows, now)


def at_once(*functions: Callable[[], object]) -> list[object]:
    """What the functions return or raise when they are called at the same time."""
    barrier = threading.Barrier(len(functions))

    def run(function: Callable[[], object]) -> object:
        barrier.wait()
        try:
            return function()
        except QuetError as error:
            return error

    with ThreadPoolExecutor(len(functions)) as pool:
        return list(pool.map(run, functions))


@pytest.mark.filterwarnings("ignore:.*expression-based index .?ix_games_ranking")
def test_the_migrations_make_the_tables_that_the_program_uses(database: Database) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert {"games", "seats", "moves"} <= set(inspect(connection).get_table_names())
        if database.is_sqlite:  # which isn't asked for an index of expressions above
            (index,) = (index for index in games.indexes if index.name == "ix_games_ranking")
            named = column("name") == "ix_games_ranking"
            made = connection.scalar(select(column("sql")).select_from(table("sqlite_master")).where(named))
            known = str(CreateIndex(index).compile(connection))
            assert re.sub(r"[\s()]+", "", made or "") == re.sub(r"[\s()]+", "", known)


def test_who_opens_a_new_database_while_another_prepares_it_waits(tmp_path: Path) -> None:
    """SQLite by itself says at once that the database is locked."""
    file = tmp_path / "new.db"
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.3, other.execute, ["ROLLBACK"])
    timer.start()
    database = Database(f"sqlite:///{file}")
    database.upgrade()
    assert database.version() == "0011"
    database.close()
    timer.join()
    other.close()


def test_an_sqlite_address_within_an_address_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match=r"^The address of an SQLite file can't have `uri`\.$"):
        Database(f"sqlite:///file:{tmp_path / 'quet.db'}?uri=true")
    assert list(tmp_path.iterdir()) == []


def test_a_database_of_a_newer_version_is_told_and_left_as_it_is(database: Database) -> None:
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(BadParameter, match=r"^That database is of a newer version of Quet \(schema 9999\)\.$"):
        database.upgrade()
    assert database.version() == "9999"


def test_the_schema_is_brought_up_to_date_by_many_processes_at_once(empty_database_url: str) -> None:
    databases = [Database(empty_database_url) for _ in range(4)]
    assert at_once(*(each.upgrade for each in databases)) == [None] * 4
    assert [each.version() for each in databases] == ["0011"] * 4
    for each in databases:
        each.close()


def test_a_game_is_read_by_another_process_as_it_was_written(store: Store, other: Store) -> None:
    match = begin(store, clock="live", clock_seconds=60.0, clock_increment=2.0)
    match = move(store, match, "ann", "1=0", NOW + 5)
    match = move(store, match, "bob", "2=1", NOW + 9)
    read = other.load(match.id)
    assert read.rows == match.rows and read.row == match.row and read.seats == match.seats
    assert read.game.moves == ["1=0", "2=1"] and read.deadline == match.deadline


def test_a_move_is_read_and_checked_once_and_by_its_reader_again(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(store)
    rules = match.game.rules
    read, broken = Mock(wraps=rules.read_move), Mock(wraps=rules.broken_rule)
    monkeypatch.setattr(rules, "read_move", read)
    monkeypatch.setattr(rules, "broken_rule", broken)
    store.act_all([Act(match.id, "ann", "move", "1=0", match.num_rows, NOW)])  # as the site does, also with one move
    assert (read.call_count, broken.call_count) == (1, 1)
    assert other.load(match.id).game.moves == ["1=0"]
    assert (read.call_count, broken.call_count) == (2, 2)


def test_a_sequence_is_kept_as_its_terms(store: Store, other: Store) -> None:
    given = {"n": "3", "sequence": "random:7:1:9"}
    match = store.create(SetUp("sequence-ascension", given, (ME,)), "ann", NOW)
    assert match.row.parameters["sequence"].count(",") == 8
    assert other.load(match.id).game.parameters == match.game.parameters


REFUSED = [
    (SetUp("chess", {}), UnknownGame),
    (SetUp("palindromes", {"m": "1000000"}), BadParameter),
    (SetUp("palindromes", {"k": "1"}), BadParameter),
    (SetUp("sequence-ascension", {"sequence": "file:/etc/passwd"}), BadParameter),
    (SetUp("sequence-ascension", {"n": "20", "sequence": f"random:1:1:{10**200}"}), BadParameter),
    (palindromes(LEVEL, LEVEL), BadForm),
    (palindromes(ME, ME, ME), BadForm),
    (palindromes(SeatPlan("level:99")), BadForm),
    (palindromes(clock="hourglass"), BadForm),
    (palindromes(clock="live"), BadForm),
    (palindromes(clock="live", clock_seconds=1e9), BadForm),
    (palindromes(clock="live", clock_seconds=float("nan")), BadForm),
    (palindromes(clock="live", clock_seconds=60.0, clock_increment=-1.0), BadForm),
    (palindromes(clock="none", clock_seconds=60.0), BadForm),
    (palindromes(clock="days", clock_seconds=1e9), BadForm),
]


def test_a_game_that_cannot_be_is_refused_and_nothing_is_made(store: Store) -> None:
    for set_up, error in REFUSED:
        with pytest.raises(error, match=r"\.$"):
            store.create(set_up, "ann", NOW)
    assert store.games_of("ann") == []


def test_a_visitor_begins_so_many_games_a_day(database: Database) -> None:
    store = Store(database, games_per_day=2)
    store.create(palindromes(), "ann", NOW)
    store.create(palindromes(), "ann", NOW)
    with pytest.raises(TooMany):
        store.create(palindromes(), "ann", NOW + 80_000)
    store.create(palindromes(), "bob", NOW)
    store.create(palindromes(), "ann", NOW + 90_000)
    assert len(store.games_of("ann")) == 3


def test_an_address_begins_so_many_games_a_day_and_a_large_one_counts_as_several(database: Database) -> None:
    store = Store(database, address_games_per_day=3)
    midnight = 12 * DAY
    for visitor, address in (("ann", "192.0.2.1"), ("bob", "192.0.2.1"), ("eve", "192.0.2.2")):
        store.shares.come(visitor, address)
    for visitor in ("ann", "bob", "bob"):
        store.create(palindromes(), visitor, midnight + 1)
    with pytest.raises(TooMany, match="from your network today; begin others tomorrow") as caught:
        store.create(palindromes(), "ann", midnight + 2)
    assert caught.value.wait == DAY - 2
    store.create(palindromes(), "nobody knows", midnight + 2)
    large = SetUp("sequence-ascension", {"n": "4", "sequence": ",".join(["1" * 125] * 16)})  # 2,000 characters
    store.create(large, "eve", midnight + 2)
    with pytest.raises(TooMany):
        store.create(palindromes(), "eve", midnight + 2)
    store.create(palindromes(), "ann", midnight + DAY)
    assert [len(store.games_of(visitor)) for visitor in ("ann", "bob", "eve")] == [2, 2, 1]


def test_a_game_that_is_refused_uses_up_nothing_of_its_address(database: Database) -> None:
    store = Store(database, games_per_day=1, address_games_per_day=3)

    def fails(error: Exception) -> None:
        row, taken = planned(palindromes(), "bob", NOW, None)
        with pytest.raises(type(error)):
            store.make(row, taken, NOW, also=Mock(side_effect=error))

    for visitor in ("ann", "bob", "eve"):
        store.shares.come(visitor, "192.0.2.1")
    store.create(palindromes(), "ann", NOW)
    for _ in range(4):
        with pytest.raises(TooMany, match="You have begun 1 games"):
            store.create(palindromes(), "ann", NOW)
        fails(Away("No database."))
        fails(Superseded())
    fails(Unsure("No database."))  # it may stand, so it counts
    store.create(palindromes(), "bob", NOW)
    with pytest.raises(TooMany, match="from your network today"):
        store.create(palindromes(), "eve", NOW)


def test_what_is_given_back_is_of_the_same_day_and_no_more_than_was_counted() -> None:
    begun = OfDay()
    begun.give_back("192.0.2.1", NOW)
    assert begun.add("192.0.2.1", 1, NOW) and begun.add("192.0.2.1", 1, NOW + DAY)
    begun.give_back("192.0.2.1", NOW)
    assert not begun.add("192.0.2.1", 1, NOW + DAY)
    begun.give_back("192.0.2.1", NOW + DAY, 5)
    assert [begun.add("192.0.2.1", 1, NOW + DAY) for _ in range(2)] == [True, False]


def test_no_game_is_found_by_a_wrong_link(store: Store) -> None:
    for id in ["", "x", "x" * 22, "x" * 23, "\0" * 22, "é" * 22, "'; DROP TABLE games; --"]:
        with pytest.raises(NoSuchGame):
            store.load(id)
        with pytest.raises(NoSuchGame):
            store.act(id, "ann", "move", "1=0", 0, NOW)


def test_of_two_moves_at_once_one_wins_and_the_other_is_told(store: Store, other: Store) -> None:
    match = begin(store)
    for ply in range(1, 6):
        who = ("ann", "bob")[match.game.ply % 2]
        other.load(match.id)
        answers = at_once(
            *(
                partial(where.act, match.id, who, "move", f"{ply}={text}", match.num_rows, NOW)
                for where in (store, other)
                for text in (0, 1)
            )
        )
        won = [answer for answer in answers if isinstance(answer, SiteMatch)]
        assert len(won) == 1 and all(isinstance(a, Superseded) for a in answers if a not in won), answers
        match = store.load(match.id)
        assert match.game.ply == ply and match.rows == won[0].rows == other.load(match.id).rows


def test_two_servers_mix_no_histories_where_the_database_goes_back(store: Store, other: Store) -> None:
    """As when a backup is restored under them, or a standby takes over that knew less."""
    tables = (moves, games)
    for num_before, num_after in ((2, 2), (3, 1), (1, 3)):  # moves that are lost, and that are made afterwards
        match = move(store, begin(store), "ann", "1=0")
        where = {each: each.c[name] == match.id for each, name in ((moves, "game_id"), (games, "id"))}
        with store.database.read() as connection:
            kept = {each: connection.execute(select(each).where(where[each])).mappings().all() for each in tables}
        for number in range(num_before):
            match = move(store, match, ("bob", "ann")[number % 2], f"{number + 2}=0")
        with store.database.write() as connection:
            connection.execute(moves.delete().where(where[moves]))
            connection.execute(insert(moves), [dict(row) for row in kept[moves]])
            connection.execute(update(games).where(where[games]).values(**kept[games][0]))
        assert store.peek(match.id) is match  # which the database no longer has
        again = other.load(match.id)
        for number in range(num_after):
            again = move(other, again, ("bob", "ann")[number % 2], f"{6 - number}=1")
        who = ("ann", "bob")[again.game.ply % 2]
        answer = all_done(store, [Act(match.id, who, "move", "5=0" if num_after == 1 else "2=1", None, NOW)])[0]
        assert isinstance(answer, SiteMatch) and answer.rows[:-1] == again.rows
        assert store.peek(match.id) is answer and store.load(match.id).rows == answer.rows
        assert other.load(match.id).rows == Store(store.database).load(match.id).rows == answer.rows


def test_a_page_that_has_not_seen_the_last_move_is_told(store: Store) -> None:
    match = begin(store)
    move(store, match, "ann", "1=0")
    with pytest.raises(Superseded):
        store.act(match.id, "ann", "move", "2=0", match.num_rows, NOW)
    assert store.load(match.id).game.moves == ["1=0"]


def test_a_process_that_has_not_seen_the_last_move_plays_on_all_the_same(store: Store, other: Store) -> None:
    match = begin(store)
    other.load(match.id)
    after = move(store, match, "ann", "1=0")
    assert move(other, after, "bob", "2=0").game.moves == ["1=0", "2=0"]


def test_what_is_refused_changes_nothing(store: Store, other: Store) -> None:
    match = begin(store)
    for visitor, kind, text in [
        ("ann", "move", "9=0"),
        ("ann", "move", "nonsense"),
        ("bob", "move", "1=0"),
        ("eve", "move", "1=0"),
        ("eve", "resign", ""),
        ("ann", "undo", ""),
        ("ann", "accept", ""),
        ("ann", "time", ""),
        ("ann", "start", ""),
    ]:
        with pytest.raises(QuetError):
            store.act(match.id, visitor, kind, text, match.num_rows, NOW)
    assert other.load(match.id).row == match.row and other.load(match.id).rows == match.rows


def test_a_seat_is_taken_once(store: Store, other: Store) -> None:
    match = store.create(palindromes(ME, LINK), "ann", NOW)
    token = match.seat(2).invitation
    assert token and match.status == "waiting"
    answers = at_once(
        *(
            lambda who=who, where=where: where.take_seat(match.id, who, who, NOW, invitation=token)
            for where in (store, other)
            for who in ("bob", "cleo", "dan")
        )
    )
    assert sum(isinstance(answer, SiteMatch) for answer in answers) == 1
    assert all(isinstance(answer, (SiteMatch, BadInvitation, SeatTaken)) for answer in answers)
    begun = store.load(match.id)
    assert begun.status == "playing" and begun.seat(2).invitation is None and begun.num_rows == 1
    with pytest.raises(BadInvitation):
        store.take_seat(match.id, "eve", "Eve", NOW, invitation=token)


def test_an_open_seat_needs_no_invitation_and_an_invited_one_does(store: Store) -> None:
    match = store.create(palindromes(LINK, OPEN), "ann", NOW)
    with pytest.raises(SeatTaken):
        store.take_seat(match.id, "eve", "Eve", NOW, player=1)
    with pytest.raises(BadInvitation):
        store.take_seat(match.id, "eve", "Eve", NOW, invitation="x" * 22)
    assert store.take_seat(match.id, "bob", "Bob", NOW).seat(2).visitor == "bob"
    with pytest.raises(SeatTaken):
        store.take_seat(match.id, "eve", "Eve", NOW)


def test_nobody_sits_down_against_themselves_by_a_link(store: Store) -> None:
    match = store.create(palindromes(ME, LINK), "ann", NOW)
    with pytest.raises(SeatTaken, match="already"):
        store.take_seat(match.id, "ann", "Ann", NOW, invitation=match.seat(2).invitation)


def test_a_seat_is_handed_over_by_a_link_that_works_once(store: Store, other: Store) -> None:
    match = begin(store)
    old = store.hand_over(match.id, 1, "ann", NOW)
    assert other.hand_over(match.id, 1, "ann", NOW) == old  # who has been sent it can use it
    assert store.hand_over(match.id, 1, "ann", NOW, withdraws=True) == ""
    with pytest.raises(BadInvitation):
        other.take_seat(match.id, "phone", "Ann", NOW, invitation="")
    token = store.hand_over(match.id, 1, "ann", NOW)
    with pytest.raises(BadInvitation):
        other.take_seat(match.id, "phone", "Ann", NOW, invitation=old)
    other.take_seat(match.id, "phone", "Ann", NOW, invitation=token)
    with pytest.raises(BadInvitation):
        store.take_seat(match.id, "eve", "Eve", NOW, invitation=token)
    with pytest.raises(NotYourSeat):
        store.act(match.id, "ann", "move", "1=0", None, NOW)
    assert store.act(match.id, "phone", "move", "1=0", None, NOW).game.moves == ["1=0"]
    with pytest.raises(NotYourSeat):
        store.hand_over(match.id, 2, "phone", NOW)


def test_a_process_that_has_not_seen_a_hand_over_lets_nobody_move_for_another(store: Store, other: Store) -> None:
    match = begin(store)
    other.load(match.id)
    token = store.hand_over(match.id, 1, "ann", NOW)
    store.take_seat(match.id, "phone", "Ann", NOW, invitation=token)
    with pytest.raises(NotYourSeat):
        other.act(match.id, "ann", "move", "1=0", match.num_rows, NOW)


def test_a_process_that_has_not_seen_a_hand_over_lets_the_new_holder_move(store: Store, other: Store) -> None:
    match = begin(store)
    other.load(match.id)
    token = store.hand_over(match.id, 1, "ann", NOW)
    store.take_seat(match.id, "phone", "Ann", NOW, invitation=token)
    assert other.act(match.id, "phone", "move", "1=0", match.num_rows, NOW).game.moves == ["1=0"]


def test_who_made_a_table_may_call_it_off_and_a_guest_may_get_up(store: Store) -> None:
    row = SetUp("divisors-multiples", {"players": "3"}, (ME, OPEN, OPEN))
    match = store.create(row, "ann", NOW)
    store.take_seat(match.id, "bob", "Bob", NOW)
    match = store.release(match.id, "bob", NOW)
    assert match.status == "waiting" and match.seat(2).visitor is None and match.seat(2).name == ""
    with pytest.raises(NotYourSeat):
        store.release(match.id, "bob", NOW)
    match = store.release(match.id, "ann", NOW)
    assert match.is_over and match.winners == [] and store.lobby(NOW) == []
    with pytest.raises(NotYourTurn):
        store.take_seat(match.id, "bob", "Bob", NOW)


@pytest.mark.parametrize("plan", [LINK, OPEN])
def test_who_gets_up_leaves_no_old_link_to_the_seat(store: Store, other: Store, plan: SeatPlan) -> None:
    match = store.create(SetUp("divisors-multiples", {"players": "3"}, (ME, plan, OPEN)), "ann", NOW)
    first = match.seat(2).invitation
    store.take_seat(match.id, "bob", "Bob", NOW, player=2, invitation=first)
    handed = store.hand_over(match.id, 2, "bob", NOW)
    seat = store.release(match.id, "bob", NOW).seat(2)
    for old in filter(None, (first, handed)):
        with pytest.raises(BadInvitation):
            other.take_seat(match.id, "eve", "Eve", NOW, invitation=old)
    assert (seat.invitation is None) == (plan == OPEN)  # a closed seat is taken by a new link, an open one by anybody
    taken = other.take_seat(match.id, "cleo", "Cleo", NOW, player=2, invitation=seat.invitation)
    assert taken.seat(2).visitor == "cleo"


def test_no_seat_is_handed_over_after_the_end(store: Store) -> None:
    match = begin(store)
    token = store.hand_over(match.id, 2, "bob", NOW)
    over = store.act(match.id, "ann", "resign", "", match.num_rows, NOW)
    with pytest.raises(NotYourTurn, match="The game is over"):
        store.hand_over(match.id, 1, "ann", NOW)
    with pytest.raises(NotYourTurn, match="The game is over"):
        store.take_seat(match.id, "eve", "Eve", NOW, invitation=token)
    after = store.load(match.id)
    assert [seat.invitation for seat in after.seats] == [None, token] and after.row.version == over.row.version


def test_nobody_gets_up_from_a_game_that_has_begun(store: Store) -> None:
    match = begin(store)
    with pytest.raises(NotYourTurn, match="resign"):
        store.release(match.id, "bob", NOW)


def test_the_lobby_lists_open_seats_and_public_games_only(store: Store) -> None:
    closed = store.create(palindromes(ME, LINK), "ann", NOW)
    waiting = store.create(palindromes(ME, OPEN), "ann", NOW)
    old = store.create(palindromes(ME, OPEN, clock="live", clock_seconds=60.0), "ann", NOW - 9_000)
    private = begin(store)
    public = begin(store, is_public=True)
    assert [listing.id for listing in store.lobby(NOW)] == [waiting.id]
    assert [listing.id for listing in store.public_games()] == [public.id]
    assert {listing.id for listing in store.games_of("ann")} == {g.id for g in (closed, waiting, old, private, public)}
    assert {listing.id for listing in store.games_of("bob")} == {private.id, public.id}
    assert [seat.name for seat in store.public_games()[0].seats] == ["Ann", "Bob"]


def test_a_rematch_is_made_once_with_the_seats_turned(store: Store, other: Store) -> None:
    match = begin(store, clock="live", clock_seconds=60.0)
    with pytest.raises(NotYourTurn):
        store.rematch(match.id, "ann", NOW)
    store.act(match.id, "bob", "resign", "", None, NOW)
    with pytest.raises(NotYourSeat):
        store.rematch(match.id, "eve", NOW)
    answers = at_once(
        *(
            lambda who=who, where=where: where.rematch(match.id, who, NOW)
            for where in (store, other)
            for who in ("ann", "bob")
        )
    )
    made = {answer.id for answer in answers if isinstance(answer, SiteMatch)}
    assert len(made) == 1 and len(answers) == 4
    again = store.load(made.pop())
    assert [seat.visitor for seat in again.seats] == ["bob", "ann"] and again.status == "playing"  # both have asked
    assert again.row.parameters == match.row.parameters and again.row.clock_seconds == 60.0
    assert store.load(match.id).row.rematch == again.id


def test_nobody_has_a_rematch_without_having_asked_for_it(store: Store, other: Store) -> None:
    match = begin(store, clock="live", clock_seconds=60.0)
    store.act(match.id, "bob", "resign", "", None, NOW)
    made = store.rematch(match.id, "ann", NOW)
    assert [(seat.name, seat.visitor) for seat in made.seats] == [("Bob", None), ("Ann", "ann")]
    assert (made.status, made.deadline) == ("waiting", None) and made.id not in {
        one.id for one in store.games_of("bob")
    }
    assert store.lobby(NOW) == [] and store.waiting([match.id, made.id]) == {made.id}
    assert store.rematch(match.id, "ann", NOW).id == made.id and store.load(made.id).status == "waiting"
    with pytest.raises(NotYourSeat):
        store.act(made.id, "bob", "resign", "", None, NOW)
    begun = other.rematch(match.id, "bob", NOW + 9)
    assert (begun.id, begun.status, begun.seat(1).visitor, begun.seat(1).name) == (made.id, "playing", "bob", "Bob")
    assert made.id in {one.id for one in store.games_of("bob")} and store.waiting([made.id]) == set()
    assert store.load(made.id).seats == begun.seats


def test_a_rematch_that_was_called_off_may_be_asked_for_again(store: Store) -> None:
    match = begin(store)
    store.act(match.id, "bob", "resign", "", None, NOW)
    first = store.rematch(match.id, "ann", NOW)
    store.release(first.id, "ann", NOW)
    second = store.rematch(match.id, "bob", NOW)
    assert second.id != first.id and [seat.visitor for seat in second.seats] == ["bob", None]
    store.act(store.rematch(match.id, "ann", NOW).id, "bob", "resign", "", None, NOW)
    assert store.rematch(match.id, "bob", NOW).id == second.id  # it has been played


def test_a_race_gives_everybody_the_same_game_once(store: Store, other: Store) -> None:
    set_up = SetUp("sequence-ascension", {"n": "3", "sequence": "random:7:1:9"}, (ME,))
    first = store.create(set_up, "ann", NOW, race="r" * 22)
    answers = at_once(
        *(lambda where=where: where.join_race("r" * 22, "bob", "Bob", NOW) for where in (store, other) * 3)
    )
    assert all(isinstance(answer, SiteMatch) for answer in answers), answers
    assert len({answer.id for answer in answers if isinstance(answer, SiteMatch)}) == 1
    listed = store.racers("r" * 22)
    assert {listing.row.creator for listing in listed} == {"ann", "bob"}
    assert all(listing.row.parameters == first.row.parameters for listing in listed)
    with pytest.raises(NoSuchGame):
        store.join_race("s" * 22, "bob", "Bob", NOW)
    with pytest.raises(BadForm):
        store.create(palindromes(), "ann", NOW, race="t" * 22)


def test_a_race_has_no_rematch(store: Store) -> None:
    match = store.create(SetUp("up-and-up", {"n": "1"}, (ME,)), "ann", NOW, race="r" * 22)
    assert move(store, match, "ann", "a1").is_over
    with pytest.raises(NotYourTurn, match="set up another race"):
        store.rematch(match.id, "ann", NOW)
    assert len(store.racers("r" * 22)) == len(store.games_of("ann")) == 1


def test_a_game_that_was_entered_by_one_server_is_known_to_another(store: Store, other: Store) -> None:
    match = store.create(SetUp("up-and-up", {"n": "1"}, (ME,)), "ann", NOW)
    store.entries.enter(Entry(match.id, "up-and-up", {"n": 1}, 1, "Ann", NOW, "a1"))
    assert other.entries.by(match.id) == "Ann"


def test_a_game_that_nobody_comes_to_is_called_off(store: Store, other: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, waiting = begin(store), store.create(palindromes(ME, OPEN), "ann", NOW)
    assert store.forsaken(NOW + FORSAKEN_SECONDS) == []
    for each in (store, other):
        monkeypatch.setattr(each.clock, "now", lambda: NOW + FORSAKEN_SECONDS + 1)
    assert timeouts.look(store) == 1 and timeouts.look(other) == 0
    called_off = other.load(waiting.id)
    assert called_off.is_over and called_off.winners == [] and called_off.num_rows == 1
    assert not other.load(begun.id).is_over
    assert other.call_off(begun.id, NOW).num_rows == 1
    with pytest.raises(NotYourTurn, match="over"):
        other.take_seat(waiting.id, "bob", "Bob", NOW)


def test_a_game_in_which_nobody_moves_is_archived_and_a_move_brings_it_back(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, clocked = move(store, begin(store), "ann", "1=0"), begin(store, clock="days", clock_seconds=50 * 86400.0)
    later = NOW + 30 * 86400
    young = store.create(palindromes(ME, OPEN), "ann", later)
    young = store.take_seat(young.id, "bob", "Bob", later)
    for each in (store, other):
        monkeypatch.setattr(each.clock, "now", lambda: later + 86400)
    timeouts.look(store)  # never
    assert {one.row.status for one in store.games_of("ann")} == {"playing"}
    for _ in range(2):
        timeouts.look(store, 20)
        statuses = {one.id: (one.row.status, one.row.changed_at) for one in store.games_of("ann")}
        assert statuses[old.id] == ("archived", old.row.changed_at)
        assert statuses[clocked.id][0] == statuses[young.id][0] == "playing"
    read = other.load(old.id)
    assert read.status == "playing" and read.rows == old.rows and read.mover == old.mover  # on its page it goes on
    move(other, read, "bob", "2=0", later)
    assert {one.row.status for one in other.games_of("ann")} == {"playing"}
    timeouts.look(other, 20)
    assert {one.row.status for one in other.games_of("ann")} == {"playing"}
    archived = Mock()
    with monkeypatch.context() as meanwhile:  # what was idle when it was looked for
        meanwhile.setattr(store, "idle", lambda now, seconds: [old.id])
        meanwhile.setattr(store, "archive", archived)
        timeouts.look(store, 20)
    archived.assert_called_once_with([old.id], later - 19 * 86400)
    for each in (store, other):
        monkeypatch.setattr(each.clock, "now", lambda: later + 3 * 86400)
    timeouts.look(store, 1)
    assert sum(one.row.status == "archived" for one in other.games_of("ann")) == 2
    assert move(store, store.load(old.id), "ann", "3=0", later).status == "playing"
    timeouts.look(other, 1)
    assert sum(one.row.status == "archived" for one in other.games_of("ann")) == 2
    token = store.hand_over(old.id, 1, "ann", later)
    other.take_seat(old.id, "cleo", "Cleo", later, invitation=token)
    assert [one.row.status for one in other.games_of("cleo")] == ["playing"]


def test_time_falls_while_nobody_looks(store: Store, other: Store) -> None:
    match = begin(store, clock="days", clock_seconds=86_400.0)
    assert store.due(NOW + 86_399) == []
    assert store.due(NOW + 86_401) == [match.id]
    answers = at_once(*(lambda where=where: where.expire(match.id, NOW + 90_000) for where in (store, other)))
    assert all(isinstance(answer, SiteMatch) and answer.winners == [2] for answer in answers)
    assert store.due(NOW + 90_000) == [] and store.load(match.id).num_rows == 2


def test_a_move_after_the_deadline_is_refused_and_time_falls(store: Store) -> None:
    match = begin(store, clock="days", clock_seconds=60.0)
    with pytest.raises(IllegalMove, match="time of player 1 has run out"):
        move(store, match, "ann", "1=0", NOW + 61)
    over = store.load(match.id)
    assert over.winners == [2] and over.rows[-1].at == NOW + 60 and over.game.moves == []


def test_a_computers_move_is_claimed_by_one_for_a_time(store: Store, other: Store) -> None:
    match = store.create(palindromes(LEVEL, ME), "ann", NOW)
    claims = at_once(*(lambda where=where: where.claim_computer_move(NOW, 5.0) for where in (store, other) * 3))
    held = [claim for claim in claims if claim is not None]
    assert len(held) == 1
    assert other.claim_computer_move(NOW + 4, 5.0) is None
    again = other.claim_computer_move(NOW + 6, 5.0)
    assert again is not None and (again.id, again.attempt) == (match.id, 2)
    assert other.renew(again, NOW + 20) and store.claim_computer_move(NOW + 15, 5.0) is None
    assert other.give_up(again, None)
    given_back = store.claim_computer_move(NOW + 15, 5.0)
    assert given_back is not None and given_back.attempt == 2
    after = store.add_computer_move(given_back, "1=0", NOW + 15, expects=say("a draw"))
    assert after is not None and after.game.moves == ["1=0"]
    assert after.expectation == other.load(match.id).expectation == (1, "a draw")
    assert other.add_computer_move(again, "2=0", NOW + 16) is None
    assert not other.renew(again, NOW + 20) and store.claim_computer_move(NOW + 99, 5.0) is None


def test_a_computers_move_comes_too_late_after_an_undo(store: Store) -> None:
    match = move(store, store.create(palindromes(ME, LEVEL), "ann", NOW), "ann", "1=0")
    due = store.claim_computer_move(NOW, 5.0)
    assert due is not None
    store.act(match.id, "ann", "undo", "", match.num_rows, NOW)
    assert store.add_computer_move(due, "2=0", NOW) is None
    assert store.load(match.id).game.moves == []


def test_a_computers_move_is_not_played_in_another_position(store: Store) -> None:
    match = move(store, store.create(palindromes(ME, LEVEL), "ann", NOW), "ann", "1=0")
    due = store.claim_computer_move(NOW, 5.0)
    assert due is not None
    match = store.act(match.id, "ann", "undo", "", match.num_rows, NOW)
    match = move(store, match, "ann", "3=0")
    assert match.is_computer_to_move
    assert store.add_computer_move(due, "2=0", NOW) is None
    assert store.load(match.id).game.moves == ["3=0"]


def test_the_computers_move_that_has_waited_longest_is_claimed_first(store: Store, other: Store) -> None:
    made = {age: store.create(palindromes(LEVEL, ME), "ann", NOW - age).id for age in (1.0, 3.0, 2.0)}
    claims = [where.claim_computer_move(NOW, 5.0) for where in (store, other, store)]
    assert [claim.id for claim in claims if claim is not None] == [made[3.0], made[2.0], made[1.0]]
    late = other.claim_computer_move(NOW + 6, 5.0)  # the claims have lapsed: again the oldest
    assert late is not None and (late.id, late.attempt) == (made[3.0], 2)


def test_those_who_wait_for_computers_take_turns_however_many_games_one_has(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(visitor: str, ages: Sequence[float]) -> list[str]:
        return [store.create(palindromes(LEVEL, ME), visitor, NOW - age).id for age in ages]

    def claimed(number: int) -> list[str]:
        return [claim.id for _ in range(number) if (claim := store.claim_computer_move(NOW, 5.0)) is not None]

    monkeypatch.setattr("quet.web.shares.MOST_REMEMBERED", 4)
    many = make("ann", [9.0, 8.0, 7.0, 6.0])
    assert claimed(1) == many[:1]
    bob, eve = make("bob", [2.0, 1.0]), make("eve", [1.5])  # one's oldest game counts
    assert claimed(6) == [bob[0], eve[0], many[1], bob[1], many[2], many[3]]
    late = [make(name, [age])[0] for name, age in (("kim", 2.0), ("lee", 1.0), ("ann", 3.0))]
    assert claimed(3) == late and len(store.shares._turns) == 4
    again, anew = make("ann", [2.0]), make("zoe", [1.0])
    assert claimed(3) == anew + again


def test_addresses_take_turns_at_computers_however_many_visitors_and_games_one_has(store: Store) -> None:
    def make(visitor: str, address: str, age: float) -> str:
        store.shares.come(visitor, address)
        return store.create(palindromes(LEVEL, ME), visitor, NOW - age).id

    def claimed(number: int, seconds: float) -> list[str]:
        found = []
        for _ in range(number):
            due = store.claim_computer_move(NOW, 5.0)
            assert due is not None
            store.shares.end(due.creator, seconds)
            found.append(due.id)
        return found

    many = [make(f"cookie {k}", "192.0.2.1", 100.0 - k) for k in range(60)]
    assert claimed(2, 1.0) == many[:2]
    others = [make("bob", "192.0.2.2", 3.0), make("eve", "192.0.2.3", 2.0)]
    assert claimed(2, 0.2) == others
    quick = [make("bob", "192.0.2.2", 1.0 - k / 10) for k in range(4)]
    assert claimed(5, 0.2) == [*quick, many[2]]  # a second of theirs is five moves of others
    store.shares = Shares()  # as after a restart: the visitors of addresses that aren't known share one turn
    assert claimed(3, 1.0) == many[3:6]
    new = make("kim", "192.0.2.1", 0.0)
    assert claimed(1, 1.0) == [new]


def test_nobody_waits_behind_visitors_of_the_same_address_who_came_later() -> None:
    shares = Shares()
    shares.begin("ann", 0.0)
    came = [shares.next([Waiting("ann", 1.0, 1), Waiting(f"cookie {k}", 2.0 + k, 1)]) for k in range(3)]
    assert came == ["ann"] * 3
    turns = []
    for k in range(4):  # each waits all the time, and ann has had a turn
        turns.append(shares.next([Waiting("ann", -9.0, 1), Waiting("bob", -5.0, 1), Waiting("eve", -7.0, 1)]))
        shares.begin(turns[-1] or "", 1.0 + k)
    assert turns == ["eve", "bob", "ann", "eve"]


def test_no_address_takes_all_places_of_a_list_however_many_cookies_it_has(database: Database, other: Store) -> None:
    store, elsewhere = (Store(database, key="a key") for _ in range(2))  # of two servers

    def create(visitor: str, address: str, age: float, plan: SeatPlan) -> str:
        by = elsewhere if visitor == "ben" else store
        by.shares.come(visitor, address)
        return by.create(palindromes(ME, plan, is_public=plan == ME), visitor, NOW - age).id

    for plan, listed in ((OPEN, partial(Store.lobby, now=NOW)), (ME, Store.public_games)):
        honest = [create("ben", "192.0.2.2", 8.0, plan), create("ann", "192.0.2.1", 9.0, plan)]
        school = [create(f"pupil {k}", "192.0.2.3", 6.0 + k / 10, plan) for k in range(9)]
        flood = [create(f"cookie {k}", "192.0.2.4", k / 10, plan) for k in range(30)]
        for each in (store, elsewhere, other):
            found = [one.id for one in listed(each)]
            assert found == [*flood[:5], *school[:5], *honest, *flood[5:], *school[5:]]
            assert [one.id for one in listed(each, most=12)] == found[:12]
    assert [one.row.creator for one in store.lobby(NOW, 4, few=1)] == ["cookie 0", "pupil 0", "ben", "ann"]


def test_a_visitor_with_many_games_leaves_room_for_others_of_the_address(database: Database) -> None:
    store = Store(database)
    kept = [store.create(palindromes(ME, OPEN), f"visitor {k}", NOW - 10 - k).id for k in range(9)]
    for k in range(30):
        store.create(palindromes(ME, OPEN), "eve" if k % 2 else "mallory", NOW - k / 10)
    assert [one.id for one in store.lobby(NOW, 19)][10:] == kept


def test_the_tag_of_an_address_is_gone_when_nobody_finds_the_game_in_a_list(database: Database) -> None:
    def tag(match: SiteMatch) -> str | None:
        with database.read() as connection:
            return connection.scalar(select(games.c.network).where(games.c.id == match.id))

    store = Store(database, key="a key")
    store.shares.come("ann", "192.0.2.1")
    known = store.shares.tag("ann")
    assert known is not None and len(known) == 4 and store.shares.tag("bob") is None
    closed, watched, full = (
        store.create(palindromes(ME, plan, is_public=is_public), "ann", NOW)
        for plan, is_public in ((LINK, False), (LINK, True), (OPEN, False))
    )
    assert [tag(each) for each in (closed, watched, full)] == [None, known, known]
    for match in (watched, full):
        token = match.seats[1].invitation
        store.take_seat(match.id, "bob", "Bob", NOW, invitation=token)
    assert [tag(each) for each in (watched, full)] == [known, None]
    store.act(watched.id, "ann", "move", "1=0", None, NOW)
    assert tag(watched) == known
    store.act(watched.id, "ann", "resign", "", None, NOW)
    assert tag(watched) is None
    three = SetUp("divisors-multiples", {"players": "3"}, (ME, OPEN, LINK))
    left = store.create(three, "ann", NOW)
    store.take_seat(left.id, "bob", "Bob", NOW)
    store.release(left.id, "bob", NOW)  # it is listed again
    assert tag(left) == known
    old = store.create(palindromes(ME, ME, is_public=True), "ann", NOW)
    store.archive([old.id], NOW + 1)
    assert tag(old) is None
    store.lay_aside(left.id)
    assert tag(left) is None


def test_an_address_with_so_many_games_waiting_for_computers_begins_no_more(database: Database) -> None:
    store = Store(database, address_waiting=3)
    for visitor, address in (("ann", "192.0.2.1"), ("bob", "192.0.2.1"), ("eve", "192.0.2.2"), ("kim", "192.0.2.1")):
        store.shares.come(visitor, address)
    made = [store.create(palindromes(LEVEL, ME), visitor, NOW) for visitor in ("ann", "bob", "bob", "eve")]
    with pytest.raises(TooMany, match="from your network wait"):
        store.create(palindromes(LEVEL, ME), "kim", NOW)
    store.create(palindromes(ME, ME), "kim", NOW)
    store.create(palindromes(LEVEL, ME), "eve", NOW)
    due = store.claim_computer_move(NOW, 5.0)
    assert due is not None and due.id == made[0].id
    store.add_computer_move(due, "1=0", NOW)
    store.create(palindromes(LEVEL, ME), "kim", NOW)


def test_games_that_are_being_made_count_as_waiting(database: Database) -> None:
    store = Store(database, address_waiting=1)
    store.shares.come("ann", "192.0.2.1")
    store.shares.come("eve", "192.0.2.2")
    row, taken = planned(palindromes(LEVEL, ME), "ann", NOW, None)

    def meanwhile(_connection: object) -> None:
        with pytest.raises(TooMany, match="from your network wait"):
            store.create(palindromes(LEVEL, ME), "ann", NOW)
        with store.shares.making("eve") as others:
            assert others == 0

    made = store.make(row, taken, NOW, also=meanwhile)
    due = store.claim_computer_move(NOW, 5.0)
    assert due is not None and due.id == made.id
    store.add_computer_move(due, "1=0", NOW)
    store.create(palindromes(LEVEL, ME), "ann", NOW)


def test_an_address_is_not_forgotten_while_its_games_wait(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.web.shares.MOST_REMEMBERED", 3)
    store = Store(database, address_waiting=2)
    store.shares.come("ann", "192.0.2.1")
    for _ in range(2):
        store.create(palindromes(LEVEL, ME), "ann", NOW)
    for k in range(5):
        store.shares.come(f"cookie {k}", "192.0.2.1")
        store.claim_computer_move(NOW + 10 * k, 5.0)
    with pytest.raises(TooMany, match="from your network wait"):
        store.create(palindromes(LEVEL, ME), "cookie 4", NOW)


def test_the_time_that_fell_first_is_dealt_with_first(store: Store) -> None:
    made = {wait: begin(store, clock="days", clock_seconds=wait).id for wait in (50.0, 10.0, 30.0)}
    assert store.due(NOW + 40) == [made[10.0], made[30.0]]


def test_after_the_deadline_time_wins_over_every_other_claim(store: Store, other: Store) -> None:
    for kind, who in (("resign", "bob"), ("accept", "bob"), ("undo", "ann"), ("move", "bob")):
        match = move(store, begin(store, clock="days", clock_seconds=60.0), "ann", "1=0")
        match = store.act(match.id, "ann", "draw", "", match.num_rows, NOW + 1)
        other.load(match.id)
        with pytest.raises(IllegalMove, match="The game is over: the time of player 2 has run out"):
            other.act(match.id, who, kind, "2=0", match.num_rows - 1, NOW + 61)
        over = store.load(match.id)
        assert (over.winners, over.rows[-1].kind, over.offer) == ([1], "time", None)
        with pytest.raises(NotYourSeat):
            store.act(match.id, "eve", kind, "2=0", over.num_rows, NOW + 62)


def test_nobody_waits_for_a_game_of_older_rules(store: Store, database: Database) -> None:
    match = begin(store, clock="days", clock_seconds=60.0)
    against = store.create(palindromes(LEVEL, ME), "ann", NOW)
    with database.write() as connection:
        connection.execute(update(games).values(rules_version=0))
    fresh = Store(database)
    for id in (match.id, against.id):
        with pytest.raises(Gone):
            fresh.load(id)
    timeouts.look(fresh)
    computers = Computers(fresh, number=1, seconds=1.0)
    due = fresh.claim_computer_move(NOW, 5.0)
    assert due is not None
    computers.play(due, ThinkingProcess())
    assert fresh.due(NOW + 1e9) == [] and fresh.claim_computer_move(NOW + 1e9, 5.0) is None
    assert fresh.public_games() == []


@pytest.mark.parametrize("values", [{"game": "gone-game"}, {"parameters": '{"m": "1000"}'}])
def test_a_game_whose_rules_are_missing_stops_nothing_and_goes_on_when_they_are_back(
    store: Store, database: Database, values: dict[str, str]
) -> None:
    def put(id: str, **values: str) -> None:
        with database.write() as connection:
            connection.execute(update(games).where(games.c.id == id).values(**values, version=games.c.version + 1))

    timed, against = begin(store, clock="days", clock_seconds=60.0), store.create(palindromes(LEVEL, ME), "ann", NOW)
    forsaken, good = store.create(palindromes(ME, OPEN), "ann", NOW - FORSAKEN_SECONDS - 1), begin(store)
    for match in (timed, against, forsaken):
        put(match.id, **values)
        with pytest.raises(Missing):
            store.load(match.id)
    assert timeouts.look(store) == 2 and timeouts.look(store) == 0
    computers = Computers(store, number=1, seconds=1.0)
    due = store.claim_computer_move(NOW, 5.0)
    assert due is not None
    computers.play(due, ThinkingProcess())
    assert store.load(good.id).status == "playing"
    later = store.clock.now() + PUT_OFF_SECONDS + 1
    assert store.claim_computer_move(later - 10, 5.0) is None and store.due(later - 10) == []
    for match in (timed, against):
        put(match.id, game=match.row.game, parameters='{"m": "6"}')
    assert store.due(later) == [timed.id] and store.expire(timed.id, later).is_over
    again = store.claim_computer_move(later, 5.0)
    assert again is not None and (again.id, again.attempt) == (against.id, 1)


def test_rows_are_only_ever_added(store: Store, database: Database) -> None:
    match = store.create(palindromes(ME, SeatPlan("me", "Bob")), "ann", NOW)
    seen: list[Any] = []
    for kind, text in [("move", "1=0"), ("undo", ""), ("move", "1=1"), ("move", "2=0"), ("draw", "")]:
        match = store.act(match.id, "ann", kind, text, match.num_rows, NOW)
        with database.read() as connection:
            rows = list(connection.execute(select(moves).order_by(moves.c.ply)))
        assert rows[: len(seen)] == seen and len(rows) == len(seen) + (2 if not seen else 1)
        seen = rows
    assert match.is_over and match.winners == [1, 2]


def test_listeners_hear_of_what_is_committed_and_of_nothing_else(store: Store) -> None:
    heard: list[SiteMatch] = []
    store.listeners.append(heard.append)
    match = begin(store)
    with pytest.raises(MoveError):
        move(store, match, "ann", "9=0")
    move(store, match, "ann", "1=0")
    assert [each.num_rows for each in heard] == [0, 1, 2]


def test_a_match_in_memory_is_what_the_rows_say(store: Store) -> None:
    match = begin(store)
    match = move(store, match, "ann", "1=0")
    assert store.load(match.id) is store.peek(match.id)
    known = store.peek(match.id)
    assert known is not None
    fresh = Store(store.database).load(match.id)
    assert fresh.row == known.row and fresh.seats == known.seats and fresh.rows == known.rows
    assert replace(known.summary) == fresh.summary


def test_a_race_of_an_earlier_version_is_ranked_when_it_is_shown(store: Store) -> None:
    set_up = SetUp("sequence-ascension", {"n": "2"}, (ME,))
    match = store.create(set_up, "ann", NOW, race="r" * 22)
    store.join_race("r" * 22, "bob", "Bob", NOW)
    while not match.is_over:
        match = move(store, match, "ann", match.game.legal_moves[0])
    before = store.racers("r" * 22)
    assert [(each.row.creator, each.place) for each in before] == [("ann", 1), ("bob", 0)]
    assert before[0].num_moves == match.game.ply and abs(before[0].standing) == match.game.scores[0]
    with store.database.write() as connection:
        connection.execute(update(games).values(is_unplaced=None, standing=None, num_moves=None))
    store.rank("r" * 22)
    assert store.racers("r" * 22) == before and store.unranked("r" * 22) == []


def test_the_cache_of_matches_is_bounded_by_their_rows(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "CACHED_ROWS", 6)
    first, second = begin(store), begin(store)
    assert store.peek(first.id) is not None
    for text in ("1=0", "2=0", "3=0", "4=0"):
        second = move(store, second, "ann" if second.num_rows % 2 else "bob", text)
    assert store.peek(first.id) is not None  # six rows in all
    move(store, second, "ann", "5=0")
    assert store.peek(first.id) is None and store.peek(second.id) is not None
    for _ in range(6):
        begin(store)
    assert store.peek(second.id) is None and store.load(second.id).num_rows == 6


def test_equal_scores_share_a_place_in_a_race(store: Store) -> None:
    set_up = SetUp("up-and-up", {"n": "1"}, (ME,))
    store.create(set_up, "ann", NOW, race="r" * 22)
    for name in ("bob", "cid"):
        store.join_race("r" * 22, name, name, NOW)
    for racer in store.racers("r" * 22):
        if racer.row.creator != "cid":
            move(store, store.load(racer.id), racer.row.creator, "a1")
    assert sorted(racer.place for racer in store.racers("r" * 22)) == [0, 1, 1]
    ann = store.racer("r" * 22, "ann")
    assert ann is not None and store.racer("r" * 22, "dan") is None
    cid = store.racer("r" * 22, "cid")
    assert cid is not None and cid.place == 0
