"""Best scores and game values, with certificates; rules and what a solver may use of a game are arguments."""
