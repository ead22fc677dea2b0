"""Parts of work, whoever does them and in whatever order they are finished."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import pytest

import quet
import working
from quet.core.errors import QuetError
from quet.distribution import parts as parts_module
from quet.distribution import workers as workers_module
from quet.distribution.parts import MOST_LOSSES, done
from quet.distribution.task import Answer, Task
from quet.distribution.workers import Processes, Sent
from quet.solving.ask import answer
from waiting import wait_until

LONG = 300.0  # seconds that anything may take on a busy machine


class Shuffled(Executor):
    """Does its parts in this process when somebody waits for them: the last first, or in any other order."""

    def __init__(self, seed: int) -> None:
        self._order = random.Random(seed)
        self._waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
        self._is_here = threading.Event()
        threading.Thread(target=self._work, daemon=True).start()

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append((future, lambda: function(*arguments, **named)))
        self._is_here.set()
        return future

    def _work(self) -> None:
        while True:
            self._is_here.wait()
            time.sleep(0.01)  # so that there is something to choose from
            while self._waiting:
                future, call = self._waiting.pop(self._order.randrange(len(self._waiting)))
                if future.set_running_or_notify_cancel():
                    future.set_result(call())
            self._is_here.clear()


class FarWorkers:
    """Workers that an executor of these tests stands for."""

    count = 1
    seconds_here = 0.0
    code = ""
    are_far = False

    def __init__(self, executor: Executor, most_sent: int = 1) -> None:
        self.executor = executor
        self.most_sent = most_sent

    def look(self) -> None:
        pass

    def begin_again(self, error: BaseException) -> bool:
        return isinstance(error, BrokenExecutor)

    def drop(self, futures: Iterable[Sent]) -> None:
        for future in futures:
            future.cancel()

    def close(self) -> None:
        pass


@pytest.fixture
def processes() -> Iterator[Processes]:
    """Two processes that are sent every part."""
    made = Processes(2)
    made.seconds_here = 0.0
    yield made
    made.close()


def squares(numbers: Iterable[int], *more: Any) -> dict[str, tuple[Any, ...]]:
    return {f"square of {number}": (number, *more) for number in numbers}


def is_alive(process: int) -> bool:
    try:
        return b"\nState:\tZ" not in Path(f"/proc/{process}/status").read_bytes()
    except (FileNotFoundError, ProcessLookupError):  # it may end before its file is opened, or read
        return False


def test_small_work_needs_no_other_process() -> None:
    task = Task()
    found = dict(done(task, working.square, squares(range(100)), "squares"))
    assert found == {f"square of {number}": number * number for number in range(100)} == task.notes
    assert task.workers._pool is None  # type: ignore[attr-defined]


def test_long_work_goes_to_other_processes_which_are_kept(processes: Processes) -> None:
    task = Task(workers=processes)
    first = dict(done(task, working.slow_square, squares(range(4), 0.2), "squares"))
    second = dict(done(task, working.slow_square, squares(range(4, 8), 0.2), "squares"))
    assert {name: square for name, (square, _) in (first | second).items()} == {
        f"square of {number}": number * number for number in range(8)
    }
    who = {process for _, process in (first | second).values()}
    assert os.getpid() not in who
    assert 1 <= len(who) <= 2


def test_what_is_noted_is_given_first_and_not_done_again(processes: Processes) -> None:
    for kind in (Processes(), processes):
        task = Task(notes={"square of 3": 99}, workers=kind)
        found = list(done(task, working.square, squares(range(5)), "squares"))
        assert found[0] == ("square of 3", 99)
        assert sorted(name for name, _ in found) == sorted(squares(range(5)))


def test_parts_that_are_not_wanted_any_more_are_not_done(processes: Processes) -> None:
    for kind in (Processes(), processes):
        task = Task(workers=kind)
        wanted = set(squares(range(200)))
        for name, _ in done(task, working.slow_square, squares(range(200), 0.01), "squares", wanted):
            if name == "square of 1":
                wanted &= {"square of 7"}
        assert "square of 7" in task.notes
        assert len(task.notes) < 100


def test_what_is_not_wanted_after_a_part_that_was_noted_is_not_begun() -> None:
    wanted, begun = {"a", "b", "c"}, list[str]()

    def part(name: str, seconds: float | None) -> int:
        begun.append(name)
        return 1

    for _ in done(Task(notes={"a": 1}), part, {name: (name,) for name in "abc"}, "parts", wanted):
        wanted.discard("b")
    assert begun == ["c"]


def test_parts_are_done_here_for_a_while_and_then_by_workers() -> None:
    workers = FarWorkers(Shuffled(1))
    workers.seconds_here = 0.05

    def who(number: int, seconds: float | None) -> bool:
        time.sleep(0.02)
        return threading.current_thread() is threading.main_thread()

    are_here = dict(done(Task(workers=workers), who, squares(range(9)), "squares"))
    assert are_here["square of 0"] and not are_here["square of 8"]


def test_the_time_ends_parts_and_they_are_not_noted(processes: Processes) -> None:
    for kind in (Processes(1), Processes(2), processes):
        task = Task(seconds=1.5, workers=kind)
        begun = time.monotonic()
        assert list(done(task, working.slow_square, squares(range(9), LONG), "squares")) == []
        assert time.monotonic() - begun < LONG / 2
        assert task.notes == {}
        kind.close()


def test_the_parts_of_a_worker_that_is_killed_are_done_again(processes: Processes, tmp_path: Path) -> None:
    task = Task(workers=processes)
    work = squares(range(8), 3, str(tmp_path / "flag"))
    assert dict(done(task, working.square_of_a_mortal, work, "squares")) == {
        f"square of {number}": number * number for number in range(8)
    }
    assert (tmp_path / "flag").exists()


def test_a_part_that_kills_whoever_does_it_is_a_sentence_and_the_others_are_noted(processes: Processes) -> None:
    task = Task(workers=processes)
    with pytest.raises(QuetError, match="Workers have ended 6 times"):
        list(done(task, working.square_of_a_mortal, squares(range(4), 3, ""), "squares"))
    assert set(task.notes) <= {"square of 0", "square of 1", "square of 2"}


class Dying(Executor):
    """Loses its worker at every other part."""

    def __init__(self) -> None:
        self.losses = 0
        self._is_dying = False

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._is_dying = not self._is_dying
        if self._is_dying:
            self.losses += 1
            future.set_exception(BrokenExecutor())
        else:
            future.set_result(function(*arguments, **named))
        return future


def test_workers_may_end_often_as_long_as_parts_are_finished_in_between() -> None:
    workers = FarWorkers(Dying())
    found = dict(done(Task(workers=workers), working.square, squares(range(3 * MOST_LOSSES)), "squares"))
    assert found == {f"square of {number}": number * number for number in range(3 * MOST_LOSSES)}
    assert workers.executor.losses == 3 * MOST_LOSSES  # type: ignore[attr-defined]


class Collapsing(Executor):
    """Loses the first parts, so many, all at once."""

    def __init__(self, num_lost: int) -> None:
        self._num_lost = num_lost
        self._lost: list[Future[Any]] = []

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if len(self._lost) == self._num_lost:
            future.set_result(function(*arguments, **named))
            return future
        self._lost.append(future)
        for lost in self._lost if len(self._lost) == self._num_lost else ():
            lost.set_exception(BrokenExecutor())
        return future


def test_parts_that_are_lost_together_are_one_loss() -> None:
    num = 2 * MOST_LOSSES
    workers = FarWorkers(Collapsing(num), most_sent=num)
    found = dict(done(Task(workers=workers), working.square, squares(range(num)), "squares"))
    assert found == {f"square of {number}": number * number for number in range(num)}


def test_parts_under_way_that_are_not_wanted_any_more_are_not_used() -> None:
    task, wanted = Task(workers=FarWorkers(Collapsing(0), most_sent=3)), set(squares(range(3)))
    for _ in done(task, working.square, squares(range(3)), "squares", wanted):
        wanted.discard("square of 1")
    assert list(task.notes) == ["square of 0", "square of 2"]


class Late(Executor):
    """Begins each part when it has waited for a while, as in the queue of a cluster."""

    def __init__(self, wait: float) -> None:
        self._wait = wait

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        timer = threading.Timer(self._wait, lambda: future.set_result(function(*arguments, **named)))
        timer.daemon = True
        timer.start()
        return future


def test_a_part_that_has_waited_in_a_queue_gets_the_time_that_is_left_and_none_where_none_is() -> None:
    given = []

    def part(seconds: float | None) -> float:
        assert seconds is not None
        given.append(seconds)
        return seconds

    assert list(done(Task(seconds=LONG, workers=FarWorkers(Late(0.2))), part, {"a": ()}, "parts")) == [("a", *given)]
    assert 0 < given[0] <= LONG - 0.2
    assert list(done(Task(seconds=0.1, workers=FarWorkers(Late(0.3))), part, {"a": ()}, "parts")) == []
    assert len(given) == 1


def test_while_no_part_is_finished_notes_are_saved_and_workers_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts_module, "LOOK", 0.01)
    monkeypatch.setattr(parts_module, "SILENCE", 0.0)
    workers, calls = FarWorkers(Late(0.3)), list[str]()
    monkeypatch.setattr(workers, "look", lambda: calls.append("look"))
    task = Task(workers=workers, save=lambda: calls.append("save"))
    assert dict(done(task, working.square, squares([4]), "squares")) == {"square of 4": 16}
    assert "look" in calls and calls.count("save") > 1  # once when the part is noted


class Silent(Executor):
    """Ends its part long after the time."""

    def __init__(self) -> None:
        self.sent: Future[Any] = Future()
        self.timer = threading.Timer(20.0, lambda: self.sent.set_result((None, "")))

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        self.timer.start()
        return self.sent


def test_a_part_that_goes_on_when_the_time_is_over_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts_module, "GRACE", 0.1)
    silent = Silent()
    assert list(done(Task(seconds=0.1, workers=FarWorkers(silent)), working.square, squares([4]), "squares")) == []
    silent.timer.cancel()
    assert silent.sent.cancelled()


def test_an_error_in_a_part_is_told(processes: Processes) -> None:
    with pytest.raises(QuetError, match="There is no 5"):
        list(done(Task(workers=processes), working.refusal, squares([5]), "squares"))
    with pytest.raises(ZeroDivisionError):
        list(done(Task(workers=processes), working.bug, squares([5]), "squares"))


def test_who_stops_asking_leaves_nothing_running(processes: Processes, tmp_path: Path) -> None:
    task = Task(workers=processes)
    flag = tmp_path / "who"
    work = {"a": (1, str(flag)), "b": (2, str(tmp_path / "other"))}
    with pytest.raises(KeyboardInterrupt):
        signal_when_written(flag)
        list(done(task, working.forever, work, "parts"))
    wait_until(lambda: not is_alive(int(flag.read_text())))
    assert dict(done(task, working.square, squares([4]), "squares")) == {"square of 4": 16}


def signal_when_written(flag: Path) -> None:
    """Press Ctrl-C when the file is there."""

    def press() -> None:
        wait_until(lambda: flag.exists() and flag.read_text() != "")
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()


def test_workers_end_with_the_process_that_sends_them_parts(tmp_path: Path) -> None:
    flags = [tmp_path / "first", tmp_path / "second"]
    program = f"""
import sys
sys.path.insert(0, {str(Path(working.__file__).parent)!r})
import working
from quet.distribution.parts import done
from quet.distribution.task import Task
from quet.distribution.workers import Processes, Sent
if __name__ == "__main__":
    task = Task(workers=Processes(2))
    task.workers.seconds_here = 0.0
    list(done(task, working.forever, {{"a": (1, {str(flags[0])!r}), "b": (2, {str(flags[1])!r})}}, "parts"))
"""
    (tmp_path / "program.py").write_text(program)
    process = subprocess.Popen([sys.executable, str(tmp_path / "program.py")])
    wait_until(lambda: process.poll() is not None or all(flag.exists() and flag.read_text() != "" for flag in flags))
    assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_until(lambda: not any(is_alive(int(flag.read_text())) for flag in flags))


def solved(id: str, task: Task, **parameters: int) -> Answer:
    game = quet.new(id, **parameters)
    return answer(game.entry, game.state, task)


@pytest.mark.parametrize(
    ("id", "parameters", "is_lowest"),
    [
        ("blob", {"n": 4}, False),
        ("blob", {"n": 5}, False),
        ("plusses-minuses", {"n": 5}, False),
        ("plusses-minuses", {"n": 5, "second_part_first": 2}, False),
        ("up-and-up", {"n": 8}, True),
        ("up-and-up", {"n": 8}, False),
    ],
    ids=str,
)
def test_the_answer_does_not_depend_on_the_order_in_which_parts_are_finished(
    id: str, parameters: dict[str, int], is_lowest: bool
) -> None:
    wanted = solved(id, Task(is_lowest=is_lowest, workers=Processes(1)), **parameters)
    for seed in (1, 2, 3):
        found = solved(id, Task(is_lowest=is_lowest, workers=FarWorkers(Shuffled(seed), most_sent=9)), **parameters)
        assert (found.low, found.high, found.value) == (wanted.low, wanted.high, wanted.value)
        assert (found.witness, found.best_moves) == (wanted.witness, wanted.best_moves)


def test_other_code_has_another_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = workers_module.code()
    assert here == workers_module.code()
    monkeypatch.setattr(workers_module, "__file__", str(tmp_path / "distribution" / "workers.py"))
    workers_module.code.cache_clear()
    try:
        assert workers_module.code() != here
    finally:
        workers_module.code.cache_clear()


class Ahead(Executor):
    """A worker whose clock is an hour ahead for so many parts."""

    def __init__(self, times: int) -> None:
        self.times = times

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        *first, until, code = arguments
        self.times -= 1
        future: Future[Any] = Future()
        future.set_result(function(*first, until - 3600.0 * (self.times >= 0), code))
        return future


def test_a_part_that_a_wrong_clock_gives_up_is_sent_again_and_not_for_ever() -> None:
    parts = squares(range(3))
    found = dict(done(Task(seconds=LONG, workers=FarWorkers(Ahead(20))), working.square, parts, "squares"))
    assert sorted(found.values()) == [0, 1, 4]
    with pytest.raises(QuetError, match="Their clocks must be right"):
        list(done(Task(seconds=LONG, workers=FarWorkers(Ahead(10**6))), working.square, parts, "squares"))


class AheadInTurns(Ahead):
    """A worker whose clock is an hour ahead for every other part."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        self.times = 1 if self.times < 0 else 0  # one less when it is sent
        return super().submit(function, *arguments, **named)


def test_a_wrong_clock_may_give_up_parts_as_long_as_others_are_finished_in_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parts_module, "MOST_EARLY", 3)
    task = Task(seconds=LONG, workers=FarWorkers(AheadInTurns(0)))
    assert len(dict(done(task, working.square, squares(range(9)), "squares"))) == 9
