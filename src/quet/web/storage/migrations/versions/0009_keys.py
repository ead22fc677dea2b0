"""The fingerprint of the key that signs cookies, and an index by which a game is found that has a rematch."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the table, empty: the server that starts next writes down its key's. Add the index."""
    op.create_table(
        "key_fingerprints",
        sa.Column("fingerprint", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", name="pk_key_fingerprints"),
    )
    has_one = sa.column("rematch", sa.String).is_not(None)
    op.create_index("ix_games_rematch", "games", ["rematch"], sqlite_where=has_one, postgresql_where=has_one)
