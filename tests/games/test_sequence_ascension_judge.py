import random
from itertools import pairwise

import pytest

import quet
from quet.core.errors import BadPaper, BadParameter
from quet.core.grid import is_touching
from quet.core.numbers import num_divisors
from quet.core.position import Item, Position
from quet.games.sequence_ascension import judge, rules
from quet.games.sequence_ascension import longest_path as module
from quet.games.sequence_ascension.longest_path import longest_path

Numbers = tuple[int | None, ...]


def longest_by_trying_all(n: int, numbers: Numbers) -> int:
    """The length of the longest path, by walking every path from every square."""
    most = 0

    def walk(square: int, number: int, visited: set[int]) -> None:
        nonlocal most
        most = max(most, len(visited))
        for other, following in enumerate(numbers):
            if other not in visited and following is not None and following >= number and is_touching(square, other, n):
                walk(other, following, visited | {other})

    for square, number in enumerate(numbers):
        if number is not None:
            walk(square, number, {square})
    return most


def is_path(n: int, numbers: Numbers, squares: tuple[int, ...]) -> bool:
    """Whether the squares are a path that never descends and can't be gone on with."""
    values = [number for square in squares if (number := numbers[square]) is not None]
    steps = pairwise(squares)
    more = [
        other
        for other, number in enumerate(numbers)
        if number is not None and other not in squares and is_touching(squares[-1], other, n) and number >= values[-1]
    ]
    return (
        len(values) == len(squares)
        and values == sorted(values)
        and len(set(squares)) == len(squares)
        and all(is_touching(a, b, n) for a, b in steps)
        and not more
    )


def test_the_longest_path_is_as_long_as_the_best_of_all_paths() -> None:
    generator = random.Random(1)
    for _ in range(150):
        n, empty = generator.choice([2, 3, 3, 4]), generator.choice([[], [None]])
        levels = generator.choice([1, 2, 4]) if n < 4 else generator.choice([3, 4, 6])
        numbers = tuple(generator.choice([*empty, *range(levels)]) for _ in range(n * n))
        if set(numbers) == {None}:
            continue
        squares, is_longest = longest_path(n, numbers)
        assert is_longest and is_path(n, numbers, squares)
        assert len(squares) == longest_by_trying_all(n, numbers), numbers


def test_the_longest_path_is_found_among_many_dead_ends() -> None:
    generator = random.Random(2)
    for _ in range(300):
        filled = generator.sample(range(25), 12)
        numbers = tuple(generator.choice([1, 1, 2]) if square in filled else None for square in range(25))
        squares, is_longest = longest_path(5, numbers)
        assert is_longest and len(squares) == longest_by_trying_all(5, numbers), numbers


@pytest.mark.parametrize("work", [0, 1, 20, 60, 150])
def test_a_search_cut_short_never_claims_too_much(work: int) -> None:
    generator = random.Random(work)
    num_proven = 0
    for _ in range(150):
        numbers = tuple(generator.choice([None, 1, 1, 2, 3]) for _ in range(36))
        squares, is_longest = longest_path(6, numbers, work)
        assert is_path(6, numbers, squares)
        num_proven += is_longest
        assert not is_longest or len(squares) == len(longest_path(6, numbers).squares)
    assert num_proven < 150


@pytest.mark.parametrize("n", [2, 5, 9, 20])
def test_over_equal_numbers_the_path_visits_every_square(n: int) -> None:
    squares, is_longest = longest_path(n, (7,) * (n * n))
    assert is_longest and len(squares) == n * n


def hard_grids() -> list[Numbers]:
    """6x6 grids with one large component in which a depth-first search doesn't see that no longer path exists."""
    texts = [
        "111111122211111111111122111111212121",
        "122112211112111111111111111112211121",
        "121131121132111111111131131121213111",
        "111111121212111111121212111111121212",
        "222122212222122213222212212222221222",
        "111111111111111111111111111111111111",
        "121212212121121212212121121212212121",
    ]
    grids: list[Numbers] = [tuple(map(int, text)) for text in texts]
    generator = random.Random(8)
    for share in (0.7, 0.75, 0.8, 0.85):
        for other in ([2], [0, 2, 3], [None]):
            for _ in range(2):
                grids.append(tuple(1 if generator.random() < share else generator.choice(other) for _ in range(36)))
    return grids


@pytest.mark.parametrize(
    "numbers", [pytest.param(one, marks=pytest.mark.long if k % 3 else []) for k, one in enumerate(hard_grids())]
)
def test_every_six_by_six_grid_gets_a_path_that_is_proven(numbers: Numbers) -> None:
    squares, is_longest = longest_path(6, numbers)
    assert is_longest and is_path(6, numbers, squares)


@pytest.mark.parametrize("quick", [0, 2])
def test_the_frontier_finds_the_longest_path_without_a_search_before(
    quick: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "QUICK", quick)
    generator = random.Random(3)
    for _ in range(100):
        numbers = tuple(generator.choice([1, 1, 2, 2, 3, None]) for _ in range(16))
        squares, is_longest = longest_path(4, numbers)
        assert is_longest and is_path(4, numbers, squares)
        assert len(squares) == longest_by_trying_all(4, numbers), numbers


def test_six_by_six_divisor_counts_are_solved_at_once_in_any_order() -> None:
    terms = [num_divisors(k) for k in range(1, 37)]
    snake = [number for row in range(6) for number in sorted(terms)[6 * row : 6 * row + 6][:: 1 - 2 * (row % 2)]]
    grids = [tuple(terms), tuple(sorted(terms)), tuple(snake)]
    grids += [tuple(random.Random(seed).sample(terms, 36)) for seed in range(10)]
    assert all(longest_path(6, grid).is_longest for grid in grids)


def test_a_hard_grid_ends_in_a_path_that_is_not_proven() -> None:
    generator = random.Random(5)
    numbers = tuple(generator.choice([1, 2]) for _ in range(400))
    squares, is_longest = longest_path(20, numbers, 2_000)
    assert not is_longest and is_path(20, numbers, squares)


def test_the_author_grid_of_sixteen_terms_gives_its_path() -> None:
    position = judge.read_paper("1 2 2 3/2 4 2 4/3 4 2 6/2 4 4 5", {})
    s = position.state
    assert rules.score(s, 1) == 12 and rules.is_over(s) and s.count == 16
    items = judge.items(position)
    assert len(items) == 13 and items[0].words == f"{items[0].squares[0]}: 2"
    assert [item.words.split(": ")[1] for item in items[:-1]] == list("222223444456")
    assert items[-1] == Item(1, 0, "no path is longer")


def test_an_unproven_path_is_said_to_be_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "longest_path", lambda n, numbers: longest_path(n, numbers, 2_000))
    generator = random.Random(5)
    text = "/".join(" ".join(generator.choice("12") for _ in range(20)) for _ in range(20))
    items = judge.items(judge.read_paper(text, {}))
    assert items[-1].words == "this path is the best found, not proven the longest"


def test_a_path_played_in_the_game_is_no_claim_about_others() -> None:
    game = quet.new("sequence-ascension", n=2, sequence="naturals")
    for move in ("a1", "b1", "a2", "b2", "b1", "a2"):
        game.play(move)
    assert [item.words for item in game.items] == ["b1: 2", "a2: 3"]


def test_with_the_sequence_given_the_placing_is_found() -> None:
    game = quet.new("sequence-ascension", n=3, sequence="naturals")
    for move in ("b2", "a1", "a2", "a3", "b3", "c3", "c2", "c1", "b1"):
        game.play(move)
    s = judge.read_paper("4 5 6/3 1 7/2 9 8", {"sequence": "naturals"}).state
    assert s.index == game.state.index and s.ranks == game.state.ranks and s.length == 9


def test_the_placing_ends_where_no_touching_square_is_empty() -> None:
    position = judge.read_paper("1 1 1/1 1 1/. 1 1", {"sequence": [1] * 9})
    assert position.state.index.index(8) in (2, 5, 6, 7, 8)


def test_empty_squares_may_stay_where_the_placing_was_stuck() -> None:
    position = judge.read_paper("2 . . ./3 1 . ./4 5 . ./7 6 . .", {})
    assert position.state.count == 7 and position.state.length == 7
    assert position.parameters["sequence"].values == (1, 2, 3, 4, 5, 6, 7) + (7,) * 9


def test_terms_may_be_negative_and_of_any_size() -> None:
    large = "9" * 5000
    position = judge.read_paper(f"-{large} -1/{large} 0", {})
    assert position.state.length == 4
    assert judge.items(position)[0].words == f"a2: -{large}"


def test_a_state_alone_is_enough_for_the_items() -> None:
    position = judge.read_paper("1 2/2 3", {})
    assert judge.items(Position(position.state, position.parameters)) == judge.items(position)


@pytest.mark.parametrize(
    ("text", "given", "sentence"),
    [
        (". ./. .", {}, "No square holds a number."),
        ("1 . ./. . ./. . 2", {}, "The numbers don't hang together: no way over touching ones leads from c1 to a3."),
        ("1 . ./2 . ./. . 3", {}, "The numbers don't hang together: no way over touching ones leads from c1 to a2."),
        ("1 ./. .", {}, "Every number touches an empty square, but placing goes on until no touching square is empty."),
        ("1 2/3 .", {}, "Every number touches an empty square, but placing goes on until no touching square is empty."),
        ("1 2/3 x", {}, "In b1 stands 'x', which is neither a number nor a . for an empty square."),
        (
            "1 2/2 3",
            {"sequence": "naturals"},
            "2 stands on the paper twice, but among the first 4 terms of the sequence once.",
        ),
        (
            "1 2/3 5",
            {"sequence": "naturals"},
            "4 stands on the paper not at all, but among the first 4 terms of the sequence once.",
        ),
        (
            "1 2/3 5",
            {"sequence": [1, 2, 3, 3]},
            "3 stands on the paper once, but among the first 4 terms of the sequence twice.",
        ),
        (
            "1 2/2 2",
            {"sequence": "naturals"},
            "2 stands on the paper 3 times, but among the first 4 terms of the sequence once.",
        ),
        (
            "1 3 6/8 5 2/9 7 4",
            {"sequence": "naturals"},
            "The sequence can't have been placed like this: no order steps from square to touching square.",
        ),
    ],
)
def test_a_bad_paper_is_refused_with_its_place(text: str, given: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadPaper) as error:
        judge.read_paper(text, given)
    assert str(error.value) == sentence


def test_a_sequence_that_is_too_short_is_refused() -> None:
    with pytest.raises(BadParameter, match="4 are needed"):
        judge.read_paper("1 2/2 3", {"sequence": "1,2,2"})


def test_numbers_that_no_order_can_have_placed_are_refused_without_the_sequence_too() -> None:
    with pytest.raises(BadPaper, match="can't have been placed like this"):
        judge.read_paper("1 1 1 1 1/1 1 . . ./1 . 1 . ./1 . . 1 ./1 . . . 1", {})


def test_placing_that_stopped_too_early_is_told_apart() -> None:
    with pytest.raises(BadPaper, match=r"^Placing can't have stopped here: the last number always touches an empty sq"):
        judge.read_paper("1 2 . /4 3 ./. . .", {"sequence": "naturals"})
