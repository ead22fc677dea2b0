"""Records as text: the grammar, round trips, and what is said of a damaged one."""

import itertools
import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_record import FULL, a_game, whole_records

import quet
from quet.core.errors import BadRecord, QuetError
from quet.records import record_text
from quet.records.record import Record, Termination, read, read_all, write_all
from quet.records.variations import DEEPEST, Variation

DOCUMENT = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """The first block of this language in the document."""
    match = re.search(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)
    assert match is not None
    return match[1]


# Round trips


@given(st.lists(whole_records(), max_size=2))
def test_what_is_written_reads_back_the_same(made: list[Record]) -> None:
    text = write_all(made)
    again = read_all(text)
    assert write_all(again) == text
    for record, other in zip(made, again, strict=True):
        assert (other.game.id, other.game.parameters) == (record.game.id, record.game.parameters)
        assert (other.game.state, other.game.moves) == (record.game.state, record.game.moves)
        assert list(other.tags.items()) == list(record.tags.items())
        assert (other.comments, other.termination) == (record.comments, record.termination)
        assert other.variations == record.variations


@given(whole_records())
def test_lines_are_filled_to_80_columns(record: Record) -> None:
    lines = record.text().partition("\n\n")[2].split("\n")
    for line, after in itertools.pairwise(lines[:-2]):
        unit = re.match(r"\(*([0-9]+\. \S+|\{([^\\}]|\\.)*\}\)*)(?= |$)", after)
        assert unit is not None
        assert len(line) + 1 + len(unit[0]) > 80
        assert len(line) <= 80 or re.fullmatch(r"\(*\{([^\\}]|\\.)*\}\)*", line)


@given(whole_records(), st.randoms(use_true_random=False))
def test_spacing_and_line_ends_are_free(record: Record, choose: random.Random) -> None:
    def blank(match: re.Match[str]) -> str:
        if match[0].strip():
            return match[0]
        return "".join(choose.choice([" ", "\t", "\n", "\r\n", "\r"]) for _ in range(choose.randint(1, 4)))

    text = record.text()
    tags, _, moves = text.partition("\n\n")
    spaced = re.sub(r'"(?:[^"\\]|\\.)*"|[ \n]+', blank, tags) + re.sub(
        r"\{(?:[^\\}]|\\.)*\}|[ \n]+", blank, f"\n\n{moves}"
    )
    assert read(spaced).text() == text
    assert read(re.sub(r"(?m)^\[([A-Za-z0-9_]+) ", r"[ \1", tags) + moves.rjust(len(moves) + 1)).text() == text


def test_the_tags_after_the_parameters_may_be_in_any_order() -> None:
    text = Record.of(a_game(*FULL), tags={"A": "x"}).text()
    assert read(text.replace('[A "x"]\n[Result "4-6"]', '[Result "4-6"][A"x"]')).text() == text


def test_a_typed_line_break_in_a_comment_is_layout() -> None:
    text = Record.of(a_game()).text()
    record = read(text.replace("\n*", "\n{ a \r\n\t b\\nc}{}*"))
    assert record.comments == {0: [" a b\nc", ""]}
    assert r"{ a b\nc} {}" in record.text()


def test_a_comment_of_many_spaces_is_read_at_once() -> None:
    text = Record.of(a_game(), comments={0: [" " * 1_000_000]}).text()
    assert read(text).text() == text


# The grammar


def grammar() -> re.Pattern[str]:
    """The grammar of the document as a regular expression that never goes back: one character tells what comes."""
    character = "\x00-\x1f\x7f-\x9f\u2028\u2029"  # those that are none
    special = {
        'a character but " and \\': f'[^"\\\\{character}]',
        "a character but } and \\": f"[^}}\\\\{character}]",
        "A to Z, a to z": "[A-Za-z]",
        "0 to 9": "[0-9]",
        "U+0009": r"\t",
        "U+000A, U+000D, or the two U+000D U+000A": r"(?:\r\n|\n|\r)",
        "the end of the text": r"\Z",
        "a character that is not white space in Unicode": rf"[^\s{character}]",
        "a move character but ( and )": rf"[^\s(){character}]",
    }
    rules = dict(re.findall(r"^([a-z ]+?) *= (.*?) ;$", block("ebnf"), re.MULTILINE))
    token = re.compile(r"'[^']*'|\"[^\"]*\"|\?[^?]*\?|[\[\]{}()|,]|[a-z]+(?: [a-z]+)*")
    pairs = {"{": ("(?:", ")*+"), "[": ("(?:", ")?+"), "(": ("(?:", ")")}
    closing = {"}": "{", "]": "[", ")": "("}

    def pattern(rule: str, depth: int = 0) -> str:
        if rule == "variation":
            depth += 1
            if depth > 3:
                return "(?!)"  # the tests have none that are deeper
        parts = []
        for word in token.findall(rules[rule]):
            if word in pairs:
                parts.append(pairs[word][0])
            elif word in closing:
                parts.append(pairs[closing[word]][1])
            elif word[0] in "'\"":
                parts.append(re.escape(word[1:-1]))
            elif word[0] == "?":
                parts.append(special[word[1:-1].strip()])
            elif word != ",":
                parts.append("|" if word == "|" else pattern(word, depth))
        return f"(?:{''.join(parts)})"

    return re.compile(pattern("records"))


GRAMMAR = grammar()


@given(whole_records())
def test_what_is_written_follows_the_grammar(record: Record) -> None:
    assert GRAMMAR.fullmatch(record.text())


def test_the_grammar_is_not_everything() -> None:
    text = Record.of(a_game(*FULL), comments={0: ["x"]}).text()
    for wrong in ("{x", "x}", "1 ", "[", "=", '"', "*", "{\\x}"):
        assert not GRAMMAR.fullmatch(text + wrong)


PIECES = st.sampled_from(
    [
        "\n",
        " ",
        "\t",
        "\r",
        "{",
        "}",
        "[",
        "]",
        '"',
        "\\",
        "\\n",
        "=",
        "*",
        "=0",
        "1.",
        "2. 2=0",
        "{x}",
        '[A "b"]',
        "won:1",
    ]
    + ["\x00", "\x0b", "\xa0", "\u2028", "\ufeff", "é", "0", "١", "Game", "Result", "-", ",", "."]
)


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """A record with some pieces taken out, put in or moved."""
    text = draw(whole_records()).text()
    for _ in range(draw(st.integers(1, 3))):
        first, last = sorted(draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
        last = min(last, first + draw(st.sampled_from([0, 0, 1, 3, 1000])))
        text = text[:first] + draw(PIECES | st.just(text[first:last] * 2) | st.just("")) + text[last:]
    return text


def read_or_refuse(text: str) -> None:
    """Whatever is read follows the grammar and is written the same again. All else is refused with a QuetError."""
    try:
        made = read_all(text)
    except QuetError as error:
        assert isinstance(error, BadRecord)
        assert error.line >= 1
        assert "\n" not in str(error)
        return
    assert GRAMMAR.fullmatch(text.removeprefix("\ufeff")) or (made == [] and json.loads(text) == [])
    written = write_all(made)
    assert write_all(read_all(written)) == written


@given(mangled())
def test_a_mangled_record_is_read_or_refused(text: str) -> None:
    read_or_refuse(text)


@given(st.text() | st.lists(PIECES).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refuse(text)


# Damages


RECORD = """[Game "palindromes"]
[Rules "1"]
[m "4"]
[Player1 "Ann"]
[Result "4-6"]

{first} 1. 1=0 2. 2=0
3. 4=1 {why
not} 4. 3=1
=4-6
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("palindromes", "chess", "line 1: There is no game 'chess'; the games are "),
        ('[Game "palindromes"]\n', "", "line 1: A record begins with the tag Game; there is something else here."),
        (RECORD[:21], '[A "b"]\n', "line 1: A record begins with the tag Game; there is something else here."),
        ('[Rules "1"]\n', "", "line 2: The tag Rules should stand here, not 'm'."),
        ('Rules "1"', 'Rules "2"', "line 2: The record is of version '2' of the rules of palindromes; they "),
        ('Rules "1"', 'Rules "01"', "line 2: The record is of version '01' of the rules of palindromes"),
        ('[m "4"]\n', "", "line 3: The tag m should stand here, not 'Player1'."),
        ('[m "4"]', '[q "4"]', "line 3: The tag m should stand here, not 'q'."),
        ('[m "4"]', '[m "65"]', "line 3: m must be from 1 to 64, not '65'."),
        ('[m "4"]', '[m "04"]', "line 3: m must be an integer, not '04'."),
        ('[m "4"]', f'[m "{"9" * 9999}"]', "line 3: m is too long for a record."),
        ('[m "4"]', '[m "4"]\n[m "4"]', "line 4: The tag 'm' is given twice."),
        ("[Player1", '[Player1 "Ann"]\n[Player1', "line 5: The tag 'Player1' is given twice."),
        ("[Player1", '[Rules "1"]\n[Player1', "line 4: The tag 'Rules' is given twice."),
        ('[Result "4-6"]\n', "", "line 6: The tag Result is missing."),
        (RECORD[21:], "", "line 1: The tag Rules is missing."),
        ('"Ann"', '"Ann', 'line 4: A tag must have the form [Name "value"].'),
        ('"Ann"', '"A\\nn"', 'line 4: A tag must have the form [Name "value"].'),
        ('"Ann"', '"A\tnn"', 'line 4: A tag must have the form [Name "value"].'),
        ('[Player1 "Ann"]', "[Player1]", 'line 4: A tag must have the form [Name "value"].'),
        ('[Player1 "Ann"]', "Player1", "line 4: The tag Result is missing."),
        ("Ann", "A\x00nn", "line 4: There is a control character here, which no record may hold."),
        ("why", "w\x1bhy", "line 8: There is a control character here, which no record may hold."),
        ("{first}", "{first", "line 9, move 1: The move number 1. should stand here, not '4.'."),
        ("not}", "not", "line 8, move 3: This comment isn't closed"),
        ("why", "w\\hy", "line 8, move 3: This comment isn't closed, or has a backslash"),
        ("3. 4=1", "4. 4=1", "line 8, move 3: The move number 3. should stand here, not '4.'."),
        ("3. 4=1", "03. 4=1", "line 8, move 3: The move number 3. should stand here, not '03.'."),
        ("3. 4=1", "4=1", "line 8, move 3: The move number 3. should stand here, not '4=1'."),
        ("3. 4=1", "3.4=1", "line 8, move 3: The move number 3. should stand here, not '3.4=1'."),
        ("3. 4=1", "3.", "line 8, move 3: There is no move after its number 3."),
        ("3. 4=1", "3. {x} 4=1", "line 8, move 3: There is no move after its number 3."),
        ("3. 4=1", "3. 2=1", "line 8, move 3: Square 2 holds a 0 already."),
        ("3. 4=1", "3. e4", "line 8, move 3: 'e4' is not"),
        ("3=1\n", "3=1 5. 1=1\n", "line 9, move 5: The game is over."),
        ("3=1\n", "3=1{x}\n", "line 9, move 4: "),
        ("\n=4-6", "", "line 9: The record has no result;"),
        ("\n=4-6", f"\n{RECORD}", "line 10: The record has no result;"),
        ("\n=4-6", "\n=4-7", "line 10: The moves end with '=4-7', but the tag Result says '4-6'."),
        ("\n=4-6", "\n*", "line 10: The moves end with '*', but the tag Result says '4-6'."),
        ("\n=4-6", "\n4-6", "line 10, move 5: The move number 5. should stand here, not '4-6'."),
        ('Result "4-6"', 'Result "*"', "line 10: The moves end with '=4-6', but the tag Result says '*'."),
        ("4-6", "6-4", "line 10: The result is '6-4', but the game ended '4-6'."),
        ("4-6", "04-6", "line 10: The result is '04-6', but the game ended '4-6'."),
        ('Result "4-6"', 'Result "=4-6"', "line 10: The tag Result says '=4-6'; there the result has no =."),
        ('Result "4-6"', 'Result "=4-7"', "line 10: The moves end with '=4-6', but the tag Result says '=4-7'."),
        (" 4. 3=1", "", "line 10: The result is '4-6', but the game isn't over."),
        ("4-6", "won:1", "line 10: The result 'won:1' needs a tag Termination that says how the game ended."),
        ("[Player1", "[Termination", "line 10: The result '4-6' doesn't go with a tag Termination"),
        ("=4-6\n", "=4-6 5. 1=1", "line 10: A record begins with the tag Game; there is something else here."),
        ("=4-6\n", "=4-6\n{the end}", "line 11: A record begins with the tag Game; there is something else here."),
    ],
)  # fmt: skip
def test_a_damage_is_named_with_line_and_move(old: str, new: str, message: str) -> None:
    assert old in RECORD
    with pytest.raises(BadRecord) as caught:
        read_all(RECORD.replace(old, new))
    assert str(caught.value).startswith(message)
    assert str(caught.value).count("\n") == 0


def test_the_undamaged_record_is_read() -> None:
    assert read(RECORD).comments == {0: ["first"], 3: ["why not"]}


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(end: str) -> None:
    with pytest.raises(BadRecord, match="line 8, move 3: Square 2"):
        read(RECORD.replace("4=1", "2=1").replace("\n", end))


STOPPED = Record.of(a_game("1=0"), termination=Termination("player 1 resigned", (2,))).text()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("won:2", "won:3", "line 4: The winners must be players of this game, 1 to 2."),
        ("won:2", "won:10", "line 4: The winners must be players of this game, 1 to 2."),
        ("won:2", "won:2,1", "line 4: The winners must be in ascending order, each once."),
        ("won:2", "won:1,1", "line 4: The winners must be in ascending order, each once."),
        ("won:2", "won:", "line 8: The result 'won:' doesn't go with a tag Termination"),
        ("won:2", "won:0", "line 8: The result 'won:0' doesn't go with a tag Termination"),
        ("=won:2", "*", "line 8: The moves end with '*', but the tag Result says 'won:2'."),
        ("player 1 resigned", "", "line 4: The termination must say how the game ended."),
    ],
)
def test_a_termination_must_fit_the_game(old: str, new: str, message: str) -> None:
    assert read(STOPPED).winners == [2]
    with pytest.raises(BadRecord) as caught:
        read(STOPPED.replace(old, new))
    assert str(caught.value).startswith(message)


def test_a_finished_game_was_not_ended_otherwise() -> None:
    with pytest.raises(BadRecord, match=r"line 4: The game ended by its rules, so it has no other termination\."):
        read(RECORD.replace("4-6", "won:2").replace("Player1", "Termination"))


def test_a_very_long_term_is_refused_and_not_computed() -> None:
    text = Record.of(quet.new("sequence-ascension", n=2, sequence="1,2,3,4")).text()
    with pytest.raises(BadRecord, match="line 4: sequence is too long for a record"):
        read(text.replace("1,2,3,4", "9" * 1_000_001))


# Variations


TREE = RECORD.replace("2. 2=0\n", "2. 2=0 (2. 4=0 {better} 3. 2=0 (3. 3=1)) (2. 4=1)\n").replace(
    "4. 3=1\n", "4. 3=1\n({last} 4. 3=0)\n"
)


def test_brackets_make_a_tree() -> None:
    record = read(TREE)
    assert record.game.moves == list(FULL)
    first = Variation(2, ("4=0", "2=0"), {2: ["better"]}, (Variation(3, ("3=1",)),))
    assert record.variations == (first, Variation(2, ("4=1",)), Variation(4, ("3=0",), {3: ["last"]}))
    assert read(record.text()).variations == record.variations


def test_a_variation_may_go_on_after_the_last_move() -> None:
    record = read(Record.of(a_game("1=0")).text().replace("1=0\n", "1=0 ( 2. 4=0 )(1. 3=1)\n"))
    assert [(one.ply, one.moves) for one in record.variations] == [(1, ("3=1",)), (2, ("4=0",))]
    assert "1. 1=0 (1. 3=1) (2. 4=0)\n" in record.text()


def test_a_game_with_brackets_in_its_moves_has_no_variations_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = a_game().rules
    text, read_move = rules.move_text, rules.read_move
    monkeypatch.setattr(rules, "move_text", lambda state, move: f"({text(state, move)})")
    monkeypatch.setattr(rules, "read_move", lambda state, move: read_move(state, move.strip("()")))
    record = Record.of(a_game("1=0", "2=0"))
    assert "1. (1=0) 2. (2=0)\n" in record.text()
    assert read(record.text()).text() == record.text()
    with pytest.raises(BadRecord, match=r"move 2: '.3=1.' can't stand in a variation, for its bracket."):
        Record.of(record.game, variations=[Variation(2, ("(3=1)",))])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(2. 4=1)", "(2. 1=1)", "line 7, move 2: Square 1 holds a 0 already."),
        ("(2. 4=1)", "(2. 9=1)", "line 7, move 2: "),
        ("(2. 4=1)", "(4. 4=1)", "line 7, move 3: The move number 3. should stand here, not '4.'."),
        ("(2. 4=1)", "(1. 4=1)", "line 7, move 3: The move number 3. should stand here, not '1.'."),
        ("(2. 4=1)", "(2. 4=1", "line 8, move 3: Square 4 holds a 1 already."),
        ("(2. 4=1)", "()", "line 7: There is no move in this variation."),
        ("(2. 4=1)", "({x})", "line 7: There is no move in this variation."),
        ("(2. 4=1)", "2. 4=1)", "line 7, move 3: The move number 3. should stand here, not '2.'."),
        ("(2. 4=1)", ")", "line 7: The record has no result;"),
        ("(4. 3=0)", "(4. 3=0", "line 11, move 4: This variation isn't closed; it ends with )."),
        ("(2. 4=1)", "(2. " * 21, "line 7, move 2: There is no move after its number 2."),
        ("(2. 4=1)", "(2. 4=1 " * 20 + "(2. 4=1" + ")" * 21, "line 7, move 2: Variations stand at most 20 deep"),
        ("(2. 4=1)", "(2. 4=1) " * 10_001, "line 7, move 2: The variations of a record have at most 10000 moves"),
    ],
)  # fmt: skip
def test_a_damage_in_a_variation_is_named(old: str, new: str, message: str) -> None:
    damaged = TREE.replace("{last} ", "").replace(old, new)
    with pytest.raises(BadRecord) as caught:
        read(damaged)
    assert str(caught.value).startswith(message)


def test_variations_as_deep_as_they_may_be_are_read_and_written() -> None:
    text = TREE.replace("(2. 4=1)", "(2. 4=1 " * DEEPEST + ")" * DEEPEST)
    record = read(text)
    assert read(record.text()).json() == read(json.dumps(record.json())).json() == record.json()


# The document


def test_the_example_in_the_document_is_as_quet_writes_it() -> None:
    assert write_all(read_all(block("quet"))) == block("quet")


def test_each_record_of_a_file_may_have_as_many_moves_as_one_may() -> None:
    one = '[Game "palindromes"]\n[Rules "1"]\n[m "4"]\n[Result "*"]\n\n1. 1=0 ' + "(1. 2=0) " * 6000 + "*\n"
    assert len(read_all(one * 2)) == 2


def test_comments_before_a_variation_stay_where_another_stands_between_them() -> None:
    text = "1. 1=0 2. 2=0 ({a} (3. 3=0) {c} 3. 4=1) 3. 3=1"
    moves = record_text.read_moves(quet.new("palindromes", m=4), text)
    assert record_text.moves_text(moves) == "1. 1=0 2. 2=0 3. 3=1 ({a} {c} 3. 4=1 (3. 3=0))"
