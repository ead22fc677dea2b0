"""Every sentence with which the rules of a game refuse a move, in a position in which exactly that rule is broken."""

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import Any

import pytest

import quet
from conftest import SMALL
from quet.core.errors import IllegalMove, UnreadableMove
from quet.core.rules import AnyRules

ONES = ",".join(9 * "1")

# game, parameters, moves, the move that is refused, the sentence
FORBIDDEN: list[tuple[str, dict[str, Any], str, str, str]] = [
    ("blob", {"n": 3}, "a1", "a1", "a1 is filled already."),
    ("blob", {"n": 3}, "a1", "b2", "b2 is not beside a filled square."),
    ("convoluted-coprimality", {"n": 4}, "b4", "a4", "a4 holds 1 already."),
    ("convoluted-coprimality", {"n": 4}, "", "a2", "a2 is not beside a4, where 1 stands."),
    ("convoluted-coprimality", {"n": 4}, "b4", "a3", "a3 is not beside b4, where 2 stands."),
    ("convoluted-coprimality", {"n": 4}, "a3", "b3", "b3 is off the border and beside no filled square but a3."),
    ("divisors-multiples", {"r": 6}, "6", "4", "4 is neither a divisor nor a multiple of 6."),
    ("divisors-multiples", {"r": 6}, "6!", "6!", "6 is taken already, so the turn can't stop there."),
    ("divisors-multiples", {"r": 4}, "1 1 1 1 1 1 2", "4", "A turn has at most 8 steps, so this one must stop."),
    (
        "divisors-multiples",
        {"r": 3},
        "3! 3 3 3 3",
        "3",
        "A turn has at most 6 steps, and the one after 3 could not stop: no divisor or multiple of 3 is left.",
    ),
    ("palindromes", {"m": 3}, "2=0", "2=1", "Square 2 holds a 0 already."),
    ("palindromes", {"m": 3}, "2=1", "2=1", "Square 2 holds a 1 already."),
    ("palindromes", {"m": 3}, "3=0", "3=0", "Square 3 holds a 0 already."),
    ("plusses-minuses", {"n": 3}, "+ - + -", "+", "Both prediction lists are full; fill a square."),
    (
        "plusses-minuses",
        {"n": 3},
        "+ - +",
        "a1",
        "a1 can't be filled before both prediction lists have 2 symbols.",
    ),
    ("plusses-minuses", {"n": 2}, "+", "a1", "a1 can't be filled before both prediction lists have 1 symbol."),
    ("plusses-minuses", {"n": 3}, "+ - + - a1", "a1", "a1 is filled already."),
    ("plusses-minuses", {"n": 3}, "+ - + - a1", "b1", "b1 is in row 1, which has a filled square already."),
    ("plusses-minuses", {"n": 3}, "+ - + - c1", "c1", "c1 is filled already."),
    ("plusses-minuses", {"n": 3}, "+ - + - a1", "a2", "a2 is in column a, which has a filled square already."),
    ("sequence-ascension", {"n": 3}, "a1 b2", "a1", "a1 holds a(1) already."),
    ("sequence-ascension", {"n": 3}, "a1 b2 c1", "b2", "b2 holds a(2) already."),
    ("sequence-ascension", {"n": 3}, "a1", "a3", "a3 doesn't touch a1, where a(1) stands."),
    ("sequence-ascension", {"n": 3}, "a1 b2 c3", "a1", "a1 holds a(1) already."),
    ("sequence-ascension", {"n": 3}, "a1 b1 c2", "a2", "a2 doesn't touch c2, where a(3) stands."),
    ("sequence-ascension", {"n": 3}, "b1 a2 b2 a1", "c3", "c3 is empty, and the path goes over filled squares."),
    ("sequence-ascension", {"n": 3}, "b1 a2 b2 a1 b1", "c1", "c1 is empty, and the path goes over filled squares."),
    (
        "sequence-ascension",
        {"n": 3, "sequence": ONES},
        "b1 a2 b2 a1 b1 a1",
        "b1",
        "b1 is on the path already.",
    ),
    (
        "sequence-ascension",
        {"n": 3, "sequence": ONES},
        "a1 b1 c1 c2 b2 a2 a3 b3 c3 a1",
        "c2",
        "c2 doesn't touch a1, where the path has come to.",
    ),
    (
        "sequence-ascension",
        {"n": 3, "sequence": "naturals"},
        "b1 a2 b2 a1 b2",
        "a2",
        "The number in a2 is smaller than the one in b2, and the path never descends.",
    ),
    ("sums-grid", {"n": 2}, "", "done", "The grid isn't full: 4 still to fill."),
    ("sums-grid", {"n": 2}, "a1=1 b1=2 a2=3", "done", "The grid isn't full: 1 still to fill."),
    ("sums-grid", {"n": 2}, "a1=1", "a1=1", "a1 holds 1 already."),
    ("sums-grid", {"n": 2}, "a1=1", "b1=", "b1 is empty already."),
    ("sums-grid", {"n": 2}, "a1=1 b1=7", "a2=7", "7 stands in b1 already, and the numbers must be distinct."),
    ("up-and-up", {"n": 4}, "d4 d3 d1", "d4", "d4 holds 1 already."),
    ("up-and-up", {"n": 4}, "c2 c1 c3", "c2", "c2 holds 1 already."),
    (
        "up-and-up",
        {"n": 4},
        "c3 c2",
        "d1",
        "d1 is in neither the row nor the column of c2, where 2 stands.",
    ),
    ("up-and-up", {"n": 4}, "a2", "d2", "d2 is 3 squares from a2, but the step is 1."),
    ("up-and-up", {"n": 4}, "c3 c2", "c1", "c1 is 1 square from c2, but the step is 2."),
    ("up-and-up", {"n": 4}, "c3 c2", "b2", "b2 is 1 square from c2, but the step is 2."),
    (
        "up-and-up",
        {"n": 4},
        "c2 c1 c3",
        "a3",
        "a3 is 2 squares from c3, but the step is 1: no empty square lies 3 from c3.",
    ),
    (
        "up-and-up",
        {"n": 3},
        "a2 a1 a3",
        "c3",
        "c3 is 2 squares from a3, but the step is 1: no empty square lies 3 from a3.",
    ),
]

# game, parameters, the text that is no move, the sentence
UNREADABLE: list[tuple[str, dict[str, Any], str, str]] = [
    ("divisors-multiples", {"r": 6}, "1?", "'1?' is not a move; write 12 to step to 12 and go on, 12! to stop there."),
    ("divisors-multiples", {"r": 6}, "7", "7 is too large; the numbers are 1 to 6."),
    ("palindromes", {"m": 4}, "1", "'1' is not a move; write a square and a digit, as in 5=0."),
    ("palindromes", {"m": 4}, "5=0", "There is no square 5; the squares are 1 to 4."),
    (
        "plusses-minuses",
        {"n": 3},
        "d1",
        "d1 is off the grid; the squares are a1 to c3. In the first part of the game a move is + or -.",
    ),
    ("sums-grid", {"n": 2}, "1", "'1' is not a move; write b2=15 to write, b2= to erase, done to finish."),
    ("sums-grid", {"n": 2}, "a1=1000000001", "1000000001 is too large; numbers go up to 1000000000."),
    ("sums-grid", {"n": 2}, "a1=0", "Numbers begin at 1; a1= erases."),
]


@pytest.mark.parametrize(("id", "parameters", "moves", "move", "sentence"), FORBIDDEN)
def test_a_forbidden_move_is_refused_by_the_rule_it_breaks(
    id: str, parameters: dict[str, Any], moves: str, move: str, sentence: str
) -> None:
    game = quet.new(id, **parameters)
    for played in moves.split():
        game.play(played)
    with pytest.raises(IllegalMove) as refused:
        game.play(move)
    assert str(refused.value) == sentence
    assert game.moves == moves.split()


@pytest.mark.parametrize(("id", "parameters", "text", "sentence"), UNREADABLE)
def test_a_text_that_is_no_move_is_refused_with_what_a_move_is(
    id: str, parameters: dict[str, Any], text: str, sentence: str
) -> None:
    game = quet.new(id, **parameters)
    with pytest.raises(UnreadableMove) as refused:
        game.play(text)
    assert str(refused.value) == sentence


def statements(rules: AnyRules) -> Iterator[tuple[int, int]]:
    """The first and last line of each statement of the rules that can refuse a move."""
    assert isinstance(rules, ModuleType)
    for node in ast.parse(inspect.getsource(rules)).body:
        if isinstance(node, ast.FunctionDef) and node.name in ("broken_rule", "read_move"):
            for inner in ast.walk(node):
                is_sentence = isinstance(inner, ast.Raise) or (
                    isinstance(inner, ast.Return)
                    and node.name == "broken_rule"
                    and not (isinstance(inner.value, ast.Constant) and inner.value.value == "")
                )
                if is_sentence and isinstance(inner, ast.stmt):
                    yield inner.lineno, inner.end_lineno or inner.lineno


@contextmanager
def refusing_lines(rules: AnyRules, found: set[int]) -> Iterator[None]:
    """Adds the lines of the rules at which moves are refused."""
    file = rules.__dict__["__file__"]

    def follow(frame: FrameType, event: str, value: Any) -> Any:
        if frame.f_code.co_filename != file or frame.f_code.co_name not in ("broken_rule", "read_move"):
            return None
        if event == "exception" or (event == "return" and isinstance(value, object) and str(value or "")[-1:] == "."):
            found.add(frame.f_lineno)
        return follow

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        yield
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("id", sorted(SMALL))
def test_every_sentence_of_the_rules_is_in_the_tables(id: str) -> None:
    rules = importlib.import_module(f"quet.games.{id.replace('-', '_')}.rules")
    found: set[int] = set()
    tried = [(parameters, moves, move) for name, parameters, moves, move, _ in FORBIDDEN if name == id]
    tried += [(parameters, "", text) for name, parameters, text, _ in UNREADABLE if name == id]
    for parameters, moves, move in tried:
        game = quet.new(id, **parameters)
        for played in moves.split():
            game.play(played)
        with refusing_lines(rules, found), pytest.raises(quet.QuetError):
            game.play(move)
    missing = [first for first, last in statements(rules) if not found & set(range(first, last + 1))]
    assert missing == [], "Lines of rules.py that refuse moves, and no line of the tables above tries them."
