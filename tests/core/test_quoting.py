"""What people typed stands in sentences as they typed it, as far as it can be printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quet.core.errors import one_line, why
from quet.core.quoting import printable, shorten


@given(st.text(max_size=200), st.integers(4, 300))
def test_a_quoted_text_is_short_and_printable(text: str, longest: int) -> None:
    for shown, most in ((printable(text, longest), longest), (shorten(text, longest), longest + 2)):
        assert shown.isprintable() and len(shown) <= most
    assert one_line(text) == text or len(text) > 500 or not text.isprintable()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Größe 4", "'Größe 4'"),
        ("it's", "'it's'"),
        ("a\nb\x1b[0m", "'a\\nb\\x1b[0m'"),
        ("\u202eabc", "'\\u202eabc'"),  # which would turn the rest of the sentence around
        ("\udcff", "'\\udcff'"),  # a byte in the name of a file that is no character
        ("x" * 41, f"'{'x' * 37}...'"),
        ("\n" * 10**7, "'" + "\\n" * 18 + "\\...'"),
    ],
)
def test_only_what_cannot_be_printed_is_escaped(text: str, shown: str) -> None:
    assert shorten(text) == shown


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (FileNotFoundError(2, "No such file or directory", "/x"), "No such file or directory"),
        (
            ValueError("no host: [Errno -2] Name or service not known\n\tIs it up?"),
            "no host: Name or service not known",
        ),
        (OSError("It is busy."), "It is busy"),
    ],
)
def test_what_failed_is_told_without_numbers_and_further_lines(error: Exception, told: str) -> None:
    assert why(error) == told
