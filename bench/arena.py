"""`quet arena`, but its clock counts processor time, so that a busy machine weakens no level that thinks for a time.

    python bench/arena.py blob n=8 --players level:5,level:6 --games 60 --openings 4 --results level-6.jsonl

Threads share that time: level:6 has half a second of one core for a move.
"""

import sys
import time
import types

from quet.cli.main import main
from quet.core import clock

if __name__ == "__main__":
    clock.time = types.SimpleNamespace(perf_counter=time.process_time)  # type: ignore[attr-defined]
    sys.exit(main(["arena", *sys.argv[1:]]))
