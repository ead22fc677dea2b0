"""What is asked about how a game goes on: which move, whether somebody resigns, whether all agree to a draw."""

from typing import TypeVar

from textual.app import App
from textual.screen import ModalScreen

from ..play.session import DECLINED, Session
from .dialogs import Choose, Confirm

Answer = TypeVar("Answer")


class Questions:
    """Asks them, one at a time, from workers. A question closes without an answer where the game ends meanwhile."""

    def __init__(self, app: App[None], session: Session) -> None:
        self._app, self._session = app, session
        self._is_open = False

    def close(self) -> None:
        """Close the question that is open, if any."""
        if self._is_open and isinstance(self._app.screen, Confirm | Choose):
            self._app.screen.dismiss(None)

    async def move(self, name: str, moves: tuple[str, ...]) -> str | None:
        """The move chosen of those on the square of this name, if any."""
        chosen = await self._ask(Choose(f"{name}: which move?", moves))
        return None if chosen is None else moves[chosen]

    async def resign(self) -> bool:
        """Resign if that is wanted, and say whether it was. Raises IllegalMove where nobody can."""
        session = self._session
        session.match.check_playing()
        player = session.speaker  # another one may speak when the answer comes, as computers move on
        question = f"Does player {player} resign?"
        if session.game.num_players > 2:
            question += " The game then ends for all."
        if not await self._ask(Confirm(question, "Resign")):
            return False
        session.resign(player)
        return True

    async def draw(self) -> str | None:
        """Offer a draw, which computer players answer by themselves, and ask each other person.

        Return who declined, as a sentence; "" where all agreed, or a question closed; None where no draw was offered.
        Raises IllegalMove where none can be.
        """
        session = self._session
        session.match.check_playing()
        offerer = session.speaker
        if not session.match.others([offerer]) and not await self._ask(
            Confirm("Offer a draw? Computer players answer at once.", "Offer")
        ):
            return None
        sentence = "" if session.offer_draw() else DECLINED
        while session.asked:
            player = session.asked[0]
            question = f"Player {offerer} offers a draw. Does player {player} accept it?"
            agrees = await self._ask(Confirm(question, "Accept", "Decline"))
            if agrees is None:
                break
            session.answer_draw(agrees=agrees)
            if not agrees:
                sentence = f"Player {player} declines the draw."
        return sentence

    async def _ask(self, question: ModalScreen[Answer]) -> Answer | None:
        self._is_open = True
        try:
            return await self._app.push_screen_wait(question)
        finally:
            self._is_open = False
