"""Analyses that server processes share: a game has one, whichever process made it."""

import asyncio
from dataclasses import replace
from itertools import count

import pytest
from sqlalchemy import func, select

from quet.core.messages import Message
from quet.game import Game, new
from quet.records.record import Record
from quet.web import analyst, study_text
from quet.web.analyst import Analyst, find, key_of, read_study
from quet.web.errors import Away
from quet.web.storage import schema, studies
from quet.web.storage.database import Database
from quet.web.storage.forgetting import Forgetting
from quet.web.storage.studies import Studies
from quet.web.study_text import Study, read, written
from quet.web.turns import Asker

from .in_process import PATIENCE, pages
from .test_study import until_analysed
from .test_study_board import address, until


@pytest.fixture
def shared(database: Database) -> Studies:
    """The studies of a database, each a second later than the one before."""
    seconds = count()
    return Studies(database, lambda: float(next(seconds)))


def finished(id: str, *moves: str, **parameters: int) -> Game:
    """A game with these moves, and then the first legal ones until it's over."""
    game = new(id, **parameters)
    for move in moves:
        game.play(move)
    while not game.is_over:
        game.play(game.legal_moves[0])
    return game


def texts(study: Study) -> list[str]:
    """All that is said in it."""
    found = [
        text
        for one in study.analysis.assessments
        for text in (one.turning_point, one.gave_away, one.value.how, one.best.how)
    ]
    return found + [value.how for values in study.exact.values() for value in values.values()]


@pytest.mark.parametrize(
    "game",
    [
        finished("palindromes", "1=0", "2=1", "3=0", m=4),
        finished("up-and-up", n=2),
        finished("divisors-multiples", r=5, players=3),
    ],
    ids=lambda game: game.id,
)
def test_what_is_written_of_a_study_reads_back_whole(game: Game) -> None:
    study = find(Record.of(game).text())
    again = read_study(Record.of(game).text(), written(study))
    assert again.analysis.assessments == study.analysis.assessments and again.exact == study.exact
    assert again.analysis.json() == study.analysis.json()
    for before, after in zip(texts(study), texts(again), strict=True):
        assert before == after and type(before) is type(after)
        if isinstance(before, Message) and isinstance(after, Message):  # which other languages need
            assert before.template == after.template


def test_a_study_that_is_cut_short_or_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    game = finished("palindromes", m=2)
    content = written(find(Record.of(game).text()))
    with pytest.raises(ValueError, match="cut short"):
        read(content[:-8], game)
    monkeypatch.setattr(study_text, "LARGEST", 20)
    with pytest.raises(ValueError, match="too large"):
        read(content, game)


def test_the_first_study_counts_and_the_latest_stay(
    database: Database, shared: Studies, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studies, "MOST_KEPT", 2)
    monkeypatch.setattr(studies, "LARGEST", 10)
    other = Studies(database, lambda: 1.0)
    assert shared.of("a", "1") is None
    assert shared.keep("a", "1", b"first") == b"first"
    assert other.keep("a", "1", b"second") == b"first" == shared.of("a", "1")
    assert shared.of("a", "2") is None and shared.keep("a", "2", b"newer") == b"newer"
    assert shared.keep("b", "1", b"b") == b"b"
    assert [shared.of(*one) for one in (("a", "1"), ("a", "2"), ("b", "1"))] == [None, b"newer", b"b"]
    assert shared.keep("c", "1", b"x" * 11) == b"x" * 11 and shared.of("c", "1") is None


def test_processes_that_made_a_study_at_once_show_the_first_one(shared: Studies) -> None:
    game = finished("palindromes", "1=0", "2=1", "3=0", m=4)
    key, study = key_of(game), find(Record.of(game).text())
    judged = [replace(one, turning_point="Another.") for one in study.analysis.assessments]
    other = replace(study, analysis=replace(study.analysis, assessments=judged))
    first, second = Analyst(shared), Analyst(shared)
    assert first._first(key, study) == study == second._first(key, other)
    assert Analyst(shared).recall(key, game) is not None and Analyst().recall(key, game) is None
    assert Analyst()._first(key, other) == other


def test_where_the_database_is_away_each_process_has_its_own(shared: Studies, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise Away("No database.")

    game = finished("palindromes", m=2)
    study = find(Record.of(game).text())
    monkeypatch.setattr(shared, "of", away)
    monkeypatch.setattr(shared, "keep", away)
    made = Analyst(shared)
    assert made.recall(key_of(game), game) is None and made._first(key_of(game), study) is study


async def test_a_second_server_makes_no_analysis_again_and_forgets_it_with_the_games(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with pages(database_url) as one, pages(database_url) as other, pages(database_url) as third:
        match = one.play(one.create("palindromes", m=4), "1=0", "2=1", "3=0", "4=1")
        first = await until_analysed(one, match)
        monkeypatch.setattr(analyst, "find", int)  # which fails
        second = await other.get(f"/study/{match.id}")
        assert "data-poll" not in second.text and 'class="plot' in second.text
        told = [answer.text.partition('class="plot')[2].partition("</main>")[0] for answer in (first, second)]
        assert "was a mistake" in told[0] and told[0] == told[1]
        moves = "1. 1=0 2. 2=1 3. 3=0 4. 4=1"  # the study board too, which has them alone
        path = address(game="palindromes", parameters="m=4", moves=moves, judge="1", hide="1")
        assert "was a mistake" in (await until(third, path, "moves are judged")).text
        Forgetting(one.store.database).game(match.id)
        with one.store.database.read() as connection:
            assert connection.scalar(select(func.count()).select_from(schema.studies)) == 0


async def test_what_can_not_be_read_of_kept_analyses_stops_no_analysis_and_no_page(shared: Studies) -> None:
    class Broken(Studies):
        def of(self, key: str, made_by: str) -> bytes | None:
            raise RuntimeError

    game = finished("palindromes", m=3)
    key, record = key_of(game), Record.of(game).text()
    made = Analyst(Broken(shared._database, shared._now))
    try:
        assert made.recall(key, game) is None
        assert made.ask(Asker("1.2.3.4", "ann"), key, record)
        async with asyncio.timeout(PATIENCE):
            while made.study(key) is None:
                await asyncio.sleep(0.01)
    finally:
        await made.close()
    shared.keep("another", analyst.MADE_BY, b"nonsense")
    assert Analyst(shared).recall("another", game) is None
