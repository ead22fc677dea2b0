"""Pages that are made while the documentation is built, and what fails where nothing is said about something.

`make docs` makes the same pages; the tests that build the whole site are in `make long`.
"""

import argparse
import contextlib
import io
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest

import quet
import quet.rl
from quet import capabilities, catalog
from quet import games as games_here
from quet.certificates.limits import USUAL
from quet.cli import new_game, ugi
from quet.cli.arguments import parser
from quet.cli.main import main
from quet.distribution import task
from quet.web.settings import Limits

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "make"))

import command_page  # noqa: E402 - of docs/make, as the next three
import game_pages  # noqa: E402
import listings  # noqa: E402
from docstrings import fenced  # noqa: E402


@pytest.fixture
def ninth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A ninth game, in a package of its own."""
    new_game.make("row-of-nine", tmp_path, is_bare=True)
    monkeypatch.syspath_prepend(str(tmp_path))
    folders = {**games_here.folders(), "row-of-nine": "row_of_nine"}
    monkeypatch.setattr(games_here, "folders", lambda: folders)
    return "row-of-nine"


def test_a_ninth_game_has_a_page_by_itself(ninth: str) -> None:
    pages = game_pages.pages()
    page = pages[f"games/{ninth}.md"]
    for heading in ("Rules", "A lesson in pictures", "What is known", "Computer players and solvers"):
        assert f"\n## {heading}\n" in page
    assert f"]({ninth}.md)" in pages["games/index.md"] and "nothing of this game yet" in page
    for name in re.findall(rf"\]\(({ninth}/[^)]+\.svg)\)", page):
        assert pages[f"games/{name}"].startswith("<svg"), name


def test_the_page_of_each_game_has_what_is_known_of_it() -> None:
    pages = game_pages.pages()
    for entry in catalog.playable():
        page = pages[f"games/{entry.id}.md"]
        for rule in entry.facts["rules"]:
            assert rule in page
        for row in quet.best_results(entry.id):
            assert f"| {row.size} | {row.value} | {row.bound} | {row.status} |" in page, row.name()
        assert entry.observe is not None
        for plane in entry.observe.planes(quet.new(entry.id).state):
            assert f"| {plane} |" in page
        assert "\n**Strategy.** " in page and "docs/proofs.md" not in page
        if any(row.score == "value" for row in quet.best_results(entry.id)):
            sign = "negative" if entry.rules.LOWER_IS_BETTER else "positive"
            assert f"player 1 wins where it is {sign}" in page.replace("Player", "player")
        assert "Read on:" in page, f"No heading of docs/answers.md or docs/proofs.md begins with {entry.short_title}."


def test_what_an_option_means_must_be_said() -> None:
    command = argparse.ArgumentParser()
    command.add_argument("--told", help="what it means")
    command.add_argument("game", metavar="GAME")
    assert [words for words, _ in command_page.arguments("x", command)] == ["--told TOLD", "GAME"]
    command.add_argument("--untold")
    with pytest.raises(command_page.Undocumented, match="what --untold UNTOLD of quet x means"):
        list(command_page.arguments("x", command))


def test_every_command_and_every_option_is_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    found = command_page.commands(parser())
    assert len(found) > 20
    for name, command in found.items():
        assert command.description and all(meaning for _, meaning in command_page.arguments(name, command))
    assert all(meaning for _, meaning in command_page.arguments("", parser()))
    monkeypatch.delitem(command_page.EXAMPLES, "verify")
    with pytest.raises(command_page.Undocumented, match="no example of verify"):
        command_page.commands(parser())


def test_a_default_that_a_help_text_names_is_that_of_the_option() -> None:
    """`(8000)` at the end of a help text is what holds where nothing is given."""
    elsewhere = {"--seconds": "0.5", "--memory": f"{task.MEMORY // 2**20}"}
    for name in ("verify", "results"):
        elsewhere |= {f"{name} --time": f"{USUAL.seconds:.0f}", f"{name} --memory": f"{USUAL.memory // 2**20}"}
    found = 0
    for name, command in command_page.commands(parser()).items():
        for action in command._actions:
            ends = re.search(r"\((\d+(?:\.\d+)?)\)$", action.help or "")
            if ends and action.help != argparse.SUPPRESS:
                (option,) = [each for each in action.option_strings if each.startswith("--")]
                known = elsewhere.get(f"{name} {option}", elsewhere.get(option))
                default = known if action.default is None else str(action.default)
                assert ends[1] == default, f"quet {name} {option}"
                found += 1
    assert found > 15


def test_a_public_method_and_a_field_need_words() -> None:
    class Untold:
        """A class."""

        def told(self) -> None:
            """Nothing."""

        def untold(self) -> None: ...

    with pytest.raises(listings.Undocumented, match=r"Untold\.untold has no docstring"):
        listings.check("Untold", Untold)
    assert listings.comments(Fields) == {"told": "what it is", "below": "The same, below.", "untold": ""}
    with pytest.raises(listings.Undocumented, match="The field untold"):
        listings._fields(Fields)


@dataclass
class Fields:
    """A data class."""

    told: int  # what it is
    below: int
    """The same,
    below."""
    untold: int


def test_a_setting_needs_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(listings.ELSEWHERE, "QUET_CACHE")
    with pytest.raises(listings.Undocumented, match="what QUET_CACHE means"):
        listings.pages()


def test_a_limit_needs_words(monkeypatch: pytest.MonkeyPatch) -> None:
    told = listings.comments(Limits) | {"moves": ""}
    monkeypatch.setattr(listings, "comments", lambda thing: told)
    with pytest.raises(listings.Undocumented, match="what QUET_LIMIT_MOVES counts"):
        listings._settings()


def test_a_public_name_of_a_module_needs_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def untold() -> None: ...

    untold.__module__ = quet.rl.measure.__name__
    monkeypatch.setattr(quet.rl.measure, "untold", untold, raising=False)
    with pytest.raises(listings.Undocumented, match=r"quet\.rl\.measure\.untold has no docstring"):
        listings.pages()


def test_every_public_name_error_setting_and_address_has_words() -> None:
    assert listings.pages().keys() == {f"reference/{name}.md" for name in ("api", "errors", "settings", "http")}


def test_every_error_has_words() -> None:
    found = list(listings.errors())
    assert {"BadRecord", "IllegalMove", "TooMany", "BadTablebase", "NoPuzzle"} <= {name for name, *_ in found}
    assert [name for name, _, words, *_ in found if not words] == []
    assert ("IllegalMove", "422") in [(name, status) for name, *_, status in found]


PARTS = {"Twin", "Solved"}  # what a capability gives, described with it


def test_every_capability_and_every_command_of_the_protocol_is_documented() -> None:
    page = (ROOT / "docs" / "capabilities.md").read_text("utf-8")
    for name in capabilities.__all__:
        kind = getattr(capabilities, name)
        is_one = isinstance(kind, type) and getattr(kind, "_is_protocol", False)
        if is_one and name not in PARTS:
            words = kind.__doc__ or ""
            file = re.search(r"`([a-z_]+\.(?:py|toml|jsonl))`", words)
            told = capabilities.names(kind) if file is None or file[1] == "exact.py" else [file[1]]
            assert any(f"`{word}`" in page for word in told), f"docs/capabilities.md doesn't name {name}: {told}"
    protocol = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    source = Path(ugi.__file__).read_text("utf-8") + (Path(ugi.__file__).parent / "ugi_lines.py").read_text("utf-8")
    commands = set(re.findall(r'^ {12}"([a-z]+)": |case "([a-z]+)"', source, re.MULTILINE))
    options = re.search(r"self\.options = (\{.*\})", source)
    assert len(commands) >= 17 and options
    for word in ["".join(both) for both in commands] + re.findall(r'"([a-z]+)": ', options[1]):
        assert re.search(rf"`([a-z]+ )?{word}\b", protocol), word


def test_every_format_has_a_place() -> None:
    """A file says at its beginning what it is, and docs/formats.md where that is described."""
    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    source = "\n".join(file.read_text("utf-8") for file in (ROOT / "src").rglob("*.py"))
    found = set(re.findall(r"^(?:FORMAT|MAGIC)\b.*?[\"'](quet-[a-z-]+)", source, re.MULTILINE))
    assert {"quet-record", "quet-certificate", "quet-checkpoint", "quet-table"} <= found
    assert [name for name in sorted(found) if name not in page] == []


def test_examples_in_docstrings_are_fenced() -> None:
    assert fenced("A text.\n\n>>> 1\n1\n\nMore.") == "A text.\n\n\n```pycon\n>>> 1\n1\n```\n\nMore."
    assert fenced("A text.\n>>> 1\n1") == "A text.\n\n```pycon\n>>> 1\n1\n```"


def build(folder: Path, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Build the site of a clone into a folder."""
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(folder)]
    return subprocess.run(words, cwd=root, capture_output=True, text=True, timeout=600, check=False)


class Loads(HTMLParser):
    """What a page loads, and its scripts and styles that aren't files."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        link = given.get("href") if tag == "link" and given.get("rel") not in ("canonical", "prev", "next") else None
        self.loaded += [found for found in (given.get("src"), link) if found]
        is_script = tag == "script" and "src" not in given and given.get("type") != "application/json"
        if is_script or tag == "style" or "style" in given or any(name.startswith("on") for name in given):
            self.inline.append(self.get_starttag_text() or tag)


@pytest.mark.long
def test_the_site_is_built_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    done = build(tmp_path / "site")
    assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 60
    for page in pages:
        found = Loads(page.read_text("utf-8"))
        assert [name for name in found.loaded if "//" in name] == [], page
        assert found.inline == [], page
        assert not re.search(r"<p>(\?\?\?|!!!|:::|\[.*\]:)", page.read_text("utf-8")), page  # left as it was written
    for style in (tmp_path / "site").rglob("*.css"):
        assert not re.search(r"@import|url\(\s*[\"']?(https?:)?//", style.read_text("utf-8")), style


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of what the documentation is built from."""
    for name in ("docs", "src"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("bench", "results", "README.md", "tests", "CHANGELOG.md", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    return tmp_path


@pytest.mark.long
def test_a_broken_link_a_missing_anchor_and_a_page_without_a_place_fail(copied: Path) -> None:
    (copied / "docs" / "lost.md").write_text("# Lost\n\n[a page](nowhere.md) and [a place](index.md#nowhere)\n")
    done = build(copied / "site", copied)
    assert done.returncode != 0
    for told in ("lost.md", "nowhere.md", "#nowhere"):
        assert told in done.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    "name", sorted(command_page.PRINTED.keys() - {"serve"})
)  # tests/web/serving.py reads that line
def test_an_output_that_is_not_made_anew_is_still_right(name: str) -> None:
    line, printed = command_page.PRINTED[name]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        main(line.split()[1:])
    assert out.getvalue().startswith(printed.removesuffix("...\n"))
