"""The numbers of the site, for Prometheus."""

from hmac import compare_digest

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ..addresses import host_of, read_address
from ..site import site_of

router = APIRouter()

FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """The numbers, for whoever sends the token of the settings; if there is none, for programs on this machine."""
    site = site_of(request)
    token: str = request.app.state.metrics_token
    if not (_has_token(request, token) if token else _is_here(request)):
        raise HTTPException(status_code=404)  # the same answer as for an address that doesn't exist
    text = await run_in_threadpool(site.metrics.text)
    return Response(text, headers={"Content-Type": CONTENT_TYPE_LATEST, "Cache-Control": "no-store"})


def _has_token(request: Request, token: str) -> bool:
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    return compare_digest(given.encode("utf-8", "replace"), token.encode())


def _is_here(request: Request) -> bool:
    """Whether a program on this machine asks for itself, and not a proxy for another.

    Nor a page that a browser here has loaded: whose it is can have its name stand for this machine (DNS rebinding).
    """
    address = read_address(request.client.host if request.client else "")
    is_near = address is not None and address.is_loopback and not any(name in request.headers for name in FORWARDED)
    host = host_of(request.headers.get("host", ""))
    is_known = bool(request.app.state.hosts)  # then another Host has been refused
    return is_near and (is_known or host == "localhost" or read_address(host.strip("[]")) is not None)
