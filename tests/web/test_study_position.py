"""Positions that are set up by clicking, as a browser without JavaScript sends the clicks."""

import html
import re
from collections.abc import AsyncIterator
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

import quet
from quet.core.parameters import written
from quet.core.sequences import NAMED
from quet.study.by_hand import of_game
from quet.web.views import study_acts

from .in_process import Pages, pages

SIZES = {
    "convoluted-coprimality": {"n": 5, "players": 3, "grids": 2},
    "divisors-multiples": {"r": 9, "players": 3},
    "palindromes": {"m": 6},
    "sums-grid": {"n": 2},
}

BY_HAND = [id for id in quet.game_ids() if quet.catalog.get(id).by_hand]

# 400 terms of 300 digits: what a few words describe is long as it is written.
LONG_TERMS = "n=20 sequence=random:1:0:" + 300 * "9"


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        yield found


def fields_of(page: str) -> dict[str, str]:
    """What a browser sends when a button of the form is pressed, without the button."""
    form = page.split('<form id="set-up"')[1].split("</form>")[0]
    found = {}
    for tag in re.findall(r"<input [^>]*>", form):
        name, value = (re.search(rf' {one}="([^"]*)"', tag) for one in ("name", "value"))
        assert name
        if 'type="radio"' not in tag or " checked" in tag:
            found[name[1]] = html.unescape(value[1]) if value else ""
    text = re.search(r"<textarea [^>]*>\n?([^<]*)</textarea>", form)
    assert text
    return found | {"position": html.unescape(text[1])}


async def press(site: Pages, page: str, **button: str) -> tuple[int, str]:
    """The status and the page after a button was pressed."""
    answer = await site.get(f"/study/position?{urlencode(fields_of(page) | button)}")
    return answer.status_code, answer.text


def verdict_of(page: str) -> str:
    found = re.search(r'<p id="verdict"[^>]*>(.*?)</p>', page)
    assert found
    return html.unescape(re.sub("<[^>]*>", "", found[1]))


def message_of(page: str) -> str:
    found = re.search(r'<p id="message"[^>]*>(.*?)</p>', page)
    return html.unescape(found[1]) if found else ""


async def test_a_sequence_is_chosen_by_its_name_or_typed(site: Pages) -> None:
    """As where a new game is set up."""
    page = (await site.get("/study/position?game=sequence-ascension&parameters=n=3")).text
    offered = set(re.findall(r'name="parameter-sequence" value="([^"]*)"', page))
    assert offered == {*NAMED, "own"} and str(NAMED["primes"].beginning) in page
    for chosen, own, wanted in [("primes", "", "primes"), ("own", "1,2,3,4,5,6,7,8,9", "1,2,3,4,5,6,7,8,9")]:
        status, page = await press(site, page, act="show", **{"parameter-sequence": chosen, "own-sequence": own})
        assert status == 200 and not message_of(page)
        fields = fields_of(page)
        assert wanted in fields["parameters"].replace(" ", "")
        assert (fields["parameter-sequence"], fields["own-sequence"]) == (chosen, own)
    status, page = await press(site, page, act="show", **{"parameter-sequence": "own", "own-sequence": ""})
    assert status == 400 and "Type your own sequence" in message_of(page)


@pytest.mark.parametrize("id", BY_HAND)
async def test_every_game_is_set_up_by_clicks_and_studied(site: Pages, id: str) -> None:
    game = quet.new(id, **SIZES.get(id, {"n": 4}))
    for ply in range(5):
        if game.is_over:
            break
        game.play(game.legal_moves[ply % len(game.legal_moves)])
    wanted = of_game(game).draft
    parameters = " ".join(f"{name}={value}" for name, value in written(game.parameters).items())
    page = (await site.get(f"/study/position?{urlencode({'game': id, 'parameters': parameters})}")).text
    begun = of_game(game.at(0)).draft
    for square, mark in sorted(wanted.squares.items(), key=lambda item: (len(item[1]), item[1])):
        if square not in begun.squares:
            clicks = 1 + (quet.catalog.get(id).by_hand.MARKS or (mark,)).index(mark)  # type: ignore[union-attr]
            for _ in range(clicks):  # numbers are in order, or given
                code, page = await press(site, page, square=square, write=mark if id == "sums-grid" else "")
                assert code == 200
    code, page = await press(site, page, act="show", **{f"field-{name}": text for name, text in wanted.fields.items()})
    assert code == 200
    assert not verdict_of(page).startswith("Not a position"), verdict_of(page)
    if game.num_players > 1:
        assert verdict_of(page).startswith(f"Player {game.mover}: ")
    answer = await site.get(f"/study/position?{urlencode(fields_of(page) | {'act': 'study'})}")
    assert answer.status_code == 303
    target = urlsplit(answer.headers["location"])
    studied = quet.records.record.read(study_acts.acted_on(dict(fields(target.query))).here).game
    assert studied == game
    board = await site.get(answer.headers["location"])
    assert board.status_code == 200
    back = re.search(r'href="(/study/position[^"]*)"', board.text)
    assert back
    again = await site.get(html.unescape(back[1]))
    assert fields_of(again.text)["position"] == fields_of(page)["position"]


def fields(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}


@pytest.mark.parametrize("id", BY_HAND)
async def test_a_click_that_is_undone_leaves_the_start_of_the_game(site: Pages, id: str) -> None:
    page = (await site.get(f"/study/position?game={id}")).text
    begun = fields_of(page)
    marks = quet.catalog.get(id).by_hand.MARKS  # type: ignore[union-attr]
    square = re.findall(r'<button class="touch" name="square" value="([^"]*)"', page)[-2]
    for _ in range(1 + max(1, len(marks))):
        _code, page = await press(site, page, square=square)
    if id == "divisors-multiples":
        _code, page = await press(site, page, act="show", **{"field-paid": "0 0"})
    assert fields_of(page) == begun


async def test_a_term_set_up_before_those_before_it_is_told_by_its_number(site: Pages) -> None:
    page = (await site.get("/study/position?game=sequence-ascension")).text
    assert "Which term a click places: 1 for a(1), the first" in page
    code, page = await press(site, page, square="c3", write="5")
    assert code == 200
    assert verdict_of(page) == "Not a position yet: Move 1 is missing."
    code, page = await press(site, page, square="b3")
    assert verdict_of(page) == "Not a position yet: Move 2 is missing."


async def test_squares_that_are_filled_before_the_predictions_are_told_so(site: Pages) -> None:
    page = (await site.get("/study/position?game=plusses-minuses&parameters=n%3D3")).text
    _code, page = await press(site, page, square="a1")
    told = "a1 can't be filled before both prediction lists have 2 symbols."
    assert verdict_of(page) == f"Not a position yet: Filled square 1: {told}"


@pytest.mark.parametrize(("n", "first", "second"), [(4, "+", "+-"), (4, "", "+"), (4, "+++", ""), (2, "", "+")])
async def test_lists_of_predictions_of_wrong_lengths_are_told_so(site: Pages, n: int, first: str, second: str) -> None:
    page = (await site.get(f"/study/position?game=plusses-minuses&parameters=n%3D{n}")).text
    code, page = await press(site, page, act="study", **{"field-first": first, "field-second": second})
    told = f"The lists of players 1 and 2 have {len(first)} and {len(second)} signs, but players take turns."
    assert (code, message_of(page)) == (422, told)
    assert (fields_of(page)["field-first"], fields_of(page)["field-second"]) == (first, second)


async def test_a_blob_in_two_parts_is_drawn_but_not_studied(site: Pages) -> None:
    page = (await site.get("/study/position?game=blob&parameters=n%3D3")).text
    for square in ("a1", "c3"):
        code, page = await press(site, page, square=square)
        assert code == 200
    assert verdict_of(page) == "Not a position yet: The filled squares don't hang together: none leads to c3."
    assert page.count('words="filled"') == 0
    assert len(re.findall('aria-label="[ac][13], filled', page)) == 2
    code, page = await press(site, page, act="study")
    assert code == 422
    assert message_of(page) == "The filled squares don't hang together: none leads to c3."
    assert fields_of(page)["position"].split() == [*". . * . . . * . .".split()]


async def test_squares_are_typed_numbers_moved_and_boards_emptied_and_resized(site: Pages) -> None:
    page = (await site.get("/study/position?game=sums-grid&parameters=n%3D2")).text
    _code, page = await press(site, page, typed="b2=7")
    _code, page = await press(site, page, square="a1", write="12")
    assert fields_of(page)["position"].split() == [".", "7", "12", "."]
    _code, page = await press(site, page, typed="a2=7")
    assert fields_of(page)["position"].split() == ["7", ".", "12", "."]
    _code, page = await press(site, page, typed="a1=.")
    assert fields_of(page)["position"].split() == ["7", ".", ".", "."]
    code, same = await press(site, page, typed="c9=4")
    assert code == 422
    assert message_of(same) == "There is no square 'c9'."
    assert fields_of(same)["position"] == fields_of(page)["position"]
    code, same = await press(site, page, square="a1", write="-3")
    assert code == 422
    assert message_of(same) == "'-3' can't stand in a square: the numbers are 1 to 1000000000."
    _code, wide = await press(site, page, act="show", **{"parameter-n": "3"})
    assert fields_of(wide)["parameters"] == "n=3"
    assert fields_of(wide)["position"] == ""
    _code, empty = await press(site, page, act="clear")
    assert fields_of(empty)["position"] == ""


async def test_the_text_may_be_changed_too_and_has_its_own_size(site: Pages) -> None:
    page = (await site.get("/study/position?game=plusses-minuses&parameters=n%3D4")).text
    _code, page = await press(site, page, act="add first +")
    _code, page = await press(site, page, act="add second -")
    assert fields_of(page)["position"] == "+ -"
    _code, page = await press(site, page, act="add second ")
    assert fields_of(page)["position"] == "+ ."
    _code, page = await press(site, page, act="show", position="+- -+ a1")
    assert (fields_of(page)["field-first"], fields_of(page)["field-second"]) == ("+-", "-+")
    assert fields_of(page)["parameters"].startswith("n=3 ")
    code, wrong = await press(site, page, act="show", position="+- nonsense")
    assert code == 422
    assert message_of(wrong)
    assert fields_of(wrong)["position"] == "+- nonsense"
    grown = (await site.get("/study/position?game=blob&parameters=n%3D3")).text
    _code, grown = await press(site, grown, act="show", position="* . / . .")
    assert fields_of(grown)["parameters"] == "n=2"


async def test_clicks_on_numbers_pay_and_choose_the_current_one(site: Pages) -> None:
    page = (await site.get("/study/position?game=divisors-multiples&parameters=r%3D9")).text
    _code, page = await press(site, page, square="6")
    _code, page = await press(site, page, square="4")  # over 2: 3 and 2
    found = fields_of(page)
    assert (found["field-now"], found["field-steps"], found["field-paid"]) == ("4", "0", "6 5")
    _code, page = await press(site, page, square="6")
    assert fields_of(page)["field-paid"] == "6 0"  # who hasn't had a turn has paid nothing
    _code, page = await press(site, page, square="8", way="current")
    assert fields_of(page)["field-now"] == "8"
    assert verdict_of(page).startswith("Not a position yet: A turn begins on the number that was taken last")


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        ({"game": "nonsense"}, 404, "There is no game"),
        ({"game": "blob", "parameters": "n=99"}, 422, "n must be"),
        ({"game": "blob", "parameters": "nonsense"}, 422, "nonsense"),
        ({"game": "blob", "parameters": "x" * 3000}, 400, "at most 2000 characters"),
        ({"game": "blob", "position": ". ? / . ."}, 422, "stand in a square"),
        ({"game": "blob", "position": "." * 5000}, 422, "at most 4000 characters"),
        ({"game": "blob", "act": "nonsense"}, 400, "There is no such button."),
        ({"game": "plusses-minuses", "act": "add first ?"}, 400, "There is no such button."),
        ({"game": "blob", "square": "a1", "way": "nonsense"}, 422, "There is no such way to click"),
        ({"game": "sequence-ascension", "square": "a1", "way": "path"}, 422, "a1 is empty"),
        ({"game": "sequence-ascension", "parameters": "sequence=file:/etc/passwd"}, 422, "may not name a file"),
        ({"game": "sequence-ascension", "parameters": LONG_TERMS}, 422, "longer than 20000 characters"),
        (
            {
                "game": "sequence-ascension",
                "parameters": "n=20",
                "parameter-sequence": LONG_TERMS.partition("sequence=")[2],
            },
            422,
            "longer than 20000 characters",
        ),
        ({"game": "divisors-multiples", "square": "1"}, 422, "1 is taken from the start"),
        ({"game": "divisors-multiples", "position": "taken now steps paid"}, 200, "1 is taken from the start."),
        ({"game": "divisors-multiples", "position": "taken 2 now 2 steps 0 paid 0", "square": "2"}, 200, "1 is taken"),
    ],
)
async def test_what_is_wrong_is_said(site: Pages, fields: dict[str, str], code: int, words: str) -> None:
    answer = await site.get(f"/study/position?{urlencode(fields)}")
    assert answer.status_code == code
    assert words in html.unescape(answer.text) and len(answer.text) < 200_000


async def test_without_a_game_the_ways_to_begin_are_shown(site: Pages) -> None:
    answer = await site.get("/study/position")
    assert (answer.status_code, answer.headers["location"]) == (303, "/study#by-hand")
    begin = (await site.get("/study")).text
    assert len(re.findall(r'href="/study/position\?game=', begin)) == len(quet.catalog.ids())
