"""Sequences of integers, by name, typed as a list, from a b-file, or random from a seed."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from .arguments import as_integer, listed
from .errors import BadParameter
from .files import UnreadableFile, read_file
from .messages import Message, joined, say
from .numbers import MOST_BITS, MOST_DIGITS, integer_text, num_divisors, pi_digits, primes, read_integer, totient
from .quoting import shorten


@dataclass(frozen=True)
class Named:
    """A sequence with a name: its first terms, what people call it, and what it is."""

    first: Callable[[int], list[int]]  # as many terms
    called: Message  # in English as it is typed
    about: Message

    @property
    def beginning(self) -> str:
        """A few terms that tell what the sequence is."""
        return ", ".join([*map(str, self.first(8)), "..."])


NAMED = {
    "divisors": Named(
        lambda count: [num_divisors(k) for k in range(1, count + 1)],
        say("divisors"),
        say("how many divisors 1, 2, 3, ... have"),
    ),
    "naturals": Named(lambda count: list(range(1, count + 1)), say("naturals"), say("the whole numbers from 1 on")),
    "totient": Named(
        lambda count: [totient(k) for k in range(1, count + 1)],
        say("totient"),
        say("how many of the numbers 1 to k share no factor above 1 with k, for k = 1, 2, 3, ..."),
    ),
    "primes": Named(primes, say("primes"), say("the numbers with exactly two divisors")),
    "pi": Named(pi_digits, say("pi"), say("the digits of pi")),
    "mod3": Named(
        lambda count: [k % 3 for k in range(1, count + 1)],
        say("mod3"),
        say("what remains of 1, 2, 3, ... after division by 3"),
    ),
}
_BLANKS = re.compile(r"[ \t]+")
LARGEST_FILE = 1_000_000  # bytes of a b-file
LONGEST_TEXT = 1_000_000  # characters of all terms together, so that any sequence fits into a record


@dataclass(frozen=True)
class Terms:
    """The terms of a sequence, and the text that names it for good: a fixed name, or the terms themselves.

    A file may change, and so may a random generator. Then `text` is the list of terms, and a record holds that.
    """

    text: str
    values: tuple[int, ...]
    needed: int

    @property
    def used(self) -> tuple[int, ...]:
        """The terms that a game can use, from the first on; `values` may have more."""
        return self.values[: self.needed]

    def __str__(self) -> str:
        return self.text


def ways_to_write() -> list[str]:
    """Each way to write a sequence with what it stands for, as a line."""
    return [
        *(f"{name}: {one.about}: {one.beginning}" for name, one in NAMED.items()),
        "1,2,2,3: these terms",
        "random:SEED:LOW:HIGH: random integers from LOW to HIGH, the same for the same number SEED",
        "file:PATH: the terms in a b-file of the Encyclopedia of Integer Sequences",
    ]


def called(text: str) -> str:
    """What people call the sequence with this text: a message where it has a name, else the text."""
    return NAMED[text].called if text in NAMED else text


def read_terms(name: str, value: object, count: int, *, files: bool) -> Terms:
    """At least `count` terms from a name, `1,2,2,3`, `random:SEED:LOW:HIGH`, `file:PATH`, a list or a Terms.

    Raises BadParameter when the text can't be read, terms are missing, or it names a file and `files` is false.
    """
    if isinstance(value, Terms):
        value = value.text
    if not isinstance(value, str):
        return _of_list(name, _checked(name, value), count)
    if len(value) > LONGEST_TEXT:
        raise _too_long(name)
    if value in NAMED:
        return Terms(value, tuple(NAMED[value].first(count)), count)
    kind, colon, rest = value.partition(":")
    if colon and kind == "random":
        return _of_list(name, _random(name, rest, count), count)
    if colon and kind == "file":
        if not files:
            raise BadParameter(say("{name} may not name a file here.", name=name))
        return _of_list(name, _b_file(rest, count), count)
    terms = [read_integer(word) for word in value.split(",")]
    if None in terms:
        raise BadParameter(_expected(name, value, files=files))
    return _of_list(name, [term for term in terms if term is not None], count)


def _expected(name: str, value: str, *, files: bool) -> Message:
    """What a sequence may be, and that this text is none."""
    told = {"name": name, "named": ", ".join(NAMED), "most_digits": MOST_DIGITS, "value": shorten(value)}
    if files:
        return say(
            "{name} must be {named}, a list like 1,2,2,3 (of at most {most_digits} digits each), "
            "random:SEED:LOW:HIGH or file:PATH, not {value}.",
            **told,
        )
    return say(
        "{name} must be {named}, a list like 1,2,2,3 (of at most {most_digits} digits each) or random:SEED:LOW:HIGH, "
        "not {value}.",
        **told,
    )


def _of_list(name: str, terms: list[int], count: int) -> Terms:
    if len(terms) < count:
        raise BadParameter(
            say("{name} has {num_terms} terms, but {count} are needed.", name=name, num_terms=len(terms), count=count)
        )
    if any(term.bit_length() > MOST_BITS for term in terms):
        raise BadParameter(
            say("A term of {name} has more than {most_digits} digits.", name=name, most_digits=MOST_DIGITS)
        )
    text = ",".join(map(integer_text, terms))
    if len(text) > LONGEST_TEXT:
        raise _too_long(name)
    return Terms(text, tuple(terms), count)


def _too_long(name: str) -> BadParameter:
    return BadParameter(say("{name} is longer than {longest_text} characters.", name=name, longest_text=LONGEST_TEXT))


def _checked(name: str, value: object) -> list[int]:
    """The terms in a list of integers; raises BadParameter."""
    terms = listed(value)
    if terms is not None:
        if len(terms) > LONGEST_TEXT:
            raise _too_long(name)
        found = [term for term in map(as_integer, terms) if term is not None]
        if len(found) == len(terms):
            return found
    raise BadParameter(say("{name} must be a text or a list of integers.", name=name))


def _random(name: str, text: str, count: int) -> list[int]:
    numbers = [read_integer(word) for word in text.split(":")]
    if len(numbers) != 3 or None in numbers:
        raise BadParameter(say("{name} must be random:SEED:LOW:HIGH with three integers.", name=name))
    seed, low, high = (number or 0 for number in numbers)
    if count * max(low.bit_length(), high.bit_length()) > 4 * LONGEST_TEXT:
        raise _too_long(name)
    if low > high:
        raise BadParameter(say("{name} must be random:SEED:LOW:HIGH with LOW at most HIGH.", name=name))
    generator = random.Random(seed)
    return [generator.randint(low, high) for _ in range(count)]


def _b_file(path: str, count: int) -> list[int]:
    """The first `count` terms of an OEIS b-file: lines of an index and a term, `#` comments and empty lines.

    Lines end with LF or CRLF, and blanks are spaces and tabs.
    """
    try:
        lines = read_file(path, LARGEST_FILE).decode("utf-8-sig").split("\n")
    except UnreadableFile as error:
        raise BadParameter(joined([shorten(path, 200), error.message], ": ")) from None
    except UnicodeDecodeError:
        raise BadParameter(say("{path}: It is not a text file.", path=shorten(path, 200))) from None
    terms: list[int] = []
    before: int | None = None
    for number, line in enumerate(lines, 1):
        words = _BLANKS.split(line.removesuffix("\r").split("#")[0].strip(" \t"))
        if words == [""]:
            continue
        index, *rest = (read_integer(word) for word in words)
        if index is None or len(rest) != 1 or rest[0] is None:
            raise BadParameter(
                say("{path}, line {number}: not an index and a term.", path=shorten(path, 200), number=number)
            )
        if before is not None and index != before + 1:
            raise BadParameter(
                say(
                    "{path}, line {number}: the index doesn't follow the one before.",
                    path=shorten(path, 200),
                    number=number,
                )
            )
        before = index
        if len(terms) < count:
            terms.append(rest[0])
    return terms
