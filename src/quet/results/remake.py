"""`quet results remake`: makes larger certificates again that a copy of the table lacks."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..certificates import certificate_file, verify
from ..certificates.certificate_file import Json
from ..core.errors import BadCertificate, BadParameter, QuetError
from ..core.files import UnwritableFile, write_file
from ..core.quoting import shorten
from .check import check_agreement
from .claim import Claim
from .folder import Folder
from .larger import Larger
from .row import Row

# The list may be another person's: only words of `quet solve` that write nothing and ask nobody are carried out.
_WORD = re.compile(r"[a-z0-9][a-z0-9-]*|[a-z_]+=[^\s]*|--lowest|--strategies", re.ASCII)
SIDES = {"highest": "low", "lowest": "high"}  # the side of a solitaire's claim that its game shows
_LIMIT = re.compile(r"--(time|memory|seed|workers)", re.ASCII)


def remake(folder: Folder, names: Sequence[str], into: str | None) -> Iterator[str]:
    """Make these certificates again, or all that this copy of the table lacks. Yields a sentence for each one made.

    They are put into the folder `into`, or where the table looks for them. Raises BadParameter for a name that isn't on
    the list or a folder that can't be written, and QuetError if solving doesn't come to what the table says.
    """
    listed = folder.larger()
    unknown = [name for name in names if name not in listed]
    if unknown:
        raise BadParameter(f"{shorten(unknown[0])} is not one of the larger certificates of this table.")
    if into is None and folder.is_installed:
        raise BadParameter("The table that came with Quet stays as it is; name a folder for certificates with --into.")
    rows = {row.certificate: row for row in folder.rows()}
    wanted = names or [name for name in listed if name in rows and folder.missing(rows[name])]
    place = folder.path_of_larger if into is None else Path(into)
    if wanted:
        _make_folder(place)
    for name in wanted:
        if name not in rows:
            raise BadParameter(f"No row names the certificate {name}.")
        yield _remade(rows[name], listed[name], place / name)


def _make_folder(place: Path) -> None:
    """Make the folder; raises BadParameter where it can't be written: better before long work than after it."""
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        raise BadParameter(f"{shorten(str(place), 200)}: It can't be written: {error.strerror}.") from None
    if not os.access(place, os.W_OK):
        raise BadParameter(f"{shorten(str(place), 200)}: It can't be written.")


def _remade(row: Row, larger: Larger, path: Path) -> str:
    """Make one certificate again, put it there, and say how it compares with what is on the list."""
    with tempfile.TemporaryDirectory() as work:
        file = Path(work) / path.name
        command = [sys.executable, "-m", "quet", *_words(larger.command), "--certificate", str(file)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode or not file.exists():
            why = done.stderr.strip().removeprefix("quet: ") or "It has found nothing that can be certified."
            raise QuetError(f"{larger.command}: {why}")
        found = certificate_file.read(file)
    assert isinstance(found, dict)  # a certificate is
    played: list[Json] = [*row.witness.split()]
    found["witness"] = played  # several workers may find another game, and the row's may have come from elsewhere
    claim = found["claim"]
    if isinstance(claim, dict) and row.score in SIDES:
        claim[SIDES[row.score]] = row.number  # what this game shows
    made = found | {"digest": verify.digest(found)}
    is_same = made["digest"] == larger.digest
    if not is_same:  # another version of a solver comes to another proof
        _check(row, made)
    content = certificate_file.to_bytes(made)
    try:
        write_file(path, certificate_file.pack(content) if path.name.endswith(".gz") else content)
    except UnwritableFile as error:
        raise BadParameter(f"{shorten(str(path), 200)}: {error}") from None
    how = "with the digest on the list" if is_same else "with another digest, and checked by the rules"
    return f"Made again, {how}: {path}"


def _check(row: Row, certificate: Json) -> None:
    """Raise BadCertificate, with the certificate's name, unless it holds and shows what the row says."""
    try:
        check_agreement(row, Claim.of(certificate))
    except BadCertificate as error:
        raise BadCertificate(error.sentence, file=row.certificate, step=error.step) from None


def _words(command: str) -> list[str]:
    """The words of a command after `quet`. Raises BadParameter for a command that isn't allowed."""
    try:
        words = shlex.split(command)
    except ValueError:  # a quotation that doesn't end
        words = []
    rest = words[2:]
    for number, word in enumerate(words[2:], 2):
        if _LIMIT.fullmatch(word) and words[number + 1 : number + 2]:
            rest.remove(word)
    if words[:2] != ["quet", "solve"] or not all(_WORD.fullmatch(word) for word in rest):
        raise BadParameter(f"{shorten(command, 200)} is no command that makes a certificate.")
    return words[1:]
