"""Play line by line, in words alone, for pipes and screen readers.

A line is a command, a question or a move. The answer is always sentences, without drawing, colours or cursor control.
If a line is none of these, the answer says what is wrong, and nothing changes.
"""

import math
import sys
from collections.abc import Callable
from typing import BinaryIO, TextIO

from ..core.clock import COMPILING
from ..core.errors import BadRecord, IllegalMove, QuetError
from ..core.messages import listed
from ..core.quoting import printable
from ..play.files import exists, path_of
from ..play.session import DECLINED, Choice, Kept, Seat, Session
from ..players.levels import PLAIN
from ..players.preparation import Beside
from ..records import record as records
from ..records.outcome import NOT_NAMES
from ..terminal.remembered import Remembered
from . import files, in_words
from .files import STANDARD
from .lines import LONGEST_LINE, line_text

HELP = """\
Type a move to play it, as in the rules of the game. Or one of these:
board: every row of the board in words. notes: what the game says about the position, such as what comes next.
goal: what the player to move wants, and what to do now. It is said by itself when it changes.
row 3, column c, square c3: a part of the board. Rows and columns are numbered and lettered as squares are;
where squares have no letters, rows are counted from the top.
legal: the legal moves. score: the scores, and what they are made of. moves: the moves played.
rules: the rules and rulings of the game. who: who plays, whose turn it is, and the clocks.
hint: a good move, what it is worth, and how the game may go on; it takes about a second.
reachable: the score that a solitaire can still reach, which takes about a second too.
undo, redo: take back the last move, or play it again. go: let the computer player move after an undo.
resign: give the game up. draw: offer a draw to the other players; each person answers with accept or decline, and the
offer is off when somebody moves who is asked. A computer player agrees to a draw if its score is not better than yours.
save FILE, replace FILE, load FILE: keep the game in a new file, or in one that is there already, or go on with one.
load FILE 2: go on with the second game of a file. save - prints the record.
A file keeps no clocks: those of a game that is loaded begin anew.
help: this. quit: the end. At a terminal, a game that goes on and is not saved is kept where the terminal or the machine
ends, or the input; the next start asks about it. Before quit and load it is said that a game is not saved."""


def run(
    session: Session,
    lines: BinaryIO | None = None,
    out: TextIO | None = None,
    *,
    beside: Beside | None = None,
    remembered: Callable[[], Remembered] = Remembered,
) -> int:
    """Play the session with lines from `lines` (standard input) to `out` (standard output); return the exit status.

    `beside` compiles what computer players need; without it, each waits for what it needs. `remembered` finds what is
    known from before, and keeps the game.

    0 after `quit` or at the end of input, 130 after Ctrl-C. Only where the input is a terminal there is a prompt, and
    a game is kept and asked about: a script isn't answered by what somebody played before.
    Raises BrokenPipeError when nobody reads the output any more.
    """
    lines, out = lines or sys.stdin.buffer, out or sys.stdout
    known = remembered() if lines.isatty() else Remembered()
    conversation = _Conversation(session, out, beside, known)
    with known.alone():
        try:
            conversation.hold(lines)
        except KeyboardInterrupt:
            conversation.tell_what_is_kept()
            return 130
    return 0


class _Quit(Exception):
    """The player has had enough."""


class _Conversation:
    def __init__(self, session: Session, out: TextIO, beside: Beside | None, known: Remembered) -> None:
        self.session = session
        self.beside = beside
        self.known = known
        self.out = out
        # What a file of the player's has, if any has something of this game, and what the unfinished game's has.
        self.saved: Kept | None = session.kept
        self.kept: Kept = session.kept
        self.is_asked = False  # whether the player is asked before an unsaved game is left
        self.leaving = ""  # the command that would leave it, if it was the last line
        self.was_over = False
        self.goals: dict[int, str] = {}  # what each player was told last
        self.commands: dict[str, Callable[[str], None]] = {
            "board": self.board,
            "notes": self.notes,
            "goal": self.goal,
            "row": self.row,
            "column": self.column,
            "square": self.square,
            "legal": self.legal,
            "hint": self.hint,
            "reachable": self.reachable,
            "score": self.score,
            "moves": self.moves,
            "rules": self.rules,
            "who": self.who,
            "undo": self.undo,
            "redo": self.redo,
            "go": self.go,
            "resign": self.resign,
            "draw": self.draw,
            "accept": self.accept,
            "decline": self.decline,
            "save": self.save,
            "replace": self.replace,
            "load": self.load,
            "help": self.help,
            "quit": self.quit,
        }

    def hold(self, lines: BinaryIO) -> None:
        """Answer line after line until the last one, or `quit`."""
        self.is_asked = lines.isatty()
        try:
            self.ask_about_the_unfinished(lines)
            self.greet()
            while True:
                self.keep()
                line = self.line(lines)
                try:
                    self.answer(line_text(line, lines))
                except QuetError as error:
                    self.say(str(error))
                self.tell_the_end()
                self.tell_the_goal()
        except EOFError:
            self.tell_what_is_kept()
        except _Quit:
            return

    def greet(self) -> None:
        """Say what is played and by whom, and let computer players begin."""
        self.say(f"{self.what()}. Type help for help, quit to end.")
        self.seats()
        self.say(self.turn())
        self.let_computers_play()
        self.tell_the_goal()

    def what(self) -> str:
        """The title of the game, and after how many moves it is gone on with."""
        game = self.session.game
        after = f", after {game.ply} move{'' if game.ply == 1 else 's'}" if game.moves else ""
        return f"{game.scene(legal=False).title}{after}"

    def line(self, lines: BinaryIO) -> bytes:
        """The next line, with its end; raises EOFError where there is none."""
        if self.is_asked:
            self.out.write("> ")
            self.out.flush()
        line = lines.readline(LONGEST_LINE + 1)
        if not line:
            raise EOFError
        return line

    def say(self, *sentences: str) -> None:
        for sentence in sentences:
            encoding = getattr(self.out, "encoding", None) or "utf-8"
            self.out.write(sentence.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        self.out.flush()

    def answer(self, line: str) -> None:
        """Carry out a line. Raises QuetError; then nothing has changed."""
        name, _, rest = line.strip().partition(" ")
        if name.lower() != self.leaving:
            self.leaving = ""
        command = self.commands.get(name.lower())
        if command is not None:
            command(rest.strip())
        elif line.strip():
            self.play(line)

    # Moves.

    def play(self, text: str) -> None:
        if self.session.is_computer_to_move:
            raise IllegalMove("It is the computer's turn; go lets it move.")
        self.tell_move(lambda: Choice(self.session.play_typed(text)))
        self.let_computers_play()

    def let_computers_play(self) -> None:
        while self.session.is_computer_to_move:
            self.keep()  # it may think for long
            try:
                self.tell_move(self.session.play_computer)
            except IllegalMove:  # its time ran out this moment
                break
            self.tell_beside(self.session.match.stand_in(self.session.game.ply))
        self.tell_the_end()

    def tell_move(self, play: Callable[[], Choice]) -> None:
        """Play, and say who moved, what a computer player expects, the scores if they changed, and who is to move."""
        session = self.session
        mover, before = session.mover, session.game.scores
        choice = play()
        sentences = [session.told(mover, choice)]
        if session.game.scores != before:
            sentences.append(f"{self.scores()}.")
        if session.mover is not None:
            sentences.append(f"Player {session.mover} to move.")
        self.say(" ".join(sentences))

    def tell_beside(self, stand_in: str) -> None:
        """If a search ran in plain Python, begin to compile it, or say that it is still being compiled."""
        if self.beside is not None and stand_in == PLAIN:
            game_id = self.session.game.id
            was_under_way = self.beside.under_way(game_id) is not None
            self.beside.moved(game_id, stand_in)
            self.say(
                "The search is still being compiled, so this was a shorter look."
                if was_under_way
                else f"Compiling, once, {COMPILING}; until then the computer moves with less strength."
            )

    def tell_the_end(self) -> None:
        """Say the result, once."""
        if self.session.is_over and not self.was_over:
            self.say(f"The game is over. {self.session.verdict}")
        self.was_over = self.session.is_over

    def tell_the_goal(self) -> None:
        """Say what the person to move is to do now, where that player wasn't told the same before."""
        session = self.session
        if session.mover is None or session.is_computer_to_move:
            return
        goal = session.game.goal
        if self.goals.get(session.mover) != goal:
            self.goals[session.mover] = goal
            self.say(goal)

    def undo(self, rest: str) -> None:
        self.say(f"Taken back: {listed(self.session.undo())}. {self.whose_turn()}")
        self.was_over = self.session.is_over

    def redo(self, rest: str) -> None:
        self.say(f"Played again: {listed(self.session.redo())}. {self.whose_turn()}")

    def go(self, rest: str) -> None:
        self.session.match.check_computers_turn()
        self.let_computers_play()

    def resign(self, rest: str) -> None:
        self.session.resign()  # the result, which is told next, says who resigned

    def draw(self, rest: str) -> None:
        player = self.session.speaker
        if not self.session.offer_draw():
            self.say(DECLINED)
        elif not self.session.is_over:
            self.say(f"Player {player} offers a draw. {self.who_is_asked()}")

    def accept(self, rest: str) -> None:
        player = self.session.answer_draw(agrees=True)
        if not self.session.is_over:
            self.say(f"Player {player} accepts the draw. {self.who_is_asked()}")

    def decline(self, rest: str) -> None:
        self.say(f"Player {self.session.answer_draw(agrees=False)} declines the draw. {self.whose_turn()}")

    def who_is_asked(self) -> str:
        return f"Player {self.session.asked[0]} may accept or decline."

    def turn(self) -> str:
        return "The game is over." if self.session.mover is None else f"Player {self.session.mover} to move."

    def whose_turn(self) -> str:
        """Whose turn it is, where nobody moves before the next line."""
        if self.session.is_computer_to_move:
            return f"{self.turn()[:-1]}; it is a computer player, and go lets it move."
        return self.turn()

    # Questions.

    def board(self, rest: str) -> None:
        self.say(*in_words.board(self.session.game.scene(legal=False)))
        if self.session.game.moves:
            self.say(f"The last move was {self.session.game.moves[-1]}. {self.whose_turn()}")

    def notes(self, rest: str) -> None:
        self.say(*self.session.game.scene(legal=False).notes)

    def goal(self, rest: str) -> None:
        self.say("The game is over." if self.session.is_over else self.session.game.goal)

    def row(self, rest: str) -> None:
        self.say(in_words.row(self.session.game.scene(legal=False), rest))

    def column(self, rest: str) -> None:
        self.say(in_words.column(self.session.game.scene(legal=False), rest))

    def square(self, rest: str) -> None:
        self.say(in_words.square(self.session.game.scene(), rest))

    def legal(self, rest: str) -> None:
        moves = [] if self.session.is_over else self.session.game.legal_moves
        if not moves:
            self.say("No move is legal: the game is over.")
        else:
            self.say(f"{len(moves)} legal move{'s' if len(moves) > 1 else ''}: {in_words.moves(moves)}.")

    def hint(self, rest: str) -> None:
        if self.session.is_over:
            raise IllegalMove("The game is over.")
        found = self.session.hints.hint(self.session.game)
        self.say(found.sentence)
        self.tell_beside(PLAIN if found.is_plain else "")

    def reachable(self, rest: str) -> None:
        if self.session.is_over:
            raise IllegalMove("The game is over.")
        if self.session.game.num_players > 1:
            raise IllegalMove("Only in a solitaire is it asked which score is still reachable.")
        found = self.session.hints.hint(self.session.game)
        self.say(found.reachable)
        self.tell_beside(PLAIN if found.is_plain else "")

    def score(self, rest: str) -> None:
        game = self.session.game
        for item in game.items:
            points = f"{item.points} point{'' if item.points == 1 else 's'}"
            self.say(f"{f'Player {item.player}, ' if game.num_players > 1 else ''}{points}: {item.words}.")
        lowest = " The lowest score wins." if game.rules.LOWER_IS_BETTER else ""
        self.say(f"{self.scores()}.{lowest}")

    def scores(self) -> str:
        scores = self.session.game.scores
        return f"Score{'s' if len(scores) > 1 else ''} {listed(scores)}"

    def moves(self, rest: str) -> None:
        moves = self.session.game.moves
        self.say(", ".join(f"{ply}. {move}" for ply, move in enumerate(moves, 1)) + "." if moves else "No moves yet.")

    def rules(self, rest: str) -> None:
        entry = self.session.game.entry
        facts = entry.facts
        self.say(f"{entry.title}, by {facts['author']}. {facts['source']}.", *facts["rules"])
        self.say(*(f"Ruling {name}: {ruling}" for name, ruling in facts.get("rulings", {}).items()))

    def who(self, rest: str) -> None:
        self.seats()
        self.say(self.whose_turn())

    def seats(self) -> None:
        session = self.session
        for player, seat in enumerate(session.seats, 1):
            left = f", {math.ceil(session.clock_left(player))} seconds left" if session.clock else ""
            self.say(f"Player {player} is {_who(seat)}{left}.")

    def help(self, rest: str) -> None:
        self.say(HELP)

    # The game that goes on.

    def ask_about_the_unfinished(self, lines: BinaryIO) -> None:
        """Where a game was cut off, ask whether to go on with it. Raises EOFError and _Quit, and then it stays."""
        record = self.known.unfinished()
        self.tell_trouble()
        if record is None:
            return
        title = record.game.scene(legal=False).title
        self.say(f"{title} was not finished and not saved. yes goes on with it now, no forgets it.")
        while (answer := self.line(lines).strip().lower()) not in (b"yes", b"no"):
            if answer == b"quit":
                raise _Quit
            self.say("Answer yes or no; quit ends and asks again at the next start.")
        if answer == b"yes":
            self.session = self.session.another_under(self.known.clock, record)
            self.saved, self.kept = None, self.session.kept
            if self.session.clocks_anew:
                self.say(self.session.clocks_anew)
        else:
            self.known.going_on(None)
            self.session.begin()  # its clock hasn't run while this was asked

    def is_unsaved(self) -> bool:
        return bool(self.session.game.moves) and self.session.kept != self.saved

    def keep(self) -> None:
        """Keep the game as it stands, for the case that the terminal ends; not one that is over or saved."""
        if self.session.kept != self.kept or not self.is_unsaved():
            self.kept = self.session.kept
            is_wanted = self.is_unsaved() and not self.session.is_over
            self.known.going_on(self.session.record if is_wanted else None, self.session.clock)
            self.tell_trouble()

    def tell_trouble(self) -> None:
        """Say why the game can't be kept, once."""
        if news := self.known.news():
            self.say(news)

    def tell_what_is_kept(self) -> None:
        """Where the game was cut off, say whether it is kept; nothing where nobody types, or it is saved."""
        if self.known.is_kept:
            self.say("", "This game is kept: the next start asks whether to go on with it.")
        elif self.known.keeps_game:
            self.say("", "This game is kept as it was before, not as it stands: the next start asks about it.")
        elif self.is_asked and self.is_unsaved():
            self.say("", "This game is neither saved nor kept.")

    def leave(self, command: str, does: str) -> bool:
        """Whether the game may be left; once it is said that it isn't saved, and what the same command does then."""
        if self.is_asked and self.is_unsaved() and self.leaving != command:
            self.leaving = command
            self.say(f"This game is not saved; {command} again {does}.")
            return False
        return True

    # Files.

    def save(self, rest: str) -> None:
        if rest and rest != STANDARD and exists(rest):
            num_games = records.num_games(path_of(rest))
            what = f"The file has {num_games} games; replace FILE writes over all of them."
            one = "The file exists already; replace FILE writes over it."
            raise BadRecord(what if num_games > 1 else one, file=printable(rest))
        self.replace(rest)

    def replace(self, rest: str) -> None:
        if not rest:
            raise BadRecord("Name the file, as in save game.quet.")
        if rest == STANDARD:
            self.say(self.session.record.text())
            return
        records.save(path_of(rest), [self.session.record])
        self.saved = self.session.kept
        self.say(f"Saved as {printable(rest)}.")

    def load(self, rest: str) -> None:
        if not rest:
            raise BadRecord("Name the file, as in load game.quet.")
        found, _ = files.one_game(rest)
        if not self.leave("load", "leaves it"):
            return
        self.session = self.session.another(found)
        self.saved = self.session.kept
        self.was_over = self.session.is_over
        self.say(f"{self.what()}.")
        if self.session.clocks_anew:
            self.say(self.session.clocks_anew)
        self.say(self.whose_turn())

    def quit(self, rest: str) -> None:
        if self.leave("quit", "ends it"):
            self.known.going_on(None)
            self.tell_trouble()
            raise _Quit


def _who(seat: Seat) -> str:
    if seat.computer:
        return f"the computer player {seat.computer}"
    return "a person" if seat.name in NOT_NAMES else seat.name
