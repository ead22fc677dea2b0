"""The theorems are about the games that are played: Coq's rules agree with ours in random positions."""

import pytest

import rules_in_coq


@pytest.fixture
def _program() -> None:
    if not rules_in_coq.PROGRAM.exists():
        pytest.skip("the rules that Coq extracts aren't built; make checker builds them")


@pytest.mark.usefixtures("_program")
@pytest.mark.parametrize("id", sorted(rules_in_coq.SIZES))
def test_the_rules_in_coq_agree_with_ours(id: str) -> None:
    assert rules_in_coq.compare(id, 700) >= 700
