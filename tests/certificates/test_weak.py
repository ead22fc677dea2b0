"""Weak solutions: a strategy of each player is made, followed against every reply, and refused where it is changed."""

import base64
import itertools
import json
import zlib
from pathlib import Path
from typing import Any

import pytest

import quet
from quet.certificates import claims, verify
from quet.certificates.check_weak import Walk, _replies, check, packed
from quet.certificates.frontier import BESIDES, Frontier
from quet.cli.main import main
from quet.core.errors import BadCertificate, NotSolved, TooLarge
from quet.core.state import copy, key
from quet.distribution.task import Task, no_strategy
from quet.results.claim import Claim
from quet.solving import weak

SIZES = [  # games for two that have a table of all positions
    ("blob", {"n": 4}),
    ("divisors-multiples", {"r": 7}),
    ("palindromes", {"m": 7}),
    ("plusses-minuses", {"n": 4, "second_part_first": 2}),
]


def solved(id: str, parameters: dict[str, int]) -> tuple[claims.Subject, Any, Any, int]:
    """The game for the checker, its first position, its values and its own value."""
    game = quet.new(id, **parameters)
    known = weak.values(game.rules, game.entry.capabilities, game.state, Task(), None)
    assert known is not None
    value = quet.solve(game).low
    assert value is not None
    return claims.of(id), game.state, known, value


def taken(walk: Walk) -> tuple[int, list[Any]]:
    """The lowest stage of a walk and its positions, which are gone then."""
    stage, positions = walk._frontier.pop()
    return stage, list(positions)


@pytest.mark.parametrize("side", ["low", "high"])
@pytest.mark.parametrize(("id", "parameters"), SIZES, ids=[id for id, _ in SIZES])
def test_a_strategy_holds_the_value_and_no_more(id: str, parameters: dict[str, int], side: str) -> None:
    subject, start, table, value = solved(id, parameters)
    replies = weak.replies(subject, start, value, side, table, Task())
    assert f"with {len(replies)} replies holds the value at {value}" in check(
        subject, start, packed(replies), side, value
    )
    better = value + 1 if side == "low" else value - 1
    with pytest.raises(BadCertificate, match=f"The strategy comes to an end of {value}"):
        check(subject, start, packed(replies), side, better)
    refused = 0
    for number in range(0, len(replies), max(1, len(replies) // 20)):
        for reply in {replies[number] + 1, 0, 300} - {replies[number]}:
            changed = [*replies[:number], reply, *replies[number + 1 :]]
            try:  # another reply can be as good, but then it must hold the value as well
                check(subject, start, packed(changed), side, value)
            except BadCertificate:
                refused += 1
    assert refused


@pytest.mark.parametrize(
    ("side", "sentence"),
    [
        ("low", "player 2 with 40 replies holds the value at -2 at least, in all 68 positions that can come up."),
        ("high", "player 1 with 18 replies holds the value at -2 at most, in all 36 positions that can come up."),
    ],
)
def test_it_says_what_was_checked_and_counts_each_position_once(side: str, sentence: str) -> None:
    subject, start, table, value = solved("divisors-multiples", {"r": 7})
    replies = weak.replies(subject, start, value, side, table, Task())
    assert check(subject, start, packed(replies), side, value) == f"A strategy of {sentence}"
    walk, given = Walk(subject, start, side, value), iter(replies)
    walk.run(lambda positions: ((s, going[next(given)]) for s, going in positions))
    assert (walk.num_own, walk._frontier.num_held) == (len(replies), 0)


@pytest.mark.parametrize("side", ["low", "high"])
def test_of_positions_that_go_on_alike_the_one_with_the_worst_result_counts(side: str) -> None:
    subject, start, _, value = solved("divisors-multiples", {"r": 7})
    walk = Walk(subject, start, side, value)
    assert walk._frontier.has(walk.key(start), 0) and taken(walk) == (0, [start])
    good, bad, worse = copy(start), copy(start), copy(start)
    bad.cost[walk.player], worse.cost[walk.player] = 5, 7
    for number, given in enumerate(itertools.permutations([good, bad, worse]), 1):
        for s in given:
            walk.add(s, walk.key(s), number)
        assert walk._frontier.num_held == 1
        assert taken(walk) == (number, [worse])


def test_positions_that_a_symmetry_joins_are_one_and_their_results_are_one() -> None:
    subject, start, _, value = solved("blob", {"n": 4})
    walk = Walk(subject, start, "low", value)
    assert walk.is_score_in_key and walk.stage(start, 4) == 5
    twins = []
    for move in ("a1", "d4"):
        game = quet.new("blob", n=4).after(move)
        twins.append(game.state)
        walk.add(game.state, walk.key(game.state), 1)
    assert subject.key(twins[0]) != subject.key(twins[1])
    assert [taken(walk), taken(walk)] == [(0, [start]), (1, twins[:1])]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (7, "replies must be a text."),
        ("no base64!", "replies must be a text in base64."),
        (base64.b64encode(b"no zlib").decode(), "The replies can't be unpacked."),
        (packed([0] * 3), "The strategy has fewer replies than positions."),
        (packed([0] * 1_000), "The strategy"),
        (packed([254] * 1_000), "A reply of the strategy is no legal move."),
        (packed([255] * 1_000), "A reply of the strategy is no legal move."),
        (base64.b64encode(zlib.compress(bytes(10_000))[:-6]).decode(), "The "),
        (
            base64.b64encode(zlib.compress(b"\xff")).decode(),
            "Something follows the replies, or is missing at their end.",
        ),
    ],
)
def test_what_is_no_strategy_is_refused(given: object, sentence: str) -> None:
    subject, start, _, value = solved("palindromes", {"m": 6})
    with pytest.raises(BadCertificate) as caught:
        check(subject, start, given, "low", value)
    assert caught.value.sentence.startswith(sentence) and caught.value.step == "grounds"


def test_large_numbers_of_replies_are_kept() -> None:
    numbers = [0, 254, 255, 256, 509, 510]
    assert zlib.decompress(base64.b64decode(packed(numbers))) == bytes([0, 254, 255, 0, 255, 1, 255, 254, 255, 255])


def test_a_position_is_new_until_it_came_up_at_its_stage() -> None:
    subject, start, _, value = solved("palindromes", {"m": 6})
    walk = Walk(subject, start, "low", value)
    key = walk.key(start)
    assert [walk.is_new(key, 0), walk.is_new(key, 1), walk.is_new(key + b"x", 0)] == [False, True, True]


@pytest.mark.parametrize("block", [1, 2, 3, 1000])
def test_replies_are_unpacked_a_block_at_a_time(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    class Unpacker:
        def __init__(self) -> None:
            self._real = zlib_decompressobj()

        def decompress(self, content: bytes, most: int) -> bytes:
            sizes.append(most)
            return self._real.decompress(content, most)

        def __getattr__(self, name: str) -> object:
            return getattr(self._real, name)

    zlib_decompressobj = zlib.decompressobj
    monkeypatch.setattr("quet.certificates.check_weak.zlib.decompressobj", Unpacker)
    monkeypatch.setattr("quet.certificates.check_weak._BLOCK", block)
    numbers = [0, 254, 255, 256, 509, 510, 1, 1, 1, 7] * 20
    assert list(_replies(packed(numbers))) == numbers
    assert set(sizes) == {block}


def test_replies_that_are_cut_off_anywhere_are_refused() -> None:
    content = base64.b64decode(packed([*range(300)]))
    for length in range(2, len(content)):
        with pytest.raises(BadCertificate, match=r": The replies have been cut off\.$"):
            list(_replies(base64.b64encode(content[:length]).decode()))


def test_too_many_replies_or_something_behind_them_are_refused() -> None:
    subject, start, table, value = solved("palindromes", {"m": 6})
    replies = weak.replies(subject, start, value, "low", table, Task())
    with pytest.raises(BadCertificate, match=r": The strategy has more replies than positions\.$"):
        check(subject, start, packed([*replies, 0]), "low", value)
    behind = base64.b64encode(base64.b64decode(packed(replies)) + b"x").decode()
    with pytest.raises(BadCertificate, match="Something follows the replies"):
        check(subject, start, behind, "low", value)


def test_too_many_positions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    subject, start, table, value = solved("palindromes", {"m": 6})
    replies = weak.replies(subject, start, value, "low", table, Task())
    monkeypatch.setattr("quet.certificates.check_weak.MOST_POSITIONS", 72)
    check(subject, start, packed(replies), "low", value)
    monkeypatch.setattr("quet.certificates.check_weak.MOST_POSITIONS", 71)
    with pytest.raises(BadCertificate, match="More than 71 positions can come up"):
        check(subject, start, packed(replies), "low", value)


@pytest.mark.parametrize("side", ["low", "high"])
@pytest.mark.parametrize(("id", "parameters"), SIZES, ids=[id for id, _ in SIZES])
@pytest.mark.parametrize("block", [1, 2_000])
def test_the_checker_needs_one_block_of_memory_and_meets_the_same_positions_in_the_same_order(
    block: int, id: str, parameters: dict[str, int], side: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject, start, table, value = solved(id, parameters)
    made, most = packed(weak.replies(subject, start, value, side, table, Task())), [0]
    add = Frontier.add

    def counted(self: Frontier, *given: Any) -> None:
        add(self, *given)
        most[0] = max(most[0], self.num_held)

    monkeypatch.setattr(Frontier, "add", counted)

    def checked() -> tuple[str, list[object]]:
        most[0], seen = 0, list[object]()

        def see(s: Any, going: Any, number: int) -> None:
            seen.append((key(s), [*map(tuple, going)], number))

        return check(subject, start, made, side, value, see), seen

    expected, num_before = checked(), most[0]
    monkeypatch.setattr("quet.certificates.check_weak.BLOCK", block)
    assert checked() == expected
    assert most[0] <= block // BESIDES < num_before


def test_whoever_makes_a_strategy_has_all_positions_in_memory_and_no_more_than_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    subject, start, table, value = solved("palindromes", {"m": 6})
    made = weak.replies(subject, start, value, "low", table, Task())
    each = 6 + (2 + 6) + BESIDES  # bytes of a row as a key, and then of m, ply and digits

    def walk() -> None:
        given = iter(made)
        Walk(subject, subject.shortened(start), "low", value).run(
            lambda positions: ((s, going[next(given)]) for s, going in positions)
        )

    monkeypatch.setattr("quet.certificates.check_weak.MOST_HELD", 7 * each)
    with pytest.raises(BadCertificate, match="More than 7 positions can come up at once"):
        walk()
    monkeypatch.setattr("quet.certificates.check_weak.MOST_HELD", 26 * each)
    walk()
    monkeypatch.setattr("quet.certificates.check_weak.MOST_HELD", 26 * each - 1)
    with pytest.raises(BadCertificate, match="More than 25 positions can come up at once"):
        walk()


def test_the_checker_has_lists_as_short_as_a_game_says() -> None:
    subject, start, table, value = solved("divisors-multiples", {"r": 5})
    replies, seen = weak.replies(subject, start, value, "low", table, Task()), list[Any]()
    check(subject, start, packed(replies), "low", value, lambda s, going, number: seen.append(copy(s)))
    assert {(len(s.is_taken), len(s.cost)) for s in seen} == {(6, 3)} and len(seen) == len(replies)
    assert (len(start.is_taken), len(start.cost)) == (1001, 9)
    walk = Walk(subject, start, "low", value)  # as it is for those that make strategies
    assert taken(walk) == (0, [start])


def test_numbers_that_need_more_bytes_lower_the_limit_of_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    subject, start, _, value = solved("divisors-multiples", {"r": 5})
    each = 16 + 15 + BESIDES  # bytes of a key, and of 15 numbers
    monkeypatch.setattr("quet.certificates.check_weak.MOST_HELD", 2 * (each + 15) - 1)
    walk, costly = Walk(subject, subject.shortened(start), "low", value), copy(subject.shortened(start))
    costly.cost[1], costly.current = 128, 2
    twin = copy(subject.shortened(start))
    twin.current = 3
    walk.add(twin, walk.key(twin), 1)
    with pytest.raises(BadCertificate, match="More than 1 positions can come up at once"):
        walk.add(costly, walk.key(costly), 1)


def test_a_game_whose_stages_do_not_grow_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    subject, start, table, value = solved("divisors-multiples", {"r": 5})
    replies = weak.replies(subject, start, value, "low", table, Task())
    monkeypatch.setattr(subject.claims, "stage", lambda s: 0)
    broken = claims.of("divisors-multiples")
    with pytest.raises(BadCertificate, match=r": A move doesn't lead to a later stage of the game\.$"):
        check(broken, start, packed(replies), "low", value)


def test_without_time_no_strategy_is_made() -> None:
    subject, start, table, value = solved("palindromes", {"m": 6})
    with pytest.raises(NotSolved, match=r"^The time is over before a strategy is found\.$"):
        weak.replies(subject, start, value, "low", table, Task(seconds=0.0))


def test_quet_solve_writes_strategies_that_quet_verify_checks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "weak.json"
    assert main(["solve", "palindromes", "m=6", "--strategies", "--certificate", str(file)]) == 0
    assert main(["verify", str(file)]) == 0
    told = capsys.readouterr().out
    assert told.count("A strategy of player") == 2 and "not checked here" not in told
    made = json.loads(file.read_text())
    assert [ground["kind"] for ground in made["grounds"]] == ["weak", "weak"]
    assert Claim.of(made).proof == "weak" and Claim.of(made).strength("low") == 3
    made["claim"] |= {"low": -5, "high": -3, "best_moves": None}
    checked = " ".join(verify.check(made | {"witness": [], "digest": verify.digest(made | {"witness": []})}).checked)
    assert "holds the value at -5 at least" in checked and "holds the value at -3 at most" in checked
    made["grounds"][0]["for"], made["grounds"][1]["for"] = ["high"], ["low"]
    with pytest.raises(BadCertificate):
        verify.check(made | {"digest": verify.digest(made)})
    for words, sentence in (
        (
            ["convoluted-coprimality", "n=5", "--strategies", "--certificate", str(file)],
            "it has no way to the value of",
        ),
        (["palindromes", "m=6", "--strategies"], "give --certificate FILE with --strategies"),
        (["up-and-up", "n=3", "--strategies", "--certificate", str(file)], "--strategies is for games of two players"),
    ):
        assert main(["solve", *words]) == 2
        assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (no_strategy(), "The time is over before a strategy is found."),
        (KeyboardInterrupt(), "Making them was stopped."),
        (MemoryError(), "The memory isn't enough."),
        (TooLarge(2**30, 2**24), "The search needs 1024 MB of memory and may use 16 MB."),
        (None, "The values of positions take more time or memory."),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_proven_answer_is_not_lost_where_no_strategy_can_be_made(
    error: BaseException | None,
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        if error is not None:
            raise error

    monkeypatch.setattr(weak, "values", fail)
    file, told = tmp_path / "value.json", f"The certificate has no strategies. {sentence}\n"
    words = ["solve", "palindromes", "m=6", "--strategies", "--certificate", str(file)]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "The value is -4, proven" in out and out.endswith(f"Certificate: {file}\n{told}")
    assert json.loads(file.read_text())["grounds"][0]["kind"] != "weak"
    assert main(["verify", str(file)]) == 0
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["value"] == -4 and printed.err == f"quet: {told}"


def test_where_theorems_have_the_strategies_no_others_are_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(weak, "values", never)
    file = tmp_path / "value.json"
    assert main(["solve", "plusses-minuses", "n=3", "--strategies", "--certificate", str(file)]) == 0
    assert "no strategies" not in capsys.readouterr().out
    assert {ground["kind"] for ground in json.loads(file.read_text())["grounds"]} == {"mirror"}
