import io
import itertools
import json
import re
import shlex
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quet
from conftest import SMALL, check_games, play_at_random
from papers import PAPERS
from quet import catalog
from quet.cli import score
from quet.core.errors import BadPaper, BadParameter, QuetError, UnknownGame
from quet.study.paper import Judged

SAMPLES = [(id, sample) for id in catalog.ids() for sample in catalog.get(id).facts.get("samples", [])]


def nobody() -> str:
    raise AssertionError("Standard input must not be read.")


def scored(*arguments: str, stdin: str | None = None) -> Any:
    return json.loads(score.run([*arguments, "--json"], nobody if stdin is None else lambda: stdin))


@pytest.mark.parametrize(("id", "sample"), SAMPLES, ids=[id for id, _ in SAMPLES])
def test_every_sample_has_its_scores(id: str, sample: dict[str, Any]) -> None:
    shown, told = {}, []  # parameters that the paper shows, and words for the others
    for name, value in sample["parameters"].items():
        if name in ("n", "m"):
            shown[name] = value
        else:
            told.append(f"{name}={value}")
    result = scored(id, sample["paper"], *told)
    assert result["scores"] == sample["scores"]
    assert result["is_over"] is True
    assert all(result["parameters"][name] == value for name, value in sample["parameters"].items())
    assert scored(id, *told, stdin=sample["paper"]) == result
    given = [f"{name}={value}" for name, value in sample["parameters"].items()]
    assert scored(id, *given, *sample["paper"].strip().replace("\n", " / ").split()) == result


def test_a_hyphen_alone_is_standard_input_where_it_is_no_paper() -> None:
    assert scored("palindromes", "-", stdin="01") == scored("palindromes", "01")
    assert scored("plusses-minuses", "-")["parameters"]["n"] == 8  # player 1's first prediction


def test_json_tells_the_game_the_scores_and_the_items() -> None:
    assert scored("palindromes", "01") == {
        "game": "palindromes",
        "parameters": {"m": 2},
        "scores": [0, 2],
        "winners": [2],
        "is_over": True,
        "items": [{"player": 2, "points": 2, "words": "01 at 1-2, an antipalindrome", "squares": ["1", "2"]}],
    }


def test_people_see_the_board_the_items_by_player_and_the_verdict() -> None:
    lines = score.run(["blob", "*o/*o"], nobody).splitlines()
    assert "a b" in "".join(lines[:4])
    assert lines[-7:] == [
        "Player 1: 2",
        "     1  row 2 (1,1): good",
        "     1  row 1 (1,1): good",
        "Player 2: 2",
        "     1  column a (2): good",
        "     1  column b (2): good",
        "Player 1 and player 2 share the win: 2-2.",
    ]


def test_the_verdict_tells_who_won_and_whether_the_game_is_over() -> None:
    assert score.run(["palindromes", "01"], nobody).endswith("\nPlayer 2 wins: 0-2.")
    assert score.run(["palindromes", "0."], nobody).endswith("\nThe game is unfinished.")
    assert score.run(["sums-grid", "1"], nobody).endswith(
        "\nScore: 1\n     1  1 in a1\n     0  first missing: 2\nThe final score is 1."
    )


def test_the_lowest_costs_win() -> None:
    result = scored("divisors-multiples", "r=3", "2! 1 3!")
    assert (result["scores"], result["winners"]) == ([2, 7], [1])


def test_predictions_of_minuses_are_paper_and_no_flags() -> None:
    assert scored("plusses-minuses", "--", "-+", "a3", "b2", "c1")["scores"] == [2, 1]


def test_moves_are_replayed_from_the_start() -> None:
    moves = ["1=0", "4=0", "2=1", "3=1"]
    game = quet.new("palindromes", m=4)
    for move in moves:
        game.play(move)
    assert scored("palindromes", "m=4", *moves)["scores"] == game.scores
    assert scored("palindromes", "m=4", stdin=",".join(moves))["scores"] == game.scores
    assert scored("sums-grid", "n=1", "a1=7", "a1=1", "done")["scores"] == [1]


def test_what_is_both_paper_and_moves_is_paper() -> None:
    assert '"scores": [1, 0]' in score.run(["plusses-minuses", "+", "-", "a1", "b2", "--json"], nobody)


def test_an_illegal_move_is_named_by_its_number() -> None:
    with pytest.raises(BadPaper, match=r"^Move 2, 'c1': c1 is not beside a filled square"):
        score.run(["blob", "a1", "c1"], nobody)
    with pytest.raises(BadPaper, match=r"^Move 2: 'zz' is not a square"):
        score.run(["blob", "a1", "zz"], nobody)
    with pytest.raises(BadPaper, match=r"^Move 3, 'a1': The game is over"):
        score.run(["blob", "n=2", "a1", "a2", "a1"], nobody)
    with pytest.raises(BadParameter, match="n must be from 2 to 20"):
        score.run(["blob", "n=21", "a1", "a2"], nobody)


def test_a_parameter_may_stand_anywhere_after_the_game() -> None:
    assert scored("sequence-ascension", "1 2", "sequence=1,2,2,3", "/ 2 3")["parameters"]["sequence"] == "1,2,2,3"


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ([], UnknownGame, "Say which game was played"),
        (["chess", "e4"], UnknownGame, "There is no game 'chess'"),
        (["blob", "m=3", "*o/oo"], BadParameter, "There is no parameter 'm'"),
        (["blob", "n=2", "n=2", "*o/oo"], BadParameter, "given twice"),
        (["blob", "n=3", "*o/oo"], BadPaper, "The grid has 2 rows, but n is 3"),
        (["blob", ""], BadPaper, "Nothing is written"),
    ],
)
def test_bad_arguments_are_refused_in_a_sentence(arguments: list[str], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        score.run(arguments, nobody)


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["blob", "--help"]])
def test_help_is_printed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert score.main(arguments) == 0
    assert capsys.readouterr().out == score.help_text() + "\n"


EXAMPLES = re.findall(r"quet score ([a-z].*?)(?:   .*)?$", score.help_text(), re.MULTILINE)


def test_the_help_has_an_example_of_every_game() -> None:
    games = [example.split()[0] for example in EXAMPLES]
    check_games(PAPERS, "PAPERS in tests/papers.py")
    assert sorted(game for game in games if game in PAPERS) == sorted(PAPERS)  # other packages may have some too


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_the_help_can_be_scored(example: str) -> None:
    assert scored(*shlex.split(example))["game"] == example.split()[0]


class Input(io.TextIOWrapper):
    """A standard input of these bytes."""

    def __init__(self, data: bytes, is_terminal: bool = False) -> None:
        super().__init__(io.BytesIO(data))
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


def test_standard_input_is_read_to_its_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", Input(b"\xef\xbb\xbf2 9 8\r\n3 1 10\r\n7 6 15\r\n"))
    assert score.main(["sums-grid", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"] == [19]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Input(b"", is_terminal=True), "There is nothing to score"),
        (lambda: None, "There is nothing to score"),
        (lambda: Input(b"\xff\x00"), "not UTF-8 text"),
        (lambda: Input(b"0" * 1_000_001), "larger than 1 MB"),
        (lambda: Input(b""), "Nothing is written"),
    ],
)
def test_bad_standard_input_is_refused(
    make: Callable[[], Input | None], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", make())
    with pytest.raises(BadPaper, match=words):
        score.main(["palindromes"])


@pytest.mark.parametrize("seed", range(3))
def test_points_add_up_to_the_scores_after_every_move(our_game_id: str, seed: int) -> None:
    begun = [quet.new(our_game_id, **parameters) for parameters in SMALL[our_game_id]]
    for game in itertools.chain(*(play_at_random(one, seed, 150) for one in begun)):
        sums = [0] * game.num_players
        for item in game.items:
            sums[item.player - 1] += item.points
            assert item.words.isprintable()
        assert sums == game.scores
        assert [item.player for item in game.items] == sorted(item.player for item in game.items)


@pytest.mark.parametrize("id", sorted(PAPERS))
def test_the_paper_of_every_game_can_be_read(id: str) -> None:
    result = scored(id, "players=3", PAPERS[id]) if id == "convoluted-coprimality" else scored(id, PAPERS[id])
    assert result["items"]


GIVEN: st.SearchStrategy[dict[str, object]] = st.dictionaries(
    st.sampled_from(["n", "m", "r", "players", "grids", "sequence", "second_part_first", "x"]),
    st.one_of(st.integers(-1, 30), st.text(max_size=5), st.sampled_from(["3", "naturals", "1,2,3,4", "random:1:2:3"])),
    max_size=2,
)


def read_or_refuse(id: str, text: str, parameters: dict[str, object]) -> None:
    """Read a paper and list its items; only a QuetError, whose sentence is not too long, may come."""
    entry = catalog.get(id)
    try:
        position = entry.judge.read_paper(text, parameters)
    except QuetError as error:
        assert isinstance(error, BadPaper | BadParameter)
        assert str(error).isprintable() and len(str(error)) < 400
        return
    items = entry.judge.items(position)
    for player in range(1, entry.rules.num_players(position.state) + 1):
        assert sum(item.points for item in items if item.player == player) == entry.rules.score(position.state, player)


@pytest.mark.parametrize("id", sorted(PAPERS))
@settings(max_examples=60)
@given(text=st.one_of(st.text(), st.text("01.*o+-/\n 2349!,a")), parameters=GIVEN)
def test_any_text_is_read_or_refused(id: str, text: str, parameters: dict[str, object]) -> None:
    read_or_refuse(id, text, parameters)


@pytest.mark.parametrize("id", sorted(PAPERS))
@settings(max_examples=60)
@given(data=st.data())
def test_a_mangled_paper_is_read_or_refused(id: str, data: st.DataObject) -> None:
    paper = PAPERS[id]
    begin = data.draw(st.integers(0, len(paper)))
    end = data.draw(st.integers(begin, min(len(paper), begin + 5)))
    put = data.draw(st.one_of(st.just(""), st.sampled_from(paper), st.text(max_size=4)))
    read_or_refuse(id, paper[:begin] + put + paper[end:], data.draw(GIVEN))


@pytest.mark.parametrize("id", sorted(PAPERS))
@pytest.mark.parametrize(
    "text", ["", "\0", " / / ", "1" * 1_000_000, "1 " * 500_000, "/" * 1_000_001, "٣ ٤/٥ ٦", "*" * 10**6]
)
def test_huge_and_strange_texts_are_read_or_refused(id: str, text: str) -> None:
    read_or_refuse(id, text, {})


def test_a_solitaire_on_paper_says_its_score(game_id: str) -> None:
    game = quet.new(game_id)
    if game.num_players > 1:
        return
    for _ in play_at_random(game, 1, 10_000):
        judged = Judged(game, game.position(), ())
        assert ("The score so far is" in judged.verdict) != game.is_over
        assert str(game.scores[0]) in judged.verdict
    assert judged.verdict.startswith("The final score is ")
