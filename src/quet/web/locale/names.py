"""Names for placeholders: `square_text(move, n)` is `%(square)s`."""

import ast
from collections.abc import Sequence

from .scopes import Scope

_SAYS_LITTLE = {"abs", "list", "map", "max", "min", "one_line", "round", "shorten", "shorten_number", "shorten_term",
                "sorted", "str", "tuple"}  # fmt: skip


def unique_names(holes: Sequence[tuple[ast.expr, Scope]]) -> list[str]:
    """A name for each; equal expressions of one function share it, and others that would have it are numbered."""
    names: dict[tuple[str, Scope], str] = {}
    for expression, scope in holes:
        key = ast.unparse(expression), scope
        if key not in names:
            base = name = _name(expression) or "value"
            number = 2
            while name in names.values():
                name, number = f"{base}{number}", number + 1
            names[key] = name
    return [names[ast.unparse(expression), scope] for expression, scope in holes]


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name():
            return node.id.strip("_").lower()
        case ast.Attribute():
            return node.attr.strip("_").lower()
        case ast.Subscript() | ast.Starred() | ast.FormattedValue():
            return _name(node.value)
        case ast.Call(func=ast.Attribute(attr="join")):
            return _name(node.args[0])
        case ast.Call():
            function = _name(node.func)
            inner = _name(node.args[function == "map"]) if node.args else ""
            if function in _SAYS_LITTLE:
                return inner
            return f"num_{inner}" if function == "len" else function.removesuffix("_text")
        case ast.BinOp():
            return _name(node.left) or _name(node.right)
        case ast.UnaryOp():
            return _name(node.operand)
        case ast.BoolOp():
            return _name(node.values[0])
        case ast.IfExp():
            return _name(node.body) or _name(node.orelse)
        case ast.GeneratorExp() | ast.ListComp():
            return _name(node.elt) or _name(node.generators[0].iter)
    return ""
