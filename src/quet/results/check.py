"""Checks a whole table: each certificate by the rules, and each row by what its certificate proves."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..certificates import certificate_file
from ..certificates.limits import USUAL, Limits
from ..certificates.verify import Verdict
from ..core.errors import BadCertificate
from ..core.quoting import printable
from .claim import Claim
from .folder import CERTIFICATES, Folder
from .row import Row

_AGREEMENT = "row"  # the step that compares a row with its certificate


@dataclass(frozen=True)
class Checked:
    """What the check of one row came to, or that no row names a file."""

    name: str
    error: str = ""  # what is wrong, as a sentence
    unchecked: tuple[str, ...] = ()  # what the row rests on that can't be checked, as sentences
    missing: str = ""  # why the certificate isn't here to be checked, as a sentence
    unnamed: str = ""  # of a certificate that no row names: what to do with it, as sentences

    @property
    def verdict(self) -> str:
        """`verified`, `refuted`, `unchecked`, or `missing` where the certificate isn't here."""
        if self.missing:
            return "missing"
        if self.error:
            return Verdict.REFUTED
        return Verdict.UNCHECKED if self.unchecked or self.unnamed else Verdict.VERIFIED


def check(folder: Folder, game: str | None = None, *, limits: Limits = USUAL) -> Iterator[Checked]:
    """Check each row, one after another, and then look for certificates that belong to no row.

    `limits` are for rows that rest on trying all positions.
    Raises BadResult for a table that can't be read.
    """
    rows = folder.rows(game)
    for row in rows:
        missing = folder.missing(row)
        if missing:
            yield Checked(row.name(), missing=f"{row.certificate}: {missing}")
            continue
        try:
            yield Checked(row.name(), unchecked=tuple(check_row(folder, row, limits)))
        except BadCertificate as error:
            advice = f" {_again(folder.certificate(row))}" if error.step == _AGREEMENT else ""
            yield Checked(row.name(), f"{row.certificate}: {error.step}: {error.sentence}{advice}")
    named = {row.certificate for row in rows}
    folders = (folder.path / CERTIFICATES, folder.path_of_larger) if game is None else ()
    for file in (file for each in folders for file in sorted(each.glob("*"))):
        if file.name not in named and not file.name.startswith("."):
            yield Checked(file.name, unnamed=f"No row names this certificate. {_again(file)} Or delete it.")


def _again(file: Path) -> str:
    """What to do where the program ended after it had put a certificate into its place, and before it put the row."""
    return f"Its entry may have been interrupted: quet results submit {printable(str(file), 200)} enters it."


def check_row(folder: Folder, row: Row, limits: Limits = USUAL) -> list[str]:
    """What the row rests on that can't be checked, as sentences. Raises BadCertificate if the row doesn't hold."""
    certificate = certificate_file.read(folder.certificate(row))
    claim = Claim.of(certificate, limits=limits)
    entered = claim
    if claim.is_too_large and row.proof != claim.proof:  # it was checked with other limits when it was entered
        entered = Claim.of(certificate, is_known=True)
    check_agreement(row, entered)
    return list(claim.trusted)


def check_agreement(row: Row, claim: Claim) -> None:
    """Raise BadCertificate unless the row says what the certificate claims."""
    said = claim.row(row.finder, row.date, row, ())
    for name, value in said.json().items():
        if row.json()[name] != value:
            raise BadCertificate(f"The row says {name} {row.json()[name]}, the certificate {value}.", step=_AGREEMENT)
