"""Links in the text that people read in the repository lead somewhere there, or the text says who makes the page."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "make"))

import command_page  # noqa: E402 - of docs/make, as the next two
import game_pages  # noqa: E402
import listings  # noqa: E402

PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
MADE = "`make docs` makes"  # stands beside a link to a page that isn't in the repository
_LINK = re.compile(r"\]\(([^)#\s]+)[^)\s]*\)")


@pytest.fixture(scope="module")
def made() -> set[Path]:
    """The pages that `make docs` makes."""
    return {DOCS / path for path in game_pages.pages() | command_page.pages() | listings.pages()}


def dead_links(page: Path, text: str, made: set[Path]) -> list[str]:
    """The links of a page that lead nowhere in a clone, and don't say beside them that a page is made."""
    dead = []
    for block in re.split(r"\n\s*\n|(?<=\|)\n", text):
        for target in _LINK.findall(block):
            file = (page.parent / target).resolve()
            if "://" not in target and not file.exists() and not (file in made and MADE in " ".join(block.split())):
                dead.append(target)
    return dead


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_link_leads_to_a_file_or_says_that_the_page_is_made(page: Path, made: set[Path]) -> None:
    assert dead_links(page, page.read_text(encoding="utf-8"), made) == []


def test_a_dead_link_is_found(made: set[Path]) -> None:
    page = DOCS / "site.md"
    assert dead_links(page, "[it](nothing.md), [it](commands.md) and [it](records.md#top)\n", made) == [
        "nothing.md",
        "commands.md",
    ]
    assert dead_links(page, "[it](nothing.md), a page that `make docs` makes", made) == ["nothing.md"]
    assert dead_links(page, "[it](commands.md#quet-play), a page that `make\ndocs` makes", made) == []
    assert dead_links(page, "[it](https://example.org)", made) == []
