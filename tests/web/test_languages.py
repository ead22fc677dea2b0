"""The site in its languages, page by page: nothing on them is left in English, and each visitor chooses."""

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from gettext import NullTranslations
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest
import uvicorn

import quet
import quet.games
from conftest import SMALL
from quet import catalog as games
from quet.games import folders
from quet.knowledge.worth import Value
from quet.study.assessments import Analysis, Assessment
from quet.study.mistakes import turning_point
from quet.web import catalogs, i18n
from quet.web.analyst import Analyst, Key
from quet.web.app import create_app
from quet.web.pages import local_path
from quet.web.settings import Limits, Settings
from quet.web.study_text import Study
from quet.web.turns import Asker

from .serving import free_port, wait_for

OPEN, CLOSE = "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}", "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"
SPOKEN = {"alt", "aria-label", "aria-description", "content", "placeholder", "title", "value"}  # attributes with words
# What is the same in every language: the name of the site, its languages, and what people and programs write.
NAMES = "Quet English Deutsch Ann quet json svg png gif pdf done divisors primes naturals totient mod3 pi".split()
NAMES += ["summary_large_image"]  # a kind of picture, in the head of pages
NAMES += [parameter.name for id in games.ids() for parameter in games.get(id).rules.PARAMETERS]


def _all_messages() -> Iterator[tuple[str, str]]:
    for package in catalogs.ours():
        for message in catalogs.read_catalog(catalogs.catalog_file(package, "de"), "de"):
            if isinstance(message.id, str):
                yield message.id, str(message.string)
            elif isinstance(message.string, tuple):
                yield from zip(message.id, message.string, strict=True)


GERMAN = dict(_all_messages())
ENGLISH = GERMAN.keys() - {""}


class Words(HTMLParser):
    """The texts of a page that are read or heard, each by itself."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._is_silent = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_silent = tag in ("script", "style", "textarea", "var", "option", "output")
        given = dict(attrs)
        is_name = given.get("name") in ("viewport", "theme-color", "robots") or tag in ("input", "button", "option")
        is_name = is_name or "http-equiv" in given
        for name, value in given.items():
            if value and ((name.startswith("data-") and " " in value) or (name in SPOKEN and not is_name)):
                self.found.append(value)
        if tag in ("input", "button") and given.get("aria-label"):
            self.found.append(str(given["aria-label"]))

    def handle_endtag(self, tag: str) -> None:
        self._is_silent = False

    def handle_data(self, data: str) -> None:
        if not self._is_silent and data.strip():
            self.found.append(data.strip())


class Bracketed(NullTranslations):
    """A language that is English in brackets. A text without brackets on a page was not translated by a catalog."""

    def gettext(self, message: str) -> str:
        return OPEN + message + CLOSE if message in ENGLISH else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def outside(text: str) -> str:
    """The parts of a text that are outside brackets."""
    while (inner := re.sub(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}", " ", text)) != text:
        text = inner
    return text


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A site in a thread of this process, so that a language can be added to it."""
    folder: Path = tmp_path_factory.mktemp("site")
    settings = Settings(f"sqlite:///{folder / 'quet.db'}", "a key for these tests", Limits(games=0, address_games=0))
    port = free_port()
    app = create_app(settings)
    app.state.analyst = Known()
    app.state.site.workshop.do = done_here
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    wait_for(lambda: server.started or not thread.is_alive(), "the site")
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", follow_redirects=True) as client:
        yield client
    server.should_exit = True
    thread.join()


async def done_here(asker: Asker, function: Callable[..., object], *arguments: object, **options: object) -> object:
    """The work of the workshop, done in this process, which alone knows the added language."""
    return function(*arguments)


@pytest.fixture(autouse=True)
def _only_our_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of another package need not speak German."""
    ours = {id: folder for id, folder in folders().items() if id in SMALL}
    monkeypatch.setattr(quet.games, "folders", lambda: ours)


@pytest.fixture
def bracketed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes "xx" a language, which is English in brackets."""
    translations = catalogs.translations
    monkeypatch.setitem(catalogs.LANGUAGES, "xx", "English")
    monkeypatch.setattr(
        i18n, "translations", lambda language: Bracketed() if language == "xx" else translations(language)
    )


class Known(Analyst):
    """An analyst who has the same to say of every game."""

    def has(self, key: Key) -> bool:
        return True

    def study(self, key: Key) -> Study:
        game = quet.new("blob", n=3)
        for move in "a1 b1 b2 b3".split():
            game.play(move)
        won, lost, guess = Value(1, is_exact=True, margin=2), Value(0, is_exact=True, margin=-2), Value(0.6, 0.1)
        judged = [
            Assessment(1, 1, "a1", guess, "b2", Value(0.8, 0.1), ("b2", "b1")),
            Assessment(2, 2, "b1", lost, "c1", won, ("c1",)),
            *(Assessment(ply, 2 - ply % 2, "c1", won, "c1", won, ("c1", "c2")) for ply in (3, 4)),
        ]
        judged[1] = replace(judged[1], turning_point=turning_point(judged[1], game))
        return Study(Analysis(game, {}, judged), {2: {"c1": won, "b2": lost, "a2": Value(0.5, is_exact=True)}})


class Visit:
    """A visitor with a language, who goes from page to page."""

    def __init__(self, site: httpx.Client, language: str) -> None:
        site.cookies.clear()
        site.cookies.set(i18n.COOKIE, language)
        self.site = site
        self.pages: list[tuple[str, str]] = []
        self.csrf = ""

    def get(self, path: str) -> str:
        """The page at this path, which is remembered; after redirections."""
        answer = self.site.get(path, headers={"accept": "text/html"})
        self.pages.append((f"GET {path}", answer.text))
        token = re.search(r'name="csrf" value="(\w+)"', answer.text)
        self.csrf = token[1] if token else self.csrf
        return str(answer.url.path)

    def post(self, path: str, **fields: str) -> str:
        """The page that comes after a form."""
        answer = self.site.post(path, data={"csrf": self.csrf, **fields}, headers={"accept": "text/html"})
        self.pages.append((f"POST {path} {fields}", answer.text))
        return str(answer.url.path)

    def see_everything(self) -> None:
        """Every kind of page, and every game at its start, in the middle and at its end."""
        for path in ("/", "/", "/lobby", "/nothing-here", "/new/nothing"):
            self.get(path)
        for id in games.ids():
            for path in (f"/new/{id}", f"/rules/{id}", f"/sheets/{id}", f"/paper/{id}"):
                self.get(path)
            self.post(f"/paper/{id}", paper="1 2 / 3 4")
            self.post(f"/new/{id}", **{"parameter-n": "x", "parameter-r": "x", "parameter-m": "x"})
        one = self.post(
            "/new/blob", **{"parameter-n": "3", "seat-1": "me", "seat-2": "me", "clock": "none", "name": "Ann"}
        )
        self.play(one, "a1 b3 z9 a2 b2 a3".split())
        self.post(f"{one}/hand-over", player="1")
        self.play(one, "b1 b3 c3 c2".split())
        for ply in ("", "?ply=3", "?ply=99"):
            self.get(one.replace("/play", "/study") + ply)
        two = self.post("/new/palindromes", **{"parameter-m": "4", "seat-1": "me", "seat-2": "link", "clock": "live"})
        self.play(two, ["1=0"])
        self.get(two + "?square=2")
        three = self.post(
            "/new/convoluted-coprimality",
            **{"parameter-n": "4", "seat-1": "me", "seat-2": "open", "clock": "days", "public": "1"},
        )
        self.get(three)
        four = self.post("/new/sums-grid", **{"parameter-n": "2", "clock": "none"})
        self.play(four, "a1=1 b1=2 a2=3 b2=4 b2=4".split())
        self.get(four + "?square=a1")
        self.post(f"{four}/resign")
        self.get(four)
        race = self.post("/new/up-and-up", race="1", clock="none", **{"parameter-n": "3"})
        self.get(race)
        self.post(race, name="Ann")
        for path in ("/", "/lobby", race):
            self.get(path)

    def play(self, path: str, moves: list[str]) -> None:
        """Play moves, some of which may be refused."""
        for move in moves:
            self.post(f"{path}/move", move=move)
            self.get(path)


@pytest.mark.parametrize("id", ["divisors-multiples", "convoluted-coprimality"])
def test_a_turn_of_several_moves_and_what_is_taken_have_one_word_each_in_german(id: str) -> None:
    for message in catalogs.read_catalog(catalogs.catalog_file(games.get(id).package, "de"), "de"):
        english, german = str(message.id), str(message.string)
        if re.search(r"\bturn\b", english) and "move" not in english:
            assert not re.search(r"\bZ[uü]ge?s?\b", german), german
        if re.search(r"\b(is|are) taken\b", english):
            assert "genommen" not in german, german


@pytest.mark.usefixtures("bracketed")
def test_every_word_of_every_page_is_from_a_catalog(site: httpx.Client) -> None:
    visit = Visit(site, "xx")
    visit.see_everything()
    left: dict[str, str] = {}
    for path, html in visit.pages:
        for text in outside("\n".join(Words(html).found)).splitlines():  # a message may have a link in it
            words = re.findall(r"[^\W\d]{3,}", re.sub(r"https?:\S+|'[^']*'", " ", text))
            if [word for word in words if word not in NAMES]:
                left.setdefault(text, path)
    assert not left, "\n".join(f"{path}: {text!r}" for text, path in left.items())


def test_no_page_in_german_has_an_english_text(site: httpx.Client) -> None:
    visit = Visit(site, "de")
    visit.see_everything()
    english = {id for id, string in GERMAN.items() if id != string and not re.search(r"%\(|{", id)}
    german = set(GERMAN.values())
    for path, html in visit.pages:
        assert '<html lang="de">' in html, path
        for text in Words(html).found:
            assert text not in english or text in german, f"{path}: {text!r}"


def test_a_visitor_chooses_a_language_and_stays_on_the_page(site: httpx.Client) -> None:
    visit = Visit(site, "")
    site.cookies.clear()
    visit.get("/rules/blob")
    assert '<html lang="en">' in visit.pages[-1][1]
    assert visit.post("/language", language="de", next="/rules/blob") == "/rules/blob"
    answer = site.get("/rules/blob")
    assert "Vielfache/Teiler-Klecksspiel" in answer.text
    assert answer.headers["content-language"] == "de"
    assert {"Cookie", "Accept-Language"} <= set(re.split(", *", answer.headers["vary"]))


def test_a_choice_on_an_error_page_leads_to_the_page_before(site: httpx.Client) -> None:
    visit = Visit(site, "en")
    visit.get("/new/blob")
    visit.get("/new/blob")
    answer = site.post(
        "/play/nothing/move", data={"csrf": visit.csrf}, headers={"referer": f"{site.base_url}/new/blob"}
    )
    assert answer.status_code == 404
    assert 'name="next" value="/new/blob"' in answer.text


def test_only_languages_of_the_site_are_taken(site: httpx.Client) -> None:
    visit = Visit(site, "en")
    visit.get("/")
    visit.get("/")
    for language in ("", "fr", "../../de", "de" * 100):
        answer = site.post("/language", data={"csrf": visit.csrf, "language": language})
        assert answer.status_code == 400
    assert site.post("/language", data={"language": "de"}).status_code == 403
    assert site.cookies[i18n.COOKIE] == "en"


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("/play/x?square=b2", "/play/x?square=b2"),
        ("", ""),
        ("//evil.example/", ""),
        ("///evil.example/", ""),
        ("////evil.example/", ""),
        ("/\t/evil.example/", ""),
        ("/\\evil.example", ""),
        ("https://evil.example/", ""),
        ("javascript:alert(1)", ""),
        ("/\r\nSet-Cookie: a=b", ""),
        ("//[", ""),
        ("play", ""),
    ],
)
def test_a_choice_of_language_leads_nowhere_else(given: str, path: str) -> None:
    assert local_path(given) == path
