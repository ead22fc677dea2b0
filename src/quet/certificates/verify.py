"""Checks certificates with nothing but the rules; shares no code with the solvers.

A certificate is a JSON file: a game, what is claimed of it, a game that reaches it, and the grounds on which nothing
better can be. `docs/solve.md` describes it. Checked step by step, in this order:

    file       it can be read and is one JSON object with the keys of a certificate
    digest     nothing in it has changed since it was written
    game       there is such a game, its rules have this version, and the parameters are in range
    claim      a lowest and a highest value, or the scores of three and more players, and which first moves keep them
    witness    every move is legal, the game is over, and its score is the one claimed
    grounds    each side of the claim has its reasons, and the reasons hold
"""

import hashlib
import importlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..core.errors import BadCertificate, QuetError, one_line
from ..core.grid import shorten
from ..core.parameters import read_parameters, to_solve, written
from ..core.state import copy
from . import check_mirror, check_pairing, check_table, check_unsat
from .aims import WISHES, as_result, result, told
from .bounds import bound as bound
from .certificate_file import read

FORMAT, VERSION = "quet-certificate", 1
KEYS = ("format", "version", "game", "rules", "parameters", "claim", "witness", "grounds", "digest")
_NAME = re.compile(r"[a-z]+(-[a-z]+)*", re.ASCII)
_SCORES = ("value", "highest", "lowest", "scores")
_STRATEGIES: dict[str, tuple[str, Any, tuple[str, ...]]] = {  # the game, who checks it, and what it has
    "pairing": ("palindromes", check_pairing, ("first", "pairs")),
    "mirror": ("plusses-minuses", check_mirror, ("symbol", "square", "shift")),
}


@dataclass(frozen=True)
class Verified:
    """A certificate that holds."""

    game: str
    parameters: dict[str, Any]
    claim: str  # as a sentence
    checked: list[str]  # what was checked, as sentences
    trusted: list[str]  # what the claim rests on that can't be checked here


def verify(path: str | os.PathLike[str]) -> Verified:
    """What the certificate in a file proves; raises BadCertificate, which names the first step that fails."""
    try:
        return check(read(path))
    except BadCertificate as error:
        raise BadCertificate(error.sentence, file=str(path), step=error.step) from None


def check(certificate: Any) -> Verified:
    """What a certificate, as read from JSON, proves; raises BadCertificate."""
    return _Check(certificate).run()


def digest(certificate: dict[str, Any]) -> str:
    """The SHA-256 of everything in a certificate but the digest itself."""
    rest = {key: value for key, value in certificate.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


class _Check:
    """One certificate being checked; `step` is where it is."""

    def __init__(self, certificate: Any) -> None:
        self._all = certificate
        self._step = "file"
        self._checked: list[str] = []
        self._trusted: list[str] = []

    def run(self) -> Verified:
        self._need(isinstance(self._all, dict), "It must be one JSON object.")
        for key in KEYS:
            self._need(key in self._all, f"It has no {key}.")
        for key in self._all:
            self._need(key in KEYS, f"A certificate has nothing called {shorten(str(key))}.")
        self._need(self._all["format"] == FORMAT, f"The format must be {FORMAT}.")
        self._need(_is(self._all["version"], VERSION), f"The version must be {VERSION}.")
        self._step = "digest"
        self._need(self._all["digest"] == digest(self._all), "Something has changed since it was written.")
        self._step = "game"
        self._open()
        self._step = "claim"
        self._claim()
        self._step = "witness"
        self._witness()
        self._step = "grounds"
        self._grounds()
        return Verified(self._game, self._all["parameters"], self._words(), self._checked, self._trusted)

    def _need(self, is_so: object, sentence: str) -> None:
        if not is_so:
            raise BadCertificate(sentence, step=self._step)

    def _open(self) -> None:
        """Start the game."""
        self._game = self._all["game"]
        self._need(isinstance(self._game, str) and _NAME.fullmatch(self._game), "The game must be a name.")
        try:
            self._rules: Any = importlib.import_module(f"quet.games.{self._game.replace('-', '_')}.rules")
        except ModuleNotFoundError:
            self._need(False, f"There is no game {shorten(self._game)}.")
        self._need(_is(self._all["rules"], self._rules.VERSION), f"The rules have version {self._rules.VERSION} now.")
        given = self._all["parameters"]
        self._need(isinstance(given, dict), "The parameters must be an object.")
        names = [parameter.name for parameter in self._rules.PARAMETERS]
        self._need(sorted(given) == sorted(names), f"The parameters must be {' and '.join(names)}.")
        try:
            values = read_parameters(to_solve(self._rules.PARAMETERS), given, files=False)
        except QuetError as error:
            self._need(False, str(error))
        as_written = written(values)
        self._need(as_written == given, f"The parameters must be written as {shorten(str(as_written), 100)}.")
        self._start = self._rules.State()
        self._rules.start(self._start, **values)
        self._num_players: int = self._rules.num_players(self._start)
        is_known = self._num_players <= 2 or self._game in WISHES
        self._need(is_known, f"Of three and more players certificates are about {' and '.join(WISHES)}.")

    def _claim(self) -> None:
        """Read what is claimed."""
        claim = self._all["claim"]
        self._need(isinstance(claim, dict), "The claim must be an object.")
        self._sides = ["low", "high"] if self._num_players <= 2 else ["scores"]
        self._need(
            sorted(claim) == sorted([*self._sides, "best_moves", "score"]),
            f"The claim must have score, {', '.join(self._sides)} and best_moves.",
        )
        self._score = claim["score"]
        self._need(self._score in _SCORES, f"The score must be {', '.join(_SCORES[:-1])} or {_SCORES[-1]}.")
        self._need(
            (self._score == "value") == (self._num_players == 2)
            and (self._score == "scores") == (self._num_players > 2),
            "Games of two have a value, of more scores, solitaires a highest and a lowest score.",
        )
        self._low, self._high = self._limits(claim)
        self._best_moves = claim["best_moves"]
        if self._best_moves is not None:
            self._need(_is_list_of_texts(self._best_moves), "best_moves must be a list of moves, or null.")
            numbers = [self._legal(self._start, text) for text in self._best_moves]
            self._need(numbers and numbers == sorted(set(numbers)), "best_moves must be in order, each once.")

    def _limits(self, claim: dict[str, Any]) -> tuple[Any, Any]:
        """The lowest and the highest value claimed; of three and more players the scores, and they again."""
        if self._num_players > 2:
            scores = claim["scores"]
            are_scores = isinstance(scores, list) and all(type(score) is int for score in scores)
            self._need(are_scores and len(scores) == self._num_players, "scores must be integers, one for each player.")
            return tuple(scores), tuple(scores)
        low, high = claim["low"], claim["high"]
        self._need(type(low) is int and type(high) is int, "low and high must be integers.")
        self._need(low <= high, "low is above high.")
        return low, high

    def _witness(self) -> None:
        """Replay the game that reaches what is claimed."""
        moves = self._all["witness"]
        self._need(_is_list_of_texts(moves), "The witness must be a list of moves.")
        if self._num_players == 2 and self._low < self._high:
            self._need(moves == [] and self._best_moves is None, "No moves are known of a value that isn't.")
            return
        s = copy(self._start)
        for number, text in enumerate(moves, 1):
            self._need(not self._rules.is_over(s), f"The game is over before move {number}.")
            self._rules.play(s, self._legal(s, text, number))
        self._need(self._rules.is_over(s), "The game of the witness isn't over.")
        found = result(self._rules, s)
        wanted = as_result(self._high if self._score == "lowest" else self._low)
        self._need(found == wanted, f"The witness reaches {told(found)}, not {told(wanted)}.")
        self._line = moves
        if self._best_moves is not None and moves:
            self._need(moves[0] in self._best_moves, "The first move of the witness isn't among the best moves.")
        self._checked.append(f"The game of the witness is legal and reaches {told(found)}.")

    def _grounds(self) -> None:
        """Check the reasons of each side of the claim."""
        grounds = self._all["grounds"]
        self._need(isinstance(grounds, list) and grounds, "The grounds must be a list.")
        checks = {
            "witness": self._by_witness,
            "bound": self._by_bound,
            "table": self._by_table,
            "exhaustive": self._by_search,
            "unsat": self._by_refutation,
            **dict.fromkeys(_STRATEGIES, self._by_strategy),
        }
        covered = []
        for ground in grounds:
            self._need(isinstance(ground, dict), "Each of the grounds must be an object.")
            kind = ground.get("kind")
            self._need(isinstance(kind, str) and kind in checks, f"The kinds of grounds are {', '.join(checks)}.")
            sides = ground.get("for")
            self._need(
                sides == self._sides or sides in [[side] for side in self._sides],
                f"Grounds are for {' or '.join(self._sides)}{', or for both' if len(self._sides) > 1 else ''}.",
            )
            covered += sides
            checks[kind](ground, sides)
        self._need(sorted(covered) == sorted(self._sides), f"{' and '.join(self._sides)} must each have one reason.")
        kinds = {ground["kind"] for ground in grounds}
        if self._best_moves is not None and "table" not in kinds:
            self._need("exhaustive" in kinds, "Only a table or a search tells which first moves are the best.")
            self._trusted.append("That the best first moves are these and no others: by the same search.")

    def _by_witness(self, ground: dict[str, Any], sides: Sequence[str]) -> None:
        self._keys(ground, "witness")
        right = {"highest": ["low"], "lowest": ["high"]}.get(self._score)
        self._need(sides == right, "A witness shows that a solitaire's score can be reached, and no more.")

    def _by_bound(self, ground: dict[str, Any], sides: Sequence[str]) -> None:
        self._keys(ground, "bound")
        self._need(sides in (["low"], ["high"]), "A bound is for low or for high.")
        limit = bound(self._game, self._start, sides[0])
        self._need(limit is not None, "The rules of this game alone give no bound.")
        claimed, beyond = (self._high, "exceeds") if sides == ["high"] else (self._low, "is below")
        what = f"no {'score' if self._num_players == 1 else 'value'} {beyond} {limit}"
        self._need(claimed == limit, f"By the rules alone {what}, not {claimed}.")
        self._checked.append(f"By the rules alone {what}.")

    def _by_strategy(self, ground: dict[str, Any], sides: Sequence[str]) -> None:
        """A strategy of player 1 holds the value from below, one of player 2 from above."""
        kind = ground["kind"]
        game, checker, keys = _STRATEGIES[kind]
        self._keys(ground, kind, *keys)
        self._need(self._game == game, f"A {kind} is a strategy for {game}.")
        self._need(sides in (["low"], ["high"]), f"A {kind} is for low or for high.")
        value, sentence = checker.guarantee(self._rules, self._start, ground, sides[0])
        claimed = self._low if sides == ["low"] else self._high
        word = "least" if sides == ["low"] else "most"
        self._need(claimed == value, f"This {kind} holds the value at {value} at {word}, not {claimed}.")
        self._checked.append(f"A {kind} is a strategy that holds the value at {value} at {word}. {sentence}")

    def _by_refutation(self, ground: dict[str, Any], sides: Sequence[str]) -> None:
        self._keys(ground, "unsat", "proof")
        self._need(self._score == "highest" and sides == ["high"], "A refutation shows that no score is higher.")
        self._checked.append(check_unsat.check(self._game, self._start, ground, self._high))

    def _by_search(self, ground: dict[str, Any], sides: Sequence[str]) -> None:
        """Nothing here can repeat it; what was done is told."""
        self._keys(ground, "exhaustive", "method", "positions", "confirmed_by")
        for key in ("method", "confirmed_by"):
            is_text = isinstance(ground[key], str) and ground[key] and ground[key].isprintable()
            self._need(is_text or (key == "confirmed_by" and ground[key] is None), f"{key} must be a text.")
        self._need(type(ground["positions"]) is int and ground["positions"] > 0, "positions must be their number.")
        words = f"{' and '.join(sides)} by exhaustive search: {ground['method']}, {ground['positions']} positions"
        second = f"; confirmed by {ground['confirmed_by']}" if ground["confirmed_by"] else "; not confirmed otherwise"
        self._trusted.append(f"{words}{second}.")

    def _by_table(self, ground: dict[str, Any], sides: Sequence[str]) -> None:
        self._keys(ground, "table", "values")
        self._need(sides == self._sides and self._low == self._high, "A table gives one value, and so both sides.")
        sentence = check_table.check(
            self._game,
            self._rules,
            self._start,
            ground["values"],
            as_result(self._low),
            is_lowest=self._score == "lowest",
            best_moves=self._best_moves,
            line=self._line,
        )
        self._checked.append(sentence)

    def _legal(self, s: Any, text: str, number: int = 0) -> int:
        where = f"move {number} of the witness" if number else "a best move"
        try:
            move: int = self._rules.read_move(s, text)
        except QuetError as error:
            self._need(False, f"{where.capitalize()}: {one_line(error)}")
        broken = self._rules.broken_rule(s, move)
        self._need(not broken, f"{where.capitalize()}: {broken}")
        self._need(self._rules.move_text(s, move) == text, f"{where.capitalize()} isn't written as it should be.")
        return move

    def _keys(self, ground: dict[str, Any], kind: str, *keys: str) -> None:
        wanted = ["for", "kind", *keys]
        self._need(sorted(ground) == sorted(wanted), f"Grounds of the kind {kind} have {' and '.join(wanted)}.")

    def _words(self) -> str:
        what = f"the {self._score} is" if self._score == "value" else f"the {self._score} score is"
        if self._score == "scores":
            return f"the scores are {told(self._low)}"
        return f"{what} {self._low}" if self._low == self._high else f"{what} from {self._low} to {self._high}"


def _is(value: object, number: int) -> bool:
    return type(value) is int and value == number


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)
