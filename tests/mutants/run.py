"""`make mutants`: do the tests notice when a line of the rules, judges, verifier, store or match is changed?

    python tests/mutants/run.py                       every area; some hours on two cores
    python tests/mutants/run.py match store           these areas
    python tests/mutants/run.py verifier --sample 300  so many of the mutants of each area, the same ones each time
    python tests/mutants/run.py match --folder DIR --again  what lived or timed out there, with the tests of today

mutmut changes one place of a function at a time (`<` becomes `<=`, 1 becomes 2, a text gets XX around it, ...) and runs
the tests that reach it. A mutant that no test notices survives. docs/reliability.md has the last figures, and
`survivors.toml` says of each survivor why nothing can or need notice it; where one reason holds for many, a regular
expression stands for them. The exit status is 1 if less than 95 % of the
mutants of an area are killed, or if one survives that isn't in the list.

A mutant with which the tests take far longer is killed by a time limit, by the clock. On a busy machine this can be
wrong, so `--again` tries these mutants again too.

Each area is tried in a copy of the project, so the working tree stays as it is.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plugin import STATISTICS

ROOT = Path(__file__).resolve().parents[2]
SURVIVORS = Path(__file__).with_name("survivors.toml")
ENOUGH = 0.95
KILLED = ("killed", "timeout", "segfault", "caught by type check")
MUTMUT = (sys.executable, "-m", "mutmut")
RESULT = re.compile(r"^ +(\S+): (\w[\w ]*)$", re.MULTILINE)


@dataclass(frozen=True)
class Area:
    """Files to change, as patterns, and the tests that should notice. None of these tests compiles the files."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    without: str = ""  # tests that read source code, which is another one here, or are slow; as `pytest -k` takes it


AREAS = {
    "rules": Area(
        ("src/quet/games/*/rules.py",),
        ("tests/test_refusals.py", "tests/test_golden.py", "tests/test_two_referees.py", "tests/test_starts.py"),
        without="test_every_sentence_of_the_rules_is_in_the_tables or test_everything_works_on_a_game_from_paper",
    ),
    "judges": Area(
        ("src/quet/games/*/judge.py", "src/quet/core/paper.py"),
        ("tests/games/*_judge.py", "tests/core/test_paper.py", "tests/cli/test_score.py", "tests/test_golden.py"),
    ),
    "verifier": Area(  # without test_certificates.py, which waits for solvers
        (
            "src/quet/certificates/*.py",
            "src/quet/games/*/claims.py",
            "src/quet/games/*/perfect.py",
            "src/quet/games/*/planes.py",
        ),
        (
            "tests/certificates/test_[!c]*.py",
            "tests/certificates/test_claims.py",
            "tests/solving/test_sequence_ascension.py",
        ),
        without="the_bench or what_is_above or annealing or solver_of_formulas or large_grid or full_score"
        " or holds_and_trusts_nothing",
    ),
    "match": Area(
        ("src/quet/play/match.py", "src/quet/play/clock.py", "src/quet/web/match.py"),
        ("tests/play", "tests/web/test_match.py", "tests/web/test_old_database.py"),
    ),
    "store": Area(
        tuple(f"src/quet/web/storage/{name}.py" for name in ("store", "claims", "listings", "rows")),
        (
            "tests/web/test_rows.py",
            "tests/web/test_store.py",
            "tests/web/test_acts.py",
            "tests/web/test_old_database.py",
        ),
        without="postgresql",
    ),
}


def main(words: Sequence[str] | None = None) -> int:
    """Try the areas; 0 if enough is killed and every survivor is explained, else 1."""
    parser = argparse.ArgumentParser(description="Change the code in one place at a time, and see if tests notice.")
    parser.add_argument("areas", nargs="*", metavar="AREA", help=f"of {', '.join(AREAS)}; all of them if none is named")
    parser.add_argument(
        "--folder", type=Path, help="where the copies are made, and kept to go on with (a temporary one)"
    )
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--sample", type=int, metavar="N", help="try so many of each area, chosen by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="try only what was alive or timed out there")
    options = parser.parse_args(words)
    for area in options.areas:
        if area not in AREAS:
            parser.error(f"There is no area {area}; there are {', '.join(AREAS)}.")
    if options.again and not options.folder:
        parser.error("--again needs --folder.")
    listed = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))
    patterns = [re.compile(one["mutants"]) for one in listed.pop("alike")]
    is_good = True
    with tempfile.TemporaryDirectory() as temporary:
        for name in options.areas or AREAS:
            folder = (options.folder or Path(temporary)) / name
            _copy(AREAS[name], folder)
            # mutmut would not ask which functions a test reaches that it knew already.
            (folder / "mutants" / STATISTICS).unlink(missing_ok=True)
            chosen = _unsure(folder) if options.again else _sample(folder, options.sample, options.seed)
            results = _tried(folder, options.processes, chosen)
            alive = [_change(folder, mutant) for mutant in _alive(folder)]
            unknown = [one for one in alive if one not in listed and not any(each.fullmatch(one) for each in patterns)]
            killed = len(results) - len(alive)
            counts = f"{len(alive)} alive, {len(unknown)} unexplained"
            print(f"{name}: {len(results)} mutants, {killed} killed, {counts}", flush=True)
            for change in unknown:
                print(f"    {change}")
            if options.sample is None:
                for change in _no_longer_alive(listed, alive, results):
                    print(f"    no longer alive, to be taken from the list: {change}")
            is_good = is_good and not unknown and killed >= ENOUGH * len(results) > 0
    return int(not is_good)


def _no_longer_alive(listed: Mapping[str, str], alive: Sequence[str], tried: Iterable[str]) -> list[str]:
    """What the list has of the modules that were tried, and what tests notice now."""
    modules = tuple({mutant.removeprefix("quet.").partition(".x")[0] + "." for mutant in tried})
    return [change for change in listed if change.startswith(modules) and change not in alive]


def _tried(folder: Path, processes: int, chosen: Sequence[str]) -> dict[str, str]:
    """What became of each mutant that was tried: of these, or of all if none is chosen, and of those before."""
    log = folder / "mutmut.log"
    with log.open("wb") as out:
        subprocess.run(
            [*MUTMUT, "run", "--max-children", str(processes), *chosen],
            cwd=folder,
            env=_environment(folder),
            stdout=out,
            stderr=out,
        )
    results = _results(folder)
    if not results:
        sys.stdout.write(log.read_text(errors="replace")[-3000:])
    return results


def _sample(folder: Path, size: int | None, seed: int) -> list[str]:
    """So many mutants of all that there are; none, which stands for all, without a size."""
    if size is None:
        return []
    # mutmut lists mutants only after a run; one of a mutant that isn't there makes all of them, and then gives up.
    subprocess.run([*MUTMUT, "run", "none"], cwd=folder, env=_environment(folder), capture_output=True)
    mutants = sorted(_all_results(folder))
    return random.Random(seed).sample(mutants, min(size, len(mutants)))


def _alive(folder: Path) -> list[str]:
    return [mutant for mutant, result in sorted(_results(folder).items()) if result not in KILLED]


def _unsure(folder: Path) -> list[str]:
    return sorted({*_alive(folder), *(mutant for mutant, result in _results(folder).items() if result == "timeout")})


def _results(folder: Path) -> dict[str, str]:
    """What became of each mutant that was tried."""
    return {mutant: result for mutant, result in _all_results(folder).items() if result != "not checked"}


def _all_results(folder: Path) -> dict[str, str]:
    said = subprocess.run(
        [*MUTMUT, "results", "--all", "true"], cwd=folder, env=_environment(folder), capture_output=True, text=True
    )
    return dict(RESULT.findall(said.stdout))


def _change(folder: Path, mutant: str) -> str:
    """A mutant as the list of survivors names it: `games.blob.rules.is_good: lengths = 0 -> lengths = 1`."""
    said = subprocess.run(
        [*MUTMUT, "show", mutant], cwd=folder, env=_environment(folder), capture_output=True, text=True
    ).stdout
    old, new = (" ".join(re.findall(rf"^[{sign}] *([^-+ ].*?)(?:  # .*)?$", said, re.MULTILINE)) for sign in "-+")
    where = mutant.removeprefix("quet.").rpartition("__mutmut_")[0]
    where = re.sub(r"\.x(?:ǁ(\w+)ǁ|_)", lambda match: f".{match[1]}." if match[1] else ".", where)
    return f"{where}: {old} -> {new}"


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder / 'tests' / 'mutants'}"}


def _copy(area: Area, folder: Path) -> None:
    """A copy of what git knows, with the settings of mutmut. An older copy is brought up to date."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for file in filter(None, listed.split("\0")):
        if (ROOT / file).is_file():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, folder / file)
    arguments = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "plugin"]
    arguments += ["-k", f"not ({area.without})"] if area.without else []
    tests = [str(file.relative_to(folder)) for pattern in area.tests for file in sorted(folder.glob(pattern))]
    with (folder / "pyproject.toml").open("a") as out:
        out.write(
            "\n[tool.mutmut]\nsource_paths = ['src']\nalso_copy = ['results', 'docs', 'README.md', 'conftest.py']\n"
        )
        out.write(f"only_mutate = {list(area.files)}\n")
        out.write(f"pytest_add_cli_args = {arguments}\npytest_add_cli_args_test_selection = {tests}\n")


if __name__ == "__main__":
    sys.exit(main())
