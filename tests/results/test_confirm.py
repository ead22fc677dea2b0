"""Second ways: each finds on small sizes what the table or the solver has, and a wrong value is caught."""

import contextlib
import itertools
import math
import random
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quet
from certified import Made, empty_table, reached, resealed, searched, value_of
from quet.core.errors import BrokenRules
from quet.core.rules import difference, legal_moves
from quet.core.state import copy
from quet.distribution.task import Task
from quet.games.blob import second as blob
from quet.games.divisors_multiples import second as divisors_multiples
from quet.games.palindromes import second as palindromes
from quet.games.plusses_minuses import second as plusses_minuses
from quet.games.up_and_up import second as up_and_up
from quet.games.up_and_up import solve
from quet.results import confirm
from quet.results.folder import Folder
from quet.results.row import Row
from quet.results.second import second_way
from quet.results.submit import enter

TABLE = Folder(Path(__file__).parents[2] / "results")
SIZES: dict[str, Sequence[int]] = {
    "blob": (2, 3, 4),
    "convoluted-coprimality": (2, 3, 4, 8, 9, 21),
    "divisors-multiples": range(2, 13),
    "palindromes": (1, 2, 5, 8, 9, 12),
    "plusses-minuses": (2, 3, 4, 5),
    "up-and-up": (1, 2, 3, 6),
}


def way(game: str) -> Any:
    """The second way for small sizes."""
    return second_way(game, 1)


def rows(game: str) -> list[Row]:
    """The rows of the table that are found again here. Highest scores are not among them."""
    return [row for row in TABLE.rows(game) if row.size in SIZES[game] and row.score != "highest"]


def again(row: Row, until: float) -> Any:
    """What the second way finds."""
    module = way(row.game)
    if row.is_one_number:
        return module.value(row.parameters, row.value, row.bound, until)
    return module.scores(row.parameters, until)


def entered(folder: Folder, made: Made) -> Row:
    return enter(folder, made, finder="Ann Example", is_trusted=True).row


@pytest.mark.parametrize("game", SIZES)
def test_a_second_way_finds_what_the_table_has(game: str) -> None:
    for row in rows(game):
        assert again(row, math.inf) == row.value, row.name()


def test_a_second_way_finds_a_shorter_game_than_a_wrong_row_has() -> None:
    for row in TABLE.rows("up-and-up"):
        if row.is_lowest and row.is_proven and 1 < row.size < 12:
            wrong = replace(row, value=row.number + 1, bound=row.number + 1)
            assert again(wrong, math.inf) == row.value


@pytest.mark.parametrize("n", range(1, 6))
def test_the_games_of_up_and_up_are_counted_in_two_ways(n: int) -> None:
    """The solver counts them by symmetries and with code of its own."""
    task = Task()
    with contextlib.closing(task.workers):
        found = solve.solve(quet.new("up-and-up", n=n).state, task)
    assert found is not None
    assert up_and_up.num_games(n, n * n, range(n * n), math.inf) == found.counts["games of each score"]


def test_of_two_players_the_costs_differ_by_the_value() -> None:
    for r, value in ((4, -3), (8, -7), (11, 6)):
        scores = divisors_multiples.scores({"r": r, "players": 2}, math.inf)
        assert scores is not None
        assert scores[0] - scores[1] == value


def test_a_grid_of_two_has_all_sums_and_a_search_that_must_not_look_finds_nothing() -> None:
    two, three = (next(row for row in TABLE.rows("sums-grid") if row.size == n) for n in (2, 3))
    assert again(two, math.inf) == 8
    assert again(three, 0) is None


def test_what_has_a_second_way_is_confirmed() -> None:
    rest = [row for row in TABLE.rows() if confirm.rests_on_one(row) and second_way(row.game, row.size, row.score)]
    assert [row.name() for row in rest if row.size <= way(row.game).LARGEST] == []


def plain_value(rules: Any, s: Any) -> int:
    """What a position is worth, by the rules and nothing else."""
    if rules.is_over(s):
        return difference(rules, s)
    values = []
    for move in legal_moves(rules, s):
        after = copy(s)
        rules.play(after, move)
        values.append(plain_value(rules, after))
    return max(values) if rules.mover(s) == 1 else min(values)


def test_blobs_are_worth_what_they_are_by_the_rules() -> None:
    n = 5
    found = blob.table(n, math.inf)
    assert found is not None
    value, keys, values = found
    assert value == 0
    mirrored = np.array([int(f"{line:05b}"[::-1], 2) for line in range(32)])
    seen = set()
    for seed in range(20):
        game, chance = quet.new("blob", n=n), random.Random(seed)
        while game.state.ply < 10:
            game.play(chance.choice(game.legal_moves))
        key = blob.least_image(n, mirrored, sum(1 << square for square in range(25) if game.state.cells[square] == 2))
        at = blob.place(keys, key)
        assert keys[at] == key
        assert values[at] == plain_value(game.rules, game.state)
        seen.add(int(values[at]))
    assert len(seen) > 2


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_pairs_of_lists_are_worth_what_they_are_by_the_rules(n: int, first: int) -> None:
    second_part = plusses_minuses.SecondPart(n, first, math.inf)
    pairs = list(itertools.product((1, -1), repeat=2 * (n - 1)))
    reached = {v: second_part.reached(pairs, v) or [] for v in (-1, 0, 1)}
    for i, symbols in enumerate(pairs):
        game = quet.new("plusses-minuses", n=n, second_part_first=first)
        for symbol in symbols:
            game.play("+" if symbol == 1 else "-")
        value = plain_value(game.rules, game.state)
        assert [reached[v][i] for v in (-1, 0, 1)] == [value >= v for v in (-1, 0, 1)]
    assert any(reached[0])
    assert not all(reached[1])


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("together", [1, 5, 128])
def test_pairs_asked_one_by_one_come_to_the_same(first: int, together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer doesn't depend on how many are looked at together, nor on the question."""
    monkeypatch.setattr(plusses_minuses, "TOGETHER", together)
    for row in rows("plusses-minuses"):
        if row.parameters["second_part_first"] == first:
            for wrong in (-1, 0, 1):
                asked = replace(row, value=row.number + wrong, bound=row.number + wrong)
                assert again(asked, math.inf) == row.value


def test_a_wrong_value_of_palindromes_is_put_right() -> None:
    for row in rows("palindromes"):
        for wrong in (-3, -1, 1, 2):
            asked = replace(row, value=row.number + wrong, bound=row.number + wrong)
            assert again(asked, math.inf) == row.value


@pytest.mark.parametrize("game", SIZES)
def test_a_second_way_without_time_says_nothing(game: str) -> None:
    assert again(rows(game)[-1], time.monotonic()) is None


def test_what_agrees_is_entered_with_its_second_way(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    solitaire = entered(table, searched(reached(6, is_lowest=True), 6))
    for_two = entered(table, value_of("palindromes", "1=0 2=1", has_table=False, m=2))
    for row in (solitaire, for_two):
        assert confirm.rests_on_one(row)
        assert confirm.confirm(table, row, 100).startswith(f"{row.value}, confirmed by ")
        (now,) = table.rows(row.game)
        assert (now.proof, now.value, now.finder) == ("exhaustive confirmed", row.value, "Ann Example")
        assert not confirm.rests_on_one(now)


def test_two_ways_that_disagree_are_told_and_nothing_is_entered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = empty_table(tmp_path)
    right = value_of("palindromes", "1=0 2=1", has_table=False, m=2)
    claim = {"score": "value", "low": 2, "high": 2, "best_moves": None}
    row = entered(table, resealed(right | {"claim": claim, "witness": ["1=0", "2=0"]}))
    assert row.value == 2
    before = {file: file.read_bytes() for file in table.path.rglob("*") if file.is_file()}
    with pytest.raises(BrokenRules, match=r"^Two ways disagree: 2 by palindromes-2.json, -2 by all positions"):
        confirm.confirm(table, row, 100)
    monkeypatch.setattr("sys.argv", ["confirm", "--folder", str(table.path)])
    assert confirm.main() == 1
    assert "FAIL  Two ways disagree" in capsys.readouterr().out
    assert {file: file.read_bytes() for file in table.path.rglob("*") if file.is_file()} == before


def test_what_rests_on_a_table_is_found_again_where_all_is_asked_for_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = empty_table(tmp_path)
    row = entered(table, value_of("palindromes", "1=0 2=1", m=2))
    entered(table, reached(9))
    for words, line in (([], ""), (["--all"], f"{row.name()}: -2, also by {palindromes.WORDS}.\n")):
        monkeypatch.setattr("sys.argv", ["confirm", "--folder", str(table.path), *words])
        assert confirm.main() == 0
        assert capsys.readouterr().out == line
    with monkeypatch.context() as wrong, pytest.raises(SystemExit, match="2"):
        wrong.setattr("sys.argv", ["confirm", "--folder", str(table.path), "--time", "-3"])
        confirm.main()
    monkeypatch.setattr(palindromes, "value", lambda *_: 0)
    assert confirm.main() == 1
    assert f"{row.name()}: FAIL  Two ways disagree: -2 by " in capsys.readouterr().out
    assert table.rows("palindromes") == [row]


def test_rows_without_a_second_way_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = empty_table(tmp_path)
    row = entered(table, searched(reached(6, is_lowest=True), 6))
    assert confirm.confirm(table, replace(row, parameters={"n": 21}), 100) == "The second way ends at 20."
    assert confirm.confirm(table, row, 0) == "The second way takes more than 0 seconds."
    monkeypatch.setattr(confirm, "second_way", lambda game, size, score: None)
    assert confirm.confirm(table, row, 100) == "There is no second way for this game and score."
    assert table.rows() == [row]


def test_a_second_way_confirms_nothing_of_the_other_score_of_a_solitaire(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    row = entered(table, searched(reached(6), 6))  # false: 9 can be reached, and 6 is the lowest
    assert (row.score, row.value, row.proof) == ("highest", 6, "exhaustive")
    assert confirm.confirm(table, row, 100) == "There is no second way for this game and score."
    assert table.rows() == [row]
