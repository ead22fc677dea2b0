"""How the whole project is collected: doctests too, but only from files that have some."""

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


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """The collectors of a file. One without a doctest is not imported to look for doctests: that takes seconds."""
    collectors = yield
    return [each for each in collectors if type(each) is pytest.Module or ">>>" in file_path.read_text("utf-8")]
