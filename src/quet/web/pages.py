"""Pages: the templates in `pages/`, in the visitor's language."""

from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from ..catalog import Entry
from . import i18n
from .credits import authors, credit
from .site import visitor_of

FOLDER = Path(__file__).parent / "pages"


def render(request: Request, template: str, *, status: int = 200, **context: object) -> HTMLResponse:
    """The page that a template makes.

    Besides the context it knows `visitor`, `csrf`, `path`, `status`, and who is credited: with an `entry` in the
    context the author of that game, else the `authors` of all.
    """
    visitor = visitor_of(request)
    known = {"visitor": visitor, "csrf": visitor.csrf, "path": _path(request), "status": status}
    entry = context.get("entry")
    assert entry is None or isinstance(entry, Entry)
    credited = {"entry": entry, "credit": credit(entry), "authors": entry.author if entry else authors()}
    text = environment().get_template(template).render(**known, **context | credited)
    return HTMLResponse(text, status)


def wants_json(request: Request) -> bool:
    """Whether the request is from the page's module, which asks for JSON, and not from a form."""
    return "application/json" in request.headers.get("accept", "")


def done(request: Request, path: str, **answer: object) -> Response:
    """The answer to a form that did what it should: on to a page, or JSON for those who want it."""
    return JSONResponse(answer) if wants_json(request) else RedirectResponse(path, 303)


def refused(request: Request, status: int, sentence: str) -> Response:
    """The answer to what can't be: a page that says so, or JSON for those who want it."""
    if wants_json(request):
        return JSONResponse({"error": sentence}, status)
    return render(request, "error.html", status=status, sentence=sentence, back=_page_before(request))


def local_path(text: str) -> str:
    """The path of a page of this site, with its query; empty for all else, so that nothing leads away."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    is_local = not parts.scheme and not parts.netloc and text.startswith("/") and text.isascii() and text.isprintable()
    return text if is_local and "\\" not in text else ""


def keep(request: Request, answer: Response, cookie: str, value: str) -> None:
    """Let the browser keep for a year what the visitor chose."""
    is_secure = request.url.scheme == "https"
    answer.set_cookie(cookie, value, max_age=365 * 86400, httponly=True, samesite="lax", secure=is_secure)


def _path(request: Request) -> str:
    """Where the page can be asked for again: the answer to a form can't, but the page that the form was on."""
    if request.method != "GET":
        return _page_before(request) or "/"
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def _page_before(request: Request) -> str:
    """The page of this site from which the request came, as a path; empty where none is known."""
    before = request.headers.get("referer", "")
    site = f"{request.url.scheme}://{request.url.netloc}"
    return local_path(before.removeprefix(site)) if before.startswith(site) else ""


@cache
def environment() -> Environment:
    """The templates, which escape whatever is put into them, and refuse names that they aren't given."""
    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    i18n.install(made)
    return made
