import { beforeEach, expect, test } from "vitest"
import { greeting } from "../../src/server/connection"
import type { Hello } from "../../src/server/protocol"
import { cardOf as cardFor, workOfCard } from "../../src/state/recipes"
import { rememberThumbnail, roughSource, sourceKey, thumbnailFailed, thumbnailOf } from "../../src/state/thumbnails"
import { levelOf } from "../support/levels"
import { cardOf, TEXT, workOf } from "../support/works"

beforeEach(() => {
  greeting.value = { recipes: [cardOf(), cardOf({ name: "mine", path: "mine.toml", origin: "mine", text: "x" })] } as unknown as Hello
})

test("a work is named by its recipe if its text is the recipe's own", () => {
  expect(roughSource(workOf()).recipe).toEqual({ name: "cave" })
  expect(roughSource(workOf({ text: TEXT + "#" })).recipe).toEqual({ text: TEXT + "#", file: "cave.toml" })
  expect(roughSource(workOf({ base: { path: "a.json" }, text: "" })).recipe).toEqual({ path: "a.json" })
  expect(roughSource(workOf({ edits: [], values: { a: 1 } }))).toEqual({ recipe: { name: "cave" }, seed: "7", size: null, params: { a: 1 }, until: [], tries: 100 })
})

test("recipes are found by name or by path", () => {
  expect(cardFor({ name: "cave" })?.text).toBe(TEXT)
  expect(cardFor({ path: "mine.toml" })?.name).toBe("mine")
  expect(cardFor({ name: "mine" })).toBeUndefined()
  expect(cardFor({ imported: "x", file: "y" })).toBeUndefined()
  expect(workOfCard(cardOf({ path: "mine.toml" }), "5")).toMatchObject({ base: { path: "mine.toml" }, file: "mine.toml", seed: "5", size: null })
  expect(workOfCard(cardOf(), "5")).toMatchObject({ base: { name: "cave" }, file: "cave.toml" })
})

test("of many thumbnails, the oldest are forgotten", () => {
  const sources = Array.from({ length: 90 }, (_, k) => roughSource(workOf({ seed: String(k) })))
  for (const source of sources) rememberThumbnail(source, levelOf(["."]))
  expect(thumbnailOf(sources[89] as (typeof sources)[number])?.width).toBe(1)
  expect(thumbnailOf(sources[0] as (typeof sources)[number])).toBeNull()
  expect(thumbnailFailed(sources[0] as (typeof sources)[number])).toBe(false)
  expect(new Set(sources.map(sourceKey)).size).toBe(90)
})
