"""Who has a turn, who waits, and who is refused."""

import asyncio

import pytest

from quet.web.errors import Busy
from quet.web.turns import Asker, FairQueue, Pass, Turns

ANN, BEN, EVE = Asker("1.1.1.1", "ann"), Asker("1.1.1.1", "ben"), Asker("6.6.6.6", "eve")


def emptied(queue: FairQueue[str]) -> str:
    """The items in the order in which they come out."""
    out = []
    while (item := queue.pop()) is not None:
        out.append(item)
    assert not len(queue)
    return " ".join(out)


def filled(queue: FairQueue[str], *items: tuple[Asker, str]) -> list[str | None]:
    """What is left out for each of these items."""
    return [queue.add(asker, item) for asker, item in items]


def test_addresses_take_turns_and_so_do_the_visitors_of_an_address() -> None:
    queue: FairQueue[str] = FairQueue(9)
    filled(queue, *[(EVE, f"e{k}") for k in range(4)], (ANN, "a0"), (ANN, "a1"), (BEN, "b0"))
    assert emptied(queue) == "e0 a0 e1 b0 e2 a1 e3"


def test_where_the_queue_is_full_the_newest_of_the_longest_line_gives_way() -> None:
    queue: FairQueue[str] = FairQueue(4)
    filled(queue, *[(EVE, f"e{k}") for k in range(4)])
    assert filled(queue, (EVE, "e4"), (ANN, "a0"), (BEN, "b0"), (ANN, "a1")) == ["e4", "e3", "e2", "a1"]
    assert emptied(queue) == "e0 a0 e1 b0"


def test_a_visitor_gives_way_to_another_of_the_same_address() -> None:
    queue: FairQueue[str] = FairQueue(3)
    filled(queue, *[(ANN, f"a{k}") for k in range(3)])
    assert filled(queue, (BEN, "b0"), (BEN, "b1")) == ["a2", "b1"]
    assert emptied(queue) == "a0 b0 a1"


def test_nobody_gives_way_where_all_have_one() -> None:
    queue: FairQueue[str] = FairQueue(2)
    filled(queue, (ANN, "a"), (EVE, "e"))
    assert filled(queue, (Asker("7.7.7.7", "x"), "x"), (BEN, "b")) == ["x", "b"]


def test_an_item_is_discarded_whosever_it_is() -> None:
    queue: FairQueue[str] = FairQueue(4)
    filled(queue, (ANN, "a0"), (BEN, "b0"), (EVE, "e0"), (BEN, "b1"))
    for item in ("b0", "e0", "e0", "nobody's"):
        queue.discard(item)
    assert len(queue) == 2 and filled(queue, (EVE, "e1"), (EVE, "e2")) == [None, None]
    assert emptied(queue) == "a0 e1 b1 e2"


async def test_so_many_go_on_at_once_and_the_rest_wait_or_are_refused() -> None:
    turns = Turns(2, 2)
    first, second, third, fourth = [turns.ask(EVE) for _ in range(4)]
    assert [turn.done() for turn in (first, second, third, fourth)] == [True, True, False, False]
    with pytest.raises(Busy):
        turns.ask(EVE)
    mine = turns.ask(ANN)
    with pytest.raises(Busy):
        await fourth
    for turn in (third, mine):
        assert not turn.done()
        turns.give_back()
        assert turn.done()


async def test_who_gives_up_while_waiting_is_passed_over() -> None:
    turns = Turns(1, 9)

    async def work(asker: Asker, done: list[Asker]) -> None:
        await turns.wait(turns.ask(asker))
        done.append(asker)
        await asyncio.sleep(0)
        turns.give_back()

    done: list[Asker] = []
    await turns.wait(turns.ask(EVE))
    tasks = [asyncio.create_task(work(asker, done)) for asker in (EVE, ANN, BEN)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    await asyncio.sleep(0)
    turns.give_back()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert done == [EVE, BEN] or done == [BEN, EVE]
    assert turns.ask(ANN).done()  # the turn was given back


async def test_who_gives_up_leaves_the_queue_at_once() -> None:
    turns = Turns(1, 2)
    turns.ask(EVE)
    for _ in range(3):
        turns.give_up(turns.ask(ANN))
        waiting = asyncio.create_task(turns.wait(turns.ask(ANN)))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    mine, other = turns.ask(ANN), turns.ask(BEN)  # there is room for two
    turns.give_up(mine)
    turns.give_up(mine)  # counts once
    turns.give_back()
    assert other.done() and not other.cancelled()
    turns.give_up(other)  # a turn that has come is given back
    assert turns.ask(ANN).done() and not turns.ask(EVE).done()


async def test_who_gives_up_in_the_moment_of_the_turn_gives_it_back() -> None:
    turns = Turns(1, 9)
    turns.ask(EVE)

    async def work() -> None:
        await turns.wait(turns.ask(ANN))
        raise AssertionError("It was cancelled.")

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    turns.give_back()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert turns.ask(BEN).done()


async def test_a_short_turn_lasts_as_long_as_the_least_one_and_is_then_given_on() -> None:
    turns = Turns(1, 9)
    short, free = Pass(turns, at_least=0.5), Pass(turns)
    await short.take(EVE)
    short.give_back()
    short.give_back()  # counts once
    waiting = asyncio.create_task(free.take(ANN))
    await asyncio.sleep(0)
    assert not waiting.done()
    await waiting
    other = turns.ask(BEN)
    assert not other.done()  # there is one turn, not two
    free.give_back()
    assert other.done()  # a pass without a least time gives it on at once


async def test_after_a_turn_others_wait_as_long_as_it_took_but_no_longer_than_the_rest() -> None:
    turns = Turns(1, 9)
    loop = asyncio.get_running_loop()
    for rest, least in ((0.04, 0.02), (0.005, 0.005)):
        first = Pass(turns, rest=rest)
        await first.take(EVE)
        await asyncio.sleep(0.02)
        began = loop.time()
        first.give_back()
        turn = turns.ask(ANN)
        assert not turn.done()
        await turn
        assert loop.time() - began > 0.9 * least
        turns.give_back()


async def test_a_turn_that_lasted_long_enough_is_given_on_at_once() -> None:
    turns = Turns(1, 9)
    long = Pass(turns, at_least=0.01)
    await long.take(EVE)
    mine = turns.ask(ANN)
    await asyncio.sleep(0.03)
    long.give_back()
    assert mine.done()
