"""What is known of a position: each source in its game, and nobody who asks answers worse than the source."""

import random
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import quet
from conftest import SMALL
from quet.core.errors import NotCompiled, TooLarge
from quet.engine.findings import Candidate, Findings
from quet.game import Game
from quet.knowledge import hints, sources
from quet.knowledge.ask import ask
from quet.knowledge.hints import Hint, hint
from quet.knowledge.known import LOOK_UP, Budget, How, Known, Source
from quet.knowledge.sources import (
    PerfectOfMany,
    Results,
    ResultsOfTwo,
    ResultsWarning,
    SolvingForMany,
    SolvingQuickly,
    Strategies,
    Tables,
    WeakSolutions,
    WinningAlone,
)
from quet.knowledge.values import exact_values
from quet.knowledge.worth import Value, in_words, known_words, supposed_words
from quet.players.levels import LEVELS, LevelPlayer
from quet.players.player import PerfectPlayer
from quet.results.folder import find
from quet.study.analysis import analyse
from quet.study.look import look

AMPLE = Budget(10.0)


def _game(text: str) -> quet.Game:
    """`palindromes m=16: 1=0 2=0` as a game."""
    words, _, moves = text.partition(":")
    id, *parameters = words.split()
    game = quet.new(id, **dict(word.split("=") for word in parameters))
    for move in moves.split():
        game.play(move)
    return game


HELD = [  # who holds what by a strategy, and by which moves
    ("palindromes m=40: 1=0", ["40=0"], 2, None),
    ("palindromes m=52: 1=0 52=0 3=1", ["2=0"], 2, None),
    ("palindromes m=50:", [], None, -2),
    ("palindromes m=51:", ["1=0"], 0, None),
    ("plusses-minuses n=20:", ["-"], 0, 0),
    pytest.param("plusses-minuses n=12: - +", ["+"], 0, None, marks=pytest.mark.long),
    ("plusses-minuses n=13 second_part_first=2: -", ["-"], 0, 3),
]


@pytest.mark.parametrize(("text", "moves", "low", "high"), HELD)
def test_strategies_hold_results_at_any_size(text: str, moves: list[str], low: int | None, high: int | None) -> None:
    game = _game(text)
    known = Strategies().look(game, AMPLE)
    assert known is not None
    assert (list(known.moves), known.low, known.high, known.how) == (moves, low, high, How.STRATEGY)
    if not moves:
        return
    quick = LevelPlayer(LEVELS["level:6"], 1, num_threads=1)
    assert quick.known(game, is_plain=True) == known
    found = hint(game, seconds=0.2)
    assert found.move in moves
    assert found.how == "proven: strategy"
    assert found.why == known.why != ""
    assert found.why in found.sentence


LIMITED = [  # where the mover is proven to have no more than this
    ("palindromes m=40:", "a loss by 2 or more (proven: strategy)"),
    ("palindromes m=40: 1=0 40=0", "a loss by 2 or more (proven: strategy)"),
    ("plusses-minuses n=20 second_part_first=2:", "a draw at most (proven: strategy)"),
]


@pytest.mark.parametrize(("text", "words"), LIMITED)
def test_who_has_lost_by_a_theorem_is_told_no_chance(text: str, words: str) -> None:
    game = _game(text)
    found = hint(game, seconds=0.2)
    assert (found.worth, found.how) == (words, "proven: strategy")
    player = LevelPlayer(LEVELS["level:6"], 1, num_threads=1)
    assert player.choose(game) in game.legal_moves and player.expects == words
    assert look(game, seconds=0.2).worth == words


def test_what_is_known_keeps_the_source_of_each_bound() -> None:
    strategy = Known(How.STRATEGY, high=-2)
    row = Known(How.ROW, moves=["1=0"], low=-10, high=-1)
    for found in (strategy.joined(row), row.joined(strategy)):
        assert (found.how, found.low, found.high, found.how_high) == (How.ROW, -10, -2, How.STRATEGY)
    assert row.joined(Known(How.SOLVED, high=0)) == row
    one = Known(How.RESULT, high=49, is_of_one=True).joined(Known(How.SOLVED, moves=["a1"], low=30, high=49))
    assert one.is_of_one and not one.is_held and not one.is_settled  # a score that can be reached is no win
    whole = Known(How.SOLVED, moves=["2=0"], low=-10, high=-10, advantages={"1=0": -12, "2=0": -10})
    for found in (row.joined(whole), whole.joined(row)):
        assert (found.how, found.moves, found.has_all) == (How.SOLVED, ["2=0"], True)


@pytest.mark.parametrize("m", [12, 17, 24, 33, 40, 52])
def test_the_strategies_of_palindromes_never_lose_what_they_hold(m: int) -> None:
    chance = random.Random(m)
    for _ in range(5):
        game, holder = quet.new("palindromes", m=m), 1 + (m % 2 == 0)
        while not game.is_over:
            known = Strategies().look(game, AMPLE)
            assert known is not None
            game.play(known.moves[0] if game.mover == holder else chance.choice(game.legal_moves))
        lead = game.scores[holder - 1] - game.scores[2 - holder]
        assert lead >= 2 if holder == 2 else lead >= 0


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("n", [2, 5, 8, 13, 20])
def test_the_strategies_of_plusses_and_minuses_never_lose_what_they_hold(n: int, first: int) -> None:
    chance = random.Random(n)
    for holder in (1, 2):
        for _ in range(5):
            game = quet.new("plusses-minuses", n=n, second_part_first=first)
            held = game.entry.strategy.hold(game.state, holder)  # type: ignore[union-attr]
            while not game.is_over:
                known = Strategies().look(game, AMPLE)
                assert known is not None
                game.play(known.moves[0] if game.mover == holder else chance.choice(game.legal_moves))
            value = game.scores[0] - game.scores[1]
            assert value >= held[0] if holder == 1 else value <= held[0]


def test_a_strategy_that_was_left_holds_nothing() -> None:
    assert Strategies().look(_game("palindromes m=40: 1=0 40=1 2=0"), AMPLE) is None
    assert Strategies().look(_game("palindromes m=54: 3=0 4=0"), AMPLE) is None
    assert Strategies().look(_game("plusses-minuses n=12: - + - -"), AMPLE) is None
    assert Strategies().look(_game("plusses-minuses n=3: - - - - b2"), AMPLE) is not None


def test_the_record_of_a_solitaire_is_followed_as_long_as_the_game_does() -> None:
    game = quet.new("up-and-up", n=12)
    while not game.is_over:
        known = ask(game, Budget(0.2), [Results()])
        assert known is not None
        assert (known.how, known.low, known.high, known.is_exact) == (How.RESULT, 144, 144, True)
        found = hint(game, seconds=0.2)
        assert found.worth == "the best score still reachable is 144 (proven: no score is better)"
        assert found.reachable == "Still reachable: 144, and nothing better (proven: no score is better)."
        assert PerfectPlayer(1).choose(game) == known.moves[0]
        assert LevelPlayer(LEVELS["level:6"], 1).choose(game) == known.moves[0]
        game.play(known.moves[0])
    assert game.scores == [144]


@pytest.mark.parametrize(
    ("text", "score", "bound"),
    [("sums-grid n=4", 60, 62), ("sequence-ascension n=7", 41, 49), ("sequence-ascension n=8", 52, 64)],
)
def test_an_open_record_is_a_floor(text: str, score: int, bound: int) -> None:
    game = _game(text)
    known = ask(game, Budget(0.2), [Results()])
    assert known is not None
    assert known.low == score
    assert known.high is not None
    assert score < known.high <= bound
    worse = Findings(0, [Candidate(0, 9, score - 1, score - 1, False)], [0], 9, 9, 0.1, False)
    better = Findings(0, [Candidate(0, 9, score + 1, score + 1, False)], [0], 9, 9, 0.1, False)
    assert known.outweighs(worse)
    assert not known.outweighs(better)
    away = next(move for move in game.legal_moves if not game.entry.images or move not in _images(game, known.moves[0]))
    game.play(away)
    left = ask(game, Budget(0.2), [Results()])
    assert left is not None
    is_in_reach = game.entry.local_search is not None  # its board, by changing numbers
    assert (bool(left.moves), left.low, left.high) == (is_in_reach, score if is_in_reach else None, known.high)


def _images(game: Game, move: str) -> list[str]:
    assert game.entry.images is not None
    moves = game.entry.images.images(game.state, game.rules.read_move(game.state, move))
    return [game.rules.move_text(game.state, image) for image in moves]


OF_IMAGES = [
    "sequence-ascension n=4",
    "sequence-ascension n=6",
    "up-and-up n=5",
    "convoluted-coprimality n=5 players=3",
]


@pytest.mark.parametrize("text", OF_IMAGES)
def test_the_best_game_known_is_known_in_all_its_images(text: str) -> None:
    first = _game(text)
    source: Source = PerfectOfMany() if first.num_players > 1 else Results()
    known = source.look(first, Budget(0.0))
    assert known is not None
    for image in range(len(_images(first, known.line[0]))):
        game = first.copy()
        for move in known.line:
            here = source.look(game, Budget(0.0))
            assert here is not None and (here.low, here.scores, here.how) == (known.low, known.scores, known.how)
            game.play(_images(game, move)[image])
        assert game.is_over
        assert game.scores == list(known.scores) if known.scores else game.scores == [known.low]


NEAR = [  # sums grids, and how many moves are left to the best one known
    ("n=3", "c1=1", 9),
    ("n=2", "b1=1", 4),
    ("n=3", "a1=12 b1=14 c1=7 a2=5 b2=4 c2=15 a3=8 b3=2", 2),
    ("n=3", "a1=12 b1=14 c1=7 a2=5 b2=4 c2=15 a3=8 b3=2 c3=1", 1),
    ("n=3", "a1=12 b1=14 c1=7 a2=5 b2=4 c2=15 a3=8 b3=3", 3),
    ("n=3", "a1=1 b1=6 c1=12 a2=22 b2=4 c2=5 a3=2 b3=11 c3=3", 1),  # another grid that is as good
]


@pytest.mark.parametrize(("size", "moves", "count"), NEAR)
def test_a_board_is_changed_as_little_as_its_best_image_allows(size: str, moves: str, count: int) -> None:
    game = _game(f"sums-grid {size}")
    for move in moves.split():
        game.play(move)
    known = Results().look(game, Budget(0.0))
    assert known is not None and known.is_exact
    assert len(known.line) == count
    told = hint(game, seconds=0.5)
    assert told.line == known.line and (told.move == "done") == (count == 1)
    if count > 1:
        assert not told.move.endswith("=")
    assert look(game, seconds=0.5).move == told.move


def _found_as(monkeypatch: pytest.MonkeyPatch, *scores: int) -> None:
    """Let searches find a path with each of these scores in turn, from wherever they are asked."""
    waiting = iter(scores)

    def found(game: Game, **_: object) -> Hint:
        end, generator = game.copy(), random.Random(1)
        while not end.is_over:
            end.play(generator.choice(list(end.legal_moves)))
        line, value = end.moves[game.ply :], Value(next(waiting), how="search")
        words = f"Still reachable: at least {value.amount:g}."
        return Hint(line[0], f"the best score found is {value.amount:g}", line, reachable=words, value=value)

    monkeypatch.setattr(hints, "hint", found)


def test_no_hint_of_a_session_falls_below_an_earlier_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game, session = quet.new("sequence-ascension", n=5), hints.Hints()
    _found_as(monkeypatch, 20, 19, 18, 17, 21, 9, 3)
    first = session.hint(game)
    assert first.value.amount == 20
    assert session.hint(game) == first  # and not 19
    game.play(first.line[0])
    game.play(first.line[1])
    after = session.hint(game)  # the game found goes on through here
    assert (after.reachable, after.line, after.move) == (first.reachable, first.line[2:], first.line[2])
    game.undo()
    game.undo()
    assert session.hint(game) == first
    assert session.hint(game).value.amount == 21
    other = next(move for move in game.legal_moves if move != first.move)
    assert session.hint(game.after(other)).value.amount == 9
    assert hints.Hints().hint(game).value.amount == 3


def test_a_game_that_was_told_to_no_end_is_remembered_where_it_was_told_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    game, session = quet.new("sequence-ascension", n=5), hints.Hints()
    begun = Hint("a1", "", ["a1", "a2"], value=Value(20))
    monkeypatch.setattr(hints, "hint", lambda game, **_: begun)
    session.hint(game)
    game.play("a1")
    monkeypatch.setattr(hints, "hint", lambda game, **_: Hint("b2", "", ["b2"], value=Value(3)))
    assert session.hint(game).value.amount == 3
    game.undo()
    assert session.hint(game) == begun


def test_a_hint_has_a_true_minus() -> None:
    assert Hint("-", "a draw", ["-"]).sentence == "Hint: \N{MINUS SIGN}, a draw."


def test_from_the_start_sequence_ascension_on_8_by_8_comes_to_four_fifths_of_the_squares() -> None:
    game = quet.new("sequence-ascension", n=8)
    while not game.is_over:
        known = ask(game, Budget(0.2), [Results()])
        assert known is not None
        game.play(known.moves[0])
    assert game.scores[0] >= 0.8 * 64


WEAK = [  # games that are played at once from a weak solution, and who holds their value
    pytest.param("blob n=6:", 0, 0, marks=pytest.mark.long),
    ("plusses-minuses n=7 second_part_first=2: - -", -1, -1),
    ("divisors-multiples r=17:", -4, -4),
]


@pytest.mark.parametrize(("text", "low", "high"), WEAK)
def test_nobody_answers_worse_than_a_weak_solution(text: str, low: int, high: int) -> None:
    game = _game(text)
    known = WeakSolutions().look(game, AMPLE)
    assert known is not None
    assert (known.low, known.high, known.how, len(known.moves)) == (low, high, How.STRATEGY, 1)
    assert known.moves[0] in game.legal_moves
    found = ask(game, AMPLE)  # it is known in milliseconds; a busy machine may take longer
    assert found is not None and found.low == found.high == low
    assert quet.value(game, seconds=AMPLE.seconds) == found
    told = hint(game, seconds=2.0)
    assert told.move in found.moves and told.how == "proven: strategy"
    assert PerfectPlayer(1).choose(game) in found.moves
    patient = replace(LEVELS["level:6"], knowing_seconds=AMPLE.seconds)
    assert LevelPlayer(patient, 1, num_threads=1).choose(game) in found.moves
    judged = analyse(game.after(known.moves[0]), seconds=0.3).assessments[-1]
    assert judged.best.is_exact


def test_a_weak_solution_that_was_left_is_a_bound_for_the_other_player_only() -> None:
    game = _game("blob n=6:")
    left = game.after(next(move for move in game.legal_moves if move not in _weak(game).moves))
    assert _weak(left).low == 0 and _weak(left).high is None and len(_weak(left).moves) == 1
    again = left.after(_weak(left).moves[0])
    assert (_weak(again).low, _weak(again).high, _weak(again).moves) == (None, 0, ())


def _weak(game: quet.Game) -> Known:
    known = WeakSolutions().look(game, AMPLE)
    assert known is not None
    return known


def test_a_weak_solution_says_nothing_of_other_sizes_and_starts() -> None:
    assert WeakSolutions().look(_game("blob n=8:"), AMPLE) is None
    assert WeakSolutions().look(_game("palindromes m=20:"), AMPLE) is None
    begun = quet.position("blob", " / ".join(["* . . . . .", *[". . . . . ."] * 5]), n=6)
    assert begun.start and WeakSolutions().look(begun, AMPLE) is None


def test_a_damaged_weak_solution_is_passed_over_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "results" / "replies").mkdir(parents=True)
    (tmp_path / "results" / "blob.jsonl").write_bytes(find(None).file("blob").read_bytes())
    (tmp_path / "results" / "replies" / "blob-6.npz").write_bytes(b"nonsense")
    monkeypatch.chdir(tmp_path)
    with pytest.warns(ResultsWarning, match="blob-6.npz: The weak solution can't be read"):
        assert WeakSolutions().look(_game("blob n=6:"), AMPLE) is None


def test_a_damaged_table_of_results_is_passed_over_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "up-and-up.jsonl").write_text("nonsense\n")
    monkeypatch.chdir(tmp_path)
    with pytest.warns(ResultsWarning, match="not used: .*line 1"):
        assert ask(quet.new("up-and-up", n=12), Budget(0.2), [Results()]) is None


def test_of_three_and_more_players_small_games_are_solved() -> None:
    game = quet.new("convoluted-coprimality", n=4, players=3, grids=2)
    known = SolvingForMany().look(game, AMPLE)
    assert known is not None
    assert known.shares.keys() == set(game.legal_moves)
    assert {known.shares[move] for move in known.moves} == {max(known.shares.values())}


MANY = [  # games for three and more: a row of the table, and moves after which only a solve knows more
    ("divisors-multiples r=6 players=3", [4, 17, 13], "3! 1 2"),
    ("divisors-multiples r=9 players=4", None, "3! 6 2"),
    ("convoluted-coprimality n=8 players=3", [0, 1, 0], "b8 c8"),
    ("convoluted-coprimality n=20 players=4", [0, 1, 0, 0], "b20"),
    ("convoluted-coprimality n=5 players=5 grids=2", None, "b5"),
]


@pytest.mark.parametrize(("text", "scores", "moves"), MANY)
def test_hints_and_the_perfect_level_play_what_certificates_call_perfect_play_of_many(
    text: str, scores: list[int] | None, moves: str
) -> None:
    for game in (_game(f"{text}:"), _game(f"{text}: {moves}")):
        wanted = quet.solve(game, seconds=60.0)
        assert wanted.scores == (scores if scores and not game.ply else wanted.scores)
        found, known = hint(game, seconds=5.0), ask(game, AMPLE)
        assert known is not None and list(known.scores) == wanted.scores
        assert found.move in known.moves and set(known.moves) <= set(wanted.best_moves)
        assert "-".join(map(str, wanted.scores or [])) in found.worth
        assert f"all play perfectly: each {game.entry.wish}, and of equal moves takes the one" in found.sentence
        end = game.copy()
        for move in known.line:
            end.play(move)
        assert end.scores == wanted.scores
        best = PerfectPlayer(1)
        assert best.choose(game) in known.moves and best.expects == found.worth


def test_perfect_play_of_many_is_known_from_the_table_while_the_game_follows_it() -> None:
    game = _game("divisors-multiples r=26 players=3:")  # a solve takes minutes
    row = quet.best_results("divisors-multiples", r=26, players=3)[0]
    for move in row.witness.split()[:3]:
        found = hint(game, seconds=1.0)
        assert (found.move, found.how, list(found.line)) == (
            move,
            "proven: table of results",
            row.witness.split()[game.ply :],
        )
        game.play(move)
    assert ask(_game("divisors-multiples r=26 players=3: 2"), Budget(0.1), [PerfectOfMany()]) is None


def test_a_search_gives_the_hint_where_perfect_play_of_many_is_not_found() -> None:
    found = hint(_game("divisors-multiples r=40 players=3:"), seconds=0.2)
    assert "(search, " in found.worth and not found.supposed


def test_without_compiled_code_perfect_play_of_many_is_found_by_the_rules_alone() -> None:
    game = _game("convoluted-coprimality n=8 players=3: b8 c8")
    plain = PerfectOfMany().look(game, replace(AMPLE, is_plain=True))
    assert plain == PerfectOfMany().look(game, AMPLE) is not None


def test_levels_want_to_win_and_ask_nobody_who_supposes_perfect_play_of_many() -> None:
    level = LevelPlayer(LEVELS["level:6"], 1, num_threads=1)
    assert level.known(_game("divisors-multiples r=6 players=3:")) is None
    known = level.known(_game("convoluted-coprimality n=8 players=3:"))
    assert known is not None and known.shares and not known.scores


ALONE = [  # positions in which one move alone keeps the win whatever the others do, and that move
    ("divisors-multiples r=12 players=3: 3! 6 2! 4! 12! 6 3 9! 3 1 5!", "10!"),
    ("convoluted-coprimality n=6 players=3 grids=2: b6 c6 d6 e6 f6 f5 f4 f3 f2 f1 e1", "d1"),
]


@pytest.mark.parametrize(("text", "move"), ALONE)
def test_who_can_win_against_all_others_is_told_so_by_hints_and_plays_so(text: str, move: str) -> None:
    game = _game(text)
    told = "a win, whatever the others do (proven: solved)"
    perfect = PerfectOfMany().look(game, AMPLE)
    assert perfect is not None and set(perfect.moves) - {move}  # that may give the win away
    found = hint(game, seconds=5.0)
    assert (found.move, found.worth, found.supposed, found.line) == (move, told, "", (move,))
    patient = replace(LEVELS["level:6"], knowing_seconds=10.0, thinking_seconds=20.0)  # however busy the machine is
    best, level = PerfectPlayer(1), LevelPlayer(patient, 1, num_threads=1)
    assert [best.choose(game), best.expects] == [level.choose(game), level.expects] == [move, told]
    lower = LevelPlayer(LEVELS["level:5"], 1).known(game)
    assert lower is None or not lower.wins_alone  # they ask for shares alone


def test_a_share_of_the_win_says_what_it_supposes() -> None:
    game = _game("convoluted-coprimality n=8 players=3:")
    known = SolvingForMany().look(game, AMPLE)
    assert known is not None and "equally often" in supposed_words(known, game)
    assert not supposed_words(Known(How.SOLVED, low=1, high=1), game)
    shares = (0.0, 0.5, 0.75, 1.0)  # one half is what a player may expect, and no draw
    told = ["a loss", "50 % of the win", "75 % of the win", "a win"]
    assert [in_words(Value(share, is_exact=True), game) for share in shares] == told
    shared = Known(How.SOLVED, moves=["a7"], scores=[1, 0, 1])
    assert known_words(shared, game, "a7") == "a shared win with the scores 1-0-1 (proven: solved)"


def test_nobody_answers_worse_than_exact_values(our_game_id: str) -> None:
    sizes = {
        "blob": "n=4",
        "convoluted-coprimality": "n=4 grids=2",
        "divisors-multiples": "r=8",
        "palindromes": "m=8: 1=0 2=0 3=0",
        "plusses-minuses": "n=4: - +",
        "sequence-ascension": "n=2",
        "sums-grid": "n=1",
        "up-and-up": "n=3",
    }
    own = sizes.get(our_game_id) or " ".join(f"{name}={value}" for name, value in SMALL[our_game_id][0].items())
    game = _game(f"{our_game_id} {own}")
    values = exact_values(game, seconds=10.0)
    known = ask(game, AMPLE)
    assert known is not None
    if values is None:  # no solver is quick here, and the record of the best result is followed
        assert known.is_exact
        values = dict.fromkeys(known.moves, known.low or 0)
    best = {move for move, value in values.items() if value == max(values.values())}
    assert set(known.moves) <= best
    assert known.low == known.high == max(values.values())
    assert hint(game, seconds=5.0).move in best
    assert PerfectPlayer(1).choose(game) in best
    assert LevelPlayer(LEVELS["level:6"], 1).choose(game) in best
    assert LevelPlayer(LEVELS["level:7"], 1, num_threads=1).choose(game) in best
    worst = min(values, key=lambda move: values[move])
    judged = analyse(game.after(worst), seconds=1.0).assessments[-1]
    assert judged.best.is_exact and judged.best_move in best
    if game.num_players == 2 and not game.entry.capabilities.is_sign_value:
        assert judged.best.margin == known.low
        assert judged.points_lost == max(values.values()) - values[worst]
    elif game.num_players == 1 and judged.value.is_known:
        assert judged.loss == max(values.values()) - values[worst]


@pytest.mark.parametrize("text", ["blob n=4: a1 a2", "plusses-minuses n=4: - +", "up-and-up n=3"])
def test_a_quick_solve_knows_the_value_and_a_move_where_time_is_too_short_for_all_moves(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = _game(text)
    values = exact_values(game, seconds=10.0)
    assert values is not None
    best = max(values.values())
    whole = SolvingQuickly().look(game, AMPLE)
    assert whole is not None and whole.advantages == values
    monkeypatch.setattr(sources, "solved_values", lambda *_, **__: None)
    known = SolvingQuickly().look(game, AMPLE)
    assert known is not None and known.is_exact and known.how is How.SOLVED
    assert (known.low, values[known.moves[0]], known.advantages) == (best, best, {})
    assert values[LevelPlayer(LEVELS["level:6"], 1, num_threads=1).choose(game)] == best


def test_a_hint_goes_on_with_what_a_quick_solve_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "solved_values", lambda *_, **__: None)
    found = hint(_game("blob n=4: a1 a2"), seconds=5.0)
    assert found.how == "proven: solved"
    assert len(found.line) > 1


class _Fixed:
    """A source that knows what it was told, and counts who asks."""

    def __init__(
        self, known: Known | None, seconds: float = LOOK_UP, error: Exception | None = None, takes: float = 0.0
    ) -> None:
        self.known, self.seconds, self.error, self.takes, self.num_asked = known, seconds, error, takes, 0

    def look(self, game: quet.Game, budget: Budget) -> Known | None:
        self.num_asked += 1
        time.sleep(self.takes)
        if self.error is not None:
            raise self.error
        return self.known


def _asked(*given: _Fixed, budget: Budget = AMPLE) -> Known | None:
    return ask(quet.new("palindromes", m=4), budget, given)


def test_sources_are_joined_until_one_knows_it_all() -> None:
    bound, floor = _Fixed(Known(How.RESULT, high=4)), _Fixed(Known(How.STRATEGY, moves=["1=0"], low=0))
    exact = _Fixed(Known(How.SOLVED, moves=["2=0"], low=2, high=2, advantages={"2=0": 2}))
    beyond = _Fixed(None)
    assert _asked(bound, floor) == Known(How.STRATEGY, moves=["1=0"], low=0, high=4, how_high=How.RESULT)
    found = _asked(bound, floor, exact, beyond)
    assert found is not None
    assert (found.how, found.moves, found.low, found.high) == (How.SOLVED, ["2=0"], 2, 2)
    assert beyond.num_asked == 0
    assert _asked(beyond) is None


def test_a_source_is_asked_within_the_budget_only() -> None:
    dear = _Fixed(Known(How.SOLVED, moves=["1=0"], low=0), seconds=0.5)
    assert _asked(dear, budget=Budget(0.4)) is None
    stop = threading.Event()
    stop.set()
    assert _asked(dear, budget=Budget(9.0, stop=stop)) is None
    assert dear.num_asked == 0
    assert _asked(dear, budget=Budget(9.0)) is not None


def test_what_is_only_looked_up_takes_nothing_of_the_time() -> None:
    slow, dear = _Fixed(None, seconds=LOOK_UP, takes=0.3), _Fixed(Known(How.SOLVED, moves=["1=0"], low=0), seconds=0.1)
    assert _asked(slow, dear, budget=Budget(0.15)) is not None
    late = _Fixed(Known(How.RESULT, moves=["1=0"], low=0), seconds=LOOK_UP)
    assert _asked(late, budget=Budget(0.0)) is not None


FRESH = """
from dataclasses import replace
import quet
from quet.players.levels import LEVELS, LevelPlayer
game = quet.new("up-and-up", n=20)
player = LevelPlayer(replace(LEVELS["level:6"], knowing_seconds=0.02), seed=1)  # to read the code takes longer
player.choose(game)
print(player.expects)
"""


def test_the_first_move_of_a_process_knows_what_the_later_ones_do() -> None:
    found = subprocess.run([sys.executable, "-c", FRESH], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "the best score still reachable is 400 (proven: no score is better)"


def test_a_source_that_lacks_memory_gives_way_to_the_next_one() -> None:
    floor = _Fixed(Known(How.STRATEGY, moves=["1=0"], low=0))
    assert _asked(_Fixed(None, error=TooLarge(2, 1)), floor) == floor.known
    with pytest.raises(NotCompiled):
        _asked(_Fixed(None, error=NotCompiled()), floor)


def test_a_floor_gives_way_to_a_proven_win_only() -> None:
    def findings(value: float, *, is_solved: bool) -> Findings:
        return Findings(0, [Candidate(0, 9, value, value, is_solved)], [0], 9, 9, 0.1, is_solved)

    draw, win, loss = (Known(How.STRATEGY, moves=["1=0"], low=low) for low in (0, 2, -1))
    likely, certain = findings(0.94, is_solved=False), findings(0.97, is_solved=True)
    assert [draw.outweighs(likely), draw.outweighs(certain)] == [True, False]
    assert [win.outweighs(likely), win.outweighs(certain)] == [True, True]
    assert [loss.outweighs(likely), loss.outweighs(certain)] == [False, False]


def test_a_game_that_is_over_has_nothing_to_be_known() -> None:
    assert ask(_game("palindromes m=1: 1=0"), AMPLE) is None


def test_every_source_says_what_it_costs() -> None:
    costs: Sequence[float] = [source.seconds for source in sources.SOURCES]
    assert all(0.0 <= cost <= 0.05 for cost in costs)
    look_ups = [source for source in sources.SOURCES if source.seconds == LOOK_UP]
    assert {type(source) for source in look_ups} == {Tables, Strategies, Results, ResultsOfTwo, WeakSolutions}
    known = {
        Tables,
        Strategies,
        Results,
        ResultsOfTwo,
        WeakSolutions,
        SolvingQuickly,
        PerfectOfMany,
        SolvingForMany,
    } | {WinningAlone}
    assert {type(source) for source in sources.SOURCES} == known


def test_the_best_board_known_is_in_reach_from_wherever_numbers_may_be_changed() -> None:
    game = quet.new("sums-grid", n=4)
    for move in "a1=7 b1=9 c2=30".split():
        game.play(move)
    known = ask(game, Budget(seconds=1.0))
    assert known is not None and known.low == 60 and known.how is How.RESULT
    for move in known.line:
        game.play(move)
    assert game.is_over and game.scores[0] == 60


@pytest.mark.parametrize(
    ("paper", "same"),
    [
        (quet.position("sums-grid", "1 2/3 ."), quet.new("sums-grid", n=2).after("a1=3").after("a2=1").after("b2=2")),
        (quet.position("sequence-ascension", "a1", n=5), quet.new("sequence-ascension", n=5).after("a1")),
    ],
    ids=["sums-grid", "sequence-ascension"],
)
def test_what_the_table_bounds_is_bounded_however_the_position_was_written(paper: quet.Game, same: quet.Game) -> None:
    budget = Budget(seconds=1.0)
    one, other = (sources.Results().look(game, budget) for game in (paper, same))
    assert paper == same and one is not None and one == other and one.high is not None
