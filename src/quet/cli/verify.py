"""`quet verify`: checks certificates with nothing but the rules."""

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..certificates import certificate_file
from ..core.errors import BadCertificate, BadParameter, QuetError
from ..core.files import UnreadableFile, read_file
from ..core.quoting import printable
from .files import INPUT, STANDARD, check_apart, check_writable, read_input, write
from .progress import patience

if TYPE_CHECKING:
    from ..certificates.limits import Limits
    from ..certificates.verify import Verified

MISSING = 3  # the exit status where a certificate is missing, or what it rests on can't all be checked


def run(
    files: Sequence[str],
    limits: "Limits",
    *,
    is_json: bool,
    cnf: str | None = None,
    drat: str | None = None,
    lrat: str | None = None,
) -> tuple[int, list[dict[str, object]]]:
    """Check certificates, and print what came out unless JSON is wanted.

    `cnf`, `drat` and `lrat` are files to which the clauses and the proof of one certificate are written, the latter
    without and with the reasons of its steps, for other checkers; one of them may be `-`, standard output.
    Returns the exit status as `status_of` has it, and what came out as data for JSON. Raises QuetError where a file
    can't be read or written, or there is nothing to write, or not one certificate: before anything is checked, as far
    as that is known then.
    """
    from ..certificates.check_unsat import dimacs
    from ..certificates.verify import check
    from ..engine import reasons

    exported: dict[str, str] = {}  # by the name of the file

    def export(clauses: Sequence[Sequence[int]], proof: str) -> None:
        if cnf is not None:
            exported[cnf] = dimacs(reasons.in_order(clauses))
        if drat is not None:
            exported[drat] = proof
        if lrat is not None:
            exported[lrat] = reasons.lrat(clauses, proof.splitlines())

    outputs = [name for name in (cnf, drat, lrat) if name is not None]
    if outputs and len(files) != 1:
        raise QuetError("--cnf, --drat and --lrat are for one certificate at a time.")
    if is_json and STANDARD in outputs:
        raise BadParameter("Give --json or a proof to -, not both: each writes to standard output.")
    check_apart({"--cnf": cnf, "--drat": drat, "--lrat": lrat}, {"FILE": files[0]})
    for output in outputs:
        check_writable(output)
    contents = [(file, _content(file)) for file in files]
    contents.reverse()  # so that each is given up when it is checked
    out = sys.stderr if STANDARD in outputs else sys.stdout
    results: list[dict[str, object]] = []
    while contents:
        file, content = contents.pop()
        name = printable(file, 200)
        try:
            with patience(f"{name}: still checking. The largest certificates take half an hour or more."):
                certificate = certificate_file.from_bytes(content)
                if outputs and not _may_have_proof(certificate):
                    raise QuetError(f"{name} rests on no proof of a SAT solver, so nothing was written.")
                found = check(certificate, export=export, reasons=reasons.with_reasons, limits=limits)
        except BadCertificate as error:
            results.append({"file": file, "verdict": "refuted", "step": error.step, "error": error.sentence})
            if not is_json:
                print(line_of("refuted", f"{name}: {error.step}: {error.sentence}"), file=out, flush=True)
            continue
        results.append({"file": file, "verdict": found.verdict.value, **_verified(found)})
        if not is_json:
            with contextlib.redirect_stdout(out):
                _print_verified(file, found)
    for output, text in exported.items():
        write(output, text.encode())
    if outputs and not exported and results[0]["verdict"] != "refuted":
        raise QuetError(
            f"{printable(files[0], 200)}: The proof takes more memory than allowed, so nothing was written."
        )
    return status_of([str(result["verdict"]) for result in results]), results


def status_of(verdicts: Sequence[str]) -> int:
    """The exit status: 1 if something is refuted, 0 if all is verified, else MISSING."""
    return 1 if "refuted" in verdicts else 0 if set(verdicts) <= {"verified"} else MISSING


def line_of(verdict: str, what: str) -> str:
    """A line that begins with the verdict."""
    return f"{verdict:10} {what}"


def _may_have_proof(certificate: certificate_file.Json) -> bool:
    """Whether a certificate has the proof of a SAT solver, or is none, which its check tells."""
    grounds = certificate.get("grounds") if isinstance(certificate, dict) else None
    if not isinstance(grounds, list):
        return True
    return any(not isinstance(ground, dict) or ground.get("kind") == "unsat" for ground in grounds)


def _content(file: str) -> bytes:
    """What is in a file or in standard input, read once.

    Raises UnreadableFile, which names the file and says how to get a certificate of the table that isn't here.
    """
    if file == STANDARD:
        content = read_input(certificate_file.LARGEST_FILE)
        if content is None:
            raise UnreadableFile(f"{INPUT}: It is larger than {certificate_file.LARGEST_FILE / 1e6:g} MB.")
        return content
    try:
        return read_file(file, certificate_file.LARGEST_FILE)
    except UnreadableFile as error:
        raise UnreadableFile(f"{printable(file, 200)}: {_where(file) or error}") from None


def _where(file: str) -> str:
    """A sentence that says how to get a certificate of the table that isn't here; empty for any other file."""
    from ..results import larger
    from ..results.folder import find

    with contextlib.suppress(QuetError):
        name = Path(file).name
        about = find(None).larger().get(name)
        if about is not None and not Path(file).exists():
            return larger.sentence(name, about)
    return ""


def _verified(found: "Verified") -> dict[str, object]:
    return {
        "game": found.game,
        "parameters": found.parameters,
        "claim": found.claim,
        "checked": found.checked,
        "trusted": found.trusted,
    }


def _print_verified(file: str, found: "Verified") -> None:
    inside = " ".join(f"{name}={value}" for name, value in found.parameters.items())
    print(line_of(found.verdict, f"{file}: {found.game} {inside}: {found.claim}."))
    for sentence in found.checked:
        print(line_of("", f"checked: {sentence}"))
    for sentence in found.trusted:
        print(line_of("", f"not checked here: {sentence}"), flush=True)
