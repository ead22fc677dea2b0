"""Where compiled code is kept on disk, and by which key.

Numba's own disk cache looks only at the file that a function is written in: it would keep serving old code after an
edit in a file that the function calls into (numba/numba#1833), and would confuse two games bound to one search. So
every set of sources, bindings and versions has a cache folder of its own. Where none can be written, there is a
warning, and code is kept in a folder that goes when the program ends.
"""

import ast
import atexit
import contextlib
import hashlib
import importlib.metadata
import importlib.util
import math
import os
import pathlib
import shutil
import sys
import tempfile
import time
import types
import warnings
from collections.abc import Iterator, Mapping

KEPT = 3  # cache folders kept for one search and rules: those that were begun to be used last
UNUSED = 3600.0  # seconds after which another is deleted. Until then a process with other code may be using it


class _Temporary:
    name = ""  # of the folder that goes when this process ends, if there is one


class CacheWarning(UserWarning):
    """Compiled code can't be kept where it should be, so that it is compiled anew."""


def cache_folder() -> pathlib.Path:
    """Where compiled code is kept: QUET_CACHE, else XDG_CACHE_HOME/quet, else ~/.cache/quet."""
    given = os.environ.get("QUET_CACHE")
    if given:
        return pathlib.Path(given)
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path("~/.cache").expanduser()) / "quet"


def sources(name: str) -> dict[str, pathlib.Path]:
    """The files of a module, and of all modules of its top package or of Quet that it imports, by module name.

    Found by reading the import statements, so that nothing is run.
    """
    ours = {__name__.partition(".")[0], name.partition(".")[0]}
    found: dict[str, pathlib.Path] = {}
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name in found or name.partition(".")[0] not in ours:
            continue
        try:
            spec = importlib.util.find_spec(name)
        except ModuleNotFoundError:  # a name in `from .common import name` need not be a module
            continue
        if spec is None or not spec.origin or not spec.origin.endswith(".py"):
            continue
        found[name] = pathlib.Path(spec.origin)
        waiting += _imports(found[name], name if spec.submodule_search_locations else name.rpartition(".")[0])
    return found


def _imports(file: pathlib.Path, package: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package or node.module or "")
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def digest(files: dict[str, pathlib.Path], constants: Mapping[str, int] = types.MappingProxyType({})) -> str:
    """A key that changes with every source file and constant, and with the compilers' versions and flags."""
    flags = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("NUMBA_"))
    # Their versions are read without importing them, so that it costs little to see that nothing is kept.
    parts = [sys.version, *map(importlib.metadata.version, ("numba", "llvmlite", "numpy")), *flags]
    total = hashlib.sha256(repr((parts, sorted(constants.items())) if constants else parts).encode())
    for name in sorted(files):
        total.update(name.encode() + b"\0" + files[name].read_bytes() + b"\0")
    return total.hexdigest()[:16]


def folder_of(label: str, key: str) -> pathlib.Path | None:
    """The cache folder of this label and key, whole and writable; None where there can't be one."""
    settle_folder()
    folder = cache_folder() / label / key
    try:
        _write_into(folder)
        used = sorted((_last_used(other), other) for other in folder.parent.iterdir())
    except OSError:
        return None
    for _, other in used[:-KEPT]:
        if _last_used(other) < time.time() - UNUSED:
            shutil.rmtree(other, ignore_errors=True)
    return folder


def settle_folder() -> None:
    """Make sure that this process and those that it starts can keep compiled code.

    Where the folder for it can't be written there is a warning, and another folder takes its place until this process
    ends.
    """
    folder = cache_folder()
    try:
        _write_into(folder)
    except OSError as error:
        warnings.warn(
            f"Compiled code can't be kept in {folder} ({error.strerror}), so it is kept only until this program ends; "
            "QUET_CACHE names another folder.",
            CacheWarning,
            stacklevel=5,
        )
        with contextlib.suppress(OSError):
            made = tempfile.mkdtemp(prefix="quet-compiled-")
            atexit.register(shutil.rmtree, made, ignore_errors=True)
            os.environ["QUET_CACHE"] = _Temporary.name = made


def is_kept_for_long() -> bool:
    """Whether what is compiled now is kept when this process ends."""
    return str(cache_folder()) != _Temporary.name


def _write_into(folder: pathlib.Path) -> None:
    """Make the folder and see that it can be written. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.touch()
    with tempfile.TemporaryFile(dir=folder):
        pass


def _last_used(folder: pathlib.Path) -> float:
    """When a process last began to use this cache folder; infinity where another process has just deleted it."""
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return math.inf
