"""Measures what it costs that other processes do parts of a solve, and what is lost because they share no table.

    python bench/cluster.py [--solve]

It needs distributed (pip install -e '.[cluster]') and prints one table. With --solve it also solves plusses-minuses
n=8, by questions, and two games by tables, each by one and by two processes, which takes some minutes. docs/cluster.md
tells how to read it.
"""

import pickle
import sys
import time

import quet
from quet.core.rules import module_name
from quet.distribution.parts import done
from quet.distribution.task import Task
from quet.distribution.workers import Cluster, Processes, Workers
from quet.solving import questions
from quet.solving.ask import answer

PARTS = 3000


def nothing(number: int, seconds: float | None) -> int:
    """A part that costs nothing but being sent."""
    return number


def cost(words: str, workers: Workers) -> None:
    """Print what it costs to begin, and what each empty part costs."""
    begun = time.monotonic()
    list(done(Task(workers=workers), nothing, {"first": (0,)}, "parts"))
    first = time.monotonic() - begun
    begun = time.monotonic()
    list(done(Task(workers=workers), nothing, {str(i): (i,) for i in range(PARTS)}, "parts"))
    each = (time.monotonic() - begun) / PARTS
    workers.close()
    print(f"{words:32} {first:8.2f} s for the first part {1000 * each:8.3f} ms for each other")


def sizes(id: str, **parameters: int) -> None:
    """Print how many bytes are sent for a part and come back."""
    game = quet.new(id, **parameters)
    asked = questions._Questions(game.rules, game.entry.capabilities, game.state, Task())
    position = next(iter(asked._parts.values()))
    names = module_name(asked._rules), asked._capabilities.module
    sent = pickle.dumps((questions.ask, (*names, asked._start, position.state, 1, 2**29), None, None, ""))
    print(f"{id} {parameters}: a part is {len(sent)} bytes, its result {len(pickle.dumps((0, 10**9)))}")


def solve(count: int, id: str, **parameters: int) -> None:
    """Print what a whole solve costs."""
    game = quet.new(id, **parameters)
    task = Task(workers=Processes(count), memory=3 << 30)
    begun = time.monotonic()
    found = answer(game.entry, game.state, task)
    seconds = time.monotonic() - begun
    task.workers.close()
    print(f"{id} {parameters}, {count} at once: {found.nodes} positions in {len(task.notes)} parts, {seconds:.1f} s")


def main() -> None:
    here = Processes(1)
    cost("this process", here)
    two = Processes(2)
    two.seconds_here = 0.0
    cost("two processes", two)
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        cost("a Dask cluster of two workers", Cluster(cluster.scheduler_address))
    sizes("blob", n=6)
    sizes("plusses-minuses", n=8)
    if "--solve" in sys.argv[1:]:
        for count in (1, 2):
            solve(count, "plusses-minuses", n=8)
            solve(count, "divisors-multiples", r=25)
            solve(count, "palindromes", m=21)


if __name__ == "__main__":
    main()
