"""What a row says, as messages: what its value is, and the grounds of it, in short and as a part of a sentence."""

from ..core.messages import Message, joined, say
from .row import Row

_SHORT = {
    "bound": say("rules"),
    "table": say("table"),
    "exhaustive": say("search"),
    "exhaustive confirmed": say("search, confirmed"),
    "mirror": say("mirror"),
    "pairing": say("pairing"),
    "avoiding": say("pairing"),
    "unsat": say("unsat"),
    "weak": say("strategies"),
    "minimax": say("all positions"),
    "tried": say("all games"),
}
_GROUNDS = {
    "bound": say("reached by a game, and by the rules alone none is better"),
    "table": say("by a table of all positions, each checked to be worth the best of its moves"),
    "exhaustive": say("by exhaustive search"),
    "exhaustive confirmed": say("by exhaustive search, confirmed in a second way"),
    "mirror": say("by mirror strategies, checked against every reply"),
    "pairing": say("by strategies that pair squares, checked against every reply"),
    "avoiding": say("by strategies that pair squares, checked against every reply"),
    "weak": say("by a strategy of each player, followed against every reply"),
    "minimax": say("by all positions, which the checker tries itself"),
    "tried": say("reached by a game, and the checker itself tries all that would be better"),
    "unsat": say("reached by a game, and a checked proof of a SAT solver refutes every higher score"),
}

_OF_BOUNDS = {  # where the words above say that nothing is better than what a game reaches
    "bound": say("by the rules alone"),
    "tried": say("by the checker itself, which tries all that would be better"),
    "unsat": say("by a checked proof of a SAT solver"),
}


def in_short(row: Row) -> Message:
    """What the row rests on, in a word or two for each kind of grounds."""
    return joined([_SHORT.get(kind, kind) for kind in kinds(row)], ", ")


def grounds(row: Row) -> list[Message]:
    """What a row rests on, each as the end of a sentence: `by exhaustive search`.

    Where better scores than the best one known may be possible, they say what the bound rests on.
    """
    found = [_GROUNDS.get(kind) or say("by grounds of the kind {kind}", kind=kind) for kind in kinds(row)]
    bounds = [_OF_BOUNDS.get(kind) or words for kind, words in zip(kinds(row), found, strict=True)]
    if row.score == "value":  # no game shows what perfect play leads to
        return bounds
    if row.is_proven or row.score not in ("highest", "lowest"):
        return found
    return [say("a game reaches {value}; the bound holds {how}", value=row.number, how=how) for how in bounds]


def kinds(row: Row) -> list[str]:
    """The kinds of grounds that the row rests on, one or two."""
    return row.proof.split(" and ")


def rests_on_search(row: Row) -> bool:
    """Whether something of the row rests on an exhaustive search, which no checker can repeat."""
    return any(kind.startswith("exhaustive") for kind in kinds(row))


def asked(row: Row) -> Message:
    """What the row's value is, as the beginning of a sentence: `Highest score`."""
    return _ASKED[row.score]


_ASKED = {
    "highest": say("Highest score"),
    "lowest": say("Lowest score"),
    "value": say("Value"),
    "scores": say("Scores"),
}
