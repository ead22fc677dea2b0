"""Arguments of the library's functions, as people who program give them: checked once, refused with a sentence.

An integer may be any object that Python takes for an index, such as NumPy's integers. It may not be True or False.
"""

import operator
from collections.abc import Sequence

from .errors import BadParameter
from .messages import say
from .numbers import integer_text
from .quoting import shorten

MOST_SEED = 2**48 - 1  # of a search or a game; the random numbers of each move have seeds somewhat above it
LEAST_MEMORY, MOST_MEMORY = 16, 2**20  # MB that may be asked for


def shown(value: object) -> str:
    """A value of any type as it can stand in a sentence."""
    if isinstance(value, str):
        return shorten(value)
    integer = as_integer(value)
    if integer is not None:
        return shorten(integer_text(integer))
    try:
        return shorten(repr(value))
    except Exception:  # an int in a list that is too long to print, or whatever a class of another package raises
        return shorten(type(value).__name__)


def as_integer(value: object) -> int | None:
    """The value as an int, if it is an integer of any kind; None for all else, also for True and False."""
    if type(value) is int:
        return value
    if isinstance(value, bool | str | bytes) or not hasattr(value, "__index__"):
        return None
    try:
        return operator.index(value)
    except TypeError:  # an array of several numbers has `__index__` too
        return None


def listed(value: object) -> Sequence[object] | None:
    """The elements of a list, a tuple, a range or an array of NumPy; None for all else, also for texts and bytes."""
    found = value.tolist() if hasattr(value, "tolist") else value
    return (
        found if isinstance(found, Sequence) and not isinstance(found, str | bytes | bytearray | memoryview) else None
    )


def integer(name: str, value: object, low: int, high: int) -> int:
    """The integer from `low` to `high` that an argument must be; raises BadParameter."""
    number = as_integer(value)
    if number is None:
        raise BadParameter(say("{name} must be an integer, not {value}.", name=name, value=shown(value)))
    if not low <= number <= high:
        raise BadParameter(
            say("{name} must be from {low} to {high}, not {shown}.", name=name, low=low, high=high, shown=shown(number))
        )
    return number


def real(name: str, value: object, most: float) -> float:
    """The number from -`most` to `most` that an argument must be, an integer or not; raises BadParameter."""
    number = _number(value)
    if number is None or not -most <= number <= most:
        raise BadParameter(
            say(
                "{name} must be a number from {low} to {most}, not {value}.",
                name=name,
                low=f"{-most:g}",
                most=f"{most:g}",
                value=shown(value),
            )
        )
    return number


def _number(value: object) -> float | None:
    """The value as a float, if it is a number of any kind that has one; None for all else."""
    integer = as_integer(value)
    if integer is None and (isinstance(value, bool | int) or not hasattr(value, "__float__")):
        return None
    try:
        return float(value if integer is None else integer)  # type: ignore[arg-type] # it has `__float__`
    except (TypeError, ValueError, OverflowError):  # an array of several numbers, or a large integer
        return None


def flag(name: str, value: object) -> bool:
    """True or False, which an argument must be, also NumPy's; raises BadParameter."""
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
        raise BadParameter(say("{name} must be True or False, not {value}.", name=name, value=shown(value)))
    return bool(value)


def seconds(name: str, value: object, most: float = 1e7) -> float:
    """The number of seconds that an argument must be: more than 0, and at most `most`. Raises BadParameter."""
    number = _number(value)
    if number is None or not 0 < number <= most:
        raise BadParameter(
            say(
                "{name} must be a number of seconds, more than 0 and at most {most}, not {value}.",
                name=name,
                most=f"{most:.0f}",
                value=shown(value),
            )
        )
    return number


def seconds_or_none(name: str, value: object) -> float | None:
    """As `seconds`; None stands for no limit."""
    return None if value is None else seconds(name, value)
