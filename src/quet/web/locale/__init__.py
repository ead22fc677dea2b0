"""The catalogs of messages, and what collects the messages from the code: `make messages`."""
