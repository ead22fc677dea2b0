"""Sequence Ascension solved: a SAT solver and all placings agree, and proofs are checked by the rules alone."""

import copy
import math
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import quet
from certified import score
from quet.certificates.check_unsat import Refutation
from quet.certificates.verify import check, digest
from quet.core.errors import BadCertificate, BrokenRules
from quet.core.grid import is_touching
from quet.distribution.task import Task
from quet.games.sequence_ascension import claims, highest, rules, sat, second
from quet.games.sequence_ascension.formula import formula, without_images
from quet.games.sequence_ascension.solve import settled, solve
from quet.results.folder import Folder
from quet.solving import certify as certificate

PIGEONS = [[1, 2], [3, 4], [5, 6], [-1, -3], [-1, -5], [-3, -5], [-2, -4], [-2, -6], [-4, -6]]  # three, two holes
PROOF = ["-1 4 0", "-1 0", "2 0", "0"]


def certified(**parameters: Any) -> dict[str, Any]:
    game = quet.new("sequence-ascension", **parameters)
    task = Task()
    made = certificate.make(game.id, game.rules, game.state, game.parameters, solve(game.state, task), task)
    assert made is not None
    return made


@pytest.mark.parametrize("seed", range(12))
def test_a_solver_of_formulas_agrees_with_all_placings_of_three_by_three(seed: int) -> None:
    chance = random.Random(seed)
    terms = [chance.randint(0, chance.choice((1, 3, 9))) for _ in range(9)]
    game = quet.new("sequence-ascension", n=3, sequence=terms)
    found = solve(game.state, Task())
    assert found.is_proven
    assert found.value == score(game, found) == settled(game.state, Task()).value


@pytest.mark.parametrize("sequence", ["divisors", "pi", "random:1:0:9", "random:2:0:3"])
def test_a_solver_of_formulas_agrees_with_all_placings_of_four_by_four(sequence: str) -> None:
    game = quet.new("sequence-ascension", n=4, sequence=sequence)
    found = solve(game.state, Task())
    assert found.is_proven
    assert found.value == score(game, found) == settled(game.state, Task()).value


def test_the_formula_has_a_solution_for_every_score_up_to_the_best_and_for_none_above() -> None:
    state = quet.new("sequence-ascension", n=3, sequence="2,1,2,1,2,1,2,1,2").state
    best = settled(state, Task()).value
    assert best is not None
    for wanted in range(1, 10):
        true, _, is_sure = sat.solution(formula(3, state.ranks, wanted).clauses, None)
        assert is_sure
        assert (true is not None) == (wanted <= best)


@pytest.mark.long
@pytest.mark.parametrize("sequence", ["divisors", "pi", "2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1"])
def test_a_score_is_reached_where_it_is_so_with_some_term_as_the_first_left_out(sequence: str) -> None:
    game = quet.new("sequence-ascension", n=4, sequence=sequence)
    best = solve(game.state, Task()).value
    assert best is not None
    for wanted in range(best - 1, 15):
        found = []
        for term in highest.first_terms_left_out(16, wanted):
            moves, _ = highest.reach(game.state, wanted, term, None) or ([], 0)
            if moves:
                found.append(term)
                played = quet.new("sequence-ascension", n=4, sequence=sequence).state
                for move in moves:
                    rules.play(played, move)
                placed = {square: k for k, square in enumerate(moves[: played.count])}
                path = [placed[square] for square in moves[played.count :][:wanted]]
                assert len(path) == wanted
                assert min(set(range(16)) - set(path)) == term
        assert (found != []) == (wanted <= best)


@pytest.mark.long
def test_a_score_that_is_divided_into_parts_is_refuted_by_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = solve(quet.new("sequence-ascension", n=4, sequence="pi").state, Task())
    monkeypatch.setattr(highest, "UNDIVIDED", 3)
    task = Task()
    divided = solve(quet.new("sequence-ascension", n=4, sequence="pi").state, task)
    assert divided.value is not None
    assert divided.is_proven and divided.value == whole.value
    above = [name for name in task.notes if name.startswith(f"score {divided.value + 1},")]
    terms = range(1, divided.value + 3)  # processes end in any order
    assert sorted(above) == sorted(f"score {divided.value + 1}, first without term {term}" for term in terms)
    # A part that isn't refuted leaves the score open.
    del task.notes[above[3]]
    lost = Task(notes=task.notes, seconds=0.0)
    assert not solve(quet.new("sequence-ascension", n=4, sequence="pi").state, lost).is_proven


@pytest.mark.parametrize(("n", "sequence"), [(2, "divisors"), (3, "pi"), (4, "mod3"), (5, "divisors"), (4, [7] * 16)])
def test_the_checker_writes_the_same_clauses_in_its_own_way(n: int, sequence: Any) -> None:
    state = quet.new("sequence-ascension", n=n, sequence=sequence).state
    for wanted in range(n * n - 3, n * n + 1):
        ours = formula(n, state.ranks, wanted).clauses
        assert sorted(map(sorted, ours)) == sorted(map(sorted, claims.clauses(state, wanted)))


def walks(n: int, length: int) -> Iterator[tuple[int, ...]]:
    """All ways to place the first terms."""
    waiting: list[tuple[int, ...]] = [(square,) for square in range(n * n)]
    while waiting:
        walk = waiting.pop()
        if len(walk) == length:
            yield walk
            continue
        waiting += [(*walk, q) for q in range(n * n) if q not in walk and is_touching(walk[-1], q, n)]


def images(n: int, walk: Iterable[int]) -> set[tuple[int, ...]]:
    """The walk, turned and mirrored."""
    found, places = set(), [divmod(square, n) for square in walk]
    for _ in range(4):
        places = [(column, n - 1 - row) for row, column in places]
        found |= {tuple(r * n + c for r, c in places), tuple(c * n + r for r, c in places)}
    return found


@pytest.mark.parametrize(("n", "length"), [(2, 4), (3, 7), (4, 5)])
def test_one_of_all_images_of_a_game_is_left(n: int, length: int) -> None:
    made = formula(n, range(n * n), n * n)
    clauses = without_images(n, made)
    seen = set()
    for walk in walks(n, length):
        if walk in seen:
            continue
        alike = images(n, walk)
        seen |= alike
        true = [{made.terms[k][square] for k, square in enumerate(one)} for one in alike]
        left = sum(all(any((-v not in t) if v < 0 else v in t for v in clause) for clause in clauses) for t in true)
        assert len(alike) == 8 and left == 1


@pytest.mark.long
def test_the_second_way_finds_the_highest_score_from_any_below_and_needs_time() -> None:
    for row in Folder(Path(quet.__file__).parents[2] / "results").rows("sequence-ascension"):
        if row.size > 4 or row.score != "highest":
            continue
        assert second.value(row.parameters, row.number, row.number, math.inf) == row.number
        if row.size < 4:
            assert second.value(row.parameters, row.number - 1, row.number, math.inf) == row.number
    assert second.value({"n": 4, "sequence": "pi"}, 13, 13, 0.0) is None
    assert second.value({"n": 3, "sequence": "naturals"}, 1, 9, math.inf) == 9


@pytest.mark.long
def test_a_bound_that_took_too_many_conflicts_rests_on_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [ground["kind"] for ground in certified(n=3, sequence="pi")["grounds"]] == ["witness", "unsat"]
    monkeypatch.setattr(highest, "MOST_CONFLICTS", 10)
    made = certified(n=3, sequence="pi")
    assert [ground["kind"] for ground in made["grounds"]] == ["witness", "exhaustive"]
    assert check(made).trusted


def test_an_annealing_of_five_by_five_comes_close_to_the_best() -> None:
    game = quet.new("sequence-ascension", n=5)
    moves, steps = highest.anneal(game.state, 1, 20_000, None)
    assert steps == 20_000
    for move in moves:
        game.play(game.rules.move_text(game.state, move))
    assert game.is_over
    assert 20 <= game.scores[0] <= 23


def test_an_annealing_that_is_cut_short_counts_the_steps_that_it_made() -> None:
    game = quet.new("sequence-ascension", n=5)
    highest.anneal(game.state, 1, 1, None)  # compiles
    assert 0 < highest.anneal(game.state, 1, 1_000_000_000, 0.5)[1] < 1_000_000_000


def test_of_a_large_grid_a_game_is_told_though_there_was_hardly_any_time() -> None:
    game = quet.new("sequence-ascension", n=12)
    found = solve(game.state, Task(seconds=0.01))
    assert found.high == 144
    assert found.value == score(game, found)


def test_a_full_score_of_five_by_five_needs_no_refutation() -> None:
    game = quet.new("sequence-ascension", n=5, sequence="naturals")
    found = solve(game.state, Task())
    assert found.value == 25 == score(game, found)
    assert found.is_at_bound


@pytest.fixture(scope="module")
def refuted() -> dict[str, Any]:
    """A certificate with a refutation, for all tests here; it is copied before it is changed."""
    return certified(n=3, sequence="pi")


@pytest.mark.long
def test_a_certificate_with_a_refutation_holds_and_trusts_nothing() -> None:
    verified = check(certified(n=4))
    assert verified.claim == "the highest score is 15"
    assert not verified.trusted
    assert "follow one by one" in verified.checked[-1]


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: lines[:-1], "doesn't end with the empty clause"),
        (lambda lines: [*lines[:-40], "0"], "doesn't follow"),
        (lambda lines: ["0"], "Line 1 of the proof doesn't follow"),
        (lambda lines: ["1 0", *lines], "Line 1 of the proof doesn't follow"),
        (lambda lines: [*lines, "1 0"], "goes on after its end"),
        (lambda lines: ["d 1 2 3 4 5 0", *lines], "takes away what isn't there"),
        (lambda lines: ["1 2", *lines], "isn't a clause"),
        (lambda lines: ["x 0", *lines], "isn't a clause"),
        (lambda lines: ["99999999 0", *lines], "isn't a clause"),
    ],
)
def test_a_refutation_that_was_tampered_with_is_refused(refuted: dict[str, Any], change: Any, words: str) -> None:
    spoiled = copy.deepcopy(refuted)
    ground = spoiled["grounds"][1]
    assert ground["kind"] == "unsat"
    ground["proof"] = "\n".join(change(ground["proof"].splitlines())) + "\n"
    spoiled["digest"] = digest(spoiled)
    with pytest.raises(BadCertificate, match=words):
        check(spoiled)


@pytest.mark.long
def test_a_refutation_of_a_score_refutes_no_lower_one() -> None:
    state = quet.new("sequence-ascension", n=3, sequence="pi").state
    best = settled(state, Task()).value
    assert best is not None
    proof = sat.proof(formula(3, state.ranks, best + 1).clauses).splitlines()
    assert Refutation(claims.clauses(state, best + 1)).check(proof) > 0
    with pytest.raises(BadCertificate):
        Refutation(claims.clauses(state, best)).check(proof)


def test_three_pigeons_do_not_fit_into_two_holes() -> None:
    assert Refutation(PIGEONS).check(PROOF) == 4
    assert Refutation(PIGEONS).check(sat.proof(PIGEONS).splitlines()) > 0
    with pytest.raises(BadCertificate, match="Line 2"):
        Refutation([clause for clause in PIGEONS if clause != [-3, -5]]).check(["-1 0", "0"])


def test_what_is_possible_has_no_proof() -> None:
    with pytest.raises(BrokenRules):
        sat.proof(PIGEONS[:-1])
