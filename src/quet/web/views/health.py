"""Whether the site is well."""

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from ... import __version__
from ..site import site_of

router = APIRouter()


@router.get("/health")
async def health(request: Request) -> JSONResponse:
    """The versions of the program and of the database's schema; 503 when the database doesn't answer."""
    database = site_of(request).store.database
    kind = "sqlite" if database.is_sqlite else "postgresql"
    try:
        schema = await run_in_threadpool(database.version)
    except SQLAlchemyError:
        return JSONResponse({"status": "no database", "database": kind, "version": __version__}, 503)
    return JSONResponse({"status": "ok", "database": kind, "schema": schema, "version": __version__})
