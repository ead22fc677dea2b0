"""What results say: scores, intervals and ratings, against values known from elsewhere."""

import itertools
import math
import sys
from dataclasses import replace

import pytest

from quet.core.errors import MissingExtra
from quet.players.arena import Fixture, Result, Tournament, tournament
from quet.players.standings import Standings, check_ratings, mean_score, share_interval, standings

PLAYERS = ("random", "level:1")


def outcome(one: Tournament, winners_of: dict[tuple[str, ...], list[tuple[int, ...]]]) -> Standings:
    """The standings where the winners of each seating's games are these, opening by opening."""
    scores = (0,) * one.game.num_players
    left = {seats: iter(winners) for seats, winners in winners_of.items()}
    return standings(one, [Result(f, (), scores, next(left[f.seats])) for f in one.fixtures()])


def duel(num_games: int, players: tuple[str, ...] = PLAYERS) -> Tournament:
    return tournament("palindromes", {"m": 4}, players, num_games=num_games)


def test_the_interval_of_wins_and_losses_is_that_of_agresti_and_coull() -> None:
    # Agresti and Coull (1998): with x of n won, the middle is (x + 2) / (n + 4).
    for won, n in [(0, 10), (7, 10), (10, 10), (33, 80)]:
        found = share_interval([1.0] * won + [0.0] * (n - won))
        middle = (won + 2) / (n + 4)
        error = 1.959964 * math.sqrt(middle * (1 - middle) / (n + 4))
        assert found.value == won / n
        assert found.low == pytest.approx(max(0.0, middle - error))
        assert found.high == pytest.approx(min(1.0, middle + error))


def test_the_interval_is_close_to_wilsons() -> None:
    stats = pytest.importorskip("scipy.stats")
    for won, n in [(20, 40), (30, 40), (70, 100)]:
        wilson = stats.binomtest(won, n).proportion_ci(method="wilson")
        found = share_interval([1.0] * won + [0.0] * (n - won))
        assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high), abs=0.01)


def test_the_interval_covers_the_truth_19_times_of_20() -> None:
    """The exact chance, over all outcomes of 20 openings that are lost, even or won with known chances."""
    for lost, even in [(0.25, 0.5), (0.1, 0.6), (0.05, 0.1), (0.5, 0.0)]:
        truth = 1 - lost - even / 2
        covered = 0.0
        for a, b in itertools.product(range(21), repeat=2):
            if a + b <= 20:
                ways = math.comb(20, a) * math.comb(20 - a, b)
                found = share_interval([0.0] * a + [0.5] * b + [1.0] * (20 - a - b))
                if found.low <= truth <= found.high:
                    covered += ways * lost**a * even**b * (1 - lost - even) ** (20 - a - b)
        assert covered > 0.93


def test_the_mean_of_scores_has_the_usual_interval() -> None:
    found = mean_score([1.0, 2.0, 3.0])
    assert found.value == 2.0
    assert found.high - found.value == pytest.approx(1.959964 / math.sqrt(3))
    assert mean_score([5.0]).low == -math.inf


def test_a_player_who_wins_with_either_seat_is_above() -> None:
    found = outcome(duel(40), {PLAYERS: [(2,)] * 20, PLAYERS[::-1]: [(1,)] * 20})
    (meeting,) = found.meetings
    assert (meeting.stronger, meeting.won, meeting.drawn, meeting.lost) == ("level:1", 40, 0, 0)
    assert (meeting.score.value, meeting.is_above, meeting.level_openings) == (1.0, True, 0)
    assert found.seats == pytest.approx([0.5, 0.5])
    rating = found.ratings["level:1"]  # finite, and not certain
    assert rating.low < rating.value - 100 < rating.value <= rating.high < 1000


def test_where_the_seat_decides_nobody_is_above() -> None:
    found = outcome(duel(40), {PLAYERS: [(2,)] * 20, PLAYERS[::-1]: [(2,)] * 20})
    (meeting,) = found.meetings
    assert (meeting.score.value, meeting.is_above, meeting.level_openings) == (0.5, False, 20)
    assert found.seats == pytest.approx([0.0, 1.0])
    assert found.ratings["level:1"].value == pytest.approx(0.0, abs=1e-6)


def test_draws_count_half() -> None:
    found = outcome(duel(4), {PLAYERS: [(1, 2), (2,)], PLAYERS[::-1]: [(1, 2), (1, 2)]})
    assert (found.meetings[0].won, found.meetings[0].drawn, found.meetings[0].score.value) == (1, 3, 0.625)
    assert found.seats == pytest.approx([0.375, 0.625])  # together 1, as shares of the wins are
    assert outcome(duel(2), {PLAYERS: [(1, 2)], PLAYERS[::-1]: [(1, 2)]}).seats == [0.5, 0.5]


def test_ratings_are_elos() -> None:
    """Three of four points are worth 400 log10(3) = 191 Elo. The drawn game that is added takes little of it away."""
    names = ("random", "level:1", "level:2")
    winners: dict[tuple[str, ...], list[tuple[int, ...]]] = {}
    for pair in itertools.pairwise(names):
        winners[pair] = [(2,)] * 100
        winners[pair[::-1]] = [(1,), (2,)] * 50
    ratings = outcome(duel(200, names), winners).ratings
    expected = 400 * math.log10(150.5 / 50.5)
    assert ratings["random"].value == ratings["random"].low == ratings["random"].high == 0.0
    assert ratings["level:1"].value == pytest.approx(expected, abs=0.1)
    assert ratings["level:2"].value == pytest.approx(2 * expected, abs=0.1)
    for rating in (ratings["level:1"], ratings["level:2"]):
        assert rating.low < rating.value < rating.high


def test_openings_in_which_pairs_are_alike_make_the_intervals_of_ratings_wide() -> None:
    """All pairs play the same openings. Where the stronger wins in the same ones, the ratings are less certain."""
    names = ("random", "level:1", "level:2")
    one = tournament("palindromes", {"m": 4}, names, num_games=80, is_round_robin=True)
    widths, values = [], []
    for is_alike in (True, False):
        winners: dict[tuple[str, ...], list[tuple[int, ...]]] = {}
        for pair in one.pairs:
            is_turned = pair == names[1:] and not is_alike
            won = [(opening % 2 == 0) is not is_turned for opening in range(40)]  # by the second of the pair
            winners[pair] = [(2,) if second else (1,) for second in won]
            winners[pair[::-1]] = [(1,) if second else (2,) for second in won]
        rating = outcome(one, winners).ratings["level:2"]
        values.append(rating.value)
        widths.append(rating.high - rating.low)
    assert values == pytest.approx([0, 0], abs=1e-6)
    assert widths[0] > 1.3 * widths[1]


def test_ratings_do_without_openings_that_a_pair_has_not_played_out() -> None:
    one = tournament("palindromes", {"m": 4}, ("random", "level:1", "level:2"), num_games=8, is_round_robin=True)
    results = [Result(f, (), (0, 0), (2,)) for f in one.fixtures()]
    found = standings(one, results[:-3])
    assert sorted(meeting.openings for meeting in found.meetings) == [3, 3, 4]
    assert all(rating.low <= rating.value <= rating.high for rating in found.ratings.values())


def test_with_three_players_half_of_the_wins_is_fair() -> None:
    three = tournament("divisors-multiples", {"r": 4, "players": 3}, PLAYERS, num_games=6)

    def won_by(name: str, fixture: Fixture) -> tuple[int, ...]:
        return tuple(seat for seat, who in enumerate(fixture.seats, 1) if who == name)

    results = [Result(f, (), (0, 0, 0), (1,)) for f in three.fixtures()]
    assert standings(three, results).meetings[0].score.value == pytest.approx(0.5)
    results = [Result(f, (), (0, 0, 0), won_by("level:1", f)) for f in three.fixtures()]
    assert standings(three, results).meetings[0].score.value == 1.0


def test_a_solitaire_is_compared_opening_by_opening() -> None:
    alone = tournament("up-and-up", {"n": 3}, PLAYERS, num_games=3)
    scores = {"random": iter([5, 5, 5]), "level:1": iter([7, 5, 4])}
    found = standings(alone, [Result(f, (), (next(scores[f.seats[0]]),), (1,)) for f in alone.fixtures()])
    assert {name: mean.value for name, mean in found.means.items()} == {"random": 5.0, "level:1": pytest.approx(16 / 3)}
    assert (found.meetings[0].won, found.meetings[0].drawn, found.meetings[0].lost) == (1, 1, 1)
    assert not found.ratings


def test_in_a_solitaire_where_the_lower_score_is_better_the_lower_one_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = tournament("up-and-up", {"n": 3}, PLAYERS, num_games=3)
    monkeypatch.setattr(alone.game.rules, "LOWER_IS_BETTER", True)
    scores = {"random": iter([7, 5, 6]), "level:1": iter([5, 5, 4])}
    found = standings(alone, [Result(f, (), (next(scores[f.seats[0]]),), (1,)) for f in alone.fixtures()])
    (meeting,) = found.meetings
    assert (meeting.stronger, meeting.won, meeting.drawn, meeting.lost) == ("level:1", 2, 1, 0)


def test_an_opening_that_is_not_played_out_does_not_count() -> None:
    one = duel(4)
    results = [Result(f, (), (0, 0), (2,)) for f in one.fixtures()]
    assert standings(one, results[:3]).meetings[0].openings == 1
    assert standings(one, results[:1]).meetings == []
    strangers = [replace(result, fixture=replace(result.fixture, seats=("a", "b"))) for result in results]
    assert standings(one, strangers).meetings == []


def test_without_its_library_the_standings_have_no_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    one = duel(4)
    results = [Result(f, (), (0, 0), (2,)) for f in one.fixtures()]
    assert standings(one, results).ratings
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(MissingExtra, match=r"pip install 'quet\[arena\]'"):
        check_ratings()
    found = standings(one, results)
    assert found.ratings == {}
    assert found.meetings
