"""What docs/proofs.md says about the theorems that Coq checks: `python tests/test_proofs.py` mends the line numbers.

Coq itself runs in `make proofs`, which CI calls.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "proofs.md"
CITED = re.compile(r"`(\w+)`,\s+\[proofs/(\w+\.v), line \d+\]\(\.\./proofs/\w+\.v#L\d+\)")


def line_of(name: str, file: str) -> int:
    """The line where the theorem or definition of this name stands."""
    lines = (ROOT / "proofs" / file).read_text("utf-8").splitlines()
    (number,) = [k for k, line in enumerate(lines, 1) if re.match(rf"(Theorem|Lemma|Definition) {name}\b", line)]
    return number


def with_lines(text: str) -> str:
    """The page with the number of the line of each theorem that it cites."""

    def cite(match: re.Match[str]) -> str:
        name, file = match.groups()
        number = line_of(name, file)
        return f"`{name}`, [proofs/{file}, line {number}](../proofs/{file}#L{number})"

    return CITED.sub(cite, text)


def test_the_page_says_where_each_theorem_stands() -> None:
    text = PAGE.read_text("utf-8")
    assert len(re.findall(r"proofs/\w+\.v, line", text)) == len(CITED.findall(text)), "a citation is written otherwise"
    assert with_lines(text) == text, "run python tests/test_proofs.py"


def test_the_assumptions_of_every_theorem_of_the_page_are_printed() -> None:
    printed = re.findall(r"^Print Assumptions (\w+)\.$", (ROOT / "proofs/Assumptions.v").read_text("utf-8"), re.M)
    assert printed
    assert {name for name, _ in CITED.findall(PAGE.read_text("utf-8"))} <= set(printed)


def test_every_file_of_proofs_is_checked() -> None:
    listed = (ROOT / "proofs/_CoqProject").read_text("utf-8").split()
    files = {file.name for file in (ROOT / "proofs").glob("*.v")}
    assert files - {"Assumptions.v", "Extract.v"} == {word for word in listed if word.endswith(".v")}


if __name__ == "__main__":
    PAGE.write_text(with_lines(PAGE.read_text("utf-8")), "utf-8")
