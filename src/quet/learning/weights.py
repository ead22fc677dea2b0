"""Files of learned weights, in the folder `weights` of the game's folder: one for each set of parameters."""

import functools
import importlib.resources
import io
import json
import warnings
from collections.abc import Mapping

import numpy as np

from ..capabilities import Patterns
from ..catalog import Entry
from ..core.errors import one_line
from ..core.parameters import split_parameters
from ..core.rules import AnyState
from ..engine.horizon_search import Weights
from ..game import Game

FORMAT = 1
LARGEST = 1_000_000  # bytes of a game's files together
_LARGEST_CHANGE = (1 << 15) - 1  # that two bytes hold


class WeightsWarning(UserWarning):
    """Learned weights can't be used, so that a search without them takes their place."""


def file_name(game: Game) -> str:
    """Of the weights for a game with these parameters: `n=8.npz`, `players=2,r=25.npz`."""
    return ",".join(f"{name}={value}" for name, value in sorted(game.parameters.items())) + ".npz"


def shipped(entry: Entry) -> list[tuple[str, int]]:
    """The files of weights that a game has: their names, and their sizes in bytes."""
    folder = importlib.resources.files(entry.package).joinpath("weights")
    if not folder.is_dir():
        return []
    found = [file for file in folder.iterdir() if file.name.endswith(".npz")]
    return sorted((file.name, len(file.read_bytes())) for file in found)


def sizes(entry: Entry) -> list[dict[str, str]]:
    """The parameters that a game has weights for, as a command has them."""
    return [split_parameters(name.removesuffix(".npz").split(",")) for name, _ in shipped(entry)]


def weights_of(game: Game) -> Weights | None:
    """What was learned for a game with these parameters; None where nothing was, or where the file is damaged.

    A damaged file is told in a warning, WeightsWarning.
    """
    patterns = game.entry.patterns
    if patterns is None or game.num_players != 2 or not patterns.fits(game.state):
        return None
    return _read(game.entry, file_name(game), tuple(game.parameters.items()))


@functools.lru_cache(maxsize=8)
def _read(entry: Entry, name: str, parameters: tuple[tuple[str, object], ...]) -> Weights | None:
    patterns = entry.patterns
    assert patterns is not None
    try:
        content = importlib.resources.files(entry.package).joinpath("weights", name).read_bytes()
    except OSError:
        return None
    try:
        start = entry.rules.State()
        entry.rules.start(start, **dict(parameters))
        return unpacked(content, patterns, patterns.of(start))
    except ValueError as error:
        sentence = f"The weights {name} of {entry.id} can't be read: {one_line(error)}"
        warnings.warn(sentence, WeightsWarning, stacklevel=3)
        return None


def packed(weights: Weights, patterns: Patterns[AnyState], s: AnyState, recipe: Mapping[str, object]) -> bytes:
    """The content of a file: each weight that patterns share once, and how it changes with the plies left."""
    classes = np.unique(patterns.alike(s))
    rows = weights.rows[:, np.append(classes, weights.rows.shape[1] - 1)]
    changes = np.diff(rows, axis=0, prepend=np.zeros((1, rows.shape[1]), rows.dtype))
    into = io.BytesIO()
    np.savez_compressed(
        into,
        format=np.array(FORMAT),
        changes=changes.T.astype(np.int16 if np.abs(changes).max() <= _LARGEST_CHANGE else np.int32),
        errors=weights.errors.astype(np.float32),
        recipe=np.array(json.dumps(recipe)),
    )
    return into.getvalue()


def unpacked(content: bytes, patterns: Patterns[AnyState], s: AnyState) -> Weights:
    """The weights in the content of a file, for positions with the parameters of s.

    Raises ValueError where it isn't one.
    """
    if len(content) > LARGEST:
        raise ValueError(f"it is larger than {LARGEST} bytes")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            form, changes = int(file["format"]), np.asarray(file["changes"])  # a part that is no array comes as bytes
            errors = file["errors"].astype(np.float64)
    except Exception as error:  # NumPy, zipfile and zlib raise errors of many kinds for a damaged file
        raise ValueError(f"it is no file of weights: {one_line(error)}") from None
    if form != FORMAT:
        raise ValueError(f"its format is {form}, not {FORMAT}")
    classes, place = np.unique(patterns.alike(s), return_inverse=True)
    shape = (len(classes) + 1, patterns.plies_left(s) + 1)
    if changes.shape != shape or changes.dtype.kind != "i" or errors.shape != shape[1:]:
        raise ValueError(f"it doesn't have {shape[0]} weights for {shape[1]} numbers of plies")
    if not np.isfinite(errors).all():
        raise ValueError("not all of its numbers are finite")
    rows = np.cumsum(changes, axis=1, dtype=np.int32).T
    return Weights(np.ascontiguousarray(rows[:, np.append(place, len(classes))]), errors)
