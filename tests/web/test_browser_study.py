"""The study board in a real browser, on two sizes of screen, with and without scripts."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

import quet
from quet.knowledge.values import exact_values

from .browsing import Person
from .serving import Server
from .test_browser_learn import somebody

OTHERS = [pytest.param(name, marks=pytest.mark.long) for name in ("phone", "wide without scripts")]
STUDY = "/study?game=palindromes&parameters=m=4&moves=1.+1=0+2.+2=0+3.+3=0&at=1"


@pytest.fixture(scope="module", params=["wide", "phone without scripts", *OTHERS])
def student(request: pytest.FixtureRequest, browser: Browser, shared_server: Server) -> Iterator[Person]:
    person = somebody(browser, shared_server.url, request.param)
    yield person
    person.leave()


def test_a_position_is_stepped_through_tried_judged_linked_and_played_on(student: Person) -> None:
    page = student.page
    values = exact_values(quet.new("palindromes", m=4).after("1=0"))
    assert values
    page.goto(STUDY)
    has_script = page.locator(".has-script").count() > 0
    if has_script:
        page.evaluate("globalThis.stays = true")
    expect(page.get_by_text("This position is solved.")).to_be_visible()  # the analysis runs beside, and the page waits
    signs = page.locator("#board text.worth").all_text_contents()
    assert len(signs) == 3 and all(sign[0] in "+−=" for sign in signs), signs
    expect(page.locator(".values button.move")).to_have_count(len(values))

    where, tree = page.locator(".stepper .where"), page.locator(".tree")
    page.get_by_role("button", name="To the end").click()
    expect(where).to_contain_text("3 of 3")
    if has_script:
        page.keyboard.press("p")
    else:
        page.get_by_role("button", name="Previous move").click()
    expect(where).to_contain_text("2 of 3")
    page.locator("#board button[value='4=1']").click()
    expect(tree).to_have_text(re.compile(r"1\. Player 1: 1=0\s+2\..*2=0\s+3\..*3=0\s+\(\s*3\. Player 1: 4=1\s*\)"))
    expect(tree.locator("[aria-current=step]")).to_have_text("3. Player 1: 4=1")
    page.locator("#comment-part summary").click()
    page.fill("#comment", "or so")
    page.get_by_role("button", name="Keep the comment").click()
    expect(tree).to_contain_text("or so")
    link, line = page.locator("#link").input_value(), tree.inner_text()

    page.get_by_role("button", name="Judge every move").click()
    expect(page.locator("svg.plot .point")).to_have_count(4)
    page.locator("svg.plot .point[value='1']").click()
    expect(where).to_contain_text("1 of 3")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    if has_script:
        assert page.evaluate("globalThis.stays"), "no page was loaded"

    page.goto(link)
    expect(tree).to_have_text(line, use_inner_text=True)
    page.select_option("#opponent", "level:1")
    page.get_by_role("button", name="Play on from here").click()
    expect(page.get_by_text("played on from the study board")).to_be_visible()
    expect(page.locator(".moves li").nth(2)).to_contain_text("4=1")


def test_the_focus_stays_on_a_square_that_asks_which_move(person: Person) -> None:
    page = person.page
    page.goto("/study?game=divisors-multiples&parameters=r=3")
    person.tab_to(".board .touch")
    for key in ("Escape", "Enter"):
        page.keyboard.press("Enter")
        expect(page.locator("#ask button").first).to_be_focused()
        page.keyboard.press(key)
        expect(page.locator("#ask")).to_have_count(0)
        assert person.focused_square() == "2"
    expect(page.locator(".tree")).to_contain_text("1. Player 1: 2!")


def open_waiting(page: Page) -> None:
    """Open a study board that always says that something is still looked for, however fast it was found."""
    page.goto("/study?game=blob&parameters=n=3&moves=1.+b2&at=0")
    page.evaluate("""() => {
        const { fetch } = window;
        window.fetch = async (...sent) => {
            const text = await (await fetch(...sent)).text();
            return new Response(text.replace('<div id="study"', '<div id="study" data-waits'));
        };
    }""")
    page.get_by_role("button", name="To the end").click()
    expect(page.locator("#study[data-waits]")).to_have_attribute("data-link", re.compile("at=1"))


def test_what_is_typed_and_chosen_stays_while_the_board_waits(person: Person) -> None:
    page = person.page
    open_waiting(page)
    page.select_option("#opponent", "level:6")
    page.select_option("#side", "1")
    page.fill("#typed", "c3")
    page.locator("#comment-part summary").click()
    page.fill("#comment", "a long thought")
    for button in ("Keep the comment", "Try it", "Take this move and what follows it away"):
        page.get_by_role("button", name=button).focus()
        page.locator("#study").evaluate("board => board.classList.add('is-old')")
        expect(page.locator("#study.is-old")).to_have_count(0)
        expect(page.get_by_role("button", name=button)).to_be_focused()
    for field, value in (("opponent", "level:6"), ("side", "1"), ("typed", "c3"), ("comment", "a long thought")):
        expect(page.locator(f"#{field}")).to_have_value(value)


def test_what_is_chosen_from_a_list_while_a_step_is_on_its_way_stays(person: Person) -> None:
    page = person.page
    page.goto(STUDY)
    expect(page.get_by_text("This position is solved.")).to_be_visible()
    page.evaluate("""() => {
        const { fetch } = window;
        window.fetch = async (...sent) => {
            const answer = await fetch(...sent);
            await new Promise((go) => { window.go = go; });
            return answer;
        };
    }""")
    page.get_by_role("button", name="To the end").click()
    page.wait_for_function("() => Boolean(window.go)")
    page.select_option("#opponent", "level:6")
    page.evaluate("window.go()")
    expect(page.locator(".stepper .where")).to_contain_text("3 of 3")
    expect(page.locator("#opponent")).to_have_value("level:6")


def test_who_chooses_a_language_stays_at_the_move_and_at_the_step(person: Person) -> None:
    page = person.page
    page.goto(STUDY)
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".stepper .where")).to_contain_text("3 of 3")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator(".stepper .where")).to_contain_text("3 von 3")
    page.goto("/learn/blob?step=2")
    page.locator("#lesson .touch").first.press("Enter")
    expect(page.locator("#told")).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#told")).to_be_visible()


def test_a_printed_study_has_its_moves_and_nothing_that_only_a_screen_needs(person: Person) -> None:
    page = person.page
    page.goto(f"{STUDY}&judge=1")
    expect(page.locator("svg.plot")).to_be_visible()
    page.emulate_media(media="print")
    for shown in (".tree .move", ".values .move", ".best-line .move"):
        expect(page.locator(shown).first).to_be_visible()
    for hidden in ("#opponent", "#comment-part", ".if-script", ".stepper", "[data-print]", "#typed"):
        expect(page.locator(hidden).first).to_be_hidden()
    page.emulate_media(media="screen")


@pytest.mark.parametrize("length", [1, 5_000])
def test_a_language_and_the_way_back_lose_nothing_of_a_study(student: Person, length: int) -> None:
    page = student.page
    has_script = page.goto("/study") and page.locator(".has-script").count() > 0
    page.fill(
        "#record",
        f'[Game "blob"]\n[Rules "1"]\n[n "3"]\n[Result "*"]\n\n1. b2 {{{"so " * length}}} (1. a1 {{better}}) 2. b3\n*',
    )
    page.get_by_role("button", name="Study it").first.click()
    tree = page.locator(".tree")
    expect(tree).to_contain_text("better")
    line = tree.inner_text()
    if page.locator("#comment").is_hidden():
        page.locator("#comment-part summary").click()
    page.fill("#comment", "not kept yet")
    page.fill("#typed", "c1")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(tree).to_contain_text("not kept yet")
    expect(page.locator("#typed")).to_have_value("c1")
    assert tree.inner_text().replace("Spieler", "Player").replace(" not kept yet", "") == line
    if has_script:
        page.get_by_role("link", name="Regeln").first.click()
        expect(page).to_have_url(re.compile("/rules/"))
        page.go_back()
        for _ in range(2):
            expect(tree).to_contain_text("not kept yet")
            expect(tree).to_contain_text("better")
            expect(page.locator("#comment")).to_have_value("not kept yet")
            page.reload()
    page.get_by_role("button", name="English").click()
    expect(tree).to_contain_text("not kept yet")


MOVES = f"1. b2 {{{'so ' * 2_000}}} (1. a1 2. a2 3. b2) (1. c1) 2. b3"
RECORD = f'[Game "blob"]\n[Rules "1"]\n[n "3"]\n[Result "*"]\n\n{MOVES}\n*'


@pytest.fixture
def long_study(person: Person) -> Iterator[Page]:
    """A page with a study that no address can have, at a move of a variation."""
    page = person.page
    page.goto("/study")
    page.fill("#record", RECORD)
    page.get_by_role("button", name="Study it").first.click()
    page.locator(".tree .move", has_text="a2").click()
    expect(page.locator(".stepper .where")).to_contain_text("2 of 3")
    page.wait_for_function("() => history.state?.moves")
    yield page
    person.complaints = [complaint for complaint in person.complaints if "429" not in complaint]


def come_back_refused(page: Page) -> None:
    """Go back to the study, to a server that has too much to do just then."""
    refused = "<!DOCTYPE html><title>Wait</title><p class=lead>Too much was asked.</p>"
    page.goto("/rules/blob")
    page.route("**/study", lambda route: route.fulfill(status=429, content_type="text/html", body=refused), times=1)
    page.go_back()
    expect(page.locator("#message")).to_have_text("Too much was asked.")
    expect(page.locator(".tree")).not_to_contain_text("b2")


def type_move(page: Page, move: str) -> None:
    """Type a move and play it."""
    page.fill("#typed", move)
    page.press("#typed", "Enter")


ACTS: list[tuple[str, Callable[[Page], object], str, str]] = [
    ("a step", lambda page: page.keyboard.press("ArrowLeft"), "1 of 3", "a1"),
    ("a square", lambda page: page.locator("#board button[value='a3']").click(), "3 of 3", "a3"),
    ("a typed move", lambda page: type_move(page, "a3"), "3 of 3", "a3"),
    ("a move of the tree", lambda page: page.locator(".tree .move", has_text="a1").click(), "2 of 3", "a2"),
    ("a cut", lambda page: page.get_by_role("button", name="Take this move").click(), "2 of 3", "a2"),
    ("a language", lambda page: page.get_by_role("button", name="Deutsch").click(), "2 von 3", "a2"),
    ("loading again", lambda page: page.reload(), "2 of 3", "a2"),
]


@pytest.mark.parametrize(("act", "where", "move"), [pytest.param(*one[1:], id=one[0]) for one in ACTS])
def test_a_long_study_whose_way_back_was_refused_comes_back_with_the_next_act(
    long_study: Page, act: Callable[[Page], object], where: str, move: str
) -> None:
    page = long_study
    come_back_refused(page)
    act(page)
    expect(page.locator(".stepper .where")).to_contain_text(where)
    expect(page.locator(".tree [aria-current=step]")).to_contain_text(move)
    for _ in range(2):
        for part in ("b2", "so so", "c1", "b3"):
            expect(page.locator(".tree")).to_contain_text(part)
        expect(page.locator("#message")).to_have_count(0)
        page.reload()


def test_a_record_taken_after_the_way_back_was_refused_has_all(long_study: Page) -> None:
    come_back_refused(long_study)
    with long_study.expect_download() as download:
        long_study.get_by_role("button", name="(.quet)").click()
    text = download.value.path().read_text(encoding="utf-8")
    assert "{so so" in text and "c1" in text and "b3" in text


def test_a_link_within_the_page_keeps_a_long_study(long_study: Page) -> None:
    page, tree = long_study, long_study.locator(".tree")
    page.locator("a.skip").press("Enter")
    page.wait_for_function("() => history.state?.moves")
    page.reload()
    expect(tree).to_contain_text("so so")
    page.locator("a.skip").press("Enter")
    page.wait_for_function("() => history.state?.moves")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".stepper .where")).to_contain_text("1 of 3")
    page.go_back()
    page.wait_for_function("() => history.state?.moves")
    page.reload()
    expect(tree).to_contain_text("so so")
    expect(page.locator(".stepper .where")).to_contain_text("1 of 3")


@pytest.mark.parametrize("field", ["#side", "#typed"])
def test_the_board_looks_for_nothing_while_a_field_or_a_list_has_the_focus(person: Person, field: str) -> None:
    page = person.page
    open_waiting(page)
    page.locator(field).focus()
    does = """() => new Promise(done => {
        window.setTimeout = () => done("waits");
        window.fetch = () => done("looks");
    })"""
    assert page.evaluate(does) == "waits"


def test_letters_step_where_the_board_the_moves_or_nothing_has_the_focus(person: Person) -> None:
    page = person.page
    page.goto(STUDY)
    page.locator("summary").first.press("p")
    for here, key, at in (("#main", "n", 2), (".tree", "n", 3), (".board .touch", "p", 2), ("summary", "ArrowLeft", 1)):
        page.locator(here).first.press(key)
        expect(page.locator("#study")).to_have_attribute("data-link", re.compile(f"at={at}"))


def test_no_page_with_steps_or_results_is_wider_than_the_smallest_screen(
    browser: Browser, shared_server: Server
) -> None:
    """A screen of 1280 pixels that is enlarged four times has 320, and German words are the longest."""
    person = Person(browser, shared_server.url, locale="de", viewport={"width": 320, "height": 256})
    for path in ("/study?game=divisors-multiples", "/rules/up-and-up", "/results/plusses-minuses", "/results/blob/2"):
        person.page.goto(path)
        wide = person.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 320, f"{path} is {wide} wide."
    person.leave()


def test_a_finger_enlarges_a_board_with_small_squares(browser: Browser, shared_server: Server) -> None:
    finger = Person(
        browser, shared_server.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="en"
    )
    page = finger.page
    page.goto("/study?game=blob&parameters=n=12")
    # What moves are worth comes meanwhile and draws the board anew, so the square is looked for and measured at once.
    square_is = """([least, most]) => {
        const box = document.querySelector("[data-square='c10'] .mark")?.getBoundingClientRect();
        return box?.width >= least && box.width < most && box.toJSON();
    }"""
    small = page.wait_for_function(square_is, arg=[1, 40]).json_value()
    page.touchscreen.tap(small["x"] + small["width"] / 2, small["y"] + small["height"] / 2)
    expect(page.locator(".board-frame.is-zoomed")).to_have_count(1)
    large = page.wait_for_function(square_is, arg=[40, 400]).json_value()
    assert page.locator(".tree").count() == 0
    page.touchscreen.tap(large["x"] + large["width"] / 2, large["y"] + large["height"] / 2)
    expect(page.locator(".tree")).to_contain_text("c10")
    expect(page.locator(".board-frame.is-zoomed")).to_have_count(0)
    page.locator("[data-zoom]").tap()
    expect(page.locator("[data-zoom]")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    finger.leave()


LONG = "面白い手" * 250  # 9,000 characters in an address


def test_a_long_comment_is_no_part_of_an_address(student: Person) -> None:
    page = student.page
    page.goto(STUDY)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#comment-part summary").click()
    page.fill("#comment", LONG)
    page.get_by_role("button", name="Keep the comment").click()
    expect(page.locator(".tree")).to_contain_text(LONG)
    assert max(map(len, asked)) < 8_000


def test_a_comment_that_was_typed_is_kept_by_the_next_step(person: Person) -> None:
    page = person.page
    page.goto(STUDY)
    page.locator("#comment-part summary").click()
    page.fill("#comment", LONG)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".stepper .where")).to_contain_text("3 of 3")
    expect(page.locator(".tree")).to_contain_text(LONG)
    assert max(map(len, asked)) < 8_000


def test_a_record_has_the_comment_that_stands_in_its_field(person: Person) -> None:
    page = person.page
    page.goto(STUDY)
    page.locator("#comment-part summary").click()
    page.fill("#comment", "not kept yet")
    with page.expect_download() as saved:
        page.get_by_role("button", name="(.quet)").click()
    assert "1=0 {not kept yet}" in saved.value.path().read_text()


def test_an_answer_without_a_board_leaves_what_was_typed_and_is_told(person: Person) -> None:
    page = person.page
    page.goto(STUDY)
    page.locator("#comment-part summary").click()
    page.fill("#comment", "a thought")
    page.route("**/study?*", lambda route: route.fulfill(status=429, body="<p class='lead'>Too many requests.</p>"))
    page.get_by_role("button", name="To the end").click()
    expect(page.locator("#study #message")).to_have_text("Too many requests.")
    expect(page.locator("#comment")).to_have_value("a thought")
    page.unroute_all()
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".tree")).to_contain_text("a thought")
    person.forgive("429")
