"""Scores of many rows of squares at once, for the checker of certificates.

A square is one large integer with a bit for each row. So is each binary digit of a number that every row has.
"""

from collections.abc import Sequence


def alternating(number: int, num_bits: int) -> int:
    """2^num_bits bits; bit r is bit `number` of r. So runs of 2^number zeros and of as many ones take turns."""
    run = 1 << number
    bits, length = ((1 << run) - 1) << run, 2 * run
    while length < 1 << num_bits:
        bits |= bits << length
        length *= 2
    return bits


def half_scores(squares: Sequence[int], all_rows: int) -> tuple[list[int], list[int]]:
    """Half of what the palindromes and the antipalindromes of each row are worth, as binary digits, the lowest first.

    `all_rows` has the bit of each row. A palindrome is worth its length, which is even. So half of it is `half`, the
    number of squares on each side of its centre.
    """
    m = len(squares)
    palindromic, antipalindromic = ([0] * (m.bit_length() * 3) for _ in range(2))
    for centre in range(1, m):
        palindromes = antipalindromes = all_rows
        for half in range(1, min(centre, m - centre) + 1):
            differ = squares[centre - half] ^ squares[centre + half - 1]
            palindromes &= differ ^ all_rows
            antipalindromes &= differ
            add(palindromic, palindromes, half)
            add(antipalindromic, antipalindromes, half)
    return palindromic, antipalindromic


def add(total: list[int], rows: int, number: int) -> None:
    """Add a number to the total of these rows."""
    carry, place = 0, 0
    while number or carry:
        added = rows if number & 1 else 0
        old = total[place]
        total[place] = old ^ added ^ carry
        carry = old & added | carry & (old ^ added)
        number >>= 1
        place += 1


def difference(more: Sequence[int], less: Sequence[int]) -> tuple[list[int], int]:
    """The digits of more - less in each row, and the rows where that is below 0: there 2^digits is missing."""
    borrow, digits = 0, []
    for one, other in zip(more, less, strict=True):
        digits.append(one ^ other ^ borrow)
        borrow = ~one & (other | borrow) | other & borrow
    return digits, borrow
