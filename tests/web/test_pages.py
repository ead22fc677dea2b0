"""The pages on which games are found, set up and played, as browsers without scripts see them."""

import hashlib
import html
import re
from collections.abc import AsyncIterator
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest
from starlette.requests import Request

import quet.web
from quet import catalog
from quet.contract.trials import random_games
from quet.core.parameters import Parameter
from quet.web import app, steps
from quet.web.catalogs import LANGUAGES
from quet.web.pages import environment, refused
from quet.web.views.table import _why_not

from .in_process import Pages, pages

STATIC = Path(quet.web.__file__).parent / "static"


class Visitors:
    """Several browsers at one site; each keeps its own cookies."""

    def __init__(self, site: Pages) -> None:
        self.site = site
        self._name = ""  # of the one who asks now
        self._jars: dict[str, httpx.Cookies] = {}

    def be(self, name: str) -> Pages:
        """The site as this visitor asks it from now on."""
        self._jars[self._name] = self.site.client.cookies
        self._name = name
        self.site.client.cookies = self._jars.get(name, httpx.Cookies())
        return self.site


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        yield found


@pytest.fixture
def visitors(site: Pages) -> Visitors:
    return Visitors(site)


async def begin(site: Pages, game: str, **fields: str) -> str:
    """The address of a game that was set up, all seats on this screen where nothing else is said."""
    seats = {"seat-1": "me", "seat-2": "me"}
    answer = await site.post(f"/new/{game}", **(seats | {name.replace("_", "-"): v for name, v in fields.items()}))
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def act(site: Pages, path: str, do: str, **fields: str) -> httpx.Response:
    """The answer to a form of a game's page; it sends how many rows it has seen."""
    page = (await site.get(path)).text
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found
    known = {"csrf": found[1], "ply": re.findall(r'data-ply="(\d+)"', page)[0]}
    return await site.client.post(f"{path}/{do}", data=known | fields)


def buttons(page: str) -> list[str]:
    """The moves that can be pressed on a page."""
    return re.findall(r'name="move" value="([^"]+)"', page)


def message(page: str) -> str:
    found = re.search(r'<p id="message"[^>]*>([^<]*)</p>', page)
    assert found
    return html.unescape(found[1])


async def test_the_home_page_has_every_game_with_its_board_and_its_sentence(site: Pages) -> None:
    text = html.unescape((await site.get("/")).text)
    for id in catalog.ids():
        assert catalog.get(id).facts["summary"] in text
        assert f'src="/living.svg?words=en&kind=still#{id}"' in text


async def test_one_press_begins_a_game_against_the_computer(site: Pages, game_id: str) -> None:
    page = await site.get("/")
    token = re.findall(r'name="csrf" value="([^"]+)"', page.text)[0]
    answer = await site.client.post(f"/new/{game_id}", data={"csrf": token, "quick": "1"})
    assert answer.status_code == 303
    match = site.store.load(answer.headers["location"].removeprefix("/play/"))
    assert match.status == "playing" and match.seat(1).visitor
    assert all(seat.computer == "level:3" for seat in match.seats[1:])


async def test_browsers_and_home_screens_find_the_sign_of_the_site(site: Pages) -> None:
    page = (await site.get("/")).text
    for kind, type in (("icon", "image/svg+xml"), ("apple-touch-icon", "image/png")):
        found = re.search(rf'<link rel="{kind}" href="([^"]+)"', page)
        assert found and (await site.get(found[1])).headers["content-type"] == type


async def test_a_little_board_moves_stops_for_who_wants_less_and_speaks_each_language(site: Pages) -> None:
    moving = await site.get("/living/blob.svg")
    still = await site.get("/living/blob.svg?kind=still")
    assert "@keyframes" in moving.text and "prefers-reduced-motion:no-preference" in moving.text
    assert "@keyframes" not in still.text
    for answer in (moving, still):
        assert answer.headers["content-type"] == "image/svg+xml"
        ElementTree.fromstring(answer.text)
    for language in LANGUAGES:
        ElementTree.fromstring((await site.get(f"/living/palindromes.svg?words={language}")).text)
    assert (await site.get("/living/nothing.svg")).status_code == 404
    for kind, sign in (("moving", True), ("still", False)):
        together = await site.get(f"/living.svg?kind={kind}")
        views = re.findall(r'<view id="([^"]+)" viewBox="0 (\d+) ', together.text)
        assert [id for id, _ in views] == catalog.ids() and len({top for _, top in views}) == len(views)
        assert ("@keyframes" in together.text) is sign and together.headers["cache-control"].startswith("public")
        ElementTree.fromstring(together.text)
    page = await site.get("/")
    sources = re.findall(r'<source media="([^"]*)" srcset="([^"]*)">', page.text)
    assert {media for media, _ in sources} == {"(prefers-reduced-motion: no-preference)"}
    assert "<source" not in (await site.get("/?pictures=still")).text
    assert "<source" not in (await site.get("/")).text  # remembered


async def test_every_parameter_is_asked_for_with_its_meaning_and_its_limits(site: Pages, game_id: str) -> None:
    text = html.unescape((await site.get(f"/new/{game_id}")).text)
    for parameter in catalog.get(game_id).rules.PARAMETERS:
        assert parameter.meaning in text and f'name="parameter-{parameter.name}"' in text
        if isinstance(parameter, Parameter):
            assert f"{parameter.low} to {parameter.high}" in text


@pytest.mark.parametrize(
    ("game", "fields", "sentence"),
    [
        ("blob", {"parameter-n": "21"}, "n must be from 2 to 20, not '21'."),
        ("sequence-ascension", {"parameter-sequence": "file:/etc/passwd"}, "sequence may not name a file here."),
        ("sequence-ascension", {"parameter-sequence": "own"}, "Type your own sequence, or choose one of those with"),
        (
            "sequence-ascension",
            {"parameter-sequence": "own", "own-sequence": "1,2"},
            "sequence has 2 terms, but 25 are needed.",
        ),
        ("convoluted-coprimality", {"parameter-n": "21"}, "n must be from 2 to 20, not '21'."),
        ("convoluted-coprimality", {"parameter-players": "9"}, "players must be from 2 to 8, not '9'."),
        ("blob", {"clock": "live", "minutes": "0"}, "Minutes each: a number from 1 to 1440."),
        ("blob", {"clock": "live", "increment": "x"}, "Seconds for each move: a number from 0 to 600."),
        ("blob", {"clock": "days", "days": "61"}, "Days for each move: a number from 1 to 60."),
        ("blob", {"clock": "sand"}, "The clock is none, live or days."),
        ("blob", {"seat-1": "level:1", "seat-2": "level:1"}, "At least one seat must be a person's."),
        ("blob", {"seat-2": "level:8"}, "A seat is yours, open, by a link, or a computer player's."),
        ("blob", {"race": "1", "seat-2": "me"}, "Only games for one can be raced."),
        ("blob", {"name": "level:6"}, "This is a computer player's name."),
    ],
)
async def test_what_is_wrong_is_said_on_the_form_and_no_game_is_made(
    site: Pages, game: str, fields: dict[str, str], sentence: str
) -> None:
    answer = await site.post(f"/new/{game}", **fields)
    assert answer.status_code in (400, 422)
    text = html.unescape(answer.text)
    assert f'role="alert">{sentence.split(", not ")[0]}' in text
    assert "No game of yours is going on" in (await site.get("/mine")).text
    for name, value in fields.items():
        if name in ("parameter-n", "minutes"):
            assert f'name="{name}"' in text and f'value="{value}"' in text


async def test_a_game_has_one_name_on_all_pages_and_the_authors_title_stands_with_the_rules(
    site: Pages, our_game_id: str
) -> None:
    entry = catalog.get(our_game_id)
    lists = ["/", "/learn", "/puzzles", "/results", "/study"]
    own = [f"/{kind}/{entry.id}" for kind in ("new", "learn", "puzzles", "results", "sheets", "paper")]
    for path in [*lists, *own, f"/rules/{entry.id}"]:
        answer = await site.client.get(path, follow_redirects=True)
        page = html.unescape(answer.text)
        called = re.sub("<[^>]*>", "", " ".join(re.findall(r"<(?:title|h1|h2|li|p)\b.*?</", page, re.S)))
        assert answer.status_code == 200 and entry.short_title in called, path
        if entry.title != entry.short_title:
            assert (entry.title in called) == path.startswith("/rules"), path


async def test_the_perfect_level_may_sit_where_perfect_play_of_many_is_known(site: Pages) -> None:
    for game_id in ("convoluted-coprimality", "divisors-multiples"):
        assert 'value="level:perfect"' in (await site.get(f"/new/{game_id}")).text


async def test_the_clock_is_as_it_was_set_up(site: Pages) -> None:
    live = await begin(site, "blob", clock="live", minutes="3", increment="2")
    days = await begin(site, "blob", clock="days", days="5")
    empty = await begin(site, "blob", clock="live", minutes="", increment=" ")
    rows = [site.store.load(path.removeprefix("/play/")).row for path in (live, days, empty)]
    assert [(row.clock, row.clock_seconds, row.clock_increment) for row in rows] == [
        ("live", 180.0, 2.0),
        ("days", 432_000.0, 0.0),
        ("live", 600.0, 5.0),  # as usual
    ]
    assert "3 min + 2 s" in (await site.get(live)).text and "5 days a move" in (await site.get(days)).text


async def test_how_long_a_first_move_may_take_is_told_until_it_is_made(site: Pages) -> None:
    assert "it must come within 5 minutes" in (await site.get("/new/blob")).text
    quick, slow = [await begin(site, "blob", clock="live", minutes=minutes) for minutes in ("3", "60")]
    for path, shown in ((quick, "4:5"), (slow, "59:5")):
        line = (await site.get(path)).text.split('id="first-move"')[1].split("</p>")[0]
        assert f'role="timer">{shown}' in line
    assert 'id="first-move"' not in (await site.get(await begin(site, "blob", clock="days"))).text
    for move in ("a1", "b1"):
        assert 'id="first-move"' in (await site.get(quick)).text
        assert (await act(site, quick, "move", move=move)).status_code == 303
    assert 'id="first-move"' not in (await site.get(quick)).text


@pytest.mark.parametrize(("clock", "seconds", "shown"), [("live", 3_600, "59:5"), ("none", 14 * 86_400, "13 d 23 h")])
async def test_a_table_says_how_long_its_open_seat_is_listed(
    site: Pages, monkeypatch: pytest.MonkeyPatch, clock: str, seconds: float, shown: str
) -> None:
    path = await begin(site, "blob", clock=clock, seat_2="open")
    assert f'role="timer">{shown}' in (await site.get(path)).text.split('id="listed"')[1].split("</p>")[0]
    assert path in (await site.get("/lobby")).text
    now = site.store.clock.now
    monkeypatch.setattr(site.store.clock, "now", lambda: now() + seconds)
    assert "The lobby lists the open seat no more." in (await site.get(path)).text
    assert path not in (await site.get("/lobby")).text
    monkeypatch.undo()
    assert 'id="listed"' not in (await site.get(await begin(site, "blob", seat_2="link"))).text


async def test_a_row_of_one_square_is_said_to_have_its_length(site: Pages) -> None:
    path = await begin(site, "palindromes", parameter_m="1")
    assert '<p class="note">length 1 ' in (await site.get(path)).text
    german = await site.client.get(path, headers={"Accept-Language": "de"})
    assert '<p class="note">Länge 1 ' in german.text


async def test_as_many_sit_down_as_players_are_wished(site: Pages) -> None:
    fields = {f"seat-{player}": "me" for player in range(1, 9)}
    for players in (2, 5, 8):
        answer = await site.post("/new/convoluted-coprimality", **{"parameter-players": str(players)}, **fields)
        page = (await site.get(answer.headers["location"])).text
        assert page.count('class="player ') + page.count('class="player"') == players


async def test_only_the_mover_can_press_and_everybody_sees(visitors: Visitors) -> None:
    site = visitors.be("Ann")
    path = await begin(site, "blob", seat_2="open", parameter_n="3", name="Ann")
    visitors.be("Bob")
    assert "Sit down and play" in (await site.get(path)).text
    await act(site, path, "seat", name="Bob", player="2")
    assert buttons((await site.get(path)).text) == []
    visitors.be("Ann")
    assert len(buttons((await site.get(path)).text)) == 9
    assert (await act(site, path, "move", move="b2")).status_code == 303
    assert buttons((await site.get(path)).text) == []
    visitors.be("Cleo")
    page = (await site.get(path)).text
    assert "You are watching" in page and "b2, filled, the last move" in page and buttons(page) == []
    assert message((await act(site, path, "move", move="b1")).text) == "You have no seat at this table."
    visitors.be("Bob")
    assert buttons((await site.get(path)).text) == ["b3", "a2", "c2", "b1"]


async def test_a_refused_move_is_explained_on_the_page_and_changes_nothing(site: Pages) -> None:
    path = await begin(site, "blob", parameter_n="3")
    await act(site, path, "move", move="b2")
    before = (await site.get(path)).text
    answer = await act(site, path, "move", move="b2")
    assert (answer.status_code, message(answer.text)) == (422, "b2 is filled already.")
    assert (await site.get(path)).text == before
    answer = await act(site, path, "move", move="<b>")
    assert answer.status_code == 422 and "<b>" not in answer.text and "'<b>' is not a square" in message(answer.text)
    answer = await act(site, path, "move", move="a2", ply="0")
    assert (answer.status_code, message(answer.text)[:23]) == (409, "The game has moved on; ")


async def test_the_page_module_is_answered_in_json(site: Pages) -> None:
    path = await begin(site, "blob", parameter_n="3")
    site.client.headers["Accept"] = "application/json"
    page = (await site.get(path)).text
    token = re.findall(r'name="csrf" value="([^"]+)"', page)[0]
    answer = await site.client.post(f"{path}/move", data={"csrf": token, "ply": "1", "move": "b2"})
    assert (answer.status_code, answer.json()) == (200, {"ply": 2})
    answer = await site.client.post(f"{path}/move", data={"csrf": token, "ply": "2", "move": "b2"})
    assert (answer.status_code, answer.json()) == (422, {"error": "b2 is filled already."})


async def test_a_square_with_two_moves_asks_which(site: Pages) -> None:
    path = await begin(site, "divisors-multiples", parameter_r="4")
    page = (await site.get(f"{path}?square=2")).text
    assert buttons(page)[-2:] == ["2!", "2"] and "cell is-asked is-legal" in page
    assert 'id="ask"' not in (await site.get(f"{path}?square=9")).text
    await act(site, path, "move", move="2!")
    assert "2, taken, the current number" in (await site.get(path)).text


async def test_one_of_two_digits_is_written_without_a_question(site: Pages) -> None:
    path = await begin(site, "palindromes", parameter_m="4")
    assert buttons((await site.get(path)).text) == [f"{square}={digit}" for square in range(1, 5) for digit in (0, 1)]
    await act(site, path, "move", move="2=1")
    assert "2, 1, the last move" in (await site.get(path)).text


async def test_numbers_of_the_puzzle_are_written_changed_and_erased_in_any_order(site: Pages) -> None:
    path = await begin(site, "sums-grid", parameter_n="2")
    for square, number in (("a1", "1"), ("b2", " 2"), ("a1", "3"), ("b1", "1")):
        assert f'value="{square}="' in (await site.get(f"{path}?square={square}")).text
        assert (await act(site, path, "move", prompt=f"{square}=", number=number)).status_code == 303
    page = (await site.get(path)).text
    assert "1 to 4 occur as sums" in page and "5 is missing" in page
    assert buttons((await site.get(f"{path}?square=a1")).text) == ["a1="]
    await act(site, path, "move", prompt="a1=", number="")
    assert "1 to 3 occur as sums" in (await site.get(path)).text
    answer = await act(site, path, "move", prompt="a1=", number="2")
    assert answer.status_code == 422 and "2 stands in b2 already" in message(answer.text)


async def test_what_makes_up_a_score_is_shown_on_the_board(site: Pages) -> None:
    path = await begin(site, "palindromes", parameter_m="4")
    for move in ("1=0", "2=0", "3=1"):
        await act(site, path, "move", move=move)
    page = (await site.get(path)).text
    assert 'data-squares="1 2"' in page and "00 at 1-2, a palindrome" in page and "is-marked" not in page
    marked = (await site.get(f"{path}?item=0")).text
    assert re.findall(r'class="cell is-marked[^"]*" data-square="(\d)"', marked) == ["1", "2"]
    assert (await site.get(f"{path}?item=99")).status_code == 200


async def test_a_move_in_the_list_shows_the_board_as_it_was(site: Pages) -> None:
    path = await begin(site, "palindromes", parameter_m="4")
    for move in ("1=0", "2=0", "3=1"):
        await act(site, path, "move", move=move)
    assert f'href="{path}?at=1"' in (await site.get(path)).text
    for page in ((await site.get(f"{path}?at=1")).text, (await site.get(f"{path}/table?at=1")).text):
        assert "1, 0, the last move" in page and "2, empty" in page and buttons(page)[:1] != ["2=0"]
        assert "The board after move 1." in page and f'<a href="{path}" data-at>Back to now' in page
        assert not re.search(r'class="touch"', page), "nobody plays in the past"
    assert "3, 1, the last move" in (await site.get(f"{path}?at=99")).text
    for wrong in ("-1", "x", "1000000"):
        assert (await site.client.get(f"{path}?at={wrong}")).status_code == 400


async def test_the_fragment_is_the_changing_part_of_the_page(site: Pages) -> None:
    path = await begin(site, "blob", parameter_n="3")
    page, fragment = (await site.get(path)).text, (await site.get(f"{path}/table")).text
    assert fragment.strip() in page and fragment.lstrip().startswith('<div id="table"')


async def test_screen_readers_are_told_the_number_of_each_player_as_the_board_calls_them(site: Pages) -> None:
    seats = {"seat_1": "me", "seat_2": "level:1", "seat_3": "me"}
    page = (await site.get(await begin(site, "divisors-multiples", parameter_players="3", name="Ann", **seats))).text
    told = re.findall(r'class="name"><span class="unseen">(Player \d: )</span>(\w+)', page)
    assert told == [("Player 1: ", "Ann"), ("Player 2: ", "Computer"), ("Player 3: ", "Ann")]
    for game, name in (("up-and-up", "Ann"), ("palindromes", "")):  # alone, and where the name is Player 1
        page = (await site.get(await begin(site, game, name=name))).text
        assert f'class="name">{name or "Player 1"}' in page


async def test_an_offer_is_answered_and_a_rematch_follows(visitors: Visitors) -> None:
    site = visitors.be("Ann")
    path = await begin(site, "blob", seat_2="link", parameter_n="3", name="Ann")
    link = re.findall(r'value="http://site([^"]+/seat/[^"]+)"', (await site.get(path)).text)[0]
    visitors.be("Bob")
    assert "At the table: Ann." in (await site.get(link)).text
    assert (await site.post(link, name="Bob <i>")).headers["location"] == path
    assert (await site.get(link)).status_code == 404  # used
    visitors.be("Ann")
    page = (await site.get(path)).text
    assert "Bob &lt;i&gt;" in page and "<i>" not in page
    await act(site, path, "draw")
    assert "Your offer of a draw stands." in (await site.get(path)).text
    visitors.be("Bob")
    assert "Ann offers a draw." in (await site.get(path)).text
    await act(site, path, "answer", answer="accept")
    page = (await site.get(path)).text
    assert "a draw by agreement" in page and f"{path}/rematch" in page
    following = (await act(site, path, "rematch")).headers["location"]
    page = (await site.get(following)).text
    assert following != path and "Waiting until every seat is taken" in page and ">Ann <" in page
    assert "Ann" in (await site.get("/mine")).text and "Go to the rematch" not in (await site.get("/mine")).text
    visitors.be("Ann")
    page = (await site.get("/mine")).text
    assert following not in page and re.search(f'href="{path}">Go to the rematch', page)
    assert (await act(site, path, "rematch")).headers["location"] == following
    assert following in (await site.get("/mine")).text
    visitors.be("Bob")
    assert "You want good rows" in (await site.get(following)).text  # seats have turned


async def test_who_resigns_among_three_is_told_before_that_it_ends_the_game_for_all(visitors: Visitors) -> None:
    site = visitors.be("Ann")
    ends, then = "With three or more players the game ends for all", "The game then ends for all"
    assert ends in (await site.get("/new/divisors-multiples")).text and ends not in (await site.get("/new/blob")).text
    for players, is_told in (("2", False), ("3", True)):
        seats = {"seat_2": "open", "seat_3": "link"} if is_told else {"seat_2": "open"}
        visitors.be("Ann")
        path = await begin(site, "divisors-multiples", parameter_players=players, **seats)
        match = site.store.load(path.removeprefix("/play/"))
        visitors.be("Bob")
        assert (ends in (await site.get(path)).text) == is_told
        await site.post(path, "/seat", player="2", name="Bob")
        if is_told:
            link = f"{path}/seat/{match.seat(3).invitation}"
            visitors.be("Cleo")
            assert ends in (await site.get(link)).text
            await site.post(link, name="Cleo")
        assert (then in (await site.get(path)).text) == is_told


async def test_a_seat_is_handed_over_by_a_link(visitors: Visitors) -> None:
    site = visitors.be("Ann")
    path = await begin(site, "blob", seat_2="me", parameter_n="3")
    answer = await act(site, path, "hand-over", player="2")
    link = re.findall(r'value="http://site([^"]+)"', answer.text)[0]
    assert "Whoever takes the seat by this link first, " in answer.text  # to open it takes nothing
    assert link in (await act(site, path, "hand-over", player="2")).text and ">Withdraw the link<" in answer.text
    withdrawn = await act(site, path, "hand-over", player="2", withdraw="1")
    assert withdrawn.headers["location"] == path and (await site.get(link)).status_code == 404
    link = re.findall(r'value="http://site([^"]+)"', (await act(site, path, "hand-over", player="2")).text)[0]
    visitors.be("Bob")
    assert (await act(site, path, "hand-over", player="2")).status_code == 403
    await site.post(link, name="Bob")
    assert [seat.name for seat in site.store.load(path.removeprefix("/play/")).seats] == ["", "Bob"]


async def test_who_made_a_move_stands_in_the_list_in_more_than_a_colour(site: Pages) -> None:
    for game, players, moves in (
        ("divisors-multiples", 5, "2! 4! 8! 16! 8 4"),
        ("blob", 2, "b2 b3"),
        ("up-and-up", 1, "a1 a2"),
    ):
        match = site.play(site.create(game, **({"players": players} if players == 5 else {})), *moves.split())
        numbered = [f"{ply}.+{move}" for ply, move in enumerate(moves.split(), 1)]
        words = [f"{name}={value}" for name, value in match.game.parameters.items()]
        board = f"/study?game={game}&parameters={'+'.join(words)}&moves={'+'.join(numbered)}&hide=1"
        for path, name in ((f"/play/{match.id}", "moves"), (f"/study/{match.id}", "line"), (board, "tree")):
            part = re.split(rf'class="{name}[ "]', (await site.get(path)).text)[1]
            part = re.split("</ol>|</p>", part)[0]
            movers = [player for player, _move in match.game.plies()]
            unseen = [] if players == 1 else [f"Player {player}: " for player in movers]
            assert re.findall(r'<span class="unseen">(Player \d: )</span>', part) == unseen, path
            dots = re.findall(r'<span class="dot dot-\d" aria-hidden="true">(\d)</span>', part)
            assert dots == [str(player) for player in movers if players == 5 or (players == 2 and name == "line")], path


async def test_an_item_of_an_earlier_position_is_shown_on_its_board(site: Pages) -> None:
    match = site.play(site.create("blob", n=5), *"b2 b3 c3 c4 d4 d3 e4 e5 a2".split())
    page = (await site.get(f"/play/{match.id}?at=8")).text
    links = re.findall(r'<a href="([^"]*item=0)"', page)
    assert links == [f"/play/{match.id}?at=8&amp;item=0"]
    page = (await site.get(html.unescape(links[0]))).text
    assert "The board after move 8." in page and page.count('data-squares="') and ' aria-current="true"><span>' in page


async def test_whoever_made_a_table_is_told_that_leaving_calls_the_game_off_for_all(visitors: Visitors) -> None:
    site = visitors.be("Ann")
    path = await begin(site, "divisors-multiples", parameter_players="3", seat_2="open", seat_3="open")
    visitors.be("Bob")
    await site.post(path, "/seat", player="2", name="Bob")
    ends = "The game is then called off for all."
    assert '<details id="release">' in (await site.get(path)).text and ends not in (await site.get(path)).text
    visitors.be("Ann")
    assert ends in (await site.get(path)).text


async def test_a_table_that_waits_is_left_by_a_button_of_its_own(visitors: Visitors) -> None:
    site = visitors.be("Ann")
    path = await begin(site, "blob", seat_2="link", parameter_n="3")
    page = (await site.get(path)).text
    assert "Whoever takes the seat first has it." in page
    part = page.partition('<details id="release">')[2].partition("</details>")[0]
    assert f'action="{path}/release"' in part and "Really?" in part and page.count("/release") == 1
    await act(site, path, "release")
    assert site.store.load(path.removeprefix("/play/")).is_over
    page = (await site.get(await begin(site, "blob", parameter_n="3"))).text
    assert "/release" not in page  # it has begun


async def test_the_lobby_lists_open_seats_and_public_games(visitors: Visitors) -> None:
    site = visitors.be("Ann")
    waiting = await begin(site, "blob", seat_2="open", name="Ann")
    shown = await begin(site, "palindromes", public="1", name="Ann")
    hidden = await begin(site, "plusses-minuses", name="Ann")
    visitors.be("Bob")
    page = (await site.get("/lobby")).text
    assert waiting in page and shown in page and hidden not in page
    assert "Sit down" in page and "Watch" in page
    assert waiting in (await site.get("/")).text
    visitors.be("Ann")
    mine = (await site.get("/mine")).text
    assert all(path in mine for path in (waiting, shown, hidden))


async def test_sequences_are_explained_and_called_in_the_language_of_the_reader(site: Pages) -> None:
    form = (await site.get("/new/sequence-ascension")).text
    assert "how many divisors 1, 2, 3, ... have: 1, 2, 2, 3, 2, 4, 2, 4, ..." in form
    german = {"Accept-Language": "de"}
    form = (await site.get("/new/sequence-ascension", **german)).text
    assert "Primzahlen" in form and "die Zahlen mit genau zwei Teilern: 2, 3, 5, 7, 11, 13, 17, 19, ..." in form
    assert 'value="primes"' in form, "what is sent stays as it is"
    path = (await site.post("/new/sequence-ascension", **{"parameter-sequence": "primes"})).headers["location"]
    assert "sequence primes" in (await site.get(path)).text
    page = (await site.get(path, **german)).text
    assert "Folge Primzahlen" in page and "primes" not in page


@pytest.mark.parametrize(("path", "is_tried_again"), [("/mine", True), ("//elsewhere.example/x", False)])
async def test_a_page_that_tries_again_stays_on_the_site(site: Pages, path: str, is_tried_again: bool) -> None:
    transport = site.client._transport
    assert isinstance(transport, httpx.ASGITransport)
    scope = {"type": "http", "method": "GET", "scheme": "http", "path": path, "query_string": b"", "headers": []}
    request = Request({**scope, "server": ("site", 80), "app": transport.app})
    page = bytes(refused(request, 503, "Later.", wait=5).body).decode()
    assert ('http-equiv="refresh"' in page) == is_tried_again


async def test_the_page_of_a_game_says_which_version_it_shows(site: Pages) -> None:
    match = site.create("palindromes", m=4)
    for path in (f"/play/{match.id}", f"/play/{match.id}/table"):
        assert f'data-version="{match.row.version}"' in (await site.get(path)).text
    assert "version=${table().dataset.version}" in (STATIC / "news.js").read_text(encoding="utf-8")


async def test_a_sequence_of_ones_own_is_played_and_remembered(site: Pages) -> None:
    own = "1,2,3,4"
    fields = {"parameter-n": "2", "parameter-sequence": "own", "own-sequence": own}
    path = (await site.post("/new/sequence-ascension", **fields)).headers["location"]
    assert f"sequence {own}" in (await site.get(path)).text
    form = (await site.get("/new/sequence-ascension")).text
    assert f'name="own-sequence" value="{own}"' in form and 'value="own" checked' in form
    quick = (await site.post("/new/sequence-ascension", quick="1")).headers["location"]
    assert f"sequence {own}" in (await site.get(quick)).text


async def test_racers_play_the_same_and_are_ranked_when_they_have_finished(visitors: Visitors) -> None:
    site = visitors.be("Ann")
    fields = {"parameter-n": "2", "parameter-sequence": "random:7:1:9", "race": "1", "name": "Ann"}
    race = (await site.post("/new/sequence-ascension", **fields)).headers["location"]
    visitors.be("Bob")
    assert "Join the race" in (await site.get(race)).text
    path = (await site.post(race, name="Bob")).headers["location"]
    games = [listing.row for listing in site.store.racers(race.removeprefix("/race/"))]
    assert len(games) == 2 and games[0].parameters == games[1].parameters
    while moves := buttons((await site.get(path)).text):
        await act(site, path, "move", move=moves[0])
    page = re.sub(r"\s+", " ", (await site.get(race)).text)
    assert re.search(r'<td class="number">1</td><th scope="row">Bob ', page)
    assert re.search(r'<td class="number">–</td><th scope="row">Ann<', page)
    assert (await site.post(race, name="Bob")).headers["location"] == path  # one game each
    assert (await site.get("/race/nothing")).status_code == 404


async def test_who_waits_without_scripts_has_the_page_loaded_again(site: Pages) -> None:
    waiting = await begin(site, "blob", seat_2="open")
    mine = await begin(site, "blob")
    assert '<noscript><meta http-equiv="refresh"' in (await site.get(waiting)).text
    assert "http-equiv" not in (await site.get(mine)).text
    site.client.cookies.clear()
    page = (await site.get(waiting)).text
    assert "Sit down and play" in page and "http-equiv" not in page  # it would take away what is being written
    assert f'<noscript><a href="{waiting}">Look again</a></noscript>' in page


async def test_what_is_not_there_has_a_page_that_says_so(site: Pages) -> None:
    for path in ("/play/nothing", "/new/nothing", "/nothing", "/play/" + "x" * 22, "/play/x/seat/y"):
        answer = await site.get(path)
        assert answer.status_code == 404 and "All games" in answer.text


def test_the_module_is_short_and_stands_alone() -> None:
    text = (STATIC / "quet.js").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 400
    assert not re.search(r"\bimport\b|https?://|eval\(|innerHTML\s*=|document\.write", text)


async def test_a_file_has_a_name_that_changes_with_its_content_and_is_kept_for_good(site: Pages) -> None:
    page = (await site.get("/study/" + site.finished("palindromes", m=4).id)).text
    paths = set(re.findall(r'"(/static/[^"]+)"', page))
    assert len(paths) == 7
    for path in paths:
        digest = path.split(".")[-2]
        lasting = await site.get(path)
        assert lasting.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert hashlib.sha256(lasting.content).hexdigest().startswith(digest) and len(digest) == 12
        again = await site.get(path, **{"If-None-Match": lasting.headers["etag"]})
        assert again.status_code == 304 and again.content == b""
        for other in (path.replace("." + digest, ""), path.replace(digest, "0" * 12)):  # of an older page
            same = await site.get(other)
            assert same.content == lasting.content and same.headers["cache-control"] == "public, no-cache"
    for path in (
        "/static/",
        "/static/nothing.css",
        "/static/..%2fapp.py",
        "/static/quet",
        "/static/.css",
        "/static/a.b",
    ):
        assert (await site.get(path)).status_code == 404


async def test_what_is_long_is_zipped_for_who_can_read_it(site: Pages) -> None:
    for path in ("/", "/static/quet.css", "/living.svg"):
        plain = await site.get(path, **{"Accept-Encoding": "identity"})
        zipped = await site.get(path, **{"Accept-Encoding": "br, gzip"})
        assert "content-encoding" not in plain.headers and zipped.headers["content-encoding"] == "gzip"
        for header in ("gzip;q=0, identity", "GZIP; q=0.000"):
            refused = await site.get(path, **{"Accept-Encoding": header})
            assert "content-encoding" not in refused.headers and refused.headers["vary"] == zipped.headers["vary"]
        assert "Accept-Encoding" in plain.headers["vary"] and "Accept-Encoding" in zipped.headers["vary"]
        assert int(zipped.headers["content-length"]) < len(zipped.content) / 2
    match = site.create("blob")
    assert "content-encoding" not in (await site.get(f"/play/{match.id}/picture.png")).headers


async def test_a_server_that_has_begun_compiles_no_template_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[str] = []

    async def draw_all() -> None:
        began.append("boards")

    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("A template is compiled while moves are played.")

    environment.cache_clear()  # tests before have compiled some
    monkeypatch.setattr(app, "QUIET_SECONDS", 0)
    monkeypatch.setattr(app, "draw_all", draw_all)
    await app._prepare()
    monkeypatch.setattr(environment(), "compile", refuse)
    for name in environment().list_templates():
        environment().get_template(name)
    assert began == ["boards"]


@pytest.mark.parametrize("id", catalog.ids())
def test_a_square_says_why_it_is_forbidden_or_nothing_where_it_is_not(id: str) -> None:
    told = set()
    for played in random_games(catalog.get(id)):
        if not played.is_over and (played.ply < 8 or played.ply % 16 == 0):
            scene = played.scene()
            for square in scene.squares:
                why = _why_not(played, scene, square.name)
                assert bool(why) != bool(square.prompt or square.moves), (played, square.name)
                told.add(why)
            assert _why_not(played, scene, "z9") == ""
    assert len(told) > 1 or id == "sums-grid"  # where every square can be written in at any time


async def test_a_forbidden_square_is_a_link_that_says_why(site: Pages) -> None:
    path = await begin(site, "palindromes", parameter_m="4")
    await act(site, path, "move", move="3=0")
    page = (await site.get(path)).text
    assert f'href="{path}?square=3#why"' in page and "?square=4#why" not in page
    assert "Square 3 holds a 0 already." in (await site.get(f"{path}?square=3")).text


async def test_a_long_game_lists_what_is_near_and_leads_to_the_rest(
    site: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await begin(site, "palindromes", m="12")
    for number in range(1, 11):
        assert (await act(site, path, "move", move=f"{number}=1")).status_code == 303
    items = re.findall(r'item=(\d+)"', (await site.get(path)).text)
    assert len(items) > 4
    monkeypatch.setattr(steps, "MOST_LISTED", 4)

    async def listed(query: str) -> tuple[list[str], list[str]]:
        page = (await site.get(f"{path}{query}")).text
        assert page.count("data-squares=") <= 2 * 4
        assert re.findall(r'<li class="[^"]*is-last"[^>]*><a id="move-(\d+)"', page) == (
            ["10"] if "?" not in query else []
        )
        return re.findall(r'id="move-(\d+)"', page), re.findall(r'href="([^"]*)" *data-at>Those', page)

    assert await listed("") == (["7", "8", "9", "10"], [f"{path}?at=6"])
    assert await listed("/table") == await listed("")
    assert await listed("?at=6") == (["5", "6", "7", "8"], [f"{path}?at=4", f"{path}?at=9"])
    assert await listed("?at=0") == (["1", "2", "3", "4"], [f"{path}?at=5"])
    seen, queue = set[str](), [path]  # whatever is listed can be reached without a script
    while queue:
        page = (await site.get(queue.pop())).text
        seen |= set(re.findall(r'item=(\d+)" data-squares', page))
        for link in re.findall(r'href="([^"]*item=\d+)#item" *>Those', page):
            if link not in seen:
                seen.add(link)
                queue.append(link)
    assert set(items) <= seen
