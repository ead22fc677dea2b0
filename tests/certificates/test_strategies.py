"""Pairings and mirror strategies hold what they say, and the checker refuses those that don't."""

import copy
import importlib
import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import quet
from quet.certificates import verify
from quet.certificates.limits import Limits
from quet.core.errors import BadCertificate, TooLargeToCheck
from quet.core.rules import difference, legal_moves
from quet.core.state import copy as twin
from quet.distribution.task import Answer, Task
from quet.games.palindromes import claims as palindromes
from quet.games.plusses_minuses import claims as plusses_minuses
from quet.results.check import check
from quet.results.folder import Folder
from quet.results.submit import enter
from quet.solving import certify as certificate
from quet.solving import strategies
from quet.solving.ask import answer

SAME, DIFFERENT = "same", "different"
# Pairings that hold the value itself.
TIGHT: dict[int, list[list[Any]]] = {
    2: [[1, 2, DIFFERENT]],
    4: [[1, 4, SAME], [2, 3, DIFFERENT]],
    6: [[1, 2, DIFFERENT], [3, 4, DIFFERENT], [5, 6, DIFFERENT]],
    8: [[1, 8, DIFFERENT], [2, 3, DIFFERENT], [4, 5, DIFFERENT], [6, 7, DIFFERENT]],
    10: [[1, 2, DIFFERENT], [3, 4, DIFFERENT], [5, 6, DIFFERENT], [7, 8, DIFFERENT], [9, 10, DIFFERENT]],
    12: [[1, 12, SAME], [2, 11, DIFFERENT], *([i, i + 1, DIFFERENT] for i in range(3, 10, 2))],
}


def held(id: str, **parameters: int) -> Iterator[tuple[quet.Game, int, dict[str, Any], str]]:
    """The game at its start, and each value that a strategy guarantees, with its grounds and the side it is for."""
    game = quet.new(id, **parameters)
    assert game.entry.strategy is not None
    for value, ground in game.entry.strategy.find(game.state):
        yield game, value, ground, ground["for"][0]


def rows(m: int, first: str | None, pairs: list[list[Any]]) -> Iterator[list[int]]:
    """All rows that a pairing allows."""
    for digits in itertools.product((0, 1), repeat=len(pairs)):
        row = [0] * m
        if first is not None:
            square, written = first.split("=")
            row[int(square) - 1] = int(written)
        for (one, other, rule), digit in zip(pairs, digits, strict=True):
            row[one - 1], row[other - 1] = digit, digit ^ (rule == DIFFERENT)
        yield row


def worth(row: list[int]) -> int:
    """A full row of palindromes, scored by the rules."""
    game = quet.new("palindromes", m=len(row))
    s = twin(game.state)
    for square, digit in enumerate(row):
        game.rules.play(s, 2 * square + digit)
    return difference(game.rules, s)


def made(id: str, **parameters: int) -> dict[str, Any]:
    """The certificate that rests on nothing but strategies and the rules."""
    game = quet.new(id, **parameters)
    task = Task()
    nothing = Answer(None, None, [], [], 1, "nothing")
    found = strategies.improved(nothing, game.rules, game.state, game.entry.strategy, is_start=True)
    written = certificate.make(id, game.rules, game.state, game.parameters, found, task, game.entry.strategy)
    assert written is not None
    return written


def refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(BadCertificate, match=message):
        verify.check(changed | {"digest": verify.digest(changed)})


@pytest.mark.parametrize("m", range(1, 37))
def test_the_pairing_holds_what_it_says(m: int) -> None:
    for game, value, ground, side in held("palindromes", m=m):
        assert palindromes.guarantee(game.state, ground, side)[0] == value
        assert (value < 0) == (m % 2 == 0)


def test_counting_all_rows_at_once_agrees_with_scoring_each_by_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(7)
    for at_once in (18, 2):
        monkeypatch.setattr(palindromes, "_AT_ONCE", at_once)
        for m in range(1, 13):
            squares = rng.sample(range(1, m + 1), m)
            first = f"{squares.pop()}={rng.randrange(2)}" if m % 2 == 1 else None
            halves = zip(squares[::2], squares[1::2], strict=True)
            pairs = [[*sorted(pair), rng.choice((SAME, DIFFERENT))] for pair in halves]
            game = quet.new("palindromes", m=m)
            side, best = ("low", min) if m % 2 == 1 else ("high", max)
            found, _ = palindromes.guarantee(game.state, {"first": first, "pairs": pairs}, side)
            assert found == best(map(worth, rows(m, first, pairs)))


@pytest.mark.parametrize(
    ("first", "num_cases", "num_squares"),
    [([(12, 1)], 8, 7), ([], 4, 6)],  # exchanging 0 and 1 in a row without a first square changes no score
)
def test_no_more_rows_than_fit_are_counted_at_once_and_none_twice(
    monkeypatch: pytest.MonkeyPatch, first: list[tuple[int, int]], num_cases: int, num_squares: int
) -> None:
    pairs = [(square, square + 1, square % 4 // 2) for square in range(0, 12, 2)]
    monkeypatch.setattr(palindromes, "_AT_ONCE", 3)
    cases = list(palindromes._cases(first, pairs))
    assert len(cases) == len({tuple(sorted(case.items())) for case in cases}) == num_cases
    for case in cases:
        assert len(case) == num_squares
        assert all(case[square] == digit for square, digit in first)
        assert all(case[one] ^ case[other] == differ for one, other, differ in pairs[:3])
    monkeypatch.setattr(palindromes, "_AT_ONCE", 18)
    assert list(palindromes._cases(first, pairs)) == ([dict(first)] if first else [{0: 0, 1: 0}])


def test_a_worst_row_that_the_referee_counts_otherwise_is_named() -> None:
    start = quet.new("palindromes", m=2).state
    palindromes._check_row(start, [0, 0], 2)
    with pytest.raises(BadCertificate, match=r"grounds: The row 00 is worth 2, not 5\.$"):
        palindromes._check_row(start, [0, 0], 5)


def _until(most: int) -> Callable[[], None]:
    """A step that raises TooLargeToCheck after so many."""
    left = iter(range(most))

    def step() -> None:
        if next(left, None) is None:
            raise TooLargeToCheck("Checking takes too long.")

    return step


@pytest.mark.parametrize(
    ("id", "parameters", "num_steps"),
    [
        ("palindromes", {"m": 40}, 2),  # twice 2^18 rows
        ("palindromes", {"m": 54}, 2**8 + 50),  # the rows, and replies that avoid a part
        ("plusses-minuses", {"n": 4}, 8),  # lists
    ],
)
def test_a_strategy_is_checked_for_as_long_as_is_allowed(id: str, parameters: dict[str, int], num_steps: int) -> None:
    game, _, ground, side = next(held(id, **parameters))
    told = importlib.import_module(f"{game.entry.package}.claims")
    with pytest.raises(TooLargeToCheck):
        told.guarantee(game.state, ground, side, _until(num_steps - 1))
    if num_steps < 2**8:
        told.guarantee(game.state, ground, side, _until(num_steps))


def test_a_pairing_is_unchecked_when_the_time_of_the_check_is_over() -> None:
    found = verify.check(made("palindromes", m=50), limits=Limits(seconds=0.01))
    assert found.trusted == ["high by pairing: Checking takes more than 0.01 s of CPU (--time)."]


@pytest.mark.parametrize("m", TIGHT)
def test_some_pairings_hold_the_value_itself(m: int) -> None:
    game = quet.new("palindromes", m=m)
    found = answer(game.entry, game.state, Task(seconds=120))
    ground = {"first": None, "pairs": TIGHT[m]}
    assert palindromes.guarantee(game.state, ground, "high")[0] == found.value


@pytest.mark.parametrize("m", [5, 6])
def test_the_bench_knows_what_the_best_of_all_pairings_holds(m: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def pairings(squares: list[int]) -> Iterator[list[list[Any]]]:
        if not squares:
            yield []
        for other in squares[1:]:
            for rest in pairings([square for square in squares[1:] if square != other]):
                yield from ([[squares[0], other, rule], *rest] for rule in (SAME, DIFFERENT))

    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    bench: Any = importlib.import_module("pairings")
    game, side, sign = quet.new("palindromes", m=m), ("low", "high")[m % 2 == 0], (-1) ** m
    held = []
    for single in range(1, m + 1) if m % 2 == 1 else [None]:
        first = None if single is None else f"{single}=0"
        for pairs in pairings([square for square in range(1, m + 1) if square != single]):
            found, _ = palindromes.guarantee(game.state, {"first": first, "pairs": pairs}, side)
            held.append(sign * found)
    assert bench.best(m) == (min(held), held.count(min(held)))


@pytest.mark.parametrize(("m", "begin", "letters"), [(54, 4, "010110010"), (53, 3, "0101100101")])
def test_in_longer_rows_a_pairing_that_keeps_its_rules_holds_nothing(m: int, begin: int, letters: str) -> None:
    ((_, _, ground, side),) = held("palindromes", m=m)
    row = [0] * m
    for one, other, rule in ground["pairs"]:
        digit = int(letters[(one - 1 + 6 - begin) // 6 % len(letters)]) ^ ((one - 1) % 2 if side == "high" else 0)
        row[one - 1], row[other - 1] = digit, digit ^ (rule == DIFFERENT)
    assert worth(row) > 0 if side == "high" else worth(row) < 0


def mirrored(game: quet.Game, ground: dict[str, Any], side: str) -> int:
    """What a mirror strategy guarantees, found by playing every game against it by the rules."""
    rules: Any = game.rules
    n = game.state.n
    replier = 2 if side == "high" else 1

    def reply(s: Any, last: int | None) -> int:
        if rules.is_predicting(s):
            return n * n + int(ground["symbol"] == "-") if last is None else last
        if last is None or last >= n * n:
            return int(rules.read_move(s, ground["square"]))
        row, column = divmod(last, n)
        image = (column - ground["shift"]) % n * n + (row + ground["shift"]) % n
        own_images = [(c - ground["shift"]) % n * n + c for c in range(n)]
        free = [move for move in own_images if not rules.broken_rule(s, move)]
        return int(image if image != last else free[0])

    def go_on(s: Any, last: int | None) -> int:
        if rules.is_over(s):
            return difference(rules, s)
        is_reply = rules.mover(s) == replier
        values = []
        for move in [reply(s, last)] if is_reply else legal_moves(rules, s):
            assert not rules.broken_rule(s, move)
            after = twin(s)
            rules.play(after, move)
            values.append(go_on(after, move))
        return max(values) if side == "high" else min(values)

    return go_on(game.state, None)


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_mirror_strategies_hold_what_they_say_in_every_game(n: int, first: int) -> None:
    for game, value, ground, side in held("plusses-minuses", n=n, second_part_first=first):
        assert mirrored(game, ground, side) == value


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("n", range(2, 8))
def test_the_checker_finds_what_mirror_strategies_hold(n: int, first: int) -> None:
    for game, value, ground, side in held("plusses-minuses", n=n, second_part_first=first):
        assert plusses_minuses.guarantee(game.state, ground, side)[0] == value
        assert first == 2 or value == 0


@pytest.mark.parametrize("n", range(2, 7))
def test_player_2_who_knew_how_the_list_of_player_1_ends_would_win_by_a_point(n: int) -> None:
    game = quet.new("plusses-minuses", n=n, second_part_first=2)
    last = quet.core.grid.COLUMNS[n - 1]
    for own in itertools.product((1, -1), repeat=n - 1):
        is_shifted = own[-1] == 1
        copied = (-1, *own[:-1]) if is_shifted else (*own[:-1], 1)
        square, shift = (f"{last}1", n - 1) if is_shifted else (f"{last}{n}", 0)
        for s in plusses_minuses._Grids(game.state, square, shift, 2).all():
            s.predicted[: 2 * (n - 1)] = [sign for pair in zip(own, copied, strict=True) for sign in pair]
            assert difference(game.rules, s) == -1


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_no_predictions_change_what_the_second_part_is_worth_by_more_than_a_point(n: int) -> None:
    game = quet.new("plusses-minuses", n=n, second_part_first=2)
    rules: Any = game.rules
    start = twin(game.state)
    for _ in range(2 * (n - 1)):
        rules.play(start, n * n)
    lists = list(itertools.product((1, -1), repeat=n - 1))
    known: dict[tuple[int, ...], list[int]] = {}

    def worths(s: Any) -> list[int]:
        """The value for each pair of lists."""
        if tuple(s.height) not in known:
            known[tuple(s.height)] = found(s)
        return known[tuple(s.height)]

    def found(s: Any) -> list[int]:
        if rules.is_over(s):
            truths = [[rules.truth(s, player, k) for k in range(n - 1)] for player in (1, 2)]
            hits = [[sum(map(int.__eq__, signs, truth)) for signs in lists] for truth in truths]
            return [one - other for one, other in itertools.product(*hits)]
        after = [twin(s) for _ in legal_moves(rules, s)]
        for position, move in zip(after, legal_moves(rules, s), strict=True):
            rules.play(position, move)
        best = max if rules.mover(s) == 1 else min
        return [best(values) for values in zip(*map(worths, after), strict=True)]

    assert set(worths(start)) == {-1, 0}


@pytest.mark.parametrize("n", [2, 5, 10])
def test_strategies_settle_a_game_that_no_search_has_settled(n: int) -> None:
    written = made("plusses-minuses", n=n)
    assert written["claim"] == {"score": "value", "low": 0, "high": 0, "best_moves": None}
    game = quet.new("plusses-minuses", n=n)
    for move in written["witness"]:
        game.play(move)
    assert game.is_over
    if n < 8:
        assert not verify.check(written).trusted


def test_an_open_answer_takes_the_bounds_that_strategies_hold_and_no_others() -> None:
    game = quet.new("palindromes", m=30)
    strategy = game.entry.strategy
    weak = Answer(-90, 90, [], [], 5, "a search")
    better = strategies.improved(weak, game.rules, game.state, strategy, is_start=True)
    assert (better.low, better.high, better.method) == (-90, -4, "a search; a pairing of squares")
    strong = Answer(-9, -8, [], [], 5, "a search")
    assert strategies.improved(strong, game.rules, game.state, strategy, is_start=True) is strong
    assert not better.is_too_large_to_certify
    game.play("1=0")
    later = strategies.improved(weak, game.rules, game.state, strategy, is_start=False)
    assert (later.high, later.is_too_large_to_certify) == (-4, True)  # no certificate is for it


def test_an_open_claim_holds_by_a_pairing_and_the_rules() -> None:
    whole = made("palindromes", m=30)
    assert whole["claim"] == {"score": "value", "low": -2480, "high": -4, "best_moves": None}
    assert whole["witness"] == []
    found = verify.check(whole)
    assert found.claim == "the value is from -2480 to -4"
    assert not found.trusted
    assert verify.check(made("palindromes", m=15)).claim == "the value is from 0 to 336"


def test_a_solved_game_rests_on_its_strategies_where_they_hold_its_value() -> None:
    game = quet.new("plusses-minuses", n=5)
    strategy: Any = game.entry.strategy
    solved = Answer(0, 0, strategy.line(game.state), [], 9, "a search", value=0, has_all_best=True)
    written = certificate.make(game.id, game.rules, game.state, game.parameters, solved, Task(), strategy)
    assert written is not None
    assert [ground["kind"] for ground in written["grounds"]] == ["mirror", "mirror"]
    assert not verify.check(written).trusted


@pytest.mark.parametrize("m", [14, 15])
def test_a_changed_pairing_is_refused(m: int) -> None:
    whole = made("palindromes", m=m)
    side = "high" if m % 2 == 0 else "low"
    place = next(i for i, ground in enumerate(whole["grounds"]) if ground["kind"] == "pairing")
    pairs = whole["grounds"][place]["pairs"]
    verify.check(whole)
    for number, (_, other, rule) in enumerate(pairs):
        changed = copy.deepcopy(whole)
        changed["grounds"][place]["pairs"][number][2] = SAME if rule == DIFFERENT else DIFFERENT
        refused(changed, "grounds: This pairing holds the value at")
        changed = copy.deepcopy(whole)
        del changed["grounds"][place]["pairs"][number]
        refused(changed, "grounds: Each square must be filled first or be in one pair")
        changed = copy.deepcopy(whole)
        changed["grounds"][place]["pairs"][number][1] = other % m + 1
        refused(changed, "grounds: (Each square must be|The squares of a pair must be)")
        changed = copy.deepcopy(whole)
        following = changed["grounds"][place]["pairs"][(number + 1) % len(pairs)]
        moved = changed["grounds"][place]["pairs"][number]
        moved[1], following[1] = following[1], moved[1]
        refused(changed, "grounds: (This pairing holds|The squares of a pair must be)")
    for change in (-2, -1, 1, 2):
        changed = copy.deepcopy(whole)
        changed["claim"][side] += change
        refused(changed, "grounds: This pairing holds the value at")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda ground: ground.update(first="1=0"), "Player 2 doesn't begin, and so has no first move"),
        (lambda ground: ground.update(pairs=7), "The pairs must be a list"),
        (lambda ground: ground["pairs"].append([1, 2]), "Each pair must be two squares, and same or different"),
        (lambda ground: ground["pairs"].append([True, 2, SAME]), "The squares of a pair must be from 1 to 8"),
        (lambda ground: ground["pairs"].append([0, 1, SAME]), "The squares of a pair must be from 1 to 8"),
        (lambda ground: ground["pairs"].append([1, 9, SAME]), "The squares of a pair must be from 1 to 8"),
        (lambda ground: ground["pairs"].append([1, 2, "other"]), "The rule of a pair must be same or different"),
        (lambda ground: ground["pairs"].extend([[1, 2, SAME]] * 40), "At most 32 pairs can be checked"),
        (lambda ground: ground.update({"for": ["low"]}), "Player 1 begins, and so has a first move"),
        (lambda ground: ground.update({"for": ["low", "high"]}), "A pairing is for low or for high"),
        (lambda ground: ground.update(also=1), "Grounds of the kind pairing have"),
    ],
)
def test_a_pairing_that_makes_no_sense_is_refused_in_a_sentence(
    change: Callable[[dict[str, Any]], Any], message: str
) -> None:
    whole = made("palindromes", m=8)
    change(whole["grounds"][1])
    refused(whole, f"grounds: {message}")


@pytest.mark.parametrize(
    ("first", "change", "message"),
    [
        (1, lambda low, high: low.update(symbol="+"), "This mirror holds the value at -1 at least, not 0"),
        (1, lambda low, high: low.update(symbol=None), "Player 1 predicts first, and so needs a symbol"),
        (1, lambda low, high: low.update(square="a3"), "The reply [a-d][1-4] is against the rules"),
        (1, lambda low, high: low.update(square="e9"), "The first square: "),
        (1, lambda low, high: low.update(square="+"), "The reply [+] is against the rules"),
        (1, lambda low, high: low.update(square=None), "Player 1 fills first, and so needs a square"),
        (1, lambda low, high: low.update(shift=0), "The reply [a-d][1-4] is against the rules"),
        (1, lambda low, high: low.update(shift=4), "The shift must be from 0 to 3"),
        (1, lambda low, high: high.update(symbol="+"), "Player 2 has a symbol to copy from the first"),
        (1, lambda low, high: high.update(square="a1"), "Player 2 doesn't fill first, and so needs no square"),
        (1, lambda low, high: high.update(shift=1), "This mirror holds the value at [1-9] at most, not 0"),
        (1, lambda low, high: high.update({"for": ["low", "high"]}), "A mirror is for low or for high"),
        (2, lambda low, high: low.update(square="a4"), "Player 1 doesn't fill first, and so needs no square"),
        (2, lambda low, high: high.update(square="b1"), "The reply [a-d][1-4] is against the rules"),
    ],
)
def test_a_changed_mirror_strategy_is_refused(
    first: int, change: Callable[[dict[str, Any], dict[str, Any]], Any], message: str
) -> None:
    whole = made("plusses-minuses", n=4, second_part_first=first)
    verify.check(whole)
    change(*whole["grounds"])
    refused(whole, f"grounds: {message}")


@pytest.mark.parametrize(("first", "side"), [(1, "low"), (1, "high"), (2, "low"), (2, "high")])
def test_a_value_that_a_mirror_strategy_does_not_hold_is_refused(first: int, side: str) -> None:
    for change in (-1, 1):
        whole = made("plusses-minuses", n=4, second_part_first=first)
        is_proven = whole["claim"]["low"] == whole["claim"]["high"]
        whole["claim"][side] += change
        if is_proven:
            refused(whole, "claim: low is above high|witness: Where low is below high there is no witness")
            whole["witness"] = []
        refused(whole, "claim: low is above high|grounds: This mirror holds the value at")


def test_a_grid_too_large_to_be_checked_is_left_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = made("plusses-minuses", n=4)
    monkeypatch.setattr(plusses_minuses, "MOST_GAMES", 31)
    found = verify.check(whole)
    assert found.verdict == "unchecked" and "low by mirror: There are more than 31 games to be scored." in found.trusted
    monkeypatch.setattr(plusses_minuses, "MOST_POSITIONS", 9)
    assert "low by mirror: There are more than 9 positions to be looked at." in verify.check(whole).trusted


def test_a_strategy_is_for_its_own_game_and_tells_no_best_moves() -> None:
    whole = made("palindromes", m=8)
    mirror = made("plusses-minuses", n=4)["grounds"][1]
    refused(
        whole | {"grounds": [whole["grounds"][0], mirror]},
        "The kinds of grounds are pairing, ",
    )
    solved = made("plusses-minuses", n=4)
    solved["claim"]["best_moves"] = ["-"]
    refused(solved, "Only a table or a search tells which first moves are the best")
    whole["witness"] = ["1=0"]
    refused(whole, "witness: Where low is below high there is no witness")


def test_the_table_of_records_takes_values_that_strategies_settle_and_those_that_they_hold_from_one_side(
    tmp_path: Path,
) -> None:
    table = Folder(tmp_path)
    row = enter(table, made("plusses-minuses", n=6), finder="Ann", is_trusted=False).row
    assert (row.value, row.status, row.proof) == (0, "proven", "mirror")
    whole = made("palindromes", m=30)
    row = enter(table, whole, finder="Ann", is_trusted=False).row
    assert (row.value, row.bound) == (whole["claim"]["low"], whole["claim"]["high"])
    assert (row.status, row.witness) == ("open", "")
    assert not any(one.error for one in check(table))
