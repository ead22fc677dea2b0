"""Values by trying everything, of all positions of a small game."""

import quet
from quet.core.state import copy, key


def minimax(game: quet.Game) -> dict[object, int]:
    """The value of every position that can come after this one, by its key, found by trying everything.

    In the Sums Grid positions come again; as it is a solitaire, the best end known so far is corrected until it stays.
    """
    rules, found = game.rules, dict[object, int]()
    states, following = {key(game.state): game.state}, dict[object, list[object]]()
    waiting = [game.state]
    while waiting:
        s = waiting.pop()
        out = [0] * rules.most_moves(s)
        moves = [] if rules.is_over(s) else out[: rules.legal_moves(s, out)]
        if not moves:
            found[key(s)] = rules.score(s, 1) - (rules.score(s, 2) if game.num_players > 1 else 0)
        following[key(s)] = []
        for move in moves:
            after = copy(s)
            rules.play(after, move)
            following[key(s)].append(key(after))
            if key(after) not in states:
                states[key(after)] = after
                waiting.append(after)
    is_changed = True
    while is_changed:
        is_changed = False
        for name, s in reversed(states.items()):
            worths = [found[after] for after in following[name] if after in found]
            if worths and (game.num_players == 1 or len(worths) == len(following[name])):
                worth = (max if (rules.mover(s) == 1) is not rules.LOWER_IS_BETTER else min)(worths)
                is_changed |= found.get(name) != worth
                found[name] = worth
    return found
