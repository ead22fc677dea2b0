"""The results of best play with two, three and four players, by max-n.

    python bench/many.py convoluted-coprimality 60
    python bench/many.py divisors-multiples 16

Prints who wins Convoluted Coprimality, or what each player has paid in Divisors/Multiples, for each size up to the
number given, which has no limit. `quet solve` says the same about the sizes that it takes. If several moves are equally
good for the mover, the one that is best for the next player is taken. Brackets show the result if the worst one were
taken, where it differs.
"""

from collections.abc import Callable

import arguments

import quet
from quet.distribution.task import Task
from quet.games.convoluted_coprimality.solve import winners
from quet.games.divisors_multiples.solve import table


def winning(n: int, players: int, *, is_kind: bool) -> str:
    """Who wins, or shares the win."""
    return "+".join(map(str, winners(n, players, is_kind=is_kind)))


def paying(r: int, players: int, *, is_kind: bool) -> str:
    """What each has paid."""
    s = quet.new("divisors-multiples", r=r, players=players).state
    costs = table(s, Task(), is_kind=is_kind)
    assert costs is not None  # there is no limit of time
    return " ".join(map(str, costs.of(s)))


def main() -> None:
    """Print what the module says."""
    ways: dict[str, Callable[..., str]] = {"convoluted-coprimality": winning, "divisors-multiples": paying}
    parser = arguments.parser(__doc__)
    parser.add_argument("game", choices=ways)
    parser.add_argument("largest", type=arguments.size)
    options = parser.parse_args()
    found = ways[options.game]
    for size in range(2, options.largest + 1):
        shown = []
        for players in (2, 3, 4):
            kind, unkind = (found(size, players, is_kind=is_kind) for is_kind in (True, False))
            shown.append(kind if kind == unkind else f"{kind} ({unkind})")
        print(f"{size}: {', '.join(shown)}", flush=True)


if __name__ == "__main__":
    main()
