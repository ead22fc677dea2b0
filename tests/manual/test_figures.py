"""Figures that people wrote into a page follow from where they are kept: code, facts, or another page."""

import json
import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest

import quet
from quet import catalog
from quet.core.facts import level_facts
from quet.core.parameters import Parameter
from quet.draw import scene
from quet.games.palindromes import strategy
from quet.games.sums_grid.claims import by_lines, by_waves
from quet.players.levels import LEVELS
from quet.results.folder import find
from quet.web.views.set_up import who_may_sit

DOCS = Path(__file__).parents[2] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def rows(text: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its first two lines."""
    _, _, below = text.partition(f"\n{heading}\n")
    table = re.search(r"(?:^\|.*\n)+", below, re.MULTILINE)
    assert table, f"no table below {heading}"
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[0].splitlines()[2:]]


def test_the_levels_have_the_numbers_of_the_code() -> None:
    told = {cells[0].strip("`"): cells[1:] for cells in rows(page("levels.md"), "## The levels")}
    assert told.keys() == {name for name in LEVELS if name != "level:perfect"}
    for name, (simulations, temperature) in told.items():
        level = LEVELS[name]
        numbers = [float(word) for word in re.findall(r"\d+(?:\.\d+)?", simulations)]
        expected = [level.simulations or level.seconds, *([level.alone] if level.alone else [])]
        assert (numbers[: len(expected)], float(temperature)) == (expected, level.temperature), name


def test_how_long_the_strongest_levels_ask_what_is_known_is_that_of_the_code() -> None:
    text = " ".join(page("levels.md").split())
    sixth, seventh = LEVELS["level:6"], LEVELS["level:7"]
    asked = f"{sixth.knowing_seconds:g} s, and `level:7` for up to {seventh.knowing_seconds:g} s."
    assert f"*How long.* `level:6` asks for up to {asked}" in text
    left = [f"{level.thinking_seconds - level.knowing_seconds:g}" for level in (sixth, seventh)]
    assert f"{sixth.seconds:g} s allow, or {left[0]} s after a solve that found nothing" in text
    assert f"{seventh.seconds:g} s allow, or {left[1]} s after such a solve" in text
    assert "which thinks for about half a second. `level:7` is the same player with ten seconds and" in text
    assert (sixth.thinking_seconds, seventh.thinking_seconds) == (0.5, 10.0)
    groups = who_may_sit(catalog.get("blob"), 2)
    assert any("up to ten seconds a move" in said for _, group in groups for _, said in group)
    assert f"limit of {LEVELS['level:5'].seconds:g} s a move" in " ".join(page("notes/levels.md").split())


def test_the_scores_of_levels_in_solitaires_are_those_of_the_facts() -> None:
    told = {cells[0]: cells[3:] for cells in rows(page("levels.md"), "### The levels in solitaires")}
    kept = {
        f"`{id}` n={part.parameters['n']}": part.scores
        for id in catalog.ids()
        for part in level_facts(catalog.get(id).facts)
    }
    assert {name: [float(cell.split()[0]) for cell in cells] for name, cells in told.items()} == kept


def told_of(agent: str, size: str) -> tuple[list[str], str]:
    """The cells of an agent's line in the table of agents, and what is said of how it was made."""
    whole = page("truth.md")
    section = whole.partition(f"\n### {size}\n")[2].partition("\n### ")[0]
    (line,) = [line for line in section.splitlines() if line.startswith(f"| {agent} |")]
    (about,) = re.findall(rf"^- {agent}(?: in {size})?: (.*)$", whole, re.MULTILINE)
    return [cell.strip() for cell in line.strip("|").split("|")], about


def test_what_is_told_of_alphazero_is_in_the_table_of_agents() -> None:
    for m, agent, rounds, seconds, beaten, kept in rows(page("learned-agents.md"), "## AlphaZero in palindromes"):
        cells, about = told_of(agent, f"palindromes m={m}")
        assert cells[2] == kept and f": {rounds} rounds, {seconds} of CPU" in about
        worst = cells[7].split(", ")
        told = [f"to {end.split()[0]} as player {player}" for player, end in enumerate(worst, 1) if " of " in end]
        told += [f"as player {player} not tried" for player, end in enumerate(worst, 1) if end == "?"]
        assert beaten == (f"yes, {', '.join(told)}" if told else "no"), (m, agent)


def test_what_is_told_of_ppo_in_up_and_up_is_in_the_table_and_its_curve() -> None:
    for n, steps, seconds, score, best, kept, chance in rows(page("learned-agents.md"), "## PPO in Up And Up"):
        cells, about = told_of("PPO", f"up-and-up n={n}")
        assert cells[2] == kept and told_of("random", f"up-and-up n={n}")[0][2] == chance
        assert f": {steps.replace(',', '')} steps, {seconds} of CPU" in about
        assert curve("ppo", f"up-and-up n={n}")[-1][3] == f"{score} of {best}"


def curve(learner: str, size: str) -> list[list[str]]:
    """The measurements of a learner while it learned a game."""
    game, parameter = size.split()[:2]
    file = DOCS.parent / "agents" / "curves" / f"{learner}-{game}-{parameter.partition('=')[2]}.tsv"
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]


def test_what_is_told_by_time_of_training_is_in_the_curves() -> None:
    for size, *cells in rows(page("learned-agents.md"), "## By time of training"):
        for learner, cell in zip(("qlearner", "dqn", "ppo", "alphazero"), cells, strict=True):
            points = [(float(line[1]), float(line[2])) for line in curve(learner, size)]
            early = next(kept for seconds, kept in points if seconds >= 3)
            assert cell == f"{points[0][1]:.0f}, {early:.0f}, {points[-1][1]:.0f} %", (size, learner)


def test_what_is_told_by_game_and_size_is_in_the_table_of_agents() -> None:
    names = ["random", "level:5", "level:7", "MCTSBot 100", "OpenSpiel QLearner", "OpenSpiel DQN", "PPO", "alphazero"]
    whole, told = page("truth.md"), rows(page("learned-agents.md"), "## By game and size")
    assert len(told) == len(re.findall(r"^### .*=", whole, re.MULTILINE))
    for cells in told:
        section = whole.partition(f"\n### {cells[0]}\n")[2].partition("\n### ")[0]
        kept = {line.split("|")[1].strip(): line.split("|")[3].strip() for line in section.splitlines() if "%" in line}
        shares = [re.sub(r" \[.*", "", kept.get(name, "")) for name in names]
        assert shares == cells[1:], cells[0]


def test_what_is_told_of_other_sizes_is_in_the_file_of_it() -> None:
    found = json.loads((DOCS.parent / "agents" / "generalisation" / "palindromes.json").read_text())
    for cells, row in zip(
        rows(page("learned-agents.md"), "## Another size than that of training"), found["rows"], strict=True
    ):
        shares = [
            f"{100 * v:.0f} % [{100 * low:.0f}, {100 * high:.0f}]" for v, low, high in row["keeps_margin"].values()
        ]
        drop, low, high = row["drop"]
        assert cells == [row["agent"], *shares, f"{drop:.2f} [{low:.2f}, {high:.2f}]"]


@pytest.mark.parametrize("agent", ["level:1", "level:5", "MCTSBot 100"])
def test_what_is_told_of_agents_that_only_search_is_in_the_table_of_agents(agent: str) -> None:
    shares = []
    for size in (6, 8, 10):
        section = page("truth.md").partition(f"\n### palindromes m={size}\n")[2].partition("\n### ")[0]
        (measured,) = [line for line in section.splitlines() if line.startswith(f"| {agent} |")]
        shares.append(measured.split("|")[3].split()[0])
    assert f"{shares[0]}, {shares[1]} and {shares[2]} %" in page("learned-agents.md")


def measured(agent: str, size: str) -> dict[str, str]:
    """What the table of agents has of an agent in one game and size, by the heads of its columns; no intervals."""
    _, there, section = page("truth.md").partition(f"\n### {size}\n")
    assert there, size
    lines = [line for line in section.partition("\n### ")[0].splitlines() if line.startswith("|")]
    (found,) = [line for line in lines if line.startswith(f"| {agent} |")]
    heads, cells = ([cell.strip() for cell in line.strip("|").split("|")] for line in (lines[0], found))
    return {head: re.sub(r" \[.*| %", "", cell) for head, cell in zip(heads, cells, strict=True)}


def test_what_the_sentences_say_of_agents_is_in_the_table_of_agents() -> None:
    text = " ".join(page("learned-agents.md").split())
    margin, result = "keeps the margin", "keeps the result"

    def share(agent: str, size: str, kind: str = margin) -> int:
        return int(measured(agent, size)[kind])

    six, eight, ten = (f"palindromes m={m}" for m in (6, 8, 10))
    r6, of_blob, large_blob, n5 = "divisors-multiples r=6 players=2", "blob n=5", "blob n=6", "up-and-up n=5"
    symbols = [f"plusses-minuses n={n} second_part_first=1" for n in (3, 4, 5)]
    above = [share("PPO", size) - share("random", size) for size in symbols]
    learner = measured("OpenSpiel QLearner", eight)
    kept = json.loads((DOCS.parent / "agents" / "generalisation" / "palindromes.json").read_text())["rows"]
    trained, untrained = ({size: round(100 * one[0]) for size, one in row["keeps_margin"].items()} for row in kept[:2])
    (first, *_, last) = trained
    for words in (
        f"the longer training it gives points away in {100 - share('alphazero, longer', eight)} % of all positions",
        f"AlphaZero keeps the margin in {share('alphazero', large_blob)} % of the positions, PPO in "
        f"{share('PPO', large_blob)} %, `level:5` in {share('level:5', large_blob)} %",
        f"With r = 6 it keeps the margin in {share('PPO', r6)} % of the positions, where `level:5` does in "
        f"{share('level:5', r6)} %",
        f"`level:5` loses {float(measured('level:5', r6)['as player 2']):.0f} points a game as player 2, and AlphaZero "
        f"{float(measured('alphazero', r6)['as player 2']):.0f}.",
        f"in positions of random games, {measured('PPO', r6)['regret']} and {measured('level:5', r6)['regret']}:",
        f"With n = 5 it keeps the margin in {share('PPO', of_blob)} % of Blob's positions, `level:1` in "
        f"{share('level:1', of_blob)} %, `level:5` in {share('level:5', of_blob)} %",
        f"it is {min(above)} to {max(above)} points above random moves",
        f"below `level:1` ({share('PPO', symbols[1])} and {share('level:1', symbols[1])} %)",
        f"can't be told apart ({share('PPO', symbols[2])} and {share('level:1', symbols[2])} %)",
        f"With m = 8 PPO keeps the margin in {share('PPO', eight)} % of the positions, DQN in "
        f"{share('OpenSpiel DQN', eight)} % and the Q-learner in {learner[margin]} %, where random moves do in "
        f"{share('random', eight)} %",
        f"the Q-learner ends with {learner['worst'].split()[0]} as player 1, the worst that there is, PPO and DQN with "
        f"{measured('PPO', eight)['worst'].split()[0]}.",
        f"With r = 6 it keeps the margin in {share('OpenSpiel DQN', r6)} % of the positions, the Q-learner in "
        f"{share('OpenSpiel QLearner', r6)} % and random moves in {share('random', r6)} %",
        f"In Blob with n = 6 it is {share('OpenSpiel DQN', large_blob)}, {share('OpenSpiel QLearner', large_blob)} and "
        f"{share('random', large_blob)} %",
        f"With m = 8 it keeps it in {learner[result]} %, with m = 10 in {share('OpenSpiel QLearner', ten, result)} %",
        f"with m = 6 it keeps the margin in {share('OpenSpiel QLearner', six)} %",
        f"It keeps the margin in {share('alphazero', r6)} and in {share('alphazero', n5)} % of the positions",
        f"Its mean regret with n = 5 is {measured('PPO', 'up-and-up n=5')['regret']} points a move, that of random "
        f"moves {measured('random', 'up-and-up n=5')['regret']}",
        f"With m = 12 it keeps the margin in {trained[last]} % of the positions, where the same search with a network "
        f"that wasn't trained does in {untrained[last]} %",
        f"The drop of the trained network, {kept[0]['drop'][0]:.2f}, isn't larger than that of random moves, "
        f"{kept[-1]['drop'][0]:.2f},",
        f"Of the {100 - trained[first]} % that it loses at m = 6, {100 - trained[last]} % have become at m = 12",
    ):
        assert words in text, words


def test_what_the_sentences_say_of_time_is_in_the_curves() -> None:
    text = " ".join(page("learned-agents.md").split())
    eight, ten, of_blob = "palindromes m=8", "palindromes m=10", "blob n=6"

    def kept(learner: str, size: str, seconds: float) -> float:
        return next(float(line[2]) for line in curve(learner, size) if float(line[1]) >= seconds)

    early = [kept("alphazero", size, 3) for size in (ten, of_blob)]
    last = [float(curve("ppo", size)[-1][2]) for size in (eight, of_blob)]
    for words in (
        f"it keeps the margin in {early[0]:.0f} % of the positions of palindromes and in {early[1]:.0f} % of Blob's, "
        "more than any other learner at any time",
        f"So it has {kept('alphazero', ten, 0):.0f} % in palindromes before it has learned",
        f"PPO has {kept('ppo', eight, 12):.0f} % in palindromes with m = 8 after 12 seconds "
        f"and {last[0]:.0f} % at the end.",
        f"In Blob with n = 6 it has {kept('ppo', of_blob, 9):.0f} % after 9 seconds and {last[1]:.0f} % at the end",
    ):
        assert words in text, words
    for size, share in zip((ten, of_blob), early, strict=True):
        assert share > max(float(line[2]) for name in ("qlearner", "dqn", "ppo") for line in curve(name, size))
    r6 = "divisors-multiples r=6 players=2"
    assert kept("ppo", r6, 2) > max(float(line[2]) for line in curve("alphazero", r6)), "PPO passes it in two seconds"


def test_what_the_sentences_say_of_the_longest_training_is_in_its_curve() -> None:
    text = " ".join(page("learned-agents.md").split())
    lines = curve("alphazero-longer", "palindromes m=10")
    ends = [[one.split(" of ")[0] for one in lines[i][4].split(", ")] for i in (3, 9, -1)]
    late = [round(float(line[2])) for line in lines[4:]]
    for words in (
        f"After {float(lines[3][1]):.0f} seconds replies brought the agent to {ends[0][0]} as player 1 and to "
        f"{ends[0][1]} as player 2, after {float(lines[9][1]):.0f} to {ends[1][0]} and {ends[1][1]}, at the end "
        f"to {ends[2][0]} and {ends[2][1]}.",
        f"From the third minute on it keeps the margin in {min(late)} to {max(late)} % of positions of random games",
    ):
        assert words in text, words
    assert all(float(line[1]) > 170 for line in lines[4:])


@pytest.mark.parametrize("name", ["answers.md", "answers.de.md"])
def test_the_bounds_of_sums_grids_are_those_of_the_theorems(name: str) -> None:
    bounds = [min(by_lines(n), by_waves(n)) for n in range(5, 11)]
    last = "und" if name.endswith("de.md") else "and"
    assert f"{', '.join(map(str, bounds[:-1]))} {last} {bounds[-1]}" in " ".join(page(name).split())


def test_the_table_of_sequences_is_that_of_the_results() -> None:
    names = {"number of divisors": ["divisors"], "1, 2, 3, ... and the primes": ["naturals", "primes"]}
    names |= {"Euler's totient": ["totient"], "k mod 3": ["mod3"], "digits of pi": ["pi"]}
    kept = {
        (row.others.get("sequence"), row.size): row
        for row in find(None).rows("sequence-ascension")
        if row.score == "highest"
    }
    table = page("answers.md").partition("| sequence | n = 2 |")[2].splitlines()[2:7]
    for line in table:
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        for sequence in names.pop(name):
            for size, cell in enumerate(cells, 2):
                row = kept[sequence, size]
                told = str(row.value) if row.is_proven else f"open: {row.value} to {row.bound}"
                assert cell == told, (sequence, size)
    assert names == {}


def test_who_wins_convoluted_coprimality_how_often_is_counted_in_the_results() -> None:
    text = " ".join(page("answers.md").split())
    rows = find(None).rows("convoluted-coprimality")
    values = [row.value for row in rows if row.score == "value" and row.size <= 60]
    won, lost = values.count(1), values.count(-1)
    assert f"player 1 wins {won} of these sizes and player 2 wins {lost}" in text
    told = []
    for players in (3, 4):
        shares = [row.value for row in rows if row.parameters["players"] == players and row.size <= 60]
        alone = [share.index(1) for share in shares if isinstance(share, list) and sum(share) == 1]
        counts = [alone.count(player) for player in range(players)]
        told.append(f"{', '.join(map(str, counts[:-1]))} and {counts[-1]}")
    assert f"players 1 to 3 win {told[0]}, and players 1 to 4 win {told[1]}" in text


def test_how_large_certificates_are_is_as_the_list_says() -> None:
    """In the order of the page; tests/test_answers.py compares the numbers of the German page with these."""
    listed = json.loads((DOCS.parent / "results" / "larger.json").read_text())
    names = ["5", "5-sequence-mod3", "5-sequence-totient"]
    sizes = [listed[f"sequence-ascension-{name}.json.gz"]["bytes"] / 1e6 for name in names]
    told = [f"{sizes[0]:.1f}", *(f"{size:.0f}" for size in sizes[1:])]
    assert re.findall(r"([\d.]+) MB", page("answers.md")) == told


def test_how_many_positions_the_search_of_sums_grids_looked_at_is_in_its_certificate() -> None:
    certificate = json.loads((DOCS.parent / "results" / "certificates" / "sums-grid-4.json").read_text())
    (searched,) = [ground for ground in certificate["grounds"] if ground["kind"] == "exhaustive"]
    assert f"with {searched['positions']:,} positions" in " ".join(page("answers.md").split())


def test_how_far_theorem_3_reaches_is_told_alike() -> None:
    even, odd = strategy.LONGEST_KEPT, strategy.LONGEST_KEPT - 1
    for name, words in [
        ("proofs.md", f"player 2 wins for every even m ≤ {even}, and player 1 doesn't lose for any odd m ≤ {odd}"),
        ("proofs.md", f"Player 2 wins for every even m ≤ {even}: the value is"),
        ("proofs.md", f"Player 1 does not lose for any odd m ≤ {odd}: the value is"),
    ]:
        assert words in " ".join(page(name).split()), words


def test_theorem_7_reaches_the_longest_row_that_can_be_played_and_has_so_many_parts() -> None:
    (parameter,) = catalog.get("palindromes").rules.PARAMETERS
    assert isinstance(parameter, Parameter)
    longest = parameter.high
    for name, words in [
        ("proofs.md", f"Theorem 3 holds for m = {strategy.LONGEST_KEPT + 1} to {longest}, too."),
        (
            "answers.md",
            f"wins for every even m up to {longest}, and player 1 never loses for an odd m up to {longest - 1}.",
        ),
        ("answers.md", f"| who doesn't lose, every m that can be played (to {longest}) |"),
    ]:
        assert words in " ".join(page(name).split()), words
    avoided = strategy._avoided()
    assert list(avoided) == list(range(strategy.LONGEST_KEPT + 1, longest + 1))
    sizes = " | ".join(str(len(parts)) for parts in avoided.values())
    assert f"| parts, up to exchanging 0 and 1 | {sizes} |" in page("proofs.md")
    assert {len(text.replace(".", "")) for parts in avoided.values() for text in parts} <= set(range(46, 64))


def test_how_large_the_learned_weights_are_is_that_of_their_files() -> None:
    games = DOCS.parent / "src" / "quet" / "games"
    told = dict(re.findall(r"^\| `(\w+/weights/\S+\.npz)` \|.*\| ([\d,]+) \|$", page("learning.md"), re.MULTILINE))
    files = list(games.glob("*/weights/*.npz"))
    assert told == {file.relative_to(games).as_posix(): f"{file.stat().st_size:,}" for file in files}


def test_what_quet_is_is_said_without_the_number_of_its_games() -> None:
    """So one more game changes none of these. What was measured with eight games says so on its page."""
    places = ["CITATION.cff", "Makefile", "README.md", "deploy/quet.service", "docs/index.md", "mkdocs.yml"]
    for place in [*places, "pyproject.toml", "src/quet/__init__.py", "src/quet/cli/arguments.py"]:
        text = (DOCS.parent / place).read_text(encoding="utf-8").lower()
        assert not re.search(r"\b(eight|nine|ten)\b(\s+[\w-]+)?\s+games\b", text), place


def test_shapes_are_counted_alike_on_all_pages() -> None:
    words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    shapes = words[len(get_args(scene.Shape))]
    assert f"a Scene ({shapes} shapes in board units)" in page("house.md")
    assert f"a Scene of {shapes} shapes" in page("how-to/add-a-game.md")


def test_the_page_on_adding_a_game_names_each_file_of_the_tests_that_lists_all_games() -> None:
    texts = [file.read_text(encoding="utf-8") for file in (DOCS.parent / "tests").rglob("test_*.py")]
    listed = {name for text in texts for name in re.findall(r"""check_games\(.*"\w+ in (tests/\S+\.py)"\)""", text)}
    (table,) = re.findall(r"\| file \| .*\n\|.*\n((?:\|.*\n)+)", page("how-to/add-a-game.md"))
    told = re.findall(r"^\| `(\S+)` \|", table, re.MULTILINE)
    assert len(listed) >= 6 and listed <= set(told)
    assert all((DOCS.parent / name).is_file() for name in told)


def test_the_first_moves_of_blob_on_7_by_7_are_as_many_as_the_page_names() -> None:
    """`quet solve blob n=7` finds them, in some minutes; here those that are named are counted with their images."""
    text = " ".join(page("answers.md").split())
    (number, named) = re.findall(r"On 7 by 7, (\d+) of the 49 do: (.*?)\. ", text)[0]
    squares = set(re.findall(r"\b[a-g][1-7]\b", named))
    images = squares | {f"{chr(ord('a') + ord('g') - ord(square[0]))}{square[1]}" for square in squares}
    images |= {f"{square[0]}{8 - int(square[1])}" for square in images}
    (row,) = [row for row in find(None).rows("blob") if row.size == 7]
    assert len(images) == int(number)
    assert row.witness.split()[0] in images


@pytest.mark.long
def test_the_first_moves_of_blob_on_6_by_6_are_counted_by_solving_it() -> None:
    found = quet.solve(quet.new("blob", n=6))
    assert f"{len(found.best_moves)} of the 36 keep the draw" in " ".join(page("answers.md").split())


README = (DOCS.parent / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_readme_names_the_packages_and_the_extras_of_the_project() -> None:
    needed = {re.split(r"[^\w-]", each)[0] for each in PROJECT["dependencies"]}
    (told,) = re.findall(r"It needs four packages: (.*?)\.", " ".join(README.split()))
    assert {name.lower() for name in re.split(r", | and ", told)} == needed and len(needed) == 4
    (table,) = re.findall(r"\| extra \| what it brings \|\n\|.*\n((?:\|.*\n)+)", README)
    extras = re.findall(r"^\| `([a-z]+)` \|", table, re.MULTILINE)
    of_a_clone = {"bench", "examples", "dist", "mutants", "dev"}
    assert sorted(extras) == sorted(PROJECT["optional-dependencies"].keys() - of_a_clone)


def test_the_readme_has_a_row_for_each_game_and_counts_the_levels() -> None:
    (table,) = re.findall(r"\| game \| players \| in a sentence \|\n\|.*\n((?:\|.*\n)+)", README)
    told = {
        cells[0].strip("` "): cells[1].strip() for cells in (line.strip("|").split("|") for line in table.splitlines())
    }
    kept = {}
    for entry in catalog.playable():
        counts = [parameter for parameter in entry.rules.PARAMETERS if parameter.name == "players"]
        low = str(quet.new(entry.id).num_players)
        kept[entry.id] = f"{getattr(counts[0], 'low', 0)} to {getattr(counts[0], 'high', 0)}" if counts else low
    assert told == kept, "the table of games in README.md"
    strengths = len([name for name in LEVELS if name != "level:perfect"])
    assert strengths == 7 and "a computer of seven strengths" in README


def test_the_versions_of_python_are_told_alike() -> None:
    listed = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", each)]
    assert f"Python {listed[0]}; " in README and f"{listed[1]} and {listed[2]} too" in " ".join(README.split())
    contributing = " ".join((DOCS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    assert f"for Python {listed[0]}, and 35 for {listed[0]}, {listed[1]} and {listed[2]}" in contributing
    assert PROJECT["requires-python"] == f">={listed[0]}" and f"Python {listed[0]} or later" in page("start/install.md")


def test_the_version_is_told_alike() -> None:
    root = DOCS.parent
    assert f"When version {quet.__version__} is" in page("start/install.md")
    assert f"\nversion: {quet.__version__}\n" in (root / "CITATION.cff").read_text(encoding="utf-8")
    (newest,) = re.findall(r"\A# Changelog\n\n## (\S+)", (root / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert newest == quet.__version__
