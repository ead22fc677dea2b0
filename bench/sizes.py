"""How the cost of a playout grows with the size of the game, as a table and a plot. For the sums grid it is the cost of
a step.
"""

import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measure import Pace, fitting
from reference import Side

import quet

SIZES: dict[str, tuple[str, Sequence[int]]] = {
    "blob": ("n", (4, 6, 8, 12, 16, 20)),
    "convoluted-coprimality": ("n", (4, 6, 8, 12, 16, 20)),
    "divisors-multiples": ("r", (8, 17, 32, 64, 128, 256)),
    "palindromes": ("m", (8, 16, 32, 48, 64)),
    "plusses-minuses": ("n", (4, 6, 8, 12, 16, 20)),
    "sequence-ascension": ("n", (4, 6, 8, 12, 16, 20)),
    "sums-grid": ("n", (3, 4, 6, 8, 10)),  # where n = 2 is full at once, and so has no steps to count
    "up-and-up": ("n", (4, 6, 8, 12, 16, 20)),
}
Costs = dict[str, list[tuple[int, float, float]]]  # of each game: size, microseconds, moves a playout


def costs(pace: Pace) -> Costs:
    """For each game at each size, the microseconds of a playout (or a step of the local search) and the number of its
    moves.
    """
    found: Costs = {}
    for game_id, (name, sizes) in SIZES.items():
        found[game_id] = []
        for size in sizes:
            parameters: dict[str, Any] = {name: size}
            game = quet.new(game_id, **parameters)
            side = Side(game.rules, game.state)
            run = side.climb if game_id == "sums-grid" else side.playouts
            count = fitting(run, pace.turn / 4)
            taken = []
            moves = 0
            for _ in range(pace.rounds):
                before = time.process_time()
                moves = run(count)
                taken.append(1e6 * (time.process_time() - before) / count)
            found[game_id].append((size, statistics.median(taken), 1.0 if game_id == "sums-grid" else moves / count))
    return found


def table(found: Costs) -> str:
    """The costs as a table in Markdown."""
    lines = ["| game | size: microseconds a playout (moves in it) |", "|---|---|"]
    for game_id, points in found.items():
        name = SIZES[game_id][0]
        cells = [f"{name}={size}: {cost:.3g} ({moves:.0f})" for size, cost, moves in points]
        lines.append(f"| {game_id} | {', '.join(cells)} |")
    return "\n".join(lines)


def plot(found: Costs, file: Path) -> bool:
    """Draw the costs as an SVG picture; whether Matplotlib is installed to do so."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "quet"})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 5.2))
    for (game_id, points), marker in zip(found.items(), "os^vDPX*", strict=True):
        label = f"{game_id} ({SIZES[game_id][0]})"
        axes.loglog([p[0] for p in points], [p[1] for p in points], marker=marker, label=label)
    axes.set_xlabel("size of the game (the parameter in brackets)")
    axes.set_ylabel("microseconds a playout; sums-grid: a step of its local search")
    ticks = (2, 4, 8, 16, 32, 64, 128, 256)
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)
    return True
