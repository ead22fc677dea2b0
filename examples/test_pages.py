"""The commands of the pages run the examples, at smaller sizes: `make examples` runs this."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import quet
from quet.rl.agents import onnx

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests" / "manual"))

from code_blocks import blocks, named  # noqa: E402 - the folder of the tests of pages

SMALLER = {  # options and words, and what they are here
    r"--minutes \S+": "--minutes 0.02",
    r"--steps \S+": "--steps 500",
    r"train_all.py": "train_all.py --show",
    r"--positions \S+": "--positions 5",
    r"generalise.py 6 8 10 12": "generalise.py 4 6",
    r"mcts_bot.py --simulations \S+": "mcts_bot.py --simulations 2 --positions 2 --games 1 --folder .",
    r"\bm=\d+": "m=4",
    r"\bn=\d+": "n=3",
}
COMMANDS = {line for block in blocks() if block.is_commands for line in block.commands() if "python examples/" in line}


@pytest.mark.parametrize("line", sorted(COMMANDS))
def test_a_command_of_a_page_runs(line: str, tmp_path: Path) -> None:
    for pattern, small in SMALLER.items():
        line = re.sub(pattern, small, line)
    words = shlex.split(line)
    (tmp_path / "tasks.json").write_text('[["palindromes", {"m": 4}, "reachable"]]')
    files = [tmp_path / words[k + 1] for k, word in enumerate(words) if word in ("--out", "--log")]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [sys.executable, str(ROOT / words[1]), *words[2:]],
        cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert all(file.stat().st_size for file in files)


@pytest.mark.filterwarnings("ignore::FutureWarning")  # of PyTorch itself
def test_a_network_is_exported_as_a_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nn = pytest.importorskip("torch").nn
    network = nn.Sequential(nn.Flatten(), nn.Linear(32, 16))
    monkeypatch.chdir(tmp_path)
    exec(named("docs/how-to/submit-an-agent.md", "import quet.rl, torch").text, {"network": network})
    assert {file.name for file in tmp_path.iterdir()} == {"net.onnx", "net.onnx.data"}
    game = quet.new("palindromes", m=8)
    assert onnx("net.onnx").moves([game] * 2)[1] in game.legal_moves
