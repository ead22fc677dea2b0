"""The game of the day on the site: ranked on its day, by score and time, and played for oneself afterwards."""

import html
import re
from collections.abc import AsyncIterator
from datetime import date
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest

from quet.puzzles import Puzzle, of
from quet.puzzles import judge as judging
from quet.puzzles.daily import puzzle_of
from quet.results.folder import find
from quet.study import daily
from quet.study.daily import DAY, FIRST
from quet.web.new_games import SeatPlan, SetUp
from quet.web.storage import days
from quet.web.storage.clock import SiteClock
from quet.web.storage.database import Database
from quet.web.storage.days import race_of
from quet.web.storage.store import Store
from quet.web.views import daily as view

from .in_process import Pages, pages

TODAY = FIRST + DAY  # an Up And Up of 6 by 6
WITNESS = next(row for row in find(None).rows("up-and-up") if row.size == 6 and row.score == "highest").witness.split()


@pytest.fixture
async def site(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Pages]:
    monkeypatch.setattr(SiteClock, "date", lambda clock, at: str(TODAY))
    async with pages(sqlite_url) as found:
        yield found


def played(store: Store, visitor: str, moves: list[str], seconds: float, day: date = TODAY) -> str:
    """A game of the day that ends after so many seconds, perhaps given up; returns its id."""
    set_up = SetUp(daily.daily(TODAY).game_id, {"n": "6"}, (SeatPlan("me", visitor.title()),))
    match = store.join_day(race_of(day), set_up, visitor, 1000.0)
    for number, move in enumerate(moves):
        at = 1000.0 + seconds * (number + 1) / len(moves)
        match = store.act(match.id, visitor, "move", move, match.num_rows, at)
    return match.id


def poor(moves: int) -> list[str]:
    """A whole game with less than the best score: it begins like the best one."""
    game = daily.daily(TODAY).game()
    for move in WITNESS[:moves]:
        game.play(move)
    while not game.is_over:
        game.play(game.legal_moves[0])
    assert game.scores[0] < 36
    return list(game.moves)


async def test_the_page_ranks_by_score_and_then_by_time(site: Pages) -> None:
    store = site.store
    played(store, "slow", WITNESS, 90.0)
    played(store, "quick", WITNESS, 60.0)
    played(store, "equal", WITNESS, 60.0)
    played(store, "poor", poor(0), 5.0)
    played(store, "unfinished", WITNESS[:4], 1.0)
    assert [(one.visitor, one.place) for one in sorted(store.days.page(TODAY, 0), key=lambda one: one.visitor)] == [
        *(("equal", 1), ("poor", 4), ("quick", 1), ("slow", 3))
    ]
    assert [one.place for one in store.days.page(TODAY, 2)] == [3, 4]
    own = store.days.own(TODAY, "slow")
    assert own is not None and (own.place, own.seconds) == (3, 90.0)
    assert store.days.own(TODAY, "unfinished") is None
    text = (await site.get("/daily")).text
    assert "4 people have finished" in text and "Score 36: 3." in text and "Unfinished" not in text
    assert (await site.get(f"/daily/{TODAY}?page=9")).status_code == 200
    german = (await site.get("/daily", **{"Accept-Language": "de"})).text
    assert "Das Spiel des Tages" in german and "Serie" not in german


async def test_only_so_many_pages_are_listed(site: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, visitor in enumerate("abc"):
        played(site.store, visitor, WITNESS, 60.0 + number)
    assert "are listed" not in (await site.get("/daily")).text
    monkeypatch.setattr(view, "RANKED", 1)
    monkeypatch.setattr(view, "MOST_PAGES", 2)
    page = (await site.get("/daily?page=1000000")).text
    assert "Page 2 of 2" in page and "Only the first 2 are listed." in page and "3 people have finished" in page


def test_a_ranking_of_many_is_counted_once_in_some_seconds(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(days, "time", SimpleNamespace(monotonic=lambda: clock.now))
    store = Store(Database(database_url))
    store.database.upgrade()
    for visitor, seconds in {"slow": 90.0, "quick": 60.0, "equal": 60.0}.items():
        played(store, visitor, WITNESS, seconds)
    assert [one.place for one in store.days.page(TODAY, 0)] == [1, 1, 3]
    assert [one.place for one in store.days.page(TODAY, 1)] == [1, 3]
    own = store.days.own(TODAY, "equal")
    assert own is not None and (own.place, own.name) == (1, "Equal")
    assert store.days.spread(TODAY) == {-36: 3}
    played(store, "poor", WITNESS, 99.0)
    assert store.days.spread(TODAY) == {-36: 4}  # few are counted at once
    monkeypatch.setattr(days, "MANY", 4)
    assert store.days.spread(TODAY) == {-36: 4}
    played(store, "late", WITNESS, 99.0)
    assert store.days.spread(TODAY) == {-36: 4}
    clock.now += days.KEPT_SECONDS
    assert store.days.spread(TODAY) == {-36: 5}
    store.database.close()


async def test_days_that_were_finished_are_those_of_this_visitor_that_were_asked_for(site: Pages) -> None:
    played(site.store, "ann", WITNESS, 60.0)
    played(site.store, "ann", WITNESS[:4], 60.0, TODAY + 3 * DAY)
    played(site.store, "bob", WITNESS, 60.0, TODAY + DAY)
    days = [TODAY, TODAY + DAY, TODAY + 3 * DAY]
    assert site.store.days.finished(days, "ann") == {TODAY: -36}
    assert site.store.days.finished(days[1:], "ann") == {}


async def test_one_plays_once_and_shares_the_result(site: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    first = await site.post(f"/daily/{TODAY}", name="Ann")
    assert (await site.post(f"/daily/{TODAY - DAY}", name="Ann")).headers["location"] != first.headers["location"]
    id = first.headers["location"].removeprefix("/play/")
    page = (await site.get("/daily")).text
    assert f'href="/play/{id}"' in page and "Play the game of the day" not in page
    assert f'href="/daily/{TODAY}"' in (await site.get(f"/play/{id}")).text
    match = site.store.load(id)
    assert "Play on" in page and "Hand over" not in (await site.get(f"/play/{id}")).text
    assert site.store.join_day(match.row.race or "", SetUp("up-and-up", {"n": "6"}), match.row.creator, 0.0).id == id
    for move in WITNESS:
        match = site.store.act(id, match.row.creator, "move", move, match.num_rows, match.row.created_at + 9.0)
    table = (await site.get(f"/play/{id}")).text
    assert "36 of 36 possible (proven)." in table and "Ranking of the day</a>" in table
    page = html.unescape((await site.get("/daily")).text)
    shared = re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.S)
    assert shared and shared[1].splitlines() == [
        f"Quet daily {TODAY} · Up And Up, Grid Solitaire, 6 by 6",
        "36 of 36 · 100 % · streak 1",
        "●●●●●●●●",
        f"http://site/daily/{TODAY}",
    ]
    assert f'<li><a href="/daily/{TODAY}">' not in page  # among other days
    assert "place 1 of 1" in page and "1 day in a row" in page
    monkeypatch.setattr(SiteClock, "date", lambda clock, at: str(TODAY + 5 * DAY))
    page = html.unescape((await site.get(f"/daily/{TODAY}")).text)
    assert shared[1] in page and "day in a row" not in page  # the result is kept as it was, though the row has ended


async def test_a_game_of_the_day_that_was_given_up_is_looked_at_and_not_played_on(
    site: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = (await site.post(f"/daily/{TODAY}", name="Ann")).headers["location"].removeprefix("/play/")
    site.store.act(id, site.store.load(id).row.creator, "resign", "", None, 2_000_000_000.0)
    page = (await site.get("/daily")).text
    assert f'href="/play/{id}">Look</a>' in page and "Play on" not in page
    assert "This game isn’t ranked, as it wasn’t played to its end." in page
    monkeypatch.setattr(SiteClock, "date", lambda clock, at: str(TODAY + DAY))
    page = (await site.get(f"/daily/{TODAY}")).text
    assert f'href="/play/{id}">Look</a>' in page and "as it wasn’t played to its end" in page


async def test_the_puzzle_of_the_day_is_asked_and_its_solution_counts_in_the_row(site: Pages) -> None:
    other = next(one for one in of("blob") if one.id != puzzle_of(TODAY).id)
    today, before = puzzle_of(TODAY), puzzle_of(TODAY - DAY)
    page = html.unescape((await site.get("/daily")).text)
    assert f'href="/puzzles/{today.game_id}/{today.id}"' in page and today.kind.task in page
    assert f'href="/puzzles/{before.game_id}/{before.id}"' in page  # in the archive
    assert "Solve the puzzle" in page and "Nothing is finished yet" in page
    for puzzle in (before, today):
        address = f"/puzzles/{puzzle.game_id}/{puzzle.id}"
        assert ("The puzzle of the day" in (await site.get(address)).text) == (puzzle is today)
        await site.get(f"/puzzles/blob/{other.id}")  # in another tab
        assert "Next puzzle" in await solved(site, puzzle)
    page = (await site.get("/daily")).text
    assert "Solve the puzzle" not in page and "1 day in a row" in page and "1 puzzle of its day solved" in page
    assert "Solve the puzzle" in (await site.get(f"/daily/{TODAY - DAY}")).text  # its day was over


async def solved(site: Pages, puzzle: Puzzle) -> str:
    """The page of a puzzle after its solution was played."""
    game, done = puzzle.position(), ""
    while True:
        told = judging.answer(puzzle, game, judging.solution(puzzle, game))
        query = urlencode({"done": done, "move": told.move})
        text = (await site.get(f"/puzzles/{puzzle.game_id}/{puzzle.id}?{query}")).text
        if told.is_solved:
            return text
        game, done = told.game, " ".join(told.game.moves[len(puzzle.moves) :])


async def test_a_puzzle_of_the_day_that_was_shown_or_came_as_a_link_makes_no_row(site: Pages) -> None:
    puzzle = puzzle_of(TODAY)
    await solved(site, puzzle)
    assert "Nothing is finished yet" in (await site.get("/daily")).text
    await site.get(f"/puzzles/{puzzle.game_id}/{puzzle.id}?shown=1")
    await solved(site, puzzle)
    assert "Nothing is finished yet" in (await site.get("/daily")).text


async def test_a_past_day_is_played_without_a_rank(site: Pages) -> None:
    made = await site.post(f"/daily/{FIRST}", name="Ann")
    match = site.store.load(made.headers["location"].removeprefix("/play/"))
    assert match.row.race is None
    page = (await site.get(f"/daily/{FIRST}")).text
    assert "isn’t ranked any more" in page and "Nobody has finished" in page


@pytest.mark.parametrize(
    "day", ["2026-11-22", "2026-11-25", "9999-12-31", "nonsense", "2026-11-24x", "%00", "2026-02-30"]
)
async def test_a_day_without_a_game_gets_a_sentence(site: Pages, day: str) -> None:
    answer = await site.get(f"/daily/{day}")
    assert answer.status_code == 404 and "day" in answer.text
    assert (await site.get("/daily?page=0")).status_code == 400


async def test_the_day_changes_at_midnight(site: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    made = await site.post(f"/daily/{TODAY}", name="Ann")
    visitor = site.store.load(made.headers["location"].removeprefix("/play/")).row.creator
    played(site.store, visitor, [], 1.0)
    monkeypatch.setattr(SiteClock, "date", lambda clock, at: str(TODAY + DAY))
    assert f'datetime="{TODAY + DAY}"' in (await site.get("/daily")).text
    page = (await site.get(f"/daily/{TODAY}")).text
    assert f'href="{made.headers["location"]}">Play on</a>' in page  # it is still ranked when it is finished
    assert "so a further game isn’t ranked" in page and "isn’t ranked any more" not in page
    late = await site.post(f"/daily/{TODAY}", name="Ann")
    assert (
        late.headers["location"] != made.headers["location"]
    )  # the day's game isn't begun anew: this one isn't ranked
    assert site.store.num_racers(race_of(TODAY)) == 1


async def test_a_form_of_a_ranked_game_begins_none_when_its_day_is_over(
    site: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    field, ranked = '<input type="hidden" name="ranked" value="1">', {"name": "Ann", "ranked": "1"}
    assert field in (await site.get("/daily")).text and field not in (await site.get(f"/daily/{TODAY - DAY}")).text
    begun = await site.post(f"/daily/{TODAY}", **ranked)
    monkeypatch.setattr(SiteClock, "date", lambda clock, at: str(TODAY + DAY))
    late = await site.post(f"/daily/{TODAY}", **ranked)
    assert late.headers["location"] == begun.headers["location"]
    monkeypatch.setattr(SiteClock, "date", lambda clock, at: str(TODAY + 2 * DAY))
    too_late = await site.post(f"/daily/{TODAY + DAY}", **ranked)
    assert (too_late.status_code, too_late.headers["location"]) == (303, f"/daily/{TODAY + DAY}")
    assert "isn’t ranked any more" in (await site.get(too_late.headers["location"])).text
    assert site.store.num_racers(race_of(TODAY + DAY)) == 0


async def test_links_are_shown_with_a_picture(site: Pages) -> None:
    own = site.finished("up-and-up", n=2)
    of_day = puzzle_of(TODAY)
    puzzle = f"/puzzles/{of_day.game_id}/{of_day.id}"
    study = f"/study?{urlencode({'game': 'blob', 'parameters': 'n=4', 'moves': '1. b2', 'at': '1'}, safe='=')}"
    for path in (
        "/",
        "/daily",
        "/rules/blob",
        "/learn/blob",
        "/results/up-and-up/4",
        f"/play/{own.id}",
        f"/study/{own.id}",
        puzzle,
        study,
    ):
        text = (await site.get(path)).text
        known = {
            name: html.unescape(words) for name, words in re.findall(r'property="og:(\w+)" content="([^"]*)"', text)
        }
        assert known["title"] and known["description"] and known["url"].startswith("http://site/"), path
        assert text.count("twitter:card") == text.count('rel="canonical"') == 1
        image = await site.get(known["image"].removeprefix("http://site"))
        assert image.status_code == 200 and image.content.startswith(b"\x89PNG"), path
    assert f"/play/{own.id}/picture.png" in (await site.get(f"/study/{own.id}")).text
    assert f"{puzzle}/picture.png" in (await site.get(puzzle)).text
    assert "/results/up-and-up/4/board.png" in (await site.get("/results/up-and-up/4")).text
    shared = re.search(r'og:url" content="([^"]*)"', (await site.get(study)).text)
    assert shared and html.unescape(shared[1]) == f"http://site{study}"
    for path in ("/card/blob.png", "/picture.png?game=blob&parameters=n=4&moves=1.+b2"):
        answer = await site.get(path)  # of those with words a cache keeps one for each language
        assert (
            answer.headers["cache-control"].startswith("public") and answer.headers["vary"] == "Accept-Language, Cookie"
        )
        again = await site.get(path, **{"If-None-Match": answer.headers["etag"]})
        assert again.status_code == 304 and again.headers["vary"] == answer.headers["vary"]
    boards = [(await site.get(f"/picture.png?game=blob&parameters=n=4&moves=1.+b2&at={at}")).content for at in "01"]
    assert boards[0] != boards[1]
    for path, status in (
        ("/card/nonsense.png", 404),
        ("/picture.png", 404),
        ("/picture.png?game=blob&moves=%00", 422),
        ("/picture.png?game=blob&at=x", 422),
        ("/puzzles/blob/nothing/picture.png", 404),
        ("/results/blob/nothing/board.png", 404),
    ):
        assert (await site.get(path)).status_code == status, path


async def test_search_engines_are_told_the_pages(site: Pages) -> None:
    assert "Sitemap: http://site/sitemap.xml" in (await site.get("/robots.txt")).text
    listed = re.findall("<loc>http://site(.*?)</loc>", (await site.get("/sitemap.xml")).text)
    assert {"/", "/daily", f"/daily/{TODAY}", f"/daily/{FIRST}", "/rules/blob", "/learn/blob"} <= set(listed)
    assert len(listed) == len(set(listed)) < 100
    for path in listed:
        assert (await site.get(path)).status_code == 200, path
