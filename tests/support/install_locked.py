"""Install what groups of requirements need, in the versions of `requirements.lock` and with their hashes.

    python install_locked.py [--target FOLDER] GROUP...

A group is `run`, `build`, or an extra of `pyproject.toml`. The lock holds the packages of all groups; only those that
the named groups need are installed. If the locked versions are not to be had, the newest that `pyproject.toml` allows
are installed, with a note. A package that is not what the lock says ends it: somebody may have tampered with it.

This runs before anything is installed, so it imports nothing but the standard library.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
LOCK_FILE = ROOT / "requirements.lock"
WRONG_HASH = "DO NOT MATCH THE HASHES"
"""How pip says that a package has another content."""


class LockedPackage(NamedTuple):
    """A package of the lock. One with several versions has several, each with a marker."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    needed_by: tuple[str, ...]
    """The packages that require it."""

    def __str__(self) -> str:
        marker = f" ; {self.marker}" if self.marker else ""
        return " \\\n    ".join([f"{self.name}=={self.version}{marker}", *(f"--hash={one}" for one in self.hashes)])


def normalise_name(text: str) -> str:
    """The name of a package, from a requirement.

    >>> normalise_name("LDtkPy>=1.4"), normalise_name("resvg_py")
    ('ldtkpy', 'resvg-py')
    """
    found = re.match(r"[\w.-]+", text)
    return re.sub(r"[-_.]+", "-", found[0] if found else "").lower()


def parse_lock(text: str) -> list[LockedPackage]:
    """The packages of a lock.

    >>> [found] = parse_lock("h11==0.16.0 ; os_name == 'nt' \\\\\\n    --hash=sha256:00 \\\\\\n    # via uvicorn\\n")
    >>> found.name, found.version, found.marker, found.hashes, found.needed_by
    ('h11', '0.16.0', "os_name == 'nt'", ('sha256:00',), ('uvicorn',))
    """
    found = []
    for block in re.split(r"^(?=[a-zA-Z0-9])", text, flags=re.MULTILINE):
        head = re.match(r"([\w.-]+)==(\S+)(?: ; (.*?))?(?: \\)?\n", block)
        if head:
            hashes = re.findall(r"--hash=(\S+)", block)
            reasons = re.findall(r"^    # (?:via |  )(.+)$", block, re.MULTILINE)
            needed_by = [normalise_name(reason) for reason in reasons]
            found.append(LockedPackage(head[1], head[2], head[3] or "", tuple(hashes), tuple(needed_by)))
    return found


def select_packages(packages: Sequence[LockedPackage], requirements: Iterable[str]) -> list[LockedPackage]:
    """The packages that fulfil these requirements, with all that they require in turn."""
    wanted: set[str] = set()
    waiting = {normalise_name(requirement) for requirement in requirements}
    while waiting:
        wanted |= waiting
        waiting = {one.name for one in packages if wanted & set(one.needed_by)} - wanted
    return [one for one in packages if one.name in wanted]


def read_requirements(groups: Iterable[str]) -> list[str]:
    """The requirements of groups, as `pyproject.toml` has them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    known: Mapping[str, list[str]] = {
        "run": project["project"]["dependencies"],
        "build": project["build-system"]["requires"],
        **project["project"]["optional-dependencies"],
    }
    return [requirement for group in groups for requirement in known[group]]


def install(groups: Sequence[str], target: str | None) -> int:
    """Install the groups; returns the exit code."""
    requirements = read_requirements(groups)
    locked = select_packages(parse_lock(LOCK_FILE.read_text(encoding="utf-8")), requirements)
    more = ["--upgrade", "--target", target] if target else []
    done = _run_pip([*more, "--require-hashes"], map(str, locked))
    if done.returncode and WRONG_HASH not in done.stderr:
        reason = next((line for line in done.stderr.splitlines() if line.startswith("ERROR")), "pip has failed")
        print(f"note: the versions of requirements.lock cannot be installed here ({reason})", file=sys.stderr)  # noqa: T201
        print("note: installing the newest that pyproject.toml allows", file=sys.stderr)  # noqa: T201
        done = _run_pip(more, requirements)
    if done.returncode:
        sys.stderr.write(done.stderr)
    return done.returncode


def _run_pip(options: Sequence[str], lines: Iterable[str]) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "requirements.txt")
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        words = ["install", "--quiet", "--disable-pip-version-check", *options, "--requirement", str(file)]
        return subprocess.run([sys.executable, "-m", "pip", *words], stderr=subprocess.PIPE, text=True, check=False)


def main() -> int:
    parser = argparse.ArgumentParser(description="Install groups of requirements in the versions of the lock.")
    parser.add_argument("--target", help="install into this folder")
    parser.add_argument("groups", nargs="+", metavar="GROUP")
    options = parser.parse_args()
    return install(options.groups, options.target)


if __name__ == "__main__":
    sys.exit(main())
