"""Packages that `pip install quet` leaves out, and what the user is told where one is missing."""

import contextlib
from collections.abc import Iterator

from .errors import MissingExtra


@contextlib.contextmanager
def needs(extra: str, what: str) -> Iterator[None]:
    """A context in which packages of an extra are imported.

    Raises MissingExtra where a package isn't installed; the sentence begins with `what`.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == __name__.partition(".")[0]:  # a module of Quet itself is missing
            raise
        raise MissingExtra(f"{what} is not installed; pip install 'quet[{extra}]' brings it.") from error
