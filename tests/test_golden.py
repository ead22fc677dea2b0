"""Playthroughs and pictures stand as they stood; where a change is meant, `make golden` and look at the diff."""

import pytest

from conftest import check_games
from golden import make


@pytest.mark.parametrize("id", make.SIZES)
def test_golden_files_are_as_they_were(id: str) -> None:
    for path, text in make.files(id).items():
        assert path.read_text(encoding="utf-8") == text, path.name


def test_no_golden_file_is_left_over() -> None:
    kept = {path for path in make.HERE.iterdir() if path.suffix in (".txt", ".svg")}
    assert kept == {path for id in make.SIZES for path in make.files(id) if path.parent == make.HERE}


def test_every_game_of_this_package_has_at_least_five_playthroughs() -> None:
    check_games(make.SIZES, "SIZES in tests/golden/make.py")
    check_games(make.MORE, "MORE in tests/golden/make.py")
    few = [id for id, sizes in make.MORE.items() if len(sizes) < 4]
    assert few == [], "MORE in tests/golden/make.py has at least four sizes of each game."


def test_make_golden_names_a_game_that_has_no_sizes_and_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(make.SIZES, "blob")
    monkeypatch.delitem(make.MORE, "palindromes")
    monkeypatch.setattr(make, "files", None)
    said = (make.main() or "").splitlines()  # which makes the exit status 1
    assert "blob has no SIZES in tests/golden/make.py." in said
    assert "palindromes has no MORE in tests/golden/make.py." in said
