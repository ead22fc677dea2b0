"""The language of the site: which one a visitor reads, and texts and messages in it.

1. Texts of the site, in templates and views, go through gettext: `{{ _("Your games") }}`, `{% trans %}`, and in Python
   `gettext("...")` while a request is answered. A literal percent sign is `%%` in templates.
2. Games and lower layers make messages (`quet.core.messages`), which are English texts that know their templates. The
   site says them with `{{ text|said }}` or `said(text)`, and pictures with `said_scene(scene)`. The texts of a game's
   facts and the meanings of its parameters have no values and are looked up whole.

The language is a context variable, set for each request by LanguageMiddleware, and so the same in views, threads,
macros and event streams. Outside of requests it is English, or what `with speaking("de"):` says. `catalogs.py` has the
translations.
"""

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import replace

from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from ..core.errors import QuetError
from ..core.messages import Message
from ..draw.scene import Scene, Shape, Square, Text, text_width
from .catalogs import LANGUAGES, SOURCE, translations

COOKIE = "quet_language"
LONGEST_HEADER = 1_000  # characters of Accept-Language that are looked at

_language: ContextVar[str] = ContextVar("language", default=SOURCE)


def language() -> str:
    """The language of the request being answered: `en`, `de`."""
    return _language.get()


@contextlib.contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within it, texts are in this language."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def language_of(request: HTTPConnection) -> str:
    """The language that a visitor chose, else the one that the browser asks for, else English."""
    chosen = request.cookies.get(COOKIE)
    if chosen in LANGUAGES:
        return chosen
    return _accepted(request.headers.get("accept-language", "")[:LONGEST_HEADER])


def _accepted(header: str) -> str:
    """The best language of an Accept-Language header, such as `de-AT,de;q=0.9,en;q=0.8`."""
    best, language = 0.0, SOURCE
    for part in header.split(","):
        tag, _, parameters = part.partition(";")
        primary = tag.strip().lower().split("-")[0]
        try:
            quality = float(parameters.replace(" ", "").removeprefix("q=") or 1)
        except ValueError:
            continue
        if primary in LANGUAGES and best < quality <= 1:
            best, language = quality, primary
    return language


# Texts and messages.


def gettext(message: str) -> str:
    """The message in the language of the request."""
    return translations(language()).gettext(message) if message else ""


def ngettext(singular: str, plural: str, number: int) -> str:
    """The message for this number, in singular or plural, in the language of the request."""
    return translations(language()).ngettext(singular, plural, number)


def sentence(text: str, language: str) -> str:
    """A message, or a text that is looked up whole, in this language."""
    if language == SOURCE or not text:
        return str(text)
    known = translations(language)
    if not isinstance(text, Message):
        return known.gettext(text)
    number, values = text.values.get("number"), dict(text.values)
    if text.many and isinstance(number, int):
        template = known.ngettext(text.template, text.many, number)
    else:
        template = known.gettext(text.template)
    values.update((name, sentence(one, language)) for name, one in text.values.items() if isinstance(one, Message))
    try:
        return template.format_map(values) if values else template
    except (KeyError, IndexError, ValueError):  # a bad translation in the catalog of another package
        return str(text)


def said(text: object) -> str:
    """A message, what an error says, or a text that is looked up whole, in the language of the request."""
    if isinstance(text, QuetError):
        text = text.message
    return sentence(text if isinstance(text, str) else str(text), language())


def said_scene(scene: Scene) -> Scene:
    """The picture with all its words in the language of the request; as wide as they need."""
    if language() == SOURCE:
        return scene
    shapes = tuple(_said_shape(shape) for shape in scene.shapes)
    return replace(
        scene,
        title=said(scene.title),
        width=max([scene.width, *(_right(shape) for shape in shapes)]),
        shapes=shapes,
        squares=tuple(_said_square(square) for square in scene.squares),
        choices=tuple(replace(choice, words=said(choice.words)) for choice in scene.choices),
        row_notes={row: said(note) for row, note in scene.row_notes.items()},
        column_notes={column: said(note) for column, note in scene.column_notes.items()},
        notes=tuple(said(note) for note in scene.notes),
        signs=tuple(said(words) for words in scene.signs),
        about=tuple(said(words) for words in scene.about),
    )


def _said_square(square: Square) -> Square:
    return replace(square, words=said(square.words), move_words=tuple(said(words) for words in square.move_words))


def _said_shape(shape: Shape) -> Shape:
    return replace(shape, text=said(shape.text)) if isinstance(shape, Text) else shape


def _right(shape: Shape) -> float:
    """Where a line of words that begins at its x ends; 0 for all other shapes."""
    if isinstance(shape, Text) and shape.anchor == "start":
        return shape.x + text_width(shape.text, shape.size) + 0.2
    return 0.0


# Jinja and the server.


def install(environment: Environment) -> None:
    """Teach the templates `_`, `gettext`, `ngettext`, `{% trans %}`, `|said`, `language()` and `languages()`."""
    environment.add_extension("jinja2.ext.i18n")
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    environment.filters["said"] = _said_filter
    environment.globals["language"] = language
    environment.globals["languages"] = lambda: list(LANGUAGES.items())


@pass_context  # so that the filter of a constant isn't worked out once, when the template is compiled
def _said_filter(context: Context, text: object) -> str:
    return said(text)


class LanguageMiddleware:
    """Sets the language for each request, and names it in what is answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request in the visitor's language."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        language = language_of(HTTPConnection(scope))

        async def send_named(message: AsgiMessage) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.setdefault("Content-Language", language)  # who chooses one may be answered in that
                    headers.add_vary_header("Accept-Language")
                    headers.add_vary_header("Cookie")
            await send(message)

        with speaking(language):
            await self._app(scope, receive, send_named)
