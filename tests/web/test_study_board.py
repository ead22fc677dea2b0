"""The study board: any game or position with variations, comments, values and links."""

import asyncio
import html
import json
import re
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest

import quet
from quet.core.position import Position
from quet.knowledge.hints import hint
from quet.knowledge.values import exact_values
from quet.records.record import Record, Termination, read
from quet.starts import start_line
from quet.study.look import Look, look
from quet.web.analyst import key_of
from quet.web.forms import LARGEST_STUDY
from quet.web.match import SiteMatch
from quet.web.storage.store import Store
from quet.web.thinking import Job, answer
from quet.web.views import study_acts
from quet.web.views.study_shown import line_of

from .in_process import PATIENCE, Pages, pages


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        yield found


def fields_of(page: str) -> dict[str, str]:
    """The fields that carry the study to the next page."""
    form = page.split('id="study-form"')[1].split("</form>")[0]
    found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form)
    return {name: html.unescape(value) for name, value in found if name != "csrf"}


def address(**fields: str) -> str:
    return f"/study?{urlencode(fields)}"


async def step(site: Pages, page: httpx.Response, **more: str) -> httpx.Response:
    """The page after a button was pressed, as a browser without JavaScript sends the form."""
    fields = {**fields_of(page.text), **more}
    if 'id="study-form" class="study" method="get"' in page.text:
        return await site.get(address(**fields))
    return await post(site, **fields)


async def post(site: Pages, act: str = "", /, **fields: str) -> httpx.Response:
    """The answer to a form of the study board."""
    token = re.search(r'name="csrf" value="([^"]+)"', (await site.get("/study")).text)
    assert token
    return await site.client.post(f"/study{act}", data={"csrf": token[1], **fields})


def link_of(page: str) -> str:
    found = re.search(r'data-link="([^"]*)"', page)
    assert found
    return html.unescape(found[1])


def tree_of(page: str) -> str:
    """The list of moves as it is seen."""
    if 'class="tree' not in page:
        return ""
    part = page.split('class="tree')[1].split("</p>")[0].partition(">")[2]
    seen = re.sub('<span class="unseen">[^<]*</span>', "", part)
    return html.unescape(re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", seen))).strip()


async def test_any_legal_move_of_every_game_can_be_tried_and_stepped_over(site: Pages, game_id: str) -> None:
    game = quet.new(game_id)
    page = await site.get(address(game=game_id, hide="1"))
    for ply in range(3):
        move = game.legal_moves[ply % len(game.legal_moves)]
        game.play(move)
        page = await step(site, page, move=move)
        assert page.status_code == 200, page.text
        assert f"{ply + 1} of {ply + 1}" in page.text
    assert read_moves_of(page.text) == game.moves
    page = await step(site, page, at="1")
    assert "1 of 3" in page.text
    page = await site.get(link_of(page.text))
    assert "1 of 3" in page.text and read_moves_of(page.text) == game.moves


def read_moves_of(page: str) -> list[str]:
    fields = {name: value for name, value in fields_of(page).items() if name != "from"}
    return read(study_acts.acted_on(fields).record).game.moves


async def test_a_move_tried_in_the_middle_becomes_a_variation(site: Pages) -> None:
    page = await site.get(address(game="palindromes", parameters="m=6", moves="1. 1=0 2. 2=0 3. 3=1", at="1", hide="1"))
    page = await step(site, page, move="6=0")
    assert tree_of(page.text) == "1. 1=0 2. 2=0 ( 2. 6=0 ) 3. 3=1"
    page = await step(site, page, act="play", typed="2 = 1")
    page = await step(site, page, act="comment", comment="so {it} (is)")
    assert tree_of(page.text) == "1. 1=0 2. 2=0 ( 2. 6=0 3. 2=1 so {it} (is) ) 3. 3=1"
    again = await site.get(link_of(page.text))
    assert tree_of(again.text) == tree_of(page.text) and fields_of(again.text)["from"] == "0.3"
    followed = await step(site, await step(site, page, at="1"), move="6=0")  # it follows what stands there
    assert tree_of(followed.text) == tree_of(page.text) and fields_of(followed.text)["from"] == "0.2"
    cut = await step(site, followed, act="cut")
    assert tree_of(cut.text) == "1. 1=0 2. 2=0 3. 3=1" and fields_of(cut.text)["from"] == "1"


async def test_a_record_is_read_with_all_it_says_and_taken_away_again(site: Pages) -> None:
    game = quet.new("palindromes", m=4).after("1=0").after("2=0")
    tree = (quet.Variation(2, ("4=0",), {2: ["better"]}),)
    given = Record.of(
        game, tags={"Player1": "Ann"}, termination=Termination("player 1 resigned", (2,)), variations=tree
    )
    page = await site.post("/study", record=given.text())
    assert tree_of(page.text) == "1. 1=0 2. 2=0 ( 2. 4=0 better )"
    fields = fields_of(page.text)
    for name in ("record.quet", "record.json"):
        taken = await site.post("/study", f"/{name}", **fields)
        assert taken.headers["content-disposition"] == f'attachment; filename="study.{name[7:]}"'
        assert read(taken.text).text() == given.text()
    page = await step(site, page, move="4=1")  # the game has ended, so this is a variation that goes on
    assert tree_of(page.text) == "1. 1=0 2. 2=0 ( 2. 4=0 better ) ( 3. 4=1 )"


async def test_a_record_that_was_read_has_a_picture_of_where_the_board_is(site: Pages) -> None:
    pictures = []
    for at in ("0", "2"):
        page = (await site.get(f"/study?game=blob&parameters=n%3D4&moves=1.+b2+2.+b3&at={at}")).text
        found = re.search(r'<a class="button" href="(/picture.png[^"]*)">Picture', page)
        assert found
        answer = await site.get(html.unescape(found[1]))
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
        pictures.append(answer.content)
    assert pictures[0] != pictures[1]


async def test_a_position_is_set_up_by_hand(site: Pages) -> None:
    page = await site.post("/study", game="blob", position="* * o\no * o\no o o")
    assert page.status_code == 200
    page = await site.get(link_of(page.text))
    assert page.text.count(", filled") == 3
    moves = await site.post("/study", game="palindromes", parameters="m=6", position="1=0 2=1")
    assert tree_of(moves.text) == "1. 1=0 2. 2=1"


def know(site: Pages, game: quet.Game) -> None:
    """Have the site know the position, as if it had been looked at for long enough on an idle machine."""
    transport = site.client._transport
    assert isinstance(transport, httpx.ASGITransport)
    transport.app.state.analyst._looks[key_of(game)] = look(game, seconds=60)  # type: ignore[attr-defined]


async def test_an_example_of_a_position_is_filled_in_and_can_be_studied(site: Pages, our_game_id: str) -> None:
    page = await site.post("/study", game=our_game_id, example="1")
    assert page.status_code == 200 and f'value="{our_game_id}" selected' in page.text
    position = re.search(r'<textarea id="position".*?>\n(.*?)</textarea>', page.text, re.S)
    given = re.search(r'id="parameters" type="text" name="parameters" value="(.*?)"', page.text)
    assert position and given and position[1]
    studied = await site.post(
        "/study", game=our_game_id, position=html.unescape(position[1]), parameters=html.unescape(given[1])
    )
    assert studied.status_code == 200 and 'id="study-form"' in studied.text
    assert (await site.get("/study?example=1&game=chess")).status_code == 404


async def test_of_each_name_in_an_address_the_first_counts_for_the_page_and_its_picture(site: Pages) -> None:
    once = address(game="blob", parameters="n=3", moves="1. a1", hide="1")
    twice = once + "&game=palindromes&parameters=m%3D4&moves=1.+1%3D0"
    assert fields_of((await site.get(twice)).text) == fields_of((await site.get(once)).text)
    first, again = [await site.get(one.replace("/study", "/picture.png")) for one in (once, twice)]
    assert first.status_code == 200 and again.content == first.content


async def test_values_stand_on_the_squares_of_a_solved_position(site: Pages) -> None:
    path = address(game="palindromes", parameters="m=4", moves="1. 1=0 2. 2=0 3. 3=0", at="1")
    game = quet.new("palindromes", m=4).after("1=0")
    know(site, game)
    page = await site.get(path)
    values = exact_values(game)
    assert values
    shown = re.findall(r'<text class="worth[^"]*"[^>]*>([^<]*)</text>', page.text)
    squares = {move.split("=")[0]: max(values[m] for m in values if m[:2] == move[:2]) for move in values}
    assert shown == [f"{squares[name]:+d}".replace("-", "−") if squares[name] else "=" for name in ("2", "3", "4")]
    listed = re.findall(r'<button class="plain move" name="move" value="([^"]*)"', page.text.split("</dl>")[0])
    assert sorted(listed) == sorted(values) and values[listed[0]] == max(values.values())
    assert "a win by 2 (proven: solved)" in page.text
    assert 'aria-label="4, empty, legal: 0, a win by 2"' in page.text
    hidden = await step(site, page, hide="1")
    assert '<text class="worth' not in hidden.text and "Hidden" in hidden.text
    assert '<text class="worth' in (await step(site, hidden, show="1")).text


async def test_perfect_play_of_three_says_what_it_supposes(site: Pages) -> None:
    game = quet.new("divisors-multiples", r=6, players=3)
    know(site, game)
    path = address(game=game.id, parameters="r=6 players=3")
    page = html.unescape((await site.get(path)).text)
    assert 'value="2!">2!</button></strong> a win with the scores 4-17-13 (proven: table of results).' in page
    assert f"each {game.entry.wish}, and of equal moves takes the one that is best for the next player" in page
    assert "The value of this position is known, but not that of each move." in page


async def test_a_share_of_the_win_says_what_it_supposes(site: Pages) -> None:
    game = quet.new("convoluted-coprimality", n=8, players=3)
    know(site, game)
    page = html.unescape((await site.get(address(game=game.id, parameters="n=8 players=3"))).text)
    assert "This position is solved." in page and "takes any of several equal moves equally often." in page
    assert "a loss with the scores 0-1-0 (proven: table of results). This supposes" in page


@pytest.mark.long
async def test_an_unsolved_position_has_no_values_on_its_squares(site: Pages) -> None:
    page = await until(site, address(game="blob", parameters="n=8"), "being looked at")
    assert '<text class="worth' not in page.text
    assert "wasn’t found in a few seconds" in page.text and "The best known:" in page.text


async def test_what_the_board_does_not_show_stands_open_where_it_is_little(site: Pages) -> None:
    page = (await site.get(address(game="divisors-multiples", moves="1. 12 2. 6!"))).text
    assert "player 1 has paid 14" in page and '<details id="notes">' not in page
    assert '<details id="notes">' in (await site.get(address(game="blob"))).text


async def until(site: Pages, path: str, words: str) -> httpx.Response:
    """The page when it doesn't say any more that something is being done."""
    end = time.monotonic() + PATIENCE
    while words in (page := await site.get(path)).text:
        assert "Look again" in page.text and "refresh" not in page.text  # which would take away what is being typed
        assert time.monotonic() < end
        await asyncio.sleep(0.1)
    return page


async def test_the_perfect_game_of_three_is_judged_as_the_table_says(site: Pages) -> None:
    (row,) = quet.best_results("divisors-multiples", r=6, players=3)
    moves = " ".join(f"{ply}. {move}" for ply, move in enumerate(row.witness.split(), 1))
    path = address(game="divisors-multiples", parameters="r=6 players=3", moves=moves, judge="1", hide="1")
    page = (await until(site, path, "moves are judged")).text
    assert "No turning points were found." in page and "Points given away" not in page
    assert "This supposes that all play perfectly" in page.split('id="analysis"')[1]


async def test_the_main_line_is_judged_with_progress_and_a_plot_to_click(site: Pages) -> None:
    path = address(game="palindromes", parameters="m=4", moves="1. 1=0 2. 2=0 3. 3=0 4. 4=1", judge="1", hide="1")
    first = await site.get(path)
    assert re.search(r"\d of 4 moves are judged.*<progress[^>]* max=\"4\"", first.text, re.DOTALL)
    page = await until(site, path, "moves are judged")
    assert 'class="plot' in page.text
    points = re.findall(r'<button class="point" form="study-form" name="at" value="(\d)"', page.text)
    assert points == ["0", "1", "2", "3", "4"]
    assert '<button class="plain move" name="at" value="2">Move 2, 2=0, was a mistake' in page.text


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"game": "chess"}, 404, "There is no game"),
        ({"game": "blob", "parameters": "n=0"}, 422, "n must be from"),
        ({"game": "blob", "parameters": "n"}, 422, "is not a parameter"),
        ({"game": "blob", "moves": "1. z9"}, 422, "z9 is off the grid"),
        ({"game": "blob", "moves": "1. a1 ("}, 422, "This variation isn't closed"),
        ({"game": "blob", "moves": "1. a1 * 2. a2"}, 422, "After the moves there is something else"),
        ({"game": "blob", "moves": "1. a1", "at": "2"}, 422, "is no place in the moves"),
        ({"game": "blob", "moves": "1. a1", "at": "0.1"}, 422, "is no place in the moves"),
        ({"game": "blob", "moves": "1. a1", "at": "1" * 9}, 422, "is no place in the moves"),
        ({"game": "blob", "moves": "{" + "x" * 20_000 + "}"}, 422, "at most 20000 characters"),
        ({"game": "blob", "move": "z9"}, 422, "z9 is off the grid"),
        ({"game": "blob", "act": "comment", "comment": "x" * 1_001}, 400, "at most 1000 characters"),
        ({"game": "blob", "position": "x" * 4_001}, 422, "at most 4000 characters"),
        ({"game": "blob", "position": "what is this"}, 422, ""),
        ({"game": "sequence-ascension", "parameters": "sequence=file:/etc/passwd"}, 422, ""),
        ({"record": ""}, 422, "There should be one record here, not none."),
        ({"record": "nonsense"}, 422, "A record begins with the tag Game"),
        ({"record": "[" * 500}, 422, ""),
    ],
)
async def test_bad_input_is_answered_with_a_sentence(
    site: Pages, fields: dict[str, str], status: int, sentence: str
) -> None:
    answer = await post(site, hide="1", **fields)
    assert answer.status_code == status
    told = re.findall(r'is-error" role="alert">([^<]*)<', answer.text)
    assert len(told) == 1 and told[0] and sentence in html.unescape(told[0])


async def test_the_workshop_reads_a_paper_whatever_carries_it(site: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    """To read one may take seconds, in which no other page is made. The workshop reads it, in a process of its own."""
    read_here: list[str] = []
    judge = quet.catalog.get("palindromes").judge
    read_paper = judge.read_paper

    def spy(text: str, given: Mapping[str, object]) -> Position:
        read_here.append(text)
        return read_paper(text, given)

    record = Record.of(quet.position("palindromes", "1..0..", m=6))
    texts = record.text(), json.dumps(record.json()).replace('"position"', r'"\u0070osition"')
    monkeypatch.setattr(judge, "read_paper", spy)
    for text in texts:
        assert (await site.get(address(record=text))).status_code == 200
        assert (await site.get(f"/picture.png?{urlencode({'record': text})}")).status_code == 200
        for act in ("", "/record.quet", "/record.json"):
            assert (await post(site, act, record=text)).status_code == 200
        made = await post(site, "/play", record=text, opponent="me")
        assert made.status_code == 303
        match = site.store.load(made.headers["location"].rpartition("/")[2])
        visitor = str(match.seats[0].visitor)
        for page in ("", "/record.quet", "/record.json", "/picture.svg"):
            assert (await site.get(f"/play/{match.id}{page}")).status_code == 200
        over = site.store.act(match.id, visitor, "resign", "", match.num_rows, time.time())
        assert site.store.rematch(over.id, visitor, time.time()).game == match.game
    assert read_here == []
    monkeypatch.undo()
    assert (await site.get(address(record=texts[0][:-9]))).status_code == 422


async def test_a_long_study_is_carried_by_its_form(site: Pages) -> None:
    moves = "1. a1 {" + "long " * 900 + "} 2. b1 (2. a2)"
    page = await post(site, game="blob", moves=moves, hide="1")
    assert page.status_code == 200, re.findall(r'role="alert">([^<]*)', page.text)
    assert 'method="post" action="/study" data-study' in page.text
    assert "the link has only the moves that lead here" in page.text
    page = await step(site, page, at="0.2")
    assert tree_of((await site.get(link_of(page.text))).text) == "1. a1 2. a2"


@pytest.mark.parametrize("moves", ["1. a1 {good} (1. a2)", "1. a1 {" + "long " * 900 + "} (1. a2)"])
async def test_a_choice_of_language_takes_the_whole_study_along(site: Pages, moves: str) -> None:
    page = await post(site, game="blob", moves=moves, hide="1")
    leads = re.search(r'form="study-form" formmethod="post" formaction="/study([?]language=de)"', page.text)
    assert leads and 'name="next"' not in page.text
    german = await post(site, leads[1], **fields_of(page.text), comment="gut")
    assert '<html lang="de">' in german.text and german.headers["content-language"] == "de"
    assert tree_of(german.text) == "1. a1 gut ( 1. a2 )"
    assert '<html lang="de">' in (await site.get("/study")).text
    wrong = await post(site, "?language=fr", **fields_of(page.text))
    assert wrong.status_code == 400 and "Diese Sprache" in wrong.text


BOARD = address(game="blob", parameters="n=6", moves="1. c3 2. c4 3. d4", hide="1")
MANY = "1. a1 {" + "long " * 3_880 + "} 2. b1"  # nearly as much as a study may have


@pytest.mark.parametrize("mark", ["\t", "\v", "\f", "\r\n", "\x85", "\u2028", "\u2029"])
async def test_a_comment_may_hold_whatever_office_programs_put_between_words(site: Pages, mark: str) -> None:
    page = await step(site, await site.get(BOARD), at="3", comment=f"so{mark}good")
    assert page.status_code == 200 and tree_of(page.text) == "1. c3 2. c4 3. d4 so good"


@pytest.mark.parametrize(
    ("moves", "comment", "sentence"),
    [
        ("1. c3 2. c4", "a\x01b", "control character"),
        (MANY, "more " * 199, "at most 20000"),
        (MANY, "x" * 1_001, "1000"),
    ],
)
async def test_a_comment_that_is_refused_leaves_the_board_and_stays_in_its_field(
    site: Pages, moves: str, comment: str, sentence: str
) -> None:
    board = await post(site, game="blob", moves=moves, hide="1")
    page = await step(site, board, comment=comment, at="1")
    assert page.status_code in (400, 422) and tree_of(page.text) == tree_of(board.text)
    assert "2 of 2" in page.text  # where the comment belongs
    assert sentence in page.text.split('role="alert">')[1].split("<")[0]
    assert comment.strip() in page.text.split('id="comment"')[1].split("</textarea>")[0]


async def test_no_record_and_no_table_is_made_without_a_comment_that_is_refused(site: Pages) -> None:
    fields = {"game": "blob", "moves": "1. c3 2. c4", "from": "1"}
    for act in ("/record.quet", "/record.json", "/play"):
        answer = await post(site, act, **fields, comment="x" * 1_001)
        assert answer.status_code == 400 and "A comment has at most 1000 characters here." in answer.text
    answer = await post(site, "/record.quet", **fields, comment="kept")
    assert answer.status_code == 200 and "c3 {kept}" in answer.text


async def test_a_study_has_as_many_characters_in_any_writing(site: Pages) -> None:
    moves = "1. c3 {" + "𝒙" * 19_800 + "} 2. c4"  # twelve bytes each in a form
    page = await post(site, game="blob", moves=moves, hide="1")
    assert (await step(site, page, at="1")).status_code == 200
    for act in ("/record.quet", "/record.json"):
        assert (await post(site, act, **fields_of(page.text))).status_code == 200
    assert (await post(site, game="blob", moves="x" * LARGEST_STUDY)).status_code == 413


async def test_what_is_pressed_keeps_the_comment_that_stands_in_its_field(site: Pages) -> None:
    page = await step(site, await site.get(BOARD), at="2", comment="here")
    assert tree_of(page.text) == "1. c3 2. c4 3. d4 here" and "2 of 3" in page.text
    page = await step(site, page, comment="there", act="play", typed="b3")
    assert tree_of(page.text) == "1. c3 2. c4 there 3. d4 here ( 3. b3 )"
    page = await step(site, await step(site, page, at="2"), comment="", at="0")
    assert tree_of(page.text) == "1. c3 2. c4 3. d4 here ( 3. b3 )"


async def test_a_comment_of_a_record_stays_as_long_as_nobody_changes_it(site: Pages) -> None:
    moves = "1. c3 {one} {two} 2. c4 {" + "long " * 300 + "} 3. d4"
    page = await post(site, game="blob", moves=moves, hide="1", at="1")
    for at, shown in (("2", "one\r\ntwo"), ("3", "long " * 300)):
        page = await step(site, page, at=at, comment=shown)
        assert page.status_code == 200
    assert read(study_acts.acted_on(fields_of(page.text)).record).comments[1] == ["one", "two"]


async def test_a_refused_move_stays_in_its_field(site: Pages) -> None:
    page = await step(site, await site.get(BOARD), act="play", typed="z9")
    assert page.status_code == 422 and 'name="typed"' in page.text
    assert 'value="z9"' in page.text.split('id="typed"')[1].split(">")[0]


async def played_on(site: Pages, page: httpx.Response, **more: str) -> SiteMatch:
    """The game at the table to which the page's button leads."""
    answer = await post(site, "/play", **fields_of(page.text), **more)
    assert answer.status_code == 303, answer.text
    return site.store.load(answer.headers["location"].removeprefix("/play/"))


async def test_a_variation_is_played_on_against_a_level(site: Pages) -> None:
    moves = "1. 1=0 2. 2=0 (2. 6=0 3. 2=1) 3. 3=1"
    page = await site.get(address(game="palindromes", parameters="m=6", moves=moves, at="0.3", hide="1"))
    assert '<option value="level:perfect">' in page.text and '<option value="2" selected>' in page.text
    match = await played_on(site, page, opponent="level:1", side="2")
    assert match.game.moves == ["1=0", "6=0", "2=1"] and match.game.parameters["m"] == 6
    assert [seat.computer for seat in match.seats] == ["level:1", ""] and match.mover == 2
    path = f"/play/{match.id}"
    assert "played on from the study board" in (await site.get(path)).text
    assert (await site.post(path, "/move", move="3=1")).status_code == 303
    after = site.store.load(match.id)
    assert after.game.moves[3:] == ["3=1"] and after.is_computer_to_move
    assert Store(site.store.database).load(match.id).game == after.game  # as another server reads it
    assert (await site.post(path, "/undo")).status_code == 303
    assert site.store.load(match.id).game == match.game
    assert (await site.get(f"{path}?at=2")).status_code == (await site.get(f"{path}/record.quet")).status_code == 200


async def test_every_game_is_played_on_and_again_from_the_same_position(site: Pages, game_id: str) -> None:
    game, listed = quet.new(game_id), []
    for ply in range(1, 4):
        game.play(game.legal_moves[-1])
        listed.append(f"{ply}. {game.moves[-1]}")
    match = await played_on(
        site, await site.get(address(game=game_id, moves=" ".join(listed), hide="1")), opponent="me"
    )
    assert match.game == game and match.game.moves == game.moves and match.status == "playing"
    path, move = f"/play/{match.id}", game.legal_moves[0]
    assert (await site.post(path, "/move", move=move)).status_code == 303
    for more in ("", "?at=1", "?at=3", "/picture.svg?ply=2", "/record.json"):
        assert (await site.get(f"{path}{more}")).status_code == 200, more
    assert (await site.post(path, "/resign")).status_code == 303
    assert f"{game.ply + 1} " in (await site.get(f"/study/{match.id}")).text
    again = await site.post(path, "/rematch")
    assert site.store.load(again.headers["location"].removeprefix("/play/")).game.moves == game.moves


async def test_a_position_set_up_by_hand_is_played_on_and_the_computer_knows_it(site: Pages) -> None:
    page = await site.post("/study", game="blob", position="* * o\no * o\no o o")
    match = await played_on(site, page, opponent="level:1", side="1")
    assert match.game.start and match.game.ply == 0 and match.is_computer_to_move
    job = Job("blob", match.row.parameters, (), "level:1", 1, compiles=False, start=start_line(match.game))
    assert answer(job).move in match.game.legal_moves
    assert (await site.get(f"/play/{match.id}/picture.svg")).text.count("<rect") > 3
    board = (await site.get(f"/play/{match.id}")).text
    assert board.count(", filled") == 3


async def test_a_solitaire_played_on_is_no_feat(site: Pages) -> None:
    page = await site.get(address(game="up-and-up", parameters="n=2", moves="1. a1 2. a2 3. b2", hide="1"))
    match = await played_on(site, page)
    path = f"/play/{match.id}"
    assert (await site.post(path, "/move", move="b1")).status_code == 303
    over = (await site.get(path)).text
    assert "4 of 4 possible (proven)" in over and "List it" not in over
    refused = await site.post(path, "/enter", name="Ann")
    assert refused.status_code == 409 and "from its beginning" in refused.text
    visitor = str(match.seat(1).visitor)
    assert site.store.entries.best_of(visitor, "up-and-up", match.row.parameters, "") is None


async def test_what_can_not_be_played_on_is_refused_in_a_sentence(site: Pages) -> None:
    known = {"game": "palindromes", "parameters": "m=4"}
    for more, sentence in (
        ({"side": "3"}, "There is no such player."),
        ({"side": "x"}, "There is no such player."),
        ({"opponent": "level:9"}, "There is no such computer player."),
        ({"moves": "1. 1=0 2. 2=0 3. 3=0 4. 4=0"}, "nothing is left to be played"),
        ({"at": "9"}, "."),
        ({"game": ""}, "."),
    ):
        refused = await post(site, "/play", **{**known, **more})
        assert 400 <= refused.status_code < 500 and sentence in html.unescape(refused.text), more


async def test_the_address_on_the_page_about_the_site_shows_the_game_that_it_says(site: Pages) -> None:
    page = (Path(__file__).parents[2] / "docs" / "site-pages.md").read_text("utf-8")
    (told,) = re.findall(r"^    (/study\?\S+)$", page, re.MULTILINE)
    shown = (await site.get(told)).text
    assert fields_of(shown)["moves"] == "1. c3 2. c4 (2. b3 {better}) 3. d4" and "{better}" in told
    assert f'data-link="{html.escape(told)}"' in shown


async def test_the_enter_key_in_the_field_of_a_number_writes_it(site: Pages) -> None:
    page = await site.get(address(game="sums-grid", parameters="n=3", square="a1"))
    page = await step(site, page, act="play", number="5", typed="")  # browsers press a form's first button
    assert ">1. a1=5<" in page.text


def test_the_line_of_the_study_board_says_where_it_is_cut() -> None:
    game = quet.new("up-and-up", n=3).after("a1")
    rest = hint(game.after("b1").after("b3")).line
    for line, words in (((), "b1 b3 and so on"), (rest, f"b1 b3 {' '.join(rest)}")):
        assert line_of(Look({}, "b1", "", ("b1", "b3", *line), True, ""), game) == words
    assert line_of(Look({}, "b1", "", ("b1",), True, ""), game) == "b1"
