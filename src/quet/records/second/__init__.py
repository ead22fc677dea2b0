"""Second ways to proven values: of each game one that has nothing in common with the first but the rules at most.

Each is simple rather than fast. A module has `LARGEST`, the size up to which it is minutes of work; `WORDS`, what it
does, for certificates; and `value(row, until)`, None when `time.monotonic()` is `until` before.
"""
