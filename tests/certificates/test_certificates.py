"""Certificates hold as they are written, and not when anything in them is changed."""

import copy
import dataclasses
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import quet
from conftest import check_games
from quet import catalog
from quet.certificates import aims, certificate_file, check_minimax, claims, verify
from quet.core.errors import BadCertificate, BrokenRules
from quet.distribution.task import Task
from quet.solving import certify as certificate
from quet.solving.ask import answer

ROOT = Path(__file__).parents[2]
CLAIMS: list[tuple[str, dict[str, Any], bool]] = [
    ("blob", {"n": 3}, False),
    ("convoluted-coprimality", {"n": 4, "grids": 2}, False),
    ("convoluted-coprimality", {"n": 2, "players": 3}, False),
    ("divisors-multiples", {"r": 4}, False),
    ("divisors-multiples", {"r": 3, "players": 4}, False),
    ("palindromes", {"m": 5}, False),
    ("blob", {"n": 5}, False),
    ("palindromes", {"m": 11}, False),
    ("plusses-minuses", {"n": 2, "second_part_first": 2}, False),
    ("sequence-ascension", {"n": 2}, False),
    ("sequence-ascension", {"n": 2, "sequence": "3,1,2,2"}, True),
    ("sequence-ascension", {"n": 3}, True),
    ("sums-grid", {"n": 2}, False),
    ("sums-grid", {"n": 4}, True),
    ("up-and-up", {"n": 3}, True),
    ("up-and-up", {"n": 6}, False),
    ("up-and-up", {"n": 7}, True),
]


def made(id: str, parameters: dict[str, Any], is_lowest: bool) -> dict[str, Any]:
    game = quet.new(id, **parameters)
    task = Task(is_lowest=is_lowest, seconds=120)
    found = answer(game.entry, game.state, task)
    whole = certificate.make(id, game.rules, game.state, game.parameters, found, task)
    assert whole is not None
    read: dict[str, Any] = json.loads(json.dumps(whole))
    return read


def of_three_by_three() -> dict[str, Any]:
    """The certificate of the sums grid of 3 from the table of results: solving it takes longer than reading it."""
    read: dict[str, Any] = json.loads((ROOT / "results" / "certificates" / "sums-grid-3.json").read_text())
    return read


@pytest.fixture(scope="module")
def certificates() -> list[dict[str, Any]]:
    """A certificate of each claim. Where no small table exists, it rests on other grounds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certificate, "MOST_POSITIONS", 2_000)
        return [made(*claim) for claim in CLAIMS]


@pytest.fixture
def _no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "MOST_POSITIONS", 1)


def resealed(changed: dict[str, Any]) -> dict[str, Any]:
    return changed | {"digest": verify.digest(changed)}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every number, text, null and container in a JSON value but the whole."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def replacements(value: Any) -> list[Any]:
    """Other values than this one, of its type and of others."""
    if type(value) is int:
        return [value + 1, value - 1, str(value), None, True, float(value)]
    if isinstance(value, str):
        return [value + "x", value[:-1], 7, None]
    return [7, "x", [], {}, None if value is not None else "x"] if value not in ([], {}) else [7]


def changes(whole: dict[str, Any]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Certificates in which one place holds something else, or is missing."""
    for path in places(whole):
        for other in [*replacements(at(whole, path)), "missing"]:
            changed = copy.deepcopy(whole)
            parent = at(changed, path[:-1])
            if other == "missing":
                del parent[path[-1]]
            else:
                parent[path[-1]] = other
            if repr(changed) != repr(whole):
                yield path, changed


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def test_every_certificate_holds_and_every_kind_of_grounds_is_there(certificates: list[dict[str, Any]]) -> None:
    kinds = set()
    for whole in certificates:
        found = verify.check(whole)
        assert found.checked
        kinds |= {ground["kind"] for ground in whole["grounds"]}
        assert bool(found.trusted) == any(ground["kind"] == "exhaustive" for ground in whole["grounds"])
    assert kinds == {"witness", "bound", "table", "exhaustive", "minimax", "tried"}


@pytest.mark.long
def test_no_change_of_any_field_is_accepted(certificates: list[dict[str, Any]]) -> None:
    num_changes = 0
    for whole in [*certificates, of_three_by_three()]:
        for path, changed in changes(whole):
            with pytest.raises(BadCertificate) as caught:
                verify.check(changed)
                pytest.fail(f"{whole['game']}: {path} may be changed")
            assert " fail: " not in caught.value.sentence
            num_changes += 1
    assert num_changes > 10_000


def may_hold(path: tuple[Any, ...], changed: dict[str, Any]) -> bool:
    """Whether a change with a new digest may make another true claim, or one that rests on an exhaustive search."""
    if path[-1] in ("method", "positions", "confirmed_by", "digest") or path[0] == "witness":
        return True  # another game that reaches the same would do as well
    if path == ("claim", "best_moves") and changed["claim"].get("best_moves", 0) is None:
        return True  # claims less
    if path == ("parameters", "grids"):
        return True  # where nobody can hold out to the end of the first grid, more grids change nothing
    grounds = changed.get("grounds")
    low = changed["claim"].get("low") if path == ("claim", "low") else None
    if type(low) is int and {"for": ["low"], "kind": "tried"} in changed["grounds"]:
        return bool(0 < low < changed["claim"]["high"])  # a bound that is true, and weaker
    if path == ("claim", "high") and {"for": ["high"], "kind": "tried"} in changed["grounds"]:
        return bool(
            changed["claim"].get("high") == 27
        )  # of the sums grid only whether 27 is reached is tried, so: unchecked
    has_search = isinstance(grounds, list) and any("method" in ground for ground in grounds if isinstance(ground, dict))
    return has_search and path[0] in ("parameters", "claim") and path[-1] != "score"


@pytest.mark.long
def test_no_change_is_accepted_even_with_a_new_digest(certificates: list[dict[str, Any]]) -> None:
    for whole in [*certificates, of_three_by_three()]:
        num_values = len(whole["grounds"][0].get("values", []))
        each = 97 if num_values > 300 else 11 if num_values > 150 else 1  # no divisor of the 7 changes of a number
        for number, (path, changed) in enumerate(changes(whole)):
            if path[:3] == ("grounds", 0, "values") and number % each:
                continue  # a part of what a large table allows
            if may_hold(path, changed):
                continue
            with pytest.raises(BadCertificate) as caught:
                verify.check(resealed(changed))
                pytest.fail(f"{whole['game']}: {path} may be changed: {at(changed, path[:-1])}")
            assert caught.value.step in ("file", "game", "claim", "witness", "grounds")
            assert " fail: " not in caught.value.sentence


@pytest.mark.parametrize(
    ("path", "value", "step", "message"),
    [
        (("format",), "quet-record", "file", "The format must be quet-certificate."),
        (("game",), "chess", "game", "There is no game 'chess'."),
        (("rules",), 7, "game", "The rules have version 1 now."),
        (("parameters", "n"), 21, "game", "n must be from 2 to 20, not '21'."),
        (("claim", "low"), 1, "claim", "low is above high."),
        (("claim", "high"), 10**12 + 1, "claim", "Values are from -1000000000000 to 1000000000000."),
        (("claim", "low"), -(10**30), "claim", "Values are from -1000000000000 to 1000000000000."),
        (("claim", "best_moves"), ["a1", "zz"], "claim", "A best move: 'zz' is not a square"),
        (("witness", 1), "c3", "witness", "Move 2 of the witness: c3 is not beside a filled square."),
        (("witness",), ["a1"], "witness", "The game of the witness isn't over."),
        (("grounds", 0, "values", 5), 9, "grounds", "is worth"),
        (("grounds", 0, "values", 5), 10**12 + 1, "grounds", "values are integers, 1000000000000 at most."),
        (("grounds",), [], "grounds", "The grounds must be a list, with at least one in it."),
    ],
    ids=str,
)
def test_the_first_step_that_fails_is_named(path: tuple[Any, ...], value: Any, step: str, message: str) -> None:
    whole = made("blob", {"n": 3}, False)
    at(whole, path[:-1])[path[-1]] = value
    with pytest.raises(BadCertificate) as caught:
        verify.check(resealed(whole))
    assert caught.value.step == step
    assert message in caught.value.sentence


def test_a_false_value_with_a_table_of_the_right_size_is_refused() -> None:
    whole = made("palindromes", {"m": 4}, False)
    table = whole["grounds"][0]["values"]
    for number in range(len(table)):
        for change in (-2, 2):
            table[number] += change
            with pytest.raises(BadCertificate, match=r"grounds: Position [0-9]+ is worth"):
                verify.check(resealed(whole))
            table[number] -= change
    verify.check(resealed(whole))


def test_a_score_that_is_weaker_than_the_rules_is_refused() -> None:
    whole = of_three_by_three()
    search = {"for": ["high"], "kind": "exhaustive", "method": "a search", "positions": 9, "confirmed_by": None}
    whole["claim"] |= {"high": 28, "best_moves": None}
    whole["grounds"] = [{"for": ["low"], "kind": "witness"}, search]
    with pytest.raises(BadCertificate, match="By the rules alone no score exceeds 27; it claims 28"):
        verify.check(resealed(whole))


@pytest.mark.usefixtures("_no_tables")
def test_grounds_that_know_no_other_game_tell_no_best_moves() -> None:
    whole = made("up-and-up", {"n": 6}, False)  # a full grid, which no score exceeds
    whole["claim"]["best_moves"] = whole["witness"][:1]
    with pytest.raises(BadCertificate, match="grounds: Only a table or a search tells which first moves are the best"):
        verify.check(resealed(whole))


@pytest.mark.usefixtures("_no_tables")
def test_best_moves_that_rest_on_a_search_are_not_called_checked() -> None:
    whole = made("blob", {"n": 4}, False)
    assert whole["claim"]["best_moves"]
    assert any("best first moves" in sentence for sentence in verify.check(whole).trusted)


@pytest.mark.usefixtures("_no_tables")
def test_a_witness_that_does_not_end_or_reach_the_claim_is_refused() -> None:
    whole = made("up-and-up", {"n": 6}, False)
    for claim in ({"low": 35, "high": 36}, {"low": 35, "high": 35}, {"low": 37, "high": 37}):
        changed = copy.deepcopy(whole)
        changed["claim"] |= claim
        with pytest.raises(BadCertificate, match=r"witness: The witness reaches 36"):
            verify.check(resealed(changed))


@pytest.mark.usefixtures("_no_tables")
def test_a_bound_that_is_not_the_rules_own_is_refused() -> None:
    whole = of_three_by_three()
    whole["grounds"][1] = {"for": ["high"], "kind": "bound"}
    with pytest.raises(BadCertificate, match="By the rules alone no score exceeds 27, not 26"):
        verify.check(resealed(whole))


def test_a_table_of_a_puzzle_whose_positions_come_again_is_refused() -> None:
    whole = made("sums-grid", {"n": 1}, False)
    assert [ground["kind"] for ground in whole["grounds"]] != ["table"]
    assert certificate.table("sums-grid", *_started("sums-grid", n=1)) is None
    whole["claim"] |= {"low": 1, "high": 1}
    whole["grounds"] = [{"for": ["low", "high"], "kind": "table", "values": [1, 0, 0]}]
    with pytest.raises(BadCertificate, match="grounds: "):
        verify.check(resealed(whole))


def of_three(id: str, **parameters: int) -> dict[str, Any]:
    return made(id, {**parameters, "players": 3}, False)


@pytest.mark.parametrize(
    ("id", "parameters"),
    [
        ("convoluted-coprimality", {"n": 3, "players": 3}),
        ("convoluted-coprimality", {"n": 7, "players": 4}),
        ("convoluted-coprimality", {"n": 8, "players": 3}),
        ("convoluted-coprimality", {"n": 3, "players": 8, "grids": 2}),
        ("divisors-multiples", {"r": 6, "players": 3}),
        ("divisors-multiples", {"r": 5, "players": 8}),
    ],
    ids=str,
)
def test_the_scores_of_three_and_more_are_in_a_table_that_says_the_same(id: str, parameters: dict[str, int]) -> None:
    whole = made(id, parameters, False)
    assert [ground["kind"] for ground in whole["grounds"]] == ["table"]
    assert verify.check(whole).trusted == []
    game = quet.new(id, **parameters)
    for move in whole["witness"]:
        game.play(move)
    assert list(game.scores) == whole["claim"]["scores"]
    assert verify.check(whole).claim == f"the scores are {', '.join(map(str, game.scores))}"


def test_where_a_table_is_too_large_the_scores_of_three_rest_on_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "MOST_POSITIONS", 10)
    monkeypatch.setattr(check_minimax, "MOST_POSITIONS", 10)
    monkeypatch.setattr("quet.games.divisors_multiples.claims.has_digits", lambda r, players: False)
    for id, parameters in (("convoluted-coprimality", {"n": 4}), ("divisors-multiples", {"r": 7})):
        whole = of_three(id, **parameters)
        assert [ground["kind"] for ground in whole["grounds"]] == ["exhaustive"]
        assert "max-n, of equal moves the best for the next player" in verify.check(whole).trusted[0]
        for number in range(3):
            changed = copy.deepcopy(whole)
            changed["claim"]["scores"][number] += 1
            with pytest.raises(BadCertificate, match="witness: The witness reaches"):
                verify.check(resealed(changed))


def test_a_table_that_breaks_a_tie_in_another_way_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it is right except one choice: among equal moves it takes the one that is worst for the next player."""
    game = quet.new("divisors-multiples", r=6, players=3)
    kind = certificate.table(game.id, game.rules, game.state)

    def unkind_aim(subject: claims.Subject, s: Any, *, is_lowest: bool) -> Any:
        wish = aims.aim(subject, s, is_lowest=is_lowest)

        def unkind(scores: aims.Result) -> Any:
            own, *others = wish(scores)
            return (own, *(-other for other in others))

        return unkind

    monkeypatch.setattr(certificate, "aim", unkind_aim)
    unkind = certificate.table(game.id, game.rules, game.state)
    assert kind is not None
    assert unkind is not None
    assert len(unkind) == len(kind)
    assert unkind != kind
    monkeypatch.undo()
    whole = of_three("divisors-multiples", r=6)
    assert whole["grounds"][0]["values"] == kind
    whole["grounds"][0]["values"] = unkind
    with pytest.raises(BadCertificate, match=r"grounds: Position [0-9]+ is worth [0-9, ]+, not"):
        verify.check(resealed(whole))


def test_a_solver_that_disagrees_with_the_table_gets_no_certificate() -> None:
    game = quet.new("divisors-multiples", r=5, players=3)
    entry = game.entry
    found = answer(entry, game.state, Task())
    assert found.scores is not None
    wrong = dataclasses.replace(found, scores=[found.scores[0] + 1, *found.scores[1:]])
    with pytest.raises(BrokenRules, match="Two ways disagree: "):
        certificate.make(game.id, game.rules, game.state, game.parameters, wrong, Task())


@pytest.mark.parametrize(
    ("path", "value", "step", "message"),
    [
        (("parameters", "players"), 2, "claim", "The claim must have score, low, high and best_moves."),
        (("parameters", "players"), 4, "claim", "scores must be integers, one for each player."),
        (("claim", "score"), "value", "claim", "The score is value with two players, scores with more"),
        (("claim", "scores"), [1, 0], "claim", "scores must be integers, one for each player."),
        (("claim", "scores"), [0, 1, 0.0], "claim", "scores must be integers, one for each player."),
        (("claim", "scores", 0), 1, "witness", "The witness reaches "),
        (("witness",), ["b4"], "witness", "The game of the witness isn't over."),
        (("grounds", 0, "for"), ["low"], "grounds", "Grounds are for scores."),
        (("grounds", 0, "for"), [["scores"]], "grounds", "Grounds are for scores."),
        (("grounds", 0, "kind"), ["table"], "grounds", "The kinds of grounds are "),
        (("grounds", 0), {"for": ["scores"], "kind": "witness"}, "grounds", "A witness shows that a solitaire's score"),
        (("grounds", 0), {"for": ["scores"], "kind": "bound"}, "grounds", "A bound is for low or for high."),
        (("grounds", 0, "values", 0), [0, 1], "grounds", "values are lists of 3 integers, one for each player."),
        (("grounds", 0, "values", 0), 1, "grounds", "values are lists of 3 integers, one for each player."),
        (("grounds", 0, "values", 2, 1), 7, "grounds", "is worth"),
        (("grounds", 0, "values", 2), [-1, -1, -1], "grounds", "is worth"),
    ],
    ids=str,
)
def test_the_first_step_that_fails_is_named_with_three_players(
    path: tuple[Any, ...], value: Any, step: str, message: str
) -> None:
    whole = of_three("convoluted-coprimality", n=4)
    at(whole, path[:-1])[path[-1]] = value
    with pytest.raises(BadCertificate) as caught:
        verify.check(resealed(whole))
    assert caught.value.step == step
    assert message in caught.value.sentence


def _started(id: str, **parameters: int) -> tuple[Any, Any]:
    game = quet.new(id, **parameters)
    return game.rules, game.state


def test_a_packed_certificate_reads_as_it_was_and_not_when_it_is_damaged(
    certificates: list[dict[str, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "packed.json.gz"
    certificate.write(certificates[0], file)
    packed = file.read_bytes()
    assert packed[:2] == b"\x1f\x8b"
    assert verify.verify(file).claim == verify.check(certificates[0]).claim
    certificate.write(certificates[0], file)
    assert file.read_bytes() == packed
    for damaged in (packed[:-1], packed + b"x", packed[:40] + b"\0\0" + packed[42:], packed[:2]):
        file.write_bytes(damaged)
        with pytest.raises(BadCertificate) as caught:
            verify.verify(file)
        assert caught.value.step == "file"


def test_a_small_file_that_unpacks_to_a_huge_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate_file, "LARGEST_FILE", 5_000_000)
    file = tmp_path / "huge.json.gz"
    file.write_bytes(certificate_file.pack(b" " * (certificate_file.LARGEST_FILE + 1)))
    with pytest.raises(BadCertificate, match=f"unpacked it is larger than {certificate_file.LARGEST_FILE / 1e6:g} MB"):
        verify.verify(file)


def test_checking_loads_nothing_but_core_and_the_rules_and_claims_of_the_game(
    certificates: list[dict[str, Any]], tmp_path: Path
) -> None:
    """The checker loads not even NumPy, so no solver can be behind its answer."""
    by_game = {whole["game"]: whole for whole in certificates}
    check_games(by_game, "CLAIMS in tests/certificates/test_certificates.py")
    program = """
import sys
before = set(sys.modules)  # what an environment loads at every start, like setuptools
from quet.certificates.verify import verify
verify(sys.argv[1])
loaded = set(sys.modules) - before
others = {name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names) - {"quet"}
print(*sorted(name for name in loaded if name.startswith("quet.") or name.partition(".")[0] in others))
"""
    for game, whole in by_game.items():
        file = tmp_path / f"{game}.json"
        file.write_text(json.dumps(whole))
        done = subprocess.run([sys.executable, "-c", program, file], capture_output=True, text=True, check=True)
        folder = f"quet.games.{game.replace('-', '_')}"
        rest = [name for name in done.stdout.split() if not name.startswith(("quet.certificates", "quet.core"))]
        own = {
            "divisors-multiples": ["perfect", "perfect_of_two"],
            "palindromes": ["avoiding", "perfect", "planes"],
            "plusses-minuses": ["perfect"],
        }.get(game, [])
        own += ["claims"] if catalog.get(game).claims else []
        assert sorted(rest) == ["quet.games", folder, *(f"{folder}.{part}" for part in sorted([*own, "rules"]))]
