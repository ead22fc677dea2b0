"""The sentences that the code can say, as messages: `f"{square_text(move, n)} is full."` is `%(square)s is full.`

Below the site nothing knows of languages: games and core make plain English. This finds what reaches the reader: the
messages of errors, the words of squares, choices and items, notes, titles, meanings of parameters, and what the
functions in RETURNS return. Strings are followed through `+`, conditions, names, tuples, look-ups in constants, and
calls of functions of the same module; each way through becomes a message of its own, so that `square{'s' if n > 1 else
''}` makes a singular and a plural. What is not known before the game is played is a placeholder.
"""

import ast
import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .names import unique_names
from .scopes import Module, Scope, appended, assigned, last_name, returned, uses

MOST_WAYS = 12  # through one sentence; in a sentence of more, parts that vary are messages of their own
DEEPEST = 12  # calls and names followed
ERROR = "QuetError"  # the messages of this class and all below it are sentences to be read
NOT_READ = {"BrokenRules"}  # but this one is for the programmers of games
# What is shown: arguments of these calls, by place and by name.
SHOWN = {
    "Choice": ((1, "words"),),
    "Item": ((2, "words"),),
    "Parameter": ((4, "meaning"), (5, "usual")),
    "Scene": ((0, "title"), (7, "row_notes"), (8, "notes")),
    "Square": ((8, "words"), (10, "move_words")),
    "Termination": ((0, "reason"),),
    "TermsParameter": ((2, "meaning"), (4, "usual")),
    "Text": ((2, "text"),),
    "translate": ((0, "text"),),
    "_Series": ((0, "name"),),
    "__init__": ((0, "sentence"),),
    "board_title": ((0, "name"),),
    "said": ((0, "text"),),
    "squares": ((2, "words"), (6, "move_words")),
}
# And what these functions return.
RETURNS = {
    "board_title",
    "broken_rule",
    "in_words",
    "sentence",
    "shorten_term",
    "summary",
    "verdict",
    "_turning_point",
    "_worth",
}
NOT_FOLLOWED = {"shorten", "shorten_number", "shorten_term", "square_text"}
QUOTED = {"cell", "name", "path", "text", "value"}  # parameters of functions that hold what a person wrote
_SAYS = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True)
class Hole:
    """What becomes a placeholder: an expression."""

    expression: ast.expr
    scope: "Scope"


Way = tuple[str | Hole, ...]  # fixed text and holes, in order


def messages(paths: Iterable[Path]) -> Iterator[tuple[Path, int, str]]:
    """The file, line and message of every sentence in these files."""
    return _Collector([Module.read(path) for path in paths]).collect()


class _Collector:
    def __init__(self, modules: Sequence[Module]) -> None:
        self._modules = modules
        self._shown = dict(SHOWN)
        self._wanted: dict[tuple[str, str], None] = {}  # function and parameter whose arguments are parts of sentences
        self._found: dict[tuple[Path, int, str], None] = {}
        self._calls: dict[tuple[Path, str], list[tuple[ast.Call, Scope]]] = {}
        for error in _errors(modules):
            self._shown[error] = ((0, "sentence"),)
        for module in modules:
            self._note_calls(module.tree, Scope(module))

    def collect(self) -> Iterator[tuple[Path, int, str]]:
        for module in self._modules:
            self._visit(module.tree, Scope(module))
        done: set[tuple[str, str]] = set()
        while rest := [one for one in self._wanted if one not in done]:
            done.update(rest)
            for function, parameter in rest:
                places = [(_place(module, function, parameter), parameter) for module in self._modules]
                found = [place for place in places if place[0] is not None]
                if found and function not in self._shown:
                    self._shown = {function: tuple((place or 0, name) for place, name in found[:1])}
                    for module in self._modules:
                        self._visit(module.tree, Scope(module), returns=False)
        yield from sorted(self._found)

    def _note_calls(self, node: ast.AST, scope: Scope) -> None:
        """Note where each function is called."""
        if isinstance(node, ast.FunctionDef):
            scope = Scope(scope.module, node, scope if scope.function else None)
        if isinstance(node, ast.Call):
            self._calls.setdefault((scope.module.path, last_name(node.func)), []).append((node, scope))
        for child in ast.iter_child_nodes(node):
            self._note_calls(child, scope)

    def _visit(self, node: ast.AST, scope: Scope, *, returns: bool = True) -> None:
        if isinstance(node, ast.FunctionDef):
            scope = Scope(scope.module, node, scope if scope.function else None)
            if returns and node.name in RETURNS:
                for value in returned(scope):
                    self._add(value, scope)
        if isinstance(node, ast.Call):
            for place, name in self._shown.get(last_name(node.func), ()):
                argument = _argument(node, place, name)
                if argument is not None:
                    self._add(argument, scope)
        for child in ast.iter_child_nodes(node):
            self._visit(child, scope, returns=returns)

    def _add(self, node: ast.expr, scope: Scope) -> None:
        """Take up a sentence, or all sentences in a list, a mapping, or from a function."""
        ways = self._texts(node, scope)
        if ways is None:
            self._want(_hole(node, scope))
            for element, inner in self._elements(node, scope, DEEPEST):
                self._take(self._texts(element, inner) or (), element, inner)
        else:
            self._take(ways, node, scope)

    def _take(self, ways: Iterable[Way], node: ast.expr, scope: Scope) -> None:
        for way in ways:
            fixed = "".join(part for part in way if isinstance(part, str))
            if not _SAYS.search(fixed):
                continue
            holes = [part for part in way if isinstance(part, Hole)]
            names = unique_names([(hole.expression, hole.scope) for hole in holes])
            for hole in holes:
                self._want(hole)
            texts = iter(names)
            said = "".join(
                f"%({next(texts)})s" if isinstance(part, Hole) else part.replace("%", "%%") if holes else part
                for part in way
            )
            self._found[scope.module.path, node.lineno, said] = None

    def _want(self, hole: Hole) -> None:
        """Where a hole is a parameter of its function, what calls give for it is part of a sentence too."""
        if isinstance(hole.expression, ast.Name) and hole.scope.function is not None:
            name = hole.expression.id
            if name in hole.scope.parameters and name not in QUOTED:
                self._wanted[hole.scope.function.name, name] = None

    # What a string expression can be.

    def _texts(self, node: ast.expr, scope: Scope, depth: int = DEEPEST) -> list[Way] | None:
        """The ways that the text can be; None where no part of it is known, or it isn't text at all."""
        if depth == 0:
            return None
        match node:
            case ast.Constant(value=str(text)):
                return [(text,)]
            case ast.JoinedStr():
                return self._product([self._ways(part, scope, depth) for part in node.values], node.values, scope)
            case ast.FormattedValue(format_spec=None, conversion=-1):
                return self._texts(node.value, scope, depth)
            case ast.BinOp(op=ast.Add()):
                sides = [node.left, node.right]
                if all(self._texts(side, scope, depth - 1) is None for side in sides):
                    return None
                return self._product([self._ways(side, scope, depth - 1) for side in sides], sides, scope)
            case ast.BinOp(op=ast.Mult(), left=ast.Constant(value=str())):
                return self._union([(node.left, scope), (ast.Constant(""), scope)], depth)
            case ast.IfExp():
                return self._union([(node.body, scope), (node.orelse, scope)], depth)
            case ast.BoolOp():
                return self._union([(value, scope) for value in node.values], depth)
            case ast.Name():
                return self._named(node, scope, depth)
            case ast.Subscript() | ast.Call():
                found = self._looked_up(node, scope, depth)
                return found if found is None or any(_SAYS.search("".join(map(str, way))) for way in found) else None
        return None

    def _ways(self, node: ast.expr, scope: Scope, depth: int) -> list[Way]:
        """As `_texts`, but a hole where nothing is known."""
        return self._texts(node, scope, depth) or [(_hole(node, scope),)]

    def _union(self, choices: Sequence[tuple[ast.expr, Scope]], depth: int) -> list[Way] | None:
        if all(self._texts(node, scope, depth - 1) is None for node, scope in choices):
            return None
        return list(dict.fromkeys(way for node, scope in choices for way in self._ways(node, scope, depth - 1)))

    def _product(self, parts: list[list[Way]], nodes: Sequence[ast.expr], scope: Scope) -> list[Way]:
        """Every way of the parts one after another; where these are too many, parts that vary become holes."""
        number = 1
        for ways in parts:
            number *= len(ways)
        if number > MOST_WAYS:
            for k, ways in enumerate(parts):
                if len(ways) > 1:
                    self._take(ways, nodes[k], scope)
                    parts[k] = [(_hole(nodes[k], scope),)]
        return [_joined(itertools.chain(*chosen)) for chosen in itertools.product(*parts)]

    def _named(self, node: ast.Name, scope: Scope, depth: int) -> list[Way] | None:
        """What a name can be: an argument of the call followed, or assigned in the function, or a constant."""
        name = node.id
        if name in scope.arguments:
            return self._texts(*scope.arguments[name], depth - 1)
        if scope.function is not None and name in scope.parameters:
            return self._union(self._given(scope, name), depth) if _is_private(scope) else None
        found, added = assigned(name, scope, getattr(node, "lineno", math.inf))
        if found:
            ways = self._union([value for value in found if not uses(value[0], name)], depth)
            for more in added if ways else ():
                ends = self._ways(*more, depth - 1)
                ways = [*(ways or ()), *(_joined((*way, *end)) for way in ways or () for end in ends)]
            return ways
        if scope.outer is not None:
            return self._named(ast.Name(name), scope.outer, depth)
        constant = scope.module.constants.get(name)
        return None if constant is None else self._texts(constant, Scope(scope.module), depth - 1)

    def _given(self, scope: Scope, name: str) -> list[tuple[ast.expr, Scope]]:
        """What the calls of a function in its own module give for a parameter."""
        assert scope.function is not None
        place = scope.parameters.index(name)
        calls = self._calls.get((scope.module.path, scope.function.name), ())
        given = [(_argument(call, place, name), outer) for call, outer in calls]
        return [(argument, outer) for argument, outer in given if argument is not None]

    def _looked_up(self, node: ast.Subscript | ast.Call, scope: Scope, depth: int) -> list[Way] | None:
        """What a look-up in a constant, a method of a string, or a function of the module gives."""
        if isinstance(node, ast.Subscript):
            values = self._values(node.value, scope)
            is_one = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)
            if is_one and not isinstance(node.slice, ast.Slice) and values:
                values = values[node.slice.value : node.slice.value + 1 or None]  # type: ignore[attr-defined]
            return self._union([(value, scope) for value in values], depth) if values else None
        if isinstance(node.func, ast.Attribute):
            if node.func.attr == "get":
                values = self._values(node.func.value, scope)
                return self._union([(value, scope) for value in [*values, *node.args[1:]]], depth) if values else None
            if node.func.attr == "join":
                self._take_list(node, scope)
                return None
            if node.func.attr in ("strip", "rstrip", "lstrip", "replace"):
                return self._texts(node.func.value, scope, depth - 1)
            return None
        inner = None if last_name(node.func) in NOT_FOLLOWED else self._call(node, scope)
        if inner is None or inner.function is None or last_name(inner.function.returns) != "str":
            return None
        return self._union([(value, inner) for value in returned(inner)], depth)

    def _take_list(self, node: ast.Call, scope: Scope) -> None:
        """Take up what stands in a list like `1, 2 and 5`, and how two are joined."""
        assert isinstance(node.func, ast.Attribute)
        separator = node.func.value
        if isinstance(separator, ast.Constant) and isinstance(separator.value, str) and _SAYS.search(separator.value):
            self._found[scope.module.path, node.lineno, f"%(first)s{separator.value}%(second)s"] = None
        for element, inner in self._elements(node.args[0], scope, DEEPEST):
            self._take(self._texts(element, inner) or (), element, inner)

    def _call(self, node: ast.Call, scope: Scope) -> Scope | None:
        """The function called, where it is one of the module, with its arguments."""
        function = scope.module.functions.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if function is None:
            return None
        inner = Scope(scope.module, function)
        for name, argument in zip(inner.parameters, node.args, strict=False):
            inner.arguments[name] = argument, scope
        for keyword in node.keywords:
            if keyword.arg:
                inner.arguments[keyword.arg] = keyword.value, scope
        return inner

    def _values(self, node: ast.expr, scope: Scope) -> list[ast.expr]:
        """The values of a tuple, list or mapping that is written out, here or as a constant of the module."""
        if isinstance(node, ast.Name):
            found = scope.module.constants.get(node.id)
            return self._values(found, scope) if isinstance(found, ast.Tuple | ast.List | ast.Dict) else []
        if isinstance(node, ast.Dict):
            return node.values
        return node.elts if isinstance(node, ast.Tuple | ast.List) else []

    def _elements(self, node: ast.expr | None, scope: Scope, depth: int) -> Iterator[tuple[ast.expr, Scope]]:
        """The elements of a list, the values of a mapping, what a function gives, wherever they are written."""
        if depth == 0:
            return
        match node:
            case ast.Tuple() | ast.List():
                for element in node.elts:
                    if isinstance(element, ast.Starred):
                        yield from self._elements(element.value, scope, depth - 1)
                    else:
                        yield element, scope
            case ast.Dict():
                yield from ((value, scope) for value in node.values)
            case ast.GeneratorExp() | ast.ListComp():
                yield node.elt, scope
            case ast.DictComp():
                yield node.value, scope
            case ast.Lambda():
                yield node.body, scope
            case ast.IfExp():
                yield from self._elements(node.body, scope, depth - 1)
                yield from self._elements(node.orelse, scope, depth - 1)
            case ast.BinOp():
                yield from self._elements(node.left, scope, depth - 1)
                yield from self._elements(node.right, scope, depth - 1)
            case ast.Subscript():
                yield from self._elements(node.value, scope, depth - 1)
            case ast.Call() if last_name(node.func) in ("tuple", "list", "sorted", "map"):
                yield from self._elements(node.args[0], scope, depth - 1)
            case ast.Call():
                inner = self._call(node, scope)
                if inner is not None:
                    yield from self._yielded(inner, depth - 1)
            case ast.Name():
                inner_function = scope.module.functions.get(node.id)
                if inner_function is not None:
                    yield from ((value, inner) for inner in [Scope(scope.module, inner_function, scope)]
                                for value in returned(inner))  # fmt: skip
                    return
                where: Scope | None = scope
                while where is not None:
                    for value in itertools.chain(*assigned(node.id, where)):
                        yield from self._elements(*value, depth - 1)
                    yield from ((value, where) for value in appended(node.id, where))
                    where = where.outer

    def _yielded(self, scope: Scope, depth: int) -> Iterator[tuple[ast.expr, Scope]]:
        for node in scope.body():
            if isinstance(node, ast.Yield) and node.value is not None:
                yield node.value, scope
        for value in returned(scope):
            yield from self._elements(value, scope, depth)


def _errors(modules: Sequence[Module]) -> set[str]:
    """The names of all errors whose message is for readers."""
    found, before = {ERROR}, 0
    while len(found) > before:
        before = len(found)
        for module in modules:
            for node in ast.walk(module.tree):
                if isinstance(node, ast.ClassDef) and any(last_name(base) in found for base in node.bases):
                    found.add(node.name)
    return found - NOT_READ


def _argument(call: ast.Call, place: int, name: str) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    if any(isinstance(argument, ast.Starred) for argument in call.args[: place + 1]):
        return None
    return call.args[place] if place < len(call.args) else None


def _place(module: Module, function: str, parameter: str) -> int | None:
    """Which of the arguments of a call of the function becomes the parameter."""
    if function not in module.functions:
        return None
    names = Scope(module, module.functions[function]).parameters
    return names.index(parameter) if parameter in names else None


def _hole(node: ast.expr, scope: Scope) -> Hole:
    """The placeholder for an expression; a parameter of the call that is followed stands for its argument."""
    if isinstance(node, ast.FormattedValue):
        node = node.value
    while isinstance(node, ast.Name) and node.id in scope.arguments:
        node, scope = scope.arguments[node.id]
    return Hole(node, scope)


def _is_private(scope: Scope) -> bool:
    """Whether all calls of a function are in its module."""
    name = scope.function.name if scope.function else ""
    return name.startswith("_") and not name.startswith("__") and scope.outer is None


def _joined(parts: Iterable[str | Hole]) -> Way:
    """The parts with neighbouring texts made one."""
    joined: list[str | Hole] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "":
            joined.append(part)
    return tuple(joined)
