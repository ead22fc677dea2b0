"""Games that begin with a position on paper, and what makes two games equal.

`quet check` holds every game to the same; here are papers of unfinished games, and what only some games need.
"""

import copy
import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest

import quet
from by_game import ByGame
from conftest import SMALL, check_games
from quet.core.errors import BadPaper, BadParameter, BadRecord, IllegalMove
from quet.core.state import fields
from quet.games.blob import rules as blob
from quet.play.session import Session
from quet.results.claim import Refused, of_game
from quet.starts import on_paper
from quet.study.analysis import analyse
from quet.study.paper import judge_paper

# What a paper shows, what it doesn't, and whether it is unfinished.
PAPERS: dict[str, tuple[str, dict[str, Any], bool]] = ByGame(
    "PAPERS in tests/test_starts.py",
    {
        "blob": ("* * o\no * o\no o o", {}, True),
        "convoluted-coprimality": ("1 2 3\n. . 4\n. . 5", {"players": 3}, True),
        "divisors-multiples": ("2! 4! 1\n3!", {"r": 5, "players": 2}, True),
        "palindromes": ("10..\n.1..", {}, True),
        "plusses-minuses": ("+- -+\na1", {}, True),
        "sequence-ascension": ("1 2\n4 3", {"sequence": "naturals"}, False),
        "sums-grid": ("2 9 .\n3 1 10\n7 . 15", {}, True),
        "up-and-up": ("1 2 .\n. . .\n4 3 .", {}, True),
    },
)


# What a paper shows before the first move, and the game that it is; the others have nothing on it then.
EMPTY: dict[str, tuple[str, dict[str, Any]]] = {
    "blob": ("o o o/o o o/o o o", {"n": 3}),
    "convoluted-coprimality": ("1 . ./. . ./. . .", {"n": 3}),
    "palindromes": ("....", {"m": 4}),
    "sums-grid": (". ./. .", {"n": 2}),
    "up-and-up": (". . ./. . ./. . .", {"n": 3}),
}

CIRCULAR = {"divisors-multiples", "sums-grid"}  # a position can come again


def game_on_paper(id: str) -> quet.Game:
    """A game that begins on paper."""
    paper, given, _ = PAPERS[id]
    return quet.position(id, paper, **given)


def test_papers_of_all_games_are_here() -> None:
    check_games(PAPERS, "PAPERS in tests/test_starts.py")


def test_a_position_on_paper_is_read_back_from_records(our_game_id: str, tmp_path: Path) -> None:
    game = game_on_paper(our_game_id)
    assert game.is_over is not PAPERS[our_game_id][2]
    played = game.copy()
    if not game.is_over:
        played.play(played.legal_moves[0])
    records = [quet.Record.of(each, tags={"Player1": "Ann"}) for each in (game, played)]
    for name in ("games.quet", "games.json"):
        quet.save(tmp_path / name, records)
        again = quet.load(tmp_path / name)
        assert [each.game for each in again] == [game, played]
        assert [each.game.moves for each in again] == [[], played.moves]
        assert [each.text() for each in again] == [each.text() for each in records]
        assert [each.json() for each in again] == [each.json() for each in records]


def test_taking_back_stops_at_the_paper(our_game_id: str) -> None:
    game = game_on_paper(our_game_id)
    before = copy.deepcopy(game)
    if not game.is_over:
        game.play(game.legal_moves[-1])
        assert game != before
        game.undo()
    assert game == before
    with pytest.raises(IllegalMove, match=r"^There is no move to take back\.$"):
        game.undo()
    assert str(game) == str(before)


def test_copies_and_pickles_are_equal_and_independent(our_game_id: str) -> None:
    for game in (game_on_paper(our_game_id), quet.new(our_game_id)):
        for twin in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
            assert twin == game and hash(twin) == hash(game) and twin.key() == game.key()
            assert twin.moves == game.moves and twin.start == game.start and twin.items == game.items
            if not twin.is_over:
                twin.play(twin.legal_moves[0])
                assert twin != game and game.ply == 0


def test_a_pickled_game_has_its_moves() -> None:
    game = quet.new("blob", n=4)
    for move in ("b2", "b3", "c3"):
        game.play(move)
    again = pickle.loads(pickle.dumps(game))
    assert again.undo() == "c3" and again.moves == ["b2", "b3"] and game.ply == 3


@pytest.mark.parametrize(
    ("id", "parameters", "first", "second"),
    [
        ("blob", {"n": 4}, "b2 b3 c2 c3 b1 c1", "c3 c2 b3 b2 c1 b1"),
        ("palindromes", {"m": 6}, "1=0 4=1 2=1 3=0", "2=1 3=0 1=0 4=1"),
        ("plusses-minuses", {"n": 3}, "+ - + - a1 b2", "+ - + - b2 a1"),
        ("sums-grid", {"n": 3}, "a1=1 b2=2", "b2=2 a1=1"),
        ("sequence-ascension", {"n": 2, "sequence": "1,2,1,3"}, "a1 b1 b2 a2", "b2 b1 a1 a2"),
        ("sequence-ascension", {"n": 2, "sequence": "1,2,1,1"}, "a1 b1 b2 a2", "a1 b1 a2 b2"),
    ],
)
def test_positions_are_equal_however_they_were_reached(
    id: str, parameters: dict[str, Any], first: str, second: str
) -> None:
    games = []
    for moves in (first, second):
        games.append(quet.new(id, **parameters))
        for move in moves.split():
            games[-1].play(move)
    one, other = games
    assert one == other and hash(one) == hash(other) and one.moves != other.moves
    assert sorted(one.legal_moves) == sorted(other.legal_moves) and len({one, other}) == 1


def test_the_square_of_the_last_term_counts_as_long_as_terms_are_placed() -> None:
    start = quet.new("sequence-ascension", n=3, sequence="1,1,1,1,1,1,1,1,1")
    assert start.after("a1").after("b1") != start.after("b1").after("a1")


def test_a_canonical_state_keeps_the_lengths_of_its_lists() -> None:
    s = quet.new("blob", n=4).after("b2").state
    blob.canonical(s)
    assert all(length is None or len(getattr(s, name)) == length.size for name, length in fields(type(s)).items())


def test_other_positions_are_not_equal(our_game_id: str) -> None:
    """Each position of a random game is another one, in every size; and no game equals what isn't one."""
    generator = random.Random(3)
    seen = set()
    for parameters in SMALL[our_game_id]:
        game = quet.new(our_game_id, **parameters)
        seen.add(game.copy())
        while not game.is_over and game.ply < 20 and our_game_id not in CIRCULAR:
            game.play(generator.choice(game.legal_moves))
            assert game not in seen
            seen.add(game.copy())
    assert quet.new(our_game_id) != our_game_id


@pytest.mark.parametrize("id", EMPTY)
def test_a_paper_on_which_nothing_is_played_is_a_new_game(id: str) -> None:
    paper, parameters = EMPTY[id]
    game = quet.position(id, paper)
    assert (game, game.start) == (quet.new(id, **parameters), "")  # so that all that is known of the start is used


def test_a_position_equals_the_one_that_was_played() -> None:
    game = quet.new("blob", n=3)
    for move in ("a3", "b3", "b2"):
        game.play(move)
    assert game == quet.position("blob", "* * o / o * o / o o o") == quet.position("blob", "**o/o*o/ooo", n=3)
    assert game != quet.position("blob", "* * o / o * o / o * o")
    assert quet.position("blob", "b2 b3", n=3) == game.at(0).after("b2").after("b3")


def test_the_terms_of_a_sequence_count_and_not_its_name() -> None:
    assert quet.new("sequence-ascension", n=2) == quet.new("sequence-ascension", n=2, sequence=[1, 2, 2, 3])


def test_everything_works_on_a_game_from_paper() -> None:
    game = quet.position("palindromes", "1..0")
    game.play("2=0")
    session = Session(game)
    session.play("3=0")
    assert session.undo() == ["3=0"] and session.undo() == ["2=0"]
    assert session.game == quet.position("palindromes", "1..0")
    with pytest.raises(IllegalMove):
        session.undo()
    assert analyse(game, simulations=20).assessments[0].move == "2=0"
    assert [*game.plies()] == [(1, "2=0")]
    assert quet.Record.of(game).summary == "Unfinished after 1 move."


def test_a_score_that_began_on_paper_is_no_result() -> None:
    game = quet.position("sums-grid", "2 1 / 3 4")
    assert game.is_over
    with pytest.raises(Refused, match="begins with a position on paper"):
        of_game(game, is_lowest=False)


def test_judging_a_paper_begins_the_same_game() -> None:
    paper, given, _ = PAPERS["up-and-up"]
    judged = judge_paper(quet.new("up-and-up").entry, paper, given)
    assert judged.game == game_on_paper("up-and-up") and judged.game.items == judged.items
    assert quet.Record.of(judged.game).text().splitlines()[3] == '[Position "1 2 . / . . . / 4 3 ."]'


HEAD = '[Game "palindromes"]\n[Rules "1"]\n[m "4"]\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            f'{HEAD}[Position "1.2."]\n[Result "*"]\n\n*',
            "a.quet, line 4: In square 3 stands '2', which is neither 0 nor 1 nor a . for an empty one.",
        ),
        (f'{HEAD}[Position "1.."]\n[Result "*"]\n\n*', "a.quet, line 4: The length of the row is 3, but m is 4."),
        (f'{HEAD}[Position "  "]\n[Result "*"]\n\n*', "a.quet, line 4: The position is empty."),
        (f'{HEAD}[Position "1..0"]\n[Position "1..0"]\n[Result "*"]\n*', "a.quet, line 5: The tag 'Position' is given"),
        (f'{HEAD}[A "b"]\n[Position "1..0"]\n[Result "*"]\n*', "a.quet, line 5: The tag Position must follow the para"),
        (
            f'{HEAD}[Position "1..0"]\n[Result "*"]\n\n1. 1=0\n*',
            "a.quet, line 7, move 1: Square 1 holds a 1 already.",
        ),
        (f'{HEAD}[Position "1..0"]\n[Result "1-1"]\n\n=1-1', "a.quet, line 7: The result is '1-1', but the game isn't"),
    ],
)
def test_a_damaged_position_is_refused_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(BadRecord) as caught:
        quet.read(text, "a.quet")
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("position", ["", " ", "1..0\n", "1.\x002", 10, None, ["1..0"]])
def test_a_damaged_position_in_json_is_refused(position: object) -> None:
    data = quet.Record.of(quet.position("palindromes", "1..0")).json() | {"position": position}
    with pytest.raises(BadRecord):
        quet.read(json.dumps(data))


def test_a_position_of_other_parameters_is_refused() -> None:
    data = quet.Record.of(quet.position("sequence-ascension", "1 2 / 3 4")).json()
    parameters: Any = data["parameters"]
    with pytest.raises(BadRecord):
        quet.read(json.dumps(data | {"parameters": parameters | {"sequence": "1,2,2,2"}}))


def test_position_says_what_is_wrong() -> None:
    for wrong in (None, 5, b"1..0", ["1"], float("nan")):
        with pytest.raises(BadPaper, match=r"^A paper must be a text, not "):
            quet.position("palindromes", wrong)  # type: ignore[arg-type]
    with pytest.raises(BadParameter):
        quet.position("palindromes", "1..0", n=4)


def test_moves_with_their_numbers_are_read_as_moves() -> None:
    for id, moves in (
        ("up-and-up", ["a1", "a2"]),
        ("palindromes", ["1=0", "3=0"]),
        ("divisors-multiples", ["12", "6!"]),
    ):
        text = " ".join(f"{ply}. {move}" for ply, move in enumerate(moves, 1))
        read = [on_paper(quet.catalog.get(id), each, {}) for each in (text, " ".join(moves))]
        assert read[0].state == read[1].state
