"""Look up known faults of what we install: the packages of `requirements.lock`, and those of the studio's page.

    python -m support.audit PIP_AUDIT

The exit code is 1 if there are known faults, and 2 if a database of advisories cannot be reached. pip-audit calls a
package that its database does not answer for skipped, and ends with 0; here that is no success.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from support.install_locked import LOCK_FILE, ROOT, LockedPackage, parse_lock


class Findings(NamedTuple):
    """What a database says: known faults, or why it says nothing."""

    faults: list[str]
    problem: str = ""


def read_pip_audit(outputs: Sequence[str], count: int) -> Findings:
    """What reports of pip-audit say about so many packages.

    >>> read_pip_audit(['{"dependencies": [{"name": "h11", "skip_reason": "not found"}]}'], 1).problem
    'the database of advisories for Python packages cannot be reached: it does not answer for 1 of 1 packages'
    """
    unreachable = "the database of advisories for Python packages cannot be reached"
    try:
        packages = [one for output in outputs for one in json.loads(output)["dependencies"]]
    except (ValueError, KeyError, TypeError):
        return Findings([], unreachable)
    faults = [
        f"{one['name']} {one['version']}: {fault['id']}, fixed in {', '.join(fault['fix_versions']) or 'no version'}"
        for one in packages
        for fault in one.get("vulns", [])
    ]
    missing = count - sum("vulns" in one for one in packages)
    return Findings(faults, f"{unreachable}: it does not answer for {missing} of {count} packages" if missing else "")


def read_npm_audit(output: str) -> Findings:
    """What the report of npm says.

    >>> read_npm_audit('{"statusCode": 405}').problem
    "the database of advisories for the page's packages cannot be reached"
    """
    try:
        found: dict[str, Any] = json.loads(output)["vulnerabilities"]
    except (ValueError, KeyError, TypeError):
        return Findings([], "the database of advisories for the page's packages cannot be reached")
    return Findings([f"{name} {fault['range']}: {fault['severity']}" for name, fault in found.items()])


def split_versions(packages: Sequence[LockedPackage]) -> Iterator[list[str]]:
    """Lists of pinned requirements that name each package at most once: one that has several versions stands in several
    lists. Markers are left out, since a fault on another system is a fault.
    """
    waiting = list(packages)
    while waiting:
        first = {one.name: one for one in reversed(waiting)}
        yield [f"{one.name}=={one.version}" for one in first.values()]
        waiting = [one for one in waiting if first[one.name] != one]


def audit_python(pip_audit: str) -> Findings:
    """Look up the packages of the lock."""
    packages = parse_lock(LOCK_FILE.read_text(encoding="utf-8"))
    outputs = []
    for pins in split_versions(packages):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "requirements.txt")
            file.write_text("".join(f"{pin}\n" for pin in pins), encoding="utf-8")
            words = ["--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
            outputs.append(_run([pip_audit, *words, "--requirement", str(file)]))
    return read_pip_audit(outputs, len(packages))


def audit_page() -> Findings:
    """Look up the packages of the studio's page, with those that it is built and tested with."""
    npm = shutil.which("npm")
    if npm is None:
        return Findings([], "npm is not installed, so the page's packages are not looked up")
    return read_npm_audit(_run([npm, "audit", "--json"], ROOT / "studio"))


def _run(command: Sequence[str], folder: Path = ROOT) -> str:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def main(pip_audit: str) -> int:
    """Look up everything, and say what is known."""
    findings = [audit_python(pip_audit), audit_page()]
    for one in findings:
        for line in (*one.faults, *([one.problem] if one.problem else [])):
            print(line, file=sys.stderr)  # noqa: T201
    if any(one.faults for one in findings):
        return 1
    if any(one.problem for one in findings):
        return 2
    print("no known faults")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
