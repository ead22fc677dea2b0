"""What lists need, so that none has to look through all games."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns, fill them from what is there, and index them.

    The standing of a game in a race follows from its moves, so it is filled when the page of the race is shown.
    """
    op.add_column("games", sa.Column("is_listed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("games", sa.Column("is_unplaced", sa.Boolean))
    op.add_column("games", sa.Column("standing", sa.Integer))
    op.add_column("games", sa.Column("num_moves", sa.Integer))
    op.add_column("seats", sa.Column("made_at", sa.Float, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("ended_at", sa.Float))
    names = ("id", "status", "created_at", "changed_at", "is_listed")
    games = sa.table("games", *(sa.column(name) for name in names))
    seats = sa.table("seats", *(sa.column(name) for name in ("game_id", "visitor", "is_open", "made_at", "ended_at")))
    is_free = sa.and_(seats.c.is_open == sa.true(), seats.c.visitor.is_(None))
    has_free = sa.exists().where(seats.c.game_id == games.c.id, is_free)
    op.execute(games.update().where(games.c.status == "waiting", has_free).values(is_listed=sa.true()))
    is_its = games.c.id == seats.c.game_id
    op.execute(seats.update().values(made_at=sa.select(games.c.created_at).where(is_its).scalar_subquery()))
    ended = sa.select(games.c.changed_at).where(is_its, games.c.status == "over").scalar_subquery()
    op.execute(seats.update().values(ended_at=ended))
    op.drop_index("ix_seats_visitor", "seats")
    op.create_index("ix_seats_visitor", "seats", ["visitor", "ended_at", "made_at"])
    op.create_index("ix_games_public", "games", ["is_public", "status", "changed_at"])
    op.create_index("ix_games_listed", "games", ["is_listed", "clock", "created_at"])
    op.create_index("ix_games_race", "games", ["race", "is_unplaced", "standing", "id"])
