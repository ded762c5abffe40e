/** Works and readings of recipes, for tests of the state. */
import type { Param, RecipeCard } from "../../src/server/protocol"
import type { Work } from "../../src/state/work"

export const TEXT = `name = "cave"
[param.fill]
default = 0.45
[param.steps]
default = 4   # rounds
`

const params: Param[] = [
  { name: "fill", about: "", default: 0.45, kind: "number", low: 0, high: 1, place: { line: 3, column: 11, length: 4 } },
  { name: "steps", about: "", default: 4, kind: "whole", low: 0, high: 9, place: { line: 5, column: 11, length: 1 } },
  { name: "styles", about: "", default: ["a"], kind: "list" },
]

export const cardOf = (more: Partial<RecipeCard> = {}): RecipeCard => ({ name: "cave", about: "", tags: [], size: [60, 40], text: TEXT, params, origin: "ours", ...more })
export const workOf = (more: Partial<Work> = {}): Work => ({ base: { name: "cave" }, file: "cave.toml", text: TEXT, values: {}, seed: "7", size: null, until: [], tries: 100, ...more })
