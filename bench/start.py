"""How long Quet takes to start: processor time beyond that of Python itself.

    python bench/start.py

Prints milliseconds of processor time (user and system), each the least of 15 runs in processes of their own, less what
an empty program takes.
"""

import resource
import subprocess
import sys

import arguments

RUNS = 15
PROGRAMS = {
    "import quet": "import quet",
    'quet.new("blob")': "import quet; quet.new('blob')",
    "quet --help": "from quet.cli.main import main; main([])",
    "quet games": "from quet.cli.main import main; main(['games'])",
}


def milliseconds(program: str) -> float:
    """The least processor time of a process that runs the program."""
    least = float("inf")
    for _ in range(RUNS):
        before = _children()
        subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)
        least = min(least, 1000 * (_children() - before))
    return least


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print the table."""
    arguments.none(__doc__)
    python = milliseconds("")
    print(f"Python itself: {python:.0f} ms")
    for name, program in PROGRAMS.items():
        print(f"{name}: {milliseconds(program) - python:.0f} ms more")


if __name__ == "__main__":
    main()
