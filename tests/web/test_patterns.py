"""The sentences that code can say, found by reading it."""

from pathlib import Path
from textwrap import dedent

import pytest

from quet.web.locale.patterns import messages

ERRORS = """
    class QuetError(Exception): ...
    class BadThing(QuetError): ...
    class BrokenRules(QuetError): ...
"""


@pytest.fixture
def found(tmp_path: Path, request: pytest.FixtureRequest) -> list[str]:
    """The messages in the code that the test gives."""
    path = tmp_path / "code.py"
    path.write_text(dedent(ERRORS) + dedent(request.param), encoding="utf-8")
    return [message for _, _, message in messages([path])]


def code(text: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("found", [text], indirect=True, ids=["code"])


@code(
    """
    def check(square, s):
        number = s.numbers[square]
        raise BadThing(f"{square_text(square, s.n)} holds {s.numbers[square]}, and {number} is {100 * x}% too much.")
    """
)
def test_an_f_string_is_a_message_with_placeholders(found: list[str]) -> None:
    assert found == ["%(square)s holds %(numbers)s, and %(number)s is %(x)s%% too much."]


@code("""
    def check(n):
        raise BadThing(f"{n} square{'s' if n > 1 else ''} is 100% too much.")
        raise BadThing("It is 100% full.")
""")
def test_each_way_through_a_condition_is_a_message(found: list[str]) -> None:
    assert found == ["%(n)s square is 100%% too much.", "%(n)s squares is 100%% too much.", "It is 100% full."]


@code("""
    KINDS = ("a palindrome", "an antipalindrome")
    SIGNS = {1: "+", -1: "-"}

    def items(s):
        words = f"{s.digits} is {KINDS[s.player]} {SIGNS[s.sign]}"
        if s.is_taken:
            words += ", taken"
        return [Item(1, 2, words + (" twice" if s.twice else ""), ())]
""")
def test_names_constants_and_additions_are_followed(found: list[str]) -> None:
    ends = [f"{taken}{twice}" for taken in ("", ", taken") for twice in ("", " twice")]
    kinds = ["a palindrome", "an antipalindrome"]
    assert sorted(found) == sorted(f"%(digits)s is {kind} %(signs)s{end}" for kind in kinds for end in ends)


@code("""
    def scene(s):
        def words(square):
            return "filled" if s.cells[square] else _empty(s, square)
        notes = [*_notes(s), "The end."]
        return Scene(squares=squares(s.n, glyph, words), notes=tuple(notes), row_notes={1: f"{s.run} good"})

    def _empty(s, square) -> str:
        return "empty, " + _count(s.many, "neighbour")

    def _count(number, what) -> str:
        return f"{number} {what}" if number == 1 else f"{number} {what}s"

    def _notes(s):
        yield f"Players: {', '.join(f'player {p}' for p in s.players)}."
        yield f"Left: {' and '.join(s.left)}."
""")
def test_functions_of_the_module_are_followed(found: list[str]) -> None:
    assert set(found) == {
        "filled",
        "empty, %(many)s neighbour",
        "empty, %(many)s neighbours",
        "The end.",
        "%(run)s good",
        "Players: %(players)s.",
        "player %(p)s",
        "Left: %(left)s.",
        "%(first)s and %(second)s",
    }


@code("""
    def read(words, size):
        if size:
            raise BadThing(f"{words}, but it is {size}.")

    def paper(row):
        read(f"The row has {len(row)} squares", 3)
""")
def test_what_calls_give_to_a_sentence_is_a_message_too(found: list[str]) -> None:
    assert found == ["%(words)s, but it is %(size)s.", "The row has %(num_row)s squares"]


@code("""
    def broken_rule(s, move):
        away = f"{move} is away"
        if s.step:
            return f"{away}, by {s.step}."
        return ""

    def other(s):
        return "Nobody sees this."

    def trouble():
        raise BrokenRules("This is for programmers.")
        raise ValueError("So is this.")
""")
def test_only_what_readers_see_is_collected(found: list[str]) -> None:
    assert found == ["%(move)s is away, by %(step)s."]
