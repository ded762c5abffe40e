"""The facts about a level besides its shape, for the `extras` of a model's nodes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.core.region import Region
from undercroft.formats.native.native import palette_data
from undercroft.formats.shared.origin import ORIGIN_KEY, format_origin


def build_level_extras(level: Level, scale: float) -> dict[str, Any]:
    """The facts about the whole level."""
    links = [{"a": a, "b": b, "kind": kind, "door": door, "carved": carved} for a, b, kind, door, carved in level.links]
    return {
        "size": list(level.size),
        "metres": scale,
        **({"links": links} if links else {}),
        **({"path": level.path.tolist()} if len(level.path) else {}),
        **({} if level.palette == STANDARD else {"palette": palette_data(level.palette)}),
        **({ORIGIN_KEY: format_origin(level)} if level.provenance else {}),
    }


def build_region_extras(region: Region) -> dict[str, Any]:
    """The facts about a region."""
    label, kind, x, y, width, height, area, tags, template, name = region
    more = {"tags": list(tags), "template": template, "name": name}
    return {
        "label": label,
        "kind": kind,
        "x": x,
        "y": y,
        "width": width,
        "height": height,
        "area": area,
        **{key: part for key, part in more.items() if part},
    }


def name_region_nodes(level: Level) -> dict[int, str]:
    """The names of the nodes of regions: the region's name if it is unique, else with the label."""
    count = Counter(region.name for region in level.regions)
    return {
        region.label: region.name
        if region.name and count[region.name] == 1
        else f"{region.name or region.kind} {region.label}"
        for region in level.regions
    }
