"""What `make dist` tries after installing works here too: a change of the library is noticed before a release."""

import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import quet

ROOT = Path(__file__).parents[2]
_SPEC = importlib.util.spec_from_file_location("distributions", Path(__file__).parent / "distributions.py")
assert _SPEC is not None and _SPEC.loader is not None
distributions = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(distributions)


@pytest.mark.parametrize("name", ["PLAY", "ENVIRONMENT"])
def test_a_program_that_is_run_after_installing_runs_here(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", getattr(distributions, name)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert name != "PLAY" or [line.split()[0] for line in done.stdout.splitlines()] == quet.game_ids()


def test_every_extra_is_tried_or_is_for_a_clone() -> None:
    tried, left = set(distributions.EXTRAS), set(distributions.OF_A_CLONE)
    assert not tried & left
    assert tried | left == set(distributions.PROJECT["optional-dependencies"])
    assert all(hasattr(distributions.Installed, f"try_{extra}") for extra in tried)


def test_a_shim_that_stands_for_no_python_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    for version in distributions.VERSIONS:
        shim = tmp_path / f"python{version}"
        shim.write_text(f"#!/bin/sh\n{'echo Python 3.13.0' if version == '3.13' else 'exit 127'}\n")
        shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    expected = [sys.executable] + ([str(tmp_path / "python3.13")] if here != "3.13" else [])
    assert distributions.pythons() == expected


def test_the_metadata_names_versions_that_are_tried() -> None:
    named = {word.rpartition(" ")[2] for word in distributions.PROJECT["classifiers"] if ":: Python :: 3." in word}
    assert named <= set(distributions.VERSIONS)


def test_the_container_is_built_from_all_that_the_wheel_takes() -> None:
    lines = (ROOT / "deploy" / "Containerfile.dockerignore").read_text(encoding="utf-8").split()
    copied = [Path(line[1:]) for line in lines if line.startswith("!")]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    build, project = settings["tool"]["hatch"]["build"]["targets"]["wheel"], settings["project"]
    taken = [
        *build["only-include"],
        *build["shared-data"],
        project["readme"],
        *project["license-files"],
        "pyproject.toml",
    ]
    missing = [one for one in taken if not any(path == Path(one) or path in Path(one).parents for path in copied)]
    assert lines[0] == "**" and taken and not missing
    assert all((ROOT / path).exists() for path in copied)
