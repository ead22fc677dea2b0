"""A page for each game, from what its folder and the table of results say. A ninth game has a page by itself."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from pymdownx.slugs import slugify

import quet
from quet import catalog
from quet.catalog import Entry
from quet.contract.advice import OFFERS
from quet.core.facts import link_facts
from quet.draw.scene import Scene
from quet.draw.svg import svg
from quet.results import folder
from quet.results.growth import growth
from quet.results.row import Row
from quet.results.words import asked, in_short
from quet.study import lesson

DOCS = Path(__file__).parents[1]
Picture = Callable[[str, str, str], str]  # the name, the SVG document, what it shows; gives what stands in the page
FURTHER = {  # pages whose headings may speak of a game, and what they are called
    "answers.md": "answers",
    "proofs.md": "proofs",
    "levels.md": "levels",
    "learning.md": "learned evaluations",
}
MOST_MOVES = 4  # shown as examples


def names() -> list[tuple[str, str]]:
    """The games in alphabetical order, each with what the navigation calls it."""
    return [(entry.id, entry.short_title) for entry in catalog.playable()]


def pages() -> dict[str, str]:
    """The text of each file by its path in the documentation: `games/blob.md`, with its pictures."""
    found: dict[str, str] = {}
    entries = list(catalog.playable())
    for entry in entries:
        found |= _page(entry)
    found["games/index.md"] = _overview(entries)
    return found


def _overview(entries: Sequence[Entry]) -> str:
    lines = ["# The games", "", "Each page has the rules, a lesson in pictures, and what is known of the game.", ""]
    lines += ['<div class="cards" markdown>', ""]
    for entry in entries:
        name = f"**{entry.short_title}**"
        lines += [f"[![]({entry.id}/cover.svg) {name}]({entry.id}.md) {_players(entry)}. {entry.facts['summary']}", ""]
    return "\n".join([*lines, "</div>", ""])


def _page(entry: Entry) -> dict[str, str]:
    """The page of a game and its pictures."""
    facts, rules, game = entry.facts, entry.rules, quet.new(entry.id)
    files: dict[str, str] = {}

    def picture(name: str, drawn: str, words: str) -> str:
        files[f"games/{entry.id}/{name}.svg"] = drawn
        return f"![{words}]({entry.id}/{name}.svg)"

    cover = picture("cover", svg(_cover(entry)), f"A position of {entry.short_title}")
    lines = [f"# {entry.title}", "", facts["summary"], "", cover, ""]
    post = link_facts(facts)
    told = f" [The author's post]({post.address})." if post else ""
    lines += [f"By {entry.author}. Source: {facts['source']}.{told} {_players(entry)}.", ""]
    lines += _code(f"quet learn {entry.id}", f"quet play {entry.id}", f"quet rules {entry.id}")
    lines += ["## Rules", "", *[f"{number}. {rule}" for number, rule in enumerate(facts["rules"], 1)], ""]
    if facts.get("rulings"):
        lines += ["What the author left open is ruled so:", ""]
        lines += [f"- {words}" for words in facts["rulings"].values()] + [""]
    lines += ["| parameter | meaning | from | to | usual |", "|---|---|--:|--:|---|"]
    for parameter in rules.PARAMETERS:
        low, high = getattr(parameter, "low", ""), getattr(parameter, "high", "")
        lines.append(f"| `{parameter.name}` | {parameter.meaning} | {low} | {high} | {parameter.default} |")
    moves = " ".join(f"`{move}`" for move in game.legal_moves[:MOST_MOVES])
    lines += ["", f"Moves are text. The first legal moves of a new game: {moves}.", ""]
    lines += _lesson(entry, picture)
    lines += _known(entry, picture)
    lines += _computers(entry)
    lines += _seen(entry, game)
    return files | {f"games/{entry.id}.md": "\n".join(lines)}


def _cover(entry: Entry) -> Scene:
    """The author's own sample where there is one, else the last position of the lesson, else the start."""
    samples = [sample for sample in entry.facts.get("samples", ()) if "paper" in sample]
    if samples:
        sample = samples[0]
        return entry.picture.scene(entry.judge.read_paper(sample["paper"], sample.get("parameters", {})))
    if entry.lesson:
        return lesson.position(entry, entry.lesson.steps[-1]).scene()
    return quet.new(entry.id).scene()


def _players(entry: Entry) -> str:
    counts = [p for p in entry.rules.PARAMETERS if p.name == "players"]
    number = quet.new(entry.id).num_players
    if counts:
        return f"{getattr(counts[0], 'low', number)} to {getattr(counts[0], 'high', number)} players"
    return "One player" if number == 1 else f"{number} players"


def _code(*lines: str) -> list[str]:
    return ["```sh", *lines, "```", ""]


def _lesson(entry: Entry, picture: Picture) -> list[str]:
    """The steps of the lesson, each with the position before the move and the position after a right one."""
    if entry.lesson is None:
        return []
    lines = ["## A lesson in pictures", ""]
    for number, step in enumerate(entry.lesson.steps, 1):
        before = lesson.position(entry, step)
        move = lesson.solution(step, before)
        told = lesson.answer(step, before, move)
        assert told.game is not None
        words, task = str(lesson.introduction(step, before)), str(lesson.task(step, before))
        lines += [f"**{number}.** {words} *{task}*", "", '<div class="steps" markdown>', ""]
        lines += [picture(f"step-{number}", before.svg(), f"Step {number}: the position"), ""]
        lines += [picture(f"step-{number}-after", told.game.svg(), f"Step {number}: after {move}"), "", "</div>", ""]
        lines += [f"`{move}`: {told.words}", ""]
    return lines


def _known(entry: Entry, picture: Picture) -> list[str]:
    """The table of best results, and where proofs and answers speak of the game."""
    rows = folder.find(None).rows(entry.id)
    lines = ["## What is known", ""]
    strategy = entry.strategy
    if strategy is not None and strategy.__doc__:
        first, *more = (" ".join(part.split()) for part in strategy.__doc__.strip().split("\n\n"))
        told = [
            re.sub(r"; `docs/proofs.md`[^.]*|(?<=\.) `docs/proofs.md`[^.]*\.", "", part) for part in (first, *more[:1])
        ]
        lines += [f"**Strategy.** {' '.join(told)}", ""]
        lines += ["[Proofs](../proofs.md) has what it holds, and why.", ""]
    else:
        lines += ["**Strategy.** Quet knows none that holds at every size.", ""]
    further = list(_headings(entry))
    if further:
        lines += ["Read on:", "", *further, ""]
    if not rows:
        return [*lines, "The table of results has nothing of this game yet.", ""]
    lines += ["What the numbers below mean:", "", *_meanings(entry, rows), ""]
    if any(row.is_one_number for row in rows):
        lines += [picture("growth", svg(growth(rows)), "The best results by size"), ""]
    for name, some in _grouped(rows).items():
        many = len(some) > 12
        lines += [f'??? "{name}"' if many else f"**{name}**", ""]
        table = ["| size | best known | bound | status | rests on |", "|--:|--:|--:|---|---|"]
        table += [f"| {row.size} | {row.value} | {row.bound} | {row.status} | {in_short(row)} |" for row in some]
        lines += [(f"    {line}" if many else line) for line in table] + [""]
    lines += [
        f"`quet results {entry.id}` prints the same; [the table of results](../results.md) tells what it means.",
        "",
    ]
    return lines


def _meanings(entry: Entry, rows: Sequence[Row]) -> Iterator[str]:
    """What the numbers in the tables mean, for each kind of result that the game has."""
    kinds = {row.score for row in rows}
    is_cost = entry.rules.LOWER_IS_BETTER
    if kinds & {"highest", "lowest"}:
        yield "- *Best known* is what a game has reached, and no game can pass the *bound*."
    if "lowest" in kinds:
        yield "- The *lowest score* is the least that a whole game can have."
    if "value" in kinds:
        wins = (
            "Scores are costs, so player 1 wins where it is negative."
            if is_cost
            else "Player 1 wins where it is positive."
        )
        yield f"- The *value* is player 1's score minus player 2's if both play perfectly. {wins} 0 is a draw."
    if "scores" in kinds:
        what = "pays" if is_cost else "gets"
        yield (
            f"- *Scores* are what each player {what}, player 1 first, if all play for themselves alone "
            "([max-n](../solve.md#what-is-found))."
        )


def _grouped(rows: Sequence[Row]) -> Mapping[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        others = " ".join(f"{name}={value}" for name, value in row.others.items())
        if len(others) > 60:
            others = f"{others[:57]}..."
        found.setdefault(f"{asked(row)}" + (f", {others}" if others else ""), []).append(row)
    return found


def _headings(entry: Entry) -> Iterator[str]:
    """Links to the sections of other pages whose heading begins with the game's name, or a name of its title."""
    names = {entry.short_title.lower(), *entry.title.lower().replace(",", "/").split("/"), entry.title.lower()}
    names |= {entry.id.replace("-", " "), entry.id.replace("-", "/"), entry.title.lower().removesuffix(" game")}
    names |= {" ".join(entry.title.lower().split()[:2])}
    for page in FURTHER:
        for line in (DOCS / page).read_text(encoding="utf-8").splitlines():
            if line.startswith("## ") or line.startswith("### "):
                heading = line.lstrip("# ")
                if any(heading.lower().startswith(name) for name in names if len(name) > 3):
                    yield f"- [{heading}](../{page}#{anchor(heading)}), in {FURTHER[page]}"


def anchor(heading: str) -> str:
    """The anchor that the site of documentation gives a heading."""
    return str(slugify(case="lower")(heading, "-"))


def _computers(entry: Entry) -> list[str]:
    """What computer players do in the game."""
    lines = ["## Computer players and solvers", ""]
    levels = entry.facts.get("levels", ())
    if levels:
        most = max(len(one["scores"]) for one in levels)
        lines += ["Mean scores of the levels, as measured:", ""]
        lines += ["| size | " + " | ".join(f"level {k}" for k in range(1, most + 1)) + " |", "|---|" + "--:|" * most]
        for one in levels:
            size = " ".join(f"{name}={value}" for name, value in one["parameters"].items())
            lines.append(f"| {size} | " + " | ".join(str(score) for score in one["scores"]) + " |")
        lines.append("")
    lines += ["[How strong the levels are](../levels.md) has what they scored against each other.", ""]
    offers = [offer for offer in OFFERS if offer.has(entry)]
    if offers:
        lines += [
            "Players and solvers use these parts of its folder ([capabilities](../capabilities.md) describes each):",
            "",
        ]
        lines += ["| part | what it brings |", "|---|---|"]
        lines += [f"| {offer.names} | {offer.brings} |" for offer in offers]
    else:
        lines.append("Players and solvers use its rules alone.")
    return [*lines, "", f"`quet check {entry.id}` tells what could be added.", ""]


def _seen(entry: Entry, game: quet.Game) -> list[str]:
    """The planes of an observation."""
    observe = entry.observe
    if observe is None:
        return []
    state = game.state
    shape = " by ".join(str(side) for side in observe.shape(state))
    lines = ["## What a program that learns sees", ""]
    size = " ".join(f"{name}={value}" for name, value in game.parameters.items())
    lines += [
        f"With {size} an observation has {len(observe.planes(state))} planes of {shape} numbers. There are "
        f"{observe.num_actions(state)} actions, and a game has at most {observe.longest(state)} of them.",
        "",
        "| plane | meaning |",
        "|---|---|",
        *[f"| {name} | {_one_line(words)} |" for name, words in observe.planes(state).items()],
        "",
        "[Environments](../environments.md) and [OpenSpiel](../openspiel.md) show how a program gets them.",
        "",
    ]
    return lines


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
