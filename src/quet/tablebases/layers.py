"""The table of all positions that `engine.retrograde` describes, filled block by block as the parts of a solve."""

import importlib
from typing import Any

from ..core.errors import TooLarge
from ..distribution.task import Task
from ..engine import retrograde
from .blocks import Block, filled

BLOCK = 1 << 24  # positions, roughly: a tenth of a second,
BLOCK_OF_ENDS = 1 << 16  # and of full rows the same

_last: tuple[object, retrograde.Filler] | None = None  # what the filler used last is for, and it


def solve(rules: Any, exact: Any, state: Any, task: Task) -> retrograde.Table | None:
    """The table of the game with this state's parameters; None where the time is over before.

    Raises TooLarge when it doesn't fit into the task's memory, and as `filled` does.
    """
    if retrograde.needed(exact, state) > task.memory:
        raise TooLarge(retrograde.needed(exact, state), task.memory)
    game = rules.__name__, exact.__name__, state
    filler = _filler(*game)
    layers: list[dict[str, Block]] = []
    for size in reversed(range(filler.num_squares + 1)):
        portions = filler.layer(size, BLOCK, BLOCK_OF_ENDS)
        names = [f"{number} of {len(portions)} with {size} squares" for number in range(1, len(portions) + 1)]
        blocks = [Block(each.begin, each.end, (size, each.first, each.last)) for each in portions]
        layers.append(dict(zip(names, blocks, strict=True)))
    values = filled(task, (filler.num_positions,), "int8", layers, fill_block, game)
    return None if values is None else retrograde.Table(exact, filler.num_squares, filler.starts, values)


def fill_block(
    table: Any, rules: str, exact: str, state: Any, size: int, first: int, last: int, seconds: float | None
) -> bool:
    """Fill a portion of the layer of so many squares, which is done before it would be worth a look at the clock."""
    _filler(rules, exact, state).fill(table, size, first, last)
    return True


def _filler(rules: str, exact: str, state: Any) -> retrograde.Filler:
    """What fills tables of this game and size, and knows where everything is: the one used last, if it is that."""
    global _last
    game, last = (rules, exact, state), _last
    if last is None or last[0] != game:
        last = _last = game, retrograde.Filler(importlib.import_module(rules), importlib.import_module(exact), state)
    return last[1]
