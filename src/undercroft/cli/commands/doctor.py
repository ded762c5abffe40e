"""`undercroft doctor`."""

from __future__ import annotations

import importlib.metadata
import os
import platform

import click

from undercroft import kernels
from undercroft.cli.commands.list import find_plugin_problems, list_plugins
from undercroft.cli.messages import print_output
from undercroft.version import VERSION

LIBRARIES = {
    "numpy": "grids",
    "msgspec": "recipes and JSON",
    "click": "the command line",
    "rich": "progress bars",
    "Pillow": "pictures",
    "resvg-py": "pictures in vector styles",
    "Cython": "building the kernels",
    "starlette": "the studio (optional)",
    "uvicorn": "the studio (optional)",
    "websockets": "the studio (optional)",
    "pyarrow": "batches as Parquet (optional)",
    "distributed": "batches on a cluster (optional)",
}


@click.command("doctor")
def command() -> None:
    """Report what is installed, and whether the kernels are compiled."""
    print_output(
        f"undercroft {VERSION}, Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    )
    states = kernels.list_compiled()
    for name, compiled in states.items():
        print_output(f"  kernel {name:<10} {'compiled' if compiled else 'plain Python'}")
    for name, use in LIBRARIES.items():
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            version = "not installed"
        print_output(f"  {name:<17} {version:<14} {use}")
    for provider, part in list_plugins():
        print_output(f"  {provider:<32} {part}")
    for problem in find_plugin_problems():
        print_output(f"  {problem}")
    if all(states.values()):
        print_output("All kernels are compiled.")
    elif os.environ.get("UNDERCROFT_PURE") == "1":
        print_output("UNDERCROFT_PURE=1 forces plain Python: the same levels, about a hundred times slower.")
    else:
        print_output(
            "Some kernels run as plain Python: the same levels, about a hundred times slower.\n"
            "  fix: install a C compiler, then reinstall undercroft"
        )
