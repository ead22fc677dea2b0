"""Games for two whose value the table of results has: it is known at the start and along the witness, and played."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

import independent
import quet
from quet.game import Game
from quet.knowledge.hints import hint
from quet.knowledge.known import Budget, How, Known
from quet.knowledge.sources import ResultsOfMany, ResultsOfTwo, ResultsWarning
from quet.knowledge.values import exact_values
from quet.players.levels import LEVELS, LevelPlayer
from quet.players.player import PerfectPlayer
from quet.results.folder import find
from quet.results.row import QUET, Row
from quet.study.look import look

SMALL = {  # sizes that are solved in an instant
    "blob": 5,
    "convoluted-coprimality": 8,
    "divisors-multiples": 14,
    "palindromes": 14,
    "plusses-minuses": 6,
}
SMALLEST = {"blob": 3, "divisors-multiples": 2, "palindromes": 5, "plusses-minuses": 2}  # for the second referee
ROWS = [row for game in SMALL for row in find(None).rows(game) if row.score == "value"]


def _id(row: Row) -> str:
    return row.name()


def _known(game: Game) -> Known | None:
    return ResultsOfTwo().look(game, Budget(0.0))


@pytest.mark.parametrize("row", [row for row in ROWS if row.size <= SMALL[row.game]], ids=_id)
def test_every_position_along_a_witness_has_the_value_of_its_row(row: Row) -> None:
    game = quet.new(row.game, **row.parameters)
    for move in row.witness.split():
        known, values = _known(game), exact_values(game)
        assert known is not None and values is not None
        assert known.is_exact and known.is_settled and known.how is How.ROW
        assert known.low == max(values.values()) and all(values[one] == known.low for one in known.moves)
        assert known.moves[0] == known.line[0] == move
        game.play(move)
    assert game.is_over and game.scores[0] - game.scores[1] == row.value


@pytest.mark.parametrize("row", [row for row in ROWS if row.size <= SMALLEST.get(row.game, 0)], ids=_id)
def test_a_second_referee_finds_the_values_that_are_told(row: Row) -> None:
    game = quet.new(row.game, **row.parameters)
    names = {name: value for name, value in row.parameters.items() if type(value) is int}
    other, seen = independent.new(row.game, **names), dict[object, int]()
    for move in row.witness.split():
        known, sign = _known(game), 1 if (game.mover == 1) != game.rules.LOWER_IS_BETTER else -1
        assert known is not None and known.low == known.high == sign * _value(other, seen)
        game.play(move)
        other.play(move)


def _value(game: independent.Game, seen: dict[object, int]) -> int:
    """Player 1's score minus player 2's under perfect play, by trying all games."""
    key = " ".join(game.moves)
    if key not in seen:
        after = [game.copy() for _ in game.legal()]
        for one, move in zip(after, game.legal(), strict=True):
            one.play(move)
        first, second = game.scores()
        is_high = (game.turn() == 1) == (game.best([0, 1]) == 1) if after else True
        found = [_value(one, seen) for one in after]
        seen[key] = first - second if not after else max(found) if is_high else min(found)
    return seen[key]


def test_a_draw_of_blob_is_kept_by_all_who_are_asked_at_its_start() -> None:
    game = quet.new("blob", n=7)
    draws = ["b1", "f1", "b7", "f7"]  # d1, which a search likes, loses
    assert hint(game, seconds=0.2).worth == "a draw (proven: table of results)"
    assert hint(game, seconds=0.2).move in draws
    assert PerfectPlayer(1).choose(game) in draws
    for name in ("level:6", "level:7"):
        player = LevelPlayer(LEVELS[name], 1, num_threads=1)
        assert player.choose(game) in draws and player.how == "proven: table of results"
    seen = look(game, seconds=0.2)
    assert seen.move in draws and seen.is_exact
    assert quet.value(game, seconds=0.5) == _known(game)


def test_a_game_may_follow_an_image_of_the_witness() -> None:
    witness = next(row for row in ROWS if row.name() == "palindromes m=13, value").witness.split()
    game = quet.new("palindromes", m=13)
    for number, move in enumerate(witness):
        known, values = _known(game), exact_values(game)
        assert known is not None and values is not None and known.low == max(values.values())
        assert known.moves and all(values[one] == known.low for one in known.moves)
        square, _, digit = move.partition("=")
        mirrored = f"{14 - int(square)}={1 - int(digit)}"
        assert not number or mirrored in known.moves
        game.play(mirrored)
    assert [_known(quet.new("blob", n=7).after(move)) is None for move in ("f7", "d1")] == [False, True]


def test_nothing_is_told_of_games_that_the_table_does_not_have() -> None:
    assert _known(quet.new("palindromes", m=40)) is None
    assert _known(quet.new("up-and-up", n=3)) is None
    assert _known(quet.new("divisors-multiples", r=12, players=3)) is None
    left = quet.new("palindromes", m=24).after("12=0")
    assert _known(left) is None
    begun = quet.position("palindromes", "0" + "." * 23, m=24)
    assert begun.start and _known(begun) is None


def _table(folder: Path, row: Row) -> None:
    (folder / "results").mkdir()
    (folder / "results" / f"{row.game}.jsonl").write_text(json.dumps(asdict(row)) + "\n")


def test_an_open_row_has_two_bounds_for_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proven = next(row for row in ROWS if row.name() == "divisors-multiples r=22, value")
    _table(tmp_path, replace(proven, value=-60, bound=-40, status="open", witness=""))
    monkeypatch.chdir(tmp_path)
    game = quet.new("divisors-multiples", r=22)
    known = _known(game)
    assert known is not None and (known.low, known.high, list(known.moves)) == (40, 60, [])  # costs: low is good
    assert _known(game.after("19!")) is None


def test_a_damaged_table_is_passed_over_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "blob.jsonl").write_text("nonsense\n")
    monkeypatch.chdir(tmp_path)
    with pytest.warns(ResultsWarning, match="not used: .*line 1"):
        assert _known(quet.new("blob", n=7)) is None


@pytest.mark.parametrize(
    ("proof", "finder", "is_used"), [("table", "Ann", True), ("weak", "Ann", False), ("weak", QUET, True)]
)
def test_a_witness_is_followed_only_where_its_moves_are_known_to_keep_the_value(
    proof: str, finder: str, is_used: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proven = next(row for row in ROWS if row.name() == "palindromes m=9, value")
    blunders = ["5=0", "4=1"]  # the checker looks at the end of a game alone, unless it has a table
    _table(tmp_path, replace(proven, proof=proof, finder=finder, witness=" ".join(blunders)))
    monkeypatch.chdir(tmp_path)
    game = quet.new("palindromes", m=9)
    known = _known(game)
    assert known is not None and (known.low, known.high) == (2, 2)
    assert list(known.moves) == blunders[:1] * is_used and list(known.line) == blunders * is_used
    assert (_known(game.after(blunders[0])) is not None) == is_used


def test_what_many_lead_to_is_told_only_where_the_moves_are_known_to_be_perfect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = quet.new("divisors-multiples", r=12, players=3)
    row = next(row for row in find(None).rows(game.id) if row.name() == "divisors-multiples r=12 players=3, scores")
    assert ResultsOfMany().look(game, Budget(0.0)) is not None
    _table(tmp_path, replace(row, finder="Ann"))
    monkeypatch.chdir(tmp_path)
    assert ResultsOfMany().look(game, Budget(0.0)) is None
