"""`--long K/N` of conftest.py: CI runs a part of the tests that take longest, and the parts together are all."""

import argparse
import importlib.util
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NAMES = [f"tests/test_{file}.py::test_{number}" for file in ("one", "bench", "two") for number in range(40)]
LONG = {name for name in NAMES if "_two" in name or int(name.rpartition("_")[2]) % 2}


@pytest.fixture(scope="module")
def conftest() -> Any:
    specification = importlib.util.spec_from_file_location("root_conftest", ROOT / "conftest.py")
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def kept(conftest: Any, words: str) -> list[str]:
    config = SimpleNamespace(getoption={"long": conftest.part(words)}.get)
    marks = {name: name if name in LONG else None for name in NAMES}
    items = [SimpleNamespace(nodeid=name, get_closest_marker=lambda _, mark=mark: mark) for name, mark in marks.items()]
    conftest.pytest_collection_modifyitems(config, items)
    return [item.nodeid for item in items]


def test_all_parts_together_are_all_long_tests_and_none_is_in_two(conftest: Any) -> None:
    parts = [[name for name in kept(conftest, f"{number}/4") if name in LONG] for number in (1, 2, 3, 4)]
    assert all(len(part) > 12 for part in parts)
    assert sorted(name for part in parts for name in part) == sorted(LONG)
    assert sorted(kept(conftest, "1/1")) == sorted(NAMES)
    assert kept(conftest, "2/4") == kept(conftest, "2/4")  # every process comes to the same


@pytest.mark.parametrize("words", ["none", "3/9", "1/1"])
def test_tests_without_the_mark_run_always(conftest: Any, words: str) -> None:
    found = kept(conftest, words)
    assert sorted(set(found) - LONG) == sorted(set(NAMES) - LONG)
    assert bool(set(found) & LONG) == (words != "none")


@pytest.mark.parametrize("words", ["", "3", "0/4", "5/4", "1/0", "a/b", "-1/4", "1/4/2"])
def test_a_part_that_is_not_there_is_refused(conftest: Any, words: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=r"as 2/60, or none, not"):
        conftest.part(words)
