"""A second referee for the eight games, written only to be compared with the real one.

It was written from the rules page, the protocol page and the author's own words, without a look at
the program's rules code, and in the most obvious way: a game is its parameters and its list of
moves, and every question is answered by going through that list again. Nothing else is kept.

Squares are (column, row) pairs counted from 1, the row from the bottom, so that a1 is (1, 1).

Run as a program it prints, for small sizes, how many move sequences there are of each length.
"""

from __future__ import annotations

import copy
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import gcd
from typing import ClassVar

Square = tuple[int, int]
Ranges = dict[str, tuple[int, int, int]]

LETTERS = "abcdefghijklmnopqrst"
LARGEST_WRITTEN = 10**9


# Squares.


def square_name(square: Square) -> str:
    """Return the name of a square: `c3` for (3, 3)."""
    column, row = square
    return f"{LETTERS[column - 1]}{row}"


def square_at(name: str) -> Square:
    """Return the square of a name: (3, 3) for `c3`."""
    return LETTERS.index(name[0]) + 1, int(name[1:])


def names(squares: Collection[Square]) -> list[str]:
    """Return the names of some squares."""
    return [square_name(square) for square in squares]


def all_squares(n: int) -> list[Square]:
    """Return the squares of a grid of n by n."""
    return [(column, row) for row in range(1, n + 1) for column in range(1, n + 1)]


@cache
def at_distance(square: Square, k: int, n: int) -> Sequence[Square]:
    """Return the squares on the grid that lie exactly k away in the same row or column."""
    column, row = square
    four = [(column, row + k), (column, row - k), (column - k, row), (column + k, row)]
    return [other for other in four if other in all_squares(n)]


def beside(square: Square, n: int) -> Sequence[Square]:
    """Return the squares on the grid above, below, left and right of a square."""
    return at_distance(square, 1, n)


@cache
def touching(square: Square, n: int) -> Sequence[Square]:
    """Return the squares on the grid that are beside a square or diagonal to it."""
    column, row = square
    return [
        (other_column, other_row)
        for other_column, other_row in all_squares(n)
        if max(abs(other_column - column), abs(other_row - row)) == 1
    ]


# Numbers.


@cache
def divisors(number: int) -> Sequence[int]:
    """Return the divisors of a positive number, 1 and itself among them."""
    return [candidate for candidate in range(1, number + 1) if number % candidate == 0]


def is_prime(number: int) -> bool:
    """Return whether a positive number has exactly two divisors."""
    return len(divisors(number)) == 2


def pi_digits(count: int) -> list[int]:
    """Return the first `count` decimal digits of pi, beginning with its 3.

    Machin's formula gives them: pi is 16 arctan 1/5 - 4 arctan 1/239.
    """
    unit = 10 ** (count + 20)

    def arctan_of_inverse(x: int) -> int:
        """Return `unit` times the arctangent of 1/x, from its power series."""
        total, power, sign = 0, 1, 1
        while unit // x**power:
            total += sign * (unit // (power * x**power))
            power += 2
            sign = -sign
        return total

    digits = str(16 * arctan_of_inverse(5) - 4 * arctan_of_inverse(239))
    return [int(digit) for digit in digits[:count]]


def named_sequence(name: str, count: int) -> list[int]:
    """Return the first `count` terms of a named sequence, the first term being that of k = 1."""
    indices = range(1, count + 1)
    if name == "divisors":
        return [len(divisors(k)) for k in indices]
    if name == "naturals":
        return list(indices)
    if name == "totient":
        return [sum(1 for i in range(1, k + 1) if gcd(i, k) == 1) for k in indices]
    if name == "primes":
        primes: list[int] = []
        candidate = 2
        while len(primes) < count:
            if is_prime(candidate):
                primes.append(candidate)
            candidate += 1
        return primes
    if name == "pi":
        return pi_digits(count)
    if name == "mod3":
        return [k % 3 for k in indices]
    raise ValueError(f"there is no sequence named {name}")


# The scoring of a finished or unfinished grid, row or pair of lists.


def plusses_minuses_scores(n: int, lists: Sequence[str], filled: Collection[Square]) -> list[int]:
    """Return both players' scores from their prediction lists and the filled squares so far."""
    heights = dict(filled)
    columns = {row: column for column, row in filled}
    scores = []
    for predicted, values in zip(lists, (heights, columns), strict=True):
        score = 0
        for k in range(1, n):
            if k in values and k + 1 in values:
                truth = "+" if values[k + 1] > values[k] else "-"
                if predicted[k - 1] == truth:
                    score += 1
        scores.append(score)
    return scores


def palindromes_scores(row: Sequence[str]) -> list[int]:
    """Return both players' scores for a row of `0`, `1` and, where it is empty, `.`."""
    palindromes = antipalindromes = 0
    for start, end in combinations(range(len(row) + 1), 2):
        piece = row[start:end]
        if len(piece) % 2 == 0 and "." not in piece:
            pairs = list(zip(piece, reversed(piece), strict=True))
            if all(digit == mirrored for digit, mirrored in pairs):
                palindromes += len(piece)
            if all(digit != mirrored for digit, mirrored in pairs):
                antipalindromes += len(piece)
    return [palindromes, antipalindromes]


def lines(n: int) -> tuple[list[list[Square]], list[list[Square]]]:
    """Return the rows of a grid of n by n, from the bottom, and its columns, from the left."""
    rows = [[(column, row) for column in range(1, n + 1)] for row in range(1, n + 1)]
    columns = [[(column, row) for row in range(1, n + 1)] for column in range(1, n + 1)]
    return rows, columns


def sums_score(n: int, numbers: Mapping[Square, int]) -> int:
    """Return the largest m such that each of 1..m is the sum of a run without an empty square."""
    sums = set()
    rows, columns = lines(n)
    for line in rows + columns:
        for start, end in combinations(range(n + 1), 2):
            run = line[start:end]
            if all(square in numbers for square in run):
                sums.add(sum(numbers[square] for square in run))
    m = 0
    while m + 1 in sums:
        m += 1
    return m


def run_lengths(line: Sequence[bool]) -> list[int]:
    """Return the lengths of the runs of equal entries in a line, in order."""
    lengths: list[int] = []
    for index, entry in enumerate(line):
        if index > 0 and line[index - 1] == entry:
            lengths[-1] += 1
        else:
            lengths.append(1)
    return lengths


def is_good(line: Sequence[bool]) -> bool:
    """Return whether of every two run lengths of a line one divides the other."""
    return all(a % b == 0 or b % a == 0 for a, b in combinations(run_lengths(line), 2))


def blob_scores(n: int, filled: Collection[Square]) -> list[int]:
    """Return how many rows are good and how many columns are good."""
    return [sum(1 for line in some_lines if is_good([square in filled for square in line])) for some_lines in lines(n)]


# The games.


class Game(ABC):
    """A game in some position: its parameters and the moves made so far."""

    ranges: ClassVar[Ranges]
    """The lowest, highest and default value of each parameter that is a number."""

    def __init__(self, values: Mapping[str, int]) -> None:
        """Begin a game with some of its parameters given; the others have their defaults."""
        self.moves: list[str] = []
        self.values: dict[str, int] = {}
        for name, (lowest, highest, default) in self.ranges.items():
            value = values.get(name, default)
            if not lowest <= value <= highest:
                raise ValueError(f"{name} must be {lowest} to {highest}, not {value}")
            self.values[name] = value
        for name in values:
            if name not in self.ranges:
                raise ValueError(f"this game has no parameter {name}")

    @abstractmethod
    def legal(self) -> list[str]:
        """Return the legal moves as texts, each once; none when the game is over."""

    @abstractmethod
    def scores(self) -> list[int]:
        """Return the score of each player as it stands."""

    @abstractmethod
    def turn(self) -> int:
        """Return the player to move, in a game that is not over."""

    def is_legal(self, text: str) -> bool:
        """Return whether a text is a legal move now."""
        return text in self.legal()

    def play(self, text: str) -> None:
        """Make a move; a text that is no legal move raises ValueError and changes nothing."""
        if not self.is_legal(text):
            raise ValueError(f"{text} is not a legal move")
        self.moves.append(text)

    def over(self) -> bool:
        """Return whether the game is over."""
        return self.legal() == []

    def mover(self) -> int | None:
        """Return the player to move, or None when the game is over."""
        return None if self.over() else self.turn()

    def winners(self) -> list[int]:
        """Return who has the best score, all who share it; nobody while the game is on."""
        if not self.over():
            return []
        scores = self.scores()
        best = self.best(scores)
        return [player for player, score in enumerate(scores, start=1) if score == best]

    def best(self, scores: Sequence[int]) -> int:
        """Return the score that wins."""
        return max(scores)

    def copy(self) -> Game:
        """Return another game of the same parameters and moves."""
        twin = copy.copy(self)
        twin.moves = list(self.moves)
        return twin


class Solitaire(Game):
    """A game of one player."""

    def turn(self) -> int:
        """Return 1."""
        return 1


class SequenceAscension(Solitaire):
    """Place the terms of a sequence, each touching the last; then walk on them, never down."""

    ranges: ClassVar[Ranges] = {"n": (2, 20, 5)}

    def __init__(self, values: Mapping[str, int], sequence: str | Sequence[int]) -> None:
        """Begin a game with a named sequence or with the terms themselves."""
        super().__init__(values)
        squares = self.values["n"] ** 2
        if isinstance(sequence, str):
            self.terms = named_sequence(sequence, squares)
        else:
            self.terms = list(sequence)
        if len(self.terms) < squares:
            raise ValueError(f"{squares} terms are needed, not {len(self.terms)}")

    def placeable(self, placed: Sequence[Square]) -> list[Square]:
        """Return where the next term can go when these squares were filled in this order."""
        n = self.values["n"]
        if not placed:
            return all_squares(n)
        return [square for square in touching(placed[-1], n) if square not in placed]

    def parts(self) -> tuple[list[Square], list[Square]]:
        """Return the squares filled in the first part and those visited in the second, in order."""
        placed: list[Square] = []
        path: list[Square] = []
        for text in self.moves:
            if self.placeable(placed):
                placed.append(square_at(text))
            else:
                path.append(square_at(text))
        return placed, path

    def legal(self) -> list[str]:
        """Return the squares for the next term, or for the start of the path or its next step."""
        placed, path = self.parts()
        if self.placeable(placed):
            return names(self.placeable(placed))
        if not path:
            return names(placed)
        numbers = dict(zip(placed, self.terms, strict=False))
        return [
            square_name(square)
            for square in touching(path[-1], self.values["n"])
            if square in numbers and square not in path and numbers[square] >= numbers[path[-1]]
        ]

    def scores(self) -> list[int]:
        """Return the number of squares on the path."""
        _, path = self.parts()
        return [len(path)]


class PlussesMinuses(Game):
    """Predict the ups and downs of a permutation, then make it together."""

    ranges: ClassVar[Ranges] = {
        "n": (2, 20, 8),
        "second_part_first": (1, 2, 1),
    }

    def predictions(self) -> list[str]:
        """Return the moves of the first part."""
        return self.moves[: 2 * (self.values["n"] - 1)]

    def filled(self) -> list[Square]:
        """Return the squares filled in the second part."""
        return [square_at(text) for text in self.moves[2 * (self.values["n"] - 1) :]]

    def legal(self) -> list[str]:
        """Return both symbols in the first part, the squares that share no line in the second."""
        n = self.values["n"]
        if len(self.predictions()) < 2 * (n - 1):
            return ["+", "-"]
        filled = self.filled()
        used_columns = {column for column, _ in filled}
        used_rows = {row for _, row in filled}
        return [
            square_name((column, row))
            for column, row in all_squares(n)
            if column not in used_columns and row not in used_rows
        ]

    def turn(self) -> int:
        """Return the player to move: 1, 2, 1, ... in each part, but 2 may begin the second."""
        if len(self.predictions()) < 2 * (self.values["n"] - 1):
            return [1, 2][len(self.predictions()) % 2]
        order = [1, 2] if self.values["second_part_first"] == 1 else [2, 1]
        return order[len(self.filled()) % 2]

    def scores(self) -> list[int]:
        """Return how many predicted signs are known to be true, for each player."""
        predictions = self.predictions()
        first, second = "".join(predictions[0::2]), "".join(predictions[1::2])
        return plusses_minuses_scores(self.values["n"], [first, second], self.filled())


class UpAndUp(Solitaire):
    """Write 1, 2, 3, ... with steps of 1, 2, 3, ... squares."""

    ranges: ClassVar[Ranges] = {"n": (1, 20, 8)}

    def legal(self) -> list[str]:
        """Return the empty squares at the length due, or else those beside the last number."""
        n = self.values["n"]
        filled = [square_at(text) for text in self.moves]
        if not filled:
            return names(all_squares(n))
        if len(filled) == 1:
            k = 1
        else:
            (column_before, row_before), (column, row) = filled[-2:]
            k = abs(column - column_before) + abs(row - row_before) + 1
        due = [square for square in at_distance(filled[-1], k, n) if square not in filled]
        if not due:
            due = [square for square in beside(filled[-1], n) if square not in filled]
        return names(due)

    def scores(self) -> list[int]:
        """Return the last number written."""
        return [len(self.moves)]


@dataclass
class Coprimality:
    """A position of Convoluted Coprimality."""

    numbers: dict[Square, int]
    last: Square
    left: list[int]
    mover: int
    grid: int
    over: bool


class ConvolutedCoprimality(Game):
    """Write 1, 2, 3, ... each beside the last, and beside nothing that shares a factor."""

    ranges: ClassVar[Ranges] = {
        "n": (2, 20, 12),
        "players": (2, 8, 2),
        "grids": (1, 1000, 10),
    }

    def possible(self, numbers: Mapping[Square, int], last: Square) -> list[Square]:
        """Return the squares that can take the next number, the last one being in `last`."""
        n = self.values["n"]
        squares = []
        for square in beside(last, n):
            on_border = 1 in square or n in square
            neighbours = [other for other in beside(square, n) if other in numbers]
            if square not in numbers and (on_border or len(neighbours) >= 2):
                squares.append(square)
        return squares

    def position(self) -> Coprimality:
        """Return the position after all the moves."""
        n, players = self.values["n"], self.values["players"]
        corner = (1, n)
        now = Coprimality({corner: 1}, corner, list(range(1, players + 1)), 1, 1, over=False)
        for text in self.moves:
            number = now.numbers[now.last] + 1
            now.last = square_at(text)
            near = [now.numbers[other] for other in beside(now.last, n) if other in now.numbers]
            now.numbers[now.last] = number
            after_mover = [*range(now.mover + 1, players + 1), *range(1, now.mover)]
            following = next(player for player in after_mover if player in now.left)
            eliminated = any(gcd(number, other) > 1 for other in near)
            if eliminated:
                now.left.remove(now.mover)
            if len(now.left) == 1:
                now.over = True
                return now
            if eliminated or is_prime(number):
                now.mover = following
            if not self.possible(now.numbers, now.last):
                if now.grid == self.values["grids"]:
                    now.over = True
                    return now
                now.grid += 1
                now.numbers, now.last = {corner: 1}, corner
                now.mover = min(now.left)
        return now

    def legal(self) -> list[str]:
        """Return the squares that can take the next number, those that eliminate among them."""
        now = self.position()
        return [] if now.over else names(self.possible(now.numbers, now.last))

    def turn(self) -> int:
        """Return the player who writes the next number."""
        return self.position().mover

    def scores(self) -> list[int]:
        """Return 1 for each player left and 0 for each one eliminated."""
        left = self.position().left
        return [1 if player in left else 0 for player in range(1, self.values["players"] + 1)]


class Palindromes(Game):
    """Fill a row with 0 and 1; one counts its palindromes, the other its antipalindromes."""

    ranges: ClassVar[Ranges] = {"m": (1, 64, 16)}

    def row(self) -> list[str]:
        """Return the row from the left, with `.` for an empty square."""
        row = ["."] * self.values["m"]
        for text in self.moves:
            place, digit = text.split("=")
            row[int(place) - 1] = digit
        return row

    def legal(self) -> list[str]:
        """Return both digits for every empty square."""
        return [f"{place}={digit}" for place, entry in enumerate(self.row(), start=1) if entry == "." for digit in "01"]

    def turn(self) -> int:
        """Return 1, 2, 1, ..."""
        return [1, 2][len(self.moves) % 2]

    def scores(self) -> list[int]:
        """Return the summed lengths of the palindromes and of the antipalindromes."""
        return palindromes_scores(self.row())


@dataclass
class Stepping:
    """A position of the Divisors/Multiples Sequence Game."""

    current: int
    taken: set[int]
    mover: int
    steps: int
    costs: list[int]


class DivisorsMultiples(Game):
    """Step between divisors and multiples, and pay the quotients."""

    ranges: ClassVar[Ranges] = {"r": (2, 1000, 17), "players": (2, 8, 2)}

    def related(self, x: int) -> list[int]:
        """Return the divisors and the multiples of x from 1 to r, x among them."""
        return [y for y in range(1, self.values["r"] + 1) if x % y == 0 or y % x == 0]

    def position(self) -> Stepping:
        """Return the position after all the moves; `steps` are those of the turn being made."""
        players = self.values["players"]
        now = Stepping(1, {1}, 1, 0, [0] * players)
        for text in self.moves:
            x, y = now.current, int(text.rstrip("!"))
            quotient = max(x, y) // min(x, y)
            now.costs[now.mover - 1] += 2 * quotient if y in now.taken else quotient
            now.current = y
            now.steps += 1
            if text.endswith("!"):
                now.taken.add(y)
                now.steps = 0
                now.mover = now.mover % players + 1
        return now

    def can_stop(self, x: int, taken: Collection[int], steps: int) -> bool:
        """Return whether a number that is not taken can be reached from x in 1 to `steps` steps."""
        reached = {x}
        for _ in range(steps):
            reached = {z for y in reached for z in self.related(y)}
            if any(y not in taken for y in reached):
                return True
        return False

    def legal(self) -> list[str]:
        """Return the steps, `!` after one that stops."""
        now = self.position()
        r = self.values["r"]
        if len(now.taken) == r:
            return []
        steps_after = 2 * r - (now.steps + 1)
        texts = []
        for y in self.related(now.current):
            if self.can_stop(y, now.taken, steps_after):
                texts.append(f"{y}")
            if y not in now.taken:
                texts.append(f"{y}!")
        return texts

    def turn(self) -> int:
        """Return the player who steps next."""
        return self.position().mover

    def scores(self) -> list[int]:
        """Return what each player has paid."""
        return self.position().costs

    def best(self, scores: Sequence[int]) -> int:
        """Return the lowest cost."""
        return min(scores)


class SumsGrid(Solitaire):
    """Write distinct numbers so that 1, 2, 3, ... all occur as sums."""

    ranges: ClassVar[Ranges] = {"n": (1, 10, 3)}

    def numbers(self) -> dict[Square, int]:
        """Return the numbers that stand in the grid."""
        numbers: dict[Square, int] = {}
        for text in self.moves:
            if text != "done":
                name, number = text.split("=")
                if number == "":
                    del numbers[square_at(name)]
                else:
                    numbers[square_at(name)] = int(number)
        return numbers

    def legal(self) -> list[str]:
        """Return the writings of numbers up to n cubed, the erasures, and `done` in a full grid."""
        if "done" in self.moves:
            return []
        n = self.values["n"]
        numbers = self.numbers()
        texts = []
        for square in all_squares(n):
            name = square_name(square)
            possible = [k for k in range(1, n**3 + 1) if k not in numbers.values()]
            texts += [f"{name}={number}" for number in possible]
            if square in numbers:
                texts.append(f"{name}=")
        if len(numbers) == n**2:
            texts.append("done")
        return texts

    def is_legal(self, text: str) -> bool:
        """Return whether a text is a legal move now, also for a number above n cubed."""
        match = re.fullmatch("([a-z][0-9]+)=([1-9][0-9]{0,9})", text)
        if match is None or int(match[2]) <= self.values["n"] ** 3:
            return text in self.legal()
        number = int(match[2])
        return (
            "done" not in self.moves
            and match[1] in names(all_squares(self.values["n"]))
            and number <= LARGEST_WRITTEN
            and number not in self.numbers().values()
        )

    def scores(self) -> list[int]:
        """Return the largest m such that each of 1..m occurs as a sum."""
        return [sums_score(self.values["n"], self.numbers())]


class Blob(Game):
    """Grow one blob; one player counts its good rows, the other its good columns."""

    ranges: ClassVar[Ranges] = {"n": (2, 20, 8)}

    def legal(self) -> list[str]:
        """Return every square for the first move, later the empty ones beside a filled one."""
        n = self.values["n"]
        filled = [square_at(text) for text in self.moves]
        if len(filled) == 2 * (n**2 // 4):
            return []
        return [
            square_name(square)
            for square in all_squares(n)
            if not filled or (square not in filled and any(other in filled for other in beside(square, n)))
        ]

    def turn(self) -> int:
        """Return 1, 2, 1, ..."""
        return [1, 2][len(self.moves) % 2]

    def scores(self) -> list[int]:
        """Return the number of good rows and of good columns, as they lie."""
        return blob_scores(self.values["n"], [square_at(text) for text in self.moves])


GAMES: dict[str, type[Game]] = {
    "plusses-minuses": PlussesMinuses,
    "up-and-up": UpAndUp,
    "convoluted-coprimality": ConvolutedCoprimality,
    "palindromes": Palindromes,
    "divisors-multiples": DivisorsMultiples,
    "sums-grid": SumsGrid,
    "blob": Blob,
}


def new(game_id: str, **parameters: int | str | Sequence[int]) -> Game:
    """Return a game at its start; an unknown or unfit parameter raises ValueError."""
    numbers: dict[str, int] = {}
    sequences: dict[str, str | Sequence[int]] = {}
    for name, value in parameters.items():
        if isinstance(value, int):
            numbers[name] = value
        else:
            sequences[name] = value
    if game_id == "sequence-ascension":
        sequence = sequences.pop("sequence", "divisors")
        if not sequences:
            return SequenceAscension(numbers, sequence)
    if sequences or game_id not in GAMES:
        raise ValueError(f"tests/independent.py has no game {game_id} with parameters {parameters}")
    return GAMES[game_id](numbers)


# Counting.


def count_sequences(game: Game, depth: int) -> list[int]:
    """Return how many sequences of 0, 1, ..., `depth` moves can follow this position."""
    counts = [1] + [0] * depth
    if depth > 0:
        for text in game.legal():
            after = game.copy()
            after.play(text)
            for length, count in enumerate(count_sequences(after, depth - 1), start=1):
                counts[length] += count
    return counts


Small = tuple[str, dict[str, int | str | Sequence[int]], int]

SMALL: list[Small] = [
    ("sequence-ascension", {"n": 2}, 9),
    ("sequence-ascension", {"n": 2, "sequence": [3, 1, 2, 1]}, 9),
    ("sequence-ascension", {"n": 3}, 10),
    ("plusses-minuses", {"n": 2}, 5),
    ("plusses-minuses", {"n": 3}, 8),
    ("plusses-minuses", {"n": 4}, 11),
    ("plusses-minuses", {"n": 2, "second_part_first": 2}, 5),
    ("plusses-minuses", {"n": 3, "second_part_first": 2}, 8),
    ("up-and-up", {"n": 1}, 2),
    ("up-and-up", {"n": 2}, 5),
    ("up-and-up", {"n": 3}, 10),
    ("up-and-up", {"n": 4}, 17),
    ("palindromes", {"m": 1}, 2),
    ("palindromes", {"m": 2}, 3),
    ("palindromes", {"m": 3}, 4),
    ("palindromes", {"m": 4}, 5),
    ("palindromes", {"m": 5}, 6),
    ("sums-grid", {"n": 1}, 10),
    ("sums-grid", {"n": 2}, 3),
    ("blob", {"n": 2}, 3),
    ("blob", {"n": 3}, 5),
    ("blob", {"n": 4}, 5),
]
for players in 2, 3:
    for n, grids, depth in (2, 1, 4), (2, 2, 7), (3, 1, 9), (3, 2, 17), (4, 1, 16), (4, 2, 20):
        coprimality = {"n": n, "players": players, "grids": grids}
        SMALL.append(("convoluted-coprimality", {**coprimality}, depth))
    for r, depth in (2, 5), (3, 13), (4, 7):
        SMALL.append(("divisors-multiples", {"r": r, "players": players}, depth))


def main() -> None:
    """Print the counts of all small sizes, a line each; a 0 says that all games have ended."""
    for game_id, parameters, depth in SMALL:
        shown = [game_id]
        for name, value in parameters.items():
            terms = value if isinstance(value, int | str) else ",".join(map(str, value))
            shown.append(f"{name}={terms}")
        counts = count_sequences(new(game_id, **parameters), depth)
        print(f"{' '.join(shown)}: {' '.join(map(str, counts))}", flush=True)


if __name__ == "__main__":
    main()
