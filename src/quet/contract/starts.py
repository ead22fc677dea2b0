"""The part of the contract that games which begin with a position on paper rely on, and keys of positions."""

import copy
import json
import pickle
import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice

from ..catalog import Entry
from ..core.draft import EMPTY
from ..core.errors import BadPaper, BadParameter, BrokenRules, IllegalMove
from ..core.facts import score_facts
from ..core.parameters import split_parameters
from ..core.rules import AnyRules, AnyState, Canonical, legal_moves
from ..core.state import copy as copy_state
from ..core.state import key
from ..game import Game
from ..records.record import Record, read
from ..starts import on_paper
from ..study.by_hand import PositionByHand, clicked, of_game, set_up, with_fields
from .small import games
from .trials import LONGEST, NONSENSE, is_line, random_game, require, sizes, where

CLICKED = 4  # squares in which nonsense is written
PLAYED = 3  # moves after each paper
MOST_POSITIONS = 200  # of each small game that are tried


def papers_begin_games(entry: Entry) -> None:
    """What is on a paper can be copied, pickled, recorded and played on, and taking moves back stops there."""
    for paper, given in _papers(entry):
        start = on_paper(entry, paper, given)
        _twins_are_equal(start)
        game = start.copy()
        while not game.is_over and game.ply < PLAYED:
            game.push(game.legal_numbers()[0])
            totals = [sum(item.points for item in game.items if item.player == player) for player in game.players]
            require(totals == game.scores, f"After a paper, the items add up to {totals} {where(game)}.")
            game.scene()
        _twins_are_equal(game)
        while game.ply:
            game.undo()
        require(game == start, f"Taking all moves back doesn't lead to the paper {where(game)}.")
        try:
            game.undo()
        except IllegalMove:
            continue
        raise BrokenRules(f"A move on the paper is taken back {where(game)}.")


def positions_can_be_set_up(entry: Entry) -> None:
    """`by_hand.py` writes every position so that it is read again, builds it click by click, and takes it apart again.

    What is wrong on the way can be drawn, and nonsense is refused with a sentence.
    """
    hand = entry.by_hand
    if hand is None:
        return
    require(hand.WAYS and all(is_line(words) for words in hand.WAYS.values()), "WAYS must say what a click does.")
    is_named = is_line(hand.NUMBER) if not hand.MARKS else not hand.NUMBER
    require(is_named, "NUMBER must say in one line what stands in a square, and be empty where MARKS isn't.")
    for field in hand.FIELDS:
        require(is_line(field.label), f"The field {field.name} must have one line as its label.")
    for parameters in sizes(entry):
        *_, played = random_game(entry, parameters)
        for ply in sorted({0, min(played.ply, 1), min(played.ply, LONGEST) // 2, min(played.ply, LONGEST)}):
            _is_set_up(entry, played.at(ply))
        start = set_up(entry, "", parameters)
        for square in islice(sorted(start.squares), CLICKED):
            for mark in ("?", "\0", "x" * 1000, "-1", "99999999999"):
                require(not _is_done(start, square, mark), f"{mark!r} can stand in {square} of {entry.id}.")
    for text in NONSENSE:
        if text.strip():
            with suppress(BadPaper, BadParameter):
                set_up(entry, text, {})


def _is_set_up(entry: Entry, game: Game) -> None:
    """A position comes back from its paper, and out of clicks on the squares of an empty board."""
    found = of_game(game)
    draft = found.draft
    begun = found.game
    if begun is None:
        raise BrokenRules(f"The paper of a position is refused: {found.error} {where(game)}.")
    require(begun == game or begun.is_over, f"Its paper is another position {where(game)}.")
    again = set_up(entry, found.text, game.parameters)
    require(again.draft == draft, f"The paper makes another draft than the one that wrote it {where(game)}.")
    now = set_up(entry, "", game.parameters)
    for square in sorted(now.draft.squares.keys() - draft.squares.keys()):
        now = clicked(now, square, mark=EMPTY)
    for square, mark in draft.squares.items():
        before = now
        now = clicked(now, square, mark=mark)
        require(now.draft.squares.get(square) == mark, f"{mark} doesn't stand in {square} after a click {where(game)}.")
        if square not in before.draft.squares:
            gone = clicked(now, square, mark=EMPTY)
            require(square not in gone.draft.squares, f"{square} isn't erased {where(game)}.")
        require(now.squares == found.squares, f"A click changes the squares of the picture {where(game)}.")
    now = with_fields(now, draft.fields)
    require(now.draft == draft, f"Clicks and fields don't lead to a position {where(game)}.")


def _is_done(now: PositionByHand, square: str, mark: str) -> bool:
    """Whether a mark can be written into a square."""
    try:
        clicked(now, square, mark=mark)
    except BadPaper:
        return False
    return True


def canonical_states_stand_for_their_position(entry: Entry) -> None:
    """If the rules have `canonical`, it changes nothing that players see, now or later."""
    if not isinstance(entry.rules, Canonical):
        return
    for game in games(entry):
        for known in islice(game.positions.values(), MOST_POSITIONS):
            one = _canonical(game.rules, known.state)
            require(
                _seen(game.rules, one) == _seen(game.rules, known.state), f"canonical changes a position of {game}."
            )
            require(key(_canonical(game.rules, one)) == key(one), f"canonical changes what it has made, in {game}.")
            for move in [] if known.is_over else legal_moves(game.rules, one):
                ends = [_canonical(game.rules, _after(game.rules, s, move)) for s in (one, known.state)]
                require(key(ends[0]) == key(ends[1]), f"After canonical a move leads elsewhere, in {game}.")


def _papers(entry: Entry) -> Iterator[tuple[str, Mapping[str, object]]]:
    """What can stand on paper, with what it doesn't show: the facts' examples, and the moves of unfinished games."""
    for sample in entry.facts.get("samples", []):
        yield sample["paper"], sample["parameters"]
    words = shlex.split(score_facts(entry.facts).example)
    if words:
        yield " ".join(word for word in words if "=" not in word), split_parameters([w for w in words if "=" in w])
    for parameters in sizes(entry):
        *_, game = random_game(entry, parameters)
        half = game.at(min(game.ply, LONGEST) // 2)
        if half.ply:
            yield " ".join(half.moves), half.parameters


def _twins_are_equal(game: Game) -> None:
    """Whatever makes a second game of this one makes an equal one, with the same moves."""
    record = Record.of(game)
    text, data = record.text(), record.json()
    twins = {
        "copy": copy.copy(game),
        "deepcopy": copy.deepcopy(game),
        "pickle": pickle.loads(pickle.dumps(game)),
        "a record": read(text).game,
        "a record in JSON": read(json.dumps(data)).game,
    }
    for name, twin in twins.items():
        is_alike = twin == game and hash(twin) == hash(game) and twin.moves == game.moves
        require(is_alike, f"What {name} makes is not equal {where(game)}.")
        require(twin.at(0) == game.at(0), f"What {name} makes begins otherwise {where(game)}.")
    require(read(text).text() == text, f"The record is written differently when read again {where(game)}.")
    require(read(json.dumps(data)).json() == data, f"The JSON is written differently when read again {where(game)}.")


def _canonical(rules: AnyRules, s: AnyState) -> AnyState:
    """The state that stands for the position of `s`."""
    twin = copy_state(s)
    if isinstance(rules, Canonical):
        rules.canonical(twin)
    return twin


def _seen(rules: AnyRules, s: AnyState) -> tuple[object, ...]:
    """What players see of a position."""
    scores = [rules.score(s, player) for player in range(1, rules.num_players(s) + 1)]
    is_over = rules.is_over(s)
    return is_over, scores, None if is_over else (rules.mover(s), legal_moves(rules, s))


def _after(rules: AnyRules, s: AnyState, move: int) -> AnyState:
    twin = copy_state(s)
    rules.play(twin, move)
    return twin
