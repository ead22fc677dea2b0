"""Each thing that a certificate can have wrong is refused in its step, with a sentence that says what is wrong."""

import copy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import quet
from certified import GAMES, Made, between, reached, resealed, scores_of, value_of
from quet.certificates import certificate_file, claims, verify
from quet.core.errors import BadCertificate, TooLargeToCheck
from quet.games.palindromes import claims as palindromes
from quet.games.plusses_minuses import claims as plusses_minuses
from quet.games.sequence_ascension import claims as sequence_ascension

BASES: dict[str, Made] = {
    "table": value_of("palindromes", "1=0 2=1", m=2),
    "search": value_of("palindromes", "1=0 2=1", has_table=False, m=2),
    "solitaire": reached(9),
    "lowest": reached(6, is_lowest=True),
    "three": scores_of("2! 4! 1 3!", has_table=True),
    "open": between(-4, 4),
}


def changed(base: str, *changes: tuple[str, Any]) -> Made:
    """The certificate with other values in these places, such as `grounds.0.kind`, and with its digest put right."""
    whole: Any = copy.deepcopy(BASES[base])
    for place, value in changes:
        *path, last = (int(key) if key.isdigit() else key for key in place.split("."))
        parent = whole
        for key in path:
            parent = parent[key]
        parent[last] = value
    return resealed(whole)


A_SEARCH: dict[str, Any] = {"kind": "exhaustive", "method": "a search", "positions": 10, "confirmed_by": None}
MINIMAX_BY_SIDES: list[Made] = [{"for": ["low"], "kind": "minimax"}, {"for": ["high"], "kind": "minimax"}]
OPEN: list[tuple[str, Any]] = [("claim.best_moves", None), ("witness", [])]
REFUSED: list[tuple[str, list[tuple[str, Any]], str]] = [
    ("table", [("more", 1)], "file: A certificate has nothing called 'more'."),
    ("table", [("format", "quet")], "file: The format must be quet-certificate."),
    ("table", [("version", 2)], "file: The version must be 1."),
    ("table", [("version", True)], "file: The version must be 1."),
    ("table", [("game", 7)], "game: The game must be a name."),
    ("table", [("game", "chess")], "game: There is no game 'chess'."),
    ("table", [("rules", 2)], "game: The rules have version 1 now."),
    ("table", [("rules", 1.0)], "game: The rules have version 1 now."),
    ("table", [("parameters", [])], "game: The parameters must be an object."),
    ("table", [("parameters", {"n": 2})], "game: The parameters must be m."),
    ("table", [("parameters.m", 0)], "game: m must be from 1 to 64, not '0'."),
    ("table", [("parameters.m", "2")], "game: The parameters must be written as '{'m': 2}'."),
    ("three", [("parameters", {"r": 4})], "game: The parameters must be r and players."),
    (
        "solitaire",
        [("game", "sequence-ascension"), ("parameters", {"n": 3, "sequence": "file:terms.txt"})],
        "game: sequence may not name a file here.",
    ),
    ("table", [("claim", [])], "claim: The claim must be an object."),
    ("table", [("claim.more", 1)], "claim: The claim must have score, low, high and best_moves."),
    ("three", [("claim.low", 1)], "claim: The claim must have score, scores and best_moves."),
    ("table", [("claim.score", "best")], "claim: The score must be value, highest, lowest or scores."),
    (
        "table",
        [("claim.score", "highest")],
        "claim: The score is value with two players, scores with more, and highest or lowest with one.",
    ),
    (
        "solitaire",
        [("claim.score", "value")],
        "claim: The score is value with two players, scores with more, and highest or lowest with one.",
    ),
    (
        "three",
        [("claim.score", "highest")],
        "claim: The score is value with two players, scores with more, and highest or lowest with one.",
    ),
    (
        "solitaire",
        [("claim.score", "scores")],
        "claim: The score is value with two players, scores with more, and highest or lowest with one.",
    ),
    ("table", [("claim.low", "x")], "claim: low and high must be integers."),
    ("table", [("claim.high", None)], "claim: low and high must be integers."),
    ("table", [("claim.low", -1)], "claim: low is above high."),
    ("three", [("claim.scores", [1, 2])], "claim: scores must be integers, one for each player."),
    ("three", [("claim.scores", [1, 2, True])], "claim: scores must be integers, one for each player."),
    ("three", [("claim.scores", "123")], "claim: scores must be integers, one for each player."),
    ("table", [("claim.best_moves", "1=0")], "claim: best_moves must be a list of moves, or null."),
    ("table", [("claim.best_moves", [1])], "claim: best_moves must be a list of moves, or null."),
    ("table", [("claim.best_moves", [])], "claim: best_moves must be in order, each once."),
    ("table", [("claim.best_moves", ["1=1", "1=0"])], "claim: best_moves must be in order, each once."),
    ("table", [("claim.best_moves", ["1=0", "1=0"])], "claim: best_moves must be in order, each once."),
    ("table", [("claim.best_moves", ["3=0"])], "claim: A best move: There is no square 3; the squares are 1 to 2."),
    (
        "table",
        [("claim.best_moves", [" 1=0"])],
        "claim: A best move: ' 1=0' is not a move; write a square and a digit, as in 5=0.",
    ),
    ("table", [("claim.best_moves", ["1=0"])], "grounds: The best moves are '1=0 1=1 2=0 2=1'."),
    ("table", [("witness", "1=0")], "witness: The witness must be a list of moves."),
    ("table", [("witness", [])], "witness: The game of the witness isn't over."),
    ("table", [("witness", ["1=0"])], "witness: The game of the witness isn't over."),
    ("table", [("witness", ["1=0", "2=1", "2=1"])], "witness: The game is over before move 3."),
    ("table", [("witness", ["1=0", "1=1"])], "witness: Move 2 of the witness: Square 1 holds a 0 already."),
    (
        "table",
        [("witness", ["1=0", "x"])],
        "witness: Move 2 of the witness: 'x' is not a move; write a square and a digit, as in 5=0.",
    ),
    (
        "table",
        [("witness", ["1=0", "02=1"])],
        "witness: Move 2 of the witness: '02=1' is not a move; write a square and a digit, as in 5=0.",
    ),
    ("table", [("witness", ["1=0", "2=0"])], "witness: The witness reaches 2, not -2."),
    ("table", [("claim.best_moves", ["2=0"])], "witness: The first move of the witness isn't among the best moves."),
    ("search", [("claim.best_moves", ["2=0"])], "witness: The first move of the witness isn't among the best moves."),
    ("open", [("witness", ["1=0"])], "witness: Where low is below high there is no witness and no best move."),
    ("open", [("claim.best_moves", ["1=0"])], "witness: Where low is below high there is no witness and no best move."),
    ("solitaire", [("claim.low", 8)], "witness: The witness reaches 9, not 8."),
    ("lowest", [("claim.high", 7)], "witness: The witness reaches 6, not 7."),
    ("table", [("grounds", {})], "grounds: The grounds must be a list, with at least one in it."),
    ("table", [("grounds", [])], "grounds: The grounds must be a list, with at least one in it."),
    ("table", [("grounds", [[]])], "grounds: Each of the grounds must be an object."),
    (
        "table",
        [("grounds.0.kind", 7)],
        "grounds: The kinds of grounds are pairing, avoiding, witness, bound, table, exhaustive, unsat, weak, minimax, "
        "tried.",
    ),
    (
        "table",
        [("grounds.0.kind", "unsure")],
        "grounds: The kinds of grounds are pairing, avoiding, witness, bound, table, exhaustive, unsat, weak, minimax, "
        "tried.",
    ),
    (
        "solitaire",
        [("grounds.0.kind", "pairing")],
        "grounds: The kinds of grounds are witness, bound, table, exhaustive, unsat, weak, minimax, tried.",
    ),
    ("table", [("grounds.0.for", "low")], "grounds: Grounds are for low or high, or for both."),
    ("table", [("grounds.0.for", ["high", "low"])], "grounds: Grounds are for low or high, or for both."),
    ("three", [("grounds.0.for", ["low"])], "grounds: Grounds are for scores."),
    ("table", [("grounds.0.for", [])], "grounds: Grounds are for low or high, or for both."),
    ("open", [("grounds", [{"for": ["low"], "kind": "bound"}])], "grounds: low and high must each have one reason."),
    (
        "open",
        [("grounds", [{"for": ["low"], "kind": "bound"}, {"for": ["low"], "kind": "bound"}])],
        "grounds: low and high must each have one reason.",
    ),
    ("open", [("grounds.0.for", ["low", "high"])], "grounds: A bound is for low or for high."),
    ("open", [("grounds.0.more", 1)], "grounds: Grounds of the kind bound have for and kind."),
    ("open", [("claim.low", -5)], "grounds: By the rules alone no value is below -4, not -5."),
    ("open", [("claim.high", 5)], "grounds: By the rules alone no value exceeds 4, not 5."),
    ("open", [("claim.low", -3)], "grounds: By the rules alone no value is below -4, not -3."),
    ("solitaire", [("claim.high", 10)], "grounds: By the rules alone no score exceeds 9, not 10."),
    (
        "solitaire",
        [("claim.low", 8), ("claim.high", 8), ("witness", ["a3", "b3", "b1", "c1", "c3", "c2", "a2", "b2"])],
        "grounds: By the rules alone no score exceeds 9, not 8.",
    ),
    ("lowest", [("claim.low", 0)], "grounds: By the rules alone no score is below 1, not 0."),
    (
        "solitaire",
        [("grounds.0.for", ["high"])],
        "grounds: A witness shows that a solitaire's score can be reached, and no more.",
    ),
    ("solitaire", [("grounds.0.more", 1)], "grounds: Grounds of the kind witness have for and kind."),
    (
        "table",
        [("grounds", [{"for": ["low"], "kind": "witness"}])],
        "grounds: A witness shows that a solitaire's score can be reached, and no more.",
    ),
    (
        "lowest",
        [("grounds.0.for", ["low"])],
        "grounds: A witness shows that a solitaire's score can be reached, and no more.",
    ),
    ("search", [("grounds.0.method", "")], "grounds: method must be a text of printable ASCII characters."),
    ("search", [("grounds.0.method", None)], "grounds: method must be a text of printable ASCII characters."),
    ("search", [("grounds.0.method", "a\nb")], "grounds: method must be a text of printable ASCII characters."),
    ("search", [("grounds.0.confirmed_by", "")], "grounds: confirmed_by must be a text of printable ASCII characters."),
    ("search", [("grounds.0.confirmed_by", 7)], "grounds: confirmed_by must be a text of printable ASCII characters."),
    ("search", [("grounds.0.positions", "10")], "grounds: positions must be their number."),
    ("search", [("grounds.0.positions", 0)], "grounds: positions must be their number."),
    (
        "search",
        [("grounds.0.more", 0)],
        "grounds: Grounds of the kind exhaustive have for and kind and method and positions and confirmed_by.",
    ),
    (
        "solitaire",
        [("claim.best_moves", ["a2"])],
        "grounds: Only a table or a search tells which first moves are the best.",
    ),
    ("table", [("grounds.0.more", 0)], "grounds: Grounds of the kind table have for and kind and values."),
    ("table", [("grounds.0.for", ["low"])], "grounds: A table is for low and high together, which must be equal."),
    (
        "open",
        [("grounds", [{"for": ["low", "high"], "kind": "table", "values": [0]}])],
        "grounds: A table is for low and high together, which must be equal.",
    ),
    ("table", [("grounds.0.values", 7)], "grounds: values must be a list with at least one value."),
    ("table", [("grounds.0.values", [])], "grounds: values must be a list with at least one value."),
    ("search", [("claim.low", -3), *OPEN], "grounds: By the rules alone no value is below -2; it claims -3."),
    ("search", [("claim.high", 3), *OPEN], "grounds: By the rules alone no value exceeds 2; it claims 3."),
    (
        "solitaire",
        [("claim.high", 10), ("grounds.1", {"for": ["high"], **A_SEARCH})],
        "grounds: By the rules alone no score exceeds 9; it claims 10.",
    ),
    (
        "lowest",
        [("claim.low", 0), ("grounds.1", {"for": ["low"], **A_SEARCH})],
        "grounds: By the rules alone no score is below 1; it claims 0.",
    ),
    ("table", [("grounds.0.values.1", 10**12)], "grounds: Position 1 is worth 1000000000000, not -2."),
    ("table", [("grounds.0.values.1", True)], "grounds: values are integers, 1000000000000 at most."),
    (
        "table",
        [("grounds.0.values", [-2, -2, -2, -2, -2, 0, 0, 0])],
        "grounds: The game has more than the 8 positions of the table.",
    ),
    (
        "table",
        [("grounds.0.values", [-2, -2, -2, -2, -2, 0, 0, 0, 0, 0])],
        "grounds: The game has 9 positions, the table 10.",
    ),
    ("table", [("grounds.0.values.0", 2)], "grounds: Position 1 is worth -2, not 2."),
    ("table", [("grounds.0.values.5", 1)], "grounds: Position 6 is worth 0, not 1."),
    ("table", [("claim.low", -3), ("claim.high", -3)], "witness: The witness reaches -2, not -3."),
    (
        "table",
        [("claim.low", 2), ("claim.high", 2), ("witness", ["1=0", "2=0"])],
        "grounds: By the table the value is -2, not 2.",
    ),
    ("three", [("grounds.0.values.0", [1, 2])], "grounds: values are lists of 3 integers, one for each player."),
    ("three", [("grounds.0.values.0", [1, 2, True])], "grounds: values are lists of 3 integers, one for each player."),
    ("three", [("grounds.0.values.0", 7)], "grounds: values are lists of 3 integers, one for each player."),
    ("three", [("grounds.0.values.0", [2, 2, 10])], "grounds: Position 1 is worth 2, 2, 11, not 2, 2, 10."),
    ("three", [("witness", ["4!", "2", "1", "3!"])], "witness: The game of the witness isn't over."),
    ("table", [("witness", 7)], "witness: The witness must be a list of moves."),
    ("table", [("grounds", MINIMAX_BY_SIDES)], "grounds: Minimax is for low and high together, which must be equal."),
    (
        "open",
        [("grounds", [{"for": ["low", "high"], "kind": "minimax"}])],
        "grounds: Minimax is for low and high together, which must be equal.",
    ),
    (
        "three",
        [("grounds", [{"for": ["scores"], "kind": "minimax"}]), ("claim.best_moves", ["2!", "4!"])],
        "grounds: The best moves are '2!'.",
    ),
    (
        "lowest",
        [
            ("grounds", [{"for": ["low", "high"], "kind": "minimax"}]),
            ("claim.low", 7),
            ("claim.high", 7),
            ("witness", GAMES[7].split()),
        ],
        "grounds: By trying all positions the value is 6, not 7.",
    ),
    (
        "table",
        [("grounds", [{"for": ["low", "high"], "kind": "weak", "replies": ""}])],
        "grounds: A weak solution is of a game for two, and for low or for high.",
    ),
    (
        "three",
        [("grounds", [{"for": ["scores"], "kind": "weak", "replies": ""}])],
        "grounds: A weak solution is of a game for two, and for low or for high.",
    ),
    (
        "table",
        [("grounds", [{"for": ["low"], "kind": "weak"}])],
        "grounds: Grounds of the kind weak have for and kind and replies.",
    ),
    (
        "table",
        [("grounds", [{"for": ["high"], "kind": "unsat", "proof": ""}])],
        "grounds: A refutation shows that no score is higher.",
    ),
    (
        "solitaire",
        [("grounds.1", {"for": ["high"], "kind": "unsat", "proof": ""})],
        "grounds: No proof of this kind is known of up-and-up.",
    ),
    (
        "solitaire",
        [("grounds.1", {"for": ["high"], "kind": "unsat"})],
        "grounds: Grounds of the kind unsat have for and kind and proof.",
    ),
    (
        "solitaire",
        [("grounds.0", {"for": ["low"], "kind": "unsat", "proof": ""})],
        "grounds: A refutation shows that no score is higher.",
    ),
    (
        "open",
        [("grounds.0", {"for": ["low"], "kind": "pairing"})],
        "grounds: Grounds of the kind pairing have for and kind and first and pairs.",
    ),
    (
        "open",
        [("grounds.0", {"for": ["low", "high"], "kind": "pairing", "first": None, "pairs": []})],
        "grounds: A pairing is for low or for high.",
    ),
    (
        "open",
        [("grounds.0", {"for": ["low"], "kind": "pairing", "first": None, "pairs": []})],
        "grounds: Player 1 begins, and so has a first move.",
    ),
]


def test_a_claim_as_weak_as_the_rules_is_taken() -> None:
    assert (
        verify.check(changed("search", ("claim.low", -2), ("claim.high", 2), *OPEN)).claim
        == "the value is from -2 to 2"
    )


@pytest.mark.parametrize(("base", "changes", "sentence"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_wrong_is_told_in_a_sentence(base: str, changes: list[tuple[str, Any]], sentence: str) -> None:
    verify.check(BASES[base])
    with pytest.raises(BadCertificate) as caught:
        verify.check(changed(base, *changes))
    assert str(caught.value) == sentence


def test_grounds_that_come_several_times_are_refused_before_any_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def checked(*_: object, **__: object) -> str:
        raise AssertionError("it was checked")

    monkeypatch.setattr("quet.certificates.check_minimax.check", checked)
    monkeypatch.setattr("quet.certificates.check_weak.check", checked)
    both, low = {"for": ["low", "high"], "kind": "minimax"}, {"for": ["low"], "kind": "weak", "replies": ""}
    for base, grounds in (("table", [both] * 5), ("table", [both, low]), ("open", [low, low])):
        with pytest.raises(BadCertificate) as caught:
            verify.check(changed(base, ("grounds", grounds)))
        assert str(caught.value) == "grounds: low and high must each have one reason."
    with pytest.raises(BadCertificate, match="The rules or claims of palindromes fail: AssertionError: it was checked"):
        verify.check(changed("table", ("grounds", [both])))


def test_a_move_must_be_written_as_the_rules_write_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims.of("palindromes").rules, "move_text", lambda s, move: "another text")
    best = changed("table", ("claim.best_moves", ["1=0"]))
    for whole, sentence in (
        (best, "claim: A best move isn't written as it should be."),
        (BASES["table"], "witness: Move 1 of the witness isn't written as it should be."),
    ):
        with pytest.raises(BadCertificate) as caught:
            verify.check(whole)
        assert str(caught.value) == sentence


def test_what_has_not_the_keys_of_a_certificate_is_refused() -> None:
    refused: list[tuple[Any, str]] = [
        ([], "file: It must be one JSON object."),
        ({}, "file: It has no format."),
        (dict.fromkeys(verify.KEYS[:-1], 0), "file: It has no digest."),
        (BASES["table"] | {"digest": "0" * 64}, "digest: Something has changed since it was written."),
    ]
    for whole, said in refused:
        with pytest.raises(BadCertificate) as caught:
            verify.check(whole)
        assert str(caught.value) == said


SEARCHED = "low and high by exhaustive search: a search, 10 positions; not confirmed otherwise."


@pytest.mark.parametrize(
    ("base", "claim", "checked", "trusted"),
    [
        ("table", "the value is -2", ["reaches -2.", "Each of the 9 positions is worth the best of its moves."], []),
        ("search", "the value is -2", ["reaches -2."], [SEARCHED]),
        ("solitaire", "the highest score is 9", ["reaches 9.", "By the rules alone no score exceeds 9."], []),
        ("lowest", "the lowest score is from 1 to 6", ["reaches 6.", "By the rules alone no score is below 1."], []),
        (
            "three",
            "the scores are 2, 2, 11",
            ["reaches 2, 2, 11.", "Each of the 199 positions is worth the best of its moves."],
            [],
        ),
        (
            "open",
            "the value is from -4 to 4",
            ["By the rules alone no value is below -4.", "By the rules alone no value exceeds 4."],
            [],
        ),
    ],
)
def test_what_holds_is_told_in_sentences(base: str, claim: str, checked: list[str], trusted: list[str]) -> None:
    whole = BASES[base]
    checked = [
        f"The game of the witness is legal and {said}" if said.startswith("reaches") else said for said in checked
    ]
    about, sides = (whole["game"], whole["parameters"]), ["low", "high"] if trusted else []
    assert verify.check(whole) == verify.Verified(*about, claim, checked, trusted, sides)


def test_what_rests_on_a_search_is_told_with_who_confirmed_it() -> None:
    confirmed = changed("search", ("claim.best_moves", ["1=0"]), ("grounds.0.confirmed_by", "Ann"))
    assert verify.check(confirmed).trusted == [
        "low and high by exhaustive search: a search, 10 positions; confirmed by Ann.",
        "That the best first moves are these and no others: by the same search.",
    ]
    once = changed("search", ("grounds.0.positions", 1))
    assert "1 positions" in verify.check(once).trusted[0]


@pytest.mark.parametrize(
    ("id", "size", "low", "high"),
    [
        ("blob", {"n": 4}, -4, 4),
        ("palindromes", {"m": 4}, -10, 10),
        ("palindromes", {"m": 5}, -16, 16),
        ("plusses-minuses", {"n": 4}, -3, 3),
        ("sequence-ascension", {"n": 3}, 1, 9),
        ("sums-grid", {"n": 1}, 0, 1),
        ("sums-grid", {"n": 5}, 0, 124),
        ("up-and-up", {"n": 3}, 1, 9),
        ("divisors-multiples", {"r": 9}, None, None),
    ],
)
def test_the_bounds_of_the_rules_alone(id: str, size: dict[str, int], low: int | None, high: int | None) -> None:
    start = quet.new(id, **size).state
    assert (claims.of(id).bound(start, "low"), claims.of(id).bound(start, "high")) == (low, high)


def test_the_wishes_of_three_players() -> None:
    shared, paid = claims.of("convoluted-coprimality").wish, claims.of("divisors-multiples").wish
    assert shared is not None and paid is not None
    assert [shared((1, 0, 1), player) for player in (1, 2, 3)] == [Fraction(1, 2), 0, Fraction(1, 2)]
    assert shared((0, 0, 0), 1) == 0
    assert [paid((7, 2, 1), player) for player in (1, 2, 3)] == [-11, 4, 7]


PAIRS = [[1, 4, "same"], [2, 3, "different"]]
OF_A_PAIR = "Each pair must be two squares, and same or different."
SQUARES = "The squares of a pair must be from 1 to 4, in order."
NOT_ALL = "Each square must be filled first or be in one pair."
NO_FIRST = "Player 1 begins, and so has a first move."


@pytest.mark.parametrize(
    ("m", "first", "pairs", "said"),
    [
        (4, None, PAIRS, (-2, "Each of the 2^2 rows that the pairing allows is worth -2 at most.")),
        (
            5,
            "3=0",
            [[1, 5, "same"], [2, 4, "different"]],
            (0, "Each of the 2^2 rows that the pairing allows is worth 0 at least."),
        ),
        (4, "1=0", PAIRS, "Player 2 doesn't begin, and so has no first move."),
        (5, None, [], NO_FIRST),
        (5, 7, [], NO_FIRST),
        (5, "9=0", [], "The first move: There is no square 9; the squares are 1 to 5."),
        (4, None, {}, "The pairs must be a list."),
        (4, None, [[1, 2]], OF_A_PAIR),
        (4, None, ["abc"], OF_A_PAIR),
        (4, None, [[1, 2, "same", "same"]], OF_A_PAIR),
        (4, None, [[0, 1, "same"]], SQUARES),
        (4, None, [[1, 5, "same"]], SQUARES),
        (4, None, [[2, 1, "same"]], SQUARES),
        (4, None, [[1, 1, "same"]], SQUARES),
        (4, None, [[True, 2, "same"]], SQUARES),
        (4, None, [[1, 2, "like"]], "The rule of a pair must be same or different."),
        (4, None, PAIRS[:1], NOT_ALL),
        (4, None, [[1, 4, "same"], [1, 3, "different"]], NOT_ALL),
        (4, None, PAIRS[:1] * 33, "At most 32 pairs can be checked."),
        (64, None, [[i, 65 - i, "same"] for i in range(1, 32)], NOT_ALL),
        (64, None, [[1, 2, "same"]] * 32, NOT_ALL),
    ],
)
def test_a_pairing_is_told_with_what_it_holds_or_what_is_wrong(m: int, first: object, pairs: object, said: Any) -> None:
    state, ground = quet.new("palindromes", m=m).state, {"first": first, "pairs": pairs}
    side = "low" if m % 2 else "high"
    if not isinstance(said, str):
        assert palindromes.guarantee(state, ground, side) == said
        return
    with pytest.raises(BadCertificate) as caught:
        palindromes.guarantee(state, ground, side)
    assert (caught.value.step, caught.value.sentence) == ("grounds", said)


SYMBOL = "Player 1 predicts first, and so needs a symbol, + or -."
SHIFT = "The shift must be from 0 to 3."
SQUARE = "Player 1 fills first, and so needs a square."
AGAINST, ENDS = "Against each of 2^3 predictions each of", "grids with different truth lists is worth"
ROW_1 = "is in row 1, which has a filled square already."


@pytest.mark.parametrize(
    ("side", "first", "symbol", "square", "shift", "said"),
    [
        ("high", 1, None, None, 0, (0, f"{AGAINST} 8 {ENDS} 0 at most.")),
        ("low", 2, "-", None, 0, (-3, f"{AGAINST} 8 {ENDS} -3 at least.")),
        ("low", 1, "-", "a1", 0, (-3, f"{AGAINST} 4 {ENDS} -3 at least.")),
        ("low", 1, "+", "a1", 0, (-2, f"{AGAINST} 4 {ENDS} -2 at least.")),
        ("high", 1, None, None, 3, (2, f"{AGAINST} 10 {ENDS} 2 at most.")),
        ("high", 2, None, "b1", 1, (2, f"{AGAINST} 4 {ENDS} 2 at most.")),
        ("low", 1, None, "a1", 2, SYMBOL),
        ("low", 1, "*", "a1", 2, SYMBOL),
        ("high", 1, "+", None, 0, "Player 2 has a symbol to copy from the first, and so needs none."),
        ("high", 1, None, None, 4, SHIFT),
        ("high", 1, None, None, -1, SHIFT),
        ("high", 1, None, None, "1", SHIFT),
        ("high", 1, None, None, True, SHIFT),
        ("low", 1, "-", None, 2, SQUARE),
        ("low", 1, "-", 7, 2, SQUARE),
        (
            "low",
            1,
            "-",
            "e9",
            2,
            "The first square: e9 is off the grid; the squares are a1 to d4. "
            "In the first part of the game a move is + or -.",
        ),
        ("low", 1, "-", "+", 2, "The reply + is against the rules: Both prediction lists are full; fill a square."),
        ("low", 1, "-", "a1", 2, f"The reply d1 is against the rules: d1 {ROW_1}"),
        ("high", 2, None, "a1", 1, f"The reply c1 is against the rules: c1 {ROW_1}"),
        ("high", 1, None, "a1", 0, "Player 2 doesn't fill first, and so needs no square."),
    ],
)
def test_a_mirror_is_told_with_what_it_holds_or_what_is_wrong(
    side: str, first: int, symbol: object, square: object, shift: object, said: Any
) -> None:
    state = quet.new("plusses-minuses", n=4, second_part_first=first).state
    ground = {"symbol": symbol, "square": square, "shift": shift}
    if not isinstance(said, str):
        assert plusses_minuses.guarantee(state, ground, side) == said
        return
    with pytest.raises(BadCertificate) as caught:
        plusses_minuses.guarantee(state, ground, side)
    assert (caught.value.step, caught.value.sentence) == ("grounds", said)


def test_a_mirror_needs_a_square_that_is_its_own_image_where_the_opponent_takes_one() -> None:
    state = quet.new("plusses-minuses", n=3, second_part_first=1).state
    with pytest.raises(BadCertificate) as caught:
        plusses_minuses.guarantee(state, {"symbol": "+", "square": "a2", "shift": 1}, "low")
    said = (caught.value.step, caught.value.sentence)
    assert said == ("grounds", "No square that is its own image is left.")


@pytest.mark.parametrize(
    ("limit", "number", "what"),
    [("MOST_GAMES", 64, "games to be scored"), ("MOST_POSITIONS", 20, "positions to be looked at")],
)
def test_a_mirror_is_checked_in_as_many_games_as_it_may_be(
    monkeypatch: pytest.MonkeyPatch, limit: str, number: int, what: str
) -> None:
    state, ground = quet.new("plusses-minuses", n=4).state, {"symbol": None, "square": None, "shift": 0}
    monkeypatch.setattr(plusses_minuses, limit, number)
    assert plusses_minuses.guarantee(state, ground, "high")[0] == 0
    monkeypatch.setattr(plusses_minuses, limit, number - 1)
    with pytest.raises(TooLargeToCheck) as caught:
        plusses_minuses.guarantee(state, ground, "high")
    assert caught.value.sentence == f"There are more than {number - 1} {what}."


def test_no_clauses_are_written_for_too_large_a_grid_or_too_high_a_score(monkeypatch: pytest.MonkeyPatch) -> None:
    state = quet.new("sequence-ascension", n=3).state
    assert sequence_ascension.clauses(state, 9)
    with pytest.raises(BadCertificate) as caught:
        sequence_ascension.clauses(state, 10)
    assert (caught.value.step, caught.value.sentence) == ("grounds", "Only scores below n*n have such a proof.")
    monkeypatch.setattr(sequence_ascension, "LARGEST", 2)
    with pytest.raises(TooLargeToCheck) as caught:
        sequence_ascension.clauses(state, 9)
    sentence = "The clauses are too many where n is more than 2."
    assert (caught.value.step, caught.value.sentence) == ("grounds", sentence)
    monkeypatch.setattr(sequence_ascension, "LARGEST", 3)
    assert sequence_ascension.clauses(state, 9)


def test_a_certificate_is_packed_where_its_name_says_so_and_else_a_line_for_each_part(tmp_path: Path) -> None:
    whole = BASES["solitaire"]
    plain, packed = tmp_path / "a.json", tmp_path / "a.json.gz"
    certificate_file.write(whole, plain)
    certificate_file.write(whole, packed)
    assert plain.read_text().startswith('{\n "format": "quet-certificate",\n "version": 1,\n')
    assert plain.read_bytes() == certificate_file.to_bytes(whole) and plain.read_bytes().endswith(b"}\n")
    assert packed.read_bytes() == certificate_file.pack(plain.read_bytes())
    assert packed.read_bytes()[4:8] == bytes(4)  # no time of day, so that the same is always packed the same
    assert certificate_file.read(plain) == certificate_file.read(packed) == whole
    with pytest.raises(BadCertificate) as caught:
        certificate_file.read(tmp_path / "nothing.json")
    assert caught.value.step == "file" and caught.value.sentence.startswith("It can't be read: ")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"[", "line 1"),
        (b'{"a":1,}', "line 1: The JSON is malformed: expecting property name enclosed in double quotes."),
        (b"\x1f\x8b", "it is packed, and has been cut off or added to"),
        (certificate_file.pack(b"{}")[:-1], "it is packed, and has been cut off or added to"),
        (certificate_file.pack(b"{}") + b"x", "it is packed, and has been cut off or added to"),
        (b"\x1f\x8bxxxxxxxxxxxxxxxxx", "it can't be unpacked, "),
    ],
)
def test_a_content_that_cannot_be_read_is_refused_with_the_reason(content: bytes, sentence: str) -> None:
    with pytest.raises(BadCertificate) as caught:
        certificate_file.from_bytes(content)
    assert caught.value.step == "file"
    assert caught.value.sentence.startswith(f"It is not JSON as certificates have it: {sentence}")
    assert caught.value.sentence.endswith(".") and not caught.value.sentence.endswith(("..", " ."))


def test_a_content_is_as_large_as_it_may_be_and_no_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate_file, "LARGEST_FILE", 100)
    fits, too_large = b'"' + b"a" * 98 + b'"', b'"' + b"a" * 99 + b'"'
    for content in (fits, certificate_file.pack(fits)):
        assert certificate_file.from_bytes(content) == "a" * 98
    with pytest.raises(BadCertificate, match="The JSON has more than 100 characters"):
        certificate_file.from_bytes(too_large)
    for packed in (certificate_file.pack(too_large), certificate_file.pack(b"a" * 9_999)[:-8] + b"no check"):
        with pytest.raises(BadCertificate, match=r"unpacked it is larger than 0\.0001 MB"):
            certificate_file.from_bytes(packed)  # its end isn't read


@pytest.mark.parametrize(
    "text", ["", "[", "[]", "{}", '{"format": 1, "format": 1}', '{"a": 1.5}', '{"a": NaN}', "[" * 9999]
)
def test_a_file_that_is_no_certificate_is_refused_in_a_sentence(text: str, tmp_path: Path) -> None:
    file = tmp_path / "claim.json"
    file.write_text(text)
    with pytest.raises(BadCertificate) as caught:
        verify.verify(file)
    assert caught.value.step == "file"
    assert str(caught.value).startswith(f"{file}: file: ")
    with pytest.raises(BadCertificate, match="file: It can't be read"):
        verify.verify(tmp_path / "nothing.json")
