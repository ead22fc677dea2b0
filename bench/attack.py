"""60 connections that ask for one costly page without end, and an honest player: how long do moves take meanwhile?

    python bench/attack.py [--quick] [--write] [PAGE ...]

The site runs as `quet serve` does, with its limits lifted, so that only its queues defend it. One player plays a move
every 40 ms. Then 60 connections attack one page, each with the next request as soon as the last is answered, whatever
the answer says of waiting; and the player plays on. The p99 of moves under attack is divided by that before it. The bar
is 3. The player is measured before each attack, since a machine isn't always as fast. Each page is attacked in three
rounds, between which the other pages have their turns; the medians count. --quick tries everything out with a few
moves; its numbers mean nothing. --write puts the table into docs/load.md.
"""

import argparse
import asyncio
import itertools
import json
import os
import signal
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from multiprocessing import Array, Process
from multiprocessing.sharedctypes import SynchronizedArray
from pathlib import Path
from urllib.parse import urlencode

from servers import Process as Server
from servers import site
from swarm import Connection, Failed, Visitor, request

import quet
from quet import puzzles
from quet.records.record import Record
from quet.records.record_text import moves_text

DOCS = Path(__file__).parents[1] / "docs" / "load.md"
BEGIN, END = "<!-- Written by bench/attack.py --write. -->", "<!-- End of what bench/attack.py writes. -->"
BAR = 3.0
CONNECTIONS = 60
PAUSE = 0.04  # seconds between the honest player's moves
MOVES = 100  # measured before each attack, and during it
ROUNDS = 3
WARM_UP = 1.0  # seconds that an attack lasts, after its first answer, before moves are measured
PATIENCE = 60.0  # seconds for the first answer
REST = 1.0  # seconds after an attack
GAME, LENGTH = "palindromes", 64  # what the honest player plays: moves that are always legal, in this many squares


@dataclass
class Player:
    """Somebody who plays alone, one game after another, and notes how long each move takes."""

    visitor: Visitor
    id: str = ""
    ply: int = 0

    async def play(self, moves: int) -> list[float]:
        """The seconds that so many moves took. Raises Failed if one is refused."""
        took = []
        for _ in range(moves):
            if not self.id or self.ply == LENGTH:
                self.id, self.ply = await _create(self.visitor, GAME, m=LENGTH), 0
            move = {"ply": self.ply + 1, "move": f"{self.ply + 1}={self.ply % 2}"}
            began = time.perf_counter()
            await self.visitor.ask("POST", f"/play/{self.id}/move", move)
            took.append(time.perf_counter() - began)
            self.ply += 1
            await asyncio.sleep(PAUSE)
        return took


async def _create(visitor: Visitor, game: str, **parameters: int) -> str:
    """The id of a new game; the visitor holds all seats."""
    form = {f"parameter-{name}": value for name, value in parameters.items()}
    answer = await visitor.ask("POST", f"/new/{game}", {**form, "seat-1": "me", "seat-2": "me"})
    id: str = json.loads(answer.body)["id"]
    return id


class Attack:
    """Connections that ask for one page without end, in a process of their own."""

    def __init__(self, port: int, requests: list[bytes]) -> None:
        """They ask for these in turn."""
        self._counts = Array("q", 2)  # answered, refused
        self._process = Process(target=_attack, args=(port, requests, self._counts), daemon=True)
        self._process.start()

    async def begin(self) -> None:
        """Return when the attack goes on. Raises Failed if it doesn't begin."""
        patient_until = time.monotonic() + PATIENCE
        while not self._counts[0] + self._counts[1]:
            if time.monotonic() > patient_until:
                raise Failed("No request of the attack is answered.")
            await asyncio.sleep(PAUSE)
        await asyncio.sleep(WARM_UP)

    def end(self) -> tuple[int, int]:
        """End it, and tell how many requests were answered and how many refused."""
        self._process.terminate()
        self._process.join()
        return self._counts[0], self._counts[1]


def _attack(port: int, requests: list[bytes], counts: "SynchronizedArray[int]") -> None:
    """Attack until the process is ended."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    async def ask(connection: Connection) -> None:
        while True:
            try:
                status = (await connection.ask(next(turns))).status
            except (Failed, OSError):  # the server hung up
                status = 0
            counts[0 if 200 <= status < 400 else 1] += 1

    async def all_ask() -> None:
        await asyncio.gather(*(ask(Connection(port)) for _ in range(CONNECTIONS)))

    turns = itertools.cycle(requests)
    asyncio.run(all_ask())


async def targets(port: int) -> dict[str, list[bytes]]:
    """The costly pages by name: requests for each."""
    visitor = await Visitor.arrive(port)
    game = quet.new("blob", n=20)
    id = await _create(visitor, "blob", n=20)
    while game.ply < 60:
        move = game.legal_moves[len(game.legal_moves) // 2]
        await visitor.ask("POST", f"/play/{id}/move", {"ply": game.ply + 1, "move": move})
        game.play(move)
    large = await _create(visitor, "divisors-multiples", r=1000)
    over = await _finished(visitor)
    paper = urlencode({"csrf": visitor.csrf, "n": 20, "paper": "\n".join(["." * 20] * 20)}).encode()

    study = urlencode({"game": "blob", "parameters": "n=20", "moves": moves_text(Record.of(game))})
    begun = [
        request(port, "GET", f"/study?{urlencode({'record': _set_up(number)})}", b"", "text/html")
        for number in range(9)
    ]

    def get(path: str) -> list[bytes]:
        """Each time with another number in it, if it has a place for one, so that nothing kept helps."""
        return [request(port, "GET", path.format(number=number), b"", "text/html") for number in range(1, 60)]

    return {
        "GIF": get(f"/play/{id}/picture.gif?ply={{number}}"),
        "PNG": get(f"/play/{id}/picture.png?ply={{number}}"),
        "SVG": get(f"/play/{large}/picture.svg"),
        "paper": [request(port, "POST", "/paper/blob", paper, "application/x-www-form-urlencoded", visitor.cookie)],
        "sheet": get("/sheets/divisors-multiples.svg?r=9{number}"),
        "analysis": get(f"/study/{over}?ply={{number}}"),
        "study page": get(f"/study/{large}"),
        "table of 1000 squares": get(f"/play/{large}"),
        "rules": get("/rules/blob"),
        "home": get("/"),
        "study board": get(f"/study?{study}&at={{number}}"),
        "position in a record": begun,
        "card of a game": get("/card/divisors-multiples.png"),
        "table of results": get("/results/divisors-multiples"),
        "row of the table": get("/results/sequence-ascension/6"),
        "answers": get("/answers"),
        "lesson": get("/learn/divisors-multiples"),
        "puzzle": get(f"/puzzles/blob/{puzzles.of('blob')[-1].id}"),
        "game of the day": get("/daily"),
        "health": get("/health"),
        "readiness": get("/ready"),
    }


def _set_up(number: int) -> str:
    """A record that begins with a position which takes long to read: in which order was the sequence placed?"""
    side, terms = 12, sorted(term % 3 for term in range(1, 145))
    terms[number], terms[-1 - number] = terms[-1 - number], terms[number]
    rows = " / ".join(" ".join(map(str, terms[k : k + side])) for k in range(0, side * side, side))
    tags = {"Game": "sequence-ascension", "Rules": 1, "n": side, "sequence": "mod3", "Position": rows, "Result": "*"}
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + "\n*\n"


async def _finished(visitor: Visitor) -> str:
    """The id of a game that is over, to be analysed."""
    id = await _create(visitor, GAME, m=LENGTH)
    for ply in range(LENGTH):
        await visitor.ask("POST", f"/play/{id}/move", {"ply": ply + 1, "move": f"{ply + 1}={ply % 2}"})
    return id


@dataclass(frozen=True)
class Round:
    """What an attack did: the p99 of moves before and during it, in seconds, and what the attackers got."""

    before: float
    during: float
    answered: int
    refused: int

    @property
    def ratio(self) -> float:
        return self.during / self.before


@dataclass(frozen=True)
class Row:
    """What the attacks on a page did."""

    name: str
    rounds: list[Round]

    @property
    def ratio(self) -> float:
        """The median of the rounds."""
        return statistics.median(one.ratio for one in self.rounds)

    def text(self) -> str:
        """The row of the table."""
        verdict = "" if self.ratio < BAR else ", missed"
        before, during = (
            f"{statistics.median(times) * 1e3:.1f} ms"
            for times in ([one.before for one in self.rounds], [one.during for one in self.rounds])
        )
        ratios = sorted(one.ratio for one in self.rounds)
        ratio = f"{self.ratio:.1f} ({ratios[0]:.1f}..{ratios[-1]:.1f}){verdict}"
        answered, refused = sum(one.answered for one in self.rounds), sum(one.refused for one in self.rounds)
        return f"| {self.name} | {before} | {during} | {ratio} | {answered:,}, {refused:,} |\n"


async def measure(server: Server, chosen: list[str], moves: int, rounds: int) -> list[Row]:
    """Attack one page after another, and all of them again in each round."""
    pages = await targets(server.port)
    player = Player(await Visitor.arrive(server.port))
    await player.play(50)  # to warm up
    rows = [Row(name, []) for name in chosen or pages]
    for _ in range(rounds):
        for row in rows:
            before = _p99(await player.play(moves))
            attack = Attack(server.port, pages[row.name])
            await attack.begin()
            during = _p99(await player.play(moves))
            row.rounds.append(Round(before, during, *attack.end()))
            print(f"{row.name}: {row.rounds[-1].ratio:.1f}", file=sys.stderr)
            await asyncio.sleep(REST)
    return rows


def _p99(took: list[float]) -> float:
    return statistics.quantiles(took, n=100)[98]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="the pages to attack; by default all")
    parser.add_argument("--quick", action="store_true", help="a few moves; the numbers mean nothing")
    parser.add_argument("--write", action="store_true", help="put the table into docs/load.md")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that the server ends too
    load = os.getloadavg()[0]
    moves, rounds = (10, 1) if options.quick else (MOVES, ROUNDS)
    with tempfile.TemporaryDirectory() as folder, site(Path(folder)) as server:
        rows = asyncio.run(measure(server, options.pages, moves, rounds))
    text = f"{os.cpu_count()} processors; load of the machine by other work before the first attack {load:.1f}. "
    text += f"Medians of {rounds} rounds, with the least and the most ratio.\n\n"
    text += "| page | p99 of a move before | under attack | ratio | answered, refused |\n|---|---|---|---|---|\n"
    text += "".join(row.text() for row in rows)
    print(text)
    if options.write:
        before, _, rest = DOCS.read_text().partition(BEGIN)
        DOCS.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{rest.partition(END)[2]}")
    is_met = all(row.ratio < BAR for row in rows)
    print(f"The bar of {BAR:g} is {'met' if is_met else 'missed'}.")
    return 0 if is_met or options.quick else 1


if __name__ == "__main__":
    sys.exit(main())
