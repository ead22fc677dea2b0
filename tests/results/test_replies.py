"""Weak solutions to be looked up in: they say what the certificates say, and hold the values against everyone."""

import io
import random
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quet
from quet.certificates import certificate_file
from quet.certificates.check_weak import Positions, Walk, _replies
from quet.certificates.claims import of
from quet.certificates.ways import after
from quet.core.errors import BadResult
from quet.core.rules import AnyState
from quet.results import replies
from quet.results.folder import CERTIFICATES, Folder, find

TABLE = find(None)
SHIPPED = sorted(TABLE.path_of_replies.iterdir())
SMALL = {
    "blob-5.json": "blob n=5",
    "palindromes-10.json": "palindromes m=10",
    "divisors-multiples-10.json": "divisors-multiples r=10",
    "plusses-minuses-5-second_part_first-2.json": "plusses-minuses n=5 second_part_first=2",
}


def _certificate(file: Path) -> dict[str, Any]:
    certificate = certificate_file.read(file)
    assert isinstance(certificate, dict)
    return certificate


def _made(name: str) -> replies.Replies:
    return replies.unpacked(replies.packed(replies.made(_certificate(TABLE.path / CERTIFICATES / name))))


def _new(text: str) -> quet.Game:
    id, *parameters = text.split()
    return quet.new(id, **dict(word.split("=") for word in parameters))


def _play(game: quet.Game, known: replies.Replies, side: str, chance: random.Random) -> int:
    """The difference at the end of a game in which one side follows its strategy and the other plays at random."""
    player = 1 if (side == "low") != game.rules.LOWER_IS_BETTER else 2
    while not game.is_over:
        held = known.held(game, side)
        assert held is not None and held.player == player
        assert (held.move is not None) == (game.mover == player)
        if held.move is None:
            game.play(chance.choice(game.legal_moves))
        else:
            game.play(game.rules.move_text(game.state, held.move))
    return game.scores[0] - game.scores[1]


@pytest.mark.parametrize("name", SMALL)
def test_each_reply_holds_the_value_in_all_positions_that_can_come_up(name: str) -> None:
    known, game = _made(name), _new(SMALL[name])
    assert known.sides
    for side in known.sides:
        subject, walk = of(game.id), Walk(of(game.id), game.state, side, known.value)

        def choose(positions: Positions) -> Iterator[tuple[AnyState, Sequence[int]]]:
            for s, going in positions:
                keys = [walk.key(after(subject, s, way)) for way in going]  # noqa: B023 - called at once
                number = known.sides[side].number(walk.key(s))  # noqa: B023
                yield s, going[keys.index(sorted(set(keys))[number])]

        walk.run(choose)  # raises BadCertificate where an end is too bad
        assert walk.num_own > 100


@pytest.mark.parametrize("name", SMALL)
def test_a_strategy_is_followed_from_the_start_and_no_further(name: str) -> None:
    known, chance = _made(name), random.Random(name)
    for side in known.sides:
        for _ in range(5):
            end = _play(_new(SMALL[name]), known, side, chance)
            assert end >= known.value if side == "low" else end <= known.value
    left = 0
    for _ in range(12):  # who plays at random leaves the strategy soon
        game = _new(SMALL[name])
        while not game.is_over and known.held(game, "low") is not None:
            game.play(chance.choice(game.legal_moves))
        left += not game.is_over
    assert left > 6


def test_every_file_is_of_its_certificate_and_holds_the_value() -> None:
    rows = {replies.name_of(row.certificate): row for row in TABLE.rows() if "weak" in row.proof}
    assert SHIPPED
    for file in SHIPPED:
        row, known = rows[file.name], replies.unpacked(file.read_bytes())
        certificate = _certificate(TABLE.certificate(row))
        assert (known.digest, known.value) == (certificate["digest"], row.number)
        assert set(known.sides) == {each["for"][0] for each in certificate["grounds"] if each["kind"] == "weak"}
        for side in known.sides:
            end = _play(_new(row.words), known, side, random.Random(row.words))
            assert end >= known.value if side == "low" else end <= known.value


def test_the_page_of_the_table_lists_the_files() -> None:
    page, rows = (TABLE.path.resolve().parent / "docs" / "results.md").read_text("utf-8"), TABLE.rows()
    for file in SHIPPED:
        (row,) = [row for row in rows if replies.name_of(row.certificate) == file.name]
        grounds = [each for each in _certificate(TABLE.certificate(row))["grounds"] if each["kind"] == "weak"]
        count = sum(len(list(_replies(each["replies"]))) for each in grounds)
        assert f"| `{file.name}` | {count:,} | {file.stat().st_size:,} |" in page
    assert page.count(".npz` |") == len(SHIPPED)


def test_the_same_certificate_makes_the_same_file() -> None:
    one, other = (_made("palindromes-10.json") for _ in range(2))
    for side in replies.SIDES:
        assert one.sides[side].seed == other.sides[side].seed
        assert np.array_equal(one.sides[side].numbers, other.sides[side].numbers)


def test_few_replies_fit_into_a_table_too() -> None:
    for count in (1, 2, 3, 10):
        wanted = {bytes([number]): number * 7 for number in range(count)}
        table = replies.table(wanted)
        assert {key: table.number(key) for key in wanted} == wanted


def _content(**changed: Any) -> bytes:
    parts: dict[str, Any] = {"format": 1, "value": 0, "digest": "x", "low_seed": 0}
    parts |= {"low_numbers": np.zeros(6, np.uint8), **changed}
    into = io.BytesIO()
    np.savez_compressed(into, **parts)
    return into.getvalue()


def _without_head(content: bytes, name: str) -> bytes:
    """The same parts, but one of them without the eight bytes that say it is an array."""
    into = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as parts, zipfile.ZipFile(into, "w") as changed:
        for part in parts.namelist():
            changed.writestr(part, parts.read(part)[8 if part == f"{name}.npy" else 0 :])
    return into.getvalue()


def test_a_damaged_file_is_refused() -> None:
    assert replies.unpacked(_content()).value == 0
    for content, sentence in [
        (b"nonsense", "it is no file of replies"),
        (_content(format=2), "its format is 2, not 1"),
        (_content(low_numbers=np.zeros(6, np.int64)), "bytes in three parts"),
        (_content(low_numbers=np.zeros(2, np.uint8)), "bytes in three parts"),
        (_content(low_seed=99), "bytes in three parts"),
        (_without_head(_content(), "low_numbers"), "bytes in three parts"),
        *((_without_head(_content(), name), "no file of replies") for name in ("format", "value", "low_seed")),
        (_content(low_numbers=np.zeros(20_000_001, np.uint8)), "larger than 20000000 bytes"),
    ]:
        with pytest.raises(BadResult, match=sentence):
            replies.unpacked(content)


def test_a_reply_that_is_no_move_is_refused() -> None:
    known = replies.unpacked(_content(low_numbers=np.array([255, 255, 0, 0, 0, 0], np.uint8)))
    with pytest.raises(BadResult, match="no legal move"):
        known.held(quet.new("blob", n=6), "low")


def test_a_file_of_another_value_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "results"
    (folder / "replies").mkdir(parents=True)
    (folder / "blob.jsonl").write_bytes(TABLE.file("blob").read_bytes())
    game = quet.new("blob", n=6)
    monkeypatch.chdir(tmp_path)
    assert replies.replies_of(game) is None
    replies._read.cache_clear()
    (folder / "replies" / "blob-6.npz").write_bytes(_content(value=1))
    with pytest.raises(BadResult, match="holds 1, and the row 0"):
        replies.replies_of(game)
    (folder / "replies" / "blob-6.npz").write_bytes(b"nonsense")
    with pytest.raises(BadResult, match=r"blob-6\.npz"):
        replies.replies_of(game)
    assert Folder(folder).rows("blob")
    replies._read.cache_clear()


def _refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, table: Path) -> str:
    monkeypatch.setattr(sys, "argv", ["replies", name, "--folder", str(table)])
    with pytest.raises(SystemExit) as ended:
        replies.main()
    assert ended.value.code == 2
    assert not list((table / "replies").glob("*.npz"))
    return capsys.readouterr().err.partition("error: ")[2]


def test_the_program_makes_files_of_weak_solutions_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / CERTIFICATES).mkdir()
    for name in ("up-and-up-5.json", "blob-5.json"):
        (tmp_path / CERTIFICATES / name).write_bytes((TABLE.path / CERTIFICATES / name).read_bytes())
    (tmp_path / CERTIFICATES / "list.json").write_text("[]")
    assert "up-and-up-5.json: grounds: It has no replies" in _refused(monkeypatch, capsys, "up-and-up-5.json", tmp_path)
    assert _refused(monkeypatch, capsys, "list.json", tmp_path).startswith(
        "list.json: file: It must be one JSON object."
    )
    assert _refused(monkeypatch, capsys, "nothing.json", tmp_path).startswith("nothing.json: file: It can't be read")
    with monkeypatch.context() as installed:
        installed.setattr("quet.results.folder._INSTALLED", tmp_path)
        assert "stays as it is" in _refused(installed, capsys, "blob-5.json", tmp_path)
    monkeypatch.setattr(sys, "argv", ["replies", "blob-5.json", "--folder", str(tmp_path)])
    replies.main()
    assert replies.unpacked((tmp_path / "replies" / "blob-5.npz").read_bytes()).value == 0
