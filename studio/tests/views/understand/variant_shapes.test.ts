import { describe, expect, test } from "vitest"
import { POSITIONS, turned, unturned, variantSize, writtenCells } from "../../../src/views/understand/rules/variant_shapes"

describe("rows turned and mirrored", () => {
  test("clockwise by quarters, mirrored before that", () => {
    const rows = ["ab", "cd", "ef"]
    expect(turned(rows, 0)).toEqual(rows)
    expect(turned(rows, 1)).toEqual(["eca", "fdb"])
    expect(turned(rows, 2)).toEqual(["fe", "dc", "ba"])
    expect(turned(rows, 3)).toEqual(["bdf", "ace"])
    expect(turned(rows, 4)).toEqual(["ba", "dc", "fe"])
    expect(turned(rows, 5)).toEqual(["fdb", "eca"])
  })
  test("four quarters are none", () => expect(turned(turned(turned(turned(["abc"], 1), 1), 1), 1)).toEqual(["abc"]))
  test("signs of two code units stay whole", () => expect(turned(["🦇b"], 4)).toEqual(["b🦇"]))
})

test("a cell of any variant is found in the pattern as it is drawn", () => {
  for (const rows of [["abc", "def"], ["ab", "cd", "ef"], ["a"], ["abcd"]])
    for (let variant = 0; variant < 8; variant++) {
      const size: [number, number] = [rows[0]?.length ?? 0, rows.length]
      const shown = turned(rows, variant)
      expect([shown[0]?.length, shown.length]).toEqual(variantSize(size, variant))
      shown.forEach((row, y) =>
        [...row].forEach((sign, x) => {
          const [ox, oy] = unturned([x, y], variant, size)
          expect(rows[oy]?.[ox]).toBe(sign)
        }),
      )
    }
  expect(POSITIONS).toHaveLength(8)
})

test("cells that a rule would write are those that its results change", () => {
  expect(writtenCells(["?#", ".."], [["?.", ".?"]], 0)).toEqual([[1, 0]])
  expect(writtenCells(["#."], [["#.", ".."], ["##"]] as string[][], 0)).toEqual([[0, 1], [1, 1], [1, 0]])
  expect(writtenCells(["#."], [["#~"]], 2)).toEqual([[0, 0]])
  expect(writtenCells(["#."], [["??"]], 0)).toEqual([])
})
