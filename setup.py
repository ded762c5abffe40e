"""Build the kernels. Everything else about the package is in pyproject.toml."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import Extension, setup

KERNELS = Path("src/undercroft/kernels")
# -O3: at -O2 the same loops were ten times slower. No fused multiply-add and no fast-math: the same bytes on every
# machine.
FLAGS = (
    ["/O2", "/fp:precise"] if sys.platform == "win32" else ["-O3", "-g0", "-ffp-contract=off", "-fno-strict-aliasing"]
)


def kernels() -> list[Extension]:
    """Each kernel as an optional extension; none if Cython is missing or switched off."""
    if os.environ.get("UNDERCROFT_NO_BUILD") == "1":
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    sources = sorted(path for path in KERNELS.glob("*.py") if not path.name.startswith("_"))
    extensions = [
        Extension(f"undercroft.kernels.{path.stem}", [str(path)], extra_compile_args=FLAGS) for path in sources
    ]
    built: list[Extension] = cythonize(
        extensions, build_dir="build/kernels", nthreads=0 if sys.platform == "win32" else 2, quiet=True
    )
    for extension in built:
        extension.optional = True  # cythonize() drops it if it is set before; without a compiler the plain source runs
    return built


def note_missing_page() -> None:
    """Say that the package will lack the studio's page: it is built beforehand, never by an installation."""
    if Path("studio/package.json").exists() and not Path("src/undercroft/studio/static/built").exists():
        sys.stderr.write(
            "note: the studio's page is not built, so this package is without it: say make studio-page first, "
            "which needs Node.js. Everything but the studio works without.\n"
        )


note_missing_page()
setup(ext_modules=kernels(), options={"build_ext": {"parallel": os.cpu_count() or 1}})
