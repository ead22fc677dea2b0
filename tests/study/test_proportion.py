"""A solitaire's score beside the best that is known, and beside what a computer player gets."""

import dataclasses
import json
import os
from pathlib import Path
from statistics import mean

import pytest

import quet
from quet import catalog
from quet.core.errors import BadResult
from quet.core.facts import level_facts
from quet.results import best
from quet.results.best import best_row
from quet.results.folder import Folder
from quet.results.row import read
from quet.study import proportion as proportions
from quet.study.proportion import Proportion, in_proportion, proportion

TOURNAMENTS = Path(__file__).parents[2] / "bench" / "tournaments"


def over(id: str, **parameters: object) -> quet.Game:
    game = quet.new(id, **parameters)
    while not game.is_over:
        game.play(game.legal_moves[0])
    return game


def test_a_score_is_told_beside_the_best_and_what_a_level_gets() -> None:
    game = over("up-and-up", n=8)
    score = game.scores[0]
    assert score < 60
    assert in_proportion(game) == f"{score} of 64 possible (proven); level 3 gets 60."
    assert in_proportion(game, own=64) == f"{score} of 64 possible (proven); your best here 64; level 3 gets 60."
    assert in_proportion(game, own=1) == (
        f"{score} of 64 possible (proven); your best here before was 1; level 3 gets 60."
    )


def test_nothing_is_told_where_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    assert in_proportion(quet.new("up-and-up", n=3).after("a1")) is None
    assert in_proportion(over("palindromes", m=3)) is None
    assert in_proportion(over("sequence-ascension", n=2, sequence="1,1,1,1")) is None

    def damaged(game: quet.Game) -> None:
        raise BadResult("It is damaged.")

    monkeypatch.setattr(proportions, "best_row", damaged)
    assert proportion(over("up-and-up", n=3)) is None


def test_the_best_is_read_anew_when_the_file_has_changed_if_only_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = over("up-and-up", n=3)
    row = best_row(game)
    assert row is not None
    monkeypatch.setattr(best, "find", lambda given: Folder(tmp_path))
    assert best_row(game) is None
    file = tmp_path / "up-and-up.jsonl"
    for finder in ("Ann", "Ann and Bob"):
        now = dataclasses.replace(row, finder=finder)
        file.write_text(f"{now.line()}\n", encoding="utf-8")
        os.utime(file, ns=(1, 1))
        assert best_row(game) == now


def test_a_score_is_compared_in_the_direction_of_the_question() -> None:
    game = over("up-and-up", n=3)
    row = best_row(game)
    assert row is not None and row.number == 9
    open_row = read(row.line().replace('"value": 9', '"value": 7').replace('"proven"', '"open"'))
    lowest = read(open_row.line().replace('"highest"', '"lowest"').replace('"bound": 9', '"bound": 5'))
    for one, worse, equal, better in ((open_row, 6, 7, 8), (lowest, 8, 7, 6)):
        found = [Proportion(score, one) for score in (worse, equal, better)]
        assert [(each.is_best, each.is_beaten) for each in found] == [(False, False), (True, False), (True, True)]
        assert [each.news is None for each in found] == [True, False, False]
    assert Proportion(6, open_row).parts == ["6; the best known is 7, and more than 9 is impossible"]
    assert Proportion(8, lowest).parts == ["8; the best known is 7, and less than 5 is impossible"]


def test_what_levels_get_is_what_the_files_of_their_games_say() -> None:
    kept = {
        (id, *part.parameters.values()): part for id in catalog.ids() for part in level_facts(catalog.get(id).facts)
    }
    assert kept
    for (id, size, *_), part in kept.items():
        games = [json.loads(line) for line in (TOURNAMENTS / f"{id}-{size}.jsonl").read_text().splitlines()]
        assert all(game["parameters"] == part.parameters for game in games)
        for level, score in enumerate(part.scores, 1):
            scores = [game["scores"][0] for game in games if game["seats"] == [f"level:{level}"]]
            assert round(mean(scores), 1) == score
