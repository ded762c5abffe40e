import { describe, expect, test } from "vitest"
import { linkFragment, parseFragment } from "../../src/state/link_text"
import { DEFAULT_TRIES, type Work } from "../../src/state/work"
import { randomFrom } from "../support/random"
import { TEXT, workOf } from "../support/works"

/** A work through a link and back, as the page completes it. */
async function through(work: Work, style: string | null = null): Promise<Work | null> {
  const found = await parseFragment(await linkFragment(work, TEXT, style))
  return found && { ...found.work, file: work.file, text: found.work.text ?? TEXT }
}

test("what people may want to read is written plainly", async () => {
  expect(await linkFragment(workOf({ size: [60, 40] }), TEXT, "ink")).toBe("recipe=cave&seed=7&size=60x40&style=ink")
  expect(await linkFragment(workOf({ base: { path: "my/cave 2.toml" }, seed: "two words" }), TEXT, null)).toBe("path=my%2Fcave+2.toml&seed=two+words")
})

describe("what comes back is what was linked", () => {
  test.each<[string, Partial<Work>]>([
    ["a plain work", {}],
    ["a size", { size: [1, 1024] }],
    ["a seed of words and signs", { seed: "a&b=c#d %20 ä 🦇" }],
    ["a changed text", { text: TEXT + '\n# "ü" 🦇\n' }],
    ["an empty text", { text: "" }],
    ["values", { values: { fill: 0.25, on: false, names: ["a", "b"] } }],
    ["requirements and tries", { until: ["loops >= 3"], tries: 7 }],
    ["painted cells", { edits: [[0, "wall"], [77, "floor"]] }],
    ["kept cells", { keep: { of: { recipe: { name: "cave" }, seed: "3", size: null, params: {}, until: [], tries: 100 }, cells: [[3, 2], [70, 9]] } }],
    ["a file of the project", { base: { path: "rooms/my.toml" }, file: "rooms/my.toml" }],
  ])("%s", async (_, more) => expect(await through(workOf(more))).toEqual(workOf(more)))
  test("many random works", async () => {
    const random = randomFrom(11)
    for (let k = 0; k < 60; k++) {
      const work = workOf({
        seed: Array.from({ length: 1 + random.below(8) }, () => String.fromCodePoint(32 + random.below(400))).join(""),
        text: Array.from({ length: random.below(300) }, () => String.fromCodePoint(10 + random.below(3000))).join(""),
        edits: Array.from({ length: 1 + random.below(30) }, () => [random.below(4000), random.pick(["wall", "floor"])]),
      })
      expect(await through(work)).toEqual(work)
    }
  })
})

test("the style comes along", async () => {
  expect((await parseFragment("recipe=cave&style=ink"))?.style).toBe("ink")
  expect((await parseFragment("recipe=cave"))?.style).toBeNull()
})

test("what is left out has its usual value", async () => {
  expect((await parseFragment("recipe=cave"))?.work).toEqual({ base: { name: "cave" }, seed: "1", size: null, values: {}, until: [], tries: DEFAULT_TRIES })
})

test("a link that is not whole leads nowhere", async () => {
  expect(await parseFragment("")).toBeNull()
  expect(await parseFragment("seed=7&size=4x4")).toBeNull()
  expect(await parseFragment("recipe=cave&with=garbage!")).toBeNull()
  const whole = await linkFragment(workOf({ text: "other" }), TEXT, null)
  expect(await parseFragment(whole.slice(0, -4))).toBeNull()
  expect((await parseFragment("recipe=cave&size=big"))?.work.size).toBeNull()
})

test("an imported map has no recipe, so its link leads nowhere", async () => {
  expect(await parseFragment(await linkFragment(workOf({ base: { imported: "x", file: "a.png" } }), "", null))).toBeNull()
})

test("packed parts need no escaping in an address", async () => {
  const fragment = await linkFragment(workOf({ text: "x".repeat(500) + "???>>>" }), TEXT, null)
  expect(fragment).toMatch(/&with=[\w-]+$/)
})
