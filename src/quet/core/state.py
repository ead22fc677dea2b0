"""A game's state: one declaration of named integers and lists of integers, made into a small fast object.

A rules module declares its state once, and says what each field means:

    @state
    class State:
        n: int                  # side of the grid
        cells: Squares          # EMPTY or FULL

Every field is an `int` or an annotated list whose length never changes, so that the same declaration can also
become a flat record: nothing else may stand in a state.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Generic, Protocol, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")
Packed: TypeAlias = list["int | array[int]"]  # a state as `Packing` keeps it
SHORT = 64  # numbers of a list that are kept then, where all others are zeros
_CODES = dict(zip(("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"), "bhiqBHIQ", strict=True))


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
    return type(declaration.__name__, (), body)


def fields(kind: type[object]) -> dict[str, Length | None]:
    """The fields of a state class, in order: None for a number, the length for a list."""
    return _shape(kind)


def values(s: object) -> list[int | list[int]]:
    """What the fields of a state hold, in order."""
    return [getattr(s, name) for name in type(s).__slots__]  # type: ignore[attr-defined]


def copy(s: T) -> T:
    """A state equal to `s` that shares nothing with it."""
    kind = type(s)
    twin = kind.__new__(kind)  # its fields need no zeros first
    for name in kind.__slots__:  # type: ignore[attr-defined]
        value = getattr(s, name)
        setattr(twin, name, value if type(value) is int else value[:])
    return twin


def key(s: object) -> tuple[object, ...]:
    """A value that is equal for two states of one class if, and only if, the states are equal.

    It is short: for a list it has the bytes of the numbers up to the last one that isn't 0.
    """
    return tuple(value if isinstance(value, int) else array("q", value).tobytes().rstrip(b"\0") for value in values(s))


class Packing(Generic[T]):
    """Keeps states of one class in little room, where many are to be kept."""

    def __init__(self, kind: type[T]) -> None:
        self._kind, self._names = kind, tuple(fields(kind))
        self._lists = [
            (i, _CODES[length.dtype], length.size - SHORT)
            for i, length in enumerate(fields(kind).values())
            if length is not None
        ]
        self._no_more = {more: [0] * more for _, _, more in self._lists if more > 0}

    def packed(self, s: object) -> Packed:
        """What the fields hold, in order; a long list without the zeros at its end."""
        content = [getattr(s, name) for name in self._names]
        for i, code, more in self._lists:
            row = content[i]
            is_short = more > 0 and row[SHORT:] == self._no_more[more]
            content[i] = array(code, row[:SHORT] if is_short else row)
        return content

    def unpacked(self, content: Packed) -> T:
        """A state equal to the one that was packed."""
        s = self._kind.__new__(self._kind)
        for name, value in zip(self._names, content, strict=True):
            setattr(s, name, value)
        for i, _, more in self._lists:
            short = content[i]
            assert not isinstance(short, int)
            row = short.tolist()
            setattr(s, self._names[i], row + self._no_more[more] if len(row) == SHORT and more > 0 else row)
        return s


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
