"""The page on which a game is set up, for games of other packages with more players than the eight have."""

import types
from dataclasses import replace

from quet import catalog
from quet.catalog import Entry
from quet.core.parameters import Parameter
from quet.games.divisors_multiples import rules
from quet.web.views.home import num_players
from quet.web.views.set_up import _set_up


def entry(**parts: object) -> Entry:
    """Divisors/Multiples with something else in its rules."""
    made = replace(catalog.get("divisors-multiples"))
    made.__dict__["rules"] = types.SimpleNamespace(**vars(rules) | parts)
    return made


def test_there_are_as_many_seats_as_the_rules_say() -> None:
    made = entry(num_players=lambda s: 2 * rules.num_players(s))
    assert len(_set_up(made, {"parameter-players": "3"}, "Ann").seats) == 6


def test_a_game_for_three_says_so() -> None:
    made = entry(
        PARAMETERS=(Parameter("r", 2, 99, 17, "the largest number"),),
        start=lambda s, r: rules.start(s, r, 3),
    )
    assert num_players(made) == (3, 3)
    assert num_players(catalog.get("divisors-multiples")) == (2, 8)
