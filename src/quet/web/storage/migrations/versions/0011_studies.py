"""Analyses of games, so that all server processes show the same one."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make the table, empty: whoever wants an analysis next has it made."""
    op.create_table(
        "studies",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("made_by", sa.String(100), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("key", "made_by", name="pk_studies"),
    )
    op.create_index("ix_studies_at", "studies", ["at"])
