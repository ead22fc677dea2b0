"""The answer to a question about a game: by the game's own solver, an exact search, or the best game that is met."""

from dataclasses import replace

from ..catalog import Entry
from ..certificates import claims
from ..certificates.aims import as_result, result, told
from ..core.clock import clock
from ..core.errors import BadParameter, NotCompiled, QuetError
from ..core.rules import AnyRules, AnyState
from ..core.state import copy
from ..distribution.task import Answer, Task
from . import boards, strategies

MOST_SECONDS = 600.0  # for an exact search, unless a time is given,
HELD_SECONDS = 20.0  # and for one whose value strategies hold already
NOTHING = "no time to search"


def answer(entry: Entry, state: AnyState, task: Task, *, start: AnyState | None = None) -> Answer:
    """What can be found out about the game that goes on from `state`, the first position unless another is the `start`.

    Of one or two players, games' own solvers are for whole games, and a solver for all positions where a
    whole board is in reach from each; strategies are for all positions. Such a solver may leave a question to
    the others, and of a game for two it may know nothing but bounds. Raises BadParameter for a question that makes no
    sense, NotCompiled where code is compiled elsewhere and isn't ready, and QuetError as `replayed` does.
    """
    return replayed(entry.rules, state, _answer(entry, state, task, start))


def _answer(entry: Entry, state: AnyState, task: Task, start: AnyState | None) -> Answer:
    rules = entry.rules
    if task.is_lowest and rules.num_players(state) > 1:
        raise BadParameter("Only solitaires have a lowest score.")
    if rules.num_players(state) > 2:
        return _of_many(entry, state, task, is_plain=False)
    # Where strategies hold the value, a search can find nothing but more best moves.
    is_held = strategies.is_enough(rules, state, entry.strategy)
    limited = task.within(HELD_SECONDS) if is_held else task
    if rules.num_players(state) == 2:  # solvers of solitaires know for themselves what is enough
        limited = limited.within(MOST_SECONDS)
    if start is not None:
        found = boards.solved(entry, state, start, limited)
    else:
        found = None if entry.solve is None else entry.solve.solve(state, limited)
    if found is not None and (found.is_proven or found.witness or rules.num_players(state) == 1):
        return found
    from . import improve, perfect  # with NumPy, which an own solver may do without

    limited, is_whole_board = limited.within(MOST_SECONDS), entry.local_search is not None
    exactly = found or perfect.solve(rules, entry.capabilities, state, limited, is_whole_board=is_whole_board)
    is_worse = task.is_lowest and not rules.LOWER_IS_BETTER  # players look for the better score alone
    if exactly is not None and (exactly.is_proven or is_worse):
        return exactly
    if is_worse:
        raise BadParameter("This solitaire has nothing that looks for a lowest score.")
    found = exactly
    if is_held:
        found = found or Answer(None, None, [], [], 0, "")
    elif found is None or not found.witness:
        best = improve.solve(rules, entry.capabilities.bounds, entry.local_search, state, task)
        found = best if exactly is None else _joined(exactly, best, is_low_better=task.is_lowest)
    return strategies.improved(found, rules, state, entry.strategy, is_start=start is None)


def of_many(entry: Entry, state: AnyState, task: Task, *, is_plain: bool = False) -> Answer:
    """The scores of three or more players who all play perfectly from any position on; open where it takes too long.

    A game's own solver isn't asked where nothing compiled can be used (`is_plain`). Raises as `answer`.
    """
    return replayed(entry.rules, state, _of_many(entry, state, task, is_plain=is_plain))


def _of_many(entry: Entry, state: AnyState, task: Task, *, is_plain: bool) -> Answer:
    found = None if entry.solve is None or is_plain else entry.solve.solve(state, task)
    if found is not None:
        return found
    from . import many

    return many.solve(claims.of(entry.id), state, task)


def known(entry: Entry, state: AnyState, task: Task) -> Answer:
    """What is known by now: what the task's notes have, bounds, and a game that is found at once. Compiles nothing.

    Raises as `answer`, but not NotCompiled.
    """
    return replayed(entry.rules, state, _known(entry, state, task))


def replayed(rules: AnyRules, state: AnyState, found: Answer) -> Answer:
    """The same answer, whose game was played. Raises QuetError if the game isn't legal or doesn't have the value.

    Checkpoints and workers can tell a search anything, and this is what can be seen of it at once.
    """
    s, error = copy(state), ""
    if not all(_is_legal(rules, s, move) for move in found.best_moves):
        error = "names a first move that isn't legal"
    for move in found.witness:
        if rules.is_over(s) or not _is_legal(rules, s, move):
            error = "has a game with a move that isn't legal"
            break
        rules.play(s, move)
    wanted = found.value if found.scores is None else found.scores
    shown = result(rules, s) if found.witness and not error and rules.is_over(s) else None
    if wanted is not None and shown is not None and shown != as_result(wanted):
        error = f"says {told(as_result(wanted))}, but its game ends with {told(shown)}"
    if error:
        raise QuetError(f"The search {error}. A checkpoint or a worker has told it something wrong; begin anew.")
    return found


def _is_legal(rules: AnyRules, s: AnyState, move: int) -> bool:
    """Whether it is a legal move, whatever it is; quicker than to look among all legal moves."""
    try:
        return rules.read_move(s, rules.move_text(s, move)) == move and not rules.broken_rule(s, move)
    except (QuetError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False


def _known(entry: Entry, state: AnyState, task: Task) -> Answer:
    from ..engine import compiled

    over = replace(task, seconds=0.0, begun=clock())
    with compiled.compiling_elsewhere(_Nowhere()):
        try:
            found = answer(entry, state, over)
        except NotCompiled:
            found = None
    is_worse = over.is_lowest and not entry.rules.LOWER_IS_BETTER
    if (found is not None and found.witness) or is_worse or entry.rules.num_players(state) > 2:
        return found or Answer(None, None, [], [], 0, NOTHING)
    from . import improve

    best = improve.solve(entry.rules, entry.capabilities.bounds, entry.local_search, state, over)
    if found is not None:
        return _joined(found, best, is_low_better=over.is_lowest)
    return strategies.improved(best, entry.rules, state, entry.strategy, is_start=True)


class _Nowhere:
    """Nobody compiles any more."""

    def compile(self, wanted: object) -> bool:
        raise NotCompiled

    def check(self) -> None:
        raise NotCompiled


def _joined(exactly: Answer, best: Answer, *, is_low_better: bool) -> Answer:
    """The bounds of a search that wasn't finished, with the game that another search found and, in a solitaire, its
    score: it is reached.
    """
    nodes, methods = exactly.nodes + best.nodes, dict.fromkeys((exactly.method, best.method))
    joined = replace(exactly, witness=best.witness, best_moves=best.best_moves, nodes=nodes, method="; ".join(methods))
    if best.value is None:
        return joined
    if is_low_better:
        high = best.value if exactly.high is None else min(exactly.high, best.value)
        return replace(joined, value=best.value, high=high)
    low = best.value if exactly.low is None else max(exactly.low, best.value)
    return replace(joined, value=best.value, low=low)
