"""A ninth game, made from the template in a package of its own and installed, works everywhere without an edit here."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import quet
from conftest import without_progress
from quet.certificates import certificate_file, verify
from quet.cli import main as cli
from quet.cli import new_game

NAME = "ninth-game"
TESTS = Path(__file__).parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed ninth game, to be put on Python's path."""
    folder = tmp_path_factory.mktemp("work")
    assert cli.main(["new-game", NAME, "--in", str(folder)]) == 0
    site = folder / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--disable-pip-version-check", "--target", str(site), str(folder / NAME)], check=True)
    return site


def run(site: Path, *words: str, read: str = "", status: int = 0) -> str:
    """What a program prints that finds the installed game; it must end with this status."""
    done = subprocess.run(
        [sys.executable, *words], input=read, env=environment(site), capture_output=True, text=True, check=False
    )
    assert (done.returncode, without_progress(done.stderr)) == (status, ""), done.stdout
    return done.stdout


def environment(site: Path) -> dict[str, str]:
    """The environment of this process, with the folder added to Python's path."""
    paths = [str(site), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def test_the_catalog_lists_it(site: Path) -> None:
    listed = json.loads(run(site, "-m", "quet", "games", "--json"))
    assert [game["game"] for game in listed] == sorted({*quet.game_ids(), NAME})


def test_it_keeps_the_contract(site: Path) -> None:
    result = json.loads(run(site, "-m", "quet", "check", NAME, "--json"))
    assert result["passed"]
    assert all(broken == "" for broken in result["checks"].values())


@pytest.mark.long
def test_the_test_in_its_package_passes(site: Path) -> None:
    tests = site.parent / NAME / "tests"
    assert "passed" in run(
        site, "-m", "pytest", "-c", os.devnull, "-p", "no:cacheprovider", "-p", "no:asyncio", str(tests)
    )


def test_it_is_judged_on_paper(site: Path) -> None:
    judged = json.loads(run(site, "-m", "quet", "score", NAME, "*.*.*", "--json"))
    assert judged["scores"] == [1, 0]


def test_it_is_played_line_by_line_and_drawn_from_its_record(site: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.quet"
    said = run(site, "-m", "quet", "play", NAME, "n=5", "--plain", read=f"1\n2\n3\n5\nsave {record}\nquit\n")
    assert "Square 2 is beside a filled square." in said
    for picture in ("x.svg", "x.png", "x.gif"):
        run(site, "-m", "quet", "show", str(record), "-o", str(tmp_path / picture))
        assert (tmp_path / picture).stat().st_size > 500
    assert json.loads(run(site, "-m", "quet", "replay", str(record), "--json"))[0]["scores"] == [1, 0]


def test_it_is_played_through_the_protocol(site: Path) -> None:
    said = run(site, "-m", "quet", "ugi", read=f"newgame {NAME} n=3\nposition startpos moves 1\nquery legal\n")
    assert said == "ok\nok\nresponse 3\n"


def grundy(n: int, known: dict[int, int]) -> int:
    """The Grundy number of a row of n: a move leaves two rows, without the square and its neighbours."""
    if n not in known:
        after = {grundy(max(i - 1, 0), known) ^ grundy(max(n - i - 2, 0), known) for i in range(n)}
        known[n] = next(number for number in range(n + 1) if number not in after)
    return known[n]


def test_it_is_solved_by_its_rules_alone(site: Path) -> None:
    for n in (1, 4, 9, 14, 20):
        found = json.loads(run(site, "-m", "quet", "solve", NAME, f"n={n}", "--json"))
        assert (found["status"], found["value"]) == ("proven", 1 if grundy(n, {}) else -1)
        assert found["has_all_best_moves"]
        assert found["seconds"] < 60  # two or so


def test_its_values_are_known_to_whoever_asks(site: Path, tmp_path: Path) -> None:
    said = run(site, "-m", "quet", "ugi", read=f"newgame {NAME} n=3\nquery values\n")
    assert said == "ok\nresponse exact 1:-1 2:1 3:-1\n"
    program = f"""
import quet
from quet.players.player import player
game = quet.new({NAME!r}, n=9)
while not game.is_over:
    game.play(player("level:perfect" if game.mover == 1 else "random", 1).choose(game))
print(game.winners)
"""
    assert run(site, "-c", program) == "[1]\n"


def test_it_is_solved_and_its_certificate_is_checked_and_not_to_be_forged(site: Path, tmp_path: Path) -> None:
    file, forged = str(tmp_path / "proof.json"), str(tmp_path / "forged.json")
    solved = json.loads(run(site, "-m", "quet", "solve", NAME, "n=9", "--certificate", file, "--json"))
    assert (solved["status"], solved["value"], solved["certificate"]) == ("proven", 1, file)
    assert f"{NAME} n=9: the value is 1.\n" in run(site, "-m", "quet", "verify", file)
    certificate = certificate_file.read(file)
    assert isinstance(certificate, dict)
    certificate["claim"] = {"score": "value", "low": -1, "high": -1, "best_moves": None}
    certificate["witness"] = ["1", "4", "7", "9"]
    certificate_file.write(certificate | {"digest": verify.digest(certificate)}, forged)
    said = run(site, "-m", "quet", "verify", file, forged, status=1)
    assert said.startswith(f"verified   {file}: ")
    assert f"refuted    {forged}: grounds: By the table the value is 1, not -1." in said


SECOND = """
import time

LARGEST = 20
MOST_PLAYERS = 2
FINDS_BOUNDS = False
WORDS = "Grundy numbers of shorter rows"


def value(parameters, value, bound, until):
    known = {-1: 0, 0: 0}
    for n in range(1, parameters["n"] + 1):
        after = {known[max(i - 1, 0)] ^ known[max(n - i - 2, 0)] for i in range(n)}
        known[n] = next(number for number in range(n + 1) if number not in after)
    return None if time.monotonic() >= until else 1 if known[parameters["n"]] else -1
"""


@pytest.mark.long
def test_it_has_a_table_of_results(site: Path, tmp_path: Path) -> None:
    """Made by the plan in its facts, shown, verified, drawn, exported, confirmed in its second way, and extended."""
    folder = tmp_path / "mine"
    folder.mkdir()
    table = ["--folder", str(folder)]
    site = shutil.copytree(site, tmp_path / "site")
    (site / "quet_ninth_game" / "second.py").write_text(SECOND)
    made = run(site, "-m", "quet.results.make", NAME, *table, "--work", str(tmp_path / "work"))
    values = [1 if grundy(n, {}) else -1 for n in range(1, 7)]
    assert made.splitlines() == [
        f"{NAME} n={n}: {NAME} n={n}, value: {value}, proven, which is new." for n, value in enumerate(values[:5], 1)
    ]
    certificate = str(tmp_path / "six.json")
    run(site, "-m", "quet", "solve", NAME, "n=6", "--certificate", certificate)
    entered = run(site, "-m", "quet", "results", "submit", certificate, *table)
    assert entered == f"Entered {NAME} n=6, value: {values[5]}, proven, which is new.\n"
    shown = json.loads(run(site, "-m", "quet", "results", NAME, "--json", *table))
    assert [(row["parameters"]["n"], row["value"], row["proof"]) for row in shown] == [
        (n, value, "table") for n, value in enumerate(values, 1)
    ]
    verified = run(site, "-m", "quet", "results", "verify", NAME, *table)
    assert verified.splitlines() == [
        *(f"verified   {NAME} n={n}, value" for n in range(1, 7)),
        "6 rows: 6 verified, 0 unchecked, 0 refuted, 0 missing.",
    ]
    confirmed = run(site, "-m", "quet.results.confirm", NAME, "--all", *table)
    assert confirmed.count("also by Grundy numbers of shorter rows.") == 6
    files = [str(tmp_path / name) for name in ("x.svg", "b.txt", "x.txt")]
    run(site, "-m", "quet", "results", NAME, *table, "--plot", files[0], "--b-file", files[1], "--oeis", files[2])
    assert "Leroy Quet" not in "".join(Path(file).read_text() for file in files)
    assert Path(files[1]).read_text().splitlines()[2:] == [f"{n} {value}" for n, value in enumerate(values, 1)]


def test_it_has_an_example_in_the_help(site: Path) -> None:
    assert f'quet score {NAME} "*.*.*"' in run(site, "-m", "quet", "score", "--help")


@pytest.mark.long
def test_the_site_speaks_german_of_it(site: Path, tmp_path: Path) -> None:
    program = f"""
from starlette.testclient import TestClient
from quet.web.app import create_app
from quet.web.settings import Settings

with TestClient(create_app(Settings("sqlite:///{tmp_path}/quet.db", "a key"))) as client:
    client.headers.update({{"accept-language": "de", "accept": "text/html"}})
    for path in ("rules", "new"):
        print(client.get(f"/{{path}}/{NAME}").text)
    import quet
    from quet.core.errors import IllegalMove
    from quet.web.i18n import said, said_scene, speaking
    game = quet.new({NAME!r}, n=5)
    game.play("1")
    try:
        game.play("2")
    except IllegalMove as error:
        with speaking("de"):
            print(said(error))
            print(said_scene(game.scene()).title, said_scene(game.scene()).squares[0].words)
"""
    said = run(site, "-W", "ignore", "-c", program)
    for words in (
        "Abwechselnd füllt jeder ein leeres Feld, das neben keinem gefüllten liegt.",
        "Länge der Reihe",
        "9 oder mehr",
        "Feld 2 liegt neben einem gefüllten Feld.",
        "Ninth Game, 5 Felder gefüllt",
    ):
        assert words in said
    for words in ("In turn, each fills", "length of the row", "9 or more"):
        assert words not in said


def test_broken_claims_of_it_are_named_in_one_sentence(site: Path, tmp_path: Path) -> None:
    file, broken = str(tmp_path / "proof.json"), tmp_path / "broken"
    run(site, "-m", "quet", "solve", NAME, "n=4", "--certificate", file)
    shutil.copytree(site, broken)
    (broken / "quet_ninth_game" / "claims.py").write_text("import not_there")
    sentence = f"game: The claims of {NAME} can't be imported: ModuleNotFoundError: No module named 'not_there'."
    assert run(broken, "-m", "quet", "verify", file, status=1) == f"refuted    {file}: {sentence}\n"
    words = ["-m", "quet", "solve", NAME, "n=4", "--certificate", file]
    done = subprocess.run(
        [sys.executable, *words], env=environment(broken), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"quet: {sentence}\n")


def test_its_games_are_analysed_exactly(site: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.quet"
    run(site, "-m", "quet", "play", NAME, "n=5", "--plain", read=f"1\n3\n5\nsave {record}\nquit\n")
    said = run(site, "-m", "quet", "analyse", str(record))
    assert "1. 1  player 1  a loss by 1 (proven: solved); best 3" in said
    assert "3. 5  player 1  a win by 1" in said
    assert "about" not in said


def test_it_is_played_in_the_terminal_application(site: Path) -> None:
    program = f"""
import asyncio, quet
from quet.play.session import Session
from quet.terminal.app import QuetApp

async def play() -> None:
    session = Session(quet.new({NAME!r}, n=5))
    app = QuetApp(session, delay=0)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause(0.5)
        await pilot.press("home", "enter")
        await pilot.press("right", "right", "enter")
        await pilot.press("m", *"5", "enter")
        await pilot.pause(0.5)
        print(session.game.moves, session.winners)

asyncio.run(play())
"""
    assert run(site, "-c", program) == "['1', '3', '5'] [1]\n"


@pytest.mark.long
def test_its_pages_on_the_site_name_its_author_and_no_other(site: Path, tmp_path: Path) -> None:
    program = f"""
import asyncio, json, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from web.in_process import pages

async def visit() -> dict[str, str]:
    async with pages("sqlite:///{tmp_path}/site.db") as site:
        over, playing = site.finished({NAME!r}, n=5), site.create({NAME!r}, n=5)
        answers = {{}}
        for path in [
            *("/new/{NAME}", "/rules/{NAME}", "/paper/{NAME}", "/sheets/{NAME}", "/sheets/{NAME}.svg"),
            *("/living/{NAME}.svg", f"/play/{{over.id}}", f"/study/{{over.id}}", f"/play/{{playing.id}}"),
            *(f"/play/{{over.id}}/record.quet", f"/play/{{over.id}}/record.json", "/", "/mine", "/lobby"),
        ]:
            answer = await site.get(path)
            assert answer.status_code == 200, (path, answer.text)
            answers[path.replace(over.id, "over").replace(playing.id, "playing")] = answer.text
        return answers

print(json.dumps(asyncio.run(visit())))
"""
    texts = json.loads(run(site, "-c", program))
    for_all = [texts.pop(path) for path in ("/", "/mine", "/lobby")]
    assert [path for path, text in texts.items() if "Leroy" in text] == []
    credited = [path for path, text in texts.items() if "A game by the author of the game, 2" in text]
    pages = ["/new/ninth-game", "/rules/ninth-game", "/paper/ninth-game", "/sheets/ninth-game"]
    assert credited == [*pages, "/play/over", "/study/over", "/play/playing"]
    for text in for_all:
        authors = next(line for line in text.splitlines() if "Games by " in line and ", from 2008 to 2" in line)
        assert "Leroy Quet" in authors and "the author of the game" in authors


def test_it_is_a_game_of_openspiel(site: Path) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; pip install 'quet[rl]' brings it.")
    program = """
import pickle
import pyspiel, quet.rl.openspiel
game = pyspiel.load_game("quet_ninth_game(n=5)")
pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
state = game.new_initial_state()
for move in ("1", "3", "5"):
    state.apply_action(state.string_to_action(move))
assert str(pickle.loads(pickle.dumps(state))) == str(state)
print(game.num_distinct_actions(), len(state.observation_tensor(0)), state.returns())
"""
    assert run(site, "-c", program) == "5 24 [1.0, -1.0]\n"  # two players, n, ply and 20 squares


def test_it_is_an_environment(site: Path) -> None:
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed; pip install 'quet[rl]' brings it.")
    program = """
import quet.rl
env = quet.rl.aec("ninth-game", n=5)
env.reset(options={"moves": "1 3"})
env.step(env.form.action(env.game.state, "5"))
print(env.game.moves, env.game.is_over, quet.rl.oracle(env.game).value(env.game), env.state().shape)
"""
    assert run(site, "-c", program) == "['1', '3', '5'] True 1 (24,)\n"


OBSERVE = """
def planes(s):
    return {"filled": "1 in each filled square.", "mover": "1 everywhere while player 2 is to move."}

def shape(s):
    return (s.n,)

def observe(s, legal, array):
    array[0] = list(s.cells[: s.n])
    array[1] = s.ply % 2

def num_actions(s):
    return s.n

def longest(s):
    return (s.n + 1) // 2
"""


def test_its_observe_says_what_programs_that_learn_see(site: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; pip install 'quet[rl]' brings it.")
    shutil.copytree(site, tmp_path, dirs_exist_ok=True)
    (tmp_path / "quet_ninth_game" / "observe.py").write_text(OBSERVE)
    program = """
import pyspiel, quet.rl.openspiel
game = pyspiel.load_game("quet_ninth_game(n=5)")
pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
state = game.new_initial_state()
state.apply_action(state.string_to_action("3"))
print(game.max_game_length(), game.observation_tensor_shape(), state.observation_tensor(0))
"""
    said = run(tmp_path, "-c", program)
    assert said == "3 [2, 5] [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]\n"
    assert json.loads(run(tmp_path, "-m", "quet", "check", NAME, "--json"))["passed"]


@pytest.mark.long
def test_our_own_tests_pass_with_it_and_try_it_too(site: Path) -> None:
    pytest_of_quet = ["-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(TESTS.parent)]
    collected = run(site, *pytest_of_quet, "--collect-only", str(TESTS))
    assert "ERROR" not in collected
    some = [str(TESTS / name) for name in ("test_every_game.py", "test_golden.py", "study/test_sheet.py")]
    passed = run(site, *pytest_of_quet, "-rA", "-k", f"{NAME} or eight or golden", *some)
    assert passed.count(f"PASSED tests/test_every_game.py::test_every_game_keeps_the_contract[{NAME}-") > 5
    assert "FAILED" not in passed


def test_a_game_of_another_package_does_not_replace_one_of_ours(tmp_path: Path) -> None:
    about = tmp_path / "other-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[quet.games]\nblob = other\nlost = not_there\n")
    assert "Grow one blob" in run(tmp_path, "-m", "quet", "rules", "blob", "--json")
    done = subprocess.run(
        [sys.executable, "-m", "quet", "rules", "lost"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("quet: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["", "Nim", "1nim", "nim_game", "nim-", "class", "../nim", "a" * 41, "nim\n"])
def test_a_name_that_no_game_can_have_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(new_game.BadName):
        new_game.make(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_already_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "nim").mkdir()
    (tmp_path / "nim" / "mine").write_text("mine")
    with pytest.raises(new_game.BadName, match="is there already"):
        new_game.make("nim", tmp_path)
    assert [file.name for file in (tmp_path / "nim").iterdir()] == ["mine"]


@pytest.mark.parametrize("trouble", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), KeyboardInterrupt()])
def test_of_a_game_that_could_not_be_written_nothing_stays(
    trouble: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: Path, *given: object, **named: object) -> None:
        file.touch()
        raise trouble

    with monkeypatch.context() as disk:
        disk.setattr(Path, "write_text", full)
        with pytest.raises((new_game.BadName, KeyboardInterrupt), match=r"can't be made: No space left|^$"):
            new_game.make("nim", tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert new_game.make("nim", tmp_path).is_dir()


def test_a_bare_game_is_only_its_folder(tmp_path: Path) -> None:
    folder = new_game.make("nim-two", tmp_path, is_bare=True)
    assert sorted(file.name for file in folder.iterdir()) == [
        "__init__.py",
        "de.po",
        "facts.toml",
        "judge.py",
        "lesson.toml",
        "picture.py",
        "rules.py",
    ]
