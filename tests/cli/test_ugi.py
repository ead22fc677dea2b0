"""The line protocol: each command, garbage, and whole games against the second referee."""

import io
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import independent
import quet
import quet.rl
from quet.cli import ugi, ugi_lines
from quet.core.errors import TooLarge
from quet.core.parameters import split_parameters
from quet.engine import compiled
from quet.knowledge.ask import advantages
from quet.knowledge.known import Budget, How, Known
from quet.knowledge.values import exact_values
from quet.players.levels import LEVELS, LevelPlayer
from quet.players.player import PLAYERS, PerfectPlayer, Unproven
from waiting import wait_until


class Asked:
    """An engine whose answers to a line, those of its search included, come back as a list."""

    def __init__(self) -> None:
        self._said: list[str] = []
        self._engine = ugi.Engine(self._said.append)

    def answer(self, line: bytes) -> list[str]:
        self._said.clear()
        self._engine.answer(line)
        self._engine.finish(stop=False)
        return self._said[:]

    @property
    def options(self) -> dict[str, str]:
        return self._engine.options


def talk(*lines: str) -> list[str]:
    """The answers of a new engine to these lines."""
    engine = Asked()
    return [answer for line in lines for answer in engine.answer(line.encode())]


def test_ugi_names_the_program_and_the_games() -> None:
    answers = talk("ugi")
    assert answers[0].startswith("id name Quet ")
    assert answers[1].startswith("id author ")
    assert answers[2] == f"games {' '.join(quet.game_ids())}"
    assert answers[3:] == ["ugiok"]


def test_a_game_is_played_and_queried() -> None:
    assert talk("newgame palindromes m=2", "query legal", "position startpos moves 1=0", "query mover") == [
        "ok",
        "response 1=0 1=1 2=0 2=1",
        "ok",
        "response 2",
    ]


def test_a_finished_game_has_winners_and_no_mover() -> None:
    assert talk(
        "newgame palindromes m=2",
        "position startpos moves 1=0 2=0",
        "query gameover",
        "query legal",
        "query mover",
        "query scores",
        "query winners",
        "go sims 5",
    ) == [
        "ok",
        "ok",
        "response true",
        "response",
        "response none",
        "response 2 0",
        "response 1",
        "error The game is over.",
    ]


def test_an_illegal_move_leaves_the_position_as_it_was() -> None:
    answers = talk(
        "newgame blob n=3",
        "position startpos moves a1",
        "position startpos moves a1 c3",
        "query legal",
        "position startpos moves a1 z9",
        "query mover",
    )
    assert answers[2] == "error c3 is not beside a filled square."
    assert answers[3] == "response b1 a2"
    assert answers[4] == "error z9 is off the grid; the squares are a1 to c3."
    assert answers[5] == "response 2"


def test_a_refused_newgame_leaves_the_game_as_it_was() -> None:
    answers = talk("newgame blob n=2", "position startpos moves a1", "newgame blob n=99", "newgame nim", "query legal")
    assert answers[2:] == [
        "error n must be from 2 to 20, not '99'.",
        f"error There is no game 'nim'; the games are {', '.join(quet.game_ids())}.",
        "response b1 a2",
    ]


@pytest.mark.parametrize("question", ["legal", "mover", "gameover", "scores", "winners", "values", "sequence"])
def test_before_the_first_newgame_whatever_needs_a_game_is_an_error(question: str) -> None:
    assert talk(f"query {question}") == ["error There is no game yet; begin with newgame ID."]


@pytest.mark.parametrize(
    "line",
    [
        "xyzzy",
        "UGI",
        "ugi now",
        "isready?",
        "newgame",
        "newgame blob n",
        "newgame blob n=8 n=8",
        "newgame blob n=0x8",
        "newgame blob n=1e1",
        "newgame blob n=1_0",
        "newgame blob n=٣",
        "newgame blob n=+8",
        "newgame blob n=08",
        "newgame blob n= 8",
        "newgame blob n=",
        "newgame blob N=8",
        "newgame blob m=8",
        "newgame blob n=" + "9" * 5000,
        "newgame sequence-ascension sequence=",
        "newgame sequence-ascension sequence=1,2",
        "newgame sequence-ascension n=2 sequence=1,,2,3",
        "newgame sequence-ascension sequence=random:1:2",
        "newgame sequence-ascension sequence=random:1:9:2",
        "newgame sequence-ascension sequence=file:/no/such/file",
        "newgame sequence-ascension sequence=file:/dev/zero",
        "newgame sequence-ascension sequence=file:.",
        "position",
        "position startpos b1",
        "position fen moves",
        "position startpos moves a1 a1",
        "query",
        "query legal moves",
        "query nothing",
        "go",
        "go sims",
        "go sims 0",
        "go sims -1",
        "go sims 1.5",
        "go movetime 10 sims 5",
        "go infinite 5",
        "go level 3",
        "go depth 3",
        "stop it",
        "setoption",
        "setoption name seed",
        "setoption name seed value x",
        f"setoption name seed value {2**48}",
        "setoption name threads value 0",
        "setoption name level value nobody",
        "setoption name colour value 1",
        "setoption name memory value 15",
        "isready" + " now" * 1000,
        "quit now",
        "\x00",
        "newgame blob\x00",
        "query leg\x07al",
        "query leg\u00adal",
    ],
)
def test_a_wrong_line_gets_one_error_and_changes_nothing(line: str) -> None:
    engine = Asked()
    engine.answer(b"newgame blob n=2")
    options = dict(engine.options)
    answers = engine.answer(line.encode())
    assert len(answers) == 1
    assert answers[0].startswith("error ")
    assert answers[0].isprintable()
    assert answers[0].endswith(".")
    assert len(answers[0]) < 400
    assert engine.answer(b"query legal") == ["response a1 b1 a2 b2"]
    assert engine.options == options


def test_a_stop_is_for_the_last_go_and_not_for_questions_before_it() -> None:
    answers = io.StringIO()
    lines = "newgame palindromes m=4\nquery values\nquery known\ngo infinite\nstop\nquery values\nstop\n"
    ugi_lines.serve(io.BytesIO(lines.encode()), answers)
    found = [line for line in answers.getvalue().splitlines() if not line.startswith("info ")]
    assert found[:3] == talk(*lines.splitlines()[:3]) and "response unknown" not in found[:3]
    assert found[3].startswith("bestmove ") and found[4:] == ["response unknown"]


@given(st.binary(max_size=60))
def test_garbage_gets_at_most_one_line_that_is_an_error(line: bytes) -> None:
    engine = Asked()
    answers = engine.answer(line.replace(b"\n", b""))
    is_refused = len(answers) <= 1 and all(answer.startswith("error ") for answer in answers)
    assert is_refused or line.split() in ([b"ugi"], [b"isready"])


def test_empty_lines_are_passed_over_and_long_ones_refused() -> None:
    long = b"a" * (ugi.LONGEST_LINE + 1_000_000)
    answers = io.StringIO()
    assert ugi_lines.serve(io.BytesIO(b"\n  \r\n" + long + b"\nisready\n" + b"b" * 1_000_000), answers) == 0
    lines = answers.getvalue().splitlines()
    assert lines[0] == "error The line is too long."
    assert lines[1] == "readyok"
    assert len(lines) == 3
    assert lines[2].startswith("error There is no command")


def test_a_sequence_of_integers_of_any_size_is_read_and_told() -> None:
    huge = "9" * 6000
    answers = talk(f"newgame sequence-ascension n=2 sequence=-{huge},{huge},0,{huge},5", "query sequence")
    assert answers == ["ok", f"response -{huge} {huge} 0 {huge}"]


def test_sequences_by_name_begin_as_the_protocol_says() -> None:
    known = {
        "divisors": "1 2 2 3 2 4 2 4 3",
        "naturals": "1 2 3 4 5 6 7 8 9",
        "totient": "1 1 2 2 4 2 6 4 6",
        "primes": "2 3 5 7 11 13 17 19 23",
        "pi": "3 1 4 1 5 9 2 6 5",
        "mod3": "1 2 0 1 2 0 1 2 0",
    }
    for name, terms in known.items():
        assert talk(f"newgame sequence-ascension n=3 sequence={name}", "query sequence") == ["ok", f"response {terms}"]
    assert talk("newgame blob", "query sequence") == ["ok", "response none"]


def test_a_random_sequence_is_that_of_pythons_generator() -> None:
    generator = random.Random(7)
    terms = " ".join(str(generator.randint(-3, 3)) for _ in range(16))
    assert talk("newgame sequence-ascension n=4 sequence=random:7:-3:3", "query sequence")[1] == f"response {terms}"


def test_a_b_file_is_read_from_its_first_term_on(tmp_path: Path) -> None:
    file = tmp_path / "b000005.txt"
    file.write_text("# A000005\n\n0 7\n1 -8\n2 9\n3 10\n4 11\n")
    assert talk(f"newgame sequence-ascension n=2 sequence=file:{file}", "query sequence")[1] == "response 7 -8 9 10"


def test_sums_grid_lists_values_up_to_n_cubed_and_takes_larger_ones() -> None:
    answers = talk("newgame sums-grid n=1", "query legal", "position startpos moves a1=1000000000", "query legal")
    assert answers == ["ok", "response a1=1", "ok", "response a1= a1=1 done"]


@pytest.mark.parametrize("sims", [1, 700, 50_000])
@pytest.mark.parametrize(
    "game", ["up-and-up n=6", "sequence-ascension n=4", "sums-grid n=4", "sums-grid n=3", "blob n=6"]
)
def test_a_search_takes_no_more_simulations_than_it_may(game: str, sims: int) -> None:
    info = talk("setoption name seed value 1", f"newgame {game}", f"go sims {sims}")[-2].split()
    assert info[:2] == ["info", "sims"]
    assert 1 <= int(info[2]) <= max(sims, 36)  # what one game of Up And Up takes


def test_the_same_seed_finds_the_same_move_and_the_info_tells_of_the_search() -> None:
    lines = ["setoption name seed value 5", "newgame blob n=6", "go sims 300"]
    answers = talk(*lines)
    assert [a for a in answers if a.startswith("bestmove")] == [a for a in talk(*lines) if a.startswith("bestmove")]
    words = answers[-2].split()
    assert words[:3] == ["info", "sims", "300"]
    assert words[3::2][:3] == ["nodes", "sps", "score"]
    assert 0 <= float(words[words.index("score") + 1]) <= 1
    move = answers[-1].removeprefix("bestmove ")
    assert words[words.index("pv") + 1] == move
    assert move in quet.new("blob", n=6).legal_moves


def test_no_share_of_three_players_is_called_exact() -> None:
    """What the search has solved depends on which of equal moves the others take."""
    answers = talk("newgame convoluted-coprimality n=3 grids=1 players=3", "go sims 20000")
    assert int(answers[-2].split()[2]) < 20_000  # it is solved
    assert not any(" exact" in answer for answer in answers)


@pytest.mark.parametrize("level", PLAYERS)
def test_every_level_moves(level: str) -> None:
    answers = talk(f"setoption name level value {level}", "newgame palindromes m=5", "go sims 20")
    assert answers[:2] == ["ok", "ok"]
    assert answers[-1].removeprefix("bestmove ") in quet.new("palindromes", m=5).legal_moves


@pytest.mark.parametrize("go", ["go sims 5", "go movetime 20", "go infinite"])
def test_level_6_moves_within_the_limits_where_nothing_is_proven(go: str) -> None:
    said: list[str] = []
    engine = ugi.Engine(said.append)
    for line in ("setoption name level value level:perfect", "newgame divisors-multiples r=50", go):
        engine.answer(line.encode())
    engine.finish(stop=False)
    assert "info player level:6 note no move is proven" in said
    assert said[-1].removeprefix("bestmove ") in quet.new("divisors-multiples", r=50).legal_moves
    if go == "go sims 5":
        assert [line for line in said if line.startswith("info sims")][-1].split()[2] == "5"


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (ZeroDivisionError("a fault"), "error The search failed: ZeroDivisionError."),
        (MemoryError(), "error This machine hasn't the memory for it."),
    ],
    ids=str,
)
def test_a_search_that_fails_is_answered(
    error: Exception, answer: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **_named: object) -> str:
        raise error

    monkeypatch.setattr(LevelPlayer, "choose", fail)
    assert talk("newgame blob n=3", "go sims 1", "query legal")[-2:] == [
        answer,
        "response a1 b1 c1 a2 b2 c2 a3 b3 c3",
    ]
    assert ("ZeroDivisionError: a fault" in capsys.readouterr().err) is isinstance(error, ZeroDivisionError)


def test_half_the_time_of_a_move_is_for_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def unproven(self: PerfectPlayer, game: quet.Game, *, seconds: float, stop: threading.Event) -> str:
        asked.append(seconds)
        raise Unproven("no")

    monkeypatch.setattr(PerfectPlayer, "choose", unproven)
    answers = talk(
        "setoption name level value level:perfect",
        "newgame palindromes m=5",
        *("go movetime 30", "go movetime 1000000", "go sims 3"),
    )
    assert asked == [0.015, 5.0, 5.0]
    assert sum(answer.startswith("bestmove ") for answer in answers) == 3


def test_who_moves_without_a_proof_has_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    given: list[float | None] = []

    def unproven(self: PerfectPlayer, game: quet.Game, *, seconds: float, stop: threading.Event) -> str:
        now[0] += seconds
        raise Unproven("no")

    def stand_in(self: LevelPlayer, game: quet.Game, *, seconds: float | None, **_: object) -> str:
        given.append(seconds)
        return game.legal_moves[0]

    monkeypatch.setattr(ugi, "clock", lambda: now[0])
    monkeypatch.setattr(PerfectPlayer, "choose", unproven)
    monkeypatch.setattr(LevelPlayer, "choose", stand_in)
    talk("setoption name level value level:perfect", "newgame palindromes m=5", "go movetime 4000", "go movetime 60000")
    assert given == [2.0, 55.0]


def test_stop_ends_the_search_for_a_proof_with_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    prove, begun = PerfectPlayer.choose, threading.Event()

    def slow(self: PerfectPlayer, game: quet.Game, *, seconds: float, stop: threading.Event) -> str:
        begun.set()
        assert stop.wait(60)
        return prove(self, game, seconds=seconds, stop=stop)

    monkeypatch.setattr(PerfectPlayer, "choose", slow)
    said: list[str] = []
    engine = ugi.Engine(said.append)
    for line in ("setoption name level value level:perfect", "newgame palindromes m=14", "go level"):
        engine.answer(line.encode())
    assert begun.wait(60)
    engine.answer(b"stop")
    assert said[-1].startswith("bestmove ")


def test_a_search_is_stopped_at_once_and_other_commands_wait_for_that() -> None:
    said: list[str] = []
    engine = ugi.Engine(said.append)
    for line in ("newgame blob n=8", "go sims 1", "stop"):
        engine.answer(line.encode())
    engine.finish(stop=False)
    said.clear()
    for line in ("go movetime 1000000000", "isready", "position startpos moves a1", "go sims 1"):
        engine.answer(line.encode())
    assert said == ["readyok", *["error A search is under way; stop ends it."] * 2]
    engine.answer(b"stop")
    assert said[-1].startswith("bestmove ")
    said.clear()
    engine.answer(b"stop")
    assert said == []


def test_who_has_read_the_best_move_may_go_on_at_once() -> None:
    said: list[str] = []
    is_read, is_asked = threading.Event(), threading.Event()

    def say(line: str) -> None:
        said.append(line)
        if line.startswith("bestmove"):
            is_read.set()
            is_asked.wait(60)
            time.sleep(0.05)  # the thread of the search is still there when the next line is answered

    engine = ugi.Engine(say)
    engine.answer(b"newgame palindromes m=3")
    engine.answer(b"go sims 1")
    assert is_read.wait(60)
    is_asked.set()
    engine.answer(b"position startpos moves 1=0")
    assert said[-1] == "ok"
    assert said[-2].startswith("bestmove")


class Slowly(io.BytesIO):
    """Input that gives one line at a time, the last one when an event is set."""

    def __init__(self, text: bytes, event: threading.Event) -> None:
        super().__init__(text)
        self._event = event
        self._size = len(text)

    def read1(self, size: int | None = -1, /) -> bytes:
        line = self.readline()
        if self.tell() == self._size and line:
            assert self._event.wait(60)
        return line


def test_values_stop_on_stop_and_the_next_lines_are_answered_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    is_asked = threading.Event()

    def advantages(game: quet.Game, budget: Budget) -> dict[str, int] | None:
        is_asked.set()
        assert budget.stop is not None and budget.stop.wait(60)
        return None

    monkeypatch.setattr(ugi, "advantages", advantages)
    answers = io.StringIO()
    lines = b"newgame palindromes m=2\nquery values\nquery mover\nstop\n"
    assert ugi_lines.serve(Slowly(lines, is_asked), answers) == 0
    assert answers.getvalue().splitlines() == ["ok", "response unknown", "response 1"]


@pytest.mark.parametrize("is_late", [False, True])
def test_what_was_asked_before_quit_is_answered_as_without_it(is_late: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    is_asked = threading.Event()

    def slowly(game: quet.Game, budget: Budget) -> dict[str, int] | None:
        is_asked.set()
        time.sleep(0.2)  # meanwhile quit is read
        return advantages(game, budget)

    monkeypatch.setattr(ugi, "advantages", slowly)
    lines, told = b"newgame palindromes m=6\nquery values\nquery known\nquery values\n", []
    for last in (b"", b"quit\nquery mover\n"):
        answers = io.StringIO()
        is_asked.clear()
        asked = Slowly(lines + last.partition(b"query")[0], is_asked) if is_late else io.BytesIO(lines + last)
        assert ugi_lines.serve(asked, answers) == 0
        told.append(answers.getvalue().splitlines())
    assert told[0] == told[1]
    assert [line.split()[:2] for line in told[0][1:]] == [["response", word] for word in ("exact", "row", "exact")]


@pytest.mark.parametrize("go", ["go infinite", "go sims 1000000000", "go movetime 1000000000"])
def test_quit_ends_a_search_at_once(go: str) -> None:
    answers = io.StringIO()
    begun = time.monotonic()
    assert ugi_lines.serve(io.BytesIO(f"newgame blob n=8\n{go}\nquery mover\nquit\n".encode()), answers) == 0
    said = answers.getvalue().splitlines()
    assert said[0] == "ok" and "response 1" in said and said[-1].startswith("bestmove ")
    assert time.monotonic() < begun + 60


def test_nothing_more_is_answered_where_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            time.sleep(0.3)  # meanwhile so many lines come that the reader waits until some are answered
            raise BrokenPipeError

    monkeypatch.setattr(ugi, "advantages", lambda game, budget: asked.append(game))
    for num in (9, 400_000):  # more than may wait: whoever puts them there isn't left waiting
        with pytest.raises(BrokenPipeError):
            ugi_lines.serve(io.BytesIO(b"newgame palindromes m=6\n" + b"query values\n" * num + b"quit\n"), Closed())
    assert not asked


@pytest.mark.parametrize("position", ["palindromes m=12", "blob n=6", "up-and-up n=6"])
def test_no_values_are_found_when_they_are_stopped(position: str) -> None:
    id, *words = position.split()
    stop = threading.Event()
    stop.set()
    game = quet.new(id, **split_parameters(words))
    assert exact_values(game, stop=stop) is None and advantages(game, Budget(60.0, stop=stop)) is None


def test_a_level_plays_by_its_own_settings() -> None:
    answers = talk("setoption name level value level:2", "newgame blob n=6", "go level")
    simulations = LEVELS["level:2"].simulations * len(quet.new("blob", n=6).legal_moves)
    assert answers[-2].startswith(f"info sims {simulations} ")
    assert answers[-1].startswith("bestmove ")


def test_an_infinite_search_waits_for_stop_even_when_it_has_solved_the_game() -> None:
    said: list[str] = []
    is_told = threading.Event()

    def say(line: str) -> None:
        said.append(line)
        if line.startswith("info"):
            is_told.set()

    engine = ugi.Engine(say)
    engine.answer(b"newgame palindromes m=2")
    engine.answer(b"go infinite")
    assert is_told.wait(60)
    assert " score 0.000 exact pv " in said[-1]  # player 2 wins, by however much
    engine.answer(b"position startpos")
    assert said[-1].startswith("error A search is under way")
    engine.answer(b"stop")
    assert said[-1].startswith("bestmove ")


def test_an_infinite_search_ends_with_the_input() -> None:
    answers = io.StringIO()
    assert ugi_lines.serve(io.BytesIO(b"newgame palindromes m=2\ngo infinite\n"), answers) == 0
    assert answers.getvalue().splitlines()[-1].startswith("bestmove ")


def test_the_memory_of_a_search_is_bounded() -> None:
    answers = talk("setoption name memory value 16", "newgame blob n=6", "go sims 20")
    assert answers[:2] == ["ok", "ok"]
    assert answers[-1].startswith("bestmove ")
    with pytest.raises(TooLarge):
        LevelPlayer(LEVELS["level:2"], 1, 1, memory=100).choose(quet.new("blob", n=6), simulations=10)


def test_garbage_is_refused_in_flat_memory() -> None:
    line = b"garbage \xff\n"
    answers = io.StringIO()
    waiting = ugi_lines.Waiting()

    def put() -> None:
        for _ in range(1000):
            waiting.put([line] * 100)

    putting = threading.Thread(target=put, daemon=True)
    putting.start()
    most = total = 0
    while total < 100_000:
        taken = len(waiting.take())
        most, total = max(most, taken), total + taken
    putting.join(60)
    assert most * (len(line) + ugi_lines.OF_A_LINE) <= ugi_lines.MOST_WAITING + 100 * (len(line) + ugi_lines.OF_A_LINE)
    assert ugi_lines.serve(io.BytesIO(line * 1000 + b"x\n" * 1000 + b"isready\n"), answers) == 0
    lines = answers.getvalue().splitlines()
    assert lines[::1000] == ["error The line is not text.", "error There is no command 'x'.", "readyok"]


def test_values_are_exact_or_unknown() -> None:
    assert talk("newgame palindromes m=2", "position startpos moves 1=0", "query values")[-1] == (
        "response exact 2=0:-2 2=1:2"
    )
    assert talk("newgame divisors-multiples r=50", "query values")[-1] == "response unknown"
    assert talk("newgame convoluted-coprimality players=3", "query values")[-1] == "response unknown"


@pytest.mark.parametrize("moves", ["", "a1=1", "a1=1 b1=3 a2=6 b2=2"])
def test_values_are_told_wherever_the_library_knows_them(moves: str) -> None:
    game = quet.new("sums-grid", n=2)
    position = " ".join(["position startpos", *(["moves", moves] if moves else [])])
    for move in moves.split():
        game.play(move)
    known = quet.rl.oracle(game).moves(game)
    assert len(known) > 20
    if not moves:
        assert set(known.values()) == {8}  # any grid can be changed as long as nobody says that it is done
    told = f"response exact {' '.join(f'{move}:{value}' for move, value in known.items())}"
    assert talk("newgame sums-grid n=2", position, "query values")[-1] == told


def test_the_time_for_values_is_that_of_all_moves_together(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Slow:
        seconds = 0.0

        def look(self, game: quet.Game, budget: Budget) -> Known | None:
            asked.append(budget.seconds)
            time.sleep(0.05)
            return Known(How.ROW, low=3, high=3)

    monkeypatch.setattr("quet.knowledge.ask.SOURCES", [Slow()])
    monkeypatch.setattr("quet.knowledge.ask.OF_MOVES", [])
    game = quet.new("blob", n=3)
    assert advantages(game, Budget(60.0)) == dict.fromkeys(game.legal_moves, -3)
    assert asked[-1] < asked[0]
    asked.clear()
    advantages(game, Budget(0.12))
    assert asked[-1] == 0.0  # then only sources that look up are asked


def test_whole_games_agree_with_the_second_referee(our_game_id: str) -> None:
    engine = Asked()
    small: dict[str, dict[str, int]] = {
        "divisors-multiples": {"r": 5, "players": 3},
        "palindromes": {"m": 6},
        "sums-grid": {"n": 2},
        "convoluted-coprimality": {"n": 4, "players": 4, "grids": 2},
    }
    parameters = small.get(our_game_id, {"n": 4})
    other = independent.new(our_game_id, **parameters)
    words = " ".join(f"{name}={value}" for name, value in parameters.items())
    generator = random.Random(2)

    def query(question: str) -> list[str]:
        (answer,) = engine.answer(f"query {question}".encode())
        return answer.removeprefix("response").split()

    assert engine.answer(f"newgame {our_game_id} {words}".encode()) == ["ok"]
    while not other.over() and len(other.moves) < 60:
        assert sorted(query("legal")) == sorted(other.legal())
        assert query("mover") == [str(other.mover())]
        assert query("gameover") == ["false"]
        assert query("winners") == ["none"]
        assert query("scores") == [str(score) for score in other.scores()]
        other.play(generator.choice(sorted(other.legal())))
        assert engine.answer(f"position startpos moves {' '.join(other.moves)}".encode()) == ["ok"]
    if other.over():
        assert query("mover") == ["none"]
        assert query("winners") == [str(player) for player in other.winners()]


def test_the_program_answers_at_once_and_ends_with_status_0() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "quet", "ugi"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdin and program.stdout and program.stderr
        program.stdin.write(b"isready\n\xff\xfe\x00\n")
        program.stdin.flush()
        assert program.stdout.readline() == b"readyok\n"
        assert program.stdout.readline() == b"error The line is not text.\n"
        program.stdin.write(b"quit\n")
        program.stdin.flush()
        assert program.wait(timeout=120) == 0
        assert program.stderr.read() == b""


def test_a_search_that_has_to_be_compiled_first_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    choose = LevelPlayer.choose

    def compiling(*arguments: Any, **options: Any) -> str:
        compiled._tell()
        return choose(*arguments, **options)

    monkeypatch.setattr(LevelPlayer, "choose", compiling)
    answers = talk("newgame palindromes m=4", "go sims 20")
    assert answers[1].startswith("info compiling once, about 10 seconds")
    assert answers[-1].startswith("bestmove ")


def test_what_is_known_is_told_with_its_source_and_its_moves() -> None:
    def known(game: str, *moves: str) -> str:
        lines = f"newgame {game}\nposition startpos moves {' '.join(moves)}\nquery known\n".encode()
        answers = io.StringIO()
        assert ugi_lines.serve(io.BytesIO(lines), answers) == 0
        return answers.getvalue().splitlines()[-1]

    assert known("palindromes m=40", "1=0") == "response strategy low 2 high none moves 40=0"
    assert known("palindromes m=50") == "response strategy low none high -2 moves none"
    assert known("up-and-up n=12").startswith("response result low 144 high 144 moves ")
    assert known("palindromes m=6", "4=0", "5=0", "1=0", "3=0") == "response solved low 14 high 14 moves 2=0"
    assert known("divisors-multiples r=6 players=3") == "response row low none high none moves 2!"
    assert known("divisors-multiples r=22 players=2", "19!") == "response row low -50 high -50 moves 1"
    assert known("palindromes m=1", "1=0") == "response unknown"


def test_a_move_that_needs_no_search_says_how_it_was_found() -> None:
    answers = io.StringIO()
    lines = b"newgame palindromes m=6\nposition startpos moves 4=0 5=0 1=0 3=0\ngo level\n"
    assert ugi_lines.serve(io.BytesIO(lines), answers) == 0
    assert answers.getvalue().splitlines()[2:] == ["info player level:6 note proven: solved", "bestmove 2=0"]


def test_an_engine_that_ponders_thinks_on_until_the_next_command_and_keeps_its_tree() -> None:
    said: list[str] = []
    moved = threading.Event()

    def say(line: str) -> None:
        said.append(line)
        if line.startswith("bestmove"):
            moved.set()

    engine = ugi.Engine(say)
    for line in ("setoption name ponder value perhaps", "setoption name ponder value on", "newgame blob n=5"):
        engine.answer(line.encode())
    assert said == ["error ponder must be on or off, not 'perhaps'.", "ok", "ok"]
    engine.answer(b"go sims 50")
    assert moved.wait(60)
    mover = engine._player
    assert isinstance(mover, LevelPlayer)
    move = said[-1].removeprefix("bestmove ")
    wait_until(lambda: mover._moves != [] and mover._search is not None)
    engine.answer(f"position startpos moves {move}".encode())  # ends the thinking
    assert said[-1] == "ok" and engine._thread is None
    assert mover._moves == [quet.new("blob", n=5).read(move)]
    tree = mover._search
    engine.answer(b"go sims 50")
    engine.finish(stop=True)
    assert mover._search is tree and said[-1].startswith("bestmove ")
