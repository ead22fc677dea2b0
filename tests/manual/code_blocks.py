"""The blocks of code on the pages of the project, and the commands in them."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAMS = (
    "quet",
    "python",
    "python3",
    "make",
    "pip",
    "quet/bin/pip",
    "git",
    "mkdir",
    "checker/quet-check",
    "lrat-check",
)
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"^(?<=\n\n)(?: {4}.*\n(?:\n+(?= {4}))?)+", re.MULTILINE)
_LIST = re.compile(r"^(?:[-*]|\d+\.) ")


@dataclass(frozen=True)
class Block:
    """A block of code."""

    page: str  # its path in the project
    number: int  # on the page, from 1 on
    language: str  # empty where none is named, as in all blocks that are indented
    text: str

    def __str__(self) -> str:
        return f"{self.page}-{self.number}"

    @property
    def is_commands(self) -> bool:
        """Whether a person types its lines into a shell."""
        first = self.text.split(maxsplit=1)[0]
        return self.language == "sh" or (not self.language and (first in PROGRAMS or first.startswith("QUET_")))

    def commands(self) -> list[str]:
        """Its commands, each on one line and without a comment."""
        lines = self.text.replace("\\\n", " ").splitlines()
        parts = (part for line in lines for part in re.split(r"\s+&&\s+", re.sub(r"\s+# .*", "", line)))
        return [re.sub(r" +", " ", part).strip() for part in parts if part.strip()]


def pages() -> list[Path]:
    """All pages that people wrote."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return [ROOT / name for name in sorted(set(listed)) if (ROOT / name).exists() and not name.startswith("src/")]


def blocks() -> Iterator[Block]:
    """All blocks of code, page by page."""
    for page in pages():
        text = page.read_text(encoding="utf-8")
        name = page.relative_to(ROOT).as_posix()
        found = [(match.start(), match[1], match[2]) for match in _FENCED.finditer(text)]
        plain = _FENCED.sub(lambda match: re.sub(r"[^\n]", ".", match[0]), text)
        for match in _INDENTED.finditer(plain):
            before = plain[: match.start()].rstrip("\n").rpartition("\n\n")[2]
            if match[0].strip() and not _LIST.match(before):
                found.append((match.start(), "", re.sub(r"^ {4}", "", match[0], flags=re.MULTILINE)))
        for number, (_, language, inside) in enumerate(sorted(found), 1):
            yield Block(name, number, language, inside)


def named(page: str, first: str) -> Block:
    """The block of a page that begins with these words."""
    (found,) = [block for block in blocks() if block.page == page and block.text.startswith(first)]
    return found
