"""The golden files: a playthrough of each game as text, and pictures of positions as SVG.

    python tests/golden/make.py

makes them anew (`make golden` does the same), and the README's picture with them; review the diff as you review code.
"""

import random
from pathlib import Path

import quet
from quet import catalog

HERE = Path(__file__).parent
DOCS = HERE.parent.parent / "docs" / "pictures"
SIZES: dict[str, dict[str, object]] = {
    "blob": {"n": 5},
    "convoluted-coprimality": {"n": 5, "players": 3, "grids": 2},
    "divisors-multiples": {"r": 9},
    "palindromes": {"m": 8},
    "plusses-minuses": {"n": 5},
    "sequence-ascension": {"n": 4},
    "sums-grid": {"n": 2},
    "up-and-up": {"n": 5},
}
LONGEST = 40  # moves of a playthrough


def games(id: str) -> list[quet.Game]:
    """A random game of this kind at each of its positions, always the same one."""
    generator = random.Random(id)
    game = quet.new(id, **SIZES[id])
    positions = [game.copy()]
    while not game.is_over and game.ply < LONGEST:
        game.play(generator.choice(game.legal_moves))
        positions.append(game.copy())
    return positions


def playthrough(id: str) -> str:
    """The game ply by ply: the move, the board, and every answer that the rules give."""
    parts = []
    for game in games(id):
        parts.append(f"# ply {game.ply}" + (f": {game.moves[-1]}" if game.ply else f" of {game!r}"))
        parts.append(game.text().rstrip())
        parts.append(f"mover {game.mover}, scores {game.scores}, winners {game.winners}")
        parts.append(f"{len(game.legal_moves)} legal: {' '.join(game.legal_moves[:40])}\n")
    return "\n".join(parts)


def pictures(id: str) -> dict[str, str]:
    """SVG documents by file name: the start with its legal moves, a position on the way, and the last."""
    positions = games(id)
    return {
        f"{id}-start.svg": positions[0].svg(legal=True),
        f"{id}-middle.svg": positions[len(positions) // 2].svg(legal=True),
        f"{id}-end.svg": positions[-1].svg(),
    }


def readme_picture() -> str:
    """The author's sample of the blob game, as the README shows it."""
    entry = catalog.get("blob")
    (sample,) = entry.facts["samples"]
    from quet.draw.svg import svg

    return svg(entry.picture.scene(entry.judge.read_paper(sample["paper"], sample["parameters"])))


def files() -> dict[Path, str]:
    """Every golden file with what it should hold."""
    found = {DOCS / "blob.svg": readme_picture()}
    for id in quet.game_ids():
        found[HERE / f"{id}.txt"] = playthrough(id)
        found |= {HERE / name: svg for name, svg in pictures(id).items()}
    return found


def main() -> None:
    """Write the files."""
    for path, text in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
