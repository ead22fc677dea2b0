"""The checker whose core is proven in Coq agrees with `quet verify`, on certificates and on changed ones."""

import base64
import gzip
import json
import random
import re
import subprocess
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import quet
import rules_in_coq
import second_checker
from certified import all_tried, reached, resealed, searched
from quet.certificates import certificate_file, verify
from quet.cli.main import main
from quet.core.errors import BadCertificate
from quet.core.sequences import NAMED
from quet.games.sequence_ascension.claims import clauses
from quet.results.claim import of_game


@pytest.fixture(autouse=True)
def _program() -> None:
    if not rules_in_coq.is_built(second_checker.PROGRAM):
        pytest.skip("the checker that Coq extracts isn't built; make checker builds it")


@pytest.mark.parametrize(
    ("most", "largest_m", "verified"), [(2_000, 8, 80), pytest.param(7_000, 16, 120, marks=pytest.mark.long)]
)
def test_two_checkers_agree_on_certificates(most: int, largest_m: int, verified: int) -> None:
    counts = second_checker.compare(second_checker.originals(most, largest_m))
    assert counts["verified"] >= verified
    assert not counts["refuted"]


def test_two_checkers_agree_on_changed_certificates() -> None:
    counts = second_checker.compare(second_checker.mutants(400, 3_000, 12))
    assert counts["refuted"] > 200


@pytest.mark.long
def test_two_checkers_agree_where_two_things_were_changed() -> None:
    """A witness that loses value and wins it back, and a table whose claim says less without a witness."""
    generator = random.Random(1)
    made = second_checker.originals(2_000, 2)
    by_chance = (
        "blob",
        "convoluted-coprimality",
        "palindromes",
        "plusses-minuses",
    )  # games by chance reach what is claimed
    tables = [one for one in made if one["game"] in by_chance and one["grounds"][0]["kind"] in ("table", "minimax")]
    wide = [second_checker.widened(one) for one in tables if "low" in one["claim"]]
    assert second_checker.compare(wide) == {"refuted": len(wide)}
    counts = second_checker.compare([second_checker.strayed(one, generator) for one in tables for _ in range(6)])
    assert counts["refuted"] >= 10
    assert counts["verified"] >= 100


def test_two_checkers_agree_on_claims_about_solitaires() -> None:
    counts = second_checker.compare(second_checker.claims_of_solitaires(1_000))
    assert counts["refuted"] > 300
    assert counts["verified"] > 30


def test_two_checkers_agree_on_pairings_that_break_their_rules() -> None:
    counts = second_checker.compare(second_checker.with_broken_rules(400))
    assert counts["refuted"] > 50
    assert counts["verified"] > 50


@pytest.mark.parametrize(
    ("avoided", "sentence"),
    [
        (1, "The parts must be a list."),
        (["." * 54] * 101, "At most 100 parts can be checked."),
        ([7], "A part must be a row of digits and dots."),
        (["." * 53 + "x"], "A part has digits and dots."),
        (["01"], "A part has a digit or a dot for each square."),
        (["." * 53 + "1"], "A part has both squares of a pair by its rule, or none."),
        (["." * 54], "A part leaves at most 10 pairs free."),
    ],
)
def test_parts_that_make_no_sense_are_refused(avoided: Any, sentence: str, tmp_path: Path) -> None:
    made = second_checker.paired(54)
    pairing, bound = made["grounds"]
    made = resealed(made | {"grounds": [pairing | {"avoided": avoided}, bound]})
    assert told(made, tmp_path) == f"refuted: {sentence}"
    assert second_checker.ours(made) == "refuted"


@pytest.mark.parametrize("sequence", NAMED)
def test_the_second_checker_has_the_sequences_to_the_last_term(sequence: str) -> None:
    """A game on the largest grid is legal, and over at its end, as the path goes by each term's order."""
    game, generator = quet.new("sequence-ascension", n=20, sequence=sequence), random.Random(7)
    while not game.is_over:
        game.play(generator.choice(game.legal_moves))
    assert second_checker.theirs([of_game(game, is_lowest=False)]) == ["verified"]


def test_claims_that_a_game_by_chance_reaches_are_judged_alike() -> None:
    """Of perfect play in Divisors/Multiples: the digest, the witness and the form of such a claim are right."""
    generator = random.Random(0)
    found = [one for one in second_checker.published(7_000) if one["game"] == "divisors-multiples"]
    whole = [one for one in found if one["grounds"][0]["kind"] in ("table", "minimax")]
    made = [second_checker.claimed_by_chance(one, generator) for one in whole for _ in range(5)]
    counts = second_checker.compare(made)
    assert {*counts} == {"refuted", "verified"}
    assert counts["refuted"] > 40


def test_what_was_certified_by_other_rules_is_refused_by_both() -> None:
    one_of_each = {one["game"]: one for one in second_checker.published(7_000)}
    assert one_of_each.keys() == second_checker.CHECKED.keys()
    others = [resealed(one | {"rules": one["rules"] + more}) for one in one_of_each.values() for more in (-1, 1)]
    assert second_checker.compare(others) == {"refuted": len(others)}


def proven(name: str) -> Any:
    """A certificate of Sequence Ascension that rests on the proof of a SAT solver."""
    return certificate_file.read(
        second_checker.ROOT / "results" / "certificates" / f"sequence-ascension-{name}.json.gz"
    )


def with_proof(made: Any, lines: list[str]) -> Any:
    witness, unsat = made["grounds"]
    return resealed(made | {"grounds": [witness, unsat | {"proof": "".join(f"{line}\n" for line in lines)}]})


@pytest.mark.parametrize("name", ["3-sequence-mod3", "3-sequence-pi", "4"])
def test_proofs_of_a_sat_solver_are_verified(name: str) -> None:
    assert second_checker.theirs([proven(name)]) == ["verified"]


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("sequence", [*NAMED, "3,-1,-1,-20,0,3,7,7,7,-1,100,100,0,-20,5,5,5"])
def test_the_clauses_in_coq_are_those_of_the_claims(n: int, sequence: str) -> None:
    game, generator = quet.new("sequence-ascension", n=n, sequence=sequence), random.Random(n)
    scores = range(1, n * n + 1) if n < 4 else generator.sample(range(1, n * n + 1), 4)
    for score in scores:
        ours = Counter(tuple(sorted(clause)) for clause in clauses(game.state, score))
        assert rules_in_coq.clauses(n, sequence, score) == ours


@pytest.mark.long
def test_changed_proofs_of_a_sat_solver_are_judged_alike() -> None:
    made, generator = proven("3-sequence-pi"), random.Random(4)
    proof = made["grounds"][1]["proof"].splitlines()
    added = [number for number, line in enumerate(proof) if line[0] != "d"]
    changed = []
    for number in generator.sample(added, 8):
        before, line, after = proof[:number], proof[number], proof[number + 1 :]
        words = line.split()
        opposite = " ".join([str(-int(words[0])), *words[1:]])
        others = [
            [],
            [line, line],
            [opposite],
            [" ".join(words[1:])],
            [f"{words[0]} {line}"],
            [f"d {line}"],
            [f"-{line}"],
        ]
        changed += [[*before, *other, *after] for other in others]
    last = proof[-1]
    assert last == "0"
    ends = [[], ["0", "0"], ["1 0"], ["d 0"], ["d", "0"], ["dd 1 0", "0"], ["", "0"], ["1", "0"], ["1 0 0", "0"]]
    ends += [["-0"], ["00"], ["+0"], [" 0"], ["0 "], ["0\r"], ["d  1 0", "0"], ["0x1 0", "0"]]
    changed += [[*proof[:-1], *end] for end in ends]
    changed += [[], ["0"], ["x"], ["9" * 30 + " 0", "0"], ["5000 0", "0"], ["d 5000 0", *proof], ["d 1 2 3 0", *proof]]
    counts = second_checker.compare([with_proof(made, lines) for lines in changed])
    assert counts["refuted"] > 40
    assert counts["verified"] > 3  # not every step is needed


def test_what_is_no_clause_or_is_not_there_is_refused_in_every_way() -> None:
    """By `quet verify`, which finds reasons first, by the library without reasons, and by the second checker."""
    made = proven("3-sequence-pi")
    proof = made["grounds"][1]["proof"].splitlines()
    lines = ["1 -1 0", "d 1 -1 0", "1 1 0", "d 0", "d 1 2 3 0"]
    changed = [with_proof(made, [line, *proof]) for line in lines]
    ends = [[*proof, "1 0"], proof[:-1], [*proof[:-1], "1 -1 0", "0"]]
    changed += [with_proof(made, lines) for lines in ends]
    line = next(line for line in reversed(proof[:-1]) if line[0] != "d")
    again = [f"{line} ", f" {line}", line.replace(" 0", "  0"), line.replace(" 0", " -0"), line.replace(" 0", " 00")]
    again += [re.sub("([0-9])", other, line, count=1) for other in (r"0\1", r"0_\1", r"+\1")]
    changed += [with_proof(made, [*proof[:-1], line, "0"]) for line in again]
    assert second_checker.compare(changed) == {"refuted": len(changed)}
    for one in changed:
        with pytest.raises(BadCertificate):
            verify.check(one)


def test_a_proof_shows_no_more_than_it_says() -> None:
    """The proof of another sequence, and that of a higher score for what a worse game reaches."""
    made = proven("3-sequence-pi")
    generator, claimed = random.Random(2), list[Any]()
    while len(claimed) < 4:
        game = quet.new("sequence-ascension", n=3, sequence="pi")
        while not game.is_over:
            game.play(generator.choice(game.legal_moves))
        low = game.scores[0]
        if low < made["claim"]["high"]:
            claim = made["claim"] | {"low": low, "high": low}
            claimed.append(resealed(of_game(game, is_lowest=False) | {"claim": claim, "grounds": made["grounds"]}))
    other = proven("3-sequence-mod3")
    claimed.append(resealed(made | {"grounds": other["grounds"]}))
    assert {*second_checker.compare(claimed)} == {"refuted"}
    same = resealed(made | {"parameters": made["parameters"] | {"sequence": "3,-1,4,-1,5,9,2,7,5"}})  # in their order
    assert {*second_checker.compare([same])} == {"verified"}


def test_spoiled_replies_are_refuted_by_both() -> None:
    made: Any = certificate_file.read(second_checker.ROOT / "results" / "certificates" / "palindromes-10.json")
    strategy, other = made["grounds"]
    packed = base64.b64decode(strategy["replies"])
    content = zlib.decompress(packed)
    contents = [
        packed[:-1],
        packed[:-4] + bytes([packed[-4] ^ 1]) + packed[-3:],  # another checksum
        packed + b"0",
        b"0" + packed[1:],
        *map(zlib.compress, (content[:-1], content + b"\0", content + b"\xff", b"\xff\0" + content[1:], b"")),
    ]
    replies = [base64.b64encode(content).decode() for content in contents]
    texts = [*replies, strategy["replies"][:-1], strategy["replies"] + "A", "?" + strategy["replies"][1:]]
    spoiled = [resealed(made | {"grounds": [strategy | {"replies": text}, other]}) for text in texts]
    again = made | {"grounds": [strategy | {"replies": base64.b64encode(zlib.compress(content, 1)).decode()}, other]}
    assert second_checker.theirs([resealed(again), *spoiled]) == ["verified", *["refuted"] * len(spoiled)]
    assert [second_checker.ours(one) for one in spoiled] == ["refuted"] * len(spoiled)


def test_the_second_checker_has_the_exit_statuses_of_verify(tmp_path: Path) -> None:
    good = second_checker.paired(4)
    false = resealed(good | {"claim": good["claim"] | {"high": -3}})
    statuses = []
    for number, made in enumerate((good, false, searched(reached(6, is_lowest=True), 5))):
        (tmp_path / f"{number}.json").write_text(json.dumps(made))
        statuses.append(subprocess.run([second_checker.PROGRAM, tmp_path / f"{number}.json"], check=False).returncode)
    for path in (tmp_path / "none.json", tmp_path):  # it isn't there, or is a folder
        done = subprocess.run([second_checker.PROGRAM, path], check=False, capture_output=True, text=True)
        assert (done.stdout, done.stderr.count("\n"), str(path) in done.stderr) == ("", 1, True)
        statuses.append(done.returncode)
    assert statuses == [0, 1, 3, 2, 2]


def test_standard_input_is_one_certificate_or_one_in_each_line() -> None:
    good = second_checker.paired(4)
    false, trusted = (
        resealed(good | {"claim": good["claim"] | {"high": -3}}),
        searched(reached(6, is_lowest=True), 5),
    )

    def told_of(content: str, *words: str) -> tuple[int, list[str]]:
        done = subprocess.run(
            [second_checker.PROGRAM, *words], input=content, check=False, capture_output=True, text=True
        )
        return done.returncode, [line.removeprefix("-: ").split(":")[0] for line in done.stdout.splitlines()]

    for made, told in (
        (good, (0, ["verified"])),
        (false, (1, ["refuted"])),
        (trusted, (3, ["unchecked"])),
    ):
        assert told_of(json.dumps(made, indent=1), "-") == told_of(json.dumps(made), "--lines") == told
    lines = "".join(f"{json.dumps(made)}\n" for made in (good, trusted, false))
    assert told_of(lines, "--lines") == (1, ["verified", "unchecked", "refuted"])
    assert told_of(lines, "-") == (1, ["refuted"])
    assert told_of("", "--lines") == (0, [])


def verdicts(path: Path) -> tuple[int, int]:
    """The exit statuses of `quet verify` and of the second checker."""
    done = subprocess.run([second_checker.PROGRAM, path], check=False, capture_output=True)
    return main(["verify", str(path)]), done.returncode


def test_packed_files_are_read_alike(tmp_path: Path) -> None:
    """As gzip packs them with a name, an extra field, a comment and a checksum of these; and damaged."""
    plain, path = json.dumps(second_checker.paired(4)).encode(), tmp_path / "a.json.gz"
    packed = certificate_file.pack(plain)
    body = packed[10:]

    def headed(flags: int, fields: bytes) -> bytes:
        return b"\x1f\x8b\x08" + bytes([flags]) + bytes(6) + fields + body

    named = headed(28, b"\x03\0abcname\0comment\0")
    head = named[: -len(body)].replace(b"\x08\x1c", b"\x08\x1e", 1)
    checked = head + (zlib.crc32(head) & 0xFFFF).to_bytes(2, "little") + body
    stored = zlib.compressobj(0, zlib.DEFLATED, 31)
    good = [packed, named, checked, headed(1, b""), stored.compress(plain) + stored.flush()]
    bad = [
        packed + certificate_file.pack(b""),
        packed + bytes(10),
        packed[:-1],
        packed[:12],
        packed[:2],
        packed[:-1] + b"\1",  # another length
        packed[:-5] + bytes([packed[-5] ^ 1]) + packed[-4:],  # another checksum
        packed[:2] + b"\7" + packed[3:],
        headed(32, b""),
        head + b"\0\0" + body,
    ]
    for content in (*good, *bad):
        path.write_bytes(content)
        assert verdicts(path) == ((0, 0) if content in good else (1, 1)), content[:40]


@pytest.mark.long
def test_a_file_has_the_same_limits_for_both(tmp_path: Path) -> None:
    """Blanks, which are packed to little: 260 MB, and more than 350 MB."""
    plain, path = json.dumps(second_checker.paired(4)).encode(), tmp_path / "a.json.gz"
    statuses = []
    for blanks in (260_000_000, 350_000_000):
        with gzip.open(path, "wb", compresslevel=1) as file:
            file.write(plain)
            for _ in range(blanks // 1_000_000):
                file.write(b" " * 1_000_000)
        statuses.append(verdicts(path))
    assert statuses == [(0, 0), (1, 1)]


def test_a_witness_has_at_most_ten_thousand_moves() -> None:
    """In a sums grid, where a number may be changed for ever."""
    game = quet.new("sums-grid", n=1)
    for move in ("a1=1", "done"):
        game.play(move)
    claim = {"score": "highest", "low": 1, "high": 1, "best_moves": None}
    grounds = [{"for": ["low"], "kind": "witness"}, {"for": ["high"], "kind": "bound"}]
    short = of_game(game, is_lowest=False) | {"claim": claim, "grounds": grounds}
    changes = ["a1=2", "a1=1"] * 5_000
    lines = [["a1=1", "a1=", *changes[3:], "done"], [*changes, "done"]]
    assert [len(line) for line in lines] == [10_000, 10_001]
    made = [resealed(short | {"witness": line}) for line in lines]
    assert [second_checker.ours(one) for one in made] == second_checker.theirs(made) == ["verified", "refuted"]


def test_values_are_no_larger_than_any_game_reaches() -> None:
    made: Any = certificate_file.read(second_checker.ROOT / "results" / "certificates" / "divisors-multiples-5.json")
    ground = {"for": ["low", "high"], "kind": "exhaustive", "method": "a search", "positions": 9, "confirmed_by": None}
    claim = made["claim"] | {"best_moves": None}
    changed = [
        resealed(made | {"claim": claim | {"low": -value, "high": value}, "witness": [], "grounds": [ground]})
        for value in (10**12, 10**12 + 1)
    ]
    assert [second_checker.ours(one) for one in changed] == second_checker.theirs(changed) == ["unchecked", "refuted"]


@pytest.mark.parametrize("key", ["method", "confirmed_by"])
def test_what_searches_are_called_can_be_printed(key: str) -> None:
    made: Any = searched(reached(6, is_lowest=True), 5)
    odd = [
        "\t",
        "\x7f",
        "\x85",
        "\xa0",
        "\u0378",
        "\u202e",
        "\ue000",
        "\ufeff",
        "\U000e0001",
        "ż",
        "数",
        "𝔸",
    ]  # \u0378: unassigned
    for text in ["", *(f"a {one} b" for one in odd), "from a blank to ~"]:
        grounds = [ground | ({key: text} if ground["kind"] == "exhaustive" else {}) for ground in made["grounds"]]
        one = resealed(made | {"grounds": grounds})
        wanted = "unchecked" if text.startswith("from") else "refuted"
        assert second_checker.theirs([one]) == [second_checker.ours(one)] == [wanted], ascii(text)


def judged(cnf: Path, lrat: Path) -> str:
    done = subprocess.run(
        [second_checker.PROGRAM, "--cnf", cnf, "--lrat", lrat], check=False, capture_output=True, text=True
    )
    if done.returncode == 2:
        assert done.stderr.startswith("quet-check: ") and done.stderr.endswith(".\n") and not done.stdout
        return "unreadable"
    verdict = done.stdout.partition(":")[0]
    assert done.returncode == {"verified": 0, "refuted": 1, "unchecked": 3}[verdict]
    return verdict


def test_proofs_of_a_sat_solver_are_checked_as_lrat(tmp_path: Path) -> None:
    """As published, and without each of some steps, reasons and clauses in turn."""
    file = second_checker.ROOT / "results" / "certificates" / "sequence-ascension-3-sequence-pi.json.gz"
    cnf, lrat, spoiled = tmp_path / "a.cnf", tmp_path / "a.lrat", tmp_path / "spoiled"
    assert main(["verify", str(file), "--cnf", str(cnf), "--lrat", str(lrat)]) == 0
    assert judged(cnf, lrat) == "verified"
    steps = lrat.read_text().splitlines()
    added = [number for number, line in enumerate(steps) if " d " not in line]
    for number in added[:: len(added) // 20]:
        name, *others = steps[number].split(" 0")
        for line in ([], [f"{name} 0 0"], [f"{name} 0{others[0].rpartition(' ')[0]} 0"]):
            spoiled.write_text("\n".join([*steps[:number], *line, *steps[number + 1 :]]))
            assert judged(cnf, spoiled) == "refuted"
    clauses = cnf.read_text().splitlines()
    used = {word for line in steps if " d " not in line for word in line.split(" 0 ")[-1].split()[:-1]}
    for number in sorted(map(int, used))[:5]:
        spoiled.write_text("\n".join([*clauses[:number], "1 -1 0", *clauses[number + 1 :]]))
        assert judged(spoiled, lrat) == "refuted"
    for text in ("x", "1", "1 2 0", "0 1 0 1 0", "-5 1 0 1 0", "9" * 40 + " 0 0", "7 d", "0x7 0 1 0", "900 0 00 0"):
        spoiled.write_text(text)
        assert judged(cnf, spoiled) == "unreadable"
    spoiled.write_text("")
    assert judged(cnf, spoiled) == "refuted"


def test_clauses_and_steps_are_numbers_however_they_stand_on_lines(tmp_path: Path) -> None:
    """What the formats allow: clauses and steps up to their 0, blanks of all kinds, and lines of comment."""
    cnf, lrat = tmp_path / "a.cnf", tmp_path / "a.lrat"
    steps = "5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n"
    clauses = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"
    written = [
        clauses,
        clauses.replace("\n", "\r\n"),
        "c a comment\n  p cnf 2 4\n1 2 0 1 -2 0\n-1\nc 7 0\n2 0\t-1  -2 0".replace("  p", "p"),
        "1 2\n0 1 -2 0 -1 2\n\n0\n-1 -2\n0\n",
    ]
    for text in written:
        cnf.write_bytes(text.encode())
        for proof in (steps, steps.replace("\n", "\r\n"), "c why\n" + steps.replace(" 0 5 3", " 0\n5\t3")):
            lrat.write_bytes(proof.encode())
            assert judged(cnf, lrat) == "verified"
    for text in ("1 2 0 -1", "1 2 x 0", "1 0x2 0", "%\n0\n", "1 2_0 0"):
        cnf.write_text(text)
        assert judged(cnf, lrat) == "unreadable"
    cnf.write_text("1 2 0 1 -2 0 -1 2 0")
    assert judged(cnf, lrat) == "refuted"
    cnf.write_text(clauses)
    lrat.write_text("5 1 0 -1 2 0\n6 0 5 3 4 0\n")  # a RAT step
    assert judged(cnf, lrat) == "unchecked"


def told(made: Any, tmp_path: Path) -> str:
    """What the second checker says of a certificate."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps(made))
    done = subprocess.run([second_checker.PROGRAM, path], check=False, capture_output=True, text=True)
    return done.stdout.removeprefix(f"{path}: ").rstrip("\n")


def test_a_table_has_at_most_a_million_values(tmp_path: Path) -> None:
    made: Any = certificate_file.read(second_checker.ROOT / "results" / "certificates" / "palindromes-4.json")
    (table,) = made["grounds"]
    long = [
        resealed(made | {"grounds": [table | {"values": table["values"] * (count // len(table["values"]))}]})
        for count in (1_000_000, 1_000_100)
    ]
    assert told(long[0], tmp_path) == "refuted: The table has more values than the game has positions."
    assert told(long[1], tmp_path) == "refuted: A table has from one to a million values."


@pytest.mark.parametrize(("r", "players"), [(28, 2), (27, 3), (26, 4)])
def test_all_sets_of_taken_numbers_need_room(r: int, players: int, tmp_path: Path) -> None:
    made = all_tried("divisors-multiples", r=r, players=players)
    assert told(made, tmp_path) == "unchecked: There are too many sets of taken numbers for the memory."


def test_no_long_games_of_up_and_up_are_looked_for(tmp_path: Path) -> None:
    generator = random.Random(0)
    while True:
        game = quet.new("up-and-up", n=8)
        while not game.is_over:
            game.play(generator.choice(game.legal_moves))
        if game.scores[0] == 25:
            break
    made: Any = of_game(game, is_lowest=True)
    grounds = [{"for": ["high"], "kind": "witness"}, {"for": ["low"], "kind": "tried"}]
    claim = made["claim"] | {"low": 25}
    assert told(resealed(made | {"claim": claim, "grounds": grounds}), tmp_path) == "unchecked: It rests on: tried."


@pytest.mark.parametrize(
    ("digits", "verdict"), [(1_000, "verified"), (1_001, "unchecked: A term of the sequence has too many digits.")]
)
@pytest.mark.parametrize("sign", ["", "-"])
def test_terms_have_at_most_a_thousand_digits(sign: str, digits: int, verdict: str, tmp_path: Path) -> None:
    terms = f"1,2,{sign}{'9' * digits},4"
    game = quet.new("sequence-ascension", n=2, sequence=terms)
    while not game.is_over:
        game.play(game.legal_moves[0])
    assert told(of_game(game, is_lowest=False), tmp_path) == verdict


def test_clauses_are_made_for_grids_of_at_most_7(tmp_path: Path) -> None:
    verdicts = []
    for n in (7, 8):
        made: Any = certificate_file.read(
            second_checker.ROOT / "results" / "certificates" / f"sequence-ascension-{n}.json"
        )
        grounds = [{"for": ["low"], "kind": "witness"}, {"for": ["high"], "kind": "unsat", "proof": "0\n"}]
        claim = made["claim"] | {"high": n * n - 1}
        verdicts.append(told(resealed(made | {"claim": claim, "grounds": grounds}), tmp_path))
    assert verdicts == [
        "refuted: Line 1 of the proof doesn't follow from those before.",
        "unchecked: It rests on: unsat.",
    ]
