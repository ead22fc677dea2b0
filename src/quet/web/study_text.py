"""Analyses of games as they are kept: without the game itself, and with sentences that can be said in any language."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from ..game import Game
from ..knowledge.worth import Value
from ..study.assessments import Analysis, Assessment
from .storage.schema import message_of, message_text

LARGEST = 20_000_000  # bytes, unpacked
_SENTENCES = ("turning_point", "gave_away")


@dataclass(frozen=True)
class Study:
    """The analysis of a game, with exact values where there are some."""

    analysis: Analysis
    exact: dict[int, dict[str, Value]]  # by the ply of each solved position: the value of each move there


def written(study: Study) -> bytes:
    """All of the study but its game."""
    moves = [
        asdict(one)
        | {name: message_text(getattr(one, name)) for name in _SENTENCES}
        | {"value": _of(one.value), "best": _of(one.best)}
        for one in study.analysis.assessments
    ]
    exact = {ply: {move: _of(value) for move, value in values.items()} for ply, values in study.exact.items()}
    content = {"settings": dict(study.analysis.settings), "moves": moves, "exact": exact}
    return zlib.compress(json.dumps(content, ensure_ascii=False).encode())


def read(content: bytes, game: Game) -> Study:
    """The study of this game that was written. Raises ValueError for one that is too large."""
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(content, LARGEST)
    if not unpacking.eof:
        raise ValueError("An analysis that is kept is too large, or cut short.")
    found = json.loads(text)
    assessments = [
        Assessment(
            **one
            | {name: message_of(one[name]) for name in _SENTENCES}
            | {"value": _value(one["value"]), "best": _value(one["best"]), "line": tuple(one["line"])}
        )
        for one in found["moves"]
    ]
    exact = {
        int(ply): {move: _value(value) for move, value in values.items()} for ply, values in found["exact"].items()
    }
    return Study(Analysis(game, found["settings"], assessments), exact)


def _of(value: Value) -> dict[str, object]:
    """The value as data for JSON, without what is as in most."""
    parts = {each.name: getattr(value, each.name) for each in fields(value)}
    parts["how"] = message_text(value.how)
    return {each.name: parts[each.name] for each in fields(value) if parts[each.name] != each.default}


def _value(parts: Mapping[str, object]) -> Value:
    scores, how = parts.get("scores", ()), parts.get("how", "")
    assert isinstance(scores, list | tuple) and isinstance(how, str)
    return Value(**{**parts, "scores": tuple(scores), "how": message_of(how)})  # type: ignore[arg-type]
