"""The table of best results on the site, the answers and the proofs: whole, made from the files, and kept by digest."""

import html
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from quet.certificates import certificate_file, verify
from quet.results import oeis
from quet.results.folder import Folder, find
from quet.results.row import told
from quet.results.series import only
from quet.web import articles, table_of_results

from .in_process import Pages, pages

LARGEST_PAGE = 200_000  # bytes


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        yield found


def cells(page: str) -> list[list[str]]:
    """The cells of the tables of a page, row by row."""
    rows = re.findall(r"<tr[^>]*><th scope=\"row\".*?</tr>", page, re.S)
    return [[re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows]


async def test_the_page_of_a_game_has_every_row_of_its_file(site: Pages, game_id: str) -> None:
    answer = await site.get(f"/results/{game_id}")
    assert answer.status_code == 200 and len(answer.content) < LARGEST_PAGE
    rows = find(None).rows(game_id)
    shown = [(int(size), best, bound) for size, best, bound, *_ in cells(answer.text)]
    assert sorted(shown) == sorted((row.size, told(row.value), told(row.bound)) for row in rows)
    for row in rows:
        assert f'href="/results/{game_id}/{table_of_results.row_name(row)}"' in answer.text
    assert answer.text.count('class="plot') == len({row.score for row in rows if row.is_one_number})


async def test_the_list_links_every_game_and_home_and_the_games_pages_link_it(site: Pages) -> None:
    text = (await site.get("/results")).text
    assert f"{len(find(None).rows())} results" in text
    searched = sum("exhaustive" in row.proof for row in find(None).rows())
    assert f"All but {searched} have a certificate" in text
    for id in {row.game for row in find(None).rows()}:
        assert f'href="/results/{id}"' in text
        assert (await site.get(f"/results/{id}/plot.svg?kind=little")).headers["content-type"] == "image/svg+xml"
    assert 'href="/results"' in (await site.get("/")).text
    for page in ("new", "rules"):
        assert 'href="/results/blob"' in (await site.get(f"/{page}/blob")).text
    assert (await site.get("/records")).headers["location"] == "/results"


async def test_a_row_can_be_stepped_through_and_its_certificate_checked(site: Pages, our_game_id: str) -> None:
    row = find(None).rows(our_game_id)[0]
    base = f"/results/{our_game_id}/{table_of_results.row_name(row)}"
    page = (await site.get(base)).text
    assert f"{told(row.value)}</strong>" in page and f"quet verify {row.certificate}" in page
    assert html.unescape(page).count(f"quet solve {row.words}") == 1
    assert "0 of " in (await site.get(f"{base}?ply=0")).text
    file = await site.get(f"/results/{our_game_id}/certificates/{row.certificate}")
    verify.check(certificate_file.from_bytes(file.content))
    again = await site.get(
        f"/results/{our_game_id}/certificates/{row.certificate}", **{"If-None-Match": file.headers["etag"]}
    )
    assert again.status_code == 304


async def test_the_page_of_a_game_has_what_theorems_say_under_each_series(site: Pages) -> None:
    found = {}
    for game in ("plusses-minuses", "palindromes", "blob"):
        text = html.unescape((await site.get(f"/results/{game}")).text)
        found[game] = re.findall(r'<a href="/proofs">A theorem</a>: (.*?)</p>', text)
    zero, least = found["plusses-minuses"]
    assert zero == "a(n) = 0 for all n >= 2. Here a(n) is the value for n."
    assert least.startswith("-3 <= a(n) <= 0 for all n >= 2.")
    assert found["palindromes"][0].startswith("For all even m from 2 to 64 a(m) <= -2") and not found["blob"]
    german = html.unescape((await site.get("/results/sums-grid", **{"Accept-Language": "de"})).text)
    assert "Ein Satz</a>: a(3) < 27, a(n) < n^3 für alle n >= 5" in german


async def test_a_row_that_rests_on_a_theorem_links_its_proof(site: Pages) -> None:
    main = [(await site.get(f"/results/{path}")).text.split("</main>")[0] for path in ("plusses-minuses/9", "blob/4")]
    assert ['href="/proofs"' in page for page in main] == [True, False]


async def test_a_board_that_is_too_large_for_a_page_is_a_picture(site: Pages) -> None:
    base = "/results/convoluted-coprimality/60-players-3"
    page = await site.get(f"{base}?ply=3")
    assert len(page.content) < LARGEST_PAGE and f'src="{base}/board.svg?ply=3"' in page.text
    assert 'alt="The board after move 3."' in page.text
    assert (await site.get(f"{base}/board.svg?ply=3")).content.startswith(b"<svg")


async def test_the_files_for_the_encyclopedia_are_those_of_the_command_line(site: Pages) -> None:
    rows = find(None).rows("up-and-up")
    lowest = only([row for row in rows if row.is_lowest])
    assert (await site.get("/results/up-and-up/lowest.b.txt")).text == oeis.b_file(lowest)
    assert (await site.get("/results/up-and-up/usual.oeis.txt")).text.startswith("%I A000000")


@pytest.mark.parametrize("path", ("/results", "/results/blob", "/results/blob/4", "/answers", "/proofs"))
async def test_a_page_is_not_sent_again_to_a_browser_that_has_it(path: str, site: Pages) -> None:
    await site.get("/")  # which sets the visitor's cookie
    first = await site.get(path)
    again = await site.get(path, **{"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    german = await site.get(path, **{"If-None-Match": first.headers["etag"], "Accept-Language": "de"})
    assert german.status_code == 200 and 'lang="de"' in german.text


async def test_a_changed_file_is_read_anew_and_an_unchanged_one_is_not(
    site: Pages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = find(None).file("blob").read_text().splitlines(keepends=True)
    (tmp_path / "blob.jsonl").write_text("".join(source[:2]))
    monkeypatch.setattr(table_of_results, "folder", lambda: Folder(tmp_path))
    assert len(cells((await site.get("/results/blob")).text)) == 2
    (tmp_path / "blob.jsonl").write_text("".join(source[:3]))
    assert len(cells((await site.get("/results/blob")).text)) == 3
    monkeypatch.setattr(Folder, "rows", None)
    assert len(cells((await site.get("/results/blob")).text)) == 3


async def refused(site: Pages, path: str) -> tuple[int, str]:
    answer = await site.get(path)
    found = re.search(r'<p class="lead">([^<]*)</p>', answer.text)
    assert found, answer.text
    return answer.status_code, html.unescape(found[1])


async def test_bad_addresses_get_one_sentence(site: Pages) -> None:
    none = (404, "The table has no such result.")
    for path in ("blob/99", "blob/x.b.txt", "blob/certificates/nothing.json", "blob/plot.svg?score=highest"):
        assert await refused(site, f"/results/{path}") == none
        assert '<a class="button" href="/results/blob">Best results</a>' in (await site.get(f"/results/{path}")).text
    assert await refused(site, "/results/convoluted-coprimality/players-3.b.txt") == none
    assert (await refused(site, "/results/chess"))[0] == 404
    assert (await refused(site, "/results/blob/4?ply=999"))[0] == 400
    assert await refused(site, "/answers/pictures/nothing.svg") == (404, "There is no such page.")


@pytest.mark.parametrize("name", ("answers", "proofs"))
async def test_links_and_pictures_of_the_answers_and_proofs_lead_somewhere(name: str, site: Pages) -> None:
    pages = {f"/{one}": (await site.get(f"/{one}")).text for one in ("answers", "proofs", "results")}
    text = pages[f"/{name}"]
    body = str(articles.article(name).body)
    for target in re.findall(r'href="([^"]*)"', body):
        page, _, anchor = target.partition("#")
        assert f'id="{anchor}"' in pages[page or f"/{name}"] if anchor else page in pages, target
    for source in re.findall(r'<img src="([^"]*)"', body):
        assert (await site.get(source)).headers["content-type"] == "image/svg+xml"
    source = (Path(articles.__file__).parents[3] / "docs" / f"{name}.md").read_text()
    assert text.count("<h3") == len(re.findall(r"^### ", source, re.M)) and "style=" not in body
    assert body.count("<img") == source.count("![")


async def test_the_answers_are_in_german_too_and_the_proofs_say_that_they_are_not(site: Pages) -> None:
    german = {"Accept-Language": "de"}
    answers, proofs = [(await site.get(path, **german)).text for path in ("/answers", "/proofs")]
    assert '<h1 lang="de">Antworten</h1>' in answers and "nur auf Englisch" not in answers
    assert '<h1 lang="en">Proofs</h1>' in proofs and "nur auf Englisch" in proofs
