"""Messages: the sentences that people read, kept as a template and its values.

    say("{square} is filled already.", square="c3")
    say_number("{number} good row", "{number} good rows", 2)
    joined([say("gcd {a}", a=2), say("lcm {a}", a=6)])

A message is a text that prints and compares as its English. To translate it, look its template up in a catalog and put
the values in (`quet.web.i18n`). A value that is a message is translated too; any other is the same in every language: a
number, a move, what a person typed. What `+`, f-strings and `str.join` make of a message is plain text, which stays
English. `make messages` collects the templates from the calls of `say` and `say_number`, so they are literals there.
"""

from collections.abc import Iterable, Mapping, Sequence


class Message(str):
    """An English text that knows its template and its values. Without values the template is the text itself."""

    __slots__ = ("many", "template", "values")
    template: str
    values: Mapping[str, object]
    many: str  # the template for other numbers than 1, where the message counts something; else empty

    def __new__(cls, template: str, values: Mapping[str, object], many: str = "") -> "Message":
        """The message; raises KeyError when the template names a value that is not given."""
        chosen = many if many and values["number"] != 1 else template
        self = super().__new__(cls, chosen.format_map(values) if values else chosen)
        self.template = template
        self.values = values
        self.many = many
        return self

    def __reduce__(self) -> tuple[type["Message"], tuple[str, Mapping[str, object], str]]:
        return Message, (self.template, self.values, self.many)


def say(template: str, /, **values: object) -> Message:
    """The message of a template with its values; raises KeyError when one is missing.

    >>> say("{square} is filled already.", square="c3")
    'c3 is filled already.'
    """
    return Message(template, values)


def say_number(one: str, many: str, number: int, /, **values: object) -> Message:
    """The message for 1, or the one for any other number. `{number}` is a value as well.

    >>> say_number("{number} good row", "{number} good rows", 2)
    '2 good rows'
    """
    return Message(one, {"number": number, **values}, many)


def joined(parts: Iterable[object], between: str = ", ") -> Message:
    """The parts one after another, with the same text between every two.

    >>> joined([1, say("or more")])
    '1, or more'
    """
    values = {f"part{count}": part for count, part in enumerate(parts)}
    values["between"] = between
    return Message("{between}".join(f"{{{name}}}" for name in values if name != "between"), values)


AND = say(" and ")  # between parts


def capital(text: str) -> str:
    """The text with a capital at its start, which no longer is a message: translate it before."""
    return text[:1].upper() + text[1:]


def listed(parts: Sequence[object]) -> Message:
    """The parts as a list in a sentence.

    >>> listed([1, 2, 5])
    '1, 2 and 5'
    """
    *first, last = parts or [""]
    return say("{first} and {last}", first=joined(first), last=last) if first else joined([last])
