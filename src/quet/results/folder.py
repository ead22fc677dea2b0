"""The folder of the table: a file of rows for each game, `<game>.jsonl`, and the certificates of all games.

A line of a file is a row. Rows are in the order of their questions, so that two tables can be compared line by line.
"""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import catalog
from ..core.errors import BadParameter, BadResult
from ..core.files import (
    UnreadableFile,
    UnwritableFile,
    read_file,
    remove_leftovers,
    waited_for,
    write_file,
    write_files,
)
from ..core.quoting import printable, shorten
from . import larger
from .row import Row, read

LARGEST_FILE = 16_000_000  # bytes of the rows of a game
CERTIFICATES = "certificates"
_NAME = "results"  # of a folder
_INSTALLED = Path(__file__).parent / "data"  # where a wheel has the table
_CLONE = Path(__file__).parents[3] / _NAME  # where the repository has it


@dataclass(frozen=True)
class Folder:
    """A table of results on the disk."""

    path: Path

    @property
    def is_installed(self) -> bool:
        """Whether it is the copy that came with an installed Quet. That one is never changed."""
        return self.path.resolve() == _INSTALLED.resolve()

    def file(self, game: str) -> Path:
        """The file with the rows of a game; there may be none."""
        return self.path / f"{game}.jsonl"

    def rows(self, game: str | None = None) -> list[Row]:
        """The rows of a game, or of all games, in order. Raises BadResult, with file and line."""
        if game is None:
            return [row for file in sorted(self.path.glob("*.jsonl")) for row in self._read(file)]
        file = self.file(game)
        return self._read(file) if file.exists() else []

    @property
    def path_of_larger(self) -> Path:
        """The folder of certificates that git doesn't keep."""
        return self.path / "larger"

    @property
    def path_of_replies(self) -> Path:
        """The folder of weak solutions that are looked up (`replies.py`)."""
        return self.path / "replies"

    def larger(self) -> dict[str, larger.Larger]:
        """The larger certificates, by names of files; raises BadResult."""
        return larger.read(self.path)

    def certificate(self, row: Row) -> Path:
        """The file of the row's certificate. It may be missing; see `missing`."""
        here = [folder / row.certificate for folder in (self.path / CERTIFICATES, self.path_of_larger)]
        return next((file for file in here if file.exists()), here[0])

    def missing(self, row: Row) -> str:
        """Why this copy of the table lacks the row's certificate, and how to make it, as a sentence.

        Empty if the certificate is there. Empty too if it should be there and isn't: reading it then tells the error.
        """
        about = None if self.certificate(row).exists() else self.larger().get(row.certificate)
        return "" if about is None else larger.sentence(row.certificate, about)

    def enter(self, row: Row, certificate: bytes, digest: str, command: str = "") -> None:
        """Enter a row and its certificate. The row takes the place of the one with the same question, if there is one.

        All files are written before the first is replaced, and the certificate is replaced first. A full disk changes
        nothing. Whatever ends the program in between, all can be read, and the same row can be entered again. If the
        certificate is a larger one, the list keeps its `digest` and the `command` that makes it again; that is
        `quet solve` with the question unless it is given. Call this inside `locked`.
        Raises UnwritableFile, which names the folder.
        """
        rows = self.rows(row.game)
        before = [other for other in rows if other.question == row.question]
        rows = sorted([other for other in rows if other.question != row.question] + [row], key=lambda row: row.question)
        try:
            is_cloned = len(certificate) <= larger.LARGEST_CLONED
            file = (self.path / CERTIFICATES if is_cloned else self.path_of_larger) / row.certificate
            file.parent.mkdir(exist_ok=True)
            contents = {file: certificate}
            contents |= self._list(row, before, certificate, digest, command)
            contents[self.file(row.game)] = _lines(rows)
            for path in contents:
                remove_leftovers(path)
            write_files(contents)
            for other in before:
                for old in (folder / other.certificate for folder in (self.path / CERTIFICATES, self.path_of_larger)):
                    if old != file:
                        old.unlink(missing_ok=True)
        except UnwritableFile as error:
            raise UnwritableFile(f"{shorten(str(self.path), 200)}: {error}") from None
        except OSError as error:
            raise UnwritableFile(f"{shorten(str(self.path), 200)}: It can't be written: {error.strerror}.") from None

    def write(self, game: str, rows: Sequence[Row]) -> None:
        """Put these rows in the place of all that the game has. Call this inside `locked`. Raises UnwritableFile."""
        write_file(self.file(game), _lines(rows))

    def _list(
        self, row: Row, before: Sequence[Row], certificate: bytes, digest: str, command: str
    ) -> dict[Path, bytes]:
        """The list of larger certificates with this row, as its file and content, if that changes it."""
        now = self.larger()
        listed = {name: about for name, about in now.items() if name not in [other.certificate for other in before]}
        if len(certificate) > larger.LARGEST_CARRIED:
            made_by = f"quet solve {row.words}{' --strategies' if 'weak' in row.proof else ''}"
            listed[row.certificate] = larger.Larger(digest, len(certificate), command or made_by)
        return {self.path / larger.LIST: larger.to_bytes(listed)} if listed != now else {}

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other programs from entering anything meanwhile; they wait. Raises UnwritableFile."""
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(waited_for(self.path))
            except UnwritableFile as error:
                raise UnwritableFile(f"{shorten(str(self.path), 200)}: {error}") from None
            yield

    def _read(self, file: Path) -> list[Row]:
        try:
            content = read_file(file, LARGEST_FILE)
        except UnreadableFile as error:
            raise BadResult(str(error), file=_name(file)) from None
        rows: list[Row] = []
        for number, line in enumerate(content.removesuffix(b"\n").split(b"\n") if content else [], 1):
            try:
                row = read(line.decode())
                if row.game != file.stem:
                    raise BadResult(f"The row is about {shorten(row.game)}, the file about {shorten(file.stem)}.")
                if rows and rows[-1].question >= row.question:
                    raise BadResult("The row doesn't come after the one before it, or repeats its question.")
            except UnicodeDecodeError:
                raise BadResult("It is not text in UTF-8.", file=_name(file), line=number) from None
            except BadResult as error:
                raise BadResult(error.sentence, file=_name(file), line=number) from None
            rows.append(row)
        return rows


def is_a_wheel() -> bool:
    """Whether this Quet was installed from a wheel, and isn't that of a clone."""
    return _INSTALLED.is_dir()


def find(given: str | None) -> Folder:
    """The folder given, else `results` where the program is run, else the table that came with Quet.

    Raises BadParameter if there is no table.
    """
    if given is not None:
        if not Path(given).is_dir():
            raise BadParameter(f"{shorten(given, 200)}: There is no such folder.")
        return Folder(Path(given))
    here = Path(_NAME)
    if any((here / f"{game}.jsonl").exists() for game in catalog.ids()):
        return Folder(here)
    for path in (_INSTALLED, _CLONE):
        if path.is_dir():
            return Folder(path)
    raise BadParameter("There is no table of results here; name its folder with --folder.")


def _lines(rows: Sequence[Row]) -> bytes:
    return "".join(f"{row.line()}\n" for row in rows).encode()


def _name(file: Path) -> str:
    return printable(str(file))
