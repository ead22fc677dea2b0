"""Up And Up, Grid Solitaire."""
