"""What an analysis tells: a game with its moves, each judged."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from ..core.messages import Message, say
from ..core.parameters import written
from ..game import Game
from ..knowledge.known import How
from ..knowledge.worth import Value, supposition


@dataclass(frozen=True)
class Assessment:
    """A move of the game, judged."""

    ply: int  # from 1
    mover: int
    move: str
    value: Value  # of the move played
    best_move: str  # the move played, if none better was found
    best: Value
    line: Sequence[str]  # the best continuation found, `best_move` first; of a long one the first MOST_OF_LINE moves
    turning_point: str = ""  # what the move changed, as a sentence; empty if that is little
    gave_away: str = ""  # the points that the move gave away without changing who wins, as a sentence

    @property
    def loss(self) -> float:
        """How much of the win, or of the score, the move gave away; 0 where that isn't known."""
        if not (self.value.is_known and self.best.is_known):
            return 0.0
        return round(max(0.0, self.best.amount - self.value.amount), 6)

    @property
    def points_lost(self) -> int:
        """How many points of the final margin the move gave away, where that is proven; else 0."""
        if self.value.margin is None or self.best.margin is None:
            return 0
        return max(0, self.best.margin - self.value.margin)


@dataclass(frozen=True)
class Analysis:
    """A game with the assessments of its moves."""

    game: Game
    settings: Mapping[str, float]  # the arguments of `analyse` that counted
    assessments: Sequence[Assessment]  # of every move, in order; if it was stopped, of the last ones
    is_stopped: bool = False

    @property
    def turning_points(self) -> list[Assessment]:
        """The moves that changed a lot, in order."""
        return [one for one in self.assessments if one.turning_point]

    @property
    def gave_away(self) -> list[Assessment]:
        """The moves that gave away points and changed nothing else, in order."""
        return [one for one in self.assessments if one.gave_away]

    @property
    def supposed(self) -> str:
        """What the exact values of three or more players suppose beyond the rules; empty where they suppose nothing."""
        known = [one.best for one in self.assessments if one.best.is_exact and one.best.how != How.END.text]
        if self.game.num_players < 3 or not known:
            return ""
        return supposition(self.game, is_of_scores=any(value.scores for value in known))

    @property
    def kept(self) -> dict[int, tuple[int, int]]:
        """By player of a game for two: how many of the player's moves kept the result, and of how many.

        Only the last moves count, those since which the game is solved. A move keeps the result if a win stays a win
        and a draw a draw; a lost game can't be lost.
        """
        found: dict[int, tuple[int, int]] = {}
        for one in reversed(self.assessments if self.game.num_players == 2 else ()):
            if not (one.value.is_exact and one.best.is_exact):
                break
            kept, number = found.get(one.mover, (0, 0))
            found[one.mover] = (kept + (one.value.amount >= one.best.amount), number + 1)
        return dict(sorted(found.items()))

    def kept_words(self, player: int, name: str) -> Message:
        """The same of a player in `kept` as a sentence."""
        kept, number = self.kept[player]
        words = {"name": name, "kept": kept, "number": number}
        if number == sum(mover == player for mover, _ in self.game.plies()):
            return say("{name}: {kept} of {number} moves kept the result.", **words)
        return say("{name}: {kept} of the last {number} moves, which are solved, kept the result.", **words)

    def json(self) -> dict[str, object]:
        """All of it, as data for JSON."""
        game = self.game
        return {
            "game": game.id,
            "parameters": written(game.parameters),
            "unit": "score" if game.num_players == 1 else "share of the win",
            "settings": dict(self.settings),
            "moves": [asdict(one) | {"loss": one.loss, "points_lost": one.points_lost} for one in self.assessments],
            "turning_points": [one.turning_point for one in self.turning_points],
            "gave_away": [one.gave_away for one in self.gave_away],
            "supposed": self.supposed,
            "kept": {str(player): {"kept": kept, "of": number} for player, (kept, number) in self.kept.items()},
        }
