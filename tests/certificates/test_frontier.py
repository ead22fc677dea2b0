"""Positions that wait for a walk: the same ones in the same order in memory and in files, and no files left."""

import errno
import itertools
import random
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import IO, Any

import pytest

import quet
from quet.certificates.frontier import BESIDES, Frontier
from quet.core.errors import TooLargeToCheck
from quet.core.state import Packing, copy

CERTIFICATE = Path(__file__).parents[2] / "results/certificates/palindromes-13.json.gz"
START = quet.new("palindromes", m=6).state
_tempfile = tempfile.TemporaryFile


def frontier(num_held: int, *, on_disk: bool = True) -> Frontier:
    """One that holds so many positions of two-letter keys in memory."""
    packing = Packing(START)
    packing.packed(START)
    return Frontier(packing, num_held * (2 + packing.size + BESIDES), on_disk=on_disk)


def position(number: int) -> Any:
    s = copy(START)
    s.ply = number
    return s


def taken(given: Frontier) -> list[tuple[int, list[int]]]:
    """All stages and the numbers of their positions."""
    found = []
    while given:
        stage, positions = given.pop()
        found.append((stage, [s.ply for s in positions]))
    return found


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> list[IO[bytes]]:
    """All files that are made."""
    made: list[IO[bytes]] = []

    def opened() -> IO[bytes]:
        made.append(_tempfile())
        return made[-1]

    monkeypatch.setattr("tempfile.TemporaryFile", opened)
    return made


@pytest.mark.parametrize("num_held", [0, 1, 7, 40, 1_000])
@pytest.mark.parametrize("seed", [1, 2])
def test_of_positions_with_one_key_the_first_of_the_worst_is_left_wherever_they_are(
    num_held: int, seed: int, files: list[IO[bytes]]
) -> None:
    choose = random.Random(seed)
    tried, expected = frontier(num_held), dict[int, dict[bytes, tuple[int, int]]]()
    for number in range(120):
        key, stage, worth = bytes(choose.choices(b"abcd", k=2)), choose.randint(1, 3), choose.randint(-2, 1)
        tried.add(position(number), key, stage, worth)
        known = expected.setdefault(stage, {}).get(key)
        if known is None or worth < known[0]:
            expected[stage][key] = worth, number
    assert taken(tried) == [
        (stage, [expected[stage][key][1] for key in sorted(expected[stage])]) for stage in sorted(expected)
    ]
    assert bool(files) == (num_held < 48) and all(file.closed for file in files)
    assert tried.num_held == tried._written == 0


def test_many_files_of_a_stage_are_made_into_one(files: list[IO[bytes]]) -> None:
    tried, open_at_once = frontier(0), 0
    for number in range(100):
        tried.add(position(number), bytes([99 - number, 0]), 1, 0)
        open_at_once = max(open_at_once, sum(not file.closed for file in files))
    assert open_at_once <= 33
    assert taken(tried) == [(1, [*range(99, -1, -1)])]


def test_a_stage_that_grows_while_another_is_read_goes_to_few_files(files: list[IO[bytes]]) -> None:
    tried = frontier(40)
    for number in range(40):
        tried.add(position(number), bytes([number, 0]), 0, 0)
    assert not files
    _, positions = tried.pop()
    for number, s in enumerate(positions):
        for one in range(4):
            tried.add(s, bytes([number, one]), 1, 0)
    assert len(files) <= 1 + 4 and [len(found) for _, found in taken(tried)] == [160]


def test_without_files_there_is_no_room_for_more(files: list[IO[bytes]]) -> None:
    tried = frontier(2, on_disk=False)
    for number in range(2):
        tried.add(position(number), bytes([number, 0]), 0, 0)
    assert [tried.has(bytes([number, 0]), stage) for number, stage in itertools.product((1, 2), (0, 1))] == [
        *(True, False, False, False)
    ]
    with pytest.raises(TooLargeToCheck, match=r": More than 2 positions can come up at once\.$"):
        tried.add(position(3), b"cc", 1, 0)
    assert [number for _, numbers in taken(tried) for number in numbers] == [0, 1, 3]
    assert not files


def test_room_is_kept_for_as_many_as_if_all_were_as_large_as_the_largest() -> None:
    tried = frontier(3, on_disk=False)
    tried.add(position(0), bytes(400), 0, 0)
    with pytest.raises(TooLargeToCheck, match="More than 1 positions can come up at once"):
        tried.add(position(1), b"aa", 0, 0)


def test_too_much_for_the_disk_is_too_large_to_check(monkeypatch: pytest.MonkeyPatch, files: list[IO[bytes]]) -> None:
    monkeypatch.setattr("quet.certificates.frontier.MOST_ON_DISK", 1 << 10)
    tried = frontier(1)
    with pytest.raises(TooLargeToCheck, match="Positions that can come up take more than 0 GB on disk"):
        for number in range(100):
            tried.add(position(number), bytes([number, 0]), 0, 0)
    tried.close()
    assert files and all(file.closed for file in files)


def test_a_full_disk_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened() -> IO[bytes]:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", opened)
    tried = frontier(0)
    with pytest.raises(TooLargeToCheck, match=r"can't be kept on disk \(TMPDIR\): No space left on device\.$"):
        tried.add(position(0), b"aa", 0, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize("room", [4_000, 1_000_000])
def test_a_disk_that_fills_up_refutes_nothing(room: int) -> None:
    """The limit of a file's size stands for a full disk: a write fails, and so does the one at the end of the file."""
    lines = f"""
        import resource, signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))
        import quet.certificates.check_weak as check_weak
        check_weak.BLOCK = 100_000
        from quet.cli.main import main
        raise SystemExit(main(["verify", "{CERTIFICATE}"]))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(lines)], capture_output=True, text=True, check=False)
    if room > 500_000:
        assert done.returncode == 0, done.stdout + done.stderr
    else:
        assert "can't be kept on disk (TMPDIR): File too large." in done.stdout
        assert done.returncode == 3 and "refuted" not in done.stdout
