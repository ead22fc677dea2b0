"""Arguments of the library's functions, as people who program give them: checked once, refused with a sentence.

An integer may be any object that Python takes for an index, such as NumPy's integers. It may not be True or False.
"""

import math
import operator

from .errors import BadParameter
from .grid import shorten
from .messages import say
from .numbers import integer_text


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


def seconds(name: str, value: object, most: float = 1e7) -> float:
    """The number of seconds that an argument must be: more than 0, and at most `most`. Raises BadParameter."""
    number = as_integer(value)
    if number is None and isinstance(value, float) and math.isfinite(value):
        number_of = float(value)
    else:
        number_of = -1.0 if number is None or number > most else float(number)
    if not 0 < number_of <= most:
        raise BadParameter(
            say(
                "{name} must be a number of seconds, more than 0 and at most {most}, not {value}.",
                name=name,
                most=f"{most:.0f}",
                value=shown(value),
            )
        )
    return number_of
