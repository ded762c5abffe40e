"""The hot loops: arrays in, arrays out. Compiled when the package was built with a C compiler, else run as the Python
they are written in.

Every kernel works on flat, contiguous buffers in reading order. `UNDERCROFT_PURE=1` forces the plain source.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType
from typing import Any

from numpy.typing import NDArray

_FILES = frozenset(path.name for path in Path(__file__).parent.iterdir())
MODULES = tuple(sorted(name.removesuffix(".py") for name in _FILES if name.endswith(".py") and name[0] != "_"))
"""The names of the kernel modules: every file of this folder that does not begin with an underscore."""


def load_plain(name: str) -> ModuleType:
    """The kernel module as plain Python, whether or not it is compiled too."""
    lent = _is_cython_missing()
    if lent:
        from undercroft.kernels import _stand_in

        sys.modules["cython"] = _stand_in
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"{__name__}.{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if lent:
        del sys.modules["cython"]  # other modules must not import it in place of Cython
    return module


def _is_cython_missing() -> bool:
    try:
        import cython  # noqa: F401
    except ImportError:
        return True
    return False


def is_compiled(module: ModuleType) -> bool:
    """Whether a kernel module is a compiled one."""
    return not str(module.__file__).endswith(".py")


def list_compiled() -> dict[str, bool]:
    """Which kernel modules are compiled."""
    return {name: is_compiled(importlib.import_module(f"{__name__}.{name}")) for name in MODULES}


def is_slow() -> bool:
    """Whether some kernel runs as plain Python without being forced to."""
    return not _ALL_COMPILED and os.environ.get("UNDERCROFT_PURE") != "1"


def buffer(array: NDArray[Any]) -> Any:
    """The array as the kernels take it: as a view that yields plain Python numbers if they run uncompiled. Compiled
    kernels refuse an array that is not contiguous.
    """
    if _ALL_COMPILED:
        return array
    if not array.flags.c_contiguous:
        raise ValueError("a kernel needs a contiguous array")
    return memoryview(array)  # type: ignore[arg-type]


def flat_buffer(array: NDArray[Any]) -> Any:
    """A grid as one row of cells in reading order, for a kernel."""
    if not array.flags.c_contiguous:
        raise ValueError("a kernel needs a contiguous array")
    row = array.reshape(-1)
    return row if _ALL_COMPILED else memoryview(row)  # type: ignore[arg-type]


def _find_uncompiled() -> tuple[str, ...]:
    """The modules that are not compiled, or all of them if the plain source is forced. None of them is imported."""
    if os.environ.get("UNDERCROFT_PURE") == "1":
        return MODULES
    return tuple(name for name in MODULES if not any(name + suffix in _FILES for suffix in EXTENSION_SUFFIXES))


_UNCOMPILED = _find_uncompiled()
_ALL_COMPILED = not _UNCOMPILED
for _name in _UNCOMPILED:  # plain modules take the place of those that are not compiled
    globals()[_name] = sys.modules[f"{__name__}.{_name}"] = load_plain(_name)
