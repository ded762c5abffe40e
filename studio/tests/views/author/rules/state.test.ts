import { beforeEach, describe, expect, test, vi } from "vitest"
import { changed, chosen, doc, drafts, edit, endGroup, future, past, redo, renameDrafts, rule, showFile, typeText, undo } from "../../../../src/views/author/rules/state"
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
  test("are what differs from the disk", () => {
    const file = doc.peek()?.file ?? ""
    expect(changed.peek()).toBe(false)
    edit("mine")
    expect(changed.peek()).toBe(true)
    expect(drafts.get(file)?.text).toBe("mine")
    edit(CRYPT)
    expect(drafts.has(file)).toBe(false)
  })
})

test("while one types, the chosen rule stays chosen by its name", () => {
  chosen.value = 1
  expect(rule.peek()?.name).toBe("room")
  typeText(CRYPT.replace("one  start, once", "one  first\n    . -> #\n\none  start, once"))
  expect(rule.peek()?.name).toBe("room")
  expect(chosen.peek()).toBe(2)
})

test("drafts follow their file, and rules in a recipe follow the recipe", () => {
  const draft = (file: string) => ({ file, text: `${file} here`, saved: "on disk", seen: "1" })
  drafts.set("moss.rules", draft("moss.rules"))
  drafts.set("hall.toml/dig.rules", { ...draft("hall.toml/dig.rules"), of: { recipe: "hall.toml", step: "dig" } })
  showFile(draft("open.rules"))
  renameDrafts("moss.rules", "deep/moss.rules")
  renameDrafts("hall.toml", "nave.toml")
  renameDrafts("open.rules", "shut.rules")
  expect(doc.peek()).toMatchObject({ file: "shut.rules", text: "open.rules here", saved: "on disk", seen: "1" })
  expect(Object.fromEntries([...drafts].map(([file, one]) => [file, one.text]))).toEqual({
    "deep/moss.rules": "moss.rules here",
    "nave.toml/dig.rules": "hall.toml/dig.rules here",
    "shut.rules": "open.rules here",
  })
  expect(drafts.get("nave.toml/dig.rules")?.of).toEqual({ recipe: "nave.toml", step: "dig" })
})
