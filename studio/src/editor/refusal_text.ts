/** What guards refused, in words. */
import type { Refusals } from "../server/protocol"

/** Text for how often guards refused it; empty if none did. */
export function refusedText({ refused, guards }: Refusals): string {
  if (refused === 0) return ""
  const often = refused === 1 ? "once" : `${refused.toLocaleString("en")} times`
  return `${guards.join(" and ") || "a guard"} refused it ${often}`
}
