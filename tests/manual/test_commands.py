"""Every command in a block on a page is run, page by page, each page in a folder of its own.

What would take long is run smaller (INSTEAD). What a person types is typed (TYPED, also at a terminal), and servers are
started, asked and stopped. A clone is made of this one, and `make` finds there what this Python has. Examples are tried
as far as they go without PyTorch; `make examples` runs them. `test_manual.py` runs conversations, which show what is
printed too, and `test_code_blocks.py` sees that no block is without a test.
"""

import argparse
import json
import os
import pty
import re
import select
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import sysconfig
import termios
import time
import tomllib
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fcntl import ioctl
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from code_blocks import ROOT, blocks, pages

import quet
from quet.cli.arguments import parser
from quet.cli.main import main
from quet.web.storage.database import Database

PATIENCE = 300.0  # seconds until a program has failed, on a busy machine
ON_PAGES: dict[str, list[str]] = {}
for _block in blocks():
    if _block.is_commands:
        ON_PAGES.setdefault(_block.page, []).extend(_block.commands())
EVERYWHERE = [line for lines in ON_PAGES.values() for line in lines]

CHECKER = ROOT / "checker" / "quet-check"
NOT_BUILT = () if CHECKER.exists() or os.environ.get("CI") else ("checker/quet-check ", "lrat-check ")  # make checker
ELSEWHERE = ("python bench/run.py",)  # tests/test_bench.py runs it
TRANSLATED = {"docs/answers.de.md"}  # its commands are those of docs/answers.md, as tests/test_answers.py sees
SMALL_TABLE = {"docs/results.md", "docs/how-to/submit-a-result.md", "docs/site-pages.md"}  # they change the table
REMADE = "sequence-ascension-4-sequence-pi.json.gz"  # is missing in the table in which pages are tried
DATABASE = "QUET_DATABASE_URL=sqlite:///quet.db "
INSTEAD = {  # what would take long or change this clone, and the same with less work
    "python bench/arena.py blob n=8 --players level:5,level:6 --games 60 --openings 4 "
    "--results bench/tournaments/level-6.jsonl": (
        "python bench/arena.py blob n=4 --players level:1,level:2 --games 2 --openings 2 --results level-6.jsonl"
    ),
    "quet arena palindromes --players level:1,level:2": (
        "quet arena palindromes m=6 --players level:1,level:2 --games 2"
    ),
    "checker/quet-check results/certificates/palindromes-* results/certificates/blob-*": (
        "checker/quet-check results/certificates/palindromes-1[0-4]* results/certificates/blob-[2-5]*"
    ),
    "quet solve sequence-ascension n=5 sequence=pi --time 3600": (
        "quet solve sequence-ascension n=3 sequence=pi --time 3600"
    ),
    "quet solve sequence-ascension n=6 --time 7200": "quet solve sequence-ascension n=3 --time 7200",
    "python -m quet.results.confirm sequence-ascension --all --time 7200": (
        "python -m quet.results.confirm sequence-ascension --all --time 0"
    ),
    "python bench/refute.py 33 n=6 --without 4 9 36 --solver glucose4": (
        "python bench/refute.py 23 n=5 --without 4 9 --solver glucose4"
    ),
    "quet solve blob n=7 --time 3600": "quet solve blob n=4 --time 3600",
    "quet solve blob n=7 --cluster tcp://head:8786 --checkpoint blob-7.json": (
        "quet solve blob n=3 --cluster CLUSTER --checkpoint blob-7.json"
    ),
    "quet dataset palindromes m=12 --positions 10000 --out positions.parquet": (
        "quet dataset palindromes m=8 --positions 100 --out positions.parquet"
    ),
    "quet dataset blob n=5 --positions 1000 --from random --seed 1 --out positions.npz": (
        "quet dataset blob n=3 --positions 40 --from random --seed 1 --out positions.npz"
    ),
    'quet rl measure "ugi:./engine" --name engine --about "Alpha-beta, 6 plies" --out agents/engine.json': (
        'quet rl measure "ugi:./engine" palindromes m=4 --positions 2 --games 1 '
        '--name engine --about "Alpha-beta, 6 plies" --out agents/engine.json'
    ),
    'quet rl measure net.onnx palindromes m=8 --name mine --about "PPO, 10 minutes of CPU, seed 1" '
    "--out agents/mine.json": (
        "quet rl measure net.onnx palindromes m=8 --positions 20 --games 2 "
        '--name mine --about "PPO, 10 minutes of CPU, seed 1" --out agents/mine.json'
    ),
    'quet rl measure net.onnx palindromes m=8 --name mine --about "PPO, ten minutes on palindromes m=8" '
    "--out agents/mine.json": (
        "quet rl measure net.onnx palindromes m=8 --positions 20 --games 2 "
        '--name mine --about "PPO, ten minutes on palindromes m=8" --out agents/mine.json'
    ),
    "quet rl measure level:5 --out agents/level-5.json": (
        "quet rl measure level:1 palindromes m=6 --positions 9 --games 1 --name level:5 --out agents/level-5.json"
    ),
    "quet rl measure level:7 --positions 30 --games 5 --out agents/level-7.json": (
        "quet rl measure level:7 palindromes m=4 --positions 3 --games 1 --out agents/level-7.json"
    ),
    "quet rl measure level:3 palindromes m=8": "quet rl measure level:1 palindromes m=4 --positions 5 --games 1",
    "python bench/load.py": "python bench/load.py --quick",
    "python bench/load.py --write": "python bench/load.py --quick --write",
    "python bench/attack.py": "python bench/attack.py SVG --quick",
    "python bench/learned.py divisors-multiples r=25 --seconds 0.03 "
    "--results bench/tournaments/learned-divisors-multiples-25.jsonl": (
        "python bench/learned.py divisors-multiples r=25 --seconds 0.002 --games 2 --results games.jsonl"
    ),
    "python bench/learned.py divisors-multiples r=33 --seconds 0.03 "
    "--results bench/tournaments/learned-divisors-multiples-33.jsonl": (
        "python bench/learned.py divisors-multiples r=33 --seconds 0.002 --games 2 --results games-33.jsonl"
    ),
    "python -m quet.learning blob n=9 --positions 6000 --output n9.npz": (
        "python -m quet.learning blob n=3 --positions 50 --rounds 1 --output n9.npz"
    ),
    "python bench/learned.py blob n=9 --weights n9.npz --seconds 0.03 "
    "--results bench/tournaments/learned-blob-9.jsonl": (
        "python bench/learned.py blob n=3 --weights n9.npz --seconds 0.002 --games 0 --results games-9.jsonl"
    ),
    "python -m quet.learning palindromes m=24 --positions 6000 --exact 6 --ridge 32 --bound 16 --output m24.npz": (
        "python -m quet.learning palindromes m=6 --positions 50 --rounds 1 --exact 2 --ridge 32 --bound 16 "
        "--output m24.npz"
    ),
    "python bench/learned.py palindromes m=24 --weights m24.npz --seconds 0.02 "
    "--results bench/tournaments/learned-palindromes-24.jsonl": (
        "python bench/learned.py palindromes m=6 --weights m24.npz --seconds 0.002 --games 0 --results games-24.jsonl"
    ),
    "python -m quet.learning plusses-minuses n=9 --positions 4000 --rounds 1 --output p9.npz": (
        "python -m quet.learning plusses-minuses n=3 --positions 50 --rounds 1 --output p9.npz"
    ),
    "python bench/learned.py plusses-minuses n=9 --weights p9.npz --seconds 0.003 --opening 16 --seed 7 "
    "--results bench/tournaments/learned-plusses-minuses-9.jsonl": (
        "python bench/learned.py plusses-minuses n=3 --weights p9.npz --seconds 0.002 --opening 4 --seed 7 "
        "--games 0 --results games-p9.jsonl"
    ),
    "python -m quet.learning plusses-minuses n=11 --positions 1500 --rounds 1 --output p11.npz": (
        "python -m quet.learning plusses-minuses n=3 --positions 50 --rounds 1 --output p11.npz"
    ),
    "python bench/learned.py plusses-minuses n=11 --weights p11.npz --seconds 0.02 --opening 20 "
    "--results bench/tournaments/learned-plusses-minuses-11.jsonl": (
        "python bench/learned.py plusses-minuses n=3 --weights p11.npz --seconds 0.002 --opening 4 "
        "--games 0 --results games-p11.jsonl"
    ),
    "python -m quet.learning blob n=8 --output n8.npz": (
        "python -m quet.learning blob n=3 --positions 50 --rounds 1 --output n8.npz"
    ),
    "python bench/learned.py blob n=8 --weights n8.npz --seconds 0.03 "
    "--results bench/tournaments/learned-blob-8.jsonl": (
        "python bench/learned.py blob n=3 --weights n8.npz --seconds 0.002 --games 0 --results games-8.jsonl"
    ),
    "python -m quet.learning blob n=12 --positions 3000 --rounds 1 --output n12.npz": (
        "python -m quet.learning blob n=3 --positions 50 --rounds 1 --output n12.npz"
    ),
    "python bench/learned.py blob n=12 --weights n12.npz --seconds 0.02 "
    "--results bench/tournaments/learned-blob-12.jsonl": (
        "python bench/learned.py blob n=3 --weights n12.npz --seconds 0.002 --games 0 --results games-12.jsonl"
    ),
    "python bench/opponents.py mctsbot palindromes-17 plusses-minuses-8 --simulations 200 "
    "--results bench/tournaments/opponents-mctsbot.jsonl": (
        "python bench/opponents.py mctsbot plusses-minuses-8 --simulations 2 --games 1 --results mctsbot.jsonl"
    ),
    "python bench/opponents.py uct --simulations 1000 --results bench/tournaments/opponents-uct.jsonl": (
        "python bench/opponents.py uct palindromes-16 --simulations 10 --games 1 --results uct.jsonl"
    ),
    "python bench/opponents.py uct --simulations 10000 --results bench/tournaments/opponents-uct.jsonl": (
        "python bench/opponents.py uct palindromes-16 --simulations 20 --games 1 --results uct.jsonl"
    ),
    "python bench/opponents.py mctsbot --results bench/tournaments/opponents-mctsbot.jsonl": (
        "python bench/opponents.py mctsbot plusses-minuses-8 --seconds 0.5 --games 1 --results mctsbot.jsonl"
    ),
    "python bench/short_games.py 36 36": "python bench/short_games.py 3 5",
    "python bench/full_grids.py 21 32": "python bench/full_grids.py 5 6",
    "quet puzzles check": "quet puzzles check blob",
    "python bench/avoided.py 54": "python bench/avoided.py 40",
    "quet solve blob n=6 --save-tablebase": "quet solve blob n=4 --save-tablebase",
    "quet solve palindromes m=22": "quet solve palindromes m=18",
    "quet solve plusses-minuses n=9 second_part_first=2 --time 1200 --certificate p.json": (
        "quet solve plusses-minuses n=7 second_part_first=2 --time 1200 --certificate p.json"
    ),
    "quet puzzles make palindromes": "quet puzzles make palindromes --count 1 --out puzzles.jsonl",
    "quet solve sums-grid n=4 --time 600 --certificate mine.json": (
        "quet solve sums-grid n=2 --time 600 --certificate mine.json"
    ),
    "quet results remake NAME --into FOLDER": (f"quet results remake {REMADE} --into FOLDER"),
    "python -m quet.results.make up-and-up sums-grid --time 60": (
        "python -m quet.results.make plusses-minuses --time 1 --folder results --work work"
    ),
    "python -m quet.results.replies blob-6.json.gz": "python -m quet.results.replies blob-5.json",
    "python -m quet.results.confirm": "python -m quet.results.confirm --folder results",
    "python -m quet.results.confirm blob --time 60": "python -m quet.results.confirm blob --time 60 --folder results",
    "python -m quet.results.confirm convoluted-coprimality --all": (
        "python -m quet.results.confirm convoluted-coprimality --all --folder results"
    ),
    "QUET_DATABASE_URL=... quet results merge --folder results": (f"{DATABASE}quet results merge --folder results"),
    "quet arena blob n=6 --players level:1,level:2,level:3,level:4,level:5 --games 120 --openings 4 "
    "--workers 2 --results bench/tournaments/blob-6.jsonl": (
        "quet arena blob n=4 --players level:1,level:2 --games 2 --openings 4 --workers 1 --results blob-6.jsonl"
    ),
}
ARGUMENTS = """
import argparse, runpy, sys
from unittest.mock import MagicMock

for name in ("torch", "sb3_contrib", "stable_baselines3.common.vec_env"):
    for end in range(name.count(".") + 1):
        sys.modules[".".join(name.split(".")[: end + 1])] = MagicMock()
read = argparse.ArgumentParser.parse_args
def told(self, words=None):
    print(read(self, words))
    sys.exit()
argparse.ArgumentParser.parse_args = told
sys.argv = sys.argv[1:]
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
runpy.run_path(sys.argv[0], run_name="__main__")
"""  # of an example, read as far as to its arguments, without PyTorch
TYPED = {  # how a command begins, what a person types, and what the answer has then
    "quet learn blob": ("c3\nquit\n", "1 of"),
    "quet play blob n=8 --plain": ("help\na1\nquit\n", "Player 1: a1."),
    "quet puzzle": ("show\nquit\n", "A right move: "),
    "quet daily --puzzle": ("quit\n", "Puzzle"),
    "quet ugi": ("newgame palindromes m=2\nquery legal\nquit\n", "response 1=0 1=1 2=0 2=1"),
}
AT_A_TERMINAL = {  # how a command of the terminal application begins, and what is seen then
    "quet play --theme light": "Palindromes",
    "quet play blob": "Blob",
    "quet daily": "20",
}
SLOW = (  # `make long` runs these
    "checker/quet-check",
    "git clone",
    "cd quet",
    "lrat-check",
    "make",
    "python bench/",
    "python examples/",
    "python -m ",
    "python3 -m venv",
    "quet/bin/pip",
    "quet arena",
    "quet check",
    "quet dataset",
    "quet puzzles",
    "quet results",
    "quet rl",
    "quet serve --host 0.0.0.0 --port 8000",
    "quet solve blob n=5",
    "quet solve blob n=6",
    "quet solve blob n=7",
    "quet solve divisors-multiples r=20",
    "quet solve palindromes m=20",
    "quet solve palindromes m=52",
    "quet solve plusses-minuses n=9 second_part_first=2",
    "quet verify",
)
ALONE = ("make", "quet rl leaderboard")  # of those, what needs nothing of its page
QUICK = ("quet results sums-grid", "quet results up-and-up", "quet verify p.json")  # of those, what is quick


def is_run(line: str) -> bool:
    """Whether the programs of a command are here, and no other test runs it."""
    return not line.startswith((*NOT_BUILT, *ELSEWHERE))


def is_slow(line: str) -> bool:
    """Whether `make long` runs a command, and `make test` doesn't."""
    return line.startswith(SLOW) and not line.startswith(QUICK)


@pytest.mark.parametrize("lines", ON_PAGES.values(), ids=ON_PAGES)
def test_every_command_on_a_page_can_be_given(lines: list[str]) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for line in lines:
        words = [word for word in shlex.split(line) if not re.match(r"[A-Z_]+=", word)]
        program = Path(words[0]).name
        if program == "quet" and words[1] != "score":  # its words are the paper itself
            parser().parse_args(words[1:])  # raises for an option that isn't there
        elif program == "make":
            subprocess.run(["make", "-n", *words[1:]], cwd=ROOT, check=True, capture_output=True)
        elif program == "pip":
            named = re.search(r"quet\[([a-z,]+)\]", line)
            assert named is None or set(named[1].split(",")) <= set(extras), line
        elif words[1:2] == ["bench/arena.py"]:
            parser().parse_args(["arena", *words[2:]])
        elif len(words) > 1 and words[1].endswith(".py"):
            source = (ROOT / words[1]).read_text()
            for word in words[2:]:
                assert not word.startswith("--") or f'"{word}"' in source, f"{words[1]} has no {word}"


def test_commands_within_sentences_and_their_options_are_there() -> None:
    """Whole or not: a sentence may name a command alone, or an option without its value."""
    (subparsers,) = [each for each in parser()._actions if isinstance(each, argparse._SubParsersAction)]
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    num = 0
    for file in pages():
        text = re.sub(r"^```.*?^```", "", file.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        for line in re.findall(r"`((?:quet|python|make) [^`]+)`", text):
            program, first, *words = line.split()
            options = {word.partition("=")[0] for word in words if word.startswith("--")}
            told = f"{file.name}: {line}"
            if program == "quet" and not first.startswith("-"):
                assert first in subparsers.choices, told
                there = {"--json", "--help"} if first == "score" else subparsers.choices[first]._option_string_actions
                assert options <= set(there), told
            elif program == "python" and first.endswith(".py"):
                source = (ROOT / first).read_text("utf-8")
                assert all(f'"{option}"' in source for option in options), told
            elif program == "make" and not first.startswith("-"):
                assert first in targets, told
            num += 1
    assert num > 300


def test_only_the_page_of_the_installation_says_how_to_install_quet() -> None:
    """Quet isn't published, so the others link to it."""
    others = [
        file for file in pages() if file.name not in ("install.md", "changes.md") and "decisions" not in file.parts
    ]
    for file in (*others, ROOT / "deploy" / "quet.service"):
        text = " ".join(file.read_text("utf-8").split())
        assert not re.search(r"pip install (?:-\S+ (?:\S+\.txt )?)*'?quet\b(?!-)", text), file.name


def test_what_is_run_instead_is_the_same_program_with_the_same_options() -> None:
    for line, instead in INSTEAD.items():
        assert line in EVERYWHERE, f"no page has {line}"
        before, after = shlex.split(re.sub("^QUET_.*?=.*? ", "", line)), shlex.split(instead.removeprefix(DATABASE))
        words = 1 if "/" in before[1] and before[0] != "python" else 2  # the second may be a file
        assert before[:words] == after[:words]
        assert {word for word in before if word.startswith("--")} <= set(after), line


def test_each_reason_is_still_needed() -> None:
    for start in (*NOT_BUILT, *ELSEWHERE, *TYPED, *AT_A_TERMINAL, *SLOW, *ALONE, *QUICK):
        assert any(line.startswith(start) for line in EVERYWHERE), start


@pytest.fixture
def clone(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what a reader of the page has: files, and a clone of which nothing is changed."""
    page = request.node.callspec.params["page"]
    game = quet.new("up-and-up", n=4)
    while not game.is_over:
        game.play(game.legal_moves[0])
    for name in ("games.quet", "game.quet"):
        quet.save(tmp_path / name, quet.Record.of(game))
    shutil.copytree(ROOT / "bench", tmp_path / "bench", ignore=shutil.ignore_patterns("tournaments", "__pycache__"))
    shutil.copytree(ROOT / "agents", tmp_path / "agents")
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=shutil.ignore_patterns("notebooks", "decisions", "notes"))
    if page in SMALL_TABLE:
        _small_table(tmp_path / "results")
    else:
        (tmp_path / "results").symlink_to(ROOT / "results")
    if any("net.onnx" in line for line in ON_PAGES[page]):
        _network(tmp_path / "net.onnx")
    engine = tmp_path / "engine"
    engine.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -m quet ugi\n")
    engine.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUET_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("QUET_TABLES", str(tmp_path / "tables"))
    monkeypatch.setenv("QUET_PREPARE", "0")
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


def _small_table(folder: Path) -> None:
    """A table of results with what is small, without the rows that the pages enter."""
    (folder / "certificates").mkdir(parents=True)
    for file in (ROOT / "results").glob("*.jsonl"):
        rows = []
        for line in file.read_text().splitlines():
            row = json.loads(line)
            size = next(value for name, value in row["parameters"].items() if name in "nmr")
            certificate = ROOT / "results" / "certificates" / row["certificate"]
            is_entered = (row["game"], size, row["score"]) in (("up-and-up", 4, "highest"), ("sums-grid", 2, "highest"))
            is_small = certificate.exists() and certificate.stat().st_size < 20_000
            is_asked = size <= 4 or row["certificate"] == "blob-5.json"  # which has replies
            if is_asked and not is_entered and (is_small or row["certificate"] == REMADE):
                rows.append(line)
                if is_small:
                    shutil.copy(certificate, folder / "certificates")
        (folder / file.name).write_text("".join(f"{line}\n" for line in rows))
    shutil.copy(ROOT / "results" / "larger.json", folder)


def _network(file: Path) -> None:
    """A network of one layer, for palindromes m=8."""
    import numpy as np
    import onnx
    from onnx import helper, numpy_helper

    weights = np.random.default_rng(1).normal(size=(32, 16)).astype(np.float32)
    nodes = [helper.make_node("Flatten", ["seen"], ["flat"]), helper.make_node("MatMul", ["flat", "weights"], ["out"])]
    given = helper.make_tensor_value_info("seen", onnx.TensorProto.FLOAT, ["batch", 4, 8])
    out = helper.make_tensor_value_info("out", onnx.TensorProto.FLOAT, ["batch", 16])
    graph = helper.make_graph(nodes, "one", [given], [out], [numpy_helper.from_array(weights, "weights")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(file))


RUN = [page for page in ON_PAGES if page not in TRANSLATED and any(map(is_run, ON_PAGES[page]))]


@pytest.mark.parametrize("page", [page for page in RUN if any(not is_slow(line) for line in ON_PAGES[page])])
def test_commands_that_take_little_time_are_run(
    page: str, clone: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in ON_PAGES[page]:
        if is_run(line) and not is_slow(line):
            follow(INSTEAD.get(line, line), clone, capsys, monkeypatch)


def in_long(page: str) -> list[str]:
    """The slow commands of a page, and the quick ones that make their files.

    One that stands alone is run on the first page that has it, and a bench that writes its figures, once and not twice.
    """
    before = {line for other in list(ON_PAGES)[: list(ON_PAGES).index(page)] for line in ON_PAGES[other]}
    lines = [line for line in ON_PAGES[page] if is_run(line)]
    slow = [line for line in lines if is_slow(line) and not (line in before and line.startswith(ALONE))]
    read = {word for line in slow for word in shlex.split(line)[1:]}
    chosen = [INSTEAD.get(line, line) for line in lines if line in slow or (not is_slow(line) and read & made_by(line))]
    return [line for line in dict.fromkeys(chosen) if f"{line} --write" not in chosen]


def made_by(line: str) -> set[str]:
    """The files and folders that a command may make."""
    words = shlex.split(line)
    return {words[-1]} if words[0] == "mkdir" else {word for word in words[2:] if "." in word}


@pytest.mark.long
@pytest.mark.parametrize("page", [page for page in RUN if in_long(page)])
def test_commands_that_take_longer_are_run(
    page: str, clone: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in in_long(page):
        follow(line, clone, capsys, monkeypatch)


def test_every_command_is_run_by_one_of_the_two() -> None:
    quick = {line for lines in ON_PAGES.values() for line in lines if not is_slow(line)}
    slow = {line for page in RUN for line in in_long(page)}
    for line in {INSTEAD.get(line, line) for line in {*EVERYWHERE} - quick if is_run(line)}:
        assert line in slow or f"{line} --write" in slow


def follow(line: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command."""
    words = shlex.split(line)
    while re.match(r"[A-Z_]+=", words[0]):
        name, _, value = words.pop(0).partition("=")
        monkeypatch.setenv(name, value)
    if words[:3] == ["quet", "results", "merge"]:
        Database("sqlite:///quet.db").upgrade()
    terminal = next((seen for start, seen in AT_A_TERMINAL.items() if line.startswith(start)), None)
    typed = next((both for start, both in TYPED.items() if f"{line} ".startswith(f"{start} ")), None)
    if words[:2] == ["quet", "serve"]:
        _serve(words, folder)
    elif words[0] == "git":
        _program([str(ROOT) if word == "ADDRESS" else word for word in words], folder)
    elif words[0] == "cd":
        monkeypatch.chdir(words[1])
    elif words[0] == "make":
        _make(words, folder)
    elif words[0] in ("checker/quet-check", "lrat-check"):
        _check(words, folder)
    elif words[0] == "quet/bin/pip" or words[-1].startswith("quet["):
        _install(words, folder, monkeypatch)
    elif line.startswith("python examples/"):
        _program(["python", "-c", ARGUMENTS, str(ROOT / words[1]), *words[2:]], folder)
    elif "CLUSTER" in words:
        with _cluster() as address:
            _program([*words[: words.index("CLUSTER")], address, *words[words.index("CLUSTER") + 1 :]], folder)
    elif words[0] != "quet" or "my-game" in line or "--folder mine" in line:
        _program(words, folder)
    elif terminal and not typed:
        _at_a_terminal(words, terminal)
    else:
        given, expected = typed or ("", "")
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(given.encode())))
        status = main(words[1:])
        told = capsys.readouterr()
        assert status in statuses(line), f"{line} ended with status {status}: {told.err}"
        assert expected in told.out, line


def statuses(line: str) -> tuple[int, ...]:
    """Those with which a command may end. 3 says that nothing is wrong, and that a search can't be checked."""
    return (0, 3) if line.startswith("quet results verify") else (0,)


def _program(words: list[str], folder: Path, allowed: Sequence[int] = (0,)) -> str:
    """What a program says that isn't this one, or finds a game of another package."""
    if words[:2] == ["pip", "install"]:  # into a folder, and from no index
        name = words[-1]
        words = ["pip", "install", "-q", "--target", "site", "--no-deps", "--no-build-isolation", "--no-index"]
        words.append(f"./{name}")
    elif "my-game" in words and words[1] != "new-game" and not (folder / "site").exists():
        _program(["quet", "new-game", "my-game"], folder)
        _program(["pip", "install", "-e", "my-game"], folder)
    if words[0] in ("quet", "pip"):
        words = [sys.executable, "-m", *words]
    elif words[0] in ("python", "python3"):
        words = [sys.executable, *words[1:]]
    paths = os.pathsep.join(filter(None, [str(folder / "site"), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        words, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    told = done.stdout + done.stderr
    assert done.returncode in allowed, f"{shlex.join(words)} ended with {done.returncode}:\n{told}"
    return told


def _check(words: list[str], folder: Path) -> None:
    """Run the checker that Coq extracts; it also stands in for lrat-check, which is in no package."""
    names = [
        name for word in words[1:] for name in sorted(map(str, Path().glob(word))) or [word]
    ]  # as a shell finds them
    if words[0] != "lrat-check":
        told = _program([str(CHECKER), *names], folder, (0, 3))  # 3: nothing is wrong, and something is unchecked
    elif program := shutil.which("lrat-check"):
        told = _program([program, *names], folder).lower()
    else:
        clauses, proof = names
        told = _program([str(CHECKER), "--cnf", clauses, "--lrat", proof], folder)
    assert "verified" in told, told


def _install(words: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install Quet with what this Python has, and from no index.

    Where a page makes an environment, it is installed there. Elsewhere pip tells what it would do, and finds all that
    the extra names; it doesn't look for PyTorch. `make dist` and `make examples` install each extra from the index.
    """
    if words[0] == "pip":
        left = ["--no-deps"] if "quet[examples]" in words else []
        told = _program([sys.executable, "-m", *words, "--dry-run", "--no-index", *left], folder)
    else:
        monkeypatch.delenv("PYTHONPATH", raising=False)
        if not (folder / "site").exists():
            (folder / "site").symlink_to(sysconfig.get_path("purelib"))
        told = _program([*words, "--no-index", "--no-build-isolation"], folder)
        code = "import quet; print(quet.__file__)"
        assert _program(["quet/bin/python", "-c", code], folder).startswith(str(folder / "quet" / "lib"))
        assert "blob" in _program(["quet/bin/quet", "games"], folder)
    assert "does not provide the extra" not in told, told


OF_A_CLONE = {
    "python": '#!/bin/sh\nexec {python} "$@"\n',
    "quet": '#!/bin/sh\nexec {python} -m quet "$@" --port "$PORT"\n',
}


def _make(words: list[str], folder: Path) -> None:
    """Make a target in a clone where everything is set up.

    Tests are collected and not run, and style is left to `make test`. Of targets that take longer make tells which
    programs it would run, and these are run otherwise.
    """
    clone = Path.cwd() if Path("Makefile").exists() else folder / "cloned"
    if not clone.exists():
        _program(["git", "clone", "-q", str(ROOT), str(clone)], folder)
    programs = clone / ".venv" / "bin"
    programs.mkdir(parents=True, exist_ok=True)
    for name, text in OF_A_CLONE.items():
        (programs / name).write_text(text.format(python=shlex.quote(sys.executable)))
        (programs / name).chmod(0o755)
    for name in ("play", "serve", "docs", "test"):
        (clone / ".venv" / f"{name}.stamp").touch()
    with pytest.MonkeyPatch.context() as there:
        there.chdir(clone)
        there.setenv("PYTHONPATH", str(clone / "src"))
        there.setenv("PYTEST_ADDOPTS", "--collect-only -q")
        for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):  # of the make that runs these tests
            there.delenv(name, raising=False)
        if words == ["make", "serve"]:
            _serve(words, folder)
        elif words == ["make", "check"]:
            assert "test_tidiness.py: " in _program([*words, "-o", "style"], folder)
        else:
            told = _program([*words, "-n", "-o", "style"], folder).replace(".venv/bin/", "").splitlines()
            assert told
            assert all(" pytest " in one or any(line.startswith(f"{one} ") for line in EVERYWHERE) for one in told)


def _serve(words: list[str], folder: Path) -> None:
    """Start a server at a free port, ask it for its home page, and stop it by Ctrl-C."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    if words[0] == "quet":
        words = [word for k, word in enumerate(words) if "--port" not in (word, words[k - 1])]
        words = ["127.0.0.1" if word == "0.0.0.0" else word for word in words]
        words = [sys.executable, "-m", *words, "--port", port]
    variables = os.environ | {"PORT": port}
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(words, stdout=log, stderr=log, env=variables, start_new_session=True) as server,
    ):
        try:
            end = time.monotonic() + PATIENCE
            while True:
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as answer:
                        assert b"Up And Up" in answer.read()
                    break
                except OSError:
                    assert time.monotonic() < end and server.poll() is None, (folder / "log").read_text()
                    time.sleep(0.05)
            while f"Quet is at http://127.0.0.1:{port}/" not in (told := (folder / "log").read_text()):
                assert time.monotonic() < end and server.poll() is None, told  # with workers it comes a moment later
                time.sleep(0.05)
        finally:
            os.killpg(server.pid, signal.SIGINT)  # as a terminal does: to make, too
            server.wait(PATIENCE)


@contextmanager
def _cluster() -> Iterator[str]:
    """The address of a scheduler of Dask with one worker, as docs/cluster.md starts them."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    dask = [sys.executable, "-m", "dask"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen([*dask, "scheduler", "--host", address, "--no-dashboard"], **quiet)  # type: ignore[call-overload]
    worker = subprocess.Popen([*dask, "worker", address, "--nworkers", "1", "--nthreads", "1"], **quiet)  # type: ignore[call-overload]
    try:
        yield address
    finally:
        for process in (worker, scheduler):
            process.terminate()
            process.wait(PATIENCE)


def _at_a_terminal(words: list[str], expected: str) -> None:
    """Run a program at a terminal until it has shown these words, and leave it by Ctrl-Q."""
    master, slave = pty.openpty()
    ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    process = subprocess.Popen([sys.executable, "-m", *words], stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    try:
        seen, end, is_left = b"", time.monotonic() + PATIENCE, False
        while process.poll() is None:
            assert time.monotonic() < end, seen[-2000:]
            if select.select([master], [], [], 0.1)[0]:
                try:
                    seen += os.read(master, 65536)
                except OSError:  # the terminal was closed
                    break
            if expected.encode() in seen and not is_left:
                os.write(master, b"\x11")
                is_left = True
        assert process.wait(PATIENCE) == 0, seen[-2000:]
        assert is_left, seen[-2000:]
    finally:
        process.kill()
        process.wait()
        os.close(master)
