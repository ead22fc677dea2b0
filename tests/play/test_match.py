"""One game in progress: a fold over events, whoever brings them."""

import random
from unittest.mock import Mock

import pytest

import quet
from quet.core.errors import IllegalMove, NotYourTurn
from quet.play.clock import Clock, Times
from quet.play.match import Begun, CalledOff, Event, Match, PlayedAgain, TookBack

CLOCKS = [
    None,
    Clock(60.0, 5.0),
    Clock(60.0, 5.0, first_move=300.0, runs_for_computers=False, keeps_increments=False),
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


def test_who_takes_back_alone_pays_for_the_time_and_keeps_the_increment_where_the_clock_says_so() -> None:
    for keeps, left in ((True, 55.0), (False, 50.0)):
        clock = Clock(60.0, 5.0, keeps_increments=keeps)
        match = played(Match.of(quet.new("up-and-up", n=3), [Begun(0.0)], clock=clock), "a1")
        back = match.after(match.undo([1], at=10.0))
        assert back.clock_left(1, now=10.0) == left


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


def test_the_first_turn_begins_when_all_seats_are_taken() -> None:
    waiting = Match.of(quet.new("palindromes", m=4), clock=Clock(60.0), at=0.0)
    begun = waiting.after(Begun(100.0))
    assert (waiting.clock_left(1, 130.0), begun.clock_left(1, 130.0), begun.deadline) == (60.0, 30.0, 160.0)
