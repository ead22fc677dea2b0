"""Sizes that nothing here solves, and of which a theorem says something all the same."""

import contextlib
from collections.abc import Iterator, Mapping

from ..core.errors import BadParameter
from ..results import theorems


@contextlib.contextmanager
def told_beyond(id: str, given: Mapping[str, object], *, is_lowest: bool | None) -> Iterator[None]:
    """Where parameters are refused inside, have the sentence end with what theorems say of this size."""
    try:
        yield
    except BadParameter as error:
        if not (told := theorems.of_size(id, given, is_lowest=is_lowest)):
            raise
        raise BadParameter(" ".join([str(error), *told])) from None
