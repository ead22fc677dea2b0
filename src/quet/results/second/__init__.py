"""Second ways to proven values: of each game one that has nothing in common with the first but the rules at most.

Each is simple rather than fast. For `confirm.py` a module has `LARGEST`, the size up to which it is minutes of work;
`WORDS`, what it does, for certificates; and `value(row, until)`. For more than two players it has `MOST_PLAYERS` and
`scores(size, players, until)`, what each has in the end. Both are None when `time.monotonic()` is `until` before.
"""
