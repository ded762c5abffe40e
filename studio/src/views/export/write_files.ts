/** Write the chosen files into the project or download them; copy the map, or print it. */
import { signal } from "@preact/signals"
import type { Digests, Exported, FormatCard, Problem } from "../../server/protocol"
import { fetchFile, post } from "../../server/connection"
import { say } from "../../state/navigation"
import { into, outputs, source } from "./choices"

export const busy = signal("")
export const problem = signal<Problem | null>(null)
export const done = signal<Exported[] | null>(null)

/** `over` are files that the user gives up. */
export async function exportAll(over?: Digests): Promise<boolean> {
  const from = source.peek()
  const files = outputs.peek().map((one) => one.output)
  if (!from || files.length === 0) return false
  busy.value = files.some((file) => file.animation) ? "Drawing the animation" : "Writing"
  problem.value = null
  done.value = null
  const body = { ...from, outputs: files, into: into.peek(), ...(over ? { over } : {}) }
  const got = into.peek() === "project" ? await post<Exported[]>("/api/export", body) : await fetchFile("/api/export", body)
  busy.value = ""
  if (!got.ok) {
    problem.value = got.problem
    return false
  }
  if (Array.isArray(got.value)) {
    done.value = got.value
    say(`Written: ${got.value.map((row) => row.path).join(", ")}`)
  } else {
    downloadBlob(got.value.blob, got.value.name)
    say(`Downloaded ${got.value.name}`)
  }
  return true
}

function downloadBlob(blob: Blob, name: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

const fetchExport = (format: string, path: string, options: Record<string, string> = {}) => fetchFile("/api/export", { ...source.peek(), outputs: [{ format, path, options }], into: "download" })

/** The map as text, in the kind of text that is looked at. */
export async function copyText(card?: FormatCard): Promise<void> {
  const got = await fetchExport(card?.name.startsWith("text") ? card.name : "text", "map.txt")
  if (!got.ok) {
    problem.value = got.problem
    return
  }
  try {
    await navigator.clipboard.writeText(await got.value.blob.text())
    say("Copied the map as text")
  } catch {
    say("The browser does not let this page write to the clipboard")
  }
}

/** Prints the level as black lines on one page; for pages of one inch a square there is the PDF. */
export async function print(): Promise<void> {
  busy.value = "Drawing for paper"
  const got = await fetchExport("svg", "print.svg", { style: "print" })
  busy.value = ""
  if (!got.ok) {
    problem.value = got.problem
    return
  }
  const picture = document.createElement("img")
  picture.className = "exp-print"
  picture.alt = "The level, for paper"
  picture.src = URL.createObjectURL(new Blob([got.value.blob], { type: "image/svg+xml" }))
  await picture.decode().catch(() => undefined)
  document.body.append(picture)
  document.documentElement.classList.add("printing")
  const tidy = (): void => {
    document.documentElement.classList.remove("printing")
    picture.remove()
    URL.revokeObjectURL(picture.src)
  }
  addEventListener("afterprint", tidy, { once: true })
  window.print()
}
