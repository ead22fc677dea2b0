"""Games that people put away, who won, and games that begin in the middle."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns. Who won the games of before isn't known without their moves, and stays so."""
    op.add_column("games", sa.Column("start", sa.Text, nullable=False, server_default=""))
    op.add_column("games", sa.Column("winners", sa.String(40)))
    op.add_column("seats", sa.Column("is_put_away", sa.Boolean, nullable=False, server_default=sa.false()))
    op.drop_index("ix_seats_visitor", "seats")
    op.create_index("ix_seats_visitor", "seats", ["visitor", "is_put_away", "ended_at", "made_at"])
