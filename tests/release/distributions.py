"""`make dist`: build the wheel and the source distribution, check them, install them with each extra, and play.

    python tests/release/distributions.py                     everything, with each Python that is on this machine
    python tests/release/distributions.py --extras site rl    only these extras
    python tests/release/distributions.py --extras            none of them

The wheel is made from the source distribution, so the latter has all that is needed. Every check runs in a fresh
virtual environment and an empty folder, so it can't find anything of the project by accident. The exit status is 1 if
something fails; what failed is printed.
"""

import argparse
import email
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import urllib.error
import urllib.request
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("site", "solve", "cluster", "rl", "arena", "all")  # those that people install
OF_A_CLONE = ("docs", "bench", "examples", "dist", "mutants", "dev")  # those for files that only a clone has
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
LARGEST = 20_000_000  # bytes of a distribution
NEEDED = {  # files of the source distribution that people look for
    "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md",
}  # fmt: skip

PLAY = """
import quet
for id in quet.game_ids():
    game, computer = quet.new(id), quet.player("random", seed=1)
    while not game.is_over:
        game.play(computer.choose(game))
    print(id, *game.scores)
"""
CLUSTER = """
import subprocess, sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        words = [sys.argv[1], "solve", "palindromes", "m=8", "--cluster", cluster.scheduler_address]
        words += ["--checkpoint", "checkpoint.json"]
        sys.exit(subprocess.run(words).returncode)
"""
ENVIRONMENT = """
import gymnasium, quet.rl
env = gymnasium.make("quet/UpAndUp-v1", n=3)
observation, info = env.reset(seed=1)
done = False
while not done:
    observation, reward, done, cut, info = env.step(info["action_mask"].argmax())
board = quet.rl.aec("blob", n=3)
board.reset(seed=1)
for agent in board.agent_iter():
    observation, reward, done, cut, info = board.last()
    board.step(None if done or cut else int(info["action_mask"].argmax()))
"""


class Failed(Exception):
    """Something that people would meet after installing."""


class Installed:
    """A fresh virtual environment with the wheel and an extra."""

    def __init__(self, folder: Path, python: str, wheel: Path, extra: str) -> None:
        self.folder = folder
        run([python, "-m", "venv", str(folder / "venv")])
        self.bin = folder / "venv" / "bin"
        named = f"quet[{extra}] @ {wheel.as_uri()}" if extra else str(wheel)
        self.run(
            "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", ROOT / "constraints.txt", named
        )

    def run(self, program: str, *words: object) -> str:
        """What a program of this environment prints. Raises Failed."""
        return run([str(self.bin / program), *map(str, words)], self.folder)

    def try_base(self) -> None:
        if self.run("quet", "--version").split()[-1] != PROJECT_VERSION:
            raise Failed("quet --version tells another version.")
        if len(self.run("python", "-c", PLAY).splitlines()) != len(list(ROOT.glob("src/quet/games/*/facts.toml"))):
            raise Failed("The library didn't play all games.")
        end = self.run("quet", "play", "blob", "n=3", "--seat", "level:1", "--seat", "level:1", "--plain")
        if "win" not in end and "draw" not in end:
            raise Failed(f"quet play ended with: {end[-200:]}")
        self.run("quet", "results", "up-and-up")
        self.run("quet", "sheet", "blob", "n=3", "-o", "sheet.png")

    def try_site(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = subprocess.Popen(
            [str(self.bin / "quet"), "serve", "--port", str(port)],
            cwd=self.folder,
            env=environment(self.folder),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            for path in ("/", "/rules/blob", "/results", "/answers", "/puzzles", "/daily", "/health"):
                if answer_of(f"http://127.0.0.1:{port}{path}") != 200:
                    raise Failed(f"The site doesn't answer {path}.")
        finally:
            server.terminate()
            server.wait()

    def try_solve(self) -> None:
        self.run("quet", "solve", "sequence-ascension", "n=3", "--certificate", "ascension.json")
        self.run("quet", "verify", "ascension.json")

    def try_cluster(self) -> None:
        (self.folder / "cluster.py").write_text(CLUSTER, encoding="utf-8")
        self.run("python", "cluster.py", self.bin / "quet")

    def try_rl(self) -> None:
        self.run("python", "-c", ENVIRONMENT)

    def try_arena(self) -> None:
        self.run("quet", "arena", "palindromes", "m=4", "--players", "random,level:1", "--games", "4")

    def try_all(self) -> None:
        self.try_solve()
        self.try_rl()
        self.try_arena()


def main(words: Sequence[str] | None = None) -> int:
    """Build, check, install and play; 0 if all is well, else 1."""
    parser = argparse.ArgumentParser(description="Build the distributions, check them, install them, and play.")
    parser.add_argument("--extras", nargs="*", choices=EXTRAS, default=EXTRAS, help="which to install (all of them)")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the distributions go (dist)")
    options = parser.parse_args(words)
    try:
        shutil.rmtree(options.out, ignore_errors=True)
        run([sys.executable, "-m", "build", "--outdir", str(options.out), str(ROOT)])
        run([sys.executable, "-m", "twine", "check", "--strict", *map(str, options.out.iterdir())])
        wheel, source = next(options.out.glob("*.whl")), next(options.out.glob("*.tar.gz"))
        check_content(wheel, source)
        print(f"{wheel.name}: {wheel.stat().st_size} bytes; {source.name}: {source.stat().st_size} bytes", flush=True)
        for python in pythons():
            version = run([python, "--version"]).strip()
            for extra in ("", *options.extras):
                try_one(python, version, wheel, extra)
    except Failed as error:
        print(f"make dist: {error}", file=sys.stderr)
        return 1
    return 0


def try_one(python: str, version: str, wheel: Path, extra: str) -> None:
    """Install the wheel with an extra, and use it."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        installed = Installed(Path(folder), python, wheel, extra)
        installed.try_base()
        if extra:
            getattr(installed, f"try_{extra}")()
    name = f"quet[{extra}]" if extra else "quet"
    print(f"{version}: {name} installs and plays ({time.perf_counter() - began:.0f} s)", flush=True)


def pythons() -> list[str]:
    """The Pythons of this machine that Quet is for, the one that runs this first.

    A program on the path may be a shim that stands for no Python here, so that each is asked for its version.
    """
    found = {f"{sys.version_info.major}.{sys.version_info.minor}": sys.executable}
    for version in VERSIONS:
        program = shutil.which(f"python{version}")
        if program and version not in found:
            told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
            if told.returncode == 0 and told.stdout.startswith(f"Python {version}."):
                found[version] = program
    return list(found.values())


def check_content(wheel: Path, source: Path) -> None:
    """Whether metadata and files are those that people look for. Raises Failed."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = email.message_from_bytes(archive.read(next(name for name in names if name.endswith("/METADATA"))))
    for field, wanted in (("Name", "quet"), ("Version", PROJECT_VERSION), ("License-Expression", "MIT")):
        if metadata[field] != wanted:
            raise Failed(f"The wheel's {field} is {metadata[field]}, not {wanted}.")
    if not {*EXTRAS} <= {*metadata.get_all("Provides-Extra", [])}:
        raise Failed("The wheel lacks an extra.")
    if any(name.startswith(("tests/", "bench/")) for name in names):
        raise Failed("The wheel has tests or benches.")
    with tarfile.open(source) as archive_of_source:
        inside = {member.name.partition("/")[2] for member in archive_of_source.getmembers()}
    if missing := NEEDED - inside:
        raise Failed(f"The source distribution lacks {', '.join(sorted(missing))}.")
    for file in (wheel, source):
        if file.stat().st_size > LARGEST:
            raise Failed(f"{file.name} is larger than {LARGEST} bytes.")


def answer_of(address: str) -> int:
    """The status of a page; it waits until the server answers, a minute at most."""
    end = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError as error:
            if time.monotonic() > end:
                raise Failed(f"{address}: {error}") from None
            time.sleep(0.2)


def environment(folder: Path) -> dict[str, str]:
    """Variables under which nothing of this project, and no data of the user, is found."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("QUET_", "PYTHON"))}
    return {**kept, "QUET_DATA": str(folder / "data"), "NO_COLOR": "1"}


def run(words: Sequence[str], folder: Path | None = None) -> str:
    """What a program prints. Raises Failed, with what it said, if it fails."""
    done = subprocess.run(
        words,
        cwd=folder,
        env=environment(folder) if folder else None,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise Failed(f"{' '.join(words)} fails with status {done.returncode}:\n{done.stdout[-2000:]}")
    return done.stdout


def _version() -> str:
    code = (ROOT / "src" / "quet" / "__init__.py").read_text(encoding="utf-8")
    return next(line.split('"')[1] for line in code.splitlines() if line.startswith("__version__"))


PROJECT_VERSION = _version()

if __name__ == "__main__":
    sys.exit(main())
