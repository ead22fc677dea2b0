"""What each step cost, and lists of steps or positions read from paper."""

from collections.abc import Mapping, Sequence

from quet.core.errors import BadPaper, UnreadableMove
from quet.core.messages import say, say_number
from quet.core.numbers import read_integer
from quet.core.paper import read_words
from quet.core.parameters import read_parameters
from quet.core.position import Item, Position
from quet.core.quoting import shorten

from . import rules

PARTS = ("taken", "now", "steps", "paid")  # of a position, in this order


def items(position: Position) -> list[Item]:
    """Each step with its price, player by player; only the totals where the position doesn't have all its moves."""
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
    if s != position.state:  # the moves go on from a position on paper
        s = position.state
        return [Item(player, s.cost[player], say("paid")) for player in range(1, s.players + 1) if s.cost[player]]
    return sorted(found, key=lambda item: item.player)


def read_paper(text: str, given: Mapping[str, object]) -> Position:
    """The steps in the order of play, between spaces or commas: `2! 4 8!`, with `!` where a turn stopped.

    Or the position alone, `taken 1 2 4 now 4 steps 0 paid 2 2`: the numbers taken, the current one, the steps made in
    this turn, and what each player has paid. Neither r nor the number of players is on the paper: they are given, or
    have their defaults. A list of steps gives a position with its moves. Raises BadPaper, which names the first step
    that the rules forbid, and BadParameter.
    """
    parameters = read_parameters(rules.PARAMETERS, given)
    s = rules.State()
    rules.start(s, **parameters)
    words = read_words(text.replace(",", " "))
    if words[0] == PARTS[0]:
        _set_up(s, position_parts(words))
        return Position(s, parameters)
    moves = []
    for number, word in enumerate(words, 1):
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


def position_parts(words: Sequence[str]) -> dict[str, list[str]]:
    """The words of each part of a position; raises BadPaper unless all parts are there, in their order."""
    places = [words.index(part) if words.count(part) == 1 else -1 for part in PARTS]
    if places[0] != 0 or places != sorted(places):
        raise BadPaper(say("A position is written like this: {example}.", example="taken 1 2 4 now 4 steps 0 paid 2 2"))
    return {
        part: list(words[place + 1 : end])
        for part, place, end in zip(PARTS, places, [*places[1:], len(words)], strict=True)
    }


def _set_up(s: rules.State, parts: Mapping[str, Sequence[str]]) -> None:
    """Make the start the position with these parts. Raises BadPaper where they can't be so, each taken by itself.

    Whether moves lead to all of them together isn't tried: `taken 1 7 now 7 steps 0 paid 2 0` is read, where 7 costs 7.
    """
    taken = [_number(word, 1, s.r) for word in parts["taken"]]
    for number in taken:
        if taken.count(number) > 1:
            raise BadPaper(say("{number} is named twice among the numbers taken.", number=number))
    if 1 not in taken:
        raise BadPaper(say("1 is taken from the start."))
    for number in taken:
        s.is_taken[number] = 1
    s.num_taken = len(taken)
    s.mover = (s.num_taken - 1) % s.players + 1  # each turn takes one number
    s.current = _only("now", parts["now"], 1, s.r)
    s.num_steps = _only("steps", parts["steps"], 0, 2 * s.r - 1)
    if s.num_steps == 0 and not (s.is_taken[s.current] and (s.current != 1 or s.num_taken == 1)):
        raise BadPaper(
            say("A turn begins on the number that was taken last, and that can't be {current}.", current=s.current)
        )
    if s.num_steps and rules.is_over(s):
        raise BadPaper(say("All numbers are taken, so there is no step after the last turn."))
    if s.num_steps and 2 * s.r - s.num_steps == 1 and not rules.can_stop_from(s, s.current):
        raise BadPaper(say("A turn with so many steps could not stop after {current}.", current=s.current))
    if len(parts["paid"]) != s.players:
        raise BadPaper(
            say_number(
                "{number} sum is paid, but there are {players} players.",
                "{number} sums are paid, but there are {players} players.",
                len(parts["paid"]),
                players=s.players,
            )
        )
    for player, word in enumerate(parts["paid"], 1):
        least, most = bounds_of_paid(s.r, s.players, player, s.num_taken, s.num_steps)
        s.cost[player] = _number(word, 0, 10**12)
        if not least <= s.cost[player] <= most:
            raise BadPaper(
                say(
                    "Player {player} can't have paid {paid}: it is at least {least} and at most {most}.",
                    player=player,
                    paid=s.cost[player],
                    least=least,
                    most=most,
                )
            )


def bounds_of_paid(r: int, players: int, player: int, num_taken: int, num_steps: int) -> tuple[int, int]:
    """The least and the most that a player can have paid when so many numbers are taken, after steps of a turn."""
    num_turns = (num_taken - 1 + players - player) // players
    steps = num_steps if player == (num_taken - 1) % players + 1 else 0
    # The first step of a turn costs 2 at least, as its number is taken. None costs less than 1 or more than 2r.
    return 2 * num_turns + steps, 2 * r * (2 * r * num_turns + steps)


def _only(part: str, words: Sequence[str], low: int, high: int) -> int:
    if len(words) != 1:
        raise BadPaper(say("After {part} there must be one number.", part=part))
    return _number(words[0], low, high)


def _number(word: str, low: int, high: int) -> int:
    number = read_integer(word) if len(word) <= 20 else None
    if number is None or not low <= number <= high:
        raise BadPaper(say("{word} isn't a number of {low} to {high}.", word=shorten(word), low=low, high=high))
    return number
