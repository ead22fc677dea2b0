"""A plugin of pytest for mutmut's runs: the fastest tests first, since one test that fails is enough."""

import json
from pathlib import Path

import pytest

STATISTICS = Path("mutmut-stats.json")  # of the run without a change; mutmut writes it where it runs the tests


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests by what they took before any change; tests of which that isn't known come last."""
    if STATISTICS.is_file():
        seconds = json.loads(STATISTICS.read_text())["duration_by_test"]
        items.sort(key=lambda item: seconds.get(item.nodeid, float("inf")))
