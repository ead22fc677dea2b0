"""Whole games in a real browser: each of the eight by mouse, some by keyboard alone, one without scripts."""

import random
from urllib.parse import urlsplit

from playwright.sync_api import Browser, expect

import quet
from quet.game import Game

from .browsing import Person, replayed, result
from .serving import Server

SIZES: dict[str, dict[str, int]] = {
    "blob": {"n": 3},
    "convoluted-coprimality": {"n": 3, "players": 3, "grids": 2},
    "divisors-multiples": {"r": 5},
    "palindromes": {"m": 5},
    "plusses-minuses": {"n": 3},
    "sequence-ascension": {"n": 3},
    "sums-grid": {"n": 2},
    "up-and-up": {"n": 3},
}


def moves_of(id: str) -> list[str]:
    """A short whole game."""
    if id == "sums-grid":
        return ["a1=1", "b1=5", "a2=3", "a2=2", "b1=", "b1=3", "b2=7", "done"]
    for seed in range(20):
        game, chance = quet.new(id, **SIZES.get(id, {})), random.Random(seed)
        while not game.is_over and game.ply < 20:
            game.play(chance.choice(game.legal_moves))
        if game.is_over:
            return game.moves
    raise AssertionError("No game is short.")


def check_end(person: Person, game: Game, moves: list[str]) -> None:
    """The table shows the end of the game, and the record that can be taken away tells the same."""
    expect(person.page.locator(".turn strong")).to_have_text(result(game))
    assert person.scores() == game.scores
    assert person.page.locator(".board .touch").count() == 0
    again = replayed(person.record())
    assert (again.id, again.moves, again.is_over, again.scores) == (game.id, moves, True, game.scores)


BELOW = """
    () => Math.max(...[...document.querySelectorAll(".board, .choices button")]
      .map((element) => element.getBoundingClientRect().bottom)) - window.innerHeight
"""  # how far what a move needs goes below the edge of the window


def test_a_whole_game_is_played_by_clicks(game_id: str, person: Person) -> None:
    moves, game = moves_of(game_id), quet.new(game_id, **SIZES.get(game_id, {}))
    person.set_up(game_id, SIZES.get(game_id, {}), *["me"] * game.num_players if game.num_players > 1 else [])
    person.page.evaluate("window.isSame = true")
    assert person.page.evaluate(BELOW) <= 0
    for num_rows, move in enumerate(moves, 1):
        person.sees(num_rows)
        person.press(game, move)
        game.play(move)
    person.sees(1 + len(moves))
    assert person.page.evaluate("window.isSame"), "The page was loaded anew."
    check_end(person, game, moves)


def test_a_whole_game_is_played_against_the_computer(person: Person) -> None:
    person.set_up("blob", {"n": 3}, "me", "level:1")
    while person.is_to_move():
        num_rows = person.num_rows
        person.page.locator(".board button.touch").first.click()
        expect(person.table).not_to_have_attribute("data-ply", str(num_rows))
    again = replayed(person.record())
    person.page.go_back()
    told = result(again, "player 1", "the computer (level 1)", reader=1)
    expect(person.page.locator(".turn strong")).to_have_text(told)
    assert again.is_over and person.scores() == again.scores


def test_a_whole_game_is_played_by_keyboard_alone(person: Person) -> None:
    page, keys = person.page, person.page.keyboard
    page.goto("/new/plusses-minuses")
    person.tab_to("#parameter-n")
    keys.press("Control+A")
    keys.type("3")
    person.tab_to("#seat-2")
    keys.press("Home")
    person.tab_to("#name")
    keys.type("Ann")
    keys.press("Enter")
    person.sees(1)
    signs, squares = ["+", "-", "-", "+"], ["b1", "c3", "a2"]
    for num_rows, sign in enumerate(signs, 1):
        person.sees(num_rows)
        keys.press(sign)
    person.sees(5)
    person.tab_to(".board .touch")
    person.walk_to("b1")
    keys.press("Enter")
    person.sees(6)
    assert person.focused_square() == "b1", "The focus stays where it was."
    person.walk_to("c3")
    keys.press("Enter")
    person.sees(7)
    keys.press("m")
    keys.type("a3")
    keys.press("Enter")
    expect(page.locator("#message")).to_have_text("a3 is in row 3, which has a filled square already.")
    person.forgive("422")
    keys.press("Control+A")
    keys.type("a2")
    keys.press("Enter")
    person.sees(8)
    game = quet.new("plusses-minuses", n=3)
    for move in (*signs, *squares):
        game.play(move)
    expect(page.locator(".turn strong")).to_have_text(result(game, "Ann (player 1)", "Ann (player 2)"))
    assert person.scores() == game.scores
    person.tab_to("main a[href^='/study/']")
    keys.press("Enter")
    record = person.downloaded()
    assert (record.game.moves, record.result) == ([*signs, *squares], "-".join(map(str, game.scores)))


def test_enter_writes_digits_in_the_square_in_which_they_stand(person: Person) -> None:
    page, keys, asked = person.page, person.page.keyboard, person.page.locator(".board .cell.is-asked")
    page.goto(person.create("sums-grid", parameter_n=2))
    person.tab_to(".board .touch")
    person.walk_to("a2")
    keys.press("9")
    keys.press("ArrowRight")
    expect(page.locator(".board .draft")).to_have_text("9")
    expect(asked).to_have_attribute("data-square", "b2")
    keys.press("Enter")
    person.sees(2)
    assert person.moves() == ["b2=9"]


def test_no_number_is_cut_and_written_as_another(person: Person) -> None:
    page, keys = person.page, person.page.keyboard
    page.goto(person.create("sums-grid", parameter_n=2))
    person.tab_to(".board .touch")
    keys.type("100000000012")
    keys.press("Enter")
    expect(page.locator("#bubble")).to_contain_text("10000000001 is too large; numbers go up to 1000000000.")
    keys.press("Escape")
    keys.press("Escape")
    keys.type("1000000000")
    keys.press("Enter")
    person.sees(2)
    assert person.moves() == ["a2=1000000000"]
    person.forgive("422")


def test_long_moves_are_listed_whole(person: Person) -> None:
    address = person.create("sums-grid", parameter_n=2)
    person.play(address, "a1=1", "b1=1000000000", "a2=2", "b2=7", "done")
    for width in (1280, 360):
        person.page.set_viewport_size({"width": width, "height": 800})
        person.page.goto(address)
        expect(person.page.locator(".moves li").last).to_contain_text("done (finish the grid)")
        parts = person.page.locator(".moves li, .moves li a")
        assert parts.evaluate_all("parts => parts.every((one) => one.scrollWidth <= one.clientWidth)")
    person.page.set_viewport_size({"width": 1280, "height": 720})


def test_the_puzzle_is_filled_in_by_keyboard_alone(person: Person) -> None:
    keys, draft = person.page.keyboard, person.page.locator(".board .draft")
    person.page.goto(person.create("sums-grid", parameter_n=2))
    person.tab_to(".board .touch")
    for num_rows, (square, number) in enumerate([("a1", "1"), ("b1", "5"), ("b2", "17"), ("a2", "2"), ("b1", "3")], 1):
        person.sees(num_rows)
        person.walk_to(square)
        keys.press("9")
        expect(draft).to_have_text("9")
        keys.press("Escape")
        expect(draft).to_have_count(0)
        assert person.focused_square() == square
        keys.type(number)
        expect(draft).to_have_text(number)
        keys.press("Enter")
    person.sees(6)
    assert person.focused_square() == "b1"
    keys.press("Delete")
    person.sees(7)
    assert person.moves()[-1] == "b1="
    keys.type("3")
    keys.press("Enter")
    person.sees(8)
    person.tab_to(".choices button")
    keys.press("Enter")
    person.sees(9)
    expect(person.page.locator(".turn strong")).to_have_text("The final score is 4.")


def test_a_turn_ends_where_enter_is_pressed_twice_and_the_focus_stays(person: Person) -> None:
    keys, answers = person.page.keyboard, person.page.locator("#bubble button")
    person.page.goto(person.create("divisors-multiples", parameter_r=3))
    person.tab_to(".board .touch")
    for num_rows, (walk, move) in enumerate(
        ((("ArrowLeft",), "2!"), (("ArrowDown",), "1"), (("ArrowUp", "End"), "3!")), 2
    ):
        for key in walk:
            keys.press(key)
        keys.press("Enter")
        if move.endswith("!"):
            expect(answers.first).to_be_focused()
            keys.press("Enter")
        person.sees(num_rows)
        assert person.focused_square() == move.removesuffix("!")
    assert person.moves() == ["2!", "1", "3!"]


def test_the_focus_stays_when_the_table_changes_while_a_square_asks(person: Person) -> None:
    page = person.page
    address = person.create("divisors-multiples", parameter_r=3)
    page.goto(address)
    person.tab_to(".board .touch")
    page.keyboard.press("Enter")
    expect(page.locator("#bubble button").first).to_be_focused()
    person.play(address, "3!")
    person.sees(2)
    assert person.focused_square() == "2"


def test_digits_are_written_by_their_keys_or_found_by_arrows(person: Person) -> None:
    keys = person.page.keyboard
    person.page.goto(person.create("palindromes", parameter_m=3))
    person.tab_to(".board .touch")
    keys.press("1")
    person.sees(2)
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowDown", "Enter"):
        keys.press(key)
    person.sees(3)
    for key in ("End", "Enter"):
        keys.press(key)
    person.sees(4)
    assert person.moves() == ["1=1", "2=1", "3=0"]


def test_a_whole_game_is_played_without_scripts(browser: Browser, shared_server: Server) -> None:
    person = Person(browser, shared_server.url, java_script_enabled=False)
    moves, game = moves_of("divisors-multiples"), quet.new("divisors-multiples", r=5)
    person.set_up("divisors-multiples", {"r": 5}, "me", "me")
    person.sees(1)
    person.press(game, moves[0])
    person.sees(2)
    person.page.get_by_role("button", name="Take back").click()
    for num_rows, move in enumerate(moves, 3):
        person.sees(num_rows)
        person.press(game, move)
        game.play(move)
    person.sees(3 + len(moves))
    check_end(person, game, moves)
    person.leave()


def test_without_scripts_a_wrong_move_is_explained_and_a_part_of_the_score_is_shown(
    browser: Browser, shared_server: Server
) -> None:
    person = Person(browser, shared_server.url, java_script_enabled=False)
    address = person.create("palindromes", parameter_m=4)
    person.play(address, "1=0", "2=0")
    person.page.goto(address)
    person.page.fill("#typed", "2=1")
    person.page.get_by_role("button", name="Play", exact=True).click()
    expect(person.page.locator("#message")).to_have_text("Square 2 holds a 0 already.")
    person.sees(3)
    person.page.get_by_role("link", name="palindrome").first.click()
    expect(person.page.locator(".cell.is-marked")).to_have_count(2)
    person.forgive("422")
    person.leave()


def test_a_letter_or_sign_is_no_key_where_a_link_or_another_button_has_the_focus(person: Person) -> None:
    page = person.page
    page.goto(person.create("plusses-minuses", parameter_n=3))
    for elsewhere in (".site-header nav a", "#ask-share"):
        page.locator(elsewhere).first.focus()
        page.keyboard.press("-")
        page.keyboard.press("m")
        expect(page.locator(elsewhere).first).to_be_focused()
    for num_rows, here in enumerate((".choices button", "#turn", "#main"), 1):
        person.sees(num_rows)
        page.locator(here).first.focus()
        page.keyboard.press("+")
    person.sees(4)
    assert person.moves() == ["+", "+", "+"]


def test_what_is_asked_about_the_position_leaves_focus_and_address_as_they_are(person: Person) -> None:
    page = person.page
    address = person.create("up-and-up", parameter_n=2)
    page.goto(address)
    for id in ("hint", "reachable"):
        page.route(f"**{address}?{id}=1", lambda route: route.fulfill(json={"notice": f"{route.request.url} is told."}))
        person.tab_to(f"#{id}")
        page.keyboard.press("Enter")
        expect(page.locator("#message")).to_contain_text(f"{address}?{id}=1 is told.")
        expect(page.locator(f"#{id}:not(.is-waiting)")).to_be_focused()
        assert urlsplit(page.url)[2:] == (address, "", "")
    page.unroute_all()
    page.locator(".board button.touch").first.click()
    person.sees(2)
    expect(page.locator("#message")).to_be_empty()
    person.post(f"{address}/resign")
    page.goto(f"{address}?hint=1#message")  # as of a link that was opened in a new tab
    expect(page.locator(".turn")).to_have_text("Given up at a score of 1.")
    assert urlsplit(page.url)[2:] == (address, "", "")


def test_a_typed_move_makes_room_for_the_next(person: Person) -> None:
    page, keys = person.page, person.page.keyboard
    page.goto(person.create("palindromes", parameter_m=4))
    keys.press("m")
    for num_rows, move in enumerate(("1=0", "2=1"), 2):
        keys.type(move)
        keys.press("Enter")
        person.sees(num_rows)
    keys.type("1=1")
    keys.press("Enter")
    expect(page.locator("#message")).to_have_text("Square 1 holds a 0 already.")
    expect(page.locator("#typed")).to_have_value("1=1")
    person.forgive("422")


def test_as_many_seats_are_shown_as_players_are_chosen(person: Person) -> None:
    person.page.goto("/new/divisors-multiples")
    shown = person.page.locator(".seat:visible")
    expect(shown).to_have_count(2)
    for number in (3, 8, 7):
        person.page.locator(f'[name="parameter-players"][value="{number}"]').check()
        expect(shown).to_have_count(number)
