"""Saved tables give the same values again, damage is found, and no solver is asked where a table exists."""

import gzip
import itertools
import json
import multiprocessing
import os
import random
from pathlib import Path
from typing import Any

import pytest

import quet
from quet.capabilities import found as capabilities_of
from quet.cli import ugi
from quet.cli.main import main
from quet.distribution.task import Task
from quet.distribution.workers import here
from quet.games.divisors_multiples import exact as divisors_exact
from quet.games.palindromes import exact as palindromes_exact
from quet.games.palindromes import retrograde, rules
from quet.knowledge import values
from quet.players.player import player
from quet.solving import valuers
from quet.solving.choose import all_positions
from quet.study import analysis
from quet.tablebases import files as tables
from quet.tablebases.files import BadTablebase

exact = capabilities_of(palindromes_exact)
divisors = capabilities_of(divisors_exact)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of tables, empty."""
    monkeypatch.setenv("QUET_TABLES", str(tmp_path / "tables"))
    return tmp_path / "tables"


def saved(m: int) -> Path:
    """The file of a table of Palindromes."""
    game = quet.new("palindromes", m=m)
    return tables.save(solved(m), game.id, rules, exact, game.parameters)


def solved(m: int) -> retrograde.Solution:
    """A table of Palindromes."""
    table = retrograde.solve(quet.new("palindromes", m=m).state, Task(workers=here()))
    assert table is not None
    return table


def load(file: Path, **parameters: object) -> Any:
    return tables.load(file, "palindromes", rules, exact, parameters or {"m": 8})


def plain_values(m: int) -> dict[tuple[int, ...], int]:
    """The value of every position, by the rules alone."""
    found: dict[tuple[int, ...], int] = {}
    rows = itertools.product((rules.EMPTY, 0, 1), repeat=m)
    for row in sorted(rows, key=lambda row: row.count(rules.EMPTY)):
        s = rules.State()
        rules.start(s, m)
        s.digits[:m], s.ply = row, m - row.count(rules.EMPTY)
        if rules.is_over(s):
            found[row] = rules.score(s, 1) - rules.score(s, 2)
        else:
            after = [
                found[(*row[:square], digit, *row[square + 1 :])]
                for square in range(m)
                if row[square] == rules.EMPTY
                for digit in (0, 1)
            ]
            found[row] = max(after) if rules.mover(s) == 1 else min(after)
    return found


def test_a_loaded_table_has_the_values_of_a_plain_search_in_every_position() -> None:
    table = load(saved(8))
    for row, value in plain_values(8).items():
        s = rules.State()
        rules.start(s, 8)
        s.digits[:8], s.ply = row, 8 - row.count(rules.EMPTY)
        assert table.value(s) == value


def test_a_solution_of_the_games_own_is_loaded_as_it_was_saved() -> None:
    game = quet.new("divisors-multiples", r=9)
    solution = divisors_exact.solve(game.state, Task(memory=2**20))
    assert solution is not None
    file = tables.save(solution, game.id, game.rules, divisors, game.parameters)
    loaded = tables.load(file, game.id, game.rules, divisors, game.parameters)
    generator = random.Random(1)
    for _ in range(20):
        twin = game.copy()
        while not twin.is_over:
            assert loaded.covers(twin.state)
            assert loaded.value(twin.state) == solution.value(twin.state)
            twin.play(generator.choice([move for move in twin.legal_moves if "!" in move] or twin.legal_moves))


@pytest.mark.parametrize(
    ("id", "parameters"),
    [("blob", {"n": 3}), ("plusses-minuses", {"n": 4, "second_part_first": 2}), ("up-and-up", {"n": 3})],
    ids=str,
)
def test_a_table_of_all_positions_is_loaded_with_the_values_of_a_solver(id: str, parameters: dict[str, int]) -> None:
    game = quet.new(id, **parameters)
    generator = random.Random(1)
    games = []
    for _ in range(10):
        twin = game.copy()
        while not twin.is_over:
            games.append(twin.copy())
            twin.play(generator.choice(twin.legal_moves))
    expected = [values.exact_values(each, seconds=60) for each in games]
    file = saved_positions(id, parameters)
    assert file.exists()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(values, "_valuer", None)
        assert [values.exact_values(each) for each in games] == expected


def saved_positions(id: str, parameters: dict[str, int]) -> Path:
    game = quet.new(id, **parameters)
    found = all_positions(game.rules, game.entry.capabilities, game.state, Task())
    assert found is not None
    return tables.save(found, id, game.rules, game.entry.capabilities, game.parameters)


OLD = Path(__file__).parent / "old_tables"


@pytest.mark.parametrize(
    ("name", "id", "parameters"),
    [
        ("blob-n3", "blob", {"n": 3}),
        ("convoluted-coprimality-n3-players2-grids2", "convoluted-coprimality", {"n": 3, "grids": 2}),
        ("divisors-multiples-r6-players2", "divisors-multiples", {"r": 6}),
        ("palindromes-m7", "palindromes", {"m": 7}),
        ("plusses-minuses-n3-second_part_first1", "plusses-minuses", {"n": 3}),
        ("up-and-up-n3", "up-and-up", {"n": 3}),
    ],
)
def test_tables_of_before_are_read_without_a_solver(
    name: str, id: str, parameters: dict[str, int], folder: Path
) -> None:
    """The code of 2f1d3df wrote them, with a digest of its files instead of a numbering.

    Whoever changes keys, or the places in a table, raises the game's NUMBERING. These files are then refused.
    """
    game = quet.new(id, **parameters)
    expected = values.exact_values(game, seconds=60)
    tables.make_folder()
    (folder / f"{name}.table").write_bytes(gzip.decompress((OLD / f"{name}.table.gz").read_bytes()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(values, "_valuer", None)
        assert values.exact_values(game) == expected is not None


def test_every_damaged_byte_of_a_file_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "BLOCK", 64)
    file = saved(4)
    whole = file.read_bytes()

    def look_everywhere() -> None:
        table = load(file, m=4)
        for array in (table.starts, table.values):
            for i in range(len(array)):
                array[i]

    look_everywhere()
    generator = random.Random(1)
    padding = 0
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << generator.randrange(8)]) + whole[place + 1 :])
        try:
            look_everywhere()
        except BadTablebase:
            continue
        assert whole[place] == 0
        padding += 1
    assert padding < 3 * 64  # after the header and after each of the arrays


def test_a_file_cut_short_or_made_longer_is_refused() -> None:
    file = saved(8)
    whole = file.read_bytes()
    for length in [0, 5, 11, 13, 30, 60, 100, 300, tables.BLOCK, 2 * tables.BLOCK, len(whole) - 1]:
        file.write_bytes(whole[:length])
        with pytest.raises(BadTablebase, match=r"^[A-Z][^\n]*\.$"):
            load(file)
    file.write_bytes(whole + b"\0")
    with pytest.raises(BadTablebase, match="cut short, or has more at its end"):
        load(file)


def test_a_table_of_another_question_or_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    file = saved(8)
    with pytest.raises(BadTablebase, match="its parameters is another one"):
        load(file, m=9)
    with pytest.raises(BadTablebase, match="its game is another one"):
        tables.load(file, "blob", rules, exact, {"m": 8})
    with monkeypatch.context() as patch:
        patch.setattr(rules, "VERSION", rules.VERSION + 1)
        with pytest.raises(BadTablebase, match="its version of the rules is another one"):
            load(file)
    with monkeypatch.context() as patch:
        patch.setattr(tables, "_numbering", lambda capabilities, kind: [2])
        with pytest.raises(BadTablebase, match="Another version of the program saved it"):
            load(file)
    file.write_bytes(file.read_bytes().replace(b"quet-table 1\n", b"quet-table 2\n"))
    with pytest.raises(BadTablebase, match="another version of the format than 1"):
        load(file)
    for content in (
        b"",
        b"quet",
        b"\x7fELF" + bytes(1000),
        b"{}\n",
        b"quet-table 1\n",
        b"quet-table 1\n" + b"\xff" * 99,
    ):
        file.write_bytes(content)
        with pytest.raises(BadTablebase, match=r"^[A-Z][^\n]*\.$"):
            load(file)


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadTablebase, match="can't be read"):
        load(tmp_path)
    with pytest.raises(BadTablebase, match="can't be read"):
        load(tmp_path / "missing")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadTablebase, match="not a regular file"):
        load(tmp_path / "pipe")


class Asked(Exception):
    """A solver was asked."""


@pytest.fixture
def without_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every way to a value but a tablebase is an error."""

    def asked(*arguments: object, **options: object) -> None:
        raise Asked

    for name in ("_solve", "prepare"):
        monkeypatch.setattr(valuers.ByTable, name, asked)
    for kind in (valuers.ByAlphaBeta, valuers.ByTree, valuers.ByRules):
        monkeypatch.setattr(kind, "__init__", asked)
    values._solved.clear()


@pytest.mark.long
@pytest.mark.usefixtures("without_solvers")
def test_with_a_saved_table_no_solver_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    game = quet.new("palindromes", m=9)
    with pytest.raises(Asked):
        values.exact_values(game)
    saved(9)
    plain = plain_values(9)
    start = (rules.EMPTY,) * 9
    expected = {
        f"{square + 1}={digit}": plain[(*start[:square], digit, *start[square + 1 :])]
        for square in range(9)
        for digit in (0, 1)
    }
    assert values.exact_values(game, seconds=0.0) == expected
    assert expected[player("level:perfect", 1).choose(game)] == max(expected.values())
    assert expected[player("level:6", 1).choose(game)] == max(expected.values())


@pytest.mark.usefixtures("without_solvers")
def test_the_protocol_answers_from_a_saved_table() -> None:
    said: list[str] = []
    engine = ugi.Engine(said.append)
    saved(8)
    engine.answer(b"newgame palindromes m=8")
    engine.answer(b"query values")
    expected = values.exact_values(quet.new("palindromes", m=8))
    assert expected is not None
    assert said == ["ok", f"response exact {' '.join(f'{move}:{value}' for move, value in expected.items())}"]


@pytest.mark.usefixtures("without_solvers")
def test_an_analysis_is_made_from_a_saved_table() -> None:
    saved(9)
    game = quet.new("palindromes", m=9)
    generator = random.Random(1)
    while not game.is_over:
        game.play(generator.choice(game.legal_moves))
    found = analysis.analyse(game, seconds=0.1)
    assert all(each.value.is_exact and each.best.is_exact for each in found.assessments)


def test_a_damaged_table_is_done_without_and_a_warning_says_so() -> None:
    game = quet.new("palindromes", m=7)
    expected = values.exact_values(game)
    file = saved(7)
    content = file.read_bytes()
    file.write_bytes(content[:-1])
    with pytest.warns(values.TablebaseWarning, match=r"palindromes-m7\.table is not used: .*\.$"):
        assert values.exact_values(game) == expected
    file.write_bytes(content[: -tables.BLOCK] + b"\xff" + content[1 - tables.BLOCK :])
    with pytest.warns(values.TablebaseWarning, match="is not used: A part of it is damaged"):
        assert values.exact_values(game) == expected
    file.write_bytes(content)
    assert values.exact_values(game) == expected


def test_a_table_that_is_replaced_by_one_of_the_same_size_is_read_again() -> None:
    game = quet.new("palindromes", m=7)
    table = solved(7)
    file = tables.save(table, game.id, rules, exact, game.parameters)
    before, size = tables.find(game.id, rules, exact, game.parameters), file.stat().st_size
    table.values[:] = 1
    assert before is not None and before.value(game.state) != table.value(game.state)
    tables.save(table, game.id, rules, exact, game.parameters)
    after = tables.find(game.id, rules, exact, game.parameters)
    assert after is not None and after is tables.find(game.id, rules, exact, game.parameters)
    assert file.stat().st_size == size and after.value(game.state) == table.value(game.state)


def test_a_value_too_large_for_a_saved_table_is_found_all_the_same() -> None:
    game = quet.new("palindromes", m=14)
    for square in range(1, 14):
        game.play(f"{square}=0")
    expected = values.exact_values(game)
    saved(14)
    assert values.exact_values(game) == expected
    assert max(map(abs, expected.values())) > 2 * retrograde.LARGEST  # type: ignore[union-attr]


def save_often(folder: str, m: int, times: int) -> None:
    """In another process: save the same table again and again."""
    os.environ["QUET_TABLES"] = folder
    for _ in range(times):
        saved(m)


@pytest.mark.long
def test_two_processes_that_save_at_once_leave_a_whole_table(folder: Path) -> None:
    expected = solved(8)
    file = saved(8)
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=save_often, args=(str(folder), 8, 10)) for _ in range(2)]
    for other in others:
        other.start()
    while any(other.is_alive() for other in others):  # meanwhile every look finds a whole one
        table = load(file)
        assert [table.values[i] for i in range(0, len(table.values), 97)] == expected.values[::97].tolist()
    for other in others:
        other.join()
        assert other.exitcode == 0
    assert [each.name for each in folder.iterdir()] == ["palindromes-m8.table"]


def test_solve_keeps_its_table_where_it_is_asked_to(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["solve", "divisors-multiples", "r=8", "--save-tablebase"]) == 0
    file = folder / "divisors-multiples-r8-players2.table"
    assert f"Tablebase: {file} (" in capsys.readouterr().out
    assert main(["solve", "palindromes", "m=6", "--save-tablebase", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["table"] == str(folder / "palindromes-m6.table")
    assert main(["solve", "blob", "n=3", "--time", "60", "--save-tablebase"]) == 0
    assert f"Tablebase: {folder / 'blob-n3.table'} (" in capsys.readouterr().out
    game = quet.new("divisors-multiples", r=8)
    expected = values.exact_values(game)
    monkeypatch.setattr(values, "_valuer", None)
    assert values.exact_values(game) == expected is not None


@pytest.mark.long
@pytest.mark.parametrize("words", [("palindromes", "m=6"), ("divisors-multiples", "r=8"), ("blob", "n=3")], ids=str)
def test_a_table_is_kept_too_where_a_checkpoint_has_the_answer(
    words: tuple[str, str], folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checkpoint = ("--checkpoint", str(tmp_path / "checkpoint"), "--save-tablebase", "--json")
    assert main(["solve", *words, *checkpoint]) == 0
    first = json.loads(capsys.readouterr().out)
    file = Path(first["table"])
    content = file.read_bytes()
    file.unlink()
    assert main(["solve", *words, *checkpoint]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["table"], found["value"], found["nodes"]) == (first["table"], first["value"], first["nodes"])
    assert file.read_bytes() == content


def test_tables_are_in_the_data_folder_where_no_other_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUET_TABLES")
    monkeypatch.setenv("QUET_DATA", str(tmp_path / "data"))
    assert tables.folder() == tmp_path / "data" / "tables"
    monkeypatch.delenv("QUET_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    assert tables.folder().name == "tables" and tables.folder().parent.name == "quet"


def test_solve_says_where_no_table_was_made_or_can_be_kept(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["solve", "sums-grid", "n=2", "--save-tablebase"]) == 0
    assert (
        "No tablebase is saved: it would take more time or memory, or the game has none of this size."
        in capsys.readouterr().out
    )
    (folder / "file").write_text("")
    monkeypatch.setenv("QUET_TABLES", str(folder / "file" / "tables"))
    assert main(["solve", "palindromes", "m=4", "--save-tablebase"]) != 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "No file can be made in this folder: Not a directory." in captured.err


def test_ctrl_c_while_a_table_is_made_does_not_lose_the_answer(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("quet.solving.choose.all_positions", interrupted)
    assert main(["solve", "blob", "n=2", "--save-tablebase"]) == 0
    out = capsys.readouterr().out
    assert "The value is 0, proven" in out and "No tablebase is saved: making it was stopped." in out


def test_without_time_solve_leaves_the_game_open(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "palindromes", "m=18", "--time", "0.01", "--save-tablebase", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["status"] == "open"
    assert found["table"] is None
