"""What each step cost, and lists of steps read from paper."""

from collections.abc import Mapping

from quet.core.errors import BadPaper, UnreadableMove
from quet.core.grid import shorten
from quet.core.messages import say
from quet.core.paper import read_words
from quet.core.parameters import read_parameters
from quet.core.position import Item, Position

from . import rules


def items(position: Position) -> list[Item]:
    """Each step with its price, player by player; only the total where the position doesn't have its moves."""
    if not position.moves:
        s = position.state
        return [Item(player, s.cost[player], say("paid")) for player in range(1, s.players + 1) if s.cost[player]]
    s = rules.State()
    rules.start(s, **position.parameters)
    found = []
    for move in position.moves:
        y, price = move // 2, rules.price(s, move // 2)
        words: str = say("{x} to {y}", x=s.current, y=y)
        if s.is_taken[y]:
            words = say("{step}, which is taken", step=words)
        if move % 2:
            words = say("{step} and stops", step=words)
        found.append(Item(s.mover, price, words, (str(s.current), str(y))))
        rules.play(s, move)
    return sorted(found, key=lambda item: item.player)


def read_paper(text: str, given: Mapping[str, object]) -> Position:
    """The steps in the order of play, between spaces or commas: `2! 4 8!`, with `!` where a turn stopped.

    Neither r nor the number of players is on the paper: they are given, or have their defaults. The position has the
    moves. Raises BadPaper, which names the first step that the rules forbid, and BadParameter.
    """
    parameters = read_parameters(rules.PARAMETERS, given)
    s = rules.State()
    rules.start(s, **parameters)
    moves = []
    for number, word in enumerate(read_words(text.replace(",", " ")), 1):
        try:
            move = rules.read_move(s, word)
        except UnreadableMove as error:
            raise BadPaper(say("Step {number}: {error}", number=number, error=error.message)) from None
        broken = say("The game is over.") if rules.is_over(s) else rules.broken_rule(s, move)
        if broken:
            raise BadPaper(say("Step {number}, {word}: {broken}", number=number, word=shorten(word), broken=broken))
        rules.play(s, move)
        moves.append(move)
    return Position(s, parameters, tuple(moves))
