"""Second ways to proven values: of each game one that has nothing in common with the first but the rules at most.

Each is simple rather than fast. For `confirm.py` a module has `LARGEST`, the size up to which it is minutes of work;
`WORDS`, what it does, for certificates; and `value(row, until)`. For `beyond.py` it has `scores(size, players, until)`,
what each of several players has in the end, or `num_games(size, until)`, how many games there are of each score. All
are None when `time.monotonic()` is `until` before.
"""
