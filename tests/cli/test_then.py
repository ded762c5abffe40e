"""`generate --then RECIPE`: recipes that follow others."""

from __future__ import annotations

from pathlib import Path

from support.command_lines import Say

LAKES = 'begins = ["tiles"]\n[param.wet]\ndefault = 0.2\n[[step]]\nuse = "lakes"\nshare = "$wet"\n'


def test_on_the_command_line(say: Say) -> None:
    Path("lakes.toml").write_text(LAKES)
    words = ("cave", "--then", "lakes.toml", "--then", "inhabited", "--set", "lakes/wet=0.4", "--size", "60x30")
    assert say("generate", *words, "--seed", "7", "-o", "a.json").code == 0
    result = say("generate", "--from", "a.json")
    assert (result.code, "which is none of our recipes" in result.err, "--then FILE" in result.err) == (2, True, True)
    again = say("generate", "--from", "a.json", "--then", "lakes.toml", "--then", "inhabited", "-o", "b.json")
    assert again.code == 0
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
    assert say("generate", "bsp", "--then", "inhabited", "--seed", "7", "--size", "40x20", "-o", "c.json").code == 0
    assert say("generate", "--from", "c.json", "-o", "d.json").code == 0
    assert Path("c.json").read_bytes() == Path("d.json").read_bytes()
    assert "unknown recipe" in say("generate", "cave", "--then", "inhabitd").err
