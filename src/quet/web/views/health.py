"""Whether the site is well: for those who look after it, and for load balancers."""

from math import ceil

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from ... import __version__
from ..errors import Away
from ..site import site_of
from ..storage.outage import SLOW

router = APIRouter()


@router.get("/health")
async def health(request: Request) -> JSONResponse:
    """That this process lives, with the versions of the program and of the schema; it asks the database nothing.

    Whether the database is well is only told as far as it is known: `outage` is "disk full", "no database"
    or "slow database".
    """
    database = site_of(request).store.database
    kind = "sqlite" if database.is_sqlite else "postgresql"
    told = {"status": "ok", "database": kind, "schema": database.schema, "version": __version__}
    return JSONResponse(told | ({"outage": database.outage.kind} if database.outage.kind else {}))


@router.get("/ready")
async def ready(request: Request) -> JSONResponse:
    """Whether games can be played here: writes a row. 503, with the reason as its status, if they can't.

    The reason is the outage, or "other schema" where the database has another one than when this process began.
    """
    database = site_of(request).store.database
    try:
        has_our_schema = await run_in_threadpool(database.write_a_row)
    except Away as error:
        headers = {"Retry-After": str(ceil(error.wait))}
        return JSONResponse({"status": database.outage.kind or SLOW}, 503, headers)
    if not has_our_schema:
        return JSONResponse({"status": "other schema"}, 503)
    return JSONResponse({"status": "ready"})
