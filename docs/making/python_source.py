"""Classes and functions as their source declares them: signatures, attributes, methods, and the texts about them."""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

MAX_SIGNATURE = 100
"""Characters of a signature up to which it stands on one line."""


class Field(NamedTuple):
    """An attribute, a parameter or a field of a class."""

    name: str
    type: str
    default: str = ""
    about: str = ""

    @property
    def declaration(self) -> str:
        """As it is written in a signature."""
        typed = f"{self.name}: {self.type}" if self.type else self.name
        return f"{typed} = {self.default}" if self.default else typed


class Method(NamedTuple):
    """A method of a class."""

    name: str
    signature: str
    about: str
    of_class: bool


def signature(function: Any, name: str, *, bound: bool = False, returns: bool = True) -> str:
    """How a function is called, with its parameters as the source writes them; without the first one if it is bound."""
    node = _parse(function)
    given = node.args
    parts = [parameter.declaration for parameter in _parameters(node)]
    plain = len(given.posonlyargs) + len(given.args)
    if given.vararg:
        parts.insert(plain, f"*{_text(given.vararg)}")
    elif given.kwonlyargs:
        parts.insert(plain, "*")
    if given.kwarg:
        parts.append(f"**{_text(given.kwarg)}")
    return _wrap(name, parts[bound:], f" -> {_text(node.returns)}" if returns and node.returns else "")


def constructor(kind: type) -> str:
    """How a class is called."""
    written = _written_constructor(kind)
    if written is not None:
        return signature(written, kind.__name__, bound=True, returns=False)
    declared = [
        Field(_text(node.target), _text(node.annotation), _text(node.value)).declaration
        for node in _parse(_declaring_class(kind)).body
        if isinstance(node, ast.AnnAssign)
    ]
    return _wrap(kind.__name__, declared)


def methods(kind: type) -> list[Method]:
    """The public methods of a class, in the order of its source; renamed ones are left out."""
    found = []
    for name, value in vars(kind).items():
        function = getattr(value, "__func__", value)
        if not name.startswith("_") and inspect.isfunction(function):
            of_class = isinstance(value, classmethod)
            owner = kind.__name__ if of_class else kind.__name__.lower()
            called = signature(function, f"{owner}.{name}", bound=True)
            found.append(Method(name, called, inspect.getdoc(function) or "", of_class))
    return found


def attributes(kind: type) -> list[Field]:
    """The public attributes of a class: those it declares, those its constructor sets, and its properties."""
    properties = [
        Field(name, _text(_parse(function).returns), about=" ".join((inspect.getdoc(function) or "").split()))
        for name, value in vars(kind).items()
        if not name.startswith("_") and (function := _property_function(value))
    ]
    return _declared_fields(kind) + properties


def _property_function(value: object) -> Any:
    """The function behind a property, cached or not; None if it is no property."""
    return value.func if isinstance(value, functools.cached_property) else getattr(value, "fget", None)


def _declared_fields(kind: type) -> list[Field]:
    """What a class declares, and what its constructor and its setters set; the text under a declaration is about it."""
    body = _parse(_declaring_class(kind)).body
    setting = [node for node in body if isinstance(node, ast.FunctionDef) and _sets_attributes(node)]
    given = {parameter.name: parameter.type for node in setting for parameter in _parameters(node)}
    found: dict[str, Field] = {}
    for node, after in itertools.chain.from_iterable(map(_pairs, [body, *(node.body for node in setting)])):
        about = " ".join(after.value.value.split()) if _is_string(after) else ""
        for name, declared in _declared_names(node, given):
            known = found.get(name)
            if not name.startswith("_") and (known is None or about):
                typed = known.type if known else declared
                found[name] = Field(name, typed.replace("ClassVar[int]", "int"), about=about)
    return [field for name, field in found.items() if not _property_function(vars(kind).get(name))]


def _sets_attributes(node: ast.FunctionDef) -> bool:
    return node.name == "__init__" or any(_text(one).endswith(".setter") for one in node.decorator_list)


@functools.cache
def _parse(value: Any) -> Any:
    """The syntax tree of a class or function."""
    return ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]


def _text(node: ast.AST | None) -> str:
    return ast.unparse(node).replace("'", '"') if node else ""


def _wrap(name: str, parts: list[str], end: str = "") -> str:
    line = f"{name}({', '.join(parts)}){end}"
    if len(line) <= MAX_SIGNATURE:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){end}"])


def _parameters(node: ast.FunctionDef) -> list[Field]:
    """The parameters of a function, but for those with stars."""
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    defaults = [*[None] * (len(plain) - len(given.defaults)), *given.defaults, *given.kw_defaults]
    return [
        Field(one.arg, _text(one.annotation), _text(default))
        for one, default in zip([*plain, *given.kwonlyargs], defaults, strict=True)
    ]


def _declaring_class(kind: type) -> type:
    """The class, or the private base that declares the fields of a named tuple."""
    return next((base for base in kind.__mro__ if base.__name__ == f"_{kind.__name__}Fields"), kind)


def _written_constructor(kind: type) -> Any:
    """The constructor in the source; None if it is made from the fields."""
    for owner in kind.__mro__:
        if inspect.isfunction(written := vars(owner).get("__init__")):
            return None if "__dataclass_fields__" in vars(owner) else written
    return None


def _pairs(body: Iterable[ast.stmt]) -> Iterator[tuple[ast.stmt, Any]]:
    """Each statement with the one after it."""
    return itertools.pairwise([*body, ast.Pass()])


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _declared_names(node: ast.stmt, given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The attributes that a statement of a class or its constructor declares, with their types if they are known: from
    the annotation, the constant, or the parameter of the constructor.
    """
    if isinstance(node, ast.AnnAssign):
        yield _text(node.target).removeprefix("self."), _text(node.annotation)
    elif isinstance(node, ast.Assign):
        value = node.value
        known = given.get(value.id, "") if isinstance(value, ast.Name) else ""
        if isinstance(value, ast.Constant) and value.value is not None:
            known = type(value.value).__name__
        for target in node.targets:
            for one in target.elts if isinstance(target, ast.Tuple) else [target]:
                if isinstance(one, ast.Attribute) and _text(one.value) == "self":
                    yield one.attr, known
