"""Saves and loads a game, and asks what it has to know for that."""

from collections.abc import Callable
from pathlib import Path

from textual.app import App

from ..core.errors import BadRecord
from ..play.files import exists, path_of
from ..play.session import Session
from ..records import record as records
from ..records.record import Record
from .dialogs import AskFile, Choose, Confirm


async def save(app: App[None], session: Session, name: str) -> str | None:
    """Ask for the name of a file, save the game there, and return the name; None if the user cancels.

    Call it from a worker. Raises BadRecord.
    """
    answer = await app.push_screen_wait(AskFile("Save the game as:", name))
    if answer is None:
        return None
    path = path_of(answer)
    if exists(answer) and not await app.push_screen_wait(Confirm(_replacing(answer, path), "Replace")):
        return None
    records.save(path, [session.record])
    return answer


async def load(app: App[None], resume: Callable[[Record], Session], name: str = "") -> Session | None:
    """Ask for the name of a file, and return what `resume` makes of its game; None if the user cancels.

    Call it from a worker. Raises BadRecord.
    """
    answer = await app.push_screen_wait(AskFile("Load the game in:", name))
    if answer is None:
        return None
    found = records.load(path_of(answer))
    if not found:
        raise BadRecord("There is no game in the file.", file=answer)
    chosen: int | None = 0
    if len(found) > 1:
        answers = [f"{i}. {record.game.entry.title}: {record.summary}" for i, record in enumerate(found, 1)]
        chosen = await app.push_screen_wait(Choose("Which game?", answers))
    if chosen is None:
        return None
    session = resume(found[chosen])
    session.file = answer if len(found) == 1 else ""  # saving it there would take the others away
    return session


def _replacing(answer: str, path: Path) -> str:
    """The question whether a file may be replaced."""
    num_games = records.num_games(path)
    if num_games > 1:
        return f"{answer} has {num_games} games. Replace them all by this one?"
    return f"{answer} exists. Replace it?"
