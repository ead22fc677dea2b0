"""Hints on the site: a good move, where nobody else plays but computers."""

import time
from collections.abc import AsyncIterator

import pytest

import quet
from quet.web.match import SiteMatch
from quet.web.new_games import SeatPlan, SetUp
from quet.web.settings import Limits
from quet.web.visitors import Visitor

from .in_process import PLAYER, Pages, pages


@pytest.fixture(autouse=True)
def _ann(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks holds the seats of PLAYER."""
    monkeypatch.setattr(
        "quet.web.visitors.Visitors._new",
        lambda visitors: Visitor(PLAYER, visitors._token(PLAYER), is_changed=True),
    )


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        yield found


def seated(site: Pages, *seats: str, race: str | None = None, visitor: str = PLAYER) -> SiteMatch:
    plans = tuple(SeatPlan(who, "Ann" if who == "me" else "") for who in seats)
    game = "palindromes" if len(seats) > 1 else "up-and-up"
    parameters = {"m": "8"} if len(seats) > 1 else {"n": "3"}
    return site.store.create(SetUp(game, parameters, seats=plans), visitor, time.time(), race=race)


@pytest.mark.parametrize("seats", [("me", "level:1"), ("me", "me"), ("me",)])
async def test_a_hint_is_a_move_that_keeps_the_value(site: Pages, seats: tuple[str, ...]) -> None:
    match = seated(site, *seats)
    page = await site.get(f"/play/{match.id}")
    assert f'href="/play/{match.id}?hint=1#message"' in page.text and "Hint: " not in page.text
    told = (await site.get(f"/play/{match.id}?hint=1")).text
    move = told.partition("Hint: ")[2].partition(",")[0]
    assert move in quet.solve(match.game).best_moves and "proven" in told
    german = await site.client.get(f"/play/{match.id}?hint=1", headers={"accept-language": "de"})
    assert f"Tipp: {move}," in german.text
    to_script = await site.get(f"/play/{match.id}?hint=1", accept="application/json")
    assert to_script.json()["notice"].startswith(f"Hint: {move},") and to_script.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("seats", "race", "visitor", "status", "sentence"),
    [
        (("me", "link"), None, PLAYER, 409, ""),
        (("me", "open"), None, PLAYER, 409, ""),
        (("me",), "r" * 22, PLAYER, 409, "not in a race"),
        (("me", "level:1"), None, "somebody-else", 403, "You have no seat at this table."),
        (("level:1", "me"), None, PLAYER, 409, "turn"),
    ],
)
async def test_no_hint_is_given_against_people_in_races_out_of_turn_or_to_others(
    site: Pages, seats: tuple[str, ...], race: str | None, visitor: str, status: int, sentence: str
) -> None:
    match = seated(site, *seats, race=race, visitor=visitor)
    assert "?hint=1" not in (await site.get(f"/play/{match.id}")).text
    refused = await site.get(f"/play/{match.id}?hint=1", accept="application/json")
    assert refused.status_code == status and sentence in refused.json()["error"]
    table = await site.get(f"/play/{match.id}?hint=1")  # an address that was reloaded, or sent to somebody
    assert table.status_code == 200 and 'id="table"' in table.text and "Hint: " not in table.text


@pytest.mark.usefixtures("clock")
async def test_hints_are_rationed(sqlite_url: str) -> None:
    async with pages(sqlite_url, Limits(costly=2)) as site:
        match = seated(site, "me", "level:1")
        for status in (200, 200, 429):
            assert (await site.get(f"/play/{match.id}?hint=1")).status_code == status
        assert (await site.get(f"/play/{match.id}?hint=2")).status_code == 400
