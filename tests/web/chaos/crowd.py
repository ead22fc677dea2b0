"""People who play on, whatever happens to the site, and what they were told that it has done.

Each trouble of `test_chaos.py` befalls the site again and again while they play. After each, and at the end, the
database must hold every move that was acknowledged.
"""

import itertools
import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from sqlalchemy import Engine, create_engine, text

import quet

from ..serving import Visitor, set_up, wait_for

PLAYERS = 4  # who play at once, each their own games against themselves
GAMES: list[tuple[str, dict[str, int]]] = [
    ("blob", {"n": 20}),
    ("divisors-multiples", {"r": 100}),
    ("palindromes", {"m": 64}),
    ("plusses-minuses", {"n": 20}),
    ("up-and-up", {"n": 20}),
]
EVERYTHING = text(
    "SELECT games.id, num_rows, ply, kind, text FROM games LEFT JOIN moves ON games.id = game_id ORDER BY games.id, ply"
)
Moves = dict[str, list[str]]  # by the id of their game, in order


class Player(threading.Thread):
    """Plays game after game at random, whatever happens to the server in between."""

    def __init__(self, number: int, url: str) -> None:
        super().__init__()
        self.acknowledged: Moves = {}
        self.num_cut = 0  # requests without an answer
        self.num_refused = 0  # requests answered by 503
        self.failure: BaseException | None = None
        self.is_done = threading.Event()
        self._random = random.Random(number)
        self._visitor = Visitor(url)

    def run(self) -> None:
        """Play until told that it is enough."""
        try:
            for id, parameters in itertools.cycle(self._random.sample(GAMES, len(GAMES))):
                self._play(id, parameters)
                if self.is_done.is_set():
                    break
        except BaseException as failure:
            self.failure = failure
        finally:
            self._visitor.close()

    @property
    def num_moves(self) -> int:
        """How many moves were acknowledged so far."""
        return sum(map(len, list(self.acknowledged.values())))

    def _play(self, id: str, parameters: dict[str, int]) -> None:
        """Play a game to its end; note each move as soon as the server acknowledges it."""
        while (created := self._post(f"/new/{id}", **set_up(**parameters))) is None:
            pass
        assert created.status_code == 200, created.text
        link = f"/play/{created.json()['id']}"
        game = quet.new(id, **parameters)
        moves = self.acknowledged[link.removeprefix("/play/")] = []
        while not game.is_over and not self.is_done.is_set():
            move = self._random.choice(game.legal_moves)
            answer, was_cut = self._post(f"{link}/move", ply=game.ply + 1, move=move), False
            while answer is None:
                answer, was_cut = self._post(f"{link}/move", ply=game.ply + 1, move=move), True
            # What was cut off may have been done; then the same again comes too late, perhaps for a game that is over.
            assert answer.status_code == 200 or (was_cut and answer.status_code in (409, 422)), answer.text
            game.play(move)
            moves.append(move)

    def _post(self, path: str, **fields: str | int) -> httpx.Response | None:
        """The answer; None where the server died over it, or said that it can't do it now."""
        try:
            answer = self._visitor.post(path, **fields)
        except httpx.ConnectError:
            time.sleep(0.03)
            return None
        except httpx.TransportError:
            self.num_cut += 1
            return None
        if answer.status_code != 503:
            return answer
        self.num_refused += 1
        assert int(answer.headers["Retry-After"]) > 0
        time.sleep(0.05)
        return None


def stored(engine: Engine) -> Moves:
    """The moves that the database holds; fails where a row is missing among them, or a game is half made."""
    games: Moves = {}
    with engine.connect() as connection:  # one statement, which sees one moment
        found = connection.execute(EVERYTHING).all()
    for (id, num_rows), rows in itertools.groupby(found, key=lambda row: row[:2]):
        _, _, plies, kinds, texts = zip(*rows, strict=True)
        assert plies == tuple(range(num_rows))
        kinds = tuple(kind.partition("/")[0] for kind in kinds)  # a weaker player may have moved
        assert kinds == ("start", *["move"] * (num_rows - 1)), (id, kinds)
        games[id] = list(texts[1:])
    return games


class Crowd:
    """Players at a site, and the database with what they do there."""

    def __init__(self, url: str, database_url: str) -> None:
        self.players = [Player(number, url) for number in range(PLAYERS)]
        self.engine = create_engine(database_url, pool_pre_ping=True)

    def wait_for_a_move(self) -> None:
        """Return when the site has acknowledged another move; fail when a player has failed."""
        before = self.num_moves

        def has_moved() -> bool:
            assert [player.failure for player in self.players] == [None] * PLAYERS
            return self.num_moves > before

        wait_for(has_moved, "a move")

    @property
    def num_moves(self) -> int:
        """How many moves were acknowledged so far."""
        return sum(player.num_moves for player in self.players)

    @property
    def num_unanswered(self) -> int:
        """How many requests were cut off or refused so far."""
        return sum(player.num_cut + player.num_refused for player in self.players)

    def acknowledged(self) -> Moves:
        """The moves acknowledged so far."""
        return {id: moves[:] for player in self.players for id, moves in list(player.acknowledged.items())}

    def check(self, acknowledged: Moves) -> None:
        """Fail unless the database has these moves; it may have more."""
        found = stored(self.engine)
        for id, moves in acknowledged.items():
            assert found[id][: len(moves)] == moves


@contextmanager
def crowd(url: str, database_url: str) -> Iterator[Crowd]:
    """People who play while something happens to the site; in the end all of their moves must be there, each once."""
    people = Crowd(url, database_url)
    for player in people.players:
        player.start()
    try:
        yield people
    finally:
        for player in people.players:
            player.is_done.set()
        for player in people.players:
            player.join()
        people.engine.dispose()
    assert [player.failure for player in people.players] == [None] * PLAYERS
    found = stored(people.engine)
    people.engine.dispose()
    for id, moves in people.acknowledged().items():
        assert found[id] == moves  # and nothing else: no move twice


def amount(short: int, long: int) -> int:
    """How often a trouble comes: seldom in `make long`, often in `make chaos`."""
    return long if os.environ.get("QUET_CHAOS") else short
