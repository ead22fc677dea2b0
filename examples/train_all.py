"""Makes all entries of agents that learn: each learner at each size of the table, one after the other.

python examples/train_all.py                          # all, about 40 minutes of CPU on one core
python examples/train_all.py dqn ppo --game blob      # two learners in one game
python examples/train_all.py --show                   # print the commands, and run none

At one size all learners have the same MINUTES of CPU, in which measuring doesn't count. Beside them AlphaZero learns
palindromes for longer, until no reply beats it. A tablebase of Blob with n = 6 makes the measurements there quick;
docs/learned-agents.md says how to save it.
"""

import argparse
import importlib
import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from quet.core.parameters import written
from quet.rl import leaderboard

ROOT = Path(__file__).parents[1]
MINUTES = {  # of CPU, by the sizes of the table: AlphaZero gets through five rounds and more
    "palindromes": (0.4, 0.4, 0.4),
    "blob": (0.4, 0.4, 0.4),
    "plusses-minuses": (0.15, 0.15, 0.2),
    "divisors-multiples": (0.15, 0.2, 0.4),
    "up-and-up": (0.15, 0.15, 0.3),
}
LEARNERS = {
    "qlearner": "openspiel_learners.py qlearner",
    "dqn": "openspiel_learners.py dqn",
    "ppo": "ppo.py",
    "alphazero": "alphazero.py",
}
LONGER = {8: 5, 10: 12}  # of palindromes, by m: the most minutes


def commands(asked: Sequence[str], game: str) -> Iterator[str]:
    """The commands, game by game; the longest last."""
    left = {id: list(minutes) for id, minutes in MINUTES.items()}
    for task in leaderboard.tasks(ROOT / "agents"):
        parameters = written(task.game.parameters)
        size = " ".join([task.game.id, *(f"{key}={value}" for key, value in parameters.items())])
        first = next(iter(parameters.values()))
        minutes = left[task.game.id].pop(0)
        for name in asked:
            if game in ("", task.game.id):
                whole = " --whole" if name == "alphazero" else ""
                words = f"{LEARNERS[name]} {size} --minutes {minutes:g}{whole}"
                yield _command(words, f"{name}-{task.game.id}-{first}")
    if "alphazero" in asked and game in ("", "palindromes"):
        for m, longer in LONGER.items():
            words = f'alphazero.py palindromes m={m} --minutes {longer} --name "alphazero, longer"'
            yield _command(words, f"alphazero-longer-palindromes-{m}")


def _command(words: str, name: str) -> str:
    return f"python examples/{words} --seed 1 --out agents/{name}.json --log agents/curves/{name}.tsv"


def main(words: Sequence[str] | None = None) -> int:
    """Run them in this process, which spares loading PyTorch each time; exit status 0."""
    parser = argparse.ArgumentParser(description="Train each learner at each size of the table of agents.")
    parser.add_argument("learners", nargs="*", help=f"some of {', '.join(LEARNERS)} (all)")
    parser.add_argument("--game", choices=sorted(MINUTES), default="", help="only this one")
    parser.add_argument("--show", action="store_true", help="print the commands, and run none")
    given = parser.parse_args(words)
    if unknown := set(given.learners) - set(LEARNERS):
        parser.error(f"there is no learner {', '.join(sorted(unknown))}")
    if len(set(given.learners)) < len(given.learners):
        parser.error("a learner is named twice")
    os.chdir(ROOT)
    for command in commands(given.learners or list(LEARNERS), given.game):
        print(command, flush=True)
        if not given.show:
            program, *rest = shlex.split(command)[1:]
            importlib.import_module(Path(program).stem).main(rest)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
