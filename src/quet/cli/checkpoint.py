"""The checkpoint of `quet solve`: the notes of its task in a file, from which a later run continues."""

import contextlib
import hashlib
import json
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..core import json_text
from ..core.errors import BadParameter, QuetError
from ..core.files import UnreadableFile, UnwritableFile, read_file, remove_leftovers, write_file
from ..core.parameters import written
from ..core.quoting import printable, shorten
from ..distribution.task import NOTES, Task
from ..game import Game
from .files import alone

FORMAT, VERSION = "quet-checkpoint", 1
CODES = {"0.1.0 (3d44c719)": 1}  # earlier checkpoints have a digest of the solvers' code; the version of its notes
LARGEST = 100_000_000  # bytes
BETWEEN_SAVES = 0.5  # seconds, at least


def digest(checkpoint: dict[str, object]) -> str:
    """The SHA-256 of everything in a checkpoint but the digest itself."""
    rest = {key: value for key, value in checkpoint.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest).encode()).hexdigest()


def _subjects(head: Mapping[str, object]) -> Iterator[str]:
    """What a checkpoint is of, each in words; raises TypeError where it is of nothing."""
    parameters = head["parameters"]
    if not isinstance(parameters, dict):
        raise TypeError
    yield printable(" ".join([str(head["game"]), *(f"{name}={value}" for name, value in parameters.items())]), 200)
    yield f"the {'lowest' if head['lowest'] else 'highest'} score"
    yield f"--seed {printable(str(head['seed']))}"
    yield f"version {printable(str(head['rules']))} of the rules"


class Checkpoint:
    """Keeps a task's notes in a file, and reads them there first.

    A file that can't be written in the beginning is refused. Later the disk may be full for a minute, and no search of
    hours ends for that: it is told once, and each next save tries again.
    """

    trouble: BadParameter | None = None  # what is wrong with the file, if the newest notes aren't in it

    def __init__(self, file: str | None, game: Game, task: Task, *, must_exist: bool) -> None:
        self._file = file
        self._must_exist = must_exist
        self._lock = contextlib.ExitStack()
        self._task = task
        self._saved = 0.0
        self._written = b""
        self._is_warned = self._is_read = False
        parameters = written(game.parameters)
        self._head = {
            "format": FORMAT,
            "version": VERSION,
            "game": game.id,
            "rules": game.rules.VERSION,
            "parameters": parameters,
            "lowest": task.is_lowest,
            "seed": task.seed,
            "notes version": NOTES,
        }
        task.table = None if file is None else Path(f"{file}.blocks")
        task.save = self._save_now_and_then

    def __enter__(self) -> None:
        if self._file is None:
            return
        with contextlib.ExitStack() as stack:
            # Another solve would write over what this one notes, and the other way.
            stack.enter_context(alone(self._file, "Another quet solve is writing this checkpoint."))
            remove_leftovers(self._file)
            if self._must_exist or (Path(self._file).exists() and Path(self._file).stat().st_size > 0):
                self._task.notes = self._read(self._file)
                self._is_read = True
            self._save()
            if self.trouble is not None:
                raise self.trouble
            self._lock = stack.pop_all()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self._file is None:
            return
        with self._lock:
            self._save()
        if error is not None and self.trouble is not None:  # without an error it is told after the answer
            print(f"quet: {self.trouble}", file=sys.stderr)
        is_known = isinstance(error, (QuetError, OSError, MemoryError)) or not isinstance(error, Exception)
        if self._is_read and not is_known:  # a solver trusts the notes; if it isn't for them, it fails without them too
            name = shorten(self._file, 200)
            raise BadParameter(f"{name}: This solve can't go on from what the checkpoint says; begin anew.") from error

    def _read(self, file: str) -> dict[str, object]:
        name = shorten(file, 200)
        try:
            data = json_text.read(read_file(file, LARGEST), has_fractions=True)
            if not isinstance(data["notes"], dict):
                raise TypeError
            is_whole = data["digest"] == digest(data)
            if "code" in data:
                data["notes version"] = CODES.get(data["code"])
            head = {key: data[key] for key in self._head}
            notes: dict[str, object] = data["notes"]
            subjects = list(zip(_subjects(head), _subjects(self._head), strict=True))
        except UnreadableFile as error:
            raise BadParameter(f"{name}: {error}") from None
        except (json_text.BadJson, ValueError, KeyError, TypeError):
            raise BadParameter(f"{name}: It is no checkpoint.") from None
        if not is_whole:
            raise BadParameter(f"{name}: It is damaged; something in it has changed since it was written.")
        if head["notes version"] != NOTES:
            raise BadParameter(f"{name}: It is of solvers of another version, which noted other things; begin anew.")
        for its, wanted in subjects:
            if its != wanted:
                raise BadParameter(f"{name}: It is the checkpoint of {its}, and this solve is of {wanted}.")
        if head != self._head:
            raise BadParameter(f"{name}: It is no checkpoint.")
        return notes

    def _save_now_and_then(self) -> None:
        if self._file is not None and time.monotonic() - self._saved > BETWEEN_SAVES:
            self._save()
            if self.trouble is not None and not self._is_warned:
                self._is_warned = True
                print(f"quet: {self.trouble} It is tried again.", file=sys.stderr)

    def _save(self) -> None:
        assert self._file is not None
        whole = self._head | {"notes": self._task.notes}
        data = json.dumps(whole | {"digest": digest(whole)}).encode()
        self._saved = time.monotonic()
        self.trouble = None
        if data == self._written:
            return
        if len(data) > LARGEST:  # it couldn't be read again, and what was written last can
            self.trouble = BadParameter(f"{shorten(self._file, 200)}: It would be larger than {LARGEST // 10**6} MB.")
            return
        try:
            write_file(self._file, data)
            self._written = data
        except UnwritableFile as error:
            self.trouble = BadParameter(f"{shorten(self._file, 200)}: {error}")
