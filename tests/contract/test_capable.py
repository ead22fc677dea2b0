"""The contract notices a capability that doesn't hold: the one of docs/capabilities.md, broken in one way at a time."""

import itertools
import json
import re
import shutil
import sys
import textwrap
import types
from pathlib import Path
from typing import Any

import pytest

import quet.template.game
from conftest import SMALL
from quet import catalog
from quet.capabilities import FOR_SOLVERS, NOTHING, names
from quet.catalog import Entry
from quet.cli import main as cli
from quet.contract import advice, capable, small
from quet.contract import checks as contract
from quet.core.errors import BrokenRules
from quet.distribution.task import Task
from quet.game import Game
from quet.solving.ask import answer

PAGE = (Path(__file__).parents[2] / "docs" / "capabilities.md").read_text()
EXACT = textwrap.dedent(
    PAGE[PAGE.index("    from .rules import FILLED") : PAGE.index("The number of filled squares says")]
)
MORE = """

NUMBERING = 1
SIGN_IS_VALUE = True


def reach(s: State) -> tuple[int, int]:
    return -1, 1


def settled(s: State) -> int:
    return 0


def arrange(s: State, moves: list[int], count: int) -> None:
    if count > 1:
        first = moves[0]
        moves[0] = moves[count - 1]
        moves[count - 1] = first


def num_left(s: State) -> int:
    left = 0
    for square in range(s.n):
        if s.cells[square] != FILLED and not is_beside_filled(s, square):
            left += 1
    return left


def is_near_end(s: State) -> bool:
    return num_left(s) == 1


def ending(s: State, low: int, high: int) -> int:
    value = 1 if s.ply % 2 == 0 else -1
    return min(max(value, low), high)


def left_in_any_order(s: State) -> int:
    return 0


def most_plies(s: State) -> int:
    return (s.n + 1) // 2
"""
TABLE = """

METHOD = "a list of everything"


@dataclass(frozen=True)
class Solution:
    n: int
    cells: tuple[int, ...]

    @property
    def num_positions(self) -> int:
        return 1

    def covers(self, s: State) -> bool:
        return s.n == self.n

    def value(self, s: State) -> int | None:
        return best(s)

    def values_of(self, states: Records, rules: AnySearchRules) -> Ints:
        return np.array([best(unpack(record, State)) for record in states])


def best(s: State) -> int:
    found = []
    for square in range(s.n):
        if s.cells[square] != FILLED and not is_beside_filled(s, square):
            s.cells[square], s.ply = FILLED, s.ply + 1
            found.append(best(s))
            s.cells[square], s.ply = 0, s.ply - 1
    last = 1 if s.ply % 2 else -1
    return last if not found else max(found) if s.ply % 2 == 0 else min(found)


def needed(s: State) -> int:
    return 1000


def is_quick(s: State) -> bool:
    return True


def solve(s: State, task: Task) -> Solution | None:
    return Solution(s.n, (0, 1))


def key_of_checker(s: State) -> bytes:
    return hashed(array("q", [s.n, s.ply, *s.cells]).tobytes())


def has_replies(s: State) -> bool:
    return s.n > 3


def replies(s: State, value: int, player: int, task: Task) -> Ints:
    found, layer = [], {key_of_checker(s): s}
    while layer:
        later = {}
        for key, s in sorted(layer.items()):
            ways = []
            for square in range(s.n):
                if s.cells[square] != FILLED and not is_beside_filled(s, square):
                    twin = copy(s)
                    twin.cells[square], twin.ply = FILLED, s.ply + 1
                    ways.append(twin)
            if ways and 1 + s.ply % 2 == player:
                sign = 3 - 2 * player
                good = [i for i, way in enumerate(ways) if sign * best(copy(way)) >= sign * value]
                found.append(good[-1])
                ways = [ways[good[-1]]]
            for way in ways:
                later.setdefault(key_of_checker(way), way)
        layer = later
    return np.array(found)
"""
ALL = (
    EXACT.replace(
        "from .rules import FILLED, State",
        "from array import array\nfrom dataclasses import dataclass\n\nimport numpy as np\n\n"
        "from quet.core.rules import AnySearchRules\n"
        "from quet.certificates.claims import hashed\nfrom quet.core.state import copy\n"
        "from quet.distribution.task import Task\nfrom quet.engine.arrays import Ints, Records, unpack\n\n"
        "from .rules import FILLED, State, is_beside_filled",
    )
    + MORE
    + TABLE
)
numbers = itertools.count()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on Python's path."""
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def made(folder: Path, **files: str) -> Entry:
    """The template's game in a package of its own, with these modules more."""
    name = f"game_with_more_{next(numbers)}"
    there = Path(quet.template.game.__file__).parent
    shutil.copytree(there, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    facts = folder / name / "facts.toml"
    facts.write_text(facts.read_text().replace("DATE", "2026-01-01"))
    for module, text in files.items():
        (folder / name / f"{module}.py").write_text(text)
    return Entry(name.replace("_", "-"), name)


def is_broken(entry: Entry, check: str) -> bool:
    try:
        contract.CHECKS[check](entry)
    except BrokenRules as error:
        assert str(error).isprintable()
        return True
    return False


def test_the_example_of_the_page_keeps_the_contract_and_is_solved(folder: Path) -> None:
    entry = made(folder, exact=EXACT)
    assert entry.capabilities.keys is not None
    for check in capable.CHECKS:
        check(entry)
    game = quet.game.Game(entry, {"n": 9})
    found = answer(entry, game.state, Task())
    without = answer(made(folder), game.state, Task())
    assert found.is_proven
    assert "alpha-beta" in found.method
    assert (found.value, found.best_moves) == (without.value, without.best_moves) == (1, [4])


def test_all_that_a_game_for_two_can_have_for_solvers_keeps_the_contract(folder: Path) -> None:
    entry = made(folder, exact=ALL)
    has = entry.capabilities
    whole = (has.bounds, has.keys, has.any_order, has.reach, has.order, has.endgame, has.plies, has.table, has.replies)
    assert None not in whole
    assert has.is_sign_value
    for check in capable.CHECKS:
        check(entry)
    assert {each for kind in FOR_SOLVERS for each in names(kind)} - {"COMPACT"} <= set(vars(sys.modules[has.module]))


BROKEN = [
    ("capabilities are whole", "def settled", "def settles"),
    ("capabilities are whole", "def bounds", "def bound"),
    ("capabilities are whole", "NUMBERING = 1", "NUMBERING = 0"),
    ("values lie in their bounds", "return -1, 1\n\n\ndef key", "return -1, 0\n\n\ndef key"),
    ("values lie in their bounds", "return -1, 1\n\n\ndef settled", "return 0, 1\n\n\ndef settled"),
    ("keys tell positions apart", "backwards |= 1 << (s.n - 1 - square)", "backwards |= 1 << square // 2"),
    ("keys tell positions apart", "return min(forwards, backwards)", "return min(forwards, backwards) << 63"),
    ("keys tell positions apart", "return 0\n\n\ndef arrange", "return s.cells[0]\n\n\ndef arrange"),
    ("order keeps the moves", "moves[count - 1] = first", "moves[count - 1] = moves[0]"),
    ("order keeps the moves", "moves[count - 1] = first", "moves[count] = first"),
    ("endings are values", "value = 1 if s.ply % 2 == 0", "value = 1 if s.ply % 2 == 1"),
    ("endings are values", "return num_left(s) == 1", "return num_left(s) <= 2"),
    ("games are no longer than said", "return (s.n + 1) // 2", "return s.n // 2"),
    ("alpha beta finds the value", "value = 1 if s.ply % 2 == 0", "value = 1 if s.ply % 2 == 1"),
    ("own tables have the values", "last = 1 if s.ply % 2", "last = 1 if s.ply % 3"),
    ("own tables have the values", "return s.n == self.n", "return False"),
    ("own tables have the values", "return Solution(s.n, (0, 1))", "return None"),
    ("own tables have the values", "return 1000", "return 0"),
    ("own tables have the values", "np.array([best(", "np.array([1 - best("),
    ("own replies hold the value", "append(good[-1])", "append(ways.index(ways[-1]))"),
    ("own replies hold the value", "return np.array(found)", "return np.array(found[1:])"),
    ("own replies hold the value", "return s.n > 3", "return s.n"),
]


@pytest.mark.parametrize(("check", "right", "wrong"), BROKEN)
def test_a_capability_that_does_not_hold_is_found_out(check: str, right: str, wrong: str, folder: Path) -> None:
    assert ALL.count(right) == 1
    assert is_broken(made(folder, exact=ALL.replace(right, wrong)), check)


def test_a_game_can_say_how_long_it_is_and_nothing_else(folder: Path) -> None:
    plies = "from .rules import State\n\n\ndef most_plies(s: State) -> int:\n    return {}\n"
    entry = made(folder, exact=plies.format("(s.n + 1) // 2"))
    for check in ("capabilities are whole", "games are no longer than said"):
        assert not is_broken(entry, check)
    assert is_broken(made(folder, exact=plies.format("s.n // 2")), "games are no longer than said")


def test_points_where_the_sign_should_be_the_value_are_found_out(folder: Path) -> None:
    entry = made(folder, exact=EXACT + "\n\nSIGN_IS_VALUE = True\n")
    rules = folder / entry.package / "rules.py"
    rules.write_text(rules.read_text().replace("return 1 if is_over(s)", "return 2 if is_over(s)"))
    assert is_broken(entry, "the sign is the value")


SENSIBLE = """
from .rules import LOWER_IS_BETTER, State, is_over, most_moves, mover, num_players, play, score
from . import rules


def legal_moves(s: State, out: list[int]) -> int:
    return WANTED
"""


@pytest.mark.parametrize(
    ("wanted", "is_right"), [("rules.legal_moves(s, out)", True), ("min(1, rules.legal_moves(s, out))", False)]
)
def test_sensible_moves_that_lose_are_found_out(wanted: str, is_right: bool, folder: Path) -> None:
    entry = made(folder, sensible=SENSIBLE.replace("WANTED", wanted))
    assert is_broken(entry, "sensible moves lose nothing") is not is_right


RANDOM_END = """
from quet.engine.playouts import below

from . import rules


def num_moves(s):
    return s.n


def finish(s, room, rng, made, scores):
    while not rules.is_over(s):
        move = room[below(rng, rules.legal_moves(s, room))]
        made[rules.mover(s), move // 32] |= 1 << move % 32
        rules.play(s, move)
    scores[1] = rules.score(s, 1)
    scores[2] = rules.score(s, 2)
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        ("below(rng, rules.legal_moves(s, room))", "rules.legal_moves(s, room) - 1"),
        ("made[rules.mover(s), ", "made[1, "),
        ("scores[2] = rules.score(s, 2)", "scores[2] = 1"),
        ("1 << move % 32", "1 << (move + 1) % 32"),
        ("below(rng, rules.legal_moves(s, room))", "below(rng, 1 + below(rng, rules.legal_moves(s, room)))"),
    ],
)
def test_ends_that_are_not_those_of_random_games_are_found_out(right: str, wrong: str, folder: Path) -> None:
    entry = made(folder, random_end=RANDOM_END.replace(right, wrong))
    assert is_broken(entry, "random ends are those of random games") is (right != wrong)


STILL_IN = """
from .rules import is_over, mover


def is_in(s, player):
    return TOLD
"""
GOAL = """
from quet.core.messages import say
from quet.core.position import Position


def goal(position: Position) -> str:
    return say("Fill a square.")
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        ("a square.", "a square"),
        ('say("Fill a square.")', '"Fill a square."'),
        ('say("Fill a square.")', 'say("")'),
        ("    return", "    position.state.cells[0] = 9\n    return"),
    ],
)
def test_a_goal_that_is_no_message_or_no_sentence_is_found_out(right: str, wrong: str, folder: Path) -> None:
    entry = made(folder, goal=GOAL.replace(right, wrong))
    assert is_broken(entry, "goals are said") is (right != wrong)


@pytest.mark.parametrize(
    ("told", "is_right"),
    [
        ("True", True),
        ("player != 2", False),  # who isn't in at the start
        ("is_over(s) or player == mover(s)", False),  # who comes back
        ("not is_over(s)", False),  # winners who are out
    ],
)
def test_players_who_come_back_and_movers_and_winners_who_are_out_are_found_out(
    told: str, is_right: bool, folder: Path
) -> None:
    entry = made(folder, still_in=STILL_IN.replace("TOLD", told))
    assert is_broken(entry, "who is out stays out") is not is_right


IMAGES = """
def images(s, move):
    return [move, s.n - 1 - move]
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        ("[move, s.n - 1 - move]", "[s.n - 1 - move, move]"),
        ("[move, s.n - 1 - move]", "[move, s.n - 1 - move][: s.n - move]"),
        ("s.n - 1 - move]", "(move + 1) % s.n]"),
        ("s.n - 1 - move]", "s.n - move]"),
    ],
)
def test_images_of_a_game_that_are_no_games_are_found_out(right: str, wrong: str, folder: Path) -> None:
    entry = made(folder, images=IMAGES.replace(right, wrong))
    assert is_broken(entry, "images are games") is (right != wrong)


BY_HAND = """
from quet.core.draft import EMPTY, Draft, toggled
from quet.core.messages import say
from quet.core.position import Position

from .judge import read_paper
from .rules import FILLED, PARAMETERS, State, start

WAYS = {"fill": say("A click fills a square, or empties it.")}
MARKS = ("*",)
NUMBER = ""
FIELDS = ()


def read(text, given):
    row = "".join(text.split())
    return Draft({"n": len(row)}, {str(i): mark for i, mark in enumerate(row, 1) if mark == "*"})


def text(draft):
    return "".join(draft.squares.get(str(i), EMPTY) for i in range(1, draft.parameters["n"] + 1))


def of(position):
    s = position.state
    return Draft(position.parameters, {str(i + 1): "*" for i in range(s.n) if s.cells[i] == FILLED})


def click(draft, square, way, mark):
    return toggled(draft, square, mark, MARKS)


def sketch(draft):
    s = State()
    start(s, **draft.parameters)
    for square in draft.squares:
        s.cells[int(square) - 1] = FILLED
    return Position(s, draft.parameters)
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        ('say("A click fills a square, or empties it.")', '""'),
        ('NUMBER = ""', 'NUMBER = "The number"'),
        ("draft.squares.get(str(i), EMPTY) for", '"*" if i == 1 else draft.squares.get(str(i), EMPTY) for'),
        ("enumerate(row, 1) if mark", "enumerate(row, 1) if i > 1 and mark"),
        ("range(s.n) if s.cells", "range(1, s.n) if s.cells"),
        ("return toggled(draft, square, mark, MARKS)", 'return draft.put(square, "*")'),
        ("return toggled(draft, square, mark, MARKS)", 'return draft.put(square, mark or "*")'),
        ("return toggled(draft, square, mark, MARKS)", 'return draft.put("1", mark)'),
    ],
)
def test_positions_that_are_set_up_wrongly_are_found_out(right: str, wrong: str, folder: Path) -> None:
    entry = made(folder, by_hand=BY_HAND.replace(right, wrong))
    assert is_broken(entry, "positions can be set up") is (right != wrong)


def test_a_game_without_a_goal_has_a_plain_sentence(folder: Path) -> None:
    assert Game(made(folder), {"n": 3}).goal == "Make a move."


def test_a_module_without_what_it_needs_is_refused_by_name(folder: Path) -> None:
    with pytest.raises(BrokenRules, match=r"The strategy of .* have no METHOD"):
        _ = made(folder, strategy="def find(s):\n    return []\n").strategy


STRATEGY = """
METHOD = "a guess"


def find(s):
    return [(HELD, {"for": ["SIDE"], "kind": "guess"})]
"""


@pytest.mark.parametrize(("held", "side", "is_right"), [(-1, "low", True), (1, "low", False), (-1, "high", False)])
def test_a_strategy_that_holds_too_much_is_found_out(held: int, side: str, is_right: bool, folder: Path) -> None:
    entry = made(folder, strategy=STRATEGY.replace("HELD", str(held)).replace("SIDE", side))
    assert is_broken(entry, "own solvers are right") is not is_right


SOLVE = """
from quet.distribution.task import Answer


def solve(state, task):
    return Answer(LOW, HIGH, [], [], 0, "a guess")
"""


@pytest.mark.parametrize(
    ("low", "high", "is_right"),
    [(-1, 1, True), (None, 1, True), (None, None, True), (1, 2, False), (-2, -1, False), (0, 0, False)],
)
def test_own_solvers_with_wrong_bounds_are_found_out(
    low: int | None, high: int | None, is_right: bool, folder: Path
) -> None:
    entry = made(folder, solve=SOLVE.replace("LOW", str(low)).replace("HIGH", str(high)))
    assert is_broken(entry, "own solvers are right") is not is_right


def test_a_game_without_capabilities_has_none(folder: Path) -> None:
    entry = made(folder)
    assert entry.capabilities is NOTHING
    about = advice.about(entry)
    assert about.has == []
    assert about.roles == ["border", "filled", "last", "legal", "muted", "square"]
    assert "key and fits in exact.py" in about.could_add
    assert "SIGN_IS_VALUE in exact.py" in about.could_add
    assert all(sentence.endswith(".") for sentence in about.could_add.values())


@pytest.mark.parametrize("id", sorted(SMALL))
def test_what_a_game_has_it_is_not_told_to_add(id: str) -> None:
    about = advice.about(catalog.get(id))
    assert not set(about.has) & set(about.could_add)
    assert "observe.py" in about.has
    assert "observe.py" not in about.could_add


@pytest.mark.long
def test_quet_check_lists_roles_and_says_what_could_be_added(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "up-and-up"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^Roles of its pictures: .*path.*\.$", said, re.MULTILINE)
    assert re.search(
        r"^Beyond its rules it has: bounds in exact\.py; key and fits in exact\.py; .*$", said, re.MULTILINE
    )
    assert re.search(r"^- COMPACT in exact\.py: Searches play .*\.$", said, re.MULTILINE)
    assert cli.main(["check", "up-and-up", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["passed"]
    assert {"roles", "has", "could_add"} <= told.keys()


PLANNER = """
from quet.capabilities import Plan
from quet.core.state import copy
from quet.core.rules import legal_moves
from quet.games.up_and_up import rules


def plan(s, line, number, seed, is_over, *, is_plain=False, work=1.0):
    later, moves = copy(s), []
    while not rules.is_over(later):
        moves.append(legal_moves(rules, later)[0])
        rules.play(later, moves[-1])
    return Plan(moves, 1, s.n * s.n)
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("1, s.n * s.n", "1, s.n"),
        ("moves, 1,", "moves, 10_000,"),
        ("Plan(moves,", "Plan(moves[:-1],"),
        ("[-1])\n    return", "[-1])\n    rules.play(s, moves[0])\n    return"),
        ("Plan(moves,", "Plan([*moves[1:], moves[0]],"),
        ("1, s.n * s.n", "1, s.n * s.n"),
    ],
)
def test_a_plan_that_is_no_game_is_found_out(right: str, wrong: str) -> None:
    assert PLANNER.count(right) == 1
    module = types.ModuleType("planner")
    exec(PLANNER.replace(right, wrong), vars(module))
    entry = Entry("up-and-up", quet.new("up-and-up").entry.package)
    entry.__dict__["planner"] = module
    assert is_broken(entry, "plans lead to the end") is (right != wrong)


@pytest.mark.parametrize(
    ("id", "part", "wrong", "check"),
    [
        ("up-and-up", "terms", {"a": lambda n: n * n - 1}, "terms are those of the game"),
        ("palindromes", "terms", {"a": lambda n: 0}, "terms are those of the game"),
        ("up-and-up", "second", {"value": lambda parameters, value, bound, until: value}, "second ways agree"),
        ("divisors-multiples", "second", {"value": lambda *_: -2}, "second ways agree"),
        ("sums-grid", "kept", {"worths": lambda s, best: ({0: 1}, "")}, "kept values can be reached"),
        ("sums-grid", "kept", {"worths": lambda s, best: ({1: 3}, "")}, "kept values can be reached"),
        ("sums-grid", "kept", {"worths": lambda s, best: ({1: 9}, "")}, "kept values can be reached"),
    ],
)
def test_a_way_of_its_own_to_other_values_is_found_out(
    id: str, part: str, wrong: dict[str, object], check: str
) -> None:
    entry = Entry(id, catalog.get(id).package)
    assert not is_broken(entry, check)
    entry.__dict__[part] = types.SimpleNamespace(**vars(getattr(entry, part)) | wrong)
    assert is_broken(entry, check)


def test_a_game_with_a_table_is_not_said_to_have_replies_without_one(folder: Path) -> None:
    name = "replies and has_replies in exact.py"
    for game in map(catalog.get, SMALL):
        about = advice.about(game)
        assert (name in about.has) == (game.capabilities.replies is not None)
        assert name not in about.could_add or game.capabilities.table is None


def test_a_solitaire_in_which_nothing_ends_any_more_is_no_small_game() -> None:
    after = {0: [1, 2], 1: [0, 9], 2: [2]}  # from 2 no end is reached

    def legal_moves(s: Any, out: list[int]) -> int:
        moves = after[s.cells[0]]
        out[: len(moves)] = moves
        return len(moves)

    entry = Entry("trap", "quet.template.game")
    entry.__dict__["rules"] = types.SimpleNamespace(
        **vars(entry.rules)
        | {
            "num_players": lambda s: 1,
            "is_over": lambda s: s.cells[0] == 9,
            "most_moves": lambda s: 2,
            "legal_moves": legal_moves,
            "play": lambda s, move: s.cells.__setitem__(0, move),
            "score": lambda s, player: 1,
        }
    )
    assert small.games(entry) == []
    after[2] = [1]
    assert {game.start.value for game in small._games(entry)} == {1}
