/** The current view, and the dialog over it. */
import { effect, signal } from "@preact/signals"
import { recall, remember } from "./storage"

export type View = "make" | "understand" | "explore" | "author"
export const VIEWS: { name: View; title: string }[] = [
  { name: "make", title: "Make" },
  { name: "understand", title: "Understand" },
  { name: "explore", title: "Explore" },
  { name: "author", title: "Author" },
]

export type Dialog = "keys" | "commands" | "export" | "open" | "import" | "save" | null

export const view = signal<View>(recall<View>("view", "make"))
export const dialog = signal<Dialog>(null)
effect(() => remember("view", view.value))

/** A notice that is shown for a moment at the foot of the page, and announced by screen readers. It never needs an action. */
export const said = signal<{ text: string; at: number } | null>(null)
export function say(text: string): void {
  said.value = { text, at: Date.now() }
}
