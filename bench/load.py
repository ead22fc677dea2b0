"""500 games at once on one process of the site: moves a second, how soon the opponent hears, and how much memory.

    python bench/load.py [--quick] [--write]

Both players of each game, and a spectator of every fifth game, are connected all the time, and all moves go over HTTP.
In turn with that, the same clients write rows through a bare FastAPI endpoint (bare.py), once with rows batched as the
site batches moves and once without. The ratio to the batched one shows what the site costs beyond the minimum. At the
end the database must hold every acknowledged move once and nothing else, and every listener must have heard of every
move once and in order. docs/load.md tells how to read the table.
--quick tries everything out with a few games; its numbers mean nothing. --write puts the table into docs/load.md.
"""

import argparse
import asyncio
import gc
import os
import resource
import signal
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from servers import Process, bare, site
from swarm import Connection, Failed, request
from tables import KINDS, START, Script, Table

DOCS = Path(__file__).parents[1] / "docs"
MARK = "<!-- All below is written by bench/load.py --write. -->"
BAR = 0.4  # of the speed of the bare endpoint that batches too
WATCHED = 5  # every fifth game has a spectator
AT_ONCE = 20  # games that are set up at the same time


@dataclass(frozen=True)
class Size:
    """How much to do."""

    games: int = 500
    rounds: int = 7
    moves: int = 6  # of each game in a round
    paced: int = 10  # moves of each game while players think
    thinking: float = 2.0  # seconds, on the average


QUICK = Size(games=20, rounds=2, moves=3, paced=3, thinking=0.1)


@dataclass
class Figures:
    """What was measured; times in seconds, memory in megabytes."""

    busy: float = 0.0  # the machine's load average before anything was measured
    empty: float = 0.0  # memory before the first game
    full: float = 0.0  # memory at the end
    rates: list[float] = field(default_factory=list)  # moves a second in each round
    batched_rates: list[float] = field(default_factory=list)
    bare_rates: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)  # processor time of a move, in each round
    batched_costs: list[float] = field(default_factory=list)
    bare_costs: list[float] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)  # at full speed, from each move to the opponent's event
    paced_rate: float = 0.0
    paced_delays: list[float] = field(default_factory=list)

    @property
    def ratios(self) -> list[float]:
        """The speed of the site over that of the bare endpoint that batches too, in each round."""
        return [ours / theirs for ours, theirs in zip(self.rates, self.batched_rates, strict=True)]

    @property
    def bare_ratios(self) -> list[float]:
        """The same over the endpoint that waits for the disk with each row."""
        return [ours / theirs for ours, theirs in zip(self.rates, self.bare_rates, strict=True)]


async def measure(size: Size, site: Process, batched: Process, bare: Process) -> tuple[Figures, list[Table]]:
    """Set up the games, play them, and say what it took; raises Failed when anything goes wrong."""
    figures = Figures(busy=os.getloadavg()[0], empty=site.memory())
    scripts = [Script.write(kind, seed) for seed in range(4) for kind in KINDS]
    gate = asyncio.Semaphore(AT_ONCE)

    async def open_table(number: int) -> Table:
        async with gate:
            return await Table.open(site.port, scripts[number % len(scripts)], is_watched=number % WATCHED == 0)

    tables = await asyncio.gather(*map(open_table, range(size.games)))
    lines = {
        process.port: [[Connection(process.port) for _ in range(2)] for _ in tables] for process in (batched, bare)
    }
    print(f"{size.games} games are set up.", file=sys.stderr)

    async def play(moves: int, thinking: float = 0.0) -> None:
        until = tables[0].ply + moves
        await asyncio.gather(*(table.play(until, thinking) for table in tables))

    async def write(port: int, moves: int) -> None:
        """Write as many rows, with as many requests at once."""
        pairs = zip(tables, lines[port], strict=True)
        await asyncio.gather(*(_rows(port, table, line, moves) for table, line in pairs))

    await play(2)
    for process in (batched, bare):
        await write(process.port, 2)
    _forget(tables)
    for _ in range(size.rounds):
        for run, process, rates, costs in (
            (play, site, figures.rates, figures.costs),
            (partial(write, batched.port), batched, figures.batched_rates, figures.batched_costs),
            (partial(write, bare.port), bare, figures.bare_rates, figures.bare_costs),
        ):
            gc.collect()
            began, worked = time.perf_counter(), process.seconds()
            await run(size.moves)
            rates.append(size.games * size.moves / (time.perf_counter() - began))
            costs.append((process.seconds() - worked) / (size.games * size.moves))
        rows = f"{figures.batched_rates[-1]:.0f} rows batched, {figures.bare_rates[-1]:.0f} rows"
        print(f"{figures.rates[-1]:.0f} moves a second, {rows}", file=sys.stderr)
    figures.delays = _forget(tables)
    began = time.perf_counter()
    await play(size.paced, size.thinking)
    figures.paced_rate = size.games * size.paced / (time.perf_counter() - began)
    figures.paced_delays = _forget(tables)
    figures.full = site.memory()
    await asyncio.gather(*(table.finish() for table in tables))
    return figures, tables


async def _rows(port: int, table: Table, lines: list[Connection], moves: int) -> None:
    """Write a row for each of the next moves of a game, by its two players in turn."""
    written = table.written.get(port, 0)
    for ply in range(written, written + moves):
        body = b'{"ply": %d, "move": "%b"}' % (ply, table.script.moves[ply].encode())
        answer = await lines[ply % 2].ask(request(port, "POST", f"/play/{table.id}/move", body, "application/json"))
        if answer.status != 200:
            raise Failed(f"The bare endpoint answered {answer.status}.")
        table.written[port] = ply + 1


def _forget(tables: list[Table]) -> list[float]:
    """The delays so far; counting begins anew here."""
    delays = [delay for table in tables for delay in table.delays]
    for table in tables:
        table.delays.clear()
    return delays


def check(database: Path, tables: list[Table]) -> int:
    """How many moves the database holds; raises Failed unless they are exactly those that were acknowledged."""
    with sqlite3.connect(database) as connection:
        rows = connection.execute(
            "SELECT game_id, ply, kind, text FROM moves WHERE kind != 'start' ORDER BY game_id, ply"
        ).fetchall()
        counts = dict(connection.execute("SELECT id, num_rows FROM games"))
    connection.close()
    expected = sorted(
        (table.id, row, "move", text)
        for table in tables
        for row, text in enumerate(table.script.moves[: table.ply], START)
    )
    if rows != expected:
        raise Failed(f"{len(expected)} moves were acknowledged; the database holds {len(rows)}, or others.")
    for table in tables:
        if counts[table.id] != table.rows:
            raise Failed(f"The summary of {table.id} counts {counts[table.id]} rows of {table.rows}.")
        for heard in table.heard:
            if heard != list(range(START + 1, table.rows + 1)):
                raise Failed(f"A listener of {table.id} heard {heard}.")
    return len(rows)


def told(log: Path) -> str:
    """What the site's log has of errors."""
    return "\n".join(line for line in log.read_text().splitlines() if '"level": "error"' in line)[:10_000]


def report(size: Size, figures: Figures, moves: int) -> str:
    """The table."""
    paced = statistics.quantiles(figures.paced_delays, n=100)
    full = statistics.quantiles(figures.delays, n=100)
    ratio = statistics.median(figures.ratios)
    measured = (figures.costs, figures.batched_costs, figures.bare_costs)
    costs = [f"{statistics.median(costs) * 1e6:,.0f} µs" for costs in measured]
    rows = [
        ("moves a second, as fast as it goes", _spread(figures.rates, "{:,.0f}")),
        ("rows a second through the bare endpoint, batched as moves are", _spread(figures.batched_rates, "{:,.0f}")),
        ("**ratio**", f"{_spread(figures.ratios, '{:.3f}')}; bar {BAR}: {'met' if ratio >= BAR else 'missed'}"),
        ("rows a second through the bare endpoint, unbatched", _spread(figures.bare_rates, "{:,.0f}")),
        ("ratio to that, which is mostly the disk's", _spread(figures.bare_ratios, "{:.2f}")),
        ("processor time of a move, of a batched row, of an unbatched one", ", ".join(costs)),
        (f"move to opponent's event at {figures.paced_rate:,.0f} moves a second, p50", f"{paced[49] * 1e3:,.1f} ms"),
        ("the same, p99", f"{paced[98] * 1e3:,.1f} ms"),
        ("move to opponent's event as fast as it goes, p50", f"{full[49] * 1e3:,.0f} ms"),
        ("the same, p99", f"{full[98] * 1e3:,.0f} ms"),
        ("memory before the first game", f"{figures.empty:,.0f} MB"),
        ("memory with all of them", f"{figures.full:,.0f} MB"),
        ("processors; load of the machine by other work", f"{os.cpu_count()}; {figures.busy:.1f}"),
        ("errors, lost moves, double moves", f"none of {moves:,} moves"),
    ]
    listeners = size.games * 2 + -(-size.games // WATCHED)
    head = f"| {size.games} games, {listeners:,} streams of events | |\n|---|---|\n"
    return head + "".join(f"| {name} | {value} |\n" for name, value in rows)


def _spread(values: list[float], shape: str) -> str:
    middle, low, high = (shape.format(value) for value in (statistics.median(values), min(values), max(values)))
    return f"{middle} ({low}..{high})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few games; the numbers mean nothing")
    parser.add_argument("--write", action="store_true", help="put the table into docs/load.md")
    options = parser.parse_args()
    size = QUICK if options.quick else Size()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that the servers end too
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each connection is an open file
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours = stack.enter_context(site(folder))
        theirs = [stack.enter_context(bare(folder, is_batched=is_batched)) for is_batched in (True, False)]
        try:
            figures, tables = asyncio.run(measure(size, ours, *theirs))
            moves = check(folder / "quet.db", tables)
        except Failed as error:
            print(f"load: {error}\n{told(folder / 'site.log')}", file=sys.stderr)
            return 1
    text = report(size, figures, moves)
    print(text)
    if options.write:
        page = DOCS / "load.md"
        page.write_text(f"{page.read_text().partition(MARK)[0]}{MARK}\n\n{text}")
    is_met = statistics.median(figures.ratios) >= BAR
    print(f"The bar is {'met' if is_met else 'missed'}.")
    return 0 if is_met or options.quick else 1


if __name__ == "__main__":
    sys.exit(main())
