"""Palindromes/Antipalindromes In Sequence."""
