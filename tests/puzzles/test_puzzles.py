"""Puzzles are read, checked in a second way and judged; and the maker makes the same ones from the same seed."""

import json
import pickle
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from quet import catalog
from quet.cli import main as cli
from quet.core.errors import IllegalMove, UnknownGame
from quet.draw.scene import signed
from quet.game import Game, Past
from quet.puzzles import BadPuzzles, Kind, Puzzle, find, of, read, written
from quet.puzzles import check as checking
from quet.puzzles import judge as judging
from quet.puzzles import make as making
from quet.puzzles import measure as measuring
from quet.puzzles.check import BadPuzzle, Tree, check, values
from quet.puzzles.make import kind_of, make, sizes
from quet.puzzles.puzzle import TRIES, mover_of

LEAST = 300  # puzzles of a game


def _any(kind: Kind) -> Puzzle:
    return next(puzzle for entry in catalog.playable() for puzzle in of(entry.id) if puzzle.kind is kind)


def _two_player() -> Puzzle:
    return next(one for entry in catalog.playable() for one in of(entry.id) if one.kind is Kind.WIN and one.replies)


def test_each_of_our_games_has_enough_puzzles_that_are_no_gifts(our_game_id: str) -> None:
    puzzles = of(our_game_id)
    assert len(puzzles) >= LEAST
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    assert all(2 * puzzle.found[0] < TRIES for puzzle in puzzles)
    assert [(one.rating, one.id) for one in puzzles] == sorted((one.rating, one.id) for one in puzzles)
    assert len({len(puzzle.moves) for puzzle in puzzles}) >= 3  # other phases
    assert written(puzzles) == written(read(our_game_id, written(puzzles)))


def test_some_puzzles_of_each_game_are_right_by_the_rules_alone(our_game_id: str) -> None:
    for puzzle in of(our_game_id)[::75]:
        check(puzzle)


@pytest.mark.long
def test_all_puzzles_of_each_game_are_right_by_the_rules_alone(our_game_id: str) -> None:
    for puzzle in of(our_game_id):
        check(puzzle)


def test_a_puzzle_is_the_same_copied_pickled_and_played_again(our_game_id: str) -> None:
    for puzzle in of(our_game_id)[::9]:
        game = puzzle.position()
        now, moves = game.copy(), game.legal_moves
        now.play(moves[-1])
        assert list(moves) == list(game.legal_moves) == list(now.at(game.ply).legal_moves)
        assert now.undo() == moves[-1] and now == game and now.mover == game.mover and now.scores == game.scores
        kept = pickle.loads(pickle.dumps(game))
        assert kept == game and kept.rules is game.rules and kept.entry is game.entry
        assert [one.mover for one in (kept.at(0), Past(game)[0])] == [game.at(0).mover] * 2
        assert not game.start  # as in a game from the beginning


def test_a_wrong_value_or_reply_is_found() -> None:
    puzzle = _two_player()
    other = replace(puzzle, worths=tuple(worth - (worth < 0) for worth in puzzle.worths))
    with pytest.raises(BadPuzzle, match="values aren't right"):
        check(other)
    with pytest.raises(BadPuzzle, match="all legal moves"):
        check(replace(puzzle, worths=puzzle.worths[:-1]))
    move, reply = next(iter(puzzle.replies.items()))
    answers = values(puzzle.position().after(move))
    assert answers is not None and answers[reply] == max(answers.values())
    worse = [each for each, value in answers.items() if value < answers[reply]]
    pairs = zip(puzzle.values, puzzle.answers, strict=True)
    if worse:
        changed = tuple(worse[0] if each == move else answer for each, answer in pairs)
        with pytest.raises(BadPuzzle, match="isn't the best reply"):
            check(replace(puzzle, answers=changed))


def test_a_wrong_move_is_told_its_refutation_and_what_it_cost() -> None:
    puzzle = _two_player()
    game = puzzle.position()
    wrong, reply = next(iter(puzzle.replies.items()))
    told = judging.answer(puzzle, game, wrong)
    assert not told.is_right and not told.is_solved
    other = mover_of(game.after(wrong))
    assert other != mover_of(game) and f"player {other} answers {signed(reply)}." in told.words
    assert "The right move leads to a win" in told.words and puzzle.right[0] not in told.words.split()
    assert told.game.moves == [*puzzle.moves, wrong, reply]
    told = judging.answer(puzzle, game, f" {puzzle.right[0]} ")
    assert told.is_right and told.is_solved and told.game.moves == [*puzzle.moves, puzzle.right[0]]


def test_a_solitaire_is_played_on_until_its_end() -> None:
    puzzle = max(of(_any(Kind.BEST).game_id)[:30], key=lambda one: one.position().rules.VERSION)
    game, done = puzzle.position(), []
    while not game.is_over:
        told = judging.answer(puzzle, game, judging.solution(puzzle, game))
        assert told.is_right and told.is_solved == told.game.is_over
        done.append(told.move)
        game = told.game
        if not game.is_over:
            assert judging.reached(puzzle, done) == game
    with pytest.raises(IllegalMove, match="doesn't begin"):
        judging.reached(puzzle, done)  # nothing is left to be found
    sign = -1 if game.rules.LOWER_IS_BETTER else 1
    assert sign * game.scores[0] == puzzle.best
    wrong = next(move for move in puzzle.values if move not in puzzle.right)
    told = judging.answer(puzzle, puzzle.position(), wrong)
    assert not told.is_right and "best that can be reached" in told.words
    with pytest.raises(IllegalMove, match="doesn't begin"):
        judging.reached(puzzle, [wrong])


def test_a_puzzle_of_more_players_asks_one_against_all_others() -> None:
    of_more = (one for entry in catalog.playable() for one in of(entry.id) if one.parameters.get("players", 2) != 2)
    puzzle = next(one for one in of_more if one.kind is Kind.WIN and one.replies and mover_of(one.position()) != 1)
    game = puzzle.position()
    whole = Game(catalog.get(puzzle.game_id), game.parameters)
    for move in puzzle.moves:
        whole.play(move)
    assert game.num_players == 2 and game.mover == 1 and mover_of(game) == whole.mover
    wrong, reply = next(iter(puzzle.replies.items()))
    told = judging.answer(puzzle, game, wrong)
    answering = whole.after(wrong).mover
    assert answering != whole.mover and f"player {answering} answers {reply}" in told.words
    assert not told.is_right and judging.answer(puzzle, game, puzzle.right[0]).is_right


@pytest.mark.long
def test_the_same_seed_makes_the_same_puzzles() -> None:
    ours = _two_player().game_id
    made = make(ours, 2, 5)
    assert len(made) == 2 and written(made) == written(make(ours, 2, 5))
    for puzzle in made:
        check(puzzle)


@pytest.mark.long
def test_where_other_sizes_run_dry_more_are_made_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = _two_player().game_id
    good, *_, small = reversed(sizes(catalog.get(ours)))
    dry = [{**small, next(iter(small)): size} for size in (2, 3, 4)]
    monkeypatch.setattr(making, "sizes", lambda entry: [*dry, good])
    monkeypatch.setattr(making, "PATIENCE", 30)
    made = make(ours, 3, 7)
    assert [one.parameters for one in made] == [good] * 3 and len({one.id for one in made}) == 3


def _all_are_good(monkeypatch: pytest.MonkeyPatch, rows: Sequence[int], good: Sequence[int], farthest: int) -> None:
    """Have each position of rows of these lengths make a puzzle; those farther from the end are too large."""

    def puzzle(game: Game, seed: int) -> Puzzle | None:
        row = cast(int, game.parameters["m"])
        return Puzzle(game.id, {"m": row}, tuple(game.moves), Kind.WIN, (), (), ()) if row in good else None

    monkeypatch.setattr(making, "sizes", lambda entry: [{"m": row} for row in rows])
    monkeypatch.setattr(making, "WAYS", ("random",))
    monkeypatch.setattr(making, "_puzzle", puzzle)
    monkeypatch.setattr(checking, "values", lambda game: {} if len(game.legal_moves) <= 2 * farthest else None)


def test_no_size_has_twice_its_share_of_puzzles_while_others_have_some(monkeypatch: pytest.MonkeyPatch) -> None:
    _all_are_good(monkeypatch, (6, 7, 8), (6, 7, 8), 8)
    for seed in range(20):
        rows = Counter(one.parameters["m"] for one in make("palindromes", 3, seed))
        assert rows.total() == 3 and max(rows.values()) <= 2


def test_where_other_sizes_run_dry_no_position_is_taken_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    _all_are_good(monkeypatch, (4, 5, 7), (7,), 7)
    monkeypatch.setattr(making, "PATIENCE", 5)
    made = make("palindromes", 30, 1)
    assert len(made) == len({one.position().key() for one in made}) == 30


def test_positions_are_as_far_from_the_end_as_can_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    _all_are_good(monkeypatch, (8,), (8,), 4)
    assert {8 - len(one.moves) for one in make("palindromes", 12, 1)} == {2, 3, 4}


def test_a_puzzle_is_made_where_both_ways_agree_and_level_1_does_not_find_it(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = _two_player()
    game = wanted.position()
    values = dict(zip(game.legal_moves, wanted.worths, strict=True))

    def made(values: dict[str, int] | None, is_easy: bool = False) -> Puzzle | None:
        monkeypatch.setattr(making, "solved_values", lambda *given: values)
        monkeypatch.setattr(measuring, "found", lambda *given: 5)
        monkeypatch.setattr(measuring, "finds_half", lambda *given: is_easy)
        return making._puzzle(game, 1)

    assert made(values) == replace(wanted, found=(5, 5, 5, 5))
    assert made(values, is_easy=True) is made(None) is None
    with pytest.raises(making.Disagreement, match=r"^Two ways to the values of .* don't agree: "):
        made(dict.fromkeys(values, 1))
    assert making._reply(Tree(game), game, game.mover) == ""  # whoever moves again isn't answered


def test_where_no_puzzle_is_found_no_file_is_written_and_a_sentence_says_what_one_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(making, "make", lambda *given, **more: [])
    entry, file = next(catalog.playable()), tmp_path / "puzzles.jsonl"
    assert cli.main(["puzzles", "make", entry.id, "--out", str(file)]) == 1
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith(
        f"quet: Nothing is written, as no puzzle of {entry.title} was found: "
    )
    assert said.err.count("\n") == 1 and not file.exists()
    file.write_text("those of before")
    assert cli.main(["puzzles", "make", entry.id, "--out", str(file), "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {"game": entry.id, "puzzles": 0, "file": None}
    assert file.read_text() == "those of before"


def test_the_kind_follows_from_the_values() -> None:
    game = _two_player().position()
    first, second, *rest = game.legal_moves
    others = dict.fromkeys(rest, -2)
    assert kind_of(game, {first: 1, second: 0, **others}) is Kind.WIN
    assert kind_of(game, {first: 0, second: -1, **others}) is Kind.HOLD
    assert kind_of(game, {first: 1, second: 2, **others}) is None
    assert kind_of(game, {first: 0, second: 0, **others}) is None
    assert kind_of(game, {first: -1, second: -2, **others}) is None
    alone = _any(Kind.BEST).position()
    assert kind_of(alone, {"a": 5, "b": 4}) is Kind.BEST
    assert kind_of(alone, {"a": 5, "b": 5, "c": 4}) is None


def test_a_game_whose_facts_name_no_sizes_has_its_smallest(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = next(catalog.playable())
    monkeypatch.setitem(entry.__dict__, "facts", {})
    assert len(sizes(entry)) >= 2
    Game(entry, sizes(entry)[0])


def test_puzzles_are_found_by_their_ids(our_game_id: str) -> None:
    assert all(find(our_game_id, puzzle.id) is puzzle for puzzle in of(our_game_id)[:1])
    assert find(our_game_id, "00000000") is None
    with pytest.raises(UnknownGame):
        of("nope")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"kind": "draw"}, "win, hold or best"),
        ({"worths": [1, 1]}, "don't suit"),
        ({"worths": [-1, -1]}, "don't suit"),
        ({"kind": "best", "worths": [1, 1, 0], "replies": []}, "don't suit"),
        ({"worths": ["1"]}, "integers"),
        ({"replies": ["", "", ""]}, "as many replies"),
        ({"replies": ["a1", ""]}, "isn't wrong"),
        ({"found": [1, 2]}, "levels"),
        ({"found": [1, 2, 3, 21]}, "levels"),
        ({"moves": 3}, "one text"),
        ({"parameters": []}, "integers and texts"),
        ({"more": 1}, "nothing else"),
    ],
)
def test_a_bad_line_is_refused_in_a_sentence(change: dict[str, object], what: str) -> None:
    whole = {"parameters": {}, "moves": "", "kind": "win", "worths": [1, 0], "replies": ["", "b1"], "found": [0] * 4}
    assert len(read("any", json.dumps(whole) + "\n\n")) == 1
    with pytest.raises(BadPuzzles, match=f"line 1: .*{what}"):
        read("any", json.dumps({**whole, **change}))
    with pytest.raises(BadPuzzles, match=r"line 2: .* twice"):
        read("any", f"{json.dumps(whole)}\n{json.dumps(whole)}")
