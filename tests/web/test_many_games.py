"""With 100,000 games every query of every page still goes by an index, and the home page costs as much as with 100."""

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, event, text

from quet.study.daily import today
from quet.web import timeouts
from quet.web.app import create_app
from quet.web.new_games import SeatPlan, SetUp, new_id
from quet.web.settings import Settings
from quet.web.storage.database import Database
from quet.web.storage.days import MOST_PAGES, RANKED
from quet.web.storage.forgetting import Forgetting
from quet.web.storage.listings import RACERS
from quet.web.storage.store import Act, Store
from quet.web.visitors import COOKIE, Visitor, Visitors

from . import postgresql
from .in_process import UNLIMITED, Pages, pages

MANY, FEW = 100_000, 100
RACE = "r" * 22
TODAY = str(today(time.time()))
VISITORS = 1_000  # who hold the seats, in turn; `busy` holds every second one besides
TABLES = {"games", "seats", "moves", "entries"}
KEY = "a key of the tests"

# Both databases understand this. `:many` games of palindromes in all states, and a tenth of them in one race.
NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < :many - 1)"
GAMES = f"""
    INSERT INTO games (
        id, game, rules_version, parameters, num_players, is_public, clock, clock_seconds, clock_increment, seed,
        creator, race, created_at, status, mover, is_computer_due, deadline, num_rows, version, changed_at, attempts,
        is_listed, is_unplaced, standing, num_moves)
    {NUMBERS}
    SELECT 'gggg' || (100000000000000000 + i), 'palindromes', 1, '{{"m": "6"}}', 2, i % 8 = 1,
        CASE WHEN i % 3 = 0 THEN 'live' ELSE 'none' END, 60, 0, i,
        'visitor' || i, CASE WHEN i % 10 = 9 THEN '{RACE}' END, :now - i,
        CASE i % 4 WHEN 0 THEN 'waiting' WHEN 1 THEN 'playing' WHEN 2 THEN 'playing' ELSE 'over' END,
        CASE WHEN i % 4 IN (1, 2) THEN 1 END, i % 1000 = 2, CASE WHEN i % 4 = 2 THEN :now + i END, 0, 1, :now - i, 0,
        i % 8 = 0, CASE WHEN i % 10 = 9 THEN i % 4 < 3 END, CASE WHEN i % 10 = 9 THEN i % 97 END,
        CASE WHEN i % 10 = 9 THEN i % 30 END
    FROM n
"""
SEATS = f"""
    INSERT INTO seats (game_id, player, name, computer, visitor, is_open, made_at, ended_at)
    {NUMBERS}
    SELECT 'gggg' || (100000000000000000 + i), 1, 'Somebody', '', 'visitor' || (i % {VISITORS}), i % 8 = 4, :now - i,
        CASE WHEN i % 4 = 3 THEN :now - i END
    FROM n
    UNION ALL
    SELECT 'gggg' || (100000000000000000 + i), 2, '', '', CASE WHEN i % 2 = 1 THEN 'busy' END, i % 2 = 0, :now - i,
        CASE WHEN i % 4 = 3 THEN :now - i END
    FROM n
"""
MOVES = f"""
    INSERT INTO moves (game_id, ply, player, kind, text, at)
    {NUMBERS}
    SELECT 'gggg' || (100000000000000000 + i), 0, 0, 'start', '', :now - i FROM n WHERE i % 2 = 1
"""
ENTRIES = """
    INSERT INTO entries (game_id, game, parameters, value, finder, moves, at)
    SELECT id, 'game' || (seed % 50), '{"n": 2}', 4, 'Ann', 'a1', :now - seed FROM games WHERE seed < :many / 10
"""


def fill(url: str, many: int) -> str:
    """Bring so many games into a new database, and return its address."""
    database = Database(url)
    database.upgrade()
    database.close()
    engine = create_engine(url)  # not the site's, which gives up what takes long
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL session_replication_role = replica"))  # checks no foreign keys
        for statement in (GAMES, SEATS, MOVES, ENTRIES):
            connection.execute(text(statement), {"many": many, "now": time.time()})
        if engine.dialect.name == "postgresql":  # which does so by itself after a while; SQLite never does
            connection.execute(text("ANALYZE"))
    engine.dispose()
    return url


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> str:
    return fill(f"sqlite:///{tmp_path_factory.mktemp('few') / 'quet.db'}", FEW)


@pytest.fixture(scope="module")
def many_in_sqlite(tmp_path_factory: pytest.TempPathFactory) -> str:
    return fill(f"sqlite:///{tmp_path_factory.mktemp('many') / 'quet.db'}", MANY)


@pytest.fixture(scope="module")
def many_in_postgresql(cluster: Path) -> Iterator[str]:
    with postgresql.database(cluster) as url:
        yield fill(url, MANY)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def many(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue(f"many_in_{request.param}")
    return url


class Statements:
    """Notes what a database is asked."""

    def __init__(self, database: Database) -> None:
        self.asked: dict[str, object] = {}
        self._database = database
        event.listen(database._engine, "before_cursor_execute", self._note)

    def _note(self, _c: object, _cursor: object, statement: str, parameters: object, *_rest: object) -> None:
        first = parameters[0] if isinstance(parameters, list) else parameters
        if statement.split()[0] in ("SELECT", "UPDATE", "DELETE"):
            self.asked.setdefault(statement, first)

    def whole_tables(self) -> list[str]:
        """The statements that look through a whole table or index, with their plans."""
        event.remove(self._database._engine, "before_cursor_execute", self._note)
        with self._database.read() as connection:
            plans = {statement: self._plan(connection, statement) for statement in self.asked}
        return [f"{statement}\n{plan}" for statement, plan in plans.items() if self._is_whole(plan)]

    def _plan(self, connection: Connection, statement: str) -> str:
        how = "EXPLAIN QUERY PLAN" if self._database.is_sqlite else "EXPLAIN"
        rows = connection.exec_driver_sql(f"{how} {statement}", self.asked[statement]).all()  # type: ignore[arg-type]
        return "\n".join(str(row[-1]) for row in rows)

    def _is_whole(self, plan: str) -> bool:
        words = "SCAN" if self._database.is_sqlite else "Seq Scan on"
        return any(f"{words} {table}" in line for line in plan.splitlines() for table in TABLES)


@asynccontextmanager
async def asked_by(url: str, visitor: str) -> AsyncIterator[Pages]:
    """The pages of a site, and the cookie of this visitor."""
    async with pages(url, UNLIMITED) as site:
        header = Visitors(KEY).cookie(Visitor(visitor, ""), is_secure=False)
        site.client.cookies.set(COOKIE, header.partition(";")[0].partition("=")[2])
        yield site


ASKED = {  # each address by which a page reads the database, and what is put into it
    "/": [""],
    "/mine": [""],
    "/lobby": [""],
    "/health": [""],
    "/daily": ["", "?page=2"],
    "/daily/{id}": [TODAY],
    "/race/{id}": [RACE, f"{RACE}?page=2", f"{RACE}?page=1000000"],
    "/play/{id}": ["OVER", "ALONE"],
    "/play/{id}/table": ["OVER"],
    "/play/{id}/seat/{token}": ["OVER"],
    "/play/{id}/record.quet": ["OVER"],
    "/play/{id}/record.json": ["OVER"],
    "/play/{id}/picture.svg": ["OVER"],
    "/play/{id}/picture.png": ["OVER"],
    "/play/{id}/picture.gif": ["OVER"],
    "/study/{id}": ["OVER"],
    "/results/{game}": [""],
    "/results/{game}/{name}": [""],
}
READS_NONE = {  # the other addresses read no games at all, or one row
    *("/living.svg", "/living/{id}.svg", "/metrics", "/new/{game}", "/paper/{game}", "/ready", "/rules/{game}"),
    *("/learn", "/learn/{game}", "/study", "/study/position", "/card/{game}.png", "/robots.txt", "/sitemap.xml"),
    *("/puzzles", "/puzzles/{game}", "/puzzles/{game}/{id}", "/puzzles/{game}/{id}/picture.png", "/picture.png"),
    *("/docs", "/docs/{path}"),
    *("/sheets/{game}", "/sheets/{game}.svg", "/static/{name}", "/answers", "/answers/pictures/{name}", "/proofs"),
    *("/records", "/results", "/results/", "/results/{game}/plot.svg", "/results/{game}/certificates/{file}"),
    *("/results/{game}/{name}.b.txt", "/results/{game}/{name}.oeis.txt", "/results/{game}/{name}/board.svg"),
    "/results/{game}/{name}/board.png",
    "/play/{id}/events",  # an endless one; it reads a game as its page does
}


def test_every_address_of_a_page_is_asked_or_reads_no_games() -> None:
    app = create_app(Settings("sqlite:////nowhere/quet.db", KEY))
    paths = {path for path, methods in app.openapi()["paths"].items() if "get" in methods}
    assert paths == set(ASKED) | READS_NONE
    assert not set(ASKED) & READS_NONE


@pytest.mark.parametrize("visitor", ["visitor7", "busy", "nobody"])
async def test_no_page_looks_through_all_games(many: str, visitor: str) -> None:
    async with asked_by(many, visitor) as site:
        over = site.store.create(SetUp("palindromes", {"m": "4"}, (SeatPlan("me"),) * 2), visitor, time.time())
        over = site.store.act(over.id, visitor, "resign", "", None, time.time())
        alone = site.store.create(SetUp("up-and-up", {"n": "1"}, (SeatPlan("me"),)), visitor, time.time())
        alone = site.store.act(alone.id, visitor, "move", "a1", None, time.time())
        own = {"OVER": over.id, "ALONE": alone.id}
        site.store._matches.clear()
        statements = Statements(site.store.database)
        for path, ids in ASKED.items():
            for id in ids:
                path = path.replace("{game}", "up-and-up").replace("{name}", "2")
                answer = await site.get(path.replace("{id}", own.get(id, id)).replace("{token}", "t"))
                assert answer.status_code == 200 or "token" in path, (path, answer.text)
        assert len(statements.asked) > 8
        assert not (found := statements.whole_tables()), "\n\n".join(found)


async def test_no_act_and_nothing_in_the_background_looks_through_all_games(many: str) -> None:
    database = Database(many)
    store, now = Store(database, games_per_day=1_000), time.time()
    statements = Statements(database)
    set_up = SetUp("palindromes", {"m": "4"}, (SeatPlan("me"), SeatPlan("open")))
    match, gone = (store.create(set_up, "busy", now) for _ in range(2))
    store.take_seat(match.id, "visitor7", "Ann", now)
    store.hand_over(match.id, 2, "visitor7", now)
    store.act_all([Act(match.id, "busy", "move", "1=0", None, now)])
    store.act(match.id, "busy", "resign", "", None, now)
    store.rematch(match.id, "busy", now)
    store.release(gone.id, "busy", now)
    store.join_race(RACE, new_id(), "Ann", now)
    timeouts.look(store)
    due = store.claim_computer_move(now, 60)
    assert due is not None
    store.renew(due, now + 60)
    store.give_up(due, None)
    store.put_off(match.id, now)
    store.versions([match.id])
    store.lay_aside(due.id)
    forgetting = Forgetting(database)
    forgetting.game(match.id)
    forgetting.person(due.id, 1)  # who made it alone
    assert len(statements.asked) > 30
    assert not (found := statements.whole_tables()), "\n\n".join(found)
    database.close()


class Steps:
    """Counts the instructions that SQLite carries out, which is what its queries cost on any machine."""

    def __init__(self, database: Database) -> None:
        self.number = 0
        event.listen(database._engine, "checkout", self._begin)

    def _begin(self, connection: object, *_rest: object) -> None:
        connection.set_progress_handler(self._count, 10)  # type: ignore[attr-defined]

    def _count(self) -> int:
        self.number += 10
        return 0


@pytest.mark.parametrize("path", ["/", "/mine"])
async def test_a_list_costs_the_same_among_100_games_and_100_000(few: str, many_in_sqlite: str, path: str) -> None:
    costs = []
    for url in (few, many_in_sqlite):
        async with asked_by(url, f"newcomer to {path}") as site:
            for _ in range(3):
                set_up = SetUp("palindromes", {"m": "4"}, (SeatPlan("me"),) * 2)
                site.store.create(set_up, f"newcomer to {path}", time.time())
            steps = Steps(site.store.database)
            assert (await site.get(path)).status_code == 200
            costs.append(steps.number)
    assert costs[0] > 0 and costs[1] < 1.5 * costs[0], costs


@pytest.mark.parametrize("path", ["/", "/mine", "/lobby", f"/race/{RACE}", f"/race/{RACE}?page=100"])
async def test_no_list_costs_much_even_for_somebody_with_50_000_games(many_in_sqlite: str, path: str) -> None:
    async with asked_by(many_in_sqlite, "busy") as site:
        steps = Steps(site.store.database)
        assert (await site.get(path)).status_code == 200
        assert 0 < steps.number < MANY, path


def test_a_page_of_a_days_ranking_costs_what_stands_before_it(
    few: str, many_in_sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quet.web.storage.days.race_of", lambda day: RACE)
    monkeypatch.setattr("quet.web.storage.days.MANY", 1)
    day, costs = today(time.time()), []
    for url in (few, many_in_sqlite):
        database = Database(url)
        days, steps = Store(database).days, Steps(database)
        (best, *_), first = days.page(day, 0), steps.number
        days.page(day, 50 * RANKED)
        later = steps.number - first
        days.own(day, best.visitor)
        own = steps.number - first - later
        days.spread(day)
        before = steps.number
        days.spread(day)
        assert steps.number == before  # it is kept
        costs.append((first, later, own))
        database.close()
    first, later, own = costs[1]
    assert first < 20 * costs[0][0] and own < 2 * costs[0][2], (
        costs
    )  # there are 15 to show among few, and 50 among many
    assert later < 10 * 50 * RANKED, costs


async def test_a_race_of_many_shows_ones_own_line_and_the_rest_in_pages(many_in_sqlite: str) -> None:
    async with asked_by(many_in_sqlite, "ann") as site:
        place = (await site.post(f"/race/{RACE}", name="Ann")).headers["location"]
        assert (await site.post(f"/race/{RACE}", name="Ann")).headers["location"] == place
        number = site.store.num_racers(RACE)
        assert number > MANY // 10
        pages = MOST_PAGES
        for page in (1, 2, pages):
            answer = (await site.get(f"/race/{RACE}?page={page}")).text
            assert answer.count("<tr><td") in (RACERS, RACERS + 1) and f"first {RACERS * pages} are listed" in answer
            assert answer.count(f'href="{place}"') == 1
            assert f"Page {page} of {pages}, {number} racers" in answer
