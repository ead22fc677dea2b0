"""The pages of lessons: every step is asked and answered, and bad addresses are refused in a sentence."""

import html
import re
from collections.abc import AsyncIterator
from urllib.parse import quote

import pytest

from quet import catalog
from quet.study import lesson as lessons
from quet.web.views.learn import LessonView

from .in_process import Pages, pages


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        yield found


async def test_each_step_of_each_lesson_is_asked_and_answered(site: Pages, our_game_id: str) -> None:
    entry = catalog.get(our_game_id)
    assert entry.lesson is not None
    for number, step in enumerate(entry.lesson.steps, 1):
        game = lessons.position(entry, step)
        address = f"/learn/{our_game_id}?step={number}"
        text = html.unescape((await site.get(address)).text)
        assert lessons.introduction(step, game) in text and lessons.task(step, game) in text
        assert 'id="told"' not in text
        move = lessons.solution(step, game)
        wrong = next((reply.moves[0] for reply in step.replies if not reply.is_right), "")
        for each in filter(None, (move, wrong)):
            told = lessons.answer(step, game, each)
            answer = await site.get(f"{address}&move={quote(each)}")
            text = html.unescape(answer.text)
            assert answer.status_code == 200 and told.words in text
            goes_on = "Play a first game" if number == len(entry.lesson.steps) else f'?step={number + 1}" data-go'
            assert (goes_on in text) == told.is_right
            assert ("Try again" in text) == (not told.is_right and told.game is not None)
        text = html.unescape((await site.get(f"{address}&shown=1")).text)
        assert "Like this:" in text


async def test_the_first_game_after_a_lesson_is_the_one_that_it_suggests(site: Pages, our_game_id: str) -> None:
    entry = catalog.get(our_game_id)
    assert entry.lesson is not None
    last = len(entry.lesson.steps)
    fields = LessonView(entry, entry.lesson, last).first_game
    page = await site.get(f"/learn/{our_game_id}?step={last}&shown=1")
    assert re.findall(r'name="(parameter-[a-z_]+|seat-2)"', page.text) == list(fields)
    others = {"parameter-players": "3", "seat-1": "level:2", "seat-2": "me", "seat-3": "level:6"}
    await site.post(f"/new/{our_game_id}", **others)  # what the visitor set up before
    made = await site.post(f"/new/{our_game_id}", quick="1", **fields)
    assert made.status_code == 303
    match = site.store.load(made.headers["location"].removeprefix("/play/"))
    suggested = {name: str(value) for name, value in entry.lesson.parameters.items()}
    assert suggested and suggested.items() <= match.row.parameters.items()
    assert [seat.computer for seat in match.seats] == ["", *filter(None, [entry.lesson.opponent])]


async def test_a_forbidden_square_says_why_in_the_words_of_the_lesson_or_of_the_rules(site: Pages) -> None:
    for square, words in (
        ("b4", "b4 touches c3 at a corner only."),
        ("a1", "a1 is not beside a filled square."),
        ("c3", "c3 is filled already."),
    ):
        text = html.unescape((await site.get(f"/learn/blob?step=2&square={square}")).text)
        assert words in text and "Try again" not in text
        assert 'name="move" value="c4"' in text  # the board can still be played on


async def test_a_text_that_is_no_move_is_refused_on_the_page(site: Pages) -> None:
    answer = await site.get("/learn/blob?step=2&move=z9")
    assert answer.status_code == 422
    assert "is-wrong" in answer.text and 'value="c4"' in answer.text


async def test_lessons_speak_german(site: Pages) -> None:
    answer = await site.get("/learn/blob?step=3&move=a3", **{"accept-language": "de"})
    assert "2 teilt 3 nicht" in answer.text and "Noch einmal" in answer.text


async def test_all_lessons_are_listed(site: Pages) -> None:
    text = (await site.get("/learn")).text
    assert re.findall(r'href="/learn/([^"?]+)"', text) == [entry.id for entry in catalog.playable() if entry.lesson]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/learn/nope", 404),
        ("/learn/blob?step=0", 400),
        ("/learn/blob?step=9", 400),
        ("/learn/blob?step=x", 400),
        ("/learn/blob?step=" + "1" * 5000, 400),
        ("/learn/blob?move=" + "a" * 101, 400),
        ("/learn/blob?move=%00", 422),
        ("/learn/blob?number=1&prompt=x", 422),
        ("/learn/blob?square=" + "z" * 999, 400),
        ("/learn/blob?square=%00", 400),
        ("/learn/blob?shown=yes&move=a1&square=b2", 200),
    ],
)
async def test_bad_addresses_are_refused_in_a_sentence(site: Pages, path: str, status: int) -> None:
    answer = await site.get(path)
    assert answer.status_code == status
    assert answer.text.startswith("<!doctype html>")


async def test_a_game_without_a_lesson_says_so(site: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalog.get("blob").__dict__, "lesson", None)
    answer = await site.get("/learn/blob")
    assert answer.status_code == 404 and "This game has no lesson." in answer.text
    assert "/learn/blob" not in (await site.get("/learn")).text
