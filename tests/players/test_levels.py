"""The levels: legal moves in every game, the same for the same seed, weaker ones less careful."""

import itertools
import math
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

import quet
import quet.rl
from conftest import small
from quet.engine.findings import Findings
from quet.engine.max_n import MaxN
from quet.engine.tree import TreeSearch
from quet.knowledge import sources
from quet.knowledge.ask import ask
from quet.knowledge.known import Budget, How, Known, Source
from quet.players import levels
from quet.players.levels import DOUBTFUL_SECONDS, LEAST_SECONDS, LEVELS, MOST_THREADS, LevelPlayer
from quet.players.player import HELD_SECONDS, PLAYERS, SECONDS, PerfectPlayer, Unproven, player

LAST_TWO = ("level:5", "level:6")
SMALL: dict[str, dict[str, int]] = {
    "blob": {"n": 4},
    "convoluted-coprimality": {"n": 4, "grids": 2},
    "divisors-multiples": {"r": 6},
    "palindromes": {"m": 6},
    "plusses-minuses": {"n": 4},
    "sequence-ascension": {"n": 3},
    "sums-grid": {"n": 2},
    "up-and-up": {"n": 4},
}


def test_of_several_best_moves_the_one_is_played_that_the_search_likes_best(monkeypatch: pytest.MonkeyPatch) -> None:
    game, player = quet.new("palindromes", m=4), LevelPlayer(LEVELS["level:6"], 1)
    worths = {"1=0": 2, "1=1": 2} | dict.fromkeys(game.legal_moves[2:], -2)
    known, findings = Known(How.SOLVED, ("1=0", "1=1"), 2, 2, worths), player.think(game, simulations=50)
    texts = {one: game.rules.move_text(game.state, one.move) for one in findings.candidates}

    def likes(*liked: str) -> Callable[..., Findings]:
        found = replace(findings, candidates=sorted(texts, key=lambda one: [texts[one] != text for text in liked]))
        return lambda *given, **more: found

    monkeypatch.setattr(player, "known", lambda *given, **more: known)
    for liked in 3 * ("1=0", "1=1"):
        monkeypatch.setattr(player, "think", likes("2=0", liked))
        assert player.choose(game) == liked


def test_what_is_nearly_as_good_in_a_solitaire_follows_from_the_range_of_its_scores() -> None:
    game, player = quet.new("sequence-ascension", n=3), LevelPlayer(LEVELS["level:1"], 1)
    findings = player.think(game, simulations=50)
    best, second, unvisited, *rest = (replace(one, visits=1, value=0.0) for one in findings.candidates)
    good = [replace(best, value=30.0), replace(second, value=29.0), replace(unvisited, visits=0, value=30.0)]
    chosen = [player._choice(game, replace(findings, candidates=[*good, *rest])) for _ in range(30)]
    assert 5 < chosen.count(second.move) < 25 and unvisited.move not in chosen


@pytest.mark.parametrize("name", ["level:1", "level:3", "level:5"])
def test_every_level_plays_every_game_to_its_end_and_alike_for_the_same_seed(name: str, our_game_id: str) -> None:
    def played() -> list[str]:
        game = quet.new(our_game_id, **small(our_game_id, SMALL))
        mover = LevelPlayer(replace(LEVELS[name], seconds=math.inf), 7)  # however busy the machine is
        while not game.is_over:
            game.play(mover.choose(game))
        return game.moves

    assert played() == played()


def test_level_6_plays_and_answers_in_about_its_time(our_game_id: str) -> None:
    game = quet.new(our_game_id, **small(our_game_id, SMALL))
    mover = LevelPlayer(LEVELS["level:6"], 1)
    findings = mover.think(game)
    assert findings.move in game.legal_numbers()
    assert findings.is_solved or findings.seconds >= LEVELS["level:6"].seconds


@pytest.mark.parametrize("players", [3, 4])
def test_levels_play_games_of_three_and_four(players: int) -> None:
    game = quet.new("divisors-multiples", r=7, players=players)
    mover = player("level:2", 1)
    while not game.is_over:
        game.play(mover.choose(game))
    assert game.winners


def test_each_level_looks_further_than_the_one_below() -> None:
    levels = list(LEVELS.values())
    for below, above in itertools.pairwise(levels[:-2]):
        assert above.simulations > below.simulations
        assert above.temperature <= below.temperature
        assert above.annealing_steps > below.annealing_steps


def test_the_first_level_makes_mistakes_but_takes_a_win_that_it_sees() -> None:
    opening = quet.new("palindromes", m=10)
    assert len({player("level:1", seed).choose(opening) for seed in range(12)}) > 3
    ending = quet.new("palindromes", m=6)
    for move in ("6=1", "3=0", "4=0", "5=0", "1=1"):
        ending.play(move)
    assert all(player("level:1", seed).choose(ending) == "2=1" for seed in range(12))


def test_a_better_level_fills_the_sums_grid_better() -> None:
    def score(name: str) -> int:
        total = 0
        for seed in range(3):
            game = quet.new("sums-grid", n=3)
            mover = player(name, seed)
            while not game.is_over:
                game.play(mover.choose(game))
            total += game.scores[0]
        return total

    assert score("level:1") < score("level:4")
    assert score("level:5") >= 3 * 23


def test_the_sums_grid_is_finished_from_whatever_stands_in_it() -> None:
    game = quet.new("sums-grid", n=2)
    for move in ("a1=8", "b1=7", "a2=6", "b2=5"):
        game.play(move)
    mover = player("level:3", 1)
    while not game.is_over:
        game.play(mover.choose(game))
    assert game.scores[0] >= 6


def test_a_player_can_be_asked_about_another_game_in_between() -> None:
    mover = player("level:2", 1)
    first, second = quet.new("blob", n=4), quet.new("palindromes", m=4)
    for game in (first, second, first, first):
        game.play(mover.choose(game))
    first.undo()
    first.play(mover.choose(first))
    assert first.ply == 3


def test_an_unknown_level_is_refused_with_the_names_of_all() -> None:
    with pytest.raises(quet.BadParameter, match="level:perfect"):
        player("level:8")
    assert {*LEVELS, "random", "level:perfect"} == set(PLAYERS)


@pytest.mark.parametrize(
    ("id", "asking", "searching"),
    [
        ("blob", 0.0, 0.4),
        ("blob", 0.125, 0.375),
        ("blob", 3.0, LEAST_SECONDS),
        ("plusses-minuses", 0.0, 0.4),  # `solving` of its facts gives four fifths of the time to what is known
        ("plusses-minuses", 0.25, 0.25),
        ("plusses-minuses", 3.0, 0.1),
    ],
)
def test_a_search_has_the_time_that_asking_what_is_known_has_left(
    id: str, asking: float, searching: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, given = 0.0, list[float | None]()

    def known(_: quet.Game, budget: Budget, sources: object) -> None:
        nonlocal now
        now += asking
        assert budget.seconds == pytest.approx(0.15 if id == "blob" else 0.4)
        assert budget.patience == LEVELS["level:6"].patience

    def think(self: LevelPlayer, game: quet.Game, *, seconds: float | None, **_: object) -> Findings:
        given.append(seconds)
        return self._search_at(game).run(simulations=1)

    monkeypatch.setattr(levels, "clock", lambda: now)
    monkeypatch.setattr(levels, "ask", known)
    monkeypatch.setattr(LevelPlayer, "think", think)
    LevelPlayer(LEVELS["level:6"], 1, num_threads=1).choose(quet.new(id, n=8))
    assert given == [pytest.approx(searching)]


def test_level_7_is_level_6_with_more_time_and_all_cores() -> None:
    six, seven = LEVELS["level:6"], LEVELS["level:7"]
    times = {name: getattr(six, name) for name in ("seconds", "knowing_seconds", "patience", "thinking_seconds")}
    assert replace(seven, **times) == six
    assert (seven.thinking_seconds, six.thinking_seconds) == (10.0, 0.5)
    assert all(max(level.seconds, level.knowing_seconds) < level.thinking_seconds for level in (six, seven))
    assert all(
        level.knowing_seconds + level.patience + DOUBTFUL_SECONDS < level.thinking_seconds for level in (six, seven)
    )
    assert LevelPlayer(seven)._num_threads == min(MOST_THREADS, os.cpu_count() or 1)


def test_the_only_move_is_played_without_a_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LevelPlayer, "think", None)
    game = quet.new("convoluted-coprimality", n=4)
    while len(game.legal_moves) > 1:
        game.play(game.legal_moves[0])
    mover = player("level:7")
    assert (mover.choose(game), mover.how) == (game.legal_moves[0], "the only move")


def test_level_6_alone_looks_at_sensible_moves_only() -> None:
    game = quet.new("divisors-multiples", r=30)
    legal, sensible = (len(LevelPlayer(LEVELS[name], 1).think(game, simulations=50).candidates) for name in LAST_TWO)
    assert legal == len(game.legal_moves)
    assert 0 < sensible < legal


def test_level_6_asks_what_is_known_at_every_move(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def ask(game: quet.Game, budget: Budget, _: object) -> Known | None:
        asked.append(game.ply)
        return Known(How.TABLE, moves=[last], low=0, high=0, advantages={last: 0}) if game.ply == 2 else None

    monkeypatch.setattr(levels, "ask", ask)
    game = quet.new("palindromes", m=10)
    last = "10=1"
    mover = LevelPlayer(replace(LEVELS["level:6"], seconds=0.001), 1)
    for _ in range(4):
        move = mover.choose(game)
        assert game.ply != 2 or move == last
        game.play(move if game.ply == 2 else next(other for other in game.legal_moves if other != last))
    assert asked == [0, 1, 2, 3]


@pytest.mark.parametrize("name", ["level:3", "level:4", "level:5", "level:6"])
def test_levels_play_best_moves_of_a_game_of_three_that_max_n_solves(name: str) -> None:
    game = quet.new("convoluted-coprimality", n=8, players=3)
    max_n, mover = MaxN(game.rules), player(name, 1)
    choices = 0
    while not game.is_over:
        best = max_n.best(game.state, 10_000)
        choices += len(best) < len(game.legal_moves)
        move = mover.choose(game)
        assert game.rules.read_move(game.state, move) in best
        game.play(move)
    assert choices > 0


def test_a_player_has_at_least_the_memory_that_the_command_line_gives() -> None:
    with pytest.raises(quet.BadParameter, match=r"^The memory must be from 16777216 to "):
        player("level:3", memory=2**24 - 1)
    game = quet.new("palindromes", m=6)
    assert player("level:3", 1, memory=2**24).choose(game) in game.legal_moves


def test_a_level_knows_nothing_of_earlier_games_of_three() -> None:
    game = quet.new("convoluted-coprimality", n=5, players=3)
    first, again = (quet.match(game, "level:3", seed=1).game.moves for _ in range(2))
    assert first == again


def test_lower_levels_and_larger_games_are_searched_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "most_to_solve", lambda entry: 50)
    game = quet.new("convoluted-coprimality", n=6, players=4)
    for name in ("level:1", "level:3"):
        mover = LevelPlayer(LEVELS[name], 1)
        assert mover.known(game) is None
        assert mover.choose(game) in game.legal_moves


def test_a_computer_player_says_what_it_expects_and_how_that_is_known(game_id: str) -> None:
    game = quet.new(game_id, **small(game_id, SMALL))
    for name in ("level:1", "level:6"):
        mover = player(name, 1)
        if isinstance(mover, LevelPlayer):
            mover.level = replace(mover.level, seconds=0.05)
        assert mover.choose(game) in game.legal_moves
        known = r"\((proven: [a-z ]+|search, \d+ games?|search with .*|the best result known|a game found.*)\)$"
        assert re.search(known, mover.expects), mover.expects
    assert player("random", 1).expects == ""


def test_a_computer_player_that_follows_a_proof_says_so() -> None:
    perfect, strongest = player("level:perfect", 1), player("level:6", 1)
    small = quet.new("palindromes", m=6)
    perfect.choose(small)
    assert perfect.expects.startswith(("a win by", "a draw", "a loss by")) and "proven:" in perfect.expects
    large = quet.new("palindromes", m=40)
    large.play("1=0")
    strongest.choose(large)
    assert "at least a" in strongest.expects and strongest.expects.endswith("(proven: strategy)")


@pytest.mark.parametrize("text", ["1=0", "1=0 40=0 2=0"])
def test_the_perfect_player_plays_what_a_strategy_holds_and_waits_little_for_more(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def asking(game: quet.Game, budget: Budget, sources: Sequence[Source] | None = None) -> Known | None:
        asked.append((budget.seconds, budget.patience))
        return ask(game, replace(budget, seconds=0.2, patience=0.0), sources)

    monkeypatch.setattr("quet.players.player.ask", asking)
    perfect, game = PerfectPlayer(1), quet.new("palindromes", m=40)
    for one in text.split():
        game.play(one)
    known = quet.value(game, seconds=0.2)
    assert known is not None and not known.is_settled
    assert perfect.choose(game) in known.moves
    assert (perfect.stand_in, perfect.expects) == ("", f"at least a win by {known.low} (proven: strategy)")
    assert asked == [(SECONDS, 0.0), (HELD_SECONDS, SECONDS - HELD_SECONDS)]


def test_the_perfect_player_refuses_where_only_the_opponent_holds_something() -> None:
    game = quet.new("palindromes", m=40)
    known = quet.value(game, seconds=0.2)
    assert known is not None and known.high is not None and known.high < 0
    with pytest.raises(Unproven, match="can't be solved from here"):
        PerfectPlayer(1).choose(game, seconds=0.2)


def test_games_that_go_on_from_states_are_searched_each_by_itself() -> None:
    states = quet.rl.batch(quet.new("palindromes", m=12), 24, threads=1)
    states.reset(seed=1)
    for _ in range(4):
        legal = [np.flatnonzero(mask) for mask in states.masks]
        states.step([int(one[i % len(one)]) for i, one in enumerate(legal)])
    mover = LevelPlayer(LEVELS["level:3"], 1)
    for number in range(24):
        game = states.game(number)
        assert mover.choose(game) in game.legal_moves


def test_a_search_that_fails_on_its_way_to_the_position_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    game, mover = quet.new("palindromes", m=8), LevelPlayer(LEVELS["level:3"], 1)
    mover.think(game, simulations=50)
    game = game.after("1=0").after("2=1")
    advance, moves = TreeSearch.advance, list[int]()

    def failing(search: TreeSearch, move: int) -> None:
        moves.append(move)
        if len(moves) == 2:
            raise MemoryError
        advance(search, move)

    monkeypatch.setattr(TreeSearch, "advance", failing)
    with pytest.raises(MemoryError):
        mover.think(game, simulations=50)
    found = mover.think(game, simulations=50)
    assert sorted(one.move for one in found.candidates) == sorted(game.legal_numbers())
