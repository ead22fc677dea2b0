"""What OpenSpiel's wheel brings to test games, run unchanged on ours: a test of the interface, and playthroughs.

Its test over whole trees is left out. It compares numbers of nodes with a list of OpenSpiel's own games, and asks for a
tensor of information states, which games without secrets don't have.
"""

import importlib.util
import os
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import SMALL

if importlib.util.find_spec("pyspiel") is None and not os.environ.get("CI"):
    pytest.skip("OpenSpiel is not installed; pip install 'quet[rl]' brings it.", allow_module_level=True)

from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough

from quet.rl import openspiel

EVERY_SIZE = pytest.mark.parametrize(
    ("id", "parameters"),
    [
        pytest.param(id, one, marks=[] if number == 1 else pytest.mark.long)
        for id, sizes in SMALL.items()
        for number, one in enumerate(sizes)
    ],
    ids=str,
)


@EVERY_SIZE
def test_openspiels_test_of_the_interface_passes(id: str, parameters: dict[str, Any]) -> None:
    game = openspiel.loaded(id, parameters)
    np.random.seed(1)  # it draws states from it
    case: Any = type("Case", (api_test.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": str(game)})
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    assert suite.countTestCases() >= 5
    found = unittest.TestResult()
    suite.run(found)
    assert found.testsRun >= 5 and len(case.some_states) > 1
    assert not found.errors and not found.failures and not found.skipped, found


@EVERY_SIZE
def test_a_playthrough_can_be_replayed(id: str, parameters: dict[str, Any], tmp_path: Path) -> None:
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["pytest"])
    name = str(openspiel.loaded(id, parameters))
    told = generate_playthrough.playthrough(name, [], seed=1)
    (tmp_path / "playthrough.txt").write_text(told, encoding="utf-8")
    expected, actual = generate_playthrough.replay(str(tmp_path / "playthrough.txt"))
    assert expected == actual and "IsTerminal() = True" in told and "ObservationTensor(0)" in told
