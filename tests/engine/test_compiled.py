"""The traps of compiling: each must end with the right code, and at worst a warning."""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import pytest

from quet.core.files import waited_for
from quet.engine import cache, compiled

FORKS = """
import json, os, sys, traceback
import numba, numpy
numba.njit(lambda a: len(a) + 1)(numpy.zeros(1))  # Numba loads most of itself now
import quet.engine.compiled
for line in sys.stdin:
    program, folder, environment = json.loads(line)
    child = os.fork()
    if not child:
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(f"{folder}/{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.path.insert(0, folder)
        os.environ.update(environment)
        try:
            exec(program, {"__name__": "__main__"})
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        sys.stdout.flush()
        os._exit(0)
    print(os.waitpid(child, 0)[1], flush=True)
"""

PROGRAM = """
import warnings, sys
import numpy as np
from quet.engine.compiled import compiled
from trapped import search, first_rules, second_rules
print(*[compiled(search, rules=rules).answer(np.zeros(1)) for rules in (first_rules, second_rules)])
"""

TOLD = """
import threading
import numpy as np
from quet.engine.compiled import compiled, telling
from trapped import search, first_rules, second_rules
def answer(rules):
    return compiled(search, rules=rules).answer(np.zeros(1))
with telling(lambda: print("here", end=" ")):
    other = threading.Thread(target=answer, args=(first_rules,))
    other.start()
    other.join()
    print("elsewhere", answer(second_rules), compiled(search, rules=second_rules).answer(np.zeros(1, np.int64)))
answer(second_rules)
"""

COLLECTIONS = """
import gc
import numpy as np
from quet.engine.compiled import compiled
from trapped import search, first_rules
collections = []
gc.callbacks.append(lambda phase, info: collections.append(phase))
compiled(search, rules=first_rules).answer(np.zeros(1))
print(len(collections) // 2, gc.isenabled())
gc.disable()
compiled(search, rules=first_rules).answer(np.zeros(1, np.int64))
print(gc.isenabled())
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package whose search calls rules that call a helper two imports away."""
    folder = tmp_path / "trapped"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "far.py").write_text("def far(x):\n    return x + 1\n")
    (folder / "near.py").write_text("from .far import far\n\n\ndef near(x):\n    return far(x) * 10\n")
    (folder / "first_rules.py").write_text("from .near import near\n\n\ndef rule(x):\n    return near(x)\n")
    (folder / "second_rules.py").write_text("from .near import near\n\n\ndef rule(x):\n    return near(x) + 5\n")
    (folder / "search.py").write_text("rules = None\n\n\ndef answer(a):\n    return int(rules.rule(len(a)))\n")
    return tmp_path


@pytest.fixture(scope="module", autouse=True)
def forks() -> Iterator[None]:
    """A process that has loaded Numba, which takes a second, and forks for each program that needs a new process."""
    with subprocess.Popen(
        [sys.executable, "-c", FORKS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        Forks.process = process
        yield
        process.communicate()


class Forks:
    process: "subprocess.Popen[str]"


def run(package: Path, *, program: str = PROGRAM, cache: Path | None = None) -> tuple[str, str]:
    """What the program prints and warns of, in a process of its own."""
    environment = {"QUET_CACHE": str(cache or package / "cache"), "TMPDIR": str(package)}
    assert Forks.process.stdin is not None and Forks.process.stdout is not None
    print(json.dumps([program, str(package), environment]), file=Forks.process.stdin, flush=True)
    status = Forks.process.stdout.readline()
    out, err = (package / "out").read_text().strip(), (package / "err").read_text()
    assert status == "0\n", err
    return out, err


def run_from_its_beginning(package: Path, *, program: str = PROGRAM, **environment: str) -> tuple[str, str]:
    """The same in a process that loads Numba itself, for what happens meanwhile, or for flags that it reads then."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(package), "QUET_CACHE": str(package / "cache"), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip(), done.stderr


def compiled_files(package: Path) -> list[Path]:
    return sorted((package / "cache").rglob("*.nbc"))


def test_two_games_bound_to_one_search_are_not_confused(package: Path) -> None:
    assert run(package) == ("20 25", "")
    assert run(package) == ("20 25", "")


@pytest.mark.long
def test_two_games_that_two_processes_compiled_are_not_confused_in_a_third(package: Path) -> None:
    """Each process numbers its functions from 1, so that names could be equal in what is loaded from both."""
    loops = "".join(f"    for i in range(n):\n        n += rules.rule(i) // {k}\n" for k in range(2, 40))
    (package / "trapped" / "search.py").write_text(
        "rules = None\n\n\ndef answer(a):\n    return within(len(a)) + within(len(a) - 1)\n\n\n"
        f"def within(n):\n    if n < 5:\n        return int(rules.rule(n))\n{loops}    return n\n"  # too long to inline
    )
    alone = "(first_rules, second_rules)"
    assert run(package, program=PROGRAM.replace(alone, "(first_rules,)")) == ("30", "")
    assert run(package, program=PROGRAM.replace(alone, "(second_rules,)")) == ("40", "")
    assert run(package) == ("30 40", "")


def test_code_is_read_from_the_cache_the_second_time(package: Path) -> None:
    run(package)
    before = {file: file.stat().st_mtime_ns for file in compiled_files(package)}
    assert len(before) == 2
    run(package)
    assert {file: file.stat().st_mtime_ns for file in compiled_files(package)} == before


def test_an_edit_two_imports_away_is_seen(package: Path) -> None:
    run(package)
    (package / "trapped" / "far.py").write_text("def far(x):\n    return x + 2\n")
    assert run(package) == ("30 35", "")


def test_a_flag_that_changes_the_code_has_a_cache_of_its_own(package: Path) -> None:
    run_from_its_beginning(package)
    run_from_its_beginning(package, NUMBA_BOUNDSCHECK="1")
    assert len({file.parent for file in compiled_files(package)}) == 4


def test_recursive_code_works_every_time_and_is_not_kept(package: Path) -> None:
    (package / "trapped" / "search.py").write_text(
        "rules = None\n\n\ndef answer(a):\n    return climb(5) + int(rules.rule(len(a)))\n\n\n"
        "def climb(n):\n    if n <= 0:\n        return 0\n    return 1 + climb(n - 1)\n"
    )
    assert [run(package), run(package)] == [("25 30", "")] * 2
    assert not compiled_files(package)


def test_only_a_few_old_caches_are_kept(package: Path) -> None:
    for k in range(6):
        (package / "trapped" / "far.py").write_text(f"def far(x):\n    return x + {k}\n")
        assert run(package)[0] == f"{10 + 10 * k} {15 + 10 * k}"
        for folder in (package / "cache").glob("*/*"):
            os.utime(folder, (k, k))  # as if it had been used long ago
    for folder in (package / "cache").iterdir():
        assert len(list(folder.iterdir())) == 3


def test_a_cache_that_another_version_of_the_code_uses_now_is_kept(package: Path) -> None:
    for k in range(5):
        (package / "trapped" / "far.py").write_text(f"def far(x):\n    return x + {k}\n")
        run(package)
    for folder in (package / "cache").iterdir():
        assert len(list(folder.iterdir())) == 5


def test_a_cache_that_another_process_deletes_meanwhile_is_no_trouble(package: Path) -> None:
    run(package)
    for folder in (package / "cache").iterdir():
        (folder / "gone").symlink_to("nowhere")  # it is listed, but is not there when one looks at it
    assert run(package) == ("20 25", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no lock for a folder.")
def test_of_those_who_keep_code_in_a_folder_at_once_one_waits_for_the_other(tmp_path: Path) -> None:
    """Else Numba gives one name to what both keep, and takes the code for floats, say, for that for integers."""
    inside, numbers = list[str](), list[int]()

    class Inner:
        def load_overload(self, signature: object, target: object) -> None:
            """Nothing is kept yet."""

        def save_overload(self, *arguments: object) -> None:
            inside.append("somebody")
            time.sleep(0.1)
            numbers.append(len(inside))
            inside.pop()

    def keep(number: int) -> None:
        compiled._CarefulCache(Inner(), tmp_path / "new", Mock()).save_overload(number)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(keep, range(3)))
    assert numbers == [1, 1, 1]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no lock for a folder.")
def test_nothing_is_kept_in_a_folder_that_another_process_does_not_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "LONGEST_WAIT", 0.1)
    inner = Mock()
    with waited_for(tmp_path) as is_ours:
        compiled._CarefulCache(inner, tmp_path, Mock()).save_overload("code")
    assert is_ours and not inner.save_overload.called
    compiled._CarefulCache(inner, tmp_path, Mock()).save_overload("code")
    inner.save_overload.assert_called_once_with("code")


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("size", [0, 40])
def test_a_truncated_cache_file_is_made_anew_with_a_warning(package: Path, suffix: str, size: int) -> None:
    run(package)
    for file in (package / "cache").rglob(f"*.{suffix}"):
        os.truncate(file, size)
    answer, warning = run(package)
    assert answer == "20 25"
    assert "CacheWarning" in warning
    assert "is made anew" in warning
    assert run(package) == ("20 25", "")


def test_a_cache_folder_that_can_not_be_made_is_done_without_with_a_warning(package: Path) -> None:
    (package / "file").write_text("in the way")
    answer, warning = run(package, cache=package / "file")
    assert answer == "20 25"
    assert "CacheWarning: Compiled code can't be kept in" in warning
    assert "QUET_CACHE names another folder" in warning
    (folder,) = package.glob("quet-compiled-*")
    assert list(folder.rglob("*.nbc"))


def test_where_no_folder_can_be_written_processes_share_one_until_the_first_of_them_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("QUET_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ends: list[tuple[object, ...]] = []
    monkeypatch.setattr(atexit, "register", lambda *arguments, **more: ends.append(arguments))
    with pytest.warns(cache.CacheWarning):
        cache.settle_folder()
    folder = Path(os.environ["QUET_CACHE"])  # as processes find it that begin now
    assert folder == cache.cache_folder() and folder.parent == tmp_path and folder.is_dir()
    assert folder.stat().st_mode & 0o077 == 0
    assert ends == [(shutil.rmtree, str(folder))]
    cache.settle_folder()
    assert len(ends) == 1


def test_a_read_beyond_a_buffer_is_an_error_in_a_bounds_checked_run(package: Path) -> None:
    (package / "trapped" / "search.py").write_text("rules = None\n\n\ndef answer(a):\n    return int(a[len(a) + 3])\n")
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run_from_its_beginning(package, NUMBA_BOUNDSCHECK="1")
    assert "IndexError" in failed.value.stderr


def test_the_garbage_collector_rests_while_compiling_and_is_left_as_it_was(package: Path) -> None:
    collections, is_enabled, is_enabled_again = run_from_its_beginning(package, program=COLLECTIONS)[0].split()
    assert int(collections) < 50  # some hundreds otherwise
    assert (is_enabled, is_enabled_again) == ("True", "False")


KEPT_ONLY = """
import numpy as np
from quet.core.errors import NotCompiled
from quet.engine.compiled import compiled, leave_compiling
from trapped import search, first_rules
leave_compiling()
def tried(name):
    try:
        return getattr(compiled(search, rules=first_rules), name)(np.zeros(1))
    except NotCompiled:
        return "not compiled"
print(tried("answer"), tried("other"), end=" ")
leave_compiling(leave=False)
print(tried("answer"), tried("other"))
"""

ELSEWHERE = """
import numpy as np
from quet.engine import compiled
from quet.engine.beside import Beside
from trapped import search, first_rules
kept = []
compiled._CarefulCache.save_overload = lambda *arguments: kept.append(arguments)
beside = Beside(float("inf"))
with compiled.compiling_elsewhere(beside):
    print(compiled.compiled(search, rules=first_rules).answer(np.zeros(1)), len(kept))
beside.close()
"""

CLOCKS = """
import time
import numpy as np
from quet.core.clock import clock
from quet.engine.compiled import compiled
from trapped import search, first_rules
ours, theirs = clock(), time.perf_counter()
compiled(search, rules=first_rules).answer(np.zeros(1))
print(clock() - ours < (time.perf_counter() - theirs) / 2)
"""


def test_a_process_that_leaves_compiling_uses_the_functions_that_are_kept(package: Path) -> None:
    search = package / "trapped" / "search.py"
    search.write_text(f"{search.read_text()}\n\ndef other(a):\n    return answer(a) + 1\n")
    assert run(package, program=KEPT_ONLY) == ("not compiled not compiled 20 21", "")
    for file in compiled_files(package):
        if "other" in file.name:
            file.unlink()  # as if the process that compiled had been ended there
    assert run(package, program=KEPT_ONLY) == ("20 not compiled 20 21", "")


def test_another_process_compiles_and_keeps_what_this_one_calls(package: Path) -> None:
    assert run(package, program=ELSEWHERE) == ("20 0", "")
    assert compiled_files(package)


@pytest.mark.long
def test_the_clock_of_searches_stands_still_while_code_is_compiled(package: Path) -> None:
    assert run_from_its_beginning(package, program=CLOCKS) == ("True", "")


def test_a_thread_that_has_to_wait_for_the_compiler_is_told_once_and_others_are_not(package: Path) -> None:
    assert run(package, program=TOLD) == ("here elsewhere 25 25", "")
    assert run(package, program=TOLD) == ("elsewhere 25 25", "")  # it is kept now
