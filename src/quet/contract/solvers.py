"""The part of the contract that solvers rely on: what `exact.py`, `solve.py` and `strategy.py` say is so.

At a few small sizes the rules alone tell everything about each position (`small.py`). Every capability is compared with
that.
"""

import dataclasses
from collections.abc import Callable, Iterator

from ..capabilities import NO_VALUE, Capabilities, Hold, Line, SolvedForMany
from ..catalog import Entry
from ..certificates import check_weak
from ..certificates.claims import Subject
from ..core.errors import BadCertificate
from ..core.rules import AnyState, Canonical, difference, legal_moves, wants_high
from ..core.state import copy, key
from ..distribution.task import Task
from ..distribution.workers import here
from .small import Known, Small, games
from .trials import require

LARGEST_KEY = (1 << 63) - 1  # as of an int64
SECONDS = 20.0  # for a solver of the game's own, which may then leave the question open


def capabilities_are_whole(entry: Entry) -> None:
    """A capability has all of its functions and constants, and the other capabilities that it needs."""
    has = entry.capabilities
    for each in (has, has.in_bits):
        require(
            not each.lacking, f"{each.module} lacks {' and '.join(each.lacking)}, without which others mean nothing."
        )
        require(each.keys is None or each.bounds is not None, f"{each.module} has keys and no bounds.")
        rests = each.any_order or each.reach or each.order or each.endgame or each.compact
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


def order_of_moves_does_not_matter(entry: Entry) -> None:
    """Where `left_in_any_order` says so, games have that many moves, and two moves lead to one position either way."""
    any_order = entry.capabilities.any_order
    if any_order is None:
        return
    for game in games(entry):
        most = game.rules.most_moves(copy(game.start.state))
        for known in game.positions.values():
            left = any_order.left_in_any_order(copy(known.state))
            if not left:
                continue
            require(not known.is_over, f"left_in_any_order says {left} after the end of a game of {game}.")
            require(left == known.most_plies, f"left_in_any_order says {left}, not {known.most_plies}, in {game}.")
            after = dict(game.after(known.state))
            for move, then in after.items():
                require(0 <= move < most, f"The move {move} of {game} isn't below most_moves, {most}.")
                told = any_order.left_in_any_order(copy(then.state))
                require(told == left - 1, f"left_in_any_order falls from {left} to {told} after a move in {game}.")
                for second, end in () if then.is_over else game.after(then.state):
                    require(second != move, f"The move {move} of {game} can be made twice.")
                    if second in after and not after[second].is_over:
                        turned = dict(game.after(after[second].state)).get(move)
                        is_one = turned is None or _position(entry, turned.state) == _position(entry, end.state)
                        require(is_one, f"The moves {move} and {second} of {game} lead elsewhere the other way round.")


def _position(entry: Entry, state: AnyState) -> object:
    """A value that states have in common which are the same to a player."""
    state = copy(state)
    if isinstance(entry.rules, Canonical):
        entry.rules.canonical(state)
    return key(state)


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
        if has.plies is not None or (has.keys is not None and has.keys.fits(game.start.state)):
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
        if isinstance(solved, SolvedForMany):
            from ..engine.arrays import pack

            found = solved.values_of(pack([known.state for known in game.positions.values()]), game.rules).tolist()
            pairs = zip(found, game.positions.values(), strict=True)
            wrong = sum(value not in (known.value, NO_VALUE) for value, known in pairs)
            require(not wrong, f"values_of of the own table is wrong in {wrong} positions of {game}.")


def own_replies_hold_the_value(entry: Entry) -> None:
    """The game's own strategies hold the value of the start for each player, as the checker of certificates sees it."""
    own = entry.capabilities.replies
    for game in games(entry) if own is not None else ():
        assert own is not None
        start, keys = game.start.state, entry.capabilities.keys
        if game.start.is_over or keys is None or not keys.fits(start):
            continue
        require(type(own.has_replies(start)) is bool, f"has_replies isn't True or False in {game}.")
        is_lower = game.rules.LOWER_IS_BETTER
        value = -game.start.value if is_lower else game.start.value
        for player in (1, 2):
            side = "low" if wants_high(game.rules, player) else "high"
            made = own.replies(copy(start), game.start.value, player, Task(workers=here())).tolist()
            try:
                check_weak.check(
                    Subject(entry.id, game.rules, entry.claims), start, check_weak.packed(made), side, value
                )
            except BadCertificate as error:
                require(False, f"The own strategy of player {player} in {game}: {error.sentence}")


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
            low, high = (found.low, found.high) if found is not None else (None, None)
            is_between = (low is None or low <= value) and (high is None or value <= high)
            require(is_between, f"The own solver has bounds {low} and {high}, but the value is {value} in {game}.")
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


CHECKS: tuple[Callable[[Entry], None], ...] = (
    capabilities_are_whole,
    values_lie_in_their_bounds,
    keys_tell_positions_apart,
    order_of_moves_does_not_matter,
    order_keeps_the_moves,
    endings_are_values,
    games_are_no_longer_than_said,
    the_game_in_bits_is_the_same,
    the_sign_is_the_value,
    alpha_beta_finds_the_value,
    own_tables_have_the_values,
    own_replies_hold_the_value,
    own_solvers_are_right,
    strategies_hold_what_they_say,
)
