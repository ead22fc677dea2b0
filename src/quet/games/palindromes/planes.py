"""Scores of many rows of squares at once, for the checker of certificates.

A square is one large integer with a bit for each row. So is each binary digit of a number that every row has.
"""

from collections.abc import Sequence

Total = list[
    list[int]
]  # for each place up to two integers that are to be added, the lowest place first: so few are carried


def alternating(number: int, num_bits: int) -> int:
    """2^num_bits bits; bit r is bit `number` of r. So runs of 2^number zeros and of as many ones take turns."""
    run = 1 << number
    bits, length = ((1 << run) - 1) << run, 2 * run
    while length < 1 << num_bits:
        bits |= bits << length
        length *= 2
    return bits


def half_scores(squares: Sequence[int], all_rows: int) -> tuple[Total, Total]:
    """Half of what the palindromes and the antipalindromes of each row are worth.

    `all_rows` has the bit of each row. A palindrome is worth its length, which is even. So half of it is `half`, the
    number of squares on each side of its centre.
    """
    m = len(squares)
    palindromic: Total = [[] for _ in range(m.bit_length() * 3)]
    antipalindromic: Total = [[] for _ in palindromic]
    for centre in range(1, m):
        palindromes = antipalindromes = all_rows
        for half in range(1, min(centre, m - centre) + 1):
            differ = squares[centre - half] ^ squares[centre + half - 1]
            palindromes &= differ ^ all_rows
            antipalindromes &= differ
            if not palindromes and not antipalindromes:
                break  # in no row is there a longer pattern about this centre
            add(palindromic, palindromes, half)
            add(antipalindromic, antipalindromes, half)
    return palindromic, antipalindromic


def add(total: Total, rows: int, number: int) -> None:
    """Add a number to the total of these rows."""
    place = 0
    while number:
        if number & 1:
            _put(total, place, rows)
        number >>= 1
        place += 1


def _put(total: Total, place: int, rows: int) -> None:
    """Add 2^place to the total of these rows."""
    while rows:
        found = total[place]
        found.append(rows)
        if len(found) < 3:
            return
        one, two, three = found
        differ = one ^ two
        total[place] = [differ ^ three]
        rows = one & two | differ & three
        place += 1


def _digits(total: Total) -> list[int]:
    """The binary digits of a total, the lowest first."""
    for place, found in enumerate(total):
        if len(found) == 2:
            one, two = found
            total[place] = [one ^ two]
            _put(total, place + 1, one & two)
    return [found[0] if found else 0 for found in total]


def difference(more: Total, less: Total) -> tuple[list[int], int]:
    """The digits of more - less in each row, and the rows where that is below 0: there 2^digits is missing."""
    borrow, digits = 0, []
    for one, other in zip(_digits(more), _digits(less), strict=True):
        digits.append(one ^ other ^ borrow)
        borrow = ~one & (other | borrow) | other & borrow
    return digits, borrow
