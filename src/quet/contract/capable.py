"""The part of the contract that players and learners rely on: what a game offers holds in small games.

At a few small sizes the rules alone tell everything about each position (`small.py`). Every capability is compared with
that. `solvers.py` does the same for what solvers rely on, `random_ends.py` for ends that are drawn, and `other_ways.py`
for what tells scores and values in a way of its own.
"""

import itertools
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ..capabilities import Actions, HighestScore, KnowsPositions, Observe
from ..catalog import Entry
from ..core.parameters import split_parameters
from ..core.rules import AnyState, difference, legal_moves
from ..core.state import copy, key
from ..draw.scene import Scene
from ..game import Game, new
from . import other_ways, random_ends, solvers
from .small import Known, Small, games
from .trials import MOST_MOVES, random_games, require, starts, where

STEPS = 1_000  # of an annealing
PLANNED = 20  # positions of a small game from which plans are made


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
        start = has.of(copy(game.start.state))
        alike = [int(number) for number in has.alike(start)]
        is_right = len(alike) == has.num_patterns(start) and all(
            0 <= least <= number and alike[least] == least for number, least in enumerate(alike)
        )
        require(is_right, f"`alike` doesn't name the least of the patterns that share a weight in {game}.")
        parts = has.parts(start)
        is_right = len(parts) == len(alike) and bool((parts >= -1).all()) and bool((parts[alike] == parts).all())
        require(is_right, f"`parts` tells other parts of patterns that share a weight in {game}.")
        worth: dict[int, object] = {}
        for known in game.positions.values():
            if not has.fits(known.state):
                continue
            s = has.of(copy(known.state))
            same = difference(has, s) == difference(game.rules, known.state)
            require(same, f"patterns.py has other scores in {game}.")
            same = has.is_over(s) == known.is_over == (has.plies_left(s) == 0)
            require(same, f"In patterns.py a game is over at another time in {game}.")
            shared = Counter(alike[number] for number in _patterns(entry, game, s).elements())
            rest = has.plies_left(s), known.value - has.settled(s), shared
            same = worth.setdefault(has.key(s), rest) == rest
            require(same, f"Two positions of {game} have the same key in patterns.py, and other patterns or values.")
            if known.is_over:
                continue
            require(has.mover(s) == game.rules.mover(known.state), f"In patterns.py another player moves in {game}.")
            for step, after in game.after(known.state):
                twin = copy(s)
                has.follow(twin, step)
                same = not has.fits(after.state) or twin == has.of(copy(after.state))
                require(same, f"In patterns.py a move leads elsewhere in {game}.")
            moves = legal_moves(has, s)
            require(max(moves) < has.most_moves(s), f"A move of patterns.py isn't below `most_moves` in {game}.")
            values = [_value_after(entry, game, known, s, move) for move in moves]
            best = max(values) if has.mover(s) == 1 else min(values)
            require(best == known.value, f"The moves of patterns.py lead to {best}, not {known.value}, in {game}.")


def _value_after(entry: Entry, game: Small, known: Known, s: AnyState, move: int) -> int:
    """The value of the position that a move of `patterns.py` leads to, after a look at what that module says of it."""
    has = entry.patterns
    assert has is not None
    at, twin = known, copy(s)
    while has.plies_left(twin) == has.plies_left(s):
        step = has.step(copy(twin), move)
        following = dict(game.after(at.state))
        require(step in following, f"In patterns.py other moves are legal in {game}.")
        at = following[step]
        has.follow(twin, step)
    require(has.plies_left(twin) == has.plies_left(s) - 1, f"A move takes other than one ply in {game}.")
    played = copy(s)
    has.play(played, move)
    require(played == twin, f"In patterns.py a move isn't what its steps are in {game}.")
    gain = has.settled(twin) - has.settled(s)
    require(has.gain(s, move) == gain, f"`gain` tells another change of what is settled in {game}.")
    gone, come = [0] * has.num_patterns(s), [0] * has.num_patterns(s)
    num_gone, num_come = has.changes(s, move, gone, come)
    then = _patterns(entry, game, s) + Counter(come[:num_come])
    then.subtract(gone[:num_gone])
    same = +then == _patterns(entry, game, twin) and min(then.values(), default=0) >= 0
    require(same, f"`changes` tells other changes in {game}.")
    return int(at.value)


def _patterns(entry: Entry, game: Small, s: AnyState) -> Counter[int]:
    """The patterns of a position, each as often as it counts, after a look at whether they have right numbers."""
    has = entry.patterns
    assert has is not None
    most = has.num_patterns(s)
    out = [-1] * most
    found = out[: has.patterns(s, out)]
    require(all(0 <= number < most for number in found), f"A pattern isn't from 0 to {most - 1} in {game}.")
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


def images_are_games(entry: Entry) -> None:
    """What `images.py` makes of a game is a game too, with the same movers and scores."""
    if entry.images is None:
        return
    twins: list[Game] = []  # the images of the game so far
    for game in random_games(entry):
        if not game.ply:
            twins = [game.at(0) for _ in entry.images.images(game.state, game.legal_numbers()[0])]
            continue
        move = game.numbers[-1]
        moves = entry.images.images(game.state, move)
        require(len(moves) == len(twins) and moves[0] == move, f"A move isn't the first of its images {where(game)}.")
        for twin, image in zip(twins, moves, strict=True):
            is_legal = not twin.is_over and image in twin.legal_numbers()
            require(is_legal, f"An image of a game has an illegal move {where(game)}.")
            twin.push(image)
            same = (twin.scores, twin.mover) == (game.scores, game.mover)
            require(same, f"An image of a game has other scores or another mover {where(game)}.")


def plans_lead_to_the_end(entry: Entry) -> None:
    """Each plan of `plan.py` is a whole game, also in plain Python and without any time; its limits hold, and ours."""
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
            found = entry.planner.plan(known.state, line, len(line), 1, _not_over, is_plain=False, work=1)
            one_game = len(found.moves) * game.rules.most_moves(known.state)
            require(found.work <= one_game, f"A plan of {game} takes more work than it may, and than one game does.")


def _over() -> bool:
    return True


def _not_over() -> bool:
    return False


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
        if isinstance(see, KnowsPositions):
            for known in game.positions.values():
                require(see.is_position(known.state, start), f"is_position doesn't know a position of {game}.")
        seen: dict[bytes, tuple[object, ...]] = {}
        for known in _met(game, see):
            s = known.state
            legal = np.zeros(num_actions, np.bool_)
            if not known.is_over:
                if isinstance(see, Actions):
                    see.mark_legal(s, [0] * game.rules.most_moves(s), legal)
                else:
                    moves = legal_moves(game.rules, s)
                    is_in_range = moves[0] >= 0 and moves[-1] < num_actions
                    require(is_in_range, f"An action isn't from 0 to {num_actions - 1} in {game}.")
                    legal[moves] = True
            array = np.zeros(shape, np.float32)
            see.observe(s, legal, array.reshape(len(array), -1))
            actions: list[int] = np.flatnonzero(legal).tolist()
            require(known.is_over or bool(actions), f"There is no legal action in {game}.")
            if isinstance(see, Actions):
                require(
                    all(_is_its_moves(game, see, s, action) for action in actions),
                    f"`moves` isn't what `play` makes of an action in {game}.",
                )
            found = known.is_over, known.value, actions
            require(seen.setdefault(array.tobytes(), found) == found, f"Two positions of {game} look alike and aren't.")


def _met(game: Small, see: Observe[AnyState]) -> Iterator[Known]:
    """The positions that a learner meets: all, or those that actions lead to where an action can be several moves."""
    import numpy as np

    if not isinstance(see, Actions):
        yield from game.positions.values()
        return
    waiting, met = [game.start], {key(game.start.state)}
    while waiting:
        known = waiting.pop()
        yield known
        legal = np.zeros(see.num_actions(known.state), np.bool_)
        if not known.is_over:
            see.mark_legal(known.state, [0] * game.rules.most_moves(known.state), legal)
        for action in np.flatnonzero(legal).tolist():
            s = copy(known.state)
            see.play(s, action)
            require(key(s) in game.positions, f"An action leads to no position of {game}.")
            if key(s) not in met:
                met.add(key(s))
                waiting.append(game.positions[key(s)])


def _is_its_moves(game: Small, see: Actions[AnyState], s: AnyState, action: int) -> bool:
    """Whether the moves that an action is said to be are what it plays, and the first is the one that is written."""
    played, moved = copy(s), copy(s)
    see.play(played, action)
    moves = see.moves(s, action)
    for move in moves:
        game.rules.play(moved, move)
    return played == moved and game.rules.move_text(s, moves[0]) == see.action_text(s, action)


CHECKS: tuple[Callable[[Entry], None], ...] = (
    *solvers.CHECKS,
    sensible_moves_lose_nothing,
    patterns_follow_the_game,
    weights_can_be_read,
    annealed_boards_can_be_written,
    images_are_games,
    plans_lead_to_the_end,
    random_ends.random_ends_are_those_of_random_games,
    sheets_are_boards,
    learners_see_what_matters,
    other_ways.terms_are_those_of_the_game,
    other_ways.second_ways_agree,
    other_ways.kept_values_can_be_reached,
)
