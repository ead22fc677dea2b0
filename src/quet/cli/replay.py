"""`quet replay`: the records in a file, played again, and how they ended."""

import argparse

from ..records.record import Record
from . import files
from .lines import refuse


def run(options: argparse.Namespace) -> list[dict[str, object]]:
    """Print the records; where JSON is wanted, return what it tells of each instead. Raises BadRecord, BadParameter."""
    if options.json:
        refuse(options, ["steps"], "quet replay --json")
    found = files.load(options.file)
    if options.json:
        return [_outcome(record) for record in found]
    for number, record in enumerate(found, 1):
        if len(found) > 1:
            print(f"Record {number} of {len(found)}")
        if options.steps:
            _print_steps(record)
        else:
            print(record.game)
        print(record.summary)
        if options.variations:
            _print_variations(record)
        if number < len(found):
            print()
    return []


def _print_steps(record: Record) -> None:
    game = record.game.at(0)
    print(game)
    for ply, move in enumerate(record.game.moves, 1):
        print(f"\n{ply}. {move} (player {game.mover})")
        game.play(move)
        print(game)


def _print_variations(record: Record) -> None:
    print("\nVariations:" if record.variations else "\nNo variations.")
    waiting = [(one, 1) for one in reversed(record.variations)]
    while waiting:
        one, depth = waiting.pop()
        words = [f"{{{text}}}" for text in one.comments.get(one.ply - 1, ())]
        for ply, move in enumerate(one.moves, one.ply):
            words += [f"{ply}. {move}", *(f"{{{text}}}" for text in one.comments.get(ply, ()))]
        print("  " * depth + " ".join(words))
        waiting += [(inner, depth + 1) for inner in reversed(one.variations)]


def _outcome(record: Record) -> dict[str, object]:
    return record.json() | {"scores": record.game.scores, "winners": record.winners, "is_over": record.is_over}
