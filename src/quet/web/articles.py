"""Pages that are written in docs/ and shown by the site as well: the answers, and the proofs.

The text is Markdown, read by markdown-it. Pictures beside it are served from here, and a link to another of these pages
leads to its address on the site. A link to anything else in docs/ loses its target and stays as text.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from .catalogs import SOURCE
from .i18n import gettext, language

_INSTALLED = Path(__file__).parent / "docs"  # where a wheel has them
_CLONE = Path(__file__).parents[3] / "docs"
ADDRESSES = {"answers.md": "/answers", "proofs.md": "/proofs", "results.md": "/results"}
_PICTURE = re.compile(r"pictures/([a-z0-9-]+\.svg)", re.ASCII)
_NO_LETTER = re.compile(r"[^\w\- ]")


@dataclass(frozen=True)
class Heading:
    """A heading of the text, which can be linked to."""

    level: int  # 2 for a part, 3 for a section
    anchor: str
    text: str


@dataclass(frozen=True)
class Article:
    """A page."""

    title: str
    headings: Sequence[Heading]
    body: Markup  # without the title
    digest: str  # of the text
    language: str


def article(name: str) -> Article:
    """The page of this name, as `answers`; in the language of the request if there is a file like `answers.de.md`."""
    translated = _folder() / f"{name}.{language()}.md"
    if language() != SOURCE and translated.is_file():
        return _article(translated.read_text(encoding="utf-8"), gettext("Table"), language())
    return _article((_folder() / f"{name}.md").read_text(encoding="utf-8"), gettext("Table"), SOURCE)


def picture(name: str) -> bytes | None:
    """A picture that a page shows, as SVG; None if there is none of this name."""
    return (_folder() / "pictures" / name).read_bytes() if name in _pictures() else None


def _folder() -> Path:
    return _INSTALLED if _INSTALLED.is_dir() else _CLONE


@lru_cache(maxsize=1)
def _pictures() -> frozenset[str]:
    texts = [(_folder() / name).read_text(encoding="utf-8") for name in ("answers.md", "proofs.md")]
    return frozenset(found for text in texts for found in _PICTURE.findall(text))


@lru_cache(maxsize=8)
def _article(text: str, table: str, language: str) -> Article:
    """The page of a text; what can be scrolled sideways gets this name, for screen readers."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    headings, title = [], ""
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            words = "".join(child.content for child in tokens[number + 1].children or () if child.type != "softbreak")
            anchor = _NO_LETTER.sub("", words.lower()).replace(" ", "-")
            token.attrSet("id", anchor)
            level = int(token.tag[1:])
            if level == 1:
                title = words
            else:
                headings.append(Heading(level, anchor, words))
        elif token.children is not None:
            token.children = list(_linked(token.children))
        elif token.attrs.pop("style", "") == "text-align:right":  # which the site's policy allows only a style sheet
            token.attrSet("class", "number")
    body = [token for token in tokens if not _is_title(token, tokens)]
    html = markdown.renderer.render(body, markdown.options, {})
    html = html.replace("<table>", f'<div class="wide" tabindex="0" role="group" aria-label="{table}"><table>')
    html = html.replace("</table>", "</table></div>")
    return Article(title, headings, Markup(html), hashlib.sha256(text.encode()).hexdigest(), language)


def _is_title(token: Token, tokens: Sequence[Token]) -> bool:
    return token in tokens[:3] and tokens[0].tag == "h1"


def _linked(children: Sequence[Token]) -> Iterator[Token]:
    """The parts of a paragraph, with links and pictures that lead to places on the site."""
    is_cut = False
    for child in children:
        if child.type == "link_open":
            file, _, anchor = str(child.attrs["href"]).partition("#")
            is_cut = "://" not in file and file not in ("", *ADDRESSES)
            if file in ADDRESSES:
                child.attrSet("href", ADDRESSES[file] + (f"#{anchor}" if anchor else ""))
        elif child.type == "image":
            name = str(child.attrs["src"]).removeprefix("pictures/")
            child.attrSet("src", f"/answers/pictures/{name}")
            child.attrSet("loading", "lazy")
        if not (is_cut and child.type in ("link_open", "link_close")):
            yield child
        is_cut = is_cut and child.type != "link_close"
