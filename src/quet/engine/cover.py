"""A weighted set cover, chosen greedily: which answers to take so that few new positions come up. To be compiled.

An answer is a position after a reply. It serves all positions from which a reply leads to it, and it costs the new
positions that can come up after it. Again and again the answer is taken that costs least for each position that it
serves (Chvatal, A greedy heuristic for the set-covering problem, 1979). What an answer costs changes on the way. So
it is counted again when its turn comes, and put back where it costs more than the next one.
"""

from .arrays import Floats, Ints, Words

ALLOCATES = False

NOTHING = 1e30  # the price of what serves no position


def cover(
    first: Ints, served: Ints, needs: Ints, weights: Floats, is_needed: Words, chosen: Ints, prices: Floats,
    queue: Ints, touch: float,
) -> None:  # fmt: skip
    """Write to chosen[p] for each position p the place in `served` of the answer that serves it.

    Answer a serves the positions served[first[a] : first[a + 1]] and needs the positions needs[a], numbers of any kind;
    negative ones don't count. Bit i % 8 of is_needed[i // 8] says whether position i is needed already; those of the
    answers taken are added. `prices` and `queue` are room for a number for each answer. `touch` is what a position
    costs that is needed already. A new one costs its weight more: weights[i] for position i, or 1 where `weights` is
    empty.
    """
    num_answers = len(first) - 1
    for p in range(len(chosen)):
        chosen[p] = -1
    for a in range(num_answers):
        prices[a] = price(a, first, served, needs, weights, is_needed, chosen, touch)
        queue[a] = a
    for i in range(num_answers // 2, -1, -1):
        sink(queue, prices, i, num_answers)
    left = num_answers
    while left > 0:
        a = queue[0]
        now = price(a, first, served, needs, weights, is_needed, chosen, touch)
        if now < NOTHING:
            least = NOTHING
            for i in range(1, min(left, 3)):
                least = min(least, prices[queue[i]])
            if now > least:
                prices[a] = now
                sink(queue, prices, 0, left)
                continue
            for k in range(first[a], first[a + 1]):
                if chosen[served[k]] < 0:
                    chosen[served[k]] = k
            for need in needs[a]:
                if need >= 0:
                    is_needed[need >> 3] |= 1 << (need & 7)
        left -= 1
        queue[0] = queue[left]
        sink(queue, prices, 0, left)


def price(
    a: int, first: Ints, served: Ints, needs: Ints, weights: Floats, is_needed: Words, chosen: Ints, touch: float
) -> float:
    """What an answer costs for each position that it serves and that isn't served yet."""
    count = 0
    for k in range(first[a], first[a + 1]):
        count += chosen[served[k]] < 0
    if count == 0:
        return NOTHING
    cost = touch
    for need in needs[a]:
        if need >= 0:
            new = 0.0
            if is_needed[need >> 3] >> (need & 7) & 1 == 0:
                new = weights[need] if len(weights) > 0 else 1.0
            cost += touch + new  # in this order: how ties are rounded decides the digests of strategies
    return cost / count


def sink(queue: Ints, prices: Floats, i: int, length: int) -> None:
    """Put the answer at place i of the queue behind cheaper ones. The queue is a heap of so many answers."""
    a = queue[i]
    while 2 * i + 1 < length:
        child = 2 * i + 1
        if child + 1 < length and prices[queue[child + 1]] < prices[queue[child]]:
            child += 1
        if prices[queue[child]] >= prices[a]:
            break
        queue[i] = queue[child]
        i = child
    if length > 0:
        queue[i] = a
