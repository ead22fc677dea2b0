"""People in real browsers: each has cookies of their own, and notices what a page complains about."""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, expect

import quet
from quet.game import Game
from quet.records.record import Record, read

PATIENCE = 300_000  # milliseconds until a wait has failed; on a busy machine the workshop, of low priority, takes long
expect.set_options(timeout=PATIENCE)


class Person:
    """Somebody at a browser."""

    def __init__(self, browser: Browser, url: str, **wishes: object) -> None:
        """Opens the browser; `wishes` are Playwright's options of a context, such as `color_scheme="dark"`."""
        self.context = browser.new_context(base_url=url, **wishes)  # type: ignore[arg-type]
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.complaints: list[str] = []  # errors and warnings of the page, its scripts and its policy
        self._token = ""  # of forms, once one was seen
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} ({message.location.get('url')})")

    def leave(self) -> None:
        """Close the browser; fail if a page had something to complain about."""
        self.context.close()
        assert not self.complaints, self.complaints

    def become_another(self) -> None:
        """Go away, and come back as somebody whom no site knows; fail if a page had something to complain about."""
        complaints = self.complaints
        self.page.goto("about:blank")
        self.page.unroute_all()
        self.page.emulate_media(color_scheme="light", reduced_motion="reduce")
        self.context.clear_cookies()
        self._token = ""
        self.complaints = []
        assert not complaints, complaints

    def forgive(self, words: str) -> None:
        """Forget the complaints with these words; fail if there is none."""
        others = [complaint for complaint in self.complaints if words not in complaint]
        assert others != self.complaints, f"Nobody complained of {words}."
        self.complaints = others

    # Games.

    def set_up(self, id: str, parameters: Mapping[str, int], *seats: str, name: str = "") -> str:
        """Start a game through the form, and return its address; seats as its options are called."""
        self.fill_in(id, parameters, *seats)
        self.page.fill("#name", name)
        self.page.click("main button.large")
        self.page.wait_for_url(re.compile("/(play|race)/"))
        return urlsplit(self.page.url).path

    def fill_in(self, id: str, parameters: Mapping[str, int], *seats: str) -> None:
        """Fill in the form for a new game."""
        self.page.goto(f"/new/{id}")
        for name, value in parameters.items():
            field = self.page.locator(f"[name=parameter-{name}]")
            if field.first.get_attribute("type") == "radio":
                self.page.check(f"[name=parameter-{name}][value='{value}']")
            else:
                field.fill(str(value))
        for player, who in enumerate(seats, 1):
            self.page.select_option(f"[name=seat-{player}]", who)

    def create(self, id: str, *seats: str, **fields: object) -> str:
        """The address of a new game that was set up without looking at the form."""
        given = {f"seat-{player}": who for player, who in enumerate(seats or ["me"] * 8, 1)}
        return self.post(f"/new/{id}", **given, **fields)

    def post(self, path: str, **fields: object) -> str:
        """Send a form of a page that isn't looked at, and return the address to which it leads."""
        if not self._token:
            found = re.search(r'name="csrf" value="([^"]+)"', self.context.request.get("/new/blob").text())
            assert found
            self._token = found[1]
        form = {"csrf": self._token} | {name.replace("_", "-"): str(value) for name, value in fields.items()}
        answer = self.context.request.post(path, form=form, timeout=PATIENCE)
        assert answer.ok, answer.text()
        return urlsplit(answer.url).path

    def play(self, address: str, *moves: str) -> None:
        """Send moves to a game that isn't looked at; its first row is that it began."""
        for ply, move in enumerate(moves, 1):
            self.post(f"{address}/move", ply=ply, move=move)

    # The table that the page shows.

    @property
    def table(self) -> Locator:
        return self.page.locator("#table")

    @property
    def num_rows(self) -> int:
        """How many rows the game had when the table was made."""
        return int(self.table.get_attribute("data-ply") or 0)

    def sees(self, num_rows: int) -> None:
        """Wait until the table shows the game after so many rows."""
        expect(self.table).to_have_attribute("data-ply", str(num_rows))

    def press(self, game: Game, move: str) -> None:
        """Make a move of this position with the mouse, with both steps where it needs two."""
        button = self.page.locator(f".board-place button[name=move][value='{move}']")
        if button.count():
            button.click()
            return
        squares = [each for each in game.scene().squares if move in each.moves or is_begun(move, each.prompt)]
        self.page.locator(f".cell[data-square='{squares[0].name}'] .touch").click()
        if not squares[0].prompt:
            self.page.locator(f"#bubble button[value='{move}'], #ask button[value='{move}']").click()
            return
        number = move.removeprefix(squares[0].prompt)
        if number:
            self.page.fill("#ask-number", number)
        self.page.get_by_role("button", name="Write" if number else "Erase", exact=True).click()

    def record(self) -> Record:
        """The record of the game on the page, downloaded from the page to study it."""
        self.page.get_by_role("link", name="Study the game").click()
        return self.downloaded()

    def downloaded(self) -> Record:
        """The record that the page to study a game has to be taken away."""
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name="Record (.quet)").click()
        return read(download.value.path().read_text())

    def scores(self) -> list[int]:
        """The scores that the table shows."""
        return [int(text.split()[-1]) for text in self.page.locator(".players .points").all_text_contents()]

    def moves(self) -> list[str]:
        """The moves that the table lists."""
        return [text.split()[-1] for text in self.page.locator(".moves li").all_text_contents()]

    def is_to_move(self) -> bool:
        """Whether it is this visitor's turn, once the computer has moved; if not, the game is over."""
        expect(self.page.locator(".turn.is-mine, .result")).to_have_count(1)
        return self.page.locator(".turn.is-mine").count() == 1

    # By keyboard.

    def tab_to(self, selector: str) -> None:
        """Press the tabulator until this has the focus."""
        for _ in range(100):
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"The tabulator doesn't lead to {selector}.")

    def focused_square(self) -> str:
        """The square of the board that has the focus; empty where none has."""
        square: str = self.page.evaluate("document.activeElement.closest('.cell')?.dataset.square ?? ''")
        return square

    def walk_to(self, square: str) -> None:
        """Go over a grid to a square by arrow keys, each of which must lead on by one."""
        while (here := self.focused_square()) != square:
            across = ord(square[0]) - ord(here[0])
            key = "Right" if across > 0 else "Left" if across else "Up" if square[1:] > here[1:] else "Down"
            self.page.keyboard.press(f"Arrow{key}")
            assert self.focused_square() != here


def is_begun(move: str, prompt: str) -> bool:
    """Whether the move is written on after this."""
    return bool(prompt) and move.startswith(prompt)


def replayed(record: Record) -> Game:
    """The game of a record, played again from its start."""
    game = quet.new(record.game.id, **record.game.parameters)
    for move in record.game.moves:
        game.play(move)
    return game


def result(game: Game, *names: str, reader: int = 0) -> str:
    """How a table tells the end of a game to the player who reads it, from the scores and winners of the referee."""
    scores = " – ".join(map(str, game.scores))
    if game.num_players == 1:
        return f"The final score is {scores}."
    if game.rules.LOWER_IS_BETTER:
        scores += f", and the {'lower' if game.num_players == 2 else 'lowest'} score wins"
    winners = [names[player - 1] if names else f"player {player}" for player in game.winners]
    if reader in game.winners and len(winners) > 1:
        others = [name for player, name in zip(game.winners, winners, strict=True) if player != reader]
        return f"{', '.join(['You', *others[:-1]])} and {others[-1]} share the win: {scores}."
    if len(winners) == 1 and reader:
        return f"You win: {scores}." if reader in game.winners else f"You lose against {winners[0]}: {scores}."
    if len(winners) == 1:
        return capital(f"{winners[0]} wins: {scores}.")
    return capital(f"{', '.join(winners[:-1])} and {winners[-1]} share the win: {scores}.")


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def leave(people: Iterable[Person]) -> None:
    """Close the browsers of all."""
    for person in people:
        person.leave()
