"""The notebooks of the documentation run, print what they say they print, and have a page each."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "make"))

import nbformat  # noqa: E402 - after the path, as the next

import notebook_pages  # noqa: E402


@pytest.mark.parametrize("name", notebook_pages.names())
def test_a_notebook_prints_what_it_says(name: str) -> None:
    kept = nbformat.read(notebook_pages.NOTEBOOKS / f"{name}.ipynb", as_version=4)
    anew = notebook_pages.executed(name)
    for before, after in zip(kept.cells, anew.cells, strict=True):
        if before.cell_type == "code":
            assert notebook_pages.printed(after) == notebook_pages.printed(before), before.source
    assert f"notebooks/{name}.md" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def test_a_page_has_the_words_the_code_and_what_it_prints() -> None:
    pages = notebook_pages.pages()
    assert sorted(pages) == ["notebooks/dataset.md", "notebooks/oracle.md", "notebooks/regret.md"]
    page = pages["notebooks/oracle.md"]
    assert page.startswith("# The oracle: exact values\n\n`quet.rl.oracle` knows")
    assert "```python\noracle.value(position), oracle.best(position)\n```\n\n```text\n(-4, ['2=0', '7=1'])\n```" in page
