"""What a game may offer beyond its rules: one protocol for each capability, and `found`, which looks for them.

A game needs none of them. `quet solve` proves a small game by its rules alone, and computer players search any game.
Each capability makes something faster, or larger sizes possible. `docs/capabilities.md` is the page for readers, and
`quet check` tries every capability of a game against its rules.

A capability is a few functions or constants in a module of the game's folder, all of them together: those for solvers
in `exact.py` (and in the `compact.py` that it names), those for programs that learn in `observe.py`, the others in the
file that their protocol names. S is the State of the game's rules. In all of them the value of a game for two is player
1's final score less player 2's, that of a solitaire is its score; both times -1 where the lower score is better.
"""

import functools
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast, runtime_checkable

from .core.draft import Draft, Field
from .core.position import Position
from .core.rules import AnySearchRules, AnyState, SearchRules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .distribution.task import Answer, Task
    from .draw.scene import Scene

S = TypeVar("S", contravariant=True)  # the State of a game
T = TypeVar("T")  # the same


@runtime_checkable
class Bounds(Protocol[S]):
    """`bounds`: how low and how high values can be. In `exact.py`.

    It promises that no position of a game with the parameters of s has a value outside. Alpha-beta begins with this
    window, a solve that is stopped names it, and the search of a solitaire ends when it has reached the upper bound.
    Alpha-beta needs it. In Blob on 6 by 6 squares: (-6, 6), as there are six rows and six columns.
    """

    def bounds(self, s: S) -> tuple[int, int]:
        """The lowest and the highest value."""


@runtime_checkable
class Keys(Protocol[S]):
    """`key` and `fits`: a number for each position. In `exact.py`, together with `bounds`.

    It promises that two positions of one game with equal keys have the same future: the same mover, and the same
    value less what `settled` says of each. Positions that a symmetry joins should have the same key. Keys are integers
    of 64 bits. The transposition table of alpha-beta asks for them, and the table of all positions. Without keys a game
    is proven by its rules alone, a thousand times slower. In Blob the filled squares as bits, the least of four mirror
    images.
    """

    def fits(self, s: S) -> bool:
        """Whether keys tell all positions of this size apart. Where they don't, nothing asks for a key."""

    def key(self, s: S) -> int:
        """The position's number."""


@runtime_checkable
class Reach(Protocol[S]):
    """`reach` and `settled`: what is certain of the value before the game is over. In `exact.py`.

    It promises that the value of s lies in what `reach` says. `settled` is the part of the value that what was played
    has decided; the rest depends on the key alone, so that positions with equal keys may have different scores so far.
    Alpha-beta asks for both and cuts off what can't matter; it then looks at a tenth of the positions. In Blob a good
    row that no empty square can spoil is settled.
    """

    def reach(self, s: S) -> tuple[int, int]:
        """The lowest and the highest value that can still come out."""

    def settled(self, s: S) -> int:
        """What of the value is certain; 0 where the key has all of it."""


@runtime_checkable
class Order(Protocol[S]):
    """`arrange`: which moves look best. In `exact.py`.

    It promises to keep the first `count` moves, in another order. Alpha-beta asks before it tries them: the earlier a
    good move comes, the fewer positions it looks at. In Blob the moves that promise the most good lines come first.
    """

    def arrange(self, s: S, moves: list[int], count: int) -> None:
        """Put those of the first `count` moves first that look best to the mover."""


@runtime_checkable
class Endgame(Protocol[S]):
    """`is_near_end` and `ending`: the value near the end without a search. In `exact.py`.

    It promises that where `is_near_end` holds and the game isn't over, `ending` is the value, or a bound of it where
    the value isn't between `low` and `high`: then it is at most `low` or at least `high`, on the side of the value.
    Alpha-beta asks in every position. In Blob the last two moves are read off from bits.
    """

    def is_near_end(self, s: S) -> bool:
        """Whether `ending` tells what this position is worth."""

    def ending(self, s: S, low: int, high: int) -> int:
        """The value, or a bound on the side where it lies outside."""


@runtime_checkable
class Plies(Protocol[S]):
    """`most_plies`: how long a game can be. In `exact.py`.

    It promises that no game with these parameters has more moves. Alpha-beta and the table of all positions make room
    for so many. Without it they take `most_moves` of the rules and 64 more, which suits games whose moves fill squares.
    In Convoluted Coprimality each grid may be filled, so that there are `grids` n² moves.
    """

    def most_plies(self, s: S) -> int:
        """A bound on the moves of a game."""


@runtime_checkable
class Compact(Protocol):
    """`COMPACT`: the name of a module with the same game in bits, for searches alone. In `exact.py`.

    That module has a State of its own, `of`, what a search asks of rules (`SearchRules`), and capabilities for solvers.
    It promises the same moves with the same numbers, the same end and the same scores. Alpha-beta and the table of all
    positions then work with it instead of the rules. Blob has one.
    """

    COMPACT: str


@runtime_checkable
class Twin(Protocol[S]):
    """`of`: what takes a position into the module that `Compact` names. In that module."""

    def of(self, s: S) -> AnyState:
        """The same position."""


@runtime_checkable
class Solved(Protocol[S]):
    """What an `OwnTable` has found: a frozen data class of arrays, numbers, texts and tuples of these, to be saved."""

    @property
    def num_positions(self) -> int:
        """How many positions it has the value of."""

    def covers(self, s: S) -> bool:
        """Whether it has the value of s and of all that can come after it."""

    def value(self, s: S) -> int | None:
        """The value of s, which it covers and which isn't over; None where its entries are too small for it."""


@runtime_checkable
class SolvedForMany(Protocol):
    """`values_of`: a further function of what an `OwnTable` has found, for many positions at once.

    `quet.rl.oracle` looks a million positions up with it while `value` takes a thousand.
    """

    def values_of(self, states: "npt.NDArray[np.void]", rules: AnySearchRules) -> "npt.NDArray[np.signedinteger]":
        """The value of each state of these rules, as 64-bit integers. They are as `engine/arrays.py` has them.

        The table covers all of them, and they may be over. NO_VALUE where its entries are too small.
        """


@runtime_checkable
class SolvedWithReplies(Protocol[S]):
    """`replies`: a further function of what an `OwnTable` has found, which makes a strategy of a player from it.

    `quet solve --strategies` asks it, as it takes a hundredth of the time that looking at one position after another
    takes.
    """

    def replies(
        self,
        s: S,
        value: int,
        player: int,
        hashed: "Callable[[npt.NDArray[np.signedinteger]], npt.NDArray[np.unsignedinteger]]",
        task: "Task",
    ) -> "npt.NDArray[np.signedinteger]":
        """The replies of a strategy with which the player holds the value from s on, in the order of a certificate.

        The value is one that the player can hold. `hashed` is given the numbers that tell positions apart for the
        checker, a row for each position, and returns for each row the hash that stands for it, as two words.
        Raises NotSolved where the time of the task is over.
        """


@runtime_checkable
class Replies(Protocol[S]):
    """`replies`, `has_replies`: a strategy of a player without a table of all positions. In `exact.py`.

    `quet solve --strategies` asks it where the game has no table. In Blob alpha-beta makes them, many positions at once
    in compiled code.
    """

    def has_replies(self, s: S) -> bool:
        """Whether `replies` is to be asked, as the game is too large to look at one position after another."""

    def replies(self, s: S, value: int, player: int, task: "Task") -> "npt.NDArray[np.signedinteger]":
        """The replies of a strategy with which the player holds the value from s on, in the order of a certificate.

        The value is one that the player can hold. Raises NotSolved where the time of the task is over, and TooLarge
        where its memory doesn't suffice.
        """


NO_VALUE = -(1 << 62)  # in place of a value in an array


@runtime_checkable
class OwnTable(Protocol[S]):
    """`METHOD`, `Solution`, `solve`, `needed`, `is_quick`: a table of all positions that the game makes itself.

    In `exact.py`. It promises that `solve` finds the value of s and of all that can come after. Everything that wants
    values takes it before any search. What `solve` has when the time is over it may keep for the next call. In
    Divisors/Multiples a table of all sets of taken numbers, in Palindromes one by retrograde analysis.
    """

    METHOD: str
    """How it is made, as a part of a sentence."""

    @property
    def Solution(self) -> Callable[..., Solved[AnyState]]:  # noqa: N802 - a class of the module
        """What `solve` returns; it takes its fields by name when it is read from a file."""

    def needed(self, s: S) -> int:
        """Bytes of memory that `solve` takes."""

    def is_quick(self, s: S) -> bool:
        """Whether `solve` takes no more than a few seconds, so that a player may wait for it."""

    def solve(self, s: S, task: "Task") -> Solved[AnyState] | None:
        """The table; None when the time is over. Raises TooLarge where the task's memory doesn't suffice."""


@runtime_checkable
class SignIsValue(Protocol):
    """`SIGN_IS_VALUE = True`: a game for two is won, shared or lost, and nothing else counts. In `exact.py`.

    It promises that every value is 1, 0 or -1. A tree search that keeps what it proves then finds values too where
    alpha-beta doesn't fit, and a win is reported without points. In Convoluted Coprimality the winner scores 1.
    """

    SIGN_IS_VALUE: bool


@runtime_checkable
class Numbering(Protocol):
    """`NUMBERING`: the version of keys or of the own table, 1 where it isn't given. In `exact.py`.

    It promises that positions keep their keys, and their places in the own table, as long as the number stays. Raise it
    when that changes: tablebases of another numbering are then refused instead of read wrongly.
    """

    NUMBERING: int


@runtime_checkable
class OwnSolver(Protocol[S]):
    """A game's `solve.py`: a way of its own to its best scores.

    `quet solve` asks it first. What it returns as proven must be so, and so must its bounds; it may return None and
    leave the question to the general solvers. Of a game for two it may return bounds and no game, which others then
    look for. In the Sums Grid, whose boards are too many for any table, it tries grids and knows when to stop. One
    or two players are at the start of a game; three or more may be anywhere.
    """

    def solve(self, state: S, task: "Task") -> "Answer | None":
        """The answer; None where the general solvers should try."""


@runtime_checkable
class Strategy(Protocol[S]):
    """A game's `strategy.py`: strategies that hold a value, and that a certificate can rest on.

    `quet solve` asks it where a value stays open. In Plusses And Minuses, mirror strategies of both players.
    """

    METHOD: str
    """What the strategies are, as a part of a sentence."""

    def find(self, s: S) -> Sequence[tuple[int, dict[str, Any]]]:
        """What is held: a value with the grounds for it, as a certificate has them."""


@runtime_checkable
class Line(Protocol[S]):
    """A further function of a `strategy.py` whose strategies can hold the same value for both players."""

    def line(self, s: S) -> list[int]:
        """The moves of a whole game in which both play their strategies, where they hold the same value."""


@runtime_checkable
class Hold(Protocol[S]):
    """A further function of a `strategy.py`: what its strategies hold in any position, and by which move.

    It promises that the player who plays this move, and so on by `hold`, ends with the value or a better one, whatever
    the others play. Computer players, hints and analyses ask for it, since it takes less than a millisecond at any
    size. In Palindromes the other square of a pair.
    """

    def hold(self, s: S, player: int) -> tuple[int, int] | None:
        """The value that this player holds from s on, which isn't over, and the player's move.

        The move is -1 where it isn't the player's turn. None where the strategies hold nothing.
        """

    def why(self, s: S, move: int) -> str:
        """A sentence about what the move does, which `hold` has named in s; people read it in a hint."""


@runtime_checkable
class LocalSearch(Protocol[S]):
    """A game's `local_search.py`: a solitaire that is searched by changing a whole board, and not move by move.

    Levels, hints and `quet solve` anneal boards with it instead of searching a tree. `fill` and `improve` are compiled;
    what they are given is described in the Sums Grid's file, which is the example.
    """

    @property
    def fill(self) -> Callable[..., None]:
        """What makes the first board of two states full at random."""

    @property
    def improve(self) -> Callable[..., int]:
        """What changes the first of two boards step by step, and keeps the best in the second."""

    def moves_to(self, s: S, target: S) -> list[int]:
        """The moves that lead from s to a full board, or to an image of it with the same score, and end the game."""

    def is_on_the_way(self, s: S, target: S) -> bool:
        """Whether what stands in s stands in the full board too, or in one of its images."""


@runtime_checkable
class Images(Protocol[S]):
    """A game's `images.py`: the images that symmetries of the board make of a game, move by move.

    It promises that an image of a game is a game too, with the same movers and scores. Hints and the strongest levels
    ask for it: a game may follow an image of the best one known. In Up And Up the eight images of a square.
    """

    def images(self, s: S, move: int) -> list[int]:
        """The move in each image, in the same order at every move; the first is the move itself.

        It depends on nothing of s but the parameters of its game.
        """


@dataclass(frozen=True)
class Plan:
    """A solitaire's game from a position to its end, as `plan.py` has found it."""

    moves: Sequence[int]  # all that come after the position
    work: int  # positions looked at, or changes tried
    limit: int | None = None  # no game that goes on from the position scores more; None where nothing is certain


@runtime_checkable
class Planner(Protocol[S]):
    """`plan`: a game to the end, from any position of a solitaire. In `plan.py`.

    It promises moves that lead to the end, with as good a score as it finds. The strongest level and hints call it
    again and again while there is time, and play the best of these games. So it finds one in a fraction of a second,
    and ends soon when `is_over()`, with the rest of the game at a guess. It needs nothing compiled if `is_plain`. In Up
    And Up a beam search for a full grid, from the position or from a later one of the best game so far.
    """

    def plan(
        self, s: S, line: Sequence[int], number: int, seed: int, is_over: Callable[[], bool], *, is_plain: bool
    ) -> Plan:
        """A game from s, which isn't over and stays as it is. `line` is the best so far, or nothing.

        `number` counts the calls, from 0. The same arguments give the same plan if there is enough time.
        """


@runtime_checkable
class Sensible(SearchRules[T], Protocol[T]):
    """A game's `sensible.py`: its rules with fewer legal moves, none of them lost that could be the best.

    The strongest level looks only at these. The file has all that a search asks of rules, most of it taken from them.
    In Divisors/Multiples, where a turn may go up and down without end, the first steps of the cheapest walks.
    """


@runtime_checkable
class Patterns(SearchRules[T], Protocol[T]):
    """A game's `patterns.py`: what of a position an evaluation is learned from, and the game for its search.

    The value of a position is estimated as what is settled and the sum of the weights of its patterns.
    `python -m quet.learning` learns the weights, one for each pattern and number of plies left, and the game's folder
    keeps them in `weights/`. The strongest level then searches with them, in games for two where nothing is proven. The
    file has all that a search asks of rules, with a State of its own. It promises the same ends and scores as the
    rules, that a game is over when no plies are left, and that each move takes one of them. A move is one of the rules,
    or several that are played one after another: a turn of Divisors/Multiples is one move here. Then those that can't
    be best may be left out. `most_moves` is above the number of every move. In Blob each row and each column is a
    pattern.
    """

    def fits(self, s: AnyState) -> bool:
        """Whether a game with the parameters of s, a State of the rules, has patterns."""

    def of(self, s: AnyState) -> T:
        """The same position; s is a State of the rules."""

    def step(self, s: T, move: int) -> int:
        """The move of the rules with which a move begins. After it the same number names the rest of the move."""

    def follow(self, s: T, step: int) -> None:
        """Play a legal move of the rules."""

    def key(self, s: T) -> int:
        """A number of 64 bits that different positions of one game hardly ever share.

        It may leave out what is settled.
        """

    def settled(self, s: T) -> int:
        """The part of player 1's advantage that is certain, in points; 0 where patterns count it too."""

    def gain(self, s: T, move: int) -> int:
        """By how much a legal move changes what is settled."""

    def plies_left(self, s: T) -> int:
        """How many moves are still played; 0 when the game is over."""

    def num_patterns(self, s: T) -> int:
        """How many patterns there are in a game with these parameters; they are numbered from 0."""

    def patterns(self, s: T, out: list[int]) -> int:
        """Write the position's patterns to the front of `out`, a pattern as often as it counts; return how many.

        There are never more than `num_patterns`.
        """

    def changes(self, s: T, move: int, gone: list[int], come: list[int]) -> tuple[int, int]:
        """Write the patterns that a legal move takes away, and those that come instead; return how many of each."""

    def alike(self, s: T) -> "npt.NDArray[np.int64]":
        """For each pattern the least of those that share its weight since symmetries join them."""

    def parts(self, s: T) -> "npt.NDArray[np.int64]":
        """[pattern, any]: the parts that a pattern is made of, numbers from 0, or -1 for none.

        Parts have weights of their own while weights are fitted, so that patterns of which there are few positions are
        worth what is known of others with the same parts. Patterns that share a weight have the same parts.
        """


@runtime_checkable
class RandomEnd(Protocol[S]):
    """A game's `random_end.py`: a random end of the game, without playing it move by move. Not for solitaires.

    It promises the final scores, and the moves that each player makes, that random legal moves would bring, with the
    same chances. Tree searches ask for it in each simulation. Both functions are compiled. In Palindromes the end is
    one random word, and a random half of the empty squares for each player.
    """

    def num_moves(self, s: S) -> int:
        """A number above that of every move in a game with these parameters; 0 where no end is drawn at this size."""

    def finish(
        self,
        s: S,
        room: list[int],
        rng: "npt.NDArray[np.unsignedinteger]",
        made: "npt.NDArray[np.signedinteger]",
        scores: "npt.NDArray[np.floating]",
    ) -> None:
        """Draw an end of s, which isn't over, and write each player's final score to scores[1..N].

        made[player] is a set of moves, 32 in each number: move m is bit m % 32 of number m // 32. It is empty, and the
        moves that the player makes from here to the end are added. `room` has `most_moves` numbers to work with. It is
        all the same what becomes of s. `rng` is that of `engine/playouts.py`.
        """


@runtime_checkable
class Goal(Protocol):
    """A game's `goal.py`: what the mover wants, and what to do now, in a sentence or two.

    The site, the terminal and line mode say it instead of "it is your turn". It promises a message for every position
    that isn't over, in the rules' own terms. In Plusses And Minuses: "Predict: will the filled square of column b be
    higher (+) or lower (-) than that of column a?"
    """

    def goal(self, position: Position) -> str:
        """The sentences, which address the mover. Translated where they are a message."""


@runtime_checkable
class StillIn(Protocol[S]):
    """A game's `still_in.py`: who is still in a game that players can be out of before it's over.

    It promises that all are in at the start, that who is out stays out, and that the mover and the winners are in.
    Who is out neither resigns nor is asked for anything, and shares no win that others agree on or are left. Without
    it all are in to the end. In Convoluted Coprimality everybody whom no number has eliminated.
    """

    def is_in(self, s: S, player: int) -> bool:
        """Whether the player is still in the game."""


@runtime_checkable
class Sheet(Protocol):
    """A game's `sheet.py`: the board to be printed and written on, where that isn't the picture of the start.

    `quet sheet` and the site ask for it. In Blob a box beside each row and column, to be marked where it is good.
    """

    def board(self, position: Position) -> "Scene":
        """The empty board."""


@runtime_checkable
class ByHand(Protocol):
    """A game's `by_hand.py`: positions that are set up by hand, click by click, and may break rules meanwhile.

    The study board of the site asks for it. The paper that `judge.py` reads stays the only form in which a position is
    kept: a click makes a draft of it, changes the draft, and writes it again. `quet.core.draft` has what most games
    need. In Blob a click fills a square or empties it.
    """

    WAYS: Mapping[str, str]
    """What a click can do, by a name for it; the first is the usual one."""
    MARKS: Sequence[str]
    """What can stand in a square, as on paper; empty where it is a number."""
    FIELDS: Sequence[Field]
    """What a position has beyond its squares."""

    def read(self, text: str, given: Mapping[str, object]) -> Draft:
        """The draft on a paper, which may break rules; raises BadPaper and BadParameter."""

    def text(self, draft: Draft) -> str:
        """The draft as on paper; `read` makes the same draft of it. Empty only where nothing is set up."""

    def of(self, position: Position) -> Draft:
        """The draft of a position."""

    def click(self, draft: Draft, square: str, way: str, mark: str) -> Draft:
        """The draft after a click on a square: what the mark says stands there, or what comes next without one.

        EMPTY erases. Raises BadPaper for what can't stand there.
        """

    def sketch(self, draft: Draft) -> Position:
        """What `picture.py` draws of a draft that is no position."""


@runtime_checkable
class Kept(Protocol[S]):
    """A solitaire's `kept.py`: what each move is worth, where by the rules alone no move could be told from another.

    The study board shows these values where nothing else has the value of each move. It promises that they are exact
    under what its sentence supposes. In the Sums Grid, where every number can be changed again, they suppose that
    numbers stay.
    """

    def worths(self, s: S, best: int | None) -> tuple[Mapping[int, int], str] | None:
        """The best score that each move can lead to, and the sentence; None where that takes too much.

        `best` is the best score that the rules alone still allow, where it is known; s isn't over. Moves without a
        value are those that the sentence excludes.
        """


@runtime_checkable
class Observe(Protocol[S]):
    """A game's `observe.py`: what a program that learns sees of a position, and the bounds of actions and games.

    Environments and OpenSpiel ask for it (`quet.rl`). A game without it is learned too, from the bare numbers of its
    State. An action is the number of a move, 0 to `num_actions` - 1, unless the file has the functions of `Actions` as
    well. In blob: three planes of n rows and columns, n² actions, a longest game of 2 floor(n²/4) moves.
    """

    def planes(self, s: S) -> Mapping[str, str]:
        """The names of the planes of an observation, in order, with a sentence each; equal all through a game."""

    def shape(self, s: S) -> tuple[int, ...]:
        """The shape of one plane; equal all through a game."""

    def observe(self, s: S, legal: "npt.NDArray[np.bool_]", array: "npt.NDArray[np.float32]") -> None:
        """Write what can be seen of s, the same for every player, into an array that is all 0: a row for each plane.

        A row has the numbers of its plane one after the other. `legal` says of each action whether it is legal. Two
        positions with equal arrays have the same future. It is compiled, as rules are.
        """

    def num_actions(self, s: S) -> int:
        """How many actions there are in a game with these parameters."""

    def longest(self, s: S) -> int:
        """How many actions a game with these parameters has at most."""


@runtime_checkable
class Actions(Protocol[S]):
    """Further functions of an `observe.py` whose actions aren't the numbers of moves.

    Environments and OpenSpiel ask for them (`quet.rl`). The moves of Divisors/Multiples begin at 2; those of the sums
    grid are numbered with gaps, and could be made without end.
    """

    def mark_legal(self, s: S, moves: list[int], legal: "npt.NDArray[np.bool_]") -> None:
        """Write True for each legal action into `legal`, which is False for all; the game isn't over.

        `moves` has room for `most_moves` numbers. It is compiled, as rules are, and so is `play`.
        """

    def action_text(self, s: S, action: int) -> str:
        """The legal action as people write the move."""

    def broken_rule(self, s: S, action: int) -> str:
        """The rule that an action of 0 to `num_actions` - 1 breaks; empty when it is legal. The game isn't over."""

    def play(self, s: S, action: int) -> None:
        """Change s by a legal action."""


@runtime_checkable
class HighestScore(Protocol[S]):
    """A further function of a solitaire's `observe.py`; OpenSpiel asks for it (`quet.rl`)."""

    def highest_score(self, s: S) -> int:
        """A score that no game with these parameters exceeds; none is below 0."""


@runtime_checkable
class KnowsPositions(Protocol[S]):
    """A further function of an `observe.py`; batches and oracles ask it for states that are given to them as arrays.

    Compiled rules trust the states that they are given, and one with wrong numbers makes them leave their arrays. It
    promises that no state it lets pass does. In Blob the list of the edge and the squares must agree.
    """

    def is_position(self, s: S, first: S) -> bool:
        """Whether s may be a position of the game whose first one is `first`: false wherever the rules rely on more.

        The numbers in s may be any. It is true for each position that can come after `first`. It need not tell those
        that can't, if their numbers are as the rules expect. It is compiled, as rules are.
        """


@dataclass(frozen=True)
class Capabilities:
    """What a game's `exact.py` has for solvers, each typed; None where it has no such thing.

    Each is the module itself, so that a search can compile its functions.
    """

    module: str = ""  # its name, by which another process finds the same; empty where there is no such file
    bounds: Bounds[AnyState] | None = None
    keys: Keys[AnyState] | None = None
    reach: Reach[AnyState] | None = None
    order: Order[AnyState] | None = None
    endgame: Endgame[AnyState] | None = None
    plies: Plies[AnyState] | None = None
    table: OwnTable[AnyState] | None = None
    replies: Replies[AnyState] | None = None
    compact: str = ""  # the name of the module with the game in bits
    is_sign_value: bool = False
    numbering: int = 1
    lacking: tuple[str, ...] = ()  # names without which others that are there are no capability

    def for_search(self, rules: AnySearchRules, s: AnyState) -> "tuple[AnySearchRules, Capabilities, AnyState]":
        """What a search works with: the game in bits, its capabilities and its state, where there is such a game."""
        if self.compact:
            rules = cast(AnySearchRules, importlib.import_module(self.compact))
        return rules, *self.twin(s)

    def twin(self, s: AnyState) -> "tuple[Capabilities, AnyState]":
        """The capabilities and the state of the game in bits; these and s where there is none."""
        if not self.compact:
            return self, s
        return self.in_bits, cast(Twin[AnyState], importlib.import_module(self.compact)).of(s)

    @property
    def in_bits(self) -> "Capabilities":
        """The capabilities of the game in bits; these where there is none."""
        return found(importlib.import_module(self.compact)) if self.compact else self

    def most_plies(self, rules: AnySearchRules, s: AnyState) -> int:
        """A bound on the moves of a game with the parameters of s."""
        # In a game whose moves fill squares there are at most as many plies as moves to choose from, and a few more.
        return rules.most_moves(s) + 64 if self.plies is None else self.plies.most_plies(s)


NOTHING = Capabilities()


@functools.cache
def found(module: ModuleType | None) -> Capabilities:
    """The capabilities for solvers that a module has; only this function looks for them."""
    if module is None:
        return NOTHING
    return Capabilities(
        module=module.__name__,
        bounds=module if isinstance(module, Bounds) else None,
        keys=module if isinstance(module, Keys) else None,
        reach=module if isinstance(module, Reach) else None,
        order=module if isinstance(module, Order) else None,
        endgame=module if isinstance(module, Endgame) else None,
        plies=module if isinstance(module, Plies) else None,
        table=module if isinstance(module, OwnTable) else None,
        replies=module if isinstance(module, Replies) else None,
        compact=module.COMPACT if isinstance(module, Compact) else "",
        is_sign_value=isinstance(module, SignIsValue) and module.SIGN_IS_VALUE,
        numbering=module.NUMBERING if isinstance(module, Numbering) else 1,
        lacking=tuple(lacking(module, FOR_SOLVERS)),
    )


FOR_SOLVERS: Sequence[type[object]] = (
    Bounds,
    Keys,
    Reach,
    Order,
    Endgame,
    Plies,
    Compact,
    OwnTable,
    Replies,
    SignIsValue,
    Numbering,
)
"""The capabilities of an `exact.py`."""


def lacking(module: ModuleType, kinds: Sequence[type[object]]) -> Sequence[str]:
    """The names that are missing from capabilities of which other names are there."""
    begun = [names(kind) for kind in kinds if any(name in vars(module) for name in names(kind))]
    return [name for inside in begun for name in inside if name not in vars(module)]


def names(kind: type[object]) -> Sequence[str]:
    """What a module must have for this capability: the names of functions and constants, in alphabetical order."""
    inside = (each for base in kind.__mro__ for each in (*vars(base), *vars(base).get("__annotations__", {})))
    return sorted({each for each in inside if not each.startswith("_")})


def named(module: str) -> Capabilities:
    """As `found`, by the module's name: so a part of a solve, done in another process, finds them."""
    return found(importlib.import_module(module) if module else None)
