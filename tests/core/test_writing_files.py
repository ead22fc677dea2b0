"""A file that is written over keeps its owner and its mode, and one program alone has a lock."""

import errno
import os
import stat
import sys
import threading
from pathlib import Path
from unittest.mock import Mock

import pytest

from quet.core import files
from quet.core.files import write_file, write_files


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other owners")
def test_what_root_writes_over_stays_its_owners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "table.jsonl"
    file.write_bytes(b"before")
    file.chmod(0o640)
    is_root, fchown = os.geteuid() == 0, os.fchown
    owner = 65_534 if is_root else os.getuid()  # others can give files to themselves alone
    os.chown(file, owner, -1)
    given: list[int] = []

    def giving(descriptor: int, user: int, group: int) -> None:
        given.append(user)
        fchown(descriptor, user, group)

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", giving)
    write_file(file, b"after")
    about = file.stat()
    assert given == [owner] == [about.st_uid] and stat.S_IMODE(about.st_mode) == 0o640
    assert file.read_bytes() == b"after"
    monkeypatch.setattr(os, "fchown", Mock(side_effect=PermissionError))  # in a container
    write_file(file, b"kept")
    assert file.read_bytes() == b"kept"
    monkeypatch.setattr(os, "fchown", giving)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    write_file(file, b"again")  # where nothing can be given
    assert given == [owner]


def test_a_lock_on_a_file_that_was_removed_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has the lock may remove its file just after another program has opened it."""
    lock = files._lock
    with files.locked(tmp_path / "one") as beside, pytest.raises(files.LockedFile), files.locked(tmp_path / "one"):
        pass

    def late(descriptor: int, *, is_first: bool) -> None:
        beside.unlink()
        lock(descriptor, is_first=is_first)

    monkeypatch.setattr(files, "_lock", late)
    with pytest.raises(files.LockedFile), files.locked(tmp_path / "one"):
        pass


def test_whoever_wants_a_folder_waits_until_it_is_free(tmp_path: Path) -> None:
    done: list[str] = []

    def second() -> None:
        with files.waited_for(tmp_path):
            done.append("second")

    thread = threading.Thread(target=second)
    with files.waited_for(tmp_path):
        thread.start()
        thread.join(0.2)
        done.append("first")
    thread.join(10.0)
    assert done == ["first", "second"]
    with pytest.raises(files.UnwritableFile), files.waited_for(tmp_path / "none"):
        pass


def test_a_file_system_without_locks_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", without)
    with files.waited_for(tmp_path), files.locked(tmp_path / "one"):
        pass


def test_a_file_that_has_two_names_is_written_without_leavings(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    (tmp_path / "b").symlink_to("a")
    write_files({tmp_path / "a": b"first", tmp_path / "b": b"last"})
    assert {file.name for file in tmp_path.iterdir()} == {"a", "b"}
    assert (tmp_path / "a").read_bytes() == b"last"
