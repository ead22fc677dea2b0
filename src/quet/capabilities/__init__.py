"""What a game may offer beyond its rules: one protocol for each capability, and `found`, which looks for them.

A game needs none of them. `quet solve` proves a small game by its rules alone, and computer players search any game.
Each capability makes something faster, or larger sizes possible. `docs/capabilities.md` is the page for readers, and
`quet check` tries every capability of a game against its rules.

A capability is a few functions or constants in a module of the game's folder, all of them together: those for solvers
in `exact.py` (and in the module that its `COMPACT` names), those for programs that learn in `observe.py`, the others in
the file that their protocol names. S is the State of the game's rules. In all of them the value of a game for two is
player 1's final score less player 2's, that of a solitaire is its score; both times -1 where the lower score is better.

The modules here are divided by who asks: solvers (`exact`), who looks for a good move or a proof (`ways`), searches
that estimate (`estimates`), people (`people`) and programs that learn (`learners`); `find` looks for capabilities.
Others import all of them from here.
"""

from .estimates import Patterns, RandomEnd
from .exact import (
    FOR_SOLVERS,
    NO_VALUE,
    AnyOrder,
    Bounds,
    Compact,
    Endgame,
    Keys,
    Numbering,
    Order,
    OwnTable,
    Plies,
    Reach,
    Replies,
    SignIsValue,
    Solved,
    SolvedForMany,
    SolvedWithReplies,
    Twin,
)
from .find import KEY_BITS, NOTHING, Capabilities, found, lacking, named, names
from .learners import Actions, HighestScore, KnowsPositions, Observe
from .people import ByHand, FirstTerms, Goal, Kept, Sheet, StillIn
from .ways import Hold, Images, IsOver, Line, LocalSearch, OwnSolver, Plan, Planner, Sensible, Strategy

__all__ = [
    "FOR_SOLVERS",
    "KEY_BITS",
    "NOTHING",
    "NO_VALUE",
    "Actions",
    "AnyOrder",
    "Bounds",
    "ByHand",
    "Capabilities",
    "Compact",
    "Endgame",
    "FirstTerms",
    "Goal",
    "HighestScore",
    "Hold",
    "Images",
    "IsOver",
    "Kept",
    "Keys",
    "KnowsPositions",
    "Line",
    "LocalSearch",
    "Numbering",
    "Observe",
    "Order",
    "OwnSolver",
    "OwnTable",
    "Patterns",
    "Plan",
    "Planner",
    "Plies",
    "RandomEnd",
    "Reach",
    "Replies",
    "Sensible",
    "Sheet",
    "SignIsValue",
    "Solved",
    "SolvedForMany",
    "SolvedWithReplies",
    "StillIn",
    "Strategy",
    "Twin",
    "found",
    "lacking",
    "named",
    "names",
]
