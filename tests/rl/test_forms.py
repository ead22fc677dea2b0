"""What learning programs observe of a game and may do, with the game's `observe.py` and without one."""

import importlib
import os
import pickle
import random
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quet
from conftest import SMALL
from quet import catalog
from quet.core.state import copy
from quet.rl.forms import Form

SIZES = [(id, parameters) for id, sizes in SMALL.items() for parameters in sizes]
EVERY_SIZE = pytest.mark.parametrize(("id", "parameters"), SIZES, ids=[f"{id} {p}" for id, p in SIZES])
LONGEST = 60  # moves played of a game, which may have no end


@pytest.fixture
def _hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game is without its `observe.py`."""
    for id in quet.game_ids():
        monkeypatch.setitem(catalog.get(id).__dict__, "observe", None)


def test_every_plane_has_a_name_and_a_sentence(our_game_id: str) -> None:
    form = Form(our_game_id, {})
    assert catalog.get(our_game_id).observe is not None
    assert len(form.planes) == form.bounds.shape[0]
    assert all(name.strip() and sentence.endswith(".") for name, sentence in form.planes.items())


def test_only_an_action_has_a_text(our_game_id: str) -> None:
    form = Form(our_game_id, SMALL[our_game_id][-1])
    for action in (-1, form.bounds.num_actions, 10**12):
        with pytest.raises(quet.IllegalMove, match=f"^There is no action {action}; the actions are 0 to "):
            form.text(form.start(), action)


def test_a_form_survives_being_pickled(our_game_id: str) -> None:
    form = Form(our_game_id, SMALL[our_game_id][-1])
    twin = pickle.loads(pickle.dumps(form))
    assert (twin.id, twin.parameters, twin.bounds) == (form.id, form.parameters, form.bounds)


@EVERY_SIZE
@pytest.mark.usefixtures("_hidden")
def test_an_action_of_a_game_that_says_nothing_is_a_place_in_the_list_of_moves(
    id: str, parameters: dict[str, Any]
) -> None:
    form, twin = Form(id, parameters), quet.new(id, **parameters)
    s, generator = form.start(), random.Random(1)
    while not twin.is_over and twin.ply < LONGEST:
        legal = form.legal_actions(s)
        assert [form.text(s, action) for action in legal] == list(twin.legal_moves)
        assert legal == list(range(len(legal)))
        assert len(legal) <= form.bounds.num_actions
        for answer in (form.play, form.text):
            with pytest.raises(quet.IllegalMove, match=f"There is no action {len(legal)}"):
                answer(s, len(legal))
        action = generator.choice(legal)
        twin.play(form.text(s, action))
        form.play(s, action)
        assert s == twin.state
        assert form.scores(s) == twin.scores
        assert form.mover(s) == (twin.mover or 0)
    assert form.legal_actions(s) == [] or not twin.is_over


@EVERY_SIZE
@pytest.mark.usefixtures("_hidden")
def test_the_numbers_of_a_state_are_seen_of_a_game_that_says_nothing(id: str, parameters: dict[str, Any]) -> None:
    form, generator = Form(id, parameters), random.Random(2)
    known: dict[bytes, Any] = {}
    for _ in range(3):
        s = form.start()
        for _ in range(LONGEST):
            array = np.zeros(form.bounds.shape, np.float32)
            form.observe(s, array)
            assert np.abs(array).max() < 50
            assert array[: form.num_players].tolist() == [form.mover(s) == 1 + i for i in range(form.num_players)]
            assert known.setdefault(array.tobytes(), copy(s)) == s
            if not form.mover(s):
                break
            form.play(s, generator.choice(form.legal_actions(s)))


@pytest.mark.usefixtures("_hidden")
def test_a_solitaire_that_says_nothing_may_be_worth_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    up = Form("up-and-up", {"n": 1})
    assert up.bounds[3:] == (-inf, inf)
    assert Form("blob", {}).bounds[3:] == (-1.0, 1.0)
    s = up.start()
    up.play(s, 0)
    assert up.utilities(s) == [1.0]
    monkeypatch.setattr(up.rules, "LOWER_IS_BETTER", True)
    assert up.utilities(s) == [-1.0]


def test_the_pictures_of_planes_are_those_of_what_is_observed(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = Path(__file__).parents[2] / "docs" / "pictures"
    monkeypatch.syspath_prepend(os.fspath(pictures))
    found = importlib.import_module("planes").pictures()
    page = (pictures.parent / "openspiel.md").read_text(encoding="utf-8")
    assert found.keys() == {file.name for file in pictures.glob("planes-*.svg")}
    for name, picture in found.items():
        assert (pictures / name).read_text(encoding="utf-8") == picture, (
            "python docs/pictures/planes.py draws them anew"
        )
        assert f"](pictures/{name})" in page
