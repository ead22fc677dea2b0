"""Studying a game: every step, what its moves were worth once it is over, and files to take away."""

import asyncio
import io
import re
import time
import tracemalloc
import xml.etree.ElementTree as ElementTree
from collections.abc import AsyncIterator

import httpx
import pytest
from PIL import Image

import quet
from quet.draw.palette import ROLES
from quet.records.record import read
from quet.web import analyst, pictures
from quet.web.board import board_css
from quet.web.match import SiteMatch
from quet.web.new_games import SeatPlan, SetUp
from quet.web.settings import Limits

from .in_process import PATIENCE, PLAYER, Pages, pages


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        yield found


async def until_analysed(site: Pages, match: SiteMatch, query: str = "") -> httpx.Response:
    """The page of a game when its analysis has ended."""
    end = time.monotonic() + PATIENCE
    while True:
        answer = await site.get(f"/study/{match.id}{query}")
        if "data-poll" not in answer.text:
            return answer
        assert time.monotonic() < end, "The analysis doesn't end."
        await asyncio.sleep(0.1)


async def test_each_step_is_a_page_with_links_to_all_others(site: Pages) -> None:
    match = site.play(site.create("blob", n=6), "b2", "b3", "c3")
    for ply in range(4):
        answer = await site.get(f"/study/{match.id}?ply={ply}")
        assert answer.status_code == 200
        assert f"{ply} of 3" in answer.text
        links = set(re.findall(rf'href="/study/{match.id}\?ply=(\d+)#board"', answer.text))
        steps = {0, ply - 1} if ply > 0 else set()
        steps |= {3, ply + 1} if ply < 3 else set()
        assert links == {str(other) for other in steps | {1, 2, 3}}
        assert answer.text.count(", filled") == ply  # squares in words


async def test_the_page_of_every_game_can_be_stepped_through(site: Pages, game_id: str) -> None:
    small = {"n": 3} if "n" in {one.name for one in quet.new(game_id).rules.PARAMETERS} else {}
    match, game = site.create(game_id, **small), quet.new(game_id, **small)
    while not game.is_over and game.ply < 6:
        match = site.play(match, game.legal_moves[0])
        game.play(game.legal_moves[0])
    for ply in range(game.ply + 1):
        answer = await site.get(f"/study/{match.id}?ply={ply}&item=0")
        assert answer.status_code == 200, answer.text


async def test_an_item_of_the_score_can_be_pointed_at(site: Pages) -> None:
    match = site.play(site.create("blob", n=4), "b2")
    answer = await site.get(f"/study/{match.id}?ply=1&item=0")
    assert answer.text.count("is-marked") == 4  # the squares of the first row


async def test_a_game_that_goes_on_is_analysed_for_nobody(site: Pages) -> None:
    match = site.play(site.create("palindromes", m=4), "1=0", "4=0")
    for _ in range(2):
        answer = await site.get(f"/study/{match.id}")
        assert "nobody is helped" in answer.text
        assert 'class="plot' not in answer.text and "data-poll" not in answer.text


async def test_a_finished_game_is_analysed_with_plot_best_moves_and_exact_values(site: Pages) -> None:
    match = site.play(site.create("palindromes", m=4), "1=0", "2=0", "3=0", "4=1")
    first = await site.get(f"/study/{match.id}")
    assert "perhaps other games come first" in first.text and "up to a minute" not in first.text  # it only waits yet
    assert '<noscript><meta http-equiv="refresh"' in first.text  # for browsers without scripts
    answer = await until_analysed(site, match, "?ply=3")
    assert 'class="plot' in answer.text
    assert "http-equiv" not in answer.text and "data-poll" not in answer.text
    values = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", answer.text))
    game = quet.new("palindromes", m=4)
    for move in ("1=0", "2=0", "3=0"):
        game.play(move)
    assert sorted(" ".join(values.values()).split()) == sorted(game.legal_moves)
    for words, moves in values.items():
        for move in moves.split():
            after = game.copy()
            after.play(move)
            lead = after.scores[1] - after.scores[0]
            said = f"a win by {lead}" if lead > 0 else f"a loss by {-lead}" if lead else "a draw"
            assert words == f"{said} (proven: solved)"
    assert answer.text.count('<th scope="row">') == 4  # every move is judged
    assert "Ann: 2 of 2 moves kept the result. Player 2: 1 of 2 moves kept the result." in answer.text
    own = "Ann: 2 of 2 moves kept the result."  # the seats of the tests are those of another visitor
    assert own not in (await site.get(f"/play/{match.id}")).text
    other = site.play(site.create("palindromes", m=2), "1=0", "2=0")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SiteMatch, "player_of", lambda match, visitor: [1])
        assert own in (await site.get(f"/play/{match.id}")).text
        asked = f'<a href="/study/{other.id}#analysis">How many of your moves kept the result?</a>'
        assert asked in (await site.get(f"/play/{other.id}")).text
    mistake = "Move 2, 2=0, was a mistake: a win by 2 became a loss by 2; 4=0 kept it."
    assert f'<li><a href="/study/{match.id}?ply=2#board">{mistake}</a></li>' in answer.text
    here = re.sub(r"<[^>]*>|\s+", " ", answer.text.split('<p class="here">')[1].split("</p>")[0])
    assert "The best moves after it: 4=1. " in f"{here} " and "Better" not in here  # not the move played once more
    before = re.sub(r"<[^>]*>", "", (await site.get(f"/study/{match.id}?ply=2")).text)
    assert re.search(r"Better: 4=0, a win by 2\. Expected: 4=0 \S+ \S+\.", before)


async def test_players_of_one_name_are_told_apart(site: Pages) -> None:
    seats = (SeatPlan("me", "Ute"), SeatPlan("me", "Ute"))
    match = site.store.create(SetUp("palindromes", {"m": "2"}, seats=seats), PLAYER, time.time())
    match = site.play(match, "1=0", "2=0")
    page = re.sub(r'name="record" value="[^"]*"', "", (await until_analysed(site, match, "?ply=1")).text)
    assert "<strong>1=0</strong> by Ute (player 1):" in page
    assert re.search(r"Ute \(player 2\): \d of 1 moves? kept", page)
    assert not re.search(r"Ute(?! \(player [12]\))", page)


async def test_moves_that_give_away_points_stand_apart_from_the_turning_points(site: Pages) -> None:
    match = site.play(site.create("palindromes", m=6), "4=0", "5=0", "1=0", "3=0", "6=1", "2=1")
    page = (await until_analysed(site, match)).text
    turning, points = page.split("<h3>Turning points</h3>")[1].split("<h3>Points given away</h3>")
    assert "Move 5, 6=1, was a mistake: a win by 14 became a loss by 2; 2=0 kept it." in turning
    assert "gave away" not in turning
    words = "Move 3, 1=0, gave away 4 points: a win by 6 became a win by 2; 3=0 kept it at 6."
    assert f'<li><a href="/study/{match.id}?ply=3#board">{words}</a></li>' in points


async def test_an_analysis_is_made_once(site: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    match = site.play(site.create("palindromes", m=2), "1=0", "2=0")
    await until_analysed(site, match)
    monkeypatch.setattr(analyst.Analyst, "ask", None)  # it can't be asked again
    assert 'class="plot' in (await site.get(f"/study/{match.id}?ply=1")).text


async def test_too_many_analyses_are_refused_in_words(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyst, "MOST_WAITING", 0)
    async with pages(sqlite_url) as site:
        first, second = [site.play(site.create("palindromes", m=2), "1=0", move) for move in ("2=0", "2=1")]
        assert "data-poll" in (await site.get(f"/study/{first.id}")).text
        assert "Many games are being analysed" in (await site.get(f"/study/{second.id}")).text


async def test_an_analysis_that_takes_too_long_is_given_up(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyst, "LIMIT", 0.01)
    async with pages(sqlite_url) as site:
        await check_that_it_is_given_up(site)


async def check_that_it_is_given_up(site: Pages) -> None:
    match = site.play(site.create("palindromes", m=2), "1=0", "2=0")
    answer = await until_analysed(site, match)
    assert answer.status_code == 200 and "given up" in answer.text


async def test_an_analysis_that_fails_leaves_the_page_as_it_is(site: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyst, "find", int)  # no record is an integer
    await check_that_it_is_given_up(site)


async def test_a_resigned_game_is_analysed_and_one_without_moves_is_not(site: Pages) -> None:
    match = site.play(site.create("palindromes", m=2), "1=0")
    match = site.store.act(match.id, PLAYER, "resign", "", match.num_rows, time.time())
    assert 'class="plot' in (await until_analysed(site, match)).text
    match = site.create("palindromes", m=2)
    match = site.store.act(match.id, PLAYER, "resign", "", match.num_rows, time.time())
    assert "nothing to judge" in (await site.get(f"/study/{match.id}")).text


async def test_a_very_long_game_is_not_analysed(site: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.web.views.study.LONGEST", 3)
    match = site.finished("palindromes", m=4)
    assert "too long" in (await site.get(f"/study/{match.id}")).text


async def test_records_read_back_as_the_game(site: Pages) -> None:
    match = site.finished("up-and-up", n=3)
    for name in ("record.quet", "record.json"):
        answer = await site.get(f"/play/{match.id}/{name}")
        assert answer.headers["content-disposition"].startswith("attachment")
        record = read(answer.text)
        assert record.game.moves == match.game.moves
        assert record.tags["Player1"] == "Ann"


async def test_pictures_are_of_the_step_asked_for(site: Pages) -> None:
    match = site.play(site.create("up-and-up", n=4), "a1", "a2", "c2")
    svgs = [(await site.get(f"/play/{match.id}/picture.svg?ply={ply}")) for ply in range(4)]
    assert len({answer.text for answer in svgs}) == 4
    for ply, answer in enumerate(svgs):
        assert answer.headers["content-type"] == "image/svg+xml"
        assert "sandbox" in answer.headers["content-security-policy"]
        texts = [element.text for element in ElementTree.fromstring(answer.text).iter() if element.tag.endswith("text")]
        assert texts.count("3") == (2 if ply == 3 else 1)  # the number, and the row's
    png = await site.get(f"/play/{match.id}/picture.png?ply=1")
    assert Image.open(io.BytesIO(png.content)).format == "PNG"
    for ply in (0, 2, 3):
        gif = Image.open(io.BytesIO((await site.get(f"/play/{match.id}/picture.gif?ply={ply}")).content))
        assert gif.format == "GIF" and getattr(gif, "n_frames", 1) == ply + 1


async def test_an_animation_has_a_limited_number_of_frames(site: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_FRAMES", 5)
    match = site.finished("up-and-up", n=5)
    assert match.game.ply > 10
    game = match.game
    parameters = [(name, str(value)) for name, value in game.parameters.items()]
    gif = Image.open(io.BytesIO(pictures.draw(game.id, parameters, game.moves, "", "gif")))
    assert getattr(gif, "n_frames", 1) == 5


def test_pictures_of_long_games_are_kept_without_their_moves() -> None:
    def key(ply: int, language: str = "en") -> pictures.Key:
        return "sums-grid", (), moves[:ply], "", "svg", language

    kept, moves = pictures.Pictures(), ("a1=1",) * 10_000
    tracemalloc.start()
    for ply in range(9_900, 10_000):
        kept.keep(key(ply), b"%d" % ply)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 1_000_000  # the moves take 8 MB
    assert kept.get(key(9_950)) == b"9950" and kept.get(key(9_950, "de")) is None


def test_the_bound_of_pictures_counts_what_they_are_kept_under(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_KEPT", 100)  # bytes: three digests of 32, and 4 more
    kept = pictures.Pictures()
    keys: list[pictures.Key] = [("blob", (), (move,), "", "svg", "en") for move in ("a1", "a2", "a3")]
    for key, picture in zip((keys[0], *keys, keys[0]), (b"x", b"x", b"x", b"x", b"xx"), strict=True):
        kept.keep(key, picture)
    assert [kept.get(key) for key in keys] == [b"xx", b"x", b"x"]
    kept.keep(keys[1], b"xx")
    assert [kept.get(key) for key in keys] == [None, b"xx", b"x"]


@pytest.mark.usefixtures("clock")
async def test_what_costs_is_limited(sqlite_url: str) -> None:
    async with pages(sqlite_url, Limits(costly=2)) as site:
        match = site.play(site.create("up-and-up", n=4), "a1")
        await site.get("/rules/blob")  # the cookie
        statuses = [(await site.get(f"/play/{match.id}/picture.png")).status_code for _ in range(3)]
        assert statuses == [200, 200, 429]


@pytest.mark.parametrize("ply", ["x", "-1", "4", "1e3", "", "%00", "٣", "9" * 5000])
async def test_a_step_that_is_not_there_is_refused_in_a_sentence(site: Pages, ply: str) -> None:
    match = site.play(site.create("blob", n=6), "b2", "b3", "c3")
    for path in (f"/study/{match.id}", f"/play/{match.id}/picture.svg", f"/play/{match.id}/picture.gif"):
        answer = await site.get(f"{path}?ply={ply}")
        assert answer.status_code == 400
        assert "The game has 3 moves; there is no position with that number." in answer.text


async def test_games_that_are_not_there_are_not_found(site: Pages) -> None:
    for id in ("nope", "x" * 22, "%2e%2e", "a" * 5000):
        for path in (f"/study/{id}", f"/play/{id}/record.quet", f"/play/{id}/record.json", f"/play/{id}/picture.png"):
            assert (await site.get(path)).status_code == 404


async def test_names_are_escaped(site: Pages) -> None:
    site.name = "<b>&\"'"
    match = site.create("palindromes", m=2)
    answer = await site.get(f"/study/{match.id}")
    assert "<b>&" not in answer.text and "&lt;b&gt;&amp;" in answer.text


async def test_scores_that_are_costs_have_the_colour_of_costs_on_every_page(site: Pages) -> None:
    for game, is_cost in (("divisors-multiples", True), ("blob", False)):
        match = site.create(game)
        for path in (f"/play/{match.id}", f"/study/{match.id}", f"/rules/{game}"):
            text = (await site.get(path)).text
            assert len(re.findall(r'class="(?:scores|players)[^"]*is-cost"', text)) == is_cost, path
    css = (await site.get("/static/quet.css")).text
    assert ".is-cost .points, .is-cost .total { color: var(--cost); }" in css
    assert f"--cost:{ROLES['cost'][0]};" in board_css()
