"""Quet in the browser: a server on which people play, alone, together or against the computer."""
