"""Styles, the script and the sign of the site."""

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ..assets import find_asset

router = APIRouter()

FOREVER = "public, max-age=31536000, immutable"


@router.get("/static/{name}")
async def asset(request: Request, name: str) -> Response:
    """A file, for good if its name has the right digest; otherwise browsers ask again each time."""
    found = find_asset(name)
    if found is None:
        raise HTTPException(status_code=404)
    one, is_lasting = found
    headers = {"Cache-Control": FOREVER if is_lasting else "public, no-cache", "ETag": f'"{one.digest}"'}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(one.content, media_type=one.kind, headers=headers)
