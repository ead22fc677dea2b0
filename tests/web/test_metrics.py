"""/metrics: for Prometheus, and for nobody else."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from quet import __version__
from quet.web.app import create_app
from quet.web.metrics import FOLDER, Metrics
from quet.web.settings import Settings
from quet.web.shared_numbers import NumbersFile

TOKEN = "a-token-of-the-tests"


@asynccontextmanager
async def asked_by(url: str, address: str, token: str = "") -> AsyncIterator[httpx.AsyncClient]:
    """A client with this address, of a new site."""
    app = create_app(Settings(url, "a key of the tests", metrics_token=token))
    database = app.state.site.store.database
    database.upgrade()
    transport = httpx.ASGITransport(app, client=(address, 50_000))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as client:
        yield client
    await app.state.analyst.close()
    database.close()


def numbers(text: str) -> dict[tuple[str, ...], float]:
    """The value of each line: by its name and the values of its labels."""
    families = text_string_to_metric_families(text)
    return {(one.name, *one.labels.values()): one.value for family in families for one in family.samples}


@pytest.mark.parametrize(
    ("address", "token", "headers", "status"),
    [
        ("127.0.0.1", "", {}, 200),
        ("127.9.9.9", "", {}, 200),
        ("::1", "", {}, 200),
        ("::1", "", {"Host": "[::1]:8000"}, 200),
        ("127.0.0.1", "", {"Host": "127.0.0.1:8000"}, 200),
        ("127.0.0.1", "", {"Host": "page.example"}, 404),  # whose name stands for this machine
        ("127.0.0.1", "", {"Host": "localhost.page.example"}, 404),
        ("127.0.0.1", "", {"Host": ""}, 404),
        ("192.0.2.1", TOKEN, {"Host": "site", "Authorization": f"Bearer {TOKEN}"}, 200),
        ("::ffff:127.0.0.1", "", {}, 200),
        ("::ffff:192.0.2.1", "", {}, 404),
        ("192.0.2.1", "", {}, 404),
        ("10.0.0.1", "", {}, 404),
        ("127.0.0.1", "", {"X-Forwarded-For": "192.0.2.1"}, 404),  # a proxy here that isn't named
        ("127.0.0.1", "", {"Via": "1.1 proxy"}, 404),
        ("127.0.0.1", TOKEN, {}, 404),
        ("192.0.2.1", TOKEN, {"Authorization": f"Bearer {TOKEN}"}, 200),
        ("192.0.2.1", TOKEN, {"Authorization": "Bearer another"}, 404),
        ("192.0.2.1", "", {"Authorization": "Bearer "}, 404),
    ],
)
async def test_numbers_are_for_this_machine_or_for_who_has_the_token(
    sqlite_url: str, address: str, token: str, headers: dict[str, str], status: int
) -> None:
    async with asked_by(sqlite_url, address, token) as client:
        assert (await client.get("/metrics", headers=headers)).status_code == status


async def test_requests_are_counted_by_page_and_by_nothing_that_a_client_makes_up(sqlite_url: str) -> None:
    async with asked_by(sqlite_url, "127.0.0.1") as client:
        for path in ("/lobby", "/lobby", "/play/secret-link", "/made/up", "/another"):
            await client.get(path)
        await client.request("BREW", "/lobby")
        answer = await client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=") and "secret" not in answer.text
    found = numbers(answer.text)
    assert found["quet_requests_total", "GET", "/lobby", "200"] == 2
    assert found["quet_requests_total", "GET", "/play/{id}", "404"] == 1
    assert found["quet_requests_total", "GET", "-", "404"] == 2
    assert found["quet_requests_total", "other", "/lobby", "405"] == 1
    assert found["quet_request_seconds_count", "/lobby"] == 3 and found["quet_outage",] == 0
    assert found["process_resident_memory_bytes",] > 10_000_000


def test_streams_of_a_process_that_was_killed_count_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    metrics = Metrics()  # this process has no such files, since the library looks for the folder when it is imported
    dead, alive = tmp_path / "gauge_livesum_999999999.db", tmp_path / "gauge_livesum_1.db"
    for file in (dead, alive):
        file.write_bytes(b"\0" * 64)
    metrics.text()
    assert alive.exists() and not dead.exists()


AN_OUTAGE_THAT_ENDS = """
import sys
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from quet.web.app import create_app
from quet.web.settings import Settings
folder, url = sys.argv[1:]
site = create_app(Settings(url, "a key of the tests")).state.site
outage = site.store.database.outage
outage.failed(NoConnectionFree())
print(site.metrics.text().decode())
outage.succeeded(is_write=True)
registry = CollectorRegistry()
MultiProcessCollector(registry, folder)
print(generate_latest(registry).decode())  # what another process tells when it is asked
"""


def test_the_end_of_an_outage_is_told_whichever_process_is_asked(tmp_path: Path, sqlite_url: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", AN_OUTAGE_THAT_ENDS, str(tmp_path), sqlite_url],
        env=os.environ | {FOLDER: str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line for line in done.stdout.splitlines() if line.startswith("quet_outage")] == [
        "quet_outage 1.0",
        "quet_outage 0.0",
    ]


COUNTED_ON_A_FULL_DISK = """
import resource, sys
from quet.web.metrics import Metrics
none, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
for room in map(int, sys.argv[1:]):  # bytes that a file may have, as on a full disk
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    metrics = Metrics() if room == int(sys.argv[1]) else metrics
    for number in range(400):
        metrics.count("GET", f"/{number}", 200, 0.1)
resource.setrlimit(resource.RLIMIT_FSIZE, (none, hard))
metrics.count("GET", "/", 200, 0.1)
print(metrics.text().decode())
"""


@pytest.mark.parametrize("rooms", [("0",), ("0", "70", "5000"), ("70000",)])
def test_a_disk_that_is_full_stops_no_server_process_and_loses_no_number(
    tmp_path: Path, rooms: tuple[str, ...]
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COUNTED_ON_A_FULL_DISK, *rooms],
        env=os.environ | {FOLDER: str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    found = numbers(done.stdout)
    assert {found["quet_requests_total", "GET", f"/{number}", "200"] for number in range(400)} == {len(rooms)}
    assert found["quet_request_seconds_count", "/399"] == len(rooms) and found["quet_info", __version__] == 1


def test_no_number_lies_in_memory_that_a_full_disk_takes_away(tmp_path: Path) -> None:
    """The system would kill a process that touches it."""
    count = "from quet.web.metrics import Metrics; Metrics().count('GET', '/', 200, 0.1)"
    done = subprocess.run(
        [sys.executable, "-c", f"{count}; print(open('/proc/self/maps').read())"],
        env=os.environ | {FOLDER: str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert list(tmp_path.glob("*.db")) and str(tmp_path) not in done.stdout


def test_a_process_goes_on_in_the_file_of_one_that_had_its_number(tmp_path: Path) -> None:
    for count in range(1, 4):
        file = NumbersFile(str(tmp_path / "counter_7.db"))
        for key in ("long ago", f"new {count}"):
            file.write_value(key, file.read_value(key)[0] + 1, 0.0)
        assert file.read_value("long ago") == (count, 0.0)
        assert file.read_value("new 1") == (1, 0.0)
        file.close()
