"""What every game is built from: states, squares, numbers, parameters, errors. Knows no game."""
