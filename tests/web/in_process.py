"""The site without a server: its pages asked for in this process, and games made in its store."""

import contextlib
import random
import re
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import fields
from pathlib import Path

import httpx

from quet.web.app import create_app
from quet.web.match import SiteMatch
from quet.web.new_games import SeatPlan, SetUp
from quet.web.settings import Limits, Settings
from quet.web.storage.store import Act, Store
from quet.web.workshop import Workshop, _Process

PLAYER = "a-visitor"
PATIENCE = 300.0  # seconds until work of the workshop has failed: with its low priority a busy machine delays it much
UNLIMITED = Limits(*[0] * len(fields(Limits)))
WORKERS: list[_Process] = []  # of workshops that are closed, for the next ones


class Pages:
    """Asks for pages and checks that a strict Content-Security-Policy lets them be."""

    def __init__(self, client: httpx.AsyncClient, store: Store) -> None:
        self.client = client
        self.store = store
        self.name = "Ann"  # of who sits down

    async def get(self, path: str, **options: str) -> httpx.Response:
        """The answer to a request."""
        return _checked(await self.client.get(path, headers=options))

    async def post(self, path: str, act: str = "", **fields: str) -> httpx.Response:
        """The answer to a form of the page with this address, with its token. `act` is what the form adds to it."""
        page = await self.client.get(path)
        found = re.search(r'name="csrf" value="([^"]+)"', page.text)
        assert found, page.text
        return _checked(await self.client.post(path + act, data={"csrf": found[1], **fields}))

    def create(self, game: str, **parameters: object) -> SiteMatch:
        """A new game; one visitor holds all seats."""
        given = {name: str(value) for name, value in parameters.items()}
        return self.store.create(SetUp(game, given, seats=(SeatPlan("me", self.name),)), PLAYER, time.time())

    def play(self, match: SiteMatch, *moves: str) -> SiteMatch:
        """The game after these moves."""
        for move in moves:
            match = self.store.act(match.id, PLAYER, "move", move, match.num_rows, time.time())
        return match

    def finished(self, game: str, seed: int = 1, **parameters: object) -> SiteMatch:
        """A game played at random to its end."""
        match, chance = self.create(game, **parameters), random.Random(seed)
        while not match.is_over:
            match = self.play(match, chance.choice(list(match.game.legal_moves)))
        return match


@contextlib.contextmanager
def kept_worker(workshop: Workshop) -> Iterator[None]:
    """Let the workshop of a site use a process of the one before: to start one takes half a second of processor time.

    The workshop is closed at the end, when its work is done; its process stays.
    """
    worker = WORKERS.pop() if WORKERS else _Process()
    workshop._idle, workshop._processes = [worker], ()
    try:
        yield
    finally:
        workshop.close()
        WORKERS.append(worker)


@contextlib.asynccontextmanager
async def pages(database_url: str, limits: Limits = UNLIMITED, docs: Path = Path("/nowhere")) -> AsyncIterator[Pages]:
    """A site on an empty database."""
    app = create_app(Settings(database_url, "a key of the tests", limits=limits, docs=docs))
    store: Store = app.state.site.store
    store.database.upgrade()
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    try:
        with kept_worker(app.state.site.workshop), kept_worker(app.state.site.slow_workshop):
            async with httpx.AsyncClient(transport=transport, base_url="http://site", timeout=60) as client:
                yield Pages(client, store)
    finally:
        if hasattr(app.state, "analyst"):
            await app.state.analyst.close()
        store.database.close()


def _checked(answer: httpx.Response) -> httpx.Response:
    assert answer.status_code < 500, answer.text
    if answer.headers.get("content-type", "").startswith("text/html"):
        assert "style-src 'self'" in answer.headers["content-security-policy"]
        assert not re.search(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|<[^>]*\son[a-z]+=|javascript:", answer.text)
    return answer


def all_done(store: Store, acts: Sequence[Act]) -> list[SiteMatch | Exception]:
    """The outcomes of acts that come together: of each that wasn't written with others, as it is done by itself."""
    outcomes: list[SiteMatch | Exception] = []
    for act, outcome in zip(acts, store.act_all(acts), strict=True):
        if outcome is None:
            try:
                outcome = store.act(act.id, act.visitor, act.kind, act.text, act.ply, act.now)
            except Exception as error:
                outcome = error
        outcomes.append(outcome)
    return outcomes
