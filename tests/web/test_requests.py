"""Requests to every route, made from the site's own description (OpenAPI): none is answered by an error of ours.

A path, a query or a form gets values that fit (a game that is there, a legal move, the visitor's own token) and any
others. `make test` sends a few hundred requests, `make chaos` more than 50,000.
"""

import asyncio
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast
from urllib.parse import quote

import httpx
import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.core.result import Ok

import quet
import quet.web
from quet.web.app import create_app
from quet.web.settings import Settings

from .chaos.crowd import amount
from .in_process import UNLIMITED, Pages, pages

AnyCase: TypeAlias = schemathesis.Case[Any]
Operation: TypeAlias = schemathesis.APIOperation[Any, Any, Any, Any]
REQUESTS = amount(500, 70_000)  # some routes have few different ones, so fewer are sent
ENDLESS = ("/play/{id}/events",)  # a stream; tests/web/test_hub.py listens to it
FIELDS = {  # of all forms; a field that a form doesn't know is passed over
    "csrf": ["TOKEN"],
    "move": ["a1", "1=0", "+", "2", "2!", "a1=1", "done", "c3", "3=1"],
    "ply": ["1", "0", "2", "3"],
    "name": ["Ann", " Ben  B", "level:3"],
    "next": ["/", "/mine", "//host", "/play/GAME"],
    "language": ["en", "de"],
    "answer": ["accept", "decline"],
    "player": ["1", "2"],
    "clock": ["none", "live", "days", "moves"],
    "quick": ["1"],
    "ranked": ["1"],
    "id": ["GAME", "nonsense", ""],
    "back": ["1"],
    "side": ["1", "2", "9"],
    "opponent": ["me", "level:1", "nobody"],
    "race": ["1"],
    "public": ["1"],
    "number": ["1"],
    "prompt": ["1"],
    "options": ["1"],
    "paper": ["**oo/o*oo/oooo/oooo", "1001", "2 9 8/3 1 10/7 6 15", "+-+ --+ a1 b2 c3 d4"],
    "game": ["blob", "up-and-up", "nonsense"],
    "parameters": ["n=3", "n=99", "n"],
    "position": ["* o o/o * o/o o o", "1001", "x"],
    "moves": ["1. a1 b2", "a1", "1. (a1"],
    "record": ['[Game "blob"]\n[n "3"]\n\n1. a1 *', "[x"],
    "act": ["play", "write", "cut", "comment", "show", "study", "clear", "add first +", "add second "],
    "way": ["fill", "place", "path", "nonsense"],
    "write": ["1", "7", "x", ""],
    "was": ["0", "x"],
    "field-path": ["a1 b2", "x"],
    "field-first": ["+-", "x"],
    "typed": ["a1", "1=0", "nonsense"],
    "square": ["a1", "z99"],
    "at": ["0", "1", "1.2", "x"],
    "from": ["0", "1"],
    "comment": ["a good move", "{}"],
    "judge": ["1"],
    "withdraw": ["1", ""],
    "hide": ["1"],
    "show": ["1"],
    "parameter-n": ["3", "1", "20", "21", "x"],
    "parameter-m": ["4", "100"],
    "parameter-r": ["6", "1000", "0"],
    "parameter-players": ["2", "3", "9"],
    "parameter-grids": ["1", "0"],
    "parameter-sequence": ["divisors", "1,2,3,4,5,6,7,8,9", "random:1:2:3", "file:/etc/passwd", "own"],
    "own-sequence": ["1,2,3,4,5,6,7,8,9", "primes", ""],
    "seat-1": ["me", "open", "link", "level:1", "random", "nobody"],
    "seat-2": ["me", "open", "link", "level:1", "random"],
    "seat-3": ["me", "open"],
}
PATHS = {"id": ["GAME", "ENDED", "RACE"], "game": quet.game_ids(), "token": ["TOKEN"], "name": ["style.css", "site.js"]}


def test_fields_are_those_that_the_site_reads() -> None:
    """A new field of a form must come into the list."""
    code = "".join(file.read_text() for file in Path(quet.web.__file__).parent.rglob("*.py"))
    read = set(re.findall(r'fields(?:\.get\(|\[)"([a-z0-9_-]+)"', code))
    assert read and read <= set(FIELDS)


def description() -> dict[str, object]:
    """The site's description, with forms, and values that are likely to fit."""
    app = create_app(Settings("sqlite:////nonexistent/quet.db", "a key of the tests, long enough"))
    found = cast(dict[str, object], app.openapi())
    every = cast(dict[str, dict[str, dict[str, object]]], found["paths"])
    every["/play/{id}/move"] = {
        "post": {"parameters": [{"name": "id", "in": "path", "required": True}], "responses": {}}
    }
    for path in ENDLESS:
        del every[path]
    texts = {name: {"type": "string"} for name in FIELDS}
    form = {"type": "object", "properties": texts, "required": ["csrf"]}
    for methods in every.values():
        for method, operation in methods.items():
            operation.pop("security", None)
            for parameter in cast(list[dict[str, object]], operation.get("parameters", [])):
                if parameter["in"] == "path":
                    parameter["schema"] = {"type": "string", "minLength": 1}
            if method == "post":
                content = {"application/x-www-form-urlencoded": {"schema": form}}
                operation["requestBody"] = {"required": True, "content": content}
    return found


class World:
    """A site in this process, with games in it, and one visitor who sends all requests."""

    def __init__(self, loop: asyncio.AbstractEventLoop, site: Pages) -> None:
        self.loop = loop
        self.site = site
        page = loop.run_until_complete(site.client.get("/new/blob")).text
        self.csrf = page.partition('name="csrf" value="')[2].partition('"')[0]
        self.statuses: Counter[int] = Counter()
        self.games: dict[str, str] = {}
        self.begin()

    def begin(self) -> None:
        """Make new games, as the old ones get used up."""
        made = self.send("POST", "/new/palindromes", data={"csrf": self.csrf, "seat-1": "me", "seat-2": "me"})
        race = self.send("POST", "/new/up-and-up", data={"csrf": self.csrf, "race": "1", "parameter-n": "3"})
        self.games = {
            "GAME": made.headers.get("location", "").rpartition("/")[2],
            "ENDED": self.site.finished("blob", n=3).id,
            "RACE": race.headers.get("location", "").rpartition("/")[2],
        }

    def send(self, method: str, path: str, **rest: object) -> httpx.Response:
        """The answer to a request."""
        answer = self.loop.run_until_complete(self.site.client.request(method, path, **rest))  # type: ignore[arg-type]
        self.statuses[answer.status_code] += 1
        return answer

    def filled(
        self, values: Mapping[str, object] | None, likely: Mapping[str, Sequence[str]] = FIELDS
    ) -> dict[str, str]:
        """Most of the values are replaced by one that is likely to fit, the visitor's token nearly always."""
        known = {**self.games, "TOKEN": self.csrf, "/play/GAME": f"/play/{self.games['GAME']}"}
        found = {}
        for name, value in (values or {}).items():
            number = zlib.crc32(repr(value).encode())
            others = likely.get(name, [])
            text = others[number % len(others)] if others and number % (32 if name == "csrf" else 4) else str(value)
            found[name] = known.get(text, text)
        return found

    def try_(self, case: AnyCase) -> None:
        """Send what was generated; fail if the answer is an error of ours, or no page, picture or JSON."""
        path = case.path
        for name, value in self.filled(case.path_parameters, PATHS).items():
            path = path.replace("{" + name + "}", quote(value, safe="") or "-")
        form = self.filled(case.body) if isinstance(case.body, Mapping) else None
        answer = self.send(case.method.upper(), path, params=self.filled(case.query), data=form)
        assert answer.status_code < 500, (case.method, path, form, answer.text)
        assert answer.status_code != 404 or "<h1" in answer.text or answer.text.startswith(("{", "\n"))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The site for all requests."""
    loop = asyncio.new_event_loop()
    inside = pages(f"sqlite:///{tmp_path_factory.mktemp('site') / 'quet.db'}", UNLIMITED)
    site = loop.run_until_complete(inside.__aenter__())
    world = World(loop, site)
    yield world
    print(f"{sum(world.statuses.values())} requests; answers {dict(sorted(world.statuses.items()))}")
    loop.run_until_complete(inside.__aexit__(None, None, None))
    loop.close()


def operations() -> Iterator[Operation]:
    """Every method of every path."""
    for found in schemathesis.openapi.from_dict(description()).get_all_operations():
        assert isinstance(found, Ok)
        yield found.ok()


OPERATIONS = list(operations())


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_no_request_is_answered_by_an_error_of_ours(operation: Operation, world: World) -> None:
    world.begin()

    @hypothesis.seed(1)
    @settings(
        max_examples=-(-REQUESTS // len(OPERATIONS)),
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy())
    def send(case: AnyCase) -> None:
        world.try_(case)

    send()
