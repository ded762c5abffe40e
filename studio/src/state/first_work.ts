/** The first work: of the link in the address, else of the last visit, else none (then the page offers recipes to start with). */
import { effect, untracked } from "@preact/signals"
import { connection, greeting } from "../server/connection"
import { lastWork } from "./history"
import { readLink } from "./link"
import { cardOf, fileOf, openWork } from "./recipes"
import { say } from "./navigation"
import { takeToken } from "../server/token"
import { isMap, work, type Work } from "./work"

/** Removes a link from the address once its work is opened: from then on the page remembers the work itself, and a reload does not go back to the link. */
function acceptLink(found: Work | null): Work | null {
  if (found) history.replaceState(null, "", location.pathname)
  else if (location.hash.length > 1) say("That link leads to no level: what it names is not here, or it is not whole.")
  return found
}

/** A link leaves out the text of a recipe that is as the server has it; a map from a file has none. */
async function linkedWork(): Promise<Work | null> {
  const found = await readLink(location.hash)
  const of = found && cardOf(found.base)
  if (!found || (!of && found.text === undefined && !isMap({ ...found, file: "", text: "" }))) return null
  return { ...found, file: of ? fileOf(of) : "path" in found.base ? found.base.path : "name" in found.base ? found.base.name + ".toml" : "", text: found.text ?? of?.text ?? "" }
}

export function beginWork(): void {
  const stop = effect(() => {
    if (!greeting.value || connection.value.kind !== "open") return
    untracked(() => {
      queueMicrotask(() => stop())
      void linkedWork().then((found) => {
        const first = acceptLink(found) ?? lastWork()
        if (first && !work.peek()) void openWork(first)
      })
    })
  })
  addEventListener("hashchange", () => {
    takeToken()
    if (location.hash.length > 1)
      void linkedWork().then((found) => {
        if (acceptLink(found)) void openWork(found as Work)
      })
  })
}
