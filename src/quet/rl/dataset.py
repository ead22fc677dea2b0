"""Positions with the exact values of all their moves, as arrays, and as files of NumPy or Parquet.

`make` samples positions in a stated way and asks the oracle. The same arguments make the same file, bit
for bit; `digest` says what is in it.
"""

import hashlib
import io
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..core.arguments import integer, shown
from ..core.errors import BadParameter
from ..core.extras import needs
from ..core.messages import say
from ..core.parameters import written
from ..core.rules import wants_high
from ..game import Game, check_game
from ..knowledge.walks import positions
from ..players.levels import LEVELS
from ..players.meeting import LONGEST_GAME, match
from ..starts import start_line
from .forms import Form
from .oracles import Oracle, oracle

VERSION = 1  # of what `make` makes of a seed, and of the columns; it is in the digest
MOST = 10_000_000  # positions
MOST_BYTES = 2**32  # of all columns, as NumPy has them: the moves of each row take as much as those of the longest
CHARACTER = 4  # bytes of one in a column of texts
LARGEST_SEED = 2**32 - 1
PORTION = 500  # positions between two reports
REPEATABLE = tuple(name for name, level in LEVELS.items() if level.simulations)  # levels that play the same again
SOURCES = ("reachable", "random", *REPEATABLE)
ALL_EQUAL = "no move in any of these positions loses anything. There is nothing to learn from them."
COLUMNS = {
    "moves": "The moves that lead to the position, as text with blanks between them.",
    "mover": "The player to move, 1 or 2.",
    "value": "What the position is worth: player 1's final score minus player 2's if both play perfectly; in a "
    "solitaire the best final score that can still be reached.",
    "observation": "What a program that learns sees, float32, its planes one after the other; see below.",
    "legal": "Of each action whether it is legal.",
    "action_values": "What each action is worth, as `value`; 0 where it is illegal.",
}

Report = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Dataset:
    """Positions that aren't over, with the exact value of each and of all its actions; a row of each array for each."""

    game: Game
    source: str
    seed: int
    moves: list[str]
    mover: NDArray[np.int8]
    value: NDArray[np.int32]
    observation: NDArray[np.float32]
    legal: NDArray[np.bool_]
    action_values: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.moves)

    @property
    def about(self) -> dict[str, object]:
        """What it is of, as JSON can hold it."""
        return {
            "game": self.game.id,
            "parameters": written(self.game.parameters),
            "rules_version": self.game.rules.VERSION,
            "dataset_version": VERSION,
            "positions": len(self),
            "from": self.source,
            "seed": self.seed,
            **_beginning(self.game),
        }

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of what it is of and of all columns, whatever the kind of the file."""
        total = hashlib.sha256(json.dumps(self.about, sort_keys=True).encode())
        total.update("\n".join(self.moves).encode())
        for array in self._arrays.values():
            total.update(array.astype(array.dtype.newbyteorder("<")).tobytes())
        return total.hexdigest()

    @property
    def is_level(self) -> bool:
        """Whether all positions and all of their legal actions have one and the same value."""
        return bool((self.action_values[self.legal] == self.value[0]).all() and (self.value == self.value[0]).all())

    @property
    def card(self) -> str:
        """What somebody who finds the file needs to know, as Markdown."""
        parameters = " ".join(f"{name}={value}" for name, value in written(self.game.parameters).items())
        facts = self.game.entry.facts
        lines = [
            f"# {len(self)} positions of {self.game.entry.title}, {parameters}, with exact values",
            "",
            f"- **Game**: {self.game.entry.title} ({self.game.id}), by {facts['author']}; version "
            f"{self.game.rules.VERSION} of its rules",
            f"- **Positions**: {_how(self.source)}",
            f"- **Values**: exact, by the oracle of Quet {__version__} (`quet.rl.oracle`). The least is "
            f"{self.value.min()}, the mean {self.value.mean():.3f}, the greatest {self.value.max()}.",
            *([f"- **All values are equal**: {ALL_EQUAL}"] if self.is_level else []),
            f"- **Distinct observations**: {len(np.unique(self.observation, axis=0))}",
            *self._how_made(parameters),
            f"- **Digest** (SHA-256 of the columns): `{self.digest}`",
            "",
            "| column | what it has |",
            "|---|---|",
            *(f"| `{name}` | {words} |" for name, words in COLUMNS.items()),
            "",
            f"An observation has the shape {' x '.join(map(str, self.observation.shape[1:]))}. Its planes:",
            "",
            *(f"- {name}: {words}" for name, words in Form(self.game.id, self.game.parameters).planes.items()),
            "",
        ]
        return "\n".join(lines)

    def _how_made(self, parameters: str) -> list[str]:
        """Lines of the card that say how it is made again; the command begins with the rules' first position alone."""
        begins = _beginning(self.game)
        if not begins:
            return [
                f"- **Made again by**: `quet dataset {self.game.id} {parameters} --positions {len(self)} --from "
                f"{self.source} --seed {self.seed} --out FILE`"
            ]
        lines = [f"- **Made again by**: `quet.rl.dataset.make(game, {len(self)}, {self.source!r}, {self.seed})`"]
        if "start" in begins:
            lines.append(f"- **Begins with**: the position `{begins['start']}` on paper; `moves` are those after it")
        if "after" in begins:
            lines.append(f"- **Begins after**: `{begins['after']}`; `moves` have these moves, too")
        return lines

    def npz(self) -> bytes:
        """A file of NumPy: an array for each column, and `about`, `card` and `digest` as texts."""
        out = io.BytesIO()
        texts = {"about": json.dumps(self.about), "card": self.card, "digest": self.digest}
        np.savez_compressed(out, moves=np.array(self.moves), **self._arrays, **texts)  # type: ignore[arg-type]
        return out.getvalue()

    def parquet(self) -> bytes:
        """A file of Parquet: a column for each, and `quet.about`, `quet.card` and `quet.digest` in its metadata.

        Raises MissingExtra where pyarrow isn't installed.
        """
        with needs("rl", "pyarrow"):
            import pyarrow
            from pyarrow import parquet

        columns: dict[str, object] = {"moves": self.moves}
        for name, array in self._arrays.items():
            flat = pyarrow.array(array.reshape(-1))
            is_wide = array.ndim > 1
            columns[name] = (
                pyarrow.FixedSizeListArray.from_arrays(flat, int(np.prod(array.shape[1:]))) if is_wide else flat
            )
        told = {"quet.about": json.dumps(self.about), "quet.card": self.card, "quet.digest": self.digest}
        out = io.BytesIO()
        parquet.write_table(pyarrow.table(columns).replace_schema_metadata(told), out, compression="zstd")
        return out.getvalue()

    @property
    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        return {
            "mover": self.mover,
            "value": self.value,
            "observation": self.observation,
            "legal": self.legal,
            "action_values": self.action_values,
        }


def make(
    game: Game,
    num: SupportsIndex,
    source: str,
    seed: SupportsIndex,
    report: Report = lambda done, total, words: None,
) -> Dataset:
    """So many positions that can come after this one, sampled as `source` says, with their values.

    "reachable": each position of the game equally likely, none twice. "random": from games of random moves. A level's
    name: from games of that level. Raises BadPaper where the game begins with a position that can't be written as one
    line, BadParameter, also where all columns take more than 4 GB and where actions
    aren't the rules' moves, NotSolved, and what `quet.rl.oracle` raises.
    """
    check_game(game)
    num = integer(say("The number of positions"), num, 1, MOST)
    seed = integer(say("The seed"), seed, 0, LARGEST_SEED)
    if not isinstance(source, str) or source not in SOURCES:
        raise BadParameter(
            say("Positions come from one of {names}, not {source}.", names=", ".join(SOURCES), source=shown(source))
        )
    form = Form(game.id, game.parameters)
    form.check_moves()
    _beginning(game)  # what it can't tell is refused before the work
    shape, num_actions = form.bounds.shape, form.bounds.num_actions
    if num * (4 * int(np.prod(shape)) + 5 * num_actions) > MOST_BYTES:
        raise BadParameter(say("{num} positions of this size take more than 4 GB.", num=num))
    known = oracle(game)
    made = Dataset(
        game.copy(),
        source,
        seed,
        [],
        np.zeros(num, np.int8),
        np.zeros(num, np.int32),
        np.zeros((num, *shape), np.float32),
        np.zeros((num, num_actions), np.bool_),
        np.zeros((num, num_actions), np.int32),
    )
    waiting: list[Game] = []
    for position in sampled(game, num, source, seed):
        waiting.append(position)
        if len(waiting) == PORTION or len(made) + len(waiting) == num:
            _add(made, form, known, waiting)
            report(len(made), num, "positions")
            waiting.clear()
    return made


def _beginning(game: Game) -> dict[str, str]:
    """Where positions begin, unless it is the first one of the rules. Raises BadPaper."""
    told = {"start": start_line(game), "after": " ".join(game.moves)}
    return {name: text for name, text in told.items() if text}


def _add(made: Dataset, form: Form, known: Oracle, games: list[Game]) -> None:
    begin, num = len(made), len(made.mover)
    part = slice(begin, begin + len(games))
    made.moves.extend(" ".join(game.moves) for game in games)
    longest = max(map(len, made.moves[part]))
    if sum(array.nbytes for array in made._arrays.values()) + num * CHARACTER * longest > MOST_BYTES:
        raise BadParameter(say("With the texts of their moves {num} positions take more than 4 GB.", num=num))
    for i, game in enumerate(games, begin):
        made.mover[i] = game.rules.mover(game.state)
        form.observe(game.state, made.observation[i])
        if not known.has_table:
            worths = known.moves(game)
            best = max if wants_high(game.rules, game.rules.mover(game.state)) else min
            made.value[i] = best(worths.values())
            for action in form.legal_actions(game.state):
                made.legal[i, action] = True
                made.action_values[i, action] = worths[form.text(game.state, action)]
    if known.has_table:
        found = known.look_up(games)
        made.value[part], made.action_values[part], made.legal[part] = found.positions, found.actions, found.legal


def sampled(game: Game, num: int, source: str, seed: int) -> Iterator[Game]:
    """So many positions that aren't over, by `source` and seed as `make` has them. Raises BadParameter.

    Random numbers are made by `random.Random.random` alone, which Python promises to keep.
    """
    if game.is_over:
        raise BadParameter(say("The game is over."))
    chance = random.Random(seed)
    if source == "reachable":
        found = positions(game)
        going_on = np.flatnonzero(found.movers)
        if num > len(going_on):
            raise BadParameter(say("There are only {count} positions that aren't over.", count=len(going_on)))
        for i in range(num):
            j = i + _below(chance, len(going_on) - i)
            going_on[[i, j]] = going_on[[j, i]]
            yield found[int(going_on[i])]
        return
    for _ in range(num):
        if source == "random":
            end = game.copy()
            while not end.is_over:
                moves = end.legal_numbers()
                end.push(moves[_below(chance, len(moves))])
                if end.ply - game.ply > LONGEST_GAME:
                    raise BadParameter(say("The game has not ended after {longest} moves.", longest=LONGEST_GAME))
        else:
            end = match(game, source, seed=_below(chance, 1 << 32)).game
        yield end.at(game.ply + _below(chance, end.ply - game.ply))


def _below(chance: random.Random, count: int) -> int:
    return int(chance.random() * count)


def _how(source: str) -> str:
    """In a sentence, how positions were sampled."""
    if source == "reachable":
        return "drawn from all positions that can be reached and aren't over, all equally likely and none twice"
    play = "All legal moves are equally likely." if source == "random" else f"Computer player {source} plays all moves."
    return f"each is from a game of its own, one of its positions before the end, all equally likely. {play}"
