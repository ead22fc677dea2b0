"""How text that comes from outside stands in a sentence: printable, and not too long."""

# Persian words and emoji of two have them. Nobody sees them, and they count as unprintable: names are kept without.
JOINERS = {0x200C: None, 0x200D: None}


def printable(text: str, longest: int = 500) -> str:
    """The text on one line, with escapes for what can't be printed, and an end of `...` where it is too long."""
    cut = text[: longest + 1]
    if not cut.isprintable():
        cut = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in cut)
    return cut if len(cut) <= longest else f"{cut[: longest - 3]}..."


def shorten(text: str, longest: int = 40) -> str:
    """The same in quotation marks, as what somebody typed stands in a sentence."""
    return f"'{printable(text, longest)}'"
