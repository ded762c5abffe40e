/** A small vocabulary, for tests of completion. */
import type { RecipeFacts } from "../../src/editor/words/entries"
import type { Param, Vocabulary } from "../../src/server/protocol"
import { STANDARD_TILES } from "../../src/canvas/standard_tiles"

const param = (name: string, more: Partial<Param> = {}): Param => ({ name, about: "a number", default: 0, kind: "number", ...more })

export const words: Vocabulary = {
  keys: [
    { table: "", name: "about", about: "what it makes" },
    { table: "", name: "size", about: "width and height" },
    { table: "param", name: "default", about: "the value" },
    { table: "step", name: "use", about: "which step" },
    { table: "step", name: "id", about: "a name of its own" },
  ],
  tables: [{ name: "[[step]]", about: "a step" }, { name: "[require]", about: "what must be" }],
  fields: { rooms: { tries: "How often it tries.", layouts: "Layouts of rooms.", shape: "Their shape." } },
  tiles: STANDARD_TILES,
  lines: ["one", "all", "rule", "tile", "set", "outside"].map((name) => ({ name, about: `the line ${name}` })),
  options: ["once", "turned", "turned and mirrored", "weight 2", "keep connected(floor, door)"].map((name) => ({ name, about: `the option ${name}` })),
}

export const facts: RecipeFacts = {
  steps: [
    { name: "fill", about: "fills", params: [] },
    { name: "rooms", about: "rooms", params: [param("tries", { default: 7, kind: "whole" }), param("layouts", { kind: "list", default: [], picks: "layouts" }), param("shape", { kind: "choice", choices: ["round", "square"], default: "round" }), param("ring", { kind: "switch", default: true })] },
  ],
  measures: [{ name: "loops", about: "independent cycles", unit: "count", whole: true }, { name: "density", about: "walkable cells", unit: "share", whole: false }],
  recipes: [{ name: "cave", about: "caves" }],
  params: [param("many", { about: "rooms to try" })],
  words,
  choices: (of) => (of === "layouts" ? [{ value: "apse", title: "apse", about: "a hall", mine: false }, { value: "my/den.layout", title: "den", about: "", mine: true }] : null),
}
