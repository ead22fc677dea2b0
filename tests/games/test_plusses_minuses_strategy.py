"""What the mirror strategies of Plusses And Minuses say about their own moves is true."""

import pytest

import quet
from quet.games.plusses_minuses import strategy
from quet.games.plusses_minuses.rules import EMPTY, mover


@pytest.mark.parametrize("n", [4, 5, 12])
@pytest.mark.parametrize("other", [0, 1, -1])
def test_a_hint_says_what_its_square_does(n: int, other: int) -> None:
    game = quet.new("plusses-minuses", n=n)
    while game.state.ply < 2 * (n - 1):
        game.play("-")
    said = set()
    while not game.is_over:
        s = game.state
        held = strategy.hold(s, mover(s))
        move = game.legal_numbers()[other] if held is None else held[1]
        if held is not None:
            filled = {(height - 1) * n + column for column, height in enumerate(s.height[:n]) if height != EMPTY}
            image = strategy._image(n, move, 2 - mover(s))
            why = strategy.why(s, move)
            assert ("mirror image of what the opponent" in why) == (image in filled)
            assert ("each square of the opponent can" in why) == (not filled)
            assert ("stays its own" in why) == (bool(filled) and image == move)
            said.add(why)
        game.push(move)
    assert said
