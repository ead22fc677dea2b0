"""Another process compiles, and who waits for it can stop waiting."""

import io
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from quet.core import clock as clocks
from quet.core.errors import NotCompiled
from quet.engine import beside, cache, playouts
from quet.engine.compiled import Wanted

WANTED = Wanted(playouts, (("rules", playouts),), "play", ())


class Begun:
    """A process that answers with the replies that a test has set, and then with nothing."""

    all: list["Begun"] = []  # noqa: RUF012 - shared
    replies = b""

    def __init__(self, command: list[str], **options: object) -> None:
        self.command, self.stdin, self.stdout = command, io.BytesIO(), io.BytesIO(self.replies)
        self.num_killed = 0
        self.all.append(self)

    def kill(self) -> None:
        """Count."""
        self.num_killed += 1

    def wait(self) -> None:
        """It has ended."""


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Begun]:
    """The processes that are started, which are none."""
    Begun.all, Begun.replies = [], b""
    monkeypatch.setattr(subprocess, "Popen", Begun)
    monkeypatch.setattr(beside, "_left", [])
    return Begun.all


def test_a_function_is_asked_for_once_and_told_when_it_is_kept(begun: list[Begun]) -> None:
    said: list[str] = []
    Begun.replies = b"kept\nnot kept\n"
    compiler = beside.Beside(float("inf"), lambda: said.append("begun"))
    assert compiler.compile(WANTED)
    assert not compiler.compile(WANTED)
    (process,) = begun
    process.stdin.seek(0)
    pickle.load(process.stdin)  # where modules are found
    assert pickle.load(process.stdin) == WANTED and said == ["begun"]
    assert not compiler.compile(WANTED)  # the process has ended, so this one must compile


def test_nothing_is_begun_when_the_time_is_over(begun: list[Begun]) -> None:
    with pytest.raises(NotCompiled):
        beside.Beside(clocks.clock()).compile(WANTED)
    assert not begun


def test_the_wait_ends_with_the_time_and_the_process_goes_on(
    begun: list[Begun], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter(range(100))
    monkeypatch.setattr(beside, "clock", lambda: next(looks))
    monkeypatch.setattr(beside, "LOOK", 0.001)
    monkeypatch.setattr(beside.Beside, "_listen", lambda self, process: None)
    compiler = beside.Beside(10.0)
    with pytest.raises(NotCompiled):
        compiler.compile(WANTED)
    assert next(looks) == 11
    compiler.close()
    assert (
        begun[0].stdin.closed and len(beside._left) == 1 and not begun[0].num_killed
    )  # it ends when it has compiled what it is at


def test_what_would_not_be_kept_is_given_up(begun: list[Begun], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache._Temporary, "name", str(cache.cache_folder()))
    Begun.replies = b"kept\n"
    compiler = beside.Beside(float("inf"))
    assert compiler.compile(WANTED)
    compiler.close()
    assert begun[0].num_killed == 1 and not beside._left


def test_what_cannot_be_told_to_another_process_is_compiled_here(begun: list[Begun]) -> None:
    assert not beside.Beside(float("inf")).compile(Wanted(playouts, (("rules", lambda: None),), "play", ()))
    assert not begun


def test_a_line_that_somebody_else_prints_is_no_reply(begun: list[Begun]) -> None:
    Begun.replies = b"debug: rules loaded\nkept\n"
    assert beside.Beside(float("inf")).compile(WANTED)


def test_the_process_replies_alone_where_a_module_prints(tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text("print('debug: rules loaded', flush=True)\n")
    program = "import sys, quet.engine.beside as beside, noisy; from quet.engine.compiled import Wanted\n"
    program += "asked = beside._pickled(list(sys.path)) + beside._pickled(Wanted(noisy, (), 'nothing', ()))\n"
    program += "sys.stderr.buffer.write(asked)"
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    asked = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, check=True).stderr
    said = subprocess.run([sys.executable, "-m", "quet.engine.beside"], input=asked, capture_output=True, check=True)
    assert (said.stdout, said.stderr) == (b"not kept\n", b"debug: rules loaded\n")
