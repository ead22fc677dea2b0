"""Shared by the tests: every game at a few small sizes, and games played at random."""

import os
import random
import re
import signal
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import hypothesis
import pytest

import quet
from quet.core.state import copy, key

# A slow or busy machine fails no test.
hypothesis.settings.register_profile("quet", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("quet")

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

SMALL: dict[str, list[dict[str, Any]]] = {
    "blob": [{"n": 2}, {"n": 4}, {"n": 5}],
    "convoluted-coprimality": [
        {"n": 2, "grids": 1},
        {"n": 4, "players": 3, "grids": 2},
        {"n": 5, "players": 8, "grids": 3},
    ],
    "divisors-multiples": [{"r": 2}, {"r": 6, "players": 3}, {"r": 12}],
    "palindromes": [{"m": 1}, {"m": 5}, {"m": 16}],
    "plusses-minuses": [{"n": 2}, {"n": 4, "second_part_first": 2}, {"n": 6}],
    "sequence-ascension": [{"n": 2}, {"n": 4, "sequence": "mod3"}, {"n": 5, "sequence": "random:3:-2:2"}],
    "sums-grid": [{"n": 1}, {"n": 2}, {"n": 3}],
    "up-and-up": [{"n": 1}, {"n": 3}, {"n": 6}],
}


def check_games(found: Iterable[str], place: str) -> None:
    """Fail where a list of games has not exactly those of Quet; the sentence says which file to edit."""
    lacking, unknown = sorted(SMALL.keys() - set(found)), sorted(set(found) - SMALL.keys())
    assert not lacking, f"Add {', '.join(lacking)} to {place}."
    assert not unknown, f"Remove {', '.join(unknown)} from {place}, or add it to SMALL in tests/conftest.py."


def small_games() -> Iterator[quet.Game]:
    """A new game of each kind at each small size."""
    for id, sizes in SMALL.items():
        for parameters in sizes:
            yield quet.new(id, **parameters)


def small(id: str, sizes: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """The size of a game among those of a test, or a small one where the game is new to the test."""
    return sizes[id] if id in sizes else SMALL[id][1] if id in SMALL else {}


def play_at_random(game: quet.Game, seed: int, limit: int = 400) -> Iterator[quet.Game]:
    """The same game after each of its random legal moves, until it is over or `limit` moves are played."""
    generator = random.Random(seed)
    while not game.is_over and game.ply < limit:
        game.play(generator.choice(game.legal_moves))
        yield game


def without_progress(errors: str) -> str:
    """Standard error without the lines that tell every ten seconds, so on a busy machine, how far a command is."""
    return re.sub(r"(?m)^quet: .*, \d+ s\n", "", errors)


def after(rules: Any, s: Any, move: int) -> Any:
    """The state after a move; `s` stays as it is."""
    twin = copy(s)
    rules.play(twin, move)
    return twin


def value_by_trying_everything(game: quet.Game) -> int:
    """Player 1's final lead under perfect play, or the best final score of a solitaire, found without the engine.

    Where the lower score is better, it is negated.
    """
    rules = game.rules
    found: dict[tuple[object, ...], int] = {}

    def value(s: Any) -> int:
        if rules.is_over(s):
            lead = rules.score(s, 1) - (rules.score(s, 2) if game.num_players > 1 else 0)
            return -lead if rules.LOWER_IS_BETTER else lead
        if key(s) not in found:
            out, values = [0] * rules.most_moves(s), []
            for move in out[: rules.legal_moves(s, out)]:
                values.append(value(after(rules, s, move)))
            found[key(s)] = max(values) if rules.mover(s) == 1 else min(values)
        return found[key(s)]

    return value(game.state)


@pytest.fixture(scope="session", autouse=True)
def _no_saved_tables(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests don't look into the tables that the user has saved."""
    os.environ["QUET_TABLES"] = str(tmp_path_factory.mktemp("tables"))


@pytest.fixture
def _in_a_terminal() -> Iterator[None]:
    """SIGHUP ends this process and those that it begins; under nohup, where tests may run, it is ignored."""
    if sys.platform == "win32":
        yield
        return
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with the argument `game_id` runs for every game that is installed, with `our_game_id` for those of Quet.

    The latter is for what only our games have: sizes in `SMALL`, rulings with a source, a second referee.
    """
    for name, ids in (("game_id", quet.game_ids()), ("our_game_id", sorted(SMALL))):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, ids)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI everything that tests need is installed: there a test that is skipped has failed."""
    return _without_skips((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """As above, for a whole file that is skipped."""
    return _without_skips((yield))


def _without_skips(report: Report) -> Report:
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("CI"):
        report.outcome = "failed"
    return report
