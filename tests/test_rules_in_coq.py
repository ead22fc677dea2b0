"""The theorems are about the games that are played: Coq's rules agree with ours in random positions."""

import os
from pathlib import Path

import pytest

import rules_in_coq


@pytest.fixture
def _program() -> None:
    if not rules_in_coq.is_built(rules_in_coq.PROGRAM):
        pytest.skip("the rules that Coq extracts aren't built; make checker builds them")


@pytest.mark.usefixtures("_program")
@pytest.mark.parametrize("id", sorted(rules_in_coq.SIZES))
def test_the_rules_in_coq_agree_with_ours(id: str) -> None:
    assert rules_in_coq.compare(id, 700) >= 700


def test_a_program_that_is_older_than_its_sources_is_no_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules_in_coq, "ROOT", tmp_path)
    program, source = tmp_path / "checker" / "quet-check", tmp_path / "proofs" / "Game.v"
    for file in (source, program):
        file.parent.mkdir()
        assert not rules_in_coq.is_built(program)
        file.touch()
    os.utime(source, (1, 1))
    assert rules_in_coq.is_built(program)
    os.utime(program, (0, 0))
    with pytest.raises(AssertionError, match=r"^proofs/Game\.v is newer than checker/quet-check: run make checker\.$"):
        rules_in_coq.is_built(program)
