"""The documentation on the site: its files and nothing else, kept by browsers, and a sentence where it isn't built."""

from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import pytest

from quet.web.middleware import HEADERS

from .in_process import Pages, pages

FILES = {
    "index.html": "<h1>Quet</h1>",
    "games/index.html": "<h1>The games</h1>",
    "games/blob.svg": "<svg/>",
    "assets/bundle.0a1b2c3d.min.js": "1",
    "search/search_index.json": "{}",
}


@pytest.fixture
async def site(sqlite_url: str, tmp_path: Path) -> AsyncIterator[Pages]:
    (tmp_path / "secret.html").write_text("a secret")
    for name, text in FILES.items():
        (tmp_path / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "docs" / name).write_text(text)
    (tmp_path / "docs" / "link.html").symlink_to(tmp_path / "secret.html")
    async with pages(sqlite_url, docs=tmp_path / "docs") as site:
        yield site


async def test_its_files_are_served_and_a_folder_by_its_page(site: Pages) -> None:
    for path, file in (("", "index.html"), ("games/", "games/index.html"), *((name, name) for name in FILES)):
        answer = await site.get(f"/docs/{path}")
        assert answer.status_code == 200 and answer.text == FILES[file], path
    for path, whole in (("/docs", "/docs/"), ("/docs/games", "/docs/games/")):
        answer = await site.get(path)
        assert answer.status_code == 301 and answer.headers["location"] == whole
    assert (await site.get("/docs/search/search_index.json")).headers["content-type"] == "application/json"


async def test_the_foot_of_each_page_leads_there(site: Pages) -> None:
    for path in ("/", "/lobby", "/results", "/nothing"):
        assert '<a href="/docs/">' in (await site.get(path)).text, path


async def test_its_pages_have_the_policy_of_all_pages(site: Pages) -> None:
    assert (await site.get("/docs/")).headers["content-security-policy"] == HEADERS["Content-Security-Policy"]
    assert "sandbox" in (await site.get("/docs/games/blob.svg")).headers["content-security-policy"]


async def test_a_browser_that_has_a_file_does_not_get_it_again(site: Pages) -> None:
    page = await site.get("/docs/")
    assert page.headers["cache-control"] == "public, no-cache"
    again = await site.get("/docs/", **{"If-None-Match": page.headers["etag"]})
    assert again.status_code == 304 and again.content == b""
    lasting = await site.get("/docs/assets/bundle.0a1b2c3d.min.js")
    assert lasting.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize(
    "path",
    ["../secret.html", "..%2fsecret.html", "%2e%2e/secret.html", "games/../../secret.html", "link.html", "nothing"]
    + [
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "index.html/",
        "a%00b",
        "x" * 5000,
        "games/%5c..%5c..%5csecret.html",
        "assets/",
    ],
)
async def test_nothing_outside_is_served(site: Pages, path: str) -> None:
    answer = await site.get(f"/docs/{path}")
    assert answer.status_code == 404 and "a secret" not in answer.text


async def test_a_site_without_it_says_so(sqlite_url: str, tmp_path: Path) -> None:
    async with pages(sqlite_url, docs=tmp_path) as site:
        for path in ("/docs", "/docs/", "/docs/games/"):
            answer = await site.get(path)
            assert answer.status_code == 404
            assert "The documentation isn't on this site: make docs builds it." in unescape(answer.text)
            assert 'href="/docs/"' not in answer.text
