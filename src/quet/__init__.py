"""Quet: eight paper-and-pencil games by Leroy Quet, played and judged.

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
    from .game import Game, new, position
    from .records.record import Record, Termination, load, read, read_all, save

_HOMES = {
    **dict.fromkeys(["Game", "new", "position"], "game"),
    "game_ids": "catalog",
    **dict.fromkeys(["Record", "Termination", "load", "read", "read_all", "save"], "records.record"),
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
    "Termination",
    "UnknownGame",
    "UnreadableMove",
    "game_ids",
    "load",
    "new",
    "position",
    "read",
    "read_all",
    "save",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'quet' has no attribute {name!r}")
    import importlib

    module = importlib.import_module(f"{__name__}.{_HOMES[name]}")
    return getattr(module, "ids" if name == "game_ids" else name)


def __dir__() -> list[str]:
    """All names that people use, also those that are not imported yet."""
    return sorted({*__all__, *globals()} - {"Any", "TYPE_CHECKING"})
