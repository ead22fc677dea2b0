"""`quet dataset`: positions with exact values of all moves, in a file, with a card that says what they are."""

import sys
from collections.abc import Mapping
from pathlib import Path

from ..core.errors import BadParameter
from ..core.parameters import written
from ..game import new
from ..rl.dataset import ALL_EQUAL, make
from . import files
from .progress import progress

KINDS = (".parquet", ".npz")
STOPPED_STATUS = "stopped"


def run(
    game_id: str, parameters: Mapping[str, object], *, num: int, source: str, seed: int, out: str, is_json: bool
) -> dict[str, object]:
    """Make the file and its card, and print what they are unless JSON is wanted. Returns what JSON tells.

    Raises UnknownGame, BadParameter, NotSolved and MissingExtra. Ctrl-C leaves no file.
    """
    if Path(out).suffix not in KINDS:
        raise BadParameter("The file must end with .parquet or .npz.")
    files.check_writable(out)
    card = f"{out}.md"
    files.check_apart({"--out": out, "the card": card}, files.of_parameters(parameters))
    game = new(game_id, **parameters)
    about: dict[str, object] = {
        "game": game.id,
        "parameters": written(game.parameters),
        "positions": num,
        "from": source,
        "seed": seed,
    }
    done = 0
    try:
        with progress() as report:

            def count(now: int, total: int, words: str) -> None:
                nonlocal done
                done = now
                report(now, total, words)

            made = make(game, num, source, seed, count)
            content = made.npz() if Path(out).suffix == ".npz" else made.parquet()
    except KeyboardInterrupt:
        if not is_json:
            print(f"Stopped: {done} of {num} positions were made by then, and no file was written.")
        return about | {"status": STOPPED_STATUS, "made": done}
    files.write(out, content)
    files.write(card, made.card.encode())
    if made.is_level:
        print(f"quet: All values are equal: {ALL_EQUAL}", file=sys.stderr)
    if not is_json:
        print(f"Made {num} positions of {game.entry.title}: {out}, described in {card}. Their digest: {made.digest}")
    return about | {"status": "done", "file": out, "card": card, "digest": made.digest}
