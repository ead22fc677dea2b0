"""How a game can go on from a position, for a checker: by legal moves, or by whole turns where its claims say so."""

from collections.abc import Sequence

from ..core.errors import BadCertificate
from ..core.rules import AnyState, legal_moves
from ..core.state import copy
from .claims import Subject

Ways = Sequence[Sequence[int]]  # how one can go on: moves, or turns of several moves


def ways(subject: Subject, s: AnyState) -> Ways:
    """How one can go on from a position that isn't over."""
    return list(zip(legal_moves(subject.rules, s))) if subject.turns is None else subject.turns(s)


def after(subject: Subject, s: AnyState, way: Sequence[int]) -> AnyState:
    """The position that a way leads to. Raises BadCertificate where the claims name a turn against the rules."""
    twin = copy(s)
    follow(subject, twin, way)
    return twin


def follow(subject: Subject, s: AnyState, way: Sequence[int]) -> None:
    """Play a way. Raises BadCertificate where the claims name a turn against the rules."""
    play, broken_rule = subject.rules.play, None if subject.turns is None else subject.rules.broken_rule
    for move in way:
        if broken_rule is not None and broken_rule(s, move):
            raise BadCertificate("A turn that the claims name is against the rules.", step="grounds")
        play(s, move)
