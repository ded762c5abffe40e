"""Plain data that cannot be changed: tables, lists, and what is in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, Self

_PLAIN_TYPES = frozenset((int, float, str, bool, type(None)))
"""Most values: looked up because a call for each of them would take longer."""


class ReadOnlyDict(dict[Any, Any]):
    """A dict that refuses every change, and whose values are frozen. JSON and pickle take it for what it holds;
    `dict(table)` can be changed.

    >>> table = ReadOnlyDict(seed="7", size=[3, 1])
    >>> table["size"]
    (3, 1)
    >>> table["seed"] = "8"
    Traceback (most recent call last):
    TypeError: this table cannot be changed; change a copy: dict(table)
    """

    __slots__ = ()

    def __new__(cls, *tables: Any, **values: Any) -> Self:
        given = dict(*tables, **values)
        made = super().__new__(cls)
        for key, value in given.items():
            if type(value) not in _PLAIN_TYPES:
                given[key] = freeze(value)
        dict.update(made, given)
        return made

    def __init__(self, *tables: Any, **values: Any) -> None:
        """Do nothing: `__new__` has filled the table, and a second call of `dict.__init__` would change it."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this table cannot be changed; change a copy: dict(table)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> Any:
        return ReadOnlyDict, (dict(self),)


EMPTY_TABLE = ReadOnlyDict()


def freeze(value: Any) -> Any:
    """The value with tuples for lists and read-only dicts for tables, at every depth; itself if it is frozen already.

    >>> freeze({"size": [3, 1]})
    {'size': (3, 1)}
    """
    kind = type(value)
    if kind in _PLAIN_TYPES or issubclass(kind, ReadOnlyDict):
        return value
    if kind is dict:
        return ReadOnlyDict(value) if value else EMPTY_TABLE
    if isinstance(value, (list, tuple)):
        return tuple(value) if _PLAIN_TYPES.issuperset(map(type, value)) else tuple(map(freeze, value))
    if isinstance(value, Mapping):
        return ReadOnlyDict(value) if value else EMPTY_TABLE
    return value


def thaw(value: Any) -> Any:
    """A copy that can be changed, with lists for tuples and dicts for tables.

    >>> thaw(freeze({"size": [3, 1]}))
    {'size': [3, 1]}
    """
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    return [thaw(item) for item in value] if isinstance(value, (list, tuple)) else value
