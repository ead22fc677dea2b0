"""`quet verify`: checks certificates with nothing but the rules."""

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..certificates import certificate_file
from ..core.errors import BadCertificate, QuetError
from ..core.grid import shorten
from .files import STANDARD, read_input

if TYPE_CHECKING:
    from ..certificates.verify import Verified


def run(files: Sequence[str], *, is_json: bool) -> tuple[int, list[dict[str, object]]]:
    """Check certificates, and print what came out unless JSON is wanted.

    Returns the exit status, 1 if a certificate doesn't hold, and what came out as data for JSON.
    """
    from ..certificates.verify import verify

    results = []
    for file in files:
        try:
            found = _verified_input() if file == STANDARD else verify(file)
        except BadCertificate as error:
            where = _where(file)
            results.append({"file": file, "holds": False, "step": error.step, "error": where or error.sentence})
            if not is_json:
                print(f"FAIL  {shorten(file, 200)[1:-1]}: {where}" if where else f"FAIL  {error}", flush=True)
            continue
        results.append({"file": file, "holds": True, **_verified(found)})
        if not is_json:
            _print_verified(file, found)
    return int(any(not result["holds"] for result in results)), results


def _verified_input() -> "Verified":
    """What the certificate in standard input proves; raises BadCertificate."""
    from ..certificates.verify import check

    content = read_input(certificate_file.LARGEST_FILE)
    if content is None:
        raise BadCertificate("It is larger than 100 MB.", step="file")
    return check(certificate_file.from_bytes(content))


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
    print(f"ok    {file}: {found.game} {inside}: {found.claim}.")
    for sentence in found.checked:
        print(f"      checked: {sentence}")
    for sentence in found.trusted:
        print(f"      not checked here: {sentence}", flush=True)
