"""Small number theory, and integers read from text the strict way."""

import re
from decimal import Decimal

MOST_DIGITS = 10_000  # of an integer that is read: conversion takes time that grows with the square of this
MOST_BITS = (10**MOST_DIGITS).bit_length() - 1  # an integer of so many bits has no more digits than that
_INTEGER = re.compile(rf"-?(0|[1-9][0-9]{{0,{MOST_DIGITS - 1}}})")


def read_integer(text: str) -> int | None:
    """The integer written in `text` in plain ASCII digits, or None: no `1_0`, `1e1`, `0x3`, `+1`, `01` or `-0`.

    It may have MOST_DIGITS digits. Decimal is exact and reads them all; `int(text)` gives up earlier.
    """
    if not _INTEGER.fullmatch(text) or text == "-0":
        return None
    return int(Decimal(text))


def integer_text(value: int) -> str:
    """The decimal digits of an integer of any size."""
    return str(value) if value.bit_length() < 13000 else f"{Decimal(value):f}"


def gcd(a: int, b: int) -> int:
    """The greatest common divisor of two integers that are not negative."""
    while b > 0:  # never negative; compiled code then divides without looking at signs
        a, b = b, a % b
    return a


def is_prime(k: int) -> bool:
    """Whether k is a prime, by trial division."""
    if k < 2:
        return False
    if k % 2 == 0:
        return k == 2
    d = 3
    while d * d <= k:
        if k % d == 0:
            return False
        d += 2
    return True


def num_divisors(k: int) -> int:
    """d(k), the number of divisors of k >= 1 (OEIS A000005)."""
    return sum(1 for d in range(1, k + 1) if k % d == 0)


def totient(k: int) -> int:
    """phi(k), how many of 1..k are coprime to k >= 1 (OEIS A000010)."""
    return sum(1 for d in range(1, k + 1) if gcd(d, k) == 1)


def primes(count: int) -> list[int]:
    """The first `count` primes."""
    found: list[int] = []
    k = 2
    while len(found) < count:
        if is_prime(k):
            found.append(k)
        k += 1
    return found


def pi_digits(count: int) -> list[int]:
    """The first `count` >= 1 decimal digits of pi, its 3 included (OEIS A000796); Machin's formula, 10 guard digits."""
    unit: int = 10 ** (count + 10)

    def arctan_of_one_over(x: int) -> int:
        power = unit // x
        total, k = power, 1
        while power:
            power //= -x * x
            k += 2
            total += power // k
        return total

    pi = 4 * (4 * arctan_of_one_over(5) - arctan_of_one_over(239))
    return [int(digit) for digit in str(pi)[:count]]
