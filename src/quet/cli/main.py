"""`quet`: carries out a command line, and says in one sentence what is wrong with it."""

import atexit
import contextlib
import functools
import gc
import io
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from ..core.errors import QuetError, one_line
from .progress import UNREAD, status_after


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command line (by default the program's own) and return the exit status.

    0 when all went well, 1 when a check failed, 2 for bad input, with one sentence on standard error, 3 where something
    stays unchecked or unwritten, 130 for Ctrl-C, 141 where whoever reads the output goes away (as by SIGPIPE), 143 for
    SIGTERM where that ends a command as Ctrl-C does.
    """
    if arguments is None:
        warnings.showwarning = functools.partial(_warn, warnings.showwarning)
    words = list(sys.argv[1:] if arguments is None else arguments)
    _open_what_is_closed()
    _end_quickly()
    try:
        try:
            return _run(words)
        finally:
            sys.stdout.flush()  # so that an error in writing is noticed here
    except QuetError as error:
        print(f"quet: {one_line(error)}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        _forget_output()
        return UNREAD  # and not 1, by which `quet verify` says that something is wrong
    except OSError as error:
        _forget_output()
        print(f"quet: Input or output failed: {error.strerror}.", file=sys.stderr)
        return 2
    except MemoryError as error:
        print(f"quet: This machine hasn't the memory for it. {one_line(error)}".rstrip(), file=sys.stderr)
        return 2
    except KeyboardInterrupt as interrupt:
        return status_after(interrupt)


@functools.cache
def _end_quickly() -> None:
    """Spare Python a last look for garbage: among all that Numba is made of, it takes a third of a second."""
    atexit.register(gc.freeze)


def _warn(otherwise: Callable[..., None], message: Warning | str, category: type[Warning], *where: object) -> None:
    """Say a warning of ours as a sentence. `otherwise` shows those of libraries, with the line of code."""
    if category.__module__.partition(".")[0] == "quet":
        print(f"quet: {one_line(message)}", file=sys.stderr)
    else:
        otherwise(message, category, *where)


def _open_what_is_closed() -> None:
    """Give a program that is started without standard input or output empty ones, and let it print any character."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - open to the end
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _forget_output() -> None:
    """Discard what is still to be written, since Python tries again when it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: list[str]) -> int:
    if words[:1] == ["score"]:  # its words are the paper itself: even -- is a list of two predictions
        from . import score

        return score.main(words[1:])
    from .arguments import parser

    options = parser().parse_args(words)
    if options.run is None:
        parser().print_help()
        return 0
    status: int = options.run(options)
    return status


if __name__ == "__main__":
    sys.exit(main())
