"""Games, seats and moves."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("game", sa.String(100), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("parameters", sa.Text, nullable=False),
        sa.Column("num_players", sa.Integer, nullable=False),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("clock", sa.String(8), nullable=False),
        sa.Column("clock_seconds", sa.Float, nullable=False),
        sa.Column("clock_increment", sa.Float, nullable=False),
        sa.Column("seed", sa.Integer, nullable=False),
        sa.Column("creator", sa.String(32), nullable=False),
        sa.Column("race", sa.String(32)),
        sa.Column("rematch", sa.String(32)),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("mover", sa.Integer),
        sa.Column("is_computer_due", sa.Boolean, nullable=False),
        sa.Column("deadline", sa.Float),
        sa.Column("num_rows", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("changed_at", sa.Float, nullable=False),
        sa.Column("leased_until", sa.Float),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_index("ix_games_computer", "games", ["is_computer_due", "changed_at"])
    op.create_index("ix_games_deadline", "games", ["deadline"])
    op.create_index("ix_games_status", "games", ["status", "changed_at"])
    op.create_index("ix_games_creator", "games", ["creator", "created_at"])
    op.create_index("uq_games_race_creator", "games", ["race", "creator"], unique=True)
    op.create_table(
        "seats",
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("computer", sa.String(40), nullable=False),
        sa.Column("visitor", sa.String(32)),
        sa.Column("invitation", sa.String(32)),
        sa.Column("is_open", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "player", name="pk_seats"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_seats_game_id"),
    )
    op.create_index("ix_seats_visitor", "seats", ["visitor"])
    op.create_table(
        "moves",
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "ply", name="pk_moves"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_moves_game_id"),
    )
