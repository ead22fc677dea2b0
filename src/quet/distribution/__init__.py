"""A long solve: what it is asked and what it answers, its parts, and who does them."""
