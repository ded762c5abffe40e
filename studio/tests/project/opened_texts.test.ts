import { expect, test } from "vitest"
import { isOpenedText, noteOpened, noteRenamed, wasOpened } from "../../src/project/opened_texts"
import { isText, recallEach } from "../../src/state/storage"
import { randomFrom } from "../support/random"

test("a file is known by the text that was opened last", () => {
  expect(wasOpened("a.toml")).toBe(false)
  expect(isOpenedText("a.toml", "")).toBe(false)
  noteOpened("a.toml", "one")
  expect(wasOpened("a.toml")).toBe(true)
  expect(isOpenedText("a.toml", "one")).toBe(true)
  expect(isOpenedText("b.toml", "one")).toBe(false)
  noteOpened("a.toml", "two")
  expect(isOpenedText("a.toml", "one")).toBe(false)
  expect([...recallEach("drafts/opened", isText).keys()]).toEqual(["a.toml"])
})

test("what is known of a file follows it to another name", () => {
  noteOpened("old.toml", "one")
  noteRenamed("old.toml", "new.toml")
  noteRenamed("none.toml", "other.toml")
  expect(["old.toml", "new.toml", "other.toml"].map(wasOpened)).toEqual([false, true, false])
  expect(isOpenedText("new.toml", "one")).toBe(true)
  noteRenamed("new.toml", null)
  expect(wasOpened("new.toml")).toBe(false)
})

test("one letter is enough to tell two texts apart", () => {
  const random = randomFrom(2)
  for (let k = 0; k < 500; k++) {
    const text = Array.from({ length: 1 + random.below(60) }, () => String.fromCharCode(32 + random.below(90)))
    noteOpened("a.toml", text.join(""))
    const at = random.below(text.length)
    text[at] = text[at] === "x" ? "y" : "x"
    expect(isOpenedText("a.toml", text.join(""))).toBe(false)
  }
  noteOpened("a.toml", "ab")
  expect(isOpenedText("a.toml", "ba")).toBe(false)
})
