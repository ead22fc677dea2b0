"""Multiples/Divisors Blob Game."""
