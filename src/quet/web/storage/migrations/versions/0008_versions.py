"""Versions of games that are raised by random numbers, and need more room."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Give them the room. SQLite has it."""
    if op.get_bind().dialect.name != "sqlite":
        op.alter_column("games", "version", type_=sa.BigInteger)
