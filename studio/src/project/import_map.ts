/** Import a map from a file of the project or from an upload. It becomes the current work. */
import type { Imported } from "../server/protocol"
import { greeting, post } from "../server/connection"
import { say, view } from "../state/navigation"
import { openWork } from "../state/recipes"
import { DEFAULT_TRIES, type Work } from "../state/work"

/** Opens the map. Returns null, or a sentence that says why it failed. */
export async function importMap(from: { file: File } | { path: string }): Promise<string | null> {
  let base: Work["base"]
  let file: string
  if ("path" in from) {
    base = { path: from.path }
    file = from.path
  } else {
    const most = greeting.peek()?.limits.upload ?? Infinity
    if (from.file.size > most) return `${from.file.name} has ${Math.ceil(from.file.size / 1e5) / 10} MB; at most ${Math.floor(most / 1e5) / 10} can be read here. Larger maps are read with: undercroft convert`
    const data = await base64(from.file)
    if (data === null) return `${from.file.name} cannot be read: it is a folder, or no longer there.`
    const got = await post<Imported>("/api/import", { name: from.file.name, data })
    if (!got.ok) return [got.problem.problem, got.problem.fix].filter(Boolean).join(". ")
    if (!("imported" in got.value.source)) return "The studio answered with something else."
    base = got.value.source
    file = from.file.name
    if (got.value.notes[0]) say(got.value.notes[0])
  }
  await openWork({ base, file, text: "", values: {}, seed: "1", size: null, until: [], tries: DEFAULT_TRIES })
  view.value = "make"
  return null
}

/** Null if it cannot be read, as a folder. */
function base64(file: File): Promise<string | null> {
  return new Promise((done) => {
    const reader = new FileReader()
    reader.onload = () => done(typeof reader.result === "string" ? reader.result.replace(/^[^,]*,/, "") : null)
    reader.onerror = () => done(null)
    reader.readAsDataURL(file)
  })
}
