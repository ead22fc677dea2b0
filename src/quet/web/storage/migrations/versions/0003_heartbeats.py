"""Heartbeats of servers, by which the site's clock goes, and the dates of games."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table; the clock goes on from the last change of a game, so that the upgrade costs nobody time."""
    op.create_table(
        "heartbeats",
        sa.Column("process", sa.String(32), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("wall", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("process", name="pk_heartbeats"),
    )
    op.execute(
        "INSERT INTO heartbeats (process, at, wall) "
        "SELECT 'before', max(changed_at), 0 FROM games HAVING max(changed_at) IS NOT NULL"
    )
    op.add_column("games", sa.Column("date", sa.String(10)))
