"""The part of the contract that the checker of certificates relies on: what a game's `claims.py` says is so."""

from collections import deque
from collections.abc import Iterator
from fractions import Fraction

from ..catalog import Entry
from ..certificates import claims
from ..certificates.aims import Result, result
from ..certificates.check_table import moves
from ..core.rules import AnyState
from ..core.state import copy, key
from ..game import Game
from .trials import random_games, require, sizes, where

MOST_POSITIONS = 200  # of each size, those that few moves lead to
MOST_MOVES = 64  # at once, where positions are tried with all their moves
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
    if isinstance(subject.claims, claims.Clauses):
        _clauses(subject.claims, entry)
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
    found = {key(game.state)}
    waiting = deque([game.state])
    while waiting:
        s = waiting.popleft()
        here = result(subject.rules, s)
        going = []
        for move in moves(subject.rules, s):
            after = copy(s)
            subject.rules.play(after, move)
            there = result(subject.rules, after)
            change = tuple(one - other for one, other in zip(there, here, strict=True))
            going.append((move, change, subject.key(after)))
            if key(after) not in found and len(found) < MOST_POSITIONS:
                found.add(key(after))
                waiting.append(after)
        before = seen.setdefault(subject.key(s), going)
        require(before == going, f"Two positions with the same key go on in different ways {where(game)}.")


def _clauses(told: claims.Clauses[AnyState], entry: Entry) -> None:
    for game in _starts(entry, MOST_SQUARES):
        made = told.clauses(game.state, 1)
        are_literals = all(type(literal) is int and literal != 0 for clause in made for literal in clause)
        require(are_literals, f"Literals must be ints, and not 0 {where(game)}.")


def _strategies(told: claims.Strategies[AnyState], entry: Entry) -> None:
    """What `strategy.py` says it holds is what `guarantee` confirms."""
    require(entry.strategy is not None, "The claims have STRATEGIES, and there is no strategy.py that finds them.")
    for game in _starts(entry, MOST_SQUARES):
        for value, ground in entry.strategy.find(game.state) if entry.strategy is not None else []:
            kind, (side,) = ground["kind"], ground["for"]
            has_keys = kind in told.STRATEGIES and {"kind", "for", *told.STRATEGIES[kind]} == ground.keys()
            require(has_keys, f"strategy.py finds a {kind}, which STRATEGIES doesn't have like that {where(game)}.")
            held, _ = told.guarantee(game.state, ground, side)
            require(held == value, f"A {kind} is said to hold {value}, and holds {held} {where(game)}.")
