import { Text } from "@codemirror/state"
import { describe, expect, test } from "vitest"
import { rangeOf, sentence } from "../../src/editor/problem_text"
import type { Problem } from "../../src/server/protocol"

describe("a sentence", () => {
  test.each([
    ["no such step", "No such step."],
    ["no such step?", "No such step?"],
    ["  trimmed. ", "Trimmed."],
    ["room_size is none", "room_size is none."],
    ["'x' is unknown", "'x' is unknown."],
    ["it's wrong", "It's wrong."],
    ["a", "A."],
    ["Écrit", "Écrit."],
  ])("%s", (text, said) => expect(sentence(text)).toBe(said))
})

describe("the place of a problem", () => {
  const doc = Text.of(["name = true", '  use = "no such step"', ""])
  const at = (line: number, column: number, change?: Problem["change"]): string | null => {
    const range = rangeOf({ problem: "", fix: "", place: { file: "", line, column }, ...(change ? { change } : {}) }, doc)
    return range && doc.sliceString(range.from, range.to)
  }
  test("is the word there", () => {
    expect(at(1, 1)).toBe("name")
    expect(at(1, 6)).toBe("=")
    expect(at(2, 9)).toBe('"no such step"')
  })
  test("is what the change replaces, if there is one", () => expect(at(1, 1, { line: 2, column: 3, length: 3, text: "", label: "" })).toBe("use"))
  test("stays within its line and the text", () => {
    expect(at(1, 99)).toBe("")
    expect(at(99, 1)).toBe("")
    expect(at(0, 1)).toBe("name")
    expect(at(2, 21, { line: 2, column: 21, length: 99, text: "", label: "" })).toBe('p"')
  })
  test("is none if the problem has none", () => expect(rangeOf({ problem: "", fix: "", place: null }, doc)).toBeNull())
})
