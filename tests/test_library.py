"""What `import quet` offers: everything is listed, documented and typed, and refuses wrong types with a sentence."""

import inspect
import re
import sys
import types
import typing
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import quet
from quet.core.errors import QuetError

JUNK: list[Any] = [
    *[None, True, False, 2.5, float("nan"), float("inf"), -1, 10**30, 10**5000, b"blob", bytearray(b"x"), "", "\0"],
    *["\ud800", "x" * 2000, "9" * 5000, [], [1, "a", None], [10**5000], (), {}, {"n": 3}, set(), range(3), object()],
    *[object, np.float64("nan"), np.array([1, 2]), np.array(3.5), np.bool_(True), lambda: None, iter([1]), 1j],
]


def names(thing: object) -> list[str]:
    """The public functions of a class, and its properties left out."""
    return [name for name in dir(thing) if not name.startswith("_") and callable(getattr(thing, name))]


def over() -> quet.Game:
    """A game that is over, so that computer players must refuse it."""
    return quet.position("palindromes", "10")


def a_game() -> quet.Game:
    """A small game that goes on."""
    game = quet.new("palindromes", m=4)
    game.play("1=0")
    return game


def calls(folder: Path) -> Iterator[tuple[str, Callable[..., object], list[object], dict[str, object]]]:
    """Each public function, with arguments that it takes; each of them is then spoilt."""
    file = str(folder / "game.quet")
    quet.save(file, a_game())
    text = quet.Record.of(a_game()).text()
    yield "new", quet.new, ["palindromes"], {"m": 4}
    yield "new", quet.new, ["sequence-ascension"], {"n": 2, "sequence": [1, 2, 3, 4]}
    yield "new_to_solve", quet.new_to_solve, ["palindromes"], {"m": 4}
    yield "position", quet.position, ["palindromes", "1..0"], {"m": 4}
    yield "score", quet.score, ["palindromes", "1..0"], {"m": 4}
    yield "read", quet.read, [text, "a.quet"], {}
    yield "read_all", quet.read_all, [text, "a.quet"], {}
    yield "load", quet.load, [file], {}
    yield "save", quet.save, [file, [a_game()]], {}
    yield "hint", quet.hint, [over()], {"seconds": 0.01, "seed": 1}
    yield "value", quet.value, [over()], {"seconds": 0.01, "memory": 16}
    yield "solve", quet.solve, [over()], {"seconds": 1, "memory": 16, "lowest": False, "seed": 0, "workers": 1}
    yield "player", quet.player, ["level:1", 1, 1], {}
    yield "match", quet.match, [over(), "random", "random"], {"seed": 1}
    yield "perft", quet.perft, [over(), 2], {}
    yield "positions", quet.positions, [over()], {"most": 2}
    yield "playouts", quet.playouts, [over(), 2], {"seed": 1}
    yield "best_results", quet.best_results, ["palindromes"], {"m": 4}
    yield "game_ids", quet.game_ids, [], {}
    yield "Game", quet.Game, [a_game().entry, {"m": 4}], {}
    yield "Record.of", quet.Record.of, [a_game()], {"tags": {"A": "b"}, "comments": {0: "c"}}
    yield "Record.of", quet.Record.of, [a_game()], {"termination": quet.Termination("a draw", (1, 2))}
    several: list[list[object]] = [[a_game()], [a_game(), {"A": "b"}, {0: ["c"]}, quet.Termination("a draw", (1,))]]
    for given in several:
        yield "Record.text", lambda *parts: quet.Record(*parts).text(), given, {}
        yield "Record.json", lambda *parts: quet.Record(*parts).json(), given, {}
    yield "Termination", lambda *parts: quet.Record.of(a_game(), termination=quet.Termination(*parts)), ["x", (1,)], {}
    for name, arguments in METHODS.items():
        yield f"Game.{name}", getattr(a_game(), name), arguments, {}
    for theme in ("svg", "png"):
        yield f"Game.{theme}", getattr(a_game(), theme), [], {"legal": True, "theme": "dark"}
    for player in ("random", "level:1", "level:perfect"):
        yield "Player.choose", quet.player(player, 1).choose, [over()], {}


METHODS: dict[str, list[object]] = {
    **{name: [] for name in ("copy", "key", "legal_numbers", "plies", "position", "scene", "text", "undo")},
    **{name: ["2=0"] for name in ("play", "after", "read", "read_typed", "is_legal")},
    **{"push": [2], "at": [0]},
}


def refused_well(call: Callable[..., object], arguments: list[object], named: dict[str, object]) -> None:
    """Call it; what it raises must be an error of Quet with a sentence."""
    try:
        call(*arguments, **named)
    except QuetError as error:
        sentence = str(error)
        assert sentence.endswith(".") and sentence.isprintable() and len(sentence) < 1000, sentence


def test_wrong_types_are_refused_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for junk in JUNK:
        inside = [junk, [junk], (junk, "x")]
        for tags, comments in [({"A": one}, {0: one}) for one in inside]:
            refused_well(quet.Record.of, [a_game()], {"tags": tags})
            refused_well(quet.Record.of, [a_game()], {"comments": comments})
            refused_well(lambda *parts: quet.Record(*parts).text(), [a_game(), tags, {}], {})
            refused_well(lambda *parts: quet.Record(*parts).json(), [a_game(), {}, comments], {})
        if isinstance(junk, Hashable):
            refused_well(quet.Record.of, [a_game()], {"tags": {junk: "x"}})
            refused_well(quet.Record.of, [a_game()], {"comments": {junk: "x", 1: "y"}})
    for _, call, arguments, named in calls(tmp_path):
        refused_well(call, arguments, named)
        for junk in JUNK:
            for i in range(len(arguments)):
                refused_well(call, [*arguments[:i], junk, *arguments[i + 1 :]], named)
            for name in named:
                refused_well(call, arguments, named | {name: junk})


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda wrong: quet.new("palindromes", m=True), quet.BadParameter, "m must be an integer, not 'True'."),
        (lambda wrong: quet.new("palindromes", m=4.0), quet.BadParameter, "m must be an integer, not '4.0'."),
        (lambda wrong: quet.new("palindromes", m=np.bool_(True)), quet.BadParameter, "m must be an integer, not "),
        (lambda wrong: quet.new(wrong), quet.UnknownGame, "There is no game 'None'; the games are "),
        (lambda wrong: a_game().play(wrong), quet.UnreadableMove, "A move must be a text, not 'None'."),
        (lambda wrong: a_game().push(wrong), quet.UnreadableMove, "'None' is not the number of a move."),
        (lambda wrong: a_game().push(0), quet.IllegalMove, "Square 1 holds a 0 already."),
        (lambda wrong: a_game().push(10**6), quet.UnreadableMove, ""),
        (lambda wrong: a_game().at(2), quet.BadParameter, "The number of moves must be from 0 to 1, not '2'."),
        (lambda wrong: quet.read(wrong), quet.BadRecord, "A record must be a text, not 'None'."),
        (lambda wrong: quet.load(wrong), quet.BadRecord, "The name of a file must be a text, not 'None'."),
        (lambda wrong: quet.Record.of(wrong), quet.BadRecord, "A record is of a game, not of 'None'."),
        (
            lambda wrong: quet.match(a_game(), cast(Any, np.int8(3))),
            quet.BadParameter,
            "An agent must be a name or choose moves, not '3'.",
        ),
        (lambda wrong: quet.hint(wrong), quet.BadParameter, "'None' is not a game; begin one with quet.new or "),
        (lambda wrong: quet.hint(over()), quet.IllegalMove, "The game is over."),
        (lambda wrong: quet.player("random").choose(over()), quet.IllegalMove, "The game is over."),
        (lambda wrong: quet.playouts(a_game(), 0), quet.BadParameter, "The number of games must be from 1 to "),
        (
            lambda wrong: quet.solve(a_game(), lowest=cast(Any, [wrong])),
            quet.BadParameter,
            "lowest must be True or False, not ",
        ),
        (
            lambda wrong: a_game().svg(theme=wrong),
            quet.BadParameter,
            "The theme must be one of auto, light, dark, not ",
        ),
    ],
)
def test_a_refusal_says_what_is_wrong(call: Callable[[Any], object], error: type[QuetError], sentence: str) -> None:
    with pytest.raises(error) as caught:
        call(None)
    assert type(caught.value) is error and str(caught.value).startswith(sentence)


def test_every_public_function_is_tried(tmp_path: Path) -> None:
    tried = {name for name, *_ in calls(tmp_path)}
    functions = {name for name in quet.__all__ if inspect.isfunction(getattr(quet, name))}
    assert functions <= tried
    assert {f"Game.{name}" for name in names(quet.Game)} <= tried
    assert {f"Record.{name}" for name in names(quet.Record)} - {"Record.check"} <= tried


def test_everything_is_listed_documented_and_typed() -> None:
    listed = set(dir(quet))
    assert set(quet.__all__) <= listed
    wanted = "load save read read_all score solve hint value player records playouts match position best_results"
    assert set(wanted.split()) <= listed
    for name in quet.__all__:
        thing = getattr(quet, name)
        assert inspect.getdoc(thing), name
        if inspect.isfunction(thing):
            hints = typing.get_type_hints(thing, vars(inspect.getmodule(thing)) | NUMPY)
            assert hints.keys() == {*inspect.signature(thing).parameters, "return"}, name
    assert isinstance(quet.records, types.ModuleType)
    assert all(getattr(quet.records, name) is not None for name in quet.records.__all__)


PAGE = Path(__file__).parents[1] / "docs" / "library.md"
SCRIPT = r"^### ([^\n]+)\n(?:(?!^#).)*?```python\n([^`]+)```\n\n```text\n([^`]*)```"
SCRIPTS = re.findall(SCRIPT, PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
SMALLER = [('n=6), "level:2"', 'n=4), "level:1"')]  # what takes long at full size


@pytest.mark.parametrize(("title", "script", "printed"), SCRIPTS, ids=[title for title, *_ in SCRIPTS])
def test_a_script_of_the_page_prints_what_it_says(
    title: str,
    script: str,
    printed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each has at most ten lines that aren't blank. If one runs at a smaller size here, its last line is known."""
    monkeypatch.chdir(tmp_path)
    assert len([line for line in script.splitlines() if line]) <= 10
    smaller = script
    for large, small in SMALLER:
        smaller = smaller.replace(large, small)
    exec(compile(smaller, title, "exec"), {"__name__": "script"})
    told = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    if smaller == script:
        assert told == printed.splitlines()
    else:
        assert re.fullmatch(r".* (wins|share the win): \d+-\d+\.", told[-1])
        assert quet.load("match.quet")[0].game.is_over
    for file in tmp_path.glob("*.svg"):
        assert file.read_text().startswith("<svg")


@pytest.mark.long
@pytest.mark.parametrize(
    "number", [k for k, (_, script, _) in enumerate(SCRIPTS) if any(one in script for one, _ in SMALLER)]
)
def test_a_script_that_takes_long_prints_what_it_says_at_full_size(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    title, script, printed = SCRIPTS[number]
    monkeypatch.chdir(tmp_path)
    exec(compile(script, title, "exec"), {"__name__": "script"})
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == printed.splitlines()


def test_the_page_has_the_five_scripts_and_every_name() -> None:
    assert len(SCRIPTS) == 5
    page = PAGE.read_text("utf-8")
    for name in quet.__all__:
        if not inspect.isclass(getattr(quet, name)) or not issubclass(getattr(quet, name), Exception):
            assert f"`{name}" in page, name


NUMPY = {"Ints": np.ndarray}  # imported for types alone


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = quet.nothing


def test_integers_of_numpy_and_ranges_are_integers() -> None:
    for kind in (np.int8, np.uint64, np.int64):
        game = quet.new("palindromes", m=kind(4))
        assert game == quet.new("palindromes", m=4) and type(game.parameters["m"]) is int
        game.push(kind(2))
        assert game.moves == ["2=0"] and game.at(kind(0)).ply == 0
        comments: Any = {kind(1): "so"}
        assert quet.Record.of(game, comments=comments).comments == {1: ["so"]}
    one = np.int64(1)
    assert quet.playouts(game, 3 * one, seed=one).tolist() == quet.playouts(game, 3, seed=1).tolist()
    assert quet.match(game, "random", seed=one).text() == quet.match(game, "random", seed=1).text()
    assert quet.solve(game, seed=0 * one, memory=100 * one) == quet.solve(game)
    expected = quet.new("sequence-ascension", n=2, sequence="1,2,3,4")
    for terms in (range(1, 5), np.arange(1, 5), (1, 2, 3, 4), [np.int8(k) for k in range(1, 5)]):
        assert quet.new("sequence-ascension", n=2, sequence=terms) == expected
    assert quet.position("palindromes", "1..0", m=np.int16(4)).ply == 0
    assert [row.size for row in quet.best_results("palindromes", m=np.int64(3))] == [3]


def test_random_games_are_those_of_the_seed() -> None:
    game = quet.new("divisors-multiples", r=6, players=3)
    scores = quet.playouts(game, 500, seed=7)
    assert scores.shape == (500, 3) and scores.dtype == np.int64 and (scores == quet.playouts(game, 500, seed=7)).all()
    assert (scores != quet.playouts(game, 500, seed=8)).any() and game.ply == 0
    assert quet.playouts(over(), 2).tolist() == [over().scores] * 2


def test_random_games_that_do_not_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.knowledge.random_games.LONGEST", 3)
    with pytest.raises(quet.BadParameter, match=r"^A random game of .* has not ended after 3 moves\.$"):
        quet.playouts(quet.new("palindromes", m=4), 10)


@pytest.mark.parametrize(
    ("id", "parameters", "moves"),
    [
        ("palindromes", {"m": 6}, "1=0 6=1"),
        ("up-and-up", {"n": 2}, "a1"),
        ("divisors-multiples", {"r": 4}, "2"),
        ("sequence-ascension", {"n": 2, "sequence": "4,1,2,3"}, "a1"),
    ],
)
def test_a_position_is_solved_from_there_on(id: str, parameters: dict[str, Any], moves: str) -> None:
    """Its value is the best of those after each move; solvers that are for whole games aren't asked."""
    game = quet.new(id, **parameters)
    for move in moves.split():
        game.play(move)
    found = quet.solve(game)
    after = [quet.solve(game.after(move)).value for move in game.legal_moves]
    best = max if (game.mover == 1) is not game.rules.LOWER_IS_BETTER else min
    assert found.is_proven and found.value == best(value for value in after if value is not None)
    final = found.final
    assert final.is_over and final.moves[: game.ply] == game.moves


def test_a_match_is_played_by_whoever_chooses_moves() -> None:
    class First:
        def choose(self, game: quet.Game) -> str:
            game.play(game.legal_moves[-1])  # looking ahead in the game that it is given does no harm
            return game.undo() and game.legal_moves[0]

    record = quet.match(quet.new("palindromes", m=3), First(), "random", seed=1)
    assert record.tags == {"Player1": "First", "Player2": "random"} and record.game.is_over
    with pytest.raises(quet.BadParameter, match="has 2 players here, not 3"):
        quet.match(a_game(), "random", "random", "random")


def test_a_match_is_played_by_functions_agents_and_programs(tmp_path: Path) -> None:
    class Last:
        name = "the last\nmove"

        def moves(self, games: Sequence[quet.Game]) -> list[str]:
            return [game.legal_moves[-1] for game in games]

    def first(game: quet.Game) -> str:
        game.play(game.legal_moves[-1])
        return game.undo() and game.legal_moves[0]

    (tmp_path / "engine.py").write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    print({'ugi': 'ugiok', 'go': 'bestmove 2=0'}.get(line.split()[0], 'ok'), flush=True)\n"
    )
    name = f"ugi:{sys.executable} {tmp_path / 'engine.py'}"
    record = quet.match(quet.new("palindromes", m=3), first, Last())
    assert record.tags == {"Player1": "first", "Player2": r"the last\nmove"}
    assert record.game.moves == ["1=0", "3=1", "2=0"]
    record = quet.match(quet.new("palindromes", m=3).after("1=0"), first, name)
    assert record.game.moves == ["1=0", "2=0", "3=0"] and record.tags["Player2"] == name
    with pytest.raises(
        quet.BadParameter, match=r"^A network plays as the agent that quet\.rl\.agents\.onnx\('net.onnx'\)"
    ):
        quet.match(a_game(), "net.onnx", "random")


def test_a_match_says_who_chose_a_move_that_is_not_legal_and_where() -> None:
    def same(game: quet.Game) -> str:
        return "1=0"

    with pytest.raises(quet.QuetError) as caught:
        quet.match(quet.new("palindromes", m=4), same, lambda game: "2=0")
    assert str(caught.value) == (
        "same chose '1=0' in palindromes m=4 after the moves '1=0 2=0', and that isn't legal: "
        "Square 1 holds a 0 already."
    )
    with pytest.raises(quet.QuetError, match=r"^<lambda> chose 'None' at the start of palindromes m=4, and that isn't"):
        quet.match(quet.new("palindromes", m=4), cast(Any, lambda game: None), "random")


@pytest.mark.parametrize("given", [[], ["1=0", "1=0"], None, "1=0"])
def test_an_agent_that_gives_no_move_for_each_position_is_named(given: Any) -> None:
    class Silent:
        name = "silent"

        def moves(self, games: Sequence[quet.Game]) -> Any:
            return given

    with pytest.raises(quet.QuetError, match="silent must give a list with a move for each of 1 games, not "):
        quet.match(quet.new("palindromes", m=3), Silent())
