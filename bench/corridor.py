"""A way to fill a corridor of Up And Up beside an empty half plane, over and over.

    python bench/corridor.py

Columns count to the right and rows upward, both without end. Upward corridors are filled one after another, each WIDTH
columns to the right of the one before. In a corridor the moves of PATTERN come again and again, each time HEIGHT rows
higher. No edge is straight: a corridor leaves squares to later ones, and reaches far to the right. This checks that
every square is filled once, and that the rules allow each move, though nothing to the right is filled yet. What is
missing for a construction are the edges of the grid, its corners and its middle (docs/notes/proofs.md).
"""

import arguments

WIDTH, HEIGHT = 7, 4
# Column, row and length of the step of each move in turn; the last one is the first of the next period.
PATTERN = """
    0,5,5 0,11,6 0,18,7 8,18,8 8,27,9 8,37,10 8,48,11 20,48,12 33,48,13 33,62,14 18,62,15 34,62,16 51,62,17 51,44,18
    51,25,19 31,25,20 31,4,21 31,26,22 31,3,23 55,3,24 30,3,25 4,3,26 5,3,1 5,1,2 6,1,1 4,1,2 4,4,3 0,4,4
"""
MOVES = [tuple(map(int, move.split(","))) for move in PATTERN.split()]


def when() -> dict[tuple[int, int], tuple[int, int, int]]:
    """The move that fills a square, by column and row up to whole corridors and periods: its column, row and number.

    Raises ValueError where two do, or none.
    """
    found = {(column % WIDTH, row % HEIGHT): (column, row, number) for number, (column, row, _) in enumerate(MOVES)}
    if len(found) != len(MOVES) or len(MOVES) != WIDTH * HEIGHT:
        raise ValueError("A square is filled twice, or never.")
    return found


def broken() -> list[str]:
    """The moves that the rules don't allow, as sentences."""
    fills, sentences = when(), []

    def time(column: int, row: int) -> tuple[int, int, int]:
        """The corridor, the period in it and the move that fill a square; those that come first are less."""
        own_column, own_row, number = fills[column % WIDTH, row % HEIGHT]
        return (column - own_column) // WIDTH, (row - own_row) // HEIGHT, number

    def at_distance(column: int, row: int, k: int) -> list[tuple[int, int]]:
        return [(column + k, row), (column - k, row), (column, row + k), (column, row - k)]

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
    sentences = broken()
    columns, rows = ([move[place] for move in MOVES] for place in (0, 1))
    print(
        *sentences or [f"The corridor is filled: {len(MOVES)} squares in {HEIGHT} rows and {WIDTH} columns."], sep="\n"
    )
    print(f"Its moves reach over {max(columns) - min(columns) + 1} columns and {max(rows) - min(rows) + 1} rows.")


if __name__ == "__main__":
    main()
