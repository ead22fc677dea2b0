"""At which sizes `level:perfect` plays: where every first move's exact value is found in five seconds.

    python bench/solvable.py

Prints, for each game and size, the value of the game for player 1 (the best score of a solitaire) and the seconds
taken, compilation left out, from small sizes up to the first two that are not solved.
"""

import time

import quet
from quet.knowledge.values import exact_values

SIZES: list[tuple[str, str, range, dict[str, object]]] = [
    ("blob", "n", range(2, 21), {}),
    ("convoluted-coprimality", "n", range(2, 21), {}),
    ("divisors-multiples", "r", range(2, 24), {}),
    ("palindromes", "m", range(1, 41), {}),
    ("plusses-minuses", "n", range(2, 21), {}),
    ("plusses-minuses", "n", range(2, 21), {"second_part_first": 2}),
    ("sequence-ascension", "n", range(2, 21), {}),
    ("sums-grid", "n", range(1, 11), {}),
    ("up-and-up", "n", range(1, 21), {}),
]


def main() -> None:
    """Print the table."""
    for game_id, name, sizes, other in SIZES:
        failures = 0
        for size in sizes:
            game = quet.new(game_id, **{name: size}, **other)
            if game.is_over:
                continue
            exact_values(game, seconds=0.0)  # compile
            begun = time.perf_counter()
            values = exact_values(game, seconds=5.0)
            seconds = time.perf_counter() - begun
            shown = " ".join(f"{key}={value}" for key, value in {name: size, **other}.items())
            if values is None:
                failures += 1
                print(f"{game_id} {shown}: not solved")
                if failures == 2:
                    break
            else:
                print(f"{game_id} {shown}: value {max(values.values())}, {seconds:.2f} s", flush=True)


if __name__ == "__main__":
    main()
