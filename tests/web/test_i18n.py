"""The languages of the site: sentences of the games in German, and how a language is chosen."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from gettext import NullTranslations
from typing import Any

import pytest
from jinja2 import DictLoader, Environment
from starlette.requests import HTTPConnection

import quet
from conftest import SMALL
from golden import make
from quet import catalog as games
from quet.contract import trials
from quet.core.errors import BadParameter, IllegalMove, QuetError
from quet.core.messages import Message, say
from quet.core.parameters import read_parameters
from quet.core.sequences import NAMED
from quet.draw.chart import HEIGHT
from quet.draw.scene import Scene, Text, text_width
from quet.game import Game
from quet.knowledge.hints import Hint, hint
from quet.knowledge.known import How, Known
from quet.knowledge.worth import Value, in_words, known_words, solved, supposed_words
from quet.records.outcome import called_off, out_of_time, outcome, resigned
from quet.records.record import Record, Termination
from quet.results.growth import growth
from quet.results.larger import Larger, sentence, size_text
from quet.study.assessments import Analysis, Assessment
from quet.study.mistakes import gave_away, turning_point
from quet.study.paper import judge_paper
from quet.study.plot import plot
from quet.web import catalogs, i18n

# Words that German has too, or that are no English: names of games, parameters and sequences, and what is written so.
NAMES = {*"-".join(games.ids()).split("-"), *NAMED, "random", "file", "SEED", "LOW", "HIGH", "PATH", "name", "value"}
NAMES |= {  # of titles that German has as they are: SAME of test_catalogs.py lists them
    word
    for id in games.ids()
    for title in (games.get(id).title, games.get(id).short_title)
    if i18n.sentence(title, "de") == title
    for word in title.replace("/", " ").split()
}
NAMES |= {parameter.name for id in games.ids() for parameter in games.get(id).rules.PARAMETERS}


def drawn(scene: Scene) -> Iterator[str]:
    """The texts in a picture."""
    return (shape.text for shape in scene.shapes if isinstance(shape, Text))


def shown(game: Game) -> Iterator[str]:
    """Every text that the site shows of a position."""
    scene = game.scene()
    yield scene.title
    yield from scene.notes
    yield from scene.row_notes.values()
    yield from scene.column_notes.values()
    yield from drawn(scene)
    yield from (choice.words for choice in scene.choices)
    for square in scene.squares:
        yield square.words
        yield from square.move_words
    yield from (item.words for item in game.items)
    yield Record.of(game).summary


def refusals(game: Game, chance: random.Random) -> Iterator[str]:
    """What is said to moves that can't be: of other positions, of other games, and of no game."""
    most = game.rules.most_moves(game.state)
    forbidden = [game.rules.move_text(game.state, move) for move in chance.sample(range(most), min(most, 12))]
    for text in [
        *forbidden,
        "a1",
        "z9",
        "t20",
        "+",
        "5=0",
        "99=1",
        "12!",
        "7",
        "9999!",
        "b2=7",
        "b2=",
        "done",
        "?",
        "Zug",
    ]:
        try:
            game.copy().play(text)
        except QuetError as error:
            yield error.message


def english(text: object) -> Iterator[str]:
    """The parts of a text that would stay English in German: templates without a translation, and unmarked words."""
    if not isinstance(text, Message):
        words = re.sub(r"'[^']*'", " ", str(text))
        if not is_the_same(words) and i18n.sentence(words, "de") == words:
            yield words
        return
    plain = re.sub(r"\{\w+\}", "", text.template)
    known = catalogs.translations("de")
    found = known.ngettext(text.template, text.many, 1) if text.many else known.gettext(text.template)
    if found == text.template and not is_the_same(plain):
        yield text.template
    for value in text.values.values():
        yield from english(value)


def is_the_same(text: str) -> bool:
    """Whether a text says nothing: names of games and parameters, numbers, squares."""
    return all(word in NAMES for word in re.findall(r"[^\W\d_]{3,}", text))


def check_known(text: str) -> None:
    """That a text is said in German, all of it."""
    left = list(english(text))
    assert not left, f"{text!r} has the English {left}"
    assert not re.search(r"[{}]|%\(|%%", i18n.sentence(text, "de")), text


@pytest.mark.parametrize("id", sorted(SMALL))  # a game of another package need not speak German
def test_all_that_a_game_says_is_said_in_german(id: str) -> None:
    entry, chance = games.get(id), random.Random(4)
    for parameters in trials.sizes(entry):
        if parameters.get("n", 0) > 12 or parameters.get("r", 0) > 100:
            continue
        seen: set[str] = set()
        for game in trials.random_game(entry, parameters, chance.randrange(1000)):
            if game.ply % 3 == 0 or game.is_over:
                seen.update(shown(game), refusals(game, chance))
            if game.ply > 60 and not game.is_over:
                break
        for text in seen:
            check_known(text)
    facts = entry.facts
    samples = [sample["source"] for sample in facts.get("samples", ())]
    for text in [facts["title"], facts["summary"], *facts["rules"], *facts.get("rulings", {}).values(), *samples]:
        assert i18n.sentence(text, "de") != text or text == facts["title"]  # a title may be a name
    for parameter in entry.rules.PARAMETERS:
        for text in filter(None, (parameter.meaning, parameter.usual)):
            check_known(text)


@pytest.mark.parametrize("id", make.SIZES)
def test_all_that_is_said_in_golden_playthroughs_is_said_in_german(id: str) -> None:
    for number, parameters in enumerate([make.SIZES[id], *make.MORE[id]]):
        for game in make.games(id, parameters, f"{id} {number}"):
            for text in shown(game):
                check_known(text)


def test_a_round_of_sums_says_everything_in_german() -> None:
    game = quet.new("sums-grid")
    for move in "a1=1 b1=2 c1=4 a2=3 b2=50 c2=9 a3=8 b3=20 c3=1000000 c3=11 done".split():
        game.play(move)
        for text in [*shown(game), *refusals(game, random.Random(1))]:
            check_known(text)


def test_long_terms_are_said_in_german() -> None:
    game = quet.new("sequence-ascension", n=2, sequence=",".join(["7" * 60, "-5", "6", "8"]))
    for move in "a1 b1 a2 b2 b1".split():
        game.play(move)
        for text in shown(game):
            check_known(text)


@pytest.mark.parametrize("id", ["blob", "divisors-multiples", "convoluted-coprimality"])
def test_how_a_game_ended_is_said_in_german_to_each_reader(id: str) -> None:
    names = {1: "Al", 2: "level:3", 3: "random", 4: "level:perfect"}
    for players in (2, 4) if id != "blob" else (2,):
        game = quet.new(id) if id == "blob" else quet.new(id, players=players)
        ends = ["", "player 2 resigned", "player 1 ran out of time", "player 1 called the game off"]
        for reason in (*ends, say("a draw by agreement")):
            for winners in ([], [1], [2], list(game.players)):
                for reader in range(3):
                    check_known(outcome(game, winners, reason=reason, names=names, reader=reader))
                    check_known(outcome(game, winners, reason=reason, reader=reader))
    for reason in ("", "player 1 resigned", "player 1 ran out of time", say("the game was called off")):
        check_known(outcome(quet.new("up-and-up"), [1], reason=reason))
    lost = outcome(quet.new("divisors-multiples"), [2], names=names, reader=1, between=" – ")
    assert i18n.sentence(lost, "de") == (
        "Du verlierst, der Computer (Stufe 3) gewinnt: 0 – 0, und die niedrigere Punktzahl gewinnt."
    )


def test_how_a_game_ended_is_said_in_german() -> None:
    game = quet.new("convoluted-coprimality", players=4)
    reasons = [
        resigned(2),
        out_of_time(3),
        say("a draw by agreement"),
        called_off(None),
        called_off(1),
    ]
    for reason, winners in zip(reasons, [(1, 3, 4), (4,), (1, 2, 3, 4), (), ()], strict=True):
        check_known(Record.of(game, termination=Termination(reason, winners)).summary)
    assert i18n.sentence(Record.of(game, termination=Termination(reasons[0], (1, 3, 4))).summary, "de") == (
        "Spieler 1, Spieler 3 und Spieler 4 teilen sich den Sieg: Spieler 2 hat aufgegeben."
    )


@pytest.mark.parametrize("id", ["convoluted-coprimality", "divisors-multiples"])
def test_a_hint_for_three_says_in_german_what_it_supposes(id: str) -> None:
    found = hint(quet.new(id, players=3))
    check_known(found.sentence)
    assert "Das setzt voraus, dass alle perfekt spielen: Jeder will" in i18n.sentence(found.sentence, "de")
    check_known(supposed_words(Known(How.SOLVED, shares={"a1": 0.5}), quet.new(id, players=3)))
    for scores in ([1, 1, 0], [0, 0, 1]):
        check_known(known_words(Known(How.SOLVED, scores=scores), quet.new(id, players=3), "a1"))


def test_no_german_verb_has_the_wrong_number_beside_a_one() -> None:
    german = i18n.sentence
    words = {"name": "Ann", "kept": 1, "number": 5}
    told = german(say("{name}: {kept} of {number} moves kept the result.", **words), "de")
    assert told == "Ann – Züge, die das Ergebnis hielten: 1 von 5."
    told = german(say("{name}: {kept} of the last {number} moves, which are solved, kept the result.", **words), "de")
    assert told == "Ann – Züge, die das Ergebnis hielten: 1 von 5 (den letzten, die gelöst sind)."
    told = german(say("Player {player}: {score} of {n} signs agree", player=1, score=1, n=7), "de")
    assert told == "Spieler 1: 1 von 7 richtig"
    with i18n.speaking("de"):
        told = i18n.gettext("%(done)s of %(total)s moves are judged.") % {"done": 1, "total": 20}
    assert told == "Beurteilte Züge: 1 von 20."


def test_the_size_of_a_file_has_a_german_number() -> None:
    assert [size_text(300), size_text(999_960), size_text(4_600_000)] == ["1 kB", "1000 kB", "4.6 MB"]
    with i18n.speaking("de"):
        assert i18n.said(size_text(4_600_000)) == "4,6 MB"
        assert "4,6 MB" in i18n.said(sentence("x.json.gz", Larger("", 4_600_000, "")))


def test_what_an_analysis_says_is_said_in_german() -> None:
    exact = [Value(0, is_exact=True, margin=-3), Value(0.5, is_exact=True), Value(1, is_exact=True), Value(1, margin=2)]
    for game in (quet.new("blob"), quet.new("up-and-up"), quet.new("divisors-multiples", players=3)):
        game.play(game.legal_moves[1])
        for value in [*exact, Value(0.25, 0.02), Value(12, 1)]:
            check_known(in_words(value, game))
            check_known(Hint("b2", in_words(value, game), ["b2", "b3"] * 4).sentence)
        for better in (True, False):
            found = Assessment(3, 1, "b2", Value(0.1, 0.01, better), "c3", Value(0.9, 0.01, better), ("c3",))
            check_known(turning_point(found, game))
            for lead in (3, 2):
                won = replace(found, value=solved(game, 1), best=solved(game, lead))
                check_known(gave_away(won, game))
            scene = plot(Analysis(game, {}, [found, replace(found, turning_point=turning_point(found, game))]))
            for text in [scene.title, *scene.notes, *drawn(scene)]:
                check_known(text)


@pytest.mark.parametrize(
    ("id", "papers"),
    {
        "blob": ["*o / oo / oo", "*x / oo", "*o / o*", "** / **", "", "* o o / o o o"],
        "convoluted-coprimality": [
            "1 2 / 3 5",
            "2 1 / . .",
            "1 2 / 4 3 // 1 . / 2 .",
            "1 1 / . .",
            "1 ? / . .",
            "9 . / . .",
        ],
        "divisors-multiples": ["2! 5", "2! 2!", "hello", "2 4! 3!"],
        "palindromes": ["10x1", "1" * 65],
        "plusses-minuses": ["+ - a1 a2", "+- a1", "+ - a1 c9", "+ - a1 b2 b2", "x", "+ +- a1"],
        "sequence-ascension": ["1 2 / 3 4", ". . / . .", "1 . / . 1", "1 . . / . . . / . . 1", "x y / z u"],
        "sums-grid": ["2 9 8 / 3 1 10 / 7 6 2", "1 2 / 3", "0 1 / 2 3", "a", "1 2 / 3 4", "9999999999999"],
        "up-and-up": ["1 2 / 4 3", "1 . / . 2", "1 . / . 3", "2 . / . ."],
    }.items(),
)
def test_what_is_wrong_with_a_paper_is_said_in_german(id: str, papers: list[str]) -> None:
    for paper in papers:
        try:
            judged = judge_paper(games.get(id), paper, {})
        except QuetError as error:
            check_known(error.message)
        else:
            for text in [judged.verdict, *(item.words for item in judged.items)]:
                check_known(text)


@pytest.mark.parametrize("id", games.ids())
def test_the_words_in_pictures_can_be_drawn_as_png(id: str) -> None:
    entry = games.get(id)
    texts = {text for game in trials.random_game(entry, trials.sizes(entry)[0]) for text in drawn(game.scene())}
    for text in texts:
        for language in catalogs.LANGUAGES:
            assert i18n.sentence(text, language).isascii(), "the font of PNG and GIF has ASCII letters only"


@pytest.mark.parametrize("id", games.ids())
def test_wrong_parameters_are_refused_in_german(id: str) -> None:
    known = games.get(id).rules.PARAMETERS
    wrong = ("?", "0", "99999", "1,2", "random:1", "random:1:5:3", "file:here", "x" * 50)
    for given in [*({parameter.name: value} for parameter in known for value in wrong), {"hello": "1"}]:
        try:
            read_parameters(known, given, files=False)
        except BadParameter as error:
            assert i18n.sentence(error.message, "de") != str(error)


def test_english_stays_as_it_is() -> None:
    message = say("{square} is filled already.", square="c3")
    assert i18n.sentence(message, "en") == "c3 is filled already."
    with i18n.speaking("de"):
        assert i18n.said(message) == i18n.said(IllegalMove(message)) == "c3 ist schon gefüllt."
        assert i18n.said("") == i18n.gettext("") == ""
    assert i18n.said(message) == "c3 is filled already."


def test_a_bad_translation_leaves_the_english(monkeypatch: pytest.MonkeyPatch) -> None:
    class Bad(NullTranslations):
        def gettext(self, message: str) -> str:
            return "{lost} {"

    monkeypatch.setattr(i18n, "translations", lambda language: Bad())
    assert i18n.sentence(say("{square} is filled already.", square="c3"), "de") == "c3 is filled already."


def test_what_a_person_typed_is_not_translated() -> None:
    message = say("{text} is not a square; squares are named like a1 or c3.", text="filled")
    assert i18n.sentence(message, "de") == "filled ist kein Feld; Felder heißen wie a1 oder c3."
    assert i18n.sentence("{nobody}", "de") == "{nobody}"


def test_a_scene_grows_with_its_words() -> None:
    scene = quet.new("sums-grid").scene()
    assert i18n.said_scene(scene) == scene
    with i18n.speaking("de"):
        german = i18n.said_scene(scene)
    assert german.title == "Summen 1,2,3,...m im kleinen Gitter, 3 mal 3"
    assert german.notes == ("Noch zählt keine Summe; 1 fehlt.",)
    assert german.width >= scene.width
    assert [square.glyph for square in german.squares] == [square.glyph for square in scene.squares]


@pytest.mark.parametrize(
    ("accepted", "cookie", "language"),
    [
        ("", "", "en"),
        ("de", "", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "", "de"),
        ("en-GB,de;q=0.9", "", "en"),
        ("fr-FR, de;q=0.3, en;q=0.2", "", "de"),
        ("fr", "", "en"),
        ("de;q=0", "", "en"),
        ("de;q=x, ;;,,q=", "", "en"),
        ("de;q=nan", "", "en"),
        ("de", "en", "en"),
        ("en", "de", "de"),
        ("en", "../de", "en"),
        ("x" * 100_000 + ",de", "", "en"),
    ],
)
def test_the_language_is_the_one_chosen_else_the_one_asked_for(accepted: str, cookie: str, language: str) -> None:
    headers = [(b"accept-language", accepted.encode())] + [(b"cookie", f"{i18n.COOKIE}={cookie}".encode())] * bool(
        cookie
    )
    scope: dict[str, Any] = {"type": "http", "headers": headers}
    assert i18n.language_of(HTTPConnection(scope)) == language


def test_templates_speak_the_language_of_the_request() -> None:
    pages = {
        "macro.html": "{% macro score() %}{{ _('Score') }}{% endmacro %}",
        "page.html": "{% from 'macro.html' import score %}{{ language() }} {{ score() }} {{ 'empty'|said }} "
        "{% trans player=1 %}Player {{ player }}{% endtrans %}",
    }
    environment = Environment(loader=DictLoader(pages), autoescape=True)
    i18n.install(environment)
    page = environment.get_template("page.html")
    assert page.render() == "en Score empty Player 1"
    with i18n.speaking("de"):
        assert page.render() == "de Punktzahl leer Spieler 1"
    assert page.render() == "en Score empty Player 1"


@pytest.mark.parametrize("language", catalogs.LANGUAGES)
def test_the_names_in_the_legend_of_a_plot_have_room_in_each_language(language: str) -> None:
    with i18n.speaking(language):
        scene = i18n.said_scene(growth([row for row in quet.best_results("sequence-ascension") if row.size < 4]))
    names = [shape for shape in scene.shapes if isinstance(shape, Text) and shape.y > HEIGHT - 0.7]
    assert len(names) > 6
    for one in names:
        end = min([scene.width, *(other.x for other in names if other.y == one.y and other.x > one.x)])
        assert one.x + text_width(one.text, one.size) < end, one.text
