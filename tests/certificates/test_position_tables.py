"""Tables of all positions: which move the mover takes, circles, and witnesses that lose value on their way."""

import pytest

import quet
from certified import Made, resealed, sealed
from quet.certificates import aims, check_table, claims, verify
from quet.core.errors import BadCertificate
from quet.core.state import state
from quet.solving import certify


def with_table(game: quet.Game, value: int, line: list[str], values: list[int], **claim: object) -> Made:
    """The certificate of a value that rests on a table."""
    score = "highest" if game.num_players == 1 else "value"
    claim = {"score": score, "low": value, "high": value, "best_moves": None} | claim
    return sealed(game, claim, line, [{"for": ["low", "high"], "kind": "table", "values": values}])


def refusal(whole: Made) -> str:
    with pytest.raises(BadCertificate) as caught:
        verify.check(whole)
    return str(caught.value)


ROW = quet.new("palindromes", m=3)
VALUES: list[int] = certify.table(ROW.id, ROW.rules, ROW.state)  # type: ignore[assignment]


def test_every_move_of_the_witness_must_keep_the_value() -> None:
    assert verify.check(with_table(ROW, 0, ["2=1", "1=0", "3=1"], VALUES)).trusted == []
    assert refusal(with_table(ROW, 0, ["2=1", "3=1", "1=0"], VALUES)) == "grounds: Move 2 of the witness loses value."


def test_the_best_moves_are_all_that_keep_the_value_and_no_others() -> None:
    first = quet.new("palindromes", m=2)
    values: list[int] = certify.table(first.id, first.rules, first.state)  # type: ignore[assignment]
    best = ["1=0", "1=1", "2=0", "2=1"]
    assert verify.check(with_table(first, -2, ["1=0", "2=1"], values, best_moves=best)).trusted == []
    for wrong in (best[:3], best[:1]):
        told = "grounds: The best moves are '1=0 1=1 2=0 2=1'."
        assert refusal(with_table(first, -2, ["1=0", "2=1"], values, best_moves=wrong)) == told


def test_a_table_shows_the_lowest_score_of_a_solitaire_too() -> None:
    game = quet.new("up-and-up", n=3)
    values: list[int] = certify.table(game.id, game.rules, game.state, is_lowest=True)  # type: ignore[assignment]
    sides, line = ["b1", "a2", "c2", "b3"], ["b1", "b2", "a2", "c2", "c1", "a1"]
    low = with_table(game, 6, line, values, score="lowest", best_moves=sides)
    assert verify.check(low).claim == "the lowest score is 6"
    assert refusal(resealed(low | {"claim": low["claim"] | {"score": "highest"}})).startswith("grounds: Position ")


def test_a_table_of_a_game_in_which_positions_come_again_proves_nothing() -> None:
    game = quet.new("sums-grid", n=1)
    told = "grounds: Positions come again, so that a table proves nothing."
    assert refusal(with_table(game, 1, ["a1=1", "done"], [1, 0, 0])) == told


@state
class Place:
    number: int


class Back:
    """The rules of a solitaire without scores in which one may end the game, or go and come back to the start."""

    AFTER: tuple[list[int], ...] = ([1, 2], [], [0])
    num_players = staticmethod(lambda s: 1)
    score = staticmethod(lambda s, player: 0)
    most_moves = staticmethod(lambda s: 2)
    is_over = staticmethod(lambda s: s.number == 1)

    def legal_moves(self, s: Place, out: list[int]) -> int:
        out[: len(self.AFTER[s.number])] = self.AFTER[s.number]
        return len(self.AFTER[s.number])

    def play(self, s: Place, move: int) -> None:
        s.number = move


def test_a_table_of_a_game_that_comes_back_to_its_start_proves_nothing() -> None:
    subject = claims.Subject("back", Back(), None)  # type: ignore[arg-type]
    with pytest.raises(BadCertificate, match="Positions come again, so that a table proves nothing"):
        check_table.check(subject, Place(), [0, 0, 0], (0,), is_lowest=False, best_moves=None, line=[])


@pytest.mark.parametrize(
    ("after", "has_none"),
    [
        ([[]], True),
        ([[0]], False),
        ([[1], [2], []], True),
        ([[1], [2], [0]], False),
        ([[1], [2], [1]], False),
        ([[1, 1, 2], [2, 2], []], True),
        ([[1, 2], [3], [3], [4], []], True),
        ([[1, 2], [3], [3], [4], [2]], False),
        ([[1], [], [0]], True),
    ],
)
def test_circles_are_found(after: list[list[int]], has_none: bool) -> None:
    assert check_table._has_no_circle(after) == has_none


def test_a_table_has_as_many_positions_as_can_be_looked_at_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    line = ["1=0", "2=1"]
    game = quet.new("palindromes", m=2)
    values: list[int] = certify.table(game.id, game.rules, game.state)  # type: ignore[assignment]
    monkeypatch.setattr(check_table, "MOST_POSITIONS", 9)
    assert verify.check(with_table(game, -2, line, values)).trusted == []
    monkeypatch.setattr(check_table, "MOST_POSITIONS", 8)
    assert refusal(with_table(game, -2, line, values)) == "grounds: A table has at most 8 positions."


def test_the_mover_takes_what_they_wish_and_then_what_the_next_player_wishes() -> None:
    game = quet.new("divisors-multiples", r=12, players=3)
    subject = claims.of(game.id)
    assert subject.wish is not None
    wishes = [subject.wish((1, 2, 4), player) for player in (1, 2, 3)]
    assert wishes == [4, 1, -5]  # the sum of what all have paid, less three times their own
    assert aims.aim(subject, game.state, is_lowest=False)((1, 2, 4)) == (4, 1, -5, -7)
    game.play("2!")
    assert aims.aim(subject, game.state, is_lowest=False)((1, 2, 4)) == (1, -5, 4, -7)
    game.play("4!")
    assert aims.aim(subject, game.state, is_lowest=True)((1, 2, 4)) == (-5, 4, 1, -7)


@pytest.mark.parametrize(
    ("id", "size", "moves", "is_lowest", "raised"),
    [
        ("up-and-up", {"n": 2}, [], False, True),
        ("up-and-up", {"n": 2}, [], True, False),
        ("palindromes", {"m": 4}, [], False, True),
        ("palindromes", {"m": 4}, ["1=0"], False, False),
        ("divisors-multiples", {"r": 9}, [], False, False),
        ("divisors-multiples", {"r": 9}, ["2!"], False, True),
    ],
)
def test_one_or_two_players_raise_or_lower_the_result(
    id: str, size: dict[str, int], moves: list[str], is_lowest: bool, raised: bool
) -> None:
    game = quet.new(id, **size)
    for move in moves:
        game.play(move)
    assert aims.aim(claims.of(id), game.state, is_lowest=is_lowest)((5,)) == ((5,) if raised else (-5,))


def test_a_result_is_a_score_a_difference_or_all_scores() -> None:
    alone = quet.new("up-and-up", n=2)
    alone.play("a1")
    assert aims.result(alone.rules, alone.state) == (1,)
    two = quet.new("palindromes", m=2)
    two.play("1=0")
    two.play("2=1")
    assert aims.result(two.rules, two.state) == (-2,)
    three = quet.new("divisors-multiples", r=9, players=3)
    three.play("2!")
    assert aims.result(three.rules, three.state) == (2, 0, 0)
    assert (aims.as_result(3), aims.as_result([1, 2]), aims.told((1, -2))) == ((3,), (1, 2), "1, -2")
