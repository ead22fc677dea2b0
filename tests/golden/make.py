"""The golden files: playthroughs of each game as text, and pictures of positions as SVG.

    python tests/golden/make.py

makes them anew (`make golden` does the same), and the README's picture with them; review the diff as you review code.
Each game of Quet has one playthrough with every board and answer, and others, shorter told, with other sizes,
parameters and numbers of players. Games of other packages have no golden files here.
"""

import random
import sys
from collections.abc import Mapping
from pathlib import Path

import quet
from quet import catalog
from quet.games import folders

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
MORE: dict[str, list[dict[str, object]]] = {
    "blob": [{"n": 2}, {"n": 4}, {"n": 7}, {"n": 12}],
    "convoluted-coprimality": [
        {"n": 2, "grids": 3},
        {"n": 4, "grids": 1},
        {"n": 4, "players": 8, "grids": 5},
        {"n": 7, "players": 4, "grids": 2},
    ],
    "divisors-multiples": [{"r": 2}, {"r": 4, "players": 3}, {"r": 6, "players": 8}, {"r": 12, "players": 4}],
    "palindromes": [{"m": 1}, {"m": 5}, {"m": 16}, {"m": 23}],
    "plusses-minuses": [
        {"n": 2},
        {"n": 4, "second_part_first": 2},
        {"n": 6, "second_part_first": 2},
        {"n": 9},
    ],
    "sequence-ascension": [
        {"n": 2},
        {"n": 3, "sequence": "primes"},
        {"n": 4, "sequence": "mod3"},
        {"n": 5, "sequence": "random:3:-2:2"},
        {"n": 6, "sequence": "divisors"},
    ],
    "sums-grid": [{"n": 1}, {"n": 2}, {"n": 3}, {"n": 4}],
    "up-and-up": [{"n": 1}, {"n": 2}, {"n": 3}, {"n": 8}],
}
LONGEST = 40  # moves of a playthrough


def games(id: str, parameters: Mapping[str, object], seed: str) -> list[quet.Game]:
    """A random game at each of its positions, always the same one."""
    generator = random.Random(seed)
    game = quet.new(id, **parameters)
    positions = [game.copy()]
    while not game.is_over and game.ply < LONGEST:
        game.play(generator.choice(game.legal_moves))
        positions.append(game.copy())
    return positions


def playthrough(id: str) -> str:
    """The game ply by ply: the move, the board, and every answer that the rules give."""
    parts = []
    for game in games(id, SIZES[id], id):
        parts.append(f"# ply {game.ply}" + (f": {game.moves[-1]}" if game.ply else f" of {game!r}"))
        parts.append(game.text().rstrip())
        parts.append(f"mover {game.mover}, scores {game.scores}, winners {game.winners}")
        parts.append(f"{len(game.legal_moves)} legal: {' '.join(game.legal_moves[:40])}\n")
    return "\n".join(parts)


def more_playthroughs(id: str) -> str:
    """Games of other sizes, a line a ply, each with its last board."""
    parts = []
    for parameters in MORE[id]:
        positions = games(id, parameters, f"{id} {parameters}")
        parts.append(f"# {positions[0]!r}")
        for game in positions:
            said = f"{game.ply} {game.moves[-1] if game.ply else 'start'}: mover {game.mover}, scores {game.scores}"
            parts.append(f"{said}, {len(game.legal_moves)} legal: {' '.join(game.legal_moves[:8])}".rstrip(": "))
        parts.append(f"winners {positions[-1].winners}")
        parts.append(positions[-1].text().rstrip() + "\n")
    return "\n".join(parts)


def pictures(id: str) -> dict[str, str]:
    """SVG documents by file name: the start with its legal moves, a position on the way, and the last."""
    positions = games(id, SIZES[id], id)
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


def files(id: str) -> dict[Path, str]:
    """The golden files of a game with what they should hold."""
    texts = {f"{id}.txt": playthrough(id), f"{id}-more.txt": more_playthroughs(id)}
    found = {HERE / name: text for name, text in (texts | pictures(id)).items()}
    return found | ({DOCS / "blob.svg": readme_picture()} if id == "blob" else {})


def lacking() -> list[str]:
    """What games of this package lack here, a sentence each."""
    ours = [id for id, folder in folders().items() if folder.startswith("quet.games.")]
    kinds: dict[str, Mapping[str, object]] = {"SIZES": SIZES, "MORE": MORE}
    return [f"{id} has no {name} in tests/golden/make.py." for id in ours for name in kinds if id not in kinds[name]]


def main() -> str | None:
    """Write the files. Returns what is lacking, instead, where a game has no sizes."""
    if sentences := lacking():
        return "\n".join(sentences)
    for id in SIZES:
        for path, text in files(id).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return None


if __name__ == "__main__":
    sys.exit(main())
