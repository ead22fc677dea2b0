"""Simulations a second of processor time with ends that are drawn, and with ends that are played move by move.

    python bench/random_ends.py

Both take turns with the same game from its start, with the settings of the levels. A search begins with an empty tree,
and has as many simulations on both sides. docs/notes/speed.md has the table.
"""

from collections.abc import Callable
from typing import Any

from measure import Pace, compare

import quet
from quet.engine.tree import TreeSearch

SIZES: tuple[tuple[str, dict[str, int]], ...] = (
    ("blob", {"n": 8}),
    ("palindromes", {"m": 16}),
    ("palindromes", {"m": 24}),
    ("plusses-minuses", {"n": 9}),
)
PACE = Pace(rounds=9, turn=0.3)


def searching(game: quet.Game, ends: Any) -> Callable[[int], object]:
    """What runs so many simulations in an empty tree."""
    settings = game.entry.facts["search"]

    def run(count: int) -> object:
        search = TreeSearch(
            game.rules,
            game.state,
            seed=1,
            exploration=float(settings["exploration"]),
            rave=float(settings["rave"]),
            ends=ends,
        )
        return search.run(simulations=count)

    return run


def main() -> None:
    """Print what the module says."""
    print("| game | drawn, simulations a second | times those played (lowest, highest) |")
    print("|---|--:|--:|")
    for id, parameters in SIZES:
        game = quet.new(id, **parameters)
        drawn, played = (searching(game, ends) for ends in (game.entry.random_end, None))
        row = compare("", "", drawn, played, PACE, same_count=True)
        shown = " ".join(f"{name}={value}" for name, value in parameters.items())
        print(f"| {id} {shown} | {row.note} | {row.middle:.2f} ({row.low:.2f}, {row.high:.2f}) |", flush=True)


if __name__ == "__main__":
    main()
