/** What can be done with a seed of the wall. */
import { say, view } from "../../state/navigation"
import { workOfCard, recipes } from "../../state/recipes"
import { useSeed } from "../../state/seeds"
import { work } from "../../state/work"
import { compareWorks } from "./compare/state"
import { order } from "./loading"
import { setMark, marks, picking, pointed, screen, starSeed, starredSeeds, workWith, type Mark } from "./state"

/** A click: opens the level in Make, or marks it if a mark is being placed. */
export function takeSeed(seed: string): void {
  const which = picking.peek()
  if (which) markSeed(which, seed)
  else openSeed(seed)
}

export function openSeed(seed: string): void {
  useSeed(seed)
  view.value = "make"
}

export function markSeed(which: Mark, seed: string): void {
  const to = workWith(seed)
  if (!to) return
  setMark(which, to)
  say(`Seed ${seed} is ${which.toUpperCase()}`)
}

export function favouriteSeed(seed: string): void {
  starSeed(seed)
  say(starredSeeds.peek().includes(seed) ? `Seed ${seed} is a favourite` : `Seed ${seed} is no favourite any more`)
}

/** A seed for a key that acts on one. */
export function withPointed(run: (seed: string) => void): () => void {
  return () => {
    const seed = pointed.peek()
    if (seed === null) say("Point at a seed first")
    else run(seed)
  }
}

/** Marks that are missing are placed: the seed that is pointed at, then the first that hang on the wall. */
export function compareMarked(): void {
  for (const which of ["a", "b"] as const) {
    if (marks.peek()[which]) continue
    const other = marks.peek()[which === "a" ? "b" : "a"]
    const seeds = [...(pointed.peek() !== null ? [pointed.peek() as string] : []), ...order.peek()]
    const free = seeds.find((seed) => !(other && other.seed === seed && other.base === work.peek()?.base))
    const to = free === undefined ? null : workWith(free)
    if (to) setMark(which, to)
  }
  const { a, b } = marks.peek()
  if (!a || !b) return
  compareWorks(a, b)
  screen.value = "compare"
}

/** Compares the current map with a level of the first recipe; the menu over that has all others. */
export function compareMap(): void {
  const now = work.peek()
  const other = recipes.peek().find((one) => !one.problem)
  if (!now || !other) return
  compareWorks(now, workOfCard(other, "1"))
  screen.value = "compare"
}
