"""The pages of puzzles: asked, answered, tried again; the rating counts the first try; bad addresses are refused."""

import html
import re
from collections.abc import AsyncIterator
from urllib.parse import quote, urlencode

import pytest

from quet import catalog
from quet.draw.scene import signed
from quet.puzzles import Kind, Puzzle, of
from quet.puzzles import judge as judging
from quet.puzzles.scores import BEGIN, MOST_OPEN, Score, Scores
from quet.web.puzzle_scores import LONGEST, ScoresCookie

from .in_process import Pages, pages

KEY = "k" * 40


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        yield found


def _with(kind: Kind) -> Puzzle:
    return next(one for entry in catalog.playable() for one in of(entry.id) if one.kind is kind)


def _address(puzzle: Puzzle, **query: str) -> str:
    return f"/puzzles/{puzzle.game_id}/{puzzle.id}" + (f"?{urlencode(query)}" if query else "")


@pytest.mark.parametrize("kind", [Kind.WIN, Kind.HOLD])
async def test_a_wrong_move_is_refuted_and_one_tries_again(site: Pages, kind: Kind) -> None:
    puzzle = _with(kind)
    first = await site.get(_address(puzzle))
    assert first.status_code == 200 and puzzle.kind.task in html.unescape(first.text) and 'id="told"' not in first.text
    wrong = next(move for move in puzzle.values if move != puzzle.right[0])
    told = judging.answer(puzzle, puzzle.position(), wrong)
    answer = html.unescape((await site.get(_address(puzzle, move=wrong))).text)
    assert told.words in answer and "Try again" in answer and "Your rating is" in answer
    solved = html.unescape((await site.get(_address(puzzle, move=puzzle.right[0]))).text)
    assert "is right" in solved and "Next puzzle" in solved and "Your rating is" not in solved  # the first try counted
    assert "Solved at the first try: 0 of 1." in solved


async def test_a_solitaire_is_played_to_its_end_and_the_rating_rises(site: Pages) -> None:
    puzzle = _with(Kind.BEST)
    await site.get(_address(puzzle))
    game, done = puzzle.position(), ""
    while not game.is_over:
        move = judging.solution(puzzle, game)
        text = html.unescape((await site.get(_address(puzzle, done=done, move=move))).text)
        game.play(move)
        done = f"{done} {move}".strip()
        assert ("Solved: " in text) == game.is_over
        if not game.is_over:
            assert "right so far" in text and f'name="done" value="{done}"' in text
    assert "Solved at the first try: 1 of 1." in text and "In a row: 1" in text
    listed = (await site.get("/puzzles")).text
    assert "1 of 1 solved at the first try" in listed


async def test_a_link_with_a_move_counts_for_nobody(site: Pages) -> None:
    puzzle = _with(Kind.WIN)
    text = (await site.get(_address(puzzle, move=puzzle.right[0]))).text
    assert "is right" in text and "Your rating" not in text


async def test_each_of_several_tabs_counts_and_a_try_that_was_not_rated_is_no_first_one(site: Pages) -> None:
    many = [one for entry in catalog.playable() for one in of(entry.id) if one.kind is Kind.WIN][: MOST_OPEN + 1]
    for puzzle in many:
        await site.get(_address(puzzle))
    forgotten, kept = many[:2]
    for tried, is_rated in ((kept, True), (forgotten, False)):
        wrong = next(move for move in tried.values if move not in tried.right)
        assert ("Your rating is" in (await site.get(_address(tried, move=wrong))).text) == is_rated
        await site.get(_address(tried))  # once more, to make it the first
        solved = (await site.get(_address(tried, move=tried.right[0]))).text
        assert "is right" in solved and "Your rating is" not in solved


async def test_showing_the_solution_counts_as_a_failure(site: Pages) -> None:
    puzzle = _with(Kind.WIN)
    await site.get(_address(puzzle))
    text = (await site.get(_address(puzzle, shown="1"))).text
    assert "Like this:" in text and "Solved at the first try: 0 of 1." in text


async def test_the_next_puzzle_is_one_that_was_not_tried(site: Pages) -> None:
    puzzle = _with(Kind.WIN)
    for _ in range(3):
        answer = await site.get(f"/puzzles/{puzzle.game_id}")
        assert answer.status_code == 303
        address = answer.headers["location"]
        id = address.rpartition("/")[2]
        await site.get(address)
        await site.get(f"{address}?shown=1")
        for _ in range(5):
            again = await site.get(f"/puzzles/{puzzle.game_id}")
            assert again.headers["location"].rpartition("/")[2] != id


async def test_puzzles_speak_german(site: Pages) -> None:
    puzzle = _with(Kind.WIN)
    text = (await site.get(_address(puzzle, move=puzzle.right[0]), **{"accept-language": "de"})).text
    assert "Nur ein Zug gewinnt." in text and "ist richtig: Das Ergebnis ist ein Sieg" in text
    wrong = next(move for move in puzzle.values if move not in puzzle.right)
    text = html.unescape((await site.get(_address(puzzle, move=wrong), **{"accept-language": "de"})).text)
    assert f"Nach {signed(wrong)}" in text and "ach dem richtigen Zug" in text


@pytest.mark.parametrize(
    ("game", "note", "is_open"),
    [
        ("divisors-multiples", "Costs: player 1 has paid 34, player 2 has paid 32; the lowest wins.", True),
        ("convoluted-coprimality", "Grid 2 of 2; the last number is 31.", True),
        ("blob", "Player 1 has 5 good rows, 1, 3, 4, 5 and 6.", False),
    ],
)
async def test_what_the_board_does_not_show_stands_open_where_it_is_little(
    site: Pages, game: str, note: str, is_open: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = of(game)[0]
    page = (await site.get(_address(puzzle))).text
    assert note in page.partition("<details open>" if is_open else "<details>")[2]
    monkeypatch.setattr("quet.web.views.daily.puzzle_of", lambda day: puzzle)
    assert (note in (await site.get("/daily")).text) == is_open


async def test_all_games_with_puzzles_are_listed(site: Pages) -> None:
    text = (await site.get("/puzzles")).text
    listed = re.findall(r'<h2><a href="/puzzles/([^"]+)"', text)
    assert listed == [entry.id for entry in catalog.playable() if of(entry.id)]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?move=zzz", 422),
        ("?move=" + "a" * 101, 400),
        ("?square=" + "a" * 101, 400),
        ("?done=" + "a" * 2001, 400),
        ("?done=zzz", 400),
        ("?done=zzz&move=zzz", 400),
        ("?done=a1+a1+a1&shown=1", 400),
        ("?move=%00", 422),
        ("?square=%00", 400),
        ("?number=1&prompt=x", 422),
    ],
)
async def test_bad_addresses_are_refused_in_a_sentence(site: Pages, query: str, status: int) -> None:
    for kind in (Kind.WIN, Kind.BEST):
        answer = await site.get(_address(_with(kind)) + query)
        assert answer.status_code == status, query
        assert answer.text.startswith("<!doctype html>")


async def test_a_puzzle_for_two_has_no_moves_that_were_right_before(site: Pages) -> None:
    puzzle = _with(Kind.WIN)
    answer = await site.get(_address(puzzle, done=puzzle.right[0]))
    assert answer.status_code == 400 and "A solution doesn't begin with these moves." in html.unescape(answer.text)


async def test_the_moves_in_words_lead_to_the_position_that_is_shown(site: Pages) -> None:
    puzzle = _with(Kind.BEST)
    for move in puzzle.values:
        text = html.unescape((await site.get(_address(puzzle, move=move))).text)
        told = re.search(r"The moves that led here: ([^<]*)", text)
        assert told and told[1].split()[: len(puzzle.moves) + 1] == [*map(signed, (*puzzle.moves, move))]


async def test_too_much_is_refused_by_what_is_too_long(site: Pages) -> None:
    address = _address(_with(Kind.WIN))
    for query, words in (("move", "A move has at most 100 characters"), ("done", "The moves before have at most 2000")):
        assert words in (await site.get(f"{address}?{query}={'a' * 2001}")).text


async def test_the_link_of_a_forbidden_square_leads_to_why_on_its_page(site: Pages) -> None:
    puzzle = of("blob")[0]
    page = html.unescape((await site.get(_address(puzzle))).text)
    link = next(re.finditer(r'class="why" href="([^"]*)#(\w+)"', page))
    answer = html.unescape((await site.get(link[1])).text)
    assert 'class="told is-wrong"' in answer.partition(f' id="{link[2]}"')[2]


async def test_what_stands_in_the_grid_of_a_puzzle_is_not_offered_and_says_why(site: Pages) -> None:
    puzzle = of("sums-grid")[0]
    game, done = puzzle.position(), ""
    while len(game.legal_moves) > 1:  # until the grid is full
        text = (await site.get(_address(puzzle, done=done))).text
        cells = re.findall(r'aria-label="\w\d, (empty|holds)(.*?)"', text)
        assert all((state == "empty") == ("can be written in" in words) for state, words in cells)
        assert {state for state, _ in cells} == {"empty", "holds"}
        move = judging.solution(puzzle, game)
        game.play(move)
        done = f"{done} {move}".strip()
        written = move.partition("=")[0]
        answer = html.unescape((await site.get(_address(puzzle, done=done, square=written))).text)
        assert "In this puzzle what stands in the grid stays." in answer.partition('id="told"')[2]
    assert game.legal_moves == ["done"]


async def test_what_is_not_there_is_said(site: Pages) -> None:
    puzzle = _with(Kind.WIN)
    for path in ("/puzzles/nope", f"/puzzles/{puzzle.game_id}/00000000", "/puzzles/nope/00000000"):
        answer = await site.get(path)
        assert answer.status_code == 404 and "There is no" in answer.text
    assert (await site.get(f"/puzzles/{puzzle.game_id}/{quote('ä' * 50)}")).status_code == 404
    wrong = next(move for move in _with(Kind.BEST).values if move not in _with(Kind.BEST).right)
    answer = await site.get(_address(_with(Kind.BEST), done=wrong, move=wrong))
    assert answer.status_code in (400, 422)


def test_the_cookie_keeps_scores_and_stays_small() -> None:
    cookie, puzzle = ScoresCookie(KEY), _with(Kind.WIN)
    scores = Scores({}).opened(puzzle)
    assert scores.is_open(puzzle)
    scores = scores.after(puzzle, is_solved=True)
    mine = scores.of(puzzle.game_id)
    assert (mine.rating > BEGIN, mine.streak, mine.solved, mine.tried) == (True, 1, 1, 1)
    assert mine.has_seen(puzzle) and not scores.is_open(puzzle) and not scores.opened(puzzle).is_open(puzzle)
    failed = scores.after(puzzle, is_solved=False).of(puzzle.game_id)
    assert (failed.rating < mine.rating, failed.streak, failed.longest) == (True, 0, 1)
    assert cookie.parse(cookie.text(scores)) == scores
    assert ScoresCookie("x" * 40).parse(cookie.text(scores)) is None
    assert cookie.parse("nonsense") is None
    many = Scores({f"game-{k}": Score(seen=tuple(f"{j * 997 % 65536:04x}" for j in range(60))) for k in range(40)})
    assert len(cookie.text(many)) <= LONGEST
