"""The contract of a game, as checks that anyone can run on any game of the catalog: `quet check GAME`.

Each check takes a catalog entry and raises BrokenRules, with a sentence, where the game breaks it. Here are those of
the rules; `faces.py` has those of pictures, judge and facts, `lessons.py` those of lessons, `starts.py` those of games
that begin on paper, `solvers.py`, `random_ends.py`, `other_ways.py` and `capable.py` those of what a game may offer
beyond, and `claims.py` those of what certificates rest on. `trials.py` has the random games that all checks use, and
`small.py` the small games of which everything is known.
"""

import contextlib
import functools
import re
import traceback
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from itertools import product, zip_longest
from pathlib import Path

from ..catalog import Entry
from ..core.errors import BrokenRules, IllegalMove, UnreadableMove, one_line
from ..core.parameters import read_parameters, written
from ..core.rules import AnyState, legal_moves
from ..core.state import copy, fields
from ..game import Game
from ..records.record import Record, read
from . import capable, claims, days, faces, lessons, puzzles, starts
from .trials import FULL_WIDTH, NONSENSE, is_sentence, random_game, random_games, require, sizes, solved_sizes, where
from .trials import starts as starts_of

SEEDS = 5  # random games of each size in which a player must move at least once


def every_part_is_there(entry: Entry) -> None:
    """The folder has rules, picture, judge and facts with all that they need."""
    _ = entry.picture, entry.judge, entry.facts
    version = entry.rules.VERSION
    require(type(version) is int and version >= 1, "VERSION must be an integer from 1 on.")
    require(type(entry.rules.LOWER_IS_BETTER) is bool, "LOWER_IS_BETTER must be True or False.")
    require(len(fields(type(entry.rules.State()))) > 0, "The State has no fields.")


def states_keep_their_shape(entry: Entry) -> None:
    """Every field of the state stays an int, or a list of ints, of the length and within the type declared.

    It has room for the sizes that are only solved, too.
    """
    for game in random_games(entry):
        _keeps_its_shape(game)
    for parameters in solved_sizes(entry):
        try:
            for _ in random_game(entry, parameters):
                pass  # a game may give such sizes longer lists, but it has to have room
        except IndexError:
            raise BrokenRules(f"The State has too little room for what is solved: {written(parameters)}.") from None


def _keeps_its_shape(game: Game) -> None:
    for name, length in fields(type(game.state)).items():
        value = getattr(game.state, name)
        values, size, dtype = ([value], 1, "int64") if length is None else (value, length.size, length.dtype)
        is_whole = type(values) is list and len(values) == size and all(type(number) is int for number in values)
        require(is_whole, f"The field {name} is no longer what the State declares {where(game)}.")
        low, high = _limits(dtype)
        is_fitting = low <= min(values) and max(values) <= high
        require(is_fitting, f"The field {name} holds what does not fit into {dtype} {where(game)}.")


def answers_have_their_types(entry: Entry) -> None:
    """The rules answer with ints (never a bool or a float), and `is_over` with a bool; there are 1 to 8 players."""
    for game in random_games(entry):
        rules, s = game.rules, game.state
        require(type(rules.is_over(s)) is bool, f"is_over is {rules.is_over(s)!r}, not True or False {where(game)}.")
        players = rules.num_players(s)
        require(type(players) is int and 1 <= players <= 8, f"num_players is {players!r}, not 1 to 8 {where(game)}.")
        answers = {"most_moves": rules.most_moves(s)}
        if not game.is_over:
            answers["mover"] = rules.mover(s)
        answers |= {f"score of player {player}": rules.score(s, player) for player in game.players}
        wrong = {name: answer for name, answer in answers.items() if type(answer) is not int}
        require(not wrong, f"These must be ints {where(game)}: {wrong}")


def players_are_as_many_as_asked(entry: Entry) -> None:
    """There are as many players as the parameter `players` says; in a game without it always the same number."""
    usual = Game(entry, read_parameters(entry.rules.PARAMETERS, {})).num_players
    for start in starts_of(entry):
        asked_for, found = start.parameters.get("players", usual), start.num_players
        require(
            found == asked_for, f"There are {found} players, not {asked_for} {where(start)}; `players` says how many."
        )


def legal_moves_are_legal(entry: Entry) -> None:
    """Legal moves are listed once each, none is refused, and there are none exactly when the game is over."""
    for game in random_games(entry):
        out = [0] * game.rules.most_moves(game.state)
        try:
            moves = out[: game.rules.legal_moves(game.state, out)]
        except IndexError:
            raise BrokenRules(f"More moves are legal than most_moves says {where(game)}.") from None
        require(len(set(moves)) == len(moves), f"A legal move is listed twice {where(game)}.")
        require(bool(moves) != game.is_over, f"There must be legal moves until the game is over {where(game)}.")
        if not game.is_over:
            require(game.mover in game.players, f"The mover is no player {where(game)}.")
            for move in moves:
                broken = game.rules.broken_rule(game.state, move)
                require(not broken, f"A legal move is refused {where(game)}: {broken}")


def every_player_moves(entry: Entry) -> None:
    """Each player moves in some random game."""
    missing = {player for start in starts_of(entry) for player in start.players}
    for seed, parameters in product(range(1, 1 + SEEDS), sizes(entry)):
        for game in random_game(entry, parameters, seed) if missing else ():
            missing.discard(game.mover or 0)
    require(not missing, f"Player {min(missing, default=0)} moves in no random game.")


def move_text_round_trips(entry: Entry) -> None:
    """Every legal move's text reads back as that move, in one word, and a number means one text all through a game."""
    texts: dict[int, str] = {}
    for game in random_games(entry):
        if game.ply == 0:
            texts.clear()
        for move in game.legal_numbers():
            text = game.rules.move_text(game.state, move)
            require(text.split() == [text], f"The text of a move is not one word: {text!r}.")
            require(game.rules.read_move(game.state, text) == move, f"{text} reads back as another move.")
            require(texts.setdefault(move, text) == text, f"The move {move} is {texts[move]} and later {text}.")


def moves_have_one_spelling(entry: Entry) -> None:
    """No other spelling of a legal move is read than the one that `move_text` writes."""
    for game in random_games(entry):
        if game.ply % 7 == 0:
            for text in game.legal_moves[:20]:
                for variant in _misspelt(text):
                    written = variant
                    with contextlib.suppress(UnreadableMove):
                        written = game.rules.move_text(game.state, game.rules.read_move(game.state, variant))
                    require(written == variant, f"{variant!r} is read, but written {written!r} {where(game)}.")


def illegal_moves_are_refused(entry: Entry) -> None:
    """Every move that was legal at some time and isn't now is refused with a sentence, and nothing changes."""
    for parameters in sizes(entry):
        seen: set[str] = set()
        for game in random_game(entry, parameters):
            legal = set(game.legal_moves)
            seen |= legal
            for text in (*sorted(seen - legal)[:200], *NONSENSE):
                before = copy(game.state)
                try:
                    game.play(text)
                except (IllegalMove, UnreadableMove) as error:
                    require(
                        is_sentence(str(error)), f"The refusal of {text[:40]!r} is not one sentence: {str(error)!r}"
                    )
                else:
                    raise BrokenRules(f"{text[:40]!r} is not legal {where(game)}, but is played.")
                require(game.state == before, f"The refusal of {text[:40]!r} changes the position.")


def copies_share_nothing(entry: Entry) -> None:
    """Playing on leaves a copy as it was, and the copy can be played on in the same way."""
    for game in random_games(entry):
        if not game.is_over and game.ply % 7 == 0:
            twin, before = game.copy(), copy(game.state)
            move = game.legal_numbers()[-1]
            game.rules.play(twin.state, move)
            require(game.state == before, f"Playing in a copy changes the game {where(game)}.")
            other = copy(before)
            game.rules.play(other, move)
            require(other == twin.state, f"The same move leads to different positions {where(game)}.")


def games_share_nothing(entry: Entry) -> None:
    """Games played in turns, one move of each, go as they did when they were played one after the other."""
    alone = [
        [(game.numbers, _seen(game)) for game in random_game(entry, parameters, seed)]
        for parameters in sizes(entry)
        for seed in (1, 2)
    ]
    games = [Game(entry, parameters) for parameters in sizes(entry) for _ in (1, 2)]
    for views in zip_longest(*alone):
        for game, view in zip(games, views, strict=True):
            if view is not None:
                moves, seen = view
                for move in moves[-1:]:
                    game.rules.play(game.state, move)
                is_alike = _seen(game) == seen
                require(
                    is_alike, f"Played in turns with others, a game goes another way at move {len(moves)}: {game!r}."
                )


def replay_and_undo_agree(entry: Entry) -> None:
    """The moves played lead to the same position again, and taking the last one back leads to the position before."""
    for parameters in sizes(entry):
        before = None
        for game in random_game(entry, parameters):
            if before is not None and game.ply % 5 == 0:
                twin = game.copy()
                twin.undo()
                require(twin.state == before, f"Undo does not lead back {where(game)}.")
            before = copy(game.state)


def looking_changes_nothing(entry: Entry) -> None:
    """Listing, scoring, drawing and judging leave the position as it was."""
    for game in random_games(entry):
        if game.ply % 7 == 0:
            before = copy(game.state)
            _ = game.legal_moves, game.scores, game.winners, game.mover, game.items, game.scene()
            require(game.state == before, f"Looking at the position changes it {where(game)}.")


def records_round_trip(entry: Entry) -> None:
    """A game written as a record reads back as the same game and the same text."""
    for parameters in sizes(entry):
        *_, game = random_game(entry, parameters)
        text = Record.of(game).text()
        again = read(text)
        require(again.game.state == game.state, f"The record leads to another position {where(game)}.")
        require(again.text() == text, f"The record is written differently when read again {where(game)}.")


def move_counts_agree(entry: Entry) -> None:
    """The numbers of move sequences by depth are those of the facts."""
    for row in entry.facts.get("move_counts", []):
        game = Game(entry, read_parameters(entry.rules.PARAMETERS, row["parameters"]))
        counts = [1, *count_sequences(game, len(row["counts"]) - 1)]
        require(counts == row["counts"], f"{row['parameters']} has {counts} move sequences, not {row['counts']}.")


def plain_and_compiled_agree(entry: Entry) -> None:
    """Compiled by the engine, the rules list, play and score as they do in plain Python, move by move."""
    import numpy as np

    from ..engine.arrays import pack, unpack
    from ..engine.compiled import compiled

    fast = compiled(entry.rules)  # type: ignore[arg-type]
    kind = type(entry.rules.State())
    for parameters in sizes(entry):
        record, listed = None, None
        for game in random_game(entry, parameters):
            s = game.state
            if record is None or listed is None:
                record, listed = pack([s]), np.zeros(game.rules.most_moves(s), np.int64)
            else:
                fast.play(record[0], game.numbers[-1])
            require(unpack(record[0], kind) == s, f"Compiled, a move leads elsewhere {where(game)}.")
            out = [0] * game.rules.most_moves(s)
            moves = out[: game.rules.legal_moves(s, out)]
            found = listed[: fast.legal_moves(record[0], listed)].tolist()
            require(found == moves, f"Compiled, other moves are legal {where(game)}.")
            told = [fast.is_over(record[0]), fast.mover(record[0]), fast.num_players(record[0])]
            plain = [game.is_over, game.rules.mover(s), game.num_players]
            require(told == plain, f"Compiled, is_over, mover and num_players are {told} {where(game)}.")
            scores = [fast.score(record[0], player) for player in game.players]
            require(scores == game.scores, f"Compiled, the scores are {scores} {where(game)}.")


def count_sequences(game: Game, depth: int) -> list[int]:
    """How many sequences of 1, 2, ..., `depth` legal moves there are from this position (perft)."""
    counts = [0] * depth
    rules = game.rules

    def count(s: AnyState, ply: int) -> None:
        moves = legal_moves(rules, s)
        counts[ply] += len(moves)
        if ply + 1 < depth:
            for move in moves:
                after = copy(s)
                rules.play(after, move)
                if not rules.is_over(after):
                    count(after, ply + 1)

    if depth > 0 and not game.is_over:
        count(game.state, 0)
    return counts


Check = Callable[[Entry], None]


def fully(check: Check) -> Check:
    """The check; any other error that the game's code raises is a breach of the contract too, told in one line."""

    @functools.wraps(check)
    def checked(entry: Entry) -> None:
        try:
            check(entry)
        except BrokenRules as error:
            raise BrokenRules(one_line(error)) from error
        except Exception as error:
            raise BrokenRules(one_line(f"{type(error).__name__}: {error}") + _place(entry, error)) from error

    return checked


def _place(entry: Entry, error: Exception) -> str:
    """The last line of the game that led to an error, ` (rules.py, line 52, in play)`; empty where none did."""
    spec = find_spec(entry.package)
    for folder in map(Path, (spec and spec.submodule_search_locations) or ()):
        for frame in reversed(traceback.extract_tb(error.__traceback__)):
            if Path(frame.filename).is_relative_to(folder):
                file = Path(frame.filename).relative_to(folder)
                return f" ({file}, line {frame.lineno}, in {frame.name})"
    return ""


CHECKS: Mapping[str, Check] = {
    check.__name__.replace("_", " "): fully(check)
    for check in (
        every_part_is_there,
        faces.facts_are_complete,
        states_keep_their_shape,
        answers_have_their_types,
        players_are_as_many_as_asked,
        legal_moves_are_legal,
        every_player_moves,
        move_text_round_trips,
        moves_have_one_spelling,
        illegal_moves_are_refused,
        copies_share_nothing,
        games_share_nothing,
        replay_and_undo_agree,
        looking_changes_nothing,
        faces.scores_are_the_sum_of_items,
        faces.items_name_what_counts,
        faces.paper_is_read_or_refused,
        faces.pictures_offer_the_legal_moves,
        faces.pictures_are_whole,
        faces.pictures_mark_the_last_move,
        faces.goals_are_said,
        faces.who_is_out_stays_out,
        lessons.lessons_can_be_played,
        days.games_of_a_day_can_be_played,
        puzzles.puzzles_are_right,
        records_round_trip,
        starts.papers_begin_games,
        starts.positions_can_be_set_up,
        starts.canonical_states_stand_for_their_position,
        faces.samples_score_as_said,
        move_counts_agree,
        plain_and_compiled_agree,
        claims.claims_hold,
        *capable.CHECKS,
    )
}
"""The checks by name, in the order in which they are worth running."""


def _limits(dtype: str) -> tuple[int, int]:
    """The least and the greatest value of a NumPy integer type such as int16 or uint8."""
    bits = int(dtype.removeprefix("u").removeprefix("int"))
    return (0, 2**bits - 1) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _misspelt(text: str) -> set[str]:
    numbers = [re.sub(r"\d+", mark + r"\g<0>", text) for mark in ("0", "+", "-", " ")]
    return {
        f" {text}",
        f"{text} ",
        f"{text}\n",
        f"0{text}",
        f"+{text}",
        text.upper(),
        text.translate(FULL_WIDTH),
        *numbers,
    }


def _seen(game: Game) -> tuple[object, ...]:
    """Everything that players see of a position."""
    return copy(game.state), game.is_over, game.mover, game.scores, game.legal_numbers()
