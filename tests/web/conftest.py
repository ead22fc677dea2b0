"""What tests of the site stand on: a database of either kind, a server and a browser, all real."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser, sync_playwright

from quet.engine.compiled import leave_compiling
from quet.web import site as site_module
from quet.web.storage.database import Database

from . import postgresql
from .browsing import Person
from .serving import UNLIMITED, Server, WarmServer

CHROMIUM = """
    --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync
"""


@pytest.fixture(autouse=True)
def _compiles() -> Iterator[None]:
    """A job of a process that thinks, done within a test, leaves compiling to others; tests after it compile again."""
    yield
    leave_compiling(leave=False)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that stands still 15 seconds after a minute began, for what counts requests of a minute."""
    stopped = SimpleNamespace(now=6015.0)
    stopped.time = lambda: stopped.now
    monkeypatch.setattr(site_module, "time", stopped)
    return stopped


@pytest.fixture(scope="session")
def cluster() -> Iterator[Path]:
    """The socket of a PostgreSQL that only these tests use."""
    if postgresql.programs() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgresql.cluster() as socket:
        yield socket


@pytest.fixture
def postgresql_url(cluster: Path) -> Iterator[str]:
    """A new empty PostgreSQL database."""
    with postgresql.database(cluster) as url:
        yield url


@pytest.fixture(scope="session")
def postgresql_like(cluster: Path) -> Iterator[str]:
    """The name of a PostgreSQL database of the newest schema: to copy it takes half the time of making another."""
    with postgresql.database(cluster) as url:
        made = Database(url)
        made.upgrade()
        made.close()
        yield postgresql.name_of(url)


@pytest.fixture
def postgresql_copy_url(cluster: Path, postgresql_like: str) -> Iterator[str]:
    """A new PostgreSQL database of the newest schema, with nothing in it."""
    with postgresql.database(cluster, postgresql_like) as url:
        yield url


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A new SQLite database, which nobody has made yet."""
    return f"sqlite:///{tmp_path / 'quet.db'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest) -> str:
    """A new database without a schema: a test that asks for it runs once on SQLite and once on PostgreSQL."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The same, but in PostgreSQL the schema is there already."""
    url: str = request.getfixturevalue({"sqlite": "sqlite_url", "postgresql": "postgresql_copy_url"}[request.param])
    return url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A new database of the newest schema, of both kinds."""
    made = Database(database_url)
    made.upgrade()
    yield made
    made.close()


@pytest.fixture
def server(tmp_path: Path, sqlite_url: str) -> Iterator[Server]:
    """A running site with an empty database, on SQLite."""
    site = Server(tmp_path, sqlite_url)
    yield site
    site.stop()


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The same without limits, for all tests of a file; it has what tests before left there."""
    folder = tmp_path_factory.mktemp("site")
    site = WarmServer(folder, f"sqlite:///{folder / 'quet.db'}", **UNLIMITED)
    yield site
    site.stop()


@pytest.fixture(scope="module")
def come(browser: Browser, shared_server: Server) -> Iterator[Callable[[int], list[Person]]]:
    """Has so many people come, each with a browser that all tests of a file share: to open one takes over a second.

    Nothing moves on their pages, as that takes the processor too.
    """
    here: list[Person] = []

    def come(number: int) -> list[Person]:
        while len(here) < number:
            here.append(Person(browser, shared_server.url, reduced_motion="reduce"))
        return here[:number]

    yield come
    for person in here:
        person.context.close()


@pytest.fixture
def people(come: Callable[[int], list[Person]]) -> Iterator[list[Person]]:
    """Three people whom the site doesn't know yet, with pages that must have nothing to complain about."""
    here = come(3)
    yield here
    for person in here:
        person.become_another()


@pytest.fixture
def person(come: Callable[[int], list[Person]]) -> Iterator[Person]:
    """Somebody like them."""
    (here,) = come(1)
    yield here
    here.become_another()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser; take a page of your own with `browser.new_page()` or `new_context()` and close it.

    It is closed after each file of tests, and no test of such a file is `async`: where Playwright runs, no other event
    loop can.
    """
    executable = shutil.which("chromium")
    if executable is None:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM.split())
        yield browser
        browser.close()
