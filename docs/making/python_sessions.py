"""Sessions of docstrings as a reader types them after `import undercroft as uc`."""

from __future__ import annotations

import ast
import builtins
import doctest
import io
import sys
import tokenize
from collections.abc import Iterator
from types import ModuleType

import undercroft


def qualify_sessions(lines: list[str], module: str) -> list[str]:
    """The lines of a docstring of that module. Public names in its sessions get `uc.`, and other names of the module
    are imported in front of the first session.
    """
    text = "\n".join(lines)
    lines = list(lines)
    examples = doctest.DocTestParser().get_examples(text)
    source = "".join(example.source for example in examples)
    own = {*_list_own_names(ast.parse(source))}
    for example in examples:
        for row, column, name in _list_names(example.source):
            if name in undercroft.__all__ and name not in own:
                at = example.lineno + row
                start = column + len(">>> ")
                lines[at] = f"{lines[at][:start]}\0{lines[at][start:]}"  # one sign, so that columns further left hold
        for at in range(example.lineno, example.lineno + example.source.count("\n")):
            lines[at] = lines[at].replace("\0", "uc.")
    if examples:
        lines[examples[0].lineno : examples[0].lineno] = _list_imports(source, own, sys.modules[module])
    return lines


def _list_names(source: str) -> Iterator[tuple[int, int, str]]:
    """Row, column and text of each name that is neither an attribute nor a keyword; the last of a line first."""
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.string.strip()]
    found = []
    for before, token, after in zip([tokens[0], *tokens], tokens, [*tokens[1:], tokens[-1]], strict=False):
        is_keyword = after.string == "=" and before.string in ("(", ",")
        if token.type == tokenize.NAME and before.string != "." and not is_keyword:
            found.append((token.start[0] - 1, token.start[1], token.string))
    return reversed(found)


def _list_imports(source: str, own: set[str], module: ModuleType) -> list[str]:
    """The import of each name that only the module knows."""
    used = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    imports = []
    for name in sorted(used - own - set(undercroft.__all__) - vars(builtins).keys()):
        value = vars(module)[name]
        if isinstance(value, ModuleType):
            imports.append(f">>> import {value.__name__} as {name}")
        else:
            imports.append(f">>> from {getattr(value, '__module__', module.__name__)} import {name}")
    return imports


def _list_own_names(tree: ast.AST) -> Iterator[str]:
    """The names that a session gives values itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.alias):
            yield node.asname or node.name
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
