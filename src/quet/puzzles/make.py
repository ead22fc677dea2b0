"""Makes puzzles: `quet puzzles make`. Positions come from random games and from games of levels; values are exact.

The value of each move comes from `knowledge.values.solved_values`, and from `check.values` in a second way. A position
is kept if it is of one of the kinds, both ways agree, and level:1 solves it in fewer than half of its tries.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from math import ceil

from .. import catalog
from ..core.errors import BadParameter, QuetError, TooLarge
from ..core.facts import puzzle_facts
from ..core.messages import say
from ..core.parameters import Parameter, read_parameters
from ..core.parameters import written as parameters_written
from ..game import Game
from ..knowledge.known import Budget
from ..knowledge.values import solved_values
from ..players.levels import LEVELS, LevelPlayer
from . import check, measure
from .puzzle import LEVELS as LEVELS_OF_PUZZLES
from .puzzle import Kind, Puzzle, asked, is_right

SECONDS = 60.0  # for the values of a position, which take far less: the same seed makes the same puzzles
LONGEST = 400  # moves of a game from which positions come
WAYS = ("random", "random", "level:1", "level:2", "level:3")  # of playing it
LATEST, EARLIEST = 2, 40  # moves before the end
TRIES = 4  # positions of a game
PATIENCE = 150  # games of a size without a puzzle, after which it is left
MOST_MOVES = 400  # to choose from in a puzzle
SIZES = 5  # from the smallest but one on, of a game whose facts name none


class Disagreement(QuetError):
    """Two ways to the values of a position don't agree: there is a mistake in one of them."""


def make(
    game_id: str,
    count: int,
    seed: int,
    *,
    report: Callable[[int, int], None] = lambda made, tried: None,
    keep: Callable[[Sequence[Puzzle]], None] = lambda made: None,
    most_tried: int | None = None,
) -> list[Puzzle]:
    """So many puzzles of a game, as far as `most_tried` positions give them; the same seed makes the same.

    Sizes are chosen at random, and no size gets twice its share, unless the others have run dry: then the rest is made
    of those that haven't. `report` is told how many are made and how many positions were tried; `keep` gets all puzzles
    after each new one. Raises UnknownGame, BadParameter and Disagreement.
    """
    wanted = sizes(catalog.get(game_id))
    making = _Making(game_id, seed, report, keep, 200 * count if most_tried is None else most_tried)
    fair = ceil(2 * count / len(wanted))
    making.go_on(wanted, count, fair)
    of_size = Counter(str(puzzle.parameters) for puzzle in making.made)
    not_dry = [one for one in wanted if of_size[str(parameters_written(one))] >= fair]
    making.go_on(not_dry, count, count)
    return making.made


class _Making:
    """The puzzles that are made so far."""

    def __init__(
        self,
        game_id: str,
        seed: int,
        report: Callable[[int, int], None],
        keep: Callable[[Sequence[Puzzle]], None],
        limit: int,
    ) -> None:
        self._game_id, self._seed, self._report, self._keep, self._limit = game_id, seed, report, keep, limit
        self.made: list[Puzzle] = []
        self._tried = 0

    def go_on(self, wanted: Sequence[Mapping[str, object]], count: int, fair: int) -> None:
        """Make puzzles of these sizes, at most `fair` new ones of each, until there are `count` or all have run dry."""
        rng = random.Random(f"{self._game_id} {self._seed} {len(self.made)}".removesuffix(" 0"))
        seen = {puzzle.position().key() for puzzle in self.made}
        of_size: Counter[str] = Counter()
        fitting: set[tuple[str, int]] = set()
        farthest = {str(one): EARLIEST for one in wanted}  # moves before the end from which few enough positions follow
        begun = [Game(catalog.get(self._game_id), dict(one)) for one in wanted]
        walks = {str(one): _walk(game, rng) for one, game in zip(wanted, begun, strict=True) if game.num_players > 2}
        since: Counter[str] = Counter()  # games of a size from which no puzzle came, one after the other
        while len(self.made) < count and self._tried < self._limit:
            left = [one for one in wanted if of_size[str(one)] < fair and since[str(one)] < PATIENCE]
            if not left:
                return
            parameters = rng.choice(left)
            size = str(parameters)
            since[size] += 1
            walk = walks.get(size)
            found = islice(walk, TRIES) if walk else _positions(self._game_id, parameters, rng, farthest[size])
            for game, to_end in found:
                if game.key() in seen or to_end > farthest[size]:
                    continue
                seen.add(game.key())
                self._tried += 1
                if walk is None and (size, to_end) not in fitting:  # one look for all that are as far from the end
                    fitting.add((size, to_end))
                    if check.values(game) is None:
                        farthest[size] = max(LATEST, to_end - 1)
                        continue
                puzzle = _puzzle(game, self._seed)
                self._report(len(self.made), self._tried)
                if puzzle is not None:
                    self.made.append(puzzle)
                    of_size[size] += 1
                    since[size] = 0
                    self._keep(self.made)
                    break


def sizes(entry: catalog.Entry) -> list[Mapping[str, object]]:
    """The parameters of the games from which puzzles are made: those of the facts, else the smallest sizes but one."""
    parameters = entry.rules.PARAMETERS
    named = puzzle_facts(entry.facts)
    if named:
        return [read_parameters(parameters, one, files=False) for one in named]
    first = next((one for one in parameters if isinstance(one, Parameter)), None)
    if first is None:
        return [read_parameters(parameters, {}, files=False)]
    found: list[Mapping[str, object]] = []
    for size in range(min(first.low + 1, first.high), min(first.low + SIZES, first.high) + 1):
        try:
            found.append(read_parameters(parameters, {first.name: size}, files=False))
        except BadParameter:
            continue
    if not found:
        raise BadParameter(say("No size of {title} suits puzzles.", title=entry.title))
    return found


def _positions(
    game_id: str, parameters: Mapping[str, object], rng: random.Random, farthest: int
) -> Iterator[tuple[Game, int]]:
    """Some positions of a game played at random or by a level, with how many moves before its end they were met."""
    whole = Game(catalog.get(game_id), dict(parameters))
    way = rng.choice(WAYS[2:] if whole.entry.local_search is not None else WAYS)
    player = None if way == "random" else LevelPlayer(LEVELS[way], rng.randrange(1 << 30), 1)
    while not whole.is_over and whole.ply < LONGEST:
        if player is None or rng.random() < 0.15:  # a mistake now and then leads to other positions
            whole.push(rng.choice(whole.legal_numbers()))
        else:
            whole.play(player.choose(whole))
    if not whole.is_over:
        return
    plies = list(range(max(0, whole.ply - farthest), whole.ply - LATEST + 1))
    for ply in rng.sample(plies, min(TRIES, len(plies))):
        game = asked(whole.at(ply))
        if not game.is_over and 2 <= len(game.legal_numbers()) <= MOST_MOVES:
            yield game, whole.ply - ply


def _walk(begun: Game, rng: random.Random) -> Iterator[tuple[Game, int]]:
    """All positions that leave a choice, in a random order. For three or more players: levels would take long to play
    such a game, and random games of a small one meet the same positions again and again.
    """
    if asked(begun).num_players > 2:
        return
    found, seen = [begun], set()
    while found:
        at = rng.randrange(len(found))
        found[at], found[-1] = found[-1], found[at]
        whole = found.pop()
        if whole.is_over or whole.key() in seen:
            continue
        seen.add(whole.key())
        found += [whole.after(move) for move in whole.legal_moves]
        if 2 <= len(whole.legal_numbers()) <= MOST_MOVES:
            yield asked(whole), 0


def _puzzle(game: Game, seed: int) -> Puzzle | None:
    """The puzzle with this position, if it makes a good one. The solver comes last: it may take long where many
    positions follow, and those aren't used.
    """
    tree = check.Tree(game)
    second = tree.values(game)
    kind = None if second is None else kind_of(game, second)
    if second is None or kind is None:
        return None
    if measure.finds_half(game, kind, second, LEVELS_OF_PUZZLES[0], seed):
        return None
    try:
        values = solved_values(game, Budget(SECONDS))
    except TooLarge:
        return None
    if values is None:
        return None
    if values != second:
        moves = " ".join(game.moves)
        raise Disagreement(say("Two ways to the values of {game} don't agree: {moves}", game=repr(game), moves=moves))
    difficulty = [measure.found(game, kind, values, level, seed) for level in LEVELS_OF_PUZZLES]
    best = max(values.values())
    replies = []
    for move, value in values.items():
        reply = ""
        if kind is not Kind.BEST and not is_right(kind, value, best):
            reply = _reply(tree, game.after(move), game.mover)
        replies.append(reply)
    return Puzzle(
        game.id,
        parameters_written(game.parameters),
        tuple(game.moves),
        kind,
        tuple(values.values()),
        () if kind is Kind.BEST else tuple(replies),
        tuple(difficulty),
    )


def kind_of(game: Game, values: Mapping[str, int]) -> Kind | None:
    """What can be asked in a position with these values; None where nothing is."""
    best = max(values.values())
    if game.num_players == 1:
        num_right = sum(value == best for value in values.values())
        return Kind.BEST if 2 * num_right <= len(values) else None
    if best < 0:
        return None
    kind = Kind.WIN if best > 0 else Kind.HOLD
    return kind if sum(is_right(kind, value, best) for value in values.values()) == 1 else None


def _reply(tree: check.Tree, after: Game, mover: int | None) -> str:
    """The other player's best move, which punishes the one before; empty where that ended the game or goes on."""
    if after.is_over or after.mover == mover:
        return ""
    answers = tree.values(after)
    assert answers is not None  # the tree has these positions
    return max(answers, key=lambda move: answers[move])
