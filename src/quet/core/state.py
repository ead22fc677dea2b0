"""A game's state: one declaration of named integers and lists of integers, made into a small fast object.

A rules module declares its state once, and says what each field means:

    @state
    class State:
        n: int                  # side of the grid
        cells: Squares          # EMPTY or FULL

Every field is an `int` or an annotated list whose length never changes, so that the same declaration can also
become a flat record: nothing else may stand in a state.
"""

import struct
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, Protocol, TypeVar, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
R = TypeVar("R")


class Row(Protocol):
    """Integers in a row: a list, or in compiled code an array."""

    def __getitem__(self, i: int, /) -> int: ...
    def __setitem__(self, i: int, value: int, /) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...


@dataclass(frozen=True)
class Length:
    """The fixed length of a list field, and the integer type that holds every value of it."""

    size: int
    dtype: str = "int16"


Squares = Annotated[list[int], Length(400)]  # one number a square, row by row from a1, 20x20 at most
Line = Annotated[list[int], Length(20)]  # one number a row or column
Players = Annotated[list[int], Length(9, "int64")]  # one number a player, 1..8; [0] is unused


def state(declaration: type[T]) -> type[T]:
    """The class, made again with slots, equality and a readable `repr`; all its fields begin as zero.

    It has the fields of a state that it names as its base, too, and may give a list of these another length.

    Raises TypeError for a field that is neither an `int` nor an annotated list.
    """
    shape = _shape(declaration)

    def blank(self: object) -> None:
        for name, length in shape.items():
            setattr(self, name, 0 if length is None else [0] * length.size)

    def equal(self: object, other: object) -> bool:
        return type(self) is type(other) and all(getattr(self, name) == getattr(other, name) for name in shape)

    def shown(self: object) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in shape)
        return f"{declaration.__name__}({inside})"

    body = {
        "__slots__": tuple(shape),
        "__doc__": declaration.__doc__,
        "__module__": declaration.__module__,
        "__qualname__": declaration.__qualname__,
        "__annotations__": get_type_hints(declaration, include_extras=True),
        "__init__": blank,
        "__eq__": equal,
        "__hash__": None,
        "__repr__": shown,
    }
    kind = type(declaration.__name__, (), body)
    lines = [f"s.{name} = given.{name}{'' if length is None else '[:]'}" for name, length in shape.items()]
    copied: Callable[[T], T] = _written_out(kind, "given", ["s = blank(kind)", *lines, "return s"])
    kind._copied = copied  # type: ignore[attr-defined]
    return kind


def fields(kind: type[object]) -> dict[str, Length | None]:
    """The fields of a state class, in order: None for a number, the length for a list."""
    return _shape(kind)


def values(s: object) -> list[int | list[int]]:
    """What the fields of a state hold, in order."""
    return [getattr(s, name) for name in type(s).__slots__]  # type: ignore[attr-defined]


def copy(s: T) -> T:
    """A state equal to `s` that shares nothing with it."""
    return s._copied()  # type: ignore[attr-defined,no-any-return]


def key(s: object) -> tuple[object, ...]:
    """A value that is equal for two states of one class if, and only if, the states are equal.

    It is short: for a list it has the bytes of the numbers up to the last one that isn't 0.
    """
    return tuple(value if isinstance(value, int) else array("q", value).tobytes().rstrip(b"\0") for value in values(s))


class Packing(Generic[T]):
    """Keeps states in little room, where many are to be kept: those of one class whose lists have the same lengths."""

    def __init__(self, like: T) -> None:
        kind, size = type(like), 0
        parts, lines = list[str](), list[str]()
        for name in fields(kind):
            value = getattr(like, name)
            if isinstance(value, int):
                parts.append(f"s.{name}")
                lines.append(f"s.{name} = numbers[{size}]")
                size += 1
            else:
                parts.append(f"*s.{name}")
                lines.append(f"s.{name} = [*numbers[{size} : {size + len(value)}]]")
                size += len(value)
        self._numbers: Callable[[T], tuple[int, ...]] = _written_out(kind, "s", [f"return ({', '.join(parts)},)"])
        self._state: Callable[[tuple[int, ...]], T] = _written_out(
            kind, "numbers", ["s = blank(kind)", *lines, "return s"]
        )
        forms = [struct.Struct(f"{size}{code}") for code in "bhq"]
        self._form, self._wider = forms[0], forms[1:]
        self._by_size = {form.size: form for form in forms}

    @property
    def size(self) -> int:
        """How many bytes the states take that were packed so far: each of them no more than so many."""
        return self._form.size

    def packed(self, s: T) -> bytes:
        """What the fields hold, in as many bytes a number as the largest of all states so far needs."""
        numbers = self._numbers(s)
        while True:
            try:
                return self._form.pack(*numbers)
            except struct.error:
                if not self._wider:
                    raise
                self._form = self._wider.pop(0)

    def unpacked(self, content: bytes) -> T:
        """A state equal to the one that was packed."""
        return self._state(self._by_size[len(content)].unpack(content))


def _written_out(kind: type[object], given: str, lines: Sequence[str]) -> Callable[..., R]:
    """A function of `given` with a line for each field of a state, which takes half the time of a loop over names.

    The lines can make a blank state s, whose fields aren't even zeros yet.
    """
    names: dict[str, object] = {"kind": kind, "blank": object.__new__}
    exec("\n    ".join([f"def made({given}):", *lines]), names)
    return cast("Callable[..., R]", names["made"])


def _shape(declaration: type[object]) -> dict[str, Length | None]:
    shape: dict[str, Length | None] = {}
    for name, kind in get_type_hints(declaration, include_extras=True).items():
        lengths = [a for a in get_args(kind) if isinstance(a, Length)]
        if kind is int:
            shape[name] = None
        elif get_origin(kind) is Annotated and len(lengths) == 1:
            shape[name] = lengths[0]
        else:
            raise TypeError(f"{declaration.__name__}.{name} is neither an int nor a list of known length")
    return shape
