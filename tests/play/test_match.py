"""One game in progress: a fold over events, whoever brings them."""

import random
from collections.abc import Callable
from dataclasses import replace
from unittest.mock import Mock

import pytest

import quet
from quet.core.errors import IllegalMove, MoveError, NotYourTurn
from quet.play.clock import Clock, Times
from quet.play.events import (
    Accepted,
    Begun,
    CalledOff,
    Event,
    Moved,
    Offered,
    PlayedAgain,
    Resigned,
    TimeFell,
    TookBack,
)
from quet.play.match import Match, Offer
from quet.records.record import Termination

CLOCKS = [
    None,
    Clock(60.0, 5.0),
    Clock(60.0, 5.0, first_move=300.0, runs_for_computers=False),
    Clock(600.0, is_per_move=True, runs_for_computers=False),
]


def played(match: Match, *moves: str, at: float = 0.0) -> Match:
    """The match after these moves, whoever's turn it is."""
    for move in moves:
        match = match.after(match.move(list(match.game.players), move, at))
    return match


def told(match: Match) -> list[object]:
    """Everything that a match is."""
    parts = [match.game.moves, match.plies, match.taken_back, match.offer, match.refused, match.termination]
    return [*parts, match.times, match.deadline, match.mover, match.out_of_time]


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_match_is_a_fold_over_its_events_and_never_changes(clock: Clock | None) -> None:
    chance = random.Random(5)
    game = quet.new("divisors-multiples", r=12, players=3)
    for _ in range(30):
        events: list[Event] = [Begun(1.0)]
        match = Match.of(game, events, clock=clock, computers=[3])
        steps = [(match, told(match))]
        now = 1.0
        while not match.is_over and len(events) < 60:
            now += chance.choice((0.5, 10.0, 40.0))
            held = [chance.choice((1, 2))]
            event: Event | None = match.time_fallen(now)
            try:
                if event is None and match.mover == 3:
                    event = match.computer_move(chance.choice(list(match.game.legal_moves)), now)
                elif event is None:
                    ways = ("move", "move", "move", "undo", "redo", "draw", "accept", "decline", "alone")
                    match chance.choice(ways):
                        case "move":
                            event = match.move([1, 2], chance.choice(list(match.game.legal_moves)), now)
                        case "undo":
                            event = match.undo(held, now)
                        case "alone":
                            event = TookBack(now, match.mover, min(1, len(match.plies)))
                        case "redo":
                            event = match.redo(now)
                        case "draw":
                            event = match.offer_draw(held, now)
                        case "accept":
                            event = match.accept(held, now)
                        case _:
                            event = match.decline(held, now)
            except (IllegalMove, NotYourTurn):
                continue
            events.append(event)
            match = match.after(event)
            steps.append((match, told(match)))
        assert told(Match.of(game, events, clock=clock, computers=[3])) == told(match)
        assert all(told(step) == before for step, before in steps)
    assert game.moves == []


def test_a_move_is_read_and_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.of(quet.new("palindromes", m=4), [Begun(0.0)])
    rules = match.game.rules
    read, broken = Mock(wraps=rules.read_move), Mock(wraps=rules.broken_rule)
    monkeypatch.setattr(rules, "read_move", read)
    monkeypatch.setattr(rules, "broken_rule", broken)
    match = match.after(match.move([1], "1=0", 0.0))
    assert (match.game.moves, read.call_count, broken.call_count) == (["1=0"], 1, 1)


def test_nothing_is_played_before_a_match_begins_nor_after_it_was_called_off() -> None:
    waiting = Match.of(quet.new("palindromes", m=4), clock=Clock(60.0))
    assert (waiting.mover, waiting.deadline, waiting.is_over) == (None, None, False)
    with pytest.raises(NotYourTurn, match="has not begun"):
        waiting.check_playing()
    off = waiting.after(CalledOff(9.0, None))
    assert off.is_over and off.winners == []
    with pytest.raises(IllegalMove, match="The game is over: the game was called off"):
        off.check_playing()


def test_what_was_taken_back_is_played_again_by_the_players_who_played_it() -> None:
    match = played(Match.of(quet.new("divisors-multiples", r=12), [Begun(0.0)]), "2", "2!")
    back = match.after(match.undo([1, 2], 0.0)).after(TookBack(0.0, None, 1))
    assert (back.plies, back.taken_back) == ((), ((1, "2"), (1, "2!")))
    assert back.after(PlayedAgain(0.0, None, 2)).plies == match.plies


def test_a_match_goes_on_from_a_game_in_which_moves_were_played() -> None:
    game = quet.new("palindromes", m=4)
    game.play("1=0")
    match = Match.of(game, [Begun(0.0)])
    assert match.plies == ((1, "1=0"),) and match.mover == 2
    assert match.after(match.undo([1, 2], 0.0)).game.moves == [] and game.moves == ["1=0"]


def test_who_takes_back_alone_pays_for_the_time_and_has_the_increment_only_while_the_move_stands() -> None:
    match = played(Match.of(quet.new("up-and-up", n=3), [Begun(0.0)], clock=Clock(60.0, 5.0)), "a1")
    back = match.after(match.undo([1], at=10.0))
    assert (match.clock_left(1, 0.0), back.clock_left(1, 10.0)) == (65.0, 50.0)
    assert back.after(back.redo(at=20.0)).clock_left(1, 20.0) == 45.0


def test_nobody_loses_by_taking_back_nor_gains_time_again_and_again() -> None:
    times = Times(Clock(60.0, 10.0), (15.0, 4.0), 0.0)
    once = times.with_increments([1, 2], -1)
    assert once.left == (10.0, 4.0)
    for _ in range(5):
        times = times.with_increments([1, 2], -1).with_increments([1, 2], 1)
    assert times.left == (20.0, 20.0)
    assert times.with_increments([1, 1, 1], -1).left == (10.0, 20.0)


def test_times_are_at_least_zero_and_only_the_movers_run() -> None:
    times = Times.at_start(Clock(60.0, 5.0), 2, (), at=100.0)
    assert times.seconds_left(1, 130.0, is_mover=True) == 30.0
    assert times.seconds_left(2, 130.0, is_mover=False) == 60.0
    assert times.after_move(1, at=200.0).left == (5.0, 60.0)
    assert times.deadline(1) == 160.0


def test_taking_back_by_agreement_costs_nobody_the_time_of_the_talk() -> None:
    match = played(Match.of(quet.new("palindromes", m=4), [Begun(0.0)], clock=Clock(60.0)), "1=0", at=10.0)
    asked = match.after(match.undo([1], at=20.0))
    agreed = asked.after(asked.accept([2], at=40.0))
    assert (agreed.game.moves, agreed.clock_left(1, 40.0), agreed.clock_left(2, 40.0)) == ([], 50.0, 60.0)


@pytest.mark.parametrize("is_per_move", [False, True])
def test_the_clocks_stand_where_they_were_when_a_match_ended_before_its_rules_ended_it(is_per_move: bool) -> None:
    clock = Clock(60.0, 5.0, is_per_move=is_per_move)
    start = Match.of(quet.new("palindromes", m=4), [Begun(0.0)], clock=clock)
    match = played(start, "1=0", at=10.0)
    left = 60.0 if is_per_move else 55.0  # of player 1, who waits
    agreed: list[Event] = [Offered(15.0, 1, "draw", (2,)), Accepted(30.0, (2,))]
    for last, of_the_mover in (
        ([Resigned(30.0, 2)], 40.0),
        ([Resigned(30.0, 1)], 40.0),
        (agreed, 40.0),
        ([TimeFell(70.0, 2)], 0.0),
    ):
        over = Match.of(start.game, [Begun(0.0), Moved(10.0, 1, "1=0"), *last], clock=clock)
        assert over.is_over and [over.clock_left(player, 99.0) for player in (1, 2)] == [left, of_the_mover]
    assert match.ended("enough", 30.0).clock_left(2, 99.0) == 40.0
    slow = Match.of(quet.new("palindromes", m=4), [Begun(0.0)], clock=Clock(60.0, first_move=300.0))
    assert slow.clock_left(1, 299.0) == 60.0
    assert slow.after(TimeFell(300.0, 1)).clock_left(1, 301.0) == 0.0


def test_the_first_turn_begins_when_all_seats_are_taken() -> None:
    waiting = Match.of(quet.new("palindromes", m=4), clock=Clock(60.0))
    begun = waiting.after(Begun(100.0))
    assert (waiting.clock_left(1, 130.0), begun.clock_left(1, 130.0), begun.deadline) == (60.0, 30.0, 160.0)


def test_a_clock_that_runs_for_computers_runs_for_them_and_other_clocks_do_not() -> None:
    times = Times.at_start(Clock(60.0), 2, [2], at=100.0)
    assert (times.deadline(2), times.seconds_left(2, 130.0, is_mover=True)) == (160.0, 30.0)
    times = Times.at_start(Clock(60.0, runs_for_computers=False), 2, [2], at=100.0)
    assert (times.deadline(2), times.seconds_left(2, 130.0, is_mover=True)) == (None, 60.0)


def test_a_first_move_that_costs_nothing_may_take_the_whole_time_if_that_is_longer() -> None:
    for seconds, first_move, deadline in ((60.0, 300.0, 300.0), (600.0, 300.0, 600.0), (0.5, 0.0, 0.5)):
        assert Times.at_start(Clock(seconds, first_move=first_move), 2, (), at=0.0).deadline(1) == deadline


def test_time_that_is_used_up_is_nothing_and_not_less() -> None:
    times = Times.at_start(Clock(60.0, 5.0), 2, (), at=0.0)
    assert times.after_turn(1, at=59.5).left == (0.5, 60.0)
    assert times.after_turn(1, at=90.0).left == (0.0, 60.0)


def test_who_moved_in_the_place_of_a_computer_player_is_kept_by_ply() -> None:
    match = played(Match.of(quet.new("palindromes", m=4), [Begun(0.0)], computers=[2]), "1=0")
    chosen = match.after(match.computer_move("2=0", 1.0, "level:1"))
    assert [chosen.stand_in(ply) for ply in (1, 2, 3)] == ["", "level:1", ""]
    back = chosen.after(chosen.undo([1], 2.0))
    assert back.after(back.redo(3.0)).stand_in(2) == "level:1"
    assert played(chosen, "3=0").stand_in(2) == "level:1"
    again = played(back, "1=1")
    assert again.after(again.computer_move("2=0", 4.0)).stand_in(2) == ""


def test_a_draw_is_offered_to_another_person_or_by_one_who_plays_for_all() -> None:
    two, three = quet.new("palindromes", m=4), quet.new("divisors-multiples", r=12, players=3)
    assert not Match.of(quet.new("up-and-up", n=3)).can_offer_draw([1])
    assert Match.of(two).can_offer_draw([1]) and Match.of(two).can_offer_draw([1, 2])
    assert not Match.of(two, computers=[2]).can_offer_draw([1])
    assert Match.of(three, computers=[3]).can_offer_draw([1])
    assert not Match.of(three, computers=[3]).can_offer_draw([1, 2])


def test_computer_players_are_asked_for_a_draw_where_they_can_answer() -> None:
    match = Match.of(quet.new("divisors-multiples", r=12, players=4), [Begun(0.0)], computers=[3, 1])
    assert match.offer_draw([2], 1.0).asked == (4,)
    assert match.offer_draw([2], 1.0, asks_computers=True).asked == (4, 1, 3)


def test_a_person_at_several_seats_acts_for_the_player_to_move_and_else_for_the_first() -> None:
    match = Match.of(quet.new("divisors-multiples", r=12, players=3), [Begun(0.0)])
    assert (match.speaker([3, 1]), match.speaker([3, 2])) == (1, 3)
    assert (match.offer_draw([3, 1], 0.0).player, match.resign([3, 2], 0.0).player) == (1, 3)


def test_moves_are_played_again_until_a_person_is_to_move_and_their_player_pays_for_the_time() -> None:
    match = played(Match.of(quet.new("palindromes", m=4), [Begun(0.0)], computers=[2]), "1=0")
    back = match.after(match.undo([1], 1.0))
    assert back.redo(2.0) == PlayedAgain(2.0, 1, 1)  # then the computer player moves anew
    match = match.after(match.computer_move("2=0", 1.0))
    back = match.after(match.undo([1], 2.0))
    assert back.redo(3.0) == PlayedAgain(3.0, 1, 2)


def test_what_cannot_be_done_is_refused_with_a_sentence_that_says_why() -> None:
    two = Match.of(quet.new("palindromes", m=2), [Begun(0.0)])
    over, asked = played(two, "1=0", "2=0"), two.after(two.offer_draw([1], 0.0))
    declined = asked.after(asked.decline([2], 0.0))
    alone = Match.of(quet.new("up-and-up", n=3), [Begun(0.0)])
    against = Match.of(quet.new("palindromes", m=2), [Begun(0.0)], computers=[2])
    refusals: list[tuple[Callable[[], object], str]] = [
        (over.check_playing, "The game is over."),
        (two.after(CalledOff(0.0, None)).check_playing, "The game is over: the game was called off."),
        (Match.of(quet.new("palindromes", m=2)).check_playing, "The game has not begun: a seat is still free."),
        (lambda: two.check_turn([2]), "It is not your turn."),
        (lambda: played(against, "1=0").check_turn([1]), "It is the computer's turn."),
        (two.check_computers_turn, "No computer player is to move."),
        (lambda: two.undo([1], 0.0), "There is no move of yours to take back."),
        (lambda: two.redo(0.0), "There is no move to play again."),
        (lambda: alone.offer_draw([1], 0.0), "A game for one has no draw."),
        (lambda: against.offer_draw([1], 0.0), "The computer agrees to no draw."),
        (lambda: asked.offer_draw([1], 0.0), "There is an offer already that waits for an answer."),
        (lambda: declined.offer_draw([1], 0.0), "This was declined; it can be offered again after the next move."),
        (lambda: two.accept([1], 0.0), "There is no offer for you to answer."),
        (lambda: asked.accept([1], 0.0), "There is no offer for you to answer."),
    ]
    for refused, sentence in refusals:
        with pytest.raises(MoveError) as caught:
            refused()
        assert str(caught.value) == sentence


def test_who_plays_moves_again_pays_for_the_time() -> None:
    match = played(Match.of(quet.new("up-and-up", n=3), [Begun(0.0)], clock=Clock(60.0)), "a1")
    back = match.after(TookBack(10.0, None, 1))
    for payer, left in ((1, 40.0), (None, 60.0)):
        again = back.after(PlayedAgain(30.0, payer, 1))
        assert (again.clock_left(1, 30.0), again.deadline) == (left, 30.0 + left)


def test_taking_back_that_nobody_has_to_agree_to_happens_at_once() -> None:
    match = played(Match.of(quet.new("palindromes", m=4), [Begun(0.0)], clock=Clock(60.0)), "1=0", at=10.0)
    back = match.after(Offered(30.0, 1, "undo", ()))
    assert (back.game.moves, back.offer, back.deadline) == ([], None, 80.0)


def test_what_was_declined_can_be_offered_again_after_a_move_was_taken_back() -> None:
    match = played(Match.of(quet.new("palindromes", m=4), [Begun(0.0)]), "1=0")
    match = match.after(match.offer_draw([2], 0.0)).after(match.after(match.offer_draw([2], 0.0)).decline([1], 0.0))
    assert match.refused == {("draw", 2)}
    assert match.after(TookBack(0.0, None, 1)).offer_draw([2], 0.0).kind == "draw"


def test_a_move_that_is_played_again_counts_as_a_move_for_offers() -> None:
    match = played(Match.of(quet.new("palindromes", m=4), [Begun(0.0)]), "1=0", "2=0")
    match = match.after(TookBack(0.0, None, 2))
    offered = match.after(match.offer_draw([2], 0.0))
    assert offered.after(PlayedAgain(0.0, None, 2)).offer is None  # player 1, who is asked, has moved
    declined = offered.after(offered.decline([1], 0.0))
    assert declined.after(PlayedAgain(0.0, None, 1)).offer_draw([2], 0.0).kind == "draw"
    own = match.after(match.offer_draw([1], 0.0))
    assert own.offer is not None and own.after(PlayedAgain(0.0, None, 1)).offer == own.offer


def test_a_move_of_an_event_is_read_where_its_number_is_not_known() -> None:
    match = Match.of(quet.new("palindromes", m=4), [Begun(0.0), Moved(1.0, 1, "1=0")], clock=Clock(60.0))
    after = match.after(Moved(11.0, 2, "2=0"))
    assert (after.game.moves, after.plies) == (["1=0", "2=0"], ((1, "1=0"), (2, "2=0")))
    assert after.clock_left(2, 11.0) == 50.0
    early = Match.of(quet.new("palindromes", m=4), [Moved(1.0, 1, "1=0")])  # though nobody has begun
    assert early.game.moves == ["1=0"]


def test_moves_that_stand_are_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    match = played(Match.of(quet.new("palindromes", m=6), [Begun(0.0)]), "1=0", "2=0", "3=0", "4=0")
    read = Mock(wraps=match.game.rules.read_move)
    monkeypatch.setattr(match.game.rules, "read_move", read)
    back = match.after(match.undo([1, 2], 0.0))
    assert (back.game.moves, read.call_count) == (["1=0", "2=0", "3=0"], 0)
    assert match.after(match.offer_draw([1], 0.0)).game is match.game


def test_a_game_goes_on_otherwise_from_moves_that_were_taken_back() -> None:
    game = quet.new("palindromes", m=4)
    game.play("1=0")
    match = Match.of(game, [Begun(0.0), TookBack(1.0, 1, 1), Moved(2.0, 1, "3=1")])
    assert (match.game.moves, match.plies) == (["3=1"], ((1, "3=1"),))


OUT = "b5 c5 d5 e5 e4 d4 c4 b4 a4 a3 a2 a1 b1 b2".split()  # the last one puts player 1 out; player 2 goes on


@pytest.mark.parametrize("computers", [(), (3,)])
def test_who_would_be_in_the_game_again_is_asked_before_moves_are_taken_back(computers: tuple[int, ...]) -> None:
    match = played(Match.of(quet.new("convoluted-coprimality", n=5, players=3), [Begun(0.0)]), *OUT)
    match = replace(match, computers=frozenset(computers))
    asked = (1,) if computers else (1, 3)
    assert match.asked_to_undo([2]) == asked
    offered = match.after(match.undo([2], 1.0))
    assert offered.offer == Offer("undo", 2, asked) and offered.game.players_in == [2, 3]
    agreed = offered.after(offered.accept(asked, 2.0))
    assert agreed.game.players_in == [1, 2, 3] and agreed.plies == match.plies[:-5]
    after_move = played(offered, match.game.legal_moves[0])  # who never answers holds nobody up
    assert after_move.offer is None
    assert after_move.asked_to_undo([2]) == (() if computers else (3,))  # player 1 stays out now
    assert match.asked_to_undo([1, 2]) == (() if computers else (3,))


@pytest.mark.parametrize("computers", [(), (3,)])
def test_who_is_out_of_the_game_does_not_end_it_and_shares_no_win(computers: tuple[int, ...]) -> None:
    start = Match.of(quet.new("convoluted-coprimality", n=5, players=3), [Begun(0.0)], clock=Clock(60.0))
    moves = [Moved(0.0, *ply) for ply in played(start, *OUT).plies]
    match = Match.of(start.game, [Begun(0.0), *moves], computers=computers, clock=Clock(60.0))
    assert (match.mover, match.game.players_in, match.is_in([1]), match.is_in([1, 3])) == (2, [2, 3], False, True)
    assert match.others([2]) == (() if computers else (3,))
    assert (match.can_offer_draw([1]), match.can_offer_draw([2])) == (False, not computers)
    assert match.offer_draw([2], 0.0, asks_computers=True).asked == (3,)
    for refused in (match.resign, match.offer_draw):
        with pytest.raises(IllegalMove, match="You are out of the game already"):
            refused([1], 0.0)
    assert match.speaker([1, 3]) == 3
    for last, winners in (
        ([Resigned(1.0, 2)], [3]),
        ([TimeFell(60.0, 2)], [3]),
        ([Offered(1.0, 2, "draw", (3,)), Accepted(2.0, (3,))], [2, 3]),
        ([Resigned(1.0, 1)], [2, 3]),  # as it could be done once
        ([TookBack(1.0, 1, 1), Resigned(2.0, 2)], [1, 3]),
        ([CalledOff(1.0, None)], []),
    ):
        over = match
        for event in last:
            over = over.after(event)
        again = Match.of(start.game, [Begun(0.0), *moves, *last], computers=computers, clock=Clock(60.0))
        assert over.winners == again.winners == winners
    shared = match.ended("enough", 1.0)
    assert (shared.winners, shared.termination) == ([2, 3], Termination("enough", (2, 3)))


def test_a_match_that_had_ended_when_it_was_given_keeps_its_winners() -> None:
    game = quet.new("convoluted-coprimality", n=5, players=3)
    for move in OUT:
        game.play(move)
    assert Match.of(game, [Begun(0.0)], termination=Termination("player 2 resigned", (1, 3))).winners == [1, 3]
