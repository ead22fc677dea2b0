"""Sentences about a table: whose turn it is, what the last row did, how the game ended, how much time is left."""

from collections.abc import Sequence
from dataclasses import replace

from ... import catalog
from ...core.messages import capital, listed
from ...draw.scene import signed
from ...game import Game
from ...players.levels import PLAIN
from ...players.player import STAND_IN, UNPROVEN
from ...records.outcome import Names, computer_called, outcome
from ...records.record import Record
from ...study.daily import daily
from ...study.proportion import in_proportion
from ..i18n import gettext as _
from ..i18n import language, ngettext, said
from ..match import BY, SiteMatch
from ..storage.days import day_of
from ..storage.schema import GameRow, MoveRow, SeatRow

DAY = 86_400
TOLD = 10  # rows told at once; so many sentences are long enough for whoever hears them


def name_of(match: SiteMatch, player: int) -> str:
    """The name of a player: `Ann`, or `player 2` if there is no name."""
    seat = match.seat(player)
    if seat.computer:
        return computer_name(seat.computer)
    return seat.name or _("player %(player)s") % {"player": player}


def full_name(match: SiteMatch, player: int) -> str:
    """The same, with the number of the player where another has the same name; as a sentence begins."""
    return said(Names(_names(match)).called(player, is_first=True))


def _names(match: SiteMatch) -> dict[int, str]:
    """The names of the players, as records have them."""
    return {seat.player: seat.computer or seat.name for seat in match.seats}


def computer_name(computer: str) -> str:
    """A computer player by its name in `players.PLAYERS`: `the computer (level 3)`."""
    return said(computer_called(computer))


def strength(computer: str) -> str:
    """How strong a computer player is, beside its name in a narrow list: `level 3`."""
    kind, _colon, level = computer.partition(":")
    if kind != "level":
        return _("at random")
    return _("perfect") if level == "perfect" else _("level %(level)s") % {"level": level}


def seat_kind(seat: SeatRow, visitor: str) -> str:
    """A word or two about who sits here, beside the name."""
    if seat.visitor == visitor:
        return _("you")
    if seat.computer or seat.visitor:
        return ""
    return _("open to all") if seat.is_open else _("by invitation")


def turn(match: SiteMatch, visitor: str) -> str:
    """What one is to do now, or whose turn it is, or that the game waits, or how it ended."""
    held = match.player_of(visitor)
    if match.is_over:
        return result(match, visitor)
    if match.mover is None:
        return _("Waiting until every seat is taken.")
    if match.is_computer_to_move:
        return _("%(name)s is thinking") % {"name": capital(_called(match, match.mover))}
    if match.mover in held and len(held) > 1:
        named = _("Player %(player)s is to move: %(name)s.") % {
            "player": match.mover,
            "name": name_of(match, match.mover),
        }
        mover = (
            named
            if match.seat(match.mover).name
            else _("%(name)s is to move.") % {"name": capital(_called(match, match.mover))}
        )
        return f"{mover} {said(match.game.goal)}"
    if held == [match.mover]:
        return said(match.game.goal)
    to_move = _("%(name)s is to move.") % {"name": capital(_called(match, match.mover))}
    return to_move if not held or match.progress.is_in(held) else f"{_('You are out of the game.')} {to_move}"


def task(game: Game) -> str:
    """What the mover of a position is to do or, once it is over, how the game ended; no match with names is asked."""
    if game.is_over:
        return said(Record.of(game).summary)
    if game.num_players == 1:
        return said(game.goal)
    return _("Player %(player)s: %(goal)s") % {"player": game.mover, "goal": said(game.goal)}


def result(match: SiteMatch, visitor: str = "") -> str:
    """A sentence that says how the game ended; a visitor who plays for one player reads it as that player."""
    held = match.player_of(visitor)
    ended = outcome(
        match.game,
        match.winners,
        reason=match.termination.reason if match.termination else "",
        names=_names(match),
        reader=held[0] if len(held) == 1 else 0,
        between=" – ",
    )
    return said(ended)


def proportion(match: SiteMatch, own: int | None = None) -> str:
    """How good the score of a solitaire is that is over; empty where nothing is known.

    `own` is the best score before of whoever reads it.
    """
    day = day_of(match.row.race)
    if day is not None and match.game.is_over:
        return said(daily(day).proportion(match.game.scores[0]))
    return said(in_proportion(match.game, own) or "")


def news(match: SiteMatch, since: int) -> str:
    """What happened after so many rows, for a screen reader; of many rows the last ones."""
    number = max(0, match.num_rows - since)
    rows = match.rows[match.num_rows - min(number, TOLD) :]
    moved = _positions(match, rows)
    told = [
        row_words(match, row) if row is match.rows[-1] else _row_words(match, row, moved.get(row.ply)) for row in rows
    ]
    if number > TOLD:
        told.insert(0, _("Of %(all)s changes the last %(num)s:") % {"all": number, "num": TOLD})
    return " ".join(part for part in told if part)


def row_words(match: SiteMatch, row: MoveRow) -> str:
    """What a row did, for a screen reader.

    After the last row also what a move did to the scores and who is out of the game, or how the game ended.
    """
    if row.ply < match.num_rows - 1:
        return _row_words(match, row)
    if language() not in match.news:  # everybody who watches asks for it
        match.news[language()] = _row_words(match, row, _positions(match, [row]).get(row.ply))
    return match.news[language()]


def offered(match: SiteMatch, player: int, kind: str, *, is_own: bool = False) -> str:
    """That a player offers a `draw`, or asks for an `undo`, as sentences; with `is_own` that player reads them.

    The match is the one in which the offer stands: of moves it says how many would go, and who would be in again.
    """
    name = capital(_called(match, player))
    if kind == "draw":
        return _("Your offer of a draw stands.") if is_own else _("%(name)s offers a draw.") % {"name": name}
    count = match.progress.undo_count([player])
    asked = (
        ngettext("You asked to take the last move back.", "You asked to take the last %(num)s moves back.", count)
        if is_own
        else ngettext(
            "%(name)s asks to take the last move back.", "%(name)s asks to take the last %(num)s moves back.", count
        )
    )
    again = [
        _("%(name)s would be in the game again.") % {"name": capital(_called(match, one))}
        for one in match.progress.in_again([player])
    ]
    return " ".join([asked % {"name": name, "num": count}, *again])


def _row_words(match: SiteMatch, row: MoveRow, moved: tuple[Game, Game] | None = None) -> str:
    """What a row did; `moved` is the game before and after a move, where that is to be told too."""
    name = capital(_called(match, row.player)) if row.player else ""
    values = {"name": name, "move": signed(row.text)}
    is_last = row.ply == match.num_rows - 1
    kind, _by, stand_in = row.kind.partition(BY)
    match kind:
        case "start":
            said_now = _("The game begins.")
        case "move":
            if moved:
                values["move"] = move_called(moved[0], row.text)
            said_now = (
                _("%(move)s was played.") % values
                if match.row.num_players == 1
                else _("%(name)s played %(move)s.") % values
            )
            said_now = f"{said_now} {stand_in_words(stand_in)}".strip()
            if moved and not (is_last and match.is_over):
                said_now = " ".join([said_now, *_changes_words(match, *moved)])
        case "undo":
            took = ngettext(
                "%(name)s took the last move back.", "%(name)s took the last %(num)s moves back.", int(row.text)
            )
            said_now = f"{took % {**values, 'num': row.text}} {_scores_again(match, row)}".strip()
        case "offer-draw" if not row.text:
            said_now = ""  # nobody was asked; how the game ended says it
        case "offer-undo" if not is_last:  # how far it went, only the match of then would know
            said_now = _("%(name)s asks to take back.") % values
        case "offer-draw" | "offer-undo":
            said_now = offered(match, row.player, row.kind.removeprefix("offer-"))
        case "accept":
            said_now = f"{_('%(name)s agrees.') % values} {_scores_again(match, row)}".strip()
        case "decline":
            said_now = _("%(name)s declines.") % values
        case _:
            said_now = ""
    end = [result(match), proportion(match)] if is_last and match.is_over else []
    return " ".join(part for part in (said_now, *end) if part)


def _positions(match: SiteMatch, rows: Sequence[MoveRow]) -> dict[int, tuple[Game, Game]]:
    """The game before and after each move among the last rows, by the number of its row.

    Those before moves were taken back are left out.
    """
    moves: list[MoveRow] = []
    for row in reversed(rows):
        if row.kind in ("undo", "accept"):
            break
        if row.kind.partition(BY)[0] == "move":
            moves.append(row)
    after = match.game.at(match.game.ply - len(moves)) if moves else match.game
    found = {}
    for row in reversed(moves):
        before, after = after, after.after(row.text)
        found[row.ply] = before, after
    return found


def _changes_words(match: SiteMatch, before: Game, after: Game) -> list[str]:
    """Who is out of the game after a move, and the scores if they are others, as sentences."""
    out: dict[int, str] = {}
    if after.players_in != before.players_in:
        out = replace(match.progress, game=after, termination=None).just_out
    changed = [one for one in after.players if after.scores[one - 1] != before.scores[one - 1]]
    scores = [_scores_words(match, after, changed)] if changed else []
    return [*(_out_words(match, *one) for one in out.items()), *scores]


def _called(match: SiteMatch, player: int) -> str:
    """The name of a player, or `player 2` where several of many have it. Of two, one moves after the other."""
    name, names = name_of(match, player), [name_of(match, seat.player) for seat in match.seats]
    return name if len(names) < 3 or names.count(name) == 1 else _("player %(player)s") % {"player": player}


def move_called(before: Game, move: str) -> str:
    """A move as it is said: `6! (stop there)`, `done (finish the grid)`.

    Many screen readers pass over a sign at its end, and a word is of one language.
    """
    called = signed(move)
    if move[-1:].isalnum() and not move.isalpha():
        return called
    scene = before.scene()
    does = {choice.move: said(choice.words).removeprefix(move).strip() for choice in scene.choices}
    for square in scene.squares:
        does.update(
            zip(square.moves, map(said, square.move_words), strict=False)
        )  # without words where none are needed
    return f"{called} ({does[move]})" if does.get(move) else called


def _scores_words(match: SiteMatch, game: Game, players: Sequence[int]) -> str:
    """The scores as a sentence; where there are more than two players those of these, with their names."""
    if game.num_players == 1:
        return _("Score: %(score)s.") % {"score": game.scores[0]}
    named = [f"{_called(match, player)}: {game.scores[player - 1]}" for player in players]
    return _("Scores: %(scores)s.") % {"scores": said(listed(named if game.num_players > 2 else game.scores))}


def _scores_again(match: SiteMatch, row: MoveRow) -> str:
    """The scores after moves were taken back, as a sentence; empty where something has happened since.

    Empty also while others have yet to agree.
    """
    is_now = row.ply == match.num_rows - 1 and match.offer is None and not match.is_over and any(match.game.scores)
    return _scores_words(match, match.game, match.game.players) if is_now else ""


def _out_words(match: SiteMatch, player: int, why: str) -> str:
    """That a player is out of the game now, and why, as a sentence."""
    values = {"name": capital(_called(match, player)), "why": said(why)}
    return _("%(name)s is out of the game – %(why)s.") % values if why else _("%(name)s is out of the game.") % values


def stand_in_words(stand_in: str) -> str:
    """Who chose a move in the place of a computer player, as a sentence; empty where it chose itself."""
    if stand_in == PLAIN:
        return _("Its code was still being compiled, so it moved with less strength.")
    if stand_in == UNPROVEN:
        return _("No move was proven, so %(name)s moved in its place.") % {"name": computer_name(STAND_IN)}
    if stand_in == "random":
        return _("It had failed, so this is a move by chance.")
    return _("It had failed, so %(name)s moved in its place.") % {"name": computer_name(stand_in)} if stand_in else ""


def expectation_words(match: SiteMatch) -> str:
    """What the computer player who moved last expects and how it knows, as a sentence; empty where nobody has said."""
    player, expects = match.expectation
    if not expects:
        return ""
    return _("%(name)s expects: %(worth)s.") % {"name": capital(name_of(match, player)), "worth": said(expects)}


def time_left(seconds: float) -> str:
    """A time on a clock: `2 d 4 h`, `1:02:03`, `4:05`."""
    if seconds >= DAY:
        return _("%(days)s d %(hours)s h") % {"days": int(seconds // DAY), "hours": int(seconds % DAY // 3600)}
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def clock_words(clock: str, seconds: float, increment: float) -> str:
    """The clock of a game, in a few words."""
    if clock == "live":
        return _("%(minutes)s min + %(seconds)s s") % {"minutes": f"{seconds / 60:g}", "seconds": f"{increment:g}"}
    if clock == "days":
        days = round(seconds / DAY)
        return ngettext("%(num)s day a move", "%(num)s days a move", days) % {"num": days}
    return _("no clock")


def parameters_words(row: GameRow) -> str:
    """The parameters of a game for people: `8 by 8, 2 players`."""
    return said(catalog.get(row.game).parameters_said(row.parameters))
