"""compiled(search, rules=blob): the same search with its functions compiled, bound to one game's rules.

Rules and search are ordinary Python, and nothing else imports Numba. Every plain function that the search reaches is
made known to Numba as it stands; only the functions of the search itself are copied, to bind the names given.

What is compiled is kept on disk (`cache.py`), but for recursive code, which would crash when it is loaded. Each
function is kept as soon as it is compiled, so that a process that is ended loses only the function that it was at.
A process that must not wait says `leave_compiling()`: it uses what is kept, and for the rest NotCompiled is raised. One
that waits for some time only has another one compile (`compiling_elsewhere`, with `beside.py`).
Compiling counts against no limit of time: `core/clock.py` stands still meanwhile.
"""

import contextlib
import dis
import functools
import gc
import hashlib
import pathlib
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..core.clock import hold, release
from ..core.errors import NotCompiled
from ..core.files import waited_for
from . import arrays
from .cache import CacheWarning, digest, folder_of, sources

LONGEST_WAIT = 5.0  # seconds until what was compiled isn't kept, as another process still has the folder
_lock = threading.RLock()
_known: set[types.FunctionType] = set()


def compiled(search: types.ModuleType, **bound: object) -> types.ModuleType:
    """A module like `search` with the names in `bound` replaced and every function compiled on its first call.

    The same arguments give the same module. Thread-safe. Raises NotCompiled where compiling is left to others and they
    have kept nothing yet; so does a function when it is called first.
    """
    with _lock, _compiling():
        return _made(search, tuple(sorted(bound.items())))


def plain(search: types.ModuleType, **bound: object) -> types.ModuleType:
    """The same module for plain Python: with the names in `bound` replaced, and nothing compiled.

    Its functions take rows as `plain_rows.py` makes them.
    """
    inside: dict[str, object] = {**vars(search), **bound}
    made = types.ModuleType(search.__name__)
    for name, function in _functions(search).items():
        inside[name] = types.FunctionType(function.__code__, inside, name, function.__defaults__)
    made.__dict__.update(inside)
    return made


@dataclass(frozen=True)
class Wanted:
    """A function that is to be compiled and kept."""

    search: types.ModuleType
    bound: tuple[tuple[str, object], ...]
    function: str
    signature: object  # the types of its arguments, as Numba has them


class Compiler(Protocol):
    """Who compiles for this process."""

    def compile(self, wanted: Wanted) -> bool:
        """Have a function compiled, and return whether it is kept now; it may wait. Raises NotCompiled."""

    def check(self) -> None:
        """Raises NotCompiled where nothing is to be compiled any more."""


class _Policy:
    """Whether this process compiles, and who else does it first."""

    compiles = True
    elsewhere: Compiler | None = None


def leave_compiling(*, leave: bool = True) -> None:
    """From now on this process compiles nothing, and so never waits for it; with leave=False it does again."""
    _Policy.compiles = not leave


class _OfThread(threading.local):
    tell: Callable[[], None] | None = None


_of_thread = _OfThread()


@contextlib.contextmanager
def telling(tell: Callable[[], None]) -> Iterator[None]:
    """Meanwhile call this, once, as soon as this thread has to wait until something is compiled."""
    _of_thread.tell = tell
    try:
        yield
    finally:
        _of_thread.tell = None


def _tell() -> None:
    tell, _of_thread.tell = _of_thread.tell, None
    if tell is not None:
        tell()


@contextlib.contextmanager
def compiling_elsewhere(compiler: Compiler) -> Iterator[None]:
    """Meanwhile this process compiles only what the compiler doesn't keep."""
    before = _Policy.elsewhere
    _Policy.elsewhere = compiler
    try:
        yield
    finally:
        _Policy.elsewhere = before


def compile_now(wanted: Wanted) -> None:
    """Compile a function and keep it, unless it is kept. Raises what Numba raises."""
    vars(compiled(wanted.search, **dict(wanted.bound)))[wanted.function].compile(wanted.signature)


@functools.cache
def _made(search: types.ModuleType, bound: tuple[tuple[str, object], ...]) -> types.ModuleType:
    modules = [search, *(value for _, value in bound if isinstance(value, types.ModuleType))]
    files: dict[str, pathlib.Path] = {}
    for module in modules:
        files |= sources(module.__name__)
    if _Policy.elsewhere is not None:
        _Policy.elsewhere.check()
    key = digest(files, {name: value for name, value in bound if isinstance(value, int)})
    label = "-".join(module.__name__ for module in modules)
    folder = folder_of(label, key)
    if not _Policy.compiles and (folder is None or not any(folder.rglob("*.nbc"))):
        raise NotCompiled
    _rest_while_compiling()
    _make_known([name for name in files if name in sys.modules and name != search.__name__])
    name_of_all = hashlib.sha256(f"{label} {key}".encode()).hexdigest()[:16]
    options: dict[str, object] = {"nogil": True}
    if not any(getattr(module, "ALLOCATES", True) for module in modules):
        # Numba counts the references to every array that goes to a function, which takes more than half the time of a
        # small game's search. Here there is nothing to count.
        options["_nrt"] = False
    inside: dict[str, object] = {**vars(search), **dict(bound)}  # what the functions see
    if inside.get("fence") is arrays.fence:
        inside["fence"] = _fence()
    made = types.ModuleType(search.__name__)
    made.__dict__.update(inside)
    functions = _functions(search)
    not_kept = _recursive(functions)
    for name, function in functions.items():
        twin = types.FunctionType(function.__code__, inside, function.__name__, function.__defaults__)
        # Code that is loaded from disk is linked by its names: those of one search bound to two games must differ.
        twin.__qualname__, twin.__module__ = f"{function.__qualname__}_{name_of_all}", function.__module__
        made.__dict__[name] = _compiled(
            twin, None if name in not_kept else folder, options, functools.partial(Wanted, search, bound, name)
        )
        inside[name] = _compiled_inside(twin, options)
    return made


def _functions(module: types.ModuleType) -> dict[str, types.FunctionType]:
    """The plain functions that the module defines, by name."""
    return {
        name: function
        for name, function in vars(module).items()
        if isinstance(function, types.FunctionType) and function.__module__ == module.__name__
    }


def _recursive(functions: dict[str, types.FunctionType]) -> set[str]:
    """The functions that are recursive or call one that is: their code works until it is loaded from disk."""
    reached = {
        name: {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"} & set(functions)
        for name, function in functions.items()
    }
    for between in functions:  # Warshall's algorithm
        for names in reached.values():
            if between in names:
                names |= reached[between]
    circular = {name for name, names in reached.items() if name in names}
    return {name for name, names in reached.items() if names & circular}


def _njit(function: types.FunctionType, **options: Any) -> Any:
    """The function compiled on its first call, by Numba, which has more options than its types say."""
    import numba

    return numba.njit(function, **options)


class _Builder(Protocol):
    """What writes machine code, as far as a fence needs it."""

    fence: Callable[[str], object]


class _Target(Protocol):
    """What code is written for, as far as a fence needs it."""

    get_dummy_value: Callable[[], object]


@functools.cache
def _fence() -> object:
    """`arrays.fence` for compiled code."""
    from numba.core import types as numba_types
    from numba.extending import intrinsic

    @intrinsic
    def fence(context: object) -> tuple[object, Callable[..., object]]:
        def code(target: _Target, builder: _Builder, signature: object, arguments: object) -> object:
            builder.fence("release")
            return target.get_dummy_value()

        return numba_types.void(), code

    return fence


def _compiled_inside(function: types.FunctionType, options: Mapping[str, object]) -> object:
    """The function for other functions of its search: it is compiled together with its caller and kept in that file.

    It has no entry from Python and no file of its own, since each takes time to compile.
    """
    return _njit(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)


def _compiled(
    function: types.FunctionType,
    folder: pathlib.Path | None,
    options: Mapping[str, object],
    wanted: Callable[[object], Wanted],
) -> object:
    """The function as Python calls it, compiled on its first call and kept in the folder."""
    import numba

    config = vars(numba.config)
    before = config["CACHE_DIR"]
    try:
        config["CACHE_DIR"] = str(folder) if folder else before
        made = _njit(function, cache=folder is not None, no_cfunc_wrapper=True, **options)
        made._cache = _CarefulCache(made._cache, folder, wanted)
        return made
    finally:
        config["CACHE_DIR"] = before


class _Cache(Protocol):
    """What Numba asks of the cache of one function, as far as it is wrapped here."""

    def load_overload(self, signature: object, target: object) -> object: ...
    def save_overload(self, *arguments: object) -> None: ...


class _CarefulCache:
    """Numba's cache of one function, but a file that can't be read or written gives a warning instead of an error.

    Numba itself copes with a missing file only. A file cut short, by a full disk say, would break every later run.
    """

    def __init__(self, inner: _Cache, folder: pathlib.Path | None, wanted: Callable[[object], Wanted]) -> None:
        self._inner = inner
        self._folder = folder  # None where nothing is kept
        self._wanted = wanted

    def load_overload(self, signature: object, target: object) -> object:
        """What is kept; Numba compiles the function where there is nothing. Raises NotCompiled where it must not."""
        found = self._carefully(self._inner.load_overload, signature, target)
        elsewhere = _Policy.elsewhere
        if found is None and _Policy.compiles:
            _tell()
        can_be_kept = found is None and self._folder is not None
        if can_be_kept and elsewhere is not None and elsewhere.compile(self._wanted(signature)):
            found = self._carefully(self._inner.load_overload, signature, target)
        if found is None and not _Policy.compiles:
            raise NotCompiled
        return found

    def save_overload(self, *arguments: object) -> None:
        """Keep what was compiled, if it can be kept."""
        self._carefully(self._save, *arguments)

    def _save(self, *arguments: object) -> None:
        """Keep it while no other process keeps anything there. Numba names a file by those that are there, so two would
        choose the same name for other types of arguments, and the code of one would be taken for that of the other.
        Where another one has the folder for long, as a program that was stopped, nothing is kept.
        """
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)  # somebody may have cleared the cache meanwhile
            with waited_for(self._folder, LONGEST_WAIT) as is_ours:
                if is_ours:
                    self._inner.save_overload(*arguments)

    def _carefully(self, act: Callable[..., object], *arguments: object) -> object:
        try:
            return act(*arguments)
        except Exception as error:  # a damaged pickle can raise anything
            warnings.warn(
                f"The compiled code in {self._folder} can't be used ({error!r}); it is made anew.",
                CacheWarning,
                stacklevel=2,
            )
            for file in () if self._folder is None else self._folder.rglob("*.nb*"):
                with contextlib.suppress(OSError):
                    file.unlink()
            return None

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)


class _Rest:
    """How many callers compile now. Meanwhile the clock stands still, and Python's garbage collector rests: that saves
    about a tenth of the time to begin a search, as Numba and what it compiles are some hundred thousand objects, hardly
    any of them garbage.
    """

    lock = threading.Lock()
    askers = 0
    was_enabled = False


def _begin_rest() -> None:
    hold()
    with _Rest.lock:
        if _Rest.askers == 0:
            _Rest.was_enabled = gc.isenabled()
            gc.disable()
        _Rest.askers += 1


def _end_rest() -> None:
    with _Rest.lock:
        _Rest.askers -= 1
        if _Rest.askers == 0 and _Rest.was_enabled:
            gc.enable()
    release()


@contextlib.contextmanager
def _compiling() -> Iterator[None]:
    _begin_rest()
    try:
        yield
    finally:
        _end_rest()


@functools.cache
def _rest_while_compiling() -> None:
    """From now on let the collector rest whenever Numba compiles, or loads what it has compiled."""
    from numba.core import event

    class Rest(event.Listener):
        def on_start(self, event: object) -> None:
            _begin_rest()

        def on_end(self, event: object) -> None:
            _end_rest()

    register: Callable[[str, event.Listener], None] = event.register
    register("numba:compiler_lock", Rest())


def _make_known(names: Sequence[str]) -> None:
    """Tell Numba that compiled code may call the plain functions of these modules; they stay plain."""
    from numba.extending import register_jitable

    for name in names:
        for function in _functions(sys.modules[name]).values():
            if function not in _known:
                _known.add(function)
                # Called from compiled code only, so that no entry from Python is needed.
                register_jitable(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
