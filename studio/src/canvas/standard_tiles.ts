/** The standard tiles, in their order: the palette of a thumbnail that comes without one. */
import type { TileInfo } from "../server/protocol"

const ROWS: [string, string, string, string, boolean, boolean][] = [
  ["void", "void", " ", "#0d0f16", false, true],
  ["wall", "wall", "#", "#3b4252", false, true],
  ["floor", "floor", ".", "#d8c9a8", true, false],
  ["corridor", "corridor", ",", "#b3a385", true, false],
  ["door", "door", "+", "#c77b30", true, true],
  ["opening", "opening", "'", "#b58a5a", true, false],
  ["locked door", "locked", "L", "#d2433a", true, true],
  ["secret door", "secret", "S", "#8b6bd6", true, true],
  ["water", "water", "~", "#4a86b8", false, false],
  ["pit", "pit", ":", "#1c1a22", false, false],
  ["pillar", "pillar", "o", "#8a8f9d", false, false],
  ["stairs up", "entry", "<", "#3cf0a6", true, false],
  ["stairs down", "exit", ">", "#ff5470", true, false],
]

export const STANDARD_TILES: TileInfo[] = ROWS.map(([name, role, glyph, colour, walkable, opaque]) => ({ name, role, glyph, colour, walkable, opaque }))
