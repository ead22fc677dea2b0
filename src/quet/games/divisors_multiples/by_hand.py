"""Taken numbers, the current number and what was paid, set up by hand."""

from collections.abc import Mapping

from quet.core.draft import EMPTY, Draft, Field, toggled
from quet.core.errors import BadPaper
from quet.core.messages import say
from quet.core.numbers import gcd, read_integer
from quet.core.paper import read_words
from quet.core.parameters import read_parameters
from quet.core.position import Position

from . import rules
from .judge import bounds_of_paid, position_parts

WAYS = {
    "take": say("A click takes a number, which is the current one then, or gives it back."),
    "current": say("A click makes a number the current one."),
}
MARKS = ("*",)
NUMBER = ""
FIELDS = (
    Field("now", say("The current number")),
    Field("steps", say("Steps made in this turn")),
    Field("paid", say("What the players have paid, player 1 first")),
)


def read(text: str, given: Mapping[str, object]) -> Draft:
    """The draft in a position, as on paper: `taken 1 2 4 now 4 steps 0 paid 2 2`."""
    parameters = read_parameters(rules.PARAMETERS, given)
    parts = position_parts(read_words(text.replace(",", " ")))
    taken = [read_integer(number) for number in parts["taken"]]
    if not all(number is not None and 1 <= number <= parameters["r"] for number in taken):
        raise BadPaper(say("The numbers are 1 to {r}.", r=parameters["r"]))
    fields = {name: " ".join(parts[name]) for name in ("now", "steps", "paid")}
    return Draft(parameters, {str(number): MARKS[0] for number in taken}, fields)


def text(draft: Draft) -> str:
    """The draft as on paper, with the numbers in the order in which they were taken."""
    words = ["taken", *draft.squares]
    for name in ("now", "steps", "paid"):
        words += [name, *draft.fields.get(name, "").replace(",", " ").split()]
    return " ".join(words)


def of(position: Position) -> Draft:
    """The draft of a position."""
    s: rules.State = position.state
    taken = {str(number): MARKS[0] for number in range(1, s.r + 1) if s.is_taken[number]}
    paid = " ".join(str(s.cost[player]) for player in range(1, s.players + 1))
    return Draft(position.parameters, taken, {"now": str(s.current), "steps": str(s.num_steps), "paid": paid})


def click(draft: Draft, square: str, way: str, mark: str) -> Draft:
    """The draft after a click on a number.

    A number taken ends a turn. What its player has paid grows by the price of the way there over the greatest common
    divisor; when it is given back, what was paid stays as far as it can.
    """
    if way == "current" and not mark:
        return draft.write("now", square)
    if square == "1" and mark in ("", EMPTY):
        raise BadPaper(say("1 is taken from the start, so it can't be given back."))
    after = toggled(draft, square, mark, MARKS)
    if after.squares.keys() == draft.squares.keys():
        return after
    paid = [read_integer(word) or 0 for word in draft.fields.get("paid", "").replace(",", " ").split()]
    num_players = draft.parameters["players"]
    paid = [*paid, *[0] * num_players][:num_players]
    if square in after.squares:
        paid[(len(draft.squares) - 1) % num_players] += _price(draft, int(square))
    last = ["1", *after.squares][-1]  # a text may leave out 1, and so leave nothing when another is given back
    now = square if square in after.squares else last
    if square not in after.squares and draft.fields.get("now", "") in after.squares:
        now = draft.fields["now"]
    if now == "1":
        now = last
    for player in range(1, num_players + 1):
        least, most = bounds_of_paid(draft.parameters["r"], num_players, player, len(after.squares), 0)
        paid[player - 1] = min(max(paid[player - 1], least), most)
    return after.write("now", now).write("steps", "0").write("paid", " ".join(map(str, paid)))


def _price(draft: Draft, y: int) -> int:
    """What the way from the current number to another one costs, at most one step between."""
    x: int = sketch(draft).state.current
    divisor = gcd(x, y)
    if divisor in (x, y):
        return max(x, y) // divisor
    return x // divisor * (2 if str(divisor) in draft.squares else 1) + y // divisor


def sketch(draft: Draft) -> Position:
    """A position to be drawn; it may break rules."""
    s = rules.State()
    rules.start(s, **draft.parameters)
    for number in range(1, s.r + 1):
        s.is_taken[number] = int(str(number) in draft.squares)
    s.num_taken = len(draft.squares)
    now = read_integer(draft.fields.get("now", ""))
    s.current = now if now is not None and 1 <= now <= s.r else 1
    return Position(s, draft.parameters)
