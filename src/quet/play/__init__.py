"""What every face needs: games in play, sessions, records, clocks, computer players, judging."""
