/** The first work: of the link in the address, else of the last visit, else none (then the page offers recipes to start with). */
import { effect, untracked } from "@preact/signals"
import { connection, greeting } from "../server/connection"
import { lastWork } from "./history"
import { openAddress } from "../project/works"
import { openWork } from "./recipes"
import { say } from "./navigation"
import { takeToken } from "../server/token"
import { work } from "./work"

/** Opens what the address names, and removes it there: from then on the page remembers the work itself, and a reload does not go back. */
async function takeAddress(): Promise<boolean> {
  const { hash } = location
  if (hash.length <= 1) return false
  const failed = await openAddress(hash)
  if (failed) say(failed)
  else history.replaceState(null, "", location.pathname)
  return !failed
}

export function beginWork(): void {
  const stop = effect(() => {
    if (!greeting.value || connection.value.kind !== "open") return
    untracked(() => {
      queueMicrotask(() => stop())
      void takeAddress().then((opened) => {
        const last = opened ? null : lastWork()
        if (last && !work.peek()) void openWork(last)
      })
    })
  })
  addEventListener("hashchange", () => {
    takeToken()
    void takeAddress()
  })
}
