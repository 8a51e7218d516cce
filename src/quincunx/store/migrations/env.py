"""Alembic runs this to migrate: on the connection, and in the transaction, that `database.py` holds."""

from alembic import context

from quincunx.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,  # of SQLite, too: a migration happens wholly or not at all
)
with context.begin_transaction():
    context.run_migrations()
