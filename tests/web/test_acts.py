"""Acts are written together, and each visitor is answered as if theirs had been the only one."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from sqlalchemy import event

from quet.core.errors import IllegalMove, NotYourTurn, UnreadableMove
from quet.web.acts import READ_AT_ONCE, Acts
from quet.web.errors import BadForm, NoSuchGame, NotYourSeat, Superseded
from quet.web.match import SiteMatch
from quet.web.new_games import SeatPlan, SetUp
from quet.web.storage.database import Database
from quet.web.storage.store import Act, Store
from quet.web.turns import Asker

NOW = 1_000_000.0
SET_UP = SetUp("palindromes", {"m": "6"}, (SeatPlan("me", "Ann"), SeatPlan("me", "Ann")))


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    """The store of a new database."""
    database = Database(database_url)
    database.upgrade()
    yield Store(database)
    database.close()


@pytest.fixture
def commits(store: Store) -> list[object]:
    """Grows by one with each commit."""
    counted: list[object] = []
    event.listen(store.database._engine, "commit", counted.append)
    return counted


def begin(store: Store, count: int) -> list[str]:
    """The ids of new games that ann plays against herself."""
    return [store.create(SET_UP, "ann", NOW).id for _ in range(count)]


def move(id: str, text: str = "1=0", ply: int | None = 1, visitor: str = "ann", kind: str = "move") -> Act:
    return Act(id, visitor, kind, text, ply, NOW)


def asker(act: Act) -> Asker:
    return Asker("192.0.2.1", act.visitor)


async def at_once(store: Store, *acts: Act) -> list[SiteMatch | BaseException]:
    """The outcomes of acts that come at the same time."""
    waiting = Acts(store)
    return await asyncio.gather(*(waiting.act(act, asker(act)) for act in acts), return_exceptions=True)


async def test_what_comes_at_the_same_time_is_written_in_one_transaction(store: Store, commits: list[object]) -> None:
    ids = begin(store, 20)
    commits.clear()
    matches = await at_once(store, *map(move, ids))
    assert [match.id for match in matches if isinstance(match, SiteMatch)] == ids
    assert len(commits) < 5  # the first alone, the others when that is done
    fresh = Store(store.database)
    assert all(fresh.load(id).game.moves == ["1=0"] for id in ids)


async def test_what_is_refused_spoils_nothing_for_the_others(store: Store) -> None:
    first, second, third, fourth, fifth, last = begin(store, 6)
    done = await at_once(
        store,
        move(first),
        move(second, "7=0"),
        move(third, visitor="bob"),
        move(fourth, kind="cheat"),
        move(fifth, ply=9),
        move("x" * 22),
        move(last),
    )
    refused = [UnreadableMove, NotYourSeat, BadForm, Superseded, NoSuchGame]
    assert [type(one) for one in done] == [SiteMatch, *refused, SiteMatch]
    fresh = Store(store.database)
    moves = [fresh.load(id).game.moves for id in (first, second, third, fourth, fifth, last)]
    assert moves == [["1=0"], [], [], [], [], ["1=0"]]


async def test_of_two_moves_in_one_game_one_wins(store: Store) -> None:
    before, id, after = begin(store, 3)
    done = await at_once(store, move(before), move(id, "1=0"), move(id, "2=0"), move(after))
    assert [type(one) for one in done] == [SiteMatch, SiteMatch, Superseded, SiteMatch]
    assert Store(store.database).load(id).game.moves == ["1=0"]


async def test_a_game_that_another_process_has_changed_spoils_nothing_for_the_others(store: Store) -> None:
    ids = begin(store, 5)
    other = Store(store.database)
    other.act(ids[2], "ann", "move", "2=1", 1, NOW)  # our store doesn't know
    done = await at_once(store, *map(move, ids))
    assert [type(one) for one in done] == [SiteMatch, SiteMatch, Superseded, SiteMatch, SiteMatch]
    assert other.load(ids[2]).game.moves == ["2=1"]
    assert all(other.load(id).game.moves == ["1=0"] for id in ids if id != ids[2])


async def test_nobody_waits_while_a_game_that_another_process_has_changed_is_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, stale, fresh = begin(store, 3)
    other = Store(store.database)
    other.act(stale, "ann", "move", "2=1", 1, NOW)
    are_answered, load, waited = threading.Event(), store.load, []

    def slow(id: str) -> SiteMatch:
        waited.append((id, are_answered.wait(20)))
        return load(id)

    monkeypatch.setattr(store, "load", slow)
    waiting = Acts(store)
    acts = [move(first), move(stale, "3=0", None), move(fresh), move(stale, "4=0", None)]
    tasks = [asyncio.create_task(waiting.act(act, asker(act))) for act in acts]
    await asyncio.gather(tasks[0], tasks[2])
    later = asyncio.create_task(waiting.act(move(stale, "5=0", None), asker(acts[1])))
    assert (await waiting.act(move(fresh, "2=0", 2), asker(acts[2]))).game.moves == ["1=0", "2=0"]
    are_answered.set()
    await asyncio.gather(*tasks, later)
    assert set(waited) == {(stale, True)}
    assert other.load(stale).game.moves == ["2=1", "3=0", "4=0", "5=0"]  # in the order in which they came


async def test_acts_of_two_people_in_a_game_that_is_not_in_memory_keep_their_order(store: Store) -> None:
    *others, id = begin(store, 2 * READ_AT_ONCE + 1)
    waiting, ann, bob = Acts(Store(store.database)), Asker("192.0.2.1", "ann"), Asker("192.0.2.2", "ann")
    acts = [(move(other), ann) for other in others]  # so that ann has waited often, and bob not at all
    acts += [(move(id, "1=0", None), ann), (move(id, "2=0", None), bob), (move(id, "3=0", None), ann)]
    await asyncio.gather(*(waiting.act(act, who) for act, who in acts))
    assert store.load(id).game.moves == ["1=0", "2=0", "3=0"]


async def test_acts_in_a_game_that_is_read_wait_for_earlier_ones_though_it_is_in_memory_by_then(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stale, fresh = begin(store, 2)
    other = Store(store.database)
    other.act(stale, "ann", "move", "2=1", 1, NOW)
    waiting, act, act_all = Acts(store), store.act, store.act_all
    is_writing, has_come, is_read, may_go_on = (threading.Event() for _ in range(4))

    def begun(*acts: Act) -> list[asyncio.Task[SiteMatch]]:
        return [asyncio.create_task(waiting.act(one, asker(one))) for one in acts]

    def slow_batch(acts: Sequence[Act]) -> list[Any]:
        if is_writing.is_set():
            is_read.wait(20)
        else:
            is_writing.set()
            has_come.wait(20)
        return act_all(acts)

    def slow(*given: Any) -> SiteMatch:
        if given[3] == "4=0":
            may_go_on.wait(20)
        after = act(*given)
        is_read.set()
        return after

    monkeypatch.setattr(store, "act_all", slow_batch)
    monkeypatch.setattr(store, "act", slow)
    tasks = begun(move(stale, "3=0", None), move(stale, "4=0", None))
    await asyncio.to_thread(is_writing.wait, 20)
    tasks += begun(move(stale, "5=0", None))  # while it isn't known yet that the game has to be read
    moves = begun(move(fresh))
    await asyncio.sleep(0)
    has_come.set()
    await asyncio.gather(tasks[0], *moves)
    tasks += begun(move(stale, "6=0", None))  # when it has been read
    await asyncio.gather(*begun(move(fresh, "2=0", 2)))
    may_go_on.set()
    await asyncio.gather(*tasks)
    assert store.load(stale).game.moves == ["2=1", "3=0", "4=0", "5=0", "6=0"]


async def test_nobody_waits_for_ever_where_writing_fails(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = begin(store, 2)
    waiting, act_all, has_come = Acts(store), store.act_all, threading.Event()

    def broken(acts: Sequence[Act]) -> list[Any]:
        has_come.wait(20)
        raise ZeroDivisionError

    monkeypatch.setattr(store, "act_all", broken)
    tasks = []
    for id in (first, second):
        tasks.append(asyncio.create_task(waiting.act(move(id), asker(move(id)))))
        await asyncio.sleep(0.01)  # so that the second comes while the first is written
    writing = waiting._writing
    has_come.set()
    assert (await asyncio.wait(tasks, timeout=20))[1] == set() and all(task.cancelled() for task in tasks)
    assert writing is not None and isinstance(writing.exception(), ZeroDivisionError)
    monkeypatch.setattr(store, "act_all", act_all)
    assert type(await asyncio.wait_for(waiting.act(move(first), asker(move(first))), 20)) is SiteMatch


async def test_nobody_waits_for_a_game_that_is_read_when_the_server_ends(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    (id,) = begin(store, 1)
    waiting, may_go_on = Acts(other := Store(store.database)), threading.Event()
    monkeypatch.setattr(other, "act", lambda *given: may_go_on.wait(20))
    acts = [move(id, f"{number}=0", None) for number in (1, 2)]
    tasks = [asyncio.create_task(waiting.act(act, asker(act))) for act in acts]
    await asyncio.sleep(0)
    (line,) = waiting._tasks
    await asyncio.sleep(0)
    line.cancel()
    may_go_on.set()
    assert (await asyncio.wait(tasks, timeout=20))[1] == set() and all(task.cancelled() for task in tasks)


async def test_few_games_are_read_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ids, lock, now, most = begin(store, 3 * READ_AT_ONCE), threading.Lock(), [0], [0]
    waiting = Acts(other := Store(store.database))
    act = other.act

    def counted(*given: Any) -> SiteMatch:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        try:
            return act(*given)
        finally:
            with lock:
                now[0] -= 1

    monkeypatch.setattr(other, "act", counted)
    await asyncio.gather(*(waiting.act(move(id), Asker(f"192.0.2.{k}", "ann")) for k, id in enumerate(ids)))
    assert 1 <= most[0] <= READ_AT_ONCE and not waiting._apart


async def test_an_act_in_a_game_that_is_not_in_memory_goes_before_later_ones(store: Store) -> None:
    (id,) = begin(store, 1)
    done = await at_once(Store(store.database), *(move(id, f"{number}=0", None) for number in range(1, 5)))
    assert [type(one) for one in done] == 4 * [SiteMatch]
    assert store.load(id).game.moves == ["1=0", "2=0", "3=0", "4=0"]


async def test_who_leaves_keeps_nobody_waiting(store: Store) -> None:
    first, second, third = begin(store, 3)
    waiting = Acts(store)
    tasks = [asyncio.create_task(waiting.act(move(id), asker(move(id)))) for id in (first, second, third)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    done = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in done] == [SiteMatch, asyncio.CancelledError, SiteMatch]
    later = move(first, "2=0", 2)
    assert type(await waiting.act(later, asker(later))) is SiteMatch


async def test_a_resignation_goes_together_with_moves(store: Store) -> None:
    first, second = begin(store, 2)
    await at_once(store, move(first), move(second))
    done = await at_once(store, move(first, "2=0", 2), move(second, "", None, kind="resign"))
    assert [one.is_over for one in done if isinstance(one, SiteMatch)] == [False, True]
    third = begin(store, 1)[0]
    late, refused = await at_once(store, move(third), move(second, "3=0", None))
    assert type(late) is SiteMatch
    assert isinstance(refused, (IllegalMove, NotYourTurn))
