"""Computer players move in time, whatever happens to them or to the server."""

import multiprocessing
import queue
import threading
import time
from collections import deque
from collections.abc import Iterator

import pytest

import quet
from quet.players.levels import LEVELS, PLAIN, LevelPlayer
from quet.players.player import PLAYERS, UNPROVEN
from quet.web import thinking
from quet.web.compiling import Compiling
from quet.web.computers import Computers, Died, NoAnswer, ThinkingProcess, ladder
from quet.web.errors import Away, Unsure
from quet.web.match import SiteMatch
from quet.web.new_games import SeatPlan, SetUp
from quet.web.settings import Settings
from quet.web.shares import AT_LEAST
from quet.web.storage.database import Database
from quet.web.storage.store import PUT_OFF_SECONDS, Store
from quet.web.thinking import Answer, Hurry, Job, answer
from quet.web.views.table import TableView
from quet.web.views.words import row_words

from .serving import wait_for

PATIENCE = 60.0


class Scripted:
    """A process that does what its script says: a move, or something that goes wrong."""

    script: tuple[str, ...] = ()
    asked: list[str] = []  # noqa: RUF012 - shared, as the script is
    compiling = Compiling()
    num_ended = 0
    num_hurried = 0

    def start(self) -> None:
        """Nothing has to be started."""

    def ask(self, job: Job) -> None:
        """Take the next line of the script."""
        type(self).asked.append(job.computer)
        self._line = self.script[len(self.asked) - 1]
        if self._line == "dead":
            raise Died
        self._move = answer(job).move if self._line in ("moves", "thinks") else ""

    def answer(self, seconds: float) -> Answer | None:
        """What the line says."""
        if self._line == "dies":
            raise Died
        if self._line == "raises":
            return Answer(error="ValueError: No.")
        if self._line == "nonsense":
            return Answer("nonsense")
        if self._line == "hangs" or (self._line == "thinks" and not self.num_hurried):
            time.sleep(min(seconds, 0.02))
            return None
        return Answer(self._move)

    def hurry(self) -> None:
        """Count."""
        type(self).num_hurried += 1

    def end(self) -> None:
        """Count."""
        type(self).num_ended += 1


class Queued(Scripted):
    """Answers one job after another, as a process does, at each second look. Its moves tell the size of the game."""

    def __init__(self) -> None:
        self.jobs: deque[Job] = deque()
        self.is_looked_at = False

    def ask(self, job: Job) -> None:
        """Put the job behind those that have no answer yet."""
        self.jobs.append(job)

    def answer(self, seconds: float) -> Answer | None:
        """The answer to the oldest job."""
        self.is_looked_at = not self.is_looked_at
        return None if self.is_looked_at else Answer(f"{self.jobs.popleft().parameters['m']}=0")

    def end(self) -> None:
        """Forget the jobs."""
        self.jobs.clear()
        self.is_looked_at = False


@pytest.fixture
def store(sqlite_url: str) -> Iterator[Store]:
    database = Database(sqlite_url)
    database.upgrade()
    yield Store(database)
    database.close()


def table(store: Store, computer: str = "random", m: int = 6) -> SiteMatch:
    """A game of palindromes in which the computer opens."""
    return store.create(SetUp("palindromes", {"m": str(m)}, (SeatPlan(computer), SeatPlan())), "ann", time.time())


def wait_for_ply(store: Store, match: SiteMatch, ply: int) -> SiteMatch:
    end = time.monotonic() + PATIENCE
    while (now := store.load(match.id)).game.ply < ply:
        assert time.monotonic() < end, "The computer doesn't move."
        time.sleep(0.01)
    return now


def play(store: Store, match: SiteMatch, *script: str, attempt: int = 1, seconds: float = 0.05) -> list[str]:
    """Who was asked for a move, when their processes do what the script says."""
    process = type("Process", (Scripted,), {"script": script, "asked": [], "num_ended": 0})
    computers = Computers(store, number=1, seconds=seconds, process=process)
    due = None
    for _ in range(attempt):
        due = store.claim_computer_move(time.time() + 1_000 * attempt, -500.0)
    assert due is not None and due.id == match.id and due.attempt == attempt
    computers.play(due, process())
    return process.asked  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize("computer", PLAYERS)
def test_who_fails_is_replaced_and_the_last_can_do_it(computer: str) -> None:
    assert ladder(computer)[0] == computer and ladder(computer)[-1] == "random"
    assert len(set(ladder(computer))) == len(ladder(computer))


@pytest.mark.parametrize("computer", ["level:7", "level:perfect", "level:6"])
def test_a_player_who_thinks_long_answers_when_another_game_waits(store: Store, computer: str) -> None:
    match = table(store, computer)
    process = type("Process", (Scripted,), {"script": ("thinks", "thinks", "moves"), "asked": [], "num_hurried": 0})
    computers = Computers(store, number=1, seconds=0.3, process=process)
    due = store.claim_computer_move(time.time(), 60.0)
    assert due is not None and due.id == match.id
    assert not store.has_computer_move(time.time())
    table(store)
    assert store.has_computer_move(time.time())
    computers.play(due, process())
    is_patient = computer != "level:6"
    assert process.num_hurried == is_patient  # type: ignore[attr-defined]
    assert store.load(match.id).progress.stand_in(1) == ("" if is_patient else "level:1")


def test_a_hurry_ends_a_search_and_one_that_comes_late_is_passed_over() -> None:
    ours, theirs = multiprocessing.Pipe()
    jobs: queue.SimpleQueue[tuple[Job, threading.Event] | None] = queue.SimpleQueue()
    thread = threading.Thread(target=thinking._listen, args=(theirs, jobs))
    thread.start()
    ours.send(Hurry())
    job = Job("palindromes", {"m": "24"}, (), "level:7", 1)
    ours.send(job)
    asked = jobs.get()
    assert asked is not None
    taken, stop = asked
    assert taken == job and not stop.is_set()
    ours.send(Hurry())
    assert stop.wait(60)
    assert answer(job, stop).move in quet.new("palindromes", m=24).legal_moves
    ours.close()
    assert jobs.get() is None
    thread.join()


def test_where_a_hurry_ends_the_search_for_a_proof_level_6_moves_and_takes_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stops: list[threading.Event | None] = []

    def choose(self: LevelPlayer, game: quet.Game, *, stop: threading.Event | None = None) -> str:
        stops.append(stop)
        return game.legal_moves[0]

    monkeypatch.setattr(LevelPlayer, "choose", choose)
    stop = threading.Event()
    stop.set()
    found = answer(Job("palindromes", {"m": "30"}, (), "level:perfect", 1), stop)
    assert (found.error, found.stand_in, stops) == ("", UNPROVEN, [None])


def test_a_computer_player_moves(store: Store) -> None:
    match = table(store, "level:3")
    assert play(store, match, "moves") == ["level:3"]
    assert store.load(match.id).game.ply == 1


@pytest.mark.parametrize("fault", ["raises", "nonsense"])
def test_a_player_that_fails_is_replaced_by_a_weaker_one_and_the_row_says_so(store: Store, fault: str) -> None:
    match = table(store, "level:3")
    assert play(store, match, fault, "moves") == ["level:3", "level:1"]
    after = store.load(match.id)
    assert after.game.ply == 1
    assert after.rows[-1].kind == "move/level:1" and after.progress.stand_in(1) == "level:1"


@pytest.mark.parametrize("fault", ["dead", "dies", "hangs"])
def test_a_player_whose_process_dies_or_is_ended_tries_again_before_a_weaker_one_moves(
    store: Store, fault: str
) -> None:
    match = table(store, "level:3")
    assert play(store, match, fault, "moves") == ["level:3", "level:3"]
    assert store.load(match.id).rows[-1].kind == "move"
    match = table(store, "level:3")
    assert play(store, match, fault, fault, "moves") == ["level:3", "level:3", "level:1"]
    assert store.load(match.id).rows[-1].kind == "move/level:1"


def test_when_all_fail_a_move_is_made_by_chance(store: Store) -> None:
    match = table(store, "level:perfect")
    asked = play(store, match, "dies", "raises", "hangs", "hangs", "dead", "dead", "raises")
    assert asked == ["level:perfect"] * 2 + ["level:6"] * 2 + ["level:1"] * 2 + ["random"]
    after = store.load(match.id)
    assert after.game.ply == 1 and after.progress.stand_in(1) == "random"
    assert row_words(after, after.rows[-1]).endswith("It had failed, so this is a move by chance.")


def test_moves_without_a_proof_are_told_together_and_not_as_a_failure(store: Store) -> None:
    class Unproven(Scripted):
        """Answers as level:perfect does where nothing is proven."""

        def ask(self, job: Job) -> None:
            """Take the job."""
            self._line = ""

        def answer(self, seconds: float) -> Answer:
            """The first legal move, which level:6 chose."""
            return Answer(store.load(match.id).game.legal_moves[0], stand_in=UNPROVEN)

    match = table(store, "level:perfect")
    for reply in ("6=0", "5=0"):
        due = store.claim_computer_move(time.time(), 5.0)
        assert due is not None
        Computers(store, number=1, seconds=PATIENCE).play(due, Unproven())
        store.act(match.id, "ann", "move", reply, None, time.time())
    shown = TableView(store.load(match.id), "ann", time.time(), "http://quet")
    assert shown.stand_ins == ["Moves 1, 3: No move was proven, so the computer (level 6) moved in its place."]


@pytest.mark.parametrize("failing", ["renew", "has_computer_move", "add_computer_move"])
@pytest.mark.parametrize("error", [Away, Unsure])
def test_an_outage_is_no_failure_of_the_player_and_its_answer_is_not_taken_for_the_next(
    store: Store, monkeypatch: pytest.MonkeyPatch, failing: str, error: type[Away]
) -> None:
    def fail(*args: object) -> None:
        raise error("No database.")

    process = Queued()
    computers = Computers(store, number=1, seconds=PATIENCE, process=Queued)
    match = table(store, "level:7")
    due = store.claim_computer_move(time.time(), 60.0)
    assert due is not None
    with monkeypatch.context() as outage:
        outage.setattr(store, failing, fail)
        with pytest.raises(Away):
            computers.play(due, process)
    assert store.load(match.id).game.ply == 0
    other = table(store, "level:2", m=40)
    due = store.claim_computer_move(time.time(), 60.0)
    assert due is not None and due.id == other.id
    computers.play(due, process)
    assert [(row.kind, row.text) for row in store.load(other.id).rows[1:]] == [("move", "40=0")]


def test_a_move_over_which_servers_have_died_is_left_to_a_weaker_player(store: Store) -> None:
    match = table(store, "level:6")
    assert play(store, match, "moves", attempt=3) == ["level:1"]


def test_a_move_over_which_very_many_servers_have_died_is_made_by_chance(store: Store) -> None:
    match = table(store, "level:6")
    assert play(store, match, attempt=40) == []
    assert store.load(match.id).game.ply == 1


def test_a_move_that_breaks_again_and_again_takes_no_time_of_others(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = table(store)
    computers = Computers(store, number=1, seconds=PATIENCE)
    for attempt, seconds in ((1, 5.0), (2, PUT_OFF_SECONDS)):
        now = time.time() + 10 * attempt
        monkeypatch.setattr(store.clock, "now", lambda now=now: now)
        due = store.claim_computer_move(now, 5.0)
        assert due is not None and (due.id, due.attempt) == (match.id, attempt)
        computers._let_wait(due)
        assert not store.has_computer_move(now + seconds - 1) and store.has_computer_move(now + seconds + 1)


@pytest.mark.parametrize(("line", "num_ended"), [("hangs", 1), ("thinks", 0)])
def test_a_move_that_nobody_waits_for_any_more_is_given_up(store: Store, line: str, num_ended: int) -> None:
    match = store.create(SetUp("palindromes", {"m": "6"}, (SeatPlan(), SeatPlan("level:6"))), "ann", time.time())
    match = store.act(match.id, "ann", "move", "1=0", None, time.time())
    process = type("Process", (Scripted,), {"script": (line,), "asked": [], "num_ended": 0})
    computers = Computers(store, number=1, seconds=PATIENCE, process=process)
    due = store.claim_computer_move(time.time(), 5.0)
    assert due is not None

    def undo() -> None:
        wait_for(lambda: bool(process.asked), "the question")  # type: ignore[attr-defined]
        store.act(match.id, "ann", "undo", "", None, time.time())

    undoing = threading.Thread(target=undo)
    undoing.start()
    computers.play(due, process())
    undoing.join()
    assert store.load(match.id).game.moves == []
    assert process.num_ended == num_ended  # type: ignore[attr-defined]


def test_while_code_is_compiled_players_answer_in_plain_python_and_the_page_says_so(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Plain(Scripted):
        """Chooses as a process does in which nothing is compiled."""

        def ask(self, job: Job) -> None:
            """Take the job."""
            assert not job.compiles
            self._line = ""

        def answer(self, seconds: float) -> Answer:
            """A move that plain Python chose."""
            return Answer("1=0", stand_in=PLAIN)

    monkeypatch.setattr(Computers, "are_ready", False)
    match = table(store, "level:4")
    due = store.claim_computer_move(time.time(), 5.0)
    assert due is not None
    Computers(store, number=1, seconds=PATIENCE).play(due, Plain())
    match = store.load(match.id)
    assert match.rows[-1].kind == "move/plain"
    assert "still being compiled" in row_words(match, match.rows[-1])
    match = store.act(match.id, "ann", "move", "2=0", None, time.time())
    shown = TableView(store.load(match.id), "ann", time.time(), "http://quet")
    assert shown.stand_ins == ["Move 1: Its code was still being compiled, so it moved with less strength."]
    assert SiteMatch.of(match.row, match.seats, match.rows).progress.stand_in(1) == PLAIN


def test_a_process_answers_and_lives_on_after_an_error() -> None:
    process = ThinkingProcess()
    try:
        for job, is_error in [
            (Job("palindromes", {"m": "4"}, ("1=0",), "random", 1), False),
            (Job("palindromes", {"m": "4"}, ("9=0",), "random", 1), True),
            (Job("palindromes", {"m": "4"}, ("1=0", "2=0"), "random", 1), False),
        ]:
            process.ask(job)
            found = process.answer(PATIENCE)
            assert found is not None and bool(found.error) == is_error and bool(found.move) != is_error
    finally:
        process.end()


def test_a_process_that_dies_is_noticed_and_started_again() -> None:
    process = ThinkingProcess()
    try:
        process.ask(Job("palindromes", {"m": "4"}, (), "random", 1))
        assert process.answer(PATIENCE) is not None
        process._child.kill()
        with pytest.raises(NoAnswer):  # the pipe may take the job before the death is known
            process.ask(Job("palindromes", {"m": "4"}, (), "random", 1))
            process.answer(PATIENCE)
            raise NoAnswer("It was started again at once.")
        process.ask(Job("palindromes", {"m": "4"}, (), "random", 1))
        assert process.answer(PATIENCE) is not None
    finally:
        process.end()


def test_the_computers_play_on_what_they_find_and_what_comes(store: Store) -> None:
    found = table(store)
    computers = Computers(store, number=2, seconds=PATIENCE)
    computers.start()
    try:
        tables = [found, *(table(store, m=4) for _ in range(5))]
        for match in tables:
            match = wait_for_ply(store, match, 1)
            move = match.game.legal_moves[0]
            match = store.act(match.id, "ann", "move", move, match.num_rows, time.time())
            wait_for_ply(store, match, 3)
    finally:
        computers.stop()
    assert store.shares._had[""] > 12 * AT_LEAST  # a move each, and how long it took


def test_what_was_claimed_is_given_back_when_the_server_ends(store: Store) -> None:
    process = type("Process", (Scripted,), {"script": ("hangs",) * 9, "asked": [], "num_ended": 0})
    match = table(store)
    computers = Computers(store, number=1, seconds=PATIENCE, process=process)
    computers.start()
    end = time.monotonic() + PATIENCE
    while not process.asked and time.monotonic() < end:  # type: ignore[attr-defined]
        time.sleep(0.01)
    computers.stop()
    due = store.claim_computer_move(time.time(), 5.0)
    assert due is not None and (due.id, due.attempt) == (match.id, 1)


def test_the_lost_move_of_a_server_that_died_is_made_by_the_next(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    match = table(store)
    assert store.claim_computer_move(time.time(), 0.3) is not None  # by a server that is no more
    monkeypatch.setattr("quet.web.computers.IDLE_SECONDS", 0.05)
    computers = Computers(store, number=1, seconds=PATIENCE)
    computers.start()
    try:
        wait_for_ply(store, match, 1)
    finally:
        computers.stop()


def test_the_levels_think_in_far_less_time_than_is_allowed() -> None:
    assert max(level.seconds + level.knowing_seconds for level in LEVELS.values()) < Settings.computer_seconds / 2
