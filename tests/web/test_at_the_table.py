"""What a move needs stands in the window of a screen and of a phone, and the page never jumps."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

import quet
from quet.game import Game

from .browsing import Person
from .serving import Server

LARGE: dict[str, dict[str, int]] = {
    "blob": {"n": 12},
    "convoluted-coprimality": {"n": 16},
    "divisors-multiples": {"r": 60},
    "palindromes": {"m": 24},
    "plusses-minuses": {"n": 12},
    "sequence-ascension": {"n": 8},
    "sums-grid": {"n": 6},
    "up-and-up": {"n": 12},
}  # the largest that many would play; a ninth game has its usual size only
WISHES: dict[str, dict[str, object]] = {
    "screen": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "small phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
}
PLACES = """
    () => Object.fromEntries([...document.querySelectorAll(
        ".board .mark, .strip button, .strip a, .numbers button, .numbers input, .typed *, .turn-place")]
      .filter((element) => element.getClientRects().length)
      .map((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const name = element.closest(".cell")?.dataset.square ?? `${element.localName} ${element.textContent.trim()}`;
        return [element.matches(".turn-place") ? "turn" : name, [left, top + scrollY, width, height].map(Math.round)];
      }))
"""  # of what moves are made with, by what it is; from the top of the page
EDGES = "all => all.map(one => one.getBoundingClientRect()).map(({ left, right }) => [left, right])"
NOTHING = '<svg xmlns="http://www.w3.org/2000/svg"/>'  # where a picture takes long to draw, and isn't looked at
Places = dict[str, list[int]]


@pytest.fixture(
    scope="module",
    params=["phone", *(pytest.param(wish, marks=pytest.mark.long) for wish in ("screen", "small phone"))],
)
def one_who_stays(request: pytest.FixtureRequest, browser: Browser, shared_server: Server) -> Iterator[Person]:
    person = Person(browser, shared_server.url, reduced_motion="reduce", **WISHES[request.param])
    yield person
    person.leave()


@pytest.fixture
def sitter(one_who_stays: Person) -> Iterator[Person]:
    """Somebody at a screen, or with a phone, whose pages have nothing to complain about."""
    yield one_who_stays
    assert not one_who_stays.complaints, one_who_stays.complaints


@pytest.fixture(scope="module")
def one_with_a_phone(browser: Browser, shared_server: Server) -> Iterator[Person]:
    person = Person(browser, shared_server.url, reduced_motion="reduce", **WISHES["phone"])
    yield person
    person.leave()


@pytest.fixture(scope="module")
def one_with_a_low_window(browser: Browser, shared_server: Server) -> Iterator[Person]:
    """Somebody with a mouse, who has everything four times as large, or a small window."""
    person = Person(browser, shared_server.url, reduced_motion="reduce", viewport={"width": 640, "height": 360})
    yield person
    person.leave()


def places(person: Person) -> Places:
    """Where everything is with which one moves, in the window."""
    found: Places = person.page.evaluate(PLACES)
    return found


def below(person: Person) -> list[str]:
    """What of it is out of sight; the line to type a move needn't be seen."""
    window = person.page.viewport_size
    assert window
    return [
        name
        for name, (left, top, width, height) in places(person).items()
        if not name.startswith(("label Type", "input", "button Play"))
        if left < 0 or top < 0 or left + width > window["width"] or top + height > window["height"]
    ]


def moved(before: Places, after: Places) -> dict[str, tuple[list[int], list[int]]]:
    """What is elsewhere, or larger or smaller, by more than rounding."""
    return {
        name: (before[name], after[name])
        for name in before.keys() & after.keys()
        if any(abs(a - b) > 1 for a, b in zip(before[name], after[name], strict=True))
    }


def create(person: Person, game: Game, **parameters: int) -> str:
    """A game against the computer, or alone; then the page of it."""
    seats = ["me", *["level:1"] * (game.num_players - 1)]
    return person.create(game.id, *seats, **{f"parameter-{name}": value for name, value in parameters.items()})


def test_all_that_a_move_needs_is_in_sight_and_nothing_jumps(game_id: str, sitter: Person) -> None:
    page, game = sitter.page, quet.new(game_id)
    page.goto(create(sitter, quet.new(game_id, **LARGE.get(game_id, {})), **LARGE.get(game_id, {})))
    assert below(sitter) == [], "of a large board"
    page.goto(create(sitter, game))
    before = places(sitter)
    assert below(sitter) == []
    for _ in range(2):
        sitter_ply = 1 + game.ply
        move = next(move for move in game.legal_moves if f"{move}!" not in game.legal_moves)
        sitter.press(game, move)
        expect(page.locator(f".turn.is-mine:not(#table[data-ply='{sitter_ply}'] *), .result")).to_have_count(1)
        if page.locator(".result").count():
            return  # a short game, and nobody moves any more
        game = game_of(sitter, game_id)
        assert moved(before, places(sitter)) == {}, "after a move, and after the computer's"
        assert below(sitter) == []
    page.fill("#typed", "nonsense")
    page.press("#typed", "Enter")
    expect(page.locator("#message")).not_to_be_empty()
    sitter.forgive("422")
    assert moved(before, places(sitter)) == {}, "after a refused move"
    forbidden = page.locator(".board .cell:has(.why)")
    if forbidden.count():
        square = forbidden.first
        square.locator(".mark").click()
        expect(page.locator("#bubble")).not_to_be_empty()
        expect(page.locator("#bubble")).to_be_visible()
        assert distance(square.locator(".mark"), page.locator("#bubble")) < 12
        assert moved(before, places(sitter)) == {}, "after a forbidden square"
        page.keyboard.press("Escape")
        expect(page.locator("#bubble")).to_be_hidden()


@pytest.mark.parametrize("place", ["table", "study"])
def test_the_whole_board_is_there_in_a_low_and_narrow_window(
    place: str, game_id: str, one_with_a_low_window: Person
) -> None:
    person, page = one_with_a_low_window, one_with_a_low_window.page
    parameters = LARGE.get(game_id, {})
    if place == "table":
        page.goto(create(person, quet.new(game_id, **parameters), **parameters))
    else:
        page.goto(f"/study?game={game_id}&parameters={' '.join(f'{name}={n}' for name, n in parameters.items())}")
    for width, height in ((640, 360), (320, 256), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        board = page.locator(".board:has(.mark)").first
        found = board.locator(".mark").evaluate_all(EDGES)
        assert min(right - left for left, right in found) >= 8, "squares can be told apart"
        if "is-wide" not in (board.get_attribute("class") or ""):
            assert min(left for left, _ in found) >= 0, "no square is cut off"
            assert max(right for _, right in found) <= width, "no square is cut off"


def test_the_home_page_has_a_button_to_play_in_sight(sitter: Person) -> None:
    sitter.become_another()  # who has no games yet
    page = sitter.page
    page.route("**/living.svg*", lambda route: route.fulfill(body=NOTHING, content_type="image/svg+xml"))
    for language in ("de", "en"):
        sitter.post("/language", language=language, next="/")
        page.goto("/")
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert below_window(page.locator("button[name=quick]").first) <= 0


def below_window(element: Locator) -> float:
    """How far something reaches below the window, in pixels."""
    found: float = element.evaluate("element => element.getBoundingClientRect().bottom - innerHeight")
    return found


def test_the_home_page_is_two_screens_on_a_phone_and_says_where_to_begin(one_with_a_phone: Person) -> None:
    page = one_with_a_phone.page
    page.route("**/living.svg*", lambda route: route.fulfill(body=NOTHING, content_type="image/svg+xml"))
    for language in ("de", "en"):
        one_with_a_phone.post("/language", language=language, next="/")
        page.goto("/")
        expect(page.locator("html")).to_have_attribute("lang", language)
        small = page.locator(".game:not(.is-first)")  # two stand side by side
        row = small.evaluate_all("all => Math.max(...all.map(one => one.offsetHeight))") + 10
        more = max(0, (small.count() + 1) // 2 - 3) * row  # the rows of games beyond eight come on top
        assert page.evaluate("document.documentElement.scrollHeight") <= 2 * 844 + more
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        wide = page.locator(".game .row").evaluate_all("all => all.map(one => one.scrollWidth - one.clientWidth)")
        assert max(wide) <= 0, "no button is cut off"
    expect(page.locator(".game.is-first")).to_have_count(2)
    expect(page.locator(".game.is-first").first).to_contain_text("Begin here")
    page.unroute_all()


@pytest.mark.parametrize("language", ("en", pytest.param("de", marks=pytest.mark.long)))
def test_no_page_shows_the_raw_name_of_a_parameter(language: str, game_id: str, one_with_a_phone: Person) -> None:
    person, page = one_with_a_phone, one_with_a_phone.page
    person.post("/language", language=language, next="/")
    names = [parameter.name for parameter in quet.new(game_id).rules.PARAMETERS]
    address = person.create(game_id)
    pages = [address, "/mine", address.replace("play", "study"), f"/study?game={game_id}&hide=1"]
    pages += [f"/{kind}/{game_id}" for kind in ("new", "rules", "results", "sheets", "paper")]
    for path in pages:
        text = person.context.request.get(path).text()
        page.set_content(re.sub(r"(?s)<(script|code|pre|head)\b.*?</\1>", "", text))
        page.evaluate("for (const one of document.querySelectorAll('.rule-list, .set-up aside')) one.remove()")
        shown = page.locator("body").inner_text()  # but for the author's rules: "n = 3 for a beginning"
        assert not re.search(rf"\b({'|'.join(names)}) ?= ?\w", shown), path
        assert not [name for name in names if "_" in name and name in shown], path


def game_of(person: Person, id: str) -> Game:
    """The game as the table lists its moves, of the usual size."""
    game = quet.new(id)
    for move in person.moves():
        game.play(move.replace("\N{MINUS SIGN}", "-"))
    return game


def distance(one: Locator, other: Locator) -> float:
    """How far apart two things are, up and down."""
    a, b = one.bounding_box(), other.bounding_box()
    assert a and b
    return max(b["y"] - a["y"] - a["height"], a["y"] - b["y"] - b["height"], 0.0)
