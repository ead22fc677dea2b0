"""The one palette: the colour of each role, on light and on dark paper.

People who can't tell red from green can tell the colours of the players apart, and those of good and bad. Every text
role has a contrast of at least 4.5 to the paper and the squares behind it (WCAG AA).
"""

from typing import Literal

from quet.core.errors import BrokenRules
from quet.core.quoting import shorten

ROLES: dict[str, tuple[str, str]] = {  # role: (light, dark)
    "paper": ("#fbf9f4", "#17191d"),  # behind everything
    "square": ("#ffffff", "#22262c"),  # an empty square
    "grid": ("#c9c3b6", "#444b55"),  # lines between squares
    "border": ("#6b655a", "#8d96a3"),  # the outline of the board
    "ink": ("#1f1d1a", "#eceae5"),  # numbers and words
    "muted": ("#6a6459", "#a3a9b3"),  # labels and notes
    "filled": ("#2f4b6e", "#8fb3dd"),  # a filled square
    "seam": ("#47658c", "#7a9fca"),  # lines between filled squares that are joined
    "on_filled": ("#ffffff", "#15181c"),  # text on a filled square
    "one": ("#2f5f98", "#82b1e8"),  # player 1
    "two": ("#a8480f", "#f0a36b"),  # player 2
    "good": ("#1f6f5c", "#6fcdb4"),  # what scores
    "bad": ("#a2324a", "#f08ba0"),  # what is missing or goes wrong
    "cost": ("#8a3470", "#e495c9"),  # what costs: prices, and scores of which the lower is better
    "tint_one": ("#dde8f5", "#24364c"),  # pale areas behind ink
    "tint_two": ("#fae5d6", "#4b3424"),
    "tint_good": ("#d9efe8", "#1f4039"),
    "tint_bad": ("#f8dde3", "#4d2731"),
    "tint_cost": ("#f6deef", "#482a40"),
    "tint": ("#efeadd", "#2d3239"),
    "legal": ("#8a7c5c", "#b5a884"),  # the dot on a legal square
    "last": ("#d99a1c", "#e8b548"),  # around the last move
    "path": ("#b5541c", "#e89a63"),  # the line through the squares visited
    "edge": ("#ddd7ca", "#343a43"),  # an edge of a graph
    "edge_strong": ("#8c826d", "#9ba3ae"),  # an edge that matters now
}


def colour(role: str, theme: Literal["light", "dark"]) -> str:
    """The colour of a role as `#rrggbb`; raises BrokenRules for a role that the palette doesn't have."""
    if role not in ROLES:
        raise BrokenRules(f"The picture has the role {shorten(role)}, which the palette doesn't have.")
    return ROLES[role][theme == "dark"]
