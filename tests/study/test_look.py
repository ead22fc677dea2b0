"""Looks at one position: what they find doesn't depend on who else needs the processor."""

import pytest

import quet
from quet.knowledge.ask import ask
from quet.knowledge.known import Budget, Known
from quet.knowledge.sources import OF_MOVES
from quet.study import look


@pytest.mark.parametrize(("seconds_lost", "num_asked"), [(0.1, 1), (2.9, look.TRIES)])
def test_exact_values_are_looked_for_again_where_others_had_the_processor(
    seconds_lost: float, num_asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, asked = 0.0, 0

    def nothing(*_: object) -> None:
        nonlocal now, asked
        now += seconds_lost
        asked += 1

    monkeypatch.setattr(look, "clock", lambda: now)
    monkeypatch.setattr(look, "ask", nothing)
    assert look._of_moves(quet.new("palindromes", m=4), Budget(look.OF_SOLVING)) is None
    assert asked == num_asked


def test_exact_values_found_at_the_second_try_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    game = quet.new("palindromes", m=4).after("1=0")
    known = ask(game, Budget(60.0), OF_MOVES)
    found: list[Known | None] = [known, None]
    times = iter([0.0, 3.0, 3.0, 3.0])
    monkeypatch.setattr(look, "clock", lambda: next(times))
    monkeypatch.setattr(look, "ask", lambda *_: found.pop())
    assert look._of_moves(game, Budget(look.OF_SOLVING)) is known
