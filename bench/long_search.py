"""What a long search finds, from 1,000 simulations to 10,000,000: the move, its value, and the nodes of the tree.

    python bench/long_search.py blob n=8
    python bench/long_search.py palindromes m=24 10000000 64

After the game and one parameter come the most simulations, and the MB of memory (256 unless it is given). Each row of
the table is printed when it is reached. The table of docs/notes/speed.md is made so.
"""

import sys

import quet
from quet.knowledge.search import search_for

FIRST = 1_000  # simulations before the first row
STEP = 3.1622776601683795  # rows have so many times the simulations of the one above: two rows for a factor of ten


def main() -> None:
    """Print what the module says."""
    id, parameter, *rest = sys.argv[1:]
    most, megabytes = [int(text) for text in rest] + [10_000_000, 256][len(rest) :]
    name, value = parameter.split("=")
    game = quet.new(id, **{name: int(value)})
    search = search_for(game, seed=1, memory=megabytes * 2**20)
    print("| simulations | move | its share of them | value | nodes | seconds |")
    print("|--:|---|--:|--:|--:|--:|", flush=True)
    done, seconds, aim = 0, 0.0, float(FIRST)
    while done < most:
        found = search.run(simulations=min(most, round(aim)) - done)
        done += found.num_simulations
        seconds += found.seconds
        move = game.rules.move_text(game.state, found.move)
        share = found.candidates[0].visits / max(1, sum(candidate.visits for candidate in found.candidates))
        row = f"| {done:,} | {move} | {share:.2f} | {found.value:.3f} | {found.num_nodes:,} | {seconds:.1f} |"
        print(row, flush=True)
        if found.is_solved:
            break
        aim *= STEP


if __name__ == "__main__":
    main()
