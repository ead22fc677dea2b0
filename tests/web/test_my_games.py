"""What the site remembers for a visitor: how games were set up, which level is even, which games are put away."""

import html
import re
import time
from collections.abc import AsyncIterator

import httpx
import pytest
from sqlalchemy import update

from quet import catalog
from quet.players.matching import evenly_matched
from quet.web.new_games import SeatPlan, SetUp
from quet.web.preferences import COOKIE
from quet.web.storage.schema import games
from quet.web.views import home

from .in_process import Pages, pages


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        yield found


async def begin(site: Pages, game: str, **fields: str) -> str:
    """The id of a game that was set up."""
    answer = await site.post(f"/new/{game}", **{name.replace("_", "-"): value for name, value in fields.items()})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"].removeprefix("/play/"))


def chosen(page: str) -> list[str]:
    """What is chosen in the lists and rows of a form."""
    return re.findall(r'value="([^"]*)" (?:selected|checked)', page)


async def test_a_game_is_set_up_as_last_time(site: Pages) -> None:
    mine = {"parameter_m": "6", "seat_1": "level:5", "seat_2": "me", "clock": "live", "minutes": "7", "increment": "0"}
    await begin(site, "palindromes", name="Ann", **mine)
    page = (await site.get("/new/palindromes")).text
    assert chosen(page) == ["level:5", "me", "live"]
    assert (
        re.search(r'name="parameter-m"[^>]* value="6"', page) and 'name="minutes" min="1" max="1440" value="7"' in page
    )
    assert 'name="name" maxlength="30" value="Ann"' in page
    match = site.store.load(await begin(site, "palindromes", quick="1"))
    assert (match.row.parameters, match.row.clock) == ({"m": "6"}, "none")
    assert [seat.computer for seat in match.seats] == ["level:5", ""]
    assert 'value="level:3" selected' in (await site.get("/new/blob")).text  # another game is as it was


async def test_a_sequence_that_is_too_long_to_be_remembered_leaves_the_size(site: Pages) -> None:
    own = ",".join(["1"] * 36)
    fields = {"parameter_n": "6", "parameter_sequence": "own", "own_sequence": own}
    assert (await begin(site, "sequence-ascension", **fields)) != ""
    page = (await site.get("/new/sequence-ascension")).text
    assert re.search(r'name="parameter-n"[^>]* value="6"', page)
    assert 'value="own" checked' not in page and 'value="divisors" checked' in page
    match = site.store.load(await begin(site, "sequence-ascension", quick="1"))
    assert match.row.parameters["n"] == "6"


async def test_names_stand_in_the_order_of_the_seats_also_from_right_to_left(site: Pages) -> None:
    match = site.store.create(SetUp("palindromes", {}, (SeatPlan("me", "דנה"), SeatPlan("open"))), "dana", time.time())
    page = (await site.get("/lobby")).text
    assert f"/play/{match.id}" in page
    assert "\u2068דנה\u2069 – a free seat" in page  # isolated: the dash belongs to the line, and not to the name


async def test_games_whose_rules_are_missing_are_left_out_and_ones_own_can_be_put_away(site: Pages) -> None:
    gone = await begin(site, "palindromes", seat_1="me", seat_2="open")
    await begin(site, "blob", seat_1="me", seat_2="open")
    with site.store.database.write() as connection:
        values = {"game": "gone-game", "version": games.c.version + 1}
        connection.execute(update(games).where(games.c.id == gone).values(values))
    mine = (await site.get("/mine")).text
    assert "gone-game" in mine and "can&#39;t be shown" in mine and f'name="id" value="{gone}"' in mine
    shown = await site.get(f"/play/{gone}")
    assert shown.status_code == 410 and "The rules of this game aren" in shown.text
    assert f"/play/{gone}" not in (await site.get("/")).text
    site.client.cookies.clear()
    for path in ("/", "/lobby"):
        page = await site.get(path)
        assert page.status_code == 200 and f"/play/{gone}" not in page.text and "Sit down" in page.text


async def test_quick_play_waits_for_nobody_and_passes_over_a_cookie_that_is_no_good(site: Pages) -> None:
    await begin(site, "palindromes", parameter_m="6", seat_1="me", seat_2="link", clock="none")
    match = site.store.load(await begin(site, "palindromes", quick="1"))
    assert [seat.computer for seat in match.seats] == ["", "level:3"] and match.row.parameters == {"m": "6"}
    for cookie in ("nonsense", "x" * 3_000, "e30.x"):
        site.client.cookies.set(COOKIE, cookie)
        assert (await site.get("/new/palindromes")).status_code == 200


async def test_a_cookie_of_many_games_stays_small(site: Pages) -> None:
    for _ in range(2):
        for id in catalog.ids():
            await begin(site, id, seat_1="me", seat_2="me", clock="none", minutes="10", increment="5", days="3")
    assert 0 < len(site.client.cookies[COOKIE]) <= 2_000


async def test_quick_play_suggests_the_level_that_one_is_evenly_matched_with(site: Pages) -> None:
    id = await begin(site, "palindromes", seat_1="me", seat_2="level:4", clock="none")
    await act(site, id, "resign")
    assert '<span class="tag">lost</span>' in (await site.get("/mine")).text
    assert "level 2 suits you" in html.unescape((await site.get("/")).text)
    match = site.store.load(await begin(site, "palindromes", quick="1"))
    assert [seat.computer for seat in match.seats] == ["", "level:2"]
    other = site.store.load(await begin(site, "plusses-minuses", quick="1"))
    assert [seat.computer for seat in other.seats] == ["", "level:3"]


async def act(site: Pages, id: str, do: str) -> None:
    answer = await site.post(f"/play/{id}", f"/{do}")
    assert answer.status_code == 303, answer.text


def test_wins_lead_to_stronger_levels_and_losses_to_weaker_ones() -> None:
    assert evenly_matched([]) is None and evenly_matched([("level:perfect", 0.0)]) is None
    upwards = [evenly_matched([("level:3", 1.0)] + [("level:5", 1.0)] * wins) for wins in (0, 1, 2, 4)]
    assert upwards == sorted(upwards, key=str) and upwards[0] == "level:4" and str(upwards[-1]) > "level:5"
    assert evenly_matched([("level:4", share) for share in (1.0, 0.0, 0.5, 1.0, 0.0)]) == "level:4"
    assert evenly_matched([("level:7", 1.0)] * 100 + [("level:1", 0.0)] * 20) == "level:1"  # who has got worse


def test_who_wins_three_games_of_four_is_taken_to_be_a_level_above() -> None:
    shares = {2: "level:1", 5: "level:2", 10: "level:3", 15: "level:4", 18: "level:5"}
    for won, level in shares.items():
        assert evenly_matched([("level:3", 1.0)] * won + [("level:3", 0.0)] * (20 - won)) == level
        assert evenly_matched([("level:3", won / 20)] * 20) == level  # wins that were shared


async def test_a_finished_game_is_put_away_and_brought_back(site: Pages) -> None:
    over = await begin(site, "palindromes", seat_1="me", seat_2="me", clock="none")
    await act(site, over, "resign")
    alone = await begin(site, "up-and-up", clock="none")
    for id in (alone, over):
        await put(site, id=id)
    page = await site.get("/mine")
    assert "No game of yours is going on" in page.text and "/play/" not in page.text
    away = await site.get("/mine?away=1")
    assert titles(away) == [alone, over]
    assert (await site.get(f"/play/{over}")).status_code == 200
    await put(site, id=over, back="1")
    assert titles(await site.get("/mine")) == [over] and titles(await site.get("/mine?away=1")) == [alone]
    await put(site)
    assert titles(await site.get("/mine")) == []


async def put(site: Pages, **fields: str) -> None:
    token = re.findall(r'name="csrf" value="([^"]+)"', (await site.get("/mine")).text)[0]
    answer = await site.client.post("/mine/put-away", data={"csrf": token, **fields})
    assert answer.status_code == 303, answer.text


def titles(page: httpx.Response) -> list[str]:
    return re.findall(r'class="title" href="/play/([^"]*)"', page.text)


async def test_only_ones_own_games_are_put_away_and_only_where_nobody_waits(site: Pages) -> None:
    with_people = await begin(site, "palindromes", seat_1="me", seat_2="link", clock="none")
    page = (await site.get("/mine")).text
    assert with_people in page and f'name="id" value="{with_people}"' not in page
    foreign = site.store.create(SetUp("palindromes", {}, (SeatPlan("me"),) * 2), "somebody", time.time())
    token = re.findall(r'name="csrf" value="([^"]+)"', page)[0]
    for id, status, sentence in (
        (foreign.id, 403, "You have no seat at this table."),
        ("x" * 22, 403, "You have no seat at this table."),
        ("nonsense", 404, "no such game"),
        (with_people, 409, "Somebody waits for you in this game, or its clock runs."),
    ):
        answer = await site.client.post("/mine/put-away", data={"csrf": token, "id": id})
        assert answer.status_code == status and sentence in answer.text
    assert (await site.get("/mine?away=2")).status_code == 400


async def test_who_takes_a_seat_that_was_put_away_has_it_in_the_list(site: Pages) -> None:
    now = time.time()
    match = site.store.create(SetUp("palindromes", {}, (SeatPlan("me"),) * 2), "ann", now)
    token = site.store.hand_over(match.id, 1, "ann", now)
    site.store.put_away([match.id], "ann")
    site.store.take_seat(match.id, "bob", "Bob", now, invitation=token)
    assert [one.id for one in site.store.games_of("bob")] == [match.id]
    assert [one.id for one in site.store.games_of("ann")] == [match.id]  # since bob waits for her


async def test_who_is_waited_for_has_a_game_in_the_list_that_was_put_away(site: Pages) -> None:
    store, now = site.store, time.time()
    match = store.create(SetUp("palindromes", {}, (SeatPlan("me"),) * 2), "ann", now)
    store.put_away([match.id], "ann")
    store.act(match.id, "ann", "move", "1=0", None, now)
    assert store.games_of("ann") == []  # nobody waits yet
    store.take_seat(match.id, "bob", "Bob", now, invitation=store.hand_over(match.id, 1, "ann", now))
    assert [one.id for one in store.games_of("ann")] == [match.id]  # the other seat is still hers
    store.archive([match.id], now + 1)
    store.put_away([match.id], "ann")
    store.act(match.id, "ann", "move", "2=0", None, now + 2)
    assert [one.id for one in store.games_of("ann")] == [match.id]


async def test_my_games_says_where_it_has_not_all(site: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    await begin(site, "palindromes", seat_1="me", seat_2="me", clock="none")
    assert "games are listed here" not in (await site.get("/mine")).text
    monkeypatch.setattr(home, "LISTED", 1)
    page = (await site.get("/mine")).text
    assert "At most 1 games are listed here" in page and "Put some away" in page
    await put(site, id=titles(await site.get("/mine"))[0])
    page = (await site.get("/mine?away=1")).text
    assert "At most 1 games are listed here" in page and "Put some away" not in page


async def test_a_game_of_two_on_one_screen_is_called_so(site: Pages) -> None:
    await begin(site, "palindromes", seat_1="me", seat_2="me", clock="none")
    await begin(site, "up-and-up")
    page = html.unescape((await site.get("/mine")).text)
    assert "2 players on one screen" in page and "you – you" not in page
