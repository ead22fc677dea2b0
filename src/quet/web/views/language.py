"""The choice of a language, kept in a cookie."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from ...core.messages import say
from ..catalogs import LANGUAGES
from ..errors import BadForm
from ..forms import form_of
from ..i18n import COOKIE
from ..pages import done, keep, local_path

router = APIRouter()


@router.post("/language")
async def choose_language(request: Request) -> Response:
    """Keep the language, and go back to the page that the visitor was on."""
    fields = await form_of(request)
    language = checked(fields.get("language", ""))
    answer = done(request, local_path(fields.get("next", "")) or "/", language=language)
    keep(request, answer, COOKIE, language)
    return answer


def checked(language: str) -> str:
    """The language, if it is one of the site. Raises BadForm."""
    if language not in LANGUAGES:
        raise BadForm(say("This language is not spoken here."))
    return language
