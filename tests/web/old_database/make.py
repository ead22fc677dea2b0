"""The database of issue 11's beginning: games of all kinds, with the undo, offers, clocks and ends of that time.

`database.sqlite.gz` and `expected.json.gz` were made with the code of commit 2f1d3df, by

    PYTHONPATH=src:path/to/tests/web python -m old_database.make

They are kept, and not made again: today's code has to read what the old code wrote, and see in it what the old code
saw.
"""

import gzip
import json
import random
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
START = 1_700_000_000.0
PEOPLE = ("ann", "bob", "cleo")
GAMES = {
    "blob": {"n": "3"},
    "convoluted-coprimality": {"n": "3", "players": "2", "grids": "2"},
    "divisors-multiples": {"r": "10", "players": "3"},
    "palindromes": {"m": "6"},
    "plusses-minuses": {"n": "3"},
    "sequence-ascension": {"n": "3", "sequence": "random:7:1:9"},
    "sums-grid": {"n": "2"},
    "up-and-up": {"n": "3"},
}
CLOCKS: tuple[dict[str, Any], ...] = (
    {},
    {"clock": "live", "clock_seconds": 90.0, "clock_increment": 4.0},
    {"clock": "days", "clock_seconds": 3600.0},
)


def told(match: Any) -> dict[str, object]:
    """What a match is, as plain values: the same function has asked the old code and asks today's."""
    progress = getattr(match, "progress", match)  # today's code has the game in progress apart from its rows
    times = [match.row.created_at, *(row.at for row in match.rows)]
    times += [times[-1] + more for more in (0.5, 30.0, 299.0, 5_000.0)]
    return {
        "game": match.row.game,
        "moves": match.game.moves,
        "plies": [list(ply) for ply in progress.plies],
        "board": match.game.text(),
        "legal": list(match.game.legal_moves)[:50],
        "scores": match.game.scores,
        "status": match.status,
        "mover": match.mover,
        "is_computer_to_move": match.is_computer_to_move,
        "winners": match.winners,
        "end": match.termination.reason if match.termination else None,
        "offer": [match.offer.kind, match.offer.by, list(match.offer.asked)] if match.offer else None,
        "clocks": [[match.clock_left(seat.player, now) for seat in match.seats] for now in times],
        "deadline": match.deadline,
        "undo_counts": [progress.undo_count([seat.player]) for seat in match.seats],
        "record": match.record().text(),
        "summary": match.record().summary,
        "rows": [[row.ply, row.player, row.kind, row.text, row.at] for row in match.rows],
        "seats": [[seat.player, seat.name, seat.computer, seat.visitor, seat.invitation] for seat in match.seats],
    }


def words_of(match: Any) -> list[str]:
    """What the site says about the game: each row, the turn, and the result."""
    from quet.web.views import words

    said = [words.row_words(match, row) for row in match.rows]
    return [*said, words.turn(match, "ann"), *([words.result(match, "ann")] if match.is_over else [])]


def _play(store: Any, match: Any, chance: random.Random, now: float, longest: int) -> float:
    """Let people and computer players do what they may, by chance, until the end or for so long."""
    from quet.core.errors import QuetError

    for _ in range(longest):
        if match.is_over or match.status != "playing":
            break
        now += chance.choice((0.25, 1.0, 2.0, 7.0, 30.0)) * (100 if match.row.clock == "days" else 1)
        match = store.expire(match.id, now)
        if match.is_over:
            break
        legal = match.game.legal_moves
        texts = list(legal)[:500]
        if match.is_computer_to_move:
            match = store.add(match, match.computer_row(chance.choice(texts), now), now)
            continue
        kind = chance.choices(("move", "undo", "draw", "accept", "decline", "resign"), (20, 3, 2, 4, 2, 0.25))[0]
        people = [seat.visitor for seat in match.seats if seat.visitor]
        who = match.seat(match.mover).visitor if kind == "move" else chance.choice(people)
        if match.offer is not None and chance.random() < 0.8:
            kind, who = chance.choice(("accept", "accept", "decline")), match.seat(match.offer.asked[0]).visitor
        try:
            match = store.act(match.id, who, kind, chance.choice(texts), match.num_rows, now)
        except QuetError:  # nothing to take back or to answer
            continue
    return now


def main() -> None:
    """Make both files with the code that is imported, which was that of commit 2f1d3df."""
    from quet.web.database import Database  # type: ignore[import-not-found]
    from quet.web.plans import SeatPlan, SetUp  # type: ignore[import-not-found]
    from quet.web.store import Store  # type: ignore[import-not-found]

    chance = random.Random(11)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "quet.sqlite"
        database = Database(f"sqlite:///{path}")
        database.upgrade()
        store = Store(database)
        now = START
        for game, parameters in GAMES.items():
            seats = (
                1 if game in ("sequence-ascension", "sums-grid", "up-and-up") else int(parameters.get("players", "2"))
            )
            for clock in CLOCKS:
                for plan in ("people", "screen", "computer"):
                    if seats == 1 and plan == "computer":
                        continue
                    plans = [SeatPlan("me", "Ann")]
                    plans += (
                        {
                            "people": [SeatPlan("open")] * (seats - 1),
                            "screen": [SeatPlan("me", "Ann")] * (seats - 1),
                            "computer": [SeatPlan("level:1")] + [SeatPlan("open")] * (seats - 2),
                        }[plan]
                        if seats > 1
                        else []
                    )
                    if chance.random() < 0.4:
                        plans.reverse()
                    match = store.create(SetUp(game, parameters, tuple(plans), **clock), "ann", now)
                    for other in PEOPLE[1:]:
                        if any(seat.is_free for seat in store.load(match.id).seats):
                            match = store.take_seat(match.id, other, other.title(), now)
                    now = _play(store, match, chance, now, chance.choice((6, 40, 120)))
                    now += 10_000.0
        store.create(SetUp("blob", {"n": "4"}, (SeatPlan("me", "Ann"), SeatPlan("link"))), "ann", now)
        called_off = store.create(SetUp("blob", {"n": "4"}, (SeatPlan("me"), SeatPlan("open"))), "ann", now)
        store.release(called_off.id, "ann", now + 5)
        store.create(SetUp("up-and-up", {"n": "3"}, (SeatPlan("me", "Ann"),)), "ann", now, race="r" * 22)
        store.join_race("r" * 22, "bob", "Bob", now + 1)
        over = store.create(SetUp("palindromes", {"m": "2"}, (SeatPlan("me", "Ann"), SeatPlan("open"))), "ann", now)
        over = store.take_seat(over.id, "bob", "Bob", now)
        token = store.hand_over(over.id, 2, "bob", now)
        over = store.take_seat(over.id, "cleo", "Cleo", now, invitation=token)
        over = store.act(over.id, "ann", "resign", "", over.num_rows, now + 3)
        store.rematch(over.id, "cleo", now + 9)
        with database.read() as connection:
            from sqlalchemy import text

            ids = list(connection.scalars(text("SELECT id FROM games ORDER BY created_at, id")))
        fresh = Store(database)
        expected = {}
        for id in ids:
            match = fresh.load(id)
            expected[id] = told(match) | {"words": words_of(match)}
        database.close()
        with sqlite3.connect(path) as whole:
            whole.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            whole.execute("PRAGMA journal_mode=DELETE")
            whole.execute("VACUUM")
        (HERE / "database.sqlite.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
        (HERE / "expected.json.gz").write_bytes(gzip.compress(json.dumps(expected, indent=1).encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
