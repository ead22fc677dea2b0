"""Pages: the templates in `pages/`, in the visitor's language."""

import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TypedDict
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from .. import __version__
from ..catalog import Entry
from . import i18n
from .assets import asset_path
from .credits import authors, credit, first
from .site import visitor_of
from .visitors import Visitor

FOLDER = Path(__file__).parent / "pages"


class About(TypedDict):
    """What a page has to know of the request that it answers."""

    visitor: Visitor
    csrf: str
    path: str
    status: int
    address: str  # of the site, without a slash at its end
    docs: bool  # whether the site has the documentation, which somebody must have built


def about(request: Request, status: int = 200) -> About:
    """What a page that answers this request has to know."""
    visitor = visitor_of(request)
    return About(
        visitor=visitor,
        csrf=visitor.csrf,
        path=_path(request),
        status=status,
        address=address(request),
        docs=(request.app.state.docs / "index.html").is_file(),
    )


def render(request: Request, template: str, *, status: int = 200, **context: object) -> HTMLResponse:
    """The answer with a page; as `page_text`."""
    return HTMLResponse(page_text(about(request, status), template, **context), status)


def address(request: Request) -> str:
    """The address of the site, as links to be sent to others begin. Its host is one of those that were configured."""
    return str(request.base_url).rstrip("/")


def page_text(request: About, template: str, **context: object) -> str:
    """The page that a template makes, also in a process that has only heard of the request.

    Besides the context it knows `visitor`, `csrf`, `path`, `status`, and who is credited: with an `entry` in the
    context the author of that game, else the `authors` of all.
    """
    entry = context.get("entry")
    assert entry is None or isinstance(entry, Entry)
    credited = {
        "entry": entry,
        "credit": credit(entry),
        "authors": entry.author if entry else authors(),
        "card": context.get("card") or f"/card/{entry.id if entry else first()}.png",
    }
    return environment().get_template(template).render(**request, **context | credited)


def kept(request: Request, content: str, make: Callable[[], Response]) -> Response:
    """The page that `make` makes, unless the browser has it: one with this content for this visitor in this language.

    `content` is a digest of what the page is made from.
    """
    knows = about(request)
    told = (
        content,
        knows["path"],
        knows["csrf"],
        knows["visitor"].name,
        i18n.language(),
        str(knows["docs"]),
        _edition(),
    )
    headers = {"ETag": f'W/"{_digest(*told)}"', "Cache-Control": "private, no-cache"}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    answer = make()
    answer.headers.update(headers)
    return answer


def kept_for_all(request: Request, body: str | bytes, kind: str, headers: Mapping[str, str] | None = None) -> Response:
    """A file that is the same for everybody, unless the browser has it."""
    content = body.encode() if isinstance(body, str) else body
    known = {"ETag": f'"{hashlib.sha256(content).hexdigest()[:24]}"', "Cache-Control": "public, no-cache"}
    if known["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=known | dict(headers or {}))
    return Response(content, media_type=kind, headers=known | dict(headers or {}))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


@cache
def _edition() -> str:
    """What changes when pages, styles or sentences do."""
    files = [*sorted(FOLDER.glob("*.html")), *sorted(FOLDER.parent.glob("locale/*.po"))]
    return _digest(__version__, asset_path("quet.css"), *(file.read_text(encoding="utf-8") for file in files))


def wants_json(request: Request) -> bool:
    """Whether the script of the page sent the request, which asks for JSON, and not a form."""
    return "application/json" in request.headers.get("accept", "")


def done(request: Request, path: str, **answer: object) -> Response:
    """The answer to a form that was carried out: a redirect to a page, or JSON if the request asks for it."""
    return JSONResponse(answer) if wants_json(request) else RedirectResponse(path, 303)


def download(text: str, kind: str, name: str) -> Response:
    """A file of this media type that the browser keeps under this name."""
    return Response(text, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def refused(request: Request, status: int, sentence: str, wait: int = 0, leads_to: str = "") -> Response:
    """The answer to a request that is refused: a page that says why, or JSON if the request asks for it.

    `leads_to` is the path of the best results that the page leads to.

    With `wait` it may succeed after so many seconds. If the site is to blame, the page then loads itself again; after a
    form it says that the form must be sent again, which no page does by itself.
    """
    headers = {"Retry-After": str(wait)} if wait else None
    if wants_json(request):
        return JSONResponse({"error": sentence}, status, headers)
    back = _page_before(request)
    is_later, is_form = wait and status == 503, request.method != "GET"
    again = local_path(_path(request)) if is_later and not is_form else ""
    told = {"sentence": sentence, "back": back, "again": again, "wait": wait, "must_send": is_later and is_form}
    page = render(request, "error.html", status=status, leads_to=leads_to, **told)
    page.headers.update(headers or {})
    return page


def local_path(text: str) -> str:
    """The path of a page of this site, with its query; empty for any other text, so that no link leaves the site."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    is_local = not parts.scheme and not parts.netloc and text.startswith("/") and text.isascii() and text.isprintable()
    # Browsers read // as the beginning of a host, however many slashes follow, and take \ for a slash.
    return text if is_local and not text.startswith("//") and "\\" not in text else ""


def keep(request: Request, answer: Response, cookie: str, value: str) -> None:
    """Set a cookie that keeps a visitor's choice for a year."""
    is_secure = request.url.scheme == "https"
    answer.set_cookie(cookie, value, max_age=365 * 86400, httponly=True, samesite="lax", secure=is_secure)


def _path(request: Request) -> str:
    """The address of the page, or for the answer to a form, of the page that the form was on."""
    if request.method != "GET":
        return _page_before(request) or "/"
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def _page_before(request: Request) -> str:
    """The page of this site from which the request came, as a path; empty if none is known."""
    before = request.headers.get("referer", "")
    site = f"{request.url.scheme}://{request.url.netloc}"
    return local_path(before.removeprefix(site)) if before.startswith(site) else ""


def compile_all() -> None:
    """Compile all templates, which takes 10 to 80 ms each: so no page does it while moves are played."""
    for name in environment().list_templates():
        environment().get_template(name)


@cache
def environment() -> Environment:
    """The templates. They escape every value, and raise for a name that they aren't given."""
    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["asset"] = asset_path
    i18n.install(made)
    return made
