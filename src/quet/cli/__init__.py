"""The command line: one module a command that is more than a few lines."""
