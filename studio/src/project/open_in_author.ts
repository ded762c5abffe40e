/** What Author is to open: rules or a layout, by its file in the project, or the rules of a step of the recipe in Make. The view that opens it sets this back to null. */
import { effect, signal } from "@preact/signals"
import { view } from "../state/navigation"
import { recall, remember } from "../state/storage"

export type AuthorTab = "rules" | "layouts"
export const authorTab = signal<AuthorTab>(recall<AuthorTab>("author tab", "rules"))
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
