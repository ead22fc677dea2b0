"""Weak solutions to be looked up in: the replies of a certificate, asked by position, in few bits each.

A certificate has its replies in the order of a walk through the whole game (`certificates/check_weak.py`), so a reply
can't be found without that walk. This module walks once and makes a file that is asked at once:

    python -m quet.results.replies blob-6.json.gz ...     # names of certificates; the files go to results/replies

The file has numbers in three parts of a table. A key of a position chooses a number in each, and the three together,
by exclusive or, are the reply to it (Chazelle, Kilian, Rubinfeld and Tal, "The Bloomier filter", 2004). No keys are
kept: a position that the strategy can't meet gets a reply, too, that means nothing. So a game is followed from its
start, and a reply counts only while each move of the player has been the reply before (`Replies.held`).

Positions that a symmetry joins have one reply. It is told as the place of the key after it among the different keys
after all ways on, in ascending order: that place is the same for all of them.
"""

import argparse
import functools
import hashlib
import io
import zipfile
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..certificates import certificate_file, verify
from ..certificates.check_weak import Walk, check
from ..certificates.claims import Subject, of
from ..certificates.ways import Ways, after, ways
from ..core.errors import BadCertificate, BadResult, one_line, refusing
from ..core.files import UnreadableFile, read_file, write_file
from ..core.quoting import printable
from ..core.rules import AnyState
from ..core.state import copy
from ..game import Game, new_to_solve
from .best import best_row
from .folder import CERTIFICATES, find
from .submit import check_can_change

FORMAT = 1
LARGEST = 1_000_000  # bytes of a file
LARGEST_UNPACKED = 20_000_000
SIDES = ("low", "high")
_ROOM = 1.24  # numbers in a table for each reply; with 1.23 and more a way to fill it is nearly always found
_SEEDS = 20  # that are tried
_Numbers = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Side:
    """The replies of one player: a table that is asked by keys."""

    seed: int
    numbers: _Numbers

    def number(self, key: bytes) -> int:
        """The reply to the position with this key; anything where the strategy doesn't meet it."""
        one, two, three = _places(key, self.seed, len(self.numbers) // 3)
        return int(self.numbers[one] ^ self.numbers[two] ^ self.numbers[three])


@dataclass(frozen=True)
class Held:
    """What a strategy does in a position that it has led to."""

    player: int  # whose strategy it is
    move: int | None  # the reply; None where the other player moves


@dataclass(frozen=True)
class Replies:
    """The weak solution of a game: its value, and what each player replies to hold it."""

    value: int  # player 1's score minus player 2's
    digest: str  # of the certificate from which it was made
    sides: Mapping[str, Side]

    def held(self, game: Game, side: str) -> Held | None:
        """The reply in this game, if the player of this side has followed the strategy from the start; else None.

        The game has begun from its usual start, with the parameters of the solution, and isn't over.
        """
        subject, s = of(game.id), copy(game.at(0).state)
        walk = Walk(subject, s, side, self.value)
        moves = game.numbers
        while moves:
            turn, later, is_whole = _turn(subject, s, moves)
            if subject.rules.mover(s) == walk.player:
                reply = self._reply(walk, subject, s, side)
                if not is_whole:
                    return Held(walk.player, reply[len(turn)]) if list(reply[: len(turn)]) == turn else None
                wanted = after(subject, s, reply)
                if walk.key(later) != walk.key(wanted) or walk.worth(later) < walk.worth(wanted):
                    return None
            elif not is_whole:
                return Held(walk.player, None)
            s, moves = later, moves[len(turn) :]
        is_own = subject.rules.mover(s) == walk.player
        return Held(walk.player, self._reply(walk, subject, s, side)[0] if is_own else None)

    def _reply(self, walk: Walk, subject: Subject, s: AnyState, side: str) -> Sequence[int]:
        """The move, or the turn, that the strategy makes in a position that it meets. Raises BadResult."""
        going = ways(subject, s)
        keys = _keys(walk, subject, s, going)
        different, number = sorted(set(keys)), self.sides[side].number(walk.key(s))
        if number >= len(different):
            raise BadResult("A reply of the weak solution is no legal move.")
        return going[keys.index(different[number])]


def replies_of(game: Game) -> Replies | None:
    """The weak solution of a game for two with these parameters; None where the table has none to be looked up in.

    Raises BadResult where its file is damaged. Files are read once, and a few of them are kept.
    """
    row = best_row(game)
    if row is None or "weak" not in row.proof:
        return None
    return _read((find(None).path_of_replies / name_of(row.certificate)).resolve(), row.number)


@functools.lru_cache(maxsize=4)
def _read(file: Path, value: int) -> Replies | None:
    if not file.exists():
        return None
    try:
        found = unpacked(read_file(file, LARGEST))
    except UnreadableFile as error:
        raise BadResult(str(error), file=file.name) from None
    except BadResult as error:
        raise BadResult(error.sentence, file=file.name) from None
    if found.value != value:
        raise BadResult(f"The weak solution holds {found.value}, and the row {value}.", file=file.name)
    return found


def name_of(certificate: str) -> str:
    """The name of the file that is made from this certificate."""
    return f"{certificate.removesuffix('.gz').removesuffix('.json')}.npz"


def made(certificate: Mapping[str, Any]) -> Replies:
    """The replies of a certificate, which are checked on the way. Raises BadCertificate and BadResult."""
    value = certificate["claim"]["low"]
    start = new_to_solve(certificate["game"], **certificate["parameters"]).state
    subject, sides = of(certificate["game"]), dict[str, Side]()
    for ground in certificate["grounds"]:
        if ground["kind"] == "weak":
            (side,) = ground["for"]
            sides[side] = table(_by_key(subject, start, ground["replies"], side, value))
    return Replies(value, certificate["digest"], sides)


def _by_key(subject: Subject, start: AnyState, given: object, side: str, value: int) -> dict[bytes, int]:
    """The replies of one player: the place of the key after each among the different keys after all ways on."""
    walk, found = Walk(subject, start, side, value), dict[bytes, int]()

    def see(s: AnyState, going: Ways, number: int) -> None:
        keys = _keys(walk, subject, s, going)
        place = sorted(set(keys)).index(keys[number])
        if found.setdefault(walk.key(s), place) != place:
            raise BadResult("A position of the weak solution has two replies.")

    check(subject, copy(start), given, side, value, see)
    return found


def packed(replies: Replies) -> bytes:
    """The content of a file."""
    into = io.BytesIO()
    parts: dict[str, Any] = {"format": FORMAT, "value": replies.value, "digest": replies.digest}
    for side, one in replies.sides.items():
        parts |= {f"{side}_seed": one.seed, f"{side}_numbers": one.numbers}
    np.savez_compressed(into, **parts)
    return into.getvalue()


def unpacked(content: bytes) -> Replies:
    """The replies in the content of a file. Raises BadResult where it isn't one."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            if sum(part.file_size for part in parts.infolist()) > LARGEST_UNPACKED:
                raise _bad(f"it is larger than {LARGEST_UNPACKED} bytes once it is unpacked")
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            form, value, digest = int(file["format"]), int(file["value"]), str(file["digest"])
            sides = {
                side: Side(int(file[f"{side}_seed"]), np.asarray(file[f"{side}_numbers"]))  # it may be bytes
                for side in SIDES
                if f"{side}_seed" in file.files
            }
    except BadResult:
        raise
    except Exception as error:  # NumPy, zipfile and zlib raise errors of many kinds for a damaged file
        raise _bad(f"it is no file of replies: {one_line(error)}") from None
    if form != FORMAT:
        raise _bad(f"its format is {form}, not {FORMAT}")
    for side in sides.values():
        numbers = side.numbers
        if numbers.dtype != np.uint8 or numbers.ndim != 1 or len(numbers) < 3 or not 0 <= side.seed < _SEEDS:
            raise _bad("its tables aren't bytes in three parts")
    return Replies(value, digest, sides)


def _bad(words: str) -> BadResult:
    return BadResult(f"The weak solution can't be read: {words}.")


def table(replies: Mapping[bytes, int]) -> Side:
    """A table that tells the reply to each of these keys. Raises BadResult where no way is found to fill one."""
    part = max(1, -(-int(_ROOM * len(replies)) // 3) + 2)
    for seed in range(_SEEDS):
        places = [_places(key, seed, part) for key in replies]
        order = _order(places, 3 * part)
        if order is not None:
            numbers, given = np.zeros(3 * part, np.uint8), list(replies.values())
            for one, free in reversed(order):  # the place that is free when this reply is filled in
                a, b, c = places[one]
                numbers[free] = given[one] ^ numbers[a] ^ numbers[b] ^ numbers[c]
            return Side(seed, numbers)
    raise BadResult("The replies don't fit into a table.")


def _order(places: Sequence[tuple[int, int, int]], size: int) -> list[tuple[int, int]] | None:
    """The replies in an order in which each has a place that no later one has, with that place; None for no such order.

    The last of them is filled in first.
    """
    count, joined = array("i", bytes(4 * size)), array("q", bytes(8 * size))  # how many replies, and all by xor
    for number, three in enumerate(places):
        for place in three:
            count[place] += 1
            joined[place] ^= number
    waiting = [place for place in range(size) if count[place] == 1]
    found: list[tuple[int, int]] = []
    while waiting:
        place = waiting.pop()
        if count[place] != 1:
            continue
        number = joined[place]
        found.append((number, place))
        for other in places[number]:
            count[other] -= 1
            joined[other] ^= number
            if count[other] == 1:
                waiting.append(other)
    return found if len(found) == len(places) else None


def _places(key: bytes, seed: int, part: int) -> tuple[int, int, int]:
    """The three numbers that a key chooses, one in each part of a table."""
    found = hashlib.blake2b(key, digest_size=24, salt=seed.to_bytes(2)).digest()
    one, two, three = (int.from_bytes(found[i : i + 8]) % part for i in (0, 8, 16))
    return one, part + two, 2 * part + three


def _keys(walk: Walk, subject: Subject, s: AnyState, going: Ways) -> list[bytes]:
    """The keys of the positions after all ways on."""
    return [walk.key(after(subject, s, way)) for way in going]


def _turn(subject: Subject, s: AnyState, moves: Sequence[int]) -> tuple[list[int], AnyState, bool]:
    """The first turn of these moves from s, the position after it, and whether the turn has ended."""
    rules, later, turn = subject.rules, copy(s), list[int]()
    for move in moves:
        rules.play(later, move)
        turn.append(move)
        if subject.turns is None or rules.is_over(later) or rules.mover(later) != rules.mover(s):
            return turn, later, True
    return turn, later, False


def _made(name: str, file: Path) -> Replies:
    """The replies of a certificate in a file. Raises BadCertificate, which has its name."""
    try:
        certificate = certificate_file.read(file)
        verify.check(certificate, is_known=True)  # it is whole; `made` checks its replies
        assert isinstance(certificate, dict)
        replies = made(certificate)
        if not replies.sides:
            raise BadCertificate(
                "It has no replies to be looked up, as quet solve --strategies writes.", step="grounds"
            )
        return replies
    except BadCertificate as error:
        raise BadCertificate(error.sentence, file=printable(name, 200), step=error.step) from None


def main() -> None:
    """Make the files."""
    parser = argparse.ArgumentParser(
        prog="python -m quet.results.replies", description="Make files in which weak solutions are looked up."
    )
    parser.add_argument("certificates", metavar="NAME", nargs="+", help="of certificates in the table")
    parser.add_argument("--folder", metavar="FOLDER", help="of the table (the repository's)")
    options = parser.parse_args()
    with refusing(parser):
        folder = find(options.folder)
        check_can_change(folder)
        folder.path_of_replies.mkdir(exist_ok=True)
        for name in options.certificates:
            content = packed(_made(name, folder.path / CERTIFICATES / name))
            write_file(folder.path_of_replies / name_of(name), content)
            print(f"{name_of(name)}: {len(content)} bytes", flush=True)


if __name__ == "__main__":
    main()
