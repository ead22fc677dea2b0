"""Games of two players on the site, each player with a browser of their own, and their spectators."""

import asyncio
import json
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from swarm import Answer, Failed, Stream, Visitor

import quet

KINDS: dict[str, dict[str, int]] = {  # the games of two, at sizes that last for LONGEST moves
    "blob": {"n": 12},
    "convoluted-coprimality": {"n": 20, "grids": 1000},
    "divisors-multiples": {"r": 30},
    "palindromes": {"m": 64},
    "plusses-minuses": {"n": 20},
}
LONGEST = 56
START = 1  # rows of a game before its first move: it has begun
TIMEOUT = 120.0  # seconds until a move that nobody heard of has failed


@dataclass(frozen=True)
class Script:
    """A random game, made beforehand, so that only the server is measured."""

    kind: str
    moves: list[str]
    movers: list[int]

    @classmethod
    def write(cls, kind: str, seed: int) -> "Script":
        generator = random.Random(seed)
        while True:
            game = quet.new(kind, **KINDS[kind])
            movers = []
            while not game.is_over and game.ply < LONGEST:
                movers.append(game.mover or 0)
                game.play(generator.choice(game.legal_moves))
            if game.ply == LONGEST:
                return cls(kind, game.moves, movers)


@dataclass
class Table:
    """A game on the site, with what its players and spectators heard of it."""

    id: str
    script: Script
    players: list[Visitor]
    streams: list[Stream] = field(default_factory=list)
    heard: list[list[int]] = field(default_factory=list)  # for each stream, the rows that its events told of
    ply: int = 0  # moves acknowledged
    written: dict[int, int] = field(default_factory=dict)  # rows for it, by the port of a bare endpoint
    posted: float = 0.0  # when the last one went out
    delays: list[float] = field(default_factory=list)  # seconds from a move to the opponent's event
    _turn: "asyncio.Future[None] | None" = None

    @property
    def rows(self) -> int:
        """The rows of the game, as its players know it."""
        return START + self.ply

    @classmethod
    async def open(cls, port: int, script: Script, *, is_watched: bool) -> "Table":
        """Two people sit down by a link, and a spectator may come. Raises Failed if the site objects."""
        first, second = [await Visitor.arrive(port) for _ in range(2)]
        form = {f"parameter-{name}": value for name, value in KINDS[script.kind].items()}
        answer = await first.ask("POST", f"/new/{script.kind}", {**form, "seat-1": "me", "seat-2": "link"})
        id: str = json.loads(answer.body)["id"]
        page = await first.ask("GET", f"/play/{id}")
        invitation = re.search(rb"/play/%b/seat/[\w-]+" % id.encode(), page.body)
        if invitation is None:
            raise Failed("The page shows no link for the second player.")
        await second.ask("POST", invitation[0].decode(), {})
        table = cls(id, script, [first, second])
        watchers = [first, second] + ([await Visitor.arrive(port)] if is_watched else [])
        for listener, visitor in enumerate(watchers):
            table.heard.append([])
            stream = await Stream.open(port, f"/play/{id}/events", visitor.cookie, table._listener(listener))
            table.streams.append(stream)
        return table

    async def play(self, until: int, thinking: float = 0.0) -> None:
        """Play on until so many moves are made. A player moves as soon as the move before is heard of.

        With `thinking`, a player takes that many seconds for a move on the average. Raises Failed where a move is
        refused, or not heard of.
        """
        while self.ply < until:
            if thinking:
                await asyncio.sleep(random.uniform(0, 2 * thinking))
            mover = self.players[self.script.movers[self.ply] - 1]
            form = {"ply": self.rows, "move": self.script.moves[self.ply]}
            request = mover.request("POST", f"/play/{self.id}/move", form)
            turn = self._turn = asyncio.get_running_loop().create_future()
            self.posted = time.perf_counter()
            self._check(await mover.connection.ask(request))
            async with asyncio.timeout(TIMEOUT):
                await turn
            self.ply += 1

    async def finish(self) -> None:
        """Return when every listener has heard of the last move; raises Failed where one never does."""
        end = time.monotonic() + TIMEOUT
        while not all(heard and heard[-1] == self.rows for heard in self.heard):
            if time.monotonic() > end:
                raise Failed(f"Not everybody heard of move {self.ply} of {self.id}: {self.heard}")
            await asyncio.sleep(0.05)

    def _check(self, answer: Answer) -> None:
        if answer.status != 200 or answer.body.replace(b" ", b"") != b'{"ply":%d}' % (self.rows + 1):
            raise Failed(f"Move {self.ply} of {self.id}: {answer.status} {answer.body[:300]!r}")

    def _listener(self, listener: int) -> Callable[[int], None]:
        """The function that is called with each event of a stream: that of the first player, the second, or a
        spectator.
        """

        def hear(rows: int) -> None:
            self.heard[listener].append(rows)
            if rows == self.rows + 1 and listener == 2 - self.script.movers[self.ply] and self._turn:
                self.delays.append(time.perf_counter() - self.posted)
                self._turn.set_result(None)
                self._turn = None

        return hear
