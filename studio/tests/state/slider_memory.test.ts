import { expect, test } from "vitest"
import { rememberedSliders, rememberSliders } from "../../src/state/slider_memory"
import { acceptReading, base, card, change, restore, settle, turnedCards, turnParam, work, type Work } from "../../src/state/work"
import { cardOf, TEXT, workOf } from "../support/works"

const open = (of = cardOf(), more: Partial<Work> = {}): void => restore(workOf({ text: of.text, ...more }), of, of)
const turn = (name: string, value: number | string[]): void => {
  const param = card.peek()?.params.find((one) => one.name === name)
  if (param) turnParam(param, value)
  settle()
}

test("sliders are remembered for their recipe, and only what was turned", () => {
  open()
  turn("fill", 0.6)
  turn("styles", ["b"])
  expect(rememberedSliders(cardOf())).toEqual({ fill: 0.6, styles: ["b"] })
  expect(rememberedSliders(cardOf({ path: "cave.toml", origin: "mine" }))).toEqual({})
  const { card: again, values } = turnedCards(cardOf(), rememberedSliders(cardOf()))
  expect([again.text, values]).toEqual([TEXT.replace("0.45", "0.6"), { styles: ["b"] }])
  expect(again.params.map((param) => param.default)).toEqual([0.6, 4, ["a"]])
})

test("set back, nothing is remembered", () => {
  open()
  turn("fill", 0.6)
  turn("fill", 0.45)
  change({ values: {} })
  settle()
  expect(rememberedSliders(cardOf())).toEqual({})
})

test("a text that was changed is no matter of sliders", () => {
  open()
  turn("steps", 7)
  change({ text: TEXT + "# more" })
  acceptReading(cardOf({ text: TEXT + "# more" }))
  settle()
  if (work.peek() && base.peek()) rememberSliders(work.peek() as Work)
  expect(rememberedSliders(cardOf())).toEqual({ steps: 7 })
})

test("what the recipe no longer has, or cannot have, is left out", () => {
  open()
  turn("steps", 7)
  turn("fill", 0.5)
  const params = cardOf().params
  expect(rememberedSliders(cardOf({ params: params.slice(0, 1) }))).toEqual({ fill: 0.5 })
  expect(rememberedSliders(cardOf({ params: params.map((param) => ({ ...param, high: 0.1 })) }))).toEqual({})
  expect(rememberedSliders(cardOf({ params: params.map((param) => ({ ...param, default: "text" })) }))).toEqual({})
})
