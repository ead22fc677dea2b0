"""Errors that end a program with a sentence."""

import argparse
from pathlib import Path

import pytest

from quet.core.errors import BadParameter, refusing


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (BadParameter("It is\ntoo large."), "ours: error: It is\\ntoo large.\n"),
        (None, "ours: error: nothing.npz: No such file or directory.\n"),
    ],
)
def test_what_is_asked_for_in_vain_is_told_in_one_line(
    error: Exception | None, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"), refusing(argparse.ArgumentParser(prog="ours")):
        if error is not None:
            raise error
        Path("nothing.npz").read_bytes()
    assert capsys.readouterr().err.endswith(sentence)


def test_an_error_that_names_no_file_is_let_through() -> None:
    with pytest.raises(BrokenPipeError), refusing(argparse.ArgumentParser(prog="ours")):
        raise BrokenPipeError(32, "Broken pipe")
