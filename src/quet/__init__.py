"""Quet: eight paper-and-pencil games by Leroy Quet, played and judged.

    import quet
    game = quet.new("blob", n=6)
    game.play("c3")
    print(game)                     # the board as text; a notebook shows it as SVG
    game.legal_moves, game.mover, game.scores, game.is_over, game.winners

Everything here is imported on first use, so that `import quet` costs nothing.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .catalog import ids as game_ids
    from .core.errors import (
        BadPaper,
        BadParameter,
        BadRecord,
        BrokenRules,
        IllegalMove,
        MoveError,
        QuetError,
        UnknownGame,
        UnreadableMove,
    )
    from .game import Game, new
    from .records.record import Record, read

_HOMES = {
    "Game": "game",
    "new": "game",
    "Record": "records.record",
    "read": "records.record",
    "game_ids": "catalog",
    **dict.fromkeys(
        [
            "BadPaper",
            "BadParameter",
            "BadRecord",
            "BrokenRules",
            "IllegalMove",
            "MoveError",
            "QuetError",
            "UnknownGame",
            "UnreadableMove",
        ],
        "core.errors",
    ),
}
__all__ = [
    "BadPaper",
    "BadParameter",
    "BadRecord",
    "BrokenRules",
    "Game",
    "IllegalMove",
    "MoveError",
    "QuetError",
    "Record",
    "UnknownGame",
    "UnreadableMove",
    "game_ids",
    "new",
    "read",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'quet' has no attribute {name!r}")
    import importlib

    module = importlib.import_module(f"{__name__}.{_HOMES[name]}")
    return getattr(module, "ids" if name == "game_ids" else name)
