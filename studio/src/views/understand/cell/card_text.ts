/** What the card of a cell says. */
import type { Write } from "../timeline/write_log"

export const MAX_WRITES = 5

/** The few writes around the playhead. */
export function writesToShow(writes: Write[], here: number): Write[] {
  if (writes.length <= MAX_WRITES) return writes
  const at = Math.max(0, writes.findIndex((one) => one.turn <= here))
  const from = Math.max(0, Math.min(writes.length - MAX_WRITES, at - 1))
  return writes.slice(from, from + MAX_WRITES)
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
