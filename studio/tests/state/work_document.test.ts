import { describe, expect, test } from "vitest"
import type { Source } from "../../src/server/protocol"
import { documentOf, joinEdits, workOfDocument, workText, type DocumentParts, type WorkDocument } from "../../src/state/work_document"
import { sourceOf, type Work } from "../../src/state/work"
import { randomFrom } from "../support/random"
import { cardOf, TEXT, workOf } from "../support/works"

const PARTS: DocumentParts = { maps: { kept: null, map: null }, view: {} }
const card = cardOf()
/** The reading of a text in which `fill` has another default. */
const turned = (text: string): ReturnType<typeof cardOf> => cardOf({ text, params: card.params.map((param) => (param.name === "fill" ? { ...param, default: Number(/0\.\d+/.exec(text)?.[0]) } : param)) })
const sourceFrom = (of: Work, now = card): Source => sourceOf(of, now, card)
const documentFrom = (of: Work, parts: Partial<DocumentParts> = {}, now = card): WorkDocument => documentOf(of, sourceFrom(of, now), { ...PARTS, ...parts })
/** A work through the text of its document and back. */
const through = (of: Work, parts: Partial<DocumentParts> = {}, now = card): Work | string => workOfDocument(JSON.parse(workText(documentFrom(of, parts, now))) as WorkDocument, card)

test("a plain work is short", () => {
  expect(workText(documentFrom(workOf()))).toBe('{"format":"undercroft-work/1",\n"recipe":"cave",\n"seed":"7",\n"view":{}}\n')
})

describe("what comes back is what was saved", () => {
  test.each<[string, Partial<Work>]>([
    ["a plain work", {}],
    ["a size", { size: [1, 1024] }],
    ["a seed of words and signs", { seed: "a&b=c#d %20 ä 🦇" }],
    ["a changed text", { text: TEXT + '\n# "ü" 🦇\n' }],
    ["a text that is not valid", { text: "[[" }],
    ["requirements and tries", { until: ["loops >= 3"], tries: 7 }],
    ["painted cells", { edits: [[0, "wall"], [1, "wall"], [77, "floor"], [76, "floor"]] }],
    ["things", { placed: [{ kind: "key", x: 1, y: 2, data: { opens: "red" } }], removed: [{ kind: "orb", x: 0, y: 0 }] }],
    ["a file of the project", { base: { path: "rooms/my.toml" }, file: "rooms/my.toml" }],
    ["keys that are not known", { more: { floors: [{ a: 1 }], notes: "x", view: { camera: [1, 2] } } }],
  ])("%s", (_, more) => {
    const parts = more.base ? { maps: PARTS.maps } : {}
    const back = through(workOf(more), parts) as Work
    expect({ ...back, more: undefined }).toEqual({ ...workOf(more), more: undefined })
    expect(back.more).toEqual({ view: {}, ...more.more })
  })
  test("sliders, which change the text of the recipe", () => {
    const of = workOf({ text: TEXT.replace("0.45", "0.6"), values: { styles: ["b"] } })
    expect(documentFrom(of, {}, turned(of.text))).toMatchObject({ recipe: "cave", params: { fill: 0.6, styles: ["b"] } })
    expect(documentFrom(of, {}, turned(of.text)).text).toBeUndefined()
    expect(through(of, {}, turned(of.text))).toMatchObject({ text: of.text, values: of.values })
  })
  test("the document has what the page was looking at", () => {
    expect(documentFrom(workOf({ more: { view: { camera: 3, style: "old" } } }), { view: { style: "ink" } }).view).toEqual({ camera: 3, style: "ink" })
    expect(documentFrom(workOf(), { attempt: 2, editions: { noise: 1 } })).toMatchObject({ attempt: 2, editions: { noise: 1 } })
  })
  test("edits in any order", () => {
    const random = randomFrom(3)
    for (let k = 0; k < 50; k++) {
      const edits = Array.from({ length: 1 + random.below(40) }, (): [number, string] => [random.below(12), random.pick(["wall", "floor"])])
      expect((through(workOf({ edits })) as Work).edits).toEqual(edits)
    }
    expect(joinEdits([[3, "a"], [4, "a"], [5, "b"], [9, "b"], [8, "b"]])).toEqual([[3, 2, "a"], [5, 1, "b"], [9, 1, "b"], [8, 1, "b"]])
  })
})

describe("kept cells", () => {
  const of = sourceFrom(workOf())
  const kept = { format: "undercroft-level/1", size: [2, 1], tiles: ["#."] }
  test("of this very level are marked, and the level is made without them", () => {
    const data = documentFrom(workOf({ keep: { of, cells: [[3, 2]] } }))
    expect([data.marked, data.keep]).toEqual([[[3, 2]], undefined])
    expect((workOfDocument(data, card) as Work).keep).toBeUndefined()
  })
  test("of another level stand in the document with their map", () => {
    const data = documentFrom(workOf({ seed: "8", keep: { of, cells: [[3, 2]] } }), { maps: { kept: { cells: [[3, 4]], map: kept }, map: null } })
    expect([data.marked, data.keep]).toEqual([undefined, { cells: [[3, 4]], map: kept }])
    const back = workOfDocument(data, card) as Work
    expect(back.keep).toEqual({ cells: [[3, 4]], map: kept })
    expect(sourceFrom(back).keep).toEqual(back.keep)
    expect(documentFrom(back, { maps: { kept: { cells: [[3, 4]], map: kept }, map: null } }).keep).toEqual(data.keep)
  })
  test("and more marked on the level that was made around them", () => {
    const second = sourceFrom(workOf({ seed: "8", keep: { map: kept, cells: [[1, 1]] } }))
    const data = documentFrom(workOf({ seed: "8", keep: { of: second, cells: [[3, 2]] } }), { maps: { kept: { cells: [[1, 1]], map: kept }, map: null } })
    expect([data.marked, data.keep]).toEqual([[[3, 2]], { cells: [[1, 1]], map: kept }])
  })
})

test("a map from elsewhere stands in the document", () => {
  const map = { format: "undercroft-level/1", size: [1, 1], tiles: ["."] }
  const data = documentFrom(workOf({ base: { imported: "id", file: "a.png" }, file: "a.png", text: "" }), { maps: { kept: null, map } })
  expect(data).toMatchObject({ map, file: "a.png" })
  expect(workOfDocument(data, undefined)).toMatchObject({ base: { map, file: "a.png" }, file: "a.png", text: "" })
})

test("a recipe that is not here is named", () => {
  expect(workOfDocument({ format: "", recipe: "rooms/a.toml" }, undefined)).toContain("rooms/a.toml, which is not in this project")
  expect(workOfDocument({ format: "", recipe: "cavve" }, undefined)).toContain("cavve, which this version does not have")
  expect(workOfDocument({ format: "", recipe: "rooms/a.toml", text: "x" }, undefined)).toMatchObject({ base: { path: "rooms/a.toml" }, text: "x" })
})
