"""A tag of the address from which a game was made that others find in a list."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column. From where the games of before were made isn't known."""
    op.add_column("games", sa.Column("network", sa.String(4)))
