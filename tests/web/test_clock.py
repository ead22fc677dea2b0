"""The site's clock: neither downtime nor a clock that is set costs a player time."""

import asyncio
import time
from collections.abc import Iterator

import pytest

from quet.web import timeouts
from quet.web.app import create_app
from quet.web.errors import TooMany
from quet.web.match import SiteMatch
from quet.web.new_games import SeatPlan, SetUp
from quet.web.settings import Settings
from quet.web.storage.clock import BEAT_SECONDS, FRESH_SECONDS, MOST_SECONDS, SiteClock
from quet.web.storage.database import Database
from quet.web.storage.listings import FORSAKEN_SECONDS
from quet.web.storage.store import PUT_OFF_SECONDS, Store

from .in_process import UNLIMITED

DAY = 86_400.0


class Machine:
    """A machine with a wall clock, which can be set, and a monotonic one; servers run on it.

    A server may also run on another machine, whose clock differs. Then this one has the database.
    """

    def __init__(self, url: str) -> None:
        self.wall, self.monotonic = 1_000_000.0, 50.0
        self.url = url
        self.stores: list[Store] = []

    def start(self, *, is_alone: bool = False, ahead: float = 0.0) -> Store:
        """The store of a server that has just started; `ahead` is how far its machine's clock is ahead of the other."""
        database = Database(self.url)
        database.upgrade()
        store = Store(database)
        store.clock = SiteClock(
            database,
            wall=lambda: self.wall + ahead,
            monotonic=lambda: self.monotonic + 1_000 * ahead,
            shared=lambda _: self.wall,
        )
        store.clock.is_alone = is_alone
        store.clock.begin()
        self.stores.append(store)
        return store

    def run(self, seconds: float) -> None:
        """Let so much time pass, in which all servers live."""
        for _ in range(round(seconds / BEAT_SECONDS)):
            self.sleep(BEAT_SECONDS)
            for store in self.stores:
                store.clock.beat()

    def sleep(self, seconds: float) -> None:
        """Let so much time pass, in which no server does anything."""
        self.wall += seconds
        self.monotonic += seconds

    def kill(self, store: Store) -> None:
        """End a server, which writes nothing any more."""
        self.stores.remove(store)
        store.database.close()


@pytest.fixture
def machine(database_url: str) -> Iterator[Machine]:
    made = Machine(database_url)
    yield made
    for store in made.stores:
        store.database.close()


def begun(store: Store, seconds: float = 60.0) -> SiteMatch:
    """A game with a live clock, in which each has moved once, as first moves cost nothing."""
    set_up = SetUp("palindromes", {"m": "6"}, (SeatPlan(), SeatPlan()), clock="live", clock_seconds=seconds)
    match = store.create(set_up, "ann", store.clock.now())
    for move in ("1=0", "2=0"):
        match = store.act(match.id, "ann", "move", move, None, store.clock.now())
    return match


def left(store: Store, match: SiteMatch) -> float:
    seconds = store.load(match.id).clock_left(1, store.clock.now())
    assert seconds is not None
    return seconds


def test_time_in_which_a_server_lives_is_counted(machine: Machine) -> None:
    store = machine.start()
    match = begun(store)
    machine.run(40)
    assert left(store, match) == pytest.approx(20)
    machine.run(40)
    assert timeouts.look(store) == 1 and store.load(match.id).is_over


def test_a_game_that_cannot_be_ended_is_told_once_and_stops_no_other(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = machine.start()
    bad, good = begun(store), begun(store)
    expire, failed = store.expire, set[str]()

    def expire_or_break(id: str, now: float) -> SiteMatch:
        if id == bad.id:
            raise ZeroDivisionError
        return expire(id, now)

    monkeypatch.setattr(store, "expire", expire_or_break)
    machine.run(80)
    for _ in range(3):
        timeouts.look(store, failed=failed)
    assert store.load(good.id).is_over and not store.load(bad.id).is_over
    assert [one.getMessage() for one in caplog.records] == [f"The game {bad.id[:6]}... can't be ended."]
    assert bad.id not in store.due(store.clock.now())  # it doesn't stand before others


def test_very_many_waiting_games_that_cannot_be_read_stop_no_other(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after an update of a game's package whose rules break: a game that waits has no deadline to put off."""
    store = machine.start()
    monkeypatch.setattr("quet.web.storage.listings.LISTED", 2)
    waiting, age = SetUp("palindromes", {"m": "6"}, (SeatPlan("me"), SeatPlan("open"))), FORSAKEN_SECONDS + 100
    bad = [store.create(waiting, "ann", store.clock.now() - age - number).id for number in range(2)]
    good = store.create(waiting, "ann", store.clock.now() - age)
    call_off, failed, tries = store.call_off, set[str](), list[str]()

    def call_off_or_break(id: str, now: float) -> SiteMatch:
        if id in bad:
            tries.append(id)
            raise KeyError
        return call_off(id, now)

    monkeypatch.setattr(store, "call_off", call_off_or_break)
    for _ in range(5):
        timeouts.look(store, failed=failed)
    assert store.load(good.id).is_over and len(tries) == 4
    assert store.forsaken(store.clock.now()) == []
    assert sorted(store.forsaken(store.clock.now() + PUT_OFF_SECONDS + 1)) == sorted(bad)  # the package may be mended


async def test_nothing_that_breaks_stops_the_task_that_lets_time_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0

    def broken(*_: object) -> None:
        nonlocal looks
        looks += 1
        raise ZeroDivisionError

    monkeypatch.setattr(timeouts, "look", broken)
    monkeypatch.setattr(timeouts, "SECONDS", 0.0)
    task = asyncio.create_task(timeouts.let_time_fall(None))  # type: ignore[arg-type]
    while looks < 3:
        await asyncio.sleep(0)
    task.cancel()


def test_downtime_is_not_counted_against_anybody(machine: Machine) -> None:
    store = machine.start(is_alone=True)
    match = begun(store)
    machine.run(20)
    machine.kill(store)
    machine.sleep(DAY)
    store = machine.start(is_alone=True)
    assert timeouts.look(store) == 0
    assert left(store, match) == pytest.approx(40)
    machine.kill(store)
    machine.monotonic = 3.0  # the machine was started anew
    store = machine.start(is_alone=True)
    assert left(store, match) == pytest.approx(40)
    machine.run(20)
    assert left(store, match) == pytest.approx(20)


@pytest.mark.parametrize("jump", [DAY, 3.0, -DAY])
def test_a_wall_clock_that_is_set_costs_nobody_time(machine: Machine, jump: float) -> None:
    store = machine.start(is_alone=True)
    match = begun(store)
    machine.run(10)
    machine.wall += jump
    assert timeouts.look(store) == 0 and left(store, match) == pytest.approx(50)
    machine.run(10)
    machine.kill(store)
    machine.wall += jump
    store = machine.start(is_alone=True)
    assert timeouts.look(store) == 0 and left(store, match) == pytest.approx(40)
    machine.run(10)
    assert left(store, match) == pytest.approx(30)


def test_a_server_that_is_frozen_or_has_no_database_counts_no_time(machine: Machine) -> None:
    store = machine.start()
    match = begun(store)
    machine.sleep(DAY)
    assert timeouts.look(store) == 0
    assert left(store, match) == pytest.approx(60 - MOST_SECONDS)
    store.clock.beat()
    machine.run(20)
    assert left(store, match) == pytest.approx(40 - MOST_SECONDS)


def test_servers_at_the_same_database_have_the_same_time(machine: Machine) -> None:
    first = machine.start()
    match = begun(first)
    machine.run(20)
    machine.sleep(1.5)
    second = machine.start()
    assert second.clock.now() == pytest.approx(first.clock.now())
    assert left(second, match) == pytest.approx(38.5)
    machine.run(10)
    machine.kill(first)  # and the other goes on
    machine.run(10)
    assert left(second, match) == pytest.approx(18.5)
    second.clock.end()
    machine.kill(second)
    machine.sleep(FRESH_SECONDS - 1)  # it has said that it ends, so this is downtime
    assert left(machine.start(), match) == pytest.approx(18.5)


@pytest.mark.parametrize("ahead", [-3.0, 0.0, 0.5, 3.0, 60.0])
@pytest.mark.parametrize("phase", [0.1, 1.0, 1.9])
def test_servers_whose_machines_differ_have_one_clock_that_runs_at_the_rate_of_real_time(
    sqlite_url: str, ahead: float, phase: float
) -> None:
    machine = Machine(sqlite_url)
    first = machine.start()
    began, before = first.clock.now(), machine.monotonic
    machine.sleep(phase)
    second = machine.start(ahead=ahead)
    shown = began
    for _ in range(20):
        for store, seconds in ((first, BEAT_SECONDS - phase), (second, phase)):
            machine.sleep(seconds)
            store.clock.beat()
            now = first.clock.now()
            assert now == pytest.approx(began + machine.monotonic - before, abs=1e-3)
            assert second.clock.now() == pytest.approx(now, abs=1e-3) and now >= shown
            shown = now
    for store in machine.stores:
        store.clock.end()
    machine.sleep(FRESH_SECONDS - 1)  # nobody lives
    assert machine.start(ahead=ahead).clock.now() == pytest.approx(shown, abs=1e-3)
    for store in machine.stores:
        store.database.close()


def test_servers_ask_postgresql_for_the_time_and_not_their_machines(postgresql_url: str) -> None:
    databases = [Database(postgresql_url) for _ in range(2)]
    databases[0].upgrade()
    clocks = [
        SiteClock(database, wall=lambda ahead=ahead: time.time() + ahead)  # type: ignore[misc]
        for database, ahead in zip(databases, (0.0, 3.0), strict=True)
    ]
    began = time.monotonic()
    for clock in clocks:
        clock.begin()
    before = clocks[0].now()
    for _ in range(10):
        for clock in clocks:
            clock.beat()
    assert 0 < clocks[0].now() - before <= time.monotonic() - began
    assert clocks[1].now() == pytest.approx(clocks[0].now(), abs=0.5)
    for database in databases:
        database.close()


def test_a_question_that_takes_long_drives_no_clock_on(sqlite_url: str) -> None:
    machine = Machine(sqlite_url)
    stores = [machine.start() for _ in range(2)]
    began, before = stores[0].clock.now(), machine.monotonic
    for turn in range(20):
        for number, store in enumerate(stores):
            machine.sleep(BEAT_SECONDS / 2)
            late = 0.1 if (turn + number) % 2 else 0.0

            def shared(_: object, late: float = late) -> float:
                machine.sleep(late)  # before PostgreSQL looks at its clock, and after it
                told = machine.wall
                machine.sleep(late / 2)
                return told

            store.clock._shared = shared
            store.clock.beat()
            for each in stores:
                assert each.clock.now() <= began + machine.monotonic - before + 1e-3
    for store in stores:
        assert store.clock.now() == pytest.approx(began + machine.monotonic - before, abs=1e-3)
        store.database.close()


@pytest.mark.parametrize("jump", [DAY, 3.0, -3.0, -DAY])
def test_a_shared_clock_that_is_set_while_several_servers_live_costs_nobody_time(machine: Machine, jump: float) -> None:
    first = machine.start()
    machine.sleep(1)
    second = machine.start()
    match = begun(first)
    for after in (50, 40):
        machine.wall += jump
        machine.run(10)
        assert left(first, match) == left(second, match) == pytest.approx(after)


def test_the_clock_never_goes_back_and_heartbeats_of_the_dead_are_deleted(machine: Machine) -> None:
    from sqlalchemy import func, select

    from quet.web.storage.schema import heartbeats

    store = machine.start(is_alone=True)
    before = store.clock.now()
    for _ in range(3):
        machine.run(20)
        machine.wall -= 1_000
        machine.kill(store)
        store = machine.start(is_alone=True)
        assert store.clock.now() >= before
        before = store.clock.now()
    with store.database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(heartbeats)) == 4
    for _ in range(3):
        machine.sleep(DAY)
        store.clock._last = (store.clock._last or (0.0, 0.0))[0] + DAY, machine.monotonic
        store.clock.beat()
    with store.database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(heartbeats)) == 1


def test_a_game_is_dated_by_the_calendar_whatever_the_downtime(machine: Machine) -> None:
    store = machine.start(is_alone=True)
    machine.kill(store)
    machine.sleep(100 * DAY)
    store = machine.start(is_alone=True)
    match = begun(store)
    assert match.row.created_at == 1_000_000.0
    assert store.load(match.id).record().tags["Date"] == match.row.date == "1970-04-22"


def test_a_day_of_an_address_begins_at_midnight_in_utc_whatever_the_downtime(machine: Machine) -> None:
    machine.kill(machine.start(is_alone=True))
    machine.sleep(12 * DAY - machine.wall - 2)  # until two seconds before midnight
    store = machine.start(is_alone=True)
    store.address_games_per_day = 1
    store.shares.come("ann", "192.0.2.1")
    begun(store)
    with pytest.raises(TooMany, match="from your network today") as caught:
        begun(store)
    assert caught.value.wait == 2
    machine.sleep(3)
    begun(store)


async def test_a_server_that_starts_goes_by_this_clock_and_writes_heartbeats(sqlite_url: str) -> None:
    app = create_app(Settings(sqlite_url, "a key of the tests", limits=UNLIMITED))
    clock = app.state.site.store.clock
    assert clock._last is None
    async with app.router.lifespan_context(app):
        assert clock._last is not None and clock.is_alone
        clock._last = clock._last[0] - DAY, clock._last[1]  # as after a day of downtime
        match = begun(app.state.site.store)
        behind = clock._wall() - clock.now()
        assert behind == pytest.approx(DAY, abs=10) and match.row.created_at == pytest.approx(clock.now(), abs=10)
