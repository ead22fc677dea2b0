"""Why each clause of a SAT solver's proof follows from those before it: by unit propagation, clause by clause.

The antecedents of a clause are those clauses that lead to a contradiction when all its literals are taken to be false
(reverse unit propagation; Goldberg and Novikov, "Verification of proofs of unsatisfiability for CNF formulas", 2003).
Two literals of each clause are watched; they are not false as long as the clause has others. Functions are compiled by
`quet.engine.compiled`.
"""

import numpy as np

from .arrays import Ints

NONE = -1


def find(literals: Ints, starts: Ints, num_given: int, order: Ints, num_variables: int, most: int) -> tuple[Ints, Ints]:
    """The antecedents of all clauses that are added, one after another, and where those of each clause begin.

    Literals are 2v where variable v is true and 2v + 1 where it is false. Clause c is literals[starts[c]:starts[c+1]];
    the first `num_given` need no reason. `order` has the steps: c adds clause c, -1 - c deletes it. The last
    antecedents are those of the empty clause. Those of one clause are in the order in which they are used. The second
    result is empty where a clause, or in the end the empty clause, doesn't follow, or there are more than `most`.
    """
    num_clauses = len(starts) - 1
    value = np.zeros(2 * num_variables + 2, np.int8)  # of each literal: 1 true, -1 false
    reason = np.full(num_variables + 1, NONE, np.int64)  # the clause that made the variable what it is
    trail = np.zeros(num_variables + 2, np.int64)  # how many literals have become true, and then these literals
    first = np.full(2 * num_variables + 2, NONE, np.int64)  # the first watcher of each literal; 2c and 2c+1 are c's
    after = np.full(2 * num_clauses, NONE, np.int64)  # the next watcher
    is_gone = np.zeros(num_clauses, np.int8)
    is_met = np.zeros(num_variables + 1, np.int8)
    found = np.zeros(1 << 16, np.int32)
    begins = np.zeros(num_clauses + 2, np.int64)
    count = 0
    for change in order:
        if change < 0:
            is_gone[-1 - change] = 1
            continue
        clause = change
        begins[clause] = count
        if clause >= num_given:
            kept = trail[0]
            conflict = NONE
            is_true = NONE  # a literal of the clause that is true already
            for i in range(starts[clause], starts[clause + 1]):
                literal = literals[i]
                if value[literal] == 1:
                    is_true = literal
                    break
                if value[literal] == 0:
                    _set(literal ^ 1, NONE, value, reason, trail)
            if is_true == NONE:
                conflict = _propagate(kept, literals, starts, value, reason, trail, first, after, is_gone)
                if conflict == NONE:
                    return found[:0], begins[:0]
            if len(found) < count + num_variables + 2:
                if count > most:
                    return found[:0], begins[:0]
                longer = np.zeros(2 * len(found) + num_variables + 2, np.int32)
                longer[:count] = found[:count]
                found = longer
            count = _explain(conflict, is_true, literals, starts, reason, trail, is_met, found, count)
            for i in range(kept + 1, trail[0] + 1):
                value[trail[i]] = 0
                value[trail[i] ^ 1] = 0
            trail[0] = kept
        begins[clause + 1] = count
        num_open = _watch(clause, literals, starts, value, first, after)
        conflict = NONE
        if num_open == 0:
            conflict = clause
        elif num_open == 1 and value[literals[starts[clause]]] == 0:
            kept = trail[0]
            _set(literals[starts[clause]], clause, value, reason, trail)
            conflict = _propagate(kept, literals, starts, value, reason, trail, first, after, is_gone)
        if conflict != NONE:
            begins[num_clauses] = count
            longer = np.zeros(count + num_variables + 2, np.int32)
            longer[:count] = found[:count]
            begins[num_clauses + 1] = _explain(conflict, NONE, literals, starts, reason, trail, is_met, longer, count)
            return longer, begins
    return found[:0], begins[:0]


def _set(literal: int, clause: int, value: Ints, reason: Ints, trail: Ints) -> None:
    value[literal] = 1
    value[literal ^ 1] = -1
    reason[literal >> 1] = clause
    trail[0] += 1
    trail[trail[0]] = literal


def _watch(clause: int, literals: Ints, starts: Ints, value: Ints, first: Ints, after: Ints) -> int:
    """Watch two literals of a clause, if possible such as aren't false; return how many of the two are not false."""
    begin = starts[clause]
    num_open = 0
    for i in range(begin, starts[clause + 1]):
        if value[literals[i]] != -1 and num_open < 2:
            literals[i], literals[begin + num_open] = literals[begin + num_open], literals[i]
            num_open += 1
    for i in range(min(2, starts[clause + 1] - begin)):
        after[2 * clause + i] = first[literals[begin + i]]
        first[literals[begin + i]] = 2 * clause + i
    return num_open


def _propagate(
    done: int,
    literals: Ints,
    starts: Ints,
    value: Ints,
    reason: Ints,
    trail: Ints,
    first: Ints,
    after: Ints,
    is_gone: Ints,
) -> int:
    """Make all literals true that follow, from number `done` on; return a clause that is false then, or NONE."""
    while done < trail[0]:
        done += 1
        is_false = trail[done] ^ 1
        before = NONE
        watcher = first[is_false]
        while watcher != NONE:
            clause = watcher >> 1
            following = after[watcher]
            begin = starts[clause]
            other = literals[begin + 1 - (watcher & 1)]
            is_moved = is_gone[clause] == 1
            if not is_moved and value[other] != 1:
                for i in range(begin + 2, starts[clause + 1]):
                    if value[literals[i]] != -1:
                        literals[i], literals[begin + (watcher & 1)] = is_false, literals[i]
                        moved = literals[begin + (watcher & 1)]
                        after[watcher] = first[moved]
                        first[moved] = watcher
                        is_moved = True
                        break
                if not is_moved:
                    if value[other] == -1:
                        return int(clause)
                    _set(other, clause, value, reason, trail)
            if not is_moved:
                before = watcher
            elif before == NONE:
                first[is_false] = following
            else:
                after[before] = following
            watcher = following
    return NONE


def _explain(
    conflict: int,
    is_true: int,
    literals: Ints,
    starts: Ints,
    reason: Ints,
    trail: Ints,
    is_met: Ints,
    found: Ints,
    count: int,
) -> int:
    """Write the clauses that made this one false, or this literal true, to found[count:]; return where they end."""
    begin = count
    if conflict == NONE:
        is_met[is_true >> 1] = 1
    else:
        found[count] = conflict
        count += 1
        for i in range(starts[conflict], starts[conflict + 1]):
            is_met[literals[i] >> 1] = 1
    for i in range(trail[0], 0, -1):
        variable = trail[i] >> 1
        if is_met[variable]:
            is_met[variable] = 0
            clause = reason[variable]
            if clause != NONE:
                found[count] = clause
                count += 1
                for j in range(starts[clause], starts[clause + 1]):
                    if literals[j] >> 1 != variable:
                        is_met[literals[j] >> 1] = 1
    for i in range((count - begin) // 2):
        found[begin + i], found[count - 1 - i] = found[count - 1 - i], found[begin + i]
    return count
