/** What each format would leave out of the current level: requested when the dialog opens, and again when the level changes under it. */
import { signal } from "@preact/signals"
import type { Losses } from "../../server/protocol"
import { ask } from "../../server/connection"
import { source } from "./choices"

export const losses = signal<Losses | null>(null)

export async function fetchLosses(): Promise<void> {
  const from = source.peek()
  if (!from) return
  const reply = await ask<Losses>("losses", { do: "losses", ...from })
  if (reply.kind === "done" && source.peek() === from) losses.value = reply.head
}
