"""Convert rules: grammar folders and templates into `.rules` files, and these into folders."""

from __future__ import annotations

from pathlib import Path

from undercroft import limits
from undercroft.cli.messages import print_message
from undercroft.cli.options.output_files import write_outputs
from undercroft.cli.options.palettes import resolve_palette
from undercroft.core.palette import STANDARD
from undercroft.errors import BadInput
from undercroft.inputs import files
from undercroft.inputs.files import is_folder
from undercroft.rewrite import template_pairs
from undercroft.rewrite.grammar import folder as grammar
from undercroft.rewrite.grammar import write_folder as grammar_writer
from undercroft.rewrite.text import parse, write_rules
from undercroft.rewrite.text.rule_files import check_is_rule_file


def convert(source: str, target: str, *, base: str | None, palette: str | None, lenient: bool) -> None:
    """Convert rules from one notation to another."""
    if source.endswith(".rules") and not is_folder(source):
        if target == "-" or Path(target).suffix in {".rules", ".txt", ".toml", ".json"}:
            raise BadInput(f"rules become a grammar folder, and {target} is none", fix="name a new folder")
        _to_folder(source, target, base)
    elif is_folder(source):
        _from_folder(source, target, base, lenient)
    else:
        _from_file(source, target, palette)


def _from_folder(source: str, target: str, base: str | None, lenient: bool) -> None:
    if target != "-" and not target.endswith(".rules"):
        raise BadInput(
            f"a grammar folder becomes a .rules file, and {target} is none",
            fix=f"write to {Path(target).with_suffix('.rules')}",
        )
    found = grammar.load_folder(source, strict=not lenient)
    for note in found.notes:
        print_message(f"note: {note}")
    outputs = [(target, write_rules.dump_program(found.program).encode())]
    beside = base or ("" if target == "-" else str(_base_path(target)))
    if found.base is not None and beside:
        outputs.append((beside, grammar_writer.dump_base(found.base).encode()))
    write_outputs(outputs)
    if found.base is not None:
        print_message(
            f"note: the map they begin with is in {beside}; name it with --on {beside}"
            if beside
            else "note: the map they begin with is left out; --base FILE writes it"
        )


def _to_folder(source: str, target: str, base: str | None) -> None:
    program = parse.load(source).program
    beside = Path(base) if base else _base_path(source)
    tiles = (
        grammar.parse_base(files.read_text(beside, limits.TEXT_BYTES), str(beside))[0]
        if base or beside.is_file()
        else None
    )
    texts = grammar_writer.dump_folder(program, tiles)
    files.write_folder(target, {name: text.encode() for name, text in texts.items()})
    if program.root.limit != grammar.DEFAULT_STEPS:
        option = (
            f"--steps {program.root.limit}"
            if program.root.limit
            else "--steps with a large number, for rules without a limit"
        )
        print_message(
            f"note: a folder does not store the number of steps, which is {grammar.DEFAULT_STEPS} by default: "
            f"use {option}"
        )
    if program.root.name != grammar.PROGRAM_NAME:
        print_message(
            f"note: in a folder the node is called {grammar.PROGRAM_NAME!r}, not {program.root.name!r}; "
            "draws go by names, so a seed gives another map there"
        )


def _from_file(source: str, target: str, palette: str | None) -> None:
    check_is_rule_file(source)
    program, notes = template_pairs.load(source, resolve_palette(palette) if palette else STANDARD)
    for note in notes:
        print_message(f"note: {note}")
    write_outputs([(target, write_rules.dump_program(program).encode())])


def _base_path(rules: str) -> Path:
    """The file of the map that belongs to a .rules file."""
    return Path(rules).with_suffix(".base.txt")
