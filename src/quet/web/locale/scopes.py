"""Source files as trees, and what a name in them can stand for."""

import ast
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Module:
    """A source file, with its functions by name and its constants."""

    path: Path
    tree: ast.Module
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    constants: dict[str, ast.expr] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "Module":
        """The file at this path."""
        module = cls(path, ast.parse(path.read_text(encoding="utf-8")))
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef):
                module.functions[node.name] = node
        for statement in module.tree.body:
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                module.constants[statement.targets[0].id] = statement.value
        return module


@dataclass(eq=False)
class Scope:
    """Where a name is looked up: a function within others, with the arguments of the call that is followed."""

    module: Module
    function: ast.FunctionDef | None = None
    outer: "Scope | None" = None
    arguments: dict[str, tuple[ast.expr, "Scope"]] = field(default_factory=dict)

    @property
    def parameters(self) -> list[str]:
        """The names of what calls give to the function, in order."""
        if self.function is None:
            return []
        given = self.function.args
        names = [argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        return names[names[:1] in (["self"], ["cls"]) :]

    def body(self) -> Iterator[ast.AST]:
        """What stands in the function, but not in functions inside it."""
        waiting: list[ast.AST] = list(self.function.body) if self.function else []
        while waiting:
            node = waiting.pop(0)
            yield node
            if not isinstance(node, ast.FunctionDef | ast.Lambda):
                waiting = [*ast.iter_child_nodes(node), *waiting]


def last_name(node: ast.AST | None) -> str:
    """The last word of a dotted name; empty for anything else."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def returned(scope: Scope) -> list[ast.expr]:
    """What the function returns."""
    return [node.value for node in scope.body() if isinstance(node, ast.Return) and node.value is not None]


Value = tuple[ast.expr, Scope]


def assigned(name: str, scope: Scope, before: float = math.inf) -> tuple[list[Value], list[Value]]:
    """What the function assigns to a name, and what it adds to it, above the line `before`."""
    found: list[Value] = []
    added: list[Value] = []
    for node in scope.body():
        if isinstance(node, ast.stmt) and node.lineno > before:
            continue
        match node:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                found += _bound(name, target, value, scope)
            case ast.AugAssign(target=ast.Name(id=id), value=value) if id == name:
                added.append((value, scope))
            case ast.For(target=target):
                for value in _looped(node.iter, scope):
                    found += _bound(name, target, value, scope)
    return found, added


def _bound(name: str, target: ast.expr, value: ast.expr, scope: Scope) -> list[Value]:
    """What a name gets where the target is assigned the value; tuples are taken apart."""
    if isinstance(target, ast.Name):
        return [(value, scope)] if target.id == name else []
    if not isinstance(target, ast.Tuple):
        return []
    values = [value]
    if isinstance(value, ast.Call) and last_name(value.func) in scope.module.functions:
        scope = Scope(scope.module, scope.module.functions[last_name(value.func)])
        values = returned(scope)
    found = []
    for one in values:
        if isinstance(one, ast.Tuple) and len(one.elts) == len(target.elts):
            for inner, part in zip(target.elts, one.elts, strict=True):
                found += _bound(name, inner, part, scope)
    return found


def _looped(node: ast.expr, scope: Scope) -> list[ast.expr]:
    """What a loop goes over, where that is written out: a tuple, or the items of a constant."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "items":
        constant = scope.module.constants.get(last_name(node.func.value))
        if isinstance(constant, ast.Dict):
            pairs = zip(constant.keys, constant.values, strict=True)
            return [ast.Tuple([key, value]) for key, value in pairs if key is not None]
    return node.elts if isinstance(node, ast.Tuple | ast.List) else []


def appended(name: str, scope: Scope) -> Iterator[ast.expr]:
    """What the function appends to the list of this name."""
    for node in scope.body():
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=id), attr="append")) if id == name:
                yield node.args[0]


def uses(node: ast.expr, name: str) -> bool:
    """Whether the name stands in the expression."""
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node))
