"""How the whole project is collected: doctests too, but only from files that have some."""

import gc
import signal
import sys
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files with the longest single tests first, so that no process is left alone with one at the end."""
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
