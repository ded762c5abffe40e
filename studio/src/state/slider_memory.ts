/** The sliders of each recipe as they were left: choosing the recipe again brings them back. */
import { signal } from "@preact/signals"
import { onNews } from "../server/connection"
import type { RecipeCard, Value } from "../server/protocol"
import { keepEach } from "./storage"
import { base, detached, onSettled, sourceOf, card, work, type Work } from "./work"

const MAX_RECIPES = 60

/** The values that differ from the recipe's own, by the recipe; the ones changed last stand last. */
const remembered = signal<ReadonlyMap<string, Record<string, Value>>>(new Map())
const areValues = (value: unknown): value is Record<string, Value> => typeof value === "object" && value !== null && !Array.isArray(value)
keepEach("sliders", areValues, () => remembered.value, (kept) => (remembered.value = new Map(kept)))

export const recipeKey = (of: Work["base"]): string | null => ("path" in of ? of.path : "name" in of ? "name " + of.name : null)

/** The sliders that a recipe was left with; empty if they are its own. Only those that it still has, and that it can have. */
export function rememberedSliders(of: RecipeCard): Record<string, Value> {
  const values = remembered.peek().get(of.path ?? "name " + of.name) ?? {}
  const fits = (name: string, value: Value): boolean =>
    of.params.some((param) => param.name === name && typeof param.default === typeof value && Array.isArray(param.default) === Array.isArray(value)
      && (typeof value !== "number" || (value >= (param.low ?? -Infinity) && value <= (param.high ?? Infinity) && (param.kind !== "whole" || Number.isInteger(value))))
      && (!param.choices || param.choices.some((choice) => choice === value)))
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => fits(name, value)))
}

/** What a work's sliders say, if its text is otherwise the recipe's own: a text that was changed is the work's, and not the recipe's. */
export function rememberSliders(now: Work): void {
  const [reading, was] = [card.peek(), base.peek()]
  const key = recipeKey(now.base)
  if (!key || !reading || !was || detached.peek() || reading.text !== now.text) return
  const source = sourceOf({ ...now, keep: undefined, edits: [], placed: undefined, removed: undefined }, reading, was)
  if ("text" in source.recipe) return
  const own = new Map(was.params.map((param) => [param.name, JSON.stringify(param.default)]))
  const turned = Object.entries(source.params).filter(([name, value]) => own.get(name) !== JSON.stringify(value))
  const others = [...remembered.peek()].filter(([other]) => other !== key).slice(1 - MAX_RECIPES)
  remembered.value = new Map(turned.length ? [...others, [key, Object.fromEntries(turned)]] : others)
}
onSettled(() => {
  const now = work.peek()
  if (now) rememberSliders(now)
})
onNews((news) => {
  if (news.kind === "renamed") remembered.value = new Map([...remembered.peek()].map(([key, values]) => [key === news.path ? news.to : key, values]))
})
