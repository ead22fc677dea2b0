"""The table as pictures and as the Encyclopedia of Integer Sequences writes it."""

import dataclasses
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from quet import catalog
from quet.core.errors import BadParameter
from quet.core.facts import theorem_facts
from quet.draw.raster import png
from quet.draw.scene import Circle, Line, Scene, Text
from quet.draw.svg import svg
from quet.results import folder, oeis
from quet.results.growth import growth
from quet.results.row import Row
from quet.results.series import Series, only, series


def row(n: int, value: int, bound: int | None = None, score: str = "highest", game: str = "up-and-up") -> Row:
    bound = value if bound is None else bound
    return Row(
        game=game,
        parameters={"n": n} if game != "plusses-minuses" else {"n": n, "second_part_first": 1},
        score=score,
        value=value,
        bound=bound,
        status="proven" if value == bound else "open",
        proof="exhaustive",
        finder="Ann",
        date="2026-11-21",
        prover="Ann",
        proof_date="2026-11-21",
        certificate=f"{game}-{n}.json",
        witness="",
    )


SUMS = [row(1, 1), row(2, 8), row(3, 26), row(4, 52, 64), row(5, 99, 125), row(6, 150)]


def of(scene: Scene, kind: type, role: str) -> list[Line | Circle]:
    return [shape for shape in scene.shapes if isinstance(shape, kind) and shape.role == role]  # type: ignore[misc]


def texts(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.shapes if isinstance(shape, Text)]


def test_proven_values_are_full_dots_and_open_ones_empty_dots_with_a_bar_to_the_bound() -> None:
    scene = growth(SUMS)
    dots = [shape for shape in of(scene, Circle, "one") if isinstance(shape, Circle)]
    holes = [shape for shape in of(scene, Circle, "square") if isinstance(shape, Circle)]
    assert len(dots) == 6
    assert [(hole.x, hole.y) for hole in holes] == [(dot.x, dot.y) for dot in dots[3:5]]
    bars = [shape for shape in of(scene, Line, "one") if isinstance(shape, Line) and shape.width == 0.03]
    assert [bar.points[0] for bar in bars] == [(dot.x, dot.y) for dot in dots[3:5]]
    assert all(bar.points[1][1] < bar.points[0][1] for bar in bars)  # the bound is above
    assert dots[0].y > dots[1].y > dots[2].y
    assert {"proven", "best known, with a bar to the bound", "Highest score", "n: side of the grid"} <= set(
        texts(scene)
    )
    assert scene.notes == ("sizes 1 to 6: 1, 8, 26, 52 to 64, 99 to 125, 150.",)


def test_the_bound_of_a_lowest_score_is_below_it_and_series_are_told_apart() -> None:
    scene = growth([row(1, 1), row(2, 4), row(1, 1, score="lowest"), row(2, 4, 2, score="lowest")])
    assert {"highest", "lowest", "Highest score and lowest score"} <= set(texts(scene))
    (bar,) = [shape for shape in of(scene, Line, "two") if isinstance(shape, Line) and shape.width == 0.03]
    assert bar.points[1][1] > bar.points[0][1]


@pytest.mark.parametrize("rows", [SUMS, SUMS[:1], [row(2, 0, game="plusses-minuses", score="value")]], ids=len)
def test_both_printers_take_the_picture(rows: list[Row]) -> None:
    scene = growth(rows)
    ElementTree.fromstring(svg(scene))
    assert Image.open(BytesIO(png(scene, scale=40))).size == (720, 400)


def test_a_b_file_has_the_proven_terms_from_the_first_size_on_without_a_gap() -> None:
    lines = oeis.b_file(only(SUMS)).splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["1 1", "2 8", "3 26"]
    assert oeis.b_file(only(SUMS)).endswith("\n")
    gap = [row(2, 4), row(3, 6), row(5, 7)]
    assert oeis.b_file(only(gap)).splitlines()[-2:] == ["2 4", "3 6"]
    with pytest.raises(BadParameter, match="Nothing is proven of up-and-up n=4, highest"):
        oeis.b_file(only(SUMS[3:]))


def test_a_sequence_that_begins_after_the_smallest_size_is_doubted() -> None:
    (told,) = (each for each in oeis.doubts(only(SUMS[1:])) if "begin" in each)
    assert told == "The terms begin with a(2), and the game with n = 1."


def test_the_rules_may_be_either_bound_of_a_value() -> None:
    rows = [row(n, 0, score="value", game="palindromes") for n in range(1, 5)]
    between = dataclasses.replace(row(5, -6, 2, score="value", game="palindromes"), proof="bound and pairing")
    told = "%C A000000 -6 <= a(5) <= 2: by the rules alone; by strategies that pair squares."
    assert told in oeis.draft(only([*rows, between]), "Ann").splitlines()


def test_a_draft_has_proven_terms_in_its_data_and_bounds_in_its_comments() -> None:
    lines = oeis.draft(only(SUMS), "_Ann Example_").splitlines()
    assert all(re.fullmatch(r"%[ISTUNCDHeoYKOA] A000000( .+)?", line) for line in lines)
    assert "%S A000000 1,8,26" in lines
    (name,) = [line[11:] for line in lines if line.startswith("%N")]
    game = 'Leroy Quet\'s game "Up And Up, Grid Solitaire"'
    assert name == f"a(n) is the highest score in {game} when the side of the grid is n."
    assert "%C A000000 52 <= a(4) <= 64: the bound is by exhaustive search." in lines
    assert "%C A000000 a(6) = 150: by exhaustive search." in lines
    assert "%C A000000 a(1)-a(3): by exhaustive search." in lines
    assert "%K A000000 nonn,hard,more" in lines
    assert "%O A000000 1,2" in lines
    post = "http://gamesconceived.blogspot.com/2008/09/up-and-up-grid-solitaire.html"
    assert [line[11:] for line in lines if line[1] in "DH"] == [
        'Ann Example, <a href="/A000000/b000000.txt">Table of n, a(n) for n = 1..3</a>.',
        f'Leroy Quet, <a href="{post}">Up And Up, Grid Solitaire</a>, Sep 22 2008.',
    ]
    (author,) = [line for line in lines if line.startswith("%A")]
    assert re.fullmatch(r"%A A000000 _Ann Example_, [A-Z][a-z]{2} \d\d \d{4}", author)


def test_a_draft_says_in_words_what_each_kind_of_proof_is_and_what_the_values_mean() -> None:
    kinds = ["bound", "table", "mirror", "bound and pairing", "unsat", "exhaustive confirmed", "weak", "minimax"]
    kinds += ["tried", "avoiding", "exhaustive"]
    rows = [
        dataclasses.replace(row(n, 0, game="plusses-minuses", score="value"), proof=kind)
        for n, kind in enumerate(kinds, 2)
    ]
    lines = oeis.draft(only(rows), "Ann").splitlines()
    told = [line for line in lines if re.match(r"%C A000000 a\(\d+\): ", line)]
    assert len(told) == len(kinds) and not any(re.search(r"by (\S+)\.$", line) for line in told)
    assert not any(re.search("check|reached|prover|program", line) for line in told)  # of what found it
    assert "%C A000000 a(4): by mirror strategies." in lines
    assert "%C A000000 a(5): by the rules alone; by strategies that pair squares." in lines
    means = "The value is player 1's score minus player 2's if each maximizes their own score minus the other's."
    assert f"%C A000000 {means}" in lines
    assert "%C A000000 Here second_part_first = 1 (the player who fills the first square)." in lines
    assert any(line.startswith("%D A000000 Leroy Quet, Plusses And Minuses Grid Game, ") for line in lines)  # on Usenet
    costs = [dataclasses.replace(rows[0], game="divisors-multiples", parameters={"r": 2, "players": 2})]
    draft = oeis.draft(only(costs), "Ann")
    assert "if each minimizes their own cost minus the other's." in draft
    assert "%C A000000 The rules, with r for n: " in draft and "when the largest number is n." in draft


@pytest.mark.parametrize("author", ["", "Ann\n%K A000000 nice", "n" * 101])
def test_the_author_of_a_draft_is_a_name(author: str) -> None:
    with pytest.raises(BadParameter, match="An author has a name of 1 to 100 printable characters"):
        oeis.draft(only(SUMS), author)


def test_the_name_of_an_author_keeps_its_letters() -> None:
    assert "%A A000000 _Jörg Müller_, " in oeis.draft(only(SUMS), "_Jörg Müller_")


def test_a_draft_of_negative_values_has_the_keyword_sign_and_of_small_ones_the_second_offset_1() -> None:
    rows = [row(n, -(n % 2), game="plusses-minuses", score="value") for n in range(2, 7)]
    lines = oeis.draft(only(rows), "Ann").splitlines()
    assert any(line.startswith("%S A000000 0,-1,0,-1,0,0,0,") for line in lines)  # a theorem has the others
    assert "%K A000000 sign" in lines
    assert "%O A000000 2,1" in lines
    larger = [row(n, value, game="plusses-minuses", score="value") for n, value in enumerate((0, -2, 0, 4), 2)]
    assert "%O A000000 2,2" in oeis.draft(only(larger), "Ann").splitlines()


def test_bounds_of_lowest_scores_are_written_from_low_to_high() -> None:
    rows = [row(1, 1, score="lowest"), row(2, 19, 17, score="lowest")]
    assert (
        "%C A000000 17 <= a(2) <= 19: the bound is by exhaustive search." in oeis.draft(only(rows), "Ann").splitlines()
    )


def test_data_takes_three_lines_at_most_and_its_lines_join_to_the_terms() -> None:
    rows = [dataclasses.replace(row(1, 10**k + k), parameters={"n": k}) for k in range(1, 60)]
    lines = [line for line in oeis.draft(only(rows), "Ann").splitlines() if line[1] in "STU"]
    assert [line[:2] for line in lines] == ["%S", "%T", "%U"][: len(lines)]
    assert all(len(line) <= 80 for line in lines)
    terms = "".join(line[11:] for line in lines).split(",")
    assert terms == [str(10**k + k) for k in range(1, len(terms) + 1)]
    assert len(terms) > 15
    assert "%K A000000 nonn" in oeis.draft(only(rows), "Ann").splitlines()  # enough terms, and not hard to find


TAIL = "".join(f"{n} 19\n" for n in range(36, 101))


def test_a_draft_has_the_theorems_about_its_sequence_and_asks_for_no_more_terms_where_all_are_known() -> None:
    of_lowest = only([one for one in folder.find(None).rows("up-and-up") if one.is_lowest])
    lowest = oeis.draft(of_lowest, "Ann")
    assert "%F A000000 a(n) = 19 for all n >= 36 (proved).\n" in lowest and "Conjecture" not in lowest
    assert "%K A000000 nonn\n" in lowest
    assert "for n = 1..100</a>" in lowest and oeis.b_file(of_lowest).endswith("\n35 18\n" + TAIL)
    data = ",".join(line[11:].strip(",") for line in lowest.splitlines() if line[1] in "STU").split(",")
    assert len(data) > 50 and set(data[35:]) == {"19"}
    rows = folder.find(None).rows("plusses-minuses")
    first, second = (
        oeis.draft(only([one for one in rows if one.parameters["second_part_first"] == player]), "Ann")
        for player in (1, 2)
    )
    sums = oeis.draft(only(folder.find(None).rows("sums-grid")), "Ann")
    assert "%C A000000 60 <= a(4) <= 62: the bound is by exhaustive search, in two ways.\n" in sums  # no theorem
    assert "%C A000000 102 <= a(5) <= 124.\n" in sums
    assert "%F A000000 a(3) < 27, a(n) < n^3 for all n >= 5, and " in sums
    assert (
        "%F A000000 a(n) = 0 for all n >= 2 (proved)." in first
        and "Conjecture" not in first
        and "-3 <= a(n) <= 0" not in first
    )
    assert "%F A000000 -3 <= a(n) <= 0 for all n >= 2 (proved).\n" in second and "sign,hard,more" in second
    assert "%C A000000 Conjecture: a(n) = -1 for all n >= 2.\n" in second


def test_each_sentence_of_a_theorem_is_a_formula_and_its_proof_has_to_be_attached() -> None:
    rows = only(folder.find(None).rows("palindromes"))
    formulas = [line[11:] for line in oeis.draft(rows, "Ann").splitlines() if line.startswith("%F")]
    assert formulas == [
        "For all even n from 2 to 64 a(n) <= -2, and a(n) <= -4 if 6 divides n (proved).",
        "For all odd n from 1 to 63 a(n) >= 0 (proved).",
    ]
    (told,) = oeis.to_attach(rows)
    assert told.startswith(
        "Attach a proof to the draft (docs/proofs.md, theorems 3 and 7), as it has no address yet: For"
    )
    assert oeis.to_attach(only(folder.find(None).rows("blob"))) == []


def test_every_theorem_says_where_its_proof_stands() -> None:
    page = (Path(__file__).parents[2] / "docs" / "proofs.md").read_text("utf-8")
    theorems = [theorem for game in catalog.ids() for theorem in theorem_facts(catalog.get(game).facts)]
    for theorem in theorems:
        numbers = re.fullmatch(r"docs/proofs\.md, theorems? (\d)(?: and (\d))?", theorem.proof)
        assert numbers and all(f"**Theorem {number}.**" in page for number in numbers.groups() if number)
    assert theorems


def test_a_draft_has_the_rulings_that_one_needs_and_names_the_author_once() -> None:
    rows = [one for one in folder.find(None).rows("convoluted-coprimality") if one.parameters["players"] == 2]
    made = oeis.draft(only(rows), "Ann")
    assert "%C A000000 Where the rules are silent: A square that eliminates may always be chosen" in made
    assert "The program" not in made and "Any number of people" not in made
    assert "%C A000000 The game needs n >= 2.\n" in made and "The game needs" not in oeis.draft(only(SUMS), "Ann")
    assert "nobody is eliminated for it: a new grid starts by itself" in made
    assert "%D A000000 Leroy Quet, Convoluted Coprimality, rec.puzzles" in made


def program_of(draft: str) -> list[str]:
    return [line[11:] for line in draft.splitlines() if line.startswith("%o")]


WITH_TERMS = [
    pytest.param(one, id=" ".join([one.game, one.score, *map(str, one.others.values())]))
    for game in catalog.ids()
    if (rows := [row for row in folder.find(None).rows(game) if row.is_one_number])  # another package's has none
    for one in series(rows)
]


def printed(program: list[str], last: int) -> str:
    """What a program prints that ends with this size, run by a Python that finds no package."""
    code, replaced = re.subn(r"(\d+)\)\]\)$", f"{last + 1})])", "\n".join(program[1:]))
    assert program[0] == "(Python)" and replaced == 1
    return subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("one", WITH_TERMS)
def test_the_program_of_a_draft_prints_the_first_terms(one: Series) -> None:
    program = program_of(oeis.draft(one, "Ann"))
    terms = catalog.get(one.game).terms
    assert terms is not None, f"Write src/quet/games/{one.game.replace('-', '_')}/terms.py, for the drafts of its rows."
    assert max(map(len, program)) <= 100 and "" not in program, "a line of terms.py is too long for the OEIS, or empty"
    last = terms.LAST[one.score] // 2 + 1  # the next test has the others
    assert printed(program, last) == f"{[row.number for row in one.proven if row.size <= last]}\n"


@pytest.mark.long
@pytest.mark.parametrize("one", WITH_TERMS)
def test_the_program_of_a_draft_prints_all_terms_that_it_says(one: Series) -> None:
    program, terms = program_of(oeis.draft(one, "Ann")), catalog.get(one.game).terms
    assert terms is not None
    last = terms.LAST[one.score]
    assert program[-1] == f"print([a(n) for n in range({one.rows[0].size}, {last + 1})])"
    assert printed(program, last) == f"{[row.number for row in one.proven if row.size <= last]}\n"


def test_the_program_of_a_draft_prints_no_term_that_is_not_proven_and_has_the_parameters_of_the_sequence() -> None:
    assert program_of(oeis.draft(only(SUMS[:2]), "Ann"))[-1] == "print([a(n) for n in range(1, 3)])"
    row_of_pi = dataclasses.replace(row(2, 4, game="sequence-ascension"), parameters={"n": 2, "sequence": "pi"})
    assert "SEQUENCE = [3, 1, 4, 1]  # the terms that are placed" in program_of(oeis.draft(only([row_of_pi]), "Ann"))


def test_a_draft_has_no_program_where_the_game_has_none_for_the_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = dataclasses.replace(row(2, 0, score="value"), game="divisors-multiples", parameters={"r": 2, "players": 3})
    assert program_of(oeis.draft(only([costs]), "Ann")) == []  # one of two players alone
    assert program_of(oeis.draft(only([row(1, 1, score="value")]), "Ann")) == []
    monkeypatch.setitem(vars(catalog.get("up-and-up")), "terms", None)
    assert program_of(oeis.draft(only(SUMS), "Ann")) == []


def examples(*rows: Row) -> list[str]:
    return [line[11:] for line in oeis.draft(only(rows), "Ann").splitlines() if line.startswith("%e")]


def test_an_example_is_small_and_shows_a_grid_of_numbers() -> None:
    games = {4: "a1 b1 d1 d2 d4", 5: "b1 c1 c3 c2 a2 a5 a1", 6: "a1"}
    rows = [dataclasses.replace(row(n, 7), witness=game) for n, game in games.items()]
    grid = ["6 . . . .", ". . . . .", ". . 3 . .", "5 . 4 . .", "7 1 2 . ."]
    assert examples(*rows) == ["a(5) = 7:", *(f"  {line}" for line in grid)]
    far = dataclasses.replace(row(30, 2), witness="z1 aa1")  # of a column that the words don't explain
    long = dataclasses.replace(row(31, 60), witness=" ".join(["a1"] * 60))
    assert examples(far, long) == []


SQUARES = "a letter is a column from the left, a number a row from the bottom"


def example_of(game: str, size: int, **others: str | int) -> list[str]:
    """The example of one row of the table."""
    rows = [one for one in folder.find(None).rows(game) if one.size == size and others.items() <= one.others.items()]
    return examples(*rows)


def test_an_example_tells_moves_that_its_grid_does_not() -> None:
    told, *grid, filled, path = example_of("sequence-ascension", 3, sequence="pi")
    assert told == "a(3) = 8:" and all(re.fullmatch(r"  \d \d \d", line) for line in grid) and len(grid) == 3
    parts = re.fullmatch(rf"The terms go to (.+) \({SQUARES}\)\. The path is (.+)\.", f"{filled} {path}")
    assert parts and [len(part.split()) for part in parts.groups()] == [9, 8]
    told, *grid, moves = example_of("plusses-minuses", 3, second_part_first=2)
    assert re.fullmatch(r"a\(3\) = -1 = \d - \d:", told) and [line.count("*") for line in grid] == [1, 1, 1]
    assert moves.endswith(f" (+ and - are the predictions, in turn; {SQUARES}).")


def test_an_example_says_how_to_read_moves_and_has_no_grid_where_the_game_has_none() -> None:
    (told,) = example_of("divisors-multiples", 5, players=2)
    assert re.fullmatch(r"a\(5\) = -2 = \d+ - \d+: the moves are .+ \(4! steps to 4 and stops there, .+\)\.", told)
    told, line, moves = example_of("palindromes", 4)
    assert re.fullmatch(r"  [01] [01] [01] [01]", line) and moves.endswith(" (2=0 writes 0 in square 2).")


def test_what_the_encyclopedia_would_not_take_is_said() -> None:
    assert oeis.doubts(only(SUMS))[0].startswith("The draft has 3 proven terms from the first size on; ")
    zeros = [row(n, 0, game="plusses-minuses", score="value") for n in range(2, 7)]
    assert oeis.doubts(only(zeros)) == ["All terms of the draft are 0; the encyclopedia has no need of it."]
    squares = [row(n, n * n) for n in range(1, 5)]
    assert oeis.doubts(only(squares)) == [
        "All terms of the draft are squares, a(n) = n^2; the encyclopedia has them as A000290."
    ]
    assert oeis.doubts(only([*squares, row(5, 23)])) == []
    assert oeis.doubts(only([row(n, n) for n in range(1, 5)])) == []


def test_one_sequence_has_to_be_named_where_there_are_several() -> None:
    both = [row(1, 1), row(1, 1, score="lowest")]
    assert only(both).score == "highest"
    assert [one.score for one in series(both)] == ["highest", "lowest"]
    others = [
        dataclasses.replace(row(2, 4, game="sequence-ascension"), parameters={"n": 2, "sequence": name})
        for name in ("pi", "mod3")
    ]
    with pytest.raises(BadParameter, match="Name one sequence"):
        only(others)
    draft = oeis.draft(only(others[:1]), "Ann")
    assert "%Y A000000 Cf. A000796." in draft and "%K A000000 nonn,base,hard,more" in draft
    assert "when the side of the grid is n and the sequence is A000796." in draft
    draft = oeis.draft(only(others[1:]), "Ann")  # the encyclopedia has a term before the first that is placed
    assert "%Y A000000 Cf. A010872." in draft and "%K A000000 nonn,hard,more" in draft
    assert "when the side of the grid is n and the sequence is A010872 from A010872(1) on." in draft


def test_the_page_names_the_sequences_worth_submitting_and_no_others() -> None:
    """Those of which the encyclopedia would take a draft."""
    page = (Path(__file__).parents[2] / "docs" / "results.md").read_text("utf-8")
    told = {
        tuple(line.split()[2:-2]): int(terms)
        for line, terms in re.findall(r"\| `(quet results [^`]+ --oeis draft\.txt)` \| (\d+) \|", page)
    }
    found = {}
    for game in catalog.ids():
        rows = [one for one in folder.find(None).rows() if one.game == game]
        for one in series(rows):
            if oeis.doubts(one):
                continue
            unusual = {name: f"{name}={one.others[name]}" for name in one.others if one.others != only(rows).others}
            words = (game, *unusual.values(), *(["--lowest"] if one.score == "lowest" else []))
            found[words] = len(one.proven)
    assert told == found
