"""What pairings of squares can hold in Palindromes/Antipalindromes, and what repeating patterns of pairs cost.

    python bench/pairings.py best 15
    python bench/pairings.py repeat 8 16

The first command tries all pairings of up to 15 squares. It prints the best value that the player who replies can hold
with one of them. The second command looks for a pattern of pairs that repeats along an endless row and keeps all
patterns short that the other player wants. For periods from 8 to 16 squares it prints the least gain per square of the
other player that it finds. By Lemma 1 of `docs/proofs.md` it suffices that the player who replies wants the
antipalindromes.
"""

import math
import sys
import time
from typing import Any

import numba
import numpy as np

_jit = numba.njit(cache=True)
DISTANCE = 9  # of the squares of a pair that repeats, at most
HALF = 8  # half the length up to which patterns are counted; the other player's shall all be shorter
NO_BOUND = 200.0  # what a centre about which the other player's patterns may be longer costs a period
STEPS, TRIES = 6000, 8  # of the search for each period
WARM_UP, ROUNDS = 6, 12  # periods before, and while, the gain is measured
VARIABLES = 16  # pairs that may be in use at once

Array = Any


@_jit
def worth(row: Array) -> int:
    """The lengths of the palindromes of a full row, minus those of its antipalindromes."""
    total = 0
    for centre in range(1, len(row)):
        differ = row[centre - 1] ^ row[centre]
        half = 1
        while half < centre and centre + half < len(row) and row[centre - 1 - half] ^ row[centre + half] == differ:
            half += 1
        total += half * (half + 1) if differ == 0 else -half * (half + 1)
    return total


@_jit
def _paired(number: int, free: int, ones: Array, others: Array) -> None:
    """Make the pairing with this number. `free` is the square that is in no pair, or -1."""
    size = 2 * len(ones) + (free >= 0)
    used = np.zeros(size, np.bool_)
    if free >= 0:
        used[free] = True
    one = 0
    for pair in range(len(ones)):
        choices = 2 * (len(ones) - pair) - 1
        skip, number = number % choices, number // choices
        while used[one]:
            one += 1
        used[one] = True
        other = one + 1
        while used[other] or skip > 0:
            skip -= not used[other]
            other += 1
        used[other] = True
        ones[pair], others[pair] = one, other


@_jit
def best(m: int) -> tuple[int, int]:
    """The value of the best row for the player who wants palindromes, under the pairings that make it least, and the
    number of these pairings.
    """
    num_pairs = m // 2
    ones, others, row = np.zeros(num_pairs, np.int64), np.zeros(num_pairs, np.int64), np.zeros(m, np.int64)
    num_pairings = 1
    for pair in range(num_pairs):
        num_pairings *= 2 * pair + 1
    least, found = 1 << 30, 0
    for free in range(m) if m % 2 else range(-1, 0):
        for number in range(num_pairings):
            _paired(number, free, ones, others)
            for rules in range(1 << num_pairs):
                most = -(1 << 30)
                for digits in range(1 << num_pairs):
                    for pair in range(num_pairs):
                        digit = digits >> pair & 1
                        row[ones[pair]], row[others[pair]] = digit, digit ^ (rules >> pair & 1)
                    most = max(most, worth(row))
                    if most > least:
                        break
                if most < least:
                    least, found = most, 0
                found += most == least
    return least, found


# A pattern that repeats: to[i] is how far right of square i the other one of its pair is, differ[i] the pair's rule.


@_jit
def _root(above: Array, parity: Array, square: int) -> tuple[int, int]:
    """The square that represents all whose digits follow from this one's, and whether its digit differs from this
    one's.
    """
    differ = 0
    while above[square] != square:
        differ ^= parity[square]
        square = above[square]
    return square, differ


@_jit
def is_bounded(to: Array, differ: Array, centre: int, most: int) -> bool:
    """Whether no palindrome about the centre can be longer than twice `most`."""
    reach = most + DISTANCE + 2
    above, parity = np.arange(2 * reach), np.zeros(2 * reach, np.int64)
    for square in range(2 * reach):
        place = (centre - reach + square) % len(to)
        other = square + to[place]
        if square < other < 2 * reach:
            above[other], parity[other] = square, differ[place]
    for half in range(1, most + 2):
        left, left_differs = _root(above, parity, reach - half)
        right, right_differs = _root(above, parity, reach + half - 1)
        if left == right and left_differs != right_differs:
            return True
        if left != right:
            above[right], parity[right] = left, left_differs ^ right_differs
    return False


@_jit
def gain(to: Array, differ: Array, most: int) -> float:
    """The most that the player who wants palindromes gains in a period, on average. Patterns count up to a length of
    twice `most`.
    """
    period, width = len(to), 2 * most
    first, number = np.zeros(period, np.int64), 0
    for last in range(period):  # the pairs in use when the window ends there are numbered from the left
        count = 0
        for opener in range(last - width - DISTANCE, last + 1):
            count += to[opener % period] > 0 and opener + to[opener % period] > last - width
        first[last], number = count, max(number, count)
    if number > VARIABLES:
        return 1e9
    gains = np.zeros((period, 1 << number), np.int32)
    dropped = np.full(period, -1)
    slots, rules = np.zeros(width, np.int64), np.zeros(width, np.int64)
    for last in range(period):
        count = 0
        for opener in range(last - width - DISTANCE, last + 1):
            place = opener % period
            closer = opener + to[place]
            if to[place] < 0 or closer <= last - width:
                continue
            for square in (opener, closer):
                if last - width < square <= last:
                    slots[last - square], rules[last - square] = count, differ[place] if square == closer else 0
            if closer == last - width + 1:
                dropped[last] = count
            count += 1
        for digits in range(1 << count):
            kind, half = -1, 0
            while half < most:
                left, right = most + half, most - 1 - half
                odd = (digits >> slots[left] ^ digits >> slots[right] ^ rules[left] ^ rules[right]) & 1
                if half > 0 and odd != kind:
                    break
                kind = odd
                half += 1
            gains[last, digits] = half * (half + 1) if kind == 0 else -half * (half + 1)
    values, after = np.zeros(1 << number, np.int64), np.zeros(1 << number, np.int64)
    before, count = 0, first[period - 1] - (dropped[period - 1] >= 0)
    for turn in range(WARM_UP + ROUNDS):
        for last in range(period):
            if to[last] > 0:
                values[1 << count : 2 << count] = values[: 1 << count]
                count += 1
            for digits in range(1 << count):
                values[digits] += gains[last, digits]
            if dropped[last] >= 0:
                low = (1 << dropped[last]) - 1
                count -= 1
                for digits in range(1 << count):
                    spread = (digits & ~low) << 1 | (digits & low)
                    after[digits] = max(values[spread], values[spread | low + 1])
                values, after = after, values
        if turn == WARM_UP - 1:
            before = values[: 1 << count].max()
    return (values[: 1 << count].max() - before) / ROUNDS


@_jit
def _changed(to: Array, differ: Array) -> tuple[Array, Array]:
    """The pattern with the rule of one pair changed, or with the squares of two pairs paired anew."""
    period = len(to)
    while True:
        to_after, differ_after = to.copy(), differ.copy()
        one = np.random.randint(period)
        other = one + to[one]
        if np.random.random() < 0.35:
            differ_after[one] ^= 1
            differ_after[other % period] = differ_after[one]
            return to_after, differ_after
        third = one + np.random.randint(-DISTANCE, DISTANCE + 1)
        fourth = third + to[third % period]
        if (third - one) % period == 0 or (third - other) % period == 0 or abs(other - fourth) > DISTANCE:
            continue
        for left, right in ((one, third), (other, fourth)):
            to_after[left % period], to_after[right % period] = right - left, left - right
            differ_after[left % period] = differ_after[right % period] = np.random.randint(2)
        return to_after, differ_after


@_jit
def repeated(period: int, seed: int) -> tuple[float, Array, Array]:
    """The gain per square of the other player in a pattern where it is small, and that pattern."""
    np.random.seed(seed)
    to, differ = np.ones(period, np.int64), np.ones(period, np.int64)
    to[1::2] = -1
    for _ in range(30):
        to, differ = _changed(to, differ)
    now, least, least_to, least_differ = 1e9, 1e9, to, differ
    for step in range(STEPS):
        heat = 3.0 * (1 - step / STEPS) + 1e-6
        to_after, differ_after = _changed(to, differ)
        cost = 0.0
        for centre in range(period):
            cost += 0.0 if is_bounded(to_after, differ_after, centre, HALF - 1) else NO_BOUND / period
        if cost > now + 8 * heat:
            continue
        cost += gain(to_after, differ_after, HALF) / period
        if cost <= now or np.random.random() < math.exp((now - cost) / heat):
            to, differ, now = to_after, differ_after, cost
            if cost < least:
                least, least_to, least_differ = cost, to, differ
    return least, least_to, least_differ


def main() -> None:
    """Print what the module says."""
    what, sizes = sys.argv[1], [int(size) for size in sys.argv[2:]]
    start = time.process_time()
    if what == "best":
        for m in range(2, sizes[0] + 1):
            value, number = best(m)
            words = f"{value} at most" if m % 2 == 0 else f"{-value} at least"
            print(f"m={m}: {words}, by {number} pairings ({time.process_time() - start:.0f} s of CPU)", flush=True)
    if what == "repeat":
        for period in range(sizes[0], sizes[1] + 1, 2):
            least, to, differ = min((repeated(period, seed) for seed in range(TRIES)), key=lambda found: found[0])
            signs = [f"{i + 1}{'=≠'[differ[i]]}{i + 1 + to[i]}" for i in range(period) if to[i] > 0]
            seconds = f"{time.process_time() - start:.0f} s of CPU"
            print(f"{period}: {least:.3f} a square, {' '.join(signs)} ({seconds})", flush=True)


if __name__ == "__main__":
    main()
