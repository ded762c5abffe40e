"""LDtk projects are as LDtk 1.5.3 says they must be: every key that it requires is there, of the right type, and none
that it does not know.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings

import undercroft as uc
from support.levels import levels
from support.maps import HEAVY
from undercroft.core.level import Level
from undercroft.core.region import DOOR_DTYPE, LINK_DTYPE, Regions, Thing, view_doors, view_links
from undercroft.formats import dump

# One line a key: its type, with ? if it may be null, [] if it is a list, and words with | between if it is one of them.
# Keys after "or" may be left out.
TYPES = {
    "Root": """
        bgColor str  defs Definitions  externalLevels bool  iid str  jsonVersion str  levels Level[]
        toc TableOfContentEntry[]  worlds World[]  appBuildId num  backupLimit int  backupOnSave bool
        customCommands CustomCommand[]  defaultEntityHeight int  defaultEntityWidth int  defaultGridSize int
        defaultLevelBgColor str  defaultPivotX num  defaultPivotY num  dummyWorldIid str  exportLevelBg bool
        exportTiled bool  flags str[]  identifierStyle Capitalize|Uppercase|Lowercase|Free
        imageExportMode None|OneImagePerLayer|OneImagePerLevel|LayersAndLevels  levelNamePattern str
        minifyJson bool  nextUid int  simplifiedExport bool
        or worldGridWidth int?  worldGridHeight int?
        worldLayout Free|GridVania|LinearHorizontal|LinearVertical|null  exportPng bool?  __header__ any
        defaultLevelWidth int?  defaultLevelHeight int?  pngFilePattern str?  tutorialDesc str?  backupRelPath str?
        __FORCED_REFS any""",
    "Definitions": (
        "entities EntityDef[]  enums EnumDef[]  externalEnums EnumDef[]  layers LayerDef[]  levelFields FieldDef[]  "
        "tilesets TilesetDef[]"
    ),
    "TilesetRect": "h int  tilesetUid int  w int  x int  y int",
    "FieldInstance": (
        "__identifier str  __type str  __value any  defUid int  realEditorValues any[]  or __tile TilesetRect?"
    ),
    "EntityInstance": """
        __grid int[]  __identifier str  __pivot num[]  __smartColor str  __tags str[]  defUid int
        fieldInstances FieldInstance[]  height int  iid str  px int[]  width int  or __tile TilesetRect?
        __worldX int?  __worldY int?""",
    "FieldDef": """
        __type str  canBeNull bool  identifier str  isArray bool  type str  uid int  allowOutOfLevelRef bool
        allowedRefTags str[]  allowedRefs Any|OnlySame|OnlyTags|OnlySpecificEntity  autoChainRef bool
        editorAlwaysShow bool  editorCutLongValues bool
        editorDisplayMode
        Hidden|ValueOnly|NameAndValue|EntityTile|LevelTile|Points|PointStar|PointPath|PointPathLoop|RadiusPx|RadiusGrid
        editorDisplayPos Above|Center|Beneath  editorDisplayScale num
        editorLinkStyle ZigZag|StraightArrow|CurvedArrow|ArrowsLine|DashedLine  editorShowInWorld bool
        exportToToc bool  searchable bool  symmetricalRef bool  useForSmartColor bool
        or acceptFileTypes any  arrayMinLength int?  arrayMaxLength int?  editorTextSuffix str?
        editorTextPrefix str?  editorDisplayColor str?  min num?  max num?  doc str?  allowedRefsEntityUid int?
        tilesetUid int?  textLanguageMode str?  defaultOverride any  regex str?""",
    "CustomCommand": "command str  when Manual|AfterLoad|BeforeSave|AfterSave",
    "EntityDef": """
        color str  height int  identifier str  nineSliceBorders int[]  pivotX num  pivotY num
        tileRenderMode Cover|FitInside|Repeat|Stretch|FullSizeCropped|FullSizeUncropped|NineSlice  uid int
        width int  allowOutOfBounds bool  exportToToc bool  fieldDefs FieldDef[]  fillOpacity num  hollow bool
        keepAspectRatio bool  limitBehavior DiscardOldOnes|PreventAdding|MoveLastOne
        limitScope PerLayer|PerLevel|PerWorld  lineOpacity num  maxCount int
        renderMode Rectangle|Ellipse|Tile|Cross  resizableX bool  resizableY bool  showName bool  tags str[]
        tileOpacity num
        or tileId int?  tilesetId int?  maxHeight int?  minHeight int?  maxWidth int?  minWidth int?
        tileRect TilesetRect?  uiTileRect TilesetRect?  doc str?""",
    "EnumDef": (
        "identifier str  tags str[]  uid int  values EnumDefValues[]  or externalFileChecksum str?  externalRelPath "
        "str?  iconTilesetUid int?"
    ),
    "EnumDefValues": "color int  id str  or tileId int?  tileRect TilesetRect?  __tileSrcRect any",
    "IntGridValueDef": "color str  groupUid int  value int  or tile TilesetRect?  identifier str?",
    "IntGridValueGroupDef": "uid int  or color str?  identifier str?",
    "LayerDef": """
        __type str  displayOpacity num  gridSize int  identifier str  intGridValues IntGridValueDef[]
        intGridValuesGroups IntGridValueGroupDef[]  parallaxFactorX num  parallaxFactorY num  parallaxScaling bool
        pxOffsetX int  pxOffsetY int  uid int  autoRuleGroups any[]  canSelectWhenInactive bool  excludedTags str[]
        guideGridHei int  guideGridWid int  hideFieldsWhenInactive bool  hideInList bool  inactiveOpacity num
        renderInWorldView bool  requiredTags str[]  tilePivotX num  tilePivotY num
        type IntGrid|Entities|Tiles|AutoLayer  uiFilterTags str[]  useAsyncRender bool
        or uiColor str?  doc str?  tilesetDefUid int?  autoSourceLayerDefUid int?  autoTilesetDefUid int?
        biomeFieldUid int?  autoTilesKilledByOtherLayerUid int?""",
    "TilesetDef": """
        __cHei int  __cWid int  customData TileCustomMetadata[]  enumTags any[]  identifier str  padding int
        pxHei int  pxWid int  spacing int  tags str[]  tileGridSize int  uid int  savedSelections any[]
        or cachedPixelData any  tagsSourceEnumUid int?  embedAtlas LdtkIcons|null  relPath str?""",
    "TileCustomMetadata": "data str  tileId int",
    "Tile": "a num  f int  px int[]  src int[]  t int  d int[]",
    "LayerInstance": """
        __cHei int  __cWid int  __gridSize int  __identifier str  __opacity num  __pxTotalOffsetX int
        __pxTotalOffsetY int  __type str  autoLayerTiles Tile[]  entityInstances EntityInstance[]  gridTiles Tile[]
        iid str  intGridCsv int[]  layerDefUid int  levelId int  pxOffsetX int  pxOffsetY int  visible bool
        optionalRules int[]  seed int  or __tilesetRelPath str?  overrideTilesetUid int?  __tilesetDefUid int?
        intGrid any""",
    "Level": """
        __bgColor str  __neighbours any[]  fieldInstances FieldInstance[]  identifier str  iid str  pxHei int
        pxWid int  uid int  worldDepth int  worldX int  worldY int  __smartColor str  bgPivotX num  bgPivotY num
        useAutoIdentifier bool
        or externalRelPath str?  bgColor str?  bgPos Unscaled|Contain|Cover|CoverDirty|Repeat|null  __bgPos any
        layerInstances LayerInstance[]?  bgRelPath str?""",
    "TableOfContentEntry": "identifier str  instancesData any[]  or instances any[]",
    "World": (
        "identifier str  iid str  levels Level[]  worldGridHeight int  worldGridWidth int  worldLayout str  "
        "defaultLevelHeight int  defaultLevelWidth int"
    ),
}
PLAIN = {"str": "string", "int": "integer", "num": "number", "bool": "boolean"}


def type_of(word: str) -> dict[str, Any]:
    """What a word of the table allows."""
    if word.endswith("?"):
        return {"anyOf": [{"type": "null"}, type_of(word[:-1])]}
    if word.endswith("[]"):
        return {"type": "array", "items": type_of(word[:-2])}
    if word == "any":
        return {}
    if word in PLAIN:
        return {"type": PLAIN[word]}
    if "|" in word:
        return {"enum": [None if choice == "null" else choice for choice in word.split("|")]}
    return {"$ref": f"#/$defs/{word}"}


def object_of(row: str) -> dict[str, Any]:
    needed, _, spare = row.partition(" or ")
    keys = needed.split()
    both = [*keys, *spare.split()]
    properties = {name: type_of(word) for name, word in zip(both[::2], both[1::2], strict=True)}
    return {"type": "object", "required": keys[::2], "properties": properties, "additionalProperties": False}


SCHEMA = {"$ref": "#/$defs/Root", "$defs": {name: object_of(row) for name, row in TYPES.items()}}
CHECKER = jsonschema.Draft7Validator(SCHEMA)


def project(level: Level) -> Any:
    return json.loads(dump(level, "ldtk"))


def short(data: Any) -> Any:
    """The project without most of what is told of the tileset, which is the same for all levels."""
    del data["defs"]["tilesets"][0]["customData"][2:]
    return data


def problems(data: Any) -> list[str]:
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in CHECKER.iter_errors(data)]


def test_the_table_is_that_of_the_format() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    needed = {name: len(SCHEMA["$defs"][name]["required"]) for name in TYPES}  # type: ignore[index]
    counts = {
        "Root": 28,
        "LayerDef": 27,
        "EntityDef": 25,
        "FieldDef": 21,
        "LayerInstance": 20,
        "Level": 15,
        "TilesetDef": 13,
        "EntityInstance": 11,
        "Tile": 6,
    }
    assert {name: needed[name] for name in counts} == counts


@given(levels())
@settings(max_examples=300 if HEAVY else 30)
def test_any_level_is_a_valid_project(level: Level) -> None:
    for thing in level.things:
        if any(isinstance(value, int) and abs(value) > 2**53 for value in thing.data.values()):
            return
    assert not problems(short(project(level)))


@pytest.mark.parametrize("recipe", ["rooms-and-mazes", "cave", "bsp", "isaac", "maze", "cozy"])
def test_what_recipes_make_is_a_valid_project(recipe: str) -> None:
    assert not problems(project(uc.generate(recipe, seed=1, size=(41, 21))))


def trimmed(value: Any, key: str = "") -> Any:
    """The project with no more than one of a kind, except layers."""
    if isinstance(value, dict):
        return {key: trimmed(inner, key) for key, inner in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [trimmed(inner) for inner in (value if key in ("layers", "layerInstances") else value[:1])]
    return value


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """All objects of a project that the table describes."""
    if isinstance(value, dict):
        yield value
        for key, inner in value.items():
            if key not in ("__header__", "__value", "realEditorValues"):
                yield from objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from objects(inner)


OPTIONAL = {name for row in TYPES.values() for name in row.partition(" or ")[2].split()[::2]}
UNCHECKED = {"__value", "__header__", "cachedPixelData", "acceptFileTypes", "defaultOverride", "__bgPos"}


def small() -> Level:
    """Five cells with something of everything."""
    drawn = Level.parse("#1+2>")
    return Level(
        drawn.tiles,
        regions=Regions(drawn.regions.labels, drawn.regions.table, {1: ("lit",)}),
        doors=view_doors(np.array([(2, 0, 1, 2, 1)], DOOR_DTYPE)),
        links=view_links(np.array([(1, 2, 1, 0, True)], LINK_DTYPE)),
        things=[Thing("chest", 1, 0, {"gold": 7, "name": "Él"})],
        start=(1, 0),
        end=(4, 0),
        path=np.array([(1, 0), (2, 0)], np.int32),
    )


def test_a_key_that_is_gone_and_a_value_of_another_type_are_noticed() -> None:
    """So that the test above cannot pass for want of looking."""
    whole = trimmed(project(small()))
    assert not problems(whole)
    gone = wrong = 0
    for table in objects(whole):
        for key in [*table]:
            value = table.pop(key)
            if key not in OPTIONAL:
                assert not CHECKER.is_valid(whole), key
                gone += 1
            if key not in UNCHECKED:
                table[key] = {"strange": 1}
                assert not CHECKER.is_valid(whole), key
                wrong += 1
            table[key] = value
        table["strange"] = 1
        assert not CHECKER.is_valid(whole)
        del table["strange"]
    assert gone > 300
    assert wrong > 400
