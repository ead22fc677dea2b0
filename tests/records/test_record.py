"""Records: what they hold, and files of them. The strategies here serve the tests of both forms."""

import json
import os
import random
import re
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import strategies as st

import quet
from quet import catalog
from quet.core.errors import BadRecord, BrokenRules
from quet.core.parameters import TermsParameter
from quet.records import record as records
from quet.records.record import Record, Termination, load, read, read_all, save, write_all
from quet.records.variations import DEEPEST, MOST_MOVES, Variation, branch, in_order

TRICKY = st.sampled_from('{}[]"\\=* \u00e9\u05d0\u200d\U0001f600n1.')
LINES = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]) | TRICKY, max_size=30)
COMMENTS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]) | TRICKY | st.just("\n"), max_size=100)
NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]*", fullmatch=True).filter(lambda name: name not in records.RESERVED)


@st.composite
def games(draw: st.DrawFn) -> quet.Game:
    """Any game, small, with some random moves or all of them."""
    entry = catalog.get(draw(st.sampled_from(list(catalog.ids()))))
    given: dict[str, Any] = {}
    for parameter in entry.rules.PARAMETERS:
        if isinstance(parameter, TermsParameter):
            count = given[parameter.side] ** 2
            terms = st.lists(st.integers(-(10**30), 10**30), min_size=count, max_size=count + 2)
            given[parameter.name] = draw(st.sampled_from(["divisors", "pi", "random:3:-1:9"]) | terms)
        else:
            given[parameter.name] = draw(st.integers(parameter.low, min(parameter.high, parameter.low + 2)))
    game = quet.new(entry.id, **given)
    choose = random.Random(draw(st.integers(0, 2**32)))
    most = draw(st.integers(0, 60))
    while game.ply < most and not game.is_over:
        moves = game.legal_moves
        game.play("done" if moves[-1] == "done" else choose.choice(moves))
    return game


@st.composite
def variations(draw: st.DrawFn, game: quet.Game, first: int = 1, depth: int = 1) -> tuple[Variation, ...]:
    """Some variations of the moves of a game, the first of which has this number, and of its end."""
    if depth > 3 or any("(" in move or ")" in move for move in game.moves):
        return ()
    found = []
    for place in draw(st.lists(st.integers(0, game.ply), max_size=3 - depth)):
        line = branch(game.at(place))
        choose = random.Random(draw(st.integers(0, 2**32)))
        while line.ply < 3 and not line.is_over:
            line.play(choose.choice(line.legal_moves))
        if line.ply:
            ply = first + place
            numbers = st.integers(ply - 1, ply + line.ply - 1)
            comments = draw(st.dictionaries(numbers, st.lists(COMMENTS, min_size=1, max_size=2), max_size=2))
            found.append(Variation(ply, tuple(line.moves), comments, draw(variations(line, ply, depth + 1))))
    return in_order(found)


@st.composite
def whole_records(draw: st.DrawFn) -> Record:
    """A record of any game, with any tags, comments and termination."""
    game = draw(games())
    tags = draw(st.dictionaries(NAMES.filter(lambda name: name not in game.parameters), LINES, max_size=3))
    comments = draw(st.dictionaries(st.integers(0, game.ply), st.lists(COMMENTS, min_size=1, max_size=3), max_size=5))
    termination = None
    if not game.is_over and draw(st.booleans()):
        winners = draw(st.sets(st.sampled_from(list(game.players))))
        termination = Termination(draw(LINES.filter(bool)), tuple(sorted(winners)))
    tree = draw(st.just(()) | variations(game))
    return Record.of(game, tags=tags, comments=comments, termination=termination, variations=tree)


def a_game(*moves: str) -> quet.Game:
    game = quet.new("palindromes", m=4)
    for move in moves:
        game.play(move)
    return game


def deep(depth: int) -> Variation:
    """Variations inside one another."""
    return Variation(1, ("2=0",), variations=(deep(depth - 1),) if depth > 1 else ())


FULL = ("1=0", "2=0", "4=1", "3=1")


def test_a_record_keeps_the_game_as_it_stood() -> None:
    game = a_game("1=0")
    record = Record.of(game)
    game.play("2=0")
    assert record.game.moves == ["1=0"]


def test_an_unfinished_game_has_no_winners() -> None:
    record = Record.of(a_game("1=0"))
    assert (record.result, record.is_over, record.winners) == ("*", False, [])
    assert record.summary == "Unfinished after 1 move."


def test_the_result_of_a_finished_game_is_its_scores() -> None:
    record = Record.of(a_game(*FULL))
    assert (record.result, record.is_over, record.winners) == ("4-6", True, [2])
    assert record.summary == "Player 2 wins: 4-6."


def test_a_solitaire_has_a_score_and_no_winner_to_speak_of() -> None:
    game = quet.new("up-and-up", n=1)
    game.play("a1")
    assert Record.of(game).summary == "The final score is 1."


@pytest.mark.parametrize(
    ("winners", "result", "summary"),
    [
        ((2,), "won:2", "Player 2 wins: so it was agreed."),
        ((1, 2), "won:1,2", "Player 1 and player 2 share the win: so it was agreed."),
        ((), "won:none", "Nobody wins: so it was agreed."),
    ],
)
def test_a_termination_names_the_winners(winners: tuple[int, ...], result: str, summary: str) -> None:
    record = Record.of(a_game("1=0"), termination=Termination("so it was agreed", winners))
    assert (record.result, record.is_over, record.winners, record.summary) == (result, True, list(winners), summary)
    assert read(record.text()).termination == record.termination


def test_one_comment_may_be_given_without_a_list() -> None:
    assert Record.of(a_game(), comments={0: "hello"}).comments == {0: ["hello"]}


def test_comments_are_kept_in_the_order_of_the_moves() -> None:
    record = Record.of(a_game("1=0", "2=0"), comments={2: ["b"], 1: [], 0: ["a"]})
    assert list(record.comments.items()) == [(0, ["a"]), (2, ["b"])]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"tags": {"Game": "blob"}}, "fixed meaning"),
        ({"tags": {"Result": "*"}}, "fixed meaning"),
        ({"tags": {"m": "4"}}, "fixed meaning"),
        ({"tags": {"Ann's": "4"}}, "not the name of a tag"),
        ({"tags": {"É": "4"}}, "not the name of a tag"),
        ({"tags": {"A\n": "4"}}, "not the name of a tag"),
        ({"tags": {"A": "x\ny"}}, "The tag 'A' holds a control character."),
        ({"tags": {"A": "\ud800"}}, "control character"),
        ({"tags": {"A": "\u2028"}}, "control character"),
        ({"tags": {"A": 4}}, "must be a text"),
        ({"comments": {2: ["x"]}}, "A comment follows move '2', but there are 1 moves."),
        ({"comments": {-1: ["x"]}}, "A comment follows move"),
        ({"comments": {True: ["x"]}}, "A comment follows move"),
        ({"comments": {0: [3]}}, "must be a text"),
        ({"comments": {1: ["a\tb"]}}, "move 1: A comment holds a control character."),
        ({"comments": {0: ["a\x00b"]}}, "control character"),
        ({"comments": {0: ["a\rb"]}}, "control character"),
        ({"variations": [Variation(2, ("9=9",))]}, "move 2: "),
        ({"variations": [Variation(2, ("2=0", "1=1"))]}, "move 3: Square 1 holds a 0 already."),
        ({"variations": [Variation(3, ("2=0",))]}, "begins with move '3', but its line has the moves 1 to 1."),
        ({"variations": [Variation(0, ("2=0",))]}, "begins with move '0'"),
        ({"variations": [Variation(1, ())]}, "must have a tuple of moves, at least one"),
        ({"variations": [Variation(1, ("2=0",), {3: ["x"]})]}, "A comment follows move '3', but"),
        ({"variations": [Variation(2, ("2=0",), {0: ["x"]})]}, "A comment follows move '0', but its variation"),
        ({"variations": [Variation(1, ("2=0",), {1: ["\t"]})]}, "control character"),
        ({"variations": [Variation(1, ("2=0",), variations=(Variation(3, ("2=0",)),))]}, "has the moves 1 to 1."),
        ({"variations": [Variation(1, ("2=0",))] * (MOST_MOVES + 1)}, "at most 10000 moves together"),
        ({"variations": [deep(DEEPEST + 1)]}, "at most 20 deep"),
        ({"variations": ["2=0"]}, "must be in a list"),
        ({"variations": 3}, "must be in a list"),
        ({"termination": Termination("", (1,))}, "must say how"),
        ({"termination": Termination("a\nb", (1,))}, "control character"),
        ({"termination": Termination("x", (3,))}, "players of this game, 1 to 2"),
        ({"termination": Termination("x", (0,))}, "players of this game"),
        ({"termination": Termination("x", (True,))}, "players of this game"),
        ({"termination": Termination("x", (2, 1))}, "ascending"),
        ({"termination": Termination("x", (1, 1))}, "ascending"),
    ],
)
def test_what_no_record_can_hold_is_refused(more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadRecord, match=re.escape(sentence)):
        Record.of(a_game("1=0"), **more)


def test_a_game_that_its_rules_ended_has_no_termination() -> None:
    with pytest.raises(BadRecord, match="ended by its rules"):
        Record.of(a_game(*FULL), termination=Termination("player 1 resigned", (2,)))


def test_a_record_that_was_spoilt_afterwards_is_not_written() -> None:
    record = Record.of(a_game("1=0"), comments={1: ["x"]})
    record.game.undo()
    with pytest.raises(BadRecord, match="there are 0 moves"):
        record.text()
    with pytest.raises(BadRecord, match="there are 0 moves"):
        record.json()


@pytest.mark.parametrize("move", ["[a", "{a", "=a", "*", "12.", "a b", "", "a\x00", "a\u00a0b"])
def test_a_move_that_the_grammar_forbids_is_the_fault_of_the_rules(move: str) -> None:
    game = a_game("1=0")
    game.rules = SimpleNamespace(**{**vars(game.rules), "move_text": lambda s, number: move})
    with pytest.raises(BrokenRules):
        Record.of(game)


@pytest.mark.parametrize("move", ["12", "12.5", "1.x", "a[b{c=*}]", "12!", "é", "-", "]", "}"])
def test_any_other_visible_text_may_be_a_move(move: str) -> None:
    game = a_game("1=0")
    rules = {**vars(game.rules), "move_text": lambda s, number: move}
    game.rules = SimpleNamespace(**rules)
    assert f"\n1. {move}\n*\n" in Record.of(game).text()


def test_one_record_is_read_and_not_none_or_two() -> None:
    text = Record.of(a_game()).text()
    assert read(text).game.moves == []
    with pytest.raises(BadRecord, match=r"^x.quet: There should be one record here, not none\.$"):
        read(" \n", "x.quet")
    with pytest.raises(BadRecord, match="not 2"):
        read(text + text)


def test_a_sequence_is_kept_as_its_terms() -> None:
    random_one = quet.new("sequence-ascension", n=2, sequence="random:7:1:9")
    text = Record.of(random_one).text()
    assert "random" not in text
    assert read(text).game.parameters == random_one.parameters


def test_a_game_is_played_once_to_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = catalog.get("sums-grid").rules
    game = quet.new("sums-grid", n=2)
    for value in range(1, 401):
        game.play(f"a1={value}")
    text, play, played = Record.of(game).text(), rules.play, list[int]()

    def count(s: Any, move: int) -> None:
        played.append(move)
        play(s, move)

    monkeypatch.setattr(rules, "play", count)
    assert read(text).text() == text
    assert len(played) == 400


# Files


def test_files_hold_any_number_of_records(tmp_path: Path) -> None:
    made = [Record.of(a_game(*FULL[:ply]), tags={"Player1": "Änn"}) for ply in range(5)]
    for name in ("games.quet", "games.json", "GAMES.JSON"):
        for several in (made, made[:1], []):
            save(tmp_path / name, several)
            assert [record.text() for record in load(tmp_path / name)] == [record.text() for record in several]
        assert (tmp_path / name).read_text(encoding="utf-8").startswith("[") or not several


def test_a_file_with_a_byte_order_mark_and_other_line_ends_is_read(tmp_path: Path) -> None:
    text = write_all([Record.of(a_game(*FULL), comments={1: ["x"]})] * 2)
    for end in ("\r\n", "\r"):
        (tmp_path / "games.quet").write_bytes(("\ufeff" + text.replace("\n", end)).encode())
        assert write_all(load(tmp_path / "games.quet")) == text


def test_a_damage_in_a_file_is_named_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games.quet"
    path.write_text(Record.of(a_game(*FULL)).text().replace("4=1", "2=1"))
    with pytest.raises(BadRecord) as caught:
        load(path)
    error = caught.value
    assert (error.file, error.line, error.move) == (str(path), 6, 3)
    assert str(error) == f"{path}, line 6, move 3: Square 2 holds a 0 already."


def test_only_regular_files_of_text_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bytes").write_bytes(b"\n\n\xff")
    with pytest.raises(BadRecord, match="line 3: The file is not text in UTF-8"):
        load(tmp_path / "bytes")
    with pytest.raises(BadRecord, match="No such file"):
        load(tmp_path / "nothing")
    with pytest.raises(BadRecord, match=r"can't be read|not a regular file"):
        load(tmp_path)
    with pytest.raises(BadRecord, match="can't be read"):
        load(str(tmp_path / "a\x00b"))
    monkeypatch.setattr(records, "LARGEST_FILE", 2)
    with pytest.raises(BadRecord, match="It is larger than"):
        load(tmp_path / "bytes")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadRecord, match="not a regular file"):
        load(tmp_path / "pipe")
    with pytest.raises(BadRecord, match="not a regular file"):
        save(tmp_path / "pipe", [])
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.quet"
    save(path, [Record.of(a_game())])
    before = path.read_bytes()

    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(BadRecord, match="can't be written: No space left on device"):
        save(path, [Record.of(a_game(*FULL))])
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["games.quet"]


def test_a_record_that_cannot_be_written_leaves_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games.quet"
    path.write_text("as it was")
    record = Record.of(a_game("1=0"), comments={1: ["x"]})
    record.game.undo()
    with pytest.raises(BadRecord, match="there are 0 moves"):
        save(path, [record])
    assert path.read_text() == "as it was"


def test_saving_keeps_the_rights_of_a_file_and_follows_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "games.quet", tmp_path / "link.quet"
    path.write_text("")
    path.chmod(0o640)
    link.symlink_to(path)
    save(link, [Record.of(a_game())])
    assert link.is_symlink()
    assert len(load(path)) == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_saving_where_it_cannot_be_done_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (tmp_path, tmp_path / "none" / "games.quet", tmp_path / "a\x00b"):
        with pytest.raises(BadRecord, match="can't be written"):
            save(path, [])
    monkeypatch.setattr(records, "LARGEST_FILE", 2)
    with pytest.raises(BadRecord, match="would be larger than 16 MB"):
        save(tmp_path / "games.quet", [Record.of(a_game())])
    assert list(tmp_path.iterdir()) == []


def test_a_text_has_a_bounded_number_of_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_RECORDS", 2)
    record = Record.of(a_game())
    for text in (write_all([record] * 3), json.dumps([record.json()] * 3)):
        with pytest.raises(BadRecord, match=r"There are more than 2 records here\."):
            read_all(text)
    for path in (tmp_path / "games.quet", tmp_path / "games.json"):
        save(path, [record] * 2)
        with pytest.raises(BadRecord, match=r"There would be more than 2 records in it\."):
            save(path, [record] * 3)
        assert len(load(path)) == 2


def test_reading_a_record_never_opens_another_file(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("1 1\n2 2\n3 2\n4 3\n")
    text = Record.of(quet.new("sequence-ascension", n=2, sequence=f"file:{tmp_path / 'b.txt'}")).text()
    assert '[sequence "1,2,2,3"]' in text
    for sequence in (f"file:{tmp_path / 'b.txt'}", "random:1:2:3"):
        with pytest.raises(BadRecord, match="line 4: sequence must be a name or a list of terms in a record"):
            read_all(text.replace("1,2,2,3", sequence))
