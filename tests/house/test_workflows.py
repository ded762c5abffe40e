"""What the workflows may do: read the repository, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CHECKOUT = "- uses: actions/checkout@"


def test_there_are_workflows() -> None:
    assert {path.name for path in WORKFLOWS} >= {"ci.yml", "wheels.yml", "audit.yml"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_only_read_and_keep_no_credentials(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"^( *)permissions:(.*)\n +(.*)$", text, re.MULTILINE) == [("", "", "contents: read")]
    assert not re.search(r"^ +[a-z-]+: write$|secrets\.|pull_request_target", text, re.MULTILINE)
    steps = re.split(r"^(?= +- )", text, flags=re.MULTILINE)
    checkouts = [step for step in steps if CHECKOUT in step]
    assert checkouts
    assert all(re.search(r"^ +persist-credentials: false$", step, re.MULTILINE) for step in checkouts)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_have_a_version(path: Path) -> None:
    used = re.findall(r"uses: (\S+)", path.read_text(encoding="utf-8"))
    assert used
    assert [name for name in used if not re.search(r"@(v\d[\d.]*|[0-9a-f]{40})$", name)] == []


def test_tests_are_run_with_the_packages_of_the_lock() -> None:
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert "pip install --require-hashes --requirement requirements.lock" in text
    assert '".[' not in text
