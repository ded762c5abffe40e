import { describe, expect, test } from "vitest"
import { pixel, rgb, tint, mix } from "../../src/canvas/colours"
import { paintCells, STYLE_INKS, STYLE_BACKGROUNDS, type Inks } from "../../src/canvas/sketch"
import { STANDARD_TILES } from "../../src/canvas/standard_tiles"
import { tilesOf } from "../support/levels"

const plain = STYLE_INKS.plain as Inks

/** The pixels of a level; `at` is one of them by its cell and its place within that. */
function painted(rows: string[], inks: Inks, cell: number, labels?: number[]): { out: Uint32Array; at: (x: number, y: number, dx?: number, dy?: number) => number } {
  const [width, height] = [rows[0]?.length ?? 0, rows.length]
  const out = new Uint32Array(width * height * cell * cell)
  paintCells(out, { width, height, tiles: tilesOf(rows), palette: STANDARD_TILES, ...(labels ? { labels } : {}) }, inks, cell)
  return { out, at: (x, y, dx = cell >> 1, dy = cell >> 1) => out[(y * cell + dy) * width * cell + x * cell + dx] as number }
}

describe("one cell is one colour", () => {
  test("by its role", () => {
    const { at } = painted([".,~: "], plain, 4)
    expect(at(0, 0)).toBe(pixel(plain.floor))
    expect(at(1, 0)).toBe(pixel(plain.corridor))
    expect(at(2, 0)).toBe(pixel(plain.water))
    expect(at(3, 0)).toBe(pixel(plain.pit))
    expect(at(4, 0)).toBe(0)
  })
  test("walls are drawn beside ground only, and only if the style has them", () => {
    const walled = { ...plain, wall: rgb("#123456") }
    const { at } = painted([".###"], walled, 4)
    expect(at(1, 0)).toBe(pixel(rgb("#123456")))
    expect(at(2, 0)).toBe(0)
    expect(painted([".#"], plain, 4).at(1, 0)).toBe(0)
  })
  test("regions tint their ground, but not water", () => {
    const tinted = { ...plain, tinted: 0.5 }
    const { at } = painted(["..~"], tinted, 4, [3, 0, 3])
    expect(at(0, 0)).toBe(pixel(mix(plain.floor, tint(3), 0.5)))
    expect(at(1, 0)).toBe(pixel(plain.floor))
    expect(at(2, 0)).toBe(pixel(plain.water))
  })
})

test("lines stand between ground and rock, not between cells of ground", () => {
  const lined = { ...plain, line: rgb("#ff0000") }
  const { at } = painted(["#..#"], lined, 9)
  const line = pixel(rgb("#ff0000"))
  expect(at(1, 0, 0, 4)).toBe(line)
  expect(at(2, 0, 8, 4)).toBe(line)
  expect(at(1, 0, 8, 4)).not.toBe(line)
  expect(at(1, 0, 4, 0)).toBe(line)
})

test("a door is a bar across the way", () => {
  const { at } = painted(["#.#", "#+#", "#.#"], plain, 9)
  const door = pixel(plain.door)
  expect(at(1, 1, 0, 4)).toBe(door)
  expect(at(1, 1, 4, 0)).not.toBe(door)
  const across = painted(["###", ".+.", "###"], plain, 9)
  expect(across.at(1, 1, 4, 0)).toBe(door)
  expect(across.at(1, 1, 0, 4)).not.toBe(door)
})

test("every style draws every tile, and nothing beyond the image", () => {
  for (const inks of Object.values(STYLE_INKS)) {
    const { out } = painted(["######", "#.,+'#", "#LS~:#", "#o<>.#", "######"], inks, 8, Array.from({ length: 30 }, (_, k) => k % 4))
    expect(out.length).toBe(30 * 64)
    expect(out.some((word) => word !== 0)).toBe(true)
  }
  for (const name of Object.keys(STYLE_BACKGROUNDS)) expect(STYLE_INKS[name]).toBeDefined()
})
