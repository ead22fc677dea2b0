"""The contract notices a game that breaks it: the template's game, broken in one way at a time."""

import dataclasses
import datetime
import importlib
import importlib.resources
import json
import tomllib
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import pytest

from quet import catalog, games
from quet.catalog import Entry
from quet.cli import main as cli
from quet.contract import checks as contract
from quet.core.errors import BadPaper, BrokenRules, UnreadableMove
from quet.core.parameters import Parameter
from quet.core.position import Item, Position
from quet.core.state import Length, state
from quet.draw.scene import Choice, Circle, Polygon, Scene, Shape, Text
from quet.template.game import judge, picture, rules


def entry(**parts: Any) -> Entry:
    """The template's game with some of its functions or facts replaced."""
    made = Entry("template", "quet.template.game")
    for name, module in (("rules", rules), ("picture", picture), ("judge", judge)):
        changed = parts.keys() & vars(module).keys()
        made.__dict__[name] = module
        if changed:
            made.__dict__[name] = types.SimpleNamespace(**vars(module) | {part: parts[part] for part in changed})
    made.__dict__["facts"] = FACTS | parts.get("facts", {})
    return made


def is_broken(made: Entry, check: str) -> bool:
    """Whether the game fails this check, and says so in one line."""
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(catalog, "get", lambda id: made)
            contract.CHECKS[check](made)
    except BrokenRules as error:
        assert str(error)
        assert str(error).isprintable()
        return True
    return False


FACTS = tomllib.loads(
    importlib.resources.files("quet.template.game")
    .joinpath("facts.toml")
    .read_text(encoding="utf-8")
    .replace("DATE", "2026-01-01")  # as `quet new-game` makes it
)


def empties_the_first_square(s: rules.State) -> None:
    s.cells[0] = 0


def test_a_canonical_state_of_another_position_is_noticed() -> None:
    made = entry()
    for canonical, is_wrong in ((empties_the_first_square, True), (lambda s: None, False)):
        made.__dict__["rules"] = types.SimpleNamespace(**vars(rules), canonical=canonical)
        assert is_broken(made, "canonical states stand for their position") is is_wrong


def test_a_state_without_room_for_what_is_solved_is_noticed() -> None:
    @state
    class LargeState(rules.State):
        cells: Annotated[list[int], Length(30)]

    for largest, more, is_wrong in ((20, {}, False), (21, {}, True), (30, {"LargeState": LargeState}, False)):
        made = entry()
        parameters = (Parameter("n", 1, 20, 9, "length of the row", solved_to=largest),)
        made.__dict__["rules"] = types.SimpleNamespace(**vars(rules) | more | {"PARAMETERS": parameters})
        assert is_broken(made, "states keep their shape") is is_wrong


def test_papers_that_are_read_in_two_ways_are_noticed() -> None:
    papers: list[str] = []

    def read_paper(text: str, given: Mapping[str, object]) -> Position:
        papers.append(text)
        return judge.read_paper("." * 6 if len(papers) > 1 else text, given)

    assert is_broken(entry(read_paper=read_paper), "papers begin games")


def test_a_line_that_says_a_score_has_a_dot_so_that_pages_leave_it_out() -> None:
    line = (Text(0.5, 2.1, "Player 1: 3", "ink", 0.2, "start"), Circle(0.3, 2.1, 0.1, "one"))
    assert not is_broken(entry(scene=draws_too(*line)), "pictures are whole")
    assert is_broken(entry(scene=draws_too(line[0])), "pictures are whole")


@pytest.mark.parametrize("check", contract.CHECKS)
def test_the_template_keeps_the_contract(check: str) -> None:
    assert not is_broken(entry(), check)


def lists_a_move_twice(s: Any, out: list[int]) -> int:
    count = rules.legal_moves(s, out)
    out[count - 1] = out[0]
    return count


def forgets_a_legal_move(s: Any, out: list[int]) -> int:
    return max(0, rules.legal_moves(s, out) - 1)


def lists_a_filled_square(s: Any, out: list[int]) -> int:
    count = rules.legal_moves(s, out)
    if s.ply == 1:
        out[count] = s.cells.index(rules.FILLED)
        return count + 1
    return count


def reads_anything(s: Any, text: str) -> int:
    try:
        return rules.read_move(s, text)
    except UnreadableMove:
        return 0


def plays_in_a_shared_list(s: Any, move: int) -> None:
    rules.play(s, move)
    SHARED.append(move)
    s.cells[(move + len(SHARED)) % s.n] = rules.FILLED


SHARED: list[int] = []


def scores_by_changing(s: Any, player: int) -> int:
    s.ply += 0 if rules.is_over(s) else 2
    return rules.score(s, player)


def offers_nothing(position: Position) -> Scene:
    return picture.scene(Position(position.state, position.parameters, position.moves))


def offers_always(position: Position) -> Scene:
    scene = picture.scene(position)
    return Scene(scene.title, scene.width, scene.height, scene.shapes, scene.squares, (Choice("1", "first"),))


def counts_nothing(position: Position) -> list[Item]:
    return []


def playing(change: Callable[[Any, int], object]) -> Callable[[Any, int], None]:
    """`play` with something more done to the state."""

    def play(s: Any, move: int) -> None:
        rules.play(s, move)
        change(s, move)

    return play


def starts_anew(s: Any, n: int) -> None:
    rules.start(s, n)
    PLAYED[0] = 0


def counts_moves_in_the_module(s: Any, move: int) -> None:
    rules.play(s, move)
    PLAYED[0] += 1


PLAYED = [0]


def reads(change: Callable[[str], str]) -> Callable[[Any, str], int]:
    """`read_move` that does something to the text first."""
    return lambda s, text: rules.read_move(s, change(text))


def reads_with_int(s: Any, text: str) -> int:
    try:
        return int(text) - 1 if 1 <= int(text) <= s.n else rules.read_move(s, "?")
    except ValueError:
        raise UnreadableMove("That is no number.") from None


def refuses_at_length(s: Any, text: str) -> int:
    try:
        return rules.read_move(s, text)
    except UnreadableMove:
        raise UnreadableMove("Not a square.\nThe squares are numbers.") from None


def trusts_paper(text: str, given: Mapping[str, object]) -> Position:
    return judge.read_paper("*", {"n": int(text)})


def refuses_paper_briefly(text: str, given: Mapping[str, object]) -> Position:
    raise BadPaper("no")


def counts(**parts: Any) -> Callable[[Position], list[Item]]:
    """`items` with something else in each item."""
    return lambda position: [dataclasses.replace(item, **parts) for item in judge.items(position)]


def counts_in_the_order_of_moves(position: Position) -> list[Item]:
    nothing = [Item(player, 0, f"nothing for player {player}") for player in (1, 2, 1)]
    return nothing + judge.items(position)


def draws(**parts: Any) -> Callable[[Position], Scene]:
    """A picture with something else in it."""
    return lambda position: dataclasses.replace(picture.scene(position), **parts)


def draws_too(*shapes: Shape) -> Callable[[Position], Scene]:
    def scene(position: Position) -> Scene:
        made = picture.scene(position)
        return dataclasses.replace(made, shapes=(*made.shapes, *shapes))

    return scene


def draws_squares(**parts: Any) -> Callable[[Position], Scene]:
    """A picture with something else in each square."""

    def scene(position: Position) -> Scene:
        made = picture.scene(position)
        return dataclasses.replace(made, squares=tuple(dataclasses.replace(s, **parts) for s in made.squares))

    return scene


@pytest.mark.parametrize(
    ("parts", "check"),
    [
        ({"num_players": lambda s: 1 + s.n % 2}, "players are as many as asked"),
        (
            {"PARAMETERS": (*rules.PARAMETERS, Parameter("players", 2, 4, 2, "how many"))},
            "players are as many as asked",
        ),
        ({"legal_moves": lists_a_move_twice}, "legal moves are legal"),
        ({"legal_moves": forgets_a_legal_move}, "legal moves are legal"),
        ({"legal_moves": lists_a_filled_square}, "legal moves are legal"),
        ({"most_moves": lambda s: 1}, "legal moves are legal"),
        ({"mover": lambda s: s.ply % 2}, "legal moves are legal"),
        ({"is_over": lambda s: s.ply == 2}, "legal moves are legal"),
        ({"broken_rule": lambda s, move: ""}, "illegal moves are refused"),
        ({"broken_rule": lambda s, move: rules.broken_rule(s, move).rstrip(".")}, "illegal moves are refused"),
        ({"broken_rule": lambda s, move: "Never."}, "legal moves are legal"),
        ({"read_move": reads_anything}, "illegal moves are refused"),
        ({"move_text": lambda s, move: str(move)}, "move text round trips"),
        ({"move_text": lambda s, move: f"square {move + 1}"}, "move text round trips"),
        ({"move_text": lambda s, move: str(move + 1 + s.ply)}, "move text round trips"),
        ({"play": plays_in_a_shared_list}, "copies share nothing"),
        ({"score": scores_by_changing}, "looking changes nothing"),
        ({"score": lambda s, player: player}, "scores are the sum of items"),
        ({"items": counts_nothing}, "scores are the sum of items"),
        ({"scene": offers_nothing}, "pictures offer the legal moves"),
        ({"scene": offers_always}, "pictures offer the legal moves"),
        ({"VERSION": 0}, "every part is there"),
        ({"score": lambda s, player: player - 1}, "samples score as said"),
        ({"LOWER_IS_BETTER": True}, "samples score as said"),
        ({"mover": lambda s: 1}, "every player moves"),
        ({"play": playing(lambda s, move: setattr(s, "ply", s.ply + 1))}, "every player moves"),
        *[({"VERSION": version}, "every part is there") for version in (True, 1.0, "1")],
        ({"LOWER_IS_BETTER": 0}, "every part is there"),
        ({"play": playing(lambda s, move: s.cells.append(0))}, "states keep their shape"),
        ({"play": playing(lambda s, move: setattr(s, "cells", tuple(s.cells)))}, "states keep their shape"),
        ({"play": playing(lambda s, move: s.cells.__setitem__(move, 2**15))}, "states keep their shape"),
        ({"play": playing(lambda s, move: s.cells.__setitem__(move, True))}, "states keep their shape"),
        ({"play": playing(lambda s, move: setattr(s, "ply", float(s.ply)))}, "states keep their shape"),
        ({"play": playing(lambda s, move: setattr(s, "ply", s.ply + 2**63))}, "states keep their shape"),
        ({"score": lambda s, player: rules.score(s, player) == 1}, "answers have their types"),
        ({"score": lambda s, player: float(rules.score(s, player))}, "answers have their types"),
        ({"mover": lambda s: float(rules.mover(s))}, "answers have their types"),
        ({"mover": lambda s: s.ply % 2 == 0}, "answers have their types"),
        ({"is_over": lambda s: int(rules.is_over(s))}, "answers have their types"),
        ({"num_players": lambda s: 2.0}, "answers have their types"),
        ({"num_players": lambda s: 9}, "answers have their types"),
        ({"read_move": reads(str.strip)}, "moves have one spelling"),
        ({"read_move": reads(lambda text: text.lstrip("0"))}, "moves have one spelling"),
        ({"read_move": reads(lambda text: text.removeprefix("+"))}, "moves have one spelling"),
        ({"read_move": reads(lambda text: text.removesuffix("\n"))}, "moves have one spelling"),
        ({"read_move": reads_with_int}, "moves have one spelling"),
        ({"read_move": refuses_at_length}, "illegal moves are refused"),
        ({"broken_rule": lambda s, move: rules.broken_rule(s, move) and "\0."}, "illegal moves are refused"),
        (
            {"start": starts_anew, "play": counts_moves_in_the_module, "mover": lambda s: 1 + PLAYED[0] % 2},
            "games share nothing",
        ),
        ({"read_paper": trusts_paper}, "paper is read or refused"),
        ({"read_paper": refuses_paper_briefly}, "paper is read or refused"),
        ({"read_paper": lambda text, given: None}, "paper is read or refused"),
        ({"items": counts(player=0)}, "items name what counts"),
        ({"items": counts_in_the_order_of_moves}, "items name what counts"),
        ({"items": counts(words="")}, "items name what counts"),
        ({"items": counts(words="two\nlines")}, "items name what counts"),
        ({"items": counts(squares=("a1",))}, "items name what counts"),
        *[({"scene": draws(title=title)}, "pictures are whole") for title in ("", "\n")],
        ({"scene": draws(width=1)}, "pictures are whole"),
        *[({"scene": draws(about=about)}, "pictures are whole") for about in ((), ("",), ("Two\nlines.",))],
        ({"scene": draws(height=float("inf"))}, "pictures are whole"),
        ({"scene": draws(choices=(Choice("1", " "),))}, "pictures are whole"),
        ({"scene": draws_too(Circle(0, 0, 1, "last"))}, "pictures are whole"),
        ({"scene": draws_too(Text(0.5, 0.5, "much too long for a small picture " * 9, "ink"))}, "pictures are whole"),
        ({"scene": draws_too(Polygon(((0, 0), (float("nan"), 0.5)), "ink"))}, "pictures are whole"),
        ({"scene": draws_too(Text(0.5, 0.5, "\u00fc", "ink"))}, "pictures are whole"),
        ({"scene": draws_squares(name="1")}, "pictures are whole"),
        ({"scene": draws_squares(x=-1)}, "pictures are whole"),
        ({"scene": draws_squares(width=-1)}, "pictures are whole"),
        ({"scene": draws_squares(words="")}, "pictures are whole"),
        *[({"scene": draws_squares(glyph=glyph)}, "pictures are whole") for glyph in ("", "12345", "\t")],
        *[({"scene": draws_squares(is_last=is_last)}, "pictures mark the last move") for is_last in (False, True)],
        *[({"facts": {"rules": bad}}, "facts are complete") for bad in ([], [""], [1], "one sentence")],
        *[({"facts": {"date": bad}}, "facts are complete") for bad in ("2026-01-01", datetime.datetime(2026, 1, 1))],
        *[({"facts": {"rulings": bad}}, "facts are complete") for bad in (["R1"], {"R1": 1})],
        *[({"facts": {"title": bad}}, "facts are complete") for bad in ("", "two\nlines", 1)],
        ({"is_beside_filled": None, "legal_moves": lambda s, out: _any_empty(s, out)}, "move counts agree"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_broken_game_is_noticed(parts: dict[str, Any], check: str) -> None:
    assert is_broken(entry(**parts), check)


def _any_empty(s: Any, out: list[int]) -> int:
    empty = [square for square in range(s.n) if s.cells[square] == rules.EMPTY]
    out[: len(empty)] = empty
    return len(empty)


def test_whatever_a_game_raises_breaks_the_contract_and_an_interruption_does_not() -> None:
    def raises(error: BaseException) -> Callable[[Any], int]:
        def mover(s: Any) -> int:
            raise error

        return mover

    for error in (KeyError("a\nb"), RecursionError(), AssertionError("\ud800")):
        assert is_broken(entry(mover=raises(error)), "legal moves are legal")
    with pytest.raises(KeyboardInterrupt):
        is_broken(entry(mover=raises(KeyboardInterrupt())), "legal moves are legal")


def test_an_error_is_told_with_its_place_in_the_game(install: Callable[..., str]) -> None:
    entry = catalog.get(install("failing", "rules.py", "    s.ply += 1\n", "    s.ply += 1 + [][s.ply]\n"))
    (folder,) = importlib.import_module(entry.package).__path__
    line = (Path(folder) / "rules.py").read_text().partition("[][s.ply]")[0].count("\n") + 1
    with pytest.raises(BrokenRules) as caught:
        contract.CHECKS["states keep their shape"](entry)
    assert str(caught.value) == f"IndexError: list index out of range (rules.py, line {line}, in play)"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Makes a game from the template, with a text in one of its files replaced, and puts it into the catalog."""

    def install(name: str, file: str, old: str, new: str) -> str:
        assert cli.main(["new-game", name, "--in", str(tmp_path)]) == 0
        package = f"quet_{name}"
        path = tmp_path / name / "src" / package / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        monkeypatch.syspath_prepend(path.parents[1])
        importlib.invalidate_caches()
        folders = {id: catalog.get(id).package for id in catalog.ids()} | {name: package}
        monkeypatch.setattr(games, "folders", lambda: folders)
        return name

    return install


def test_rules_that_overflow_when_compiled_are_noticed(
    install: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("QUET_CACHE", str(tmp_path / "cache"))
    name = install("overflowing", "rules.py", "mover(s) != player", "mover(s) != player and s.ply << 63 > 0")
    assert is_broken(catalog.get(name), "plain and compiled agree")
    assert not is_broken(catalog.get(name), "scores are the sum of items")


@pytest.mark.parametrize(
    ("name", "file", "old", "new"),
    [
        ("unreadable", "rules.py", "EMPTY, FILLED = 0, 1", "EMPTY, FILLED = 0 1"),
        ("raising", "rules.py", "EMPTY, FILLED = 0, 1", "raise KeyError('a' + chr(10) + 'b')"),
        ("missing", "rules.py", "def broken_rule", "def broken_rules"),
        ("untitled", "facts.toml", "title =", "name ="),
        ("packageless", "__init__.py", '"""', "("),
        ("oddly", "rules.py", "PARAMETERS = (", "PARAMETERS = (None, "),
    ],
    ids=lambda value: value if value.isalpha() else "",
)
def test_a_broken_game_is_told_in_lines_and_the_others_are_listed(
    name: str, file: str, old: str, new: str, install: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    install(name, file, old, new)
    capsys.readouterr()

    assert cli.main(["check", name]) == 1
    out, err = capsys.readouterr()
    assert "FAIL" in out
    assert all(line[:6] in ("ok    ", "-     ", "FAIL  ") for line in out.splitlines())
    assert err == ""

    assert cli.main(["games", "--json"]) == 0
    out, err = capsys.readouterr()
    assert [game["game"] for game in json.loads(out)] == [id for id in catalog.ids() if id != name]
    assert err.startswith(f"quet: {name} is broken: ")
    assert err.count("\n") == 1
