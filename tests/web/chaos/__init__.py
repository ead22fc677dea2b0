"""What may happen to a site in a hostile month, one trouble after another."""
