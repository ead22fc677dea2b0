"""The part of the contract that the checker of certificates relies on: what a game's `claims.py` says is so."""

import contextlib
from collections import deque
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, product

from ..catalog import Entry
from ..certificates import check_tried, claims
from ..certificates.aims import Result, aim, result
from ..certificates.check_minimax import Search
from ..core.errors import BadCertificate, TooLargeToCheck
from ..core.quoting import shorten
from ..core.rules import AnyRules, AnyState, legal_moves
from ..core.state import copy, key, values
from ..game import Game
from .small import games
from .trials import random_games, require, sizes, where

MOST_POSITIONS = 200  # of each size, those that few moves lead to
ONE_OF = 4  # of these, where trying all from there takes longer
MOST_MOVES = 64  # at once, where positions are tried with all their moves
MOST_TRIED = 10_000  # positions, where all games are
MOST_SECONDS = 1.0  # of a game's own way to try all positions
MOST_BYTES = 1 << 28  # of the same
MOST_SQUARES = 40  # or moves at once, where clauses and strategies are tried


def claims_hold(entry: Entry) -> None:
    """What the game tells the checker of certificates is true, as far as random games and first moves show."""
    subject = claims.Subject(entry.id, entry.rules, entry.claims)
    if isinstance(subject.claims, claims.Bounds):
        _bounds(subject, entry)
    if isinstance(subject.claims, claims.Wish):
        _wish(subject.claims, entry)
    if isinstance(subject.claims, claims.Key):
        for game in _starts(entry, MOST_MOVES):
            _key(subject, game)
    if isinstance(subject.claims, claims.Stages):
        _stages(subject, entry)
    if isinstance(subject.claims, claims.Symmetry):
        for game in _starts(entry, MOST_MOVES):
            _symmetry(subject, game)
    if isinstance(subject.claims, claims.Room):
        _room(subject, entry)
    if isinstance(subject.claims, claims.Turns):
        _turns(subject, entry)
    if isinstance(subject.claims, claims.Clauses):
        _clauses(subject.claims, entry)
    if isinstance(subject.claims, claims.Tries):
        _tries(subject, entry)
    if isinstance(subject.claims, claims.Perfect):
        _perfect(subject, subject.claims, entry)
    if isinstance(subject.claims, claims.Strategies):
        _strategies(subject.claims, entry)


def _starts(entry: Entry, most_moves: int) -> Iterator[Game]:
    """Games of several sizes at their start, with at most `most_moves` legal moves at once."""
    for parameters in sizes(entry):
        game = Game(entry, parameters)
        if entry.rules.most_moves(game.state) <= most_moves:
            yield game


def _bounds(subject: claims.Subject, entry: Entry) -> None:
    low, high = None, None
    for game in random_games(entry):
        if game.ply == 0:
            low, high = (subject.bound(game.state, side) for side in ("low", "high"))
            require(type(low) is int and type(high) is int, f"lowest and highest must be ints {where(game)}.")
        if game.is_over and game.num_players <= 2 and low is not None and high is not None:
            (value,) = result(entry.rules, game.state)
            require(low <= value <= high, f"The claims say {low} to {high}, but a value is {value} {where(game)}.")


def _wish(told: claims.Wish, entry: Entry) -> None:
    for game in random_games(entry):
        if game.is_over and game.num_players > 2:
            wishes = [told.wish(game.scores, player) for player in game.players]
            are_numbers = all(isinstance(wish, int | Fraction) for wish in wishes)
            require(are_numbers, f"A wish must be an int or a Fraction {where(game)}.")


def _key(subject: claims.Subject, game: Game) -> None:
    """Two positions with the same key have the same moves, which change the scores alike and lead to the same keys."""
    seen: dict[bytes, list[tuple[int, Result, bytes]]] = {}
    for s, going in _first_positions(subject.rules, game):
        here = result(subject.rules, s)
        steps = []
        for move, after in going:
            there = result(subject.rules, after)
            steps.append((move, tuple(one - other for one, other in zip(there, here, strict=True)), subject.key(after)))
        before = seen.setdefault(subject.key(s), steps)
        require(before == steps, f"Two positions with the same key go on in different ways {where(game)}.")


def _symmetry(subject: claims.Subject, game: Game) -> None:
    """Two positions with equal bytes have the same scores and the same mover, and go on to equal bytes."""
    rules, bytes_of = subject.rules, subject.canonical
    assert bytes_of is not None
    seen: dict[bytes, tuple[Result, int, list[bytes]]] = {}
    for s, going in _first_positions(rules, game):
        mover = 0 if rules.is_over(s) else rules.mover(s)
        here = result(rules, s), mover, sorted(bytes_of(after) for _, after in going)
        before = seen.setdefault(bytes_of(s), here)
        require(before == here, f"Two positions that a symmetry is said to join aren't alike {where(game)}.")


def _first_positions(rules: AnyRules, game: Game) -> Iterator[tuple[AnyState, list[tuple[int, AnyState]]]]:
    """The positions that few moves lead to, each with its moves and the positions after them."""
    found = {key(game.state)}
    waiting = deque([game.state])
    while waiting:
        s = waiting.popleft()
        going = []
        for move in legal_moves(rules, s):
            after = copy(s)
            rules.play(after, move)
            going.append((move, after))
            if key(after) not in found and len(found) < MOST_POSITIONS:
                found.add(key(after))
                waiting.append(after)
        yield s, going


def _room(subject: claims.Subject, entry: Entry) -> None:
    """With lists as short as the claims say, a game goes on as with those of a state."""
    rules = subject.rules
    require(subject.canonical or isinstance(subject.claims, claims.Key), "Claims with room need position or canonical.")
    for game in random_games(entry):
        if game.ply == 0:
            short = subject.shortened(game.state)
        else:
            rules.play(short, game.numbers[-1])
        s = subject.shortened(game.state)
        is_whole = all(
            not any(row[len(part) :])
            for row, part in zip(values(game.state), values(s), strict=True)
            if not isinstance(row, int) and not isinstance(part, int)
        )
        require(is_whole and short == s, f"The rules use more of a list than the claims say {where(game)}.")
        require(
            _told(subject, short) == _told(subject, game.state),
            f"With lists as short as the claims say a game goes on in another way {where(game)}.",
        )


def _told(subject: claims.Subject, s: AnyState) -> tuple[object, ...]:
    """What tells whether games go on alike: result, legal moves, mover, and what the checker calls the position."""
    going = legal_moves(subject.rules, s)
    key = subject.key if subject.canonical is None else subject.canonical
    return result(subject.rules, s), going, subject.rules.mover(s) if going else None, key(s)


def _turns(subject: claims.Subject, entry: Entry) -> None:
    """The turns are legal, and every turn ends in a key that one of them leads to with no worse a result."""
    assert subject.turns is not None
    rules, mover, num_moves = entry.rules, 0, 0
    for game in random_games(entry):
        if game.is_over or game.num_players > 2 or rules.most_moves(game.state) > MOST_SQUARES:
            continue
        is_within = game.ply > 0 and rules.mover(game.state) == mover
        mover, num_moves = rules.mover(game.state), num_moves + 1 if is_within else 0
        if num_moves > 1:
            continue
        wish = aim(subject, game.state, is_lowest=False)
        said: dict[bytes, Result] = {}
        for turn in subject.turns(game.state):
            s = copy(game.state)
            for move in turn:
                is_legal = not rules.is_over(s) and rules.mover(s) == mover and not rules.broken_rule(s, move)
                require(is_legal, f"The turn {shorten(str(list(turn)))} is against the rules {where(game)}.")
                rules.play(s, move)
            said[subject.key(s)] = max(said.get(subject.key(s), result(rules, s)), result(rules, s), key=wish)
        for end, best in _ends(subject, game.state).items():
            is_said = end in said and wish(said[end]) >= wish(best)
            require(is_said, f"A turn that matters isn't among those of the claims {where(game)}.")


def _ends(subject: claims.Subject, start: AnyState) -> dict[bytes, Result]:
    """The keys that turns end in, each with the best result for the mover; all turns are tried."""
    rules, mover, wish = subject.rules, subject.rules.mover(start), aim(subject, start, is_lowest=False)
    ends: dict[bytes, Result] = {}
    within = {subject.key(start): start}
    while within:
        later: dict[bytes, AnyState] = {}
        for s in within.values():
            for move in legal_moves(rules, s):
                after = copy(s)
                rules.play(after, move)
                key, there = subject.key(after), result(rules, after)
                if rules.is_over(after) or rules.mover(after) != mover:
                    ends[key] = max(ends.get(key, there), there, key=wish)
                elif key not in later or wish(there) > wish(result(rules, later[key])):
                    later[key] = after
        within = later
    return ends


def _stages(subject: claims.Subject, entry: Entry) -> None:
    """Each move leads to a later stage, and positions with one key are of one stage."""
    assert subject.stage is not None
    stages: dict[tuple[str, bytes], int] = {}
    for game in random_games(entry):
        if game.ply == 0:
            before = -1
        stage = subject.stage(game.state)
        require(type(stage) is int and stage > before, f"A move must lead to a later stage {where(game)}.")
        before = stage
        same = stages.setdefault((repr(game.parameters), subject.key(game.state)), stage)
        require(stage == same, f"Two positions with the same key are of different stages {where(game)}.")


def _clauses(told: claims.Clauses[AnyState], entry: Entry) -> None:
    for game in _starts(entry, MOST_SQUARES):
        made = told.clauses(game.state, 1)
        are_literals = all(type(literal) is int and literal != 0 for clause in made for literal in clause)
        require(are_literals, f"Literals must be ints, and not 0 {where(game)}.")


def _tries(subject: claims.Subject, entry: Entry) -> None:
    """No game is met that is better than the best of all positions; where a worse score is claimed, one is met."""
    for small in games(entry):  # also where positions come again
        if small.rules.num_players(small.start.state) == 1:
            is_lower = small.rules.LOWER_IS_BETTER
            best = -small.start.value if is_lower else small.start.value
            _tries_for(subject, small.start.state, best, "low" if is_lower else "high", f"in {small}")
    for game in _starts(entry, MOST_SQUARES):
        for side in ("low", "high"):
            search = Search(subject, is_lowest=side == "low", most=MOST_TRIED)
            with contextlib.suppress(BadCertificate):  # too many positions, or some come again
                (best,) = search.value(game.state)
                _tries_for(subject, game.state, best, side, where(game))


def _tries_for(subject: claims.Subject, start: AnyState, best: int, side: str, place: str) -> None:
    """No game is met that is better than the best there is, and one is where that isn't the claim."""
    for claimed, is_right in ((best, True), (best + (1 if side == "low" else -1), False)):
        found = _is_confirmed(subject, start, claimed, side)
        verdict = "refutes" if is_right else "confirms"
        require(found in (is_right, None), f"Trying all games {verdict} a score of {claimed} {place}.")


def _is_confirmed(subject: claims.Subject, start: AnyState, claimed: int, side: str) -> bool | None:
    """Whether trying all games shows that none is better; None where they aren't tried."""
    try:
        check_tried.check(subject, start, claimed, side, most=MOST_TRIED)
    except TooLargeToCheck:
        return None
    except BadCertificate:
        return False
    return True


def _perfect(subject: claims.Subject, told: claims.Perfect[AnyState], entry: Entry) -> None:
    """The game's own way comes to what all positions come to by the rules, and refutes any other result.

    It decides the smallest size that is tried. Positions after the start it may leave aside.
    """
    are_decided: dict[int, bool] = {}  # by the number of positions
    for game in _starts(entry, MOST_SQUARES):
        search = Search(subject, is_lowest=False, most=MOST_TRIED)
        try:
            best = search.value(game.state)
            keeping = search.best_moves(game.state, best)
        except BadCertificate:  # too many positions, or some come again
            continue
        require(type(told.num_positions(game.state)) is int, f"num_positions must be an int {where(game)}.")
        cost = told.cost(game.state)
        is_cost = cost is None or (len(cost) == 2 and all(isinstance(number, int | float) for number in cost))
        require(is_cost, f"cost must be seconds and bytes, or None {where(game)}.")
        own = _kept(told, game.state, best)
        require(own is not None, f"Trying all positions refutes {best} {where(game)}.")
        if game.num_players > 1:
            are_decided[search.num_positions] = own != []
        if own:
            texts = [entry.rules.move_text(game.state, move) for move in own[0]]
            require(texts == keeping, f"Trying all positions, the first moves that keep {best} differ {where(game)}.")
        _refutes_all_but(told, game.state, best, where(game))
        for s, _ in islice(_first_positions(entry.rules, game), 1, MOST_POSITIONS, ONE_OF):
            with contextlib.suppress(BadCertificate):  # the search may not begin within a turn
                there = search.value(s)
                if not entry.rules.is_over(s):
                    place = f"from a position after the start {where(game)}"
                    require(_kept(told, s, there) is not None, f"Trying all positions refutes {there} {place}.")
                    _refutes_all_but(told, s, there, place)
    if are_decided:
        smallest = min(are_decided)
        require(are_decided[smallest], f"perfect must try all positions of a game of {entry.id} that has {smallest}.")


def _refutes_all_but(told: claims.Perfect[AnyState], s: AnyState, best: Result, place: str) -> None:
    """The game's own way confirms no other result from this position."""
    for i, step in product(range(len(best)), (-1, 1)):
        wrong = [score + step * (i == k) for k, score in enumerate(best)]
        require(not _kept(told, s, wrong), f"Trying all positions confirms {wrong} {place}.")


def _kept(told: claims.Perfect[AnyState], s: AnyState, claimed: Sequence[int]) -> list[list[int]] | None:
    """The first moves that keep what is claimed; no list where positions aren't tried, and None where it is refuted."""
    cost = told.cost(s)
    if cost is None or cost[0] > MOST_SECONDS or cost[1] > MOST_BYTES:
        return []
    try:
        return [told.perfect(s, claimed)]
    except BadCertificate:
        return None


def _strategies(told: claims.Strategies[AnyState], entry: Entry) -> None:
    """What `strategy.py` says it holds is what `guarantee` confirms."""
    require(entry.strategy is not None, "The claims have STRATEGIES, and there is no strategy.py that finds them.")
    for game in _starts(entry, MOST_SQUARES):
        for value, ground in entry.strategy.find(game.state) if entry.strategy is not None else []:
            kind, (side,) = ground["kind"], ground["for"]
            has_keys = kind in told.STRATEGIES and {"kind", "for", *told.STRATEGIES[kind]} == ground.keys()
            require(has_keys, f"strategy.py finds a {kind}, which STRATEGIES doesn't have like that {where(game)}.")
            held, _ = told.guarantee(game.state, ground, side, lambda: None)
            require(held == value, f"A {kind} is said to hold {value}, and holds {held} {where(game)}.")
