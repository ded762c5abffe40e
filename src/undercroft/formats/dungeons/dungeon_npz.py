"""Write and read a dungeon as NumPy arrays in one zip file: the arrays of a level for each floor, with its id in front.

`numpy.load` gives `1/tiles`, `crypt-1/labels` and so on, as in an npz file of a level; and `dungeon`, the bytes of a
JSON text with the floors, title, start, end and provenance.
"""

from __future__ import annotations

import io
import zipfile

import numpy as np

from undercroft import limits
from undercroft.core.dungeon import Dungeon
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats import npz
from undercroft.formats.dungeons.dungeon_json import build_dungeon, format_ends, format_floor, read_floors
from undercroft.formats.native.read_level import check_version
from undercroft.formats.shared.origin import format_provenance
from undercroft.inputs.json import format_json, parse_json
from undercroft.inputs.values import CheckedValue, in_file, quote_name

VERSION = "undercroft-dungeon-npz/1"
INDEX = "dungeon"
KEYS = ("format", "title", "floors", "start", "end", "provenance")


def dump(dungeon: Dungeon) -> bytes:
    """The dungeon as the bytes of an npz file; the same dungeon gives the same bytes."""
    floors = ",\n".join(map(format_floor, dungeon))
    index = ",\n".join(
        [
            f'"format":"{VERSION}"',
            *([f'"title":{format_json(dungeon.title)}'] if dungeon.title else []),
            f'"floors":[\n{floors}]',
            *format_ends(dungeon),
            f'"provenance":{format_provenance(dungeon.provenance, "the dungeon")}',
        ]
    )
    members = {INDEX: np.frombuffer(f"{{{index}}}\n".encode(), np.uint8)}
    for floor in dungeon:
        members |= {f"{floor.id}/{name}": array for name, array in npz.level_arrays(floor.level).items()}
    return npz.zip_arrays(members)


def load(data: bytes, file: str) -> Dungeon:
    """The dungeon in the bytes of an npz file, or an error that says what is wrong with them."""
    with npz.reading_zip(file), zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [entry.filename for entry in archive.infolist()]
        limits.DUNGEON_ARRAYS.check(len(names), f"{file}: the number of its arrays")
        index = npz.NpzMembers(archive, file, [name for name in names if name == f"{INDEX}.npy"], (INDEX,))
        text = index.read_array(INDEX, np.dtype(np.uint8), (None,), limits.JSON_BYTES).tobytes()
        whole = in_file(parse_json(text, f"{file}: {INDEX}"), "", f"{file}: {INDEX}")
        if type(whole.value) is not dict:
            raise whole.error(f"a dungeon is an object, not {quote_name(whole.value)}", "save the dungeon again")
        check_version(whole, VERSION)
        whole.table(KEYS, ("format", "floors"))

        def read(value: CheckedValue) -> Level:
            prefix = f"{value.key('id').text()}/"
            own = [name for name in names if name.startswith(prefix)]
            return npz.read_level(npz.NpzMembers(archive, f"{file}: {prefix[:-1]}", own, prefix=prefix))

        floors = read_floors(whole, read)
        known = {f"{floor.id}/" for floor in floors}
        for name in names:
            if name != f"{INDEX}.npy" and f"{name.partition('/')[0]}/" not in known:
                raise BadInput(f"{file}: {quote_name(name)} belongs to no floor", fix="save the dungeon again")
        return build_dungeon(whole, floors)
