"""`make fuzz`: every reader under a fuzzer that follows which code an input reaches (Atheris).

    python tests/fuzz/run.py                       60 seconds in all, shared by all readers
    python tests/fuzz/run.py --seconds 600 record  one reader, for so long
    python tests/fuzz/run.py --runs 10000000       again and again, each reader as long as the others, until it
                                                   were so many inputs in all
    python tests/fuzz/run.py --runs 200000 --keep  and puts inputs that reach new code into the kept corpus

Each reader begins with its seeds and with the kept corpus. An input that breaks a reader is written to a file, whose
name is printed, and the exit status is 1. So is one that takes more than thirty seconds, or 2 GB. What every input must
do is in `readers.py`.
"""

import argparse
import contextlib
import importlib
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import atheris

TESTS = Path(__file__).resolve().parents[1]
CORPUS = TESTS / "fuzz" / "corpus"
SLOWEST = 30  # seconds for one input, on a busy machine
MOST_MEMORY = 2048  # MB
LONGEST_KEPT = 300  # bytes of an input that is kept
MOST_KEPT = 150  # inputs of a reader that are kept
DONE = re.compile(rb"Done (\d+) runs in")


def kept(name: str) -> list[bytes]:
    """The inputs in the kept corpus of a reader: a list of texts in which each character is a byte."""
    file = CORPUS / f"{name}.json"
    return [text.encode("latin-1") for text in json.loads(file.read_text())] if file.exists() else []


def main(words: Sequence[str] | None = None) -> int:
    """Fuzz, and return 0 if nothing was found, else 1."""
    parser = argparse.ArgumentParser(description="Fuzz the readers of texts and bytes.")
    parser.add_argument("names", nargs="*", metavar="READER", help="all of them unless some are named")
    parser.add_argument("--seconds", type=float, default=60, help="in all, or of each round (60)")
    parser.add_argument("--runs", type=int, default=1, help="rounds go on until there have been this many inputs (1)")
    parser.add_argument("--seed", type=int, default=0, help="of the fuzzer; 0 takes another one each time (0)")
    parser.add_argument("--keep", action="store_true", help="put inputs that reach new code into the kept corpus")
    options = parser.parse_args(words)
    start = time.monotonic()
    sys.path.insert(0, str(TESTS))
    with atheris.instrument_imports(include=["quet"]):
        from fuzz import readers

        for reader in readers.READERS:
            for module in reader.modules:
                importlib.import_module(module)
    chosen = [reader for reader in readers.READERS if not options.names or reader.name in options.names]
    unknown = set(options.names) - {reader.name for reader in readers.READERS}
    if unknown:
        parser.error(f"There is no reader {sorted(unknown)[0]}; there are {' '.join(r.name for r in readers.READERS)}.")
    found: set[str] = set()
    total = 0
    with _folder() as work:
        for reader in chosen:
            _begin(reader, work / reader.name)
        while total < options.runs and not found:
            end = start + options.seconds
            for number, reader in enumerate(chosen):
                began = time.monotonic()
                # What starting took is no longer there to be shared, so that a round takes the time that was given.
                limit = f"-max_total_time={max(1, round((end - began) / (len(chosen) - number)))}"
                status, log = _fuzz(reader, [limit, f"-seed={options.seed}"], work / reader.name)
                done = DONE.findall(log)
                count = int(done[-1]) if done else 0
                total += count
                print(f"{reader.name:12} {count:9} inputs in {time.monotonic() - began:5.0f} s", flush=True)
                if status:
                    found.add(reader.name)
                    sys.stdout.write(log.decode(errors="replace")[-4000:])
            start = time.monotonic()
        for reader in chosen:
            if options.keep and reader.name not in found:
                _keep(reader, work / reader.name)
    print(f"{total} inputs in all; {'broken: ' + ' '.join(sorted(found)) if found else 'nothing found'}")
    return int(bool(found))


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """A folder for the inputs, and for the files that readers write. It is removed in the end."""
    parent = os.getpid()
    work = tempfile.tempdir = tempfile.mkdtemp()
    try:
        yield Path(work)
    finally:
        if os.getpid() == parent:  # a child that breaks also leaves the block, before its parent has read its log
            shutil.rmtree(work)


def _begin(reader: "readers.Reader", folder: Path) -> None:  # type: ignore[name-defined]  # noqa: F821
    """Make the folder of a reader's inputs, with those that the fuzzer begins with."""
    folder.mkdir()
    for number, data in enumerate((*reader.seeds(), *kept(reader.name))):
        (folder / f"seed-{number}").write_bytes(data)


def _fuzz(reader: "readers.Reader", limits: Sequence[str], folder: Path) -> tuple[int, bytes]:  # type: ignore[name-defined]  # noqa: F821
    """The exit status of the fuzzer in a child process, and what it said; new inputs are left in the folder."""
    from fuzz import readers

    longest = max(reader.max_len, *(file.stat().st_size for file in folder.iterdir()))
    log = folder.with_suffix(".log")
    child = os.fork()
    if not child:
        with log.open("wb") as out:
            os.dup2(out.fileno(), 2)
            os.dup2(out.fileno(), 1)
        words = [*limits, f"-max_len={longest}", f"-timeout={SLOWEST}"]
        words += [
            f"-rss_limit_mb={MOST_MEMORY}",
            f"-artifact_prefix={Path.cwd()}/{reader.name}-",
            "-print_final_stats=0",
        ]
        atheris.Setup([sys.argv[0], *words, str(folder)], lambda data: readers.attempt(reader, data) and None)
        atheris.Fuzz()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    said = log.read_bytes()
    log.unlink()
    return os.waitstatus_to_exitcode(status), said


def _keep(reader: "readers.Reader", folder: Path) -> None:  # type: ignore[name-defined]  # noqa: F821
    """Put the shortest new inputs into the kept corpus, beside those that are there."""
    before = kept(reader.name)
    seeds = set(reader.seeds())
    new = sorted(
        {file.read_bytes() for file in folder.iterdir()} - set(before) - seeds, key=lambda data: (len(data), data)
    )
    inputs = before + [data for data in new if len(data) <= LONGEST_KEPT][: max(0, MOST_KEPT - len(before))]
    CORPUS.mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(data.decode("latin-1")) for data in inputs)
    (CORPUS / f"{reader.name}.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
    sys.exit(130)
