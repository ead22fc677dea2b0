"""The part of the contract that solvers and learners rely on: whatever a game declares holds in small games.

At a few small sizes the rules alone tell everything about each position (`small.py`). Every capability is compared with
that.
"""

import dataclasses
import functools
import itertools
import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ..capabilities import Actions, Capabilities, HighestScore, Hold, Line
from ..catalog import Entry
from ..core.parameters import split_parameters
from ..core.rules import AnyState
from ..core.state import copy, key
from ..distribution.task import Task, difference, legal_moves
from ..distribution.workers import here
from ..draw.scene import Scene
from ..game import new
from .small import Known, Small, small_games
from .trials import MOST_MOVES, require, starts, where

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

LARGEST_KEY = (1 << 63) - 1  # as of an int64
SECONDS = 20.0  # for a solver of the game's own, which may then leave the question open
STEPS = 1_000  # of an annealing
PLANNED = 20  # positions of a small game from which plans are made
DRAWN = 3  # positions of a small game from which ends are drawn
DRAWS = 1_000  # ends from each of them
MOST_PLIES = 7  # of a small game of which ends are drawn, as all of them are counted
SPREADS = 6.0  # standard deviations by which a count may differ from what is expected; seeds are fixed


@functools.lru_cache(maxsize=16)
def games(entry: Entry) -> list[Small]:
    """The small games on which everything is tried."""
    return list(small_games(entry))


def capabilities_are_whole(entry: Entry) -> None:
    """A capability has all of its functions and constants, and the other capabilities that it needs."""
    has = entry.capabilities
    for each in (has, has.in_bits):
        require(
            not each.lacking, f"{each.module} lacks {' and '.join(each.lacking)}, without which others mean nothing."
        )
        require(each.keys is None or each.bounds is not None, f"{each.module} has keys and no bounds.")
        rests = each.reach or each.order or each.endgame or each.plies or each.compact
        require(not rests or each.keys is not None, f"{each.module} has something for alpha-beta and no keys.")
    require(type(has.numbering) is int and has.numbering >= 1, "NUMBERING must be an integer from 1 on.")


def values_lie_in_their_bounds(entry: Entry) -> None:
    """No position has a value outside `bounds`, or outside `reach` while it is played."""
    for game in games(entry):
        for has, s, known in _seen(game):
            if has.bounds is not None:
                low, high = has.bounds.bounds(s)
                require(
                    low <= known.value <= high, f"bounds says {low} to {high}, but a value is {known.value} in {game}."
                )
            if has.reach is not None and not known.is_over:
                low, high = has.reach.reach(s)
                require(
                    low <= known.value <= high, f"reach says {low} to {high}, but a value is {known.value} in {game}."
                )


def keys_tell_positions_apart(entry: Entry) -> None:
    """Positions with equal keys have the same mover, and the same value less what is settled."""
    for game in games(entry):
        for has, positions in _alike(game):
            if has.keys is None or not has.keys.fits(positions[0][0]):
                continue
            seen: dict[int, tuple[int, int]] = {}
            for s, known in positions:
                if known.is_over:
                    continue
                number = has.keys.key(s)
                require(type(number) is int, f"A key is {number!r}, not an int, in {game}.")
                is_fitting = -LARGEST_KEY - 1 <= number <= LARGEST_KEY
                require(is_fitting, f"A key is {number}, which isn't an integer of 64 bits, in {game}.")
                settled = 0 if has.reach is None else has.reach.settled(s)
                found = game.rules.mover(known.state), known.value - settled
                first = seen.setdefault(number, found)
                require(found == first, f"Two positions of {game} with the key {number} go on differently.")


def order_keeps_the_moves(entry: Entry) -> None:
    """`arrange` leaves the same moves, in another order."""
    for game in games(entry):
        for has, s, known in _seen(game):
            if has.order is not None and not known.is_over:
                moves = legal_moves(game.rules, known.state)
                arranged = [*moves, -1]
                has.order.arrange(s, arranged, len(moves))
                require(sorted(arranged[:-1]) == moves and arranged[-1] == -1, f"arrange loses a move in {game}.")


def endings_are_values(entry: Entry) -> None:
    """`ending` is the value where that lies between the bounds, else a bound on the same side as the value."""
    for game in games(entry):
        for has, s, known in _seen(game):
            if has.endgame is not None and not known.is_over and has.endgame.is_near_end(s):
                v = known.value
                inside = has.endgame.ending(copy(s), v - 1, v + 1)
                above, below = has.endgame.ending(copy(s), v, v + 1), has.endgame.ending(copy(s), v - 1, v)
                is_right = inside == v and below == v == above
                require(is_right, f"ending says {inside}, {above} and {below}, but the value is {v} in {game}.")


def games_are_no_longer_than_said(entry: Entry) -> None:
    """No game has more moves than `most_plies`; where a game lacks that, not more than `most_moves` plus 64."""
    has = entry.capabilities
    for game in games(entry):
        if has.keys is not None and has.keys.fits(game.start.state):
            most = has.most_plies(game.rules, game.start.state)
            longest = game.start.most_plies
            require(longest <= most, f"A game of {game} has {longest} moves; most_plies must say so, not {most}.")


def the_game_in_bits_is_the_same(entry: Entry) -> None:
    """The module that COMPACT names has the moves, movers, ends and scores of the rules."""
    has = entry.capabilities
    if not has.compact:
        return
    for game in games(entry):
        if has.keys is None or not has.keys.fits(game.start.state):
            continue
        for known in game.positions.values():
            rules, _, s = has.for_search(game.rules, copy(known.state))
            require(rules.is_over(s) == known.is_over, f"In bits a game is over at another time in {game}.")
            same = difference(rules, s) == difference(game.rules, known.state)
            require(same, f"In bits the scores are others in {game}.")
            if not known.is_over:
                require(rules.mover(s) == game.rules.mover(known.state), f"In bits another player moves in {game}.")
                moves = legal_moves(game.rules, known.state)
                require(legal_moves(rules, s) == moves, f"In bits other moves are legal in {game}.")
                for move, after in game.after(known.state):
                    twin = copy(s)
                    rules.play(twin, move)
                    same = twin == has.twin(copy(after.state))[1]
                    require(same, f"In bits a move leads elsewhere in {game}.")


def the_sign_is_the_value(entry: Entry) -> None:
    """Where SIGN_IS_VALUE says so, games for two end with 1, 0 or -1."""
    for game in games(entry) if entry.capabilities.is_sign_value else ():
        if game.rules.num_players(game.start.state) == 2:
            ends = {known.value for known in game.positions.values() if known.is_over}
            require(ends <= {-1, 0, 1}, f"SIGN_IS_VALUE, but a game of {game} ends with {max(ends, key=abs)}.")


def alpha_beta_finds_the_value(entry: Entry) -> None:
    """Compiled, with all that is declared, alpha-beta finds the value of the start."""
    from ..engine.deepening import Deepening

    has = entry.capabilities
    for game in games(entry):
        if has.keys is not None and has.bounds is not None and has.keys.fits(game.start.state):
            if game.start.is_over:
                continue
            rules, capabilities, s = has.for_search(game.rules, copy(game.start.state))
            found = Deepening(rules, capabilities, s).run(s)
            is_right = found.is_exact and found.value == game.start.value
            require(is_right, f"Alpha-beta finds {found.value} in {game}, but the value is {game.start.value}.")


def own_tables_have_the_values(entry: Entry) -> None:
    """The game's own table covers all positions, and has their values or leaves them to a search."""
    table = entry.capabilities.table
    for game in games(entry) if table is not None else ():
        assert table is not None
        needed, is_quick = table.needed(game.start.state), table.is_quick(game.start.state)
        require(type(needed) is int and needed > 0, f"needed is {needed!r}, not a number of bytes, in {game}.")
        require(type(is_quick) is bool, f"is_quick is {is_quick!r}, not True or False, in {game}.")
        if game.start.is_over:
            continue
        solved = table.solve(game.start.state, Task(workers=here()))
        require(solved is not None, f"The own table isn't made, though there is no limit of time, in {game}.")
        assert solved is not None
        require(dataclasses.is_dataclass(solved), "A Solution must be a data class, so that it can be saved.")
        for known in game.positions.values():
            if not known.is_over:
                require(solved.covers(known.state), f"The own table doesn't cover a position of {game}.")
                value = solved.value(known.state)
                is_right = value is None or value == known.value
                require(is_right, f"The own table says {value}, but the value is {known.value} in {game}.")


def own_solvers_are_right(entry: Entry) -> None:
    """What the game's `solve.py` proves, and what its `strategy.py` holds, agrees with a search of all games."""
    for game in games(entry):
        start, rules = game.start.state, game.rules
        value = (-1 if rules.LOWER_IS_BETTER else 1) * game.start.value
        is_lowest = rules.LOWER_IS_BETTER and rules.num_players(start) == 1
        if entry.solve is not None and not game.start.is_over:
            found = entry.solve.solve(copy(start), Task(seconds=SECONDS, is_lowest=is_lowest, workers=here()))
            is_right = found is None or not found.is_proven or found.value == value
            require(is_right, f"The own solver proves {found and found.value}, but the value is {value} in {game}.")
        for held, ground in [] if entry.strategy is None else entry.strategy.find(copy(start)):
            is_right = held <= value if ground["for"] == ["low"] else held >= value
            require(is_right, f"A strategy holds {held} for {ground['for'][0]}, but the value is {value} in {game}.")
        if isinstance(entry.strategy, Line) and not game.start.is_over:
            line = entry.strategy.line(copy(start))
            s = copy(start)
            for move in line:
                require(move in legal_moves(rules, s), f"The line of the strategies has an illegal move in {game}.")
                rules.play(s, move)


def strategies_hold_what_they_say(entry: Entry) -> None:
    """In no position `hold` says more than the value, and after its move it says no less than before."""
    strategy = entry.strategy
    if not isinstance(strategy, Hold):
        return
    for game in games(entry):
        for known in game.positions.values():
            for player in range(1, 3 if not known.is_over else 1):
                sign = 1 if player == 1 else -1
                held = strategy.hold(copy(known.state), player)
                if held is None:
                    continue
                is_turn = game.rules.mover(known.state) == player
                require(
                    sign * held[0] <= sign * known.value, f"hold says {held[0]}, the value is {known.value} in {game}."
                )
                after = dict(game.after(known.state))
                is_legal = held[1] in after if is_turn else held[1] == -1
                require(is_legal, f"hold answers with the move {held[1]}, which player {player} can't make in {game}.")
                for move, then in after.items():
                    if then.is_over or (is_turn and move != held[1]):
                        continue
                    later = strategy.hold(copy(then.state), player)
                    is_kept = later is not None and sign * later[0] >= sign * held[0]
                    require(is_kept, f"What player {player} holds is lost after the move {move} in {game}.")


def sensible_moves_lose_nothing(entry: Entry) -> None:
    """The moves of `sensible.py` are legal, and one of the best is among them."""
    for game in games(entry) if entry.sensible is not None else ():
        for known in game.positions.values():
            if not known.is_over:
                worth = {move: after.value for move, after in game.after(known.state)}
                out = [0] * game.rules.most_moves(known.state)
                assert entry.sensible is not None
                moves = out[: entry.sensible.legal_moves(copy(known.state), out)]
                require(worth.keys() >= set(moves), f"A sensible move isn't legal in {game}.")
                is_kept = any(worth[move] == known.value for move in moves)
                require(is_kept, f"No best move is sensible in a position of {game}.")


def patterns_follow_the_game(entry: Entry) -> None:
    """`patterns.py` plays the same game, and `changes` leads to the patterns of the next position."""
    has = entry.patterns
    for game in games(entry) if has is not None else ():
        assert has is not None
        if game.rules.num_players(game.start.state) != 2 or not has.fits(game.start.state):
            continue
        keys: dict[int, AnyState] = {}
        for known in game.positions.values():
            s = has.of(copy(known.state))
            same = difference(has, s) == difference(game.rules, known.state)
            require(same, f"patterns.py has other scores in {game}.")
            same = has.is_over(s) == known.is_over == (has.plies_left(s) == 0)
            require(same, f"In patterns.py a game is over at another time in {game}.")
            require(keys.setdefault(has.key(s), s) == s, f"Two positions of {game} have the same key in patterns.py.")
            if known.is_over:
                continue
            require(has.mover(s) == game.rules.mover(known.state), f"In patterns.py another player moves in {game}.")
            moves = legal_moves(game.rules, known.state)
            require(legal_moves(has, s) == moves, f"In patterns.py other moves are legal in {game}.")
            before = _patterns(entry, game, s)
            for move, after in game.after(known.state):
                gone, come = [0] * has.num_patterns(s), [0] * has.num_patterns(s)
                count = has.changes(s, move, gone, come)
                then = before + Counter(come[:count])
                then.subtract(gone[:count])
                twin = copy(s)
                has.play(twin, move)
                require(twin == has.of(copy(after.state)), f"In patterns.py a move leads elsewhere in {game}.")
                require(has.plies_left(twin) == has.plies_left(s) - 1, f"A move takes other than one ply in {game}.")
                require(+then == _patterns(entry, game, twin), f"`changes` tells other changes in {game}.")


def _patterns(entry: Entry, game: Small, s: AnyState) -> Counter[int]:
    """The patterns of a position, each as often as it counts, after a look at whether they have right numbers."""
    has = entry.patterns
    assert has is not None
    most = has.num_patterns(s)
    out = [-1] * most
    found = out[: has.patterns(s, out)]
    alike = [int(number) for number in has.alike(s)]
    require(all(0 <= number < most for number in found), f"A pattern isn't from 0 to {most - 1} in {game}.")
    is_right = len(alike) == most and all(alike[number] == alike[alike[number]] <= number for number in found)
    require(is_right, f"`alike` doesn't name the least of the patterns that share a weight in {game}.")
    return Counter(found)


def weights_can_be_read(entry: Entry) -> None:
    """Each file in the folder `weights` is for a game that has patterns, and together they are small."""
    from ..learning.weights import LARGEST, shipped, weights_of

    total = 0
    for name, size in shipped(entry):
        total += size
        parameters = split_parameters(name.removesuffix(".npz").split(","))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            require(
                weights_of(new(entry.id, **parameters)) is not None,
                f"The weights {name} are for no game with patterns.",
            )
    require(total <= LARGEST, f"The weights of {entry.id} have {total} bytes, more than {LARGEST}.")


def annealed_boards_can_be_written(entry: Entry) -> None:
    """The board that `local_search.py` finds can be written by legal moves, and has the score that it says."""
    if entry.local_search is None:
        return
    from ..engine.annealing import Annealing

    for game in starts(entry):
        if game.rules.most_moves(game.state) > MOST_MOVES:
            continue
        s = copy(game.state)
        found = Annealing(entry.local_search, game.rules, s, seed=1).run(simulations=STEPS)
        for move in found.line:
            require(move in legal_moves(game.rules, s), f"The line of an annealing has an illegal move {where(game)}.")
            game.rules.play(s, int(move))
        score = game.rules.score(s, 1)
        require(game.rules.is_over(s), f"The line of an annealing doesn't come to an end {where(game)}.")
        require(score == found.candidates[0].best, f"An annealed board scores {score}, not as said {where(game)}.")


def plans_lead_to_the_end(entry: Entry) -> None:
    """Each plan of `plan.py` is a whole game, also in plain Python and without any time; its limits hold."""
    if entry.planner is None:
        return
    sign = -1 if entry.rules.LOWER_IS_BETTER else 1
    for game in games(entry):
        for known in itertools.islice(game.positions.values(), 0, None, 1 + len(game.positions) // PLANNED):
            if known.is_over:
                continue
            require(game.rules.num_players(known.state) == 1, f"plan.py is for solitaires, which {game} isn't.")
            line: Sequence[int] = ()
            for number, (is_plain, has_time) in enumerate([(True, False), (True, True), (True, True), (False, True)]):
                s = copy(known.state)
                is_over: Callable[[], bool] = _not_over if has_time else _over
                found = entry.planner.plan(s, line, number, 1, is_over, is_plain=is_plain)
                require(s == known.state, f"plan changes a position of {game}.")
                for move in found.moves:
                    require(move in legal_moves(game.rules, s), f"A plan has an illegal move in {game}.")
                    game.rules.play(s, int(move))
                require(game.rules.is_over(s), f"A plan doesn't come to an end in {game}.")
                is_held = found.limit is None or sign * found.limit >= known.value
                require(is_held, f"A plan's limit is {found.limit}, but {sign * known.value} is possible in {game}.")
                line = found.moves


def _over() -> bool:
    return True


def _not_over() -> bool:
    return False


def random_ends_are_those_of_random_games(entry: Entry) -> None:
    """Ends that are drawn have scores and moves of each player that random games have, and as often."""
    ends = entry.random_end
    if ends is None:
        return
    import numpy as np

    from ..engine.playouts import WORD
    from ..engine.tree import mixed

    for game in games(entry):
        if ends.num_moves(game.start.state) == 0 or game.start.most_plies > MOST_PLIES:
            continue
        num_players = game.rules.num_players(game.start.state)
        require(num_players > 1, "Ends of a solitaire can't be drawn, since its best line must be known.")
        chances = _Chances(game)
        rng = np.array([mixed(1)], np.uint64)
        waiting = [known for known in game.positions.values() if not known.is_over]
        for known in waiting[:: -(-len(waiting) // DRAWN)]:
            expected = chances.of(known)
            found: dict[_End, int] = {}
            made = np.zeros((num_players + 1, -(-ends.num_moves(known.state) // WORD)), np.int64)
            scores = np.zeros(num_players + 1)
            for _ in range(DRAWS):
                made[:] = 0
                with np.errstate(over="ignore"):  # random numbers are products that overflow
                    ends.finish(copy(known.state), [0] * game.rules.most_moves(known.state), rng, made, scores)
                end = tuple(map(int, scores[1:])), _members(made)
                require(end in expected, f"An end of {game} is drawn that can't be: {end}.")
                found[end] = found.get(end, 0) + 1
            for what, chance, count in _events(expected, found):
                spread = math.sqrt(DRAWS * chance * (1 - chance))
                is_right = abs(count - DRAWS * chance) <= SPREADS * spread + 1
                often = f"{count} of {DRAWS} times instead of about {DRAWS * chance:.0f}"
                require(is_right, f"Ends of {game} are drawn with {what} {often}.")


_End: TypeAlias = tuple[tuple[int, ...], frozenset[tuple[int, int]]]
"""The final score of each player, and each move that was made, with its player before it."""


class _Chances:
    """With what chance random moves lead to each end, from every position of a small game."""

    def __init__(self, game: Small) -> None:
        self._game = game
        self._known: dict[object, dict[_End, float]] = {}

    def of(self, known: Known) -> dict[_End, float]:
        """The ends of games from this position, with the chance of each."""
        name = key(known.state)
        if name not in self._known:
            self._known[name] = self._found(known)
        return self._known[name]

    def _found(self, known: Known) -> dict[_End, float]:
        rules, s = self._game.rules, known.state
        if known.is_over:
            return {(tuple(rules.score(s, player + 1) for player in range(rules.num_players(s))), frozenset()): 1.0}
        after = list(self._game.after(s))
        found: dict[_End, float] = {}
        for move, then in after:
            for (scores, made), chance in self.of(then).items():
                end = scores, made | {(rules.mover(s), move)}
                found[end] = found.get(end, 0.0) + chance / len(after)
        return found


def _members(made: "npt.NDArray[np.signedinteger]") -> frozenset[tuple[int, int]]:
    """The players with their moves, from sets as `random_end.py` writes them."""
    from ..engine.playouts import WORD

    width = made.shape[1]
    return frozenset(
        (player, WORD * i + bit)
        for player, i in itertools.product(range(len(made)), range(width))
        for bit in range(WORD)
        if int(made[player, i]) >> bit & 1
    )


def _events(expected: Mapping[_End, float], found: Mapping[_End, int]) -> Iterator[tuple[str, float, int]]:
    """What can be counted: each end, each row of scores, and each move of a player; with its chance and its count."""
    chances: dict[str, float] = {}
    counts: dict[str, int] = {}
    for end, chance in expected.items():
        scores, made = end
        names = [f"the end {end}", f"the scores {scores}", *(f"the move {move} of player {who}" for who, move in made)]
        for name in names:
            chances[name] = chances.get(name, 0.0) + chance
            counts[name] = counts.get(name, 0) + found.get(end, 0)
    for name, chance in chances.items():
        yield name, min(chance, 1.0), counts[name]


def sheets_are_boards(entry: Entry) -> None:
    """The board of `sheet.py` is a picture with nothing to touch."""
    if entry.sheet is None:
        return
    for game in starts(entry):
        scene = entry.sheet.board(game.position(legal=False))
        require(isinstance(scene, Scene), f"The sheet is no scene {where(game)}.")
        require(not scene.squares and not scene.choices, f"The sheet has something to touch {where(game)}.")


def learners_see_what_matters(entry: Entry) -> None:
    """Positions with equal observations have the same future; the bounds of actions, games and scores hold."""
    see = entry.observe
    if see is None:
        return
    import numpy as np

    for game in games(entry):
        start = game.start.state
        shape = len(see.planes(start)), *see.shape(start)
        num_actions, longest = see.num_actions(start), see.longest(start)
        if not isinstance(see, Actions):
            require(game.start.most_plies <= longest, f"A game is longer than `longest` says, {longest}, in {game}.")
        if isinstance(see, HighestScore):
            ends = [game.rules.score(known.state, 1) for known in game.positions.values() if known.is_over]
            most = see.highest_score(start)
            require(min(ends) >= 0 and max(ends) <= most, f"A score isn't from 0 to {most} in {game}.")
        seen: dict[bytes, tuple[object, ...]] = {}
        for known in game.positions.values():
            s = known.state
            array = np.zeros(shape, np.float32)
            see.observe(s, array)
            actions: list[int] = []
            if not known.is_over:
                actions = see.legal_actions(s) if isinstance(see, Actions) else legal_moves(game.rules, s)
                is_ordered = actions == sorted(set(actions)) and actions[0] >= 0 and actions[-1] < num_actions
                require(is_ordered, f"An action isn't from 0 to {num_actions - 1}, ascending, in {game}.")
            found = known.is_over, known.value, actions
            require(seen.setdefault(array.tobytes(), found) == found, f"Two positions of {game} look alike and aren't.")


CHECKS: tuple[Callable[[Entry], None], ...] = (
    capabilities_are_whole,
    values_lie_in_their_bounds,
    keys_tell_positions_apart,
    order_keeps_the_moves,
    endings_are_values,
    games_are_no_longer_than_said,
    the_game_in_bits_is_the_same,
    the_sign_is_the_value,
    alpha_beta_finds_the_value,
    own_tables_have_the_values,
    own_solvers_are_right,
    strategies_hold_what_they_say,
    sensible_moves_lose_nothing,
    patterns_follow_the_game,
    weights_can_be_read,
    annealed_boards_can_be_written,
    plans_lead_to_the_end,
    random_ends_are_those_of_random_games,
    sheets_are_boards,
    learners_see_what_matters,
)


def _alike(game: Small) -> Iterator[tuple[Capabilities, list[tuple[AnyState, Known]]]]:
    """All positions as the rules have them, and in bits where there is such a game, with the capabilities there."""
    has = game.entry.capabilities
    yield has, [(copy(known.state), known) for known in game.positions.values()]
    if has.compact and has.keys is not None and has.keys.fits(game.start.state):
        found = [(has.twin(copy(known.state)), known) for known in game.positions.values()]
        yield found[0][0][0], [(twin, known) for (_, twin), known in found]


def _seen(game: Small) -> Iterator[tuple[Capabilities, AnyState, Known]]:
    """As `_alike`, one by one."""
    for has, positions in _alike(game):
        for s, known in positions:
            yield has, s, known
