"""`--share K/N` of conftest.py: CI runs a part of the tests that take longest, and the parts together are all."""

import argparse
import importlib.util
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NAMES = [f"tests/test_{file}.py::test_{number}" for file in ("one", "bench", "two") for number in range(40)]


@pytest.fixture(scope="module")
def conftest() -> Any:
    specification = importlib.util.spec_from_file_location("root_conftest", ROOT / "conftest.py")
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def kept(conftest: Any, words: str) -> list[str]:
    config = SimpleNamespace(getoption={"share": conftest.share(words)}.get)
    items = [SimpleNamespace(nodeid=name) for name in NAMES]
    conftest.pytest_collection_modifyitems(config, items)
    return [item.nodeid for item in items]


def test_all_parts_together_are_all_tests_and_no_test_is_in_two(conftest: Any) -> None:
    parts = [kept(conftest, f"{number}/4") for number in (1, 2, 3, 4)]
    assert all(len(part) > 15 for part in parts)
    assert sorted(name for part in parts for name in part) == sorted(NAMES) == sorted(kept(conftest, "1/1"))
    assert parts[1] == kept(conftest, "2/4")  # every process comes to the same


@pytest.mark.parametrize("words", ["", "3", "0/4", "5/4", "1/0", "a/b", "-1/4", "1/4/2"])
def test_a_part_that_is_not_there_is_refused(conftest: Any, words: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=r"as 2/30, and not"):
        conftest.share(words)
