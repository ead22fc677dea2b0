"""The part of the contract that the game of the day relies on: its solitaires can be played, alone."""

from ..catalog import Entry
from ..core.errors import BadParameter, BrokenRules
from ..core.facts import daily_facts
from ..core.parameters import read_parameters
from ..game import Game
from .trials import require


def games_of_a_day_can_be_played(entry: Entry) -> None:
    """Each `[[daily]]` of the facts has all parameters of a solitaire, and is there once."""
    known: list[object] = []
    for part in daily_facts(entry.facts):
        try:
            game = Game(entry, read_parameters(entry.rules.PARAMETERS, part.parameters, files=False))
        except BadParameter as error:
            raise BrokenRules(f"A [[daily]] of the facts: {error}") from None
        require(game.num_players == 1, "Only a solitaire can be the game of a day.")
        require(len(part.parameters) == len(game.parameters), "A [[daily]] of the facts must name all parameters.")
        require(part.parameters not in known, "A [[daily]] of the facts is there twice.")
        known.append(part.parameters)
