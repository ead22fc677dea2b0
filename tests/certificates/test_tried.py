"""Grounds of the kind tried: the checker itself looks for better games of a solitaire, in the game's own way."""

import itertools
import json
from collections import Counter
from pathlib import Path

import pytest

import quet
from certified import reached, resealed
from quet.certificates import check_tried, claims, verify
from quet.certificates.check_tried import check
from quet.cli.main import main
from quet.core.errors import BadCertificate, TooLargeToCheck
from quet.game import new_to_solve
from quet.games.sums_grid import claims as sums_grid
from quet.games.up_and_up import claims as up_and_up
from quet.games.up_and_up import solve


def free() -> None:
    """Any number of positions may be tried."""


def over() -> None:
    """No position may be tried."""
    raise AssertionError("a position is tried")


LOWEST = {2: 4, 3: 6, 4: 8, 5: 7, 6: 6, 7: 10, 8: 12, 9: 9, 10: 12, 11: 11, 12: 12, 13: 12}


@pytest.mark.parametrize("n", LOWEST)
def test_a_lower_score_than_the_lowest_is_not_met_and_the_lowest_is(n: int) -> None:
    subject, start = claims.of("up-and-up"), quet.new("up-and-up", n=n).state
    assert ": none reaches one." in check(subject, start, LOWEST[n], "low")
    with pytest.raises(BadCertificate, match=f"grounds: A game ends with {LOWEST[n]} numbers."):
        check(subject, start, LOWEST[n] + 1, "low")


def test_its_way_finds_the_score_of_a_grid_that_is_larger_than_is_played() -> None:
    subject, start = claims.of("up-and-up"), new_to_solve("up-and-up", n=22).state
    assert "357691 positions" in check(subject, start, 14, "low", most=357691)
    with pytest.raises(TooLargeToCheck, match="More than 357690 positions would have to be tried"):
        check(subject, start, 14, "low", most=357690)


@pytest.mark.parametrize(("n", "longest"), [(2, 4), (3, 9), (4, 12), (5, 11), (6, 11)])
def test_from_the_end_it_meets_each_game_once(n: int, longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as are met by playing all games forward."""
    met: Counter[int] = Counter()
    monkeypatch.setattr(up_and_up._Games, "_found", lambda self, length: met.update([length]))
    monkeypatch.setattr(up_and_up, "_one_of_eight", lambda n: range(n * n))
    assert up_and_up.tried(quet.new("up-and-up", n=n).state, longest + 1, "low", free)
    assert met == {score: count for score, count in solve.num_games(n).items() if score <= longest}


def test_a_last_square_stands_for_those_that_symmetries_join_with_it() -> None:
    for n in range(1, 9):
        alike = [solve.alike(n, square) for square in up_and_up._one_of_eight(n)]
        assert sorted(square for squares in alike for square in squares) == list(range(n * n))


def test_the_grid_of_one_square_has_a_game_of_one_number() -> None:
    start = quet.new("up-and-up", n=1).state
    assert up_and_up.tried(start, 1, "low", over)
    with pytest.raises(BadCertificate, match="grounds: A game ends with 1 numbers"):
        up_and_up.tried(start, 2, "low", over)


def test_positions_are_counted_and_no_more_are_tried_than_allowed() -> None:
    subject, start = claims.of("up-and-up"), quet.new("up-and-up", n=8).state
    sentence = "All ways to a lower score were tried, 14678 positions: none reaches one."
    assert check(subject, start, 12, "low", most=14678) == sentence
    with pytest.raises(TooLargeToCheck) as caught:
        check(subject, start, 12, "low", most=14677)
    sentence = "More than 14677 positions would have to be tried."
    assert (caught.value.sentence, caught.value.step) == (sentence, "grounds")
    for claimed, side in ((26, "low"), (64, "high")):  # at once: games of 25 numbers aren't tried
        assert not up_and_up.tried(start, claimed, side, over)
        with pytest.raises(TooLargeToCheck, match="Not all games that would be better are tried here"):
            check(subject, start, claimed, side)


@pytest.mark.long
def test_no_grid_of_three_has_27_sums_and_smaller_ones_have_all() -> None:
    subject, start = claims.of("sums-grid"), quet.new("sums-grid", n=3).state
    sentence = "All ways to a higher score were tried, 144797 positions: none reaches one."
    assert check(subject, start, 26, "high", most=144797) == sentence
    for n in (1, 2):
        with pytest.raises(BadCertificate) as caught:
            sums_grid.tried(quet.new("sums-grid", n=n).state, n**3 - 1, "high", free)
        assert (caught.value.sentence, caught.value.step) == (f"A grid has {n**3} sums.", "grounds")


def test_of_sums_grids_only_small_ones_and_their_highest_score_are_tried() -> None:
    subject, start = claims.of("sums-grid"), quet.new("sums-grid", n=3).state
    with pytest.raises(TooLargeToCheck, match="More than 1000 positions would have to be tried"):
        check(subject, start, 26, "high", most=1_000)
    assert not sums_grid.tried(start, 25, "high", over)  # whether a grid has 26 sums isn't tried
    assert not sums_grid.tried(start, 0, "low", over)
    assert not sums_grid.tried(quet.new("sums-grid", n=4).state, 63, "high", over)


def test_of_the_eight_images_of_a_full_grid_one_is_met(monkeypatch: pytest.MonkeyPatch) -> None:
    """The grids of 2 with the sums 1 to 8, against a plain count."""
    met: list[list[int]] = []
    monkeypatch.setattr(sums_grid._Full, "_found", lambda self, numbers: met.append(numbers))
    assert sums_grid.tried(quet.new("sums-grid", n=2).state, 7, "high", free)
    full = {
        (a, b, c, d)
        for a, b, c, d in itertools.permutations(range(1, 9), 4)
        if {a, b, c, d, a + b, c + d, a + c, b + d} == set(range(1, 9))
    }
    images = set()
    for a, b, c, d in met:
        for first, second, third, fourth in ((a, b, c, d), (b, a, d, c), (c, d, a, b), (d, c, b, a)):
            images |= {(first, second, third, fourth), (first, third, second, fourth)}
    assert images == full
    assert len(full) == 8 * len(met) > 0


def test_quet_solve_writes_it_and_quet_verify_tries_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "lowest.json"
    words = ["solve", "up-and-up", "n=6", "--lowest", "--certificate", str(file)]
    assert main(words) == 0
    made = json.loads(file.read_text())
    assert made["grounds"] == [{"for": ["high"], "kind": "witness"}, {"for": ["low"], "kind": "tried"}]
    assert main(["verify", str(file)]) == 0
    assert "All ways to a lower score were tried" in capsys.readouterr().out
    monkeypatch.setattr(check_tried, "MOST_POSITIONS", 5)
    assert main([*words, "--time", "60"]) == 0
    assert json.loads(file.read_text())["grounds"][1]["kind"] == "exhaustive"


def test_a_solver_and_a_checker_that_disagree_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_lower(start: object, claimed: int, side: str, step: object) -> bool:
        raise BadCertificate("A game ends with 5 numbers.", step="grounds")

    monkeypatch.setattr(up_and_up, "tried", is_lower)
    file = tmp_path / "lowest.json"
    assert main(["solve", "up-and-up", "n=6", "--lowest", "--certificate", str(file)]) != 0
    assert "Two ways disagree: grounds: A game ends with 5 numbers." in capsys.readouterr().err
    assert not file.exists()


@pytest.mark.parametrize(
    ("ground", "sentence"),
    [
        ({"for": ["high"], "kind": "tried"}, "Trying all games shows that no score of a solitaire is better."),
        ({"for": ["low"], "kind": "tried", "more": 1}, "Grounds of the kind tried have for and kind."),
        ({"for": ["low", "high"], "kind": "tried"}, "Trying all games shows that no score of a solitaire is better."),
    ],
)
def test_it_is_for_the_side_that_no_witness_shows(ground: dict[str, object], sentence: str) -> None:
    made = reached(6, is_lowest=True)
    made["claim"]["low"] = 6
    made["grounds"][1] = {"for": ["low"], "kind": "tried"}
    assert not verify.check(resealed(made)).trusted
    made["grounds"][1] = ground
    with pytest.raises(BadCertificate) as caught:
        verify.check(resealed(made))
    assert (caught.value.sentence, caught.value.step) == (sentence, "grounds")


def test_a_false_lowest_score_is_refuted_and_a_weaker_one_holds() -> None:
    made = reached(7, is_lowest=True)
    made["claim"]["low"] = 7
    made["grounds"][1] = {"for": ["low"], "kind": "tried"}
    with pytest.raises(BadCertificate, match="grounds: A game ends with 6 numbers"):
        verify.check(resealed(made))
    made["claim"]["low"] = 5
    assert verify.check(resealed(made)).claim == "the lowest score is from 5 to 7"


def test_a_game_without_a_way_of_its_own_has_no_such_grounds() -> None:
    start = quet.new("sequence-ascension", n=2).state
    with pytest.raises(BadCertificate) as caught:
        check(claims.of("sequence-ascension"), start, 4, "high")
    sentence = "The claims of sequence-ascension don't say how to try all games."
    assert (caught.value.sentence, caught.value.step) == (sentence, "grounds")
