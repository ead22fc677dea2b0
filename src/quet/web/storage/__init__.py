"""The database of the site: its tables, its only writers, and lists read from them."""
