"""The option `--memory MB`: the same bounds in every command that searches, and it reaches the searches."""

from pathlib import Path

import pytest

import quet
from quet.cli.limits import in_bytes
from quet.cli.main import main
from quet.core.errors import BadParameter
from quet.knowledge import search
from quet.play.session import Session, seat
from quet.players import arena, levels, playing
from quet.study import outlook


def test_the_memory_is_bounded() -> None:
    assert (in_bytes(None), in_bytes(16), in_bytes(2**20)) == (None, 2**24, 2**40)
    for wrong in (-1, 0, 15, 2**20 + 1, 10**30):
        with pytest.raises(BadParameter, match="from 16 to 1048576 MB"):
            in_bytes(wrong)


@pytest.mark.parametrize(
    "words",
    [
        "play palindromes m=4 --plain",
        "arena palindromes m=4 --players random,level:1",
        "analyse FILE",
        "solve palindromes m=4",
    ],
)
def test_every_command_that_searches_refuses_a_memory_out_of_bounds(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    assert main([*words.replace("FILE", str(file)).split(), "--memory", "15"]) == 2
    assert "The memory must be from 16 to 1048576 MB." in capsys.readouterr().err


def test_the_memory_reaches_the_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def noted(*args: object, memory: int | None = None, **others: object) -> object:
        asked.append(memory)
        return search.search_for(*args, memory=memory, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(levels, "search_for", noted)
    monkeypatch.setattr(outlook, "search_for", noted)
    game = quet.new("blob", n=3)
    Session(game, [seat("level:1")], memory=2**24).play_computer()
    met = arena.tournament("blob", {"n": 3}, ["random", "level:1"], num_games=2, memory=2**25)
    list(playing.play_all(met.fixtures()[:1], memory=met.memory))
    outlook.look(game, simulations=2, seed=0, memory=2**26)
    assert set(asked) == {2**24, 2**25, 2**26}
    assert (
        met.fixtures()[0].strengths != arena.tournament("blob", {"n": 3}, ["random", "level:1"]).fixtures()[0].strengths
    )
