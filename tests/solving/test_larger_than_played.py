"""Two games are played to n = 20; Convoluted Coprimality is solved to n = 60, Up And Up to n = 35.

Only solvers take the larger sizes.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import quet
from quet import catalog
from quet.certificates import verify
from quet.cli import ugi
from quet.cli.main import main
from quet.core.errors import BadCertificate, QuetError
from quet.core.parameters import Parameter, to_solve
from quet.distribution.task import Task
from quet.game import new_to_solve
from quet.results.claim import Claim, Refused, without_trust
from quet.rl.forms import Form
from quet.solving import certify as certificate
from quet.solving.ask import answer

ID = "convoluted-coprimality"
SOLVED_TO = {ID: 60, "up-and-up": 35}
RECORD = f"""[Game "{ID}"]\n[Rules "1"]\n[n "21"]\n[players "2"]\n[grids "10"]\n[Result "*"]\n\n*\n"""


def made(**parameters: int) -> dict[str, Any]:
    """The certificate of a game of any size that solvers take."""
    game = new_to_solve(ID, **parameters)
    task = Task()
    found = answer(game.entry, game.state, task)
    written = certificate.make(ID, game.rules, game.state, game.parameters, found, task)
    assert written is not None
    return written


@pytest.mark.parametrize(("players", "words"), [(2, "the value is 1"), (3, "the scores are 1, 0, 0")])
def test_a_grid_of_60_is_solved_and_its_certificate_holds(
    players: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "60.json")
    assert main(["solve", ID, "n=60", f"players={players}", "--certificate", file, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["best_moves"]) == ("proven", ["a59", "b60"])
    game = new_to_solve(ID, n=60, players=players)
    for move in found["witness"]:
        game.play(move)
    assert game.moves == found["witness"]
    assert any(move[:2] == "bh" for move in game.moves)  # the last column
    assert game.scores[0] == 1
    assert sum(game.scores) == 1
    assert main(["verify", file]) == 0
    out = capsys.readouterr().out
    assert f"n=60 players={players} grids=10: {words}." in out
    assert "checked: Each of the " in out


def test_what_is_false_of_a_large_grid_is_refused() -> None:
    whole = made(n=24)
    (ground,) = whole["grounds"]
    wrong = [*ground["values"][:-3], 2, *ground["values"][-2:]]
    for changed, step, message in (
        ({"grounds": [ground | {"values": wrong}]}, "grounds", "is worth 2, not 1."),
        ({"claim": whole["claim"] | {"low": -1, "high": -1}}, "witness", "The witness reaches 1, not -1."),
        ({"witness": [*whole["witness"][:-1], "z24"]}, "witness", "z24 is off the grid; the squares are a1 to x24."),
        ({"parameters": whole["parameters"] | {"n": 25}}, "claim", "A best move: a23 is not beside a25, where 1"),
        ({"parameters": whole["parameters"] | {"n": 61}}, "game", "n must be from 2 to 60, not '61'."),
    ):
        certificate = whole | changed
        with pytest.raises(BadCertificate) as caught:
            verify.check(certificate | {"digest": verify.digest(certificate)})
        assert caught.value.step == step
        assert message in caught.value.sentence


def test_a_search_on_a_large_grid_enters_the_table_only_when_it_is_trusted() -> None:
    whole = made(n=24)
    search = {"for": ["low", "high"], "kind": "exhaustive", "method": "a search", "positions": 9, "confirmed_by": None}
    searched = whole | {"grounds": [search]}
    claim = Claim.of(searched | {"digest": verify.digest(searched)})
    assert (claim.value, claim.strength("low")) == (1, 0)
    with pytest.raises(Refused, match="It rests on what can't be checked here"):
        without_trust(claim)


@pytest.mark.long
def test_the_lowest_score_of_up_and_up_is_solved_on_a_grid_of_22_and_its_certificate_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "22.json")
    assert main(["solve", "up-and-up", "n=22", "--lowest", "--certificate", file, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["value"], len(found["witness"])) == ("proven", 14, 14)
    assert any(move[0] > "t" for move in found["witness"])  # in a column that no grid has on which people play
    assert main(["verify", file]) == 0
    assert "up-and-up n=22: the lowest score is 14." in capsys.readouterr().out
    certificate = json.loads(Path(file).read_text())
    for changed, message in (
        ({"parameters": {"n": 21}}, "is off the grid; the squares are a1 to u21."),
        ({"parameters": {"n": 36}}, "n must be from 1 to 35, not '36'."),
        ({"witness": certificate["witness"][:-1]}, "The game of the witness isn't over."),
    ):
        wrong = certificate | changed
        with pytest.raises(BadCertificate) as caught:
            verify.check(wrong | {"digest": verify.digest(wrong)})
        assert message in caught.value.sentence


def test_only_sizes_that_are_solved_alone_have_a_larger_state() -> None:
    for n, room in ((1, 400), (20, 400), (21, 1225), (35, 1225)):
        assert len(new_to_solve("up-and-up", n=n).state.numbers) == room
    assert len(quet.new("up-and-up", n=20).state.numbers) == 400
    game = new_to_solve("up-and-up", n=35)
    game.play("ai35")
    assert game.copy() == game
    assert game.legal_moves == ["ai34", "ah35"]


@pytest.mark.parametrize(("id", "largest"), SOLVED_TO.items())
def test_solvers_end_at_a_size_with_one_sentence(id: str, largest: int, capsys: pytest.CaptureFixture[str]) -> None:
    low = 2 if id == ID else 1
    beyond = {"up-and-up": " With --lowest a theorem says: a(n) = 19 for all n >= 36."}  # the table has both scores
    for command, more in (("solve", ""), ("results", beyond.get(id, ""))):
        assert main([command, id, f"n={largest + 1}"]) == 2
        printed = capsys.readouterr()
        assert (printed.out, printed.err) == (
            "",
            f"quet: n must be from {low} to {largest}, not '{largest + 1}'.{more}\n",
        )


@pytest.mark.parametrize(
    "door",
    [
        lambda: quet.new(ID, n=21),
        lambda: quet.new("up-and-up", n=21),
        lambda: quet.read(RECORD),
        lambda: Form(ID, {"n": 21}),
        lambda: quet.read(json.dumps(quet.read(RECORD.replace("21", "20")).json()).replace("20", "21")),
    ],
    ids=["new", "new up-and-up", "record", "openspiel", "json"],
)
def test_what_is_played_ends_at_20(door: Callable[[], object]) -> None:
    with pytest.raises(QuetError, match=r"n must be from [12] to 20, not '21'\.$"):
        door()


@pytest.mark.parametrize(
    "taken",
    [
        lambda game: quet.save("large.quet", game),
        lambda game: quet.playouts(game, 1),
        lambda game: quet.perft(game, 1),
        quet.positions,
        quet.value,
        quet.hint,
        lambda game: quet.match(game, "random", "random"),
        lambda game: quet.player("random").choose(game),
        lambda game: quet.solve(game.after("a20")),
    ],
    ids=["save", "playouts", "perft", "positions", "value", "hint", "match", "player", "solve later"],
)
def test_a_game_of_a_size_that_is_only_solved_is_taken_by_solve_alone(taken: Callable[[quet.Game], object]) -> None:
    game = quet.new_to_solve(ID, n=21)
    assert quet.solve(game).value == 1
    with pytest.raises(QuetError, match=r"n must be from 2 to 20, not '21'\.$"):
        taken(game)


def test_commands_that_play_end_at_20(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "large.quet"
    file.write_text(RECORD)
    for words in (["play", ID, "n=21", "--plain"], ["score", ID, "n=21", "a20"], ["show", str(file)]):
        assert main(words) == 2
        printed = capsys.readouterr()
        assert printed.err.count("\n") == 1
        assert "n must be from 2 to 20, not '21'." in printed.err
    said: list[str] = []
    ugi.Engine(said.append).answer(f"newgame {ID} n=21".encode())
    assert said == ["error n must be from 2 to 20, not '21'."]


def test_all_else_is_solved_at_the_sizes_that_are_played() -> None:
    for id in quet.game_ids():
        known = catalog.get(id).rules.PARAMETERS
        wider = [one.name for one, other in zip(known, to_solve(known), strict=True) if one != other]
        assert wider == (["n"] if id in SOLVED_TO else [])
        for p in to_solve(known):
            assert not isinstance(p, Parameter) or p.low <= p.default <= p.high
