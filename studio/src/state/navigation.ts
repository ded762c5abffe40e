/** The current view, and the dialog over it. */
import { effect, signal } from "@preact/signals"
import { oneOf, recallHere, rememberHere } from "./storage"

export type View = "make" | "understand" | "explore" | "author"
export const VIEWS: { name: View; title: string }[] = [
  { name: "make", title: "Make" },
  { name: "understand", title: "Understand" },
  { name: "explore", title: "Explore" },
  { name: "author", title: "Author" },
]

export type Dialog = "keys" | "commands" | "export" | "open" | "import" | "link" | "save" | null
/** What the dialog of the project's files shows. */
export type FilesTab = "files" | "examples" | "trash"
export const filesTab = signal<FilesTab>("files")

export const view = signal<View>(recallHere<View>("view", "make", oneOf(...VIEWS.map((one) => one.name))))
export const dialog = signal<Dialog>(null)
effect(() => rememberHere("view", view.value))

/** A notice that is shown for a moment at the foot of the page, and announced by screen readers. It never needs an action. */
export const said = signal<{ text: string; at: number } | null>(null)
export function say(text: string): void {
  said.value = { text, at: Date.now() }
}
