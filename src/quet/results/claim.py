"""What a certificate claims, so that the table can compare two of them and join the better sides of both.

A claim has two sides, low and high, which hold independently. In a solitaire, a game that reaches the value shows one
side, and the other side rests on grounds. In a game for two players both sides rest on grounds; a table of all
positions is the ground of both. For three and more players both sides are the list of all scores, on the same grounds.
"""

import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import cast

from .. import catalog
from ..certificates import certificate_file, claims, verify
from ..certificates.certificate_file import Certificate, Ground, Json
from ..certificates.limits import USUAL, Limits
from ..core.errors import QuetError
from ..distribution.task import Answer, Task
from ..engine.reasons import with_reasons
from ..game import Game, new_to_solve
from ..solving import certify as certificate
from .row import Row, Value, shown

UNCHECKED = "exhaustive"  # the grounds that no checker can repeat
REPEATED = "minimax"  # the grounds that have nothing but the claim, and the checker searches as a solver does
LARGEST_KEPT = 60_000_000  # bytes of a certificate in the table, packed; larger ones are kept by digest
LARGEST_PLAIN = 16_000  # bytes of a certificate that is kept unpacked, so that people can read its changes
LONGEST_WITNESS = 20_000  # characters of the moves in a row; a puzzle can be rewritten for ever
_SIMPLE = re.compile(r"[a-z0-9]{1,20}", re.ASCII)


class Refused(QuetError):
    """A submission that isn't entered into the table. The message says why."""


@dataclass(frozen=True)
class Claim:
    """A checked certificate, and what in it couldn't be checked and has to be trusted."""

    certificate: Certificate
    trusted: tuple[str, ...] = ()  # what couldn't be checked, as sentences
    trusted_sides: Collection[str] = ()  # the sides that rest on it: low, high, or scores

    @classmethod
    def of(cls, certificate: "Json | Certificate", *, limits: Limits = USUAL, is_known: bool = False) -> "Claim":
        """Check a certificate; raises BadCertificate. One that `is_known` isn't checked again where that takes long."""
        found = verify.check(cast(Json, certificate), reasons=with_reasons, limits=limits, is_known=is_known)
        return cls(cast(Certificate, certificate), tuple(found.trusted), tuple(found.trusted_sides))

    @property
    def score(self) -> str:
        return self.certificate["claim"]["score"]

    @property
    def reached(self) -> str:
        """The side of the claim that is the value of a row; in a solitaire, the side that the witness shows."""
        return "high" if self.score == "lowest" else "low"

    @property
    def other(self) -> str:
        return "low" if self.score == "lowest" else "high"

    @property
    def value(self) -> Value:
        return self._end(self.reached)

    @property
    def bound(self) -> Value:
        return self._end(self.other)

    def _end(self, side: str) -> Value:
        """What is claimed for a side."""
        return self.certificate["claim"]["scores"] if self.score == "scores" else self.end(side)

    def end(self, side: str) -> int:
        """The number claimed for a side, low or high. Scores of three and more players have none."""
        claim = self.certificate["claim"]
        return claim["low"] if side == "low" else claim["high"]

    def ground(self, side: str) -> Ground:
        """The grounds of a side."""
        return next(
            ground for ground in self.certificate["grounds"] if side in ground["for"] or ground["for"] == ["scores"]
        )

    @property
    def is_too_large(self) -> bool:
        """Whether something of it was too large to be checked, which nothing but a check tells."""
        return any(self.ground(side)["kind"] != UNCHECKED for side in self.trusted_sides)

    def is_trusted(self, side: str) -> bool:
        """Whether a side rests on what couldn't be checked."""
        return side in self.trusted_sides or "scores" in self.trusted_sides

    def strength(self, side: str) -> int:
        """How well a side is founded: 3 if it was checked, 2 if the checker had to try all positions of a game for two
        or more, which no second checker does, 1 if two ways found it, else 0.
        """
        if self.is_trusted(side):
            return int(self.ground(side).get("confirmed_by") is not None)
        return 2 if self.ground(side)["kind"] == REPEATED else 3

    @property
    def proof(self) -> str:
        """What the bound rests on, in a few words; for two players what both sides rest on, since no game shows one."""
        sides = (self.reached, self.other) if self.score == "value" else (self.other,)
        words = [self._grounds_of(side) + (" confirmed" if self.strength(side) == 1 else "") for side in sides]
        return " and ".join(dict.fromkeys(words))

    def _grounds_of(self, side: str) -> str:
        """The kind of a side's grounds. What is too large to be checked is no better than a search."""
        return UNCHECKED if self.is_trusted(side) else self.ground(side)["kind"]

    def is_better(self, one: Value, other: Value) -> bool:
        """Whether a score is better. One of two different lists of scores is, since they contradict each other."""
        first, second = ([value] if isinstance(value, int) else value for value in (one, other))
        return first < second if self.score == "lowest" else first > second

    def row(self, finder: str, date: str, before: Row | None, sides: Collection[str]) -> Row:
        """The row of this claim. New sides get `finder` and `date`; the others keep theirs."""
        found = self.certificate
        has_value, has_bound = self.reached in sides, self.other in sides
        return Row(
            game=found["game"],
            parameters={p.name: found["parameters"][p.name] for p in catalog.get(found["game"]).rules.PARAMETERS},
            score=self.score,
            value=self.value,
            bound=self.bound,
            status="proven" if self.value == self.bound else "open",
            proof=self.proof,
            finder=finder if has_value or before is None else before.finder,
            date=date if has_value or before is None else before.date,
            prover=finder if has_bound or before is None else before.prover,
            proof_date=date if has_bound or before is None else before.proof_date,
            certificate=self.name() + (".gz" if self.is_packed else ""),
            witness=" ".join(found["witness"]),
        )

    @property
    def is_packed(self) -> bool:
        """Whether its file is packed."""
        return len(certificate_file.to_bytes(self.certificate)) > LARGEST_PLAIN

    def file(self) -> bytes:
        """The content of its file. Raises Refused if the moves or the content are too long."""
        length = len(" ".join(self.certificate["witness"]))
        if length > LONGEST_WITNESS:
            raise Refused(
                f"The moves of the game have {length} characters; the table keeps those of {LONGEST_WITNESS} at most."
            )
        content = certificate_file.to_bytes(self.certificate)
        content = certificate_file.pack(content) if self.is_packed else content
        if len(content) > LARGEST_KEPT:
            raise Refused(
                f"The certificate has {len(content) / 1e6:.1f} MB even when packed; the table keeps those of "
                f"{LARGEST_KEPT / 1e6:g} MB at most."
            )
        return content

    def name(self) -> str:
        """The name of its file: `up-and-up-12-lowest.json`, or `sequence-ascension-4-sequence-pi.json`."""
        game, parameters = self.certificate["game"], self.certificate["parameters"]
        size, *others = shown(game, parameters)
        words = [game, str(parameters[size])]
        for name in others:
            text = str(parameters[name])
            is_simple = _SIMPLE.fullmatch(text)
            words += [name, text if is_simple else hashlib.sha256(text.encode()).hexdigest()[:12]]
        return "-".join(words + (["lowest"] if self.score == "lowest" else [])) + ".json"


def of_game(game: Game, *, is_lowest: bool) -> Certificate:
    """The certificate that the score of a finished solitaire can be reached. Its bound is what the rules alone say.

    Raises Refused if the game shows no score.
    """
    if game.num_players > 1:
        raise Refused(f"A game of {game.id} doesn't show what it is worth under perfect play; submit a certificate.")
    if game.start:
        raise Refused(f"The game of {game.id} begins with a position on paper, so that its score isn't that of a game.")
    if not game.is_over:
        raise Refused(f"The game of {game.id} isn't over, so that it shows no score.")
    bound = claims.of(game.id).bound(game.state, "low" if is_lowest else "high")
    if bound is None:
        raise Refused(f"The rules of {game.id} alone give no bound; submit a certificate.")
    value = game.scores[0]
    low, high = (bound, value) if is_lowest else (value, bound)
    answer = Answer(low, high, game.numbers, [], 0, "", value=value, is_at_bound=True)
    start = Game(game.entry, game.parameters)
    made = certificate.make(game.id, game.rules, start.state, game.parameters, answer, Task(is_lowest=is_lowest))
    assert made is not None  # a solitaire's score that was reached can always be certified
    return cast(Certificate, made)


def without_trust(claim: Claim) -> Claim:
    """The claim with nothing in it that can't be checked. Raises Refused if nothing is left."""
    if not claim.trusted:
        return claim
    found = claim.certificate
    sides = dict.fromkeys(("low", "high"), claim)
    limits = {}
    for side in [side for side in sides if claim.is_trusted(side)]:
        if claim.score in ("highest", "lowest") and side == claim.reached:
            continue  # its game shows it, whatever grounds it names
        state = new_to_solve(found["game"], **found["parameters"]).state
        limits[side] = claims.of(found["game"]).bound(state, side)
    if None in limits.values() or len(limits) == 2:
        raise Refused(
            f"It rests on what can't be checked here, {' '.join(claim.trusted).removesuffix('.')}; "
            "--trust enters it all the same."
        )
    return _joined(sides, {side: limit for side, limit in limits.items() if limit is not None})


def join(old: Claim, newer: Claim, sides: Collection[str]) -> Claim:
    """The claim with these sides of the newer claim and the others of the old one. Raises Refused if there is none."""
    if len(sides) == 2 or newer.ground("low")["kind"] in ("table", REPEATED):
        return newer  # these prove both sides at once, and have a game of their own
    return _joined({side: newer if side in sides else old for side in ("low", "high")}, {})


def _joined(sides: Mapping[str, Claim], limits: Mapping[str, int]) -> Claim:
    """A claim made of the sides of several claims; `limits` are sides for which the rules alone give a number."""
    ends = {side: limits.get(side, one.end(side)) for side, one in sides.items()}
    grounds: list[Ground] = []
    for side, one in sides.items():
        ground = one.ground(side).copy()
        if one.score != "value" and side == one.reached:
            ground = {"for": [], "kind": "witness"}
        elif side in limits:
            ground = {"for": [], "kind": "bound"}
        ground["for"] = [side]
        grounds.append(ground)
    about = sides["low"]
    witness = sides[about.reached].certificate["witness"]
    if about.score == "value":
        whole = [one.certificate["witness"] for one in sides.values() if one.value == one.bound == ends["low"]]
        is_proven = ends["low"] == ends["high"]
        if is_proven and not whole:
            raise Refused("With what the table has this proves the value; submit a certificate of both, with a game.")
        witness = whole[-1] if is_proven else []  # that of whoever found the bound: see Row.keeps_value
    joined = about.certificate.copy()
    joined["claim"] = {"score": about.score, "low": ends["low"], "high": ends["high"], "best_moves": None}
    joined["witness"], joined["grounds"] = witness, grounds
    joined["digest"] = verify.digest(joined)
    return Claim.of(joined, is_known=not any(one.is_too_large for one in sides.values()))
