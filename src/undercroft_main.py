"""What the command `undercroft` calls first. It stands outside the package, so that Ctrl-C is heard while the package is still being imported."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit."""
    try:
        from undercroft.cli import run

        code = run()
    except KeyboardInterrupt:
        sys.stderr.write("undercroft: interrupted\n")
        code = 130
    sys.exit(code)
