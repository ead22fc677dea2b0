"""What people see of a game, and what they do at it, beyond a picture of the board and moves."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from ..core.draft import Draft, Field
from ..core.position import Position

if TYPE_CHECKING:
    from ..draw.scene import Scene

S = TypeVar("S", contravariant=True)  # the State of a game


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
    NUMBER: str
    """What the number is that stands in a square, as the label of a field; empty where MARKS isn't."""
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
    numbers stay. At the start, where nothing stands yet, the best move is worth the best score.
    """

    def worths(self, s: S, best: int | None) -> tuple[Mapping[int, int], str] | None:
        """The best score that each move can lead to, and the sentence; None where that takes too much.

        `best` is the best score that the rules alone still allow, where it is known; s isn't over. Moves without a
        value are those that the sentence excludes.
        """


@runtime_checkable
class FirstTerms(Protocol):
    """A game's `terms.py`: a short program for readers without Quet, which computes the first best scores or values.

    It has the rules once more in its own way, imports nothing but Python's own library, and reads like a program of the
    On-Line Encyclopedia of Integer Sequences, of whose drafts its text is a part. A name in capitals is a parameter
    other than the size, with its usual value: a draft puts that of its sequence there. LOWEST is such a name, too.
    """

    LAST: Mapping[str, int]
    """The last size that takes some seconds, by the score that is asked for, as rows have it."""

    def a(self, n: int) -> int:
        """The best score, or the value, of size n."""
