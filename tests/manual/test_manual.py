"""Every block of Python and every conversation with a shell in the documentation is run, and prints what the page says.

Records, JSON and facts on the pages are read.

Blocks with `>>>` are doctests, which pytest collects from the pages itself.
"""

import json
import re
import shlex
import sys
import textwrap
import tomllib
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from quet.cli.main import main
from quet.core.facts import ResultFacts, result_facts, score_facts
from quet.records.record import read, read_all, write_all

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(page for page in DOCS.rglob("*.md") if not page.is_relative_to(DOCS / "decisions"))
ELSEWHERE = {"library.md", "openspiel.md"}  # tests/test_library.py and tests/rl/test_openspiel.py run these
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = {"moves": "a1\nb1\n"}  # that a conversation reads


def blocks(language: str) -> dict[str, str]:
    """The blocks in this language, by page and number there."""
    found: dict[str, str] = {}
    for page in PAGES:
        inside = [text for name, text in _BLOCK.findall(page.read_text(encoding="utf-8")) if name == language]
        name = page.relative_to(DOCS).as_posix()
        found |= {f"{name}-{number}": text for number, text in enumerate(inside, 1) if ">>>" not in text}
    return found


RECORDS, JSON = blocks("quet"), blocks("json")
PYTHON = {name: text for name, text in blocks("python").items() if name.rpartition("-")[0] not in ELSEWHERE}
CONVERSATIONS = blocks("console")


@pytest.mark.parametrize("text", PYTHON.values(), ids=PYTHON)
def test_a_block_of_python_runs(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(text, "block", "exec"), {"__name__": "block"})


@pytest.mark.parametrize("text", RECORDS.values(), ids=RECORDS)
def test_a_record_is_as_quet_writes_it(text: str) -> None:
    assert write_all(read_all(text)) == text


def test_blocks_of_json_are_a_record_and_variations_of_it() -> None:
    whole, variations = (json.loads(text) for text in JSON.values())
    assert read(json.dumps(whole)).json() == whole
    told = read(json.dumps(whole | {"variations": variations}))
    assert told.json()["variations"] == variations


def test_the_facts_on_the_page_of_results_can_be_read() -> None:
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    facts = tomllib.loads(textwrap.dedent(page[page.index("    [score]") : page.index("`second.py`, if there is one")]))
    assert score_facts(facts).example
    assert result_facts(facts) == [ResultFacts(range(1, 6), {"players": 3}, True, 3600, 8192)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where conversations take place, so that one finds what the one before it has made."""
    made = tmp_path_factory.mktemp("conversations")
    for name, text in FILES.items():
        (made / name).write_text(text)
    return made


def answered(command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """What a command prints. Of what a shell can do there are `<` and `>`, and sed's s."""
    words = shlex.split(command)
    if words[0] == "sed":
        (_, before, after, _), source, target = words[1].split("/"), words[2], words[4]
        Path(target).write_text(Path(source).read_text().replace(before, after))
        return ""
    if words[-2] == "<":
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(Path(words[-1]).read_bytes())))
        words = words[:-2]
    assert words[0] == "quet"
    main(words[1:])
    return capsys.readouterr().out


@pytest.mark.parametrize("text", CONVERSATIONS.values(), ids=CONVERSATIONS)
def test_a_conversation_goes_as_the_page_says(
    text: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line `...` stands for any lines."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "200")
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        told = answered(command, capsys, monkeypatch)
        pattern = "".join(r"(?:.*\n)*?" if line == "..." else f"{re.escape(line)}\n" for line in expected.splitlines())
        assert re.fullmatch(pattern, told), f"{command} printed\n{told}"
