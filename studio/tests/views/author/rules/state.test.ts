import { beforeEach, describe, expect, test, vi } from "vitest"
import { adoptProject, changed, chosen, doc, drafts, edit, endGroup, future, past, redo, rule, showFile, typeText, undo } from "../../../../src/views/author/rules/state"
import { CRYPT } from "../../../support/rules"

beforeEach(() => {
  drafts.clear()
  showFile({ file: `f${Math.random()}.rules`, text: CRYPT, saved: CRYPT, seen: "1" })
})
const text = (): string | undefined => doc.peek()?.text

describe("undo and redo of a rules text", () => {
  test("go through all changes, with the rule that was chosen", () => {
    chosen.value = 1
    edit("a", { choose: 0 })
    edit("b")
    expect(undo()).toBe(true)
    expect(text()).toBe("a")
    undo()
    expect([text(), chosen.peek()]).toEqual([CRYPT, 1])
    expect(undo()).toBe(false)
    redo()
    redo()
    expect(text()).toBe("b")
    expect(redo()).toBe(false)
  })
  test("take changes of one group that follow each other closely together", () => {
    vi.useFakeTimers()
    for (const next of ["1", "2", "3"]) edit(next, { of: "stroke" })
    expect(past.peek()).toHaveLength(1)
    vi.advanceTimersByTime(1300)
    edit("4", { of: "stroke" })
    endGroup()
    edit("5", { of: "stroke" })
    expect(past.peek()).toHaveLength(3)
    vi.useRealTimers()
  })
  test("a change ends what could be redone; the same text is no change", () => {
    edit("a")
    undo()
    edit(CRYPT)
    expect(future.peek()).toHaveLength(1)
    edit("c")
    expect(future.peek()).toEqual([])
  })
  test("remember 300 steps or so", () => {
    for (let k = 0; k < 400; k++) edit(`x${k}`)
    expect(past.peek().length).toBeLessThanOrEqual(301)
    expect(past.peek().at(-1)?.text).toBe("x398")
  })
  test("begin anew with another file", () => {
    edit("a")
    showFile({ file: "other.rules", text: "", saved: null, seen: "" })
    expect(undo()).toBe(false)
  })
})

describe("drafts", () => {
  test("are what differs from the disk, and come back in their project", () => {
    const file = doc.peek()?.file ?? ""
    expect(changed.peek()).toBe(false)
    edit("mine")
    expect(changed.peek()).toBe(true)
    expect(drafts.get(file)?.text).toBe("mine")
    edit(CRYPT)
    expect(drafts.has(file)).toBe(false)
    edit("mine")
    adoptProject("/another")
    expect(doc.peek()).toBeNull()
    expect(drafts.size).toBe(0)
  })
})

test("while one types, the chosen rule stays chosen by its name", () => {
  chosen.value = 1
  expect(rule.peek()?.name).toBe("room")
  typeText(CRYPT.replace("one  start, once", "one  first\n    . -> #\n\none  start, once"))
  expect(rule.peek()?.name).toBe("room")
  expect(chosen.peek()).toBe(2)
})
