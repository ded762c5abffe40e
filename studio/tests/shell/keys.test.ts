import { describe, expect, test } from "vitest"
import { activeKeys, handle, keyOf, KEYS, pressName, runKey, type KeyName } from "../../src/shell/keys"
import { view } from "../../src/state/navigation"

const press = (key: string, more: Partial<KeyboardEvent> = {}): string => pressName({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more } as KeyboardEvent)

describe("a key press has one name", () => {
  test.each([
    [" ", {}, "Space"],
    ["c", {}, "C"],
    ["C", { shiftKey: true }, "Shift+C"],
    ["?", { shiftKey: true }, "?"],
    ["<", { shiftKey: true }, "Shift+<"],
    ["z", { ctrlKey: true }, "Ctrl+Z"],
    ["z", { metaKey: true, shiftKey: true }, "Ctrl+Shift+Z"],
    ["ArrowUp", { altKey: true }, "Alt+ArrowUp"],
    ["ArrowLeft", { shiftKey: true }, "Shift+ArrowLeft"],
    ["F8", {}, "F8"],
    ["+", { shiftKey: true }, "+"],
  ] as const)("%s %j", (key, more, name) => expect(press(key, more)).toBe(name))
})

test("no two entries that work in one view have the same key, but those that share a place on purpose", () => {
  const names = Object.keys(KEYS) as KeyName[]
  for (const place of ["make", "understand", "explore"] as const) {
    const own = names.filter((name) => keyOf(name).in?.includes(place)).flatMap((name) => keyOf(name).press)
    expect(new Set(own).size, place).toBe(own.length)
  }
})

test("entries that stand with another one name one that is shown", () => {
  for (const name of Object.keys(KEYS) as KeyName[]) {
    const key = keyOf(name)
    if (key.with === undefined) expect(key.label, name).not.toBe("")
    else {
      expect(keyOf(key.with as KeyName).with, name).toBeUndefined()
      expect(key.command, name).toBeTruthy()
    }
  }
})

test("the last who says what an entry does is asked, until they stop", () => {
  const done: string[] = []
  const stopFirst = handle("play", () => done.push("first"))
  const stopSecond = handle("play", () => done.push("second"))
  expect(runKey("play")).toBe(true)
  stopSecond()
  runKey("play")
  expect(done).toEqual(["second", "first"])
  view.value = "make"
  expect(activeKeys()).not.toContain("play")
  view.value = "understand"
  expect(activeKeys()).toContain("play")
  stopFirst()
  expect(activeKeys()).not.toContain("play")
  expect(runKey("play")).toBe(false)
})

test("a dialog's handler runs before those of views, also of one that was registered later", () => {
  const ran: string[] = []
  const stops = [handle("undo", () => ran.push("view")), handle("undo", () => ran.push("dialog"), true), handle("undo", () => ran.push("view that changed"))]
  runKey("undo")
  stops[1]?.()
  runKey("undo")
  stops.forEach((stop) => stop())
  expect(runKey("undo")).toBe(false)
  expect(ran).toEqual(["dialog", "view that changed"])
})
