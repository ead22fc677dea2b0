"""Playing line by line."""

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

import quet
from quet.cli import plain
from quet.play.clock import Clock
from quet.play.session import Session, seat
from quet.players import player, preparation
from quet.players.levels import PLAIN
from quet.players.player import RandomPlayer
from quet.records import record as records


def session(
    id: str,
    *seats: str,
    clock: Clock | None = None,
    now: Callable[[], float] = time.monotonic,
    **parameters: object,
) -> Session:
    return Session(quet.new(id, **parameters), [seat(who) for who in seats], clock=clock, seed=1, now=now)


def said(table: Session, *lines: str | bytes) -> list[str]:
    """What is answered to these lines, after the greeting; without what the mover is to do, which is told besides."""
    out = io.StringIO()
    content = b"".join(line if isinstance(line, bytes) else f"{line}\n".encode() for line in lines)
    greeting = 2 + len(table.seats)
    with mock.patch.object(plain._Conversation, "tell_the_goal"):
        assert plain.run(table, io.BytesIO(content), out) == 0
    return out.getvalue().splitlines()[greeting:]


def test_the_greeting_says_what_is_played_and_who_moves() -> None:
    out = io.StringIO()
    plain.run(session("blob", "person", "random", n=4), io.BytesIO(), out)
    assert out.getvalue() == (
        "Multiples/Divisors Blob Game, 4 by 4. Type help for help, quit to end.\n"
        "Player 1 is a person.\nPlayer 2 is the computer player random.\nPlayer 1 to move.\n"
        f"{quet.new('blob', n=4).goal}\n"
    )


@pytest.mark.parametrize("name", ["", "?", "person"])
def test_a_player_without_a_name_is_a_person(name: str) -> None:
    record = records.Record.of(quet.new("palindromes", m=4), tags={"Player1": name, "Player2": "Ann"})
    assert said(Session.resume(record), "who")[:2] == ["Player 1 is a person.", "Player 2 is Ann."]


def test_a_computer_player_that_begins_is_said_to_wait_for_nobody() -> None:
    out = io.StringIO()
    plain.run(session("palindromes", "random", m=4), io.BytesIO(b"undo\nwho\n"), out)
    lines = out.getvalue().splitlines()
    assert lines[3] == "Player 1 to move." and lines[4].startswith("Player 1: ")
    assert lines[-1] == "Player 1 to move; it is a computer player, and go lets it move."


def test_what_to_do_is_told_when_it_changes_and_when_asked() -> None:
    out = io.StringIO()
    plain.run(session("plusses-minuses", n=2), io.BytesIO(b"goal\nxyz\n+\n-\na1\nb2\ngoal\n"), out)
    higher = "Predict: will the filled square of column b be higher (+) or lower (-) than that of column a?"
    right = "Predict: will the filled square of row 2 be further right (+) or further left (-) than that of row 1?"
    fill = "Fill a square in a row and a column without a filled one. You score where your predictions come true."
    lines = out.getvalue().splitlines()
    assert lines[4:6] == [higher, higher] and lines[7:12:2] == [
        "Player 1: +. Player 2 to move.",
        "Player 2: -. Player 1 to move.",
        "Player 1: a1. Player 2 to move.",
    ]
    assert lines[8:13:2] == [right, fill, fill]
    assert lines[-1] == "The game is over."


def test_a_move_is_confirmed_with_who_is_to_move() -> None:
    assert said(session("palindromes", m=4), "1=0") == ["Player 1: 1=0. Player 2 to move."]


def test_scores_are_told_when_they_change() -> None:
    answers = said(session("palindromes", m=4), "1=0", "2=0")
    assert answers[1] == "Player 2: 2=0. Scores 2 and 0. Player 1 to move."


def test_capitals_and_blanks_in_a_move_are_accepted() -> None:
    assert said(session("blob", n=4), "  C3 ", "d 3\r") == [
        "Player 1: c3. Player 2 to move.",
        "Player 2: d3. Player 1 to move.",
    ]


def test_an_illegal_move_is_answered_with_the_rule_and_changes_nothing() -> None:
    table = session("blob", n=4)
    assert said(table, "a1", "d4", "moves")[1:] == ["d4 is not beside a filled square.", "1. a1."]


def test_the_board_is_told_in_words_row_by_row() -> None:
    table = session("up-and-up", n=3)
    assert said(table, "b2", "b3", "board", "row 3", "column b", "square B3", "square b1")[2:] == [
        "Row 3: a3 empty; b3 holds 2; c3 empty.",
        "Row 2: a2 empty; b2 holds 1; c2 empty.",
        "Row 1: all empty.",
        "The last move was b3. Player 1 to move.",
        "Row 3: a3 empty; b3 holds 2; c3 empty.",
        "Column b from the top: b3 holds 2; b2 holds 1; b1 empty.",
        "b3: holds 2, the last move.",
        "b1: empty. Legal here: b1.",
    ]


def test_a_row_that_is_no_part_of_a_grid_names_its_squares() -> None:
    assert said(session("divisors-multiples", r=17), "2!", "board", "square 18")[1:] == [
        "Row 1: 16 not taken.",
        "Row 2: 8, 12 not taken.",
        "Row 3: 4, 6, 9 to 10, 14 to 15 not taken.",
        "Row 4: 2 taken, the current number; 3, 5, 7, 11, 13, 17 not taken.",
        "Row 5: 1 taken.",
        "The last move was 2!. Player 2 to move.",
        "There is no square '18'; the squares are 1 to 17.",
    ]
    assert said(session("palindromes", m=4), "3=0", "board")[1] == "Row 1: 1 to 2 empty; 3 0; 4 empty."


def test_what_counts_in_a_row_and_in_a_column_is_told_with_it() -> None:
    assert said(session("blob", n=3), "b2", "row 2", "column b", "column c")[1:] == [
        "Row 2: a2 empty, at the edge; b2 filled; c2 empty, at the edge. Note: 1 1 1 good.",
        "Column b from the top: b3 empty, at the edge; b2 filled; b1 empty, at the edge. Note: 1 1 1 good.",
        "Column c from the top: c3 empty; c2 empty, at the edge; c1 empty. Note: 3 good.",
    ]


def test_a_part_of_the_board_that_is_not_there_is_a_sentence() -> None:
    assert said(session("up-and-up", n=3), "row 4", "column d", "column", "square d4", "square") == [
        "There is no row '4'; the rows are 3 to 1.",
        "There is no column 'd'; the columns are a to c.",
        "There is no column ''; the columns are a to c.",
        "There is no square 'd4'; the squares are a3 to c1.",
        "There is no square ''; the squares are a3 to c1.",
    ]
    assert said(session("palindromes", m=4), "column 1") == [
        "The columns of this board have no names; ask for a row or a square."
    ]


def test_legal_moves_are_listed_but_not_without_end() -> None:
    assert said(session("palindromes", m=1), "legal") == ["2 legal moves: 1=0, 1=1."]
    (line,) = said(session("sums-grid", n=4), "legal")
    assert line.startswith("1024 legal moves: a1=1, a1=2, ") and line.endswith(", and 824 more.")


def test_the_score_is_told_with_what_it_is_made_of() -> None:
    answers = said(session("palindromes", m=4), "1=0", "2=0", "score")
    assert answers[-2].startswith("Player 1, 2 points: ")
    assert answers[-1] == "Scores 2 and 0."
    assert said(session("divisors-multiples", r=3), "score")[-1] == "Scores 0 and 0. The lowest score wins."


def test_who_wants_to_look_back_on_a_game_that_was_given_up_is_told_how() -> None:
    answers = said(session("palindromes", m=4), "1=0", "undo", "resign", "redo", "undo", "2=0")
    how = "The game is over: player 1 resigned."
    looked = f"{how} Save the game, and quet replay --steps shows each of its positions."
    assert answers[-3:] == [looked, looked, how]


def test_undo_and_redo_tell_the_moves() -> None:
    assert said(session("palindromes", m=4), "undo", "1=0", "undo", "redo", "redo")[0::2] == [
        "There is no move to take back.",
        "Taken back: 1=0. Player 1 to move.",
        "There is no move to play again.",
    ]


def test_the_rules_and_rulings_are_told(our_game_id: str) -> None:
    answers = said(Session(quet.new(our_game_id)), "RULES")
    facts = quet.new(our_game_id).entry.facts
    assert answers[0] == f"{facts['title']}, by {facts['author']}. {facts['source']}."
    assert answers[1 : 1 + len(facts["rules"])] == facts["rules"]
    assert all(any(ruling in line for line in answers) for ruling in facts["rulings"].values())


def test_every_question_is_answered_in_every_game_from_start_to_end(game_id: str) -> None:
    questions = ["board", "notes", "row 1", "square a1", "square 1", "legal", "score", "moves", "who", "help"]
    parameters: dict[str, object] = {p.name: 3 for p in quet.new(game_id).rules.PARAMETERS if p.name in ("n", "m", "r")}
    game = quet.new(game_id, **parameters)
    random = RandomPlayer(1)
    for _ in range(30):
        answers = said(Session(game.copy()), *questions)
        assert any("1: " in line for line in answers)
        assert any("legal" in line for line in answers)
        if game.is_over:
            break
        game.play(random.choose(game))


def test_a_computer_player_answers_at_once() -> None:
    answers = said(session("palindromes", "person", "random", m=4), "1=0")
    assert answers[0] == "Player 1: 1=0. Player 2 to move."
    assert answers[1].startswith("Player 2: ") and answers[1].endswith("Player 1 to move.")


def test_level_6_moves_where_the_perfect_player_knows_no_proven_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "ask", lambda game, budget, sources=None: None)
    with pytest.raises(quet.BadParameter, match="can't be solved from here"):
        player.player("level:perfect", 1).choose(quet.new("palindromes", m=4))
    answers = said(session("palindromes", "person", "level:perfect", m=4), "1=0", "moves")
    replaced = "The position can't be solved in a few seconds and no tablebase of it is saved, so level:6 moved."
    assert answers[1].startswith("Player 2: ") and replaced in answers[1]
    assert answers[-1].startswith("1. 1=0, 2. ")


def test_after_taking_back_to_the_start_the_computer_waits_for_go() -> None:
    answers = said(session("palindromes", "random", m=4), "undo", "2=0", "go", "go")
    undo = next(i for i, line in enumerate(answers) if line.startswith("Taken back"))
    assert answers[undo].endswith("Player 1 to move; it is a computer player, and go lets it move.")
    assert answers[undo + 1] == "It is the computer's turn; go lets it move."
    assert answers[undo + 2].startswith("Player 1: ")
    assert answers[undo + 3] == "No computer player is to move."


def test_computers_alone_play_to_the_end() -> None:
    out = io.StringIO()
    table = session("palindromes", "random", "random", m=6)
    assert plain.run(table, io.BytesIO(), out) == 0
    assert table.game.ply == 6
    assert out.getvalue().count("The game is over. ") == 1


def test_the_result_is_told_once_and_questions_are_still_answered() -> None:
    answers = said(session("palindromes", m=2), "1=0", "2=0", "legal", "1=1", "score", "undo", "2=1")
    assert answers.count("The game is over. Player 1 wins: 2-0.") == 1
    assert "No move is legal: the game is over." in answers
    assert "The game is over." in answers
    assert answers[-1] == "The game is over. Player 2 wins: 0-2."


def test_running_out_of_time_ends_the_game() -> None:
    seconds = [0.0]
    table = session("blob", n=4, clock=Clock(60), now=lambda: seconds[0])
    out = io.StringIO()

    class Lines(io.BytesIO):
        def readline(self, limit: int | None = -1, /) -> bytes:
            seconds[0] += 45
            return super().readline(limit)

    plain.run(table, Lines(b"a1\nwho\nb1\n"), out)
    assert "Player 2 is a person, 15 seconds left." in out.getvalue()
    assert out.getvalue().endswith("The game is over. Player 1 wins: the time of player 2 has run out.\n")
    assert table.game.moves == ["a1"]


def test_a_game_is_saved_and_loaded(tmp_path: Path) -> None:
    file = tmp_path / "game one.quet"
    first = session("palindromes", "person", "random", m=6)
    assert said(first, "1=0", f"save {file}", f"save {file}")[-2:] == [
        f"Saved as {file}.",
        f"{file}: The file exists already; replace FILE writes over it.",
    ]
    second = session("blob", n=4)
    answers = said(second, f"load {file}", "moves", "who")
    assert answers[0] == "Palindromes/Antipalindromes In Sequence, 6 squares, after 2 moves."
    assert answers[2] == ", ".join(f"{ply}. {move}" for ply, move in enumerate(first.game.moves, 1)) + "."
    assert "Player 2 is the computer player random." in answers
    assert said(second, "a1", f"replace {file}")[-1] == f"Saved as {file}."
    seconds = [0.0]
    timed = session("palindromes", m=4, clock=Clock(60), now=lambda: seconds[0])
    seconds[0] = 45
    assert said(timed, f"load {file}", "who") == [
        "Multiples/Divisors Blob Game, 4 by 4, after 1 move.",
        "The clocks begin anew: a file keeps none.",
        "Player 2 to move.",
        "Player 1 is a person, 60 seconds left.",
        "Player 2 is a person, 60 seconds left.",
        "Player 2 to move.",
    ]


def test_a_file_in_ones_own_folder_is_meant_by_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert said(session("blob", n=4), "a1", "save ~/one.quet", "save ~/one.quet", "load ~/one.quet")[1:3] == [
        "Saved as ~/one.quet.",
        "~/one.quet: The file exists already; replace FILE writes over it.",
    ]
    assert (tmp_path / "one.quet").exists()
    records.save(tmp_path / "two.quet", [quet.new("blob"), quet.new("blob")])
    assert said(session("blob", n=4), "load ~/two.quet") == [
        "~/two.quet: There should be one game in the file, not 2; write the number of one behind it, as in "
        "~/two.quet 2."
    ]


def test_one_game_of_several_is_loaded_by_its_number(tmp_path: Path) -> None:
    file = tmp_path / "two games.quet"
    records.save(file, [quet.new("blob").after("a1"), quet.new("palindromes", m=4).after("1=0")])
    assert said(session("blob", n=4), f"load {file} 2", "moves")[1:] == ["Player 2 to move.", "1. 1=0."]
    assert said(session("blob", n=4), f"load {file} 3", f"load {file} 0", f"load {file} x") == [
        "The file has 2 records; there is no record 3.",
        *(f"{file} {word}: It can't be read: No such file or directory." for word in "0x"),
    ]
    file.rename(tmp_path / "games 2")
    assert "not 2; write" in said(session("blob", n=4), f"load {tmp_path / 'games 2'}")[0]


def test_files_that_fail_are_a_sentence_and_the_game_goes_on(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.write_bytes(b"\x00\xff")
    lines = ["save", "load", f"load {tmp_path}", f"load {damaged}", "load \0", "save \0", f"save {'x' * 5000}"]
    lines += [f"save {tmp_path}/no/such/folder", f"save {tmp_path}", f"replace {tmp_path}", "a1"]
    answers = said(session("blob", n=4), *lines)
    assert len(answers) == len(lines)
    assert answers[-1] == "Player 1: a1. Player 2 to move."


def test_nonsense_is_answered_with_a_sentence_each_and_changes_nothing() -> None:
    nonsense: list[str | bytes] = [
        "hello",
        b"\xff\xfe\n",
        b"\0\0\n",
        b"9" * 1_000_000 + b"\n",
        b"\x1b[2J\n",
        "c٣",
        "a1 b1",
    ]
    table = session("blob", n=4)
    answers = said(table, *nonsense, "", "   ", "moves")
    assert len(answers) == len(nonsense) + 1
    assert all(line.isprintable() for line in answers)
    assert answers[1] == "The line is not text in UTF-8."
    assert answers[3] == "The line is too long; 10000 bytes are read at most."
    assert answers[-1] == "No moves yet."


def test_a_last_line_without_an_end_counts_and_a_long_one_does_not_hang() -> None:
    assert said(session("blob", n=4), b"a1") == ["Player 1: a1. Player 2 to move."]
    assert said(session("blob", n=4), b"9" * 50_000)[0].startswith("The line is too long")


def test_quit_ends_it_in_any_case() -> None:
    assert said(session("blob", n=4), "Quit", "a1") == []


def test_there_is_a_prompt_only_at_a_terminal() -> None:
    class Terminal(io.BytesIO):
        def isatty(self) -> bool:
            return True

    out = io.StringIO()
    plain.run(session("blob", n=4), Terminal(b"a1\n"), out)
    assert out.getvalue().splitlines()[-4::2] == ["> Player 1: a1. Player 2 to move.", "> "]
    assert "> " not in "".join(said(session("blob", n=4), "a1"))


def test_an_output_that_is_not_unicode_is_written_all_the_same() -> None:
    raw = io.BytesIO()
    plain.run(session("blob", n=4), io.BytesIO("load é\n".encode()), io.TextIOWrapper(raw, encoding="ascii"))
    assert rb"\xe9" in raw.getvalue()


def test_ctrl_c_ends_with_130() -> None:
    class Interrupted(io.BytesIO):
        def readline(self, limit: int | None = -1, /) -> bytes:
            raise KeyboardInterrupt

    assert plain.run(session("blob", n=4), Interrupted(), io.StringIO()) == 130


def interrupted(process: "subprocess.Popen[bytes]") -> int:
    """The exit status after Ctrl-C; Python misses one that comes just as it begins to read, so it's pressed again."""
    for _ in range(5):
        process.send_signal(signal.SIGINT)
        try:
            return process.wait(30)  # on a busy machine it takes seconds to end, and another Ctrl-C would disturb that
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError("Ctrl-C doesn't end the program.")


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes as on Unix")
def test_the_program_bears_a_closed_output_and_ctrl_c() -> None:
    command = [sys.executable, "-m", "quet", "play", "blob", "n=4", "--plain"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, bufsize=0, **pipes) as process:  # type: ignore[call-overload]
        assert process.stdout.read(1)
        process.stdout.close()
        with pytest.raises(BrokenPipeError):
            while True:
                process.stdin.write(b"board\n")
        process.wait(120)
        assert process.stderr.read() == b""
    with subprocess.Popen(command, bufsize=0, **pipes) as process:  # type: ignore[call-overload]
        assert process.stdout.read(1)
        assert interrupted(process) == 130
        assert process.stderr.read() == b""


def test_a_hint_is_a_move_in_words_and_changes_nothing() -> None:
    table = session("palindromes", m=6)
    answers = said(table, "4=0", "5=0", "1=0", "3=0", "hint", "moves")[4:]
    assert answers[0] == (
        "Hint: 2=0, a win by 14 (proven: solved). After it: 0000 at 1-4, a palindrome; 0000 at 2-5, a palindrome. "
        "Expected: 2=0 6=1."
    )
    assert answers[1:] == ["1. 4=0, 2. 5=0, 3. 1=0, 4. 3=0."]


def test_what_a_solitaire_can_still_reach_is_told_on_request() -> None:
    assert said(session("up-and-up", n=3), "a1", "reachable")[-1] == (
        "Still reachable: 8, and nothing better (proven: solved)."
    )
    assert "Only in a solitaire" in said(session("palindromes", m=3), "reachable")[-1]
    assert said(session("up-and-up", n=1), "a1", "reachable")[-1] == "The game is over."
    assert "1 of 1 possible (proven)" in said(session("up-and-up", n=1), "a1")[-1]


def test_there_is_no_hint_in_a_finished_game() -> None:
    assert said(session("palindromes", m=1), "1=0", "hint")[-1] == "The game is over."
    assert "hint: a good move" in plain.HELP


def test_who_moves_before_its_search_is_compiled_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Begun:
        is_over = False

        def __init__(self, game_ids: list[str]) -> None:
            assert game_ids == ["palindromes"]

        def end(self) -> None:
            """Nothing has to be ended."""

    monkeypatch.setattr(preparation, "Preparation", Begun)
    monkeypatch.setattr(RandomPlayer, "stand_in", PLAIN)
    beside, out = preparation.Beside(), io.StringIO()
    try:
        plain.run(session("palindromes", "person", "random", m=6), io.BytesIO(b"1=0\n2=0\n"), out, beside=beside)
    finally:
        beside.end()
    assert "Compiling, once, about 10 seconds; until then the computer moves with less strength." in out.getvalue()
    assert out.getvalue().count("Compiling") == 1
    assert "The search is still being compiled, so this was a shorter look." in out.getvalue()


def test_who_resigns_has_lost_and_the_record_says_so(tmp_path: Path) -> None:
    file = tmp_path / "resigned.quet"
    answers = said(session("blob", n=4), "a1", "resign", "resign", "draw", "undo", f"save {file}")
    assert answers[1:-1] == [
        "The game is over. Player 1 wins: player 2 resigned.",
        "The game is over: player 2 resigned.",
        "The game is over: player 2 resigned.",
        "The game is over: player 2 resigned. Save the game, and quet replay --steps shows each of its positions.",
    ]
    again = said(session("blob", n=4), f"load {file}", "a2")
    assert again[-2:] == ["The game is over.", "The game is over: player 2 resigned."]
    assert said(session("up-and-up", n=3), "resign") == ["The game is over. Given up at a score of 0."]
    assert said(session("blob", "person", "random", n=4), "resign")[-1].endswith(": you resigned.")


def test_who_is_put_out_of_a_game_that_goes_on_is_told_so_once() -> None:
    moves = "b5 c5 d5 e5 e4 d4 c4 b4 a4 a3 a2 a1 b1 b2".split()
    answers = said(session("convoluted-coprimality", n=5, players=3), *moves, "a5", "b3")
    told = [line for line in answers if "out of the game" in line]
    why = "eliminated: wrote 15 beside 12, in b2"
    assert told == [f"Player 1: b2. Player 1 is out of the game – {why}. Scores 0, 1 and 1. Player 2 to move."]


def test_each_other_person_is_asked_for_a_draw() -> None:
    table = session("divisors-multiples", r=6, players=3)
    assert said(table, "accept", "draw", "draw", "decline", "draw", "2", "4!", "draw", "accept", "accept") == [
        "There is no offer for you to answer.",
        "Player 1 offers a draw. Player 2 may accept or decline.",
        "There is an offer already that waits for an answer.",
        "Player 2 declines the draw. Player 1 to move.",
        "This was declined; it can be offered again after the next move.",
        "Player 1: 2. Scores 2, 0 and 0. Player 1 to move.",
        "Player 1: 4!. Scores 4, 0 and 0. Player 2 to move.",
        "Player 2 offers a draw. Player 1 may accept or decline.",
        "Player 1 accepts the draw. Player 3 may accept or decline.",
        "The game is over. Player 1, player 2 and player 3 share the win: a draw by agreement.",
    ]
    assert said(session("up-and-up", n=3), "draw") == ["A game for one has no draw."]
    assert said(session("blob", "random", "random", n=3), "draw", "resign")[-1] == "The game is over."


def test_a_move_of_who_is_asked_takes_an_offer_of_a_draw_off() -> None:
    table = session("blob", n=4)
    assert said(table, "draw", "a1", "a2", "accept")[-1] == "There is no offer for you to answer."
    assert said(session("blob", n=4), "draw", "a1", "accept")[-1].endswith("a draw by agreement.")
    told = said(session("blob", n=4), "draw", "accept", "a1")
    assert told[-1] == "The game is over: a draw by agreement."


def test_a_computer_player_agrees_to_a_draw_unless_its_score_is_better() -> None:
    equal = said(session("divisors-multiples", "person", "random", r=6), "draw")
    assert equal == ["The game is over. You and the computer (at random) share the win: a draw by agreement."]
    table = session("divisors-multiples", "person", "random", r=6)  # the lower score is better
    table.play("6")
    while table.mover == 2:
        table.play_computer()
    assert table.game.scores[0] != table.game.scores[1]
    is_worse = table.game.scores[0] > table.game.scores[1]
    (answer, *_) = said(table, "draw")
    assert (answer == "The computer declines the draw: its score is better.") == is_worse
    assert table.is_over != is_worse


def test_who_saves_is_told_how_many_games_would_go(tmp_path: Path) -> None:
    file = tmp_path / "two.quet"
    records.save(file, [quet.Record.of(quet.new("blob", n=3)), quet.Record.of(quet.new("palindromes", m=2))])
    sentence = f"{file}: The file has 2 games; replace FILE writes over all of them."
    assert said(session("palindromes", m=6), f"save {file}")[-1] == sentence
    assert len(records.load(file)) == 2
