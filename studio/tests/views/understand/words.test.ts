import { describe, expect, test } from "vitest"
import { STANDARD_TILES } from "../../../src/canvas/standard_tiles"
import { capitalised, writesToShow } from "../../../src/views/understand/cell/card_text"
import { bestPlace, type Box, type Hidden } from "../../../src/views/understand/cell/card_placement"
import { refusedText } from "../../../src/editor/refusal_text"
import { countText } from "../../../src/views/understand/counts"
import type { Row } from "../../../src/views/understand/rules/explanations"
import { firedText, firstClause, placeText, tileName } from "../../../src/views/understand/rules/rule_words"
import { randomFrom } from "../../support/random"

test("counts in words", () => {
  expect(countText(1, "cell")).toBe("1 cell")
  expect(countText(0, "cell")).toBe("0 cells")
  expect(countText(1200, "match", "matches")).toBe("1,200 matches")
})

test("how often a rule fired", () => {
  const fired = (now: number, all: number): string => firedText({ firedNow: now, fired: all } as Row)
  expect([fired(0, 0), fired(0, 5), fired(1, 5), fired(1234, 2000)]).toEqual(["never fired", "not yet", "fired once", "fired 1,234"])
})

test("how often guards refused a rule", () => {
  expect(refusedText({ refused: 0, guards: [] })).toBe("")
  expect(refusedText({ refused: 1, guards: ["keep count(+) <= 2"] })).toBe("keep count(+) <= 2 refused it once")
  expect(refusedText({ refused: 1234, guards: ["a", "b"] })).toBe("a and b refused it 1,234 times")
})

test("short words about rules and cells", () => {
  expect(firstClause("digs a maze: by walking. And more")).toBe("digs a maze")
  expect(placeText([1, 1], [3, 3], 0)).toBe("middle")
  expect(placeText([0, 0], [3, 3], 5)).toBe("top left")
  expect(placeText([2, 2], [3, 3], 0)).toBe("bottom right")
  expect(placeText([0, 0], [1, 1], 3)).toBe("only")
  expect(placeText([1, 0], [3, 2], 1)).toBe("(2, 1)")
  expect(tileName("#", STANDARD_TILES)).toBe("wall")
  expect(tileName("X", STANDARD_TILES)).toBe("void")
  expect(tileName("Ω", STANDARD_TILES)).toBe("")
  expect(capitalised("floor")).toBe("Floor")
  expect(capitalised("")).toBe("")
})

describe("writes on the card", () => {
  const writes = Array.from({ length: 12 }, (_, k) => ({ turn: 120 - k * 10, source: "", old: 0, new: 0 }))
  const turns = (here: number): number[] => writesToShow(writes, here).map((one) => one.turn)
  test("are all if they are few", () => expect(writesToShow(writes.slice(0, 5), 0)).toHaveLength(5))
  test("are five round the playhead", () => {
    expect(turns(120)).toEqual([120, 110, 100, 90, 80])
    expect(turns(75)).toEqual([80, 70, 60, 50, 40])
    expect(turns(10)).toEqual([50, 40, 30, 20, 10])
    expect(turns(0)).toHaveLength(5)
  })
})

describe("the place of the card", () => {
  const room: Box = { x: 0, y: 44, width: 800, height: 556 }
  const card = { width: 260, height: 180 }
  const hidden = (about: Box, more: Partial<Hidden> = {}): Hidden => ({ about, points: [], ground: () => false, ...more })
  test("never covers its cell, and lies in its room", () => {
    const random = randomFrom(14)
    for (let k = 0; k < 200; k++) {
      const about: Box = { x: random.below(790), y: 44 + random.below(546), width: 10, height: 10 }
      const points = Array.from({ length: 40 }, () => ({ x: random.below(800), y: random.below(600), weight: 30 }))
      const { x, y } = bestPlace(card, room, hidden(about, { points }))
      expect(x).toBeGreaterThanOrEqual(12)
      expect(y).toBeGreaterThanOrEqual(56)
      expect(x + card.width).toBeLessThanOrEqual(788)
      expect(y + card.height).toBeLessThanOrEqual(588)
      expect(x < about.x + 16 && x + card.width > about.x - 6 && y < about.y + 16 && y + card.height > about.y - 6).toBe(false)
    }
  })
  test("leaves points that matter free, and ground if it can", () => {
    const about: Box = { x: 395, y: 300, width: 10, height: 10 }
    const right = Array.from({ length: 60 }, (_, k) => ({ x: 420 + k * 6, y: 310, weight: 50 }))
    expect(bestPlace(card, room, hidden(about, { points: right })).x).toBeLessThan(395)
    expect(bestPlace(card, room, hidden(about, { ground: (x) => x < 410 })).x).toBeGreaterThan(405)
  })
  test("is found in a room that is too small", () => expect(bestPlace(card, { x: 0, y: 0, width: 100, height: 100 }, hidden({ x: 50, y: 50, width: 5, height: 5 }))).toEqual({ x: 12, y: 12 }))
})
