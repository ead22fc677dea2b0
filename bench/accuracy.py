"""How often a computer player keeps what perfect play promises: accuracy against exact values, not against programs.

    python bench/accuracy.py sample palindromes m=12 --out palindromes-12.jsonl
    python bench/accuracy.py play palindromes-12.jsonl --player level:6

`sample` plays games of levels against themselves, from two random plies on, and draws positions from them, each once.
It keeps those where not all moves are equally good, with the exact value of every move: the mover's final advantage.
Positions whose values aren't found in time are left out, and it says how many. Saved tablebases help here. With
`--after` only positions after so many plies are drawn, where a large game can be solved.

`play` asks a player for a move in each position. It prints the share of positions in which the move keeps the result (a
win, a draw), and the share in which it keeps the margin, with their 95 % intervals (Wilson), and the mean number of
points lost. The player sees no saved tablebases. With `--cpu` the player is given CPU time, so that a busy machine
weakens nothing.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
import types
from collections.abc import Iterator
from pathlib import Path

import quet
from quet.core import clock
from quet.core.parameters import split_parameters, written
from quet.knowledge.values import exact_values
from quet.rl.measure import share

LEVELS = tuple(f"level:{strength}" for strength in range(1, 7))
OPENING = 2  # random plies


def sample(
    game: quet.Game, num_positions: int, seed: int, seconds: float, memory: int, after: int = 0
) -> tuple[list[str], int]:
    """Lines of JSON, a position each, and how many positions were left out for want of values."""
    chance = random.Random(seed)
    seen: set[object] = set()
    lines: list[str] = []
    num_left_out = num_idle = 0
    while len(lines) < num_positions and num_idle < 50:
        before = len(seen)
        for position in _positions(game, chance):
            if position.ply < after or position.key() in seen or len(lines) == num_positions:
                continue
            seen.add(position.key())
            values = exact_values(position, seconds=seconds, memory=memory)
            if values is None:
                num_left_out += 1
            elif len(set(values.values())) > 1:
                about = {"game": game.id, "parameters": written(game.parameters), "moves": position.moves}
                lines.append(json.dumps(about | {"values": values}))
        num_idle = num_idle + 1 if len(seen) == before else 0
    return lines, num_left_out


def _positions(game: quet.Game, chance: random.Random) -> Iterator[quet.Game]:
    """The positions of one game of a level against itself, in a random order."""
    name = chance.choice(LEVELS)
    players = [quet.player(name, chance.randrange(2**32)) for _ in game.players]
    game = game.copy()
    found = []
    while not game.is_over:
        assert game.mover is not None
        found.append(game.copy())
        if game.ply < OPENING:
            game.play(chance.choice(game.legal_moves))
        else:
            game.play(players[game.mover - 1].choose(game))
    chance.shuffle(found)
    yield from found


def play(lines: list[str], name: str, seed: int) -> dict[str, object]:
    """How a player does in these positions."""
    results = margins = lost = 0
    for line in lines:
        about = json.loads(line)
        game = quet.new(about["game"], **about["parameters"])
        for move in about["moves"]:
            game.play(move)
        values = about["values"]
        best, found = max(values.values()), values[quet.player(name, seed, num_threads=1).choose(game)]
        results += _sign(best) == _sign(found)
        margins += best == found
        lost += best - found
    number = len(lines)
    result, margin = share(results, number), share(margins, number)
    return {
        "player": name,
        "positions": number,
        "result kept": [result.value, result.low, result.high],
        "margin kept": [margin.value, margin.low, margin.high],
        "points lost": lost / number,
    }


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def main() -> None:
    """Draw positions, or let a player move in them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, dest="command")
    drawing = commands.add_parser("sample")
    drawing.add_argument("game")
    drawing.add_argument("parameters", nargs="*")
    drawing.add_argument("--positions", type=int, default=1000)
    drawing.add_argument("--seconds", type=float, default=30.0, help="for the values of a position")
    drawing.add_argument("--memory", type=int, default=2048, help="MB")
    drawing.add_argument("--after", type=int, default=0, help="plies before the first position that is drawn")
    drawing.add_argument("--out", type=Path, required=True)
    playing = commands.add_parser("play")
    playing.add_argument("file", type=Path)
    playing.add_argument("--player", default="level:6")
    playing.add_argument("--cpu", action="store_true", help="the clock counts the CPU time of this process")
    for command in (drawing, playing):
        command.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.command == "sample":
        game = quet.new(options.game, **split_parameters(options.parameters))
        limits = options.seconds, options.memory * 2**20, options.after
        lines, num_left_out = sample(game, options.positions, options.seed, *limits)
        options.out.write_text("".join(f"{line}\n" for line in lines))
        print(f"{len(lines)} positions; {num_left_out} were left out, as their values weren't found in time")
    else:
        if options.cpu:
            clock.time = types.SimpleNamespace(perf_counter=time.process_time)  # type: ignore[attr-defined]
        with tempfile.TemporaryDirectory() as empty:
            os.environ["QUET_TABLES"] = empty
            print(json.dumps(play(options.file.read_text().splitlines(), options.player, options.seed)))


if __name__ == "__main__":
    try:
        main()
    except quet.QuetError as error:
        sys.exit(f"{error}")
