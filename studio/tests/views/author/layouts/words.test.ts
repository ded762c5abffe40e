import { describe, expect, test } from "vitest"
import type { LayoutSize } from "../../../../src/server/protocol"
import { BASE, cellKey, FREE_AXIS, type Axis, type Doc, type Part } from "../../../../src/views/author/layouts/model"
import { cellCount, growthText, hint, ordinal } from "../../../../src/views/author/layouts/partitions/partition_words"
import { cellsAfterStep } from "../../../../src/views/author/layouts/partitions/step_cells"
import { refusal, sizeDifference, sizeKey, verdict } from "../../../../src/views/author/layouts/sizes/size_words"
import { layoutLanguage } from "../../../../src/views/author/layouts/text/language"
import { readableInk, translucent } from "../../../../src/views/author/layouts/drawing/ink"
import { tokensOf } from "../../../support/tokens"

const head = (size: [number, number], made: [number, number] | null, near: [number, number][] = []): LayoutSize => ({ size, made, exact: made !== null && made.join() === size.join(), near })

describe("a size", () => {
  test("as it came out", () => {
    expect(verdict(head([9, 7], [9, 7]))).toBe("exact")
    expect(verdict(head([9, 7], null))).toBe("cannot be made")
    expect(verdict(head([9, 7], [8, 7]))).toBe("one narrower")
    expect(verdict(head([9, 7], [11, 4]))).toBe("two wider, three lower")
    expect(verdict(head([9, 7], [9, 27]))).toBe("20 higher")
    expect([sizeDifference(head([9, 7], [8, 4])), sizeDifference(head([9, 7], [9, 7])), sizeDifference(head([9, 7], null))]).toEqual([3, 0, 0])
    expect(sizeKey([9, 7])).toBe("9x7")
  })
  test("that is refused, with those that would do", () => {
    expect(refusal(head([11, 7], null, [[9, 7], [12, 7]]))).toEqual({ fault: "11 wide", works: "9 or 12 only" })
    expect(refusal(head([11, 7], null, [[11, 6], [11, 6]]))).toEqual({ fault: "7 high", works: "6 only" })
    expect(refusal(head([11, 7], null, [[9, 6]]))).toEqual({ fault: "11 × 7", works: "try 9 × 6" })
    expect(refusal(head([11, 7], null))).toEqual({ fault: "11 × 7", works: "no size near" })
  })
})

describe("one step of growth", () => {
  const after = (many: number, axis: Partial<Axis>): string => cellsAfterStep(many, { ...FREE_AXIS, ...axis }).map((cell) => `${cell.from}${cell.fresh ? "+" : ""}`).join(" ")
  test("clones the last cell, the first, or both", () => {
    expect(after(3, { amount: 2, direction: 1 })).toBe("0 1 2 2+ 2+")
    expect(after(3, { amount: 1, direction: -1 })).toBe("0+ 0 1 2")
    expect(after(3, { amount: 2, direction: 0 })).toBe("0+ 0 1 2 2+")
  })
  test("or doubles every cell, and makes three of a middle", () => {
    expect(after(2, { by: "multiples" })).toBe("0 0+ 1 1+")
    expect(after(3, { by: "multiples", direction: 0 })).toBe("0 0+ 1 1+ 1+ 2 2+")
    expect(after(4, { by: "multiples", direction: 0 }).split(" ")).toHaveLength(8)
  })
})

describe("partitions in words", () => {
  const part = (x: Partial<Axis>, y: Partial<Axis>, ratio = false): Part => ({ id: 1, name: "p", colour: "", icon: "", ratio, x: { ...FREE_AXIS, ...x }, y: { ...FREE_AXIS, ...y } })
  test("how they grow", () => {
    expect(growthText(part({ direction: -1, amount: 2 }, { by: "multiples", direction: 0 }, true))).toBe("left by 2, up and down doubling, ratio locked")
    expect(growthText(part({ locked: true }, { locked: true }))).toBe("across locked, down locked")
  })
  test("what a step does", () => {
    const doc: Doc = { name: "", tags: [], flipX: false, flipY: false, parts: [], cells: new Map([0, 1, 2].map((x) => [cellKey(x, 0), { tile: "wall", part: 1 }])) }
    const say = (x: Partial<Axis>, of = doc): string => hint(of, part(x, {}), "x", part(x, {}).x, "column")
    expect(say({})).toBe("The last cell of every row is cloned.")
    expect(say({ direction: -1, amount: 3 })).toBe("The first cell of every row is cloned 3 times.")
    expect(say({ direction: 0, amount: 2 })).toContain("Half")
    expect(say({ by: "multiples" })).toContain("3, 6, 12 and so on.")
    expect(say({ by: "multiples", direction: 0 })).toContain("3, 7, 15 and so on.")
    expect(say({}, { ...doc, cells: new Map([["0,0", { tile: "wall", part: BASE }]]) })).toContain("No cell")
  })
  test("counts", () => {
    expect([cellCount(1), cellCount(0), cellCount(12)]).toEqual(["1 cell", "0 cells", "12 cells"])
    expect([ordinal(1), ordinal(8), ordinal(9)]).toEqual(["first", "eighth", "as number 9"])
  })
})

test("inks can be read on their ground", () => {
  expect([readableInk("#ffffff"), readableInk("#000000"), readableInk("#ffff00"), readableInk("#0000ff")]).toEqual(["#14161f", "#ffffff", "#14161f", "#ffffff"])
  expect(translucent("#10ff00", 0.5)).toBe("rgba(16,255,0,0.5)")
})

test("the colours of a layout's text", () => {
  expect(tokensOf(layoutLanguage, "scale   w = walls, right by 1 ; c\n    ##  |  ww")).toEqual([["scale", "heading"], ["w", "propertyName"], ["right", "operator"], ["by", "operator"], ["1", "number"], ["; c", "comment"]])
})
