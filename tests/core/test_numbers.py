"""Integers are read the strict way, and the sequences begin as the OEIS has them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quet.core import numbers


@given(st.integers())
def test_an_integer_of_any_size_round_trips(value: int) -> None:
    assert numbers.read_integer(numbers.integer_text(value)) == value


def test_an_integer_of_ten_thousand_digits_round_trips() -> None:
    text = "-" + "7" * 10_000
    value = numbers.read_integer(text)
    assert value is not None
    assert numbers.integer_text(value) == text


def test_a_number_too_long_to_convert_in_time_is_no_integer() -> None:
    assert numbers.read_integer("1" + "0" * numbers.MOST_DIGITS) is None


@pytest.mark.parametrize("text", ["", "-", "+1", "01", "-0", "1_0", "1e1", "0x3", " 1", "1 ", "1\n", "٣", "½", "1.0"])
def test_whatever_is_not_plain_ascii_digits_is_no_integer(text: str) -> None:
    assert numbers.read_integer(text) is None


def test_the_sequences_begin_as_in_the_oeis() -> None:
    assert [numbers.num_divisors(k) for k in range(1, 17)] == [
        1,
        2,
        2,
        3,
        2,
        4,
        2,
        4,
        3,
        4,
        2,
        6,
        2,
        4,
        4,
        5,
    ]  # A000005
    assert [numbers.totient(k) for k in range(1, 13)] == [1, 1, 2, 2, 4, 2, 6, 4, 6, 4, 10, 4]  # A000010
    assert numbers.primes(8) == [2, 3, 5, 7, 11, 13, 17, 19]  # A000040
    assert numbers.pi_digits(12) == [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]  # A000796


def test_digits_of_pi_do_not_depend_on_how_many_are_asked_for() -> None:
    assert all(numbers.pi_digits(k) == numbers.pi_digits(400)[:k] for k in range(1, 400, 13))


@given(st.integers(0, 400), st.integers(1, 400))
def test_gcd_divides_both_and_is_the_largest(a: int, b: int) -> None:
    g = numbers.gcd(a, b)
    assert a % g == b % g == 0
    assert all(a % d or b % d for d in range(g + 1, b + 1))


def test_primes_are_the_numbers_with_two_divisors() -> None:
    assert all(numbers.is_prime(k) == (k > 0 and numbers.num_divisors(k) == 2) for k in range(500))
