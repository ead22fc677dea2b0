"""A paper that can be read, for every game."""

from collections.abc import Mapping

from by_game import ByGame

PAPERS: Mapping[str, str] = ByGame(
    "PAPERS in tests/papers.py",
    {
        "blob": "**oo/o*oo/oooo/oooo",
        "convoluted-coprimality": "1 8 7/2 9 6/3 4 5 // 1 2 3/. . 4/. . .",
        "divisors-multiples": "2! 4 8! 16! 1 17!",
        "palindromes": "1001001101000100",
        "plusses-minuses": "+-+-+-+ ++-++-+ a1 b8 c4 d2 e3 f5 g6 h7",
        "sequence-ascension": "1 2 2 3/2 4 2 4/3 4 2 6/2 4 4 5",
        "sums-grid": "2 9 8/3 1 10/7 6 15",
        "up-and-up": "2 5 8/1 6 7/3 4 9",
    },
)
