"""An extension of Griffe: examples in docstrings become blocks of code, as Python's doctest reads them."""

from griffe import Extension, Object


class Examples(Extension):
    """Fences each run of lines that begins with `>>>` and ends before a blank line."""

    def on_object(self, *, obj: Object, **kwargs: object) -> None:
        """Change the docstring of each object that is read."""
        if obj.docstring and ">>>" in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with each example between fences."""
    lines: list[str] = []
    is_inside = False
    for line in text.splitlines():
        if line.startswith(">>>") and not is_inside:
            lines += ["", "```pycon"]
            is_inside = True
        elif not line.strip() and is_inside:
            lines.append("```")
            is_inside = False
        lines.append(line)
    return "\n".join([*lines, *(["```"] if is_inside else [])])
