"""A seat is found by its token: whoever brings one need not know which match it is of."""

from alembic import op

revision = "004"
down_revision = "003"


def upgrade() -> None:
    op.create_index("ix_seats_token_hash", "seats", ["token_hash"])
