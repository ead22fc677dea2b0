"""A search in plain Python finds what the compiled one finds: both are the same source."""

import pytest

import quet
from conftest import SMALL
from quet.engine import annealing
from quet.engine.compiled import compiled, plain
from quet.engine.plain_rows import Rows, States
from quet.engine.tree import TreeSearch
from quet.knowledge.search import search_for

STEPS = 200


def test_both_find_the_same(our_game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annealing, "PLAIN_PORTION", STEPS)  # temperatures begin anew with each portion
    game = quet.new(our_game_id, **SMALL[our_game_id][-1])
    for ply in range(2):
        one, other = (
            search_for(game, seed=3 + ply, is_plain=is_plain).run(
                simulations=STEPS if game.entry.local_search is not None else 60
            )
            for is_plain in (True, False)
        )
        assert one.candidates == other.candidates
        assert (one.move, one.line, one.num_nodes) == (other.move, other.line, other.num_nodes)
        game.play(game.rules.move_text(game.state, one.move))


def test_a_plain_search_is_moved_on_to_the_next_position() -> None:
    game = quet.new("palindromes", m=7)
    search = TreeSearch(game.rules, game.state, seed=1, is_plain=True)
    move = search.run(simulations=20).move
    search.advance(move)
    game.push(move)
    assert search.run(simulations=20).move in game.legal_numbers()


def test_plain_twins_leave_the_module_as_it_is() -> None:
    from quet.engine import mcts

    rules = quet.new("palindromes").rules
    twin = plain(mcts, rules=rules)
    assert twin.rules is rules and mcts.rules is None and twin.search is not mcts.search
    assert compiled is not plain


def test_states_are_copied_into_their_places_as_in_an_array() -> None:
    state = quet.new("palindromes", m=4).state
    states = States([state, state])
    assert states[0] == state and states[0] is not state and states[0] is not states[1]
    states[1] = states[0]
    assert states[1] == states[0] and states[1] is not states[0]


def test_rows_begin_as_zero_and_become_an_array() -> None:
    from quet.engine import mcts

    rows = Rows(mcts.NODE, 5)
    rows[1].move = 7
    rows[1].value = 0.5
    found = rows.array(slice(2))
    assert len(rows) == 5 and list(found["move"]) == [0, 7] and list(found["value"]) == [0.0, 0.5]
