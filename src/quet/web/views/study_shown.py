"""How the study board shows a tree of moves, and what the moves of a position are worth."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from ...draw.scene import signed
from ...game import Game
from ...knowledge.worth import Value, in_words, is_cut, line_text, told
from ...study.look import Look
from ...study.tree import Line, Place
from ..board import Worth
from ..i18n import said


@dataclass(frozen=True)
class Token:
    """A piece of the list of moves."""

    kind: str  # `move`, `comment`, `open` or `close`
    text: str
    number: int = 0  # of a move
    player: int = 0  # who made it; 0 where one plays alone
    at: str = ""
    depth: int = 0
    is_here: bool = False


def tokens(line: Line, here: Place, before: Game, branches: tuple[int, ...] = ()) -> Iterator[Token]:
    """The tree as a list of moves, brackets and comments; `before` is the game before the first move of the line."""
    depth = len(branches)
    game = before.copy()

    def after(ply: int) -> Iterator[Token]:
        for text in line.comments.get(ply, ()):
            yield Token("comment", text, depth=depth)

    def instead(ply: int, position: Game) -> Iterator[Token]:
        for number, one in enumerate(line.variations):
            if one.first == ply:
                yield Token("open", "(", depth=depth + 1)
                yield from tokens(one, here, position, (*branches, number))
                yield Token("close", ")", depth=depth + 1)

    yield from after(line.first - 1)
    for ply, move in enumerate(line.moves, line.first):
        at = Place(branches, ply)
        player = 0 if game.num_players == 1 else game.mover or 0
        yield Token("move", signed(move), ply, player, str(at), depth, at == here)
        yield from after(ply)
        yield from instead(ply, game)
        game.play(move)
    yield from instead(line.last + 1, game)


def worths_of(found: Look, game: Game) -> dict[str, Worth]:
    """What each legal move is worth, as the board shows it; empty where that isn't known exactly."""
    best = max((_order(value) for value in found.values.values()), default=(0.0, 0.0))
    return {move: _worth(value, game, best) for move, value in found.values.items()}


def _order(value: Value) -> tuple[float, float]:
    return value.amount, float(value.margin or 0)


def _worth(value: Value, game: Game, best: tuple[float, float]) -> Worth:
    order = _order(value)
    is_best = order == best
    words = said(in_words(value, game))
    if game.num_players == 1:
        amount = -value.amount if game.rules.LOWER_IS_BETTER else value.amount
        return Worth(signed(f"{amount:g}"), words, "win" if is_best else "loss", is_best, order[0])
    if game.num_players > 2:
        return Worth(f"{100 * value.amount:.0f}%", words, "win" if is_best else "loss", is_best, order[0])
    tone = "win" if value.amount > 0.5 else "loss" if value.amount < 0.5 else "draw"
    text = signed(f"{value.margin:+d}") if value.margin else {"win": "+", "loss": "−", "draw": "="}[tone]
    return Worth(text, words, tone, is_best, 1_000_000 * order[0] + order[1])


def values_of(found: Look, game: Game) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """The moves by their exact values, the best first: words, how it shows on the board, moves as played and shown."""
    worths = worths_of(found, game)
    ordered = sorted(found.values, key=lambda move: _order(found.values[move]), reverse=True)
    return [
        (said(told(found.values[moves[0]], game)), worths[moves[0]].text, [(move, signed(move)) for move in moves])
        for moves in (list(group) for _key, group in groupby(ordered, key=lambda move: _order(found.values[move])))
    ]


def line_of(found: Look, game: Game) -> str:
    """The best line that is known, in words. A single move is no line that could be cut."""
    cut = len(found.line) > 1 and is_cut(game, found.line)
    return said(line_text([signed(move) for move in found.line], is_cut=cut))
