"""What a game has to keep, checked by `quet check` and by the tests."""
