"""Every reader of texts and bytes is fuzzed: none is forgotten, none breaks, and the fuzzer does find what breaks."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import quet
from conftest import check_games

from . import readers, run

SOURCE = Path(quet.__file__).parent
READING = {  # what turns bytes or text of others into values
    *("read_file", "read_text", "read_bytes", "open", "open_at_once", "fdopen", "decode", "stdin"),
    *("JSONDecoder", "raw_decode", "frombuffer", "fromhex", "parse_qsl", "read_po", "tomllib", "decompressobj"),
    *("json_text", "struct", "unpack_from", "URLSafeSerializer", "pickle", "literal_eval"),
}


def names(tree: ast.AST) -> Iterator[str]:
    """The names that a module calls or reads; `json.loads` for that of JSON."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            is_json = isinstance(node.value, ast.Name) and node.value.id == "json" and node.attr in ("load", "loads")
            yield "JSONDecoder" if is_json else node.attr


def reading_modules() -> set[str]:
    """The modules of Quet, without those of games, that read something."""
    found = set()
    for file in SOURCE.rglob("*.py"):
        parts = file.relative_to(SOURCE).with_suffix("").parts
        is_looked_at = parts[0] not in ("games", "template") and "migrations" not in parts
        if is_looked_at and READING & set(names(ast.parse(file.read_text(encoding="utf-8")))):
            found.add(".".join(("quet", *parts)))
    return found


def test_every_module_that_reads_is_fuzzed_or_says_why_not() -> None:
    fuzzed = {module for reader in readers.READERS for module in reader.modules}
    assert reading_modules() - fuzzed - set(readers.OTHERS) == set()
    assert set(readers.OTHERS) <= reading_modules()
    assert not fuzzed & set(readers.OTHERS)


def test_papers_of_every_game_are_fuzzed() -> None:
    check_games(readers.SIZES, "SIZES in tests/fuzz/readers.py")


def test_a_module_that_reads_is_noticed() -> None:
    assert READING & set(names(ast.parse("import json\ndef f(x): return json.loads(x)")))
    assert not READING & set(names(ast.parse("import json\ndef f(x): return json.dumps(x)")))


@pytest.mark.parametrize("reader", readers.READERS, ids=lambda reader: reader.name)
def test_seeds_and_the_kept_corpus_are_read_or_refused(reader: readers.Reader) -> None:
    seeds = reader.seeds()
    assert any(readers.attempt(reader, seed) for seed in seeds)  # the fuzzer begins with something that is right
    for data in (*seeds, *run.kept(reader.name)):
        readers.attempt(reader, data)


@pytest.mark.long
def test_the_fuzzer_finds_nothing_in_some_seconds(tmp_path: Path) -> None:
    # One seed, so that a change is judged and not a new throw of the dice: `make fuzz` throws them.
    words = ["--seconds", "20", "--seed", "1"]
    ended = subprocess.run([sys.executable, run.__file__, *words], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout
    assert ended.stdout.count(" inputs in ") == len(readers.READERS) + 1
    assert " 0 inputs" not in ended.stdout


PLANTED = """
import sys
sys.path.insert(0, {tests!r})
from fuzz import run, readers
def read(data):
    {read}
readers.READERS[:] = [readers.Reader("planted", read, lambda: [b"ab"], ())]
sys.exit(run.main(["--seconds", "4"]))
"""


@pytest.mark.parametrize("read", ("assert data[:1] != b'c'", "raise readers.QuetError('two\\nlines')"))
def test_the_fuzzer_tells_of_a_reader_that_breaks(read: str, tmp_path: Path) -> None:
    program = PLANTED.format(tests=str(run.TESTS), read=read)
    ended = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 1, ended.stderr
    assert "broken: planted" in ended.stdout
    assert len(list(tmp_path.glob("planted-crash-*"))) == 1
