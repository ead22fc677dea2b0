"""Computer players: each thread here claims a game in which a computer player is to move, and starts its own process.

A claim is a lease in the database. It lasts a few seconds, and the thread renews it while the process thinks. If a
server dies, its leases run out, and another server takes up the move. A process that takes too long is ended. If a
process dies or is ended, its player tries the move once more. If a player fails, a weaker one replaces it for this
move, and in the end chance; so no game waits for ever, and the row of the move says who chose it. While code is being
compiled, players answer in plain Python, so that nobody waits for that either. A player who thinks for seconds answers
at once where other games wait for a computer player. Those who have games waiting take turns: `shares.py`.
"""

import contextlib
import logging
import random
import threading
import time
from typing import Protocol

from ..core.errors import QuetError
from ..players.levels import LEVELS, PATIENT
from ..players.preparation import Preparation
from ..starts import start_line
from .children import Child
from .compiling import Compiling
from .errors import Away, Gone, Missing, NoSuchGame
from .log import shortened
from .match import SiteMatch
from .storage.claims import Due
from .storage.store import PUT_OFF_SECONDS, Store
from .thinking import Answer, Hurry, Job, serve

log = logging.getLogger(__name__)

LEASE_SECONDS = 5.0
RENEWAL_SECONDS = 0.75  # after which a player is asked to answer soon where other games wait
REST_SECONDS = 2.0  # for which a process is waited for whose answer nobody wants any more, before it is ended
IDLE_SECONDS = 1.0  # between two looks for moves that other processes left
TRIES = 2  # of a player whose moves make processes or servers die or take too long, before a weaker one replaces it


class NoAnswer(QuetError):
    """A computer player failed, or took too long."""


class Died(NoAnswer):
    """The process in which a computer player thought has ended."""

    def __init__(self) -> None:
        super().__init__("The process has ended.")


class Late(NoAnswer):
    """A computer player took too long, and its process was ended."""


class Unwanted(QuetError):
    """Nobody waits for the move any more."""


class Process(Protocol):
    """A process that thinks, or a test's stand-in."""

    def start(self) -> None:
        """Start the process before it is asked, so that its first answer is quick."""

    def ask(self, job: Job) -> None:
        """Begin to think about a job. Raises Died."""

    def answer(self, seconds: float) -> Answer | None:
        """The answer, or None if there is none after so many seconds. Raises NoAnswer if there will never be one."""

    def hurry(self) -> None:
        """Ask for the answer now, whatever has been found."""

    @property
    def compiling(self) -> Compiling:
        """How long it has compiled."""

    def end(self) -> None:
        """End the process at once."""


class ThinkingProcess:
    """A process that starts when it is first asked, and starts again when it has ended."""

    def __init__(self) -> None:
        self._child = Child(serve, "quet-computer")

    @property
    def compiling(self) -> Compiling:
        """For how long the process has compiled."""
        return self._child.compiling

    def ask(self, job: Job) -> None:
        """Begin to think about a job. Raises Died."""
        try:
            self._child.running().send(job)
        except OSError:
            raise Died from None

    def answer(self, seconds: float) -> Answer | None:
        """The answer, or None if there is none after so many seconds. Raises NoAnswer if there will never be one."""
        try:
            if not self._child.pipe.poll(seconds):
                return None
            answer = self._child.pipe.recv()
        except (EOFError, OSError):
            self.end()
            raise Died from None
        assert isinstance(answer, Answer)
        return answer

    def hurry(self) -> None:
        """Ask for the answer now. A process that has died is found out when its answer is awaited."""
        with contextlib.suppress(OSError):
            self._child.pipe.send(Hurry())

    def end(self) -> None:
        """End the process at once."""
        self._child.end()

    def start(self) -> None:
        """Start the process, anew if there was one."""
        self._child.start()


class Computers:
    """The computer players of this server process."""

    def __init__(
        self,
        store: Store,
        *,
        number: int,
        seconds: float,
        prepares: bool = False,
        process: type[Process] = ThinkingProcess,
    ) -> None:
        """`number` of them think at the same time, each for at most `seconds` about a move; compiling isn't counted.

        If it `prepares`, a process beside them compiles what all games need; else each compiles what it needs.
        """
        self._store, self._seconds, self._process = store, seconds, process
        self._prepares = prepares
        self._preparation: Preparation | None = None
        self._threads = [threading.Thread(target=self._run, name=f"computer-{k}") for k in range(number)]
        self._news = threading.Condition()
        self._num_news = 0
        self._is_ending = False

    def start(self) -> None:
        """Begin to look for moves to be made."""
        self._store.listeners.append(self._changed)
        if self._prepares:
            self._preparation = Preparation()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End all thinking, give back the claims, and wait until that is done."""
        with self._news:
            self._is_ending = True
            self._news.notify_all()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()
        if self._preparation is not None:
            self._preparation.end()

    @property
    def are_ready(self) -> bool:
        """Whether no other process compiles for them, or it has ended."""
        return self._preparation is None or self._preparation.is_over

    def _changed(self, match: SiteMatch) -> None:
        """Listen to the store; called in any thread."""
        if match.row.is_computer_due:
            with self._news:
                self._num_news += 1
                self._news.notify()

    def _run(self) -> None:
        process = self._process()
        if not self.are_ready:
            process.start()
        try:
            while not self._is_ending:
                seen, due = self._num_news, None
                try:
                    due = self._store.claim_computer_move(self._store.clock.now(), LEASE_SECONDS)
                    if due is not None:
                        self._play_and_count(due, process)
                        continue
                except Away:  # the log has a line about the outage
                    pass
                except Exception:  # a game is broken; the other games must go on
                    log.exception("A computer player's move has failed.")
                    self._let_wait(due)
                self._wait_for_news(seen)
        finally:
            process.end()

    def _play_and_count(self, due: Due, process: Process) -> None:
        begun = time.monotonic()
        try:
            self.play(due, process)
        finally:
            self._store.shares.end(due.creator, time.monotonic() - begun)

    def _let_wait(self, due: Due | None) -> None:
        """Leave a move that has failed before to a later look, so that it doesn't take the time of others."""
        if due is not None and due.attempt > 1:
            with contextlib.suppress(Exception):  # the database may be the reason; then the claim lapses
                self._store.renew(due, self._store.clock.now() + PUT_OFF_SECONDS)

    def _wait_for_news(self, seen: int) -> None:
        with self._news:
            self._news.wait_for(lambda: self._is_ending or self._num_news != seen, IDLE_SECONDS)

    def play(self, due: Due, process: Process) -> None:
        """Make the claimed move, by the seat's player or a weaker one."""
        try:
            match = self._store.load(due.id)
        except Missing as error:
            self._store.give_up(due, self._store.clock.now() + PUT_OFF_SECONDS)
            log.warning("The computer player's move in game %s waits: %s", shortened(due.id), error)
            return
        except NoSuchGame:  # an operator took it away just then
            return
        except Gone:
            self._store.lay_aside(due.id)
            return
        if match.num_rows != due.ply or match.mover is None:
            return
        wanted = match.seat(match.mover).computer
        for computer in ladder(wanted)[(due.attempt - 1) // TRIES :]:
            try:
                answer = self._move(match, computer, due, process)
                stand_in = answer.stand_in if computer == wanted else computer
                self._store.add_computer_move(due, answer.move, self._store.clock.now(), stand_in, answer.expects)
                return
            except (Unwanted, NoSuchGame):
                return
            except Away:  # no fault of the player; the move is claimed again when the database answers
                raise
            except QuetError as error:
                log.warning("Computer player %s of %s has failed: %s", computer, match.row.game, error)
        game = match.game
        move = game.rules.move_text(game.state, random.choice(game.legal_numbers()))
        self._store.add_computer_move(due, move, self._store.clock.now(), "" if wanted == "random" else "random")

    def _move(self, match: SiteMatch, computer: str, due: Due, process: Process) -> Answer:
        """The move of a computer player, which tries again if its process dies or is ended.

        Raises NoAnswer, and Unwanted if nobody waits for the move any more.
        """
        for _ in range(TRIES - 1):
            try:
                return self._move_at_once(match, computer, due, process)
            except (Died, Late) as error:
                log.warning("Computer player %s of %s tries again: %s", computer, match.row.game, error)
        return self._move_at_once(match, computer, due, process)

    def _move_at_once(self, match: SiteMatch, computer: str, due: Due, process: Process) -> Answer:
        row = match.row
        seed = row.seed + 1_000 * due.ply
        moves, start = tuple(match.game.moves), start_line(match.game)
        job = Job(row.game, row.parameters, moves, computer, seed, compiles=self.are_ready, start=start)
        try:
            answer = self._answer(job, due, process)
        except BaseException as error:  # else the answer that is still to come would be taken for that to the next job
            if not (isinstance(error, Unwanted) and self._comes_to_rest(process)):
                process.end()
            raise
        if answer.error:
            raise NoAnswer(answer.error)
        return answer

    def _comes_to_rest(self, process: Process) -> bool:
        """Whether the process has the unwanted answer soon: then it may stay, and no other has to be started."""
        if self._is_ending:
            return False
        process.hurry()
        try:
            return process.answer(REST_SECONDS) is not None
        except NoAnswer:
            return False

    def _answer(self, job: Job, due: Due, process: Process) -> Answer:
        """What the process answers. Raises NoAnswer, Unwanted and Away; then it may still be at work on the job."""
        process.ask(job)
        limit = process.compiling.limit(self._seconds)
        can_hurry = thinks_long(job.computer)
        while limit.left > 0:
            answer = process.answer(min(RENEWAL_SECONDS, self._seconds))
            if answer is not None:
                return answer
            if can_hurry and self._store.has_computer_move(self._store.clock.now()):
                process.hurry()
                can_hurry = False
            if self._is_ending:
                self._store.give_up(due, None)
                raise Unwanted("The server ends.")
            if not self._store.renew(due, self._store.clock.now() + LEASE_SECONDS):
                raise Unwanted("The game has moved on.")
        raise Late(f"It took longer than {self._seconds:g} seconds.")


def thinks_long(computer: str) -> bool:
    """Whether a computer player may take seconds for a move, so that it is asked to answer where other games wait."""
    return computer == "level:perfect" or (computer in LEVELS and LEVELS[computer].seconds >= PATIENT)


def ladder(computer: str) -> list[str]:
    """A computer player, and the players that replace it when it fails, in order."""
    below = {"level:1": [], "random": []}.get(computer, ["level:1"])
    if computer in ("level:7", "level:perfect"):
        below = ["level:6", *below]
    return list(dict.fromkeys([computer, *below, "random"]))
