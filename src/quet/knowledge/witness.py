"""How a game goes on that follows a game of the table of results, its witness, or an image of it."""

from collections.abc import Sequence

from ..game import Game


def rest(line: Sequence[str], game: Game) -> Sequence[str] | None:
    """How a game from the start goes on that this one follows, or follows an image of; None where it doesn't.

    Where the board can be turned or mirrored (`images.py`), the game is as good so.
    """
    if len(line) <= game.ply or game.start:
        return None
    has = game.entry.images
    if has is None:
        return tuple(line[game.ply :]) if line[: game.ply] == game.moves else None
    numbers = _after(line, game).numbers
    played = zip(*(has.images(game.state, move) for move in numbers), strict=True)
    found = next((image for image in played if list(image[: game.ply]) == game.numbers), None)
    return None if found is None else tuple(game.rules.move_text(game.state, move) for move in found[game.ply :])


def moves_alike(line: Sequence[str], game: Game) -> Sequence[str]:
    """The moves after which a game is as far as this one would be after its next move, up to a symmetry.

    There are none where the games differ by more than a symmetry, or where the game's claims name none (`canonical`).
    """
    from ..certificates import claims

    canonical = claims.of(game.id).canonical
    if canonical is None or len(line) <= game.ply or game.start:
        return ()
    other = _after(line[: game.ply], game)
    if canonical(other.state) != canonical(game.state):
        return ()
    wanted = canonical(other.after(line[game.ply]).state)
    return tuple(move for move in game.legal_moves if canonical(game.after(move).state) == wanted)


def _after(line: Sequence[str], game: Game) -> Game:
    """The same game from its start, after these moves."""
    found = game.at(0)
    for move in line:
        found.play(move)
    return found
