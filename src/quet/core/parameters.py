"""Parameters of a game: their names, ranges and defaults, and how they are read from text.

A parameter is an integer in a range, or (in one game) a sequence of integers. Text is what people and programs
write (`n=8`, `sequence=random:7:1:9`); `read_parameters` turns it into values and checks them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .arguments import integer
from .errors import BadParameter
from .messages import say
from .numbers import read_integer
from .quoting import shorten
from .sequences import Terms, read_terms

AnyValue = Any
"""The value of any parameter: an int, or Terms. Only the game knows which."""


@dataclass(frozen=True)
class Parameter:
    """An integer parameter of a game, `low` to `high`; `usual` says in words what is a good choice.

    `solved_to` is how far solvers go, where that is beyond `high`; see `to_solve`.
    """

    name: str
    low: int
    high: int
    default: int
    meaning: str
    usual: str = ""
    solved_to: int = 0

    def read(self, value: object, values: Mapping[str, AnyValue], *, files: bool) -> int:
        """The value as an int in range; raises BadParameter."""
        number = read_integer(value) if isinstance(value, str) else None
        return integer(self.name, value if number is None else number, self.low, self.high)


@dataclass(frozen=True)
class TermsParameter:
    """A parameter that is a sequence of integers, as many as a grid has squares."""

    name: str
    default: str
    meaning: str
    side: str  # the parameter, before this one, that is the side of the grid
    usual: str = ""

    def read(self, value: object, values: Mapping[str, AnyValue], *, files: bool) -> Terms:
        """The sequence, with at least as many terms as are needed; raises BadParameter."""
        return read_terms(self.name, value, values[self.side] ** 2, files=files)


AnyParameter = Parameter | TermsParameter


def to_solve(known: Sequence[AnyParameter]) -> tuple[AnyParameter, ...]:
    """The parameters as solvers, certificates and the table of results take them: with sizes that nobody plays, too."""
    return tuple(replace(p, high=max(p.high, p.solved_to)) if isinstance(p, Parameter) else p for p in known)


def read_parameters(
    known: Sequence[AnyParameter], given: Mapping[str, object], *, files: bool = True
) -> dict[str, AnyValue]:
    """The value of every parameter in `known`: from `given` (text or values), else its default.

    With `files=False` no parameter may name a file (for programs that serve a network).
    Raises BadParameter for an unknown name or a value out of range.
    """
    names = [p.name for p in known]
    for name in given:
        if name not in names:
            raise BadParameter(
                say(
                    "There is no parameter {name}; this game has {names}.",
                    name=shorten(str(name)),
                    names=" and ".join(names),
                )
            )
    values: dict[str, AnyValue] = {}
    for parameter in known:
        value = given.get(parameter.name, parameter.default)
        values[parameter.name] = parameter.read(value, values, files=files)
    return values


def used(values: Mapping[str, AnyValue]) -> tuple[object, ...]:
    """What games of these parameters have in common exactly if they are the same: of a sequence its needed terms."""
    return tuple(value.used if isinstance(value, Terms) else value for value in values.values())


def written(values: Mapping[str, object]) -> dict[str, int | str]:
    """The values of parameters as files and JSON have them: integers as they are, sequences as text."""
    return {name: value if type(value) is int else str(value) for name, value in values.items()}


def split_parameters(words: Sequence[str]) -> dict[str, str]:
    """`["n=8", "players=3"]` as `{"n": "8", "players": "3"}`.

    Raises BadParameter for a word of another form, or a name given twice.
    """
    given: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise BadParameter(say("{word} is not a parameter; write name=value, as in n=8.", word=shorten(word)))
        if name in given:
            raise BadParameter(say("The parameter {name} is given twice.", name=shorten(name)))
        given[name] = value
    return given
