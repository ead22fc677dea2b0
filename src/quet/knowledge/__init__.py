"""What is known of a position now: exact values, and what searches think."""
