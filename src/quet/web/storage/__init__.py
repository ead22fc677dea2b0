"""The database of the site: its schema, its only writers, and lists read from them."""
