"""Quet: paper-and-pencil games by Leroy Quet, played and judged.

    import quet
    game = quet.new("blob", n=6)
    game.play("c3")
    print(game)                     # the board as text; a notebook shows it as SVG
    game.legal_moves, game.mover, game.scores, game.is_over, game.winners

`docs/library.md` shows the rest. Everything here is imported on first use, so that `import quet` costs nothing.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from . import records
    from .catalog import ids as game_ids
    from .core.errors import (
        BadPaper,
        BadParameter,
        BadRecord,
        BadResult,
        BrokenRules,
        IllegalMove,
        MissingExtra,
        MoveError,
        QuetError,
        TooLarge,
        UnknownGame,
        UnreadableMove,
    )
    from .game import Game, new, new_to_solve
    from .knowledge.ask import value
    from .knowledge.hints import Hint, hint
    from .knowledge.known import Known
    from .knowledge.random_games import playouts
    from .knowledge.solution import Solution, solve
    from .knowledge.walks import Positions, perft, positions
    from .players.meeting import match
    from .players.player import Player, player
    from .records.record import Record, Termination, load, read, read_all, save
    from .records.variations import Variation
    from .results.best import BestResults, best_results
    from .starts import position
    from .study.paper import Judged, score

_HOMES = {
    "catalog": ["game_ids"],
    "core.errors": [
        "BadPaper",
        "BadParameter",
        "BadRecord",
        "BadResult",
        "BrokenRules",
        "IllegalMove",
        "MissingExtra",
        "MoveError",
        "QuetError",
        "TooLarge",
        "UnknownGame",
        "UnreadableMove",
    ],
    "game": ["Game", "new", "new_to_solve"],
    "knowledge.hints": ["Hint", "hint"],
    "knowledge.ask": ["value"],
    "knowledge.known": ["Known"],
    "knowledge.random_games": ["playouts"],
    "knowledge.solution": ["Solution", "solve"],
    "knowledge.walks": ["Positions", "perft", "positions"],
    "players.meeting": ["match"],
    "players.player": ["Player", "player"],
    "records": ["records"],  # the package itself
    "records.record": ["Record", "Termination", "load", "read", "read_all", "save"],
    "records.variations": ["Variation"],
    "results.best": ["BestResults", "best_results"],
    "starts": ["position"],
    "study.paper": ["Judged", "score"],
}
__all__ = [
    "BadPaper",
    "BadParameter",
    "BadRecord",
    "BadResult",
    "BestResults",
    "BrokenRules",
    "Game",
    "Hint",
    "IllegalMove",
    "Judged",
    "Known",
    "MissingExtra",
    "MoveError",
    "Player",
    "Positions",
    "QuetError",
    "Record",
    "Solution",
    "Termination",
    "TooLarge",
    "UnknownGame",
    "UnreadableMove",
    "Variation",
    "best_results",
    "game_ids",
    "hint",
    "load",
    "match",
    "new",
    "new_to_solve",
    "perft",
    "player",
    "playouts",
    "position",
    "positions",
    "read",
    "read_all",
    "records",
    "save",
    "score",
    "solve",
    "value",
]


def __getattr__(name: str) -> Any:
    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'quet' has no attribute {name!r}")
    import importlib

    module = importlib.import_module(f"{__name__}.{home}")
    return module if name == home else getattr(module, "ids" if name == "game_ids" else name)


def __dir__() -> list[str]:
    """All names for people who use Quet, also those that are not imported yet."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
