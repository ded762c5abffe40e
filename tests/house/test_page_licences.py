"""The licence of every package that is bundled into the studio's page goes along with it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

STUDIO = Path(__file__).parents[2] / "studio"
NODE = shutil.which("node") or ""

pytestmark = pytest.mark.skipif(
    not NODE or not (STUDIO / "node_modules" / "esbuild").is_dir(),
    reason="needs Node.js and the packages that the page is built with",
)


def run_node(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [NODE, *words], cwd=STUDIO, env={**os.environ, **more}, capture_output=True, text=True, check=False, timeout=120
    )


def test_every_bundled_package_has_its_licence(tmp_path: Path) -> None:
    built = run_node("build.mjs", STUDIO_OUT=str(tmp_path / "page"))
    assert built.returncode == 0, built.stderr
    code = """
        import { build } from "esbuild"
        const entryPoints = ["src/main.tsx", "src/styles/index.css"]
        const loader = { ".woff2": "file" }
        const jsx = { jsx: "automatic", jsxImportSource: "preact" }
        const output = { metafile: true, write: false, outdir: ".", format: "esm" }
        const made = await build({ entryPoints, loader, ...jsx, bundle: true, ...output })
        console.log(JSON.stringify(Object.keys(made.metafile.inputs)))
    """
    done = run_node("--input-type=module", "--eval", code)
    assert done.returncode == 0, done.stderr
    inputs = json.loads(done.stdout)
    found = (re.search(r".*node_modules/((?:@[^/]+/)?[^/]+)/", name) for name in inputs)
    names = {match[1] for match in found if match}
    assert {"preact", "@codemirror/view", "@lezer/highlight", "style-mod", "@fontsource-variable/inter"} <= names
    licences = tmp_path / "page" / "licences"
    assert {path.name for path in licences.iterdir()} == {
        f"{name.replace('@', '').replace('/', '-')}.txt" for name in names
    }
    for path in licences.iterdir():
        text = path.read_text(encoding="utf-8")
        assert "Copyright" in text, path.name
        assert ("SIL OPEN FONT LICENSE" if "fontsource" in path.name else "Permission is hereby granted") in text


def test_a_package_without_a_licence_fails_the_build(tmp_path: Path) -> None:
    for name in ("node_modules/bare", "node_modules/@team/good"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "node_modules/@team/good/LICENCE.md").write_text("Copyright")
    code = """
        import { writeLicences } from "./licences.mjs"
        const [root, ...inputs] = process.argv.slice(1)
        writeLicences({ inputs: Object.fromEntries(inputs.map((name) => [name, {}])) }, root, root + "/licences")
    """
    good, bare = "node_modules/@team/good/index.js", "node_modules/bare/index.js"
    words = ("--input-type=module", "--eval", code, "--", str(tmp_path))
    assert run_node(*words, "src/main.tsx", good).returncode == 0
    assert [path.name for path in (tmp_path / "licences").iterdir()] == ["team-good.txt"]
    failed = run_node(*words, good, bare)
    assert failed.returncode != 0
    assert "bare is bundled, and has no file with its licence" in failed.stderr
