import { expect, test } from "vitest"
import { STANDARD_TILES } from "../../src/canvas/standard_tiles"
import { glyphLook } from "../../src/widgets/tile_grid"

test("a glyph has its tile's colour and an ink that can be read on it", () => {
  expect(glyphLook(".", STANDARD_TILES)).toEqual({ fill: "#d8c9a8", ink: "#14161f" })
  expect(glyphLook("#", STANDARD_TILES)).toEqual({ fill: "#3b4252", ink: "#f2f3f8" })
})
test("any tile, void and unknown glyphs are empty squares", () => {
  for (const glyph of ["?", " ", "Ω"]) expect(glyphLook(glyph, STANDARD_TILES)).toBeNull()
})
