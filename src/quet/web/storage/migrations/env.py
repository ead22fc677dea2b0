"""Runs the steps on the connection that `Database.upgrade` has, within its transaction."""

from alembic import context

from quet.web.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
context.run_migrations()
