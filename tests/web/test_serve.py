"""`quet serve`: what it needs from its environment, how it starts, and how it ends."""

import contextlib
import errno
import io
import json
import logging
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import httpx
import pytest

from quet import __version__
from quet.cli.main import main
from quet.core.errors import BadParameter
from quet.core.files import locked
from quet.web import serve
from quet.web.errors import TooMany
from quet.web.limits import Limiter
from quet.web.log import JsonFormatter, Lines
from quet.web.metrics import FOLDER
from quet.web.new_games import SeatPlan, SetUp
from quet.web.settings import Limits, Settings
from quet.web.storage.database import Database
from quet.web.storage.serving import alone
from quet.web.storage.store import Store
from quet.web.visitors import Visitor

from . import postgresql
from .serving import PATIENCE, UNLIMITED, Server, free_port, wait_for

NONE = Limits(**dict.fromkeys((name.removeprefix("QUET_LIMIT_").lower() for name in UNLIMITED), 0))


def settings(folder: Path, **environment: str) -> Settings:
    return Settings.from_environment({"QUET_DATA": str(folder), **environment})


def test_the_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    first = settings(tmp_path / "new" / "folder")
    assert settings(tmp_path / "new" / "folder").secret_key == first.secret_key
    assert settings(tmp_path / "other").secret_key != first.secret_key
    file = tmp_path / "new" / "folder" / "secret-key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [each.name for each in file.parent.iterdir()] == ["secret-key"]
    assert first.secret_key not in repr(first)


def test_the_sqlite_file_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "quet.db"

    def modes() -> set[int]:
        return {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}

    for _ in range(2):
        database = Database(f"sqlite:///{file}")
        database.upgrade()
        with database.write():
            assert len(list(tmp_path.iterdir())) == 3 and modes() == {0o600}
        file.chmod(0o644)  # as older versions left it
        database.close()


def test_processes_that_start_at_once_agree_on_the_key(tmp_path: Path) -> None:
    keys = []
    threads = [threading.Thread(target=lambda: keys.append(settings(tmp_path).secret_key)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 8 and len(set(keys)) == 1


def test_the_environment_says_where_the_database_is(tmp_path: Path) -> None:
    assert settings(tmp_path).database_url == f"sqlite:///{tmp_path}/quet.db"
    there = settings(tmp_path, QUET_DATABASE_URL="postgresql://ann:secret@db/quet").database_url
    assert there == "postgresql+psycopg://ann:secret@db/quet"
    assert settings(tmp_path, QUET_LIMIT_MOVES="7").limits.moves == 7


@pytest.mark.parametrize(
    "environment",
    [
        {"QUET_DATABASE_URL": "mysql://x"},
        {"QUET_DATABASE_URL": "quet.db"},
        {"QUET_SECRET_KEY": "short"},
        {"QUET_LIMIT_MOVES": "many"},
        {"QUET_LIMIT_MOVES": "-1"},
        {"QUET_COMPUTERS": "0"},
        {"QUET_COMPUTER_SECONDS": "1e9"},
        {"QUET_HOSTS": "https://quet.example"},
        {"QUET_HOSTS": "quet.example:8000"},
        {"QUET_HOSTS": ","},
        {"QUET_HOSTS": " "},
        {"QUET_METRICS_TOKEN": "short"},
        {"QUET_METRICS_TOKEN": "not a token, but a sentence"},
        {"QUET_PROXIES": "*"},
        {"QUET_PROXIES": "10.0.0.1/8"},
        {"FORWARDED_ALLOW_IPS": "*"},
        {"FORWARDED_ALLOW_IPS": "proxy"},
    ],
)
def test_a_setting_that_cannot_be_is_told_in_a_sentence(tmp_path: Path, environment: dict[str, str]) -> None:
    with pytest.raises(BadParameter, match=r"\.$") as told:
        settings(tmp_path, **environment)
    (name,) = environment
    assert str(told.value).startswith(name) and ("* isn't taken" in str(told.value)) == ("*" in environment.values())


def test_the_settings_that_a_module_names_are_those_that_it_reads(tmp_path: Path) -> None:
    from quet.web import settings as module

    asked = []

    class Asked(dict[str, str]):
        def get(self, name: str, default: object = None) -> object:  # type: ignore[override]
            asked.append("QUET_LIMIT_..." if name.startswith("QUET_LIMIT_") else name)
            return super().get(name, default)

    Settings.from_environment(Asked(QUET_DATA=str(tmp_path)))
    named = {
        line.split()[0] for line in (module.__doc__ or "").splitlines() if line.startswith(("    QUET_", "    FORW"))
    }
    assert set(asked) == named


@pytest.mark.parametrize(
    ("words", "environment"),
    [
        (["--port", "0"], {}),
        (["--port", "http"], {}),
        (["--workers", "0"], {}),
        (["--host", "256.1.1.1"], {}),
        (["--host", "no such host"], {}),
        ([], {"QUET_DATABASE_URL": "sqlite:////no/such/folder/quet.db"}),
        ([], {"QUET_DATABASE_URL": "postgresql://ann:hush-hush@127.0.0.1:1/quet"}),
        ([], {"QUET_DATABASE_URL": "postgresql://ann:hush-hush@host:port/quet"}),
        ([], {"QUET_DATABASE_URL": "postgresql://ann:hush-hush@[::/quet"}),
        ([], {"QUET_DATABASE_URL": "sqlite:///:memory:"}),
        ([], {"QUET_DATABASE_URL": "sqlite://"}),
        ([], {"QUET_DATA": "/dev/null/quet"}),
    ],
)
def test_what_cannot_be_served_is_told_in_one_sentence(
    words: list[str],
    environment: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in ({"QUET_DATA": str(tmp_path)} | environment).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("QUET_WORKERS", "1")  # which the command sets
    assert main(["serve", *words]) == 2
    told = capsys.readouterr().err
    assert told.startswith("quet: ") and told.count("\n") == 1 and "hush-hush" not in told
    assert not re.search(r"Errno|\\n|invalid literal", told)  # words of Python


def test_a_key_that_cannot_be_read_is_told_in_a_sentence(tmp_path: Path) -> None:
    key = tmp_path / "secret-key"
    key.write_bytes(b"\xff" * 40)
    with pytest.raises(BadParameter, match=r"is damaged\. Put .*delete the file, .* then loses it\.$"):
        settings(tmp_path)
    key.unlink()
    key.mkdir()
    with pytest.raises(BadParameter, match=r"secret-key can't be read or made: Is a directory\.$"):
        settings(tmp_path)


def test_a_port_that_is_taken_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QUET_DATA", str(tmp_path))
    monkeypatch.setenv("QUET_WORKERS", "1")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["serve", "--port", str(taken.getsockname()[1])]) == 2
    assert "can't be served" in capsys.readouterr().err
    assert main(["serve", "--host", ""]) == 2
    assert capsys.readouterr().err.startswith("quet: '', port 8000, can't be served: ")


def test_a_second_server_on_one_sqlite_file_says_so_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would hear nothing of what the first one writes."""
    monkeypatch.setenv("QUET_DATA", str(tmp_path))
    monkeypatch.setenv("QUET_WORKERS", "1")
    served: list[Path] = []

    def note(*_: object) -> int:
        served.append(tmp_path)
        return 0

    monkeypatch.setattr(serve, "_serve", note)
    database = Database(f"sqlite:///{tmp_path / 'quet.db'}")
    with alone(database):
        assert main(["serve", "--port", str(free_port())]) == 2
        told = capsys.readouterr().err
        assert "Another `quet serve` serves" in told and told.count("\n") == 1 and not served
    assert main(["serve", "--port", str(free_port())]) == 0 and served
    linked = tmp_path / "linked.db"
    linked.symlink_to(tmp_path / "quet.db")
    with alone(database), pytest.raises(BadParameter), alone(Database(f"sqlite:///{linked}")):
        pass
    assert stat.S_IMODE((tmp_path / "quet.db.lock").stat().st_mode) == 0o600


def test_a_server_that_runs_has_its_sqlite_file_alone(server: Server) -> None:
    database = Database(server.environment["QUET_DATABASE_URL"])
    with pytest.raises(BadParameter, match="Another"), alone(database):
        pass
    server.process.kill()
    server.process.wait()
    with alone(database):
        pass


def test_server_processes_end_with_the_one_that_started_them_and_nobody_else_serves_their_file_before(
    tmp_path: Path, sqlite_url: str
) -> None:
    server = Server(tmp_path, sqlite_url, "--workers", "2")
    workers = [child for child in postgresql.children(server.process.pid) if is_worker(child)]
    assert len(workers) == 2
    database = Database(sqlite_url)
    lock = Path(str(database.url.database)).name + ".lock"
    try:
        wait_for(lambda: all(has_open(worker, lock) for worker in workers), "both server processes")
        os.kill(workers[0], signal.SIGSTOP)
        server.process.kill()
        server.process.wait()
        wait_for(lambda: not is_worker(workers[1]), "the end of a server process")
        with pytest.raises(BadParameter, match="Another"), alone(database):
            pass
        os.kill(workers[0], signal.SIGCONT)
        wait_for(lambda: not is_worker(workers[0]), "the end of the other")
        with alone(database):
            pass
        assert "Traceback" not in server.log.read_text()
    finally:
        for worker in filter(is_worker, workers):
            os.kill(worker, signal.SIGKILL)
        server.stop()


@pytest.mark.skipif(sys.platform == "win32", reason="a lock there isn't shared")
def test_what_killed_programs_measured_goes_and_that_of_others_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv(FOLDER, "")
    left, other, elsewhere = (tmp_path / name for name in ("quet-metrics-1", "quet-metrics-2", "mine"))
    for folder in (left, other, elsewhere):
        folder.mkdir()
        (folder / "counter_1.db").touch()
    (tmp_path / "quet-metrics-1.lock").touch()
    (tmp_path / "quet-metrics-3").symlink_to(elsewhere)
    (tmp_path / "quet-metrics-4").mkdir()  # the server that has it may have lost its lock to who cleans up here
    stays = {"quet-metrics-2", "quet-metrics-2.lock", "quet-metrics-3", "quet-metrics-4", "mine"}
    with locked(other), serve._measuring_folder(2):
        ours = Path(os.environ[FOLDER])
        assert stat.S_IMODE(ours.stat().st_mode) == 0o700
        with serve._measuring_folder(2):  # of another server
            pass
        assert {each.name for each in tmp_path.iterdir()} == stays | {ours.name, f"{ours.name}.lock"}
    assert {each.name for each in tmp_path.iterdir()} == stays
    assert (other / "counter_1.db").exists() and (elsewhere / "counter_1.db").exists()


def test_a_process_of_the_site_has_one_thread_of_numpys_library(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one for each processor, a machine with many has more threads than its service may have."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    server = Server(tmp_path, sqlite_url, "--workers", "2")
    try:
        workers = list(filter(is_worker, postgresql.children(server.process.pid)))
        assert len(workers) == 2
        for worker in workers:
            assert b"OPENBLAS_NUM_THREADS=1" in Path(f"/proc/{worker}/environ").read_bytes().split(b"\0")
    finally:
        server.stop()
    # NumPy looks when it is imported.
    program = "import sys, quet.cli.main, quet.web.serve; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_server_process_that_dies_in_an_outage_comes_back_with_the_database(
    tmp_path: Path, postgresql_copy_url: str
) -> None:
    server = Server(tmp_path, postgresql_copy_url, "--workers", "2")

    def workers() -> list[int]:
        return [child for child in postgresql.children(server.process.pid) if is_worker(child)]

    def in_log(text: str) -> int:
        return server.log.read_text().count(text)

    try:
        wait_for(lambda: in_log("Application startup complete") == 2, "both server processes")
        with postgresql.away(postgresql_copy_url):
            os.kill(workers()[0], signal.SIGKILL)
            wait_for(lambda: in_log("A server process can't start yet: The database can't be opened") == 1, "another")
            for _ in range(3):
                assert httpx.get(f"{server.url}/lobby", timeout=PATIENCE).status_code == 503  # by the one that lives
        wait_for(lambda: in_log("Application startup complete") == 3, "the one that waits")
        wait_for(lambda: httpx.get(f"{server.url}/ready", timeout=PATIENCE).status_code == 200, "the database")
        with postgresql.away(postgresql_copy_url):
            os.kill(workers()[0], signal.SIGKILL)
            wait_for(lambda: in_log("A server process can't start yet") == 2, "another")
            server.process.terminate()  # which ends those that wait too
            assert server.process.wait(PATIENCE) == 0
        assert "Traceback" not in server.log.read_text()
    finally:
        server.stop()


def test_a_server_that_gives_up_since_its_processes_cannot_start_says_so_by_its_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUET_DATA", str(tmp_path))
    monkeypatch.setenv("QUET_WORKERS", "2")
    monkeypatch.setenv(FOLDER, "")  # which the command sets
    monkeypatch.setattr("uvicorn.Config.bind_socket", lambda config: None)
    for exits, status in (([-15, 0], 0), ([-15, serve.CANT_START], 1)):
        processes = [Mock(process=Mock(exitcode=each)) for each in exits]
        monkeypatch.setattr(serve, "Supervisor", lambda *_, found=processes: Mock(processes=found))
        assert main(["serve", "--workers", "2", "--port", str(free_port())]) == status


def has_open(process: int, name: str) -> bool:
    """Whether the process has a file of this name open."""
    with contextlib.suppress(FileNotFoundError):  # one that was closed meanwhile
        return any(each.readlink().name == name for each in Path(f"/proc/{process}/fd").iterdir())
    return False


def is_worker(process: int) -> bool:
    """Whether it is a server process that runs."""
    try:
        return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()  # nothing is left of one that has ended
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_nothing_of_the_site_is_imported_by_another_command() -> None:
    code = (
        "import sys; from quet.cli.main import main; main(['games']); print(any('quet.web' in m for m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_a_server_says_how_it_is_and_logs_lines_of_json(server: Server) -> None:
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        health = client.get("/health")
        assert health.json() == {"status": "ok", "database": "sqlite", "schema": "0011", "version": __version__}
        assert client.get("/nothing?secret=1").status_code == 404
    wait_for(lambda: '"status": 404' in server.log.read_text(), "the log")
    lines = server.log.read_text().splitlines()
    told = [json.loads(line) for line in lines if line.startswith("{")]
    assert len(told) >= len(lines) - 1  # one tells people where the site is
    last = [line for line in told if "path" in line][-1]
    assert (last["method"], last["path"], last["status"]) == (
        "GET",
        "-",
        404,
    ) and "secret" not in server.log.read_text()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_says_where_it_is_when_it_listens(tmp_path: Path, sqlite_url: str, workers: str) -> None:
    port = free_port()
    environment = os.environ | {"QUET_DATA": str(tmp_path), "QUET_DATABASE_URL": sqlite_url, "QUET_PREPARE": "0"}
    words = [sys.executable, "-m", "quet", "serve", "--port", str(port), "--workers", workers]
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == f"Quet is at http://127.0.0.1:{port}/ (Ctrl-C ends it)\n"
            socket.create_connection(("127.0.0.1", port)).close()
        finally:
            process.terminate()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
def test_a_site_is_served_though_nothing_can_be_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr("sys.stdout", full)
        serve._greet(Mock(host="::", port=8000))


def test_the_log_has_one_object_a_line_after_a_full_disk() -> None:
    class Disk(io.StringIO):
        is_full = False

        def write(self, text: str) -> int:
            if self.is_full:
                super().write(text[:20])
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(text)

    disk = Disk()
    handler = Lines(disk)
    handler.setFormatter(JsonFormatter())
    for number, is_full in enumerate((False, True, True, False, False)):
        disk.is_full = is_full
        handler.handle(logging.makeLogRecord({"name": "quet", "msg": f"line {number}"}))
    told = [json.loads(line) for line in disk.getvalue().splitlines() if line.endswith("}")]
    assert [line["message"] for line in told] == ["line 0", "line 3", "line 4"]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (signal.SIGTERM, ()),
        pytest.param(signal.SIGINT, (), marks=pytest.mark.long),
        pytest.param(signal.SIGTERM, ("--workers", "2"), marks=pytest.mark.long),
    ],
)
def test_a_server_that_is_told_to_end_ends_its_streams_first(
    tmp_path: Path, sqlite_url: str, number: int, words: tuple[str, ...]
) -> None:
    server = Server(tmp_path, sqlite_url, *words)
    try:
        database = Database(sqlite_url)
        match = Store(database).create(SetUp("palindromes", {}, (SeatPlan(), SeatPlan())), "ann", time.time())
        database.close()
        with httpx.stream("GET", f"{server.url}/play/{match.id}/events", timeout=PATIENCE) as answer:
            lines = answer.iter_lines()
            assert next(lines) == "retry: 1000" and "content-encoding" not in answer.headers  # zipped, it would wait
            assert "\nquet_event_streams 1.0\n" in httpx.get(f"{server.url}/metrics", timeout=PATIENCE).text  # of all
            os.kill(server.process.pid, number)
            assert list(lines) == [""]  # and it ends as it should: httpx would raise otherwise
        server.process.wait(PATIENCE)
        assert "Traceback" not in server.log.read_text()
    finally:
        server.stop()


def test_a_computers_move_survives_the_death_of_the_server(tmp_path: Path, sqlite_url: str) -> None:
    server = Server(tmp_path, sqlite_url)
    try:
        server.process.kill()
        server.process.wait()
        database = Database(sqlite_url)
        store = Store(database)
        match = store.create(SetUp("palindromes", {"m": "4"}, (SeatPlan("random"), SeatPlan())), "ann", time.time())
        assert store.claim_computer_move(time.time(), 1.0) is not None
        server.start()
        wait_for(lambda: store.load(match.id).game.ply == 1, "the computer's move")
        database.close()
    finally:
        server.stop()


def test_limits_count_by_the_minute_for_visitors_and_addresses() -> None:
    limiter = Limiter(replace(NONE, moves=2, address_moves=3))
    ann, bob = Visitor("ann", ""), Visitor("bob", "")
    for who in (ann, ann, bob):
        limiter.check("moves", who, "1.2.3.4", 600.0)
    for who, address in ((ann, "5.6.7.8"), (bob, "1.2.3.4")):
        with pytest.raises(TooMany):
            limiter.check("moves", who, address, 659.0)
    limiter.check("moves", bob, "5.6.7.8", 659.0)
    limiter.check("games", ann, "1.2.3.4", 659.0)
    limiter.check("moves", ann, "1.2.3.4", 660.0)


@pytest.mark.parametrize("proxies", ["", "127.0.0.0/8"])
def test_only_a_proxy_that_is_named_says_whom_it_speaks_for(tmp_path: Path, sqlite_url: str, proxies: str) -> None:
    server = Server(tmp_path, sqlite_url, QUET_PROXIES=proxies, QUET_LIMIT_ADDRESS_PAGES="2")
    try:
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
            statuses = []
            for k in range(5):  # more than an address may ask for in two minutes: another may begin meanwhile
                told = {"X-Forwarded-For": f"203.0.113.7, 192.0.2.{k}", "X-Forwarded-Proto": "https"}
                answer = client.get("/lobby", headers=told)
                client.cookies.clear()
                statuses.append(answer.status_code)
                assert ("strict-transport-security" in answer.headers) == bool(proxies)
        assert statuses == [200] * 5 if proxies else 429 in statuses
    finally:
        server.stop()
