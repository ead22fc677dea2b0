"""`level:6` against plain UCT at equal simulations, and against OpenSpiel's MCTSBot at equal time or simulations.

    python bench/opponents.py uct --results bench/tournaments/opponents-uct.jsonl
    python bench/opponents.py mctsbot --results bench/tournaments/opponents-mctsbot.jsonl
    python bench/opponents.py level:5 --results bench/tournaments/opponents-level-5.jsonl

The matches are those of `openings.py`, played as in `quet arena`: each balanced opening with both sides. A score is the
share of the wins, with its 95 % interval and the opening as the unit. The results are in a file of the same kind, so
that the same command continues a match that was stopped. Both sides play a forced move without thinking.
docs/opponents.md has the results.
"""

import argparse
import math
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import openings
import uct

import quet
from quet.core.errors import BadParameter
from quet.engine import arrays
from quet.engine.compiled import compiled
from quet.players.arena import Fixture, Result, Results, Tournament, after_opening, strength, tables
from quet.players.levels import LEVELS, LevelPlayer
from quet.players.player import Player
from quet.players.standings import Estimate, opening_scores, share_interval, standings

LEVEL = "level:6"
OPPONENTS = ("uct", "mctsbot", "level:5")
SIMULATIONS = 10_000  # a move, of both sides, against plain UCT
KNOWING_SECONDS = LEVELS[LEVEL].knowing_seconds
SECONDS = LEVELS[LEVEL].seconds + KNOWING_SECONDS  # a move: the level first tries to solve, and then searches
LONGEST = 4096  # moves of one simulation
MEGABYTES = 256  # of MCTSBot's tree
UCT_C = 2.0  # of MCTSBot, as in OpenSpiel's own examples; its rewards are -1 to 1
UNLIMITED = 2**31 - 1  # simulations of MCTSBot


@dataclass(frozen=True)
class Limit:
    """How much both sides may think about a move: so many simulations, or so many seconds."""

    simulations: int | None
    seconds: float = math.inf

    def __str__(self) -> str:
        return f"{self.seconds:g} s" if self.simulations is None else f"{self.simulations} simulations"


class Level:
    """`level:6` as people meet it: it plays best moves where it can solve the position at once. It has one thread, as
    the others have.
    """

    def __init__(self, limit: Limit, seed: int) -> None:
        self._limit = limit
        level = LEVELS[LEVEL]
        if limit.simulations is None:
            level = replace(level, seconds=limit.seconds - KNOWING_SECONDS)
        self._player = LevelPlayer(level, seed, num_threads=1)

    def choose(self, game: quet.Game) -> str:
        """A legal move."""
        if self._limit.simulations is None:
            return self._player.choose(game)
        known = self._player.known(game)
        if known is not None and known.has_all:
            return known.moves[0]
        return self._player.choose(game, simulations=self._limit.simulations)


class PlainUct:
    """Plays by the search of `uct`."""

    def __init__(self, game: quet.Game, limit: Limit, seed: int) -> None:
        if limit.simulations is None:
            raise BadParameter("Plain UCT thinks for a number of simulations.")
        self._num_simulations = limit.simulations
        self._module = compiled(uct, rules=game.rules)
        self._moves = np.zeros(game.rules.most_moves(game.state), np.int64)
        self._nodes = np.zeros(1 + (limit.simulations + 1) * len(self._moves), uct.NODE)
        self._path = np.zeros(LONGEST + 1, np.int32)
        self._reward = np.zeros(game.num_players + 1)
        self._rng = np.array([random.Random(seed).getrandbits(63) + 1], np.uint64)

    def choose(self, game: quet.Game) -> str:
        """The move with the most visits."""
        root = arrays.pack([game.state])
        self._module.search(
            self._nodes,
            root,
            root.copy(),
            self._moves,
            self._path,
            self._reward,
            self._rng,
            self._num_simulations,
            LONGEST,
        )
        children = self._nodes[1 : 1 + int(self._nodes[0]["count"])]
        return game.rules.move_text(game.state, int(children["move"][np.argmax(children["visits"])]))


class MctsBot:
    """Plays by OpenSpiel's MCTSBot, with random playouts and its solver, in the game as OpenSpiel has it."""

    def __init__(self, game: quet.Game, limit: Limit, seed: int) -> None:
        import pyspiel

        from quet.rl import openspiel

        self._action = openspiel.mcts_action
        shown = ",".join(f"{name}={value}" for name, value in game.parameters.items())
        self._game = pyspiel.load_game(f"quet_{game.id.replace('-', '_')}({shown})")
        self._bot = pyspiel.MCTSBot(
            self._game,
            pyspiel.RandomRolloutEvaluator(1, seed),
            UCT_C,
            UNLIMITED if limit.simulations is None else limit.simulations,
            MEGABYTES,
            solve=True,
            seed=seed,
            verbose=False,
            max_wall_clock_time=-1.0 if limit.simulations is not None else limit.seconds,
        )

    def choose(self, game: quet.Game) -> str:
        """The move that the bot chooses."""
        state = self._game.new_initial_state()
        for move in game.moves:
            state.apply_action(state.string_to_action(move))
        return str(state.action_to_string(self._action(self._bot, state)))


@dataclass(frozen=True)
class Match(Tournament):
    """A tournament of `level:6` and an opponent that is no level."""

    limit: Limit = field(kw_only=True)
    openings: Sequence[int] = field(kw_only=True)  # numbers of the arena's

    def fixtures(self) -> list[Fixture]:
        """Every game of the match, opening by opening."""
        weaker, stronger = self.players
        is_level = weaker in LEVELS
        meaning = {
            weaker: strength(self.game, weaker) if is_level else f"{self.limit}",
            stronger: self._strength(),
        }
        return [
            self._fixture(opening, seats, tuple(meaning[name] for name in seats))
            for opening in self.openings[: self.num_openings]
            for seats in tables(weaker, stronger, self.game.num_players)
        ]

    def _strength(self) -> str:
        meant = strength(self.game, LEVEL)
        limit = f"{self.limit.seconds - KNOWING_SECONDS:g} s" if self.limit.simulations is None else str(self.limit)
        return meant.replace(f"{LEVELS[LEVEL].seconds} s", limit, 1)

    def compile(self) -> None:
        """Let each player find a move, so that compiling takes no time from a game."""
        fixture = self.fixtures()[0]
        game = after_opening(fixture)
        for seat in range(len(fixture.seats)):
            self._seated(fixture, seat).choose(game)
        LevelPlayer(LEVELS[LEVEL], num_threads=1).choose(game, simulations=1)  # where the position was solved

    def play(self, fixture: Fixture, spent: Mapping[str, list[float]]) -> Result:
        """Play a game of the match to its end; the seconds of each thought are added to the player's in `spent`."""
        game = after_opening(fixture)
        players = [self._seated(fixture, seat) for seat in range(len(fixture.seats))]
        while not game.is_over:
            seat = (game.mover or 0) - 1
            if len(game.legal_numbers()) == 1:
                move = game.legal_moves[0]
            else:
                begun = time.perf_counter()
                move = players[seat].choose(game)
                spent[fixture.seats[seat]].append(time.perf_counter() - begun)
            game.play(move)
        return Result(fixture, tuple(game.moves), tuple(game.scores), tuple(game.winners))

    def _seated(self, fixture: Fixture, seat: int) -> Player:
        name = fixture.seats[seat]
        seed = random.Random(f"player {fixture.seed} {fixture.opening} {' '.join(fixture.seats)} {seat}").getrandbits(
            30
        )
        if name == LEVEL:
            return Level(self.limit, seed)
        if name in LEVELS:
            return LevelPlayer(replace(LEVELS[name], seconds=math.inf), seed)
        return (PlainUct if name == "uct" else MctsBot)(self.game, self.limit, seed)


def row(match: Match, label: str, results: Sequence[Result]) -> str:
    """The line of a match in the table, in Markdown."""
    meeting = standings(match, results).meetings[0]
    return (
        f"| {label} | {len(results)} | {percent(meeting.score)} "
        f"| {meeting.won} | {meeting.drawn} | {meeting.lost} | {meeting.level_openings} of {meeting.openings} |"
    )


def percent(estimate: Estimate) -> str:
    """An estimate in percent, as in `62 [55, 68]`."""
    return f"{100 * estimate.value:.0f} [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"


def table(matches: Mapping[str, Match], results: Results) -> Iterator[str]:
    """Play the games that are missing, and make each line of the table as soon as its match is over."""
    yield f"| match | games | score of {LEVEL}, % | won | drawn | lost | openings even |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    scores: list[float] = []
    spent: dict[str, list[float]] = defaultdict(list)
    for label, match in matches.items():
        missing = results.missing(match)
        if missing:
            match.compile()
        for fixture in missing:
            results.add(match.play(fixture, spent))
        found = results.of(match)
        scores += opening_scores(match, match.pairs[0], found).values()
        yield row(match, label, found)
    yield f"| all | | {percent(share_interval(scores))} | | | | |"
    for name, seconds in spent.items():
        mean = sum(seconds) / len(seconds)
        yield f"\n{name} thought {len(seconds)} times, {mean:.2f} s on average and {max(seconds):.2f} s at most."


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description="level:6 against other programs.")
    parser.add_argument("opponent", choices=OPPONENTS)
    parser.add_argument(
        "matches", nargs="*", metavar="match", help=f"of {', '.join(openings.MATCHES)}; all of them by default"
    )
    parser.add_argument("--games", type=int, default=100, help="of each match, at least")
    parser.add_argument("--simulations", type=int, help="a move, of both sides; MCTSBot has equal time without it")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="a move, of both sides; the level's by default")
    parser.add_argument("--results", help="file that keeps the games, and from which they are taken up again")
    options = parser.parse_args()
    try:
        matches = planned(options)
        results = Results(options.results)
        for line in table(matches, results):
            print(line, flush=True)
    except quet.QuetError as error:
        sys.exit(f"opponents: {error}")


def planned(options: Any) -> dict[str, Match]:
    """The matches asked for, by name; raises BadParameter."""
    book = openings.book()
    for label in options.matches:
        if label not in openings.MATCHES:
            raise BadParameter(f"There is no match {label}; there is {', '.join(openings.MATCHES)}.")
    if not 1 <= options.games <= 2 * openings.NUM_OPENINGS:
        raise BadParameter(f"The number of games must be from 1 to {2 * openings.NUM_OPENINGS}.")
    simulations = options.simulations
    if simulations is None and options.opponent == "uct":
        simulations = SIMULATIONS
    if simulations is not None and not 1 <= simulations <= 1_000_000:
        raise BadParameter("The number of simulations must be from 1 to 1000000.")
    if not KNOWING_SECONDS < options.seconds <= 60:
        raise BadParameter(f"The seconds must be more than {KNOWING_SECONDS} and at most 60.")
    limit = Limit(simulations, options.seconds)
    found = {}
    for label in options.matches or openings.MATCHES:
        game_id, parameters, plies = openings.MATCHES[label]
        found[label] = Match(
            quet.new(game_id, **parameters),
            (options.opponent, LEVEL),
            options.games,
            openings.SEED,
            plies,
            limit=limit,
            openings=book[label],
        )
    return found


if __name__ == "__main__":
    main()
