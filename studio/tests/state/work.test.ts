import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { base, canRedo, canUndo, card, change, changeAndSettle, changed, detached, followFileName, inDocument, documentText, hasHandwork, isDetached, isMap, isWork, onSettled, paramText, redo, restore, sameSource, setReopenWork, settle, source, sourceOf, tomlValue, turnParam, undo, valueOf, work } from "../../src/state/work"
import { greeting } from "../../src/server/connection"
import type { Hello, Param, RecipeCard } from "../../src/server/protocol"
import { cardOf, TEXT, workOf } from "../support/works"

const param = (name: string): Param => cardOf().params.find((one) => one.name === name) as Param
const rest = async (): Promise<void> => { for (let k = 0; k < 5; k++) await Promise.resolve() }

let reads: (RecipeCard | null)[] = []
beforeEach(() => {
  reads = []
  setReopenWork((to) => {
    const read = reads.length ? reads.shift() : cardOf({ text: to.text })
    if (!read) return Promise.resolve(false)
    restore(to, cardOf(), read, false)
    return Promise.resolve(true)
  })
  restore(workOf({ seed: `fresh ${Math.random()}` }), cardOf(), cardOf())
})

describe("values as TOML writes them", () => {
  test.each([[4, "4"], [0.5, "0.5"], [true, "true"], ['a "b"\\', '"a \\"b\\"\\\\"'], [[1, "x"], '[1,"x"]']] as const)("%j", (value, text) => expect(tomlValue(value as never)).toBe(text))
  test("a fraction keeps its point, a whole number has none", () => {
    expect(paramText(param("fill"), 1)).toBe("1.0")
    expect(paramText(param("fill"), 0.25)).toBe("0.25")
    expect(paramText(param("steps"), 3)).toBe("3")
  })
})

describe("turning a parameter", () => {
  test("changes its number in the text and nothing else", () => {
    turnParam(param("fill"), 0.5)
    expect(work.peek()?.text).toBe(TEXT.replace("0.45", "0.5"))
    turnParam(param("fill"), 1)
    expect(work.peek()?.text).toBe(TEXT.replace("0.45", "1.0"))
    turnParam(param("steps"), 12)
    expect(work.peek()?.text).toBe(TEXT.replace("0.45", "1.0").replace("= 4 ", "= 12 "))
    expect(source.peek()).toMatchObject({ recipe: { name: "cave" }, params: { fill: 1, steps: 12 } })
  })
  test("goes beside the text if its default does not stand there", () => {
    turnParam(param("styles"), ["b"])
    expect(work.peek()?.text).toBe(TEXT)
    expect(work.peek()?.values).toEqual({ styles: ["b"] })
    expect(valueOf(param("styles"))).toEqual(["b"])
    expect(source.peek()?.params).toEqual({ styles: ["b"] })
  })
  test("goes beside a text that is broken just now", () => {
    change({ text: TEXT + "[" })
    turnParam(param("fill"), 0.9)
    expect(work.peek()?.text).toBe(TEXT + "[")
    expect(work.peek()?.values).toEqual({ fill: 0.9 })
  })
  test("moves the places of those behind it on the same line", () => {
    const text = "a = 1\nrow = [ 5, 6 ]"
    const two: Param[] = [{ name: "x", about: "", default: 5, kind: "whole", place: { line: 2, column: 9, length: 1 } }, { name: "y", about: "", default: 6, kind: "whole", place: { line: 2, column: 12, length: 1 } }]
    const both = cardOf({ text, params: two })
    restore(workOf({ text }), both, both)
    turnParam(two[0] as Param, 555)
    turnParam(two[1] as Param, 66)
    expect(work.peek()?.text).toBe("a = 1\nrow = [ 555, 66 ]")
    expect(source.peek()?.params).toEqual({ x: 555, y: 66 })
  })
})

describe("the source of a work", () => {
  test("names the recipe as long as only defaults differ", () => {
    expect(sourceOf(workOf(), cardOf(), cardOf())).toEqual({ recipe: { name: "cave" }, seed: "7", size: null, params: {}, until: [], tries: 100 })
    const text = TEXT.replace("0.45", "0.5")
    const now = cardOf({ text, params: [{ ...param("fill"), default: 0.5, place: { line: 3, column: 11, length: 3 } }, ...cardOf().params.slice(1)] })
    expect(sourceOf(workOf({ text }), now, cardOf())).toMatchObject({ recipe: { name: "cave" }, params: { fill: 0.5 } })
  })
  test("has the text if anything else differs", () => {
    const text = TEXT + "# more\n"
    expect(sourceOf(workOf({ text }), cardOf({ text }), cardOf())).toMatchObject({ recipe: { text, file: "cave.toml" }, params: {} })
    expect(sourceOf(workOf(), null, null)).toMatchObject({ recipe: { text: TEXT } })
  })
  test("leaves out what is empty, and takes edits and kept cells along", () => {
    expect(sourceOf(workOf({ edits: [] }), cardOf(), cardOf())).not.toHaveProperty("edits")
    const of = { ...sourceOf(workOf(), cardOf(), cardOf()), seed: "other" }
    const keep = { of, cells: [[3, 2]] as [number, number][] }
    expect(sourceOf(workOf({ edits: [[1, "wall"]], keep }), cardOf(), cardOf())).toMatchObject({ edits: [[1, "wall"]], keep })
  })
  test("cells that are kept of this very level change nothing", () => {
    const plain = sourceOf(workOf(), cardOf(), cardOf())
    expect(sourceOf(workOf({ keep: { of: plain, cells: [[0, 5]] } }), cardOf(), cardOf())).toBe(plain)
  })
  test("is the same whatever the order of its names", () => {
    const a = { recipe: { text: "t", file: "f" }, seed: "1", size: null, params: { x: 1, y: [1, 2] }, until: [], tries: 1 }
    const b = { tries: 1, until: [], params: { y: [1, 2], x: 1 }, size: null, seed: "1", recipe: { file: "f", text: "t" } }
    expect(sameSource(a, b)).toBe(true)
    expect(sameSource(a, { ...b, params: { y: [2, 1], x: 1 } })).toBe(false)
  })
})

test("a map from a file is one by its origin", () => {
  expect(isMap(workOf({ base: { imported: "x", file: "a.png" } }))).toBe(true)
  expect(isMap(workOf({ base: { path: "levels/a.json" } }))).toBe(true)
  expect(isMap(workOf({ base: { path: "a.toml" } }))).toBe(false)
  expect(isMap(workOf())).toBe(false)
})

describe("undo and redo", () => {
  const seeds = async (...names: string[]): Promise<void> => {
    for (const seed of names) changeAndSettle({ seed })
    await rest()
  }
  const step = async (by: () => void): Promise<string | undefined> => {
    by()
    await rest()
    return work.peek()?.seed
  }
  test("go back and forward through settled works", async () => {
    await seeds("1", "2", "3")
    expect(await step(undo)).toBe("2")
    expect(await step(undo)).toBe("1")
    expect(canRedo.peek()).toBe(true)
    expect(await step(redo)).toBe("2")
    expect(await step(redo)).toBe("3")
    expect(await step(redo)).toBe("3")
    expect(canRedo.peek()).toBe(false)
  })
  test("a change after undo ends what could be redone", async () => {
    await seeds("1", "2")
    await step(undo)
    await seeds("9")
    expect(canRedo.peek()).toBe(false)
    expect(await step(undo)).toBe("1")
  })
  test("a drag is one step: only what is settled counts", async () => {
    await seeds("1")
    for (const seed of ["2", "3", "4"]) change({ seed })
    settle()
    expect(await step(undo)).toBe("1")
    expect(await step(redo)).toBe("4")
  })
  test("settling twice is settling once", async () => {
    await seeds("1", "2")
    settle()
    settle()
    expect(await step(undo)).toBe("1")
  })
  test("what cannot be read again is not undone", async () => {
    await seeds("1", "2")
    reads = [null]
    expect(await step(undo)).toBe("2")
    expect(canUndo.peek()).toBe(true)
    expect(canRedo.peek()).toBe(false)
    expect(await step(undo)).toBe("1")
  })
  test("a change while undo is being read wins", async () => {
    await seeds("1", "2")
    let answer: (good: boolean) => void = () => undefined
    setReopenWork(() => new Promise((done) => (answer = done)))
    undo()
    changeAndSettle({ seed: "hand" })
    answer(true)
    await rest()
    expect(work.peek()?.seed).toBe("hand")
    expect(canRedo.peek()).toBe(false)
  })
  test("remembers 200 steps at most", async () => {
    for (let k = 0; k < 260; k++) changeAndSettle({ seed: `s${k}` })
    let steps = 0
    while (canUndo.peek() && steps < 300) {
      await step(undo)
      steps++
    }
    expect(steps).toBe(200)
  })
  test("those who follow hear of each settled work once", () => {
    const heard: string[] = []
    onSettled((now) => heard.push(now.seed))
    change({ seed: "a" })
    changeAndSettle({ seed: "b" })
    settle()
    expect(heard).toEqual(["b"])
  })
})

test("a text that differs from its file is changed", () => {
  expect(changed.peek()).toBe(false)
  change({ text: TEXT + " " })
  expect(changed.peek()).toBe(true)
  expect(base.peek()?.text).toBe(TEXT)
  expect(card.peek()?.text).toBe(TEXT)
})

describe("a recipe that the server does not have", () => {
  const mine = (path: string): RecipeCard => cardOf({ origin: "mine", path })
  const greet = (...recipes: RecipeCard[]): void => void (greeting.value = { recipes } as Hello)
  afterEach(() => void (greeting.value = null))
  test("is made from its text, and counts as changed", () => {
    greet(cardOf(), mine("hall.toml"))
    restore(workOf({ base: { path: "hall.toml" }, file: "hall.toml" }), mine("hall.toml"), mine("hall.toml"))
    expect([detached.peek(), changed.peek()]).toEqual([false, false])
    expect(source.peek()?.recipe).toEqual({ path: "hall.toml" })
    greet(cardOf())
    expect([detached.peek(), changed.peek()]).toEqual([true, true])
    expect(source.peek()?.recipe).toEqual({ text: TEXT, file: "hall.toml" })
    greet(cardOf(), mine("hall.toml"))
    expect([detached.peek(), changed.peek()]).toEqual([false, false])
  })
  test("is not one that is shipped, nor a map of the project", () => {
    greet(cardOf())
    for (const base of [{ name: "cave" }, { path: "levels/x.json" }, { imported: "1", file: "x.png" }]) expect(isDetached(workOf({ base }))).toBe(false)
    expect(isDetached(workOf({ base: { name: "gone" } }))).toBe(true)
  })
  test("follows its file to another name, also in what can be undone", async () => {
    greet(cardOf(), mine("hall.toml"), mine("deep/nave.toml"))
    restore(workOf({ base: { path: "hall.toml" }, file: "hall.toml" }), mine("hall.toml"), mine("hall.toml"))
    changeAndSettle({ seed: "8" })
    followFileName("hall.toml", "deep/nave.toml", mine("deep/nave.toml"))
    expect(work.peek()).toMatchObject({ base: { path: "deep/nave.toml" }, file: "deep/nave.toml", seed: "8", text: TEXT })
    const steps = canUndo.peek()
    followFileName("other.toml", "x.toml", undefined)
    settle()
    expect([canUndo.peek(), canRedo.peek()]).toEqual([steps, false])
    undo()
    await rest()
    expect(work.peek()).toMatchObject({ base: { path: "deep/nave.toml" }, seed: "7" })
  })
})
test("a recipe is known by its suffix in any case of letters", () => {
  expect(isMap(workOf({ base: { path: "Hall.TOML" } }))).toBe(false)
  expect(isMap(workOf({ base: { path: "hall" } }))).toBe(true)
})

test("works with maps, placed things and a document are kept between visits, and damaged ones are not", () => {
  const map = { format: "undercroft-level/1" }
  const thing = { kind: "chest", x: 1, y: 2 }
  const whole = workOf({ keep: { map, cells: [[1, 2]] }, edits: [[1, "floor"]], placed: [{ ...thing, data: {} }], removed: [thing], document: "a.work.json", more: { floors: 3 }, keepMore: {} })
  expect([whole, workOf({ base: { map, file: "map.json" } }), workOf()].map(isWork)).toEqual([true, true, true])
  const damage: object[] = [{ keep: { cells: [[1, 2]] } }, { base: { map: "map" } }, { placed: {} }, { removed: ["chest"] }, { document: 1 }, { more: [] }]
  for (const one of damage) expect(isWork({ ...whole, ...one }), JSON.stringify(one)).toBe(false)
  expect([workOf(), workOf({ edits: [] }), workOf({ removed: [thing] }), workOf({ keep: { map, cells: [[1, 2]] } })].map(hasHandwork)).toEqual([false, false, true, true])
})

test("a text is in the document that was opened or saved with it, also under another name", () => {
  restore(workOf({ document: "a.work.json" }), cardOf(), cardOf())
  expect(inDocument.value).toBe(false)
  documentText.value = { document: "a.work.json", text: TEXT }
  expect(inDocument.value).toBe(true)
  followFileName("a.work.json", "b.work.json", undefined)
  expect([work.value?.document, work.value?.base, inDocument.value]).toEqual(["b.work.json", { name: "cave" }, true])
  change({ text: TEXT + "# more" })
  expect(inDocument.value).toBe(false)
})
