"""The sizes at which `level:perfect` plays: those at which the exact value of every first move is found in five
seconds.

    python bench/solvable.py

Prints for each game and size the value of the game, and the seconds that it took without compiling. The value is player
1's score minus player 2's, or the best score of a solitaire. Sizes rise until two are not solved.
"""

import time

import arguments

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
    arguments.none(__doc__)
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
                advantage = max(values.values())  # of player 1, who wants a low score in some games
                value = -advantage if game.rules.LOWER_IS_BETTER else advantage
                print(f"{game_id} {shown}: value {value}, {seconds:.2f} s", flush=True)


if __name__ == "__main__":
    main()
