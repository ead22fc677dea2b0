"""Computer players, and the arena where they meet."""
