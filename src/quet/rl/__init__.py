"""Quet's games for programs that learn: environments, batches, exact values, and measures of agents.

Importing it registers the solitaires with Gymnasium, where Gymnasium is installed. Each name is imported when it is
first asked for, and with it what its extra brings.
"""

import contextlib
import importlib
from typing import TYPE_CHECKING

from ..core.errors import MissingExtra

if TYPE_CHECKING:
    from . import agents as agents
    from . import dataset as dataset
    from . import measure as measure
    from . import vector as vector
    from .batches import Batch as Batch
    from .batches import batch as batch
    from .multi_agent import aec as aec
    from .oracles import Oracle as Oracle
    from .oracles import oracle as oracle

_NAMES = {"aec": ".multi_agent", "Batch": ".batches", "batch": ".batches", "Oracle": ".oracles", "oracle": ".oracles"}
_MODULES = ("agents", "dataset", "measure", "vector")
__all__ = ["Batch", "Oracle", "aec", "agents", "batch", "dataset", "measure", "oracle", "vector"]

with contextlib.suppress(MissingExtra):
    from .gym import register

    register()


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(importlib.import_module(_NAMES[name], __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
