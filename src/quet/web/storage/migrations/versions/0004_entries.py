"""Games that equal or beat the table of best results, under the names that their finders chose."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "entries",
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("game", sa.String(100), nullable=False),
        sa.Column("parameters", sa.Text, nullable=False),
        sa.Column("value", sa.Integer, nullable=False),
        sa.Column("finder", sa.String(40), nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_entries"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_entries_game_id"),
    )
    op.create_index("ix_entries_game", "entries", ["game", "at"])
