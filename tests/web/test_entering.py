"""Scores in proportion at the table, and entering a game that equals or beats the table of best results."""

import dataclasses
import html
import json
import re
from collections.abc import AsyncIterator, Callable, Collection
from pathlib import Path
from unittest.mock import Mock

import httpx
import pytest
from sqlalchemy import update

from certified import empty_table, reached
from quet.cli.main import main
from quet.core.files import UnwritableFile
from quet.results import best
from quet.results.folder import Folder, find
from quet.results.row import NOBODY, Row
from quet.results.submit import enter as enter_certificate
from quet.results.unnamed import TakenOut, take_out
from quet.web import table_of_results
from quet.web.match import SiteMatch
from quet.web.storage import entries, merging
from quet.web.storage.database import Database
from quet.web.storage.entries import Entries, Entry, NotEntered
from quet.web.storage.forgetting import Forgetting
from quet.web.storage.schema import games
from quet.web.storage.store import Store
from quet.web.views import entering

from .in_process import PLAYER, Pages, pages

FULL = ("a1", "a2", "b2", "b1")  # of 2 by 2, which isn't the game of the table


@pytest.fixture
async def site(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        monkeypatch.setattr("quet.web.visitors.Visitors._new", lambda visitors: _ann(visitors))
        yield found


def _ann(visitors: object) -> object:
    """The visitor who holds the seats of `Pages.create`."""
    from quet.web.visitors import Visitor, Visitors

    assert isinstance(visitors, Visitors)
    return Visitor(PLAYER, visitors._token(PLAYER), is_changed=True)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A table of its own, where the best known of Sums on 2 by 2 is 3 of 8: too little, so that it can be beaten."""
    rows = find(None).rows("sums-grid")
    poor = dataclasses.replace(rows[1], value=3, status="open", witness="a1=1 b1=1 a2=1 b2=1 done")
    (tmp_path / "sums-grid.jsonl").write_text("".join(f"{row.line()}\n" for row in (rows[0], poor)))
    (tmp_path / "certificates").mkdir()
    folder = Folder(tmp_path)
    monkeypatch.setattr(best, "find", lambda given: folder)
    monkeypatch.setattr(table_of_results, "find", lambda given: folder)
    return folder


def result(page: httpx.Response) -> str:
    """What the page says of the end, above the board and beside it, without tags."""
    found = re.findall(r'class="turn-place">(.*?)</div>|aria-label="Result">(.*?)</section>', page.text, re.S)
    assert len(found) == 2, page.text
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", str(found))).split())


async def enter(site: Pages, match: SiteMatch, name: str = "Ann") -> httpx.Response:
    return await site.post(f"/play/{match.id}", "/enter", name=name)


async def test_the_end_of_a_solitaire_is_told_in_proportion(site: Pages) -> None:
    row = next(row for row in find(None).rows("up-and-up") if row.size == 3)
    first = site.play(site.create("up-and-up", n=3), *row.witness.split())
    assert "9 of 9 possible (proven). No better score is possible." in result(await site.get(f"/play/{first.id}"))
    worse = site.finished("up-and-up", seed=4, n=3)
    assert worse.game.scores[0] < 9
    said = result(await site.get(f"/play/{worse.id}"))
    assert f"{worse.game.scores[0]} of 9 possible (proven); your best here 9." in said and "Enter" not in said
    assert f"your best here before was {worse.game.scores[0]}." in result(await site.get(f"/play/{first.id}"))
    german = await site.get(f"/play/{worse.id}", **{"Accept-Language": "de"})
    assert f"{worse.game.scores[0]} von 9 möglichen (bewiesen); dein bestes Ergebnis hier 9." in german.text


async def test_a_measured_level_and_an_open_size_are_told(site: Pages) -> None:
    game = site.finished("up-and-up", n=8)
    assert "of 64 possible (proven); level 3 gets 60." in result(await site.get(f"/play/{game.id}"))
    squares = [f"{column}{row}" for column in "abcd" for row in "1234"]
    moves = [f"{square}={number}" for number, square in enumerate(squares, 1)]
    open_one = site.play(site.create("sums-grid", n=4), *moves, "done")
    score = open_one.game.scores[0]
    assert f"{score}; the best known is 60, and more than 62 is impossible; level 3 gets 51." in result(
        await site.get(f"/play/{open_one.id}")
    )


async def test_a_game_as_good_as_the_table_is_entered_once_and_shown_with_its_board(site: Pages) -> None:
    match = site.play(site.create("up-and-up", n=2), *FULL)
    page = await site.get(f"/play/{match.id}")
    assert f'action="/play/{match.id}/enter"' in page.text
    for _ in range(2):
        assert (await enter(site, match)).status_code == 303
    assert "Listed beside the table of best results, under the name Ann" in (await site.get(f"/play/{match.id}")).text
    for path in ("/results/up-and-up", "/results/up-and-up/2"):
        text = (await site.get(path)).text
        assert text.count(f'href="/study/{match.id}"') == 1 and "Ann <span" in text
    assert "Entered here" not in (await site.get("/results/up-and-up/3")).text
    again = site.play(site.create("up-and-up", n=2), *FULL)
    assert (await enter(site, again)).status_code == 409  # the same game


async def test_a_browser_does_not_keep_a_name_that_an_operator_took_out(site: Pages) -> None:
    match = site.play(site.create("up-and-up", n=2), *FULL)
    await enter(site, match, "Zelda")
    before = [(path, await site.get(path)) for path in ("/results/up-and-up", "/results/up-and-up/2")]
    assert Forgetting(site.store.database).name("Zelda").names
    for path, page in before:
        assert "Zelda" in page.text
        after = await site.get(path, **{"If-None-Match": page.headers["etag"]})
        assert after.status_code == 200 and "Zelda" not in after.text


async def test_what_is_no_better_or_no_ones_or_not_over_is_not_entered(site: Pages) -> None:
    worse = site.finished("up-and-up", seed=4, n=3)
    going_on = site.play(site.create("up-and-up", n=2), "a1")
    row = next(row for row in find(None).rows("up-and-up") if row.size == 2)
    the_tables = site.play(site.create("up-and-up", n=2), *row.witness.split())
    two = site.finished("palindromes", m=3)
    for match, words in (
        (worse, "equals or beats"),
        (going_on, "equals or beats"),
        (two, "equals or beats"),
        (the_tables, "in the table already"),
    ):
        answer = await enter(site, match)
        assert answer.status_code == 409 and words in answer.text
    full = site.play(site.create("up-and-up", n=2), *FULL)
    assert (await enter(site, full, name=" ")).status_code == 400
    assert (await enter(site, full, name="x" * 41)).status_code in (303, 400)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SiteMatch, "player_of", lambda match, visitor: [])
        assert (await enter(site, full)).status_code == 403
    assert site.store.entries.of("palindromes") == []


async def test_a_better_game_is_told_entered_shown_and_merged(
    site: Pages, table: Folder, sqlite_url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def done_here(request: object, function: Callable[..., object], *arguments: object) -> object:
        return function(*arguments)  # the workshop, another process, knows nothing of this test's table

    monkeypatch.setattr(entering, "have_done", done_here)
    match = site.play(site.create("sums-grid", n=2), "a1=1", "b1=3", "a2=2", "b2=7", "done")
    assert match.game.scores[0] > 3
    assert "That is better than the best result known." in result(await site.get(f"/play/{match.id}"))
    assert (await enter(site, match, "Ann Example")).status_code == 303
    text = (await site.get("/results/sums-grid")).text
    assert "better than the table" in text and "Ann Example" in text
    # An operator merges it: into a table that has no row of this size yet, since the poor one has no certificate.
    rows = table.rows("sums-grid")
    table.file("sums-grid").write_text(f"{rows[0].line()}\n")
    monkeypatch.setenv("QUET_DATABASE_URL", sqlite_url)
    assert main(["results", "merge", "--folder", str(table.path), "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert told["entered"] and told["finder"] == "Ann Example" and told["value"] == match.game.scores[0]
    row = table.rows("sums-grid")[1]
    assert (row.value, row.finder, row.witness) == (match.game.scores[0], "Ann Example", " ".join(match.game.moves))
    assert main(["results", "merge", "--folder", str(table.path)]) == 0
    assert "no better" in capsys.readouterr().out
    assert "Entered here" not in (await site.get("/results/sums-grid")).text  # the table has it now


@pytest.fixture
def folder(tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """The table of the folder in which commands run, with a row of Eve's; the site's database is told to them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUET_DATABASE_URL", sqlite_url)
    made = empty_table(tmp_path)  # which is found there
    enter_certificate(made, reached(8), finder="Eve", is_trusted=False)
    return made


def zebediahs(site: Pages, n: int, *moves: str) -> SiteMatch:
    """A game of Up And Up that was entered under the name of Zebediah."""
    match = site.play(site.create("up-and-up", n=n), *moves)
    value = match.game.scores[0]
    site.store.entries.enter(Entry(match.id, "up-and-up", {"n": n}, value, "Zebediah", float(n), " ".join(moves)))
    return match


@pytest.mark.parametrize("what", ["name", "entry", "game", "person"])
async def test_a_name_that_was_merged_is_forgotten_too(
    what: str, site: Pages, folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    match = zebediahs(site, 2, *FULL)
    assert main(["results", "merge"]) == 0
    page = (await site.get("/results/up-and-up")).text
    assert page.count("Zebediah") == 1 and "Eve" in page
    capsys.readouterr()
    assert main(["forget", what, "Zebediah" if what == "name" else match.id]) == 0
    said = capsys.readouterr().out
    assert "1 name in the table of best results.\n" in said and f"The table is {folder.path}.\n" in said
    page = (await site.get("/results/up-and-up")).text
    assert "Zebediah" not in page and NOBODY in page and "Eve" in page
    assert [row.value for row in folder.rows()] == [match.game.scores[0], 8]
    assert main(["forget", "name", "Eve"]) == 0  # who has nothing in the database
    assert capsys.readouterr().out.startswith("Gone: 1 name in the table of best results.\n")
    assert main(["forget", "name", "Eve"]) == 2
    assert "Nobody has the name 'Eve' here." in capsys.readouterr().err


async def test_a_name_that_the_table_keeps_is_told_and_goes_from_the_database(
    site: Pages, folder: Folder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write("up-and-up", [dataclasses.replace(row, finder="Ann") for row in folder.rows()])
    match = site.create("up-and-up", n=2)
    assert match.seat(1).name == "Ann"
    monkeypatch.setattr("quet.results.folder._INSTALLED", folder.path)
    assert main(["forget", "name", "Ann"]) == 2
    told = "quet: The table of best results came with Quet and keeps the name in up-and-up n=3, highest.\n"
    assert capsys.readouterr() == ("Gone: 1 name.\n", told)
    assert site.store.load(match.id).seat(1).name == ""
    assert main(["forget", "name", "Ann"]) == 2
    assert capsys.readouterr() == ("", told)


@pytest.mark.parametrize("what", ["game", "entry", "person", "name"])
async def test_where_the_table_cannot_be_written_the_database_stays_as_it_is(
    what: str,
    site: Pages,
    folder: Folder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The entry tells what is to go from the table, so that it must be there at the next attempt."""
    match = zebediahs(site, 2, *FULL)
    assert main(["results", "merge"]) == 0 and folder.rows()[0].finder == "Zebediah"
    capsys.readouterr()
    words = ["forget", what, "Zebediah" if what == "name" else match.id]
    with monkeypatch.context() as patch:
        patch.setattr("quet.results.folder.write_file", Mock(side_effect=UnwritableFile("It can't be written.")))
        assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == "" and "Nothing has been taken out of the database yet." in said.err
    assert site.store.load(match.id).rows == match.rows and site.store.entries.by(match.id) == "Zebediah"
    assert main(words) == 0
    assert folder.rows()[0].finder == NOBODY and site.store.entries.by(match.id) in (None, NOBODY)


async def test_entered_games_have_the_date_of_their_record_however_long_the_site_was_down(
    site: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site.store.clock, "date", lambda at: "2031-05-06")
    match = site.play(site.create("up-and-up", n=2), *FULL)
    assert (await enter(site, match)).status_code == 303
    for path in ("/results/up-and-up", "/results/up-and-up/2"):
        assert 'Ann <span class="muted">2031-05-06</span>' in (await site.get(path)).text
    with site.store.database.write() as connection:  # as in a database of an earlier version
        connection.execute(update(games).values(date=None, created_at=86_400.0))
    assert [one.date for one in site.store.entries.of("up-and-up")] == ["1970-01-02"]


async def test_entered_games_stand_with_the_best_of_a_size_first(
    site: Pages, table: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [site.finished("up-and-up", seed=seed, n=2).id for seed in range(4)]
    values = (4, 7, 3, 7)  # 3 is what the table has
    for at, (id, value) in enumerate(zip(ids, values, strict=True)):
        site.store.entries.enter(Entry(id, "sums-grid", {"n": 2}, value, f"Finder{at}", float(at), str(at)))
    text = (await site.get("/results/sums-grid")).text
    assert re.findall(r"Finder\d", text) == ["Finder1", "Finder3", "Finder0", "Finder2"]


async def test_merging_says_that_there_is_nothing_or_no_database(
    site: Pages,
    sqlite_url: str,
    tmp_path: Path,
    table: Folder,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QUET_DATABASE_URL", sqlite_url)
    assert main(["results", "merge", "--folder", str(table.path)]) == 0
    assert capsys.readouterr() == ("Nothing was entered on the site.\n", "")
    none = tmp_path / "none.db"
    monkeypatch.setenv("QUET_DATABASE_URL", f"sqlite:///{none}")
    assert main(["results", "merge", "--folder", str(table.path)]) == 2
    where = "QUET_DATABASE_URL or QUET_DATA says where the site's is"
    assert capsys.readouterr() == ("", f"quet: There is no database at '{none}'; {where}.\n")
    assert not none.exists()
    assert main(["results", "merge", "blob"]) != 0


async def test_a_table_that_cannot_be_written_ends_merging_with_one_sentence(
    site: Pages,
    table: Folder,
    sqlite_url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QUET_DATABASE_URL", sqlite_url)
    played = [site.finished("up-and-up", n=n) for n in (1, 2, 3)]
    for match in played:
        moves = " ".join(match.game.moves)
        parameters = dict(match.game.parameters)
        site.store.entries.enter(Entry(match.id, "up-and-up", parameters, match.game.scores[0], "Ann", 0.0, moves))
    (table.path / "certificates").rmdir()
    (table.path / "certificates").write_text("a file in the way")
    assert main(["results", "merge", "--folder", str(table.path)]) == 2
    assert capsys.readouterr() == ("", f"quet: '{table.path}': It can't be written: File exists.\n")


def entry(id: str, moves: str) -> Entry:
    return Entry(id, "up-and-up", {"n": 2}, 4, "Ann", float(ord(moves[1])), moves)


def test_nobody_takes_the_places_of_all_others_with_one_score(database_url: str) -> None:
    from quet.web.new_games import SeatPlan, SetUp

    store = Store(Database(database_url))
    store.database.upgrade()

    def ids(visitor: str, number: int) -> list[str]:
        set_up = SetUp("up-and-up", {"n": "2"}, (SeatPlan("me", "Ann"),))
        return [store.create(set_up, visitor, 1.0).id for _ in range(number)]

    mine = ids(PLAYER, entries.MOST_OF_ONE + 2)
    for number, id in enumerate(mine[: entries.MOST_OF_ONE]):
        store.entries.enter(entry(id, f"a{number}"))
    with pytest.raises(NotEntered, match="You have entered 3 games with this score; a better one"):
        store.entries.enter(entry(mine[-2], "b1"))
    store.entries.enter(dataclasses.replace(entry(mine[-1], "b1"), value=5))
    store.entries.enter(entry(ids("somebody else", 1)[0], "b1"))
    assert len(store.entries.all()) == entries.MOST_OF_ONE + 2
    store.database.close()


def test_entries_are_bounded_in_either_database(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from quet.web.new_games import SeatPlan, SetUp

    store = Store(Database(database_url))
    store.database.upgrade()
    ids = [store.create(SetUp("up-and-up", {"n": "2"}, seats=(SeatPlan("me", "Ann"),)), PLAYER, 1.0).id for _ in "123"]
    monkeypatch.setattr(entries, "MOST_ALIKE", 2)
    found = Entries(store.database)
    found.enter(entry(ids[0], "a1"))
    found.enter(entry(ids[0], "a1"))
    with pytest.raises(NotEntered):
        found.enter(entry(ids[1], "a1"))
    found.enter(entry(ids[1], "a2"))
    with pytest.raises(NotEntered):
        found.enter(entry(ids[2], "b1"))
    assert [one.moves for one in found.all()] == ["a1", "a2"]
    assert [(one.game_id, one.parameters, one.value, one.finder) for one in found.of("up-and-up")] == [
        (id, {"n": 2}, 4, "Ann") for id in ids[:2]
    ]
    assert found.played(ids, {"a2", "b1"}) == {ids[1]: "a2"} and found.played(ids[:1], {"a2"}) == {}
    assert (found.by(ids[0]), found.by(ids[2]), found.of("blob")) == ("Ann", None, [])
    store.database.close()


async def test_what_can_still_be_reached_is_told_on_request(site: Pages) -> None:
    match = site.play(site.create("up-and-up", n=3), "a1")
    page = await site.get(f"/play/{match.id}")
    assert f'href="/play/{match.id}?reachable=1#message"' in page.text and "Still reachable" not in page.text
    assert "Still reachable: 8, and nothing better (" in (await site.get(f"/play/{match.id}?reachable=1")).text
    two = site.create("palindromes", m=4)
    assert "reachable=1" not in (await site.get(f"/play/{two.id}")).text
    refused = await site.get(f"/play/{two.id}?reachable=1", accept="application/json")
    assert refused.status_code == 409 and "not in a race" in refused.json()["error"]
    assert (await site.get(f"/play/{two.id}?reachable=1")).status_code == 200
    assert "reachable=1" not in (await site.get(f"/play/{match.id}?at=0")).text
    assert (await site.get(f"/play/{match.id}?reachable=2")).status_code == 400


async def test_what_is_forgotten_while_it_is_merged_does_not_come_back(
    site: Pages, folder: Folder, sqlite_url: str
) -> None:
    zebediahs(site, 1, "a1")
    zebediahs(site, 2, *FULL)
    merged = merging.merge(sqlite_url, folder)
    assert next(merged).is_entered and main(["forget", "name", "Zebediah"]) == 0
    assert [one.sentence for one in merged] == ["It was taken out of the site's database meanwhile."]
    assert [row.finder for row in folder.rows()] == [NOBODY, NOBODY, "Eve"]


async def test_what_is_merged_while_it_is_forgotten_goes_too(
    site: Pages, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = zebediahs(site, 2, *FULL)
    merges: list[int] = []

    def then_merge(table: Folder, names_in: Callable[[Row], Collection[str]]) -> TakenOut:
        out = take_out(table, names_in)
        if not merges:
            merges.append(main(["results", "merge"]))
        return out

    monkeypatch.setattr("quet.web.storage.forgetting.take_out", then_merge)
    assert main(["forget", "game", match.id]) == 0 and merges == [0]
    assert [row.finder for row in folder.rows()] == [NOBODY, "Eve"]
