"""A picture of a position as data: five shapes in board units, and the places that can be touched.

Board units: a square of the grid is 1 by 1; x grows to the right and y DOWN from the top left corner of the picture.
A shape has a role (`filled`, `legal`, `path`...), never a colour: `palette.py` gives each role its colours.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Rectangle:
    x: float
    y: float
    width: float
    height: float
    role: str
    radius: float = 0.0  # of the corners


@dataclass(frozen=True, slots=True)
class Circle:
    x: float  # of the centre
    y: float
    radius: float
    role: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line through two or more points, with round ends and joints."""

    points: tuple[tuple[float, float], ...]
    role: str
    width: float = 0.06


@dataclass(frozen=True, slots=True)
class Polygon:
    points: tuple[tuple[float, float], ...]
    role: str


@dataclass(frozen=True, slots=True)
class Text:
    """Text whose middle height is at y."""

    x: float
    y: float
    text: str
    role: str
    size: float = 0.4  # height of the font, in board units
    anchor: str = "middle"  # the point of the text that is at x: start, middle or end


Shape = Rectangle | Circle | Line | Polygon | Text


@dataclass(frozen=True, slots=True)
class Square:
    """A place of the board that a player can point at, and how it looks in text and in words."""

    name: str  # as players write it: c3, 5, 12
    column: int  # its place on the board, from the left, from 0
    row: int  # from the TOP, from 0
    x: float  # its region in the picture
    y: float
    width: float
    height: float
    glyph: str  # its content as at most four characters of text: "*", "14", "."
    words: str  # its content for a screen reader: "filled", "holds 14", "empty"
    moves: tuple[str, ...] = ()  # the legal moves that touching it can make
    move_words: tuple[str, ...] = ()  # what each of them does, where the move alone doesn't say it
    prompt: str = ""  # where the move needs more to be typed: its beginning, as in "b2="
    is_last: bool = False  # whether the last move was here


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move that is made off the board: a sign, or saying that one is done."""

    move: str
    words: str


@dataclass(frozen=True, slots=True)
class Scene:
    title: str  # one line: the game and its size
    width: float
    height: float
    shapes: tuple[Shape, ...]  # painted in this order
    squares: tuple[Square, ...]  # in reading order: rows from the top, columns from the left
    choices: tuple[Choice, ...] = ()
    row_notes: Mapping[int, str] = field(default_factory=dict)  # text to the right of a row (from the top, from 0)
    column_notes: Mapping[int, str] = field(default_factory=dict)  # what belongs to a column (from the left, from 0)
    notes: tuple[str, ...] = ()  # lines of text below the board
    signs: tuple[str, ...] = ()  # lines of text on what signs in the glyphs mean; the picture shows it without them
    about: tuple[str, ...] = ()  # sentences that describe the picture, where the notes are none

    @property
    def description(self) -> str:
        """The picture in sentences."""
        return " ".join(words if words[-1:] in ".!?" else f"{words}." for words in self.about or self.notes)


# What the printers agree on about text.

BASELINE = 0.355  # from the middle of capitals and digits down to their foot, as a part of the font's size


def signed(text: str) -> str:
    """The text as it is printed: the hyphen of a lone sign or a negative number is a true minus."""
    is_minus = text == "-" or (text[:1] == "-" and text[1:2].isdigit())
    return "\N{MINUS SIGN}" + text[1:] if is_minus else text


def text_width(text: str, size: float) -> float:
    """The approximate width of the text in the fonts that the printers use."""
    narrow = sum(character in " .,:;'!|ijlt()[]=" for character in text)
    return size * (0.58 * (len(text) - narrow) + 0.3 * narrow)
