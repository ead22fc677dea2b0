"""The tree search as players have it: with the game's own way to a random end, so that nothing else is compiled."""

from typing import Any

import quet
from quet.engine.tree import TreeSearch


def tree_of(game: quet.Game, **settings: Any) -> TreeSearch:
    """A search of the game as it stands."""
    return TreeSearch(game.rules, game.state, ends=game.entry.random_end, **settings)
