"""All games as games of OpenSpiel: importing this module registers `quet_blob`, `quet_up_and_up` and so on.

    import pyspiel
    import quet.rl.openspiel
    state = pyspiel.load_game("quet_blob(n=6)").new_initial_state()
    state.apply_action(state.string_to_action("c3"))

It needs OpenSpiel, which the extra `quet[rl]` brings.
"""

import contextlib
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeGuard

import numpy as np

from .. import catalog
from ..core.errors import BadParameter, IllegalMove, one_line
from ..core.extras import needs
from ..core.parameters import Parameter
from ..core.position import Position
from ..core.rules import AnyState
from ..core.state import copy
from ..draw.text import text
from .forms import Form

with needs("rl", "OpenSpiel"):
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

OVER = int(pyspiel.PlayerId.TERMINAL)


def register() -> None:
    """Make OpenSpiel know every game of the catalog, those of other packages too.

    A broken game is left out with a warning. Importing this module does it, and doing it again changes nothing.
    """
    for id in catalog.ids():
        try:
            game_class = _game_class(id)
        except Exception as error:  # a game of another package can be broken in any way
            warnings.warn(f"{id} is broken: {one_line(error)}", stacklevel=2)
        else:
            pyspiel.register_game(game_class.kind, game_class)


class Child(Protocol):
    """A move that OpenSpiel's search has looked into."""

    action: int


class Root(Protocol):
    """Where OpenSpiel's search began."""

    explore_count: int

    def best_child(self) -> Child:
        """The best move found."""


class Searcher(Protocol):
    """A `pyspiel.MCTSBot`."""

    def mcts_search(self, state: "QuetState") -> Root:
        """Search from this state."""


class Bot(Protocol):
    """A bot of OpenSpiel."""

    def step(self, state: "QuetState") -> int:
        """The action that it chooses."""


def mcts_action(bot: Searcher, state: "QuetState") -> int:
    """The action that a `pyspiel.MCTSBot` chooses, as `bot.step(state)` would say.

    In OpenSpiel 2.0.2 `step` kills the process in every game written in Python (it clones states without holding the
    interpreter's lock); the same search called by its own name doesn't. Raises IllegalMove when the game is over.
    """
    if state.is_terminal():
        raise IllegalMove("The game is over.")
    root = bot.mcts_search(state)
    # The first simulation only makes the root, so that there is no best child yet.
    return root.best_child().action if root.explore_count > 1 else state._legal_actions(state.current_player())[0]


def loaded(id: str, parameters: Mapping[str, object]) -> "QuetGame":
    """The game of OpenSpiel with these parameters, as `quet.new` takes them."""
    made: QuetGame = _game_class(id)(Form(id, parameters).texts)
    return made


def bot_action(game: "QuetGame", bot: Bot, moves: Sequence[str]) -> str:
    """The move that a bot chooses after these moves, as text; by `mcts_action` where it is a `pyspiel.MCTSBot`."""
    state = game.new_initial_state()
    for move in moves:
        state.apply_action(state.string_to_action(move))
    action = mcts_action(bot, state) if isinstance(bot, pyspiel.MCTSBot) else bot.step(state)
    text: str = state.action_to_string(action)
    return text


class QuetGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel has no types
    """A game with its parameters; its `form` says what is true of this one.

    Each game has a class of its own, which this module holds by name. OpenSpiel keeps whatever makes a game until after
    Python has ended, and a function or partial would crash then. A class with a name can also be pickled.
    """

    id: str  # in the catalog
    kind: pyspiel.GameType

    def __init__(self, given: Mapping[str, object]) -> None:
        """Use `pyspiel.load_game`. Raises BadParameter."""
        # OpenSpiel writes a game as name(k=v,k=v), so that a list of terms must do without commas.
        self.form = Form(self.id, {name: v.replace(" ", ",") if _is_list(v) else v for name, v in given.items()})
        bounds = self.form.bounds
        game_info = pyspiel.GameInfo(
            num_distinct_actions=bounds.num_actions,
            max_chance_outcomes=0,
            num_players=self.form.num_players,
            min_utility=bounds.low,
            max_utility=bounds.high,
            utility_sum=None if self.form.num_players == 1 else 0.0,
            max_game_length=bounds.longest,
        )
        kept = {name: v.replace(",", " ") if isinstance(v, str) else v for name, v in self.form.texts.items()}
        super().__init__(self.kind, game_info, kept)

    def new_initial_state(self) -> "QuetState":
        """The first state of a game."""
        return QuetState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, object] | None = None
    ) -> "BoardObserver | IIGObserverForPublicInfoGame":
        """What a program sees of a state: the board, or the history if it asks for perfect recall.

        Raises BadParameter for parameters, as there are none.
        """
        if params:
            raise BadParameter("The observers of these games have no parameters.")
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return BoardObserver(self.form)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class QuetState(pyspiel.State):  # type: ignore[misc] # OpenSpiel has no types
    """A state of a game. Players are 0, 1, ... as everywhere in OpenSpiel; in the texts they are 1, 2, ..."""

    def __init__(self, game: QuetGame) -> None:
        """Use `game.new_initial_state`."""
        super().__init__(game)
        self._held = Held(game.form, game.form.start())

    def current_player(self) -> int:
        """The player to move, 0..N-1, or TERMINAL."""
        return self._held.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._held.player == OVER

    def returns(self) -> list[float]:
        """What the game is worth to each player: 0 until it is over, and then `Form.utilities`."""
        held = self._held
        return held.form.utilities(held.state) if held.player == OVER else [0.0] * held.form.num_players

    def scores(self) -> list[int]:
        """The score of each player as it stands, player 1 first; final when the game is over."""
        return self._held.form.scores(self._held.state)

    def __str__(self) -> str:
        """The picture of the position as text. States of one game with equal texts have equal continuations."""
        held = self._held
        position = Position(held.state, held.form.parameters)
        return text(held.form.entry.picture.scene(position)).rstrip("\n")

    def _legal_actions(self, player: int) -> list[int]:
        return self._held.form.legal_actions(self._held.state)

    def _apply_action(self, action: int) -> None:
        self._held.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self._held.form.text(self._held.state, action)


class Held:
    """All that a QuetState holds. OpenSpiel clones a state by `copy.deepcopy`, which must not copy the form."""

    __slots__ = ("form", "player", "state")

    def __init__(self, form: Form, state: AnyState) -> None:
        self.form = form
        self.state = state
        self.player = 0  # to move, as OpenSpiel counts
        self._find_player()

    def play(self, action: int) -> None:
        """Play an action; raises IllegalMove."""
        self.form.play(self.state, action)
        self._find_player()

    def _find_player(self) -> None:
        mover = self.form.mover(self.state)
        self.player = mover - 1 if mover else OVER

    def __deepcopy__(self, memo: dict[int, object]) -> "Held":
        twin = Held.__new__(Held)
        twin.form = self.form
        twin.state = copy(self.state)
        twin.player = self.player
        return twin


class BoardObserver:
    """The board as an array, the same for every player; `Form.planes` says what stands in it."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self.tensor = np.zeros(int(np.prod(form.bounds.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(form.bounds.shape)}

    def set_from(self, state: QuetState, player: int) -> None:
        """Write the state into `tensor`; `dict["observation"]` is the same numbers in their shape."""
        self.tensor.fill(0)
        self._form.observe(state._held.state, self.dict["observation"])

    def string_from(self, state: QuetState, player: int) -> str:
        """The state as text."""
        return str(state)


def _is_list(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and not value.startswith("file:")


def _game_class(id: str) -> type[QuetGame]:
    kind = _game_type(id)
    if not hasattr(sys.modules[__name__], kind.short_name):
        parts = {"id": id, "kind": kind, "__module__": __name__, "__doc__": f"{kind.long_name}, at any size."}
        setattr(sys.modules[__name__], kind.short_name, type(kind.short_name, (QuetGame,), parts))
    found: type[QuetGame] = getattr(sys.modules[__name__], kind.short_name)
    return found


def _game_type(id: str) -> pyspiel.GameType:
    entry = catalog.get(id)
    players = _numbers_of_players(id)
    is_solitaire = min(players) == 1
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=f"quet_{id.replace('-', '_')}",
        long_name=entry.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility.GENERAL_SUM if is_solitaire else utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(players),
        min_num_players=min(players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={parameter.name: parameter.default for parameter in entry.rules.PARAMETERS},
    )


def _numbers_of_players(id: str) -> set[int]:
    """The numbers of players by default, and with each parameter at its least and its greatest value."""
    numbers = {Form(id, {}).num_players}
    for parameter in catalog.get(id).rules.PARAMETERS:
        if isinstance(parameter, Parameter):
            for value in (parameter.low, parameter.high):
                with contextlib.suppress(BadParameter):  # this value doesn't fit the other parameters
                    numbers.add(Form(id, {parameter.name: value}).num_players)
    return numbers


register()
