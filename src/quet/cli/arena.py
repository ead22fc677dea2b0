"""`quet arena`: play a tournament between computer players and print how they stand."""

import contextlib
import csv
import functools
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from ..core.errors import BadParameter, MissingExtra
from ..core.parameters import written
from ..players.agents import GO, UGI
from ..players.arena import Results, Tournament, is_guest, tournament
from ..players.playing import Inviting, play_all
from ..players.standings import Estimate, Meeting, Standings, check_ratings, standings
from . import files
from .files import STANDARD
from .limits import in_bytes
from .progress import Stop, progress, status_after, stopping


def run(
    games: Sequence[str],
    parameters: Mapping[str, object],
    players: Sequence[str],
    *,
    num_games: int,
    seed: int,
    opening_plies: int,
    num_workers: int,
    is_round_robin: bool,
    results_file: str | None,
    is_json: bool,
    memory: int | None = None,
    go: str | None = None,
) -> tuple[list[dict[str, object]], int]:
    """Play a tournament of each game, and print its outcome unless JSON is wanted.

    Returns the outcomes, and the exit status: 0, or that after the Ctrl-C or the signal that ended the last one, which
    has the games that were played until then.

    Raises UnknownGame, BadParameter and BadRecord before the first game is played, and BadAgent where a program or a
    network doesn't play.
    """
    limit = in_bytes(memory)
    if go is not None and not any(name.startswith(UGI) for name in players):
        raise BadParameter(f"--go is for engines, {UGI}COMMAND.")
    planned = [
        tournament(
            game,
            parameters,
            players,
            num_games=num_games,
            seed=seed,
            opening_plies=opening_plies,
            is_round_robin=is_round_robin,
            memory=limit,
            go=GO if go is None else go,
        )
        for game in games
    ]
    if not 1 <= num_workers <= 256:
        raise BadParameter("The number of workers must be from 1 to 256.")
    if num_workers > 1 and any(one.is_timed for one in planned):
        raise BadParameter("A player who thinks for a time needs the machine to itself: leave --workers out.")
    if any(one.game.num_players > 1 for one in planned):
        try:
            check_ratings()
        except MissingExtra as error:
            print(f"quet: {error} Ratings are left out.", file=sys.stderr)
    is_standard = results_file == STANDARD
    if is_standard and is_json:
        raise BadParameter("Give --json or --results -, not both: each writes to standard output.")
    with contextlib.ExitStack() as stack:
        if results_file is not None and not is_standard:
            # Another tournament would play the same games, and not see those of this one.
            stack.enter_context(files.alone(results_file, "Another quet arena is writing these results."))
        results = Results(None if is_standard else results_file)
        if results.is_mended:
            print(f"quet: {results_file}: the last line was cut short and is dropped.", file=sys.stderr)
        return _play_each(planned, results, num_workers, is_standard=is_standard, is_json=is_json)


def _play_each(
    planned: Sequence[Tournament], results: Results, num_workers: int, *, is_standard: bool, is_json: bool
) -> tuple[list[dict[str, object]], int]:
    """Play, or go on, one tournament after the other; returns as `run`."""
    outcomes = []
    for one in planned:
        if others := results.num_of_others(one):
            what = f"{others:,} games of {one.game.id} don't" if others > 1 else f"A game of {one.game.id} doesn't"
            print(
                f"quet: {results.path}: {what} count: the rules, the players' settings or the search were others.",
                file=sys.stderr,
            )
        status = 0
        try:
            _play(one, results, num_workers, is_standard=is_standard)
        except KeyboardInterrupt as interrupt:
            status = status_after(interrupt)
        outcome = standings(one, results.of(one))
        outcomes.append(_json(one, outcome) | {"status": "stopped" if status else "done"})
        if not is_json:
            with contextlib.redirect_stdout(sys.stderr if is_standard else sys.stdout):
                _print(one, outcome)
                if status:
                    print(f"Stopped: {outcome.games} of {len(one.fixtures())} games of {one.game.id} have been played.")
        if status:
            return outcomes, status
    return outcomes, 0


def names(text: str) -> list[str]:
    """The players in a list with commas. As in CSV, a name with a comma of its own stands in double quotes.

    >>> names('random,"ugi:engine --sizes 3,4"')
    ['random', 'ugi:engine --sizes 3,4']
    """
    try:
        return next(csv.reader([text], strict=True), [])
    except csv.Error:
        raise BadParameter("The players can't be read: a name with a comma stands in double quotes.") from None


def _inviting(one: Tournament) -> Inviting:
    """Who makes the guests of a tournament."""
    from ..rl.agents import agent  # here, since it takes a while and hardly any tournament needs it

    return functools.partial(agent, go=one.go)


def _play(one: Tournament, results: Results, num_workers: int, *, is_standard: bool) -> None:
    missing = results.missing(one)
    if not missing:
        return
    total = len(one.fixtures())
    invite = {"invite": _inviting(one)} if any(map(is_guest, one.players)) else {}
    is_told = False

    def is_stopped() -> bool:
        nonlocal is_told
        if stop.is_set() and not is_told:
            is_told = True
            print("quet: Stopping after the games being played; another Ctrl-C ends them.", file=sys.stderr, flush=True)
        return stop.is_set()

    with contextlib.ExitStack() as stack:
        report = stack.enter_context(progress())
        played = stack.enter_context(
            contextlib.closing(play_all(missing, num_workers, one.memory, is_stopped=is_stopped, **invite))
        )
        stop = stack.enter_context(stopping()) if num_workers > 1 else Stop()  # a single game can be played again
        for done, result in enumerate(played, total - len(missing) + 1):
            results.add(result)
            if is_standard:
                files.write(STANDARD, result.line())
            report(done, total, f"games of {one.game.id}")
    if stop.interrupt is not None:
        raise stop.interrupt


def _json(one: Tournament, outcome: Standings) -> dict[str, object]:
    game = one.game
    return {
        "game": game.id,
        "parameters": written(game.parameters),
        "players": list(one.players),
        "seed": one.seed,
        "opening_plies": one.opening_plies,
        "games": outcome.games,
        "seats": list(outcome.seats),
        "ratings": {name: asdict(rating) for name, rating in outcome.ratings.items()},
        "means": {name: _known(mean) for name, mean in outcome.means.items()},
        "meetings": [asdict(meeting) | {"is_above": meeting.is_above} for meeting in outcome.meetings],
    }


def _known(estimate: Estimate) -> dict[str, float | None]:
    """An estimate as JSON can hold it: None for the bounds that a single game doesn't give."""
    return {name: number if math.isfinite(number) else None for name, number in asdict(estimate).items()}


def _print(one: Tournament, outcome: Standings) -> None:
    shown = " ".join(f"{name}={value}" for name, value in one.game.parameters.items())
    print(
        f"{one.game.id} {shown}: {outcome.games} games, openings of {one.opening_plies} random plies, seed {one.seed}"
    )
    if outcome.games and len(outcome.seats) > 1:
        print(f"The seats' shares of the wins: {', '.join(f'{share:.0%}' for share in outcome.seats)}")
    width = max(len(name) for name in one.players)
    for name, rating in outcome.ratings.items():
        print(f"    {name:{width}}  Elo {_range(rating, '.0f')}")
    for name, mean in outcome.means.items():
        print(f"    {name:{width}}  mean score {_range(mean, '.2f')}")
    for meeting in outcome.meetings:
        print(f"    {_sentence(meeting, width)}")
    print()


def _sentence(meeting: Meeting, width: int) -> str:
    percent = Estimate(100 * meeting.score.value, 100 * meeting.score.low, 100 * meeting.score.high)
    verdict = "above" if meeting.is_above else "not shown to be above"
    return (
        f"{meeting.stronger:{width}} against {meeting.weaker:{width}}  {_range(percent, '.0f')} %  "
        f"won {meeting.won}, drawn {meeting.drawn}, lost {meeting.lost}; "
        f"{meeting.level_openings} of {meeting.openings} openings even: {verdict}"
    )


def _range(estimate: Estimate, form: str) -> str:
    low, high = (f"{bound:{form}}" if math.isfinite(bound) else "?" for bound in (estimate.low, estimate.high))
    return f"{estimate.value:{form}} [{low}, {high}]"
