"""Writes what was found as a certificate that `verify.py` checks.

The grounds are the game's own strategies, where they hold the value. Else, where a game has few positions, they are a
table of all positions, made here by plain backward induction. That is a second way, and must agree with the first.
For three and more players the checker itself can try somewhat larger games.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..capabilities import Strategy
from ..certificates import check_minimax, check_tried, claims, verify
from ..certificates.aims import Result, aim, as_result, result, told
from ..certificates.certificate_file import write as write
from ..certificates.limits import USUAL, Limits, Meter
from ..core.errors import BadCertificate, BrokenRules, TooLargeToCheck, one_line
from ..core.parameters import written
from ..core.rules import AnyRules, AnyState, legal_moves
from ..core.state import copy
from ..distribution.task import Answer, Task

Certificate = dict[str, Any]  # or one of its grounds, as JSON has it; only the checker takes it apart
TRIED_IN_A_SECOND = 2_000  # positions that the checker tries itself, on a slow machine
FOLLOWED_IN_A_SECOND = 20_000  # the same of a solitaire, whose claims say how games are tried
UNASKED = 60.0  # seconds, on a slow machine, that the game's own way may take where no time is given
MOST_POSITIONS = 40_000  # of a game whose certificate is a table; larger ones would take minutes to check


def make(
    game: str,
    rules: AnyRules,
    state: AnyState,
    parameters: Mapping[str, object],
    answer: Answer,
    task: Task,
    strategy: Strategy[AnyState] | None = None,
    weak: Sequence[Certificate] = (),
) -> Certificate | None:
    """The certificate of an answer; None where there is nothing to certify.

    For two players, a certificate is for a proven value with a whole game as its witness, or for bounds that strategies
    hold. For a solitaire it is for any score reached. For three or more players it is for the scores. `strategy` is the
    game's own module or None; what rests on strategies that are too large has none. `weak` are the grounds of a weak
    solution, which then take the place of a search.
    """
    if answer.is_too_large_to_certify:
        return None
    answer = bounded(game, state, answer, is_lowest=task.is_lowest)
    num_players = rules.num_players(state)
    held = {} if num_players != 2 else by_theorems(answer, state, strategy)
    if held and not answer.is_proven:
        answer = _open(game, state, answer, held)
    s = copy(state)
    for move in answer.witness:
        rules.play(s, move)
    is_open = num_players > 1 and not answer.is_proven
    if num_players > 2:
        is_told = answer.scores is not None and claims.of(game).wish is not None
    else:
        is_told = None not in (answer.low, answer.high)
    if not is_told or (is_open and not held) or not (is_open or rules.is_over(s)):
        return None
    grounds = list(weak) if weak and not held else _grounds(game, rules, state, answer, task, held)
    are_best_known = answer.has_all_best and any(
        ground["kind"] in ("table", "minimax", "exhaustive") for ground in grounds
    )
    best = [rules.move_text(state, move) for move in answer.best_moves] if are_best_known else None
    certificate = {
        "format": verify.FORMAT,
        "version": verify.VERSION,
        "game": game,
        "rules": rules.VERSION,
        "parameters": written(parameters),
        "claim": _claim(num_players, answer, task) | {"best_moves": best},
        "witness": [rules.move_text(state, move) for move in answer.witness],
        "grounds": grounds,
    }
    certificate["digest"] = verify.digest(certificate)
    return certificate


def bounded(game: str, state: AnyState, answer: Answer, *, is_lowest: bool) -> Answer:
    """The answer, with the checker's own bound where a solver knows only the bound that the rules give."""
    if not answer.is_at_bound:
        return answer
    if is_lowest:
        return replace(answer, low=claims.of(game).bound(state, "low"))
    return replace(answer, high=claims.of(game).bound(state, "high"))


def _claim(num_players: int, answer: Answer, task: Task) -> Certificate:
    if answer.scores is not None:
        return {"score": "scores", "scores": [int(score) for score in answer.scores]}
    assert answer.low is not None and answer.high is not None  # or there is nothing to claim
    score = "value" if num_players == 2 else "lowest" if task.is_lowest else "highest"
    return {"score": score, "low": int(answer.low), "high": int(answer.high)}


def by_theorems(answer: Answer, state: AnyState, strategy: Strategy[AnyState] | None) -> dict[str, Certificate]:
    """The grounds for each side of an answer that a strategy holds; for a proven answer none unless it holds both."""
    claimed = {"low": answer.low, "high": answer.high}
    held = () if strategy is None else strategy.find(state)
    found = {
        side: ground for side in claimed for value, ground in held if (value, ground["for"]) == (claimed[side], [side])
    }
    return found if len(found) == 2 or not answer.is_proven else {}


def _open(game: str, state: AnyState, answer: Answer, held: dict[str, Certificate]) -> Answer:
    """An open answer with only what can be checked: bounds that strategies hold, and bounds that the rules give."""
    low = answer.low if "low" in held else claims.of(game).bound(state, "low")
    high = answer.high if "high" in held else claims.of(game).bound(state, "high")
    return replace(answer, low=low, high=high, witness=[], best_moves=[], has_all_best=False)


def _grounds(
    game: str, rules: AnyRules, state: AnyState, answer: Answer, task: Task, held: dict[str, Certificate]
) -> list[Certificate]:
    """The grounds of each side. Ctrl-C or a lack of memory ends all that takes long: the answer is known without it."""
    if held:
        return [held.get(side, {"for": [side], "kind": "bound"}) for side in ("low", "high")]
    reached, other = ("high", "low") if task.is_lowest else ("low", "high")
    witness = {"for": [reached], "kind": "witness"}
    try:
        if (whole := _whole(game, rules, state, answer, task)) is not None:
            return [whole]
        if rules.num_players(state) == 1:
            return [witness, _other(game, state, answer, other, task)]
    except (MemoryError, KeyboardInterrupt):
        if rules.num_players(state) == 1:
            return [witness, _search(answer, other)]
    return [_search(answer, *(("low", "high") if answer.scores is None else ("scores",)))]


def _whole(game: str, rules: AnyRules, state: AnyState, answer: Answer, task: Task) -> Certificate | None:
    """The grounds that can be checked for all sides at once, if there are any."""
    sides = ["low", "high"] if answer.scores is None else ["scores"]
    if not answer.is_at_bound and answer.is_proven:
        is_stopped = task.stop is not None and task.stop.is_set()
        values = None if is_stopped else table(game, rules, state, is_lowest=task.is_lowest)
        if values is not None:
            _check_agreement(result(rules, state), values[0], answer)
            return {"for": sides, "kind": "table", "values": values}
    return {"for": sides, "kind": "minimax"} if _is_repeated(game, state, answer, task) else None


def _check_agreement(here: Result, still: int | list[int], answer: Answer) -> None:
    found = _sum(here, as_result(still))
    claimed = answer.low if answer.scores is None else answer.scores
    assert claimed is not None  # it is proven
    wanted = as_result(claimed)
    if found != wanted:
        raise BrokenRules(f"Two ways disagree: {told(wanted)} by {answer.method}, {told(found)} by a table.")


def _is_repeated(game: str, state: AnyState, answer: Answer, task: Task) -> bool:
    """Whether the checker itself comes to this result, in a game that is small enough for it and for the time left.

    Of two players only where the game has a way of its own: by the rules a table is as good. That way is begun only
    where it needs no more than the task's memory.
    """
    subject, most = claims.of(game), check_minimax.MOST_POSITIONS
    claimed = answer.low if answer.scores is None else answer.scores
    num_players = subject.rules.num_players(state)
    if num_players == 1 or claimed is None or not answer.is_proven or answer.is_at_bound:
        return False
    if num_players == 2:
        most = 0
    elif task.left is not None:
        most = min(most, int(task.left * TRIED_IN_A_SECOND))
    seconds = UNASKED if task.left is None else min(task.left, USUAL.seconds)
    best = [subject.rules.move_text(state, move) for move in answer.best_moves] if answer.has_all_best else None
    try:
        check_minimax.check(
            subject,
            state,
            as_result(claimed),
            is_lowest=False,
            best_moves=best,
            most=most,
            meter=Meter(Limits(seconds, min(task.memory, USUAL.memory)), is_patient=True),
        )
    except TooLargeToCheck:
        return False
    except BadCertificate as error:
        raise BrokenRules(f"Two ways disagree: {one_line(error)}") from error
    return True


def _other(game: str, state: AnyState, answer: Answer, side: str, task: Task) -> Certificate:
    """The grounds for the side of a solitaire's score that the witness doesn't show."""
    if answer.is_at_bound:
        return {"for": [side], "kind": "bound"}
    if answer.refute is None and _are_tried(game, state, answer, side, task):
        return {"for": [side], "kind": "tried"}
    return _search(answer, side) if answer.refute is None else {"for": [side], **answer.refute()}


def _are_tried(game: str, state: AnyState, answer: Answer, side: str, task: Task) -> bool:
    """Whether the checker itself can try all games that would be better, in the time left."""
    subject, most = claims.of(game), check_tried.MOST_POSITIONS
    claimed = answer.low if side == "low" else answer.high
    if not isinstance(subject.claims, claims.Tries) or claimed is None:
        return False
    if task.left is not None:
        most = min(most, int(task.left * FOLLOWED_IN_A_SECOND))
    try:
        check_tried.check(subject, state, claimed, side, most=most, meter=Meter(is_patient=True))
    except TooLargeToCheck:
        return False
    except BadCertificate as error:
        raise BrokenRules(f"Two ways disagree: {one_line(error)}") from error
    return True


def _search(answer: Answer, *sides: str) -> Certificate:
    return {
        "for": list(sides),
        "kind": "exhaustive",
        "method": answer.method,
        "positions": answer.nodes,
        "confirmed_by": answer.confirmed_by,
    }


def table(
    game: str, rules: AnyRules, state: AnyState, *, is_lowest: bool = False
) -> list[int] | list[list[int]] | None:
    """For each position, by how much the result still changes from there; None where there are too many positions.

    Positions are numbered as in certificates. None too where a position can occur again.
    """
    subject = claims.of(game)
    numbers = {subject.key(state): 0}
    waiting = deque([state])
    here: list[Result] = []  # the result as it stands in each position
    moves: list[list[tuple[Result, int]]] = []  # for each position: that result after each move, and the new number
    wishes = []
    while waiting:
        s = waiting.popleft()
        found = []
        for move in [] if rules.is_over(s) else legal_moves(rules, s):
            after = copy(s)
            rules.play(after, move)
            key = subject.key(after)
            if key not in numbers:
                if len(numbers) == MOST_POSITIONS:
                    return None
                numbers[key] = len(numbers)
                waiting.append(after)
            found.append((result(rules, after), numbers[key]))
        here.append(result(rules, s))
        moves.append(found)
        wishes.append(aim(subject, s, is_lowest=is_lowest))
    order = _from_the_ends([[after for _, after in found] for found in moves])
    if order is None:
        return None
    values: list[Result] = [(0,) * len(here[0])] * len(moves)
    for number in order:
        if moves[number]:
            totals = [_sum(there, values[after]) for there, after in moves[number]]
            taken: Result = max(totals, key=wishes[number])
            values[number] = _sum(taken, [-score for score in here[number]])
    return [value[0] for value in values] if len(here[0]) == 1 else [list(value) for value in values]


def _sum(one: Sequence[int], other: Sequence[int]) -> Result:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _from_the_ends(moves: list[list[int]]) -> list[int] | None:
    """The positions in an order in which each comes after all positions that follow it; None where there is none."""
    before: list[list[int]] = [[] for _ in moves]
    left = [len(found) for found in moves]
    for number, found in enumerate(moves):
        for after in found:
            before[after].append(number)
    order = [number for number, count in enumerate(left) if count == 0]
    for number in order:  # grows on the way
        for earlier in before[number]:
            left[earlier] -= 1
            if left[earlier] == 0:
                order.append(earlier)
    return order if len(order) == len(moves) else None
