"""Goes through questions for the maintainers' commands: each has a line that says what came of it."""

from collections.abc import Callable, Iterable

from ..core.errors import QuetError, one_line


def one_by_one(questions: Iterable[tuple[str, Callable[[], str]]]) -> int:
    """Print the name of each question, and what asking it comes to; the exit status.

    That is 1 where asking one raised a QuetError, and 130 where the user stopped the rest.
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
