/** What Author is to open: rules or a layout, by its file in the project, or the rules of a step of the recipe in Make. The view that opens it sets this back to null. And the map that its rules run on. */
import { effect, signal } from "@preact/signals"
import { view } from "../state/navigation"
import { isText, oneOf, recall, remember } from "../state/storage"

export type AuthorTab = "rules" | "layouts"
export const authorTab = signal<AuthorTab>(recall<AuthorTab>("author tab", "rules", oneOf("rules", "layouts")))
effect(() => remember("author tab", authorTab.value))

/** A step of a recipe, whose text has rules in it. */
export interface StepOf {
  recipe: string
  step: string
}
export const toOpen = signal<{ kind: "rules" | "layout"; path: string; inline?: { of: StepOf; text: string } } | null>(null)

export function openInAuthor(kind: "rules" | "layout", path: string, inline?: { of: StepOf; text: string }): void {
  authorTab.value = kind === "rules" ? "rules" : "layouts"
  toOpen.value = { kind, path, ...(inline ? { inline } : {}) }
  view.value = "author"
}

/** A blank map, a drawing, the current level (whole, or as it is before a step), or a map of the project. */
export type RunOn = { kind: "fill"; tile: string } | { kind: "drawing" } | { kind: "level"; step: string } | { kind: "file"; path: string }
const isRunOn = (value: unknown): value is RunOn => {
  const { kind, tile, step, path } = (value ?? {}) as Record<string, unknown>
  return kind === "drawing" || (kind === "fill" && isText(tile)) || (kind === "level" && isText(step)) || (kind === "file" && isText(path))
}
export const runOn = signal<RunOn>(recall<RunOn>("author run on", { kind: "fill", tile: "" }, isRunOn))
effect(() => remember("author run on", runOn.value))

/** The rules that are open in Author, on the current level. */
export function runOnLevel(step = ""): void {
  runOn.value = { kind: "level", step }
  authorTab.value = "rules"
  view.value = "author"
}
