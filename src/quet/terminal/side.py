"""What stands beside the board: what the mover is to do, the players with scores and clocks, notes, and the moves."""

import math

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from ..draw.scene import Scene, signed
from ..play.session import Session

LONGEST_NAME = 16  # of a player, in characters


class Side(VerticalScroll, can_focus=False):
    """The column beside the board."""

    def compose(self) -> ComposeResult:
        yield Static(id="goal", markup=False)
        yield Static(id="players", markup=False)
        yield Static(id="notes", markup=False)
        yield Static(id="moves", markup=False)

    def show(self, session: Session, scene: Scene) -> None:
        """Show the game as it stands."""
        is_asked = not session.is_over and not session.is_computer_to_move
        goal = session.game.goal if is_asked else ""
        self.query_one("#goal").display = bool(goal)
        self.query_one("#goal", Static).update(goal)
        self.show_players(session)
        self.query_one("#notes", Static).update("\n".join([*scene.notes, *scene.signs]))
        numbered = [f"{ply}.{move}" for ply, move in enumerate(session.game.moves, 1)]
        moves = f"Moves, the last one first:\n{'  '.join(numbered[::-1])}" if numbered else "No moves yet."
        self.query_one("#moves", Static).update(moves)

    def show_players(self, session: Session) -> None:
        """Show who plays, who is to move or has won, the scores, and the clocks, which run meanwhile."""
        lines = []
        for player, seat, score in zip(session.game.players, session.seats, session.game.scores, strict=True):
            mark = "►" if player == session.mover else "★" if player in session.winners else " "
            clock = f"  {_time(session.clock_left(player))}" if session.clock else ""
            name = seat.name if len(seat.name) <= LONGEST_NAME else seat.name[: LONGEST_NAME - 1] + "…"
            colour = "$cost" if session.game.rules.LOWER_IS_BETTER else ""
            lines.append(Content.assemble(f"{mark} {player} {name}: ", (signed(str(score)), colour), clock))
        if session.game.rules.LOWER_IS_BETTER:
            lines.append(Content("  The lowest score wins."))
        self.query_one("#players", Static).update(Content("\n").join(lines))


def _time(seconds: float) -> str:
    """Hours if there are any, minutes and seconds, rounded up so that 0:00 means that the time has run out.

    >>> _time(0.4), _time(59.2), _time(3661.0)
    ('0:01', '1:00', '1:01:01')
    """
    minutes, rest = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
