"""The house's catalogs of messages."""
