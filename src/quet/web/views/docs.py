"""The documentation, where `make docs` has built it."""

import mimetypes
import re
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from ...core.messages import say
from ..errors import SiteError
from ..pages import kept_for_all
from ..pictures import KINDS, POLICY
from .assets import FOREVER

router = APIRouter()

_LASTING = re.compile(r"\.[0-9a-f]{8}\.min\.(js|css)$")  # names that change with the content


class NotBuilt(SiteError):
    """This site has no documentation."""

    status = 404

    def __init__(self) -> None:
        super().__init__(say("The documentation isn't on this site: make docs builds it."))


@router.get("/docs")
async def begin(request: Request) -> Response:
    """Lead to `/docs/`, where its pages are. Raises NotBuilt."""
    await run_in_threadpool(_check, request.app.state.docs)
    return RedirectResponse("/docs/", 301)


@router.get("/docs/{path:path}")
async def page(request: Request, path: str) -> Response:
    """A file of the documentation; of a folder its page. Raises NotBuilt, and a 404 for what it doesn't have."""
    return await run_in_threadpool(_answer, request, request.app.state.docs, path)


def _check(folder: Path) -> None:
    if not (folder / "index.html").is_file():
        raise NotBuilt


def _answer(request: Request, folder: Path, path: str) -> Response:
    _check(folder)
    file = _inside(folder, path)
    if file is not None and file.is_dir():
        if path and not path.endswith("/"):
            return RedirectResponse(f"/docs/{path}/", 301)
        file = _inside(folder, f"{path}index.html")
    elif path.endswith("/"):
        file = None
    if file is None or not file.is_file():
        raise HTTPException(status_code=404)
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    headers = {"Content-Security-Policy": POLICY} if kind == KINDS["svg"] else {}
    if _LASTING.search(file.name):
        headers["Cache-Control"] = FOREVER
    return kept_for_all(request, file.read_bytes(), kind, headers)


def _inside(folder: Path, path: str) -> Path | None:
    """The file of this path, if it lies in the folder, whatever links and dots lead there."""
    try:
        root = folder.resolve(strict=True)
        file = (root / path.lstrip("/")).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):  # there is none, or no file can have such a name
        return None
    return file if file.is_relative_to(root) else None
