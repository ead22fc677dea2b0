"""Measures of agents, against counting by plain minimax; and agents of every kind."""

import gc
import hashlib
import json
import os
import re
import resource
import shlex
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import quet
import quet.rl
from minimax import minimax
from quet import catalog
from quet.cli.main import main
from quet.core.errors import NotSolved
from quet.core.parameters import written
from quet.core.state import key
from quet.players.arena import tournament
from quet.rl import measure
from quet.rl.agents import ArrayAgent, BadAgent, OpenSpielAgent, UgiAgent, agent, asking, onnx

SIZES: list[tuple[str, dict[str, Any]]] = [
    ("blob", {"n": 3}),
    ("convoluted-coprimality", {"n": 2, "grids": 2}),
    ("divisors-multiples", {"r": 3}),
    ("palindromes", {"m": 5}),
    ("plusses-minuses", {"n": 3, "second_part_first": 2}),
    ("sequence-ascension", {"n": 2, "sequence": "1,1,2,3"}),
    ("up-and-up", {"n": 3}),
]
each_size = pytest.mark.parametrize(("id", "parameters"), SIZES, ids=str)


def first(game: quet.Game) -> str:
    """The first legal move."""
    return game.legal_moves[0]


def perfect(game: quet.Game) -> Callable[[quet.Game], str]:
    """One who always plays a best move."""
    oracle = quet.rl.oracle(game)
    return lambda position: oracle.best(position)[-1]


def wants_high(game: quet.Game, player: int | None) -> bool:
    """Whether the player wants values to be high."""
    return (player == 1) is not game.rules.LOWER_IS_BETTER


@each_size
def test_accuracy_is_what_counting_by_minimax_says(id: str, parameters: dict[str, Any]) -> None:
    game = quet.new(id, **parameters)
    true = minimax(game)
    going_on = [one for one in quet.positions(game) if not one.is_over]
    values = [(true[key(one.state)], true[key(one.after(first(one)).state)]) for one in going_on]
    found = measure.accuracy(first, game, num=10**6)
    is_same = [a == b if game.num_players == 1 else np.sign(a) == np.sign(b) for a, b in values]
    assert (found.name, found.num) == ("first", len(going_on))
    assert found.keeps_result.value == pytest.approx(np.mean(is_same))
    assert found.keeps_margin.value == pytest.approx(np.mean([a == b for a, b in values]))
    assert found.regret.value == pytest.approx(np.mean([abs(a - b) for a, b in values]))
    assert all(one.low == one.value == one.high for one in (found.keeps_result, found.keeps_margin, found.regret))


@each_size
def test_nobody_is_better_than_the_perfect(id: str, parameters: dict[str, Any]) -> None:
    game = quet.new(id, **parameters)
    best = perfect(game)
    for positions in ("reachable", "random", "play"):
        found = measure.accuracy(best, game, positions=positions, num=30, openings=1, seed=3)
        assert found.keeps_result.value == found.keeps_margin.value == 1.0 and found.regret.value == 0.0
        assert found.keeps_margin.high == 1.0 and found.regret.low == found.regret.high == 0.0
    for player in game.players:
        strength = measure.weak_strength(best, game, player=player)
        assert strength.holds_value and strength.holds_result and strength.worst == strength.value
        games = measure.against_perfect(best, game, player=player, num=5)
        assert games.loss.value == 0 and games.keeps_result.value == 1 and set(games.results) == {games.value}


def test_accuracy_in_games_of_its_own_is_what_counting_says() -> None:
    game, met = quet.new("palindromes", m=6), list[quet.Game]()

    def watched(one: quet.Game) -> str:
        met.append(one.copy())
        return first(one)

    found = measure.accuracy(watched, game, positions="play", num=30, seed=1)
    true = minimax(game)
    values = [(true[key(one.state)], true[key(one.after(first(one)).state)]) for one in met]
    margin, result = np.mean([a == b for a, b in values]), np.mean([np.sign(a) == np.sign(b) for a, b in values])
    assert found.num == len(met) and 0 < margin < result < 1
    assert (found.keeps_margin.value, found.keeps_result.value) == pytest.approx((margin, result))
    assert found.keeps_margin.low < margin < found.keeps_margin.high < 1
    assert found.regret.value == pytest.approx(np.mean([abs(a - b) for a, b in values]))


def test_positions_of_a_game_of_its_own_are_one_group() -> None:
    """Their mistakes hang together, so that intervals are drawn from games and not from positions."""
    with asking("random", seed=1) as asked:
        groups = measure._own_play(asked, quet.new("palindromes", m=4), 3, 1, 1, lambda *_: None)[2]
    assert Counter(groups) == {0: 3, 1: 3, 2: 3}


def test_positions_drawn_from_all_have_the_interval_of_a_share_and_those_of_own_play_have_not() -> None:
    game = quet.new("palindromes", m=6)
    part = measure.accuracy("random", game, num=50, seed=1)
    assert part.keeps_margin == measure.share(round(50 * part.keeps_margin.value), 50)
    own = measure.accuracy("random", game, positions="play", num=10, seed=1)
    assert own.keeps_margin != measure.share(round(own.num * own.keeps_margin.value), own.num)


def test_few_positions_of_own_play_are_drawn_by_the_seed() -> None:
    game = quet.new("up-and-up", n=4)
    whole, part, again, other = (
        measure.accuracy("random", game, positions="play", num=40, seed=seed, most=most)
        for seed, most in ((1, 10**6), (1, 60), (1, 60), (2, 60))
    )
    assert part == again != other and part.num == other.num == 60 < whole.num
    nine = [game] * 9
    assert measure._drawn(nine, [""] * 9, [0, 0, 0, 1, 1, 1, 2, 2, 2], 9, 1)[2] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    for seed in range(20):
        positions, moves, groups = measure._drawn(nine, list("abcdefghi"), [0, 0, 0, 1, 1, 1, 2, 2, 2], 3, seed)
        assert len(positions) == 3 and sorted(set(moves)) == moves
        assert sorted(set(groups)) == list(range(len({"abcdefghi".index(move) // 3 for move in moves})))


@each_size
def test_the_worst_is_found_by_trying_every_reply(id: str, parameters: dict[str, Any]) -> None:
    game = quet.new(id, **parameters)
    value = minimax(game)[key(game.state)]

    def worst(one: quet.Game, player: int) -> int:
        if one.is_over:
            return one.scores[0] - (one.scores[1] if one.num_players > 1 else 0)
        if one.mover == player:
            return worst(one.after(first(one)), player)
        return (min if wants_high(game, player) else max)(worst(one.after(move), player) for move in one.legal_moves)

    for player in game.players:
        found = measure.weak_strength(first, game, player=player)
        assert (found.value, found.worst) == (value, worst(game, player))
        end = game.copy()
        for move in found.line:
            assert end.mover != player or move == first(end)
            end.play(move)
        assert end.is_over and end.scores[0] - (end.scores[1] if end.num_players > 1 else 0) == found.worst
        assert found.holds_value is (found.worst == found.value)
        loss = measure.against_perfect(first, game, player=player, num=3).loss.value
        assert 0 <= loss <= abs(found.worst - found.value)


def test_the_hardest_of_the_best_moves_leaves_the_fewest_right_replies() -> None:
    game = quet.new("palindromes", m=6)
    true, oracle = minimax(game), quet.rl.oracle(game)
    num_choices = 0
    for one in list(quet.positions(game))[:200]:
        shares = {}
        for move in oracle.best(one):
            after = one.after(move)
            replies = [true[key(after.after(reply).state)] for reply in after.legal_moves]
            shares[move] = sum(value == true[key(after.state)] for value in replies) / max(1, len(replies))
        hardest = measure._hardest(oracle, one)
        assert hardest == [move for move, share in shares.items() if share == min(shares.values())]
        num_choices += len(hardest) < len(shares)
    assert num_choices > 20


def test_intervals_hold_what_they_promise() -> None:
    found = measure.share(0, 10)
    assert (found.value, found.low, round(found.high, 4)) == (0.0, 0.0, 0.2775)  # Wilson's, from tables
    chance = np.random.default_rng(1)
    inside = 0
    for seed in range(100):
        groups = np.repeat(np.arange(40), 3)  # three of each group are alike, as positions of one game
        column = np.repeat(chance.normal(5.0, 2.0, 40), 3)
        estimate = measure.bootstrapped(column, groups.tolist(), seed)
        inside += estimate.low <= 5.0 <= estimate.high
    assert 88 <= inside <= 99
    many = chance.normal(5.0, 2.0, 400)
    estimate = measure.bootstrapped(many, range(400), 1)
    assert 1.85 < (estimate.high - estimate.low) / 2 * 400**0.5 / many.std() < 2.05  # 1.96 standard errors
    part = measure.accuracy("random", quet.new("palindromes", m=8), num=200, seed=1)
    whole = measure.accuracy("random", quet.new("palindromes", m=8), num=10**6, seed=2)
    assert part.num == 200 and part.keeps_margin.low < whole.keeps_margin.value < part.keeps_margin.high
    assert part.regret.low < whole.regret.value < part.regret.high


def test_each_number_counts_alike_in_groups_of_many_and_of_few() -> None:
    groups = [*range(10), *(group for group in range(10, 20) for _ in range(9))]
    column = np.array([0.0] * 10 + [1.0] * 90)
    found = measure.bootstrapped(column, groups, 1)
    assert found.value == 0.9 and 0.75 < found.low < 0.88 < 0.92 < found.high < 1.0


def test_what_is_lost_at_other_sizes_is_told() -> None:
    small, large = quet.new("palindromes", m=4), quet.new("palindromes", m=6)
    best = {4: perfect(small), 6: first}
    found = measure.generalisation(lambda one: best[one.parameters["m"]](one), [small], [large], num=100)
    drop = found.drop
    assert found.trained[0].keeps_margin.value == 1.0
    assert drop.value == pytest.approx(1.0 - found.tested[0].keeps_margin.value) and drop.low < drop.value < drop.high


def test_functions_players_and_names_are_agents() -> None:
    game = quet.new("palindromes", m=5)
    assert agent(first).moves([game, game.after("1=0")]) == ["1=0", "2=0"]
    by_name, by_player = agent("level:1", seed=4), agent(quet.player("level:1", seed=4))
    assert by_name.moves([game] * 3) == by_player.moves([game] * 3)
    assert (by_name.name, by_player.name) == ("level:1", "LevelPlayer") and agent(by_name) is by_name
    spoiler = agent(lambda one: one.play("1=0") or "2=0")  # type: ignore[func-returns-value]
    assert spoiler.moves([game]) == ["2=0"] and game.ply == 0


def test_a_function_of_arrays_is_an_agent() -> None:
    games = [quet.new("divisors-multiples", r=5), quet.new("divisors-multiples", r=5).after("2")]
    last = ArrayAgent("last", lambda seen, legal: legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1))
    assert last.moves(games) == [one.legal_moves[-1] for one in games] and last.moves([]) == []
    for act, sentence in (
        (lambda seen, legal: legal.argmin(axis=1), "x chose the illegal action [0-9]+."),
        (lambda seen, legal: np.full(2, 99), "x chose the illegal action 99."),
        (lambda seen, legal: np.zeros(2), "x must give an integer for each of 2 games."),
    ):
        with pytest.raises(BadAgent, match=f"^{sentence}$"):
            ArrayAgent("x", act).moves(games)  # type: ignore[arg-type]


def test_an_agent_of_arrays_is_not_blamed_for_a_full_grid_that_goes_on() -> None:
    first = ArrayAgent("mine", lambda seen, legal: legal.argmax(axis=1))
    bot = OpenSpielAgent("bot", lambda made: pytest.fail("no bot is needed"))
    for one in (first, bot):
        assert one.moves([]) == []
        with pytest.raises(quet.BadParameter, match="without changing what is written"):
            measure.accuracy(one, quet.new("sums-grid", n=2), positions="random", num=20, seed=1)


def network(
    file: Path,
    inputs: int,
    actions: int,
    shape: list[Any],
    batch: Any = "batch",
    added: Any = 0,
    beside: str | None = None,
) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Write a network of one layer, and return its weights, which may be in a file `beside` it.

    To each output what is `added` is added.
    """
    import onnx as library
    from onnx import TensorProto, helper, numpy_helper

    weights = np.random.default_rng(1).normal(size=(inputs, actions)).astype(np.float32)
    bias = np.broadcast_to(np.float32(added), actions)
    nodes = [
        helper.make_node("Flatten", ["seen"], ["flat"]),
        helper.make_node("MatMul", ["flat", "weights"], ["sum"]),
        helper.make_node("Add", ["sum", "bias"], ["out"]),
    ]
    given = helper.make_tensor_value_info("seen", TensorProto.FLOAT, [batch, *shape])
    out = helper.make_tensor_value_info("out", TensorProto.FLOAT, [batch, actions])
    numbers = [numpy_helper.from_array(weights, "weights"), numpy_helper.from_array(bias, "bias")]
    graph = helper.make_graph(nodes, "one", [given], [out], numbers)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    library.save(made, str(file), save_as_external_data=beside is not None, location=beside, size_threshold=0)
    return weights


@pytest.mark.parametrize("is_flat", [True, False])
def test_a_network_in_an_onnx_file_is_an_agent(is_flat: bool, tmp_path: Path) -> None:
    game = quet.new("palindromes", m=5)
    weights = network(tmp_path / "net.onnx", 20, 10, [20] if is_flat else [4, 5])
    form = quet.rl.batch(game, 1, threads=1).form
    found = measure.accuracy(str(tmp_path / "net.onnx"), game, num=10**6)

    def chosen(one: quet.Game) -> str:
        seen = np.zeros(form.bounds.shape, np.float32)
        form.observe(one.state, seen)
        outputs = np.where(form.mask(one.state), seen.reshape(-1) @ weights, -np.inf)
        return form.text(one.state, int(outputs.argmax()))

    same = measure.accuracy(chosen, game, num=10**6)
    assert found.name == "net" and found.keeps_margin == same.keeps_margin and found.regret == same.regret
    takes = "it takes n x 20 numbers, not n x 24." if is_flat else "it takes n x 4 x 5 numbers, not n x 4 x 6."
    with pytest.raises(BadAgent, match=f"^net is a network for another game or size: {takes}$"):
        agent(str(tmp_path / "net.onnx")).moves([quet.new("palindromes", m=6)])
    (tmp_path / "bad.onnx").write_bytes(b"nothing")
    for name, sentence in (("bad.onnx", "can't be read as a network"), ("missing.onnx", "^There is no file ")):
        with pytest.raises(BadAgent, match=sentence):
            onnx(tmp_path / name)


@pytest.mark.parametrize("shape", [[20], [4, 5]])
def test_a_network_for_one_position_is_asked_for_one_after_the_other(shape: list[int], tmp_path: Path) -> None:
    game = quet.new("palindromes", m=5)
    network(tmp_path / "any.onnx", 20, 10, shape)
    network(tmp_path / "one.onnx", 20, 10, shape, batch=1)
    games = [one for one in quet.positions(game) if not one.is_over][:50]
    assert onnx(tmp_path / "one.onnx").moves(games) == onnx(tmp_path / "any.onnx").moves(games)


def test_a_network_that_does_not_fit_is_told_why(tmp_path: Path) -> None:
    games = [quet.new("palindromes", m=5)] * 3
    network(tmp_path / "eight.onnx", 20, 10, [20], batch=8)
    with pytest.raises(BadAgent, match=r"^eight takes exactly 8 positions at once; export it for any number of them"):
        onnx(tmp_path / "eight.onnx")
    network(tmp_path / "few.onnx", 20, 9, [20])
    sentence = "its first output has 27 numbers for 3 positions, not one for each of 10 actions."
    with pytest.raises(BadAgent, match=f"^few is a network for another game or size: {sentence}$"):
        onnx(tmp_path / "few.onnx").moves(games)
    network(tmp_path / "long.onnx", 30, 10, ["length"])  # its weights want 30 numbers, and its input doesn't say so
    with pytest.raises(BadAgent, match=r"^long can't be run as a network: .*MatMul"):
        onnx(tmp_path / "long.onnx").moves(games)


@pytest.mark.parametrize("value", [np.nan, -np.inf, np.inf])
def test_a_network_that_gives_no_number_is_refused(value: float, tmp_path: Path) -> None:
    game = quet.new("palindromes", m=5)
    network(tmp_path / "all.onnx", 20, 10, [20], added=value)
    sentence = f"The highest output of all for legal actions is {value}, and must be a finite number."
    with pytest.raises(BadAgent, match=f"^{sentence}$"):
        measure.accuracy(str(tmp_path / "all.onnx"), game, num=10)
    at_two = np.where(np.arange(10) == 2, value, 0.0)
    network(tmp_path / "two.onnx", 20, 10, [20], added=at_two)
    if value > -np.inf or np.isnan(value):
        with pytest.raises(BadAgent, match=r"^The highest output of two "):
            onnx(tmp_path / "two.onnx").moves([game])
    else:  # as networks mark what they don't want
        assert onnx(tmp_path / "two.onnx").moves([game]) != [game.legal_moves[2]]
    taken = game.after(game.legal_moves[2])  # what is said of illegal actions doesn't matter
    assert onnx(tmp_path / "two.onnx").moves([taken])[0] in taken.legal_moves


def test_a_bot_of_openspiel_is_an_agent() -> None:
    pyspiel = pytest.importorskip("pyspiel")

    class Last:
        def step(self, state: Any) -> int:
            return int(state.legal_actions()[-1])

    game = quet.new("blob", n=3).after("b2")
    assert OpenSpielAgent("last", lambda theirs: Last()).moves([game, game]) == [game.legal_moves[-1]] * 2

    def searcher(theirs: Any) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
        return pyspiel.MCTSBot(
            theirs, evaluator, uct_c=2.0, max_simulations=300, max_memory_mb=10, solve=True, seed=1, verbose=False
        )

    near_end = quet.new("palindromes", m=6).after("1=0").after("2=1").after("3=1")
    found = measure.accuracy(OpenSpielAgent("mcts", searcher), near_end, num=10**6)
    assert found.num == 19 and found.keeps_result.value == 1.0


def test_an_engine_of_the_protocol_is_an_agent() -> None:
    game = quet.new("palindromes", m=4).after("1=0").after("2=1").after("3=1")
    other = quet.new("palindromes", m=3).after("1=0").after("3=0")
    with UgiAgent(f"{sys.executable} -m quet ugi", "go sims 200", "engine") as engine:
        for one, move in zip([game, other], engine.moves([game, other]), strict=True):
            oracle = quet.rl.oracle(one)
            assert np.sign(oracle.moves(one)[move]) == np.sign(oracle.value(one))
        with pytest.raises(BadAgent, match=r"^The protocol knows no games that begin with a position on paper\.$"):
            engine.moves([quet.position("palindromes", "10.")])
        engine.close()
        with pytest.raises(BadAgent, match=r"^The engine engine has ended\.$"):
            engine.moves([game])
    for command, sentence in (
        ("/nowhere/engine", "can't be started"),
        ('"', "can't be started"),
        ("", r"^Name the command of the engine, as in ugi:quet ugi\.$"),
        ("  ", "Name the command of the engine"),
        (f"{sys.executable} -c pass", "has ended"),
        (f"{sys.executable} -c \"print('error no', flush=True); input()\"", "refuses 'ugi': 'error no'"),
    ):
        with pytest.raises(BadAgent, match=sentence):
            agent(f"ugi:{command}")
    with pytest.raises(BadAgent, match=r"didn't answer within 0\.01 s\.$"):
        UgiAgent(f'{sys.executable} -c "input(); input()"', seconds=0.01)


@pytest.mark.parametrize("command", [None, 5, ["quet", "ugi"], b"quet ugi"])
def test_the_command_of_an_engine_is_a_text(command: Any) -> None:
    with pytest.raises(quet.BadParameter, match=r"^The command of an engine must be a text, not .*\.$"):
        UgiAgent(command)


@pytest.mark.parametrize("seconds", ["x", None, float("nan"), float("inf"), -1, 0])
def test_an_engine_has_some_time_to_answer(seconds: Any) -> None:
    with pytest.raises(
        quet.BadParameter, match=r"^The time must be a number of seconds, more than 0 and at most 10000000, "
    ):
        UgiAgent(sys.executable, seconds=seconds)


ENGINE = """
import sys, time
for line in sys.stdin:
    if line.startswith("go"):
        {go}
    else:
        print("ugiok" if line == "ugi\\n" else "ok", flush=True)
"""


def engine(tmp_path: Path, go: str, seconds: float = 60.0) -> UgiAgent:
    """An engine that does this when it is to choose a move."""
    (tmp_path / "engine.py").write_text(ENGINE.format(go=go))
    return hurried(UgiAgent(f"{sys.executable} {tmp_path / 'engine.py'}", name="it"), seconds)


def hurried(asked: UgiAgent, seconds: float) -> UgiAgent:
    """It has this time for its answers from now on, but not for its start, which takes long on a busy machine."""
    asked._seconds = seconds
    return asked


def test_an_engine_that_talks_on_is_waited_for_no_longer_than_a_silent_one(tmp_path: Path) -> None:
    game = quet.new("palindromes", m=4)
    talk = "while True: print('info thinking', flush=True); time.sleep(0.05 if time.monotonic() < {end} else 9)"
    end = time.monotonic() + 60
    with engine(tmp_path, talk.format(end=end), seconds=2.0) as slow:
        with pytest.raises(BadAgent, match=r"^The engine it didn't answer within 2 s\.$"):
            slow.moves([game])
        assert time.monotonic() < end
        with pytest.raises(BadAgent, match=r"^The engine it has ended\.$"):  # else a late answer would be the next one
            slow.moves([game])


def test_an_engine_that_reads_nothing_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "deaf.py").write_text("import time\nprint('ugiok', flush=True)\ntime.sleep(60)\n")
    deaf = hurried(UgiAgent(f"{sys.executable} {tmp_path / 'deaf.py'}", "go level", "it"), 2.0)
    with deaf, pytest.raises(BadAgent, match=r"^The engine it didn't answer within 2 s\.$"):
        deaf._ask("x" * 2**20, "ok")  # more than a pipe holds


def test_an_engine_that_names_no_move_is_told_so(tmp_path: Path) -> None:
    mute = engine(tmp_path, "print('bestmove', flush=True)")
    with mute, pytest.raises(BadAgent, match=r"^The engine it named no move\.$"):
        mute.moves([quet.new("palindromes", m=4)])


def test_an_engine_that_plays_an_illegal_move_is_told_which_and_where(tmp_path: Path) -> None:
    with engine(tmp_path, "print('bestmove 1=0', flush=True)") as one, pytest.raises(BadAgent) as caught:
        measure.against_perfect(one, quet.new("palindromes", m=4).after("1=0").after("2=1"), num=1)
    assert str(caught.value) == (
        "it chose '1=0' in palindromes m=4 after the moves '1=0 2=1', and that isn't legal: Square 1 holds a 0 already."
    )


def test_an_illegal_move_after_a_paper_is_told_with_the_paper() -> None:
    with (
        asking(lambda one: "1=0") as asked,
        pytest.raises(BadAgent, match=r" at the start of palindromes m=4 from '1\.\.0', "),
    ):
        asked.moves([quet.position("palindromes", "1..0")])


@pytest.mark.parametrize("id", catalog.ids())
def test_who_plays_no_move_is_told_so_in_every_game(id: str) -> None:
    game = quet.new(id)
    size = " ".join(f"{name}={value}" for name, value in written(game.parameters).items())
    with asking(lambda one: "?") as asked:
        with pytest.raises(
            BadAgent, match=rf"^<lambda> chose '\?' at the start of {id} {size}, and that isn't legal: "
        ):
            asked.moves([game])
        after = game.after(game.legal_moves[0])
        with pytest.raises(BadAgent, match=f" in {id} {size} after the moves '{re.escape(after.moves[0])}', and "):
            asked.moves([after])


def test_an_engine_is_asked_by_the_command_that_is_given(tmp_path: Path) -> None:
    answer = "print('bestmove 2=1' if line.split() == ['go', 'movetime', '5'] else 'error unknown', flush=True)"
    (tmp_path / "engine.py").write_text(ENGINE.format(go=answer))
    name, game = f"ugi:{sys.executable} {tmp_path / 'engine.py'}", quet.new("palindromes", m=4)
    assert agent(name, go="go movetime 5").moves([game]) == ["2=1"]
    with pytest.raises(BadAgent, match=r" refuses 'go level': 'error unknown'$"):
        agent(name).moves([game])
    for go in ("", "stop", "go infinite", "go sims 5\nquit", cast(Any, None)):
        with pytest.raises(quet.BadParameter, match=r"^An engine chooses by a command such as go movetime 100, not "):
            agent(name, go=go)


@pytest.mark.parametrize(("words", "move"), [("1=0", "1=0"), ("1=0 ponder 4=1", "1=0"), ("1=0 4=1", "")])
def test_the_move_that_an_engine_expects_is_not_its_own(tmp_path: Path, words: str, move: str) -> None:
    with engine(tmp_path, f"print('bestmove {words}', flush=True)") as one:
        if move:
            assert one.moves([quet.new("palindromes", m=4)]) == [move]
        else:
            with pytest.raises(BadAgent, match=r"^The engine it must name one move, not '1=0 4=1'\.$"):
                one.moves([quet.new("palindromes", m=4)])


def test_an_engine_that_was_started_for_its_name_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def note(*words: Any, **options: Any) -> subprocess.Popen[bytes]:
        started.append(start(*words, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", note)
    (tmp_path / "engine.py").write_text(ENGINE.format(go="print('bestmove 9=9', flush=True)"))
    game, name = quet.new("palindromes", m=4), f"ugi:{sys.executable} {tmp_path / 'engine.py'}"
    for measured in (
        lambda: measure.accuracy(name, game, num=2),
        lambda: measure.weak_strength(name, game),
        lambda: measure.against_perfect(name, game, num=1),
    ):
        with pytest.raises(BadAgent, match=r"engine.py chose '9=9' "):
            measured()
    assert len(started) == 3 and all(process.returncode is not None for process in started)
    forgotten = agent(name)
    del forgotten
    gc.collect()
    assert started[3].returncode is not None


def test_an_engine_is_ended_with_the_shell_that_started_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    pipe = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    held = f"import os; os.open({str(tmp_path / 'pipe')!r}, os.O_WRONLY)\n"
    (tmp_path / "engine.py").write_text(f"{held}{ENGINE.format(go='pass')}time.sleep(60)\n")
    line = f"{sys.executable} {tmp_path / 'engine.py'}; true"
    UgiAgent(f"sh -c {shlex.quote(line)}").close()
    begun = time.monotonic()
    os.set_blocking(pipe, True)
    assert os.read(pipe, 1) == b"" and time.monotonic() < begun + 30  # nobody has it open any more
    os.close(pipe)


def test_an_engine_is_heard_where_many_files_are_open(tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(2048, limits[0]), limits[1]))
    files = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    try:
        with engine(tmp_path, "print('bestmove 1=0', flush=True)") as one:
            assert one.moves([quet.new("palindromes", m=4)]) == ["1=0"]
    finally:
        for file in files:
            os.close(file)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            "raise SystemExit('needs --weights FILE')",
            "with exit status 1. It wrote on standard error: 'needs --weights FILE'",
        ),
        ("raise SystemExit(3)", "with exit status 3."),
        ("import os; os.kill(os.getpid(), 9)", "by signal 9."),
        ("import sys; sys.stderr.write('x' * 10**6 + '\\nno file\\n'); sys.exit(4)", "error: 'no file'"),
    ],
)
def test_an_engine_that_ends_is_told_how_and_with_its_last_words(code: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text(code)
    with pytest.raises(BadAgent) as caught:
        UgiAgent(f"{sys.executable} {tmp_path / 'ends.py'}", name="it")
    assert str(caught.value).startswith("The engine it ") and str(caught.value).endswith(told)


def test_an_engine_may_write_any_amount_on_standard_error(tmp_path: Path) -> None:
    go = "[sys.stderr.write('x' * 1000 + '\\n') for _ in range(1000)]; print('bestmove 1=0', flush=True)"
    with engine(tmp_path, go) as one:
        assert one.moves([quet.new("palindromes", m=4)] * 2) == ["1=0"] * 2
        assert len(one._errors) <= 1000
    slow = engine(tmp_path, "print('loading the network', file=sys.stderr, flush=True); time.sleep(9)", seconds=2.0)
    with slow, pytest.raises(BadAgent, match=r"within 2 s\. It wrote on standard error: 'loading the network'$"):
        slow.moves([quet.new("palindromes", m=4)])


def test_where_an_engine_failed_is_told(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(ENGINE.format(go="sys.exit(1)"))
    name = f"ugi:{sys.executable} {tmp_path / 'engine.py'}"
    for game, where in (
        (quet.new("palindromes", m=4), "at the start of palindromes m=4."),
        (quet.new("palindromes", m=4).after("1=0"), "in palindromes m=4 after the moves '1=0'."),
    ):
        with pytest.raises(BadAgent) as caught:
            quet.match(game, name)
        assert str(caught.value).endswith(f"engine.py has ended with exit status 1. That was {where}")


def test_a_network_plays_a_match_and_in_the_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    network(tmp_path / "net.onnx", 20, 10, [20])
    record = quet.match(quet.new("palindromes", m=5), onnx("net.onnx"), "random", seed=1)
    assert record.tags["Player1"] == "net" and record.game.is_over
    words = ["arena", "palindromes", "m=5", "--players", "random,net.onnx", "--games", "4", "--results", "games.jsonl"]
    assert main(words) == main([*words[:-2], "--workers", "2"]) == 0
    told = capsys.readouterr().out
    assert told[: len(told) // 2] == told[len(told) // 2 :] and "net.onnx against random" in told
    line = json.loads((tmp_path / "games.jsonl").read_text().splitlines()[0])
    meant = dict(zip(line["seats"], line["strengths"], strict=True))["net.onnx"]
    assert meant == f"SHA-256 {hashlib.sha256((tmp_path / 'net.onnx').read_bytes()).hexdigest()}"
    network(tmp_path / "net.onnx", 20, 10, [20], added=1)  # another one isn't taken for it
    assert main(words) == 0
    assert "4 games of palindromes don't count" in capsys.readouterr().err
    assert main(["arena", "palindromes", "m=6", *words[3:-2]]) == 2
    assert "net is a network for another game or size" in capsys.readouterr().err


@pytest.mark.parametrize("beside", ["net.onnx.data", "weights", "ö" * 80], ids=["usual", "short", "long"])
def test_a_network_with_other_weights_in_a_file_beside_it_is_another_one(beside: str, tmp_path: Path) -> None:
    file = tmp_path / "net.onnx"

    def meant(file: Path) -> str:
        return tournament("palindromes", {"m": 5}, ["random", str(file)]).networks[str(file)]

    network(file, 20, 10, [20], beside=beside)
    one, first = file.read_bytes(), meant(file)
    (tmp_path / beside).write_bytes(b"\1" * (tmp_path / beside).stat().st_size)
    assert file.read_bytes() == one and meant(file) != first
    links = tmp_path / "links"  # as in a cache of downloads
    links.mkdir()
    for name in (file.name, beside):
        (links / name).symlink_to(tmp_path / name)
    assert meant(links / file.name) == meant(file)


def test_a_file_outside_a_network_s_folder_is_no_part_of_it(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for outside in (b"../weights", bytes(tmp_path / "weights"), b"\0", b"\xff"):
        file = folder / "net.onnx"
        file.write_bytes(b"\n\x08location\x12" + bytes([len(outside)]) + outside)
        (tmp_path / "weights").write_bytes(b"these")
        name = str(file)
        digest = tournament("palindromes", {"m": 5}, ["random", name]).networks[name]
        assert digest == hashlib.sha256(file.read_bytes()).hexdigest()


def test_shares_of_games_have_the_interval_of_wilson_and_means_a_bootstrapped_one() -> None:
    games = measure.against_perfect("random", quet.new("palindromes", m=6), num=5, seed=1)
    kept = sum(np.sign(result) == np.sign(games.value) for result in games.results)
    assert games.keeps_result == measure.share(int(kept), 5) and games.keeps_result.low < games.keeps_result.high
    losses = np.array([abs(result - games.value) for result in games.results], np.float64)
    assert games.loss == measure.bootstrapped(losses, range(5), 1)


STRANGE: Any = 5


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda game: agent(STRANGE), quet.BadParameter, "An agent must be a name or choose moves, not '5'."),
        (
            lambda game: agent(cast(Any, np.int8(3))),
            quet.BadParameter,
            "An agent must be a name or choose moves, not '3'.",
        ),
        (
            lambda game: measure.generalisation(first, STRANGE, [game]),
            quet.BadParameter,
            "The sizes must be a list of ",
        ),
        (lambda game: onnx(STRANGE), quet.BadParameter, "The name of a file must be a text, not '5'."),
        (lambda game: agent("level:9"), quet.BadParameter, "There is no computer player 'level:9'"),
        (lambda game: measure.accuracy(first, STRANGE), quet.BadParameter, "'5' is not a game"),
        (lambda game: measure.accuracy(first, game, num=0), quet.BadParameter, "The number of positions must be from"),
        (lambda game: measure.accuracy(first, game, positions=STRANGE), quet.BadParameter, "Positions are reachable, "),
        (lambda game: measure.accuracy(first, game, positions="play", openings=9), quet.BadParameter, "The random "),
        (
            lambda game: measure.accuracy(lambda one: STRANGE, game),
            BadAgent,
            ", and that isn't legal: A move must be a",
        ),
        (lambda game: measure.weak_strength(first, game, player=3), quet.BadParameter, "The player must be from 1 to"),
        (lambda game: measure.weak_strength(first, game, most=3), quet.BadParameter, "There are more than 3 positions"),
        (lambda game: measure.against_perfect(first, game, num=0), quet.BadParameter, "The number of games must be "),
        (lambda game: measure.generalisation(first, [], [game]), quet.BadParameter, "Name the sizes at which the "),
        (lambda game: measure.accuracy(first, quet.position("palindromes", "10")), quet.IllegalMove, "The game is ov"),
    ],
)
def test_a_refusal_says_what_is_wrong(call: Any, error: type[quet.QuetError], sentence: str) -> None:
    with pytest.raises(error) as caught:
        call(quet.new("palindromes", m=4))
    assert sentence in str(caught.value)


def test_a_solitaire_that_goes_on_for_ever_is_not_valued(monkeypatch: pytest.MonkeyPatch) -> None:
    game = quet.new("sums-grid", n=1)

    def rewrites(one: quet.Game) -> str:
        return one.legal_moves[0]

    monkeypatch.setattr(measure, "LONGEST", 50)
    for measured in (
        lambda: measure.weak_strength(rewrites, game),
        lambda: measure.against_perfect(rewrites, game, num=2),
        lambda: measure.accuracy(rewrites, game, positions="play", num=2),
    ):
        with pytest.raises(NotSolved, match=r"^rewrites lets the game go on for ever\.$"):
            measured()
    row = quet.new("palindromes", m=4)  # a game as long as is allowed is played to its end
    monkeypatch.setattr(measure, "LONGEST", 4)
    assert measure.against_perfect(rewrites, row, num=1).results
