"""Every predicted sign beside the true one, and games read from paper."""

from collections.abc import Mapping

from quet.core.draft import EMPTY
from quet.core.errors import BadPaper, BadPosition, UnreadableMove
from quet.core.grid import COLUMNS, read_square, square_text
from quet.core.messages import say
from quet.core.paper import read_words
from quet.core.parameters import read_parameters
from quet.core.position import Item, Position

from . import rules

SIGNS = {1: "+", -1: "-"}


def items(position: Position) -> list[Item]:
    """Player 1's signs from column to column, then player 2's from row to row: 1 point where prediction and truth
    agree. A sign that isn't predicted yet is left out.
    """
    s = position.state
    found = []
    for player in (1, 2):
        for k in range(s.n - 1):
            predicted, true = s.predicted[2 * k + player - 1], rules.truth(s, player, k)
            if predicted:
                found.append(_item(s, player, k, predicted, true))
    return found


def with_hyphens(text: str) -> str:
    """The text with a - for each sign that may be written in its place."""
    for minus in rules.MINUSES:
        text = text.replace(minus, "-")
    return text


def _item(s: rules.State, player: int, k: int, predicted: int, true: int) -> Item:
    if player == 1:
        place = say("columns {first} and {second}", first=COLUMNS[k], second=COLUMNS[k + 1])
    else:
        place = say("rows {first} and {second}", first=k + 1, second=k + 2)
    line = s.height if player == 1 else s.column
    squares = tuple(
        square_text((line[i] - 1) * s.n + i if player == 1 else i * s.n + line[i] - 1, s.n)
        for i in (k, k + 1)
        if line[i] != rules.EMPTY
    )
    is_match = predicted == true
    said = say("predicted {sign}", sign=SIGNS[predicted])
    if not true:
        verdict = say("not filled yet")
    elif is_match:
        verdict = say("true {sign}: a match", sign=SIGNS[true])
    else:
        verdict = say("true {sign}: no match", sign=SIGNS[true])
    words = say("{place}: {prediction}, {verdict}", place=place, prediction=said, verdict=verdict)
    return Item(player, int(is_match), words, squares)


def read_paper(text: str, given: Mapping[str, object]) -> Position:
    """Player 1's predictions, player 2's, and the filled squares in any order: `+-+-+-+ ++-++-+ a1 b8 c4`.

    Without an `n` given, it is one more than the length of the lists. Squares may be missing; with `n` given the ends
    of the lists may be missing too, as they are while the game is at that part. The order in which the squares were
    filled is not on the paper, so the position has no moves. Raises BadPaper and BadParameter, and BadPosition
    where the lengths of the lists don't fit.
    """
    words = [with_hyphens(word) for word in read_words(text)]
    num_lists = next((i for i, word in enumerate(words) if word != EMPTY and set(word) - set("+-")), len(words))
    lists, names = [word.replace(EMPTY, "") for word in words[:num_lists]], words[num_lists:]
    if not lists:
        raise BadPaper(say("The paper must begin with two lists of + and -, and there is none."))
    if len(lists) > 2 or (len(lists) == 1 and len(lists[0]) > 1):
        raise BadPaper(say("The paper must begin with two lists of + and -, not {num_lists}.", num_lists=num_lists))
    first, second = (*lists, "")[:2]
    if "n" not in given:
        if len(first) != len(second):
            raise BadPaper(
                say(
                    "Player 1's list has {num_first} signs, but player 2's has {num_second}.",
                    num_first=len(first),
                    num_second=len(second),
                )
            )
        given = {**given, "n": len(first) + 1}
    parameters = read_parameters(rules.PARAMETERS, given)
    n = parameters["n"]
    for player, signs in ((1, first), (2, second)):
        if len(signs) > n - 1:
            raise BadPosition(
                say(
                    "Player {player}'s list has {num_signs} signs, but n is {n}, which makes it {most}.",
                    player=player,
                    num_signs=len(signs),
                    n=n,
                    most=n - 1,
                )
            )
    if len(first) - len(second) not in (0, 1):
        raise BadPosition(
            say(
                "The lists of players 1 and 2 have {num_first} and {num_second} signs, but players take turns.",
                num_first=len(first),
                num_second=len(second),
            )
        )
    s = rules.State()
    rules.start(s, **parameters)
    for k in range(len(first) + len(second)):
        rules.play(s, rules.read_move(s, (first, second)[k % 2][k // 2]))
    for number, name in enumerate(names, 1):
        _fill(s, number, name)
    return Position(s, parameters)


def _fill(s: rules.State, number: int, name: str) -> None:
    try:
        square = read_square(name, s.n)
    except UnreadableMove as error:
        raise BadPaper(say("Filled square {number}: {error}", number=number, error=error.message)) from None
    broken = (
        say("The game is over, as every row and column has its square.")
        if rules.is_over(s)
        else rules.broken_rule(s, square)
    )
    if broken:
        raise BadPaper(say("Filled square {number}: {broken}", number=number, broken=broken))
    rules.play(s, square)
