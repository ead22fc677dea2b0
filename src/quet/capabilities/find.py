"""Which capabilities a module has, by the names in it, and what a solver works with."""

import functools
import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import cast

from ..core.rules import AnySearchRules, AnyState
from .exact import (
    FOR_SOLVERS,
    AnyOrder,
    Bounds,
    Compact,
    Endgame,
    Keys,
    Numbering,
    Order,
    OwnTable,
    Plies,
    Reach,
    Replies,
    SignIsValue,
    Twin,
)

KEY_BITS = 63  # of a key that is not negative


@dataclass(frozen=True)
class Capabilities:
    """What a game's `exact.py` has for solvers, each typed; None where it has no such thing.

    Each is the module itself, so that a search can compile its functions.
    """

    module: str = ""  # its name, by which another process finds the same; empty where there is no such file
    bounds: Bounds[AnyState] | None = None
    keys: Keys[AnyState] | None = None
    any_order: AnyOrder[AnyState] | None = None
    reach: Reach[AnyState] | None = None
    order: Order[AnyState] | None = None
    endgame: Endgame[AnyState] | None = None
    plies: Plies[AnyState] | None = None
    table: OwnTable[AnyState] | None = None
    replies: Replies[AnyState] | None = None
    compact: str = ""  # the name of the module with the game in bits
    is_sign_value: bool = False
    numbering: int = 1
    lacking: tuple[str, ...] = ()  # names without which others that are there are no capability

    def for_search(self, rules: AnySearchRules, s: AnyState) -> "tuple[AnySearchRules, Capabilities, AnyState]":
        """What a search works with: the game in bits, its capabilities and its state, where there is such a game."""
        if self.compact:
            rules = cast(AnySearchRules, importlib.import_module(self.compact))
        return rules, *self.twin(s)

    def twin(self, s: AnyState) -> "tuple[Capabilities, AnyState]":
        """The capabilities and the state of the game in bits; these and s where there is none."""
        if not self.compact:
            return self, s
        return self.in_bits, cast(Twin[AnyState], importlib.import_module(self.compact)).of(s)

    @property
    def in_bits(self) -> "Capabilities":
        """The capabilities of the game in bits; these where there is none."""
        return found(importlib.import_module(self.compact)) if self.compact else self

    def key_bits(self, rules: AnySearchRules, s: AnyState) -> int | None:
        """The bits of a move where alpha-beta takes the moves made from s on for keys; 0 where it takes the game's own.

        None where neither tells all positions from s on apart.
        """
        if self.keys is None or self.bounds is None:
            return None
        if self.keys.fits(s):
            return 0
        left = 0 if self.any_order is None else self.any_order.left_in_any_order(s)
        bits = int(rules.most_moves(s)).bit_length()  # of the number of a move and 1, so that 0 is no move
        most = KEY_BITS // bits  # moves in a key; with as many bits as they have room for, few searches are compiled
        return KEY_BITS // most if 0 < left <= most else None

    def most_plies(self, rules: AnySearchRules, s: AnyState) -> int:
        """A bound on the moves of a game with the parameters of s."""
        # In a game whose moves fill squares there are at most as many plies as moves to choose from, and a few more.
        return rules.most_moves(s) + 64 if self.plies is None else self.plies.most_plies(s)


NOTHING = Capabilities()


@functools.cache
def found(module: ModuleType | None) -> Capabilities:
    """The capabilities for solvers that a module has; only this function looks for them."""
    if module is None:
        return NOTHING
    return Capabilities(
        module=module.__name__,
        bounds=module if isinstance(module, Bounds) else None,
        keys=module if isinstance(module, Keys) else None,
        any_order=module if isinstance(module, AnyOrder) else None,
        reach=module if isinstance(module, Reach) else None,
        order=module if isinstance(module, Order) else None,
        endgame=module if isinstance(module, Endgame) else None,
        plies=module if isinstance(module, Plies) else None,
        table=module if isinstance(module, OwnTable) else None,
        replies=module if isinstance(module, Replies) else None,
        compact=module.COMPACT if isinstance(module, Compact) else "",
        is_sign_value=isinstance(module, SignIsValue) and module.SIGN_IS_VALUE,
        numbering=module.NUMBERING if isinstance(module, Numbering) else 1,
        lacking=tuple(lacking(module, FOR_SOLVERS)),
    )


def lacking(module: ModuleType, kinds: Sequence[type[object]]) -> Sequence[str]:
    """The names that are missing from capabilities of which other names are there."""
    begun = [names(kind) for kind in kinds if any(name in vars(module) for name in names(kind))]
    return [name for inside in begun for name in inside if name not in vars(module)]


def names(kind: type[object]) -> Sequence[str]:
    """What a module must have for this capability: the names of functions and constants, in alphabetical order."""
    inside = (each for base in kind.__mro__ for each in (*vars(base), *vars(base).get("__annotations__", {})))
    return sorted({each for each in inside if not each.startswith("_")})


def named(module: str) -> Capabilities:
    """As `found`, by the module's name: so a part of a solve, done in another process, finds them."""
    return found(importlib.import_module(module) if module else None)
