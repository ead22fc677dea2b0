"""What a computer player expected after a move, and how it knew."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the column."""
    op.add_column("moves", sa.Column("expects", sa.Text, nullable=False, server_default=""))
