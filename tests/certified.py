"""Certificates to submit to a table of results, and how to make more of them."""

from pathlib import Path
from typing import Any, cast

import quet
from quet.certificates import certificate_file, claims, verify
from quet.certificates.aims import result
from quet.distribution.task import Answer, Task
from quet.game import new_to_solve
from quet.results.claim import of_game
from quet.results.folder import Folder
from quet.results.row import Row
from quet.results.submit import Entered, submit
from quet.solving import certify as certificate

Made = dict[str, Any]

# Games of Up And Up on a grid of 3, by their scores.
GAMES = {
    6: "b1 b2 a2 c2 c1 a1",
    7: "a2 b2 b1 b3 c3 c1 c2",
    8: "a3 b3 b1 c1 c3 c2 a2 b2",
    9: "a2 a3 a1 b1 b3 b2 c2 c3 c1",
}


def played(id: str, moves: str, **parameters: Any) -> quet.Game:
    game = quet.new(id, **parameters)
    for move in moves.split():
        game.play(move)
    return game


def score(game: quet.Game, found: Answer) -> int:
    """The score of the finished game that the answer shows."""
    twin = quet.new(game.id, **game.parameters)
    for move in found.witness:
        twin.play(game.rules.move_text(game.state, move))
    assert twin.is_over
    return twin.scores[0]


def entered(table: Folder, made: Made, path: Path, finder: str = "Ann", *, is_trusted: bool = False) -> Entered:
    """What submitting one certificate to the table comes to."""
    (one,) = submit(table, filed(made, path), finder=finder, is_trusted=is_trusted)
    return one


def only_row(table: Folder) -> Row:
    (row,) = table.rows()
    return row


def reached(score: int, *, is_lowest: bool = False) -> Made:
    """The certificate that a score of Up And Up on a grid of 3 can be reached."""
    return cast(Made, of_game(played("up-and-up", GAMES[score], n=3), is_lowest=is_lowest))


def all_tried(id: str, **parameters: int) -> Made:
    """A certificate, right or wrong, whose only grounds are that the checker tries all positions.

    Of all legal moves the first is played.
    """
    game, witness = new_to_solve(id, **parameters), list[str]()
    while not game.is_over:
        witness.append(game.rules.move_text(game.state, min(game.legal_numbers())))
        game.play(witness[-1])
    scores = list(result(game.rules, game.state))
    ends: Made = {"score": "value", "low": scores[0], "high": scores[0]}
    sides = ["low", "high"]
    if len(scores) > 1:
        ends, sides = {"score": "scores", "scores": scores}, ["scores"]
    return sealed(game, ends | {"best_moves": None}, witness, [{"for": sides, "kind": "minimax"}])


def sealed(game: quet.Game, claim: object, witness: list[str], grounds: list[Made]) -> Made:
    """The certificate of this claim about the game, whether it holds or not."""
    return resealed(
        {
            "format": verify.FORMAT,
            "version": verify.VERSION,
            "game": game.id,
            "rules": game.rules.VERSION,
            "parameters": dict(game.parameters),
            "claim": claim,
            "witness": witness,
            "grounds": grounds,
        }
    )


def resealed(changed: Made) -> Made:
    return changed | {"digest": verify.digest(changed)}


def searched(made: Made, bound: int, confirmed_by: str | None = None) -> Made:
    """The same with a bound that rests on a search, which no checker can repeat."""
    side = "low" if made["claim"]["score"] == "lowest" else "high"
    search = {"for": [side], "kind": "exhaustive", "method": "a search", "positions": 10, "confirmed_by": confirmed_by}
    kept = [ground for ground in made["grounds"] if side not in ground["for"]]
    return resealed(made | {"claim": made["claim"] | {side: bound}, "grounds": [*kept, search]})


def value_of(id: str, moves: str, *, has_table: bool = True, **parameters: Any) -> Made:
    """The certificate of the value of a game for two, which these moves reach: by a table, or by a search."""
    game = played(id, moves, **parameters)
    start = quet.new(id, **parameters)
    value = game.scores[0] - game.scores[1]
    answer = Answer(value, value, game.numbers, [], 10, "a search", value=value)
    made = certificate.make(id, game.rules, start.state, game.parameters, answer, Task())
    assert made is not None
    if not has_table:
        search = {"for": ["low", "high"], "kind": "exhaustive", "method": "a search", "positions": 10}
        made = resealed(made | {"grounds": [search | {"confirmed_by": None}]})
    return made


def scores_of(moves: str, *, has_table: bool = False, confirmed_by: str | None = None) -> Made:
    """The certificate of what three pay in Divisors/Multiples up to 4 as in this game: by a table, or by a search."""
    game = played("divisors-multiples", moves, r=4, players=3)
    start = quet.new("divisors-multiples", r=4, players=3)
    values = certificate.table(game.id, game.rules, start.state)
    search = {"kind": "exhaustive", "method": "a search", "positions": 10, "confirmed_by": confirmed_by}
    claim = {"score": "scores", "scores": game.scores, "best_moves": None}
    grounds = ({"kind": "table", "values": values} if has_table else search) | {"for": ["scores"]}
    return sealed(game, claim, moves.split(), [grounds])


def between(low: int, high: int) -> Made:
    """The certificate that the value of Palindromes in a row of 3 is in a range: each end by the rules, or a search."""
    game = quet.new("palindromes", m=3)
    search = {"kind": "exhaustive", "method": "a search", "positions": 10, "confirmed_by": None}
    ends = {"low": low, "high": high}
    by_rules = {side: end == claims.of("palindromes").bound(game.state, side) for side, end in ends.items()}
    grounds = [({"kind": "bound"} if by_rules[side] else search) | {"for": [side]} for side in ends]
    return sealed(game, {"score": "value", **ends, "best_moves": None}, [], grounds)


def empty_table(path: Path) -> Folder:
    folder = Folder(path / "results")
    folder.path.mkdir()
    return folder


def filed(made: Made, path: Path) -> str:
    """The name of a file with the certificate."""
    file = path / "submitted.json"
    certificate_file.write(made, file)
    return str(file)
