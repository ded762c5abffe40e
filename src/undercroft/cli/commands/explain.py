"""`undercroft explain`."""

from __future__ import annotations

import click

from undercroft.cli.messages import clean_text, print_json, print_message, print_output
from undercroft.cli.options.palettes import RULES_PALETTE_OPTION
from undercroft.cli.options.points import parse_point
from undercroft.inputs.files import is_folder


@click.command("explain")
@click.argument("rules")
@click.option("--on", metavar="MAP", help="The map; - is standard input.")
@click.option("--read-as", metavar="NAME", help="The format of MAP, if its suffix does not determine it.")
@RULES_PALETTE_OPTION
@click.option("--size", metavar="WxH", help="Use a map of this size, filled with the palette's first tile.")
@click.option("--rule", metavar="NAME", help="Only this rule, or the rules of this node.")
@click.option(
    "--at", metavar="X,Y", help="Explain this cell: which placements would change it, and why they do not match."
)
@click.option(
    "--lenient",
    is_flag=True,
    help="Read a grammar folder as the first program for such folders did, with notes instead of errors.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    rules: str,
    on: str | None,
    read_as: str | None,
    palette: str | None,
    size: str | None,
    rule: str | None,
    at: str | None,
    lenient: bool,
    as_json: bool,
) -> None:
    """Report where each of RULES, a .rules file or a folder of grammar rules, matches on a map, or why it does not.

    The map is used as it is: no rule is applied.
    """

    from undercroft.cli.options.start_map import load_rules, resolve_start_map
    from undercroft.cli.stdio import wants_colour
    from undercroft.errors import BadInput
    from undercroft.recipe.catalogue import names

    if rules in names() or (rules.endswith(".toml") and not is_folder(rules)):
        raise BadInput(
            "explain takes a .rules file or a folder of grammar rules",
            fix="a recipe is looked at by 'undercroft lint' and 'undercroft coverage'",
        )
    loaded = load_rules(rules, lenient=lenient, palette=palette)
    for note in loaded.notes:
        print_message(f"note: {note}")
    cell = parse_point(at, "--at") if at else None
    found = loaded.explain(resolve_start_map(loaded, on, read_as, size, palette=palette), rule, cell)
    if as_json:
        print_json(found.data())
        return
    colour = wants_colour()
    for line in found.lines(_colour_text) if colour else found.lines():
        print_output(line, coloured=colour)


_COLOURS = {"name": "1", "good": "32", "wrong": "1;31", "wanted": "1;32", "quiet": "2"}


def _colour_text(kind: str, text: str) -> str:
    return f"\x1b[{_COLOURS[kind]}m{clean_text(text)}\x1b[0m"
