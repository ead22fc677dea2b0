"""Playthroughs and pictures stand as they stood; where a change is meant, `make golden` and look at the diff."""

import pytest

from golden import make
from quet import games


@pytest.mark.parametrize("id", make.SIZES)
def test_golden_files_are_as_they_were(id: str) -> None:
    for path, text in make.files(id).items():
        assert path.read_text(encoding="utf-8") == text, path.name


def test_no_golden_file_is_left_over() -> None:
    kept = {path for path in make.HERE.iterdir() if path.suffix in (".txt", ".svg")}
    assert kept == {path for id in make.SIZES for path in make.files(id) if path.parent == make.HERE}


def test_every_game_of_this_package_has_at_least_five_playthroughs() -> None:
    ours = {id for id, folder in games.folders().items() if folder.startswith(f"{games.__name__}.")}
    assert ours == set(make.SIZES) == set(make.MORE)
    assert all(len(sizes) >= 4 for sizes in make.MORE.values())
