"""Configured searches of a game: a tree search, annealing for a game that is searched by whole boards, or planning."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..catalog import Entry
from ..core.rules import AnySearchRules, AnyState
from ..game import Game

if TYPE_CHECKING:
    from ..engine.findings import Search
    from ..engine.tree import TreeSearch


def search_for(
    game: Game,
    *,
    seed: int | None = None,
    num_threads: int = 1,
    is_sensible: bool = False,
    last_mover: int = 0,
    is_plain: bool = False,
    memory: int | None = None,
    is_strongest: bool = False,
) -> "Search":
    """A search from the game's position, with the settings that suit the game. On request it looks at sensible moves
    only, or runs in plain Python. The strongest search makes plans of the whole game where the game has a way to them,
    and is alpha-beta with learned weights where there are weights for these parameters. A tree search also says what
    the last move was worth to the `last_mover`. `memory` is the bytes of a search, if it isn't the usual number.

    Raises NotCompiled where compiling is left to another process that hasn't ended, and TooLarge.
    """
    if is_strongest and game.entry.planner is not None:
        from ..engine.planning import Planning

        return Planning(game.entry.planner, game.rules, game.state, seed=seed, is_plain=is_plain)
    if game.entry.local_search is not None:
        from ..engine.annealing import Annealing

        return Annealing(game.entry.local_search, game.rules, game.state, seed=seed, is_plain=is_plain)
    if is_strongest and not is_plain:
        from ..learning.weights import weights_of

        weights = weights_of(game)
        if weights is not None:
            from ..engine.horizon_search import HorizonSearch

            patterns = game.entry.patterns
            assert patterns is not None
            return HorizonSearch(patterns, patterns.of(game.state), weights, memory=memory)
    rules = game.entry.sensible if is_sensible and game.entry.sensible is not None else game.rules
    return tree_search(
        game.entry,
        rules,
        game.state,
        seed=seed,
        num_threads=num_threads,
        last_mover=last_mover,
        is_plain=is_plain,
        memory=memory,
    )


def tree_search(
    entry: Entry,
    rules: AnySearchRules,
    state: AnyState,
    *,
    seed: int | None = None,
    num_threads: int = 1,
    last_mover: int = 0,
    is_plain: bool = False,
    memory: int | None = None,
) -> "TreeSearch":
    """A tree search from a position by these rules of the game, with the settings that suit it. Raises TooLarge."""
    from ..engine.tree import EXPLORATION, MEMORY, RAVE, TreeSearch

    settings: Mapping[str, float] = entry.facts.get("search", {})
    return TreeSearch(
        rules,
        state,
        seed=seed,
        num_threads=num_threads,
        last_mover=last_mover,
        memory=MEMORY if memory is None else memory,
        exploration=float(settings.get("exploration", EXPLORATION)),
        rave=float(settings.get("rave", RAVE)),
        is_plain=is_plain,
        ends=entry.random_end if rules is entry.rules else None,
    )


def most_to_solve(entry: Entry) -> int:
    """How many positions a level may look at to solve a game of three or more players; 0 if solving doesn't pay."""
    return int(entry.facts.get("search", {}).get("max_n", 0))


def part_of_solving(entry: Entry) -> float:
    """The part of its time for a move that a level may spend on what is certain; 0 where it decides that itself."""
    return float(entry.facts.get("search", {}).get("solving", 0.0))
