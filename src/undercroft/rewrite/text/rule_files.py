"""The files that rules are read from, and sentences about others."""

from __future__ import annotations

from pathlib import Path

from undercroft.errors import BadInput

READ_FILES = "a .rules file, a folder of grammar rules, or a template in a .txt file"
"""What rules are read from."""
_OTHER_FILES = {
    ".xml": (
        "models of MarkovJunior and other XML are not read",
        "write the model as a .rules file: its nodes one, all, prl, sequence and markov are one, all, parallel, "
        "sequence and markov there, and 'positions all' at the top gives its symmetry",
    ),
    ".toml": ("this is a recipe or a palette", "make a level of a recipe with 'undercroft generate'"),
    ".json": ("this is a level or a layout", "name the rules first, and the level with --on"),
}


def check_is_rule_file(path: str | Path) -> None:
    """Refuse a file that holds something else, by its suffix."""
    known = _OTHER_FILES.get(Path(path).suffix.casefold())
    if known:
        problem, fix = known
        raise BadInput(f"{path}: rules are read from {READ_FILES}; {problem}", fix=fix)


def xml_problem(line: str) -> tuple[str, str] | None:
    """The problem and its fix, if a line begins like XML."""
    return _OTHER_FILES[".xml"] if line.lstrip(" ").startswith("<") and ">" in line else None
