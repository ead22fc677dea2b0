"""Nothing acknowledged is ever lost: the server is killed again and again while people play."""

import itertools
import random
import threading
import time
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Engine, create_engine, text

import quet

from .serving import UNLIMITED, Visitor, WarmServer, set_up, wait_for

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
        self.num_cut = 0  # requests that the server's death cut off
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
        """The answer; None where the server died over it."""
        try:
            return self._visitor.post(path, **fields)
        except httpx.ConnectError:
            time.sleep(0.03)
            return None
        except httpx.TransportError:
            self.num_cut += 1
            return None


def stored(engine: Engine) -> Moves:
    """The moves that the database holds; fails where a row is missing among them, or a game is half made."""
    games: Moves = {}
    with engine.connect() as connection:  # one statement, which sees one moment
        found = connection.execute(EVERYTHING).all()
    for (id, num_rows), rows in itertools.groupby(found, key=lambda row: row[:2]):
        _, _, plies, kinds, texts = zip(*rows, strict=True)
        assert plies == tuple(range(num_rows))
        assert kinds == ("start", *["move"] * (num_rows - 1))
        games[id] = list(texts[1:])
    return games


def wait_for_a_move(players: list[Player]) -> None:
    """Return when the server has acknowledged another move; fail when a player has failed."""
    before = sum(player.num_moves for player in players)

    def has_moved() -> bool:
        assert [player.failure for player in players] == [None] * len(players)
        return sum(player.num_moves for player in players) > before

    wait_for(has_moved, "a move")


@pytest.mark.parametrize(("kind", "kills"), [("sqlite", 200), ("postgresql", 30)])
def test_every_acknowledged_move_survives_the_death_of_the_server(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str, kills: int
) -> None:
    url: str = request.getfixturevalue(f"{kind}_url")
    server = WarmServer(tmp_path, url, **UNLIMITED)
    engine = create_engine(url)
    players = [Player(number, server.url) for number in range(PLAYERS)]
    generator = random.Random(kills)
    for player in players:
        player.start()
    try:
        for _ in range(kills):
            wait_for_a_move(players)
            time.sleep(generator.uniform(0, 0.03))
            server.kill()
            acknowledged = {id: moves[:] for player in players for id, moves in list(player.acknowledged.items())}
            server.start_again()
            found = stored(engine)
            for id, moves in acknowledged.items():
                assert found[id][: len(moves)] == moves
    finally:
        for player in players:
            player.is_done.set()
        for player in players:
            player.join()
        server.stop()
    assert [player.failure for player in players] == [None] * PLAYERS
    found = stored(engine)
    engine.dispose()
    for player in players:
        for id, moves in player.acknowledged.items():
            assert found[id] == moves  # and nothing else: no move twice
    assert sum(player.num_moves for player in players) > kills
    assert sum(player.num_cut for player in players) > 0
