import { describe, expect, test } from "vitest"
import { cellUnderBrush, floodCells, MAX_SIDE, withCellsErased, withCellsPainted, withCellsReassigned, withGrowth, withLineCopied, withMarkChanged, withNewPart, withoutLines, withoutPart, withPart, withPartMoved, withSidePulled } from "../../../../src/views/author/layouts/edits"
import { BASE, boxOf, cellKey, cellsOfPart, FREE_AXIS, fromData, marksOf, OVERLAY, partName, partOf, placeOfKey, toData, type Cell, type Doc, type Part } from "../../../../src/views/author/layouts/model"
import { randomFrom } from "../../../support/random"

const part = (id: number, more: Partial<Part> = {}): Part => ({ id, name: `p${id}`, colour: "", icon: "", ratio: false, x: FREE_AXIS, y: FREE_AXIS, ...more })
/** A layout drawn as rows: # wall, . floor, blank nothing; all cells belong to part 1. */
function docOf(rows: string[], parts: Part[] = [part(1), part(2)]): Doc {
  const cells = new Map<string, Cell>()
  rows.forEach((row, y) => [...row].forEach((sign, x) => sign !== " " && cells.set(cellKey(x, y), { tile: sign === "#" ? "wall" : "floor", part: 1 })))
  return { name: "room", tags: ["a"], flipX: true, flipY: false, parts, cells }
}
function rowsOf(doc: Doc): string[] {
  const box = boxOf(doc.cells.keys())
  if (!box) return []
  return Array.from({ length: box.height }, (_, y) => Array.from({ length: box.width }, (_, x) => ({ wall: "#", floor: ".", none: " " })[doc.cells.get(cellKey(box.x + x, box.y + y))?.tile ?? "none"] ?? "?").join(""))
}
const ROOM = ["####", "#..#", "####"]

test("cells and their keys", () => {
  expect(placeOfKey(cellKey(-3, 12))).toEqual([-3, 12])
  expect(boxOf(["-1,2", "4,2", "0,7"])).toEqual({ x: -1, y: 2, width: 6, height: 6 })
  expect(boxOf([])).toBeNull()
})

describe("painting", () => {
  const wall = { tile: { tile: "wall" }, part: 2 }
  test("sets tile and part, or one of them", () => {
    expect(cellUnderBrush(undefined, wall)).toEqual({ tile: "wall", part: 2 })
    expect(cellUnderBrush(undefined, { tile: { tile: "wall" }, part: null })).toEqual({ tile: "wall", part: BASE })
    expect(cellUnderBrush({ tile: "floor", part: 1, mark: { what: "slot", kind: "x" } }, { tile: null, part: 2 })).toEqual({ tile: "floor", part: 2, mark: { what: "slot", kind: "x" } })
    expect(cellUnderBrush(undefined, { tile: null, part: 2 })).toBeNull()
  })
  test("gives the same layout if nothing changes", () => {
    const doc = docOf(ROOM)
    expect(withCellsPainted(doc, ["0,0"], { tile: { tile: "wall" }, part: 1 })).toBe(doc)
    expect(withCellsErased(doc, ["9,9"])).toBe(doc)
    expect(withCellsErased(doc, ["0,0"]).cells.size).toBe(11)
    expect(doc.cells.size).toBe(12)
  })
  test("does not make a drawing larger than a layout may be", () => {
    const doc = docOf(["#"])
    expect(withCellsPainted(doc, [cellKey(MAX_SIDE - 1, 0)], wall)).not.toBe(doc)
    expect(withCellsPainted(doc, [cellKey(MAX_SIDE, 0)], wall)).toBe(doc)
  })
  test("fills what hangs together and is alike", () => {
    expect(floodCells(docOf(ROOM), 1, 1).sort()).toEqual(["1,1", "2,1"])
    expect(floodCells(docOf(ROOM), 0, 0)).toHaveLength(10)
    expect(floodCells(docOf(["###", "# #", "###"]), 1, 1)).toEqual(["1,1"])
    expect(floodCells(docOf(["###", "#..", "#.#"]), 2, 1).sort()).toEqual(["1,1", "1,2", "2,1"])
    expect(floodCells(docOf(ROOM), 9, 9)).toEqual([])
    expect(floodCells(docOf([]), 3, 3)).toEqual(["3,3"])
  })
})

describe("columns and rows", () => {
  test("are copied and cut", () => {
    expect(rowsOf(withLineCopied(docOf(ROOM), 0, 1))).toEqual(["#####", "#...#", "#####"])
    expect(rowsOf(withLineCopied(docOf(ROOM), 1, 1, 2))).toEqual(["####", "#..#", "#..#", "#..#", "####"])
    expect(rowsOf(withoutLines(docOf(ROOM), 0, 1))).toEqual(["###", "#.#", "###"])
    const one = docOf(["#"])
    expect(withoutLines(one, 0, 0)).toBe(one)
  })
  test("a wall pulled out and pushed back gives the same room, at every side", () => {
    for (const side of ["left", "right", "top", "bottom"] as const) {
      const doc = docOf(ROOM)
      const out = withSidePulled(doc, side, 3)
      const [before, after] = [boxOf(doc.cells.keys()), boxOf(out.cells.keys())]
      expect((after?.width ?? 0) + (after?.height ?? 0)).toBe((before?.width ?? 0) + (before?.height ?? 0) + 3)
      if (side === "right" || side === "bottom") expect([after?.x, after?.y]).toEqual([0, 0])
      else expect((after?.x ?? 0) + (after?.y ?? 0)).toBe(-3)
      expect(withSidePulled(out, side, -3).cells).toEqual(doc.cells)
    }
  })
  test("a room is never pushed together to less than two walls", () => {
    expect(rowsOf(withSidePulled(docOf(ROOM), "right", -99))).toEqual(["##", "##", "##"])
    const doc = docOf(["##"])
    expect(withSidePulled(doc, "right", -1)).toBe(doc)
    expect(withSidePulled(doc, "left", 0)).toBe(doc)
  })
})

describe("partitions", () => {
  test("are added with a free name, growing as the chosen one does", () => {
    const like = part(1, { x: { ...FREE_AXIS, locked: true } })
    const first = withNewPart(docOf(ROOM, [part(901), part(902)]), like)
    const second = withNewPart(first.doc, undefined)
    expect(second.doc.parts.slice(2).map((one) => one.name)).toEqual(["new", "new 2"])
    expect(partOf(first.doc, first.id)?.x.locked).toBe(true)
    expect(first.id).not.toBe(second.id)
  })
  test("are removed: their cells go to the base", () => {
    const doc = withoutPart(docOf(ROOM), 1)
    expect(cellsOfPart(doc, BASE)).toHaveLength(12)
    expect(doc.parts.map((one) => one.id)).toEqual([2])
    expect(cellsOfPart(withCellsReassigned(docOf(ROOM), 1, OVERLAY), OVERLAY)).toHaveLength(12)
  })
  test("change places, within the list", () => {
    const doc = docOf(ROOM, [part(1), part(2), part(3)])
    expect(withPartMoved(doc, 1, 2).parts.map((one) => one.id)).toEqual([2, 3, 1])
    expect(withPartMoved(doc, 3, -5).parts.map((one) => one.id)).toEqual([3, 1, 2])
    expect(withPartMoved(doc, 1, 0)).toBe(doc)
    expect(withPartMoved(doc, 99, 0)).toBe(doc)
    expect(partOf(withPart(doc, 2, { name: "x" }), 2)?.name).toBe("x")
  })
  test("an amount that grows from the centre is even", () => {
    const doc = docOf(ROOM)
    const both = withGrowth(doc, 1, "x", { direction: 0 })
    expect(partOf(both.doc, 1)?.x.amount).toBe(2)
    expect(both.said).toContain("2")
    expect(partOf(withGrowth(both.doc, 1, "x", { amount: 3 }).doc, 1)?.x.amount).toBe(4)
    expect(partOf(withGrowth(withGrowth(both.doc, 1, "x", { amount: 4 }).doc, 1, "x", { amount: 3 }).doc, 1)?.x.amount).toBe(2)
    expect(withGrowth(doc, 99, "x", {}).doc).toBe(doc)
  })
  test("a ratio needs both axes free, or both locked", () => {
    const doc = docOf(ROOM, [part(1, { ratio: true })])
    const locked = withGrowth(doc, 1, "x", { locked: true })
    expect(partOf(locked.doc, 1)?.ratio).toBe(false)
    expect(locked.said).toContain("ratio")
    expect(partOf(withGrowth(doc, 1, "x", { amount: 2 }).doc, 1)?.ratio).toBe(true)
  })
  test("have names", () => {
    const doc = docOf(ROOM, [part(1, { name: "" })])
    expect([partName(doc, BASE), partName(doc, OVERLAY), partName(doc, 1)]).toEqual(["base", "overlay", "partition 1"])
  })
})

describe("slots and sockets", () => {
  const marked = (): Doc => {
    const doc = docOf(ROOM)
    const cells = new Map(doc.cells)
    cells.set("1,1", { tile: "floor", part: 1, mark: { what: "slot", kind: "chest" } })
    cells.set("2,1", { tile: "floor", part: 1, mark: { what: "slot", kind: "chest" } })
    cells.set("0,1", { tile: "wall", part: 1, mark: { what: "socket", kind: "door", becomes: "door" } })
    return { ...doc, cells }
  }
  test("are listed once each", () => expect(marksOf(marked()).map((one) => one.mark.kind)).toEqual(["chest", "door"]))
  test("are changed wherever they are drawn, or taken away", () => {
    const from = { mark: { what: "slot", kind: "chest" } as const, tile: "floor" }
    const next = withMarkChanged(marked(), from, { mark: { what: "slot", kind: "bed" }, tile: "corridor" })
    expect(["1,1", "2,1"].map((one) => next.cells.get(one))).toEqual(Array(2).fill({ tile: "corridor", part: 1, mark: { what: "slot", kind: "bed" } }))
    expect(withMarkChanged(marked(), from, null).cells.get("1,1")).toEqual({ tile: "floor", part: 1 })
    expect(withMarkChanged(marked(), from, null).cells.get("0,1")?.mark?.what).toBe("socket")
  })
})

describe("layouts as data", () => {
  test("there and back is the same layout, whatever it is", () => {
    const random = randomFrom(51)
    for (let k = 0; k < 60; k++) {
      const parts = Array.from({ length: random.below(5) }, (_, at) => part(1000 + at, { name: `n${at}`, ratio: random.below(2) === 0, x: { locked: random.below(2) === 0, by: random.pick(["amount", "multiples"]), amount: 1 + random.below(4), direction: random.pick([-1, 0, 1]) } }))
      const cells = new Map<string, Cell>()
      for (let n = random.below(60); n > 0; n--)
        cells.set(cellKey(random.below(9) - 4, random.below(9) - 4), {
          tile: random.pick(["wall", "floor", "water"]),
          part: random.pick([BASE, OVERLAY, ...parts.map((one) => one.id)]),
          ...random.pick([{}, {}, { mark: { what: "slot", kind: "chest" } as const }, { mark: { what: "socket", kind: "gate", becomes: "opening" } as const }]),
        })
      const doc: Doc = { name: random.pick(["", "hall"]), tags: ["x"], flipX: false, flipY: true, parts, cells }
      const back = fromData(JSON.parse(JSON.stringify(toData(doc))), doc)
      expect(back).toEqual(doc)
    }
  })
  test("partitions keep who they are by their name, or by their place if they are renamed", () => {
    const doc = docOf(ROOM)
    const renamed = toData(withPart(doc, 2, { name: "other" }))
    expect(fromData(renamed, doc).parts.map((one) => one.id)).toEqual([1, 2])
    const swapped = toData(withPartMoved(doc, 1, 1))
    expect(fromData(swapped, doc).parts.map((one) => one.id)).toEqual([2, 1])
    expect(new Set(fromData(toData(doc)).parts.map((one) => one.id)).size).toBe(2)
  })
  test("data that says little has its usual values", () => {
    const doc = fromData({ excludedTiles: [], unscaledTiles: [{ tileType: "wall", position: "0,0", socket: "a" }], scalePartitions: [{ tiles: [] }] })
    expect(doc).toMatchObject({ name: "", tags: [], flipX: false, parts: [{ name: "", ratio: true, x: FREE_AXIS, y: FREE_AXIS }] })
    expect(doc.cells.get("0,0")?.mark).toEqual({ what: "socket", kind: "a", becomes: "door" })
  })
})
