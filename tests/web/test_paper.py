"""The page that judges what was played on paper."""

import html
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from quet import catalog
from quet.core.errors import BadParameter
from quet.study.paper import judge_paper
from quet.web.settings import Limits
from quet.web.views.paper import LONGEST, example_of
from quet.web.views.rules import samples

from .in_process import Pages, pages


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        yield found


def written(text: str) -> str:
    """What stands in the form's large field."""
    found = re.search(r"<textarea[^>]*>\n?([^<]*)</textarea>", text)
    assert found
    return html.unescape(found[1])


def refusal(text: str) -> str:
    found = re.search(r'class="message is-error"[^>]*>([^<]*)<', text)
    return html.unescape(found[1]) if found else ""


async def test_the_example_that_is_filled_in_is_judged_with_every_item(site: Pages, game_id: str) -> None:
    page = await site.get(f"/paper/{game_id}")
    example, judged = example_of(game_id), samples(game_id)[0].judged
    assert written(page.text) == example.paper
    answer = await site.post(f"/paper/{game_id}", paper=example.paper, **example.given)
    text = html.unescape(answer.text)
    assert answer.status_code == 200
    assert re.findall(r'class="total">([^<]*)<', text) == [str(score) for score in judged.game.scores]
    assert text.count('class="points"') == len(judged.items)
    assert all(f"<span>{item.words}</span>" in text for item in judged.items)
    assert judged.verdict in text
    assert answer.text.count("<svg") == 1
    assert written(answer.text) == example.paper  # to be changed and judged again


async def test_moves_are_judged_as_well(site: Pages) -> None:
    answer = await site.post("/paper/up-and-up", paper="a1 a2 c2", n="4")
    assert re.findall(r'class="total">([^<]*)<', answer.text) == ["3"]
    assert "The game is unfinished." in answer.text


@pytest.mark.parametrize(
    ("game", "fields", "sentence"),
    [
        ("blob", {"paper": ""}, "Nothing is written on the paper."),
        ("blob", {"paper": "* o / o"}, "Row 2 from the top has 1 square, but row 1 has 2."),
        ("blob", {"paper": "*o/*o", "n": "7"}, "The grid has 2 rows, but n is 7."),
        ("blob", {"paper": "*o/*o", "n": "<b>"}, "n must be an integer, not '<b>'."),
        ("up-and-up", {"paper": "1 3 / . ."}, "2 is missing, but 3 is written."),
        ("up-and-up", {"paper": "a1 b2"}, "Move 2, 'b2':"),
        ("sequence-ascension", {"paper": "1 2 / 2 3", "sequence": "file:x"}, "sequence may not name a file here."),
        ("sequence-ascension", {"paper": "a1 a2", "sequence": "file:x"}, "sequence may not name a file here."),
        ("blob", {"paper": "x" * (LONGEST + 1)}, f"A paper has at most {LONGEST} characters here."),
    ],
)
async def test_what_cant_be_judged_is_refused_in_a_sentence(
    site: Pages, game: str, fields: dict[str, str], sentence: str
) -> None:
    answer = await site.post(f"/paper/{game}", **fields)
    assert answer.status_code == 422
    assert refusal(answer.text).startswith(sentence)
    assert written(answer.text) == fields["paper"]  # nothing that was typed is lost


def test_no_file_is_read_where_none_may_be(tmp_path: Path) -> None:
    file = tmp_path / "b.txt"
    file.write_text("".join(f"{k} {k}\n" for k in range(1, 5)))
    entry = catalog.get("sequence-ascension")
    given = {"sequence": f"file:{file}"}
    assert judge_paper(entry, "1 2 / 4 3", given).game.scores == [4]
    with pytest.raises(BadParameter, match="may not name a file here"):
        judge_paper(entry, "1 2 / 4 3", given, files=False)


async def test_what_was_typed_is_escaped(site: Pages) -> None:
    answer = await site.post("/paper/palindromes", paper="</textarea><script>alert(1)</script>")
    assert answer.status_code == 422
    assert "<script>" not in answer.text and "&lt;script&gt;" in answer.text


async def test_a_form_without_its_token_is_refused(site: Pages) -> None:
    answer = await site.client.post("/paper/blob", data={"paper": "*o/*o"})
    assert answer.status_code == 403


async def test_a_game_that_is_not_there_is_not_found(site: Pages) -> None:
    assert (await site.get("/paper/nope")).status_code == 404


@pytest.mark.usefixtures("clock")
async def test_papers_cost_and_so_are_limited(sqlite_url: str) -> None:
    async with pages(sqlite_url, Limits(costly=2)) as site:
        statuses = [(await site.post("/paper/blob", paper="*o/*o")).status_code for _ in range(3)]
        assert statuses == [200, 200, 429]
