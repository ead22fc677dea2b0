"""Finished sentences in another language: `c3 is filled already.` by the message `%(square)s is filled already.`

The games and all layers below the site speak plain English and know nothing of languages. The catalog holds the
patterns of their sentences (`locale/patterns.py` collects them from the code); here a finished sentence is matched
against them, and what stood at the placeholders is put into the translation, itself translated where it can be.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

LONGEST = 600  # characters of a text that is matched against patterns; longer ones are looked up whole only
DEEPEST = 4  # patterns within each other
TELLING = 10  # letters of fixed text; `%(first)s and %(second)s` would fit too much
_HOLE = re.compile(r"%\((\w+)\)s|%%")
_WORD = re.compile(r"[^\W\d_]+")
_QUOTED = re.compile(r"'[^']*'")


@dataclass(frozen=True)
class Rendering:
    """A text in the other language."""

    text: str
    is_known: bool  # whether every word of it is from the catalog, but for names, quotations, moves and numbers


@dataclass(frozen=True)
class _Pattern:
    """A message with placeholders."""

    match: re.Pattern[str]
    translation: str
    is_telling: bool  # whether it says enough to be used even if something inside it is not known


class Phrasebook:
    """The messages of a catalog, made ready for finished sentences.

    >>> book = Phrasebook({"%(square)s is filled already.": "%(square)s ist schon gefüllt."})
    >>> book.rendering("c3 is filled already.")
    Rendering(text='c3 ist schon gefüllt.', is_known=True)
    """

    def __init__(self, messages: Mapping[str, str]) -> None:
        """`messages` maps English to the other language; those with `%(name)s` are patterns."""
        self._whole = {id: string for id, string in messages.items() if "%(" not in id}
        patterns = sorted((id for id in messages if "%(" in id), key=_precision)
        self._patterns = [_Pattern(_matcher(id), messages[id], _is_telling(id)) for id in patterns]
        # Each pattern is listed under its rarest word, and is tried for texts with this word only.
        words = [set(_words(_HOLE.sub(" ", id))) for id in patterns]
        counts = Counter(word for some in words for word in some)
        self._by_word: dict[str, list[int]] = {}
        for number, some in enumerate(words):
            rarest = min(some, key=lambda word: (counts[word], word), default="")
            self._by_word.setdefault(rarest, []).append(number)

    def rendering(self, text: str) -> Rendering:
        """The text in the other language; as it is where nothing in the catalog is like it."""
        return self._rendering(text, DEEPEST)

    def _rendering(self, text: str, depth: int) -> Rendering:
        if text in self._whole:
            return Rendering(self._whole[text], is_known=True)
        best = Rendering(text, is_plain(text))
        if depth == 0 or len(text) > LONGEST:
            return best
        for pattern in self._candidates(text):
            match = pattern.match.fullmatch(text)
            if match is None:
                continue
            inside = {name: self._rendering(part, depth - 1) for name, part in match.groupdict().items()}
            texts = {name: rendering.text for name, rendering in inside.items()}
            found = Rendering(pattern.translation % texts, all(rendering.is_known for rendering in inside.values()))
            if found.is_known:
                return found
            if best.text == text and pattern.is_telling:
                best = found
        if not best.is_known and ", " in text:
            parts = [self._rendering(part, depth - 1) for part in text.split(", ")]
            if all(part.is_known for part in parts):
                return Rendering(", ".join(part.text for part in parts), is_known=True)
        return best

    def _candidates(self, text: str) -> Iterator[_Pattern]:
        """The patterns that the text may match, those that say most first."""
        numbers = {number for word in {"", *_words(text)} for number in self._by_word.get(word, ())}
        return (self._patterns[number] for number in sorted(numbers))


def is_plain(text: str) -> bool:
    """Whether a text needs no translation: numbers, moves, names of squares, and what is quoted."""
    return not any(len(word) > 2 for word in _words(_QUOTED.sub("", text)))


def _words(text: str) -> Iterable[str]:
    return _WORD.findall(text)


def _is_telling(id: str) -> bool:
    return sum(map(len, _words(_HOLE.sub(" ", id)))) >= TELLING


def _precision(id: str) -> tuple[int, int, str]:
    """For sorting: patterns with more fixed text come first, then those with fewer placeholders."""
    fixed = _HOLE.sub("", id)
    return -len(fixed), len(_HOLE.findall(id)), id


def _matcher(id: str) -> re.Pattern[str]:
    """What matches every sentence made from the message; a placeholder that comes again stands for the same text."""
    parts, seen, end = [], set(), 0
    for hole in _HOLE.finditer(id):
        parts.append(re.escape(id[end : hole.start()]))
        name, end = hole[1], hole.end()
        parts.append("%" if name is None else f"(?P={name})" if name in seen else f"(?P<{name}>.+?)")
        seen.add(name)
    return re.compile("".join([*parts, re.escape(id[end:])]), re.DOTALL)
