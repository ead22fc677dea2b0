"""The command lines of benches: `--help` prints what a module says, and wrong words are refused in a sentence."""

import argparse


def parser(about: str | None) -> argparse.ArgumentParser:
    """A parser whose help begins with what a module says."""
    return argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)


def none(about: str | None) -> None:
    """Refuse all arguments but --help."""
    parser(about).parse_args()


def size(text: str) -> int:
    """A size, which is a positive integer."""
    if not text.isascii() or not text.isdigit() or not 1 <= len(text) <= 4 or text == "0":
        raise argparse.ArgumentTypeError(f"{text!r} is no size")
    return int(text)
