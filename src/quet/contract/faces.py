"""The part of the contract that faces rely on: a game's pictures, its judge and its facts."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import inf
from xml.etree import ElementTree

from ..catalog import Entry
from ..core.errors import BadPaper, BadParameter, BrokenRules
from ..core.facts import check_facts, parameter_facts, result_facts
from ..core.messages import Message
from ..core.parameters import read_parameters, to_solve
from ..core.position import Position
from ..core.state import copy
from ..draw.legend import without_legend
from ..draw.scene import Circle, Line, Polygon, Scene, Shape, Square, Text, text_width
from ..starts import on_paper
from .trials import FULL_WIDTH, NONSENSE, is_line, is_sentence, random_games, require, where

SLACK = 0.05  # of a square: how far a shape may stick out of its picture, as widths of text are estimates
LONGEST_GLYPH = 4  # characters
LONGEST_SHORT = 24  # characters of a title where there is little room
FONT = "the font of PNG and GIF has ASCII letters only"
_SCORED = re.compile(r"Player \d+:")


def facts_are_complete(entry: Entry) -> None:
    """The facts name the game, its author, date and source, and say its rules; rulings are sentences by name."""
    facts = entry.facts
    check_facts(facts)
    known = to_solve(entry.rules.PARAMETERS)
    names = {parameter.name for parameter in known}
    for name in parameter_facts(facts):
        require(name in names, f"The facts name a parameter {name}, which the game doesn't have.")
    require(len(entry.short_title) <= LONGEST_SHORT, f"The short title has more than {LONGEST_SHORT} characters.")
    for asked in result_facts(facts):
        for size in (asked.sizes[0], asked.sizes[-1]):
            try:
                read_parameters(known, {known[0].name: size, **asked.parameters})
            except BadParameter as error:
                raise BrokenRules(f"The [[results]] in the facts: {error}") from None


def scores_are_the_sum_of_items(entry: Entry) -> None:
    """The items that the judge lists add up to the scores."""
    for game in random_games(entry):
        totals = [sum(item.points for item in game.items if item.player == player) for player in game.players]
        require(totals == game.scores, f"The items add up to {totals}, the scores are {game.scores} {where(game)}.")


def items_name_what_counts(entry: Entry) -> None:
    """Each item is a player's, says in words what it is, and lies on squares of the picture. Player 1's come first."""
    for game in random_games(entry):
        if game.ply % 7 == 0 or game.is_over:
            names = {square.name for square in game.scene(legal=False).squares}
            for item in game.items:
                require(item.player in game.players, f"{item} is no player's {where(game)}.")
                require(is_line(item.words), f"The words of {item} are not one line.")
                require(names.issuperset(item.squares), f"{item} lies on squares that are not there {where(game)}.")
            for before, item in pairwise(game.items):
                require(
                    before.player <= item.player,
                    f"The judge lists an item of player {item.player} after one of player {before.player} "
                    f"{where(game)}: list all items of player 1, then all of player 2, and so on.",
                )


def paper_is_read_or_refused(entry: Entry) -> None:
    """Nonsense on paper, and samples spoilt, are refused with a sentence where they can't be read as a position."""
    nonsense = (*NONSENSE, "-", "-1", "0", "/", ". .", ".. / ..", "1 2 3", "*" * 1000, "1\n1")
    papers: list[tuple[str, Mapping[str, object]]] = [(text, {}) for text in nonsense]
    for sample in entry.facts.get("samples", []):
        paper = sample["paper"]
        spoilt = (paper[1:], paper[: len(paper) // 2], f"{paper} ?", paper * 2, paper.translate(FULL_WIDTH))
        papers += [(text, sample["parameters"]) for text in spoilt]
    for text, given in papers:
        try:
            position = entry.judge.read_paper(text, given)
        except (BadPaper, BadParameter) as error:
            require(
                is_sentence(str(error)), f"The refusal of the paper {text[:40]!r} is not one sentence: {str(error)!r}"
            )
        except Exception as error:
            raise BrokenRules(f"Reading the paper {text[:40]!r} raises {type(error).__name__}: {error}") from error
        else:
            require(isinstance(position, Position), f"Reading the paper {text[:40]!r} gives no position.")


def samples_score_as_said(entry: Entry) -> None:
    """Each sample of the facts has the scores that they say, and is over with the winners that they name, if any."""
    for sample in entry.facts.get("samples", []):
        position = entry.judge.read_paper(sample["paper"], sample["parameters"])
        players = range(1, entry.rules.num_players(position.state) + 1)
        scores = [entry.rules.score(position.state, player) for player in players]
        require(scores == sample["scores"], f"A sample scores {scores}, not {sample['scores']}.")
        if "winners" in sample:
            winners = on_paper(entry, sample["paper"], sample["parameters"]).winners
            require(winners == sample["winners"], f"The winners of a sample are {winners}, not {sample['winners']}.")


def pictures_offer_the_legal_moves(entry: Entry) -> None:
    """Each legal move, and no other, can be made by touching a square, a choice, or completing a square's prompt."""
    from ..draw.svg import svg
    from ..draw.text import text

    for game in random_games(entry):
        if game.ply > 20 and game.ply % 5 != 0 and not game.is_over:  # of a long game some positions are enough
            continue
        scene, legal = game.scene(), set(game.legal_moves)
        prompts = tuple(square.prompt for square in scene.squares if square.prompt)
        offered = {move for square in scene.squares for move in square.moves} | {c.move for c in scene.choices}
        require(offered <= legal, f"The picture offers {sorted(offered - legal)[:3]} {where(game)}.")
        missing = {move for move in legal - offered if not prompts or not move.startswith(prompts)}
        require(not missing, f"The picture does not offer {sorted(missing)[:3]} {where(game)}.")
        if game.ply % 5 == 0 or game.is_over:
            quiet = game.scene(legal=False)
            require(
                not any(square.moves for square in quiet.squares) and not quiet.choices,
                f"The picture offers moves when it should not {where(game)}.",
            )
            ElementTree.fromstring(svg(scene))
            require(text(scene).strip() != "", f"The picture as text is empty {where(game)}.")


def pictures_are_whole(entry: Entry) -> None:
    """All shapes lie in the picture, squares have a name of their own, a glyph and words, and sentences describe it.

    Its texts are ASCII. Lines that say what the players score begin with dots, so that pages can leave them out.
    """
    for game in random_games(entry):
        if game.ply % 5 == 0 or game.is_over:
            scene = game.scene()
            names = [square.name for square in scene.squares]
            require(len(set(names)) == len(names), f"Two squares of the picture have one name {where(game)}.")
            outside: list[Shape | Square] = [shape for shape in scene.shapes if not _is_inside(shape, scene)]
            outside += [square for square in scene.squares if not _is_inside(square, scene)]
            require(not outside, f"These are not inside the picture {where(game)}: {outside[:2]}")
            texts = [scene.title, *(choice.words for choice in scene.choices)]
            texts += [text for square in scene.squares for text in (square.name, square.words, square.glyph)]
            bad = [text for text in texts if not is_line(text)]
            bad += [square.glyph for square in scene.squares if len(square.glyph) > LONGEST_GLYPH]
            require(not bad, f"The picture has an empty, unprintable or too long text {where(game)}: {bad[:3]}")
            foreign = [text for text in texts_drawn(scene) if not text.isascii()]
            require(not foreign, f"{foreign[:1]} stands in the picture {where(game)}: {FONT}.")
            scored = [text for text in texts_drawn(without_legend(scene)) if _SCORED.match(text)]
            require(
                not scored,
                f"{scored[:1]} stands in the picture without a dot {where(game)}: draw a Circle left of it, below the "
                "board, so that pages which say the scores can leave it out.",
            )
            is_described = all(map(is_line, scene.about or scene.notes or [""]))
            require(is_described, f"No sentence describes the picture (`about` or `notes` of the scene) {where(game)}.")


def pictures_mark_the_last_move(entry: Entry) -> None:
    """After a move made on a square, the picture marks no other one as the last; it may mark none, but not always."""
    has_marks = has_squares = False
    for game in random_games(entry):
        if game.ply % 3 == 0 and not game.is_over:
            move = game.legal_moves[-1]
            touched = {
                square.name
                for square in game.scene().squares
                if move in square.moves or (square.prompt and move.startswith(square.prompt))
            }
            after = game.copy()
            after.play(move)
            last = [square.name for square in after.scene(legal=False).squares if square.is_last]
            if touched:
                is_right = len(last) <= 1 and touched.issuperset(last)
                require(is_right, f"The last move is {move}, but the picture marks {last} {where(after)}.")
                has_squares, has_marks = True, has_marks or bool(last)
    require(has_marks or not has_squares, "No picture marks the square of the last move.")


def texts_drawn(scene: Scene) -> Iterator[str]:
    """The texts that stand in a picture."""
    return (shape.text for shape in scene.shapes if isinstance(shape, Text))


def _is_inside(thing: Shape | Square, scene: Scene) -> bool:
    """Whether it lies in the picture; never where a coordinate is infinite or no number."""
    return all(
        -SLACK <= left <= right <= scene.width + SLACK < inf and -SLACK <= top <= bottom <= scene.height + SLACK < inf
        for left, top, right, bottom in _boxes(thing)
    )


def _boxes(thing: Shape | Square) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of boxes that it lies between."""
    if isinstance(thing, (Line, Polygon)):
        return [(x, y, x, y) for x, y in thing.points]
    if isinstance(thing, Circle):
        return [(thing.x - thing.radius, thing.y - thing.radius, thing.x + thing.radius, thing.y + thing.radius)]
    if isinstance(thing, Text):
        width = text_width(thing.text, thing.size)
        left = thing.x - {"start": 0.0, "middle": width / 2, "end": width}[thing.anchor]
        return [(left, thing.y - thing.size / 2, left + width, thing.y + thing.size / 2)]
    return [(thing.x, thing.y, thing.x + thing.width, thing.y + thing.height)]


def who_is_out_stays_out(entry: Entry) -> None:
    """All are in at the start, the mover and the winners always are, and who is out doesn't come back."""
    if entry.still_in is None:
        return
    before: list[int] = []
    for game in random_games(entry):
        before = before if game.ply else list(game.players)
        now = game.players_in
        is_right = set(now) <= set(before) and (game.ply > 0 or now == before)
        require(is_right, f"After {before} the players {now} are in {where(game)}.")
        needed = game.winners if game.is_over else [game.rules.mover(game.state)]
        require(set(needed) <= set(now), f"Of {needed} not all are still in {where(game)}.")
        before = now


def goals_are_said(entry: Entry) -> None:
    """Every position that isn't over has its sentence about what to do, which can be translated."""
    if entry.goal is None:
        return
    for game in random_games(entry):
        if not game.is_over:
            before = copy(game.state)
            sentence = game.goal
            is_said = isinstance(sentence, Message) and is_line(sentence) and sentence.endswith((".", "?"))
            require(is_said, f"goal must be a message of whole sentences, not {sentence!r}, {where(game)}.")
            require(game.state == before, f"goal changes the position {where(game)}.")
