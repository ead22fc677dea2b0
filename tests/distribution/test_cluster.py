"""Solves on a Dask cluster of a scheduler and two workers, each a process of its own, some of which die."""

import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import quet
import working
from conftest import without_progress
from quet.cli.main import main
from quet.core.errors import QuetError
from quet.distribution.parts import done
from quet.distribution.task import Answer, Task
from quet.distribution.workers import Cluster, Processes, WorkersWarning, code
from quet.solving.ask import answer
from waiting import wait_until

pytestmark = pytest.mark.long

LONG = 300.0  # seconds that anything may take on a busy machine
SOURCES = Path(quet.__file__).parent


class Processors:
    """A scheduler and its workers."""

    def __init__(self, folder: Path = SOURCES.parent) -> None:
        """Their modules are found in this folder first."""
        self._folders = [str(folder), str(Path(working.__file__).parent)]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self.scheduler = self._start("scheduler", "--host", self.address, "--no-dashboard", "--no-show")
        self.workers: list[subprocess.Popen[bytes]] = []
        wait_until(self._answers)

    def _answers(self) -> bool:
        """Whether the scheduler can be reached: on a busy machine it starts for longer than a solve waits for it."""
        host, _, port = self.address.removeprefix("tcp://").partition(":")
        with socket.socket() as client:
            return client.connect_ex((host, int(port))) == 0

    def add_worker(self) -> None:
        """Start a worker with one thread, and wait until the scheduler knows it."""
        import distributed

        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
        connect: Callable[..., Any] = distributed.Client
        with connect(self.address, set_as_default=False) as client:
            before = set(client.nthreads())
            self.workers.append(self._start("worker", self.address, *options))
            wait_until(lambda: not set(client.nthreads()) <= before)

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        setting = f"import sys; sys.path[:0] = {self._folders!r}; import dask.__main__; dask.__main__.main()"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen([sys.executable, "-c", setting, *words], **quiet)  # type: ignore[call-overload,no-any-return]

    def close(self) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
        for process in [*self.workers, self.scheduler]:
            process.wait()


@pytest.fixture(scope="module")
def processors() -> Iterator[list[Processors]]:
    """The cluster that tests share, as it takes seconds to start; empty before the first of them."""
    made: list[Processors] = []
    yield made
    for each in made:
        each.close()


@pytest.fixture
def cluster(processors: list[Processors]) -> Processors:
    """A cluster of a scheduler and two workers, with new processes where a test before has killed some."""
    code.cache_clear()  # the workers read the sources as they are now
    if not processors or processors[-1].scheduler.poll() is not None:
        processors.append(Processors())
    made = processors[-1]
    made.workers = [worker for worker in made.workers if worker.poll() is None]  # the first has work for certain
    while len(made.workers) < 2:
        made.add_worker()
    return made


def solved(id: str, task: Task, **parameters: int) -> Answer:
    game = quet.new(id, **parameters)
    return answer(game.entry, game.state, task)


def test_a_solve_loses_a_worker_in_the_middle_and_gives_the_same_answer(cluster: Processors) -> None:
    alone = solved("blob", Task(workers=Processes(1)), n=5)
    task = Task(workers=Cluster(cluster.address))

    def kill_one() -> None:
        if len(task.notes) == 10:
            cluster.workers[0].send_signal(signal.SIGKILL)

    task.save = kill_one
    found = solved("blob", task, n=5)
    task.workers.close()
    assert cluster.workers[0].wait(LONG) == -signal.SIGKILL
    assert found.is_proven
    assert (found.value, found.best_moves, found.witness) == (alone.value, alone.best_moves, alone.witness)
    assert 0 < found.nodes - sum(note[1] for name, note in task.notes.items() if name != "line") < 300  # first plies
    assert solved("blob", Task(notes=dict(task.notes)), n=5) == found


@pytest.mark.parametrize(
    ("id", "parameters"),
    [("palindromes", {"m": 17}), ("divisors-multiples", {"r": 18}), ("divisors-multiples", {"r": 15, "players": 3})],
    ids=str,
)
def test_a_table_that_loses_a_worker_in_the_middle_is_the_same(
    id: str, parameters: dict[str, int], cluster: Processors, tmp_path: Path
) -> None:
    alone = solved(id, Task(workers=Processes(1)), **parameters)
    task = Task(workers=Cluster(cluster.address), table=tmp_path / "kept.blocks")

    def kill_one() -> None:
        if len(task.notes) == 7:
            cluster.workers[0].send_signal(signal.SIGKILL)

    task.save = kill_one
    found = solved(id, task, **parameters)
    task.workers.close()
    assert cluster.workers[0].wait(LONG) == -signal.SIGKILL
    assert found == alone
    assert found.is_proven


def test_a_table_on_a_cluster_wants_a_file_that_all_see(
    cluster: Processors, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", "palindromes", "m=9", "--cluster", cluster.address]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (
        "quet: Workers of a cluster fill this table in a file that they all see: "
        "give --checkpoint FILE, in a folder that they share.\n"
    )


def test_every_part_is_done_once_by_one_of_two_workers(cluster: Processors) -> None:
    task = Task(workers=Cluster(cluster.address))
    parts = {f"square of {number}": (number, 0.05) for number in range(40)}
    found = dict(done(task, working.slow_square, parts, "squares"))
    task.workers.close()
    assert {name: square for name, (square, _) in found.items()} == {f"square of {i}": i * i for i in range(40)}
    assert {process for _, process in found.values()} <= {worker.pid for worker in cluster.workers}


def test_a_scheduler_that_is_killed_is_one_sentence_and_the_checkpoint_goes_on(
    cluster: Processors, tmp_path: Path
) -> None:
    file = tmp_path / "kept.json"
    command = [sys.executable, "-m", "quet", "solve", "plusses-minuses", "n=7", "--json"]
    process = subprocess.Popen(
        [*command, "--cluster", cluster.address, "--checkpoint", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: process.poll() is not None or (file.exists() and len(notes(file)) > 2))
    cluster.scheduler.send_signal(signal.SIGKILL)
    out, error = process.communicate(timeout=LONG)
    assert (process.returncode, out) == (2, "")
    # On a slow machine lines of progress come before it.
    assert error.splitlines()[-1] == f"quet: The scheduler of the cluster at {cluster.address} is gone."
    kept = notes(file)
    assert len(kept) > 2
    resumed = json.loads(
        subprocess.run([*command, "--resume", str(file)], check=True, capture_output=True, timeout=LONG).stdout
    )
    assert (resumed["value"], resumed["status"]) == (0, "proven")
    assert {name: note for name, note in notes(file).items() if name in kept} == kept
    assert 0 < resumed["nodes"] - sum(note[1] for name, note in notes(file).items() if name != "line") < 300


def notes(file: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(file.read_bytes())["notes"]
    return kept


def test_a_worker_with_other_code_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(SOURCES, tmp_path / "quet")
    with (tmp_path / "quet" / "games" / "blob" / "rules.py").open("a") as rules:
        rules.write("# another version\n")
    cluster = Processors(tmp_path)
    try:
        cluster.add_worker()
        assert main(["solve", "blob", "n=4", "--cluster", cluster.address]) == 2
    finally:
        cluster.close()
    error = capsys.readouterr().err
    assert f"A worker has Quet {quet.__version__} (" in error
    assert "all must have the same" in error
    assert len(without_progress(error).splitlines()) == 1


def test_the_time_ends_what_runs_on_a_cluster(cluster: Processors) -> None:
    task = Task(seconds=2.0, workers=Cluster(cluster.address))
    parts = {f"square of {number}": (number, LONG) for number in range(9)}
    begun = time.monotonic()
    assert list(done(task, working.slow_square, parts, "squares")) == []
    assert time.monotonic() - begun < LONG / 2
    again = Task(workers=task.workers)
    assert dict(done(again, working.square, {"square of 3": (3,)}, "squares")) == {"square of 3": 9}
    task.workers.close()


def test_a_scheduler_without_workers_is_told_once_and_one_that_comes_does_the_parts() -> None:
    cluster = Processors()
    try:
        command = [sys.executable, "-m", "quet", "solve", "blob", "n=4", "--cluster", cluster.address]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        first = process.stderr.readline()
        cluster.add_worker()
        out, error = process.communicate(timeout=LONG)
    finally:
        cluster.close()
    assert first == f"quet: The scheduler at {cluster.address} has no workers; the solve waits for one.\n"
    assert (process.returncode, without_progress(error)) == (0, "")
    assert "The value is 0, proven" in out


def test_that_all_workers_have_ended_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.distribution.parts.SILENCE", 0.5)
    cluster = Processors()
    cluster.add_worker()
    task = Task(workers=Cluster(cluster.address))

    def kill_the_first_and_start_another_when_it_is_told() -> None:
        if len(task.notes) == 3 and len(cluster.workers) == 1:
            cluster.workers[0].kill()
        if told and len(cluster.workers) == 1:
            cluster.add_worker()

    task.save = kill_the_first_and_start_another_when_it_is_told
    parts = {f"square of {number}": (number, 0.1) for number in range(9)}
    try:
        assert list(done(Task(workers=task.workers), working.square, {"square of 3": (3,)}, "squares"))
        with pytest.warns(WorkersWarning, match="has no workers") as told:
            found = dict(done(task, working.slow_square, parts, "squares"))
        task.workers.close()
    finally:
        cluster.close()
    assert (len(found), len(told)) == (9, 1)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "127.0.0.1:1", "nonsense", "http://127.0.0.1:1", "tcp://"])
def test_where_no_scheduler_answers_is_one_sentence(
    address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quet.distribution.workers.CONNECTING", 0.5)
    assert main(["solve", "blob", "n=4", "--cluster", address]) == 2
    printed = capsys.readouterr()
    assert printed.err == f"quet: No scheduler of a Dask cluster answers at {address}.\n"
    assert printed.out == ""


def test_nonsense_for_an_address_is_one_sentence_of_the_whole_program() -> None:
    """Dask and its event loop print much more by themselves, some of it when the program ends."""
    addresses = ("nonsense", "foo://bar:1", "tcp://a:b")
    program = f"""
from quet.cli.main import main
assert [main(["solve", "blob", "n=4", "--cluster", address]) for address in {addresses}] == [2, 2, 2]
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LONG)
    expected = [f"quet: No scheduler of a Dask cluster answers at {address}." for address in addresses]
    assert (without_progress(ended.stderr).splitlines(), ended.stdout, ended.returncode) == (expected, "", 0)


def test_without_dask_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(QuetError, match=r"pip install 'quet\[cluster\]'"):
        solved("blob", Task(workers=Cluster("tcp://127.0.0.1:1")), n=4)
