"""An index in the order of a day's ranking."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the index."""
    is_placed = sa.column("is_unplaced", sa.Boolean).is_(False)
    columns = [sa.text(name) for name in ("race", "standing", "(changed_at - created_at)", "id")]
    op.create_index("ix_games_ranking", "games", columns, sqlite_where=is_placed, postgresql_where=is_placed)
