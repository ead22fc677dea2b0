"""A game on the site as its rows tell it: clocks, undo, offers, and how it ends."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import quet
from quet import catalog
from quet.core.errors import IllegalMove, NotYourTurn, QuetError, UnreadableMove
from quet.core.messages import say
from quet.play.events import PlayedAgain
from quet.play.match import Match
from quet.web import i18n
from quet.web.errors import Gone, Missing, NotYourSeat
from quet.web.match import FIRST_MOVE_SECONDS, LONGEST_MOVE, SiteMatch, event_of, row_of
from quet.web.storage.schema import LONGEST_MESSAGE, GameRow, MoveRow, SeatRow, message_of, message_text
from quet.web.views import words
from quet.web.views.table import TableView

START = 1_000_000.0


def game_row(game: str = "palindromes", **values: object) -> GameRow:
    """The row of a game that was just created, with its default parameters but for `parameters`."""
    new = quet.new(game, **values.pop("parameters", {"m": "6"} if game == "palindromes" else {}))  # type: ignore[arg-type]
    row = GameRow(
        id="x" * 22,
        game=game,
        rules_version=new.rules.VERSION,
        parameters={name: str(value) for name, value in new.parameters.items()},
        num_players=new.num_players,
        is_public=False,
        clock="none",
        clock_seconds=0.0,
        clock_increment=0.0,
        seed=1,
        creator="ann",
        race=None,
        rematch=None,
        created_at=START,
    )
    return replace(row, **values)  # type: ignore[arg-type]


def begun(row: GameRow, *who: str) -> SiteMatch:
    """The game when it has begun between these: visitors, or `computer`."""
    seats = [
        SeatRow(
            player, name, computer="random" if name == "computer" else "", visitor=None if name == "computer" else name
        )
        for player, name in enumerate(who, 1)
    ]
    match = SiteMatch.of(row, seats, [])
    return match.begin(START)


def done(match: SiteMatch, *acts: str, now: float = START) -> SiteMatch:
    """The match after acts such as `ann 1=0`, `bob undo`, `computer 2=1`."""
    for act in acts:
        who, what = act.split(" ", 1)
        if who == "computer":
            match = match.computer_move(what, now)
        elif what in ("undo", "resign", "draw", "accept", "decline"):
            match = match.act(who, what, "", now)
        else:
            match = match.act(who, "move", what, now)
    return match


def same(match: SiteMatch) -> bool:
    """Whether the match is what its rows make when they are read again from the start."""
    again = SiteMatch.of(match.row, match.seats, match.rows)
    return (
        again.game.moves == match.game.moves
        and again.progress.plies == match.progress.plies
        and again.offer == match.offer
        and again.termination == match.termination
        and again.deadline == match.deadline
        and again.summary == match.summary
    )


def test_a_game_of_two_is_played_to_its_end() -> None:
    match = done(begun(game_row(parameters={"m": "2"}), "ann", "bob"), "ann 1=0", "bob 2=0")
    assert match.is_over and match.status == "over" and match.mover is None
    assert match.winners == [1] and match.termination is None
    assert match.record().result == "2-0"
    assert match.record().tags == {"Date": "1970-01-12", "Player1": "ann", "Player2": "bob"}
    assert same(match)


def test_a_game_waits_until_it_has_begun() -> None:
    match = SiteMatch.of(game_row(), [SeatRow(1, "ann", visitor="ann"), SeatRow(2, is_open=True)], [])
    assert match.status == "waiting" and match.mover is None and match.deadline is None
    with pytest.raises(NotYourTurn, match="has not begun"):
        match.act("ann", "move", "1=0", START)


def test_a_match_never_changes() -> None:
    before = begun(game_row(), "ann", "bob")
    after = done(before, "ann 1=0", "bob 2=0", "ann draw")
    assert before.game.moves == [] and before.num_rows == 1 and before.progress.plies == () and before.offer is None
    assert after.game.moves == ["1=0", "2=0"] and after.num_rows == 4


def test_nobody_moves_for_another() -> None:
    match = begun(game_row(), "ann", "bob")
    with pytest.raises(NotYourTurn):
        match.act("bob", "move", "1=0", START)
    for kind in ("move", "undo", "resign", "draw", "accept", "decline"):
        with pytest.raises(NotYourSeat):
            match.act("eve", kind, "1=0", START)


@pytest.mark.parametrize("text", ["7=0", "x", "", "1", "1=0" * 100, "\ud800", "1=0\n2=0"])
def test_a_move_that_cannot_be_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises((IllegalMove, UnreadableMove), match=r"\.$"):
        begun(game_row(), "ann", "bob").act("ann", "move", text, START)


def test_a_move_is_read_as_people_type_it_and_kept_as_it_is_written() -> None:
    match = begun(game_row("blob"), "ann", "bob")
    assert match.act("ann", "move", " C 3 ", START).rows[-1].text == "c3"


def test_the_mover_at_one_screen_moves_for_all() -> None:
    match = done(begun(game_row(), "ann", "ann"), "ann 1=0", "ann 2=0", "ann undo")
    assert match.game.moves == ["1=0"] and same(match)


def test_against_the_computer_undo_goes_back_to_the_persons_move() -> None:
    match = done(begun(game_row(), "ann", "computer"), "ann 1=0", "computer 2=0", "ann undo")
    assert match.game.moves == [] and match.mover == 1 and same(match)


def test_undo_while_the_computer_thinks_takes_the_persons_move_back() -> None:
    match = done(begun(game_row(), "ann", "computer"), "ann 1=0", "ann undo")
    assert match.game.moves == [] and match.mover == 1


def test_the_computers_opening_is_no_move_of_the_persons() -> None:
    match = done(begun(game_row(), "computer", "ann"), "computer 1=0")
    with pytest.raises(IllegalMove, match="no move of yours"):
        match.act("ann", "undo", "", START)


def test_undo_between_people_needs_agreement() -> None:
    asked = done(begun(game_row(), "ann", "bob"), "ann 1=0", "bob 2=0", "ann undo")
    assert asked.game.moves == ["1=0", "2=0"] and asked.offer is not None and asked.offer.asked == (2,)
    with pytest.raises(IllegalMove, match="no offer for you"):
        asked.act("ann", "accept", "", START)
    agreed = done(asked, "bob accept")
    assert agreed.game.moves == [] and agreed.offer is None and agreed.mover == 1 and same(agreed)
    declined = done(asked, "bob decline")
    assert declined.game.moves == ["1=0", "2=0"] and declined.offer is None and same(declined)
    with pytest.raises(IllegalMove, match="after the next move"):
        declined.act("ann", "undo", "", START)
    assert done(declined, "ann 3=0", "ann undo").offer is not None


def test_an_offer_of_a_draw_stands_until_somebody_moves_who_is_asked() -> None:
    match = done(begun(game_row(), "ann", "bob"), "ann draw", "ann 1=0")
    assert same(match) and done(match, "bob accept").winners == [1, 2]
    match = done(match, "bob 2=0")
    assert match.offer is None and same(match)
    with pytest.raises(IllegalMove, match="no offer"):
        match.act("bob", "accept", "", START)
    row = game_row("divisors-multiples", parameters={"r": "12", "players": "3"})
    match = done(begun(row, "ann", "bob", "cleo"), "ann 2!", "cleo draw", "ann accept", "bob 4!")
    assert match.offer is None and same(match)
    match = done(begun(row, "ann", "bob", "computer"), "ann draw", "ann 2!")
    assert match.offer is not None and same(match)


def test_a_move_takes_an_offer_off_where_it_ends_the_game_and_where_it_puts_its_player_out() -> None:
    match = done(begun(game_row(parameters={"m": "2"}), "ann", "bob"), "ann 1=0", "bob draw", "bob 2=0")
    assert match.is_over and match.offer is None and match.termination is None and same(match)
    row = game_row("convoluted-coprimality", parameters={"n": "5", "players": "3"})
    match = begun(row, "ann", "bob", "cleo")
    for move in "b5 c5 d5 e5 e4 d4 c4 b4 a4 a3 a2 a1 b1".split():
        match = done(match, f"{match.seat(match.mover or 0).visitor} {move}")
    match = done(match, "ann draw", "ann b2")
    assert match.progress.game.players_in == [2, 3] and match.offer is None and same(match)


def test_a_sign_is_said_in_words_and_scores_where_they_changed() -> None:
    match = done(begun(game_row("divisors-multiples", parameters={"r": "4"}), "ann", "bob"), "ann 2!")
    assert last_words(match) == "Ann played 2! (stop there). Scores: 2 and 0."
    assert words.row_words(done(match, "bob 4!"), match.rows[-1]) == "Ann played 2!."  # of older rows only this
    match = begun(game_row("plusses-minuses", parameters={"n": "3"}), "ann", "bob")
    assert last_words(done(match, "ann -")) == "Ann played \N{MINUS SIGN} (next column is lower)."
    with i18n.speaking("de"):
        german = "Ann hat \N{MINUS SIGN} (nächste Spalte tiefer) gespielt."
        assert last_words(done(match, "ann -")) == german


def test_a_move_that_is_a_word_is_told_with_what_it_does() -> None:
    match = done(begun(game_row("sums-grid", parameters={"n": "1"}), "ann"), "ann a1=1", "ann done")
    assert last_words(match).startswith("done (finish the grid) was played.")
    with i18n.speaking("de"):
        assert last_words(match).startswith("done (Gitter abschließen) wurde gespielt.")
        assert TableView(match, "ann", 0.0, "").moves[-1] == (2, 0, "done (Gitter abschließen)")


def test_the_scores_are_said_again_when_a_move_is_taken_back() -> None:
    match = done(begun(game_row("up-and-up", parameters={"n": "3"}), "ann"), "ann b3", "ann c3", "ann undo")
    assert last_words(match) == f"Ann took the last move back. Score: {match.game.scores[0]}."
    match = done(begun(game_row("divisors-multiples", parameters={"r": "6"}), "ann", "bob"), "ann 2!", "bob 4!")
    match = done(match, "bob undo", "ann accept")
    assert last_words(match) == "Ann agrees. Scores: 2 and 0."


def test_the_end_of_a_solitaire_is_told_in_proportion() -> None:
    match = done(begun(game_row("up-and-up", parameters={"n": "2"}), "ann"), "ann a1", "ann a2", "ann b2")
    assert last_words(match).startswith("b2 was played. Score: ")
    told = "b1 was played. The final score is 4. 4 of 4 possible (proven). No better score is possible."
    assert last_words(done(match, "ann b1")) == told


def test_whoever_missed_rows_is_told_each_as_those_were_who_missed_none() -> None:
    row = game_row("convoluted-coprimality", parameters={"n": "5", "players": "3"})
    match, told = begun(row, "ann", "bob", "ann"), list[str]()
    for move in "b5 c5 d5 e5 e4 d4 c4 b4 a4 a3 a2 a1 b1 b2".split():
        match = done(match, f"{match.seat(match.mover or 0).visitor} {move}")
        told.append(last_words(match))
    match = done(match, "bob draw")
    assert told[0] == "Player 1 played b5." and told[-1].count("is out of the game") == 1
    assert words.news(match, match.num_rows) == words.news(match, 10_000) == ""
    assert words.news(match, match.num_rows - 9) == " ".join([*told[-8:], "Bob offers a draw."])
    assert words.news(match, 1) == " ".join(["Of 15 changes the last 10:", *told[-9:], "Bob offers a draw."])
    assert words.news(match, 0).startswith("Of 16 changes the last 10: ")


def test_of_moves_that_were_taken_back_no_scores_are_told() -> None:
    match = done(begun(game_row("divisors-multiples", parameters={"r": "6"}), "ann", "bob"), "ann 2!", "bob 4!")
    match = done(match, "bob undo", "ann accept", "bob 6!")
    told = "Ann played 2!. Bob played 4!. Bob asks to take back. Ann agrees. Bob played 6! (stop there)."
    assert words.news(match, 1) == f"{told} Scores: 2 and 3."


def test_requests_of_before_are_told_without_playing_the_game_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream of events tells thousands of rows."""
    match = begun(game_row(), "ann", "bob")
    match = done(match, "ann 1=0", "bob 2=0", "bob undo", "ann accept", "bob 2=0", "bob draw", "ann accept")
    monkeypatch.setattr(SiteMatch, "of", None)
    monkeypatch.setattr(Match, "undo_count", None)
    told = [words.row_words(match, row) for row in match.rows[:-1]]
    assert told[3:5] == ["Bob asks to take back.", "Ann agrees."] and told[6] == "Bob offers a draw."


def test_of_players_who_share_a_name_the_number_says_whose_turn_it_is() -> None:
    row = game_row("convoluted-coprimality", parameters={"n": "5", "players": "3"})
    match = begun(row, "computer", "computer", "ann")
    assert words.turn(match, "ann") == "Player 1 is thinking"
    match = done(match, "computer b5")
    assert words.turn(match, "ann") == words.turn(match, "a watcher") == "Player 2 is thinking"
    match = begun(row, "ann", "bob", "computer")
    assert words.turn(match, "bob") == "Ann is to move."


def last_words(match: SiteMatch) -> str:
    """What is said of the last row."""
    return words.row_words(match, match.rows[-1])


def test_it_is_said_who_is_out_of_the_game() -> None:
    row = game_row("convoluted-coprimality", parameters={"n": "5", "players": "3"})
    match = begun(row, "ann", "bob", "cleo")
    for move in "b5 c5 d5 e5 e4 d4 c4 b4 a4 a3 a2 a1 b1".split():
        match = done(match, f"{match.seat(match.mover or 0).visitor} {move}")
    assert last_words(match) == "Ann played b1."
    match = done(match, "ann b2")
    why = "eliminated: wrote 15 beside 12, in b2"
    assert last_words(match) == f"Ann played b2. Ann is out of the game – {why}. Scores: ann: 0."
    assert words.turn(match, "ann") == "You are out of the game. Bob is to move."
    assert words.turn(match, "cleo") == words.turn(match, "a watcher") == "Bob is to move."
    later = done(match, f"bob {match.game.legal_moves[0]}")
    assert "out of the game" not in last_words(later)
    assert words.turn(later, "ann").startswith("You are out of the game.")


def test_who_agrees_to_take_back_is_told_how_far_and_who_would_be_in_again() -> None:
    row = game_row("convoluted-coprimality", parameters={"n": "5", "players": "3"})
    match = begun(row, "ann", "bob", "cleo")
    for move in "b5 c5 d5 e5 e4 d4 c4 b4 a4 a3 a2 a1 b1 b2".split():
        match = done(match, f"{match.seat(match.mover or 0).visitor} {move}")
    for _ in range(2):
        match = done(match, f"{match.seat(match.mover or 0).visitor} {match.game.legal_moves[0]}")
    match = done(match, "ann undo")
    then = "the last 3 moves back. Ann would be in the game again."
    assert last_words(match) == f"Ann asks to take {then}"
    told = [TableView(match, who, START, "").offer for who in ("ann", "bob", "a watcher")]
    assert told == [f"You asked to take {then}", *[f"Ann asks to take {then}"] * 2]
    match = done(match, "bob accept")
    assert match.offer is not None and last_words(match) == "Bob agrees."  # and nothing has been taken back yet
    match = done(match, "cleo accept")
    assert match.game.ply == 13 and 1 in match.game.players_in
    assert words.news(match, match.num_rows - 3) == f"Ann asks to take back. Bob agrees. {last_words(match)}"
    against = done(begun(game_row(), "ann", "computer"), "ann 1=0", "computer 2=0", "ann undo")
    assert last_words(against) == "Ann took the last 2 moves back."


def test_with_an_earlier_board_stand_its_scores_and_what_makes_them_up() -> None:
    match = begun(game_row("blob", parameters={"n": "5"}), "ann", "ann")
    match = done(match, *(f"ann {move}" for move in "b2 b3 c3 c4 d4 d3 e4 e5 a2".split()))
    for at in (2, 8, None):
        shown, then = TableView(match, "ann", START, "", at=at), match.game.at(9 if at is None else at)
        assert [player.score for player in shown.players] == then.scores
        assert [one.item for group in shown.items.values() for one in group.items] == sorted(
            then.items, key=lambda item: item.player
        )
    assert match.game.at(2).items != match.game.items and match.game.at(2).scores != match.game.scores


def test_a_move_takes_back_the_wish_to_take_back() -> None:
    match = done(begun(game_row(), "ann", "bob"), "ann 1=0", "bob 2=0", "ann undo", "ann 3=0")
    assert match.offer is None and same(match)


def test_a_draw_by_agreement_is_shared() -> None:
    match = done(begun(game_row(), "ann", "bob"), "ann 1=0", "ann draw", "bob accept")
    assert match.is_over and match.winners == [1, 2] and same(match)
    assert match.record().summary == "Ann and bob share the win: a draw by agreement."


def test_a_draw_of_three_needs_everybody() -> None:
    row = game_row("divisors-multiples", parameters={"players": "3"})
    match = done(begun(row, "ann", "bob", "cleo"), "ann draw", "cleo accept")
    assert not match.is_over and match.offer is not None and match.offer.asked == (2,) and same(match)
    assert done(match, "bob accept").winners == [1, 2, 3]


def test_the_computer_agrees_to_no_draw_and_a_solitaire_has_none() -> None:
    with pytest.raises(IllegalMove, match="computer"):
        begun(game_row(), "ann", "computer").act("ann", "draw", "", START)
    with pytest.raises(IllegalMove, match="for one"):
        begun(game_row("up-and-up"), "ann").act("ann", "draw", "", START)


def test_who_resigns_leaves_the_win_to_all_others() -> None:
    row = game_row("divisors-multiples", parameters={"players": "3"})
    match = done(begun(row, "ann", "bob", "cleo"), "bob resign")
    assert match.winners == [1, 3] and match.termination is not None
    assert match.record().summary == "Ann and cleo share the win: bob resigned."
    with pytest.raises(IllegalMove, match="The game is over: player 2 resigned"):
        match.act("ann", "move", "2!", START)


def test_nobody_wins_a_solitaire_that_is_given_up() -> None:
    assert done(begun(game_row("up-and-up"), "ann"), "ann resign").winners == []


def test_a_live_clock_runs_from_the_second_move_on_and_gains_its_increment() -> None:
    match = begun(game_row(clock="live", clock_seconds=60.0, clock_increment=5.0), "ann", "bob")
    assert match.clock_left(1, START + 50) == 60.0
    assert match.deadline == START + FIRST_MOVE_SECONDS
    match = done(match, "ann 1=0", now=START + 50)
    assert match.clock_left(1, START + 90) == 65.0
    match = done(match, "bob 2=0", now=START + 90)
    assert match.clock_left(1, START + 100) == 55.0 and match.deadline == START + 90 + 65
    match = done(match, "ann 3=0", now=START + 110)
    assert match.clock_left(1, START + 200) == 50.0 and same(match)
    assert match.clock_left(2, START + 1_000) == 0.0


def test_nobody_gains_time_by_taking_back() -> None:
    row = game_row("up-and-up", clock="live", clock_seconds=60.0, clock_increment=5.0)
    match = done(begun(row, "ann"), "ann a1")
    assert match.clock_left(1, START) == 65.0
    match = done(match, "ann undo", now=START + 10)
    assert match.clock_left(1, START + 10) == 50.0 and same(match)
    match = done(match, "ann a1", now=START + 20)
    assert match.clock_left(1, START + 20) == 45.0 and same(match)


def test_time_falls_at_the_deadline_and_not_when_it_is_noticed() -> None:
    match = begun(game_row(clock="live", clock_seconds=60.0), "ann", "bob")
    match = done(match, "ann 1=0", "bob 2=0")
    assert match.after_time(START + 59.9) is None
    over = match.after_time(START + 9_000)
    assert over is not None and (over.rows[-1].player, over.rows[-1].at) == (1, START + 60)
    match = over
    assert match.winners == [2] and match.deadline is None and same(match)
    assert match.record().summary == "Bob wins: the time of ann has run out."


def test_time_falls_too_while_an_offer_waits() -> None:
    match = done(begun(game_row(clock="days", clock_seconds=86_400.0), "ann", "bob"), "ann 1=0", "ann draw")
    over = match.after_time(START + 86_400.0)
    assert match.offer is not None and over is not None
    assert over.is_over and over.winners == [1] and over.offer is None and same(over)
    with pytest.raises(IllegalMove, match="time of player 2 has run out"):
        over.act("bob", "accept", "", START + 86_400.0)


def test_with_days_each_move_has_its_own_time() -> None:
    match = begun(game_row(clock="days", clock_seconds=86_400.0), "ann", "bob")
    assert match.deadline == START + 86_400
    match = done(match, "ann 1=0", now=START + 50_000)
    assert match.deadline == START + 50_000 + 86_400
    assert match.clock_left(1, START + 60_000) == 86_400 and match.clock_left(2, START + 60_000) == 76_400


def test_no_clock_runs_for_the_computer() -> None:
    for clock in ("live", "days"):
        match = begun(game_row(clock=clock, clock_seconds=60.0), "computer", "ann")
        assert match.deadline is None and match.clock_left(1, START + 1_000) == 60.0


def test_times_never_go_back_where_the_clocks_of_servers_differ() -> None:
    match = done(begun(game_row(), "ann", "bob"), "ann 1=0", now=START + 10)
    assert match.act("bob", "move", "2=0", START + 3).rows[-1].at == START + 10


def test_a_game_of_very_many_moves_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.web.match.MOST_ROWS", 4)
    match = done(begun(game_row("sums-grid"), "ann"), "ann a1=1", "ann a1=2")
    assert not match.is_over
    match = done(match, "ann a1=3")
    assert match.is_over and match.termination is not None and same(match)


def test_a_game_that_its_rules_end_is_not_ended_for_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.web.match.MOST_ROWS", 3)
    match = done(begun(game_row(parameters={"m": "2"}), "ann", "bob"), "ann 1=0", "bob 2=0")
    assert match.num_rows == 3 and match.winners == [1] and match.termination is None and same(match)


def test_a_game_by_older_rules_is_not_shown() -> None:
    with pytest.raises(Gone):
        SiteMatch.of(game_row(rules_version=0), [], [])


def test_a_game_whose_rules_are_not_here_is_not_shown_and_may_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalog._entries, "broken-game", catalog.Entry("broken-game", "quet.games.no_such_folder"))
    monkeypatch.setattr("quet.games.folders", lambda: {"broken-game": "", "palindromes": "quet.games.palindromes"})
    row = game_row()
    for values in (
        {"game": "gone-game"},
        {"game": "broken-game"},
        {"parameters": {"m": "1000"}},
        {"start": "nonsense"},
    ):
        with pytest.raises(Missing, match="The rules of this game aren't installed here"):
            SiteMatch.of(replace(row, **values), [], [])
    assert catalog.find("broken-game") is catalog.find("gone-game") is None


@pytest.mark.parametrize(
    "row",
    [
        MoveRow(0, 0, "start", "", START),
        MoveRow(1, 2, "move", "1=0", START),
        MoveRow(2, 1, "undo", "2", START),
        MoveRow(3, 1, "offer-draw", "2,3", START),
        MoveRow(4, 1, "offer-undo", "2", START),
        MoveRow(5, 1, "offer-draw", "", START),
        MoveRow(6, 2, "accept", "2,3", START),
        MoveRow(7, 3, "decline", "3", START),
        MoveRow(8, 1, "resign", "", START),
        MoveRow(9, 2, "time", "", START),
        MoveRow(10, 0, "call-off", "", START),
        MoveRow(11, 1, "call-off", "", START),
        MoveRow(12, 2, "move/level:1", "1=0", START),
        MoveRow(13, 2, "move", "1=0", START, '["a draw", {}, ""]'),
    ],
    ids=lambda row: f"{row.kind}-{row.ply}",
)
def test_a_row_is_read_as_an_event_and_written_as_it_was(row: MoveRow) -> None:
    assert row_of(row.ply, event_of(row)) == row


def test_no_event_is_made_up_for_a_row_of_an_unknown_kind_nor_a_row_for_an_event_without_one() -> None:
    with pytest.raises(ValueError, match="no row of kind 'castle'"):
        event_of(MoveRow(0, 1, "castle", "", START))
    with pytest.raises(ValueError, match="No row tells of"):
        row_of(0, PlayedAgain(START, 1, 1))


def test_what_is_refused_is_refused_with_a_sentence_that_says_why() -> None:
    match = begun(game_row(), "ann", "bob")
    older = "This game was played by an earlier version of its rules and can't be shown any more."
    refusals: list[tuple[Callable[[], object], str]] = [
        (lambda: SiteMatch.of(game_row(rules_version=0), [], []), older),
        (lambda: match.act("eve", "move", "1=0", START), "You have no seat at this table."),
        (lambda: match.act("ann", "move", "1" * 101, START), "A move has at most 100 characters."),
    ]
    for refused, sentence in refusals:
        with pytest.raises(QuetError) as caught:
            refused()
        assert str(caught.value) == sentence


def test_a_move_may_be_typed_with_as_many_blanks_as_fit() -> None:
    typed = "1=0".ljust(LONGEST_MOVE)
    assert begun(game_row(), "ann", "bob").act("ann", "move", typed, START).game.moves == ["1=0"]


def test_a_game_that_ends_for_its_length_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.web.match.MOST_ROWS", 2)
    match = done(begun(game_row("sums-grid"), "ann"), "ann a1=1")
    assert match.termination is not None
    assert match.termination.reason == "2 moves are the most that are played here"


def test_a_row_of_a_game_names_no_file(tmp_path: Path) -> None:
    file = tmp_path / "terms.txt"
    file.write_text("\n".join(f"{number} {number}" for number in range(1, 10)))
    given = {"n": "3", "sequence": f"file:{file}"}
    assert quet.new("sequence-ascension", **given).num_players == 1
    with pytest.raises(Missing):
        SiteMatch.of(replace(game_row("sequence-ascension"), parameters=given), [], [])


def test_what_watchers_were_told_belongs_to_one_state_of_the_match() -> None:
    match = begun(game_row(), "ann", "bob")
    match.news["en"] = "before"
    after = done(match, "ann 1=0")
    assert (after.news, match.with_row(match.row).news, match.news) == ({}, {}, {"en": "before"})


def test_other_people_sit_down_without_a_change_of_the_game() -> None:
    match = begun(game_row(), "ann", "bob")
    seats = [replace(match.seat(1), visitor="phone"), match.seat(2)]
    row = replace(match.row, version=7)
    moved, kept = match.with_row(row, seats), match.with_row(row)
    assert (moved.seats, moved.row, moved.rows) == (tuple(seats), row, match.rows)
    assert (kept.seats, kept.row) == (match.seats, row)


def test_who_holds_the_seat_of_the_player_to_move_may_move() -> None:
    match = begun(game_row(), "ann", "bob")
    assert match.may_move("ann") and not match.may_move("bob")
    over = done(match, "ann resign")
    assert not over.may_move("ann") and not over.may_move("bob")


@pytest.mark.parametrize("player", [1, None])
def test_a_table_that_never_fills_is_called_off_by_who_sits_there_or_by_nobody(player: int | None) -> None:
    waiting = SiteMatch.of(game_row(), [SeatRow(1, "ann", visitor="ann"), SeatRow(2, is_open=True)], [])
    off = waiting.call_off(player, START + 9)
    assert off.rows == (MoveRow(0, player or 0, "call-off", "", START + 9),)
    assert off.is_over and off.winners == [] and same(off)


def test_the_row_of_a_computers_move_says_who_chose_it_in_its_place() -> None:
    match = done(begun(game_row(), "ann", "computer"), "ann 1=0")
    assert match.computer_move("2=0", START).rows[-1].kind == "move"
    chosen = match.computer_move("2=0", START, "plain")
    assert chosen.rows[-1].kind == "move/plain" and same(chosen)
    again = SiteMatch.of(chosen.row, chosen.seats, chosen.rows)
    assert chosen.progress.stand_in(2) == again.progress.stand_in(2) == "plain"


def test_the_row_of_a_computers_move_says_what_it_expected_in_every_language() -> None:
    expects = say("{worth} ({how})", worth=say("a win by {margin}", margin=4), how=say("proven: table"))
    match = done(begun(game_row(), "ann", "computer"), "ann 1=0").computer_move("2=0", START, "", expects)
    again = SiteMatch.of(match.row, match.seats, match.rows)
    assert again.expectation == (2, "a win by 4 (proven: table)") and same(match)
    assert i18n.sentence(again.expectation[1], "de") == "ein Sieg, Vorsprung 4 (bewiesen: Tabelle)"
    assert done(again, "ann undo").expectation == (0, "")
    assert TableView(again, "ann", START, "").expectation.endswith(" expects: a win by 4 (proven: table).")
    assert TableView(done(again, "ann resign"), "ann", START, "").expectation == ""  # the result stands there


def test_a_very_long_expectation_is_kept_short() -> None:
    kept = message_text(say("{worth} ({how})", worth=say("w" * 5_000), how=""))
    assert len(kept) <= LONGEST_MESSAGE and message_of(kept) == "w" * (LONGEST_MESSAGE // 2)


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on which it is 14 hours later than in UTC."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "<+14>-14")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("far_east")
def test_the_date_of_a_record_is_that_of_utc_wherever_the_server_stands() -> None:
    assert begun(game_row(created_at=1_000_000.0), "ann", "bob").record().tags["Date"] == "1970-01-12"
    row = game_row(created_at=1_036_799.0)  # the last second of this day
    assert begun(row, "ann", "bob").record().tags["Date"] == "1970-01-12"
    assert begun(replace(row, date="2026-11-22"), "ann", "bob").record().tags["Date"] == "2026-11-22"


def test_who_is_out_of_the_game_has_no_say_in_how_it_ends() -> None:
    row = game_row("convoluted-coprimality", parameters={"n": "5", "players": "3"})
    moves = "b5 c5 d5 e5 e4 d4 c4 b4 a4 a3 a2 a1 b1 b2".split()  # the last one puts player 1 out
    match = begun(row, "ann", "bob", "cleo")
    for move in moves:
        match = done(match, f"{match.seat(match.mover or 0).visitor} {move}")
    for act in ("ann resign", "ann draw"):
        with pytest.raises(IllegalMove, match="You are out of the game already"):
            done(match, act)
    assert done(match, "bob resign").winners == [3]
    offered = done(match, "bob draw")
    with pytest.raises(IllegalMove, match="no offer for you"):
        done(offered, "ann accept")
    over = done(offered, "cleo accept")
    assert over.winners == [2, 3] and same(over)
    buttons = [TableView(match, who, START, "") for who in ("ann", "bob")]
    assert [(table.can_resign, table.can_offer_draw) for table in buttons] == [(False, False), (True, True)]
    computers = [replace(seat, computer="random", visitor=None) if seat.player == 3 else seat for seat in match.seats]
    table = TableView(SiteMatch.of(row, computers, match.rows), "bob", START, "")
    assert table.asks_to_undo and not table.asks_for_draw  # ann would be in the game again
    old = SiteMatch.of(row, match.seats, [*match.rows, MoveRow(match.num_rows, 1, "resign", "", START)])
    assert old.winners == [2, 3]  # a row of the time when who was out could resign
