"""`quet solve --time` ends by its time, whatever had to be compiled."""

import json
from types import ModuleType

import pytest

import quet
from quet.cli.main import main
from quet.core.clock import clock
from quet.core.errors import NotCompiled
from quet.engine import beside, compiled


class NeverReady:
    """A compiler that needs longer than the time."""

    asked: list[float] = []  # noqa: RUF012 - shared
    has_begun = True

    def __init__(self, until: float, begun: object) -> None:
        self.asked.append(until)

    def compile(self, wanted: compiled.Wanted) -> bool:
        raise NotCompiled

    def check(self) -> None:
        raise NotCompiled

    def give_up(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing runs."""


@pytest.fixture
def nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules whose functions were wanted; none of them is ready."""
    wanted: list[str] = []

    def made(search: ModuleType, bound: object) -> ModuleType:
        wanted.append(search.__name__)
        raise NotCompiled

    monkeypatch.setattr(compiled, "_made", made)
    monkeypatch.setattr(beside, "Beside", NeverReady)
    NeverReady.asked, NeverReady.has_begun = [], True
    return wanted


def solved(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main(["solve", *words, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_where_nothing_is_ready_every_game_tells_what_is_known(
    game_id: str, nothing_compiled: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A part of a second is no time to compile. No function is compiled here, and a whole game is told."""
    begun = clock()
    found = solved(capsys, game_id, "--time", "0.3")
    assert found["witness"]
    assert all(begun < until - 0.3 < clock() for until in NeverReady.asked) and len(NeverReady.asked) == 1
    game = quet.new(game_id)
    for move in found["witness"]:  # type: ignore[attr-defined]
        game.play(move)
    assert game.is_over
    if game.num_players == 1:
        assert solved(capsys, game_id, "--time", "0.3", "--lowest")["low"] is not None


def test_who_waits_is_told_once_why(nothing_compiled: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "palindromes", "--time", "0.3"]) == 0
    assert capsys.readouterr().err == "quet: The time was over first. Compiling goes on, for the next time.\n"
    NeverReady.has_begun = False
    assert main(["solve", "palindromes", "--time", "0.3"]) == 0
    assert capsys.readouterr().err == ""


def test_without_a_time_nothing_is_left_to_another_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(beside, "Beside", NeverReady)
    NeverReady.asked = []
    assert solved(capsys, "palindromes", "m=4")["status"] == "proven" and not NeverReady.asked
