"""Matches between computer players, which show how strong each is: `quet arena`. `standings.py` sums them up.

Two players meet in openings, which are positions after a few random moves. From each opening they play all seatings
that `tables` lists. So each player sits in every seat equally often, and neither a seat nor a lucky opening favours one
of them. Half of the wins is then a fair share, whatever the number of seats.

The fixture alone decides how a game goes, unless a level thinks for a time or a program plays. So a tournament can be
stopped and continued from the file of its results.

Guests are programs that speak the engine protocol, and networks. `playing.py` plays the games.
"""

import hashlib
import itertools
import json
import os
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from ..core import json_text
from ..core.errors import BadParameter, BadRecord, MoveError, QuetError, UnknownGame
from ..core.files import UnreadableFile, UnwritableFile, read_file
from ..core.parameters import written
from ..game import Game, new
from ..knowledge.search import most_to_solve
from .agents import GO, ONNX, UGI
from .levels import LevelPlayer
from .player import PerfectPlayer, player

LARGEST_FILE = 10**9  # bytes of results
LARGEST_LINE = 10_000_000  # characters
LARGEST_NETWORK = 2**31  # bytes of a file
T = TypeVar("T")

LINE = b'{"game":'  # how each line of the results begins
# ONNX is protobuf: where weights are in a file, `location` stands before the length of its name, and the name.
_LOCATION = re.compile(rb"\n\x08location\x12([\x80-\xff]?[\x00-\x7f])", re.DOTALL)
_TRIES = 100  # at an opening that doesn't end the game


class Stopped(QuetError):
    """A tournament that can't go on; the games finished are in its file."""


@dataclass(frozen=True)
class Fixture:
    """A game to be played, and all that decides how it goes."""

    game: str
    rules: int  # the version of the rules
    parameters: tuple[tuple[str, int | str], ...]
    seed: int
    opening_plies: int
    opening: int  # its number, from 0
    seats: tuple[str, ...]  # computer players and guests by name, player 1 first
    strengths: tuple[str, ...]  # what those names mean, so that results of other settings are not mixed in


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    fixture: Fixture
    moves: tuple[str, ...]  # those of the opening first
    scores: tuple[int, ...]
    winners: tuple[int, ...]

    def line(self) -> bytes:
        """The result as one line of JSON."""
        data = asdict(self.fixture) | {
            "parameters": dict(self.fixture.parameters),
            "moves": self.moves,
            "scores": self.scores,
            "winners": self.winners,
        }
        return json.dumps(data, separators=(",", ":")).encode() + b"\n"

    @classmethod
    def read(cls, line: bytes) -> "Result":
        """The result in a line of JSON; raises BadRecord."""
        try:
            data = json_text.read(line, largest=LARGEST_LINE)
            fixture = {name: data[name] for name in Fixture.__dataclass_fields__}
            _all(int, [data[name] for name in ("rules", "seed", "opening_plies", "opening")])
            _all(str, [data["game"]])
            fixture["parameters"] = tuple(data["parameters"].items())
            fixture["seats"], fixture["strengths"] = _all(str, data["seats"]), _all(str, data["strengths"])
            hash(fixture["parameters"])
            moves, scores, winners = _all(str, data["moves"]), _all(int, data["scores"]), _all(int, data["winners"])
        except (json_text.BadJson, ValueError, LookupError, TypeError, AttributeError):
            raise BadRecord("It is not a result of the arena.") from None
        if not winners or len(scores) != len(fixture["seats"]) or not set(winners) <= set(range(1, len(scores) + 1)):
            raise BadRecord("Its winners don't fit its seats.")
        result = cls(Fixture(**fixture), moves, scores, winners)
        result._check()
        return result

    def _check(self) -> None:
        """Play the moves by the rules; raises BadRecord unless they end with these scores and winners."""
        try:
            game = new(self.fixture.game, **dict(self.fixture.parameters))
        except (UnknownGame, BadParameter):
            return  # such a game is in no tournament that can be played here
        if self.fixture.rules != game.rules.VERSION:
            return  # nor is one by other rules
        try:
            for move in self.moves:
                game.play(move)
        except MoveError as error:
            raise BadRecord(f"A move of it can't be played: {error}") from None
        if not game.is_over or (game.scores, game.winners) != (list(self.scores), list(self.winners)):
            raise BadRecord("Its moves don't end with its scores and winners.")


@dataclass(frozen=True)
class Tournament:
    """Who meets whom, and how often; made by `tournament`, which checks it."""

    game: Game  # at its start
    players: tuple[str, ...]
    num_games: int  # of each pair, at least; for a solitaire, the openings
    seed: int
    opening_plies: int
    is_round_robin: bool = False
    memory: int | None = None  # bytes of each computer player's search, if limited
    go: str = GO  # the command that makes an engine choose a move
    networks: Mapping[str, str] = field(default_factory=dict)  # the SHA-256 of each, by the name of its file

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs who meet, in the order given: neighbours, or everybody."""
        if self.is_round_robin:
            return list(itertools.combinations(self.players, 2))
        return list(itertools.pairwise(self.players))

    @property
    def num_openings(self) -> int:
        """How many openings each pair plays."""
        return -(-self.num_games // (1 if self.game.num_players == 1 else len(tables("a", "b", self.game.num_players))))

    @property
    def is_timed(self) -> bool:
        """Whether a player thinks for a time, so that games played at once would weaken it. What a program does isn't
        known, unless it is told a time.
        """
        if self.go.split()[1:2] == ["movetime"] and any(name.startswith(UGI) for name in self.players):
            return True
        made = [player(name, 0) for name in self.players if not is_guest(name)]
        return any(
            isinstance(one, PerfectPlayer) or (isinstance(one, LevelPlayer) and not one.level.simulations)
            for one in made
        )

    def fixtures(self) -> list[Fixture]:
        """Every game of the tournament once, opening by opening, so that a part of the tournament is balanced too."""
        meetings = self.pairs or [(self.players[0], self.players[0])]
        strengths = {name: self._strength(name) for name in self.players}
        found: dict[Fixture, None] = {}
        for opening in range(self.num_openings):
            for first, second in meetings:
                for seats in tables(first, second, self.game.num_players):
                    found[self._fixture(opening, seats, tuple(strengths[name] for name in seats))] = None
        return list(found)

    def _strength(self, name: str) -> str:
        if name.startswith(UGI):
            return self.go
        if is_guest(name):
            return f"SHA-256 {self.networks[name]}"
        limit = "" if self.memory is None else f", {self.memory >> 20} MB"
        return strength(self.game, name) + limit

    def _fixture(self, opening: int, seats: tuple[str, ...], strengths: tuple[str, ...]) -> Fixture:
        game = self.game
        return Fixture(
            game.id,
            game.rules.VERSION,
            tuple(written(game.parameters).items()),
            self.seed,
            self.opening_plies,
            opening,
            seats,
            strengths,
        )


def tournament(
    id: str,
    parameters: Mapping[str, object],
    players: Sequence[str],
    *,
    num_games: int = 100,
    seed: int = 0,
    opening_plies: int = 2,
    is_round_robin: bool = False,
    memory: int | None = None,
    go: str = GO,
) -> Tournament:
    """A tournament that can be played. Raises UnknownGame and BadParameter, and UnreadableFile for a network."""
    game = new(id, **parameters)
    for name in players:
        if not is_guest(name):
            player(name, seed)
    if len(set(players)) < len(players):
        raise BadParameter("A player is named twice.")
    if len(players) < (1 if game.num_players == 1 else 2):
        raise BadParameter("Name at least two players, as in level:1,level:2.")
    if not 1 <= num_games <= 1_000_000:
        raise BadParameter("The number of games must be from 1 to 1000000.")
    if not 0 <= opening_plies <= 1_000:
        raise BadParameter("The plies of an opening must be from 0 to 1000.")
    networks = {name: _digest(name) for name in players if name.endswith(ONNX) and not name.startswith(UGI)}
    made = Tournament(game, tuple(players), num_games, seed, opening_plies, is_round_robin, memory, go, networks)
    after_opening(made.fixtures()[0])
    return made


def is_guest(name: str) -> bool:
    """Whether this is the name of a program or of a network, and not of a computer player."""
    return name.startswith(UGI) or name.endswith(ONNX)


def tables(first: str, second: str, num_players: int) -> list[tuple[str, ...]]:
    """The seatings of two players. Each has half of the seats, in all rotations; if the number of seats is odd, the
    larger half goes to each in turn.

    >>> tables("a", "b", 2)
    [('a', 'b'), ('b', 'a')]
    >>> [" ".join(seats) for seats in tables("a", "b", 3)]
    ['a b b', 'b a b', 'b b a', 'b a a', 'a b a', 'a a b']
    """
    half = num_players // 2
    seatings = [(first,) * half + (second,) * (num_players - half)]
    if num_players % 2:
        seatings.append((second,) * half + (first,) * (num_players - half))
    found = [seats[-turn:] + seats[:-turn] for seats in seatings for turn in range(num_players)]
    return list(dict.fromkeys(found))  # the single seat of a solitaire has no rotations


def strength(game: Game, name: str) -> str:
    """What the name of a player means now in such a game, as `6 simulations a move, ...`.

    A change to a search shows here only if `version` in the [search] of the game's facts.toml is raised with it.
    """
    made = player(name, 0)
    if not isinstance(made, LevelPlayer):
        return name
    from ..learning.weights import weights_of

    level, entry = made.level, game.entry
    search = entry.facts.get("search", {})  # its version is one of these settings
    settings = "".join(f", {key} {value}" for key, value in sorted(search.items()) if key not in ("max_n", "solving"))
    if entry.local_search is not None:
        return (f"{level.annealing_steps} steps" if level.annealing_steps else f"{level.seconds} s") + settings
    simulations = level.of(game.num_players)
    limit = f"{simulations} simulations a legal move" if simulations else f"{level.seconds} s"
    if level.is_solving and most_to_solve(entry):
        settings += f", max-n to {most_to_solve(entry)} positions"
    moves = ", sensible moves" if level.is_strongest and entry.sensible is not None else ""
    weights = ", learned weights" if level.is_strongest and weights_of(game) is not None else ""
    return f"{limit}, temperature {level.temperature}{settings}{moves}{weights}"


def after_opening(fixture: Fixture) -> Game:
    """The game after the random moves of the opening. Raises BadParameter if they always end the game."""
    generator = random.Random(f"opening {fixture.seed} {fixture.opening}")
    for _ in range(_TRIES):
        game = new(fixture.game, **dict(fixture.parameters))
        while game.ply < fixture.opening_plies and not game.is_over:
            game.play(game.rules.move_text(game.state, generator.choice(game.legal_numbers())))
        if not game.is_over:
            return game
    raise BadParameter(f"{fixture.opening_plies} random plies end the game; an opening must be shorter.")


class Results:
    """The results of a tournament, kept in a file if one is given, a line each.

    If the last line was cut short, as when the machine goes off, it is dropped and `is_mended` is true. Raises
    BadRecord for a file of another kind, UnreadableFile and UnwritableFile.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = path
        self.is_mended = False
        self._found: dict[Fixture, Result] = {}
        if path is not None:
            self._load(Path(path))

    def add(self, result: Result) -> None:
        """Keep a result, on the disk too."""
        self._found[result.fixture] = result
        if self.path is not None:
            self._write(Path(self.path), result.line())

    def of(self, tournament: Tournament) -> list[Result]:
        """The results of the tournament so far, in the order of its fixtures."""
        return [self._found[fixture] for fixture in tournament.fixtures() if fixture in self._found]

    def missing(self, tournament: Tournament) -> list[Fixture]:
        """The games of the tournament that are still to be played."""
        return [fixture for fixture in tournament.fixtures() if fixture not in self._found]

    def num_of_others(self, tournament: Tournament) -> int:
        """How many games of the tournament are here as played by other rules, other settings or another search."""
        planned = {replace(fixture, rules=0, strengths=()): fixture for fixture in tournament.fixtures()}
        return sum(planned.get(replace(one, rules=0, strengths=()), one) != one for one in self._found)

    def _load(self, path: Path) -> None:
        try:
            content = read_file(path, LARGEST_FILE) if path.exists() else b""
        except UnreadableFile as error:
            raise UnreadableFile(f"{path}: {error}") from None
        good = 0
        for number, line in enumerate(content.splitlines(keepends=True), 1):
            try:
                if not line.endswith(b"\n"):
                    raise BadRecord("The line is cut short.")
                result = Result.read(line)
            except BadRecord as error:
                is_cut = not line.endswith(b"\n")  # so it is the last one
                if not is_cut or line[: len(LINE)] != LINE[: len(line)]:
                    raise BadRecord(error.sentence, file=str(path), line=number) from None
                self.is_mended = True
                break
            self._found[result.fixture] = result
            good += len(line)
        self._write(path, b"")  # so that an unwritable file is noticed before the first game
        if self.is_mended:
            os.truncate(path, good)

    def _write(self, path: Path, line: bytes) -> None:
        try:
            with path.open("ab") as file:
                file.write(line)
        except OSError as error:
            raise UnwritableFile(f"{path}: It can't be written: {error.strerror}.") from None


def _digest(file: str) -> str:
    """The SHA-256 of a network: of its file, and of the files with its weights. Raises UnreadableFile."""
    content = _read(file)
    digest = hashlib.sha256(content)
    for weights in _weights(Path(file).resolve().parent, content):
        digest.update(_read(weights))
    return digest.hexdigest()


def _weights(folder: Path, network: bytes) -> list[str]:
    """The other files that the file of a network in this folder names, where exporters put large weights.

    What isn't in the folder that the file really is in, whatever links lead to it, is passed over: onnxruntime loads no
    network that names it.
    """
    found = set()
    for match in _LOCATION.finditer(network):
        low, *high = match[1]  # a varint: seven bits a byte, the lowest first
        end = match.end() + (low & 127 | high[0] << 7 if high else low)
        try:
            file = (folder / network[match.end() : end].decode()).resolve()
            if file.is_relative_to(folder) and file.is_file():
                found.add(str(file))
        except (OSError, ValueError):  # no name of a file
            continue
    return sorted(found)


def _read(file: str) -> bytes:
    try:
        return read_file(file, LARGEST_NETWORK)
    except UnreadableFile as error:
        raise UnreadableFile(f"{file}: {error}") from None


def _all(kind: type[T], values: object) -> tuple[T, ...]:
    if not isinstance(values, list) or any(type(value) is not kind for value in values):
        raise TypeError(f"not a list of {kind}")
    return tuple(values)
