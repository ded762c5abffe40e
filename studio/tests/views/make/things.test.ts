import { expect, test } from "vitest"
import type { PlacedThing, ThingRef } from "../../../src/server/protocol"
import { dataOfRows, inexactNumber, rowsOfData, type DataRow } from "../../../src/views/make/map/thing_data"
import { withThingChanged, type ThingEdits } from "../../../src/views/make/map/thing_edits"
import { randomFrom } from "../../support/random"

type Thing = Required<PlacedThing>
const thing = (kind: string, x: number, y: number, data: Record<string, unknown> = {}): Thing => ({ kind, x, y, data })

/** As the library applies the edits: `change_things` of `analysis/edits.py`. */
function applied(level: readonly Thing[], { placed, removed }: ThingEdits): Thing[] {
  const gone = [...removed]
  const rest = level.filter((one) => {
    const at = gone.findIndex((other) => other.kind === one.kind && other.x === one.x && other.y === one.y)
    if (at >= 0) gone.splice(at, 1)
    return at < 0
  })
  return [...rest, ...placed.map((one) => ({ data: {}, ...one }))]
}
const sorted = (things: readonly Thing[]): string[] => things.map((one) => JSON.stringify([one.kind, one.x, one.y, one.data])).sort()

test("a thing of the level that is changed is removed and placed, and one placed by hand is changed in the list", () => {
  const rat = thing("rat", 1, 1)
  const first = withThingChanged({ placed: [], removed: [] }, [rat], 0, thing("rat", 2, 1, { hp: 3 }))
  expect(first).toEqual({ placed: [{ kind: "rat", x: 2, y: 1, data: { hp: 3 } }], removed: [{ kind: "rat", x: 1, y: 1 }] })
  const second = withThingChanged(first, [thing("rat", 2, 1, { hp: 3 })], 0, thing("wolf", 2, 1))
  expect(second).toEqual({ placed: [{ kind: "wolf", x: 2, y: 1 }], removed: [{ kind: "rat", x: 1, y: 1 }] })
  expect(withThingChanged(second, [thing("wolf", 2, 1)], 0, null)).toEqual({ placed: [], removed: [{ kind: "rat", x: 1, y: 1 }] })
})

test("any change changes that thing and no other", () => {
  const { below: next } = randomFrom(3)
  for (let round = 0; round < 300; round++) {
    const some = (count: number): Thing[] => Array.from({ length: next(count) }, (_, at) => thing(["key", "rat"][next(2)] as string, next(2), 0, { number: next(3) + at * 10 }))
    const level = some(7)
    let edits: ThingEdits = { placed: some(4), removed: some(3).map(({ kind, x, y }): ThingRef => ({ kind, x, y })) }
    for (let change = 0; change < 4; change++) {
      const before = applied(level, edits)
      const x = next(2)
      const cell = before.filter((one) => one.x === x)
      if (!cell.length) continue
      const index = next(cell.length)
      const to = next(3) ? thing(["key", "orb"][next(2)] as string, next(2), 0, { number: 100 + change }) : null
      edits = withThingChanged(edits, cell, index, to)
      const expected = before.filter((one) => one !== cell[index])
      expect(sorted(applied(level, edits))).toEqual(sorted(to ? [...expected, to] : expected))
    }
  }
})

test("data keeps its types through the table", () => {
  const data = { name: "old", count: 2, half: -0.5, large: 2 ** 53 - 1, locked: true, open: false, empty: "", number: "3", contents: ["rope", { item: "torch", count: 2 }], at: { x: 1 }, none: [] }
  const read = dataOfRows(rowsOfData(data))
  expect(read).toEqual({ data })
  expect(rowsOfData(data).map((row) => row.kind)).toEqual(["text", "number", "number", "number", "yes", "no", "text", "text", "list", "list", "list"])
  expect(Object.keys((dataOfRows([{ key: "__proto__", kind: "text", text: "x" }]) as { data: object }).data)).toEqual(["__proto__"])
})

const row = (key: string, kind: DataRow["kind"], text: string): DataRow => ({ key, kind, text })
test.each([
  [[row("", "text", "x")], "needs a name"],
  [[row("a", "text", "x"), row("a", "yes", "")], "two values"],
  [[row("a", "number", "three")], "is a number"],
  [[row("a", "number", " ")], "is a number"],
  [[row("a", "number", "1e999")], "is too large"],
  [[row("a", "number", "9007199254740992")], "is too large"],
  [[row("a", "list", "[9007199254740992]")], "is a list"],
  [[row("a", "list", "rope")], "is a list"],
  [[row("a", "list", "[[1]]")], "is a list"],
  [[row("a", "list", '{"a": {"b": 1}}')], "is a list"],
  [[row("a", "list", "[null]")], "is a list"],
  [[row("a", "list", "3")], "is a list"],
  [[row("a", "list", JSON.stringify(Array(65).fill(1)))], "is a list"],
])("data that no thing can have is refused: %j", (rows, words) => {
  expect((dataOfRows(rows) as { problem: string }).problem).toContain(words)
})

test("a number that a browser does not hold exactly is found, also in lists and tables", () => {
  expect(inexactNumber({ gold: 7, more: [1, { n: 2 ** 53 - 1 }], name: "9007199254740993" })).toBe(null)
  for (const value of [2 ** 53, -(2 ** 60), [1, 2 ** 53], { n: 2 ** 53 }, [{ n: 1e300 }]]) expect(inexactNumber({ a: 1, big: value })).toBe("big")
})
