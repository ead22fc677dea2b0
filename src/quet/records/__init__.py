"""The record of a game: what was played, as text and as JSON. `docs/records.md` has the grammar."""

from .record import Record, Termination, load, read, read_all, save, write_all
from .variations import Variation

__all__ = ["Record", "Termination", "Variation", "load", "read", "read_all", "save", "write_all"]
