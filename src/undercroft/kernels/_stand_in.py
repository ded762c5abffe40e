"""The part of `cython` that the kernels' source needs to run as plain Python when Cython is not installed."""

from __future__ import annotations

from math import trunc
from typing import Any

compiled = False


def _identity(function: Any) -> Any:
    return function


cfunc = inline = ccall = cclass = _identity


def exceptval(*_: Any, **__: Any) -> Any:
    return _identity


def declare(_: Any, value: Any = None) -> Any:
    return value


def cast(kind: Any, value: Any) -> Any:
    """The value; every type but `double` drops the fraction."""
    return value if kind is double else trunc(value)


class _CType:
    """Stands for a C type, or an array of it."""

    def __getitem__(self, _: Any) -> _CType:
        return self


uchar = int = uint = longlong = ulonglong = bint = Py_ssize_t = _CType()
double = _CType()
