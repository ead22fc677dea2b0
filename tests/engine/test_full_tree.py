"""A tree that is full forgets what is looked into least, and grows again."""

import numpy as np
import pytest

import quet
from growing import tree_of
from quet.engine import mcts
from quet.engine.compiled import plain
from quet.engine.plain_rows import Rows

LITTLE = 2**17  # bytes, which the tree of the test fills several times


@pytest.mark.parametrize("is_plain", [True, False])
def test_a_full_tree_keeps_to_its_memory_and_counts_on(is_plain: bool) -> None:
    game = quet.new("palindromes", m=8)
    search = tree_of(game, seed=1, memory=2**14, is_plain=is_plain)
    found = search.run(simulations=300)
    assert found.num_simulations == sum(c.visits for c in found.candidates) == 300
    assert 0 < found.num_nodes <= 2**14 // 76
    search.advance(found.move)
    game.push(found.move)
    assert {c.move for c in search.run(simulations=30).candidates} <= set(game.legal_numbers())


def test_plain_and_compiled_trees_forget_the_same() -> None:
    game = quet.new("blob", n=4)
    one, other = (
        tree_of(game, seed=5, memory=2**14, is_plain=is_plain).run(simulations=200) for is_plain in (True, False)
    )
    assert one.candidates == other.candidates
    assert (one.line, one.num_nodes) == (other.line, other.num_nodes)


def test_a_search_of_little_memory_solves_what_one_that_stopped_growing_could_not() -> None:
    game = quet.new("palindromes", m=6)
    found = tree_of(game, seed=1, memory=LITTLE).run(simulations=100_000)
    enough = tree_of(game, seed=1).run(simulations=100_000)
    assert enough.num_nodes > 4 * LITTLE // 76
    assert found.is_solved and enough.is_solved
    assert found.value == enough.value


def test_what_lies_below_solved_and_little_visited_nodes_is_forgotten_and_nothing_else() -> None:
    """The root has three children with a child each: one visited often, one little, and one that is solved."""
    nodes, kept = Rows(mcts.NODE, 7), Rows(mcts.NODE, 7)
    for i, (first, count, visits, is_solved) in enumerate(
        [(1, 3, 20, 0), (4, 1, 12, 0), (5, 1, 3, 0), (6, 1, 5, 1), (0, 0, 11, 0), (0, 0, 2, 0), (0, 0, 4, 0)]
    ):
        node = nodes[i]
        node.first, node.count, node.visits, node.is_solved, node.move = first, count, visits, is_solved, i
    exact = np.arange(14.0, dtype=np.float32).reshape(7, 2)
    kept_exact = np.zeros_like(exact)
    module = plain(mcts, rules=quet.new("blob").rules)
    num_kept = module.reroot(0, nodes, exact, kept, kept_exact, np.zeros(7, np.int32), 4)
    assert [kept[i].move for i in range(num_kept)] == [0, 1, 2, 3, 4]
    assert [kept[i].count for i in range(num_kept)] == [3, 1, 0, 0, 0]
    assert [kept[i].visits for i in range(num_kept)] == [20, 12, 3, 5, 11]
    assert (kept_exact[:5] == exact[:5]).all()


@pytest.mark.long
def test_moves_that_are_too_large_for_a_node_take_wider_ones_in_the_same_memory() -> None:
    game = quet.new("sums-grid", n=3)
    search = tree_of(game, seed=1, memory=2**20)
    found = search.run(simulations=300)
    assert found.num_simulations == sum(c.visits for c in found.candidates) == 300
    assert max(c.move for c in found.candidates) > 2**31
    assert {c.move for c in found.candidates} == set(game.legal_numbers())
    nodes = search._tree.nodes
    assert isinstance(nodes, np.ndarray)
    assert nodes.dtype == mcts.WIDE and nodes.itemsize * len(nodes) < 2**19
    # Longer searches of this game differ, since plain Python ends random games after fewer moves.
    one, other = (tree_of(game, seed=1, is_plain=is_plain).run(simulations=5) for is_plain in (True, False))
    assert one.candidates == other.candidates


def test_a_node_takes_28_bytes_and_4_more_for_each_player() -> None:
    """The 36 bytes of a game for two that docs/bench.md names."""
    game = quet.new("blob", n=6)
    tree = tree_of(game, seed=1, memory=2**20)._tree
    assert isinstance(tree.nodes, np.ndarray)
    assert tree.nodes.itemsize == 28 and tree._exact.itemsize * tree._exact.shape[1] == 8
    assert len(tree.nodes) == 2**20 // (2 * 36 + 4)
