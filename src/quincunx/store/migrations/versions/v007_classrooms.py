"""Classrooms: pupils, the contests of a class, its rounds, and uploaded files."""

import sqlalchemy as sa
from alembic import op

revision = "007"
down_revision = "006"


def upgrade() -> None:
    op.create_table(
        "classrooms",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("code", sa.Text, nullable=False, unique=True),
        sa.Column("teacher_hash", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "pupils",
        sa.Column("classroom", sa.Text, sa.ForeignKey("classrooms.id"), primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("key_hash", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "class_contests",
        sa.Column("contest", sa.Text, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("classroom", sa.Text, sa.ForeignKey("classrooms.id"), nullable=False, index=True),
        sa.Column("format", sa.Text, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
    )
    op.create_table(
        "rounds",
        sa.Column("contest", sa.Text, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("meetings", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "uploads",
        sa.Column("contest", sa.Text, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("notes", sa.Text, nullable=False),
    )
