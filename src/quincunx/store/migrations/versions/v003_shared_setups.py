"""A setup is its maker's until it is shared; a name is taken once by each of them.

What was kept before could be seen by everybody, and stays so.
"""

import sqlalchemy as sa
from alembic import op

revision = "003"
down_revision = "002"


def upgrade() -> None:
    op.execute("UPDATE setups SET owner = '' WHERE owner IS NULL")
    with op.batch_alter_table("setups") as setups:  # SQLite writes the table anew
        setups.add_column(sa.Column("shared", sa.Boolean, nullable=False, server_default=sa.true()))
        setups.alter_column("owner", existing_type=sa.Text, nullable=False)
        setups.drop_constraint("setups_by_name", type_="unique")
        setups.create_unique_constraint("setups_by_name", ["game", "owner", "name"])
    with op.batch_alter_table("setups") as setups:
        setups.alter_column("shared", existing_type=sa.Boolean, server_default=None)
