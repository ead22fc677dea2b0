"""Analysis: exact values against trying every game to its end, planted mistakes, every game, and hints."""

import math
import threading
import tracemalloc
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

import quet
from conftest import play_at_random, small, value_by_trying_everything
from quet.certificates import claims
from quet.draw.scene import signed
from quet.engine.findings import Candidate
from quet.engine.planning import Planning
from quet.knowledge.ask import ask
from quet.knowledge.hints import Hint, hint
from quet.knowledge.known import Budget, How
from quet.knowledge.sources import PerfectOfMany, Strategies, WinningAlone
from quet.knowledge.values import exact_values
from quet.knowledge.worth import UNKNOWN, Value, best_players, expected_share, in_words, line_text, solved
from quet.rl.forms import Form
from quet.study import analysis as analysis_of
from quet.study.analysis import analyse
from quet.study.assessments import Analysis, Assessment
from quet.study.mistakes import MISTAKE, turning_point
from quet.study.outlook import Outlook, at_most
from quet.study.plot import _series

SMALL: dict[str, dict[str, Any]] = {
    "blob": {"n": 4},
    "convoluted-coprimality": {"n": 4, "grids": 1},
    "divisors-multiples": {"r": 5},
    "palindromes": {"m": 8},
    "plusses-minuses": {"n": 4},
    "sequence-ascension": {"n": 3},
    "sums-grid": {"n": 2},
    "up-and-up": {"n": 4},
}


def played(id: str, moves: str, **parameters: Any) -> quet.Game:
    game = quet.new(id, **parameters)
    for move in moves.split():
        game.play(move)
    return game


def at_random(id: str, seed: int = 1, limit: int = 12, **parameters: Any) -> quet.Game:
    game = quet.new(id, **(parameters or small(id, SMALL)))
    for _ in play_at_random(game, seed, limit):
        pass
    return game


def positions(game: quet.Game) -> list[quet.Game]:
    """The game before each move, and as it stands."""
    return [played(game.id, " ".join(game.moves[:k]), **game.parameters) for k in range(game.ply + 1)]


@pytest.mark.parametrize("settings", [{"simulations": 40}, {"seconds": 1.0}], ids=str)
@pytest.mark.parametrize(("id", "parameters"), [("palindromes", {"m": 6}), ("blob", {"n": 3})], ids=str)
def test_values_of_small_games_are_those_of_trying_everything(
    id: str, parameters: dict[str, int], settings: dict[str, Any]
) -> None:
    game = at_random(id, 3, **parameters)
    for (before, after), one in zip(pairwise(positions(game)), analyse(game, **settings).assessments, strict=True):
        sign = 1 if one.mover == 1 else -1
        assert one.mover == before.mover
        assert one.value.is_exact and one.best.is_exact
        assert (one.value.margin, one.best.margin) == (
            sign * value_by_trying_everything(after),
            sign * value_by_trying_everything(before),
        )


@pytest.mark.long
def test_the_best_line_of_a_solved_position_reaches_its_value() -> None:
    game = played("up-and-up", "a3 b3 b1", n=3)
    analysis = analyse(game, simulations=40)
    for before, one in zip(positions(game), analysis.assessments, strict=False):
        assert one.best == Value(value_by_trying_everything(before), is_exact=True)
        for move in one.line:
            before.play(move)
        assert before.is_over and before.scores == [one.best.amount]
    (point,) = analysis.turning_points
    assert point.turning_point.startswith(
        "Move 1, a3, was a mistake: the best score still reachable fell from 9 to 8; "
    )


def test_a_planted_blunder_is_named_with_what_kept_the_win() -> None:
    game = played("palindromes", "4=0 5=0 1=0 3=0 6=1 2=1", m=6)
    points = analyse(game, simulations=100).turning_points
    first, second = (one for one in points if one.loss)
    assert (second.ply, second.mover, second.move, second.best_move, second.loss) == (5, 1, "6=1", "2=0", 1.0)
    assert first.turning_point == "Move 2, 5=0, was a mistake: a win by 4 became a loss by 6; 3=1 kept it."
    assert second.turning_point == "Move 5, 6=1, was a mistake: a win by 14 became a loss by 2; 2=0 kept it."
    assert (first.points_lost, second.points_lost) == (10, 16)


def test_a_move_that_gives_away_points_and_not_the_win_is_no_turning_point() -> None:
    game = played("palindromes", "4=0 5=0 1=0 3=0 6=1 2=1", m=6)
    analysis = analyse(game, simulations=100)
    assert analysis.gave_away and not {one.ply for one in analysis.gave_away} & {
        one.ply for one in analysis.turning_points
    }
    for one in analysis.gave_away:
        assert one.value.margin is not None and one.best.margin is not None
        assert one.points_lost == one.best.margin - one.value.margin > 0
        assert f" by {abs(one.best.margin)} became a " in one.gave_away
    assert [one.gave_away for one in analysis.gave_away] == [
        "Move 3, 1=0, gave away 4 points: a win by 6 became a win by 2; 3=0 kept it at 6.",
        "Move 4, 3=0, gave away 12 points: a loss by 2 became a loss by 14; 2=1 kept it at 2.",
    ]


def test_the_turning_points_that_are_proven_are_the_moves_that_did_not_keep_the_result() -> None:
    analysis = analyse(played("blob", "e4 e5 d4 e3 c4 c3 d5 e2 b4 d3 c5 c2", n=5), simulations=2000)
    assert [one.gave_away for one in analysis.gave_away if one.ply == 12] == [
        "Move 12, c2, gave away 1 point: a win by 2 became a win by 1; d2 kept it at 2."
    ]
    lost = {1: 0, 2: 0}
    for one in analysis.turning_points:
        assert one.value.amount < one.best.amount
        lost[one.mover] += one.value.is_exact and one.best.is_exact
    assert {player: number - kept for player, (kept, number) in analysis.kept.items()} == lost


def test_a_planted_blunder_of_a_solitaire_is_named_with_both_scores() -> None:
    game = played("sums-grid", "a1=1 b1=2 a2=3 b2=4 done", n=2)
    (point,) = analyse(game, simulations=20_000).turning_points
    assert point.turning_point == (
        f"Move 5, done, was a mistake: the best score still reachable fell from 8 to 4; {point.best_move} kept it."
    )


def test_a_blunder_among_estimates_is_named_as_an_estimate() -> None:
    game = at_random("palindromes", 3, 12, m=20)  # whose table takes seconds
    points = analyse(game, simulations=3000).turning_points
    estimated = [one for one in points if not (one.value.is_exact and one.best.is_exact) and one.best.at_least is None]
    assert estimated
    for one in estimated:
        assert one.loss >= MISTAKE
        assert "the expected share of the win fell from" in one.turning_point
        assert one.turning_point.endswith(f"; {one.best_move} seemed better.")


@pytest.mark.parametrize(("mistake", "sure"), [(0.15, 0.0), (0.0, 2.0), (0.15, 2.0)])
def test_estimates_make_a_turning_point_only_beyond_both_thresholds(
    mistake: float, sure: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quet.study.mistakes.MISTAKE", mistake)
    monkeypatch.setattr("quet.study.mistakes.SURE", sure)
    for one in analyse(at_random("blob", 3, 12, n=8), simulations=400).assessments:
        assert not (one.value.is_exact and one.best.is_exact)
        error = math.hypot(one.value.error, one.best.error)
        assert bool(one.turning_point) == (one.loss >= mistake and one.loss >= sure * error)


@pytest.mark.parametrize(
    ("fall", "error", "is_told"), [(1, 0.0, False), (2, 0.0, True), (5, 3.0, False), (6, 3.0, False), (7, 3.0, True)]
)
def test_found_scores_make_a_turning_point_beyond_what_the_searches_differ_by(
    fall: int, error: float, is_told: bool
) -> None:
    value, best = Value(60.0 - fall, error), Value(60.0, error)
    found = turning_point(Assessment(1, 1, "a1", value, "b1", best, ("b1",)), quet.new("up-and-up", n=8))
    told = f"Move 1, a1, seems a mistake: the best score found fell from 60 to {60 - fall}; b1 seemed better."
    assert found == (told if is_told else "")


def check(game: quet.Game, analysis: Analysis) -> None:
    """Check what must be true of every analysis."""
    assert [one.move for one in analysis.assessments] == game.moves
    for before, one in zip(positions(game), analysis.assessments, strict=False):
        assert (one.ply, one.mover) == (before.ply + 1, before.mover)
        assert one.best_move in before.legal_moves
        assert one.line[0] == one.best_move
        assert one.best.amount >= one.value.amount or game.num_players > 2
        for value in (one.value, one.best):
            assert value.error >= 0
            assert value.error == 0 or not value.is_exact
            assert game.num_players == 1 or 0 <= value.amount <= 1


@pytest.mark.parametrize("simulations", [2, pytest.param(40, marks=pytest.mark.long)])
def test_no_unknown_value_is_told_drawn_or_called_a_mistake(our_game_id: str, simulations: int) -> None:
    sizes = [small(our_game_id, SMALL), {}]
    if "players" in quet.new(our_game_id).parameters:
        sizes.append({"players": 3})
    for parameters in sizes:
        analysis = analyse(at_random(our_game_id, 5, 10, **parameters), simulations=simulations)
        for one in analysis.assessments:
            assert one.value.is_known and one.best.is_known, one
        drawn = [value for line in _series(analysis, is_lead=False) for _, value in line.points]
        assert drawn and all(value.is_known for value in drawn)


def _judged(id: str, moves: str, **parameters: int) -> list[Assessment]:
    game = quet.new(id, **parameters)
    for move in moves.split():
        game.play(move)
    return list(analyse(game, seconds=0.1).assessments)


def test_what_one_player_holds_by_a_theorem_is_told_and_a_move_that_leaves_it_named() -> None:
    found = _judged("palindromes", "1=0 40=0 2=0 39=1", m=40)
    loss, win = "a loss by 2 or more", "at least a win by 2"
    game = quet.new("palindromes", m=40)
    assert [in_words(one.best, game) for one in found] == [loss, win, loss, win]
    assert [in_words(one.value, game) for one in found[:3]] == [loss, win, loss]
    assert found[1].best_move == "40=0" and not any(one.turning_point for one in found[:3])
    kept = found[3].best_move
    assert not found[3].value.is_exact and kept != "39=1"
    told = f"Move 4, 39=1, left what is proven. After {kept}: at least a win by 2; after 39=1, by a search: about "
    assert found[3].turning_point.startswith(told)


def test_a_move_that_may_hold_as_much_as_what_is_proven_is_no_turning_point() -> None:
    position = quet.new("palindromes", m=40)
    best = Value(1.0, is_exact=True, at_least=2, how="proven: strategy")
    for amount, error, is_told in ((0.9, 0.01, False), (0.5, 0.3, False), (0.5, 0.01, True)):
        one = Assessment(1, 1, "1=0", Value(amount, error=error), "2=0", best, ("2=0",))
        assert bool(turning_point(one, position)) is is_told


@pytest.mark.parametrize(("id", "parameters"), [("divisors-multiples", {"r": 8}), ("palindromes", {"m": 14})])
def test_a_table_that_is_made_at_once_is_asked_where_simulations_are_counted(
    id: str, parameters: dict[str, int]
) -> None:
    game = quet.new(id, **parameters)
    for _ in range(2):
        game.play(game.legal_moves[0])
    assert all(one.value.is_exact and one.best.is_exact for one in analyse(game, simulations=10).assessments)


def test_a_draw_that_is_held_is_the_best_that_is_told_unless_a_win_is_proven() -> None:
    first, second, third = _judged("palindromes", "21=0 1=0 41=0", m=41)
    game = quet.new("palindromes", m=41)
    assert (first.best_move, in_words(first.best, game)) == ("1=0", "at least a draw")
    assert (third.best_move, in_words(third.best, game)) == ("20=0", "at least a draw")
    assert not first.value.is_exact and in_words(second.value, game) == "a draw at most" and second.value.amount <= 0.5
    assert first.best.how == second.value.how == "proven: strategy"


def test_a_draw_that_the_table_has_is_told_beside_a_move_that_may_lose_it() -> None:
    found = _judged("blob", "d1", n=7)[0]
    assert (found.best_move, found.best.how) == ("b1", "proven: table of results")
    assert found.best.is_exact and found.best.amount == 0.5
    assert not found.value.is_exact and found.value.amount <= 0.5


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("text", ["palindromes m=8", "palindromes m=9", "plusses-minuses n=3 second_part_first=2"])
def test_nothing_is_told_that_is_outside_of_what_is_true(text: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_of, "exactly", lambda *_: None)  # as in games that are too large to be solved
    id, *given = text.split()
    game = quet.new(id, **dict(word.split("=") for word in given))
    for _ in range(3):
        known = ask(game, Budget(1.0), (Strategies(),))
        move = known.moves[0] if known is not None and known.moves else game.legal_moves[seed % len(game.legal_moves)]
        game.play(move)
    for one in analyse(game, seconds=0.02, seed=seed).assessments:
        values = exact_values(game.at(one.ply - 1))
        assert values is not None
        for value, true in ((one.best, max(values.values())), (one.value, values[one.move])):
            assert value.at_least is None or true >= value.at_least
            assert value.at_most is None or true <= value.at_most
            assert value.margin is None or true == value.margin
            assert not value.is_exact or value.amount == (true > 0) + 0.5 * (true == 0)
        kept, best = values[one.best_move], one.best
        assert best.margin is None or kept == best.margin
        assert best.at_least is None or kept >= best.at_least
        assert not best.is_exact or best.amount == (kept > 0) + 0.5 * (kept == 0)


def test_an_unknown_value_is_left_out_of_the_plot_and_of_the_turning_points() -> None:
    game = at_random("blob", 3, 4, n=8)
    analysis = analyse(game, simulations=40)
    first, *others = analysis.assessments
    unknown = replace(first, value=UNKNOWN, best=Value(1.0, 0.01))
    assert unknown.loss == 0 and turning_point(unknown, game) == ""
    (line,) = _series(replace(analysis, assessments=[unknown, *others]), is_lead=False)
    assert [ply for ply, _ in line.points] == [0, 2, 3, 4]
    assert in_words(UNKNOWN, game) == "not known"


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
def test_every_move_of_a_solitaire_has_the_value_that_trying_everything_finds(seed: int) -> None:
    game = at_random("up-and-up", seed, 400, n=3)
    searched = Analysis(game, {}, _by_searching(game))
    for after, one in zip(positions(game)[1:], searched.assessments, strict=True):
        assert one.value == Value(value_by_trying_everything(after), is_exact=True)


def _by_searching(game: quet.Game) -> list[Assessment]:
    """The assessments of the tree searches alone, as at sizes that no solver answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("quet.study.analysis.exactly", lambda *_, **__: None)
        return list(analyse(game, simulations=20_000).assessments)


def test_a_mistake_in_a_solitaire_too_large_to_solve_is_told_with_the_score_that_was_left() -> None:
    moves = "g4 f4 h4 h7 d7 d2 d8 d1 e1 e3 b3 f3 f8 f2 e2 e4 b4 b8 g8 a8 a1 b1 c1 c3 c6 c2 c7 c8 e8 h8"
    points = analyse(played("up-and-up", moves, n=8), simulations=18_000).turning_points
    assert [one.turning_point for one in points[-2:]] == [
        "Move 28, c8, was a mistake: the best score still reachable fell from 61 to 60; b7 kept it.",
        "Move 30, h8, was a mistake: the best score still reachable fell from 60 to 30; e5 kept it.",
    ]
    assert all(one.value.amount >= 30 for one in points)


def test_every_game_is_analysed_alike_for_the_same_seed(our_game_id: str) -> None:
    game = at_random(our_game_id)
    analysis = analyse(game, simulations=60, seed=4)
    check(game, analysis)
    assert analysis.json() == analyse(game, simulations=60, seed=4).json()


@pytest.mark.parametrize(
    ("id", "parameters"),
    [("divisors-multiples", {"r": 6, "players": 3}), ("convoluted-coprimality", {"n": 4, "players": 4, "grids": 2})],
)
def test_games_of_three_and_four_are_analysed_for_their_movers(id: str, parameters: dict[str, int]) -> None:
    game = at_random(id, 2, 400, **parameters)
    assert game.is_over
    analysis = analyse(game, simulations=400)
    check(game, analysis)
    last = analysis.assessments[-1]
    share = 1 / len(game.winners) if last.mover in game.winners else 0
    assert (last.value.amount, last.value.is_exact, last.value.scores) == (share, True, tuple(game.scores))


@pytest.mark.parametrize(
    ("id", "parameters"),
    [
        ("convoluted-coprimality", {"n": 6, "players": 3}),
        ("convoluted-coprimality", {"n": 5, "players": 4}),
        ("divisors-multiples", {"r": 6, "players": 3}),
    ],
)
def test_the_perfect_game_of_the_table_for_three_and_more_has_no_mistakes(id: str, parameters: dict[str, int]) -> None:
    (row,) = quet.best_results(id, **parameters)
    analysis = analyse(played(id, row.witness, **parameters), simulations=200)
    assert {one.value.scores for one in analysis.assessments} == {tuple(analysis.game.scores)}
    assert not analysis.turning_points and not analysis.gave_away
    assert {one.best.how for one in analysis.assessments[:-1]} == {How.ROW.text}
    assert analysis.supposed.startswith("This supposes that all play perfectly: each wants ")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("id", "parameters"),
    [("divisors-multiples", {"r": 6, "players": 3}), ("convoluted-coprimality", {"n": 4, "players": 3, "grids": 2})],
)
def test_each_move_of_a_game_for_three_is_judged_by_perfect_play(
    id: str, parameters: dict[str, int], seed: int
) -> None:
    game = at_random(id, seed, 400, **parameters)
    wish = claims.of(id).wish
    assert wish is not None
    for (before, after), one in zip(pairwise(positions(game)), analyse(game, simulations=40).assessments, strict=True):
        best, reached = scores_of_perfect_play(before), scores_of_perfect_play(after)
        is_worse = wish(reached, one.mover) < wish(best, one.mover)
        assert one.value.scores == reached
        assert one.best.scores == (best if is_worse else reached)
        sure = ask(before, Budget(60.0), [WinningAlone()])  # which nobody can call a mistake
        is_sure = sure is not None and one.move == sure.moves[0]
        turned = best_players(game, best) != best_players(game, reached)
        assert bool(one.turning_point or one.gave_away) == ((is_worse or turned) and not is_sure)
        assert not one.turning_point or turned


def test_a_move_that_passes_the_win_from_one_of_the_others_to_another_is_a_turning_point() -> None:
    moves = "a3 a2 a1 b1 b2 b3 b4 c4 c3 c2 c1 d1 d2 d3 d4 b4 c4 d4 d3 d2 d1 c1 c2"
    analysis = analyse(played("convoluted-coprimality", moves, n=4, players=4, grids=2), seconds=1.0)
    assert [one.turning_point for one in analysis.turning_points] == [
        "Move 5, b2, changed who wins: the win went from player 2 to player 3; c1 kept it."
    ]
    assert analysis.assessments[4].mover == 4 and analysis.assessments[4].loss == 0


SURE = "3! 6 2! 4! 12! 6 3 9! 3 1 5!"  # then 10! alone wins whatever the others do, and perfect play plays 1


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        (f"{SURE} 10!", ""),
        ("2 6! 2 1 7! 1 5! 1 11! 1 2 10! 2!", ""),
        ("2 6! 2 1 7! 1 5! 1 11! 1 2 10! 2", "Move 13, 2, was a mistake: a win became a loss with the scores "),
    ],
)
def test_a_win_whatever_the_others_do_is_no_mistake_and_to_miss_it_is_one(moves: str, told: str) -> None:
    game = played("divisors-multiples", moves, r=12, players=3)
    last = analyse(game, seconds=1.0).assessments[-1]
    assert last.turning_point.startswith(told) and bool(last.turning_point) == bool(told) and not last.gave_away


def test_a_move_after_which_its_player_can_still_be_sure_of_the_win_is_worth_the_win() -> None:
    """Perfect play of three wants small totals, and so would go on to share the win after move 6."""
    analysis = analyse(played("divisors-multiples", "6 6! 3! 6 2! 1 7!", r=7, players=3), seconds=1.0)
    assert [one.value.amount for one in analysis.assessments[-2:]] == [1, 1]
    assert not any(one.ply >= 6 for one in (*analysis.turning_points, *analysis.gave_away))
    for one, after in pairwise(analysis.assessments):
        assert one.mover != after.mover or one.value.amount >= after.best.amount


def scores_of_perfect_play(game: quet.Game) -> tuple[int, ...]:
    known = ask(game, Budget(60.0), [PerfectOfMany()])
    return tuple(game.scores if known is None else known.scores)


def test_where_perfect_play_of_three_is_not_known_a_search_estimates_and_proves_nothing() -> None:
    game = played("convoluted-coprimality", "a5 a4 a3 a2 a1 b1 c1 d1 e1 f1 f2 e2 d2 c2 b2 b3 c3", n=6, players=3)
    with pytest.MonkeyPatch.context() as patch:
        for module in ("analysis", "outlook"):
            patch.setattr(f"quet.study.{module}.ask", lambda *_: None)
        analysis = analyse(game, simulations=4000)
    for one in analysis.assessments:
        assert not one.value.is_exact and not one.best.is_exact
        assert "proven" not in one.value.how + one.best.how
    assert not analysis.turning_points and not analysis.supposed


def test_what_is_told_as_proven_has_no_error_and_an_estimate_is_not_told_as_proven() -> None:
    moves = (
        "d1 c2 d2 d3 d4 c4 b3 a3 a4 b4 c3 b2 c1 b1 a2 a1 d1 d2 c1 c2 b3 c3 d4 d3 c4 b4 a3 a2 b1 a1 b2"  # after another
    )
    # By its terms, so that the table of results knows nothing of it, and in a time in which it is not solved.
    game = played("sequence-ascension", moves, n=4, sequence="1,2,2,3,2,4,2,4,3,4,2,6,2,4,4,5")
    analysis = analyse(game, seconds=0.05)
    values = [value for one in analysis.assessments for value in (one.value, one.best)]
    assert any(not value.is_exact for value in values)
    for value in values:
        assert value.is_exact == (value.how.startswith("proven") or value.how == How.END.text), value


def test_the_score_still_reachable_never_rises(game_id: str) -> None:
    if quet.new(game_id).num_players > 1:
        return
    one_by_one = analyse(at_random(game_id, 2), simulations=200).assessments
    assert all(one.best.amount >= one.value.amount for one in one_by_one)
    assert all(one.value.amount == after.best.amount for one, after in pairwise(one_by_one))


def test_an_unfinished_game_is_analysed_and_one_without_moves_refused() -> None:
    game = played("blob", "b2 b3", n=8)
    analysis = analyse(game, simulations=200)
    assert not any(one.value.is_exact for one in analysis.assessments)
    with pytest.raises(quet.BadParameter, match="nothing to analyse"):
        analyse(quet.new("blob"))


def changed_often(num_moves: int) -> quet.Game:
    """A game in which one number is changed again and again."""
    game = quet.new("sums-grid", n=2)
    for ply in range(num_moves):
        game.play(f"a1={1 + ply % 2}")
    return game


def test_the_memory_grows_no_faster_than_the_moves() -> None:
    stop = threading.Event()
    stop.set()

    def most(num_moves: int) -> int:
        game = changed_often(num_moves)
        tracemalloc.start()
        analyse(game, simulations=2, stop=stop)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    most(10)  # loads and compiles
    assert most(4000) < 5 * most(1000)


def test_games_that_are_too_long_are_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(Form(id, {}).bounds.longest < analysis_of.MOST_MOVES for id in SMALL)
    monkeypatch.setattr(analysis_of, "MOST_MOVES", 6)
    assert len(analyse(changed_often(6), simulations=2).assessments) == 6
    with pytest.raises(quet.BadParameter, match=r"^An analysis takes games of at most 6 moves; this one has 7\.$"):
        analyse(changed_often(7), simulations=2)


def test_of_a_long_continuation_the_first_moves_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    game = played("palindromes", "4=0 5=0 1=0 3=0 6=1 2=1", m=6)
    whole = analyse(game, simulations=40).assessments
    monkeypatch.setattr(analysis_of, "MOST_OF_LINE", 2)
    cut = analyse(game, simulations=40).assessments
    assert max(len(one.line) for one in whole) > 2
    assert [one.line for one in cut] == [one.line[:2] for one in whole]


def test_progress_is_told_after_each_move() -> None:
    told: list[int] = []
    analyse(at_random("palindromes"), simulations=10, report=told.append)
    assert told == list(range(1, 9))


def candidate(visits: int, value: float, *, is_solved: bool = False) -> Candidate:
    return Candidate(1, visits, value, value, is_solved)


def test_the_error_of_an_estimate_shrinks_with_visits_and_grows_with_what_searches_differ_by() -> None:
    few, many = expected_share([candidate(10, 0.5)], 2), expected_share([candidate(1000, 0.5)], 2)
    assert few.amount == many.amount == 0.5
    assert few.error > 0.1 > many.error > 0
    assert expected_share([candidate(1000, 0.05), candidate(1000, 0.95)], 2) == Value(0.5, 0.5)
    assert expected_share([candidate(3, 0.97)], 2).error > 0.1
    assert expected_share([candidate(0, 0.0)], 2) == UNKNOWN
    solved = candidate(1, 0.98, is_solved=True)
    assert expected_share([candidate(5, 0.3), solved], 2) == Value(1.0, is_exact=True)
    assert not expected_share([solved], 3).is_exact


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Value(1, is_exact=True, margin=5), "a win by 5"),
        (Value(0, is_exact=True, margin=-1), "a loss by 1"),
        (Value(0.5, is_exact=True, margin=0), "a draw"),
        (Value(1, is_exact=True), "a win"),
        (Value(0.62, 0.1), "about 62 % of the win"),
    ],
)
def test_values_are_said_in_words(value: Value, words: str) -> None:
    assert in_words(value, quet.new("blob")) == words


def test_a_hint_is_a_legal_move_with_its_worth_and_a_line(our_game_id: str) -> None:
    game = quet.new(our_game_id, **small(our_game_id, SMALL))
    found = hint(game, seconds=0.05, seed=1)
    assert found.move in game.legal_moves
    assert found.line[0] == found.move
    expected = f" Expected: {line_text(found.line, is_cut=found.is_cut)}." if len(found.line) > 1 else ""
    assert (
        found.sentence == f"Hint: {signed(found.move)}, {found.worth}.{f' {found.why}' if found.why else ''}{expected}"
    )
    assert found.how
    assert found.how in found.worth


def test_a_long_continuation_ends_with_how_many_moves_more_there_are() -> None:
    assert line_text(["a1", "b2"]) == "a1 b2"
    assert line_text("a b c d e f".split()) == "a b c d e f"
    assert line_text("a b c d e f g".split()) == "a b c d e f g"
    found = Hint("a", "a draw", "a b c d e f g h".split())
    assert found.sentence == "Hint: a, a draw. Expected: a b c d e f and 2 more moves."


def test_a_continuation_that_breaks_off_says_that_the_game_goes_on() -> None:
    assert line_text(["a1", "b2"], is_cut=True) == "a1 b2 and so on"
    assert line_text("a b c d e f g h".split(), is_cut=True) == "a b c d e f and so on"
    found = hint(played("up-and-up", "a1", n=3))
    assert found.worth == "the best score still reachable is 8 (proven: solved)"
    assert found.sentence.endswith(f"Expected: {' '.join(found.line)} and so on.")
    after = played("up-and-up", " ".join(["a1", *found.line[:4]]), n=3)
    assert not hint(after).is_cut and "so on" not in hint(after).sentence


def test_a_hint_in_a_solved_position_says_so_and_takes_the_win() -> None:
    found = hint(played("palindromes", "4=0 5=0 1=0 3=0", m=6), seed=1)
    assert (found.move, found.worth) == ("2=0", "a win by 14 (proven: solved)")
    assert len(found.line) == 2
    assert hint(played("palindromes", "4=0 5=0 1=0 3=0 6=1", m=6), seed=1).worth == "a win by 2 (proven: solved)"
    solitaire = hint(played("up-and-up", "a1", n=2), seed=1)
    assert solitaire.worth == "the best score still reachable is 4 (proven: no score is better)"


def test_a_hint_is_stopped_and_refused_when_the_game_is_over() -> None:
    stop = threading.Event()
    stop.set()
    hint(quet.new("blob"), seconds=0.01)  # compiles
    hint(quet.new("blob"), seconds=3600, stop=stop)  # comes back
    with pytest.raises(quet.IllegalMove):
        hint(played("palindromes", "1=0", m=1))


def test_the_analysis_of_a_solitaire_plans_as_a_hint_does() -> None:
    game = played("up-and-up", "d4", n=8)
    judged = analyse(game, simulations=200_000).assessments[0]
    planner = game.entry.planner
    assert planner is not None
    planned = Planning(planner, game.rules, game.at(0).state, seed=0).run(simulations=100_000)
    assert judged.best.amount >= planned.candidates[0].best > 60
    assert judged.best.how in (How.PLAN.text, How.BOUND.text)


def test_the_analysis_of_a_solitaire_knows_the_best_result_while_the_game_follows_it() -> None:
    known = ask(quet.new("sums-grid", n=4), Budget())
    assert known is not None and known.low == 60
    judged = analyse(played("sums-grid", known.moves[0], n=4), simulations=2).assessments[0]
    assert (judged.best.amount, judged.best.how, judged.best.is_exact) == (60, How.RESULT.text, False)
    assert judged.loss == 0 and not judged.turning_point


def test_a_win_that_is_played_is_not_said_to_be_the_largest_before_the_others_are_solved() -> None:
    game = quet.new("palindromes", m=8)
    for move in ("7=0", "8=0", "4=0", "1=0"):
        game.play(move)
    known = ask(game, Budget(30.0))
    assert known is not None and known.advantages["3=0"] == 8 and max(known.advantages.values()) == 14
    after = game.after("3=0")
    then = ask(after, Budget(30.0))
    assert then is not None
    move = then.moves[0]
    later = Outlook(move, solved(after, then.advantages[move], then.how), (move,))
    guessed = Value(0.9, 0.05, how="search, 100 games")
    found = analysis_of._Analyst(game, 0.5, None, 0, None, None).assess(
        game, Outlook("3=0", guessed, ("3=0",), {"3=0": guessed}), "3=0", after, later
    )
    assert found.value.margin == 8 and (found.best.margin, found.best.at_least) == (None, 8)


def test_a_position_whose_search_was_stopped_is_not_judged_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game, stop, outlook = at_random("palindromes", limit=5), threading.Event(), analysis_of._Analyst.outlook

    def stopped(self: Any, position: quet.Game, *given: Any, **more: Any) -> Outlook:
        if position.ply == 2:
            stop.set()
        return outlook(self, position, *given, **more)

    monkeypatch.setattr(analysis_of._Analyst, "outlook", stopped)
    found = analyse(game, seconds=0.02, stop=stop)
    assert found.is_stopped and [one.ply for one in found.assessments] == [4, 5]


def test_what_searches_before_and_after_a_move_of_three_differ_by_is_its_error() -> None:
    """They may take different ones of equal moves."""
    game = quet.new("divisors-multiples", r=4, players=3)
    move, other = game.legal_moves[:2]
    judge = analysis_of._Analyst(game, 0.1, None, 1, None, None).assess
    for error, told in ((0.01, 0.2), (0.3, 0.3)):
        here = Outlook(other, Value(0.7, 0.02), (), {move: Value(0.5, 0.02), other: Value(0.7, 0.02)})
        later = Outlook(move, Value(0.4, 0.02), (), last_move=Value(0.1, error))
        found = judge(game, here, move, game.after(move), later)
        assert (found.value.amount, found.value.error) == (0.1, told)


def test_a_score_of_1_in_a_solitaire_is_not_taken_for_a_win() -> None:
    game = quet.new("up-and-up", n=3)
    move, other = game.legal_moves[:2]
    here, later = Outlook(other, Value(1.0, 1.0), ()), Outlook("", Value(1.0, is_exact=True), ())
    found = analysis_of._Analyst(game, 0.1, None, 1, None, None).assess(game, here, move, game.after(move), later)
    assert found.value.is_exact and found.best_move == move and not found.best.is_exact


def test_the_plot_of_a_stopped_analysis_begins_where_it_was_judged_from() -> None:
    game = quet.new("palindromes", m=8)
    for _ in play_at_random(game, 1, 8):
        pass
    whole = analyse(game, seconds=0.02)
    (line,) = _series(replace(whole, assessments=whole.assessments[6:]), is_lead=False)
    assert [ply for ply, _ in line.points] == [6, 7, 8]


def test_no_move_is_worth_more_than_a_best_one_that_loses() -> None:
    lost = Value(0.0, is_exact=True, margin=-3)
    assert at_most(Value(0.3, 0.1), lost) == Value(0.0, is_exact=True, at_most=-3)
    assert at_most(Value(0.3, 0.1), Value(0.0, is_exact=True, at_most=-2)).at_most == -2
