"""Checks of steps that other packages give: what all of ours are, and what their drafts have to be afterwards."""

from __future__ import annotations

import dataclasses
import typing
from typing import Any

import msgspec
import numpy as np

from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.level_parts import check_path
from undercroft.errors import BadInput
from undercroft.plugins.checks import require_callable
from undercroft.plugins.provider import Provider
from undercroft.steps.step import Step, describe_step, step_name

RESERVED_NAMES = ("begin",)
"""Names of other things in timelines and recipes."""


def check_step(part: Any, name: str, provider: Provider) -> type[Step]:  # noqa: ARG001 - as the other checks
    """The class of a step, if it is as `Step` says: a frozen dataclass with a docstring, defaults for its parameters,
    its declarations, and `apply`.
    """
    if not isinstance(part, type) or "__dataclass_params__" not in vars(part):
        raise TypeError(f"a step is a class, a frozen dataclass, not {part!r}")
    if name in RESERVED_NAMES:
        raise TypeError(f"a step cannot be called {name!r}")
    if not vars(part)["__dataclass_params__"].frozen:
        raise TypeError(f"the dataclass {part.__name__} is not frozen: write @dataclass(frozen=True, kw_only=True)")
    if not part.__doc__ or part.__doc__.startswith(f"{part.__name__}("):  # the text that a dataclass makes itself
        raise TypeError(f"the class {part.__name__} has no docstring, and lists have nothing to show")
    require_callable(getattr(part, "apply", None), f"apply of {part.__name__}")
    for field in dataclasses.fields(part):
        if field.default is dataclasses.MISSING:
            raise TypeError(f"the parameter {field.name} of {part.__name__} has no default")
    description = describe_step(typing.cast("type[Step]", part))
    if description.edition < 1:
        raise TypeError(f"the edition of {part.__name__} is a whole number from 1, not {description.edition}")
    typing.get_type_hints(part, include_extras=True)
    msgspec.convert({}, part)  # raises if a parameter has a type that no recipe can hold
    assert description.name == step_name(part.__name__)
    return typing.cast("type[Step]", part)


def check_draft(draft: Draft, spoils: tuple[str, ...]) -> None:
    """Raise `TypeError` if a step left something in the draft that later steps cannot work with. The facts that it
    `spoils` are dropped.
    """
    tiles = typing.cast("Any", draft.tiles)
    if not isinstance(tiles, np.ndarray) or tiles.dtype != np.uint8 or tiles.ndim != 2 or not tiles.size:
        raise TypeError(f"it leaves {_describe_array(tiles)} for tiles, and they are a grid of the type uint8")
    if not tiles.flags.c_contiguous or not tiles.flags.writeable:
        draft.tiles = np.array(tiles, np.uint8, order="C")
    if int(tiles.max()) >= len(draft.palette):
        raise TypeError(f"it writes the code {int(tiles.max())}, and the palette has {len(draft.palette)} tiles")
    for name, layer in typing.cast("dict[str, Any]", draft.layers).items():
        if not isinstance(layer, np.ndarray) or layer.shape != tiles.shape:
            raise TypeError(f"it leaves {_describe_array(layer)} for the layer {name!r}, and the map is {tiles.shape}")
    draft.forget(spoils)
    try:
        level = Level(
            draft.tiles,
            draft.palette,
            regions=draft.regions,
            doors=draft.doors,
            links=draft.links,
            things=draft.things,
            start=draft.start,
            end=draft.end,
            path=draft.path,
            layers=draft.layers,
            title=draft.title,
            flow=draft.flow,
        )
        check_path(level.path, tiles.shape)
    except BadInput as error:
        raise TypeError(f"it leaves a draft that is no level: {error.problem}") from None


def _describe_array(value: Any) -> str:
    return (
        f"an array of {value.dtype} of the shape {value.shape}"
        if isinstance(value, np.ndarray)
        else f"a {type(value).__name__}"
    )
