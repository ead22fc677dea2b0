"""Everything in Quet that reads text or bytes which somebody else wrote: one list, for `make fuzz` and the tests.

A reader takes any bytes. It may raise QuetError, whose sentence is one short line; every other error is a bug.
`MODULES` names the modules whose code it tries. A test fails if a module reads foreign data and stands in no list.
"""

import contextlib
import gzip
import hashlib
import io
import json
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files as files_of
from pathlib import Path

import quet
from papers import PAPERS
from quet import catalog, puzzles
from quet.certificates import certificate_file, verify
from quet.cli import learn, plain, ugi
from quet.cli import puzzles as cli_puzzles
from quet.cli.checkpoint import Checkpoint, digest
from quet.core import facts
from quet.core.errors import QuetError
from quet.core.parameters import split_parameters
from quet.distribution.task import Task
from quet.play.session import Session
from quet.players import arena, playing
from quet.puzzles import scores
from quet.puzzles.puzzle import is_playable
from quet.records import record
from quet.records.record_text import moves_text
from quet.records.variations import Variation
from quet.results import folder, larger, replies
from quet.rl import entries, leaderboard
from quet.study import by_hand, daily
from quet.study import lesson as lessons
from quet.tablebases import files
from quet.terminal.remembered import Remembered
from quet.web import forms, i18n, pages, preferences, puzzle_scores, settings, visitors
from quet.web.views import study_acts

TEMPLATE = "quet.template.game"  # a small game, with all that a game may have in TOML
LONGEST_SENTENCE = 2_000  # characters; 200 of a path, which may take six each


@dataclass(frozen=True)
class Reader:
    """What is read, how to try it, and where its code is."""

    name: str
    read: Callable[[bytes], object]
    seeds: Callable[[], list[bytes]]  # good input to begin with
    modules: tuple[str, ...]
    max_len: int = 1_000  # bytes


def attempt(reader: Reader, data: bytes) -> bool:
    """Whether the reader takes the input. Raises AssertionError if it refuses it in a bad sentence."""
    try:
        reader.read(data)
    except QuetError as error:
        sentence = str(error)
        assert sentence and sentence.isprintable(), repr(sentence)
        assert len(sentence) <= LONGEST_SENTENCE, sentence
        return False
    return True


# Games, each at a small size.

SIZES: Mapping[str, dict[str, object]] = {
    "blob": {"n": 3},
    "convoluted-coprimality": {"n": 3, "grids": 2},
    "divisors-multiples": {"r": 8},
    "palindromes": {"m": 6},
    "plusses-minuses": {"n": 4},
    "sequence-ascension": {"n": 3},
    "sums-grid": {"n": 3},
    "up-and-up": {"n": 3},
}

IDS = sorted(SIZES)
HERE = Path(__file__).parent
TESTS = HERE.parent
RESULTS = TESTS.parent / "results"


def _words(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _choice(data: bytes) -> tuple[str, int, str]:
    """A game by the first byte, a number by the second, and the text that follows."""
    head, rest = data[:2].ljust(2, b"\0"), data[2:]
    return IDS[head[0] % len(IDS)], head[1], _words(rest)


@cache
def _game(id: str, plies: int) -> quet.Game:
    """The game after so many moves, always the same ones, or at its end. Play on in a copy of it."""
    game = quet.new(id, **SIZES[id])
    for ply in range(plies):
        if game.is_over:
            break
        moves = game.legal_moves
        game.play(moves[(7 * ply + 3) % len(moves)])
    return game


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="quet-fuzz-"))


def _file(name: str, data: bytes) -> Path:
    file = _folder() / name
    file.write_bytes(data)
    return file


def _move(data: bytes) -> None:
    id, plies, text = _choice(data)
    _game(id, plies % 24).copy().play(text)


def _moves() -> list[bytes]:
    found = []
    for number, id in enumerate(IDS):
        for plies in (0, 3, 9):
            game = _game(id, plies)
            found += [bytes([number, plies]) + move.encode() for move in game.legal_moves[:2]]
    return found


def _typed(data: bytes) -> None:
    """Lines typed at a game. What writes files or thinks for a second is left out."""
    id, plies, text = _choice(data)
    lines = [line for line in text.split("\n")[:20] if line.split()[:1] not in ([], ["save"], ["replace"], ["load"])]
    lines = [line for line in lines if not line.lower().lstrip().startswith(("go", "hint", "save", "replace", "load"))]
    session = Session(_game(id, plies % 24))
    plain.run(session, io.BytesIO("\n".join(lines).encode()), io.StringIO())


def _parameters(data: bytes) -> None:
    id, _, text = _choice(data)
    quet.new(id, **split_parameters(text.split()))


def _paper(data: bytes) -> None:
    id, _, text = _choice(data)
    words, separator, paper = text.partition("\0")
    entry = catalog.get(id)
    position = entry.judge.read_paper(*((paper, split_parameters(words.split())) if separator else (text, {})))
    items = entry.judge.items(position)
    for player in range(1, entry.rules.num_players(position.state) + 1):
        assert sum(item.points for item in items if item.player == player) == entry.rules.score(position.state, player)


def _papers() -> list[bytes]:
    found = [bytes([number, 0]) + PAPERS[id].encode() for number, id in enumerate(IDS)]
    return found + [bytes([number, 0]) + b"n=3\0" + PAPERS[id].encode() for number, id in enumerate(IDS)]


def _record(data: bytes) -> None:
    records = record.read_all(_words(data))
    for one in records:
        again = record.read(one.text())
        assert again.text() == one.text()
        assert record.read(json.dumps(one.json())).json() == one.json()


def _records() -> list[record.Record]:
    ended = [record.Record.of(_game(id, 40), tags={"Player1": 'A "b" \\'}, comments={0: "so { it } is"}) for id in IDS]
    begun = [record.Record.of(_game(id, 2), termination=record.Termination("time ran out", (1,))) for id in IDS]
    given: Mapping[str, dict[str, int]] = {"convoluted-coprimality": {"players": 3, "grids": 2}}
    on_paper = [record.Record.of(quet.position(id, PAPERS[id], **given.get(id, {}))) for id in IDS]
    trees = []
    for id in IDS:
        moves = _game(id, 0).legal_moves
        inner = (Variation(1, (moves[1],), {0: ["or ) else"]}),)
        tree = (Variation(1, (moves[-1],), {1: ["better ("]}, inner), Variation(3, (_game(id, 2).legal_moves[0],)))
        trees.append(record.Record.of(_game(id, 2), variations=tree))
    return ended + begun + on_paper + trees


def _study(data: bytes) -> None:
    """A study in an address: its moves, a place in them, and a move to try there."""
    id, number, text = _choice(data)
    moves, place, move = [*text.split("\0"), "", ""][:3]
    words = " ".join(f"{name}={value}" for name, value in SIZES[id].items())
    given = {"game": id, "parameters": words, "moves": moves, "from": place}
    acts = ({"move": move}, {"at": place}, {"act": "cut"}, {"act": "comment", "comment": move})
    acted = study_acts.acted_on(given | acts[number % len(acts)])
    again = study_acts.acted_on(acted.state | {"at": acted.at})
    assert (again.record, again.at, again.key) == (acted.record, acted.at, acted.key)


def _studies() -> list[bytes]:
    found: list[bytes] = []
    for one in _records():
        if not one.game.start and one.game.parameters == quet.new(one.game.id, **SIZES[one.game.id]).parameters:
            head = bytes([IDS.index(one.game.id), len(found) % 4])
            legal = list(one.game.legal_moves[:1])
            found.append(head + "\0".join([moves_text(one), str(one.game.ply), *legal]).encode())
    return found


def _by_hand(data: bytes) -> None:
    """A position that is set up: its text, a square, and what is written there."""
    id, number, text = _choice(data)
    paper, square, mark = [*text.split("\0"), "", ""][:3]
    now = by_hand.set_up(catalog.get(id), paper, SIZES[id])
    again = by_hand.set_up(catalog.get(id), now.text, now.draft.parameters)
    assert again.draft == now.draft
    assert (now.game is None) == bool(now.error)
    now.scene  # noqa: B018 - it can be drawn
    ways = list(by_hand.by_hand_of(catalog.get(id)).WAYS)
    after = by_hand.clicked(now, square, ways[number % len(ways)], mark)
    by_hand.with_fields(after, dict.fromkeys(after.draft.fields, mark)).scene  # noqa: B018 - the same


def _papers_by_hand() -> list[bytes]:
    found = []
    for number, id in enumerate(IDS):
        for plies in (2, 6):
            now = by_hand.of_game(_game(id, plies))
            square = sorted(now.squares)[0]
            found.append(bytes([number, plies]) + "\0".join([now.text, square, "2"]).encode())
    return found


def _certificate(data: bytes) -> None:
    """A certificate, as it stands and with the digest that it would have to have."""
    found = certificate_file.read(_file("certificate.json", data))
    if _is_large(found):
        return
    with contextlib.suppress(QuetError):
        verify.check(found)
    if isinstance(found, dict):
        verify.check({**found, "digest": verify.digest(found)})


def _is_large(certificate: object) -> bool:
    """Whether a parameter is above 6, or 2 in the sums grid: checking it may take half a minute.

    It does the same as for smaller games.
    """
    if not isinstance(certificate, dict) or not isinstance(parameters := certificate.get("parameters"), dict):
        return False
    most = 2 if certificate.get("game") == "sums-grid" else 6
    return any(isinstance(one, int) and one > most for one in parameters.values())


def _small_files(pattern: str, folder: Path, largest: int) -> list[bytes]:
    return [file.read_bytes() for file in sorted(folder.glob(pattern)) if file.stat().st_size <= largest]


def _certificates() -> list[bytes]:
    found = _small_files("*.json", RESULTS / "certificates", 1_500)
    found = [content for content in found if not _is_large(json.loads(content))]
    return [*found, certificate_file.pack(found[0])]


def _rows() -> list[bytes]:
    return [line for file in sorted(RESULTS.glob("*.jsonl")) for line in file.read_bytes().splitlines()[:3]]


def _table(data: bytes) -> None:
    """A table of results in which each row is of the game that the first one names."""
    name = re.search(rb'"game":"([a-z-]{1,40})"', data)
    game = name[1].decode() if name else IDS[0]
    file = _file(f"{game}.jsonl", data)
    try:
        folder.Folder(_folder()).rows(game)
    finally:
        file.unlink()


def _larger(data: bytes) -> None:
    _file(larger.LIST, data)
    larger.read(_folder())


def _list_of_larger() -> list[bytes]:
    found = json.loads((RESULTS / "larger.json").read_bytes())
    return [json.dumps(dict(list(found.items())[:count])).encode() for count in (0, 1, 2)]


def _replies(data: bytes) -> None:
    """A weak solution to be looked up in, and what it replies."""
    known = replies.unpacked(data)
    for side in known.sides:
        known.held(quet.new("blob", n=3), side)


def _files_of_replies() -> list[bytes]:
    side = replies.table({bytes([number]): number for number in range(9)})
    return [replies.packed(replies.Replies(0, "x", sides)) for sides in ({}, {"low": side, "high": side})]


def _tablebase(data: bytes) -> None:
    """A tablebase, and the value of a few positions in it."""
    entry = catalog.get(IDS[data[0] % len(IDS)] if data else IDS[0])
    game = quet.new(entry.id, **SIZES[entry.id])
    for content in (_with_digest(data[1:]), data[1:]):
        with contextlib.suppress(QuetError):
            solved = files.load(_file("a.table", content), entry.id, entry.rules, entry.capabilities, game.parameters)
            solved.value(game.state)


def _with_digest(content: bytes) -> bytes:
    """A tablebase with the digest that its header would have to have, so that what comes after it is tried too."""
    line, separator, rest = content.partition(b"\n")
    if not separator or len(rest) < 40:
        return content
    length = int.from_bytes(rest[:8], "little")
    return line + separator + rest[:8] + hashlib.sha256(rest[40 : 40 + length]).digest() + rest[40:]


def _tablebases() -> list[bytes]:
    found = []
    for file in sorted((TESTS / "tablebases" / "old_tables").glob("*.gz")):
        number = next(number for number, id in enumerate(IDS) if file.name.startswith(id))
        found.append(bytes([number]) + gzip.decompress(file.read_bytes())[:70_000])
    return found


def _checkpoint(data: bytes) -> None:
    game = quet.new("up-and-up", n=6)
    for content in (data, _digested(data)):
        with contextlib.suppress(QuetError):
            Checkpoint(str(_file("checkpoint.json", content)), game, Task(), must_exist=True)
    Checkpoint(str(_file("checkpoint.json", _digested(data))), game, Task(), must_exist=True)


def _digested(data: bytes) -> bytes:
    try:
        found = json.loads(data)
        return json.dumps({**found, "digest": digest(found)}).encode()
    except (ValueError, TypeError, AttributeError, RecursionError):
        return data


def _b_file(data: bytes) -> None:
    quet.new("sequence-ascension", n=3, sequence=f"file:{_file('b.txt', data)}")


def _result_of_arena(data: bytes) -> None:
    arena.Result.read(data)
    file = _file("arena.jsonl", data)
    arena.Results(file)


def _results_of_arena() -> list[bytes]:
    tournament = arena.tournament("up-and-up", {"n": 2}, ["random"], num_games=1)
    return [playing.play(fixture).line() for fixture in tournament.fixtures()]


@cache
def _package() -> str:
    """A package whose facts are tried."""
    import sys

    sys.path.insert(0, str(_folder()))
    (_folder() / "quet_fuzzed").mkdir()
    (_folder() / "quet_fuzzed" / "__init__.py").write_text("")
    return "quet_fuzzed"


def _facts(data: bytes) -> None:
    package = _package()
    (_folder() / package / "facts.toml").write_bytes(data)
    entry = catalog.Entry("fuzzed", package)
    facts.score_facts(entry.facts)
    facts.link_facts(entry.facts)
    facts.result_facts(entry.facts)
    assert all(isinstance(text, str) for text in (entry.title, entry.author))
    assert isinstance(entry.year, int)


def _all_facts() -> list[bytes]:
    return [(files_of(catalog.get(id).package) / "facts.toml").read_bytes()[:4_000] for id in IDS]


def _lesson(data: bytes) -> None:
    """A lesson, with a move in each of its steps."""
    package = _package()
    (_folder() / package / "lesson.toml").write_bytes(data)
    found = catalog.Entry("fuzzed", package).lesson
    for step in found.steps if found else ():
        game = lessons.position(catalog.Entry("template", TEMPLATE), step)
        assert lessons.answer(step, game, "2").words


def _lines_of_a_lesson(data: bytes) -> None:
    entry = catalog.get("blob")
    out = io.StringIO()
    assert learn.run(entry, learn.lesson_of(entry), 1, io.BytesIO(data), out) == 0
    assert "lesson" in out.getvalue()[-200:], out.getvalue()


def _puzzles(data: bytes) -> None:
    """A file of puzzles, with the position of each."""
    for puzzle in puzzles.read(IDS[0], data.decode("utf-8", "replace")):
        assert len(puzzle.id) == 8 and 0 <= puzzle.rating <= 3_000
        is_playable(puzzle)


def _lines_of_puzzles(data: bytes) -> None:
    out = io.StringIO()
    cli_puzzles.Series(puzzles.of("blob")[:3], 0, out).hold(io.BytesIO(data))
    told = out.getvalue()[-200:]
    assert "Solved at the first try" in told or told.endswith("No puzzle was answered.\n"), out.getvalue()


def _scores(data: bytes) -> None:
    with contextlib.suppress(ValueError):
        found = scores.parse(data)
        assert scores.from_data(found.as_data()) == found
        assert len(found.solved_days) <= scores.MOST_DAYS


def _some_puzzles() -> list[bytes]:
    return [puzzles.written([puzzle]).encode() for id in IDS for puzzle in puzzles.of(id)[::40]]


def _remembered(data: bytes) -> None:
    """What the terminal application remembers: nonsense is forgotten, and what it keeps is read again."""
    (_folder() / "terminal.json").write_bytes(data)
    found = Remembered.of(_folder())
    found.set_up("blob", {"parameter-n": "5"})
    again = Remembered.of(_folder())
    assert (again.set_ups, again.scores) == (found.set_ups, found.scores)


def _some_remembered() -> list[bytes]:
    return [b"{}", b'{"set_ups": {"blob": {"parameter-n": "7", "seat-1": "person"}}, "scores": {"up-and-up n=4": 12}}']


def _agents(data: bytes) -> None:
    """An entry of an agent that was measured, and the tasks."""
    with contextlib.suppress(QuetError):
        leaderboard.read_tasks(data)
    found = entries.read(data)
    leaderboard.table([found], [leaderboard.Task(quet.new("palindromes", m=6))])


def _some_agents() -> list[bytes]:
    return [file.read_bytes() for file in sorted((HERE.parents[1] / "agents").glob("*.json"))]


def _ugi(data: bytes) -> None:
    """A conversation with the engine. What searches is left out."""
    lines = [line for line in data.split(b"\n")[:30] if line.split()[:1] not in ([b"go"], [b"query"])]
    lines += [line for line in data.split(b"\n")[:30] if line.split()[:1] == [b"query"] and b"values" not in line]
    said: list[str] = []
    engine = ugi.Engine(said.append)
    for line in lines:
        if line.strip() != b"quit":
            engine.answer(line)
    assert all(one.isprintable() and len(one) <= 100_000 for one in said), said


def _form(data: bytes) -> None:
    for value in forms._fields(data).values():
        pages.local_path(value)
        with contextlib.suppress(QuetError):
            visitors.clean_name(value)


def _header(data: bytes) -> None:
    text = _words(data)
    assert i18n._accepted(text) in ("en", "de")
    path = pages.local_path(text)
    assert not path or (path.startswith("/") and not path.startswith(("//", "/\\")))
    visitors.Visitors("a key of thirty-two characters, or so")._reading(text)
    puzzle_scores.ScoresCookie("a key of thirty-two characters, or so").parse(text)
    preferences.PreferencesCookie("a key of thirty-two characters, or so").parse(text)


def _day(data: bytes) -> None:
    now = date(2026, 12, 24)
    assert daily.FIRST <= daily.read_day(_words(data), now) <= now


def _settings(data: bytes) -> None:
    names = ("QUET_DATABASE_URL", "QUET_SECRET_KEY", "QUET_COMPUTERS", "QUET_COMPUTER_SECONDS", "QUET_LIMIT_MOVES")
    values = dict(zip(names, _words(data).split("\n"), strict=False))
    settings.Settings.from_environment({"QUET_DATA": str(_folder()), **values})


def _seeds(*texts: str) -> Callable[[], list[bytes]]:
    return lambda: [text.encode() for text in texts]


def _each(*texts: str) -> Callable[[], list[bytes]]:
    return lambda: [bytes([number, 3]) + text.encode() for number in range(len(IDS)) for text in texts]


READERS = [
    Reader("moves", _move, _moves, ("quet.game", "quet.core.grid", "quet.core.numbers"), 60),
    Reader(
        "typed",
        _typed,
        _each("board\nnotes\nrow 1\nlegal\nundo\nredo", "who\nscore\nmoves\nhelp"),
        ("quet.cli.plain", "quet.cli.lines"),
        200,
    ),
    Reader(
        "parameters",
        _parameters,
        _each("n=3", "m=4 players=2", "r=9", "sequence=random:1:2:3", "sequence=1,2,3,4"),
        ("quet.core.parameters", "quet.core.sequences"),
        200,
    ),
    Reader(
        "b-file",
        _b_file,
        _seeds("# A000027\n1 1\n2 2\n3 3\n4 4\n5 5\n6 6\n7 7\n8 8\n9 9\n"),
        ("quet.core.sequences",),
        300,
    ),
    Reader("agents", _agents, _some_agents, ("quet.rl.entries", "quet.rl.leaderboard"), 2_000),
    Reader("paper", _paper, _papers, ("quet.core.paper", "quet.cli.score"), 300),
    Reader(
        "record",
        _record,
        lambda: [one.text().encode() for one in _records()],
        ("quet.records.record", "quet.records.record_text", "quet.records.variations"),
        1_500,
    ),
    Reader(
        "study",
        _study,
        _studies,
        ("quet.study.tree", "quet.web.views.study_acts", "quet.records.record_text", "quet.records.variations"),
        1_000,
    ),
    Reader("by-hand", _by_hand, _papers_by_hand, ("quet.study.by_hand", "quet.core.draft"), 300),
    Reader(
        "record-json",
        _record,
        lambda: [json.dumps(one.json()).encode() for one in _records()],
        ("quet.records.record", "quet.records.record_json", "quet.records.variations", "quet.core.json_text"),
        1_500,
    ),
    Reader(
        "certificate",
        _certificate,
        _certificates,
        (
            "quet.certificates.certificate_file",
            "quet.certificates.verify",
            "quet.certificates.check_table",
            "quet.certificates.check_unsat",
            "quet.certificates.check_weak",
            "quet.certificates.frontier",
            "quet.certificates.claims",
            "quet.results.submit",
        ),
        2_500,
    ),
    Reader("results", _table, _rows, ("quet.results.folder", "quet.results.row"), 1_200),
    Reader("larger", _larger, _list_of_larger, ("quet.results.larger",), 1_000),
    Reader("replies", _replies, _files_of_replies, ("quet.results.replies",), 3_000),
    Reader("tablebase", _tablebase, _tablebases, ("quet.tablebases.files",), 70_000),
    Reader(
        "checkpoint",
        _checkpoint,
        lambda: _small_files("*.json", TESTS / "solving" / "old_checkpoints", 1_300),
        ("quet.cli.checkpoint",),
        1_300,
    ),
    Reader("remembered", _remembered, _some_remembered, ("quet.terminal.remembered", "quet.core.json_text"), 600),
    Reader("arena", _result_of_arena, _results_of_arena, ("quet.players.arena",), 800),
    Reader(
        "lesson",
        _lesson,
        lambda: [(files_of(TEMPLATE) / "lesson.toml").read_bytes()],
        ("quet.catalog", "quet.core.lesson_file", "quet.study.lesson"),
        4_000,
    ),
    Reader(
        "learn",
        _lines_of_a_lesson,
        lambda: [b"show\n" * 6, b"a1\nx\nback\nwords\nb2 \nquit\n"],
        ("quet.cli.learn",),
        300,
    ),
    Reader("puzzles", _puzzles, _some_puzzles, ("quet.puzzles.puzzle", "quet.core.json_text"), 1_500),
    Reader(
        "puzzle",
        _lines_of_puzzles,
        lambda: [b"a1\nshow\nnext\nb1\nb2\nb3\n", b"help\nboard\nlegal\nrules\nquit\n"],
        ("quet.cli.puzzles",),
        300,
    ),
    Reader(
        "scores",
        _scores,
        _seeds('["blob/12345678", {"blob": [1010.5, 200.0, 1, 2, 3, 4, "abcd1234"]}, 5, "29"]', '["", {}]'),
        ("quet.puzzles.scores",),
        200,
    ),
    Reader("day", _day, _seeds("2026-12-24", "2026-11-30"), ("quet.study.daily",), 20),
    Reader("facts", _facts, _all_facts, ("quet.catalog", "quet.core.facts"), 4_000),
    Reader(
        "ugi",
        _ugi,
        _seeds(
            "ugi\nisready\nnewgame up-and-up n=3\nposition start moves a1 b2\nquery legal\nsetoption seed 3",
            "position blob n=3 moves a1 b1\nquery board\nquery scores\nstop\nquit",
        ),
        ("quet.cli.ugi",),
        400,
    ),
    Reader(
        "form",
        _form,
        _seeds("csrf=abc&next=%2Fplay%2Fx&name=Ann+B&move=1%3D0"),
        ("quet.web.forms", "quet.web.visitors"),
        300,
    ),
    Reader(
        "header",
        _header,
        _seeds("de-AT,de;q=0.9,en;q=0.8", "/play/abc?ply=3", "///host", "WyJhIiwiYiJd.c2ln"),
        ("quet.web.i18n", "quet.web.pages", "quet.web.preferences", "quet.web.puzzle_scores", "quet.web.visitors"),
        200,
    ),
    Reader(
        "settings",
        _settings,
        _seeds("postgresql://u:p@h/d\n" + "k" * 40 + "\n2\n60\n100", "sqlite:///x.db"),
        ("quet.web.settings",),
        200,
    ),
]

# What else reads bytes, and why it is not here.
OTHERS = {
    "quet.core.files": "hands bytes to the readers above",
    "quet.core.state": "unpacks states that it packed itself",
    "quet.cli.main": "opens /dev/null in place of closed streams",
    "quet.cli.commands": "hands standard input to the readers above",
    "quet.cli.files": "hands standard input to the readers of records and certificates",
    "quet.cli.verify": "hands files to the reader of certificates",
    "quet.cli.new_game": "reads the template that comes with Quet",
    "quet.cli.rl": "keeps the words of a page in which it replaces the table",
    "quet.contract.puzzles": "pickles and reads games that it made itself",
    "quet.contract.starts": "pickles and reads games that it made itself",
    "quet.distribution.parts": "reads what it wrote itself a moment ago",
    "quet.distribution.workers": "reads Quet's own code, for its digest",
    "quet.engine.beside": "reads what the process that started it asks",
    "quet.web.shared_numbers": "reads what another server process of the same program wrote",
    "quet.web.study_text": "reads what a server process wrote into the database; what it cannot read is made again",
    "quet.engine.cache": "reads Quet's own code, and a cache in the user's own folder that can run code anyway",
    "quet.learning.weights": "reads files of a game's package, whose code runs anyway; tests give it damaged ones",
    "quet.players.agents": "reads lines of an engine that the user has started; what it chooses is read as a move",
    "quet.rl.pictures": "reads pictures that it drew itself a moment ago",
    "quet.solving.weak": "reads keys of positions that it wrote itself a moment ago",
    "quet.tablebases.blocks": "reads numbers, any of which is allowed; CRC-32 and solver check them",
    "quet.web.articles": "reads pages that come with Quet",
    "quet.web.assets": "reads files that come with Quet",
    "quet.web.catalogs": "reads packages' catalogs with Babel, and leaves out one that can't be read",
    "quet.web.middleware": "decodes the name of a host as Latin-1, in which all bytes are letters, and compares it",
    "quet.web.storage.backup": "has SQLite check the whole file, and tests of it give it damaged ones",
    "quet.web.storage.sqlite_file": "makes an empty file",
    "quet.web.storage.entries": "reads rows that the site wrote",
    "quet.web.storage.schema": "reads rows that the site wrote",
    "quet.results.best": "reads files for their digest, and hands them to the readers above",
    "quet.web.views.docs": "reads pages that Quet built",
    "quet.web.workshop": "reads what its own processes say",
}
