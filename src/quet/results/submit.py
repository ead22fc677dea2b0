"""Checks a submission and enters it if it is better than the row in the table."""

import datetime
from dataclasses import dataclass

from ..certificates import certificate_file, verify
from ..certificates.certificate_file import Certificate, Json
from ..certificates.limits import USUAL, Limits
from ..core.errors import BadCertificate, BadParameter
from ..core.files import UnreadableFile, read_file
from ..core.quoting import printable, shorten
from ..records import record
from .claim import Claim, Refused, join, of_game, without_trust
from .folder import Folder
from .row import LONGEST_NAME, NOBODY, QUET, Row, Value, is_name, told


@dataclass(frozen=True)
class Entered:
    """What a submission has changed."""

    row: Row
    before: Row | None  # the row that it replaces
    unchecked: tuple[str, ...]  # what the row rests on that wasn't checked, as sentences
    left_out: tuple[str, ...]  # what was left out: it can't be checked, and nobody asked to trust it

    @property
    def sentence(self) -> str:
        """What the table says now, and what it said before."""
        now = f"{self.row.name()}: {_known(self.row)}"
        if self.before is None:
            return f"{now}, which is new."
        if (self.before.value, self.before.bound) == (self.row.value, self.row.bound):
            return f"{now}, as before, with better grounds."
        return f"{now}, where it was {_known(self.before)}."


def submit(
    folder: Folder,
    file: str,
    content: bytes | None = None,
    *,
    finder: str = NOBODY,
    is_lowest: bool = False,
    is_trusted: bool = False,
    limits: Limits = USUAL,
) -> list[Entered]:
    """Check a file, which has a certificate or records of games, and enter what is better than the table's rows.

    The file is read unless its content is given; then `file` only names it in what is said.
    A record of a solitaire counts for the highest score unless `is_lowest`. `limits` are for trying all positions.
    Raises Refused, and leaves the table as it was, if nothing is better. Raises BadParameter for a finder who can't be,
    and what reading and checking raise.
    """
    check_can_change(folder)
    if not is_name(finder):
        raise BadParameter(f"A finder has a name of 1 to {LONGEST_NAME} printable characters, not {shorten(finder)}.")
    if finder == QUET and not is_trusted:
        raise BadParameter(
            f"What is entered as found by {QUET} is trusted: its moves too. Name a finder, or add --trust."
        )
    if content is None:
        content = _read(file)
    games = _games(content, file)
    if is_lowest and not games:
        raise BadParameter("A certificate says itself which score it is about; --lowest is for records of games.")
    entered, refused = [], None
    try:
        for one in games or (None,):
            try:
                if one is None:
                    shown: Json | Certificate = certificate_file.from_bytes(content)
                else:
                    shown = of_game(one.game, is_lowest=is_lowest)
                entered.append(enter(folder, shown, finder=finder, is_trusted=is_trusted, limits=limits))
            except Refused as error:
                refused = error
    except BadCertificate as error:
        name = error.file or printable(file, 200)
        raise BadCertificate(error.sentence, file=name, step=error.step) from None
    if refused is not None and not entered:
        raise refused
    return entered


def check_can_change(folder: Folder) -> None:
    """Raise BadParameter for the table that came with an installed Quet."""
    if folder.is_installed:
        raise BadParameter("The table that came with Quet stays as it is; name a folder of your own with --folder.")


def enter(
    folder: Folder,
    certificate: "Json | Certificate",
    *,
    finder: str,
    is_trusted: bool,
    command: str = "",
    limits: Limits = USUAL,
) -> Entered:
    """Check a certificate and enter its better sides. Raises BadCertificate, or Refused if no side is better.

    `command` makes the certificate again; it is empty if nobody knows one.
    """
    whole = Claim.of(certificate, limits=limits)
    claim = whole if is_trusted else without_trust(whole)
    today = datetime.date.today().isoformat()
    with folder.locked():
        asked = claim.row(finder, today, None, ("low", "high"))
        rows = folder.rows(asked.game)
        before = next((row for row in rows if row.question == asked.question), None)
        if any(row.certificate == asked.certificate and row.question != asked.question for row in rows):
            raise Refused(f"{asked.name()}: A certificate of another row has the name {asked.certificate} already.")
        if before is None:
            row, joined = asked, claim
        else:
            old = kept(folder, before)
            better, stronger = _better(old, claim, before, whole)
            joined = join(old, claim, better | stronger)
            row = joined.row(finder, today, before, better | stronger - {claim.reached})
        folder.enter(row, joined.file(), joined.certificate["digest"], command if joined is claim else "")
    return Entered(row, before, joined.trusted, () if claim is whole else whole.trusted)


def kept(folder: Folder, row: Row) -> Claim:
    """The claim of a row's certificate, which was checked when it was entered.

    It is checked again where it doesn't claim what the row says. Raises BadCertificate with the file's name, or Refused
    if it is missing.
    """
    missing = folder.missing(row)
    if missing:
        raise Refused(f"{row.name()}: The certificate of the table is needed to compare. {missing}")
    file = folder.certificate(row)
    try:
        certificate = certificate_file.read(file)
        known = Claim.of(certificate, is_known=True)
        is_as_entered = known.row(row.finder, row.date, row, ()) == row
        return known if is_as_entered else Claim.of(certificate)
    except BadCertificate as error:
        raise BadCertificate(error.sentence, file=printable(str(file), 200), step=error.step) from None


def _better(old: Claim, claim: Claim, before: Row, whole: Claim) -> tuple[set[str], set[str]]:
    """The sides on which the new claim is better, and those on which it is as good and better founded.

    `whole` is the submitted claim; `claim` may lack what in it can't be checked. Raises Refused if there is no such
    side, or if the two claims contradict each other.
    """
    if claim.is_better(claim.value, before.bound) or claim.is_better(before.value, claim.bound):
        raise Refused(
            f"{before.name()}: The table has {_known(before)} and this is {_told(claim)}: one of them is wrong; "
            f"look at {before.certificate}."
        )
    better, stronger = set(), set()
    was_interrupted = old.proof != before.proof and old.proof == claim.proof  # after the certificate was written
    for side, is_above, here in (
        (claim.reached, claim.is_better(claim.value, before.value), claim.value == before.value),
        (claim.other, claim.is_better(before.bound, claim.bound), claim.bound == before.bound),
    ):
        if is_above:
            better.add(side)
        elif here and (claim.strength(side) > old.strength(side) or was_interrupted):
            stronger.add(side)
    if not better and not stronger:
        more = "" if claim is whole else f" (only --trust makes it {_told(whole)})"
        raise Refused(
            f"{before.name()}: The table has {_known(before)}, and this is {_told(claim)}{more}, which is no better."
        )
    return better, stronger


def _read(file: str) -> bytes:
    try:
        return read_file(file, certificate_file.LARGEST_FILE)
    except UnreadableFile as error:
        raise BadParameter(f"{shorten(file, 200)}: {error}") from None


def _games(content: bytes, file: str) -> list[record.Record]:
    """The records in a file, at least one; none if the file has a certificate."""
    if content.startswith(b"\x1f\x8b") or (content.lstrip()[:1] == b"{" and f'"{verify.FORMAT}"'.encode() in content):
        return []
    if len(content) > record.LARGEST_FILE:
        raise BadParameter(f"{shorten(file, 200)}: It is larger than 16 MB.")
    games = record.decode(content, file)
    if not games:
        raise BadParameter(f"{shorten(file, 200)}: It holds neither a certificate nor a record of a game.")
    return games


def _known(row: Row) -> str:
    return _words(row.score, row.value, row.bound)


def _told(claim: Claim) -> str:
    return _words(claim.score, claim.value, claim.bound)


def _words(score: str, value: Value, bound: Value) -> str:
    if value == bound:
        return f"{told(value)}, proven"
    if score == "value":
        return f"from {value} to {bound}"
    return f"{value}, and at {'least' if score == 'lowest' else 'most'} {bound}"
