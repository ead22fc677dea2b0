"""What a game has beyond its rules, what it could add and what that would bring, and the roles of its pictures."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ..capabilities import Actions, HighestScore, KnowsPositions
from ..catalog import Entry
from ..core.parameters import read_parameters
from ..game import Game
from .small import games as small_games
from .trials import random_games, starts


@dataclass(frozen=True)
class Offer:
    """Something that a game may have beyond its rules."""

    names: str  # of the functions and constants, with the file
    brings: str  # a sentence
    has: Callable[[Entry], bool]
    could: Callable[[Entry], bool] = lambda entry: True  # whether it makes sense for this game


def _players(entry: Entry) -> int:
    return Game(entry, read_parameters(entry.rules.PARAMETERS, {})).num_players


def _is_sign_value(entry: Entry) -> bool:
    """Whether all small games for two, and all random ones, end with 1, 0 or -1."""
    ends = {known.value for game in small_games(entry) for known in game.positions.values() if known.is_over}
    ends |= {game.scores[0] - game.scores[1] for game in random_games(entry) if game.is_over and game.num_players == 2}
    return _players(entry) == 2 and bool(ends) and ends <= {-1, 0, 1}


def _is_long(entry: Entry) -> bool:
    """Whether a random game has more moves than there are to choose from at once."""
    return any(game.ply > game.rules.most_moves(game.state) for game in random_games(entry))


def _has_gaps(entry: Entry) -> bool:
    """Whether the number of a move isn't below the number of moves."""
    return any(max(game.legal_numbers(), default=0) >= game.rules.most_moves(game.state) for game in starts(entry))


def _has_keys(entry: Entry) -> bool:
    return entry.capabilities.keys is not None


OFFERS: tuple[Offer, ...] = (
    Offer(
        "bounds in exact.py",
        "Alpha-beta begins with them, and a solitaire is solved when it reaches the upper one.",
        lambda entry: entry.capabilities.bounds is not None,
    ),
    Offer(
        "key and fits in exact.py",
        "Alpha-beta gets a table, so that a thousand times more positions are solved than by the rules alone; all "
        "positions of a small size can be saved.",
        _has_keys,
    ),
    Offer(
        "left_in_any_order in exact.py",
        "Alpha-beta finds the values of the last moves on boards that are too large for keys.",
        lambda entry: entry.capabilities.any_order is not None,
        lambda entry: _has_keys(entry) and _players(entry) == 2 and entry.capabilities.table is None,
    ),
    Offer(
        "reach and settled in exact.py",
        "Alpha-beta leaves out what can't matter any more, and positions with different scores so far share a key.",
        lambda entry: (entry.capabilities.reach or entry.capabilities.in_bits.reach) is not None,
        _has_keys,
    ),
    Offer(
        "arrange in exact.py",
        "Alpha-beta tries good moves first and looks at fewer positions.",
        lambda entry: (entry.capabilities.order or entry.capabilities.in_bits.order) is not None,
        _has_keys,
    ),
    Offer(
        "is_near_end and ending in exact.py",
        "Alpha-beta reads off the last plies instead of playing them.",
        lambda entry: (entry.capabilities.endgame or entry.capabilities.in_bits.endgame) is not None,
        _has_keys,
    ),
    Offer(
        "most_plies in exact.py",
        "Games longer than most_moves of the rules and 64 more can be searched.",
        lambda entry: entry.capabilities.plies is not None,
        lambda entry: _has_keys(entry) and _is_long(entry),
    ),
    Offer(
        "COMPACT in exact.py",
        "Searches play the same game in bits, several times as fast.",
        lambda entry: entry.capabilities.compact != "",
        _has_keys,
    ),
    Offer(
        "METHOD, Solution, solve, needed and is_quick in exact.py",
        "A table of all positions that the game makes itself gives values without a search.",
        lambda entry: entry.capabilities.table is not None,
        lambda entry: _players(entry) <= 2,
    ),
    Offer(
        "replies and has_replies in exact.py",
        "Values of large sizes get strategies as their certificates, though no table of all positions fits.",
        lambda entry: entry.capabilities.replies is not None,
        lambda entry: _has_keys(entry) and _players(entry) == 2 and entry.capabilities.table is None,
    ),
    Offer(
        "SIGN_IS_VALUE in exact.py",
        "A tree search finds values at sizes where no table fits, and a win is told without points.",
        lambda entry: entry.capabilities.is_sign_value,
        _is_sign_value,
    ),
    Offer(
        "solve.py",
        "quet solve asks the game's own way to its best scores first.",
        lambda entry: entry.solve is not None,
    ),
    Offer(
        "strategy.py",
        "Strategies hold bounds of the value at every size, and certificates can rest on them.",
        lambda entry: entry.strategy is not None,
        lambda entry: _players(entry) == 2,
    ),
    Offer(
        "claims.py",
        "Larger tables, bounds and strategies can be verified by quet verify.",
        lambda entry: entry.claims is not None,
    ),
    Offer(
        "second.py",
        "The table of results can say that two ways agree.",
        lambda entry: entry.second is not None,
    ),
    Offer(
        "local_search.py",
        "Levels and quet solve change whole boards, where a solitaire has too many positions for a tree.",
        lambda entry: entry.local_search is not None,
        lambda entry: _players(entry) == 1,
    ),
    Offer(
        "images.py",
        "Hints and the strongest levels follow the best game known also where it is played turned or mirrored.",
        lambda entry: entry.images is not None,
        lambda entry: _players(entry) == 1 and entry.local_search is None,
    ),
    Offer(
        "plan.py",
        "The strongest level and hints play whole games that it finds, from any position of a solitaire.",
        lambda entry: entry.planner is not None,
        lambda entry: _players(entry) == 1,
    ),
    Offer(
        "sensible.py",
        "The strongest level looks only at moves that can be the best, and so further ahead.",
        lambda entry: entry.sensible is not None,
    ),
    Offer(
        "patterns.py",
        "An evaluation can be learned (python -m quet.learning); the strongest level uses it at sizes in weights/.",
        lambda entry: entry.patterns is not None,
        lambda entry: _players(entry) == 2,
    ),
    Offer(
        "random_end.py",
        "Tree searches draw the ends of random games, which can be several times as fast as to play them.",
        lambda entry: entry.random_end is not None,
        lambda entry: _players(entry) > 1,
    ),
    Offer(
        "goal.py",
        "Players are told what they want and what to do now, instead of a plain sentence.",
        lambda entry: entry.goal is not None,
    ),
    Offer(
        "still_in.py",
        "Who is out before the game is over can't resign, agrees to no draw and shares none.",
        lambda entry: entry.still_in is not None,
        lambda entry: _players(entry) > 1,
    ),
    Offer(
        "terms.py",
        "A draft for the OEIS has a program that anybody can run, which computes the first terms.",
        lambda entry: entry.terms is not None,
        lambda entry: _players(entry) <= 2,
    ),
    Offer(
        "sheet.py",
        "The sheet for paper has a board of its own instead of the picture of the start.",
        lambda entry: entry.sheet is not None,
    ),
    Offer(
        "kept.py",
        "The study board shows what each move is worth where every move can be taken back.",
        lambda entry: entry.kept is not None,
        lambda entry: _players(entry) == 1,
    ),
    Offer(
        "by_hand.py",
        "Positions can be set up by clicking squares on the study board, not as text alone.",
        lambda entry: entry.by_hand is not None,
    ),
    Offer(
        "observe.py",
        "Programs that learn see planes of squares instead of the bare numbers of the State.",
        lambda entry: entry.observe is not None,
    ),
    Offer(
        "mark_legal, action_text, moves, broken_rule and play in observe.py",
        "Actions are numbered from 0 without gaps where the numbers of moves are not.",
        lambda entry: isinstance(entry.observe, Actions),
        lambda entry: entry.observe is not None and _has_gaps(entry),
    ),
    Offer(
        "is_position in observe.py",
        "States that programs give to batches and oracles as arrays are checked before compiled rules see them.",
        lambda entry: isinstance(entry.observe, KnowsPositions),
        lambda entry: entry.observe is not None,
    ),
    Offer(
        "highest_score in observe.py",
        "Programs that learn know how high the scores of a solitaire can be.",
        lambda entry: isinstance(entry.observe, HighestScore),
        lambda entry: entry.observe is not None and _players(entry) == 1,
    ),
)


class About(NamedTuple):
    """What `quet check` tells of a game that keeps the contract."""

    roles: list[str]  # of all shapes in pictures of random games, in alphabetical order
    has: list[str]  # the names of what it has beyond its rules
    could_add: dict[str, str]  # the names of what it could have too, with a sentence of what each would bring


def about(entry: Entry) -> About:
    """What the game has and could have."""
    scenes = (game.scene() for game in random_games(entry) if game.ply % 3 == 0 or game.is_over)
    roles = sorted({shape.role for scene in scenes for shape in scene.shapes})
    has = [offer for offer in OFFERS if offer.has(entry)]
    others = [offer for offer in OFFERS if offer not in has and offer.could(entry)]
    return About(roles, [offer.names for offer in has], {offer.names: offer.brings for offer in others})
