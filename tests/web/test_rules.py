"""The pages of rules: rules, rulings, and a sample, stepped through where it tells the order of its moves."""

import html
import re
from collections.abc import AsyncIterator

import pytest

from conftest import SMALL
from quet import catalog
from quet.web.views.rules import samples

from .in_process import Pages, pages


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        yield found


async def test_a_page_says_every_rule_and_every_ruling(site: Pages, game_id: str) -> None:
    answer = await site.get(f"/rules/{game_id}")
    text, facts = html.unescape(answer.text), catalog.get(game_id).facts
    assert answer.status_code == 200
    for sentence in (facts["title"], facts["summary"], *facts["rules"], *facts.get("rulings", {}).values()):
        assert sentence in text
    assert all(name in text for name in facts.get("rulings", {}))
    for path in ("new", "sheets", "paper"):
        assert f'href="/{path}/{game_id}"' in text
    assert "link" in facts or game_id not in SMALL, f"Add [link] to the facts of {game_id}."
    assert "link" not in facts or f'<a href="{facts["link"]["address"]}">The author’s post</a>' in text


async def test_every_game_shows_a_sample_with_its_scores(site: Pages, game_id: str) -> None:
    answer = await site.get(f"/rules/{game_id}")
    sample = samples(game_id)[0]
    totals = re.findall(r'class="total">([^<]*)<', answer.text)
    assert totals == [str(score) for score in sample.judged.game.scores]
    assert answer.text.count("<svg") == 1
    facts = catalog.get(game_id).facts
    assert ("this game is ours" in answer.text) == ("samples" not in facts)


async def test_a_sample_that_tells_its_moves_can_be_stepped_through(site: Pages) -> None:
    for ply in range(25):
        answer = await site.get(f"/rules/up-and-up?ply={ply}")
        assert f"{ply} of 24" in answer.text
        assert re.findall(r'class="total">([^<]*)<', answer.text) == [str(ply)]
    assert "To the end" not in answer.text and "Previous move" in answer.text


async def test_a_sample_without_an_order_has_its_end_only(site: Pages) -> None:
    answer = await site.get("/rules/blob?item=0")
    assert "so only its end is shown" in answer.text and "Next move" not in answer.text
    assert answer.text.count("is-marked") == 12  # a row of the sample
    assert re.findall(r'class="total">([^<]*)<', answer.text) == ["3", "5"]


async def test_each_of_several_samples_has_its_page(site: Pages) -> None:
    totals = []
    for number in (1, 2):
        answer = await site.get(f"/rules/sequence-ascension?sample={number}")
        totals += re.findall(r'class="total">([^<]*)<', answer.text)
    assert totals == ["13", "14"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/rules/nope", 404),
        ("/rules/%F0%9F%92%A9", 404),
        ("/rules/up-and-up?ply=25", 400),
        ("/rules/up-and-up?ply=-1", 400),
        ("/rules/up-and-up?ply=x", 400),
        ("/rules/blob?sample=0", 400),
        ("/rules/blob?sample=2", 400),
        ("/rules/blob?sample=" + "1" * 5000, 400),
    ],
)
async def test_what_is_not_there_is_refused_in_a_sentence(site: Pages, path: str, status: int) -> None:
    answer = await site.get(path)
    assert answer.status_code == status
    assert re.search(r'<p class="lead">There is no |<p class="lead">The game has 24 moves;', answer.text)
