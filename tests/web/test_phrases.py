"""Finished sentences, matched against the messages of a catalog."""

import time

from quet.web.phrases import Phrasebook, Rendering, is_plain


def say(text: str, **messages: str) -> Rendering:
    """The text by a small catalog, and by the messages given."""
    book = {
        "empty": "leer",
        "%(square)s is full.": "%(square)s ist voll.",
        "%(square)s is full, as %(other)s is.": "%(square)s ist voll wie %(other)s.",
        "%(first)s and %(second)s": "%(first)s und %(second)s",
        "player %(player)s": "Spieler %(player)s",
        "Step %(number)s: %(error)s": "Schritt %(number)s: %(error)s",
        "%(n)s by %(n)s": "%(n)s mal %(n)s",
        "about %(share)s %% of the win": "etwa %(share)s %% des Sieges",
    }
    return Phrasebook(book | messages).rendering(text)


def test_a_text_is_looked_up_whole_first() -> None:
    assert say("empty") == Rendering("leer", is_known=True)


def test_what_stood_at_the_placeholders_stands_in_the_translation() -> None:
    assert say("c3 is full.").text == "c3 ist voll."


def test_the_message_that_says_most_is_taken() -> None:
    messages = {
        "%(square)s is %(state)s.": "%(square)s: %(state)s.",
        "%(square)s is empty.": "In %(square)s steht nichts.",
    }
    assert say("c3 is empty.", **messages).text == "In c3 steht nichts."
    assert say("c3 is full, as d4 is.", **messages).text == "c3 ist voll wie d4."


def test_what_stands_inside_is_translated_too() -> None:
    assert say("Step 4: c3 is full.") == Rendering("Schritt 4: c3 ist voll.", is_known=True)
    assert say("player 1, player 2 and player 3").text == "Spieler 1, Spieler 2 und Spieler 3"


def test_a_placeholder_that_comes_twice_stands_for_the_same() -> None:
    assert say("8 by 8").text == "8 mal 8"
    assert not say("by hand by foot").is_known


def test_a_percent_sign_stays_one() -> None:
    assert say("about 62 % of the win").text == "etwa 62 % des Sieges"


def test_unknown_texts_stay_as_they_are_and_are_called_so() -> None:
    assert say("Nobody knows this and that.") == Rendering("Nobody knows this and that.", is_known=False)
    assert say("Step 4: nobody knows this") == Rendering("Step 4: nobody knows this", is_known=False)


def test_a_message_that_tells_enough_is_used_although_something_inside_is_unknown() -> None:
    unknown = say("The disk says: no room left.", **{"The disk says: %(error)s.": "Die Platte sagt: %(error)s."})
    assert unknown == Rendering("Die Platte sagt: no room left.", is_known=False)


def test_numbers_moves_and_quotations_need_no_translation() -> None:
    for text in ("12", "a1 b2", "5=0", "12!", "+-+", "'anything at all'", ""):
        assert is_plain(text)
    assert not is_plain("done")


def test_line_breaks_and_signs_of_patterns_are_only_text() -> None:
    assert say("(.*)\n is full.").text == "(.*)\n ist voll."


def test_long_and_contrived_texts_take_no_time() -> None:
    book = Phrasebook({"%(a)s, %(b)s: %(c)s in %(d)s to %(e)s.": "%(e)s %(d)s %(c)s %(b)s %(a)s"})
    start = time.process_time()
    for text in (", : in to " * 90, ", " * 400, "a in b to c" * 80, "x" * 10**6, " and ".join(["a"] * 150)):
        book.rendering(text)
        say(text)
    assert time.process_time() - start < 20
