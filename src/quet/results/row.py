"""A row of the table: one question about a game of one size, and what is known of its answer.

A question asks for the highest or the lowest score of a solitaire, for the value of a game for two players, or for the
scores of three and more players. `value` is the best score that a game has reached. No game goes beyond the score
`bound`. If the two are equal, the answer is proven. For three and more players both are the list of all scores, player
1's first.
"""

import datetime
import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from .. import catalog
from ..certificates.aims import LARGEST_VALUE, as_result, is_value
from ..core import json_text
from ..core.errors import BadParameter, BadResult, QuetError
from ..core.parameters import TermsParameter, read_parameters, to_solve, written
from ..core.quoting import printable, shorten
from ..core.rules import started

Value = int | list[int]  # a list is the scores of three and more players
LONGEST_NAME = 100  # of a finder
NOBODY = "anonymous"  # the finder of what is submitted without a name
QUET = "quet solve"  # the finder of what Quet's own searches enter
LARGEST_ROW = 10_000_000  # characters
_FILE = re.compile(r"[a-z0-9_-]{1,150}\.json(\.gz)?", re.ASCII)
_KIND = re.compile(r"[a-z]+([ -][a-z]+)*", re.ASCII)
_MOVES = re.compile(r"([!-~]+( [!-~]+)*)?")


@dataclass(frozen=True)
class Row:
    """What is known of one question. The fields are in the order of a line of a file."""

    game: str
    parameters: dict[str, int | str]  # all of them
    score: str  # which score: value, highest, lowest or scores
    value: Value  # the best that is reached; of a game for two, what player 1's score minus player 2's is at least
    bound: Value  # no score is better; of a game for two, what the difference is at most
    status: str  # proven where both are the same, else open
    proof: str  # what the bound rests on (of a game for two, both): the kind of grounds, and whether it is confirmed
    finder: str  # of the value
    date: str
    prover: str  # who found the bound
    proof_date: str
    certificate: str  # a file of the folder `certificates`
    witness: str  # the moves of a game that reaches the value, a space between them; none of an open game for two

    @property
    def question(self) -> tuple[object, ...]:
        """A key that is different for each question. Its order is the order of rows in a file."""
        values = self.parameters.values()
        return (self.score, *[(type(value) is str, value) for value in [*list(values)[1:], *list(values)[:1]]])

    @property
    def is_proven(self) -> bool:
        return self.status == "proven"

    @property
    def is_lowest(self) -> bool:
        return self.score == "lowest"

    @property
    def keeps_value(self) -> bool:
        """Whether each move of the witness of a game for two and more players keeps the value.

        The checker tries it in a table. Elsewhere it only looks at the end, so that it is said of games of Quet's own
        searches alone, which play perfectly.
        """
        return self.is_proven and ("table" in self.proof.split() or self.finder == self.prover == QUET)

    @property
    def is_one_number(self) -> bool:
        """Whether the value is one integer: for all games but those of three and more players."""
        return self.score != "scores"

    @property
    def number(self) -> int:
        """The value of a row whose value is one number."""
        assert isinstance(self.value, int)
        return self.value

    @property
    def limit(self) -> int:
        """The bound of a row whose bound is one number."""
        assert isinstance(self.bound, int)
        return self.bound

    @property
    def size(self) -> int:
        """The size of the game: its first parameter, a side, a length or a largest number."""
        return int(next(iter(self.parameters.values())))

    @property
    def others(self) -> dict[str, int | str]:
        """The other parameters."""
        return dict(list(self.parameters.items())[1:])

    def json(self) -> dict[str, object]:
        return asdict(self)

    def line(self) -> str:
        """The row as a file has it, without the line break."""
        return json.dumps(self.json(), ensure_ascii=False)

    @property
    def words(self) -> str:
        """The question as `quet solve` takes it."""
        inside = [f"{name}={shlex.quote(str(value))}" for name, value in self.parameters.items()]
        return " ".join([self.game, *inside, *lowest_option(self.game, self.score)])

    def name(self) -> str:
        """The question in words: `sums-grid n=4, highest`."""
        inside = " ".join(f"{name}={value}" for name, value in shown(self.game, self.parameters).items())
        return f"{self.game} {inside}, {self.score}"


def lowest_option(game: str, score: str) -> list[str]:
    """The option by which `quet solve` looks for this score of a solitaire, where it isn't the highest by itself."""
    if score == "highest" and catalog.get(game).rules.LOWER_IS_BETTER:
        return ["--no-lowest"]
    return ["--lowest"] if score == "lowest" else []


def shown(game: str, parameters: Mapping[str, int | str]) -> dict[str, int | str]:
    """The size, and those of the other parameters that don't have their default; long texts are cut."""
    known = catalog.get(game).rules.PARAMETERS
    kept = [p.name for number, p in enumerate(known) if number == 0 or parameters[p.name] != p.default]
    return {
        name: value if type(value) is int else printable(str(value), 40)
        for name in kept
        for value in [parameters[name]]
    }


def read(line: str) -> Row:
    """The row in a line. Raises BadResult, whose sentence names neither file nor line."""
    try:
        found = json_text.read(line, largest=LARGEST_ROW)
    except json_text.BadJson as error:
        raise BadResult(f"It is not a row in JSON: {error.sentence}") from None
    _need(isinstance(found, dict), "A row must be a JSON object.")
    names = [field.name for field in fields(Row)]
    _need(list(found) == names, f"A row must have {', '.join(names)}, in this order.")
    number = list if found["score"] == "scores" else int
    for name in names:
        kind = dict if name == "parameters" else number if name in ("value", "bound") else str
        _need(type(found[name]) is kind, f"{name} must be {_WORDS[kind]}.")
    row = Row(**found)
    _check_game(row)
    for name in ("finder", "prover"):
        _need(is_name(found[name]), f"{name} must be a name of 1 to {LONGEST_NAME} printable characters.")
    for name in ("date", "proof_date"):
        _need(_is_date(found[name]), f"{name} must be a date like 2026-11-30.")
    _need(_KIND.fullmatch(row.proof), "proof must be a kind of grounds.")
    _need(_FILE.fullmatch(row.certificate), "certificate must be the name of a file .json or .json.gz.")
    _need(_MOVES.fullmatch(row.witness), "witness must be moves, with one space between them.")
    return row


_WORDS: dict[type, str] = {dict: "an object", int: "an integer", list: "a list", str: "a text"}
_SCORES = {1: ("highest", "lowest"), 2: ("value",)}  # by the number of players


def _check_game(row: Row) -> None:
    try:
        rules = catalog.get(row.game).rules
        _need(list(row.parameters) == [p.name for p in rules.PARAMETERS], "parameters must be those of the game.")
        _need(
            all(type(value) in (int, str) for value in row.parameters.values()), "parameters must be texts or integers."
        )
        values = read_parameters(to_solve(rules.PARAMETERS), row.parameters, files=False)
    except BadResult:
        raise
    except QuetError as error:
        raise BadResult(str(error)) from None
    as_written = written(values)
    _need(as_written == row.parameters, f"parameters must be written as {shorten(str(as_written), 100)}.")
    num_players = rules.num_players(started(rules, values))
    right = _SCORES.get(num_players, ("scores",))
    _need(row.score in right, f"score must be {' or '.join(right)}.")
    for name, value in (("value", row.value), ("bound", row.bound)):
        is_in_range = all(is_value(number) for number in as_result(value) if type(number) is int)
        _need(is_in_range, f"{name} must be from -{LARGEST_VALUE} to {LARGEST_VALUE}.")
    if isinstance(row.value, int):
        is_in_order = row.number >= row.limit if row.is_lowest else row.number <= row.limit
        _need(is_in_order, f"The value {row.value} is beyond the bound {row.bound}.")
    else:
        are_scores = [type(score) for score in row.value] == [int] * num_players
        _need(are_scores, "value must be integers, one for each player.")
        _need(row.bound == row.value, "bound must be the same as value.")
    status = "proven" if row.value == row.bound else "open"
    _need(row.status == status, f"status must be {status}.")


def told(value: Value) -> str:
    """A value or a bound in words."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def is_name(name: str) -> bool:
    """Whether the text can be the name of a finder."""
    return name.isprintable() and name == name.strip() and 1 <= len(name) <= LONGEST_NAME


def parameters_text(game: str, given: Mapping[str, object]) -> dict[str, int | str]:
    """Parameters that choose rows, in the form that rows have. Raises BadParameter for values that no game has."""
    known = {p.name: p for p in to_solve(catalog.get(game).rules.PARAMETERS)}
    found: dict[str, int | str] = {}
    for name, value in given.items():
        if name not in known:
            raise BadParameter(f"There is no parameter {shorten(name)}; this game has {' and '.join(known)}.")
        parameter = known[name]
        if not isinstance(parameter, TermsParameter):
            found[name] = parameter.read(value, {}, files=False)
        elif isinstance(value, str):
            found[name] = value
        else:
            raise BadParameter(f"{name} must be a text here, as the table has it.")
    return found


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _need(is_so: object, sentence: str) -> None:
    if not is_so:
        raise BadResult(sentence)
