"""Checks certificates with nothing but the rules and the claims of a game; shares no code with the solvers.

There are three answers. A certificate is verified; or refuted, since something in it is wrong; or unchecked, where all
that can be checked holds, but some of its grounds are a search that no checker can repeat, or too large to check.

A certificate is a JSON file: a game, a claim about it, a game played that reaches it, and the grounds why no game is
better. `docs/solve.md` describes it. It is checked step by step, in this order:

    file       it can be read and is one JSON object with the keys of a certificate
    digest     nothing in it has changed since it was written
    game       there is such a game, its rules have this version, and the parameters are in range
    claim      a lowest and a highest value, or the scores of three or more players, and which first moves keep them
    witness    every move is legal, the game is over, and its score is the one claimed
    grounds    each side of the claim has its reasons, and the reasons hold
"""

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

from ..core.errors import BadCertificate, QuetError, TooLargeToCheck, one_line
from ..core.files import UnwritableFile
from ..core.parameters import read_parameters, to_solve, written
from ..core.quoting import shorten
from ..core.rules import AnyState, started
from ..core.state import copy
from . import check_minimax, check_table, check_tried, check_unsat, check_weak, claims
from .aims import LARGEST_VALUE, Result, is_value, result, told
from .certificate_file import Json, read
from .limits import USUAL, Limits, Meter

FORMAT, VERSION = "quet-certificate", 1
KEYS = ("format", "version", "game", "rules", "parameters", "claim", "witness", "grounds", "digest")
_QUICK = ("witness", "bound", "exhaustive")  # the kinds of grounds whose check takes no time
_IN_ORDER = "best_moves must be in order, each once."
_MOST_MOVES = 10_000  # of a witness: in the sums grid a game can go on for ever
_SCORES = ("value", "highest", "lowest", "scores")


class Verdict(StrEnum):
    """What the checker says of a certificate."""

    VERIFIED = "verified"
    REFUTED = "refuted"  # `verify` raises BadCertificate
    UNCHECKED = "unchecked"  # its grounds can't all be repeated by a checker


@dataclass(frozen=True)
class Verified:
    """A certificate in which nothing is wrong. It is verified if its claim rests on nothing that has to be trusted."""

    game: str
    parameters: Mapping[str, Json]
    claim: str  # as a sentence
    checked: list[str]  # what was checked, as sentences
    trusted: list[str]  # what the claim rests on that can't be checked here, as sentences
    trusted_sides: list[str]  # the sides of the claim that rest on it: low, high, or scores

    @property
    def verdict(self) -> Verdict:
        """VERIFIED or UNCHECKED."""
        return Verdict.UNCHECKED if self.trusted else Verdict.VERIFIED


def verify(
    path: str | os.PathLike[str],
    *,
    export: check_unsat.Export | None = None,
    reasons: check_unsat.Reasons | None = None,
    limits: Limits = USUAL,
) -> Verified:
    """What the certificate in a file proves; raises BadCertificate, which names the first step that fails.

    `export` gets the clauses and the proof of grounds of the kind `unsat`, before they are checked. `reasons` gives the
    reasons of such a proof, so that it is checked faster; they need not be trusted. Grounds that would take
    more than `limits` are left unchecked.
    """
    try:
        return check(read(path), export=export, reasons=reasons, limits=limits)
    except BadCertificate as error:
        raise BadCertificate(error.sentence, file=str(path), step=error.step) from None


def check(
    certificate: Json,
    *,
    export: check_unsat.Export | None = None,
    reasons: check_unsat.Reasons | None = None,
    limits: Limits = USUAL,
    is_known: bool = False,
) -> Verified:
    """What a certificate, as read from JSON, proves; raises BadCertificate. The options are as in `verify`.

    Of one that `is_known` to hold, since it was checked before, grounds that take long aren't checked again.
    """
    return _Check(certificate, export, reasons, limits, is_known).run()


def digest(certificate: Mapping[str, object]) -> str:
    """The SHA-256 of everything in a certificate but the digest itself."""
    rest = {key: value for key, value in certificate.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


@dataclass(frozen=True)
class _Kind:
    """A kind of grounds."""

    keys: Sequence[str]  # those besides `for` and `kind`
    can_be_for: Sequence[list[str]] | None  # lists of sides; None for any
    sentence: str  # what is said of other sides
    check: Callable[[dict[str, Json], Sequence[str]], None]


class _Check:
    """One certificate being checked; `step` is where it is."""

    def __init__(
        self,
        certificate: Json,
        export: check_unsat.Export | None,
        reasons: check_unsat.Reasons | None,
        limits: Limits,
        is_known: bool,
    ) -> None:
        self._step = "file"
        self._export = export
        self._reasons = reasons
        self._meter = Meter(limits)
        self._is_known = is_known
        self._all = self._whole(certificate)
        self._checked: list[str] = []
        self._trusted: list[str] = []
        self._trusted_sides: list[str] = []

    def run(self) -> Verified:
        self._step = "digest"
        self._need(self._all["digest"] == digest(self._all), "Something has changed since it was written.")
        self._step = "game"
        self._subject = self._game(self._all["game"])
        try:
            self._open(self._all["parameters"])
            self._step = "claim"
            self._claim(self._all["claim"])
            self._step = "witness"
            self._witness(self._all["witness"])
            self._step = "grounds"
            self._grounds(self._all["grounds"])
            self._compare_with_the_rules()
        except (BadCertificate, UnwritableFile, MemoryError):  # a full disk or memory refutes nothing
            raise
        except Exception as error:  # the rules and claims of another package can raise anything
            what = one_line(f"{type(error).__name__}: {error}")
            raise BadCertificate(f"The rules or claims of {self._subject.id} fail: {what}.", step="game") from error
        about, claim = (self._subject.id, self._parameters), self._words()
        return Verified(*about, claim, self._checked, self._trusted, self._trusted_sides)

    def _refuse(self, sentence: str) -> NoReturn:
        raise BadCertificate(sentence, step=self._step)

    def _need(self, is_so: bool, sentence: str) -> None:
        if not is_so:
            self._refuse(sentence)

    def _whole(self, certificate: Json) -> dict[str, Json]:
        """The certificate, with the keys that one has."""
        if not isinstance(certificate, dict):
            self._refuse("It must be one JSON object.")
        for key in KEYS:
            self._need(key in certificate, f"It has no {key}.")
        for key in certificate:
            self._need(key in KEYS, f"A certificate has nothing called {shorten(str(key))}.")
        self._need(certificate["format"] == FORMAT, f"The format must be {FORMAT}.")
        self._need(_is(certificate["version"], VERSION), f"The version must be {VERSION}.")
        return certificate

    def _game(self, game: Json) -> claims.Subject:
        if not isinstance(game, str):
            self._refuse("The game must be a name.")
        return claims.of(game)

    def _open(self, given: Json) -> None:
        """Start the game."""
        self._rules = rules = self._subject.rules
        self._need(_is(self._all["rules"], rules.VERSION), f"The rules have version {rules.VERSION} now.")
        if not isinstance(given, dict):
            self._refuse("The parameters must be an object.")
        names = [parameter.name for parameter in rules.PARAMETERS]
        self._need(sorted(given) == sorted(names), f"The parameters must be {' and '.join(names)}.")
        try:
            values = read_parameters(to_solve(rules.PARAMETERS), given, files=False)
        except QuetError as error:
            self._refuse(str(error))
        as_written = written(values)
        self._need(as_written == given, f"The parameters must be written as {shorten(str(as_written), 100)}.")
        self._parameters = given
        self._start = started(rules, values)
        self._num_players = rules.num_players(self._start)
        is_known = self._num_players <= 2 or self._subject.wish is not None
        self._need(is_known, f"The claims of {self._subject.id} don't say what each of three and more players wants.")

    def _claim(self, claim: Json) -> None:
        """Read what is claimed."""
        if not isinstance(claim, dict):
            self._refuse("The claim must be an object.")
        self._sides = ["low", "high"] if self._num_players <= 2 else ["scores"]
        self._need(
            sorted(claim) == sorted([*self._sides, "best_moves", "score"]),
            f"The claim must have score, {', '.join(self._sides)} and best_moves.",
        )
        score = claim["score"]
        if not isinstance(score, str) or score not in _SCORES:
            self._refuse(f"The score must be {', '.join(_SCORES[:-1])} or {_SCORES[-1]}.")
        self._score = score
        self._need(
            (self._score == "value") == (self._num_players == 2)
            and (self._score == "scores") == (self._num_players > 2),
            "The score is value with two players, scores with more, and highest or lowest with one.",
        )
        if self._num_players > 2:
            self._low = self._high = self._scores(claim["scores"])
        else:
            self._low, self._high = self._limits(claim["low"], claim["high"])
        self._best_moves: list[str] | None = None
        if claim["best_moves"] is not None:
            self._best_moves = self._texts(claim["best_moves"], "best_moves must be a list of moves, or null.")
            before = -1
            for text in self._best_moves:
                number = self._legal(self._start, text)
                self._need(number > before, _IN_ORDER)
                before = number
            self._need(before >= 0, _IN_ORDER)

    def _scores(self, scores: Json) -> Result:
        sentence = "scores must be integers, one for each player."
        if not isinstance(scores, list) or len(scores) != self._num_players:
            self._refuse(sentence)
        return tuple(self._value(score, sentence) for score in scores)

    def _limits(self, low: Json, high: Json) -> tuple[Result, Result]:
        """The lowest and the highest value claimed, as results."""
        limits = tuple(self._value(limit, "low and high must be integers.") for limit in (low, high))
        self._need(limits[0] <= limits[1], "low is above high.")
        return limits[:1], limits[1:]

    def _compare_with_the_rules(self) -> None:
        """Refuse a claim that says less than the rules alone: whoever reads it would believe that no more is known."""
        for side, claimed in (("low", self._low), ("high", self._high)) if self._num_players <= 2 else ():
            limit = self._subject.bound(self._start, side)
            if limit is not None:
                is_weaker = claimed[0] < limit if side == "low" else claimed[0] > limit
                beyond = "is below" if side == "low" else "exceeds"
                what = "score" if self._num_players == 1 else "value"
                self._need(not is_weaker, f"By the rules alone no {what} {beyond} {limit}; it claims {told(claimed)}.")

    def _witness(self, witness: Json) -> None:
        """Replay the game that reaches what is claimed."""
        self._line = self._texts(witness, "The witness must be a list of moves.")
        self._need(len(self._line) <= _MOST_MOVES, f"The witness has more than {_MOST_MOVES} moves.")
        if self._num_players == 2 and self._low < self._high:
            is_empty = self._line == [] and self._best_moves is None
            self._need(is_empty, "Where low is below high there is no witness and no best move.")
            return
        s = copy(self._start)
        for number, text in enumerate(self._line, 1):
            self._need(not self._rules.is_over(s), f"The game is over before move {number}.")
            self._rules.play(s, self._legal(s, text, number))
        self._need(self._rules.is_over(s), "The game of the witness isn't over.")
        found = result(self._rules, s)
        wanted = self._high if self._score == "lowest" else self._low
        self._need(found == wanted, f"The witness reaches {told(found)}, not {told(wanted)}.")
        if self._best_moves is not None and self._line:
            is_best = self._line[0] in self._best_moves
            self._need(is_best, "The first move of the witness isn't among the best moves.")
        self._checked.append(f"The game of the witness is legal and reaches {told(found)}.")

    def _grounds(self, grounds: Json) -> None:
        """Check the reasons of each side of the claim: first how they are written, since the rest can take hours."""
        if not isinstance(grounds, list) or not grounds:
            self._refuse("The grounds must be a list, with at least one in it.")
        kinds = self._kinds()
        read = [self._ground(ground, kinds) for ground in grounds]
        each_once = f"{' and '.join(self._sides)} must each have one reason."
        slow = [side for kind, _, sides in read if kind not in _QUICK for side in sides]
        self._need(len(slow) == len(set(slow)), each_once)  # or a short file could be checked for days
        for kind, ground, sides in read:
            if self._is_known and kind not in _QUICK:
                continue
            try:
                kinds[kind].check(ground, sides)
            except TooLargeToCheck as error:
                self._trust(sides, f"by {kind}: {error.sentence}")
        self._need(sorted(side for _, _, sides in read for side in sides) == sorted(self._sides), each_once)
        found = {kind for kind, _, _ in read}
        if self._best_moves is not None:
            tells = bool({"table", "minimax", "exhaustive"} & found)
            self._need(tells, "Only a table or a search tells which first moves are the best.")
            if self._trusted:
                self._trusted.append("That the best first moves are these and no others: by the same search.")

    def _kinds(self) -> dict[str, "_Kind"]:
        """The kinds of grounds that there are for this game."""
        either = [["low"], ["high"]]
        of_two = either if self._num_players == 2 else []
        whole = [self._sides] if self._low == self._high else []
        reached = {"highest": [["low"]], "lowest": [["high"]]}.get(self._score, [])
        best = {"highest": [["high"]], "lowest": [["low"]]}.get(self._score, [])
        highest = best if self._score == "highest" else []
        reaches = "A witness shows that a solitaire's score can be reached, and no more."
        both = "low and high together, which must be equal."
        replies = "A weak solution is of a game for two, and for low or for high."
        none = "Trying all games shows that no score of a solitaire is better."
        kinds = {
            "witness": _Kind([], reached, reaches, self._by_witness),
            "bound": _Kind([], either, "A bound is for low or for high.", self._by_bound),
            "table": _Kind(["values"], whole, f"A table is for {both}", self._by_table),
            "exhaustive": _Kind(["method", "positions", "confirmed_by"], None, "", self._by_search),
            "unsat": _Kind(["proof"], highest, "A refutation shows that no score is higher.", self._by_refutation),
            "weak": _Kind(["replies"], of_two, replies, self._by_weak_solution),
            "minimax": _Kind([], whole, f"Minimax is for {both}", self._by_minimax),
            "tried": _Kind([], best, none, self._by_trying),
        }
        if not isinstance(self._subject.claims, claims.Strategies):
            return kinds
        return {
            kind: _Kind(keys, of_two, f"A {kind} is for low or for high.", self._by_strategy)
            for kind, keys in self._subject.claims.STRATEGIES.items()
        } | kinds

    def _ground(self, ground: Json, kinds: Mapping[str, "_Kind"]) -> tuple[str, dict[str, Json], list[str]]:
        """The kind of one of the grounds, the whole of it, and the sides that it is for."""
        if not isinstance(ground, dict):
            self._refuse("Each of the grounds must be an object.")
        kind = ground.get("kind")
        if not isinstance(kind, str) or kind not in kinds:
            self._refuse(f"The kinds of grounds are {', '.join(kinds)}.")
        sides = [side for side in self._sides if ground.get("for") in ([side], self._sides)]
        self._need(
            bool(sides),
            f"Grounds are for {' or '.join(self._sides)}{', or for both' if len(self._sides) > 1 else ''}.",
        )
        keys = ["for", "kind", *kinds[kind].keys]
        self._need(sorted(ground) == sorted(keys), f"Grounds of the kind {kind} have {' and '.join(keys)}.")
        can_be_for = kinds[kind].can_be_for
        self._need(can_be_for is None or sides in can_be_for, kinds[kind].sentence)
        return kind, ground, sides

    def _by_witness(self, ground: dict[str, Json], sides: Sequence[str]) -> None:
        """Nothing is left to check: the game was played before."""

    def _by_bound(self, ground: dict[str, Json], sides: Sequence[str]) -> None:
        limit = self._subject.bound(self._start, sides[0])
        if limit is None:
            self._refuse("The rules of this game alone give no bound.")
        claimed, beyond = (self._high, "exceeds") if sides == ["high"] else (self._low, "is below")
        what = f"no {'score' if self._num_players == 1 else 'value'} {beyond} {limit}"
        self._need(claimed == (limit,), f"By the rules alone {what}, not {told(claimed)}.")
        self._checked.append(f"By the rules alone {what}.")

    def _by_strategy(self, ground: dict[str, Json], sides: Sequence[str]) -> None:
        """Check a strategy: one of player 1 bounds the value from below, one of player 2 from above."""
        strategies, kind = self._subject.claims, str(ground["kind"])
        assert isinstance(strategies, claims.Strategies)  # or this kind would be unknown
        value, sentence = strategies.guarantee(self._start, ground, sides[0], self._meter.look)
        claimed, word = (self._low, "least") if sides == ["low"] else (self._high, "most")
        self._need(claimed == (value,), f"This {kind} holds the value at {value} at {word}, not {told(claimed)}.")
        self._checked.append(f"A {kind} is a strategy that holds the value at {value} at {word}. {sentence}")

    def _by_refutation(self, ground: dict[str, Json], sides: Sequence[str]) -> None:
        sentence = check_unsat.check(
            self._subject,
            self._start,
            ground["proof"],
            *self._high,
            export=self._export,
            reasons=self._reasons,
            meter=self._meter,
        )
        self._checked.append(sentence)

    def _by_weak_solution(self, ground: dict[str, Json], sides: Sequence[str]) -> None:
        (value,) = self._low if sides == ["low"] else self._high
        self._checked.append(
            check_weak.check(self._subject, self._start, ground["replies"], sides[0], value, meter=self._meter)
        )

    def _by_search(self, ground: dict[str, Json], sides: Sequence[str]) -> None:
        """Note what was done as trusted, since nothing here can repeat it."""
        for key in ("method", "confirmed_by"):
            text = ground[key]
            is_text = isinstance(text, str) and text != "" and text.isascii() and text.isprintable()
            sentence = f"{key} must be a text of printable ASCII characters."
            self._need(is_text or (key == "confirmed_by" and text is None), sentence)
        positions = self._integer(ground["positions"], "positions must be their number.")
        self._need(positions > 0, "positions must be their number.")
        words = f"by exhaustive search: {ground['method']}, {positions} positions"
        second = f"; confirmed by {ground['confirmed_by']}" if ground["confirmed_by"] else "; not confirmed otherwise"
        self._trust(sides, f"{words}{second}.")

    def _trust(self, sides: Sequence[str], reason: str) -> None:
        self._trusted.append(f"{' and '.join(sides)} {reason}")
        self._trusted_sides += sides

    def _by_table(self, ground: dict[str, Json], sides: Sequence[str]) -> None:
        sentence = check_table.check(
            self._subject,
            self._start,
            ground["values"],
            self._low,
            is_lowest=self._score == "lowest",
            best_moves=self._best_moves,
            line=self._line,
            meter=self._meter,
        )
        self._checked.append(sentence)

    def _by_minimax(self, ground: dict[str, Json], sides: Sequence[str]) -> None:
        sentence = check_minimax.check(
            self._subject,
            self._start,
            self._low,
            is_lowest=self._score == "lowest",
            best_moves=self._best_moves,
            meter=self._meter,
        )
        self._checked.append(sentence)

    def _by_trying(self, ground: dict[str, Json], sides: Sequence[str]) -> None:
        (claimed,) = self._high if sides == ["high"] else self._low
        self._checked.append(check_tried.check(self._subject, self._start, claimed, sides[0], meter=self._meter))

    def _legal(self, s: AnyState, text: str, number: int = 0) -> int:
        where = f"move {number} of the witness" if number else "a best move"
        try:
            move = self._rules.read_move(s, text)
        except QuetError as error:
            self._refuse(f"{where.capitalize()}: {one_line(error)}")
        broken = self._rules.broken_rule(s, move)
        self._need(not broken, f"{where.capitalize()}: {broken}")
        self._need(self._rules.move_text(s, move) == text, f"{where.capitalize()} isn't written as it should be.")
        return move

    def _integer(self, value: Json, sentence: str) -> int:
        if type(value) is not int:
            self._refuse(sentence)
        return value

    def _value(self, value: Json, sentence: str) -> int:
        number = self._integer(value, sentence)
        self._need(is_value(number), f"Values are from -{LARGEST_VALUE} to {LARGEST_VALUE}.")
        return number

    def _texts(self, value: Json, sentence: str) -> list[str]:
        texts = [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
        self._need(texts == value, sentence)
        return texts

    def _words(self) -> str:
        low, high = told(self._low), told(self._high)
        if self._score == "scores":
            return f"the scores are {low}"
        what = f"the {self._score} is" if self._score == "value" else f"the {self._score} score is"
        return f"{what} {low}" if low == high else f"{what} from {low} to {high}"


def _is(value: object, number: int) -> bool:
    return type(value) is int and value == number
