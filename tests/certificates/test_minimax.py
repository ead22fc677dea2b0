"""Grounds of the kind minimax: the checker tries all positions itself."""

import itertools
import json
import re
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import quet
from certified import all_tried, resealed
from quet.certificates import check_minimax, claims, verify
from quet.certificates.aims import Result
from quet.certificates.check_minimax import check
from quet.certificates.limits import USUAL, Meter
from quet.cli.main import main
from quet.core.errors import BadCertificate, TooLargeToCheck
from quet.distribution.task import Task
from quet.game import new_to_solve
from quet.games.divisors_multiples import perfect as divisors
from quet.games.divisors_multiples import perfect_of_two
from quet.games.divisors_multiples.claims import num_positions
from quet.games.palindromes import perfect as palindromes
from quet.games.plusses_minuses import perfect as plusses
from quet.solving import certify
from quet.solving.ask import answer

# In the sums grid positions can come again, so that it has a test of its own.
SIZES: list[tuple[str, dict[str, int], bool]] = [
    ("blob", {"n": 3}, False),
    ("convoluted-coprimality", {"n": 2, "players": 2}, False),
    ("divisors-multiples", {"r": 6}, False),
    ("divisors-multiples", {"r": 6, "players": 3}, False),
    ("palindromes", {"m": 5}, False),
    ("plusses-minuses", {"n": 3}, False),
    ("sequence-ascension", {"n": 2}, False),
    ("up-and-up", {"n": 3}, False),
    ("up-and-up", {"n": 3}, True),
]


@pytest.fixture(autouse=True)
def _small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small games are too large for a certificate with a table, so that their positions are tried."""
    monkeypatch.setattr("quet.solving.certify.MOST_POSITIONS", 500)


def known(id: str, parameters: dict[str, int], is_lowest: bool) -> tuple[claims.Subject, Any, Result, list[str]]:
    """The game for the checker, its first position, its result and its best moves, by the solvers."""
    game = quet.new(id, **parameters)
    answer = quet.solve(game, lowest=is_lowest)
    if answer.scores is not None:
        value: Result = tuple(answer.scores)
    else:
        assert answer.low is not None and answer.low == answer.high
        value = (answer.low,)
    return claims.of(id), game.state, value, list(answer.best_moves) if answer.has_all_best else []


@pytest.mark.parametrize(("id", "parameters", "is_lowest"), SIZES)
def test_it_comes_to_what_the_solvers_find(id: str, parameters: dict[str, int], is_lowest: bool) -> None:
    subject, start, value, best = known(id, parameters, is_lowest)
    assert "tried, and each is worth the best of what can follow" in check(
        subject, start, value, is_lowest=is_lowest, best_moves=best or None
    )
    with pytest.raises(BadCertificate, match=r"By trying all positions the (value is|scores are)"):
        check(subject, start, (value[0] + 1, *value[1:]), is_lowest=is_lowest, best_moves=None)


def test_best_moves_are_all_of_them_and_no_others() -> None:
    subject, start, value, best = known("divisors-multiples", {"r": 7, "players": 3}, False)
    assert best
    for changed in ([*best, "7"], ["7!"] if best != ["7!"] else ["2!"]):
        with pytest.raises(BadCertificate, match=f"The best moves are '{' '.join(best)}'"):
            check(subject, start, value, is_lowest=False, best_moves=changed)


def test_more_positions_than_it_may_try_are_refused() -> None:
    subject, start, value, _ = known("blob", {"n": 3}, False)
    assert "Each of the 44 " in check(subject, start, value, is_lowest=False, best_moves=None, most=44)
    for most in (20, 43):
        with pytest.raises(TooLargeToCheck) as caught:
            check(subject, start, value, is_lowest=False, best_moves=None, most=most)
        assert (caught.value.sentence, caught.value.step) == (f"The game has more than {most} positions.", "grounds")


def test_a_game_too_long_for_the_stack_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object) -> Result:
        raise RecursionError

    subject, start, value, _ = known("blob", {"n": 3}, False)
    monkeypatch.setattr(check_minimax.Search, "_value", endless)
    with pytest.raises(TooLargeToCheck) as caught:
        check(subject, start, value, is_lowest=False, best_moves=None)
    assert (caught.value.sentence, caught.value.step) == ("The game is too long to be tried.", "grounds")


def test_positions_that_come_again_prove_nothing() -> None:
    start = quet.new("sums-grid", n=2).state
    with pytest.raises(BadCertificate) as caught:
        check(claims.of("sums-grid"), start, (6,), is_lowest=False, best_moves=None)
    assert caught.value.sentence == "Positions come again, so that trying them proves nothing."
    assert caught.value.step == "grounds"


def test_quet_solve_writes_it_for_three_players_and_quet_verify_repeats_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "scores.json"
    words = ["solve", "divisors-multiples", "r=5", "players=3", "--certificate", str(file)]
    monkeypatch.setattr("quet.solving.certify.MOST_POSITIONS", 50)  # a table would take more
    assert main(words) == 0
    assert main(["verify", str(file)]) == 0
    assert "each is worth the best of what can follow" in capsys.readouterr().out
    made = json.loads(file.read_text())
    assert made["grounds"] == [{"for": ["scores"], "kind": "minimax"}] and made["claim"]["best_moves"]
    made["grounds"][0]["values"] = []
    with pytest.raises(BadCertificate, match="Grounds of the kind minimax have for and kind"):
        verify.check(made | {"digest": verify.digest(made)})
    monkeypatch.setattr("quet.certificates.check_minimax.MOST_POSITIONS", 20)
    assert main([*words, "--time", "0.01"]) in (0, 3)  # a busy machine may not find it in time
    assert {ground["kind"] for ground in json.loads(file.read_text())["grounds"]} <= {"exhaustive", "minimax"}


def way_of(subject: claims.Subject) -> claims.Perfect[Any]:
    """The game's own way to try all positions."""
    assert isinstance(subject.claims, claims.Perfect)
    return subject.claims


OWN_WAYS: list[tuple[str, dict[str, int]]] = [
    *(("divisors-multiples", {"r": r, "players": players}) for r in range(2, 9) for players in (2, 3, 4)),
    *(("palindromes", {"m": m}) for m in range(1, 10)),  # to 8 all first moves are as good
    *(("plusses-minuses", {"n": n, "second_part_first": first}) for n in (2, 3, 4) for first in (1, 2)),
]


@pytest.mark.parametrize(("id", "parameters"), OWN_WAYS)
def test_the_games_own_way_comes_to_what_the_rules_come_to(id: str, parameters: dict[str, int]) -> None:
    game = quet.new(id, **parameters)
    subject = claims.of(id)
    search = check_minimax.Search(subject, is_lowest=False, most=10**6)
    value = search.value(game.state)
    best = search.best_moves(game.state, value)
    own = way_of(subject)
    found = own.perfect(game.state, value)
    assert [game.rules.move_text(game.state, move) for move in found] == best
    for i in range(len(value)):
        for step in (-2, -1, 1, 2):
            wrong = (*value[:i], value[i] + step, *value[i + 1 :])
            with pytest.raises(BadCertificate, match=r"By trying all positions|By the rules alone"):
                own.perfect(game.state, wrong)
    with pytest.raises(BadCertificate, match="The best moves are"):
        check(subject, game.state, value, is_lowest=False, best_moves=[*best, "1"])


@pytest.mark.parametrize(("n", "first"), [(3, 1), (3, 2), (4, 1), (4, 2), (5, 1), (5, 2)])
def test_the_second_part_of_plusses_is_worth_what_the_rules_say_for_each_pair_of_lists(n: int, first: int) -> None:
    subject = claims.of("plusses-minuses")
    pairs = list(itertools.product((1, -1), repeat=2 * (n - 1)))
    if n == 5:  # ++-+-+-- isn't worth the same with + and -, or both lists, exchanged; on smaller grids all pairs are
        pairs = [pair for pair in pairs if pair[:4] in ((1, 1, -1, 1), (-1, -1, 1, -1))]
    values = []
    for symbols in pairs:
        game = quet.new("plusses-minuses", n=n, second_part_first=first)
        for symbol in symbols:
            game.play("+" if symbol == 1 else "-")
        values.append(check_minimax.Search(subject, is_lowest=False, most=10**6).value(game.state)[0])
    assert len(set(values)) > 1
    second_part = plusses.SecondPart(n, first)
    for v in range(min(values), max(values) + 2):
        assert second_part.reached(pairs, v) == [value >= v for value in values]


def test_of_the_first_symbols_of_plusses_those_are_told_that_keep_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    for good in (1, -1):

        def reached(_: object, pairs: Sequence[Sequence[int]], v: int, good: int = good) -> list[bool]:
            return [v <= (1 if symbols[0] == good else 0) for symbols in pairs]

        monkeypatch.setattr(plusses.SecondPart, "reached", reached)
        start = quet.new("plusses-minuses", n=4).state
        assert way_of(claims.of("plusses-minuses")).perfect(start, [1]) == [16 if good == 1 else 17]


def test_the_games_own_way_tells_what_it_comes_to() -> None:
    for r, players, said in ((2, 2, "value is 2, not 0."), (4, 3, "scores are 2, 2, 11, not 0, 0, 0.")):
        start = quet.new("divisors-multiples", r=r, players=players).state
        with pytest.raises(BadCertificate) as caught:
            way_of(claims.of("divisors-multiples")).perfect(start, [0] * (2 * players - 3))
        assert caught.value.sentence == f"By trying all positions the {said}"
    assert divisors.has_digits(26, 4) and not divisors.has_digits(27, 4) and divisors.has_digits(30, 3)


def test_the_games_own_way_is_only_for_the_start() -> None:
    for id, parameters, move in (
        ("divisors-multiples", {"r": 9}, "3!"),
        ("palindromes", {"m": 9}, "1=0"),
        ("plusses-minuses", {"n": 4}, "+"),
    ):
        game, own = quet.new(id, **parameters), way_of(claims.of(id))
        cost = own.cost(game.state)
        assert cost is not None and 0 < cost[0] < 1.0 and 0 < cost[1] < 2**30
        game.play(move)
        assert own.cost(game.state) is None
    for r, players in ((300, 2), (27, 4), (6, 5)):  # a liking would take more than 8 bytes
        assert (
            way_of(claims.of("divisors-multiples")).cost(new_to_solve("divisors-multiples", r=r, players=players).state)
            is None
        )


@pytest.mark.parametrize(
    ("id", "parameters", "said"),
    [
        ("palindromes", {"m": 24}, "2824 s on a slow machine and 4966 MB; allowed are 3600 s and 4096 MB"),
        ("plusses-minuses", {"n": 10, "second_part_first": 2}, "1757 s on a slow machine and 18358 MB; allowed are"),
        ("divisors-multiples", {"r": 30}, "6935 s on a slow machine and 1040 MB; allowed are 3600 s"),
        # of so many players all positions are tried by the rules
        ("divisors-multiples", {"r": 20, "players": 5}, "The game has more positions than are tried."),
    ],
)
def test_a_game_with_too_many_positions_is_left_unchecked_at_once(
    id: str, parameters: dict[str, int], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_minimax, "Search", None)  # whoever begins to search fails
    whole = all_tried(id, **parameters)
    (sides,) = (ground["for"] for ground in whole["grounds"])
    for best in (None, whole["witness"][:1]):
        whole["claim"]["best_moves"] = best
        found = verify.check(resealed(whole))
        assert found.trusted[0].startswith(f"{' and '.join(sides)} by minimax: ") and said in found.trusted[0]
        assert (found.verdict, found.trusted_sides, len(found.trusted)) == ("unchecked", sides, 2 if best else 1)
    whole["grounds"][0]["more"] = 1
    with pytest.raises(BadCertificate, match="Grounds of the kind minimax have for and kind"):
        verify.check(resealed(whole))


def test_more_time_and_memory_may_be_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, folder = tmp_path / "value.json", tmp_path / "results"
    folder.mkdir()
    assert main(["solve", "palindromes", "m=13", "--certificate", str(file)]) == 0
    monkeypatch.setattr("quet.games.palindromes.claims._POSITIONS_IN_A_SECOND", 400)  # so m = 13 takes 8,000 s
    monkeypatch.setattr("quet.games.palindromes.claims.num_bytes", lambda m: 5 << 30)
    capsys.readouterr()
    told = []
    for options in ([], ["--time", "9000"], ["--memory", "5120"]):
        assert main(["verify", str(file), *options]) == 3
        told += re.findall(r"; allowed are (.*) \(--time, --memory\)\.", capsys.readouterr().out)
    assert told == ["3600 s and 4096 MB", "9000 s and 4096 MB", "3600 s and 5120 MB"]
    assert main(["results", "submit", str(file), "--folder", str(folder)]) == 2
    allowed = ["--time", "9000", "--memory", "5120"]
    assert main(["verify", str(file), *allowed]) == 0
    assert main(["results", "submit", str(file), "--folder", str(folder), *allowed]) == 0
    capsys.readouterr()
    assert main(["results", "verify", "--folder", str(folder)]) == 3  # a row that is too large isn't refuted
    assert "1 unchecked, 0 refuted" in capsys.readouterr().out
    assert main(["results", "verify", "--folder", str(folder), *allowed]) == 0
    assert main(["results", "--folder", str(folder), "--time", "9000"]) == 2
    assert main(["verify", str(file), "--time", "0"]) == main(["verify", str(file), "--memory", "1"]) == 2
    told = [line for line in capsys.readouterr().err.splitlines() if line]
    assert told[-3].startswith("quet: --time has no meaning with quet results")
    assert told[-2:] == [
        "quet: The time must be a number of seconds from 0.01 to 9999999, not '0'.",
        "quet: The memory must be from 16 to 1048576 MB.",
    ]


def test_what_is_too_large_to_check_is_called_unchecked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "value.json"
    assert main(["solve", "palindromes", "m=9", "--strategies", "--certificate", str(file)]) == 0
    monkeypatch.setattr("quet.certificates.check_weak.MOST_POSITIONS", 3)
    capsys.readouterr()
    assert main(["verify", str(file)]) == 3
    told = capsys.readouterr().out
    assert told.startswith("unchecked ")
    assert "not checked here: low by weak: More than 3 positions can come up." in told


@pytest.mark.long
def test_values_of_two_players_that_were_found_by_trying_all_are_written_so_and_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, value in ((["divisors-multiples", "r=12"], -16), (["palindromes", "m=11"], 2)):
        file = tmp_path / "value.json"
        assert main(["solve", *words, "--certificate", str(file)]) == 0
        made = json.loads(file.read_text())
        assert made["grounds"] == [{"for": ["low", "high"], "kind": "minimax"}]
        assert made["claim"]["low"] == made["claim"]["high"] == value
        assert main(["verify", str(file)]) == 0
        assert "each is worth the best of what can follow" in capsys.readouterr().out
        for changed in ({"low": value - 2, "high": value - 2}, {"low": value + 2, "high": value + 2}):
            claim = made | {"claim": made["claim"] | changed, "witness": []}
            file.write_text(json.dumps(resealed(claim)))
            assert main(["verify", str(file)]) == 1


def test_the_positions_of_divisors_multiples_are_pairs_of_a_set_and_a_number_of_it() -> None:
    for r in range(2, 10):
        sets = [set_ for size in range(r) for set_ in itertools.combinations(range(2, r + 1), size)]
        assert num_positions(quet.new("divisors-multiples", r=r).state) == sum(1 + len(set_) for set_ in sets)


@pytest.mark.long
def test_the_memory_of_a_games_own_way_is_told_before_it_is_taken() -> None:
    ways: list[tuple[int, Callable[[], object]]] = [
        *((palindromes.num_bytes(m), partial(palindromes.is_at_least, m, 0)) for m in (1, 8, 12)),
        *((divisors.num_bytes(r), partial(divisors.AllSets, r, players)) for r, players in ((3, 3), (10, 3), (12, 4))),
        *((perfect_of_two.num_bytes_of_two(r), partial(perfect_of_two.AllSetsOfTwo, r)) for r in (2, 10, 18)),
        *((plusses.num_bytes(n), partial(all_squares, n)) for n in (2, 5, 7)),
    ]
    for told, search in ways:
        tracemalloc.start()
        kept = search()
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most <= told, kept


def all_squares(n: int) -> object:
    second_part = plusses.SecondPart(n, 2)
    pairs = list(itertools.islice(itertools.product((1, -1), repeat=2 * (n - 1)), plusses.TOGETHER))
    return second_part, second_part.reached(pairs, 0)


@pytest.mark.long
def test_where_the_memory_is_too_little_the_answer_is_not_checked_again(tmp_path: Path) -> None:
    file = tmp_path / "value.json"
    words = ["solve", "divisors-multiples", "r=12", "--certificate", str(file)]
    for memory, kind in (("16", "exhaustive"), ("32", "minimax")):
        assert main([*words, "--memory", memory]) == 0
        assert [ground["kind"] for ground in json.loads(file.read_text())["grounds"]] == [kind]


def test_a_lack_of_memory_refutes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "value.json"
    words = ["solve", "divisors-multiples", "r=12", "--certificate", str(file)]
    assert main(words) == 0

    def lacking(r: int) -> None:
        raise MemoryError

    monkeypatch.setattr("quet.games.divisors_multiples.claims.AllSetsOfTwo", lacking)
    capsys.readouterr()
    assert main(["verify", str(file)]) not in (0, 3)
    told = capsys.readouterr()
    assert "refuted" not in told.out and "This machine hasn't the memory for it." in told.err
    assert main(words) == 0
    assert "The value is -16, proven" in capsys.readouterr().out
    assert [ground["kind"] for ground in json.loads(file.read_text())["grounds"]] == ["exhaustive"]


@pytest.mark.long
def test_an_answer_is_told_although_its_check_is_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(r: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("quet.games.divisors_multiples.claims.AllSetsOfTwo", stopped)
    monkeypatch.setattr("quet.games.up_and_up.claims._Games.try_all", lambda _: stopped(0))
    file = tmp_path / "value.json"
    for words, said, kinds in (
        (["divisors-multiples", "r=12"], "The value is -16, proven", ["exhaustive"]),
        (["up-and-up", "n=6", "--lowest"], "The lowest score is ", ["witness", "exhaustive"]),
    ):
        assert main(["solve", *words, "--certificate", str(file)]) == 0
        assert said in capsys.readouterr().out
        assert [ground["kind"] for ground in json.loads(file.read_text())["grounds"]] == kinds


def test_whoever_makes_a_certificate_gives_the_checker_no_more_memory_than_the_task_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, allowed = quet.new("palindromes", m=10), []

    def check(*given: object, meter: Meter, **named: object) -> None:
        allowed.append(meter.limits.memory)

    monkeypatch.setattr(check_minimax, "check", check)
    found = answer(game.entry, game.state, Task())
    for memory in (500 * 2**20, 100 * 2**30):
        assert certify._is_repeated(game.id, game.state, found, Task(memory=memory))
    assert allowed == [500 * 2**20, USUAL.memory]
