"""Asks questions one after another, for the maintainers' commands, and prints a line for each."""

from collections.abc import Callable, Iterable

from ..core.errors import QuetError, one_line


def one_by_one(questions: Iterable[tuple[str, Callable[[], str]]]) -> int:
    """Ask each question, and print its name and the answer. Returns the exit status.

    The status is 1 if a question raised a QuetError, 130 if the user stopped the rest, else 0.
    """
    status = 0
    for name, ask in questions:
        print(f"{name}: ", end="", flush=True)
        try:
            print(ask(), flush=True)
        except QuetError as error:
            print(f"FAIL  {one_line(error)}", flush=True)
            status = 1
        except KeyboardInterrupt:
            print("stopped; run it again to go on.")
            return 130
    return status
