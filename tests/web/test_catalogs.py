"""The catalogs of messages: complete, exactly, for the house, each game and the template."""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from quet import catalog as games
from quet import games as folders
from quet.cli import check
from quet.contract import checks as contract
from quet.web import catalogs, i18n

OTHERS = sorted(set(catalogs.LANGUAGES) - {catalogs.SOURCE})
# What German says with the same words.
SAME = {
    "Animation", "Computer", "Link", "Live", "Lobby", "Name", "%(minutes)s min + %(seconds)s s", "{total} in {square}",
    "{name} ({runs}): {verdict}", "{place}: {prediction}, {verdict}", "{verdict}: {how}.", "{where}: {sentence}",
    "{worth} ({how})",
    "TITLE",
}  # fmt: skip
TWICE = re.compile(r"(.{12,}?)\s*\1+", re.DOTALL)
PLACEHOLDER = re.compile(r"%\((\w+)\)s|%[^(%]|\{(\w+)\}")


FIGURE = re.compile(r"\d\d+")  # a limit, as in "at most 60 days"; smaller numbers may be words


def kept(package: str, language: str) -> Catalog:
    """The catalog as it is in its file."""
    return catalogs.read_catalog(catalogs.catalog_file(package, language), language)


def texts(message: Message) -> list[tuple[str, str]]:
    """Each form of a message with its translation."""
    ids = message.id if isinstance(message.id, (list, tuple)) else [message.id]
    strings = message.string if isinstance(message.string, (list, tuple)) else [message.string]
    return [(str(id), str(string or "")) for id, string in zip(ids, strings, strict=True)]


def test_the_house_every_game_and_the_template_have_a_catalog() -> None:
    assert set(catalogs.ours()) == {
        catalogs.HOUSE,
        catalogs.TEMPLATE,
        *(folder for folder in folders.folders().values() if folder.startswith("quet.")),
    }
    assert len(catalogs.ours()) == 2 + len([id for id in games.ids() if games.get(id).package.startswith("quet.")])


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("package", catalogs.ours())
def test_a_catalog_has_the_messages_of_the_code_and_no_others(package: str, language: str) -> None:
    in_file = {message.id for message in kept(package, language)}
    assert in_file == {message.id for message in catalogs.collect(package)}, "make messages brings it up to date"


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("package", catalogs.ours())
def test_every_message_is_translated_with_the_same_placeholders_and_figures(package: str, language: str) -> None:
    for message in kept(package, language):
        if not message.id:
            continue
        assert not message.fuzzy, message.id
        for id, string in texts(message):
            assert string, f"{id!r} has no translation"
            assert set(PLACEHOLDER.findall(string)) == set(PLACEHOLDER.findall(id)), id
            assert sorted(FIGURE.findall(string)) == sorted(FIGURE.findall(id)), id
            assert string[-1:] == id[-1:] or id[-1:] not in ".?!: ", f"{id!r} and {string!r} end differently"
            assert string != id or id in SAME, f"Translate {id!r}, or add it to SAME."
            assert not TWICE.fullmatch(string), f"{string!r} stands there more than once"


@pytest.mark.parametrize("language", OTHERS)
def test_two_catalogs_say_the_same_with_the_same_words(language: str) -> None:
    found: dict[str, str] = {}
    for package in set(catalogs.ours()) - {catalogs.TEMPLATE}:
        for message in kept(package, language):
            for id, string in texts(message) if message.id else ():
                assert found.setdefault(id, string) == string, f"{id!r}: the site can't tell which of two it is"


ROOMS = ("core", "games", "knowledge", "players", "study", "play", "records", "web")  # what they say is on the site
# Said to who runs a server or a tournament, or wrote a game: on a terminal, in English.
SILENT = {
    "arena.py",
    "backup.py",
    "computers.py",
    "extras.py",
    "facts.py",
    "forgetting.py",
    "lesson_file.py",
    "merging.py",
    "playing.py",
    "serve.py",
    "serving.py",
    "settings.py",
    "session.py",
    "state.py",
}
FOR_PROGRAMMERS = {"AssertionError", "BadCertificate", "BrokenRules", "TooLargeToCheck", "ValueError"}


def plain_sentences(tree: ast.AST) -> Iterator[ast.expr]:
    """Texts that are raised, and what `broken_rule` returns, where they are no messages."""
    for node in ast.walk(tree):
        match node:
            case ast.Raise(exc=ast.Call(func=ast.Name(id=name), args=[ast.expr() as text, *_])):
                if name not in FOR_PROGRAMMERS:
                    yield text
            case ast.FunctionDef(name="broken_rule"):
                yield from (one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value)


def test_no_room_that_the_site_shows_says_plain_text() -> None:
    files = [file for room in ROOMS for file in (catalogs.QUET / room).rglob("*.py") if file.name not in SILENT]
    assert len(files) > 150
    found = [
        f"{file.name}, line {text.lineno}: {ast.unparse(text)}"
        for file in [*files, catalogs.QUET / "game.py", catalogs.QUET / "catalog.py"]
        for text in plain_sentences(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr | ast.BinOp) or (isinstance(text, ast.Constant) and text.value)
    ]
    assert found == [], "say(...) makes a message that can be translated"


def test_a_template_that_is_no_literal_is_found(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text("def check(what):\n    return say(what, n=1)\n")
    with pytest.raises(ValueError, match=r"code\.py, line 2: the template of a message must be a literal\."):
        list(catalogs._of_code(tmp_path / "code.py", "code.py"))


def test_catalogs_are_brought_up_to_date_without_losing_a_translation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "de.po"
    monkeypatch.setattr(catalogs, "catalog_file", lambda package, language: file)
    wanted = Catalog()
    wanted.add("{number} is here.")
    wanted.add(("{number} row", "{number} rows"))
    monkeypatch.setattr(catalogs, "collect", lambda package: wanted)
    file.write_text('msgid "{number} is here."\nmsgstr "{number} ist hier."\n\nmsgid "Old."\nmsgstr "Alt."\n')
    assert catalogs.update("any", "de") == 1
    after = catalogs.read_catalog(file, "de")
    assert {message.id for message in after} == {"", "{number} is here.", ("{number} row", "{number} rows")}
    assert after["{number} is here."].string == "{number} ist hier."


def test_what_another_catalog_translates_is_filled_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = catalogs.catalog_file
    monkeypatch.setattr(
        catalogs,
        "catalog_file",
        lambda package, language: tmp_path / "de.po" if package == "mine" else found(package, language),
    )
    wanted = Catalog()
    for id in (
        "Equal scores share the place: a draw.",
        ("search, {number} game", "search, {number} games"),
        "Only here.",
    ):
        wanted.add(id)
    monkeypatch.setattr(catalogs, "collect", lambda package: wanted)
    assert catalogs.waiting("mine", "de") == catalogs.update("mine", "de") == 1
    after = catalogs.read_catalog(tmp_path / "de.po", "de")
    assert after["search, {number} game"].string == ("Suche, {number} Spiel", "Suche, {number} Spiele")
    assert after["Equal scores share the place: a draw."].string and not after["Only here."].string


def test_quet_check_tells_how_many_sentences_of_a_game_wait_for_a_translation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry, file = games.get("blob"), tmp_path / "de.po"
    monkeypatch.setattr(contract, "CHECKS", {})
    assert "de.po" not in told_to_add(entry.id)
    monkeypatch.setattr(catalogs, "catalog_file", lambda package, language: file)
    number = len(list(catalogs.collect(entry.package))) - 1  # one is the head
    command = "python -m quet.web.catalogs blob"
    told = f"{number} sentences wait for a translation and are said in English; {command} adds them there."
    assert told_to_add(entry.id)["de.po"] == told and not file.exists()
    file.write_bytes(b'msgid "\xff"')
    assert told_to_add(entry.id)["de.po"].startswith("It can't be brought up to date: ")
    monkeypatch.setitem(sys.modules, "babel.messages.pofile", None)
    assert "de.po" not in told_to_add(entry.id)


def test_quet_check_finds_a_translation_that_has_no_letters_in_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contract, "CHECKS", {})
    monkeypatch.setattr(i18n, "sentence", lambda text, language: f"{text} f\u00fcr Reihen")
    told = check.run("blob", is_json=True)
    assert told["checks"] == {
        "translated pictures can be drawn": "['1 f\u00fcr Reihen'] of de.po stands in a picture: the font of PNG and "
        "GIF has ASCII letters only."
    }
    assert not told["passed"]


def told_to_add(id: str) -> Mapping[str, str]:
    """What `quet check` tells that the game could add."""
    told = check.run(id, is_json=True)["could_add"]
    assert isinstance(told, Mapping)
    return told


def test_a_catalog_that_cannot_be_read_is_left_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(catalogs, "folders", lambda: {"lost": "not_there", "blob": "quet.games.blob"})
    catalogs.translations.cache_clear()
    try:
        assert i18n.sentence("filled", "de") == "gefüllt"
        assert "of not_there can't be read" in caplog.text
    finally:
        catalogs.translations.cache_clear()


def test_a_game_that_is_not_there_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["catalogs", "blob", "nothing"])
    with pytest.raises(SystemExit, match="2"):
        catalogs.main()
    assert "There is no game 'nothing'; the games are blob, " in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", ["catalogs", "--help"])
    with pytest.raises(SystemExit, match="0"):
        catalogs.main()
