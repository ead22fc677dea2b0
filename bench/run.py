"""The speed of the engine beside its peers: one table of ratios, measured in turn in one run.

    python bench/run.py [--quick] [--write]

A comparison is left out if something that it needs isn't installed (g++, open-spiel, pettingzoo and pygame, pgx,
matplotlib), and the table says so. docs/bench.md tells how to read it. --quick tries everything out on two games; its
numbers mean nothing. Without it, the cost against size is printed too. --write puts both tables and a plot into docs.
"""

import argparse
import functools
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numba
import peers
import sizes
from measure import Pace, Row, compare, geometric_mean
from reference import SIZES, Side, compiler, sides

import quet
import quet.rl
from quet.games.palindromes import exact as palindromes_exact

DOCS = Path(__file__).parents[1] / "docs"
MARKS = ("<!-- bench/run.py --write writes from here -->", "<!-- to here. -->")
EXPLORATION = 0.6  # where a game's facts name no other, as in quet.players.levels
SUMS_GRID = 4  # side of the grid in the local search
PREPARATION = "quet.players.preparation"
SOLVED = 13  # length of the row that alpha-beta solves
FIRST_MOVE = """
import sys
sys.modules["scipy"] = None  # Numba imports it where a peer has brought it; Quet alone doesn't
import quet
from quet.engine.compiled import leave_compiling
from quet.players.player import player
leave_compiling()  # as the site and the terminal do: another process compiles
mover = player("level:6", 1, num_threads=1)
mover.choose(quet.new(sys.argv[1]))
print(mover.stand_in)
"""
RETROGRADE = """
import time
from pathlib import Path
import quet
from quet.distribution.task import Task
from quet.distribution.workers import here
from quet.games.palindromes import retrograde


def solve(m):
    retrograde.solve(quet.new("palindromes", m=m).state, Task(workers=here()))


def memory(line):
    return next(int(words[1]) for words in map(str.split, Path("/proc/self/status").open()) if words[0] == line)


solve(8)  # compiles
Path("/proc/self/clear_refs").write_text("5")  # begins the peak anew
idle, before, worked = memory("VmRSS:"), time.perf_counter(), time.process_time()
solve(16)
worked = time.process_time() - worked
print(time.perf_counter() - before, worked, (memory("VmHWM:") - idle) / 1024)
"""
MEANS = {  # of a group of rows: the bar of its geometric mean
    "C++": 0.85,
    "OpenSpiel playouts": 10.0,
    "OpenSpiel MCTS": 6.0,
}


def rows(pace: Pace, *, is_quick: bool) -> Iterator[Row]:
    """Every row of the table, as it is measured."""
    games = {id: SIZES[id] for id in ("palindromes", "up-and-up")} if is_quick else SIZES
    if compiler() is None:
        yield Row("C++", "every game", None, note="g++ is not installed")
    else:
        yield from against_cpp(games, pace, 8 if is_quick else SOLVED)
    yield from peers.rows(pace)
    yield from peers.batches(pace)
    yield from first_moves(["palindromes"] if is_quick else quet.game_ids(), 1 if is_quick else 3)
    yield from retrograde(1 if is_quick else pace.rounds)
    yield oracle(1024 if is_quick else 2**17, 1 if is_quick else pace.rounds)


def against_cpp(games: dict[str, dict[str, Any]], pace: Pace, depth: int) -> Iterator[Row]:
    """Our searches against the same algorithms in C++."""
    for game_id, parameters in games.items():
        shown = ", ".join(f"{name}={value}" for name, value in parameters.items())
        ours, theirs = sides(game_id, parameters)
        yield compare("C++", f"{game_id} {shown}: playouts", ours.playouts, theirs.playouts, pace, bar=0.6)
        settings = quet.new(game_id).entry.facts.get("search", {})
        exploration, rave = settings.get("exploration", EXPLORATION), settings.get("rave", 0.0)
        for words, weight in (("MCTS", 0.0), ("MCTS with RAVE", rave)):
            if weight or words == "MCTS":
                mine, other = (functools.partial(searched, side, exploration, weight) for side in (ours, theirs))
                yield compare("C++", f"{game_id} {shown}: {words}", mine, other, pace, bar=0.6, same_count=True)
    ours, theirs = sides("sums-grid", {"n": SUMS_GRID})
    yield compare("C++", f"sums-grid n={SUMS_GRID}: local search", ours.climb, theirs.climb, pace, bar=0.6)
    ours, theirs = sides("palindromes", {"m": depth})
    mine, other = (functools.partial(solved, side, depth) for side in (ours, theirs))
    yield compare("C++ alpha-beta", f"palindromes m={depth}, solved", mine, other, pace, bar=0.8)


def searched(side: Side, exploration: float, rave: float, count: int) -> None:
    """Run `count` simulations from the start, in the settings that the levels use."""
    side.simulations(count, exploration, rave)


def solved(side: Side, depth: int, count: int) -> None:
    """Solve from the start `count` times: both sides visit the same nodes."""
    for _ in range(count):
        side.solve(palindromes_exact, depth)


def first_moves(ids: list[str], rounds: int) -> Iterator[Row]:
    """What a person waits for at the first move of level:6, the slowest of these games: a new process, with whatever it
    imports, loads and solves before it has an answer. And how long the process beside it compiles, for one game.

    This is processor time, so that a busy machine shows the same as an idle one, which shows it on the clock too.
    """
    with tempfile.TemporaryDirectory() as folder:
        cold = [statistics.median(_spent(folder, FIRST_MOVE, id) for _ in range(rounds)) for id in ids]
    name = "first move, nothing compiled"
    yield Row("new process", name, max(cold), min(cold), max(cold), 1.5, "s", _slowest(ids, cold))
    with tempfile.TemporaryDirectory() as folder:
        compiling = [_spent(folder, f"from {PREPARATION} import main; main({[id]})", id) for id in ids]
        warm = [statistics.median(_spent(folder, FIRST_MOVE, id) for _ in range(rounds)) for id in ids]
    name = "first move, code cached"
    yield Row("new process", name, max(warm), min(warm), max(warm), 2.0, "s", _slowest(ids, warm))
    name = "compiling beside it, one game"
    yield Row("new process", name, max(compiling), min(compiling), max(compiling), 15.0, "s", _slowest(ids, compiling))


def _slowest(ids: list[str], seconds: list[float]) -> str:
    return f"slowest: {ids[seconds.index(max(seconds))]}"


def _spent(cache: str, program: str, *words: str) -> float:
    """The processor seconds of a new process with this cache folder, from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "QUET_CACHE": cache}
    subprocess.run([sys.executable, "-c", program, *words], env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def retrograde(rounds: int) -> Iterator[Row]:
    """The whole table of palindromes m=16: seconds by the clock, and the memory beyond that of an idle process."""
    name = "palindromes m=16"
    found = []
    for _ in range(rounds):
        done = subprocess.run([sys.executable, "-c", RETROGRADE], capture_output=True, text=True)
        if done.returncode:
            yield Row("retrograde", name, None, note=done.stderr.strip().splitlines()[-1])
            return
        found.append([float(word) for word in done.stdout.split()])
    seconds, worked, megabytes = zip(*found, strict=True)
    note = f"{statistics.median(worked):.3g} s of processor time"
    yield Row("retrograde", name, statistics.median(seconds), min(seconds), max(seconds), 1.0, "s", note)
    yield Row("retrograde", name, statistics.median(megabytes), min(megabytes), max(megabytes), 50.0, "MB")


def oracle(num: int, rounds: int) -> Row:
    """Positions of random games looked up with the exact values of all their moves: seconds for a million."""
    games = quet.rl.batch(quet.new("palindromes", m=16), num, threads=1)
    known = quet.rl.oracle(quet.new("palindromes", m=16))
    known.look_up(games)  # compiles
    found = []
    for _ in range(rounds):
        games.step(games.random_actions())
        before = time.process_time()
        known.look_up(games)
        found.append((time.process_time() - before) * 1e6 / num)
    name, note = "palindromes m=16, a million positions", f"{1e6 / statistics.median(found):,.0f} positions/s"
    return Row("oracle", name, statistics.median(found), min(found), max(found), 60.0, "s", note)


def line(row: Row) -> str:
    """A row of the table, in Markdown."""
    if row.middle is None:
        return f"| {row.group} | {row.name} | | | | {row.note} | |"
    unit = "" if row.unit == "x" else f" {row.unit}"
    bar = "" if row.bar is None else f"{'≥' if row.unit == 'x' else '≤'}\N{NO-BREAK SPACE}{row.bar:g}{unit}"
    met = {None: "", True: "yes", False: "**no**"}[row.is_met]
    spread = f"{row.low:.3g}..{row.high:.3g}"
    return f"| {row.group} | {row.name} | {row.middle:.3g}{unit} | {spread} | {bar} | {row.note} | {met} |"


def means(found: list[Row]) -> Iterator[Row]:
    """The geometric mean of each group that has a bar."""
    for group, bar in MEANS.items():
        mean = geometric_mean([row for row in found if row.group == group])
        if mean is not None:
            yield Row(group, "**geometric mean**", mean, mean, mean, bar)


def table(pace: Pace, *, is_quick: bool) -> Iterator[str]:
    """The lines of the table, each as soon as it is measured, and how many bars are met."""
    yield "| against | what | ratio | least..most | bar | ours | met |"
    yield "|---|---|--:|--:|--:|--:|---|"
    found = []
    for row in rows(pace, is_quick=is_quick):
        found.append(row)
        yield line(row)
    for row in means(found):
        found.append(row)
        yield line(row)
    num_missed = sum(row.is_met is False for row in found)
    yield f"\n{sum(row.is_met is True for row in found)} bars are met, {num_missed} are missed."


def origin() -> str:
    """When and with what the tables are made, as the page says it."""
    words = ["git", "describe", "--always", "--dirty"]
    told = subprocess.run(words, cwd=DOCS, capture_output=True, text=True, check=False)
    commit = told.stdout.strip() or "unknown"
    versions = f"Python {sys.version_info.major}.{sys.version_info.minor} and Numba {numba.__version__}"
    load = os.getloadavg()[0]
    return (
        f"Measured on {time.strftime('%Y-%m-%d')} at commit {commit}, with {versions}; "
        f"the load of the machine by other work was {load:.1f} at the beginning."
    )


def written(page: str, lines: Sequence[str]) -> str:
    """The page with these lines in place of those between the marks."""
    before, _, rest = page.partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    return "\n".join([before + MARKS[0], "", *lines, "", MARKS[1] + after])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="The speed of the engine beside its peers.")
    parser.add_argument("--quick", action="store_true", help="try everything out; the numbers mean nothing")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/bench.md and the plot beside it")
    options = parser.parse_args()
    pace = Pace(rounds=2, turn=0.002) if options.quick else Pace()
    lines = [f"{origin()}\n"]
    print(lines[0])
    for text in table(pace, is_quick=options.quick):
        lines.append(text)
        print(text, flush=True)
    if options.quick:
        return
    costs = sizes.costs(pace)
    lines.append(f"\n{sizes.table(costs)}")
    print(lines[-1])
    if options.write:
        if not sizes.plot(costs, DOCS / "pictures" / "bench-size.svg"):
            print("\nMatplotlib is not installed, so there is no new plot.")
        page = DOCS / "bench.md"
        page.write_text(written(page.read_text("utf-8"), lines), "utf-8")


if __name__ == "__main__":
    main()
