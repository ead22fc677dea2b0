"""How the whole project is collected: doctests too, but only from files that have some."""

import argparse
import gc
import signal
import sys
import zlib
from collections.abc import Generator
from pathlib import Path

import pytest

# Tests are kept compiled between runs, whatever the environment says. Otherwise each process that collects them spends
# half of its time on rewriting the same assertions.
sys.dont_write_bytecode = False

# A shell has what it runs in the background ignore Ctrl-C. A test that presses Ctrl-C would then wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Nearly all that collecting makes stays to the end, so that looking for garbage meanwhile finds nothing.
gc.disable()

LONG = [
    "tests/fuzz/test_fuzz.py",
    "tests/certificates/test_certificates.py",
    "tests/test_bench.py",
    "tests/results/test_the_table.py",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--long K/N` runs one of N parts of the tests marked long: together they are all of them, and none is in two."""
    parser.addoption(
        "--long",
        type=part,
        default=(1, 1),
        metavar="K/N",
        help="of the tests marked long run only part K of N, or none",
    )


def part(words: str) -> tuple[int, int]:
    """The number of a part and how many parts there are, from `K/N`; for `none` a number that no part has."""
    if words == "none":
        return 0, 1
    number, _, parts = words.partition("/")
    if not (number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
        raise argparse.ArgumentTypeError(f"--long is a part and the number of parts, as 2/60, or none, not {words!r}.")
    return int(number), int(parts)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the part of the long tests that is asked for, and begin with the files that have the longest single tests.

    So no process is left alone with one at the end. A test's part follows from its name alone, as every process that
    runs tests has to come to the same.
    """
    number, parts = config.getoption("long")
    items[:] = [
        each
        for each in items
        if each.get_closest_marker("long") is None or zlib.crc32(each.nodeid.encode()) % parts == number - 1
    ]
    rank = {name: number for number, name in enumerate(LONG)}
    items.sort(key=lambda item: rank.get(item.nodeid.partition("::")[0], len(LONG)))


def pytest_collection_finish() -> None:
    """Garbage is looked for again, among what the tests make."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """The collectors of a file. One without a doctest is not imported to look for doctests: that takes seconds."""
    collectors = yield
    return [each for each in collectors if type(each) is pytest.Module or ">>>" in file_path.read_text("utf-8")]
