import { expect, test } from "vitest"
import { difference } from "../../src/editor/text_difference"
import { randomFrom } from "../support/random"

const applied = (from: string, to: string): string => {
  const change = difference(from, to)
  return change ? from.slice(0, change.from) + change.insert + from.slice(change.to) : from
}

test("equal texts do not differ", () => expect(difference("abc", "abc")).toBeNull())
test.each([
  ["", "abc", { from: 0, to: 0, insert: "abc" }],
  ["abc", "", { from: 0, to: 3, insert: "" }],
  ["abc", "abXc", { from: 2, to: 2, insert: "X" }],
  ["0.45", "0.5", { from: 2, to: 3, insert: "" }],
  ["aaa", "aa", { from: 2, to: 3, insert: "" }],
])("%j to %j", (from, to, change) => expect(difference(from, to)).toEqual(change))
test("it makes one text of the other, and changes no letter that is the same at an end", () => {
  const random = randomFrom(9)
  const text = (): string => Array.from({ length: random.below(12) }, () => random.pick(["a", "b", "\n"])).join("")
  for (let k = 0; k < 2000; k++) {
    const [from, to] = [text(), text()]
    expect(applied(from, to)).toBe(to)
    const change = difference(from, to)
    if (change && change.insert && change.to > change.from) {
      expect(from[change.from]).not.toBe(change.insert[0])
      expect(from[change.to - 1]).not.toBe(change.insert.at(-1))
    }
  }
})
