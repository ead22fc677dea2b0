"""Compares the rules as Coq has them (`proofs/`, extracted by `make checker`) with `quet ugi`, position by position.

As a program: `python tests/rules_in_coq.py 100000` looks at so many positions of each game.
"""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import quet

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / "checker" / "quet-rules"
SIZES: dict[str, list[dict[str, Any]]] = {
    "blob": [{"n": 2}, {"n": 3}, {"n": 5}, {"n": 8}],
    "convoluted-coprimality": [
        {"n": 2, "players": 5, "grids": 3},
        {"n": 3, "players": 4, "grids": 2},
        {"n": 6, "players": 3, "grids": 1},
        {"n": 12},
        {"n": 20, "players": 8},
    ],
    # where no players are named, by the rules for two only
    "divisors-multiples": [
        *({"r": r} for r in (2, 3, 6, 12, 30)),
        *({"r": r, "players": players} for r, players in [(2, 3), (3, 5), (6, 2), (6, 4), (12, 3), (30, 2), (30, 5)]),
    ],
    "palindromes": [{"m": 1}, {"m": 2}, {"m": 7}, {"m": 12}, {"m": 20}],
    "plusses-minuses": [{"n": 2}, {"n": 3, "second_part_first": 2}, {"n": 5}, {"n": 8, "second_part_first": 2}],
    "sequence-ascension": [
        *({"n": 3, "sequence": name} for name in ("divisors", "naturals", "totient", "primes", "pi", "mod3")),
        {"n": 2, "sequence": "-1,-10,10,-1"},
        {"n": 6, "sequence": "pi"},
        {"n": 20},
    ],
    "sums-grid": [{"n": 1}, {"n": 2}, {"n": 3}],
    "up-and-up": [{"n": 1}, {"n": 2}, {"n": 4}, {"n": 7}],
}
_AT_ONCE = 1_000  # positions that one run of the program is asked about
_MOST_PLIES = 40  # of a game, since a sums grid can go on for ever


def is_built(program: Path) -> bool:
    """Whether `make checker` built this program; AssertionError where a source has changed since then."""
    if not program.exists():
        return False
    sources = [*ROOT.glob("checker/*.ml"), *ROOT.glob("proofs/*.v")]
    newest = max(
        (source for source in sources if source.stem != "extracted"), key=lambda source: source.stat().st_mtime
    )
    is_new = newest.stat().st_mtime > program.stat().st_mtime
    assert not is_new, f"{newest.relative_to(ROOT)} is newer than checker/{program.name}: run make checker."
    return True


def compare(id: str, num_positions: int, seed: int = 0) -> int:
    """Compare at least so many positions of random games; return how many. Raises AssertionError where they differ."""
    generator, count = random.Random(seed), 0
    while count < num_positions:
        asked: list[str] = []
        while len(asked) < 5 * min(_AT_ONCE, num_positions - count):
            _random_game(id, generator, asked)
        theirs, ours = _answers([PROGRAM], asked), _answers([sys.executable, "-m", "quet", "ugi"], asked)
        for number, (answer, line) in enumerate(zip(theirs, ours, strict=True)):
            assert answer == line, f"{id}: {asked[max(0, number - 4) : number + 1]}"
        count += sum(line == "query legal" for line in asked)
    return count


def clauses(n: int, sequence: str, score: int) -> Counter[tuple[int, ...]]:
    """The clauses of Sequence Ascension as Coq has them, each with its literals in order."""
    asked = f"clauses {n} {sequence} {score}\n"
    done = subprocess.run([PROGRAM], input=asked, capture_output=True, text=True, check=True, timeout=600)
    *lines, end = done.stdout.splitlines()
    assert end == "ok"
    return Counter(tuple(sorted(map(int, line.split()[:-1]))) for line in lines)


def _random_game(id: str, generator: random.Random, asked: list[str]) -> None:
    """Play a game at random, and add what both programs are asked about each position."""
    parameters = generator.choice(SIZES[id])
    game = quet.new(id, **parameters)
    asked.append(" ".join(["newgame", id, *(f"{name}={value}" for name, value in parameters.items())]))
    seen: list[str] = []
    while True:
        line = " ".join(["position startpos moves", *game.moves])
        asked += [f"{line} {text}" for text in generator.sample(seen, min(2, len(seen)))]  # often illegal by now
        asked += [line, "query legal", "query mover", "query gameover", "query scores"]
        if game.is_over or game.ply >= _MOST_PLIES:
            return
        moves = game.legal_moves
        seen += generator.sample(moves, min(3, len(moves)))
        game.play("done" if "done" in moves and generator.random() < 0.3 else generator.choice(moves))


def _answers(program: Sequence[str | Path], asked: Sequence[str]) -> list[str]:
    """What the program answers to each line. Errors have words of their own, and legal moves come in any order."""
    done = subprocess.run(program, input="\n".join(asked), capture_output=True, text=True, check=True, timeout=600)
    return [
        "error"
        if answer.startswith("error ")
        else " ".join(sorted(answer.split(" ")))
        if line == "query legal"
        else answer
        for line, answer in zip(asked, done.stdout.splitlines(), strict=True)
    ]


if __name__ == "__main__":
    for game_id in SIZES:
        print(f"{game_id}: {compare(game_id, int(sys.argv[1]))} positions, no difference")
