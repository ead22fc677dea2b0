"""Looks at positions: who has left one for the next holds nobody up. And what is kept of analyses and looks."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from quet.game import new
from quet.records.record import Record
from quet.starts import position
from quet.web import analyst
from quet.web.analyst import MOST_WAITING, Analyst, key_of
from quet.web.turns import Asker

from .in_process import PATIENCE, kept_worker

ANN, BEN, EVE = Asker("1.1.1.1", "ann"), Asker("2.2.2.2", "ben"), Asker("6.6.6.6", "eve")


@pytest.fixture
async def found(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Analyst]:
    """An analyst whose looks take no time."""
    monkeypatch.setattr(analyst, "find_look", len)
    made = Analyst()
    with kept_worker(made.workshop_of_looks):
        yield made
    await made.close()


def ask(found: Analyst, asker: Asker, key: str) -> bool:
    """Ask for a look at a position."""
    return found.ask_look(asker, key, Record.of(new("up-and-up", n=2)).text())


async def until_looked_at(found: Analyst, *keys: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while not all(map(found.knows_look, keys)):
            await asyncio.sleep(0.01)


async def test_a_look_that_is_left_before_it_begins_to_wait_gives_up_its_turn(found: Analyst) -> None:
    held = found.workshop_of_looks.ask(EVE)
    assert held.done()
    assert ask(found, ANN, "first") and ask(found, ANN, "second")  # in one step of the loop
    await asyncio.sleep(0)
    found.workshop_of_looks.give_up(held)
    await until_looked_at(found, "second")
    assert not found.knows_look("first")
    assert ask(found, BEN, "third")
    await until_looked_at(found, "third")


async def test_a_look_that_was_left_is_asked_again_at_once(found: Analyst) -> None:
    held = found.workshop_of_looks.ask(EVE)
    assert ask(found, ANN, "first")
    await asyncio.sleep(0)
    assert ask(found, ANN, "second") and not found.is_looking("first") and ask(found, BEN, "first")
    for _ in range(3):
        await asyncio.sleep(0)
    assert found.is_looking("first")
    found.workshop_of_looks.give_up(held)
    await until_looked_at(found, "first", "second")
    assert not found.is_looking("first")


async def test_a_look_that_runs_is_remembered_when_its_asker_goes_on(
    found: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    num_done, ends, do = 0, asyncio.Event(), found.workshop_of_looks.do_in_turn

    async def do_late(turn: "asyncio.Future[None]", function: Callable[[str], object], record: str) -> object:
        nonlocal num_done
        await turn
        await ends.wait()
        num_done += 1
        return await do(turn, function, record)

    monkeypatch.setattr(found.workshop_of_looks, "do_in_turn", do_late)
    assert ask(found, ANN, "first") and ask(found, ANN, "second")
    assert found.is_looking("first") and ask(found, ANN, "first") and ask(found, BEN, "first")
    ends.set()
    await until_looked_at(found, "first", "second")
    assert num_done == 2
    ends.clear()
    assert ask(found, ANN, "third") and ask(found, ANN, "fourth")
    await found.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_no_look_waits_for_an_analysis(found: Analyst) -> None:
    held = found.workshop.ask(EVE)
    assert held.done() and found.ask(EVE, "long", "") and found.is_asked("long")
    assert ask(found, ANN, "short")
    await until_looked_at(found, "short")
    assert not found.has("long")


async def test_who_steps_through_many_positions_has_one_place_in_the_queue(found: Analyst) -> None:
    held = found.workshop_of_looks.ask(EVE)
    others = [Asker(f"3.3.3.{number}", "one") for number in range(MOST_WAITING - 1)]
    assert all(ask(found, one, one.address) for one in others)
    for step in range(2 * MOST_WAITING):
        assert ask(found, ANN, str(step)), step
        if step % 3:
            await asyncio.sleep(0)
    found.workshop_of_looks.give_up(held)
    await until_looked_at(found, str(step), *(one.address for one in others))
    assert not found.knows_look("0")


async def test_of_more_looks_than_are_kept_the_latest_stay(found: Analyst, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyst, "MOST_LOOKS", 2)
    for key in ("first", "second", "third"):
        assert ask(found, ANN, key)
        await until_looked_at(found, key)
    assert [found.knows_look(key) for key in ("first", "second", "third")] == [False, True, True]


def test_games_that_begin_with_other_positions_on_paper_are_told_apart() -> None:
    games = [position("up-and-up", paper) for paper in ("1 2 ./. . ./4 3 .", "1 2 ./. . ./. 3 4", "1 2 ./. . ./4 3 .")]
    assert len({tuple(game.moves) for game in games}) == 1
    first, other, again = map(key_of, games)
    assert first == again != other
