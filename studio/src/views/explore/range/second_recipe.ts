/** A second recipe in the plot, to see what one reaches that the other does not. */
import { computed, signal } from "@preact/signals"
import type { RecipeCard } from "../../../server/protocol"
import { baseOf, fileOf, recipes } from "../../../state/recipes"
import { base, changed, detached, size, DEFAULT_TRIES, work, type Work } from "../../../state/work"
import type { About } from "../wall/level_cache"
import { measured, type Range } from "./measured_range"

export interface Second {
  name: string
  about: About
  card: RecipeCard
}

export const second = signal<Second | null>(null)
/** Which of the two is shown in colour; the other is an outline. */
export const inFront = signal<"first" | "second">("first")

/** The current recipe before it was changed; null if it was not. */
export const asItCame = computed(() => (!detached.value && (changed.value || Object.keys(work.value?.values ?? {}).length > 0) ? base.value : null))

export const choices = computed(() => recipes.value.filter((one) => !one.problem))
export const idOf = (of: RecipeCard): string => of.path ?? of.name

export function compareRecipe(of: RecipeCard | null): void {
  inFront.value = "first"
  // The same size first: measures such as the length of the path grow with the map.
  second.value = of && { name: of.name, card: of, about: { recipe: baseOf(of), size: size.peek(), params: {}, until: [], tries: DEFAULT_TRIES } }
}

/** Some recipes cannot be made in every size: then the recipe's default size is used. */
export function retryInOwnSize(of: Second, its: Range): void {
  if (its.problem && second.peek() === of && of.about.size) second.value = { ...of, about: { ...of.about, size: null } }
  measured.value++
}

/** The second recipe as a work, with a seed. */
export const secondWork = (of: Second, seed: string): Work => ({
  base: baseOf(of.card),
  file: fileOf(of.card),
  text: of.card.text,
  values: {},
  seed,
  size: of.about.size,
  until: [],
  tries: DEFAULT_TRIES,
})
