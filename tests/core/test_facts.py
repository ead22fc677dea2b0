"""Optional parts of facts are read as they stand, and refused in a sentence where they can't be."""

import datetime
import importlib.resources
import tomllib
from pathlib import Path

import pytest

from quet import catalog
from quet.core.errors import BrokenRules
from quet.core.facts import (
    ConjectureFacts,
    EncyclopediaFacts,
    LinkFacts,
    ResultFacts,
    ScoreFacts,
    TheoremFacts,
    check_facts,
    conjecture_facts,
    daily_facts,
    encyclopedia_facts,
    link_facts,
    result_facts,
    score_facts,
    theorem_facts,
)

WHOLE = """
[score]
example = "1 2"
note = "a short one"
meaning = "Whoever is left scores 1."

[link]
title = "a weblog"
address = "https://example.org/games"
date = 2008-09-22

[[results]]
sizes = [2, 4]

[[results]]
sizes = [9, 9]
parameters = { players = 3, sequence = "pi" }
lowest = true
seconds = 3600
memory = 8192

[[theorems]]
text = "a({n}) = 0."
sizes = [2]
proof = "page 3"

[[conjectures]]
text = "a({n}) = 1."
parameters = { players = 3 }
lowest = true

[rulings]
"R9.1" = "A draw is a draw."

[encyclopedia]
rulings = ["R9.1"]
moves = "2 is two"
parts = ["First", "Then"]
"""


def test_all_parts_are_read() -> None:
    facts = tomllib.loads(WHOLE)
    assert score_facts(facts) == ScoreFacts("1 2", "a short one", "Whoever is left scores 1.")
    assert link_facts(facts) == LinkFacts("a weblog", "https://example.org/games", datetime.date(2008, 9, 22))
    assert result_facts(facts) == [
        ResultFacts(range(2, 5)),
        ResultFacts(range(9, 10), {"players": 3, "sequence": "pi"}, True, 3600, 8192),
    ]
    assert theorem_facts(facts) == [TheoremFacts("a({n}) = 0.", 2, None, None, {}, proof="page 3")]
    assert conjecture_facts(facts) == [ConjectureFacts("a({n}) = 1.", {"players": 3}, True)]
    assert encyclopedia_facts(facts) == EncyclopediaFacts(("R9.1",), "2 is two", ("First", "Then"))


def test_facts_without_them_say_nothing() -> None:
    assert (score_facts({}), link_facts({}), result_facts({})) == (ScoreFacts(), None, [])
    assert (conjecture_facts({}), encyclopedia_facts({})) == ([], EncyclopediaFacts())


@pytest.mark.parametrize("id", catalog.ids())
def test_every_game_has_an_example_and_questions(id: str) -> None:
    facts = catalog.get(id).facts
    assert score_facts(facts).example
    assert result_facts(facts)


THEOREM_SIZES = (
    "The sizes of [[theorems]] in the facts must be the first, or the first and the last, as in [2] or [2, 9]."
)
SIZES = "The sizes of [[results]] in the facts must be the first and the last, as in [2, 9]."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("score = 1", "The [score] in the facts must be a table."),
        ("[score]\nexampel = 'x'", "In [score] of the facts nothing is called 'exampel'."),
        ("[score]\nexample = ''", "The example of [score] in the facts must be one line of text."),
        ("[score]\nnote = 3", "The note of [score] in the facts must be one line of text."),
        ("[link]\ntitle = 'x'", "The address of [link] in the facts must be one line of text."),
        (
            "[link]\ntitle = 'x'\naddress = 'javascript:x'",
            "The address of [link] in the facts must begin with http:// or https://.",
        ),
        ("results = 1", "The results in the facts must be tables [[results]]."),
        ("results = [1]", "The [[results]] in the facts must be a table."),
        ("[[results]]\nsize = [1, 2]", "In [[results]] of the facts nothing is called 'size'."),
        ("theorems = 1", "The theorems in the facts must be tables [[theorems]]."),
        ("[[theorems]]", "The text of [[theorems]] in the facts must be one line of text."),
        ("[[theorems]]\ntext = 'a{m}'", "The text of [[theorems]] in the facts must have no braces but {n}."),
        ("[[theorems]]\ntext = 'a'", THEOREM_SIZES),
        ("[[theorems]]\ntext = 'a'\nsizes = [3, 2]", THEOREM_SIZES),
        ("[[theorems]]\ntext = 'a'\nsizes = [1, true]", THEOREM_SIZES),
        ("[[theorems]]\ntext = 'a'\nsizes = [1, 2, 3]", THEOREM_SIZES),
        (
            "[[theorems]]\ntext = 'a'\nsizes = [1]\nvalue = 0.5",
            "The value of [[theorems]] in the facts must be an integer.",
        ),
        (
            "[[theorems]]\ntext = 'a'\nsizes = [1]\nproof = ''",
            "The proof of [[theorems]] in the facts must be one line of text.",
        ),
        ("conjectures = 1", "The conjectures in the facts must be tables [[conjectures]]."),
        ("[[conjectures]]\ntext = '{'", "The text of [[conjectures]] in the facts must have no braces but {n}."),
        (
            "[encyclopedia]\nrulings = ['R9.1']",
            "The rulings of [encyclopedia] in the facts must be names of [rulings].",
        ),
        ("[encyclopedia]\nparts = ['First']", "The parts of [encyclopedia] in the facts must be two texts."),
        ("[encyclopedia]\nmoves = 3", "The moves of [encyclopedia] in the facts must be one line of text."),
        ("[[results]]", SIZES),
        ("[[results]]\nsizes = 3", SIZES),
        ("[[results]]\nsizes = [3]", SIZES),
        ("[[results]]\nsizes = [3, 2]", SIZES),
        ("[[results]]\nsizes = [1, 2, 3]", SIZES),
        ("[[results]]\nsizes = [1, true]", SIZES),
        ("[[results]]\nlowest = 1", "The lowest of [[results]] in the facts must be true or false."),
        (
            "[[results]]\nsizes = [1, 2]\nseconds = 0",
            "The seconds of [[results]] in the facts must be an integer above 0.",
        ),
        (
            "[[results]]\nsizes = [1, 2]\nmemory = 1.5",
            "The memory of [[results]] in the facts must be an integer above 0.",
        ),
        (
            "[[results]]\nparameters = { n = [1] }",
            "The parameters of [[results]] in the facts must be integers and texts.",
        ),
        ("daily = 1", "The daily in the facts must be tables [[daily]]."),
        ("[[daily]]\nbest = 0", "The best of [[daily]] in the facts must be an integer above 0."),
        ("[[daily]]\nbest = 1", "The parameters of [[daily]] in the facts must be a table."),
        (
            "[[daily]]\nbest = 1\nsince = '2027-01-01'",
            "The since of [[daily]] in the facts must be a day, as in 2027-01-31 without quotes.",
        ),
        ("[[results]]\nparameters = 3", "The parameters of [[results]] in the facts must be a table."),
    ],
)
def test_what_is_wrong_is_told(text: str, sentence: str) -> None:
    facts = tomllib.loads(text)
    with pytest.raises(BrokenRules) as caught:
        print(score_facts(facts), link_facts(facts), result_facts(facts), theorem_facts(facts))
        print(daily_facts(facts), conjecture_facts(facts), encyclopedia_facts(facts))
    assert str(caught.value) == sentence


FACTS = catalog.get("blob").facts
SAMPLE = FACTS["samples"][0]
LINE = "in the facts must be one line of text."


@pytest.mark.parametrize("id", catalog.ids())
def test_the_facts_of_every_game_are_right(id: str) -> None:
    check_facts(catalog.get(id).facts)


@pytest.mark.parametrize(
    ("part", "value", "sentence"),
    [
        ("title", "a\x1b[31m", f"The title {LINE}"),
        ("author", 1, f"The author {LINE}"),
        ("summary", "two\nlines", f"The summary {LINE}"),
        (
            "puzzles_since",
            "2027-01-01",
            "The puzzles_since in the facts must be a day, as in 2027-01-31 without quotes.",
        ),
        ("date", "2026-01-01", "The date in the facts must be a day, as in 2026-01-31 without quotes."),
        ("rules", "one", "The rules in the facts must be a list of sentences."),
        ("rules", ["a", "b\x07"], f"The rules {LINE}"),
        ("rulings", ["a"], "The rulings in the facts must be a table."),
        ("rulings", {"R1": "\u202ea"}, f"The rulings {LINE}"),
        ("rulings", {"R\x00": "a"}, f"The names of rulings {LINE}"),
        ("link", {"title": "a"}, f"The address of [link] {LINE}"),
        (
            "link",
            {"title": "a", "address": "https://a", "date": "2008-09-22"},
            "The date of [link] in the facts must be a day, as in 2027-01-31 without quotes.",
        ),
        ("search", {"rave": "300"}, "The rave of [search] in the facts must be a number, 0 or more."),
        ("search", {"max_n": float("nan")}, "The max_n of [search] in the facts must be a number, 0 or more."),
        ("samples", {}, "The samples in the facts must be tables [[samples]]."),
        ("samples", [1], "The [[samples]] in the facts must be a table."),
        ("samples", [SAMPLE | {"scores": [1.5]}], "The scores of [[samples]] in the facts must be a list of integers."),
        ("samples", [SAMPLE | {"winners": 1}], "The winners of [[samples]] in the facts must be a list of integers."),
        (
            "samples",
            [SAMPLE | {"paper": "\x1b"}],
            "The paper of [[samples]] in the facts must be a text without control characters.",
        ),
        ("samples", [SAMPLE | {"source": "a\nb"}], f"The source of [[samples]] {LINE}"),
        (
            "example",
            {"paper": "", "parameters": {"n": True}},
            "The parameters of [example] in the facts must be integers and texts.",
        ),
        (
            "move_counts",
            [{"parameters": {}, "counts": 3}],
            "The counts of [[move_counts]] in the facts must be a list of integers.",
        ),
    ],
)
def test_facts_of_wrong_types_are_refused_in_a_sentence(part: str, value: object, sentence: str) -> None:
    with pytest.raises(BrokenRules) as caught:
        check_facts({**FACTS, part: value})
    assert str(caught.value) == sentence


def test_facts_are_checked_when_they_are_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "quet_with_bad_facts"
    folder.mkdir()
    (folder / "__init__.py").touch()
    good = (importlib.resources.files(catalog.get("blob").package) / "facts.toml").read_text(encoding="utf-8")
    (folder / "facts.toml").write_text(good.replace("rave = 300", 'rave = "300"'), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BrokenRules, match=r"^The facts of bad can't be used: The rave of"):
        _ = catalog.Entry("bad", "quet_with_bad_facts").facts
