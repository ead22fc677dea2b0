"""Every predicted sign beside the true one, and games read from paper."""

from collections.abc import Mapping

from quet.core.errors import BadPaper, UnreadableMove
from quet.core.grid import COLUMNS, read_square, square_text
from quet.core.paper import read_size, read_words
from quet.core.parameters import read_parameters
from quet.core.position import Item, Position

from . import rules

SIGNS = {1: "+", -1: "-"}
MINUS_SIGN = "\N{MINUS SIGN}"  # typed by some programs for -


def items(position: Position) -> list[Item]:
    """Player 1's signs from column to column, then player 2's from row to row: 1 point where prediction and truth
    agree. A sign that is neither predicted nor true yet is left out.
    """
    s = position.state
    found = []
    for player in (1, 2):
        for k in range(s.n - 1):
            predicted, true = s.predicted[2 * k + player - 1], rules.truth(s, player, k)
            if predicted or true:
                found.append(_item(s, player, k, predicted, true))
    return found


def _item(s: rules.State, player: int, k: int, predicted: int, true: int) -> Item:
    place = f"columns {COLUMNS[k]} and {COLUMNS[k + 1]}" if player == 1 else f"rows {k + 1} and {k + 2}"
    line = s.height if player == 1 else s.column
    squares = tuple(
        square_text((line[i] - 1) * s.n + i if player == 1 else i * s.n + line[i] - 1, s.n)
        for i in (k, k + 1)
        if line[i] != rules.EMPTY
    )
    is_match = predicted == true  # one of the two is a sign
    said = f"predicted {SIGNS[predicted]}" if predicted else "not predicted"
    verdict = f"true {SIGNS[true]}: {'a match' if is_match else 'no match'}" if true else "not filled yet"
    return Item(player, int(is_match), f"{place}: {said}, {verdict}", squares)


def read_paper(text: str, given: Mapping[str, object]) -> Position:
    """Player 1's predictions, player 2's, and the filled squares in any order: `+-+-+-+ ++-++-+ a1 b8 c4`.

    Without an `n` given, it is one more than the length of the lists. Squares may be missing; with `n` given the ends
    of the lists may be missing too, as they are while the game is at that part. The order in which the squares were
    filled is not on the paper, so the position has no moves. Raises BadPaper and BadParameter.
    """
    words = [word.replace(MINUS_SIGN, "-") for word in read_words(text)]
    num_lists = next((i for i, word in enumerate(words) if set(word) - set("+-")), len(words))
    lists, names = words[:num_lists], words[num_lists:]
    if not lists or len(lists) > 2 or (len(lists) == 1 and len(lists[0]) > 1):
        raise BadPaper(f"The paper must begin with two lists of + and -, not {num_lists}.")
    first, second = (*lists, "")[:2]
    if "n" not in given:
        if len(first) != len(second):
            raise BadPaper(f"Player 1's list has {len(first)} signs, but player 2's has {len(second)}.")
        said = f"The lists have {len(first)} signs"
        parameters = read_size("n", len(first) + 1, said, rules.PARAMETERS, given)
    else:
        parameters = read_parameters(rules.PARAMETERS, given)
    n = parameters["n"]
    for player, signs in ((1, first), (2, second)):
        if len(signs) > n - 1:
            raise BadPaper(f"Player {player}'s list has {len(signs)} signs, but n is {n}, which makes it {n - 1}.")
    if len(first) - len(second) not in (0, 1):
        raise BadPaper(f"Player 1's list has {len(first)} signs and player 2's {len(second)}, but they take turns.")
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
        raise BadPaper(f"Filled square {number}: {error}") from None
    broken = (
        "The game is over, as every row and column has its square."
        if rules.is_over(s)
        else rules.broken_rule(s, square)
    )
    if broken:
        raise BadPaper(f"Filled square {number}: {broken}")
    rules.play(s, square)
