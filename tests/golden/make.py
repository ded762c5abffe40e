"""Write the digests of seeds and the values of measures anew: `python tests/golden/make.py`, after a step or a measure
got a new edition.

Levels that changed although no step has a new edition are refused, and so are numbers of a measure with the same
edition; `--anew` writes them nevertheless (before a first release).
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))


def main(arguments: list[str]) -> int:
    from support import digests, measure_values

    made = {"steps.json": digests.steps(), "recipes.json": digests.recipes()}
    faults = [
        digests.fault(what, before, records[what])
        for file, records in made.items()
        for what, before in digests.load_records(file).items()
        if what in records
    ]
    made["measures.json"] = measure_values.records()
    faults += [
        measure_values.fault(what, before, made["measures.json"][what])
        for what, before in digests.load_records("measures.json").items()
        if what in made["measures.json"]
    ]
    refused = [fault for fault in faults if "no step has a new edition" in fault or "its edition is the same" in fault]
    if refused and "--anew" not in arguments:
        sys.stderr.write("\n".join([*refused, "nothing was written\n"]))
        return 1
    for file, records in made.items():
        (digests.FOLDER / file).write_text(digests.text(records), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
