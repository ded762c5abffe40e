/** The parameter that is being touched: its slider, its number in the text and the thread between them are amber. */
import { signal } from "@preact/signals"

export const held = signal<string | null>(null)
