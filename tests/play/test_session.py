"""Sessions: seats, undo and redo, clocks."""

import threading
from datetime import date

import pytest

import quet
from quet.play.clock import Clock
from quet.play.session import Seat, Session, seat
from quet.players.levels import LevelPlayer


class Hand:
    """A clock's source of time that tests turn by hand."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_seats_not_given_are_persons() -> None:
    assert [s.computer for s in Session(quet.new("blob")).seats] == ["", ""]
    assert len(Session(quet.new("divisors-multiples", players=8)).seats) == 8


def test_more_seats_than_players_are_refused() -> None:
    with pytest.raises(quet.BadParameter, match="has 1 player here, not 2"):
        Session(quet.new("up-and-up"), [Seat(), Seat()])


def test_an_unknown_computer_player_is_refused() -> None:
    with pytest.raises(quet.BadParameter, match="There is no player 'nobody'; there is person, random,"):
        seat("nobody")


def test_a_whole_game_between_computer_players_is_the_same_for_the_same_seed(game_id: str) -> None:
    sizes: dict[str, dict[str, object]] = {"palindromes": {}, "divisors-multiples": {"r": 8, "players": 3}}

    def moves() -> list[str]:
        game = quet.new(game_id, **sizes.get(game_id, {"n": 3}))
        session = Session(game, [seat("random")] * game.num_players, seed=4)
        while not session.is_over:
            session.play_computer()
        assert session.winners
        return session.game.moves

    assert moves() == moves()


def test_computer_players_of_one_seed_choose_each_by_themselves() -> None:
    """Else both would play at random by the same numbers: for each move of one the other would have the like."""
    session = Session(quet.new("palindromes", m=30), [seat("random"), seat("random")], seed=3)
    for _ in range(8):
        session.play_computer()
    record = quet.match(quet.new("palindromes", m=30), "random", seed=3)
    for moves in (session.game.moves, record.game.moves):
        game, places = quet.new("palindromes", m=30), list[float]()
        for move in moves[:8]:
            legal = list(game.legal_moves)
            places.append(legal.index(move) / len(legal))
            game.play(move)
        pairs = list(zip(places[::2], places[1::2], strict=True))
        assert any(abs(first - second) > 0.1 for first, second in pairs)


def test_undo_goes_back_to_where_a_person_moves_and_redo_forward_again() -> None:
    session = Session(quet.new("palindromes", m=8), [Seat("Ann"), seat("random")], seed=1)
    for square in (1, 2):
        free = [m for m in session.game.legal_moves if m.endswith("=1")]
        session.play(free[square])
        session.play_computer()
    played = session.game.moves
    assert session.undo() == played[2:]
    assert session.undo() == played[:2]
    assert session.match.plies == ()
    with pytest.raises(quet.IllegalMove, match="no move to take back"):
        session.undo()
    assert session.redo() == played[:2]
    assert session.redo() == played[2:]
    assert session.match.taken_back == ()
    with pytest.raises(quet.IllegalMove, match="no move to play again"):
        session.redo()


def test_undo_takes_back_the_moves_of_several_computer_players() -> None:
    game = quet.new("divisors-multiples", r=12, players=3)
    session = Session(game, [Seat("Ann"), seat("random"), seat("random")], seed=3)
    session.play("2!")
    while session.is_computer_to_move:
        session.play_computer()
    session.undo()
    assert session.game.moves == []


def test_undo_takes_back_the_opening_of_several_computer_players_before_ones_first_move() -> None:
    session = Session(quet.new("divisors-multiples", r=12, players=3), [seat("random"), seat("random")], seed=3)
    while session.is_computer_to_move:
        session.play_computer()
    played = session.game.moves
    assert session.mover == 3 and len(played) > 1
    assert session.undo() == played and session.redo() == played


def test_a_new_move_forgets_what_was_taken_back() -> None:
    session = Session(quet.new("palindromes", m=4))
    session.play("1=0")
    session.undo()
    session.play("2=0")
    assert session.match.taken_back == ()


def test_a_refused_move_keeps_what_was_taken_back() -> None:
    session = Session(quet.new("palindromes", m=4))
    session.play("1=0")
    session.play("2=0")
    session.undo()
    with pytest.raises(quet.IllegalMove):
        session.play("1=1")
    assert session.redo() == ["2=0"]


def test_only_the_movers_clock_runs_and_a_move_adds_the_increment() -> None:
    hand = Hand()
    clock = Clock(60, 5)
    session = Session(quet.new("palindromes", m=4), clock=clock, now=hand)
    hand.seconds = 10
    assert (session.clock_left(1), session.clock_left(2)) == (50, 60)
    session.play("1=0")
    assert (session.clock_left(1), session.clock_left(2)) == (55, 60)
    hand.seconds = 30
    assert (session.clock_left(1), session.clock_left(2)) == (55, 40)


def test_a_turn_of_several_moves_is_on_one_clock() -> None:
    hand = Hand()
    clock = Clock(60)
    session = Session(quet.new("divisors-multiples", r=12), clock=clock, now=hand)
    session.play("2")
    hand.seconds = 7
    assert (session.clock_left(1), session.clock_left(2)) == (53, 60)


def test_whose_time_runs_out_has_lost_and_no_move_is_taken_any_more() -> None:
    hand = Hand()
    session = Session(quet.new("palindromes", m=4), clock=Clock(60), now=hand)
    session.play("1=0")
    hand.seconds = 61
    assert session.is_over
    assert session.mover is None
    assert session.match.out_of_time == 2
    assert session.clock_left(2) == 0
    assert session.winners == [1]
    for act in (lambda: session.play("2=0"), session.undo):
        with pytest.raises(quet.IllegalMove, match="The game is over: the time of player 2 has run out"):
            act()
    assert session.game.moves == ["1=0"]


def test_time_that_runs_out_in_a_solitaire_has_no_winner() -> None:
    hand = Hand()
    session = Session(quet.new("up-and-up", n=3), clock=Clock(5), now=hand)
    hand.seconds = 6
    assert session.is_over
    assert session.winners == []


def test_the_clock_stops_with_the_game() -> None:
    hand = Hand()
    clock = Clock(60)
    session = Session(quet.new("palindromes", m=1), clock=clock, now=hand)
    hand.seconds = 10
    session.play("1=0")
    hand.seconds = 100
    assert session.is_over
    assert session.clock_left(1) == 50
    assert session.match.out_of_time is None
    assert session.winners == [1, 2]


def test_a_typed_move_may_have_capitals_and_blanks() -> None:
    session = Session(quet.new("blob", n=4))
    assert session.play_typed("  C 3\t") == "c3"
    with pytest.raises(quet.UnreadableMove, match="'c3 c4'"):  # as it was typed
        session.play_typed("c3 c4")
    with pytest.raises(quet.IllegalMove, match="c3 is filled already"):
        session.play_typed("C3")
    assert session.game.moves == ["c3"]


def test_a_computers_choice_is_about_the_position_in_which_it_was_asked_for() -> None:
    session = Session(quet.new("palindromes", m=1), [seat("random"), Seat()], seed=1)
    choose = session.computer_choice()
    session.play("1=0")
    assert choose().move in ("1=0", "1=1")
    assert session.game.moves == ["1=0"]
    with pytest.raises(quet.IllegalMove, match="No computer player is to move"):
        session.computer_choice()


def test_a_session_is_resumed_from_its_record_with_its_seats_and_tags() -> None:
    session = Session(quet.new("palindromes", m=4), [Seat("Ann"), seat("random")], seed=1)
    session.play("1=0")
    text = session.record.text().replace("[Player1", '[Event "at home"]\n[Player1')
    resumed = Session.resume(quet.read(text))
    assert resumed.seats == session.seats
    assert resumed.is_computer_to_move
    assert resumed.record.text() == text


def test_a_game_from_a_file_goes_on_with_the_clock_the_seed_and_the_memory_of_the_table() -> None:
    hand = Hand()
    record = quet.read(Session(quet.new("palindromes", m=12), [Seat(), seat("level:1")]).record.text())
    table = Session(quet.new("blob", n=3), clock=Clock(60, 5), seed=4, memory=32 << 20, now=hand)
    assert table.clocks_anew == ""
    hand.seconds = 20
    another = table.another(record)
    assert (another.clock, another.clocks_anew) == (table.clock, "The clocks begin anew: a file keeps none.")
    hand.seconds = 30
    assert (another.clock_left(1), another.clock_left(2)) == (50, 60)
    computer = another._computers[2]
    assert isinstance(computer, LevelPlayer) and computer._memory == 32 << 20

    def moves(seed: int) -> list[str]:
        """The first moves of two computer players that choose at random."""
        names = {"Player1": "random", "Player2": "random"}
        record = quet.Record.of(quet.new("palindromes", m=12), tags=names)
        session = Session(quet.new("blob"), seed=seed).another(record)
        for _ in range(6):
            session.play_computer()
        return session.game.moves

    assert moves(4) == moves(4) != moves(5)


def test_a_finished_game_from_a_file_says_nothing_of_clocks() -> None:
    ended = Session(quet.new("palindromes", m=4))
    ended.resign()
    table = Session(quet.new("blob", n=3), clock=Clock(60))
    assert table.another(ended.record).clocks_anew == ""
    assert Session(quet.new("blob", n=3)).another(Session(quet.new("blob")).record).clocks_anew == ""


def test_what_a_file_says_of_moves_that_stand_is_saved_again() -> None:
    game = quet.new("palindromes", m=4)
    for move in ("1=0", "2=0", "4=1"):
        game.play(move)
    kept, later = quet.Variation(2, ("4=0",), {2: ["better"]}), quet.Variation(3, ("3=0",))
    comments: dict[int, str | list[str]] = {0: "a cold day", 1: ["quiet", "or not"], 2: "a pair", 3: "the end"}
    record = quet.Record.of(game, comments=comments, variations=[kept, later, quet.Variation(4, ("3=1",))])
    session = Session.resume(quet.read(record.text()))
    assert (session.record.comments, session.record.variations) == (record.comments, record.variations)
    session.play("3=0")
    assert session.record.comments == record.comments
    session.undo()
    session.undo()
    assert list(session.record.variations) == [kept, later] and max(session.record.comments) == 2
    session.play("3=1")
    assert list(session.record.variations) == [kept, later] and max(session.record.comments) == 2
    session.undo()
    session.undo()
    assert list(session.record.variations) == [kept] and session.record.comments == {
        0: ["a cold day"],
        1: ["quiet", "or not"],
    }
    assert quet.read(session.record.text()).comments == session.record.comments


def test_the_record_of_a_session_has_the_date_on_which_it_began() -> None:
    session = Session(quet.new("palindromes", m=4))
    assert session.record.tags["Date"] == date.today().isoformat()
    text = session.record.text().replace(session.record.tags["Date"], "1999-12-31")
    assert Session.resume(quet.read(text)).record.text() == text


def test_a_game_that_ended_by_the_clock_stays_ended_in_its_record() -> None:
    hand = Hand()
    session = Session(quet.new("palindromes", m=4), clock=Clock(60), now=hand)
    session.play("1=0")
    session.play("2=0")
    session.undo()
    hand.seconds = 61
    assert session.record.summary == "Player 1 wins: the time of player 2 has run out."
    resumed = Session.resume(quet.read(session.record.text()))
    for ended in (session, resumed):
        assert (ended.is_over, ended.mover, ended.winners) == (True, None, [1])
        for act in (lambda ended=ended: ended.play("2=0"), ended.undo, ended.redo):
            with pytest.raises(quet.IllegalMove, match="The game is over: the time of player 2 has run out"):
                act()


def test_who_is_out_of_the_game_neither_resigns_nor_is_asked_and_no_offer_asks_a_computer_that_is_out() -> None:
    game = quet.new("convoluted-coprimality", n=5, players=3)
    for move in "b5 c5 d5 e5 e4 d4 c4 b4 a4 a3 a2 a1 b1 b2".split():  # the last one puts player 1 out
        game.play(move)
    session = Session(game)
    assert session.resign() == 2 and session.winners == [3]
    assert session.verdict == "Player 3 wins: player 2 resigned."
    session = Session(game, [seat("random")])
    assert session.offer_draw() and session.asked == (3,)
    session.answer_draw(agrees=True)
    assert session.winners == [2, 3]
    session = Session(game, [Seat(), seat("random"), seat("random")], seed=1)
    for refused in (session.resign, session.offer_draw):
        with pytest.raises(quet.IllegalMove, match="You are out of the game already"):
            refused()
    assert session.undo() == ["b2"] and session.mover == 1  # who is out may still take back


class Slow:
    """A computer player who thinks until it is stopped, and notes how many of its searches run at once."""

    stand_in = how = expects = ""

    def __init__(self) -> None:
        self.running, self.most = 0, 0

    def choose(self, game: quet.Game, *, stop: threading.Event | None = None) -> str:
        self.running += 1
        self.most = max(self.most, self.running)
        assert stop is not None and stop.wait(10.0)
        self.running -= 1
        return game.legal_moves[0]


def test_a_computer_player_is_asked_by_one_thread_at_a_time_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow()
    monkeypatch.setattr("quet.play.session.player", lambda *_, **__: slow)
    session = Session(quet.new("palindromes", m=4), [seat("level:7"), Seat()])
    stops = [threading.Event(), threading.Event()]
    threads = [threading.Thread(target=session.computer_choice(stop)) for stop in stops]
    for thread in threads:
        thread.start()
    stops[1].set()  # whoever waits stays behind the one who thinks
    threads[1].join(0.2)
    stops[0].set()
    for thread in threads:
        thread.join(10.0)
        assert not thread.is_alive()
    assert slow.most == 1
