/** What Author is to open: rules or a layout, by its file in the project. Whoever opens it sets this back to null. */
import { effect, signal } from "@preact/signals"
import { view } from "./place"
import { recall, remember } from "./remember"

export type AuthorTab = "rules" | "layouts"
export const authorTab = signal<AuthorTab>(recall<AuthorTab>("author tab", "rules"))
effect(() => remember("author tab", authorTab.value))

export const toOpen = signal<{ kind: "rules" | "layout"; path: string } | null>(null)

export function openInAuthor(kind: "rules" | "layout", path: string): void {
  authorTab.value = kind === "rules" ? "rules" : "layouts"
  toOpen.value = { kind, path }
  view.value = "author"
}
