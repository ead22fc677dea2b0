"""Which moves of an analysis were mistakes or gave away points, and the sentences that say so."""

import math

from ..core.messages import listed, say, say_number
from ..game import Game
from ..knowledge.worth import best_players, in_words, score_text
from .assessments import Assessment
from .outlook import Outlook

# What makes a turning point. If both values are exact, any fall of the best score still reachable counts in a
# solitaire, and in other games any fall of the mover's share of the win; points given away without it are told apart.
# With three or more players any other change of who wins counts too, where perfect play tells the scores of all.
# Estimates have to fall by at least these amounts.
MISTAKE = 0.15  # least fall of an estimate, as a part of the win
SURE = 2.0  # least fall of an estimate in standard errors
FALL = 2  # points, the least fall in a solitaire; it must also exceed the difference of the searches


def turning_point(found: Assessment, position: Game) -> str:
    """What the move changed, as a sentence; empty if the change is too small for a turning point."""
    value, best = found.value, found.best
    if not (value.is_known and best.is_known):
        return ""
    is_exact = value.is_exact and best.is_exact
    if position.num_players == 1:
        if found.loss <= (0 if is_exact else max(FALL - 1, value.error + best.error)):
            return ""
        before, after = score_text(best, position), score_text(value, position)
        if is_exact:
            return _mistake(
                found, say("the best score still reachable fell from {before} to {after}", before=before, after=after)
            )
        return _mistake(found, say("the best score found fell from {before} to {after}", before=before, after=after))
    if is_exact:
        if value.is_as_good_as(best) or value.amount >= best.amount:
            return ""
        before, after = in_words(best, position), in_words(value, position)
        return _mistake(found, say("{before} became {after}", before=before, after=after))
    if position.num_players > 2 and (value.is_exact or best.is_exact):
        return ""  # a search may take other ones of equal moves than perfect play does, so that they can't be compared
    if found.loss < MISTAKE or found.loss < SURE * math.hypot(value.error, best.error):
        return ""
    if best.is_exact and best.at_least is not None:  # which doesn't say that no other move holds as much
        words = {"ply": found.ply, "move": found.move, "best": found.best_move}
        words |= {"before": in_words(best, position), "after": in_words(value, position)}
        return say(
            "Move {ply}, {move}, left what is proven. After {best}: {before}; after {move}, by a search: {after}.",
            **words,
        )
    before, after = f"{100 * best.amount:.0f}", f"{100 * value.amount:.0f}"
    fell = say("the expected share of the win fell from {before} % to {after} %", before=before, after=after)
    return _mistake(found, fell)


def passed_on(found: Assessment, here: Outlook, position: Game) -> str:
    """That a move changed which of three or more players win, without being a mistake, as a sentence; or empty."""
    winners = [
        best_players(position, value.scores) if value.is_exact and value.scores else []
        for value in (here.best, found.value)
    ]
    if not all(winners) or winners[0] == winners[1]:
        return ""
    before, after = (listed([say("player {player}", player=one) for one in each]) for each in winners)
    words = {"ply": found.ply, "move": found.move, "best": here.best_move}
    return say(
        "Move {ply}, {move}, changed who wins: the win went from {before} to {after}; {best} kept it.",
        before=before,
        after=after,
        **words,
    )


def gave_away(found: Assessment, position: Game) -> str:
    """The points that a move gave away without changing who wins, as a sentence; empty where that isn't proven."""
    value, best = found.value, found.best
    is_exact = value.is_exact and best.is_exact
    if position.num_players == 1 or not is_exact or value.is_as_good_as(best) or value.amount != best.amount:
        return ""
    if position.num_players > 2 and not best.scores:  # a certain win, which has no scores to be compared
        return ""
    fall = say("{before} became {after}", before=in_words(best, position), after=in_words(value, position))
    words = {"ply": found.ply, "move": found.move, "fall": fall, "best": found.best_move}
    if best.margin is None:
        return say("Move {ply}, {move}, gave away points: {fall}; {best} didn't.", **words)
    return say_number(
        "Move {ply}, {move}, gave away {number} point: {fall}; {best} kept it at {margin}.",
        "Move {ply}, {move}, gave away {number} points: {fall}; {best} kept it at {margin}.",
        found.points_lost,
        margin=abs(best.margin),
        **words,
    )


def _mistake(found: Assessment, fall: str) -> str:
    """What the move changed and which move was better; of estimates, what seems so."""
    ply, move, best = found.ply, found.move, found.best_move
    if found.value.is_exact and found.best.is_exact:
        return say(
            "Move {ply}, {move}, was a mistake: {fall}; {best} kept it.", ply=ply, move=move, fall=fall, best=best
        )
    return say(
        "Move {ply}, {move}, seems a mistake: {fall}; {best} seemed better.", ply=ply, move=move, fall=fall, best=best
    )
