"""How long an interactive move takes in plain Python: legal moves, play, over.

    python bench/interactive.py

Prints the median microseconds of a move over whole random games, for each game at its size nearest to 8x8. The first
figure is through the library, as a face handles a person's move: `text in game.legal_moves`, `game.play(text)`,
`game.is_over`. The second is by the rules with every legal move listed, as a computer player does it. The bar is 50.
The sums grid misses it by far: its list has every number for every square, 32,768 moves on 8x8. But nothing lists them
to play: a move is checked, and a picture drawn, by asking the referee about single moves.
"""

import random
import statistics
import time

import arguments

import quet

SIZES: dict[str, dict[str, object]] = {
    "blob": {"n": 8},
    "convoluted-coprimality": {"n": 8},
    "divisors-multiples": {"r": 64},
    "palindromes": {"m": 64},
    "plusses-minuses": {"n": 8},
    "sequence-ascension": {"n": 8},
    "sums-grid": {"n": 8},
    "up-and-up": {"n": 8},
}


def microseconds(game_id: str, num_games: int) -> tuple[float, float]:
    """The medians for a move through the library, and by the rules with all legal moves listed."""
    library, rules_alone = [], []
    for seed in range(num_games):
        game = quet.new(game_id, **SIZES[game_id])
        generator = random.Random(seed)
        rules, s = game.rules, game.state
        out = [0] * rules.most_moves(s)
        while not rules.is_over(s) and game.ply < 60:
            text = rules.move_text(s, out[generator.randrange(rules.legal_moves(s, out))])
            twin = game.copy()
            began = time.perf_counter()
            assert text in game.legal_moves
            game.play(text)
            _ = game.is_over
            library.append(1e6 * (time.perf_counter() - began))
            move, t = game.numbers[-1], twin.state
            began = time.perf_counter()
            rules.legal_moves(t, out)
            rules.play(t, move)
            rules.is_over(t)
            rules_alone.append(1e6 * (time.perf_counter() - began))
    return statistics.median(library), statistics.median(rules_alone)


def main() -> None:
    """Print the table."""
    arguments.none(__doc__)
    print(f"{'game':24} {'size':8} {'legal, play, over':>17} {'all listed':>11}   microseconds, medians")
    for game_id, size in SIZES.items():
        asked, listed = microseconds(game_id, 3 if game_id == "sums-grid" else 30)
        shown = ", ".join(f"{name}={value}" for name, value in size.items())
        print(f"{game_id:24} {shown:8} {asked:17.1f} {listed:11.1f}")


if __name__ == "__main__":
    main()
