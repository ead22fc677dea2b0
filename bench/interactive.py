"""How long an interactive move takes in plain Python: list the legal moves, play one, ask whether the game is over.

    python bench/interactive.py

Prints, for each game at its size nearest to 8x8, the median over whole random games, in microseconds a move. The
house's bar is 50. The sums grid is not played move by move: every number for every square is listed, 32,768 moves on
8x8, so its listing stands beside what a person's move takes (read, check against the rules, play).
"""

import random
import statistics
import time

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
    """The medians for listing, playing and asking by number, and for a move given as text."""
    rules_times, text_times = [], []
    for seed in range(num_games):
        game = quet.new(game_id, **SIZES[game_id])
        generator = random.Random(seed)
        rules, s = game.rules, game.state
        out = [0] * rules.most_moves(s)
        while not rules.is_over(s) and game.ply < 60:
            before = time.perf_counter()
            count = rules.legal_moves(s, out)
            listed = time.perf_counter()
            text = rules.move_text(s, out[generator.randrange(count)])
            played = time.perf_counter()
            game.play(text)
            _ = game.is_over
            after = time.perf_counter()
            rules_times.append(1e6 * (listed - before + after - played))
            text_times.append(1e6 * (after - played))
    return statistics.median(rules_times), statistics.median(text_times)


def main() -> None:
    """Print the table."""
    print(f"{'game':24} {'size':8} {'list, play, over':>17} {'play, over':>11}   microseconds, medians")
    for game_id, size in SIZES.items():
        total, text = microseconds(game_id, 3 if game_id == "sums-grid" else 30)
        shown = ", ".join(f"{name}={value}" for name, value in size.items())
        print(f"{game_id:24} {shown:8} {total:17.1f} {text:11.1f}")


if __name__ == "__main__":
    main()
