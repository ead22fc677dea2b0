"""Several browsers at one table, lost connections, and how the pages look on a phone, by night and without motion."""

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Request, expect

import quet
from quet import catalog

from .browsing import Person, leave, replayed, result
from .serving import UNLIMITED, Server, WarmServer

UNREACHED = "The site can’t be reached just now. Perhaps what you sent last hasn’t arrived."
BACK = "The site can be reached again. If what you sent last doesn’t stand here, it hasn’t arrived."
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


def invite(ann: Person, ben: Person, id: str, **parameters: int) -> str:
    """Ann sets a game up for herself and a friend, Ben takes the seat by its link; the game's address."""
    address = ann.set_up(id, parameters, "me", "link", name="Ann")
    expect(ann.page.locator(".turn")).to_have_text("Waiting until every seat is taken.")
    ben.page.goto(ann.page.input_value("#invitation-2"))
    ben.page.fill("#name", "Ben")
    ben.page.get_by_role("button", name="Take the seat").click()
    for person in (ann, ben):
        person.sees(1)
    return address


def test_two_people_play_live_and_a_third_watches(people: list[Person]) -> None:
    ann, ben, cleo = people
    address = invite(ann, ben, "blob", n=3)
    cleo.page.goto(address)
    for person in people:
        person.page.evaluate("window.isSame = true")
    expect(cleo.page.get_by_text("You are watching")).to_be_visible()
    game, moves = quet.new("blob", n=3), ["b2", "b3", "a2", "c2"]
    for number, move in enumerate(moves, 1):
        mover, other = (ann, ben) if number % 2 else (ben, ann)
        expect(mover.page.locator(".turn")).to_have_text(game.goal)
        expect(other.page.locator(".turn")).to_have_text(f"{'Ann' if number % 2 else 'Ben'} is to move.")
        assert other.page.locator(".board .touch").count() == cleo.page.locator(".board .touch").count() == 0
        if number == 2:
            mover.page.locator(".cell[data-square=a1] .mark").click()
            expect(mover.page.locator("#bubble")).to_have_text("a1 is not beside a filled square.")
            mover.page.locator(".cell[data-square=b2]").press("Enter")
            expect(mover.page.locator("#bubble")).to_have_text("b2 is filled already.")
        mover.page.locator(f".board button[value={move}]").click()
        game.play(move)
        for person in people:
            person.sees(1 + number)
            label = person.page.locator(f".cell[data-square={move}]").get_attribute("aria-label")
            assert label and label.endswith("filled, the last move")
    for person in (ann, cleo):
        expect(person.page.locator("#announcements")).to_contain_text("Ben played c2.")
    for person in people:
        assert person.page.evaluate("window.isSame"), "The page was loaded anew."
    again = replayed(cleo.record())
    for reader, person in enumerate((cleo, ann, ben)):
        expect(person.page.locator(".turn")).to_have_text(result(again, "Ann", "Ben", reader=reader))
    assert again.moves == moves and ann.scores() == ben.scores() == again.scores


def test_who_plays_for_all_is_asked_before_a_draw_ends_the_game(people: list[Person]) -> None:
    ann, _ben, _cleo = people
    ann.set_up("blob", {"n": 4}, "me", "me")
    expect(ann.page.locator("#ask-draw")).to_have_text("Agree to a draw")
    assert ann.page.get_by_role("button", name="Offer a draw").count() == 0
    expect(ann.page.locator("#draw button")).to_be_hidden()
    ann.page.locator("#ask-draw").click()
    ann.page.locator("#draw button").click()
    expect(ann.page.locator(".turn")).to_have_text("Player 1 and player 2 share the win: a draw by agreement.")
    expect(ann.page.locator("#announcements")).not_to_contain_text("offers")


def test_a_draw_and_taking_back_are_offered_and_answered_and_who_resigns_loses(people: list[Person]) -> None:
    ann, ben, cleo = people
    cleo.page.goto(invite(ann, ben, "palindromes", m=4))
    ann.page.locator(".board button[value='1=0']").click()
    ben.sees(2)
    ben.page.get_by_role("button", name="Offer a draw").click()
    expect(cleo.page.locator(".result")).to_have_text("Ben offers a draw.")
    expect(ann.page.locator(".result p")).to_have_text("Ben offers a draw.")
    ann.page.get_by_role("button", name="Decline").click()
    ben.sees(4)
    expect(ben.page.locator(".result")).to_have_count(0)
    ann.page.get_by_role("button", name="Ask to take back").click()
    ben.page.get_by_role("button", name="Accept").click()
    for person in people:
        person.sees(6)
        expect(person.page.locator(".moves li")).to_have_count(0)
    ann.page.locator(".board button[value='4=1']").click()
    ben.sees(7)
    ben.page.get_by_text("Resign", exact=True).first.click()
    ben.page.locator("#resign button").click()
    told = ("You win: Ben resigned.", "You lose against Ann: you resigned.", "Ann wins: Ben resigned.")
    for person, words in zip(people, told, strict=True):
        expect(person.page.locator(".turn")).to_have_text(words)
    record = ann.record()
    assert (record.game.moves, record.result) == (["4=1"], "won:1")
    assert record.termination is not None and record.termination.reason == "player 2 resigned"


def test_the_keyboard_keeps_its_place_and_a_watcher_stays_at_an_earlier_position(people: list[Person]) -> None:
    ann, cleo, _ = people
    address = ann.create("blob", parameter_n=3)
    ann.play(address, "b2", "b3", "a2")
    for person in (ann, cleo):
        person.page.goto(address)
        person.page.locator("#move-1").press("Enter")
        expect(person.page.locator(".turn")).to_contain_text("The board after move 1.")
        expect(person.page.locator("#move-1")).to_be_focused()
    ann.page.get_by_role("link", name="Back to now").press("Enter")
    expect(ann.page.locator("#turn")).to_be_focused()
    ann.page.get_by_role("button", name="Take back").press("Enter")
    for person in (ann, cleo):
        person.sees(5)
    expect(ann.page.locator("#undo")).to_be_focused()
    ann.post(f"{address}/move", ply=5, move="c2")
    cleo.sees(6)
    expect(cleo.page.locator(".turn")).to_contain_text("The board after move 1.")
    expect(cleo.page.locator("#move-1")).to_be_focused()
    ann.sees(6)
    ann.page.locator("#move-1").click()
    expect(ann.page.locator(".turn")).to_contain_text("The board after move 1.")
    ann.post(f"{address}/move", ply=6, move="c1")
    ann.sees(7)
    expect(ann.page.locator(".turn")).not_to_contain_text("The board after")


def test_news_leave_the_focus_on_a_button_and_what_was_typed(people: list[Person]) -> None:
    ann, ben, cleo = people
    address = ann.create("divisors-multiples", "me", "open", "open", "open", parameter_players=4)
    cleo.page.goto(address)
    cleo.page.fill("#seat-name", "Cleo")
    sit_down = cleo.page.get_by_role("button", name="Sit down and play")
    sit_down.focus()
    ben.post(f"{address}/seat", player=3, name="Ben")
    expect(cleo.page.locator(".players")).to_contain_text("Ben")
    expect(sit_down).to_be_focused()
    expect(cleo.page.locator("#seat-name")).to_have_value("Cleo")
    address = ann.create("plusses-minuses", parameter_n=3)
    ann.page.goto(address)
    ann.page.fill("#typed", "-")
    ann.page.locator("#ask-resign").click()
    for ply, button in enumerate((".choices button >> nth=1", ".typed button", "#resign button"), 1):
        ann.page.locator(button).focus()
        ann.post(f"{address}/move", ply=ply, move="+")
        ann.sees(ply + 1)
        expect(ann.page.locator(button)).to_be_focused()
        expect(ann.page.locator("#typed")).to_have_value("-")


@pytest.mark.long
def test_a_draw_is_agreed_and_both_go_on_to_the_rematch(people: list[Person]) -> None:
    ann, ben, _ = people
    invite(ann, ben, "blob", n=3)
    ann.page.get_by_role("button", name="Offer a draw").click()
    ben.page.get_by_role("button", name="Accept").click()
    for person, other in ((ann, "Ben"), (ben, "Ann")):
        expect(person.page.locator(".turn")).to_have_text(f"You and {other} share the win: a draw by agreement.")
    before = ann.page.url
    ann.page.get_by_role("button", name="Rematch").click()
    ann.page.wait_for_url(lambda url: url != before)
    ben.page.get_by_role("button", name="Go to the rematch").click()
    ben.page.wait_for_url(ann.page.url)
    ben.page.locator(".board button[value=a1]").click()  # who was second begins now
    ann.sees(2)
    expect(ann.page.locator(".turn")).to_contain_text("You want good columns")


@pytest.mark.long
def test_after_the_server_was_killed_everybody_is_connected_again_and_nothing_is_lost(
    browser: Browser, tmp_path: Path, sqlite_url: str
) -> None:
    server = WarmServer(tmp_path, sqlite_url, **UNLIMITED)
    ann, ben = Person(browser, server.url), Person(browser, server.url)
    address = invite(ann, ben, "blob", n=3)
    ann.page.locator(".board button[value=a1]").click()
    ben.sees(2)
    server.kill()
    for person in (ann, ben):
        expect(person.page.locator("#connection")).to_be_visible()
    ben.page.locator(".board button[value=a2]").click()
    expect(ben.page.locator("#message")).to_have_text(UNREACHED)
    server.start_again()
    for person in (ann, ben):
        expect(person.page.locator("#connection")).to_be_hidden()
        person.forgive("net::ERR_")
    expect(ben.page.locator("#message.is-error")).to_have_count(0)
    expect(ben.page.locator("#message")).to_have_text(BACK)
    assert (ben.num_rows, ben.moves()) == (2, ["a1"])
    ben.page.locator(".board button[value=a2]").click()
    ann.sees(3)
    ann.page.goto(address)
    assert ann.moves() == ["a1", "a2"]
    leave([ann, ben])
    server.stop()


@pytest.mark.parametrize("way_out", ["Cancel", "Escape"])
def test_who_takes_a_question_back_without_a_connection_is_told(person: Person, way_out: str) -> None:
    page = person.page
    page.goto(f"{person.create('palindromes', parameter_m=4)}?square=3")
    page.route(re.compile("/table[?]since"), lambda route: route.abort(), times=1)
    with page.expect_console_message(lambda message: "ERR_FAILED" in message.text):
        if way_out == "Cancel":
            page.locator("#ask [data-close]").click()
        else:
            page.locator("#ask button").first.press("Escape")
    expect(page.locator("#message")).to_have_text(BACK)
    person.forgive("ERR_FAILED")


@pytest.mark.long
def test_a_look_that_failed_is_taken_again(people: list[Person]) -> None:
    ann, ben, _ = people
    invite(ann, ben, "blob", n=3)
    ben.page.route("**/table?*", lambda route: route.abort(), times=1)
    ann.page.locator(".board button[value=a1]").click()
    expect(ben.page.locator("#connection")).to_be_visible()
    ben.sees(2)
    expect(ben.page.locator("#connection")).to_be_hidden()
    ben.forgive("net::ERR_")


SEEN_OR_NOT = """
    let isHidden = false;
    const EventSource = globalThis.EventSource;
    globalThis.streams = [];
    globalThis.EventSource = class extends EventSource {
      constructor(...words) { super(...words); streams.push(this); }
      addEventListener(type, hear) { super.addEventListener(type, (event) => { if (!this.isDead) hear(event); }); }
    };
    globalThis.die = () => { for (const stream of streams) stream.isDead = true; };
    globalThis.numStreams = () => streams.filter((one) => one.readyState !== EventSource.CLOSED).length;
    Object.defineProperty(document, "hidden", { get: () => isHidden });
    globalThis.hide = (wish) => { isHidden = wish; document.dispatchEvent(new Event("visibilitychange")); };
"""  # a browser without a screen shows all tabs at once


def test_of_hidden_tabs_only_the_one_that_was_left_last_keeps_its_stream(person: Person) -> None:
    address = person.create("blob", parameter_n=3)
    tabs = [person.page, person.context.new_page()]
    for tab in tabs:
        tab.add_init_script(SEEN_OR_NOT)
        tab.goto(address)
        tab.wait_for_function("() => numStreams() === 1")
    first, last = tabs
    for tab in tabs:
        tab.evaluate("hide(true)")
        # The first must hold the lock before the second asks for it, or its question may come last.
        tab.wait_for_function("async () => (await navigator.locks.query()).held.length === 1")
    first.wait_for_function("() => numStreams() === 0")
    person.play(address, "b2")
    expect(last.locator("#table")).to_have_attribute("data-ply", "2")
    assert last.evaluate("numStreams()") == 1 and person.num_rows == 1
    first.evaluate("hide(false)")
    person.sees(2)
    expect(first.locator("#connection")).to_be_hidden()
    person.post(f"{address}/move", ply=2, move="b3")
    person.sees(3)
    assert first.evaluate("streams.length") == 2
    last.close()


def test_a_stream_that_died_in_silence_is_noticed(browser: Browser, shared_server: Server, person: Person) -> None:
    ann, ben = Person(browser, shared_server.url), person
    ann.page.add_init_script(SEEN_OR_NOT)
    ann.page.clock.install()
    address = ann.create("blob", parameter_n=4)
    ann.page.goto(address)
    ann.page.wait_for_function("() => numStreams() === 1")
    for _ in range(3):
        ann.page.clock.fast_forward(40_000)
        ann.page.evaluate("streams[0].dispatchEvent(new Event('beat'))")
    ann.page.clock.fast_forward(40_000)
    assert ann.page.evaluate("streams.length") == 1
    happened = ("b2", ""), ("b3", "dispatchEvent(new Event('online'))"), ("a2", "hide(true); hide(false)")
    for ply, (move, event) in enumerate(happened, 1):
        ann.page.evaluate("die()")
        ann.post(f"{address}/move", ply=ply, move=move)
        ben.page.goto(address)
        ben.sees(1 + ply)
        assert ann.num_rows == ply
        if event:
            ann.page.evaluate(event)
        else:
            ann.page.clock.fast_forward(10_000)
        ann.sees(1 + ply)
    expect(ann.page.locator("#connection")).to_be_hidden()
    ann.leave()


def test_who_is_refused_a_stream_looks_for_news(browser: Browser, shared_server: Server, person: Person) -> None:
    ann, ben = Person(browser, shared_server.url), person
    ann.page.route("**/events?*", lambda route: route.fulfill(status=429))
    ann.page.clock.install()
    address = ben.create("blob", parameter_n=3)
    ann.page.goto(address)
    for ply, move in enumerate(("b2", "b3"), 1):
        ben.post(f"{address}/move", ply=ply, move=move)
        ann.page.clock.run_for(11_000)
        ann.sees(1 + ply)
    expect(ann.page.locator("#connection")).to_be_hidden()
    expect(ann.page.locator("#announcements")).to_have_text("Player 1 played b2.Player 2 played b3.")
    ann.page.route("**/table?*", lambda route: route.abort())
    ann.page.clock.run_for(11_000)
    expect(ann.page.locator("#connection")).to_be_visible()
    expect(ann.page.locator("#announcements")).to_contain_text("The connection is lost; trying again.")
    ann.page.unroute("**/table?*")
    ann.page.clock.run_for(11_000)
    expect(ann.page.locator("#connection")).to_be_hidden()
    expect(ann.page.locator("#announcements")).to_contain_text("The connection is there again.")
    ann.forgive("429")
    ann.forgive("net::ERR_")
    ann.leave()


def test_a_move_without_an_answer_is_waited_for_no_longer_and_is_played_once(
    browser: Browser, shared_server: Server
) -> None:
    person = Person(browser, shared_server.url)
    page = person.page
    page.add_init_script(
        "const within = AbortSignal.timeout; AbortSignal.timeout = () => within.call(AbortSignal, 500);"
    )
    page.goto(person.create("palindromes", parameter_m=4))
    page.route("**/move", lambda _route: None, times=1)  # a connection that is dead
    page.fill("#typed", "1=0")
    page.keyboard.press("Enter")
    expect(page.locator("#message")).to_have_text(BACK)
    assert person.num_rows == 1
    page.route("**/move", lambda route: [route.fetch()], times=1)  # one that dies before the answer
    page.keyboard.press("Enter")
    person.sees(2)
    expect(page.locator("#message")).to_have_text(BACK)
    page.keyboard.press("Enter")
    expect(page.locator("#message")).to_have_text("Square 1 holds a 0 already.")
    assert person.moves() == ["1=0"]
    person.forgive("422")
    person.leave()


def test_every_move_of_quick_players_is_told_in_order(people: list[Person]) -> None:
    ann, ben, _ = people
    address = ann.create("convoluted-coprimality", "me", "level:1", "level:1", "level:1", parameter_players=4)
    for person in (ann, ben):
        person.page.goto(address)
        person.page.evaluate(HEARD)
    for _ in range(3):
        if ann.is_to_move():
            rows = ann.num_rows
            ann.page.fill("#typed", (ann.page.get_attribute("#typed", "placeholder") or "").removeprefix("as "))
            ann.page.keyboard.press("Enter")
            expect(ann.table).not_to_have_attribute("data-ply", str(rows))
    ann.is_to_move()
    rows = ann.num_rows
    ben.sees(rows)
    for person in (ann, ben):
        told = " ".join(person.page.evaluate("heard"))
        assert re.findall(r"played ([a-z]\d+)", told) == person.moves()


HEARD = """
    globalThis.heard = [];
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) heard.push(node.textContent);
    }).observe(document.querySelector("#announcements"), { childList: true, subtree: true });
"""  # as a screen reader does


@pytest.mark.long
def test_a_solitaire_is_raced_by_two(people: list[Person]) -> None:
    ann, ben, _ = people
    ann.fill_in("up-and-up", {"n": 2})
    ann.page.get_by_label("A race").check()
    ann.page.fill("#name", "Ann")
    ann.page.click("main button.large")
    ann.page.wait_for_url("**/race/*")
    ben.page.goto(ann.page.url)
    ben.page.fill("#name", "Ben")
    ben.page.get_by_role("button", name="Join the race").click()
    ben.page.wait_for_url("**/play/*")
    ann.page.get_by_role("link", name="Play on").click()
    for person, moves in ((ann, ("a1", "a2", "b2", "b1")), (ben, ("a1", "b1", "b2", "a2"))):
        assert person.page.locator(".table-head .note").inner_text().startswith("2 by 2")
        for num_rows, move in enumerate(moves, 1):
            person.sees(num_rows)
            person.page.locator(f".board button[value={move}]").click()
        expect(person.page.locator(".turn strong")).to_have_text("The final score is 4.")
        person.page.get_by_role("link", name="The race", exact=True).click()
    rows = ben.page.locator(".ranking tbody tr")
    expect(rows).to_have_count(2)
    assert sorted(row.split()[:2] for row in rows.all_inner_texts()) == [["1", "Ann"], ["1", "Ben"]]  # a shared place
    expect(ann.page.locator(".ranking td", has_text="Look")).to_have_count(2)  # the list comes up to date by itself


# How it looks.


@pytest.mark.long
def test_no_page_is_wider_than_a_phone(browser: Browser, shared_server: Server) -> None:
    """The pages of other games, and those in German, with its longer words, are looked at in test_axe.py."""
    person = Person(browser, shared_server.url, **PHONE)
    blob = person.create("blob", "me", "link", "me", public=1)
    paths = ["/", "/lobby", "/mine", blob, "/play/nothing"]
    paths.append(person.post("/new/up-and-up", race=1, parameter_n=3, name="Somebody with a long name"))
    paths += [*(f"/{page}/blob" for page in ("new", "rules", "sheets", "paper")), *map(person.create, catalog.ids())]
    for path in paths:
        person.page.goto(path)
        wide = person.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 360, f"{path} is {wide} wide."
    person.forgive("404")
    person.leave()


def test_a_long_name_without_a_blank_makes_no_page_wider_than_the_narrowest_screen(
    browser: Browser, shared_server: Server, person: Person
) -> None:
    ann, ben, name = person, Person(browser, shared_server.url, locale="de", **PHONE), "W" * 40
    ben.page.set_viewport_size({"width": 320, "height": 640})
    waiting = ann.create("palindromes", "me", "open", public=1, name=name)
    ben.post(f"{waiting}/seat", player=2, name=name)
    asks = ann.create("blob", "me", "link", name=name, clock="live")
    ann.page.goto(asks)
    ann.create("palindromes", "me", "open", public=1, name=name)
    watched = ann.create("divisors-multiples", "me", "me", "me", parameter_players=3, public=1, name=name)
    ann.play(watched, "4!")
    paths = ["/", "/lobby", "/mine", waiting, asks, ann.page.input_value("#invitation-2"), watched]
    paths += [waiting.replace("play", "study"), watched.replace("play", "study")]
    paths.append(ann.post("/new/up-and-up", race=1, parameter_n=3, name=name))
    ann.post(f"{waiting}/resign", ply=1)
    for path in [*paths, waiting]:
        ben.page.goto(path)
        wide = ben.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 320, f"{path} is {wide} wide."
    ben.leave()


def test_fingers_play_on_a_phone_what_they_hit_is_large_enough_and_a_value_comes_first_or_last(
    browser: Browser, shared_server: Server
) -> None:
    person = Person(browser, shared_server.url, **PHONE)
    page = person.page

    def tap(square: str) -> None:
        page.locator(f".cell[data-square='{square}']").tap()

    def smallest(selector: str) -> float:
        boxes = page.locator(selector).evaluate_all("all => all.map(one => one.getBoundingClientRect())")
        return float(min(min(box["width"], box["height"]) for box in boxes))

    page.goto(person.create("blob", parameter_n=8))
    tap("b2")  # too small for a finger: the board is enlarged there
    expect(page.locator(".board-frame.is-zoomed")).to_have_count(1)
    assert smallest(".board .mark") >= 40 and person.num_rows == 1
    tap("b2")
    person.sees(2)
    expect(page.locator(".board-frame.is-zoomed")).to_have_count(0)
    assert person.moves() == ["b2"]

    page.goto(person.create("palindromes", parameter_m=16))
    page.locator("[data-zoom]").tap()
    assert smallest(".board .mark") >= 40 and smallest(".strip .button") >= 40
    tap("7")
    assert smallest("#bubble button") >= 40
    page.locator("#bubble button[value='7=1']").tap()
    person.sees(2)
    expect(page.locator(".board-frame.is-zoomed")).to_have_count(1)
    page.locator("[data-value='=0']").tap()
    tap("8")
    person.sees(3)
    tap("9")
    person.sees(4)
    assert person.moves() == ["7=1", "8=0", "9=0"]

    page.goto(person.create("sums-grid", parameter_n=2))
    page.locator("[data-zoom]").tap()
    tap("a1")
    for digit in "12":
        page.locator(f"[data-digit='{digit}']").tap()
    expect(page.locator(".board .draft")).to_have_text("12")
    page.get_by_role("button", name="Write", exact=True).tap()
    person.sees(2)
    page.goto(page.url)
    page.locator("[data-zoom]").tap()
    page.locator("[data-digit='7']").tap()
    tap("b2")
    person.sees(3)
    assert person.moves() == ["a1=12", "b2=7"] and smallest(".keypad button") >= 40
    person.leave()


def test_a_value_is_chosen_by_the_space_bar_as_buttons_are(person: Person) -> None:
    person.page.goto(person.create("palindromes", parameter_m=6))
    value = person.page.locator("[data-value='=1']")
    value.press("Space")
    expect(value).to_have_attribute("aria-pressed", "true")
    assert person.page.evaluate("scrollY") == 0
    value.press("Space")
    expect(value).to_have_attribute("aria-pressed", "false")


def test_a_tone_tells_of_a_move_where_one_wants_it(person: Person) -> None:
    page = person.page
    page.add_init_script(
        "window.tones = []; const make = AudioContext.prototype.createOscillator;"
        "AudioContext.prototype.createOscillator = function () { tones.push(1); return make.call(this); }"
    )
    page.goto(person.create("blob", parameter_n=3))
    page.locator(".board button[value=a1]").click()
    person.sees(2)
    switch = page.locator("[data-sound]")
    expect(switch).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("tones.length") == 0
    switch.click()
    page.goto(page.url)
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.locator(".board button[value=a2]").click()
    person.sees(3)
    assert page.evaluate("tones.length") == 1
    switch.click()
    page.locator(".board button[value=a3]").click()
    person.sees(4)
    assert page.evaluate("tones.length") == 1


def test_the_site_is_dark_where_the_reader_wants_it_dark(person: Person) -> None:
    colours = {}
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        person.page.emulate_media(color_scheme=scheme)
        person.page.goto(person.create("blob", parameter_n=3))
        colours[scheme] = [
            brightness(person.page.locator(selector).first.evaluate(f"one => getComputedStyle(one).{name}"))
            for selector, name in (
                ("body", "backgroundColor"),
                (".card", "backgroundColor"),
                (".board .quet-auto-square", "fill"),
                ("body", "color"),
                (".board .quet-auto-muted", "fill"),
            )
        ]
    assert all(light > 200 > 80 > dark for light, dark in list(zip(*colours.values(), strict=True))[:3])
    assert all(light < 130 < dark for light, dark in list(zip(*colours.values(), strict=True))[3:])


def brightness(colour: str) -> float:
    """The brightness of a computed colour, from 0 to 255."""
    red, green, blue = re.findall(r"\d+", colour)[:3]
    return 0.299 * int(red) + 0.587 * int(green) + 0.114 * int(blue)


@pytest.mark.parametrize(("motion", "animation"), (("no-preference", "appear"), ("reduce", "none")))
def test_nothing_moves_where_the_reader_wants_no_motion(
    person: Person, motion: Literal["no-preference", "reduce"], animation: str
) -> None:
    person.page.emulate_media(reduced_motion=motion)
    person.page.goto(person.create("blob", parameter_n=3))
    person.page.locator(".board button[value=b2]").click()
    new = person.page.locator(".picture .is-new").first
    expect(new).to_have_css("animation-name", animation)
    person.page.goto("/")
    shown = person.page.locator(".living img").first
    person.page.wait_for_function("one => one.complete && one.naturalWidth > 0", arg=shown.element_handle())
    assert ("kind=still" in shown.evaluate("one => one.currentSrc")) == (motion == "reduce")


def test_the_home_page_comes_in_eight_requests_and_120_kilobytes(browser: Browser, shared_server: Server) -> None:
    person = Person(browser, shared_server.url)  # with nothing in its cache
    answers: list[Request] = []
    person.page.on("requestfinished", lambda request: answers.append(request))
    person.page.goto("/", wait_until="networkidle")
    sizes = [answer.sizes() for answer in answers]
    assert 5 <= len(answers) <= 8, [answer.url for answer in answers]
    assert sum(size["responseHeadersSize"] + size["responseBodySize"] for size in sizes) < 120_000
    shown = person.page.evaluate("[...document.images].filter(one => one.complete && one.naturalWidth).length")
    assert shown == len(catalog.ids()) + 1
    answers.clear()
    person.page.goto("/lobby", wait_until="networkidle")
    assert [answer.sizes()["responseBodySize"] > 0 for answer in answers].count(True) == 1  # the rest was kept
    person.leave()
