"""A plugin of pytest for mutmut's runs, in each of which one place is changed."""

import functools
import json
import sys
from pathlib import Path

import pytest

STATISTICS = Path("mutmut-stats.json")  # of the run without a change; mutmut writes it where it runs the tests


def pytest_sessionstart() -> None:
    """Forget what changed functions keep: mutmut forks off a process that has run the tests without a change."""
    for module in list(sys.modules.values()):
        parts = vars(module)
        if any("__mutmut_" in name for name in parts):
            for part in parts.values():
                if isinstance(part, functools._lru_cache_wrapper):
                    part.cache_clear()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The fastest tests first, since one that fails is enough; tests of which that isn't known come last."""
    if STATISTICS.is_file():
        seconds = json.loads(STATISTICS.read_text())["duration_by_test"]
        items.sort(key=lambda item: seconds.get(item.nodeid, float("inf")))
