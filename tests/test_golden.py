"""Playthroughs and pictures stand as they stood; where a change is meant, `make golden` and look at the diff."""

from pathlib import Path

import pytest

from golden import make


@pytest.mark.parametrize(("path", "text"), make.files().items(), ids=lambda value: getattr(value, "name", ""))
def test_golden_file_is_as_it_was(path: Path, text: str) -> None:
    assert path.read_text(encoding="utf-8") == text


def test_no_golden_file_is_left_over() -> None:
    kept = {path for path in make.HERE.iterdir() if path.suffix in (".txt", ".svg")}
    assert kept == {path for path in make.files() if path.parent == make.HERE}
