"""A way to fill corridors of Up And Up beside an empty half plane, one after another, up and down in turn.

    python bench/corridor.py

Columns count to the right and rows upward, both without end. The corridors are filled from left to right, each WIDTH
columns further than the one before: the first one upward, the next one downward, as if in a mirror, and so on. In an
upward corridor the moves of PATTERN come again and again, each time HEIGHT rows higher. No edge is straight: a corridor
leaves squares to later ones, and reaches far to the right. This checks that every square is filled once, and that the
rules allow each move, though nothing to the right is filled yet. What is missing for a construction are the turns from
one corridor to the next, and the edges of the grid (docs/notes/proofs.md).
"""

import arguments

WIDTH, HEIGHT = 5, 6
MIRROR = 5  # a downward corridor has in row MIRROR - r what an upward one has in row r
# Column, row and length of the step of each move in turn; the last one is the first of the next period.
PATTERN = """
    0,2,2 3,2,3 3,-2,4 8,-2,5 14,-2,6 14,-3,1 16,-3,2 16,0,3 16,4,4 21,4,5 27,4,6 27,-3,7 19,-3,8 19,-12,9 19,-2,10
    19,-13,11 7,-13,12 20,-13,13 6,-13,14 6,2,15 7,2,1 5,2,2 8,2,3 8,6,4 8,11,5 2,11,6 2,10,1 0,10,2 0,7,3 0,6,1
"""
MOVES = [tuple(map(int, move.split(","))) for move in PATTERN.split()]
Time = tuple[int, int, int]  # the corridor, the period in it and the move: what is less comes first


def fills() -> dict[tuple[int, int], list[tuple[int, int, int, int]]]:
    """What fills a square, by its column and row up to two corridors and a period.

    For each way: 0 in an upward corridor, 1 in a downward one; and the column, row and number of the move there.
    """
    found: dict[tuple[int, int], list[tuple[int, int, int, int]]] = {}
    for number, (column, row, _) in enumerate(MOVES):
        found.setdefault((column % (2 * WIDTH), row % HEIGHT), []).append((0, column, row, number))
        mirrored = ((column + WIDTH) % (2 * WIDTH), (MIRROR - row) % HEIGHT)
        found.setdefault(mirrored, []).append((1, column, row, number))
    return found


def broken() -> list[str]:
    """What isn't as it should be, as sentences."""
    ways, sentences = fills(), []
    if len(ways) != 2 * WIDTH * HEIGHT or any(len(each) > 1 for each in ways.values()):
        return ["A square is filled twice, or never."]

    def time(column: int, row: int) -> Time:
        """When a square is filled."""
        ((is_down, own_column, own_row, number),) = ways[column % (2 * WIDTH), row % HEIGHT]
        corridor = 2 * ((column - WIDTH * is_down - own_column) // (2 * WIDTH)) + is_down
        return corridor, ((MIRROR - row if is_down else row) - own_row) // HEIGHT, number

    def at_distance(column: int, row: int, k: int) -> list[tuple[int, int]]:
        return [(column + k, row), (column - k, row), (column, row + k), (column, row - k)]

    # The moves in a downward corridor are the same in a mirror, which also turns the order of corridors into itself.
    column, row, step = MOVES[-1][0], MOVES[-1][1] - HEIGHT, MOVES[-1][2]
    now = (0, -1, len(MOVES) - 1)
    for number, (to_column, to_row, to_step) in enumerate(MOVES):
        if to_step != step + 1 and any(time(*square) > now for square in at_distance(column, row, step + 1)):
            sentences.append(f"Before move {number} a square {step + 1} away is empty.")
        if to_step not in (1, step + 1) or (to_column, to_row) not in at_distance(column, row, to_step):
            sentences.append(f"Move {number} has another distance.")
        column, row, step, now = to_column, to_row, to_step, (0, 0, number)
    return sentences


def main() -> None:
    """Print what the module says."""
    arguments.parser(__doc__).parse_args()
    columns, rows = ([move[place] for move in MOVES] for place in (0, 1))
    print(*broken() or [f"Corridors are filled: {len(MOVES)} squares for {HEIGHT} rows and {WIDTH} columns."], sep="\n")
    print(f"The moves reach over {max(columns) - min(columns) + 1} columns and {max(rows) - min(rows) + 1} rows.")


if __name__ == "__main__":
    main()
