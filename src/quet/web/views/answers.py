"""The answers to the author's questions, and the proofs."""

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ..articles import article, picture
from ..pages import kept, kept_for_all, render
from ..pictures import KINDS, POLICY

router = APIRouter()


@router.get("/answers")
async def answers(request: Request) -> Response:
    """What the author asked, and what is known of it."""
    return await run_in_threadpool(_page, request, "answers")


@router.get("/proofs")
async def proofs(request: Request) -> Response:
    """The theorems and their proofs."""
    return await run_in_threadpool(_page, request, "proofs")


@router.get("/answers/pictures/{name}")
async def shown(request: Request, name: str) -> Response:
    """A picture of these pages."""
    found = picture(name)
    if found is None:
        raise HTTPException(status_code=404)
    return kept_for_all(request, found, KINDS["svg"], {"Content-Security-Policy": POLICY})


def _page(request: Request, name: str) -> Response:
    found = article(name)
    return kept(request, found.digest, lambda: render(request, "article.html", article=found, name=name))
