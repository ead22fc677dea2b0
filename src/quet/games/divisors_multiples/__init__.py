"""Divisors/Multiples Sequence Game."""
