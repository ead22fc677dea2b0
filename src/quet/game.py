"""A game being played: moves as text in, positions, scores and pictures out."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, SupportsIndex, get_args, overload

from . import catalog
from .core.arguments import as_integer, flag, integer, shown
from .core.errors import BadParameter, IllegalMove, UnreadableMove
from .core.messages import say
from .core.parameters import AnyValue, Parameter, read_parameters, to_solve, used
from .core.position import Item, Position
from .core.quoting import shorten
from .core.rules import AnyState, Canonical, legal_moves, started
from .core.state import Packing
from .core.state import copy as copy_state
from .core.state import key as state_key
from .draw.scene import Scene

LARGEST_NUMBER = 2**63  # no move's number is as large
Theme = Literal["auto", "light", "dark"]
PrintTheme = Literal["light", "dark"]  # of a file that can't ask its reader which one is wanted


@dataclass(frozen=True)
class Start:
    """A position with which a game begins, other than the one of its rules."""

    paper: str  # the position as it was written
    state: AnyState  # it is never changed
    told: tuple[int, ...]  # the moves that led to it, as far as the paper tells them
    is_line: bool = False  # whether the paper is one line, from which and the game's parameters it was read


class Game:
    """One game from its start: the parameters and the moves played, and everything that follows from them.

    >>> import quet
    >>> game = quet.new("palindromes", m=4)
    >>> game.play("1=0")
    >>> game.play("4=0")
    >>> game.legal_moves
    ['2=0', '2=1', '3=0', '3=1']
    >>> game.mover, game.scores, game.winners
    (1, [0, 0], [])
    >>> game.play("4=1")
    Traceback (most recent call last):
        ...
    quet.core.errors.IllegalMove: Square 4 holds a 0 already.
    >>> game.undo()
    '4=0'
    >>> game.moves
    ['1=0']

    Two games are equal, and have the same hash, if they are in the same position. A game that is played on is another
    one, so put a copy into a set or a dictionary.

    >>> game.copy() == game, game in {quet.new("palindromes", m=4)}
    (True, False)
    """

    def __init__(self, entry: catalog.Entry, parameters: Mapping[str, AnyValue], start: Start | None = None) -> None:
        """Use `quet.new` or `quet.position`: this trusts the parameters and the start."""
        if not isinstance(entry, catalog.Entry):
            raise BadParameter(say("Begin a game with quet.new or quet.position."))
        names = {parameter.name for parameter in entry.rules.PARAMETERS}
        if not isinstance(parameters, Mapping) or parameters.keys() != names:
            raise BadParameter(say("Begin a game with quet.new or quet.position."))
        self.entry = entry
        self.rules = entry.rules
        self.parameters = dict(parameters)
        self._start = start
        if start is None:
            self.state = started(self.rules, self.parameters)
        else:
            self.state = copy_state(start.state)
        self._moves: list[int] = []

    @property
    def id(self) -> str:
        """The game's name in the catalog, such as `up-and-up`."""
        return self.entry.id

    @property
    def num_players(self) -> int:
        """How many play: 1 for a solitaire."""
        return self.rules.num_players(self.state)

    @property
    def start(self) -> str:
        """The position with which the game begins, as `quet.position` was given it; empty for that of the rules."""
        return self._start.paper if self._start else ""

    @property
    def start_is_line(self) -> bool:
        """Whether `start` is one line that was read with all parameters of the game, so that nobody need try it."""
        return self._start is not None and self._start.is_line

    @property
    def ply(self) -> int:
        """How many moves have been played since the start."""
        return len(self._moves)

    @property
    def moves(self) -> list[str]:
        """The moves played, as text."""
        return [self.rules.move_text(self.state, move) for move in self._moves]

    @property
    def numbers(self) -> list[int]:
        """The moves played, as the rules number them."""
        return self._moves[:]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by its rules."""
        return self.rules.is_over(self.state)

    @property
    def mover(self) -> int | None:
        """The player to move, from 1; None when the game is over."""
        return None if self.is_over else self.rules.mover(self.state)

    @property
    def goal(self) -> str:
        """What the mover wants and is to do now, in a sentence or two; empty when the game is over.

        A game without a `goal.py` has a plain sentence.
        """
        if self.is_over:
            return ""
        if self.entry.goal is None:
            return say("Make a move.")
        return self.entry.goal.goal(self.position(legal=False))

    @property
    def legal_moves(self) -> "LegalMoves":
        """The legal moves of this position as text, in the order of their numbers; none when the game is over.

        `text in game.legal_moves` asks the referee and lists nothing.
        """
        return LegalMoves(self)

    def legal_numbers(self) -> list[int]:
        """The legal moves as numbers, ascending."""
        return legal_moves(self.rules, self.state)

    def is_legal(self, text: str) -> bool:
        """Whether `play(text)` would be accepted."""
        try:
            self.read(text)
        except (UnreadableMove, IllegalMove):
            return False
        return True

    def play(self, text: str) -> None:
        """Play a move.

        Raises UnreadableMove when the text is no move, IllegalMove, whose message names the rule broken, when it is
        forbidden here; the game is then as it was.
        """
        self._push(self.read(text))

    def read(self, text: str) -> int:
        """The number of a legal move, read and checked and not played; raises as `play`."""
        if not isinstance(text, str):
            raise UnreadableMove(say("A move must be a text, not {value}.", value=shown(text)))
        move = self.rules.read_move(self.state, text)
        if self.is_over:
            raise IllegalMove(say("The game is over."))
        broken = self.rules.broken_rule(self.state, move)
        if broken:
            raise IllegalMove(broken)
        return move

    def read_typed(self, text: str) -> int:
        """As `read`, for a move as people type it, perhaps with blanks and capitals; what is quoted is as typed."""
        try:
            return self.read(text.strip() if isinstance(text, str) else text)
        except UnreadableMove as error:
            if not isinstance(text, str):
                raise
            words = text.split()
            try:
                return self.read("".join(words).lower())
            except UnreadableMove:
                if len(words) > 1:
                    raise error from None
                raise

    def push(self, number: SupportsIndex) -> None:
        """Play the move of this number; raises as `play`."""
        move = as_integer(number)
        if move is None or not 0 <= move < LARGEST_NUMBER:
            raise UnreadableMove(say("{value} is not the number of a move.", value=shown(number)))
        try:
            text = self.rules.move_text(self.state, move)
        except IndexError:  # rules trust their callers
            text = ""
        if self.read(text) != move:
            raise UnreadableMove(say("{value} is not the number of a move.", value=shown(number)))
        self._push(move)

    def _push(self, number: int) -> None:
        """Play a move that has been checked."""
        self.rules.play(self.state, number)
        self._moves.append(number)

    def undo(self) -> str:
        """Take the last move back and return it; raises IllegalMove when there is none."""
        if not self._moves:
            raise IllegalMove(say("There is no move to take back."))
        text = self.rules.move_text(self.state, self._moves[-1])
        before = self.at(self.ply - 1)
        self.state, self._moves = before.state, before._moves
        return text

    def at(self, ply: SupportsIndex) -> "Game":
        """The game after so many of its moves, to be played on independently; raises BadParameter."""
        count = integer(say("The number of moves"), ply, 0, self.ply)
        if count == self.ply:
            return self.copy()
        game = Game(self.entry, self.parameters, self._start)
        for move in self._moves[:count]:
            game._push(move)
        return game

    def plies(self) -> Iterator[tuple[int, str]]:
        """The player and the text of each move played."""
        game = self.at(0)
        for move in self._moves:
            yield self.rules.mover(game.state), self.rules.move_text(game.state, move)
            game._push(move)

    def copy(self) -> "Game":
        """The same game, to be played on independently."""
        return self._twin(copy_state(self.state), self._moves[:])

    def _twin(self, state: AnyState, moves: list[int]) -> "Game":
        """A game with the same beginning, in the state that these moves lead to."""
        twin = Game.__new__(Game)
        twin.entry, twin.rules = self.entry, self.rules
        twin.parameters = dict(self.parameters)
        twin._start = self._start
        twin.state = state
        twin._moves = moves
        return twin

    def __copy__(self) -> "Game":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Game":
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.entry, self.parameters, self._start, self._moves)

    def after(self, text: str) -> "Game":
        """The game after one move more; this one stays as it is. Raises as `play`."""
        twin = self.copy()
        twin.play(text)
        return twin

    def key(self) -> Hashable:
        """A value that two games have in common exactly if they are in the same position, however they came there.

        A position is the game, its parameters, and what stands on the board with all that matters for playing on.
        Keys are the same in every process and on every machine of one kind, as long as the rules are.
        """
        state = copy_state(self.state)
        if isinstance(self.rules, Canonical):
            self.rules.canonical(state)
        return (self.id, *used(self.parameters), *state_key(state))

    def __eq__(self, other: object) -> bool:
        return self.key() == other.key() if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key())

    @property
    def scores(self) -> list[int]:
        """The score of each player as it stands, player 1 first; final when the game is over."""
        return [self.rules.score(self.state, player) for player in self.players]

    @property
    def players(self) -> range:
        """1, 2, ..., N."""
        return range(1, self.num_players + 1)

    @property
    def players_in(self) -> list[int]:
        """The players who are still in the game: all, but in games that players can be out of before they are over."""
        part = self.entry.still_in
        return [player for player in self.players if part is None or part.is_in(self.state, player)]

    @property
    def winners(self) -> list[int]:
        """The players with the best score, all of them where they share it; empty while playing."""
        if not self.is_over:
            return []
        best = (min if self.rules.LOWER_IS_BETTER else max)(self.scores)
        return [player for player, score in zip(self.players, self.scores, strict=True) if score == best]

    @property
    def items(self) -> list[Item]:
        """What makes up the scores: each palindrome, good line, matching sign, sum..."""
        return self.entry.judge.items(self.position(legal=False))

    def position(self, *, legal: bool = True) -> Position:
        """The position as a picture or a judge sees it; without its legal moves where they are not to be shown."""
        moves = (*(self._start.told if self._start else ()), *self._moves)
        return Position(self.state, self.parameters, moves, _LegalNumbers(self.copy()) if legal else ())

    def scene(self, *, legal: bool = True) -> Scene:
        """The picture of the position as data."""
        return self.entry.picture.scene(self.position(legal=legal))

    def svg(self, *, legal: bool = False, theme: Theme = "auto") -> str:
        """The picture of the position as an SVG document; `legal` marks the legal moves."""
        from .draw.svg import svg

        legal = flag("legal", legal)
        _check_theme(theme, get_args(Theme))
        return svg(self.scene(legal=legal), theme=theme)

    def png(self, *, legal: bool = False, theme: PrintTheme = "light") -> bytes:
        """The picture of the position as a PNG file; `legal` marks the legal moves."""
        from .draw.raster import png

        legal = flag("legal", legal)
        _check_theme(theme, get_args(PrintTheme))
        return png(self.scene(legal=legal), theme=theme)

    def text(self) -> str:
        """The picture of the position as plain text."""
        from .draw.text import text

        return text(self.scene(legal=False))

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        inside = " ".join(f"{name}={shorten(str(value))}" for name, value in self.parameters.items()).replace("'", "")
        return f"<Game {self.id} {inside}, {self.ply} moves>"


class _LegalNumbers(Sequence[int]):
    """The legal moves of a game that isn't played on, as numbers, listed when they are first read.

    `move in numbers` asks the referee and lists nothing.
    """

    def __init__(self, game: Game) -> None:
        self._game = game

    @cached_property
    def _numbers(self) -> list[int]:
        return self._game.legal_numbers()

    def __contains__(self, move: object) -> bool:
        return (
            isinstance(move, int)
            and not self._game.is_over
            and not self._game.rules.broken_rule(self._game.state, move)
        )

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        return self._numbers[index]


class LegalMoves(Sequence[str]):
    """The legal moves of a position, listed when they are first read: the sums grid has very many.

    They stay those of the position in which they were asked for, whatever is played afterwards.

    >>> import quet
    >>> moves = quet.new("palindromes", m=2).legal_moves
    >>> moves, len(moves), moves[0], "3=0" in moves
    (['1=0', '1=1', '2=0', '2=1'], 4, '1=0', False)
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._moves = game.numbers

    @cached_property
    def _position(self) -> Game:
        """The position in which the moves were asked for."""
        if self._game._moves == self._moves:
            return self._game.copy()
        before = self._game.at(0)
        for move in self._moves:
            before._push(move)
        return before

    @cached_property
    def _texts(self) -> list[str]:
        game = self._position
        return [game.rules.move_text(game.state, move) for move in game.legal_numbers()]

    def __contains__(self, text: object) -> bool:
        """Whether the referee accepts it; in the sums grid that includes numbers too large to be listed."""
        game = self._game if self._game._moves == self._moves else self._position
        return isinstance(text, str) and game.is_legal(text)

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        return self._texts[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and not isinstance(other, str) and self._texts == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self._texts))

    def __repr__(self) -> str:
        return repr(self._texts)


class Past:
    """The positions that a game has come through. `past[ply]` is the game after so many of its moves.

    Only states are kept, and each game is made when it is asked for. A list of games would hold all moves before each
    of them, so that its memory would grow with the square of the moves.
    """

    def __init__(self, game: Game) -> None:
        self._game = game.copy()
        again = game.at(0)
        self._packing = Packing(again.state)
        self._states = [self._packing.packed(again.state)]
        for move in self._game._moves:
            again._push(move)
            self._states.append(self._packing.packed(again.state))

    def __getitem__(self, ply: int) -> Game:
        """The game after the first `ply` moves, from 0 to all of them, to be played on independently."""
        return self._game._twin(self._packing.unpacked(self._states[ply]), self._game._moves[:ply])


def new(id: str, /, **parameters: object) -> Game:
    """A new game, `new("blob", n=8)`; parameters not given have their defaults.

    Values may be numbers or text as typed. Raises UnknownGame and BadParameter.
    """
    entry = catalog.get(id)
    return Game(entry, read_parameters(entry.rules.PARAMETERS, parameters))


def new_to_solve(id: str, /, **parameters: object) -> Game:
    """As `new`, for solvers: some games are solved at sizes that nobody plays.

    Of such a size `quet.solve` takes the game before its first move, and nothing else takes it.

    >>> import quet
    >>> quet.solve(quet.new_to_solve("convoluted-coprimality", n=30)).value
    -1
    """
    entry = catalog.get(id)
    return Game(entry, read_parameters(to_solve(entry.rules.PARAMETERS), parameters))


def check_game(game: object) -> None:
    """Raise BadParameter unless this is a game, and of a size that people play: states are larger beyond."""
    check_to_solve(game)
    if isinstance(game, Game):
        for parameter in game.rules.PARAMETERS:
            if isinstance(parameter, Parameter) and parameter.solved_to:
                parameter.read(game.parameters[parameter.name], {}, files=False)


def check_to_solve(game: object) -> None:
    """Raise BadParameter unless this is a game, of any size that solvers take."""
    if not isinstance(game, Game):
        raise BadParameter(say("{value} is not a game; begin one with quet.new or quet.position.", value=shown(game)))


def check_going_on(game: object) -> None:
    """Raise BadParameter unless this is a game, and IllegalMove if it is over."""
    check_game(game)
    if isinstance(game, Game) and game.is_over:
        raise IllegalMove(say("The game is over."))


def _again(entry: catalog.Entry, parameters: Mapping[str, AnyValue], start: Start | None, moves: Sequence[int]) -> Game:
    """The game that was pickled."""
    game = Game(entry, parameters, start)
    for move in moves:
        game._push(move)
    return game


def _check_theme(theme: object, known: Sequence[str]) -> None:
    if not isinstance(theme, str) or theme not in known:
        names = ", ".join(known)
        raise BadParameter(say("The theme must be one of {names}, not {theme}.", names=names, theme=shown(theme)))
