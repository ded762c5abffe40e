import { expect, test } from "vitest"
import { css, mix, pixel, RAMP, ramp, rgb, tint, TINTS, type Rgb } from "../../src/canvas/colours"

test("colours are read with three and with six digits", () => {
  expect(rgb("#ff8001")).toEqual([255, 128, 1])
  expect(rgb("#f80")).toEqual([255, 136, 0])
  expect(rgb("#FFF")).toEqual([255, 255, 255])
})

test("a mix goes from one colour to the other", () => {
  const [a, b]: Rgb[] = [[0, 100, 255], [100, 0, 255]] as Rgb[]
  expect(mix(a as Rgb, b as Rgb, 0)).toEqual(a)
  expect(mix(a as Rgb, b as Rgb, 1)).toEqual(b)
  expect(mix(a as Rgb, b as Rgb, 0.25)).toEqual([25, 75, 255])
})

test("CSS gets whole numbers", () => {
  expect(css([1.4, 2.6, 3])).toBe("rgba(1,3,3,1)")
  expect(css([0, 0, 0], 0.5)).toBe("rgba(0,0,0,0.5)")
})

test("a pixel has red in its lowest byte, and is never negative", () => {
  expect(pixel([0x12, 0x34, 0x56])).toBe(0xff563412)
  expect(pixel([1, 2, 3], 0)).toBe(0x030201)
  expect(pixel([255, 255, 255])).toBeGreaterThan(0)
})

test("the ramp meets its steps, ends at its ends, and does not jump", () => {
  expect(ramp(0)).toEqual(RAMP[0])
  expect(ramp(1)).toEqual(RAMP.at(-1))
  expect(ramp(-3)).toEqual(RAMP[0])
  expect(ramp(7)).toEqual(RAMP.at(-1))
  RAMP.forEach((step, at) => ramp(at / (RAMP.length - 1)).forEach((part, k) => expect(part).toBeCloseTo(step[k] as number)))
  for (let k = 0; k < 1000; k++) {
    const [one, next] = [ramp(k / 1000), ramp((k + 1) / 1000)]
    one.forEach((part, at) => expect(Math.abs(part - (next[at] as number))).toBeLessThan(1))
  }
  expect(ramp(0.5, true)).not.toEqual(ramp(0.5))
})

test("every region has a tint, and neighbours have others", () => {
  for (const id of [-25, -1, 0, 1, 9, 10, 1234567]) expect(TINTS).toContainEqual(tint(id))
  for (let id = 0; id < 40; id++) expect(tint(id)).not.toEqual(tint(id + 1))
})
