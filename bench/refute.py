"""Asks CaDiCaL, another SAT solver than that of `quet solve`, whether Sequence Ascension has a score.

    python bench/refute.py 23 n=5 sequence=mod3 --cnf a.cnf --drat a.drat

says whether a game can have this score, and after how much CPU time; `--solver glucose4` asks that of `quet solve`. It
writes the clauses, as `quet solve` has them, as DIMACS and, if there is no such game, the proof as DRAT, for drat-trim.

    python bench/refute.py 33 n=6 --without 4 9 36 --solver glucose4

asks only for games whose path leaves out these terms (1 is the first), and tells such a game.
"""

import time
from pathlib import Path

import arguments
from pysat.solvers import Solver

import quet
from quet.certificates.check_unsat import dimacs
from quet.core.errors import refusing
from quet.core.grid import square_text
from quet.core.parameters import split_parameters
from quet.games.sequence_ascension.formula import formula, without_images


def main() -> None:
    parser = arguments.parser(__doc__)
    parser.add_argument("score", type=int)
    parser.add_argument("parameters", nargs="*", metavar="p=v")
    parser.add_argument("--solver", choices=("cadical195", "glucose4"), default="cadical195")
    parser.add_argument("--without", type=int, nargs="+", default=[], metavar="TERM", help="terms that are left out")
    parser.add_argument("--cnf", type=Path, help="the clauses, as DIMACS")
    parser.add_argument("--drat", type=Path, help="the proof, as DRAT")
    options = parser.parse_args()
    with refusing(parser):
        game = quet.new("sequence-ascension", **split_parameters(options.parameters))
    if not all(1 <= term <= game.state.n**2 for term in options.without):
        parser.error(f"--without: the terms are 1 to {game.state.n**2}.")
    wanted = formula(game.state.n, game.state.ranks, options.score)
    clauses = wanted.clauses
    if options.without:
        clauses += [[wanted.skipped[term - 1]] for term in options.without] + without_images(game.state.n, wanted)
    begun = time.process_time()
    with Solver(options.solver, bootstrap_with=clauses, with_proof=options.drat is not None) as solver:
        is_possible = solver.solve()
        seconds = time.process_time() - begun
        print(f"{options.score} is {'possible' if is_possible else 'impossible'}: {seconds:.1f} s of CPU", flush=True)
        if is_possible:
            true = set(solver.get_model())
            for words, table in (("placed", wanted.terms), ("path", wanted.steps)):
                squares = [row.index(variable) for row in table for variable in row if variable in true]
                print(f"{words}:", *(square_text(square, game.state.n) for square in squares))
        if options.drat and not is_possible:
            options.drat.write_text("".join(f"{line}\n" for line in solver.get_proof()))
    if options.cnf:
        options.cnf.write_text(dimacs(clauses))


if __name__ == "__main__":
    main()
