"""axe finds nothing that isn't accessible on any page, by day and by night, in both languages, and on a phone.

axe-core knows what of WCAG 2 a program can check, and some good practice: names of what can be pressed, roles and what
they need inside, headings, landmarks, contrast... Here it also looks for targets too small for a finger.

Each page is looked at twice by all rules: in English on a wide screen by day, and in German, whose words are longer, on
a phone by night. There it must not be wider than the phone, either, nor than the smallest screen that WCAG asks for,
which is also a screen enlarged four times.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from urllib.parse import urlencode

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, expect

import quet
from quet import catalog
from quet.game import Game
from quet.puzzles import of
from quet.study.daily import FIRST, daily

from .browsing import Person
from .serving import Server

pytestmark = pytest.mark.long

SIZES: dict[str, dict[str, int]] = {
    "blob": {"n": 4},
    "convoluted-coprimality": {"n": 3, "players": 3, "grids": 1},
    "divisors-multiples": {"r": 4, "players": 3},
    "palindromes": {"m": 6},
    "plusses-minuses": {"n": 3},
    "sequence-ascension": {"n": 3},
    "sums-grid": {"n": 2},
    "up-and-up": {"n": 3},
}
RUN = """
    () => axe.run({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } })
      .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`)))
"""
WIDTHS = {"en": 1280, "de": 360}
NARROWEST = 320
WISHES: dict[str, dict[str, object]] = {
    "en": {"viewport": {"width": WIDTHS["en"], "height": 720}, "color_scheme": "light"},
    "de": {"viewport": {"width": WIDTHS["de"], "height": 740}, "color_scheme": "dark", "has_touch": True}
    | {"is_mobile": True},
}


class Reader(Person):
    """Somebody who has axe look at each page: in English on a wide screen by day, or in German on a phone by night."""

    def __init__(self, browser: Browser, server: Server, language: str) -> None:
        """Opens the browser."""
        super().__init__(browser, server.url, locale=language, reduced_motion="reduce", **WISHES[language])
        self.context.add_init_script(AXE_SCRIPT)
        self.language = language

    def findings(self) -> list[str]:
        """What axe finds in the page that is open."""
        found: list[str] = self.page.evaluate(RUN)
        return found

    def check(self, path: str = "") -> None:
        """Open a page, or stay on the one that is open, and fail if axe finds something there, or it is too wide."""
        if path:
            self.page.goto(path)
        expect(self.page.locator("html")).to_have_attribute("lang", self.language)
        found = self.findings()
        assert found == [], f"{self.page.url}:\n" + "\n".join(found)
        self.check_width()

    def check_width(self) -> None:
        """Fail if the page that is open is too wide; on a phone also for the smallest screen."""
        usual = WIDTHS[self.language]
        for width in (usual, NARROWEST) if self.language == "de" else (usual,):
            self.page.set_viewport_size({"width": width, "height": 740})
            wide = self.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{self.page.url} is {wide} wide on a screen of {width}."
        self.page.set_viewport_size({"width": usual, "height": 740})


@pytest.fixture(scope="module", params=WISHES)
def language(request: pytest.FixtureRequest) -> str:
    """The reader's language."""
    return str(request.param)


@pytest.fixture(scope="module")
def one_who_stays(language: str, browser: Browser, shared_server: Server) -> Iterator[Reader]:
    """Somebody for all tests in one language, as arriving costs seconds."""
    reader = Reader(browser, shared_server, language)
    yield reader
    reader.leave()


@pytest.fixture(scope="module")
def another_who_stays(language: str, browser: Browser, shared_server: Server) -> Iterator[Reader]:
    """Somebody else with the same language."""
    reader = Reader(browser, shared_server, language)
    yield reader
    reader.leave()


@pytest.fixture
def reader(one_who_stays: Reader) -> Iterator[Reader]:
    """Somebody whose pages have nothing to complain about in this test."""
    yield one_who_stays
    assert not one_who_stays.complaints, one_who_stays.complaints


@pytest.fixture
def another(another_who_stays: Reader) -> Iterator[Reader]:
    """Somebody else like that."""
    yield another_who_stays
    assert not another_who_stays.complaints, another_who_stays.complaints


def today() -> date:
    """The day in UTC; before there were games of a day, the first of them."""
    return max(FIRST, datetime.now(UTC).date())


def some_moves(id: str) -> list[str]:
    """A game to its end; of the puzzle one that is soon done."""
    if id == "sums-grid":
        return ["a1=1", "b1=3", "a2=2", "b2=7", "done"]
    game = quet.new(id, **SIZES.get(id, {}))
    while not game.is_over:
        game.play(next((move for move in game.legal_moves if move.endswith("!")), game.legal_moves[0]))
    return game.moves


def question(game: Game) -> str:
    """The end of an address that has a question open, or the first part of a score marked."""
    for square in game.scene().squares:
        if square.prompt or len(square.moves) > 1:
            return f"?square={square.name}"
    return "?item=0"


def test_axe_does_find_what_is_not_accessible(reader: Reader) -> None:
    reader.page.goto("/lobby")
    reader.page.evaluate("document.querySelector('h1').style = 'color: #777; background: #888'")
    assert any("color-contrast" in found for found in reader.findings())
    reader.page.evaluate("document.querySelector('h1').outerHTML = '<h1>Lobby</h1><button></button>'")
    assert any("button-name" in found for found in reader.findings())


def test_pages_of_a_game(game_id: str, reader: Reader) -> None:
    for page in ("new", "rules", "sheets", "paper"):
        reader.check(f"/{page}/{game_id}")
    reader.page.click(".paper-form button.primary")
    expect(reader.page.locator(".verdict")).to_be_visible()
    reader.check()
    reader.page.fill("#paper", "?")
    reader.page.click(".paper-form button.primary")
    expect(reader.page.locator("#paper-error")).to_be_visible()
    reader.forgive("422")
    reader.check()


def test_the_table_at_the_start_in_the_middle_and_at_the_end(game_id: str, reader: Reader) -> None:
    game, moves = quet.new(game_id, **SIZES.get(game_id, {})), some_moves(game_id)
    address = reader.create(game_id, **{f"parameter-{name}": value for name, value in SIZES.get(game_id, {}).items()})
    reader.check(address)
    reader.play(address, *moves[: len(moves) // 2])
    for move in moves[: len(moves) // 2]:
        game.play(move)
    reader.check(address + question(game))
    reader.check(address.replace("play", "study"))
    for ply, move in enumerate(moves[len(moves) // 2 :], 1 + len(moves) // 2):
        reader.post(f"{address}/move", ply=ply, move=move)
    reader.check(address)
    expect(reader.page.locator(".result")).to_be_visible()


@pytest.mark.parametrize("id", ("palindromes", "up-and-up"))
def test_the_study_board(id: str, reader: Reader) -> None:
    reader.check("/study")
    words = " ".join(f"{name}={value}" for name, value in SIZES[id].items())
    moves = " ".join(f"{ply}. {move}" for ply, move in enumerate(some_moves(id), 1))
    reader.check(f"/study?{urlencode({'game': id, 'parameters': words, 'moves': moves, 'at': '1', 'judge': '1'})}")
    expect(reader.page.locator("#analysis svg")).to_be_visible()
    expect(reader.page.locator(".best-line")).to_be_visible()  # on a slow machine perhaps an estimate
    reader.page.locator(".board .cell.is-legal .touch").last.click()
    expect(reader.page.locator(".tree [aria-current]")).to_be_visible()
    reader.page.locator("#comment-part summary").click()
    reader.check()


@pytest.mark.parametrize("id", ("palindromes", "up-and-up"))
def test_the_analysis_of_a_game(id: str, reader: Reader) -> None:
    address = reader.create(id, **{f"parameter-{name}": value for name, value in SIZES[id].items()})
    reader.play(address, *some_moves(id))
    reader.check(address.replace("play", "study"))
    expect(reader.page.locator("#analysis svg")).to_be_visible()
    reader.page.locator("#judged summary").click()
    reader.check()
    reader.page.get_by_role("navigation").last.get_by_role("link").first.click()
    reader.check()


def test_lessons(reader: Reader) -> None:
    for path in ("/learn", "/learn/divisors-multiples?step=1&square=4", "/learn/sums-grid?step=6&move=done"):
        reader.check(path)


def test_a_lesson_with_a_wrong_move_of_every_game(our_game_id: str, reader: Reader) -> None:
    lesson = catalog.get(our_game_id).lesson
    assert lesson is not None
    reader.check(f"/learn/{our_game_id}")
    number, wrong = next(
        (number, reply.moves[0])
        for number, step in enumerate(lesson.steps, 1)
        for reply in step.replies
        if not reply.is_right and reply.moves
    )
    reader.check(f"/learn/{our_game_id}?{urlencode({'step': number, 'move': wrong})}")


def test_a_puzzle_of_every_game_with_a_wrong_move_and_the_right_one(our_game_id: str, reader: Reader) -> None:
    puzzle = of(our_game_id)[0]
    wrong = next(move for move in puzzle.values if move not in puzzle.right)
    for query in ("", urlencode({"move": wrong}), urlencode({"move": puzzle.right[0]})):
        reader.check(f"/puzzles/{our_game_id}/{puzzle.id}?{query}")


def test_the_results_of_every_game_and_a_row(our_game_id: str, reader: Reader) -> None:
    reader.check(f"/results/{our_game_id}")
    reader.page.locator("main table a").last.click()
    reader.page.wait_for_url(f"**/results/{our_game_id}/*")
    reader.check()


def test_the_study_board_of_every_game_with_its_values(our_game_id: str, reader: Reader) -> None:
    game = quet.new(our_game_id, **SIZES.get(our_game_id, {}))
    for move in some_moves(our_game_id)[: -2 if our_game_id != "sums-grid" else 2]:
        game.play(move)
    words = " ".join(f"{name}={value}" for name, value in SIZES.get(our_game_id, {}).items())
    moves = " ".join(f"{ply}. {move}" for ply, move in enumerate(game.moves, 1))
    reader.page.goto(f"/study?{urlencode({'game': our_game_id, 'parameters': words, 'moves': moves})}")
    expect(reader.page.locator(".best-line")).to_be_visible()
    reader.check()


@pytest.mark.parametrize("id", [id for id in catalog.ids() if catalog.get(id).by_hand])
def test_a_position_that_is_set_up(id: str, reader: Reader) -> None:
    reader.check(f"/study/position?game={id}")
    reader.page.goto(f"/study/position?game={id}&act=nonsense")
    expect(reader.page.get_by_role("alert")).to_be_visible()
    reader.forgive("400")
    reader.check()


def test_the_beginning_of_a_study_with_an_example_and_with_nonsense(reader: Reader) -> None:
    reader.page.goto("/study")
    reader.page.select_option("#game", "blob")
    reader.page.locator("button[name=example]").click()
    expect(reader.page.locator("#position")).not_to_be_empty()
    reader.check()
    reader.page.fill("#position", "?")
    reader.page.locator("form:has(#position) button.primary").click()
    expect(reader.page.locator("#study-error")).to_be_visible()
    reader.forgive("422")
    reader.check()


def test_the_game_of_the_day_is_finished(reader: Reader) -> None:
    table = reader.post("/daily/" + str(today()), name="Ann")
    reader.check("/daily")
    reader.check(table)
    game = daily(today()).game()
    while not game.is_over:
        game.play(game.legal_moves[0])
    reader.play(table, *game.moves)
    reader.check(table)
    reader.check("/daily")
    expect(reader.page.locator("#shared")).to_be_visible()


def test_my_games_and_those_put_away_and_a_game_set_up_wrongly(reader: Reader) -> None:
    reader.play(reader.create("up-and-up", parameter_n=1), "a1")
    reader.create("up-and-up", parameter_n=2)
    reader.check("/mine")
    reader.page.locator("main form button").first.click()
    reader.check("/mine?away=1")
    reader.page.goto("/new/blob")
    reader.page.locator("main form").last.evaluate("form => form.noValidate = true")
    reader.page.fill("#parameter-n", "99")
    reader.page.click("main button.large")
    expect(reader.page.locator(".message.is-error")).to_be_visible()
    reader.forgive("422")
    reader.check()


def test_the_home_page_the_lists_and_errors(reader: Reader, another: Reader) -> None:
    ann, ben = reader, another
    for path in ("/", "/lobby", "/mine"):
        ann.check(path)
    waiting = ann.create("blob", "me", "open", public=1, clock="days")
    ann.play(ann.create("up-and-up", public=1, parameter_n=1), "a1")
    for path in ("/", "/lobby", "/mine"):
        ann.check(path)
        ben.check(path)
    ben.check(waiting)
    for path in ("/results", "/answers", "/proofs"):
        ann.check(path)
    ann.check("/puzzles")
    for path in ("/play/nothing", "/nothing", "/new/chess", "/rules/chess", "/race/nothing"):
        ann.check(path)
    ann.forgive("404")


def test_a_game_as_good_as_the_table_is_entered(reader: Reader) -> None:
    address = reader.create("up-and-up", parameter_n=2)
    *first, last = {"en": ("a1", "a2", "b2", "b1"), "de": ("b1", "b2", "a2", "a1")}[reader.language]
    reader.play(address, *first)
    reader.check(f"{address}?reachable=1")
    expect(reader.page.locator("#message")).to_contain_text("4")
    reader.post(f"{address}/move", ply=4, move=last)
    reader.check(address)
    reader.page.fill("#finder", f"Ann in {reader.language}")
    reader.page.click(".enter button")
    expect(reader.page.locator(".enter")).to_have_count(0)
    reader.check("/results/up-and-up")
    expect(reader.page.locator(".entered")).to_contain_text(f"Ann in {reader.language}")


def test_people_at_a_table(reader: Reader, another: Reader) -> None:
    ann, ben = reader, another
    address = ann.create("blob", "me", "link", clock="live", name="Ann")
    ann.check(address)
    invitation = ann.page.input_value("#invitation-2")
    ann.check(invitation)
    ben.check(invitation)
    ben.page.fill("#name", "Ben")
    ben.page.click("main button.large")
    ben.sees(1)
    ben.page.locator("#share summary").click()
    ben.check()
    ben.page.locator("#share form button").click()
    ben.page.wait_for_url("**/hand-over")
    ben.check()
    ann.post(f"{address}/draw", ply=1)
    ann.check(address)
    ben.check(address)
    expect(ben.page.locator(".result button")).to_have_count(2)
    ben.page.locator("#resign summary").click()
    ben.check()
    ben.page.locator("#resign button").click()
    ben.sees(3)
    ben.check()


def test_a_refusal_and_a_computer_that_thinks(reader: Reader) -> None:
    address = reader.create("palindromes", "me", "level:1", parameter_m=4)
    reader.page.goto(address)
    reader.page.fill("#typed", "9=1")
    reader.page.keyboard.press("Enter")
    expect(reader.page.locator("#message")).not_to_be_empty()
    reader.forgive("422")
    reader.check()
    reader.page.locator(".board button").first.click()
    reader.check()


def test_a_race(reader: Reader, another: Reader) -> None:
    ann, ben = reader, another
    race = ann.post("/new/up-and-up", race=1, parameter_n=1, name="Ann")
    ann.check(race)
    ben.check(race)
    ben.page.click("main button.large")
    ben.sees(1)
    ben.page.locator(".board button").click()
    ben.sees(2)
    ben.check()
    ben.check(race)
