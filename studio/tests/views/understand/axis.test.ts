import { describe, expect, test } from "vitest"
import type { Act } from "../../../src/views/understand/timeline/acts"
import { Axis, clamped, roundStep, zoomed } from "../../../src/views/understand/timeline/axis"
import { actAtX, laneInk, RIGHT_MARGIN, unitOf, xOf, type Look } from "../../../src/views/understand/timeline/draw_lanes"
import type { Run } from "../../../src/views/understand/state"
import { rewriteRate } from "../../../src/views/understand/timeline/playback"

/** Acts with so many turns each. */
function acts(...counts: number[]): Act[] {
  let at = 0
  return counts.map((count, index) => {
    const first = at + 1
    at += count
    return { id: `s${index}`, use: "", about: "", first, last: at, number: index + 1 }
  })
}
const axisOf = (...counts: number[]): Axis => new Axis(acts(...counts), 1 + counts.reduce((a, b) => a + b, 0))

describe("an axis", () => {
  test("gives every step room, also those with few turns or none", () => {
    const axis = axisOf(1, 0, 10_000)
    const wide = axis.pieces.map((piece) => (piece.to - piece.from) / axis.units)
    expect(wide[0]).toBeGreaterThan(0.04)
    expect(wide[1]).toBeGreaterThan(0.03)
    expect(wide[2]).toBeGreaterThan(0.85)
    expect(axis.pieces[0]?.from).toBe(0)
    axis.pieces.slice(1).forEach((piece, at) => expect(piece.from).toBe(axis.pieces[at]?.to))
  })
  test("has a unit a turn where a step is long", () => expect(axisOf(1, 10_000).unitsPerTurn(500)).toBeCloseTo(1))
  test("leads from a turn to its place and back, with every mixture of steps", () => {
    for (const counts of [[5], [1, 1, 1], [0, 3, 0, 0, 7, 0], [1, 0, 900, 2], [40, 3]]) {
      const axis = axisOf(...counts)
      const last = counts.reduce((a, b) => a + b, 0)
      let before = -1
      for (let turn = 1; turn <= last; turn++) {
        const [from, to] = axis.span(turn)
        expect(to).toBeGreaterThan(from)
        expect(from).toBeGreaterThan(before - 1e-9)
        before = from
        expect(axis.turn(to - 1e-6)).toBe(turn)
        expect(axis.turnOver((from + to) / 2)).toBe(turn)
        expect(axis.at(turn)).toBeGreaterThanOrEqual(to - 1e-9)
      }
      expect(axis.at(last)).toBeCloseTo(axis.units)
      expect(axis.turn(-5)).toBe(0)
      expect(axis.turn(axis.units + 5)).toBe(last)
    }
  })
  test("puts the playhead behind steps that wrote nothing", () => {
    const axis = axisOf(0, 3, 0, 2)
    expect(axis.at(0)).toBe(axis.pieces[0]?.to)
    expect(axis.at(3)).toBe(axis.pieces[2]?.to)
  })
  test("may be empty", () => {
    const axis = new Axis([], 1)
    expect(axis.at(0)).toBe(0)
    expect(axis.turn(3)).toBe(0)
    expect(axis.span(1)).toEqual([0, 0])
  })
})

describe("the window of time", () => {
  test("zooms about a place, which stays where it is", () => {
    const next = zoomed({ from: 0, to: 1000 }, 1000, 4, 250)
    expect(next.to - next.from).toBe(250)
    expect((250 - next.from) / 250).toBeCloseTo(0.25)
  })
  test("is never wider than all, nor narrower than a dozen units", () => {
    expect(zoomed({ from: 100, to: 200 }, 1000, 1e-9, 150)).toEqual({ from: 0, to: 1000 })
    const near = zoomed({ from: 100, to: 200 }, 1000, 1e9, 150)
    expect(near.to - near.from).toBeCloseTo(12)
    expect(zoomed({ from: 0, to: 5 }, 5, 100, 2)).toEqual({ from: 0, to: 5 })
  })
  test("stays within time", () => {
    expect(clamped({ from: -50, to: 50 }, 1000)).toEqual({ from: 0, to: 100 })
    expect(clamped({ from: 950, to: 1050 }, 1000)).toEqual({ from: 900, to: 1000 })
    expect(clamped({ from: 0, to: 5000 }, 1000)).toEqual({ from: 0, to: 1000 })
  })
})

test("steps of a ruler are round", () => {
  expect([0.2, 1, 1.5, 2, 3, 7, 10, 11, 26, 600].map(roundStep)).toEqual([1, 1, 2, 2, 5, 10, 10, 20, 50, 1000])
})

describe("places on the screen", () => {
  const look: Look = { width: 1000, height: 100, ratio: 1, left: 150, scroll: 0, window: { from: 20, to: 120 }, light: false, colour: () => "" }
  test("go from the left margin to the right one, and back", () => {
    expect(xOf(20, look)).toBe(150)
    expect(xOf(120, look)).toBe(1000 - RIGHT_MARGIN)
    for (let unit = 0; unit < 200; unit += 7) expect(unitOf(xOf(unit, look), look)).toBeCloseTo(unit)
  })
  test("know the step that lies there", () => {
    const axis = axisOf(50, 70)
    const run = { axis } as unknown as Run
    expect(actAtX(run, xOf(30, look), look)?.id).toBe("s0")
    expect(actAtX(run, xOf(51, look), look)?.id).toBe("s1")
    expect(actAtX(run, xOf(500, look), look)).toBeNull()
  })
})

test("there are inks for any number of lanes", () => {
  for (let at = 0; at < 30; at++) expect(laneInk(at, at % 2 === 0)).toMatch(/^#[0-9a-f]{6}$/)
  expect(laneInk(0, false)).not.toBe(laneInk(1, false))
})

test("at most speed a long run takes three seconds, and a short one is no slower than at 64", () => {
  expect(rewriteRate("1", 100)).toBe(6)
  expect(rewriteRate("8", 100)).toBe(48)
  expect(rewriteRate("max", 30_000)).toBe(10_000)
  expect(rewriteRate("max", 10)).toBe(rewriteRate("64", 10))
})
