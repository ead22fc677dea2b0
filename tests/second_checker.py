"""Compares the checker that Coq extracts (`checker/quet-check`) with `quet verify` on certificates, changed ones too.

As a program: `python tests/second_checker.py 10000` changes so many, and prints how many were verified, refuted and
unchecked by both.
"""

import base64
import copy
import json
import random
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import broken_rules
import quet
from certified import played, resealed, sealed
from quet.certificates import certificate_file, verify
from quet.certificates.claims import of
from quet.core.errors import BadCertificate
from quet.core.sequences import NAMED
from quet.engine.reasons import with_reasons
from quet.game import new_to_solve
from quet.results.claim import of_game

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / "checker" / "quet-check"
CHECKED = {  # kinds of grounds, by game
    "blob": {"table", "bound", "weak"},
    "convoluted-coprimality": {"table", "minimax"},
    "divisors-multiples": {"table", "weak", "minimax"},
    "palindromes": {"table", "pairing", "avoiding", "bound", "weak"},
    "plusses-minuses": {"table", "mirror", "bound", "weak"},
    "sequence-ascension": {"witness", "bound", "unsat"},
    "sums-grid": {"witness", "bound", "tried"},
    "up-and-up": {"table", "witness", "bound", "tried"},
}
LARGEST_TRIED = 13  # n of Up And Up; `quet verify` tries all games that would be shorter


def published(most: int) -> list[Any]:
    """The certificates of the table of results of at most so many characters, of the games that are checked.

    Without most of those that say only that all positions are to be tried, or all games on a large grid: that takes
    `quet verify` up to half an hour.
    """
    paths = [path for id in CHECKED for path in sorted((ROOT / "results" / "certificates").glob(f"{id}-*"))]
    made: list[Any] = [certificate_file.read(path) for path in paths]
    kept = [one for one in made if not any(_takes_long(one, ground["kind"]) for ground in one["grounds"])]
    return [one for one in kept if len(json.dumps(one)) <= most]


def _takes_long(certificate: Any, kind: str) -> bool:
    if kind == "minimax":
        return certificate["game"] != "divisors-multiples" or not _is_small(certificate)
    return kind == "tried" and bool(certificate["parameters"]["n"] > LARGEST_TRIED)


def paired(m: int) -> dict[str, Any]:
    """A certificate that rests on a pairing for one side, and on the rules for the other."""
    game = quet.new("palindromes", m=m)
    strategy = game.entry.strategy
    assert strategy is not None
    ((value, grounds),) = strategy.find(game.state)
    return _one_side(game, value, grounds)


def _one_side(game: quet.Game, value: int, grounds: dict[str, Any]) -> dict[str, Any]:
    (side,) = grounds["for"]
    other = "low" if side == "high" else "high"
    limit = of(game.id).bound(game.state, other)
    claim = {"score": "value", side: value, other: limit, "best_moves": None}
    return sealed(game, claim, [], [grounds, {"for": [other], "kind": "bound"}])


def with_broken_rules(number: int, seed: int = 0) -> list[Any]:
    """So many claims about short rows of Palindromes, with random pairs and parts, which can often be avoided."""
    generator, made = random.Random(seed), list[Any]()
    while len(made) < number:
        m = generator.randint(5, 10)
        plan = broken_rules.random_plan(m, generator)
        if plan is None:
            continue
        parts = broken_rules.grounds(plan)
        texts = parts["avoided"]
        kept = texts if generator.random() < 0.5 else generator.sample(texts, generator.randrange(len(texts) + 1))
        others = [generator.choice([text, "".join(generator.choice(".01") for _ in text)]) for text in kept]
        avoided = generator.choice([kept, kept, kept, others])
        side, sign = ("low", -1) if m % 2 else ("high", 1)
        value = sign * (plan.limit + generator.choice([0, 0, 0, 0, 0, -2, 2]))
        grounds = {"for": [side], "kind": "avoiding"} | parts | {"avoided": avoided}
        made.append(_one_side(quet.new("palindromes", m=m), value, grounds))
    return made


def halved(certificate: Any) -> dict[str, Any]:
    """What a certificate of two strategies says of `high`, with `low` as the rules alone bound it."""
    game = quet.new(certificate["game"], **certificate["parameters"])
    limit = of(game.id).bound(game.state, "low")
    claim = {"score": "value", "low": limit, "high": certificate["claim"]["high"], "best_moves": None}
    (strategy,) = (ground for ground in certificate["grounds"] if ground["for"] == ["high"])
    return sealed(game, claim, [], [{"for": ["low"], "kind": "bound"}, strategy])


def untold(certificate: Any) -> Any:
    """What a certificate with a table says, without the table: all positions are to be tried."""
    (table,) = certificate["grounds"]
    return resealed(certificate | {"grounds": [{"for": table["for"], "kind": "minimax"}]})


def strayed(certificate: Any, generator: random.Random) -> Any:
    """The certificate with a game played at random as its witness: one that ends with the result claimed."""
    while True:
        game = new_to_solve(certificate["game"], **certificate["parameters"])
        while not game.is_over:
            game.play(generator.choice(game.legal_moves))
        scores, claim = list(game.scores), certificate["claim"]
        if claim["scores"] == scores if "scores" in claim else claim["low"] == scores[0] - scores[1]:
            return resealed(certificate | {"witness": list(game.moves)})


def widened(certificate: Any) -> Any:
    """The certificate of a game for two with a claim that says less, as strategies may, but no table."""
    claim = certificate["claim"] | {"high": certificate["claim"]["high"] + 1, "best_moves": None}
    return resealed(certificate | {"claim": claim, "witness": []})


def claims_of_solitaires(number: int, seed: int = 0) -> list[Any]:
    """So many claims about small solitaires, with a whole game each, and reasons that may be good or not."""
    generator = random.Random(seed)
    return [_claim_of_a_solitaire(generator) for _ in range(number)]


def _claim_of_a_solitaire(generator: random.Random) -> Any:
    game = _played_out(generator)
    score, is_lowest = game.scores[0], generator.random() < 0.5
    limits = [limit for side in ("low", "high") if (limit := of(game.id).bound(game.state, side)) is not None]
    other = generator.choice([score, *limits, *limits, limits[-1] - 1, score - 1, score + 1])
    low, high = (other, score) if is_lowest else (score, other)
    best = generator.choice([None, None, None, game.moves[:1], ["a1"]])
    claim = {"score": "lowest" if is_lowest else "highest", "low": low, "high": high, "best_moves": best}
    search = {"method": "a search", "positions": 9, "confirmed_by": None}
    kinds: dict[str, Any] = {"witness": {}, "bound": {}, "tried": {}, "exhaustive": search}
    reached, better = ("high", "low") if is_lowest else ("low", "high")
    grounds: list[Any] = [
        {"for": [side], "kind": kind} | kinds[kind]
        for side, kind in (
            (reached, generator.choice(["witness"] * 6 + list(kinds))),
            (better, generator.choice(["bound", "bound", "tried", "tried", *kinds])),
        )
    ]
    if generator.random() < 0.2:
        grounds = [{"for": ["low", "high"], "kind": (kind := generator.choice(list(kinds)))} | kinds[kind]]
    return resealed(of_game(game, is_lowest=is_lowest) | {"claim": claim, "grounds": grounds})


def _played_out(generator: random.Random) -> quet.Game:
    """A small solitaire that was played at random to its end, a sums grid often in the best way."""
    id, n = generator.choice(["sequence-ascension", "sums-grid", "up-and-up"]), generator.randint(1, 4)
    if id == "sums-grid":
        best: Any = certificate_file.read(ROOT / "results" / "certificates" / f"sums-grid-{n}.json")
        names = [word.split("=")[0] for word in best["witness"][:-1]]
        values = generator.sample(range(1, n**3 + 1), n * n)
        is_best = generator.random() < 0.5
        return played(
            id,
            " ".join(
                best["witness"] if is_best else [*(f"{s}={k}" for s, k in zip(names, values, strict=True)), "done"]
            ),
            n=n,
        )
    terms = ",".join(str(generator.randint(-12, 12)) for _ in range(25))
    parameters = {"sequence": generator.choice([*NAMED, terms])} if id == "sequence-ascension" else {}
    game = quet.new(id, n=max(n, 2), **parameters)
    while not game.is_over:
        game.play(generator.choice(game.legal_moves))
    return game


def originals(most: int, largest_m: int) -> list[Any]:
    """Certificates of all kinds that the other checker judges, of at most `most` characters."""
    found = published(most)
    small = [one for one in found if len(json.dumps(one)) <= 7_000]
    bounded = [one for one in small if "bound" in CHECKED[one["game"]]]
    strategies = [one for one in bounded if {ground["kind"] for ground in one["grounds"]} & {"weak", "mirror"}]
    tried = [one for one in small if "minimax" in CHECKED[one["game"]] and one["parameters"].get("n", 5) <= 4]
    return [*found, *map(halved, strategies), *map(untold, tried), *(paired(m) for m in range(3, largest_m + 1))]


def claimed_by_chance(certificate: Any, generator: random.Random) -> dict[str, Any]:
    """The certificate with a game played at random as its witness, and with a claim of what that game reaches."""
    game = quet.new(certificate["game"], **certificate["parameters"])
    while not game.is_over:
        stops = [text for text in game.legal_moves if text.endswith("!")]
        game.play(generator.choice(stops if stops and generator.random() < 0.8 else game.legal_moves))
    scores = game.scores
    reached = {"scores": scores} if len(scores) > 2 else dict.fromkeys(("low", "high"), scores[0] - scores[1])
    claim = certificate["claim"] | reached | {"best_moves": None}
    return resealed(certificate | {"claim": claim, "witness": game.moves})


def ours(certificate: Any) -> str:
    """The verdict of `quet verify`."""
    try:
        return verify.check(certificate, reasons=with_reasons).verdict
    except BadCertificate:
        return "refuted"


def theirs(certificates: list[Any]) -> list[str]:
    """The verdicts of the extracted checker."""
    lines = "".join(json.dumps(certificate) + "\n" for certificate in certificates)
    done = subprocess.run([PROGRAM, "--lines"], input=lines, capture_output=True, text=True, check=False, timeout=7200)
    verdicts = [line.split(":")[0] for line in done.stdout.splitlines()]
    worst = next((verdict for verdict in ("refuted", "unchecked") if verdict in verdicts), "verified")
    assert done.returncode == {"verified": 0, "refuted": 1, "unchecked": 3}[worst]
    return verdicts


def differ(certificate: Any, one: str, other: str) -> bool:
    """Whether the verdicts of `quet verify` and of the other checker contradict each other.

    The other checker may leave unchecked what it doesn't know. What it knows, it must judge alike.
    """
    if one == other:
        return False
    return other != "unchecked" or _is_known(certificate)


def _is_known(certificate: Any) -> bool:
    try:
        known = CHECKED[certificate["game"]]
        grounds = certificate["grounds"]
        return all(ground["kind"] in known and _is_proven(certificate, ground) for ground in grounds)
    except (AttributeError, KeyError, TypeError):
        return False


def _is_proven(certificate: Any, ground: Any) -> bool:
    """False for a mirror strategy that isn't one of Theorems 1 and 2, or is one that `quet verify` can't play out.

    And for all positions of a game where they are too many.
    """
    if ground["kind"] != "mirror":
        return ground["kind"] != "minimax" or _is_small(certificate)
    n, first = (certificate["parameters"][name] for name in ("n", "second_part_first"))
    is_low = ground["for"] == ["low"]
    square = (f"a{n}" if first == 1 else None) if is_low else ("a1" if first == 2 else None)
    wanted = ["-", square, 1] if is_low else [None, square, 0]
    given = [ground[key] for key in ("symbol", "square", "shift")]
    return n <= 10 and json.dumps(given) == json.dumps(wanted)  # in which true isn't 1


def _is_small(certificate: Any) -> bool:
    """Whether both checkers try all positions of the game in a second or two, as far as it has such grounds here."""
    given = certificate["parameters"]
    return certificate["game"] != "divisors-multiples" or bool(given["r"] <= 12 and given["players"] <= 4)


def changed(certificate: Any, generator: random.Random) -> Any:
    """The certificate with one change somewhere, mostly with a digest that fits."""
    twin = copy.deepcopy(certificate)
    paths = list(_places(twin))
    replies = [path for path in paths if path[-1] == "replies"]
    path = generator.choice(replies if replies and generator.random() < 0.5 else paths)
    holder = twin
    for key in path[:-1]:
        holder = holder[key]
    key, value = path[-1], holder[path[-1]]
    kind = generator.randrange(6)
    if key == "replies" and kind > 0:
        holder[key] = _other_replies(value, generator)
    elif kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(generator.choice(holder)))
    elif kind == 2 and isinstance(holder, list):
        generator.shuffle(holder)
    else:
        holder[key] = generator.choice(_others(value))
    return resealed(twin) if generator.random() < 0.95 and "digest" in twin else twin


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of everything inside; of a long list only some items, so that other places are changed as well."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for number, (key, inner) in enumerate(items):
        if number < 12 or number % max(1, len(value) // 12) == 0:
            yield (*path, key)
            yield from _places(inner, (*path, key))


def _other_replies(text: str, generator: random.Random) -> str:
    """The replies of a weak solution with one change, in their text or before they were packed."""
    if generator.random() < 0.2:
        at = generator.choice([generator.randrange(len(text)), len(text) - generator.randint(1, min(8, len(text)))])
        return text[:at] + generator.choice(["", "A", "=", "+", "-"]) + text[at + generator.randrange(2) :]
    replies = bytearray(zlib.decompress(base64.b64decode(text)))
    at = generator.choice([generator.randrange(len(replies)), len(replies) - 1])
    kind = generator.randrange(4)
    if kind == 0:
        replies[at : at + 1] = b""
    elif kind == 1:
        replies.insert(at + generator.randrange(2), generator.choice([0, 1, 254, 255]))
    else:
        replies[at] = max(0, replies[at] + generator.choice([-1, 1]))
    return base64.b64encode(zlib.compress(bytes(replies), generator.randrange(10))).decode()


def _others(value: Any) -> list[Any]:
    odd: list[Any] = [None, True, "", "1=0", [], {}, 10**30, -1, "a1", "same", "table", "pairing", "low", "value"]
    if type(value) is int:
        return [value + 1, value - 1, value + 2, -value, value * 2, *odd]
    return odd


def compare(certificates: list[Any]) -> Counter[str]:
    """The verdicts, counted; raises AssertionError where the two checkers contradict each other."""
    counts: Counter[str] = Counter()
    for certificate, other in zip(certificates, theirs(certificates), strict=True):
        one = ours(certificate)
        assert not differ(certificate, one, other), f"{one}, {other}: {json.dumps(certificate)[:3000]}"
        counts[one if one == other else f"{one}, but {other} by the second"] += 1
    return counts


def mutants(number: int, most: int, largest_m: int, seed: int = 0) -> list[Any]:
    """So many changed certificates, made from those of at most `most` characters."""
    generator = random.Random(seed)
    made = [one for one in originals(most, largest_m) if one["parameters"].get("n") != 9]  # half a second to play out
    return [changed(generator.choice(made), generator) for _ in range(number)]


if __name__ == "__main__":
    print(compare(originals(10**7, 24)))
    print(compare(mutants(int(sys.argv[1]), 7_000, 16)))
    print(compare(claims_of_solitaires(int(sys.argv[1]))))
    print(compare(with_broken_rules(int(sys.argv[1]))))
